"""What is known of the sizes and strides of one view: where its elements lie, its offset aside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.algebra import Algebra, Literals
from symview.cases.clauses import Clause
from symview.cases.query import Query
from symview.errors import InputError
from symview.logic.entailment import Entailment
from symview.logic.polynomial import Poly, minus, plus
from symview.logic.solve import CASE, is_impossible
from symview.logic.sympy_bridge import is_number, to_term, to_text
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, negated, num
from symview.views.boundaries import UNIT

_MOST_WORK = 9_000_000  # of what only makes a condition shorter
_COMPARED = 8  # alternatives, each with all others
_NOTHING = (Term("==", (num(0), num(1))),)  # an equation that nothing satisfies: none is known to be enough


class Extents(NamedTuple):
    """The box of the valid indices of a query's view, its sizes and strides as polynomials.

    `dims`: those that can be of another size than 1; `empty`: where no index is valid, `TRUE` for always.
    """

    query: Query
    facts: tuple[Term, ...]
    sizes: Sequence[Poly]
    strides: Sequence[Poly]
    dims: tuple[int, ...]
    empty: Literals

    @property
    def algebra(self) -> Algebra:
        """The polynomials' symbols."""
        return self.query.algebra

    def knowing(self, clauses: Sequence[Clause]) -> Entailment:
        """What follows from the facts; the clauses are what will be asked about."""
        budget = self.query.budget.part(1, _MOST_WORK)
        return Entailment(self.facts, budget, [e for c in clauses for e in c.literals])

    def unit(self, dim: int) -> Literals:
        """That the dim is of size 1."""
        return self.algebra.zero(minus(self.sizes[dim], UNIT))

    def placed(self, dim: int, place: Poly, flips: bool = False) -> Clause:
        """That the dim has this stride, with `flips` of either sign, or is of size 1."""
        algebra, stride = self.algebra, self.strides[dim]
        literals = (*self.unit(dim), *algebra.zero(minus(stride, place)))
        if flips:
            literals = (*literals, *algebra.zero(plus(stride, place)))
        have, needed = (to_text(algebra.term(p)) for p in (stride, place))
        return Clause(tuple([e for e in literals if e != FALSE]), f"stride {dim} is {have}, and {needed} is needed")

    def exact(self, clauses: Sequence[Term], why: str, why_never: str) -> ConditionsData:
        """The answer that is a conjunction of clauses, of views that are not empty."""
        clauses = () if TRUE in self.empty else tuple([disj((*self.empty, c)) for c in clauses if c != TRUE])
        whole = FALSE if FALSE in clauses else conj(clauses)
        cases = [CaseData(whole, Status.ALWAYS, reason=why), CaseData(negated(whole), Status.NEVER)]
        if whole == FALSE:
            cases, clauses = [CaseData(TRUE, Status.NEVER, reason=why_never)], (FALSE,)
        query = self.query
        shown = tuple([c for c in cases if c.where != FALSE])
        return ConditionsData(query.views, shown, query.assumed, self.facts, clauses)

    def between(self, enough: Term, needed: Term, why: str) -> ConditionsData:
        """The answer where `enough` is enough and `needed` is needed, and what lies between is open."""
        enough, needed = (disj((*self.empty, f)) for f in (enough, needed))
        open_ = conj((needed, negated(enough)))
        cases = [
            CaseData(enough, Status.ALWAYS, reason="no dim reaches as far as the next one is apart"),
            CaseData(negated(needed), Status.NEVER),
            CaseData(open_, Status.UNDECIDED, _NOTHING, reason=why, confirmed=False),
        ]
        brief = self.query.budget.at_most(CASE)
        found = tuple([c for c in cases if not is_impossible([*self.facts, c.where], brief)])
        return ConditionsData(self.query.views, found, self.query.assumed, self.facts)


def extents(query: Query) -> Extents:
    """Of the query's one view; where it has a mask, of the indices that this leaves."""
    (view,) = query.views
    algebra, facts = query.algebra, list(query.facts.formulas)
    empty = [e for n in query.facts.empty for e in algebra.zero(algebra.poly(n))]
    bounds = view.bounds() if not view.is_void() else [(0, 0)] * view.rank
    sizes = []
    for (low, high), size in zip(bounds, view.shape, strict=True):
        sizes.append(minus(algebra.poly(high), algebra.poly(low)))
        if (low, high) != (0, size) and not all(map(is_number, (low, high, size))):
            least, lows, highs, top = num(0), to_term(low), to_term(high), to_term(size)
            facts += [Term("<=", pair) for pair in ((least, lows), (lows, highs), (highs, top))]
            empty += [e for e in algebra.zero(sizes[-1]) if e != FALSE]
    if view.is_void():
        empty = [TRUE]
    if facts != list(query.facts.formulas) and is_impossible(facts, query.budget):
        raise InputError(f"{view}: no values that are allowed keep 0 <= lo <= hi <= size of its mask")
    dims = tuple([a for a, n in enumerate(sizes) if n != UNIT])
    return Extents(query, tuple(facts), sizes, [algebra.poly(t) for t in view.strides], dims, tuple(empty))


def one_of(alternatives: Sequence[Sequence[Term]], known: Entailment) -> list[Term]:
    """Conjunctions of which one has to hold, as clauses: without those that others cover, where they are not many."""
    left = [a for n, a in enumerate(alternatives) if a not in alternatives[:n]]
    for one in reversed(left) if len(left) <= _COMPARED else ():
        others = [negated(conj(o)) for o in left if o is not one]
        if known.impossible(conj(one), *others):
            left = [o for o in left if o is not one]
    if [] in map(list, left) or not left:
        return [] if left else [FALSE]
    return list(left[0]) if len(left) == 1 else [disj(map(conj, left))]
