"""The smallest values of the names at which the answer is no, and the index that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from symview.answers import ConditionsData
from symview.cases.question import Question
from symview.counterexample import Counterexample, Deferred
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.points import bounds_of, by_size, compiled
from symview.logic.solve import Open, Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import Term, conj, conjuncts, disj, node_count, nonzero_divisors, num, sym

_TRIES = 20_000
_STEPS, _AT_ONCE = 20, 4  # budget steps for each try, and nodes of formulas evaluated per step


def smallest_no(question: Question[Any], data: ConditionsData, budget: Budget) -> Counterexample | None:
    """The smallest sizes, then other names, then index at which the answer is no; None if it is always yes.

    Raises Undecided if none is found, and a case is undecided.
    """
    sizes = list(free_symbols(question.sizes()))
    search = Search(tuple(question.symbols()), question.has_values(), budget, partial(_no, question, budget))
    open_ = None
    for level in question.regions(data, budget):
        for number, region in enumerate(level):
            found = search.smallest(region.facts, sizes)
            if found is not None:
                found = search.smaller(found, [(r.facts, r.sure) for r in level[number + 1 :]], sizes)
                return found if open_ is None else replace(found, smallest=False)
            open_ = open_ or (None if region.sure else region)
    if open_ is not None:
        raise Undecided(f"no break was found, and it is open whether there is one: {open_.reason}")
    return None


def _no(question: Question[Any], budget: Budget, values: Mapping[str, int]) -> Counterexample | None:
    found = question.at(values, budget)
    if isinstance(found, Deferred):
        return Counterexample(*found.fields())
    return found if isinstance(found, Counterexample) else None


class Search(NamedTuple):
    """A search for the smallest values at which the answer is no, and for the index.

    `given` are formulas that always hold; `break_at` answers for values of all the names.
    """

    names: tuple[str, ...]
    given: Sequence[Term]
    budget: Budget
    break_at: Callable[[Mapping[str, int]], Counterexample | None]

    def smallest(self, facts: Sequence[Term], sizes: Sequence[str]) -> Counterexample | None:
        """The counterexample at the smallest values that satisfy the facts; there has to be one wherever they hold.

        The names of `sizes` come first, in this order.
        """
        facts = [*self.given, *nonzero_divisors(facts), *facts]
        fixed: dict[str, int] = {}
        for name in sizes:
            here = [Term("==", (sym(n), num(v))) for n, v in fixed.items()]
            least = self._least([*facts, *here], name)
            if least is None:
                return None
            fixed[name] = least
        return self._by_strides(facts, [n for n in self.names if n not in fixed], fixed)

    def smaller(
        self, found: Counterexample, others: Iterable[tuple[Sequence[Term], bool]], sizes: Sequence[str]
    ) -> Counterexample:
        """The smallest of a counterexample and of those in other regions, where these are as small or smaller.

        Each region comes with whether all its values break; if that is unknown, finding none proves nothing.
        """
        sure = found.smallest
        for given, breaks in others:
            facts = [*given, *_up_to([(n, found.values[n]) for n in sizes])]
            try:
                one = self.smallest(facts, sizes)
            except Undecided:
                sure = False
                continue
            if one is None:
                sure = sure and (breaks or is_impossible(facts, self.budget))
            else:
                sure = sure and one.smallest
                found = min((found, one), key=lambda c: (*size_order(c.values, sizes), sum(c.index), c.index))
        return found if sure or not found.smallest else replace(found, smallest=False)

    def _least(self, facts: Sequence[Term], name: str) -> int | None:
        """The least value that the facts allow, if possible from 0 up; None if they allow none."""
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

    def _by_strides(
        self, facts: Sequence[Term], free: Sequence[str], fixed: Mapping[str, int]
    ) -> Counterexample | None:
        """The smallest break at these sizes: the free names by the sum of their absolute values, then the index."""
        order = [*fixed, *free]
        known, holds = list(fixed.values()), [compiled(f, order, "floor") for f in facts]
        tries, steps = 0, _STEPS + node_count(*facts) // _AT_ONCE
        ranges = bounds_of([part for fact in facts for part in conjuncts(fact)], order)
        points = by_size(ranges[len(fixed) :])
        for _, level in groupby(points, key=lambda p: sum(map(abs, p))):
            broken: list[Counterexample] = []
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

    def _by_solver(self, facts: Sequence[Term], fixed: Mapping[str, int]) -> Counterexample | None:
        """Any break far from 0, by the solver; it is marked as perhaps not the smallest."""
        here = [Term("==", (sym(n), num(v))) for n, v in fixed.items()]
        answer = solve([*facts, *here], self.budget)
        if isinstance(answer, Open):
            raise Undecided(answer.reason)
        if isinstance(answer, Unsat):
            return None
        found = self.break_at({n: answer.model.get(n, 0) for n in self.names})
        return None if found is None else replace(found, smallest=False)


def size_order(values: Mapping[str, int], sizes: Sequence[str]) -> tuple[list[int], int]:
    """The key by which values are ordered: the sizes one by one, then the sum of the others' absolute values."""
    return [values[n] for n in sizes], sum(abs(v) for n, v in values.items() if n not in sizes)


def _up_to(sizes: Sequence[tuple[str, int]]) -> list[Term]:
    """Formulas that the sizes are, in lexicographic order, at most these."""
    if not sizes:
        return []
    (name, value), rest = sizes[0], _up_to(sizes[1:])
    if not rest:
        return [Term("<=", (sym(name), num(value)))]
    equal = conj([Term("==", (sym(name), num(value))), *rest])
    return [disj([Term("<", (sym(name), num(value))), equal])]
