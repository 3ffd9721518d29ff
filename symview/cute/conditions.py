"""The conditions under which an operation on symbolic layouts has an answer, and the answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from symview.answers import AmbiguousTruth, Status, equation_text
from symview.cute.layout import Layout
from symview.engine.terms import (
    Term,
    conj,
    disj,
    names,
    nonzero_divisors,
    smt2_name,
    to_smt2_term,
    value_of,
)  # fmt: skip
from symview.errors import InputError, Undecided
from symview.symbols import free_symbols, to_term, to_text


@dataclass(frozen=True, slots=True)
class LayoutCase:
    """Where all of `where` and `equations` hold, the operation gives `layout`; `status` as in View's cases.

    `never`: there is no answer, `reason` says why. `undecided`: not settled there.
    """

    status: Status
    where: tuple[Any, ...]
    equations: tuple[Any, ...]
    layout: Layout | None
    reason: str = field(default="", compare=False)

    def term(self) -> Term:
        """The condition as a formula."""
        return conj(to_term(c) for c in (*self.where, *self.equations))

    def headline(self) -> str:
        """The condition in words."""
        parts = [_relation_text(c) for c in self.where] + [equation_text(e) for e in self.equations]
        return " and ".join(parts) or "always"

    def __str__(self) -> str:
        if self.layout is not None:
            return f"{self.headline()}: {self.layout}"
        return f"{self.headline()}: {self.status}" + (f" ({self.reason})" if self.reason else "")

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "status": str(self.status),
            "where": [to_text(c) for c in self.where],
            "equations": [equation_text(e, "*") for e in self.equations],
            "layout": None if self.layout is None else str(self.layout),
            "reason": self.reason,
        }


def _relation_text(relation: Any) -> str:
    text = to_text(relation)
    for plain, shown in (("<=", "≤"), (">=", "≥"), ("==", "="), ("!=", "≠")):
        text = text.replace(plain, shown)
    return text


@dataclass(frozen=True, slots=True, repr=False)
class LayoutConditions:
    """The cases of one operation on symbolic layouts.

    Cases by sizes are disjoint and cover all values; of a composition there is one case for each
    maximal set of strides, they may meet (the layouts are then the same function), and where none
    holds, there is no layout. `bool()` raises: ask `holds(values)`.
    """

    question: str
    layouts: tuple[Layout, ...]
    cases: tuple[LayoutCase, ...]
    assumed: tuple[Term, ...] = ()

    def __bool__(self) -> NoReturn:
        raise AmbiguousTruth("the truth of conditions depends on values: ask .holds({...}), or look at .cases")

    def __str__(self) -> str:
        return "\n".join(map(str, self.cases)) or "never"

    def __repr__(self) -> str:
        return f"<LayoutConditions {self.question}: {'; '.join(map(str, self.cases)) or 'never'}>"

    def symbols(self) -> dict[str, Any]:
        """The symbols of the query by name."""
        entries = [x for layout in self.layouts for x in (*_flat(layout),)]
        return free_symbols(entries)

    def term(self) -> Term:
        """That there is an answer, as the formula that solvers get; raises Undecided where unsettled."""
        for case in self.cases:
            if case.status is Status.UNDECIDED:
                raise Undecided(case.reason)
        return disj(c.term() for c in self.cases if c.layout is not None)

    def formula(self) -> Any:
        """That there is an answer, as a sympy formula."""
        import sympy

        self.term()
        return sympy.Or(*[sympy.And(*c.where, *c.equations) for c in self.cases if c.layout is not None])

    def to_z3(self) -> Any:
        """That there is an answer, as a Z3 formula over integer constants of the symbols' names."""
        from symview.engine.smt import to_z3

        return to_z3(self.term())

    def to_smt2(self) -> str:
        """That there is an answer, as SMT-LIB: satisfied exactly by the values at which there is one.

        >>> from symview.cute import Layout, composition_conditions
        >>> print(composition_conditions(Layout.parse("(4,6):(a,b)"), Layout(6)).to_smt2())
        ; (4,6):(a,b) ∘ 6:1
        (set-logic ALL)
        (declare-const a Int)
        (declare-const b Int)
        (assert (= b (* 4 a)))
        (check-sat)
        """
        given = [self.term(), *self.assumed]
        given = [*nonzero_divisors(given), *given]
        lines = [f"; {self.question}", "(set-logic ALL)"]
        lines += [f"(declare-const {smt2_name(n)} Int)" for n in sorted(names(*given))]
        lines += [f"(assert {to_smt2_term(t)})" for t in given]
        return "\n".join([*lines, "(check-sat)"])

    def case(self, values: Mapping[Any, int]) -> LayoutCase | None:
        """The first case that holds at these values (by symbol or name); None where none does."""
        given = self._values(values)
        return next((c for c in self.cases if _holds(c.term(), given)), None)

    def holds(self, values: Mapping[Any, int]) -> bool:
        """Whether there is an answer at these values; raises Undecided where that is not settled."""
        found = self.case(values)
        if found is not None and found.status is Status.UNDECIDED:
            raise Undecided(found.reason)
        return found is not None and found.layout is not None

    def layout(self, values: Mapping[Any, int]) -> Layout | None:
        """The answer with numbers for all symbols, None where there is none."""
        found = self.case(values)
        if found is None or found.layout is None:
            if found is not None and found.status is Status.UNDECIDED:
                raise Undecided(found.reason)
            return None
        return found.layout.with_values(self._values(values))

    def to_dict(self) -> dict[str, Any]:
        """The answer for JSON."""
        return {"question": self.question, "headline": str(self), "cases": [c.to_dict() for c in self.cases]}

    def _values(self, values: Mapping[Any, int]) -> dict[str, int]:
        known = self.symbols()
        given = {k if isinstance(k, str) else getattr(k, "name", str(k)): v for k, v in values.items()}
        for name, value in given.items():
            if name not in known:
                raise InputError(f"{name} is no symbol of this query; they are: {', '.join(known) or 'none'}")
            if type(value) is not int:
                raise InputError(f"{name} = {value!r}: give an int")
        missing = [n for n in known if n not in given]
        if missing:
            raise InputError(f"no value for {', '.join(missing)}: give all of {', '.join(known)}")
        for layout in self.layouts:
            layout.with_values(given)  # raises where a size would be below 1
        for fact in self.assumed:
            if set(names(fact)) <= given.keys() and not value_of(fact, given):
                raise InputError(f"these values contradict the assumption {to_text(fact)}")
        return given


def _flat(layout: Layout) -> list[Any]:
    return [x for mode in layout.flat() for x in mode]


def _holds(term: Term, given: Mapping[str, int]) -> bool:
    try:
        return bool(value_of(term, given))
    except ZeroDivisionError:
        return False
