"""What the layout algebra asks of entries: whether they are equal, and how two layouts compose.

What is arranged and coalesced is written once, over a comparer. `Numbers` answers in plain Python;
layouts with symbols have a comparer of their own, which takes both ways where a comparison is open.
A comparer also hears the steps that an explanation tells.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

from symview.cute.errors import LayoutError
from symview.cute.layout import Layout, need_layout
from symview.cute.walk import Tell as Tell
from symview.cute.walk import walked
from symview.errors import SymbolError
from symview.logic.budget import DEFAULT, Budget


class Equality(Protocol):
    """Compares entries, integers or sympy expressions."""

    def equal(self, a: Any, b: Any) -> bool:
        """Whether a = b."""


class Comparer(Equality, Protocol):
    """Compares entries, and composes two layouts."""

    budget: Budget
    tell: Tell | None  # hears the steps, where anybody listens

    def all_divide(self, pairs: Sequence[tuple[Any, Any]]) -> bool:
        """Whether in each pair the first number, from 1 on, divides the second."""

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """The operation of that name on two layouts."""

    def admit(self, layout: Any, what: str) -> Layout:
        """The layout itself; raises for anything else, and for what cannot be compared."""

    def compose(self, outer: Layout, inner: Layout) -> Layout:
        """A ∘ B; raises NoAnswer where there is none."""


class Numbers:
    """The comparer of numbers. Entries with symbols are equal where they are for all values."""

    __slots__ = ("budget", "tell")

    def __init__(self, budget: Budget = DEFAULT, tell: Tell | None = None) -> None:
        self.budget, self.tell = budget, tell

    def equal(self, a: Any, b: Any) -> bool:
        """Whether a = b."""
        if type(a) is int and type(b) is int:
            return a == b
        return bool((a - b).expand() == 0)

    def all_divide(self, pairs: Sequence[tuple[Any, Any]]) -> bool:
        """Whether in each pair of numbers the first, from 1 on, divides the second."""
        return all(b % a == 0 for a, b in pairs)

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """The operation of that name on two layouts."""
        return operation(self, self.admit(layout, name), self.admit(tile, name))

    def admit(self, layout: Any, what: str) -> Layout:
        """The layout itself; raises for anything but a layout of numbers."""
        need_numbers(layout, what)
        return layout  # type: ignore[no-any-return]

    def compose(self, outer: Layout, inner: Layout) -> Layout:
        """A ∘ B; raises NoComposition where there is none."""
        return walked(outer, inner, self.budget, self.tell)


NUMBERS = Numbers()


def running(budget: Budget | None) -> Budget:
    """The budget of a question that starts now; LayoutError for what is none."""
    if budget is not None and not isinstance(budget, Budget):
        raise LayoutError(f"the budget {budget!r} is no Budget: give symview.Budget(…)")
    return (budget or DEFAULT).started()


_CONDITIONS = (
    "as_layout", "coalesce", "complement", "composition", "is_bijective", "left_inverse",
    "logical_divide", "logical_product", "right_inverse", "tile_to_shape",
)  # fmt: skip


def need_numbers(layout: Any, what: str) -> None:
    """Raises for anything but a layout of numbers."""
    if not need_layout(layout, what).numeric:
        ask = f"ask {what}_conditions, or " if what in _CONDITIONS else ""
        raise SymbolError(f"{what} needs numbers, and {layout} has symbols: {ask}substitute numbers")


# Arithmetic on entries


def plain(value: Any) -> Any:
    """A sympy number as an int."""
    return int(value) if value.is_Integer else value


def times(a: Any, b: Any) -> Any:
    """a·b, as an int where it is one."""
    return a * b if type(a) is int and type(b) is int else _expanded(a, b)


@lru_cache(maxsize=4096)
def _expanded(a: Any, b: Any) -> Any:
    return plain((a * b).expand())


@lru_cache(maxsize=4096)  # runs that take both ways of a comparison begin alike
def ratio(a: Any, b: Any) -> tuple[Any, Any]:
    """a/b in lowest terms; sums stay whole, so that a denominator of 1 says that b divides a as a polynomial."""
    import sympy

    top, bottom = sympy.fraction(sympy.together(sympy.cancel(sympy.sympify(a) / b)))
    return top.expand(), bottom


def quotient(a: Any, b: Any) -> Any:
    """a/b, where b is known to divide a."""
    if type(a) is int and type(b) is int:
        return a // b
    import sympy

    top, bottom = ratio(a, b)
    return plain(top if bottom == 1 else sympy.floor(top / bottom))


def rounded_down(a: Any, b: Any) -> Any:
    """The largest integer up to a/b."""
    if type(a) is int and type(b) is int:
        return a // b
    return _floor(a, b)


def rounded_up(a: Any, b: Any) -> Any:
    """The least integer from a/b on, for b > 0; a ceiling where b does not divide a as a polynomial."""
    if type(a) is int and type(b) is int:
        return -(-a // b)
    import sympy

    top, bottom = ratio(a, b)
    return plain(top if bottom == 1 else sympy.ceiling(top / bottom))


def remainder(a: Any, b: Any) -> Any:
    """A mod b, for b > 0."""
    if type(a) is int and type(b) is int:
        return a % b
    import sympy

    return plain(sympy.Mod(a, b))


def least(*values: Any) -> Any:
    """The smallest of the values."""
    if all(type(x) is int for x in values):
        return min(values)
    import sympy

    return plain(sympy.Min(*values, evaluate=False))


@lru_cache(maxsize=4096)
def _floor(a: Any, b: Any) -> Any:
    import sympy

    exact = sympy.sympify(a) / b
    plainly = not exact.has(sympy.Min, sympy.Max) or sympy.fraction(exact)[1] == 1
    return plain(sympy.floor(exact, evaluate=plainly))  # sympy looks long for what to take out of a minimum
