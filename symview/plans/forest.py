"""The results of programs as a forest: each node is computed from its parent; sizes are numbers.

Sizes with names are numbers too: each name is represented by its own prime, larger than all numbers in the programs,
so that a product divides another for all values exactly if its number does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import prod
from typing import NamedTuple, TypeVar

from symview.engine.row_space import Row, RowSpace
from symview.errors import InputError, NotSupported, Undecided
from symview.logic.budget import Budget
from symview.logic.notation import term_text
from symview.logic.polynomial import ONE, as_ordered_term, expanded, operations
from symview.logic.terms import Term, names, num, value_of
from symview.plans.copies import Node
from symview.plans.digits import Op, Ops, Shape, Uneven, digit_rows, first_address, first_step, followed, rows_of
from symview.rules.programs.meaning import required
from symview.rules.programs.program import Program

T = TypeVar("T")
_REFUSED = {
    "concat": "a concatenation is not a view of either part, so it copies under every layout",
    "pad": "padding has no address, so a padded result copies under every layout",
    "read": "write the operations that make the view",
}
IMPOSSIBLE, UNCLEAR = -1, -2  # in place of the dim that has to have stride 1
_FEWEST = 100  # primes for names are larger


class Numbers:
    """Sizes as numbers: terms at `values`, and products of the other names as products of primes."""

    def __init__(self, programs: Sequence[Program], values: Mapping[str, int]) -> None:
        terms = [t for p in programs for part in p.parts() for t in (*part.sizes, *_terms(part))]
        self.values = values
        self.names = tuple([n for n in names(*terms) if n not in values])
        most = max([_FEWEST, *[abs(x) for t in terms for x in _constants(t)], *values.values()])
        self.primes = dict(zip(self.names, _primes(most), strict=False))

    def of(self, term: Term) -> int:
        """The number of a size; raises NotSupported if it has names and is not a product."""
        found = self.product(term)
        if found is None:
            way = "give it a name of its own, or numbers"
            raise NotSupported(f"plan with the size {term_text(term)}: it is not a product of names: {way}")
        return found

    def product(self, term: Term) -> int | None:
        """The number of a term that is 0 or a product; else None."""
        if not set(names(term)) & set(self.names):
            return value_of(term, self.values)
        found = expanded(term)
        if not found:
            return 0
        if len(found) > 1 or operations(found):
            return None
        ((monomial, factor),) = found.items()
        return factor * prod(self.values[n] if n in self.values else self.primes[n] for n in monomial)

    def term(self, number: int) -> Term:
        """The product that a number represents."""
        monomial = []
        for name, prime in self.primes.items():
            while number and number % prime == 0:
                number //= prime
                monomial.append(name)
        return as_ordered_term({tuple(sorted(monomial)) if monomial else ONE: number}) if number else num(0)


def _terms(part: Program) -> Iterator[Term]:
    if part.step.op in ("slice", "shrink"):
        yield from (t for row in part.step.given for t in row)


def _constants(term: Term) -> Iterator[int]:
    if term.op == "int":
        yield term.args[0]
    elif term.op != "sym":
        for t in term.args:
            yield from _constants(t)


def _primes(above: int) -> Iterator[int]:
    number = above + 1
    while True:
        if all(number % d for d in range(2, int(number**0.5) + 1)):
            yield number
        number += 1


class Result(NamedTuple):
    """A node: the program, its parent's number, the sizes and the last operation as numbers."""

    program: Program
    before: int | None
    shape: Shape
    op: Op | None
    consumed: bool

    @property
    def row_major(self) -> bool:
        """Whether its strides have to be those of its shape in row-major order."""
        return self.program.step.op == "contiguous"


@dataclass(frozen=True)
class Forest:
    """All results of programs, each after its parent."""

    results: tuple[Result, ...]
    numbers: Numbers

    def ops(self, root: int, v: int) -> Ops:
        """The operations on the path from one node to another."""
        found = list[Op]()
        while v != root:
            _, before, _, op, _ = self.results[v]
            if op is None or before is None:
                raise InputError("the node is not made from that root")
            found.append(op)
            v = before
        return tuple(found[::-1])

    def rows(self, root: int, v: int, budget: Budget) -> tuple[Row, ...]:
        """The requirements of the view of a node on the strides of a root."""
        shape, ops = self.results[root].shape, self._flattened(root, v)
        if not self.numbers.names:
            return rows_of(shape, ops, budget)
        return tuple(dict.fromkeys(row for row in self._by_digits(v, digit_rows, shape, ops) if any(row)))

    def _flattened(self, root: int, v: int) -> Ops:
        """The operations to a node; a row-major one is also one view if it is merged to a single dim."""
        ops, result = self.ops(root, v), self.results[v]
        return (*ops, Op("reshape", (prod(result.shape),))) if result.row_major else ops

    def unit(self, root: int, v: int, positive: bool, rows: Callable[[], Sequence[Row]]) -> int | None:
        """The dim of a root whose stride has to be 1 for a row-major node; None if none has to.

        IMPOSSIBLE if the last index of the node moves by another number of steps, UNCLEAR if that is not known.
        `rows`: the requirements on the strides of the root, asked for where dims are cut unevenly.
        """
        shape, ops = self.results[root].shape, self._flattened(root, v)
        if not self.results[v].row_major or 0 in shape:
            return None
        try:
            [merged] = followed(shape, ops)[-1]
        except Uneven:
            return UNCLEAR if self.numbers.names else self._unit_by_rows(root, v, rows)
        if not merged:
            return None
        last = merged[-1]
        return last.dim if last.step == 1 else UNCLEAR if last.step == -1 and not positive else IMPOSSIBLE

    def _unit_by_rows(self, root: int, v: int, rows: Callable[[], Sequence[Row]]) -> int | None:
        """The same, where dims are cut unevenly: the dim whose stride the rows make equal to the step of the node."""
        shape = self.results[root].shape
        if prod(self.results[v].shape) < 2:
            return None
        step, space = first_step(shape, self._flattened(root, v)), RowSpace(len(shape), rows())
        live = [d for d, n in enumerate(shape) if n > 1]
        return next((d for d in live if [x - (e == d) for e, x in enumerate(step)] in space), UNCLEAR)

    def view(self, root: int, v: int, strides: Sequence[int]) -> tuple[list[int], list[int]]:
        """The strides of a node as a view of a root with these strides, and the parts of its first address."""
        shape, ops = self.results[root].shape, self.ops(root, v)
        dims = self._by_digits(v, followed, shape, ops)[-1]
        steps = [dim[-1].step * strides[dim[-1].dim] if dim else 0 for dim in dims]
        return steps, [n * strides[d] for d, n in self._by_digits(v, first_address, shape, ops)]

    def _by_digits(self, v: int, follow: Callable[[Shape, Ops], list[T]], shape: Shape, ops: Ops) -> list[T]:
        try:
            return follow(shape, ops)
        except Uneven:
            way = "a cut falls within a dim there: give numbers"
            raise NotSupported(f"plan of {self.results[v].program} for all sizes: {way}") from None

    def nodes(
        self, weights: Sequence[int], at_most: Callable[[int, int], bool], positive: bool, budget: Budget
    ) -> list[Node]:
        """The nodes with their weights. A result with only one use, which can be copied instead, is not open.

        `at_most`: whether a copy of a node is known to weigh no more than one of another node.
        """
        uses: list[list[int]] = [[u for u, r in enumerate(self.results) if r.before == v] for v in range(len(weights))]

        def is_open(v: int) -> bool:
            if self.results[v].consumed or len(uses[v]) != 1 or not at_most(u := uses[v][0], v):
                return self.results[v].before is not None
            return bool(uses[u]) and not self._is_view(v, u, positive, budget)

        return [Node(r.before, weights[v], r.consumed, is_open(v)) for v, r in enumerate(self.results)]

    def _is_view(self, v: int, u: int, positive: bool, budget: Budget) -> bool:
        """Whether a child is a view of its node for all strides, with each element once, and strides of its signs."""
        op, shape = self.results[u].op, self.results[v].shape
        turned = positive and op is not None and op.name == "flip" and any(shape[a] > 1 for a in op.given)
        if op is None or op.name == "expand" or turned:
            return False
        with suppress(NotSupported, Undecided):
            return not self.rows(v, u, budget)
        return False


def forest(programs: Sequence[Program], values: Mapping[str, int]) -> Forest:
    """The forest of programs, at values of some names. Raises NotSupported for other operations than movements."""
    numbers, places, found = Numbers(programs, values), dict[str, int](), list[Result]()
    shapes = dict[str, str]()
    consumed = {str(p) for p in programs}
    for program in programs:
        before: int | None = None
        for part in program.chain():
            key = str(part)
            if part.before is None and shapes.setdefault(part.step.given[0], key) != key:
                raise InputError(f"plan of {shapes[part.step.given[0]]} and {key}: give one tensor one shape")
            if key not in places:
                sizes = _checked(part, numbers)
                old = None if before is None else found[before].shape
                op = None if old is None else _op(part, sizes, numbers)
                places[key] = len(found)
                found.append(Result(part, before, sizes, op, key in consumed or part.step.op == "contiguous"))
            before = places[key]
    return Forest(tuple(found), numbers)


def _checked(part: Program, numbers: Numbers) -> Shape:
    op = part.step.op
    if op in _REFUSED:
        raise NotSupported(f"plan of {op}: {_REFUSED[op]}")
    if part.block is not None:
        raise NotSupported(f"plan of {part}: write each of the further dims `...`")
    for one in required(part):
        if not set(names(one.term)) & set(numbers.names) and not value_of(one.formula(), numbers.values):
            raise InputError(f"plan of {part}: {one.what} does not hold")
    sizes = tuple(map(numbers.of, part.sizes))
    if op == "reshape" and part.before is not None and prod(sizes) != prod(map(numbers.of, part.before.sizes)):
        raise InputError(f"plan of {part}: the numbers of elements differ")
    return sizes


def _op(part: Program, sizes: Shape, numbers: Numbers) -> Op:
    """The last operation of a program, with numbers."""
    name, given, _ = part.step
    if name in ("expand", "reshape"):
        return Op(name, sizes)
    if name in ("permute", "flip"):
        return Op(name, given)
    if name == "contiguous":
        return Op("permute", tuple(range(len(sizes))))
    rows = []
    for (first, _, *step), count in zip(given, sizes, strict=True):
        start = numbers.product(first)
        if start is None:
            raise NotSupported(f"plan with the start {term_text(first)}: it is not a product of names: give numbers")
        rows.append((start, count, numbers.of(step[0]) if step else 1))
    return Op("slice", tuple(rows))
