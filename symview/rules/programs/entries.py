"""The entries of programs: reads ints, names, other text or sympy, and normalises them as polynomials."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from operator import index as as_index
from typing import Any, NamedTuple, TypeAlias, TypeGuard

from symview.errors import InputError
from symview.logic.notation import parse_expression, term_text
from symview.logic.polynomial import (
    ONE,
    Poly,
    as_ordered_term,
    as_term,
    expanded,
    minus,
    plus,
    quotient,
    times,
)
from symview.logic.sympy_bridge import as_integer, domain, free_symbols, to_term
from symview.logic.terms import Term, as_entry, names, num, substituted, sym, value_of
from symview.rules.divisions import nested
from symview.rules.programs.notation import split_entries
from symview.view_notation import tuple_text

MORE = "..."  # the block of further dims, and the name for their number of elements
_SPELLED = "ǃǃǃ"  # that name while an expression is parsed


Entry: TypeAlias = Any  # an int, a name or other text, a sympy expression, a Term, or `...`
Entries: TypeAlias = Entry | Sequence[Entry]  # one by one, as one sequence, or as one text
NewShape: TypeAlias = tuple[tuple[Term, ...], Term | None, tuple[Term, ...]]  # sizes, the block's size, declarations


def read_entry(value: Entry, declared: list[Term]) -> Term:
    """The entry as a term; appends the declarations of its sympy symbols to `declared`."""
    if isinstance(value, Term):
        return value
    if isinstance(value, str):
        return substituted(parse_expression(value.replace(MORE, _SPELLED)), {_SPELLED: sym(MORE)})
    found = as_integer(value, "an entry")
    if type(found) is int:
        return num(found)
    declared += [f for s in free_symbols([found]).values() for f in domain(s)]
    return to_term(found)


def read_entries(given: Sequence[Entries]) -> list[Entry]:
    """Axes, or the entries of a shape, passed one by one, as one sequence or as one text."""
    found = list(given)
    if len(found) == 1 and isinstance(found[0], str):
        return list(split_entries(found[0]))
    if len(found) == 1 and isinstance(found[0], Iterable) and not isinstance(found[0], Term):
        return list(found[0])
    return found


def is_row(given: object) -> TypeGuard[Sequence[object]]:
    """Whether the argument is a sequence of entries."""
    return isinstance(given, (list, tuple)) and not isinstance(given, Term)


def is_rows(given: object) -> bool:
    """Whether the argument is the sequence of all rows, and not the row of the only dim."""
    return is_row(given) and (not given or any(map(is_row, given)))


def is_more(entry: object) -> bool:
    """Whether the entry is just `...`: the block unchanged."""
    return entry is Ellipsis or (isinstance(entry, str) and entry.strip() == MORE)


def is_each(entry: object) -> bool:
    """Whether the entry is about each dim of the block."""
    return entry is Ellipsis or (isinstance(entry, str) and entry.strip().startswith(MORE))


def is_factor(entry: object) -> bool:
    """Whether `...` is a number of elements in the entry, as in `...*n`."""
    return (
        isinstance(entry, str) and entry.strip().startswith(MORE) and entry.strip()[3:].lstrip()[:1] in ("*", "+", "/")
    )


def own_part(entry: str) -> str:
    """The part of an entry after `...`."""
    return entry.strip().removeprefix(MORE)


def together(a: Sequence[Term], b: Sequence[Term]) -> tuple[Term, ...]:
    """The facts of both, without duplicates."""
    return tuple(dict.fromkeys((*a, *b)))


def tidy(term: Term) -> Term:
    """Expands sums and products, also within divisions, with the monomials in a fixed order."""
    if term.op in ("int", "sym"):
        return term
    term = Term(term.op, tuple(map(tidy, term.args)))
    return as_ordered_term(expanded(term))


def count_of_steps(low: Term, high: Term, step: Term) -> Term:
    """The number of steps that fit: ceil((high − low) / step), with at most one quotient."""
    top, bottom = minus(expanded(high), expanded(low)), expanded(step)
    if bottom == {ONE: 1}:
        return as_term(top)
    if not bottom:
        return num(0)  # a step of 0 is undefined; other code rejects or excludes it
    whole = quotient(top, bottom)
    rest = plus(minus(top, times(whole, bottom)), minus(bottom, {ONE: 1}))
    return as_term(plus(whole, _quotient(rest, bottom)))


def _quotient(top: Poly, bottom: Poly) -> Poly:
    """The quotient top//bottom for bottom >= 1: (x//v + w)//b is (x + w*v)//(v*b) if v and b are at least 1."""
    if not top:
        return {}
    if all(m == ONE for m in (*top, *bottom)):
        found = top.get(ONE, 0) // bottom[ONE]
        return {ONE: found} if found else {}
    inner = list(nested(top))
    if len(inner) == 1 and bottom:
        ((top, divisor),) = inner
        bottom = times(divisor, bottom)
    return expanded(Term("//", (tidy(as_term(top)), tidy(as_term(bottom)))))


def check_bounds(low: Term, high: Term, size: Term, what: str) -> None:
    """Raises InputError if 0 <= low <= high <= size fails by a number, whatever the names are."""
    for a, b in combinations((num(0), low, high, size), 2):
        left = tidy(Term("-", (b, a)))
        if left.op == "int" and left.args[0] < 0:
            raise InputError(
                f"{what} is [{term_text(low)}:{term_text(high)}]: it needs 0 <= lo <= hi <= {term_text(size)}, "
                "the size of that dim"
            )


def check_expands(old: Term, new: Term, which: str) -> None:
    """Raises InputError unless the sizes are equal or the old one is 1."""
    if tidy(old) not in (tidy(new), num(1)):
        raise InputError(f"expand {which} from {term_text(old)} to {term_text(new)}: only a size of 1 expands")


def arguments_text(values: Iterable[object]) -> str:
    """Arguments as text, in parentheses."""
    return f"({', '.join(map(str, values))})"


# The arguments of the operations of programs: reads axes, rows of entries and shapes for the existing dims.


class Arguments(NamedTuple):
    """Reads the arguments of the operation `what`, applied to a tensor of these sizes.

    `block` is the size of each further dim `...`, `merged` that of the dims that an earlier step merged.
    """

    what: str
    sizes: tuple[Term, ...]
    block: Term | None
    merged: Term | None

    def block_size(self, merged: bool = False) -> Term:
        """The size of each dim of the block; with `merged`, of the block that was merged."""
        found = self.merged if merged else self.block
        if found is None:
            raise InputError("an entry for `...`, and the shape has no further dims `...`")
        return found

    def axes(self, axes: Iterable[object]) -> tuple[int, ...]:
        """The axes as numbers from 0; with `...` in the shape, as numbers from -1 down, the last dim first."""
        return tuple(map(self._axis, axes))

    def _axis(self, axis: object) -> int:
        try:
            found = int(axis) if isinstance(axis, str) else as_index(as_entry(axis))
        except (TypeError, ValueError):
            raise InputError(f"{self.what}: axis {axis!r} is not a number") from None
        low, high = (-len(self.sizes), -1) if self.block is not None else (-len(self.sizes), len(self.sizes) - 1)
        if isinstance(axis, bool) or not low <= found <= high:
            allowed = f"axes {low if self.block is not None else 0}..{high}" if self.sizes else "no axes"
            right = " (they are counted from the right, since `...` stands for any number of dims)"
            counted = right if self.block is not None else ""
            raise InputError(f"{self.what}: axis {axis!r}: the program has {allowed}{counted}")
        return found if self.block is not None else found % len(self.sizes)

    def rows(self, given: Sequence[Entries], width: int) -> tuple[tuple[Any, ...], Any, tuple[Term, ...]]:
        """One tuple of entries for each dim, and one for each dim of the block, if that is changed."""
        rows = list(given[0]) if len(given) == 1 and is_rows(given[0]) else list(given)
        if rows and not is_rows(rows):
            rows = [rows]
        rows = [tuple(r) if is_row(r) else (r,) for r in rows]
        first = rows[0] if rows else ()
        each: Any = None
        declared: list[Term] = []
        if first and all(map(is_each, first)):
            self.block_size()
            rows = rows[1:]
            if len(first) == width and not any(map(is_more, first[:2])):
                each = tuple(read_entry(own_part(e), declared) for e in first)
            elif len(first) not in (1, width) or not all(map(is_more, first[:2])):
                way = "write `...` alone, or an entry such as ...a for each place"
                raise InputError(f"{self.what}: {arguments_text(first)}: {way}")
        if len(rows) != len(self.sizes) or any(len(r) != width for r in rows):
            kind = "pair" if width == 2 else "start, stop and step"
            raise InputError(
                f"{self.what}{arguments_text(given)}: give one {kind} for each of the {len(self.sizes)} dims"
            )
        return tuple(tuple(read_entry(e, declared) for e in r) for r in rows), each, tuple(declared)

    def shape(self, shape: Sequence[Entries], kept: bool = False) -> NewShape:
        """The new sizes, and the new size of each dim of the block."""
        entries, declared = read_entries(shape), list[Term]()
        block = None
        if entries and is_each(entries[0]) and not is_factor(entries[0]):
            own = self.block_size(merged=kept)
            block = own if is_more(entries[0]) else read_entry(own_part(entries[0]), declared)
            if kept and tidy(block) != tidy(own):
                raise InputError(f"{self.what}: the dims `...` must be unchanged, or restored")
            entries = entries[1:]
        elif self.block is not None and not kept:
            raise InputError(f"{self.what}: start the shape with `...`, like that of the program")
        sizes = tuple(read_entry(e, declared) for e in entries)
        self.check_sizes(sizes, -1)
        return sizes, block, tuple(declared)

    def check_sizes(self, sizes: tuple[Term, ...], least: int = 0) -> None:
        """Raises InputError for a number that is not a size; -1 may stand for a size that is known otherwise."""
        if (negative := next((s for s in sizes if s.op == "int" and s.args[0] < least), None)) is not None:
            raise InputError(f"{self.what} to {tuple_text(sizes)}: {term_text(negative)} is not a size")

    def reshaped(self, shape: Sequence[Entries]) -> NewShape:
        """The new sizes of a reshape, with -1 replaced, and the new size of each dim of the block."""
        sizes, each, declared = self.shape(shape, kept=True)
        sizes = self._completed(sizes, each)
        whole = self._whole(self.sizes, each is None), self._whole(sizes, False)
        if MORE in names(*sizes) and (each is not None or self.block is None):
            raise InputError(f"reshape to {tuple_text(sizes)}: `...` in a size stands for dims that are merged here")
        if not names(*whole) and value_of(whole[0], {}) != value_of(whole[1], {}):
            raise InputError(f"reshape {tuple_text(self.sizes)} to {tuple_text(sizes)}: the numbers of elements differ")
        return sizes, each, declared

    def _whole(self, sizes: Sequence[Term], with_block: bool) -> Term:
        """The number of elements."""
        more = (sym(MORE),) if with_block and self.block is not None else ()
        return Term("*", (num(1), *more, *sizes))

    def _completed(self, sizes: tuple[Term, ...], each: Term | None) -> tuple[Term, ...]:
        """The sizes with a number of elements in place of -1."""
        open_ = [n for n, s in enumerate(sizes) if s == num(-1)]
        if not open_:
            return sizes
        if len(open_) > 1:
            raise InputError(f"reshape to {tuple_text(sizes)}: one size may be -1")
        rest = expanded(self._whole([s for s in sizes if s != num(-1)], False))
        whole = expanded(self._whole(self.sizes, each is None))
        found = quotient(whole, rest) if rest else {}
        if not rest or minus(whole, times(found, rest)):
            raise InputError(
                f"reshape {tuple_text(self.sizes)} to {tuple_text(sizes)}: the size for -1 is not whole; write it"
            )
        return tuple(as_term(found) if n in open_ else s for n, s in enumerate(sizes))
