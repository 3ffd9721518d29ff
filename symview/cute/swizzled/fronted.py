"""Swizzles in front of a layout with symbols in its strides, taken apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves, like, whole_number
from symview.cute.layout import Layout
from symview.cute.linear.reading import map_behind, map_of, taken_apart
from symview.cute.modes import coalesce_layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.engine.map import Map
from symview.errors import InputError, SymbolError


class Linear(NamedTuple):
    """A stride as a number plus multiples of the symbols."""

    constant: int
    factors: tuple[int, ...]

    def at(self, values: Sequence[int]) -> int:
        """Its value."""
        return self.constant + sum(c * v for c, v in zip(self.factors, values, strict=True))


class Fronted(NamedTuple):
    """Swizzles with offsets of numbers in front of a layout whose strides are linear in symbols."""

    fronts: tuple[tuple[Swizzle, int], ...]
    layout: Layout
    names: tuple[str, ...]
    strides: tuple[Linear, ...]

    def period(self) -> int:
        """The length of an interval that all swizzles permute."""
        return max([front.size() for front, _ in self.fronts], default=1)

    def behind(self, values: Sequence[int]) -> Layout:
        """The layout behind at these values."""
        return Layout(self.layout.shape, like(self.layout.shape, iter([d.at(values) for d in self.strides])))

    def given(self, values: Mapping[Any, int]) -> list[int]:
        """The values of the names in order, given by symbol or name."""
        found = {str(name): whole_number(v, str(name)) for name, v in values.items()}
        missing = [n for n in self.names if n not in found]
        if missing:
            raise InputError(f"no value for {', '.join(missing)}: give all of {', '.join(self.names)}")
        return [found[n] for n in self.names]

    def at(self, values: Mapping[Any, int]) -> Any:
        """The swizzled layout at values by symbol or name; LayoutError where it goes below 0."""
        found: Any = self.behind(self.given(values))
        for front, offset in reversed(self.fronts):
            found = ComposedLayout(front, offset, found)
        map_of(found, "a swizzle")
        return found

    def map(self, values: Sequence[int]) -> Map:
        """The map at these values of the names in order, those below 0 behind a swizzle among them."""
        return map_behind(self.fronts, self.behind(values))

    def coalesced(self) -> Fronted:
        """The same with the modes of the layout behind joined that continue each other for all values."""
        layout = coalesce_layout(self.layout)
        return self._replace(
            layout=layout, strides=tuple([linear_in(d, self.names, str(self)) for d in leaves(layout.stride)])
        )

    def __str__(self) -> str:
        return "".join(f"{front} o {offset} o " for front, offset in self.fronts) + str(self.layout)


def fronted(composed: Any, what: str) -> Fronted:
    """A swizzled layout taken apart; LayoutError or SymbolError where it is of another kind."""
    fronts, x = taken_apart(composed)
    if not all(isinstance(front, Swizzle) and type(offset) is int and offset >= 0 for front, offset in fronts):
        raise LayoutError(f"{what}: {composed} has something else than swizzles and offsets from 0 on in front")
    if not isinstance(x, Layout):
        raise LayoutError(f"{what}: {composed!r} is no layout behind a swizzle")
    if any(type(n) is not int for n in leaves(x.shape)):
        raise SymbolError(f"{what}: {composed} has symbols in its shape: give numbers for these")
    names = tuple(x.symbols())
    return Fronted(fronts, x, names, tuple([linear_in(d, names, what) for d in leaves(x.stride)]))


def linear_in(stride: Any, names: Sequence[str], what: str) -> Linear:
    """The stride as a number plus multiples of the symbols; SymbolError where it is none.

    >>> linear_in(Layout.parse("2:3*a - b + 1").stride, ("a", "b"), "")
    Linear(constant=1, factors=(3, -1))
    """
    if type(stride) is int:
        return Linear(stride, (0,) * len(names))
    if stride.is_Symbol:
        return Linear(0, tuple([int(n == stride.name) for n in names]))
    import sympy

    symbols = {s.name: s for s in stride.free_symbols}
    form = sympy.Poly(stride, *symbols.values()) if stride.is_polynomial(*symbols.values()) else None
    if form is None or form.total_degree() > 1 or any(not c.is_Integer for c in form.coeffs()):
        raise SymbolError(f"{what}: the stride {stride} is not linear in its symbols")
    factors = [int(form.coeff_monomial(symbols[n])) if n in symbols else 0 for n in names]
    return Linear(int(form.coeff_monomial(1)), tuple(factors))


def in_runs(numbers: Sequence[int]) -> str:
    """Rising numbers, those in a row by the first and the last.

    >>> in_runs([1, 2, 3, 7, 9, 10])
    '1…3, 7, 9…10'
    """
    runs = [[n for _, n in run] for _, run in groupby(enumerate(numbers), lambda at: at[1] - at[0])]
    return ", ".join(str(r[0]) if len(r) == 1 else f"{r[0]}…{r[-1]}" for r in runs)
