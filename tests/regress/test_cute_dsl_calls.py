"""Calls as kernels of the CuTe DSL make them: tilers with None, coordinates with None, loc and ip, names."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys

import pytest

from symview import cute
from symview.answers import AmbiguousTruth
from symview.cute import ComposedLayout, Layout, LayoutError, Swizzle, assume, elem_less, symbols
from symview.errors import NotationError, SymviewError

NONE = {  # what the DSL 4.8.1 prints
    "zipped_divide(Layout(((8, 2), (3, 4))), (None, (3, 2)))": "((8,(3,2)),(2,(1,2))):((1,(16,48)),(8,(0,96)))",
    "tiled_divide(Layout(((8, 2), (3, 4))), (None, (3, 2)))": "((8,(3,2)),2,(1,2)):((1,(16,48)),8,(0,96))",
    "flat_divide(Layout(((8, 2), (3, 4))), (None, (3, 2)))": "(8,(3,2),2,(1,2)):(1,(16,48),8,(0,96))",
    "logical_divide(Layout(((8, 2), (3, 4))), (None, (3, 2)))": "((8,2),((3,1),(2,2))):((1,8),((16,0),(48,96)))",
    "zipped_divide(Layout(((8, 2), (3, (4, 7)), 5)), (None, (3, None)))":
        "((8,(3,4)),(2,(1,7),5)):((1,(16,48)),(8,(0,192),1344))",
    "zipped_divide(Layout((((2, 4), (2, 2)), 6)), (None, 3))": "(((2,4),3),((2,2),2)):(((1,2),32),((8,16),96))",
    "logical_product(Layout(((8, 2), 3)), (None, 3))": "((8,2),(3,3)):((1,8),(16,1))",
    "composition(make_identity_layout((1024, 512, 3)), (64, 32))": "(64,32):(1@0,1@1)",
    "composition(make_identity_layout((1024, (8, 4), 3)), (64, (None,)))": "(64,(8)):(1@0,(1@0@1))",
    "domain_offset((None, 5), make_identity_layout((128, 64)))[1]": "(0, 5)",
    "domain_offset((None, (5, None)), make_identity_layout((128, (8, 8))))[1]": "(0, (5, 0))",
    "tile_to_shape(Layout((2, 2)), (5, 7), (1, 0))": "((2,3),(2,4)):((1,16),(2,4))",
}  # fmt: skip
REFUSED = ("((8,2),(3,4),5)", (None, (3, None))), ("(8,6)", (None, 3)), ("((8,2,2),6)", (None, 3)), ("8", None)


@pytest.mark.parametrize("call", NONE)
def test_what_the_dsl_prints(call: str) -> None:
    assert str(eval(call, {n: getattr(cute, n) for n in cute.__all__})) == NONE[call]


@pytest.mark.parametrize(("shape", "tiler"), REFUSED)
@pytest.mark.parametrize("how", ["zipped", "tiled", "flat"])
def test_a_mode_without_a_tile_that_is_not_of_two_modes(shape: str, tiler, how: str) -> None:
    for run in (getattr(cute, f"{how}_divide"), lambda a, t: cute.logical_divide_conditions(a, t, arranged=how)):
        with pytest.raises(SymviewError, match="two modes of such a mode as tile and rest"):
            run(Layout.parse(shape), tiler)


def test_swizzled_layouts_and_coordinates_are_divided_alike() -> None:
    plain, tiler = Layout(((8, 2), (3, 4))), (None, (3, 2))
    wanted = cute.zipped_divide(plain, tiler)
    swizzle = Swizzle(1, 0, 3)
    assert cute.zipped_divide(ComposedLayout(swizzle, 0, plain), tiler) == ComposedLayout(swizzle, 0, wanted)
    identity = cute.zipped_divide(cute.make_identity_layout(plain.shape), tiler)
    assert [cute.crd2idx(identity(i), plain) for i in range(192)] == [wanted(i) for i in range(192)]
    assert cute.local_tile(plain, tiler, (1, (0, 1)))[1] == wanted((0, 0), (1, (0, 1)))


def test_conditions_of_a_tiler_with_none_are_confirmed() -> None:
    checker = pytest.importorskip("symview.verify")
    with checker.Solver("z3", 20.0) as solver:
        for tiler in (None, (None, None), (None, (3, None))):
            for how in ("zipped", "tiled", "flat"):
                layout = Layout.parse("((8,2),(3,(2,m))):((a,b),(c,(d,e)))")
                found = cute.logical_divide_conditions(layout, tiler, arranged=how)
                values = {"m": 3, **dict.fromkeys("ace", 7), "b": 60, "d": 21}
                again = getattr(cute, f"{how}_divide")(layout.with_values(values), tiler)
                assert cute.same_function(found.layout(values), again)
                assert checker.verify(json.dumps(found.certificate()), solver).verdict == "confirmed"
                document = cute.certificate(f"{how}_divide", (layout.with_values(values), tiler), again)
                assert checker.verify(json.dumps(document), solver).verdict == "confirmed"


PYCUTE = """
import sys, symview.cute
from symview.cute import Layout, local_tile
A = Layout(((8, 2), 6))
print(symview.cute.zipped_divide(A, (None, 3)))
sys.modules["pycute"] = symview.cute
import pycute
print(pycute.zipped_divide(A, (None, 3)), pycute.zipped_divide(A, (None, 3), none="cute"))
print(local_tile(A, (None, 3), (1, 1))[0])
"""


def test_none_is_pycutes_where_symview_stands_for_pycute() -> None:
    run = subprocess.run([sys.executable, "-c", PYCUTE], capture_output=True, text=True, check=True)
    ours, theirs = "((8,3),(2,2)):((1,16),(8,48))", "((1,3),((8,2),2)):((0,16),((1,8),48))"
    assert run.stdout.splitlines() == [ours, f"{theirs} {ours}", "(8,3):(1,16)"]


def test_loc_and_ip_are_ignored() -> None:
    a, b = Layout((4, 8)), Layout((2, 4))
    for name, args in {
        "composition": (a, b), "size": (a,), "make_layout": ((4, 8),), "get": (a, 1), "slice_": ((None, 1), a),
        "elem_less": ((1, 2), (4, 8)), "domain_offset": ((1, 2), a), "assume": (24, 8), "filter_zeros": (a,),
        "make_identity_tensor": ((4, 8),), "local_tile": (a, (2, 4), (1, 1)), "make_swizzle": (3, 4, 3),
        "tile_to_shape": (b, (4, 8), (0, 1)), "make_composed_layout": (Swizzle(1, 0, 2), 0, a),
    }.items():  # fmt: skip
        function = getattr(cute, name)
        assert str(function(*args, loc=object(), ip=None)) == str(function(*args)), name
    assert cute.shape(input=a, loc=None) == cute.shape(a)
    assert cute.slice_and_offset(coord=(None, 1), src=a, ip=None)[1] == 4
    for name in cute.__all__:  # no function means something else by these names
        function = getattr(cute, name)
        if inspect.isfunction(function):
            assert not {"loc", "ip"} & {*inspect.signature(function).parameters}, name


def test_elem_less_with_names() -> None:
    m, k = symbols("m, k")
    assert elem_less((m, 3), (m + 1, 4)) is True
    assert elem_less((m, 3), (m, 4)) is elem_less((k, 9), (m, 4)) is False
    found = elem_less((m, (2, k)), (8, (k, 2 * m)))
    assert str(found) == "m < 8 and 2 < k < 2*m"
    for values in ({"m": x, "k": y} for x in range(-2, 10) for y in range(-2, 20)):
        assert found.holds(values) == elem_less((values["m"], (2, values["k"])), (8, (values["k"], 2 * values["m"])))
    assert not found.holds(found.counterexample().values)
    assert found.guards() == "m < 8 and 2 < k and k < 2*m"
    with pytest.raises(AmbiguousTruth):
        bool(found)
    assert elem_less((m, 1, 2), (8, 8)) is False
    with pytest.raises(LayoutError, match="nested differently"):
        elem_less((m, 1), (8, (k, 2)))


def test_symbols_are_those_of_the_notation() -> None:
    m, k = symbols("m, k")
    assert Layout((m, k), (k, 1)) == Layout.parse("(m,k):(k,1)")
    assert symbols("m") == m
    assert symbols("m,") == (m,)
    assert symbols("m k") == (m, k)
    for text in ("", "4", "m, 4k", "_4", "_", "and", "m + k", "a:c"):
        with pytest.raises(NotationError):
            symbols(text)
    with pytest.raises(NotationError, match="not text"):
        symbols(4)


def test_assumed_divisors() -> None:
    m, k = symbols("m, k")
    assert assume(24, divby=8) == 24
    assert assume(m) == m
    assert assume(16, pow2=True) == 16
    for bad in ((25, 8), (24, None, True), (0, None, True), (m, None, True), (8, 0), ((8, 8), 8)):
        with pytest.raises(SymviewError, match="assume"):
            assume(*bad)
    found = cute.logical_divide(Layout((assume(m, divby=8), k)), (8, None))
    for value in (8, 24, 64):
        assert cute.same_function(found.with_values({"m": value, "k": 3}), Layout(((8, value // 8), 3)))
