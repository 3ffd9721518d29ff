"""Runs every benchmark once and prints its table: `pytest tests/benchmarks`. Nothing here asserts a time."""

from __future__ import annotations

import pytest

from .bodies import BODIES


@pytest.mark.parametrize("name", BODIES)
def test_benchmark(name, benchmark, capsys) -> None:
    body = BODIES[name]
    table = benchmark.pedantic(body.run, args=(body.usual,), rounds=1, iterations=1)
    benchmark.extra_info["table"] = str(table)
    with capsys.disabled():
        print(f"\n\n{table}\n")
