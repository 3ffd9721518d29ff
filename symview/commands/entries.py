"""Commands as data: the function of each, which is imported when it runs, its parameters, and its help page.

A part of symview lists its commands in `COMMANDS` of its `commands.py`, which imports this module alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from importlib import import_module
from inspect import cleandoc
from types import EllipsisType
from typing import Any, TypeAlias

from symview.commands.options import Given, options_of
from symview.errors import InputError
from symview.logic.budget import DEFAULT

Default: TypeAlias = str | float | EllipsisType | None
REQUIRED = ...  # the default of required parameters
_MAX_FLOAT = 10**100  # of numbers that are read as floats
_KINDS = {bool: "true or false", int: "an integer", float: "a number"}
_EXAMPLE = "\n\nExample:\n\n"


class Group(Enum):
    """The topic of a command: its heading in the list of commands."""

    VIEWS = "Views"
    RULES = "Rules and index expressions"
    CUTE = "CuTe layouts"
    TOOLS = "Tools"


@dataclass(frozen=True, slots=True)
class Command:
    """A command: its function as `module:name`, and its line in the list of commands.

    `own` are the function's arguments, `shared` become its `options`; a command without these prints by itself.
    `page` is its help, with examples at the end; a terminal shows `doing` while it runs; `group` is its heading in the
    list. `many`: it asks many questions, so that no batch contains it. `reads_files`: - is a file, not lines of
    questions. `elsewhere`: where options stand that are not the command's. The keys of its JSON are in docs/json.md.
    """

    function: str
    short: str
    own: tuple[Parameter, ...]
    shared: tuple[Parameter, ...]
    page: str
    doing: str = ""
    group: Group = field(kw_only=True)
    many: bool = field(default=False, kw_only=True)
    reads_files: bool = field(default=False, kw_only=True)
    elsewhere: str = field(default="", kw_only=True)

    @property
    def name(self) -> str:
        """The name of the command."""
        return self.function.partition(":")[2].replace("_", "-")

    @property
    def about(self) -> str:
        """Its help text without the examples."""
        return cleandoc(self.page).partition(_EXAMPLE)[0]

    @property
    def examples(self) -> list[str]:
        """The examples of its help: commands, and what they print."""
        return re.split(r"\n\n(?=\$ )", cleandoc(self.page).partition(_EXAMPLE)[2])

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """All its parameters."""
        return self.own + self.shared

    def ask(self, given: Given) -> Any:
        """Calls its function with values for its parameters."""
        module, _, name = self.function.partition(":")
        run: Callable[..., Any] = getattr(import_module(module), name)
        own = {p.name: given[p.name] for p in self.own}
        options = {"options": options_of({p.name: given[p.name] for p in self.shared})} if self.shared else {}
        return run(**own, **options)


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

    def spelled(self) -> str:
        """How a command line spells it: `--out FILE`, or the name of an argument."""
        return " ".join(filter(None, [", ".join(self.flags), self.metavar]))

    def least(self) -> str:
        """The least number allowed, in words."""
        return "" if self.min is None else f"{self.min} or more"

    def of_word(self, text: str) -> Any:
        """Parses the number of an option; raises InputError if it is none, or too small."""
        try:
            number = self.kind(text)
        except ValueError:
            number = None
        if number is None or not self._allows(number):
            raise InputError(f"{self.flags[0]} {text.strip()}: give {self._needed()}")
        return number

    def _allows(self, number: float) -> bool:
        return self.min is None or number >= self.min

    def _needed(self) -> str:
        return ", ".join(filter(None, [_KINDS[self.kind], self.least()]))

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
        fits = type(given) in right and not (self.kind is float and abs(given) > _MAX_FLOAT)
        if not fits or not self._allows(given):
            raise self._wrong(given, self._needed())
        return self.kind(given)

    def _text(self, given: object) -> str:
        if isinstance(given, list) and all(type(x) is int or isinstance(x, str) for x in given):
            return f"({','.join(map(str, given))})"
        if type(given) is not int and not isinstance(given, str):
            raise self._wrong(given, "a text")
        return str(given)

    def _wrong(self, given: object, needed: str) -> InputError:
        return InputError(f"{self.key}: {str(given)[:60]!r} is not a value for it: give {needed}")


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
    option("--explain -v", "Show what forces each condition, and why the answer is complete.", "explain"),
    option("--python", "Print the check at run time as Python."),
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


CONDITIONS = ("assume", "at", "guard", "python", "latex", "smt2", "all")  # shared options about conditions
JOBS = option("--jobs INT", "How many cores; 0 for all.", default=1, min=0)
