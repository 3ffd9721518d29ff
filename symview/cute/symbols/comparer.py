"""The comparer of layouts with symbols: where a comparison is open, both ways are taken.

A composition whose sizes are numbers has the widest equations on A's strides for its answers; one
whose sizes are symbols splits along A's modes, where it does so without a carry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cmp_to_key
from typing import Any

from symview.cute.comparer import NUMBERS, Step, Tell, quotient, ratio, times
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import leaves, like, profile_text
from symview.cute.layout import Layout, made, need_layout
from symview.cute.modes import Modes, assembled
from symview.cute.symbols.forms import Poly
from symview.cute.symbols.question import put
from symview.cute.symbols.refinements import widest_answers
from symview.cute.walk import walked
from symview.errors import Undecided
from symview.logic.sympy_bridge import to_term
from symview.symbolic.forks import Fork

_MOST_VALUES = 17
_UNSETTLED = "B does not split along A's modes here; whether carries cancel was not settled"


class Symbols:
    """Compares entries on one path of a fork; `required` are the forms that have to be 0 for its result."""

    tell: Tell | None = None

    def __init__(self, fork: Fork) -> None:
        self.fork, self.budget = fork, fork.budget
        self.required: list[Poly] = []

    def equal(self, a: Any, b: Any) -> bool:
        """Whether a = b."""
        if type(a) is int and type(b) is int:
            return a == b
        import sympy

        return self._holds(sympy.Eq(b, a) if type(a) is int else sympy.Eq(a, b))

    def at_most(self, a: Any, b: Any) -> bool:
        """Whether a <= b."""
        if type(a) is int and type(b) is int:
            return a <= b
        import sympy

        return self._holds(sympy.Ge(b, a) if type(a) is int else sympy.Le(a, b))

    def divides(self, a: Any, b: Any) -> bool:
        """Whether a divides b, for a > 0."""
        if type(a) is int and type(b) is int:
            return b % a == 0
        if a == 1 or b == 1:
            return self.equal(a, 1)
        import sympy

        top, bottom = ratio(b, a)
        return bottom == 1 or self._holds(sympy.Eq(sympy.Mod(top, bottom), 0))

    def _holds(self, relation: Any) -> bool:
        return bool(relation) if relation in (True, False) else self.fork.holds(to_term(relation))

    def in_order(self, items: Iterable[Step], key: Callable[[Step], tuple[Any, ...]]) -> list[Step]:
        """The items, their keys from small to large."""

        def order(a: Step, b: Step) -> int:
            pair = next(((x, y) for x, y in zip(key(a), key(b), strict=True) if not self.equal(x, y)), None)
            return 0 if pair is None else -1 if self.at_most(*pair) else 1

        return sorted(items, key=cmp_to_key(order))

    def apply(self, name: str, operation: Callable[..., Layout], layout: Layout, tile: Layout) -> Layout:
        """The operation on two layouts."""
        return operation(self, layout, tile)

    def admit(self, layout: Any, what: str) -> Layout:
        """The layout itself; raises for anything else."""
        return need_layout(layout, what)

    def compose(self, outer: Layout, inner: Layout) -> Layout:
        """A ∘ B on this path."""
        outer = outer if outer.flat() else Layout(1, 0)
        reached = self._reached(outer, inner) if inner.numeric else None
        if reached is None:
            return self._split_along(outer, inner)
        answers = widest_answers(reached, inner, self.budget)
        if not answers:
            if reached.numeric:
                return walked(reached, inner, self.budget)
            raise NoAnswer(f"{reached} ∘ {inner} is no layout, whatever the strides")
        chosen = self.fork.one_of(answers)
        self.required += chosen.forms
        return chosen.layout

    def _reached(self, outer: Layout, inner: Layout) -> Layout | None:
        """A with numbers for the sizes that B passes; None where these may have too many values to take each."""
        top = sum((n - 1) * max(r, 0) for n, r in inner.flat())
        modes, known, place = outer.flat(), dict[str, int](), 1
        for number, (n, d) in enumerate(modes[:-1]):
            size = put(n, known)
            if type(size) is not int:
                room = top // place + 1
                if room == 1 or self.at_most(room, size):  # then this mode might as well be the last one
                    modes = [*modes[:number], (room, d)]
                    break
                if not size.is_Symbol or room > _MOST_VALUES:
                    return None
                name, size = size.name, self.fork.value(to_term(size), range(1, room))
                known[name] = size
            place *= size
        size, stride = modes[-1]
        found: Layout = put(assembled([*modes[:-1], (size if type(size) is int else 1, stride)]), known)
        return found

    # B's modes split along A's, as in Definition 2.13, and no carry crosses modes

    def _split_along(self, outer: Layout, inner: Layout) -> Layout:
        modes = _joined(outer.flat())
        pieces: list[tuple[int, Any, Any]] = []  # of each: the mode of A in which it lies, its size and its step
        parts = [self._split(modes, n, r, pieces) for n, r in inner.flat()]
        place: Any = 1
        for number, (size, _) in enumerate(modes[:-1]):
            place = times(place, size)
            below = sum([times(n - 1, r) for at, n, r in pieces if at <= number])
            if not self.at_most(below + 1, place):
                raise Undecided(_UNSETTLED)
        shape, stride = (like(inner.shape, iter([part[k] for part in parts])) for k in (0, 1))
        return made(shape, stride, all(type(x) is int for x in (*leaves(shape), *leaves(stride))))

    def _split(self, modes: Modes, size: Any, step: Any, pieces: list[tuple[int, Any, Any]]) -> tuple[Any, Any]:
        """One mode of B, size and stride."""
        if self.equal(size, 1):
            for n, _ in modes[:-1]:  # the stride that CuTe gives it, by which no value moves
                if type(n) is not int or type(step) is not int:
                    return size, 0
                step = -(-step // n)
            return size, times(step, modes[-1][1])
        if self.equal(step, 0):
            return size, 0
        if not self.at_most(0, step):
            raise NoAnswer(f"B's stride {profile_text(step)} leads below 0")
        found: Modes = []
        rest, place = step, 1
        for number, (n, d) in enumerate(modes[:-1]):
            if self.at_most(times(size - 1, rest) + 1, n):
                modes = modes[: number + 1]
                break
            if self.divides(n, rest):
                rest = quotient(rest, n)
            elif self.divides(rest, n):
                room = quotient(n, rest)
                if not self.divides(room, size):
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


def _joined(modes: Modes) -> Modes:
    """The modes, neighbours as one that continue each other for all values; the last stays, even of size 1."""
    found: Modes = []
    for number, (n, d) in enumerate(modes):
        if n == 1 and number < len(modes) - 1:
            continue
        if found and NUMBERS.equal(times(*found[-1]), d):
            found[-1] = (times(found[-1][0], n), found[-1][1])
        else:
            found.append((n, d))
    return found
