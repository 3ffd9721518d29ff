"""Each benchmark's body on a few inputs, so that none stops working unseen."""

from __future__ import annotations

import pytest
from benchmarks.bodies import BODIES
from benchmarks.measure import Ratio, Seconds, Table, median, p99, timed
from benchmarks.scaling import against_enumeration


@pytest.mark.sampled
@pytest.mark.parametrize("name", [*reversed(BODIES)])  # the dearest comes first there
def test_the_body_runs(name) -> None:
    table = BODIES[name].run(BODIES[name].few)
    assert isinstance(table, Table)
    assert table.rows
    assert all(len(row) == len(table.columns) for row in table.rows)
    assert str(table).startswith(table.title)


def test_enumeration_on_small_boxes() -> None:
    assert len(against_enumeration(2, points=1000).rows) == 1


def test_percentiles_and_how_they_are_shown() -> None:
    times = [float(n) for n in range(1, 101)]
    assert (median(times), p99(times), p99([3.0])) == (50, 99, 3)
    shown = str(Table("t", ("a", "b"), [(Seconds(0.0025), Ratio(2)), (Seconds(3e-6), Ratio(0.5))]))
    assert shown.splitlines()[2].split() == ["2.5", "ms", "2x"]
    assert shown.splitlines()[3].split() == ["3", "µs", "0.5x"]
    assert timed(lambda: 5)[0] == 5
