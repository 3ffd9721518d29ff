"""How much the tests do: `--effort N` multiplies the number of random cases; `--benchmarks` collects these too."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

EXAMPLES = 40
BENCHMARKS = Path(__file__).parent / "benchmarks"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--effort", type=int, default=1, help="how many times the usual number of random cases")
    parser.addoption("--benchmarks", action="store_true", help="collect tests/benchmarks as well")


def pytest_configure(config: pytest.Config) -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every process that a test starts compiles all of it again
    examples = EXAMPLES * config.getoption("--effort")
    settings.register_profile("symview", max_examples=examples, deadline=None, derandomize=True, database=None)
    settings.load_profile("symview")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """The benchmarks are left out unless asked for by name or by flag."""
    named = any("benchmarks" in argument for argument in config.invocation_params.args)
    if collection_path.is_relative_to(BENCHMARKS) and not named:
        return True
    return None


@pytest.fixture(scope="session")
def effort(request: pytest.FixtureRequest) -> int:
    return request.config.getoption("--effort")


@pytest.fixture(scope="session")
def turns(effort: int) -> Callable[[int], range]:
    """`turns(200)`: the numbers of that many random cases, more with more effort."""
    return lambda usual: range(usual * effort)
