"""What a chain of views does: by walking its box in plain integers, and as SMT-LIB text at an index left open."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from operator import mul
from types import MappingProxyType
from typing import NamedTuple

from symview.verify.document import BadCertificate, Tree, View
from symview.verify.formulas import NotLinear, Script, Values, linear, names, value

Row = tuple[int, ...]  # coefficients of the free names, then the constant


class Outside(Exception):
    """An address outside the shape of the view below."""


class Span:
    """Equations Σ c·name + c₀ = 0 and all that follows from them over the rationals."""

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self.rows: dict[int, list[Fraction]] = {}  # by leading column
        for row in rows:
            self.add(row)

    def rest(self, row: Sequence[int | Fraction]) -> list[Fraction]:
        """The row less what the equations say: zeros where it follows from them."""
        left = [Fraction(x) for x in row]
        for at, mine in sorted(self.rows.items()):
            if left[at]:
                left = [x - left[at] * y for x, y in zip(left, mine, strict=True)]
        return left

    def has(self, row: Sequence[int | Fraction]) -> bool:
        """Whether the equation follows; from an impossible one everything does."""
        return not any(self.rest(row)) or self.impossible()

    def add(self, row: Sequence[int | Fraction]) -> None:
        """One more equation."""
        left = self.rest(row)
        at = next((n for n, x in enumerate(left) if x), None)
        if at is None:
            return
        new = [x / left[at] for x in left]
        for n, mine in self.rows.items():
            self.rows[n] = [x - mine[at] * y for x, y in zip(mine, new, strict=True)]
        self.rows[at] = new

    def impossible(self) -> bool:
        """Whether the equations say 0 = 1."""
        return any(not any(r[:-1]) for r in self.rows.values())

    def integer_rows(self) -> list[Row]:
        """The equations in reduced echelon form, in integers."""
        return [tuple(int(x * prod(y.denominator for y in r)) for x in r) for _, r in sorted(self.rows.items())]


def free_names(views: Sequence[View], parameters: Sequence[Tree]) -> tuple[str, ...]:
    """The names of which every address is a linear form: they occur in the first view's strides and offset alone."""
    entries = [*views[0].strides, views[0].offset]
    fixed = names(*parameters, *views[0].shape, *(x for b in views[0].mask or () for x in b))
    for v in views[1:]:
        fixed |= names(*v.shape, *v.strides, v.offset, *(x for b in v.mask or () for x in b))
    free = [n for n in names(*entries) if n not in fixed]
    for entry in entries:
        try:
            linear(entry, free)
        except NotLinear:
            free = [n for n in free if n not in names(entry)]
    return tuple(free)


def row_of(tree: Tree, free: Sequence[str], at: Values) -> Row:
    """The linear form at these values of the other names."""
    form = linear(tree, free)
    return tuple(value(form[n], at) if n in form else 0 for n in (*free, ""))


def numeric(view: View, at: Values) -> View:
    """The view at these values."""
    steps = [value(x, at) for x in (*view.shape, *view.strides, view.offset)]
    if any(n < 0 for n in steps[: len(view.shape)]):
        raise BadCertificate(f"a size of {min(steps[: len(view.shape)])}")
    mask = None if view.mask is None else tuple((value(a, at), value(b, at)) for a, b in view.mask)
    k = len(view.shape)
    return View(tuple(steps[:k]), tuple(steps[k:-1]), steps[-1], mask, view.void)


def of_numbers(view: View) -> View:
    """The view, its entries computed; raises BadCertificate where it has names."""
    if names(*view.shape, *view.strides, view.offset, *(x for b in view.mask or () for x in b)):
        raise BadCertificate("these views have to be of numbers")
    return numeric(view, {})


def visible(view: View, index: Sequence[int]) -> bool:
    """Whether the mask lets the index pass."""
    return not view.void and all(a <= i < b for i, (a, b) in zip(index, view.mask or (), strict=view.mask is not None))


def digits(x: int, shape: Sequence[int]) -> list[int]:
    """The index of the x-th element of a shape, in row-major order."""
    if not 0 <= x < prod(shape):
        raise Outside(x)
    found = []
    for n in reversed(shape):
        x, digit = divmod(x, n)
        found.append(digit)
    return found[::-1]


def reached(views: Sequence[View], index: Sequence[int]) -> Sequence[int] | None:
    """The index of the first view that an index of the last one leads to; None where a mask hides it."""
    for view, below in zip(views[:0:-1], views[-2::-1], strict=True):
        if not visible(view, index):
            return None
        index = digits(view.offset + sum(map(mul, index, view.strides)), below.shape)
    return index if visible(views[0], index) else None


class Truth(NamedTuple):
    """What walking a box shows: `never` (with the reason), `out_of_bounds`, or one view on lows..highs under `span`."""

    status: str
    span: Span
    lows: tuple[int, ...] = ()
    highs: tuple[int, ...] = ()
    base: Row = ()
    steps: tuple[Row | None, ...] = ()
    rows: Mapping[tuple[int, ...], Row] = MappingProxyType({})  # by index, where the address bends


def walked(views: Sequence[View], free: Sequence[str], at: Values) -> Truth:
    """The exact condition on the free names at these values of the others."""
    first = views[0]
    forms = [row_of(t, free, at) for t in (*first.strides, first.offset)]
    width = len(free) + 1
    plain = first._replace(strides=(0,) * len(first.shape), offset=0)
    numbers = [numeric(v, at) for v in (plain, *views[1:])]
    columns = [[f[n] for f in forms] for n in range(width)]
    found: dict[tuple[int, ...], Row] = {}
    for index in product(*map(range, numbers[-1].shape)):
        try:
            there = reached(numbers, index)
        except Outside:
            return Truth("out_of_bounds", Span(), index)
        if there is not None:
            found[index] = tuple([sum(map(mul, (*there, 1), c)) for c in columns])
    rank = len(numbers[-1].shape)
    if not found:
        return Truth("void", Span(), (0,) * rank, (0,) * rank)
    lows, highs = (tuple([pick(i[a] for i in found) for a in range(rank)]) for pick in (min, max))
    if prod(b + 1 - a for a, b in zip(lows, highs, strict=True)) != len(found):
        return Truth("no box", Span([(0,) * (width - 1) + (1,)]), lows, highs)
    base, span, bends, seen = found[lows], Span(), {}, set[Row]()
    steps = [
        None if lows[a] == highs[a] else _minus(found[(*lows[:a], lows[a] + 1, *lows[a + 1 :])], base)
        for a in range(rank)
    ]
    for index, form in found.items():
        row = list(_minus(form, base))
        for i, low, step in zip(index, lows, steps, strict=True):
            if i > low and step is not None:
                row = [x - (i - low) * y for x, y in zip(row, step, strict=True)]
        if any(row):
            bends[index] = tuple(row)
            if bends[index] not in seen:
                seen.add(bends[index])
                span.add(row)
    return Truth("affine", span, lows, tuple(h + 1 for h in highs), base, tuple(steps), bends)


def _minus(a: Row, b: Row) -> Row:
    return tuple([x - y for x, y in zip(a, b, strict=True)])


# As text


Term = int | str


def add(*parts: Term) -> Term:
    """The sum; numbers are computed."""
    number = sum(p for p in parts if isinstance(p, int))
    texts = [p for p in parts if isinstance(p, str)]
    if not texts:
        return number
    shown = [*texts, *([said(number)] if number else [])]
    return shown[0] if len(shown) == 1 else f"(+ {' '.join(shown)})"


def times(a: Term, b: Term) -> Term:
    """The product; numbers are computed."""
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    if 0 in (a, b):
        return 0
    return b if a == 1 else a if b == 1 else f"(* {said(a)} {said(b)})"


def said(a: Term) -> str:
    """As SMT-LIB."""
    return a if isinstance(a, str) else str(a) if a >= 0 else f"(- {-a})"


def term(script: Script, tree: Tree) -> Term:
    """An expression; a number as itself."""
    return value(tree, {}) if not names(tree) else script.text(tree)


class Reached(NamedTuple):
    """`digits` of the first view at an index, whether it is `valid`, and whether an address before is `outside`."""

    digits: list[Term]
    valid: str
    outside: str


def composed(script: Script, views: Sequence[View], index: Sequence[Term]) -> Reached:
    """The chain at an index; quotients are names with their division facts."""
    here, valid, outside = list(index), ["true"], ["false"]
    for n in range(len(views) - 1, -1, -1):
        v = views[n]
        valid += seen(script, v, here)
        if n == 0:
            break
        below = [term(script, s) for s in views[n - 1].shape]
        x = add(term(script, v.offset), *[times(i, term(script, t)) for i, t in zip(here, v.strides, strict=True)])
        place: Term = 1
        floors = [x]
        for size in below[:0:-1]:
            place = times(place, size)
            both = isinstance(x, int) and isinstance(place, int) and place > 0
            floors.append(x // place if both else script.quotient(said(x), said(place)))  # type: ignore[operator]
        size = said(times(place, below[0]) if below else 1)
        outside.append(f"(and {' '.join(valid)} (or (< {said(x)} 0) (>= {said(x)} {size})))")
        floors.append(0)
        here = [add(floors[m], times(-1, times(below[-1 - m], floors[m + 1]))) if m + 1 < len(below) else floors[m]
                for m in range(len(below) - 1, -1, -1)]  # fmt: skip
    return Reached(here, f"(and {' '.join(valid)})", f"(or {' '.join(outside)})")


def seen(script: Script, view: View, index: Sequence[Term]) -> list[str]:
    """That the mask lets the index pass."""
    bounds = [(term(script, a), term(script, b)) for a, b in view.mask or ()]
    within = [f"(and (<= {said(a)} {said(i)}) (< {said(i)} {said(b)}))"
              for i, (a, b) in zip(index, bounds, strict=bool(bounds))]  # fmt: skip
    return ["false", *within] if view.void else within


def address(script: Script, view: View, index: Sequence[Term], free: Sequence[str]) -> dict[str, Term]:
    """Offset + Σ i·t by free name: the coefficients."""
    parts: dict[str, list[Term]] = {n: [] for n in (*free, "")}
    for i, tree in zip((*index, 1), (*view.strides, view.offset), strict=True):
        for n, c in linear(tree, free).items():
            parts[n].append(times(i, term(script, c)))
    return {n: add(*p) for n, p in parts.items()}
