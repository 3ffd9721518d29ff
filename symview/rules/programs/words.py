"""PyTorch's words for movements, as the operations that they mean, with PyTorch's arguments: dims from either end, -1.

They raise InputError where PyTorch raises, and where the values of names would decide what a word means.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from symview.errors import InputError
from symview.logic.integer import of_term, term_of
from symview.logic.notation import term_text
from symview.logic.polynomial import as_term, expanded, minus, quotient, times
from symview.logic.terms import Term, num, sym
from symview.rules.programs.entries import (
    MORE,
    Arguments,
    Entries,
    Entry,
    is_row,
    read_entries,
    read_entry,
    tidy,
    together,
)
from symview.rules.programs.notation import split_tuple
from symview.view import ends_of
from symview.view_notation import read_slices, tuple_text

if TYPE_CHECKING:
    from symview.rules.programs.program import Program

_ZERO, _UNIT = num(0), num(1)


def flatten(program: Program, start_dim: Entry = 0, end_dim: Entry = -1) -> Program:
    """Merges the dims from one to another: those of a shape with `...` all, or the last ones."""
    if program.block is not None and (str(start_dim), str(end_dim)) == ("0", "-1"):
        return program.reshape([_count([sym(MORE), *program.sizes])])
    first, last = _places(program, [start_dim, end_dim], "flatten")
    if first > last:
        raise InputError(f"flatten({start_dim}, {end_dim}): the first dim comes after the last one")
    sizes = program.sizes
    return _shaped(program, [*sizes[:first], _count(sizes[first : last + 1]), *sizes[last + 1 :]])


def unflatten(program: Program, dim: Entry, sizes: Entries) -> Program:
    """Splits a dim into dims of these sizes, one of which may be -1."""
    at, entries = _place(program, dim, "unflatten"), read_entries([sizes])
    if not entries:
        raise InputError("unflatten to (): give one size or more")
    new, _, declared = Arguments("unflatten", (program.sizes[at],), None, None).reshaped([entries])
    return _declaring(_shaped(program, [*program.sizes[:at], *new, *program.sizes[at + 1 :]]), declared)


def transpose(program: Program, dim0: Entry, dim1: Entry) -> Program:
    """Swaps two dims."""
    a, b = _places(program, [dim0, dim1], "transpose")
    order = list(range(program.rank))
    if order:
        order[a], order[b] = b, a
    return _permuted(program, order)


def t(program: Program) -> Program:
    """Swaps the dims of a matrix; a tensor of fewer dims stays."""
    if program.rank > 2 or program.block is not None:
        raise InputError(f"t(): the program has the shape {_shape_text(program)}: give dims, as transpose(-2,-1)")
    return _permuted(program, range(program.rank)[::-1])


def squeeze(program: Program, dim: Entries = None) -> Program:
    """Removes dims of size 1: all, or those of the given ones that have it."""
    if dim is None and program.block is not None:
        raise InputError("squeeze(): whether the dims `...` have size 1 is not known: give dims")
    given = _places(program, range(program.rank) if dim is None else _listed(dim), "squeeze")
    _check_once(given, "squeeze")
    for at in given if program.rank else ():
        if (size := tidy(program.sizes[at])).op != "int":
            raise InputError(
                f"squeeze: whether {term_text(size)}, the size of dim {at}, is 1 is not known: "
                "give other dims, or write the new shape by reshape"
            )
    kept = [n for at, n in enumerate(program.sizes) if at not in given or tidy(n) != _UNIT]
    return _shaped(program, kept) if len(kept) < program.rank else program


def unsqueeze(program: Program, dim: Entry) -> Program:
    """Inserts a dim of size 1 at a place of the result."""
    sizes = list(program.sizes)
    (at,) = Arguments("unsqueeze", (*sizes, _UNIT), program.block, None).axes([dim])
    sizes.insert(at % (program.rank + 1), _UNIT)
    return _shaped(program, sizes)


def movedim(program: Program, source: Entries, destination: Entries) -> Program:
    """Moves dims to other places; the others keep their order."""
    old, new = (_places(program, _listed(x), "movedim") for x in (source, destination))
    if len(old) != len(new):
        raise InputError(f"movedim of {len(old)} dims to {len(new)} places: give each its own")
    for places in (old, new):
        _check_once(places, "movedim")
    moved, others = dict(zip(new, old, strict=True)), iter([a for a in range(program.rank) if a not in old])
    return _permuted(program, [moved[a] if a in moved else next(others) for a in range(program.rank)])


def widened(program: Program, sizes: Sequence[Term]) -> tuple[Program, tuple[Term, ...]]:
    """What to expand to what: the program with dims of size 1 in front, and the old size for each -1."""
    more = len(sizes) - program.rank if program.block is None else 0
    if more > 0:
        program = _shaped(program, [*[_UNIT] * more, *program.sizes])
    if len(sizes) != program.rank:
        return program, tuple(sizes)
    rows = enumerate(zip(sizes, program.sizes, strict=True))
    return program, tuple([old if new == num(-1) and a >= more else new for a, (new, old) in rows])


def sliced(program: Program, text: str) -> Program:
    """The slices and indices of a text such as `[:, 1:, 0]`, as Python writes them; a negative step is a flip first."""
    if program.block is not None:
        raise InputError(f"{text} of a program with further dims `...`: write narrow(-1, start, length)")
    slices = read_slices(text, program.rank)
    if len(slices) > program.rank:
        raise InputError(f"{len(slices)} slices of a tensor of {program.rank} dims")
    rows, flips, indexed, declared = list[tuple[Any, Any, Any]](), list[int](), list[int](), list[Term]()
    for axis, size in enumerate(map(of_term, program.sizes)):
        one = slices[axis] if axis < len(slices) else (None, None, None)
        start, stop, step = ends_of(size, one)
        if stop is None:
            indexed.append(axis)
            stop = start + 1
        elif (start, stop) == (0, 0):  # numbers that leave nothing, whatever the step
            start, stop, step = 0, 0, 1
        elif isinstance(step, int) and step < 0:
            flips.append(axis)
            declared += [Term(">=", (term_of(n), _ZERO)) for n in one[:2] if not (n is None or isinstance(n, int))]
            start, stop, step = size - 1 - start, size - 1 - stop, -step
        rows.append((start, stop, step))
    found = _declaring(program.flip(flips) if flips else program, declared)
    starts, stops, steps = ([row[k] for row in rows] for k in range(3))
    if not indexed and all(row == (0, size, 1) for row, size in zip(rows, map(of_term, program.sizes), strict=True)):
        return found
    if set(steps) <= {1}:
        found = found.shrink(list(zip(starts, stops, strict=True)))
    else:
        found = found.slice(starts, stops, steps)
    kept = [size for axis, size in enumerate(found.sizes) if axis not in indexed]
    return _shaped(found, kept) if indexed else found


def narrow(program: Program, dim: Entry, start: Entry, length: Entry) -> Program:
    """Keeps `length` indices of a dim from `start` on; a negative number is a start from the end."""
    at, declared = _place(program, dim, "narrow"), list[Term]()
    low, count = read_entry(start, declared), read_entry(length, declared)
    if count.op == "int" and count.args[0] < 0:
        raise InputError(f"narrow to the length {count.args[0]}: give a length from 0 up")
    if low.op == "int" and low.args[0] < 0:
        low = tidy(Term("+", (program.sizes[at], low)))
    return _declaring(_cut(program, at, low, tidy(Term("+", (low, count)))), declared)


@dataclass(frozen=True, eq=False)
class Parts(Sequence["Program"]):
    """The parts of a split, as programs: of one size, the last one perhaps smaller, or between the given ends."""

    program: Program
    dim: int
    number: int
    size: Term | None
    ends: tuple[Term, ...] = ()

    def __len__(self) -> int:
        return self.number

    def __getitem__(self, index: Any) -> Any:
        """The part of a number, from either end; a tuple for a slice."""
        if isinstance(index, slice):
            return tuple([self[k] for k in range(self.number)[index]])
        k = range(self.number)[index]
        if self.size is None:
            return _cut(self.program, self.dim, *self.ends[k : k + 2])
        low, high = (tidy(Term("*", (num(n), self.size))) for n in (k, k + 1))
        whole = self.program.sizes[self.dim]
        ends_early = high.op == whole.op == "int" and high.args > whole.args  # the last part may be smaller
        return _cut(self.program, self.dim, low, whole if ends_early else high)


def split(program: Program, split_size: Entries, dim: Entry = 0) -> Parts:
    """The parts of a dim: of one size, the last one perhaps smaller, or of the sizes of a list, whose sum is that dim.

    >>> from symview import tensor
    >>> [part.shape for part in tensor("x", "(5,n)").split(2)]
    [(2, n), (2, n), (1, n)]
    >>> tensor("x", "(B,3*D)").split("D", -1)[2]
    Program.parse('x(B,3*D).shrink((0,B),(2*D,3*D))')
    """
    at, declared = _place(program, dim, "split"), list[Term]()
    size, given = tidy(program.sizes[at]), split_tuple(split_size) if isinstance(split_size, str) else split_size
    if is_row(given):
        sizes = [read_entry(n, declared) for n in given]
        ends = tuple(map(tidy, accumulate(sizes, lambda a, b: Term("+", (a, b)), initial=_ZERO)))
        if ends[-1] != size or any(n.op == "int" and n.args[0] < 0 for n in sizes):
            raise InputError(
                f"split into {tuple_text(sizes)}: give sizes from 0 up, whose sum is {term_text(size)}, the size of "
                "that dim"
            )
        return Parts(_declaring(program, declared), at, len(sizes), None, ends)
    step = tidy(read_entry(given, declared))
    if step.op == "int" and (step.args[0] < 0 or (step == _ZERO != size)):
        raise InputError(f"split into parts of {step.args[0]}: give a size from 1 up")
    return _even(_declaring(program, declared), at, step)


def chunk(program: Program, chunks: Entry, dim: Entry = 0) -> Parts:
    """That many parts of a dim, or fewer: as split by size/chunks, rounded up.

    >>> from symview import tensor
    >>> [part.shape for part in tensor("x", "(5,2*n)").chunk(4)], tensor("x", "(2*n)").chunk(2)[1].shape
    ([(2, 2*n), (2, 2*n), (1, 2*n)], (n,))
    """
    at, count = _place(program, dim, "chunk"), read_entry(chunks, [])
    size = tidy(program.sizes[at])
    if count.op != "int" or count.args[0] < 1:
        raise InputError(f"chunk into {term_text(count)} parts: give a number from 1 up")
    (parts,) = count.args
    if size == _ZERO:
        return Parts(program, at, parts, _ZERO)
    step = num(-(-size.args[0] // parts)) if size.op == "int" else _quotient(size, count)
    if step is None:
        raise InputError(_undecided(f"chunk of {term_text(size)} into {parts} parts"))
    return _even(program, at, step)


def _even(program: Program, at: int, step: Term) -> Parts:
    """The parts of one size; only if both are numbers, the last one may be smaller."""
    size = tidy(program.sizes[at])
    if size.op == step.op == "int":
        return Parts(program, at, max(1, -(-size.args[0] // max(step.args[0], 1))), step)
    count = _quotient(size, step)
    if count is None or count.op != "int" or count.args[0] < 1:
        raise InputError(_undecided(f"split of {term_text(size)} into parts of {term_text(step)}"))
    return Parts(program, at, count.args[0], step)


def _undecided(what: str) -> str:
    """The error of parts whose ends depend on the values of names."""
    return f"{what}: the values of the names decide where they end: write narrow(dim, start, length)"


def _quotient(size: Term, by: Term) -> Term | None:
    """The size divided by another; None unless it is whole for all values."""
    whole, part = expanded(size), expanded(by)
    found = quotient(whole, part) if part else {}
    return tidy(as_term(found)) if part and not minus(whole, times(found, part)) else None


# Dims and shapes


def _place(program: Program, dim: Entry, what: str) -> int:
    """The place of one dim; InputError if the program has none."""
    if not program.sizes:
        raise InputError(f"{what}: the program has no dims to choose from")
    return _places(program, [dim], what)[0]


def _places(program: Program, dims: Iterable[Entry], what: str) -> list[int]:
    """The places of dims among the sizes; without dims, 0 and -1 are allowed, as in PyTorch."""
    sizes = program.sizes or (() if program.block is not None else (_UNIT,))
    return [a % len(sizes) for a in Arguments(what, sizes, program.block, None).axes(dims)]


def _listed(dims: Entries) -> list[Entry]:
    given = split_tuple(dims) if isinstance(dims, str) else dims
    return list(given) if is_row(given) else [given]


def _check_once(places: Sequence[int], what: str) -> None:
    if len(set(places)) < len(places):
        raise InputError(f"{what}: a dim is given twice")


def _shape_text(program: Program) -> str:
    return f"({','.join([*([MORE] if program.block is not None else []), *map(term_text, program.sizes)])})"


def _count(sizes: Sequence[Term]) -> Term:
    """The number of elements."""
    return tidy(Term("*", (_UNIT, *sizes)))


def _shaped(program: Program, sizes: Sequence[Term]) -> Program:
    """The program in another shape, with the dims `...` in front if it has them."""
    return program.reshape([*([MORE] if program.block is not None else []), *sizes])


def _permuted(program: Program, order: Sequence[int]) -> Program:
    """The program with its own dims in another order; dims `...` stay in front."""
    return program.permute([a - program.rank for a in order])


def _cut(program: Program, at: int, low: Term, high: Term) -> Program:
    """The indices of one dim from low to high."""
    rows: list[tuple[Any, ...]] = [(_ZERO, n) for n in program.sizes]
    rows[at] = (low, high)
    return program.shrink([*([(MORE,)] if program.block is not None else []), *rows])


def _declaring(program: Program, declared: Sequence[Term]) -> Program:
    """The program with further declarations of symbols."""
    return replace(program, declared=together(program.declared, declared))
