"""Runs a script on fake tensors, which compute nothing, and finds the copies that it would make."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import NamedTuple

from symview.errors import InputError
from symview.torch.copy_report import CopyReport, is_of_user
from symview.torch.copying import copies


class Linted(NamedTuple):
    """The copies of a script; `stopped` says where and why it stopped before its end, if it did."""

    report: CopyReport
    stopped: str = ""


def lint(script: str, arguments: Sequence[str] = ()) -> Linted:
    """Runs a Python script with fake tensors of PyTorch, and lists its copies.

    Its output goes to stderr. Sizes and strides are as in a real run, but elements have no values: the script stops
    where it reads one, as `x.item()` does. Raises InputError without PyTorch, and if there is no such script.
    """
    if not Path(script).is_file():
        raise InputError(f"{script}: no such file; give a Python script")
    try:
        import torch  # noqa: F401
        from torch._subclasses.fake_tensor import FakeTensorMode  # slow to load
    except ImportError:
        raise InputError('symview lint needs PyTorch: pip install "symview[torch]"') from None
    fake = FakeTensorMode(allow_non_fake_inputs=True)
    with _as_script(script, arguments), redirect_stdout(sys.stderr), fake, copies() as report:
        stopped = _stopped(script)
    return Linted(report, stopped)


def _stopped(script: str) -> str:
    """Runs the script; returns where and why it stopped before its end."""
    try:
        runpy.run_path(script, run_name="__main__")
    except SystemExit as left:
        return "" if left.code in (None, 0) else f"the script exits with {left.code}"
    except Exception as error:
        steps = traceback.extract_tb(error.__traceback__)
        own = [s for s in steps if is_of_user(s.filename)]
        place = f"{own[-1].filename}:{own[-1].lineno}: " if own else ""
        lines = f"{error}".strip().splitlines()
        return f"{place}{type(error).__name__}{': ' + lines[0] if lines else ''}"
    return ""


@contextmanager
def _as_script(script: str, arguments: Sequence[str]) -> Iterator[None]:
    """Sets the arguments and the import path as for a script that is run alone."""
    before = sys.argv, sys.path[:]
    sys.argv, sys.path[:] = [script, *arguments], [os.path.dirname(os.path.abspath(script)), *sys.path]
    try:
        yield
    finally:
        sys.argv, sys.path[:] = before
