"""Many random queries of masks and symbols against brute force: one JSON line each, in a file that a next run goes on.

    PYTHONPATH=.:tests python -m oracle.masked_sweep answers.jsonl --count 20000

Every number is a query of its own, whatever else is asked, so that what a line tells can be asked again. The shares at
the end are those of the whole file.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from oracle import masked_queries, odd_queries
from oracle.masked_queries import Query
from oracle.test_masked_symbols import ask, check
from symview import InputError, OutOfBounds

KINDS = {"query": masked_queries.query, "chain": masked_queries.chain, "odd": odd_queries.odd}
Line = dict[str, Any]


def query_at(kind: str, number: int) -> Query:
    """The query of that number."""
    return KINDS[kind](Random(f"masked {number}"))


def told(kind: str, number: int, points: int) -> Line:
    """What is answered, beside brute force at that many points: the outcome, the open cases, the seconds of work."""
    query, began = query_at(kind, number), process_time()
    line: Line = {"kind": kind, "number": number}
    try:
        answer = ask(query)
        line["seconds"] = round(process_time() - began, 3)
        open_ = [c.reason for c in answer.cases if c.status == "undecided"]
        seen = check(Random(f"{kind} {number}"), query, answer, points)
    except Exception as error:  # a crash is one more line
        refused = isinstance(error, OutOfBounds) or type(error) is InputError  # addresses of numbers; no sizes are left
        why = f"{type(error).__name__}: {error}"[:500]
        return line | {"outcome": "refused" if refused else "wrong", "query": str(query), "why": why}
    line |= {"outcome": "undecided" if open_ else "decided", "seen": dict(seen)}
    return line | ({"query": str(query), "why": open_} if open_ else {})


def lines_of(path: Path) -> Iterator[Line]:
    """The lines of a file; what was cut off is left out."""
    for text in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            yield json.loads(text)
        except ValueError:
            continue


def summary(lines: list[Line]) -> str:
    """How many of each kind, the share of the undecided, what is wrong, and the times."""
    found = []
    for kind in KINDS:
        of = [one for one in lines if one["kind"] == kind]
        counts = Counter(one["outcome"] for one in of)
        asked_ = len(of) - counts["refused"]
        if asked_:
            times = sorted(one["seconds"] for one in of if "seconds" in one)
            compared = sum(sum(one.get("seen", {}).values()) for one in of)
            found.append(
                f"{kind}: {asked_} answered, {counts['wrong']} wrong at {compared} values, {counts['undecided']} "
                f"undecided ({counts['undecided'] / asked_:.2%}); median {times[len(times) // 2]} s, "
                f"99th percentile {times[len(times) * 99 // 100]} s, worst {times[-1]} s, all {sum(times):.0f} s"
            )
    return "\n".join(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", type=Path, help="the file of lines, which may be there")
    parser.add_argument("--count", type=int, default=100, help="how many numbers")
    parser.add_argument("--first", type=int, default=1_000_000, help="the first number")
    parser.add_argument("--kind", choices=KINDS, default="query")
    parser.add_argument("--points", type=int, default=40, help="of values for each query")
    given = parser.parse_args()
    lines = list(lines_of(given.path))
    done = {one["number"] for one in lines if one["kind"] == given.kind}
    with given.path.open("a", encoding="utf-8") as file:
        print(file=file)  # what was cut off ends here
        for number in range(given.first, given.first + given.count):
            if number not in done:
                lines.append(told(given.kind, number, given.points))
                print(json.dumps(lines[-1]), file=file, flush=True)
    print(summary(lines))


if __name__ == "__main__":
    main()
