"""The unknown integers over which the strides and the offset of an inner view are affine.

`Unknowns` has the meaning of each of them, and its bounds. `OpenMap` is the address map over them. `Inside` finds where
it stays inside the outer shape, and `Reached` which of their values, by residues, the symbols can have.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, product
from math import gcd, lcm, prod
from typing import NamedTuple

from symview.cases.algebra import Algebra
from symview.cases.equations import combine
from symview.cases.query import Query
from symview.cases.table import Entry, Point, Unknown
from symview.engine.index_map import Affine, IndexMap, Range
from symview.engine.presburger import SizeSet, coordinate, spelled
from symview.engine.row_space import Row, RowSpace, primitive, unit
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.integer import Int
from symview.logic.points import bounds_of, compiled, true_at
from symview.logic.polynomial import ONE, Poly, operations
from symview.logic.sympy_bridge import free_symbols, symbol_of, to_sympy
from symview.logic.terms import Term, conj, names, num
from symview.view import View

_NEAR, _VALUES = 3_000, 20_000  # values of one symbol, and of all together, that are enumerated
_INDICES_PER_ENTRY = 5  # finding a row space costs about as much as walking so many indices
_MOST_CORNERS = 64
_MOST_PAIRED = 16  # with more forms, sums of two are not tried


class Unknowns:
    """The unknown integers over which the start and the steps of an inner view are affine.

    `meaning` is the polynomial that each stands for: a monomial that occurs, if strides and offset determine these;
    else a form of which strides and offset are multiples. `box` is the address map over them, with the bounds that the
    facts imply.

    >>> from symview.cases.query import query_about
    >>> from symview.logic.budget import DEFAULT
    >>> from symview.logic.sympy_bridge import to_text
    >>> def shown(text: str) -> list[str]:
    ...     views = View.parse("(9,9)"), View.parse(text)
    ...     return [to_text(m) for m in Unknowns(query_about(views, (), DEFAULT), views[1]).terms]
    >>> shown("(2,2):(2*t,3*t+u)"), shown("(2,2):(2*t,3*t+u)+u"), shown("(2,3):(t+u,2*t+2*u+1)")
    (['t', 'u'], ['t', 'u'], ['t + u'])
    """

    def __init__(self, query: Query, inner: View) -> None:
        self.algebra: Algebra = query.algebra
        steps = [t if n != 1 else 0 for n, t in zip(inner.shape, inner.strides, strict=True)]
        forms = [self.algebra.poly(x) for x in (*steps, inner.offset)]
        monomials = list(dict.fromkeys(m for f in forms for m in f if m))
        rows = [tuple([f.get(m, 0) for m in monomials]) for f in forms]
        kinds = [unit(n, len(monomials)) for n in range(len(monomials))]
        if RowSpace(len(monomials), rows).rank < len(monomials):
            kinds = list(dict.fromkeys(primitive(r) for r in rows if any(r)))
            rows = [_multiple(r, kinds) for r in rows]
        self.meaning = tuple([{m: c for m, c in zip(monomials, kind, strict=True) if c} for kind in kinds])
        self.terms = tuple(map(self.algebra.term, self.meaning))
        symbols = free_symbols(inner.entries())
        ranges = tuple([_bounds(m, symbols, query.facts.formulas) for m in self.terms])
        affine = [Affine(row, f.get(ONE, 0)) for row, f in zip(rows, forms, strict=True)]
        self.box = OpenMap(inner.shape, tuple(affine[:-1]), affine[-1], ranges)

    def term(self, form: Affine) -> Term:
        """An affine form of the unknowns as a term over the symbols."""
        return self.algebra.term(combine((*form.weights, form.constant), (*self.meaning, {ONE: 1})))

    def columns(self, inside: Inside, places: Sequence[int]) -> list[Unknown]:
        """The columns of a table: values if few of them are inside, else residues modulo the largest place value.

        An unknown that occurs only in multiples needs a smaller modulus. Raises Undecided if the table of all
        combinations is too large for the budget, or if the box has too many corners.
        """
        box, modulus, found = inside.moving, places[0] if places else 1, list[Unknown]()
        for k, (name, (low, high)) in enumerate(zip(self.terms, inside.ranges, strict=True)):
            period = modulus // gcd(modulus, box.start.weights[k], *[t.weights[k] for t in box.steps])
            found.append(Unknown(name, low, high, period if high - low + 1 > period else 0))
        count, most = prod(u.many() for u in found), max(1, inside.budget.points // _INDICES_PER_ENTRY)
        if count > most or inside.sides is None:
            raise Undecided(
                f"that depends on {count} residues or values of the strides and the offset, "
                f"and the budget of {inside.budget.points} points allows {most}"
            )
        return found

    def is_plain(self) -> bool:
        """Whether every unknown is a symbol, so that it can have all values."""
        return all(m.op == "sym" for m in self.terms)


def _multiple(row: Row, kinds: Sequence[Row]) -> Row:
    """A row as multiples of primitive rows; it is a multiple of at most one of them."""
    own = primitive(row)
    times = next((x // y for x, y in zip(row, own, strict=True) if x), 0)
    return tuple([times if kind == own else 0 for kind in kinds])


def _bounds(meaning: Term, symbols: Mapping[str, Int], facts: Sequence[Term]) -> Range:
    """The bounds that the facts imply for a symbol; for other expressions, by the assumptions of their symbols."""
    if meaning.op == "sym":
        own = [f for f in facts if names(f) == meaning.args]
        return bounds_of(own, list(meaning.args))[0]
    if meaning.op == "%" and meaning.args[1].op == "int" and meaning.args[1].args[0] > 0:
        return 0, meaning.args[1].args[0] - 1
    if all(symbol_of(x) is None for x in symbols.values()):
        return (0 if meaning.op == "abs" or _is_square(meaning) else None), None
    value = to_sympy(meaning, symbols)
    low = 1 if value.is_positive else 0 if value.is_nonnegative else None
    return low, -1 if value.is_negative else 0 if value.is_nonpositive else None


def _is_square(term: Term) -> bool:
    factors = [a for a in term.args if a.op != "int"] if term.op == "*" else []
    return bool(factors) and all(factors.count(a) % 2 == 0 for a in factors) and len(factors) == len(term.args)


class Reached:
    """Which entries of a table occur for values of the symbols that the facts allow.

    A symbol has finitely many values if a polynomial in it alone is bounded. For other symbols, residues determine the
    residues of the unknowns. `possible` are the residues modulo `moduli` that occur together, None if all may; if
    `exact`, they occur for sure.
    """

    def __init__(self, unknowns: Unknowns, facts: Sequence[Term], inside: Inside, columns: Sequence[Unknown]) -> None:
        self.inside, self.terms, self.names = inside, unknowns.terms, names(*unknowns.terms)
        self.own = [f for f in facts if set(names(f)) <= set(self.names)]
        self.tied = any(not set(names(f)).isdisjoint(self.names) for f in facts if f not in self.own)
        self.plain = unknowns.is_plain()
        self.moduli = [c.many() for c in columns]
        self.possible: set[Entry] | None = None
        self.exact = False
        if self.own or not self.plain:
            values: dict[str, list[int]] = {}
            for meaning, column in zip(unknowns.meaning, columns, strict=True):
                if len({n for m in meaning for n in m}) == 1 and not operations(meaning):
                    values |= _preimage(meaning, column.low, column.high)
            _ = self._try(values) or self._try({})

    def allows(self, entry: Entry) -> bool:
        """Whether some residues of the symbols have this entry."""
        return self.possible is None or tuple([v % m for v, m in zip(entry, self.moduli, strict=True)]) in self.possible

    def sees(self, point: Point | None) -> bool:
        """Whether values are known to have the entry; `point`: values of the unknowns with this entry."""
        if self.exact or self.tied or not self.plain:
            return self.exact
        return point is not None and (not self.own or true_at(self.own, dict(zip(self.names, point, strict=True))))

    def _try(self, values: dict[str, list[int]]) -> bool:
        """Enumerates all values of the symbols, or all their residues; False if they are too many."""
        needs = [_needed(t, m, values) for t, m in zip(self.terms, self.moduli, strict=True)]
        about = [(f, _needed(f, 0, values)) for f in self.own]
        most: dict[str, int] = {}
        for need in (*needs, *(need for _, need in about)):
            for name, modulus in (need or {}).items():
                most[name] = lcm(most.get(name, 1), modulus)
        spans = [values[n] if n in values else range(most.get(n, 1)) for n in self.names]
        if (many := prod(len(values[n]) if n in values else most.get(n, 1) for n in self.names)) > _VALUES:
            return False
        self.inside.budget.spend(10 * many)
        self.exact = len(values) == len(self.names) and not self.tied
        self.moduli = [1 if need is None else m for need, m in zip(needs, self.moduli, strict=True)]
        test = compiled(conj(f for f, need in about if need is not None), self.names, "floor")
        terms = [num(0) if need is None else t for need, t in zip(needs, self.terms, strict=True)]
        run = [compiled(t, self.names, "floor") for t in terms]
        self.possible = set()
        for chosen in product(*spans):
            with suppress(ZeroDivisionError):
                if test(chosen):
                    point = tuple([f(chosen) for f in run])
                    if not self.exact or self.inside.holds(point):
                        self.possible.add(tuple([x % m for x, m in zip(point, self.moduli, strict=True)]))
        return True


def _preimage(meaning: Poly, low: int, high: int) -> dict[str, list[int]]:
    """The name in a polynomial of one variable, and its values for which that is in low..high; empty if too many.

    Theory: |p(x)| >= (|x| − S)^d for |x| >= S, where d is the degree and S the sum of the lower coefficients' sizes.
    """
    degree, most = max(map(len, meaning)), max(abs(low), abs(high))
    far = sum(abs(c) for m, c in meaning.items() if len(m) < degree) + int(most ** (1 / degree)) + 2
    if far > _NEAR:
        return {}
    near = range(-far, far + 1)
    found = [x for x in near if low <= sum(c * x ** len(m) for m, c in meaning.items()) <= high]
    return {next(iter(meaning))[0]: found}


def _needed(term: Term, modulus: int, values: Collection[str]) -> dict[str, int] | None:
    """Moduli for the symbols whose residues determine the term modulo `modulus` (0: its value); None if there are none.

    `values` are the symbols whose values are known anyway.
    """
    op, args = term
    if op in ("int", "bool") or (op == "sym" and args[0] in values):
        return {}
    if op == "sym":
        return {args[0]: modulus} if modulus else None
    by_number = op in ("//", "%") and args[1].op == "int" and args[1].args[0] > 0
    if by_number and (op == "%" or modulus):
        return _needed(args[0], args[1].args[0] * (modulus if op == "//" else 1), values)
    found: dict[str, int] = {}
    for a in args:
        need = _needed(a, modulus if op in ("+", "-", "*", "neg") else 0, values)
        if need is None:
            return None
        for name, m in need.items():
            found[name] = lcm(found.get(name, 1), m)
    return found


class OpenMap(NamedTuple):
    """x(i) = start + Σ i_j·steps_j on the box 0 <= i_j < sizes_j, no size being 0; `ranges` bound the unknowns."""

    sizes: tuple[int, ...]
    steps: tuple[Affine, ...]
    start: Affine
    ranges: tuple[Range, ...]

    def at(self, point: Point) -> IndexMap:
        """The address map at a point."""
        return IndexMap(self.sizes, tuple([t.at(point) for t in self.steps]), self.start.at(point))

    def address(self, index: Sequence[int]) -> Affine:
        """The address x(index)."""
        found = self.start
        for i, step in zip(index, self.steps, strict=True):
            found = found.plus(step, i)
        return found

    def without_repeats(self) -> OpenMap:
        """The same addresses with distinct steps: axes of equal steps are combined into one."""
        most: dict[Affine, int] = {}
        for size, step in zip(self.sizes, self.steps, strict=True):
            if size > 1 and step != Affine((0,) * len(self.ranges), 0):
                most[step] = most.get(step, 1) + size - 1
        return self._replace(sizes=tuple(most.values()), steps=tuple(most))

    def corners(self) -> list[Affine] | None:
        """The addresses of the corners; None if they are too many."""
        found = [self.start]
        for size, step in zip(self.sizes, self.steps, strict=True):
            if size > 1:
                found += [corner.plus(step, size - 1) for corner in found]
            if len(found) > _MOST_CORNERS:
                return None
        return found

    def modulo(self, place: int) -> tuple[OpenMap, tuple[Affine, ...]]:
        """The map whose overflow counts are quotients by the place, and the forms whose residues it takes.

        C_P(i) = (ρ + Σ i_j·R_j) // P with ρ = o mod P and R_j = ((o + t_j) mod P) − ρ ("Which boundaries overflow",
        proofs/README.md). The unknowns of that map are the residues; its axes are those of `without_repeats`.
        """
        moving = self.without_repeats()
        ends = [_reduced(x, place) for x in (self.start, *(self.start.plus(t) for t in moving.steps))]
        forms = tuple(dict.fromkeys(x for x in ends if not x.is_number()))
        residues = [Affine(tuple([int(x == f) for f in forms]), x.constant if x.is_number() else 0) for x in ends]
        steps = tuple([r.plus(residues[0], -1) for r in residues[1:]])
        return OpenMap(moving.sizes, steps, residues[0], ((0, place - 1),) * len(forms)), forms


def _reduced(form: Affine, place: int) -> Affine:
    """A form with the same residues modulo the place, without multiples of it."""
    weights = tuple([w if w % place else 0 for w in form.weights])
    constant = form.constant if any(weights) and abs(form.constant) < place else form.constant % place
    return Affine(weights, constant)


def sides(box: OpenMap, size: int) -> tuple[Affine, ...] | None:
    """The forms that are all nonnegative exactly if all addresses are in 0..size−1; redundant forms are dropped.

    If the box is never inside, a form is negative everywhere. None if the box has too many corners.

    >>> [tuple(s) for s in sides(OpenMap((3,), (Affine((1,), 0),), Affine((0,), 4), ((None, None),)), 12) or ()]
    [((1,), 2), ((-1,), 3)]
    """
    corners = box.without_repeats().corners()
    if corners is None:
        return None
    top = Affine((0,) * len(box.ranges), size - 1)
    kept = [form for corner in corners for form in (corner, top.plus(corner, -1))]
    for reduced in (False, True):  # an implication may be lost by dividing through the common factor
        least: dict[Row, int] = {}
        for weights, constant in kept:
            common = (gcd(*weights) or 1) if reduced else 1
            row = tuple([w // common for w in weights])
            least[row] = min(least.get(row, constant // common), constant // common)
        kept = [Affine(*item) for item in least.items()]
        for one in sorted(kept, key=lambda form: -sum(form.weights)):  # keeps what implies the last one
            if _follows(one, [form for form in kept if form is not one], box.ranges):
                kept.remove(one)
    return tuple(kept)


def _follows(form: Affine, others: Sequence[Affine], ranges: Sequence[Range]) -> bool:
    """Whether a form is nonnegative where the others are: it is at least one of them, or at least a sum of two."""
    if form.is_implied(ranges) or any(form.is_implied(ranges, by) for by in others):
        return True
    pairs = () if form.is_number() or len(others) > _MOST_PAIRED else combinations(others, 2)
    return any(form.plus(one, -1).is_implied(ranges, by) for one, by in pairs)


class Inside:
    """The points at which every address of an open map is in 0..size−1.

    `sides` are forms that are all nonnegative exactly there; None if they are too many. `ranges` are the least and the
    greatest value of each unknown, or bounds if there are no `sides`; there are none if `empty`. Raises Undecided if
    isl does not find these.
    """

    def __init__(self, box: OpenMap, size: int, budget: Budget) -> None:
        self.box, self.moving, self.size, self.budget = box, box.without_repeats(), size, budget
        self.sides = sides(box, size)
        single = [box._replace(sizes=(n,), steps=(t,)) for n, t in zip(box.sizes, box.steps, strict=True)]
        self.bounds = self.sides if self.sides is not None else [s for one in single for s in sides(one, size) or ()]
        points = self._set()
        self.empty = points.is_empty()
        axes = range(0 if self.empty else len(box.ranges))
        self.ranges = tuple([(points.least(k) or 0, points.most(k) or 0) for k in axes])

    def holds(self, point: Point) -> bool:
        """Whether a point is inside."""
        return self.keeps(self.moving.at(point))

    def keeps(self, box: IndexMap) -> bool:
        """Whether all addresses of a box are inside."""
        low, high = box.reach()
        return low >= 0 and high < self.size

    def point(self, conditions: Iterable[str] = ()) -> Point | None:
        """Some point inside that satisfies isl's conditions on p0, p1, …; None if there is none."""
        return self._set(conditions).point()

    def _set(self, conditions: Iterable[str] = ()) -> SizeSet:
        parts = [f"{spelled(s)} >= 0" for s in self.bounds]
        for k, (least, most) in enumerate(self.box.ranges):
            parts += [f"{coordinate(k)} >= {least}"] if least is not None else []
            parts += [f"{coordinate(k)} <= {most}"] if most is not None else []
        return SizeSet.where([*parts, *conditions], tuple(map(coordinate, range(len(self.box.ranges)))), self.budget)
