"""Plain text: the paper's tables row for row, overflows as school arithmetic finds them, steps that replay."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from oracle.generate import accidental
from oracle.generate import pair as random_pair

from symview import Budget, Counterexample, Kind, View, compose_at, conditions, merge, overflows, unravel
from symview.show import text
from symview.show.text import Grid, carry_text, conditions_text, counterexample_text, merge_text, overflow_text

ROOT = Path(__file__).parents[2]
PAPER = View.parse("(10,3,3):(σ1,σ2,σ3)")
TABLE_1 = """\
0 0 0 0
1 0 1 1 σ̃ = σ2 + σ3
2 0 2 2 σ̃ = σ2 + σ3
3 1 1 0 σ1 + σ2 = 2σ2 + 2σ3 + σ̃
"""
TABLE_2 = TABLE_1 + """\
4 1 2 1 σ̃ = σ2 + σ3
5 2 0 2 2σ1 + 2σ3 = σ1 + 2σ2 + σ3 + σ̃
"""


def words(lines: str) -> list[list[str]]:
    return [line.split() for line in lines.splitlines()]


# Tables


@pytest.mark.parametrize(("size", "table"), [(4, TABLE_1), (6, TABLE_2)])
def test_the_papers_tables(size, table):
    shown = overflow_text(overflows(PAPER, View((size,), (4,)), every=True))
    assert words(shown) == [["i", "i1", "i2", "i3", "Equation"], *words(table)]


def test_several_axes_show_the_index_and_the_axis():
    table = overflows(View.parse("(2,2,3):(a,b,c)"), View.parse("(2,1,2):(2,0,-1)+9"), every=True)
    assert overflow_text(table) == """\
index    axis  i1  i2  i3  Equation
(0,0,0)        1   1   0
(0,0,1)  2     1   0   2   a + 2c = a + b + σ̃3
(1,0,0)  0     1   1   2   σ̃1 = 2c
(1,0,1)  0     1   1   1   a + b + c = a + 2c + σ̃1
(1,0,1)  2     1   1   1   σ̃3 = -c"""


def test_patterns_are_told_in_words():
    table = overflows(PAPER, View((6,), (4,)))
    assert str(table) == overflow_text(table) == """\
index  digits   overflow            equation                       condition
(1)    (0,1,1)  none                σ̃ = σ2 + σ3
(3)    (1,1,0)  i3 into i2 into i1  σ1 + σ2 = 2σ2 + 2σ3 + σ̃        σ1 = 2σ2 + 3σ3
(5)    (2,0,2)  i2 into i1          2σ1 + 2σ3 = σ1 + 2σ2 + σ3 + σ̃  σ1 = 3σ2

i1, i2, i3: the digits of the outer view; σ̃: the stride of the merged view."""


def test_what_numbers_cannot_meet_is_called_impossible():
    assert "impossible: 1 = 0" in overflow_text(overflows(View((10, 3, 3), (9, 2, 1)), View((4,), (4,))))


@pytest.mark.parametrize("shape", [(), (1,), (0,), (1, 1)])
def test_no_step_is_said(shape):
    inner = View(shape)
    assert overflow_text(overflows(PAPER, inner)) == f"No step: {inner} has no axis with two indices."


def test_an_incomplete_table_says_why():
    shown = overflow_text(overflows(PAPER, View((20,), (4,)), every=True, budget=Budget(points=5)))
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
    runs = [run.replace(" borrows from ", " into ").split(" into ") for run in cell.split(", ")]
    return {int(name[1:]) - 1 for run in runs for name in run[1:]}


def test_overflows_are_the_carries_of_school_arithmetic(turns):
    rng, seen = Random(1), 0
    for _ in turns(300):
        outer, inner = random_pair(rng)
        table = overflows(View(*outer), View(*inner))
        if not table.rows:
            continue
        grid = next(iter(text.overflow_blocks(table)))
        column = grid.header.index("overflow")
        for row, cells in zip(table.rows, grid.rows, strict=True):
            step = inner.strides[row.axis]
            start = inner.offset + sum(i * t for i, t in zip(row.index, inner.strides, strict=True)) - step
            assert dims_carried_into(cells[column]) == carries_by_school(outer.shape, start, step), (outer, inner, row)
            assert ("borrows" in cells[column]) <= (step < 0)
            assert ("into" in cells[column]) <= (step > 0)
            seen += cells[column] != "none"
    assert seen > 100


def test_digits_of_size_1_are_passed_over():
    assert carry_text((10, 3, 1, 3), (9, 3)) == "i4 into i2 into i1"
    assert carry_text((2, 2, 2, 2), (8, 2)) == "i4 into i3, i2 into i1"


def test_columns_align_where_a_tilde_combines():
    assert Grid(("a", "b"), (("σ̃", "1"), ("xy", ""))).plain().splitlines() == ["a   b", "σ̃   1", "xy"]
    assert Grid(("a",), (("1",),), "Title").plain() == "Title\na\n1"


# Conditions


def test_conditions_answer_first_and_then_show_the_views():
    assert conditions_text(conditions(PAPER, View.parse("(s):(4)"))) == """\
1 ≤ s ≤ 3: always
4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
s ≥ 24: out of bounds

sizes       merged view    with the equations used
1 ≤ s ≤ 3   (s):(σ2 + σ3)
4 ≤ s ≤ 5   (s):(σ2 + σ3)
6 ≤ s ≤ 23  (s):(σ2 + σ3)  (s):(4*σ3)"""


def test_what_is_never_has_no_view():
    found = conditions(View((10, 3, 3), (9, 2, 1)), View.parse("(s):(4)"), assume="s >= 4")
    assert conditions_text(found) == "4 ≤ s ≤ 23: never\ns ≥ 24: out of bounds"


def test_an_open_case_shows_its_reason():
    found = conditions(PAPER, View.parse("(s):(4)"), budget=Budget(work=1))
    open_case = next(c for c in found.cases if c.status == "undecided")
    assert f"Undecided for 4 ≤ s ≤ 23: {open_case.reason}." in conditions_text(found)


def test_the_explanation_names_witnesses_and_reasons():
    found = conditions(PAPER, View.parse("(s):(4)"))
    shown = conditions_text(found, explain=True)
    for case in found.cases:
        assert f"Why {case}\n" in shown
        assert case.reason in shown
    assert ["(5)", "0", "(2,0,2)", "i2", "into", "i1", "σ1", "=", "3σ2"] in words(shown)
    assert shown.count("confirmed by Z3: the overflows' constraints and these equations imply each other") == 2


def test_the_explanation_of_never_names_what_has_no_solution():
    shown = conditions_text(conditions(View.parse("(10,3,3):(2*a+1,2*a,2)"), View((4,), (4,))), explain=True)
    assert "impossible: no integers that are allowed satisfy 2a = -5" in shown


def test_the_explanation_of_never_may_be_a_mask():
    found = conditions(View.parse("(3,3):(a,b) [0:3,0:2]"), View((9,)))
    assert conditions_text(found, explain=True) == f"never\n\nWhy never\nreason: {found.cases[0].reason}"


@pytest.mark.parametrize(
    ("views", "row"),
    [
        (["(3,3):(a,b) [1:3,0:3]", "(9)"], ["(6)", "0", "(2,0)", "i2", "into", "i1", "a", "=", "3b"]),
        (["(2,2):(a,b)", "(2,2):(1,-1)+1", "(3):(1)+1"], ["(2)", "0", "(0,1)", "i2", "borrows", "from", "i1"]),
    ],
)
def test_witnesses_behind_masks_and_chains(views, row):
    shown = words(conditions_text(conditions(*map(View.parse, views)), explain=True))
    assert row in [line[: len(row)] for line in shown]


def test_a_witness_without_a_carry_names_that_of_the_first_step():
    found = conditions(View.parse("(10,3,3):(a,b,c)"), View((3,), (4,), 5))
    assert "none; on the first step i3 into i2" in conditions_text(found, explain=True)


def test_what_z3_did_not_confirm_says_so():
    found = conditions(PAPER, View((4,), (4,)))
    assert "\nconfirmed by Z3: " in conditions_text(found, explain=True)
    open_case = dataclasses.replace(found.cases[0], confirmed=False)
    shown = conditions_text(dataclasses.replace(found, cases=(open_case,)), explain=True)
    assert "\nconfirmed" not in shown
    assert "\nnot confirmed, since Z3 gave up within the budget: " in shown


# Counterexamples


def test_a_break_is_told_with_its_steps():
    outer, inner = View((10, 3, 3), (1, 1, 1)), View((4,), (4,))
    assert merge_text(merge(outer, inner), outer, inner) == """\
The views do not merge.
At index (3) one view would reach address 6, the composition reaches 2.

step along axis 0  digits              overflow            moves by
(0) to (1)         (0,0,0) to (0,1,1)  none                2
(2) to (3)         (0,2,2) to (1,1,0)  i3 into i2 into i1  -2

A single view moves by the same amount on every step along an axis."""


def test_values_taken_for_symbols_are_named():
    inner = View.parse("(s):(4)")
    found = conditions(PAPER, inner).counterexample()
    assert found is not None
    head = counterexample_text(found, PAPER, inner).splitlines()[:2]
    assert head[0] == f"The views do not merge with {', '.join(f'{k} = {v}' for k, v in found.values.items())}."
    assert f"reach address {found.expected}, the composition reaches {found.got}." in head[1]


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
    assert counterexample_text(merge(*views), *views) == """\
The views do not merge.
At index (6) one view would reach address 7, the composition reaches 8.

step along axis 0  digits          overflow    moves by
(3) to (4)         (1,0) to (1,1)  none        1
(5) to (6)         (1,2) to (2,0)  i2 into i1  2

A single view moves by the same amount on every step along an axis."""


def test_the_steps_replay_on_the_definition(turns):
    rng, seen = Random(2), 0
    for _ in turns(300):
        outer, inner = [View(*v) for v in accidental(rng)]
        broken = merge(outer, inner)
        if broken:
            continue
        grid = next(b for b in text.counterexample_blocks(broken, outer, inner) if isinstance(b, Grid))
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
    assert seen > 30


# Views in numbers


def test_values_reach_every_entry_of_a_view():
    view = View.parse("(n,3):(m,1)+o [k:n,0:3]")
    assert view.with_values({"n": 4, "m": 5, "o": 6, "k": 1}) == View((4, 3), (5, 1), 6, ((1, 4), (0, 3)))
    assert View((2,)).with_values({}) == View((2,))


def test_text_loads_no_table_library():
    code = (
        "import sys; from symview import View, overflows; str(overflows(View((2, 3)), View((3,), (2,)))); "
        "print([m for m in ('rich', 'typer', 'z3', 'islpy') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
