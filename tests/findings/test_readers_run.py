"""The command that `symview rules` prints beside a false rule, run by the compiler that it is about."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import Literal, NamedTuple

import pytest

from symview.readers.checking import Check
from symview.readers.rules import Rule
from symview.readers.running import command

TRUNCATED = "(x + c1)//c3 - (x + c2)//c3 == ((x + c2) % c3 + (c1 - c2))//c3"
REMAINDER = "x//c2 == c1 and x % c2 < c3 <-> c1*c2 <= x and x < c1*c2 + c3"
PINNED = {"tvm": ("apache-tvm", "0.27.0"), "tinygrad": ("tinygrad", "0.14.0"), "halide": ("halide", "21.0.0")}


class Run(NamedTuple):
    """A false rule at values that refute it, and what the compiler prints of its left side, which is wrong."""

    project: str
    claim: str
    values: dict[str, int]
    printed: str
    bits: str | None = None
    division: Literal["floor", "trunc"] = "floor"


RUNS = (
    # truncdiv(2, 2) - truncdiv(1, 2) is 1
    Run("tvm", TRUNCATED, {"x": -1, "c1": 3, "c3": 2, "c2": 2}, "becomes T.Div(T.truncmod(x, 2) + 1, 2)\n1 0\n",
        division="trunc"),
    # -1 is 0*-2 - 1, so that the remainder is below 0
    Run("tvm", REMAINDER, {"x": -1, "c2": -2, "c1": 0, "c3": 0},
        "becomes T.bool(False)\nT.bool(True) T.bool(False)\n"),
    # 253 + 3 is 0, which is below 5
    Run("tinygrad", "x + 3 < 5 <-> x < 2", {"x": 253}, "[False]\n", "u8"),
    # 100 + 100 is -56, and 100 + 56 is -100
    Run("halide", "x - min(x - y, 0) == max(x, y)", {"x": 100, "y": -100}, "[100]\n", "i8"),
)  # fmt: skip


def is_there(project: str) -> bool:
    """Whether the version that the extra `findings` pins is installed."""
    package, pin = PINNED[project]
    try:
        return version(package).startswith(pin)
    except PackageNotFoundError:
        return False


@pytest.mark.parametrize("run", RUNS, ids=[f"{run.project} {run.claim}" for run in RUNS])
def test_a_false_rule_is_run(run: Run) -> None:
    if not is_there(run.project):
        pytest.skip(f'needs {" ".join(PINNED[run.project])}: pip install ".[findings]"')
    constants = tuple(name for name in run.values if name.startswith("c"))
    rule = Rule("r", "f", 1, claim=run.claim, constants=constants, division=run.division)
    told = command(run.project, rule, Check(run.bits, "refuted", "", {"values": run.values}))
    script = f'python() {{ "{sys.executable}" "$@"; }}\n{told}'
    environment = {**os.environ, "DEV": "PYTHON"}  # tinygrad without a C compiler
    done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, run.printed), done.stderr
