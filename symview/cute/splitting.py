"""Operations on layouts with symbols anywhere: the algorithms, run case by case."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cmp_to_key
from typing import Any

from symview.answers import Status
from symview.cute.conditions import LayoutCase, LayoutConditions
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int, leaves, like, product
from symview.cute.layout import Layout, made, make_layout
from symview.cute.modes import equal
from symview.cute.paths import Asked, all_paths, plain, quotient, times
from symview.cute.symbolic import _assumptions, composition_conditions, facts_about
from symview.engine.budget import DEFAULT, Budget
from symview.engine.terms import Term

Modes = list[tuple[Any, Any]]
_UNSETTLED = "B does not split along A's modes here; whether carries cancel was not settled"


class _None(Exception):
    """There is no answer on this path."""


class _Open(Exception):
    """Not settled on this path."""


def coalesce_conditions(layout: Layout, assume: Any = (), budget: Budget | None = None) -> LayoutConditions:
    """The coalesced layout, by cases of the symbols.

    >>> print(coalesce_conditions(Layout.parse("(4,6):(a,b)")))
    b = 4*a: 24:a
    b ≠ 4*a: (4,6):(a,b)
    """
    return _by_cases("coalesce", (layout,), lambda ask: _flat(_coalesced(layout.flat(), ask)), assume, budget)


def complement_conditions(
    layout: Layout, max_idx: Any = 1, assume: Any = (), budget: Budget | None = None
) -> LayoutConditions:
    """The complement, by cases of the symbols; strides are taken to be from 0 up.

    >>> print(complement_conditions(Layout.parse("4:d"), 64, assume="d >= 1"))
    16 % d = 0 and d = 1: 16:4
    16 % d ≠ 0 and (4*d + 63)//(4*d) = 1: d:1
    16 % d ≠ 0 and (4*d + 63)//(4*d) ≠ 1: (d,(4*d + 63)//(4*d)):(1,4*d)
    16 % d = 0 and d ≠ 1 and 16//d = 1: d:1
    16 % d = 0 and d ≠ 1 and 16//d ≠ 1: (d,16//d):(1,4*d)
    """
    return _by_cases("complement", (layout,), lambda ask: _complement(layout, max_idx, ask, False), assume, budget)


def right_inverse_conditions(layout: Layout, assume: Any = (), budget: Budget | None = None) -> LayoutConditions:
    """The right inverse, by cases of the symbols.

    >>> print(right_inverse_conditions(Layout.parse("(4,8):(a,1)"), assume="a >= 2"))
    a = 8: (8,4):(4,1)
    a ≠ 8: 8:4
    """
    return _by_cases("right_inverse", (layout,), lambda ask: _right_inverse(layout, ask), assume, budget)


def left_inverse_conditions(layout: Layout, assume: Any = (), budget: Budget | None = None) -> LayoutConditions:
    """The left inverse where the layout has a complement, by cases of the symbols; other cases are undecided.

    >>> print(left_inverse_conditions(Layout.parse("4:d"), assume="d >= 2"))
    always: (d,4):(4,1)
    """

    def run(ask: Asked) -> Layout:
        for n, d in layout.flat():
            if not ask.equal(n, 1) and ask.equal(d, 0):
                raise _None(f"the mode {n}:{d} repeats values, so there is no left inverse")
        try:
            both = make_layout(layout, _complement(layout, 1, ask))
        except _None as error:
            raise _Open(f"no complement ({error}); a left inverse may exist all the same") from None
        return _right_inverse(both, ask)

    return _by_cases("left_inverse", (layout,), run, assume, budget)


def logical_divide_conditions(
    layout: Layout, tile: Any, assume: Any = (), budget: Budget | None = None
) -> LayoutConditions:
    """A ∘ (B, complement(B, size(A))), by cases of the symbols.

    Exact where only A's strides are symbolic; with other symbols, cases in which the tile does not
    split along A's modes are undecided.

    >>> print(logical_divide_conditions(Layout.parse("(4,6):(a,b)"), Layout(3)))
    b = 4a: (3,8):(a,3*a)
    >>> print(logical_divide_conditions(Layout.parse("n:d"), 4, assume="n % 4 == 0"))
    n//4 = 1: (4,1):(d,0)
    n//4 ≠ 1: (4,n//4):(d,4*d)
    """
    tile = Layout(tile) if is_int(tile) else tile
    if not isinstance(tile, Layout):
        raise LayoutError(f"logical_divide_conditions: {tile!r} is no layout and no size")
    if tile.numeric and all(type(n) is int for n in leaves(layout.shape)):
        from symview.cute.complements import copies

        both = make_layout(tile, copies(tile, layout.size(), exact=True))
        found = composition_conditions(layout, both, assume, budget)
        return LayoutConditions(f"{layout} / {tile}", (layout, tile), found.cases, found.assumed)

    def run(ask: Asked) -> Layout:
        return _composed(layout, make_layout(tile, _complement(tile, layout.size(), ask)), ask)

    return _by_cases("logical_divide", (layout, tile), run, assume, budget)


def splitting_cases(outer: Layout, inner: Layout, assumed: Sequence[Term], budget: Budget) -> tuple[LayoutCase, ...]:
    """The cases of a composition in which B splits along A's modes; the others are undecided."""
    return _cases(lambda ask: _composed(outer, inner, ask), (outer, inner), assumed, budget)


def _by_cases(
    name: str, layouts: tuple[Layout, ...], run: Callable[[Asked], Layout], assume: Any, budget: Budget | None
) -> LayoutConditions:
    assumed = _assumptions(assume)
    question = f"{name} of {', '.join(map(str, layouts))}"
    return LayoutConditions(question, layouts, _cases(run, layouts, assumed, budget or DEFAULT), assumed)


def _cases(
    run: Callable[[Asked], Layout], layouts: tuple[Layout, ...], assumed: Sequence[Term], budget: Budget
) -> tuple[LayoutCase, ...]:
    def guarded(ask: Asked) -> tuple[Status, Layout | None, str]:
        try:
            found = run(ask)
        except _None as error:
            return Status.NEVER, None, str(error)
        except _Open as error:
            return Status.UNDECIDED, None, str(error)
        return (Status.WHEN if ask.where else Status.ALWAYS), found, ""

    paths = all_paths(guarded, facts_about(layouts, assumed), budget)
    found = []
    for where, (status, layout, reason) in paths:
        shown = None if layout is None else _substituted(layout, where)
        found.append(LayoutCase(status, where, (), shown, reason))
    return tuple(found)


def _substituted(layout: Layout, where: Sequence[Any]) -> Layout:
    """The layout with the symbols that the conditions give outright."""
    import sympy

    known = {e.lhs: e.rhs for e in where if isinstance(e, sympy.Eq) and e.lhs.is_Symbol and e.rhs.is_Integer}
    if layout.numeric or not known:
        return layout

    def entry(x: Any) -> Any:
        return x if type(x) is int else plain(x.subs(known))

    sizes, strides = (like(t, iter([entry(x) for x in leaves(t)])) for t in (layout.shape, layout.stride))
    return Layout(sizes, strides)


# The algorithms


def _flat(modes: Modes) -> Layout:
    numeric = all(type(x) is int for mode in modes for x in mode)
    if len(modes) == 1:
        return made(*modes[0], numeric)
    return made(tuple([n for n, _ in modes]), tuple([d for _, d in modes]), numeric) if modes else made(1, 0)


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


def _complement(layout: Layout, bound: Any, ask: Asked, filling: bool = True) -> Layout:
    """The complement; `filling`: nothing may be left out."""
    found: Modes = []
    reach: Any = 1
    filled, span = True, 0
    for number, n, d in _sorted(layout, ask):
        if not ask.at_most(1, d):
            raise _None(f"the stride {d} is below 0")
        if ask.at_most(reach, d) and ask.divides(reach, d):
            found.append((quotient(d, reach), reach))
        elif filling or not ask.at_most(span + 1, d):
            raise _None(f"the modes before mode {number} reach {reach}, which does not divide its stride {d}")
        else:
            filled = False
            found.append((quotient_down(d, reach) if ask.at_most(reach, d) else 1, reach))
        span = span + times(found[-1][0] - 1, reach) + times(n - 1, d)
        reach = times(n, d)
    exact = ask.divides(reach, bound)
    last = quotient(bound, reach) if exact else quotient_up(bound, reach)
    found.append((last, reach))
    if not filled and not ask.at_most(quotient_down(bound, layout.size()), product(tuple([n for n, _ in found]))):
        raise _None("too few copies stand apart")
    return _flat(_coalesced(found, ask))


def quotient_down(a: Any, b: Any) -> Any:
    """a/b rounded down."""
    if type(a) is int and type(b) is int:
        return a // b
    import sympy

    return plain(sympy.floor(sympy.sympify(a) / b))


def quotient_up(a: Any, b: Any) -> Any:
    """a/b rounded up."""
    if type(a) is int and type(b) is int:
        return -(-a // b)
    import sympy

    return sympy.floor((a + b - 1) / sympy.sympify(b))


def _right_inverse(layout: Layout, ask: Asked) -> Layout:
    modes = layout.flat()
    found: Modes = []
    reached: Any = 1
    for number, n, d in _sorted(layout, ask):
        if ask.equal(d, reached):
            found.append((n, product(tuple([m for m, _ in modes[:number]]))))
            reached = times(reached, n)
    return _flat(_coalesced(found, ask))


def _composed(outer: Layout, inner: Layout, ask: Asked) -> Layout:
    """The composition where B's modes split along A's, as in Definition 2.13, and no carry crosses modes."""
    modes = _joined(outer.flat())
    pieces: list[tuple[int, Any, Any]] = []
    parts = iter([_split(modes, n, r, ask, pieces) for n, r in inner.flat()])

    def nested(shape: Any) -> tuple[Any, Any]:
        if not isinstance(shape, tuple):
            return next(parts)
        found = [nested(part) for part in shape]
        return tuple([n for n, _ in found]), tuple([d for _, d in found])

    shape, stride = nested(inner.shape)
    place: Any = 1
    for number, (size, _) in enumerate(modes[:-1]):
        place = times(place, size)
        below = sum([times(n - 1, r) for at, n, r in pieces if at <= number])
        if not ask.at_most(below + 1, place):
            raise _Open(_UNSETTLED)
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
        raise _None(f"B's stride {step} leads below 0")
    found: Modes = []
    rest, place = step, 1
    for number, (n, d) in enumerate(modes[:-1]):
        if ask.divides(n, rest):
            rest = quotient(rest, n)
        elif ask.divides(rest, n):
            room = quotient(n, rest)
            if ask.at_most(size, room):
                found.append((size, times(rest, d)))
                pieces.append((number, size, times(place, rest)))
                return _mode(found)
            if not ask.divides(room, size):
                raise _Open(_UNSETTLED)
            found.append((room, times(rest, d)))
            pieces.append((number, room, times(place, rest)))
            size, rest = quotient(size, room), 1
        else:
            raise _Open(_UNSETTLED)
        place = times(place, n)
    found.append((size, times(rest, modes[-1][1])))
    pieces.append((len(modes) - 1, size, times(place, rest)))
    return _mode(found)


def _mode(found: Modes) -> tuple[Any, Any]:
    if len(found) == 1:
        return found[0]
    return tuple([n for n, _ in found]), tuple([d for _, d in found])
