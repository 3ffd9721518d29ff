"""Runs a command line in this process, and keeps what it prints."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from unittest.mock import patch

from symview.cli.running import run_line


@dataclass(frozen=True)
class Result:
    exit_code: int
    stdout: str
    stderr: str

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def typed(words: Iterable[str], given: str | bytes = "") -> Result:
    """What these words after `symview` come to; `given` is on standard input."""
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    stdin = io.TextIOWrapper(io.BytesIO(given.encode() if isinstance(given, str) else given), encoding="utf-8")
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", stdin):
        code = run_line(list(words))
    printed, wrong = (stream.buffer.getvalue().decode() for stream in (out, err))
    return Result(code, printed, wrong)
