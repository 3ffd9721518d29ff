"""`Conditions`: the answer to a question with names, for people and programs.

It presents the formulas of `symview.answers` as sympy, text, LaTeX, JSON, SMT-LIB and Python, evaluates them at values,
and leaves what depends on the kind of question to its `Question`. Its cases are in `symview.cases.case`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, NoReturn, Self

from symview.answers import AmbiguousTruth, CaseData, ConditionsData, DeferredCases, GuardVerdict, Status
from symview.cases.case import Case
from symview.cases.given_values import all_hold, evaluate, read_values
from symview.cases.query import read_formula
from symview.cases.question import A, Question
from symview.counterexample import Counterexample, values_text
from symview.errors import InputError, Undecided
from symview.features import required
from symview.logic.budget import DEFAULT, Budget
from symview.logic.notation import term_text
from symview.logic.points import true_at
from symview.logic.sympy_bridge import to_sympy
from symview.logic.terms import FALSE, Term, names, num, with_nonzero_divisors, with_tests_of_divisors
from symview.logic.z3_door import to_z3
from symview.show.formulas import IN_PYTHON
from symview.show.grid import Block, Tabled
from symview.view import View

if TYPE_CHECKING:
    import sympy

    from symview.cases.examples import Example


@dataclass(frozen=True, repr=False)
class Conditions(Tabled, Generic[A]):
    """The exact, weakest conditions under which a question with names has an answer, by cases.

    `question` is what the conditions decide: whether views merge into one, whether a view is dense, injective or
    contiguous, or what an operation on layouts returns. The cases are disjoint and cover all values, unless the
    question allows otherwise. `str()` is the headline. `bool()` raises, since the truth depends on values: use
    `holds(values)`, or look at `cases`. `data` has all of this as formulas; `clauses`, if not None, are the whole
    condition as a conjunction. For numbers, `holds`, `answer` and `counterexample` also decide undecided cases.
    """

    question: Question[A]
    data: ConditionsData
    budget: Budget = field(default=DEFAULT, compare=False)

    @property
    def views(self) -> tuple[View, ...]:
        """The views of the question, from the one that lays out memory, `outer`, to the last one, `inner`."""
        return self.data.views

    @property
    def outer(self) -> View:
        """The view that lays out memory; its strides may be symbolic."""
        return self.views[0]

    @property
    def inner(self) -> View:
        """The view that is indexed first; the merged view has its shape."""
        return self.views[-1]

    @cached_property
    def cases(self) -> Sequence[Case]:
        """The cases, each with where it applies and what has to hold there."""
        return self._faces(self.data.cases)

    @cached_property
    def summary(self) -> Sequence[Case]:
        """The cases that `str()` prints if there are no clauses: without views, and joined if that is shorter."""
        return self._faces(self.data.lines()) if self.data.summary else self.cases

    def within(self, budget: Budget) -> Self:
        """The same conditions with another budget for all later computations, including cases not yet computed."""
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
        """The whole condition as a conjunction, if it is known as one."""
        return self.data.clauses

    @property
    def facts(self) -> tuple[Term, ...]:
        """The facts that the conditions presuppose: the assumptions, and that sizes are positive."""
        return self.data.facts

    def known(self) -> tuple[Term, ...]:
        """The facts, and that no entry of the question divides by 0."""
        return (*self.question.has_values(), *self.facts)

    @property
    def assumed(self) -> tuple[Term, ...]:
        """The caller's assumptions."""
        return self.data.assumed

    def __bool__(self) -> NoReturn:
        raise AmbiguousTruth(
            "the truth of conditions depends on values: ask .holds({...}), or look at .cases and their status"
        )

    def __str__(self) -> str:
        return self.headline(IN_PYTHON)

    def headline(self, rest: str | None = None) -> str:
        """The conditions by cases; if `rest` says how to see everything, shortened for people, as in `str()`."""
        return self.question.headline(self.data, rest)

    def __repr__(self) -> str:
        shown = str(self).replace("\n", "; ")
        return f"<Conditions {self.question}: {shown}>"

    def __hash__(self) -> int:
        return hash((self.question, self.data))

    def symbols(self) -> dict[str, Any]:
        """The symbols of the query by name."""
        return self.question.symbols()

    def formula(self) -> sympy.Basic:
        """The condition, with the bounds, as one sympy formula; raises Undecided if a case is undecided."""
        import sympy  # slow to load

        if self.clauses is not None:
            given = [with_tests_of_divisors(c, self.clauses) for c in self.clauses]
            return sympy.And(*[to_sympy(with_nonzero_divisors(c, self._empty()), self.symbols()) for c in given])
        return sympy.Or(*[sympy.And(c.where, *c.equations) for c in self.summary if c.condition() != FALSE])

    def term(self) -> Term:
        """The condition as the formula that solvers get."""
        return self.question.condition(self.data)

    def to_z3(self) -> Any:
        """The condition as a Z3 formula over integer constants of the symbols' names."""
        return to_z3(self.term())

    def to_smt2(self) -> str:
        """An SMT-LIB script by the checker: the obligations of the cases, their equations and their answers.

        Every check-sat has to return unsat; comments name and count what is left out. Raises Undecided if the budget
        ends before there is a certificate.
        """
        running, script = replace(self, budget=self.budget.started()), required("SMT-LIB", "symview.verify")
        text: str = script(str(self.question), running.certificate(), running.budget)
        return text

    def _blocks(self) -> Iterable[Block]:
        return self.question.blocks(self)

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.to_latex()}$"

    def to_latex(self) -> str:
        """The cases in LaTeX."""
        return self.question.latex(self.data)

    def certificate(self) -> dict[str, Any]:
        """Question, cases and witnesses as JSON, which `symview verify` checks without trusting this package.

        Raises Undecided if the budget ends.
        """
        return self.question.certificate(self.data, self.budget.started())

    def to_dict(self) -> dict[str, Any]:
        """The answer for JSON."""
        clauses = {} if self.clauses is None else {"clauses": [term_text(c) for c in self.clauses]}
        cases = [self.question.case_dict(c) for c in self.cases]
        return {**self.question.head(), "headline": self.headline(), **clauses, "cases": cases}

    def holds(self, values: Mapping[Any, int] | None = None) -> bool:
        """Whether the views merge at these values (keys: symbols or names); False out of bounds.

        With values for all symbols it is always decided: if the case is undecided, the question is answered for these
        numbers.
        Raises InputError for unknown, missing or inadmissible values, Undecided if a case is undecided and values are
        missing, or the budget ends.

        >>> from symview import View, conditions
        >>> c = conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)"))
        >>> c.holds({"s": 3}), c.holds({"s": 4, "a": 5, "b": 1, "c": 1})
        (True, True)
        """
        given = self._given({} if values is None else values)
        try:
            return self._says(given)
        except (Undecided, InputError):  # undecided, or a divisor in the condition is 0 there
            if any(n not in given for n in self.symbols()):
                raise
            return self.question.fits(given) and not isinstance(self.question.at(given, self.budget), Counterexample)

    def _says(self, given: Mapping[str, int]) -> bool:
        """The truth of the condition at these values."""
        if self.clauses is not None:
            return all_hold(self.clauses, given)
        case = self._case(given)
        return case is not None and bool(evaluate(case.condition(), given))

    def answer(self, values: Mapping[Any, int]) -> A | None:
        """The answer for numbers for all symbols; None if the answer is no."""
        given = self._all(values)
        holds, stated = self._stated(given)
        if holds is not None:
            return stated
        if not self.question.fits(given):
            return None
        found = self.question.at(given, self.budget)
        return None if isinstance(found, Counterexample) else found

    layout = answer

    def compare(self, guard: Any) -> GuardVerdict:
        """Compares a guard, as text or sympy, with the weakest condition, for all values of the symbols.

        TooWeak: it accepts values at which the views do not merge. TooStrong: it rejects values at which they do.
        Where the weakest condition is unknown, small values and then a proof decide whether the guard suffices, which
        is Sound if no value shows that it is too strong. Sizes are positive, and the assumptions hold. A guard is
        evaluated as in Python, from left to right with short circuits; one that divides by 0 rejects. Raises Undecided
        if the budget does not decide it, InputError for symbols that the query does not have.

        >>> from symview import View, reshape_conditions
        >>> c = reshape_conditions(View.parse("(B,S,D):(t0,t1,t2)"), View.parse("(B*S,D)").shape)
        >>> c.compare("t0 == S*t1")
        TooStrong({'B': 1, 'S': 1, 'D': 1, 't0': 0, 't1': 1, 't2': 0})
        """
        from symview.cases.guards import compare  # slow to load

        running = replace(self, budget=self.budget.started())
        asked = self, read_formula(guard, self.symbols(), "guard")
        return replace(compare(running, guard), outcome=self.question.yes, asked=asked)

    def under(self, formula: Term) -> Conditions[A] | None:
        """The conditions where a formula holds too; None for questions that are not asked again."""
        found: Conditions[A] | None = self.question.again((*self.assumed, formula), self.budget)
        return found

    def always(self) -> bool:
        """Whether the answer is yes for all values."""
        return {c.status for c in self.data.cases} == {Status.ALWAYS}

    def parts(self) -> Iterable[Self]:
        """The conditions in parts; on each, every condition can be evaluated. One part, except for some layouts."""
        return (replace(self, data=part) for part in self.question.parts(self.data, self.budget))

    def guards(self) -> str:
        """The condition as a Python expression to check at run time.

        It consists of comparisons, `and`, `or`, `not`, sums, `*`, `%` and `abs` of the symbols' names, and `//` by
        numbers. For injective views it may call `math.gcd`, and `symview.floor_sum` if steps have any length; their
        arguments may contain any `//`.

        >>> from symview import View, reshape_conditions
        >>> reshape_conditions(View.parse("(a,b):(s,t)"), View.parse("(a*b)").shape).guards()
        'a == 1 or b == 1 or s == b*t'
        """
        from symview.cases.guards import python_source  # slow to load

        return python_source(self.term(), self.facts, self.budget.started())

    def counterexample(self, values: Mapping[Any, int] | None = None) -> Counterexample | None:
        """The smallest values and index at which the answer is no; None if it is always yes.

        The symbols of sizes come first, each as small as those before it allow, then the others by the sum of their
        absolute values, then the index by its sum, then lexicographically. With `values`, which have to have all
        symbols, None means that the answer is yes there.
        """
        if values is None:
            from symview.cases.search import smallest_no  # slow to load

            return smallest_no(self.question, self.data, self.budget.started())
        found = self.question.at(self._all(values), self.budget)
        return found if isinstance(found, Counterexample) else None

    def examples(self, n: int = 10) -> tuple[Example, ...]:
        """Up to n examples for tests: for each condition, values at which the answer is yes, and others for no.

        All are distinct, small if possible, and nearest to the edge of a condition first; the same budget always
        returns the same ones. Each was checked in plain integers: `answer` is the answer at these values, or
        `counterexample` says why there is none. There are fewer than n if no more are found. Raises InputError for n
        below 1.

        >>> from symview import View, conditions
        >>> for example in conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)")).examples(4):
        ...     print(example)
        a = 1, b = 1, c = 1, s = 1: the views merge into (1):(0)
        a = 1, b = 1, c = 1, s = 24: at index (23): address 92 is out of bounds
        a = 5, b = 1, c = 1, s = 4: the views merge into (4):(2)
        a = 6, b = 1, c = 1, s = 4: at index (3) the element is at address 7; constant strides would put it at 6
        """
        running = replace(self, budget=self.budget.started())
        from symview.cases.examples import examples_of  # slow to load

        return examples_of(self.data, self.known(), list(self.symbols()), n, running.budget, running.example)

    def example(self, values: Mapping[Any, int], holds: bool | None = None) -> Example:
        """The example at these values of all symbols, by integers; InternalError if the conditions disagree."""
        given = self._all(values)
        said, stated = self._stated(given)
        from symview.cases.examples import example_at  # slow to load

        return example_at(self.question, given, self.budget, stated, said if holds is None else holds)

    def _stated(self, given: Mapping[str, int]) -> tuple[bool | None, A | None]:
        """The truth of the cases at values of all symbols, and the answer; None if undecided, or a divisor is 0."""
        try:
            case = self._case(given)
            said = case is not None and bool(evaluate(case.condition(), given))
        except (Undecided, InputError):
            return None, None
        return said, self.question.stated(case, given) if case is not None and said else None

    def sizes_agree(self, values: Mapping[str, int]) -> bool:
        """Whether the question makes sense at these values: a reshape keeps the number of elements."""
        return self.question.fits(values)

    def case(self, values: Mapping[Any, int]) -> Case | None:
        """The first case that these values satisfy; None if the cases need not cover all values and do not.

        Raises InputError if the cases should cover these values and do not.
        """
        given = self._given(values)
        data = self._case(given)
        return None if data is None else Case(data, self.symbols(), self._empty())

    def _case(self, given: Mapping[str, int]) -> CaseData | None:
        if not self.data.covers:
            return next((c for c in self.data.cases if true_at([c.place()], given)), None)
        for case in self.data.cases:
            if evaluate(case.where, given):
                return case
        shown = values_text(given)
        raise InputError(f"{shown}: no case is about these values; sizes are positive and keep to what was assumed")

    def _given(self, values: Mapping[Any, int]) -> dict[str, int]:
        """The values by name; if the cases do not cover all values, every symbol is required."""
        return self._values(values) if self.data.covers else self._all(values)

    def _values(self, values: Mapping[Any, int]) -> dict[str, int]:
        return read_values(values, self.symbols(), self.data)

    def _all(self, values: Mapping[Any, int]) -> dict[str, int]:
        """Values of all symbols, by name; raises InputError if one is missing."""
        given = self._values(values)
        missing = [n for n in self.symbols() if n not in given]
        if missing:
            raise InputError(f"missing value for {', '.join(missing)}: give every symbol: {', '.join(self.symbols())}")
        return given
