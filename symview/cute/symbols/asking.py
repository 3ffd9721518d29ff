"""The algorithms of the layout algebra on symbols, which ask where a comparison is open."""

from __future__ import annotations

from functools import cmp_to_key, partial
from typing import Any

from symview.cute.compose import try_composition
from symview.cute.divide import by_mode
from symview.cute.errors import NoAnswer, NoComposition
from symview.cute.int_tuple import leaves, like, product, profile_text
from symview.cute.layout import Layout, made, make_layout
from symview.cute.modes import assembled, equal
from symview.cute.symbols.paths import Asked, plain, quotient, times
from symview.cute.symbols.question import put
from symview.cute.symbols.refinements import widest_answers
from symview.errors import Undecided

Modes = list[tuple[Any, Any]]
_MOST_VALUES = 17
_UNSETTLED = "B does not split along A's modes here; whether carries cancel was not settled"


def coalesce(layout: Layout, ask: Asked) -> Layout:
    """The coalesced layout."""
    return _flat(_coalesced(layout.flat(), ask))


def complement(layout: Layout, bound: Any, ask: Asked) -> Layout:
    """The complement; raises NoAnswer where there is none."""
    found, filled = _copies(layout, bound, 1, ask)
    if not filled and not ask.at_most(_down(bound, layout.size()), product(tuple([n for n, _ in found]))):
        raise NoAnswer(f"too few copies of {layout} fit into its gaps")
    return _flat(_coalesced(found, ask))


def right_inverse(layout: Layout, ask: Asked) -> Layout:
    """The right inverse."""
    modes = layout.flat()
    found: Modes = []
    reached: Any = 1
    for number, n, d in _sorted(layout, ask):
        if ask.equal(d, reached):
            found.append((n, product(tuple([m for m, _ in modes[:number]]))))
            reached = times(reached, n)
    return _flat(_coalesced(found, ask))


def left_inverse(layout: Layout, ask: Asked) -> Layout:
    """The left inverse, where the layout has a complement; Undecided where it has none."""
    for n, d in layout.flat():
        if not ask.equal(n, 1) and ask.equal(d, 0):
            raise NoAnswer(f"the mode {profile_text(n)}:{profile_text(d)} repeats values, so there is no left inverse")
    try:
        found, _ = _copies(layout, 1, 1, ask, filling=True)
    except NoAnswer as error:
        raise Undecided(f"no complement ({error}); a left inverse may exist all the same") from None
    return right_inverse(make_layout(layout, _flat(_coalesced(found, ask))), ask)


def composition(outer: Layout, inner: Any, ask: Asked) -> Layout:
    """The composition, mode by mode where B is a tuple."""
    if inner is None:
        return outer
    if isinstance(inner, tuple):
        return by_mode(partial(composition, ask=ask), outer, inner, "composition")
    outer = outer if outer.flat() else Layout(1, 0)
    reached = _reached(outer, inner, ask) if inner.numeric else None
    if reached is None:
        return _split_along(outer, inner, ask)
    answers = widest_answers(reached, inner, ask.budget)
    if not answers and reached.numeric:
        raise NoComposition(try_composition(reached, inner, ask.budget))
    if not answers:
        raise NoAnswer(f"{reached} ∘ {inner} is no layout, whatever the strides")
    return ask.one_of(answers).layout


def logical_divide(layout: Layout, tile: Any, ask: Asked) -> Layout:
    """The tile and the rest, mode by mode where the tile is a tuple."""
    if tile is None:
        return layout
    if isinstance(tile, tuple):
        return by_mode(partial(logical_divide, ask=ask), layout, tile, "logical_divide")
    rest, _ = _copies(tile, layout.size(), 1, ask, filling=True)
    return composition(layout, make_layout(tile, _flat(_coalesced(rest, ask))), ask)


def logical_product(layout: Layout, tile: Any, ask: Asked) -> Layout:
    """The layout and its copies, mode by mode where the tile is a tuple."""
    if tile is None:
        return layout
    if isinstance(tile, tuple):
        return by_mode(partial(logical_product, ask=ask), layout, tile, "logical_product")
    many = tile.cosize()
    if not ask.at_most(1, many):
        raise NoAnswer(f"{tile} has the cosize {profile_text(many)}; copies need one from 1 up")
    places, _ = _copies(layout, times(layout.size(), many), many, ask)
    return make_layout(layout, composition(_flat(_coalesced(places, ask)), tile, ask))


# Modes


def _flat(modes: Modes) -> Layout:
    return assembled(modes, all(type(x) is int for mode in modes for x in mode))


def _coalesced(modes: Modes, ask: Asked) -> Modes:
    found: Modes = []
    for n, d in modes:
        if ask.equal(n, 1):
            continue
        if found and ask.equal(d, times(*found[-1])):
            found[-1] = (times(found[-1][0], n), found[-1][1])
        else:
            found.append((n, d))
    return found


def _sorted(layout: Layout, ask: Asked) -> list[tuple[int, Any, Any]]:
    """The modes that move, with their numbers, by stride, then by size."""
    moving = [
        (number, n, d) for number, (n, d) in enumerate(layout.flat()) if not ask.equal(n, 1) and not ask.equal(d, 0)
    ]

    def order(a: tuple[int, Any, Any], b: tuple[int, Any, Any]) -> int:
        if not ask.equal(a[2], b[2]):
            return -1 if ask.at_most(a[2], b[2]) else 1
        return 0 if ask.equal(a[1], b[1]) else -1 if ask.at_most(a[1], b[1]) else 1

    return sorted(moving, key=cmp_to_key(order))


def _copies(layout: Layout, bound: Any, least: Any, ask: Asked, filling: bool = False) -> tuple[Modes, bool]:
    """Where copies stand apart, as `complements.copies`, and whether they fill all gaps; `filling`: they have to."""
    found: Modes = []
    reach: Any = 1
    filled, span = True, 0
    for number, n, d in _sorted(layout, ask):
        if not ask.at_most(1, d):
            raise NoAnswer(f"the stride {profile_text(d)} is below 0")
        if ask.at_most(reach, d) and ask.divides(reach, d):
            found.append((quotient(d, reach), reach))
        elif filling or not ask.at_most(span + 1, d):
            reached = profile_text(reach)
            raise NoAnswer(f"the modes before mode {number} reach {reached}, which does not divide {profile_text(d)}")
        else:
            filled = False
            found.append((_down(d, reach) if ask.at_most(reach, d) else 1, reach))
        span = span + times(found[-1][0] - 1, reach) + times(n - 1, d)
        reach = times(n, d)
    last = quotient(bound, reach) if ask.divides(reach, bound) else _up(bound, reach)
    inside = product(tuple([n for n, _ in found]))
    if not (type(least) is int and least == 1) and not ask.at_most(least, times(inside, last)):
        last = quotient(least, inside) if ask.divides(inside, least) else _up(least, inside)
    return [*found, (last, reach)], filled


def _down(a: Any, b: Any) -> Any:
    """a/b rounded down."""
    if type(a) is int and type(b) is int:
        return a // b
    import sympy

    return plain(sympy.floor(sympy.sympify(a) / b))


def _up(a: Any, b: Any) -> Any:
    """a/b rounded up."""
    return _down(a + b - 1, b)


# Composition where sizes are symbols


def _reached(outer: Layout, inner: Layout, ask: Asked) -> Layout | None:
    """A with numbers for the sizes that B reaches beyond; None where these may have too many values to take each."""
    top = sum((n - 1) * max(r, 0) for n, r in inner.flat())
    modes, known, place = outer.flat(), dict[str, int](), 1
    for number, (n, d) in enumerate(modes[:-1]):
        size = put(n, known)
        if type(size) is not int:
            room = top // place + 1
            if room == 1 or ask.at_most(room, size):  # then this mode might as well be the last one
                modes = [*modes[:number], (room, d)]
                break
            if not size.is_Symbol or room > _MOST_VALUES:
                return None
            known[n.name] = size = ask.value(size, range(1, room))
        place *= size
    size, stride = modes[-1]
    found: Layout = put(_flat([*modes[:-1], (size if type(size) is int else 1, stride)]), known)
    return found


def _split_along(outer: Layout, inner: Layout, ask: Asked) -> Layout:
    """The composition where B's modes split along A's, as in Definition 2.13, and no carry crosses modes."""
    modes = _joined(outer.flat())
    pieces: list[tuple[int, Any, Any]] = []
    parts = [_split(modes, n, r, ask, pieces) for n, r in inner.flat()]
    place: Any = 1
    for number, (size, _) in enumerate(modes[:-1]):
        place = times(place, size)
        below = sum([times(n - 1, r) for at, n, r in pieces if at <= number])
        if not ask.at_most(below + 1, place):
            raise Undecided(_UNSETTLED)
    shape, stride = (like(inner.shape, iter([part[k] for part in parts])) for k in (0, 1))
    return made(shape, stride, all(type(x) is int for x in (*leaves(shape), *leaves(stride))))


def _joined(modes: Modes) -> Modes:
    """The modes, neighbours as one that continue each other for all values; the last stays, even of size 1."""
    found: Modes = []
    for number, (n, d) in enumerate(modes):
        if n == 1 and number < len(modes) - 1:
            continue
        if found and equal(times(*found[-1]), d):
            found[-1] = (times(found[-1][0], n), found[-1][1])
        else:
            found.append((n, d))
    return found


def _split(modes: Modes, size: Any, step: Any, ask: Asked, pieces: list[tuple[int, Any, Any]]) -> tuple[Any, Any]:
    """One mode of B; notes each piece with the mode of A in which it lies, and its step."""
    if ask.equal(size, 1) or ask.equal(step, 0):
        return size, 0
    if not ask.at_most(0, step):
        raise NoAnswer(f"B's stride {profile_text(step)} leads below 0")
    found: Modes = []
    rest, place = step, 1
    for number, (n, d) in enumerate(modes[:-1]):
        if ask.at_most(times(size - 1, rest) + 1, n):
            found.append((size, times(rest, d)))
            pieces.append((number, size, times(place, rest)))
            return _mode(found)
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
    return _mode(found)


def _mode(found: Modes) -> tuple[Any, Any]:
    if len(found) == 1:
        return found[0]
    return tuple([n for n, _ in found]), tuple([d for _, d in found])
