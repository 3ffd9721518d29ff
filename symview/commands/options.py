"""The options that several commands share, as values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from typing import Any, TypeAlias

from symview.errors import InputError
from symview.logic.budget import DEFAULT, MOST_SECONDS, Budget
from symview.logic.notation import nonblank

Given: TypeAlias = dict[str, Any]  # by the names of parameters
_SHARE = 8  # of the budget, for further questions about an answer that used all of it
_ALONE = ("explain", "guard", "latex", "python", "smt2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The values of the shared options; raises InputError for options that exclude one another.

    `at` maps names to values; `budget` combines `--budget` and `--timeout`, and its clock runs.
    """

    assume: tuple[str, ...] = ()
    at: Mapping[str, int] = field(default_factory=dict)
    guard: str | None = None
    explain: bool = False
    python: bool = False
    json: bool = False
    latex: bool = False
    smt2: bool = False
    all: bool = False
    budget: Budget = DEFAULT

    def __post_init__(self) -> None:
        chosen = [name for name in _ALONE if getattr(self, name) not in (False, None)]
        excludes_json = self.json and not {"guard", "python"}.issuperset(chosen)
        if len(chosen) > 1 or excludes_json or (self.at and chosen):
            raise InputError(
                "choose one of --explain, --guard, --latex, --python and --smt2; with --at only --json goes, and "
                "--json goes with --guard and --python as well"
            )

    def wants_conditions(self) -> bool:
        """Whether an output other than plain text or JSON is requested, which only conditions have."""
        return bool(self.at or any(getattr(self, name) not in (False, None) for name in _ALONE))

    def wants_text(self) -> bool:
        """Whether conditions are requested as a check, as LaTeX or as a script."""
        return self.guard is not None or self.python or self.latex or self.smt2

    def cap(self) -> str | None:
        """A hint how to see everything, if the output is shortened; None if everything is printed."""
        return None if self.all else "--all"

    def rest(self) -> Budget:
        """The budget of further questions about the answer: what remains of time and work, at least a small share."""
        left, budget = self.budget.seconds_left(), self.budget.plain()
        rest = replace(budget, work=max(self.budget.left(), budget.work // _SHARE, 1))
        return rest if left is None else replace(rest, timeout=max(left, 1e-3)).started()


def options_of(given: Given) -> Options:
    """Builds the options from the values of the shared parameters; starts the clock of the question."""
    rest = dict(given)
    work, timeout = rest.pop("budget", None), rest.pop("timeout", None)
    if timeout is not None:
        _load()
    budget = budget_of(work, timeout).started()
    at, assume = values_of(rest.pop("at", None) or ()), tuple(nonblank(rest.pop("assume", None) or ()))
    return Options(at=at, assume=assume, budget=budget, **rest)


def _load() -> None:
    """Imports the modules that symbols and solvers need, so that the clock measures the question alone."""
    import sympy  # noqa: F401

    from symview.logic.z3_door import load  # slow to load

    load()


def budget_of(work: int | None, timeout: float | None) -> Budget:
    """The budget that `--budget` and `--timeout` set."""
    if timeout is not None and not (isfinite(timeout) and timeout > 0):
        raise InputError(f"--timeout {timeout:g}: give a number of seconds above 0")
    if timeout is not None and timeout >= MOST_SECONDS:
        raise InputError(
            f"--timeout {timeout:g} is too large: give less than {MOST_SECONDS:g} seconds, or leave it out"
        )
    return Budget(timeout=timeout) if work is None else Budget(work=work, timeout=timeout)


def values_of(given: Iterable[str]) -> dict[str, int]:
    """The values of `--at`."""
    values: dict[str, int] = {}
    for text in given:
        name, _, number = (part.strip() for part in text.partition("="))
        try:
            value = int(number)
        except ValueError:
            raise InputError(f"--at {text}: write NAME=INT, such as --at s=4") from None
        if values.setdefault(name, value) != value:
            raise InputError(f"--at gives {name} both as {values[name]} and as {value}: give it once")
    return values
