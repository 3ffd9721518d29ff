"""Runs a script, on real or on fake tensors, and finds the copies that it makes."""

from __future__ import annotations

import ast
import os
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from symview.errors import InputError
from symview.torch.copy_report import CopyReport
from symview.torch.copying import copies
from symview.torch.explaining import explained
from symview.torch.places import is_of_user


class Linted(NamedTuple):
    """The copies of a script; `stopped` says where and why it stopped before its end, if it did.

    `explained`: for a view that PyTorch refuses, the strides, the index that breaks, the ways out.
    """

    report: CopyReport
    stopped: str = ""
    explained: str = ""


def lint(script: str, arguments: Sequence[str] = (), fake: bool = False) -> Linted:
    """Runs a Python script, and lists its copies; its output goes to stderr.

    `fake`: on fake tensors, which have sizes and strides but no values, so that the script stops where it reads one, as
    `x.item()` does; models are built for real. Raises InputError without PyTorch, and if the script does not start.
    """
    if not Path(script).is_file():
        raise InputError(f"{script}: no such file; give a Python script")
    if find_spec("torch") is None:
        raise InputError('symview lint needs PyTorch: pip install ".[torch]" in a clone')
    with redirect_stdout(sys.stderr), _fakes() if fake else nullcontext(), copies() as report:
        stopped, error = _stopped(script, arguments)
    return Linted(report, stopped, explained(error))


def _fakes() -> Any:
    from symview.torch.fakes import FakesButForModels  # slow to load

    return FakesButForModels(allow_non_fake_inputs=True)


def _stopped(script: str, arguments: Sequence[str]) -> tuple[str, BaseException | None]:
    """Runs the script; returns where and why it stopped before its end. Raises InputError if it cannot start."""
    try:
        with as_script(script, arguments):
            runpy.run_path(script, run_name="__main__")
    except BaseException as error:  # also an interrupt, and what test frameworks raise
        steps = traceback.extract_tb(error.__traceback__)
        if all(s.filename != script for s in steps) and not isinstance(error, KeyboardInterrupt):
            raise InputError(f"{script} does not run: {_told(error)}") from None
        own = [s for s in steps if s.filename == script or is_of_user(s.filename)]
        if isinstance(error, SystemExit) and error.code in (None, 0) and all(map(_ends_there, own)):
            return "", None
        return f"{f'{own[-1].filename}:{own[-1].lineno}' if own else script}: {_told(error)}", error
    return "", None


def _told(error: BaseException) -> str:
    """The kind of error, and the first line of its message."""
    lines = f"{error}".strip().splitlines()
    return f"{type(error).__name__}{': ' + lines[0] if lines else ''}"


def _ends_there(step: traceback.FrameSummary) -> bool:
    """Whether the line belongs to the last statement of its function or module, so that no later one is left out."""
    line = step.lineno or 0
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    tree = ast.parse(Path(step.filename).read_bytes())
    around = [n for n in ast.walk(tree) if isinstance(n, functions) and n.lineno <= line <= (n.end_lineno or 0)]
    return _is_last(around[-1].body if around else tree.body, line)


def _is_last(body: Sequence[ast.stmt], line: int) -> bool:
    """Whether the line belongs to the last statement, within `if` and `with` to the last one there; not to a loop."""
    last = body[-1]
    if isinstance(last, (ast.If, ast.With)):
        return any(_is_last(b, line) for b in (last.body, getattr(last, "orelse", ())) if b)
    return isinstance(last, (ast.Expr, ast.Raise, ast.Return)) and last.lineno <= line <= (last.end_lineno or 0)


@contextmanager
def as_script(script: str, arguments: Sequence[str]) -> Iterator[None]:
    """Sets the arguments and the import path as for a script that is run alone; puts these and the folder back."""
    before, folder = (sys.argv, sys.path[:]), os.getcwd()
    sys.argv, sys.path[:] = [script, *arguments], [os.path.dirname(os.path.abspath(script)), *sys.path]
    try:
        yield
    finally:
        sys.argv, sys.path[:] = before
        os.chdir(folder)
