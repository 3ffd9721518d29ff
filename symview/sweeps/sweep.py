"""A sweep: what is asked, of which inputs, and what one input comes to."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

import symview
from symview.errors import InputError
from symview.logic.notation import parse_assumption, parse_statement
from symview.logic.terms import Term, names, value_of
from symview.rules.files import FileRule, parse_rules
from symview.sweeps.checks import Finding, check_of
from symview.sweeps.shrinking import smaller
from symview.sweeps.spaces import Drawn, Points, Space, Strided, layout_pairs, view_pairs

_CHUNK = 2000  # inputs that a worker takes at once
_SLOW = 40  # of those that ask a solver


@dataclass(frozen=True)
class Sweep:
    """A law, or the rules of a file, over all inputs up to a bound, or over `count` random ones from a seed.

    `peer`: with which other library answers are compared. `rules` is the text of a file of rules. `seconds`: after
    which an input that asks a solver is given up, and its process killed.
    """

    law: str
    bound: int
    peer: str = ""
    count: int | None = None
    seed: int = 0
    rules: str = ""
    seconds: float = 20.0

    def __post_init__(self) -> None:
        if self.bound < 1 or (self.count is not None and self.count < 1):
            raise InputError("the bound, and the number of random inputs, are 1 or more")
        if not self.rules:
            check_of(self.law, self.peer)
        elif self.peer or self.count is not None:
            raise InputError("rules are tried at all values up to the bound: no peer and no random inputs go with them")

    @staticmethod
    def of_rules(path: str, bound: int) -> Sweep:
        """The rules of a file at all small values; InputError where it cannot be read."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{path}: {error}") from None
        return Sweep("rules", bound, rules=text)

    @property
    def asks_solvers(self) -> bool:
        """Whether inputs may take long, so that each is guarded."""
        return self.law == "conditions"

    @property
    def chunk(self) -> int:
        """How many inputs are one piece of work."""
        return _SLOW if self.asks_solvers else _CHUNK

    def question(self) -> dict[str, Any]:
        """What is asked, as JSON: results of one question never mix with those of another."""
        asked = {k: v for k, v in asdict(self).items() if k != "seconds"}
        rules = sha256(self.rules.encode()).hexdigest() if self.rules else ""
        return {**asked, "rules": rules, "chunk": self.chunk, "version": symview.__version__}

    def chunks(self) -> Iterator[tuple[str, int, int]]:
        """The pieces of work: a key made of what is asked, the first input, and the one beyond the last."""
        text = json.dumps(self.question(), sort_keys=True)
        for first in range(0, self.space.count, self.chunk):
            last = min(first + self.chunk, self.space.count)
            yield sha256(f"{text} {first} {last}".encode()).hexdigest(), first, last

    @cached_property
    def space(self) -> Space:
        """The inputs."""
        if self.rules:
            return Points([names(claim, *given) for _, claim, given in self._claims], self.bound)
        kind = "layouts" if self.law == "compose" else "views"
        if self.count is not None:
            return Drawn(kind, self.count, self.bound, self.seed)
        return layout_pairs(self.bound) if kind == "layouts" else view_pairs(self.bound)

    def at(self, n: int) -> Finding:
        """What the input with that number comes to."""
        return self._tried(*self.space.at(n)) if self.rules else check_of(self.law, self.peer)(self.space.at(n))

    def smallest(self, n: int) -> tuple[int, str, str]:
        """An input that is answered wrongly in a smaller form: how large it is, the input, and what is wrong."""
        if self.rules:
            which, values = self.space.at(n)
            size = sum(map(abs, values.values()))
            return size, f"{self._claims[which][0].name} at {values}", self.at(n).wrong
        check, pair = check_of(self.law, self.peer), self.space.at(n)
        while (found := next((p for p in smaller(pair) if check(p).wrong), None)) is not None:
            pair = found
        return sum(v.weight() for v in pair), " then ".join(map(_text, pair)), check(pair).wrong

    @cached_property
    def _claims(self) -> list[tuple[FileRule, Term, list[Term]]]:
        """The rules that are about integers, as formulas; programs of tensors are left to `symview prove`."""
        found = []
        for rule in parse_rules(self.rules):
            if rule.bits is None and rule.division == "floor":
                try:
                    found.append((rule, parse_statement(rule.claim), [parse_assumption(a) for a in rule.assume]))
                except InputError:
                    continue
        return found

    def _tried(self, which: int, values: dict[str, int]) -> Finding:
        """A rule at a point; one that is expected to be refuted may fail."""
        rule, claim, given = self._claims[which]
        try:
            if not all(value_of(f, values) for f in given):
                return Finding("not assumed")
            holds = value_of(claim, values)
        except (ZeroDivisionError, OverflowError):
            return Finding("no value")
        if holds or rule.expect == "refuted":
            return Finding("holds" if holds else "fails, as expected")
        return Finding("fails", f"{rule.claim} is false")


def _text(v: Strided) -> str:
    return str(symview.View(*v))
