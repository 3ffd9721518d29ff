"""The index of proofs/README.md is that of the statements there; `proofs/conftest.py` compares each with its run.

So are the tables of docs/papers.md, whose commands are answered.
"""

from __future__ import annotations

import shlex
from pathlib import Path

import papers
import pytest
from command import typed
from index import END, START, entry, index

README = Path(__file__).parents[2] / "proofs" / "README.md"


def test_the_index_lists_every_statement_as_it_is_settled():
    text = README.read_text(encoding="utf-8").partition(START)[2].partition(END)[0]
    assert text.strip() == index(), "run python proofs/index.py"


def test_the_papers_are_listed_statement_by_statement():
    text = papers.PAGE.read_text(encoding="utf-8").partition(papers.START)[2].partition(papers.END)[0]
    assert text.strip() == papers.tables(), "run python proofs/papers.py"


COMMANDS = [(name, place) for name, paper in papers.PAPERS.items() for place in paper.commands]


@pytest.mark.parametrize(("name", "place"), COMMANDS)
def test_a_statement_of_a_paper_is_shown_by_a_command(name: str, place: str):
    assert place in {**papers.tests(name), **papers.in_rocq(name)}
    run = typed(shlex.split(papers.PAPERS[name].commands[place]))
    assert run.exit_code in (0, 1), run.stderr
    assert run.stdout


def test_a_test_that_does_not_say_how_it_is_settled_is_refused():
    with pytest.raises(ValueError, match="decorate it"):
        entry("test_something", lambda: None)
