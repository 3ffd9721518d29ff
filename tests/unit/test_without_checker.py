"""Without the checker's folder, or Rocq's, all else works: what they provide is refused, and says why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from satellites import there

import symview

ANSWERS = """
from symview import NotSupported, View, certificate, conditions, cute, merge, prove, weakest
from symview.commands.entries import Command

views = View((10, 3, 3), (9, 3, 1)), View((4,), (4,))
found = merge(*views)
assert found and certificate(found, *views)["claim"]["view"]
answer = conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)"))
assert answer.holds({"a": 9, "b": 3, "c": 1, "s": 4}) and answer.certificate()["claim"]["cases"]
theorem = prove("(x//a)//b == x//(a*b)", "a >= 1, b >= 1")
assert theorem and theorem.certificate()["claim"]["verdict"] == "proved"
assert weakest("x//k*k == x", about="k", assume="k >= 1").certificate()["evidence"]["witnesses"]
assert str(cute.composition(cute.Layout(6), cute.Layout(2))) == "2:1"
"""
WITHOUT = {
    ("verify", "rocq"): """
try:
    answer.to_smt2()
except NotSupported as error:
    print(error)
""",
    ("rocq",): """
import json
from symview.verify import Solver, verify
with Solver("cvc5") as solver:
    print(verify(json.dumps(theorem.certificate()), solver).verdict)
""",
}
SAID = {
    ("verify", "rocq"): "SMT-LIB needs symview.verify, which is not part of this installation",
    ("rocq",): "confirmed",
}


@pytest.mark.parametrize("gone", WITHOUT)
def test_all_else_works(gone, tmp_path: Path) -> None:
    if not all(map(there, gone)):
        pytest.skip("it is not there to be deleted")
    (tmp_path / "symview").mkdir()
    for part in Path(symview.__file__).parent.iterdir():
        if part.name not in (*gone, "__pycache__"):
            (tmp_path / "symview" / part.name).symlink_to(part)
    run = subprocess.run([sys.executable, "-c", ANSWERS + WITHOUT[gone]], capture_output=True, text=True, check=False,
                         cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)})  # fmt: skip
    assert (run.stdout.strip(), run.stderr) == (SAID[gone], "")
    command = [sys.executable, "-m", "symview", "verify", "none.json"]
    run = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path,
                         env={**os.environ, "PYTHONPATH": str(tmp_path)})  # fmt: skip
    assert run.returncode == 2
