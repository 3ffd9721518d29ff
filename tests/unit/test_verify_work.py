"""The checker ends: what would take too long, or too much memory, is given up after a number of steps, and says so."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from claims import claimed

import symview
from symview.trusted.document import View as Strided
from symview.trusted.formulas import Unsupported, compiled, floor_sum, weight
from symview.trusted.linear import refutes
from symview.trusted.work import ENDLESS, TooMuchWork, Work
from symview.verify import BadCertificate, Limits, Report, Solver, verify
from symview.verify.kinds.maps import composed


def theorem(claim: Any, assume: Any = (), **more: Any) -> dict[str, Any]:
    return claimed("theorem", {"claim": claim, "assume": [*assume]}, more, verdict="proved")


def laid(shape: Any, strides: Any) -> dict[str, Any]:
    return {"shape": shape, "strides": strides, "offset": 0, "mask": None}


def within(names: Any, end: int) -> list[Any]:
    return [f for n in names for f in ([">=", n, 0], ["<", n, end])]


def nested(op: str, deep: int, first: Any, *leaf: Any) -> Any:
    return first if deep == 0 else [op, nested(op, deep - 1, first, *leaf), *leaf]


NAMES = [f"x{n}" for n in range(30)]
WIDE = ["+", *[["*", f"n{k}", f"m{k}"] for k in range(2000)]]
LONG = [laid([2, 3], [3, 1])] * 1000
BOXES = [laid([5, 7, 11, 13], [1001, 143, 13, 1])] * 200
SUM = ["floor_sum", ["+", 10**60, "x"], 10**59 + 7, 12345 * 10**50, "y"]
HOSTILE = {
    "an equivalence of equivalences": theorem(
        nested("<->", 18, ["==", "x", 0], ["==", "x", 1]), refutations={"0": []}),
    "a deep equivalence": theorem(nested("<->", 98, ["==", "x", 0], ["==", "x", 1]), refutations={"0": []}),
    "exclusive or": theorem([">=", nested("^", 40, "x", ["+", "y", 1]), 0], within("xy", 2**31)),
    "a product over a box": theorem([">=", ["//", ["*", *NAMES], 7], 0], within(NAMES, 50)),
    "sums of floors over a box": theorem(
        ["and", *[["!=", SUM, ["+", k, "z"]] for k in range(400)]], [*within("xy", 140), ["==", "z", 0]]),
    "a chain of views": claimed("merge", {"views": BOXES}, {"view": BOXES[0]}),
    "sums of one fact": theorem(
        ["==", "x", "y"], [["==", WIDE, 0]], refutations={"0": [["sum", [k + 2, 0]] for k in range(2000)]}),
    "names that are written out, of the claim and of a refutation": claimed(
        "merge", {"views": [laid([4, 4, 4], [16, 4, 1])] * 31}, {"view": laid([4, 4, 4], [16, 4, 1])},
        refutations=[[], []]),
    "facts beside many cases": claimed(
        "conditions", {"views": [laid([4], ["a"]), laid([2], [1])], "facts": [["!=", WIDE, 1]] * 10},
        {"cases": [{"where": ["==", "a", n], "status": "always", "equations": [], "view": laid([2], ["a"])}
                   for n in range(900)]}),
    "a lemma at a long expression": theorem(
        ["==", "x", "x"],
        by=[{"lemma": {"claim": ["or", *[["==", ["+", "y", k], k] for k in range(5000)], ["!=", "y", "y"]],
                       "assume": []}, "at": {"y": WIDE}}], refutations=[None, None, [], []]),
    "a fold from a long expression": theorem(
        ["==", "f", "f"], folds={"f": [["%", WIDE, 7], ["+", "f", 1]]},
        each=[["or", *[["!=", ["+", "f", k], ["+", k, "f"]] for k in range(5000)]]]),
    "many pairs of dims": claimed(
        "stride_conditions",
        {"view": laid(["n"] * 900, ["s"] * 900), "property": "injective", "facts": [], "steps": []},
        {"cases": [{"where": True, "status": "never", "equations": []}]}),
    "many cases": claimed(
        "conditions", {"views": [laid([4], ["a"]), laid([2], [1])], "facts": []},
        {"cases": [{"where": ["==", "a", n], "status": "always", "equations": [], "view": laid([2], ["a"])}
                   for n in range(1000)]}),
    "a long chain in many cases": claimed(
        "conditions", {"views": LONG, "facts": [[">=", "a", 0]]},
        {"cases": [{"where": ["==", "a", n], "status": "undecided", "equations": [], "view": None}
                   for n in range(1000)]}),
    "many witnesses": claimed(
        "premise", {"claim": ["or", *[["==", "x", n] for n in range(2000)]], "assume": [], "about": []},
        {"condition": False, "directions": "both",
         "witnesses": [{"x": n} for n in range(999)]}),
    "many pieces": claimed(
        "rule", {"instances": [{side: {"tensor": "x", "shape": ["n"], "steps": [
            ["concat", {"tensor": "x", "shape": ["n"], "steps": [["pad", 1, 1]] * 9}, 0]] * 900}
            for side in ("left", "right")} | {"assume": [], "more": False}], "parts": False},
        {"verdict": "proved"}),
}  # fmt: skip
ENDS = {  # which would not have ended, or not without an error, and are settled now
    "views of two dims": claimed("merge", {"views": LONG}, {"view": LONG[0]}),
    "an empty box of many indices": claimed(
        "merge", {"views": [laid([4], [1]), laid([0, 10**12], [1, 0])]}, {"view": laid([0, 10**12], [1, 0])}),
    "a floor_sum of many terms": theorem(
        ["<=", ["floor_sum", 10**15, 10**9 + 7, 12345, "x"], 10**30], within("x", 10_000)),
}  # fmt: skip


def found_in(document: Any, limits: Limits | None = None) -> Report:
    with Solver("cvc5") as solver:
        return verify(json.dumps(document), solver, limits)


@pytest.mark.sampled
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_end(name) -> None:
    """Given up within the limits, as what is left open: neither confirmed nor refuted nor claimed."""
    limits = Limits(steps=Limits().steps // 8)
    found = found_in(HOSTILE[name], limits)
    assert (found.verdict, found.open) == ("partly", ["too much work"])
    assert (found.wrong, found.vacuous, found.claim) == ([], [], [])
    assert found.work.steps > limits.steps or found.work.terms > limits.terms


@pytest.mark.sampled
@pytest.mark.parametrize("name", ENDS)
def test_files_that_end_now_are_settled(name) -> None:
    found = found_in(ENDS[name])
    assert (found.verdict, found.open) == ("confirmed", [])


LIMITED = """
import resource, subprocess, sys
resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
code = subprocess.run([sys.executable, "-m", "symview", "verify", sys.argv[1]]).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, sep="\\n")
"""  # a process of its own, since one that is forked counts the memory of the one that forks it


@pytest.mark.dear
def test_the_command_ends_too(tmp_path) -> None:
    """In 500 MB and thirty seconds of CPU time, on a machine that may be slow: with code 3, and no claim."""
    files = ("a deep equivalence", "a product over a box", "sums of one fact")
    for n, name in enumerate(files):
        (tmp_path / f"{n}.json").write_text(json.dumps(HOSTILE[name]))

    for n, name in enumerate(files):
        run = subprocess.run([sys.executable, "-c", LIMITED, f"{n}.json"], cwd=tmp_path,
                             capture_output=True, text=True, check=False)  # fmt: skip
        printed, code, most = run.stdout.splitlines()
        assert (printed, code) == (f"{n}.json: not confirmed: too much work", "3"), name
        assert int(most) < 500_000 or sys.platform != "linux"


@pytest.mark.parametrize("text", ["[" * 10**5, '{"a":' * 10**5, '{"format": ' + "[" * 900 + "]" * 900 + "}"])
def test_what_is_nested_deep_is_no_certificate(text) -> None:
    with Solver("cvc5", 60.0, work=20_000) as solver, pytest.raises(BadCertificate):
        verify(text, solver)


@pytest.mark.parametrize("deep", [90, 200, 400, 800])
@pytest.mark.parametrize("key", ["refutations", "note"])
def test_what_is_not_read_may_be_nested(deep, key) -> None:
    """What nobody reads is named, or the file is not a certificate; there is no traceback."""
    document = theorem(["==", "x", "x"])
    inner: Any = []
    for _ in range(deep):
        inner = [inner]
    document[key] = {"7": inner}
    found = None
    with suppress(BadCertificate):
        found = found_in(document)
    assert found is None or found.verdict == "partly"


def test_numbers_of_too_many_bits_have_no_value() -> None:
    """Powers, shifts, products and sums of floors: they are not computed, and so nothing is confirmed."""
    product = 10**390
    for tree in (
        ("**", "x", 10**9), ("<<", 1, 10**9), ("**", ("**", ("**", "x", 60), 60), 60), ("*", *["y"] * 20),
        ("floor_sum", "y", "y", "y", "y"),
    ):  # fmt: skip
        with pytest.raises(Unsupported):
            compiled(tree)({"x": 7, "y": product})
    for claim in ([">=", ["**", "x", 10**9], 0], ["==", ["%", ["<<", 1, 10**300], 2], 0], ["==", ["**", 2, 10**9], 0]):
        assert found_in(theorem(claim, within("x", 3))).verdict == "partly", claim
    text = json.dumps(theorem(["==", "x", "x"])).replace('"x"]', "1" + "0" * 500 + "]")
    with Solver("cvc5", 60.0, work=20_000) as solver, pytest.raises(BadCertificate, match="digits"):
        verify(text, solver)


def test_a_number_that_is_not_computed_is_not_0() -> None:
    """Between two views an address may be too long to be computed: it is out of bounds, and not 0."""
    far = laid([2], [["**", 2, 5000]])
    question = {"views": [laid(["n"], [1]), laid([2], [["**", 2, 4990]]), laid([2], [1])], "facts": within("n", 9)}
    views = [Strided(("n",), (1,), 0), Strided((2,), (("**", 2, 4990),), 0), Strided((2,), (1,), 0)]
    assert composed(views, ["#0"], Work()).lets
    for given in (question, {**question, "views": [laid(["n"], [1]), far, laid([2], [1])]}):
        document = claimed("conditions", given, {"cases": [
            {"where": True, "status": "always", "equations": [], "view": laid([2], [0])}]})  # fmt: skip
        assert found_in(document).verdict != "confirmed"


def test_floor_sums_are_sums_of_floors() -> None:
    for n in range(-1, 7):
        for m in (*range(-4, 0), *range(1, 5)):
            for a in range(-5, 6):
                for b in range(-5, 6):
                    assert floor_sum(n, m, a, b) == sum((b + i * a) // m for i in range(n))
    with pytest.raises(ZeroDivisionError):
        floor_sum(1, 0, 1, 1)


def test_one_counter_counts_all() -> None:
    """Steps, terms that are kept, polynomials, and the time of a solver."""
    work = Work(Limits(steps=1000, terms=50, second=100))
    work.waited(2.0)
    work.combine(3)
    work.keep(20)
    assert (work.steps, work.terms, work.seconds()) == (384, 20, 6.16)
    with pytest.raises(TooMuchWork):
        work.keep(31)
    with pytest.raises(TooMuchWork):
        work.waited(10.0)
    twice = ("+", "x", "x")
    for _ in range(300):
        twice = ("+", twice, twice)
    assert weight(twice) == 2**302 - 1


COUNTED = (*(f"trusted/{name}" for name in ("document", "formulas", "linear", "work")),
           *(f"verify/{name}" for name in ("bounds", "derive", "natural", "obligations", "smtlib", "solvers")),
           *(f"verify/kinds/{name}" for name in ("cases", "chains", "conditions", "layout_conditions", "layouts",
                                                "maps", "overlaps", "programs", "strides", "theorems")))  # fmt: skip
LOOPS, COUNTS = {"range", "product", "permutations", "combinations"}, {"over", "spend", "combine", "keep", "count"}
UNCOUNTED = {
    "floor_sum": "Euclid's algorithm on numbers of limited length, which `weight` counts as 100 operators",
    "names": "it visits each node of its trees once",
    "spans": "it makes ranges, and walks through none",
    "without_refuting": "it passes on what is counted where it is decided",
    "complements": "the orders of at most three strides, unless these are numbers",
    "as_modes": "the choices of at most four modes of a complement",
    "_opened": "the binders of one statement",
}


def is_of_lists(node: ast.AST) -> bool:
    """Whether the end of a range is the length of a list, or a constant."""
    if isinstance(node, ast.NamedExpr):
        return is_of_lists(node.value)
    if isinstance(node, ast.BinOp):
        return is_of_lists(node.left) and is_of_lists(node.right)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.func.id == "len"
    constant = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(constant, ast.Constant) or (isinstance(constant, ast.Name) and constant.id.isupper())


def loops_of(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """What a function walks through beside lists, unless it is as often as a constant says."""
    for node in ast.walk(function):
        if isinstance(node, ast.While):
            yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in LOOPS:
            yield from () if node.func.id == "range" and all(map(is_of_lists, node.args)) else (node,)


def uncounted(source: str) -> set[str]:
    """The functions with such loops that count nothing."""
    functions = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return {
        f.name
        for f in functions
        if any(loops_of(f))
        and not any(isinstance(n, ast.Call) and getattr(n.func, "attr", "") in COUNTS for n in ast.walk(f))
    }


def test_every_loop_is_counted() -> None:
    """All but those that are named, with why they end."""
    root = Path(symview.__file__).parent
    found = {name for path in COUNTED for name in uncounted((root / f"{path}.py").read_text(encoding="utf-8"))}
    assert found == UNCOUNTED.keys()
    forgot = "def f(n, work):\n for k in {0}: pass\n"
    assert uncounted(forgot.format("range(n)")) == uncounted("def f(n):\n while n: n -= 1") == {"f"}
    assert uncounted(forgot.format("product(n, n)")) == {"f"}
    for ends in ("work.over(range(n))", "range(-3, 9)", "range(1, len(n) - 1)"):
        assert uncounted(forgot.format(ends)) == set()


def test_a_loop_counts_its_turns() -> None:
    work = Work(Limits(steps=30))
    assert list(work.over("abc", 5)) == ["a", "b", "c"]
    with pytest.raises(TooMuchWork):
        list(work.over(range(10**12), 5))
    assert work.steps == 35


def test_refutations_are_counted() -> None:
    f: Any = ("==", "x", 0)
    for _ in range(12):
        f = ("<->", f, f)
    with pytest.raises(TooMuchWork):
        refutes([], f, work=Work(Limits(steps=10_000)))
    assert not refutes([], f[1][1][1][1][1], work=Work(ENDLESS))
