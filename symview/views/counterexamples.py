"""The smallest values and index at which the merge of symbolic views breaks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import prod
from operator import add, mul
from typing import Any, Generic, NamedTuple, TypeVar

from symview.answers import CaseData, ConditionsData, Counterexample, Kind, Status, values_text
from symview.engine import presburger
from symview.engine.index_map import IndexMap
from symview.errors import InputError, InternalError, OutOfBounds, Undecided
from symview.logic.budget import Budget
from symview.logic.points import bounds_of, by_size, compiled, true_at
from symview.logic.solve import Open, Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import Term, conj, conjuncts, disj, negated, node_count, nonzero_divisors, num, sym
from symview.view import View
from symview.views.merging import merge

Found = TypeVar("Found", bound=Counterexample)
_TRIES = 20_000
_STEPS, _AT_ONCE = 20, 4  # of work for each of them, and nodes of formulas that have their value in one step
_BROKEN = (Status.WHEN, Status.NEVER, Status.UNDECIDED)


def break_at(conditions: ConditionsData, values: Mapping[str, int], budget: Budget) -> Counterexample | None:
    """The smallest index that breaks the merge at given values of all symbols; None where it merges."""
    missing = [n for n in conditions.symbols() if n not in values]
    if missing:
        raise InputError(f"no value for {', '.join(missing)}: give every symbol, or none")
    if not sizes_agree(conditions, values):
        raise InputError(f"{values_text(values)}: the sizes do not agree, so no index can be shown")
    first, *others = [v.with_values(values) for v in conditions.views]
    try:
        found = merge(first, *others, budget=budget)
    except OutOfBounds:
        return replace(_leaving([first, *others], budget), values=dict(values))
    if isinstance(found, View):
        return None
    return Counterexample(found.kind, found.index, found.axis, found.expected, found.got, found.smallest, dict(values))


def merges_at(conditions: ConditionsData, values: Mapping[str, int], budget: Budget) -> bool:
    """Whether the views merge at given values of all symbols; not where the sizes disagree, nor out of bounds."""
    if not sizes_agree(conditions, values):
        return False
    first, *others = [v.with_values(values) for v in conditions.views]
    try:
        return isinstance(merge(first, *others, budget=budget), View)
    except OutOfBounds:
        return False


def sizes_agree(conditions: ConditionsData, values: Mapping[str, int]) -> bool:
    """Whether a reshape has as many elements after it as before; other queries have nothing to agree on."""
    return conditions.fitting is None or true_at([conditions.fitting], values)


def smallest_break(conditions: ConditionsData, budget: Budget) -> Counterexample | None:
    """The smallest sizes, then strides, then index at which the views do not merge; None if nowhere.

    Raises Undecided where an undecided case stands before the first break that is found.
    """
    sizes = list(free_symbols([n for v in conditions.views for n in v.shape]))
    entries = [to_term(x) for v in conditions.views for x in v.entries()]
    search = Search(
        tuple(conditions.symbols()), nonzero_divisors(entries), budget, lambda at: break_at(conditions, at, budget)
    )
    broken = [c for c in conditions.cases if c.status in _BROKEN]
    outside = [c for c in conditions.cases if c.status is Status.OUT_OF_BOUNDS]
    fitting = [] if conditions.fitting is None else [conditions.fitting]
    groups = [*([c] for c in broken), outside] if sizes else [broken, outside]
    for number, cases in enumerate(groups):
        facts = [*conditions.facts, *_broken_in(conditions, cases), *fitting]
        found = search.smallest(facts, sizes) if cases else None
        if found is not None:
            others = [] if cases is outside else groups[number + 1 : -1]
            given = [
                ([*conditions.facts, *_broken_in(conditions, c), *fitting], c[0].status is not Status.UNDECIDED)
                for c in others
            ]
            return search.smaller(found, given, sizes)
        for case in cases:
            if case.status is Status.UNDECIDED:
                raise Undecided(f"no break was found, and it is open whether there is one: {case.reason}")
    return None


def _broken_in(conditions: ConditionsData, cases: Sequence[CaseData]) -> list[Term]:
    """That the values are about one of the cases, and break there; and not out of bounds."""
    refused = (Status.WHEN, Status.NEVER)
    parts = [[c.where, *([Term("not", (c.condition(),))] if c.status in refused else [])] for c in cases]
    if len(parts) == 1:
        return parts[0]
    outside = [negated(c.where) for c in conditions.cases if c.status is Status.OUT_OF_BOUNDS]
    broken = any(c.status in _BROKEN for c in cases)
    return [*(outside if broken else ()), disj(map(conj, parts))]


class Search(NamedTuple, Generic[Found]):
    """A search for the smallest values at which something breaks, and where.

    `given` holds wherever there is something to break, `break_at` says what breaks at values of all the names.
    """

    names: tuple[str, ...]
    given: Sequence[Term]
    budget: Budget
    break_at: Callable[[Mapping[str, int]], Found | None]

    def smallest(self, facts: Sequence[Term], sizes: Sequence[str]) -> Found | None:
        """The counterexample at the smallest values that satisfy the facts; wherever these hold, there is one.

        The names of `sizes` come first, in this order.
        """
        facts = [*self.given, *nonzero_divisors(facts), *facts]
        settled: dict[str, int] = {}
        for name in sizes:
            here = [Term("==", (sym(n), num(v))) for n, v in settled.items()]
            least = self._least([*facts, *here], name)
            if least is None:
                return None
            settled[name] = least
        return self._by_strides(facts, [n for n in self.names if n not in settled], settled)

    def smaller(self, found: Found, others: Iterable[tuple[Sequence[Term], bool]], sizes: Sequence[str]) -> Found:
        """The smallest of a counterexample and of those that are as small, or smaller, where other facts hold.

        With the facts goes whether there is a break wherever they hold; where that is open, none found proves nothing.
        """
        sure = found.smallest
        for given, settled in others:
            facts = [*given, *_up_to([(n, found.values[n]) for n in sizes])]
            try:
                one = self.smallest(facts, sizes)
            except Undecided:
                sure = False
                continue
            if one is None:
                sure = sure and (settled or is_impossible(facts, self.budget))
            else:
                sure = sure and one.smallest
                found = min((found, one), key=lambda c: (*size_order(c.values, sizes), sum(c.index), c.index))
        return found if sure or not found.smallest else replace(found, smallest=False)

    def _least(self, facts: Sequence[Term], name: str) -> int | None:
        """The least value that the facts allow, from 0 up where they allow such; None where they allow none."""
        size = sym(name)
        best: int | None = None
        low, high = 0, None
        while high is None or low < high:
            bound: list[Term] = [] if high is None else [Term("<=", (size, num((low + high) // 2)))]
            answer = solve([*facts, Term(">=", (size, num(low))), *bound], self.budget)
            if isinstance(answer, Open):
                raise Undecided(answer.reason)
            if isinstance(answer, Sat):
                best = high = answer.model.get(name, low)
            elif high is None:
                return None
            else:
                low = (low + high) // 2 + 1
        return best

    def _by_strides(self, facts: Sequence[Term], free: Sequence[str], fixed: Mapping[str, int]) -> Found | None:
        """The smallest break at these sizes: the free names by the sum of their absolute values, then the index."""
        order = [*fixed, *free]
        known, holds = list(fixed.values()), [compiled(f, order, "floor") for f in facts]
        tries, steps = 0, _STEPS + node_count(*facts) // _AT_ONCE
        ranges = bounds_of([part for fact in facts for part in conjuncts(fact)], order)
        points = by_size(ranges[len(fixed) :])
        for _, level in groupby(points, key=lambda p: sum(map(abs, p))):
            broken: list[Found] = []
            for point in level:
                tries += 1
                self.budget.spend(steps)
                here = (*known, *point)
                try:
                    if not all(test(here) for test in holds):
                        continue
                except ZeroDivisionError:
                    continue
                values = dict(zip(order, here, strict=True))
                found = self.break_at({n: values[n] for n in self.names})
                if found is not None:
                    broken.append(found)
            if broken:
                return min(broken, key=lambda c: (sum(c.index), c.index))
            if tries > _TRIES:
                return self._by_solver(facts, fixed)
        return None

    def _by_solver(self, facts: Sequence[Term], fixed: Mapping[str, int]) -> Found | None:
        """Far from 0 any break will do; it is marked as perhaps not the smallest."""
        here = [Term("==", (sym(n), num(v))) for n, v in fixed.items()]
        answer = solve([*facts, *here], self.budget)
        if isinstance(answer, Open):
            raise Undecided(answer.reason)
        if isinstance(answer, Unsat):
            return None
        found = self.break_at({n: answer.model.get(n, 0) for n in self.names})
        return None if found is None else replace(found, smallest=False)


def size_order(values: Mapping[str, int], sizes: Sequence[str]) -> tuple[list[int], int]:
    """What values are ordered by: the sizes one by one, then the sum of the strides' absolute values."""
    return [values[n] for n in sizes], sum(abs(v) for n, v in values.items() if n not in sizes)


def _up_to(sizes: Sequence[tuple[str, int]]) -> list[Term]:
    """That the sizes, in this order, are these or come before them."""
    if not sizes:
        return []
    (name, value), rest = sizes[0], _up_to(sizes[1:])
    if not rest:
        return [Term("<=", (sym(name), num(value)))]
    equal = conj([Term("==", (sym(name), num(value))), *rest])
    return [disj([Term("<", (sym(name), num(value))), equal])]


def _leaving(views: Sequence[View], budget: Budget) -> Counterexample:
    """The smallest index, of the last view that has one, whose address the view before does not have."""
    for outer, inner in reversed(list(pairwise(views))):
        lows: Any = [low for low, _ in inner.bounds()]
        sizes: Any = [high - low for low, high in inner.bounds()]
        start = inner.offset + sum(map(mul, lows, inner.strides))
        box, size = IndexMap(tuple(sizes), inner.strides, start), prod(outer.shape)
        if inner.is_void() or box.leaves(size) is None:
            continue
        above = (*box.steps, box.start - size)
        below = (*[-t for t in box.steps], -1 - box.start)
        index = presburger.least(presburger.System(box.sizes, 0, (), ((above,), (below,))), budget)
        if index is not None:
            return Counterexample(Kind.OUT_OF_BOUNDS, tuple(map(add, index, lows)), None, None, box.at(index))
    raise InternalError("no index leaves the outer shape, though a corner does")
