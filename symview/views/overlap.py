"""May two views touch the same memory? The least shared address, or the condition under which one exists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import prod
from operator import add, and_
from typing import Any, Literal

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.asker import Asker, ask_all
from symview.cases.conditions import Conditions
from symview.cases.forks import Path
from symview.cases.query import Query, query_about
from symview.cases.question import Question
from symview.cases.simplify.cases import simplify_for_display, with_brief_clauses
from symview.cases.simplify.clauses import alternatives, irredundant, widened
from symview.cases.whole import Claim
from symview.certificates import of_overlap
from symview.counterexample import Counterexample, Kind
from symview.displayed import Displayed
from symview.engine.index_map import IndexMap, index_text
from symview.engine.shared_addresses import is_sum, least_shared
from symview.errors import Undecided
from symview.logic.budget import Budget, running
from symview.logic.entailment import Entailment
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import FALSE, TRUE, Term, comparisons, conj, conjuncts, disj, negated
from symview.show.conditions import sentence_blocks
from symview.show.formulas import IN_PYTHON
from symview.show.grid import Block
from symview.view import View, as_view, require_own_unknowns
from symview.view_entries import numbers
from symview.views.shared_indices import pairs

_MOST_PATHS = 48
_MOST_WORK = 2_000_000  # budget steps for simplifying a condition
_PER_PROOF = 300  # budget steps for each proof in a certificate, not counting solver calls
_WALKED = 4_000  # indices of each view that are enumerated to check an answer
_EXACT = "exact: each address is a start and multiples of strides, and an address is shared where a difference is 0"


@dataclass(frozen=True, slots=True, repr=False)
class Overlap(Displayed):
    """The least address that two views share, and an index of each that has it; truthy.

    >>> overlap(View((2, 3), (3, 1)), View((4,), (2,), 3))
    Overlap(3, (1, 0), (0,))
    """

    address: int
    index: tuple[int, ...]
    other: tuple[int, ...]

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        one, other = index_text(self.index), index_text(self.other)
        return f"the views overlap: address {self.address} has index {one} in the first and {other} in the second"

    def __repr__(self) -> str:
        return f"Overlap({self.address}, {self.index}, {self.other})"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {"address": self.address, "index": list(self.index), "other": list(self.other)}


def overlap(a: View | str, b: View | str, budget: Budget | None = None) -> Overlap | Counterexample:
    """The least address that two views of numbers share, in elements of one buffer, or why they share none.

    Exact for any shapes, strides, offsets and masks. The index shown for each view is a valid one. Raises SymbolError
    if there are names (then use `overlap_conditions`), Undecided when the budget ends.

    >>> print(overlap("(4,8):(16,1)", "(4,8):(16,1)+8"))
    the addresses 0 to 55 and 8 to 63 interleave but share no address
    >>> print(overlap("(4,9):(16,1)", "(4,8):(16,1)+8"))
    the views overlap: address 8 has index (0,8) in the first and (0,0) in the second
    """
    require_own_unknowns((a, b))
    first, second = as_view(a, "overlap"), as_view(b, "overlap")
    for view in (first, second):
        numbers(view.entries(), "overlap")
    return _of_numbers(first, second, running(budget))


def overlap_conditions(
    a: View | str, b: View | str, assume: Any = (), budget: Budget | None = None
) -> Conditions[Overlap]:
    """The exact condition under which two views share an address, that is, may write to the same memory.

    Both are views of one buffer, with offsets and strides in elements. Exact if, in every order of the strides, those
    that follow each other closely come first and the others are far apart or have few multiples. Otherwise a case is
    undecided; `holds` and `counterexample` decide it for numbers. For any number of dims the question is NP-complete
    (subset sum). A size may be 0 where `assume` allows it: a view without elements shares no address.

    >>> print(overlap_conditions("(h,d):(d,1)", "(h,d):(d,1)+p", assume="p >= 0"))
    d*h > p
    >>> print(overlap_conditions("(n,8):(ld,1)", "(n,8):(ld,1)+8", assume="ld >= 16"))
    never
    """
    require_own_unknowns((a, b))
    views = as_view(a, "overlap_conditions"), as_view(b, "overlap_conditions")
    query = query_about(views, assume, running(budget))
    return Conditions(SharesAddress(*views), with_brief_clauses(query, _cases(query)), query.budget.plain())


@dataclass(frozen=True, slots=True)
class SharesAddress(Question[Overlap]):
    """Whether two views share an address."""

    first: View
    second: View

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return "the views share an address"

    def __str__(self) -> str:
        return f"{self.first} and {self.second} share an address"

    def again(self, assumed: Sequence[Term], budget: Budget) -> Conditions[Overlap]:
        """The conditions under these assumptions."""
        return overlap_conditions(self.first, self.second, assumed, budget)

    def put(self, values: Mapping[str, int]) -> SharesAddress:
        """The question after substituting numbers."""
        return SharesAddress(self.first.with_values(values), self.second.with_values(values))

    def entries(self) -> Iterable[Any]:
        """All entries of both views."""
        return (*self.first.entries(), *self.second.entries())

    def sizes(self) -> Iterable[Any]:
        """The sizes of both views."""
        return (*self.first.shape, *self.second.shape)

    def at(self, values: Mapping[str, int], budget: Budget) -> Overlap | Counterexample:
        """The least shared address of the views of numbers, or why there is none."""
        one = self.put(values)
        found = _of_numbers(one.first, one.second, budget.started())
        return found if isinstance(found, Overlap) else replace(found, values=dict(values))

    def is_right(
        self, values: Mapping[str, int], found: Overlap | Counterexample, stated: Overlap | None, budget: Budget
    ) -> bool:
        """Whether both indices have the address; or, if the addresses are few, whether the views share none."""
        one = self.put(values)
        if isinstance(found, Overlap):
            return one.first.at(found.index) == one.second.at(found.other) == found.address
        maps = [_valid_part(v) for v in (one.first, one.second)]
        if max(prod(m.sizes) for m in maps) > _WALKED:
            return True
        return not set.intersection(*({m.at(i) for i in m.indices()} for m in maps))

    def example_text(self, answer: Overlap | None, broken: Counterexample | None) -> str:
        """The shared address, or why there is none."""
        return str(answer if broken is None else broken.reason)

    def blocks(self, conditions: Any, rest: str | None = IN_PYTHON) -> Iterable[Block]:
        """The condition as a sentence."""
        return sentence_blocks(conditions, "they overlap", "they share no address", rest)

    def certificate(self, data: ConditionsData, budget: Budget) -> dict[str, Any]:
        """Question and cases as JSON for `symview verify`; indices show that an address is shared."""
        return of_overlap(self, data, [self._pairs(data, case, budget) for case in data.cases])

    def _pairs(self, data: ConditionsData, case: CaseData, budget: Budget) -> list[tuple[Term | int, ...]]:
        """Indices of both views that may have the same address in a case."""
        if case.status is not Status.ALWAYS:
            return []
        if not free_symbols(self.entries()):
            found = _of_numbers(self.first, self.second, budget)
            return [(*found.index, *found.other)] if found else []
        given = (*data.facts, case.where)

        def is_proved(formula: Term) -> bool:
            budget.spend(_PER_PROOF)
            return is_impossible((*given, negated(formula)), budget)

        return list(pairs((self.first, self.second), is_proved, budget))

    def head(self) -> dict[str, Any]:
        """The views, for JSON."""
        return {"views": [str(self.first), str(self.second)], "question": "overlap"}


def _of_numbers(first: View, second: View, budget: Budget) -> Overlap | Counterexample:
    a, b = _valid_part(first), _valid_part(second)
    found = least_shared(a, b, budget)
    if found is None:
        return Counterexample(Kind.DISJOINT, (), None, None, None, reason=_why_apart(a, b))
    lows = ([low for low, _ in v.bounds()] for v in (first, second))
    index, other = (tuple(map(add, i, low)) for i, low in zip(found, lows, strict=True))
    return Overlap(a.at(found[0]), index, other)


def _valid_part(view: View) -> IndexMap:
    """The addresses of the valid indices of a view of numbers."""
    if view.is_void():
        return IndexMap((0,), (0,), 0)
    lows, sizes = zip(*((low, high - low) for low, high in view.bounds()), strict=True) if view.rank else ((), ())
    return IndexMap(sizes, view.strides, IndexMap(view.shape, view.strides, view.offset).at(lows))


def _why_apart(a: IndexMap, b: IndexMap) -> str:
    """Why two maps that share no address share none."""
    if 0 in a.sizes or 0 in b.sizes:
        return "one of the views has no valid index"
    (low_a, high_a), (low_b, high_b) = a.reach(), b.reach()
    spans = f"the addresses {low_a} to {high_a} and {low_b} to {high_b}"
    if high_a < low_b or high_b < low_a:
        return f"{spans} are apart"
    return f"{spans} interleave but share no address"


# With names


def _cases(query: Query) -> ConditionsData:
    paths = ask_all(lambda ask: _shares(ask, query.views), query.facts.formulas, query.budget, _MOST_PATHS)
    yes, no, open_ = _pieces(paths)
    near = [e for piece in (*yes, *no) for e in comparisons(piece)]
    known = Entailment(query.facts.formulas, query.budget.part(2, _MOST_WORK), near)
    apart = [*no, *(conj(p.where) for p in open_)]
    short = [conj(widened(conjuncts(piece), apart, known)) for piece in yes]
    kept = map(negated, irredundant(map(negated, dict.fromkeys(short)), known.impossible))
    where = simplify_for_display(query, disj(kept), known)
    cases = [CaseData(where, Status.ALWAYS, reason=_EXACT)]
    if not open_:
        cases.append(CaseData(negated(where), Status.NEVER))
        found = [c for c in cases if c.where != FALSE]
        return query.answer(found, () if where == TRUE else (where,))
    doubt = simplify_for_display(query, disj(conj(p.where) for p in open_), known)
    cases.append(
        CaseData(conj((doubt, negated(where))), Status.UNDECIDED, reason=open_[0].result.reason, confirmed=False)
    )
    cases.append(CaseData(conj((negated(where), negated(doubt))), Status.NEVER))
    return query.answer([c for c in cases if c.where != FALSE])


def _pieces(paths: Sequence[Path[Any]]) -> tuple[list[Term], list[Term], list[Any]]:
    """Conjunctions under which an address is shared, conjunctions under which none is, and the undecided paths."""
    yes, no, open_ = list[Term](), list[Term](), list[Any]()
    for path in paths:
        if isinstance(path.result, Undecided):
            open_.append(path)
            continue
        claim = path.result.term if isinstance(path.result, Claim) else TRUE if path.result else FALSE
        for pieces, holds in ((yes, claim), (no, negated(claim))):
            pieces += [conj((*path.where, part)) for part in alternatives(holds) if part != FALSE]
    return yes, no, open_


def _shares(ask: Asker, views: Sequence[View]) -> Any:
    """Whether two views share an address, computed on symbolic integers (`Asker`)."""
    first, second = ([[ask.whole(to_term(x)) for x in pair] for pair in v.bounds()] for v in views)
    if any(v.is_void() for v in views) or not reduce(and_, [low < high for low, high in (*first, *second)], True):
        return False
    target = ask.whole(to_term(views[1].offset)) - ask.whole(to_term(views[0].offset))
    terms = list[tuple[Any, Any, Any]]()  # the least and the greatest multiple, and the stride
    for sign, view, bounds in ((1, views[0], first), (-1, views[1], second)):
        for (low, high), stride in zip(bounds, map(ask.whole, map(to_term, view.strides)), strict=True):
            ends = (low, high - 1) if sign == 1 else (1 - high, -low)
            terms = _with_multiples(terms, *ends, stride)
    upward = list[tuple[Any, Any]]()
    for low, high, stride in terms:
        if stride == 0 or (isinstance(high, int) and low == high == 0):
            continue
        target, step = (target - low * stride, stride) if stride > 0 else (target - high * stride, -stride)
        upward.append((high - low, step))
    return is_sum(target, upward)


def _with_multiples(
    terms: Sequence[tuple[Any, Any, Any]], low: Any, high: Any, stride: Any
) -> list[tuple[Any, Any, Any]]:
    """The terms after adding multiples of a stride; multiples of an equal stride are combined."""
    found = list(terms)
    for place, (least, most, known) in enumerate(found):
        if (known == stride) is True:
            found[place] = least + low, most + high, stride
            return found
    return [*found, (low, high, stride)]
