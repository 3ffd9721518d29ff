"""From clauses to cases: which comparisons of sizes hold, and what is then left to the strides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from symview.errors import InternalError
from symview.logic.entailment import Entailment
from symview.logic.terms import Term, negated
from symview.symbolic.clauses import Clause, possible


class Leaf(NamedTuple):
    """One combination of comparisons that can occur; the clauses left have no comparison of sizes in them."""

    decisions: tuple[Term, ...]
    clauses: tuple[Clause, ...]
    known: Entailment

    def refused(self) -> Clause | None:
        """A clause that nothing satisfies here."""
        return next((c for c in self.clauses if not c.literals), None)


def leaves(
    clauses: Sequence[Clause],
    known: Entailment,
    about_sizes: Callable[[Term], bool],
    decisions: tuple[Term, ...] = (),
    more: Callable[[Leaf], Term | None] = lambda _: None,
    final: Callable[[Leaf], bool] = lambda _: True,
) -> Iterator[Leaf]:
    """The leaves, disjoint and together everything that the facts allow.

    `more` may ask for one more comparison where no clause has one left; `final` says whether a
    clause that nothing satisfies ends the matter.
    """
    left = tuple([c for clause in clauses if (c := possible(clause, known)) is not None])
    leaf = Leaf(decisions, left, known)
    done = leaf.refused() is not None and final(leaf)
    one = None if done else _most_frequent(left, about_sizes) or more(leaf)
    if one is not None and (one in decisions or negated(one) in decisions):
        raise InternalError(f"{one} was decided before")
    if one is None:
        yield leaf
        return
    for choice in (one, negated(one)):
        yield from leaves(left, known.also(choice), about_sizes, (*decisions, choice), more, final)


def _most_frequent(clauses: Sequence[Clause], about_sizes: Callable[[Term], bool]) -> Term | None:
    found = Counter(e for c in clauses for e in c.literals if about_sizes(e))
    return max(found, key=lambda e: found[e]) if found else None
