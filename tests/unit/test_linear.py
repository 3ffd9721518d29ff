"""Linear layouts: what is accepted, refused, read and printed; the command."""

from __future__ import annotations

import json
from itertools import product
from types import SimpleNamespace

import pytest
import schema
from command import typed

from symview import Undecided, View
from symview.cute import (
    ComposedLayout,
    CoordinateLayout,
    E,
    Layout,
    LayoutError,
    LinearLayout,
    NoAnswer,
    Swizzle,
    as_layout,
    composition,
    is_bijective,
    is_injective,
    layout_table,
    parse,
    same_function,
    slice_to_view,
    to_linear,
    to_swizzled,
    to_view,
    upcast,
)
from symview.cute.linear.layout import compose, conversion, reshaped, sublayout
from symview.errors import NotationError, SymbolError
from symview.logic.budget import Budget

LISTING = """
 - register=1 -> (0, 1)
   register=2 -> (0, 2)
 - lane=1 -> (1, 0)
 - warp is a size 1 dimension
where out dims are: [dim0 (size 2), dim1 (size 4)]
"""
TILE = LinearLayout({"register": [[0, 1], [0, 2]], "lane": [[1, 0]], "warp": []})
WIDE = LinearLayout({"lane": [1, 2, 4], "warp": [8]})


@pytest.mark.parametrize("text", [
    LISTING,
    LISTING.replace(" (size 2)", "").replace(" (size 4)", ""),
    "{register = [[0, 1], [0, 2]], lane = [[1, 0]], warp = []} -> {dim0 = 2, dim1 = 4}",
    "#ttg.linear<{register = [[0, 1], [0, 2]], lane = [[1, 0]], warp = []}>",
    "#linear = #ttg.linear<{register = [[0,1],[0,2]], lane = [[1,0]], warp = []}, alignment = 16>",
    "{'register': [(0, 1), (0, 2)], \"lane\": [(1, 0)], 'warp': []} -> [dim0, dim1]",
])  # fmt: skip
def test_what_is_read(text) -> None:
    assert LinearLayout.parse(text) == parse(text) == TILE


def test_what_is_printed() -> None:
    assert TILE.listing() == LISTING.strip("\n")
    assert str(LinearLayout([1, 3], constant=2)) == "{index = [1, 3]} -> {offset = 4} ^ [2]"
    assert str(parse("{a = [1]} ^ [1]")) == "{a = [1]} -> {offset = 2} ^ [1]"
    odd = LinearLayout({"a b": [1]}, {"→": 4})
    assert LinearLayout.parse(str(odd)) == odd == eval(repr(odd))
    inner = parse("{lane = [1, 3, 4]} o 1 o (2,2):(1,2)")
    assert isinstance(inner, ComposedLayout)
    assert [inner(i) for i in range(4)] == [1, 3, 2, 4]
    assert parse("{lane = [1, 2]} o S<0,0,0> o 0 o 4:1").layoutA == parse("S<0,0,0> o 0 o 4:1")


@pytest.mark.parametrize(("text", "message"), [
    ("{lane = [1, 2]", "to close what is named"), ("{lane [1]}", "expected '='"), ("{lane = [1], lane = [2]}", "twice"),
    ("- lane=2 -> (1)", "lane=1, the next base"), ("{lane = [-1]}", "a number from 0 on"), ("{lane = [1]} -> 4", "'['"),
    ("- lane is a size dimension", "a number"), ("{lane = [1]} x", "unexpected"), ("{lane = [1?]}", "'?'"),
    ("#ttg.linear[]", "expected '<'"), ("- lane=1 -> (1) where out", "'dims'"), ("{1 = [1]}", "a name"),
    ("{a = [1]} o x o 4:1", "unexpected"),
])  # fmt: skip
def test_what_is_not_read(text, message) -> None:
    with pytest.raises(NotationError) as error:
        parse(text)
    assert message in str(error.value)


BAD = {
    "a size": (lambda: LinearLayout({"a": [1]}, {"y": 3}), "powers of two"),
    "a basis beyond the size": (lambda: LinearLayout({"a": [4]}, {"y": 4}), "size 4 and a basis with 4"),
    "too few outputs": (lambda: LinearLayout({"a": [[1, 2], [1]]}), "of 1 outputs: there are 2"),
    "a negative basis": (lambda: LinearLayout({"a": [-1]}), "from 0 on"),
    "an input twice": (lambda: LinearLayout([("a", [1]), ("a", [2])]), "twice"),
    "an output twice": (lambda: LinearLayout({"a": [[1, 2]]}, ["x", "x"]), "twice"),
    "a name": (lambda: LinearLayout({1: [1]}), "not a name"),
    "no bases": (lambda: LinearLayout(3), "give bases"),
    "outputs": (lambda: LinearLayout({"a": [1]}, 3), "give the outputs"),
    "a constant": (lambda: LinearLayout({"a": [1]}, constant={"z": 1}), "not an output"),
    "too many bits": (lambda: LinearLayout({"a": [0] * 5000}), "at most 4096"),
    "an index": (lambda: TILE(8), "0 to 7"),
    "coordinates": (lambda: TILE(1, 2), "2 numbers"),
    "an input": (lambda: TILE.at(block=1), "not one of the inputs"),
    "a number of an input": (lambda: TILE.at(lane=2), "lane = 2 is outside 0 to 1"),
    "a part": (lambda: TILE["block"], "unknown name 'block': choose from register"),
    "a value": (lambda: TILE.preimage(8), "0 to 7"),
    "a product": (lambda: TILE * 3, "not a linear layout"),
    "other names": (lambda: compose(TILE, TILE), "only in one of"),
    "a larger output": (lambda: compose(LinearLayout([1]), LinearLayout([2])), "size 4, the input only 2"),
    "outputs of one": (lambda: conversion(TILE, WIDE), "of one of the two only"),
    "a part twice": (lambda: sublayout(TILE, ["lane", "lane"], ["dim0"]), "twice"),
    "another number of bits": (lambda: reshaped(TILE, {"x": 4}, None), "3 bits"),
    "names of coordinates": (lambda: to_linear(Layout((2, 2)), names="x"), "one for each mode"),
    "names of a swizzle": (lambda: to_linear(Swizzle(1, 0, 2), names=["x"]), "has none"),
    "names behind a layout": (lambda: to_linear(ComposedLayout(Layout(4), 0, Layout(4)), names=["x"]), "swizzled"),
    "units of 3": (lambda: upcast(TILE, 3), "power of two, not of 3"),
    "a size beside names": (lambda: to_linear(Layout(2), names=["x"], size=2), "one of the two"),
    "a size beyond": (lambda: as_layout(TILE, size=9), "1 to 8"),
    "no index": (lambda: to_view(View((0,))), "no index"),
    "a mask": (lambda: to_view(View((2,), None, 0, ((0, 1),))), "has a mask"),
    "layouts of coordinates": (lambda: to_linear(CoordinateLayout((2, 2), (E(0), E(1)))), "is not a layout"),
    "values beyond": (lambda: to_linear(ComposedLayout(LinearLayout([1]), 0, Layout(4))), "from 2 on"),
    "values below": (lambda: to_linear(ComposedLayout(WIDE, 0, Layout(4, -1))), "goes down to -3"),
    "values below, of a layout in front": (lambda: to_view(ComposedLayout(Layout(4), -1, Layout(4))), "down to -1"),
    "a range": (lambda: slice_to_view(TILE, lane=(1, 1)), "not a range within [0, 2)"),
    "a step": (lambda: slice_to_view(TILE, register=range(0, 4, 2)), "step 2"),
    "an input of a slice": (lambda: slice_to_view(TILE, block=1), "is not an input"),
    "masks of other shapes": (
        lambda: same_function(View((2,), None, 0, ((0, 1),)), View((3,), None, 0, ((0, 1),))), "one shape"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_bad_arguments(name) -> None:
    call, words = BAD[name]
    with pytest.raises(LayoutError) as error:
        call()
    assert words in str(error.value)


def test_symbols_need_numbers_here() -> None:
    for call in (to_linear, to_view, lambda x: same_function(x, TILE)):
        with pytest.raises(SymbolError, match="put in values"):
            call(Layout.parse("(4,2):(a,1)"))


def test_frozen_and_in_parts() -> None:
    with pytest.raises(AttributeError, match="frozen"):
        TILE.constant = 3
    assert [part.size() for part in TILE] == [4, 2, 1]
    assert TILE[1] == TILE["lane"] == TILE[-2]
    assert (TILE.shape, len(TILE), TILE.cosize()) == ((4, 2, 1), 3, 8)


def test_no_text_is_made_of_a_layout_whose_values_are_asked(monkeypatch) -> None:
    layout = LinearLayout({"register": [1, 2], "lane": [4]})
    with monkeypatch.context() as patched:
        patched.setattr(LinearLayout, "__str__", lambda self: pytest.fail("this takes longer than the value"))
        assert (layout.index({"lane": 1}), layout(3, 1), layout.at(lane=1)) == (4, 7, {"offset": 4})
    with pytest.raises(LayoutError, match=r"'warp' is not one of the inputs of \{register = \[1, 2\], lane = \[4\]\}"):
        layout.index({"warp": 1})


def test_no_inverse_says_why() -> None:
    with pytest.raises(NoAnswer, match="at lane = 3 is the same value as at 0"):
        LinearLayout({"lane": [1, 1]}, {"y": 4}).inverse()
    with pytest.raises(NoAnswer, match="no index has the value dim0 = 0, dim1 = 1"):
        LinearLayout({"lane": [[1, 0]]}, {"dim0": 2, "dim1": 2}).inverse()


def test_compositions_with_other_kinds() -> None:
    swizzle, layout = Swizzle(1, 0, 2), Layout((2, 4), (4, 1))
    for outer, inner in product((WIDE, swizzle, layout, TILE.fixed(register=0)["lane"]), repeat=2):
        try:
            found = composition(outer, inner)
        except LayoutError:
            continue
        if isinstance(found, LinearLayout | ComposedLayout):
            indices = range(min(found.size(), 16))
            assert [found(x) for x in indices] == [outer(inner(x)) for x in indices], (outer, inner)
    assert str(composition(WIDE, 4)) == f"{WIDE} o 0 o 4:1"
    with pytest.raises(LayoutError, match=r"values from 0 to 16, .* takes 0 to 15"):
        composition(WIDE, Layout(17))
    with pytest.raises(LayoutError, match="beyond the 2 bits"):
        composition(Swizzle(1, 0, -2), LinearLayout([1, 2]))
    assert as_layout(composition(layout, WIDE["lane"])) == Layout((2, 4), (4, 1))


def test_questions_of_other_kinds() -> None:
    assert is_injective(WIDE) and is_bijective(WIDE)
    assert not is_bijective(LinearLayout([1, 4]))
    assert not is_bijective(LinearLayout([1], constant=2))
    assert is_bijective(LinearLayout([1], constant=1))
    assert not is_injective(LinearLayout([1, 1]))
    assert as_layout(TILE) == Layout((4, 2), (2, 1))
    assert as_layout(Layout(12), size=5) == Layout(5)
    assert as_layout(Layout((3, 1 << 50), (1, 7)), size=3 << 40) == Layout((3, 1 << 40), (1, 7))
    assert as_layout(Layout((3, 1 << 50), (1, 7)), size=1 << 40).index == (3,)


def test_objects_of_triton() -> None:
    gluon = SimpleNamespace(
        reg_bases=[[0, 1], [0, 2]], lane_bases=[[1, 0]], warp_bases=[], block_bases=[], shape=[2, 4]
    )
    assert LinearLayout.of(gluon)["register"] == TILE["register"]
    assert LinearLayout.of(SimpleNamespace(bases=[("lane", [[1]])], out_dims=[("x", 2)])).outs == {"x": 2}
    with pytest.raises(LayoutError, match="it has no bases"):
        LinearLayout.of(3)


def test_tables() -> None:
    table = layout_table(LinearLayout({"row": [1, 2], "column": [5]}))
    assert table.splitlines()[3:5] == [" 0  | 0 | 5 |", "    +---+---+"]
    with pytest.raises(LayoutError, match="one or two modes"):
        layout_table(TILE)
    with pytest.raises(NoAnswer, match="the value at index 2 is 3: no unit of 2"):
        upcast(LinearLayout([1, 3]), 2)


def test_large_layouts_are_compared_by_their_forms() -> None:
    big = 1 << 60
    assert same_function(Layout(big), LinearLayout([1 << i for i in range(60)])) is True
    found = same_function(Layout((big // 2, 2), (1, big // 2 + 1)), LinearLayout([1 << i for i in range(60)]))
    assert (found.index, found.got, found.expected) == ((big // 2,), big // 2 + 1, big // 2)
    swizzled = ComposedLayout(Swizzle(3, 4, 3), 0, Layout((1 << 30, 1 << 20), (1 << 20, 1)))
    assert same_function(swizzled, to_linear(swizzled)) is True
    assert to_swizzled(to_linear(swizzled)).layoutB.bits == 3
    assert str(to_view(to_linear(Layout((3 << 40,), (1,))), size=3 << 40)) == f"({3 << 40}):(1)"
    assert not to_linear(Layout((3, 1 << 40), (1, 3 << 10)))


def test_what_is_hard_ends_with_the_budget() -> None:
    """Whether a subset sum is hit, behind a map that takes the exclusive or of two bits."""
    items, w = [3 * (977 * i % 10007) for i in range(1, 31)], 20
    total = sum(items) // 2 - sum(items) // 2 % 3 + 1  # no multiple of 3
    front = LinearLayout([int(i in (w, 2 * w + 1)) for i in range(2 * w + 6)])
    modes = [a + (a << w + 1) for a in items]
    offset = (1 << w) - total - 1 + ((1 << w) - total << w + 1)
    hard = ComposedLayout(front, offset, Layout((2,) * 30, tuple(modes)))
    with pytest.raises(Undecided, match="equal up to index"):
        to_linear(hard, budget=Budget(points=2000, work=20_000))


COMMANDS = [
    (("{a = [1], b = [2]}",), 0, "linear     {a = [1], b = [2]} -> {offset = 4}\nstrided    (4):(1)\ninjective  yes"),
    (("(2,2):(1,3)",), 1, None),
    (("(3,2):(3,8)", "--names", "i,j"), 0, None),
    (("{x = [3, 6, 8]}", "--size", "6"), 0, "linear     {index = [3, 6, 8]} -> {offset = 16}\nstrided    (3,2):(3,5)"),
    (("S<1,0,2>", "{x = [1, 2, 5]}"), 0, "the same function"),
    (("4:1", "{x = [1, 3]}"), 1, "they differ: at index 2 the first has 2, the second 3"),
    (("4:a", "{x = [1, 2]}"), 2, None),
    (("4:a", "{x = [1, 2]}", "--at", "a=1"), 0, "the same function"),
    (("4:a",), 2, None),
    (("(2,2):(a,a)", "--at", "a=3"), 1, None),
    (("4:1", "4:1", "--size", "2"), 2, None),
    (("n:1",), 2, None),
    (("{x = [1",), 2, None),
]  # fmt: skip


@pytest.mark.parametrize(("args", "code", "text"), COMMANDS)
def test_the_command(args, code, text) -> None:
    result = typed(["linear", *args])
    assert result.exit_code == code, result.output
    if text is not None:
        assert result.stdout.rstrip() == text
    stated = typed(["linear", *args, "--json"])
    assert stated.exit_code == code
    schema.read(stated.stdout)


def test_json_of_the_command() -> None:
    found = schema.own(typed(["linear", "S<1,0,2> o 0 o 8:1", "--json"]).stdout)
    assert found["linear"] == "{index = [1, 2, 5]} -> {offset = 8}"
    assert (found["layout"], found["swizzled"], found["injective"]) == (None, "Sw<1,0,2> o 0 o 8:1", True)
    assert found["not_strided"]["index"] == 5
    found = json.loads(typed(["linear", "4:3", "4:1", "--json"]).stdout)
    assert found["difference"] == {"index": 1, "left": 3, "right": 1}
