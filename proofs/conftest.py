"""What a run of the theorems comes to is what README.md's index says of them."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from index import END, START, entry


@cache
def listed() -> dict[str, frozenset[str]]:
    """The rows of the index, by file."""
    text = Path(__file__).with_name("README.md").read_text(encoding="utf-8")
    found, file = dict[str, set[str]](), ""
    for line in text.partition(START)[2].partition(END)[0].splitlines():
        if line.startswith("### `"):
            file = line.split("`")[1]
        found.setdefault(file, set()).add(line)
    return {file: frozenset(lines) for file, lines in found.items()}


@pytest.fixture(autouse=True)
def as_the_index_says(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test that passes has the status in the run that the index tells of it."""
    yield
    if not isinstance(request.node, pytest.Function):
        return  # a rule of a file
    row = entry(request.node.originalname, request.node.obj)
    assert str(row) in listed()[request.node.path.name], "the index is older: run python proofs/index.py"
    texts = [value["status"] for key, value in request.node.user_properties if key == "symview"]
    assert set(texts) <= {row.status}
