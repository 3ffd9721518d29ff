"""Decides formulas with products if Z3's own arithmetic gives no quick answer, in three ways in turn.

1. Case by case, by the residues of the variables modulo the constant coefficients, if these are few.
2. The linear relaxation (`Linearised`), in which each monomial is a variable. If a product in Z3's model does not match
   its factors, it adds facts that hold for all integers and fail in this model. So "unsatisfiable" holds for all
   integers, and a model counts only after it replays. If that gets stuck, equations are conjectured from the model,
   and proved as separate lemmas; each then eliminates a variable.
3. Z3's nonlinear arithmetic, for as long as the budget allows.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, combinations, islice, product
from math import lcm, prod
from typing import NamedTuple

from symview.errors import NotSupported
from symview.logic.budget import DEFAULT, Budget
from symview.logic.polynomial import (
    ONE,
    Monomial,
    Poly,
    as_linear,
    compared,
    comparison,
    forms,
    given_by,
    label,
    linear_formula,
    minus,
    negative,
    over,
    plus,
    quotient,
    substitute,
    times,
    value,
)
from symview.logic.terms import Term, conj, conjuncts, fresh, names, num, sym, value_of, with_comparisons
from symview.logic.z3_door import Answer, Conversation, Open, Sat, Unsat, check, needed

_FACTS_PER_ROUND = 16
_MAX_CANDIDATES = 20_000
_WORK_PER_PRODUCT = 30  # the approximate cost of one product

Pair = tuple[Poly, Poly]
Watched = tuple[Poly, Poly, Poly]  # two forms and their product
BRIEF, _WORK_PER_WAY = 700_000, 3_000_000  # Z3 does about three million steps a second
_MAX_ROUNDS, _MAX_LEMMA_ROUNDS = 60, 30
_MAX_LEMMAS, _MAX_CONJECTURES = 6, 12
_MAX_RESIDUES = 36  # most combinations of residues


class Linearised:
    """The formulas after solving equations, their relaxation, and the products to watch in it.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.budget import DEFAULT
    >>> Linearised((parse_statement("a*b < 0 and a >= 0 and b >= 0"),), DEFAULT).decide(9)
    Unsat()
    """

    def __init__(self, formulas: tuple[Term, ...], budget: Budget) -> None:
        self.formulas, self.budget = formulas, budget
        self.names = names(*formulas)
        self.parts, self.solved = _solve_equations([part for f in formulas for part in conjuncts(f)])
        bounded = forms(self.parts)
        self.monomials = closure(m for form in bounded for m in form)
        self.watched = watched_products(bounded, self.monomials, budget)
        self.talk = Conversation(budget)
        self.stuck: dict[Monomial, int] | None = None
        self.stated: list[tuple[Pair, Term]] = []  # products, and the facts added about them

    def decide(self, rounds: int, about: Poly | None = None) -> Answer:
        """Sat, replayed; Unsat; or Open, where `stuck` may have a model that no known fact excludes.

        Facts about multiples of `about` are added at the start.
        """
        more = [linear_formula(part) for part in self.parts]
        more += self._state([((p, q), f) for p, q, _ in self.watched if about in (p, q) for f in _sign_facts(p, q)])
        for _ in range(rounds):
            answer = self.talk.check(more)
            if not isinstance(answer, Sat):
                return answer
            model = {m: answer.model.get(label(m), 0) for m in self.monomials}
            if (found := self._replayed(model)) is not None:
                return found
            more = self._violated(model)
            if not more:
                self.stuck = model
                break
        return Open("no fact about products settles it")

    def _state(self, facts: Sequence[tuple[Pair, Term]]) -> list[Term]:
        self.stated += facts
        return [fact for _, fact in facts]

    def products(self) -> list[Pair]:
        """The products that the proof of unsatisfiability needs."""
        said = [linear_formula(part) for part in self.parts]
        core = needed([*said, *[fact for _, fact in self.stated]], self.budget)
        places = range(len(self.stated)) if core is None else [n - len(said) for n in core if n >= len(said)]
        pairs = [self.stated[n][0] for n in places]
        return list({frozenset((frozenset(p.items()), frozenset(q.items()))): (p, q) for p, q in pairs}.values())

    def conjectures(self) -> list[Poly]:
        """Polynomials that vanish in the model where the search is stuck, and express one variable by the others."""
        if self.stuck is None:
            return []
        watched = {frozenset(f.items()): f for p, q, _ in self.watched for f in (p, q) if len(f) > 1}
        zero = [f for f in watched.values() if value(f, self.stuck) == 0 and given_by(f) is not None]
        zero = list({frozenset((frozenset(f.items()), frozenset(negative(f).items()))): f for f in zero}.values())
        return sorted(zero, key=lambda f: (-max(map(len, f)), -len(f)))

    def _replayed(self, model: Mapping[Monomial, int]) -> Sat | None:
        """The model's variables as an answer, if they satisfy the formulas with exact products."""
        values = {m[0]: v for m, v in model.items() if len(m) == 1}
        for name, by in reversed(self.solved):
            values[name] = sum(c * prod(values.get(n, 0) for n in m) for m, c in by.items())
        values = {n: values.get(n, 0) for n in self.names}
        return Sat(values) if all(value_of(f, values) for f in self.formulas) else None

    def _violated(self, model: Mapping[Monomial, int]) -> list[Term]:
        """Facts about products that the model violates, the shortest first."""
        self.budget.spend(_WORK_PER_PRODUCT * len(self.watched))
        broken = (watched for watched in self.watched if breaks_sign(watched, model))
        chosen = heapq.nsmallest(_FACTS_PER_ROUND, broken, key=lambda w: len(w[0]) + len(w[1]))
        return self._state([((p, q), _sign_fact(p, q, model)) for p, q, _ in chosen])


def _solve_equations(parts: list[Term]) -> tuple[list[Term], list[tuple[str, Poly]]]:
    """Eliminates each variable that an equation expresses as a polynomial in the others."""
    parts = [with_comparisons(part, lambda c: compared(*comparison(c))) for part in parts]
    solved: list[tuple[str, Poly]] = []
    while True:
        equations = ((part, given_by(comparison(part)[1])) for part in parts if part.op == "==")
        equation, given = next((pair for pair in equations if pair[1] is not None), (None, None))
        if given is None:
            return parts, solved
        solved.append(given)
        parts = [_without(part, *given) for part in parts if part is not equation]


def _without(formula: Term, name: str, by: Poly) -> Term:
    """Substitutes for the variable in the formula."""

    def replaced(part: Term) -> Term:
        relation, p = comparison(part)
        return compared(relation, substitute(p, name, by)) if any(name in m for m in p) else part

    return with_comparisons(formula, replaced)


# The products to watch


def closure(monomials: Iterable[Monomial]) -> dict[Monomial, None]:
    """The monomials and all their divisors, up to degree 6, in order of first appearance."""
    found: dict[Monomial, None] = {}
    for m in monomials:
        if m:
            found[m] = None
            for size in range(1, len(m)) if len(m) <= 6 else (1,):
                found.update(dict.fromkeys(combinations(m, size)))
    return found


def _splits(monomial: Monomial) -> Iterator[tuple[Monomial, Monomial]]:
    """The ways to write a monomial as a product of two."""
    seen = set()
    for size in range(1, len(monomial) // 2 + 1):
        for part in combinations(monomial, size):
            rest = over(monomial, part)
            if rest is not None and (pair := tuple(sorted((part, rest)))) not in seen:
                seen.add(pair)
                yield part, rest


def watched_products(
    forms: Sequence[Poly], monomials: Mapping[Monomial, None], budget: Budget = DEFAULT
) -> list[Watched]:
    """Pairs of forms whose product contains only monomials of the query."""
    known = {ONE, *monomials}
    candidates = chain(
        (({u: 1}, {w: 1}) for m in monomials if len(m) > 1 for u, w in _splits(m)),
        _differences(monomials),
        ((form, w) for form in forms if 1 < len(form) <= 4 for w in _factors(monomials)),
        _quotients(forms, monomials),
    )
    unique: dict[object, Watched] = {}
    for n, (p, q) in enumerate(islice(candidates, _MAX_CANDIDATES)):
        if n % 64 == 63:
            budget.spend(64 * _WORK_PER_PRODUCT)
        both = times(p, q)
        if all(m in known for form in (p, q, both) for m in form):
            unique.setdefault(frozenset((frozenset(p.items()), frozenset(q.items()))), (p, q, both))
    return list(unique.values())


def _differences(monomials: Mapping[Monomial, None]) -> Iterator[Pair]:
    """Pairs (u - v, w): if u·w and v·w are equal, or less than w apart, u - v is determined."""
    for w in monomials:
        cofactors = [u for m in monomials if (u := over(m, w)) is not None]
        for u, v in combinations(cofactors, 2):
            yield minus({u: 1}, {v: 1}), {w: 1}


def _factors(monomials: Mapping[Monomial, None]) -> list[Poly]:
    """Candidate divisors of a form: variables and products that divide some monomial."""
    return [{w: 1} for w in monomials if any(len(m) > len(w) and over(m, w) is not None for m in monomials)]


def _quotients(forms: Sequence[Poly], monomials: Mapping[Monomial, None]) -> Iterator[Pair]:
    """Pairs (e, w) where w·e is the part of a form, or of the sum of two, that w divides.

    So e·y = r' - r, with both remainders below y, implies e = 0; and bounds transfer to cofactors.
    """
    factors, small = _factors(monomials), [f for f in forms if len(f) <= 8]
    cancelling = ((p, q) for p, q in combinations(small, 2) if any(p.get(m, 0) == -c for m, c in q.items() if m))
    sums = (plus(p, q) for p, q in cancelling)
    for form in chain(small, sums):
        for w in factors:
            e = quotient(form, w)
            if len(e) > 1 or any(len(m) > 0 for m in e):
                yield e, w


# Facts about products


def breaks_sign(watched: Watched, model: Mapping[Monomial, int]) -> bool:
    """Whether the model's product violates p·q having the sign of both factors, and |p·q| >= |p| + |q| - 1."""
    a, b, both = (value(form, model) for form in watched)
    if a == 0 or b == 0:
        return both != 0
    sign = 1 if (a > 0) == (b > 0) else -1
    return sign * both < abs(a) + abs(b) - 1


def _sign_fact(p: Poly, q: Poly, model: Mapping[Monomial, int]) -> Term:
    """The facts that p = 0 implies p·q = 0, and |p|, |q| >= 1 imply (|p| - 1)(|q| - 1) >= 0, for the model's signs."""
    a, b = value(p, model), value(q, model)
    if a == 0 or b == 0:
        return _zero_fact(p, q) if a == 0 else _zero_fact(q, p)
    return _size_fact(negative(p) if a < 0 else p, negative(q) if b < 0 else q)


def _sign_facts(p: Poly, q: Poly) -> list[Term]:
    """The facts of `_sign_fact` for every combination of signs."""
    signs = product((p, negative(p)), (q, negative(q)))
    return [_zero_fact(p, q), _zero_fact(q, p), *(_size_fact(*both) for both in signs)]


def _zero_fact(p: Poly, q: Poly) -> Term:
    """The fact that p = 0 implies p·q = 0."""
    return Term("->", (_is("==", p), _is("==", times(p, q))))


def _size_fact(p: Poly, q: Poly) -> Term:
    """The fact that p, q >= 1 imply (p - 1)(q - 1) >= 0."""
    less_p, less_q = plus(p, {ONE: -1}), plus(q, {ONE: -1})
    return Term("->", (conj((_is(">=", less_p), _is(">=", less_q))), _is(">=", times(less_p, less_q))))


def _is(relation: str, form: Poly) -> Term:
    return Term(relation, (as_linear(form), num(0)))


def decide(formulas: Sequence[Term], budget: Budget = DEFAULT) -> Answer:
    """Whether integers satisfy all formulas, which have no divisions and which Z3 does not decide quickly.

    Sat has a model of the formulas themselves, replayed in plain integers; Unsat holds for all integers; Open says why
    neither was found within the budget.

    >>> from symview.logic.notation import parse_statement
    >>> decide([parse_statement("a*b < 0 and a >= 0 and b >= 0")])
    Unsat()
    """
    formulas = tuple(formulas)
    with suppress(NotSupported):  # too large to expand: only Z3 itself can still decide
        answer = _by_residues(formulas, budget.at_most(_WORK_PER_WAY))
        if isinstance(answer, Open):
            answer, _ = by_lemmas(formulas, budget.at_most(_WORK_PER_WAY))
        if not isinstance(answer, Open):
            return answer
    return check(formulas, budget)


def _by_residues(formulas: tuple[Term, ...], budget: Budget) -> Answer:
    """Writes each variable that occurs in a product as m·u + r, and tries every r below m."""
    multiplied, modulus = few_residues(formulas)
    if not modulus:
        return Open("too many residues")
    for residues in product(range(modulus), repeat=len(multiplied)):
        case = []
        for name, residue in zip(multiplied, residues, strict=True):
            multiple = Term("*", (num(modulus), sym(fresh(f"{name}//{modulus}", names(*formulas)))))
            case.append(Term("==", (sym(name), Term("+", (multiple, num(residue))))))
        answer = Linearised((*formulas, *case), budget).decide(_MAX_LEMMA_ROUNDS)
        if isinstance(answer, Sat):
            return Sat({n: answer.model[n] for n in names(*formulas)})
        if isinstance(answer, Open):
            return answer
    return Unsat()


def few_residues(formulas: Iterable[Term], chosen: Callable[[str], bool] = bool) -> tuple[list[str], int]:
    """The chosen names that are multiplied, and a modulus for which all their residues are few; 0 if they are many.

    >>> from symview.logic.notation import parse_statement
    >>> few_residues([parse_statement("x*x - 8*y == 5")])
    (['x'], 8)
    """
    bounded = forms(formulas)
    multiplied = list(dict.fromkeys(n for f in bounded for m in f if len(m) > 1 for n in m if chosen(n)))
    modulus = lcm(*(c for f in bounded for m, c in f.items() if len(m) == 1))
    return multiplied, modulus if modulus > 1 and modulus ** len(multiplied) <= _MAX_RESIDUES else 0


class Stage(NamedTuple):
    """A relaxation which proves that this polynomial is 0 or, without one, that the formulas are unsatisfiable."""

    zero: Poly | None
    attempt: Linearised


def by_lemmas(formulas: tuple[Term, ...], budget: Budget) -> tuple[Answer, list[Stage]]:
    """The relaxation, extended by lemmas where it was stuck; and the stages that lead to the answer.

    >>> from symview.logic.notation import parse_statement
    >>> answer, [last] = by_lemmas((parse_statement("a*b < 0 and a >= 0 and b >= 0"),), DEFAULT)
    >>> answer, last.zero, last.attempt.products()[0]
    (Unsat(), None, ({('a',): 1}, {('b',): 1}))
    """
    found = list[Stage]()
    for _ in range(_MAX_LEMMAS):
        attempt = Linearised(formulas, budget)
        answer = attempt.decide(_MAX_ROUNDS)
        if not isinstance(answer, Open):
            return answer, [*found, Stage(None, attempt)]
        stages = (_lemma(e, formulas, budget) for e in attempt.conjectures()[:_MAX_CONJECTURES])
        if (stage := next(filter(None, stages), None)) is None or stage.zero is None:
            return answer, found
        found.append(stage)
        formulas = (*formulas, compared("==", stage.zero))
    return Open("no lemma settles it"), found


def _lemma(e: Poly, formulas: tuple[Term, ...], budget: Budget) -> Stage | None:
    """The proof that the formulas imply e = 0, if it is found."""
    attempt = Linearised((*formulas, compared("!=", e)), budget)
    return Stage(e, attempt) if isinstance(attempt.decide(_MAX_LEMMA_ROUNDS, about=e), Unsat) else None
