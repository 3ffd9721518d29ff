"""Certificates with places changed, of every kind: each that is confirmed is decided by brute force over small values.

    PYTHONPATH=tests python -m oracle.forged [KIND …] --count 10000 --seed 1

prints for each kind how many were changed, all of them different, what was said of them, and how many that are false
were confirmed, or raised; then what was changed in them, and how many of each were confirmed. 1 is returned where one
was false.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from symview.verify import BadCertificate, Limits, Solver, verify

from . import answers
from .decided import FALSE

ORIGINALS, LONGEST = 40, 2500  # certificates of a kind that are changed, and their characters
WORK = Limits(steps=4_000_000)  # for one, an eighth of the usual: what takes longer is not confirmed
STATUS = (
    ("always", "when", "never", "out_of_bounds", "undecided"), ("proved", "refuted", "unknown"),
    ("exact", "too weak", "too strong"), ("dense", "injective", "contiguous"),
    ("coalesce", "complement", "right_inverse", "left_inverse", "strict_left_inverse"),
    ("composition", "logical_divide", "logical_product", "zipped_divide", "blocked_product"),
    ("both", "enough", "needed"),
)  # fmt: skip
OPERATORS = (
    ("==", "!=", "<", "<=", ">", ">="), ("and", "or", "->", "<->"), ("+", "-", "*", "//", "%", "//trunc", "%euclid"),
    ("min", "max", "gcd"), ("flip", "permute"), ("slice", "pad", "expand", "reshape"), ("join", "far", "each"),
)  # fmt: skip
WORDS = {word: words for words in (*STATUS, *OPERATORS) for word in words}
SAID = {word for words in STATUS for word in words}
Keys = tuple[Any, ...]


class Recalled(Solver):
    """cvc5, which is not asked the same thing again: most of a changed certificate is as it was."""

    def __init__(self) -> None:
        super().__init__("cvc5", 10.0, work=10_000)
        self.known = dict[tuple[str, float], str]()

    def told(self, text: str, share: float = 1.0) -> str:
        if (text, share) not in self.known:
            self.known[text, share] = super().told(text, share)
        return self.known[text, share]


# Changing


def places(at: Any, path: Keys = ()) -> Iterator[tuple[Keys, Any]]:
    """The parts of a certificate, each with the keys that lead to it."""
    if path:
        yield path, at
    for key, part in at.items() if isinstance(at, dict) else enumerate(at) if isinstance(at, list) else ():
        yield from places(part, (*path, key))


def changes(old: Any) -> list[str]:
    """What can be changed in a part."""
    if isinstance(old, list):
        return ["parts", *["sides"] * (len(old) > 1)]
    if isinstance(old, str):
        return ["status" if old in SAID else "operator" if old in WORDS else "name"]
    return ["status" if isinstance(old, bool) else "number" if isinstance(old, int) else "parts"]


def changed(document: Any, rng: Random) -> tuple[Any, str]:
    """The certificate with one place changed, or two or three; and what was changed."""
    copy, done = json.loads(json.dumps(document)), []
    copy["evidence"].pop("refutations", None)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        parts = [p for part in ("claim", "evidence") for p in places(copy[part], (part,)) if len(p[0]) > 1]
        parts.remove((("claim", "kind"), copy["claim"]["kind"]))
        by_change: dict[str, list[tuple[Keys, Any]]] = {}
        for path, old in parts:
            for change in changes(old):
                by_change.setdefault(change, []).append((path, old))
        change = rng.choice(sorted(by_change))
        path, old = rng.choice(by_change[change])
        at = copy
        for key in path[:-1]:
            at = at[key]
        at[path[-1]] = _other(change, old, [x for _, x in parts], rng)
        done.append(change)
    return copy, done[0] if len(done) == 1 else "several"


def _other(change: str, old: Any, parts: Sequence[Any], rng: Random) -> Any:
    if type(old) is bool:
        return not old
    if change == "number":
        return rng.choice((old + 1, old - 1, -old, 0, 1, 2 * old))
    if change == "name":
        return rng.choice([x for x in parts if type(x) is str and x not in WORDS])
    if isinstance(old, str):
        return rng.choice([word for word in WORDS[old] if word != old])
    if change == "sides":
        n, m = rng.sample(range(len(old)), 2)
        return [old[n] if k == m else old[m] if k == n else x for k, x in enumerate(old)]
    if isinstance(old, list) and old and rng.random() < 0.7:
        n = rng.randrange(len(old))
        return rng.choice((old[:n] + old[n + 1 :], [*old[:n], old[n], *old[n:]]))
    return json.loads(json.dumps(rng.choice([x for x in parts if type(x) is type(old)] or [None])))


# Trying


class Tried:
    """What comes of changed certificates of a kind: by verdict, by change, and the false ones that are confirmed."""

    def __init__(self) -> None:
        self.verdicts, self.changes, self.confirmed = Counter[str](), Counter[str](), Counter[str]()
        self.decided, self.seen = dict[str, str | None](), set[int]()
        self.wrong: list[tuple[str, Any]] = []

    def add(self, document: Any, change: str, solver: Solver) -> None:
        """One more, decided by brute force where it is confirmed."""
        try:
            verdict = verify(json.dumps(document), solver, WORK).verdict
        except BadCertificate:
            verdict = "bad"
        except Exception as error:  # whatever a file says, the checker has an answer
            verdict = "raised"
            self.wrong.append((repr(error), document))
        self.verdicts[verdict] += 1
        self.changes[change] += 1
        if verdict == "confirmed":
            self.confirmed[change] += 1
            key = json.dumps(claim := document["claim"])
            if key not in self.decided:
                self.decided[key] = FALSE[claim["kind"]](claim, Random(0))
            why = self.decided[key]
            self.wrong += [] if why is None else [(why, document)]

    def __str__(self) -> str:
        said = ", ".join(f"{n} {verdict}" for verdict, n in self.verdicts.most_common())
        by = ", ".join(f"{change} {n}/{self.confirmed[change]}" for change, n in self.changes.most_common())
        return f"{self.verdicts.total()} changed: {said}; {len(self.wrong)} false\n    changed/confirmed: {by}"


def tried(
    kind: str, count: int, seed: int, solver: Solver, originals: Sequence[Any], into: Tried | None = None
) -> Tried:
    """So many changed certificates of a kind, no two the same; fewer where no more are found."""
    rng, found = Random(f"{kind} {seed}"), into or Tried()
    found.seen |= {_key(c) for c in originals}
    end = found.verdicts.total() + count
    for _ in range(20 * count):
        document, change = changed(rng.choice(originals), rng)
        if (key := _key(document)) not in found.seen:
            found.seen.add(key)
            found.add(document, change, solver)
            if found.verdicts.total() == end:
                break
    return found


def originals(kind: str, count: int = ORIGINALS, kept: Path | None = None) -> list[Any]:
    """Right certificates of a kind; those that are kept in a folder, or are from now on."""
    file = kept and kept / f"{kind}.json"
    if file and file.exists():
        return [*json.loads(file.read_text(encoding="utf-8"))]
    found = [c for c in answers.certificates(kind, count) if len(json.dumps(c)) < LONGEST]
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(found), encoding="utf-8")
    return found


def _key(document: Any) -> int:
    return hash(json.dumps([document["claim"], document["evidence"]]))


def main() -> int:
    """Prints what comes of each kind."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("kinds", nargs="*", metavar="KIND", help=f"of {', '.join(answers.KINDS)}; without any, all")
    options.add_argument("--count", type=int, default=1000, help="changed certificates of each kind")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--kept", type=Path, help="a folder of right certificates, which are made where they lack")
    asked, bad = options.parse_args(), 0
    for kind in asked.kinds or answers.KINDS:
        with Recalled() as solver:
            found = tried(kind, asked.count, asked.seed, solver, originals(kind, kept=asked.kept))
        print(f"{kind}: {found}", flush=True)
        for why, document in found.wrong[:5]:
            print("   ", why, json.dumps(document), flush=True)
        bad += len(found.wrong)
    return bool(bad)


if __name__ == "__main__":
    sys.exit(main())
