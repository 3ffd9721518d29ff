"""The index of README.md: every statement of this folder, where it is from, and what is known of it.

`python proofs/index.py` writes it; `conftest.py` compares what each test of a run comes to with it.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from symview.rules.files import read_rules

HERE = Path(__file__).parent
DOCUMENTS = {
    "test_complete_reshape": "Complete, Fast and Correct View.reshapes without using Symbolic",
    "test_cute_composition": "CuTe Layout Algebra",
    "test_cute_factorisations": "CuTe Layout Algebra",
    "test_cute_layouts": "CuTe Layout Algebra",
    "test_density": "where elements lie",
    "test_exact_condition": "the exact condition",
    "test_layouts_from_uses": "layouts from their uses",
    "test_linear_layouts": "linear layouts",
    "test_lists_of_dims": "views and layouts of every rank",
    "test_merging_tensor_views": "Merging tensor views",
    "test_movement_rules": "rules of movement operations",
    "test_reshape_criteria": "Criteria and proof for when a new view must be appended",
    "test_swizzled_layouts": "linear layouts",
}
START, END = "<!-- what follows is written by: python proofs/index.py -->", "<!-- end of the index -->"
_PLACE = re.compile(r"(definition|notation|proposition|lemma|theorem|corollary|remark|section)_(\d+(?:_\d+)*)_")


class Entry(NamedTuple):
    """One statement: its words, its place in the document or another source, what its test comes to, and for what."""

    statement: str
    source: str
    status: str
    scope: str

    def __str__(self) -> str:
        known = f"{self.status} {self.scope}" if self.status == "proved" else f"{self.status}: {self.scope}"
        return f"| {self.statement} | {self.source} | {known.strip(': ')} |"


def entry(name: str, test: Any) -> Entry:
    """The statement that a test is about, by its name, its decorator and its docstring."""
    words, place = name.removeprefix("test_"), _PLACE.match(name.removeprefix("test_"))
    status = getattr(test, "symview_status", None)
    if status is None:
        raise ValueError(f"{name}: decorate it with @theorem, @refuted, or @checked('up to which bound')")
    scope = test.symview_bound
    if status == "proved":
        text = re.search(r"[Pp]roved (for|at)([^.;:]*)", " ".join((inspect.getdoc(test) or "").split()))
        scope = f"{text[1]}{text[2].rstrip(' ,')}" if text else "for all values"
    source = test.symview_source or (f"{place[1].capitalize()} {place[2].replace('_', '.')}" if place else "")
    return Entry(words.removeprefix(place[0] if place else "").replace("_", " "), source, status, scope)


def entries(file: str) -> list[Entry]:
    """The statements of a file, in its order."""
    module = import_module(file)
    tests = [(n, t) for n, t in vars(module).items() if n.startswith("test_")]
    return [entry(n, t) for n, t in tests if inspect.unwrap(t).__module__ == module.__name__]


def index() -> str:
    """The tables of README.md."""
    lines: list[str] = []
    counts: Counter[str] = Counter()
    for path in sorted(HERE.glob("test_*.py")):
        found = entries(path.stem)
        counts.update(e.status for e in found)
        title = f"### `{path.name}`: {DOCUMENTS[path.stem]}" if path.stem in DOCUMENTS else f"### `{path.name}`"
        lines += ["", title, "", "| statement | source | status |", "|---|---|---|", *map(str, found)]
    rules = {path.name: Counter(r.expect for r in read_rules(path)) for path in sorted(HERE.glob("rules/*.toml"))}
    lines += [
        "",
        "### `rules/`: rewrites of compilers",
        "",
        "| file | proved | refuted | unknown |",
        "|---|---|---|---|",
    ]
    lines += [f"| `{name}` | {c['proved']} | {c['refuted']} | {c['unknown']} |" for name, c in rules.items()]
    text = ", ".join(f"{n} {status}" for status, n in counts.most_common())
    counted = f"{counts.total()} statements, {text}, and {sum(c.total() for c in rules.values())} rules."
    return "\n".join([counted, *lines])


def main() -> None:
    """Writes the index into README.md."""
    readme = HERE / "README.md"
    before, _, rest = readme.read_text(encoding="utf-8").partition(START)
    readme.write_text(f"{before}{START}\n\n{index()}\n\n{END}{rest.partition(END)[2]}", encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]
    main()
