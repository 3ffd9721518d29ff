"""`proofs/rocq` compiles, rests on no axiom, and has every statement that the index in proofs/README.md names."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from index import entries

PROOFS = Path(__file__).parents[2] / "proofs"
ROCQ = PROOFS / "rocq"
PROJECT = (ROCQ / "_CoqProject").read_text(encoding="utf-8").split()
FILES = [word for word in PROJECT if word.endswith(".v")]
SECTION = (PROOFS / "README.md").read_text(encoding="utf-8").partition("\n## In Coq\n")[2].partition("\n## ")[0]
NAMES = list(dict.fromkeys(re.findall(r"`([A-Z]\w*\.(?!v`)\w+)`", SECTION)))
DOCUMENTS = {
    "Merging tensor views": ["test_merging_tensor_views"],
    "Criteria and proof for when a new view must be appended": ["test_reshape_criteria"],
    "CuTe Layout Algebra": ["test_cute_layouts", "test_cute_composition", "test_cute_factorisations"],
}


def coqc(folder: Path, file: str) -> str:
    """What coqc prints about a file of the project; an error fails the test, with what coqc says."""
    flags = PROJECT[: PROJECT.index(FILES[0])]
    done = subprocess.run(["coqc", *flags, file], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, f"{file}: {done.stdout}{done.stderr}"
    return done.stdout


def test_the_project_names_every_file() -> None:
    assert sorted(FILES) == sorted(path.name for path in ROCQ.glob("*.v"))


@pytest.mark.parametrize("file", FILES)
def test_nothing_is_taken_for_granted(file: str) -> None:
    text = (ROCQ / file).read_text(encoding="utf-8")
    assert not re.search(r"\b(Admitted|admit|Axioms?|Parameters?|Conjectures?|bypass_check|Unset)\b", text)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_the_index_has_every_numbered_statement(document: str) -> None:
    table = SECTION.partition(f"\n### {document}, in Coq\n")[2].partition("\n### ")[0]
    rows = {line.split(" | ")[0].removeprefix("| ") for line in table.splitlines() if line.startswith("| ")}
    numbered = {e.source for file in DOCUMENTS[document] for e in entries(file) if e.source}
    assert numbered <= rows


@pytest.mark.skipif(shutil.which("coqc") is None, reason="coqc is not installed")
def test_all_compiles_without_axioms(tmp_path: Path) -> None:
    for file in FILES:
        shutil.copy(ROCQ / file, tmp_path)
        coqc(tmp_path, file)
    modules = sorted(Path(file).stem for file in FILES)
    all_names = ", ".join(f"@{name}" for name in NAMES)  # asked one by one, each goes through ZArith again
    asked = f"From Symview Require {' '.join(modules)}.\nDefinition all := ({all_names}).\nPrint Assumptions all.\n"
    (tmp_path / "Asked.v").write_text(asked, encoding="utf-8")
    assert coqc(tmp_path, "Asked.v") == "Closed under the global context\n"
    assert len(NAMES) > 100
