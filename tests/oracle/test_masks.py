"""Masks on either side: `merge` and `conditions` against brute force over whole boxes."""

from __future__ import annotations

from collections import Counter
from functools import partial
from itertools import product
from math import prod
from random import Random

import pytest
from bridge import named, view
from bridge_chains import WAYS, agrees, as_oracle, chosen, genuine, meaning, points, symbolic, views

from oracle import brute, masked, programs
from oracle.brute import V
from oracle.masked import DISAGREE, EMPTY, EXTRA, MISSING
from symview import Budget, Counterexample, OutOfBounds, Status, Undecided, View, conditions, merge
from symview.engine import presburger

GENERATORS = {
    "masked_pair": (programs.masked_pair, 4200),
    "masked_accidental": (programs.masked_accidental, 200),
    "program_pair": (programs.program_pair, 600),
    "medium_pair": (programs.medium_pair, 250),
}
OUTCOMES = ("view", "empty", DISAGREE, EXTRA, MISSING)


# The oracle itself


def test_the_theorem_against_all_single_views(turns, least) -> None:
    """One view exists exactly where the valid indices are a box on which the chain is affine, or there are none."""
    rng, seen = Random("single views"), Counter()
    for _ in turns(400):
        chain = (programs.masked_pair, programs.masked_chain, programs.program_pair)[rng.randrange(3)](rng)
        if prod(chain[-1].shape) > 9 or len(chain[-1].shape) > 2:
            continue
        found, decided = masked.values(chain), masked.decide(chain)
        one = next(masked.single_views(chain[-1].shape, found), None)
        assert (one is None) == isinstance(decided, masked.Fails)
        if one is not None:
            assert masked.difference([one], chain) is None
            assert masked.difference([masked.as_view(one.shape, decided)], chain) is None
        seen[one is None] += 1
    assert min(seen.values()) > least(20)


def test_the_oracle_without_masks_is_the_unmasked_oracle() -> None:
    rng = Random("unmasked")
    for _ in range(300):
        first = programs.outer(rng)._replace(mask=None)
        second = programs.inner(rng, first.shape)._replace(mask=None)
        try:
            plain = brute.merge(first, second)
        except brute.OutOfBounds:
            with pytest.raises(brute.OutOfBounds):
                masked.decide((first, second))
            continue
        found = masked.decide((first, second))
        if isinstance(plain, brute.Broken):
            assert found == masked.Fails(DISAGREE, plain.index, plain.expected, plain.got)
        elif 0 in second.shape:
            assert found == masked.Nowhere()
        else:
            assert (found.strides, found.start) == (plain.strides, plain.offset)


def test_programs_mean_what_their_chains_mean(turns, full) -> None:
    rng, lengths = Random("programs"), Counter()
    for _ in turns(300):
        program = programs.program(rng)
        chain = programs.chain(program)
        assert masked.values(chain) == programs.table(program)
        lengths[min(len(chain), 3)] += 1
    if full:
        assert min(lengths[n] for n in (1, 2, 3)) > 10


@pytest.mark.parametrize("name", ["masked_pair", "masked_accidental", "masked_chain", "program_pair", "large_pair"])
def test_the_same_seed_gives_the_same_views(name) -> None:
    make = getattr(programs, name)
    one, other = Random(name), Random(name)
    assert [make(one) for _ in range(30)] == [make(other) for _ in range(30)]


def test_what_masked_pairs_reach() -> None:
    rng, seen, total = Random("reach"), Counter(), 3000
    for _ in range(total):
        outer, inner = programs.masked_pair(rng)
        for side, v in (("outer", outer), ("inner", inner)):
            seen[f"{side} without mask"] += v.mask is None
            seen[f"{side} masked"] += v.mask not in (None, EMPTY)
            seen[f"{side} without dims and empty"] += v.shape == () and v.mask == EMPTY
            seen[f"{side} of size 0"] += 0 in v.shape
            seen[f"{side} with a dim of size 1"] += 1 in v.shape
            if v.mask not in (None, EMPTY):
                seen[f"{side} with one index"] += any(
                    hi - lo == 1 < n for (lo, hi), n in zip(v.mask, v.shape, strict=True)
                )
                seen[f"{side} with an empty dim"] += any(lo == hi for lo, hi in v.mask)
        places = [brute.address(inner._replace(mask=None), index) for index in brute.indices(inner.shape)]
        seen["hidden part out of bounds"] += not all(0 <= x < prod(outer.shape) for x in places)
    least = {
        "outer without mask": 0.1, "outer masked": 0.5, "outer without dims and empty": 0.0003,
        "inner without mask": 0.2, "inner masked": 0.3, "inner without dims and empty": 0.0003,
        "outer of size 0": 0.002, "inner of size 0": 0.005,
        "outer with a dim of size 1": 0.15, "inner with a dim of size 1": 0.1, "outer with one index": 0.1,
        "inner with one index": 0.03, "outer with an empty dim": 0.005, "inner with an empty dim": 0.001,
        "hidden part out of bounds": 0.1,
    }  # fmt: skip
    assert not {name: seen[name] / total for name, share in least.items() if seen[name] < share * total}


# merge


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GENERATORS)
def test_merge_is_the_oracle_s(name, way, turns, full) -> None:
    make, usual = GENERATORS[name]
    rng, seen = Random(f"masks {name} {way}"), Counter()
    for _ in turns(usual // 3):
        seen[agrees(make(rng), partial(merge, budget=WAYS[way]))] += 1
    least = 5 if name in ("masked_pair", "program_pair") else 0
    if full:
        assert not {kind: seen[kind] for kind in OUTCOMES if seen[kind] < least}


OUTER_SHAPES = [(), (2,), (3,), (4,), (1, 2), (2, 1), (2, 2), (2, 3), (3, 2)]
INNER_SHAPES = [(), (1,), (2,), (3,), (4,), (1, 2), (2, 2)]


def small_inner(size: int):
    """Every view of the inner shapes, strides from −1 to 3, that stays inside `size` places."""
    for shape in INNER_SHAPES:
        yield from programs.views(shape, (-1, 0, 1, 2, 3) if len(shape) < 2 else (-1, 1, 2, 3), size)


@pytest.mark.sampled
@pytest.mark.parametrize("shape", OUTER_SHAPES)
def test_every_small_pair(shape, effort) -> None:
    """All masks, strides 1 to 3 (0 to 3 of one dim) outside; all masks, offsets, strides within bounds inside."""
    strides = (1, 2, 3) if len(shape) > 1 else (0, 1, 2, 3)
    outers, inners = list(programs.views(shape, strides)), list(small_inner(prod(shape)))
    ours = [view(v) for v in inners]
    for a, outer in enumerate(outers):
        first = view(outer)
        # Each outer view meets a part of the inner ones, another part than its neighbours.
        for b in range(len(inners)):
            if not chosen(7 * a + b, effort):
                continue
            expected, found = masked.decide((outer, inners[b])), merge(first, ours[b])
            if isinstance(expected, masked.Fails):
                assert isinstance(found, Counterexample), (outer, inners[b])
                assert (found.kind, found.index, found.expected, found.got) == (
                    expected.kind, expected.index, expected.expected, expected.got
                ), (outer, inners[b])  # fmt: skip
            else:
                assert found == view(masked.as_view(inners[b].shape, expected)), (outer, inners[b])


class Counting:
    """Counts the questions about integer points."""

    def __init__(self, monkeypatch) -> None:
        self.calls = 0
        for name in ("point", "least"):
            monkeypatch.setattr(presburger, name, self._counted(getattr(presburger, name)))

    def _counted(self, plain):
        def ask(*args, **kwargs):
            self.calls += 1
            return plain(*args, **kwargs)

        return ask


def test_each_answer_comes_both_with_and_without_integer_points(monkeypatch, turns) -> None:
    rng, seen, counting = Random("stages"), Counter(), Counting(monkeypatch)
    for _ in turns(800):
        pair = (programs.masked_pair, programs.program_pair)[rng.random() < 0.2](rng)
        counting.calls = 0
        found = merge(*views(pair), budget=WAYS["searched"])
        by = "integer points" if counting.calls else "arithmetic"
        if isinstance(found, View):
            seen["empty" if found.is_void() else "view", by] += 1
        else:
            seen[found.kind, by] += 1
    kinds = [(kind, "integer points") for kind in ("view", "empty", EXTRA, MISSING)]
    kinds += [(kind, "arithmetic") for kind in ("view", "empty", DISAGREE)]
    assert not {kind: seen[kind] for kind in kinds if seen[kind] < (1 if kind == ("empty", "integer points") else 5)}


def test_both_ways_are_taken_where_the_size_says_so(monkeypatch) -> None:
    """A padded square, flattened: its rows leave windows that arithmetic alone does not settle."""
    counting = Counting(monkeypatch)
    for n, query in ((10, False), (1000, True)):
        v = View((n, n)).pad([(0, 0), (0, 2)])
        counting.calls = 0
        found = merge(v, View((n * (n + 2),)))
        assert bool(counting.calls) == query
        assert (found.kind, found.index) == (EXTRA, (n + 2,))


def test_without_islpy_the_answers_are_the_same(monkeypatch, turns, full) -> None:
    monkeypatch.setattr(presburger, "_isl", lambda: None)
    rng, seen = Random("no isl"), Counter()
    for _ in turns(90):
        seen[agrees(programs.masked_pair(rng), partial(merge, budget=WAYS["searched"]))] += 1
    if full:
        assert min(seen[kind] for kind in ("view", DISAGREE, EXTRA)) > 2


@pytest.mark.parametrize("work", [1, 20_000])
def test_a_small_budget_never_changes_an_answer(work, turns) -> None:
    rng, seen = Random("budget"), Counter()
    for _ in turns(300):
        chain = (programs.program_pair, programs.masked_pair, programs.masked_chain)[rng.randrange(3)](rng)
        expected = masked.decide(chain)
        try:
            found = merge(*views(chain), budget=Budget(work=work, points=1))
        except Undecided:
            seen["undecided"] += 1
            continue
        assert bool(found) == (not isinstance(expected, masked.Fails))
        if not found:
            assert found.kind == expected.kind
            assert (found.index == expected.index) or not found.smallest
        seen[bool(found)] += 1
    assert min(seen[True], seen[False], seen["undecided"] if work == 1 else 9) > 8


def test_out_of_bounds_where_the_inner_mask_is_open(turns) -> None:
    """Addresses count where the inner mask is open, whatever the outer mask says there."""
    rng, seen = Random("bounds"), Counter()
    for _ in turns(500):
        outer, inner = programs.masked_pair(rng)
        inner = inner._replace(offset=inner.offset + rng.choice((-4, -1, 1, 1, 3)))
        if masked.is_void(inner) or 0 in inner.shape or inner.mask == EMPTY:
            continue
        try:
            masked.values((outer, inner))
        except brute.OutOfBounds:
            with pytest.raises(OutOfBounds) as error:
                merge(view(outer), view(inner))
            index, address = error.value.index, error.value.address
            assert masked.address(inner, index) == address
            assert not 0 <= address < prod(outer.shape)
            seen["outside"] += 1
        else:
            agrees((outer, inner))
            seen["inside"] += 1
    assert min(seen.values()) > 50


def test_the_fully_masked_view_without_dims(turns) -> None:
    nothing = V((), (), 0, EMPTY)
    rng = Random("no dims")
    for _ in turns(60):
        outer, inner = programs.masked_pair(rng)
        if prod(outer.shape):
            assert agrees((outer, nothing)) == "empty"
        agrees((outer._replace(mask=EMPTY), inner))
    assert merge(View((), (), 0, "empty"), View((3,), (0,))) == View.empty((3,))
    assert merge(View((2,)), View((), (), 1, "empty")) == View((), (), 0, "empty")
    assert merge(View((2,)), View((), (), 1)) == View((), (), 1)
    assert merge(View((), (), 5), View((2, 2), (0, 0))) == View((2, 2), (0, 0), 5)


# conditions


def random_strides(rng: Random, outer: V, equations: bool) -> tuple[int, ...]:
    """Random small strides, or contiguous ones, or contiguous with one changed: conditions hold now and then."""
    plain = list(brute.place_values(outer.shape))
    kind = rng.random()
    if not equations or kind < 0.35:
        return tuple(rng.randint(-3, 3) for _ in plain)
    scale = rng.choice((-1, 1, 2))
    plain = [scale * s for s in plain]
    if kind < 0.75 and plain:
        plain[rng.randrange(len(plain))] += rng.choice((-1, 1, 2))
    return tuple(plain)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", ["masked_pair", "program_pair", "masked_chain", "program_chain"])
def test_conditions_hold_where_brute_force_merges(name, way, turns, full) -> None:
    rng, seen = Random(f"conditions {name} {way}"), Counter()
    for turn in turns(50 if way == "walked" else 30):
        outer, *others = getattr(programs, name)(rng)
        valid = masked.decide((outer._replace(strides=brute.place_values(outer.shape)), *others))
        engine = ("auto", "auto", "enumerate", "smt")[turn % 4]
        budget = WAYS["walked" if engine == "enumerate" else way]
        found = conditions(symbolic(outer), *views(others), engine=engine, budget=budget)
        (case,) = found.cases
        seen[case.status] += 1
        if isinstance(valid, masked.Nowhere):
            assert case.status is Status.ALWAYS
        no_box = isinstance(valid, masked.Fails) and valid.kind != DISAGREE
        if no_box:
            assert case.status is Status.NEVER
            assert "not a box" in case.reason
            assert valid.kind in case.reason
        for _ in range(5):
            strides = random_strides(rng, outer, case.status is Status.WHEN)
            chain = (outer._replace(strides=strides), *others)
            expected = masked.decide(chain)
            merges = not isinstance(expected, masked.Fails)
            assert found.holds(named(strides)) == merges, (chain, case)
            seen["holds" if merges else "does not"] += case.status is Status.WHEN
            broken = found.counterexample(named(strides))
            if merges:
                assert broken is None
                assert case.view is not None
                at_values = dict(zip(sorted(found.symbols()), strides, strict=False))
                merged = substituted(case.view, at_values)
                assert meaning(merged) == masked.values(chain), (chain, case.view)
            else:
                assert (broken.kind, broken.index) == (expected.kind, expected.index), (chain, broken)
                assert (broken.expected, broken.got) == (expected.expected, expected.got)
    if full:
        assert min(seen[s] for s in (Status.ALWAYS, Status.WHEN, Status.NEVER)) > 0
        assert min(seen["holds"], seen["does not"]) > 0


def substituted(v: View, values: dict[str, int]) -> View:
    """Numbers for the strides' symbols."""
    numbers = [x if isinstance(x, int) else x.at(values) for x in (*v.strides, v.offset)]
    return View(v.shape, numbers[:-1], numbers[-1], v.mask)


def test_the_engines_agree_on_masked_pairs(turns) -> None:
    rng = Random("engines")
    for _ in turns(30):
        outer, *others = (programs.masked_pair, programs.program_pair, programs.masked_chain)[rng.randrange(3)](rng)
        found = [conditions(symbolic(outer), *views(others), engine=e).cases[0] for e in ("auto", "enumerate", "smt")]
        assert len({(c.status, c.equations, c.view) for c in found}) == 1


@pytest.mark.parametrize("shape", [(2, 2), (2, 3), (3, 2)])
def test_conditions_on_every_small_mask(shape, effort) -> None:
    """All masks of a shape, a few inner views, all strides from −2 to 3."""
    inners = [v for v in small_inner(prod(shape)) if prod(v.shape) > 2]
    number = 0
    for mask in {v.mask for v in programs.views(shape, (1,))}:
        for inner in inners:
            number += 1
            if number % 20 or not chosen(number // 20, effort):
                continue
            found = conditions(symbolic(V(shape, (1, 1), 0, mask)), view(inner))
            for strides in product(range(-2, 4), repeat=2):
                expected = masked.decide((V(shape, strides, 0, mask), inner))
                assert found.holds(named(strides)) == (not isinstance(expected, masked.Fails)), (mask, inner, strides)


# Large


def large_agrees(rng: Random, chain, found) -> str:
    """A merged view has the chain's addresses at points; a counterexample is one, as far as points show it."""
    if isinstance(found, View):
        one = as_oracle(found)
        tried = points(rng, chain[-1], 30) + ([] if found.is_void() else points(rng, one, 30))
        for index in tried:
            assert found.at(index) == masked.locate(chain, index), (chain, found, index)
        valid = sum(found.at(index) is not None for index in tried)
        return "empty" if found.is_void() else "view" if valid else "view, no point"
    assert found.smallest, (chain, found)
    shown = genuine(rng, chain, found)
    return f"{found.kind}{'' if shown else ', not shown'}"


def test_large_pairs_are_decided_and_right_at_points(turns, full) -> None:
    rng, seen = Random("large"), Counter()
    for _ in turns(55):
        pair = programs.large_pair(rng)
        seen[large_agrees(rng, pair, merge(*views(pair)))] += 1  # Undecided would be raised
    unshown = sum(count for kind, count in seen.items() if kind.endswith("not shown"))
    if full:
        assert min(seen[kind] for kind in ("view", "empty", DISAGREE, EXTRA, MISSING)) > 3
        assert unshown < 0.4 * sum(seen[kind] for kind in (DISAGREE, EXTRA, MISSING))


def test_conditions_of_large_pairs(turns) -> None:
    """Decided at any size, and right wherever the numeric decision can be asked."""
    rng, seen = Random("large conditions"), Counter()
    for _ in turns(60):
        outer, inner = programs.large_pair(rng)
        found = conditions(symbolic(outer), view(inner))
        seen[found.cases[0].status] += 1
        for strides in (outer.strides, brute.place_values(outer.shape), tuple(rng.randint(-3, 3) for _ in outer.shape)):
            merged = merge(view(outer._replace(strides=strides)), view(inner))
            assert found.holds(named(strides)) == bool(merged), (outer, inner, strides)
    assert seen[Status.UNDECIDED] == 0
    assert len(seen) == 3
