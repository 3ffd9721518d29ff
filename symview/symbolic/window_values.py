"""Where windows of numbers are valid, by the values that symbols leave modulo the place values."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd

from symview.cases.forks import Fork
from symview.engine.index_map import IndexMap
from symview.engine.valid_box import NotABox, Region, valid_box
from symview.engine.windows import Window as NumericWindow
from symview.engine.windows import Windows
from symview.errors import InternalError, Undecided
from symview.logic.polynomial import ONE, Poly
from symview.logic.solve import Sat, solve
from symview.logic.terms import Term, names, num, value_of
from symview.symbolic.addresses import split_by
from symview.symbolic.algebra import Algebra
from symview.symbolic.windows import Part, Window

_MOST_VALUES = 32  # of one term that are told apart


def valid_at_values(windows: Sequence[Window], part: Part, fork: Fork, algebra: Algebra) -> Part | bool:
    """The box of valid indices; True where they are no box, False where there are none.

    Addresses matter modulo the largest place value M alone: start, strides and ends of windows get each of their
    values. Along an axis of stride c validity repeats every T = M/gcd(M, c), so all sizes from 2T on are alike: there
    what is valid anywhere is so along the whole axis, or in no box.
    Raises Undecided where a place value is no number, or a term may have too many values.
    """
    values = _Values(fork, algebra)
    modulus = max(values.number(w.modulus()) for w in windows)
    places = [values.number(w.place) for w in windows]
    found = [
        NumericWindow(
            values.number(w.size) * p,
            values.one_of(w.low, values.number(w.size)) * p,
            values.one_of(w.high, values.number(w.size)) * p,
        )
        for w, p in zip(windows, places, strict=True)
    ]
    steps = [0 if a.size == {ONE: 1} else values.residue(a.step, modulus) for a in part.axes]
    start = values.residue(part.start, modulus)
    periods = [modulus // gcd(modulus, t) for t in steps]
    sizes = [1 if p == 1 else values.up_to(a.size, 2 * p) for a, p in zip(part.axes, periods, strict=True)]
    region = Region((0,) * len(sizes), IndexMap(tuple(sizes), tuple(steps), start))
    box = valid_box(region, Windows(found), fork.budget)
    if box is None or isinstance(box, NotABox):
        return box is not None
    for axis, (low, n, size, period) in enumerate(zip(box.lows, box.box.sizes, sizes, periods, strict=True)):
        if n != size:
            if size == 2 * period:
                raise InternalError("a box that ends where validity repeats")
            part = part.cut(axis, {ONE: low} if low else {}, {ONE: n})
    return part


class _Values:
    """Terms as numbers, each of their values on a path of its own."""

    def __init__(self, fork: Fork, algebra: Algebra) -> None:
        self.fork, self.algebra = fork, algebra

    def number(self, p: Poly) -> int:
        """The polynomial as a number; each value of a few on a path of its own."""
        if set(p) <= {ONE}:
            return p.get(ONE, 0)
        term, known = self.algebra.term(p), self.fork.known
        if not known.implies(Term("<=", (term, num(_MOST_VALUES)))):
            raise Undecided("whether the valid indices are a box is open: a place value is no number")
        while True:
            self.fork.budget.check()
            answer = self.fork.once("point", lambda: solve(self.fork.known.facts, self.fork.budget))
            if not isinstance(answer, Sat):
                raise Undecided("whether the valid indices are a box is open: a place value is not settled")
            value = int(value_of(term, {n: answer.model.get(n, 0) for n in names(term)}))
            if self.fork.holds(Term("==", (term, num(value)))):
                return value

    def residue(self, p: Poly, modulus: int) -> int:
        """What the polynomial is modulo a number."""
        rest = split_by(p, {ONE: modulus})[1]
        if set(rest) <= {ONE}:
            return rest.get(ONE, 0)
        return self._one(Term("%", (self.algebra.term(rest), num(modulus))), range(modulus))

    def one_of(self, p: Poly, most: int) -> int:
        """The value, from 0 to the most."""
        return p.get(ONE, 0) if set(p) <= {ONE} else self._one(self.algebra.term(p), range(most + 1))

    def up_to(self, p: Poly, most: int) -> int:
        """The value, at least 1, or the most where it is that or more."""
        if set(p) <= {ONE}:
            return p.get(ONE, 0)
        if most > 2 * _MOST_VALUES:
            raise Undecided(f"whether the valid indices are a box is open: sizes up to {most} may differ")
        term = self.algebra.term(p)
        return next((n for n in range(1, most) if not self.fork.holds(Term(">", (term, num(n))))), most)

    def _one(self, term: Term, values: range) -> int:
        if len(values) > _MOST_VALUES:
            raise Undecided(f"whether the valid indices are a box is open: {len(values)} values may differ")
        return self.fork.value(term, values)
