"""`symview verify --proof` saves the solver's own proofs."""

from __future__ import annotations

import json

import pytest
from claims import claiming
from command import typed

from symview import prove

CERTIFICATE = prove("x//2//3 == x//6").certificate()


def run(*arguments):
    return typed(["verify", *map(str, arguments)])


def test_questions_and_proofs_are_saved(tmp_path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(CERTIFICATE))
    found = run(tmp_path / "one.json", "--proof", tmp_path / "proofs")
    assert found.exit_code == 0, found.output
    saved = {path.name: path.read_text() for path in (tmp_path / "proofs").iterdir()}
    assert set(saved) == {"one_0.smt2", "one_0.proof"}
    assert "(check-sat)" in saved["one_0.smt2"]
    assert "step" in saved["one_0.proof"]
    (tmp_path / "proofs" / "one_0.proof").write_text("mine")
    (tmp_path / "proofs" / "one_0.smt2").write_text("another question")
    run(tmp_path / "one.json", "--proof", tmp_path / "proofs")
    assert (tmp_path / "proofs" / "one_0.proof").read_text() == "mine"
    assert (tmp_path / "proofs" / "one_0_2.proof").read_text() == saved["one_0.proof"]


def test_what_has_no_proof_is_told(tmp_path) -> None:
    changed = claiming(CERTIFICATE, claim=["==", ["^", "x", "y"], ["^", "y", "x"]])
    (tmp_path / "xor.json").write_text(json.dumps(changed))
    found = run(tmp_path / "xor.json", "--proof", tmp_path, "--json")
    assert json.loads(found.stdout)["certificates"][0]["unproved"]


@pytest.mark.parametrize("solver", ["z3", "/bin/true"])
def test_only_cvc5_gives_proofs(solver, tmp_path) -> None:
    found = run(tmp_path / "none.json", "--proof", tmp_path, "--solver", solver)
    assert found.exit_code == 2
    assert "cvc5" in found.output
