"""What the checker counts, against the CPU time that it takes: at most a microsecond a step, and 0.05 seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from math import inf
from time import process_time
from typing import Any

from claims import claimed

from symview import certificate, conditions, dense_conditions, merge, prove, reshape_conditions, weakest
from symview.cute import Layout, coalesce_conditions
from symview.trusted.work import Limits
from symview.verify import Solver, verify

from .measure import Seconds, Table, median, timed

_SIZES = (1, 2, 4)  # times the usual size: what costs more than in proportion shows


class _Silent(Solver):
    """A solver that answers nothing, and takes no time."""

    def ask(self, script: Any, share: float = 1.0, most: float = inf) -> tuple[str, dict[str, int]]:
        return "silent", {}


def _laid(shape: Any, strides: Any) -> dict[str, Any]:
    return {"shape": shape, "strides": strides, "offset": 0, "mask": None}


def _theorem(claim: Any, *given: Any) -> dict[str, Any]:
    return claimed("theorem", {"claim": claim, "assume": list(given)}, {"verdict": "proved"})


def _boxed(n: int) -> dict[str, Any]:
    names = [f"x{k}" for k in range(n)]
    bounds = [f for x in names for f in ([">=", x, 0], ["<", x, 50])]
    return _theorem([">=", ["//", ["*", *names], 7], 0], *bounds)


def _witnessed(n: int) -> dict[str, Any]:
    claim = ["or", *[["==", "x", k] for k in range(n)]]
    answer = {"condition": False, "directions": "both", "witnesses": [{"x": k} for k in range(n)]}  # fmt: skip
    return claimed("premise", {"claim": claim, "assume": [], "about": []}, answer)


def _cases(n: int) -> dict[str, Any]:
    cases = [{"where": ["==", "a", k], "status": "always", "equations": [], "view": _laid([2], ["a"])}
             for k in range(n)]  # fmt: skip
    return claimed("conditions", {"views": [_laid([4], ["a"]), _laid([2], [1])], "facts": []}, {"cases": cases})


def _dims(n: int) -> dict[str, Any]:
    question = {"view": _laid(["n"] * n, ["s"] * n), "property": "injective", "facts": [], "steps": []}
    return claimed("stride_conditions", question, {"cases": [{"where": True, "status": "never", "equations": []}]})


def _padded(n: int) -> dict[str, Any]:
    side = {"tensor": "x", "shape": ["n"], "steps": [["pad", 1, 1]] * n}
    instance = {"left": side, "right": side, "assume": [], "more": False}
    return claimed("rule", {"instances": [instance], "parts": False}, {"verdict": "proved"})


def _views(n: int) -> dict[str, Any]:
    views = [_laid([5, 7, 11], [77, 11, 1])] * n
    return claimed("merge", {"views": views}, {"view": views[0]})


def _bits(n: int) -> dict[str, Any]:
    tree: Any = "x"
    for _ in range(n):
        tree = ["^", tree, ["+", "y", 1]]
    return _theorem([">=", tree, 0], *[f for x in "xy" for f in ([">=", x, 0], ["<", x, 2**31])])


def _quotients(n: int) -> dict[str, Any]:
    names = [f"x{k}" for k in range(n)]
    return _theorem(["<=", ["+", *[["//", x, 3] for x in names]], ["+", *names]], *[[">=", x, 0] for x in names])


def _summed(n: int) -> dict[str, Any]:
    fact = ["==", ["+", *[["*", f"n{k}", f"m{k}"] for k in range(n)]], 0]
    steps = [["sum", [k + 2, 0]] for k in range(n)]
    return _theorem(["==", "x", "y"], fact) | {"evidence": {"refutations": [steps]}}


def _lists(n: int) -> dict[str, Any]:
    lists = [{"folds": {f"f{k}": [0, ["+", f"f{k}", 1]]}, "each": [], "own": []} for k in range(n)]
    claims = [[">=", f"f{k}", 0] for k in range(n)]
    lemmas = [{"lemma": {"claim": f, "assume": [], **one}, "at": {}} for f, one in zip(claims, lists, strict=True)]
    question = {"claim": ["and", *claims], "assume": [], "lists": lists}
    return claimed("theorem", question, {"verdict": "proved"}, by=lemmas)


def _written_out(n: int) -> dict[str, Any]:
    """Digits of digits: written out, what is to be refuted doubles with each view."""
    one = _laid([4, 4, 4], [16, 4, 1])
    return claimed("merge", {"views": [one] * n}, {"view": one}, refutations=[[], []])


def _long_witness(n: int) -> dict[str, Any]:
    lemma = {"claim": ["or", *[["==", ["+", "y", k], k] for k in range(n)], ["!=", "y", "y"]], "assume": []}
    at = {"y": ["+", *[f"x{k % 50}" for k in range(n)]]}
    evidence = {"by": [{"lemma": lemma, "at": at}], "refutations": [None, None, []]}
    return _theorem(["==", "x", "x"]) | {"evidence": evidence}


def _facts(n: int) -> dict[str, Any]:
    document = _cases(n)
    document["claim"]["facts"] = [["!=", ["+", *[f"x{k % 50}" for k in range(10 * n)]], 1]]
    return document


def _chains(n: int) -> dict[str, Any]:
    one, other = _laid([4, 4, 4], [16, 4, 1]), _laid([4, 4, 4], [16, 4, 2])
    answer = {"same": False, "index": [0, 0, 1], "sides": [1, 2], "smallest": True}
    return claimed("chains", {"first": [one] * n, "second": [other]}, answer)


def _addresses(n: int) -> dict[str, Any]:
    cases = [{"where": ["==", "b", k], "status": "always", "equations": []} for k in range(n)]
    pair = [_laid([n], [1]), {**_laid([n], [1]), "offset": "b"}]
    return claimed("overlap", {"pair": pair, "facts": []}, {"cases": cases}) | {
        "evidence": {"indices": [[[k, 0]] for k in range(n)]}
    }


def _modes(n: int) -> list[dict[str, Any]]:
    return [{"size": 4, "stride": 4**k} for k in range(n)]


def _coalesced(n: int) -> dict[str, Any]:
    return claimed("layout", {"operation": "coalesce", "layouts": [_modes(n)]}, {"layout": {"size": 4**n, "stride": 1}})


def _divided(n: int) -> dict[str, Any]:
    parts = [[{"size": 2, "stride": 4**k}, {"size": 2, "stride": 2 * 4**k}] for k in range(n)]
    question = {"operation": "logical_divide", "layouts": [_modes(n), {"modes": [{"size": 2, "stride": 1}] * n}]}
    return claimed("layout", question, {"layout": parts, "parts": parts})


def _composed(n: int) -> dict[str, Any]:
    outer = [{"size": 4, "stride": f"a{k}"} for k in range(4)]
    question = {"operation": "composition", "layouts": [outer, {"size": n, "stride": 3}], "facts": []}
    never = {"where": True, "status": "never", "equations": [], "layout": None}
    return claimed("layout_conditions", question, {"cases": [never]})


def _guarded(n: int) -> dict[str, Any]:
    cases = [{"where": ["==", "a", k], "status": "when", "equations": [["==", "a", ["*", 2, "b"]]],
              "view": _laid([4], ["b"])} for k in range(n)]  # fmt: skip
    views = [_laid([2, 2], ["a", "b"]), _laid([4], [1])]
    guard = ["or", *[["==", ["//", "b", ["+", "a", k]], k] for k in range(n)]]
    return claimed("guard", {"views": views, "facts": [], "guard": guard}, {"verdict": "exact", "cases": cases})


def _reshaped(n: int) -> dict[str, Any]:
    side = {"tensor": "x", "shape": ["n", "m"], "steps": [["reshape", "m", "n"], ["permute", 1, 0]] * n}
    instance = {"left": side, "right": side, "assume": [], "more": False}
    return claimed("rule", {"instances": [instance], "parts": False}, {"verdict": "proved"})


FAMILIES: dict[str, tuple[int, Callable[[int], dict[str, Any]]]] = {
    "theorem: names in a box": (10, _boxed),
    "theorem: exclusive or": (3, _bits),
    "theorem: quotients": (50, _quotients),
    "theorem: a refutation": (200, _summed),
    "theorem: lists": (100, _lists),
    "theorem: a lemma at a long expression": (1000, _long_witness),
    "premise: witnesses": (100, _witnessed),
    "merge: views": (20, _views),
    "merge: a refutation": (8, _written_out),
    "chains: views": (20, _chains),
    "conditions: cases": (50, _cases),
    "conditions: cases and facts": (100, _facts),
    "guard: cases": (20, _guarded),
    "strides: dims": (50, _dims),
    "overlap: pairs": (50, _addresses),
    "layout: coalesced": (50, _coalesced),
    "layout: divided": (50, _divided),
    "layout conditions: a long inner layout": (500, _composed),
    "rule: pads": (100, _padded),
    "rule: reshapes": (4, _reshaped),
}
GENUINE: tuple[Callable[[], dict[str, Any]], ...] = (
    lambda: prove("(x//a)//b == x//(a*b)", "a >= 1, b >= 1").certificate(),
    lambda: weakest("x*a//b == x*(a//b)", about="a, b", assume="b >= 1").certificate(),
    lambda: prove("x(n,m).permute(1,0).permute(1,0) == x(n,m)").certificate(),
    lambda: certificate(merge("(10,3,3):(9,3,1)", "(4):(4)"), "(10,3,3):(9,3,1)", "(4):(4)"),
    lambda: conditions("(10,3,3):(a,b,c)", "(m,n):(3,1)").certificate(),
    lambda: reshape_conditions("(B,S,D):(t0,t1,1)", "(B*S,D)").certificate(),
    lambda: dense_conditions("(2,3):(a,b)").certificate(),
    lambda: coalesce_conditions(Layout.parse("(4,6):(a,b)")).certificate(),
)


def law(size: int) -> Table:
    """The families at sizes n, 2n and 4n of `size` in a hundred, and genuine certificates."""
    rows = [_row(name, [of(max(2, n * size * k // 100)) for k in _SIZES]) for name, (n, of) in FAMILIES.items()]
    rows.append(_row("genuine ones", [document() for document in GENUINE]))
    columns = ("certificates", "files", "steps of the last", "CPU of the last", "µs a step", "above the law")
    return Table("CPU time without solvers against counted steps: the law is 1 µs a step and 0.05 s", columns, rows)


def _row(name: str, documents: list[dict[str, Any]]) -> tuple[Any, ...]:
    found = [_checked(document) for document in documents]
    above = sum(cpu > Limits(steps).cpu() for steps, cpu in found)
    slowest = median([cpu / steps * 1e6 for steps, cpu in found])
    return name, len(found), found[-1][0], Seconds(found[-1][1]), f"{slowest:.2g}", above


def _checked(document: dict[str, Any]) -> tuple[int, float]:
    """The steps that were counted, and the CPU time."""
    text = json.dumps(document)
    with _Silent("z3") as solver:
        report, cpu = timed(verify, text, solver, clock=process_time)
    return report.work.steps, cpu
