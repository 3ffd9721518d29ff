"""The result of a proof attempt: `Verdict = Proved | Refuted | Unknown`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Literal, NoReturn, TypeAlias

from symview.certificates import document, tree
from symview.displayed import Displayed, Json
from symview.errors import SymviewError, Undecided
from symview.logic.budget import Budget
from symview.logic.notation import joined, parse_assumption
from symview.proof.data import Query
from symview.proof.kernel import Chains, Programs
from symview.proof.kernel import ForgedProof as ForgedProof
from symview.proof.kernel import Proved as Proved
from symview.proof.kernel import is_built as is_built
from symview.proof.statement import read

_MAX_WORK = 10_000_000  # work for refutations of one certificate


@dataclass(frozen=True, slots=True)
class Refuted(Displayed):
    """The statement is false at `values`, replayed in plain integers. Falsy.

    `sides` are the two sides of the relation that fails, if the statement is one (or implies one);
    `smallest` means that no values with a smaller sum of absolute values refute it. For a rule of programs, `index` is
    the smallest index at which the sides have different elements, and `sides` says which; without an index, it says
    how their shapes differ.

    >>> print(Refuted("x % y == x", {"x": 1, "y": 1}, (0, 1), smallest=True))
    refuted: x % y == x  at x = 1, y = 1 (smallest): 0 on the left, 1 on the right
    """

    statement: str
    values: Mapping[str, int]
    sides: tuple[int | str, int | str] | None = None
    smallest: bool = False
    assumptions: tuple[str, ...] = ()
    division: str = "floor"
    index: tuple[int, ...] | None = None
    arithmetic: str = ""
    chains: Chains = field(default=None, compare=False, repr=False)
    programs: Programs = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", dict(self.values))

    def __bool__(self) -> Literal[False]:
        return False

    def where(self) -> str:
        """The values, and the index, as text."""
        at = [f"{name} = {value}" for name, value in self.values.items()]
        at += [] if self.index is None else [f"index ({','.join(map(str, self.index))})"]
        return ", ".join(at) or "any values"

    def certificate(self) -> Json:
        """Question and answer as JSON, which `symview verify` checks without trusting this package."""
        shown: Any = {"index": self.index and list(self.index)}  # of programs; the sides of others are numbers
        sides = shown if self.programs else {"sides": self.sides and list(self.sides)}
        refuted = {"verdict": "refuted", "values": dict(self.values), **sides, "smallest": self.smallest}
        same = {"same": False, "index": list(self.values.values()), **sides, "smallest": self.smallest}
        return _document(self, refuted, same)

    def to_dict(self) -> Json:
        """The answer as JSON; of programs also the index."""
        sides = None if self.sides is None else list(self.sides)
        index = {} if self.index is None else {"index": list(self.index)}
        found = {"values": dict(self.values), "sides": sides, "smallest": self.smallest}
        return {"verdict": "refuted", **_statement(self), **found, **index}

    def __hash__(self) -> int:
        return hash((self.statement, frozenset(self.values.items()), self.assumptions))

    def __str__(self) -> str:
        where = self.where()
        kind = " (smallest)" if self.smallest and self.values else ""
        sides = f": {self.sides[0]} on the left, {self.sides[1]} on the right" if self.sides else ""
        return f"refuted{under(self)}: {self.statement}  at {where}{kind}{sides}"


@dataclass(frozen=True, slots=True)
class Unknown(Displayed):
    """Neither proved nor refuted within the budget. `bool()` raises Undecided, so it counts neither as yes nor as no.

    `smt2` is the open question as SMT-LIB, and `save` writes it: unsatisfiable would mean proved.

    >>> bool(Unknown("x*x != y", "Z3 gave up"))
    Traceback (most recent call last):
    ...
    symview.errors.Undecided: undecided: x*x != y: Z3 gave up
    """

    statement: str
    reason: str
    assumptions: tuple[str, ...] = ()
    division: str = "floor"
    smt2: str = field(default="", repr=False)
    arithmetic: str = ""

    def __bool__(self) -> NoReturn:
        raise Undecided(f"{self.statement}: {self.reason}")

    def certificate(self) -> Json:
        """Question and answer as JSON, which `symview verify` checks without trusting this package."""
        return _document(self, {"verdict": "unknown"})

    def to_dict(self) -> Json:
        """The answer as JSON."""
        return {"verdict": "unknown", **_statement(self), "reason": self.reason, "smt2": self.smt2}

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the open question as SMT-LIB, for another solver or a longer run."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.smt2)

    def __str__(self) -> str:
        return f"unknown{under(self)}: {self.statement}  ({self.reason})"


Verdict: TypeAlias = Proved | Refuted | Unknown


def _statement(verdict: Verdict) -> Json:
    """The statement as JSON."""
    return {
        "statement": verdict.statement, "assumptions": list(verdict.assumptions), "division": verdict.division,
    }  # fmt: skip


def certificate_of(theorem: Proved) -> Json:
    """Question and answer as JSON, with refutations for obligations, as far as they are found."""
    from symview.proof.refutations import with_refutations

    found = _document(theorem, {"verdict": "proved"}, {"same": True})
    return with_refutations(found, Budget(work=_MAX_WORK)) if found["kind"] in ("theorem", "rule") else found


def _document(verdict: Verdict, answer: Json, same: Json | None = None) -> Json:
    """The certificate; a statement that is not a formula, such as one about a list in any order, is only text in it.

    If the statement is that two chains of views are equal, `same` is the answer.
    """
    chains = None if isinstance(verdict, Unknown) else verdict.chains
    if chains is not None and same is not None:
        return document("chains", {"first": chains[0], "second": chains[1]}, same)
    if not isinstance(verdict, Unknown) and verdict.programs:
        instances = list(verdict.programs)
        some = isinstance(verdict, Proved) and "any rank" in verdict.rests_on and not instances[0]["more"]
        return document("rule", {"instances": instances, "parts": some or len(instances) > 1}, answer)
    query = _query(verdict)
    question = _theorem_json(verdict) if isinstance(verdict, Proved) else None if query is None else query.as_json()
    text = {"statement": verdict.statement, "assumptions": list(verdict.assumptions)}
    return document("theorem", text if question is None else question, answer)


def _theorem_json(theorem: Proved) -> Json | None:
    """A theorem as formulas: with the lemmas that prove it, or by induction along a list; None if it is neither."""
    if theorem.query is None or any(along.order_of for along in theorem.lists):
        return None
    question = theorem.query.as_json()
    if theorem.query.width is None:
        question["assume"] += [tree(parse_assumption(left), theorem.division) for left in theorem.unstated]
    if theorem.by:
        lemmas = [(_theorem_json(lemma), {n: tree(x) for n, x in at.items()}) for lemma, at in theorem.by]
        if any(one is None for one, _ in lemmas):
            return None
        return {**question, "by": [{"lemma": one, "at": at} for one, at in lemmas]}
    if not theorem.lists:
        return question
    if any(note.startswith("lemma: ") for note in theorem.rests_on) or len(theorem.lists) > 1:
        return None
    return {**question, **theorem.lists[0].as_json()}


def _query(verdict: Verdict) -> Query | None:
    """The statement as formulas about all integers, if it is one."""
    if isinstance(verdict, Proved):
        return verdict.query
    bits, _, sign = verdict.arithmetic.partition("-bit ")
    width = f"{'i' if sign == 'signed' else 'u'}{bits}" if bits else None
    try:
        return read(verdict.statement, verdict.assumptions, verdict.division, width, known=None)
    except SymviewError:
        return None


def under(verdict: Verdict) -> str:
    """The assumptions of a verdict as text."""
    left = verdict.unstated if isinstance(verdict, Proved) else ()
    stated = [a for a in verdict.assumptions if a not in left]
    given = f" given {joined(stated)}" if stated else ""
    given += f" only where {joined(left)}, which is not stated" if left else ""
    within = f" in {verdict.arithmetic} arithmetic" if not isinstance(verdict, Proved) and verdict.arithmetic else ""
    return within + given if verdict.division == "floor" else f"{within} under {verdict.division} division{given}"
