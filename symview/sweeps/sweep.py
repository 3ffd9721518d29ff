"""A sweep: its question, its inputs, and the result of one input or of a piece of work."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from hashlib import sha256

from symview.commands.replies import VERSION
from symview.counterexample import values_text
from symview.displayed import Json
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.notation import parse_assumption, parse_statement
from symview.logic.terms import Term, names, value_of
from symview.rules.files import FileRule, parse_rules
from symview.sweeps.checks import Finding, check_of
from symview.sweeps.records import Piece, Wrong
from symview.sweeps.spaces import MOST_LISTED, Drawn, Pair, Products, layout_pairs, points, smaller, view_pairs
from symview.view import View

_CHUNK = 2000  # how many inputs a worker takes at once
_SLOW = 40  # the same, for inputs that need a solver
_MOST_DRAWN = 4096  # elements; checks walk all of them


@dataclass(frozen=True)
class Sweep:
    """A law for all inputs up to a bound, or for `count` random ones from a seed; or rules at all small values.

    `peer`: another library whose answers are compared. `rules` is the text of a file of rules; the law is then
    "rules". `seconds`: the time after which an input is left undecided.
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
            raise InputError("give 1 or more for the bound, and for the number of random inputs")
        if self.rules:
            if self.peer or self.count is not None:
                problem = "rules are tried at all values up to the bound: no peer and no random inputs go with them"
                raise InputError(problem)
            return
        check_of(self.law, self.peer)
        most = MOST_LISTED[self.kind] if self.count is None else _MOST_DRAWN
        if self.bound > most:
            way = " of all inputs; random ones (--random) may be larger" if self.count is None else ""
            raise InputError(f"the bound {self.bound} is too large: at most {most}{way}")

    @property
    def kind(self) -> str:
        """Whether the law is about pairs of views or of layouts."""
        return "layouts" if self.law == "compose" else "views"

    @property
    def chunk(self) -> int:
        """The number of inputs in one piece of work."""
        return _SLOW if self.law == "conditions" else _CHUNK

    def question(self) -> Json:
        """The question as JSON: results of different questions never mix."""
        fields = {k: v for k, v in asdict(self).items() if k != "seconds"}
        rules = sha256(self.rules.encode()).hexdigest() if self.rules else ""
        return {**fields, "rules": rules, "chunk": self.chunk, "version": VERSION}

    def chunks(self) -> Iterator[tuple[int, int]]:
        """The pieces of work: each is the first input and the one after the last."""
        for first in range(0, self.space.count, self.chunk):
            yield first, min(first + self.chunk, self.space.count)

    @cached_property
    def space(self) -> Products | Drawn:
        """The inputs."""
        if self.rules:
            return points([len(names(claim, *given)) for _, claim, given in self._claims], self.bound)
        if self.count is not None:
            return Drawn(self.kind, self.count, self.bound, self.seed)
        return layout_pairs(self.bound) if self.kind == "layouts" else view_pairs(self.bound)

    def piece(self, first: int, last: int) -> Piece:
        """Runs one piece of work; shrinks all our wrong answers, and one of the peer's for each word."""
        counts, wrong = Counter[str](), []
        for n in range(first, last):
            finding = self.at(n)
            if finding.wrong or (finding.peer and finding.word not in counts):
                wrong.append(self.smallest(n))
            counts[finding.word] += 1
        return Piece(first, last, dict(counts), wrong)

    def at(self, n: int) -> Finding:
        """The result of the input with that number."""
        return self._tried(*self.space.at(n)) if self.rules else self._checked(self.space.at(n))

    def smallest(self, n: int) -> Wrong:
        """Shrinks an input that we or the peer answer wrongly; the smaller one is answered wrongly too."""
        given, finding = self.space.at(n), self.at(n)
        if self.rules:
            which, *values = given
            return Wrong(sum(map(abs, values)), self._claims[which][0].name, finding.wrong)

        def wrong(p: Pair) -> str:
            found = self._checked(p)
            return found.wrong if finding.wrong else found.peer

        while (found := next((p for p in smaller(given, inside=self.law != "compose") if wrong(p)), None)) is not None:
            given = found
        shown = " then ".join(str(View(*v)) for v in given)
        return Wrong(sum(v.weight() for v in given), shown, wrong(given), peer=not finding.wrong)

    def _checked(self, pair: Pair) -> Finding:
        """Runs the check; an exception counts as a wrong answer, and does not stop the sweep."""
        try:
            return check_of(self.law, self.peer)(pair, Budget(timeout=self.seconds))
        except Exception as error:
            return Finding("raised", f"{type(error).__name__}: {error}")

    @property
    def left_out(self) -> list[str]:
        """The names of the rules that are not tried: programs of tensors, other divisions, integers of fixed width."""
        tried = {rule.name for rule, _, _ in self._claims} if self.rules else set()
        return [rule.name for rule in parse_rules(self.rules) if rule.name not in tried] if tried else []

    @cached_property
    def _claims(self) -> list[tuple[FileRule, Term, list[Term]]]:
        """The rules that can be tried, as formulas; raises InputError if there are none."""
        found = []
        for rule in parse_rules(self.rules):
            if rule.bits is None and rule.division == "floor":
                with suppress(InputError):
                    found.append((rule, parse_statement(rule.claim), list(map(parse_assumption, rule.assume))))
        if not found:
            raise InputError("no rule of the file is a statement about integers with floor division: use symview prove")
        return found

    def _tried(self, which: int, *numbers: int) -> Finding:
        """Evaluates a rule at a point; a rule with `expect = "refuted"` may fail."""
        rule, claim, given = self._claims[which]
        values = dict(zip(names(claim, *given), numbers, strict=True))
        try:
            if not all(value_of(f, values) for f in given):
                return Finding("not assumed")
            holds = value_of(claim, values)
        except (ZeroDivisionError, OverflowError):
            return Finding("no value")
        if holds or rule.expect == "refuted":
            return Finding("holds" if holds else "fails, as expected")
        at = values_text(values)
        return Finding("fails", f"{rule.claim} is false at {at}" if at else f"{rule.claim} is false")
