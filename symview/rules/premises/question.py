"""What a weakest premise is asked for: a statement, the symbols that the premise is about, and what is assumed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, conj, names, negated, nonzero_divisors, walk
from symview.proof.statement import Query, Statement, read


class Question(NamedTuple):
    """A statement about integers, the symbols that its premise is about, and the others.

    `given` are the assumptions on the named symbols alone, and that what is divided by is not 0; `beside` are those on
    the others as well.
    """

    query: Query
    named: tuple[str, ...]
    others: tuple[str, ...]
    given: tuple[Term, ...]
    beside: tuple[Term, ...]
    division: str
    notes: frozenset[str]

    @property
    def claim(self) -> Term:
        """The statement."""
        return self.query.claim.term

    def formulas(self) -> tuple[Term, ...]:
        """All that is said."""
        return (self.claim, *self.beside, *self.given)

    def refuted(self) -> Term:
        """That the assumptions on the others hold, the statement does not, and nothing is divided by 0."""
        parts = (*self.beside, negated(self.claim))
        return conj((*(d for d in nonzero_divisors(parts) if not self.is_named(d)), *parts))

    def is_named(self, term: Term) -> bool:
        """Whether it is about the named symbols alone."""
        return set(names(term)) <= set(self.named)

    def numbers(self) -> set[int]:
        """The numbers in the text."""
        return numbers_in(self.formulas())


def numbers_in(formulas: Iterable[Term]) -> set[int]:
    """The numbers in the formulas."""
    return {t.args[0] for f in formulas for t in walk(f) if t.op == "int"}


def read_question(
    statement: Statement,
    about: str | Sequence[Any],
    assume: Statement | Sequence[Statement],
    division: str,
    budget: Budget,
) -> Question:
    """The question; raises InputError for names that do not occur, and for sympy's divisions beside others.

    >>> question = read_question("x % m == x", "m", "0 <= x < m and m >= 1", "floor", Budget())
    >>> question.others, list(map(to_text, question.given))
    (('x',), ['m >= 1'])
    """
    query = read(statement, assume, division)
    divided = {f.division for f in query.formulas() if any(n.op in ("//", "%") for n in walk(f.term))}
    if len(divided) > 1:
        raise InputError(f"sympy's divisions round down, division={division!r}: give all as text, or floor division")
    return question_of(query, read_names(about, query.names()), budget)


def question_of(query: Query, named: tuple[str, ...], budget: Budget) -> Question:
    """The question of what the named symbols have to be for the query's claim."""
    local = [a.term for a in query.assumptions if set(names(a.term)) <= set(named)]
    beside = tuple(a.term for a in query.assumptions if a.term not in local)
    divisors = [d for d in nonzero_divisors((query.claim.term, *beside, *local)) if set(names(d)) <= set(named)]
    divisors.sort(key=lambda d: sum(1 for _ in walk(d)))
    doubtful = [d for n, d in enumerate(divisors) if not is_impossible((*divisors[:n], *local, negated(d)), budget)]
    others = tuple(n for n in query.names() if n not in named)
    notes = frozenset(f"divisor {to_text(d.args[0])} != 0 assumed" for d in doubtful)
    return Question(query, named, others, (*doubtful, *local), beside, query.division(), notes)


def read_names(about: Any, known: Sequence[str]) -> tuple[str, ...]:
    """The names, given as text with commas, one by one or alone; raises InputError for those that are not known."""
    listed = about.strip().removeprefix("(").removesuffix(")").split(",") if isinstance(about, str) else about
    parts = listed if isinstance(listed, Iterable) else [listed]
    found = tuple(dict.fromkeys(p.strip() if isinstance(p, str) else getattr(p, "name", repr(p)) for p in parts))
    if found in ((), ("",)):
        raise InputError(
            f"about={about!r}: name the symbols that the premise is about, such as {', '.join(known[:2])!r}"
        )
    for name in found:
        if name not in known:
            raise InputError(f"{name!r} does not occur in the statement; its symbols are: {', '.join(known) or 'none'}")
    return found
