"""Certificates that an adversary would write: false claims of every kind, none of which is confirmed."""

from __future__ import annotations

import json
from typing import Any

import pytest
from claims import claimed
from command import typed

from symview.verify import BadCertificate, Report, Solver, verify
from symview.verify.text import text_of


def laid(shape: Any, strides: Any, offset: Any = 0, mask: Any = None) -> dict[str, Any]:
    return {"shape": shape, "strides": strides, "offset": offset, "mask": mask}


def leaf(size: Any, stride: Any) -> dict[str, Any]:
    return {"size": size, "stride": stride}


def merge(views: Any, **answer: Any) -> dict[str, Any]:
    return claimed("merge", {"views": views}, answer)


def theorem(claim: Any, *assume: Any, refutations: Any = None, **question: Any) -> dict[str, Any]:
    more = {} if refutations is None else {"refutations": refutations}
    return claimed("theorem", {"claim": claim, "assume": [*assume], **question, **more}, verdict="proved")


def refuted(claim: Any, *assume: Any, **answer: Any) -> dict[str, Any]:
    return claimed(
        "theorem", {"claim": claim, "assume": [*assume]}, {"verdict": "refuted", "smallest": False, **answer}
    )


def case(where: Any, status: str, equations: Any = (), **found: Any) -> dict[str, Any]:
    return {"where": where, "status": status, "equations": [*equations], **found}


def conditions(views: Any, *cases: Any, facts: Any = (), **answer: Any) -> dict[str, Any]:
    return claimed("conditions", {"views": views, "facts": [*facts]}, {"cases": [*cases], **answer})


def layouts(operation: str, given: Any, *cases: Any, facts: Any = (), **question: Any) -> dict[str, Any]:
    question = {"operation": operation, "layouts": given, "facts": [*facts], **question}
    return claimed("layout_conditions", question, {"cases": [*cases]})


def strides(view: Any, of: str, *cases: Any, facts: Any = (), **question: Any) -> dict[str, Any]:
    question = {"view": view, "property": of, "facts": [*facts], **question}
    return claimed("stride_conditions", question, {"cases": [*cases]})


def guard(question: Any, says: Any, **answer: Any) -> dict[str, Any]:
    return claimed("guard", {"facts": [], **question, "guard": says}, answer)


def layout(operation: str, given: Any, found: Any, **more: Any) -> dict[str, Any]:
    bound = {"bound": more.pop("bound")} if "bound" in more else {}
    return claimed("layout", {"operation": operation, "layouts": given, **bound}, {"layout": found, **more})


def chains(first: Any, second: Any, **answer: Any) -> dict[str, Any]:
    return claimed("chains", {"first": first, "second": second}, answer)


def program(shape: Any, *steps: Any, tensor: str = "x") -> dict[str, Any]:
    return {"tensor": tensor, "shape": shape, "steps": [*steps]}


def rule(left: Any, right: Any, *assume: Any, more: bool = False, **answer: Any) -> dict[str, Any]:
    one = {"left": left, "right": right, "assume": [*assume], "more": more}
    return claimed("rule", {"instances": [one], "parts": False}, answer or {"verdict": "proved"})


def premise(claim: Any, condition: Any, witnesses: Any, about: Any, *assume: Any, **more: Any) -> dict[str, Any]:
    question = {"claim": claim, "assume": [*assume], "about": about}
    answer = {"condition": condition, "witnesses": witnesses, "directions": "both"}
    return claimed("premise", question, answer, more)


def overlap(pair: Any, *cases: Any, facts: Any = (), **answer: Any) -> dict[str, Any]:
    return claimed("overlap", {"pair": pair, "facts": [*facts]}, {"cases": [*cases], **answer})


def within(name: str, low: int, high: int) -> list[Any]:
    return [[">=", name, low], ["<", name, high]]


NO = case(True, "never")
YES = case(True, "always")
FAR = ["**", "a", 5000]  # a number that is not computed
TWO, SIX = [laid([2, 3], [3, 1]), laid([6], [1])], laid([6], [1])
AB = [laid([2, 2], ["a", "b"]), laid([4], [1])]
DENSE = {"view": laid([2, 3], ["a", "b"]), "property": "dense", "flips": False}
SUM = ["==", ["+", "f", 1], "f"]
FOLD = {"f": [0, ["+", "f", "d"]]}


FORGED = {
    "merge": {
        "a view that is none": merge([laid([2, 2], [5, 1]), laid([4], [1])], view=laid([4], [1])),
        "a size below 0": merge([laid([-2], [1]), laid([1], [1])], view=laid([1], [1])),
        "true as a size": merge([laid([2], [1]), laid([True], [1])], view=laid([1], [1])),
        "another shape": merge(TWO, view=laid([3], [1])),
        "a mask beyond the size": merge(TWO, view=laid([6], [1], 0, [[0, 7]])),
        "an index outside of the box": merge(TWO, index=[6]),
        "an index below 0": merge(TWO, index=[-1]),
        "an index of another rank": merge(TWO, index=[]),
        "an index at which it does not break": merge([laid([2, 4], [9, 1]), laid([8], [1])], index=[3]),
        "no index at which two views break": merge(TWO, index=[5]),
        "out of bounds behind a mask": merge([laid([4], [1]), laid([9], [1], 0, [[0, 4]])], index=[8]),
        "a break in an empty box": merge([laid([2], [1]), laid([0], [1])], index=[0]),
        "a break beyond a mask that is wide": merge([laid([10**5], [1]), laid([10**5], [1], 0, [[0, 10**5 - 9]])],
                                                    index=[10**5 - 2]),
    },
    "conditions": {
        "no case": conditions(AB),
        "never, where it merges": conditions(AB, case(True, "never", view=None)),
        "always, where it does not": conditions(AB, case(True, "always", view=laid([4], ["b"]))),
        "an equation too many": conditions(
            AB, case(True, "when", [["==", "a", ["*", 2, "b"]], ["==", "b", 1]], view=laid([4], ["b"]))),
        "an equation too few": conditions(
            [laid([2, 2, 2], ["a", "b", "c"]), laid([8], [1])],
            case(True, "when", [["==", "a", ["*", 2, "b"]]], view=laid([8], ["c"]))),
        "cases that do not cover": conditions(
            AB, case(["<", "a", 0], "when", [["==", "a", ["*", 2, "b"]]], view=laid([4], ["b"]))),
        "cases that meet": conditions(
            AB, case(True, "when", [["==", "a", ["*", 2, "b"]]], view=laid([4], ["b"])),
            case(["==", "a", 7], "never", view=None)),
        "a name of the case alone": conditions(
            AB, case(["==", "z", 0], "when", [["==", "a", ["*", 2, "b"]]], view=laid([4], ["b"])),
            case(["!=", "z", 0], "never", view=None)),
        "facts that leave nothing": conditions(
            AB, case(True, "never", view=None), facts=[["<", "a", 0], [">", "a", 0]]),
        "a fact that divides by 0": conditions(
            AB, case(True, "never", view=None), facts=[["==", ["//", "a", 0], 1]]),
        "an index that shows nothing": conditions(AB, case(True, "never", view=None, indices=[[0], [1]])),
        "out of bounds, where it is not": conditions(AB, case(True, "out_of_bounds", view=None)),
        "clauses that say less": conditions(
            AB, case(True, "when", [["==", "a", ["*", 2, "b"]]], view=laid([4], ["b"])), clauses=[True]),
        "a way that is too long to be computed": conditions(
            [laid(["n"], [1]), laid([2], [["**", 2, 5000]]), laid([2], [1])],
            case(True, "always", view=laid([2], [0])), facts=within("n", 1, 9)),
    },
    "layout_conditions": {
        "coalesced with other values": layouts(
            "coalesce", [[leaf(2, "a"), leaf(2, "b")]], case(True, "always", layout=leaf(4, "a"))),
        "never, where there is one": layouts(
            "coalesce", [[leaf(2, "a"), leaf(2, "b")]], case(True, "never", layout=None)),
        "a composition that is none": layouts(
            "composition", [[leaf(4, "a"), leaf(6, "b")], leaf(6, 1)],
            case(True, "always", layout=leaf(6, "a"), parts=[leaf(6, "a")])),
        "a part that is not the answer": layouts(
            "composition", [[leaf(4, "a"), leaf(6, "b")], leaf(2, 1)],
            case(True, "always", layout=leaf(2, "b"), parts=[leaf(2, "a")])),
        "a complement that overlaps": layouts(
            "complement", [leaf(4, "a")], case(True, "always", layout=leaf(6, 4)), bound=24),
        "an undeclared operation": layouts("transpose", [leaf(4, "a")], case(True, "always", layout=leaf(4, "a"))),
        "an undeclared status": layouts(
            "coalesce", [leaf(4, "a")], case(True, "out_of_bounds", layout=None)),
        "an inverse that is none": layouts(
            "right_inverse", [leaf(4, "a")], case(True, "always", layout=leaf(4, 1))),
    },
    "stride_conditions": {
        "dense, and is not": strides(laid([2, 3], ["a", "b"]), "dense", YES, flips=False),
        "never, where it can be": strides(laid([2, 3], ["a", "b"]), "dense", NO, flips=False),
        "an order without a dim": strides(laid([2, 3], ["a", "b"]), "contiguous", YES, order=[0]),
        "an order with a dim twice": strides(laid([2, 3], ["a", "b"]), "contiguous", YES, order=[0, 0]),
        "an order with a dim below 0": strides(laid([2, 3], ["a", 1]), "contiguous", YES, order=[-1, 0]),
        "joined dims that are not one": strides(
            laid([2, 3], ["a", "b"]), "injective", case(["!=", "a", 0], "always"), case(["==", "a", 0], "never"),
            steps=[["join", 0, 1]]),
        "a dim that is not far": strides(
            laid([2, 3], ["a", "b"]), "injective", case(["!=", "b", 0], "always"), case(["==", "b", 0], "never"),
            steps=[["far", 0]]),
        "a step about a dim that is gone": strides(
            laid([2, 3], ["a", "b"]), "injective", NO, steps=[["far", 0], ["far", 0]]),
        "an empty box that is not injective": strides(laid([0, 3], ["a", "a"]), "injective", NO, steps=[]),
        "an undeclared property": strides(laid([4], ["a"]), "bijective", YES),
        "sizes that cannot be": strides(laid([4], ["a"]), "dense", NO, flips=False, facts=[["!=", "a", "a"]]),
    },
    "guard": {
        "exact, and is too strong": guard(
            DENSE, ["and", ["==", "b", 1], ["==", "a", 3]], verdict="exact",
            cases=[case(["and", ["==", "b", 1], ["==", "a", 3]], "always"),
                   case(["not", ["and", ["==", "b", 1], ["==", "a", 3]]], "never")]),
        "too strong, where it holds": guard(DENSE, ["==", "b", 1], verdict="too strong", values={"a": 3, "b": 1}),
        "too weak, where it is right": guard(DENSE, ["==", "b", 1], verdict="too weak", values={"a": 3, "b": 1}),
        "too strong, where a power is not computed": guard(
            DENSE, ["and", ["==", "b", 1], ["==", FAR, FAR]], verdict="too strong", values={"a": 3, "b": 1}),
        "too strong, where it has no value": guard(
            DENSE, ["==", ["//", "a", ["-", "b", 1]], 3], verdict="too strong", values={"a": 3, "b": 1}),
        "a name too few": guard(DENSE, ["==", "b", 1], verdict="too weak", values={"a": 3}),
        "a name too many": guard(DENSE, ["==", "b", 1], verdict="too weak", values={"a": 4, "b": 1, "z": 0}),
        "values that the facts exclude": guard(
            {**DENSE, "facts": [["==", "a", 3]]}, ["==", "b", 1], verdict="too weak", values={"a": 4, "b": 1}),
        "an inverse of a stride that is not computed": guard(
            {"operation": "left_inverse", "layouts": [leaf(2, ["-", FAR, 1])]}, [">", "a", 1],
            verdict="too weak", values={"a": 2}),
        "strides that are not computed": guard(
            {"view": laid([2, 2], [FAR, FAR]), "property": "injective", "steps": []}, ["<", "a", 0],
            verdict="too strong", values={"a": 2}),
        "an undeclared verdict": guard(DENSE, ["==", "b", 1], verdict="right", values={"a": 3, "b": 1}),
    },
    "chains": {
        "the same, and are not": chains([laid([2, 3], [1, 2])], [laid([2, 3], [3, 1])], same=True),
        "of other shapes": chains([laid([6], [1])], [laid([2, 3], [3, 1])], same=True),
        "a difference at an equal index": chains(
            [SIX], [laid([6], [1])], same=False, index=[2], sides=[2, 2], smallest=False),
        "a difference outside": chains([SIX], [laid([6], [2])], same=False, index=[6], sides=[6, 12], smallest=False),
        "not the smallest difference": chains(
            [SIX], [laid([6], [2])], same=False, index=[2], sides=[2, 4], smallest=True),
        "true as an address": chains([SIX], [laid([6], [2])], same=False, index=[1], sides=[True, 2], smallest=False),
        "a mask that hides on one side": chains(
            [SIX], [laid([6], [1], 0, [[0, 5]])], same=True),
        "minimal, and is not": chains([*TWO], [*TWO], same=True, minimal=True),
        "an address that is not computed": chains(
            [laid([10**390] * 20, [1] * 20), laid([1], [1])], [laid([1], [1])],
            same=False, index=[0], sides=None, smallest=False),
    },
    "theorem": {
        "false": theorem(["==", "x", 1]),
        "assumptions that leave nothing": theorem(["==", 1, 2], ["<", "x", 0], [">", "x", 0]),
        "a claim that divides by 0": theorem(["==", ["//", "x", 0], ["//", "x", 0]]),
        "rounding of another rule": theorem(["==", ["//trunc", "x", 2], ["//", "x", 2]]),
        "a remainder of another rule": theorem([">=", ["%trunc", "x", 3], 0]),
        "an undeclared rounding": theorem(["==", ["//ceil", "x", 2], ["ceildiv", "x", 2]]),
        "a fraction": theorem(["==", ["*", 2, "x"], 1], ["==", ["*", 4, "x"], 2]),
        "a refutation of nothing": theorem(["==", "x", 1], refutations={"0": []}),
        "a fact with a number below 0": theorem(["==", "x", 1], refutations={"0": [["sum", [1, -1], [1, 0]]]}),
        "a fact that is true as a number": theorem(["<", "x", 1], refutations={"0": [["sum", [1, True]]]}),
        "a factor below 0": theorem(["<", "x", 1], [">=", "x", 1], refutations={"0": [["sum", [-1, 0], [-1, 1]]]}),
        "a factor with names": theorem(["<", "x", 1], refutations={"0": [["sum", ["x", 0]]]}),
        "a split that leaves one out": theorem(
            ["==", "x", 1], refutations={"0": [["split", 0, 0]]}),
        "a split about both that refutes none": theorem(
            ["==", "x", 1], refutations={"0": [["split", 0, 0, []]]}),
        "a split that is none of those": theorem(
            ["==", "x", 1], refutations={"0": [["split", 0, -1, []]]}),
        "an undeclared step": theorem(["==", "x", 1], refutations={"0": [["claim", ["==", 1, 2]]]}),
        "a lemma that is false": theorem(
            ["==", "x", 1], by=[{"lemma": {"claim": ["==", "x", 1], "assume": []}, "at": {}}]),
        "a lemma at values that it does not assume": theorem(
            [">=", "x", 1], by=[{"lemma": {"claim": [">=", "y", 1], "assume": [[">", "y", 0]]}, "at": {"y": "x"}}]),
        "a lemma about what has no value": theorem(
            ["==", 1, 2], by=[{"lemma": {"claim": ["==", ["%", "y", "z"], ["%", "y", "z"]], "assume": []},
                               "at": {"z": 0}}]),
        "a lemma about itself in other words": theorem(
            SUM, by=[{"lemma": {"claim": SUM, "assume": [], "folds": FOLD, "each": []}, "at": {}}]),
        "an induction without a base": theorem(["==", "f", 1], folds={"f": [0, "f"]}, each=[]),
        "an induction without a step": theorem(["==", "f", 0], folds=FOLD, each=[]),
        "an element of which nothing is left": theorem(
            ["==", "f", 0], folds=FOLD, each=[["==", "d", 0], ["==", "d", 1]]),
        "a fold with a first value of folds": theorem(["==", "f", 0], folds={"f": ["f", "f"]}, each=[]),
        "an element with the name of something else": theorem(
            [">=", "f", 0],
            by=[{"lemma": {"claim": [">=", "f", 0], "assume": [], "folds": FOLD, "each": [[">=", "d", 0]]}, "at": {}},
                {"lemma": {"claim": ["==", "d", "d"], "assume": []}, "at": {}}]),
        "values that do not refute": refuted([">=", ["*", "x", "x"], 0], values={"x": -1}, sides=[1, 0]),
        "values that are not allowed": refuted([">=", "x", 0], [">=", "x", 0], values={"x": -1}, sides=[-1, 0]),
        "values where something is divided by 0": refuted(
            ["==", ["%", "x", "y"], 0], values={"x": 1, "y": 0}, sides=[1, 0]),
        "other sides": refuted([">=", "x", 0], values={"x": -1}, sides=[0, 0]),
        "sides where nothing fails": refuted(
            ["->", ["!=", ["//", "c", ["//", 1, "c"]], 0], ["==", "b", 0]], values={"b": 0, "c": 0}, sides=[0, 0]),
        "true as a value": refuted(["<", "x", 1], values={"x": True}, sides=[1, 1]),
        "not the smallest": refuted([">=", "x", 0], values={"x": -2}, sides=[-2, 0], smallest=True),
        "an undeclared verdict": claimed("theorem", {"claim": ["==", 1, 1], "assume": []}, {"verdict": "sure"}),
        "a quotient that is not computed": theorem(
            ["==", ["//", ["**", "x", 5000], ["**", "x", 4999]], 0], *within("x", 2, 4)),
    },
    "rule": {
        "two tensors": rule(program(["n"]), program(["n"], tensor="y")),
        "another shape": rule(program(["n"]), program(["m"])),
        "two flips of one axis at once": rule(program(["n"], ["flip", 0, 0]), program(["n"], ["flip", 0])),
        "an axis twice": rule(program(["n", "n"], ["permute", 0, 0]), program(["n", "n"])),
        "an axis below 0": rule(program(["n"], ["flip", -1]), program(["n"], ["flip", 0])),
        "padding below 0": rule(program(["n"], ["pad", -1, 1]), program(["n"])),
        "a slice that reads backwards": rule(program([4], ["slice", 3, 0, -1]), program([4], ["flip", 0])),
        "a left side that never is": rule(program([2], ["reshape", 3]), program([3])),
        "another rank, where the left side never is": rule(
            program([2], ["reshape", 3]), program([2], ["reshape", 2, 1], ["reshape", 1, 2], ["expand", 1, 2])),
        "another rank, and not the smallest": rule(
            program(["n"]), program(["n"], ["reshape", "n", 1], ["expand", "n", 2]),
            ["<=", 0, "n"], verdict="refuted", values={"n": 1}, index=None, smallest=True),
        "any number of dims, and is reshaped": rule(
            program(["n", "m"], ["reshape", "m", "n"]), program(["m", "n"]), more=True),
        "refuted by sizes that do not refute": rule(
            program(["n"]), program(["n"]), verdict="refuted", values={"n": 2}, index=[0], smallest=False),
        "refuted by an index outside": rule(
            program(["n"]), program(["n"], ["flip", 0]), verdict="refuted", values={"n": 2}, index=[2], smallest=False),
        "refuted by what is not computed": rule(
            program(["n"]), program(["n"], ["pad", 0, ["**", "n", 5000]], ["slice", 0, "n", 1]),
            verdict="refuted", values={"n": 2}, index=[0], smallest=False),
        "refuted by a product that is not computed": rule(
            program(["n"] * 20), program(["n"] * 20, ["reshape", *["n"] * 20]),
            verdict="refuted", values={"n": 10**390}, index=None, smallest=False),
        "an undeclared verdict": rule(program(["n"]), program(["n"]), verdict="sure"),
    },
    "premise": {
        "not enough": premise(["==", ["%", "x", "k"], 0], True, [], ["k"], [">", "k", 0]),
        "not needed": premise(
            ["==", ["*", ["//", "x", "k"], "k"], "x"], ["==", "k", 1], [{"x": 1}], ["k"], ["!=", "k", 0]),
        "a witness that sets what it is about": premise(
            ["==", "x", ["*", "k", "x"]], ["==", "k", 1], [{"k": 2, "x": 1}], ["k"]),
        "a witness that divides by 0": premise(
            ["==", ["*", 0, "x"], "k"], False, [{"x": ["//", 1, ["*", 0, "k"]]}], ["k"]),
        "about a name that is none": premise(["==", "x", 0], ["==", "z", 0], [{"x": 1}], ["z"]),
        "assumptions that leave nothing": premise(["==", "x", "k"], True, [], ["k"], ["<", "x", 0], [">", "x", 0]),
        "a word for proved": premise(["==", "x", "k"], False, [{"x": ["+", "k", 1]}], ["k"], directions="yes"),
    },
    "layout": {
        "another value": layout("coalesce", [[leaf(2, 1), leaf(3, 2)]], leaf(6, 2)),
        "more values": layout("coalesce", [[leaf(2, 1), leaf(3, 2)]], leaf(12, 1)),
        "not coalesced": layout("coalesce", [[leaf(2, 1), leaf(3, 2)]], [leaf(2, 1), leaf(3, 2)]),
        "a size below 1": layout("coalesce", [leaf(0, 1)], leaf(0, 1)),
        "a complement that overlaps": layout("complement", [leaf(4, 1)], leaf(6, 2), bound=24),
        "a complement with a part too few": layout("complement", [leaf(4, 1)], leaf(5, 4), bound=24),
        "a left inverse that is none": layout("left_inverse", [leaf(4, 2)], leaf(8, 1)),
        "a composition without its part": layout(
            "composition", [leaf(8, 2), leaf(4, 2)], leaf(4, 4), parts=[]),
        "a composition with the wrong part": layout(
            "composition", [leaf(8, 2), leaf(4, 2)], leaf(4, 2), parts=[leaf(4, 2)]),
        "a composition nested otherwise": layout(
            "composition", [leaf(8, 2), leaf(4, 2)], [leaf(2, 4), leaf(2, 8)], parts=[[leaf(2, 4), leaf(2, 8)]]),
        "an undeclared operation": layout("reverse", [leaf(4, 1)], leaf(4, 1)),
    },
    "overlap": {
        "never, where they share one": overlap([laid([2], [1]), laid([2], [1], 1)], NO),
        "always, where they share none": overlap([laid([2], [2]), laid([2], [2], 1)], case(True, "always", indices=[])),
        "always, by an index outside": overlap(
            [laid([2], [2]), laid([2], [2], 4)], case(True, "always", indices=[[2, 0]])),
        "always, by an index that a mask hides": overlap(
            [laid([3], [2], 0, [[0, 2]]), laid([2], [2], 4)], case(True, "always", indices=[[2, 0]])),
        "always, by an index below 0": overlap(
            [laid([3], [2]), laid([2], [2], -4)], case(True, "always", indices=[[-2, 0]])),
        "always, where something is divided by 0": overlap(
            [laid(["n"], [1]), laid(["n"], [1])], case(True, "always", indices=[[["//", 0, "n"]] * 2]), facts=[]),
        "an index too few": overlap([laid([2], [1]), laid([2], [1])], case(True, "always", indices=[[0]])),
        "cases that do not cover": overlap([laid([2], [1]), laid([2], [1], "a")], case([">=", "a", 2], "never")),
        "never, one place too early": overlap(
            [laid([2], [1]), laid([2], [1], "a")], case([">=", "a", 1], "never"),
            case(["<", "a", 1], "always", indices=[[0, 0]]), facts=[[">=", "a", 0]]),
        "clauses that say less": overlap([laid([2], [1]), laid([2], [1], 2)], NO, clauses=[True]),
        "when they share one": overlap(
            [laid([2], [1]), laid([2], [1], "a")], case(True, "when", [["==", "a", 0]], indices=[[0, 0]])),
        "three views": overlap([laid([2], [1])] * 3, case(True, "always", indices=[[0, 0]])),
        "facts that leave nothing": overlap([SIX, SIX], NO, facts=[["==", 1, 2]]),
        "a sum that is not computed": overlap([SIX, laid([6], [1], FAR)], NO, facts=[[">=", "a", 2]]),
    },
    "another kind": {"undeclared": claimed("proof", {"claim": False}, {"verdict": "proved"})},
}  # fmt: skip


NEVER = [laid([2, 2], [5, 1]), laid([4], [1])]  # which is no view
BEYOND = [laid([4], [1]), laid([10], [1]), laid([2], [1])]  # the second one leads out of the first, where none follows
OUT = case(True, "out_of_bounds", view=None)
DIV = ["*", 0, ["//", 1, "k"]]  # 0, where k is not 0
STEPS = {"s": [0, ["+", "s", "p"]]}
FIXED = {"claim": ["==", ["%", "s", "p"], 0], "assume": [["!=", "p", 0]], "folds": STEPS, "each": [], "own": []}
LONGER = {"folds": {**STEPS, "p": [1, ["*", 2, "p"]]}, "each": [], "own": []}
EACH = {"folds": {"s": [0, ["+", "s", "k"]], "n": [0, ["+", "n", 1]]}, "each": [], "own": ["k"]}
READ = {  # by an adversary who has read the checker: what one part of it leaves to another
    "merge": {
        "where it is none, behind a key that the kind does not have": merge(NEVER, view=laid([4], [1]), fits=False),
        "an index behind a hole that a mask does not make": merge(
            [laid([10**5], [1]), laid([10**5], [1], 0, [[7, 10**5 - 9]])], index=[9]),
        "an index before the first valid one": merge([laid([9, 9], [9, 1]), laid([9, 9], [9, 1], 0, [[3, 5], [2, 4]])],
                                                     index=[3, 1]),
        "an index beside a mask, as one that is missing": merge(
            [laid([9, 9], [9, 1]), laid([9, 9], [9, 1], 0, [[3, 5], [2, 4]])], index=[5, 2]),
    },
    "conditions": {
        "sizes that fit where that has a value": conditions(
            [laid(["k"], [1]), laid(["k"], [1])], case(True, "always", view=laid(["k"], [1])), fits=["==", DIV, 0],
            facts=[["==", "k", 0]]),
        "a mask beyond the size": conditions(
            [laid(["n"], ["a"]), laid(["n"], [1])],
            case(True, "always", view=laid(["n"], ["a"], 0, [[0, 9]])), facts=[["==", "n", 4]]),
        "a mask beyond a size that is computed": conditions(
            [laid(["n"], ["a"]), laid(["n"], [1])],
            case(True, "always", view=laid([4], ["a"], 0, [[0, ["+", 4, 5]]])), facts=[["==", "n", 4]]),
        "a mask that begins below 0": conditions(
            [laid(["n"], ["a"]), laid(["n"], [1])],
            case(True, "always", view=laid(["n"], ["a"], 0, [[["neg", 1], "n"]])), facts=[["==", "n", 4]]),
        "evidence of another case": conditions(
            AB, case(["<", "a", 0], "never", view=None),
            case([">=", "a", 0], "when", [["==", "a", ["*", 2, "b"]]], view=laid([4], ["b"]), indices=[[2], [1]])),
        "an undecided case as the whole condition": conditions(
            AB, case(True, "undecided", [["==", "a", 0], ["==", "b", 0]], view=laid([4], [0])),
            clauses=[["==", "a", 0], ["==", "b", 0]]),
        "no view, by an index that the last view does not reach": conditions(BEYOND, OUT, clauses=[False]),
        "nothing outside, as far as the last view reaches": conditions(
            [laid([2, 2], [5, 1]), laid([10], [1]), laid([4], [1])], case(True, "never", view=None)),
    },
    "layout_conditions": {
        "sizes below 1": layouts(
            "coalesce", [[leaf("n", 1), leaf("m", "n")]], case(True, "always", layout=leaf(["*", "n", "m"], 1)),
            facts=[["<", "n", 0], ["<", "m", 0]]),
        "a composition without what it leaves out": layouts(
            "composition", [[leaf(4, "a"), leaf(6, "b")], leaf(2, 1)], case(["==", "a", 1], "always", layout=leaf(2, 1),
                                                                            parts=[leaf(2, 1)])),
        "a block whose copies have more modes": layouts(
            "raked_product", [[leaf(1, "b"), leaf(1, 1)], leaf(4, 2)],
            case(False, "always", layout=[[leaf(4, 2), leaf(1, "b")], [leaf(1, 0), leaf(1, 1)]],
                 parts=[[leaf(1, "b"), leaf(1, 1)]]), case(True, "never", layout=None)),
        "an inverse of a size below 0": layouts(
            "left_inverse", [leaf(4, 1)], case(True, "always", layout=leaf("n", 1)), facts=[["<", "n", 0]]),
        "coalesced into nothing": layouts("coalesce", [[leaf(3, "a"), leaf(2, ["*", 2, "a"])]],
                                          case(True, "always", layout=[])),
    },
    "stride_conditions": {
        "a mask that turns back": strides(
            laid([4], ["a"], 0, [["k", 0]]), "dense", case(["!=", "k", 1], "always"), case(["==", "k", 1], "never"),
            flips=False, facts=[["==", "k", 1]]),
        "steps that enumerate a size that is a name": strides(
            laid(["n", 3], [1, "n"]), "injective", YES, steps=[["each", 0]]),
        "dims that join in the other order": strides(
            laid([2, 3], [3, 1]), "contiguous", NO, order=[1, 0], steps=[["join", 0, 1]]),
    },
    "guard": {
        "exact, by cases of no case": guard(DENSE, True, verdict="exact", cases=[]),
        "exact, by cases that know no answer": guard(
            DENSE, False, verdict="exact", cases=[case(True, "undecided", [["==", "a", "a"]])]),
        "too weak, by an index where it is one view": guard(
            {"views": [laid([2, 2], ["a", "b"]), laid([4], [1])]}, True, verdict="too weak", values={"a": 2, "b": 1},
            index=[2]),
        "exact, by an index that the last view does not reach": guard(
            {"views": BEYOND}, False, verdict="exact", cases=[OUT]),
        "false, and too weak": guard(
            {"views": [laid(["n"], ["t"]), laid(["n"], [1])]}, False, verdict="too weak", values={"n": 2, "t": 1},
            index=[0]),
        "too strong, where the sizes do not fit": guard(
            {"views": [laid(["n"], ["a"]), laid([4], [1])], "fits": ["==", "n", 4]}, False, verdict="too strong",
            values={"n": 5, "a": 1}),
    },
    "chains": {
        "before an index that is none": chains(
            [SIX], [laid([6], [2])], same=False, index=[6], sides=None, smallest=True),
        "the same, with views of another question beside it": chains(
            [SIX], [laid([6], [2])], same=True, views=NEVER, facts=[]),
        "minimal, by a chain that is empty": chains(
            [*TWO], [laid([0, 3], [3, 1]), laid([0], [1])], same=True, minimal=True),
    },
    "theorem": {
        "a lemma for what is fixed, where it is a fold": claimed(
            "theorem", claim=["==", ["%", "s", "p"], 0], assume=[["!=", "p", 0]], verdict="proved", lists=[LONGER],
            by=[{"lemma": FIXED, "at": {}}]),
        "a lemma for what is fixed, where each element has its own": claimed(
            "theorem", claim=["->", ["==", "n", 2], ["==", ["%", "s", 2], 0]], assume=[], verdict="proved",
            lists=[EACH], by=[{"lemma": {"claim": ["==", "s", ["*", "n", "k"]], "assume": [], **EACH, "own": []},
                               "at": {}}]),
        "a list of another claim": claimed(
            "theorem", claim=["==", "s", 1], assume=[], verdict="proved", lists=[{**EACH, "each": [["==", "k", "s"]]}]),
        "views that never merge beside it": theorem(["==", "x", 1], views=NEVER, facts=[]),
    },
    "rule": {
        "refuted at sizes that are not assumed": rule(
            program(["n"]), program(["n"], ["flip", 0]), [">=", "n", 5], verdict="refuted", values={"n": 2}, index=[0],
            smallest=False),
        "an assumption without a value": rule(
            program(["k"]), program(["k"], ["flip", 0]), ["==", DIV, 0], verdict="refuted", values={"k": 0}, index=None,
            smallest=False),
        "any number of dims, none of which has an index": rule(
            program(["n", "m"], ["reshape", "n", "p"]), program(["n", "m"]), more=True),
        "any number of dims, two of which change places": rule(
            program(["n", "n"], ["permute", 0, 1]), program(["n", "n"], ["permute", 1, 0]), ["==", "n", 1], more=True),
    },
    "premise": {
        "needed, as far as views that never merge are one": premise(
            [">=", ["*", "x", "x"], ["*", 0, "k"]], False, [], ["k"], views=NEVER, facts=[]),
        "needed, by a witness of a value that is none": premise(
            ["!=", ["*", "x", DIV], 1], False, [{"x": DIV}], ["k"]),
        "about a name that the assumption fixes": premise(
            ["==", ["%", "x", "k"], 0], False, [{"x": 1}], ["k"], [">=", "k", 1]),
    },
    "layout": {
        "a size of 0 that is computed": layout("coalesce", [leaf(["-", 4, 4], 5)], leaf(["-", 4, 4], 77)),
        "a part of the other order": layout(
            "logical_divide", [leaf(8, 1), leaf(2, 4)], [leaf(4, 1), leaf(2, 4)], parts=[[leaf(4, 1), leaf(2, 4)]]),
        "an inverse of a size that is computed below 0": layout("right_inverse", [leaf(4, -1)], leaf(["neg", 4], 7)),
        "a left inverse of a size that is computed below 0": layout("left_inverse", [leaf(4, 1)], leaf(["neg", 4], 1)),
        "an inverse beyond the values": layout("left_inverse", [leaf(4, 2)], leaf(4, 1)),
        "cases beside it": layout("coalesce", [leaf(4, 1)], leaf(4, 1), cases=[]),
        "names that no case has": layout("coalesce", [leaf(4, "a")], leaf(4, "a"), facts=[["==", "a", 1]]),
    },
    "overlap": {
        "always, by a pair of another case": overlap(
            [laid([2], [1]), laid([2], [1], "a")], case(["<", "a", 2], "always", indices=[[1, 0]]),
            case([">=", "a", 2], "never"), facts=[[">=", "a", 0]]),
        "never, where a mask turns back": overlap([laid([4], [1], 0, [["k", 2]]), laid([4], [1])], NO,
                                                  facts=[["<=", "k", 1]]),
        "always, where there may be no index": overlap(
            [laid(["n"], [1]), laid(["n"], [1])], case(True, "always", indices=[[0, 0]]), facts=[[">=", "n", 0]]),
    },
}  # fmt: skip

EMPTY, ONE = laid([], [], 3), laid(["n"], [1])
AGAIN = {  # by another one, who has read it after the mends
    "merge": {
        "an empty view for one that is not": merge(
            [laid([4], [1]), laid([4], [1])], view={**laid([4], [1]), "mask": "empty"}),
        "a point outside": merge([laid([], [], 5), laid([], [], 1)], view=laid([], [], 5)),
        "a break at the only valid index": merge([laid([2, 2], [5, 1]), laid([4], [1], 0, [[1, 2]])], index=[1]),
    },
    "conditions": {
        "a mask of bounds that turn back": conditions(
            [laid([4], ["a"]), laid([4], [1])], case(True, "always", view=laid([4], ["a"], 0, [["a", ["-", 4, "a"]]]))),
        "an answer without a value somewhere": conditions(
            [laid([4], ["a"]), laid([4], [1])], case(True, "always", view=laid([4], ["a"], ["*", 0, ["//", 1, "a"]]))),
        "another size where there is at most one index": conditions(
            [laid(["n"], ["a"]), ONE], case(True, "always", view=laid([1], ["a"])), facts=[["<=", "n", 1]]),
        "no view where there is no index": conditions(
            [laid(["n"], ["a"]), ONE], case(["==", "n", 0], "never", view=None),
            case([">", "n", 0], "always", view=laid(["n"], ["a"]))),
    },
    "layout_conditions": {
        "a complement beside the last mode": layouts(
            "complement", [leaf("n", 1)], case(True, "always", layout=leaf(3, ["+", "n", 1])), bound=["*", 3, "n"]),
        "coalesced, and could be less": layouts(
            "coalesce", [[leaf("n", "a"), leaf("m", "b")]],
            case(True, "always", layout=[leaf("n", "a"), leaf("m", "b")])),
        "an inverse of size 0": layouts("right_inverse", [leaf("n", "a")],
                                        case(True, "always", layout=leaf(["*", 0, "n"], 3))),
    },
    "stride_conditions": {
        "two products that share what may be 0": strides(
            laid([2, 2], [["*", "a", "b"], ["*", "a", "b", 2]]), "injective", case(["!=", "b", 0], "always"),
            case(["==", "b", 0], "never"), steps=[]),
        "three dims of which two have one stride": strides(
            laid([2, 2, 2], ["a", "a", 9]), "injective", case(["!=", "a", 0], "always"), case(["==", "a", 0], "never"),
            steps=[]),
        "never, where at most one index is valid": strides(
            laid([4], [0], 0, [["k", ["+", "k", 1]]]), "injective", NO, steps=[]),
    },
    "guard": {
        "exact, by a mask beyond its size": guard(
            {"views": [laid(["n"], ["a"]), ONE], "facts": [["==", "n", 4]]}, True, verdict="exact",
            cases=[case(True, "always", view=laid(["n"], ["a"], 0, [[0, 9]]))]),
        "exact, by an inverse of a size below 0": guard(
            {"operation": "right_inverse", "layouts": [leaf(4, "s")]}, True, verdict="exact",
            cases=[case(True, "always", layout=leaf(["-", ["*", 0, "s"], 4], 7))]),
        "exact, by an answer that is only sufficient": guard(
            {"views": AB}, ["==", "a", ["*", 2, "b"]], verdict="exact",
            cases=[case(True, "undecided", [["==", "a", ["*", 2, "b"]]], view=laid([4], ["b"]))]),
    },
    "chains": {
        "points elsewhere": chains([EMPTY], [laid([], [], 4)], same=True),
        "empty chains that cannot be fewer": chains(
            [laid([0], [1]), laid([0], [1])], [laid([0], [1]), laid([0], [1])], same=True, minimal=True),
        "an address that a mask hides": chains(
            [SIX], [laid([6], [1], 0, [[0, 5]])], same=False, index=[5], sides=[5, 5], smallest=False),
    },
    "theorem": {
        "a fold from what has no value": claimed(
            "theorem", claim=["==", 1, 2], assume=[], verdict="proved",
            lists=[{"folds": {"f": [["//", 1, 0], "f"]}, "each": [], "own": []}]),
        "an element of which nothing has a value": claimed(
            "theorem", claim=["==", "f", 5], assume=[], verdict="proved",
            lists=[{"folds": {"f": [5, ["+", "f", 1]]}, "each": [["==", ["%", "d", 0], 0]], "own": ["d"]}]),
        "a lemma that assumes the first value": claimed(
            "theorem", claim=[">=", "f", 1], assume=[], verdict="proved",
            lists=[{"folds": {"f": ["n", ["+", "f", 1]]}, "each": [], "own": []}],
            by=[{"lemma": {"claim": [">=", "f", 1], "assume": [[">=", "n", 1]], "own": [], "each": [],
                           "folds": {"f": ["n", ["+", "f", 1]]}}, "at": {}}]),
        "a lemma about elements that the list need not have": claimed(
            "theorem", claim=[">=", "f", 0], assume=[], verdict="proved",
            lists=[{"folds": FOLD, "each": [], "own": ["d"]}],
            by=[{"lemma": {"claim": [">=", "f", 0], "assume": [], "folds": FOLD, "each": [[">=", "d", 0]],
                           "own": ["d"]}, "at": {}}]),
    },
    "rule": {
        "a part in another order": rule(
            program(["n"], ["concat", program(["m"], tensor="y"), 0], ["concat", program(["n"]), 0]),
            program(["n"], ["concat", program(["n"]), 0], ["concat", program(["m"], tensor="y"), 0])),
        "a mask that begins below 0": rule(
            program(["n"], ["read", laid(["n"], [1], 0, [[["neg", 1], "n"]])]), program(["n"])),
        "a mask beyond the size": rule(
            program(["n"]), program(["n"], ["read", laid(["n"], [1], 0, [[0, ["+", "n", 1]]])])),
    },
    "premise": {
        "a condition without a value": premise(
            ["==", ["*", "x", "k"], ["*", "x", "k"]], ["==", ["//", "k", "k"], 1], [], ["k"]),
        "needed, where only enough was said": premise(
            ["==", ["*", "x", "k"], 0], True, [], ["k"], directions="enough"),
        "a value that only the claim assumes": premise(
            ["==", "x", ["//", "k", "k"]], ["==", "k", 7], [{"x": 1}], ["k"]),
    },
    "layout": {
        "as many values of stride 0": layout("coalesce", [[leaf(2, 0), leaf(3, 0)]], leaf(5, 0)),
        "another stride beside a size of 1": layout("coalesce", [[leaf(1, 7), leaf(2, 3)]], leaf(2, 7)),
        "a complement of modes that are one": layout(
            "complement", [leaf(2, 4)], [leaf(2, 1), leaf(2, 2), leaf(2, 8)], bound=16),
    },
    "overlap": {
        "never, as far as the offset has a value": overlap(
            [laid([2], [1]), laid([2], [1], ["*", 0, ["//", 1, "a"]])], case(["!=", "a", 0], "never"),
            case(["==", "a", 0], "never")),
        "always, by an index that divides by the size": overlap(
            [ONE, ONE], case(True, "always", indices=[[["//", "n", "n"], 0]]), facts=[[">=", "n", 0]]),
        "never, where one index is left": overlap([laid([4], [1], 0, [[0, 2]]), laid([4], [1], 1, [[0, 2]])], NO),
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=200_000) as found:
        yield found


def found_in(text: str, solver: Solver) -> Report | None:
    try:
        return verify(text, solver)
    except BadCertificate:
        return None


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, some in FORGED.items() for name in some])
def test_forged_certificates_are_not_confirmed(kind, name, solver) -> None:
    found = found_in(json.dumps(FORGED[kind][name]), solver)
    assert found is None or found.verdict != "confirmed", found.claim


LEFT = {(kind, name): one for table in (READ, AGAIN) for kind, some in table.items() for name, one in some.items()}


@pytest.mark.parametrize(("kind", "name"), LEFT)
def test_what_one_part_leaves_to_another_is_not_confirmed(kind, name, solver) -> None:
    """Confirmed is none of them; and no key is passed over that only another kind reads."""
    found = found_in(json.dumps(LEFT[kind, name]), solver)
    assert found is None or found.verdict != "confirmed", found.claim


RIGHT = json.dumps(theorem([">=", ["*", "x", "x"], 0], ["==", 2, 2]))
TEXTS = {  # what JSON reads in another way, and what is put for it
    "a key twice": ('"assume": ', '"assume": [["!=", 2, 2]], "assume": '),
    "a verdict twice": ('"verdict": ', '"verdict": "unknown", "verdict": '),
    "a fraction": ('["==", 2, 2]', '["==", 2, 2.0]'),
    "an exponent": ('["==", 2, 2]', '["==", 2, 2e0]'),
    "not a number": ('["==", 2, 2]', '["!=", 2, NaN]'),
    "no end": ('["==", 2, 2]', '["<", 2, Infinity]'),
    "true for a number": ('["==", 2, 2]', '["==", 2, true]'),
    "a number for true": ('["==", 2, 2]', "1"),
    "a text for a number": ('["==", 2, 2]', '["==", 2, ""]'),
    "a name of the checker's own": ('["==", 2, 2]', '["==", "#0", 2]'),
    "a name of the solver's own": ('["==", 2, 2]', '["==", "$v0", 2]'),
    "another version": ('"version": 6', '"version": 5'),
    "a version as a truth": ('"version": 6', '"version": true'),
    "another format": ("symview certificate", "symview certificates"),
    "more than one": ("}}", "}} {}"),
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_texts_that_are_read_otherwise_elsewhere_are_refused(name, solver) -> None:
    old, new = TEXTS[name]
    assert old in RIGHT
    assert found_in(RIGHT, solver).verdict == "confirmed"
    assert found_in(RIGHT.replace(old, new), solver) is None


ODD_NAMES = (
    "1",
    "x // 2 * 2",
    "true",
    "not",
    "x\nanswer.json: confirmed\n  proved: 1 == 2",
    "\ud800",
    "a b",
    "−1",
    "x,y",
)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_names_that_look_like_something_else_are_printed_in_quotes(name, solver) -> None:
    """So no claim reads as another, nor as more lines than it has; and it can be printed."""
    quoted = json.dumps(name)
    found = found_in(json.dumps(theorem(["==", name, "x"], ["==", name, "x"])), solver)
    assert found.claim == [f"for all {quoted}, x: {quoted} == x -> {quoted} == x"]
    assert found.claim[0].isascii()
    document = rule(program([name], tensor=name), program([name], tensor=name))
    assert found_in(json.dumps(document), solver).claim == [
        f"for all {quoted}: {quoted}({quoted}) == {quoted}({quoted}) where the left side is defined"
    ]
    document = refuted(["==", name, 0], values={name: 1}, sides=[1, 0])
    assert found_in(json.dumps(document), solver).claim == [f"at {quoted} = 1: not {quoted} == 0 and {quoted} == 1"]
    document = premise(["==", ["*", 0, "x"], name], ["==", name, 0], [{"x": 0}], [name])
    assert found_in(json.dumps(document), solver).claim == [
        f"for all {quoted}: (for all x: 0 * x == {quoted}) <-> {quoted} == 0"
    ]


def test_powers_of_numbers_below_0_are_printed_as_they_are_read() -> None:
    assert text_of(["==", ["**", -2, 2], 4]) == "(-2) ** 2 == 4"
    assert text_of(["==", ["neg", ["**", 2, 2]], -4]) == "-2 ** 2 == -4"
    assert text_of(["+", "a", -2]) == "a + -2"


def test_names_of_a_file_write_no_lines_of_their_own(tmp_path) -> None:
    key = "z\nother.json: confirmed\n  for all x: x == x + 1\x1b[2K"
    forged = {**theorem(["==", "x", "x"])}
    files = [tmp_path / name for name in ("one.json", "two.json")]  # of several, the parts are printed once more
    for file in files:
        file.write_text(json.dumps({**forged, "claim": {**forged["claim"], key: 1}}), encoding="utf-8")
    found = typed(["verify", *map(str, files)])
    assert found.exit_code == 3
    assert key.partition("\n")[0] + "\\nother.json" in found.stdout
    assert not [line for line in found.stdout.splitlines() if line.startswith("other.json") or "\x1b" in line]
