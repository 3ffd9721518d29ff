"""The facades of conditions: what people and programs hold of an answer that is data.

`Conditions`, `Case` and `Witness` make of the formulas in `symview.answers` sympy, words, LaTeX, JSON, SMT-LIB and
Python; they look up values, and hand questions about the answer on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, NoReturn

from symview.answers import (
    AmbiguousTruth,
    CaseData,
    ConditionsData,
    Counterexample,
    Exact,
    Status,
    TooStrong,
    TooWeak,
    values_text,
)
from symview.certificates import of_conditions
from symview.displayed import Displayed
from symview.engine.index_map import index_text
from symview.errors import InputError
from symview.logic.budget import DEFAULT, Budget
from symview.logic.notation import term_text
from symview.logic.points import compiled
from symview.logic.sympy_bridge import domain, from_entry, sympy_equation, to_sympy, to_term
from symview.logic.terms import FALSE, Term, names, num, value_of, with_nonzero_divisors
from symview.questions.counterexamples import break_at, sizes_agree, smallest_break
from symview.questions.examples import Example, examples
from symview.questions.guards import compare, python_source
from symview.show.conditions import conditions_blocks
from symview.show.formulas import case_headline, case_text, equation_text, headline
from symview.show.grid import Block
from symview.show.latex import conditions_latex
from symview.show.notebook import Tabled
from symview.show.smtlib import script
from symview.symbolic.facts import read_formula
from symview.view import View

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True)
class Witness(Displayed):
    """An index that forces a condition.

    The step to `index` along `axis` has the overflow pattern `pattern` (1 where a boundary
    carries beyond its whole multiples, largest place value first), other than the axis' first
    step; `digits` are the outer view's digits there and `equation` is what it demands. `inner` is
    the inner view at the numbers at which this was seen, where its strides or offset are symbolic.
    """

    index: tuple[int, ...]
    axis: int
    pattern: tuple[int, ...]
    digits: tuple[int, ...]
    equation: sympy.Eq
    inner: View | None = None

    def __str__(self) -> str:
        return f"{index_text(self.index)} forces {equation_text(Term('==', tuple(map(to_term, self.equation.args))))}"


@dataclass(frozen=True, repr=False)
class Case(Displayed):
    """What holds for the sizes that satisfy `where`.

    `equations` are what the strides have to satisfy (none for `always`), `view` the merged view
    where they hold, with strides f(e_j) − f(0) as they come. `witnesses` force the equations,
    `reason` says why nothing is missing, or what stopped the search; `confirmed` that Z3 finds
    equations and constraints equivalent (False where the budget did not allow it). For `undecided` the
    equations are proved sufficient, and not known to be necessary. `data` has all of this as formulas.
    """

    data: CaseData
    symbols: Mapping[str, Any] = field(compare=False)
    empty: frozenset[str] = field(default=frozenset(), compare=False)  # names of sizes that may be 0

    @property
    def status(self) -> Status:
        """What holds here."""
        return self.data.status

    @property
    def reason(self) -> str:
        """Why nothing is missing, or what stopped the search."""
        return self.data.reason

    @property
    def confirmed(self) -> bool:
        """Whether Z3 found equations and constraints equivalent."""
        return self.data.confirmed

    @cached_property
    def where(self) -> sympy.Basic:
        """The condition on the sizes."""
        return to_sympy(with_nonzero_divisors(self.data.where, self.empty), self.symbols)

    @cached_property
    def equations(self) -> tuple[sympy.Eq, ...]:
        """What the strides have to satisfy, the leading monomial alone on the left."""
        return tuple([sympy_equation(e, self.symbols) for e in self.data.required])

    @cached_property
    def view(self) -> View | None:
        """The merged view, where the equations hold."""
        found = self.data.view
        if found is None:
            return None
        shape, strides = ([from_entry(x, self.symbols) for x in side] for side in (found.shape, found.strides))
        mask = found.mask
        if isinstance(mask, tuple):
            mask = [[from_entry(x, self.symbols) for x in pair] for pair in mask]
        return View(shape, strides, from_entry(found.offset, self.symbols), mask)

    @cached_property
    def witnesses(self) -> tuple[Witness, ...]:
        """Indices that force the equations."""
        found = [(w, sympy_equation(w.required, self.symbols)) for w in self.data.witnesses]
        return tuple([Witness(w.index, w.axis, w.pattern, w.digits, equation, w.inner) for w, equation in found])

    def substituted(self) -> View | None:
        """The merged view with the equations used, as far as they give a symbol by itself."""
        if self.view is None:
            return None
        known: dict[Any, Any] = {}
        for equation in reversed(self.equations):
            if equation.lhs.is_Symbol:
                known[equation.lhs] = equation.rhs.subs(known)
        if not known:
            return self.view
        swap = [x if isinstance(x, int) else x.subs(known) for x in (*self.view.strides, self.view.offset)]
        return View(self.view.shape, swap[:-1], swap[-1], self.view.mask)

    def condition(self) -> Term:
        """Mergeable within this case, as a formula."""
        return self.data.condition()

    def headline(self) -> str:
        """The status or the equations in words."""
        return case_headline(self.data)

    def __str__(self) -> str:
        return case_text(self.data)

    def __repr__(self) -> str:
        return f"<Case {self}>"

    def __hash__(self) -> int:
        return hash(self.data)

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON; expressions in the notation."""
        return {
            "where": term_text(self.data.where),
            "status": str(self.status),
            "equations": [equation_text(e, "*") for e in self.data.required],
            "view": None if self.view is None else str(self.view),
            "substituted": None if self.view is None else str(self.substituted()),
            "witnesses": [
                {
                    "index": list(w.index), "axis": w.axis, "pattern": list(w.pattern),
                    "digits": list(w.digits), "equation": equation_text(w.required, "*"),
                    **({} if w.inner is None else {"inner": str(w.inner)}),
                }
                for w in self.data.witnesses
            ],
            "reason": self.reason,
            "confirmed": self.confirmed,
        }  # fmt: skip


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
        return headline(self.data)

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
            return sympy.And(*[to_sympy(with_nonzero_divisors(c, self._empty()), self.symbols()) for c in self.clauses])
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
        return script(f"{self.views[0]} then {self.views[-1]}", self.certificate())

    def _blocks(self) -> Iterable[Block]:
        return conditions_blocks(self)

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
            "headline": str(self),
            **({} if self.clauses is None else {"clauses": [term_text(c) for c in self.clauses]}),
            "cases": [c.to_dict() for c in self.cases],
        }  # fmt: skip

    def holds(self, values: Mapping[Any, int] | None = None) -> bool:
        """Whether the views merge at these values (keys: symbols or names); False out of bounds.

        Raises InputError for unknown, missing or inadmissible values, Undecided where unsettled.

        >>> from symview import View, conditions
        >>> c = conditions(View.parse("(10,3,3):(a,b,c)"), View.parse("(s):(4)"))
        >>> c.holds({"s": 3}), c.holds({"s": 4, "a": 5, "b": 1, "c": 1})
        (True, True)
        """
        given = self._values(values or {})
        if self.clauses is not None:
            return _all_hold(self.clauses, given)
        return bool(_evaluate(self.case(given).condition(), given))

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
        return replace(compare(self, guard), asked=(self, read_formula(guard, self.symbols(), "guard")))

    def parts(self) -> Sequence[Conditions]:
        """The same in parts, in each of which every condition has a value; all in one, but for some layouts."""
        return [self]

    def guards(self) -> str:
        """The condition as a Python expression for a check at run time.

        It has comparisons, `and`, `or`, `not`, sums, `*`, `%` and `abs` of the symbols' names alone, and of injective
        views `gcd`, which is that of `math`.

        >>> from symview import View, reshape_conditions
        >>> reshape_conditions(View.parse("(a,b):(s,t)"), View.parse("(a*b)").shape).guards()
        'a == 1 or b == 1 or s == b*t'
        """
        return python_source(self.term(), self.facts, self.budget)

    def counterexample(self, values: Mapping[Any, int] | None = None) -> Counterexample | None:
        """The smallest values and index at which the merge breaks; None where it never does.

        Sizes come first, then strides by the sum of their absolute values, then the index by
        its sum, then lexicographically. With `values`, all symbols are given, and None means
        that the views merge there.
        """
        if values is None:
            return smallest_break(self.data, self.budget)
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
            if _evaluate(case.data.where, given):
                return case
        shown = values_text(given)
        raise InputError(f"{shown}: no case is about these values; sizes are positive and keep to what was assumed")

    def _values(self, values: Mapping[Any, int]) -> dict[str, int]:
        known = self.symbols()
        given: dict[str, int] = {}
        for key, value in values.items():
            name = key if isinstance(key, str) else getattr(key, "name", None)
            if name not in known:
                raise InputError(f"{key!r} is no symbol of this query; they are: {', '.join(known) or 'none'}")
            if type(value) is not int:
                raise InputError(f"{name} = {value!r}: give an int")
            given[name] = value
            if not all(value_of(fact, given) for fact in domain(known[name])):
                raise InputError(f"{name} = {value} contradicts what the symbol was declared as")
        for fact in self.data.assumed:
            reading = value_of if fact in self.facts else _from_left  # what is a fact has a value, or is refused
            if all(n in given for n in names(fact)) and not _evaluate(fact, given, reading):
                raise InputError(f"these values contradict the assumption {term_text(fact)}")
        for fact in self.facts:
            if all(n in given for n in names(fact)) and not _evaluate(fact, given, value_of):
                shown = values_text({n: given[n] for n in names(fact)})
                raise InputError(f"{shown} contradicts {term_text(fact)}; sizes are positive unless assumed otherwise")
        return given


def _all_hold(clauses: Sequence[Term], given: Mapping[str, int]) -> bool:
    """Whether every clause holds; one that divides by 0 counts only where no other one fails."""
    divided = None
    for clause in clauses:
        try:
            if not _evaluate(clause, given):
                return False
        except InputError as error:
            if any(n not in given for n in names(*clauses)):
                raise
            divided = error
    if divided is not None:
        raise divided
    return True


def _from_left(term: Term, given: Mapping[str, int]) -> int | bool:
    """The value, read from left to right and no further than needed."""
    order = tuple(given)
    return _reader(term, order)([given[n] for n in order])


@lru_cache(256)
def _reader(term: Term, order: tuple[str, ...]) -> Callable[[Sequence[int]], int | bool]:
    """One condition is often read at many values, and compiling it takes longer."""
    return compiled(term, order, "floor")


_names = lru_cache(256)(names)


def _evaluate(
    term: Term, given: Mapping[str, int], value: Callable[[Term, Mapping[str, int]], int | bool] = _from_left
) -> int | bool:
    missing = [n for n in _names(term) if n not in given]
    if missing:
        raise InputError(f"no value for {', '.join(missing)}: give all of {', '.join(names(term))}")
    try:
        return value(term, given)
    except ZeroDivisionError:
        raise InputError(f"{term_text(term)}: a divisor is 0 at these values") from None
