"""Runs an algorithm on symbols so often that both outcomes of each open comparison are followed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.entailment import Entailment
from symview.logic.solve import GLANCE, HINT, is_impossible
from symview.logic.terms import Term, negated, num

Result = TypeVar("Result")
Choice = TypeVar("Choice")
_MOST_PATHS = 32
_Where: TypeAlias = tuple[Term, ...]
Node = TypeVar("Node")
End = TypeVar("End")


class Path(NamedTuple, Generic[Result]):
    """The outcomes of the open comparisons, in order, and the result of the run, or why it has none."""

    where: tuple[Term, ...]
    result: Result | Undecided


def all_paths(
    run: Callable[[Fork], Result],
    facts: Iterable[Term] | Entailment,
    budget: Budget = DEFAULT,
    most: int = _MOST_PATHS,
) -> list[Path[Result]]:
    """Every run of the algorithm: the paths are disjoint and cover all values that the facts allow.

    If a run chooses among several ways, each choice is a path with the same comparisons. A comparison that the budget
    does not decide counts as open, so a path may be impossible, but none is missing. After `most` paths the others are
    undecided.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> small, tiny = parse_statement("n < 4"), parse_statement("n < 2")
    >>> paths = all_paths(lambda fork: fork.holds(small) and fork.holds(tiny), [parse_statement("n >= 2")])
    >>> [([to_text(t) for t in path.where], path.result) for path in paths]
    [(['n < 4'], False), (['n >= 4'], False)]
    """
    known = facts if isinstance(facts, Entailment) else Entailment(facts, budget.at_most(HINT))
    shared = _Shared({}, {}, {})

    def step(plan: _Plan) -> tuple[Path[Result], list[_Plan]]:
        fork = Fork(known, shared, plan.ways, budget)
        result: Result | Undecided
        try:
            result = run(fork)
        except Undecided as error:
            result = error
        return Path(tuple(fork.where), result), fork.others

    ends = split(_Plan((), ()), step, most)
    return [Path(e.node.where, Undecided(e.why)) if isinstance(e, Stopped) else e for e in ends]


class _Plan(NamedTuple):
    """The numbers of the choices that a run takes first, and the comparisons that hold by then."""

    ways: tuple[int, ...]
    where: tuple[Term, ...]


class _Shared(NamedTuple):
    """Caches shared by runs: the same comparisons lead to the same results.

    They hold whether a claim holds (None: open), the facts, and results of `once`.
    """

    decided: dict[tuple[_Where, Term], bool | None]
    known: dict[_Where, Entailment]
    found: dict[tuple[_Where, object], Any]


class Fork:
    """Decides the comparisons of one run; records the outcomes that it took and those that it left to other runs."""

    def __init__(self, known: Entailment, shared: _Shared, planned: Sequence[int], budget: Budget) -> None:
        self.known, self.shared, self.planned = known, shared, planned
        self.budget, self.brief = budget, budget.at_most(GLANCE)
        self.where: list[Term] = []
        self.taken: list[int] = []
        self.others: list[_Plan] = []

    def holds(self, claim: Term) -> bool:
        """Whether the claim holds; if that is open, both outcomes are followed, each in a run of its own.

        Raises Undecided if the budget is spent; a run may return that as its result.
        """
        here = (tuple(self.where), claim)
        decided = self.shared.decided
        if here not in decided:
            self.budget.check()
            never = self._impossible(claim)
            decided[here] = False if never else True if self._impossible(negated(claim)) else None
        known = decided[here]
        return self._way([(claim,), (negated(claim),)]) == 0 if known is None else known

    def value(self, term: Term, values: Sequence[int]) -> int:
        """The value of a term that is known to have one of these values."""
        found = next(v for v in values if v == values[-1] or self.holds(Term("==", (term, num(v)))))
        equation = Term("==", (term, num(found)))
        if equation not in self.where:
            self._learn(equation)
        return found

    def once(self, key: object, make: Callable[[], Result]) -> Result:
        """The result of `make`, computed once for these comparisons and shared by all runs."""
        here = (tuple(self.where), key)
        if here not in self.shared.found:
            self.shared.found[here] = make()
        return self.shared.found[here]  # type: ignore[no-any-return]

    def one_of(self, choices: Sequence[Choice]) -> Choice:
        """One of the choices, each in a run of its own."""
        return choices[self._way([()] * len(choices))]

    def _impossible(self, claim: Term) -> bool:
        """Whether the facts of this path exclude the claim."""
        if self.known.seen(claim) or self.known.impossible(claim):
            return not self.known.seen(claim)
        return self.known.is_tired() and is_impossible([*self.known.facts, claim], self.brief)

    def _way(self, ways: Sequence[tuple[Term, ...]]) -> int:
        """The way that this run takes, given as the facts of each; the others are recorded for other runs."""
        turn = len(self.taken)
        way = self.planned[turn] if turn < len(self.planned) else 0
        if turn >= len(self.planned):
            self.others += [_Plan((*self.taken, n), (*self.where, *ways[n])) for n in range(1, len(ways))]
        self.taken.append(way)
        for fact in ways[way]:
            self._learn(fact)
        return way

    def _learn(self, fact: Term) -> None:
        self.where.append(fact)
        here = tuple(self.where)
        if here not in self.shared.known:
            self.shared.known[here] = self.known.also(fact)
        self.known = self.shared.known[here]


class Stopped(NamedTuple, Generic[Node]):
    """A node that was not followed to its ends, and why."""

    node: Node
    why: str


def split(
    root: Node, step: Callable[[Node], tuple[End | None, Sequence[Node]]], most: int
) -> Iterator[End | Stopped[Node]]:
    """The ends of the tree below a root, and the nodes that were not followed.

    `step` follows a node to an end or None, and returns the branches that it left; the first of these is followed next.
    If the branches are disjoint and complete, so are the ends. A node at which `step` raises Undecided, for example
    because the budget ends, is returned as it is; so are all waiting nodes once there are more than `most` of them and
    ends.

    >>> halves = lambda n: (n, []) if n < 3 else (None, [n // 2, n - n // 2])
    >>> [f"{e.node} and more" if isinstance(e, Stopped) else e for e in split(11, halves, 4)]
    [2, 1, 2, '3 and more', '3 and more']
    """
    waiting, count = [root], 0
    while waiting:
        if count + len(waiting) > most:
            why = f"there are more than {most} cases to tell apart: assume more of the symbols"
            yield from [Stopped(node, why) for node in reversed(waiting)]
            return
        node = waiting.pop()
        try:
            end, branches = step(node)
        except Undecided as stop:
            count += 1
            yield Stopped(node, stop.reason)
            continue
        waiting += branches[::-1]
        if end is not None:
            count += 1
            yield end
