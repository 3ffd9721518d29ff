"""What symview answers: counterexamples, conditions by case, and the evidence for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NoReturn

from symview.engine.index_map import index_text
from symview.errors import InputError, SymviewError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.sympy_bridge import domain, evaluate, free_symbols, to_term, to_text
from symview.logic.terms import FALSE, TRUE, Term, conj, disj, names, value_of
from symview.view import View

if TYPE_CHECKING:
    import sympy


class Kind(StrEnum):
    """How a candidate for the merged view fails."""

    DISAGREE = "addresses disagree"
    VALID = "valid and should not be"
    INVALID = "not valid and should be"
    OUT_OF_BOUNDS = "out of bounds"
    NO_LAYOUT = "no layout"


class Status(StrEnum):
    """What holds in one case."""

    ALWAYS = "always"
    WHEN = "when"
    NEVER = "never"
    OUT_OF_BOUNDS = "out_of_bounds"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, repr=False)
class Counterexample:
    """Where no single view can do; falsy.

    At `index` the composition has address `got`, while every view that agrees with it at 0 and
    at the unit indices has `expected`; the step to `index` along `axis` (from 0) is one that
    breaks. `smallest`: no index comes before it by sum, then lexicographically. `values` are the
    numbers taken for symbols. Theorem 10 of "Merging tensor views" (N. uit de Bos, 2025).
    """

    kind: Kind
    index: tuple[int, ...]
    axis: int | None
    expected: int | None
    got: int | None
    smallest: bool = True
    values: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        where = "" if not self.values else " with " + ", ".join(f"{k} = {v}" for k, v in self.values.items())
        note = "" if self.smallest else " (perhaps not the smallest such index)"
        at = f"at index {index_text(self.index)}{where}"
        if self.kind is Kind.OUT_OF_BOUNDS:
            return f"{at}: address {self.got} is out of bounds{note}"
        if self.kind is Kind.DISAGREE:
            return f"{at}: one view would reach {self.expected}, the composition reaches {self.got}{note}"
        return f"{at}: {self.kind}{note}"

    def __repr__(self) -> str:
        extra = "" if self.smallest else ", smallest=False"
        extra += f", values={dict(self.values)!r}" if self.values else ""
        return (
            f"Counterexample({str(self.kind)!r}, {self.index!r}, axis={self.axis!r}, "
            f"expected={self.expected!r}, got={self.got!r}{extra})"
        )

    def __hash__(self) -> int:
        return hash((self.kind, self.index, self.axis, self.expected, self.got))

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {
            "kind": str(self.kind), "index": list(self.index), "axis": self.axis, "expected": self.expected,
            "got": self.got, "smallest": self.smallest, "values": dict(self.values),
        }  # fmt: skip


class Deferred(Counterexample):
    """A counterexample whose smallest index is searched for when it is first asked for.

    That there is one is already proved, so deciding does not pay for the search.
    """

    __slots__ = ("_search",)

    def __init__(self, kind: Kind, search: Callable[[], Counterexample]) -> None:
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "_search", search)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in Counterexample.__slots__:
            raise AttributeError(name)
        found = self._search()
        for slot in Counterexample.__slots__:
            object.__setattr__(self, slot, getattr(found, slot))
        return getattr(found, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counterexample) and self.to_dict() == other.to_dict()

    __hash__ = Counterexample.__hash__

    def __reduce__(self) -> Any:
        fields = (self.kind, self.index, self.axis, self.expected, self.got, self.smallest, dict(self.values))
        return (Counterexample, fields)


@dataclass(frozen=True, slots=True)
class Witness:
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
        return f"{index_text(self.index)} forces {equation_text(self.equation)}"


@dataclass(frozen=True, slots=True)
class Case:
    """What holds for the sizes that satisfy `where`.

    `equations` are what the strides have to satisfy (none for `always`), `view` the merged view
    where they hold, with strides f(e_j) − f(0) as they come. `witnesses` force the equations,
    `reason` says why nothing is missing, or what stopped the search; `confirmed` that Z3 finds
    equations and constraints equivalent (False where the budget did not allow it). For `undecided` the
    equations are proved sufficient, and not known to be necessary.
    """

    where: sympy.Basic
    status: Status
    equations: tuple[sympy.Eq, ...]
    view: View | None
    witnesses: tuple[Witness, ...] = field(default=(), compare=False)
    reason: str = field(default="", compare=False)
    constraints: tuple[Term, ...] = field(default=(), compare=False, repr=False)
    query: Term | None = field(default=None, compare=False, repr=False)
    confirmed: bool = field(default=True, compare=False, repr=False)

    def substituted(self) -> View | None:
        """The merged view with the equations used, as far as they give a symbol by itself."""
        if self.view is None:
            return None
        known: dict[Any, Any] = {}
        for equation in reversed(self.equations):
            left, right = equation.lhs, equation.rhs
            if left.is_Symbol:
                known[left] = right.subs(known)
        swap = [x if isinstance(x, int) else x.subs(known) for x in (*self.view.strides, self.view.offset)]
        return View(self.view.shape, swap[:-1], swap[-1], self.view.mask)

    def condition(self) -> Term:
        """Mergeable within this case, as a formula."""
        if self.status is Status.UNDECIDED:
            raise Undecided(self.reason)
        if self.status in (Status.NEVER, Status.OUT_OF_BOUNDS):
            return FALSE
        return conj(to_term(e) for e in self.equations)

    def headline(self) -> str:
        """The status or the equations in words."""
        match self.status:
            case Status.WHEN:
                return " and ".join(map(equation_text, self.equations))
            case Status.OUT_OF_BOUNDS:
                return "out of bounds"
            case Status.UNDECIDED:
                enough = " and ".join(map(equation_text, self.equations)) or "nothing"
                return f"undecided; {enough} is enough"
        return str(self.status)

    def __str__(self) -> str:
        where = where_text(self.where)
        return f"{where}: {self.headline()}" if where else self.headline()

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON; expressions in the notation."""
        return {
            "where": to_text(self.where),
            "status": str(self.status),
            "equations": [equation_text(e, "*") for e in self.equations],
            "view": None if self.view is None else str(self.view),
            "substituted": None if self.view is None else str(self.substituted()),
            "witnesses": [
                {
                    "index": list(w.index), "axis": w.axis, "pattern": list(w.pattern),
                    "digits": list(w.digits), "equation": equation_text(w.equation, "*"),
                    **({} if w.inner is None else {"inner": str(w.inner)}),
                }
                for w in self.witnesses
            ],
            "reason": self.reason,
            "confirmed": self.confirmed,
        }  # fmt: skip


class DeferredCases(Sequence[Case]):
    """Cases that are worked out when they are first looked at; the condition itself is known before."""

    def __init__(self, make: Callable[[], Iterable[Case]]) -> None:
        self._make = make
        self._found: tuple[Case, ...] | None = None

    @property
    def found(self) -> tuple[Case, ...]:
        """The cases."""
        if self._found is None:
            self._found = tuple(self._make())
        return self._found

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, at: Any) -> Any:
        return self.found[at]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self.found == tuple(other)

    def __hash__(self) -> int:
        return hash(self.found)

    def __repr__(self) -> str:
        return repr(self.found)

    def __reduce__(self) -> Any:
        return tuple, (self.found,)


@dataclass(frozen=True, slots=True, repr=False)
class Conditions:
    """The exact, weakest conditions under which `views` merge into one, by cases of the sizes.

    The views stand from the one that lays out memory, `outer`, to the last one, `inner`. The
    cases are disjoint and cover all values of the sizes. `str()` is the headline. Truth is
    ambiguous, so `bool()` raises: ask `holds(values)`, or look at `cases`.

    `clauses`, where there are any, are the whole condition as a conjunction, none of them needless;
    they are `source`, as it was before it was simplified, wherever `facts` hold: the assumptions,
    and that sizes are positive. `fitting`, of a reshape, says that the sizes agree.
    """

    views: tuple[View, ...]
    cases: Sequence[Case]
    assumed: tuple[Term, ...] = ()
    budget: Budget = field(default=DEFAULT, compare=False)
    clauses: tuple[Term, ...] | None = None
    facts: tuple[Term, ...] = field(default=(), compare=False)
    source: Term | None = field(default=None, compare=False)
    fitting: Term | None = field(default=None, compare=False)

    @property
    def outer(self) -> View:
        """The view that lays out memory; its strides may be symbolic."""
        return self.views[0]

    @property
    def inner(self) -> View:
        """The view that is looked through first; its shape is the merged view's."""
        return self.views[-1]

    def __bool__(self) -> NoReturn:
        raise AmbiguousTruth(
            "the truth of conditions depends on values: ask .holds({...}), or look at .cases and their status"
        )

    def __str__(self) -> str:
        return "\n".join(map(str, self.cases)) if self.clauses is None else clauses_text(self.clauses)

    def __repr__(self) -> str:
        shown = str(self).replace("\n", "; ")
        return f"<Conditions {' | '.join(map(str, self.views))}: {shown}>"

    def symbols(self) -> dict[str, Any]:
        """The symbols of the query by name."""
        return free_symbols([x for v in self.views for x in v.entries()])

    def formula(self) -> sympy.Basic:
        """The condition, with the bounds, as one sympy formula; raises Undecided where unsettled."""
        import sympy

        if self.clauses is not None:
            return sympy.And(*[evaluate(c, self.symbols()) for c in self.clauses])
        parts = []
        for case in self.cases:
            if case.condition() != FALSE:
                parts.append(sympy.And(case.where, *case.equations))
        return sympy.Or(*parts)

    def term(self) -> Term:
        """The condition as the formula that solvers get."""
        if self.clauses is not None:
            return conj(self.clauses)
        return disj(conj([to_term(c.where), c.condition()]) for c in self.cases if c.condition() != FALSE)

    def to_z3(self) -> Any:
        """The condition as a Z3 formula over integer constants of the symbols' names."""
        from symview.logic.z3_door import to_z3

        return to_z3(self.term())

    def to_smt2(self) -> str:
        """SMT-LIB: per case, that constraints and equations agree, and that no index is missing.

        Every check-sat has to answer unsat.
        """
        from symview.show.smtlib import script

        return script(self)

    def to_latex(self) -> str:
        """The cases in LaTeX."""
        from symview.show.latex import conditions_latex

        return conditions_latex(self)

    def to_dict(self) -> dict[str, Any]:
        """The answer for JSON."""
        return {
            "outer": str(self.outer), "inner": str(self.inner), "views": [str(v) for v in self.views],
            "headline": str(self),
            **({} if self.clauses is None else {"clauses": [to_text(c) for c in self.clauses]}),
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
        case = self._case(given)
        return bool(_evaluate(case.condition(), given))

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
        from symview.questions.guards import compare

        return compare(self, guard)

    def parts(self) -> Sequence[Conditions]:
        """The same in parts, in each of which every condition has a value; all in one, but for some layouts."""
        return [self]

    def guards(self) -> str:
        """The condition as a Python expression for a check at run time.

        It has comparisons, `and`, `or`, `not`, sums, `*` and `%` of the symbols' names alone.

        >>> from symview import View, reshape_conditions
        >>> reshape_conditions(View.parse("(a,b):(s,t)"), View.parse("(a*b)").shape).guards()
        'a == 1 or b == 1 or s == b*t'
        """
        from symview.questions.guards import python_source

        return python_source(self)

    def counterexample(self, values: Mapping[Any, int] | None = None) -> Counterexample | None:
        """The smallest values and index at which the merge breaks; None where it never does.

        Sizes come first, then strides by the sum of their absolute values, then the index by
        its sum, then lexicographically. With `values`, all symbols are given, and None means
        that the views merge there.
        """
        from symview.questions.counterexamples import break_at, smallest_break

        if values is None:
            return smallest_break(self)
        return break_at(self, self._values(values))

    def _case(self, given: Mapping[str, int]) -> Case:
        for case in self.cases:
            if _evaluate(to_term(case.where), given):
                return case
        shown = ", ".join(f"{k} = {v}" for k, v in given.items())
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
        for fact in self.assumed:
            if all(n in given for n in names(fact)) and not _evaluate(fact, given):
                raise InputError(f"these values contradict the assumption {to_text(fact)}")
        for fact in self.facts:
            if all(n in given for n in names(fact)) and not _evaluate(fact, given):
                shown = ", ".join(f"{n} = {given[n]}" for n in names(fact))
                raise InputError(f"{shown} contradicts {to_text(fact)}; sizes are positive unless assumed otherwise")
        return given


_MERGE = "the views merge"


@dataclass(frozen=True, slots=True)
class Exact:
    """A guard that is the weakest condition: it is true exactly where the views merge. Truthy."""

    holds: str = field(default=_MERGE, compare=False, repr=False)

    def __bool__(self) -> Literal[True]:
        return True

    def __str__(self) -> str:
        return f"exact: the guard holds exactly where {self.holds}"


@dataclass(frozen=True, slots=True)
class TooStrong:
    """A guard that refuses values for nothing: at `values` the views merge. Falsy."""

    values: Mapping[str, int]
    holds: str = field(default=_MERGE, compare=False, repr=False)

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"TooStrong({dict(self.values)!r})"

    def __str__(self) -> str:
        return f"too strong: it refuses {_assigned(self.values)}, where {self.holds}"

    def __hash__(self) -> int:
        return hash(tuple(self.values.items()))


@dataclass(frozen=True, slots=True)
class TooWeak:
    """A guard that lets through what breaks: at `values` the merge breaks at `index`. Falsy.

    `index` is None where there is no index to show: the sizes do not fit one another.
    """

    values: Mapping[str, int]
    index: tuple[int, ...] | None
    holds: str = field(default=_MERGE, compare=False, repr=False)

    def __bool__(self) -> Literal[False]:
        return False

    def __repr__(self) -> str:
        return f"TooWeak({dict(self.values)!r}, index={self.index!r})"

    def __str__(self) -> str:
        why = "the sizes do not fit" if self.index is None else f"the merge breaks at index {index_text(self.index)}"
        return f"too weak: it allows {_assigned(self.values)}, where {why if self.holds == _MERGE else 'there is none'}"

    def __hash__(self) -> int:
        return hash((tuple(self.values.items()), self.index))


def _assigned(values: Mapping[str, int]) -> str:
    return ", ".join(f"{n} = {v}" for n, v in values.items()) or "everything"


class AmbiguousTruth(SymviewError, TypeError):
    """The truth of an answer that is neither yes nor no was asked for."""


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


def _evaluate(term: Term, given: Mapping[str, int]) -> int | bool:
    missing = [n for n in names(term) if n not in given]
    if missing:
        raise InputError(f"no value for {', '.join(missing)}: give all of {', '.join(names(term))}")
    try:
        return value_of(term, given)
    except ZeroDivisionError:
        raise InputError(f"{to_text(term)}: a divisor is 0 at these values") from None


def clauses_text(clauses: Sequence[Term]) -> str:
    """A conjunction of clauses as the papers print it; "always" for none, "never" for a clause without alternatives."""
    if not clauses:
        return "always"
    if FALSE in clauses:
        return "never"
    shown = [_signs(to_text(c, "")) for c in clauses]
    alone = len(shown) == 1
    return " and ".join(s if alone or c.op != "or" else f"({s})" for s, c in zip(shown, clauses, strict=True))


def _signs(text: str) -> str:
    return text.replace("==", "=").replace("!=", "≠").replace(">=", "≥").replace("<=", "≤")


def equation_text(equation: Any, times: str = "") -> str:
    """An equation as the papers print it: `σ1 = 2σ2 + 3σ3`."""
    return f"{to_text(equation.lhs, times)} = {to_text(equation.rhs, times)}"


def where_text(where: Any) -> str:
    """A condition on sizes for people: `4 ≤ s ≤ 5`; empty where it is always true.

    >>> from symview.logic.notation import parse_statement
    >>> where_text(parse_statement("m >= 4 and n <= 3 and m <= 2*n or m == 1"))
    '(4 ≤ m ≤ 2n and n ≤ 3) or m = 1'
    """
    term = where if isinstance(where, Term) else to_term(where)
    if term == TRUE:
        return ""
    if term.op == "or":
        return " or ".join(f"({where_text(a)})" if a.op == "and" else where_text(a) for a in term.args)
    left, shown = list(term.args) if term.op == "and" else [term], list[str]()
    while left:
        one = left.pop(0)
        other = next((p for p in left if _range(one, p)), None)
        if other is not None:
            left.remove(other)
        shown.append(_part(one) if other is None else _range(one, other))
    return " and ".join(shown)


def _part(term: Term) -> str:
    return f"({where_text(term)})" if term.op == "or" else _signs(to_text(term, ""))


def _range(one: Term, other: Term) -> str:
    """Two comparisons, of which one bounds from below what the other bounds from above; empty for others."""
    for (a, below, x), (y, above, b) in ((_rising(one), _rising(other)), (_rising(other), _rising(one))):
        if below and above and x == y and x.op != "int" and a != b:
            return f"{to_text(a, '')} {below} {to_text(x, '')} {above} {to_text(b, '')}"
    return ""


def _rising(term: Term) -> tuple[Any, str, Any]:
    """The smaller side, the sign and the larger side of an inequality; no sign for other formulas."""
    if term.op in ("<=", "<"):
        return term.args[0], _signs(term.op), term.args[1]
    if term.op in (">=", ">"):
        return term.args[1], "≤" if term.op == ">=" else "<", term.args[0]
    return None, "", None
