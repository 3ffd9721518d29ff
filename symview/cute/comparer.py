"""What numbers and names do differently in the layout algebra, which is written once, over a comparer.

`Numbers` leaves entries as they are. The comparer of layouts with names makes them integers of a run, whose comparisons
explore both ways where they are open. Numbers can be sorted: so a comparer also finds the next mode of a complement. It
composes two layouts, and receives the steps for explanations.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from symview.cute.errors import LayoutError
from symview.cute.layout import Layout, need_layout
from symview.cute.walk import Tell as Tell
from symview.cute.walk import walked
from symview.errors import SymbolError
from symview.logic.budget import DEFAULT, Budget
from symview.logic.factors import lowest_terms
from symview.logic.integer import Claim, form_of, integer, node, term_of
from symview.logic.terms import Term

Modes = list[tuple[Any, Any]]  # pairs of size and stride
Numbered = list[tuple[int, tuple[Any, Any]]]  # some of the flat modes of a layout, with their numbers


class Gap(NamedTuple):
    """The gap before a mode: the reach of the modes before, the largest sum with copies so far, the copies that fit.

    `fits`: whether the mode has a place after those before it; `filled`: whether the copies fill the gap completely.
    """

    number: int
    size: Any
    stride: Any
    reach: Any
    span: Any
    copies: Any
    fits: bool
    filled: bool

    def end(self) -> Any:
        """The largest sum of the modes so far, with this one and its copies."""
        first = self.stride if self.filled else self.copies * self.reach
        return self.span - self.reach + first + (self.size - 1) * self.stride


_gap = tuple.__new__  # more than twice as fast as Gap(…)


class Comparer(Protocol):
    """Compares entries, and composes two layouts."""

    budget: Budget
    tell: Tell | None  # receives the steps of an explanation

    def wholes(self, modes: Modes) -> Modes:
        """Modes of entries as modes of integers that can be compared."""

    def entries(self, modes: Modes) -> Modes:
        """The way back."""

    def next_gap(self, modes: Numbered, reach: Any, span: Any, exact: bool) -> Gap:
        """Takes out the next one of these modes, and returns the gap before it."""

    def rounded_up(self, a: Any, b: Any) -> Any:
        """⌈a/b⌉ for b > 0."""

    def divides(self, a: Any, b: Any) -> Any:
        """Whether a divides b, or the claim that it does."""

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """Applies the operation of that name to two layouts."""

    def admit(self, layout: Any, what: str) -> Layout:
        """Returns a layout that can be compared; raises for anything else."""

    def compose(self, outer: Layout, inner: Layout) -> Layout:
        """A ∘ B; raises NoAnswer if there is none."""


class Numbers:
    """Compares numbers; symbolic entries are equal if they are for all values."""

    __slots__ = ("budget", "tell")

    def __init__(self, budget: Budget = DEFAULT, tell: Tell | None = None) -> None:
        self.budget, self.tell = budget, tell

    def wholes(self, modes: Modes) -> Modes:
        """Modes of numbers, which can be compared as they are."""
        return modes

    entries = wholes

    def next_gap(self, modes: Numbered, reach: Any, span: Any, exact: bool) -> Gap:
        """Takes out the first mode, as they are sorted by stride, and returns the gap before it."""
        number, (size, stride) = modes.pop(0)
        filled = stride >= reach and stride % reach == 0
        fits = filled or (not exact and stride > max(span, 0))
        return _gap(Gap, (number, size, stride, reach, span, max(stride // reach, 1), fits, filled))

    def rounded_up(self, a: Any, b: Any) -> Any:
        """⌈a/b⌉ for b > 0."""
        return rounded_up(a, b)

    def divides(self, a: Any, b: Any) -> Any:
        """Whether a divides b."""
        return divides(a, b)

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """Applies the operation of that name to two layouts."""
        return operation(self, self.admit(layout, name), self.admit(tile, name))

    def admit(self, layout: Any, what: str) -> Layout:
        """Returns a layout of numbers; raises for anything else."""
        need_numbers(layout, what)
        return layout  # type: ignore[no-any-return]

    def compose(self, outer: Layout, inner: Layout) -> Layout:
        """A ∘ B; raises NoComposition if there is none."""
        return walked(outer, inner, self.budget, self.tell)


NUMBERS = Numbers()


def running(budget: Budget | None) -> Budget:
    """Starts the budget of a question; raises LayoutError if it is not a Budget."""
    if budget is not None and not isinstance(budget, Budget):
        raise LayoutError(f"the budget {budget!r} is not a Budget: give symview.Budget(…)")
    return (budget or DEFAULT).started()


_CONDITIONS = (
    "as_layout", "coalesce", "complement", "composition", "is_bijective", "left_inverse",
    "logical_divide", "logical_product", "right_inverse", "tile_to_shape",
)  # fmt: skip


def need_numbers(layout: Any, what: str) -> None:
    """Raises unless the argument is a layout of numbers."""
    if not need_layout(layout, what).numeric:
        ask = f"ask {what}_conditions, or " if what in _CONDITIONS else ""
        raise SymbolError(f"{what} needs numbers, and {layout} has symbols: {ask}substitute numbers")


# Arithmetic on entries


@lru_cache(maxsize=4096)  # the paths of a fork share their first steps
def ratio(a: Any, b: Any) -> tuple[Any, Any]:
    """a/b in lowest terms, for b != 0."""
    top, bottom = lowest_terms(form_of(a), form_of(b))
    return integer(top), integer(bottom)


@lru_cache(maxsize=4096, typed=True)
def divides(a: Any, b: Any) -> Claim | bool:
    """The claim that a divides b, for a > 0."""
    top, bottom = ratio(b, a)
    if type(bottom) is int and (bottom == 1 or type(top) is int):
        return bottom == 1
    left, right = (bottom, 1) if top == 1 else (node("%", (top, bottom)), 0)
    return Claim(Term("==", (term_of(left), term_of(right))))


def quotient(a: Any, b: Any) -> Any:
    """a/b, if b is known to divide a."""
    if type(a) is int and type(b) is int:
        return a // b
    top, bottom = ratio(a, b)
    return top if bottom == 1 else top // bottom


def rounded_up(a: Any, b: Any) -> Any:
    """⌈a/b⌉ for b > 0; a ceiling unless b divides a as a polynomial."""
    if type(a) is int and type(b) is int:
        return -(-a // b)
    top, bottom = ratio(a, b)
    return top if bottom == 1 else -(-top // bottom)
