"""The results of a sweep so far, in SQLite: one process writes them, piece by piece, each piece atomically."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from symview.displayed import Json
from symview.errors import InputError

_FORM = "symview sweep 3"
_TABLES = """
CREATE TABLE IF NOT EXISTS sweep (form TEXT NOT NULL, question TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS chunks (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, counts TEXT NOT NULL,
                                   wrong TEXT NOT NULL);
"""


class Wrong(NamedTuple):
    """A wrong answer: the size of its input, the input, the error, and whether only the peer is wrong."""

    size: int
    input: str
    told: str
    peer: bool = False


class Piece(NamedTuple):
    """The results of the inputs from `first` to before `last`: how often each word occurred, and the wrong answers."""

    first: int
    last: int
    counts: dict[str, int]
    wrong: list[Wrong]


class Records:
    """The results of one question, in memory if there is no path. Raises InputError for another question's file."""

    def __init__(self, path: str | None, question: Json) -> None:
        self._path, text = path, json.dumps(question, sort_keys=True)
        with self._errors():
            self._base = sqlite3.connect(":memory:" if path is None else path, timeout=30, isolation_level=None)
        try:
            with self._errors():
                found = self._opened(text)
            if found != (_FORM, text):
                raise InputError(f"{path} has the results of another question: {_differences(found[1], text)}")
        except InputError:
            self._base.close()
            raise

    def _opened(self, text: str) -> tuple[str, str]:
        """The form and the question of the file; writes them if it is new."""
        tables = {name for (name,) in self._base.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if tables and "sweep" not in tables:
            raise InputError(f"{self._path} is a database of something else: give another name")
        self._base.executescript(_TABLES)
        self._base.execute("INSERT INTO sweep SELECT ?, ? WHERE NOT EXISTS (SELECT * FROM sweep)", (_FORM, text))
        found: tuple[str, str] = self._base.execute("SELECT form, question FROM sweep").fetchone()
        return found

    def __enter__(self) -> Records:
        return self

    def __exit__(self, *_: object) -> None:
        self._base.close()

    @contextmanager
    def _errors(self) -> Iterator[None]:
        """Turns SQLite's errors into InputError."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise InputError(f"{self._path}: {error}") from None
        except sqlite3.DatabaseError:
            raise InputError(f"{self._path} is not a file of a sweep: give another name") from None

    def done(self) -> set[int]:
        """The first inputs of the recorded pieces."""
        return {first for (first,) in self._base.execute("SELECT first FROM chunks")}

    def write(self, piece: Piece) -> None:
        """Adds a piece, unless it is there already."""
        texts = json.dumps(piece.counts, sort_keys=True), json.dumps(piece.wrong)
        with self._errors():
            self._base.execute("INSERT OR IGNORE INTO chunks VALUES (?, ?, ?, ?)", (piece.first, piece.last, *texts))

    def counts(self) -> Counter[str]:
        """How often each word occurred, over all pieces."""
        total: Counter[str] = Counter()
        for (text,) in self._base.execute("SELECT counts FROM chunks"):
            total.update(json.loads(text))
        return total

    def wrong(self, peer: bool = False) -> list[tuple[str, str]]:
        """Our wrong answers, or the peer's: the smallest first, each input once."""
        texts = self._base.execute("SELECT wrong FROM chunks WHERE wrong != '[]'")
        rows = sorted(Wrong(*row) for (text,) in texts for row in json.loads(text))
        found: dict[str, str] = {}
        for row in rows:
            if row.peer == peer:
                found.setdefault(row.input, row.told)
        return list(found.items())


def _differences(old: str, new: str) -> str:
    """Describes the keys in which two questions differ."""
    try:
        before, now = json.loads(old), json.loads(new)
        keys = [k for k in {**before, **now} if before.get(k) != now.get(k)]
    except (ValueError, AttributeError):
        return "of another form"
    return ", ".join(f"{k} is {str(before.get(k))[:40]!r} there, and {str(now.get(k))[:40]!r} here" for k in keys)
