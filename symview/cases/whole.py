"""Symbolic integers of a run, with the operators of an int, and the claims that their comparisons return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd
from typing import Any, Protocol

from symview.errors import Undecided
from symview.logic import integer
from symview.logic.integer import Int, form_of
from symview.logic.polynomial import ONE, Poly, minus, quotient, times
from symview.logic.terms import Term

MAX_VALUES = 64  # values of an unknown that are split into paths


class Asks(Protocol):
    """What integers need from their run; implemented by `asker.Asker`."""

    def number(self, form: Poly) -> Any:
        """The polynomial as an int or a Whole."""

    def term(self, x: Any) -> Term:
        """An integer as a term."""

    def atom(self, op: str, *args: Any) -> Any:
        """An operation that is not a polynomial, as an integer."""

    def value(self, x: Any, low: int, high: int) -> int:
        """The value of an integer between two bounds, both included; each value is a path."""

    def implied(self, op: str, form: Poly) -> bool:
        """Whether `form op 0` is known."""

    def compared(self, op: str, form: Poly, denied: bool = False) -> Any:
        """`form op 0`, or its negation, as a claim, or as a bool if it is known."""

    def holds(self, claim: Term) -> bool:
        """Whether a claim holds; both outcomes are followed if that is open."""


class Claim(integer.Claim):
    """A comparison, or several joined by `|` and `&`; it is decided when Python needs its truth.

    On numbers the same code joins bools. `(n == 1) | (t == place)` has two outcomes; `or` would need three runs.
    """

    __slots__ = ("asker",)

    def __init__(self, asker: Asks, term: Term) -> None:
        self.asker, self.term = asker, term

    def __bool__(self) -> bool:
        return self.asker.holds(self.term)

    def _of(self, term: Term) -> Claim:
        return Claim(self.asker, term)


class Whole(Int):
    """An integer of a run: `==` is a claim, too, and what the run has learnt simplifies results."""

    __slots__ = ("asker",)
    __hash__ = None  # type: ignore[assignment]  # equal integers may have two forms

    def __init__(self, asker: Asks, form: Poly) -> None:
        self.asker, self.form = asker, form

    def _made(self, form: Poly) -> Any:
        return self.asker.number(form)

    def __abs__(self) -> Any:
        return self if self.asker.implied(">=", self.form) else self.asker.atom("abs", self)

    def __floordiv__(self, x: Any) -> Any:
        return divided(self.asker, self, x)[0]()

    def __mod__(self, x: Any) -> Any:
        return divided(self.asker, self, x)[1]()

    def __rfloordiv__(self, x: int) -> Any:
        return divided(self.asker, x, self)[0]()

    def __rmod__(self, x: int) -> Any:
        return divided(self.asker, x, self)[1]()

    def __divmod__(self, x: Any) -> Any:
        return self // x, self % x

    def __bool__(self) -> bool:
        return bool(self != 0)

    def __eq__(self, x: object) -> Any:
        return isinstance(x, int | Int) and self.asker.compared("==", minus(self.form, form_of(x)))

    def __ne__(self, x: object) -> Any:
        return not isinstance(x, int | Int) or self.asker.compared("==", minus(self.form, form_of(x)), denied=True)

    def _compared(self, op: str, x: Any) -> Any:
        left, right = (self.form, form_of(x)) if op in (">", ">=") else (form_of(x), self.form)
        return self.asker.compared(">=", minus(minus(left, right), {ONE: 1} if op in ("<", ">") else {}))

    def term(self) -> Term:
        """The integer as a term."""
        return self.asker.term(self)


def divided(ask: Asks, a: Any, b: Any) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """Quotient and remainder, rounded down, for b > 0; each is computed when it is called.

    A number from 0 to 64 divided by an unknown has two cases: the unknown is larger, or it is one of few values. For
    polynomials, the part that the divisor divides is split off, and common positive factors are cancelled; the
    remaining division becomes an integer with a name of its own. Raises Undecided if b may be below 1.
    """
    if isinstance(a, int) and isinstance(b, int):
        return (lambda: a // b), (lambda: a % b)
    if not b > 0:
        raise Undecided(f"{b} may be below 1, and divides")
    if isinstance(a, int) and a >= 0:
        if b > a:
            return (lambda: 0), (lambda: a)
        if a <= MAX_VALUES:
            n = ask.value(b, 1, a)
            return (lambda: a // n), (lambda: a % n)
    bottom = form_of(b)
    exact = quotient(form_of(a), bottom)
    whole, rest = ask.number(exact), ask.number(minus(form_of(a), times(exact, bottom)))
    if isinstance(rest, int) and rest == 0:
        return (lambda: whole), (lambda: 0)
    left = form_of(rest)
    if ask.implied(">=", left) and ask.implied(">=", minus(minus(bottom, left), {ONE: 1})):
        return (lambda: whole), (lambda: rest)
    scale, left, bottom = _cancelled(ask, left, bottom)
    x, y, common = ask.number(left), ask.number(bottom), ask.number(scale)
    if isinstance(y, int) and y == 1:
        return (lambda: whole + x), (lambda: 0)
    if isinstance(x, int) and x > 0 and (scale != {ONE: 1} or not isinstance(a, int)):
        down, over = divided(ask, x, y)
        return (lambda: whole + down()), (lambda: common * over())

    def atom(op: str) -> Any:
        return ask.atom(op, x, y)

    return (lambda: whole + atom("//")), (lambda: common * atom("%"))


def _cancelled(ask: Asks, top: Poly, bottom: Poly) -> tuple[Poly, Poly, Poly]:
    """The greatest common factor that is known to be positive, and both polynomials divided by it."""
    factor = gcd(*top.values(), *bottom.values())
    shared = [n for n in sorted(common_names(top, bottom)) if ask.implied(">=", {(n,): 1, ONE: -1})]
    over, below = ({without(m, shared): c // factor for m, c in side.items()} for side in (top, bottom))
    return {tuple(shared): factor}, over, below


def common_names(*forms: Poly) -> set[str]:
    """The names that every monomial has."""
    return set.intersection(*(set(m) for form in forms for m in form))


def without(monomial: Sequence[str], names: Iterable[str]) -> tuple[str, ...]:
    """The monomial divided once by each of the names."""
    left = list(monomial)
    for name in names:
        left.remove(name)
    return tuple(left)
