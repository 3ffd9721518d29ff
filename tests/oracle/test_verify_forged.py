"""Changed certificates of every kind: what is confirmed is not false over small values."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from random import Random

import pytest

from symview.verify import BadCertificate

from . import answers, closed, decided, forged, stated


@pytest.mark.parametrize("kind", answers.KINDS)
def test_changed_certificates_that_are_confirmed_are_not_false(kind, turns) -> None:
    changes = len(turns(4))
    with forged.Recalled() as solver:
        found = forged.tried(kind, changes, 7, solver, forged.originals(kind, max(2, min(changes, forged.ORIGINALS))))
    assert not found.wrong, found.wrong[0]
    assert found.verdicts.total() == changes


@pytest.mark.parametrize("kind", answers.KINDS)
def test_statements_are_closed(kind, turns) -> None:
    """Whatever a changed certificate claims, its statement says which integers it is about, or there is none."""
    rng, right, found = Random(f"closed {kind}"), forged.originals(kind, 6), Counter[bool]()
    for n in range(40 + 10 * len(turns(20))):
        document = right[n] if n < len(right) else forged.changed(rng.choice(right), rng)[0]
        with suppress(BadCertificate):
            left = closed.free(stated.stated(document))
            found[not left] += 1
            assert not left, document
    assert found[True] >= len(right)


@pytest.mark.parametrize("kind", stated.KINDS)
def test_statements_of_changed_certificates_are_not_false_where_they_are_confirmed(kind, turns) -> None:
    """Nor true where they are refuted; and what is false is found, or this would find nothing."""
    seen = Counter[tuple[str, bool | None]]()
    with forged.Recalled() as solver:
        for verdict, found, document in stated.tried(kind, 20 + len(turns(80)), 5, solver, most=4):
            assert (verdict, found) not in stated.WRONG, document
            seen[verdict, found] += 1
    assert any(verdict == "confirmed" for verdict, _ in seen)
    assert seen["refuted", False] > 0


PAIR = {
    "pair": [{"shape": [2], "strides": [1], "offset": 0, "mask": None},
             {"shape": [2], "strides": [1], "offset": "a", "mask": None}],
    "facts": [[">=", "a", 0]]}  # fmt: skip
FALSE = {  # that brute force finds what is false, so that it would find it in what is confirmed
    "theorem": ({"claim": [">=", ["*", "x", "x"], "x"], "assume": []}, {"verdict": "proved"}, True),
    "theorem, false": ({"claim": ["<", ["%trunc", "x", 3], 2], "assume": []}, {"verdict": "proved"}, False),
    "premise, false": (
        {"claim": ["==", ["%", "x", "k"], 0], "assume": [[">", "k", 0]], "about": ["k"]},
        {"condition": True, "directions": "both"}, False),
    "rule, false": (
        {"instances": [{side: {"tensor": "x", "shape": ["n"], "steps": steps}
                        for side, steps in (("left", []), ("right", [["flip", 0]]))} | {"assume": [], "more": False}]},
        {"verdict": "proved"}, False),
    "layout, false": (
        {"operation": "coalesce", "layouts": [[{"size": 2, "stride": 1}, {"size": 3, "stride": 2}]]},
        {"layout": {"size": 6, "stride": 2}}, False),
    "stride_conditions, false": (
        {"view": {"shape": [2], "strides": ["a"], "offset": 0, "mask": None}, "property": "injective", "facts": []},
        {"cases": [{"where": True, "status": "always", "equations": []}]}, False),
    "conditions, false": (
        {"views": [{"shape": [2, 2], "strides": ["a", "b"], "offset": 0, "mask": None},
                   {"shape": [4], "strides": [1], "offset": 0, "mask": None}], "facts": []},
        {"cases": [{"where": True, "status": "never", "equations": [], "view": None}]}, False),
    "conditions, clauses are false": (
        {"views": [{"shape": [2], "strides": ["a"], "offset": 0, "mask": None}], "facts": []},
        {"cases": [{"where": True, "status": "always", "equations": [],
                    "view": {"shape": [2], "strides": ["a"], "offset": 0, "mask": None}}],
         "clauses": [[">", "a", 0]]}, False),
    "overlap": (PAIR, {"cases": [{"where": ["<", "a", 2], "status": "always", "equations": []},
                                 {"where": [">=", "a", 2], "status": "never", "equations": []}]}, True),
    "overlap, false": (PAIR, {"cases": [{"where": True, "status": "never", "equations": []}]}, False),
}  # fmt: skip


@pytest.mark.parametrize("name", FALSE)
def test_brute_force_finds_what_is_false(name) -> None:
    question, answer, right = FALSE[name]
    why = decided.FALSE[name.partition(",")[0]]({**question, **answer}, Random(0))
    assert (why is None) == right
