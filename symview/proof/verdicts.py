"""The result of a proof attempt: `Verdict = Proved | Refuted | Unknown`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from typing import Any, Literal, NoReturn, TypeAlias

from symview.displayed import Displayed, Json
from symview.errors import Undecided
from symview.proof.data import as_typed, first_wrapped, under
from symview.proof.documents import of_refuted, of_unknown
from symview.proof.kernel import ForgedProof as ForgedProof
from symview.proof.kernel import Proved as Proved
from symview.proof.kernel import is_built as is_built

Chains: TypeAlias = tuple[Any, Any] | None  # the views on both sides, as in a certificate
Programs: TypeAlias = tuple[Any, ...]  # the programs on both sides, with the assumptions, as in a certificate


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
        return of_refuted(self)

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
        given = under(self.assumptions, self.division, arithmetic=self.arithmetic)
        wrapped = first_wrapped(self.statement, self.arithmetic, self.values, self.division)
        why = f"; {wrapped}" if wrapped else ""
        return f"refuted{given}: {as_typed(self.statement, self.arithmetic)}  at {where}{kind}{sides}{why}"


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
        raise Undecided(f"{as_typed(self.statement, self.arithmetic)}: {self.reason}")

    def certificate(self) -> Json:
        """Question and answer as JSON, which `symview verify` checks without trusting this package."""
        return of_unknown(self)

    def to_dict(self) -> Json:
        """The answer as JSON."""
        return {"verdict": "unknown", **_statement(self), "reason": self.reason, "smt2": self.smt2}

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the open question as SMT-LIB, for another solver or a longer run."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.smt2)

    def __str__(self) -> str:
        given = under(self.assumptions, self.division, arithmetic=self.arithmetic)
        return f"unknown{given}: {as_typed(self.statement, self.arithmetic)}  ({self.reason})"


Verdict: TypeAlias = Proved | Refuted | Unknown


def _statement(verdict: Verdict) -> Json:
    """The statement as JSON."""
    return {
        "statement": verdict.statement, "assumptions": list(verdict.assumptions), "division": verdict.division,
    }  # fmt: skip
