"""The layout of a tile with the fewest bank conflicts, and why none has fewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product
from math import prod
from typing import Any

from symview.cute.comparer import running
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import also_named
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.shared_memory.answer import BestLayout, Design, UndecidedLayout
from symview.cute.shared_memory.search import Search
from symview.cute.shared_memory.spaces import Bits, Memory, Setting, clash, conflicts, cover, settings
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.engine.bases import value_of
from symview.errors import Undecided
from symview.logic.budget import Budget

FORMS = ("order", "swizzle", "linear")


@also_named(bytes="element_bytes")
def best_swizzle(
    tile: Any, accesses: Any, *, element_bytes: int, banks: int = 32, width: int = 4, objective: str = "sum",
    forms: Sequence[str] = FORMS, widest: bool = True, budget: Budget | None = None,
) -> BestLayout:  # fmt: skip
    """The layout of a tile in shared memory under which all its accesses together have the fewest conflicts.

    `tile`: sizes that are powers of two. `accesses`: each an `Access`, its name, a layout of threads and values, or a
    list of coordinates. Memory is that of `bank_conflicts`; each access is made everywhere in the tile. Least is the
    sum of the ways by weight (`objective="sum"`), of the wavefronts (`"wavefronts"`), or the most ways (`"most"`).
    Every access keeps its vectors; falsy, with two accesses, where no layout has the vectors of both.
    `widest=False` lets vectors be cut, for the fewest wavefronts. Of layouts that are as good, a plain order, else a
    swizzle behind one, else a linear layout of the coordinates, of the `forms` that are allowed.

    `proof` says why none is better: by `pigeonhole` or `cover` no layout at all is, by `search` no linear one is (of
    vectors below a word: for the words that were tried), `forms`: none of these. Exact. Raises LayoutError for accesses
    that are not linear in the bits of lanes, NoAnswer where none of the forms has the vectors, UndecidedLayout, with
    the best so far and a bound, where the budget ends. Source: docs/theory.md, shared memory.

    >>> found = best_swizzle((64, 64), ["cp.async 16 B", "ldmatrix"], element_bytes=2)
    >>> print(found.layout, found.ways, found.proof)
    SW_3_3_3 o 0 o (64,64):(64,1) {'cp.async 16 B': 1, 'ldmatrix': 1} pigeonhole
    """
    design = Design.of(tile, accesses, element_bytes, banks, width, objective, forms)
    running_budget = running(budget)
    if widest:
        return _Asked(design, running_budget).best()
    front = _front(design, running_budget)
    return min(front, key=lambda x: (x.wavefronts, x.instructions))


@also_named(bytes="element_bytes")
def swizzle_tradeoffs(
    tile: Any, accesses: Any, *, element_bytes: int, banks: int = 32, width: int = 4, forms: Sequence[str] = FORMS,
    budget: Budget | None = None,
) -> tuple[BestLayout, ...]:  # fmt: skip
    """What wider vectors cost: of all ways to cut vectors, the layouts that none beats in instructions and wavefronts.

    By rising instructions; each has the fewest wavefronts that its vectors allow. See `best_swizzle`.

    >>> for x in swizzle_tradeoffs((64, 64), ["row 16 B", "column 2 B"], element_bytes=2):
    ...     print(x.vectors, x.instructions, x.wavefronts)
    {'row 16 B': 16, 'column 2 B': 2} 2 8
    {'row 16 B': 8, 'column 2 B': 2} 3 6
    {'row 16 B': 4, 'column 2 B': 2} 5 5
    """
    return tuple(_front(Design.of(tile, accesses, element_bytes, banks, width, "wavefronts", forms), running(budget)))


def _front(design: Design, budget: Budget) -> list[BestLayout]:
    """The best layouts by rising instructions and falling wavefronts."""
    asked, found = _Asked(replace(design, objective="wavefronts"), budget), list[BestLayout]()
    cuts = product(*[range(len(a.vector), a.least - 1, -1) for a in asked.whole])
    for cut in sorted(cuts, key=lambda c: asked.count(c)):
        best = asked.best(cut, found[-1].wavefronts if found else None)
        if best and (not found or best.wavefronts < found[-1].wavefronts):
            same = bool(found) and best.instructions == found[-1].instructions
            found = [*found[: len(found) - same], best]
    if not found:
        raise NoAnswer("no layout has vectors of all these accesses, however they are cut")
    return found


class _Asked:
    """A design with its accesses as bits, which are cut in several ways."""

    def __init__(self, design: Design, budget: Budget) -> None:
        self.design, self.budget = design, budget
        self.memory = Memory.of(design.element_bytes, design.banks, design.width)
        self.n = sum(n.bit_length() - 1 for n in design.powers())
        self.whole = [Bits.of(lanes, design.tile) for lanes in design.lanes()]
        for a in self.whole:
            if self.memory.groups(len(a.vector)) < 0:
                raise LayoutError(f"{a.name}: a vector is wider than all banks")

    def count(self, cut: Sequence[int]) -> int:
        """The instructions by weight."""
        return sum(a.weight << len(a.vector) - v for a, v in zip(self.whole, cut, strict=True))

    def best(self, cut: Sequence[int] | None = None, below: int | None = None) -> BestLayout:
        """The best layout with vectors of so many bits; falsy where none has them, or none costs less than `below`."""
        cut = [len(a.vector) for a in self.whole] if cut is None else cut
        accesses = [a.cut(v) for a, v in zip(self.whole, cut, strict=True)]
        both = clash(accesses, self.n)
        if both is not None:
            return self._told(accesses, None, [], "clash", clash=(both[0].name, both[1].name))
        factors = [a.weight for a in accesses]
        if self.design.objective == "wavefronts":
            pairs = zip(accesses, self.whole, strict=True)
            factors = [a.weight * a.phases(self.memory) << len(b.vector) - len(a.vector) for a, b in pairs]

        def cost(ways: Sequence[int]) -> int:
            return self.design.cost(ways, factors)

        choices, every = settings(accesses, self.memory, self.n)
        if below is not None and choices[0].floors() and min(cost(s.floors()) for s in choices) >= below and every:
            return self._told(accesses, None, [], "clash")
        return self._solved(accesses, choices, cost)

    def _solved(self, accesses: list[Bits], choices: list[Setting], cost: Callable[[Sequence[int]], int]) -> BestLayout:
        """The cheapest layout: of the forms, and of all linear ones if these may be asked for."""
        whole = len(choices[0].vector) == max(len(a.vector) for a in accesses)  # not completed to words
        floors = choices[0].floors() if whole else [1] * len(accesses)
        floor, found = cost(floors), None
        for columns, layout in _formed(self.design, self.n, accesses):
            ways = [conflicts(columns, a, self.memory) for a in accesses]
            self.budget.spend(10)
            if found is None or cost(ways) < cost(found[2]):
                found = columns, layout, ways
                if cost(ways) == floor:
                    return self._told(accesses, layout, ways, "pigeonhole")
        if "linear" in self.design.forms:
            for setting in choices:
                found = self._searched(setting, accesses, cost, found, floor)
        if found is None:
            raise NoAnswer(
                f"no {' or '.join(self.design.forms)} has the vectors of {', '.join(a.name for a in accesses)}"
            )
        proof, basis = self._proof(choices[0] if whole else None, floors, cost, cost(found[2]))
        return self._told(accesses, found[1], found[2], proof, basis)

    def _searched(self, setting: Setting, accesses: list[Bits], cost: Any, found: Any, floor: int) -> Any:
        """What is cheaper than what was found, of all linear layouts of a setting; else that."""
        if found is None:
            units = [1 << i for i in range(len(setting.outside))]
            found = self._linear(setting.columns(units[min(setting.groups, len(units)) :]), accesses)
        if cost(found[2]) <= floor:
            return found
        search = Search(setting, cost, cost(found[2]), self.budget)
        try:
            kernel = search.run()
        except Undecided as error:
            so_far = self._linear(setting.columns(search.kernel()), accesses) if search.best is not None else found
            best = self._told(accesses, so_far[1], so_far[2], "none")
            raise UndecidedLayout(f"best_swizzle: {error.reason}", best, cost(so_far[2]), floor) from None
        return found if kernel is None else self._linear(setting.columns(kernel), accesses)

    def _linear(self, columns: list[int], accesses: list[Bits]) -> Any:
        rest, bases = iter(columns), {}
        for d, size in enumerate(self.design.tile):
            bases[f"dim{d}"] = [next(rest) for _ in range(size.bit_length() - 1)]
        layout = LinearLayout(bases, {"offset": 1 << self.n})
        return columns, layout, [conflicts(columns, a, self.memory) for a in accesses]

    def _proof(self, setting: Setting | None, floors: Sequence[int], cost: Any, reached: int) -> tuple[str, list[int]]:
        """Why no layout costs less, and the basis of a cover."""
        if reached == cost(floors):
            return "pigeonhole", []
        more = [[f + (i == j) for j, f in enumerate(floors)] for i, one in enumerate(floors) if one == 1]
        if setting is not None and more and reached == min(map(cost, more)):
            spaces = [s for s, f in zip(setting.spaces, floors, strict=True) if f == 1]
            found = cover(spaces, setting.groups + 1, self.budget.spend)
            if found is not None:
                return "cover", [value_of(setting.outside, x) for x in found]
        return "search" if "linear" in self.design.forms else "forms", []

    def _told(
        self, accesses: list[Bits], layout: Any, ways: Sequence[int], proof: str, basis: Sequence[int] = (),
        clash: tuple[str, str] | None = None,
    ) -> BestLayout:  # fmt: skip
        cut = [len(a.vector) for a in accesses]
        waves = sum((a.weight * a.phases(self.memory) * w) << len(b.vector) - len(a.vector)
                    for a, b, w in zip(accesses, self.whole, ways, strict=False))  # fmt: skip
        return self.design.answer(layout, ways, [1 << v for v in cut], waves, self.count(cut), proof, basis, clash)


def _formed(design: Design, n: int, accesses: Sequence[Bits]) -> Iterator[tuple[list[int], Any]]:
    """The orders of the dims, then swizzles of these, all that have the vectors; the row-major one of each first."""
    needed = [x for a in accesses for x in (*a.vector, *a.outside(n))]
    orders = []
    for order in permutations(reversed(range(len(design.tile)))):
        strides = [prod(design.tile[e] for e in order[: order.index(d)]) for d in range(len(design.tile))]
        columns = [s << i for s, size in zip(strides, design.tile, strict=True) for i in range(size.bit_length() - 1)]
        orders.append((Layout(design.tile, tuple(strides)), columns, [value_of(columns, x) for x in needed]))
    plain = [(Swizzle(0, 0, 0), 0)] if "order" in design.forms else []
    shifts = [s for i in range(1, n) for s in (i, -i)] if "swizzle" in design.forms else []
    swizzles = [Swizzle(b, m, s) for b in range(1, n // 2 + 1) for m in range(n - 2 * b + 1) for s in shifts
                if b <= abs(s) <= n - b - m]  # fmt: skip
    for swizzle, shift in [*plain, *[(x, x.shift) for x in swizzles]]:
        mask = swizzle.yyy_msk
        for layout, columns, values in orders:
            if _fits([x ^ _shifted(x & mask, shift) for x in values], accesses, n):
                swizzled = [x ^ _shifted(x & mask, shift) for x in columns]
                yield swizzled, ComposedLayout(swizzle, 0, layout) if mask else layout


def _shifted(x: int, by: int) -> int:
    return x >> by if by > 0 else x << -by


def _fits(values: list[int], accesses: Sequence[Bits], n: int) -> bool:
    """Whether the values, those of each access's vector and then of all outside, are of whole, aligned vectors."""
    at = 0
    for a in accesses:
        v = len(a.vector)
        if values[at : at + v] != [1 << j for j in range(v)] or any(x % (1 << v) for x in values[at + v : at + n]):
            return False
        at += n
    return True
