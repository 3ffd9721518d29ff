"""The CuTe DSL's functions, wrapped: what raises, what warns, what is explained, and that leaving restores all."""

from __future__ import annotations

import os
import subprocess
import sys
import warnings
from pathlib import Path
from types import FunctionType

import pytest
from clients.dsl_traces import dsl, traced
from cutlass import Int64, cute
from cutlass.cute import core

from symview import dsl as checks
from symview.cute import ComposedLayout, Layout, LayoutError, Swizzle
from symview.dsl.checking import ARGUMENTS

WRONG = Layout((4, 4), (4, 1)), Layout(4, 3)


def ask(name, *args, **given):
    """The layout that a function of the DSL gives, as text, with checks on; and the outcomes."""
    with checks.checked() as report:
        text = traced(lambda n, m: str(getattr(cute, name)(*map(dsl, args), **given)))
    return text, [call.outcome for call in report.calls]


def test_a_wrong_layout_raises_with_the_coordinate_and_the_line():
    def kernel(n, m):
        return cute.composition(dsl(WRONG[0]), dsl(WRONG[1]))  # the kernel's line

    with checks.checked() as report, pytest.raises(checks.WrongLayout) as raised:
        traced(kernel)
    error = raised.value
    assert error.given == "(2,2):(12,1)"
    assert error.right is None
    assert (error.found.coordinate, error.found.got, error.found.expected) == ((0, 1), 1, 9)
    assert Path(error.place.file) == Path(__file__)
    assert "# the kernel's line" in error.place.text
    assert report.count("wrong") == 1
    frames = [entry.path for entry in raised.traceback]
    assert str(frames[-2]) == __file__, "the checks take one frame behind the kernel's"


def test_strides_that_a_recast_divides_are_read():
    def kernel(n, m):
        near, far = cute.assume(Int64(n), divby=16), cute.assume(m, divby=8)
        cute.recast_layout(8, 4, cute.make_layout((8, 224), stride=(near, 1)))
        cute.recast_layout(16, 4, cute.make_layout((8, n, 3), stride=(far, 1, near)))
        cute.recast_layout(8, 16, cute.make_layout((8, 224), stride=(near, 1)))
        cute.recast_layout(8, 4, cute.make_layout((8, 224), stride=(n, 1)))  # of any n: symview asks, C++ divides

    with checks.checked() as report, warnings.catch_warnings():
        warnings.simplefilter("error", checks.LayoutWarning)
        traced(kernel)
    assert [call.outcome for call in report.calls] == ["right", "right", "right", "unanswered"]


def test_what_cannot_be_read_is_not_held_against_a_layout(monkeypatch):
    """A new name for the stride that the recast divides: no value of it is right for all strides."""
    monkeypatch.setattr("symview.dsl.reading.Reader._quotient", lambda *_: None)

    def kernel(n, m):
        near, far = cute.assume(Int64(n), divby=16), cute.assume(Int64(m), divby=48)
        cute.recast_layout(8, 4, cute.make_layout((8, 224, 8), stride=(near, 1, far)))

    with checks.checked() as report, warnings.catch_warnings():
        warnings.simplefilter("error", checks.LayoutWarning)
        traced(kernel)
    assert [call.outcome for call in report.calls] == ["undecided"]


def test_a_right_layout_is_shown_where_there_is_one():
    with checks.checked(), pytest.raises(checks.WrongLayout) as raised:
        traced(lambda n, m: cute.composition(dsl(Layout((5, 5), (5, 1))), dsl(Layout(4, 3))))
    assert str(raised.value.right) == "(2,2):(15,6)"
    assert "right is (2,2):(15,6)" in str(raised.value)


def test_right_layouts_pass():
    assert ask("composition", Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))) == (
        "((2,2),3):((24,2),8)", ["right"],
    )  # fmt: skip
    assert ask("zipped_divide", Layout((4, 6)), (2, 3)) == ("((2,3),(2,2)):((1,4),(2,12))", ["right"])
    assert ask("raked_product", Layout((2, 5), (5, 1)), Layout((3, 4)))[1] == ["right"]
    assert ask("make_ordered_layout", (2, (3, 4)), (1, (0, 2)))[1] == ["right"]
    assert ask("group_modes", Layout((2, 3, 4)), 1, 3)[1] == ["right"]
    assert ask("append", Layout((2, 3)), Layout(4, 9))[1] == ["right"]
    assert ask("dice", Layout((2, 3, 4)), (1, None, 1))[1] == ["right"]
    assert ask("select", Layout((2, 3, 4)), mode=[2, 0])[1] == ["right"]
    assert ask("coalesce", Layout((2, (2, 3))), target_profile=(1, 1))[1] == ["right"]


SWIZZLED = ComposedLayout(Swizzle(3, 4, 3), 0, Layout((8, 64), (64, 1)))


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("composition", (Layout((8, 8)),)), ("zipped_divide", ((4, 8),)), ("logical_divide", ((4, 8),)),
        ("slice_", ((None, 1),)), ("tile_to_shape", ((16, 128), (0, 1))), ("coalesce", ()), ("filter", ()),
    ],
)  # fmt: skip
def test_swizzled_layouts(name, args):
    assert ask(name, SWIZZLED, *args)[1][-1] == "right"


def test_recasts_behind_a_swizzle():
    assert ask("recast_layout", 16, 8, SWIZZLED) == ("S<3,3,3> o 0 o (8,32):(32,1)", ["right"])


def test_layouts_of_coordinates():
    with checks.checked() as report:
        given = traced(lambda n, m: str(cute.composition(cute.make_identity_layout((4, (2, 3))), dsl(Layout(8)))))
    assert given == "(4,2):(1@0,1@0@1)"
    assert [call.outcome for call in report.calls] == ["right"]


def test_select_by_brackets_and_tensors():
    def kernel(n, m):
        tensor = cute.make_rmem_tensor(dsl(Layout((4, 6))), cute.Float32)
        tiles = cute.zipped_divide(tensor, (2, 3))
        first = cute.select[1, 0](dsl(Layout((2, 3))))
        return str(tiles.layout), str(first), str(cute.local_tile(tensor, (2, 3), (1, 1)).layout)

    with checks.checked() as report:
        given = traced(kernel)
    assert given == ("((2,3),(2,2)):((1,4),(2,12))", "(3,2):(2,1)", "(2,3):(1,4)")
    assert [(call.name, call.outcome) for call in report.calls] == [
        ("zipped_divide", "right"), ("select", "right"), ("local_tile", "right"),
    ]  # fmt: skip


# Refusals


def test_a_refusal_shows_the_layout_that_exists():
    with checks.checked() as report, pytest.raises(Exception, match="unable to compute") as raised:
        traced(lambda n, m: cute.composition(dsl(Layout((4, 4), (12, 3))), dsl(Layout(2, 6))))
    assert any("the layout exists, it is 2:27" in note for note in raised.value.__notes__)
    assert report.count("refused") == 1


def test_a_refusal_says_why_there_is_none():
    with checks.checked(), pytest.raises(Exception, match="unable to compute") as raised:
        traced(lambda n, m: cute.composition(dsl(Layout((2, 3), (1, 5))), dsl(Layout(3))))
    [note] = raised.value.__notes__
    assert "there is no such layout: at coordinate 2 its value is 5" in note
    assert "would need a mode of size 2, but 2 does not divide 3" in note


def test_what_would_end_the_process_is_refused():
    args = Layout((6, 5, 8), (16, 1, 8)), Layout(5)
    with checks.checked(), pytest.raises(checks.RefusedLayout, match="would end the process"):
        traced(lambda n, m: cute.zipped_product(*map(dsl, args)))
    with checks.checked(), pytest.raises(checks.RefusedLayout, match="would end the process"):
        traced(lambda n, m: cute.zipped_divide(dsl(Layout((2, 5, 6), (2, 4, 40))), dsl(Layout((5, 3, 2), (8, 2, 2)))))


def test_a_mode_without_elements_is_wrong():
    with checks.checked(), pytest.raises(checks.WrongLayout, match=r"gave \(0,2\)"):
        traced(lambda n, m: cute.complement(dsl(Layout((4, 2), (1, 2))), 8))


# What the DSL does in its own way


def test_a_tile_that_does_not_divide_is_told_once():
    def kernel(n, m):
        for _ in range(2):
            found = cute.logical_divide(dsl(Layout((3, 4), (1, 10))), 2)
        return str(found)

    with checks.checked() as report, pytest.warns(checks.LayoutWarning, match="16 elements for 12") as warned:
        assert traced(kernel) == "(2,(2,4)):(1,(2,10))"
    assert len([w for w in warned if w.category is checks.LayoutWarning]) == 1
    assert report.count("told") == 2


def test_a_division_that_leaves_elements_out_is_the_one_that_was_asked_for():
    assert ask("logical_divide", Layout(12), Layout((2, 2), (1, 3)))[1] == ["right"]


# Sizes and strides at run time


def outcomes(kernel):
    with checks.checked() as report, warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        traced(kernel)
    return [call.outcome for call in report.calls], [str(w.message) for w in warned]


def test_a_tiled_tensor_of_any_size_is_right():
    def kernel(n, m):
        whole = cute.make_layout((n, m), stride=(m, 1))
        tiles = cute.zipped_divide(whole, (128, 64))
        cute.slice_(tiles, ((None, None), (n, 0)))
        cute.flat_divide(whole, (8, 8))
        cute.select(whole, mode=[1])
        cute.group_modes(whole, 0, 2)
        cute.composition(cute.make_layout((4, 8), stride=(n, m)), dsl(Layout(8, 2)))

    assert outcomes(kernel) == (["right"] * 6, [])


def test_what_is_right_for_some_sizes_only_is_told_with_the_condition():
    def kernel(n, m):
        return cute.composition(cute.make_layout((n, 4), stride=(1, m)), dsl(Layout(4, 2)))

    found, [text] = outcomes(kernel)
    assert found == ["told"]
    assert "right only where n ≥ 7 or n = 1 or n = 2 or n = 4" in text


def test_what_is_known_to_divide_counts():
    def kernel(n, m):
        return cute.logical_divide(cute.make_layout((cute.assume(n, 4), 8)), (4, 2))

    assert outcomes(kernel) == (["right"], [])


def test_what_the_dsl_does_not_merge_is_right_as_it_is():
    def kernel(n, m):
        return cute.coalesce(cute.make_layout((192, n)))

    found, text = outcomes(kernel)
    assert found in (["right"], ["undecided"])
    assert not text


def test_a_layout_that_is_missing_is_told():
    def kernel(n, m):
        return cute.complement(cute.make_layout((4, 2), stride=(1, n)), 192)

    found, [text] = outcomes(kernel)
    assert found == ["refused"]
    assert "gave no layout" in text
    assert "n ≥ 4: (n//4,⌈96/n⌉):(4,2*n)" in text


def test_a_refusal_of_run_time_sizes_has_the_answer_by_cases():
    with checks.checked(), pytest.raises(Exception, match="static") as raised:
        traced(lambda n, m: cute.right_inverse(cute.make_layout((16, n))))
    assert "16*n:1" in raised.value.__notes__[0]


# Planted faults, and bindings


@pytest.mark.parametrize("name", ["composition", "coalesce", "complement", "right_inverse", "left_inverse"])
def test_a_planted_fault_is_caught(name, monkeypatch):
    """A function of the DSL that gives another layout than it should."""
    original = getattr(core, name)
    right = {
        "composition": (Layout((4, 6)), Layout(4, 3)), "coalesce": (Layout((2, 3), (3, 1)),),
        "complement": (Layout(4, 2), 24), "right_inverse": (Layout((4, 3), (3, 1)),),
        "left_inverse": (Layout((4, 3), (3, 1)),),
    }  # fmt: skip

    def planted(*args, **given):
        original(*args, **given)
        return cute.make_layout(12, stride=5)

    planted.__signature__ = __import__("inspect").signature(original)
    monkeypatch.setattr(core, name, planted)
    monkeypatch.setattr(cute, name, planted)
    with checks.checked(), pytest.raises(checks.WrongLayout):
        traced(lambda n, m: getattr(cute, name)(*map(dsl, right[name])))


def bindings():
    found = {}
    for module_name, module in list(sys.modules.items()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if name in ARGUMENTS or (type(value) is FunctionType and value.__name__ in ARGUMENTS):
                found[module_name, name] = id(value)
    return found


def test_leaving_restores_every_binding():
    before = bindings()
    with checks.checked():
        assert bindings() != before
        with checks.checked():
            inside = bindings()
        assert bindings() == inside, "the outer one still checks"
    assert bindings() == before


def test_modules_that_imported_by_name_are_checked():
    before = bindings()
    with checks.checked():
        after = bindings()
        changed = {module for module, name in after if after[module, name] != before[module, name]}
    assert {"cutlass.cute", "cutlass.cute.core", "cutlass.cute.atom"} <= changed
    assert len([module for module in changed if module.startswith("cutlass.")]) > 5
    functions = {before["cutlass.cute.core", name] for name in checks.what_is_checked()}
    assert not functions & {*after.values()}, "the function itself is nowhere left"


def test_what_is_checked_says_so():
    names = checks.what_is_checked()
    assert {"composition", "raked_product", "tile_to_shape", "recast_layout"} <= {*names}
    assert all(callable(getattr(core, name)) for name in names)


# Whole scripts


SCRIPT = """
import sys
from cutlass import cute, Int32

@cute.jit
def show(n: Int32):
    tile = cute.make_layout((4, 4), stride=(4, 1))
    thread = cute.composition(tile, cute.make_layout(4, stride={step}))
    cute.printf("%d", thread(3))

print(sys.argv[1:])
show(Int32(1))
"""


def run(folder, step, *before, **environment):
    script = folder / "kernel.py"
    script.write_text(SCRIPT.format(step=step))
    root = Path(checks.__file__).parents[2]
    given = {**os.environ, "PYTHONPATH": str(root), "CUTE_DSL_ARCH": "sm_90a", **environment}
    command = [sys.executable, *before, str(script), "a", "b"]
    return subprocess.run(command, capture_output=True, text=True, env=given, timeout=120)


def test_a_script_runs_checked(tmp_path):
    good = run(tmp_path, 4, "-m", "symview.dsl")
    assert good.returncode == 0, good.stderr
    assert "['a', 'b']" in good.stdout
    assert "symview: 1 layouts checked: 1 right" in good.stderr
    bad = run(tmp_path, 3, "-m", "symview.dsl")
    assert bad.returncode == 1
    assert "cute.composition of (4,4):(4,1) ∘ 4:3 gave (2,2):(12,1)" in bad.stderr
    assert "kernel.py:8: thread = cute.composition" in bad.stderr


@pytest.mark.parametrize("first", ["symview", "cutlass"])
def test_the_environment_turns_the_checks_on(tmp_path, first):
    lines = ["import symview", "import cutlass"]
    start = tmp_path / "start.py"
    start.write_text("\n".join(sorted(lines, key=lambda line: first not in line)) + "\n" + SCRIPT.format(step=3))
    root = Path(checks.__file__).parents[2]
    for value, status in (("1", 1), ("0", 0)):
        given = {**os.environ, "PYTHONPATH": str(root), "CUTE_DSL_ARCH": "sm_90a", "CUTE_CHECK": value}
        done = subprocess.run([sys.executable, start], capture_output=True, text=True, env=given, timeout=120)
        assert done.returncode == status, done.stderr
        assert ("WrongLayout" in done.stderr) is (status == 1)


# Conversions


@pytest.mark.parametrize(
    "layout",
    [
        Layout(((2, 2), 8), ((1, 4), 2)), Layout(4, 0), Layout((1, 3), (0, -2)), SWIZZLED,
        ComposedLayout(Layout((4, 5)), 2, Layout((2, 3))),
    ],
    ids=str,
)  # fmt: skip
def test_there_and_back(layout):
    assert traced(lambda n, m: checks.from_dsl(checks.to_dsl(layout))) == layout


def test_run_time_sizes_have_the_callers_names():
    def kernel(rows, ld):
        whole = cute.make_layout((rows, 8), stride=(ld, 1))
        return str(checks.from_dsl(whole)), str(checks.from_dsl(cute.zipped_divide(whole, (4, 2))))

    assert traced(kernel) == ("(rows,8):(ld,1)", "((4,2),(⌈rows/4⌉,4)):((ld,1),(4*ld,2))")


def test_what_is_no_layout_is_said():
    with pytest.raises(ValueError, match="neither a layout nor a tensor"):
        traced(lambda n, m: checks.from_dsl((4, 8)))
    with pytest.raises(ValueError, match="not a layout of numbers"):
        traced(lambda n, m: checks.to_dsl(Layout.parse("(n,4)")))
    assert issubclass(LayoutError, ValueError)


def module_of(value):
    """The text of all that is traced so far."""
    operation = value.owner
    while operation.name != "builtin.module":
        operation = operation.parent
    return str(operation)


def test_what_a_kernel_does_with_tensors_is_right():
    """Tiles of a tensor, threads and values, what lies inside: no operation is added to the kernel by the checks."""

    def kernel(n, m):
        pointer = cute.make_ptr(cute.Float32, Int64(1024), cute.AddressSpace.gmem, assumed_align=16)
        whole = cute.make_tensor(pointer, cute.make_layout((n, m), stride=(m, 1)))
        inside = cute.make_identity_tensor((n, m))
        threads, items = cute.make_ordered_layout((4, 32), order=(1, 0)), cute.make_ordered_layout((4, 4), order=(1, 0))
        tile, by_thread = cute.make_layout_tv(threads, items)
        tiles, places = cute.zipped_divide(whole, tile), cute.zipped_divide(inside, tile)
        mine = cute.composition(tiles[((None, None), (n, 0))], by_thread)[(n, None)]
        local = cute.local_tile(whole, (128, 128, 8), (n, m, None), proj=(1, None, 1))
        at = cute.composition(places[((None, None), (n, 0))], by_thread)[(n, None)]
        shown = str(mine.layout), str(local.layout), str(at.layout)
        return shown, module_of(whole.value)

    bare = traced(kernel)
    with checks.checked() as report:
        assert traced(kernel) == bare
    assert {call.outcome for call in report.calls} == {"right"}, [c for c in report.calls if c.outcome != "right"]
    assert {"zipped_divide", "composition", "slice_", "local_tile", "raked_product"} <= {c.name for c in report.calls}


def test_what_symview_cannot_read_does_not_disturb(monkeypatch):
    def broken(*_):
        raise KeyError("a mistake of symview")

    monkeypatch.setattr("symview.dsl.checking.fault", broken)
    text, found = ask("composition", Layout((4, 6)), Layout(4))
    assert (text, found) == ("4:1", ["failed"])


FIVE_BEHIND = ComposedLayout(Swizzle(2, 0, 3), 5, Layout((8, 8), (8, 1)))
OWN_WAYS = [  # the table of docs/cute.md
    ("composition", (Layout((48, 32), (33, 1)), Layout((32, 48), (1, 32))), "(32,(2,24)):(33,(1056,1))", "wrong"),
    ("composition", (Layout((5, 5), (5, 1)), Layout(4, 3)), "(2,2):(15,1)", "wrong"),
    ("composition", (Layout((8, 4), (2, 4)), (Layout(2, 8),)), "(2):(16)", "right"),
    ("composition", (Layout((8, (4, 3))), (4, (2,))), "(4,(2)):(1,(8))", "right"),
    ("complement", (Layout((4, 2), (1, 2)), 8), "(0,2):(4,4)", "wrong"),
    ("complement", (Layout(5), (4, 6)), "3:5", "wrong"),
    ("complement", (Layout(2), (3, 5)), "10:2", "right"),
    ("right_inverse", (Layout((4, 2, 3), (1, 2, 4)),), "4:1", "right"),
    ("left_inverse", (Layout((2, 8), (8, 2)),), "(2,4,2):(0,2,1)", "wrong"),
    ("logical_divide", (Layout((3, 4), (1, 10)), 2), "(2,(2,4)):(1,(2,10))", "told"),
    ("logical_divide", (Layout((5, 2, 1), (4, 2, 2)), Layout(2, 3)), "(2,3):(12,4)", "wrong"),
    ("logical_divide", (Layout(12), Layout((2, 2), (1, 3))), "((2,2),2):((1,3),6)", "right"),
    ("zipped_divide", (Layout(((8, 2), 3)), (None, 3)), "((8,3),(2,1)):((1,16),(8,0))", "right"),
    ("tile_to_shape", (Layout((2, 2)), (3, 4), (0, 1)), "((2,2),(2,2)):((1,4),(2,8))", "right"),
    ("tiled_product", (Layout((4, 8), (4, 24)), Layout(5)), "((4,8),5):((4,24),1)", "wrong"),
    ("slice_", (FIVE_BEHIND, (None, 1)), "((4,2)):((9,32))", "wrong"),
    ("recast_layout", (8, 16, Layout((4, 1), (1, 1))), "(8,2):(1,1)", "wrong"),
    ("recast_layout", (16, 8, Layout(3, 3)), "3:2", "unanswered"),
    ("nullspace", (Layout(3, 0),), None, "refused"),
    ("composition", (Layout((4, 4), (12, 3)), Layout(2, 6)), None, "refused"),
]


@pytest.mark.parametrize(("name", "args", "given", "outcome"), OWN_WAYS)
def test_the_table_of_contracts(name, args, given, outcome):
    def kernel(n, m):
        try:
            return str(getattr(cute, name)(*map(dsl, args)))
        except checks.WrongLayout as error:
            return error.given
        except Exception:
            return None

    with checks.checked() as report, warnings.catch_warnings():
        warnings.simplefilter("ignore", checks.LayoutWarning)
        found = traced(kernel)
    assert report.calls[-1].outcome == outcome
    assert found == given or (found or "").endswith(f" o {given}")


def test_bigger_divisions_that_do_not_divide_are_no_alarm():
    layout = Layout((1000, 300), (301, 1))
    with checks.checked() as report, pytest.warns(checks.LayoutWarning, match="302400 elements for 300000"):
        traced(lambda n, m: str(cute.logical_divide(dsl(layout), 16)))
    assert report.count("told") == 1
