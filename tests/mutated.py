"""Certificates with one place changed, and what the checker says of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from symview.trusted.document import formula
from symview.trusted.formulas import compiled
from symview.verify import BadCertificate, Report, Solver, verify


def found_in(document: Any, solver: Solver) -> Report | None:
    """What is found; None where it is not a certificate."""
    try:
        return verify(json.dumps(document), solver)
    except BadCertificate:
        return None


WORDS = {
    "==": ("!=", "<="), "!=": ("==",), "<=": ("<",), ">=": (">",), "*": ("+",), "+": ("-",), "and": ("or",),
    "a": ("b",), "b": ("a", "c"), "c": ("a",), "n": ("a",), "p": ("q",), "q": ("p",),
    "always": ("never", "when", "undecided"), "when": ("always", "never"), "never": ("always", "undecided"),
}  # fmt: skip


def mutations(at: Any, nested: bool = False) -> Iterator[Any]:
    """The document with one place changed: numbers, words, entries dropped, doubled, exchanged, perhaps nested."""
    if isinstance(at, bool):
        yield not at
    elif isinstance(at, int):
        yield from (at + 1, at - 1, -at)
    elif isinstance(at, str):
        yield from WORDS.get(at, ())
    elif isinstance(at, list):
        if nested:
            yield [at]
        for n, part in enumerate(at):
            yield at[:n] + at[n + 1 :]
            yield [*at[:n], part, *at[n:]]
            yield from ([*at[:n], to, *at[n + 1 :]] for to in mutations(part, nested))
            yield from ([at[n] if k == m else at[m] if k == n else x for k, x in enumerate(at)] for m in range(n))
    elif isinstance(at, dict):
        for key in at:
            yield {**at, key: None}
            yield from ({**at, key: to} for to in mutations(at[key], nested))


def found_of_changes(
    before: Any, part: str, solver: Solver, is_right: Callable[[Any], bool], every: int = 1
) -> Counter[str]:
    """How often each verdict is found of a right certificate with its claim or its evidence changed.

    What is confirmed all the same has to be right; `every` N-th change is tried.
    """
    report = found_in(before, solver)
    assert report is not None and report.verdict == "confirmed"
    assert is_right(before)
    seen: Counter[str] = Counter()
    for changed in islice(mutations(before[part]), None, None, every):
        after = {**before, part: changed}
        found = found_in(after, solver)
        said = "bad" if found is None else found.verdict
        assert said != "confirmed" or is_right(after), changed
        seen[said] += 1
    return seen


def true_at(f: Any, at: dict[str, int]) -> bool:
    """Whether a formula holds at these values; a part that divides by 0 does not."""
    if isinstance(f, list) and f[0] == "and":
        return all(true_at(part, at) for part in f[1:])
    try:
        return bool(compiled(formula(f))(at))
    except ZeroDivisionError:
        return False
