"""Calls of kernel code that once had a wrong answer, or none: as C++ and the CuTe DSL answer them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from math import prod
from random import Random

import pytest

from symview import cute
from symview.cute import ComposedLayout, Layout, LayoutError, NoAnswer, Swizzle, parse
from symview.errors import SymbolError, SymviewError, Undecided

TILE = cute.tile_to_shape(cute.composition(Swizzle(3, 4, 3), Layout((8, 64), (64, 1))), (128, 64, 4))


def confirmed(document) -> bool:
    checker = pytest.importorskip("symview.verify")
    with checker.Solver("cvc5", 60.0, work=1_000_000) as solver:
        return bool(checker.verify(json.dumps(document), solver).verdict == "confirmed")


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


@pytest.mark.parametrize("block", ["((8,2)):((8,8))", "(4,2):(1,2)", "4:-1", "(2,2):(2,3)", "(3,4):(0,-2)"])
@pytest.mark.parametrize("tile", ["1:0", "1:7", "(2,(1,3)):(0,(5,0))"])
def test_one_copy_of_any_layout(block: str, tile: str) -> None:
    """Whether there is room for a second is not asked; at sizes of 1 the answer has the stride 0."""
    a, b = Layout.parse(block), Layout.parse(tile)
    found = cute.logical_product(a, b)
    assert found == cute.make_layout(a, Layout(b.shape, cute.transform_leaf(lambda _: 0, b.stride)))
    assert confirmed(cute.certificate("logical_product", (a, b), found))
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
        assert str(cute.composition_conditions(Layout.parse(given), (1, None)).cases[0].answer.stride[0]) == "0"
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


def names(text: str):
    return Layout.parse(text).shape


def at(shape, **values: int):
    """The shape with numbers for its names."""
    return Layout(shape, cute.transform_leaf(lambda _: 0, shape)).with_values(values).shape


@pytest.mark.dear
def test_tiles_of_a_shape_with_names() -> None:
    block = Layout((32, 4), (4, 1))
    found = cute.tile_to_shape_conditions(block, names("(m,k)"))
    assert str(found) == "always: ((32,⌈m/32⌉),(4,⌈k/4⌉)):((4,128),(1,128*⌈m/32⌉))"
    assert cute.tile_to_shape(block, names("(m,k)")) == found.cases[0].answer
    for m, k in product((1, 16, 32, 64, 96), (1, 4, 6, 8)):
        values = {"m": m, "k": k}
        assert cute.same_function(found.layout(values), cute.tile_to_shape(block, (m, k)))
    divided = cute.tile_to_shape_conditions(block, names("(m,k)"), assume=["m % 32 == 0", "k % 4 == 0"])
    assert str(divided) == "always: ((32,m//32),(4,k//4)):((4,128),(1,4*m))"
    with pytest.raises(SymbolError, match="ask tile_to_shape_conditions: "):
        cute.tile_to_shape(Layout.parse("(a,4):(1,3)"), names("(m,k)"))
    whole = cute.tile_to_shape(block, names("(32*m,4*k,s)"))
    assert str(whole) == "((32,m),(4,k),(1,s)):((4,128),(1,128*m),(0,128*k*m))"
    swizzled = cute.tile_to_shape(parse("S<3,4,3> o 0 o (8,64):(64,1)"), names("(8*m,64*k)"), cute.LayoutRight)
    assert str(swizzled) == "Sw<3,4,3> o 0 o ((8,m),(64,k)):((64,512*k),(1,512))"
    by_order = cute.tile_to_shape_conditions(Layout.parse("(a,4):(4,1)"), (8, 8), order=(1, 0))
    assert by_order.layout({"a": 2}) == cute.tile_to_shape(Layout((2, 4), (4, 1)), (8, 8), (1, 0))
    for conditions in (found, divided, by_order):
        document = conditions.certificate()
        assert confirmed(document)
        document["claim"]["cases"][0]["status"] = "never"
        document["claim"]["cases"][0] |= {"layout": None, "reason": "no"}
        assert not confirmed(document)


def test_tiles_of_a_shape_have_certificates() -> None:
    block = Layout(((2, 2), 3), ((1, 6), 2))
    found = cute.tile_to_shape(block, (8, 6, 2), (2, 0, 1))
    document = cute.certificate("tile_to_shape", (block, (8, 6, 2), (2, 0, 1)), found)
    assert confirmed(document)
    assert not confirmed({**document, "claim": {**document["claim"], "order": [0, 1, 2]}})
    assert confirmed({**document, "claim": {**document["claim"], "shape": [7, 5, 2]}})
    assert not confirmed({**document, "claim": {**document["claim"], "shape": [9, 6, 2]}})
    assert not confirmed({**document, "claim": {**document["claim"], "shape": [4, 6, 2]}})


def test_random_tiles_of_shapes_with_names(turns, full) -> None:
    rng, seen = Random("tiles of shapes"), Counter()
    for _ in turns(12):
        sizes = [rng.choice((1, 2, 3, 4)) for _ in range(2)]
        block = Layout(tuple(sizes), rng.choice(((1, sizes[0]), (sizes[1], 1), (2, 2 * sizes[0]))))
        order = rng.choice((None, (0, 1), (1, 0), (0, 0), cute.LayoutRight))
        found = cute.tile_to_shape_conditions(block, names(rng.choice(("(m,k)", "(2*m,k)", "(m,6)"))), order)
        for m, k in product(range(1, 9), repeat=2):
            values = {n: v for n, v in (("m", m), ("k", k)) if n in found.symbols()}
            numbers = at(found.question.args[1], **values)
            given = found.layout(values)
            try:
                expected = cute.tile_to_shape(block, numbers, order)
            except LayoutError:  # two modes of one place in the order, whose copies overlap
                assert given is None
                seen["none"] += 1
                continue
            assert cute.same_function(given, expected), (block, numbers, order)
            seen[expected.size() > prod(numbers)] += 1
    if full:
        assert min(seen[True], seen[False], seen["none"]) > 20, seen


def test_shapes_with_names() -> None:
    m, n, k = names("(m,n,k)")
    assert str(cute.make_identity_layout((m, n))) == "(m,n):(1@0,1@1)"
    assert cute.make_identity_layout((m, n))(3, 4) == (3, 4)
    many = cute.ceil_div((m, n, 128 * k), (128, 128, 64))
    assert str(many) == "(-(-m//128), -(-n//128), 2*k)"
    for by in (128, (128, 3), (m, 2, 7)):
        found = cute.ceil_div((m, n, k), by)
        for values in product((1, 127, 128, 129, 300), repeat=3):
            numbers = dict(zip("mnk", values, strict=True))
            assert at(found, **numbers) == cute.ceil_div(values, at(by, **numbers))
    assert str(cute.round_up((m, 128 * n), (128, 64))) == "(128*-(-m//128), 128*n)"


def test_coordinates_with_names_are_divided_and_sliced() -> None:
    identity = cute.make_identity_layout(names("(m,n,k)"))
    divided = cute.zipped_divide(identity, (32, 16))
    assert str(divided) == "((32,16),(⌈m/32⌉,⌈n/16⌉,k)):((1@0,1@1),(32@0,16@1,1@2))"
    tile, offset = cute.local_tile(identity, (128, 64, 32), (1, None, 2), (1, None, 1))
    assert (str(tile), offset) == ("(128,32,k):(1@0,1@1,1@2)", (128, 64, 0))
    layout = parse("(8,n):(1@0,1@1)")
    assert str(cute.composition(layout, (4, 2))) == "(4,2):(1@0,1@1)"
    assert str(cute.composition(layout, Layout((4, 4)))) == "(4,(2,2)):(1@0,(4@0,1@1))"
    assert str(cute.composition(Layout((8, 4)), layout)) == "(8,n):(1,8)"
    assert str(cute.composition(parse("S<2,0,3> o 0 o (64,32):(32,1)"), layout)) == "Sw<2,0,3> o 0 o (8,n):(32,1)"
    assert str(cute.coalesce(parse("(8,n,k):(1@0,8@0,1@1)"))) == "(8*n,k):(1@0,1@1)"
    with pytest.raises(SymbolError, match="ask logical_divide_conditions"):
        cute.logical_divide(cute.make_identity_layout(names("(m,n)")), 4)
    for other in (lambda: cute.logical_product(layout, 2), lambda: cute.filter(layout)):
        with pytest.raises(SymbolError, match="put in values"):
            other()


def test_operations_on_coordinates_with_names_are_those_at_numbers(turns, full) -> None:
    """The layouts are the same functions of coordinates as with numbers put in."""
    rng, seen = Random("coordinates with names"), Counter()
    for _ in turns(40):
        shape = tuple(rng.choice((2, 4, 6, "n")) for _ in range(3))
        strides = [rng.choice((1, 2)) * cute.E(p) for p in rng.sample((0, 1, 2), 3)]
        if rng.random() < 0.4:
            strides[0] = strides[0] + cute.E(3)
        tile = rng.choice((2, 4, Layout((2, 2), (1, 4)), (2, 2), (None, 2), (2, None, 2), Layout((2, 3), (1, 2))))
        named = names(f"({','.join(map(str, shape))})")
        operation = rng.choice((cute.composition, cute.logical_divide, cute.zipped_divide))
        try:
            found = operation(cute.CoordinateLayout(named, tuple(strides)), tile)
        except (SymviewError, Undecided):
            seen["refused"] += 1
            continue
        for n in (1, 2, 3, 4, 8):
            layout = cute.CoordinateLayout(tuple([n if x == "n" else x for x in shape]), tuple(strides))
            expected = operation(layout, tile)
            there = cute.CoordinateLayout(at(found.shape, n=n), found.stride)
            assert there.size() == expected.size()
            for x in range(there.size()):  # modes of no length may be left out behind the last
                assert cute.append(there(x), 0, 4) == cute.append(expected(x), 0, 4), (shape, strides, tile, n)
        seen["found"] += 1
    if full:
        assert min(seen["found"], seen["refused"]) > 5, seen


@pytest.mark.parametrize(
    ("text", "n", "why"),
    [
        ("S<2,1,2> o 0 o S<1,1,3> o 0 o (8,2,3):(1,48,8)", 8, "the values .* are not a unit of 8"),  # two swizzles
        ("S<3,4,7> o 0 o (64,1024):(1,64)", 32, r"from \(0,32\) on along mode 0, the values .* are not a unit of 32"),
        ("S<1,0,20> o 0 o (8,1073741824):(1,8)", 2, "along mode 0, the values 1048577, 1048576 are not a unit of 2"),
    ],
)
def test_units_that_swizzles_take_apart(text, n, why) -> None:
    """Also where two swizzles stand in front, and where a swizzle reads bits far up."""
    with pytest.raises(NoAnswer, match=why):
        cute.upcast(parse(text), n)
