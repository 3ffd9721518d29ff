"""The layout of a tile with the fewest bank conflicts, and why none has fewer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, permutations, product, starmap
from math import prod
from typing import Any, NamedTuple

from symview.cute.analysis.machines import Hardware
from symview.cute.comparer import running
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import also_named
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.engine.bases import value_of
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.shared_memory.answer import BestLayout, UndecidedLayout, answered, clashing
from symview.shared_memory.design import FORMS, Design
from symview.shared_memory.search import Cost, Search
from symview.shared_memory.spaces import (
    Bits,
    Memory,
    Setting,
    clash,
    conflicts,
    cover,
    exponent,
    floor_alone,
    settings,
)

_OF_ORDER = 20  # work for one order of the dims
_ORDERS = 24  # orders that are tried before linear layouts: all of four dims


@also_named(bytes="element_bytes")
def best_swizzle(
    tile: Any, accesses: Any, *, element_bytes: int, banks: int | None = None, width: int | None = None,
    threads: int | None = None, machine: str | None = None, phases: Any = None, objective: str = "sum",
    forms: Sequence[str] = FORMS, widest: bool = True, budget: Budget | None = None,
) -> BestLayout:  # fmt: skip
    """Finds the layout of a tile in shared memory under which all its accesses together have the fewest conflicts.

    `tile`: sizes that are powers of two. `accesses`: each an `Access`, its name, a layout of threads and values, or a
    list of coordinates; more lanes than `threads` are several instructions. Memory, `machine` and `phases` are those of
    `bank_conflicts`; each access says whether it writes, and is repeated throughout the tile. It minimises the weighted
    sum of the ways (`objective="sum"`), of the wavefronts (`"wavefronts"`), or the most ways (`"most"`). Every access
    has whole vectors; the answer is falsy, with two accesses and the reason, if no layout has the vectors of both.
    `widest=False` allows cutting vectors, for the fewest wavefronts. Among equally good layouts it prefers a plain
    order, then a swizzle after one, then a linear layout of the coordinates, within the allowed `forms`; if a linear
    one is allowed, 24 orders of the dims are tried.

    `proof` says which layouts are no better: by `pigeonhole` or `cover` all with these vectors, by `search` all linear
    ones, by `words` those tried (if all vectors are below a word, which elements share a word is open), by `forms`
    those of these forms, by `swizzles` orders and swizzles (where reads and writes have different banks, no linear ones
    are tried). Exact. Raises LayoutError for accesses that are not linear in the bits of lanes, NoAnswer if none of the
    forms has the vectors, UndecidedLayout, with the best so far and a bound, if the budget ends.
    Source: proofs/README.md, layouts of shared memory.

    >>> found = best_swizzle((64, 64), ["cp.async 16 B", "ldmatrix"], element_bytes=2)
    >>> print(found.layout, found.ways, found.proof)
    Sw<3,3,3> o 0 o (64,64):(64,1) {'cp.async 16 B': 1, 'ldmatrix': 1} pigeonhole
    """
    hardware = Hardware.of("best_swizzle", banks, width, threads, machine, phases)
    design = Design.of(tile, accesses, element_bytes, hardware, objective, forms)
    if widest:
        in_bits = _InBits(design, running(budget))
        return in_bits.best([len(a.vector) for a in in_bits.whole])
    return min(_front(design, running(budget)), key=lambda x: (x.wavefronts, x.instructions))


@also_named(bytes="element_bytes")
def swizzle_tradeoffs(
    tile: Any, accesses: Any, *, element_bytes: int, banks: int | None = None, width: int | None = None,
    threads: int | None = None, machine: str | None = None, phases: Any = None, forms: Sequence[str] = FORMS,
    budget: Budget | None = None,
) -> tuple[BestLayout, ...]:  # fmt: skip
    """Finds, over all ways to cut vectors, the layouts that none beats in both instructions and wavefronts.

    They are sorted by instructions; each has the fewest wavefronts that its vectors allow. See `best_swizzle`.

    >>> for x in swizzle_tradeoffs((64, 64), ["row 16 B", "column 2 B"], element_bytes=2):
    ...     print(x.vectors, x.instructions, x.wavefronts)
    {'row 16 B': 16, 'column 2 B': 2} 2 8
    {'row 16 B': 8, 'column 2 B': 2} 3 6
    {'row 16 B': 4, 'column 2 B': 2} 5 5
    """
    hardware = Hardware.of("swizzle_tradeoffs", banks, width, threads, machine, phases)
    design = Design.of(tile, accesses, element_bytes, hardware, "wavefronts", forms)
    return tuple(_front(design, running(budget)))


def _front(design: Design, budget: Budget) -> list[BestLayout]:
    """The best layouts, by increasing instructions and decreasing wavefronts."""
    in_bits, found = _InBits(replace(design, objective="wavefronts"), budget), list[BestLayout]()
    cuts = product(*[range(len(a.vector), a.least - 1, -1) for a in in_bits.whole])
    for cut in sorted(cuts, key=lambda c: sum(design.instructions([1 << v for v in c]))):
        best = in_bits.best(cut, found[-1].wavefronts if found else None)
        if best and (not found or best.wavefronts < found[-1].wavefronts):
            found = [*[x for x in found if x.instructions < best.instructions], best]
    if not found:
        raise NoAnswer(f"however vectors are cut: {best.reason}")
    return found


class _Found(NamedTuple):
    """A layout, the ways of the accesses, and its cost."""

    layout: Any
    ways: Sequence[int]
    cost: int


class _InBits:
    """A design with its accesses as bits, whose vectors are cut in several ways."""

    def __init__(self, design: Design, budget: Budget) -> None:
        if not design.forms:
            raise LayoutError(f"forms {design.forms}: give some of {', '.join(FORMS)}")
        self.design, self.budget = design, budget
        self.n = sum(exponent(n, "a size of the tile") for n in design.tile)
        self.lanes, self.known = design.lanes(), dict[tuple[int, tuple[int, ...]], Bits]()
        self.whole = [self._bits(i, x.size) for i, x in enumerate(self.lanes)]
        for a in self.whole:
            if a.memory.groups(len(a.vector)) < 0:
                raise LayoutError(f"{a.name}: a vector is wider than all banks")

    def _bits(self, number: int, vector: int) -> Bits:
        """An access with vectors cut to this size, which may have phases of its own."""
        lanes, found = self.lanes[number], self.design.memories(number, vector)[0]
        phases = found.served(len(lanes.instructions[0]))
        order = tuple([lane for phase in phases for lane in phase])
        memory = Memory.of(found.element_bytes, found.banks, found.width)
        if (number, order) not in self.known:
            self.known[number, order] = Bits.of(lanes, self.design.tile, order, memory)
        return self.known[number, order].cut(exponent(vector, "a vector"), phases, memory)

    def best(self, cut: Sequence[int], below: int | None = None) -> BestLayout:
        """The best layout with vectors cut to these bits; falsy if none has them, or costs less than `below`."""
        vectors = [1 << v for v in cut]
        accesses = [self._bits(i, v) for i, v in enumerate(vectors)]
        alike = len({a.memory for a in accesses}) == 1  # otherwise, no linear layout is looked for
        forms = [f for f in self.design.forms if alike or f != "linear"]
        both = clash(accesses, self.n)
        if both is not None:
            return clashing(self.design, vectors, both)
        choices, every = settings(accesses, self.n) if alike else ([], True)
        cost = partial(self.design.cost, factors=self.design.factors(vectors))
        alone = choices[0] if choices and len(choices[0].vector) == max(cut) else None  # no word must be completed
        apart = [1 if alike else floor_alone(a, self.n) for a in accesses]
        floors, found = alone.floors() if alone else apart, None
        if below is not None and cost(floors) >= below:
            return clashing(self.design, vectors, None)
        try:
            for better in self._cheaper(accesses, choices, cost, cost(floors), forms):
                found = better
            if found is None:
                unasked = "; where accesses have different banks, no linear layout is tried" * (not alike)
                raise NoAnswer(f"no {' or '.join(forms) or 'form'} has the vectors of all accesses{unasked}")
            proof, basis = self._proof(alone, floors, cost, found.cost, forms)
        except Undecided as error:
            best = None if found is None else answered(self.design, found.layout, found.ways, vectors, "none")
            raise UndecidedLayout(error.reason, best, found.cost if found else 0, cost(floors)) from None
        proof = "words" if proof == "search" and not every else proof
        proof = "swizzles" if proof == "forms" and len(forms) < len(self.design.forms) else proof
        return answered(self.design, found.layout, found.ways, vectors, proof, basis)

    def _cheaper(
        self, accesses: list[Bits], choices: list[Setting], cost: Cost, floor: int, forms: Sequence[str]
    ) -> Iterator[_Found]:
        """Yields ever cheaper layouts, down to the floor: orders, swizzles, then all linear ones."""
        least: int | None = None
        for columns, layout in _formed(self.design.tile, forms, self.n, accesses, self.budget.spend):
            found = self._found(layout, columns, accesses, cost)
            if least is None or found.cost < least:
                least = found.cost
                yield found
            if least == floor:
                return
        for setting in choices if "linear" in forms else []:
            if least is None:
                units = [1 << i for i in range(len(setting.outside))]
                found = self._linear(setting, units[min(setting.groups, len(units)) :], cost)
                least = found.cost
                yield found
            for kernel in Search(setting, cost, least, self.budget).better() if least > floor else []:
                found = self._linear(setting, kernel, cost)
                least = found.cost
                yield found

    def _found(self, layout: Any, columns: Sequence[int], accesses: Sequence[Bits], cost: Cost) -> _Found:
        ways = [conflicts(columns, a) for a in accesses]
        return _Found(layout, ways, cost(ways))

    def _linear(self, setting: Setting, kernel: Sequence[int], cost: Cost) -> _Found:
        columns = setting.columns(kernel)
        rest = iter(columns)
        sizes = enumerate(self.design.tile)
        bases = {f"dim{d}": [next(rest) for _ in range(size.bit_length() - 1)] for d, size in sizes}
        return self._found(LinearLayout(bases, {"offset": 1 << self.n}), columns, setting.accesses, cost)

    def _proof(
        self, setting: Setting | None, floors: Sequence[int], cost: Cost, reached: int, forms: Sequence[str]
    ) -> tuple[str, Sequence[int]]:
        """The reason why no layout costs less, and the basis of a cover."""
        if reached == cost(floors):
            return "pigeonhole", ()
        more = [cost([f + (i == j) for j, f in enumerate(floors)]) for i, one in enumerate(floors) if one == 1]
        if setting is not None and more and reached <= min(more):
            spaces = [s for s, f in zip(setting.spaces, floors, strict=True) if f == 1]
            found = cover(spaces, setting.groups + 1, self.budget.spend)
            if found is not None:
                return "cover", [value_of(setting.outside, x) for x in found]
        return "search" if "linear" in forms else "forms", ()


def _formed(
    tile: Sequence[int], forms: Sequence[str], n: int, accesses: Sequence[Bits], spend: Callable[[int], None]
) -> Iterator[tuple[list[int], Any]]:
    """Yields the orders of the dims with these vectors, then their swizzles; row-major ones come first."""
    needed, orders = [x for a in accesses for x in (*a.vector, *a.outside(n))], []
    if not {"order", "swizzle"} & {*forms}:
        return
    most = _ORDERS if "linear" in forms else None
    for order in islice(permutations(reversed(range(len(tile)))), most):
        spend(_OF_ORDER + len(needed))
        strides = [prod(tile[e] for e in order[: order.index(d)]) for d in range(len(tile))]
        columns = [s << i for s, size in zip(strides, tile, strict=True) for i in range(size.bit_length() - 1)]
        layout, values = Layout(tuple(tile), tuple(strides)), [value_of(columns, x) for x in needed]
        orders.append((layout, columns, values))
        if "order" in forms and _fits(values, accesses, n):
            yield columns, layout
    shifts = [s for i in range(1, n) for s in (i, -i)]
    sizes = [(b, m, s) for b in range(1, n // 2 + 1) for m in range(n) for s in shifts if b <= abs(s) <= n - b - m]
    for swizzle in starmap(Swizzle, sizes if "swizzle" in forms else []):
        for layout, columns, values in orders:
            spend(1 + len(values) // 2)
            if _fits(_swizzled(swizzle, values), accesses, n):
                yield _swizzled(swizzle, columns), ComposedLayout(swizzle, 0, layout)


def _swizzled(swizzle: Swizzle, values: Sequence[int]) -> list[int]:
    mask, right, left = swizzle.yyy_msk, max(swizzle.shift, 0), max(-swizzle.shift, 0)
    return [x ^ (x & mask) << left >> right for x in values]


def _fits(values: list[int], accesses: Sequence[Bits], n: int) -> bool:
    """Whether the values at each access's vector, and at all bits outside, give whole, aligned vectors."""
    for i, a in enumerate(accesses):
        v, at = len(a.vector), n * i
        if values[at : at + v] != [1 << j for j in range(v)] or any(x % (1 << v) for x in values[at + v : at + n]):
            return False
    return True
