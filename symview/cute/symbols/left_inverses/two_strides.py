"""Left inverses of layouts of two strides that are unknown, by places that are no strides."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import Any

from symview.cute.comparer import least, ratio, remainder, rounded_down, times
from symview.cute.int_tuple import flatten, is_int
from symview.cute.layout import Layout
from symview.cute.modes import assembled, coalesced
from symview.cute.shape_arithmetic import product_of
from symview.cute.symbols.asking import Asking, all_of, at_most, either
from symview.cute.symbols.gaps import moving, plain_sum

_DIGITS = 16  # sizes of the mode that is far above the other


def inverse_of_two(ask: Asking, layout: Layout) -> Layout | None:
    """Where one stride is not near a multiple of the other, or far above it; None elsewhere, and of other layouts.

    >>> from symview.cute import left_inverse_conditions
    >>> found = left_inverse_conditions(Layout.parse("(2,3):(5,b)"), assume="b >= 1000 and b % 5 == 3")
    >>> print(found.layout({"b": 1003}))
    (5,80,2,3):(0,1,79,-38)
    """
    modes = _with_the_last(ask, layout)
    if len(modes) != 2:
        return None
    for (n, s, step), (m, d, wanted) in (modes, modes[::-1]):
        rest, rounds = remainder(s, d), rounded_down(s, d)
        sums = plain_sum(times(m - 1, d), times(n - 1, s), times(n, rest))
        close = all_of(at_most(times(n, rest), d), at_most(times(n + 1, sums), times(rest, rest)))
        half = all_of(at_most(d + 1, times(2, rest)), at_most(plain_sum(rest, rounds, m + 1), d)) if n == 2 else False
        if ask.holds(either(close, half)):
            return beside_multiples(s, d, m, step, wanted)
        if m <= _DIGITS and ask.at_most(times(far_enough(n, m), s), d):
            return far_above(s, d, m, step, wanted)
    return None


def _with_the_last(ask: Asking, layout: Layout) -> list[tuple[int, Any, Any]]:
    """The modes that move, with the products of the sizes before them; none where a size is open.

    Of more than two, those with multiples of the last stride are one with the last mode, since that goes on.
    """
    moved, last = moving(ask, layout), layout.flat()[-1][1]
    if not all(is_int(n) for _, (n, _) in moved):
        return []
    steps = [product_of(flatten(layout.shape)[:number]) for number, _ in moved]
    many = [_multiple(d, last) if len(moved) > 2 else 0 for _, (_, d) in moved]
    modes = [(n, d, step) for (_, (n, d)), step, k in zip(moved, steps, many, strict=True) if not k]
    reach = sum([(n - 1) * k for (_, (n, _)), k in zip(moved, many, strict=True)])
    return [*modes, *([(reach + 1, last, product_of(flatten(layout.shape)[:-1]))] if reach else [])]


def _multiple(a: Any, b: Any) -> int:
    """How many times b is a, for all values; 0 where that is no number above 0."""
    if b == 0:
        return 0
    top, bottom = ratio(a, b)
    return max(int(top), 0) if bottom == 1 and top.is_Integer else 0


def beside_multiples(s: Any, d: Any, size: int, step: Any, wanted: Any) -> Layout:
    """The layout with the value step·i + wanted·j at s·i + d·j, i < n, j < m, where s mod d is not near 0 or d.

    With k = floor(s/d), r = s mod d, q = ⌈d/r⌉ and p = floor(d/q), the value s·i + d·j is p·(i + q·(j + k·i)), and
    (r - p)·i + (d mod q)·(j + k·i) on top. With M the largest j + k·i, that is below p where n·r <= d and
    (n + 1)·(M·d + n·r) <= r², as q < d/r + 1 and p > d/q - 1; for n = 2, q = 2 also where r + M + 1 < d.
    """
    import sympy

    rest, rounds = remainder(s, d), rounded_down(s, d)
    many = -(-d // rest) if is_int(d) and is_int(rest) else sympy.ceiling(sympy.sympify(d) / rest)
    low = plain_sum(step, times(-wanted, rounds))
    return assembled(coalesced([(rounded_down(d, many), 0), (many, low), (size, wanted)]))


def far_above(s: Any, d: Any, size: int, step: Any, wanted: Any) -> Layout:
    """The layout with the value step·i + wanted·j at s·i + d·j, for j below the size and d far above s.

    With q = floor(d/s), r = d mod s and A = size - 1, the floors of s·i + d·j are i + q·j + floor(j·r/s) at the place
    s, A·j + floor(j·r/s) at s·t, and j at s·t·A, t being the largest for which none at s·t is less; see `far_enough`.
    """
    most = size - 1
    many, rest = rounded_down(d, s), remainder(d, s)
    last_ones = range((size + 1) // 2, size)  # of each other j a multiple is among these
    floors = [plain_sum(most * j, rounded_down(times(j, rest), s)) for j in last_ones]
    ends = [rounded_down(times(j, d), times(s, x)) for j, x in zip(last_ones, floors, strict=True)]
    t = least(*ends)
    last = plain_sum(wanted, times(step, plain_sum(times(t, most), -many)))
    return assembled(coalesced([(s, 0), (t, step), (most, times(step, plain_sum(t, -1))), (size, last)]))


@lru_cache(maxsize=256)
def far_enough(n: int, m: int) -> int:
    """A number such that `far_above` is right for d from so many times s on, of modes n:s and m:d.

    Let f be the largest fraction floor(j·r/s)/j with 0 < j < m: these floors are those of j·f, and t the floor of
    d/s/(A + f). Then j·d/(s·t) + i/t is above j·(A + f) by less than (j·(A + f) + n - 1)/t, which has to end before the
    next integer.
    """
    most, found = m - 1, 1
    for f in {Fraction(k, w) for w in range(1, m) for k in range(w)}:
        t = max((j * (most + f) + n - 1) / (floor(j * f) + 1 - j * f) for j in range(1, m))
        found = max(found, ceil((most + f) * ceil(t)))
    return found
