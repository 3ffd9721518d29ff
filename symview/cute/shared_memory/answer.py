"""What is asked of a tile in shared memory, and the answer: a layout, what it costs, and why none is better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from typing import Any, NamedTuple

from symview.cute.analysis.banks import bank_conflicts
from symview.cute.analysis.phases import Memory
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import whole_number
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.shared_memory.accesses import Access, Coordinate, Lanes, Vector, as_access
from symview.cute.swizzle import ComposedLayout
from symview.displayed import Displayed, Json
from symview.errors import InternalError, Undecided
from symview.show.grid import Grid, joined

OBJECTIVES = ("sum", "wavefronts", "most")
PROOFS = {
    "pigeonhole": "No layout with these vectors is better: each phase has as many places for each bank, at least.",
    "cover": "No layout with these vectors is better: any two of more places than banks meet in a phase.",
    "search": "No linear layout is better: all were searched.",
    "forms": "None of the allowed forms is better: all were tried.",
    "all residues": "No pitch is better, and none as good is shorter: ways repeat, and a whole period was tried.",
    "none": "Nothing shows that none is better.",
}


@dataclass(frozen=True, slots=True)
class Design:
    """A tile, its accesses, the memory, and what is to be least."""

    tile: tuple[int, ...]
    accesses: tuple[Access, ...]
    element_bytes: int
    banks: int
    width: int
    objective: str
    forms: tuple[str, ...] = ()

    @staticmethod
    def of(
        tile: Any, accesses: Any, element_bytes: int, banks: int, width: int, objective: str, forms: Sequence[str] = ()
    ) -> Design:
        """The design, its arguments checked; names that repeat are numbered."""
        given = tile if isinstance(tile, tuple | list) else [tile]
        sizes = tuple([whole_number(n, "a size of the tile") for n in given])
        numbers = {"element_bytes": element_bytes, "banks": banks, "width": width}
        for what, n in [*[("a size of the tile", n) for n in sizes], *numbers.items()]:
            if whole_number(n, what) < 1:
                raise LayoutError(f"{what} is {n}: give a number from 1 on")
        if objective not in OBJECTIVES:
            raise LayoutError(f"objective {objective!r}: choose one of {', '.join(OBJECTIVES)}")
        known = ("order", "swizzle", "linear")
        if forms and (isinstance(forms, str) or not set(forms) <= {*known}):
            raise LayoutError(f"forms {forms!r}: give some of {', '.join(known)}")
        given = [as_access(x) for x in (accesses if isinstance(accesses, list | tuple) else [accesses])]
        if not given or not sizes:
            raise LayoutError("give a tile of one size or more, and one access or more")
        names = [str(a) for a in given]
        told = [f"{n} #{names[:i].count(n) + 1}" if n in names[:i] else n for i, n in enumerate(names)]
        named = tuple([a if n == a.name else replace(a, name=n) for a, n in zip(given, told, strict=True)])
        return Design(sizes, named, element_bytes, banks, width, objective, tuple(forms))

    def powers(self) -> tuple[int, ...]:
        """The sizes of the tile; LayoutError for one that is no power of two."""
        for n in self.tile:
            if n & n - 1:
                raise LayoutError(f"a tile of size {n}: swizzles need powers of two; best_padding takes any size")
        return self.tile

    def lanes(self) -> list[Lanes]:
        """The accesses to this tile."""
        return [a.lanes(self.tile, self.element_bytes) for a in self.accesses]

    def cost(self, ways: Sequence[int], factors: Sequence[int]) -> int:
        """What is to be least."""
        return max(ways) if self.objective == "most" else sum(w * f for w, f in zip(ways, factors, strict=True))

    def phases(self, lanes: Lanes) -> int:
        """How many phases an instruction has."""
        count = len(lanes.instructions[0])
        return -(-count // Memory(self.banks, self.width, count, self.element_bytes, lanes.size).phase())

    def ways(self, layout: Any, lanes: Sequence[Vector], vector: int) -> int:
        """The ways of one instruction, by `bank_conflicts`."""
        places = Places(tuple([layout(x[0]) for x in lanes]))
        e = self.element_bytes
        found = bank_conflicts(places, self.banks, self.width, len(lanes), element_bytes=e, vector=vector)
        return found.ways  # type: ignore[no-any-return]

    def answer(
        self, layout: Any, ways: Sequence[int], vectors: Sequence[int], wavefronts: int, instructions: int, proof: str,
        basis: Sequence[int] = (), clash: tuple[str, str] | None = None,
    ) -> BestLayout:  # fmt: skip
        """The answer, replayed on addresses: of linear layouts, all instructions of an access have the same ways."""
        names = [a.name for a in self.accesses]
        for lanes, w, v in zip(self.lanes(), ways, vectors, strict=False):
            if proof != "all residues" and self.ways(layout, lanes.instructions[0], v) != w:
                raise InternalError(f"{layout}: {lanes.name} has not {w} ways on addresses")
        cover = tuple([tuple([x // prod(self.tile[:d]) % n for d, n in enumerate(self.tile)]) for x in basis])
        told = (
            dict(zip(names, ways, strict=False)),
            {n: v * self.element_bytes for n, v in zip(names, vectors, strict=True)},
        )
        return BestLayout(layout, *told, wavefronts, instructions, proof, cover, clash, self)


class Places(NamedTuple):
    """Addresses as what an analysis is asked of."""

    places: tuple[int, ...]

    def size(self) -> int:
        """How many there are."""
        return len(self.places)

    def __call__(self, index: int) -> int:
        """The address of a lane."""
        return self.places[index]


@dataclass(frozen=True, slots=True)
class BestLayout(Displayed):
    """A layout of a tile, from coordinates to elements, with what it costs; falsy, `layout` None, where vectors clash.

    `ways`: of each access, by its name. `vectors`: in bytes. `instructions` and `wavefronts`: of one of each access, by
    weight. `proof`: why none is better. `cover`: a basis of differences of coordinates, any two of whose sums are in a
    phase of some access together. `clash`: two accesses whose vectors no layout has both.
    """

    layout: Layout | ComposedLayout | LinearLayout | None
    ways: Mapping[str, int] = field(hash=False)
    vectors: Mapping[str, int] = field(hash=False)
    wavefronts: int
    instructions: int
    proof: str
    cover: tuple[Coordinate, ...] = ()
    clash: tuple[str, str] | None = None
    asked: Design | None = field(default=None, compare=False, repr=False)

    def __bool__(self) -> bool:
        return self.layout is not None

    @property
    def form(self) -> str:
        """What it is: an order, a padding, a swizzle, or a linear layout; none."""
        if isinstance(self.layout, Layout):
            return "order" if self.layout.cosize() == self.layout.size() else "padding"
        return "none" if self.layout is None else "swizzle" if isinstance(self.layout, ComposedLayout) else "linear"

    def __str__(self) -> str:
        if self.layout is None:
            both = " and ".join(self.clash or ())
            return f"no layout has the vectors of {both}: cut one of them"
        rows = [(n, f"{self.vectors[n]} B", str(w)) for n, w in self.ways.items()]
        told = f"{self.wavefronts} wavefronts of {self.instructions} instructions. {PROOFS[self.proof]}"
        return joined([str(self.layout), Grid(("access", "vector", "ways"), tuple(rows)), told])

    def to_dict(self) -> Json:
        """The fields for JSON."""
        return {
            "layout": None if self.layout is None else str(self.layout), "form": self.form, "ways": dict(self.ways),
            "vectors": dict(self.vectors), "wavefronts": self.wavefronts, "instructions": self.instructions,
            "proof": self.proof, "cover": [list(x) for x in self.cover], "clash": self.clash and list(self.clash),
        }  # fmt: skip


class UndecidedLayout(Undecided):
    """The budget ended: `best` is the best layout so far, of that cost, and none costs less than `bound`."""

    def __init__(self, reason: str, best: BestLayout | None = None, cost: int = 0, bound: int = 0) -> None:
        self.best, self.cost, self.bound = best, cost, bound
        if best is not None:
            reason = f"{reason}. The best so far is {best.layout}, which costs {cost}; none costs less than {bound}"
        super().__init__(reason)
