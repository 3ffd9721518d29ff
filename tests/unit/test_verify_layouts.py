"""Certificates of operations on layouts of numbers: right ones are confirmed, and what is changed is not."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest
from claims import claimed
from mutated import mutations
from oracle import answers
from oracle.answers import ONE, TWO

from symview import cute
from symview.cute import Layout
from symview.errors import SymviewError
from symview.verify import BadCertificate, Solver, verify


@pytest.fixture(scope="module")
def solver():
    with Solver("cvc5", 60.0, work=1_000_000) as found:
        yield found


def certificate(operation: str, *given: Any) -> Any:
    return cute.certificate(operation, given, getattr(cute, operation)(*given))


def verdict(document: Any, solver: Solver) -> str:
    try:
        return verify(json.dumps(document), solver).verdict
    except BadCertificate:
        return "bad"


def test_random_operations_are_confirmed(turns, solver, least) -> None:
    rng, seen = Random("layouts"), Counter()
    for _ in turns(800):
        operation, given = answers.question(rng)
        try:
            claim = certificate(operation, *given)
        except SymviewError:
            continue
        seen[operation] += 1
        found = verify(json.dumps(claim), solver)
        assert found.verdict == "confirmed", (claim, found.wrong)
    assert min(seen[name] for name in (*ONE, *TWO)) > least(20), seen


def test_huge_layouts_are_confirmed(solver) -> None:
    a, b = Layout((10**6, 4, 10**9), (4, 1, 10**7)), Layout((1000, 4, 10**5), (1, 10**6, 4 * 10**6))
    for operation, given in (
        ("composition", (a, b)), ("coalesce", (a,)), ("logical_divide", (Layout((10**6, 6)), 1000)),
        ("complement", (Layout((10**6, 7), (1, 10**7)), 10**20)), ("zipped_product", (Layout((10**6, 7)), 10**12)),
    ):  # fmt: skip
        assert verdict(certificate(operation, *given), solver) == "confirmed", operation


QUESTIONS = {
    "composition": (Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))),
    "composition by mode": (Layout(((4, 2), 6), ((1, 16), 2)), (Layout(4, 2), None)),
    "coalesce": (Layout((2, (1, 6)), (1, (6, 2))),),
    "coalesce by mode": (Layout((2, (1, 6)), (1, (6, 2))), (1, 1)),
    "complement": (Layout((6, 3), (1, 9)), 72),
    "right_inverse": (Layout((4, 8), (8, 1)),),
    "left_inverse": (Layout((2, 4, 4, 6), (4, 1, 0, 8)),),
    "strict_left_inverse": (Layout((2, 2), (2, 3)),),
    "logical_divide": (Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)),
    "logical_divide by mode": (Layout((9, 4)), (3, None)),
    "zipped_divide": (Layout((4, (3, 2), 5)), (2, None)),
    "tiled_divide": (Layout((4, 6)), (2, 3)),
    "flat_divide": (Layout((4, ((2, 2), 3))), (2, (None, 3))),
    "logical_product": (Layout((2, 2), (4, 1)), Layout(6)),
    "zipped_product": (Layout((2, 3), (1, 2)), (2, 4)),
    "tiled_product": (Layout((2, 3), (1, 2)), (2, 4)),
    "flat_product": (Layout((2, 3), (1, 2)), (2, 4)),
    "blocked_product": (Layout((2, 5), (5, 1)), Layout((3, 4))),
    "raked_product": (Layout((2, 5), (5, 1)), Layout(3)),
}  # fmt: skip


def layout_of(x: Any) -> Layout:
    if isinstance(x, dict):
        return Layout(x["size"], x["stride"])
    return cute.make_layout([layout_of(m) for m in x])


def inverts(operation: str, a: Layout, k: Layout) -> bool:
    """The contracts of the inverses, index by index."""
    if operation == "right_inverse":
        return all(a(k(i)) == i for i in range(k.size()))
    twice = [(i, k(a(i))) for i in range(a.size())]
    return all(i == j if operation == "strict_left_inverse" else a(i) == a(j) for i, j in twice)


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_changed_claim_that_is_confirmed_is_so(name, solver) -> None:
    operation, changed = name.split()[0], 0
    before = certificate(operation, *QUESTIONS[name])
    assert verdict(before, solver) == "confirmed"
    for claim in mutations(before["claim"], nested=True):
        if claim == before["claim"]:
            continue
        if verdict({**before, "claim": claim}, solver) not in ("confirmed", "partly"):
            changed += 1
            continue
        given = [tiler_of(x) for x in claim["layouts"]]
        given[1:] = [whole(x) if operation == "coalesce" else x for x in given[1:]]
        if "inverse" in name:
            assert inverts(operation, given[0], layout_of(claim["layout"])), claim
        else:
            again = certificate(operation, *given, *[claim[k] for k in claim if k == "bound"])
            assert again["claim"]["layout"] == claim["layout"], claim
    assert changed > 5


@pytest.mark.parametrize("name", [name for name, given in QUESTIONS.items() if len(given[0]) > 1])
def test_changed_parts_are_not_enough(name, solver) -> None:
    before = certificate(name.split()[0], *QUESTIONS[name])
    for evidence in mutations(before["evidence"], nested=True):
        if evidence != before["evidence"]:
            assert verdict({**before, "evidence": evidence}, solver) in ("bad", "refuted", "partly"), evidence


def tiler_of(x: Any) -> Any:
    if isinstance(x, dict) and "modes" in x:
        return tuple(map(tiler_of, x["modes"]))
    return x if x is None else layout_of(x)


def whole(profile: Any) -> Any:
    return tuple(map(whole, profile)) if isinstance(profile, tuple) else 1


def test_other_operations_are_no_certificates(solver) -> None:
    """Each operation takes so many layouts, and files nested deep or with other things in them are refused."""
    a, deep = [4, 1], [4, 1]
    for _ in range(900):
        deep = [deep]
    odd = (
        ("composition", [a]), ("left_inverse", [a, a]), ("nothing", [a]), ("blocked_divide", [a, a]), ("coalesce", []),
        ("composition", [a, {"modes": [a, a]}]), ("composition", [None, a]), ("raked_product", [a, None]),
        ("composition", [a, {"modes": 1}]), ("coalesce", [deep]), ("coalesce", [[a, None]]), ("coalesce", [[a, 1]]),
        ("coalesce", [[0, 1]]), ("coalesce", [[4, "x"]]), ("complement", [a]), ("coalesce", [{"modes": [a]}]),
    )  # fmt: skip
    for operation, layouts in odd:
        layout = {"size": 4, "stride": 1}
        document = claimed("layout", operation=operation, layouts=layouts, layout=layout, parts=[{"layout": a}])
        assert verdict(document, solver) == "bad", (operation, layouts)


def test_a_certificate_names_what_it_was_asked_of() -> None:
    for operation, given in (("composition", [Layout(4)]), ("left_inverse", [Layout(4), 4]), ("coalesce", [])):
        with pytest.raises(cute.LayoutError, match="give its operands"):
            cute.certificate(operation, given, Layout(4))
