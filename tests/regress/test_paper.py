"""The worked example of "Merging tensor views" (N. uit de Bos, 2025), section 4, row for row."""

from __future__ import annotations

import pytest
import sympy

from symview import Status, View, conditions, merge, overflows, unravel

S1, S2, S3 = sympy.symbols("σ1 σ2 σ3", integer=True)
OUTER = View.parse("(10,3,3):(σ1,σ2,σ3)")

TABLE_1 = [
    (0, (0, 0, 0), ""),
    (1, (0, 1, 1), "τ = σ2 + σ3"),
    (2, (0, 2, 2), "τ = σ2 + σ3"),
    (3, (1, 1, 0), "σ1 + σ2 = 2σ2 + 2σ3 + τ"),
]
TABLE_2 = [
    *TABLE_1,
    (4, (1, 2, 1), "τ = σ2 + σ3"),
    (5, (2, 0, 2), "2σ1 + 2σ3 = σ1 + 2σ2 + σ3 + τ"),
]


@pytest.mark.parametrize("table", [TABLE_1, TABLE_2], ids=["table 1", "table 2"])
def test_the_tables(table) -> None:
    found = overflows(OUTER, View.parse(f"({len(table)}):(4)"), every=True)
    assert found.complete
    assert [(*row.index, row.digits, row.equation()) for row in found.rows] == table


def test_the_rows_that_carry() -> None:
    """The first row with each pattern; only these give equations."""
    found = overflows(OUTER, View.parse("(6):(4)"))
    assert found.boundaries == (9, 3)
    assert [(row.index, row.pattern, row.overflows) for row in found.rows] == [
        ((1,), (0, 0), ()),
        ((3,), (1, 1), (9, 3)),
        ((5,), (1, 0), (9,)),
    ]
    conditions_found = [row.condition for row in found.rows]
    assert conditions_found[0] is None
    assert conditions_found[1:] == [sympy.Eq(S1, 2 * S2 + 3 * S3), sympy.Eq(S1, 3 * S2)]


def test_unravelling_5() -> None:
    assert unravel(5, (2, 3, 4)) == (0, 1, 1)


@pytest.mark.parametrize("engine", ["auto", "enumerate", "smt"])
@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (1, "always"), (2, "always"), (3, "always"), (4, "σ1 = 2σ2 + 3σ3"), (5, "σ1 = 2σ2 + 3σ3"),
        (6, "σ1 = 3σ2 and σ2 = 3σ3"), (23, "σ1 = 3σ2 and σ2 = 3σ3"),
    ],
)  # fmt: skip
def test_the_conditions_at_each_size(size, expected, engine) -> None:
    assert str(conditions(OUTER, View((size,), (4,)), engine=engine)) == expected


def test_the_four_cases() -> None:
    """The paper says that the second equation comes for s > 4; its own second table has it at i = 5, so s = 6."""
    found = conditions(OUTER, View.parse("(s):(4)"))
    s = sympy.Symbol("s", integer=True)
    assert [str(case) for case in found.cases] == [
        "1 ≤ s ≤ 3: always",
        "4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3",
        "6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3",
        "s ≥ 24: out of bounds",
    ]
    assert [case.status for case in found.cases] == [Status.ALWAYS, Status.WHEN, Status.WHEN, Status.OUT_OF_BOUNDS]
    assert found.cases[1].equations == (sympy.Eq(S1, 2 * S2 + 3 * S3),)
    assert found.cases[2].equations == (sympy.Eq(S1, 3 * S2), sympy.Eq(S2, 3 * S3))
    assert [case.view for case in found.cases[:3]] == [View((s,), (S2 + S3,))] * 3
    assert found.cases[2].substituted() == View((s,), (4 * S3,))


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6, 23])
@pytest.mark.parametrize("strides", [(9, 3, 1), (7, 2, 1), (0, 0, 0), (1, 1, 1), (18, 6, 2), (12, 3, 2)])
def test_numbers_at_each_size(size, strides) -> None:
    s1, s2, s3 = strides
    expected = size <= 3 or (s1 == 2 * s2 + 3 * s3 and (size <= 5 or s1 == 3 * s2))
    found = merge(View((10, 3, 3), strides), View((size,), (4,)))
    assert bool(found) == expected
    if found:
        assert found == View((size,), (s2 + s3,))
    else:
        assert found.index == ((3,) if s1 != 2 * s2 + 3 * s3 else (5,))


def test_the_smallest_break() -> None:
    least = conditions(OUTER, View.parse("(s):(4)")).counterexample()
    assert least.values["s"] == 4
    assert least.index == (3,)
    assert sum(abs(least.values[name]) for name in ("σ1", "σ2", "σ3")) == 1
