"""A rule of programs as one statement about integers: its names, and an index of the result.

Programs are read backwards from the index, as in `pieces`, only that divisions are left as they are. The statement is
the definition of what a rule says, where `pieces` proves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeAlias

from symview.errors import NotSupported
from symview.logic.budget import Budget
from symview.logic.polynomial import ONE, as_term, minus, poly_of
from symview.logic.terms import Term, conj, conjuncts, disj, fresh, names, negated, num, substituted, sym
from symview.rules.programs.asked import asked_by
from symview.rules.programs.program import Program, Rule
from symview.rules.programs.setting import Setting

Index: TypeAlias = tuple[Term, ...]
_ZERO, _ONE = num(0), num(1)


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
    """The statement of a rule without `...`. Raises NotSupported for programs that read through a view.

    >>> from symview.logic.notation import term_text
    >>> found = formula_of(Rule.parse("x(n).flip(0).flip(0) == x(n)"), (), Budget())
    >>> [term_text(f) for f in found.given]
    ['n >= 1', 'i0 >= 0', 'i0 < n']
    """
    if any(part.step.op == "read" for side in (rule.left, rule.right) for part in side.parts()):
        raise NotSupported(f"{rule}: what a read says is about every index")
    setting = Setting(rule, assumed, budget)
    taken = {*setting.names, "i"}
    indices = tuple(fresh(f"i{axis}", taken) for axis in range(rule.left.rank))
    index = tuple(map(sym, indices))
    least = [Term(">=", (size, num(low))) for size, low in setting.least]
    inside = [p for i, n in zip(index, rule.left.sizes, strict=True) for p in (_at_least(i, _ZERO), Term("<", (i, n)))]
    same = [Term("==", pair) for pair in zip(rule.left.sizes, rule.right.sizes, strict=True) if pair[0] != pair[1]]
    one, other = (list(_Backwards(setting).shown(side, index)) for side in (rule.left, rule.right))
    claim = conj((*_asked(rule.right), *same, *_covered(one, other), *_covered(other, one)))
    given = tuple(dict.fromkeys((*assumed, *rule.declared(), *least, *_asked(rule.left), *inside)))
    return RuleFormula(given, claim, indices)


def _at_least(a: Term, b: Term) -> Term:
    return Term(">=", (a, b))


def _asked(program: Program) -> Iterator[Term]:
    """What the operations ask, what is always so left out."""
    for part in program.parts():
        for relation, term, _ in asked_by(part):
            formula = Term(relation, (term.args[0] if term.op == "-" and term.args[1] == _ZERO else term, _ZERO))
            if not _is_known(formula):
                yield formula
        if part.step.op == "reshape" and part.before is not None:
            formula = Term("==", (_product(part.before.sizes), _product(part.sizes)))
            if not _is_known(formula):
                yield formula


def _product(sizes: Sequence[Term]) -> Term:
    return _ONE if not sizes else sizes[0] if len(sizes) == 1 else Term("*", tuple(sizes))


def _covered(ones: Sequence[_Shown], others: Sequence[_Shown]) -> Iterator[Term]:
    """Wherever the one side shows an element, the other shows the same."""
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


class _Backwards:
    """From an index of a program to the elements that it may show."""

    def __init__(self, setting: Setting) -> None:
        self.setting = setting

    def shown(self, program: Program, index: Index, guards: tuple[Term, ...] = ()) -> Iterator[_Shown]:
        """Each element with the guards under which it is shown."""
        op, given, _ = program.step
        before = program.before
        if before is None:
            yield _Shown(guards, given[0], index)
            return
        old = before.sizes
        match op:
            case "permute":
                index = tuple(index[given.index(a)] for a in range(len(given)))
            case "flip":
                index = tuple(
                    Term("-", (Term("-", (n, _ONE)), i)) if a in given else i
                    for a, (i, n) in enumerate(zip(index, old, strict=True))
                )
            case "shrink" | "slice":
                index = tuple(_moved(i, row) for i, row in zip(index, given, strict=True))
            case "pad":
                index = tuple(
                    i if row[0] == _ZERO else Term("-", (i, row[0])) for i, row in zip(index, given, strict=True)
                )
                for i, n, row in zip(index, old, given, strict=True):
                    guards += () if row[0] == _ZERO else (_at_least(i, _ZERO),)
                    guards += () if row[1] == _ZERO else (Term("<", (i, n)),)
            case "expand":
                index = tuple(i if m == n else _ZERO for i, m, n in zip(index, old, program.sizes, strict=True))
            case "reshape":
                index = self._reshaped(program, before, index)
            case "concat":
                axis, size = given[1] % len(index), before.sizes[given[1]]
                beyond = Term("-", (index[axis], size))
                moved = (*index[:axis], beyond, *index[axis + 1 :])
                yield from self.shown(given[0], moved, (*guards, _at_least(beyond, _ZERO)))
                guards = (*guards, Term("<", (index[axis], size)))
        yield from self.shown(before, index, guards)

    def _reshaped(self, program: Program, before: Program, index: Index) -> Index:
        """The digits, in the old shape, of the index's place in the new one; run by run of equal products."""
        moved = [_ZERO] * len(before.sizes)
        for run, of in self.setting.blocks(before.sizes, program.sizes):
            place: Term = _ZERO
            for k in of:
                place = index[k] if place == _ZERO else Term("+", (Term("*", (place, program.sizes[k])), index[k]))
            for k in reversed(run[1:]):
                moved[k], place = (Term(op, (place, before.sizes[k])) for op in ("%", "//"))
            if run:
                moved[run[0]] = place
        return tuple(moved)


def _moved(i: Term, row: tuple[Term, ...]) -> Term:
    """The index before a shrink or a slice."""
    step = i if len(row) < 3 or row[2] == _ONE else Term("*", (i, row[2]))
    return step if row[0] == _ZERO else Term("+", (row[0], step))


def without_equations(formula: RuleFormula, kept: Sequence[str]) -> RuleFormula:
    """The same about fewer names: those that an equation gives by the others are replaced, those kept excepted.

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
