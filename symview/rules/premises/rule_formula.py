"""A rule of programs as one statement about integers: its names, and an index of the result.

Programs are read backwards from the index, as in `pieces`, only that divisions are left as they are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from symview.logic.budget import Budget
from symview.logic.polynomial import ONE, as_term, minus, poly_of
from symview.logic.terms import Term, conj, conjuncts, disj, fresh, names, negated, num, substituted, sym
from symview.rules.programs.meaning import Blocks, arms, in_bounds, required
from symview.rules.programs.program import Program, Rule
from symview.rules.programs.setting import Setting

Index: TypeAlias = Sequence[Term]
_ZERO = num(0)


class RuleFormula(NamedTuple):
    """`claim` holds for all values that meet `given` exactly where the rule does; `indices` name the index."""

    given: tuple[Term, ...]
    claim: Term
    indices: tuple[str, ...]


class _Shown(NamedTuple):
    """Where the guards hold, this element of the tensor is shown."""

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
    taken = {*setting.names, "i"}
    indices = tuple(fresh(f"i{axis}", taken) for axis in range(rule.left.rank))
    index = tuple(map(sym, indices))
    least = [Term(">=", (size, num(low))) for size, low in setting.least]
    inside = [
        p for i, n in zip(index, rule.left.sizes, strict=True) for p in (Term(">=", (i, _ZERO)), Term("<", (i, n)))
    ]
    same = [Term("==", pair) for pair in zip(rule.left.sizes, rule.right.sizes, strict=True) if pair[0] != pair[1]]
    one, other = (list(_shown(side, index, setting.blocks)) for side in (rule.left, rule.right))
    claim = conj((*_asked(rule.right), *same, *_covered(one, other), *_covered(other, one)))
    given = tuple(dict.fromkeys((*assumed, *rule.declared(), *least, *_asked(rule.left), *inside)))
    return RuleFormula(given, claim, indices)


def _asked(program: Program) -> Iterator[Term]:
    """The requirements of the operations, without those that always hold and those on divisors."""
    for part in program.parts():
        if part.step.op == "read":
            yield in_bounds(part)
        asked = (one.formula() for one in required(part) if one.relation != "!=")
        yield from (formula for formula in asked if not _is_known(formula))


def _covered(ones: Sequence[_Shown], others: Sequence[_Shown]) -> Iterator[Term]:
    """Wherever one side has an element, the other has the same."""
    for one in ones:
        same = [
            conj(
                (
                    *other.guards,
                    *(Term("==", pair) for pair in zip(one.at, other.at, strict=True) if pair[0] != pair[1]),
                )
            )
            for other in others
            if other.tensor == one.tensor
        ]
        yield disj((*map(negated, one.guards), *same))


def _shown(program: Program, index: Index, blocks: Blocks, guards: tuple[Term, ...] = ()) -> Iterator[_Shown]:
    """The elements that may stand at an index, each with its guards."""
    if program.before is None:
        yield _Shown(guards, program.step.given[0], index)
    for arm in arms(program, index, blocks):
        more = tuple(Term(">=", (g, _ZERO)) for g in arm.guards)
        yield from _shown(arm.before, arm.moved(), blocks, (*guards, *more))


def without_equations(formula: RuleFormula, kept: Sequence[str]) -> RuleFormula:
    """Eliminates names that an equation gives by the others, but for those that are kept.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> said = RuleFormula((parse_statement("m == 2*n + 1"),), parse_statement("m > k"), ())
    >>> term_text(without_equations(said, ["k"]).claim)
    '2*n + 1 > k'
    """
    given, claim = list(formula.given), formula.claim
    while (found := next(filter(None, (_solved(f, kept) for f in given)), None)) is not None:
        by = dict([found])
        given = [f for f in (substituted(g, by) for g in given) if not _is_known(f)]
        claim = conj(f for f in (substituted(c, by) for c in conjuncts(claim)) if not _is_known(f))
    return RuleFormula(tuple(given), claim, formula.indices)


def _solved(f: Term, kept: Sequence[str]) -> tuple[str, Term] | None:
    """A name and what it is by the others."""
    if f.op != "==":
        return None
    opaque: dict[str, Term] = {}
    p = minus(poly_of(f.args[0], opaque), poly_of(f.args[1], opaque))
    for m, c in p.items():
        if len(m) == 1 and abs(c) == 1 and m[0] not in kept and m[0] not in opaque:
            rest = as_term({n: -c * d for n, d in p.items() if n != m}, opaque)
            if m[0] not in names(rest):
                return m[0], rest
    return None


def _is_known(f: Term) -> bool:
    """Whether it is an equation of equal polynomials, or compares numbers and is true."""
    if f.op not in ("==", ">=") or any(a.is_formula() for a in f.args):
        return False
    opaque: dict[str, Term] = {}
    p = minus(poly_of(f.args[0], opaque), poly_of(f.args[1], opaque))
    return not p or (f.op == ">=" and set(p) == {ONE} and p[ONE] > 0)
