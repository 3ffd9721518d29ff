"""Every theorem about lists in proofs/, along random lists: the folds are computed step by step as their texts say."""

from __future__ import annotations

import inspect
import random
from collections.abc import Callable
from contextlib import suppress

import pytest
import test_lists_of_dims as stated

from symview.errors import InputError
from symview.logic.terms import value_of
from symview.proof import NotProved, by_instance, by_list_induction, by_permutation, prove
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
            if along.order_of and along.order_of not in elements:
                return None  # the list that it reorders comes later
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


@pytest.mark.sampled
@pytest.mark.parametrize("name", [n for n in dir(stated) if n.startswith("test_")])
def test_what_is_proved_of_lists_holds_along_random_lists(name: str, turns: Callable[[int], range], full) -> None:
    for theorem in claimed_by(name):
        rng, seen = random.Random(theorem.statement), 0
        for _ in turns(200):
            holds = walked(theorem, rng)
            assert holds is not False
            seen += holds is not None
        assert seen >= 12 or not full, theorem.statement


STEPS = {
    "a": ["a + s", "a*s", "a + d", "a + b", "a + d*b", "a - s"],
    "b": ["b + s", "b*s", "b - d", "b + a*d", "b"],
    "c": ["c + s*d", "c + a", "c*s"],
}
EACH = ["s >= 1 and d >= 0", "s >= 1 and 0 <= d < s", "s == 2*d", "s % 2 == 1", "s >= 2"]


def some_theorems(rng: random.Random, count: int) -> list[Proved]:
    """Theorems about random folds, inductions and permutations."""
    found: list[Proved] = []
    while len(found) < count:
        folds = {f: (rng.choice("01n"), rng.choice(STEPS[f])) for f in rng.sample("abc", rng.choice([1, 2, 3]))}
        x, y, each = rng.choice(list(folds)), rng.choice([*folds, "0", "n"]), rng.choice(EACH)
        claim = rng.choice([f"{x} >= {y}", f"{x} == {y}", f"{x}*{x} >= {y}", f"{x} % 2 == {y} % 2"])
        with suppress(NotProved, InputError):
            given = rng.choice(["n >= 0", "n >= 1", ()])
            found.append(
                by_permutation(folds, each) if rng.random() < 0.2 else by_list_induction(claim, folds, each, given)
            )
    return found


def renamed(theorem: Proved, rng: random.Random) -> Proved:
    """The theorem with some of its names changed, also to names that others have."""
    folds = [f for along in theorem.lists for f in along.names()]
    values = {f: rng.choice("pqrabc") for f in folds if rng.random() < 0.3}
    if rng.random() < 0.3:
        values["n"] = rng.choice(["p", "q", "a", "b", "2", "n + 1", "m"])
    with suppress(InputError):
        return by_instance(theorem, values)
    return theorem


def test_what_follows_from_theorems_holds_along_random_lists(turns: Callable[[int], range], full, least) -> None:
    """Theorems in random combinations, with names in common that mean the same, or do not."""
    rng, proved, checked = random.Random("combined"), 0, 0
    pool = some_theorems(rng, 20)
    for _ in turns(400):
        by = [renamed(rng.choice(pool), rng) for _ in range(rng.choice([1, 2, 2, 3]))]
        x, y, z = rng.choices([*(f for t in by for along in t.lists for f in along.names()), "n", "m"], k=3)
        statement = rng.choice([f"{x} >= {y}", f"{x} >= 0", f"{x} == {y}", f"{x} + {y} >= {z}", f"{x}*{y} >= 0"])
        assume = rng.choice([(), "n >= 1", f"{y} >= 1", f"{x} == {z} and n >= 0", f"n >= 1 and {z} >= {y}"])
        with suppress(InputError):
            verdict = prove(statement, assume, by=by)
            if isinstance(verdict, Proved):
                seen = [walked(verdict, rng) for _ in range(40)]
                assert False not in seen, str(verdict)
                proved, checked = proved + 1, checked + (True in seen)
    assert proved >= least(20)
    if full:
        assert checked >= proved // 2
