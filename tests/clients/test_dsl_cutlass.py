"""Kernels of CUTLASS's examples with dynamic shapes, traced on a CPU with checks on: no layout is wrong.

`dsl_cutlass.tsv` has a line for each: the script, and how many of its layouts may be undecided; or why it cannot be
traced on a CPU. `CUTLASS` names a checkout, in which commit 7107b0553 has all of them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

FOLDER = Path(os.environ.get("CUTLASS", "nowhere"), "examples", "python", "CuTeDSL", "cute")


class Example(NamedTuple):
    """A line of the table; `undecided` is empty for a script that is not traced."""

    script: str
    undecided: str
    reason: str


def examples() -> list[Example]:
    lines = Path(__file__).with_name("dsl_cutlass.tsv").read_text().splitlines()[1:]
    return [Example(*[*line.split("\t"), ""][:3]) for line in lines]


TRACED = [example for example in examples() if not example.reason]


def test_the_list_has_twenty_kernels_and_the_others_have_reasons() -> None:
    assert len(TRACED) >= 20
    assert all(bool(e.undecided) != bool(e.reason) for e in examples())
    assert len({e.script for e in examples()}) == len(examples())


@pytest.mark.skipif(not FOLDER.is_dir(), reason="needs a checkout of CUTLASS: CUTLASS=DIRECTORY")
@pytest.mark.parametrize("example", TRACED, ids=lambda example: example.script)
def test_no_layout_of_an_example_is_wrong(example: Example) -> None:
    command = [sys.executable, "-m", "clients.dsl_examples", str(FOLDER / example.script)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parents[1], check=False)
    told = run.stdout.rpartition(f"{example.script}: ")[2]
    count = re.match(r"(\d+) layouts checked: (?!.*\bwrong\b)", told)
    undecided = re.search(r"(\d+) undecided", told)
    assert count is not None and int(count[1]) > 20, told + run.stderr[-2000:]
    assert int(undecided[1] if undecided else 0) <= int(example.undecided)
