"""Calls of kernel code that once had a wrong answer, or none: as C++ and the CuTe DSL answer them."""

from __future__ import annotations

import json
from random import Random

import pytest

from symview import cute
from symview.cute import ComposedLayout, Layout, LayoutError, Swizzle, parse
from symview.verify import Solver, verify

TILE = cute.tile_to_shape(cute.composition(Swizzle(3, 4, 3), Layout((8, 64), (64, 1))), (128, 64, 4))


def confirmed(document) -> bool:
    with Solver("cvc5", 60.0, work=1_000_000) as solver:
        return verify(json.dumps(document), solver).verdict == "confirmed"


def test_the_cosize_behind_a_swizzle_is_that_of_the_layout() -> None:
    """pycute has the swizzle's period, 1024; C++ and the DSL allocate for the layout behind."""
    assert (cute.cosize(TILE), TILE.cosize(), cute.coshape(TILE)) == (32768, 32768, 32768)
    assert cute.footprint(TILE).greatest == 32767
    assert cute.size_in_bytes(16, TILE) == 65536
    assert [cute.cosize(TILE, mode=n) for n in range(3)] == [cute.cosize(TILE.layoutA, mode=n) for n in range(3)]
    assert cute.cosize(parse("S<2,0,3> o 8 o S<1,0,4> o 0 o (6,n):(n,1)")) == cute.cosize(parse("(6,n):(n,1)"))
    assert cute.cosize(ComposedLayout(Layout((4, 8), (8, 1)), (1, 2), cute.make_identity_layout((2, 5)))) == 10
    assert cute.cosize(Swizzle(2, 0, 3)) == 32


def test_cosizes_behind_swizzles_that_permute_whole_tiles_are_what_is_touched() -> None:
    rng = Random("cosizes")
    for _ in range(100):
        bits, base, shift = rng.randint(0, 3), rng.randint(0, 3), rng.randint(3, 4)
        swizzle = Swizzle(bits, base, shift)
        tile = ComposedLayout(swizzle, 0, Layout((swizzle.size(), rng.randint(1, 4))))
        assert cute.cosize(tile) == max(map(tile, range(tile.size()))) + 1


def test_slices_of_shapes_in_either_order() -> None:
    shape, proj = (128, 256, 64), (None, 0, None)
    assert cute.slice_(shape, proj) == cute.slice_(proj, shape) == (128, 64)
    assert cute.dice(shape, proj) == cute.dice(proj, shape) == (256,)
    assert cute.slice_([4, [2, 3]], [0, [None, 1]]) == cute.slice_([0, [None, 1]], [4, [2, 3]]) == (2,)
    assert cute.slice_(4, None) == cute.slice_(None, 4) == (4,)
    assert cute.slice_((1, 2), (4, 8)) == ()  # nothing stays of either
    assert cute.dice(coord=(1, 1), x=(4, 8)) == cute.dice(src=(4, 8), dicer=(1, 1)) == (4, 8)
    assert cute.dice(coord=(1, None), x=(4, None)) == (4,)


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [((1, 1), (4, 8), "neither has None"), ((1, None), (4, None), "both have None"), (0, 4, "neither has None")],
)
def test_dicing_is_refused_where_either_may_be_the_coordinate(first, second, why) -> None:
    with pytest.raises(LayoutError, match=f"may be the coordinate, as {why}"):
        cute.dice(first, second)


def test_permutations_at_values_below_zero() -> None:
    found = cute.is_bijective_conditions(Layout.parse("4:-a"))
    assert str(found) == "a = -1"
    assert (found.holds({"a": -1}), found.holds({"a": 1})) == (True, False)
    swizzled = cute.is_bijective_conditions(parse("S<1,0,2> o 0 o (4,2):(-a,b)"))
    assert str(swizzled) == "a = -2 and b = 1 or a = -1 and b = 4"
    descending = cute.is_bijective_conditions(ComposedLayout(Swizzle(1, 0, 1), 3, Layout.parse("4:d")))
    assert str(descending) == "d = -1"


@pytest.mark.parametrize("block", ["((8,2)):((8,8))", "(4,2):(1,2)", "4:-1", "(2,2):(2,3)", "(3,4):(0,-2)"])
@pytest.mark.parametrize("tile", ["1:0", "1:7", "(2,(1,3)):(0,(5,0))"])
def test_one_copy_of_any_layout(block: str, tile: str) -> None:
    """Whether there is room for a second is not asked; at sizes of 1 the answer has the stride 0."""
    a, b = Layout.parse(block), Layout.parse(tile)
    found = cute.logical_product(a, b)
    assert found == cute.make_layout(a, Layout(b.shape, cute.transform_leaf(lambda _: 0, b.stride)))
    assert confirmed(found.certificate("logical_product", a, b))
    assert str(cute.explain("logical_product", a, b)).count("complement") == 0


def test_one_copy_where_the_tile_has_a_name() -> None:
    found = cute.logical_product_conditions(Layout.parse("(4,2):(1,2)"), Layout.parse("2:b"))
    assert (found.holds({"b": 0}), found.holds({"b": 1})) == (True, False)
    assert str(found.layout({"b": 0})) == "((4,2),2):((1,2),0)"
    assert confirmed(found.certificate())
    with pytest.raises(cute.NoAnswer, match="overlap"):
        cute.logical_product(Layout((4, 2), (1, 2)), 2)


def test_sizes_of_one_have_the_stride_0_in_what_operations_make() -> None:
    _, threads = cute.make_layout_tv(Layout((1, 4)), Layout((1, 1)))
    assert str(threads) == "(4,1):(1,0)"
    assert str(cute.composition(Layout((8, 4), (4, 1)), (1, 2))) == "(1,2):(0,1)"
    assert str(cute.composition(Layout((8, 4), (4, 1)), Layout((1, 2), (3, 8)))) == "(1,2):(0,1)"
    for given in ("(8,n):(d,1)", "(8,4):(d,1)"):
        assert str(cute.composition_conditions(Layout.parse(given), (1, None)).cases[0].layout.stride[0]) == "0"
        assert str(cute.composition_conditions(Layout.parse(given), Layout((1, 2), (5, 1)))) == "always: (1,2):(0,d)"


def test_tiles_are_taken_in_brackets() -> None:
    divided = cute.zipped_divide(Layout((128, 64)), (32, 16))
    assert divided[((None, None), 3)] == divided(((None, None), 3)) == Layout((32, 16), (1, 128))
    assert divided[None, 3] == Layout(((32, 16),), ((1, 128),))
    assert divided[None] == divided(None)
    swizzled = parse("S<2,0,3> o 0 o (8,(8,4)):(8,(1,64))")
    assert swizzled[(None, (None, 1))] == cute.slice_((None, (None, 1)), swizzled)
    identity = cute.make_identity_layout((8, 4))
    assert str(identity[None, 3]) == str(identity(None, 3))
    assert divided[1, 0] == Layout(4, 32)


def test_layouts_with_another_shape() -> None:
    threads, values = Layout((2, 3), (3, 1)), Layout((2, 2), (2, 1))
    found = cute.right_inverse(cute.raked_product(threads, values)).with_shape((threads.size(), values.size()))
    assert found == cute.make_layout_tv(threads, values)[1]
    assert found == cute.right_inverse(cute.raked_product(threads, values)).with_shape(6, 4)
    tile = parse("S<2,0,3> o 0 o (8,8):(8,1)")
    assert [tile.with_shape(4, 16)(x) for x in range(64)] == [tile(x) for x in range(64)]
    assert str(cute.make_identity_layout((8, 4)).with_shape(2, 16)) == "(2,(4,4)):(1@0,(2@0,1@1))"
