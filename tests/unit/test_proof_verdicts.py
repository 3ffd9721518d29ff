"""Verdicts: they cannot be forged, mixed up, or pass for one another by accident."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import symview
from symview.errors import Undecided
from symview.proof import by_induction, prove
from symview.proof.statement import read
from symview.proof.verdicts import ForgedProof, Proved, Refuted, Unknown


@pytest.mark.parametrize("seal", [None, object(), 0, "sealed"])
def test_only_rules_build_theorems(seal):
    with pytest.raises(ForgedProof, match="only a rule"):
        Proved(read("1 == 2", (), "floor"), frozenset({"z3"}), 0.0, seal)


def test_a_theorem_cannot_be_turned_into_another():
    proved = prove("x % 3 < 3")
    with pytest.raises((ForgedProof, ValueError)):
        dataclasses.replace(proved, claim=read("1 == 2", (), "floor"))
    with pytest.raises((ForgedProof, ValueError)):
        dataclasses.replace(proved, claim=read("1 == 2", (), "floor"), seal=None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        proved.claim = read("1 == 2", (), "floor")
    for name in ("statement", "assumptions", "division"):  # printed from the claim
        with pytest.raises(AttributeError):
            object.__setattr__(proved, name, "1 == 2")


def test_a_theorem_survives_copying():
    proved = prove("x % 3 < 3")
    assert copy.copy(proved) == proved
    assert pickle.loads(pickle.dumps(proved)) == proved


FORGERY = """
from symview.proof import NotProved, by_induction, by_solver, prove
from symview.proof.statement import read
from symview.proof.verdicts import ForgedProof, Proved
caught = []
for forge in (
    lambda: Proved(read("1 == 2", (), "floor"), frozenset(), 0.0, None),
    lambda: by_solver("x // 2 * 2 == x"),
    lambda: by_induction("n < 7"),
    lambda: by_induction("n == 0 or n == 1"),
    lambda: by_induction("f == n", sequences={"f": ("1", "f + 1")}),
):
    try:
        forge()
    except (ForgedProof, NotProved) as error:
        caught.append(type(error).__name__)
print(__debug__, bool(prove("x // 2 * 2 == x")), *caught)
"""


@pytest.mark.parametrize("flags", [[], ["-O"]])
def test_bad_proofs_are_rejected_with_and_without_asserts(flags):
    out = subprocess.run(
        [sys.executable, *flags, "-c", FORGERY], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert out == [str(not flags), "False", "ForgedProof", *["NotProved"] * 4]


def test_truth():
    assert prove("x + 0 == x")
    assert not prove("x + 1 == x")
    with pytest.raises(Undecided, match="gave up"):
        bool(Unknown("x == y", "gave up"))


def test_refuted_shows_values_and_sides():
    verdict = prove("(x*y)//2 == x*(y//2)", assume="x > 0")
    assert isinstance(verdict, Refuted)
    assert (verdict.values, verdict.sides, verdict.smallest) == ({"x": 2, "y": 1}, (1, 0), True)
    assert str(verdict) == (
        "refuted given x > 0: x*y//2 == x*(y//2)  at x = 2, y = 1 (smallest): 1 on the left, 0 on the right"
    )
    assert hash(verdict) == hash(prove("(x*y)//2 == x*(y//2)", assume="x > 0"))
    assert eval(repr(verdict)) == verdict


def test_the_rounding_is_part_of_what_is_shown():
    assert str(prove("-(x//2) == (-x)//2", division="trunc")).startswith("proved under trunc division: ")
    assert str(prove("x % 2 >= 0", "x < 1", division="trunc")).startswith("refuted under trunc division given x < 1")
    assert str(prove("x + 0 == x", division="trunc")).startswith("proved: ")


def test_proved_shows_what_it_rests_on():
    verdict = prove("x % y * 0 == 0")
    assert verdict.rests_on == {"z3", "divisor y != 0 assumed"}
    assert str(verdict).startswith("proved if y != 0, which has to be assumed: x % y*0 == 0  [z3; ")
    assert by_induction("n*m <= n*n*m", given="m >= 0").rests_on == {"z3", "refutation", "induction"}
    assert verdict.seconds >= 0


def test_only_the_kernel_has_the_seal_the_prover_and_two_rules_about_views_and_programs():
    root = Path(symview.__file__).parent
    holders = {p.relative_to(root).as_posix() for p in root.rglob("*.py") if "_SEAL" in p.read_text(encoding="utf-8")}
    assert holders == {"proof/kernel.py", "proof/prover.py", "views/chains.py", "rules/programs/proving.py"}


def test_the_examples_of_the_readme_run():
    text = (Path(__file__).parents[2] / "proofs" / "README.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for block in text.split("```python")[1:]:
        exec(block.split("```")[0], names)
    tests = [test for name, test in names.items() if name.startswith("test_")]
    assert len(tests) == 4
    for test in tests:
        test()
