"""Operations on layouts with symbols: the conditions under which there is an answer, and which.

Strides of A in a composition are handled exactly, one linear system for each refinement of B.
Symbols elsewhere run through the algorithms case by case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, permutations, product
from math import prod
from random import Random
from typing import Any, NamedTuple

from symview.answers import Status
from symview.cute.compose import try_composition
from symview.cute.conditions import LayoutCase, LayoutConditions
from symview.cute.errors import LayoutError
from symview.cute.fact import prime_factors
from symview.cute.int_tuple import leaves, like
from symview.cute.layout import Layout, made
from symview.cute.nolayout import NoLayout
from symview.engine import smt
from symview.engine.budget import DEFAULT, Budget
from symview.engine.index_map import IndexMap
from symview.engine.rowspace import find_rows
from symview.engine.span import RowSpace
from symview.engine.terms import Term, num
from symview.equations import ONE, Equations, Form, combine, equation, form_of, zero
from symview.errors import SymbolError, Undecided
from symview.symbols import domain, free_symbols, parse_statement, to_term

_MOST_REFINEMENTS = 5000


def composition_conditions(
    outer: Layout, inner: Layout, assume: Any = (), budget: Budget | None = None
) -> LayoutConditions:
    """When A ∘ B is a layout whose modes refine B's, for A with symbolic strides: all cases, the widest ones only.

    Exact for sizes and B of numbers: the answer is a layout exactly where the equations of some
    case hold. Each ordered factorisation of B's sizes into primes gives one linear system on A's
    contiguity defects (coarser ones demand more); systems that imply another are dropped. With
    symbols in sizes or in B, the cases are those in which B splits along A's modes, others are
    undecided.
    Raises Undecided where B has too many refinements, or the budget ends.

    >>> print(composition_conditions(Layout.parse("(4,6,8):(a,b,c)"), Layout(6, 3)))
    b = 4a: 6:3*a
    >>> print(composition_conditions(Layout.parse("(2,2,2):(a,b,c)"), Layout(4, 1)))
    always: (2,2):(a,b)
    """
    budget = budget or DEFAULT
    question = f"{outer} ∘ {inner}"
    assumed = _assumptions(assume)
    numeric_sizes = all(type(n) is int for n in leaves(outer.shape))
    if not (numeric_sizes and inner.numeric):
        from symview.cute.splitting import splitting_cases

        return LayoutConditions(question, (outer, inner), splitting_cases(outer, inner, assumed, budget), assumed)
    cases = _Strides(outer, inner, assumed, budget).cases()
    return LayoutConditions(question, (outer, inner), cases, assumed)


def composed_symbolically(outer: Layout, inner: Layout, budget: Budget) -> Layout | NoLayout:
    """The composition where symbols make no difference; SymbolError where they do."""
    found = composition_conditions(outer, inner, budget=budget)
    if len(found.cases) == 1 and found.cases[0].status is Status.ALWAYS and found.cases[0].layout is not None:
        return found.cases[0].layout
    raise SymbolError(
        f"whether {outer} ∘ {inner} is a layout depends on the symbols; ask composition_conditions: "
        + "; ".join(map(str, found.cases or ["never"]))
    )


def _assumptions(assume: Any) -> tuple[Term, ...]:
    given = [assume] if isinstance(assume, str) or not isinstance(assume, Iterable) else list(assume)
    return tuple([parse_statement(a) if isinstance(a, str) else to_term(a) for a in given])


def facts_about(layouts: Iterable[Layout], assumed: Iterable[Term]) -> tuple[Term, ...]:
    """What is known of the symbols: what they are declared as, that sizes are positive, what is assumed."""
    layouts = list(layouts)
    entries = [x for layout in layouts for mode in layout.flat() for x in mode]
    facts = [fact for s in free_symbols(entries).values() for fact in domain(s)]
    facts += [Term(">=", (to_term(n), num(1))) for lay in layouts for n in leaves(lay.shape) if type(n) is not int]
    return (*facts, *assumed)


class _System(NamedTuple):
    """What a refinement of B demands, and the refinement."""

    forms: tuple[Form, ...]
    span: RowSpace
    groups: list[tuple[int, ...]]
    steps: list[int]


class _Strides:
    """One query with symbols among A's strides only."""

    def __init__(self, outer: Layout, inner: Layout, assumed: Sequence[Term], budget: Budget) -> None:
        self.outer, self.inner, self.budget = outer, inner, budget
        self.facts = facts_about((outer,), assumed)
        self.strides = [form_of(d) for d in reversed(list(leaves(outer.stride)))]
        self.modes = inner.flat()
        if any(d < 0 and n > 1 for n, d in self.modes):
            raise LayoutError(f"{inner} has values below 0, where {outer} has none")
        place, self.bends = 1, list[tuple[int, Form]]()
        flat = outer.flat()
        kept = [m for n, m in enumerate(flat) if m[0] != 1 or n == len(flat) - 1]
        for (size, stride), (_, following) in pairwise(kept):
            place *= size
            defect = combine((1, -size), (form_of(following), form_of(stride)))
            if defect:
                self.bends.insert(0, (place, defect))

    def cases(self) -> tuple[LayoutCase, ...]:
        """One case a maximal system, in order of refinement."""
        free = self._unconditional()
        if free is not None:
            return (self._case(free),)
        systems = [s for s in self._systems() if not self._contradictory(s)]
        kept: list[_System] = []
        for system in systems:
            if any(_contains(system.span, k.span) for k in kept):
                continue  # it demands all that another one demands
            kept = [k for k in kept if not _contains(k.span, system.span)]
            kept.append(system)
        return tuple([self._case(s) for s in kept])

    def _systems(self) -> Iterator[_System]:
        for groups in self._refinements():
            system = self._system(groups)
            if system is not None:
                yield system

    def _system(self, groups: list[tuple[int, ...]]) -> _System | None:
        """What this refinement demands; None where no strides meet it."""
        sizes = tuple([n for group in groups for n in group])
        steps = _steps(groups, [d for _, d in self.modes])
        places, defects = tuple([p for p, _ in self.bends]), [d for _, d in self.bends]
        rows = find_rows(places, IndexMap(sizes, tuple(steps), 0), budget=self.budget)
        if not rows.settled:
            raise Undecided(rows.reason)
        equations = Equations([combine(r, defects) for r in rows.space.rows], self.strides)
        if equations.impossible:
            return None
        return _System(equations.forms, self._span(equations.forms), groups, steps)

    def _unconditional(self) -> _System | None:
        """The refinement that numbers without relations lead to, if it demands nothing; then no other is needed."""
        rng = Random(self.budget.seed)
        values = {name: rng.randrange(10**9, 10**10) for name in self.outer.symbols()}
        found = try_composition(self.outer.with_values(values), self.inner, self.budget)
        if not found:
            return None
        parts, groups = iter(found.flat()), []
        for n, _ in self.modes:
            group = [next(parts)[0]]
            while prod(group) < n:
                group.append(next(parts)[0])
            groups.append(tuple(group))
        system = self._system(groups)
        return system if system is not None and not system.forms else None

    def _refinements(self) -> Iterator[list[tuple[int, ...]]]:
        """Each mode of B in primes, in every order; modes of stride 0 and of size 1 stay whole."""
        choices = []
        for n, d in self.modes:
            primes = prime_factors(n) if d and n > 1 else [n]
            choices.append(sorted(set(permutations(primes))) if len(primes) < 9 else _orders(tuple(primes)))
        if prod(map(len, choices)) > _MOST_REFINEMENTS:
            raise Undecided(f"{self.inner} has more than {_MOST_REFINEMENTS} refinements into primes")
        for found in product(*choices):
            yield list(found)

    def _span(self, forms: Iterable[Form]) -> RowSpace:
        order = list(dict.fromkeys(m for f in self.strides for m in f if m is not ONE))
        return RowSpace(len(order) + 1, [[f.get(m, 0) for m in [*order, ONE]] for f in forms])

    def _contradictory(self, system: _System) -> bool:
        """Whether no integers satisfy the equations, as far as Z3 can tell."""
        if not self.facts and not any(ONE in f for f in system.forms):
            return False
        return isinstance(smt.check([*self.facts, *map(zero, system.forms)], self.budget), smt.Unsat)

    def _case(self, system: _System) -> LayoutCase:
        known: dict[Any, Any] = {}
        equations = tuple([equation(f) for f in system.forms])
        for e in reversed(equations):
            if e.lhs.is_Symbol:
                known[e.lhs] = e.rhs.subs(known)
        at, parts = 0, []
        for group, (size, step) in zip(system.groups, self.modes, strict=True):
            steps = system.steps[at : at + len(group)]
            at += len(group)
            parts.append(self._part(group, steps, size, step, system.span, known))
        shape = like(self.inner.shape, iter([n for n, _ in parts]))
        stride = like(self.inner.shape, iter([d for _, d in parts]))
        numeric = all(type(d) is int for d in leaves(stride))
        status = Status.WHEN if equations else Status.ALWAYS
        return LayoutCase(status, (), equations, made(shape, stride, numeric))

    def _part(
        self, group: Sequence[int], steps: Sequence[int], size: int, step: int, span: RowSpace, known: dict[Any, Any]
    ) -> tuple[Any, Any]:
        """One mode of B: its refinement, neighbours merged that the equations make continue each other."""
        if size == 1:
            sizes, last = self.outer.digits().unit
            for n in sizes:
                step = -(-step // n)
            return 1, _number(step * last)
        modes: list[tuple[int, Form]] = []
        for n, r in zip(group, steps, strict=True):
            form = self._value(r)
            if modes and not any(self._row(combine((modes[-1][0], -1), (modes[-1][1], form)), span)):
                modes[-1] = (modes[-1][0] * n, modes[-1][1])
            else:
                modes.append((n, form))
        sizes_out = tuple([n for n, _ in modes])
        strides = tuple([_expression(form, known) for _, form in modes])
        return (sizes_out[0], strides[0]) if len(modes) == 1 else (sizes_out, strides)

    def _row(self, form: Form, span: RowSpace) -> Sequence[int]:
        order = list(dict.fromkeys(m for f in self.strides for m in f if m is not ONE))
        return span.residue([form.get(m, 0) for m in [*order, ONE]])

    def _value(self, x: int) -> Form:
        """A's value at x as a form in the strides."""
        flat = self.outer.flat()
        digits = []
        for n, (size, _) in enumerate(flat):
            digits.append(x if n == len(flat) - 1 else x % size)
            x //= size
        return combine(digits, [form_of(d) for _, d in flat])


def _orders(primes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The distinct orders of a multiset, without listing equal ones; Undecided at too many."""
    found: list[tuple[int, ...]] = [()]
    for position in range(len(primes)):
        found = [(*done, p) for done in found for p in sorted(set(primes)) if done.count(p) < primes.count(p)]
        if len(found) > _MOST_REFINEMENTS:
            raise Undecided(f"a size with the primes {primes} has too many refinements at place {position}")
    return found


def _steps(groups: Sequence[Sequence[int]], strides: Sequence[int]) -> list[int]:
    steps = []
    for group, stride in zip(groups, strides, strict=True):
        for n in group:
            steps.append(stride)
            stride *= n
    return steps


def _contains(large: RowSpace, small: RowSpace) -> bool:
    return all(row in large for row in small.rows)


def _expression(form: Form, known: dict[Any, Any]) -> Any:
    import sympy

    total = sympy.Add(*[c if m is ONE else c * m for m, c in form.items()])
    return _number(total.subs(known).expand())


def _number(value: Any) -> Any:
    return value if type(value) is int else int(value) if value.is_Integer else value
