"""Left inverses of layouts with symbols, where strides serve as place values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, permutations
from typing import Any

from symview.cute.comparer import quotient, rounded_down, times
from symview.cute.complements import Gap
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, is_int, product_of
from symview.cute.inverse import left_inverse as left_inverse_of_numbers
from symview.cute.layout import Layout
from symview.cute.modes import Modes, assembled, coalesced
from symview.cute.symbols.asking import Asking
from symview.cute.symbols.gaps import Numbered, gaps, moving, plain_sum
from symview.cute.symbols.refining import joined
from symview.cute.symbols.substitution import fixed_by, put
from symview.errors import Undecided

_MAX_PERMUTED_MODES = 3  # modes whose orders are all tried


def left_inverse(ask: Asking, layout: Layout) -> Layout:
    """The left inverse that numbers have, where the strides serve as place values: it reads one digit for each.

    They serve where each stride is above all sums of the modes before it and the remainders never carry, as where each
    is a multiple of what the modes before it reach; and for few modes that overlap, where each stride divides the next
    and no digit is too large. Where the last stride divides the others, the last mode alone has all values, since it
    goes on. Elsewhere Undecided: whether there is a left inverse changes with the residues of the strides modulo one
    another, and numbers decide it.
    """
    layout = assembled(joined(put(layout, fixed_by(ask.fork.known.facts)).flat()))
    if layout.numeric:
        return left_inverse_of_numbers(layout, ask.budget)  # type: ignore[no-any-return]
    if not ask.all_hold([(0, d) for n, d in layout.flat() if type(n) is int and n > 1]):
        raise NoAnswer(f"left_inverse of {layout}: a value is below 0")
    moves = moving(ask, layout)
    for _, (_, stride) in moves:
        if not ask.at_most(1, stride):
            raise NoAnswer(f"left_inverse of {layout}: a value is below 0")
    if not moves:
        return Layout(layout.size(), 0)
    order = list(gaps(ask, layout))
    found = _by_place_values(ask, layout, order) if all(gap.fits for gap in order) else _overlapping(ask, layout)
    found = found or _along_the_last(ask, layout)
    if found is None:
        raise Undecided(
            f"the strides of {layout} do not serve as place values there; a left inverse may exist: substitute numbers"
        )
    return found


def _along_the_last(ask: Asking, layout: Layout) -> Layout | None:
    """The last mode alone, which goes on beyond its size, where its stride divides all others."""
    *others, (_, last) = layout.flat()
    if not others or not ask.at_most(1, last) or not ask.all_hold((), [(last, d) for n, d in others if n != 1]):
        return None
    below = product_of(flatten(layout.shape)[:-1])
    return assembled(coalesced([(last, 0), (plain_sum(quotient(_largest(layout), last), 1), below)]))


def _largest(layout: Layout) -> Any:
    """The largest value of a layout of none below 0."""
    return plain_sum(*[times(n - 1, d) for n, d in layout.flat()])


def _by_place_values(ask: Asking, layout: Layout, order: Sequence[Gap]) -> Layout | None:
    """One digit for each stride, where the remainders of the others do not carry into it."""
    places = [order[0].stride]
    for gap in order[1:]:
        places.append(times(places[-1], rounded_down(gap.stride, places[-1])))
    rests = [times(gap.size - 1, gap.stride - place) for gap, place in zip(order, places, strict=True)]
    inside = [(gap.size, quotient(b, a)) for gap, a, b in zip(order, places, places[1:], strict=False)]
    if not ask.all_hold([(plain_sum(*rests) + 1, places[0]), *inside]):
        return None
    return _digits([(g.number, (g.size, g.stride)) for g in order], places, layout)


def _overlapping(ask: Asking, layout: Layout) -> Layout | None:
    """One digit for each stride where each stride divides the next, and modes overlap.

    A digit that reaches the size of its mode is no coordinate, unless the mode is the last one, which
    goes on. It does where modes below carry into it, and as many values are left before the next stride.
    """
    modes = moving(ask, layout)
    symbols = sum([not is_int(d) for _, (_, d) in modes])
    few = len(modes) <= _MAX_PERMUTED_MODES and (symbols < 2 or len(modes) < _MAX_PERMUTED_MODES)
    order = _divisors_first(ask, modes) if few else None
    if order is None:
        return None
    below: Any = 0
    for (number, (size, stride)), following in zip(order, (*order[1:], None), strict=True):
        if number != len(layout.flat()) - 1 and not ask.one_holds(
            [(below + 1, stride), *([(following[1][1], times(size, stride))] if following else ())]
        ):
            return None
        below = plain_sum(below, times(size - 1, stride))
    return _digits(order, [stride for _, (_, stride) in order], layout)


def _divisors_first(ask: Asking, modes: Sequence[Numbered]) -> tuple[Numbered, ...] | None:
    """The modes in the order in which each stride divides the next; of equal strides, the first comes first."""
    orders = permutations(modes)
    pairs = ((order, [(a[1][1], b[1][1]) for a, b in pairwise(order)]) for order in orders)
    return next((order for order, divides in pairs if ask.all_hold((), divides)), None)


def _digits(modes: Sequence[Numbered], places: Sequence[Any], layout: Layout) -> Layout:
    """The layout that reads one digit for each place, the last without bound."""
    found: Modes = [(places[0], 0)]
    steps = [product_of(flatten(layout.shape)[:number]) for number, _ in modes]
    for step, low, high in zip(steps, places, places[1:], strict=False):
        found.append((quotient(high, low), step))
    return assembled(coalesced([*found, (modes[-1][1][0], steps[-1])]))
