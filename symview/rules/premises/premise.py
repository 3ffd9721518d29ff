"""The weakest premise of a statement: its condition, and how certain each direction is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symview.certificates import document, tree
from symview.displayed import Json
from symview.errors import InputError, Undecided, unknown_name
from symview.logic.budget import Budget
from symview.logic.notation import parse_expression, parse_statement, term_text
from symview.logic.points import compiled
from symview.logic.sympy_bridge import to_sympy
from symview.logic.terms import TRUE, Term, names, nonzero_divisors, num, sym, value_of
from symview.proof.refutations import with_refutations
from symview.proof.statement import Query, read
from symview.proof.verdicts import Proved
from symview.rules.programs.notation import is_about_programs
from symview.rules.prove import prove
from symview.show.grid import Block, Tabled

if TYPE_CHECKING:
    import sympy

PROVED = "proved"
OWN = "the statement itself, of which no simpler form was found"
NO_FORMULA = "no formula that symview tries fits"
_MAX_WORK = 10_000_000  # budget for the refutations in one certificate


@dataclass(frozen=True)
class Premise(Tabled):
    """The condition on the symbols `about` under which a statement holds for all values of the others; falsy if none.

    `sufficient`: if the condition holds, so does the statement. `necessary`: if the condition fails, some values of the
    other symbols refute the statement. Each is "proved", for all integers that satisfy the assumptions, or "checked to
    N", for those up to N in absolute value. `witnesses` are terms for the other symbols; wherever the condition fails,
    one of them refutes the statement. `zero_divisors` says under which parts of the condition a divisor is always 0, so
    that the statement has no value there. `rests_on` is what a proof trusts besides the kernel. If the assumptions
    allow the other symbols no values, statement and condition hold. If no condition was found, `reason` says why; also
    if the condition is the statement itself.
    """

    statement: str
    about: tuple[str, ...]
    condition: str = ""
    sufficient: str = ""
    necessary: str = ""
    reason: str = ""
    assumptions: tuple[str, ...] = ()
    division: str = "floor"
    witnesses: tuple[Mapping[str, str], ...] = field(default=(), compare=False)
    zero_divisors: tuple[str, ...] = field(default=(), compare=False)
    rests_on: frozenset[str] = field(default=frozenset(), compare=False)
    seconds: float = field(default=0.0, compare=False, repr=False)

    def __bool__(self) -> bool:
        return self.condition != ""

    def __hash__(self) -> int:
        return hash((self.statement, self.about, self.condition, self.assumptions, self.division))

    def __str__(self) -> str:
        said = "; ".join([self.condition, *self.zero_divisors])
        if self.reason == OWN:
            return f"{said}  [{OWN}]"
        if not self:
            return f"no condition on {', '.join(self.about)} found: {self.reason}"
        if self.sufficient == self.necessary:
            return f"{said}  [{self.sufficient}]"
        return f"{said}  [sufficient: {self.sufficient}; necessary: {self.necessary}]"

    def _blocks(self) -> Iterable[Block]:
        return premise_blocks(self)

    def holds(self, values: Mapping[Any, int]) -> bool:
        """Whether the statement holds at these values of the named symbols for all values of the others.

        Keys are names or symbols. It holds if the assumptions allow the others no values, or a divisor is 0. Beyond the
        bound to which a direction was checked, the statement is decided for these values alone.
        Raises InputError for unknown or missing names, Undecided if the statement is undecided there, or no condition
        was found.
        """
        given, condition = self._named(values), self.term()
        if not self._is_allowed(given):
            return True
        try:
            found = bool(compiled(condition, self.about, self.division)([given[n] for n in self.about]))
        except ZeroDivisionError:
            return self._decided_at(given)
        checked = self.sufficient if found else self.necessary
        if checked == PROVED or max(map(abs, given.values())) <= int(checked.rpartition(" ")[2]):
            return found
        return self._decided_at(given)

    def _named(self, values: Mapping[Any, int]) -> dict[str, int]:
        given = {k if isinstance(k, str) else getattr(k, "name", repr(k)): v for k, v in values.items()}
        for name, value in given.items():
            if name not in self.about:
                raise InputError(unknown_name(name, self.about, "premise"))
            if type(value) is not int:
                raise InputError(f"{name} = {value!r}: give an int")
        if missing := [n for n in self.about if n not in given]:
            raise InputError(f"missing value for {', '.join(missing)}: give each of {', '.join(self.about)}")
        return given

    @cached_property
    def query(self) -> Query:
        """Statement and assumptions; for a rule of programs, only the assumptions."""
        stated = TRUE if is_about_programs(self.statement) else self.statement
        return read(stated, self.assumptions, self.division, known=None)

    def given(self) -> list[Term]:
        """The assumptions on the named symbols alone."""
        return self._about_named([f.term for f in self.query.assumptions])

    @cached_property
    def _local(self) -> list[Term]:
        """The assumptions on the named symbols alone, and that their divisors are not 0."""
        return self._about_named(nonzero_divisors([f.term for f in self.query.formulas()])) + self.given()

    def _about_named(self, formulas: Iterable[Term]) -> list[Term]:
        return [f for f in formulas if set(names(f)) <= set(self.about)]

    def _is_allowed(self, given: Mapping[str, int]) -> bool:
        try:
            return all(value_of(f, given, self.division) for f in self._local)
        except ZeroDivisionError:
            return False

    def _decided_at(self, given: Mapping[str, int]) -> bool:
        """Whether the statement holds at these values, by evaluating, proving or refuting it there."""
        claim = self.query.claim
        if claim.term != TRUE and self._about_named([claim.term]):
            return claim.holds(dict(given))
        fixed = [Term("==", (sym(n), num(v))) for n, v in given.items()]
        try:
            found = prove(self.statement, (*(f.term for f in self.query.assumptions), *fixed), self.division)
            return isinstance(found, Proved) or bool(found)  # a premise is not about others' divisors of 0
        except InputError:  # the others have no values there
            return True

    def is_proved(self) -> bool:
        """Whether both directions are proved for all integers that satisfy the assumptions."""
        return self.sufficient == self.necessary == PROVED

    def term(self) -> Term:
        """The condition as a formula; raises Undecided if none was found."""
        if not self:
            raise Undecided(self.reason)
        return self._term

    @cached_property
    def _term(self) -> Term:
        return parse_statement(self.condition)

    def formula(self) -> sympy.Basic:
        """The condition as a sympy formula; raises Undecided if none was found."""
        return to_sympy(self.term())

    def certificate(self) -> Json:
        """The claim, the condition and its witnesses as JSON, for `symview verify`."""
        by_text = is_about_programs(self.statement)  # a rule of programs is included only as text
        stated = {"statement": self.statement} if by_text else self.query.as_json()
        enough, needed = self.sufficient == PROVED, self.necessary == PROVED
        directions = "both" if enough and needed else "enough" if enough else "needed" if needed else "none"
        condition = tree(self.term(), self.division) if self else None
        claim = {"about": list(self.about), **stated, "condition": condition, "directions": directions}
        witnesses = [{n: tree(parse_expression(t), self.division) for n, t in w.items()} for w in self.witnesses]
        found = document("premise", claim, {"witnesses": witnesses} if witnesses else {})
        return with_refutations(found, Budget(work=_MAX_WORK))

    def to_dict(self) -> Json:
        """The fields for JSON."""
        return {
            "statement": self.statement, "about": list(self.about), "assumptions": list(self.assumptions),
            "division": self.division, "condition": self.condition or None, "sufficient": self.sufficient or None,
            "necessary": self.necessary or None, "reason": self.reason or None,
            "witnesses": [dict(w) for w in self.witnesses], "zero_divisors": list(self.zero_divisors),
            "rests_on": sorted(self.rests_on), "seconds": self.seconds,
        }  # fmt: skip


def premise_blocks(premise: Premise) -> Iterator[str]:
    """The condition, then how certain it is; or why there is none."""
    if not premise:
        yield str(premise)
        return
    yield "; ".join([premise.condition, *premise.zero_divisors])
    notes = sorted(note for note in premise.rests_on if "assumed" in note)
    if premise.reason:
        yield "\n".join([premise.reason, *notes])
        return
    by = " or ".join(", ".join(f"{n} = {t}" for n, t in w.items()) for w in premise.witnesses if w)
    shown = f" (otherwise {by} is a counterexample)" if by else ""
    yield "\n".join([f"sufficient: {premise.sufficient}", f"necessary: {premise.necessary}{shown}", *notes])


def condition_text(formula: Term) -> str:
    """The condition in the notation, with parentheses wherever `and` and `or` are nested.

    >>> condition_text(parse_statement("a == b or N <= a and N <= b"))
    'a == b or (N <= a and N <= b)'
    """
    if formula.op not in ("and", "or"):
        return term_text(formula)
    parts = [f"({condition_text(p)})" if p.op in ("and", "or") else term_text(p) for p in formula.args]
    return f" {formula.op} ".join(parts)
