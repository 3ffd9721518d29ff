"""Rocq's verdict on exported files: runs `coqc` if it is installed."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from symview.errors import InputError
from symview.rocq.exporting import Exported, whole, write_library

SECONDS = 600.0  # seconds for one file
_CLOSED = "Closed under the global context"


def compiler() -> list[str]:
    """The command that compiles a file; raises InputError if Rocq is not installed."""
    if path := shutil.which("coqc"):
        return [path]
    if path := shutil.which("rocq"):
        return [path, "compile"]
    raise InputError(
        "--check: neither coqc nor rocq is found; install Rocq (Debian: apt-get install coq), or leave --check out"
    )


def accepted(found: Sequence[Exported], seconds: float = SECONDS) -> list[str]:
    """Rocq's objection to each; empty if it accepts a claim without axioms."""
    with TemporaryDirectory() as folder:
        if not compiled(Path(folder), whole(found), any(found), seconds):
            return [""] * len(found)
        library(Path(folder))
        return [compiled(Path(folder), whole([one], inline=False), bool(one), seconds) for one in found]


def library(folder: Path) -> None:
    """Compiles the library in a folder, for files that import it."""
    for path in write_library(folder):
        subprocess.run([*compiler(), "-Q", str(folder), "Symview", str(path)], check=True, capture_output=True)


def compiled(folder: Path, text: str, claims: bool = True, seconds: float = SECONDS) -> str:
    """The first error, or the use of an axiom; empty if all claims are accepted. `claims`: whether it has any."""
    path = folder / "exported.v"
    path.write_text(text, encoding="utf-8")
    try:
        run = subprocess.run([*compiler(), "-Q", str(folder), "Symview", str(path)], capture_output=True, text=True,
                             check=False, timeout=seconds)  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no answer in {seconds:g} seconds"
    if run.returncode:
        return " ".join(run.stderr.replace(str(path), "").split())[:300] or f"exit code {run.returncode}"
    return "" if run.stdout.count(_CLOSED) == claims else "it rests on axioms"
