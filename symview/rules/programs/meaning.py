"""The meaning of each operation of a program: its requirements, and the source of each index of its result.

Proofs, refutations at numbers, and statements about integers all interpret programs by these two tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from symview.logic.sympy_bridge import to_text
from symview.logic.terms import TRUE, Term, conj, disj, divisors, num
from symview.rules.programs.program import Program

Index: TypeAlias = Sequence[Term]
Blocks: TypeAlias = Callable[[Sequence[Term], Sequence[Term]], list[tuple[list[int], list[int]]]]
_ZERO, _ONE = num(0), num(1)


def terms_of(part: Program) -> list[Term]:
    """The entries of one step."""
    op, given, _ = part.step
    if op == "tensor":
        return list(part.sizes)
    if op in ("shrink", "pad", "slice"):
        return [t for row in given for t in row]
    if op in ("expand", "reshape"):
        return list(given)
    if op == "read":
        mask = [t for pair in given[3] for t in pair] if isinstance(given[3], tuple) else []
        return [*given[0], *given[1], given[2], *mask]
    return []


def entries(*programs: Program) -> list[Term]:
    """The entries of all their steps."""
    return [t for program in programs for part in program.parts() for t in terms_of(part)]


def reads(program: Program) -> list[Program]:
    """The steps that read the previous elements through a view."""
    return [part for part in program.parts() if part.step.op == "read"]


def written_sizes(part: Program) -> Sequence[Term]:
    """The sizes that a step states explicitly."""
    if part.step.op in ("tensor", "expand", "reshape"):
        return part.sizes
    return part.step.given[0] if part.step.op == "read" else ()


# The requirements of an operation


class Requirement(NamedTuple):
    """A requirement of a step: a term in a relation to 0; `what` is it in words."""

    relation: str
    term: Term
    what: str

    def formula(self) -> Term:
        """The requirement as a formula."""
        return Term(self.relation, (self.term, _ZERO))


def required(part: Program) -> Iterator[Requirement]:
    """The requirements of one step, except that a read's addresses are in bounds."""
    for d in dict.fromkeys(d for t in terms_of(part) for d in divisors(t)):
        yield Requirement("!=", d, to_text(Term("!=", (d, _ZERO))))
    op, given, _ = part.step
    old = part.before.sizes if part.before is not None else ()
    match op:
        case "shrink" | "slice":
            for row, size in zip(given, old, strict=True):
                yield from (_at_most(_ZERO, row[0]), _at_most(row[0], row[1]), _at_most(row[1], size))
                if op == "slice":
                    yield _at_most(_ONE, row[2])
        case "pad":
            yield from (_at_most(_ZERO, width) for row in given for width in row)
        case "expand":
            yield from (_at_most(_ZERO, size) for size in part.sizes)
        case "reshape":
            yield from (_at_most(_ZERO, size) for size in part.sizes)
            yield Requirement("==", minus(product(old), product(part.sizes)), "the numbers of elements are equal")
        case "concat":
            other, axis = given
            for n, (a, b) in enumerate(zip(old, other.sizes, strict=True)):
                if n != axis % len(old):
                    yield Requirement("==", minus(a, b), f"{to_text(a)} == {to_text(b)}")
        case "read":
            shape, _, _, mask = given
            yield from (_at_most(_ZERO, size) for size in shape)
            for (low, high), size in zip(mask if isinstance(mask, tuple) else (), shape, strict=False):
                yield from (_at_most(_ZERO, low), _at_most(low, high), _at_most(high, size))


def _at_most(a: Term, b: Term) -> Requirement:
    return Requirement(">=", minus(b, a), f"{to_text(a)} <= {to_text(b)}")


def in_bounds(read: Program) -> Term:
    """The formula that the addresses of a read are in bounds at every index that its mask allows."""
    shape, strides, offset, mask = read.step.given
    if mask == "empty":
        return TRUE
    ranges = mask or [(_ZERO, n) for n in shape]
    empty = [Term(">=", (low, high)) for low, high in ranges]
    ends = [(times(low, s), times(minus(high, _ONE), s)) for (low, high), s in zip(ranges, strides, strict=True)]
    least, most = (plus(offset, *(Term(op, pair) for pair in ends)) for op in ("min", "max"))
    inside = (Term(">=", (least, _ZERO)), Term("<", (most, size_before(read))))
    return disj((*empty, conj(inside)))


# The source of an index


class Arm(NamedTuple):
    """The source of an index if the guards are >= 0: the program before, at these places.

    A place is an address in row-major order in a run of dims, to be written in their digits. `facts` are >= 0 wherever
    the step is defined, has an index, and the guards hold.
    """

    before: Program
    guards: tuple[Term, ...]
    places: tuple[tuple[Term, Sequence[int]], ...]
    facts: tuple[Term, ...] = ()

    def moved(self) -> list[Term]:
        """The index in the program before; each digit is a quotient or remainder of its address."""
        found = [_ZERO] * self.before.rank
        for address, (first, *rest) in self.places:
            for k in reversed(rest):
                found[k], address = (Term(op, (address, self.before.sizes[k])) for op in ("%", "//"))
            found[first] = address
        return found


def whole(old: Sequence[Term], new: Sequence[Term]) -> list[tuple[list[int], list[int]]]:
    """All dims, old and new, as one block of a reshape."""
    return [(list(range(len(old))), list(range(len(new))))]


def arms(program: Program, index: Index, blocks: Blocks = whole) -> Iterator[Arm]:
    """The arms of the last step at an index of the result; their guards exclude each other.

    `blocks` splits a reshape into runs of dims, old and new, of equal products.

    >>> [arm] = arms(Program.parse("x(n).pad((a,0))"), [Term("sym", ("i",))])
    >>> list(map(to_text, arm.guards)), [(to_text(address), dims) for address, dims in arm.places]
    (['i - a'], [('i - a', (0,))])
    """
    op, given, _ = program.step
    before = program.before
    if before is None:
        return
    old = before.sizes
    match op:
        case "contiguous":
            yield _moved(before, index)
        case "permute":
            yield _moved(before, [index[given.index(a)] for a in range(len(given))])
        case "flip":
            pairs = enumerate(zip(index, old, strict=True))
            yield _moved(before, [_from_end(n, i) if axis in given else i for axis, (i, n) in pairs])
        case "shrink" | "slice":
            rows = [(low, *step, _ONE)[:2] for low, _, *step in given]
            yield _moved(before, [plus(low, times(i, step)) for i, (low, step) in zip(index, rows, strict=True)])
        case "pad":
            moved = [minus(i, width) for i, (width, _) in zip(index, given, strict=True)]
            ends = [end for i, n in zip(moved, old, strict=True) for end in (i, _from_end(n, i))]
            widths = [width for pair in given for width in pair]
            yield _moved(before, moved, [end for end, width in zip(ends, widths, strict=True) if width != _ZERO])
        case "expand":
            yield _moved(before, [_ZERO if n == _ONE else i for i, n in zip(index, old, strict=True)])
        case "concat":
            axis = given[1] % len(index)
            beyond = minus(index[axis], old[axis])
            yield _moved(before, index, [_from_end(old[axis], index[axis])])
            yield _moved(given[0], [*index[:axis], beyond, *index[axis + 1 :]], [beyond])
        case "reshape":
            runs = [
                (run, [(index[k], program.sizes[k]) for k in new]) for run, new in blocks(old, program.sizes) if run
            ]
            yield Arm(before, (), tuple((_row_major(digits), run) for run, digits in runs), _existing(before))
        case "read" if given[3] != "empty":
            mask = zip(index, given[3] or (), strict=given[3] is not None)
            guards = [end for i, (low, high) in mask for end in (minus(i, low), _from_end(high, i))]
            bounds = address_bounds(program, index)
            place = ((bounds[0], range(len(old))),) if old else ()
            yield Arm(before, tuple(guards), place, (*bounds, *_existing(before)))


def _moved(before: Program, index: Index, guards: Index = ()) -> Arm:
    """An arm whose places are the digits of an index."""
    return Arm(before, tuple(guards), tuple((i, (axis,)) for axis, i in enumerate(index)))


def _from_end(size: Term, i: Term) -> Term:
    """The index counted from the end: >= 0 if the index is below the size."""
    return minus(minus(size, _ONE), i)


def _existing(program: Program) -> tuple[Term, ...]:
    """Terms that are >= 0 if the program has an index."""
    return tuple(minus(n, _ONE) for n in program.sizes)


def _row_major(digits: Sequence[tuple[Term, Term]]) -> Term:
    """The address of digits, each with its size."""
    sizes = [size for _, size in digits]
    return plus(*(times(i, product(sizes[k + 1 :])) for k, (i, _) in enumerate(digits)))


def address_bounds(read: Program, index: Index) -> tuple[Term, Term]:
    """The address of a read at an index, offset + Σ index·stride, and its distance from the end.

    Both are >= 0 if it is in bounds.
    """
    _, strides, offset, _ = read.step.given
    address = plus(offset, *(times(i, s) for i, s in zip(index, strides, strict=True)))
    return address, _from_end(size_before(read), address)


def size_before(read: Program) -> Term:
    """The number of elements before a read."""
    return product(read.before.sizes if read.before is not None else ())


# Terms without zeros and ones


def plus(*parts: Term) -> Term:
    """The sum, without zeros."""
    left = tuple(p for p in parts if p != _ZERO)
    return Term("+", left) if len(left) > 1 else left[0] if left else _ZERO


def minus(a: Term, b: Term) -> Term:
    """The difference; a if b is 0."""
    return a if b == _ZERO else Term("-", (a, b))


def times(a: Term, b: Term) -> Term:
    """The product, simplified if a factor is 0 or 1."""
    if _ZERO in (a, b):
        return _ZERO
    return b if a == _ONE else a if b == _ONE else Term("*", (a, b))


def product(sizes: Sequence[Term]) -> Term:
    """The number of elements of a shape, as one flat product: Python nests at most 200 parentheses."""
    left = tuple(size for size in sizes if size != _ONE)
    return Term("*", left) if len(left) > 1 else left[0] if left else _ONE
