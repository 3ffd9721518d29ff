"""Chains of views against brute force: one view or none, fewer views, equality."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from math import prod
from random import Random

import pytest
from bridge import view
from bridge_chains import WAYS, agrees, as_oracle, at, chosen, genuine, meaning, points, run, same, views

from oracle import brute, masked, programs
from oracle.brute import V, contiguous
from oracle.masked import DISAGREE, EXTRA, MISSING
from symview import InputError, OutOfBounds, Proved, Refuted, View, compose_at, equivalent, merge, simplify
from symview.views.chains import merge_chain

SOURCES = {
    "masked_chain": (programs.masked_chain, 250),
    "program_chain": (lambda rng: programs.program_chain(rng, 3), 110),
}
OUTCOMES = ("view", "empty", DISAGREE, EXTRA, MISSING)


def chains(rng: Random):
    """Any chain of one to four views."""
    kind = rng.random()
    if kind < 0.5:
        return programs.masked_chain(rng, 1, 4)
    return programs.program_chain(rng, 1)


# One view


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", SOURCES)
def test_merge_of_a_chain_is_the_oracle_s(name, way, turns, full) -> None:
    make, usual = SOURCES[name]
    rng, seen = Random(f"chains {name} {way}"), Counter()
    for _ in turns(usual):
        chain = make(rng)
        expected = masked.decide(chain)
        seen[same(chain, expected, merge(*views(chain), budget=WAYS[way]))] += 1
        same(chain, expected, merge_chain(views(chain), WAYS[way]))
        for index in brute.indices(chain[-1].shape)[:10]:
            assert compose_at(*views(chain), index=index) == masked.locate(chain, index)
    if full:
        assert not {kind: seen[kind] for kind in OUTCOMES if seen[kind] < 1}


def test_a_chain_of_one_view_is_itself(turns) -> None:
    rng = Random("one")
    for _ in turns(200):
        v = programs.outer(rng)
        assert merge_chain([view(v)]) == view(v)
        assert agrees([v], lambda v: merge_chain([v])) in ("view", "empty")


SMALL = [(2,), (3,), (4,), (2, 2)]


def test_every_small_chain_of_three(effort) -> None:
    """Unmasked, an outer (2,2) and all inner shapes of up to 4 indices with strides from −1 to 2."""
    number = 0
    for shape in ((2, 2), (3,), (2, 3)):
        middles = [v for s in SMALL for v in programs.views(s, (-1, 1, 2), prod(shape)) if open_view(v)]
        for strides in product((1, 2), repeat=len(shape)):
            for middle in middles:
                lasts = [v for s in SMALL for v in programs.views(s, (-1, 1, 2), prod(middle.shape)) if open_view(v)]
                for last in lasts:
                    number += 1
                    if chosen(number, effort):
                        agrees((V(shape, strides), middle, last))


def open_view(v: V) -> bool:
    return v.mask != masked.EMPTY and all(b == (0, n) for b, n in zip(v.mask, v.shape, strict=True))


def test_no_adjacent_pair_merges_but_the_chain_does() -> None:
    chain = [View((2, 2), (1, 2)), View((2, 2), (1, -1), 1), View((3,), (1,), 1)]
    assert not any(merge(a, b) for a, b in pairwise(chain))
    assert merge(*chain) == View((3,), (1,))
    assert simplify(*chain).views == (View((3,), (1,)),)
    assert agrees([as_oracle(v) for v in chain]) == "view"


def test_the_order_of_merging_does_not_matter() -> None:
    chain = [View((4, 2), (1, 4)), View((3, 2), (1, 4)), View((2, 2), (2, 1)), View((3,), (1,))]
    middle = merge(chain[1], chain[2])
    last = merge(chain[2], chain[3])
    assert middle and last
    # What sticks where the last pair is merged first is one view all the same.
    assert not merge(chain[0], chain[1]) and not merge(chain[1], last)
    one = merge(*chain)
    assert one == merge(merge(chain[0], middle), chain[3])
    assert one == merge(chain[0], chain[1], last) == merge(chain[0], middle, chain[3])
    simple = simplify(*chain)
    assert simple.views == (one,) and simple.minimal
    assert agrees([as_oracle(v) for v in chain]) == "view"


def test_out_of_bounds_in_a_chain(turns) -> None:
    rng, seen = Random("chain bounds"), Counter()
    for _ in turns(150):
        chain = list(programs.masked_chain(rng))
        where = rng.randrange(1, len(chain))
        chain[where] = chain[where]._replace(offset=chain[where].offset + rng.choice((-2, 1, 2)))
        try:
            masked.values(chain)
        except brute.OutOfBounds:
            for call in (merge_chain, lambda c: merge(*c), lambda c: simplify(*c), lambda c: equivalent(c, c)):
                with pytest.raises(OutOfBounds):
                    call(views(chain))
            seen["outside"] += 1
        else:
            agrees(chain)
            seen["inside"] += 1
    assert min(seen.values()) > 10


# Fewer views


@pytest.mark.parametrize("way", WAYS)
def test_simplify_means_the_same_at_every_index(way, turns, full) -> None:
    rng, seen = Random(f"simplify {way}"), Counter()
    for _ in turns(200 if way == "walked" else 120):
        chain = chains(rng)
        found = simplify(*views(chain), budget=WAYS[way])
        assert 1 <= len(found.views) <= len(chain)
        assert found.views[-1].shape == chain[-1].shape
        assert meaning(*found.views) == masked.values(chain), (chain, found)
        # Each view stays inside the one before, so the result is a chain again.
        masked.values([as_oracle(v) for v in found.views])
        one = not isinstance(masked.decide(chain), masked.Fails)
        assert (len(found.views) == 1) == one, (chain, found)
        if len(found.views) <= 2:
            assert found.minimal, (chain, found)
        assert found.why
        again = simplify(*found.views)
        assert len(again.views) == len(found.views), (chain, found, again)
        seen[len(chain), len(found.views)] += 1
    if full:
        assert sum(seen[n, 1] for n in (2, 3, 4)) > 10
        assert sum(seen[n, 2] for n in (3, 4, 5, 6, 7)) > 2
        assert sum(count for (_, after), count in seen.items() if after > 2) > 1


def test_minimal_is_confirmed_by_trying_all_single_views(turns, full) -> None:
    rng, seen = Random("minimal"), Counter()
    for _ in turns(250):
        chain = programs.masked_chain(rng, 2, 4) if rng.random() < 0.6 else programs.program_chain(rng)
        if prod(chain[-1].shape) > 9 or len(chain[-1].shape) > 2:
            continue
        found = simplify(*views(chain))
        if not found.minimal:
            continue
        single = next(masked.single_views(chain[-1].shape, masked.values(chain)), None)
        assert (single is not None) == (len(found.views) == 1), (chain, found)
        seen[len(found.views)] += 1
    if full:
        assert min(seen[1], seen[2]) > 10


def two_views(shape, values):
    """Whether two unmasked views mean the same, from all small ones; only for a handful of indices."""
    for middle in [(n,) for n in (2, 3, 4)] + [(2, 2), (2, 3), (3, 2), (2, 4), (4, 2)]:
        for steps in product(range(-3, 4), repeat=len(middle)):
            lasts = [v for v in programs.views(shape, range(-2, 5), prod(middle)) if open_view(v)]
            for last in lasts:
                first = [brute.unravel(brute.address(last, i), middle) for i in values]
                got = [sum(d * t for d, t in zip(digits, steps, strict=True)) for digits in first]
                if len({a - b for a, b in zip(got, values.values(), strict=True)}) == 1:
                    return True
    return False


def test_three_views_are_not_called_minimal_where_two_do() -> None:
    """`minimal` stays False beyond two views, so that nothing is claimed that a search could refute."""
    rng, seen = Random("three views"), 0
    for _ in range(400):
        chain = [v._replace(mask=None) for v in programs.masked_chain(rng, 3, 4)]
        try:
            there = masked.values(chain)
        except brute.OutOfBounds:
            continue
        found = simplify(*views(chain))
        if len(found.views) < 3:
            continue
        seen += 1
        if found.minimal and prod(chain[-1].shape) <= 8:
            assert not two_views(chain[-1].shape, there), chain
    assert seen > 3


def test_another_shape_in_the_middle() -> None:
    found = simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,), (1,)))
    assert found.views == (View((4, 2), (1, 4)), View((8,)))
    assert found.minimal


# Equality


def altered(rng: Random, chain):
    """The chain with one entry changed, still inside its bounds."""
    for _ in range(20):
        found, where = list(chain), rng.randrange(len(chain))
        v = found[where]
        kind = rng.random()
        if kind < 0.4 and v.shape:
            axis = rng.randrange(len(v.shape))
            strides = list(v.strides)
            strides[axis] += rng.choice((-1, 1))
            found[where] = v._replace(strides=tuple(strides))
        elif kind < 0.6:
            found[where] = v._replace(offset=v.offset + rng.choice((-1, 1)))
        elif v.shape and v.mask != masked.EMPTY and 0 not in v.shape:
            axis = rng.randrange(len(v.shape))
            bounds = list(masked.mask_of(v))
            lo, hi = bounds[axis]
            bounds[axis] = rng.choice(((min(lo + 1, hi), hi), (lo, max(hi - 1, lo)), (0, v.shape[axis])))
            found[where] = v._replace(mask=tuple(bounds))
        try:
            masked.values(found)
        except brute.OutOfBounds:
            continue
        return found
    return list(chain)


@pytest.mark.parametrize("way", WAYS)
def test_the_smallest_index_at_which_chains_differ(way, turns, full) -> None:
    rng, seen = Random(f"equal {way}"), Counter()
    for _ in turns(200 if way == "walked" else 120):
        chain = chains(rng)
        other = altered(rng, chain)
        if rng.random() < 0.3:
            other = [as_oracle(v) for v in simplify(*views(other)).views]
        verdict = equivalent(views(chain), views(other), budget=WAYS[way])
        index = masked.difference(chain, other)
        if index is None:
            assert isinstance(verdict, Proved), (chain, other, verdict)
            seen["equal"] += 1
            continue
        assert isinstance(verdict, Refuted), (chain, other, verdict)
        assert verdict.values == {f"i{n}": i for n, i in enumerate(index)}, (chain, other, verdict)
        assert verdict.smallest
        sides = masked.locate(chain, index), masked.locate(other, index)
        assert verdict.sides == (None if None in sides else sides)
        seen["differ" if verdict.sides else "differ in validity"] += 1
    if full:
        assert min(seen[s] for s in ("equal", "differ", "differ in validity")) > 8


def test_a_chain_and_its_merged_view_are_equivalent(turns) -> None:
    rng = Random("merged is equal")
    for _ in turns(60):
        chain = views(chains(rng))
        merged = merge_chain(chain)
        if merged:
            assert equivalent(chain, merged) and equivalent(merged, chain)
        assert equivalent(chain, chain)
        assert equivalent(chain, simplify(*chain).views)


def test_other_shapes_are_no_question_of_equality() -> None:
    with pytest.raises(InputError, match="shapes differ"):
        equivalent(View((2, 3)), View((3, 2)))
    with pytest.raises(InputError, match="shapes differ"):
        equivalent(View((2, 3)), [View((2, 3)), View((6,))])


def test_views_that_are_empty_or_of_size_0_are_equivalent() -> None:
    assert equivalent(View.empty((2, 3)), [View((4,), (1,), 0, [(0, 2)]), View((2, 3), (0, 1), 2, [(0, 2), (0, 0)])])
    assert equivalent(View((2, 0), (7, 7), 9), View((2, 0)))
    assert equivalent(View((), (), 0, "empty"), [View((2,), (1,), 0, [(0, 1)]), View((), (), 1)])
    assert not equivalent(View(()), View((), (), 0, "empty"))


# Programs and large sizes


def test_programs_run_as_movement_operations_mean_what_they_say(turns) -> None:
    rng, lengths = Random("run"), Counter()
    for _ in turns(500):
        program = programs.program(rng)
        chain = run(program)
        expected = programs.chain(program)
        assert [meaning(v) for v in chain] == [masked.values([v]) for v in expected]
        assert meaning(*chain) == programs.table(program), program
        lengths[min(3, len(chain))] += 1
    assert min(lengths[n] for n in (1, 2, 3)) > 10


def test_large_programs(turns, full) -> None:
    """Sizes to 10^6, rank up to 4: always decided, right at points; windows too."""
    rng, seen = Random("large programs"), Counter()
    for _ in turns(120):
        program = programs.large_program(rng)
        chain = run(program)
        ours = [as_oracle(v) for v in chain]
        for index in points(rng, ours[-1], 12):
            assert at(chain, index) == programs.locate(program, index), (program, index)
        seen[f"{min(len(chain), 3)} views"] += 1
        if len(chain) == 1:
            continue
        found = merge(*chain)
        if isinstance(found, View):
            seen["merged"] += 1
            for index in points(rng, ours[-1], 12) + points(rng, as_oracle(found), 12):
                assert found.at(index) == programs.locate(program, index), (program, index)
        else:
            assert found.smallest
            seen[found.kind] += 1
            if genuine(rng, ours, found, 150) is None:
                seen["not shown by points"] += 1
    if full:
        assert min(seen[n] for n in ("1 views", "2 views", "3 views")) > 10
        assert seen["not shown by points"] < 0.4 * (seen[DISAGREE] + seen[EXTRA] + seen[MISSING])


def test_large_programs_simplify_to_the_same(turns) -> None:
    rng, shorter = Random("large simplify"), 0
    for _ in turns(25):
        program = programs.large_program(rng)
        chain = run(program)
        # A contiguous view in front, or behind, changes nothing and can always go.
        longer = [View(program.shape), *chain, View(chain[-1].shape)]
        found = simplify(*longer)
        assert len(found.views) <= len(chain)
        shorter += len(found.views) < len(chain)
        for index in points(rng, as_oracle(chain[-1]), 12):
            assert at(found.views, index) == programs.locate(program, index), (program, found)


def test_a_large_difference_is_found() -> None:
    million = 10**6
    one = [View((million, million), (1, million)), View((million * million,))]
    other = [View((million, million), (1, million)), View((million * million,), (1,), 0, [(0, million * million - 1)])]
    verdict = equivalent(one, other)
    assert isinstance(verdict, Refuted)
    assert verdict.values == {"i0": million * million - 1}
    assert equivalent(one, [*one, View((million * million,))])
    assert not merge(contiguous_view := View((million, million), (1, million)), View((million * million,)))
    assert merge(contiguous_view, View((million * million,)), View((million, million), (million, 1))) == contiguous_view
    assert as_oracle(View((2, 3))) == contiguous((2, 3))
