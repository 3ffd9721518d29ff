"""Plain command lines, which are read without typer: as typer reads them, or not at all."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path
from random import Random
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from symview.cli import app
from symview.cli.options import REQUIRED
from symview.cli.running import read
from symview.cli.table import COMMANDS

ROOT = Path(__file__).parents[2]
GROUP: Any = typer.main.get_command(app)
WORDS = ["(4,6)", "x < 3", "", "7", " -7", "-7", "0", "-", "--", "3.5", "1e3", "a=b", "--json", "-v", "-h", "--help"]


def as_typer_reads(command: str, words: list[str]) -> dict[str, Any] | None:
    """What a command is called with, None where typer refuses the line or prints a page."""
    made = GROUP.commands[command]
    try:
        with made.make_context(command, list(words)) as context:
            return {name: value or None for name, value in context.params.items()}
    except typer.Exit:
        return None
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        return None


def as_read(command: str, words: list[str]) -> dict[str, Any] | None:
    found = read([command, *words])
    return None if found is None else {name: value or None for name, value in found[1].items()}


LINES = [
    'merge "(10,3,3):(9,3,1)" "(4):(4)"',
    'conditions "(n,4):(a,b)" "(4,n)" "(n*4)" --assume "n > 3" --engine smt --assume=n<9 --timeout 2.5 -v',
    'merge "(4)" "(4)" --budget 7 --json',
    'prove "x % 6 // 3 < 2" --assume " -x < 3" --bits u8',
    'overflows "(4)" --all "(4)"',
    'chain "(4)" "(4)" --equals "(2)" --equals "(3)"',
    'draw "(2,3)" -o a.svg --force',
    'sweep compose --bound 2 --seed " -3" --seconds 0.5',
    "linear 4:1 --size 3",
    "batch",
    "batch questions.jsonl --jobs 0",
]


@pytest.mark.parametrize("line", LINES)
def test_plain_lines_are_read_as_typer_reads_them(line: str) -> None:
    command, *words = shlex.split(line)
    found = as_read(command, words)
    assert found is not None
    assert found == as_typer_reads(command, words)


@pytest.mark.parametrize("command", COMMANDS)
def test_any_line_is_read_as_typer_reads_it_or_not_at_all(command: str, turns: Any, full) -> None:
    rng, seen = Random(f"plain lines of {command}"), 0
    parameters = COMMANDS[command].parameters
    flags = [flag for p in parameters for flag in p.flags]
    needed = [f"{p.flags[0]}=5" for p in parameters if p.flags and p.default is REQUIRED]
    for _ in turns(100):
        words = rng.choices(
            ["(4,6)", "8", *["(n)"] * 9, *flags, *WORDS, *(f"{f}=5" for f in flags)], k=rng.randint(0, 5)
        )
        words += needed * rng.randrange(2)
        found = as_read(command, words)
        seen += found is not None
        assert found is None or found == as_typer_reads(command, words), words
    if full:
        assert seen > 0


def test_every_command_is_where_the_table_says() -> None:
    for command in COMMANDS:
        module, _, name = COMMANDS[command].function.partition(":")
        run = getattr(import_module(f"symview.cli.{module}"), name)
        own = [p.name for p in COMMANDS[command].own]
        assert list(signature(run).parameters) == own + ["options"] * bool(COMMANDS[command].shared)


LOADED = """
import sys
from symview.cli import main
sys.argv = ["symview", *sys.argv[1:]]
try:
    main()
finally:
    seen = {m.partition(".")[0] for m in sys.modules} & {"typer", "click", "rich", "pydantic", "z3", "sympy", "islpy"}
    print(sorted(seen), "symview.cute" in sys.modules, "symview.cases.conditions" in sys.modules, file=sys.stderr)
"""


def ran(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LOADED, *words], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "said"), [(["(10,3,3)", "(4):(4)"], "(4):(4)"), (["(10,3,3)", "(4):(4)", "--json"], '"(4):(4)"')]
)
def test_a_merge_of_numbers_loads_what_it_needs(words: list[str], said: str) -> None:
    run = ran("merge", *words)
    assert run.returncode == 0
    assert said in run.stdout
    assert run.stderr == "[] False False\n"


def test_the_list_of_commands_loads_none_of_cute() -> None:
    run = ran("--help")
    assert all(f"  {command} " in run.stdout for command in COMMANDS)
    assert run.stderr.endswith("False False\n")


@pytest.mark.parametrize(("typed", "offered"), [("symview foot", "footprint"), ("symview merge --bud", "--budget")])
def test_the_shell_completes(typed: str, offered: str) -> None:
    words = str(len(typed.split()) - 1)
    run = ran(_SYMVIEW_COMPLETE="complete_bash", COMP_WORDS=typed, COMP_CWORD=words)
    assert offered in run.stdout.split()


def test_what_is_wrong_is_said_by_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same lines, with and without reading plain ones here."""
    lines = [["merge", "(4)"], ["merge", "(4)", "(4)", "--budget", "0"], ["banks", "8:1", "--bytes"], ["banks", "8:1"]]
    first = [CliRunner().invoke(app, line) for line in lines]
    monkeypatch.setattr("symview.cli.running.read", lambda words: None)
    for before, line in zip(first, lines, strict=True):
        after = CliRunner().invoke(app, line)
        assert (before.exit_code, before.stdout, before.stderr) == (after.exit_code, after.stdout, after.stderr)
    assert [run.exit_code for run in first] == [2, 2, 2, 0]
