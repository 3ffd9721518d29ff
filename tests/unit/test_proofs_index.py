"""The index of proofs/README.md is that of the statements there; `proofs/conftest.py` compares each with its run."""

from __future__ import annotations

from pathlib import Path

import pytest
from index import END, START, entry, index

README = Path(__file__).parents[2] / "proofs" / "README.md"


def test_the_index_lists_every_statement_as_it_is_settled():
    text = README.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    assert text.strip() == index(), "run python proofs/index.py"


def test_a_test_that_does_not_say_how_it_is_settled_is_refused():
    with pytest.raises(ValueError, match="decorate it"):
        entry("test_something", lambda: None)
