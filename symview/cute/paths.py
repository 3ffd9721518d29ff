"""Runs of an algorithm on symbols: where a comparison is open, both ways are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, Generic, NamedTuple, TypeVar

from symview.engine import smt
from symview.engine.budget import DEFAULT, Budget
from symview.engine.terms import Term, nonzero_divisors
from symview.errors import Undecided
from symview.symbols import to_term

Result = TypeVar("Result")
_MOST_PATHS = 64
_BRIEF = 500_000


class Path(NamedTuple, Generic[Result]):
    """The answers given to the open comparisons, as sympy relations, and what the run gave."""

    where: tuple[Any, ...]
    result: Result


def all_paths(run: Callable[[Asked], Result], facts: Iterable[Term], budget: Budget = DEFAULT) -> list[Path[Result]]:
    """Every run of the algorithm: disjoint conditions that cover all values allowed by the facts, and the results.

    A comparison that Z3 cannot settle within the budget counts as open, so a path may be one that
    no values take, never the other way round. Raises Undecided at more than 64 paths.
    """
    found: list[Path[Result]] = []
    waiting: list[tuple[bool, ...]] = [()]
    facts = tuple(facts)
    while waiting:
        asked = Asked(facts, waiting.pop(), budget)
        result = run(asked)
        found.append(Path(tuple(asked.where), result))
        waiting += asked.others[::-1]
        if len(found) + len(waiting) > _MOST_PATHS:
            raise Undecided(f"more than {_MOST_PATHS} cases: assume more of the symbols")
    return found


class Asked:
    """Answers the comparisons of one run."""

    def __init__(self, facts: tuple[Term, ...], plan: tuple[bool, ...], budget: Budget) -> None:
        self.facts, self.plan = facts, plan
        self.budget = replace(budget, work=min(budget.work, _BRIEF))
        self.where: list[Any] = []
        self.taken: list[bool] = []
        self.others: list[tuple[bool, ...]] = []

    def equal(self, a: Any, b: Any) -> bool:
        """Whether a = b."""
        if type(a) is int and type(b) is int:
            return a == b
        import sympy

        return self._settle(sympy.Eq(a, b), sympy.Ne(a, b))

    def at_most(self, a: Any, b: Any) -> bool:
        """Whether a <= b."""
        if type(a) is int and type(b) is int:
            return a <= b
        import sympy

        return self._settle(sympy.Le(a, b), sympy.Gt(a, b))

    def divides(self, a: Any, b: Any) -> bool:
        """Whether a divides b, for a > 0."""
        if type(a) is int and type(b) is int:
            return b % a == 0
        if a == 1:
            return True
        import sympy

        top, bottom = sympy.fraction(sympy.cancel(sympy.sympify(b) / a))
        if bottom == 1:
            return True
        remainder = sympy.Mod(top, bottom)
        return self._settle(sympy.Eq(remainder, 0), sympy.Ne(remainder, 0))

    def _settle(self, yes: Any, no: Any) -> bool:
        if yes in (True, False):
            return bool(yes)
        yes_term, no_term = to_term(yes), to_term(no)
        if self._excluded(no_term):
            return True
        if self._excluded(yes_term):
            return False
        turn = len(self.taken)
        if turn < len(self.plan):
            answer = self.plan[turn]
        else:
            answer = True
            self.others.append((*self.taken, False))
        self.taken.append(answer)
        self.where.append(yes if answer else no)
        return answer

    def _excluded(self, claim: Term) -> bool:
        known = [*self.facts, *(to_term(c) for c in self.where), claim]
        return isinstance(smt.check([*known, *nonzero_divisors(known)], self.budget), smt.Unsat)


def quotient(a: Any, b: Any) -> Any:
    """a/b, where b is known to divide a."""
    if type(a) is int and type(b) is int:
        return a // b
    import sympy

    ratio = sympy.cancel(sympy.sympify(a) / b)
    if sympy.fraction(ratio)[1] == 1:
        return plain(ratio)
    return plain(sympy.floor(sympy.sympify(a) / b))


def plain(value: Any) -> Any:
    """A sympy number as an int."""
    return int(value) if value.is_Integer else value


def times(a: Any, b: Any) -> Any:
    """a·b, as an int where it is one."""
    found = a * b
    return found if type(found) is int else plain(found.expand())
