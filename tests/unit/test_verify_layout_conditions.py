"""Certificates of conditions of layouts: right ones are confirmed, of changed ones only those that are right."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from random import Random
from typing import Any

import pytest
from claims import claiming
from mutated import found_in, found_of_changes, true_at

from symview import cute
from symview.cute import (
    Layout,
    coalesce,
    coalesce_conditions,
    complement_conditions,
    composition_conditions,
    left_inverse_conditions,
    logical_divide_conditions,
    logical_product_conditions,
    make_layout,
    right_inverse_conditions,
    tile_to_shape_conditions,
)
from symview.errors import SymviewError
from symview.trusted.document import expression, formula
from symview.trusted.formulas import compiled, names
from symview.verify import Solver

parse = Layout.parse
QUESTIONS = {
    "one equation": lambda: composition_conditions(parse("(4,6,8):(a,b,c)"), Layout(6, 3)),
    "always": lambda: composition_conditions(parse("(2,2,2):(a,b,c)"), Layout(4, 1)),
    "two ways": lambda: composition_conditions(parse("(2,3,4):(a,b,c)"), Layout(6, 2)),
    "stride with an offset": lambda: composition_conditions(parse("(4,6):(a,a + 1)"), Layout(8)),
    "by mode": lambda: composition_conditions(parse("((2,3),6):((a,b),c)"), (3, None)),
    "assumed": lambda: composition_conditions(parse("(4,6):(a,b)"), Layout(6), "b == 3*a"),
    "coalesce": lambda: coalesce_conditions(parse("(4,6):(a,b)")),
    "coalesce sizes": lambda: coalesce_conditions(parse("(n,2):(a,b)")),
    "complement": lambda: complement_conditions(parse("4:a"), 24),
    "right inverse": lambda: right_inverse_conditions(parse("(2,3):(1,b)")),
    "left inverse": lambda: left_inverse_conditions(parse("2:a")),
    "divide": lambda: logical_divide_conditions(parse("(4,6):(a,b)"), Layout(3)),
    "product": lambda: logical_product_conditions(parse("2:a"), Layout(3)),
    "tiles of a shape": lambda: tile_to_shape_conditions(Layout((2, 3)), parse("(n,6)").shape),
}
SLOW = ("complement", "product")
SIZES = {
    "small inner": lambda: composition_conditions(parse("(n,m):(a,b)"), 3),
    "same sizes": lambda: composition_conditions(parse("(n,m):(a,b)"), parse("(n,m):(1,n)")),
    "inner size": lambda: composition_conditions(parse("(n,m):(a,b)"), parse("k:1")),
}


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=1_000_000) as found:
        yield found


def numbers(x: Any, at: Any) -> Layout:
    """The layout in a certificate, with numbers for its names."""
    if isinstance(x, list):
        return make_layout([numbers(m, at) for m in x])
    return Layout(*[compiled(expression(x[key]))(at) for key in ("size", "stride")])


def tiler(x: Any, at: Any) -> Any:
    return x if x is None else tuple(tiler(m, at) for m in x["modes"]) if "modes" in x else numbers(x, at)


@cache
def truth(operation: str, text: str, values: tuple[tuple[str, int], ...]) -> Layout | None:
    """What the operation gives on numbers."""
    question = json.loads(text)
    layouts = question["layouts"]
    given = [numbers(layouts[0], dict(values)), *[tiler(x, dict(values)) for x in layouts[1:]]]
    try:
        shape = [tuple(compiled(expression(n))(dict(values)) for n in question[k]) for k in question if k == "shape"]
        return getattr(cute, operation)(*given, *shape, *[question[k] for k in question if k in ("bound", "order")])
    except SymviewError:
        return None


def same(operation: str, given: Layout, found: Layout, expected: Layout) -> bool:
    """The same function; of inverses, one that does what they promise."""
    if operation == "left_inverse":
        return all(given(found(given(i))) == given(i) for i in range(given.size()))
    if operation == "right_inverse":
        ends = all(n == 1 or d != found.size() for n, d in given.flat())
        return ends and all(given(found(i)) == i for i in range(found.size()))
    return coalesce(found) == coalesce(expected)


def is_right(document: Any) -> bool:
    """Whether the cases say at small values what the operation on numbers says there."""
    question, rng = document["claim"], Random("values")
    facts = [compiled(formula(f)) for f in question["facts"]]
    cases = [(c["where"], c["equations"], c["layout"]) for c in document["claim"]["cases"]]
    for turn in range(300):
        a = rng.choice((0, 1, 2, 3))
        at = {"a": a, "b": rng.choice((0, 1, 2, 3, a, 2 * a, 3 * a, 4 * a)), "c": 0, "n": rng.randint(1, 6)}
        at["c"] = rng.choice((0, 1, at["b"], 2 * at["b"], 3 * at["b"], 6 * at["b"], 12 * a, 24 * a, 6 * a))
        if turn % 5 == 0:
            at |= {k: rng.randint(-4, 4) for k in "abc"}
        at |= {k: rng.randint(-4, 6) for k in names(*map(formula, question["facts"])) if k not in at}
        if not all(f(at) for f in facts):
            continue
        expected = truth(question["operation"], json.dumps(question), tuple(at.items()))
        given = numbers(question["layouts"][0], at)
        there = [layout for where, equations, layout in cases if true_at(["and", where, *equations], at)]
        if expected is None:
            if any(x is not None for x in there):
                return False
        elif not there or not all(x and same(question["operation"], given, numbers(x, at), expected) for x in there):
            return False
    return True


@pytest.mark.sampled
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_changed_answer_that_is_confirmed_is_right_too(name, solver, step, full) -> None:
    every = step(4) if name in SLOW else 1
    seen = found_of_changes(QUESTIONS[name]().certificate(), "claim", solver, is_right, every)
    assert seen["refuted"] > 5 or not full, seen
    assert seen["refuted"] + seen["bad"] > 2 * seen["confirmed"], seen


@pytest.mark.parametrize("name", SIZES)
def test_cases_of_sizes_are_confirmed_but_for_what_is_named(name, solver) -> None:
    document = SIZES[name]().certificate()
    found = found_in(document, solver)
    assert not found.wrong
    assert set(found.open) <= {"an undecided case", "that there are no other layouts"}
    for number, case in enumerate(document["claim"]["cases"]):
        if isinstance(case["layout"], dict):
            wrong = {**case, "layout": {**case["layout"], "stride": ["+", case["layout"]["stride"], 1]}}
            cases = [wrong if n == number else c for n, c in enumerate(document["claim"]["cases"])]
            assert found_in(claiming(document, cases=cases), solver).verdict in ("refuted", "partly"), number


def test_never_is_confirmed_only_where_there_is_no_layout(solver) -> None:
    never = composition_conditions(parse("(3,4):(0,1)"), Layout((1, 8, 6), (1, 1, 8)))
    other = QUESTIONS["one equation"]().certificate()
    document = never.certificate()
    assert found_in(document, solver).verdict == "confirmed"
    assert is_right(document)
    assert found_in(claiming(other, cases=document["claim"]["cases"]), solver).verdict == "refuted"


GUARDS = ("b == 4*a", "b == 4*a and a >= 1", "a == a", "b == 4*a or b == 5")


@pytest.mark.sampled
@pytest.mark.parametrize("guard", GUARDS)
def test_guards_beside_layouts(guard, solver) -> None:
    """Whatever is changed, and confirmed all the same, is so: the verdict is right at the values."""
    answer = composition_conditions(parse("(4,6):(a,b)"), Layout(6))
    before = answer.compare(guard).certificate()
    assert found_in(before, solver).verdict == "confirmed"
    changed = Counter()
    for verdict in {"exact", "too strong", "too weak"} - {before["claim"]["verdict"]}:
        other = {"values": {"a": 1, "b": 4}, **before["claim"], "verdict": verdict}
        whole = answer.certificate()
        evidence = {**whole["evidence"], "cases": whole["claim"]["cases"]}
        found = found_in({**before, "claim": other, "evidence": evidence}, solver)
        assert found.wrong or (verdict == "exact" and found.open)
    for key, value in before["claim"].get("values", {}).items():
        for to in (value + 1, value - 1, None):
            values = {**before["claim"]["values"], key: to}
            found = found_in(claiming(before, values=values), solver)
            changed[found is not None and found.verdict] += 1
            if found is not None and found.verdict == "confirmed":
                weak = before["claim"]["verdict"] == "too weak"
                assert bool(eval(guard, dict(values))) == weak
                assert answer.holds(values) != weak
    assert not changed or changed["refuted"] + changed[False] > 0


@pytest.mark.dear
def test_odd_files_are_refused(solver) -> None:
    leaf = {"size": 4, "stride": "a"}
    deep: object = leaf
    for _ in range(900):
        deep = [deep]
    odd = (
        ("composition", [leaf]), ("coalesce", [leaf, leaf]), ("logical_divide", [leaf, leaf]), ("coalesce", []),
        ("coalesce", [deep]), ("coalesce", [None]), ("coalesce", [{"size": 0, "stride": 1}]), ("coalesce", [[4, 1]]),
        ("composition", [leaf, {"modes": [leaf, leaf]}]), ("composition", [leaf, {"modes": None}]),
        ("coalesce", [{"size": 4}]),
    )  # fmt: skip
    before = QUESTIONS["always"]().certificate()
    for operation, layouts in odd:
        assert found_in(claiming(before, operation=operation, layouts=layouts), solver) is None, (operation, layouts)
