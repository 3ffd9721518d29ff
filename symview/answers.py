"""symview's answers as data: counterexamples, cases of conditions with their evidence, verdicts on guards.

Conditions hold formulas over the symbols' names. `symview.cases.conditions` turns them into what people and other
programs read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Literal, NamedTuple, NoReturn, TypeAlias

from symview.certificates import of_guard
from symview.counterexample import values_text
from symview.displayed import Displayed, Json
from symview.engine.index_map import index_text
from symview.errors import SymviewError, Undecided
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import free_symbols, to_entry
from symview.logic.terms import FALSE, TRUE, IntTerm, Term, conj, disj, factors_in_order
from symview.view import View


class Status(StrEnum):
    """Whether the views merge in one case, and under which kind of condition."""

    ALWAYS = "always"
    WHEN = "when"
    NEVER = "never"
    OUT_OF_BOUNDS = "out_of_bounds"
    UNDECIDED = "undecided"


class AffineView(NamedTuple):
    """A merged view as formulas: entries are ints or terms over the symbols' names."""

    shape: tuple[IntTerm, ...]
    strides: tuple[IntTerm, ...]
    offset: IntTerm = 0
    mask: Any = None  # as in View

    @staticmethod
    def of(view: View) -> AffineView:
        """The view with formulas as entries."""
        shape, strides = (tuple(map(to_entry, side)) for side in (view.shape, view.strides))
        mask = view.mask
        if isinstance(mask, tuple):
            mask = tuple([(to_entry(low), to_entry(high)) for low, high in mask])
        return AffineView(shape, strides, to_entry(view.offset), mask)


@dataclass(frozen=True, slots=True)
class WitnessData:
    """An index that forces a condition, see `symview.cases.case.Witness`; `required` is its equation."""

    index: tuple[int, ...]
    axis: int
    pattern: tuple[int, ...]
    digits: tuple[int, ...]
    required: Term
    inner: View | None = None


@dataclass(frozen=True, slots=True)
class CaseData:
    """The answer for the values that satisfy `where`.

    `required`: the equations that the strides have to satisfy (none for `always`), each with its leading monomial alone
    on the left. `view`: the merged view if they hold, with strides f(e_j) − f(0) not yet simplified by them.
    `witnesses` force the equations. `reason` says why the equations are complete, or what stopped the search.
    `confirmed`: the equations and the constraints of the overflow patterns imply each other (False if the budget did
    not decide it). For `undecided` the equations are proved sufficient, and may not be necessary. `answer`: the answer,
    for questions that are not about views.
    """

    where: Term
    status: Status
    required: tuple[Term, ...] = ()
    view: AffineView | None = None
    witnesses: tuple[WitnessData, ...] = field(default=(), compare=False)
    reason: str = field(default="", compare=False)
    confirmed: bool = field(default=True, compare=False, repr=False)
    answer: Any = None

    def place(self) -> Term:
        """The formula for the values in this case that satisfy the equations."""
        return conj((self.where, *self.required))

    def condition(self) -> Term:
        """The formula that the views merge within this case; raises Undecided if the case is undecided."""
        if self.status is Status.UNDECIDED:
            raise Undecided(self.reason)
        return FALSE if self.status in (Status.NEVER, Status.OUT_OF_BOUNDS) else conj(self.required)


class DeferredCases(Sequence[CaseData]):
    """Cases that are computed when they are first needed; the condition itself is known before.

    `make` computes them within a budget, which starts as `budget`.
    """

    def __init__(self, make: Callable[[Budget], Iterable[CaseData]], budget: Budget) -> None:
        self._make, self.budget = make, budget
        self._found: tuple[CaseData, ...] | None = None

    @property
    def found(self) -> tuple[CaseData, ...]:
        """The cases."""
        if self._found is None:
            self._found = tuple(self._make(self.budget.started()))
        return self._found

    def within(self, budget: Budget) -> Sequence[CaseData]:
        """The same cases, to be computed within this budget if they are not known yet."""
        return self if self._found is not None else DeferredCases(self._make, budget)

    def each(self, change: Callable[[CaseData], CaseData]) -> DeferredCases:
        """The cases, each changed once it is computed."""
        return DeferredCases(lambda budget: map(change, self._make(budget)), self.budget)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, at: Any) -> Any:
        return self.found[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.found == tuple(other)

    def __hash__(self) -> int:
        return hash(self.found)

    def __repr__(self) -> str:
        return repr(self.found)

    def __reduce__(self) -> Any:
        return tuple, (self.found,)


@dataclass(frozen=True, slots=True)
class ConditionsData:
    """Conditions under which `views` merge, by disjoint cases that cover all values of the sizes.

    If `covers` is False, cases may overlap and need not cover all values; the answer is no where none of them holds.
    `assumed` are the caller's assumptions; `facts` are these, the declarations of the symbols, and that sizes are
    positive. `clauses`, if not None, are the whole condition as a conjunction without redundant clauses. For a reshape,
    `fitting` is the formula that the sizes agree, and `worked_out` is the dim given as −1. `summary`, if not empty, are
    the cases without their views, with equal conditions joined. `enough`, if not empty, are clauses that are
    sufficient, and necessary outside of `doubt`; `doubt_twice`, if not None, is the doubt where two of them are reduced
    to their equations, and there is no other.
    """

    views: tuple[View, ...]
    cases: Sequence[CaseData]
    assumed: tuple[Term, ...] = ()
    facts: tuple[Term, ...] = field(default=(), compare=False)
    clauses: tuple[Term, ...] | None = None
    fitting: Term | None = field(default=None, compare=False)
    worked_out: int | None = field(default=None, compare=False)
    summary: tuple[CaseData, ...] = field(default=(), compare=False)
    enough: tuple[Term, ...] = field(default=(), compare=False)
    doubt: Term = field(default=FALSE, compare=False)
    doubt_twice: Term | None = field(default=None, compare=False)
    covers: bool = field(default=True, compare=False)

    def symbols(self) -> Json:
        """The symbols of the views by name, in order of first appearance."""
        return free_symbols([x for v in self.views for x in v.entries()])

    def as_written(self) -> ConditionsData:
        """The same with the names of each product in the order in which the views first have them."""
        order = list(self.symbols())

        def written(formula: Term) -> Term:
            return factors_in_order(formula, order)

        def case(found: CaseData) -> CaseData:
            return replace(found, where=written(found.where), required=tuple(map(written, found.required)))

        given, twice = self.cases, self.doubt_twice
        return replace(
            self,
            cases=given.each(case) if isinstance(given, DeferredCases) else tuple(map(case, given)),
            clauses=None if self.clauses is None else tuple(map(written, self.clauses)),
            summary=tuple(map(case, self.summary)),
            enough=tuple(map(written, self.enough)),
            doubt=written(self.doubt),
            doubt_twice=None if twice is None else written(twice),
        )

    def lines(self) -> Sequence[CaseData]:
        """The cases to print: the summary, if there is one."""
        return self.summary or self.cases

    def condition(self) -> Term:
        """The whole condition, with the bounds, as one formula; raises Undecided if a case is undecided."""
        if self.clauses is not None:
            return conj(self.clauses)
        found = [(c.where, c.condition()) for c in self.lines()]
        if (TRUE, TRUE) in found:
            return TRUE
        return disj(conj(pair) for pair in found if pair[1] != FALSE)


_MERGE, RESHAPED = "the views merge", "the reshape is a view"
_OPPOSITE = {f"the view is {x}": f"the view is not {x}" for x in ("dense", "one-to-one", "contiguous")} | {
    "there is a layout": "there is no layout",
    "the addresses fit": "the addresses do not fit",
    "there is a view": "there is no view",
    "the placements agree": "the placements do not agree",
}


@dataclass(frozen=True, slots=True)
class Exact(Displayed):
    """A guard that is the weakest condition: it is true exactly where the views merge. Truthy."""

    outcome: str = field(default=_MERGE, compare=False, repr=False)
    asked: Any = field(default=None, compare=False, repr=False)  # the conditions and the guard

    def certificate(self) -> Json:
        """Guard, question and verdict as JSON, for `symview verify`."""
        return of_guard(self.asked, {"verdict": "exact"})

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        return f"exact: the guard holds exactly where {self.outcome}"


@dataclass(frozen=True, slots=True)
class Sound(Displayed):
    """A guard that is proved to suffice where the weakest condition is unknown: it may be too strong, or exact.

    `bool()` raises: it is neither yes nor no.
    """

    outcome: str = field(default=_MERGE, compare=False, repr=False)
    asked: Any = field(default=None, compare=False, repr=False)  # the conditions and the guard

    def __bool__(self) -> NoReturn:
        raise AmbiguousTruth("the guard suffices, and whether it is the weakest one is open: see str()")

    def __str__(self) -> str:
        return f"sound: {self.outcome} wherever the guard holds; whether it refuses more than it has to is open"


@dataclass(frozen=True, slots=True)
class TooStrong(Displayed):
    """A guard that rejects values at which the views merge, such as `values`. Falsy.

    `sound`: "proved" if it is also proved that it accepts no others, "values" if only small values were tried.
    """

    values: Mapping[str, int]
    sound: str = "proved"
    outcome: str = field(default=_MERGE, compare=False, repr=False)
    asked: Any = field(default=None, compare=False, repr=False)  # the conditions and the guard

    def certificate(self) -> Json:
        """Guard, question and verdict as JSON, for `symview verify`."""
        return of_guard(self.asked, {"verdict": "too strong", "values": dict(self.values)})

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"TooStrong({dict(self.values)!r})"

    def __str__(self) -> str:
        proved = self.sound == "proved"
        refused = f"too strong: it refuses {values_text(self.values) or 'everything'}, where {self.outcome}"
        open_ = "; that it allows nothing wrong is tried at small values only"
        return f"sound, but {refused}" if proved else f"{refused}{open_}"

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))


@dataclass(frozen=True, slots=True)
class TooWeak(Displayed):
    """A guard that accepts values at which the views do not merge: at `values` the merge breaks at `index`. Falsy.

    `index` is None if there is no index to show, since the sizes do not fit one another.
    """

    values: Mapping[str, int]
    index: tuple[int, ...] | None
    outcome: str = field(default=_MERGE, compare=False, repr=False)
    asked: Any = field(default=None, compare=False, repr=False)  # the conditions and the guard

    def certificate(self) -> Json:
        """Guard, question and verdict as JSON, for `symview verify`."""
        return of_guard(
            self.asked,
            {
                "verdict": "too weak",
                "values": dict(self.values),
                "index": None if self.index is None else list(self.index),
            },
        )

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"TooWeak({dict(self.values)!r}, index={self.index!r})"

    def __str__(self) -> str:
        what = "reshape" if self.outcome == RESHAPED else "merge"
        why = "the sizes do not fit" if self.index is None else f"the {what} breaks at index {index_text(self.index)}"
        of_merge = self.outcome in (_MERGE, RESHAPED)
        there = why if of_merge else _OPPOSITE.get(self.outcome, f"it is not so that {self.outcome}")
        return f"too weak: it allows {values_text(self.values) or 'everything'}, where {there}"

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), self.index))


GuardVerdict: TypeAlias = Exact | Sound | TooStrong | TooWeak


class AmbiguousTruth(SymviewError, TypeError):
    """`bool()` of an answer that is neither yes nor no."""
