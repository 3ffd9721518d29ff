"""Conditions by boundaries: at each place value of the outer shape, contiguous or undisturbed.

Between two neighbouring dims that are not of size 1, a boundary either cannot disturb, or the two
dims have to be contiguous. What "cannot disturb" means depends on the query: see `Boundaries.free`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from symview.answers import AffineView, CaseData, Status
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, substitute, times
from symview.logic.sympy_bridge import free_symbols, to_text
from symview.logic.terms import FALSE, TRUE, IntTerm, Term, conj, conjuncts, disj, names, negated, num
from symview.symbolic.algebra import Algebra, Literals, difference
from symview.symbolic.cases import tidied
from symview.symbolic.clauses import Clause, needed
from symview.symbolic.facts import Query
from symview.symbolic.intervals import shortened
from symview.symbolic.tree import Leaf, leaves

_MOST_LEAVES = 500
UNIT: Poly = {ONE: 1}


class Boundaries:
    """One query about an outer view: its sizes and strides as polynomials, and what is known.

    `more` are the other integers of the query, beside those of the outer view.
    """

    known: Entailment
    reason = "exact: the overflows of different place values below the size are independent"

    def __init__(self, query: Query, more: Sequence[Any]) -> None:
        self.query, self.budget, self.facts = query, query.budget, query.facts
        self.outer = query.views[0]
        self.sized = frozenset(free_symbols([*self.outer.shape, *more]))
        self.algebra = query.algebra
        self.old = [self.algebra.poly(n) for n in self.outer.shape]
        self.strides = [self.algebra.poly(t) for t in self.outer.strides]

    def free(self, high: int, low: int, place: Poly) -> Literals:
        """What makes the boundary between two dims harmless where no size of 1 hides it."""
        raise NotImplementedError

    def view(self, leaf: Leaf) -> AffineView:
        """The merged view where the leaf's decisions and equations hold."""
        raise NotImplementedError

    def doubt(self, leaf: Leaf) -> str:
        """Why the leaf's equations, which are enough, are not known to be needed; empty where they are."""
        return ""

    def is_fatal(self, leaf: Leaf) -> bool:
        """Whether the views never merge where a leaf has a clause that nothing satisfies."""
        return not self.doubt(leaf)

    def doubtful(self, leaf: Leaf) -> Iterable[Term]:
        """Comparisons whose answers might settle a doubt."""
        return ()

    def contiguous(self) -> Iterator[Clause]:
        """Per pair of outer dims: they are contiguous, or a size of 1 hides it, or the boundary is free."""
        algebra, rank = self.algebra, 0 if {} in self.old else len(self.old)
        for low in range(1, rank):
            place = product_of(self.old[low:])
            for high in range(low - 1, -1, -1):
                between = self.old[high + 1 : low]
                literals = [algebra.nonzero(difference(n, UNIT)) for n in between]
                literals += [e for n in (high, low) for e in algebra.zero(difference(self.old[n], UNIT))]
                literals += self.free(high, low, place)
                defect = difference(self.strides[high], times(self.old[low], self.strides[low]))
                literals += algebra.zero(defect)
                yield Clause(tuple([e for e in literals if e != FALSE]), self._why(high, low), (high, low))

    def _why(self, high: int, low: int) -> str:
        have = to_text(self.outer.strides[high])
        needed_ = to_text(self.algebra.term(times(self.old[low], self.strides[low])))
        place = to_text(self.algebra.term(product_of(self.old[low:])))
        return (
            f"dims {high} and {low} would have to be contiguous (place value {place}): "
            f"stride {high} is {have}, and {needed_} is needed"
        )

    def cases(self, clauses: Sequence[Clause], known: Entailment, given: tuple[Term, ...] = ()) -> list[CaseData]:
        """By what the sizes satisfy; cases with one answer are one, and what the budget leaves open is one more."""
        found: dict[Any, tuple[list[tuple[Term, ...]], CaseData]] = {}
        left: list[Leaf] = []
        root = Leaf(given, tuple(clauses), known)
        for leaf in leaves(root, self._about_sizes, self.doubtful, self.is_fatal, _MOST_LEAVES, self.budget):
            case = None if leaf.stopped else self.case(leaf)
            if case is None or self.budget.is_over():  # what was not proved for lack of budget may be so
                left.append(leaf if leaf.stopped else leaf._replace(stopped=self.budget.ending()))
            else:
                key = (case.status, case.required, case.view, case.reason)
                found.setdefault(key, ([], case))[0].append(leaf.decisions)
        cases = [replace(case, where=self.where(paths)) for paths, case in found.values()]
        if left:
            where, why = self.where([leaf.decisions for leaf in left]), left[0].stopped
            cases.append(CaseData(where, Status.UNDECIDED, tuple(self.enough()), reason=why, confirmed=False))
        return cases

    def where(self, paths: Iterable[tuple[Term, ...]]) -> Term:
        """That one of these sequences of decisions is right, as shortly as is known."""
        shown = []
        for path in _joined(paths):
            parts = shortened([p for d in path for p in conjuncts(d)], self.known.facts, self.algebra)
            shown.append(conj(needed(parts, self.known)))
        return tidied(disj(shown), self.query.symbols)

    def enough(self) -> Iterator[Term]:
        """Equations that are enough wherever all indices are in bounds: neighbouring dims are contiguous."""
        for high in range(len(self.old) - 1):
            below = times(self.old[high + 1], self.strides[high + 1])
            if difference(self.strides[high], below):
                yield Term("==", (self.algebra.term(self.strides[high]), self.algebra.term(below)))

    def _about_sizes(self, literal: Term) -> bool:
        return self.sized.issuperset(names(literal))

    def case(self, leaf: Leaf) -> CaseData:
        """The answer in one leaf; its `where` is left open."""
        refused = leaf.refused()
        if refused is not None and self.is_fatal(leaf):
            return CaseData(TRUE, Status.NEVER, reason=refused.why)
        equations = tuple(dict.fromkeys([self._equation(c) for c in leaf.clauses]))
        doubt = self.doubt(leaf)
        if doubt:
            return CaseData(TRUE, Status.UNDECIDED, equations, self.view(leaf), reason=doubt, confirmed=False)
        status = Status.WHEN if equations else Status.ALWAYS
        return CaseData(TRUE, status, equations, self.view(leaf), reason=self.reason)

    def _equation(self, clause: Clause) -> Term:
        if not clause.literals:  # what it asks for cannot be, but may not be needed
            return Term("==", tuple(map(self.algebra.term, self._sides(clause))))
        if len(clause.literals) == 1:
            return clause.literals[0]
        return Term("==", (Term("*", tuple([Term("-", e.args) for e in clause.literals])), num(0)))

    def _sides(self, clause: Clause) -> tuple[Poly, Poly]:
        """Both sides of what would make the clause's dims contiguous."""
        high, low = clause.dims or (0, 0)
        return self.strides[high], times(self.old[low], self.strides[low])

    def entry(self, p: Poly) -> IntTerm:
        """The polynomial as an entry of a view."""
        return p.get(ONE, 0) if set(p) <= {ONE} else self.algebra.term(p)


def _joined(paths: Iterable[tuple[Term, ...]]) -> list[tuple[Term, ...]]:
    """The paths through a tree of decisions; where both branches of a decision are among them, it does not matter."""
    pending, found = list(paths), dict[tuple[Term, ...], None]()
    while pending:
        path = pending.pop(0)
        others = [q for q in found if q and path and q[:-1] == path[:-1] and _opposite(q[-1], path[-1])]
        if others:
            del found[others[0]]
            pending.insert(0, path[:-1])
        else:
            found[path] = None
    return list(found)


def _opposite(one: Term, other: Term) -> bool:
    return one == negated(other) or negated(one) == other


def product_of(sizes: Sequence[Poly]) -> Poly:
    """The product; of nothing, 1."""
    return reduce(times, sizes, UNIT)


def places_of(sizes: Sequence[Poly]) -> list[Poly]:
    """The row-major place value of each dim."""
    return [product_of(sizes[n + 1 :]) for n in range(len(sizes))]


def solutions(decisions: Sequence[Term], algebra: Algebra) -> dict[str, Poly]:
    """What the equations among the decisions say that single names are."""
    found: dict[str, Poly] = {}
    left = [difference(*map(algebra.poly_of, t.args)) for t in decisions if t.op == "=="]
    while True:
        left = with_solved(left, found)
        solved = next((s for p in left if (s := _solved(p)) is not None), None)
        if solved is None:
            return found
        name, by = solved
        found = {n: substitute(p, name, by) for n, p in found.items()} | {name: by}


def _solved(p: Poly) -> tuple[str, Poly] | None:
    """A name that p = 0 gives as a polynomial in the others."""
    for m, c in p.items():
        if len(m) == 1 and not any(m[0] in n for n in p if n != m) and all(d % c == 0 for d in p.values()):
            return m[0], {n: -d // c for n, d in p.items() if n != m}
    return None


def with_solved(polys: Iterable[Poly], equal: Mapping[str, Poly]) -> list[Poly]:
    """The polynomials with these names replaced."""
    found = []
    for p in polys:
        for name, by in equal.items():
            p = substitute(p, name, by)
        found.append(p)
    return found
