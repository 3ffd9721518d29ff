"""Entries with names: as integers of one run, where comparisons are claims, and as the polynomials of equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from operator import and_
from typing import Any

from symview.cases import equations
from symview.cases.asker import Asker
from symview.cases.forks import Fork
from symview.cases.whole import Claim, Whole
from symview.cute.comparer import divides, ratio
from symview.cute.modes import Modes
from symview.logic import integer
from symview.logic.integer import Int, Integer, of_term, ordered
from symview.logic.polynomial import ONE, Poly, as_term, substitute
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, num, walk


def form_of(value: Any) -> Poly:
    """The polynomial of an integer or a term, in the order of its text, without assumptions about its names."""
    return integer.form_of(value) if type(value) is int else _form(value)


@lru_cache(maxsize=4096)
def _form(value: Int | Term) -> Poly:
    return ordered(integer.form_of(of_term(to_term(value) if isinstance(value, Int) else value)))


def fixed(form: Poly, known: Mapping[str, int]) -> Poly:
    """Substitutes numbers for some symbols of the polynomial."""
    for name, value in known.items():
        form = substitute(form, name, {ONE: value} if value else {})
    return form


def equation(form: Poly) -> Term:
    """The equation form = 0, with its first monomial alone on the left and the others sorted by name."""
    lead, *rest = form
    form = {lead: form[lead], **{m: form[m] for m in sorted(rest, key=lambda m: (not m, m))}}
    return equations.equation(form)


def zero(form: Poly) -> Term:
    """The equation form = 0, not rearranged."""
    return Term("==", (as_term(form), num(0)))


class Entry(Whole):
    """An integer of a run whose `//`, by what is positive, asks nothing: it has a normal form, or is a node."""

    __slots__ = ()
    asker: Names

    def __floordiv__(self, x: Any) -> Any:
        return self.asker.over(self, x)

    def __rfloordiv__(self, x: int) -> Any:
        return self.asker.over(x, self)


class Names(Asker):
    """Compares entries with names in one run; `required` has the polynomials that must be 0 for its result."""

    kind = Entry

    def __init__(self, fork: Fork, symbols: Mapping[str, Integer]) -> None:
        super().__init__(fork)
        self.symbols = symbols

    # From entries to integers of the run, and back

    def whole(self, entry: Any) -> Any:
        """An entry as an integer of the run; quotients in it stay as they are."""
        return self.number(entry.form if isinstance(entry, Whole) else form_of(entry))

    def entry(self, x: Any) -> Any:
        """An integer of the run as an entry."""
        return of_term(self.term(x), self.symbols) if isinstance(x, Whole) else x

    def wholes(self, modes: Modes) -> Modes:
        """Modes of entries as modes of integers of the run."""
        return [(self.whole(n), self.whole(d)) for n, d in modes]

    def entries(self, modes: Modes) -> Modes:
        """Modes of the run as modes of entries."""
        return [(self.entry(n), self.entry(d)) for n, d in modes]

    # Claims, and divisions by what is positive

    def every(self, claims: Sequence[Any]) -> bool:
        """Whether all claims hold, asked as one."""
        claim = reduce(and_, claims, True)
        return claim if isinstance(claim, bool) else self.holds(claim.term)

    def divides(self, a: Any, b: Any) -> Any:
        """The claim that a divides b."""
        if type(a) is int and a == 1:
            return True
        found = divides(self._known(a), self._known(b))
        found = found if isinstance(found, bool) else divides(self._plain(a), self._plain(b))
        return found if isinstance(found, bool) else Claim(self, found.term)

    def over(self, a: Any, b: Any) -> Any:
        """⌊a/b⌋, without asking."""
        if type(b) is int and b == 1:
            return a
        top, bottom = ratio(self._known(a), self._known(b))
        if bottom != 1:
            top, bottom = ratio(self._plain(a), self._plain(b))
        return self.whole(top if bottom == 1 else top // bottom)

    def rounded_up(self, a: Any, b: Any) -> Any:
        """⌈a/b⌉ of two entries; a plain quotient if b is known to divide a."""
        if type(a) is int and (type(b) is int or a == 1):
            return 1 if a == 1 else -(-a // b)
        a, b = self.whole(a), self.whole(b)
        return self.entry(self.over(a, b) if self._is_known(self.divides(b, a)) else -self.over(-a, b))

    def _is_known(self, claim: Claim | bool) -> bool:
        """Whether a claim of divisibility is known; asks nobody if no fact is about remainders."""
        if isinstance(claim, bool):
            return claim
        known = self.fork.known
        return any(part.op == "%" for f in known.facts for part in walk(f)) and known.implies(claim.term)

    def _known(self, x: Any) -> Integer:
        """An integer of the run outside of it, with the exact quotients that the run knows."""
        return integer.integer(integer.form_of(self.now(x)))

    def _plain(self, x: Any) -> Integer:
        """The same with names instead of these quotients."""
        return integer.integer(self._spelled(self.now(x)))
