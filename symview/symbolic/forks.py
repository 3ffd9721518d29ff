"""Runs of an algorithm on symbols: where a comparison is open, or there are several ways on, all are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.entailment import Entailment
from symview.logic.solve import GLANCE, HINT, is_impossible
from symview.logic.terms import Term, negated, nonzero_divisors, num

Result = TypeVar("Result")
Choice = TypeVar("Choice")
_MOST_PATHS = 32


class Path(NamedTuple, Generic[Result]):
    """The answers given to the open comparisons, in their order, and what the run gave."""

    where: tuple[Term, ...]
    result: Result


def all_paths(run: Callable[[Fork], Result], facts: Iterable[Term], budget: Budget = DEFAULT) -> list[Path[Result]]:
    """Every run of the algorithm: the comparisons taken are disjoint and cover all values that the facts allow.

    Where a run chooses among several ways, each choice is a path with the same comparisons. A
    comparison that is not settled within the budget counts as open, so a path may be one that no
    values take, never the other way round. Raises Undecided at more than 32 paths.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> small, tiny = parse_statement("n < 4"), parse_statement("n < 2")
    >>> paths = all_paths(lambda fork: fork.holds(small) and fork.holds(tiny), [parse_statement("n >= 2")])
    >>> [([to_text(t) for t in path.where], path.result) for path in paths]
    [(['n < 4'], False), (['n >= 4'], False)]
    """
    found: list[Path[Result]] = []
    waiting: list[tuple[int, ...]] = [()]
    known, settled = Entailment(facts, budget.at_most(HINT)), _Settled()
    while waiting:
        fork = Fork(known, settled, waiting.pop(), budget)
        result = run(fork)
        found.append(Path(tuple(fork.where), result))
        waiting += fork.others[::-1]
        if len(found) + len(waiting) > _MOST_PATHS:
            raise Undecided(f"there are more than {_MOST_PATHS} cases: assume more of the symbols")
    return found


_Settled: TypeAlias = dict[tuple[tuple[Term, ...], Term], bool | None]  # None: open, and it stays so in every run


class Fork:
    """Answers the comparisons of one run, and remembers which ways it took and which it left for others."""

    def __init__(self, known: Entailment, settled: _Settled, plan: tuple[int, ...], budget: Budget) -> None:
        self.known, self.settled, self.plan = known, settled, plan
        self.budget, self.brief = budget, budget.at_most(GLANCE)
        self.where: list[Term] = []
        self.taken: list[int] = []
        self.others: list[tuple[int, ...]] = []

    def holds(self, claim: Term) -> bool:
        """Whether the claim holds; where that is open, both ways are taken, each in a run of its own.

        Raises Undecided where the budget is spent, which a run may answer with.
        """
        here = (tuple(self.where), claim)
        if here not in self.settled:
            self.budget.check()
            never = self._impossible(claim)
            self.settled[here] = False if never else True if self._impossible(negated(claim)) else None
        known = self.settled[here]
        if known is not None:
            return known
        answer = self._way(2) == 0
        self._learn(claim if answer else negated(claim))
        return answer

    def value(self, term: Term, values: Sequence[int]) -> int:
        """The value of a term that is known to have one of these."""
        found = next(v for v in values if v == values[-1] or self.holds(Term("==", (term, num(v)))))
        said = Term("==", (term, num(found)))
        if said not in self.where:
            self._learn(said)
        return found

    def one_of(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices, each in a run of its own."""
        return choices[self._way(len(choices))]

    def _impossible(self, claim: Term) -> bool:
        """Whether the claim is excluded by what is known on this path."""
        if self.known.seen(claim) or self.known.impossible(claim):
            return not self.known.seen(claim)
        return self.known.is_tired() and is_impossible([*self.known.facts, claim], self.brief)

    def _learn(self, fact: Term) -> None:
        self.where.append(fact)
        self.known = self.known.also(fact)

    def _way(self, count: int) -> int:
        """Which of so many ways this run takes; the others are left for other runs."""
        turn = len(self.taken)
        way = self.plan[turn] if turn < len(self.plan) else 0
        if turn >= len(self.plan):
            self.others += [(*self.taken, other) for other in range(1, count)]
        self.taken.append(way)
        return way


class Asked(Protocol):
    """An answer, a dataclass, and the comparisons under which it is one."""

    @property
    def asked(self) -> tuple[Term, ...]:
        """The comparisons, each with a value where those before it hold."""


Case = TypeVar("Case", bound=Asked)


def joined(cases: Iterable[Case], agree: Callable[[Case, Case, Term], bool]) -> list[Case]:
    """Two cases with one answer, of which one has a comparison where the other one has its opposite, as one case.

    `agree` says whether the first one's answer is right also where the comparison of the second holds.
    """
    found = list(cases)
    while (pair := next((p for p in permutations(found, 2) if _opposite(*p, agree) is not None), None)) is not None:
        at = _opposite(*pair, agree)
        asked = tuple([t for n, t in enumerate(pair[0].asked) if n != at])
        found[found.index(pair[0])] = replace(pair[0], asked=asked)  # type: ignore[type-var]
        found.remove(pair[1])
    return found


def _opposite(a: Case, b: Case, agree: Callable[[Case, Case, Term], bool]) -> int | None:
    """The number of the comparison in which alone two cases differ, if they may be joined."""
    differ = [n for n, (x, y) in enumerate(zip(a.asked, b.asked, strict=False)) if x != y]
    if len(a.asked) != len(b.asked) or len(differ) != 1 or a.asked[differ[0]] != negated(b.asked[differ[0]]):
        return None
    return differ[0] if agree(a, b, b.asked[differ[0]]) else None


def shortened(where: Sequence[Term], known: Entailment) -> tuple[Term, ...]:
    """The comparisons without those that others imply, but with all that keep a divisor of later ones from 0."""
    left = list(where)
    for part in where:
        at = left.index(part)
        here = known.also(*left[:at], *(p for p in left[at + 1 :] if not nonzero_divisors([p])))
        if all(map(here.implies, [*nonzero_divisors([part]), part])):  # it has a value there, and is true
            left.remove(part)
    return tuple(sorted(left, key=lambda p: bool(nonzero_divisors([p]))))  # what always has a value comes first
