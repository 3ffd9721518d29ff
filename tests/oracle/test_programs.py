"""Rules of programs against numpy, at every value of the names up to 4."""

from __future__ import annotations

from collections import Counter
from itertools import islice, product
from random import Random

from symview import InputError, Proved, Refuted, Unknown, prove

from . import program_brute as brute
from .program_pairs import pair

MOST = 4
POINTS = 120
REFUSED = ("never defined", "has two shapes", "stands on the right side alone")


def points(rule, rng: Random) -> list[dict[str, int]]:
    """Every value up to 4 of the names where these are few, else some of them."""
    names = [n for n in ("n", "m", "k", "a", "b", "c") if n in _words(str(rule))]
    lows = [1 if n in ("n", "m", "k") else -1 if n == "c" else 0 for n in names]
    whole = list(islice(product(*(range(low, MOST + 1) for low in lows)), 50_000))
    chosen = whole if len(whole) <= POINTS else rng.sample(whole, POINTS)
    return [dict(zip(names, values, strict=True)) for values in chosen]


def _words(text: str) -> set[str]:
    return set("".join(c if c.isalnum() else " " for c in text).split())


def test_rules_of_random_programs(turns) -> None:
    rng = Random("rules of programs")
    seen: Counter[str] = Counter()
    for _ in turns(120):
        try:
            left, right = pair(rng)
        except InputError:
            seen["ill-formed"] += 1
            continue
        rule = left == right
        wrong = [v for v in points(rule, rng) if brute.differs(str(left), str(right), v)]
        try:
            verdict = prove(rule, [f"{name} >= 0" for name in ("a", "b") if name in _words(str(rule))])
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
                if wrong and verdict.smallest:
                    least = min(sum(map(abs, v.values())) for v in wrong)
                    assert sum(map(abs, verdict.values.values())) <= least, (verdict, wrong)
            case Unknown():
                seen["unknown, wrong" if wrong else "unknown"] += 1
                continue
        seen[type(verdict).__name__] += 1
    assert seen["unknown, wrong"] == 0
    assert seen["Proved"] > 50
    assert seen["Refuted"] > 10
