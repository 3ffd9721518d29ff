"""What the layout algebra does in its own way on layouts with names, on one path of a fork.

Values agree with those on numbers. A run forks as little as possible: it keeps sizes that may be 1, keeps ceilings, and
compares strides only if their order matters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from typing import Any

from symview.cute.algebra import operation
from symview.cute.comparer import Gap, Numbered, Tell
from symview.cute.complements import copies_in, fitting_gaps, gaps, misfit_of_names, moving
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, is_int, profile_text
from symview.cute.inverse import left_inverse as left_inverse_of_numbers
from symview.cute.inverse_search import digits_of, rounded_places
from symview.cute.layout import Layout, make_layout, need_layout
from symview.cute.modes import Modes, assembled, coalesced
from symview.cute.named.composing import compose
from symview.cute.named.entries import Names
from symview.cute.named.refining import joined, mode_of, nested, refined
from symview.cute.named.substitution import fixed_by, put
from symview.errors import Undecided


def left_inverse(ask: Symbols, layout: Layout) -> Layout:
    """The left inverse if the strides serve as place values; it then extracts one digit per stride.

    They serve if each stride exceeds all sums of the modes before it and the remainders never overflow, for example if
    each stride is a multiple of the reach before it. Otherwise raises Undecided: whether there is a left inverse then
    depends on the strides' residues modulo each other, and can be decided for numbers.
    """
    layout = assembled(joined(put(layout, fixed_by(ask.fork.known.facts)).flat()))
    if layout.numeric:
        return left_inverse_of_numbers(layout, ask.budget)  # type: ignore[no-any-return]
    moves = moving(ask, layout)
    if not all(stride >= 1 for _, (_, stride) in moves):
        raise NoAnswer(f"left_inverse of {layout}: a value is below 0")
    if not moves:
        return Layout(layout.size(), 0)
    order = list(gaps(layout, ask=ask))
    found = _by_place_values(ask, layout, order) if all(gap.fits for gap in order) else None
    if found is None:
        raise Undecided(
            f"the strides of {layout} do not serve as place values there; a left inverse may exist: substitute numbers"
        )
    return found


def _by_place_values(ask: Symbols, layout: Layout, order: Sequence[Gap]) -> Layout | None:
    """Extracts one digit per stride, if the remainders of the others do not overflow into it; else None."""
    places = rounded_places([gap.stride for gap in order])
    rests = [(gap.size - 1) * (gap.stride - place) for gap, place in zip(order, places, strict=True)]
    inside = [gap.size <= b // a for gap, a, b in zip(order, places, places[1:], strict=False)]
    if not ask.every([sum(rests) < places[0], *inside]):
        return None
    modes = [(g.number, (ask.entry(g.size), ask.entry(g.stride))) for g in order]
    return digits_of(modes, [*map(ask.entry, places)], flatten(layout.shape))


def symbolic_operation(name: str) -> Callable[..., Layout]:
    """The operation of that name, as a function of `Symbols` and the arguments."""
    return left_inverse if name == "left_inverse" else operation(name)


def divide(ask: Symbols, layout: Layout, tile: Layout) -> Layout:
    """A ∘ (B, complement(B, size(A))): the complement fills every gap, so both together enumerate an interval."""
    _need_upward(ask, tile, exact=True)
    inner = fitting_gaps(ask, tile, exact=True)
    inside = [part for gap in inner for part in ((None, gap.copies), (gap.number, gap.size))]
    all_parts = [*inside, (None, ask.rounded_up(layout.size(), copies_in(inner)[1]))]
    order = [(number, size) for number, n in all_parts if (size := ask.entry(n)) != 1]
    pieces = refined(ask, layout, [size for _, size in order], apart=_open_strides(tile) if layout.numeric else 0)
    parts = {number: found for (number, _), found in zip(order, pieces, strict=True) if number is not None}
    tiles = [mode_of(parts[k]) if k in parts else (n, 0) for k, (n, _) in enumerate(tile.flat())]
    rest = [mode_of(found) for (number, _), found in zip(order, pieces, strict=True) if number is None]
    return make_layout(nested(tile.shape, tiles), _gap_modes(rest))


def _gap_modes(modes: Modes) -> Layout:
    """One mode for each gap of the tile, split as the composition needs; 1:0 if there is none."""
    if len(modes) < 2:
        return nested(1, modes or [(1, 0)])
    return nested(tuple([1] * len(modes)), modes)


def multiply(ask: Symbols, layout: Layout, tile: Layout) -> Layout:
    """(A, C ∘ B), C the complement of A with its last mode as long as B needs. One copy needs no complement."""
    reach = tile.cosize()
    if not ask.whole(reach) >= 1:
        raise NoAnswer(f"logical_product: {tile} has the cosize {profile_text(reach)}; copies need one from 1 up")
    try:
        _need_upward(ask, layout, exact=False)
        found, end = copies_in(fitting_gaps(ask, layout))
    except NoAnswer:
        if moving(ask, tile):
            raise
        return make_layout(layout, nested(tile.shape, [(n, 0) for n, _ in tile.flat()]))
    places = coalesced(ask.entries([*found, (2, end)]))
    return make_layout(layout, compose(ask, assembled(places), tile, apart=_open_strides(layout)))


def _need_upward(ask: Symbols, layout: Layout, exact: bool) -> None:
    """Raises NoAnswer if a stride is below 0: one claim, instead of one for each mode."""
    strides = [d for n, d in ask.wholes(layout.flat()) if type(n) is int and n > 1]
    if not layout.numeric and not ask.every([d >= 0 for d in strides]):
        raise NoAnswer(f"complement of {layout}: {misfit_of_names(exact)}")


def _open_strides(layout: Layout) -> int:
    """The number of modes that may move and have symbolic strides."""
    return len([d for n, d in layout.flat() if n != 1 and not is_int(d)])


class Symbols(Names):
    """Compares entries and composes layouts on one path of a fork."""

    tell: Tell | None = None

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """Applies the operation of that name to two layouts."""
        own: dict[str, Callable[..., Layout]] = {"logical_divide": divide, "logical_product": multiply}
        return own.get(name, operation)(self, layout, tile)

    def admit(self, layout: Any, what: str) -> Layout:
        """Returns a layout unchanged; raises for anything else, and if a complement is known not to exist."""
        if what == "complement":
            _need_upward(self, need_layout(layout, what), exact=False)
        return need_layout(layout, what)

    def compose(self, outer: Layout, inner: Layout) -> Layout:
        """A ∘ B on this path."""
        return compose(self, outer, inner)

    def next_gap(self, modes: Numbered, reach: Any, span: Any, exact: bool) -> Gap:
        """Takes out a mode that has a place and ends before all others begin, and returns the gap before it.

        The others' order is not asked. If no mode does so, it is the gap before the first one, which does not fit.
        """
        gap: Gap
        ways = zip(*[self._places(mode, reach, span, exact) for mode in modes], strict=True)
        for gap, claims in chain.from_iterable(ways):
            later = [gap.end() < stride for number, (_, stride) in modes if number != gap.number]
            if self.every([*later, *claims]):
                modes[:] = [mode for mode in modes if mode[0] != gap.number]
                return gap
        number, (size, stride) = modes[0]
        return Gap(number, size, stride, reach, span, 1, False, False)

    def _places(self, mode: Any, reach: Any, span: Any, exact: bool) -> Iterator[tuple[Gap, list[Any]]]:
        """The gap before a mode, in each of the ways in which it may be the next, and the claims that it is."""
        number, (size, stride) = mode
        fills = self.divides(reach, stride)
        gap = Gap(number, size, stride, reach, span, stride // reach, True, exact or fills is True)
        yield gap, [stride >= 1, fills] if exact else [reach <= stride]
        dense = (reach - span == 1) is True  # or it would be a claim
        if not exact and not dense:
            yield gap._replace(copies=1, filled=False), [span < stride, stride < reach]
