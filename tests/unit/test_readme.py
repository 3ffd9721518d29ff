"""The README keeps its word: every example prints what it says, and CI runs the command that it prints."""

from __future__ import annotations

import doctest
import re
import shlex
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from symview.cli import app
from symview.rules.files import parse_rules
from symview.rules.outcomes import outcome

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def consoles() -> list[tuple[str, str]]:
    """Each command of the console blocks, with what the README says it prints."""
    blocks = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
    pieces = [p for block in blocks for p in re.split(r"^\$ ", block, flags=re.MULTILINE) if p]
    return [(command, output) for command, _, output in (p.partition("\n") for p in pieces)]


@pytest.mark.parametrize(("command", "output"), consoles())
def test_commands_print_what_the_readme_says(command: str, output: str) -> None:
    name, *args = shlex.split(command)
    assert name == "symview"
    result = CliRunner().invoke(app, args)
    assert [line.rstrip() for line in result.stdout.splitlines()] == [line.rstrip() for line in output.splitlines()]


def test_python_examples_print_what_the_readme_says() -> None:
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    here = [b for b in blocks if "import torch\n" not in b or find_spec("torch")]
    assert len(blocks) == 4
    example = doctest.DocTestParser().get_doctest("\n".join(here), {}, "README.md", "README.md", 0)
    found = doctest.DocTestRunner().run(example)
    assert found.attempted >= 14
    assert found.failed == 0


def test_two_commands_stand_in_the_readme_and_ci_runs_the_second() -> None:
    commands = re.findall(r"```sh\n(.*?)\n```", README, re.DOTALL)
    assert len(commands) == 2
    assert all(c.startswith("python3 -m venv .venv && ") for c in commands)
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    pattern = re.search(r"grep -m1 '(.*?)' README.md", script)
    assert pattern is not None
    chosen = [line for line in README.splitlines() if re.search(pattern[1], line)]
    assert chosen[:1] == commands[1:]


def test_rules_are_what_the_readme_says() -> None:
    (block,) = re.findall(r"```toml\n(.*?)```", README, re.DOTALL)
    assert [found.problem for found in map(outcome, parse_rules(block))] == [""]
