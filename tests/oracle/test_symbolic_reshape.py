"""Reshapes with symbolic sizes: the conditions at every small size and many strides, by walking the elements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from math import prod
from random import Random

import pytest
import z3

from oracle import parametric
from oracle.parametric import Cases, Reshape, at, compiled
from oracle.reshape_patterns import PATTERNS, Pattern
from symview import Conditions, InputError, Status, View, reshape_conditions
from symview.logic import z3_door as smt
from symview.logic.notation import parse_statement
from symview.logic.terms import Term, value_of
from symview.view_notation import read_shape

CHOICES = 12
EVERY = 60  # the values of up to three names from 1 to 5; of more than that only so many, but with more effort all
ELEMENTS = 8000


@lru_cache(maxsize=1024)
def ask(reshape: Reshape) -> Conditions:
    shape = read_shape(f"({','.join(reshape.shape)})")
    return reshape_conditions(View.parse(str(reshape.view)), shape, assume=reshape.assume)


def answered(reshape: Reshape) -> Conditions | None:
    """The answer; None where the sizes are refused, since they never agree."""
    try:
        return ask(reshape)
    except InputError:
        assert all(reshape.target(values) is None for values in admitted(reshape, reshape.ranges())), reshape
        return None


def admitted(reshape: Reshape, ranges) -> list[dict[str, int]]:
    """The sizes that are as they should be and at which what is assumed of them is true."""
    about = [text for text in reshape.assume if set(parametric.names_in(text)) <= set(ranges)]
    found = [v for v in parametric.all_values(ranges) if reshape.fits(v) and all(at(text, v) for text in about)]
    return [values for values in found if prod(reshape.old(values)) <= ELEMENTS]


def choices(rng: Random, reshape: Reshape, values: dict[str, int]) -> Iterator[dict[str, int]]:
    """Strides that what is assumed allows."""
    found = 0
    for given in parametric.stride_choices(rng, reshape.view, values, 5 * CHOICES):
        if all(at(text, given) for text in reshape.assume):
            found += 1
            yield given
        if found == CHOICES:
            return


def check(rng: Random, reshape: Reshape, found: Conditions, points: list[dict[str, int]], asks: int) -> Counter:
    """Cases, equations, views and the formula everywhere; `holds` itself so many times."""
    cases, formula, seen, tried = Cases(found), compiled(found.formula()), Counter(), []
    for values in points:
        target = reshape.target(values)
        status = cases.at(values).status
        assert status is not Status.UNDECIDED, (reshape, values)
        seen[status] += 1
        for given in choices(rng, reshape, values):
            expected = parametric.reshaped(reshape.view.at(given), target)
            right = expected is not None
            assert cases.holds(given) == right, (reshape, given, cases.at(given))
            assert formula(given) == right, (reshape, given, found.formula())
            if expected is not None:
                cases.check_view(given, target, expected)
            seen[right] += 1
            tried.append((given, right))
    for given, right in parametric.some(rng, tried, asks):
        assert found.holds(given) == right, (reshape, given)
    seen["points"] += len(tried)
    return seen


# The patterns


@pytest.mark.dear
def test_the_patterns_are_many_and_the_answers_known_of_them_right() -> None:
    """Against the walk alone, so that the oracle and what people say agree."""
    assert len(PATTERNS) >= 100
    assert len({p.name for p in PATTERNS}) == len({p[1:6] for p in PATTERNS}) == len(PATTERNS)
    rng, seen = Random("answers"), Counter()
    for pattern in PATTERNS:
        if pattern.answer is None:
            continue
        reshape = pattern.reshape()
        for values in parametric.some(rng, admitted(reshape, pattern.ranges()), 40):
            for given in choices(rng, reshape, values):
                right = parametric.reshaped(reshape.view.at(given), reshape.target(values)) is not None
                assert at(pattern.answer, given) == right, (pattern, given)
                seen[right] += 1
    assert min(seen[True], seen[False]) > 4000, seen


@pytest.mark.sampled
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)
def test_a_pattern_at_every_small_size(pattern: Pattern, effort) -> None:
    reshape, rng = pattern.reshape(), Random(pattern.name)
    points = admitted(reshape, pattern.ranges())
    points = points if effort > 1 else parametric.some(rng, points, EVERY)
    assert points
    seen = check(rng, reshape, ask(reshape), points, 15 * effort)
    if pattern.answer == "True":
        assert not seen[False]
    elif pattern.answer == "False":
        assert not seen[True]
    else:
        assert seen[True]
    assert seen["points"] >= (len(points) if pattern.assume else CHOICES * len(points))


def test_the_same_pattern_by_its_known_answer() -> None:
    """Where the answer always or never is known, the only case says so."""
    for pattern in PATTERNS:
        if pattern.answer in ("True", "False") and not pattern.assume and "-1" not in pattern.shape:
            found = ask(pattern.reshape())
            wanted = Status.ALWAYS if pattern.answer == "True" else (Status.NEVER, Status.OUT_OF_BOUNDS)
            assert {case.status for case in found.cases} <= {wanted} if isinstance(wanted, str) else set(wanted)


# Random reshapes


def test_random_reshapes_at_every_small_size(turns, full, least) -> None:
    rng, seen, views = Random("random reshapes"), Counter(), Counter()
    for _ in turns(40):
        reshape = parametric.reshape(rng)
        points, found = parametric.some(rng, admitted(reshape, reshape.ranges()), 60), answered(reshape)
        if found is None:
            views["refused"] += 1
            continue
        reached = check(rng, reshape, found, points, 12)
        views.update(set(reached))
        views["assumed"] += bool(reshape.assume)
        seen.update(reached)
    assert min(seen[True], seen[False]) > least(1500), seen
    if full:
        assert min(views[s] for s in (Status.ALWAYS, Status.WHEN, "assumed")) > 10, views
        assert views[Status.NEVER] > 2, views
        assert views["refused"] < len(turns(40)) // 10, views


# The printed formula


def facts(reshape: Reshape) -> list[Term]:
    """That sizes are positive, or not negative where that is assumed, and the assumptions."""
    zero = {text.removesuffix(" >= 0") for text in reshape.assume}
    sizes = [text for text in (*reshape.view.shape, *reshape.shape) if text != "-1"]
    least = [f"{text} >= {0 if zero.intersection(parametric.names_in(text)) else 1}" for text in sizes]
    return [parse_statement(text) for text in (*least, *reshape.assume)]


def literals(clause: Term) -> tuple[Term, ...]:
    return clause.args if clause.op == "or" else (clause,)


def implied(known: list, claim) -> bool:
    """Whether Z3 shows it within its budget."""
    solver = z3.Solver()
    solver.set("rlimit", 2_000_000)
    solver.add(*known, z3.Not(claim))
    return solver.check() == z3.unsat


def superfluous(found: Conditions, known: list[Term]) -> list[str]:
    """Clauses that follow from the others, and literals that can go, as texts."""
    names: dict = {}
    base = [smt.to_z3(t, names) for t in known]
    clauses = [[smt.to_z3(x, names) for x in literals(clause)] for clause in found.clauses]
    wholes = [z3.Or(clause) for clause in clauses]
    bad = []
    for n, clause in enumerate(clauses):
        others = base + wholes[:n] + wholes[n + 1 :]
        if implied(others, wholes[n]):
            bad.append(f"clause {wholes[n]}")
            continue
        for m in range(len(clause)) if len(clause) > 1 else ():
            if implied([*others, wholes[n]], z3.Or(clause[:m] + clause[m + 1 :])):
                bad.append(f"{clause[m]} of {wholes[n]}")
    return bad


@pytest.mark.sampled
@pytest.mark.parametrize("pattern", PATTERNS, ids=lambda p: p.name)
def test_no_clause_and_no_literal_can_be_left_out(pattern: Pattern) -> None:
    reshape = pattern.reshape()
    found = ask(reshape)
    if not reshape.sizes():
        assert found.clauses is None
        return
    assert all(literal.is_formula() for clause in found.clauses for literal in literals(clause))
    assert not superfluous(found, facts(reshape))


def test_hardly_any_clause_of_a_random_reshape_can_be_left_out(turns, capsys, full, least) -> None:
    """What Z3 finds and the engine does not are relations between products; no case without them is lost."""
    rng, seen = Random("needless"), Counter()
    for _ in turns(25):
        reshape = parametric.reshape(rng)
        found = answered(reshape)
        if found is not None and reshape.sizes():
            seen[bool(superfluous(found, facts(reshape)))] += 1
            seen["clauses"] += len(found.clauses)
    with capsys.disabled():
        print(f"\nrandom reshapes with something needless in the formula: {seen[True]} of {seen[True] + seen[False]}")
    assert seen["clauses"] > least(25)
    if full:
        assert seen[True] <= seen[False] // 15, seen


def test_the_clauses_say_what_holds(turns) -> None:
    rng, seen = Random("clauses"), Counter()
    reshapes = [p.reshape() for p in PATTERNS if not p.zero and p.reshape().sizes()][::6]
    reshapes += [parametric.reshape(rng) for _ in turns(12)]
    for reshape in reshapes:
        found = answered(reshape)
        if found is None:
            continue
        clauses = [term_at(clause) for clause in found.clauses or ()]
        points = admitted(reshape, reshape.ranges(4))
        for values in parametric.some(rng, points, 20):
            for given in choices(rng, reshape, values):
                right = parametric.reshaped(reshape.view.at(given), reshape.target(values)) is not None
                assert all(clause(given) for clause in clauses) == right, (reshape, given, found.clauses)
                seen[right] += 1
        seen["clauses"] += len(clauses)
    assert min(seen[True], seen[False]) > 400, seen
    assert seen["clauses"] > len(reshapes) / 2


def term_at(term: Term):
    return lambda values: value_of(term, values)
