"""The arguments of the operations of programs: axes, rows of entries and shapes, read beside the dims there are."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index as as_index
from typing import Any, NamedTuple

from symview.errors import InputError
from symview.logic.notation import term_text
from symview.logic.polynomial import as_term, minus, poly_of, quotient, times
from symview.logic.terms import Term, as_entry, names, num, sym, value_of
from symview.rules.programs.entries import (
    MORE,
    is_each,
    is_factor,
    is_more,
    is_row,
    is_rows,
    own_part,
    read_entries,
    read_entry,
    shape_text,
    shown,
    tidy_text,
)


class Arguments(NamedTuple):
    """What reads the arguments of an operation, which errors call `what`, on a tensor of these sizes.

    `block` is the size of each further dim `...`, `merged` that of those which an earlier step merged.
    """

    what: str
    sizes: tuple[Term, ...]
    block: Term | None
    merged: Term | None

    def block_size(self, merged: bool = False) -> Term:
        """The size of each dim of the block; of the block that was merged, where asked for."""
        found = self.merged if merged else self.block
        if found is None:
            raise InputError("an entry for `...`, and the shape has no further dims `...`")
        return found

    def axes(self, axes: Sequence[Any]) -> tuple[int, ...]:
        """The axes from 0; with `...` in the shape from -1 down, the last dim first."""
        return tuple(map(self._axis, axes))

    def _axis(self, axis: Any) -> int:
        try:
            found = int(axis) if isinstance(axis, str) else as_index(as_entry(axis))
        except (TypeError, ValueError):
            raise InputError(f"{self.what}: axis {axis!r} is no number") from None
        low, high = (-len(self.sizes), -1) if self.block is not None else (-len(self.sizes), len(self.sizes) - 1)
        if isinstance(axis, bool) or not low <= found <= high:
            allowed = f"axes {low if self.block is not None else 0}..{high}" if self.sizes else "no axes"
            right = " (they are counted from the right, since `...` stands for any number of dims)"
            counted = right if self.block is not None else ""
            raise InputError(f"{self.what}: axis {axis!r}: the program has {allowed}{counted}")
        return found if self.block is not None else found % len(self.sizes)

    def rows(self, given: Any, width: int) -> tuple[tuple[Any, ...], Any, tuple[Term, ...]]:
        """One tuple of entries a dim, and one for each dim of the block, where something is done to it."""
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
                raise InputError(f"{self.what}: {shown(first)}: {way}")
        if len(rows) != len(self.sizes) or any(len(r) != width for r in rows):
            kind = "pair" if width == 2 else "start, stop and step"
            raise InputError(f"{self.what}{shown(given)}: give one {kind} for each of the {len(self.sizes)} dims")
        return tuple(tuple(read_entry(e, declared) for e in r) for r in rows), each, tuple(declared)

    def shape(self, shape: Sequence[Any], kept: bool = False) -> tuple[tuple[Term, ...], Term | None, tuple[Term, ...]]:
        """The new sizes, and what the dims of the block become."""
        entries, declared = read_entries(shape), list[Term]()
        block = None
        if entries and is_each(entries[0]) and not is_factor(entries[0]):
            own = self.block_size(merged=kept)
            block = own if is_more(entries[0]) else read_entry(own_part(entries[0]), declared)
            if kept and tidy_text(block) != tidy_text(own):
                raise InputError(f"{self.what}: the dims `...` stay as they are, or come back as they were")
            entries = entries[1:]
        elif self.block is not None and not kept:
            raise InputError(f"{self.what}: begin the shape with `...`, as that of the program does")
        sizes = tuple(read_entry(e, declared) for e in entries)
        if (negative := next((s for s in sizes if s.op == "int" and s.args[0] < -1 * kept), None)) is not None:
            raise InputError(f"{self.what} to {shape_text(sizes)}: {term_text(negative)} is no size")
        return sizes, block, tuple(declared)

    def reshaped(self, shape: Sequence[Any]) -> tuple[tuple[Term, ...], Term | None, tuple[Term, ...]]:
        """The new sizes of a reshape, -1 worked out, and what the dims of the block become."""
        sizes, each, declared = self.shape(shape, kept=True)
        sizes = self._completed(sizes, each)
        whole = self._whole(self.sizes, each is None), self._whole(sizes, False)
        if MORE in names(*sizes) and (each is not None or self.block is None):
            raise InputError(f"reshape to {shape_text(sizes)}: `...` in a size stands for dims that are merged here")
        if not names(*whole) and value_of(whole[0], {}) != value_of(whole[1], {}):
            raise InputError(f"reshape {shape_text(self.sizes)} to {shape_text(sizes)}: the numbers of elements differ")
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
            raise InputError(f"reshape to {shape_text(sizes)}: one size may be -1")
        opaque: dict[str, Term] = {}
        rest = poly_of(self._whole([s for s in sizes if s != num(-1)], False), opaque)
        whole = poly_of(self._whole(self.sizes, each is None), opaque)
        found = quotient(whole, rest) if rest else {}
        if not rest or minus(whole, times(found, rest)):
            raise InputError(
                f"reshape {shape_text(self.sizes)} to {shape_text(sizes)}: what -1 is does not come out whole; write it"
            )
        return tuple(as_term(found, opaque) if n in open_ else s for n, s in enumerate(sizes))
