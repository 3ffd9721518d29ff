"""The overflow table of two views, as data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from symview.displayed import Json
from symview.engine.index_map import Index, index_text
from symview.logic.integer import Integer
from symview.logic.sympy_bridge import sympy_equation, to_text
from symview.logic.terms import Term
from symview.show.conditions import demand
from symview.show.formulas import equation_text
from symview.show.grid import Block, Grid, Tabled, filled, joined
from symview.show.steps import carry_text
from symview.view import View

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True)
class OverflowRow:
    """One step: it reaches `index` along `axis`, where the outer view has `digits`.

    `pattern` has one entry for each boundary, largest place value first: 1 if the step overflows beyond the whole
    multiples of the place value in the axis' stride. `before` and `address` are the outer addresses before and after
    the step (without the offset), as expressions in the outer strides. For the start of the box, `axis`, `pattern` and
    `before` are None. `required` is the equation that the step forces, None if it forces none, and `condition` the same
    in sympy, over these symbols.
    """

    index: Index
    axis: int | None
    digits: tuple[int, ...]
    pattern: tuple[int, ...] | None
    overflows: tuple[int, ...]
    before: Integer | None
    address: Integer
    required: Term | None
    symbols: Mapping[str, Any] = field(repr=False, compare=False)

    @property
    def condition(self) -> sympy.Basic | None:
        """The equation that the step forces, in sympy."""
        return None if self.required is None else sympy_equation(self.required, self.symbols)

    def equation(self, step: str = "τ") -> str:
        """The equation for the merged stride τ that the step implies; empty at the start. The paper writes σ̃ for τ.

        If no digit overflows, the difference is printed: τ = σ2 + σ3.
        """
        if self.before is None:
            return ""
        if not self.overflows:
            return f"{step} = {to_text(self.address - self.before, '')}"
        before = to_text(self.before, "")
        return f"{to_text(self.address, '')} = " + (step if before == "0" else f"{before} + {step}")


@dataclass(frozen=True, slots=True)
class OverflowTable(Tabled):
    """The rows, by axis and first index; `boundaries` are the place values of the patterns.

    `complete`: it has every pattern that occurs (or, with `every`, every index); otherwise `reason` says what stopped
    the search.
    """

    outer: View
    inner: View
    boundaries: tuple[int, ...]
    rows: tuple[OverflowRow, ...]
    complete: bool
    reason: str

    def __str__(self) -> str:
        return joined(overflow_blocks(self))

    def _blocks(self) -> Iterable[Block]:
        return overflow_blocks(self)

    def step_name(self, axis: int | None) -> str:
        """The name of the merged stride: τ, or τ0, τ1, … if the inner view has several axes."""
        return "τ" if self.inner.rank == 1 or axis is None else f"τ{axis}"

    def to_dict(self) -> Json:
        """The table for JSON."""
        return {
            "outer": str(self.outer), "inner": str(self.inner), "boundaries": list(self.boundaries),
            "complete": self.complete, "reason": self.reason,
            "rows": [
                {
                    "index": list(r.index), "axis": r.axis, "digits": list(r.digits),
                    "pattern": None if r.pattern is None else list(r.pattern), "overflows": list(r.overflows),
                    "equation": r.equation(self.step_name(r.axis)),
                    "condition": None if r.required is None else equation_text(r.required, "*"),
                }
                for r in self.rows
            ],
        }  # fmt: skip


def overflow_blocks(table: OverflowTable) -> Iterator[Block]:
    """The table, the meaning of its names, and whether rows are missing.

    >>> from symview import View, overflows
    >>> print(overflows(View.parse("(10,3,3):(σ1,σ2,σ3)"), View((4,), (4,)), every=True))
    i  i1  i2  i3  Equation
    0  0   0   0
    1  0   1   1   τ = σ2 + σ3
    2  0   2   2   τ = σ2 + σ3
    3  1   1   0   σ1 + σ2 = 2σ2 + 2σ3 + τ
    """
    if any(row.axis is None for row in table.rows):
        yield _papers_table(table) if table.inner.rank == 1 else _every_index(table)
    elif table.rows:
        yield _by_pattern(table)
        axes = sorted({row.axis for row in table.rows if row.axis is not None})
        names, s = ", ".join(map(table.step_name, axes)), "s" * (len(axes) > 1)
        yield f"digits: those of the outer view's dims; {names}: the stride{s} of the merged view."
    elif table.complete:
        yield f"No step: {table.inner} has no axis with two indices."
    if not table.complete:
        yield f"Not complete: {table.reason}."


def _papers_table(table: OverflowTable) -> Grid:
    """The table of one axis; the paper names the digits i1, i2, … and the strides σ1, σ2, …."""
    header = ("i", *[f"i{n + 1}" for n in range(table.outer.rank)], "Equation")
    rows = [(str(row.index[0]), *map(str, row.digits), _equation(table, row)) for row in table.rows]
    return Grid(header, tuple(rows))


def _every_index(table: OverflowTable) -> Grid:
    rows = [
        (index_text(r.index), "" if r.axis is None else str(r.axis), index_text(r.digits), _equation(table, r))
        for r in table.rows
    ]
    return Grid(("index", "axis", "digits", "equation"), tuple(rows))


def _by_pattern(table: OverflowTable) -> Grid:
    down = [isinstance(t, int) and t < 0 for t in table.inner.strides]
    rows = [
        (
            str(row.axis), index_text(row.index), index_text(row.digits),
            carry_text(table.outer.shape, row.overflows, down[row.axis or 0]),
            _equation(table, row), "" if row.required is None else demand(row.required),
        )
        for row in table.rows
    ]  # fmt: skip
    header = ("axis", "index", "digits", "overflow", "equation", "condition")
    first = 1 if table.inner.rank == 1 else 0
    return filled(header[first:], [row[first:] for row in rows])


def _equation(table: OverflowTable, row: OverflowRow) -> str:
    return row.equation(table.step_name(row.axis))
