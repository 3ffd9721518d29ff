"""Concatenates swizzled layouts as modes of one layout, whose value is the sum of the modes' values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.first_failures import failure_of
from symview.cute.int_tuple import leaves, profile_text
from symview.cute.layout import Layout, make_layout
from symview.cute.linear.reading import map_of, swizzling, taken_apart
from symview.cute.linear.straight import Straight, straight
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.simplified import is_numeric, simplified
from symview.displayed import number_text
from symview.engine.first_difference import TABLE
from symview.engine.map import Map, shift
from symview.engine.ring import LARGEST, Steps
from symview.errors import SymbolError, Undecided
from symview.logic.polynomial import expanded
from symview.logic.sympy_bridge import to_term

_PAIRS = 1 << 18


def side_by_side(parts: Sequence[Any], what: str = "make_layout") -> Any:
    """The layout (x_0, x_1, …) ↦ Σ parts[n](x_n): plain, or with an offset and one of the parts' swizzles.

    Exact for numbers. A swizzle S is its own inverse, so the unswizzled modes are o + A_n = S ∘ (p_n + the others at
    0); they are right if S(o + Σ A_n) equals the sum. Raises NoAnswer, with a coordinate, if no swizzle of the parts
    works. Modes with symbols are possible if their strides are multiples of the swizzles' period; otherwise raises
    SymbolError. Raises LayoutError if a layout takes the swizzle's place, Undecided if too many sums would have to be
    compared.

    >>> tile = ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1)))
    >>> print(side_by_side([tile, Layout(3, 64)]))
    Sw<2,0,3> o 0 o ((8,8),3):((8,1),64)
    >>> print(side_by_side([tile, Layout.parse("k:64*ld")]))
    Sw<2,0,3> o 0 o ((8,8),k):((8,1),64*ld)
    """
    given = [simplified(part) for part in parts]
    if all(isinstance(part, Layout) for part in given):
        return make_layout(given)
    fronts = dict.fromkeys([front for part in parts for front in _swizzles(part, what)])
    if not all(is_numeric(part) for part in given):
        return _added_symbols(given, fronts, what)
    maps = [map_of(part, what) for part in given]
    for swizzle in dict.fromkeys([Swizzle(0, 0, 0), *reversed(fronts)]):
        found = _with_swizzle(swizzle, given, maps)
        if isinstance(found, ComposedLayout):
            map_of(found, what)
            return found
        miss = found
    shown = ", ".join(map(str, parts))
    raise NoAnswer(
        f"{what} of {shown}: their sum is not a layout swizzled by {' or '.join(map(str, fronts))}: at coordinate"
        f" {profile_text(miss.coordinate)} it is {number_text(miss.got)}, and the other values require"
        f" {number_text(miss.expected)} under {swizzle}"
    )


def _swizzles(x: Any, what: str) -> list[Swizzle]:
    """The swizzles of a mode; raises LayoutError if it is of another kind."""
    fronts, inner = taken_apart(x)
    if not all(isinstance(front, Swizzle) for front, _ in fronts):
        raise LayoutError(f"{what}: layoutB is a layout in the mode {x}; compose it first")
    if not isinstance(inner, Layout):
        raise LayoutError(f"{what}: {x} next to a swizzled layout: give layouts whose values are numbers")
    return [front for front, _ in fronts]


class _Miss(NamedTuple):
    """A coordinate, one index per mode, where the sum is `got` and the swizzled layout would have `expected`."""

    coordinate: tuple[int, ...]
    expected: int
    got: int


def _with_swizzle(swizzle: Swizzle, parts: Sequence[Any], maps: Sequence[Map]) -> ComposedLayout | _Miss:
    """The sum as a layout with this swizzle, or a coordinate where it differs."""
    start = sum(f(0) for f in maps)
    offset, layouts = swizzle(start), []
    for n, (part, f) in enumerate(zip(parts, maps, strict=True)):
        alone = straight(f.then(shift(start - f(0)), swizzling(swizzle)), part)
        if not isinstance(alone, Straight):
            at = [0] * len(maps)
            at[n], expected, got = failure_of(alone)
            return _Miss(tuple(at), _swizzled(swizzle, expected), swizzle(got))
        layouts.append(alone.layout)
    off = _first_off(swizzle, offset, layouts)
    if off is None:
        return ComposedLayout(swizzle, offset, make_layout(layouts))
    base = offset + sum(layout(i) for layout, i in zip(layouts, off, strict=True))
    return _Miss(off, _swizzled(swizzle, base), sum(f(i) for f, i in zip(maps, off, strict=True)))


def _swizzled(swizzle: Swizzle, x: int) -> int:
    """The swizzled number; negative numbers, for which swizzles are undefined, stay."""
    return swizzle(x) if x >= 0 else x


def _first_off(swizzle: Swizzle, offset: int, layouts: Sequence[Layout]) -> tuple[int, ...] | None:
    """One index per layout where S(o + Σ a_n) − S(o) differs from Σ (S(o + a_n) − S(o)), for values a_n of the layouts.

    S(y + Qt) = S(y) + Qt, so residues modulo Q decide.
    """
    period = swizzle.size()
    reached: dict[int, tuple[int, ...]] = {0: ()}  # each sum, and the residues of the layouts that add up to it
    for layout in layouts:
        values = _residues(layout, period)
        if len(reached) * len(values) > _PAIRS:
            raise Undecided(f"whether {swizzle} of a sum is the sum of {len(reached)} by {len(values)} values")
        further: dict[int, tuple[int, ...]] = {}
        for (a, before), b in product(reached.items(), values):
            if swizzle(offset + a + b) + swizzle(offset) != swizzle(offset + a) + swizzle(offset + b):
                found = [*before, b, *[0] * len(layouts)]
                return tuple([_index_of(layout, r, period) for layout, r in zip(layouts, found, strict=False)])
            further.setdefault((a + b) % period, (*before, b))
        reached = further
    return None


def _added_symbols(parts: Sequence[Any], fronts: Iterable[Swizzle], what: str) -> Any:
    """Does the same with symbols: S(y + Qt) = S(y) + Qt, so modes whose strides are multiples of Q only add."""
    period = max(front.size() for front in fronts)
    apart = [isinstance(part, Layout) and all(_is_multiple(d, period) for d in leaves(part.stride)) for part in parts]
    rest = [part for part, steps in zip(parts, apart, strict=True) if not steps]
    odd = next((part for part in rest if not is_numeric(part)), None)
    if len(rest) > 1 and odd is not None:
        raise SymbolError(
            f"{what} of {', '.join(map(str, parts))}: the swizzled sum depends on the symbols of {odd};"
            f" give strides that are multiples of {period}, such as {period}*d, or substitute numbers"
        )
    whole = rest[0] if len(rest) == 1 else side_by_side(rest, what)

    def joined(x: Any) -> Any:
        if isinstance(x, ComposedLayout):
            return ComposedLayout(x.layoutB, x.offset, joined(x.layoutA))
        inner = iter([x] if len(rest) == 1 else x.modes())
        return make_layout([part if steps else next(inner) for part, steps in zip(parts, apart, strict=True)])

    return joined(whole)


def _is_multiple(stride: Any, period: int) -> bool:
    """Whether the period divides all coefficients of a stride."""
    return all(c % period == 0 for c in expanded(to_term(stride)).values())


def _residues(layout: Layout, period: int) -> list[int]:
    """The values of the layout modulo the period."""
    if all(d % period == 0 for d in leaves(layout.stride)):
        return [0]
    if period <= LARGEST:
        return Steps(layout.flat(), period).reached()
    if layout.size() > TABLE:
        raise Undecided(f"the values of {layout} modulo {period}")
    return sorted({layout(x) % period for x in range(layout.size())})


def _index_of(layout: Layout, residue: int, period: int) -> int:
    """The least index at which the layout has this residue, which it has to have."""
    if residue and period <= LARGEST:
        return Steps(layout.flat(), period).first_with(lambda r: r == residue) or 0
    return next(x for x in range(layout.size()) if layout(x) % period == residue)
