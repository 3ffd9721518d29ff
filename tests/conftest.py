"""How much the tests do.

`--effort N` is how many times all random cases are tried, a quarter unless another is asked for: `.ci/oracles` asks for
1. `--benchmarks` collects these too; tests that need Rocq are collected where their folder is named.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import is_hypothesis_test, settings

HERE = Path(__file__).parent
EXAMPLES, USUAL = 40, 0.25
EFFORT = {"turns", "step", "effort", "full", "least"}
ASKED_FOR = "benchmarks", "rocq"
"""The folders that are left out unless they are named: times are no tests, and Rocq is a job of its own."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--effort", type=float, default=USUAL, help="how many times all random cases are tried")
    parser.addoption("--benchmarks", action="store_true", help="collect tests/benchmarks as well")


def pytest_configure(config: pytest.Config) -> None:
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # or every process that a test starts compiles all of it again
    examples = max(1, round(EXAMPLES * config.getoption("--effort")))
    settings.register_profile("symview", max_examples=examples, deadline=None, derandomize=True, database=None)
    settings.load_profile("symview")
    config.addinivalue_line("markers", "random: does more with more effort; set by itself")
    config.addinivalue_line("markers", "sampled: with less effort, so much less of its parameters are tried")
    config.addinivalue_line("markers", "dear: left out with less effort")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Some folders are left out unless asked for by name."""
    for folder in ASKED_FOR:
        named = any(folder in argument for argument in config.invocation_params.args)
        if collection_path.is_relative_to(HERE / folder) and not named:
            return True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> Generator[None, object, object]:
    """Marks what the effort changes; of what is asked for by names and marks, leaves out what the effort leaves out."""
    for item in items:
        if item.path.suffix == ".toml":  # a rule of proofs/rules
            item.add_marker("sampled")
        grows = EFFORT & {*getattr(item, "fixturenames", ())} or is_hypothesis_test(getattr(item, "function", None))
        if grows or item.get_closest_marker("sampled") or item.get_closest_marker("dear"):
            item.add_marker("random")
    done = yield
    effort = 1 if config.getoption("keyword") else config.getoption("--effort")
    every, seen, kept, left = max(1, round(1 / effort)), Counter[object](), list[pytest.Item](), list[pytest.Item]()
    for item in items:
        test = item.path if item.path.suffix == ".toml" else item.nodeid.partition("[")[0]
        dear, sampled = item.get_closest_marker("dear"), item.get_closest_marker("sampled")
        (left if (dear and effort < 1) or (sampled and seen[test] % every) else kept).append(item)
        seen[test] += 1
    items[:] = kept
    config.hook.pytest_deselected(items=left)
    return done


@pytest.fixture(scope="session")
def effort(request: pytest.FixtureRequest) -> int:
    """How many times all cases are tried, at least once: for what is done entirely or not at all."""
    return max(1, round(request.config.getoption("--effort")))


@pytest.fixture(scope="session")
def full(request: pytest.FixtureRequest) -> bool:
    """Whether all cases are tried, so that rare situations have to be among them."""
    return request.config.getoption("--effort") >= 1


@pytest.fixture(scope="session")
def turns(request: pytest.FixtureRequest) -> Callable[[int], range]:
    """`turns(200)`: the numbers of that many random cases, times the effort."""
    return lambda usual: range(max(1, round(usual * request.config.getoption("--effort"))))


@pytest.fixture(scope="session")
def step(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """`step(20)`: every twentieth of many cases is tried, or fewer with less effort."""
    return lambda usual: max(1, round(usual / request.config.getoption("--effort")))


@pytest.fixture(scope="session")
def least(request: pytest.FixtureRequest) -> Callable[[int], int]:
    """`least(50)`: how often a situation has to be reached, 50 times at full effort; with less, half of its share."""
    effort = request.config.getoption("--effort")
    return lambda usual: usual if effort >= 1 else int(usual * effort / 2)
