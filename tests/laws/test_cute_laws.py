"""The algebra of CuTe layouts: laws that hold whenever the operations answer, by Hypothesis."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

import admissibility as mao
from hypothesis import assume, given
from hypothesis import strategies as st

from symview import cute
from symview.cute import Layout, NoAnswer
from symview.cute.complements import gaps


@st.composite
def layouts(draw, most: int = 3, sizes=(1, 2, 2, 3, 4, 6), strides=(0, 1, 1, 2, 3, 4, 6, 8, 12)) -> Layout:
    """Small layouts, nested at random; strides are often compact in some order."""
    shape = draw(st.lists(st.sampled_from(sizes), min_size=1, max_size=most))
    if draw(st.booleans()):
        order, step, stride = draw(st.permutations(range(len(shape)))), draw(st.sampled_from((1, 1, 2))), {}
        for n in order:
            stride[n] = step
            step *= shape[n]
        steps = [stride[n] for n in range(len(shape))]
    else:
        steps = [draw(st.sampled_from(strides)) for _ in shape]
    if len(shape) > 1 and draw(st.booleans()):
        return Layout((shape[0], tuple(shape[1:])), (steps[0], tuple(steps[1:])))
    return Layout(tuple(shape), tuple(steps))


def values(layout: Layout) -> list[int]:
    return [layout(x) for x in range(layout.size())]


def composed(outer: Layout, inner: Layout) -> Layout:
    found = cute.try_composition(outer, inner)
    assume(found)
    return found


def answered(operation, *args):
    try:
        return operation(*args)
    except NoAnswer:
        assume(False)


@given(layouts(), layouts())
def test_composition_is_that_of_the_functions(a: Layout, b: Layout) -> None:
    c = composed(a, b)
    assert c.size() == b.size()
    assert values(c) == [a(b(x)) for x in range(b.size())]
    assert len(c) == len(b)
    assert all(part.size() == mode.size() for part, mode in zip(c, b, strict=True))


@given(layouts(), layouts(), layouts(2))
def test_composition_is_associative_where_all_exist(a: Layout, b: Layout, c: Layout) -> None:
    left = composed(composed(a, b), c)
    right = composed(a, composed(b, c))
    assume(max(values(c)) < b.size())  # beyond it, b extends and a ∘ b may extend otherwise
    assert cute.same_function(left, right)


@given(layouts())
def test_identities(a: Layout) -> None:
    assert cute.same_function(composed(a, Layout(a.size())), a)
    top = max(values(a)) + 1
    assert cute.same_function(composed(Layout(top), a), a)


@given(layouts(), layouts(2), layouts(2))
def test_composition_distributes_over_concatenation(a: Layout, b: Layout, c: Layout) -> None:
    both = composed(a, cute.make_layout(b, c))
    assert both == cute.make_layout(composed(a, b), composed(a, c))


@given(layouts())
def test_coalesce_is_idempotent_and_keeps_the_function(a: Layout) -> None:
    flat = cute.coalesce(a)
    assert cute.coalesce(flat) == flat
    assert values(flat) == values(a)
    assert cute.same_function(a, flat)
    assert cute.depth(flat) <= 1
    by_mode = cute.coalesce(a, (1,) * len(a))
    assert len(by_mode) == len(a)
    assert values(by_mode) == values(a)


@given(layouts(), st.integers(1, 96))
def test_complement_is_disjoint_ordered_and_bounded(a: Layout, bound: int) -> None:
    b = answered(cute.complement, a, bound)
    moving = cute.filter(a)
    assert all(x < y for x, y in pairwise(values(b)))
    assert set(values(a)) & set(values(b)) == {0}
    assert b.size() >= bound // a.size()
    both = cute.make_layout(moving, b)
    assert cute.is_injective(both)
    if all(gap.filled for gap in gaps(a)):
        assert cute.is_bijection(both)
        assert both.size() >= bound
    assert cute.complement(cute.sort(a), bound) == b


@given(layouts())
def test_inverses_invert(a: Layout) -> None:
    right = cute.right_inverse(a)
    assert values(composed(a, right)) == list(range(right.size()))
    if cute.is_bijection(a):
        assert cute.same_function(cute.left_inverse(a), right)
        assert cute.same_function(cute.right_inverse(right), a)
        assert values(composed(right, a)) == list(range(a.size()))


@given(layouts(), layouts(2))
def test_division_is_a_rearrangement(a: Layout, tile: Layout) -> None:
    found = answered(cute.logical_divide, a, tile)
    rest = cute.complement(tile, a.size())
    assert found == cute.make_layout(*composed(a, cute.make_layout(tile, rest)))
    assert values(found[0]) == [a(t) for t in values(tile)]
    assert values(found[1]) == [a(t) for t in values(rest)]
    if found.size() == a.size() and 0 not in cute.flatten(tile.stride):
        assert sorted(values(found)) == sorted(values(a))


@given(layouts(), layouts(2))
def test_products_keep_the_block_and_never_overlap(a: Layout, b: Layout) -> None:
    found = answered(cute.logical_product, a, b)
    assert found[0] == a
    assert found[1].size() == b.size()
    if cute.is_injective(a) and cute.is_injective(b):
        assert cute.is_injective(found)
    assert cute.zipped_product(a, b) == found


@given(layouts(2), layouts(2), st.sampled_from((1, 2, 3, None)), st.sampled_from((1, 2, 3, None)))
def test_arrangements_hold_the_same_modes(a: Layout, b: Layout, s: int | None, t: int | None) -> None:
    whole = cute.make_layout(a, b)
    none = "cute" if all(tile or len(mode) == 2 for mode, tile in ((a, s), (b, t))) else "pycute"
    for operation in ("divide", "product"):
        zipped = answered(partial(getattr(cute, f"zipped_{operation}"), none=none), whole, (s, t))
        tiled = getattr(cute, f"tiled_{operation}")(whole, (s, t), none=none)
        flat = getattr(cute, f"flat_{operation}")(whole, (s, t), none=none)
        assert list(tiled) == [zipped[0], *zipped[1]]
        assert list(flat) == [*zipped[0], *zipped[1]]


@given(layouts(), layouts())
def test_admissible_modes_compose_as_defined(a: Layout, b: Layout) -> None:
    """Definition 2.12 is enough for one mode, and the composition is that of Definition 2.13."""
    a, mode = cute.coalesce(a), cute.coalesce(b)[0]
    assume(1 not in cute.flatten(a.shape) and mao.admissible_mode(a, mode))
    assert cute.same_function(mao.composition_by_definition(a, mode), composed(a, mode))


@given(st.permutations(range(6)))
def test_tables(values_: list[int]) -> None:
    found = cute.layout_of(values_)
    assert (values(found) == list(values_)) if found else found.got != found.expected


@given(layouts(), st.sampled_from([cute.Swizzle(1, 0, 1), cute.Swizzle(2, 0, 3), cute.Swizzle(1, 1, -2)]))
def test_swizzles_are_their_own_inverse(a: Layout, swizzle: cute.Swizzle) -> None:
    assert [swizzle(swizzle(x)) for x in values(a)] == values(a)
    found = cute.as_layout(cute.composition(swizzle, a))
    assert not found or values(found) == [swizzle(x) for x in values(a)]
