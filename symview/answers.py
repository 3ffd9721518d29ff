"""What symview answers, as data: counterexamples, cases of conditions with their evidence, verdicts on guards.

Conditions hold formulas over the symbols' names; what people and other programs read is made of them
where the answer is given (`symview.cases.conditions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, NamedTuple

from symview.displayed import Displayed, number_text
from symview.engine.index_map import index_text
from symview.errors import NotSupported, SymviewError, Undecided
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import free_symbols, to_entry
from symview.logic.terms import FALSE, IntTerm, Term, conj, disj
from symview.view import View


class Kind(StrEnum):
    """How a candidate for the merged view fails."""

    DISAGREE = "addresses disagree"
    VALID = "valid and should not be"
    INVALID = "not valid and should be"
    OUT_OF_BOUNDS = "out of bounds"
    NO_LAYOUT = "no layout"
    OVERLAP = "two indices have one address"
    GAP = "an address of no index"
    STRIDE = "a stride is another"


class Status(StrEnum):
    """What holds in one case."""

    ALWAYS = "always"
    WHEN = "when"
    NEVER = "never"
    OUT_OF_BOUNDS = "out_of_bounds"
    UNDECIDED = "undecided"


_OF_STRIDES = (Kind.OVERLAP, Kind.GAP, Kind.STRIDE)
NO_CERTIFICATE = "a certificate of this no is that of the conditions: dense_conditions(view).certificate()"


@dataclass(frozen=True, slots=True, repr=False)
class Counterexample(Displayed):
    """A no, with where it shows; falsy.

    Of views that do not merge: at `index` the composition has address `got`, while every view that agrees with it at 0
    and at the unit indices has `expected`; the step to `index` along `axis` (from 0) is one that breaks. `smallest`: no
    index comes before it by sum, then lexicographically. `values` are the numbers taken for symbols. Theorem 10 of
    "Merging tensor views" (N. uit de Bos, 2025).

    Of the strides of a view, by `kind`: `index` has the address `got`, as `other` has; no index has the address
    `expected`, though smaller and larger ones are reached; or the dim `axis` has the stride `got`, and `expected` is
    needed. Of layouts, `reason` is the error, or of a composition the `NoLayout`: there `index` is B's coordinate,
    flat, where it breaks, and `axis` the number of B's flat mode.
    """

    kind: Kind
    index: tuple[int, ...]
    axis: int | None
    expected: int | None
    got: int | None
    smallest: bool = True
    values: Mapping[str, int] = field(default_factory=dict)
    other: tuple[int, ...] | None = None
    reason: object = None

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        where = values_text(self.values)
        if self.reason is not None:
            note = "" if self.smallest else " (perhaps not the smallest values)"
            return f"with {where}: {self.reason}{note}" if where else str(self.reason)
        there = f" with {where}" if where else ""
        if self.kind is Kind.OVERLAP:
            both = f"{index_text(self.other or ())} and {index_text(self.index)}"
            return f"the indices {both} have the same address {self.got}{there}"
        if self.kind is Kind.GAP:
            return f"no index has address {self.expected}, between others{there}"
        if self.kind is Kind.STRIDE:
            return f"dim {self.axis} has stride {self.got}, and {self.expected} is needed{there}"
        note = "" if self.smallest else " (perhaps not the smallest such index)"
        at = f"at index {index_text(self.index)}{there}"
        if self.kind is Kind.OUT_OF_BOUNDS:
            return f"{at}: address {self.got} is out of bounds{note}"
        if self.kind is Kind.DISAGREE:
            return f"{at}: one view would reach {self.expected}, the composition reaches {self.got}{note}"
        return f"{at}: {self.kind}{note}"

    def __repr__(self) -> str:
        if self.reason is not None or self.kind in _OF_STRIDES:
            return f"<Counterexample {self}>"
        extra = "" if self.smallest else ", smallest=False"
        extra += f", values={dict(self.values)!r}" if self.values else ""
        return (
            f"Counterexample({str(self.kind)!r}, {self.index!r}, axis={self.axis!r}, "
            f"expected={self.expected!r}, got={self.got!r}{extra})"
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.index, self.axis, self.expected, self.got))

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        other = {"other": None if self.other is None else list(self.other)} if self.kind in _OF_STRIDES else {}
        return {
            "kind": str(self.kind), "index": list(self.index), "axis": self.axis, "expected": self.expected,
            "got": self.got, "smallest": self.smallest, "values": dict(self.values), **other,
        }  # fmt: skip

    def certificate(self, *views: View) -> dict[str, Any]:
        """The claim that these views are no single view, and why, as JSON for `symview verify`.

        The question is given again, symbols and all: `merge(a, b).certificate(a, b)`. NotSupported of other questions.
        """
        from symview.certificates import of_merge

        if self.kind in _OF_STRIDES:
            raise NotSupported(NO_CERTIFICATE)
        return of_merge([v.with_values(self.values) if v.symbols() else v for v in views], self)


class Deferred(Counterexample):
    """A counterexample whose smallest index is searched for when it is first asked for.

    That there is one is already proved, so deciding does not pay for the search.
    """

    __slots__ = ("_search",)

    def __init__(self, kind: Kind | None, search: Callable[[], Counterexample]) -> None:
        if kind is not None:  # else it is searched for as well
            object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "_search", search)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in Counterexample.__slots__:
            raise AttributeError(name)
        found = self._search()
        for slot in Counterexample.__slots__:
            object.__setattr__(self, slot, getattr(found, slot))
        return getattr(found, name)

    def fields(self) -> tuple[Any, ...]:
        """The fields of the counterexample, which is searched for now."""
        return tuple([getattr(self, slot) for slot in Counterexample.__slots__])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counterexample) and self.to_dict() == other.to_dict()

    __hash__ = Counterexample.__hash__

    def __reduce__(self) -> Any:
        return Counterexample, self.fields()


class AffineView(NamedTuple):
    """A merged view as formulas: entries are ints or terms over the symbols' names."""

    shape: tuple[IntTerm, ...]
    strides: tuple[IntTerm, ...]
    offset: IntTerm = 0
    mask: Any = None  # as a View has it

    @staticmethod
    def of(view: View) -> AffineView:
        """The view, its entries as formulas."""
        shape, strides = (tuple(map(to_entry, side)) for side in (view.shape, view.strides))
        return AffineView(shape, strides, to_entry(view.offset))


@dataclass(frozen=True, slots=True)
class WitnessData:
    """An index that forces a condition, as `symview.cases.case.Witness` says; `required` is its equation."""

    index: tuple[int, ...]
    axis: int
    pattern: tuple[int, ...]
    digits: tuple[int, ...]
    required: Term
    inner: View | None = None


@dataclass(frozen=True, slots=True)
class CaseData:
    """What holds for the values that satisfy `where`.

    `required`: the equations that the strides have to satisfy (none for `always`), each with its
    leading monomial alone on the left; `view` the merged view where they hold, with strides
    f(e_j) − f(0) as they come. `witnesses` force the equations, `reason` says why nothing is
    missing, or what stopped the search; `constraints` are what the overflow patterns demand, `query`
    asks for an index that they miss; `confirmed`: Z3 finds equations and constraints equivalent (False
    where the budget did not allow it). For `undecided` the equations are proved sufficient, and not
    known to be necessary.
    """

    where: Term
    status: Status
    required: tuple[Term, ...] = ()
    view: AffineView | None = None
    witnesses: tuple[WitnessData, ...] = field(default=(), compare=False)
    reason: str = field(default="", compare=False)
    constraints: tuple[Term, ...] = field(default=(), compare=False, repr=False)
    query: Term | None = field(default=None, compare=False, repr=False)
    confirmed: bool = field(default=True, compare=False, repr=False)

    def condition(self) -> Term:
        """Mergeable within this case, as a formula; raises Undecided where that is open."""
        if self.status is Status.UNDECIDED:
            raise Undecided(self.reason)
        return FALSE if self.status in (Status.NEVER, Status.OUT_OF_BOUNDS) else conj(self.required)


class DeferredCases(Sequence[CaseData]):
    """Cases that are worked out when they are first looked at; the condition itself is known before.

    `make` does so within a budget, and `budget` is what it gets.
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
        """The same, to be worked out within this budget where they are not known yet."""
        return self if self._found is not None else DeferredCases(self._make, budget)

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

    `assumed` is what the caller said, `facts` that, what the symbols were declared as, and that sizes
    are positive. `clauses`, where there are any, are the whole condition as a conjunction, none of them
    needless. `fitting`, of a reshape, says that the sizes agree, and `worked_out` is the dim given as −1.
    `summary`, where there is any, are the cases without their views, those that say the same of the strides as one.
    `enough`, where there are any, are clauses that are enough, and needed outside of `doubt`.
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

    @property
    def covers(self) -> bool:
        """Whether the cases cover all values; else the answer is no where none of them holds."""
        return True

    def symbols(self) -> dict[str, Any]:
        """The symbols of the views by name, in order of first appearance."""
        return free_symbols([x for v in self.views for x in v.entries()])

    def lines(self) -> Sequence[CaseData]:
        """The cases as they are said: in summary, where there is one."""
        return self.summary or self.cases

    def condition(self) -> Term:
        """The whole condition, with the bounds, as one formula; raises Undecided where unsettled."""
        if self.clauses is not None:
            return conj(self.clauses)
        found = [(c.where, c.condition()) for c in self.lines()]
        return disj(conj(pair) for pair in found if pair[1] != FALSE)


def values_text(values: Mapping[str, int]) -> str:
    """Values of symbols as a person writes them: `s = 4, σ1 = 0`."""
    return ", ".join(f"{name} = {number_text(value)}" for name, value in values.items())


_MERGE = "the views merge"
_OPPOSITE = {f"the view is {x}": f"the view is not {x}" for x in ("dense", "injective", "contiguous")}


@dataclass(frozen=True, slots=True)
class Exact(Displayed):
    """A guard that is the weakest condition: it is true exactly where the views merge. Truthy."""

    outcome: str = field(default=_MERGE, compare=False, repr=False)
    asked: Any = field(default=None, compare=False, repr=False)  # the conditions and the guard

    def certificate(self) -> dict[str, Any]:
        """Guard, question and verdict as JSON, for `symview verify`."""
        from symview.certificates import of_guard

        return of_guard(self.asked, {"verdict": "exact"})

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        return f"exact: the guard holds exactly where {self.outcome}"


@dataclass(frozen=True, slots=True)
class TooStrong(Displayed):
    """A guard that refuses values for nothing: at `values` the views merge. Falsy."""

    values: Mapping[str, int]
    outcome: str = field(default=_MERGE, compare=False, repr=False)
    asked: Any = field(default=None, compare=False, repr=False)  # the conditions and the guard

    def certificate(self) -> dict[str, Any]:
        """Guard, question and verdict as JSON, for `symview verify`."""
        from symview.certificates import of_guard

        return of_guard(self.asked, {"verdict": "too strong", "values": dict(self.values)})

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"TooStrong({dict(self.values)!r})"

    def __str__(self) -> str:
        return f"too strong: it refuses {values_text(self.values) or 'everything'}, where {self.outcome}"

    def __hash__(self) -> int:
        return hash(frozenset(self.values.items()))


@dataclass(frozen=True, slots=True)
class TooWeak(Displayed):
    """A guard that lets through what breaks: at `values` the merge breaks at `index`. Falsy.

    `index` is None where there is no index to show: the sizes do not fit one another.
    """

    values: Mapping[str, int]
    index: tuple[int, ...] | None
    outcome: str = field(default=_MERGE, compare=False, repr=False)
    asked: Any = field(default=None, compare=False, repr=False)  # the conditions and the guard

    def certificate(self) -> dict[str, Any]:
        """Guard, question and verdict as JSON, for `symview verify`."""
        from symview.certificates import of_guard

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
        why = "the sizes do not fit" if self.index is None else f"the merge breaks at index {index_text(self.index)}"
        there = why if self.outcome == _MERGE else _OPPOSITE.get(self.outcome, "there is none")
        return f"too weak: it allows {values_text(self.values) or 'everything'}, where {there}"

    def __hash__(self) -> int:
        return hash((frozenset(self.values.items()), self.index))


class AmbiguousTruth(SymviewError, TypeError):
    """The truth of an answer that is neither yes nor no was asked for."""
