"""Refutations that Rocq checks by computation: what is accepted, and what is not."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from mutated import mutations

from rocq.compiled import COQC, compiled, of_obligation, printed, theorem
from symview import Budget, View, dense_conditions, injective_conditions, prove
from symview.proof.refutations import with_refutations
from symview.rocq.refutations import Computed, claim_of, computed
from symview.rules.files import read_rules
from symview.rules.outcomes import outcome
from symview.trusted.formulas import FORMULAS, INTEGERS, RELATIONS, Tree, defined
from symview.trusted.formulas import compiled as evaluated
from symview.verify.checking import obligations
from symview.verify.obligations import Obligation

pytestmark = pytest.mark.skipif(COQC is None, reason="coqc is not installed")
RULES = Path(__file__).parents[2] / "proofs" / "rules"


def refuted(certificate: Any) -> list[tuple[list[str], list[Tree], Tree, Computed]]:
    """The obligations of a certificate that have refutations, all of which are data for Rocq."""
    document, found = json.loads(json.dumps(certificate)), []
    asked = (one for one in obligations(document) if isinstance(one, Obligation))
    for obligation, steps in zip(asked, document["evidence"]["refutations"], strict=False):
        if steps is not None:
            about, given, claim, data = of_obligation(obligation, steps)
            assert data is not None
            found.append((about, given, claim, data))
    assert found
    return found


def text_of(found: list[tuple[list[str], list[Tree], Tree, Computed]]) -> str:
    return "".join(theorem(f"t{n}", *one) for n, one in enumerate(found))


def checks(pairs: list[tuple[str, str]], so: bool) -> None:
    """That the checker says so of each claim with its refutation."""
    rows = "; ".join([f"sv_check {c} {r}" for c, r in pairs])
    word = str(so).lower()
    text = f"Goal forallb (Bool.eqb {word}) [{rows}]%positive = true.\nProof. vm_cast_no_check (eq_refl true). Qed."
    accepted, out = compiled(text)
    assert accepted, out


def test_rules() -> None:
    rules = [read_rules(path)[n] for path in sorted(RULES.glob("*.toml")) for n in (0, 2)]
    found = [one.verdict.certificate() for rule in rules if (one := outcome(rule)).verdict]
    whole = [one for c in found if "refutations" in c["evidence"] for one in refuted(c)]
    assert len(whole) >= 12
    accepted, out = compiled(text_of(whole) + "Print Assumptions t0. Print Assumptions sv_sound.")
    assert accepted, out
    assert out.count("Closed under the global context") == 2


@pytest.mark.parametrize("conditions", [dense_conditions, injective_conditions])
def test_properties_of_strides(conditions: Any) -> None:
    certificate = conditions(View.parse("(n,m):(a,b)")).certificate()
    accepted, out = compiled(text_of(refuted(with_refutations(certificate, Budget(work=10**7)))))
    assert accepted, out


MEANT = {
    "trunc": (["x", "a"], [(">=", "a", 1), (">=", "x", 0)], ("==", ("//trunc", "x", "a"), ("//", "x", "a"))),
    "mod": (["x", "a", "b"], [(">=", "a", 1), (">=", "b", 1)],
            ("==", ("//", ("%", "x", ("*", "a", "b")), "b"), ("%", ("//", "x", "b"), "a"))),
    "min": (["x", "y"], [], ("<=", ("min", "x", "y", 3), ("if", ("<", "x", "y"), "x", ("max", "y", ("abs", "y"))))),
    "bits": (["x"], [], ("and", ("<=", ("&", "x", 7), 7), ("==", ("<<", "x", 3), ("*", 8, "x")),
                         ("==", ("~", "x"), ("-", ("neg", "x"), 1)), ("<=", ("wrap", "x", -2, 5), 2))),
    "either": (["x", "y"], [("<->", (">=", "x", 1), (">=", "y", 1)), ("->", ("<", "y", 1), ("==", "y", "x"))],
               ("or", ("not", ("<=", "x", 0)), ("<=", ("+", "x", "y"), 0))),
}  # fmt: skip


def data(name: str) -> tuple[list[str], list[Tree], Tree, Computed]:
    from symview.logic.budget import DEFAULT
    from symview.proof.refutations import refutation

    about, given, claim = MEANT[name]
    steps = refutation([*given, ("not", claim)], DEFAULT.started())
    assert steps is not None
    found = computed(about, given, claim, steps)
    assert found is not None
    return about, given, claim, found


def test_each_operator_that_means_something() -> None:
    accepted, out = compiled(text_of([data(name) for name in MEANT]))
    assert accepted, out


def false_mutants(about: list[str], given: list[Tree], claim: Tree) -> Iterator[tuple[list[Tree], Tree]]:
    """Statements with one place changed for which small values show that they do not hold."""
    for changed in mutations(as_lists([*given, claim])):
        try:
            *some, last = map(as_tree, changed)
            test, first = evaluated(last), evaluated(("and", True, *some, *defined(last, *some)))
            points = [dict(zip(about, p, strict=True)) for p in product(range(-4, 9), repeat=len(about))]
            if any(first(at) and not test(at) for at in points):
                yield some, last
        except (ArithmeticError, KeyError, TypeError, ValueError, IndexError):
            continue


def as_lists(t: Any) -> Any:
    return [as_lists(x) for x in t] if isinstance(t, (tuple, list)) else t


def as_tree(t: Any) -> Tree:
    return tuple([as_tree(x) for x in t]) if isinstance(t, list) else t


@pytest.mark.parametrize("name", MEANT)
def test_what_is_false_is_refused(name: str) -> None:
    about, given, claim, found = data(name)
    pairs = []
    for some, last in false_mutants(about, given, claim):
        try:
            pairs.append((claim_of(about, some, last), found.refutation))
        except (KeyError, TypeError, ValueError):
            continue
    assert len(pairs) >= 3
    checks(pairs, False)


def test_a_refutation_with_a_fault_is_refused() -> None:
    found = computed(["x", "y"], [("<=", ("*", 2, "x"), "y"), (">=", "x", 3), ("<=", "y", 5)], False,
                     [["sum", [1, 0], [2, 1]], ["sum", [1, 3], [1, 2]]])  # fmt: skip
    assert found is not None
    right = found.refutation
    assert right == "(Refutation [] (Ref [Given 0; Given 1; Given 2; Given 3; Sum [([Mon 1 []], [1]); " \
                    "([Mon 2 []], [2])]; Sum [([Mon 1 []], [4]); ([Mon 1 []], [3])]] 1 []))"  # fmt: skip
    faults = [
        ("Mon 2 []", "Mon 1 []"), ("Mon 2 []", "Mon 3 []"), ("Mon 2 []", "Mon (-2) []"), ("Mon 2 []", "Mon 2 [2]"),
        ("[4]", "[5]"), ("[4]", "[3]"), ("[3]", "[2]"), ("[1]", "[9]"), ("Given 1; ", ""), ("Given 0; ", "Given 7; "),
        ("; Sum [([Mon 1 []], [4]); ([Mon 1 []], [3])]", ""), ("; ([Mon 1 []], [3])", ""), ("Given 0", "Define 1"),
        ("] 1 []", "] 4 []"),
    ]  # fmt: skip
    checks([(found.claim, right)], True)
    wrong = [(found.claim, right.replace(a, b, 1)) for a, b in faults]
    assert all(r != right for _, r in wrong)
    checks([w for w in wrong if "] 4 []" not in w[1]], False)


def test_a_choice_needs_each_alternative() -> None:
    *_, found = data("mod")
    right = found.refutation
    atoms = re.search(r"Atom oDiv \[\[Mon 1 \[(\d+)\]\];", right)
    assert atoms is not None
    wrong = [
        right.replace("oDiv", "oQuot", 1), right.replace("oDiv", "oEdiv", 1), right.replace("Sign", "Given 0; Sign", 1),
        right.replace("; (Ref", "; (Ref [] 1 []); (Ref", 1), right.replace("Define 1; ", "", 1),
        right.replace("Atom oDiv [[Mon 1", "Atom oDiv [[Mon 2", 1),
        right.replace(atoms[0], "Atom oDiv [[Mon 1 [3]];", 1),  # an atom of itself
    ]  # fmt: skip
    checks([(found.claim, right)], True)
    checks([(found.claim, w) for w in wrong], False)


def random_tree(rng: Random, deep: int, kinds: Any = INTEGERS) -> Tree:
    if deep == 0 or (kinds is INTEGERS and rng.random() < 0.2):
        return rng.choice([rng.randint(-9, 9), "x", "y"]) if kinds is INTEGERS else rng.random() < 0.5
    op = rng.choice([*kinds])
    least, most, _ = kinds[op]
    inner = FORMULAS if kinds is FORMULAS and op not in RELATIONS else INTEGERS
    count = rng.randint(least, min(most, 3)) if least < most else least
    return (op, *[random_tree(rng, deep - 1, FORMULAS if op == "if" and n == 0 else inner) for n in range(count)])


def test_data_and_text_mean_what_python_computes() -> None:
    rng, at, rows, text = Random(7), {"x": -7, "y": 3}, list[str](), set[str]()
    while len(rows) < 400:
        kinds = rng.choice((INTEGERS, FORMULAS))
        tree = random_tree(rng, 3, kinds)
        try:
            value = evaluated(("and", True, tree) if kinds is FORMULAS else tree)(at)
            evaluated(("and", True, *defined(tree)))(at)
        except (ArithmeticError, ValueError):
            continue
        if abs(value) < 1 << 200 and type(tree) is tuple and all(evaluated(f)(at) for f in defined(tree)):
            text |= set(re.findall(r"o[A-Z]\w+", said := claim_of(["x", "y"], [], tree)))
            own, word = {"x": "(-7)", "y": "3"}, said.removeprefix("(Claim [] ").removesuffix(")")
            if kinds is FORMULAS:
                rows.append(f"Bool.eqb (holds_b [-7; 3] {word}) {str(bool(value)).lower()}")
                rows.append(f"Bool.eqb {printed(tree, own, True)} {str(bool(value)).lower()}")
            else:
                rows += [f"(den [-7; 3] {word} =? {value})", f"({printed(tree, own)} =? {value})"]
    assert len(text) >= 34
    accepted, out = compiled(
        f"Goal forallb (fun b => b) [{'; '.join(rows)}] = true.\nProof. vm_compute; reflexivity. Qed."
    )
    assert accepted, out


def test_no_text_of_a_certificate_is_printed() -> None:
    hostile = "x *) Axiom a : False. (*"
    certificate = prove("x//2//3 == x//6").certificate()
    certificate = json.loads(json.dumps(certificate).replace('"x"', json.dumps(hostile)))
    (one,) = refuted(certificate)
    assert "Axiom" not in theorem("t", *one)
    assert compiled(theorem("t", *one))[0]
