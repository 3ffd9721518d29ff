"""Command lines as the values of parameters, and what is loaded to read and answer them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from inspect import signature
from pathlib import Path
from random import Random
from shutil import copytree
from typing import Any

import pytest

from symview.cli.parsing import read
from symview.cli.running import as_argument
from symview.cli.table import COMMANDS
from symview.commands.entries import REQUIRED

ROOT = Path(__file__).parents[2]

VIEWS = {"outer": "(4)", "inner": "(6)"}


@pytest.mark.parametrize(
    ("line", "values"),
    [
        ('merge "(4)" "(6)"', VIEWS),
        ('merge "(4)" "(6)" "(7)" "(8)"', {**VIEWS, "more": ["(7)", "(8)"]}),
        ('merge "(4)" --json "(6)" --budget 7 "(7)"', {**VIEWS, "more": ["(7)"], "json": True, "budget": 7}),
        ('merge --budget=7 --timeout 2.5 -v "(4)" "(6)"', {**VIEWS, "budget": 7, "timeout": 2.5, "explain": True}),
        ('merge "(4)" "(6)" --budget 7 --budget 8', {**VIEWS, "budget": 8}),
        ('conditions "(4)" "(6)" --assume "n > 3" --assume=n<9', {**VIEWS, "assume": ["n > 3", "n<9"]}),
        ('prove "-x < 3" --assume "-x<5" --bits u8', {"statement": [" -x < 3"], "assume": [" -x<5"], "bits": "u8"}),
        ('index-map "-x + 3" "x: 4"', {"expressions": "-x + 3", "ranges": "x: 4"}),
        ('prove -- "-x" --bits', {"statement": ["-x", "--bits"]}),
        ('chain "(4)" --equals "(2)" "(6)" --equals "(3)"', {"views": ["(4)", "(6)"], "equals": ["(2)", "(3)"]}),
        ('draw "(2,3)" -o a.svg --force', {"views": ["(2,3)"], "output": "a.svg", "force": True}),
        ("sweep compose --bound 2 --seed -3 --seconds 0.5", {"law": "compose", "bound": 2, "seed": -3, "seconds": 0.5}),
        ("banks 8:1 --bytes 2", {"layout": "8:1", "element_bytes": 2}),
        ("banks 8:1 --element-bytes 2", {"layout": "8:1", "element_bytes": 2}),
        ("lint script.py a b -- --help -c", {"script": "script.py", "arguments": ["a", "b", "--help", "-c"]}),
        ("batch", {"file": "-"}),
        ("batch - --jobs 0", {"file": "-", "jobs": 0}),
    ],
)
def test_the_values_of_a_line(line: str, values: dict[str, Any]) -> None:
    command, found = read(list(map(as_argument, shlex.split(line))))
    assert command.name == line.split()[0]
    assert found == {p.name: p.default for p in command.parameters} | values
    assert {name: type(v) for name, v in found.items() if name in values} == {n: type(v) for n, v in values.items()}


@pytest.mark.parametrize("command", COMMANDS)
def test_any_order_of_words_means_the_same(command: str, turns: Any) -> None:
    rng, parameters = Random(f"lines of {command}"), COMMANDS[command].parameters
    for _ in turns(20):
        given, loose, options = {p.name: p.default for p in parameters}, list[str](), list[list[str]]()
        ended = False  # of two arguments without a flag, the second is given only after the first
        for p in parameters:
            if p.default is not REQUIRED and (rng.random() < 0.5 or (ended and not p.flags)):
                ended = ended or not p.flags
                continue
            value = rng.randint(1, 9) if p.kind in (int, float) else f"({rng.randrange(9)})"
            times = rng.randint(1, 3) if p.kind is list else 1
            given[p.name] = {bool: True, list: [value] * times}.get(p.kind, value)
            if not p.flags:
                loose += [str(value)] * times
                continue
            flag = rng.choice(p.flags)
            whole = flag.startswith("--") and rng.random() < 0.5
            said = [flag] if p.kind is bool else [f"{flag}={value}"] if whole else [flag, str(value)]
            options += [said] * times
        left, places = iter(loose), [*[None] * len(loose), *options]
        rng.shuffle(places)
        words = [w for said in places for w in (said or [next(left)])]
        assert read([command, *words])[1] == given, words


def test_every_command_is_where_the_table_says() -> None:
    for command in COMMANDS:
        module, _, name = COMMANDS[command].function.partition(":")
        run = getattr(import_module(module), name)
        own = [p.name for p in COMMANDS[command].own]
        assert list(signature(run).parameters) == own + ["options"] * bool(COMMANDS[command].shared)


SATELLITES = {"mlir", "pictures", "plans", "readers", "rocq", "shared_memory", "sweeps", "torch", "verify"}


def test_a_part_that_is_deleted_takes_its_commands_along(tmp_path: Path) -> None:
    left_out = [str(ROOT / "symview" / part) for part in SATELLITES]
    gone = {c.name for c in COMMANDS.values() if c.function.split(".")[1] in SATELLITES}
    assert gone == {"draw", "lint", "plan", "rules", "sweep", "swizzle", "verify"}
    copytree(ROOT / "symview", tmp_path / "symview", ignore=lambda home, names: {
        n for n in names if n == "__pycache__" or f"{home}/{n}" in left_out
    })  # fmt: skip
    page, merged, types = (
        subprocess.run(
            [sys.executable, "-m", "symview", *words], cwd=tmp_path, capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONPATH": str(tmp_path)},
        )
        for words in (["--help"], ["merge", "(4)", "(4)"], ["reshape", "memref<4xf32>", "(4)"])
    )  # fmt: skip
    assert {name for name in COMMANDS if f"\n  {name} " in page.stdout} == COMMANDS.keys() - gone
    assert merged.stdout == "(4):(1)\n"
    assert (types.returncode, types.stderr) == (
        2, "error: a type of MLIR needs symview.mlir, which is not part of this installation\n",
    )  # fmt: skip


LOADED = """
import sys
from symview.cli import main
sys.argv = ["symview", *sys.argv[1:]]
try:
    main()
finally:
    seen = {m.partition(".")[0] for m in sys.modules} & {"rich", "z3", "sympy", "islpy", "difflib", "textwrap"}
    print(sorted(seen), "symview.cute" in sys.modules, "symview.cases.conditions" in sys.modules, file=sys.stderr)
"""


def ran(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", LOADED, *words], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
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
    assert run.stderr == "['textwrap'] False False\n"
