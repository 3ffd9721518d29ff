"""Certificates changed field by field: whatever changes what is claimed is not confirmed, and what is false is refuted.

What conditions mean is told by values: the case that they are in, whether its equations hold, and the view there.
Other answers have a list of changes that only claim less. Of changed questions, those that are confirmed are asked
again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice, product
from random import Random
from typing import Any

import pytest
from claims import claimed
from oracle import decided

from symview import View, certificate, conditions, equivalent, merge, prove, reshape_conditions, simplify, weakest
from symview.errors import OutOfBounds
from symview.trusted.document import expression, formula
from symview.trusted.formulas import compiled, names
from symview.verify import BadCertificate, Solver, verify

parse = View.parse


def merged(*texts: str) -> dict[str, Any]:
    views = [parse(t) for t in texts]
    return certificate(merge(*views), *views)


def ask(outer: str, inner: str, **more: Any) -> dict[str, Any]:
    return conditions(parse(outer), parse(inner), **more).certificate()


def guarded(guard: str) -> dict[str, Any]:
    return conditions(parse("(10,3,3):(a,b,c)"), parse("(4):(4)")).compare(guard).certificate()


CERTIFICATES = {
    "view": lambda: merged("(10,3,3):(9,3,1)+2", "(4,2):(4,1)+1"),
    "masked view": lambda: merged("(4,4):(4,1)+1 [0:3,0:4]", "(2,4):(8,1)+3"),
    "counterexample": lambda: merged("(10,3,3):(1,1,1)", "(4,2):(4,1)"),
    "no box": lambda: merged("(3,3):(3,1) [0:2,0:2]", "(9):(1)"),
    "conditions": lambda: ask("(10,3,3):(a,b,c)", "(4):(4)"),
    "two equations": lambda: ask("(10,3,3):(a,b,c)+o", "(6,2):(4,1)"),
    "never": lambda: ask("(2,2):(1,3*a)", "(3):(1)"),
    "sizes": lambda: ask("(10,3,3):(a,b,c)", "(s):(4)"),
    "inner stride": lambda: ask("(6,4):(a,b)", "(3):(t)"),
    "reshape": lambda: reshape_conditions(parse("(a,b):(s,t)"), parse("(a*b)").shape).certificate(),
    "exact guard": lambda: guarded("a == 2*b + 3*c"),
    "strong guard": lambda: guarded("a == 3*b and b == 3*c"),
    "weak guard": lambda: guarded("a == a"),
    "proved": lambda: prove("(x + 3)//4*4 >= x and x % 6 // 3 < 2").certificate(),
    "refuted": lambda: prove("(x % m)//c == (x//c) % (m//c)", "x >= 0 and 0 < c <= m").certificate(),
    "premise": lambda: weakest("(x % m) % k == x % k", about="k, m", assume="k > 0, m > 0").certificate(),
    "same": lambda: equivalent([parse("(2,3):(3,1)"), parse("(6)")], parse("(6)")).certificate(),
    "different": lambda: equivalent([parse("(2,3):(1,2)"), parse("(6)")], parse("(6)")).certificate(),
    "simplified": lambda: simplify(parse("(2,2):(1,2)"), parse("(4)"), parse("(2,2)")).certificate(),
    "minimal": lambda: simplify(parse("(2,3):(1,2)"), parse("(6)")).certificate(),
}


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=600_000) as found:
        yield found


def mutations(at: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The document with one place changed: numbers by 1, words to others, entries dropped, doubled or exchanged."""
    if isinstance(at, bool):
        yield path, not at
    elif isinstance(at, int):
        yield from ((path, at + d) for d in (1, -1))
    elif isinstance(at, str):
        yield from ((path, w) for w in OTHERS.get(at, ()))
    elif isinstance(at, list):
        for n, part in enumerate(at):
            yield f"{path}/-{n}", at[:n] + at[n + 1 :]
            for name, to in mutations(part, f"{path}/{n}"):
                yield name, [*at[:n], to, *at[n + 1 :]]
            for m in range(n):
                if at[m] != at[n]:
                    yield f"{path}/{m}<>{n}", [at[n] if k == m else at[m] if k == n else x for k, x in enumerate(at)]
    elif isinstance(at, dict):
        for key in at:
            for name, to in mutations(at[key], f"{path}/{key}"):
                yield name, {**at, key: to}
            if at[key] is not None:
                yield f"{path}/{key}:=null", {**at, key: None}


OTHERS = {
    "==": ("!=", "<="), "<=": ("<", "=="), ">=": (">", "=="), "<": ("<=",), ">": (">=",), "+": ("-", "*"), "*": ("+",),
    "//": ("%",), "%": ("//",), "and": ("or",), "or": ("and",), "->": ("and",), "a": ("b",), "b": ("c", "a"),
    "c": ("b",),
    "s": ("t",), "t": ("s",), "x": ("m",), "m": ("k", "x"), "k": ("m",),
    "always": ("never", "out_of_bounds", "when"), "when": ("always", "never", "out_of_bounds"),
    "never": ("always", "out_of_bounds"), "out_of_bounds": ("never", "always"),
    "addresses disagree": ("out of bounds", "valid and should not be"),
    "not valid and should be": ("valid and should not be", "addresses disagree"),
    "exact": ("too weak", "too strong"), "too weak": ("exact", "too strong"), "too strong": ("exact", "too weak"),
    "proved": ("refuted",), "refuted": ("proved",),
}  # fmt: skip


def verdict(document: Any, solver: Solver) -> tuple[str, list[str]]:
    try:
        found = verify(json.dumps(document), solver)
    except BadCertificate:
        return "bad", []
    return found.verdict, found.wrong


FREE = (0, 1, 2, 3, 5, 6, 9, -1)
NOT_SHOWN = ("exact guard", "premise", "reshape")
ANSWERED = {
    "verdict", "values", "sides", "smallest", "index", "same", "minimal", "view", "cases", "clauses", "condition",
    "directions", "layout",
}  # fmt: skip
CLAIMS_LESS = {
    "smallest", "smallest:=null", "sides:=null", "index:=null", "minimal", "minimal:=null",
}  # fmt: skip


def meaning(document: Any) -> list[Any]:
    """What the cases claim at some values of the names: random ones, and strides (9,3,1)·k, at which much merges."""
    question, cases = document["claim"], [Claimed(c) for c in document["claim"]["cases"]]
    facts, clauses = (
        [compiled(formula(f)) for f in of] for of in (question["facts"], document["claim"].get("clauses", ()))
    )
    order = sorted({n for v in question["views"] for x in (*v["shape"], *v["strides"], v["offset"])
                    for n in names(expression(x))})  # fmt: skip
    rng, found = Random(0), []
    for turn in range(600):
        at = {n: rng.choice(FREE) for n in order}
        at |= {n: rng.randint(-3, 30) for n in order if n in ("s", "t", "n")}
        if turn % 2:
            by = rng.choice((0, 1, 2))
            strides = rng.choice(((9, 3, 1), (5, 1, 1), (4, 1, 0), (6, 3, 0)))
            at |= {n: x * by for n, x in zip("abc", strides, strict=True) if n in at}
        if all(f(at) for f in facts):
            found.append(([c.told(at) for c in cases if c.where(at)], all(f(at) for f in clauses)))
    return found


@cache
def meaning_of(text: str) -> list[Any]:
    return meaning(json.loads(text))


class Claimed:
    """A case, read once."""

    def __init__(self, case: Any) -> None:
        self.where, self.status = compiled(formula(case["where"])), case["status"]
        self.equations = [compiled(formula(e)) for e in case["equations"]]
        v = case["view"]
        self.view = None if v is None else [
            compiled(expression(x)) for x in (*v["shape"], *v["strides"], v["offset"])
        ]  # fmt: skip
        self.mask = None if v is None else v["mask"]

    def told(self, at: Any) -> Any:
        hold = all(e(at) for e in self.equations)
        shown = None if self.view is None or self.status == "never" or not hold else [x(at) for x in self.view]
        return self.status, self.status == "never" or hold, shown, None if shown is None else self.mask


def means_the_same(name: str, path: str, before: Any, after: Any) -> bool:
    """Whether a changed answer claims what the first one does, or less."""
    last = path.rpartition("/")[2]
    if "cases" not in before["claim"]:
        if path.startswith("/values/") and name == "weak guard":  # `a == a`, at other values where it breaks
            at = after["claim"]["values"]
            return (
                {*map(type, at.values())} == {int}
                and len(at) == 3
                and not merge(parse("(10,3,3):({a},{b},{c})".format(**at)), parse("(4):(4)"))
            )
        if after["claim"]["kind"] == "merge" and after["claim"].get("index"):  # at which it breaks, too
            return decided.FALSE["merge"](after["claim"], Random(0)) is None
        return last in CLAIMS_LESS or (name == "premise" and path in SAME_PREMISES)
    try:
        return "indices" in path or last == "clauses:=null" or meaning_of(json.dumps(before)) == meaning(after)
    except (BadCertificate, KeyError, TypeError, ValueError, AttributeError, ZeroDivisionError):
        return False


SAME_PREMISES = (  # m % k <= 0, 0 == m % k, no claim, no evidence
    "/condition/0", "/condition/1<>2", "/condition:=null", "/witnesses/-0",
)  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", CERTIFICATES)
def test_whatever_changes_the_claim_is_not_confirmed(name, solver) -> None:
    before = CERTIFICATES[name]()
    assert verdict(before, solver)[0] in (("confirmed", "partly") if name in ("reshape", "premise") else ("confirmed",))
    counts = dict.fromkeys(("changed", "refuted", "bad", "partly"), 0)
    for path, answer in mutations({key: x for key, x in before["claim"].items() if key in ANSWERED}):
        after = {**before, "claim": {**before["claim"], **answer}}
        if means_the_same(name, path, before, after):
            continue
        said, why = verdict(after, solver)
        not_shown = said == "partly" and (name in NOT_SHOWN or path == "/verdict")  # the evidence is of something else
        assert said in ("refuted", "bad") or not_shown, (path, said)
        assert (said == "refuted") == bool(why)
        counts["changed"] += 1
        counts["partly" if not_shown else said] += 1
    assert counts["changed"] > 0
    assert counts["partly"] < counts["refuted"] + counts["bad"]


def dropped(document: Any, *path: Any) -> Any:
    copy = json.loads(json.dumps(document))
    at = copy
    for key in path[:-1]:
        at = at[key]
    del at[path[-1]]
    return copy


def test_what_to_smt2_did_not_notice_is_refuted(solver) -> None:
    """An equation dropped with its witness, wrong strides, a case dropped, the sizes of two cases exchanged."""
    before = CERTIFICATES["sizes"]()
    both = dropped(dropped(before, "claim", "cases", 2, "equations", 1), "evidence", "indices", 2)
    exchanged = json.loads(json.dumps(before))
    cases = exchanged["claim"]["cases"]
    cases[0]["where"], cases[1]["where"] = cases[1]["where"], cases[0]["where"]
    strides = json.loads(json.dumps(before))
    strides["claim"]["cases"][0]["view"]["strides"] = ["b"]
    for wrong in (both, exchanged, strides, *(dropped(before, "claim", "cases", n) for n in range(4))):
        assert verdict(wrong, solver)[0] == "refuted"


def test_changed_questions_that_are_confirmed_have_that_answer(solver) -> None:
    asked_again = 0
    for name in ("view", "masked view", "counterexample", "no box"):
        before = CERTIFICATES[name]()
        for path, views in mutations(before["claim"]["views"]):
            after = {**before["claim"], "views": views}
            if verdict({**before, "claim": after}, solver)[0] == "confirmed":
                given = [View(v["shape"], v["strides"], v["offset"], v["mask"]) for v in views]
                try:
                    again = certificate(merge(*given), *given)
                    assert again["claim"].get("view") == after.get("view"), path
                except OutOfBounds:
                    assert "index" in after, path
                asked_again += 1
    assert asked_again > 15


def test_changed_claims_that_are_confirmed_hold(solver) -> None:
    before, confirmed = CERTIFICATES["proved"](), 0
    for path, changed in mutations(before["claim"]):
        if verdict({**before, "claim": changed}, solver)[0] == "confirmed" and changed.get("verdict") == "proved":
            claim = formula(changed["claim"])
            holds = compiled(claim)
            for point in product(range(-14, 15), repeat=len(names(claim))):
                assert holds(dict(zip(names(claim), point, strict=True))), path
            confirmed += 1
    assert confirmed > 5


ODD = (None, True, "x", [], {}, -1, 10**390, ["neg", 1], ["==", 1, 1], [["//", 1, 0]], ["//", 1, 0], ["**", 2, 10**9])


def odd(at: Any) -> Iterator[Any]:
    """The document with one place replaced by something odd."""
    yield from ODD
    if isinstance(at, list):
        for n, part in enumerate(at):
            yield from ([*at[:n], to, *at[n + 1 :]] for to in odd(part))
    elif isinstance(at, dict):
        for key in at:
            yield from ({**at, key: to} for to in odd(at[key]))


@pytest.mark.parametrize("name", CERTIFICATES)
def test_odd_values_anywhere_are_no_traceback(name, step) -> None:
    """Every odd file is checked or refused; none needs more than a moment."""
    before = CERTIFICATES[name]()
    every = 1 if name == "counterexample" else step(5 if name == "exact guard" else 20)
    with Solver("cvc5", 60.0, work=30_000) as quick:
        for part in ("claim", "evidence"):
            for to in islice(odd(before[part]), 0, None, every):
                said, _ = verdict({**before, part: to}, quick)
                assert said in ("bad", "refuted", "vacuous", "partly", "confirmed")


def laid(shape: Any, strides: Any) -> dict[str, Any]:
    return {"shape": shape, "strides": strides, "offset": 0, "mask": None}


FLOORS = {"claim": ["==", ["*", ["//", "x", "k"], "k"], "x"], "assume": [[">", "k", 0]], "about": ["k"]}
PROVED = {"directions": "both"}
WRONG = {
    "a witness that has another k": claimed("premise", FLOORS, PROVED, condition=False, witnesses=[{"k": 2, "x": 1}]),
    "no condition where one is needed": claimed("premise", FLOORS, condition=True, witnesses=[], **PROVED),
    "a condition that is needed without a witness": claimed("premise", FLOORS, condition=False, witnesses=[], **PROVED),
    "a condition without a value": claimed(
        "premise", FLOORS, condition=["==", ["//", "k", 0], 0], witnesses=[{"x": 1}], **PROVED),
    "two dims with one stride": claimed(
        "stride_conditions",
        {"view": laid([2, 2], [5, 5]), "property": "injective", "facts": [],
         "steps": [["each", 0], ["far", 1]]},
        cases=[{"where": True, "status": "always", "equations": []}]),
    "a rule about nothing": claimed("rule", {"instances": [], "parts": False}, verdict="proved"),
    "a product, and a name that looks like it": claimed(
        "theorem", {"claim": [">=", "a*b", ["*", "a", "b"]], "assume": [[">=", ["*", "a", "b"], 0], [">=", "a*b", 0]]},
        verdict="proved"),
    "a right inverse that ends too early": claimed(
        "layout", {"operation": "right_inverse", "layouts": [{"size": 4, "stride": 1}]},
        layout={"size": 3, "stride": 1}),
    "a guard where a size has no value": claimed(
        "guard", {"view": laid([["//", "a", "b"]], [1]), "property": "dense", "flips": False, "facts": [],
                  "guard": ["==", "a", 0]},
        verdict="too weak", values={"a": 0, "b": 0}),
    "a guard of an injective view where a size has no value": claimed(
        "guard", {"view": laid([["//", "a", "b"], 2], [1, "a"]), "property": "injective", "facts": [], "steps": [],
                  "guard": ["==", "a", 0]},
        verdict="too weak", values={"a": 0, "b": 0}),
    "chains of other ranks": claimed(
        "chains", {"first": [laid([2], [1])], "second": [laid([2, 2], [2, 1])]},
        same=False, index=[0], sides=[0, 0], smallest=True),
    "a right inverse that stands in no mode": claimed(
        "layout", {"operation": "right_inverse", "layouts": [[]]}, layout={"size": 2, "stride": 1}),
    "a complement of many gaps": claimed(
        "layout", {"operation": "complement", "layouts": [[{"size": 2, "stride": 4**n} for n in range(30)]],
                   "bound": 4**31},
        layout=[{"size": 2, "stride": 2 * 4**n} for n in range(31)]),
    "a power of powers": claimed(
        "theorem", {"claim": ["==", ["**", ["**", ["**", ["**", "x", 60], 60], 60], 60], 0], "assume": []},
        verdict="proved"),
    "a thousand paddings": claimed(
        "rule", {"instances": [{side: {"tensor": "x", "shape": ["n"], "steps": [["pad", 1, 1]] * 1000}
                                for side in ("left", "right")} | {"assume": [], "more": False}], "parts": False},
        verdict="refuted", values={"n": 3}, index=[0], smallest=False),
    "more cases than are read": claimed(
        "conditions", {"views": [laid([4], ["a"]), laid([2], [1])], "facts": []},
        cases=[{"where": ["==", "a", n], "status": "always", "equations": [], "view": laid([2], ["a"])}
               for n in range(2000)]),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_not_confirmed(name, solver) -> None:
    assert verdict(WRONG[name], solver)[0] != "confirmed"
