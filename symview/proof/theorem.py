"""Theorems as pytest functions: the function returns what it claims, the decorator makes it a test."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ParamSpec, TypeAlias, assert_never, overload

from symview.errors import InputError, SymviewError
from symview.logic.budget import Budget
from symview.logic.terms import Term
from symview.proof.kernel import prove
from symview.proof.verdicts import Proved, Refuted, Unknown, Verdict

TRUSTED = frozenset({"z3", "induction", "all values tried"})

P = ParamSpec("P")
Judge: TypeAlias = Callable[[Verdict], None]


class TheoremFailed(SymviewError, AssertionError):
    """What a decorated function claims is not so, or could not be settled; the message shows the verdict."""


@overload
def theorem(claims: Callable[P, object]) -> Callable[P, None]: ...
@overload
def theorem(
    *, division: str = ..., budget: Budget | None = ..., allow: Iterable[str] = ...
) -> Callable[[Callable[P, object]], Callable[P, None]]: ...
def theorem(
    claims: Any = None,
    *,
    division: str = "floor",
    budget: Budget | None = None,
    allow: Iterable[str] = (),
) -> Any:
    """Makes a test that passes if everything that the function claims is proved.

    The function returns a statement (text or sympy), a pair (statement, assumptions), a verdict, or several
    of these as a list or by `yield`. A proof may rest on `TRUSTED` and on what `allow` names, such as
    "divisor y != 0 assumed"; on anything else the test fails and says so.

    >>> @theorem
    ... def test_remainder_of_remainder():
    ...     return "(x % (q*c)) % c == x % c", "q >= 1 and c >= 1"
    >>> test_remainder_of_remainder()
    """
    trusted = TRUSTED | frozenset(allow)

    def judge(verdict: Verdict) -> None:
        _check_proved(verdict, trusted)

    return _decorate(claims, division, budget, judge)


@overload
def refuted(claims: Callable[P, object]) -> Callable[P, None]: ...
@overload
def refuted(
    *, at: Mapping[str, int] | None = ..., division: str = ..., budget: Budget | None = ...
) -> Callable[[Callable[P, object]], Callable[P, None]]: ...
def refuted(
    claims: Any = None,
    *,
    at: Mapping[str, int] | None = None,
    division: str = "floor",
    budget: Budget | None = None,
) -> Any:
    """Makes a test that passes if all that the function claims is refuted: for statements that are wrong.

    With `at`, the smallest counterexample must be these values.

    >>> @refuted(at={"x": 1, "y": 1})
    ... def test_halves_do_not_add():
    ...     return "(x + y)//2 == x//2 + y//2"
    >>> test_halves_do_not_add()
    """

    def judge(verdict: Verdict) -> None:
        _check_refuted(verdict, at)

    return _decorate(claims, division, budget, judge)


def _decorate(claims: Any, division: str, budget: Budget | None, judge: Judge) -> Any:
    def decorate(function: Callable[P, object]) -> Callable[P, None]:
        @functools.wraps(function)
        def test(*args: P.args, **kwargs: P.kwargs) -> None:
            __tracebackhide__ = True
            found = _listed(function(*args, **kwargs), function.__name__)
            for claim in found:
                judge(_verdict(claim, division, budget))

        return test

    return decorate if claims is None else decorate(claims)


def _listed(claimed: Any, name: str) -> list[Any]:
    """The claims one by one; raises InputError where nothing is claimed, since such a test could not fail."""
    several = isinstance(claimed, Iterable) and not isinstance(claimed, (str, tuple, Term))
    found = list(claimed) if several and not _is_sympy(claimed) else [claimed]
    if not found or any(claim is None for claim in found):
        raise InputError(f"{name} claims nothing: return or yield statements")
    return found


def _is_sympy(value: Any) -> bool:
    return type(value).__module__.partition(".")[0] == "sympy"


def _verdict(claim: Any, division: str, budget: Budget | None) -> Verdict:
    if isinstance(claim, (Proved, Refuted, Unknown)):
        return claim
    if isinstance(claim, tuple) and not isinstance(claim, Term):
        if len(claim) != 2:
            raise InputError(f"{claim!r}: a claim with assumptions is a pair (statement, assumptions)")
        return prove(claim[0], claim[1], division, budget)
    return prove(claim, (), division, budget)


def _check_proved(verdict: Verdict, trusted: frozenset[str]) -> None:
    __tracebackhide__ = True
    match verdict:
        case Proved():
            if extra := sorted(verdict.rests_on - trusted):
                raise TheoremFailed(f"{verdict}\nrests on more: assume it, or allow={extra!r}")
        case Refuted():
            raise TheoremFailed(str(verdict))
        case Unknown():
            raise TheoremFailed(f"{verdict}\n{_how_to_save(verdict)}")
        case _:
            assert_never(verdict)


def _check_refuted(verdict: Verdict, at: Mapping[str, int] | None) -> None:
    __tracebackhide__ = True
    match verdict:
        case Refuted():
            if at is not None and (dict(at) != verdict.values or not verdict.smallest):
                raise TheoremFailed(f"{verdict}\nexpected as the smallest: {dict(at)}")
        case Proved():
            raise TheoremFailed(f"expected a counterexample, but {verdict}")
        case Unknown():
            raise TheoremFailed(f"expected a counterexample, but {verdict}\n{_how_to_save(verdict)}")
        case _:
            assert_never(verdict)


def _how_to_save(verdict: Unknown) -> str:
    given = f", assume={list(verdict.assumptions)!r}" if verdict.assumptions else ""
    given += f", division={verdict.division!r}" if verdict.division != "floor" else ""
    return f"to save the open query as SMT-LIB: prove({verdict.statement!r}{given}).save('query.smt2')"
