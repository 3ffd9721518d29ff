"""Checks refutations by plain arithmetic: sums of known facts, until a negative number would have to be >= 0.

Known facts are polynomials that are >= 0, or 0; they come from the formulas, never from the file. A quotient,
a minimum or a choice gets a name and the facts that define it; any other non-polynomial is just a name. Steps:

["sum", [factor, k, …], …]   adds Σ factor·(known k)·…, divided by the gcd of its coefficients and rounded down;
                             the factor is a number >= 0, or any expression if one of the known facts is an equation
["sign", expression]         adds a choice: it is above 0, 0, or below
["name", expression]         names each quotient, minimum or choice in it, with the facts that define it
["split", k, n, steps, …]    refutes each alternative of choice k but the n-th, which is known from here on
"""

from __future__ import annotations

from itertools import product
from math import gcd
from typing import Any, TypeAlias

from symview.trusted.document import BadCertificate, checked, expression
from symview.trusted.formulas import DERIVED, Tree
from symview.trusted.work import Work

Poly: TypeAlias = dict[tuple[str, ...], int]  # sorted names, repeated for powers
Known: TypeAlias = Any  # a polynomial and whether it is 0 (else >= 0); or alternatives: lists of Known
FALSE: Known = ({(): -1}, False)
_LONGEST, _WIDEST, _HIGHEST = 5000, 1 << 2000, 200  # pairs of terms, coefficients, degrees
_DENIED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}
_SAME: dict[str, Any] = {**DERIVED, "neg": lambda a: ("-", 0, a), "abs": lambda a: ("max", a, ("-", 0, a))}


def refutes(steps: object, *formulas: Tree, work: Work | None = None) -> bool:
    """Whether the steps show that no integers satisfy the formulas; a quotient by 0 is any number.

    >>> refutes([["sum", [1, 0], [1, 1]]], ("<=", ("*", 2, "x"), 1), (">=", "x", 1))
    True
    """
    return Scope.of(*formulas, work=work).closed_by(steps)


def plus(p: Poly, q: Poly, factor: int = 1) -> Poly:
    """The sum p + factor·q."""
    found = {**p, **{m: p.get(m, 0) + factor * c for m, c in q.items()}}
    return {m: c for m, c in found.items() if c}


def times(p: Poly, q: Poly, work: Work) -> Poly:
    """The product; raises BadCertificate if it gets too large."""
    work.combine(len(p) * len(q))
    found: Poly = {}
    both = [*p.items(), *q.items()]
    if len(p) * len(q) > _LONGEST or any(abs(c) > _WIDEST or len(m) > _HIGHEST for m, c in both):
        raise BadCertificate("the numbers of a refutation get too large")
    for (m, c), (n, d) in product(p.items(), q.items()):
        key = tuple(sorted(m + n))
        found[key] = found.get(key, 0) + c * d
    return {m: c for m, c in found.items() if c}


class Scope:
    """The known facts, in order; `closed` once they are contradictory. Every name has a value everywhere."""

    def __init__(self, known: list[Known], names: dict[Tree, str], work: Work | None = None) -> None:
        self.known, self.names, self.work, self.closed = known, names, work or Work(), False

    @staticmethod
    def of(*formulas: Tree, work: Work | None = None) -> Scope:
        """The facts of the formulas."""
        scope = Scope([], {}, work)
        for f in formulas:
            scope.add(*scope.parts(f, True))
        return scope

    def add(self, *known: Known) -> None:
        """Adds choices, and facts with coefficients divided by their gcd."""
        for one in known:
            self.work.keep(1)
            if type(one) is tuple:
                p, zero = one
                self.work.keep(len(p))
                shared, rest = gcd(*[c for m, c in p.items() if m]) or 1, p.get((), 0)
                p = {m: c // shared for m, c in p.items() if m or c // shared}
                self.closed |= bool(zero and rest % shared) or (not any(p) and (rest < 0 or (zero and rest > 0)))
                one = (p, zero)
            self.known.append(one)

    def parts(self, f: Tree, so: bool) -> list[Known]:
        """The facts and choices of a formula, or of its negation."""
        self.work.combine()
        if type(f) is bool:
            return [] if f is so else [FALSE]
        op, *args = f
        if op == "not":
            return self.parts(args[0], not so)
        if op == "<->":
            op, args = "or", [("and", *args), ("not", ("or", *args))]
        if op in ("and", "or", "->"):
            found = [self.parts(a, so is not (op == "->" and n == 0)) for n, a in enumerate(args)]
            return [x for xs in found for x in xs] if (op == "and") is so else _either(found)
        op, p = op if so else _DENIED[op], plus(self.poly(args[0]), self.poly(args[1]), -1)
        apart: Poly = {(): -1} if op in ("<", ">", "!=") else {}
        self.work.keep(4 + len(p))
        up, down = _fact(plus(p, apart)), _fact(plus(apart, p, -1))
        return {"=": _fact(p, True), "!": _either([up, down]), "<": down, ">": up}[op[0]]

    def poly(self, tree: Tree) -> Poly:
        """Converts the expression to a polynomial."""
        self.work.combine()
        if type(tree) is not tuple:
            return {("." + tree,): 1} if type(tree) is str else {(): tree} if type(tree) is int and tree else tree or {}
        op, *args = tree
        if op in _SAME and (value := _SAME[op](*args)) is not None:
            return self.poly(value)
        parts = [a if op == "if" and n == 0 else self.poly(a) for n, a in enumerate(args)]
        if op in ("+", "-", "*"):
            for q in parts[1:]:
                parts[0] = self._times(parts[0], q) if op == "*" else self._plus(parts[0], q, 1 if op == "+" else -1)
            return parts[0]
        key = (op.replace("%", "//"), *[frozenset(x.items()) if type(x) is dict else x for x in parts])
        atom: Poly = {(self.names.get(key, f"#{len(self.names)}"),): 1}
        left = self._plus(parts[0], self._times(atom, parts[1]), -1) if key[0][0] == "/" else {}
        if key not in self.names:
            self.names[key] = f"#{len(self.names)}"
            self.add(*self.parts(_defined(op, atom, left, *parts), True))
        return left if op[0] == "%" else atom

    def closed_by(self, steps: object) -> bool:
        """Whether the steps lead to a contradiction."""
        for step in checked(steps, list, "a refutation"):
            match checked(step, list, "a step"):
                case ["sum", *terms]:
                    self.add(self._sum(terms))
                case ["sign", tree]:
                    p = self.poly(expression(tree))
                    self.add([[(plus(p, {(): -1}), False)], [(p, True)], [(plus({(): -1}, p, -1), False)]])
                case ["name", tree]:
                    self.poly(expression(tree))
                case ["split", k, n, *refuted]:
                    choice = self._known(k, list)
                    if type(n) is not int or not 0 <= n < len(choice) or len(refuted) != len(choice) - 1:
                        raise BadCertificate("a split refutes all alternatives but one")
                    for one, why in zip([*choice[:n], *choice[n + 1 :]], refuted, strict=True):
                        self.work.combine(len(self.known) + len(self.names))
                        scope = Scope([*self.known], {**self.names}, self.work)
                        scope.add(*one)
                        if not scope.closed_by(why):
                            return False
                    self.add(*choice[n])
                case _:
                    raise BadCertificate(f"{str(step)[:40]}: no step of a refutation")
        return self.closed

    def _sum(self, terms: list[Any]) -> Known:
        total, all_zero = Poly(), True
        for factor, *numbers in (checked(t, list, "a term") or [0] for t in terms):
            p, facts = self.poly(expression(factor)), [self._known(k, tuple) for k in numbers]
            zero = any(z for _, z in facts)
            if not zero and (any(p) or p.get((), 0) < 0):
                raise BadCertificate("what is only known to be >= 0 is taken less than 0 times")
            for q, _ in facts:
                p = self._times(p, q)
            total, all_zero = self._plus(total, p), all_zero and zero
        return total, all_zero

    def _plus(self, p: Poly, q: Poly, factor: int = 1) -> Poly:
        self.work.combine(len(p) + len(q))
        return plus(p, q, factor)

    def _times(self, p: Poly, q: Poly) -> Poly:
        return times(p, q, self.work)

    def _known(self, k: object, kind: type) -> Known:
        if type(k) is not int or not 0 <= k < len(self.known) or type(self.known[k]) is not kind:
            raise BadCertificate(f"{str(k)[:40]}: not the number of what is known")
        return self.known[k]


def _fact(p: Poly, zero: bool = False) -> list[Known]:
    return [(p, zero)] if any(p) else [FALSE] if p.get((), 0) < 0 or (zero and p) else []


def _either(found: list[list[Known]]) -> list[Known]:
    found = [x for x in found if FALSE not in x]
    return [] if [] in found else found[0] if len(found) == 1 else [found] if found else [FALSE]


def _defined(op: str, m: Poly, left: Poly, *of: Any) -> Tree:
    """The facts that define a name; none if it is only known by its operands."""
    if op in ("min", "max"):
        return ("and", ("or", *[("==", m, x) for x in of]), *[("<=" if op == "min" else ">=", m, x) for x in of])
    if op == "if":
        return ("or", ("and", of[0], ("==", m, of[1])), ("and", ("not", of[0]), ("==", m, of[2])))
    if op[0] not in "/%":
        return True
    trunc, cases = op.endswith("trunc"), list[Tree]([("==", of[1], 0)])
    for s in (1, -1):  # the sign of the divisor
        for t in (1, -1) if trunc else (1,) if op.endswith("euclid") else (s,):  # and of what is left
            size, rest = ("*", s, of[1]), ("*", t, left)
            cases.append(("and", ("<=", 0, ("*", t, of[0])) if trunc else True, ("<=", 0, rest), ("<", rest, size)))
    return ("or", *cases)
