"""Compositions of a layout with symbolic strides and a swizzled layout: one answer for all values, if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from typing import Any, NamedTuple

from symview.cute.first_failures import failure_of
from symview.cute.int_tuple import leaves, like
from symview.cute.layout import Layout
from symview.cute.linear.reading import map_of, swizzling
from symview.cute.linear.straight import Straight, straight
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.simplified import as_one_swizzle
from symview.displayed import number_text
from symview.engine.map import Map, Strided
from symview.errors import SymbolError, Undecided
from symview.logic.budget import Budget
from symview.logic.integer import of_term
from symview.logic.notation import term_text
from symview.logic.polynomial import ONE, Poly, as_term, expanded
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term

_TRIED, _WALKED = 64, 1 << 10


class _Code(NamedTuple):
    """Encodes polynomials as integers: monomial k becomes base**k, where the base exceeds all sums of coefficients."""

    base: int
    monomials: Sequence[tuple[str, ...]]

    def number(self, form: Poly) -> int:
        """Encodes a polynomial."""
        return sum(form.get(m, 0) * self.base**k for k, m in enumerate(self.monomials))

    def term(self, code: int) -> Term:
        """Decodes an integer: its signed digits, each below half of the base, are the coefficients."""
        found: Poly = {}
        for m in self.monomials:
            digit = (code + self.base // 2) % self.base - self.base // 2
            found |= {m: digit} if digit else {}
            code = (code - digit) // self.base
        return as_term(found)


class _Composition(NamedTuple):
    """The composition outer ∘ inner: inner as a map, the modes of outer that it reaches, and their coded strides."""

    outer: Layout
    inner: ComposedLayout
    inside: Map
    sizes: tuple[int, ...]
    strides: tuple[Poly, ...]
    code: _Code

    @classmethod
    def of(cls, outer: Layout, inner: ComposedLayout) -> _Composition:
        """Builds the composition, with a base large enough to encode all values and their linear extrapolations."""
        inside = map_of(inner, "composition")
        top = inside.bounds()[-1][1]
        modes = _needed(outer, inner, top)
        forms = tuple([expanded(to_term(d)) for _, d in modes])
        most = sum(abs(c) for form in forms for c in form.values()) + 1
        base = 8 << (most * (top + 2) * (inside.size + 2)).bit_length()
        code = _Code(base, list(dict.fromkeys([ONE, *(m for f in forms for m in f)])))
        return cls(outer, inner, inside, tuple([n for n, _ in modes]), forms, code)

    def constant(self) -> Map:
        """The composition with 0 for every symbol."""
        return self._map([f.get(ONE, 0) for f in self.strides])

    def coded(self) -> Map:
        """The composition with encoded strides; a swizzle after it changes bits of the constants only."""
        return self._map([self.code.number(f) for f in self.strides])

    def _map(self, strides: Sequence[int]) -> Map:
        return self.inside.then(Strided.of(zip(self.sizes, strides, strict=True)))

    def decoded(self, found: Straight, swizzle: Swizzle) -> Any:
        """Decodes the strides of a layout, and puts the swizzle after it unless that is the identity."""
        layout, symbols = found.layout, self.outer.symbols()
        base, *strides = [of_term(self.code.term(x), symbols) for x in (found.base, *leaves(layout.stride))]
        inner = Layout(layout.shape, like(layout.shape, iter(strides)))
        return inner if not swizzle.bits and found.base == 0 else ComposedLayout(swizzle, base, inner)

    def depends(self, why: str) -> SymbolError:
        """The error for a composition that has no common form for all values."""
        name = f"{self.outer} ∘ {self.inner}"
        return SymbolError(f"what {name} is depends on the symbols: {why}; substitute numbers")


def composed_for_all(outer: Layout, inner: ComposedLayout, budget: Budget) -> Any:
    """The composition with a swizzled layout of numbers, valid for all values of the symbols.

    Strides are encoded, so that monomials do not mix. The answer is a plain layout if the encoded values are linear. It
    is a layout followed by a swizzle S if the constant parts are, and if the symbols add only multiples of the interval
    that S permutes. Raises SymbolError with an index that refutes a common answer, Undecided if no such index is found.

    >>> tile = ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 8), (8, 1)))
    >>> print(composed_for_all(Layout.parse("(64,k):(1,ld)"), tile, Budget()))
    Sw<2,0,3> o 0 o (8,8):(8,1)
    """
    query = _Composition.of(outer, inner)
    found = straight(query.coded(), inner, budget)
    if isinstance(found, Straight):
        return query.decoded(found, Swizzle(0, 0, 0))
    other = as_one_swizzle(query.constant(), inner, budget)
    if other is not None and all(c >= 0 for form in query.strides for c in form.values()):
        swizzle = other.layoutB
        alone = straight(query.coded().then(swizzling(swizzle)), inner, budget)
        if isinstance(alone, Straight):
            return _right_for_all(query.decoded(alone, swizzle), query)
    index, *values = failure_of(found)
    expected, got = [term_text(query.code.term(x)) for x in values]
    raise query.depends(f"at index {number_text(index)} the value is {got}, where a layout has {expected}")


def _needed(outer: Layout, inner: Any, top: int) -> list[tuple[int, Any]]:
    """The flat modes that the indices up to `top` reach; the last one continues beyond its size."""
    found: list[tuple[int, Any]] = []
    place, modes = 1, outer.flat()
    for k, (n, d) in enumerate(modes):
        if place > top:
            break
        if type(n) is not int and k < len(modes) - 1:
            raise SymbolError(f"composition of {outer} and {inner}: it passes the mode {n}:{d}, whose size is open")
        found.append((n if type(n) is int else 1, d))
        place *= found[-1][0]
    return found or [(1, 0)]


def _right_for_all(found: ComposedLayout, query: _Composition) -> ComposedLayout:
    """Returns a swizzled answer if it is right for all values, that is if the symbols add multiples of the swizzle's
    period.

    A swizzle's effect depends only on the residue. Otherwise small values are searched for an index that refutes the
    answer.
    """
    added = [expanded(to_term(d)) for d in (found.offset, *leaves(found.layoutA.stride))]
    if all(c % found.layoutB.size() == 0 for form in added for m, c in form.items() if m):
        return found
    names = list(query.outer.symbols())
    for values in islice(product(range(1, 4), repeat=len(names)), _TRIED):
        at = dict(zip(names, values, strict=True))
        right, here = ComposedLayout(query.outer.with_values(at), 0, query.inner), found.with_values(at)
        for x in range(min(query.inner.size(), _WALKED)):
            if right(x) != here(x):
                shown = ", ".join(f"{n} = {v}" for n, v in at.items())
                raise query.depends(f"at {shown}, index {x}, the value is {right(x)}, and {found} has {here(x)}")
    raise Undecided(f"whether {query.outer} ∘ {query.inner} is {found} for all values of the symbols")
