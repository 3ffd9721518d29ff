"""`ldmatrix.trans` reads the rows that `ldmatrix` reads, and gives their elements to other registers."""

from __future__ import annotations

from typing import Any

import pytest

from symview.cute import Access, best_swizzle

TILE = (64, 64)


def registers(memory: list[Any], starts: list[int], trans: bool) -> list[tuple[Any, Any]]:
    """The register of each lane after a load of one 8 by 8 matrix of 16-bit elements, as PTX has it.

    Each of eight addresses is that of 8 contiguous elements, a row. Lane l has 2 elements of row l // 4; with .trans,
    those of column l // 4.
    """
    rows = [memory[s : s + 8] for s in starts]
    pairs = [(lane // 4, lane % 4 * 2) for lane in range(32)]
    return [(rows[b][a], rows[b + 1][a]) if trans else (rows[a][b], rows[a][b + 1]) for a, b in pairs]


@pytest.mark.parametrize(("load", "operand"), [("ldmatrix", "mma.A"), ("ldmatrix.trans", "mma.B")])
def test_a_load_fills_the_registers_of_an_operand(load, operand) -> None:
    """Row-major A by ldmatrix, row-major B, as FlashAttention's V of keys by columns, by ldmatrix.trans."""
    found = best_swizzle(TILE, ["cp.async 16 B", load], element_bytes=2)
    assert str(found.layout) == "Sw<3,3,3> o 0 o (64,64):(64,1)"
    assert found.ways == {"cp.async 16 B": 1, load: 1}
    memory: list[Any] = [None] * (64 * 64)
    for row in range(64):
        for column in range(64):
            memory[found.layout(row, column)] = (row, column)
    starts = [found.layout(vector[0]) for vector in Access.parse(load).lanes(TILE, 2).instructions[0]]
    expected = [tuple(vector) for vector in Access.parse(operand).lanes(TILE, 2).instructions[0]]
    assert registers(memory, starts, load.endswith("trans")) == expected
