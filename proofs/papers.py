"""The papers, statement by statement: `python proofs/papers.py` writes the tables of docs/papers.md.

A row is a numbered statement: a command that shows it, the tests that settle it, and its names in Rocq by README.md.
"""

from __future__ import annotations

import re
import sys
from typing import NamedTuple

from index import HERE, Entry, entries

PAGE = HERE.parent / "docs" / "papers.md"
START, END = "<!-- what follows is written by: python proofs/papers.py -->", "<!-- end of the tables -->"
_PLACES = re.compile(r"(Definition|Notation|Proposition|Lemma|Theorem|Corollary|Remark|[Ss]ection)s? (\d+(?:\.\d+)*)")
_NEXT = re.compile(r"(?<= and )\d+(?:\.\d+)*")


class Paper(NamedTuple):
    """A document: the files with its tests, names of unnumbered statements by how their tests begin, and commands."""

    files: tuple[str, ...]
    unnumbered: dict[str, str]
    commands: dict[str, str]


PAPERS = {
    "Merging tensor views": Paper(
        ("test_merging_tensor_views", "test_lists_of_dims"),
        {},
        {
            "Definition 5": 'contiguous "(10,3,3):(9,3,1)"',
            "Definition 6": 'overflows "(10,3,3):(9,3,1)" "(6):(4)" --all',
            "Definition 9": 'merge "(10,3,3):(9,3,1)" "(4,2):(4,-1)+1"',
            "Theorem 10": 'merge "(4,6):(1,4)" "(2,6):(12,2)"',
            "Remark 11": 'conditions "(10,3,3):(σ1,σ2,σ3)" "(6):(4)" --explain',
            "Section 4": 'conditions "(10,3,3):(σ1,σ2,σ3)" "(s):(4)"',
            "Section 4.1": 'overflows "(10,3,3):(σ1,σ2,σ3)" "(6):(4)" --all',
            "Section 4.3": 'conditions "(2,2,2):(a,b,c)" "(3):(3)"',
            "Section 5": 'overflows "(10,3,3):(σ1,σ2,σ3)" "(6):(4)"',
        },
    ),
    "Criteria and proof for when a new view must be appended": Paper(
        ("test_reshape_criteria", "test_lists_of_dims"),
        {
            "definition a view": "Definition of a view, view order",
            "definition view order": "Definition of a view, view order",
            "definition mixed radix": "Definition of mixed radix conversion",
            "definition reshape order": "Definition of the reshape order",
            "definition max merge": "Definition of the max merge partition and view",
        },
        {
            "Definition of the max merge partition and view": 'reshape "(2,3,4):(12,4,1)" "(24)"',
            "Section 2.1": 'reshape "(n*m):(s)" "(n,m)"',
            "Section 2.2": 'reshape "(n,m):(s,t)" "(n*m)"',
            "Section 2.3": 'reshape "(4,6,2):(1,8,4)" "(4,3,4)"',
            "Section 3": 'reshape "(4,6):(1,4)" "(3,8)"',
        },
    ),
    "Complete, Fast and Correct View.reshapes without using Symbolic": Paper(
        ("test_complete_reshape",),
        {
            "blocks": "Blocks that a reshape crosses",
            "strides case 1": "Strides, case 1",
            "strides case 2": "Strides, case 2",
            "mask case 1": "Masks, case 1: splitting",
            "mask case 2": "Masks, case 2: combining",
        },
        {
            "Blocks that a reshape crosses": 'reshape "(2,3):(1,2)" "(3,2)"',
            "Strides, case 1": 'reshape "(2,3):(3,1)" "(6)"',
            "Strides, case 2": 'reshape "(3,4):(0,1) [0:1,0:4]" "(12)"',
            "Masks, case 1: splitting": 'reshape "(8) [2:6]" "(4,2)"',
            "Masks, case 2: combining": 'reshape "(4,2) [1:3,0:2]" "(8)"',
        },
    ),
    "CuTe Layout Algebra": Paper(
        ("test_cute_layouts", "test_cute_composition", "test_cute_factorisations", "test_lists_of_dims"),
        {
            "isomorphism": "Isomorphism",
            "coalescence": "Coalescence",
            "by mode coalescence": "By-Mode Coalescence",
        },
        {
            "Coalescence": 'coalesce "(2,(1,6)):(1,(6,2))"',
            "Definition 2.5": 'complement "(2,2):(1,3)" 12',
            "Definition 2.6": 'complement "4:2" 16 --explain',
            "Corollary 2.8": 'complement "3:2" 6',
            "Definition 2.12": 'compose "(8,6):(1,8)" "3:8" --explain',
            "Definition 2.13": 'compose "(6,2):(8,2)" "(4,3):(3,1)"',
            "Proposition 2.14": 'compose "(4,6,8):(a,b,c)" "6:3"',
            "Theorem 2.18": 'compose "(6,2):(1,1)" "(2,2,2):(1,2,3)"',
            "Definition 2.21": 'compose "(8,6,8):(1,16,108)" "8:4"',
            "Definition 2.22": 'divide "(4,6)" "<2,3>" --as zipped',
            "Lemma 2.23": 'divide "(3,2)" "2:1"',
            "Definition 4.1": 'product "(2,2):(1,3)" 3',
            "Proposition 3.15": 'inverse "(2,3):(3,1)"',
        },
    ),
}  # fmt: skip


def places(entry: Entry, paper: str) -> list[str]:
    """The statements of a paper that a test is about."""
    named = [place for start, place in PAPERS[paper].unnumbered.items() if entry.statement.startswith(start)]
    if not entry.source:
        return named[-1:]
    found = [f"{kind.capitalize()} {number}" for kind, number in _PLACES.findall(entry.source)]
    return found + [f"{found[-1].partition(' ')[0]} {number}" for number in _NEXT.findall(entry.source)]


def _short(entry: Entry, paper: str) -> str:
    """What a test says, without the name of its statement."""
    starts = [start for start in PAPERS[paper].unnumbered if entry.statement.startswith(start)]
    return entry.statement.removeprefix(starts[-1]).strip() if starts and not entry.source else entry.statement


def tests(paper: str) -> dict[str, list[str]]:
    """The tests of each statement of a paper, in words."""
    found = dict[str, list[str]]()
    for file in PAPERS[paper].files:
        for entry in entries(file):
            if file == "test_lists_of_dims" and not entry.source.startswith(paper):
                continue
            known = "proved at every rank" if file == "test_lists_of_dims" else entry.status
            for place in places(entry, paper):
                found.setdefault(place, []).append(f"{_short(entry, paper)} ({known})")
    return found


def in_rocq(paper: str) -> dict[str, str]:
    """The names in Rocq of each statement of a paper, by README.md's table."""
    text = (HERE / "README.md").read_text(encoding="utf-8").partition(f"\n### {paper}, in Coq\n")[2].partition("\n#")[0]
    rows = re.findall(r"(?m)^\| (.*?) \| (.*) \|$", text)[1:]
    return {statement: names for statement, names in rows if statement[0].isupper()}


def _order(place: str) -> tuple[object, ...]:
    """Numbered statements by their numbers, after those without."""
    number = re.search(r"(\d+(?:\.\d+)*)$", place)
    kind = place.startswith("Section")
    return (kind, *map(int, number[1].split("."))) if number else (False,)


def table(paper: str) -> str:
    """The table of a paper."""
    commands, settled, proved = PAPERS[paper].commands, tests(paper), in_rocq(paper)
    files = ", ".join(f"[`{file}.py`](../proofs/{file}.py)" for file in PAPERS[paper].files)
    lines = [
        f"## {paper}",
        "",
        f"Tests: {files}.",
        "",
        "| statement | command | tests | in Rocq |",
        "|---|---|---|---|",
    ]
    for place in sorted({**settled, **proved}, key=_order):
        command = f"`symview {commands[place]}`" if place in commands else ""
        lines.append(f"| {place} | {command} | {'; '.join(settled.get(place, []))} | {proved.get(place, '')} |")
    return "\n".join(lines)


def tables() -> str:
    """The tables of docs/papers.md."""
    return "\n\n".join(map(table, PAPERS))


def main() -> None:
    """Writes the tables into docs/papers.md."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(START)
    PAGE.write_text(f"{before}{START}\n\n{tables()}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]
    main()
