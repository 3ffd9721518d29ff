"""Runs of an algorithm on symbols: where a comparison is open, or there are several answers, all ways are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from symview.cute.symbols.refinements import Answer
from symview.errors import Undecided
from symview.logic import z3_door as smt
from symview.logic.budget import DEFAULT, Budget
from symview.logic.entailment import Knowledge
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, negated, nonzero_divisors, num
from symview.symbolic.equations import Form

Result = TypeVar("Result")
_MOST_PATHS = 32
_PATIENT, _BRIEF = 300_000, 100_000  # for one question, of which there are many; not settled means one more case


class Path(NamedTuple, Generic[Result]):
    """The answers given to the open comparisons, in their order, the forms demanded to be 0, and what the run gave."""

    where: tuple[Term, ...]
    demanded: tuple[Form, ...]
    result: Result


def all_paths(run: Callable[[Asked], Result], facts: Iterable[Term], budget: Budget = DEFAULT) -> list[Path[Result]]:
    """Every run of the algorithm: the comparisons taken are disjoint and cover all values that the facts allow.

    Where a run chooses among answers, each choice is a path with the same comparisons. A comparison
    that is not settled within the budget counts as open, so a path may be one that no values take,
    never the other way round. Raises Undecided at more than 32 paths.
    """
    found: list[Path[Result]] = []
    waiting: list[tuple[int, ...]] = [()]
    known, settled = Knowledge(facts, budget.at_most(_PATIENT)), _Settled()
    while waiting:
        asked = Asked(known, settled, waiting.pop(), budget)
        result = run(asked)
        found.append(Path(tuple(asked.where), tuple(asked.demanded), result))
        waiting += asked.others[::-1]
        if len(found) + len(waiting) > _MOST_PATHS:
            raise Undecided(f"there are more than {_MOST_PATHS} cases: assume more of the symbols")
    return found


_Settled: TypeAlias = dict[tuple[tuple[Term, ...], Term], bool | None]  # None: open, and it stays so in every run


class Asked:
    """Answers the comparisons of one run."""

    def __init__(self, known: Knowledge, settled: _Settled, plan: tuple[int, ...], budget: Budget) -> None:
        self.known, self.settled, self.plan = known, settled, plan
        self.budget, self.brief = budget, budget.at_most(_BRIEF)
        self.where: list[Term] = []
        self.demanded: list[Form] = []
        self.taken: list[int] = []
        self.others: list[tuple[int, ...]] = []

    def one_of(self, answers: Sequence[Answer]) -> Answer:
        """One of the answers; its equations are demanded from here on."""
        chosen = answers[self._turn(len(answers))]
        self.demanded += chosen.forms
        return chosen

    def value(self, symbol: Any, values: range) -> int:
        """The value of a symbol that is known to be one of these."""
        found = next(v for v in values if v == values[-1] or self.equal(symbol, v))
        said = Term("==", (to_term(symbol), num(found)))
        if said not in self.where:
            self.where.append(said)
            self.known = self.known.also(said)
        return found

    def equal(self, a: Any, b: Any) -> bool:
        """Whether a = b."""
        if type(a) is int and type(b) is int:
            return a == b
        import sympy

        return self._settle(sympy.Eq(b, a) if type(a) is int else sympy.Eq(a, b))

    def at_most(self, a: Any, b: Any) -> bool:
        """Whether a <= b."""
        if type(a) is int and type(b) is int:
            return a <= b
        import sympy

        return self._settle(sympy.Ge(b, a) if type(a) is int else sympy.Le(a, b))

    def divides(self, a: Any, b: Any) -> bool:
        """Whether a divides b, for a > 0."""
        if type(a) is int and type(b) is int:
            return b % a == 0
        if a == 1 or b == 1:
            return self.equal(a, 1)
        import sympy

        top, bottom = _ratio(b, a)
        if bottom == 1:
            return True
        return self._settle(sympy.Eq(sympy.Mod(top, bottom), 0))

    def _settle(self, relation: Any) -> bool:
        if relation in (True, False):
            return bool(relation)
        yes = to_term(relation)
        here = (tuple(self.where), yes)
        if here not in self.settled:
            never = self._impossible(yes)
            self.settled[here] = False if never else True if self._impossible(negated(yes)) else None
        known = self.settled[here]
        return self._choice(yes) if known is None else known

    def _impossible(self, claim: Term) -> bool:
        """Whether the claim is excluded by what is known on this path."""
        if self.known.seen(claim) or self.known.impossible(claim):
            return not self.known.seen(claim)
        return self.known.is_tired() and is_impossible([*self.known.facts, claim], self.brief)

    def _choice(self, yes: Term) -> bool:
        answer = self._turn(2) == 0
        self.where.append(yes if answer else negated(yes))
        self.known = self.known.also(self.where[-1])
        return answer

    def _turn(self, count: int) -> int:
        """Which of so many ways this run takes; the others are left for other runs."""
        turn = len(self.taken)
        way = self.plan[turn] if turn < len(self.plan) else 0
        if turn >= len(self.plan):
            self.others += [(*self.taken, other) for other in range(1, count)]
        self.taken.append(way)
        return way


def is_impossible(formulas: Sequence[Term], budget: Budget) -> bool:
    """Whether Z3 finds that no integers satisfy the formulas, their divisors not 0."""
    return isinstance(smt.check([*nonzero_divisors(formulas), *formulas], budget), smt.Unsat)


def quotient(a: Any, b: Any) -> Any:
    """a/b, where b is known to divide a."""
    if type(a) is int and type(b) is int:
        return a // b
    import sympy

    top, bottom = _ratio(a, b)
    return plain(top if bottom == 1 else sympy.floor(top / bottom))


def _ratio(a: Any, b: Any) -> tuple[Any, Any]:
    """a/b in lowest terms; sums stay whole, so that a denominator of 1 says that b divides a as a polynomial."""
    import sympy

    top, bottom = sympy.fraction(sympy.together(sympy.cancel(sympy.sympify(a) / b)))
    return top.expand(), bottom


def plain(value: Any) -> Any:
    """A sympy number as an int."""
    return int(value) if value.is_Integer else value


def times(a: Any, b: Any) -> Any:
    """a·b, as an int where it is one."""
    found = a * b
    return found if type(found) is int else plain(found.expand())
