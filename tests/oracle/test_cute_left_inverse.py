"""Left inverses against a search over all shapes, and on layouts too large to tabulate."""

from __future__ import annotations

from collections import Counter
from math import prod
from random import Random

import pytest

from oracle import cute_brute
from oracle import cute_left_inverse_brute as brute
from oracle.cute_brute import Modes
from symview import cute
from symview.cute import Layout, NoAnswer
from symview.cute.inverse_search import candidate, search, start
from symview.errors import Undecided
from symview.logic.budget import DEFAULT, Budget


def layout_of(modes: Modes) -> Layout:
    return Layout(tuple(n for n, _ in modes), tuple(d for _, d in modes))


def small_modes(rng: Random, top: int) -> Modes:
    """A layout whose values stay up to `top`; strides in any order, seldom 0."""
    while True:
        modes = [(rng.choice((1, 2, 2, 2, 3, 3, 4, 5)), rng.randint(0, 9)) for _ in range(rng.randint(1, 4))]
        if sum((n - 1) * d for n, d in modes) <= top and prod(n for n, _ in modes) > 1:
            return modes


def test_a_left_inverse_is_found_iff_there_is_one(turns, full) -> None:
    rng, seen = Random("left inverses"), Counter()
    for _ in turns(1500):
        modes = small_modes(rng, 16)
        values = cute_brute.table(modes)
        injective = len(set(values)) == len(values)
        exists = injective and next(brute.sizes_of_inverses(values), None) is not None
        try:
            found = cute.strict_left_inverse(layout_of(modes))
        except NoAnswer as error:
            assert not exists, modes
            seen["named"] += "both have the value" in str(error)
            seen["none", injective] += 1
            continue
        assert exists, modes
        assert [found(v) for v in values] == list(range(len(values))), modes
        seen["found"] += 1
    assert seen["named"] == seen["none", False]
    if full:
        assert min(seen["found"], seen["none", False], seen["none", True]) > 5, seen


def test_a_left_inverse_takes_every_value_to_one_of_its_indices(turns, least) -> None:
    """L(K(L(i))) = L(i), the strict one where that exists; no answer where no choice of indices has an inverse."""
    rng, seen = Random("left inverses of repeated values"), Counter()
    for _ in turns(200):
        modes = small_modes(rng, 9)
        layout = layout_of(modes)
        values = {layout(i) for i in range(layout.size())}
        distinct = len(values) == layout.size()
        try:
            found = cute.left_inverse(layout)
        except NoAnswer:
            assert not brute.takes_values_back(modes), modes
            seen["none", distinct] += 1
            continue
        assert [layout(found(v)) for v in values] == list(values), layout
        assert min(map(found, values)) >= 0, layout
        if distinct and next(brute.sizes_of_inverses(cute_brute.table(modes)), None) is not None:
            assert [found(layout(i)) for i in range(layout.size())] == [*range(layout.size())]
        seen["found", distinct] += 1
    assert min(seen["found", True], seen["found", False]) > least(20), seen


def test_some_values_of_a_layout_tell_what_all_of_them_do(turns) -> None:
    """Asked for some values at a time, as large layouts are: the same yes and no as for all at once."""
    rng, seen = Random("some values first"), Counter()
    for _ in turns(40):
        modes = [(rng.randint(9, 14), rng.choice((0, rng.randint(1, 20)))) for _ in range(3)]
        layout = layout_of(modes)
        values = {layout(x) for x in range(layout.size())}
        texts = []
        for way in ("some", "all"):
            try:
                if way == "some":
                    found = search(layout, DEFAULT)
                else:
                    found = candidate(start(layout, values, inside=False), layout, DEFAULT.part(1, DEFAULT.points))
            except Undecided:
                texts.append("undecided")
                continue
            assert found is None or all(layout(found(v)) == v for v in values), (layout, found)
            texts.append("none" if found is None else "found")
        assert len({*texts} - {"undecided"}) <= 1, (layout, texts)
        seen.update(texts)
    assert min(seen["found"], seen["none"]) > 5 and seen["undecided"] < 0.2 * seen.total(), seen


@pytest.mark.parametrize(
    ("shape", "stride", "inverts"),
    [
        ((185, 114), (1, 3), True), ((166, 173), (7, 3), True), ((104, 116), (29, 35), False),
        ((22, 17, 21), (47, 59, 11), False), ((1 << 40, 1 << 40), (1, 3), True),
    ],
)  # fmt: skip
def test_large_layouts_that_repeat_values(shape, stride, inverts) -> None:
    layout = Layout(shape, stride)
    if not inverts:
        with pytest.raises(NoAnswer, match="back to their indices"):
            cute.left_inverse(layout)
        return
    found = cute.left_inverse(layout)
    for x in (0, 1, 2, 3, layout.size() // 2, layout.size() - 1, *range(5, layout.size(), layout.size() // 999 + 1)):
        assert layout(found(layout(x))) == layout(x)


@pytest.mark.parametrize(
    ("shape", "stride", "text"),
    [
        ((3, 3, 2), (8, 12, 1), "2:9"), ((2, 3, 2), (1, 2, 3), "(3,2):(1,6)"), ((2, 2, 2), (2, 3, 4), "no layout"),
        ((2, 2, 2, 2), (2, 0, 3, 4), "no layout"), ((2, 2, 2, 3), (3, 2, 1, 0), "no layout"),
        ((2, 4, 1), (3, 1, -1), "(4,2):(2,3)"),
    ],
)  # fmt: skip
def test_values_that_stand_at_several_indices(shape, stride, text) -> None:
    """The last mode goes on, so values that do not repeat may also stand beyond the size, never before 0."""
    try:
        found = str(cute.left_inverse(Layout(shape, stride)))
    except NoAnswer:
        found = "no layout"
    assert found == text
    assert brute.takes_values_back(list(zip(shape, stride, strict=True))) == (found != "no layout")


def test_the_two_brute_searches_agree(turns, full) -> None:
    rng, seen = Random("small strides"), Counter()
    for _ in turns(60):
        values = cute_brute.table(small_modes(rng, 9))
        if len(set(values)) == len(values) and len(values) > 2:
            tried = brute.inverse_with_small_strides(values, 4)
            assert not tried or next(brute.sizes_of_inverses(values), None) is not None
            seen[tried] += 1
    if full:
        assert seen[True] > 5


def test_as_few_modes_as_any(turns) -> None:
    """Where two or three modes do, no more are taken, unless the answer is the one through a complement."""
    rng, seen = Random("few modes"), Counter()
    for _ in turns(600):
        modes = small_modes(rng, 14)
        values = cute_brute.table(modes)
        if len(set(values)) < len(values):
            continue
        fewest = min(map(len, brute.sizes_of_inverses(values)), default=None)
        if fewest is None:
            continue
        found = cute.left_inverse(layout_of(modes))
        seen[len(found.flat()) - fewest - 1] += 1
    assert seen[0] > 0.8 * seen.total(), seen


@pytest.mark.parametrize(
    ("shape", "stride"),
    [((2, 2), (2, 3)), ((3, 2), (10**9, 10**9 + 1)), ((2, 70000), (1, 3)), ((2, 2, 3), (7, 10**6, 10**6 + 7 * 5))],
)
def test_values_of_any_size_come_back(shape, stride) -> None:
    layout = Layout(shape, stride)
    inverse = cute.left_inverse(layout)
    rng = Random(str(layout))
    for x in [*range(100), *(rng.randrange(layout.size()) for _ in range(200))]:
        assert inverse(layout(x % layout.size())) == x % layout.size()


def test_collisions_of_three_modes_are_named() -> None:
    with pytest.raises(NoAnswer, match=r"\(0,1,1,0\) and \(0,0,0,1\) both have the value 5"):
        cute.strict_left_inverse(Layout((1, 2, 2, 2), (5, 2, 3, 5)))
    with pytest.raises(NoAnswer, match="both have the value"):
        cute.strict_left_inverse(Layout((30, 30, 30), (7 * 30, 11 * 30, 13)))


def test_negative_values_have_no_left_inverse() -> None:
    with pytest.raises(NoAnswer, match=r"coordinate \(0,2\) has the value -10"):
        cute.left_inverse(Layout((2, 3), (1, -5)))


def test_the_budget_ends_the_search_and_says_so() -> None:
    with pytest.raises(Undecided, match="too many ways to cut values up to 42726 into digits"):
        cute.left_inverse(Layout((5, 7, 5), (1819, 4397, 2267)), Budget(points=20_000, work=100_000))
