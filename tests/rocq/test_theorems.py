"""`proofs/rocq` compiles, rests on no axiom, has every statement that the index in proofs/README.md names, and its
definitions are symview's.
"""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from math import prod
from pathlib import Path

import admissibility as mao
import pytest
from factorisation_category import Factorisation, Morphism
from index import entries

from rocq.compiled import once
from symview import View, compose_at, cute, max_merge_view
from symview.cute import Layout

PROOFS = Path(__file__).parents[2] / "proofs"
ROCQ = PROOFS / "rocq"
PROJECT = (ROCQ / "_CoqProject").read_text(encoding="utf-8").split()
FILES = [word for word in PROJECT if word.endswith(".v")]
MODULES = " ".join(Path(file).stem for file in FILES)
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


def compile_all(folder: Path) -> None:
    """Compiles all files in a folder."""
    folder.mkdir()
    for file in FILES:
        shutil.copy(ROCQ / file, folder)
        coqc(folder, file)


@pytest.fixture(scope="module")
def compiled(place: Path) -> Path:
    """A folder with all files, compiled."""
    if shutil.which("coqc") is None:
        pytest.skip("coqc is not installed")
    return once(place / "theorems", compile_all)


# The files and the index


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


def test_every_theorem_is_there_and_rests_on_no_axiom(compiled: Path) -> None:
    assert len(NAMES) > 100
    theorems = [
        f"{Path(file).stem}.{name}"
        for file in FILES
        for name in re.findall(r"^Theorem (\w+)", (ROCQ / file).read_text(encoding="utf-8"), re.MULTILINE)
    ]
    all_names = ", ".join(f"@{name}" for name in sorted({*NAMES, *theorems}))  # one by one takes 30 s
    query = f"From Symview Require {MODULES}.\nDefinition all := ({all_names}).\nPrint Assumptions all.\n"
    (compiled / "Asked.v").write_text(query, encoding="utf-8")
    assert coqc(compiled, "Asked.v") == "Closed under the global context\n"


# The definitions


def written(value: object) -> str:
    """A Python value in Coq."""
    if isinstance(value, list):
        return f"[{'; '.join(map(written, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))})"
    return f"({value})"


def answer(layout: Layout | None) -> str:
    """A coalesced layout in Coq, where 1:0 is the empty list, or none."""
    if layout is None:
        return "None"
    return f"Some {written([mode for mode in cute.coalesce(layout).flat() if mode[0] > 1])}"


def about_views(rng: random.Random) -> Iterator[str]:
    """Equations about a random view: an address, and its max merge view."""
    shape = [rng.randint(2, 4) for _ in range(rng.randint(1, 4))]
    strides = [rng.choice((-3, 0, 1, 2)) for _ in shape]
    for n in range(len(shape) - 2, -1, -1):
        strides[n] = rng.choice((shape[n + 1] * strides[n + 1], strides[n]))
    view, x = View(shape, strides), rng.randrange(prod(shape))
    address = compose_at(view, View((prod(shape),)), index=(x,))
    yield f"Theorem10.address {written(shape)} {written(strides)} {x} = {written(address)}"
    merged = max_merge_view(view)
    modes = list(zip(merged.shape, merged.strides, strict=True))
    yield f"Reshape.max_merge (combine {written(shape)} {written(strides)}) = {written(modes)}"


def about_layouts(rng: random.Random) -> Iterator[str]:
    """Equations about random layouts: a value, coalescing, composition with one mode, a complement."""
    modes = [(rng.randint(1, 4), rng.choice((0, 1, 2, 4, 6))) for _ in range(rng.randint(1, 3))]
    outer, inner = Layout(*zip(*modes, strict=True)), (rng.randint(1, 8), rng.randint(1, 6))
    x = rng.randrange(3 * outer.size())
    yield f"Layouts.value {written(modes)} {x} = {outer(x)}"
    yield f"Some (Layouts.coalesce {written(modes)}) = {answer(outer)}"
    composed = cute.try_composition(outer, Layout(*inner)) or None
    yield f"Compositions.composition {written(modes)} {written([inner])} = {answer(composed)}"
    chain, reach = [], 1
    for _ in range(rng.randint(1, 3)):
        chain.append((rng.randint(2, 3), reach * rng.randint(1, 2)))
        reach = prod(chain[-1])
    sorted_layout, bound = Layout(*zip(*chain, strict=True)), reach * rng.randint(1, 3)
    assert mao.admissible_for_complementation(sorted_layout, bound)
    complement = f"Complements.complement {written(chain)} {bound}"
    yield f"Some (Layouts.coalesce ({complement})) = {answer(cute.complement(sorted_layout, bound))}"


def about_morphisms(rng: random.Random) -> Iterator[str]:
    """An equation about a random morphism: the modes of its layout, and the letters behind it."""
    target = Factorisation([rng.choice((2, 3, 5)) for _ in range(rng.randint(1, 4))])
    alpha = [rng.randrange(len(target)) for _ in range(rng.randint(0, 4))]
    morphism = Morphism([a + 1 for a in alpha], target)
    letters = f"[{'; '.join(f'{a}%nat' for a in alpha)}]"
    modes = morphism.layout().flat() if alpha else []
    yield f"Factorisations.layout_of_morphism {written([*target.primes])} {letters} = {written([*modes])}"
    yield f"Factorisations.pulled {written([*target.primes])} {letters} = {written([*morphism.source.primes])}"


def test_the_definitions_compute_what_symview_computes(compiled: Path) -> None:
    rng = random.Random(0)
    equations = [e for _ in range(100) for make in (about_views, about_layouts, about_morphisms) for e in make(rng)]
    assert 10 < sum(equation.endswith("= None") for equation in equations) < 90
    lines = [
        "From Coq Require Import ZArith List.",
        f"From Symview Require {MODULES}.",
        "Import ListNotations.",
        "Open Scope Z_scope.",
        *(f"Goal {equation}. Proof. vm_compute; reflexivity. Qed." for equation in equations),
    ]
    (compiled / "Equations.v").write_text("\n".join(lines), encoding="utf-8")
    coqc(compiled, "Equations.v")
