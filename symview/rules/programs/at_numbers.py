"""Rules at small values: computes the arrays of both sides, and the first values and index where they differ."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice, product, zip_longest
from math import prod
from typing import NamedTuple

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.points import by_size
from symview.logic.polynomial import Poly
from symview.logic.terms import Term, names, num, sym, value_of
from symview.proof.verdicts import Refuted
from symview.rules.programs.any_rank import instances
from symview.rules.programs.meaning import arms, entries, in_bounds, required
from symview.rules.programs.program import Program, Rule
from symview.rules.programs.setting import Setting
from symview.rules.python_loops import Point, evaluator
from symview.view_notation import tuple_text

Index = tuple[int, ...]
Cell = tuple[str, Index] | None  # an element of a tensor, or None for padding

MAX_POINTS = 2_000  # values that are tried
_MAX_ELEMENTS = 4_096  # elements of one array that are enumerated
_MAX_CELLS = 30_000  # and of all arrays
_WORK_PER_ELEMENT = 40  # budget steps of one value, and of one element


# Programs at numbers


class Undefined(Exception):
    """The program is not defined at these numbers; the message names the operation and its requirement."""


class TooLarge(Exception):
    """The arrays have more elements than are enumerated, and no difference was found."""


@dataclass(frozen=True, slots=True)
class Array:
    """A shape and its elements; an element is computed only when it is read."""

    shape: Index
    at: Callable[[Index], Cell]

    def count(self) -> int:
        """The number of indices of the shape."""
        return prod(self.shape)

    def cells(self) -> list[Cell]:
        """The elements in row-major order."""
        return list(map(self.at, product(*map(range, self.shape))))


def first_difference(left: Array, right: Array, most: int) -> Index | None:
    """The smallest index, by its sum and then lexicographically, where two arrays of one shape differ.

    Raises TooLarge if the first `most` indices show no difference, and there are more.

    >>> x = Program.parse("x(n)")
    >>> first_difference(AtNumbers(x)({"n": 10**9}), AtNumbers(x.flip(0))({"n": 10**9}), 100)
    (0,)
    """
    for n, index in enumerate(islice(by_size([(0, size - 1) for size in left.shape]), most + 1)):
        if n == most:
            raise TooLarge(f"{left.count()} elements")
        if left.at(index) != right.at(index):
            return index
    return None


class AtNumbers:
    """A program as a function of its names, for values that satisfy the facts.

    >>> AtNumbers(Program.parse("x(n).pad((1,0)).flip(0)"))({"n": 2}).cells()
    [('x', (1,)), ('x', (0,)), None]
    """

    def __init__(self, program: Program, facts: Sequence[Term] = ()) -> None:
        self._names = names(*facts, *entries(program))
        required_of = [*((fact, "an assumption does not hold") for fact in facts), *_requirements(program)]
        self._requirements = [(evaluator([formula], self._names, "floor"), problem) for formula, problem in required_of]
        self._shape = evaluator(program.sizes, self._names, "floor")
        self._cell = _cell_of(program, self._names)

    def __call__(self, values: Mapping[str, int]) -> Array:
        """The array of the program at these numbers. Raises Undefined."""
        point = tuple([values[n] for n in self._names])
        try:
            for holds, problem in self._requirements:
                if not all(holds(point)):
                    raise Undefined(problem)
            return Array(self._shape(point), partial(self._cell, point))
        except ZeroDivisionError:
            raise Undefined("a divisor is 0") from None


def _requirements(program: Program) -> Iterator[tuple[Term, str]]:
    """The requirements of the program, in the order of its steps, each with a message for its failure."""
    for part in program.parts():
        op = part.step.op
        for one in required(part):
            yield one.formula(), f"{op}: {one.what} does not hold"
        for size in part.sizes if op == "tensor" else ():
            yield Term(">=", (size, num(0))), "the tensor: a size is negative"
        if op == "read":
            yield in_bounds(part), "read: an address is out of bounds"


def _cell_of(program: Program, known: Sequence[str]) -> Callable[[Point, Index], Cell]:
    """The element at an index, as a function of the values of the known names and of the index."""
    if program.before is None:
        name = program.step.given[0]
        return lambda values, index: (name, index)
    index_names = [f"#{k}" for k in range(program.rank)]
    ways = []
    for arm in arms(program, list(map(sym, index_names))):
        guards, moved = (evaluator(terms, [*known, *index_names], "floor") for terms in (arm.guards, arm.moved()))
        ways.append((guards, moved, _cell_of(arm.before, known)))

    def cell(values: Point, index: Index) -> Cell:
        for guards, moved, before in ways:
            if min(guards((*values, *index)), default=0) >= 0:
                return before(values, moved((*values, *index)))
        return None

    return cell


# Rules at numbers


class Compared(NamedTuple):
    """Both sides at some values.

    `free` are the values of the names that no equation determines. `instance` numbers the ranks that have to be
    examined.
    """

    values: dict[str, int]
    refuted: Refuted | None
    free: tuple[int, ...]
    instance: int


def compared(rule: Rule, assumed: Sequence[Term], budget: Budget, points: int = MAX_POINTS) -> Iterator[Compared]:
    """Small values at which the left side is defined, by the sum of the free ones, with a refutation there or None.

    The ranks that have to be examined alternate.

    >>> rule = Rule.parse("x(n).flip(0) == x(n)")
    >>> [(c.values, c.refuted is None) for c in compared(rule, (), Budget(), 2)]
    [({'n': 1}, True), ({'n': 2}, False)]
    """
    settings = [Setting(instance, given, budget) for instance, given, *_ in instances(rule, assumed)]
    searches = [Search(setting, ranged=False) for setting in settings]
    for turn in zip_longest(*(islice(search.values(), points) for search in searches)):
        for n, (search, values) in enumerate(zip(searches, turn, strict=True)):
            with suppress(TooLarge):
                tried = None if values is None else search.tried(values)
                if values is not None and tried is not None:
                    free = tuple([v for name, v in values.items() if name not in search.setting.given])
                    yield Compared(values, tried.refuted, free, n)


class Tried(NamedTuple):
    """The result at some values: how many elements were enumerated at most, and the refutation there."""

    elements: int
    refuted: Refuted | None


class Search:
    """A rule without `...` at values of its names.

    If a name on the right side alone lacks a range that an operation needs, that is an error if `ranged`, and a
    refutation otherwise.
    """

    def __init__(self, setting: Setting, ranged: bool) -> None:
        self.setting, self.ranged = setting, ranged
        self.rule, self.budget = setting.rule, setting.budget

    @cached_property
    def _left(self) -> AtNumbers:
        setting = self.setting
        return AtNumbers(self.rule.left, (*setting.facts, *setting.size_facts(setting.names)))

    @cached_property
    def _right(self) -> AtNumbers:
        return AtNumbers(self.rule.right)

    def values(self) -> Iterator[dict[str, int]]:
        """Values of the names by the sum of the free ones; the others are computed."""
        setting = self.setting
        computed = {n: setting.term(p) for n, p in setting.given.items()}
        ranges = dict(zip(setting.names, setting.ranges(), strict=True))
        free = [n for n in setting.names if n not in computed]
        for point in by_size([ranges[n] for n in free]):
            values = dict(zip(free, point, strict=True))
            try:
                values |= {n: int(value_of(t, values)) for n, t in computed.items()}
            except ZeroDivisionError:
                continue
            yield {n: values[n] for n in setting.names}

    def left_at(self, values: Mapping[str, int]) -> Array | None:
        """The left side; None if it is undefined, or an assumption or a bound on a size fails."""
        with suppress(Undefined):
            return self._left(values)
        return None

    def tried(self, values: dict[str, int]) -> Tried | None:
        """Compares both sides at these values; None if the left side is undefined. Raises TooLarge."""
        self.budget.spend(_WORK_PER_ELEMENT)
        left = self.left_at(values)
        if left is None:
            return None
        elements = min(left.count(), _MAX_ELEMENTS)
        self.budget.spend(_WORK_PER_ELEMENT * elements)
        return Tried(elements, self.difference(left, values))

    def smallest(self, points: int = MAX_POINTS) -> tuple[Refuted | None, bool]:
        """The smallest refutation among small values, and whether the left side was defined anywhere.

        If names are computed from others, values are ordered by the sum of the free ones only.
        """
        best: Refuted | None = None
        defined, skipped, cells = False, False, 0
        for values in islice(self.values(), min(points, self.budget.points)):
            size, least = _size(values), _size(best.values) if best is not None else None
            free = size - sum(abs(values[n]) for n in self.setting.given if n in values)
            if least is not None and free >= least:
                return best, defined
            try:
                tried = self.tried(values)
            except TooLarge:
                cells, skipped = cells + _MAX_ELEMENTS, True
                continue
            if tried is not None:
                defined, cells = True, cells + tried.elements
                if tried.refuted is not None and (least is None or size < least):
                    best = replace(tried.refuted, smallest=not skipped)
                    if not self.setting.given:
                        return best, defined
            if cells > _MAX_CELLS:
                break
        return (None if best is None else replace(best, smallest=False)), defined

    def difference(self, left: Array, values: dict[str, int]) -> Refuted | None:
        """The refutation at these values, if the right side differs from the left one; else None.

        Raises TooLarge if not all elements were enumerated.
        """
        try:
            right = self._right(values)
        except Undefined as error:
            if self.ranged:
                self._require_ranges()
            return _refuted(values, (f"shape {tuple_text(left.shape)}", f"not defined ({error})"))
        if left.shape != right.shape:
            return _refuted(values, (f"shape {tuple_text(left.shape)}", f"shape {tuple_text(right.shape)}"))
        index = first_difference(left, right, _MAX_ELEMENTS)
        return None if index is None else _refuted(values, (_cell(left.at(index)), _cell(right.at(index))), index)

    def _require_ranges(self) -> None:
        """Raises InputError if a requirement of the right side is about a name that only the right side has."""
        setting = self.setting
        on_the_left = Setting(Rule(self.rule.left, self.rule.left), setting.assumed, self.budget).names
        for one in setting.requirements(self.rule.right):
            own = [n for n in names(setting.term(one.poly)) if n in setting.names and n not in on_the_left]
            if own and not setting.known.sees(one.poly):
                raise InputError(
                    f"{self.rule}: {', '.join(own)} stands only on the right side, which needs {one.what}: "
                    f"assume a range of {', '.join(own)}"
                )

    def replayed(self, model: Mapping[str, int], terms: Sequence[Poly]) -> Refuted | None:
        """Evaluates a solver's model on arrays: the refutation, or None if the sides agree; `terms` is the index."""
        values = {n: model.get(n, 0) for n in self.setting.names}
        try:
            for n, p in self.setting.given.items():
                if n in values:
                    values[n] = int(value_of(self.setting.term(p), {**model, **values}))
        except (ZeroDivisionError, KeyError):
            return None
        left = self.left_at(values)
        if left is None:
            return None
        try:
            found = self.difference(left, values)
        except TooLarge:
            right = self._right(values)
            digits = {**dict.fromkeys((n for p in terms for m in p for n in m), 0), **model}
            index = tuple([int(value_of(self.setting.term(p), digits)) for p in terms])
            if len(index) != len(left.shape) or not all(0 <= i < n for i, n in zip(index, left.shape, strict=True)):
                return None
            here, there = left.at(index), right.at(index)
            found = None if here == there else _refuted(values, (_cell(here), _cell(there)), index)
        return None if found is None else replace(found, smallest=False)


def _refuted(values: Mapping[str, int], sides: tuple[str, str], index: tuple[int, ...] | None = None) -> Refuted:
    return Refuted("", values, sides, True, index=index)


def _size(values: Mapping[str, int]) -> int:
    return sum(map(abs, values.values()))


def _cell(cell: Cell) -> str:
    return "padding" if cell is None else f"{cell[0]}[{','.join(map(str, cell[1]))}]"
