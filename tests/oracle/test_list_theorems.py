"""Every theorem about lists in proofs/, along random lists: the folds are computed step by step as their texts say."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable

import pytest
import test_lists_of_dims as stated

from symview.logic.terms import value_of
from symview.proof.lists import Folds
from symview.proof.verdicts import Proved

LENGTH, TRIES = 4, 150


def claimed_by(name: str) -> list[Proved]:
    """What a test of the file claims."""
    found = inspect.unwrap(getattr(stated, name))()
    return [found] if isinstance(found, Proved) else list(found)


def elements_met(along: Folds, at: dict[str, int], rng: random.Random, length: int) -> list[dict[str, int]]:
    """Random elements that meet `each`, one after the other, as far as such are found; the folds go along in `at`."""
    found: list[dict[str, int]] = []
    for _ in range(TRIES):
        element = {n: rng.choice([0, 0, 1, 1, 2, 3, 4, 6, -1, -2, rng.randint(-9, 12)]) for n in along.element}
        if len(found) < length and all(value_of(e, at | element) for e in along.each):
            found.append(element)
            step(along, at, element)
    return found


def step(along: Folds, at: dict[str, int], element: dict[str, int]) -> None:
    """The folds after one element more."""
    at |= {f.name: int(value_of(f.later, at | element)) for f in along.folds}


def walked(theorem: Proved, rng: random.Random) -> bool | None:
    """Whether the statement holds for random values and lists; None where the assumptions do not."""
    query = theorem.query
    assert query is not None
    folds = {f for along in theorem.lists for f in along.names()}
    fixed = {*query.names(), *(n for along in theorem.lists for n in along.fixed())} - folds
    at = {n: rng.choice([0, 1, 1, 2, 3, 5, rng.randint(-6, 30)]) for n in sorted(fixed)}
    elements: dict[str, list[dict[str, int]]] = {}
    for along in theorem.lists:
        try:
            at |= {f.name: int(value_of(f.first, at)) for f in along.folds}
            if along.order_of:
                again = rng.sample(elements[along.order_of], len(elements[along.order_of]))
                for element in again:
                    step(along, at, element)
            else:
                again = elements_met(along, at, rng, rng.randint(0, LENGTH))
            elements |= dict.fromkeys(along.names(), again)
        except ZeroDivisionError:
            return None  # a fixed name is 0, which `given` excludes
    try:
        if not all(value_of(a.term, at) for a in query.assumptions):
            return None
    except ZeroDivisionError:
        return None
    return bool(value_of(query.claim.term, at))


@pytest.mark.parametrize("name", [n for n in dir(stated) if n.startswith("test_")])
def test_what_is_proved_of_lists_holds_along_random_lists(name: str, turns: Callable[[int], range]) -> None:
    for theorem in claimed_by(name):
        rng, seen = random.Random(theorem.statement), 0
        for _ in turns(900):
            holds = walked(theorem, rng)
            assert holds is not False
            seen += holds is not None
        assert seen >= 30, theorem.statement
