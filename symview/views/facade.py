"""The facade of conditions: what people and programs hold of an answer that is data.

`Conditions` makes of the formulas in `symview.answers` sympy, words, LaTeX, JSON, SMT-LIB and Python; it looks up
values, and hands questions about the answer on. Its cases are in `symview.cases.case`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn, Self

from symview.answers import (
    AmbiguousTruth,
    CaseData,
    ConditionsData,
    Counterexample,
    DeferredCases,
    Exact,
    TooStrong,
    TooWeak,
    values_text,
)
from symview.cases.case import Case
from symview.cases.given_values import all_hold, evaluate, read_values
from symview.cases.guards import compare, python_source
from symview.cases.query import read_formula
from symview.certificates import of_conditions
from symview.errors import InputError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.notation import term_text
from symview.logic.sympy_bridge import to_sympy
from symview.logic.terms import FALSE, Term, names, num, with_nonzero_divisors, with_tests_of_divisors
from symview.show.conditions import conditions_blocks
from symview.show.formulas import IN_PYTHON, headline
from symview.show.grid import Block, Tabled
from symview.show.latex import conditions_latex
from symview.show.smtlib import script
from symview.view import View
from symview.views.counterexamples import break_at, merges_at, sizes_agree, smallest_break
from symview.views.examples import Example, examples

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, repr=False)
class Conditions(Tabled):
    """The exact, weakest conditions under which `views` merge into one, by cases of the sizes.

    The views stand from the one that lays out memory, `outer`, to the last one, `inner`. The
    cases are disjoint and cover all values of the sizes. `str()` is the headline. Truth is
    ambiguous, so `bool()` raises: ask `holds(values)`, or look at `cases`. `data` has all of this as
    formulas; `clauses`, where there are any, are the whole condition as a conjunction.
    """

    data: ConditionsData
    budget: Budget = field(default=DEFAULT, compare=False)

    @property
    def views(self) -> tuple[View, ...]:
        """The views of the question."""
        return self.data.views

    @property
    def outer(self) -> View:
        """The view that lays out memory; its strides may be symbolic."""
        return self.views[0]

    @property
    def inner(self) -> View:
        """The view that is looked through first; its shape is the merged view's."""
        return self.views[-1]

    @cached_property
    def cases(self) -> Sequence[Case]:
        """What holds where."""
        return self._faces(self.data.cases)

    @cached_property
    def summary(self) -> Sequence[Case]:
        """What `str()` says where no clauses do: the cases without views, those that say the same as one if shorter."""
        return self._faces(self.data.lines()) if self.data.summary else self.cases

    def within(self, budget: Budget) -> Self:
        """The same, with this budget for all that is asked about it from now on, cases not yet worked out among it."""
        cases = self.data.cases
        if isinstance(cases, DeferredCases):
            return replace(self, data=replace(self.data, cases=cases.within(budget)), budget=budget)
        return replace(self, budget=budget)

    def _faces(self, cases: Sequence[CaseData]) -> tuple[Case, ...]:
        symbols, empty = self.symbols(), self._empty()
        return tuple([Case(c, symbols, empty) for c in cases])

    def _empty(self) -> frozenset[str]:
        return frozenset(n for f in self.facts if f.op == ">=" and f.args[1] == num(0) for n in names(f))

    @property
    def clauses(self) -> tuple[Term, ...] | None:
        """The whole condition as a conjunction, where it is known as one."""
        return self.data.clauses

    @property
    def facts(self) -> tuple[Term, ...]:
        """What is taken for granted: the assumptions, and that sizes are positive."""
        return self.data.facts

    @property
    def assumed(self) -> tuple[Term, ...]:
        """What the caller assumed."""
        return self.data.assumed

    def __bool__(self) -> NoReturn:
        raise AmbiguousTruth(
            "the truth of conditions depends on values: ask .holds({...}), or look at .cases and their status"
        )

    def __str__(self) -> str:
        return self.headline(IN_PYTHON)

    def headline(self, rest: str | None = None) -> str:
        """What holds where; where `rest` says how all can be seen, no more than a person reads, as `str()` has it."""
        return headline(self.data, rest)

    def __repr__(self) -> str:
        shown = str(self).replace("\n", "; ")
        return f"<Conditions {' | '.join(map(str, self.views))}: {shown}>"

    def __hash__(self) -> int:
        return hash(self.data)

    def symbols(self) -> dict[str, Any]:
        """The symbols of the query by name."""
        return self.data.symbols()

    def formula(self) -> sympy.Basic:
        """The condition, with the bounds, as one sympy formula; raises Undecided where unsettled."""
        import sympy

        if self.clauses is not None:
            given = [with_tests_of_divisors(c, self.clauses) for c in self.clauses]
            return sympy.And(*[to_sympy(with_nonzero_divisors(c, self._empty()), self.symbols()) for c in given])
        return sympy.Or(*[sympy.And(c.where, *c.equations) for c in self.summary if c.condition() != FALSE])

    def term(self) -> Term:
        """The condition as the formula that solvers get."""
        return self.data.condition()

    def to_z3(self) -> Any:
        """The condition as a Z3 formula over integer constants of the symbols' names."""
        from symview.logic.z3_door import to_z3

        return to_z3(self.term())

    def to_smt2(self) -> str:
        """SMT-LIB: what has to hold for the cases, their equations and their views, worked out by the checker.

        Every check-sat has to answer unsat; what is left out is named and counted in comments.
        """
        return script(f"{self.views[0]} then {self.views[-1]}", self.certificate(), self.budget)

    def _blocks(self) -> Iterable[Block]:
        return conditions_blocks(self, rest=IN_PYTHON)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.to_latex()}$"

    def to_latex(self) -> str:
        """The cases in LaTeX."""
        return conditions_latex(self.data, self.symbols())

    def certificate(self) -> dict[str, Any]:
        """Question, cases and witnesses as JSON, which `symview verify` checks without trusting this package."""
        return of_conditions(self.data)

    def to_dict(self) -> dict[str, Any]:
        """The answer for JSON."""
        return {
            "outer": str(self.outer), "inner": str(self.inner), "views": [str(v) for v in self.views],
            "headline": self.headline(),
            **({} if self.clauses is None else {"clauses": [term_text(c) for c in self.clauses]}),
            "cases": [c.to_dict() for c in self.cases],
        }  # fmt: skip

    def holds(self, values: Mapping[Any, int] | None = None) -> bool:
        """Whether the views merge at these values (keys: symbols or names); False out of bounds.

        With values for all symbols it is always decided, by the numeric question where the case is not. Raises
        InputError for unknown, missing or inadmissible values, Undecided where a case is open and values are missing,
        or the budget ends.

        >>> from symview import View, conditions
        >>> c = conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)"))
        >>> c.holds({"s": 3}), c.holds({"s": 4, "a": 5, "b": 1, "c": 1})
        (True, True)
        """
        given = self._values({} if values is None else values)
        try:
            return self._said(given)
        except (Undecided, InputError):  # open, or a divisor of the condition is 0 there
            if any(n not in given for n in self.symbols()):
                raise
            return self._holds_at(given)

    def _said(self, given: Mapping[str, int]) -> bool:
        """What the condition says at these values."""
        if self.clauses is not None:
            return all_hold(self.clauses, given)
        return bool(evaluate(self.case(given).condition(), given))

    def _holds_at(self, given: Mapping[str, int]) -> bool:
        """What the numeric question says at values of all symbols."""
        return merges_at(self.data, given, self.budget)

    def compare(self, guard: Any) -> Exact | TooStrong | TooWeak:
        """What a guard, as text or sympy, is beside the weakest condition, for all values of the symbols.

        TooWeak: it lets values pass at which the views do not merge; TooStrong: it refuses values
        at which they do. Sizes are positive, and the assumptions hold. A guard is read as Python
        reads it, from left to right and no further than needed; one that divides by 0 refuses. Raises
        Undecided where the budget does not settle it, InputError for symbols that the query does not have.

        >>> from symview import View, reshape_conditions
        >>> c = reshape_conditions(View.parse("(B,S,D):(t0,t1,t2)"), View.parse("(B*S,D)").shape)
        >>> c.compare("t0 == S*t1")
        TooStrong({'B': 1, 'S': 1, 'D': 1, 't0': 0, 't1': 1, 't2': 0})
        """
        running = replace(self, budget=self.budget.started())
        return replace(compare(running, guard), asked=(self, read_formula(guard, self.symbols(), "guard")))

    def parts(self) -> Iterable[Conditions]:
        """The same in parts, in each of which every condition has a value; all in one, but for some layouts."""
        return [self]

    def guards(self) -> str:
        """The condition as a Python expression for a check at run time.

        It has comparisons, `and`, `or`, `not`, sums, `*`, `%` and `abs` of the symbols' names alone, and of injective
        views `gcd`, which is that of `math`; and `floor_sum`, which is `symview`'s, where steps are of any length. What
        these two are of may have `//` as well.

        >>> from symview import View, reshape_conditions
        >>> reshape_conditions(View.parse("(a,b):(s,t)"), View.parse("(a*b)").shape).guards()
        'a == 1 or b == 1 or s == b*t'
        """
        return python_source(self.term(), self.facts, self.budget.started())

    def counterexample(self, values: Mapping[Any, int] | None = None) -> Counterexample | None:
        """The smallest values and index at which the merge breaks; None where it never does.

        The symbols of sizes come first, each as small as those before it allow, then the others by the sum of their
        absolute values, then the index by its sum, then lexicographically. With `values`, all symbols are given, and
        None means that the views merge there.
        """
        if values is None:
            return smallest_break(self.data, self.budget.started())
        return break_at(self.data, self._values(values), self.budget)

    def examples(self, n: int = 10) -> tuple[Example, ...]:
        """Up to n examples for tests: values at which the views merge, and at which they do not, for each condition.

        All are distinct, small where that is possible, and near the edge of a condition first; none is repeated, and
        with one budget they are always the same. Each was replayed in plain integers: `view` is what the views merge
        into at these values, else `counterexample` has the index that breaks, with the addresses expected and got.
        Fewer than n where no more are found. Raises InputError for n below 1.

        >>> from symview import View, conditions
        >>> for example in conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)")).examples(4):
        ...     print(example)
        a = 1, b = 1, c = 1, s = 1: the views merge into (1):(0)
        a = 1, b = 1, c = 1, s = 24: at index (23): address 92 is out of bounds
        a = 5, b = 1, c = 1, s = 4: the views merge into (4):(2)
        a = 6, b = 1, c = 1, s = 4: at index (3): one view would reach 6, the composition reaches 7
        """
        return examples(self.data, n, self.budget)

    def sizes_agree(self, values: Mapping[str, int]) -> bool:
        """Whether a reshape has as many elements after it as before at these values; else there is no index to show."""
        return sizes_agree(self.data, values)

    def case(self, values: Mapping[Any, int]) -> Case:
        """The case that these values are in; raises InputError where none is."""
        given = self._values(values)
        for case in self.cases:
            if evaluate(case.data.where, given):
                return case
        shown = values_text(given)
        raise InputError(f"{shown}: no case is about these values; sizes are positive and keep to what was assumed")

    def _values(self, values: Mapping[Any, int]) -> dict[str, int]:
        return read_values(values, self.data)
