"""In words: which boundaries may overflow together, along which axes, and which indices would tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symview.logic.entailment import Entailment
from symview.logic.polynomial import Poly, minus, plus
from symview.logic.sympy_bridge import to_text
from symview.symbolic.addresses import Axis
from symview.symbolic.algebra import Algebra
from symview.symbolic.two_boundaries import UNIT, Divide

_MOST = 3  # axes that are named


def doubt(
    algebra: Algebra, divide: Divide, known: Entailment, loose: Sequence[Poly], places: Sequence[Poly], start: Poly,
    axes: Sequence[Axis],
) -> str:  # fmt: skip
    """Why equations that are enough are not known to be needed; `loose`: where idleness itself is not told.

    The place values are those of boundaries that may overflow together; larger ones come first.
    """

    def shown(p: Poly) -> str:
        return to_text(algebra.term(p))

    def named(axis: Axis) -> str:
        return f"({shown(axis.size)}):({shown(axis.step)})"

    if loose:
        wrapping = [named(a) for a in axes if divide(a.step, loose[0], known)[1]]
        return (
            f"enough, but perhaps not needed: whether the boundary at place value {shown(loose[0])} overflows is open, "
            f"since {len(wrapping)} axes may wrap around there: {', '.join(wrapping)}"
        )
    seen = [(a, [p for p in places if divide(a.step, p, known)[1]]) for a in axes]
    along = [pair for pair in seen if len(pair[1]) > 1] or [pair for pair in seen if pair[1]]
    what, where = " and ".join(map(shown, places)), " and ".join(named(axis) for axis, _ in along)
    said = [
        f"enough, but perhaps not needed: whether the overflows at place values {what} are independent is open",
        f"they meet along {where}",
    ]
    for axis, met in along[:_MOST]:
        firsts = list(_firsts(divide, known, met, start, axis, algebra))
        if len(firsts) > 1:
            indices = " and ".join(map(shown, firsts))
            said.append(f"along {named(axis)} they first overflow at indices {indices}, from where their order is open")
    return "; ".join(said)


def _firsts(
    divide: Divide, known: Entailment, places: Sequence[Poly], start: Poly, axis: Axis, algebra: Algebra
) -> Iterator[Poly]:
    """The first index along the axis at which each boundary carries, where it rises."""
    for place in places:
        begin = divide(start, place, known)[1]
        slope = minus(divide(plus(start, axis.step), place, known)[1], begin)
        if slope and algebra.is_at_least(slope):
            yield divide(minus(plus(place, slope), plus(begin, UNIT)), slope, known)[0]
