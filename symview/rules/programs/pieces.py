"""Programs as pieces: the element at an index, as polynomials in digits, and where it is padding.

A program is read backwards from an index of its result, step by step by `meaning.arms`. To write an address in the
digits of the shape before, each division uses the first of five rules that applies; the divisor B is a size, and at
least 1 wherever an index exists.

1  t = p·B + r by the leading monomial of B        an identity; go on with r
2  0 <= r − k·B < B for k = 0, −1 or 1             quotient p + k, remainder r − k·B
3  r is a bare digit i                             i becomes i'·B + i'', everywhere, and all starts again
4  B = g·B', r = g·u + v with 0 <= v < g           quotient p + u//B', remainder g·(u mod B') + v
5  otherwise                                       a fresh quotient q with 0 <= r − q·B < B, shared by equal (r, B)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from symview.logic.inequalities import Known, Premise
from symview.logic.polynomial import UNIT, Poly, denied, divided, minus, plus, substitute, times
from symview.rules.divisions import Factored, by_factor, nearest, within
from symview.rules.programs.meaning import Arm, arms
from symview.rules.programs.program import Program
from symview.rules.programs.setting import Setting, at_index

Index: TypeAlias = tuple[Poly, ...]
Trail: TypeAlias = tuple[tuple[Literal["guard", "fact"], Poly], ...]


class Piece(NamedTuple):
    """An element of a tensor; `trail` has its guards, and the facts about quotients that hold under them, in order."""

    tensor: str
    terms: Index
    trail: Trail
    known: Known


class Frame(NamedTuple):
    """The index of the result in digits, the sizes of the digits, and bounds on digits without a size."""

    terms: Index
    digits: dict[str, Poly]
    bounds: tuple[Poly, ...] = ()

    def split(self, at: Split) -> Frame:
        """The index after replacing a digit i by i'·B + i''."""
        size = self.digits[at.digit]
        high, low = f"{at.digit}'", f'{at.digit}"'
        whole, rest = divided(size, at.by)
        by: Poly = {(low,): 1}
        if whole != UNIT or rest:
            by = plus(times({(high,): 1}, at.by), by)
        digits = {n: s for n, s in self.digits.items() if n != at.digit}
        digits |= {low: at.by} if rest else {high: whole, low: at.by}
        more = ({(high,): 1}, minus(minus(size, by), UNIT)) if rest else ()
        return Frame(
            tuple(substitute(p, at.digit, by) for p in self.terms), digits,
            (*(substitute(p, at.digit, by) for p in self.bounds), *more),
        )  # fmt: skip


class Split(Exception):
    """A digit has to be split by a divisor, in both programs."""

    def __init__(self, digit: str, by: Poly) -> None:
        self.digit, self.by = digit, by
        super().__init__(digit)


class Reader:
    """Reads programs of one setting backwards; `premises` collects the formulas that the readings rest on."""

    def __init__(self, setting: Setting, frame: Frame, solver: bool) -> None:
        self.setting, self.frame = setting, frame
        self.base = setting.known.plus(bounds=frame.bounds, digits=frame.digits, solver=solver)
        self.fresh: dict[object, str] = {}
        self.premises: list[Premise] = []

    def pieces(self, program: Program) -> list[Piece]:
        """The pieces of a program at the frame's index. Raises Split if a digit has to be split first."""
        return list(self._back(program, self.frame.terms, self.base, ()))

    def holds(self, known: Known, p: Poly) -> bool:
        """Whether p >= 0 is known; if so, it is recorded as a premise."""
        if not known.holds(p):
            return False
        self._note(known, [p])
        return True

    # Backwards through a program

    def _back(self, program: Program, index: Index, known: Known, trail: Trail) -> Iterator[Piece]:
        """The pieces at an index: one step back, then those of the program before."""
        self.setting.budget.spend(200)
        sizes = [self.setting.poly(size) for size in program.sizes]
        if not all(sizes):
            return  # a size of 0 has no index
        index = tuple({} if n == UNIT else i for i, n in zip(index, sizes, strict=True))
        known, trail = self._inside(sizes, index, known, trail)
        if program.before is None:
            yield Piece(program.step.given[0], index, trail, known)
        at, names = at_index(index)
        for arm in arms(program, names, self.setting.blocks):
            if (found := self._through(arm, at, known, trail)) is not None:
                yield from self._back(arm.before, *found)

    def _through(
        self, arm: Arm, at: Mapping[str, Poly], known: Known, trail: Trail
    ) -> tuple[Index, Known, Trail] | None:
        """The index before a step; None if a guard never holds, or there is no index."""
        for guard in arm.guards:
            if (found := self._guarded(self.setting.poly(guard, at), known, trail)) is None:
                return None
            known, trail = found
        old = [self.setting.poly(size) for size in arm.before.sizes]
        if not all(old):
            return None
        facts = [p for t in arm.facts if not known.sees(p := self.setting.poly(t, at))]
        known, trail = _with_facts(facts, known, trail)
        moved: list[Poly] = [{}] * len(old)
        for address, (first, *rest) in arm.places:
            left = self.setting.poly(address, at)
            for k in reversed(rest):  # the last digit first
                left, moved[k], known, trail = self._divided(left, old[k], known, trail)
            moved[first] = left
        return tuple(moved), known, trail

    def _inside(self, sizes: Sequence[Poly], index: Index, known: Known, trail: Trail) -> tuple[Known, Trail]:
        """Adds the facts that an index is inside its shape, so that no size is 0."""
        below = [minus(n, UNIT) for n in sizes]
        facts = [p for p in below if not known.sees(p)]
        if known.solver:
            for i, high in zip(index, below, strict=True):
                facts += [p for p in (i, minus(high, i)) if not known.sees(p)]
        return _with_facts(facts, known, trail)

    def _guarded(self, guard: Poly, known: Known, trail: Trail) -> tuple[Known, Trail] | None:
        """Adds a guard; None if it never holds."""
        guard = self._without_low_digit(known.reduced(guard), known)
        if self.holds(known, guard):
            return known, trail
        never = denied(guard)
        if known.sees(never):
            self.premises.append(Premise(known, (guard,)))
            return None
        return known.plus(bounds=[guard]), (*trail, ("guard", guard))

    def _without_low_digit(self, guard: Poly, known: Known) -> Poly:
        """Simplifies p·B + r >= 0 to p >= 0 if 0 <= r < B, and to p >= 1 if −B <= r < 0."""
        for digit, size in self.base.sizes.items():
            if size != UNIT and guard.get((digit,)) in (1, -1):
                p, r = divided(guard, size, floor=False)
                if p and self.holds(known, r) and self.holds(known, minus(minus(size, UNIT), r)):
                    return p
                low = plus(r, size)
                if p and self.holds(known, low) and self.holds(known, minus(minus(size, UNIT), low)):
                    return minus(p, UNIT)
        return guard

    # Division

    def _divided(self, t: Poly, by: Poly, known: Known, trail: Trail) -> tuple[Poly, Poly, Known, Trail]:
        """Quotient and remainder, with the facts about fresh quotients added."""
        t = known.reduced(t)
        if by == UNIT:
            return t, {}, known, trail
        p, r = divided(t, by)
        if not r:
            return p, r, known, trail
        plain = known.plus(solver=False) if known.solver else known
        if (found := self._nearest(r, by, plain)) is not None:
            return plus(p, found[0]), found[1], known, trail
        self._split(r, by, whole=True)
        if (parts := self._factored(r, by, plain)) is None:
            if known.solver and (found := self._nearest(r, by, known)) is not None:
                return plus(p, found[0]), found[1], known, trail
            self._split(r, by, whole=False)
            parts = self._factored(r, by, known) if known.solver else None
        if parts is not None:
            q, low, known, trail = self._divided(parts.top, parts.bottom, known, trail)
            return plus(p, q), plus(times(parts.factor, low), parts.rest), known, trail
        return self._fresh(p, r, by, known, trail)

    def _nearest(self, r: Poly, by: Poly, known: Known) -> tuple[Poly, Poly] | None:
        found = nearest(r, by, known.holds)
        if found is not None:
            self._note(known, within(found[1], by))
        return found

    def _factored(self, r: Poly, by: Poly, known: Known) -> Factored | None:
        found = by_factor(r, by, known.holds)
        if found is not None:
            self._note(known, found.requirements())
        return found

    def _note(self, known: Known, proved: Iterable[Poly]) -> None:
        """Records premises that the reading rests on."""
        self.premises += [Premise(known, (denied(p),)) for p in proved]

    def _split(self, r: Poly, by: Poly, whole: bool) -> None:
        """Raises Split if r is a digit, and the divisor is at least 1 wherever the digit exists."""
        if len(r) != 1 or next(iter(r.values())) != 1 or len(next(iter(r))) != 1:
            return
        (digit,) = next(iter(r))
        if digit not in self.frame.digits or any(n in self.frame.digits for m in by for n in m):
            return
        if whole and divided(self.frame.digits[digit], by)[1]:
            return
        if self.base.sees(minus(by, UNIT)) and self.holds(self.base, minus(by, UNIT)):
            raise Split(digit, by)

    def _fresh(self, p: Poly, r: Poly, by: Poly, known: Known, trail: Trail) -> tuple[Poly, Poly, Known, Trail]:
        key = (frozenset(r.items()), frozenset(by.items()))
        q: Poly = {(self.fresh.setdefault(key, f"q.{len(self.fresh)}"),): 1}
        low = minus(r, times(q, by))
        facts = [low, minus(minus(by, UNIT), low)]
        if self.holds(known, r):
            facts.append(q)
        known, trail = _with_facts(facts, known, trail)
        return plus(p, q), low, known, trail


def _with_facts(facts: Sequence[Poly], known: Known, trail: Trail) -> tuple[Known, Trail]:
    if not facts:
        return known, trail
    return known.plus(bounds=facts), (*trail, *(("fact", p) for p in facts))
