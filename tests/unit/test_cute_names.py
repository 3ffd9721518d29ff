"""CuTe's names beyond pycute's: what they make, what they refuse, and pycute's modules found in symview.cute."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import permutations, product
from math import prod
from random import Random

import pytest
from oracle.cute_brute import layouts_of

from symview import cute
from symview.cute import ComposedLayout, Layout, LayoutError, Swizzle
from symview.errors import NotationError

# as the documents of CuTe C++ and of the CuTe DSL spell them, with what these print
CALLS = {
    "make_layout(8)": "8:1",
    "make_layout((2, 4), (12, 1))": "(2,4):(12,1)",
    "make_layout((2, 4), stride=(12, 1))": "(2,4):(12,1)",
    "make_layout((2, 4), LayoutLeft)": "(2,4):(1,2)",
    "make_layout((2, (3, 4)), LayoutRight())": "(2,(3,4)):(12,(4,1))",
    "make_layout((1, 4), LayoutRight)": "(1,4):(0,1)",
    "make_layout([Layout(2), Layout(3, 5)])": "(2,3):(1,5)",
    "make_ordered_layout((2, 3, 4, 5), (2, 67, 42, 50))": "(2,3,4,5):(1,40,2,8)",
    "make_ordered_layout((4, 4), order=(1, 0))": "(4,4):(4,1)",
    "make_ordered_layout((4, 8), LayoutRight)": "(4,8):(8,1)",
    "make_layout_like(Layout((2, 3, 4, 5), (0, 42, 1, 0)))": "(2,3,4,5):(0,4,1,0)",
    "get(Layout((4, (3, 6)), (2, (8, 24))), mode=[1, 1])": "6:24",
    "select(Layout((4, 8, 16), (32, 4, 1)), mode=[0, 2])": "(4,16):(32,1)",
    "select(Layout((2, 3, 5, 7)), 1, 3)": "(3,7):(2,30)",
    "take(Layout((2, 3, 5, 7)), 1, 4)": "(3,5,7):(2,6,30)",
    "group(Layout((2, 3, 5, 7)), 1, 3)": "(2,(3,5),7):(1,(2,6),30)",
    "group_modes(Layout((2, 3, 4, 5)), 0, 2)": "((2,3),4,5):((1,2),6,24)",
    "append(Layout(8), up_to_rank=2)": "(8,1):(1,0)",
    "append(Layout((2, 3)), Layout((4, 5), (6, 24)))": "(2,3,(4,5)):(1,2,(6,24))",
    "prepend(Layout((2, 3)), Layout(4, 10), 4)": "(4,4,2,3):(10,10,1,2)",
    "replace(Layout((2, 3, 4)), 1, Layout((5, 5), (7, 9)))": "(2,(5,5),4):(1,(7,9),6)",
    "flatten(Layout(((2, 2), 8), ((1, 4), 2)))": "(2,2,8):(1,4,2)",
    "filter_zeros(Layout((2, 4, 3), (0, 1, 0)))": "(1,4,1):(0,1,0)",
    "Layout((2, (3, 4)))[1, 0]": "3:2",
    "size(Layout((2, (3, 4))), mode=[1])": "12",
    "rank(Layout((2, (3, 4))), mode=[1])": "2",
    "depth(Layout((2, (3, 4))), mode=[0])": "0",
    "cosize(Layout((4, (3, 2)), (2, (8, 1))))": "24",
    "coalesce(Layout((2, (1, 6)), (1, (6, 2))), target_profile=(1, 1))": "(2,6):(1,2)",
    "zipped_divide(Layout((9, (4, 8)), (59, (13, 1))), tiler=(Layout(3, 3), Layout((2, 4), (1, 8))))":
        "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))",
    "logical_product(block=Layout((2, 2), (4, 1)), tiler=Layout(6))": "((2,2),(2,3)):((4,1),(2,8))",
    "complement(Layout((2, 2), (1, 6)), (4, 6))": "(3,2):(2,12)",
    "complement(Layout(4), cotarget=24)": "6:4",
    "tile_to_shape(Layout((8, 8), (8, 1)), (16, 32))": "((8,2),(8,4)):((8,64),(1,128))",
    "tile_to_shape(Layout((8, 8), (8, 1)), (16, 32), order=(1, 0))": "((8,2),(8,4)):((8,256),(1,64))",
    "recast_layout(8, 32, Layout((4, 3), (3, 1)))": "(4,12):(12,1)",
    "max_common_vector(Layout((4, 8)), Layout((4, 8), (1, 4)))": "32",
    "max_common_layout(Layout((4, 8), (8, 1)), Layout((4, 8), (8, 1)))": "(8,4):(4,1)",
    "product_each(((2, 2), 8))": "(4, 8)",
    "round_up((10, 6), (3, 4))": "(12, 8)",
    "compatible(24, (4, 6)) and compatible(Layout((4, 6)), Layout(((2, 2), 6)))": "True",
    "parse('Sw<3,4,3> o _0 o (_8,_64):(_64,_1)')": "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "parse('S<3,4,3> o 16 o (8,64):(64,1)')": "Sw<3,4,3> o 16 o (8,64):(64,1)",
    "parse('Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)')": "Sw<3,3,3> o 0 o (8,64):(64,1)",
    "parse('Sw<2,4,3> o smem_ptr[128b](unset) o (_8,_8):(_8,_1)')": "Sw<2,0,3> o 0 o (8,8):(8,1)",
    "parse('Sw<1,4,3> o smem_ptr[8b](unset) o (_8,_8):(_8,_1)')": "Sw<1,4,3> o 0 o (8,8):(8,1)",
    "composition(Swizzle(3, 4, 3), 0, Layout((8, 64), (64, 1)))": "Sw<3,4,3> o 0 o (8,64):(64,1)",
    "make_layout(shape=(10, 10), stride=(10, 1))": "(10,10):(10,1)",
    "make_layout((4, 8), stride=(ScaledBasis(2, 0), ScaledBasis(1, 1)))": "(4,8):(2@0,1@1)",
    "make_layout(shape(Layout((2, (2, 2)), (4, (2, 1)))), LayoutLeft())": "(2,(2,2)):(1,(2,4))",
    "stride(Layout((4, (8, 2)))), stride(Layout((4, (8, 2))), mode=[1, 0])": "((1, (4, 32)), 4)",
    "group_modes(Layout((2, 3, 4, 5)), 1)": "(2,(3,4,5)):(1,(2,6,24))",
    "group_modes((2, 3, 4, 5), -2)": "(2, 3, (4, 5))",
    "prepend(Layout((8, 8)), up_to_rank=4)": "(1,1,8,8):(0,0,1,8)",
    "is_congruent((1, 2), Layout((3, 4)))": "True",
    "crd2idx((1, 2), Layout((4, 8)))": "9",
    "composition(Layout((12, (4, 8)), (59, (13, 1))), (Layout(3, 4), Layout(8, 2)))": "(3,(2,4)):(236,(26,1))",
    "composition(lhs=Layout(8, 2), rhs=Layout(4, 2))": "4:4",
    "recast_layout(new_type_bits=16, old_type_bits=8, src_layout=Layout((4, 3)))": "(2,3):(1,2)",
    "local_partition(Layout((16, 16)), tiler=Layout((4, 4)), index=3)[1]": "3",
    "local_partition(Layout((16, 16)), (4, 2, 4), 9, (1, None, 1))": "(Layout((4, 4), (4, 64)), 17)",
    "local_partition(Layout((16, 16)), [4, 4], index=5, proj=1)": "(Layout((4, 4), (4, 64)), 17)",
    "local_tile(input=Layout((16, 16)), tiler=(4, 4), coord=(1, None))[0]": "(4,4,4):(1,16,64)",
    "ceil_div(input=(10, 6), tiler=(3, 4))": "(4, 2)",
    "ceil_div((10, 6), (Layout(3), Layout(2, 2)))": "(4, (2, 2))",
    "coalesce(Layout((2, (1, 6)), (1, (6, 2))), trg_profile=(1, 1))": "(2,6):(1,2)",
    "elem_less((3, 4), (4, 4)), is_static(Layout(4))": "(False, True)",
    "E(0, 1), 4 * E(0)": "(ScaledBasis(1, (0, 1)), ScaledBasis(4, (0,)))",
    "parse('(_4,(5,2)):(_1@0,(2@0@1,1@1@1))')": "(4,(5,2)):(1@0,(2@0@1,1@1@1))",
    "parse('(?,4):(1,?{i64 div=4})')": "(n1,4):(1,4*d1)",
    "Layout((2, 4), LayoutRight)": "(2,4):(4,1)",
    "Layout((2, (1, 4)), stride=LayoutLeft())": "(2,(1,4)):(1,(0,2))",
    "Layout([2, [4, 3]], [4, [1, 8]])": "(2,(4,3)):(4,(1,8))",
    "make_layout([4, 5], stride=[E(0), 2 * E(1)])": "(4,5):(1@0,2@1)",
    "make_layout((4, 5), (E(0) + E(1), E(1)))(3, 2)": "(3, 5)",
    "(3 * E(0) + 4 * E(1)).coordinate()": "(3, 4)",
    "(2 * (2 * E(0, 1)) + 3 * E(1) + 4 * (5 * E(1)) + 7 * E(0, 0)).coordinate()": "((7, 4), 23)",
    "parse('(4,5):(1@0-2@1,1@1)')": "(4,5):(1@0-2@1,1@1)",
    "composition(Layout((4, 5), (1, 10)), make_layout((2, 3), (E(0) + E(1), E(1))))": "(2,3):(11,10)",
    "composition(make_layout((4, 6), (E(0) + E(1), 3 * E(1))), [2, 3])": "(2,3):(1@0+1@1,3@1)",
    "logical_divide(Layout((8, 12)), [4, 3])": "((4,2),(3,4)):((1,4),(8,24))",
    "zipped_divide(Layout((8, 12)), [Layout(4, 2), None], none='pycute')": "((4,1),(2,12)):((2,0),(1,8))",
    "zipped_divide(Layout((8, (3, 4))), [Layout(4, 2), None])": "((4,3),(2,4)):((2,8),(1,24))",
    "composition(Layout((8, 12)), [Layout(4, 2), [3]])": "(4,(3)):(2,(8))",
    "coalesce(Layout((2, (1, 6)), (1, (6, 2))), [1, 1])": "(2,6):(1,2)",
    "complement(Layout(4), [4, 7])": "7:4",
    "local_tile(Layout((16, 8)), [4, 4, 4], [1, 2, None], [1, None, 1])[0]": "(4,4,2):(1,16,64)",
    "Layout((4, 8))([1, 2]), crd2idx([1, 5], [3, [2, 3]]), idx2crd(16, [3, [2, 3]])": "(9, 16, (1, (1, 2)))",
    "congruent([1, 2], (3, 4)), congruent([1, 2], (3, (4, 5))), has_none([1, None])": "(True, False, True)",
    "get([2, [3, 4]], mode=[1, 0]), group_modes([2, 3, 5], 0, 2), select([2, 3, 5], [0, 2])":
        "(3, ((2, 3), 5), (2, 5))",
    "coshape(make_layout((4, 5), (E(0), E(2)))), cosize(make_identity_layout((4, 5)))": "((4, 1, 5), 20)",
    "filter(make_layout((4, 5, 2), (E(0), 0, 4 * E(0))))": "8:1@0",
    "filter_zeros(make_layout((4, 5), (E(0), 0))), nullspace(make_layout((4, 5), (E(0), 0)))":
        "(CoordinateLayout((4, 1), (ScaledBasis(1, (0,)), 0)), Layout(5, 4))",
    "parse('cute::Layout<cute::tuple<cute::C<4>,int>,cute::tuple<cute::_1,int64_t>>{}')": "(4,n1):(1,d1)",
    "parse('Layout<Shape<Int<2>,Int<4>>>')": "(2,4):(1,2)",
    "Layout((2, 4), GenRowMajor())": "(2,4):(4,1)",
    "make_layout((2, 4), GenColMajor)": "(2,4):(1,2)",
    "Layout((4, (2, 3))).get_hier_coord(13), Layout((4, (2, 3))).get_flat_coord(13)": "((1, (1, 1)), (1, 3))",
    "find((1, (2, 3)), 3), find([1], 2)": "((1, 1), None)",
    "right_inverse(input=Layout((4, 8), (8, 1))), left_inverse(input=Layout((4, 8), (8, 1)))":
        "(Layout((8, 4), (4, 1)), Layout((8, 4), (4, 1)))",
    "slice_(src=Layout((4, 8)), coord=(None, 1)), slice_(Layout((4, 8)), coord=(None, 1))":
        "(Layout((4,), (1,)), Layout((4,), (1,)))",
    "dice(src=Layout((4, 8)), dicer=(None, 1)), crd2idx(coord=(1, 2), layout=(4, 8))": "(Layout((8,), (4,)), 9)",
    "append(input=Layout(4), elem=Layout(8, 4)), prepend(input=(1, 2), elem=3)": "(Layout((4, 8), (1, 4)), (3, 1, 2))",
    "select(input=(4, 8, 2), mode=[0, 2]), get(input=(4, 8), mode=[1]), group_modes(input=(4, 8), begin=0)":
        "((4, 2), 8, ((4, 8),))",
    "size(a=(4, 8), mode=[1]), rank(a=(4, 8)), depth(a=(4, 8)), cosize(a=Layout((4, 8)))": "(8, 2, 1, 32)",
    "product_each(a=(2, (3, 4)))": "(2, 12)",
    "filter_zeros(input=Layout((4, 8), (0, 1))), nullspace(input=Layout((4, 8), (0, 1)))":
        "(Layout((1, 8), (0, 1)), Layout(4, 1))",
    "elem_less(lhs=(1, 2), rhs=(3, 4)), shape_div(lhs=(12, 4), rhs=(2, 4)), flatten(a=(1, (2, 3)))":
        "(True, (6, 1), (1, 2, 3))",
    "make_fragment_like(parse('Sw<3,4,3> o 0 o (8,64):(64,1)'))": "(8,64):(1,8)",
    "parse('Sw<3,4,3> o 0 o (8,64):(64,1)').inner": "Sw<3,4,3>",
    "parse('Layout<Shape<_4, Shape<_2,_2>>, Stride<_8, Stride<_1,_2>>>{}')": "(4,(2,2)):(8,(1,2))",
    "parse('Layout<_3,_4>')": "3:4",
    "size_in_bytes(16, Layout((128, 8), (1, 129))), size_in_bytes(4, Layout(3)), size_in_bytes(8, None)":
        "(2062, 2, 0)",
    "size_in_bytes(8, parse('S<3,0,3> o 0 o (6,10):(10,1)'))": "64",
    "make_layout_image_mask(Layout((2, 4)), (1, 2), 1), make_layout_image_mask(Layout((2, 4)), [1, 2], 0)": "(170, 48)",
    "pretty_str((1, (None, E(0) + E(1))))": "(1,(_,1@0+1@1))",
    "parse('tensor<ptr<f32, gmem> o (8,?):(?{i64 div=8},1)>')": "(8,n1):(8*d1,1)",
    "parse('ArithTuple(0,_0,_0,_0) o ((_128,_64),2,3,1):((_1@0,_1@1),_64@1,_1@2,_1@3)')":
        "((128,64),2,3,1):((1@0,1@1),64@1,1@2,1@3)",
}  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_calls_of_the_documents(call) -> None:
    assert str(eval(call, {n: getattr(cute, n) for n in cute.__all__})) == CALLS[call]


BAD = [
    (lambda: cute.make_layout(Layout(2), (3, 4)), "not a layout, but the others are"),
    (lambda: cute.make_layout((2, 3), 1, 2), "3 arguments"),
    (lambda: Layout((4, 5), (cute.E(0), cute.E(1))), "takes basis elements"),
    (lambda: cute.E(0) + cute.E(0, 1), "inside it"),
    (lambda: cute.composition(Layout((4, 5)), cute.make_layout(3, cute.E(0) - cute.E(1))), "go down"),
    (lambda: cute.right_inverse(cute.make_identity_layout((4, 5))), "are coordinates"),
    (lambda: cute.size_in_bytes("f16", Layout(4)), "neither a number of bits"),
    (lambda: cute.make_layout_image_mask(Layout((2, 4)), (1, 2), 2), "do not fit"),
    (lambda: cute.make_layout_image_mask(Layout((2, 4), (1, -2)), (1, 2), 1), "not bits of a mask"),
    (lambda: cute.make_layout((2, 3), (1, 2, 3)), "nested differently"),
    (lambda: cute.make_ordered_layout((2, 3), (0, 1, 2)), "does not fit"),
    (lambda: cute.make_ordered_layout(4, (0, 1)), "does not fit"),
    (lambda: cute.get(Layout((2, 3)), 2), "no mode 2"),
    (lambda: cute.take(Layout((2, 3)), 1, 1), "modes 1 to 1"),
    (lambda: cute.group(Layout((2, 3)), 1, 4), "modes 1 to 4"),
    (lambda: cute.append(Layout((2, 3)), up_to_rank=1), "requested rank is 1"),
    (lambda: cute.append(Layout((2, 3)), 4), "4 is not a layout"),
    (lambda: cute.replace(Layout((2, 3)), 2, Layout(4)), "no mode 2"),
    (lambda: cute.dice((0, None, 1), Layout((2, 3))), "does not fit"),
    (lambda: cute.ceil_div(4, 0), "0"),
    (lambda: cute.round_up((4, 5), 2), "two tuples, or two integers"),
    (lambda: cute.zipped_divide(Layout((8, 6)), (None, 3)), 'None for 8:1: .* has 1; give a tile, or none="pycute"'),
    (lambda: cute.flat_product(Layout((8, 6)), (3, None), none="C++"), '"cute" or "pycute"'),
    (lambda: cute.tile_to_shape(Layout((2, 2)), 4), "more modes"),
    (lambda: cute.local_partition(Layout((4, 6)), Layout((2, 3), (1, 3)), 3), "not an index of a compact layout"),
    (lambda: cute.local_partition(Layout((4, 6)), Layout((2, 3)), 6), "not an index of a compact layout"),
    (lambda: cute.upcast(Layout((2, 2), (1, 3)), 2), "neither a multiple nor a divisor"),
    (lambda: cute.downcast(Layout((2, 2), (2, 4)), 2), "do not lie together"),
    (lambda: cute.recast_layout(12, 8, Layout((4, 2), (2, 1))), "neither a multiple nor a divisor"),
    (lambda: cute.size(Layout((2, 3)), mode=[0, 1]), "no mode"),
    (lambda: cute.print_layout(Layout((2, 2, 2))), "one or two modes"),
    (lambda: cute.print_layout(Layout((1000, 1000))), "at most"),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_is_refused(number) -> None:
    call, message = BAD[number]
    with pytest.raises(LayoutError, match=message):
        call()


NO_LAYOUT = [
    "Sw<3,4,3> o", "Sw<3,4,3> (8):(1)", "Sw<3,4> o 0 o 8:1", "Sw<3,4,3> o x o 8:1", "", "4:1@", "4:n@1", "4:@1", "?n",
    "(?+1):2", "4:1@x", "4:1@0+", "4:1@0+n@1", "4:1@0+1", "Layout<Shape<_2,_4>", "Layout<_2:_1>",
    "Sw<1,0,1> o Sw<2,0,2>", "(4,4):(4,1) o 0 o", "(4,4):(4,1) o 8:1", "Sw<1,0,1> o 1 o Sw<2,0,2> o x o 8:1",
    "ArithTuple(0,1) o 4:1",
]  # fmt: skip


@pytest.mark.parametrize("text", NO_LAYOUT)
def test_swizzled_layouts_that_are_none(text) -> None:
    with pytest.raises(NotationError):
        cute.parse(text)


def test_printed_swizzled_layouts_read_back() -> None:
    coordinates = cute.make_layout((4, (5, 2)), stride=(3 * cute.E(1), (cute.E(0, 1), 0 * cute.E(0, 0))))
    swizzled = ComposedLayout(Swizzle(2, 0, -3), 5, Layout((8, (2, 4)), (8, (1, 2))))
    chain = ComposedLayout(Layout((8, 4), (4, 1)), 2, ComposedLayout(Swizzle(1, 0, 2), 3, swizzled))
    behind_two = ComposedLayout(Swizzle(2, 0, 3), 1, swizzled)
    identity = cute.make_identity_layout((4, (2, 3)))
    still = cute.CoordinateLayout((4, 5), (0, 0))
    for x in (Swizzle(3, 4, 3), swizzled, chain, behind_two, Layout((2, 3)), coordinates, identity, still):
        assert cute.parse(str(x)) == x


def test_coordinates_that_stay_are_coordinates() -> None:
    """No stride names a mode: 0@0, also beside strides inside that mode, and filtered as 0."""
    still, inside = cute.CoordinateLayout((4, 5), (0, 0)), cute.CoordinateLayout(2, cute.E(0, 1))
    assert still(3, 4) == (0,)
    assert cute.composition(cute.make_identity_layout((4, 5)), Layout(4, 0))(3) == (0,)
    both = cute.make_layout(still, inside)
    assert both((3, 4), 1) == ((0, 1),)
    assert cute.filter_zeros(still).size() == 1


def nested(rng: Random, depth: int = 2):
    if depth == 0 or rng.random() < 0.5:
        return rng.choice((1, 2, 2, 3, 4))
    return tuple(nested(rng, depth - 1) for _ in range(rng.randint(1, 3)))


def test_ordered_layouts_are_compact_in_that_order(turns) -> None:
    """Walking the modes by their order, the fastest first, gives 0, 1, 2, …"""
    rng = Random("orders")
    for _ in turns(200):
        shape = tuple(nested(rng, 1) for _ in range(rng.randint(1, 4)))
        order = rng.sample(range(10), len(shape))
        layout = cute.make_ordered_layout(shape, tuple(order))
        modes = sorted(zip(order, layout.modes(), strict=True), key=lambda m: m[0])
        walk = cute.make_layout([m for _, m in modes])
        assert [walk(x) for x in range(walk.size())] == list(range(prod(map(cute.size, shape))))
        assert all(d == 0 for n, d in layout.flat() if n == 1)


def test_compact_layouts_of_all_strides_are_like_themselves() -> None:
    for order in permutations(range(3)):
        layout = cute.make_ordered_layout((2, 3, 5), order)
        assert cute.make_layout_like(Layout(layout.shape, tuple(7 * d for d in layout.stride))) == layout


def test_tiles_and_partitions_share_out_the_layout(turns) -> None:
    """Each element is in one tile, and each has one owner."""
    rng, seen = Random("tiles"), Counter()
    for _ in turns(100):
        tile = (rng.choice((1, 2, 3)), rng.choice((1, 2, 4)))
        many = (rng.choice((1, 2, 3)), rng.choice((1, 2)))
        layout = Layout(tuple(a * b for a, b in zip(tile, many, strict=True)), rng.choice([(1, 40), (40, 1), (3, 50)]))
        values = Counter(layout(x) for x in range(layout.size()))
        tiles = Counter()
        for at in product(*map(range, many)):
            part, offset = cute.local_tile(layout, tile, at)
            corner = [a * t for a, t in zip(at, tile, strict=True)]
            wanted = [layout(corner[0] + i, corner[1] + j) for j in range(tile[1]) for i in range(tile[0])]
            assert [offset + part(x) for x in range(part.size())] == wanted
            tiles.update(wanted)
        owners, threads = Counter(), Layout(tile, rng.choice([(1, tile[0]), (tile[1], 1)]))
        for index in range(threads.size()):
            part, offset = cute.local_partition(layout, threads, index)
            owners.update(offset + part(x) for x in range(part.size()))
            i, j = next(c for c in product(*map(range, tile)) if threads(*c) == index)
            assert offset == layout(i, j)
        assert tiles == owners == values
        seen[layout.size() > 4] += 1
    assert min(seen.values()) > 5


def test_layouts_that_begin_at_a_coordinate(turns) -> None:
    rng = Random("domain offsets")
    for _ in turns(60):
        shape = rng.choice((2, 3, 4)), rng.choice((2, 4))
        layout = Layout(shape, (rng.choice((1, 2, 8)), rng.choice((1, 4, 8))))
        swizzled = ComposedLayout(Swizzle(rng.choice((1, 2)), rng.choice((0, 1)), rng.choice((2, 3))), 1, layout)
        start = tuple(map(rng.randrange, shape))
        for x in (layout, swizzled, ComposedLayout(Swizzle(1, 0, 1), 2, swizzled)):
            found, more = cute.domain_offset(start, x)
            for i, j in product(*map(range, shape)):
                assert more + found(i, j) == x(i + start[0], j + start[1])


def test_tiled_shapes_repeat_the_block(turns) -> None:
    rng = Random("tile to shape")
    for _ in turns(100):
        block = cute.make_ordered_layout((rng.choice((1, 2, 3)), rng.choice((2, 4))), rng.choice(((0, 1), (1, 0))))
        many = rng.choice((1, 2, 3)), rng.choice((1, 2))
        order = rng.choice(((0, 1), (1, 0)))
        target = tuple(a * b for a, b in zip(block.shape, many, strict=True))
        found = cute.tile_to_shape(block, target, order)
        copies = cute.make_ordered_layout(many, order)
        for i, j in product(*map(range, target)):
            (m, n) = block.shape
            assert found(i, j) == block(i % m, j % n) + block.size() * copies(i // m, j // n)


def test_wider_elements_hold_the_narrow_ones(turns) -> None:
    """Along the mode of stride 1, element i of the narrow layout lies in element i // n of the wide one."""
    rng, seen = Random("recast"), 0
    for _ in turns(200):
        n = rng.choice((2, 3, 4))
        layout = Layout((n * rng.choice((1, 2, 3)), rng.choice((1, 2, 3))), (1, n * rng.choice((0, 5))))
        wide = cute.upcast(layout, n)
        for i, j in product(*map(range, layout.shape)):
            assert wide(i // n, j) == layout(i, j) // n
        assert cute.same_function(cute.downcast(wide, n), layout)
        seen += layout.size() > n
    assert seen > 20


def test_common_layouts_agree(turns) -> None:
    rng, seen = Random("common"), Counter()
    for _ in turns(200):
        shape = tuple(rng.choice((1, 2, 3, 4)) for _ in range(3))
        a, b = (cute.make_ordered_layout(shape, tuple(rng.sample(range(3), 3))) for _ in "ab")
        found = cute.max_common_layout(a, b)
        assert [(a(found(i)), b(found(i))) for i in range(found.size())] == [(i, i) for i in range(found.size())]
        assert cute.max_common_vector(a, b) == found.size()
        seen[found.size() == a.size()] += 1
    assert min(seen.values()) > 10


def test_compatible_shapes_take_the_same_coordinates() -> None:
    shapes = [24, (4, 6), (24,), ((2, 2), 6), (4, (2, 3)), ((2, 2), (3, 2)), (6, 4), (2, 12)]
    below = {(24, b) for b in shapes} | {(a, a) for a in shapes}
    below |= {((4, 6), ((2, 2), 6)), ((4, 6), (4, (2, 3))), ((4, 6), ((2, 2), (3, 2)))}
    below |= {(((2, 2), 6), ((2, 2), (3, 2)))}
    assert {(a, b) for a, b in product(shapes, repeat=2) if cute.compatible(a, b)} == below


def test_tables() -> None:
    assert cute.layout_table(Layout((2, 2), (2, 1))).splitlines()[3] == " 0  | 0 | 1 |"
    swizzled = ComposedLayout(Swizzle(1, 0, 2), 0, Layout((4, 2)))
    assert cute.layout_table(swizzled).splitlines()[-2] == " 3  | 3 | 6 |"
    assert cute.layout_table(cute.make_identity_layout((2, 2))).splitlines() == [
        "(2,2):(1@0,1@1)", "          0       1", "    +-------+-------+", " 0  | (0,0) | (0,1) |",
        "    +-------+-------+", " 1  | (1,0) | (1,1) |", "    +-------+-------+",
    ]  # fmt: skip


PYCUTE = """
import sys
import symview.cute
sys.modules["pycute"] = symview.cute
from pycute.layout import Layout, composition
from pycute.typing import Integer
from pycute.int_tuple import *
import pycute.swizzle
import symview.cute.layout as ours
assert Layout is symview.cute.Layout is ours.Layout and pycute.swizzle.Swizzle is symview.cute.Swizzle
assert isinstance(4, Integer) and prefix_product((2, 3)) == (1, 2)
assert not [m for m in sys.modules.values() if getattr(m, "__file__", None) == ours.__file__ and m is not ours]
print(composition(Layout((4, 4), (4, 1)), Layout(4, 5)))
"""


def test_pycutes_modules_are_found_in_symview() -> None:
    run = subprocess.run([sys.executable, "-c", PYCUTE], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("4:5\n", "")


def test_pycute_itself_is_left_alone() -> None:
    import pycute.layout

    import symview.cute

    assert pycute.layout.Layout is not symview.cute.Layout


def coordinates(x, paths):
    """The numbers of a coordinate at the paths; 0 where it is cut off."""
    found = []
    for path in paths:
        at = x
        for n in path:
            at = at[n] if isinstance(at, tuple) and n < len(at) else 0
        found.append(at)
    return found


def along(layout: cute.CoordinateLayout, path) -> Layout:
    """The part of its values at a path."""
    return Layout(layout.shape, tuple([dict(d.terms()).get(path, 0) if d else 0 for d in layout.stride]))


def random_coordinate_layout(rng: Random) -> cute.CoordinateLayout:
    paths = rng.choice([[(0,), (1,)], [(0, 0), (0, 1), (1,)], [(2,)]])
    shape = tuple(rng.choice((1, 2, 3, 4, 6)) for _ in range(rng.randint(1, 4)))

    def stride():
        elements = [rng.choice((1, 2, 4, -1)) * cute.E(p) for p in paths]
        return rng.choice((0, sum(elements), *elements, *elements))

    return cute.CoordinateLayout(shape, tuple(stride() for _ in shape))


def test_layouts_of_coordinates_compose_as_functions(turns) -> None:
    """Each part of the coordinates composes by itself; where all do with one shape, so do they together."""
    rng, seen = Random("coordinate layouts"), Counter()
    for _ in turns(400):
        a = random_coordinate_layout(rng)
        b = Layout(*zip(*[(rng.choice((1, 2, 3, 4)), rng.choice((1, 2, 3, 6))) for _ in range(2)], strict=True))
        paths = a.paths()
        extended = cute.CoordinateLayout((*a.shape[:-1], 10**4), a.stride)
        wanted = [coordinates(extended(b(x)), paths) for x in range(b.size())]
        try:
            found = cute.composition(a, b)
        except cute.NoAnswer:
            parts = [cute.try_composition(along(a, p), b) for p in paths]
            seen["none"] += 1
            assert not all(parts) or len({str(p.shape) for p in parts}) > 1
            continue
        assert [coordinates(found(x), paths) for x in range(found.size())] == wanted
        seen["found"] += 1
    assert min(seen[k] for k in ("none", "found")) > 0.1 * len(turns(400)), seen


def test_layouts_compose_with_sums_of_basis_elements(turns) -> None:
    """A ∘ B at each coordinate is A at B's; where there is none, no layout of B's sizes has these values."""
    rng, seen = Random("sums of basis elements"), Counter()
    for _ in turns(300):
        sizes = [rng.choice((2, 3, 4)) for _ in "abc"]
        steps = [rng.choice((1, 2, 4, 5, 10)) for _ in "abc"]
        a = Layout(((sizes[0], sizes[1]), sizes[2]), ((steps[0], steps[1]), steps[2]))
        shape = tuple(rng.choice((1, 2, 3, 4)) for _ in range(rng.randint(1, 2)))
        stride = tuple(rng.choice((0, 1, 1, 2)) * cute.E(0) + rng.choice((1, 1, 2, 3)) * cute.E(1) for _ in shape)
        b = cute.CoordinateLayout(shape, stride)
        at = [coordinates(b(x), [(0,), (1,)]) for x in range(b.size())]
        wanted = [i % sizes[0] * steps[0] + i // sizes[0] * steps[1] + j * steps[2] for i, j in at]
        try:
            found = cute.composition(a, b)
        except LayoutError:
            assert len(shape) > 1 or not layouts_of(wanted)
            seen["none"] += 1
            continue
        assert [found(x) for x in range(found.size())] == wanted
        seen["found"] += 1
    assert min(seen["found"], seen["none"]) > 0.1 * len(turns(300)), seen


def test_layouts_of_coordinates_divide_as_functions(turns, least) -> None:
    """The tile and the rest list the coordinates in the order of (B, complement of B)."""
    rng, seen = Random("divided coordinate layouts"), Counter()
    for _ in turns(200):
        a, tile = random_coordinate_layout(rng), Layout(rng.choice((1, 2, 3, 4)), rng.choice((1, 2, 3)))
        try:
            found = cute.logical_divide(a, tile)
        except LayoutError:
            seen["none"] += 1
            continue
        order = cute.make_layout(tile, cute.complement(tile, a.size()))
        extended = cute.CoordinateLayout((*a.shape[:-1], 10**4), a.stride)
        paths = a.paths()
        wanted = [coordinates(extended(order(x)), paths) for x in range(order.size())]
        assert [coordinates(found(x), paths) for x in range(found.size())] == wanted
        seen["found"] += 1
    assert min(seen["none"], seen["found"]) > least(20), seen


def test_identity_layouts(turns) -> None:
    rng = Random("identity layouts")
    for _ in turns(50):
        shape = tuple(nested(rng) for _ in range(rng.randint(1, 3)))
        layout = cute.make_identity_layout(shape)
        for index in range(0, layout.size(), 1 + layout.size() // 20):
            assert layout(index) == Layout(shape).coordinate(index)
            assert layout(layout(index)) == layout(index)


def test_layouts_of_coordinates() -> None:
    identity = cute.make_identity_layout((8, 12))
    assert str(cute.zipped_divide(identity, (4, 3))) == "((4,3),(2,4)):((1@0,1@1),(4@0,3@1))"
    tile, offset = cute.slice_and_offset(((None, None), (1, 2)), cute.zipped_divide(identity, (4, 3)))
    assert (str(tile), offset) == ("(4,3):(1@0,1@1)", (4, 6))
    assert str(cute.coalesce(cute.composition(identity, (4, 2)), (1, 1))) == "(4,2):(1@0,1@1)"
    assert str(cute.make_layout((4, 5), stride=(cute.E(1), 3 * cute.E(0)))) == "(4,5):(1@1,3@0)"
    assert str(cute.select(identity, 1, 0)[0]) == "12:1@1"
    assert eval(repr(identity), {name: getattr(cute, name) for name in cute.__all__}) == identity
    with pytest.raises(LayoutError, match="inside it"):
        cute.CoordinateLayout((2, 2), (cute.E(0), cute.E([0, 1])))
    with pytest.raises(cute.NoAnswer, match="no layout of coordinates"):
        cute.composition(identity, Layout(3, 5))
