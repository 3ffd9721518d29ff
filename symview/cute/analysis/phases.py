"""Simulates accesses to shared memory, phase by phase: the words that threads read, and their banks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import lcm
from typing import Any

from symview.cute.analysis.given import Given
from symview.cute.analysis.machines import Memory, Row
from symview.cute.errors import LayoutError, NoAnswer
from symview.displayed import Displayed, number_text
from symview.engine.map import Map, Mode
from symview.engine.ring import LARGEST, Steps
from symview.errors import Undecided
from symview.logic.budget import Budget

_WALKED = 1 << 16
_SHOWN = 4


def ways_text(ways: int) -> str:
    """A number of ways in words: "no conflict", "2-way conflict"."""
    return "no conflict" if ways == 1 else f"{ways}-way conflict"


@dataclass(frozen=True, slots=True)
class BankConflicts(Displayed):
    """The most distinct words of one phase in one bank, `ways`, and where; truthy if there is more than one.

    `words` are those of the bank, each with the threads that read it; `access` numbers the blocks of `threads` indices,
    and `first` is the first thread of the phase. Of a machine, `row` has the banks and phases, how certain they are and
    the source; `other` is the answer by another source where that has other ways. If one of both has conflicts and the
    other has none, `bool()` raises Undecided.
    """

    ways: int
    access: int
    first: int
    bank: int
    words: Mapping[int, tuple[int, ...]] = field(hash=False)
    row: Row | None = None
    other: BankConflicts | None = None

    def __bool__(self) -> bool:
        if self.disputed:
            raise Undecided(f"bank_conflicts: sources disagree: {self}")
        return self.ways > 1

    @property
    def disputed(self) -> bool:
        """Whether there are conflicts by one source and none by another one."""
        return self.other is not None and min(self.ways, self.other.ways) == 1

    def __str__(self) -> str:
        lines = [self._found(), *[str(x) for x in (self.row, self.other) if x is not None]]
        return "\n".join(lines)

    def _found(self) -> str:
        if self.ways == 1:
            return ways_text(1)
        words = ", ".join([*map(number_text, [*self.words][:_SHOWN]), *["…"] * (self.ways > _SHOWN)])
        where = f" in access {number_text(self.access)}" * (self.access > 0)
        return (
            f"{ways_text(self.ways)}{where}: {self._read()} {self.ways} different words of bank {self.bank} "
            f"(words {words})"
        )

    def _read(self) -> str:
        """The threads that read or write words of the bank, with the verb."""
        found = sorted({t for threads in self.words.values() for t in threads})
        verb = "write" if self.row is not None and self.row.write else "read"
        if len(found) > 2 and found[-1] - found[0] == len(found) - 1:
            return f"threads {found[0]}-{found[-1]} {verb}"
        if len(found) == 1:
            return f"thread {found[0]} {verb}s"
        shown = [*map(str, found[:_SHOWN]), *["…"] * (len(found) > _SHOWN)]
        return f"threads {(' and ' if len(shown) == 2 else ', ').join(shown)} {verb}"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        words = [{"word": w, "threads": list(t)} for w, t in self.words.items()]
        found = {"ways": self.ways, "access": self.access, "first": self.first, "bank": self.bank, "words": words}
        other = {} if self.other is None else {"other": self.other.to_dict()}
        return {**found, **(self.row.to_dict() if self.row else {}), **other}


def by_sources(query: Given, memories: Sequence[Memory], budget: Budget) -> BankConflicts:
    """The worst phase by the first source, and by another one where that has other ways."""
    found, *others = [worst(query, memory, budget) for memory in memories]
    other = next((x for x in others if x.ways != found.ways), None)
    return found if other is None else replace(found, other=other)


def worst(query: Given, memory: Memory, budget: Budget) -> BankConflicts:
    """The first of the worst phases of all accesses."""
    found: BankConflicts | None = None
    for access, offsets in _accesses(query, memory, budget):
        budget.spend(len(offsets) * (1 + memory.element_bytes * memory.vector // memory.width))
        for phase in memory.served(len(offsets)):
            one = _in_phase(offsets, phase, access, memory)
            if found is None or one.ways > found.ways:
                found = one
    if found is None:
        raise LayoutError("bank_conflicts: the layout is empty")
    return found


def _in_phase(values: Sequence[int], phase: Sequence[int], access: int, memory: Memory) -> BankConflicts:
    """The first of the worst banks of a phase."""
    held: dict[int, dict[int, list[int]]] = {}
    for thread in phase:
        value = values[thread]
        if value % memory.vector:
            index, start = (number_text(x) for x in (access * memory.threads + thread, value))
            what = f"the vector of {memory.vector} elements of thread {thread} (index {index})"
            raise NoAnswer(f"misaligned: {what} starts at element {start}")
        for word in memory.words(value):
            held.setdefault(word % memory.banks, {}).setdefault(word, []).append(thread)
    bank = max(held, key=lambda b: (len(held[b]), -b))
    words = {word: tuple(threads) for word, threads in sorted(held[bank].items())}
    return BankConflicts(len(words), access, phase[0], bank, words, memory.row)


def _accesses(query: Given, memory: Memory, budget: Budget) -> Iterator[tuple[int, list[int]]]:
    """A selection of accesses, as numbers and values, that contains a worst one and all misaligned ones."""
    size, threads = query.size, memory.threads
    count = -(-size // threads)
    if count == 1 or size <= 4 * threads:
        yield from _walked(query, range(count), threads)
        return
    columns = query.columns()
    if columns is not None and _are_alike(memory):
        yield from _walked(query, _first_of(columns[1], memory), threads)
        return
    chosen = None if query.map is None else _by_period(query.map, memory)
    if chosen is not None:
        yield from _walked(query, chosen, threads)
    elif size <= min(_WALKED, budget.points):
        yield from _walked(query, range(count), threads)
    else:
        raise Undecided(f"bank_conflicts: {count} accesses, whose addresses do not repeat within {LARGEST} elements")


def _walked(query: Given, accesses: Sequence[int], threads: int) -> Iterator[tuple[int, list[int]]]:
    for access in accesses:
        start = access * threads
        yield access, [query.at(i) for i in range(start, min(start + threads, query.size))]


def _are_alike(memory: Memory) -> bool:
    """Whether all accesses of a linear layout have equal ways: for powers of two, they differ by an xor."""
    parts = (memory.banks, memory.width, memory.threads, memory.element_bytes, memory.vector)
    return all(n & n - 1 == 0 for n in parts)


def _first_of(bases: Sequence[int], memory: Memory) -> list[int]:
    """The first access, and one with a misaligned index if there is one."""
    odd = [k for k, base in enumerate(bases) if base % memory.vector]
    return sorted({0, *[(1 << k) // memory.threads for k in odd[:1]]})


def _by_period(f: Map, memory: Memory) -> list[int] | None:
    """One access for each offset modulo the period of the memory and the swizzles; None if that is too long."""
    period, split = f.period(), _split(f.base.modes, memory.threads)
    if period is None or split is None:
        return None
    modulus = lcm(period, memory.whole(), memory.vector)
    if modulus > LARGEST:
        return None
    return Steps(split, modulus).firsts()


def _split(modes: Sequence[Mode], threads: int) -> list[Mode] | None:
    """The modes after the first `threads` indices; None if these end inside a part of a mode."""
    left, rest = threads, []
    for size, stride in modes:
        if left == 1:
            rest.append((size, stride))
        elif left % size == 0:
            left //= size
        elif size % left == 0:
            rest.append((size // left, stride * left))
            left = 1
        else:
            return None
    return rest
