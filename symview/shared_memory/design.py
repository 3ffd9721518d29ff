"""A question about a tile in shared memory: the tile, its accesses, the memory, and the cost to minimise."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import Any, NamedTuple

from symview.cute.analysis.banks import bank_conflicts
from symview.cute.analysis.phases import Memory
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import positive
from symview.shared_memory.accesses import Access, Coordinate, Lanes, Vector, as_access, sizes_of

OBJECTIVES, FORMS = ("sum", "wavefronts", "most"), ("order", "swizzle", "linear")


@dataclass(frozen=True, slots=True)
class Design:
    """A question about a layout; `forms` is empty if it is about paddings."""

    tile: tuple[int, ...]
    accesses: tuple[Access, ...]
    element_bytes: int
    banks: int
    width: int
    threads: int
    objective: str
    forms: tuple[str, ...] = ()

    @staticmethod
    def of(
        tile: Any, accesses: Any, element_bytes: int, banks: int, width: int, threads: int, objective: str,
        forms: Sequence[str] = (),
    ) -> Design:  # fmt: skip
        """Checks the arguments and builds the question; repeated names are numbered."""
        sizes = sizes_of(tile)
        given = [as_access(x) for x in (accesses if isinstance(accesses, tuple | list) else [accesses])]
        numbers = {"element_bytes": element_bytes, "banks": banks, "width": width, "threads": threads}
        size, many, word, lanes = [positive(n, what) for what, n in numbers.items()]
        if not given:
            raise LayoutError("give one access or more")
        if objective not in OBJECTIVES:
            raise LayoutError(f"objective {objective!r}: choose one of {', '.join(OBJECTIVES)}")
        if isinstance(forms, str) or not isinstance(forms, Collection) or any(x not in FORMS for x in forms):
            raise LayoutError(f"forms {forms!r}: give some of {', '.join(FORMS)}")
        names = [a.name or f"access {i}" for i, a in enumerate(given, 1)]
        numbered = [f"{n} #{names[:i].count(n) + 1}" if n in names[:i] else n for i, n in enumerate(names)]
        named = [replace(a, name=n) for a, n in zip(given, numbered, strict=True)]
        return Design(sizes, tuple(named), size, many, word, lanes, objective, tuple(forms))

    def lanes(self) -> list[Lanes]:
        """The accesses in this tile."""
        return [a.lanes(self.tile, self.element_bytes, self.threads) for a in self.accesses]

    def word(self) -> int:
        """The least number of elements that are whole words."""
        return self.width // gcd(self.width, self.element_bytes)

    def cost(self, ways: Sequence[int], factors: Sequence[int]) -> int:
        """The cost to minimise, from the ways and the cost of each way."""
        return max(ways) if self.objective == "most" else sum(w * f for w, f in zip(ways, factors, strict=True))

    def factors(self, vectors: Sequence[int]) -> list[int]:
        """The cost of each way of an access, for vectors of these sizes."""
        waves = self.objective == "wavefronts"
        return self.wavefronts(vectors) if waves else [a.weight for a in self.accesses]

    def instructions(self, vectors: Sequence[int]) -> list[int]:
        """The instructions of each access, times its weight: more if its vectors are cut."""
        return [x.weight * (x.size // v) for x, v in zip(self.lanes(), vectors, strict=True)]

    def wavefronts(self, vectors: Sequence[int]) -> list[int]:
        """The phases of each access, times its weight."""
        found = []
        for x, v, many in zip(self.lanes(), vectors, self.instructions(vectors), strict=True):
            count = len(x.instructions[0])
            served = Memory(self.banks, self.width, count, self.element_bytes, v).phase()
            found.append(-(-count // served) * many)
        return found

    def ways(self, layout: Any, lanes: Sequence[Vector], vector: int) -> int:
        """The ways of one instruction, from `bank_conflicts`."""
        places, e = Places(tuple([layout(x[0]) for x in lanes])), self.element_bytes
        found = bank_conflicts(places, self.banks, self.width, len(lanes), element_bytes=e, vector=vector)
        return found.ways  # type: ignore[no-any-return]

    def coordinate(self, index: int) -> Coordinate:
        """The coordinate of an index, the first dim fastest."""
        return tuple([index // prod(self.tile[:d]) % n for d, n in enumerate(self.tile)])


class Places(NamedTuple):
    """A list of addresses as a function of the lane, for `bank_conflicts`."""

    places: tuple[int, ...]

    def size(self) -> int:
        """The number of addresses."""
        return len(self.places)

    def __call__(self, index: int) -> int:
        """The address of a lane."""
        return self.places[index]
