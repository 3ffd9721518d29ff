"""Exact row spaces, against fractions."""

from __future__ import annotations

from math import gcd

from bridge import primitive as normal
from hypothesis import given
from hypothesis import strategies as st
from oracle import brute, generate

from symview.engine.row_space import RowSpace, primitive

WIDTHS = st.integers(0, 5)


SMALL = st.integers(-6, 6)


@st.composite
def matrices(draw, entries=SMALL) -> tuple[int, list[tuple[int, ...]]]:
    width = draw(WIDTHS)
    row = st.tuples(*[entries] * width)
    return width, draw(st.lists(row, max_size=6))


@given(matrices())
def test_the_reduced_echelon_form(matrix) -> None:
    width, rows = matrix
    space = RowSpace(width, rows)
    assert space.rows == normal(brute.echelon(rows))
    assert space.rank == len(space.rows) == len(space.pivots)
    assert space.is_full() == (space.rank == width)
    for row, pivot in zip(space.rows, space.pivots, strict=True):
        assert row[pivot] > 0
        assert not any(row[:pivot])
        assert sum(other[pivot] != 0 for other in space.rows) == 1
        assert gcd(*row) == 1


@given(matrices(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(matrix, rng) -> None:
    width, rows = matrix
    mixed = rng.sample(rows, len(rows)) + rows[:1]
    assert RowSpace(width, mixed) == RowSpace(width, rows)
    assert hash(RowSpace(width, mixed)) == hash(RowSpace(width, rows))


@given(matrices(), matrices())
def test_add_and_membership(matrix, other) -> None:
    width, rows = matrix
    space = RowSpace(width)
    for row in rows:
        inside = row in space
        assert space.add(row) == (not inside)
        assert row in space
    for row in other[1] if other[0] == width else ():
        grown = len(brute.echelon([*rows, row])) > space.rank
        assert (row in space) == (not grown)
        residue = space.residue(row)
        assert any(residue) == grown
        assert brute.echelon([*rows, row]) == brute.echelon([*rows, residue])


@given(matrices())
def test_the_complement_is_orthogonal_and_large_enough(matrix) -> None:
    width, rows = matrix
    space = RowSpace(width, rows)
    basis = space.complement()
    assert len(basis) == width - space.rank
    assert len(brute.echelon(basis)) == len(basis)
    for w in basis:
        assert gcd(*w) == 1
        assert not [row for row in rows if sum(map(int.__mul__, w, row))]
    assert RowSpace(width, basis) == RowSpace(width, generate.null_space(brute.echelon(rows), width))
    assert RowSpace(width, RowSpace(width, basis).complement()) == space


@given(matrices(st.integers(-(10**30), 10**30)))
def test_large_entries_stay_exact(matrix) -> None:
    width, rows = matrix
    assert RowSpace(width, rows).rows == normal(brute.echelon(rows))


def test_primitive() -> None:
    assert primitive(()) == ()
    assert primitive((0, 0)) == (0, 0)
    assert primitive((0, -4, 6)) == (0, 2, -3)
    assert primitive((3, 5)) == (3, 5)


def test_spaces_of_other_widths_differ() -> None:
    assert RowSpace(1) != RowSpace(2)
    assert RowSpace(1) != ()
