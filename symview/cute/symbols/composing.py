"""Compositions of layouts with symbols.

Where sizes and B are numbers, the widest equations on A's strides give the answers; where B runs
through an interval, A's shape and B's have to have a common refinement; other compositions split
along A's modes, where they do so without a carry.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from symview.cute.comparer import quotient, times
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import leaves, like, profile_text
from symview.cute.layout import Layout, made
from symview.cute.modes import Modes, assembled
from symview.cute.symbols.asking import Asking
from symview.cute.symbols.by_residue import by_residue, has_few_residues, sized_by_residue
from symview.cute.symbols.by_size import by_size, one_size
from symview.cute.symbols.forms import Poly, term_of
from symview.cute.symbols.places import split_tile
from symview.cute.symbols.question import put
from symview.cute.symbols.refinements import widest_answers
from symview.cute.symbols.refining import interval_order, joined, over_interval, with_pieces
from symview.cute.walk import walked
from symview.errors import Undecided
from symview.logic.sympy_bridge import to_sympy, to_term
from symview.logic.terms import names

_MOST_VALUES = 65
_UNSETTLED = "B does not split along A's modes here; whether carries cancel was not settled"


def compose(ask: Asking, outer: Layout, inner: Layout, apart: int = 0) -> Layout:
    """A ∘ B on one path of a fork; raises NoAnswer where there is none, Undecided where that is open.

    `apart`: how many strides are open, where A's are above all that its modes before reach; see `places`.
    """
    outer = outer if outer.flat() else Layout(1, 0)
    order = interval_order(inner)
    of_numbers = inner.numeric and all(type(n) is int for n in leaves(outer.shape))
    if order is not None and not of_numbers:
        return over_interval(ask, outer, inner, order, apart)
    if apart > 1 and not outer.numeric and inner.numeric and all(d >= 0 for n, d in inner.flat() if n != 1):
        moving = [k for k, (n, d) in enumerate(inner.flat()) if n != 1 and d != 0]
        return with_pieces(inner, moving, split_tile(ask, outer, [inner.flat()[k] for k in moving]))
    number = one_size(outer, inner)
    if number is not None and all(type(d) is int for d in leaves(inner.stride)):
        return by_size(ask, outer, inner, number)
    if not inner.numeric and has_few_residues(outer, inner):
        if number is not None:
            return sized_by_residue(ask, outer, inner, number)
        if all(type(n) is int for n in leaves(inner.shape)):
            return by_residue(ask, outer, inner)
    reached = _reached(ask, outer, inner) if inner.numeric else None
    if reached is None:
        return _split_or_forced(ask, outer, inner)
    answers = widest_answers(reached, inner, ask.budget)
    if not answers:
        if reached.numeric:
            return walked(reached, inner, ask.budget)
        raise NoAnswer(f"{reached} ∘ {inner} is no layout, whatever the strides")
    chosen = ask.fork.one_of(answers)
    ask.required += chosen.forms
    return chosen.layout


def _reached(ask: Asking, outer: Layout, inner: Layout) -> Layout | None:
    """A with numbers for the sizes that B passes; None where these may have too many values to take each."""
    top = sum((n - 1) * max(r, 0) for n, r in inner.flat())
    modes, known, place = outer.flat(), dict[str, int](), 1
    for number, (n, d) in enumerate(modes[:-1]):
        size = put(n, known)
        if type(size) is not int:
            room = top // place + 1
            if room == 1 or ask.at_most(room, size):  # then this mode might as well be the last one
                modes = [*modes[:number], (room, d)]
                break
            if room > _MOST_VALUES:
                return None
            value = ask.fork.value(to_term(size), range(1, room))
            if size.is_Symbol:
                known[size.name] = value
            size = value
        modes[number] = size, d
        place *= size
    size, stride = modes[-1]
    found: Layout = put(assembled([*modes[:-1], (size if type(size) is int else 1, stride)]), known)
    return found


# B's modes split along A's, as in Definition 2.13, and no carry crosses modes


def _split_or_forced(ask: Asking, outer: Layout, inner: Layout) -> Layout:
    """A ∘ B by B's modes along A's; where these do not split, with what each mode by itself asks of the symbols.

    For the other coordinates at 0 leave a layout whose modes refine that mode, wherever A ∘ B is one.
    """
    try:
        return _split_along(ask, outer, inner)
    except Undecided:
        modes = [made(n, d, type(n) is int and type(d) is int) for n, d in inner.flat()]
        before = len(ask.required)
        for mode in modes if len(modes) > 1 else ():
            if mode.numeric or interval_order(mode) is not None:
                with suppress(Undecided):
                    compose(ask, outer, mode)
        forced = next(filter(None, map(_solved, ask.required[before:])), None)
        if forced is None:
            raise
        return compose(ask, put(outer, forced), put(inner, forced))  # one name fewer, so that this ends


def _solved(form: Poly) -> dict[str, Any]:
    """A name that form = 0 gives, as it is 1 or -1 times there and nowhere else, and its value; {} for none."""
    for m, c in form.items():
        rest = {k: -c * x for k, x in form.items() if k != m}
        if len(m) == 1 and abs(c) == 1 and m[0] not in names(value := term_of(rest)):
            return {m[0]: to_sympy(value)}
    return {}


def _split_along(ask: Asking, outer: Layout, inner: Layout) -> Layout:
    modes = joined(outer.flat())
    pieces: list[tuple[int, Any, Any]] = []  # of each: the mode of A in which it lies, its size and its step
    parts = [_split(ask, modes, n, r, pieces) for n, r in inner.flat()]
    place: Any = 1
    for number, (size, _) in enumerate(modes[:-1]):
        place = times(place, size)
        below = sum([times(n - 1, r) for at, n, r in pieces if at <= number])
        if not ask.at_most(below + 1, place):
            raise Undecided(_UNSETTLED)
    shape, stride = (like(inner.shape, iter([part[k] for part in parts])) for k in (0, 1))
    return made(shape, stride, all(type(x) is int for x in (*leaves(shape), *leaves(stride))))


def _split(ask: Asking, modes: Modes, size: Any, step: Any, pieces: list[tuple[int, Any, Any]]) -> tuple[Any, Any]:
    """One mode of B, size and stride."""
    if ask.equal(size, 1):
        return 1, 0
    if ask.equal(step, 0):
        return size, 0
    if not ask.at_most(0, step):
        raise NoAnswer(f"B's stride {profile_text(step)} leads below 0")
    found: Modes = []
    rest, place = step, 1
    for number, (n, d) in enumerate(modes[:-1]):
        if ask.at_most(times(size - 1, rest) + 1, n):
            modes = modes[: number + 1]
            break
        if ask.divides(n, rest):
            rest = quotient(rest, n)
        elif ask.divides(rest, n):
            room = quotient(n, rest)
            if not ask.divides(room, size):
                raise Undecided(_UNSETTLED)
            found.append((room, times(rest, d)))
            pieces.append((number, room, times(place, rest)))
            size, rest = quotient(size, room), 1
        else:
            raise Undecided(_UNSETTLED)
        place = times(place, n)
    found.append((size, times(rest, modes[-1][1])))
    pieces.append((len(modes) - 1, size, times(place, rest)))
    if len(found) == 1:
        return found[0]
    return tuple([n for n, _ in found]), tuple([d for _, d in found])
