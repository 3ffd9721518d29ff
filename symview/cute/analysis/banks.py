"""Bank conflicts of shared memory."""

from __future__ import annotations

from typing import Any

from symview.cute.analysis.given import given
from symview.cute.analysis.machines import Hardware
from symview.cute.analysis.phases import by_sources
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import also_named, positive
from symview.logic.budget import Budget


@also_named(bytes="element_bytes")
def bank_conflicts(
    layout: Any,
    banks: int | None = None,
    width: int | None = None,
    threads: int | None = None,
    *,
    element_bytes: int | None = None,
    vector: int = 1,
    machine: str | None = None,
    write: bool = False,
    phases: Any = None,
    budget: Budget | None = None,
) -> Any:
    """The worst number of ways of an access to shared memory: 1 means no conflicts.

    Model: memory has `banks` banks of words of `width` bytes, by default 32 of 4; word w is in bank w mod banks. The
    layout maps an index to an element of `element_bytes` bytes (by default a word), also named `bytes`. Index i belongs
    to thread i mod `threads` (by default 32) in access i // `threads`, so a layout of threads and values makes one
    access per value. Each thread reads `vector` elements from there on, which have to be aligned. An access is served
    in phases: all threads at once if each reads at most a word, otherwise as many consecutive threads as banks·width
    bytes serve, at least one. Threads that read the same word share it (broadcast). The ways of a phase are the most
    distinct words in one bank; the answer is the maximum over all accesses, with the phase, the bank and its words.

    `machine` ("nvidia", "cdna3", "cdna4", "rdna3", "rdna4") has its own banks, threads and phases, by the bytes of a
    thread and whether it reads or writes (`write`), from public sources: the answer has the source and how certain it
    is, and a second answer where sources disagree. `phases` are those of any other: lists of the threads that are
    served together, or text, `"0-3 20-23; 4-7 16-19; …"`.

    Exact for plain, swizzled and linear layouts of any size: all phases of a linear layout behave alike; for the
    others, accesses are distinguished by their offset modulo a period. With one symbol in the strides, returns
    `Conditions` with a case for each number of ways: by the symbol's residue, and exceptions. Raises NoAnswer if a
    vector is not aligned, Undecided if the accesses neither repeat in a short period nor can be enumerated, LayoutError
    for a machine or an access whose phases are not known, or beside banks, threads or phases of another kind.

    >>> from symview.cute import Layout, Swizzle, composition
    >>> print(bank_conflicts(Layout((8, 4), (64, 1)), element_bytes=2, vector=8))
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: misaligned: the vector of 8 elements of thread 8 (index 8) starts at element 1
    >>> rows = Layout((8, 4), (64, 8))
    >>> print(bank_conflicts(rows, element_bytes=2, vector=8).ways)
    8
    >>> print(bank_conflicts(composition(Swizzle(3, 3, 3), rows), element_bytes=2, vector=8))
    no conflict
    >>> print(bank_conflicts(Layout((16, 4), (80, 8)), bytes=2, vector=8, machine="cdna3"))
    no conflict
    cdna3, reads of 16 bytes: 32 banks, 8 phases (0-3 20-23; 4-7 16-19; …): measured (amd-shark-ai#2919, triton#11365, \
CK Tile's manual)
    """
    what = "bank_conflicts"
    hardware = Hardware.of(what, banks, width, threads, machine, phases)
    if write and machine is None:
        raise LayoutError(f"{what}: write needs a machine")
    element = positive(hardware.width if element_bytes is None else element_bytes, f"{what}: element_bytes")
    memories = hardware.memories(element, positive(vector, f"{what}: vector"), write, what)
    query = given(layout, what)
    if query.symbols:
        from symview.cute.analysis.by_symbol import conflicts_by_stride  # it loads what symbols need

        return conflicts_by_stride(query, memories, running(budget))
    return by_sources(query, memories, running(budget))
