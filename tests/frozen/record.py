"""Writes the answers of today: `python -m frozen.record frozen/answers.json.gz`, in the folder tests."""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from multiprocessing import Pool

from .answers import Record, ask
from .questions import KINDS, questions


def recorded(kind: str, step: int = 1) -> Iterator[Record]:
    """The questions of a kind with their answers and milliseconds."""
    for call in questions(kind, step):
        answer, seconds = ask(call)
        yield {"call": call, "ms": round(1000 * seconds, 2), **answer}


def of_kind(query: tuple[str, int]) -> tuple[str, list[Record]]:
    """A kind and its records."""
    return query[0], list(recorded(*query))


def write(path: str, records: dict[str, list[Record]]) -> None:
    """A line for each record, compressed, the same bytes for the same records."""
    with open(path, "wb") as file, gzip.GzipFile("", "wb", mtime=0, fileobj=file) as out:
        for kind in sorted(records):
            out.write("".join(f"{json.dumps({'kind': kind, **r})}\n" for r in records[kind]).encode())


def read(path: str) -> dict[str, list[Record]]:
    """The records of a file by kind."""
    found: dict[str, list[Record]] = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            record = json.loads(line)
            found.setdefault(record.pop("kind"), []).append(record)
    return found


def main() -> None:
    """Asks all questions, on two cores."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("path")
    options.add_argument("--step", type=int, default=1, help="every so manieth question")
    options.add_argument("--kind", action="append", help=f"of {', '.join(KINDS)}")
    args = options.parse_args()
    with Pool(2) as pool:
        tasks = [(kind, args.step) for kind in args.kind or (*KINDS, "documented")]
        write(args.path, dict(pool.imap_unordered(of_kind, tasks)))


if __name__ == "__main__":
    main()
