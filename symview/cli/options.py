"""The options that commands share, and what is given with them."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Annotated, Any, TypeAlias

import typer

from symview.cli.forms import Form
from symview.errors import InputError
from symview.logic.budget import Budget


def example(command: str, output: str, *more: tuple[str, str]) -> str:
    """An epilog with commands and what they print; the help page keeps its lines as they are."""
    shown = [f"$ symview {c}\n{o}" for c, o in ((command, output), *more)]
    return "\b\n" + "\n\n".join(["Example:", *shown]).replace("\n\n", "\n\n\b\n")


def argument(name: str, text: str) -> Any:
    """An argument with its name on the help page."""
    return typer.Argument(metavar=name, show_default=False, help=text)


def option(*names: str, text: str, **more: Any) -> Any:
    """An option with its text on the help page."""
    return typer.Option(*names, help=text, show_default=False, **more)


Json: TypeAlias = Annotated[bool, option("--json", text="Print the answer, or the error, as JSON.")]
Assume: TypeAlias = Annotated[
    list[str] | None,
    option("--assume", text='What is known of the symbols, such as "s >= 2"; may be repeated.', metavar="TEXT"),
]
At: TypeAlias = Annotated[
    list[str] | None, option("--at", text="A value for a symbol; may be repeated.", metavar="NAME=INT")
]
Guard: TypeAlias = Annotated[
    str | None,
    option("--guard", text="A check at run time: is it exact, too strong or too weak?", metavar="TEXT"),
]
Explain: TypeAlias = Annotated[
    bool, option("--explain", "-v", text="Show what forces each condition, and why nothing is missing.")
]
Python: TypeAlias = Annotated[bool, option("--python", text="Print the check at run time as Python.")]
Latex: TypeAlias = Annotated[bool, option("--latex", text="Print the condition, or the cases, in LaTeX.")]
Smt2: TypeAlias = Annotated[
    bool, option("--smt2", text="Print the evidence as SMT-LIB: every check-sat has to answer unsat.")
]
Work: TypeAlias = Annotated[
    int | None, option("--budget", text="How many solver steps may be spent.", metavar="INT", min=1)
]
Timeout: TypeAlias = Annotated[
    float | None, option("--timeout", text="A clock for each question to a solver, on top.", metavar="SECONDS")
]


def budget_of(work: int | None, timeout: float | None) -> Budget:
    """What `--budget` and `--timeout` allow."""
    if timeout is not None and not (isfinite(timeout) and timeout > 0):
        raise InputError(f"--timeout {timeout}: give a number of seconds above 0")
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


def form_of(at: Iterable[str] | None, **asked: Any) -> Form:
    """The form that the options ask for."""
    return Form(at=values_of(at or ()), **asked)
