"""Layouts of an open size n that have no left inverse K for all n from some on, by what K(v + g) - K(v) has to be.

For a mode of size n and stride c, the others having numbers and multiples of n as strides: well between n·l and
n·(l + 1), the indices at which v stands are v·w/c plus multiples of n and numbers that depend on l and v mod c alone,
with w the product of the sizes before that mode. So K(v + g) - K(v) is one of few numbers wherever v and v + g are
values. For g = 1 or 2, with P the first place of K that does not divide g, it is the same for all v with
v mod P + g < P. If P is no divisor of c, every class mod c has such v among any g + 1 that follow each other; and if it
is one, all v of a class are alike. So where for no P one number will do, there is no K.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, product
from math import floor, prod
from operator import lt, mul
from typing import NamedTuple

from symview.cute.int_tuple import is_int
from symview.cute.layout import Layout
from symview.cute.symbols.forms import form_of
from symview.engine.primes import divisors, prime_factors
from symview.logic.polynomial import ONE

_MOST = 1 << 9  # coordinates that are listed, and multiples of n

Affine = tuple[Fraction, Fraction]  # n times the first, and the second


class Mode(NamedTuple):
    """Another mode, its stride n·multiple + number; `step`: the product of the sizes before it, as an affine form."""

    size: int
    multiple: int
    number: int
    step: Affine


class Sized(NamedTuple):
    """A layout of one mode of size n, of a stride that is a number, the other strides being numbers and multiples of n.

    `step`: the product of the sizes before the mode; `last`: whether it is the last one.
    """

    stride: int
    step: int
    last: bool
    others: tuple[Mode, ...]


def sized(layout: Layout) -> Sized | None:
    """The layout in that form; None where it has none."""
    (name,), modes = [*layout.symbols()], layout.flat()
    at = next((k for k, (n, d) in enumerate(modes) if form_of(n) == {(name,): 1} and is_int(d)), None)
    if at is None or modes[at][1] < 1:
        return None
    others = []
    for k, (n, d) in enumerate(modes):
        if k == at:
            continue
        form = form_of(d)
        if not is_int(n) or not {*form} <= {(name,), ONE} or min(form.values(), default=0) < 0:
            return None
        before = Fraction(prod([m for m, _ in modes[:k] if is_int(m)]))
        step = (before, Fraction(0)) if k > at else (Fraction(0), before)
        others.append(Mode(n, form.get((name,), 0), form.get(ONE, 0), step))
    return Sized(modes[at][1], prod([n for n, _ in modes[:at]]), at == len(modes) - 1, tuple(others))


@lru_cache(maxsize=512)
def none_from(layout: Sized, rest: int) -> int | None:
    """The least n found from which on none of that remainder mod the stride has a left inverse; None where none is.

    >>> from symview.cute import Layout
    >>> [none_from(sized(Layout.parse("(n,8):(3,n)")), rest) for rest in range(3)]
    [None, 9, 9]
    """
    return next((start for gap in (1, 2) if (start := _none_from(layout, rest, gap)) is not None), None)


def _none_from(layout: Sized, rest: int, gap: int) -> int | None:
    c = layout.stride
    found = [*_increments(layout, rest, gap)]
    for place in (None, *divisors(prime_factors(c))):
        same = [steps for r, steps in found if place is None or r % place + gap < place]
        if (place is None or gap % place) and (not same or frozenset.intersection(*same)):
            return None
    forms = {form for _, steps in found for form in steps}
    meet = (-(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(forms, 2) if a[0] != b[0])
    numbers = sum([(size - 1) * m.number for size, m in zip(_sizes(layout), layout.others, strict=True)])
    return max([(gap + 2) * c + gap - 1 + numbers, *[floor(n) + 1 for n in meet]])


def _increments(layout: Sized, rest: int, gap: int) -> Iterator[tuple[int, frozenset[Affine]]]:
    """For all l, and v with v and v + gap values there: v mod c, and what K(v + gap) - K(v) may be, but gap·w/c."""
    c, sizes, top = layout.stride, _sizes(layout), _top(layout)
    if not layout.last and (not sizes or layout.others[-1].multiple == 0):
        return
    if prod(sizes) > _MOST or top > _MOST:
        return
    multiples, numbers = [m.multiple for m in layout.others], [m.number for m in layout.others]
    at = [(k, sum(map(mul, k, multiples)), sum(map(mul, k, numbers))) for k in product(*map(range, sizes))]
    for low in range(top):
        here = [(k, s, t) for k, s, t in at if s <= low and (layout.last or s > low - c)]
        inside = [(s, t) for k, s, t in here if s > low - c and all(map(lt, k, [m.size for m in layout.others]))]
        values = {(s * rest + t) % c for s, t in inside}
        for r in values:
            after = (r + gap) % c
            if after in values:
                ends = [{_index(layout, k, s, t) for k, s, t in here if (s * rest + t) % c == x} for x in (r, after)]
                yield r, frozenset((b[0] - a[0], b[1] - a[1]) for a, b in product(*ends))


def _top(layout: Sized) -> int:
    return sum([(m.size - 1) * m.multiple for m in layout.others]) + layout.stride


def _sizes(layout: Sized) -> list[int]:
    """The sizes of the other modes, the last one extended as far as values are."""
    sizes = [m.size for m in layout.others]
    if sizes and not layout.last and (step := layout.others[-1].multiple):
        sizes[-1] = max(sizes[-1], _top(layout) // step + 1)
    return sizes


def _index(layout: Sized, coordinates: tuple[int, ...], s: int, t: int) -> Affine:
    """The index at these coordinates of the others that have the value n·s + t, less v·w/c."""
    steps = [m.step for m in layout.others]
    n, number = (sum([x * w[k] for x, w in zip(coordinates, steps, strict=True)], Fraction(0)) for k in (0, 1))
    return n - Fraction(layout.step * s, layout.stride), number - Fraction(layout.step * t, layout.stride)
