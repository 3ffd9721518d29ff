"""What a sweep has found so far, in SQLite: written by one process, a piece of work at a time, all of it or nothing."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from symview.errors import InputError

_FORM = "symview sweep 2"
_TABLES = """
CREATE TABLE IF NOT EXISTS sweep (form TEXT NOT NULL, question TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (key TEXT PRIMARY KEY, first INTEGER NOT NULL, last INTEGER NOT NULL,
                                   counts TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS wrong (key TEXT NOT NULL REFERENCES chunks, size INTEGER NOT NULL, input TEXT NOT NULL,
                                  told TEXT NOT NULL, peer INTEGER NOT NULL);
"""


class Wrong(NamedTuple):
    """A wrong answer: how large its input is, the input, what is wrong, and whether it is only the peer's."""

    size: int
    input: str
    told: str
    peer: bool = False


class Piece(NamedTuple):
    """What a piece of work came to: its key, its inputs, the words with how often each came, and what was wrong."""

    key: str
    first: int
    last: int
    counts: dict[str, int]
    wrong: list[Wrong]


class Records:
    """The results of one question; with no path they are kept in memory. Raises InputError for a file of another."""

    def __init__(self, path: str | None, question: dict[str, Any]) -> None:
        self._path, asked = path, json.dumps(question, sort_keys=True)
        try:
            if path is not None and Path(path).exists() and Path(path).stat().st_size and not _is_database(path):
                raise InputError(f"{path} is no file of a sweep: give another name")
            self._base = sqlite3.connect(":memory:" if path is None else path, timeout=30, isolation_level=None)
            tables = {name for (name,) in self._base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if tables and "sweep" not in tables:
                raise InputError(f"{path} is a database of something else: give another name")
            self._base.executescript(_TABLES)
            self._base.execute("BEGIN IMMEDIATE")
            found = self._base.execute("SELECT form, question FROM sweep").fetchone()
            if found is None:
                self._base.execute("INSERT INTO sweep VALUES (?, ?)", (_FORM, asked))
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise InputError(f"{path}: {error}") from None
        if found is not None and found != (_FORM, asked):
            self.close()
            raise InputError(f"{path} has the results of another question: {_differences(found[1], asked)}")

    def __enter__(self) -> Records:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Closes the file."""
        self._base.close()

    def done(self) -> set[str]:
        """The keys of the pieces that are there."""
        return {key for (key,) in self._base.execute("SELECT key FROM chunks")}

    def write(self, piece: Piece) -> None:
        """Adds a piece, or nothing where it is there already."""
        try:
            self._base.execute("BEGIN IMMEDIATE")
            new = self._base.execute("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?)",
                                     (*piece[:3], json.dumps(piece.counts, sort_keys=True))).rowcount  # fmt: skip
            if new:
                rows = [(piece.key, *w) for w in piece.wrong]
                self._base.executemany("INSERT INTO wrong VALUES (?, ?, ?, ?, ?)", rows)
            self._base.execute("COMMIT")
        except sqlite3.Error as error:
            raise InputError(f"{self._path}: {error}") from None

    def counts(self) -> Counter[str]:
        """How often each word came, over all pieces."""
        total: Counter[str] = Counter()
        for (text,) in self._base.execute("SELECT counts FROM chunks"):
            total.update(json.loads(text))
        return total

    def wrong(self, peer: bool = False) -> list[tuple[str, str]]:
        """What we answered wrongly, or the peer: the smallest first, each input once."""
        rows = self._base.execute("SELECT input, told FROM wrong WHERE peer = ? ORDER BY size, input, told", (peer,))
        found: dict[str, str] = {}
        for given, told in rows:
            found.setdefault(given, told)
        return list(found.items())


def _is_database(path: str) -> bool:
    with open(path, "rb") as file:
        return file.read(16) == b"SQLite format 3\0"


def _differences(old: str, new: str) -> str:
    """Which keys of the question differ."""
    try:
        before, now = json.loads(old), json.loads(new)
        keys = [k for k in {**before, **now} if before.get(k) != now.get(k)]
    except (ValueError, AttributeError):
        return "of another form"
    return ", ".join(f"{k} is {str(before.get(k))[:40]!r} there, and {str(now.get(k))[:40]!r} here" for k in keys)
