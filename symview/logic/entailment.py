"""Decides what the facts about a query's symbols imply; points decide most questions without a solver."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import reduce
from itertools import chain, count, islice
from operator import and_, itemgetter, or_

from symview.logic.budget import DEFAULT, Budget
from symview.logic.points import OF_TWO, Function, all_hold, compiled, true_at
from symview.logic.solve import REMARK, Open, Sat, Unsat, is_linear, solve
from symview.logic.terms import (
    FALSE,
    OPERATORS,
    TRUE,
    Term,
    conjuncts,
    names,
    negated,
    node_count,
    nonzero_divisors,
    value_of,
)

_VALUES_PER_STEP = 8  # evaluations per step of work
_MAX_SAMPLES = 240
_MAX_POINTS = 100
_WORK_PER_NODE = 40  # work per node of the facts: to read it, and to evaluate it at the first points
_MAX_BASES = 3  # points in whose neighbourhood a search looks
_AWAY = (1, -1, 2, -2, 3, -3, 4, 5, 6, -4, 7, 8, -5, 12)  # changes of one coordinate that are tried
_MAX_OPEN = 12  # open questions after which no solver is used
_WORK_PER_QUESTION, _WORK_PER_PART = 300, 10  # work per question and per part of it, not counting solvers


class KnownPoints:
    """Points, and for each formula the set of points that satisfy it, as the bits of an integer.

    The first points satisfy the facts: they are earlier models of the running question, small values, and values that
    satisfy some of the comparisons in `near`. Arbitrary others may follow. Each term has a column with its value at
    each point, so shared subterms are evaluated once. Where a part of a term is undefined, as for a divisor of 0, its
    column contains an arbitrary number, and `undefined` has the point's bit. `work` counts the steps.

    >>> from symview.logic.notation import parse_statement
    >>> odd = parse_statement("a % b == 1")
    >>> known = KnownPoints((), (odd,), DEFAULT)
    >>> known.points = [(7, 2), (7, 0), (8, 2)]
    >>> known.where(odd), known.undefined[odd]
    (1, 2)
    """

    def __init__(self, facts: tuple[Term, ...], near: tuple[Term, ...], budget: Budget) -> None:
        self.rng = random.Random(budget.seed)
        self.models: list[Mapping[str, int]] = budget.kept("models", list)
        self.names = list(names(*facts, *near))
        self.points: list[tuple[int, ...]] = []  # each has the values of all names so far
        self.columns: dict[Term, list[int]] = {}
        self.undefined: dict[Term, int] = {}
        self.holding: dict[Term, tuple[int, int]] = {}  # the number of points tested, and which satisfy it
        self.functions: dict[Term, Function] = {}
        self.open = 0  # open questions: the more there were, the less work the next one gets
        self.work = node_count(*facts, *near) * _WORK_PER_NODE
        wanted = tuple(self.names)
        tests = [compiled(f, wanted, "floor") for f in (*nonzero_divisors(facts), *facts)]
        found = (m for m in reversed(self.models[-_MAX_POINTS:]) if m.keys() >= set(wanted))
        points = ([m[n] for n in wanted] for m in chain(found, _candidates(wanted, near, self.rng)))
        for point in islice((p for p in points if _are_true(tests, p)), _MAX_POINTS):
            self.add(dict(zip(wanted, point, strict=True)))

    def add(self, point: Mapping[str, int]) -> None:
        """Adds a point; names without a value get that of the first point, or a small one."""
        self._learn(point)
        small = next(_small(self.names, self.rng)).values() if not self.points else self.points[0]
        values = {**dict(zip(self.names, small, strict=True)), **point}
        self.points.append(tuple([values[n] for n in self.names]))

    def found(self, model: Mapping[str, int]) -> None:
        """Adds a model, with which other entailments of the running question may start."""
        self.add(model)
        self.models.append(dict(zip(self.names, self.points[-1], strict=True)))

    def where(self, *formulas: Term) -> int:
        """The points that satisfy all formulas and at which no divisor in them is 0."""
        found = (1 << len(self.points)) - 1
        for formula in formulas:
            found &= self._holds(formula)
            found &= ~self._undefined(formula)
            if not found:
                return 0
        return found

    def search(self, formulas: Sequence[Term]) -> bool:
        """Searches a point that satisfies all formulas, one coordinate away from a point that satisfies most."""
        parts = [p for f in formulas for p in conjuncts(f)]
        if not parts:
            return bool(self.points)
        held = [self._holds(p) for p in parts]
        for k in _by_count(held, len(self.points))[:_MAX_BASES]:
            broken = [p for p, bits in zip(parts, held, strict=True) if not bits >> k & 1]
            kept = [p for p, bits in zip(parts, held, strict=True) if bits >> k & 1]
            tests = [*map(self._function, broken)]
            for at in [self.names.index(n) for n in names(*broken)]:
                point = list(self.points[k])
                for step in _AWAY:
                    point[at] = self.points[k][at] + step
                    if _are_true(tests, point) and _are_true([*map(self._function, kept)], point):
                        self.add(dict(zip(self.names, point, strict=True)))
                        return True
        return False

    def worked(self) -> int:
        """The steps of work since the last call."""
        done, self.work = self.work, 0
        return done

    def _learn(self, wanted: Iterable[str]) -> None:
        """Adds new names, with small values at the existing points."""
        new = [n for n in dict.fromkeys(wanted) if n not in self.names]
        if new:
            small = _small(new, self.rng)
            self.names += new
            self.points = [(*point, *next(small).values()) for point in self.points]

    def _holds(self, formula: Term) -> int:
        """The set of known points at which the formula holds, as bits."""
        op, args = formula
        if op in ("and", "or"):
            return reduce(and_ if op == "and" else or_, map(self._holds, args))
        if op == "not":
            return ~self._holds(args[0])
        return -1 if formula == TRUE else 0 if formula == FALSE else self._atom(formula)

    def _atom(self, formula: Term) -> int:
        before, found = self.holding.get(formula, (0, 0))
        if before < len(self.points):
            if not before:
                self._learn(names(formula))
            new = reversed(self._column(formula)[before:])
            found |= int("".join(["1" if value else "0" for value in new]), 2) << before
            found &= ~self.undefined.get(formula, 0)
            self.holding[formula] = (len(self.points), found)
        return found

    def _undefined(self, formula: Term) -> int:
        if not self.undefined or formula.op not in ("and", "or", "not"):
            return self.undefined.get(formula, 0)
        return reduce(or_, map(self._undefined, formula.args))

    def _function(self, formula: Term) -> Function:
        if formula not in self.functions:
            self.functions[formula] = compiled(formula, self.names, "floor")
        return self.functions[formula]

    def _column(self, term: Term) -> list[int]:
        """The values of the term at all points."""
        found = self.columns.setdefault(term, [])
        if len(found) < len(self.points):
            found += self._more(term, len(found))
        return found

    def _more(self, term: Term, start: int) -> list[int]:
        """The values at the points from `start` on."""
        op, args = term
        new = len(self.points) - start
        self.work += 1 + new // _VALUES_PER_STEP
        if op in ("int", "bool"):
            return [int(args[0])] * new
        if op == "sym":
            return list(map(itemgetter(self.names.index(args[0])), self.points[start:]))
        parts = [self._column(a)[start:] if start else self._column(a) for a in args]
        of_two, run = OF_TWO.get(op) if len(parts) == 2 else None, OPERATORS[op].run
        each: Callable[..., int] = of_two or (lambda *v: run(v))
        undefined = reduce(or_, [self.undefined.get(a, 0) for a in args])
        try:
            found = list(map(each, *parts))
        except ZeroDivisionError:
            found = []
            for n, at in enumerate(zip(*parts, strict=True), start):
                try:
                    found.append(each(*at))
                except ZeroDivisionError:
                    found.append(0)
                    undefined |= 1 << n
        if undefined:
            self.undefined[term] = undefined
        return found


def _by_count(held: Iterable[int], size: int) -> list[int]:
    """The positions below `size`, by how many of the integers have that bit, most first; of equal ones, the last.

    >>> _by_count([0b0110, 0b0100, ~0], 4)
    [2, 1, 3, 0]
    """
    rows = [format(bits & ((1 << size) - 1), f"0{size}b") for bits in held]
    counts = [column.count("1") for column in zip(*rows, strict=True)]
    return [size - 1 - at for at in sorted(range(size), key=lambda at: -counts[at])]


def _are_true(tests: list[Function], point: Sequence[int]) -> bool:
    try:
        return all_hold(tests, point)
    except ZeroDivisionError:
        return False


def _small(wanted: Sequence[str], rng: random.Random) -> Iterator[dict[str, int]]:
    """Small values, including 1 and equal ones."""
    for n in count():
        low, high = ((1, 2), (1, 3), (2, 6), (2, 9), (0, 4), (-4, 9))[n % 6]
        yield {name: rng.randint(low, high) for name in wanted}


def _candidates(wanted: Sequence[str], near: Sequence[Term], rng: random.Random) -> Iterator[dict[str, int]]:
    """Small values, some of which satisfy some of the comparisons."""
    equations = [e for e in dict.fromkeys(near) if e.op == "==" and e.args[0].op == "sym"]
    equations.sort(key=lambda e: not names(e.args[1]))  # reversed: fixed values are assigned before they are used
    for n, point in enumerate(islice(_small(wanted, rng), _MAX_SAMPLES)):
        used = (0.0, 0.2, 0.5, 0.8)[n % 4]
        for equation in reversed(equations):
            if rng.random() < used:
                try:
                    point[equation.args[0].args[0]] = int(value_of(equation.args[1], point))
                except ZeroDivisionError:
                    continue
        yield point


class Entailment:
    """Decides what facts about integers imply. A yes is proved; a no only means that no proof was found.

    It keeps points at which the facts hold: most questions are answered by one of them, without a solver. `near` are
    comparisons that questions will involve; the points are chosen so that some satisfy each, and some do not.

    >>> from symview.logic.notation import parse_statement
    >>> known = Entailment([parse_statement("a >= 1"), parse_statement("b >= 1")])
    >>> known.implies(parse_statement("a*b >= a")), known.implies(parse_statement("a*b > a"))
    (True, False)
    """

    def __init__(self, facts: Iterable[Term], budget: Budget = DEFAULT, near: Iterable[Term] = ()) -> None:
        self.facts = tuple(dict.fromkeys(facts))
        self.said = frozenset(part for f in self.facts for part in (f, *conjuncts(f)))
        self.budget = _brief(budget)
        self.points = KnownPoints(self.facts, tuple(near), budget)
        self.budget.count_for_all(self.points.worked())
        self.answers: dict[tuple[Term, ...], bool] = {}
        self.refuted: list[frozenset[Term]] = budget.kept("refuted", list)  # sets of formulas that no integers satisfy
        self.patience = _MAX_OPEN
        self.there = (-1, 0)  # the number of points tested, and which satisfy the facts

    def implies(self, formula: Term) -> bool:
        """Whether the facts provably imply the formula."""
        if formula.op == "and":
            return all(map(self.implies, formula.args))
        return formula == TRUE or self.impossible(Term("not", (formula,)))

    def impossible(self, *formulas: Term) -> bool:
        """Whether the facts and the formulas are provably unsatisfiable; False when the budget ends."""
        if self.budget.is_over():
            return False
        if formulas not in self.answers:
            self.answers[formulas] = self._is_refuted(formulas)
        return self.answers[formulas]

    def seen(self, *formulas: Term) -> bool:
        """Whether some known point satisfies the facts and the formulas."""
        return self._where(formulas) != 0

    def try_points(self, points: Iterable[Mapping[str, int]]) -> None:
        """Keeps those points at which the facts hold; each has to have values for all symbols."""
        for point in points:
            if true_at(self.facts, point):
                self.points.add(point)

    def is_tired(self) -> bool:
        """Whether too many questions stayed open; then only points answer, and no solver is used any more."""
        return self.points.open >= self.patience

    def also(self, *facts: Term) -> Entailment:
        """The entailment with further facts; it shares the points and the refutations."""
        more, new = copy(self), [f for f in dict.fromkeys(facts) if f not in self.said]
        more.facts, more.said = (*self.facts, *new), self.said.union(*((f, *conjuncts(f)) for f in new))
        more.there, more.answers = (-1, 0), {formulas: True for formulas, answer in self.answers.items() if answer}
        return more

    def renewed(self, budget: Budget) -> Entailment:
        """The entailment with these facts for another question."""
        same = self.also()
        same.budget = _brief(budget)
        return same

    def glance(self) -> Entailment:
        """The entailment without solvers: only the facts themselves and the points decide."""
        same = self.also()
        same.patience = 0
        return same

    def _is_refuted(self, formulas: Sequence[Term]) -> bool:
        parts = {part for f in formulas for part in (f, *conjuncts(f))}
        self.budget.count(_WORK_PER_QUESTION)
        self.budget.count_for_all(_WORK_PER_PART * len(parts))
        if FALSE in self.said or FALSE in parts:
            return True
        for opposite in map(negated, parts):
            if opposite in self.said or opposite in parts:
                return True
        return not self._where(formulas) and self._proved(formulas)

    def _where(self, formulas: Sequence[Term]) -> int:
        """The known points at which the facts and the formulas hold."""
        if self.there[0] != len(self.points.points):
            self.there = len(self.points.points), self.points.where(*self.facts)
        found = self.points.where(*formulas) & self.there[1]
        self.budget.count(self.points.worked())
        return found

    def _proved(self, formulas: Sequence[Term]) -> bool:
        """Whether a solver, now or earlier, refutes the formulas together with the facts; False if tired."""
        if self.is_tired():
            return False
        wanted = names(*formulas)
        asked = (*_related(self.facts, wanted), *formulas) if wanted else (*self.facts, *formulas)
        parts = frozenset(part for f in asked for part in conjuncts(f))
        if any(r <= parts for r in self.refuted):
            return True
        if self.points.search(asked):
            return False
        patience = self.budget.part(1, max(self.budget.work >> self.points.open, 1 + self.budget.work // 16))
        answer = solve(asked, patience)
        linear = [f for f in asked if is_linear(f)] if isinstance(answer, Open) else []
        if 0 < len(linear) < len(asked) and isinstance(solve(linear, patience), Unsat):
            answer, parts = Unsat(), frozenset(part for f in linear for part in conjuncts(f))
        self.points.open += isinstance(answer, Open)
        if isinstance(answer, Sat):
            self.points.found(answer.model)
        elif isinstance(answer, Unsat):
            self.refuted.append(parts)
        return isinstance(answer, Unsat)


def _brief(budget: Budget) -> Budget:
    """A budget for simplification; solvers skip small values, which have been tried."""
    return replace(budget.at_most(REMARK), points=1)


def _related(facts: Sequence[Term], wanted: Iterable[str]) -> list[Term]:
    """The facts about these symbols, and about symbols connected to them by facts."""
    reached = set(wanted)
    left, found = list(facts), list[Term]()
    while True:
        near = [f for f in left if not names(f) or reached.intersection(names(f))]
        if not near:
            return found
        found += near
        left = [f for f in left if f not in near]
        reached.update(names(*near))
