"""Prime factors, and the divisors of what they make."""

from __future__ import annotations

from collections.abc import Iterable

_TRIED = 1 << 17  # divisors


def prime_factors(n: int) -> list[int]:
    """The primes of n, rising: by trial division, what is left of large numbers by sympy.

    >>> prime_factors(360), prime_factors(2 * (10**18 + 9))
    ([2, 2, 2, 3, 3, 5], [2, 1000000000000000009])
    """
    found: list[int] = []
    p = 2
    while p * p <= n:
        if p > _TRIED:
            from sympy import factorint

            return found + [q for q, times in sorted(factorint(n).items()) for _ in range(times)]
        while n % p == 0:
            found.append(p)
            n //= p
        p += 1 if p == 2 else 2
    return [*found, n] if n > 1 else found


def divisors(primes: Iterable[int]) -> list[int]:
    """The divisors of the product of some primes, rising.

    >>> divisors([2, 3, 2])
    [1, 2, 3, 4, 6, 12]
    """
    found = {1}
    for p in primes:
        found |= {p * d for d in found}
    return sorted(found)
