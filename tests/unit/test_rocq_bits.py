"""Shifts and bits as arithmetic: the same values, and facts that hold, decided by trying."""

from __future__ import annotations

from random import Random

from symview.rocq.bits import arithmetic
from symview.trusted.formulas import compiled


def expression(rng: Random, depth: int):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(("x", "y", rng.choice((-16, -8, -6, -1, 0, 1, 3, 7, 10))))
    op = rng.choice(("&", "&", "|", "^", "<<", ">>", "mask", "**", "+", "-"))
    left, exponent = expression(rng, depth - 1), rng.choice(("k", "j", 2))
    if op == "**":
        return (op, 2, exponent)
    if op == "mask":
        parts = [left, ("-", ("**", 2, exponent), 1)]
        return ("&", *(parts if rng.random() < 0.7 else parts[::-1]))
    return (op, left, exponent if op in ("<<", ">>") else expression(rng, depth - 1))


def test_the_formulas_mean_the_same_and_the_facts_hold(turns) -> None:
    rng, replaced, facts = Random(3), 0, 0
    for _ in turns(2000):
        formulas = [(">=", "k", 0), ("<=", 0, "j"), ("==", expression(rng, 3), expression(rng, 2))]
        if (found := arithmetic(formulas)) is None:
            continue
        replaced, facts = replaced + len(found.replaced), facts + len(found.facts)
        at = {"x": rng.randint(-40, 40), "y": rng.randint(-9, 40), "k": rng.randint(0, 5), "j": rng.randint(0, 3)}
        assert [compiled(f)(at) for f in found.formulas] == [compiled(f)(at) for f in formulas]
        assert all(compiled(a)(at) == compiled(b)(at) for a, b in found.replaced)
        assert all(compiled(fact.says)(at) for fact in found.facts)
    assert replaced > 1000 and facts > 1000


def test_exponents_that_may_be_negative_stay_as_they_are() -> None:
    assert arithmetic([("==", ("<<", "x", "k"), ("*", "x", ("**", 2, "k")))]) is None
    mask = ("-", ("**", 2, "k"), 1)
    found = arithmetic([("==", ("&", "x", mask), 0)])
    assert found.formulas == [("==", ("&", mask, "x"), 0)]  # in an order that both have
    assert [fact.lemma for fact in found.facts] == ["sv_land_le", "sv_land_le'"]
