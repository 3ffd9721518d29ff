"""Algebraic laws of `merge` on numeric views."""

from __future__ import annotations

from math import prod

from bridge import view
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle.brute import V
from strategies import pairs

from symview import View, compose_at, merge
from symview.engine.decide import digits_of


def answer(outer: View, inner: View):
    """The merged view, or where it breaks, as something to compare."""
    found = merge(outer, inner)
    return found if isinstance(found, View) else (found.index, found.expected, found.got)


@given(pairs())
def test_the_contiguous_view_of_the_inner_shape_on_the_right(pair) -> None:
    """inner ∘ contiguous(shape of inner) = inner, whatever the inner view is."""
    _, inner = (view(v) for v in pair)
    if inner.size:
        assert merge(inner, View.contiguous(inner.shape)) == inner


@given(pairs())
def test_the_contiguous_outer_view_is_neutral(pair) -> None:
    """contiguous(s) ∘ inner has the addresses of inner, so it merges and is inner."""
    outer, inner = (view(v) for v in pair)
    assert merge(View.contiguous(outer.shape), inner) == inner


@given(pairs(), st.integers(-9, 9))
def test_the_outer_offset_is_added(pair, offset) -> None:
    outer, inner = (view(v) for v in pair)
    moved = merge(View(outer.shape, outer.strides, outer.offset + offset), inner)
    found = merge(outer, inner)
    assert bool(moved) == bool(found)
    if isinstance(found, View):
        assert moved == View(found.shape, found.strides, found.offset + offset)
    else:
        assert (moved.index, moved.expected, moved.got) == (found.index, found.expected + offset, found.got + offset)


@given(pairs(), st.integers(-5, 5).filter(bool))
def test_scaling_the_outer_strides_scales_the_merged_ones(pair, scale) -> None:
    outer, inner = (view(v) for v in pair)
    scaled = merge(View(outer.shape, [s * scale for s in outer.strides], outer.offset * scale), inner)
    found = merge(outer, inner)
    assert bool(scaled) == bool(found)
    if isinstance(found, View):
        assert scaled == View(found.shape, [s * scale for s in found.strides], found.offset * scale)
    else:
        assert (scaled.index, scaled.got) == (found.index, found.got * scale)


@given(pairs(), st.data())
def test_adding_outer_strides_adds_merged_ones(pair, data) -> None:
    """The composition is linear in the outer strides."""
    outer, inner = (view(v) for v in pair)
    more = [data.draw(st.integers(-5, 5)) for _ in outer.shape]
    one, other = merge(outer, inner), merge(View(outer.shape, more), inner)
    both = merge(View(outer.shape, [a + b for a, b in zip(outer.strides, more, strict=True)], outer.offset), inner)
    if isinstance(one, View) and isinstance(other, View):
        strides = [a + b for a, b in zip(one.strides, other.strides, strict=True)]
        assert both == View(inner.shape, strides, one.offset + other.offset)
    elif isinstance(one, View) or isinstance(other, View):
        assert not both


@given(pairs(), st.randoms(use_true_random=False))
def test_permuting_the_inner_axes_permutes_the_merged_ones(pair, rng) -> None:
    outer, inner = (view(v) for v in pair)
    order = rng.sample(range(inner.rank), inner.rank)
    permuted = View([inner.shape[a] for a in order], [inner.strides[a] for a in order], inner.offset)
    found, moved = merge(outer, inner), merge(outer, permuted)
    assert bool(found) == bool(moved)
    if isinstance(found, View):
        assert moved == View(permuted.shape, [found.strides[a] for a in order], found.offset)
    else:
        assert sum(moved.index) == sum(found.index)


@given(pairs(empty=False), st.data())
def test_flipping_an_inner_axis_flips_the_merged_one(pair, data) -> None:
    outer, inner = (view(v) for v in pair)
    assume(inner.rank)
    axis = data.draw(st.integers(0, inner.rank - 1))
    found, flipped = merge(outer, inner), merge(outer, flip(inner, axis))
    assert bool(found) == bool(flipped)
    if isinstance(found, View):
        assert flipped == flip(found, axis)


def flip(v: View, axis: int) -> View:
    strides = [-s if a == axis else s for a, s in enumerate(v.strides)]
    return View(v.shape, strides, v.offset + (v.shape[axis] - 1) * v.strides[axis])


@given(pairs(), st.data())
def test_dims_of_size_1_change_nothing(pair, data) -> None:
    outer, inner = (view(v) for v in pair)
    at, stride = data.draw(st.integers(0, outer.rank)), data.draw(st.integers(-9, 9))
    wider = View(put(outer.shape, at, 1), put(outer.strides, at, stride), outer.offset)
    assert answer(wider, inner) == answer(outer, inner)
    at = data.draw(st.integers(0, inner.rank))
    longer = View(put(inner.shape, at, 1), put(inner.strides, at, stride), inner.offset)
    found, more = merge(outer, inner), merge(outer, longer)
    assert bool(found) == bool(more)
    if isinstance(found, View):
        assert more == View(longer.shape, put(found.strides, at, 0), found.offset)
    else:
        assert (more.index, more.got) == (put(found.index, at, 0), found.got)


def put(entries: tuple[int, ...], at: int, value: int) -> tuple[int, ...]:
    return (*entries[:at], value, *entries[at:])


@given(pairs(empty=False), st.data())
def test_part_of_what_merges_merges(pair, data) -> None:
    """A shrunk inner view merges to the shrunk merged view."""
    outer, inner = (view(v) for v in pair)
    bounds = [(data.draw(st.integers(0, n - 1)), n) for n in inner.shape]
    bounds = [(low, data.draw(st.integers(low + 1, n))) for low, n in bounds]
    found = merge(outer, inner)
    if isinstance(found, View):
        assert merge(outer, shrink(inner, bounds)) == shrink(found, bounds)


def shrink(v: View, bounds: list[tuple[int, int]]) -> View:
    offset = v.offset + sum(low * s for (low, _), s in zip(bounds, v.strides, strict=True))
    return View([high - low for low, high in bounds], v.strides, offset)


@given(pairs(), st.integers(2, 5), st.integers(-7, 7))
def test_a_longer_leading_outer_dim_changes_nothing(pair, times, more) -> None:
    """The leading size bounds the addresses and nothing else."""
    outer, inner = (view(v) for v in pair)
    longer = View((outer.shape[0] * times + abs(more), *outer.shape[1:]), outer.strides, outer.offset)
    assert answer(longer, inner) == answer(outer, inner)


@given(pairs(), st.integers(2, 6), st.data())
def test_splitting_an_outer_dim_into_contiguous_parts_changes_nothing(pair, factor, data) -> None:
    outer, inner = (view(v) for v in pair)
    axis = data.draw(st.integers(0, outer.rank - 1))
    size, stride = outer.shape[axis] * factor, outer.strides[axis]
    whole = View((*outer.shape[:axis], size, *outer.shape[axis + 1 :]), outer.strides, outer.offset)
    split = View(
        (*outer.shape[:axis], size // factor, factor, *outer.shape[axis + 1 :]),
        (*outer.strides[:axis], stride * factor, stride, *outer.strides[axis + 1 :]),
        outer.offset,
    )
    assert answer(split, inner) == answer(whole, inner)


@given(pairs(), pairs())
def test_merging_is_associative_where_all_merges_exist(pair, other) -> None:
    first, second = (view(v) for v in pair)
    third = other[1]
    assume(second.size and prod(third.shape))
    # Into the bounds of the second view: its shape grows on the left by an axis of stride 0.
    reach = third.offset + sum(max(0, (n - 1) * t) for n, t in zip(third.shape, third.strides, strict=True))
    second = View((reach // second.size + 1, *second.shape), (0, *second.strides), second.offset)
    third = view(third)
    left, right = merge(first, second), merge(second, third)
    if isinstance(left, View) and isinstance(right, View):
        assert answer(left, third) == answer(first, right)


@given(pairs(empty=False), st.randoms(use_true_random=False))
def test_the_address_is_linear_plus_defects_times_quotients(pair, rng) -> None:
    """f = σ_k·x + Σ δ_l·floor(x/P_l), the identity on which everything rests."""
    outer, inner = pair
    digits = digits_of(outer.shape, outer.strides)
    for _ in range(5):
        index = tuple(rng.randrange(n) for n in inner.shape)
        x = inner.offset + sum(i * t for i, t in zip(index, inner.strides, strict=True))
        carried = sum(d * (x // p) for p, d in zip(digits.places, digits.defects, strict=True))
        f = outer.offset + digits.base * x + carried
        assert f == compose_at(view(outer), view(inner), index=index)
        assert outer.offset + digits.step(0, x) == f


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_a_view_of_at_most_two_points_always_merges(shape, data) -> None:
    """'v' of shape (2) always merges', for any strides of the outer view."""
    outer = V(tuple(shape), tuple(data.draw(st.integers(-99, 99)) for _ in shape))
    x, y = (data.draw(st.integers(0, prod(shape) - 1)) for _ in range(2))
    found = merge(view(outer), View((2,), (y - x,), x))
    assert found == View((2,), (view(outer).at(unravelled(y, shape)) - view(outer).at(unravelled(x, shape)),),
                         view(outer).at(unravelled(x, shape)))  # fmt: skip


def unravelled(x: int, shape: list[int]) -> tuple[int, ...]:
    digits = []
    for n in reversed(shape):
        x, digit = divmod(x, n)
        digits.append(digit)
    return tuple(reversed(digits))
