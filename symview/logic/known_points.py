"""Points that settle questions about facts without a solver: which of them satisfy a formula, and more where few do."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, count, islice
from operator import or_

from symview.logic.budget import Budget
from symview.logic.columns import Columns, bits_of
from symview.logic.points import Function, compiled
from symview.logic.terms import FALSE, TRUE, Term, conjuncts, names, node_count, nonzero_divisors, value_of

_SAMPLES = 240
_KEPT = 100
_TO_READ = 40  # of work for each node of what is known: to read it, and to try it at the first points
_BASES = 3  # points around which one is looked for
_STEPS = (1, -1, 2, -2, 3, -3, 4, 5, 6, -4, 7, 8, -5, 12)  # of one value of them


class KnownPoints:
    """Points, and as bits of one integer which of them satisfy a formula.

    The first satisfy the facts: what solvers found before in the running question, small ones, and ones that satisfy
    some of the comparisons of `near`. Any others may follow.
    """

    def __init__(self, facts: tuple[Term, ...], near: tuple[Term, ...], budget: Budget) -> None:
        self.rng = random.Random(budget.seed)
        self.models: list[Mapping[str, int]] = budget.kept("models", list)
        self.columns = Columns(names(*facts, *near))
        self.open = 0  # questions that stayed open: the more there were, the less is spent on the next
        self.holding: dict[Term, tuple[int, int]] = {}  # of how many points, which
        self.functions: dict[Term, Function] = {}
        wanted = names(*facts, *near)
        holds = _reader(facts, wanted)
        found = [m for m in reversed(self.models[-_KEPT:]) if m.keys() >= set(wanted)]
        for point in islice(filter(holds, chain(found, _candidates(wanted, near, self.rng))), _KEPT):
            self.add({n: point[n] for n in wanted})
        self.columns.work += node_count(*facts, *near) * _TO_READ

    @property
    def points(self) -> list[tuple[int, ...]]:
        """Each with the values of all names that are known so far."""
        return self.columns.points

    def add(self, point: Mapping[str, int]) -> None:
        """One more point; what it says nothing of is as at the first point, or small."""
        self._learn(point)
        known = self.columns.names
        small = next(_small(known, self.rng)).values() if not self.points else self.points[0]
        found = {**dict(zip(known, small, strict=True)), **point}
        self.points.append(tuple([found[n] for n in known]))

    def found(self, model: Mapping[str, int]) -> None:
        """One more point, which others in the running question may start with."""
        self.add(model)
        self.models.append(dict(zip(self.columns.names, self.points[-1], strict=True)))

    def where(self, *formulas: Term) -> int:
        """The points that satisfy all the formulas, and at which no divisor in these is 0."""
        found = (1 << len(self.points)) - 1
        for formula in formulas:
            found &= self._holds(formula)
            found &= ~self._undefined(formula)
            if not found:
                return 0
        return found

    def search(self, formulas: Sequence[Term]) -> bool:
        """Whether a point is found that satisfies all the formulas, one value away from one that satisfies most."""
        parts = [p for f in formulas for p in conjuncts(f)]
        held = [self._holds(p) for p in parts]
        known = self.columns.names
        for k in islice(_by_count(held, len(self.points)), _BASES):
            broken = [p for p, bits in zip(parts, held, strict=True) if not bits >> k & 1]
            kept = [p for p, bits in zip(parts, held, strict=True) if bits >> k & 1]
            for at in [known.index(n) for n in names(*broken)]:
                point = list(self.points[k])
                for step in _STEPS:
                    point[at] = self.points[k][at] + step
                    if _all(map(self._function, chain(broken, kept)), point):
                        self.add(dict(zip(known, point, strict=True)))
                        return True
        return False

    def worked(self) -> int:
        """The steps of work since this was asked last."""
        done, self.columns.work = self.columns.work, 0
        return done

    def _learn(self, wanted: Iterable[str]) -> None:
        """Names that are new, of small values at the points that are there."""
        new = [n for n in dict.fromkeys(wanted) if n not in self.columns.names]
        if new:
            small = _small(new, self.rng)
            self.columns.names += new
            self.columns.points = [(*point, *next(small).values()) for point in self.points]

    def _holds(self, formula: Term) -> int:
        """A bit for each known point: whether the formula holds there."""
        op, args = formula
        if op == "and":
            found = -1
            for a in args:
                found &= self._holds(a)
            return found
        if op == "or":
            found = 0
            for a in args:
                found |= self._holds(a)
            return found
        if op == "not":
            return ~self._holds(args[0])
        return -1 if formula == TRUE else 0 if formula == FALSE else self._atom(formula)

    def _atom(self, formula: Term) -> int:
        before, found = self.holding.get(formula, (0, 0))
        if before < len(self.points):
            if not before:
                self._learn(names(formula))
            found |= bits_of(self.columns.of(formula)[before:]) << before
            found &= ~self.columns.undefined.get(formula, 0)
            self.holding[formula] = (len(self.points), found)
        return found

    def _undefined(self, formula: Term) -> int:
        undefined = self.columns.undefined
        if not undefined or formula.op not in ("and", "or", "not"):
            return undefined.get(formula, 0)
        return reduce(or_, map(self._undefined, formula.args), 0)

    def _function(self, formula: Term) -> Function:
        if formula not in self.functions:
            self.functions[formula] = compiled(formula, self.columns.names, "floor")
        return self.functions[formula]


def _by_count(held: Iterable[int], size: int) -> Iterator[int]:
    """The places below `size` by how many of the integers have that bit, most first; of equal ones, the last.

    Counts are added in all places at once: plane n has digit n of each.

    >>> list(_by_count([0b0110, 0b0100, ~0], 4))
    [2, 1, 3, 0]
    """
    left = (1 << size) - 1
    planes: list[int] = []
    for carry in held:
        carry &= left
        for n, plane in enumerate(planes):
            planes[n], carry = plane ^ carry, plane & carry
        if carry:
            planes.append(carry)
    while left:
        best = left
        for plane in reversed(planes):
            best = best & plane or best
        yield best.bit_length() - 1
        left ^= 1 << best.bit_length() - 1


def _all(tests: Iterable[Function], point: Sequence[int]) -> bool:
    try:
        return all(test(point) for test in tests)
    except ZeroDivisionError:
        return False


def _reader(facts: tuple[Term, ...], wanted: Sequence[str]) -> Callable[[Mapping[str, int]], bool]:
    """`true_at` of these facts, compiled."""
    parts = [compiled(f, wanted, "floor") for f in (*nonzero_divisors(facts), *facts)]

    def holds(point: Mapping[str, int]) -> bool:
        return _all(parts, [point[n] for n in wanted])

    return holds


def _small(wanted: Sequence[str], rng: random.Random) -> Iterator[dict[str, int]]:
    """Small values, 1 and equal ones among them."""
    for n in count():
        low, high = ((1, 2), (1, 3), (2, 6), (2, 9), (0, 4), (-4, 9))[n % 6]
        yield {name: rng.randint(low, high) for name in wanted}


def _candidates(wanted: Sequence[str], near: Sequence[Term], rng: random.Random) -> Iterator[dict[str, int]]:
    """Small values, and values that satisfy some of the comparisons."""
    equations = [e for e in dict.fromkeys(near) if e.op == "==" and e.args[0].op == "sym"]
    equations.sort(key=lambda e: not names(e.args[1]))  # what they are used in comes after them, read backwards
    for n, point in enumerate(islice(_small(wanted, rng), _SAMPLES)):
        used = (0.0, 0.2, 0.5, 0.8)[n % 4]
        for equation in reversed(equations):
            if rng.random() < used:
                try:
                    point[equation.args[0].args[0]] = int(value_of(equation.args[1], point))
                except ZeroDivisionError:
                    continue
        yield point
