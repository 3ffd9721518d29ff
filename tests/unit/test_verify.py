"""The checker of certificates: right answers are confirmed, wrong files refused, and nothing of symview is needed."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import schema
from claims import claimed, claiming
from command import typed
from oracle import answers

from symview import (
    Budget,
    InputError,
    View,
    certificate,
    conditions,
    equivalent,
    merge,
    prove,
    reshape_conditions,
    simplify,
    weakest,
)
from symview import verify as verify_module
from symview.verify import BadCertificate, Solver, verify
from symview.view_notation import read_shape

parse = View.parse


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=500_000) as found:
        yield found


def check(certificate, solver):
    return verify(json.dumps(certificate), solver)


@pytest.mark.parametrize("name", ["cvc5", "z3"])
@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("(10,3,3):(σ1,σ2,σ3)", "(s):(4)"),
        ("(1000000,3,3):(a,b,c)", "(100000,4):(4,1)"),
        ("(n,3,2):(a,b,c)", "(k):(3)"),
        ("(4,4):(a,b)+o [0:3,0:4]", "(2,2):(4,1)"),
        ("(2,2):(1,3*a)", "(3):(1)"),
        ("(6,4):(a,b)", "(3):(t)"),
    ],
)
def test_conditions_are_confirmed_for_all_values(name, outer, inner) -> None:
    with Solver(name, 60.0, work=3_000_000) as solver:
        found = check(conditions(parse(outer), parse(inner)).certificate(), solver)
    assert (found.verdict, found.open) == ("confirmed", [])


@pytest.mark.parametrize("name", ["cvc5", "z3"])
def test_a_box_too_large_to_walk_is_asked_about(name) -> None:
    views = View((1000, 1000), (1000, 1)), View((500, 500), (1000, 2))
    right, wrong = certificate(merge(*views), *views), certificate(View((500, 500), (1000, 3)), *views)
    with Solver(name, 60.0, work=3_000_000) as solver:
        assert check(right, solver).verdict == "confirmed"
        assert check(wrong, solver).verdict == "refuted"
        assert solver.questions


def test_reshapes_are_confirmed_by_indices_that_are_expressions(solver) -> None:
    """The indices are expressions of the sizes: the first beyond a row."""
    whole = reshape_conditions(parse("(a,b):(s,t)"), parse("(a*b)").shape).certificate()
    found = check(whole, solver)
    assert (found.verdict, found.open) == ("confirmed", [])
    n, case = next((n, c) for n, c in enumerate(whole["claim"]["cases"]) if c["status"] == "when")
    assert ["b"] in whole["evidence"]["indices"][n]
    case["equations"] = [["==", "s", ["+", 1, ["*", "b", "t"]]]]
    assert check(whole, solver).wrong
    whole["evidence"]["indices"][n] = [["z"]]
    with pytest.raises(BadCertificate, match="strange names"):
        check(whole, solver)


SLOW = ("outer sizes", "reshapes", "premise", "rule", "overlap")
SOME = {*SLOW, "huge", "theorem", "strides", "layout operations"}  # of which parts may be open


@pytest.mark.sampled
@pytest.mark.parametrize("kind", answers.KINDS)
@pytest.mark.parametrize(("name", "seed", "usual"), [("cvc5", 0, 12), ("z3", 7, 1)])
def test_random_answers_are_confirmed(kind, name, seed, usual, turns) -> None:
    """By cvc5, and by Z3 with another seed: none refuted, and all confirmed whole but for kinds that may be open."""
    with Solver(name, 60.0, seed, work=1_000_000) as solver:
        (tally,) = answers.checked(kind, len(turns(1 if kind in SLOW else usual)), [solver])
    assert not tally.wrong, str(tally)
    assert kind in SOME or not tally.open, str(tally)
    assert kind in SLOW or tally.verdicts["confirmed"] >= 0.5 * len(turns(usual)), str(tally)


def _imports(path: Path) -> Iterator[Path]:
    """The files of the checker that a file of it imports."""
    root = Path(verify_module.__file__).parents[2]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
        if module.startswith(("symview.verify", "symview.trusted")):
            found = root / module.replace(".", "/")
            yield found / "__init__.py" if found.is_dir() else found.with_suffix(".py")


def _with_imports(*paths: Path) -> set[Path]:
    found, left = set[Path](), [*paths]
    while left:
        if (path := left.pop()) not in found:
            found.add(path)
            left += _imports(path)
    return found


BELIEVED = {
    "theorems": 2910, "chains": 3100, "programs": 3160, "overlaps": 3160, "strides": 3260, "conditions": 3415,
    "layouts": 3240, "layout_conditions": 3560,
}  # fmt: skip


def test_the_checker_stays_small() -> None:
    """What has to be trusted is read line by line: it grows only where these numbers do.

    Who believes answers of one kind reads what every kind needs, the kind's own file, and what that imports.
    """
    root = Path(verify_module.__file__).parent
    core = root.parent / "trusted"
    command = {root / f"{name}.py" for name in ("commands", "replies", "apart")}  # which nothing else of it imports
    paths = [*{*root.rglob("*.py")} - command, *core.glob("*.py")]
    lines = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in paths}
    printing = {root / name for name in ("smtlib.py", "entry.py", "__init__.py")}  # nothing is settled by these
    assert sum(n for path, n in lines.items() if path not in printing) <= 4445
    assert max(lines.values()) <= 470
    tables = {root / "checking.py", root / "kinds" / "__init__.py"}
    every = tables | _with_imports(root / "obligations.py", core / "document.py")
    assert {p.stem for p in every} == {"__init__", "bounds", "checking", "document", "formulas", "linear", "natural",
                                       "obligations", "solvers", "work"}  # fmt: skip
    assert sum(lines[p] for p in every) <= 1660
    every |= {root / "derive.py"} | _with_imports(root / "meaning.py", root / "text.py")
    assert sum(lines[p] for p in every) <= 2810
    for kind, most in BELIEVED.items():
        assert sum(lines[p] for p in every | _with_imports(root / "kinds" / f"{kind}.py")) <= most, kind
    named = {*BELIEVED, "cases", "maps", "__init__"}
    assert {p.stem for p in (root / "kinds").glob("*.py")} == named


ANSWERS = {
    "linear": (lambda: prove("x % 6 // 3 < 2"), "confirmed"),
    "bits": (lambda: prove("x & 7 == x % 8"), "confirmed"),
    "refuted": (lambda: prove("x//2*2 == x"), "confirmed"),
    "refuted under truncation": (lambda: prove("(x + 4)//4 == x//4 + 1", division="trunc"), "confirmed"),
    "open": (lambda: prove("x*x*x + y*y*y != z*z*z + 5", budget=Budget(work=1_000_000)), "partly"),
    "program": (lambda: prove("x(n,m).flip(0).flip(0) == x(n,m)"), "partly"),
    "premise": (lambda: weakest("(x % m) % k == x % k", about="k, m", assume="k > 0, m > 0"), "partly"),
    "same chains": (lambda: equivalent([parse("(2,3):(3,1)"), parse("(6)")], parse("(6)")), "confirmed"),
    "same large chains": (
        lambda: equivalent([parse("(2000,3000):(3000,1)"), parse("(6000000)")], parse("(6000000)")), "confirmed"),
    "other chains": (lambda: equivalent([parse("(2,3):(1,2)"), parse("(6)")], parse("(6)")), "confirmed"),
    "fewer views": (lambda: simplify(parse("(2,4):(1,2)"), parse("(2,4):(1,2)"), parse("(8)")), "confirmed"),
    "least views": (lambda: simplify(parse("(2,3):(1,2)"), parse("(6)")), "confirmed"),
    "exact guard": (lambda: conditions(parse("(4,6):(a,b)"), parse("(24)")).compare("a == 6*b"), "confirmed"),
    "strong guard": (lambda: conditions(parse("(4,6):(a,b)"), parse("(24)")).compare("a == 6 and b == 1"), "confirmed"),
    "weak guard": (lambda: conditions(parse("(4,6):(a,b)"), parse("(24)")).compare("a >= b"), "confirmed"),
}  # fmt: skip


@pytest.mark.parametrize("name", ANSWERS)
def test_other_answers(name, solver) -> None:
    answer, verdict = ANSWERS[name]
    found = check(answer().certificate(), solver)
    assert not found.wrong
    assert found.verdict in ("confirmed", verdict)


def test_a_counterexample_of_conditions_keeps_its_values(solver) -> None:
    answer = conditions(parse("(10,3,3):(a,b,c)"), parse("(s):(4)"))
    for broken in (answer.counterexample(), answer.counterexample({"s": 30, "a": 1, "b": 1, "c": 1})):
        assert check(certificate(broken, *answer.views), solver).verdict == "confirmed"


def test_a_merge_gives_its_question_again() -> None:
    with pytest.raises(InputError, match=r"certificate\(merge\(a, b\), a, b\)"):
        certificate(merge(View((2,)), View((2,))))


GOOD = certificate(View((4,), (4,)), View((10, 3, 3)), View((4,), (4,)))


def changed(path: str, to: object) -> str:
    document = json.loads(json.dumps(GOOD))
    *before, last = path.split(".")
    at = document
    for key in before:
        at = at[int(key) if key.isdigit() else key]
    at[int(last) if last.isdigit() else last] = to
    return json.dumps(document)


BAD = {
    "nothing": "",
    "no JSON": "hello",
    "a list": "[]",
    "no certificate": "{}",
    "another format": changed("format", "certificate"),
    "an earlier version": changed("version", 5),
    "a later version": changed("version", 7),
    "version true": changed("version", True),
    "another kind": changed("claim.kind", "poem"),
    "cut off": json.dumps(GOOD)[:-20],
    "no claim": changed("claim", None),
    "a claim that is a list": changed("claim", []),
    "no evidence": changed("evidence", None),
    "no views": changed("claim.views", []),
    "a view that is a text": changed("claim.views.0", "(2,3)"),
    "a size that is a text": changed("claim.views.0.shape.0", "n"),
    "a size that is true": changed("claim.views.0.shape.0", True),
    "a size of a decimal": changed("claim.views.0.shape.0", 2.5),
    "a size of a million digits": json.dumps(GOOD).replace("10", "1" + "0" * 1_000_000, 1),
    "infinity": json.dumps(GOOD).replace("10", "Infinity", 1),
    "an exponent": json.dumps(GOOD).replace("10", "1e400", 1),
    "an unknown operator": changed("claim.views.0.shape.0", ["__import__", "os"]),
    "nested 10,000 deep": changed("claim.views.0.shape.0", 0).replace("[0, 3", "[" + '["neg",' * 10_000, 1),
    "closed too often": "]" * 10_000,
    "a key twice": '{"format": "symview certificate", "format": "symview certificate"}',
    "fewer strides than sizes": changed("claim.views.0.strides", [1]),
    "no mask": changed("claim.views.0.mask", [[0, 1]]),
    "no answer": changed("claim.view", None),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_certificate_is_an_error(name, solver) -> None:
    with pytest.raises(BadCertificate):
        verify(BAD[name], solver)


def test_the_checker_loads_nothing_of_the_engine(tmp_path) -> None:
    program = """
import json, sys
from symview.verify import Solver, verify
with Solver("cvc5") as solver:
    print(verify(sys.stdin.read(), solver).verdict)
print(*sorted(m for m in sys.modules if m.split(".")[0] in ("z3", "sympy", "islpy", "cvc5")))
"""
    run = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(GOOD), capture_output=True, text=True, check=True,
        env={**os.environ},
    )  # fmt: skip
    assert run.stdout.split() == ["confirmed"]


def test_the_command(tmp_path) -> None:
    files = {}
    for name, text in {
        "good": json.dumps(GOOD), "bad": "{}", "wrong": changed("claim.view.strides.0", 5),
    }.items():  # fmt: skip
        files[name] = tmp_path / f"{name}.json"
        files[name].write_text(text, encoding="utf-8")
    codes = {"good": 0, "wrong": 1, "bad": 2}
    for name, code in codes.items():
        run = typed(["verify", str(files[name])])
        assert (run.exit_code, run.stderr) == (code, "")
    everything = ["verify", "--json", *map(str, files.values())]
    answer = schema.read(typed(everything).stdout)
    assert answer["counts"] == {"confirmed": 1, "refuted": 1, "vacuous": 0, "bad": 1, "partly": 0}
    assert typed([*everything, "--solver", "/no/such"]).exit_code == 2


BITS = {
    "(x ^ y) ^ y == x": "0 <= x < 64 and 0 <= y < 64",
    "x | y == x + y - (x & y)": "0 <= x < 4 and 0 <= y < 4",
    "x << k == x*2**k": "0 <= k <= 8",
    "x ^ x == 0": "0 <= x < 65536",
}


@pytest.mark.parametrize("claim", BITS)
def test_bits_of_bounded_names_are_said_to_solvers(claim, solver) -> None:
    right = prove(claim, BITS[claim]).certificate()
    assert check(right, solver).verdict == "confirmed"
    for wrong in (
        ["!=", *right["claim"]["claim"][1:]],
        ["==", ["+", 1, right["claim"]["claim"][1]], right["claim"]["claim"][2]],
    ):
        assert check(claiming(right, claim=wrong), solver).verdict == "refuted"


def test_bits_of_any_names_are_named_open(solver) -> None:
    found = check(prove("x | y >= x", "x >= 0 and y >= 0").certificate(), solver)
    assert found.open == ["the claim, for all integers (| of names is not a question for solvers)"]


@pytest.mark.parametrize("name", ["cvc5", "z3"])
def test_common_divisors_are_said_to_solvers(name) -> None:
    """A nonnegative divisor of both that is a sum of multiples of them."""
    cases = [
        ([">=", ["gcd", "a", "b"], 1], [[">=", "a", 1]], "confirmed"),
        (["==", ["gcd", "a", 0], "a"], [["<", "a", -50]], "refuted"),
        (["==", ["gcd", "a", "b"], 1], [[">", "a", 10], [">", "b", 100]], "refuted"),
    ]
    with Solver(name, 3.0) as solver:
        for claim, assume, verdict in cases:
            certificate = claimed("theorem", claim=claim, assume=assume, verdict="proved")
            assert check(certificate, solver).verdict == verdict, claim


def test_bounds_beyond_the_machine_s_words_are_confirmed(solver) -> None:
    found = prove("x // 2 * 2 + x % 2 == x", ["0 <= x", f"x < {2**70}"])
    assert check(found.certificate(), solver).verdict == "confirmed"


def test_smaller_values_are_walked_as_far_as_the_assumptions_let_them(solver) -> None:
    claim, before = ["or", ["!=", ["*", "x", "y"], 36], ["!=", "z", 7]], solver.questions
    question = {"claim": claim, "assume": [[">=", n, 0] for n in "xyz"]}
    for x, y, verdict in [(6, 6, "confirmed"), (4, 9, "refuted")]:
        answer = {"verdict": "refuted", "values": {"x": x, "y": y, "z": 7}, "sides": None, "smallest": True}
        assert check(claimed("theorem", question, answer), solver).verdict == verdict
    assert solver.questions == before


def test_a_size_worked_out_has_none_beside_it_that_is_0(solver) -> None:
    """Of no elements, -1 may be any size."""
    found = reshape_conditions(parse("(b,a,d,1):(1,t1,t3,t3)"), read_shape("(-1,d)"), assume=["b >= 0", "d >= 0"])
    certificate = found.certificate()
    assert check(certificate, solver).verdict == "confirmed"
    assert check(claiming(certificate, fits=certificate["claim"]["fits"][1]), solver).verdict == "refuted"


def test_what_is_no_certificate_is_said_once(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text('{"format": "another"}')
    said = typed(["verify", str(file)]).stdout
    assert said == f"{file}: not a certificate: \"format\" has to be 'symview certificate'\n"
