"""The help pages: of all commands in their groups, and of each with its arguments, options and examples."""

from __future__ import annotations

from collections.abc import Sequence
from inspect import cleandoc
from textwrap import fill, indent, wrap

from symview.cli.table import COMMANDS
from symview.commands.entries import Command, Group, Parameter

_WIDTH = 78
_WIDEST = 30  # the widest name beside which its text stands
_HELP = "-h, --help", "Print this page and exit."
_ABOUT = """
Exact reasoning about strided tensor views: when two merge, under which conditions, and where they break.

Views are written (shape):(strides)+offset [mask], as (9):(-1)+7 [2:8]; strides left out are those of a contiguous
view. Sizes, strides and offsets are integers or names.

symview COMMAND --help has an example of each command. With --json every answer is one object for programs, whose keys
docs/json.md lists.

Use - to read one question per line from stdin.

Exit codes: 0 yes, or answered with conditions; 1 no; 2 bad input; 3 undecided.
"""


def overview() -> str:
    """The page of all commands."""
    guard = next(example for example in COMMANDS["reshape"].examples if "--python" in example)
    options = [("--version", "Print the version and exit; with --json, those of Python and of packages too."), _HELP]
    groups = [(g.value, [(c.name, c.short) for c in COMMANDS.values() if c.group is g]) for g in Group]
    sections = [_section(title, rows) for title, rows in [("Options", options), *groups]]
    return "\n\n".join(["Usage: symview COMMAND [ARGUMENTS]", *_example([guard]), _filled(cleandoc(_ABOUT)), *sections])


def page(command: Command) -> str:
    """The page of one command."""
    arguments = [p for p in command.parameters if not p.flags]
    usage = " ".join(["Usage: symview", command.name, "[OPTIONS]", *(p.spelled() for p in arguments)])
    options = [(p.spelled(), _told(p)) for p in command.parameters if p.flags]
    return "\n\n".join([
        usage, *_example(command.examples[:1]), _filled(command.about),
        _section("Arguments", [(p.spelled(), _told(p)) for p in arguments]),
        _section("Options", [*options, _HELP]),
        *_example(command.examples[1:], "More examples:"),
    ])  # fmt: skip


def _example(examples: Sequence[str], title: str = "Example:") -> list[str]:
    """The examples as they are, under a title; nothing if there are none."""
    return [indent("\n\n".join([title, *examples]), "  ")] if examples else []


def _filled(text: str) -> str:
    """The paragraphs of a text, each as lines that fit."""
    return "\n\n".join(fill(p, _WIDTH, initial_indent="  ", subsequent_indent="  ") for p in text.split("\n\n"))


def _section(title: str, rows: Sequence[tuple[str, str]]) -> str:
    """Names, each with its text beside it or, if it is long, below."""
    column = min(max(len(name) for name, _ in rows), _WIDEST)
    lines = [f"{title}:"]
    for name, text in rows:
        first, *others = wrap(text, _WIDTH - 4 - column, break_on_hyphens=False)
        beside = [f"{name:<{column}}  {first}"] if len(name) <= column else [name, f"{'':<{column}}  {first}"]
        lines += [f"  {line}" for line in (*beside, *(f"{'':<{column}}  {other}" for other in others))]
    return "\n".join(lines)


def _told(parameter: Parameter) -> str:
    """The text of a parameter, with its default and its least value."""
    default = str(parameter.default) if type(parameter.default) in (int, float, str) else ""
    said = parameter.otherwise or default
    told = "; ".join(filter(None, [f"default: {said}" if said else "", parameter.least()]))
    return f"{parameter.text} [{told}]" if told else parameter.text
