"""Reshape with symbols: the weakest condition as clauses, and the merged view of each case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from symview.answers import Case, Conditions, Status
from symview.engine.budget import DEFAULT, Budget
from symview.engine.polynomial import ONE, Poly, quotient, substitute, times
from symview.engine.terms import FALSE, TRUE, Term, conj, disj, names, num
from symview.errors import InputError, InternalError, NotSupported
from symview.parametric.clauses import Algebra, Clause, difference, needed, quotient_of, simplified
from symview.parametric.knowledge import Knowledge
from symview.parametric.tree import Leaf, leaves
from symview.query import assumptions, facts_about
from symview.symbols import evaluate, free_symbols, is_number, to_text
from symview.view import View

_UNIT: Poly = {ONE: 1}
_REST = "⟨rest⟩"


def regroup(view: View, shape: Sequence[Any], assume: Any = (), budget: Budget | None = None) -> Conditions:
    """The weakest condition under which one view has the new shape; sizes may be symbols, one may be −1.

    Theory: between positive sizes with equal products, possible exactly when at every place value
    of the old shape, other than 1, the size and the place values of the new one, the old view is
    contiguous, dims of size 1 left out. "Criteria and proof …" (P. Schillinger, 2024), sections 2
    and 3, without its assumptions on sizes and strides.
    """
    if view.mask is not None:
        raise NotSupported(f"reshape of {view}: a mask and symbolic sizes together are not supported yet")
    return _Regrouping(view, tuple(shape), assume, budget or DEFAULT).conditions()


class _Regrouping:
    """One query: the old view and the new sizes as polynomials, and what is known."""

    def __init__(self, view: View, shape: tuple[Any, ...], assume: Any, budget: Budget) -> None:
        self.view, self.shape, self.budget = view, shape, budget
        given = [n for n in shape if not _is_hole(n)]
        self.assumed = assumptions(assume, (view,), given)
        self.symbols = free_symbols([*view.entries(), *given])
        self.facts = facts_about([*view.shape, *given], self.symbols, self.assumed, budget)
        self.sized = frozenset(free_symbols([*view.shape, *given]))
        self.algebra = Algebra(self.facts.positive, [*free_symbols(view.strides), *self.symbols])
        self.old = [self.algebra.poly(n) for n in view.shape]
        self.strides = [self.algebra.poly(t) for t in view.strides]
        self.top, self.bottom = _UNIT, _UNIT
        self.new = self._new_sizes()
        near = [e for c in (*self._fitting(), *self._contiguous()) for e in c.literals]
        self.known = Knowledge(self.facts.formulas, budget, near)

    def _new_sizes(self) -> list[Poly]:
        """The new sizes; −1 as what the others leave, which is a variable where no polynomial says it."""
        sizes = [_UNIT if _is_hole(n) else self.algebra.poly(n) for n in self.shape]
        if not any(map(_is_hole, self.shape)):
            return sizes
        have, others = _product(self.old), _product(sizes)
        if not others:
            raise InputError(f"reshape {self._shown()}: beside a size of 0, -1 could be any size")
        exact = quotient(have, others)
        if times(exact, others) != have:
            self.top, self.bottom = quotient_of(have, others)
            self.algebra.opaque[_REST] = Term("//", (self.algebra.term(self.top), self.algebra.term(self.bottom)))
            self.algebra.positive |= {_REST}
            exact = {(_REST,): 1}
        sizes[next(n for n, size in enumerate(self.shape) if _is_hole(size))] = exact
        return sizes

    def conditions(self) -> Conditions:
        """The clauses, simplified, and their cases."""
        fitting = simplified(list(self._fitting()), self.known)
        fits = self.known.also(*(c.term() for c in fitting))
        raw = list(self._contiguous())
        clauses = [*fitting, *simplified(raw, fits)]
        if any(not c.literals for c in fitting):
            self._check_sizes()
        if all(c.literals for c in clauses) and self.known.impossible(*(c.term() for c in clauses)):
            clauses = [Clause((), "no integers satisfy all of the conditions")]
        target = View([self._value(n) for n in self.new])
        cases = self._cases(clauses)
        return Conditions(
            (self.view, target), tuple(cases), tuple(self.assumed), self.budget,
            tuple([c.term() for c in clauses]), self.facts.formulas, conj(c.term() for c in (*self._fitting(), *raw)),
            conj(c.term() for c in fitting),
        )  # fmt: skip

    # What has to hold

    def _fitting(self) -> Iterator[Clause]:
        """That the sizes are sizes: as many elements as before, and whole numbers."""
        have, want = _product(self.old), _product(self.new)
        if self.bottom != _UNIT:
            top, bottom = self.algebra.term(self.top), self.algebra.term(self.bottom)
            why = f"{to_text(bottom)} has to divide {to_text(top)}"
            yield Clause((Term("==", (Term("%", (top, bottom)), num(0))),), why)
        else:
            yield Clause(self.algebra.zero(difference(have, want)), f"the sizes have to agree: {self._shown()}")
        if any(map(_is_hole, self.shape)):
            for size in (n for n in self.shape if n in self.facts.empty):
                yield Clause((self.algebra.nonzero(self.algebra.poly(size)),), "-1 is no size beside a size of 0")

    def _check_sizes(self) -> None:
        """Raises InputError where numbers alone show that the sizes differ."""
        have, want = _product(self.old), _product(self.new)
        if self.bottom == _UNIT:
            if not (have and want):
                raise InputError(f"reshape {self._shown()}: only one of the shapes is empty")
            top, bottom = quotient_of(have, want)
            if set(top) == set(bottom) == {ONE}:
                raise InputError(f"reshape {self._shown()}: the sizes can never agree, {top[ONE]} is not {bottom[ONE]}")

    def _shown(self) -> str:
        return f"({','.join(map(to_text, self.view.shape))}) to ({','.join(map(to_text, self.shape))})"

    def _contiguous(self) -> Iterator[Clause]:
        """Per pair of old dims: they are contiguous, or the new shape has a boundary there, or a size of 1 hides it."""
        algebra, rank = self.algebra, 0 if {} in self.old else len(self.old)
        places = _places(self.new)[:-1]
        for low in range(1, rank):
            place = _product(self.old[low:])
            for high in range(low - 1, -1, -1):
                between = self.old[high + 1 : low]
                literals = [algebra.nonzero(difference(n, _UNIT)) for n in between]
                literals += [e for n in (high, low) for e in algebra.zero(difference(self.old[n], _UNIT))]
                literals += [e for q in places for e in algebra.zero(self._cleared(difference(place, q)))]
                literals += [e for n in self.facts.empty if n in self.view.shape for e in algebra.zero(algebra.poly(n))]
                defect = difference(self.strides[high], times(self.old[low], self.strides[low]))
                literals += algebra.zero(defect)
                yield Clause(tuple([e for e in literals if e != FALSE]), self._why(high, low))

    def _cleared(self, p: Poly) -> Poly:
        """P times the divisor of what −1 stands for, which is positive."""
        if not any(_REST in m for m in p):
            return p
        whole = {m: c for m, c in p.items() if _REST not in m}
        part = {tuple(n for n in m if n != _REST): c for m, c in p.items() if _REST in m}
        return difference(times(whole, self.bottom), times({m: -c for m, c in part.items()}, self.top))

    def _why(self, high: int, low: int) -> str:
        have = to_text(self.view.strides[high])
        needed = to_text(self.algebra.term(times(self.old[low], self.strides[low])))
        return (
            f"dims {high} and {low} would have to be contiguous (place value "
            f"{to_text(self.algebra.term(_product(self.old[low:])))}): stride {high} is {have}, and {needed} is needed"
        )

    # Cases

    def _cases(self, clauses: Sequence[Clause]) -> list[Case]:
        """By what the sizes satisfy; cases with one answer are one."""
        found: dict[Any, tuple[list[Term], Case]] = {}
        for leaf in leaves(clauses, self.known, self._about_sizes):
            case = self._case(leaf)
            key = (case.status, case.equations, case.view if case.view is None else case.view.entries(), case.reason)
            where, _ = found.setdefault(key, ([], case))
            where.append(conj(needed(leaf.decisions, self.known)))
        return [replace(case, where=self._formula(_either(where))) for where, case in found.values()]

    def _about_sizes(self, literal: Term) -> bool:
        return self.sized.issuperset(names(literal))

    def _case(self, leaf: Leaf) -> Case:
        refused = leaf.refused()
        if refused is not None:
            return Case(TRUE, Status.NEVER, (), None, reason=refused.why)
        equations = tuple([self._equation(c) for c in leaf.clauses])
        status = Status.WHEN if equations else Status.ALWAYS
        reason = "exact: the overflows of different place values below the size are independent"
        return Case(TRUE, status, equations, self._view(leaf), reason=reason)

    def _equation(self, clause: Clause) -> Any:
        import sympy

        sides = [[self._formula(a) for a in e.args] for e in clause.literals]
        if len(sides) == 1:
            return sympy.Eq(*sides[0], evaluate=False)
        return sympy.Eq(sympy.Mul(*[a - b for a, b in sides]), 0, evaluate=False)

    def _formula(self, term: Term) -> Any:
        return evaluate(term, self.symbols)

    def _value(self, p: Poly) -> Any:
        return p.get(ONE, 0) if set(p) <= {ONE} else self._formula(self.algebra.term(p))

    def _view(self, leaf: Leaf) -> View:
        """Each new stride is the old one at the nearest common place value at or below its own, scaled."""
        equal = _solutions(leaf.decisions, self.algebra)
        old = [(n, t) for n, t in zip(self._with(self.old, equal), self.strides, strict=True) if n != _UNIT]
        new = self._with(self.new, equal)
        shape = [self._value(n) for n in self.new]
        if {} in new:
            return View(shape, (0,) * len(shape))
        below = _places([n for n, _ in old])
        strides = []
        for axis, (size, place) in enumerate(zip(new, _places(new), strict=True)):
            idle = size == _UNIT or not old
            strides.append({} if idle else self._stride(place, _places(new)[axis:], old, below, leaf))
        return View(shape, list(map(self._value, strides)), self.view.offset)

    def _with(self, sizes: Sequence[Poly], equal: Mapping[str, Poly]) -> list[Poly]:
        found = []
        for p in sizes:
            for name, by in equal.items():
                p = substitute(p, name, by)
            found.append(p)
        return found

    def _stride(
        self, place: Poly, lower: Sequence[Poly], old: Sequence[tuple[Poly, Poly]], below: Sequence[Poly], leaf: Leaf
    ) -> Poly:
        for common in lower:
            for (_, stride), have in zip(old, below, strict=True):
                if have == common or self._equal(have, common, leaf):
                    return times(stride, self._ratio(place, common))
        raise InternalError("no place value is common, though 1 is")

    def _equal(self, p: Poly, q: Poly, leaf: Leaf) -> bool:
        return any(leaf.known.implies(e) for e in self.algebra.zero(self._cleared(difference(p, q))))

    def _ratio(self, place: Poly, common: Poly) -> Poly:
        exact = quotient(place, common)
        if times(exact, common) == place:
            return exact
        name = f"⟨{len(self.algebra.opaque)}⟩"
        self.algebra.opaque[name] = Term("//", (self.algebra.term(place), self.algebra.term(common)))
        return {(name,): 1}


def _is_hole(size: Any) -> bool:
    return is_number(size) and size == -1


def _product(sizes: Sequence[Poly]) -> Poly:
    return reduce(times, sizes, _UNIT)


def _places(sizes: Sequence[Poly]) -> list[Poly]:
    """The row-major place value of each dim."""
    return [_product(sizes[n + 1 :]) for n in range(len(sizes))]


def _either(parts: Sequence[Term]) -> Term:
    return TRUE if TRUE in parts else disj(parts)


def _solutions(decisions: Sequence[Term], algebra: Algebra) -> dict[str, Poly]:
    """What the equations among the decisions say that single names are."""
    found: dict[str, Poly] = {}
    for term in decisions:
        if term.op != "==":
            continue
        p = difference(algebra.poly_of(term.args[0]), algebra.poly_of(term.args[1]))
        for name, by in found.items():
            p = substitute(p, name, by)
        solved = next((m for m, c in p.items() if len(m) == 1 and abs(c) == 1 and not _elsewhere(m[0], m, p)), None)
        if solved is not None:
            rest = {m: -c * p[solved] for m, c in p.items() if m != solved}
            found = {n: substitute(by, solved[0], rest) for n, by in found.items()}
            found[solved[0]] = rest
    return found


def _elsewhere(name: str, monomial: tuple[str, ...], p: Poly) -> bool:
    return any(name in m for m in p if m != monomial)
