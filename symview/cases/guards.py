"""Guards: the condition as a check at run time, and the comparison of a check with the condition."""

from __future__ import annotations

import keyword
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from math import gcd, prod
from typing import Any, NamedTuple, Protocol, TypeAlias

from symview.answers import Exact, GuardVerdict, Sound, TooStrong, TooWeak
from symview.cases.query import read_formula
from symview.cases.zero_divisors import Reading, branches, in_condition, in_python
from symview.counterexample import Counterexample, Kind
from symview.errors import InputError, NotSupported, Undecided
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.points import bounds_of, by_size, compiled
from symview.logic.solve import HINT, Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import (
    LEAVES,
    Term,
    conj,
    conjuncts,
    disj,
    names,
    negated,
    node_count,
    nonzero_divisors,
    num,
    walk,
    without_tests_of_divisors,
)

Values: TypeAlias = Mapping[str, int]


class Checked(Protocol):
    """Conditions that a guard is compared with: of views, or of layouts."""

    @property
    def budget(self) -> Budget:
        """The budget of a question."""

    @property
    def facts(self) -> tuple[Term, ...]:
        """The facts that the conditions presuppose."""

    def known(self) -> tuple[Term, ...]:
        """The facts, and that no entry of the question divides by 0."""

    def symbols(self) -> dict[str, Any]:
        """The symbols by name."""

    def term(self) -> Term:
        """The condition as one formula."""

    def parts(self) -> Iterable[Checked]:
        """The conditions in parts, on each of which every condition can be evaluated; Undecided if the budget ends."""

    def sizes_agree(self, values: Values) -> bool:
        """Whether there is an index to show at these values, should the condition fail there."""

    def counterexample(self, values: Mapping[Any, int] | None = None) -> Counterexample | None:
        """The place at which the condition fails for these values; None if it holds."""

    def holds(self, values: Mapping[Any, int] | None = None) -> bool:
        """Whether the answer is yes at these values."""

    def under(self, formula: Term) -> Checked | None:
        """The conditions where a formula holds; None if the question is not asked again."""

    def always(self) -> bool:
        """Whether the answer is yes for all values."""


_ANY_ORDER = ("and", "or", "==", "!=", "+", "*", "min", "max")
_NEAR = 4_000  # points tried before the solver
_AT_ONCE = 4  # nodes of a formula evaluated per budget step
_Search: TypeAlias = dict[str, int] | str | None  # values; why they were not found; or None if there are none


def compare(conditions: Checked, guard: Any) -> GuardVerdict:
    """See `Conditions.compare`. A guard that is too weak in one place is reported before one that is too strong."""
    given = without_tests_of_divisors(read_formula(guard, conditions.symbols(), "guard"))
    budget = conditions.budget.started()
    try:
        if _says_the_same(given, conditions, budget):
            return Exact()
    except Undecided as unknown:  # the weakest condition; numbers are decided nevertheless
        return _without_weakest(conditions, given, unknown)
    strong: TooStrong | None = None
    left: Undecided | None = None
    sound = True
    try:
        for part in conditions.parts():
            for there in by_divisors(Part(part.known(), given, part.term()), in_condition, budget):
                try:
                    found = _compared(part, there, budget)
                except Undecided as error:
                    left = error
                    continue
                if isinstance(found, TooWeak):
                    return found
                if isinstance(found, TooStrong):
                    sound = sound and found.sound == "proved"
                    strong = found if strong is None else strong
    except Undecided as error:
        left = error
    if strong is not None:
        return replace(strong, sound="proved" if sound and left is None else "values")
    if left is not None:
        raise left
    return Exact()


def _without_weakest(conditions: Checked, guard: Term, unknown: Undecided) -> GuardVerdict:
    """The verdict on a guard whose weakest condition is unknown: by small values, then by asking again under it."""
    wanted, known = list(conditions.symbols()), tuple(conditions.known())
    allowed, passes = (_is_true(compiled(f, wanted, "floor")) for f in (conj(known), guard))
    strong: TooStrong | None = None
    for point in islice(by_size(bounds_of(conditions.facts, wanted)), _NEAR):
        if not allowed(point):
            continue
        lets, values = passes(point), dict(zip(wanted, point, strict=True))
        if (lets or strong is None) and conditions.holds(values) != lets:
            if lets:
                return _too_weak(conditions, values)
            strong = TooStrong(values, "values")
    sound = True
    try:
        for where in _where_true(guard, known, conditions.budget.started()):
            again = conditions.under(conj(where))
            if again is None or not again.always():
                sound = False
                broken = None if again is None else again.counterexample()
                there = () if broken is None else [broken.values.get(n, 1) for n in wanted]
                if broken is not None and allowed(there) and passes(there):
                    return _too_weak(conditions, broken.values)
    except (InputError, Undecided):  # InputError: no values of this question are there, which was not proved above
        sound = False
    if not sound and strong is None:
        raise unknown
    return Sound() if strong is None else replace(strong, sound="proved" if sound else "values")


def _is_true(formula: Callable[[Any], Any]) -> Callable[[Sequence[int]], bool]:
    """Whether a check is true at a point; one that divides by 0 ends with an error, and lets nothing pass."""

    def is_true(point: Sequence[int]) -> bool:
        try:
            return bool(formula(point))
        except ZeroDivisionError:
            return False

    return is_true


def _where_true(guard: Term, known: tuple[Term, ...], budget: Budget) -> Iterator[tuple[Term, ...]]:
    """Formulas that divide by no 0 and together hold where the guard does, with the facts, as Python reads it."""
    for there in branches(known, (guard,), (in_python,), budget):
        where = (*there.facts, *there.formulas)
        if not is_impossible(where, budget.at_most(HINT)):
            yield where


def _too_weak(conditions: Checked, values: Values) -> TooWeak:
    broken = conditions.counterexample(values) if conditions.sizes_agree(values) else None
    return TooWeak(dict(values), None if broken is None or broken.kind is Kind.NO_LAYOUT else broken.index)


class Part(NamedTuple):
    """Facts under which no divisor is 0, with the guard and the condition there."""

    facts: tuple[Term, ...]
    guard: Term
    condition: Term


def _says_the_same(guard: Term, conditions: Checked, budget: Budget) -> bool:
    """Whether the guard has the same alternatives as the condition in any order, and no alternative divides by 0.

    Alternatives without divisions may differ if they are proved equivalent.
    """
    facts = conditions.facts
    sides = [_alternatives(f) for f in (guard, without_tests_of_divisors(conditions.term()))]
    mine, yours = ([_ordered(a) for a in side] for side in sides)
    own, other = ([a for a in x if a not in y] for x, y in ((mine, yours), (yours, mine)))
    return (
        not nonzero_divisors([*own, *other])
        and all(_always_has_value(a, facts, budget) for side in sides for a in side)
        and all(
            is_impossible([*facts, disj(x), negated(disj(y))], budget.at_most(HINT))
            for x, y in ((own, other), (other, own))
            if x
        )
    )


def _alternatives(formula: Term) -> Sequence[Term]:
    return formula.args if formula.op == "or" else (formula,)


def _always_has_value(alternative: Term, facts: Sequence[Term], budget: Budget) -> bool:
    """Whether each part of a conjunction excludes that divisors of later parts are 0."""
    known = Entailment(facts, budget.at_most(HINT))
    for part in conjuncts(alternative):
        if not all(map(known.implies, nonzero_divisors([part]))):
            return False
        known = known.also(part)
    return True


def _ordered(term: Term) -> Term:
    """The term with operands of commutative operators sorted."""
    if term.op in LEAVES:
        return term
    args = [_ordered(a) for a in term.args]
    if term.op == "neg":
        return num(-args[0].args[0]) if args[0].op == "int" else _ordered(Term("*", (num(-1), args[0])))
    if term.op == "*":
        args = [f for a in args for f in (a.args if a.op == "*" else (a,))]
    return Term(term.op, tuple(sorted(args, key=repr) if term.op in _ANY_ORDER else args))


def by_divisors(part: Part, condition: Reading, budget: Budget) -> Iterator[Part]:
    """Splits a part by which divisors are 0; the guard is read as in Python, the condition as is said.

    Parts where both have become equal are left out. Raises Undecided if the budget ends.
    """
    said = branches(part.facts, part[1:], (in_python, condition), budget, lambda said: said[0] == said[1])
    for there in said:
        yield Part(there.facts, *there.formulas)


def _compared(conditions: Checked, part: Part, budget: Budget) -> Exact | TooStrong | TooWeak:
    """The verdict where no divisor is 0; small values are tried first."""
    facts, guard, condition = part
    weak: _Search
    strong: _Search
    weak, strong = nearby(list(conditions.symbols()), part, budget)
    if weak is None:
        weak = _far(conditions, (*facts, guard, negated(condition)), budget)
    if isinstance(weak, dict):
        return _too_weak(conditions, weak)
    if strong is None:
        strong = _far(conditions, (*facts, condition, negated(guard)), budget)
    if isinstance(strong, dict):
        return TooStrong(strong, "proved" if weak is None else "values")
    for verdict, side in ((weak, "lets a break pass"), (strong, "refuses for nothing")):
        if isinstance(verdict, str):
            raise Undecided(f"whether the guard {side}: {verdict}")
    return Exact()


def nearby(wanted: Sequence[str], part: Part, budget: Budget, count: int = _NEAR) -> tuple[_Search, _Search]:
    """The first small values at which the guard is too weak, and the first at which it is too strong."""
    facts, guard, condition = part
    ranges = bounds_of(facts, wanted)
    known = conj((*nonzero_divisors(facts), *facts))
    allowed, passes, merges = (compiled(f, wanted, "floor") for f in (known, guard, condition))
    strong: dict[str, int] | None = None
    budget.count(node_count(known, guard, condition) * count // _AT_ONCE)
    for point in islice(by_size(ranges), count):
        try:
            if not allowed(point) or bool(passes(point)) == bool(merges(point)):
                continue
        except ZeroDivisionError:
            continue
        values = dict(zip(wanted, point, strict=True))
        if passes(point):
            return values, strong
        strong = strong or values
    return None, strong


def _far(conditions: Checked, formulas: Sequence[Term], budget: Budget) -> _Search:
    """Values that satisfy the formulas, by the solver."""
    answer = solve(formulas, budget)
    if isinstance(answer, Unsat):
        return None
    if isinstance(answer, Sat):
        return {n: answer.model.get(n, 1) for n in conditions.symbols()}
    return answer.reason


class _Fraction(NamedTuple):
    """An integer term over a positive one."""

    top: Term
    bottom: Term


_ONE = num(1)


def python_source(condition: Term, facts: Sequence[Term], budget: Budget) -> str:
    """See `Conditions.guards`."""
    for name in names(condition):
        if not name.isidentifier() or keyword.iskeyword(name) or unicodedata.normalize("NFKC", name) != name:
            raise InputError(f"{name} is not a name in Python: rename the symbol to have guards")
    found = _dividing_by_no_zero(without_division(condition, facts, budget), Entailment(facts, budget))
    for name in {node.op for node in walk(found)}.intersection(names(found)):
        raise InputError(f"{name} is a function in this condition: rename the symbol to have guards")
    return to_text(found)


def _dividing_by_no_zero(formula: Term, known: Entailment) -> Term:
    """The formula with `d != 0 and` before each comparison that divides by d, unless what comes before excludes 0."""
    op, args = formula
    needed = nonzero_divisors([formula])
    if not needed:
        return formula
    if op == "not":
        return Term(op, (_dividing_by_no_zero(args[0], known),))
    if op not in ("and", "or"):
        return conj((*(d for d in needed if not known.implies(d)), formula))
    parts = list[Term]()
    for part in args:  # Python goes on after a part that is true, or false
        parts.append(_dividing_by_no_zero(part, known))
        if op == "and":
            known = known.also(part)
        elif not nonzero_divisors([part]):
            known = known.also(negated(part))
    return (conj if op == "and" else disj)(parts)


def without_division(condition: Term, facts: Sequence[Term], budget: Budget) -> Term:
    """An equivalent formula under the facts, without quotients except by positive numbers and within functions.

    Raises NotSupported for operations without a function in Python.
    """
    if all(node.op not in ("//", "%", "->", "<->") for node in walk(condition)):
        return condition
    plain = [c for c in conjuncts(condition) if not nonzero_divisors([c])]
    return _without_division(condition, Entailment([*facts, *plain], budget))


def _without_division(formula: Term, known: Entailment) -> Term:
    """The formula with both sides of each comparison multiplied by the denominators, which are known to be positive."""
    op, args = formula
    if op == "bool":
        return formula
    if op == "<->":
        both = [_without_division(a, known) for a in args]
        return Term("or", (conj(both), conj(map(negated, both))))
    if op == "->":
        return Term("or", (negated(_without_division(args[0], known)), _without_division(args[1], known)))
    if op == "and":
        return conj(_one_after_another(args, known))
    if op in ("or", "not"):
        return Term(op, tuple(_without_division(a, known) for a in args))
    divisors = [t.args[1] for t in walk(formula) if t.op in ("//", "%")]
    if all(map(_is_positive, divisors)):
        return formula
    (a, b), (c, d) = (_fraction(x, known) for x in args)
    return Term(op, (_times(a, d), _times(c, b)))


def _one_after_another(parts: Sequence[Term], known: Entailment) -> Iterator[Term]:
    """The parts of a conjunction, each rewritten under those before it and under all parts without division."""
    known = known.also(*(p for p in parts if not nonzero_divisors([p])))
    for part in parts:
        yield _without_division(part, known)
        divided = nonzero_divisors([part])
        if divided and all(known.implies(d) for d in divided):
            known = known.also(part)


def _fraction(term: Term, known: Entailment) -> _Fraction:
    """The value as a fraction with remainders: x//y is (x − x % y)/y, also if x and y are fractions."""
    op, args = term
    if op in ("int", "sym", "gcd", "floor_sum"):  # functions of integers, whose arguments may keep quotients
        return _Fraction(term, _ONE)
    parts = [_fraction(a, known) for a in args]
    if op == "neg":
        return _Fraction(Term("neg", (parts[0].top,)), parts[0].bottom)
    if op == "abs":
        return _Fraction(Term("abs", (parts[0].top,)), parts[0].bottom)
    if op in ("+", "-"):
        bottoms = [p.bottom for p in parts]
        tops = [_times(p.top, *(b for m, b in enumerate(bottoms) if m != n)) for n, p in enumerate(parts)]
        return _Fraction(Term(op, tuple(tops)), _times(*bottoms))
    if op == "*":
        return _reduced(_times(*(p.top for p in parts)), _times(*(p.bottom for p in parts)))
    if op in ("min", "max"):
        whole = _times(*(p.bottom for p in parts))
        others = [_times(*(q.bottom for m, q in enumerate(parts) if m != n)) for n in range(len(parts))]
        return _Fraction(Term(op, tuple([_times(p.top, o) for p, o in zip(parts, others, strict=True)])), whole)
    if op not in ("//", "%"):
        raise NotSupported(f"a guard with {op}: {to_text(term)}")
    return _quotient(op, parts[0], parts[1], known)


def _reduced(top: Term, bottom: Term) -> _Fraction:
    """The fraction with its numeric factors in lowest terms."""
    scales = [t.args[0] if t.op == "int" else t.args[0].args[0] if t.op == "*" and t.args[0].op == "int" else 1
              for t in (top, bottom)]  # fmt: skip
    if (common := gcd(*scales)) <= 1:
        return _Fraction(top, bottom)
    rests = [() if t.op == "int" else t.args[1:] for t in (top, bottom)]
    return _Fraction(*(_times(num(s // common), *rest) for s, rest in zip(scales, rests, strict=True)))


def _quotient(op: str, x: _Fraction, y: _Fraction, known: Entailment) -> _Fraction:
    """x//y or x % y for nonzero y: Python's remainders have the sign of the divisor, as here."""
    top, bottom = _times(x.top, y.bottom), _times(x.bottom, y.top)
    rest = Term("%", (top, bottom))
    if op == "%":
        return _Fraction(rest, _times(x.bottom, y.bottom))
    whole = Term("-", (top, rest))
    if _is_positive(y.top) or known.implies(Term(">", (y.top, num(0)))):
        return _Fraction(whole, bottom)
    if known.implies(Term("<", (y.top, num(0)))):
        return _Fraction(Term("neg", (whole,)), Term("neg", (bottom,)))
    return _Fraction(_times(whole, bottom), _times(bottom, bottom))


def _is_positive(term: Term) -> bool:
    """Whether the term is a positive number."""
    return term.op == "int" and term.args[0] > 0


def _times(*factors: Term) -> Term:
    """The product, with its numeric factors as one number in front."""
    scale = prod(f.args[0] for f in factors if f.op == "int")
    if scale == 0:
        return num(0)
    found = [*([num(scale)] if scale != 1 else []), *(f for f in factors if f.op != "int")]
    return _ONE if not found else found[0] if len(found) == 1 else Term("*", tuple(found))
