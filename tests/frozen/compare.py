"""Asks the frozen questions again: `python -m frozen.compare [--step 10] [--kind masks]`, in the folder tests.

Yes and no have to be what they were, and what was decided has to stay decided, but for what `differs.json` names: some
questions, each with why the old answer is another one, reasons for which more may be undecided, and calls of names
that are gone. Headlines, cases and times are compared as sums; times mean something against a file recorded on the
same machine (`--old`).
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from multiprocessing import Pool
from pathlib import Path
from statistics import median
from typing import NamedTuple

from symview import View
from symview.cute import Layout

from .answers import Record, ask
from .record import read

FOLDER = Path(__file__).parent
OPEN = ("open", "undecided", "refused Undecided")
MAX_WALKED = 100_000  # indices of a layout whose left inverse is another one than before


class Change(NamedTuple):
    """One question that is answered in another way."""

    call: str
    kind: str
    was: str
    now: str


def changes(old: Record, new: Record) -> Iterator[tuple[str, str, str]]:
    """What differs: `wrong` (yes for no, another view), `lost` (undecided now), `gained`, `index` (another witness)."""
    if old["is"] == new["is"] == "conditions":
        for (values, was), (_, now) in zip(old["points"], new["points"], strict=True):
            if not _same(was, now):
                yield _sort(was, now), f"{was} at {values}", now
        return
    was, now = (f"{r['is']} {r.get('text', r.get('as', ''))}".strip() for r in (old, new))
    if was != now:
        yield _sort(was, now), was, now
    elif "index" in old and _index(old) != _index(new):
        yield "index", _index(old), _index(new)


def _index(record: Record) -> str:
    """The index of a no as text; of one number, whether a layout's, which was recorded without parentheses, or not."""
    return str(record.get("index")).strip("(),")


def _same(was: str, now: str) -> bool:
    """Whether both say the same; the strides of axes with one valid index say nothing."""
    if was == now or (was == "open" and now.startswith("open")):
        return True
    sides = [text.removeprefix("yes:") for text in (was, now)]
    return all(s.startswith("(") for s in sides) and "[" in was and len({View.parse(s) for s in sides}) == 1


def _sort(was: str, now: str) -> str:
    if now.startswith(OPEN):
        return "lost"
    return "gained" if was.startswith(OPEN) else "wrong"


def again(old: Record) -> tuple[Record, Record]:
    """The record, and one of today."""
    answer, seconds = ask(old["call"], [p for p, _ in old["points"]] if "points" in old else None)
    return old, {"call": old["call"], "ms": round(1000 * seconds, 2), **answer}


def differing() -> tuple[dict[str, str], list[str]]:
    """The questions whose answers may differ, with why; and the reasons for which more may be undecided."""
    answer = json.loads((FOLDER / "differs.json").read_text())
    return answer["questions"], answer["undecided"]


def found(kind: str, pairs: list[tuple[Record, Record]]) -> list[Change]:
    """The changes of a kind, without those that differs.json allows; any left inverse that takes back will do."""
    questions, reasons = differing()
    return [
        Change(old["call"], f"{kind}, {sort}", was, now)
        for old, new in pairs
        if old["call"] not in questions
        for sort, was, now in changes(old, new)
        if not (sort == "lost" and any(reason in now for reason in reasons)) and not _takes_back(old["call"], was, now)
    ]


def _takes_back(call: str, was: str, now: str) -> bool:
    """Whether the layout of now is a left inverse as well: A(K(A(i))) = A(i) for all i, by walking them."""
    query = re.match(r"cute\.left_inverse(?:_conditions)?\(Layout\.parse\('([^']*)'\)", call)
    if query is None or not was.startswith("yes") or not now.startswith("yes"):
        return False
    at = re.search(r" at (\{.*\})$", was)
    layout = Layout.parse(query[1]).with_values(ast.literal_eval(at[1]) if at else {})
    inverse = Layout.parse(now.removeprefix("yes").lstrip(": "))
    return layout.size() <= MAX_WALKED and all(layout(inverse(v)) == v for v in map(layout, range(layout.size())))


def summary(kind: str, pairs: list[tuple[Record, Record]]) -> str:
    """Medians of milliseconds, most of them, and sums of lengths and cases: before and now."""

    def both(key: str, of: type[sum] | object = sum) -> str:
        sides = [[r[key] for r in side if key in r] for side in zip(*pairs, strict=True)]
        return " → ".join(f"{of(s):g}" for s in sides if s)  # type: ignore[operator]

    parts = [f"median {both('ms', median)} ms, most {both('ms', max)}"]
    if any("length" in old for old, _ in pairs):
        parts.append(f"characters {both('length')}, cases {both('cases')}")
    return f"{kind}: {len(pairs)} questions; {'; '.join(parts)}"


def main() -> int:
    """Prints what differs; 1 is returned where an answer is wrong or lost."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--old", default=str(FOLDER / "answers.json.gz"))
    options.add_argument("--step", type=int, default=1, help="every so manieth question")
    options.add_argument("--kind", action="append")
    options.add_argument("--show", type=int, default=5, help="changes of each sort that are printed")
    args = options.parse_args()
    records, counts = read(args.old), Counter[str]()
    gone = json.loads((FOLDER / "differs.json").read_text())["gone"]
    with Pool(2) as pool:
        for kind in args.kind or sorted(records):
            given = [record for record in records[kind][:: args.step] if record["call"] not in gone]
            pairs = pool.map(again, given, chunksize=4)
            print(summary(kind, pairs), flush=True)
            for change in found(kind, pairs):
                counts[change.kind] += 1
                if counts[change.kind] <= args.show:
                    print(f"  {change.kind}: {change.call}\n    was {change.was}\n    now {change.now}")
    print(*(f"{n} × {sort}" for sort, n in sorted(counts.items())), sep="\n")
    return int(any(sort.endswith(("wrong", "lost")) for sort in counts))


if __name__ == "__main__":
    sys.exit(main())
