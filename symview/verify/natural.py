"""Simplifies obligations: polynomials instead of nested expressions, digits instead of quotients.

It uses the assumptions: a name that equals a polynomial is replaced by it, and an index i below d·m that is divided by
d becomes d·i' + i" with i' below m and i" below d. So (d·Q + R)//d is Q + R//d, and R//d is 0 if 0 <= R < d is evident:
after indices are set to an end of their range and names to a bound plus a nonnegative rest, no coefficient is negative,
perhaps after subtracting an assumption. Other quotients become i·(t//d) + (i·(t % d) + …)//d for steps t.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from functools import reduce
from math import gcd
from operator import and_
from typing import Any

from symview.trusted.document import BadCertificate
from symview.trusted.formulas import DERIVED, RELATIONS, Ranges, Tree, Trees, conjuncts, made, names
from symview.trusted.linear import Poly, plus, times
from symview.trusted.work import Work

ONE: Poly = {(): 1}
_MAX_ROUNDS = 40


class _Again(Exception):
    """Something was replaced: everything must be read again."""


def natural(
    claim: Tree, given: list[Tree], ranges: Ranges, lets: Trees, work: Work
) -> tuple[Tree, list[Tree], Ranges, Trees]:
    """The same claim, for the same values of its names."""
    reader = _Reader(ranges, lets, work)
    with suppress(BadCertificate):  # a polynomial gets too large
        for _ in range(_MAX_ROUNDS):
            with suppress(_Again):
                return reader.read(claim, given)
    return claim, given, ranges, lets


class _Reader:
    def __init__(self, ranges: Ranges, lets: Trees, work: Work) -> None:
        self.work = work
        self.lets, self.by = lets, dict[str, Poly]()  # names and their replacements
        self.atoms: dict[Tree, str] = {}  # non-polynomial terms, and their names
        self.highs: dict[str, Tree] = {n: high for n, (low, high) in ranges.items() if low == 0}
        self.kept = {n: r for n, r in ranges.items() if n not in self.highs}

    def read(self, claim: Tree, given: list[Tree]) -> tuple[Tree, list[Tree], Ranges, Trees]:
        """Reads the claim; raises _Again if something is replaced."""
        self.read_lets: dict[str, Poly] = {}
        self.high: dict[str, Poly] = {}
        self.least: dict[str, int] = {}  # lower bounds of names
        self.facts: list[Poly] = [{}]  # nonnegative polynomials, in the differences of names and their lower bounds
        self.quotients: list[tuple[Poly, Poly, Poly]] = []  # dividends, divisors, and the results
        late = [f for f in conjuncts(given) if any(n[0] == "#" or n in self.highs for n in names(f))]
        known = [x for f in conjuncts(given) if f not in late for x in self._fact(f)]
        for n, t in self.highs.items():
            self.high[n] = self.poly(t)
            if any(k in self.highs for m in self.high[n] for k in m):  # a size was replaced by a term with an index
                self.kept[n] = (0, self.highs.pop(n))
                raise _Again
            self._bounded(self.plus(self.high[n], ONE, -1))
        for n, c in [*self.least.items()]:  # where n is c, a fact fails
            if any(self._more({(): -1}, {m: x for m, x in f.items() if n not in m}) for f in self.facts):
                self._raised(n, c + 1)
        known += [x for f in late for x in self._fact(f)]
        for f in [f for f in conjuncts([claim]) if type(f) is tuple and f[0] == "=="]:
            self._solved(self.plus(self.poly(f[1]), self.poly(f[2]), -1), apart=True)
        claim = self.formula(claim)
        ranges = {n: (tree(self.poly(a)), tree(self.poly(b))) for n, (a, b) in self.kept.items()}
        ranges |= {n: (0, tree(h)) for n, h in self.high.items()}
        same = [("==", n, tree(p)) for n, p in self.by.items()]
        return claim, [f for f in (*same, *known) if f is not True], ranges, {n: t for t, n in self.atoms.items()}

    def _fact(self, f: Tree) -> list[Tree]:
        """Reads a fact, and records what it bounds or determines."""
        f = f if type(f) is tuple and f[0] in RELATIONS else self.formula(f)
        if type(f) is not tuple or f[0] not in RELATIONS:
            return [f]
        p = self.plus(self.poly(f[1]), self.poly(f[2]), -1)
        if f[0] == "!=":
            for q in [q for q in (p, self.plus({}, p, -1)) if self.positive(q)]:
                self._bounded(self.plus(q, ONE, -1))
            return [("!=", tree(p), 0)]
        if f[0] == "==":
            self._solved(p)
            self.facts += map(self._above, (p, self.plus({}, p, -1)))
            return [("==", tree(p), 0)] if p else []
        p = {m: c if f[0] in (">", ">=") else -c for m, c in p.items()}
        self._bounded(self.plus(p, ONE, -1) if f[0] in ("<", ">") else p)
        return [(f[0], *[tree(self.poly(x)) for x in f[1:]])]

    def _solved(self, p: Poly, apart: bool = False) -> None:
        """Solves p = 0 for a name and replaces it; adds the distance `apart` of p from 0, if the name has no bound."""
        for m, c in [x for x in p.items() if len(x[0]) == abs(x[1]) == 1 and sum(x[0][0] in k for k in p) == 1]:
            if m[0] not in self.high and not (apart and (m[0] in self.least or "#" in str(p))):
                self.replace(m[0], self.plus({k: -c * x for k, x in p.items() if k != m}, {(f"#={m[0]}",): c}, apart))

    def replace(self, name: str, poly: Poly) -> None:
        """Replaces the name by the polynomial from here on."""
        self.by = {n: self.put(p, {name: poly}) for n, p in self.by.items()} | {name: poly}
        raise _Again

    def _bounded(self, p: Poly) -> None:
        """Records the bounds of names that follow from p >= 0."""
        shared, whole = gcd(*[c for m, c in p.items() if m]) or 1, p
        p = {m: c // shared for m, c in p.items() if m or c // shared}
        self.facts += [f for f in map(self._above, (p, whole)) if f not in self.facts]
        for (n,) in [m for m, c in p.items() if len(m) == c == 1 and not any(k for k in p if k != m)]:
            self._raised(n, -p.get((), 0))

    def _raised(self, name: str, least: int) -> None:
        """Records a lower bound of a name."""
        if (known := self.least.get(name)) is None or known < least:
            self.least[name] = least
            self.facts = [self.put(f, {name: {(name,): 1, (): least - (known or 0)}}) for f in self.facts]

    def _above(self, p: Poly) -> Poly:
        """Rewrites p in the differences of names and their lower bounds."""
        return self.put(p, {n: {(n,): 1, (): c} for n, c in self.least.items() if c})

    def positive(self, p: Poly) -> bool:
        """Whether p >= 0 is evident."""
        self.work.combine(1 + len(p) * len(self.high))
        for i, high in self.high.items():
            if most := max((m.count(i) for m in p), default=0):
                slope = {_less(m, (i,)): c for m, c in p.items() if i in m}
                rest = {m: c for m, c in p.items() if i not in m}
                ends = (
                    (slope, rest),
                    (self.plus({}, slope, -1), self.plus(rest, self.times(slope, self.plus(high, ONE, -1)))),
                )
                return most == 1 and any(self.positive(way) and self.positive(end) for way, end in ends)
        p = self._above(p)
        return any(self._more(p, f) for f in self.facts)

    def _more(self, p: Poly, f: Poly) -> bool:
        """Whether p >= f is evident for nonnegative names."""
        self.work.combine(len(p) + len(f))
        apart = ((m, p.get(m, 0) - f.get(m, 0)) for m in (*f, *p))
        return all(c >= 0 and (c == 0 or self.least.keys() >= {*m}) for m, c in apart)

    def poly(self, t: Tree) -> Poly:
        """Converts the expression to a polynomial."""
        self.work.combine()
        if type(t) is not tuple:
            if type(t) is not str:
                return {(): int(t)} if t else {}
            if t in self.lets:
                if t not in self.read_lets:
                    self.read_lets[t] = self.poly(self.lets[t])
                return self.read_lets[t]
            return self.by.get(t, {(t,): 1})
        op, *args = t
        if op in DERIVED and (value := DERIVED[op](*args)) is not None:
            return self.poly(value)
        if op == "if":
            t, yes, no = self.formula(args[0]), self.poly(args[1]), self.poly(args[2])
            return (yes if t else no) if type(t) is bool else self.atom(op, t, tree(yes), tree(no))
        first, *others = [self.poly(a) for a in args]
        if op in ("+", "-", "*"):
            for q in others:
                first = self.times(first, q) if op == "*" else self.plus(first, q, 1 if op == "+" else -1)
            return first
        if op in ("//", "%"):
            quotient = self.quotient(first, others[0])
            return quotient if op == "//" else self.plus(first, self.times(others[0], quotient), -1)
        return self.plus({}, first, -1) if op == "neg" else self.atom(op, tree(first), *map(tree, others))

    def atom(self, *node: Tree) -> Poly:
        """Names a non-polynomial term; returns its value if that is a number."""
        self.work.keep(len(node))
        value = made(*node)
        return self.poly(value if type(value) is int else self.atoms.setdefault(node, f"#~{len(self.atoms)}"))

    def quotient(self, a: Poly, b: Poly) -> Poly:
        """A // b."""
        if not b or not self.positive(self.plus(b, ONE, -1)):
            return self.atom("//", tree(a), tree(b))
        whole, rest = self.divided(a, b)
        if (
            _lead(rest)[1] < 0 <= _lead(self.divided(self.plus({(): -1}, rest, -1), b)[1])[1]
        ):  # one name for a quotient rounded up
            return self.plus(self.plus(whole, ONE, -1), self.quotient(self.plus({(): -1}, rest, -1), b), -1)
        for m, k in rest.items():
            for i in m:
                if i in self.high and m.count(i) == 1:
                    same = reduce(and_, map(Counter, b), Counter(_less(m, (i,))))
                    shared = gcd(k, *b.values())
                    self._split(i, {_less(n, same.elements()): c // shared for n, c in b.items()})
        for of, part in () if self._digit(rest, b) else self._parts(rest, b):
            whole, rest = (
                self.plus(whole, self.times(of, part)),
                self.plus(rest, self.times(self.times(of, part), b), -1),
            )
        if self._digit(rest, b):
            return whole
        left = self.atom("//", tree(rest), tree(b))
        if (rest, b, left) not in self.quotients:
            self.quotients.append((rest, b, left))
            digit = self.plus(rest, self.times(b, left), -1)
            self.facts += map(self._above, (digit, self.plus(self.plus(b, ONE, -1), digit, -1)))
        for k in (1, 0):
            if self.positive(self.plus(rest, b, -k)):
                self._bounded(self.plus(left, {(): k}, -1))
        return self.plus(whole, left)

    def _digit(self, p: Poly, b: Poly) -> bool:
        """Whether 0 <= p < b is evident."""
        return not p or (self.positive(p) and self.positive(self.plus(self.plus(b, ONE, -1), p, -1)))

    def _parts(self, a: Poly, b: Poly) -> list[tuple[Poly, Poly]]:
        """Factors in a, each with a quotient by b: of the steps along indices, and of earlier dividends."""
        steps = {i: {_less(m, (i,)): c for m, c in a.items() if i in m} for i in self.high}
        found: list[Any] = [({(i,): 1}, self.quotient(p, b)) for i, p in steps.items() if p not in ({}, ONE)]
        a = {m: c for m, c in a.items() if not any(n in self.high for n in m)}
        for part, q in [(p, q) for p, d, q in self.quotients if d == b and p != ONE and "#" not in str(p)]:
            whole = self.divided(a, part)[0]
            if (rest := self.plus(a, self.times(whole, part), -1)).items() < a.items():
                a, found = rest, [*found, (whole, q)]
        return found

    def _split(self, i: str, d: Poly) -> None:
        """Splits an index by a divisor of its range."""
        whole, rest = self.divided(self.high[i], d)
        if ONE in (d, whole) or rest or not self.positive(self.plus(d, ONE, -1)):
            return
        upper, lower = f"#'{i}", f'#"{i}'
        self.highs = {n: h for n, h in self.highs.items() if n != i} | {upper: tree(whole), lower: tree(d)}
        self.replace(i, self.plus(self.times(d, {(upper,): 1}), {(lower,): 1}))

    def formula(self, f: Tree) -> Tree:
        """Converts the formula; replaces parts that evidently hold or fail."""
        self.work.combine()
        if type(f) is bool:
            return f
        op, *args = f
        if op in RELATIONS:
            return self._relation(op, self.plus(self.poly(args[0]), self.poly(args[1]), -1))
        parts = [self.formula(a) for a in args]
        if op == "->":
            op, parts[0] = "or", _not(parts[0])
        if op in ("and", "or"):
            parts = [p for p in dict.fromkeys(parts) if p is not (op == "and")]
            if (op == "or") in [p for p in parts if type(p) is bool]:
                return op == "or"
            return parts[0] if len(parts) == 1 else (op, *parts) if parts else op == "and"
        return _not(parts[0]) if op == "not" else parts[0] == parts[1] or made(op, *parts)

    def _relation(self, op: str, p: Poly) -> Tree:
        """The formula `p op 0`."""
        up, down = self.plus(p, ONE, -1), self.plus(self.plus({}, p, -1), ONE, -1)
        if op in ("==", "!="):
            if len(p) > 1 and (same := reduce(and_, map(Counter, p))):
                p = {_less(m, same.elements()): c for m, c in p.items()}
                one = ("or", *[("==", n, 0) for n in same], ("==", tree(p), 0))
                return self.formula(one if op == "==" else ("not", one))
            apart = self.positive(up) or self.positive(down)
            return (op == "==") if not p else (op == "!=") if apart else (op, tree(p), 0)
        p = self.plus({}, p, -1) if op[0] == "<" else p
        p = p if op[-1] == "=" else self.plus(p, ONE, -1)
        if self._above(p) in self.facts or self.positive(p):
            return True
        return False if self.positive(self.plus(self.plus({}, p, -1), ONE, -1)) else (">=", tree(p), 0)

    # Arithmetic; each step is counted

    def plus(self, p: Poly, q: Poly, factor: int = 1) -> Poly:
        """The sum p + factor·q."""
        self.work.combine(len(p) + len(q))
        return plus(p, q, factor)

    def times(self, p: Poly, q: Poly) -> Poly:
        """The product."""
        return times(p, q, self.work)

    def put(self, p: Poly, by: dict[str, Poly]) -> Poly:
        """Substitutes polynomials for names."""
        self.work.combine(len(p) + len(by))
        same = {m: c for m, c in p.items() if not by.keys() & m}
        terms = [reduce(self.times, [by.get(n, {(n,): 1}) for n in m], Poly({(): c}))
                 for m, c in p.items() if m not in same]  # fmt: skip
        return reduce(self.plus, terms, same)

    def divided(self, a: Poly, b: Poly) -> tuple[Poly, Poly]:
        """Divides a = whole·b + rest, as long as the leading term of b divides terms of a."""
        (lead, c), whole, rest = _lead(b), Poly(), Poly()
        while a:
            self.work.combine(len(a) + len(b))
            m, k = _lead(a)
            if (less := _less(m, lead)) is not None and k // c:
                whole[less] = k // c
                a = self.plus(a, self.times({less: k // c}, b), -1)
            if m in a:
                rest[m], a = a[m], {n: x for n, x in a.items() if n != m}
        return whole, rest


def _not(f: Tree) -> Tree:
    return not f if type(f) is bool else f[1] if f[0] == "not" else ("not", f)


def _less(m: Any, by: Any) -> Any:
    """Removes names from a product; None if some are missing."""
    left, by = Counter(m), Counter(by)
    return tuple(sorted((left - by).elements())) if by <= left else None


def _lead(p: Poly) -> Any:
    return max(p.items(), key=lambda term: (len(term[0]), term[0]), default=((), 0))


def tree(p: Poly) -> Tree:
    """The polynomial as an expression."""
    return made("+", 0, *[made("*", c, *m) for m, c in sorted(p.items())])
