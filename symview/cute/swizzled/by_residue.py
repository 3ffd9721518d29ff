"""Swizzled layouts with symbols for strides: for which they are layouts, and which.

S(y) − y depends on y mod Q, Q the length of the interval that S permutes. So whether S ∘ (o + Σ x_i·d_i) is a layout
that refines the modes depends on the d_i mod Q, the sizes of its parts too, and each stride is that of the layout
behind plus a number. Where all sizes are powers of two, every layout refines the modes; elsewhere some strides may make
a layout of other sizes, and numbers are asked of `as_layout` one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

from symview.answers import AmbiguousTruth
from symview.cute.comparer import running
from symview.cute.first_failures import NotALayout
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.linear.conversions import as_layout, not_from_zero
from symview.cute.linear.straight import parts_of
from symview.cute.modes import assembled, coalesced
from symview.cute.swizzled.fronted import Fronted, fronted, in_runs
from symview.displayed import Displayed
from symview.engine.map import Mode
from symview.errors import Undecided
from symview.logic.budget import Budget

_RESIDUES = 1 << 13


class LayoutOf(NamedTuple):
    """The residues at which a swizzled layout is this layout; None where no layout refines its modes, as at `example`.

    `decided`: false where a layout of other sizes may be found there, for some values.
    """

    residues: tuple[tuple[int, ...], ...]
    layout: Layout | None
    example: NotALayout | None
    decided: bool = True


@dataclass(frozen=True, slots=True)
class AsLayoutConditions(Displayed):
    """By the residues of the symbols modulo a number: the layout that a swizzled one is, for all values from 0 on.

    At numbers the answer is that of `as_layout`.
    """

    asked: Fronted
    modulus: int
    cases: tuple[LayoutOf, ...]

    def case(self, values: Mapping[Any, int]) -> LayoutOf:
        """The case that holds at these values, by symbol or name."""
        self.asked.at(values)
        given = {str(k): v for k, v in values.items()}
        residues = tuple([given[n] % self.modulus for n in self.asked.names])
        return next(c for c in self.cases if residues in c.residues)

    def holds(self, values: Mapping[Any, int]) -> bool:
        """Whether it is a layout there."""
        return isinstance(self._at(values), Layout)

    def layout(self, values: Mapping[Any, int]) -> Layout | None:
        """The coalesced layout there, None where there is none."""
        found = self._at(values)
        return found if isinstance(found, Layout) else None

    def counterexample(self, values: Mapping[Any, int]) -> NotALayout | None:
        """Where it stops being a layout at these values; None where it is one."""
        found = self._at(values)
        return found if isinstance(found, NotALayout) else None

    def _at(self, values: Mapping[Any, int]) -> Layout | NotALayout:
        return as_layout(self.asked.at(values))

    def __bool__(self) -> bool:
        raise AmbiguousTruth("conditions are neither yes nor no: ask holds(values)")

    def __str__(self) -> str:
        answered = [c for c in self.cases if c.layout is not None]
        decided = all(c.decided for c in self.cases)
        none = "never" if decided else "no layout with modes inside these; for one of other sizes ask holds(values)"
        if len(self.cases) == 1:
            return f"always: {answered[0].layout}" if answered else none
        rest = [f"elsewhere: {none}"] if len(answered) < len(self.cases) else []
        return "\n".join([*[f"{self._where(c)}: {c.layout}" for c in answered], *rest])

    def _where(self, case: LayoutOf) -> str:
        names = self.asked.names
        flat = [r[0] for r in case.residues]
        listed = in_runs(flat) if len(names) == 1 else ", ".join(f"({','.join(map(str, r))})" for r in case.residues)
        left = names[0] if len(names) == 1 else f"({','.join(names)})"
        return f"{left} mod {self.modulus} in {listed}"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        cases = [
            {"residues": [*map(list, c.residues)], "layout": None if c.layout is None else str(c.layout),
             "decided": c.decided}
            for c in self.cases
        ]  # fmt: skip
        return {"question": str(self.asked), "symbols": list(self.asked.names), "modulus": self.modulus, "cases": cases}


def as_layout_conditions(composed: Any, budget: Budget | None = None) -> AsLayoutConditions:
    """For which strides a swizzled layout is a layout, and which: what `as_layout` says, for symbols from 0 on.

    By the residues of the symbols modulo the length of the interval that the swizzles permute; the parts are those of
    the residues, the strides those behind plus numbers. Exact where all sizes are powers of two. Elsewhere there may
    be a layout that has no mode for each of the given ones: cases say for which residues that is open, and `holds`,
    `layout` and `counterexample` decide it for numbers. Strides are linear in the symbols, sizes and offsets numbers.
    Raises Undecided where there are too many residues.

    >>> from symview.cute import ComposedLayout, Layout, Swizzle
    >>> found = as_layout_conditions(ComposedLayout(Swizzle(1, 0, 2), 0, Layout.parse("8:d")))
    >>> print(found)
    d mod 8 in 0: 8:d
    d mod 8 in 2: (2,2,2):(d,2*d + 1,4*d)
    d mod 8 in 4: (2,4):(d + 1,2*d)
    d mod 8 in 5: (2,2,2):(d - 1,2*d,4*d + 1)
    elsewhere: never
    >>> print(found.layout({"d": 13}), found.counterexample({"d": 3}).index)
    (2,2,2):(12,26,53) 3
    """
    asked = fronted(composed, "as_layout_conditions").coalesced()
    budget, period = running(budget), asked.period()
    if period ** len(asked.names) > _RESIDUES:
        raise Undecided(f"as_layout_conditions: {period} residues of each of {len(asked.names)} symbols")
    first = asked.map((0,) * len(asked.names))(0)
    if first:
        return AsLayoutConditions(asked, 1, (LayoutOf(((0,) * len(asked.names),), None, not_from_zero(first)),))
    decided = all(n & n - 1 == 0 for n in leaves(asked.layout.shape))
    found: dict[Any, tuple[list[tuple[int, ...]], Any]] = {}
    for residues in product(range(period), repeat=len(asked.names)):
        budget.spend(100)
        key, case = _case(asked, residues, parts_of(asked.map(residues), asked.layout, budget))
        found.setdefault(key, ([], case))[0].append(residues)
    shorter = _shortest(found, period)
    cases = [
        LayoutOf(tuple(r for r in rs if max(r, default=0) < shorter), layout, why, decided or layout is not None)
        for rs, (layout, why) in found.values()
    ]
    return AsLayoutConditions(asked, shorter, tuple(cases))


def _case(
    asked: Fronted, residues: Sequence[int], parts: list[list[Mode]] | NotALayout
) -> tuple[Any, tuple[Layout | None, Any]]:
    """What two residues have to agree in to be one case, and what it says."""
    if isinstance(parts, NotALayout):
        return None, (None, parts)
    added, modes = list[tuple[int, int]](), list[tuple[Any, Any]]()
    for own, d, linear in zip(parts, leaves(asked.layout.stride), asked.strides, strict=True):
        place = 1
        for n, stride in own:
            more = stride - linear.at(residues) * place
            added.append((n, more))
            modes.append((n, d * place + more))
            place *= n
    return tuple(added), (assembled(coalesced(modes)), None)


def _shortest(found: Mapping[Any, tuple[list[tuple[int, ...]], Any]], period: int) -> int:
    """The least divisor of the period by which residues decide the case, the period being a power of two."""
    case = {r: key for key, (rs, _) in found.items() for r in rs}
    shorter = period
    while shorter > 1 and all(
        case[r] == case[tuple([x % (shorter // 2) for x in r])] for r in case if max(r, default=0) < shorter
    ):
        shorter //= 2
    return shorter
