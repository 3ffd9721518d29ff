"""The question for a weakest premise: a statement, the symbols of the premise, and the assumptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from symview.errors import InputError, unknown_name
from symview.logic.budget import Budget
from symview.logic.polynomial import ONE, as_term, comparison, expanded, minus, operation_of, solutions
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import (
    Term,
    conj,
    conjuncts,
    disj,
    fresh,
    names,
    negated,
    node_count,
    nonzero_divisors,
    num,
    substituted,
    sym,
    walk,
)
from symview.proof.statement import Query, Statement, read
from symview.rules.programs.meaning import Blocks, arms, in_bounds, required
from symview.rules.programs.program import Program, Rule
from symview.rules.programs.setting import Setting

About: TypeAlias = str | Sequence[Any]  # names, as text or one by one, or symbols
Assumptions: TypeAlias = Statement | Sequence[Statement]


class Question(NamedTuple):
    """A statement about integers, the symbols of its premise, and the other symbols.

    `given` are the assumptions on the named symbols alone, and that their divisors are not 0; `context` are the
    assumptions that mention others.
    """

    query: Query
    named: tuple[str, ...]
    others: tuple[str, ...]
    given: tuple[Term, ...]
    context: tuple[Term, ...]
    division: str
    notes: frozenset[str]

    @property
    def claim(self) -> Term:
        """The statement."""
        return self.query.claim.term

    def formulas(self) -> tuple[Term, ...]:
        """The statement and all assumptions."""
        return (self.claim, *self.context, *self.given)

    def refuted(self) -> Term:
        """The formula that the assumptions on the others hold, the claim fails, and no divisor is 0."""
        parts = (*self.context, negated(self.claim))
        return conj((*(d for d in nonzero_divisors(parts) if not self.is_named(d)), *parts))

    def is_named(self, term: Term) -> bool:
        """Whether the term is over the named symbols alone."""
        return set(names(term)) <= set(self.named)

    def numbers(self) -> set[int]:
        """The numbers in the statement and the assumptions."""
        return numbers_in(self.formulas())


def numbers_in(formulas: Iterable[Term]) -> set[int]:
    """The numbers in the formulas."""
    return {t.args[0] for f in formulas for t in walk(f) if t.op == "int"}


def read_question(
    statement: Statement,
    about: About,
    assume: Statement | Sequence[Statement],
    division: str,
    budget: Budget,
) -> Question:
    """The question; raises InputError for names that do not occur, and if sympy's divisions are mixed with others.

    >>> question = read_question("x % m == x", "m", "0 <= x < m and m >= 1", "floor", Budget())
    >>> question.others, list(map(to_text, question.given))
    (('x',), ['m >= 1'])
    """
    query = read(statement, assume, division)
    divided = {f.division for f in query.formulas() if any(n.op in ("//", "%") for n in walk(f.term))}
    if len(divided) > 1:
        raise InputError(f"sympy's divisions round down, division={division!r}: give all as text, or floor division")
    return question_of(query, read_names(about, query.names()), budget)


def question_of(query: Query, named: tuple[str, ...], budget: Budget) -> Question:
    """The question under which condition on the named symbols the query's claim holds."""
    local = [a.term for a in query.assumptions if set(names(a.term)) <= set(named)]
    context = tuple(a.term for a in query.assumptions if a.term not in local)
    divisors = [d for d in nonzero_divisors((query.claim.term, *context, *local)) if set(names(d)) <= set(named)]
    divisors.sort(key=node_count)
    doubtful = [d for n, d in enumerate(divisors) if not is_impossible((*divisors[:n], *local, negated(d)), budget)]
    others = tuple(n for n in query.names() if n not in named)
    notes = frozenset(f"divisor {to_text(d)} assumed" for d in doubtful)
    return Question(query, named, others, (*doubtful, *local), context, query.division(), notes)


def read_names(about: About, known: Sequence[str]) -> tuple[str, ...]:
    """The names, from text with commas, a sequence or a single one; raises InputError for unknown names."""
    listed = about.strip().removeprefix("(").removesuffix(")").split(",") if isinstance(about, str) else about
    parts = listed if isinstance(listed, Iterable) else [listed]
    found = tuple(dict.fromkeys(p.strip() if isinstance(p, str) else getattr(p, "name", repr(p)) for p in parts))
    if found in ((), ("",)):
        raise InputError(
            f"about={about!r}: name the symbols that the premise is about, such as {', '.join(known[:2])!r}"
        )
    for name in found:
        if name not in known:
            raise InputError(f"about={about!r}: {unknown_name(name, known, 'statement')}")
    return found


# A rule of programs as one statement about integers: over its names, and an index of the result.


Index: TypeAlias = Sequence[Term]
_ZERO = num(0)


class RuleFormula(NamedTuple):
    """`claim` holds for all values that satisfy `given` exactly if the rule holds."""

    given: tuple[Term, ...]
    claim: Term


class _Element(NamedTuple):
    """The element of a tensor that is there if the guards hold."""

    guards: tuple[Term, ...]
    tensor: str
    at: Index


def formula_of(rule: Rule, assumed: Sequence[Term], budget: Budget) -> RuleFormula:
    """The statement of a rule without `...`.

    >>> from symview.logic.notation import term_text
    >>> found = formula_of(Rule.parse("x(n).flip(0).flip(0) == x(n)"), (), Budget())
    >>> [term_text(f) for f in found.given]
    ['n >= 1', 'i0 >= 0', 'i0 < n']
    """
    setting = Setting(rule, assumed, budget)
    index = [sym(fresh(f"i{axis}", {*setting.names, "i"})) for axis in range(rule.left.rank)]
    least = [Term(">=", (size, num(low))) for size, low in setting.least]
    pairs = zip(index, rule.left.sizes, strict=True)
    inside = [bound for i, n in pairs for bound in (Term(">=", (i, _ZERO)), Term("<", (i, n)))]
    same = _equations(rule.left.sizes, rule.right.sizes)
    one, other = (list(_elements(side, index, setting.blocks)) for side in (rule.left, rule.right))
    claim = conj((*_requirements(rule.right), *same, *_covered(one, other), *_covered(other, one)))
    given = tuple(dict.fromkeys((*assumed, *rule.declared(), *least, *_requirements(rule.left), *inside)))
    return RuleFormula(given, claim)


def _requirements(program: Program) -> Iterator[Term]:
    """The requirements of the operations, except those that always hold and those on divisors."""
    for part in program.parts():
        if part.step.op == "read":
            yield in_bounds(part)
        formulas = (one.formula() for one in required(part) if one.relation != "!=")
        yield from (formula for formula in formulas if not _is_known(formula))


def _covered(ones: Sequence[_Element], others: Sequence[_Element]) -> Iterator[Term]:
    """Formulas: wherever one side has an element, the other side has the same."""
    for one in ones:
        same = [other for other in others if other.tensor == one.tensor]
        there = [conj((*other.guards, *_equations(one.at, other.at))) for other in same]
        yield disj((*map(negated, one.guards), *there))


def _equations(one: Sequence[Term], other: Sequence[Term]) -> list[Term]:
    """The equations of the terms in pairs, except identical ones."""
    return [Term("==", (a, b)) for a, b in zip(one, other, strict=True) if a != b]


def _elements(program: Program, index: Index, blocks: Blocks, guards: tuple[Term, ...] = ()) -> Iterator[_Element]:
    """The elements that may be at an index, each with its guards."""
    if program.before is None:
        yield _Element(guards, program.step.given[0], index)
    for arm in arms(program, index, blocks):
        more = tuple(Term(">=", (g, _ZERO)) for g in arm.guards)
        yield from _elements(arm.before, arm.moved(), blocks, (*guards, *more))


def without_equations(formula: RuleFormula, kept: Sequence[str]) -> RuleFormula:
    """Substitutes names for which an equation can be solved, except the names in `kept`.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> said = RuleFormula((parse_statement("m == 2*n + 1"),), parse_statement("m > k"))
    >>> term_text(without_equations(said, ["k"]).claim)
    '2*n + 1 > k'
    """
    given, claim = list(formula.given), formula.claim
    while (found := next(filter(None, (_solved(f, kept) for f in given)), None)) is not None:
        by = dict([found])
        given = [f for f in (substituted(g, by) for g in given) if not _is_known(f)]
        claim = conj(f for f in (substituted(c, by) for c in conjuncts(claim)) if not _is_known(f))
    return RuleFormula(tuple(given), claim)


def _solved(f: Term, kept: Sequence[str]) -> tuple[str, Term] | None:
    """A name for which the equation can be solved, and its term over the others."""
    if f.op != "==":
        return None
    found = solutions(comparison(f, expanded)[1])
    solved = [(n, as_term(p)) for n, p in found if n not in kept and operation_of(n) is None]
    return next(((n, t) for n, t in solved if n not in names(t)), None)


def _is_known(f: Term) -> bool:
    """Whether the formula is an equation of equal polynomials, or a true comparison of numbers."""
    if f.op not in ("==", ">=") or any(a.is_formula() for a in f.args):
        return False
    p = minus(*map(expanded, f.args))
    return not p or (f.op == ">=" and set(p) == {ONE} and p[ONE] > 0)


def integer_question(rule: Rule, assumed: Sequence[Term], named: tuple[str, ...], budget: Budget) -> Question:
    """A rule without `...` as a question about integers, with few names besides `named`."""
    said = without_equations(formula_of(rule, assumed, budget), named)
    return question_of(read(said.claim, said.given, "floor"), named, budget)
