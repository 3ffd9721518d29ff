"""The arguments and options of commands, those that several commands share, and their parsed values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from types import EllipsisType
from typing import Any, TypeAlias

from symview.errors import InputError
from symview.logic.budget import DEFAULT, MOST_SECONDS, Budget
from symview.logic.notation import nonblank

Given: TypeAlias = dict[str, Any]  # by the names of parameters
Default: TypeAlias = str | float | EllipsisType | None
REQUIRED = ...  # the default of required parameters
_NUMBER = {int: re.compile(r" ?-?\d{1,1000}", re.ASCII), float: re.compile(r"\d{1,100}(\.\d{1,100})?", re.ASCII)}
_MAX_FLOAT = 10**100  # of numbers that are read as floats
_KINDS = {bool: "true or false", int: "an integer", float: "a number"}


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a command: an option with its flags, or an argument, which has none.

    `kind`: str, int, float or bool; list if it takes several texts. `min`: the least number allowed.
    `otherwise`: what the help page prints in place of the default None.
    """

    name: str
    flags: tuple[str, ...]
    metavar: str | None
    text: str
    kind: type = str
    default: Default = None
    min: float | None = None
    otherwise: str = ""

    @property
    def key(self) -> str:
        """Its key in a question of a batch: an option's long name."""
        return next((flag[2:] for flag in self.flags if flag.startswith("--")), self.name)

    def of_word(self, text: str) -> str | float:
        """Parses a word of a command line; raises ValueError if it is not plain."""
        if self.kind is str:
            return text
        if not _NUMBER[self.kind].fullmatch(text):
            raise ValueError(text)
        number: float = self.kind(text)
        if self.min is not None and number < self.min:
            raise ValueError(text)
        return number

    def of_json(self, given: Any) -> Any:
        """Parses a value of a batch question; raises InputError if it has another type."""
        if self.kind is list:
            pairs = self.key == "at" and isinstance(given, dict)
            many = [f"{k}={v}" for k, v in given.items()] if pairs else [given] if isinstance(given, str) else given
            if not isinstance(many, list) or not all(isinstance(text, str) for text in many):
                raise self._wrong(given, "a text, or a list of texts")
            return many
        if self.kind is str:
            return self._text(given)
        right = (bool,) if self.kind is bool else (self.kind, int)
        if type(given) not in right or (self.kind is float and abs(given) > _MAX_FLOAT):
            raise self._wrong(given, _KINDS[self.kind])
        return self.kind(given)

    def _text(self, given: object) -> str:
        if isinstance(given, list) and all(type(x) is int or isinstance(x, str) for x in given):
            return f"({','.join(map(str, given))})"
        if type(given) is not int and not isinstance(given, str):
            raise self._wrong(given, "a text")
        return str(given)

    def _wrong(self, given: object, needed: str) -> InputError:
        return InputError(f"{self.key}: {str(given)[:60]!r} is no value for it: give {needed}")


def argument(metavar: str, text: str, name: str = "", default: Default = None) -> Parameter:
    """Declares an argument as the help page spells it: `[FILE]` is optional, `FILE...` takes several texts.

    Its name is that in lower case, unless `name` is set.
    """
    kind: type = list if metavar.endswith("...") else str
    default = default if metavar.startswith("[") else REQUIRED
    return Parameter(name or metavar.strip("[].").lower(), (), metavar, text, kind, default)


def option(
    spelled: str,
    text: str,
    name: str = "",
    kind: type | None = None,
    default: Default = None,
    min: float | None = None,
    otherwise: str = "",
) -> Parameter:
    """Declares an option as the help page spells it, `-o --output FILE`; without a word for its value it is a flag.

    Its kind is that of `default` or `min` if these are numbers, else text, unless `kind` is set.
    """
    words = spelled.split()
    flags = tuple([w for w in words if w.startswith("-")])
    name = name or flags[-1].strip("-")
    if len(flags) == len(words):
        return Parameter(name, flags, None, text, bool, False)
    given = default if type(default) in (int, float) else min
    kind = kind or (str if given is None else type(given))
    return Parameter(name, flags, words[-1], text, kind, default, min, otherwise)


_SHARED = (
    option("--assume TEXT", 'An assumption about the symbols, such as "s >= 2"; may be repeated.', kind=list),
    option("--at NAME=INT", "A value for a symbol; may be repeated.", kind=list),
    option("--guard TEXT", "A check at run time: is it exact, too strong or too weak?"),
    option("--explain -v", "Show what forces each condition, and why nothing is missing.", "explain"),
    option("--python", "Print the check at run time as Python."),
    option("--pytest", "Print a test that runs on numpy and pytest alone."),
    option("--json", "Print the answer, or the error, as JSON."),
    option("--latex", "Print the condition, or the cases, in LaTeX."),
    option("--smt2", "Print the evidence as SMT-LIB: every check-sat has to answer unsat."),
    option("--all", "Print all cases and conditions, however many and long they are."),
    option("--budget INT", "How many solver steps may be spent.", min=1,
           otherwise=f"{DEFAULT.work // 10**6} million"),
    option("--timeout SECONDS", "Seconds that the whole question may take; cases decided by then are kept.",
           kind=float, otherwise="none"),
)  # fmt: skip
_ALWAYS = ("json", "budget", "timeout")


def shared(*names: str, **texts: str) -> tuple[Parameter, ...]:
    """The shared options of these names, with other help texts where these are set, and those of every command."""
    wanted = (*names, *texts, *_ALWAYS)
    return tuple([replace(p, text=texts.get(p.name, p.text)) for p in _SHARED if p.name in wanted])


_SHARE = 8  # of the budget, for further questions about an answer that used all of it
_ALONE = ("explain", "guard", "latex", "pytest", "python", "smt2")


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
    pytest: bool = False
    json: bool = False
    latex: bool = False
    smt2: bool = False
    all: bool = False
    budget: Budget = DEFAULT

    def __post_init__(self) -> None:
        chosen = [name for name in _ALONE if getattr(self, name) not in (False, None)]
        excludes_json = self.json and not {"guard", "python"}.issuperset(chosen)
        if len(chosen) > 1 or excludes_json or (self.at and not {"pytest"}.issuperset(chosen)):
            raise InputError(
                "choose one of --explain, --guard, --latex, --pytest, --python and --smt2; with --at only --json or "
                "--pytest goes, and --json goes with --guard and --python as well"
            )

    def wants_conditions(self) -> bool:
        """Whether an output other than plain text or JSON is requested, which only conditions have."""
        return bool(self.at or any(getattr(self, name) not in (False, None) for name in _ALONE))

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

    from symview.logic.z3_door import load

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
