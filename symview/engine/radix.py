"""Row-major place values, digits, boundaries between digits, and divisors of sizes."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Iterable, Sequence
from math import prod
from operator import index as exact

from symview.errors import InputError, OutOfBounds
from symview.logic.terms import as_entry

_TRIED = 1 << 17  # divisors


def place_values(shape: Sequence[int]) -> tuple[int, ...]:
    """The place value of each digit: the product of the sizes after it.

    >>> place_values((10, 3, 3))
    (9, 3, 1)
    """
    values = [1] * len(shape)
    for axis in range(len(shape) - 2, -1, -1):
        values[axis] = values[axis + 1] * shape[axis + 1]
    return tuple(values)


def unravel(address: int, shape: Sequence[int] | str) -> tuple[int, ...]:
    """The mixed-radix digits of an address, 0 <= address < product of the shape.

    Inverse of `ravel`; Remark 7 of "Merging tensor views" (N. uit de Bos, 2025). Raises OutOfBounds for other
    addresses, InputError for non-integers.

    >>> unravel(5, (2, 3, 4))
    (0, 1, 1)
    """
    (address,), shape = _integers((address,), "the address"), _integers(shape, "the shape")
    return digits(address, shape)


def digits(address: int, shape: Sequence[int]) -> tuple[int, ...]:
    """`unravel` of arguments that are known to be integers."""
    size = prod(shape)
    if not 0 <= address < size:
        raise OutOfBounds(f"address {address} is outside 0..{size - 1}, the {size} places of shape {tuple(shape)}")
    found = []
    for size in reversed(shape):
        address, digit = divmod(address, size)
        found.append(digit)
    return tuple(found[::-1])


def ravel(index: Sequence[int], shape: Sequence[int] | str) -> int:
    """The row-major address of an index: the contiguous view's index function (Definition 5).

    Raises InputError for non-integers, and if index and shape have different lengths.

    >>> ravel((0, 1, 1), (2, 3, 4))
    5
    """
    index, shape = _integers(index, "the index"), _integers(shape, "the shape")
    if len(index) != len(shape):
        raise InputError(f"index {index} has {len(index)} entries, the shape {shape} has {len(shape)} dims")
    address = 0
    for digit, size in zip(index, shape, strict=True):
        address = address * size + digit
    return address


def _integers(values: Sequence[int] | str, what: str) -> tuple[int, ...]:
    """Converts the values to ints, also those of other libraries, or text such as "(2,3)"; rejects symbols."""
    try:
        given = _spelled(values) if isinstance(values, str) else values
        return tuple([exact(as_entry(v)) for v in given])
    except (TypeError, ValueError, SyntaxError):
        raise InputError(f"{what}: {values!r} is not a sequence of integers") from None


def _spelled(text: str) -> Sequence[int]:
    found = literal_eval(text.strip())
    return found if isinstance(found, tuple) else (found,)  # "(2)" is Python's 2


def boundaries(shape: Sequence[int]) -> tuple[int, ...]:
    """The place values P with 1 < P < size at which one digit overflows into the next, largest first.

    Equal place values (next to a dim of size 1) are one boundary.

    >>> boundaries((10, 3, 1, 3))
    (9, 3)
    """
    kept = [s for s in shape if s != 1]
    return place_values(kept)[:-1]


def prime_factors(n: int) -> list[int]:
    """The prime factors of n in increasing order, by trial division; sympy factors the rest of large numbers.

    >>> prime_factors(360), prime_factors(2 * (10**18 + 9))
    ([2, 2, 2, 3, 3, 5], [2, 1000000000000000009])
    """
    found: list[int] = []
    p = 2
    while p * p <= n:
        if p > _TRIED:
            from sympy import factorint  # slow to load

            return found + [q for q, times in sorted(factorint(n).items()) for _ in range(times)]
        while n % p == 0:
            found.append(p)
            n //= p
        p += 1 if p == 2 else 2
    return [*found, n] if n > 1 else found


def divisors(primes: Iterable[int]) -> list[int]:
    """The divisors of the product of some primes, in increasing order.

    >>> divisors([2, 3, 2])
    [1, 2, 3, 4, 6, 12]
    """
    found = {1}
    for p in primes:
        found |= {p * d for d in found}
    return sorted(found)
