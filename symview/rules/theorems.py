"""Theorems as pytest functions: the function returns its claims, the decorator makes it a test.

The outcome of each test is reported to the run. At its end the run lists what was proved for all values, what was only
checked up to a bound, and which statements were refuted as expected.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial, wraps
from time import perf_counter
from types import CodeType
from typing import Any, Literal, ParamSpec, TypeAlias, TypedDict, Unpack, assert_never, overload

from symview.answers import Exact, GuardVerdict, Sound, TooStrong, TooWeak
from symview.cases.conditions import Conditions
from symview.counterexample import values_text
from symview.errors import InputError, NotSupported, SymviewError
from symview.logic.budget import Budget
from symview.logic.terms import Term
from symview.proof.verdicts import Proved, Refuted, Unknown, is_built
from symview.rules.prove import prove

TRUSTED = frozenset(
    {"z3", "refutation", "induction", "list induction", "permutation", "all values tried", "normal form", "any rank"}
)
_ANY_RANK = frozenset({"any rank", "list induction", "permutation"})

P = ParamSpec("P")
Answer: TypeAlias = Proved | Refuted | Unknown | GuardVerdict
Claim: TypeAlias = Any  # a statement, a rule of programs, a pair with assumptions, a verdict, or a list of these
Judge: TypeAlias = Callable[[str, Answer], None]


class TheoremFailed(SymviewError, AssertionError):
    """A claim of a decorated function is false or undecided; the message shows the verdict.

    `place` is the user's own `file:line`, `claim` the text of the claim, `verdict` the verdict as text, and `query` the
    undecided question as SMT-LIB, if there is one.
    """

    def __init__(self, claim: str, verdict: str, query: str = "") -> None:
        self.claim, self.verdict, self.query, self.place = claim, verdict, query, ""
        super().__init__(claim, verdict)

    def __str__(self) -> str:
        return f"{self.place}: {self.verdict}" if self.place else self.verdict


Status: TypeAlias = Literal["proved", "checked", "refuted", "unknown", "failed"]


@dataclass(frozen=True, slots=True)
class TheoremOutcome:
    """The outcome of a test: `scope` is the values that it covers ("all values", "all values, any rank", "n <= 6")."""

    name: str
    status: Status
    scope: str = ""
    source: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """The settings of a test run for its theorems: a default budget, and functions to call.

    `report` is called with the outcome of each test, `answered` with the answer to each claim.
    """

    budget: Budget | None = None
    report: Callable[[TheoremOutcome], None] | None = None
    answered: Callable[[Answer], None] | None = None


current: ContextVar[Run] = ContextVar("symview theorems", default=Run())  # noqa: B039  (frozen)


class _Options(TypedDict, total=False):
    """The options of both decorators."""

    source: str
    division: str
    bits: int | str | None
    budget: Budget | None


Decorator: TypeAlias = Callable[[Callable[P, object]], Callable[P, None]]


@overload
def theorem(claims: Callable[P, object]) -> Callable[P, None]: ...
@overload
def theorem(
    claims: str = ..., *, by: Iterable[Proved] = ..., allow: Iterable[str] = ..., **options: Unpack[_Options]
) -> Decorator[P]: ...
def theorem(
    claims: Callable[P, object] | str | None = None,
    *,
    source: str = "",
    division: str = "floor",
    bits: int | str | None = None,
    by: Iterable[Proved] = (),
    budget: Budget | None = None,
    allow: Iterable[str] = (),
) -> Any:
    """Makes a test that passes if everything that the function claims is proved.

    The function returns a claim, or several as a list or by `yield`. A claim is a statement (text or sympy), a rule of
    programs, a pair (statement or rule, assumptions), a verdict, or a pair of `Conditions` and a guard that has to be
    exact. `theorem("its name", source="where it is from")` names it for the summary of the run; `division`, `bits` and
    `by` are those of `prove`. A proof may rest on `TRUSTED`, on lemmas, and on what `allow` names, such as "32-bit
    signed"; if it rests on anything else, the test fails with a message. It also fails if a divisor may be 0: the
    assumptions have to exclude that.

    >>> @theorem
    ... def test_remainder_of_remainder():
    ...     return "(x % (q*c)) % c == x % c", "q >= 1 and c >= 1"
    >>> test_remainder_of_remainder()
    """
    by = tuple(by)
    trusted = TRUSTED | frozenset(allow)

    def judge(claim: str, answer: Answer) -> None:
        match answer:
            case Proved() if not is_built(answer):
                raise TheoremFailed(claim, f"{answer}\nno rule built it in this process: it proves nothing here")
            case Proved() if answer.unstated:
                raise TheoremFailed(claim, f"{answer}\n{answer.to_state()}")
            case Proved() if extra := sorted(r for r in answer.rests_on - trusted if not r.startswith("lemma: ")):
                raise TheoremFailed(claim, f"{answer}\nrests on more: assume it, or allow={extra!r}")
            case Proved() | Exact():
                return
            case Unknown():
                raise TheoremFailed(claim, f"{answer}\n{_how_to_save(answer)}", answer.smt2)
            case Refuted() | Sound() | TooStrong() | TooWeak():
                raise TheoremFailed(claim, str(answer))
            case _:
                assert_never(answer)

    return _decorate(claims, source, partial(_answer, division, bits, by, budget), judge, "proved")


@overload
def refuted(claims: Callable[P, object]) -> Callable[P, None]: ...
@overload
def refuted(claims: str = ..., *, at: Mapping[str, int] | None = ..., **options: Unpack[_Options]) -> Decorator[P]: ...
def refuted(
    claims: Callable[P, object] | str | None = None,
    *,
    at: Mapping[str, int] | None = None,
    source: str = "",
    division: str = "floor",
    bits: int | str | None = None,
    budget: Budget | None = None,
) -> Any:
    """Makes a test that passes if everything that the function claims is refuted: for statements that are wrong.

    With `at`, the smallest counterexample must be these values.

    >>> @refuted(at={"x": 1, "y": 1})
    ... def test_halves_do_not_add():
    ...     return "(x + y)//2 == x//2 + y//2"
    >>> test_halves_do_not_add()
    """

    def judge(claim: str, answer: Answer) -> None:
        match answer:
            case Refuted():
                if at is not None and (dict(at) != answer.values or not answer.smallest):
                    raise TheoremFailed(claim, f"{answer}\nexpected as the smallest: {dict(at)}")
            case TooStrong() | TooWeak():
                if at is not None and dict(at) != answer.values:
                    raise TheoremFailed(claim, f"{answer}\nexpected at {dict(at)}")
            case Proved() | Exact() | Sound():
                raise TheoremFailed(claim, f"expected a counterexample, but {answer}")
            case Unknown():
                raise TheoremFailed(claim, f"expected a counterexample, but {answer}\n{_how_to_save(answer)}")
            case _:
                assert_never(answer)

    return _decorate(claims, source, partial(_answer, division, bits, (), budget), judge, "refuted")


def checked(bound: str, *, source: str = "", name: str = "", refutes: bool = False) -> Decorator[P]:
    """Marks a test that enumerates all values up to a bound, which it states: this is no proof for all values.

    With `refutes`, the statement is wrong, and the test shows the counterexample.

    >>> @checked("sizes to 6")
    ... def test_squares_of_odd_numbers():
    ...     assert all((2*n + 1)**2 % 8 == 1 for n in range(6))
    >>> test_squares_of_odd_numbers()
    """
    if not isinstance(bound, str) or not bound:
        raise InputError(f"{bound!r}: say up to which bound the test checks, such as 'sizes to 6'")
    status: Status = "refuted" if refutes else "checked"

    def decorate(function: Callable[P, object]) -> Callable[P, None]:
        @wraps(function)
        def test(*args: P.args, **kwargs: P.kwargs) -> None:
            __tracebackhide__ = True
            with _reporting(name or _title(function), source, status) as scopes:
                function(*args, **kwargs)
                scopes.append(bound)

        return _marked(test, status, bound, source)

    return decorate


# From a function to its verdicts


def _answer(
    division: str, bits: int | str | None, by: tuple[Proved, ...], budget: Budget | None, claim: Claim
) -> Answer:
    """The answer to one claim of a function."""
    if isinstance(claim, Answer):
        return claim
    assume: Claim = ()
    if isinstance(claim, tuple) and not isinstance(claim, Term):
        if len(claim) != 2:
            raise InputError(f"{claim!r}: a claim is a pair (statement, assumptions), or (conditions, guard)")
        claim, assume = claim
        if isinstance(claim, Conditions):
            return claim.compare(assume)
    try:
        return prove(claim, assume, division, by, bits, budget or current.get().budget)
    except (InputError, NotSupported) as error:
        raise TheoremFailed(_claim_text(claim), str(error)) from error


def _decorate(
    claims: Callable[P, object] | str | None,
    source: str,
    answer: Callable[[Claim], Answer],
    judge: Judge,
    status: Status,
) -> Any:
    name = claims if isinstance(claims, str) else ""

    def decorate(function: Callable[P, object]) -> Callable[P, None]:
        @wraps(function)
        def test(*args: P.args, **kwargs: P.kwargs) -> None:
            __tracebackhide__ = True
            with _reporting(name or _title(function), source, status) as scopes:
                for claim, place in _claims(function, function(*args, **kwargs)):
                    try:
                        if claim is None:
                            raise TheoremFailed("", _why_nothing(function))
                        found = answer(claim)
                        judge(_claim_text(claim), found)
                        if (answered := current.get().answered) is not None:
                            answered(found)
                    except TheoremFailed as failure:
                        failure.place = place
                        raise
                    scopes.append(scope_of(found))

        return _marked(test, status, "", source)

    if claims is None or isinstance(claims, str):
        return decorate
    if not inspect.isroutine(claims):
        raise InputError(f"{_claim_text(claims)}: a theorem is a function that returns what it claims")
    return decorate(claims)


def _marked(test: Callable[P, None], status: Status, bound: str, source: str) -> Callable[P, None]:
    """The test with attributes for tools that list tests: its outcome if it passes."""
    vars(test).update(symview_status=status, symview_bound=bound, symview_source=source)
    return test


@contextmanager
def _reporting(name: str, source: str, status: Status) -> Iterator[list[str]]:
    """Reports the outcome of a test to the run; the block adds the scope of each claim to the list."""
    started, scopes = perf_counter(), list[str]()

    def ended(status: Status) -> None:
        scope = ", ".join(dict.fromkeys(scopes)) if status not in ("failed", "unknown") else ""
        if (report := current.get().report) is not None:
            report(TheoremOutcome(name, status, scope, source, perf_counter() - started))

    try:
        yield scopes
    except TheoremFailed as failure:
        ended("unknown" if failure.verdict.startswith("unknown") else "failed")
        raise
    except Exception:
        ended("failed")
        raise
    ended(status)


def scope_of(answer: Answer) -> str:
    """The values that a verdict covers.

    >>> scope_of(prove("x % 2 < 2")), scope_of(prove("x % y != y")), scope_of(prove("x(n,m).flip(0) == x(n,m)"))
    ('all values', 'all values, divisor y != 0 assumed', 'at n = 2, m = 1, index (0,0)')
    """
    if isinstance(answer, Proved):
        noted = sorted(n for n in answer.rests_on if "assumed" in n or "not shown" in n)
        sizes = "all sizes" if "normal form" in answer.rests_on else "all values"
        return ", ".join(["all sizes, any rank" if answer.rests_on & _ANY_RANK else sizes, *noted])
    if isinstance(answer, Exact):
        return "all values"
    if isinstance(answer, Refuted):
        return f"at {answer.where()}"
    if isinstance(answer, (TooStrong, TooWeak)):
        return f"at {values_text(answer.values)}"
    return ""


def _claims(function: Callable[..., object], claimed: Claim) -> Iterator[tuple[Claim, str]]:
    """The claims one by one, each with its file and line.

    If nothing is claimed, so that the test could never fail, it yields None with the place of the function.
    """
    code = getattr(inspect.unwrap(function), "__code__", None)
    single = isinstance(claimed, (str, tuple)) or type(claimed).__module__.partition(".")[0] == "sympy"
    several = isinstance(claimed, Iterable) and not single
    claim = None
    for claim in claimed if several else [claimed]:
        if claim is None:
            break
        yield claim, f"{code.co_filename}:{_line(claimed, code)}" if code else ""
    if claim is None:
        yield None, f"{code.co_filename}:{code.co_firstlineno}" if code else ""


def _why_nothing(function: Callable[..., object]) -> str:
    """What to do about a function that claims nothing."""
    way_out = """return a statement, such as return "x % 2 < 2", or yield several"""
    if _asserts(function):
        return (
            f"{function.__name__} asserts, and returns nothing to be proved: {way_out}; "
            'a test that tries values is @checked("n <= 6")'
        )
    return f"{function.__name__} claims nothing: {way_out}"


def _asserts(function: Callable[..., object]) -> bool:
    """Whether the function contains an assert, if its source is available."""
    try:
        body = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))
    except (OSError, TypeError, SyntaxError):
        return False
    return any(isinstance(node, ast.Assert) for node in ast.walk(body))


def _line(claimed: Claim, code: CodeType) -> int:
    """The line where a generator is suspended, or where the function returned."""
    frame = getattr(claimed, "gi_frame", None)
    return frame.f_lineno if frame else max(line for *_, line in code.co_lines() if line)


def _claim_text(claim: Claim) -> str:
    claim = claim[0] if isinstance(claim, tuple) and not isinstance(claim, Term) else claim
    return str(getattr(claim, "statement", claim))


def _title(function: Callable[..., object]) -> str:
    return function.__name__.removeprefix("test_").replace("_", " ")


def _how_to_save(verdict: Unknown) -> str:
    given = f", assume={list(verdict.assumptions)!r}" if verdict.assumptions else ""
    given += f", division={verdict.division!r}" if verdict.division != "floor" else ""
    return f"to save the open query as SMT-LIB: prove({verdict.statement!r}{given}).save('query.smt2')"
