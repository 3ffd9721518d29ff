"""Layouts of CuTe: what they accept, refuse, print and return."""

from __future__ import annotations

import copy
import pickle

import pycute
import pytest
import sympy

from symview import NotationError, SymbolError, View, cute
from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle, parse


def test_fields_and_sizes() -> None:
    layout = Layout(((2, 2), 8), ((1, 4), 2))
    assert (layout.shape, layout.stride) == (((2, 2), 8), ((1, 4), 2))
    assert (layout.size(), layout.cosize(), cute.rank(layout), cute.depth(layout)) == (32, 20, 2, 2)
    assert [str(m) for m in layout] == ["(2,2):(1,4)", "8:2"]
    assert (len(layout), str(layout[0]), str(layout[-1]), str(layout[0:1])) == (
        2,
        "(2,2):(1,4)",
        "8:2",
        "((2,2)):((1,4))",
    )
    assert (cute.size(layout), cute.size((2, (3, 4))), cute.cosize(layout)) == (32, 24, 20)
    assert layout
    assert Layout(()).size() == 1


def test_compact_by_default_first_mode_fastest() -> None:
    for shape in (7, (2, 3), ((2, 3), (4, (5, 6))), ()):
        assert Layout(shape).stride == pycute.Layout(shape).stride
    assert Layout([2, [3, 4]]) == Layout((2, (3, 4)))


def test_equality_is_as_written_and_of_functions_apart() -> None:
    one, other = Layout((2, 4)), Layout((2, 4), (1, 2))
    assert one == other
    assert hash(one) == hash(other)
    assert one != Layout(8)
    assert cute.same_function(one, Layout(8))
    assert not cute.same_function(one, Layout(8, 2))
    assert Layout(4) != Layout((4,))
    assert Layout(4) != "4:1"
    assert {one: "x"}[other] == "x"


def test_frozen_copied_and_pickled() -> None:
    layout = Layout((2, (3, 4)))
    with pytest.raises(AttributeError, match="frozen"):
        layout.shape = 3
    with pytest.raises(AttributeError, match="frozen"):
        del layout.shape
    assert copy.deepcopy(layout) == pickle.loads(pickle.dumps(layout)) == copy.copy(layout) == layout


def test_calls_take_coordinates_indices_and_slices() -> None:
    layout, theirs = (make((4, (2, 3)), (1, (4, 100))) for make in (Layout, pycute.Layout))
    for args in [(5,), (1, 5), (1, (1, 2)), ((1, (1, 2)),), (40,)]:
        assert layout(*args) == theirs(*args)
    for args in [(None, 1), (1, None), (1, (None, 2)), (None, (None, None)), ((None, (0, None)),)]:
        kept, other = layout(*args), theirs(*args)
        assert (kept.shape, kept.stride) == (other.shape, other.stride)
    kept, offset = cute.slice_and_offset((None, (1, None)), layout)
    other, there = pycute.slice_and_offset((None, (1, None)), theirs)
    assert ((kept.shape, kept.stride), offset) == ((other.shape, other.stride), there)


@pytest.mark.parametrize(
    "text", ["8:1", "(4):(1)", "((2,2),8):((1,4),2)", "(2,(3,4)):(-1,(0,6))", "():()", "(n,2*n):(a,a*n)"]
)
def test_notation_round_trip(text) -> None:
    layout = Layout.parse(text)
    assert str(layout) == text
    assert eval(repr(layout)) == layout


def test_notation_as_cute_prints_it() -> None:
    assert Layout.parse("(_2,(_2, 8)) : (_1,(4,_2))") == Layout((2, (2, 8)), (1, (4, 2)))
    assert Layout.parse("(2,(3,4))") == Layout((2, (3, 4)))
    assert Layout.parse("((2*3),(1+1)*2)").shape == ((6,), 4)
    n = sympy.Symbol("n", integer=True, positive=True)
    assert Layout.parse("(n,2)", {"n": n}).shape == (n, 2)
    assert cute.notation.read_tiler("<3:4,_,<8,2>>", Layout) == (Layout(3, 4), None, (8, 2))


@pytest.mark.parametrize("text", ["", "(2,3", "(2,3):(1", "2:1:3", "(2,3):1", "(2,3))", "<2>", "(2,,3)", "2:1 3"])
def test_bad_notation(text) -> None:
    with pytest.raises((NotationError, cute.LayoutError)):
        Layout.parse(text)


def test_views_there_and_back() -> None:
    view = View((4, 2, 3), (1, 100, 7))
    layout = Layout.from_view(view)
    assert str(layout) == "(3,2,4):(7,100,1)"
    assert layout.to_view() == view
    for bad in (View((2,), (1,), 3), View((2,)).pad(((0, 1),))):
        with pytest.raises(cute.LayoutError, match="offset and no mask"):
            Layout.from_view(bad)


def test_symbols_and_values() -> None:
    layout = Layout.parse("(4,n):(a,4*a)")
    assert list(layout.symbols()) == ["n", "a"]
    assert str(layout.size()) == "4*n"
    assert str(sympy.expand(layout.cosize())) == "4*a*n - a + 1"
    assert str(cute.coalesce(layout)) == "4*n:a"
    assert layout.with_values({"n": 3, "a": 5}) == Layout((4, 3), (5, 20))
    linear = LinearLayout([1, 2, 5])
    assert ComposedLayout(linear, 0, layout).with_values({"n": 3, "a": 5}).layoutA == Layout((4, 3), (5, 20))
    moved = ComposedLayout(Swizzle(1, 0, 2), sympy.Symbol("o", integer=True), linear)
    assert list(moved.symbols()) == ["o"] and moved.with_values({"o": 3}) == ComposedLayout(Swizzle(1, 0, 2), 3, linear)
    with pytest.raises(cute.LayoutError, match="missing value for a"):
        layout.with_values({"n": 3})


INT_TUPLES = [
    ("flatten", (((2, (3, 4)), 5),)),
    ("flatten", ((),)),
    ("flatten", (3,)),
    ("signum", (-4,)),
    ("product", ((2, (3, 4)),)),
    ("product", ((),)),
    ("inner_product", ((1, (2, 3)), (4, (5, 6)))),
    ("tuple_max", ((1, (7, 3)),)),
    ("elem_scale", ((2, 3), ((4, 5), 6))),
    ("elem_scale", (2, (4, 5))),
    ("shape_div", ((4, 6), 8)),
    ("shape_div", (12, 5 - 1)),
    ("shape_div", ((4, 6), (2, 3))),
    ("shape_div", (12, (2, 3))),
    ("prefix_product", ((2, (3, 4), 5),)),
    ("prefix_product", ((2, 3), 7)),
    ("prefix_product", ((2, 3), (7, 9))),
    ("idx2crd", (5, (2, (3, 4)))),
    ("idx2crd", (5, 7)),
    ("idx2crd", (5, (2, 3), (3, 1))),
    ("crd2idx", ((1, (2, 1)), (2, (3, 4)))),
    ("crd2idx", (11, (2, (3, 4)), (1, (10, 100)))),
    ("crd2idx", ((1, None), (2, 3))),
    ("crd2idx", ((1, 5), (2, (3, 4)))),
    ("crd2crd", (5, (2, 3))),
    ("crd2crd", ((1, 2), 6, (2, 3))),
    ("crd2crd", ((1, 5), (2, (3, 4)))),
    ("crd2crd", (3, 4)),
    ("slice_", ((None, 0), (4, 8))),
    ("slice_", ((0, (None, 1)), (4, (2, 3)))),
    ("slice_", (None, 4)),
    ("slice_", (3, 4)),
    ("has_none", ((1, (None, 2)),)),
    ("has_none", ((1, 2),)),
    ("is_int", (3,)),
    ("is_int", (3.0,)),
    ("is_tuple", ((1,),)),
]


@pytest.mark.parametrize(("name", "args"), INT_TUPLES)
def test_int_tuples_as_in_pycute(name, args) -> None:
    assert getattr(cute, name)(*args) == getattr(pycute, name)(*args)


def test_every_name_of_pycute_is_there() -> None:
    theirs = {n for n, v in vars(pycute).items() if getattr(v, "__module__", "").startswith("pycute")}
    assert theirs >= {"Layout", "make_layout", "composition", "hier_unzip", "Swizzle", "ComposedLayout", "Integer"}
    assert theirs <= set(dir(cute))
    for name in cute.__all__:
        assert getattr(cute, name) is not None


def test_integer_counts_as_in_pycute() -> None:
    for value in (3, True, 2.0, "3"):
        assert isinstance(value, cute.Integer) == isinstance(value, pycute.Integer)


BAD = [
    (lambda: Layout((2, 3), (1, 2, 3)), "nested differently"),
    (lambda: Layout((2, 3), 1), "nested differently"),
    (lambda: Layout((2, (3, 4)), (1, 2)), "nested differently"),
    (lambda: Layout((2, 0)), "the size 0 is below 1"),
    (lambda: Layout((2, -3)), "the size -3 is below 1"),
    (lambda: Layout(2.5), "give an integer"),
    (lambda: Layout((2, True)), "give an integer"),
    (lambda: Layout(("4",)), "give an integer"),
    (lambda: cute.make_layout(Layout(2), 3), "3 is not a layout"),
    (lambda: Layout((2, 3))[2], "no mode 2"),
    (lambda: Layout(2)[1], "no mode 1"),
    (lambda: Layout((2, 3)).at((1, 3)), "outside the shape"),
    (lambda: Layout((2, 3)).at((1, 1, 1)), "outside the shape"),
    (lambda: Layout((2, 3)).coordinate(6), "outside 0..5"),
    (lambda: Layout((2, 3)).index((2, 0)), "outside the shape"),
    (lambda: Layout((2, 3))(1, 2, 3), "3 modes and"),
    (lambda: cute.coalesce(Layout((2, 3)), (1, 1, 1)), "profile has 3 modes"),
    (lambda: cute.filter(Layout(2), (1, 1)), "profile has 2 modes"),
    (lambda: cute.composition(Layout((4, 4)), (2, 2, 2)), "tiler has 3 modes"),
    (lambda: cute.logical_divide(Layout((4, 4)), (2, 2, 2)), "tiler has 3 modes"),
    (lambda: cute.zipped_divide(Layout((4, 4)), (2, 2, 2)), "tiler has 3 modes"),
    (lambda: cute.logical_product(Layout((4, 4)), (2, 2, 2)), "tiler has 3 modes"),
    (lambda: cute.composition(Layout(4), 4.5), "is not a layout: give a layout, a size, None"),
    (lambda: cute.composition(4, Layout(4)), "is not a layout"),
    (lambda: cute.logical_divide(4, Layout(4)), "is not a layout"),
    (lambda: cute.logical_divide(Layout(4), 2.0), "is not a layout: give a layout, a size, None"),
    (lambda: cute.composition(Layout(4), Layout(2, -1)), "goes down to -1"),
    (
        lambda: cute.composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3))),
        r"At coordinate \(2,1\) .* Mode 1 of B, 2:3,",
    ),
    (lambda: cute.composition(Layout((2, 3), (1, 5)), Layout(3)), r"At coordinate 2 .* mode 0 of A, 2:1, .* size 2"),
    (lambda: cute.composition(Layout((4, (2, 3)), (1, (9, 4))), (None, 3)), "in mode 1 of the tiler"),
    (lambda: cute.logical_divide(Layout((4, (2, 3)), (1, (9, 4))), (None, 3)), "in mode 1 of the tiler"),
    (lambda: cute.composition(Layout((2, (4, (2, 3))), (1, (1, (9, 4)))), (2, (None, 3))), "in mode 1.1 of the tiler"),
    (
        lambda: cute.complement(Layout((2, 2), (1, 1)), 8),
        r"modes 0 \(2:1\) and 1 \(2:1\) overlap: coordinates \(1,0\) and",
    ),
    (lambda: cute.complement(Layout((4, 2), (1, 2)), 8), r"coordinates \(2,0\) and \(0,1\) both have the value 2"),
    (
        lambda: cute.complement(Layout((2, 2), (1, 3)), 12, every_copy=True),
        "reaches 2, which does not divide the stride 3",
    ),
    (lambda: cute.complement(Layout(2, -1), 12), "strides from 0 up"),
    (lambda: cute.complement(Layout(2), 0), "not a positive integer"),
    (lambda: cute.complement(Layout(2), 2.0), "not a positive integer"),
    (lambda: cute.complement(2.5, 4), "is not a layout"),
    (lambda: cute.strict_left_inverse(Layout((2, 2), (1, 1))), r"\(1,0\) and \(0,1\) both have the value 1"),
    (lambda: cute.strict_left_inverse(Layout((2, 2), (0, 1))), r"\(0,0\) and \(1,0\) both have the value 0"),
    (lambda: cute.logical_product(Layout(2), Layout(2, -3)), "cosize"),
    (lambda: cute.shape_div(4, 3), "neither of 4 and 3"),
    (lambda: cute.shape_div(4, 0), "neither of 4 and 0"),
    (lambda: cute.elem_scale((1, 2), 3), "one entry a mode"),
    (lambda: cute.inner_product((1, 2), 3), "nested differently"),
    (lambda: cute.inner_product((1, 2), (1, 2, 3)), "2 modes and"),
    (lambda: cute.crd2idx((1, 2), 4), "more modes than the shape"),
    (lambda: cute.idx2crd((1, 2), 4), "more modes than the shape"),
    (lambda: cute.crd2crd((1, 2), 4), "src_shape"),
    (lambda: cute.crd2crd(5, 4), "outside the shape"),
    (lambda: cute.slice_((1, 2), 4), "more modes than"),
    (lambda: cute.prefix_product(4, (1, 2)), "one mode"),
    (lambda: cute.Swizzle(2, 0, 1), r"\|shift\| >= bits"),
    (lambda: cute.Swizzle(-1, 0, 1), r"\|shift\| >= bits"),
    (lambda: cute.Swizzle(1, 0, 1)(-1), "from 0 on"),
    (lambda: cute.as_layout(cute.ComposedLayout(cute.Swizzle(1, 0, 1), 0, Layout(4, -1))), "goes down to -3"),
    (lambda: cute.composition(cute.Swizzle(1, 0, 1), cute.Swizzle(1, 1, 2)), "no swizzle takes"),
    (lambda: cute.layout_of([]), "empty table"),
    (lambda: cute.explain("transpose", Layout(2)), "not one of"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_bad_arguments(number) -> None:
    call, message = BAD[number]
    with pytest.raises(cute.LayoutError if "integer" not in message else ValueError, match=message):
        call()


def test_symbols_where_numbers_are_needed() -> None:
    layout = Layout.parse("(4,6):(a,b)")
    for call in (cute.complement, cute.strict_left_inverse, cute.sort, cute.is_bijection):
        with pytest.raises(SymbolError, match="needs numbers"):
            call(layout)
    for call in (cute.right_inverse, cute.left_inverse):
        with pytest.raises(SymbolError, match=f"depends on the symbols; ask {call.__name__}_conditions"):
            call(layout)
    with pytest.raises(TypeError, match="depends"):
        bool(cute.composition_conditions(layout, Layout(6)))


def test_no_layout_says_where() -> None:
    found = cute.try_composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3)))
    assert not found
    assert (found.index, found.axis, found.expected, found.got) == ((2, 1), 1, 7, 8)
    assert (found.reason.mode_b, found.reason.mode_a, found.reason.coordinate) == ((1,), (0,), (2, 1))
    with pytest.raises(cute.NoComposition) as caught:
        cute.composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3)))
    assert caught.value.found.to_dict() == found.to_dict()
    within = cute.try_composition(Layout((4, (2, 3)), (1, (9, 4))), (None, 3))
    assert within.reason.within == (1,)
    assert "in mode 1 of the tiler" in repr(within)


def test_sizes_none_and_tuples_of_these() -> None:
    layout = Layout((4, (2, 3)), (1, (4, 8)))
    assert cute.composition(layout, None) is layout
    assert cute.composition(layout, 4) == cute.composition(layout, Layout(4))
    assert cute.composition(layout, (2, None)) == Layout((2, (2, 3)), (1, (4, 8)))
    assert cute.logical_divide(layout, None) is layout
    assert cute.logical_product(Layout(4), 3) == Layout((4, 3), (1, 4))
    assert cute.right_inverse(None) is None
    assert cute.left_inverse(None) is None
    assert cute.right_inverse(6) == cute.left_inverse(6) == Layout(6)
    assert cute.complement(4, 8) == Layout(2, 4)
    assert cute.zipped_divide(layout, None) == layout
    assert str(cute.zipped_divide(layout, None, none="pycute")) == "(1,(4,(2,3))):(0,(1,(4,8)))"


def test_complements_that_leave_gaps() -> None:
    """As CuTe's contract has it: apart, increasing, and as many copies as there is room for."""
    assert str(cute.complement(Layout((4, 6), (1, 6)))) == "1:0"
    assert str(cute.complement(Layout((2, 2), (1, 5)), 10)) == "2:2"
    assert str(cute.logical_product(Layout((4, 6), (1, 6)), 3)) == "((4,6),3):((1,6),36)"
    with pytest.raises(cute.NoAnswer, match="only 2 of the 3 requested copies fit into the gaps: mode 0"):
        cute.complement(Layout((2, 2), (1, 3)), 12, every_copy=True)
    assert str(cute.complement(Layout((2, 2), (1, 3)), 12)) == "2:6"
    assert str(cute.complement(Layout((6, 3), (1, 9)), 72)) == "3:27"
    with pytest.raises(cute.NoAnswer, match="does not divide the stride 3"):
        cute.logical_divide(Layout(12), Layout((2, 2), (1, 3)))


def test_swizzles_compose_on_the_left() -> None:
    swizzle, layout = cute.Swizzle(2, 0, 3), Layout((8, 4), (4, 1))
    composed = cute.composition(swizzle, layout)
    assert [composed(x) for x in range(32)] == [swizzle(layout(x)) for x in range(32)]
    part = cute.composition(composed, Layout(8, 4))
    assert [part(x) for x in range(8)] == [composed(4 * x) for x in range(8)]
    assert (str(swizzle), repr(swizzle), swizzle.size(), swizzle.cosize()) == ("Sw<2,0,3>", "Swizzle(2,0,3)", 32, 32)
    theirs = pycute.Swizzle(2, 0, 3)
    assert (swizzle.yyy_msk, swizzle.zzz_msk) == (theirs.yyy_msk, theirs.zzz_msk)
    assert (str(theirs), parse(str(theirs))) == ("SW_2_0_3", swizzle)
    assert (str(composed), len(composed), composed.size(), composed.cosize()) == (
        "Sw<2,0,3> o 0 o (8,4):(4,1)",
        2,
        32,
        32,
    )
    assert [m.size() for m in composed] == [8, 4]
    assert (
        eval(repr(composed), {**vars(cute), "Swizzle": cute.Swizzle, "ComposedLayout": cute.ComposedLayout}) == composed
    )


COMPLEMENTS_REFUSED = [
    (((2, 2), (2, 3)), 24, r"modes 0 \(2:2\) and 1 \(2:3\) interleave: 0 \(2:2\) reaches 4, and CuTe's form"),
    (((3, 2, 2), (0, 2, 3)), 24, r"modes 1 \(2:2\) and 2 \(2:3\) interleave"),
    (((4, 2), (1, 2)), 8, r"overlap: coordinates \(2,0\) and \(0,1\) both have the value 2"),
    ((((2, 2), 2), ((1, 2), 3)), 1, r"modes 0 .*, 1 .* and 2 .* overlap: coordinates \(\(1,1\),0\) and"),
    (((2, 2), (1, 3)), 24, r"only 4 of the 6 requested copies fit into the gaps: mode 0 .* does not divide"),
    ((2, -1), 4, "mode 0 has the stride -1"),
]  # fmt: skip


@pytest.mark.parametrize(("layout", "bound", "message"), COMPLEMENTS_REFUSED)
def test_why_there_is_no_complement_of_this_form(layout, bound, message) -> None:
    with pytest.raises(cute.NoAnswer, match=message):
        cute.complement(Layout(*layout), bound, every_copy=True)


def test_division_says_that_nothing_fills_the_gap() -> None:
    for modes in ((2, 2), (1, 3)), ((2, 2), (2, 3)):
        with pytest.raises(cute.NoAnswer, match=r"does not divide the stride 3 of mode 1 .* no layout fills the gap"):
            cute.logical_divide(Layout(24), Layout(*modes))


def test_parts_of_one_mode_that_collide() -> None:
    found = cute.try_composition(Layout((3, 2), (1, 2)), Layout(4, 2))
    assert (found.index, found.reason.coordinate, found.expected, found.got) == ((3,), 3, 5, 4)
    assert "Mode 0 of B, 4:2, has to be split into the sizes (2,2), which make mode 0 of A, 3:1, overflow" in str(found)
    assert "size of" not in str(found)
