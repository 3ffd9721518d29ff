"""A plain command line, read here; help pages, completion and what is wrong are typer's, which takes long to load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symview.cli.options import REQUIRED, Parameter
from symview.cli.table import COMMANDS, Command


def read(words: Sequence[str]) -> tuple[Command, Mapping[str, Any]] | None:
    """The command of a line, and what it is called with; None where the line is not plain, or not right."""
    if not words or words[0] not in COMMANDS:
        return None
    command = COMMANDS[words[0]]
    try:
        given = {p.name: p.default for p in command.parameters} | _given(words[1:], command.parameters)
    except ValueError:
        return None
    return None if REQUIRED in given.values() else (command, given)


def _given(words: Sequence[str], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """What the words give; ValueError where that is not plain."""
    flags = {flag: p for p in parameters for flag in p.flags}
    given: dict[str, Any] = {}
    loose: list[str] = []
    left = list(reversed(words))
    while left:
        word = left.pop()
        if not word.startswith("-") or word == "-":
            loose.append(word)
            continue
        flag, equals, text = word.partition("=") if word.startswith("--") else (word, "", "")
        option = flags.get(flag)
        if option is None or (option.kind is bool and equals):
            raise ValueError(word)
        if option.kind is bool:
            given[option.name] = True
            continue
        if not equals:
            text = left.pop() if left else "-"
            if text.startswith("-"):
                raise ValueError(word)
        if option.kind is list:
            given.setdefault(option.name, []).append(text)
        elif option.name in given:
            raise ValueError(word)
        else:
            given[option.name] = option.of_word(text)
    return given | _arguments(loose, parameters)


def _arguments(loose: Sequence[str], parameters: Sequence[Parameter]) -> dict[str, Any]:
    """What the words that belong to no option give, in the order of the arguments."""
    given: dict[str, Any] = {}
    left = list(loose)
    for argument in (p for p in parameters if not p.flags):
        if left and argument.kind is list:
            given[argument.name], left = left, []
        elif left:
            given[argument.name] = argument.of_word(left.pop(0))
    if left:
        raise ValueError(left[0])
    return given
