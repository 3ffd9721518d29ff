"""The producer that works by boundaries: at each place value of the outer shape, contiguous or harmless.

Take two dims that differ only by dims of size 1 between them. Either the boundary between them cannot disturb the
merge, or the two dims have to be contiguous. `Boundaries.free` says, per query, when a boundary cannot disturb.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

from symview.answers import AffineView, CaseData, Status
from symview.cases.algebra import Algebra, Literals
from symview.cases.forks import Stopped, split
from symview.cases.query import Query
from symview.cases.simplify.cases import simplified, simplify_for_display, with_where
from symview.cases.simplify.clauses import Clause, possible
from symview.logic.entailment import Entailment
from symview.logic.polynomial import Poly, minus, substitute, times
from symview.logic.sympy_bridge import free_symbols, to_text
from symview.logic.terms import FALSE, TRUE, Term, conj, names, negated, num
from symview.views.addresses import UNIT, product_of

_MOST_LEAVES = 500
_STEPS = 3_000  # budget steps for each leaf, not counting solver calls


class Leaf(NamedTuple):
    """Decisions on sizes that can hold together, the clauses that remain there, and the facts known there.

    `why` says why the clauses are needed, if several boundaries overflow and their relation was found. `alone` lists
    the dims of the clauses that are needed whatever the other boundaries do.
    """

    decisions: tuple[Term, ...]
    clauses: tuple[Clause, ...]
    known: Entailment
    why: str = ""
    alone: tuple[tuple[int, int] | None, ...] = ()

    def refused(self) -> Clause | None:
        """A clause that no values satisfy here."""
        return next((c for c in self.clauses if not c.literals), None)

    def is_open(self, one: Term) -> bool:
        """Whether the comparison has not been decided yet."""
        return one not in self.decisions and negated(one) not in self.decisions

    def chosen(self, one: Term) -> Leaf:
        """The leaf where the comparison holds as well."""
        other = negated(one)
        left = [c._replace(literals=tuple([e for e in c.literals if e != other])) for c in self.clauses]
        clauses = tuple([c for c in left if one not in c.literals])
        return self._replace(decisions=(*self.decisions, one), clauses=clauses, known=self.known.also(one))

    def both(self, questions: Iterable[Term]) -> list[Leaf]:
        """The leaves where the first of the comparisons holds and where it fails; none if there is no comparison."""
        return next(([self.chosen(one), self.chosen(negated(one))] for one in questions), [])


class Boundaries:
    """One query about an outer view, with its sizes and strides as polynomials, and the known facts.

    `more` are the integers of the query that are not entries of the outer view.
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
        self.steps = self.strides  # equal to the strides wherever the view has an element

    def free(self, high: int, low: int, place: Poly) -> Literals:
        """Formulas, each of which makes the boundary between two dims harmless, if both dims have sizes above 1."""
        raise NotImplementedError

    def view(self, leaf: Leaf) -> AffineView:
        """The merged view where the leaf's decisions and equations hold."""
        raise NotImplementedError

    def may_be_unneeded(self, leaf: Leaf) -> bool:
        """Whether the leaf's equations, which are sufficient, may not be necessary."""
        return False

    def why_open(self, leaf: Leaf) -> str:
        """Why it is unknown whether the equations are necessary."""
        return ""

    def split_candidates(self, leaf: Leaf) -> Iterable[Term]:
        """Comparisons whose answers might show whether the equations are necessary."""
        return ()

    def split(self, leaf: Leaf, literals: Sequence[Term]) -> Sequence[Leaf]:
        """Leaves that together replace this one; none if it is final. `literals`: the open literals of its clauses."""
        return leaf.both(filter(leaf.is_open, chain(literals, self.split_candidates(leaf))))

    def contiguous(self) -> Iterator[Clause]:
        """Per pair of outer dims a clause: they are contiguous, or a size of 1 hides the boundary, or it is free."""
        algebra, rank = self.algebra, 0 if {} in self.old else len(self.old)
        for low in range(1, rank):
            place = product_of(self.old[low:])
            for high in range(low - 1, -1, -1):
                self.budget.check()
                between = self.old[high + 1 : low]
                literals = [algebra.nonzero(minus(n, UNIT)) for n in between]
                literals += [e for n in (high, low) for e in algebra.zero(minus(self.old[n], UNIT))]
                literals += self.free(high, low, place)
                defect = minus(self.steps[high], times(self.old[low], self.steps[low]))
                literals += algebra.zero(defect)
                yield Clause(tuple([e for e in literals if e != FALSE]), self._why(high, low), (high, low))

    def _why(self, high: int, low: int) -> str:
        have = to_text(self.outer.strides[high])
        needed_ = to_text(self.algebra.term(times(self.old[low], self.strides[low])))
        return f"dims {high} and {low} are not contiguous: stride {high} is {have}, but would have to be {needed_}"

    def cases(self, clauses: Sequence[Clause], known: Entailment, given: tuple[Term, ...] = ()) -> list[CaseData]:
        """The cases by conditions on the sizes; where the budget ends, a case is undecided."""
        found = list[CaseData]()
        for end in split(Leaf(given, tuple(clauses), known), self._step, _MOST_LEAVES):
            leaf, why = end if isinstance(end, Stopped) else (end, "")
            case = None if why else self.case(leaf)
            if case is None or self.budget.is_over():  # a proof that failed for lack of budget may exist
                why, enough = why or self.budget.ending(), tuple(self.enough())
                case = CaseData(TRUE, Status.UNDECIDED, enough, reason=why, confirmed=False)
            found += self.refined(leaf, replace(case, where=conj(leaf.decisions)))
        return simplified(found, self.known, self.said)

    def refined(self, leaf: Leaf, case: CaseData) -> Iterable[CaseData]:
        """The case of a leaf, or several cases that refine it."""
        return (case,)

    def said(self, case: CaseData) -> CaseData:
        """The case in fewer words."""
        return with_where(case, self.where(case.where))

    def where(self, where: Term) -> Term:
        """An equivalent formula, simplified."""
        return simplify_for_display(self.query, where, self.known)

    def _step(self, leaf: Leaf) -> tuple[Leaf | None, Sequence[Leaf]]:
        """Splits on one comparison of sizes: the one in the most clauses, or else one of the candidates."""
        self.budget.spend(_STEPS)
        clauses = tuple([c for clause in leaf.clauses if (c := possible(clause, leaf.known)) is not None])
        leaf = leaf._replace(clauses=clauses)
        if leaf.refused() is not None and not self.may_be_unneeded(leaf):
            return leaf, []
        often = Counter(e for c in clauses for e in c.literals if self._about_sizes(e))
        found = self.split(leaf, sorted(often, key=lambda e: -often[e]))
        return (None, found) if found else (leaf, [])

    def enough(self) -> Iterator[Term]:
        """Sufficient equations wherever all indices are in bounds: neighbouring dims are contiguous."""
        for high in range(len(self.old) - 1):
            below = times(self.old[high + 1], self.strides[high + 1])
            if minus(self.strides[high], below):
                yield Term("==", (self.algebra.term(self.strides[high]), self.algebra.term(below)))

    def _about_sizes(self, literal: Term) -> bool:
        return self.sized.issuperset(names(literal))

    def case(self, leaf: Leaf) -> CaseData:
        """The answer in one leaf; the caller fills in its `where`."""
        refused = leaf.refused()
        if refused is not None and not self.may_be_unneeded(leaf):
            return CaseData(TRUE, Status.NEVER, reason=refused.why)
        equations = tuple(dict.fromkeys([self._equation(c) for c in leaf.clauses]))
        if self.may_be_unneeded(leaf):
            why = self.why_open(leaf)
            return CaseData(TRUE, Status.UNDECIDED, equations, self.view(leaf), reason=why, confirmed=False)
        status = Status.WHEN if equations else Status.ALWAYS
        return CaseData(TRUE, status, equations, self.view(leaf), reason=leaf.why or self.reason)

    def _equation(self, clause: Clause) -> Term:
        if len(clause.literals) == 1:
            return clause.literals[0]
        if clause.dims is not None:
            return Term("==", tuple(map(self.algebra.term, self._sides(clause))))  # a product that has to be 0
        factors = [minus(*map(self.algebra.poly_of, e.args)) for e in clause.literals]
        return Term("==", (self.algebra.term(product_of(factors)), num(0)))

    def _sides(self, clause: Clause) -> tuple[Poly, Poly]:
        """The two sides of the equation that makes the clause's dims contiguous."""
        high, low = clause.dims or (0, 0)
        return self.strides[high], times(self.old[low], self.strides[low])


def solutions(decisions: Sequence[Term], algebra: Algebra) -> dict[str, Poly]:
    """The names for which the equations among the decisions can be solved, each with its polynomial."""
    found: dict[str, Poly] = {}
    left = [minus(*map(algebra.poly_of, t.args)) for t in decisions if t.op == "=="]
    while True:
        left = with_solved(left, found)
        solved = next((s for p in left if (s := _solved(p)) is not None), None)
        if solved is None:
            return found
        name, by = solved
        found = {n: substitute(p, name, by) for n, p in found.items()} | {name: by}


def _solved(p: Poly) -> tuple[str, Poly] | None:
    """A name and the polynomial in the other names that p = 0 makes it equal to."""
    for m, c in p.items():
        if len(m) == 1 and not any(m[0] in n for n in p if n != m) and all(d % c == 0 for d in p.values()):
            return m[0], {n: -d // c for n, d in p.items() if n != m}
    return None


def with_solved(polys: Iterable[Poly], equal: Mapping[str, Poly]) -> list[Poly]:
    """The polynomials after substituting these names."""
    found = []
    for p in polys:
        for name, by in equal.items():
            p = substitute(p, name, by)
        found.append(p)
    return found
