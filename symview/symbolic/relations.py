"""Boundaries that overflow together: whether each one's equation is needed, or only their sum or difference.

One that overflows alone is always needed. Several are where each carries before the next larger one does. Two are
equal, opposite or independent, which `two_boundaries` tells; questions that may help it, and few values of a name,
split what is in doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, plus
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import FALSE, TRUE, Term, conj, negated, num, sym, walk
from symview.symbolic.addresses import Axis, divided, split_by
from symview.symbolic.algebra import difference
from symview.symbolic.boundaries import UNIT, Boundaries, Leaf, product_of, solutions, with_solved
from symview.symbolic.cases import tidied
from symview.symbolic.clauses import Clause
from symview.symbolic.facts import Query
from symview.symbolic.few_values import few_values
from symview.symbolic.shortening import by_structure
from symview.symbolic.two_boundaries import TwoBoundaries

_LONG = 300  # nodes of a formula
_MOST_ANALYSES = 16  # leaves of one query


class Related(Boundaries):
    """Boundaries of addresses start + Σ i·step, whose overflows may depend on one another."""

    axes: list[Axis]
    start: Poly
    raw: list[Clause]

    def __init__(self, query: Query, more: Sequence[Any]) -> None:
        super().__init__(query, more)
        self.loose: list[Poly] = []  # place values at which idleness is not told exactly
        self.analyses = 0  # leaves that were looked at for how boundaries are related
        self.tied = False  # whether boundaries were found that overflow equally or oppositely

    def divided(self, p: Poly, place: Poly, known: Entailment) -> tuple[Poly, Poly]:
        """Quotient and remainder."""
        return divided(p, place, self.algebra, known)

    def where(self, where: Term) -> Term:
        """The same as shortly as is known; what tells relations at length as it is, since solvers know little of it."""
        long = self.tied and sum(1 for _ in walk(where)) > _LONG
        return tidied(by_structure(where, self.algebra), self.query.symbols) if long else super().where(where)

    def doubt(self, leaf: Leaf) -> str:
        """One boundary is always needed; several where each carries before the larger ones, or by their relation."""
        if leaf.why:
            return ""
        places = list(map(self._place, self._disturbed(leaf)))
        loose = [p for p in places if p in self.loose]
        if loose:
            shown = to_text(self.algebra.term(loose[0]))
            return f"enough, but perhaps not needed: too many axes may wrap around at place value {shown}"
        if len(places) < 2 or all(self._carries_first(p, leaf.known) for p in places):
            return ""
        shown = " and ".join(to_text(self.algebra.term(p)) for p in places)
        return f"enough, but perhaps not needed: whether the overflows at place values {shown} are independent is open"

    def _disturbed(self, leaf: Leaf) -> list[Clause]:
        """The clauses of boundaries that the leaf's decisions alone do not make harmless, larger place values first."""
        if not leaf.clauses:
            return []
        said = leaf.known.said
        open_ = [c for c in self.raw if said.isdisjoint(c.literals) and TRUE not in c.literals]
        open_ = [c for c in open_ if not leaf.known.implies(c.term())]
        return sorted(open_, key=lambda c: c.dims or (0, 0))

    def _place(self, clause: Clause) -> Poly:
        return product_of(self.old[clause.dims[1] :]) if clause.dims else UNIT

    def _carries_first(self, place: Poly, known: Entailment) -> bool:
        """Every stride is a multiple of the place value, or from 0 to below it; and the offset is below it."""
        if self.start and not known.implies(self.algebra.within(self.start, place)):
            return False
        for axis in self.axes:
            whole, rest = split_by(axis.step, place)
            if rest and (whole or not known.implies(self.algebra.within(axis.step, place))):
                return False
            if rest and self.start and not known.implies(self.algebra.below(plus(self.start, rest), place)):
                return False
        return True

    def doubtful(self, leaf: Leaf) -> Iterator[Term]:
        """Comparisons that might settle a doubt: of a stride, or of a number beside multiples, with a place value."""
        known = leaf.known.patient(self.budget.part(4))
        places = [] if leaf.why or known.is_tired() else list(map(self._place, self._disturbed(leaf)))
        for place in places if len(places) > 1 else ():
            for step in (axis.step for axis in self.axes):
                beside = (split_by(x, place)[1] for x in (step, self.start, plus(self.start, step)))
                numbers = [x for x in beside if x and set(x) == {ONE} and set(place) != {ONE}]
                for x in ([step] if split_by(step, place)[1] else []) + numbers:
                    question = self.algebra.below(x, place)
                    if not known.implies(question) and not known.implies(negated(question)):
                        yield question
        if len(places) == 2 and (two := self._two(leaf, *self._disturbed(leaf))) is not None:
            yield from two.open

    def related(self, leaf: Leaf) -> list[Leaf]:
        """Two boundaries overflow equally, oppositely or independently: a leaf for each that can be."""
        if self.analyses > _MOST_ANALYSES or not self.doubt(leaf):
            return []
        self.analyses += 1
        told = leaf._replace(known=leaf.known.patient(self.budget.part(4)))
        return [one._replace(known=leaf.known.also(*one.known.facts)) for one in self._related(told)]

    def _related(self, leaf: Leaf) -> list[Leaf]:
        disturbed = self._disturbed(leaf)
        if len(disturbed) != 2 or any(self._place(c) in self.loose for c in disturbed):
            return []
        open_ = next((e for c in disturbed for e in c.literals if self._about_sizes(e) and self._open(e, leaf)), None)
        if open_ is not None and {c.dims for c in disturbed} != {c.dims for c in leaf.clauses}:
            return [leaf.chosen(open_), leaf.chosen(negated(open_))]
        return self._by_relation(leaf, *disturbed)

    def _open(self, literal: Term, leaf: Leaf) -> bool:
        return leaf.is_open(literal) and not leaf.known.impossible(literal)

    def _by_relation(self, leaf: Leaf, upper: Clause, lower: Clause) -> list[Leaf]:
        two = self._two(leaf, upper, lower)
        if two is None:
            return []
        found, apart = list[Leaf](), leaf
        for sign, word in ((1, "equal"), (-1, "opposite")):
            parts = [FALSE] if sign < 0 and two.rises() else two.related(sign)
            if parts is None:
                return []
            same = _left(parts, apart.known)
            if not apart.known.impossible(same):
                both = Clause(self.algebra.zero(plus(self._defect(upper), self._defect(lower), sign)), upper.why)
                here = apart if same == TRUE else apart.chosen(same)
                self.tied = True
                found.append(here._replace(clauses=(both,), why=f"exact: the overflows of two boundaries are {word}"))
                apart = apart.chosen(negated(same))
        if FALSE not in apart.decisions:
            found.append(apart._replace(why="exact: the overflows of two boundaries are independent"))
        return found

    def _two(self, leaf: Leaf, upper: Clause, lower: Clause) -> TwoBoundaries | None:
        """The boundaries of two clauses, what the leaf says that names are being used."""
        (_, top), (high, low) = upper.dims or (0, 0), lower.dims or (0, 0)
        if top > high:
            return None
        equal = solutions([f for f in leaf.known.facts if f.op == "=="], self.algebra)
        old, (start,) = with_solved(self.old, equal), with_solved([self.start], equal)
        axes = [Axis(*with_solved(a, equal)) for a in self.axes]
        place, ratio = product_of(old[low:]), product_of(old[top:low])
        return TwoBoundaries(self.algebra, self.divided, leaf.known, place, ratio, start, axes)

    def _defect(self, clause: Clause) -> Poly:
        return difference(*self._sides(clause))

    def valued(self, leaf: Leaf) -> list[Leaf]:
        """A leaf for each value of the name to which the fewest are left, where that may settle a doubt."""
        if not self.doubt(leaf):
            return []
        among = [n for n in self.sized if self._is_free(n, leaf)]
        positive = [Term(">=", (sym(n), num(1))) for n in among if n in self.algebra.positive]
        found = few_values(among, [*leaf.known.facts, *positive])
        if found is None:
            return []
        name, values = found
        return [leaf.chosen(Term("==", (sym(name), num(v)))) for v in values]

    def _is_free(self, name: str, leaf: Leaf) -> bool:
        """Whether the name occurs in what boundaries are about, and its value is not known."""
        used = [*self.old[1:], self.start, *(p for a in self.axes for p in a)]
        known = solutions([f for f in leaf.known.facts if f.op == "=="], self.algebra)
        return name not in known and any(name in self.algebra.names(p) for p in used)


def _left(parts: Sequence[Term], known: Entailment) -> Term:
    """The conjunction of the parts that are not known to hold; false where one is known not to."""
    if FALSE in parts or any(map(known.impossible, parts)):
        return FALSE
    return conj(p for p in parts if not known.implies(p))
