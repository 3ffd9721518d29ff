"""Compositions with symbols among A's strides alone: which refinements of B ask for what, exactly.

Let U be the equations on A's strides under which A and some refinement of B merge, on the part of B
up to a divisor of one of its sizes. What a longer refinement adds to U depends on the functions
alone, and these are the same whatever refinement led there. So of two that lead to the same divisor
only the wider one is needed, and a search over divisors finds the widest, where one over all ordered
factorisations would be far longer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from math import prod
from random import Random
from typing import Any, NamedTuple

from symview.cases.equations import Equations, combine
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves, like
from symview.cute.layout import Layout, made
from symview.cute.symbols.forms import ONE, Poly, form_of, term_of
from symview.cute.walk import walked
from symview.engine.index_map import IndexMap
from symview.engine.overflow_space import find_rows
from symview.engine.radix import prime_factors
from symview.engine.row_space import RowSpace
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.polynomial import substitute
from symview.logic.sympy_bridge import from_entry
from symview.logic.terms import IntTerm

_MOST = 3000  # systems that are looked at


class Answer(NamedTuple):
    """Equations on the strides, and the layout where they hold."""

    forms: tuple[Poly, ...]
    layout: Layout


class _System(NamedTuple):
    """What a refinement of the first modes of B demands, the last mode perhaps up to a divisor only."""

    groups: tuple[tuple[int, ...], ...]
    forms: tuple[Poly, ...]
    span: RowSpace


def widest_answers(outer: Layout, inner: Layout, budget: Budget) -> list[Answer]:
    """The widest sets of strides of A for which A ∘ B is a layout whose modes refine B's, none in another."""
    query = _Query(outer, inner, budget)
    free = query.unconditional()
    return [query.answer(s) for s in ([free] if free is not None else query.widest())]


class _Query:
    """One composition; sizes and B are numbers."""

    def __init__(self, outer: Layout, inner: Layout, budget: Budget) -> None:
        self.outer, self.inner, self.budget = outer, inner, budget
        self.strides = [form_of(d) for d in reversed(list(leaves(outer.stride)))]
        self.order = list(dict.fromkeys(m for f in self.strides for m in f if m))
        self.modes = inner.flat()
        if any(d < 0 and n > 1 for n, d in self.modes):
            raise LayoutError(f"{inner} has values below 0, where {outer} has none")
        self.bends = _bends(outer)
        self.places = tuple([p for p, _ in self.bends])
        self.looked_at = 0

    # The widest systems

    def widest(self) -> list[_System]:
        """The systems of all of B that no other one contains."""
        found = [_System((), (), self._span(()))]
        for size, step in self.modes:
            found = self._through(found, size, step)
        return found

    def _through(self, before: list[_System], size: int, step: int) -> list[_System]:
        """One more mode, divisor by divisor; modes of stride 0 and of size 1 stay whole."""
        primes = sorted(set(prime_factors(size))) if step else []
        if not primes:
            return [s._replace(groups=(*s.groups, (size,))) for s in before]
        up_to = {1: [s._replace(groups=(*s.groups, ())) for s in before]}
        while size not in up_to or len(up_to) > 1:
            divisor = min(up_to)
            systems = _kept(up_to.pop(divisor))
            for p in primes:
                if size // divisor % p == 0:
                    longer = [self._system((*s.groups[:-1], (*s.groups[-1], p))) for s in systems]
                    up_to.setdefault(divisor * p, []).extend([s for s in longer if s is not None])
        return _kept(up_to[size])

    def _system(self, groups: tuple[tuple[int, ...], ...]) -> _System | None:
        """What this refinement demands; None where no strides meet it."""
        self.looked_at += 1
        if self.looked_at > _MOST:
            raise Undecided(f"{self.inner} has more than {_MOST} refinements that may matter")
        sizes = tuple([n for group in groups for n in group])
        rows = find_rows(self.places, IndexMap(sizes, tuple(self._steps(groups)), 0), budget=self.budget)
        if not rows.settled:
            raise Undecided(rows.reason)
        equations = Equations([combine(r, [d for _, d in self.bends]) for r in rows.space.rows], self.strides)
        return None if equations.impossible else _System(groups, equations.forms, self._span(equations.forms))

    def _steps(self, groups: Sequence[Sequence[int]]) -> list[int]:
        steps = []
        for group, (_, step) in zip(groups, self.modes, strict=False):
            for n in group:
                steps.append(step)
                step *= n
        return steps

    def unconditional(self) -> _System | None:
        """The refinement that numbers without relations lead to, if it demands nothing; then no other is needed."""
        rng = Random(self.budget.seed)
        values = {name: rng.randrange(10**9, 10**10) for name in self.outer.symbols()}
        try:
            found = walked(self.outer.with_values(values), self.inner, self.budget)
        except NoComposition:
            return None
        parts, groups = iter(found.flat()), []
        for n, _ in self.modes:
            group = [next(parts)[0]]
            while prod(group) < n:
                group.append(next(parts)[0])
            groups.append(tuple(group))
        system = self._system(tuple(groups))
        return system if system is not None and not system.forms else None

    def _span(self, forms: Iterable[Poly]) -> RowSpace:
        return RowSpace(len(self.order) + 1, map(self._row, forms))

    def _row(self, form: Poly) -> list[int]:
        return [form.get(m, 0) for m in [*self.order, ONE]]

    # The layout of a system

    def answer(self, system: _System) -> Answer:
        """B's modes as the system refines them, neighbours merged that the equations make continue each other."""
        known: dict[str, Poly] = {}
        for form in reversed(system.forms):
            (lead, scale), *rest = form.items()
            if len(lead) == 1 and scale == 1:
                known[lead[0]] = _put({m: -c for m, c in rest}, known)
        steps, parts, at = self._steps(system.groups), [], 0
        for group, (size, _) in zip(system.groups, self.modes, strict=True):
            here = steps[at : at + len(group)]
            parts.append((1, 0) if size == 1 else self._mode(group, here, system.span, known))
            at += len(group)
        shape = like(self.inner.shape, iter([n for n, _ in parts]))
        stride = like(self.inner.shape, iter([d for _, d in parts]))
        return Answer(system.forms, made(shape, stride, all(type(d) is int for d in leaves(stride))))

    def _mode(
        self, group: Sequence[int], steps: Sequence[int], span: RowSpace, known: dict[str, Poly]
    ) -> tuple[Any, Any]:
        modes: list[tuple[int, Poly]] = []
        for n, step in zip(group, steps, strict=True):
            form = self._value(step)
            if modes and self._row(combine((modes[-1][0], -1), (modes[-1][1], form))) in span:
                modes[-1] = (modes[-1][0] * n, modes[-1][1])
            else:
                modes.append((n, form))
        sizes = tuple([n for n, _ in modes])
        symbols = self.outer.symbols()
        strides = tuple([from_entry(_number(_put(form, known)), symbols) for _, form in modes])
        return (sizes[0], strides[0]) if len(modes) == 1 else (sizes, strides)

    def _value(self, x: int) -> Poly:
        """A's value at x as a form in the strides."""
        flat = self.outer.flat()
        digits = []
        for n, (size, _) in enumerate(flat):
            digits.append(x if n == len(flat) - 1 else x % size)
            x //= size
        return combine(digits, [form_of(d) for _, d in flat])


def _bends(outer: Layout) -> list[tuple[int, Poly]]:
    """The boundaries of A whose contiguity defect is not 0 for all strides: place value and defect, largest first."""
    place, found = 1, list[tuple[int, Poly]]()
    flat = outer.flat()
    kept = [m for n, m in enumerate(flat) if m[0] != 1 or n == len(flat) - 1]
    for (size, stride), (_, following) in pairwise(kept):
        place *= size
        defect = combine((1, -size), (form_of(following), form_of(stride)))
        if defect:
            found.insert(0, (place, defect))
    return found


def _kept(systems: Sequence[_System]) -> list[_System]:
    """The systems that no other one contains, each once."""
    kept: list[_System] = []
    for system in systems:
        if not any(contains(system.span, k.span) for k in kept):
            kept = [k for k in kept if not contains(k.span, system.span)]
            kept.append(system)
    return kept


def contains(large: RowSpace, small: RowSpace) -> bool:
    """Whether the first system demands all that the second one does."""
    return all(row in large for row in small.rows)


def _put(form: Poly, known: Mapping[str, Poly]) -> Poly:
    """The form with these names replaced."""
    for name, by in known.items():
        form = substitute(form, name, by)
    return form


def _number(form: Poly) -> IntTerm:
    return form.get(ONE, 0) if set(form) <= {ONE} else term_of(form)
