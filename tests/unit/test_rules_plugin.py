"""The pytest plugin, in a project that is not symview's own: collection, markers, options, failures, summary."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

TESTS = """
import pytest
from symview import View, reshape_conditions
from symview.rules import checked, refuted, theorem

@theorem("halves", source="a paper")
def test_true():
    return "x % 2 < 2"

@theorem
def test_second_of_two():
    yield "x % 2 < 2"
    yield "x % 2 < 1", "x > 4"

@refuted(at={"x": 1})
def test_wrong():
    return "x % 2 < 1"

@theorem
def test_cubes():
    return "x*x*x + y*y*y + z*z*z != 114"

CONDITIONS = reshape_conditions(View.parse("(a,b):(s,t)"), View.parse("(a*b)").shape)

@theorem
def test_exact_guard():
    return CONDITIONS, "a == 1 or b == 1 or s == b*t"

@theorem
def test_guard():
    return CONDITIONS, "s == t*b"

@theorem
def test_unreadable():
    yield "x == x"
    yield "x ==="

@checked("n <= 6")
def test_some():
    assert all(n < 7 for n in range(7))

@pytest.mark.parametrize("size", [2, 3])
@theorem
def test_each(size):
    return f"x % {size} < {size}"

def test_of_another_kind():
    pass
"""
UNREADABLE = TESTS.partition('"x ==="')[0].count("\n") + 1
GUARDED = TESTS.partition('"s == t*b"')[0].count("\n") + 1
INSTALLED = any(entry.name == "symview" for entry in entry_points(group="pytest11"))
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
PYTEST += ["-p", "no:benchmark", "-p", "no:hypothesispytest"]  # which take half of the time to start
if not INSTALLED:  # in a source tree on the path
    PYTEST += ["-p", "symview.rules.plugin"]
RULES = """
[[rule]]
name = "odd"
claim = "x % 2 == 1"

[[rule]]
name = "sums"
left = "x + y"
right = "y + x"
"""


def run(folder: Path, *options: str) -> str:
    (folder / "test_some.py").write_text(TESTS)
    (folder / "rules").mkdir(exist_ok=True)
    (folder / "rules" / "some.toml").write_text(RULES)
    (folder / "rules" / "secrets.toml").write_text("[[rules]]\nid = 'of another tool'\n")
    (folder / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    command = [*PYTEST, "--symview-budget", "300000", *options]
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, check=False, env=env).stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("project")


@pytest.fixture(scope="module")
def output(project: Path) -> str:
    return run(project, "--symview-save", "open")


def test_theorems_and_files_of_rules_are_tests_and_those_of_other_tools_are_not(output):
    assert "5 failed, 8 passed" in output


@pytest.mark.parametrize("line", [
    "test_some.py:13: refuted given x > 4: x % 2 < 1  at x = 5 (smallest): 1 on the left, 1 on the right",
    "claimed: x % 2 < 1",
    f"test_some.py:{UNREADABLE}: expected a number",
    "rules/some.toml:2: expected proved, but refuted: x % 2 == 1  at x = 0 (smallest)",
    f"test_some.py:{GUARDED}: sound, but too strong: it refuses a = 1, b = 1",
])  # fmt: skip
def test_a_failure_shows_place_claim_and_values(output, line):
    assert line in output


@pytest.mark.parametrize("line", [
    "proved       5  all values",
    "checked      1  n <= 6",
    "refuted      1  as expected",
    "unknown      1  neither proved nor refuted",
    "failed       4  not as claimed",
    "slowest:",
])  # fmt: skip
def test_the_summary_counts_what_was_proved_and_what_only_checked(output, line):
    assert line in output


def test_open_queries_are_saved_where_asked(project, output):
    assert [p.name for p in (project / "open").iterdir()] == ["test_cubes.smt2"]


@pytest.mark.dear
def test_the_summary_is_the_same_with_workers(tmp_path):
    lines = run(tmp_path, "-n", "2").splitlines()
    assert "proved       5  all values" in lines


def test_markers_choose(tmp_path):
    assert "2 passed, 11 deselected" in run(tmp_path, "-m", "refuted or checked", "--strict-markers")


def test_a_run_without_theorems_has_no_summary_and_loads_no_engine(tmp_path):
    (tmp_path / "test_plain.py").write_text(
        "import sys\ndef test_plain():\n    assert not {'sympy', 'z3', 'symview.rules.theorems'} & set(sys.modules)\n"
    )
    command = [*PYTEST, "test_plain.py"]
    env = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False, env=env)
    assert "1 passed" in found.stdout
    assert "symview" not in found.stdout


def test_a_bad_budget_and_a_bad_file_are_usage_errors(tmp_path):
    (tmp_path / "some.rules.toml").write_text("[[rule]]\nnam = 'a'\n")
    assert "some.rules.toml:2: unknown key 'nam': did you mean 'name'?" in run(tmp_path)


NOT_COLLECTED = """
from unittest.mock import call
from symview.rules import theorem

@theorem
def remainder():
    return "x % 2 < 2"

@theorem
def _helper():
    return "x % 2 < 2"
"""


def test_a_theorem_that_pytest_does_not_collect_is_an_error(tmp_path):
    (tmp_path / "test_mine.py").write_text(NOT_COLLECTED)
    (tmp_path / "test_imports.py").write_text("from test_mine import remainder\ndef test_it(): remainder()\n")
    found = run(tmp_path, "test_mine.py", "test_imports.py")
    assert "remainder is to be proved, but pytest does not collect it: call it test_remainder" in found
    assert "1 error" in found
    assert "1 passed" in run(tmp_path, "test_imports.py")


def test_a_theorem_that_claims_nothing_fails_with_its_place(tmp_path):
    (tmp_path / "test_mine.py").write_text(
        "from symview.rules import theorem\n\n@theorem\ndef test_nothing():\n    assert 'x % 2 < 2'\n"
    )
    found = run(tmp_path, "test_mine.py")
    assert "test_mine.py:3: test_nothing asserts, and returns nothing to be proved: return a statement" in found
    assert "claimed:" not in found
    assert "Traceback" not in found


def test_any_file_may_be_named(tmp_path):
    (tmp_path / "mine.toml").write_text(RULES)
    assert "1 failed, 1 passed" in run(tmp_path, "mine.toml")
