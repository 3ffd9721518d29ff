"""`--pytest`: what is printed runs on numpy and pytest, says what the views do, and fails where that is not so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from command import typed

from symview.commands.replies import Code
from symview.errors import NotSupported
from symview.show.test_source import ViewExample, merging_test
from symview.view import View

WITHOUT = [option for name in ("cacheprovider", "benchmark", "hypothesispytest") for option in ("-p", f"no:{name}")]
PAPER, LINE = "(10,3,3):(a,b,c)", "(s):(4)"
PRINTED = {
    "smallest": (1, ["counterexample", PAPER, LINE]),
    "six": (1, ["counterexample", PAPER, LINE, "--assume", "s >= 6"]),
    "numbers": (1, ["counterexample", "(10,3,3):(1,2,3)", "(2,4):(1,5)"]),
    "at": (1, ["counterexample", PAPER, LINE, "--at", "s=24", "--at", "a=9", "--at", "b=3", "--at", "c=1"]),
    "masked": (1, ["counterexample", "(4,4):(4,1) [0:4,1:3]", "(16):(1)"]),
    "behind_a_mask": (1, ["counterexample", "(4,4):(5,1)", "(4,4):(4,1) [1:4,0:3]", "(16):(1) [4:14]"]),
    "conditions": (0, ["conditions", PAPER, LINE]),
    "strides": (0, ["conditions", "(6,6):(a,b)", "(3,3):(t,u)"]),
    "one_point": (0, ["conditions", PAPER, LINE, "--at", "s=4", "--at", "a=5", "--at", "b=1", "--at", "c=1"]),
    "window": (0, ["conditions", "(9):(-1)+7 [2:8]", "(3,2):(3,1)"]),
    "no_dims": (0, ["conditions", "():()", "(n):(0)"]),
    "no_dims_masked": (0, ["conditions", "(4):(1) [2:4]", "():()"]),
    "empty": (0, ["conditions", "(0):(1)", "(2,0):(5,1)"]),
    "leading": (0, ["reshape", "(B,S,D):(t0,t1,t2)", "(B*S,D)"]),
    "dense": (0, ["dense", "(M,N):(p,q)"]),
    "dense_after_flips": (0, ["dense", "(M,N):(p,q)", "--flips"]),
    "dense_without_elements": (0, ["dense", "(0,3):(5,-1)"]),
    "injective": (0, ["injective", "(n,m):(p,1)"]),
    "injective_masked": (0, ["injective", "(4,n):(2,1) [1:3,0:n]"]),
    "injective_at": (1, ["injective", "(n,m):(p,1)", "--at", "n=2", "--at", "m=3", "--at", "p=2"]),
    "not_injective": (1, ["injective", "(3,2):(1,2)"]),
    "contiguous": (0, ["contiguous", "(N,C,H,W):(s,1,W*C,C)", "--order", "channels_last"]),
    "contiguous_no_dims": (0, ["contiguous", "():()"]),
    "patches": (0, ["reshape", "(h,w):(s,t)", "(h//7,7,w//7,7)"]),
    "composed": (0, ["compose", "(12,(4,8)):(59,(13,1))", "<3:4,_>"]),
    "composed_by_symbols": (0, ["compose", "(4,6,8):(a,b,c)", "6:3"]),
    "composed_at": (0, ["compose", "(4,n):(a,b)", "8:1", "--at", "n=6", "--at", "a=3", "--at", "b=12"]),
    "composed_of_one": (0, ["compose", "():()", "(1,1):(3,0)"]),
    "no_layout": (1, ["compose", "(6,2):(1,7)", "(3,2):(2,3)"]),
    "no_layout_in_a_mode": (1, ["compose", "(6,(2,3)):(1,(7,5))", "<2,3>"]),
    "no_layout_at": (1, ["compose", "(4,6):(a,b)", "6", "--at", "a=1", "--at", "b=2"]),
}


def printed(*arguments: str) -> tuple[int, str]:
    done = typed(arguments)
    return done.exit_code, done.output


def passed(folder: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *WITHOUT, "--rootdir", str(folder), str(folder)],
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    return done.returncode, done.stdout


def test_what_is_printed_runs(tmp_path) -> None:
    for name, (code, arguments) in PRINTED.items():
        found, text = printed(*arguments, "--pytest")
        assert found == code, (arguments, text)
        assert "def test_" in text and "symview" not in text, text
        (tmp_path / f"test_{name}.py").write_text(text + "\n", encoding="utf-8")
    code, result = passed(tmp_path)
    assert code == 0, result
    assert all(name in "".join(p.name for p in tmp_path.iterdir()) for name in PRINTED)


def test_what_is_not_so_fails(tmp_path) -> None:
    """Other addresses, another merged view, and bounds that are kept."""
    wrong = {
        "view": ("conditions", "((4,), (2,), 0, ", "((4,), (3,), 0, "),
        "got": ("numbers", "(0, 2), 16, 4", "(0, 2), 16, 5"),
        "places": ("at", "((24,), (4,), 0, ", "((24,), (3,), 0, "),
        "layout": ("composed_at", "[(8, 3)]", "[(8, 4)]"),
        "no_layout": ("no_layout", "(2, 3)], 5, ", "(2, 2)], 5, "),
    }
    for name, (source, was, now) in wrong.items():
        _, text = printed(*PRINTED[source][1], "--pytest")
        assert was in text, (source, text)
        (tmp_path / f"test_{name}.py").write_text(text.replace(was, now), encoding="utf-8")
    code, result = passed(tmp_path)
    assert code == 1
    assert all(f"test_{name}.py" in result for name in wrong), result


def test_with_other_forms_it_is_refused() -> None:
    for other in ("--json", "--explain", "--python"):
        code, _ = printed("conditions", PAPER, LINE, "--pytest", other)
        assert code == Code.BAD_INPUT


def test_without_a_counterexample_it_is_said() -> None:
    assert printed("counterexample", "(4):(2)", "(2):(1)", "--pytest") == (0, "No counterexample: the views merge.\n")


@pytest.mark.parametrize("view", [View((1 << 25,)), View((3,), (1 << 62,)), View((2,), (1,), -(1 << 63))])
def test_too_many_indices_and_too_large_addresses_are_refused(view) -> None:
    with pytest.raises(NotSupported):
        merging_test("large", [ViewExample({}, (view, view), view, None)])


def test_a_test_of_strides_fails_where_it_is_not_so(tmp_path) -> None:
    for command in ("dense", "injective", "contiguous"):
        _, text = printed(command, "(3,n):(p,1)", "--pytest")
        for one, other in (("True", "False"), ("False", "True")):
            wrong = text.replace(f"), {one}, id", f"), {other}, id", 1)
            assert wrong != text
            (tmp_path / f"test_{command}_{one}.py").write_text(wrong, encoding="utf-8")
    code, result = passed(tmp_path)
    assert code == 1 and "6 failed" in result
