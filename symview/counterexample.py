"""Counterexamples, and how the engine's decisions become one. A view is any object with addresses here."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal, Protocol

from symview.displayed import Displayed, Json, number_text
from symview.engine.decide import Broken, digits_of, smallest_violation, strides_of
from symview.engine.index_map import index_text
from symview.engine.radix import unravel
from symview.engine.valid_box import NotABox, Region, Validity, smallest_witness, valid_box
from symview.errors import InternalError
from symview.logic.budget import Budget


class Kind(StrEnum):
    """How a candidate for the merged view fails."""

    DISAGREE = "addresses disagree"
    VALID = "valid and should not be"
    INVALID = "not valid and should be"
    OUT_OF_BOUNDS = "out of bounds"
    NO_LAYOUT = "no layout"
    NOT_LINEAR = "not linear"
    DIFFERENT = "they differ"
    OVERLAP = "two indices have one address"
    GAP = "an address of no index"
    STRIDE = "a stride is another"
    DISJOINT = "no address is shared"


OF_MERGING = (Kind.DISAGREE, Kind.VALID, Kind.INVALID, Kind.OUT_OF_BOUNDS)
OF_STRIDES = (Kind.OVERLAP, Kind.GAP, Kind.STRIDE)
_CLAIMS = (Kind.NO_LAYOUT, Kind.NOT_LINEAR)  # their reasons in words do not repeat what fails


class _Deferred:
    """Fields that are computed together when one is first read."""

    __slots__ = ("_search",)

    def __getattr__(self, name: str) -> Any:
        names = getattr(type(self), "__dataclass_fields__", ())
        if name not in names:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        found = self._search()
        for field_name in names:
            object.__setattr__(self, field_name, getattr(found, field_name))
        return getattr(found, name)


@dataclass(frozen=True, slots=True, repr=False)
class Counterexample(_Deferred, Displayed):
    """The answer no, with the place that shows it; falsy.

    For views that do not merge: at `index` the composition has the address `got`, but every view that agrees with it at
    0 and at the unit indices has `expected`. The step to `index` along `axis` (from 0) is one that breaks. `smallest`:
    no such index comes before it by sum, then lexicographically. `values` are the numbers for symbols. Theorem 10 of
    "Merging tensor views" (N. uit de Bos, 2025).

    For the strides of a view, by `kind`: `index` and `other` have the same address `got`; or no index has the address
    `expected`, but some have smaller and larger ones; or the dim `axis` has the stride `got` and needs `expected`.
    Views that share no address have a `reason` alone, which says why.

    For layouts, `index` has one number, and the `reason` is in words: at the index the value is `got`, and a layout, or
    a linear one, has `expected`. Where two layouts differ, the first has the value `got`, the second `expected`; None
    stands for no value. For a composition, the `reason` is the `Break`, `index` the flat coordinate of B where it
    breaks, and `axis` the number of B's flat mode; for other operations, the `reason` is the error.
    """

    kind: Kind
    index: tuple[int, ...]
    axis: int | None
    expected: int | None
    got: int | None
    smallest: bool = True
    values: Mapping[str, int] = field(default_factory=dict)
    other: tuple[int, ...] | None = None
    reason: Any = None

    @staticmethod
    def deferred(kind: Kind | None, search: Callable[[], Counterexample]) -> Counterexample:
        """A counterexample whose fields are computed when one is first read; the kind too, if it is not given.

        It is already proved that there is one, so a decision does not pay for the search.
        """
        made = object.__new__(Counterexample)
        object.__setattr__(made, "_search", search)
        if kind is not None:
            object.__setattr__(made, "kind", kind)
        return made

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        where = values_text(self.values)
        if self.reason is not None:
            note = "" if self.smallest else " (perhaps not the smallest values)"
            return f"with {where}: {self._words()}{note}" if where else self._words()
        there = f" with {where}" if where else ""
        if self.kind is Kind.OVERLAP:
            both = f"{index_text(self.other or ())} and {index_text(self.index)}"
            return f"the indices {both} have the same address {self.got}{there}"
        if self.kind is Kind.GAP:
            return f"no index has address {self.expected}, a gap between others{there}"
        if self.kind is Kind.STRIDE:
            return f"dim {self.axis} has stride {self.got}, but would have to be {self.expected}{there}"
        if self.kind is Kind.DIFFERENT:
            first, second = ("no value" if x is None else number_text(x) for x in (self.got, self.expected))
            return f"they differ: at index {number_text(self.index[0])} the first has {first}, the second {second}"
        note = "" if self.smallest else " (perhaps not the smallest such index)"
        at = f"at index {index_text(self.index)}{there}"
        if self.kind is Kind.OUT_OF_BOUNDS:
            return f"{at}: address {self.got} is out of bounds{note}"
        if self.kind is Kind.DISAGREE:
            return f"{at} the element is at address {self.got}; constant strides would put it at {self.expected}{note}"
        return f"{at}: {self.kind}{note}"

    def _words(self) -> str:
        """The reason as text."""
        is_claim = self.kind in _CLAIMS and isinstance(self.reason, str)
        return f"{self.kind}: {self.reason}" if is_claim else str(self.reason)

    def __repr__(self) -> str:
        if self.reason is not None or self.kind in OF_STRIDES:
            return f"<Counterexample {self}>"
        extra = "" if self.smallest else ", smallest=False"
        extra += f", values={dict(self.values)!r}" if self.values else ""
        return (
            f"Counterexample({str(self.kind)!r}, {self.index!r}, axis={self.axis!r}, "
            f"expected={self.expected!r}, got={self.got!r}{extra})"
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.index, self.axis, self.expected, self.got))

    def to_dict(self) -> Json:
        """The fields for JSON; the reason, if there is one, as text."""
        other = {"other": None if self.other is None else list(self.other)} if self.kind in OF_STRIDES else {}
        reason = {} if self.reason is None else {"reason": str(self.reason)}
        return {
            "kind": str(self.kind), "index": list(self.index), "axis": self.axis, "expected": self.expected,
            "got": self.got, "smallest": self.smallest, "values": dict(self.values), **other, **reason,
        }  # fmt: skip


def values_text(values: Mapping[str, int]) -> str:
    """Values of symbols as a person writes them: `s = 4, σ1 = 0`."""
    return ", ".join(f"{name} = {number_text(value)}" for name, value in values.items())


class Strided(Protocol):
    """An object with an address at each index, such as a View of numbers."""

    @property
    def shape(self) -> tuple[Any, ...]:
        """The sizes."""

    @property
    def strides(self) -> tuple[Any, ...]:
        """The strides."""

    @property
    def offset(self) -> Any:
        """The address of the first index."""

    def at(self, index: Sequence[int]) -> Any:
        """The address; None if the index is masked."""


def disagreement(outer: Strided, region: Region, broken: Broken, budget: Budget) -> Counterexample:
    """The smallest index of the region at which a broken merge disagrees, checked by the definition."""
    box = region.box
    index, proved = smallest_violation(broken.carries, box.sizes, broken.defects, broken.witness, budget)
    axis = max(a for a, i in enumerate(index) if i)
    linear = strides_of(digits_of(outer.shape, outer.strides), box)
    expected = outer.offset + linear.start + sum(i * t for i, t in zip(index, linear.steps, strict=True))
    got = outer.at(unravel(box.at(index), outer.shape))
    if got is None or got == expected:
        raise InternalError(f"counterexample {index} of {outer} does not replay")
    return Counterexample(Kind.DISAGREE, region.original(index), axis, expected, got, proved)


def valid_part(
    address: Callable[[Sequence[int]], Any], region: Region, validity: Validity, budget: Budget
) -> Region | Counterexample | None:
    """The box of the indices of the region at which a chain of views is valid; None if there are none.

    `address` is None at invalid indices. If they are not a box, it returns a counterexample, whose smallest index is
    computed when it is read.
    """
    found = valid_box(region, validity, budget)
    if not isinstance(found, NotABox):
        return found
    wrong, kinds = found, {"inside": Kind.INVALID, "outside": Kind.VALID}

    def misplaced() -> Counterexample:
        side, index, proved = smallest_witness(wrong, budget.plain().started())
        kind, got = kinds[side], address(index)
        if (got is None) != (kind is Kind.INVALID):
            raise InternalError(f"counterexample {index} does not replay: it has the address {got}")
        return Counterexample(kind, index, None, None, got, proved)

    return Counterexample.deferred(None if wrong.failure is None else kinds[wrong.failure[0]], misplaced)
