"""Expressions for indices of two views that have the same address, as evidence that an address is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, permutations, product
from typing import Any, NamedTuple

from symview.logic.budget import Budget
from symview.logic.polynomial import as_ordered_term, expanded
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, node_count, num
from symview.view import View

_MOST, _ORDERS = 24, 6  # pairs, and orders of strides
_LONGEST = 4_000  # nodes of what is left to represent: it doubles with each dim, and so much is never checked
_STEPS = 30  # budget steps for an order, and for each node of what is left to represent
ZERO, ONE = num(0), num(1)


class _Axis(NamedTuple):
    """A dim of either view: it adds 0 to `most` times `size`, counted from the last index where `down` holds."""

    place: int
    low: Term
    most: Term
    size: Term
    down: Term | bool


def pairs(views: Sequence[View], proved: Callable[[Term], bool], budget: Budget) -> Iterator[tuple[Term, ...]]:
    """Candidate indices of both views, concatenated; in most cases one of them shows a shared address.

    The first candidate is where both views begin. Each other one represents the difference of the offsets greedily: as
    many multiples of the greatest stride as fit, then of the next one; in every possible order of the strides, with and
    without the bounds by sizes, unless it becomes too long. `proved` decides whether a formula is known to hold.
    Raises Undecided if the budget ends.
    """
    target, axes = _axes(views, proved)
    yield tuple([a.low for a in axes])
    moving = [a for a in axes if ZERO not in (a.most, a.size)]
    orders = islice(_orders(moving, proved, budget), _ORDERS)
    for order, way in islice(_choices(list(orders)), _MOST):
        rest, found = target, {a.place: a.low for a in axes}
        for axis, multiple in zip(order, way, strict=True):
            nodes = node_count(rest)
            budget.spend(_STEPS * nodes)
            if nodes > _LONGEST:
                break
            divisor = axis.size if proved(Term(">=", (axis.size, ONE))) else Term("max", (ONE, axis.size))
            quotient = rest if divisor == ONE else _short(Term("//", (rest, divisor)))
            x = {"all": quotient, "some": Term("min", (axis.most, quotient))}.get(multiple) or num(int(multiple))
            rest = _short(Term("-", (rest, Term("*", (x, axis.size)))))
            found[axis.place] = _index(axis, x)
        else:
            yield tuple([found[a.place] for a in axes])


def _axes(views: Sequence[View], proved: Callable[[Term], bool]) -> tuple[Term, list[_Axis]]:
    """The sum that the multiples have to reach, and the dims of both views."""
    axes = list[_Axis]()
    target = _short(Term("-", (to_term(views[1].offset), to_term(views[0].offset))))
    for sign, view in ((1, views[0]), (-1, views[1])):
        for (low, high), stride in zip(view.bounds(), view.strides, strict=True):
            step, first = _short(Term("*", (num(sign), to_term(stride)))), to_term(low)
            most = _short(Term("-", (to_term(high), Term("+", (first, ONE)))))
            size, least = step, ZERO
            down: Term | bool = False
            if not proved(Term(">=", (step, ZERO))):
                size, down, least = _short(Term("neg", (step,))), True, step
                if not proved(Term("<=", (step, ZERO))):
                    size, down, least = Term("abs", (step,)), Term("<", (step, ZERO)), Term("min", (step, ZERO))
            target = _short(Term("-", (target, Term("+", (Term("*", (first, step)), Term("*", (most, least)))))))
            axes.append(_Axis(len(axes), first, most, size, down))
    return target, axes


def _orders(axes: Sequence[_Axis], proved: Callable[[Term], bool], budget: Budget) -> Iterator[tuple[_Axis, ...]]:
    """The possible orders of the dims by descending stride; dims of equal strides keep their order."""
    known = {(a, b) for a in axes for b in axes if a is not b and proved(Term(">=", (a.size, b.size)))}
    for order in permutations(axes):
        budget.spend(_STEPS)
        later = ((b, a) for n, a in enumerate(order) for b in order[n + 1 :])
        if not any(pair in known and (pair[::-1] not in known or pair[0].place < pair[1].place) for pair in later):
            yield order


def _choices(orders: Sequence[Sequence[_Axis]]) -> Iterator[tuple[Sequence[_Axis], tuple[Any, ...]]]:
    """Orders of the strides, each with how many multiples of each are taken: "some" that fit, "all", or a number.

    First the same choice for all strides in each order, then any.
    """
    for word in ("some", "all"):
        yield from ((order, (word,) * len(order)) for order in orders)
    for order in orders:
        ways = product(*[["some", *(range(a.most.args[0] + 1) if a.most.op == "int" else ["all"])] for a in order])
        yield from ((order, way) for way in ways if {*way} not in ({"some"}, {"all"}))


def _index(axis: _Axis, x: Term) -> Term:
    """The index along the dim."""
    back = Term("-", (axis.most, x))
    x = (back if axis.down else x) if isinstance(axis.down, bool) else Term("if", (axis.down, back, x))
    return _short(Term("+", (axis.low, x)))


def _short(term: Term) -> Term:
    """The term as a sum of products."""
    return as_ordered_term(expanded(term))
