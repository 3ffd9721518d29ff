"""Properties of index expressions over ranges: bounds, injective, bijective, and patterns along one axis.

Ranges give each index its values: `{"i": "n", "j": (2, 9)}` means 0 <= i < n and 2 <= j < 9. Names without a range are
any integers that satisfy the assumptions; beside one, a range of a name that does not occur is an error, as then one of
the two is probably misspelled. Indices at which a divisor is 0 have no value.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import gcd
from typing import Any, TypeAlias

from symview.cases.query import positive_names
from symview.counterexample import values_text
from symview.displayed import Displayed
from symview.errors import InputError, Undecided, unknown_name
from symview.logic.budget import Budget, running
from symview.logic.notation import parse_expression
from symview.logic.points import least_by_halving
from symview.logic.polynomial import as_term, expanded, poly_of
from symview.logic.solve import Open, Sat, solve
from symview.logic.sympy_bridge import to_term, to_text
from symview.logic.terms import (
    TRUE,
    Term,
    conj,
    fresh,
    names,
    negated,
    nonzero_divisors,
    num,
    substituted,
    sym,
    untied,
    value_of,
)
from symview.proof.prover import prove
from symview.proof.statement import Statement, read
from symview.proof.verdicts import Proved, Verdict

Expression: TypeAlias = Any  # text, a Term, an integer, or a sympy expression
Ranges: TypeAlias = Mapping[str, Any]  # a size, or a pair (first, last + 1)
_MAX_BITS = 64  # bounds are searched up to 2**64


@dataclass(frozen=True, slots=True)
class Bounds(Displayed):
    """The least and the greatest value, and where they are attained."""

    low: int
    high: int
    at_low: Mapping[str, int] = field(hash=False)
    at_high: Mapping[str, int] = field(hash=False)

    def __str__(self) -> str:
        return f"{self.low} <= … <= {self.high}"


@dataclass(frozen=True, slots=True)
class AxisInfo(Displayed):
    """The pattern of an expression along one axis of `size` values, in aligned blocks; each number is maximal.

    contiguity   in blocks of so many, each value is the one before it plus 1
    constancy    in blocks of so many, all values are equal
    divisibility divides the first value of every contiguous block (0: these values are all 0)

    Blocks start at multiples of their length, which divides the size. `witnesses` has, for each number, values at which
    a greater one fails.
    """

    contiguity: int
    divisibility: int
    constancy: int
    size: int
    witnesses: Mapping[str, tuple[Mapping[str, int], ...]] = field(hash=False)

    def __str__(self) -> str:
        return f"contiguity {self.contiguity}, divisibility {self.divisibility}, constancy {self.constancy}"


def bounds(
    expression: Expression,
    ranges: Ranges,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Bounds:
    """The exact least and greatest value of an expression over its ranges, and where they are attained.

    Raises InputError if the ranges are empty, Undecided if the budget finds no bound within 2**64.

    >>> found = bounds("i//4*8 + i%4", {"i": 30})
    >>> print(found, found.at_high)
    0 <= … <= 57 {'i': 29}
    """
    domain = Domain([expression], ranges, assume, division, budget)
    (term,) = domain.terms
    inside = domain.some_value()
    high, at_high = domain.greatest(term, inside)
    low, at_low = domain.greatest(Term("neg", (term,)), inside)
    return Bounds(-low, high, at_low, at_high)


def injective(
    expressions: Expression | Sequence[Expression],
    ranges: Ranges,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Verdict:
    """Whether different indices in the ranges have different values; several expressions are compared as a tuple.

    Only names with a range are indices. A refutation has two indices with the same value; the second one's i is i_2.

    >>> bool(injective(["i//4", "i%4"], {"i": "n"}))
    True
    >>> injective("i//4*2 + i%4", {"i": 30}).values
    {'i': 2, 'i_2': 4}
    """
    domain = Domain(listed(expressions), ranges, assume, division, budget)
    other = {n: fresh(f"{n}_2", domain.names(), "_") for n in ranges}
    twin = {n: sym(o) for n, o in other.items()}
    same = conj(Term("==", (t, substituted(t, twin))) for t in domain.terms)
    equal = conj(Term("==", (sym(n), sym(o))) for n, o in other.items())
    given = [*domain.facts, *(substituted(f, twin) for f in domain.facts)]
    try:
        return prove(Term("->", (same, equal)), list(dict.fromkeys(given)), division, budget=domain.budget)
    except InputError:
        domain.some_value()  # if there is none, the error is about these names alone
        raise


def bijective(
    expression: Expression,
    ranges: Ranges,
    onto: Expression = None,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Verdict:
    """Whether each integer 0, …, onto - 1 is the value of exactly one index; by default onto is the number of indices.

    It suffices that there are `onto` indices, all with a value in range, and no two with the same value. Sizes may be
    symbols, and are assumed positive. Assumptions about indices are rejected, since then the sizes would not give the
    number of indices.

    >>> bool(bijective("i*m + j", {"i": "n", "j": "m"}))
    True
    >>> print(bijective("i*8 + j", {"i": 4, "j": 6}).statement)
    0 <= i*8 + j and i*8 + j < 24
    """
    size = None if onto is None else as_index(onto, division)
    domain = Domain([expression], ranges, assume, division, budget, () if size is None else (size,))
    if size is not None and (odd := next((n for n in names(size) if n not in domain.names()), None)):
        raise InputError(f"onto {to_text(size)}: {unknown_name(odd, domain.names())}")
    for fact in read(TRUE, assume, division).assumptions:
        if used := sorted(set(names(fact.term)) & set(ranges)):
            raise InputError(f"{fact.text} is about {', '.join(used)}: give its range, so that indices can be counted")
    (term,) = domain.terms
    sizes = [Term("-", (high, low)) if low != num(0) else high for low, high in domain.ranges.values()]
    count = as_term(poly_of(Term("*", tuple(sizes))))
    size = count if size is None else size
    sized = [f for f in domain.facts if not set(names(f)) & set(ranges)]
    if onto is not None:
        counted = prove(Term("==", (count, size)), sized, division, budget=domain.budget)
        if not isinstance(counted, Proved):
            return counted
    within = conj((Term("<=", (num(0), term)), Term("<", (term, size))))
    for needed in (*domain.divisors(ranges), within):
        shown = prove(needed, domain.facts, division, budget=domain.budget)
        if not isinstance(shown, Proved):
            return shown
    return injective(expression, ranges, assume, division, domain.budget)


def axis_info(
    expression: Expression,
    axis: str,
    size: int,
    ranges: Ranges | None = None,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> AxisInfo:
    """Contiguity, divisibility and constancy of an expression along one axis: exact, for all values of the other names.

    The block length is the greatest common divisor of the positions of all breaks; each break found makes it smaller,
    until the solver proves that there is no other. Triton's AxisInfo approximates it by powers of two. Raises
    InputError if an assumption excludes indices along the axis, or one has no value, and Undecided if the budget does
    not decide it.

    >>> print(axis_info("p*64 + i", "i", 64))
    contiguity 64, divisibility 64, constancy 1
    >>> print(axis_info("(p*64 + i)//16", "i", 64))
    contiguity 1, divisibility 1, constancy 16
    """
    if type(size) is not int or size < 1:
        raise InputError(f"size {size!r}: give how many values the axis has, at least 1")
    if not isinstance(axis, str):
        raise InputError(f"axis {axis!r}: give the name of the axis")
    ranges = _mapping({} if ranges is None else ranges)
    if axis in ranges:
        raise InputError(f"{axis}: its range follows from the size: leave it out of the ranges")
    assumed = Domain([expression], {axis: size, **ranges}, assume, division, budget).assumed
    others = [f for f in assumed if axis not in names(f)]
    domain = Domain([expression], {axis: size, **ranges}, others, division, budget)
    (term,) = domain.terms
    domain.some_value()
    for needed in (*domain.divisors([axis]), *(f for f in assumed if f not in others)):
        if (at := domain.values([negated(needed)])) is not None:
            where = f"{to_text(needed)} fails at {values_text(at)}"
            raise InputError(f"all {size} values of {axis} have to be allowed: {where}")
    here, after = sym(axis), Term("+", (sym(axis), num(1)))
    step = Term("-", (substituted(term, {axis: after}), term))
    inner = Term("<", (after, num(size)))
    contiguity, runs = domain.common(after, size, [inner, Term("!=", (step, num(1)))])
    constancy, plateaus = domain.common(after, size, [inner, Term("!=", (step, num(0)))])
    starts = Term("==", (Term("%", (here, num(contiguity))), num(0)))
    divisibility, values = domain.common(term, 0, [starts])
    found = {"contiguity": runs, "constancy": plateaus, "divisibility": values}
    return AxisInfo(contiguity, divisibility, constancy, size, {n: tuple(w) for n, w in found.items()})


class Domain:
    """Expressions, and the facts about their names: the ranges and the assumptions.

    `positive`: the names in sizes such as m*n are at least 1, as in those of views, unless the assumptions bound them
    otherwise. Where the size is n, or 8*n, there is an index only if n is.
    """

    def __init__(
        self,
        expressions: Iterable[Expression],
        ranges: Ranges,
        assume: Statement | Sequence[Statement],
        division: str,
        budget: Budget | None,
        also: Sequence[Term] = (),
    ) -> None:
        """`also`: further terms whose names assumptions may be about."""
        self.budget, self.division = running(budget), division
        self.terms = [as_index(one, division) for one in expressions]
        self.ranges = {name: _range(name, given, division) for name, given in _mapping(ranges).items()}
        sizes = names(*(x for pair in self.ranges.values() for x in pair))
        known = (*names(*self.terms, *also), *sizes)
        self.assumed = [f.term for f in read(TRUE, assume, division, known=(*known, *self.ranges)).assumptions]
        far = untied(self.assumed, known)
        self._require_known((*known, *names(*(f for f in self.assumed if f not in far))), sizes)
        sizes_of_several = [high for low, high in self.ranges.values() if low == num(0) and _may_cancel(high)]
        inner = [n for n in positive_names(sizes_of_several, self.assumed) if n not in self.ranges]
        self.positive = [Term(">=", (sym(n), num(1))) for n in inner]
        self.facts = [*self.assumed, *self.positive]
        for name, (low, high) in self.ranges.items():
            self.facts += [Term("<=", (low, sym(name))), Term("<", (sym(name), high))]

    def _require_known(self, used: Sequence[str], sizes: Sequence[str]) -> None:
        """Raises InputError for a range of a name that is not used, if a name of the expressions has no range."""
        own = names(*self.terms)
        odd = next((n for n in self.ranges if n not in used), None)
        left = [n for n in own if n not in (*self.ranges, *sizes)]
        if odd is not None and left:
            said = unknown_name(odd, own, "expression" if len(self.terms) == 1 else "map", "index")
            raise InputError(
                f"range of {odd}: {said}; {' and '.join(left)} {'has' if len(left) == 1 else 'have'} no range"
            )

    def names_positive(self) -> tuple[str, ...]:
        """The names that are taken to be 1 or more."""
        return names(*self.positive)

    def names(self) -> tuple[str, ...]:
        """All names in the expressions and the facts."""
        return names(*self.terms, *self.facts)

    def divisors(self, indices: Iterable[str]) -> list[Term]:
        """The formulas about these indices that no divisor in the expressions is 0."""
        return [d for d in nonzero_divisors(self.terms) if set(names(d)) & set(indices)]

    def some_value(self) -> dict[str, int]:
        """Values in the domain at which no divisor is 0; raises InputError if there are none."""
        inside = self.values(nonzero_divisors(self.terms))
        if inside is None:
            shown = ", ".join(map(to_text, self.terms))
            raise InputError(f"{shown}: no values are in the ranges with nonzero divisors")
        return inside

    def values(self, also: Sequence[Term]) -> dict[str, int] | None:
        """Values in the domain that also satisfy these formulas; None if there are none. Raises Undecided."""
        formulas = [*self.facts, *also]
        stated = read(conj(formulas), (), self.division).claim
        answer = solve([stated], self.budget)
        if isinstance(answer, Open):
            raise Undecided(answer.reason)
        if isinstance(answer, Sat):
            return {n: answer.model.get(n, 0) for n in names(*self.terms, *formulas)}
        return None

    def greatest(self, term: Term, inside: dict[str, int]) -> tuple[int, dict[str, int]]:
        """The greatest value of a term, and where it is attained; the search starts from `inside`."""

        def above(bound: int) -> dict[str, int] | None:
            return self.values([Term(">=", (term, num(bound)))])

        def at(values: dict[str, int]) -> int:
            return int(value_of(term, {n: values.get(n, 0) for n in names(term)}, self.division))

        best, beyond = inside, 1
        while (found := above(at(best) + beyond)) is not None:
            best, beyond = found, 2 * beyond
            if beyond > 2**_MAX_BITS:
                raise Undecided(f"{to_text(term)} has no bound below 2**{_MAX_BITS}")
        most = at(best) + beyond - 1
        best = least_by_halving(best, lambda values: most - at(values), lambda less: above(most - less))
        return at(best), best

    def common(self, term: Term, known: int, where: Sequence[Term]) -> tuple[int, list[dict[str, int]]]:
        """The greatest common divisor of `known` and the term's values there, and the values that made it smaller."""
        found, witnesses = known, list[dict[str, int]]()
        while found != 1:
            rest = Term("%", (term, num(found))) if found else term
            seen = self.values([*where, Term("!=", (rest, num(0)))])
            if seen is None:
                break
            found = gcd(found, int(value_of(term, seen, self.division)))
            witnesses.append(seen)
        return found, witnesses


def listed(expressions: Expression | Sequence[Expression]) -> list[Expression]:
    """The expressions as a list."""
    several = isinstance(expressions, (list, tuple)) and not isinstance(expressions, Term)
    if several and not expressions:
        raise InputError("give an expression, or several")
    return list(expressions) if several else [expressions]


def as_index(expression: Expression, division: str = "") -> Term:
    """The expression as a term: from text in the notation, an integer, or sympy; `division` is that of text."""
    if isinstance(expression, Term):
        return expression
    if isinstance(expression, str):
        return parse_expression(expression, division)
    entry = to_term(expression)
    if entry.is_formula():
        raise InputError(f"{expression!r} is true or false: give an expression whose values are integers")
    return entry


def _may_cancel(size: Term) -> bool:
    """Whether the size may be positive where names in it are negative, as far as its form tells."""
    return len(names(size)) > 1 or any(len(monomial) > 1 for monomial in expanded(size))


def _mapping(ranges: object) -> Ranges:
    if not isinstance(ranges, Mapping):
        raise InputError(f"the ranges {ranges!r} are not a dict: give a size, or a pair, for each name")
    return ranges


def _range(name: str, given: Expression | tuple[Expression, Expression], division: str) -> tuple[Term, Term]:
    """The first value, and the last one plus 1."""
    if isinstance(given, tuple) and not isinstance(given, Term):
        if len(given) != 2:
            raise InputError(f"the range of {name} is a size, or a pair (first, beyond the last): not {given!r}")
        low, high = (as_index(end, division) for end in given)
    else:
        low, high = num(0), as_index(given, division)
    if name in names(low, high):
        raise InputError(f"the range of {name} must not mention {name}")
    return low, high
