"""Sizes and strides of one view, without its offset; when it is contiguous in a given order of its dims, or any."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.algebra import Algebra, Literals
from symview.cases.query import Query
from symview.cases.simplify.cases import with_brief_clauses
from symview.cases.simplify.clauses import Clause, possible, simplified_clauses
from symview.errors import InputError, Undecided
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.polynomial import Poly, minus, plus, times
from symview.logic.solve import CASE, is_impossible
from symview.logic.sympy_bridge import is_number, to_term, to_text
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, negated, num
from symview.views.addresses import UNIT, product_of

_MOST_WORK = 9_000_000  # budget steps for simplifying a condition
_COMPARED = 8  # alternatives, each compared with all others
_NOTHING = (Term("==", (num(0), num(1))),)  # an equation that is always false: no sufficient one is known
_STEPS = 3_000  # budget steps per placed dim, not counting solver calls
_IN_ORDER = "exact: each dim that is not of size 1 has the stride that the order gives it"
_DENSE = "exact: addresses are an interval, each of one index, just where the dims are contiguous in some order"


class Extents(NamedTuple):
    """The box of valid indices of a query's view, with sizes and strides as polynomials.

    `dims`: the dims whose size is not always 1; `empty`: literals that no index is valid, `TRUE` if that is always so.
    """

    query: Query
    facts: tuple[Term, ...]
    sizes: Sequence[Poly]
    strides: Sequence[Poly]
    dims: tuple[int, ...]
    empty: Literals

    @property
    def algebra(self) -> Algebra:
        """The algebra of the query's polynomials."""
        return self.query.algebra

    def knowing(self, clauses: Sequence[Clause]) -> Entailment:
        """The entailment from the facts, prepared for questions about these clauses."""
        budget = self.query.budget.part(1, _MOST_WORK)
        return Entailment(self.facts, budget, [e for c in clauses for e in c.literals])

    def unit(self, dim: int) -> Literals:
        """The literals that the dim has size 1."""
        return self.algebra.zero(minus(self.sizes[dim], UNIT))

    def placed(self, dim: int, place: Poly, flips: bool = False) -> Clause:
        """The clause that the dim has this stride (with `flips`, of either sign), or size 1."""
        algebra, stride = self.algebra, self.strides[dim]
        literals = (*self.unit(dim), *algebra.zero(minus(stride, place)))
        if flips:
            literals = (*literals, *algebra.zero(plus(stride, place)))
        have, needed = (to_text(algebra.term(p)) for p in (stride, place))
        return Clause(
            tuple([e for e in literals if e != FALSE]), f"stride {dim} is {have}, but would have to be {needed}"
        )

    def exact(self, clauses: Sequence[Term], why: str, why_never: str) -> ConditionsData:
        """The answer that a view is empty or satisfies a conjunction of clauses."""
        clauses = () if TRUE in self.empty else tuple([disj((*self.empty, c)) for c in clauses if c != TRUE])
        whole = FALSE if FALSE in clauses else conj(clauses)
        cases = [CaseData(whole, Status.ALWAYS, reason=why), CaseData(negated(whole), Status.NEVER)]
        if whole == FALSE:
            cases, clauses = [CaseData(TRUE, Status.NEVER, reason=why_never)], (FALSE,)
        query = self.query
        shown = tuple([c for c in cases if c.where != FALSE])
        return with_brief_clauses(query, ConditionsData(query.views, shown, query.assumed, self.facts, clauses))

    def between(self, enough: Term, needed: Term, why: str) -> ConditionsData:
        """The answer from a sufficient and a necessary condition; it is undecided between them."""
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
    """The extents of the query's one view; if it has a mask, those of the indices that the mask allows."""
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
    """Clauses that one of the conjunctions holds; if they are few, those that others imply are dropped."""
    left = [a for n, a in enumerate(alternatives) if a not in alternatives[:n]]
    for one in reversed(left) if len(left) <= _COMPARED else ():
        others = [negated(conj(o)) for o in left if o is not one]
        if known.impossible(conj(one), *others):
            left = [o for o in left if o is not one]
    if [] in map(list, left) or not left:
        return [] if left else [FALSE]
    return list(left[0]) if len(left) == 1 else [disj(map(conj, left))]


def cases_by_order(query: Query, order: Sequence[int]) -> ConditionsData:
    """The condition that the view is contiguous in this order of the dims, the fastest first."""
    axes = extents(query)
    place, clauses = UNIT, list[Clause]()
    for dim in order:
        clauses.append(axes.placed(dim, place))
        place = times(place, axes.sizes[dim])
    clauses = [c for c in reversed(clauses) if TRUE not in c.literals]
    left = simplified_clauses(clauses, axes.knowing(clauses))
    refused = next((c.why for c in left if not c.literals), "")
    return axes.exact([c.term() for c in left], _IN_ORDER, refused)


def cases_by_density(query: Query, flips: bool) -> ConditionsData:
    """The condition that the view is contiguous in some order of the dims; with `flips`, up to signs of strides.

    Theory: a view is dense exactly if, in some order of the dims, the stride of each is the product of the faster
    sizes, or its size is 1.
    """
    axes = extents(query)
    known, found, stopped = axes.knowing(()), list[list[Term]](), ""

    def placed(dim: int, left: Sequence[int]) -> Clause:
        return axes.placed(dim, product_of([axes.sizes[d] for d in axes.dims if d not in left]), flips)

    try:
        for one in orders(axes.dims[::-1], placed, known, query.budget):
            found.append([c.term() for c in simplified_clauses([c for _, c in sorted(one.items())], known)])
    except Undecided as stop:
        stopped = stop.reason
    if stopped:
        return axes.between(conj(one_of(found, known)), TRUE, stopped)
    return axes.exact(one_of(found, known), _DENSE, "the dims are contiguous in no order")


def orders(
    dims: Sequence[int], demand: Callable[[int, Sequence[int]], Clause], known: Entailment, budget: Budget
) -> Iterator[dict[int, Clause]]:
    """The clauses that each order of the dims demands, by dim; impossible orders are left out.

    `demand(dim, left)` is the clause for a dim that comes first of those in `left`. The caller claims: a dim whose
    clause always holds may as well come before all of the remaining ones.
    """
    if not dims:
        yield {}
    fitting = list[tuple[int, Clause | None]]()
    for dim in dims:
        budget.spend(_STEPS)
        clause = possible(demand(dim, dims), known)
        if clause is None:
            fitting = [(dim, None)]
            break
        if clause.literals:
            fitting.append((dim, clause))
    for dim, clause in fitting:
        then = known if clause is None else known.also(clause.term())
        for found in orders([d for d in dims if d != dim], demand, then, budget):
            yield found if clause is None else {dim: clause, **found}
