"""Questions as JSON objects: the command, and its arguments and options as keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from inspect import Parameter
from typing import Any

from symview.cli.options import Asked, options_of
from symview.cli.reading import taken
from symview.cli.replies import Reply
from symview.cli.table import COMMANDS, MANY, entry_of
from symview.errors import InputError

_MOST = 10**100  # of numbers that are read as floats


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a question: the parameter that it is for, of this type; one without default has to be given."""

    name: str
    parameter: str
    kind: Any
    default: Any

    def value(self, given: Any) -> Any:
        """What was given, as the command line would give it; InputError where it is of another type."""
        if self.kind is list:
            pairs = self.name == "at" and isinstance(given, dict)
            many = [given] if isinstance(given, str) else _pairs(given) if pairs else given
            if not isinstance(many, list) or not all(isinstance(text, str) for text in many):
                raise self._wrong(given, "a text, or a list of texts")
            return many
        if self.kind is str:
            return self._text(given)
        right = (bool,) if self.kind is bool else (self.kind, int)
        if type(given) not in right or (self.kind is float and abs(given) > _MOST):
            raise self._wrong(given, {bool: "true or false", int: "an integer", float: "a number"}[self.kind])
        return self.kind(given)

    def _text(self, given: Any) -> str:
        if isinstance(given, list) and all(type(x) is int or isinstance(x, str) for x in given):
            return f"({','.join(map(str, given))})"
        if type(given) is not int and not isinstance(given, str):
            raise self._wrong(given, "a text")
        return str(given)

    def _wrong(self, given: Any, needed: str) -> InputError:
        return InputError(f"{self.name}: {str(given)[:60]!r} is no value for it: give {needed}")


def _pairs(given: Mapping[str, Any]) -> list[str]:
    """Values by name as `--at` takes them."""
    return [f"{name}={value}" for name, value in given.items()]


@dataclass(frozen=True, slots=True)
class Form:
    """The keys of one command. `chained`: its views may be given as one list, `views`."""

    command: str
    ask: Callable[..., Reply]
    own: Mapping[str, Key]
    shared: Mapping[str, Key]
    chained: bool

    def reply(self, given: Mapping[str, Any]) -> Reply:
        """The answer to the question; raises what the command raises, InputError for keys that are not its own."""
        rest = dict(given)
        if self.chained and "views" in rest:
            rest |= self._views(rest.pop("views"))
        own = {key.parameter: key.default for key in self.own.values()}
        shared = {key.parameter: key.default for key in self.shared.values()}
        for name, value in rest.items():
            if value is None:
                continue
            if name in self.own:
                own[self.own[name].parameter] = self.own[name].value(value)
            elif name in self.shared:
                shared[name] = self.shared[name].value(value)
            else:
                raise InputError(f"{self.command} has no key {name!r}; it takes {', '.join(self.names())}")
        missing = [key.name for key in self.own.values() if own[key.parameter] is Parameter.empty]
        if missing:
            raise InputError(f"{self.command} needs {' and '.join(missing)}; it takes {', '.join(self.names())}")
        if "-" in own.get("files", ()):
            raise InputError("files: stdin has the questions here, so that - is no file")
        return self.ask(**own, options=options_of({**shared, "json": True}))

    def names(self) -> list[str]:
        """The keys that a question may have."""
        return [*(["views"] if self.chained else []), *self.own, *self.shared]

    def _views(self, views: Any) -> dict[str, Any]:
        most = "two views or more" if "more" in self.own else "two views"
        if not isinstance(views, list) or len(views) < 2 or (len(views) > 2 and "more" not in self.own):
            raise InputError(f"views: {self.command} takes a list of {most}, from the one that lays out memory")
        return {"outer": views[0], "inner": views[1], **({"more": views[2:]} if views[2:] else {})}


def reply_to(question: Any) -> tuple[str, Reply]:
    """The command of a question, and its reply; raises InputError where it is no question."""
    if not isinstance(question, dict) or not isinstance(question.get("command"), str):
        raise InputError('a question is an object with a command: {"command": "merge", "views": ["(4,6)", "(24)"]}')
    form = forms().get(question["command"])
    if form is None:
        raise InputError(f"no command {question['command'][:40]!r}; there are {', '.join(forms())}")
    return form.command, form.reply({name: value for name, value in question.items() if name != "command"})


@cache
def forms() -> Mapping[str, Form]:
    """The questions that can be asked, by their commands."""
    return {name: _form(name, entry_of(name).run.asked) for name in COMMANDS if name not in MANY}  # type: ignore[attr-defined]


def _form(command: str, asked: Asked) -> Form:
    own = {key.name: key for key in map(_key, asked.own)}
    shared = {key.parameter: key for key in map(_key, asked.shared) if key.parameter != "json"}
    return Form(command, asked.reply, own, shared, chained="outer" in own)


def _key(parameter: Parameter) -> Key:
    """The key of a parameter: an option by its long name, an argument by the parameter's."""
    found = taken(parameter)
    name = next((flag[2:] for flag in found.declared.flags if flag.startswith("--")), found.name)
    return Key(name, found.name, found.kind, found.default)
