"""A command line as the values of a command's parameters: argparse reads it, with the parser of that command alone."""

from __future__ import annotations

from argparse import SUPPRESS, ArgumentParser
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from symview.cli.table import COMMANDS
from symview.commands.entries import REQUIRED, Command, Parameter
from symview.commands.options import Given
from symview.errors import InputError, nearest

_FEW_COMMANDS = 4  # that a message lists
_ACTIONS = {bool: "store_true", list: "append"}


class UsageError(InputError):
    """The command line is none of the command's."""


_MEANT = {  # words of other libraries, and the commands that answer them
    "view": "reshape", "flatten": "reshape", "unflatten": "reshape", "ravel": "reshape", "collapse": "reshape",
    "slice": "merge", "alias": "overlap", "memory": "span", "size": "span", "bounds": "span", "cosize": "span",
    "bitcast": "recast", "cast": "recast", "dtype": "recast", "upcast": "recast", "downcast": "recast",
    "composition": "compose", "tile": "divide", "conflicts": "banks", "padding": "swizzle", "copies": "lint",
    "premise": "weakest", "bijective": "index-map",
}  # fmt: skip


class _Parser(ArgumentParser):
    """Raises what is wrong, and says where the help is."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message}; see {self.prog} --help")


def read(words: Sequence[str]) -> tuple[Command, Given]:
    """The command of a line, and values for all its parameters; raises UsageError if it is not a command's.

    >>> read(["banks", "32:2", "--width", "8"])[1]["width"]
    8
    """
    command = COMMANDS.get(words[0])
    if command is None:
        kind, known = ("option", ["--version"]) if words[0].startswith("-") else ("command", [*COMMANDS])
        _parser("symview", ()).error(_unknown(kind, words[0], known))
    parser = _parser(f"symview {command.name}", command.parameters)
    end = words.index("--") if "--" in words else len(words)  # words after it are no options
    found, loose = parser.parse_known_args(words[1:end])
    if odd := next((w for w in loose if w.startswith("-") and w != "-" and " " not in w), None):
        unknown = _unknown("option", odd, _flags(command)) + _of_others(odd)
        parser.error("; ".join(filter(None, [unknown, command.elsewhere])))
    given = {p.name: p.default for p in command.parameters} | vars(found)
    if left := _fill(given, [p for p in command.parameters if not p.flags], [*loose, *words[end + 1 :]]):
        parser.error(f"unexpected argument {left[0]}")
    if missing := [p for p in command.parameters if given[p.name] is REQUIRED]:
        parser.error(f"{command.name} needs {', '.join(_shortest(p) for p in missing)}")
    try:
        return command, {p.name: _value(p, given[p.name]) for p in command.parameters}
    except InputError as error:
        parser.error(str(error))


def _parser(program: str, parameters: Iterable[Parameter]) -> _Parser:
    """A parser of the options; the other words are left over, in their order."""
    parser = _Parser(program, usage="", add_help=False, allow_abbrev=False, argument_default=SUPPRESS)
    for p in parameters:
        if p.flags:
            parser.add_argument(*p.flags, dest=p.name, action=_ACTIONS.get(p.kind, "store"))
    return parser


def _fill(given: Given, arguments: Iterable[Parameter], words: Sequence[str]) -> Sequence[str]:
    """Gives the words to the arguments, in order; returns those that are left."""
    for argument in arguments:
        taken = len(words) if argument.kind is list else 1
        if words:
            given[argument.name] = list(words) if argument.kind is list else words[0]
        words = words[taken:]
    return words


def _value(parameter: Parameter, given: Any) -> Any:
    return parameter.of_word(given) if isinstance(given, str) and parameter.kind in (int, float) else given


def _shortest(parameter: Parameter) -> str:
    """How a message names a parameter: an option by its first flag."""
    return " ".join(filter(None, [*parameter.flags[:1], parameter.metavar]))


def _flags(command: Command) -> list[str]:
    return [flag for p in command.parameters for flag in p.flags]


def _of_others(word: str) -> str:
    """The commands that have an option that another one lacks."""
    having = [name for name, command in COMMANDS.items() if word.partition("=")[0] in _flags(command)]
    return f", which is an option of {', '.join(having)}" if 0 < len(having) <= _FEW_COMMANDS else ""


def _unknown(what: str, word: str, known: Iterable[str]) -> str:
    """The message about a word that nothing has, with the nearest one."""
    names = {k.strip("-"): k for k in known}
    bare = word.partition("=")[0].strip("-")
    near = _MEANT.get(bare.lower()) if what == "command" else None
    near = near if near in names else nearest(bare, names)
    return f"unknown {what} {word}" + (f" (did you mean {names[near]}?)" if near else "")
