"""What a statement says at the ends of the ranges of the other symbols, which often is all that it says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from symview.errors import InputError, NotSupported
from symview.logic.budget import Budget
from symview.logic.polynomial import ONE, as_term, comparison, minus, negative, poly_of
from symview.logic.solve import HINT, is_impossible
from symview.logic.terms import (
    FALSE,
    LEAVES,
    Term,
    conj,
    conjuncts,
    disj,
    names,
    negated,
    nonzero_divisors,
    num,
    substituted,
    value_of,
    walk,
)
from symview.rules.premises.cheapest import Part
from symview.rules.premises.question import Question
from symview.rules.premises.witnesses import Witness
from symview.rules.python_loops import Finder, Point

_MAX_CORNERS = 16  # corners
_COST_TO_READ = 9.0  # what they cost: more than most pairs of comparisons
_ZERO, _ONE = num(0), num(1)


class Corners:
    """The statement at the corners of the box that the assumptions make of the others, if they make one."""

    def __init__(self, question: Question, budget: Budget) -> None:
        self.question, self.budget = question, budget
        ranges = [ends for name in question.others if (ends := _ends(name, question)) is not None]
        self.found: dict[Witness, Term] = {}  # what the statement says at each corner
        self.needed: dict[Witness, Term] = {}  # the corners that say all that the others do
        self.empty: list[Term] = []  # where there is no box
        if ranges and len(ranges) == len(question.others) and 2 ** len(ranges) <= _MAX_CORNERS:
            for witness in product(*ranges):
                by = dict(zip(question.others, witness, strict=True))
                self.found[witness] = folded(substituted(question.claim, by))
            self.empty = [_below(*ends) for ends in ranges]

    def fitting(self, points: Sequence[Point], wanted: int) -> tuple[Part, list[Witness]] | None:
        """The statement at the corners, if it is true at just the wanted points; and which corners are needed.

        Where there is no box, it is true; what follows from other corners is left out.
        """
        empty = [e for e in self.empty if e != FALSE and self._where(e, points)]
        if not self.found or self._where(_both(empty, self.found.values()), points) != wanted:
            return None
        if not self.needed:
            self.needed = self._without_what_follows(empty)
        term = _both(empty, self.needed.values())
        return Part(_COST_TO_READ + 0.1 * _size(term), term, wanted), list(self.needed)

    def parts(self, points: Sequence[Point]) -> Iterator[Part]:
        """The statement at each corner, where it has a value at all the points."""
        for said in self.found.values():
            if self._where(conj(nonzero_divisors([said])), points) == (1 << len(points)) - 1:
                yield Part(_COST_TO_READ + 0.1 * _size(said), said, self._where(said, points))

    def _without_what_follows(self, empty: Sequence[Term]) -> dict[Witness, Term]:
        left, given = dict(self.found), (*self.question.given, *map(negated, empty))
        for witness in sorted(left, key=lambda w: _size(left[w])):
            rest = {w: said for w, said in left.items() if w != witness}
            if rest and is_impossible((*given, *rest.values(), negated(left[witness])), self.budget.at_most(HINT)):
                left = rest
        return left

    def _where(self, formula: Term, points: Sequence[Point]) -> int:
        """The points at which it is true, the first as the highest bit."""
        true = Finder(formula, (), self.question.named, self.question.division).each((), points)
        return sum(1 << n for n, one in enumerate(reversed(true)) if one)


def _both(empty: Iterable[Term], said: Iterable[Term]) -> Term:
    return disj((*empty, conj(part for one in said for part in conjuncts(one))))


def _size(term: Term) -> int:
    return sum(1 for _ in walk(term))


def _below(low: Term, high: Term) -> Term:
    """The formula high < low."""
    try:
        p = poly_of(Term("-", (high, low)))
    except (InputError, NotSupported):
        return Term("<", (high, low))
    more = {m: c for m, c in p.items() if c > 0 and m != ONE}
    return folded(Term("<=", (as_term(more), as_term(minus(minus(more, p), {ONE: 1})))))


def _ends(name: str, question: Question) -> tuple[Term, Term] | None:
    """The bounds of a name in the named symbols, where single assumptions state them."""
    ends: tuple[list[Term], list[Term]] = [], []
    for fact in (part for f in question.beside for part in conjuncts(f)):
        try:
            relation, p = comparison(fact)
        except (InputError, NotSupported):
            continue
        factor = p.pop((name,), 0)
        if abs(factor) == 1 and relation != "!=" and {n for m in p for n in m} <= set(question.named):
            for up in (0, 1):
                if relation == "==" or (factor < 0) == bool(up):
                    ends[up].append(as_term(p if factor < 0 else negative(p)))
    if not all(ends):
        return None
    low, high = (of[0] if len(of) == 1 else Term(op, tuple(of)) for op, of in zip(("max", "min"), ends, strict=True))
    return low, high


def folded(term: Term) -> Term:
    """Folds constants, drops zeros in sums, and simplifies products with 0 or 1.

    >>> from symview.logic.notation import parse_statement, term_text
    >>> term_text(folded(parse_statement("0*s + 7*(t + 0) - 0 <= n and 2 < 3")))
    '7*t <= n'
    """
    if term.op in LEAVES:
        return term
    op, args = term.op, tuple(map(folded, term.args))
    whole = Term(op, args)
    if op not in ("//", "%") and not names(whole):
        value = value_of(whole, {})
        return Term("bool", (value,)) if whole.is_formula() else num(value)
    if op in ("and", "or"):
        return (conj if op == "and" else disj)(args)
    if op == "*" and _ZERO in args and not any(node.op in ("//", "%") for node in walk(whole)):
        return _ZERO
    if op in ("+", "*"):
        args = tuple([a for a in args if a != (_ZERO if op == "+" else _ONE)])
        return args[0] if len(args) == 1 else Term(op, args)
    if op == "-" and _ZERO in args:
        return args[0] if args[1] == _ZERO else Term("*", (num(-1), args[1]))
    return whole
