"""Proving and refuting rules of programs, for all sizes.

Programs are equal for tensors of any contents if and only if their shapes are equal, the guards of each piece of one
side imply that the guards of some piece of the other hold, and pieces whose guards hold together have the same element
of the same tensor. A rule is about the sizes at which its left side is defined: the requirements of the left side are
facts, those of the right side have to be proved. Every question is whether a conjunction has no integer solution.

A rule is tried first without a solver, then at small values, then with the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, product
from math import prod
from time import perf_counter
from typing import Any

from symview.certificates import tree
from symview.displayed import Json
from symview.errors import InputError, NotSupported, SymviewError, Undecided
from symview.logic.budget import Budget, running
from symview.logic.inequalities import Premise
from symview.logic.notation import joined, term_text, to_smt2
from symview.logic.polynomial import UNIT, Poly, denied, minus, negative
from symview.logic.solve import Open, Sat, Unsat, solve
from symview.logic.terms import Term, conjuncts, negated, num, walk
from symview.proof.data import EqualPrograms
from symview.proof.kernel import _SEAL, Proved
from symview.proof.statement import Query, Statement, read
from symview.proof.verdicts import Refuted, Unknown, Verdict
from symview.rules.programs.any_rank import instances, names_of
from symview.rules.programs.at_numbers import Search
from symview.rules.programs.meaning import entries, reads
from symview.rules.programs.pieces import Frame, Index, Piece, Reader, Split
from symview.rules.programs.program import Program, Rule
from symview.rules.programs.setting import Setting, ZeroDivisor

_VALUES_BEFORE_SOLVER = 250  # values tried before the solver
_MAX_CHOICES = 200  # questions about one guard of each piece
_MAX_SPLITS = 41  # splits of the index into digits; more are not expected to help
_MAX_CASES = 16  # alternatives of the assumptions, each with a proof of its own


class NeverDefined(SymviewError):
    """The left side of a rule is defined at no sizes, so that the rule is vacuous."""


class EmptyRule(InputError):
    """The left side is not defined at any values that the assumptions allow."""


class OpenPremise(SymviewError):
    """A premise that was neither proved nor refuted."""

    def __init__(self, reason: str, premise: Premise) -> None:
        self.reason, self.premise = reason, premise
        super().__init__(reason)


def prove_rule(
    rule: Rule,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
    ranged: bool = True,
) -> Verdict:
    """Proves or refutes a rule of programs for all sizes, and at every rank if the shapes have `...`.

    A name that is a size, or a factor of one, is at least 1, unless n >= 0 is assumed. A refutation has the smallest
    values, by their sum, and the smallest index, checked on arrays. Raises InputError if the left side is never
    defined, or if an operation of the right side needs a range of a name that the left side and the assumptions do not
    imply; unless `ranged`, the latter is a refutation.
    """
    started = perf_counter()
    budget = running(budget)
    stated = read("0 == 0", assume, division, known=names_of(rule))
    _need_floor_division(rule, stated, division)
    texts = stated.assumed()
    premises: list[Premise] = []
    notes: set[str] = set()
    programs: list[Json] = []
    defined = False
    for instance, assumed, note, dims in instances(rule, [a.term for a in stated.assumptions]):
        notes |= note
        try:
            for case, attempt, found in _attempts(instance, assumed, budget, ranged):
                match found:
                    case Refuted():
                        sides = instance_of(instance, case, attempt.setting)
                        return replace(found, statement=str(rule), assumptions=texts, programs=(sides,))
                    case OpenPremise():
                        query = to_smt2(found.premise.formulas(), str(rule))
                        return Unknown(str(rule), found.reason, texts, "floor", query)
                premises += found
                nonzero = [Term("!=", (d, num(0))) for d in attempt.setting.doubtful()]
                if dims != 0:  # the checker derives these from the program with one dim more
                    programs.append(instance_of(instance, [*case, *nonzero], attempt.setting, more=dims == 1))
                notes |= attempt.notes | {f"divisor {term_text(d)} assumed" for d in nonzero}
                defined = True
        except Undecided as stop:
            return Unknown(str(rule), stop.reason, texts)
    if not defined:
        given = f" given {joined(texts)}" if texts else ""
        raise EmptyRule(
            f"{rule}: the left side is never defined{given}: the rule is empty; correct an operation"
            + " or drop an assumption" * bool(texts)
        )
    try:
        if (open_ := next((p for p in premises if not p.holds()), None)) is not None:
            return Unknown(str(rule), "a premise does not hold", texts, smt2=to_smt2(open_.formulas()))
    except Undecided as stop:
        return Unknown(str(rule), stop.reason, texts)
    rests_on = frozenset({*notes, "normal form", *({"z3"} if any(p.by_solver() for p in premises) else ())})
    made = (prove_rule, (rule, assume, division, budget.plain(), ranged))
    claim, seconds = EqualPrograms(rule, stated.assumptions), perf_counter() - started
    return Proved(claim, rests_on, seconds, _SEAL, instances=tuple(programs), made=made)


def _need_floor_division(rule: Rule, stated: Query, division: str) -> None:
    """Raises NotSupported if the assumptions or the entries use another division."""
    if any(n.op in ("//", "%") for a in stated.assumptions for n in walk(a.term)) and stated.division() != "floor":
        raise NotSupported(f"{rule}: assumptions about programs divide by floor division: write them so")
    if division != "floor" and any(n.op in ("//", "%") for t in entries(rule.left, rule.right) for n in walk(t)):
        raise NotSupported(f"{rule}: entries of programs divide by floor division: write them so")


def _attempts(
    rule: Rule, assumed: Sequence[Term], budget: Budget, ranged: bool
) -> Iterator[tuple[tuple[Term, ...], _Attempt, list[Premise] | Refuted | OpenPremise]]:
    """The result for each alternative of the assumptions at which the left side is defined; the rule has no `...`."""
    cases = list(_cases(assumed))
    for case in cases:
        try:
            attempt = _Attempt(rule, case, budget, ranged)
            found = attempt.run()
        except NeverDefined:
            continue
        except ZeroDivisor:
            if len(cases) == 1 or not _divides_by_zero(rule.left, case, budget):
                raise
            continue
        if isinstance(found, Refuted) and len(cases) > 1:  # another alternative may have a smaller one
            smallest, _ = Search(Setting(rule, assumed, budget), ranged).smallest()
            found = replace(found, smallest=False) if smallest is None else smallest
        yield case, attempt, found


def _divides_by_zero(left: Program, assumed: Sequence[Term], budget: Budget) -> bool:
    """Whether a divisor of the left side or of the assumptions is always 0, so that the rule is vacuous."""
    try:
        Setting(Rule(left, left), assumed, budget)
    except ZeroDivisor:
        return True
    return False


def _cases(assumed: Sequence[Term]) -> Iterator[tuple[Term, ...]]:
    """The assumptions in disjunctive form: each alternative with the earlier ones negated."""
    splits = [list(f.args) if f.op == "or" else [f] for f in assumed]
    if prod(map(len, splits)) > _MAX_CASES:
        yield tuple(assumed)
        return
    for choice in product(*(range(len(parts)) for parts in splits)):
        found: list[Term] = []
        for at, parts in zip(choice, splits, strict=True):
            found += [parts[at], *map(negated, parts[:at])]
        yield tuple(part for f in found for part in conjuncts(f))


class _Attempt:
    """One rule without `...`, under assumptions without alternatives."""

    def __init__(self, rule: Rule, assumed: Sequence[Term], budget: Budget, ranged: bool) -> None:
        self.rule, self.budget = rule, budget
        self.setting = Setting(rule, assumed, budget)
        self.search = Search(self.setting, ranged)
        self.base = self.setting.known
        self.premises: list[Premise] = []
        self.notes = set[str]()
        self.terms: Index = ()

    def run(self) -> list[Premise] | Refuted | OpenPremise:
        """Proves or refutes: the premises of a proof, a refutation, or the premise that is open."""
        try:
            self._prove(solver=False)
            if self._is_defined():
                return self.premises
        except OpenPremise:
            pass
        found, defined = self.search.smallest(_VALUES_BEFORE_SOLVER)
        if found is None:
            if not defined:
                self._may_be_defined()
            try:
                self._prove(solver=True)
                return self.premises
            except OpenPremise as stop:
                found, _ = self.search.smallest()
                if found is None and stop.premise.known.values is not None:
                    found = self.search.replayed(stop.premise.known.values, self.terms)
                return stop if found is None else found
        return found

    # Proving

    def _prove(self, solver: bool) -> None:
        """Proves all premises; raises OpenPremise if one is not proved."""
        self.premises = []
        known = self.base.plus(solver=solver)
        for relation, p, what in self.setting.requirements(self.rule.right):
            bounds = {"==": (), "!=": (p, negative(p)), ">=": (denied(p),)}[relation]
            premise = Premise(known, bounds, (p,) if relation == "==" else ())
            self._require(premise, f"the right side requires more: {what}")
        for axis, (a, b) in enumerate(zip(self.rule.left.sizes, self.rule.right.sizes, strict=True)):
            difference = minus(self.setting.poly(a), self.setting.poly(b))
            self._require(Premise(known, (), (difference,)), f"size {axis} of the sides was not shown to be equal")
        self._prove_reads(solver)
        sizes = [self.setting.poly(n) for n in self.rule.left.sizes]
        digits = {f"i.{axis}": n for axis, n in enumerate(sizes)}
        frame = Frame(tuple({(d,): 1} for d in digits), digits)
        for _ in range(_MAX_SPLITS):
            reader = Reader(self.setting, frame, solver)
            try:
                left, right = reader.pieces(self.rule.left), reader.pieces(self.rule.right)
                break
            except Split as split:
                frame = frame.split(split)
        else:
            raise Undecided("the digits of the index were split too often")
        self.premises += reader.premises
        self.terms = frame.terms
        for one, others in [(p, right) for p in left] + [(p, left) for p in right]:
            self._prove_covered(one, others)
        for one, other in product(left, right):
            self._prove_same(one, other)

    def _require(self, premise: Premise, what: str) -> None:
        if not premise.holds():
            raise OpenPremise(what, premise)
        self.premises.append(premise)

    def _prove_covered(self, one: Piece, others: Sequence[Piece]) -> None:
        """Proves that the guards of this piece imply the guards of some piece of the other side."""
        for other in sorted(others, key=lambda o: o.tensor != one.tensor):
            guards = [p for kind, p in other.trail if kind == "guard"]
            if all(map(one.known.sees, guards)):
                self.premises += [Premise(one.known, (denied(p),)) for p in guards]
                return
        choices = [[k for k, (kind, _) in enumerate(other.trail) if kind == "guard"] for other in others]
        for n, choice in enumerate(product(*choices)):
            if n == _MAX_CHOICES:
                raise Undecided("a side has too many pieces with guards")
            hidden: list[Poly] = []
            for k, other in zip(choice, others, strict=True):
                hidden += [p for _, p in other.trail[:k]]
                hidden.append(denied(other.trail[k][1]))
            self._require(Premise(one.known, tuple(hidden)), "an element of one side was not shown to be on the other")

    def _prove_same(self, one: Piece, other: Piece) -> None:
        """Proves that two pieces have the same tensor and index wherever the guards of both hold."""
        guards = tuple(p for _, p in other.trail)
        differing: tuple[Poly, ...] = ()
        if one.tensor == other.tensor:
            pairs = zip(one.terms, other.terms, strict=True)
            differing = tuple(d for a, b in pairs if (d := one.known.reduced(minus(a, b))))
            if not differing:
                return
        self._require(Premise(one.known, guards, differing), "the sides were not shown to show the same element")

    def _prove_reads(self, solver: bool) -> None:
        """Proves that the reads of the right side are in bounds, given that those of the left side are."""
        said = [(part.step, self.setting.elements_before(part)) for part in reads(self.rule.left)]
        for part in reads(self.rule.right):
            if (part.step, self.setting.elements_before(part)) not in said:
                self._prove_in_bounds(part, solver)

    def _prove_in_bounds(self, read: Program, solver: bool) -> None:
        """Proves that a read of the right side stays in bounds at every index that its mask allows."""
        shape, _, _, mask = read.step.given
        if mask == "empty":
            return
        sizes = [self.setting.poly(n) for n in shape]
        digits = {f"e.{axis}": n for axis, n in enumerate(sizes)}
        index: Index = tuple({(d,): 1} for d in digits)
        inside = list[Poly]()
        for i, (low, high) in zip(index, mask or (), strict=False):
            inside += [minus(i, self.setting.poly(low)), minus(minus(self.setting.poly(high), UNIT), i)]
        known = Reader(self.setting, Frame(index, digits, tuple(inside)), solver).base
        known = known.plus(bounds=self._said_by_reads(read, sizes, index))
        for p in self.setting.in_bounds(read, index):
            self._require(Premise(known, (denied(p),)), "a read of the right side was not shown to be in bounds")

    def _said_by_reads(self, read: Program, sizes: Sequence[Poly], index: Index) -> Iterator[Poly]:
        """Bounds from the left side's reads, at the index with the same digits for equal strides and sizes."""
        poly = self.setting.poly
        own = [(poly(stride), n, i) for stride, n, i in zip(read.step.given[1], sizes, index, strict=True)]
        for part in reads(self.rule.left):
            dims = [(poly(stride), poly(n)) for stride, n in zip(part.step.given[1], part.sizes, strict=True)]
            if part.step.given[3] is None and all(self.setting.known.sees(minus(n, UNIT)) for _, n in dims):
                at = [next((i for t, m, i in own if t == s and m == n), {}) for s, n in dims]
                yield from self.setting.in_bounds(part, at)

    # Where the left side is defined

    def _is_defined(self) -> bool:
        """Whether the left side is defined somewhere; raises NeverDefined if it is known not to be."""
        for values in islice(self.search.values(), 400):
            if self.search.left_at(values) is not None:
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


# Rules of programs for the checker of certificates: each program as its tensor and a list of steps.


def program_of(program: Program) -> Json:
    """A program without `...`, for JSON.

    >>> program_of(Program.parse("x(n,3).permute(1,0).shrink((0,3),(1,n))"))["steps"]
    [['permute', 1, 0], ['slice', 0, 1, 3, 'n', 1, 1]]
    """
    first, *rest = program.chain()
    return {"tensor": first.step.given[0], "shape": list(map(tree, first.sizes)), "steps": [_step(p) for p in rest]}


def _step(program: Program) -> list[Any]:
    """The operation and its entries: of a slice the starts, ends, and steps; of a pad the widths before, after."""
    op, given, _ = program.step
    match op:
        case "shrink" | "slice" | "pad":
            rows = [(*row, num(1)) for row in given] if op == "shrink" else given
            width = 2 if op == "pad" else 3
            return ["pad" if op == "pad" else "slice", *[tree(row[k]) for k in range(width) for row in rows]]
        case "permute" | "flip":
            return [op, *given]
        case "contiguous":
            return ["permute", *range(program.rank)]
        case "concat":
            return [op, program_of(given[0]), given[1] % max(program.rank, 1)]
        case "read":
            shape, strides, offset, mask = given
            entries = {"shape": list(map(tree, shape)), "strides": list(map(tree, strides)), "offset": tree(offset)}
            bounds = mask if mask is None or mask == "empty" else [list(map(tree, pair)) for pair in mask]
            return [op, {**entries, "mask": bounds}]
    return [op, *map(tree, given)]


def instance_of(rule: Rule, assumed: Iterable[Term], setting: Setting, more: bool = False) -> Json:
    """Both sides, with the facts: the assumptions, and that sizes are positive.

    `more`: the first dim of each side represents any number of dims.
    """
    known = [tree(f) for f in (*assumed, *rule.declared(), *setting.size_facts(setting.names))]
    return {"left": program_of(rule.left), "right": program_of(rule.right), "assume": known, "more": more}
