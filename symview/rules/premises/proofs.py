"""Witness terms: terms for the other symbols at which the statement fails whenever the premise does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain, permutations, product
from typing import NamedTuple, TypeAlias

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.notation import parse_expression, term_text
from symview.logic.solve import is_impossible
from symview.logic.terms import (
    FALSE,
    TRUE,
    Term,
    conj,
    conjuncts,
    disj,
    fresh,
    negated,
    nonzero_divisors,
    num,
    replaced,
    substituted,
    sym,
    walk,
)
from symview.proof.prover import prove
from symview.proof.verdicts import Proved, Unknown, Verdict
from symview.rules.premises.premise import condition_text
from symview.rules.premises.question import Question
from symview.rules.python_loops import Finder, Point, columns, partial_function

Witness: TypeAlias = tuple[Term, ...]  # one term over the named symbols for each of the others
Sized: TypeAlias = tuple[Term, int]  # a term and its length

_MAX_WITNESSES = 4  # witnesses in one list
_POINTS_FOR_TWO, _POINTS_FOR_MORE = 60, 24  # for all witnesses; with up to two others, and with more
_MAX_PAIRS, _MAX_TUPLES = 3_000, 15_000  # witnesses that are tried
_ZERO = num(0)
_form = cache(parse_expression)


def terms_over(named: Sequence[str], numbers: Iterable[int]) -> list[Sized]:
    """Terms without divisions that are often extremal values of other symbols, the shortest first.

    >>> from symview.logic.notation import parse_expression, term_text
    >>> [term_text(t) for t, size in terms_over("ab", ()) if size < 3]
    ['0', '1', 'a', 'b', 'a - 1', 'b - 1', 'a + 1', 'b + 1', '-1']
    """
    symbols = list(map(sym, named))
    found = [(num(0), 1), (num(1), 1)] + [(a, 1) for a in symbols]
    found += [sized for text in ("a - 1", "a + 1") for a in symbols for sized in _instances({text: 2}, a)]
    found += [(num(-1), 2), (num(2), 3)]
    found += [(num(n + d), 2 if d == 0 else 3) for n in sorted(numbers, key=abs) for d in (0, -1, 1)]
    for a in symbols:
        found += _instances({"-a": 3, "abs(a)": 4, "-(a + 1)": 4, "1 - a": 4, "2*a": 4, "2*a - 1": 5}, a)
    if len(symbols) > 1:
        whole = Term("+", tuple(symbols))
        found += [(whole, 3), (Term("*", (num(2), whole)), 4)]
    for a, b in permutations(symbols, 2):
        found += _instances({"a - b": 4, "a*(b - 1)": 5, "a*(b + 1)": 6}, a, b)
        if a < b:
            found += _instances({"a*b": 4, "a + b": 4, "-(a*b)": 5, "a*b - 1": 5}, a, b)
    return _shortest_first(found)


def dividing_terms_over(named: Sequence[str]) -> list[Sized]:
    """The least and the greatest multiples of one name below another, defined if that is not 0."""
    forms = {"a//b": 6, "a % b": 6, "-(a//b)": 7, "a//b*b": 8, "(a//b + 1)*b - 1": 9}
    return _shortest_first(sized for a, b in permutations(map(sym, named), 2) for sized in _instances(forms, a, b))


def _instances(forms: Mapping[str, int], a: Term, b: Term = _ZERO) -> list[Sized]:
    """The terms of these texts with a and b substituted, each with its length."""
    return [(substituted(_form(text), {"a": a, "b": b}), size) for text, size in forms.items()]


def _shortest_first(found: Iterable[Sized]) -> list[Sized]:
    first: dict[Term, int] = {}
    for term, size in found:
        first.setdefault(term, size)
    return sorted(first.items(), key=lambda f: f[1])


def instance(question: Question, witness: Witness) -> Term:
    """The statement after substituting the witness: an assumption fails, or the claim holds."""
    by = dict(zip(question.others, witness, strict=True))
    return disj((*(negated(substituted(b, by)) for b in question.context), substituted(question.claim, by)))


class Witnesses:
    """Searches for witnesses such that at each point one refutes the statement; likely terms are tried first."""

    def __init__(self, question: Question, budget: Budget, likely: Sequence[Term] = ()) -> None:
        self.question, self.budget, self.likely = question, budget, [(t, 2) for t in likely]
        self._find = Finder(question.refuted(), question.named, question.others, question.division)

    def covers(self, points: Sequence[Point]) -> Iterator[list[Witness]]:
        """Lists of up to four such witnesses; each list avoids the first witness of the earlier lists."""
        named, wide = self.question.named, len(self.question.others)
        plain, dividing = [*self.likely, *terms_over(named, self.question.numbers())], dividing_terms_over(named)
        most = len(plain) + len(dividing) if wide < 2 else int((_MAX_PAIRS if wide == 2 else _MAX_TUPLES) ** (1 / wide))
        few = dividing[: most // 2]
        for pool in (plain[:most], plain[: most - len(few)] + few):
            used: set[Witness] = set()
            while (chosen := self._covering(points, pool, used)) is not None:
                yield chosen
                if not chosen:
                    return
                used.add(chosen[0])
                if len(used) == 2:
                    break

    def _covering(self, points: Sequence[Point], pool: Sequence[Sized], used: set[Witness]) -> list[Witness] | None:
        """A cover of a sample of the points, checked at all points and extended by those that it misses."""
        few = _POINTS_FOR_TWO if len(self.question.others) < 3 else _POINTS_FOR_MORE
        looked_at = list(points[:few])
        while len(looked_at) <= 2 * few:
            seen = [w for w in self._seen(looked_at, pool) if w[0] not in used]
            chosen = _greedily(seen, (1 << len(looked_at)) - 1)
            if chosen is None:
                return None
            missed = self._missed(chosen, points)
            if not missed:
                return chosen
            looked_at += missed[:10]
        return None

    def _seen(self, points: Sequence[Point], pool: Sequence[Sized]) -> list[tuple[Witness, int, int]]:
        """Each witness with its length, and the points at which it refutes the statement, as bits."""
        wide = len(self.question.others)
        self.budget.spend(len(points) * len(pool) ** wide * 2)
        rows: list[list[bool]] = []
        for at in self._values([t for t, _ in pool], points):
            tried = list(product(at, repeat=wide))
            refuted = self._find.each(points[len(rows)], [tuple([v or 0 for v in values]) for values in tried])
            rows.append([r and None not in values for r, values in zip(refuted, tried, strict=True)])
        found = []
        for terms, seen in zip(product(pool, repeat=wide), zip(*rows, strict=True), strict=True):
            if any(seen):
                where = sum(1 << n for n, refuted in enumerate(seen) if refuted)
                found.append((tuple(t for t, _ in terms), sum(size for _, size in terms), where))
        return found

    def _missed(self, chosen: Sequence[Witness], points: Sequence[Point]) -> list[Point]:
        """The points at which no witness refutes the statement."""
        missed = list(points)
        for witness in chosen:
            tried = zip(missed, self._values(witness, missed), strict=True)
            missed = [p for p, at in tried if None in at or self._find.first(p, [tuple([v or 0 for v in at])]) is None]
        return missed

    def _values(self, terms: Sequence[Term], points: Sequence[Point]) -> list[list[int | None]]:
        """The values of the terms at each point; None where one divides by 0."""
        named, division = self.question.named, self.question.division
        each = [partial_function(term, named, division) for term in terms]
        return [[value(point) for value in each] for point in points]


def _greedily(seen: Sequence[tuple[Witness, int, int]], missing: int) -> list[Witness] | None:
    """A greedy cover: always the witness that refutes most of the remaining points; None if four do not suffice."""
    chosen: list[Witness] = []
    while missing:
        best = max(seen, key=lambda w: ((w[2] & missing).bit_count(), -w[1]), default=None)
        if best is None or not best[2] & missing or len(chosen) == _MAX_WITNESSES:
            return None
        chosen.append(best[0])
        missing &= ~best[2]
    return chosen


# Proofs for a premise: one formula implies another; a condition follows from witness terms.


BRIEFLY, PATIENTLY = 12, 4  # the share of the budget that one proof may use
_POINTS_PER_PROOF = 200  # points that a proof tries: most were tried before


def proof_budget(budget: Budget, share: int) -> Budget:
    """The budget of one proof."""
    return replace(budget.part(share), points=_POINTS_PER_PROOF)


class Needed(NamedTuple):
    """Whether the condition is necessary, by which witness terms, and on what else that rests."""

    verdict: Verdict
    witnesses: tuple[Mapping[str, str], ...] = ()
    rests_on: frozenset[str] = frozenset()


def needed(
    question: Question,
    condition: Term,
    outside: Sequence[Point],
    budget: Budget,
    share: int,
    likely: Sequence[Term] = (),
    witnesses: list[Witness] | None = None,
) -> Needed:
    """Whether the condition follows from the statement at some witnesses.

    `outside` are points where neither holds; `likely` are terms for witnesses. `witnesses`, if given, are tried first.
    """
    if condition == TRUE:
        return Needed(prove(TRUE))
    common = next((t for t in walk(condition) if t.op == "gcd" and len(t.args) == 2), None)
    if common is not None:
        return _by_bezout(question, condition, common, outside, budget, share)
    found = Needed(Unknown(condition_text(condition), "no witness terms were found"))
    for chosen in chain([witnesses] if witnesses else [], Witnesses(question, budget, likely).covers(outside)):
        said = conj(instance(question, w) for w in chosen)
        for part in conjuncts(condition):
            found = Needed(implied(said, part, question.given, question, budget, share))
            if not isinstance(found.verdict, Proved):
                break
        if isinstance(found.verdict, Proved):
            texts = [dict(zip(question.others, map(term_text, w), strict=True)) for w in chosen]
            return found._replace(witnesses=tuple(texts))
        if not isinstance(found.verdict, Unknown):
            break
    return found


def _by_bezout(
    question: Question, condition: Term, common: Term, outside: Sequence[Point], budget: Budget, share: int
) -> Needed:
    """Whether the condition is necessary, with names for g = gcd(a, b) and for u and v with g == u*a + v*b.

    So the witnesses may mention them. There are such u and v unless a and b are both 0, by Bézout's identity.
    """
    from sympy.core.intfunc import igcdex  # slow to load

    a, b = common.args
    both = [Term("==", (side, num(0))) for side in (a, b)]
    if not is_impossible((*question.given, *both), budget):
        return Needed(Unknown(condition_text(condition), f"{term_text(common)} may be 0"))
    g, u, v, x, y = (sym(fresh(n, (*question.named, *question.others))) for n in "guvxy")
    sums = Term("+", (Term("*", (u, a)), Term("*", (v, b))))
    parts = [Term("==", (side, Term("*", (g, part)))) for side, part in ((a, x), (b, y))]
    given = (*question.given, Term(">=", (g, num(1))), Term("==", (g, sums)), *parts)
    with_bezout = question._replace(named=(*question.named, *(n.args[0] for n in (g, u, v, x, y))), given=given)
    points = []
    for point, p, q in zip(outside, *columns([a, b], question.named, outside, question.division), strict=True):
        s, t, d = igcdex(p, q)
        points.append((*point, d, s, t, p // d, q // d))
    likely = [Term("*", (s, Term("//", (sym(n), g)))) for n in question.named for s in (u, v)]
    found = needed(with_bezout, replaced(condition, common, g), points, budget, share, likely)
    note = f"Bézout: {term_text(g)} == {term_text(common)} == {term_text(sums)}"
    return found._replace(rests_on=found.rests_on | {note})


def implied(
    premise: Term, goal: Term, given: Sequence[Term], question: Question, budget: Budget, share: int
) -> Verdict:
    """Whether the goal follows from the premise; splits on each divisor in them that may be 0."""
    own = proof_budget(budget, share)
    for some in nonzero_divisors((premise, goal)):
        if some in given or not question.is_named(some) or is_impossible((*given, negated(some)), own):
            continue
        zero = negated(some)
        verdict = implied(premise, goal, (*given, some), question, budget, share)
        if not isinstance(verdict, Proved):
            return verdict
        premise, goal = _at_zero(premise, zero, TRUE), _at_zero(goal, zero, FALSE)
        return implied(premise, goal, (*given, zero), question, budget, share)
    claim = goal if premise == TRUE else Term("->", (premise, goal))
    try:
        return prove(claim, given, question.division, budget=own)
    except InputError:  # the facts are contradictory
        if set(given) <= {*question.given, *question.context}:
            raise
        return prove(TRUE)


def _at_zero(formula: Term, zero: Term, otherwise: Term) -> Term:
    """The formula if a divisor is 0: tests of it are decided, other parts that divide by it are `otherwise`."""
    if negated(zero) not in nonzero_divisors([formula]):
        return formula
    if formula.op == "and":
        return FALSE if negated(zero) in formula.args else conj(_at_zero(p, zero, otherwise) for p in formula.args)
    if formula.op == "or":
        parts = [_at_zero(p, zero, otherwise) for p in formula.args]
        return TRUE if zero in formula.args or TRUE in parts else Term("or", tuple(parts))
    return otherwise
