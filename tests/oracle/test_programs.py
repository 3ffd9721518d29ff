"""Rules of programs against numpy, at every value of the names up to 4."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import islice, product
from random import Random

import pytest

from symview import InputError, Proved, Refuted, Unknown, prove
from symview.rules.programs.any_rank import instances
from symview.rules.programs.program import Rule
from symview.rules.programs.proving import program_of

from . import program_brute as brute
from .any_rank_programs import random_rule
from .program_pairs import pair

MOST = 4
POINTS = 120
RANGES = ("a >= 0", "b >= 0", "k >= 1")
ASSUMED = (
    "n == m", "n % 2 == 0", "m == 2*n", "k == n*m", "a <= n", "n == 2*k or m == 1", "n % k == 0", "a < n and b <= m",
    "n >= 0", "a == b", "k == 1 or k == 2", "n != m", "n//2 == 1", "m % n == 0", "a % 2 == 0",
)  # fmt: skip
NUMBERS = {"0", "1", "2", "or", "and"}
REFUSED = ("never defined", "has two shapes", "stands on the right side alone")


def points(rule, rng: Random, assumed: list[str]) -> list[dict[str, int]]:
    """Every value up to 4 of the names where these are few, else some of them."""
    names = [n for n in ("n", "m", "k", "a", "b", "c") if n in _words(str(rule))]
    lows = [0 if f"{n} >= 0" in assumed else 1 if n in ("n", "m", "k") else -1 if n == "c" else 0 for n in names]
    whole = list(islice(product(*(range(low, MOST + 1) for low in lows)), 50_000))
    chosen = whole if len(whole) <= POINTS else rng.sample(whole, POINTS)
    return [dict(zip(names, values, strict=True)) for values in chosen]


def _words(text: str) -> set[str]:
    return set("".join(c if c.isalnum() else " " for c in text).split())


def test_rules_of_random_programs(turns, full) -> None:
    rng = Random("rules of programs")
    seen: Counter[str] = Counter()
    for _ in turns(60):
        try:
            left, right = pair(rng)
        except InputError:
            seen["ill-formed"] += 1
            continue
        rule = left == right
        assumed = rng.sample(ASSUMED, rng.choice((0, 0, 1, 2)))
        assumed = [text for text in (*RANGES, *assumed) if _words(text) - NUMBERS <= _words(str(rule))]
        allowed = [
            v for v in points(rule, rng, assumed) if all(eval(text, {}, v) for text in assumed)
        ]  # the texts above
        wrong = [v for v in allowed if brute.differs(str(left), str(right), v)]
        try:
            verdict = prove(rule, assumed)
        except InputError as error:
            assert any(reason in str(error) for reason in REFUSED), rule  # noqa: PT017
            assert wrong or REFUSED[0] in str(error) or REFUSED[1] in str(error), rule  # noqa: PT017
            seen["refused"] += 1
            continue
        match verdict:
            case Proved():
                assert not wrong, (rule, wrong[0])
            case Refuted():
                assert brute.differs(str(left), str(right), verdict.values), verdict
                assert all(eval(text, {}, verdict.values) for text in assumed), verdict
                if wrong and verdict.smallest:
                    least = min(sum(map(abs, v.values())) for v in wrong)
                    assert sum(map(abs, verdict.values.values())) <= least, (verdict, wrong)
            case Unknown():
                seen["unknown, wrong" if wrong else "unknown"] += 1
                continue
        seen[type(verdict).__name__] += 1
    assert seen["unknown, wrong"] == 0
    if full:
        assert seen["Proved"] > 25
        assert seen["Refuted"] > 5


def _wrong_somewhere(rule, rng: Random) -> dict[str, int] | None:
    """Values at which the sides differ, with up to three further dims."""
    wrong = None
    for rank in (0, 1, 1, 2, 2, 2, 3, 3):
        for _ in range(12):
            values = {"n": rng.randint(1, 3), "m": rng.randint(1, 3)}
            for d in range(rank):
                values |= {f"s{d}": rng.randint(1, 3), f"a{d}": rng.randint(0, 2), f"b{d}": rng.randint(0, 2)}
                values[f"c{d}"] = rng.randint(1, 3)
            if brute.differs(*rule.sides(rank), values):
                wrong = values
    return wrong


def test_rules_of_any_rank(turns, full, least) -> None:
    """What is proved holds with up to three further dims of their own sizes; what is wrong there is not proved."""
    rng = Random("rules of any rank")
    seen: Counter[str] = Counter()
    for _ in turns(60):
        rule = random_rule(rng)
        assume = [f for f in ("a >= 0", "b >= 0", "c >= 1") if re.search(rf"\b{f[0]}\b", rule.text(None))]
        try:
            verdict = prove(rule.text(None), assume)
        except InputError:
            seen["refused"] += 1
            continue
        seen[type(verdict).__name__] += 1
        wrong = _wrong_somewhere(rule, rng)
        match verdict:
            case Proved():
                assert wrong is None, (rule.text(None), wrong)
            case Refuted():
                found = verdict.values
                rank = int("s" in found)
                values = {f"{k}0" if k in "sabc" else k: v for k, v in found.items()}
                assert brute.differs(*rule.sides(rank), values), (rule.text(None), verdict)
            case Unknown():
                assert wrong is None, (rule.text(None), wrong)
    assert seen["Unknown"] < 3
    assert seen["Proved"] > least(20)
    if full:
        assert seen["Refuted"] > 7


def test_certificates_of_any_rank(turns, full) -> None:
    """What is claimed of a rule, right or wrong, is confirmed only where the arrays agree at every number of dims."""
    checker = pytest.importorskip("symview.verify")
    rng = Random("certificates of any rank")
    seen: Counter[str] = Counter()
    sound = prove("x(...,n).flip(-1).flip(-1) == x(...,n)").certificate()
    sound["evidence"].pop("refutations", None)
    with checker.Solver("cvc5", 60.0, work=300_000) as solver:
        for _ in turns(30):
            rule = random_rule(rng)
            try:
                *_, one = instances(Rule.parse(rule.text(None)), [])
            except InputError:
                continue
            sides = {"left": program_of(one.rule.left), "right": program_of(one.rule.right)}
            given = [*[[">=", size, 1] for size in "snmc"], [">=", "a", 0], [">=", "b", 0]]
            sound["claim"]["instances"] = [{**sides, "assume": given, "more": one.dims == 1}]
            if one.dims is None:
                continue
            try:
                found = checker.verify(json.dumps(sound), solver).verdict
            except checker.BadCertificate:
                found = "bad"
            wrong = _wrong_somewhere(rule, rng)
            seen[f"{found}, {'wrong' if wrong else 'right'}"] += 1
            assert found != "confirmed" or wrong is None, (rule.text(None), wrong)
    if full:
        assert seen["confirmed, right"] > 15
        assert seen["refuted, wrong"] > 3
