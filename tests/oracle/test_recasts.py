"""Views of elements of another width against their units; and against numpy, which does not ask for alignment."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest

from oracle import recast_brute as brute
from symview import InputError, View, joint_conditions, recast, recast_conditions
from symview.answers import Status
from symview.views.recast import width

WIDTHS = (2, 4, 6, 8, 16, 24, 32, 48, 64)


def numbers(rng: Random) -> View:
    shape = [rng.choice((0, 1, 1, 2, 3, 4, 6, 8)) for _ in range(rng.randint(1, 3))]
    strides = [rng.choice((0, 1, 1, 1, -1, 2, 3, 4, 6, 8, -4, 12, 24)) for _ in shape]
    mask = None
    if rng.random() < 0.3:
        ends = [sorted((rng.randint(0, n), rng.randint(0, n))) for n in shape]
        mask = "empty" if rng.random() < 0.1 else ends
    return View(shape, strides, rng.choice((0, 0, 1, 2, 4, 6, 24)), mask)


def by_units(view: View, old: int, new: int, dim: int) -> tuple[tuple[int, ...], brute.Address] | None:
    bounds = tuple((0, 0) for _ in view.shape) if view.is_void() else tuple(view.bounds())
    return brute.recast(view.shape, view.strides, view.offset, bounds, old, new, dim)


def same(found: View, expected: tuple[tuple[int, ...], brute.Address]) -> bool:
    shape, addresses = expected
    each = product(*map(range, found.shape))
    return found.shape == shape and {i: a for i in each if (a := found.at(i)) is not None} == addresses


def test_numbers(turns, full) -> None:
    seen = Counter()
    for turn in turns(4000):
        rng = Random(f"recast {turn}")
        view, old, new = numbers(rng), rng.choice(WIDTHS), rng.choice(WIDTHS)
        dim = rng.randrange(view.rank)
        found, expected = recast(view, old, new, dim), by_units(view, old, new, dim)
        if old == new:
            assert found == view
        elif expected is None:
            assert not found, (view, old, new, dim)
        else:
            assert found, (view, old, new, dim, str(found))
            assert same(found, expected), (view, old, new, dim, found)
        assert recast_conditions(view, old, new, dim).holds({}) == bool(found)
        seen[bool(found), old < new, view.mask is None] += 1
    assert not full or min(seen[key] for key in product((True, False), repeat=3)) > 10, seen


def test_names(turns) -> None:
    seen = Counter()
    for turn in turns(80):
        rng = Random(f"recast with names {turn}")
        shape = [rng.choice(("n", "m", "1", "2", "4", "2*n")) for _ in range(rng.randint(1, 3))]
        strides = [rng.choice(("s", "t", "1", "1", "2", "4*s", "n", "m*n")) for _ in shape]
        text = f"({','.join(shape)}):({','.join(strides)})+({rng.choice(('0', 'o', '4', 'n*s'))})"
        if rng.random() < 0.3:
            text += " [" + ",".join(f"{rng.choice('0p')}:{rng.choice((n, 'q'))}" for n in shape) + "]"
        old, new, dim = rng.choice(WIDTHS), rng.choice(WIDTHS), rng.randrange(len(shape))
        try:
            answer = recast_conditions(text, old, new, dim)
        except InputError:  # the mask has no values
            continue
        view = View.parse(text)
        for _ in range(20):
            values = {n: rng.randint(1, 6) if n in "nm" else rng.randint(-4, 8) for n in answer.symbols()}
            try:
                at = view.with_values(values)
            except InputError:  # the mask has other values
                continue
            expected = (at.shape, None) if old == new else by_units(at, old, new, dim)
            assert answer.holds(values) == (expected is not None), (text, old, new, dim, values)
            seen[expected is not None] += 1
            if expected is not None and expected[1] is not None:
                [case] = [c for c in answer.cases if c.status is not Status.NEVER]
                assert same(case.view.with_values(values), expected), (text, old, new, dim, values)
    assert min(seen[True], seen[False]) > 0


def test_numpy_gives_each_aligned_view(turns) -> None:
    """`ndarray.view` of the last dim: it asks the same, but for alignment, and for empty arrays less."""
    seen = Counter()
    for turn in turns(800):
        rng = Random(f"numpy {turn}")
        shape = [rng.randint(1, 6) for _ in range(rng.randint(1, 3))]
        strides = [rng.choice((1, 1, 2, 3, 4, 8)) for _ in shape]
        old, new = rng.choice((1, 2, 4, 8)), rng.choice((1, 2, 4, 8))
        memory = np.zeros(8 * 200, dtype=np.uint8).view(f"u{old}")
        array = np.lib.stride_tricks.as_strided(memory, shape, [old * t for t in strides])
        found = recast(View(shape, strides), 8 * old, 8 * new)
        try:
            theirs = array.view(f"u{new}")
        except ValueError:
            assert not found, (shape, strides, old, new)
            continue
        if found:
            assert theirs.shape == found.shape
            assert all(
                n == 1 or new * t == s for n, t, s in zip(found.shape, found.strides, theirs.strides, strict=True)
            )
        else:  # its strides are no multiples of the width
            assert any(s % new for s in theirs.strides), (shape, strides, old, new)
        seen[bool(found)] += 1
    assert min(seen[True], seen[False]) > 0


@pytest.mark.parametrize(
    ("text", "old", "new", "shown"),
    [
        ("(4,8):(8,1)", 16, 32, "(4,4):(4,1)"),
        ("(4,8):(9,1)", 16, 32, "2 does not divide the stride 9 of dim 0"),
        ("(1,8):(9,1)", 16, 32, "(1,4):(0,1)"),
        ("(4,8):(8,1)+1", 16, 32, "2 does not divide the offset 1"),
        ("(4,7):(8,1)", 16, 32, "2 does not divide the size 7 of dim 1"),
        ("(4,8):(16,2)", 32, 8, "dim 1 has stride 2, but would have to be 1"),
        ("(1,8,1):(8,1,8)", 32, 8, "(1,8,4):(32,4,1)"),
        ("(4,8):(-8,1)+24", 16, 64, "(4,2):(-2,1)+6"),
        ("(4,6):(6,1)", 16, 24, "(4,4):(4,1)"),
        ("(4,8):(1,4)", "fp16", "fp32", "dim 1 has stride 4, but would have to be 1; dim 0 has stride 1"),
        ("(4):(1)+1 [1:2]", 8, 4, "(8):(1)+2 [2:4]"),
    ],
)
def test_worked_examples(text: str, old: int, new: int, shown: str) -> None:
    assert str(recast(text, old, new)) == shown


@pytest.mark.parametrize(
    ("text", "old", "new", "headline", "view"),
    [
        ("(a,8):(ld,1)", 16, 32, "a = 1 or ld % 2 = 0", "(a,4):(ld//2,1)"),
        ("(a,n):(ld,1)+o", 8, 32, "n % 4 = 0 and o % 4 = 0 and (a = 1 or ld % 4 = 0)", "(a,n//4):(ld//4,1)+o//4"),
        ("(a,n):(ld,st)", 32, 8, "n = 1 or st = 1", "(a,4*n):(4*ld,1)"),
    ],
)
def test_worked_examples_with_names(text: str, old: int, new: int, headline: str, view: str) -> None:
    answer = recast_conditions(text, old, new)
    assert answer.headline() == headline
    assert str(answer.cases[0].view) == view


def test_one_condition_for_loads_of_16_bytes_from_several_tensors() -> None:
    loads = [recast_conditions(text, "fp16", 128) for text in ("(m,k):(lda,1)", "(n,k):(ldb,1)")]
    assert str(joint_conditions(*loads)) == "k % 8 = 0 and (m = 1 or lda % 8 = 0) and (n = 1 or ldb % 8 = 0)"


@pytest.mark.parametrize("of", ["foo", 0, -3, "fp", "", "fp0"])
def test_no_width(of: object) -> None:
    with pytest.raises(InputError, match="give its bits"):
        width(of)


def test_no_dim() -> None:
    for text, dim in (("(3,4)", 2), ("(3,4)", -3), ("()", -1)):
        with pytest.raises(InputError, match="of a view of"):
            recast(text, 8, 16, dim)
