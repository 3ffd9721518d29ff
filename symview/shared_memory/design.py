"""A question about a tile in shared memory: the tile, its accesses, the memory, and the cost to minimise."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import gcd, prod
from typing import Any, NamedTuple

from symview.cute.analysis.given import given
from symview.cute.analysis.machines import Hardware, Memory
from symview.cute.analysis.phases import worst
from symview.cute.comparer import running
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
    hardware: Hardware
    objective: str
    forms: tuple[str, ...] = ()

    @staticmethod
    def of(
        tile: Any, accesses: Any, element_bytes: int, hardware: Hardware, objective: str, forms: Sequence[str] = ()
    ) -> Design:
        """Checks the arguments and builds the question; repeated names are numbered."""
        sizes = sizes_of(tile)
        listed = [as_access(x) for x in (accesses if isinstance(accesses, tuple | list) else [accesses])]
        size = positive(element_bytes, "element_bytes")
        if not listed:
            raise LayoutError("give one access or more")
        if objective not in OBJECTIVES:
            raise LayoutError(f"objective {objective!r}: choose one of {', '.join(OBJECTIVES)}")
        if isinstance(forms, str) or not isinstance(forms, Collection) or any(x not in FORMS for x in forms):
            raise LayoutError(f"forms {forms!r}: give some of {', '.join(FORMS)}")
        if odd := next((a for a in listed if a.of_ptx and hardware.machine not in (None, "nvidia")), None):
            raise LayoutError(f"{odd} is an access of NVIDIA's: for {hardware.machine} give rows, columns or layouts")
        names = [a.name or f"access {i}" for i, a in enumerate(listed, 1)]
        numbered = [f"{n} #{names[:i].count(n) + 1}" if n in names[:i] else n for i, n in enumerate(names)]
        named = [replace(a, name=n) for a, n in zip(listed, numbered, strict=True)]
        return Design(sizes, tuple(named), size, hardware, objective, tuple(forms))

    def lanes(self) -> list[Lanes]:
        """The accesses in this tile."""
        return [a.lanes(self.tile, self.element_bytes, self.hardware.threads) for a in self.accesses]

    def memories(self, number: int, vector: int) -> tuple[Memory, ...]:
        """The memory of an access whose vectors have this size, and another one where sources disagree."""
        access = self.accesses[number]
        return self.hardware.memories(self.element_bytes, vector, access.write, str(access))

    def banks(self) -> int:
        """The banks; if they differ by access, the most."""
        return max(self.memories(i, x.size)[0].banks for i, x in enumerate(self.lanes()))

    def word(self) -> int:
        """The least number of elements that are whole words."""
        return self.hardware.width // gcd(self.hardware.width, self.element_bytes)

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
        for i, (x, v, many) in enumerate(zip(self.lanes(), vectors, self.instructions(vectors), strict=True)):
            found.append(len(self.memories(i, v)[0].served(len(x.instructions[0]))) * many)
        return found

    def ways(self, layout: Any, lanes: Sequence[Vector], memory: Memory) -> int:
        """The ways of one instruction, on addresses."""
        places = Places(tuple([layout(x[0]) for x in lanes]))
        return worst(given(places, "bank_conflicts"), memory, running(None)).ways

    def coordinate(self, index: int) -> Coordinate:
        """The coordinate of an index, the first dim fastest."""
        return tuple([index // prod(self.tile[:d]) % n for d, n in enumerate(self.tile)])


class Places(NamedTuple):
    """A list of addresses as a function of the lane."""

    places: tuple[int, ...]

    def size(self) -> int:
        """The number of addresses."""
        return len(self.places)

    def __call__(self, index: int) -> int:
        """The address of a lane."""
        return self.places[index]
