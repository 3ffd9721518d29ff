"""The setting of a rule: its names, the facts about them, and the requirements of its operations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, product
from typing import NamedTuple

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.inequalities import Known
from symview.logic.points import Range, bounds_of
from symview.logic.polynomial import (
    ONE,
    UNIT,
    Poly,
    arithmetic,
    as_ordered_term,
    expanded,
    minus,
    operations,
    plus,
    poly_of,
    quotient,
    solutions,
    times,
)
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import (
    OPERATORS,
    Term,
    conjuncts,
    divisors,
    names,
    negated,
    nonzero_divisors,
    num,
    sym,
    with_comparisons,
)
from symview.rules.programs.meaning import (
    address_bounds,
    entries,
    in_bounds,
    reads,
    required,
    size_before,
    written_sizes,
)
from symview.rules.programs.program import Program, Rule
from symview.view_notation import tuple_text

_MAX_CORNER_DIMS = 4  # reads of at most so many dims have their corners checked


NOWHERE: Mapping[str, Poly] = {}


def at_index(index: Sequence[Poly]) -> tuple[Mapping[str, Poly], list[Term]]:
    """Names for the digits of an index: the polynomial of each, and the names as terms."""
    at = {f"#{k}": i for k, i in enumerate(index)}
    return at, list(map(sym, at))


class ZeroDivisor(InputError):
    """A divisor is 0 for all values of the names."""


class PolyRequirement(NamedTuple):
    """A requirement of an operation: a polynomial that is >= 0, == 0 or != 0; `what` is it in words."""

    relation: str
    poly: Poly
    what: str


class Setting:
    """A rule about programs without `...`, under assumptions; entries as polynomials, after substituting solved names.

    If an assumption or an operation of the left side determines a name by others, as in n == a*b, the name is
    substituted, so that shapes factor. `known` has the assumptions, that sizes are positive, and the requirements of
    the left side.
    """

    def __init__(self, rule: Rule, assumed: Sequence[Term], budget: Budget) -> None:
        self.rule, self.assumed, self.budget = rule, tuple(assumed), budget
        self.given: dict[str, Poly] = {}
        self.known = Known((), budget)
        self.names = _names(rule, self.assumed)
        self.least = self._least_sizes()
        facts = self.facts = (*self.assumed, *rule.declared())
        equations = [f.args for f in facts if f.op == "=="]
        while (found := self._next_given(equations)) is not None:
            name, by = found
            self.given[name] = by
            self.given = {n: self.poly(self.term(p)) for n, p in self.given.items()}
        self.nonzero = list(map(self.formula, nonzero_divisors(facts)))
        known = Known((), budget).plus([*map(self.formula, facts), *self.nonzero])
        known = known.plus(bounds=[minus(self.poly(size), {ONE: least} if least else {}) for size, least in self.least])
        left = list(self.requirements(rule.left))
        facts = tuple(Term(a.relation, (self.term(a.poly), num(0))) for a in left if a.relation != ">=")
        known = known.plus(facts)
        self.known = known.plus(bounds=[a.poly for a in left if a.relation == ">="], divisions=self._divisions())
        self.known = self.known.plus(bounds=self._corners())
        self._check_tensors()

    # Entries

    def poly(self, term: Term, at: Mapping[str, Poly] = NOWHERE) -> Poly:
        """The entry as a polynomial; a quotient with a remainder becomes a name of its own.

        `at` has polynomials for the names of an index.
        """
        op, args = term
        if op == "sym":
            return at[args[0]] if args[0] in at else self.given.get(args[0], {(args[0],): 1})
        if op == "int":
            return poly_of(term)
        if op in ("+", "-", "neg", "*"):
            return arithmetic(op, [self.poly(a, at) for a in args])
        parts = [self.poly(a) for a in args]
        if op in ("//", "%"):
            if not parts[1]:
                raise ZeroDivisor(f"{to_text(term)}: the divisor is 0")
            floor = self.floor(parts[0], parts[1])
            return floor if op == "//" else minus(parts[0], times(floor, parts[1]))
        return expanded(Term(op, tuple(self.term(p) for p in parts)))

    def floor(self, top: Poly, bottom: Poly) -> Poly:
        """The quotient of entries, rounded down, for bottom != 0."""
        whole = quotient(top, bottom)
        rest = minus(top, times(whole, bottom))
        if not rest:
            return whole
        if all(m == ONE for m in (*rest, *bottom)):
            return plus(whole, {ONE: rest.get(ONE, 0) // bottom[ONE]} if rest else {})
        return plus(whole, expanded(Term("//", (self.term(rest), self.term(bottom)))))

    def term(self, p: Poly) -> Term:
        """The polynomial as a term, its monomials in a fixed order."""
        return as_ordered_term(p)

    def formula(self, formula: Term) -> Term:
        """The formula after substituting solved names."""

        def changed(part: Term) -> Term:
            return Term(part.op, tuple(self.term(self.poly(side)) for side in part.args))

        return with_comparisons(formula, changed)

    def doubtful(self) -> Iterator[Term]:
        """The divisors of the assumptions that may be 0, by the facts without divisions; they are assumed nonzero."""
        stated = {*map(self.formula, self.facts)}
        plain = [f for f in self.known.formulas if (f in stated or f not in self.nonzero) and not any(divisors(f))]
        return (d.args[0] for d in self.nonzero if not is_impossible((*plain, negated(d)), self.budget))

    # Requirements

    def requirements(self, program: Program) -> Iterator[PolyRequirement]:
        """The requirements of a program's operations, except that reads are in bounds at every index."""
        for part in program.parts():
            for relation, term, what in required(part):
                is_count = part.step.op == "reshape" and relation == "=="
                for p in self._unequal(part) if is_count else [self.poly(term)]:
                    if any(p) or not OPERATORS[relation].run((p.get(ONE, 0), 0)):
                        yield PolyRequirement(relation, p, f"{part.step.op}: {what}")

    def blocks(self, old: Sequence[Term], new: Sequence[Term]) -> list[tuple[list[int], list[int]]]:
        """The shortest runs of dims, old and new, with equal products; what remains is one run, minus its equal end."""
        before, after = self._products(old), self._products(new)
        cuts, start = list[tuple[int, int]](), 0
        for a in range(len(old) + 1):
            for b in range(start, len(new) + 1):
                if not self.known.reduced(minus(before[a], after[b])):
                    cuts.append((a, b))
                    start = b + 1
                    break
        a, b = len(old), len(new)
        ends = [] if cuts[-1] == (a, b) else [(a, b)]
        while ends and a > cuts[-1][0] and b > cuts[-1][1]:
            a, b = a - 1, b - 1
            if minus(self.poly(old[a]), self.poly(new[b])):
                break
            ends.append((a, b))
        cuts += ends[::-1]
        return [(list(range(a, c)), list(range(b, d))) for (a, b), (c, d) in pairwise(cuts)]

    def _unequal(self, reshape: Program) -> list[Poly]:
        """Polynomials that are 0 if the numbers of elements agree; equal positive factors are cancelled."""
        old, new = reshape.before.sizes if reshape.before is not None else (), reshape.sizes
        whole = minus(self._products(old)[-1], self._products(new)[-1])
        if not whole:
            return []
        runs = self.blocks(old, new)
        pairs = [(self._products([old[k] for k in a])[-1], self._products([new[k] for k in b])[-1]) for a, b in runs]
        equal = [p for p, q in pairs if not minus(p, q)]
        return [minus(p, q) for p, q in pairs if minus(p, q)] if all(map(self._is_positive, equal)) else [whole]

    def _is_positive(self, p: Poly) -> bool:
        """Whether it is a sum of products of names that are at least 1."""
        positive = {n for size, low in self.least if size.op == "sym" and low for n in size.args}
        return bool(p) and all(c > 0 and positive.issuperset(m) for m, c in p.items())

    def _products(self, sizes: Sequence[Term]) -> list[Poly]:
        found = [UNIT]
        for size in sizes:
            found.append(times(found[-1], self.poly(size)))
        return found

    def _divisions(self) -> dict[str, Term]:
        """The divisions in all entries and requirements, with those in their operands."""
        polys: list[Poly] = []
        for side in (self.rule.left, self.rule.right):
            polys += [a.poly for a in self.requirements(side)]
            polys += map(self.poly, (*entries(side), *(size for part in side.parts() for size in part.sizes)))
        found: dict[str, Term] = {}
        while more := {v: t for v, t in operations(*polys).items() if v not in found}:
            found |= more
            polys = [expanded(a) for t in more.values() for a in t.args]
        return found

    # Facts

    def _corners(self) -> list[Poly]:
        """Facts: the addresses of the left side's reads are in bounds at the corners of their shapes."""
        found: list[Poly] = []
        for part in reads(self.rule.left):
            if part.step.given[3] != "empty":
                mask = part.step.given[3] or [(num(0), n) for n in part.sizes]
                ends = [(self.poly(low), minus(self.poly(high), UNIT)) for low, high in mask]
                if len(ends) <= _MAX_CORNER_DIMS and all(self.known.sees(minus(high, low)) for low, high in ends):
                    for corner in product(*ends):
                        found += self.in_bounds(part, corner)
        return [p for p in found if not self.known.sees(p)]

    def reads(self) -> Iterator[Term]:
        """Formulas: the left side's reads are in bounds at every index."""
        return (self.formula(in_bounds(part)) for part in reads(self.rule.left))

    def in_bounds(self, read: Program, index: Sequence[Poly]) -> list[Poly]:
        """The polynomials that are >= 0 if a read's address at an index is in bounds."""
        at, names = at_index(index)
        return [self.poly(t, at) for t in address_bounds(read, names)]

    def elements_before(self, read: Program) -> Poly:
        """The number of elements before a read."""
        return self.poly(size_before(read))

    def _check_tensors(self) -> None:
        """Raises InputError if tensors of two shapes have the same name."""
        shapes: dict[str, Sequence[Term]] = {}
        for part in (*self.rule.left.parts(), *self.rule.right.parts()):
            if part.step.op == "tensor":
                (name,) = part.step.given
                first = shapes.setdefault(name, part.sizes)
                apart = [minus(self.poly(a), self.poly(b)) for a, b in zip(first, part.sizes, strict=False)]
                if len(first) != len(part.sizes) or any(map(self.known.reduced, apart)):
                    raise InputError(
                        f"{self.rule}: {name} has two shapes, {tuple_text(first)} and "
                        f"{tuple_text(part.sizes)}: give it one, or use two names"
                    )

    def _least_sizes(self) -> list[tuple[Term, int]]:
        """The least value of each size, or factor of a size, that is written: 1, or 0 if n >= 0 is assumed.

        A sum that is written as a size is at least 0. Sizes on the right side alone imply nothing about names of the
        left side.
        """
        said = [c for f in self.assumed for c in conjuncts(f)]
        lows = dict(zip(self.names, bounds_of(said, self.names), strict=True))
        left = set(_names(Rule(self.rule.left, self.rule.left), ()))
        found: dict[Term, int] = {}
        for side in (self.rule.left, self.rule.right):
            for size in (size for part in side.parts() for size in written_sizes(part)):
                factors = _factors(size)
                for name in factors:
                    if side is self.rule.left or name not in left:
                        found.setdefault(sym(name), 0 if lows[name][0] == 0 else 1)
                if not factors and names(size) and side is self.rule.left:
                    found.setdefault(size, 0)
        return list(found.items())

    def size_facts(self, about: Iterable[str]) -> list[Term]:
        """The lower bounds of the sizes over these names alone."""
        known = set(about)
        return [Term(">=", (size, num(low))) for size, low in self.least if set(names(size)) <= known]

    def _next_given(self, equations: Sequence[tuple[Term, Term]]) -> tuple[str, Poly] | None:
        """A name for which some equation can be solved, and its polynomial."""
        found = [minus(self.poly(a), self.poly(b)) for a, b in equations]
        found += [a.poly for a in self.requirements(self.rule.left) if a.relation == "=="]
        for p in found:
            for name, rest in solutions(dict(sorted(p.items(), reverse=True))):
                if name in self.names and name not in names(*operations(rest).values()):
                    return name, rest
        return None

    def ranges(self) -> list[Range]:
        """The bounds of each name, for enumerating values."""
        written = [Term(">=", (size, num(least))) for size, least in self.least if size.op == "sym"]
        facts = [c for f in self.facts for c in conjuncts(f)]
        if not self.given:
            facts += [Term(a.relation, (self.term(a.poly), num(0))) for a in self.requirements(self.rule.left)]
        return bounds_of([*facts, *[w for w in written if set(names(w)) <= set(self.names)]], self.names)


def _names(rule: Rule, assumed: Iterable[Term]) -> tuple[str, ...]:
    """The names in the order in which they are written, those of assumptions last."""
    return names(*entries(rule.left, rule.right), *assumed, *rule.declared())


def _factors(size: Term) -> Sequence[str]:
    """The names whose product, perhaps with a number, the size is; empty for anything else."""
    p = expanded(size) if size.op != "int" else {}
    if len(p) != 1 or not set(next(iter(p))) <= set(names(size)) or next(iter(p.values())) < 0:
        return ()
    return next(iter(p))
