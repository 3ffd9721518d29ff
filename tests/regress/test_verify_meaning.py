"""Certificates that pretend to claim something else: what is printed is the statement that was checked."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from random import Random
from typing import Any

import pytest
from claims import claimed
from mutated import found_in
from oracle import answers

from symview.trusted.document import parsed
from symview.trusted.formulas import compiled, weight
from symview.verify import Solver
from symview.verify.meaning import statement
from symview.verify.nodes import valued
from symview.verify.text import lines


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=200_000) as found:
        yield found


def verdict(document: Any, solver: Solver) -> str:
    found = found_in(document, solver)
    return "bad" if found is None else found.verdict


def premise(claim: Any, condition: Any, about: Any, *witnesses: Any, assume: Any = (), **more: Any) -> dict[str, Any]:
    answer = {"condition": condition, "witnesses": [*witnesses], "directions": "both", **more}
    return claimed("premise", {"claim": claim, "assume": [*assume], "about": about}, answer)


def theorem(claim: Any, *assume: Any, **more: Any) -> dict[str, Any]:
    return claimed("theorem", {"claim": claim, "assume": [*assume], **more}, {"verdict": "proved"})


def folded(claim: Any, each: Any = (), **folds: Any) -> dict[str, Any]:
    return {"lemma": {"claim": claim, "assume": [], "folds": folds, "each": [*each]}, "at": {}}


def lemma(claim: Any, *assume: Any, at: Any = None, **more: Any) -> dict[str, Any]:
    return {"lemma": {"claim": claim, "assume": [*assume], **more}, "at": at or {}}


# What a witness may be, and when a value exists

ZERO = ["*", 0, ["//", 1, "y"]]  # 0 where y is not 0, and no value there
BETWEEN = [[">=", "x", "a"], ["<=", "x", "b"]]
NOT_NEEDED = {
    "a bound of a name that may have no value": premise(
        ["<=", "x", 5], ["<=", "b", 5], ["a", "b"], {"x": "b"}, assume=BETWEEN),
    "where a quotient in a choice has no value": premise(
        ["==", ["if", ["==", "y", 0], ["+", "x", 1], ["-", ["+", "x", ["//", "y", "y"]], 1]], "x"], False, ["x"],
        {"y": 0}),
    "where a quotient times 0 has no value": premise(
        ["and", ["==", "x", "x"], ["->", ["==", "y", 0], ["==", ZERO, 1]]], False, ["x"], {"y": 0}),
    "where another quotient times 0 has none": premise(
        ["->", ["==", "z", 0], ["==", ["*", 0, ["//", "x", "z"]], 1]], False, ["x"], {"z": 0}),
    "where a shift times 0 has no value": premise(
        ["->", ["<", "y", 0], ["==", ["*", 0, ["<<", 1, "y"]], ["+", "x", 1]]], ["==", "x", -1], ["x"], {"y": -1}),
    "where an assumption has no value": premise(
        ["==", "x", "a"], False, ["a"], {"x": ["+", "a", 1]},
        assume=[["==", ["*", 0, ["//", 1, ["-", "x", ["+", "a", 1]]]], 0], ["<=", ["-", "x", "a"], 1],
                [">=", "x", "a"]]),
}  # fmt: skip


@pytest.mark.parametrize("name", NOT_NEEDED)
def test_what_a_witness_does_not_show_is_not_shown(name, solver) -> None:
    """No values refute the condition, so it is not refuted: only the evidence is wrong."""
    found = found_in(NOT_NEEDED[name], solver)
    assert found is not None
    assert (found.verdict, found.open) == ("partly", ["that the condition is necessary (not shown)"])


def test_the_weakest_condition_has_to_hold_where_no_value_is_allowed(solver) -> None:
    right = premise(["<=", "x", 5], ["or", ["<", "b", "a"], ["<=", "b", 5]], ["a", "b"], {"x": "b"}, assume=BETWEEN)
    found = found_in(right, solver)
    assert found is not None
    assert found.verdict == "confirmed"
    assert found.claim == ["for all a, b: (for all x: x >= a and x <= b -> x <= 5) <-> b < a or b <= 5"]


def test_a_condition_that_is_not_enough_is_refuted(solver) -> None:
    wrong = premise(["==", ["%", "x", "k"], 0], True, ["k"], assume=[[">", "k", 0]])
    found = found_in(wrong, solver)
    assert found is not None
    assert found.wrong == ["that the condition is sufficient: not x = 1, k = 2"]


def test_one_direction_of_a_premise_is_printed_as_that(solver) -> None:
    claim, about = ["==", ["*", ["//", "x", "k"], "k"], "x"], ["k"]
    enough = premise(claim, ["==", "k", 1], about, directions="enough", assume=[[">=", "k", 1]])
    needed = premise(claim, [">=", "k", 1], about, {"x": 1}, directions="needed", assume=[["!=", "k", 0]])
    neither = premise(claim, ["==", "k", 1], about, directions="none")
    found = [found_in(one, solver) for one in (enough, needed, neither)]
    assert [(one.verdict, one.open) for one in found if one] == [
        ("partly", ["that the condition is necessary"]),
        ("partly", ["that the condition is sufficient", "that the condition is necessary (not shown)"]),
        ("partly", ["that the condition is sufficient", "that the condition is necessary"]),
    ]
    assert [one.claim for one in found if one] == [
        ["for all k with k >= 1: k == 1 -> (for all x: x // k * k == x)"],
        ["for all k with k != 0: (for all x: x // k * k == x) -> k >= 1"],
        [],
    ]


@pytest.mark.parametrize("name", ["at", "given", "open", "all", "and", "x"])
def test_a_name_that_is_a_word_of_statements_is_a_name(name, solver) -> None:
    """What nothing meets is vacuous, whatever its names are."""
    never = [["<", name, 0], [">", name, 0]]
    assert verdict(theorem(["==", name, "y"], *never), solver) == "vacuous"
    assert verdict(premise(["==", name, "k"], True, ["k"], assume=never), solver) == "vacuous"
    assert verdict(premise(["==", name, "k"], True, [name], assume=never), solver) == "vacuous"
    assert verdict(theorem([">=", ["*", name, name], 0]), solver) == "confirmed"
    view = {"shape": [2], "strides": [name], "offset": 0, "mask": None}
    one = {"where": True, "status": "never", "equations": []}
    question = {"view": view, "property": "dense", "flips": False, "facts": never}
    assert verdict(claimed("stride_conditions", question, {"cases": [one]}), solver) == "vacuous"


def test_statements_without_names_are_statements(solver) -> None:
    always = laid([2], [3])
    for document, line in (
        (theorem(True), "true"),
        (theorem(["==", ["+", 1, 1], 2], True), "1 + 1 == 2"),
        (theorem(["==", 1, 1], ["<", 1, 2]), "1 < 2 -> 1 == 1"),
        (premise(["==", 1, 1], True, []), "(1 == 1) <-> true"),
        (refuted(["==", 1, 2], {}), "not 1 == 2"),
        (strides(always, case(True, "always"), steps=[]), "(2):(3) is injective"),
        (guard({"view": always, "property": "injective", "steps": []}, True, verdict="exact",
               cases=[case(True, "always")]), "true <-> (2):(3) is injective"),
    ):  # fmt: skip
        found = found_in(document, solver)
        assert found is not None
        assert (found.verdict, found.claim) == ("confirmed", [line])
    assert verdict(theorem(False), solver) == verdict(theorem(["==", 1, 2]), solver) == "refuted"
    assert verdict(theorem(["==", 1, 1], ["==", 1, 2]), solver) == "vacuous"


def test_a_premise_about_all_names_is_shown_both_ways(solver) -> None:
    right = premise(["==", ["%", "x", 2], 0], ["==", ["%", "x", 4], ["*", 2, ["//", ["%", "x", 4], 2]]], ["x"], {})
    found = found_in(right, solver)
    assert found is not None
    assert (found.verdict, found.count) == ("confirmed", 3)
    assert found.claim == ["for all x: (x % 2 == 0) <-> x % 4 == 2 * (x % 4 // 2)"]
    assert verdict(premise(["==", ["%", "x", 2], 0], ["==", ["%", "x", 4], 0], ["x"], {}), solver) == "partly"


def without_evidence(document: Any) -> Any:
    """A certificate without all that its claim is shown by."""
    return {**document, "evidence": {}}


@pytest.mark.parametrize("kind", answers.KINDS)
def test_evidence_does_not_change_what_is_printed(kind) -> None:
    changed = 0
    for document in answers.certificates(kind, 1 if kind in ("rule", "overlap") else 3):
        before, after = (
            [*lines(statement(parsed(json.dumps(one))["claim"]))] for one in (document, without_evidence(document))
        )
        assert before == after != [""]
        changed += before != []
    assert changed


# Lists, and lemmas about them

LISTS = {
    "two more at each step": (
        theorem(["==", ["%", "x", 2], 0], by=[folded(["==", ["%", "x", 2], 0], x=[0, ["+", "x", 2]])]),
        "for every list, where x = 0, then x + 2: x % 2 == 0"),
    "a name that stays": (
        theorem(["==", "x", 0], by=[folded(["==", "x", 0], x=[0, "x"])]),
        "for every list, where x = 0, then x: x == 0"),
    "a number that stays": (
        theorem(["==", "n", 1], by=[folded(["==", "n", 1], n=[1, "n"])]),
        "for every list, where n = 1, then n: n == 1"),
    "in a lemma of a lemma": (
        theorem(["==", "x", 0], by=[lemma(["==", "x", 0], by=[folded(["==", "x", 0], x=[0, "x"])])]),
        "for every list, where x = 0, then x: x == 0"),
    "elements, and names for all of them": (
        theorem([">=", "x", "z"], [">=", "k", 0], by=[
            lemma([">=", "x", "z"], [">=", "k", 0], folds={"x": ["z", ["+", "x", ["*", "k", "d"]]]},
                  each=[[">=", "d", 0]])]),
        "for all z, k: for every list of d with d >= 0, where x = z, then x + k * d: k >= 0 -> x >= z"),
}  # fmt: skip


@pytest.mark.parametrize("name", LISTS)
def test_a_list_that_a_lemma_folds_is_printed(name, solver) -> None:
    document, line = LISTS[name]
    found = found_in(document, solver)
    assert found is not None
    assert (found.verdict, found.claim) == ("confirmed", [line])


APART = [folded(["==", "f", "f"], [["==", "s", 1]], f=[0, ["+", "f", "s"]]),
         folded(["==", "f", "f"], [[">=", "s", 2]], f=[0, ["+", "f", "s"]])]  # fmt: skip


def test_two_lemmas_along_one_list_whose_elements_cannot_meet_both_are_vacuous(solver) -> None:
    for by, said in ((APART, "vacuous"), (APART[:1], "confirmed"), (APART[1:], "confirmed")):
        assert verdict(theorem(["==", "f", "f"], by=by), solver) == said


FALSE_LEMMAS = {
    "one without a value there": theorem(
        ["==", "x", 1], ["==", "z", 0], by=[lemma(["==", ["*", 0, ["//", 1, "z"]], ["-", 1, "x"]], at={"z": 0})]),
    "one that assumes a value": theorem(
        ["==", ["*", 0, ["//", 1, "z"]], 1], by=[lemma(["!=", "z", 0], ["==", ["//", "z", "z"], 1], at={"z": 0})]),
    "an element as a name of the claim": theorem(
        [">=", "f", "d"], by=[folded([">=", "f", 0], [[">=", "d", 0]], f=[0, ["+", "f", "d"]])]),
    "a fold that is a name elsewhere": theorem(
        [">=", "f", "g"], by=[folded([">=", "f", "g"], g=[0, "g"], f=["g", "f"]),
                              folded([">=", "g", "f"], f=["g", "f"], g=[5, "g"])]),
    "lists that mention each other": theorem(
        ["==", "f", "g"],
        by=[folded(["==", "f", "g"], f=["g", "f"]), folded(["==", "g", ["+", "f", 0]], g=["f", "g"])]),
    "an induction that starts wrong": theorem([">=", "f", 1], by=[folded([">=", "f", 1], f=[0, ["+", "f", 1]])]),
    "an induction that does not go on": theorem([">=", "f", 0], folds={"f": [0, ["-", "f", 1]]}, each=[]),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE_LEMMAS)
def test_a_false_lemma_shows_nothing(name, solver) -> None:
    assert verdict(FALSE_LEMMAS[name], solver) in ("refuted", "partly", "bad")


def test_a_false_lemma_does_not_refute_what_is_true(solver) -> None:
    document = theorem(["==", "x", "x"], by=[lemma(["==", "x", 1])])
    found = found_in(document, solver)
    assert found is not None
    assert (found.verdict, found.open) == ("partly", ["the claim, for all integers (not shown)"])
    assert verdict(theorem(["==", "x", 2], by=[lemma(["==", "x", "x"])]), solver) == "refuted"


def refuted(claim: Any, values: Any, *assume: Any, sides: Any = None, smallest: bool = False) -> dict[str, Any]:
    answer = {"verdict": "refuted", "values": values, "sides": sides, "smallest": smallest}
    return claimed("theorem", {"claim": claim, "assume": [*assume]}, answer)


def test_lemmas_beside_what_they_do_not_help_are_not_read(solver) -> None:
    """Beside values that refute, beside a premise, and beside a statement that is only text."""
    by = [lemma(["==", "x", "x"])]
    beside = refuted(["==", "y", 1], {"y": 0})
    beside["evidence"]["by"] = by
    assumed = premise(["==", "x", "k"], ["==", 0, 1], ["k"], {"x": ["+", "k", 1]})
    assumed["evidence"]["by"] = by
    text = claimed("theorem", {"statement": "1 == 2", "by": by}, {"verdict": "proved"})
    for document in (beside, assumed, text):
        found = found_in(document, solver)
        assert found is not None
        assert found.verdict == "partly"
        assert "evidence.by, which is not checked" in found.open
    lists = [{"folds": {"y": [0, "y"]}, "each": [], "own": []}]
    assert verdict({**beside, "claim": {**beside["claim"], "lists": lists}}, solver) == "partly"


def test_values_without_a_value_refute_nothing(solver) -> None:
    assert verdict(refuted(["==", ZERO, 1], {"y": 0}), solver) == "refuted"
    assert verdict(refuted(["==", ZERO, 1], {"y": 1}), solver) == "confirmed"
    assert verdict(refuted(["==", "y", 1], {"y": 0}, ["==", ZERO, 0]), solver) == "refuted"
    assert verdict(refuted(["==", "y", 1], {}), solver) == verdict(refuted(["==", 1, 2], {"y": 1}), solver) == "bad"


def test_a_refutation_is_printed_with_its_sides_and_how_near_it_is(solver) -> None:
    found = found_in(refuted([">=", "x", 0], {"x": -1}, sides=[-1, 0], smallest=True), solver)
    assert found is not None
    assert found.verdict == "confirmed"
    assert found.claim == ["at x = -1: not x >= 0 and x == -1", "for all x: abs(x) < 1 -> x >= 0"]
    assert verdict(refuted([">=", "x", 0], {"x": -1}, sides=[-1, 1]), solver) == "refuted"
    assert verdict(refuted([">=", "x", 0], {"x": -1}, sides=[]), solver) == "bad"
    assert verdict(refuted([">=", "x", 0], {"x": -2}, smallest=True), solver) == "refuted"


def test_wrong_evidence_for_what_is_true_is_not_shown(solver) -> None:
    """Neither confirmed nor refuted: no values refute it."""
    document = theorem([">=", ["*", "x", "x"], 0], refutations=[[]])
    found = found_in(document, solver)
    assert found is not None
    assert found.open == ["the claim, for all integers (the refutation of its opposite is wrong)"]


# Views: what a mask and a size may be, and where they have values


def laid(shape: Any, strides: Any, mask: Any = None) -> dict[str, Any]:
    return {"shape": shape, "strides": strides, "offset": 0, "mask": mask}


def case(where: Any, status: str, equations: Any = (), **found: Any) -> dict[str, Any]:
    return {"where": where, "status": status, "equations": [*equations], **found}


def conditions(views: Any, *cases: Any, facts: Any = (), **clauses: Any) -> dict[str, Any]:
    return claimed("conditions", {"views": views, "facts": [*facts]}, {"cases": [*cases], **clauses})


def strides(view: Any, *cases: Any, facts: Any = (), of: str = "injective", **question: Any) -> dict[str, Any]:
    question = {"view": view, "property": of, "facts": [*facts], **question}
    return claimed("stride_conditions", question, {"cases": [*cases]})


def overlap(pair: Any, *cases: Any, facts: Any = ()) -> dict[str, Any]:
    return claimed("overlap", {"pair": pair, "facts": [*facts]}, {"cases": [*cases]})


def guard(question: Any, says: Any, **answer: Any) -> dict[str, Any]:
    return claimed("guard", {"facts": [], **question, "guard": says}, answer)


AT_LEAST_1 = [[">=", "n", 1], [">=", "m", 1]]
CUT = laid(["n"], ["a"], [[0, "m"]])  # of which m indices are seen, and no more than n
LINE = [CUT, laid(["n"], [1])]
MASKED = {
    "conditions": (
        conditions(LINE, case(True, "always", view=CUT), facts=AT_LEAST_1),
        "for all n, a, m with n >= 1 and m >= 1 and m <= n:", "  [(n):(a) [0:m]; (n):(1)] is (n):(a) [0:m]"),
    "strides": (
        strides(CUT, case(True, "always"), of="dense", flips=True,
                facts=[*AT_LEAST_1, ["<=", "a", 1], ["!=", "a", 0], [">=", "a", -1]]),
        "for all n, a, m with n >= 1 and m >= 1 and a <= 1 and a != 0 and a >= -1 and m <= n:",
        "  (n):(a) [0:m] is dense after flips"),
    "overlap": (
        overlap([CUT, CUT], case(True, "always", indices=[[0, 0]]), facts=AT_LEAST_1),
        "for all n, a, m with n >= 1 and m >= 1 and m <= n:",
        "  [(n):(a) [0:m]; (n):(a) [0:m]] share an address"),
    "guard": (
        guard({"views": LINE, "facts": AT_LEAST_1}, True, verdict="exact", cases=[case(True, "always", view=CUT)]),
        "for all n, a, m with n >= 1 and m >= 1 and m <= n: true <-> [(n):(a) [0:m]; (n):(1)] is one view", None),
}  # fmt: skip


@pytest.mark.parametrize("name", MASKED)
def test_that_a_mask_is_in_its_view_is_printed_as_assumed(name, solver) -> None:
    document, head, line = MASKED[name]
    found = found_in(document, solver)
    assert found is not None
    assert found.claim[0] == head
    assert (line is None) or (found.verdict, found.claim[1]) == ("confirmed", line)


NOTHING = {
    "a mask beyond the size": conditions(
        [laid(["n"], [0], [["n", ["+", "n", 1]]]), laid(["n"], [1])], case(True, "never", view=None),
        facts=AT_LEAST_1[:1]),
    "a size below 0": conditions(
        [laid(["n"], ["a"]), laid(["n"], [1])], case(True, "always", view=laid(["n"], [7])), facts=[["<=", "n", -1]]),
    "strides of a size below 0": strides(
        laid(["n"], ["a"]), case(True, "never"), facts=[["<=", "n", -1]], of="dense", flips=False),
    "an overlap beyond the size": overlap(
        [laid([4], [1], [["n", "n"]]), laid([4], [1])], case(True, "never"), facts=[[">=", "n", 5]]),
}  # fmt: skip


@pytest.mark.parametrize("name", NOTHING)
def test_views_that_cannot_be_are_vacuous(name, solver) -> None:
    assert verdict(NOTHING[name], solver) == "vacuous"


PAIR = [laid([2, 3], ["y", "b"]), laid([6], [1])]
WHEN = case(True, "when", [["==", "y", ["*", 3, "b"]]], view=laid([6], ["b"]))
WRONG_CASES = {
    "cases that leave out where they have no value": conditions(
        PAIR, {**WHEN, "where": ["==", ZERO, 0]}, {**WHEN, "where": ["!=", ZERO, 0]}),
    "clauses without a value somewhere": conditions(
        PAIR, WHEN, clauses=[["==", "y", ["*", 3, "b"]], ["==", ZERO, 0]]),
    "a view that has no value in this case": conditions(
        PAIR, case(True, "when", [["==", "y", ["*", 3, "b"]]], view={**laid([6], ["b"]), "offset": ZERO})),
    "a stride of another dim": conditions(
        PAIR, case(True, "when", [["==", "y", ["*", 3, "b"]]], view=laid([6], ["y"]))),
    "out of bounds, said to be not a view": conditions(
        [laid([4], ["a"]), laid(["n"], [1])], case(["<=", "n", 4], "always", view=laid(["n"], ["a"])),
        case([">", "n", 4], "never", view=None), facts=AT_LEAST_1[:1]),
    "a size that does not fit": conditions(
        PAIR, case(["==", "y", ["*", 3, "b"]], "always", view=laid([5], ["b"])),
        case(["!=", "y", ["*", 3, "b"]], "never", view=None)),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_CASES)
def test_wrong_cases_are_refuted(name, solver) -> None:
    assert verdict(WRONG_CASES[name], solver) == "refuted"


def test_what_a_view_assumes_for_a_value_is_printed(solver) -> None:
    """The offset has no value where y is 0, though it is a product with 0."""
    views = [{**laid([2, 3], ["a", "b"]), "offset": ZERO}, laid([6], [1])]
    found = found_in(
        conditions(views, case(True, "when", [["==", "a", ["*", 3, "b"]]], view=laid([6], ["b"]))), solver)  # fmt: skip
    assert found is not None
    assert found.verdict == "confirmed"
    assert found.claim[0] == "for all a, b, y with y != 0:"


def test_every_name_of_a_statement_is_bound(solver) -> None:
    """Clauses have no names of their own, nor have other parts of an answer."""
    strange = ["or", ["==", "y", ["*", 3, "b"]], ["==", "z", 1]]
    assert verdict(conditions(PAIR, WHEN, clauses=[strange]), solver) == "bad"
    assert verdict(conditions(PAIR, {**WHEN, "where": strange}), solver) == "bad"
    assert verdict(conditions(PAIR, {**WHEN, "view": laid([6], ["z"])}), solver) == "bad"
    assert verdict(claimed("layout", {"operation": "coalesce", "layouts": [{"size": 2, "stride": "a"}]},
                           {"layout": {"size": 2, "stride": "a"}}), solver) == "bad"  # fmt: skip


OF_PAIR = {"views": PAIR}


def test_a_formula_has_a_value_as_far_as_it_is_read_from_the_left(solver) -> None:
    """Where y is 0, the first part of the disjunction holds, and the first one of the conjunction does not."""
    first = ["or", ["==", "y", 0], ["==", ["%", 6, "y"], 0]]
    other = ["and", ["!=", "y", 0], ["!=", ["%", 6, "y"], 0]]
    cases = [{**WHEN, "where": first}, {**WHEN, "where": other}]
    assert verdict(conditions(PAIR, *cases), solver) == "confirmed"
    assert verdict(conditions(PAIR, {**cases[0], "where": ["or", *first[:0:-1]]}, cases[1]), solver) == "refuted"
    assert verdict(conditions(PAIR, cases[0], {**cases[1], "where": ["and", *other[:0:-1]]}), solver) == "confirmed"
    for question in (OF_PAIR, {**OF_PAIR, "facts": [first]}):
        weak = guard(question, first, verdict="too weak", values={"y": 0, "b": 1}, index=[3])
        assert verdict(weak, solver) == "confirmed"


@pytest.mark.parametrize("rounds", [3, 60])
def test_that_a_formula_has_a_value_is_said_briefly_and_right(rounds) -> None:
    """As its evaluation from the left finds at values; and it is not much longer than the formula."""
    rng, seen = Random(rounds), Counter[bool]()

    def random(depth: int) -> Any:
        if depth == 0:
            return (rng.choice(("==", "<")), (rng.choice(("//", "+", "%")), "x", rng.choice("xy")), rng.randint(-1, 1))
        op = rng.choice(("and", "or", "not", "->", "<->"))
        return (op, *[random(depth - rng.randint(1, 2) if depth > 1 else 0) for _ in range(1 if op == "not" else 2)])

    for _ in range(20 * rounds):
        f = random(rng.randint(0, 4))
        says = compiled(("and", True, *valued(f)))
        for x, y in product((-1, 0, 1), repeat=2):
            try:
                has = compiled(f)({"x": x, "y": y}) is not None
            except ZeroDivisionError:
                has = False
            try:
                assert says({"x": x, "y": y}) == has, f
            except ZeroDivisionError:  # it is read from the left itself, and so only where that stops
                raise AssertionError(f) from None
            seen[has] += 1
    assert min(seen.values()) > 20
    deep: Any = ("==", ("//", 1, "x"), 1)
    for _ in range(90):
        deep = ("or", deep, ("==", ("//", 1, "y"), 1))
    assert weight(*valued(deep)) < 90 * weight(deep)


NO_VALUE = ["and", ["==", "y", ["*", 3, "b"]], ["==", ZERO, 0]]
GUARDS = {
    "too weak where it has no value": guard(
        OF_PAIR, ["or", ["!=", ZERO, 0], True], verdict="too weak", values={"y": 0, "b": 1}, index=None),
    "too strong where it has no value": guard(
        OF_PAIR, NO_VALUE, verdict="too strong", values={"y": 0, "b": 0}),
    "too strong at a size below 0": guard(
        {"views": [laid(["n"], ["a"]), laid(["n"], [1])]}, [">=", "n", 0], verdict="too strong",
        values={"n": -1, "a": 0}),
    "too weak where a mask is beyond the size": guard(
        {"views": LINE, "facts": []}, [">=", "n", 1], verdict="too weak", values={"n": 1, "a": 1, "m": 9}),
    "an index that breaks nothing": guard(
        OF_PAIR, True, verdict="too weak", values={"y": 1, "b": 1}, index=[1]),
    "exact, and is too weak": guard(OF_PAIR, [">=", "y", "b"], verdict="exact", cases=[WHEN]),
}  # fmt: skip


@pytest.mark.parametrize("name", GUARDS)
def test_a_guard_is_not_wrong_where_it_has_no_value(name, solver) -> None:
    assert verdict(GUARDS[name], solver) == "refuted"


def test_an_exact_guard_is_exact_where_it_has_a_value(solver) -> None:
    found, of = found_in(guard(OF_PAIR, NO_VALUE, verdict="exact", cases=[WHEN]), solver), "[(2,3):(y,b); (6):(1)]"
    assert found is not None
    assert found.verdict == "confirmed"
    assert found.claim == [
        f"for all y, b with not y == 3 * b or y != 0: y == 3 * b and 0 * (1 // y) == 0 <-> {of} is one view"
    ]


def test_wrong_cases_of_a_right_guard_show_nothing(solver) -> None:
    """They are evidence: the guard is exact all the same."""
    right, always = ["==", "y", ["*", 3, "b"]], case(True, "always", view=laid([6], ["b"]))
    other = case(right, "always", view=laid([6], ["y"]))
    for cases in ([other, case(["not", right], "never", view=None)], [WHEN, WHEN], [always], []):
        found = found_in(guard(OF_PAIR, right, verdict="exact", cases=cases), solver)
        assert found is not None
        assert (found.verdict, found.wrong) == ("partly", [])
    assert verdict(guard(OF_PAIR, True, verdict="exact", cases=[always]), solver) == "partly"
    assert verdict(guard(OF_PAIR, True, verdict="exact", cases=[WHEN]), solver) == "refuted"


def test_right_guards_are_printed_with_what_holds_there(solver) -> None:
    weak = guard(OF_PAIR, True, verdict="too weak", values={"y": 1, "b": 1}, index=[3])
    strong = guard(OF_PAIR, ["==", "b", 1], verdict="too strong", values={"y": 6, "b": 2})
    found = [found_in(one, solver) for one in (weak, strong)]
    assert [one.verdict for one in found if one] == ["confirmed", "confirmed"]
    of = "[(2,3):(y,b); (6):(1)]"
    assert [one.claim for one in found if one] == [
        [f"at y = 1, b = 1: {of} is not one view: it breaks at (3)"],
        [f"at y = 6, b = 2: not b == 1 and {of} is one view"],
    ]


def test_keys_of_another_question_are_not_read(solver) -> None:
    """What stands beside a claim or its evidence, and is no part of it, is named."""
    document = conditions(PAIR, WHEN)
    for part, key in product(("claim", "evidence"), ("flips", "witnesses")):
        found = found_in({**document, part: {**document[part], key: True}}, solver)
        assert found is not None
        assert (found.verdict, found.open) == ("partly", [f"{part}.{key}, which is not checked"])


# Programs


def rule(left: Any, right: Any, *assume: Any, **answer: Any) -> dict[str, Any]:
    one = {"left": left, "right": right, "assume": [*assume], "more": False}
    return claimed("rule", {"instances": [one], "parts": False}, answer or {"verdict": "proved"})


def moved(*steps: Any) -> dict[str, Any]:
    return {"tensor": "x", "shape": ["n"], "steps": [*steps]}


def test_a_program_is_not_defined_where_an_entry_has_no_value(solver) -> None:
    """A width of padding that is a product with 0 has no value where it divides by 0."""
    padded, plain = moved(["pad", ZERO, 0]), moved()
    assert verdict(rule(plain, padded), solver) == "refuted"
    assert verdict(rule(plain, padded, ["!=", "y", 0]), solver) == "confirmed"
    assert verdict(rule(padded, plain), solver) == "confirmed"
    wrong = rule(padded, moved(["flip", 0]), verdict="refuted", values={"n": 2, "y": 0}, index=[0], smallest=False)
    assert verdict(wrong, solver) == "refuted"


def test_a_rule_is_printed_with_what_it_assumes(solver) -> None:
    proved = rule(moved(["slice", 0, "m", 1]), moved(["slice", 0, "m", 1], ["flip", 0], ["flip", 0]), [">=", "m", 1])
    found = found_in(proved, solver)
    assert found is not None
    assert found.verdict == "confirmed"
    assert found.claim == [
        "for all n, m with m >= 1: x(n).slice((0,m,1)) == x(n).slice((0,m,1)).flip(0).flip(0) "
        "where the left side is defined"
    ]
    more = {"verdict": "refuted", "values": {"n": 2}, "index": [0], "smallest": False}
    named = {**proved, "claim": {**proved["claim"], **more}}
    assert verdict(named, solver) == "bad"


FOLDED = {  # by where a fold may have no value, and what is assumed of it
    "the first value": (
        {"folds": {"f": [["*", 0, ["//", 1, "y"]], ["+", "f", 0]]}, "each": [], "own": []},
        "for all y: for every list, where f = 0 * (1 // y), then f + 0: y != 0 -> f == 0"),
    "a next value": (
        {"folds": {"f": [0, ["*", 0, ["//", 1, "y"]]]}, "each": [], "own": ["y"]},
        "for every list of y with y != 0, where f = 0, then 0 * (1 // y): f == 0"),
    "what is said of each": (
        {"folds": {"f": [0, ["+", "f", ["abs", "d"]]]}, "each": [["==", ["//", "d", ["+", "d", 1]], 0]], "own": ["d"]},
        "for every list of d with d + 1 != 0 and d // (d + 1) == 0, where f = 0, then f + abs(d): f >= 0"),
}  # fmt: skip


@pytest.mark.parametrize("name", FOLDED)
@pytest.mark.parametrize("by_lemma", [False, True])
def test_that_a_fold_has_a_value_is_printed_as_assumed(name, by_lemma, solver) -> None:
    along, line = FOLDED[name]
    says = [">=" if name == "what is said of each" else "==", "f", 0]
    evidence = {"by": [{"lemma": {"claim": says, "assume": [], **along}, "at": {}}]} if by_lemma else {}
    found = found_in(claimed("theorem", claim=says, assume=[], verdict="proved", lists=[along], **evidence), solver)
    assert found is not None
    assert (found.verdict, found.claim) == ("confirmed", [line])
