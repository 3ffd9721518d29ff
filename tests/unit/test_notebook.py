"""What a notebook shows of an answer: HTML, LaTeX, SVG, and the text of the command line."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any
from xml.etree import ElementTree

import pytest
from command import typed
from satellites import needs, there

import symview
from symview import View, conditions, cute, merge, overflows, prove, simplify, weakest
from symview.cute import Layout, composition_conditions, try_composition

PAPER, LINE = View.parse("(10,3,3):(σ1,σ2,σ3)"), View.parse("(s):(4)")
BREAK = merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,)))


class Printer:
    """What IPython's pretty printer is to an object."""

    def __init__(self) -> None:
        self.said = ""

    def text(self, text: str) -> None:
        self.said += text


def printed(x: Any) -> str:
    assert "_repr_pretty_" in vars(type(x))  # IPython looks for it in the class that has the repr
    printer = Printer()
    x._repr_pretty_(printer, False)
    return printer.said


class Balanced(HTMLParser):
    """Checks that every tag is closed, and collects the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def html_text(x: Any) -> str:
    reader = Balanced()
    reader.feed(x._repr_html_())
    assert not reader.open
    return reader.text


ANSWERS = {
    "conditions": conditions(PAPER, LINE),
    "dense": symview.dense_conditions(View.parse("(M,N):(p,q)")),
    "counterexample": BREAK,
    "guard": conditions(PAPER, LINE).compare("s <= 3"),
    "exact": conditions(PAPER, View((3,), (4,))).compare("True"),
    "overflows": overflows(PAPER, View((6,), (4,))),
    "proved": prove("x < x + 1"),
    "refuted": prove("x*x > x"),
    "premise": weakest("x % m == x", about="m", assume="x >= 0, m > 0, x < 9"),
    "chain": simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,))),
    "layouts": composition_conditions(Layout.parse("(4,6,8):(a,b,c)"), Layout(6, 3)),
    "no layout": try_composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3))),
    "bounds": symview.bounds("i*4", {"i": 3}),
    "case": conditions(PAPER, LINE).cases[1],
    "rule": symview.tensor("x", "(n,m)").permute(1, 0) == symview.tensor("y", "(m,n)"),
    "banks": cute.bank_conflicts(Layout((32, 8), (8, 1))),
    "banks by a stride": cute.bank_conflicts(Layout.parse("(32,8):(n,1)")),
    "footprint": cute.footprint(Layout((4, 6), (6, 1))),
    "vector": cute.vector_width(Layout((4, 6), (6, 1))),
    "rearranged": cute.explain("logical_divide", Layout(24, 1), Layout(4, 1)),
    "not linear": cute.to_linear(Layout(4, 3)),
}
if there("shared_memory"):
    ANSWERS["swizzle"] = cute.best_swizzle((8, 8), ["row", "column"], element_bytes=4)


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_shows_itself(name) -> None:
    answer = ANSWERS[name]
    text = printed(answer)
    assert text
    first = text.splitlines()[0].split("  ")[0]
    assert first in html_text(answer)


@pytest.mark.parametrize(
    ("answer", "args"),
    [
        (ANSWERS["conditions"], ["conditions", str(PAPER), str(LINE)]),
        (ANSWERS["overflows"], ["overflows", str(PAPER), "(6):(4)"]),
        (ANSWERS["dense"], ["dense", "(M,N):(p,q)"]),
        (ANSWERS["layouts"], ["compose", "(4,6,8):(a,b,c)", "6:3"]),
    ],
    ids=["conditions", "overflows", "dense", "compose"],
)
def test_it_is_what_the_command_line_shows(answer, args) -> None:
    assert printed(answer).strip() == typed(args).stdout.strip()


def test_ipython_shows_the_text() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty").pretty
    for answer in ANSWERS.values():
        assert pretty(answer) == printed(answer)


def test_signs_are_escaped() -> None:
    assert "<" not in html_text(prove("x < x + 1")).replace("x < x", "")
    assert "&lt;" in prove("x < x + 1")._repr_html_()


def test_conditions_have_latex() -> None:
    latex = ANSWERS["conditions"]._repr_latex_()
    assert latex.startswith("$")
    assert r"{\sigma}_{1}" in latex


@needs("pictures")
def test_views_and_layouts_are_pictures_where_they_have_one() -> None:
    merged = merge(View((4, 6), (6, 1)), View((2, 3), (12, 2), 1))
    assert merged._repr_svg_() == symview.draw(merged)
    ElementTree.fromstring(Layout((4, 2))._repr_svg_())
    assert View.parse("(n,3)")._repr_svg_() is None
    assert Layout.parse("(n,3)")._repr_svg_() is None
    assert View((0, 3))._repr_svg_() is None
