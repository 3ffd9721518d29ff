"""From clauses to cases: which comparisons of sizes hold, and what is then left to the strides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.terms import Term, negated
from symview.symbolic.clauses import Clause, possible

_STEPS = 3_000  # of work for each node, beside what solvers do


class Leaf(NamedTuple):
    """One combination of comparisons that can occur; the clauses left have no comparison of sizes in them.

    Where the search was `stopped`, the reason why; then some may still be left.
    """

    decisions: tuple[Term, ...]
    clauses: tuple[Clause, ...]
    known: Entailment
    stopped: str = ""

    def refused(self) -> Clause | None:
        """A clause that nothing satisfies here."""
        return next((c for c in self.clauses if not c.literals), None)

    def chosen(self, one: Term) -> Leaf:
        """Where the comparison holds as well."""
        other = negated(one)
        left = [c._replace(literals=tuple([e for e in c.literals if e != other])) for c in self.clauses]
        clauses = tuple([c for c in left if one not in c.literals])
        return Leaf((*self.decisions, one), clauses, self.known.also(one))


def leaves(
    root: Leaf,
    about_sizes: Callable[[Term], bool],
    more: Callable[[Leaf], Iterable[Term]],
    final: Callable[[Leaf], bool],
    most: int,
    budget: Budget,
) -> Iterator[Leaf]:
    """The leaves, disjoint and together everything that the facts allow.

    `more` may ask for one more comparison, of several, where no clause has one left; `final` says whether a
    clause that nothing satisfies ends the matter. After `most` leaves, or where the budget ends, the others
    come as they are.
    """
    pending, count = [root], 0
    while pending:
        leaf = pending.pop()
        budget.count(_STEPS)
        if budget.is_over() or count == most:
            stopped = budget.ending() if budget.is_over() else f"there are more than {most} cases to tell apart"
            yield leaf._replace(stopped=stopped)
            continue
        left = tuple([c for clause in leaf.clauses if (c := possible(clause, leaf.known)) is not None])
        leaf = leaf._replace(clauses=left)
        done = leaf.refused() is not None and final(leaf)
        one = None if done else _undecided([*_by_frequency(left, about_sizes)], leaf) or _undecided(more(leaf), leaf)
        if one is None:
            count += 1
            yield leaf
        else:
            pending += [leaf.chosen(negated(one)), leaf.chosen(one)]


def _by_frequency(clauses: Sequence[Clause], about_sizes: Callable[[Term], bool]) -> list[Term]:
    found = Counter(e for c in clauses for e in c.literals if about_sizes(e))
    return sorted(found, key=lambda e: -found[e])


def _undecided(candidates: Iterable[Term], leaf: Leaf) -> Term | None:
    """The first comparison that was not decided on the way."""
    return next((e for e in candidates if e not in leaf.decisions and negated(e) not in leaf.decisions), None)
