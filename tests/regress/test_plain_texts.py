"""Texts say no more than they have to: conditions without needless parts, one line for one view, no empty rows."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path

import pytest

from symview import NotationError, View, reshape_conditions, shard_conditions
from symview.cli.table import COMMANDS
from symview.cute import Layout, coalesce, coalesce_conditions
from symview.show.conditions import conditions_blocks
from symview.show.formulas import place_text
from symview.view_notation import read_shape

ROOT = Path(__file__).parents[2]


def blocks(view: str, shape: str) -> list[str]:
    found = conditions_blocks(reshape_conditions(view, read_shape(shape)))
    return [b if isinstance(b, str) else b.plain() for b in found]


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        ("(n,m):(1,n)", ["n = 1 and m = 1", "n ≠ 1 or m ≠ 1"]),
        ("(n,m):(s,t)", ["n = 1 and m = 1", "n ≠ 1 and (t = n*s or m = 1)", "n ≠ 1 and m ≠ 1 and t ≠ n*s",
                         "n = 1 and m ≠ 1"]),
    ],
)  # fmt: skip
def test_no_alternative_repeats_that_another_fails(layout, told) -> None:
    found = coalesce_conditions(Layout.parse(layout))
    assert [place_text(c.data) or "always" for c in found.cases] == told
    for values in (dict(zip("nmst", p, strict=True)) for p in product((1, 2, 3), (1, 2, 3), (1, 2, 6), (2, 3, 6))):
        given = {n: v for n, v in values.items() if n in found.symbols()}
        assert found.answer(given) == coalesce(Layout.parse(layout).with_values(given)), given


@pytest.mark.parametrize("dim", [0, 1, 2])
def test_a_case_has_the_numbers_that_it_fixes_in_its_equations(dim) -> None:
    found = shard_conditions("(B,S,D)", dim, View.parse("(p)").shape[0])
    equations = {e for c in found.cases for e in c.to_dict()["equations"]}
    assert equations == ({"p = 1"} if dim else set())


def test_a_size_of_one_has_no_stride_and_no_line_of_its_own() -> None:
    told, table = blocks("(B,H,S,D):(H*S*D,S*D,D,1)", "(B,S,H*D)")
    assert told == "always"
    assert table == "merged view\n(B,S,H*D):(H*S*D,H*D,1)"


def test_products_have_their_names_in_the_order_of_the_question() -> None:
    found = shard_conditions("(B,S,D)", 1, View.parse("(p)").shape[0])
    assert str(found) == "B = 1 or p = 1 or S*D = 1"
    assert found.guards() == "B == 1 or p == 1 or S*D == 1"
    assert found.to_dict()["clauses"] == ["B == 1 or p == 1 or S*D == 1"]
    assert [t.splitlines()[-1].split()[-1] for t in blocks("(B,S,D):(t0,t1,t2)", "(B*S*D)")[1:]] == ["(B*S*D):(t2)"]


def test_lines_of_different_views_stay() -> None:
    _, table = blocks("(a,b,c):(t0,t1,t2)", "(a*b,c)")
    assert [line.split()[-1] for line in table.splitlines()[1:]] == [f"(a*b,c):({t},t2)" for t in ("t1", "t0", "t1")]


def test_a_table_below_the_whole_condition_has_no_rows_that_are_never() -> None:
    told, table, why = blocks("(i0,192)", "(12,-1,192)")
    assert told == "i0 % 12 = 0"
    assert table == "merged view\n(12,i0//12,192):(192*(i0//12),192,1)"
    assert why.startswith("Never for i0 % 12 ≠ 0, since ")


def test_a_quotient_by_a_number_is_a_quotient_in_python() -> None:
    found = reshape_conditions("(B,S//2,D):(t0,t1,t2)", read_shape("(B*(S//2),D)"))
    assert found.guards() == "B == 1 or S <= 3 or t0 == t1*(S//2)"


@pytest.mark.parametrize(
    ("text", "shape"),
    [("4x6", "(4,6)"), ("4 6", "(4,6)"), ("4 x 6", "(4,6)"), ("24", "(24)"), ("4,6", "(4,6)")],
)
def test_sizes_written_otherwise_are_suggested_as_a_shape(text, shape) -> None:
    with pytest.raises(NotationError, match="expected '\\(' to open the shape: write ") as error:
        View.parse(text)
    suggested = str(error.value).splitlines()[0].split("write ")[1]
    assert suggested == shape
    assert View.parse(suggested)


def test_an_option_has_one_default_in_all_commands() -> None:
    jobs = {p for c in COMMANDS.values() for p in c.parameters if p.name == "jobs"}
    assert [(p.default, p.min) for p in jobs] == [(1, 0)]


def test_the_help_of_verify_says_one_thing_of_the_time() -> None:
    [time] = [p for p in COMMANDS["verify"].parameters if p.name == "timeout"]
    assert (time.text.split(";")[0], time.otherwise) == ("Seconds that a question to the solver may take", "2")
    assert "timeout" not in COMMANDS["verify"].page


def test_nothing_is_installed_from_a_release_that_does_not_exist() -> None:
    files = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("symview/**/*.py")]
    assert not [str(path) for path in files if re.search(r"symview\[\w+\]", path.read_text(encoding="utf-8"))]
