"""Shared memory and value sets by the definition: every index, every byte; nothing from symview."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm


def ways(values: Sequence[int], banks: int, width: int, threads: int, element_bytes: int, vector: int) -> int | None:
    """The most distinct words of one bank in one phase; None where a vector is not aligned."""
    read = element_bytes * vector
    if any(v * element_bytes % read for v in values):
        return None
    phase = threads
    if read > width:
        phase = min(threads, max(1, banks * width // read))
    most = 0
    for access in range(0, len(values), threads):
        lanes = values[access : access + threads]
        for first in range(0, len(lanes), phase):
            touched = {
                (v * element_bytes + byte) // width for v in lanes[first : first + phase] for byte in range(read)
            }
            most = max(most, *[sum(w % banks == b for w in touched) for b in range(banks)])
    return most


def ways_in_phases(
    values: Sequence[int], banks: int, phases: Sequence[Sequence[int]], element_bytes: int, vector: int
) -> int | None:
    """The same for words of 4 bytes, and for lanes that are served in these phases."""
    read, lanes, most = element_bytes * vector, sum(map(len, phases)), 0
    if any(v % vector for v in values):
        return None
    for start in range(0, len(values), lanes):
        for phase in phases:
            present = [values[start + lane] for lane in phase if start + lane < len(values)]
            touched = {(v * element_bytes + byte) // 4 for v in present for byte in range(read)}
            most = max(most, *[sum(w % banks == b for w in touched) for b in range(banks)])
    return most


def cosets(lanes: int, spanning: Sequence[int]) -> list[list[int]]:
    """The lanes, split by the sums of some lanes, as xors."""
    space = {0}
    for x in spanning:
        space |= {x ^ y for y in space}
    return sorted({tuple(sorted(lane ^ x for x in space)) for lane in range(lanes)})  # type: ignore[type-var]


def widest_vector(values: Sequence[int]) -> int:
    """The most elements that every index of a multiple of them starts, in a row and aligned."""
    found = [n for n in range(1, len(values) + 1) if len(values) % n == 0 and _whole(values, n)]
    return max(found)


def _whole(values: Sequence[int], n: int) -> bool:
    starts = range(0, len(values), n)
    return all(values[i] % n == 0 and all(values[i + z] == values[i] + z for z in range(n)) for i in starts)


def order(permutation: Sequence[int]) -> int:
    """The lengths of all cycles, walked from each number."""
    found = 1
    for start in range(len(permutation)):
        at, length = permutation[start], 1
        while at != start:
            at, length = permutation[at], length + 1
        found = lcm(found, length)
    return found
