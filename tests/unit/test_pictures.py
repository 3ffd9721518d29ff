"""Pictures: well-formed SVG with all that they show, the same through matplotlib, files that are not overwritten."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import typed

from symview import View, conditions, draw, draw_conditions, draw_overflows, overflows, reshape_conditions
from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle
from symview.errors import InputError
from symview.pictures.drawing import picture
from symview.pictures.shapes import Box, Label, width_of
from symview.pictures.shapes import Path as Line

SVG = "{http://www.w3.org/2000/svg}"
PAPER = View.parse("(10,3,3):(σ1,σ2,σ3)")


def texts(svg: str) -> list[str]:
    """The texts of a picture, which has to be well-formed, with a title and a description, and inside its page."""
    root = ElementTree.fromstring(svg)
    assert root.find(f"{SVG}title").text
    assert root.find(f"{SVG}desc").text
    width, height = float(root.get("width")), float(root.get("height"))
    for at in root.iter(f"{SVG}text"):
        assert 0 <= float(at.get("x")) <= width
        assert 0 <= float(at.get("y")) <= height
    for box in root.iter(f"{SVG}rect"):
        if box.get("x"):
            assert float(box.get("x")) + float(box.get("width")) <= width
            assert float(box.get("y")) + float(box.get("height")) <= height
    return [at.text or "" for at in root.iter(f"{SVG}text")]


def test_a_view_shows_each_address_and_hides_what_the_mask_hides() -> None:
    view = View((4, 6), (1, 5), 3, [(1, 3), (0, 6)])
    shown = texts(draw(view))
    addresses = [view.at((i, j)) for i in range(4) for j in range(6)]
    for address in filter(None, addresses):
        assert str(address) in shown
    assert "15 of no index (white)" in shown
    assert sum(isinstance(s, Box) and s.hatched for s in picture(view).shapes) == addresses.count(None) == 12


def test_addresses_of_several_indices_are_told() -> None:
    assert "3 of several indices (thick)" in texts(draw(View((3, 3), (1, 1))))


@pytest.mark.parametrize(
    "text", ["():()+3", "(5):(-1)+4", "(40,50)", "(1,1,1)", "(2,3):(a,b)", "(7):(0)", "(9):(-1)+7 [2:8]"])  # fmt: skip
def test_views_of_every_kind_have_a_picture(text) -> None:
    assert View.parse(text).__str__() in texts(draw(View.parse(text)))


def test_of_a_large_view_the_corner_is_shown() -> None:
    svg = draw(View((10**9, 10**9)))
    assert len(svg) < 200_000
    assert any("more rows" in t for t in texts(svg))


def test_layouts_go_down_first() -> None:
    boxes = [s for s in picture(Layout((4, 2), (2, 1))).shapes if isinstance(s, Label) and s.text == "6"]
    assert len({round(b.y) for b in boxes}) == 2  # in the table and in the memory
    swizzled = ComposedLayout(Swizzle(1, 0, 1), 0, Layout((2, 4), (4, 1)))
    assert {str(swizzled(i)) for i in range(8)} <= set(texts(draw(swizzled)))


def test_overflows_have_an_arrow_a_step_and_a_line_a_pattern() -> None:
    table = overflows(PAPER, View((6,), (4,)))
    shown = texts(draw_overflows(PAPER, View((6,), (4,))))
    assert draw(table) == draw_overflows(PAPER, View((6,), (4,)))
    arrows = [s for s in picture(table).shapes if isinstance(s, Line) and s.arrow]
    assert len(arrows) == 5 + len(table.rows)
    for moved in ("moves by σ2 + σ3", "moves by σ1 − σ2 − 2σ3", "moves by σ1 − 2σ2 + σ3"):
        assert sum(t.endswith(moved) for t in shown) == 1
    assert "… and 7 more rows" in shown
    assert {str(n) for n in range(6)} <= set(shown)


@pytest.mark.parametrize("inner", ["(20):(-7)+300", "(3,4):(20,3)+2", "(1):(1)", "():()+5", "(0):(1)", "(600):(1)"])
def test_overflows_of_every_kind_have_a_picture(inner) -> None:
    texts(draw_overflows(View((40, 4, 4)), View.parse(inner)))


def test_one_size_is_a_line_with_its_break_points() -> None:
    shown = texts(draw_conditions(conditions(PAPER, View.parse("(s):(4)"))))
    assert [t for t in shown if re.fullmatch(r"\d+ …( \d+)?", t)] == ["1 … 3", "4 … 5", "6 … 23", "24 …"]


def test_two_sizes_are_a_plane_with_a_number_a_case() -> None:
    answer = conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(m,n):(3,1)"))
    shown = texts(draw_conditions(answer))
    for n in range(1, len(answer.cases) + 1):
        assert shown.count(str(n)) >= 2  # in the plane, and beside what holds there
    assert {"m", "n"} <= set(shown)
    fills = [s.fill for s in picture(answer).shapes if isinstance(s, Box) and s.height == 18]
    assert len(set(fills)) == len(answer.cases)


def test_two_cases_that_always_merge_have_two_colours() -> None:
    shapes = picture(reshape_conditions("(B,S,D):(t0,t1,t2)", "(B*S,D)")).shapes
    assert len({s.fill for s in shapes if isinstance(s, Box) and s.height == 18}) == 3


@pytest.mark.parametrize(
    ("outer", "inner"),
    [("(4,6)", "(2,6):(12,2)"), ("(6,6)", "(6,6):(1,6)"), ("(3,4,5)", "(3,5,4):(20,1,5)"), ("(8,4)", "(4,8):(8,1)"),
     ("(5,5)", "(5,5):(-1,-5)+24"), ("(2,9)", "(9):(2)"), ("(9,9)", "(3,3,9):(3,27,1)")],
)  # fmt: skip
def test_no_arrow_goes_through_a_name(outer, inner) -> None:
    shapes = picture(overflows(outer, inner)).shapes
    names = [s for s in shapes if isinstance(s, Label) and s.bold and s.anchor == "middle"]
    for arrow in (s for s in shapes if isinstance(s, Line) and s.arrow):
        for (x, y), (u, v) in pairwise(arrow.points):
            for name in names:
                wide = width_of(name.text, name.size) / 2
                through = [t for t in range(101) if abs(x + (u - x) * t / 100 - name.x) < wide
                           and abs(y + (v - y) * t / 100 - name.y) < name.size / 2]  # fmt: skip
                assert not through, (name, arrow)


@pytest.mark.parametrize(
    "x",
    [View.parse("(n,3)"), View((0, 3)), 7, None, Layout.parse("(n,3)"), conditions(PAPER, View((4,), (4,)))],
    ids=["size", "empty", "int", "None", "symbolic layout", "one case"],
)
def test_what_has_no_picture_is_refused(x) -> None:
    with pytest.raises((InputError, ValueError), match="picture"):
        draw(x)


def test_matplotlib_draws_the_same_shapes(tmp_path) -> None:
    pytest.importorskip("matplotlib")
    shown = picture(overflows(PAPER, View((6,), (4,))))
    figure = shown.figure()
    assert len(figure.axes[0].texts) == sum(isinstance(s, Label) for s in shown.shapes)
    figure.savefig(tmp_path / "a.png")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"


def ask(*args: str) -> tuple[int, str]:
    result = typed(["draw", *args])
    return result.exit_code, result.output


def test_the_command_writes_a_file_and_keeps_those_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "a.svg"
    assert ask("(2,3)", "-o", str(path))[0] == 0
    first = path.read_bytes()
    code, said = ask("(3,2)", "-o", str(path))
    assert (code, path.read_bytes()) == (2, first)
    assert "exists" in said.replace("\n", " ")
    assert ask("(3,2)", "-o", str(path), "--force")[0] == 0
    assert path.read_text(encoding="utf-8") == draw(View((3, 2)))


@pytest.mark.parametrize(
    "args",
    [["(2,3)", "-o", "a.txt"], ["(2,3)", "-o", "no/such/folder/a.svg"],
     ["(2,3)", "(6)", "--layout"], ["(2,3", "-o", "a.svg"],
     ["(n,3)"], ["(2,3)", "--reshape", "(6)"]],
)  # fmt: skip
def test_the_command_says_what_is_wrong(args, tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ask(*args)[0] == 2
    assert not list(tmp_path.iterdir())


def test_the_command_takes_reshapes_and_layouts() -> None:
    assert "t0 = S*t1" in ask("(B,S,D):(t0,t1,t2)", "--reshape", "(B*S,D)")[1]
    assert ask("Sw<1,0,1> o 0 o (2,4):(4,1)", "--layout")[1].startswith("<svg")


def test_a_linear_layout_has_a_picture() -> None:
    assert draw(LinearLayout({"row": [1, 2], "column": [5], "page": [0]})).startswith("<svg")
