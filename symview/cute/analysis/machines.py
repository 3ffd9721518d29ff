"""What serves an access to shared memory: banks of words, and the phases in which lanes are served together.

The phases of machines are data, as public sources have them; each row says how certain it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from math import gcd
from typing import Any, NamedTuple

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int, positive

Phases = tuple[tuple[int, ...], ...]
_PRODUCTS = {  # in small letters without blanks
    "nvidia": r"v100|t4|a(10g?|30|40|100)|l4|l40s?|h20|g?h(100|200)|g?b(100|200|300)|rtx\w+"
    r"|sm_?([5-9]\d|1\d\d)[af]?|volta|turing|ampere|ada|hopper|blackwell",
    "cdna3": "mi300[ax]?|mi308x|mi325x|gfx94[0-2]",
    "cdna4": "mi350x?|mi355x?|gfx950",
    "rdna3": r"gfx110\d",
    "rdna4": "gfx120[01]",
}
_UNMEASURED = {  # architectures without rows
    r"gfx908|mi100": "CDNA 1", r"gfx90a|mi2[1-5]0x?": "CDNA 2", r"gfx101\d": "RDNA 1", r"gfx103\d": "RDNA 2",
    r"gfx115\d": "RDNA 3.5", "gfx11": "RDNA 3 (gfx1100) or RDNA 3.5", "gfx12": "RDNA 4 (gfx1201) or later",
}  # fmt: skip
MACHINES = {"nvidia": 32, "cdna3": 64, "cdna4": 64, "rdna3": 32, "rdna4": 32}
_READS, _WRITES, _BOTH = (False,), (True,), (False, True)
_EIGHTS = "0-3 20-23; 4-7 16-19; 8-11 28-31; 12-15 24-27"
_HALVES = "0-3 12-15 20-27; 4-11 16-19 28-31"
_GUIDE, _MEASURED = "amd-shark-ai's guide, hipBLASLt#1180", "amd-shark-ai#2919"
_ROWS: tuple[tuple[str, tuple[bool, ...], int, int, int | str, str, str], ...] = (
    # machine, directions, bytes, banks, phases (so many of adjacent lanes, or of lanes 0-31), confidence, source
    ("nvidia", _BOTH, 4, 32, 1, "documented", "CUDA programming guide"),
    ("nvidia", _BOTH, 8, 32, 2, "accepted", "profilers"),
    ("nvidia", _BOTH, 16, 32, 4, "accepted", "profilers; documented of ldmatrix and stmatrix, PTX"),
    ("cdna3", _READS, 4, 32, 2, "measured", _MEASURED),
    ("cdna3", _READS, 8, 32, 4, "measured", _MEASURED),
    ("cdna3", _READS, 16, 32, _EIGHTS, "measured", f"{_MEASURED}, triton#11365, CK Tile's manual"),
    ("cdna3", _WRITES, 4, 32, 2, "documented", _GUIDE),
    ("cdna3", _WRITES, 8, 32, 4, "inferred", "as reads"),
    ("cdna3", _WRITES, 16, 32, 8, "documented", "CK Tile's manual, hipBLASLt#1180"),
    ("cdna4", _READS, 4, 64, 1, "disputed", f"{_MEASURED} measured 64 banks"),
    ("cdna4", _READS, 4, 32, 2, "disputed", "rocm-libraries#3668"),
    ("cdna4", _READS, 8, 64, 2, "measured", f"{_MEASURED}, HipKittens, iree#24428"),
    ("cdna4", _READS, 12, 32, _EIGHTS, "measured", "HipKittens, ds_read_b96"),
    ("cdna4", _READS, 16, 64, _HALVES, "measured", f"{_MEASURED}, HipKittens, triton#11365"),
    ("cdna4", _WRITES, 4, 32, 2, "inferred", "rocm-libraries#3668: writes act as 32 banks"),
    ("cdna4", _WRITES, 8, 32, 4, "measured", "HipKittens, rocm-libraries#3668"),
    ("cdna4", _WRITES, 16, 32, 8, "inferred", "rocm-libraries#3668: writes act as 32 banks"),
    ("rdna3", _READS, 4, 32, 1, "measured", _MEASURED),
    ("rdna3", _READS, 8, 32, 2, "measured", _MEASURED),
    ("rdna3", _READS, 16, 32, _EIGHTS, "measured", _MEASURED),
    ("rdna4", _READS, 4, 32, 1, "measured", _MEASURED),
    ("rdna4", _READS, 8, 32, 2, "measured", _MEASURED),
    ("rdna4", _READS, 16, 32, 4, "measured", _MEASURED),
)


class Row(NamedTuple):
    """How a machine serves the lanes of an instruction that each read or write so many bytes, and who says so."""

    machine: str
    write: bool
    bytes: int
    banks: int
    phases: Phases
    confidence: str
    source: str

    def __str__(self) -> str:
        verb = "writes" if self.write else "reads"
        return f"{self.machine}, {verb} of {self.bytes} bytes: {self.served()}: {self.confidence} ({self.source})"

    def served(self) -> str:
        """The banks and phases; of the phases the first two."""
        if len(self.phases) == 1:
            return f"{self.banks} banks, one phase"
        shown = phases_text(self.phases[:2]) + "; …" * (len(self.phases) > 2)
        return f"{self.banks} banks, {len(self.phases)} phases ({shown})"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON, without those of the question."""
        phases = phases_text(self.phases)
        return {"banks": self.banks, "phases": phases, "confidence": self.confidence, "source": self.source}


class Memory(NamedTuple):
    """Banks of words with `width` bytes; `threads` threads, each of which reads a vector of elements.

    `phases`: the threads that are served together; without them, as many adjacent ones as the banks serve.
    """

    banks: int
    width: int
    threads: int
    element_bytes: int
    vector: int
    phases: Phases = ()
    row: Row | None = None

    def served(self, threads: int) -> list[Sequence[int]]:
        """The phases of an access of so many threads; the others idle."""
        if self.phases:
            kept = [tuple([t for t in phase if t < threads]) for phase in self.phases]
            return [phase for phase in kept if phase]
        read = self.element_bytes * self.vector
        size = max(1, self.banks * self.width // read) if read > self.width else threads
        return [range(t, min(t + size, threads)) for t in range(0, threads, size)]

    def words(self, value: int) -> range:
        """The words that a thread reads whose vector starts at this element."""
        first = value * self.element_bytes
        return range(first // self.width, (first + self.element_bytes * self.vector - 1) // self.width + 1)

    def whole(self) -> int:
        """The least number of elements that fills whole words; at such distances, only the banks differ."""
        return self.width // gcd(self.width, self.element_bytes)


class Hardware(NamedTuple):
    """Banks, words, the threads of an instruction and its phases; those of a machine, if there is one."""

    banks: int
    width: int
    threads: int
    phases: Phases = ()
    machine: str | None = None

    @staticmethod
    def of(
        what: str, banks: Any = None, width: Any = None, threads: Any = None, machine: Any = None, phases: Any = None
    ) -> Hardware:
        """Checks the arguments of a question; None stands for what was not given."""
        given = {"banks": banks, "width": width, "threads": threads, "phases": phases}
        if machine is not None:
            if extra := [name for name, x in given.items() if x is not None]:
                raise LayoutError(f"{what}: give machine or {' and '.join(extra)}: a machine determines these")
            name = _machine(machine)
            if name is None:
                known = f"{', '.join(MACHINES)}, or a product such as H100, MI300X, gfx950"
                product = _plain(machine)
                meant = next((f", which is {x}" for p, x in _UNMEASURED.items() if re.fullmatch(p, product)), "")
                raise LayoutError(f"{what}: unknown machine {machine!r}{meant}: use {known}; or give phases")
            return Hardware(32, 4, MACHINES[name], (), name)
        listed = () if phases is None else phases_of(phases, what)
        lanes = sum(map(len, listed)) or 32
        numbers = {"banks": (banks, 32), "width": (width, 4), "threads": (threads, lanes)}
        sizes = [positive(usual if x is None else x, f"{what}: {name}") for name, (x, usual) in numbers.items()]
        if listed and sizes[2] != lanes:
            raise LayoutError(f"{what}: threads is {sizes[2]}, and phases have {lanes} lanes")
        return Hardware(sizes[0], sizes[1], sizes[2], listed)

    def memories(self, element_bytes: int, vector: int, write: bool, what: str) -> tuple[Memory, ...]:
        """The memory of such an access, and another one where sources disagree."""
        if self.machine is None:
            return (Memory(self.banks, self.width, self.threads, element_bytes, vector, self.phases),)
        many = element_bytes * vector
        many = 4 if many in (1, 2) else many  # a narrower access is one of its word
        found = [r for r in rows(self.machine) if (r.write, r.bytes) == (write, many)]
        if not found:
            known = ", ".join(dict.fromkeys(str(r.bytes) for r in rows(self.machine) if r.write == write)) or "none"
            verb = "writes" if write else "reads"
            missing = f"{self.machine}: the phases of {verb} of {many} bytes are not known (known: {known})"
            raise LayoutError(f"{what}: {missing}: give phases in place of the machine")
        return tuple([Memory(r.banks, 4, self.threads, element_bytes, vector, r.phases, r) for r in found])


def _plain(given: Any) -> str:
    return given.lower().replace(" ", "") if isinstance(given, str) else ""


def _machine(given: Any) -> str | None:
    """The machine of this name, or of a product."""
    name = _plain(given)
    if name in MACHINES:
        return name
    return next((machine for machine, products in _PRODUCTS.items() if re.fullmatch(products, name)), None)


@cache
def rows(machine: str) -> tuple[Row, ...]:
    """The rows of a machine; phases of lanes 0 to 31 repeat for lanes 32 to 63."""
    lanes, every = MACHINES[machine], list[Row]()
    for _, directions, many, banks, phases, confidence, source in [row for row in _ROWS if row[0] == machine]:
        if isinstance(phases, int):
            size = lanes // phases
            found = tuple([tuple(range(t, t + size)) for t in range(0, lanes, size)])
        else:
            first = phases_of(phases, machine)
            found = tuple([tuple([t + d for t in phase]) for d in range(0, lanes, 32) for phase in first])
        every += [Row(machine, write, many, banks, found, confidence, source) for write in directions]
    return tuple(every)


def phases_of(given: Any, what: str) -> Phases:
    """Reads phases: lists of lanes, or text; raises LayoutError unless they have every lane from 0 on once.

    >>> phases_of("0-2 5; 3 4", "banks")
    ((0, 1, 2, 5), (3, 4))
    """
    listed = _parsed(given, what) if isinstance(given, str) else given
    if not isinstance(listed, list | tuple) or not all(isinstance(phase, list | tuple) and phase for phase in listed):
        raise LayoutError(f"{what}: phases are {given!r}: give lists of lanes, or text, as in '0-3 20-23; 4-7 16-19'")
    lanes = [t for phase in listed for t in phase]
    if not lanes or not all(map(is_int, lanes)) or sorted(lanes) != [*range(len(lanes))]:
        raise LayoutError(f"{what}: phases need each lane from 0 on once: {given!r}")
    return tuple(sorted(tuple(sorted(map(int, phase))) for phase in listed))


def phases_text(phases: Phases) -> str:
    """The phases as text, which `phases_of` reads."""
    return "; ".join(" ".join(_runs(phase)) for phase in phases)


def _parsed(text: str, what: str) -> list[list[int]]:
    found = []
    for phase in text.strip("; \n").split(";"):
        runs = [re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", run, re.ASCII) for run in phase.replace(",", " ").split()]
        if None in runs:
            raise LayoutError(f"{what}: the phase {phase.strip()!r}: write runs of lanes, as in '0-3 20-23'")
        ends = [(int(run[1]), int(run[2] or run[1])) for run in runs if run]
        found.append([t for low, high in ends for t in range(low, high + 1)])
    return found


def _runs(phase: Sequence[int]) -> Iterator[str]:
    """Yields the runs of adjacent lanes as text."""
    starts = [i for i, t in enumerate(phase) if i == 0 or phase[i - 1] != t - 1]
    for start, end in zip(starts, [*starts[1:], len(phase)], strict=True):
        low, high = phase[start], phase[end - 1]
        yield str(low) if low == high else f"{low}-{high}"
