"""Witness terms: what to put for the other symbols so that the statement fails wherever a premise does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress, permutations, product
from typing import TypeAlias

from symview.logic.budget import Budget
from symview.logic.terms import TRUE, Term, conj, disj, negated, nonzero_divisors, num, substituted, sym
from symview.rules.premises.question import Question
from symview.rules.python_loops import Finder, Point, columns

Witness: TypeAlias = tuple[Term, ...]  # one term over the named symbols for each of the others
Sized: TypeAlias = tuple[Term, int]  # a term, and how long it is

_MAX_WITNESSES = 4  # witnesses in one list
_POINTS_FOR_TWO, _POINTS_FOR_MORE = 60, 24  # at which all witnesses are looked at, for up to two symbols, and for more
_MAX_PAIRS, _MAX_TUPLES = 3_000, 15_000  # witnesses that are looked at
_ZERO, _ONE = num(0), num(1)


def terms_over(named: Sequence[str], numbers: Iterable[int]) -> list[Sized]:
    """Terms without divisions that are often extremal values of other symbols, the shortest first.

    >>> from symview.logic.notation import term_text
    >>> [term_text(t) for t, size in terms_over("ab", ()) if size < 3]
    ['0', '1', 'a', 'b', 'a - 1', 'b - 1', 'a + 1', 'b + 1', '-1']
    """
    symbols = [sym(n) for n in named]
    found = [(num(0), 1), (num(1), 1)] + [(a, 1) for a in symbols]
    found += [(Term(op, (a, _ONE)), 2) for op in "-+" for a in symbols]
    found += [(num(-1), 2), (num(2), 3)]
    found += [(num(n + d), 2 if d == 0 else 3) for n in sorted(numbers, key=abs) for d in (0, -1, 1)]
    for a in symbols:
        above = Term("+", (a, _ONE))
        found += [(Term("neg", (a,)), 3), (Term("abs", (a,)), 4), (Term("neg", (above,)), 4), (Term("-", (_ONE, a)), 4)]
    if len(symbols) > 1:
        whole = Term("+", tuple(symbols))
        found += [(whole, 3), (Term("*", (num(2), whole)), 4)]
    for a, b in permutations(symbols, 2):
        less, more = (Term(op, (b, _ONE)) for op in "-+")
        found += [(Term("-", (a, b)), 4), (Term("*", (a, less)), 5), (Term("*", (a, more)), 6)]
        if a < b:
            both = Term("*", (a, b))
            found += [(both, 4), (Term("+", (a, b)), 4), (Term("neg", (both,)), 5), (Term("-", (both, _ONE)), 5)]
    return _shortest_first(found)


def dividing_terms_over(named: Sequence[str]) -> list[Sized]:
    """The least and the greatest multiples of one name below another, which only make sense where it is not 0."""
    found = []
    for a, b in permutations(map(sym, named), 2):
        whole = Term("//", (a, b))
        beyond = Term("*", (Term("+", (whole, _ONE)), b))
        found += [
            (whole, 6),
            (Term("%", (a, b)), 6),
            (Term("neg", (whole,)), 7),
            (Term("*", (whole, b)), 8),
            (Term("-", (beyond, _ONE)), 9),
        ]
    return _shortest_first(found)


def _shortest_first(found: Iterable[Sized]) -> list[Sized]:
    first: dict[Term, int] = {}
    for term, size in found:
        first.setdefault(term, size)
    return sorted(first.items(), key=lambda f: f[1])


def instance(question: Question, witness: Witness) -> Term:
    """The statement with the witness substituted: an assumption fails, or the claim holds."""
    by = dict(zip(question.others, witness, strict=True))
    return disj((*(negated(substituted(b, by)) for b in question.beside), substituted(question.claim, by)))


class Witnesses:
    """Looks for witnesses of which at each of the points one refutes the statement; the likely terms come first."""

    def __init__(self, question: Question, budget: Budget, likely: Sequence[Term] = ()) -> None:
        self.question, self.budget, self.likely = question, budget, [(t, 2) for t in likely]
        self._find = Finder(question.refuted(), question.named, question.others, question.division)

    def found(self, points: Sequence[Point]) -> Iterator[list[Witness]]:
        """Up to four that do; then others that do, each list without the first witness of the lists before it."""
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
        """A cover of a sample of the points, checked against all of them and extended by those that it misses."""
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
        """The points at which none of the witnesses refutes the statement."""
        missed = list(points)
        for witness in chosen:
            tried = zip(missed, self._values(witness, missed), strict=True)
            missed = [p for p, at in tried if None in at or self._find.first(p, [tuple([v or 0 for v in at])]) is None]
        return missed

    def _values(self, terms: Sequence[Term], points: Sequence[Point]) -> list[list[int | None]]:
        """For each point the values of the terms there, None where one divides by 0."""
        each, named, division = [], self.question.named, self.question.division
        for term in terms:
            defined = conj(nonzero_divisors([Term("==", (term, _ZERO))]))
            if defined == TRUE:
                each += columns([term], named, points, division)
            else:
                whole = columns([defined], named, points, division)[0]
                there = iter(columns([term], named, list(compress(points, whole)), division)[0])
                each.append([next(there) if w else None for w in whole])
        return [list(at) for at in zip(*each, strict=True)] if each else [[] for _ in points]


def _greedily(seen: Sequence[tuple[Witness, int, int]], missing: int) -> list[Witness] | None:
    """A greedy cover: always the witness that refutes most of what is left; None where four do not suffice."""
    chosen: list[Witness] = []
    while missing:
        best = max(seen, key=lambda w: ((w[2] & missing).bit_count(), -w[1]), default=None)
        if best is None or not best[2] & missing or len(chosen) == _MAX_WITNESSES:
            return None
        chosen.append(best[0])
        missing &= ~best[2]
    return chosen
