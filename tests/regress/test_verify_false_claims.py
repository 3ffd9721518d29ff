"""Certificates that claim something false: none of them is confirmed, whatever its kind and whatever was changed."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
import schema
from claims import claimed, claiming
from command import typed
from mutated import found_in
from oracle import answers

from symview import (
    View,
    certificate,
    conditions,
    contiguous_conditions,
    dense_conditions,
    equivalent,
    injective_conditions,
    merge,
    prove,
    reshape_conditions,
    weakest,
)
from symview.cute import (
    Layout,
    complement_conditions,
    composition_conditions,
    left_inverse_conditions,
    logical_product_conditions,
    right_inverse_conditions,
    tile_to_shape_conditions,
)
from symview.trusted.document import expression, formula
from symview.trusted.formulas import compiled, names
from symview.verify import Solver

layout, view = Layout.parse, View.parse
STATUSES = ("always", "when", "never", "out_of_bounds", "undecided")


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=200_000) as found:
        yield found


def conditions_of(outer: str, inner: str, **more: Any) -> Any:
    return conditions(view(outer), view(inner), **more)


BY_CASES = {
    "merge": lambda: conditions_of("(10,3,3):(a,b,c)", "(s):(4)"),
    "merge of strides": lambda: conditions_of("(2,2):(a,3*b)", "(3):(1)"),
    "merge, never": lambda: conditions_of("(2,2):(1,3*a)", "(3):(1)"),
    "merge, always": lambda: conditions_of("(4,6):(a,b)", "(2):(1)"),
    "composition": lambda: composition_conditions(layout("(4,6):(a,b)"), Layout(6)),
    "composition, always": lambda: composition_conditions(layout("(4,6):(a,b)"), Layout(2)),
    "composition, never": lambda: composition_conditions(layout("(4,6):(1,3*a)"), Layout(6)),
    "complement": lambda: complement_conditions(layout("4:a"), 24),
    "right inverse": lambda: right_inverse_conditions(layout("(4,6):(a,b)")),
    "left inverse": lambda: left_inverse_conditions(layout("4:a")),
    "product": lambda: logical_product_conditions(layout("(2,3):(1,a)"), Layout(2)),
    "tiles": lambda: tile_to_shape_conditions(layout("(4,2):(2,1)"), layout("(m,k)").shape),
    "dense": lambda: dense_conditions(view("(2,3):(a,b)")),
    "contiguous": lambda: contiguous_conditions(view("(2,3):(a,b)"), (1, 0)),
    "injective": lambda: injective_conditions(view("(2,3):(a,b)")),
}  # fmt: skip


class Meaning:
    """What cases say at some values of the names: which status, yes or no; and a guard, where there is one."""

    def __init__(self, question: Any) -> None:
        rng, facts = Random(0), [compiled(formula(f)) for f in question["facts"]]
        self.names = sorted({n for t in _trees(question) for n in names(t)})
        points = [dict.fromkeys(self.names, k) for k in (0, 1, 2, 30)]
        points += [{n: rng.choice((-2, -1, 0, 1, 2, 3, 4, 6, 24, 30)) for n in self.names} for _ in range(500)]
        self.points = [at for at in points if all(f(at) for f in facts)]

    def __call__(self, cases: Any) -> list[str]:
        read = [(compiled(formula(c["where"])), c["status"], [compiled(formula(e)) for e in c["equations"]])
                for c in cases]  # fmt: skip
        return [self._at(at, read) for at in self.points]

    def _at(self, at: dict[str, int], cases: Any) -> str:
        found = {s if s not in ("always", "when") else "yes" if all(e(at) for e in equations) else "no"
                 for where, s, equations in cases if _holds(where, at)}  # fmt: skip
        for said in ("undecided", "yes", "out_of_bounds", "never"):  # cases of compositions may meet, or leave out
            if said in found:
                return said
        return "no"


CLAIMS_LESS = {("never", "no"), ("no", "never"), ("out_of_bounds", "no")}  # "no": the equations of `when` fail


def _holds(formula: Any, at: dict[str, int]) -> bool:
    try:
        return bool(formula(at))
    except ZeroDivisionError:
        return False


def _trees(at: Any) -> Iterator[Any]:
    """The expressions of a question: texts stand for names wherever they are operands or entries."""
    if isinstance(at, dict):
        for key in at.keys() - {"property", "operation", "steps", "facts"}:
            yield from _trees(at[key])
    elif isinstance(at, list) and not (at and at[0] in ("+", "-", "*", "neg", "//", "ceildiv")):
        for part in at:
            yield from _trees(part)
    elif isinstance(at, (str, list)):
        yield expression(at)


def other_statuses(case: Any, key: str, some: Any, name: str) -> Iterator[Any]:
    """The case with each other status, with its answer and equations as they were, or as that status has them."""
    for status in STATUSES:
        for equations in (case["equations"], [], [["==", name, 0]], [["==", name, ["+", name, 1]]]):
            for found in (case.get(key), None, some):
                changed = {**case, "status": status, "equations": equations, **({key: found} if key else {})}
                if changed != case:
                    yield changed
                if not key:
                    break


@pytest.mark.parametrize("name", BY_CASES)
def test_a_case_with_another_status_is_not_confirmed(name, solver) -> None:
    answer = BY_CASES[name]()
    right = answer.certificate()
    before = found_in(right, solver)
    assert before is not None
    assert before.verdict == "confirmed", before.open
    if name == "tiles":
        assert before.claim[0] == "for all m, k with m >= 1 and k >= 1:"
        assert before.claim[1].startswith("  tile_to_shape of (4,2):(2,1) to (m,k) in the order (0,1) is ")
    meaning, cases = Meaning(right["claim"]), right["claim"]["cases"]
    key = next((k for k in ("view", "layout") if k in cases[0]), "")
    some = next((c[key] for c in cases if key and c[key] is not None), {"size": 1, "stride": 1})
    was, seen = meaning(cases), Counter[str]()
    right_pairs = CLAIMS_LESS | {(said, said) for said in was} - {("undecided", "undecided")}
    for n, case in enumerate(cases):
        for changed in other_statuses(case, key, some, meaning.names[0]):
            after = [*cases[:n], changed, *cases[n + 1 :]]
            if {*zip(was, meaning(after), strict=True)} <= right_pairs:
                continue
            says = ["or", False, *[["and", c["where"], *c["equations"]] for c in after
                                   if c["status"] in ("always", "when")]]  # fmt: skip
            evidence = {**right["evidence"], "cases": after}
            guarded = {**right["claim"], "kind": "guard", "guard": says, "verdict": "exact"}
            for wrong in (claiming(right, cases=after), {**right, "claim": guarded, "evidence": evidence}):
                found = found_in(wrong, solver)
                assert found is None or found.verdict != "confirmed", changed
            seen[changed["status"]] += 1
    assert seen["undecided"] and seen["out_of_bounds"] and sum(seen.values()) > 10, seen


def places(at: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """All parts of a document, each with the keys that lead to it."""
    yield path, at
    for key, part in at.items() if isinstance(at, dict) else enumerate(at) if isinstance(at, list) else ():
        yield from places(part, (*path, key))


def put(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """The document with another value at a place."""
    if not path:
        return value
    copy = json.loads(json.dumps(document))
    at = copy
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = value
    return copy


@pytest.mark.parametrize("kind", answers.KINDS)
def test_fields_that_are_not_checked_are_named_and_bits_are_no_integers(kind, solver) -> None:
    """One more key in any object of a certificate of any kind, and true for 1, are never confirmed."""
    certificate = next(
        c for c in answers.certificates(kind, 40) if (found := found_in(c, solver)) and found.verdict == "confirmed"
    )
    added = changed = 0
    for path, part in places(certificate):
        if isinstance(part, dict) and not {"values", "at", "folds", "refutations", "witnesses"} & {*path}:
            found = found_in(put(certificate, path, {**part, "note": "1 == 2"}), solver)
            named = ".".join([key for key in (*path, "note") if type(key) is str])
            assert found is not None
            assert (found.verdict, found.open) == ("partly", [f"{named}, which is not checked"])
            added += 1
        if type(part) is int and part in (0, 1) and "refutations" not in path:
            found = found_in(put(certificate, path, bool(part)), solver)
            assert found is None or found.verdict != "confirmed", path
            changed += 1
    assert added >= 3
    assert changed or kind in ("theorem", "premise", "huge", "compare"), kind


def of_views(*texts: str) -> dict[str, Any]:
    views = [view(t) for t in texts]
    return certificate(merge(*views), *views)


def compared(conditions: Any, guard: str) -> dict[str, Any]:
    return conditions.compare(guard).certificate()


SHORT = conditions_of("(10,3,3):(a,b,c)", "(s):(4)")
RESHAPED = reshape_conditions(view("(n,m):(a,b)"), view("(6)").shape)
HIDDEN = conditions_of("(4,4):(a,b) [0:n,0:4]", "(16):(1)", assume="1 <= n <= 4")
FALSE_FIELDS = {  # a right certificate, and what is changed to something false in its answer
    "index of a counterexample": (lambda: of_views("(10,3,3):(1,1,1)", "(4,2):(4,1)"), {"index": [0, 1]}),
    "index of a mask": (lambda: of_views("(3,3):(3,1) [0:2,0:2]", "(9):(1)"), {"index": [1]}),
    "sides": (lambda: equivalent(view("(3):(1)"), view("(3):(2)")).certificate(), {"sides": [True, 2]}),
    "sides of a rule": (lambda: prove("x(n,m) == x(n,m).flip(0)").certificate(), {"sides": ["x[0,0]", "x[0,0]"]}),
    "rests_on": (lambda: prove("x % 3 < 3").certificate(), {"rests_on": []}),
    "index": (lambda: compared(SHORT, "s <= 23"), {"index": [0]}),
    "index of a yes": (lambda: compared(SHORT, "s <= 3"), {"index": [3]}),
    "index where sizes do not fit": (lambda: compared(RESHAPED, "a == m*b"), {"index": [0]}),
    "index out of bounds": (lambda: compared(SHORT, "s > 23"), {"index": [22]}),
    "a name that is not asked": (lambda: compared(SHORT, "s <= 23"), {"values": {"z": 1}}),
    "a value that is not a program's": (lambda: prove("x(n,m) == x(n,m).flip(0)").certificate(), {"values": {"z": 1}}),
    "index beside density": (lambda: compared(dense_conditions(view("(2,3):(a,b)")), "a == a"), {"index": [0, 0]}),
}  # fmt: skip


def merged(answer: Any, change: Any) -> Any:
    return answer | {k: merged(answer[k], x) if isinstance(x, dict) else x for k, x in change.items()}


@pytest.mark.parametrize("name", FALSE_FIELDS)
def test_a_false_field_is_not_confirmed(name, solver) -> None:
    right = FALSE_FIELDS[name][0]()
    before = found_in(right, solver)
    assert before is not None
    assert (before.verdict, before.open) == ("confirmed", [])
    found = found_in({**right, "claim": merged(right["claim"], FALSE_FIELDS[name][1])}, solver)
    assert found is None or found.verdict in ("refuted", "partly")


def test_guards_that_let_through_what_a_mask_hides_are_confirmed(solver) -> None:
    """An index that is hidden, or that is shown beyond one that is hidden, breaks the merge."""
    box, seen = conditions_of("(3,3):(a,b) [0:2,0:2]", "(n):(1)", assume="n <= 9"), 0
    for guard in ("n <= 4", "n <= 5", "n <= 9 and a == 3*b", "n >= 4", "n == 5 and a == 3*b"):
        found = found_in(compared(box, guard), solver)
        assert found is not None
        assert found.verdict == "confirmed", guard
        seen += box.compare(guard).certificate()["claim"]["verdict"] == "too weak"
    assert seen > 2


VACUOUS = {
    "assumptions": ("theorem", {"claim": ["==", "x", "y"], "assume": [["<", "x", 0], [">", "x", 0]]}, {}),
    "a side without a value": ("theorem", {"claim": ["==", ["//", "x", 0], 1], "assume": []}, {}),
    "each": ("theorem", {"claim": ["==", "R", 5], "assume": [["==", "z", 5]], "folds": {"R": ["z", ["+", "R", "d"]]},
                         "each": [["<", "d", 0], [">", "d", 0]]}, {}),
    "a lemma": ("theorem", {"claim": ["==", "x", "x"], "assume": [], "by": [
        {"lemma": {"claim": ["==", "x", 1], "assume": [["<", "x", 0], [">", "x", 0]]}, "at": {}}]}, {}),
    "a rule": ("rule", {"parts": False, "instances": [{
        "left": {"tensor": "x", "shape": ["n"], "steps": []}, "right": {"tensor": "y", "shape": ["n"], "steps": []},
        "assume": [[">", "n", 1], ["<", "n", 1]], "more": False}]}, {}),
    "a left side that is never defined": ("rule", {"parts": False, "instances": [{
        "left": {"tensor": "x", "shape": [2], "steps": [["reshape", 3]]},
        "right": {"tensor": "y", "shape": [3], "steps": []}, "assume": [], "more": False}]}, {}),
    "a premise": ("premise", {"claim": ["==", "x", "k"], "assume": [["<", "x", 0], [">", "x", 0]], "about": ["k"]},
                  {"condition": True, "directions": "both"}),
    "facts": ("conditions", {"facts": [["<", "a", 0], [">", "a", 0]], "views": [
        {"shape": [2, 2], "strides": ["a", 1], "offset": 0, "mask": None},
        {"shape": [4], "strides": [1], "offset": 0, "mask": None}]},
              {"cases": [{"where": True, "status": "never", "equations": [], "view": None}]}),
    "facts of layouts": ("layout_conditions", {"operation": "coalesce", "facts": [["!=", "a", "a"]], "layouts": [
        {"size": 4, "stride": "a"}]}, {"cases": [{"where": True, "status": "always", "equations": [],
                                                  "layout": {"size": 7, "stride": "a"}}]}),
    "facts beside a guard": ("guard", {"facts": [["!=", "a", "a"]], "guard": False, "property": "dense", "flips": False,
                                       "view": {"shape": [2], "strides": ["a"], "offset": 0, "mask": None}},
                             {"verdict": "exact", "cases": [{"where": True, "status": "never", "equations": []}]}),
}  # fmt: skip


@pytest.mark.parametrize("name", VACUOUS)
def test_what_nothing_meets_is_vacuous(name, solver) -> None:
    kind, question, answer = VACUOUS[name]
    answer = answer or {"verdict": "proved"}
    found = found_in(claimed(kind, question, answer), solver)
    assert found is not None
    assert (found.verdict, found.wrong) == ("vacuous", [])


def test_what_is_printed_is_the_claim_that_was_checked(tmp_path) -> None:
    """The command says what it checked, what it did not, and that it says nothing where no values meet it."""
    theorem = prove("(x//a)//b == x//(a*b)", "a >= 1 and b >= 1").certificate()
    kind, question, _ = VACUOUS["assumptions"]
    files = {
        "right": theorem,
        "renamed": put(theorem, ("claim", "statement"), "1 == 2"),
        "empty": claimed(kind, question, verdict="proved"),
        "premise": weakest("x//a*a == x", about="a", assume="a >= 1").certificate(),
    }
    for name, text in files.items():
        (tmp_path / f"{name}.json").write_text(json.dumps(text), encoding="utf-8")
    runs = {n: typed(["verify", str(tmp_path / f"{n}.json")]) for n in files}
    claim = "  for all x, a, b: a >= 1 and b >= 1 -> x // a // b == x // (a * b)"
    assert runs["right"].stdout.splitlines()[1:] == [claim]
    assert runs["renamed"].stdout.splitlines()[0].endswith("confirmed but for: claim.statement, which is not checked")
    assert runs["empty"].stdout.splitlines()[0].endswith("vacuous: no values meet what is assumed")
    assert (
        runs["premise"]
        .stdout.splitlines()[1]
        .startswith("  for all a with a >= 1: (for all x: x // a * a == x) <-> a == 1")
    )
    assert [run.exit_code for run in runs.values()] == [0, 3, 2, 0]
    run = typed(["verify", "--json", *[str(tmp_path / f"{n}.json") for n in files]])
    answer = schema.read(run.stdout)
    assert [one["verdict"] for one in answer["certificates"]] == ["confirmed", "partly", "vacuous", "confirmed"]
    assert answer["certificates"][0]["claim"] == [claim.strip()]
    assert (run.exit_code, answer["counts"]["vacuous"]) == (2, 1)


def test_only_the_values_of_a_refuted_rule_are_called_the_smallest(tmp_path) -> None:
    """That no smaller sizes refute it is checked; of the index, that the sides differ there."""
    certificate = prove("x(n,m).reshape(m,n) == x(n,m).permute(1,0)").certificate()
    assert certificate["claim"]["index"] == [0, 1]
    certificate["claim"]["index"] = [1, 0]
    path = tmp_path / "rule.json"
    path.write_text(json.dumps(certificate))
    printed = typed(["verify", str(path)]).stdout
    rule = "x(n,m).reshape(m,n) == x(n,m).permute(1,0) where the left side is defined"
    assert printed.splitlines()[1:] == [
        f"  at n = 2, m = 2: n >= 1 and m >= 1 and not {rule}, index (1,0)",
        f"  for all n, m with 0 + abs(n) + abs(m) < 4 and n >= 1 and m >= 1: {rule}",
    ]
