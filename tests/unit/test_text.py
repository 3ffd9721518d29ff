"""Plain text: the paper's tables row for row, overflows as school arithmetic finds them, steps that replay."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from oracle.generate import accidental
from oracle.generate import pair as random_pair

from symview import (
    Budget,
    Conditions,
    Counterexample,
    Kind,
    Undecided,
    View,
    compose_at,
    conditions,
    merge,
    overflows,
    reshape_conditions,
    unravel,
)
from symview.logic.terms import conj, value_of
from symview.show.conditions import conditions_blocks
from symview.show.formulas import where_text
from symview.show.grid import Grid, joined
from symview.show.overflow_table import overflow_blocks
from symview.show.steps import carry_text, counterexample_blocks
from symview.view_notation import read_shape
from symview.views.two_views import lowest_valid

ROOT = Path(__file__).parents[2]
PAPER = View.parse("(10,3,3):(σ1,σ2,σ3)")
TABLE_1 = """\
0 0 0 0
1 0 1 1 τ = σ2 + σ3
2 0 2 2 τ = σ2 + σ3
3 1 1 0 σ1 + σ2 = 2σ2 + 2σ3 + τ
"""
TABLE_2 = (
    TABLE_1
    + """\
4 1 2 1 τ = σ2 + σ3
5 2 0 2 2σ1 + 2σ3 = σ1 + 2σ2 + σ3 + τ
"""
)


def conditions_text(*query: Any, explain: bool = False) -> str:
    return joined(conditions_blocks(*query, explain=explain))


def counterexample_text(*query: Any, **how: Any) -> str:
    return joined(counterexample_blocks(*query, **how))


def words(lines: str) -> list[list[str]]:
    return [line.split() for line in lines.splitlines()]


# Tables


@pytest.mark.parametrize(("size", "table"), [(4, TABLE_1), (6, TABLE_2)])
def test_the_papers_tables(size, table):
    shown = str(overflows(PAPER, View((size,), (4,)), every=True))
    assert words(shown) == [["i", "i1", "i2", "i3", "Equation"], *words(table)]


def test_several_axes_show_the_index_and_the_axis():
    table = overflows(View.parse("(2,2,3):(a,b,c)"), View.parse("(2,1,2):(2,0,-1)+9"), every=True)
    assert (
        str(table)
        == """\
index    axis  digits   equation
(0,0,0)        (1,1,0)
(0,0,1)  2     (1,0,2)  a + 2*c = a + b + τ2
(1,0,0)  0     (1,1,2)  τ0 = 2*c
(1,0,1)  0     (1,1,1)  a + b + c = a + 2*c + τ0
(1,0,1)  2     (1,1,1)  τ2 = -c"""
    )


def test_patterns_are_told_in_words():
    table = overflows(PAPER, View((6,), (4,)))
    assert (
        str(table)
        == str(table)
        == """\
index  digits   overflow             equation                       condition
(1)    (0,1,1)  none                 τ = σ2 + σ3
(3)    (1,1,0)  dim 2 into 1 into 0  σ1 + σ2 = 2σ2 + 2σ3 + τ        σ1 = 2σ2 + 3σ3
(5)    (2,0,2)  dim 1 into 0         2σ1 + 2σ3 = σ1 + 2σ2 + σ3 + τ  σ1 = 3σ2

digits: those of the outer view's dims; τ: the stride of the merged view."""
    )


def test_what_numbers_cannot_meet_is_called_impossible():
    assert "impossible: 1 = 0" in str(overflows(View((10, 3, 3), (9, 2, 1)), View((4,), (4,))))


@pytest.mark.parametrize("shape", [(), (1,), (0,), (1, 1)])
def test_no_step_is_said(shape):
    inner = View(shape)
    assert str(overflows(PAPER, inner)) == f"No step: {inner} has no axis with two indices."


def test_an_incomplete_table_says_why():
    shown = str(overflows(PAPER, View((20,), (4,)), every=True, budget=Budget(points=5)))
    assert shown == "Not complete: the box has 20 indices, the budget lists 5."


def carries_by_school(shape: tuple[int, ...], start: int, step: int) -> set[int]:
    """The dims into which adding the step's digits carries, or out of which subtracting them borrows."""
    here, moved = unravel(start, shape), unravel(abs(step), shape)
    dims, carry = set(), 0
    for dim in reversed(range(len(shape))):
        if carry and shape[dim] != 1:
            dims.add(dim)
        if shape[dim] != 1:
            left = here[dim] + moved[dim] + carry if step > 0 else here[dim] - moved[dim] - carry
            carry = int(not 0 <= left < shape[dim])
    return dims


def dims_carried_into(cell: str) -> set[int]:
    if cell == "none":
        return set()
    runs = [run.removeprefix("dim ").replace(" borrows from ", " into ").split(" into ") for run in cell.split(", ")]
    return {int(dim) for run in runs for dim in run[1:]}


def test_overflows_are_the_carries_of_school_arithmetic(turns, least):
    rng, seen = Random(1), 0
    for _ in turns(300):
        outer, inner = random_pair(rng)
        table = overflows(View(*outer), View(*inner))
        if not table.rows:
            continue
        grid = next(iter(overflow_blocks(table)))
        column = grid.header.index("overflow")
        for row, cells in zip(table.rows, grid.rows, strict=True):
            step = inner.strides[row.axis]
            start = inner.offset + sum(i * t for i, t in zip(row.index, inner.strides, strict=True)) - step
            assert dims_carried_into(cells[column]) == carries_by_school(outer.shape, start, step), (outer, inner, row)
            assert ("borrows" in cells[column]) <= (step < 0)
            assert ("into" in cells[column]) <= (step > 0)
            seen += cells[column] != "none"
    assert seen > least(100)


def test_digits_of_size_1_are_passed_over():
    assert carry_text((10, 3, 1, 3), (9, 3)) == "dim 3 into 1 into 0"
    assert carry_text((2, 2, 2, 2), (8, 2)) == "dim 3 into 2, dim 1 into 0"


def test_columns_align_where_a_tilde_combines():
    assert Grid(("a", "b"), (("σ̃", "1"), ("xy", ""))).plain().splitlines() == ["a   b", "σ̃   1", "xy"]
    assert Grid(("a",), (("1",),), "Title").plain() == "Title\na\n1"


# Conditions


def test_conditions_answer_first_and_then_show_the_views():
    assert (
        conditions_text(conditions(PAPER, View.parse("(s):(4)")))
        == """\
1 ≤ s ≤ 3: always
4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
s ≥ 24: out of bounds

sizes       merged view    simplified by the condition
1 ≤ s ≤ 3   (s):(σ2 + σ3)
4 ≤ s ≤ 5   (s):(σ2 + σ3)
6 ≤ s ≤ 23  (s):(σ2 + σ3)  (s):(4*σ3)"""
    )


def reshaped(view, shape, *assume):
    return reshape_conditions(View.parse(view), read_shape(shape), assume=assume)


def test_clauses_answer_first_and_then_show_their_cases():
    assert (
        conditions_text(reshaped("(B,S,D):(t0,t1,t2)", "(B*S,D)"))
        == """\
B = 1 or S = 1 or t0 = S*t1

sizes            condition  merged view
B = 1            always     (B*S,D):(t1,t2)
S = 1 and B ≠ 1  always     (B*S,D):(t0,t2)
B ≠ 1 and S ≠ 1  t0 = S*t1  (B*S,D):(t1,t2)"""
    )


def test_cases_of_inner_strides_are_about_values_and_show_theirs():
    found = conditions(View.parse("(5,4):(a,b)"), View.parse("(3):(t)"))
    shown = conditions_text(found, explain=True)
    assert "\nvalues " in shown
    assert "\nsizes " not in shown
    assert f"{found.cases[1]}, seen at (3):(2)\nindex  axis  digits  overflow      forces\n" in shown
    assert "\n(2)    0     (1,0)   dim 1 into 0  a = 4*b\n" in shown
    assert found.to_dict()["cases"][1]["witnesses"][0]["inner"] == "(3):(2)"


def test_the_cases_of_clauses_say_why_they_are_never():
    assert (
        conditions_text(reshaped("(i0,192)", "(12,-1,192)"))
        == """\
i0 % 12 = 0

merged view
(12,i0//12,192):(192*(i0//12),192,1)

Never for i0 % 12 ≠ 0, since 12 has to divide i0."""
    )


def test_what_is_never_says_why():
    assert (
        conditions_text(reshaped("(u0,20,4):(80,1,20)", "(u0,80)"))
        == """\
never

Never, since dims 1 and 2 are not contiguous: stride 1 is 1, but would have to be 80."""
    )
    assert (
        conditions_text(reshaped("(4,6):(1,4*c)", "(24)"))
        == """\
never

Never, since no integers that are allowed satisfy 24*c = 1."""
    )


def test_one_case_needs_no_table_of_conditions():
    assert conditions_text(reshaped("(n,4)", "(4*n)")) == "always\n\nmerged view\n(4*n):(1)"
    found = reshaped("(B,S):(t0,t1)", "(B*S)", "B > 1", "S > 1")
    assert conditions_text(found) == "t0 = S*t1\n\nmerged view\n(B*S):(t1)"


def test_several_sizes_stand_as_ranges():
    assert (
        conditions_text(conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(m,n):(3,1)")))
        == """\
3*m + n ≤ 93 and (3*m + n ≤ 12 or a = 3*b) and (n ≤ 3 or b = 3*c)

sizes                        condition            merged view  simplified by the condition
m ≤ 3 and n ≤ 3              always               (m,n):(b,c)
4 ≤ m ≤ 30 and n ≤ 3         a = 3*b              (m,n):(b,c)
n ≥ 4 and 3*m + n ≤ 12       b = 3*c              (m,n):(b,c)  (m,n):(3*c,c)
n ≥ 4 and 13 ≤ 3*m + n ≤ 93  a = 3*b and b = 3*c  (m,n):(b,c)  (m,n):(3*c,c)"""
    )


def test_long_conditions_are_folded_and_lose_nothing():
    found = reshaped("(a,b,c,d):(p,q,r,s)", "(a*b*c*d)")
    blocks = list(conditions_blocks(found))
    headline, table = blocks[:2]
    assert " ".join(headline.split()) == str(found)
    assert len(headline.splitlines()) > 1
    assert max(map(len, headline.splitlines())) <= 100
    column = table.header.index("sizes")
    for row, case in zip(table.rows, found.cases, strict=True):
        assert " ".join(row[column].split()) == where_text(case.data.where)
        assert max(map(len, row[column].splitlines())) <= 48


def test_long_clauses_stand_on_lines_of_their_own():
    headline = conditions_text(reshaped("(a,b,c,d):(p,q,r,s)", "(a*b*c*d)")).partition("\n\n")[0]
    assert headline.startswith("(a = 1 or b = 1 or p = b*q)\nand (b = 1 or c = 1 or q = c*r)\nand (")
    assert all(line.count("(") == line.count(")") for line in headline.splitlines())


def test_a_table_that_is_too_wide_is_told_case_by_case():
    long = {name: name * 12 for name in "abcst"}
    narrow = reshaped("(a,b):(s,t)", "(c,-1)")
    wide = reshaped("({a},{b}):({s},{t})".format(**long), "({c},-1)".format(**long))
    assert len([b for b in conditions_blocks(narrow) if isinstance(b, Grid)]) == 1
    texts = [b for b in conditions_blocks(wide) if isinstance(b, Grid)]
    shown = [case for case in wide.cases if case.view]
    assert len(texts) == len(shown) == len(narrow.cases) - 1  # the condition says where it is never
    for grid, case in zip(texts, shown, strict=True):
        assert grid.rows == (("condition", case.headline()), ("merged view", str(case.view)))
        assert (grid.header[0], " ".join(grid.header[1].split())) == ("sizes", where_text(case.data.where))


def test_cells_of_several_lines_keep_their_columns():
    grid = Grid(("a", "b"), (("x\nyy", "1"), ("z", "2\n3")))
    assert grid.plain().splitlines() == ["a   b", "x   1", "yy", "z   2", "    3"]


def test_the_explanation_of_clauses_has_a_break_for_each():
    found = reshaped("(a,b):(s,t)", "(c,-1)")
    shown = conditions_text(found, explain=True)
    assert shown.startswith(conditions_text(found))
    setting, evidence = shown.removeprefix(conditions_text(found)).split("\n\nWhat")
    assert "if s = b*t" in setting
    assert (
        f"What{evidence}"
        == f"""\
What forces each condition
condition                           without it, at                     then
a*b % c = 0                         a = 1, b = 1, s = 0, t = 0, c = 2  the sizes do not agree
a = 1 or b = 1 or a = c or s = b*t  a = 2, b = 2, s = 0, t = 1, c = 1  it breaks at index (0,2)

complete: {found.cases[0].reason.removeprefix("exact: ")}"""
    )


def test_what_forces_a_clause_replays(turns, full):
    rng, seen = Random("clauses"), 0
    names = ["p", "q", "r", "s"]
    for _ in turns(6):
        sizes = [rng.choice(["a", "b", "2", "3"]) for _ in range(3)]
        found = reshaped(f"({','.join(sizes)}):({','.join(rng.sample(names, 3))})", f"({'*'.join(sizes)})")
        for clause in found.clauses:
            others = [c for c in found.clauses if c is not clause]
            verdict = found.compare(conj(others))
            assert not value_of(clause, verdict.values)
            assert all(value_of(c, verdict.values) for c in others)
            assert verdict.index == merge(*[v.with_values(verdict.values) for v in found.views]).index
            row = f"it breaks at index ({','.join(map(str, verdict.index))})"
            assert row in conditions_text(found, explain=True)
            seen += 1
    if full:
        assert seen > 8


def test_the_explanation_of_clauses_that_are_never_has_an_example():
    shown = conditions_text(reshaped("(u0,20,4):(80,1,20)", "(u0,80)"), explain=True)
    assert shown.splitlines()[-1] == "For example with u0 = 1: it breaks at index (0,4)."


def test_the_explanation_says_what_was_not_found(monkeypatch):
    def gave_up(*_):
        raise Undecided("no time")

    found = reshaped("(B,S):(t0,t1)", "(B*S)")
    monkeypatch.setattr(Conditions, "compare", gave_up)
    row = ["B", "=", "1", "or", "S", "=", "1", "or", "t0", "=", "S*t1", "not", "found", "within", "the", "budget"]
    assert row in words(conditions_text(found, explain=True))


def test_what_is_never_has_no_view():
    found = conditions(View((10, 3, 3), (9, 2, 1)), View.parse("(s):(4)"), assume="s >= 4")
    assert conditions_text(found) == (
        "s ≤ 23: never\ns ≥ 24: out of bounds\n\n"
        "Never for s ≤ 23, since the step to index (3) along axis 0 moves by 5, the first step along it by 3."
    )


@pytest.mark.parametrize(
    ("outer", "inner", "why"),
    [
        ("(10,3,3):(1,1,1)", "(4):(4)", "the step to index (3) along axis 0 moves by -2, the first step along it by 2"),
        ("(4,6):(1,4)", "(2,12)", "the step to index (0,6) along axis 1 moves by -19, the first step along it by 4"),
        ("(3,3):(4,1) [1:3,0:3]", "(9)",
         "the step to index (6) along axis 0 moves by another amount than the first step along it"),
        ("(4):(1) [0:3]", "(2,2)", "the valid indices are not a box: at index (1,1): not valid and should be"),
    ],
)  # fmt: skip
def test_never_on_numbers_shows_the_index_that_breaks(outer, inner, why):
    found = conditions(View.parse(outer), View.parse(inner))
    assert conditions_text(found) == f"never\n\nNever, since {why}."


def test_an_open_case_shows_its_reason():
    found = conditions(PAPER, View.parse("(s):(4)"), engine="smt", budget=Budget(work=1))
    open_case = next(c for c in found.cases if c.status == "undecided")
    assert open_case.reason
    assert f"Undecided for 1 ≤ s ≤ 23: {open_case.reason}." in conditions_text(found)
    decided = conditions(PAPER, View.parse("(s):(4)"), budget=Budget(work=1))
    assert "Undecided" not in conditions_text(decided)


def test_the_explanation_names_witnesses_and_reasons():
    found = conditions(PAPER, View.parse("(s):(4)"))
    shown = conditions_text(found, explain=True)
    for case in found.cases:
        assert f"Why {case}\n" in shown
        assert case.reason in shown
    assert ["(5)", "0", "(2,0,2)", "dim", "1", "into", "0", "σ1", "=", "3σ2"] in words(shown)
    assert shown.count("checked: the equations printed are equivalent to those of all overflows") == 2


def test_the_explanation_of_never_names_what_has_no_solution():
    shown = conditions_text(conditions(View.parse("(10,3,3):(2*a+1,2*a,2)"), View((4,), (4,))), explain=True)
    assert "impossible: no integers that are allowed satisfy 2*a = -5" in shown


def test_the_explanation_of_never_may_be_a_mask():
    found = conditions(View.parse("(3,3):(a,b) [0:3,0:2]"), View((9,)))
    shown = conditions_text(found, explain=True)
    assert shown.startswith("never\n\n")
    assert "1    0 to 1        0 ≤ x mod 3 ≤ 1" in shown
    assert shown.endswith(f"\n\nWhy never\nreason: {found.cases[0].reason}")


@pytest.mark.parametrize(
    ("views", "row"),
    [
        (["(3,3):(a,b) [1:3,0:3]", "(9)"], ["(6)", "0", "(2,0)", "dim", "1", "into", "0", "a", "=", "3*b"]),
        (["(2,2):(a,b)", "(2,2):(1,-1)+1", "(3):(1)+1"], ["(2)", "0", "(0,1)", "dim", "1", "borrows", "from", "0"]),
    ],
)
def test_witnesses_behind_masks_and_chains(views, row):
    shown = words(conditions_text(conditions(*map(View.parse, views)), explain=True))
    assert row in [line[: len(row)] for line in shown]


def test_a_witness_without_a_carry_names_that_of_the_first_step():
    found = conditions(View.parse("(10,3,3):(a,b,c)"), View((3,), (4,), 5))
    assert "none; on the first step dim 2 into 1" in conditions_text(found, explain=True)


def test_what_z3_did_not_confirm_says_so():
    found = conditions(PAPER, View((4,), (4,)))
    assert "\nchecked: " in conditions_text(found, explain=True)
    open_case = dataclasses.replace(found.data.cases[0], confirmed=False)
    found = dataclasses.replace(found, data=dataclasses.replace(found.data, cases=(open_case,)))
    shown = conditions_text(found, explain=True)
    assert "\nchecked" not in shown
    assert "\nnot checked, since Z3 gave up within the budget: " in shown


# Counterexamples


def test_a_break_is_told_with_its_steps():
    outer, inner = View((10, 3, 3), (1, 1, 1)), View((4,), (4,))
    assert (
        counterexample_text(merge(outer, inner), outer, inner)
        == """\
The views do not merge.
At index (3) the element is at address 2; constant strides would put it at 6.

step along axis 0  in the outer view   overflow             address moves by
(0) to (1)         (0,0,0) to (0,1,1)  none                 2
(2) to (3)         (0,2,2) to (1,1,0)  dim 2 into 1 into 0  -2

A single view moves by the same amount on every step along an axis."""
    )


def test_values_taken_for_symbols_are_named():
    inner = View.parse("(s):(4)")
    found = conditions(PAPER, inner).counterexample()
    assert found is not None
    head = counterexample_text(found, PAPER, inner).splitlines()[:2]
    assert head[0] == f"The views do not merge with {', '.join(f'{k} = {v}' for k, v in found.values.items())}."
    assert f"the element is at address {found.got}; constant strides would put it at {found.expected}." in head[1]


def test_leaving_the_outer_shape_is_told():
    outer, inner = View((10, 3, 3)), View.parse("(s):(4)")
    found = conditions(outer, inner).counterexample()
    assert found is not None
    assert counterexample_text(found, outer, inner) == (
        "Out of bounds with s = 24.\n"
        "At index (23) the inner view is at place 92; the outer shape (10,3,3) has the places 0 to 89."
    )


def test_what_may_not_be_the_smallest_says_so():
    outer, inner = View((10, 3, 3), (1, 1, 1)), View((4,), (4,))
    larger = dataclasses.replace(Counterexample(Kind.DISAGREE, (3,), 0, 6, 2), smallest=False)
    assert "There may be a smaller such index." in counterexample_text(larger, outer, inner)


@pytest.mark.parametrize(
    ("outer", "inner", "index", "finding"),
    [
        ("(3,3):(3,1) [0:3,0:2]", "(9)", "(3)", "the composition is valid, one view would not be."),
        ("(4) [0:3]", "(2,2)", "(1,1)", "one view would be valid, the composition is not."),
    ],
)
def test_indices_that_no_mask_picks_out_are_told(outer, inner, index, finding):
    views = View.parse(outer), View.parse(inner)
    assert counterexample_text(merge(*views), *views) == (
        f"The views do not merge, since no mask has the valid indices and no others.\nAt index {index} {finding}"
    )


def test_behind_a_mask_first_steps_go_from_the_first_valid_index():
    views = View((3, 3), (4, 1), 0, ((1, 3), (0, 3))), View((9,))
    assert (
        counterexample_text(merge(*views), *views, lows=lowest_valid(views))
        == """\
The views do not merge.
At index (6) the element is at address 8; constant strides would put it at 7.

step along axis 0  in the outer view  overflow      address moves by
(3) to (4)         (1,0) to (1,1)     none          1
(5) to (6)         (1,2) to (2,0)     dim 1 into 0  2

A single view moves by the same amount on every step along an axis."""
    )


def test_the_steps_replay_on_the_definition(turns, least):
    rng, seen = Random(2), 0
    for _ in turns(300):
        outer, inner = [View(*v) for v in accidental(rng)]
        broken = merge(outer, inner)
        if broken:
            continue
        grid = next(b for b in counterexample_blocks(broken, outer, inner) if isinstance(b, Grid))
        moves = []
        for cells in grid.rows:
            ends = [tuple(map(int, end.strip("()").split(","))) for end in cells[0].split(" to ")]
            before, after = [compose_at(outer, inner, index=end) for end in ends]
            assert int(cells[-1]) == after - before
            start, reached = [inner.at(end) for end in ends]
            assert dims_carried_into(cells[2]) == carries_by_school(outer.shape, start, reached - start)
            moves.append(after - before)
        assert ends[1] == broken.index
        assert moves[0] != moves[1]
        seen += 1
    assert seen > least(30)


# Views in numbers


def test_values_reach_every_entry_of_a_view():
    view = View.parse("(n,3):(m,1)+o [k:n,0:3]")
    assert view.with_values({"n": 4, "m": 5, "o": 6, "k": 1}) == View((4, 3), (5, 1), 6, ((1, 4), (0, 3)))
    assert View((2,)).with_values({}) == View((2,))


def test_text_loads_no_table_library():
    code = (
        "import sys; from symview import View, overflows; str(overflows(View((2, 3)), View((3,), (2,)))); "
        "print([m for m in ('rich', 'z3', 'islpy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
