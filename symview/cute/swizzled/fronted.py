"""Splits a swizzled layout with symbolic strides into its swizzles and its unswizzled layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from symview.cases.table import Entry, Unknown
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.linear.reading import map_of_parts, taken_apart
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.engine.map import Map
from symview.engine.radix import divisors, prime_factors
from symview.errors import SymbolError
from symview.logic.polynomial import ONE, Poly, expanded
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import sym

Answer = TypeVar("Answer")


class Fronted(NamedTuple):
    """Swizzles with numeric offsets, applied to a layout whose strides are linear in the symbols."""

    fronts: tuple[tuple[Swizzle, int], ...]
    layout: Layout

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the symbols."""
        return tuple(self.layout.symbols())

    def forms(self) -> list[Poly]:
        """Each stride as a polynomial, linear in the symbols."""
        return [expanded(to_term(d)) for d in leaves(self.layout.stride)]

    def period(self) -> int:
        """The length of an interval that all swizzles permute."""
        return max([front.size() for front, _ in self.fronts], default=1)

    def inner(self, values: Sequence[int]) -> Layout:
        """The unswizzled layout, with these values for the names in order."""
        return self.layout.with_values(dict(zip(self.names, values, strict=True)))

    def at(self, values: Mapping[str, int]) -> Any:
        """The swizzled layout, with values by name."""
        found: Any = self.layout.with_values(values)
        for front, offset in reversed(self.fronts):
            found = ComposedLayout(front, offset, found)
        return found

    def map(self, values: Sequence[int]) -> Map:
        """The swizzled layout as a map, with these values for the names in order; negative values may reach the
        swizzle.
        """
        return map_of_parts(self.fronts, self.inner(values))

    def __str__(self) -> str:
        return "".join(f"{front} o {offset} o " for front, offset in self.fronts) + str(self.layout)


def fronted(composed: Any, what: str) -> Fronted:
    """Splits a swizzled layout; raises LayoutError or SymbolError for other kinds of layouts."""
    fronts, x = taken_apart(composed)
    if not all(isinstance(front, Swizzle) and type(offset) is int and offset >= 0 for front, offset in fronts):
        raise LayoutError(f"{what}: {composed} consists of more than swizzles, offsets from 0 on, and a layout")
    if not isinstance(x, Layout):
        raise LayoutError(f"{what}: {composed!r} is not a swizzled layout")
    if any(type(n) is not int for n in leaves(x.shape)):
        raise SymbolError(f"{what}: {composed} has symbols in its shape: give numbers for these")
    found = Fronted(fronts, x)
    for d, form in zip(leaves(x.stride), found.forms(), strict=True):
        if any(m != ONE and m not in [(n,) for n in found.names] for m in form):
            raise SymbolError(f"{what}: the stride {d} is not linear in its symbols")
    return found


def answers_by_residue(answers: Mapping[Entry, Answer], period: int) -> tuple[int, dict[Answer, list[Entry]]]:
    """The least divisor of the period whose residues determine the answer, and the residues of each answer.

    >>> answers_by_residue({(r,): r % 4 == 2 for r in range(8)}, 8)
    (4, {False: [(0,), (1,), (3,)], True: [(2,)]})
    """

    def decides(modulus: int) -> bool:
        return all(answers[r] == answers[tuple([x % modulus for x in r])] for r in answers)

    modulus = next(m for m in divisors(prime_factors(period)) if decides(m))
    found: dict[Answer, list[Entry]] = {}
    for residues, answer in answers.items():
        if max(residues, default=0) < modulus:
            found.setdefault(answer, []).append(residues)
    return modulus, found


def residues_of(names: Sequence[str], modulus: int) -> list[Unknown]:
    """The residues of the names, as unknowns of a table."""
    return [Unknown(sym(n), 0, modulus - 1, modulus if modulus > 1 else 0) for n in names]
