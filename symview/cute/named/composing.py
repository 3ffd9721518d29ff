"""A ∘ B with symbols: one walk along B's modes, on integers that may be symbolic and fork.

For A, f(x) = base·x + Σ defect·floor(x/place), so a mode (N:r) of B asks for h(x) = f(r·x) on [0, N). Until the first
overflow h is linear. It stays linear only if the defects there add up to 0. Otherwise the mode splits there, which
needs the number of steps so far to divide N. If both are possible, both are answers: an equation on A's strides, or a
split. Finally, all modes of B together must not overflow. `refining` handles a B that enumerates an interval.

Numbers have a walk of their own: run with names, it has more cases where B's strides are names, and takes much longer.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise, product
from operator import mul
from typing import Any

from symview.cases.asker import Asker
from symview.cases.equations import Equations, monomials
from symview.cases.forks import Fork, all_paths
from symview.cases.table import Unknown, describe
from symview.cases.whole import Whole
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import is_int, leaves, like
from symview.cute.layout import Layout
from symview.cute.modes import Modes
from symview.cute.named.entries import Names
from symview.cute.named.entries import form_of as entry_form
from symview.cute.named.refining import (
    interval_order,
    joined,
    mode_of,
    nested,
    over_interval,
    split_tile,
    with_pieces,
)
from symview.cute.named.substitution import put
from symview.cute.walk import walked
from symview.engine.breaks import RisingWalk
from symview.engine.index_map import IndexMap
from symview.engine.overflow import Carry
from symview.engine.overflow_space import find_rows
from symview.engine.row_space import RowSpace
from symview.errors import Undecided
from symview.logic.integer import form_of, of_term
from symview.logic.polynomial import ONE, Poly, substitute
from symview.logic.sympy_bridge import free_symbols, to_term

_MOST_OF_NUMBERS, _MOST_RESIDUES, _MOST_OPEN_SIZES = 1 << 12, 1 << 8, 1 << 6  # residues modulo A's last place
_MOST_VALUES = 65  # values of a size of A that are tried
_UNSETTLED = "B does not split along A's modes here; whether overflows cancel is undecided"


def compose(ask: Names, outer: Layout, inner: Layout, apart: int = 0) -> Layout:
    """A ∘ B on one path of a fork; raises NoAnswer if there is no layout, Undecided if that is open.

    `apart` is the number of open strides, if each stride of A exceeds the reach of the modes before it; see `refining`.
    """
    order = interval_order(inner)
    of_numbers = inner.numeric and all(map(is_int, leaves(outer.shape)))
    if order is not None and not of_numbers:
        return over_interval(ask, outer if outer.flat() else Layout(1, 0), inner, order, apart)
    if apart > 1 and not outer.numeric and inner.numeric and all(d >= 0 for n, d in inner.flat() if n != 1):
        moving = [k for k, (n, d) in enumerate(inner.flat()) if n != 1 and d != 0]
        return with_pieces(inner, moving, split_tile(ask, outer, [inner.flat()[k] for k in moving]))
    walk = _Walk(ask, outer, inner)
    if walk.has_numbers():
        return _walked(ask, walk)
    return _split_along(ask, outer, inner)


def _walked(ask: Asker, walk: _Walk) -> Layout:
    """A ∘ B by B's modes: each splits wherever possible; if that requires equations, a second walk forks at splits."""
    try:
        found = walk.layout()
        again = walk.could_choose and bool(walk.equations)
    except (NoAnswer, Undecided):
        if not walk.could_choose:
            raise
        again = True
    if again:
        walk = _Walk(ask, walk.outer, walk.inner, choosing=True)
        found = walk.layout()
    ask.required += walk.equations
    return found


class _Walk:
    """One composition on one path; `equations` are those that the layout requires of A's strides."""

    def __init__(self, ask: Asker, outer: Layout, inner: Layout, choosing: bool = False) -> None:
        self.ask = Asker(ask.fork)  # its quotients ask: a size 2//a of A is a number for each value of a
        self.outer, self.inner, self.choosing = outer, inner, choosing
        self.could_choose = False
        self.required: list[Poly] = []
        self.equations: tuple[Poly, ...] = ()
        self.symbols = free_symbols([x for layout in (outer, inner) for m in layout.flat() for x in m])
        self.tiles = self._wholes(inner.flat())
        modes = self._wholes(joined(outer.flat() or [(1, 0)]))
        if any(isinstance(n, int) and n < 1 for n, _ in modes):  # a path that was not seen to be impossible
            raise NoAnswer(f"a size of {outer} is below 1")
        modes = self._passed(modes)
        self.order = [form_of(d) for _, d in reversed(modes)]
        self.base, self.bends, place = modes[0][1], list[tuple[Any, Any]](), 1
        for (n, d), (_, e) in pairwise(modes):
            place = place * n
            defect = e - n * d
            if isinstance(defect, Whole) or defect:
                self.bends.append((place, defect))
        self.period = self.bends[-1][0] if self.bends else 1
        self.unknowns = _unknowns(inner)

    def _wholes(self, modes: Modes) -> Modes:
        return [(self.ask.whole(to_term(n)), self.ask.whole(to_term(d))) for n, d in modes]

    def _passed(self, modes: Modes) -> Modes:
        """The modes of A that a numeric B reaches; symbolic sizes that it passes become numbers, if these are few."""
        if not all(isinstance(x, int) for mode in self.tiles for x in mode):
            return modes
        top, place, found = sum([(n - 1) * max(d, 0) for n, d in self.tiles]), 1, [*modes]
        for number, (size, _) in enumerate(modes[:-1]):
            room, size = top // place + 1, self.ask.now(size)
            if not isinstance(size, int):
                if room <= size:
                    found = found[: number + 1]
                    break
                if room > _MOST_VALUES:
                    return modes
                size = self.ask.value(size, 1, room - 1)
                found[number] = size, modes[number][1]
            place *= size
        return [(self.ask.now(n), self.ask.now(d)) for n, d in found]

    def _upward(self, size: Any, step: Any) -> tuple[Any, Any]:
        """Normalises a mode of B: stride 0 for size 1; raises NoAnswer for a negative stride otherwise."""
        if (isinstance(size, int) and size == 1) or step >= 0:
            return size, step
        if size == 1:
            return 1, 0
        raise NoAnswer(f"B's stride {step} leads below 0")

    def has_numbers(self) -> bool:
        """Whether A's places are numbers, and B's strides are numbers or have few residues."""
        if not all(isinstance(place, int) for place, _ in self.bends):
            return False
        most = _MOST_OPEN_SIZES if not self._has_sizes() else _MOST_OF_NUMBERS if self.outer.numeric else _MOST_RESIDUES
        return bool(self.period ** len(self.unknowns) <= most)

    def _has_sizes(self) -> bool:
        return all(map(is_int, leaves(self.inner.shape)))

    def _residues(self) -> list[int]:
        """The stride of each mode of B, or its residue modulo A's last place."""
        if not self.unknowns or self.period == 1:
            return [d for _, d in self.tiles]
        columns = [Unknown(to_term(x), 0, self.period - 1, self.period) for x in self.unknowns]
        if not self._has_sizes():
            return self._at([self.ask.fork.value(x.column(), range(self.period)) for x in columns])
        points = [*product(range(self.period), repeat=len(columns))]
        groups = self.ask.fork.once((self.outer, self.inner), lambda: self._grouped(points))
        *fewer, most = sorted(groups, key=len)
        budget = self.ask.budget
        return self._at(next((g for g in fewer if self.ask.holds(describe(g, points, columns, budget))), most)[0])

    def _grouped(self, points: Sequence[tuple[int, ...]]) -> list[list[tuple[int, ...]]]:
        """Groups the residues for which B splits in the same way."""
        groups: dict[object, list[tuple[int, ...]]] = {}
        for point in points:
            tile = Layout(self.inner.shape, like(self.inner.stride, iter(self._at(point))))
            groups.setdefault(_splitting(self.ask, self.outer, tile), []).append(point)
        return list(groups.values())

    def _at(self, point: Sequence[int]) -> list[int]:
        """B's strides, if its unknowns have these residues."""
        rests = dict(zip(self.unknowns, point, strict=True))
        names = {str(x): rest for x, rest in rests.items() if x.is_name()}
        strides = [0 if n == 1 else d for n, d in self.inner.flat()]
        return [d if is_int(d) else rests[d] if d in rests else int(put(d, names)) for d in strides]

    def layout(self) -> Layout:
        """Computes A ∘ B."""
        parts: list[tuple[Any, Any]] = []  # sizes and steps, the latter possibly modulo A's last place
        self.tiles = [self._upward(*mode) for mode in self.tiles]
        rests = self._residues()
        pieces = [self._mode(n, d, rest, parts) for (n, d), rest in zip(self.tiles, rests, strict=True)]
        if len(parts) > 1:
            self._need_independent(parts)
        reduced = Equations(self.required, monomials([*self.order, *self.required]))
        self.equations = reduced.forms
        known: dict[str, Poly] = {}
        for form in reversed(reduced.forms):
            (lead, scale), *rest = form.items()
            if len(lead) == 1 and scale == 1:
                known[lead[0]] = _put({m: -c for m, c in rest}, known)
        merged = [self._merged(found) for found in pieces]
        modes = [mode_of([(self._entry(n, known), self._entry(d, known)) for n, d in found]) for found in merged]
        return nested(self.inner.shape, modes)

    def _merged(self, pieces: Modes) -> Modes:
        """Merges neighbouring pieces that continue each other by the equations so far."""
        found = pieces[:1]
        for size, value in pieces[1:]:
            (before, start) = found[-1]
            if self._is_zero(value - before * start):
                found[-1] = (before * size, start)
            else:
                found.append((size, value))
        return found

    def _entry(self, x: Any, known: dict[str, Poly]) -> Any:
        x = self.ask.number(_put(form_of(x), known))
        return x if isinstance(x, int) else of_term(self.ask.term(x), self.symbols)

    # One mode

    def _mode(self, size: Any, step: Any, rest: int, parts: Modes) -> Modes:
        """Splits one mode of B into modes along which A's values are linear."""
        if (isinstance(size, int) and size == 1) or (isinstance(step, int) and step == 0):
            return [(size, 0)]
        left, found = size, list[tuple[Any, Any]]()
        while True:
            reach, value = self._straight(step, left, rest)
            parts.append((reach, rest))
            found.append((reach, value))
            if reach is left:
                return found
            left, step, rest = left // reach, step * reach, rest * reach

    def _straight(self, step: Any, left: Any, rest: int) -> tuple[Any, Any]:
        """How many of `left` steps are linear, and the value of one step."""
        bends = [(place, defect) for place, defect in self.bends if not self._is_zero(defect)]
        value = sum([defect * (step // place) for place, defect in bends], self.base * step)
        carries = [Carry(place, 0, (rest % place,)) for place, _ in bends]
        size = left if isinstance(left, int) else self.period + 1  # overflows repeat with the last place
        walk = RisingWalk(carries, size, self.ask.budget)
        while (n := walk.next_break(self._functionals([d for _, d in bends]))) is not None:
            if not isinstance(left, int) and left <= n:
                return left, value
            if self._splits(left, n, sum([c.at((n,)) * d for c, (_, d) in zip(carries, bends, strict=True)])):
                return n, value
        return left, value

    def _splits(self, left: Any, n: Any, defect: Any) -> bool:
        """Whether the mode splits after n steps; if not, requires that the defect is 0."""
        if left % n != 0:
            self._require(defect, f"a mode would need the size {n}, which does not divide {left}")
            return False
        if self._is_never_zero(defect):
            return True
        self.could_choose = True
        if not self.choosing or self.ask.fork.one_of((True, False)):
            return True
        self._require(defect, "")
        return False

    # All modes together

    def _need_independent(self, parts: Modes) -> None:
        """Requires that the parts together do not overflow."""
        bends = [(place, defect) for place, defect in self.bends if not self._is_zero(defect)]
        if not bends:
            return
        open_sizes = [k for k, (n, _) in enumerate(parts) if not isinstance(n, int)]
        if not open_sizes:
            for form in self._carried(bends, parts):
                self._require(form, f"{self.outer} ∘ {self.inner} is not a layout")
        elif len(open_sizes) == 1 and all(isinstance(d, int) for _, d in bends):
            self._need_size(bends, parts, open_sizes[0])
        else:
            most = [(place, defect, sum([(n - 1) * (r % place) for n, r in parts])) for place, defect in bends]
            doubtful = [defect for place, defect, end in most if end >= place]
            if len(doubtful) > 1:
                raise Undecided(_UNSETTLED)
            for defect in doubtful:  # a single boundary cannot cancel
                self._require(defect, f"{self.outer} ∘ {self.inner} is not a layout")

    def _need_size(self, bends: Modes, parts: Modes, number: int) -> None:
        """The same with exactly one open size: the parts are independent up to some value of this size."""
        most = self.period + 1

        def fits(size: int) -> bool:
            there = [(size if k == number else n, r) for k, (n, r) in enumerate(parts)]
            return not any(self._carried(bends, there))

        if fits(most):
            return
        low, high = 0, most  # low fits, high does not
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if fits(middle) else (low, middle)
        if low == 0 or not parts[number][0] <= low:
            raise NoAnswer(f"{self.outer} ∘ {self.inner} is not a layout")

    def _carried(self, bends: Modes, parts: Modes) -> list[Any]:
        """Expressions that vanish together exactly if all overflows of the parts cancel; omits those known to be 0."""
        places = sorted({p for p, _ in bends}, reverse=True)
        weights = [sum([d for p, d in bends if p == q]) for q in places]
        box = IndexMap(tuple([n for n, _ in parts]), tuple([r for _, r in parts]), 0)
        rows = find_rows(tuple(places), box, budget=self.ask.budget)
        if not rows.complete:
            raise Undecided(rows.reason)
        return [x for row in rows.space.rows if not self._is_zero(x := sum(map(mul, row, weights)))]

    # What is required

    def _require(self, defect: Any, why: str) -> None:
        if self._is_zero(defect):
            return
        if self._is_never_zero(defect):
            raise NoAnswer(why)
        self.required.append(form_of(self.ask.now(defect)))

    def _monomials(self, forms: Sequence[Poly]) -> list[tuple[str, ...]]:
        return list(dict.fromkeys([*(m for f in [*self.required, *forms] for m in f if m), ONE]))

    def _space(self, monomials: list[tuple[str, ...]], more: Sequence[Poly] = ()) -> RowSpace:
        return RowSpace(len(monomials), [[f.get(m, 0) for m in monomials] for f in [*self.required, *more]])

    def _is_zero(self, x: Any) -> bool:
        """Whether the equations so far imply x = 0."""
        form = form_of(self.ask.now(x))
        if not form:
            return True
        monomials = self._monomials([form])
        return [form.get(m, 0) for m in monomials] in self._space(monomials)

    def _is_never_zero(self, x: Any) -> bool:
        """Whether x = 0 contradicts the equations so far."""
        form = form_of(self.ask.now(x))
        monomials = self._monomials([form])
        return len(monomials) - 1 in self._space(monomials, [form]).pivots

    def _functionals(self, defects: Sequence[Any]) -> list[tuple[int, ...]]:
        """Linear functionals of the counts; given the equations, Σ count·defect is 0 exactly if all of them vanish."""
        forms = [form_of(self.ask.now(d)) for d in defects]
        monomials = self._monomials(forms)
        rows = [[f.get(m, 0) for m in monomials] for f in forms]
        found = [tuple([sum(map(mul, row, v)) for row in rows]) for v in self._space(monomials).complement()]
        return list(RowSpace(len(rows), found).rows)


def _unknowns(inner: Layout) -> list[Any]:
    """The expressions that determine B's strides: their symbols, or the strides themselves if these are fewer."""
    strides = list(dict.fromkeys(d for n, d in inner.flat() if n != 1 and not is_int(d)))
    symbols = list(free_symbols(strides).values())
    divides = any("⟨" in name for d in strides for m in entry_form(d) for name in m)
    return strides if divides or len(strides) < len(symbols) else symbols


def _splitting(ask: Asker, outer: Layout, inner: Layout) -> object:
    """How a numeric B splits, with the widest equations on A's strides, by what is asked; None if it does not split."""
    if outer.numeric:
        with suppress(NoComposition):
            return walked(outer, inner, ask.budget).shape
        return None

    def run(fork: Fork) -> tuple[object, tuple[Poly, ...]] | None:
        one = Asker(fork)
        with suppress(NoAnswer):
            return _walked(one, _Walk(one, outer, inner)).shape, tuple(one.required)
        return None

    paths = all_paths(run, ask.fork.known, ask.budget)
    answers = [(path.where, *path.result) for path in paths if isinstance(path.result, tuple)]
    monomials = sorted({m for *_, forms in answers for f in forms for m in f})
    shapes = {(w, RowSpace(len(monomials), [[f.get(m, 0) for m in monomials] for f in fs])): s for w, s, fs in answers}
    widest = [(w, k) for w, k in shapes if not any(v == w and k is not j and contains(k, j) for v, j in shapes)]
    undecided = [(path.where, path.result.reason) for path in paths if isinstance(path.result, Undecided)]
    return tuple(monomials), frozenset((w, k.rows, shapes[w, k]) for w, k in widest), *undecided


def contains(large: RowSpace, small: RowSpace) -> bool:
    """Whether the first equations imply the second ones."""
    return all(row in large for row in small.rows)


def _put(form: Poly, known: dict[str, Poly]) -> Poly:
    for name, by in known.items():
        form = substitute(form, name, by)
    return form


# B's modes split along A's, as in Definition 2.13, and no overflow crosses modes


def _split_along(ask: Names, outer: Layout, inner: Layout) -> Layout:
    modes = ask.wholes(joined(outer.flat()))
    pieces: list[tuple[int, Any, Any]] = []  # for each: the mode of A that contains it, its size, its step
    parts = [mode_of(ask.entries(_split(ask, modes, n, r, pieces))) for n, r in ask.wholes(inner.flat())]
    place: Any = 1
    for number, (size, _) in enumerate(modes[:-1]):
        place = place * size
        below = sum([(n - 1) * r for at, n, r in pieces if at <= number])
        if not below < place:
            raise Undecided(_UNSETTLED)
    return nested(inner.shape, parts)


def _split(ask: Names, modes: Modes, size: Any, step: Any, pieces: list[tuple[int, Any, Any]]) -> Modes:
    """Splits one mode of B along A's modes."""
    if size == 1:
        return [(1, 0)]
    if step == 0:
        return [(size, 0)]
    if not step >= 0:
        raise NoAnswer(f"B's stride {ask.entry(step)} leads below 0")
    found: Modes = []
    rest, place = step, 1
    for number, (n, d) in enumerate(modes[:-1]):
        if (size - 1) * rest < n:
            modes = modes[: number + 1]
            break
        if ask.divides(n, rest):
            rest //= n
        elif ask.divides(rest, n):
            room = n // rest
            if not ask.divides(room, size):
                raise Undecided(_UNSETTLED)
            found.append((room, rest * d))
            pieces.append((number, room, place * rest))
            size, rest = size // room, 1
        else:
            raise Undecided(_UNSETTLED)
        place = place * n
    found.append((size, rest * modes[-1][1]))
    pieces.append((len(modes) - 1, size, place * rest))
    return found
