"""A plain command line, read here; help pages, completion and what is wrong are typer's, which takes long to load."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter, signature
from types import NoneType, UnionType
from typing import Any, get_args, get_origin

from symview.cli.options import Declared
from symview.cli.table import COMMANDS, entry_of

_NUMBER = {int: re.compile(r" ?-?\d{1,1000}", re.ASCII), float: re.compile(r"\d{1,100}(\.\d{1,100})?", re.ASCII)}


@dataclass(frozen=True, slots=True)
class Taken:
    """A parameter of a command: its type, which is `list` where it takes several texts, and what is declared of it."""

    name: str
    kind: Any
    default: Any
    declared: Declared

    @property
    def required(self) -> bool:
        """Whether it has to be given."""
        return self.default is Parameter.empty

    def value(self, text: str) -> Any:
        """What the text says; ValueError where that is not plain."""
        if self.kind is str:
            return text
        if not _NUMBER[self.kind].fullmatch(text):
            raise ValueError(text)
        number = self.kind(text)
        if self.declared.min is not None and number < self.declared.min:
            raise ValueError(text)
        return number


def taken_by(run: Callable[..., Any]) -> list[Taken]:
    """The parameters of a command."""
    return [taken(p) for p in signature(run, eval_str=True).parameters.values()]


def taken(parameter: Parameter) -> Taken:
    """What a command takes as this parameter, `Annotated[type, Declared(…)]`, where None is for what is not given."""
    whole, declared = get_args(parameter.annotation)
    kinds = get_args(whole) if get_origin(whole) is UnionType else (whole,)
    kind = next(get_origin(k) or k for k in kinds if k is not NoneType)
    return Taken(parameter.name, kind, parameter.default, declared)


def read(words: Sequence[str]) -> tuple[Callable[..., int], Mapping[str, Any]] | None:
    """The command of a line, and what it is called with; None where the line is not plain, or not right."""
    if not words or words[0] not in COMMANDS:
        return None
    run = entry_of(words[0]).run
    parameters = taken_by(run)
    try:
        given = _given(words[1:], parameters)
    except ValueError:
        return None
    if any(p.required and p.name not in given for p in parameters):
        return None
    return run, {p.name: given.get(p.name, p.default) for p in parameters}


def _given(words: Sequence[str], parameters: Sequence[Taken]) -> dict[str, Any]:
    """What the words give; ValueError where that is not plain."""
    flags = {flag: p for p in parameters for flag in p.declared.flags}
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
            given[option.name] = option.value(text)
    return given | _arguments(loose, parameters)


def _arguments(loose: Sequence[str], parameters: Sequence[Taken]) -> dict[str, Any]:
    """What the words that belong to no option give, in the order of the arguments."""
    given: dict[str, Any] = {}
    left = list(loose)
    for argument in (p for p in parameters if not p.declared.flags):
        if left and argument.kind is list:
            given[argument.name], left = left, []
        elif left:
            given[argument.name] = argument.value(left.pop(0))
    if left:
        raise ValueError(left[0])
    return given
