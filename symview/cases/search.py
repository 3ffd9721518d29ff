"""The smallest values of the names at which the answer is no, and the index that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

from symview.answers import ConditionsData
from symview.cases.question import Question
from symview.counterexample import Counterexample
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.points import bounds_of, by_size, compiled
from symview.logic.solve import Open, Sat, Unsat, solve
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import Term, conj, conjuncts, disj, node_count, nonzero_divisors, num, sym

_TRIES = 20_000
_STEPS, _AT_ONCE = 20, 4  # budget steps for each try, and nodes of formulas evaluated per step


def smallest_no(question: Question[Any], data: ConditionsData, budget: Budget) -> Counterexample | None:
    """The smallest sizes, then other names, then index at which the answer is no; None if it is always yes.

    Raises Undecided if none is found, and a case is undecided.
    """
    sizes = tuple(free_symbols(question.sizes()))
    search = Search(tuple(question.symbols()), sizes, question.has_values(), budget, partial(_no, question, budget))
    open_: str | None = None
    for regions in question.regions(data, budget):
        level = sorted(regions, key=lambda region: not region.sure)
        for number, region in enumerate(level):
            try:
                found = search.smallest(region.facts)
            except Undecided as stop:
                budget.check()
                found, open_ = None, stop.reason if open_ is None else open_
            if found is not None:
                found = search.smaller(found, [(r.facts, r.sure) for r in level[number + 1 :]])
                return found if open_ is None else replace(found, smallest=False)
            if not region.sure and open_ is None:
                open_ = region.reason
    if open_ is not None:
        raise Undecided(f"no break was found, and it is open whether there is one: {open_}")
    return None


def _no(question: Question[Any], budget: Budget, values: Mapping[str, int]) -> Counterexample | None:
    found = question.at(values, budget)
    return replace(found) if isinstance(found, Counterexample) else None  # a deferred one is computed here


class Search(NamedTuple):
    """A search for the smallest values at which the answer is no, and for the index.

    `given` are formulas that always hold; `break_at` answers for values of all the names. Those of `sizes` come first,
    in this order.
    """

    names: tuple[str, ...]
    sizes: tuple[str, ...]
    given: Sequence[Term]
    budget: Budget
    break_at: Callable[[Mapping[str, int]], Counterexample | None]

    def smallest(self, facts: Sequence[Term]) -> Counterexample | None:
        """The counterexample at the smallest values that satisfy the facts; there has to be one wherever they hold."""
        facts = [*self.given, *nonzero_divisors(facts), *facts]
        fixed = self._sizes(facts, None)
        return None if fixed is None else self._by_strides(facts, fixed, None)

    def smaller(self, found: Counterexample, others: Iterable[tuple[Sequence[Term], bool]]) -> Counterexample:
        """The smallest of a counterexample and of those in other regions, where these are as small or smaller.

        Each region comes with whether all its values break; if that is unknown, finding none at the least sizes proves
        nothing about others.
        """
        sure = found.smallest
        for region, breaks in others:
            near = _up_to([(n, found.values[n]) for n in self.sizes])
            facts = [*self.given, *nonzero_divisors(region), *region, *near]
            try:
                fixed = self._sizes(facts, found)
                if fixed is None:
                    continue
                same = all(found.values[n] == v for n, v in fixed.items())
                one = self._by_strides(facts, fixed, self.order(found)[1] if same else None)
            except Undecided:
                sure = False
                continue
            sure = sure and (breaks or same if one is None else one.smallest)
            if one is not None:
                found = min((found, one), key=lambda c: (*self.order(c), sum(c.index), c.index))
        return found if sure or not found.smallest else replace(found, smallest=False)

    def order(self, found: Counterexample) -> tuple[list[tuple[bool, int]], int]:
        """The key by which values are ordered: the sizes one by one, then the sum of the others' absolute values.

        Names in sizes that are negative come after others, the nearest to 0 first.
        """
        values = found.values
        sizes = [(values[n] < 0, abs(values[n])) for n in self.sizes]
        return sizes, sum(abs(v) for n, v in values.items() if n not in self.sizes)

    def _sizes(self, facts: Sequence[Term], known: Counterexample | None) -> dict[str, int] | None:
        """The least sizes that the facts allow, which are at most the known ones; None if they allow none.

        Sizes that can only be the known ones are not asked about.
        """
        fixed: dict[str, int] = {}
        lows = [low for low, _ in bounds_of(facts, self.sizes)]
        for name, low in zip(self.sizes, lows, strict=True):
            here = [Term("==", (sym(n), num(v))) for n, v in fixed.items()]
            least = None
            if low is not None and low >= 0 and known is not None and known.values[name] == low:
                least = low if all(known.values[n] == fixed[n] for n in fixed) else None
            least = self._least([*facts, *here], name) if least is None else least
            if least is None:
                return None
            fixed[name] = least
        return fixed

    def _least(self, facts: Sequence[Term], name: str) -> int | None:
        """The least value that the facts allow from 0 up, or the greatest below; None if they allow none."""
        least = self._nearest(facts, name, 1)
        (low, _), *_ = bounds_of(facts, [name])
        return self._nearest(facts, name, -1) if least is None and (low is None or low < 0) else least

    def _nearest(self, facts: Sequence[Term], name: str, sign: int) -> int | None:
        """The value of this sign that is nearest to 0."""
        size = Term("*", (num(sign), sym(name))) if sign < 0 else sym(name)
        best: int | None = None
        low, high = 0, None
        while high is None or low < high:
            bound: list[Term] = [] if high is None else [Term("<=", (size, num((low + high) // 2)))]
            answer = solve([*facts, Term(">=", (size, num(low))), *bound], self.budget)
            if isinstance(answer, Open):
                raise Undecided(answer.reason)
            if isinstance(answer, Sat):
                best = high = sign * answer.model.get(name, sign * low)
            elif high is None:
                return None
            else:
                low = (low + high) // 2 + 1
        return None if best is None else sign * best

    def _by_strides(self, facts: Sequence[Term], fixed: Mapping[str, int], most: int | None) -> Counterexample | None:
        """The smallest break at these sizes: the free names by the sum of their absolute values, then the index.

        That sum is at most `most`, unless it is None.
        """
        order = [*fixed, *(n for n in self.names if n not in fixed)]
        known, holds = list(fixed.values()), [compiled(f, order, "floor") for f in facts]
        tries, steps = 0, _STEPS + node_count(*facts) // _AT_ONCE
        ranges = bounds_of([part for fact in facts for part in conjuncts(fact)], order)
        points = by_size(ranges[len(fixed) :])
        for total, level in groupby(points, key=lambda p: sum(map(abs, p))):
            if most is not None and total > most:
                return None
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
        if found is None:
            raise Undecided("no break is at the values that were found")
        return replace(found, smallest=False)


def _up_to(sizes: Sequence[tuple[str, int]]) -> list[Term]:
    """Formulas that the sizes are, in lexicographic order, at most these; see `Search.order`."""
    if not sizes:
        return []
    (name, value), rest = sizes[0], _up_to(sizes[1:])
    equal, more = Term("==", (sym(name), num(value))), Term(">" if value < 0 else "<", (sym(name), num(value)))
    if rest:
        return [disj([more, conj([equal, *rest])])]
    return [Term(">=" if value < 0 else "<=", (sym(name), num(value)))]
