"""Masks together with symbols: where the valid indices are a box, the question without masks on that box.

Each masked digit is a window [A, A+L) of the addresses modulo M. Along each axis addresses move by the stride modulo M,
taken nearest to 0. So on the box they run from ρ to ρ + E, with 0 <= ρ < M, and meet the windows qM + [A, A+L). Both
outcomes of an open comparison are followed. See "Masks and symbols", proofs/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from symview.answers import AffineView, CaseData, ConditionsData, Status, WitnessData
from symview.cases.forks import Fork, all_paths
from symview.cases.query import Query
from symview.cases.restrict import Ask, answered, by_few_values, cases_of, part_of
from symview.cases.simplify.cases import either_of
from symview.cases.simplify.clauses import parts_of, shortened
from symview.errors import Undecided
from symview.logic.entailment import Entailment
from symview.logic.integer import of_term
from symview.logic.polynomial import ONE, Poly, minus, negative, plus, times
from symview.logic.sympy_bridge import is_number
from symview.logic.terms import FALSE, Term, conj, disj, num
from symview.view import View
from symview.views.addresses import (
    UNIT,
    Axis,
    Effect,
    Outcome,
    Part,
    ValidBox,
    Window,
    at_most_two,
    divided,
    in_whole_shape,
    inside,
    open_part,
    outcome_case,
    product_of,
    split_by,
    windows_of,
)

_Where = tuple[Term, ...]
_MOST_PATHS = 300
_JUMPS = (
    "whether the valid indices are a box is open: steps jump over valid or masked indices; "
    "ask with numbers for sizes and masks"
)


def has_open_mask(views: Sequence[View]) -> bool:
    """Whether the views have a mask, and symbols on which the valid indices depend."""
    masked = any(v.mask is not None for v in views)
    return masked and not (is_plain_outer(views[0]) and all(v.is_numeric() for v in views[1:]))


def is_plain_outer(view: View) -> bool:
    """Whether the sizes and the mask of a view are numbers."""
    return all(map(is_number, (*view.shape, *(x for pair in view.bounds() for x in pair))))


def cases_by_mask(query: Query, ask: Ask) -> ConditionsData:
    """The conditions for two views, at least one with a mask, and symbols.

    Theory: a single masked view exists exactly if no index is valid, or the valid indices are a box on which the views
    without their masks merge ("Masks", proofs/README.md).
    """
    return _ByMask(query, ask).conditions()


class _ByMask:
    """One query about two views."""

    def __init__(self, query: Query, ask: Ask) -> None:
        self.query, self.ask, self.algebra, self.facts = query, ask, query.algebra, query.facts.formulas
        self.outer, self.inner = query.views
        self.known = Entailment(self.facts, query.budget)

    def conditions(self) -> ConditionsData:
        """The cases: one question for each box, and one case for each other outcome."""
        cases = list[CaseData]()
        for outcome, paths in self._by_paths().items():
            where = self._where(paths)
            if where != FALSE and not self.known.impossible(where):
                cases += by_few_values(self.query, list(self._cases(outcome, where)), self.ask)
        return answered(self.query, cases, self.known)

    def _by_paths(self) -> dict[Outcome | ValidBox | str, list[_Where]]:
        """The outcome on each path of comparisons, or why it is undecided."""
        groups: dict[Outcome | ValidBox | str, list[_Where]] = {}
        paths = all_paths(self._outcome, self.facts, self.query.budget, _MOST_PATHS)
        given_up = {path.where for path in paths if isinstance(path.result, Undecided)}
        for path in paths:
            if not any(path.where[:n] in given_up for n in range(len(path.where))):  # else the subtree is undecided
                found = path.result.reason if isinstance(path.result, Undecided) else path.result
                groups.setdefault(found, []).append(path.where)
        return groups

    def _where(self, paths: Sequence[_Where]) -> Term:
        shown = [parts_of(conj(shortened(where, self.known, self.algebra))) for where in paths]
        return either_of([p for p in shown if FALSE not in p], self.known.impossible)

    def _outcome(self, fork: Fork) -> Outcome | ValidBox:
        found = valid_part(self.query, self.known, fork)
        if isinstance(found, Outcome):
            return found
        lows, sizes = (tuple(map(self.algebra.entry, side)) for side in (found.lows, [a.size for a in found.axes]))
        return ValidBox(lows, sizes, self.algebra.entry(found.start))

    # Cases

    def _cases(self, outcome: Outcome | ValidBox | str, where: Term) -> Iterator[CaseData]:
        """The cases of one outcome."""
        match outcome:
            case Outcome():
                yield outcome_case(outcome, where, self.inner)
            case str():
                yield self._undecided(where, outcome)
            case _:
                yield from self._merging(outcome, where)

    def _undecided(self, where: Term, why: str) -> CaseData:
        """The undecided case. Sufficient: at most two addresses, neighbours on a line, all known to be inside."""
        part, algebra, known = open_part(self.inner, self.algebra), self.algebra, self.known.also(where)
        axes = [a for a in part.axes if a.size != UNIT]
        some = [algebra.at_most(UNIT, a.size) for a in axes]
        size = product_of(list(map(algebra.poly, self.outer.shape)))
        within = conj([*some, inside(axes, part.start, size, algebra, known)])
        enough = at_most_two(part.axes, algebra)
        if not known.implies(within) or known.impossible(*enough):
            enough = (Term("==", (num(1), num(0))),)
        return CaseData(where, Status.UNDECIDED, enough, reason=why, confirmed=False)

    def _merging(self, valid: ValidBox, where: Term) -> Iterator[CaseData]:
        """The cases of the question without masks on the box of valid indices."""
        views = self._without_masks(valid)
        sizes = [Term(">=", (n, num(1))) for n in valid.sizes if isinstance(n, Term)]
        query = self.query._replace(facts=self.query.facts._replace(empty=()))
        try:
            found = cases_of(part_of(query, views, (where, *sizes)), self.ask)
        except Undecided as stop:
            yield self._undecided(where, stop.reason)
            return
        for case in found:
            view = None if case.view is None else self._masked(case.view, valid)
            witnesses = self._witnesses(case.witnesses, valid)
            yield replace(case, where=conj((where, case.where)), view=view, witnesses=witnesses)

    def _without_masks(self, valid: ValidBox) -> tuple[View, View]:
        outer, symbols = self.outer, self.query.symbols
        sizes = [of_term(n, symbols) for n in valid.sizes]
        inner = View(sizes, self.inner.strides, of_term(valid.start, symbols))
        return View(outer.shape, outer.strides, outer.offset), inner

    def _masked(self, view: AffineView, valid: ValidBox) -> AffineView:
        """The view of the box in the coordinates of the whole shape."""
        lows, sizes = (list(map(self.algebra.poly, side)) for side in (valid.lows, valid.sizes))
        bounds = [(low, plus(low, size)) for low, size in zip(lows, sizes, strict=True)]
        return in_whole_shape(self.inner, bounds, view.strides, view.offset, self.algebra)

    def _witnesses(self, witnesses: Sequence[WitnessData], valid: ValidBox) -> tuple[WitnessData, ...]:
        """The witnesses in the coordinates of the whole shape, if their addresses are numbers."""
        lows = [x for x in valid.lows if isinstance(x, int)]
        addresses = all(map(is_number, (*self.outer.shape, *self.inner.strides, self.inner.offset)))
        if len(lows) < len(valid.lows):
            return ()
        known = [w for w in witnesses if (not any(lows) if w.inner is not None else addresses)]
        return tuple([replace(w, index=tuple([i + n for i, n in zip(w.index, lows, strict=True)])) for w in known])


class _OpenDivisor(Exception):
    """A division by a number that may be 0 or negative."""


class _Slope(NamedTuple):
    """An axis that moves addresses modulo M by `rise` > 0: per step up, or per step down if it is `turned`."""

    axis: int
    rise: Poly
    last: Poly
    turned: bool

    def reach(self) -> Poly:
        """How far the axis moves addresses at most."""
        return times(self.rise, self.last)


def valid_part(query: Query, known: Entailment, fork: Fork) -> Part | Outcome:
    """The box of valid indices of an inner view over an outer one, on one path of a fork.

    `known` holds on every path. Raises Undecided if the valid indices remain unknown.
    """
    return _Walk(query, known, fork).run()


class _Walk:
    """One run; both outcomes of an open comparison are followed, in different runs."""

    def __init__(self, query: Query, known: Entailment, fork: Fork) -> None:
        self.query, self.known, self.fork, self.algebra = query, known, fork, query.algebra
        self.outer, self.inner = query.views[0], query.views[-1]
        self.old = [self.algebra.poly(n) for n in self.outer.shape]
        self.kept = False  # whether the window just applied may restrict the part it left any further

    def run(self) -> Part | Outcome:
        """Handles an empty view, an address out of bounds, no valid index; then applies the windows."""
        if any(
            self._at_most(self.algebra.poly(n), {}) for n in self.inner.shape if n in self.query.facts.empty or n == 0
        ):
            return Outcome.NO_INDEX
        if self.inner.mask == "empty":
            return Outcome.NOWHERE
        part = open_part(self.inner, self.algebra)
        if any(self._at_most(a.size, {}) for a in part.axes):
            return Outcome.NOWHERE
        axes = [a for a in part.axes if a.size != UNIT]
        if not self._holds(inside(axes, part.start, product_of(self.old), self.algebra, self.fork.known)):
            return Outcome.OUTSIDE
        if self.outer.mask == "empty":
            return Outcome.NOWHERE
        windows = list(windows_of(self.outer, self.algebra))
        if any(self._at_most(w.high, w.low) for w in windows):
            return Outcome.NOWHERE
        return self._through([w for w in windows if not self._is_whole(w)], part)

    def _is_whole(self, w: Window) -> bool:
        """Whether the window masks nothing."""
        return self._holds(conj((self.algebra.at_most(w.low, {}), self.algebra.at_most(w.size, w.high))))

    # One window after the other

    def _through(self, windows: Sequence[Window], part: Part) -> Part | Outcome:
        """Applies all windows; raises Undecided if the result is open."""
        windows, part, effect = self._cut_by(windows, part)
        if effect is Effect.OPEN and not self._are_numbers():
            windows, part, effect = self._cut_by([w.within(windows[n + 1 :]) for n, w in enumerate(windows)], part)
        if not isinstance(effect, Effect):
            return effect
        if effect is Effect.NO_BOX or self._has_bent_line(windows, part):
            return Outcome.NO_BOX
        raise Undecided(_JUMPS)

    def _cut_by(self, windows: Sequence[Window], part: Part) -> tuple[Sequence[Window], Part, Part | Outcome | Effect]:
        """Applies the windows until none cuts any more: cutting by one may change the effect of another.

        Returns the remaining windows, the remaining part, and the outcome.
        """
        cut, left = True, list[tuple[Window, Effect]]()
        while cut:
            cut, left = False, list[tuple[Window, Effect]]()
            for window in reversed(windows):  # the finest digits first
                self.kept = False
                try:
                    effect = self._effect_on_blocks(window, part)
                except _OpenDivisor:
                    effect = Effect.OPEN
                if effect is Effect.NONE:
                    return windows, part, Outcome.NOWHERE
                if isinstance(effect, Part):
                    part, cut = effect, True
                if effect in (Effect.NO_BOX, Effect.OPEN) or self.kept:
                    left.append((window, effect if isinstance(effect, Effect) else Effect.OPEN))
            windows = [w for w, _ in reversed(left)]
        if not left:
            return windows, part, part
        bent = all(effect is Effect.NO_BOX for _, effect in left) and (
            self._apart(windows, part) or self._met_twice(windows, part)
        )
        return windows, part, Effect.NO_BOX if bent else Effect.OPEN

    def _apart(self, windows: Sequence[Window], part: Part) -> bool:
        """Whether no two windows concern the same axis: then sets that are no boxes cannot intersect in a box."""
        moving = [{s.axis for s in self._slopes(w, part)} for w in windows]
        return all(a.isdisjoint(b) for a, b in combinations(moving, 2))

    def _met_twice(self, windows: Sequence[Window], part: Part) -> bool:
        """Whether one axis of step 1 passes all smaller digits at two repetitions of the slowest window."""
        window = windows[0]  # in the order of the dims
        slopes = self._slopes(window, part)
        if window.leading or len(slopes) != 1 or slopes[0].rise != UNIT:
            return False
        start = self._least(slopes, part, window)
        shift = {} if self._below(start, window.end()) else window.modulus()
        first = minus(plus(window.end(), shift), window.place)
        second = plus(plus(window.start(), shift), plus(window.modulus(), window.place))
        return self._at_most(start, first) and self._at_most(second, plus(plus(start, slopes[0].reach()), UNIT))

    def _has_bent_line(self, windows: Sequence[Window], part: Part) -> bool:
        """Whether the valid indices on some line are not a box: then those of the part are none either.

        It tries lines along each axis, at the first and last index of the others, and at the first in the leading
        window.
        """
        moving = [n for n, a in enumerate(part.axes) if a.size != UNIT]
        if len(moving) < 2 or self._are_numbers():
            return False
        lines = (line for axis in moving for line in self._lines(windows, part, [n for n in moving if n != axis]))
        return any(self._cut_by(windows, line)[2] in (Effect.NO_BOX, Outcome.NO_BOX) for line in lines)

    def _lines(self, windows: Sequence[Window], part: Part, others: Sequence[int]) -> Iterator[Part]:
        """The lines: the part at a few indices of the other axes."""
        if not others:
            yield part
            return
        axis, *rest = others
        size, step = part.axes[axis]
        places = [{}, minus(size, UNIT)]
        leading = next((w for w in windows if w.leading and w.low), None)
        if leading is not None and step and self._below({}, step) and self._below(part.start, leading.start()):
            first = self._ceil(minus(leading.start(), part.start), step)
            places += [first] if self._below(first, size) else []
        for place in places:
            yield from self._lines(windows, part.cut(axis, place, UNIT), rest)

    def _are_numbers(self) -> bool:
        """Whether all place values are numbers."""
        return all(set(n) == {ONE} for n in self.old)

    def _effect_on_blocks(self, window: Window, part: Part) -> Part | Effect:
        """The effect on the digit itself, if axes move by whole blocks below it, or together stay inside one."""
        place, algebra = window.place, self.algebra
        if place == UNIT or window.before or window.after:
            return self._effect(window, part)
        steps = [split_by(a.step, place) for a in part.axes]
        inner = [Axis(a.size, rest) for a, (_, rest) in zip(part.axes, steps, strict=True) if rest and a.size != UNIT]
        start, rest = divided(part.start, place, algebra, self.fork.known)
        if not self._knows(inside(inner, rest, place, algebra, self.fork.known)):
            return self._effect(window, part)
        axes = tuple([Axis(a.size, whole) for a, (whole, _) in zip(part.axes, steps, strict=True)])
        effect = self._effect(window._replace(place=UNIT), Part(part.lows, axes, start))
        if isinstance(effect, Part):
            for n, (low, axis) in enumerate(zip(effect.lows, effect.axes, strict=True)):
                if (first := minus(low, part.lows[n])) or axis.size != part.axes[n].size:
                    part = part.cut(n, first, axis.size)
            return part
        return effect

    def _effect(self, window: Window, part: Part) -> Part | Effect:
        """The effect of a window: it finds the repetitions that addresses meet, then cuts by the one that is met."""
        modulus, low, high = window.modulus(), window.start(), window.end()
        slopes = self._slopes(window, part)
        start = top = self._least(slopes, part, window)
        for s in slopes:
            top = plus(top, s.reach())
        if window.leading:
            outside = self._below(top, low) or self._below(minus(high, UNIT), start)
            return Effect.NONE if outside else self._one(low, high, start, top, slopes, part)
        number = 0 if self._below(start, high) else 1
        shift = times({ONE: number} if number else {}, modulus)
        if self._below(top, plus(low, shift)):
            return Effect.NONE
        if not self._below(top, plus(plus(low, shift), modulus)):
            return self._several((plus(low, shift), plus(high, shift)), modulus, start, slopes, part)
        return self._one(plus(low, shift), plus(high, shift), start, top, slopes, part)

    def _slopes(self, window: Window, part: Part) -> list[_Slope]:
        """The axes that move addresses modulo the window's place value."""
        found = []
        for n, axis in enumerate(part.axes):
            if axis.size == UNIT:
                continue
            rise = self._rise(axis.step) if window.leading else self._nearest(axis.step, window.modulus())
            if rise and not self._is_one(axis.size):
                turned = not self._at_most({}, rise)
                found.append(_Slope(n, negative(rise) if turned else rise, minus(axis.size, UNIT), turned))
        return found

    def _rise(self, step: Poly) -> Poly:
        """The stride; empty if it is 0."""
        return {} if self._holds(disj(self.algebra.zero(step))) else step

    def _nearest(self, step: Poly, modulus: Poly) -> Poly:
        """The residue of the stride modulo M that is nearest to 0, if that is known."""
        rest = split_by(step, modulus)[1]
        if set(modulus) == {ONE} and set(rest) <= {ONE}:
            return rest if 2 * rest.get(ONE, 0) <= modulus[ONE] else minus(rest, modulus)
        if set(modulus) != {ONE} and not set(rest) <= {ONE}:
            for near in (rest, minus(rest, modulus)):
                if self._knows(self.algebra.within(negative(near), modulus)):
                    rest = near
        if not rest:
            return {}
        falls = self._knows(self.algebra.below(rest, {})) or not (
            self._knows(self.algebra.at_most({}, rest)) or set(modulus) == {ONE} or self._at_most({}, rest)
        )
        size = negative(rest) if falls else rest
        if set(size) == {ONE} and not self._below(size, modulus):
            value = self.fork.value(self.algebra.term(modulus), range(1, size[ONE] + 1))
            return self._nearest(step, {ONE: value})
        if set(modulus) == {ONE} or not self._below(size, modulus):
            falls, size = False, divided(step, modulus, self.algebra, self.fork.known)[1]
        if self._holds(disj(self.algebra.zero(size))):
            return {}
        if not self._at_most(plus(size, size), modulus):
            falls, size = not falls, minus(modulus, size)
        return negative(size) if falls else size

    def _least(self, slopes: Sequence[_Slope], part: Part, window: Window) -> Poly:
        """The address modulo M from which all axes rise; for the leading digit the address itself."""
        start = part.start
        for s in slopes:
            if s.turned:
                start = plus(start, part.axes[s.axis].reach())
        return start if window.leading else divided(start, window.modulus(), self.algebra, self.fork.known)[1]

    # One repetition of a window is met, or several

    def _one(
        self, low: Poly, high: Poly, start: Poly, top: Poly, slopes: Sequence[_Slope], part: Part
    ) -> Part | Effect:
        """Cuts by low <= start + Σ rise·i < high; if neither side cuts, all is valid; one side cuts off a corner."""
        need, room, reach = minus(low, start), minus(minus(high, start), UNIT), minus(top, start)
        below, above = not self._at_most(need, {}), not self._at_most(reach, room)
        if not below and not above:
            return Effect.ALL
        if below and above:
            return self._slab(need, room, slopes, part)
        heights = self._heights(minus(reach, need) if below else room, slopes)
        if heights is None:
            return Effect.NO_BOX
        for s, height in zip(slopes, heights, strict=True):
            if height is not None:
                part = self._cut(part, s, minus(s.last, height) if below else {}, plus(height, UNIT))
        return part

    def _heights(self, room: Poly, slopes: Sequence[_Slope]) -> list[Poly | None] | None:
        """How far each axis alone has Σ rise·i <= room, None for all the way; in all None if not together."""
        heights: list[Poly | None] = []
        total: Poly = {}
        for s in slopes:
            whole = len(slopes) > 1 and self._at_most(s.reach(), room)
            height = s.last if whole else {} if s.last == UNIT else self._floor(room, s.rise)
            heights.append(None if whole else height)
            total = plus(total, times(s.rise, height))
        return heights if len(slopes) == 1 or self._at_most(total, room) else None

    def _slab(self, need: Poly, room: Poly, slopes: Sequence[_Slope], part: Part) -> Part | Effect:
        """Cuts by need <= Σ rise·i <= room if both sides cut: the result is a box only if one axis alone is cut."""
        length = plus(minus(room, need), UNIT)
        jumping = [s for s in slopes if not self._at_most(s.rise, length)]
        reach: Poly = {}
        for s in slopes:
            reach = plus(reach, s.reach())
        if len(slopes) == 1:
            (s,) = slopes
            if s.last == UNIT:
                return Effect.NONE
            first, last = self._ceil(need, s.rise), self._floor(room, s.rise)
            if jumping and not self._at_most(first, last):
                return Effect.NONE
            return self._cut(part, s, first, plus(minus(last, first), UNIT))
        if jumping:
            return self._narrowed(need, room, reach, slopes, part)
        for s in slopes:
            rest = minus(reach, s.reach())
            first, last = self._ceil(need, s.rise), self._floor(room, s.rise)
            same = [
                (first, self._ceil(minus(need, rest), s.rise)),
                (last, self._floor(minus(room, rest), s.rise)),
            ]
            if self._holds(
                conj(Term("==", tuple(map(self.algebra.term, pair))) for pair in same if pair[0] != pair[1])
            ):
                return self._cut(part, s, first, plus(minus(last, first), UNIT))
        return Effect.NO_BOX

    def _narrowed(self, need: Poly, room: Poly, reach: Poly, slopes: Sequence[_Slope], part: Part) -> Part | Effect:
        """Cuts off ends of an axis that are valid at no index of the others; or finds two corners that span it all."""
        for s in slopes:
            rest = minus(reach, s.reach())
            below = not self._at_most(minus(need, rest), {})
            above = not self._at_most(s.reach(), room)
            if below or above:
                first = self._ceil(minus(need, rest), s.rise) if below else {}
                last = self._floor(room, s.rise) if above else s.last
                if not self._at_most(first, last):
                    return Effect.NONE
                self.kept = True
                return self._cut(part, s, first, plus(minus(last, first), UNIT))
        for s in slopes:
            rest = minus(reach, s.reach())
            ends = [
                c for x in (rest, s.reach()) for c in (self.algebra.at_most(need, x), self.algebra.at_most(x, room))
            ]
            if self._holds(conj(ends)):
                return Effect.NO_BOX
        return Effect.OPEN

    def _several(
        self, ends: tuple[Poly, Poly], modulus: Poly, start: Poly, slopes: Sequence[_Slope], part: Part
    ) -> Part | Effect:
        """If addresses meet several repetitions: a path of steps that jump over nothing meets an invalid index."""
        length = minus(*ends[::-1])
        gap = minus(modulus, length)
        if all(self._at_most(s.rise, length) and self._at_most(s.rise, gap) for s in slopes):
            return Effect.NO_BOX
        if len(slopes) == 1 and slopes[0].rise == UNIT:  # steps of 1 jump over nothing but an empty interval
            return Effect.ALL if self._below(gap, UNIT) else Effect.NONE
        return Effect.OPEN

    def _cut(self, part: Part, s: _Slope, first: Poly, count: Poly) -> Part:
        return part.cut(s.axis, minus(minus(plus(s.last, UNIT), first), count) if s.turned else first, count)

    # Comparisons

    def _holds(self, claim: Term) -> bool:
        """Whether the claim holds; both outcomes are followed if that is open."""
        return bool(claim.args[0]) if claim.op == "bool" else self.fork.holds(claim)

    def _knows(self, claim: Term) -> bool:
        return bool(claim.args[0]) if claim.op == "bool" else self.fork.known.implies(claim)

    def _at_most(self, p: Poly, q: Poly) -> bool:
        return self._holds(self.algebra.at_most(p, q))

    def _below(self, p: Poly, q: Poly) -> bool:
        return self._holds(self.algebra.below(p, q))

    def _is_one(self, size: Poly) -> bool:
        return self._holds(disj(self.algebra.zero(minus(size, UNIT))))

    def _floor(self, p: Poly, by: Poly) -> Poly:
        if by == UNIT:
            return p
        always = self.algebra.is_positive(by) or self.known.implies(self.algebra.at_most(UNIT, by))
        if not always and not self._at_most(UNIT, by):
            raise _OpenDivisor
        whole, rest = split_by(p, by)
        if not rest or rest == {ONE: -1}:
            return plus(whole, rest)  # -1//by is -1
        found = divided(rest, by, self.algebra, self.fork.known)[0]
        if not always and not set(found) <= {ONE}:
            by = self._from_one(by)
            whole, rest = split_by(p, by)
            found = divided(rest, by, self.algebra, self.fork.known)[0]
        return plus(whole, found)

    def _from_one(self, by: Poly) -> Poly:
        """max(1, by): equal to a divisor that is positive on this path, and never 0 on others."""
        found = self.algebra.poly_of(Term("max", (num(1), self.algebra.term(by))))
        self.algebra.positive |= {name for m in found for name in m}
        return found

    def _ceil(self, p: Poly, by: Poly) -> Poly:
        return negative(self._floor(negative(p), by))
