"""Proving and refuting rules of programs, for all sizes.

Programs are equal for tensors of any contents exactly where their shapes are, each guard set of one side implies the
disjunction of those of the other, and pieces whose guards hold together show the same element of the same tensor. A
rule is about the sizes at which its left side is defined: what the left side asks is known, what the right side asks is
to be shown. Every question left is that a conjunction has no integer solution.

A rule is tried without a solver first, then at small values, then with one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice, product, zip_longest
from time import perf_counter
from typing import NamedTuple

from symview.errors import InputError, NotSupported, SymviewError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.inequalities import Premise
from symview.logic.notation import joined
from symview.logic.points import by_size, true_at
from symview.logic.polynomial import ONE, Poly, plus
from symview.logic.smtlib import to_smt2
from symview.logic.solve import Open, Sat, Unsat, solve
from symview.logic.terms import Term, names, negated, num, value_of, walk
from symview.proof import kernel
from symview.proof.statement import Statement, read
from symview.proof.verdicts import Refuted, Unknown, Verdict
from symview.rules.any_rank import instances
from symview.rules.pieces import Frame, Index, Piece, Reader, Split, spent_splits
from symview.rules.programs import Program, Rule
from symview.rules.setting import UNIT, Setting, ZeroDivisor
from symview.rules.values import Array, Cell, TooLarge, Undefined, array_of, first_difference

POINTS = 2_000  # how many values are tried
_FIRST = 250  # of these before a solver is asked
_ELEMENTS = 4_096  # in arrays of at most so many elements
_CELLS = 30_000  # and of at most so many elements in all
_STEPS = 40  # the work of one value, and of one element
_CHOICES = 200  # questions about one guard of each piece
_CASES = 16  # alternatives of the assumptions, each a proof of its own


class NeverDefined(SymviewError):
    """The left side of a rule is defined at no sizes, so that the rule says nothing."""


class EmptyRule(InputError):
    """The left side is defined at no values that the assumptions allow."""


class NotShown(SymviewError):
    """A premise that was neither seen nor settled."""

    def __init__(self, reason: str, premise: Premise | None = None) -> None:
        self.reason, self.premise = reason, premise
        super().__init__(reason)


def prove_rule(
    rule: Rule,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
    ranged: bool = True,
) -> Verdict:
    """Proves or refutes a rule of programs for all sizes, at every rank where the shapes have `...`.

    A name that is a size, or a factor of one, is at least 1, unless n >= 0 is assumed of it. A refutation names the
    smallest values, by their sum, and the smallest index, replayed on arrays. Raises InputError where the left side is
    never defined, or where an operation of the right side needs a range of a name that the left side and the
    assumptions do not have; not `ranged`, that is a refutation.
    """
    started = perf_counter()
    budget = (budget or DEFAULT).started()
    stated = read("0 == 0", assume, division)
    if any(n.op in ("//", "%") for a in stated.assumptions for n in walk(a.term)) and stated.division() != "floor":
        raise NotSupported(f"{rule}: assumptions about programs divide by floor division: write them so")
    texts = stated.assumed()
    premises: list[Premise] = []
    notes: set[str] = set()
    defined = False
    for instance, assumed, note in instances(rule, [a.term for a in stated.assumptions]):
        notes |= note
        cases = list(_cases(assumed))
        for case in cases:
            try:
                attempt = _Attempt(instance, case, budget, ranged)
                found = attempt.run()
            except NeverDefined:
                continue
            except ZeroDivisor:
                if len(cases) == 1 or not _divides_by_zero(instance.left, case, budget):
                    raise
                continue
            except Undecided as stop:
                return Unknown(str(rule), stop.reason, texts)
            match found:
                case Refuted():
                    if len(cases) > 1:  # another alternative may have a smaller one
                        smallest = _Attempt(instance, assumed, budget, ranged).smallest()
                        found = replace(found, smallest=False) if smallest is None else smallest
                    return _told(found, rule, texts)
                case NotShown():
                    return Unknown(str(rule), found.reason, texts, "floor", _smt2(found, rule))
            premises += found
            notes |= attempt.notes
            defined = True
    if not defined:
        given = f" given {joined(texts)}" if texts else ""
        raise EmptyRule(
            f"{rule}: the left side is never defined{given}: the rule is empty; correct an operation"
            + " or drop an assumption" * bool(texts)
        )
    return kernel.by_pieces(str(rule), texts, premises, frozenset(notes), perf_counter() - started)


class Compared(NamedTuple):
    """Both sides at some values; `free` are those of the names that are not given by others.

    `instance` counts the ranks that have to be looked at.
    """

    values: dict[str, int]
    refuted: Refuted | None
    free: tuple[int, ...]
    instance: int


def compared(rule: Rule, assumed: Sequence[Term], budget: Budget, points: int = POINTS) -> Iterator[Compared]:
    """Small values at which the left side is defined, by the sum of the free ones, with what refutes the rule there.

    The ranks that have to be looked at take turns.

    >>> [(c.values, c.refuted is None) for c in compared(Rule.parse("x(n).flip(0) == x(n)"), (), DEFAULT, 2)]
    [({'n': 1}, True), ({'n': 2}, False)]
    """
    attempts = [_Attempt(instance, given, budget, ranged=False) for instance, given, _ in instances(rule, assumed)]
    for turn in zip_longest(*(islice(attempt.values(), points) for attempt in attempts)):
        for n, (attempt, values) in enumerate(zip(attempts, turn, strict=True)):
            budget.spend(_STEPS)
            with suppress(TooLarge):
                left = None if values is None else attempt.left_at(values)
                if left is not None:
                    budget.spend(_STEPS * len(left.cells))
                    free = tuple([v for name, v in values.items() if name not in attempt.setting.given])
                    yield Compared(values, attempt.difference(left, values), free, n)


def _divides_by_zero(left: Program, assumed: Sequence[Term], budget: Budget) -> bool:
    """Whether a divisor of the left side or of the assumptions is 0 throughout, so that nothing is said."""
    try:
        Setting(Rule(left, left), assumed, budget)
    except ZeroDivisor:
        return True
    return False


def _told(found: Refuted, rule: Rule, texts: tuple[str, ...]) -> Refuted:
    return Refuted(str(rule), found.values, found.sides, found.smallest, texts, "floor", found.index)


def _smt2(found: NotShown, rule: Rule) -> str:
    return "" if found.premise is None else to_smt2(found.premise.formulas(), str(rule))


def _cases(assumed: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    """One for each alternative of the assumptions, with the earlier ones denied."""
    splits = [list(f.args) if f.op == "or" else [f] for f in assumed]
    count = 1
    for parts in splits:
        count *= len(parts)
    if count > _CASES:
        yield tuple(assumed)
        return
    for choice in product(*(range(len(parts)) for parts in splits)):
        found: list[Term] = []
        for at, parts in zip(choice, splits, strict=True):
            found += [parts[at], *map(negated, parts[:at])]
        yield tuple(_flat(found))


def _flat(formulas: Sequence[Term]) -> Iterator[Term]:
    for f in formulas:
        if f.op == "and":
            yield from _flat(f.args)
        else:
            yield f


class _Attempt:
    """One rule without `...`, under assumptions without alternatives."""

    def __init__(self, rule: Rule, assumed: Sequence[Term], budget: Budget, ranged: bool) -> None:
        self.rule, self.budget, self.ranged = rule, budget, ranged
        self.setting = Setting(rule, assumed, budget)
        self.base = self.setting.known
        self.premises: list[Premise] = []
        self.notes = set[str]()

    def run(self) -> list[Premise] | Refuted | NotShown:
        """What it comes to: the premises of a proof, a refutation, or what stays open."""
        try:
            self._prove(solver=False)
            if self._is_defined():
                return self.premises
        except NotShown:
            pass
        found, defined = self._refuted(_FIRST)
        if found is None:
            if not defined:
                self._may_be_defined()
            try:
                self._prove(solver=True)
                return self.premises
            except NotShown as stop:
                found, _ = self._refuted(POINTS)
                found = found if found is not None else self._replayed(stop)
                return stop if found is None else found
        return found

    def smallest(self) -> Refuted | None:
        """The refutation at small values, where there is one."""
        return self._refuted(POINTS)[0]

    # Proving

    def _prove(self, solver: bool) -> None:
        """Shows all premises; raises NotShown where one is not shown."""
        self.premises = []
        known = self.base.plus(solver=solver)
        for asked in self.setting.asked(self.rule.right):
            p, differing = asked.poly, (asked.poly,) if asked.relation == "==" else ()
            bounds = {"==": (), "!=": (p, plus({}, p, -1)), ">=": (_denied(p),)}[asked.relation]
            self._show(Premise(known, bounds, differing), f"the right side asks more: {asked.what}")
        for axis, (a, b) in enumerate(zip(self.rule.left.sizes, self.rule.right.sizes, strict=True)):
            difference = plus(self.setting.poly(a), self.setting.poly(b), -1)
            self._show(Premise(known, (), (difference,)), f"size {axis} of the sides was not shown to be equal")
        self._show_reads(solver)
        sizes = [self.setting.poly(n) for n in self.rule.left.sizes]
        digits = {f"i.{axis}": n for axis, n in enumerate(sizes)}
        frame = Frame(tuple({(d,): 1} for d in digits), digits)
        for count in range(10**6):
            spent_splits(count)
            reader = Reader(self.setting, frame, solver)
            try:
                left, right = reader.pieces(self.rule.left), reader.pieces(self.rule.right)
                break
            except Split as split:
                frame = frame.split(split)
        self.premises += reader.shown
        for one, others in [(p, right) for p in left] + [(p, left) for p in right]:
            self._show_covered(reader, one, others)
        for one, other in product(left, right):
            self._show_same(reader, one, other)

    def _show(self, premise: Premise, what: str) -> None:
        if not premise.holds():
            raise NotShown(what, premise)
        self.premises.append(premise)

    def _show_covered(self, reader: Reader, one: Piece, others: Sequence[Piece]) -> None:
        """Wherever one piece shows an element, some piece of the other side does."""
        if any(all(one.known.sees(p) for kind, p in other.trail if kind == "guard") for other in others):
            self.premises += [
                Premise(one.known, (_denied(p),)) for other in others for kind, p in other.trail
                if kind == "guard" and one.known.sees(p)
            ]  # fmt: skip
            return
        choices = [[k for k, (kind, _) in enumerate(other.trail) if kind == "guard"] for other in others]
        for n, choice in enumerate(product(*choices)):
            if n == _CHOICES:
                raise Undecided("a side has too many pieces with guards")
            denied: list[Poly] = []
            for k, other in zip(choice, others, strict=True):
                denied += [p for _, p in other.trail[:k]]
                denied.append(_denied(other.trail[k][1]))
            self._show(Premise(one.known, tuple(denied)), "an element of one side was not shown to be on the other")

    def _show_same(self, reader: Reader, one: Piece, other: Piece) -> None:
        """Pieces that show elements together show the same one."""
        guards = tuple(p for _, p in other.trail)
        differing: tuple[Poly, ...] = ()
        if one.tensor == other.tensor:
            pairs = zip(one.terms, other.terms, strict=True)
            differing = tuple(d for a, b in pairs if (d := one.known.reduced(plus(a, b, -1))))
            if not differing:
                return
        self._show(Premise(one.known, guards, differing), "the sides were not shown to show the same element")

    def _show_reads(self, solver: bool) -> None:
        """The addresses of reads of the right side are in bounds, given that those of the left side are."""
        said = [(p.step, p.before.sizes) for p in self.rule.left.parts() if p.step.op == "read" and p.before]
        for part in self.rule.right.parts():
            if part.step.op == "read" and part.before and (part.step, part.before.sizes) not in said:
                _ReadInBounds(self, part, solver).show()

    # Values

    def _is_defined(self) -> bool:
        """Whether the left side is defined somewhere; raises NeverDefined where it is known to be nowhere."""
        for values in islice(self.values(), 400):
            with suppress(TooLarge):
                if self.left_at(values) is not None:
                    return True
        return self._may_be_defined()

    def _may_be_defined(self) -> bool:
        match solve((*self.base.formulas, *self.setting.reads()), self.budget):
            case Unsat():
                raise NeverDefined(str(self.rule))
            case Sat():
                return True
            case Open():
                self.notes.add("left side not shown to be defined")
                return True

    def values(self) -> Iterator[dict[str, int]]:
        """Values of the names by the sum of those that are free; the others are computed."""
        setting = self.setting
        computed = {n: setting.term(p) for n, p in setting.given.items()}
        computed = {n: t for n, t in computed.items() if set(names(t)) <= set(setting.names)}
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
        """The left side where it is defined, the assumptions hold and sizes are as they have to be; else None.

        Raises TooLarge where its arrays have too many elements.
        """
        least = [(size, low) for size, low in self.setting.least if set(names(size)) <= set(values)]
        sizes = [Term(">=", (size, num(low))) for size, low in least]
        if not true_at((*self.setting.assumed, *self.rule.declared(), *sizes), values):
            return None
        try:
            return array_of(self.rule.left, values, _ELEMENTS)
        except Undefined:
            return None

    def _refuted(self, points: int) -> tuple[Refuted | None, bool]:
        """The smallest refutation among small values, and whether the left side was defined anywhere.

        Where names are computed from others, values come by the sum of those that are free alone.
        """
        best: Refuted | None = None
        defined, skipped, cells = False, False, 0
        for values in islice(self.values(), min(points, self.budget.points)):
            size, least = _size(values), _size(best.values) if best is not None else None
            free = size - sum(abs(values[n]) for n in self.setting.given if n in values)
            if least is not None and free >= least:
                return best, defined
            self.budget.spend(_STEPS)
            try:
                left = self.left_at(values)
                found = self.difference(left, values) if left is not None else None
            except TooLarge:
                skipped = True
                continue
            if left is not None:
                defined = True
                cells += len(left.cells)
                self.budget.spend(_STEPS * len(left.cells))
            if found is not None and (least is None or size < least):
                best = replace(found, smallest=not skipped)
                if not self.setting.given:
                    return best, defined
            if cells > _CELLS:
                break
        return (None if best is None else replace(best, smallest=False)), defined

    def difference(self, left: Array, values: dict[str, int]) -> Refuted | None:
        """What the right side shows otherwise at these values."""
        try:
            right = array_of(self.rule.right, values, 4 * _ELEMENTS)
        except Undefined as error:
            if self.ranged:
                self._require_ranges()
            return _refuted(values, (f"shape {_shape_text(left.shape)}", f"not defined ({error})"))
        if left.shape != right.shape:
            return _refuted(values, (f"shape {_shape_text(left.shape)}", f"shape {_shape_text(right.shape)}"))
        index = first_difference(left, right)
        return None if index is None else _refuted(values, (_cell(left.at(index)), _cell(right.at(index))), index)

    def _require_ranges(self) -> None:
        """Raises InputError where what the right side asks is about a name that nothing else bounds."""
        for asked in self.setting.asked(self.rule.right):
            own = [n for n in names(self.setting.term(asked.poly)) if n in self._loose()]
            if own and not self.base.sees(asked.poly):
                raise InputError(
                    f"{self.rule}: {', '.join(own)} stands on the right side alone, and {asked.what} is needed there: "
                    f"assume a range of {', '.join(own)}"
                )

    def _loose(self) -> set[str]:
        left = set(Setting(Rule(self.rule.left, self.rule.left), self.setting.assumed, self.budget).names)
        return set(self.setting.names) - left

    def _replayed(self, stop: NotShown) -> Refuted | None:
        """The refutation at the values of a solver, where arrays at these differ."""
        model = stop.premise.known.values if stop.premise is not None else None
        if model is None:
            return None
        values = {n: model.get(n, 0) for n in self.setting.names}
        try:
            for n, p in self.setting.given.items():
                if n in values:
                    values[n] = int(value_of(self.setting.term(p), {**model, **values}))
        except (ZeroDivisionError, KeyError):
            return None
        with suppress(TooLarge):
            left = self.left_at(values)
            found = self.difference(left, values) if left is not None else None
            return None if found is None else replace(found, smallest=False)
        return None


class _ReadInBounds:
    """That a read of the right side stays in bounds at every index that its mask leaves."""

    def __init__(self, attempt: _Attempt, part: Program, solver: bool) -> None:
        self.attempt, self.part, self.solver = attempt, part, solver
        self.setting = attempt.setting

    def show(self) -> None:
        """Raises NotShown where it is not shown."""
        shape, _, _, mask = self.part.step.given
        if mask == "empty":
            return
        sizes = [self.setting.poly(n) for n in shape]
        digits = {f"e.{axis}": n for axis, n in enumerate(sizes)}
        index: Index = tuple({(d,): 1} for d in digits)
        reader = Reader(self.setting, Frame(index, digits, tuple(self._inside(index, mask))), self.solver)
        known = reader.base.plus(bounds=self._instances(sizes, index))
        for p in self.setting.in_bounds(self.part, index):
            self.attempt._show(Premise(known, (_denied(p),)), "a read of the right side was not shown to be in bounds")

    def _inside(self, index: Sequence[Poly], mask: object) -> Iterator[Poly]:
        if isinstance(mask, tuple):
            for i, (low, high) in zip(index, mask, strict=True):
                yield plus(i, self.setting.poly(low), -1)
                yield plus(plus(self.setting.poly(high), UNIT, -1), i, -1)

    def _instances(self, sizes: Sequence[Poly], index: Sequence[Poly]) -> Iterator[Poly]:
        """What the reads of the left side say at the index with the same digits for the same strides."""
        strides = map(self.setting.poly, self.part.step.given[1])
        own = [(s, n, i) for s, n, i in zip(strides, sizes, index, strict=True)]
        for part in self.attempt.rule.left.parts():
            if part.step.op == "read" and part.step.given[3] is None:
                dims = [
                    (self.setting.poly(s), self.setting.poly(n))
                    for s, n in zip(part.step.given[1], part.sizes, strict=True)
                ]
                if all(self.setting.known.sees(plus(n, UNIT, -1)) for _, n in dims):
                    at = [next((i for t, m, i in own if t == s and m == n), {}) for s, n in dims]
                    yield from self.setting.in_bounds(part, at)


def _denied(p: Poly) -> Poly:
    """What is >= 0 exactly where p is not."""
    return plus({ONE: -1}, p, -1)


def _refuted(values: Mapping[str, int], sides: tuple[str, str], index: tuple[int, ...] | None = None) -> Refuted:
    return Refuted("", values, sides, True, index=index)


def _size(values: Mapping[str, int]) -> int:
    return sum(map(abs, values.values()))


def _cell(cell: Cell) -> str:
    return "padding" if cell is None else f"{cell[0]}[{','.join(map(str, cell[1]))}]"


def _shape_text(shape: Sequence[int]) -> str:
    return f"({','.join(map(str, shape))})"
