"""Bank conflicts of shared memory."""

from __future__ import annotations

from typing import Any

from symview.cute.analysis.given import given
from symview.cute.analysis.phases import Memory, worst
from symview.cute.comparer import running
from symview.cute.int_tuple import also_named, positive
from symview.logic.budget import Budget


@also_named(bytes="element_bytes")
def bank_conflicts(
    layout: Any,
    banks: int = 32,
    width: int = 4,
    threads: int = 32,
    *,
    element_bytes: int | None = None,
    vector: int = 1,
    budget: Budget | None = None,
) -> Any:
    """The worst number of ways of an access to shared memory: 1 means no conflicts.

    Model: memory has `banks` banks of words of `width` bytes; word w is in bank w mod banks. The layout maps an index
    to an element of `element_bytes` bytes (by default a word), also named `bytes`. Index i belongs to thread i mod
    `threads` in access i // `threads`, so a layout of threads and values makes one access per value. Each thread reads
    `vector` elements from there on, which have to be aligned. An access is served in phases: all threads at once if
    each reads at most a word, otherwise as many consecutive threads as banks·width bytes serve, at least one. Threads
    that read the same word share it (broadcast). The ways of a phase are the most distinct words in one bank; the
    answer is the maximum over all accesses, with the phase, the bank and its words.

    Exact for plain, swizzled and linear layouts of any size: all phases of a linear layout behave alike; for the
    others, accesses are distinguished by their offset modulo a period. With one symbol in the strides, returns
    `Conditions` with a case for each number of ways: by the symbol's residue, and exceptions. Raises NoAnswer if a
    vector is not aligned, Undecided if the accesses neither repeat in a short period nor can be enumerated.

    >>> from symview.cute import Layout, Swizzle, composition
    >>> print(bank_conflicts(Layout((8, 4), (64, 1)), element_bytes=2, vector=8))
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoAnswer: bank_conflicts: the vector of 8 elements at index 8 starts at 1: it is not aligned
    >>> rows = Layout((8, 4), (64, 8))
    >>> print(bank_conflicts(rows, element_bytes=2, vector=8).ways)
    8
    >>> print(bank_conflicts(composition(Swizzle(3, 3, 3), rows), element_bytes=2, vector=8))
    1 way: no bank conflicts
    """
    given_bytes = width if element_bytes is None else element_bytes
    numbers = {"banks": banks, "width": width, "threads": threads, "element_bytes": given_bytes, "vector": vector}
    memory = Memory(*[positive(x, f"bank_conflicts: {name}") for name, x in numbers.items()])
    query = given(layout, "bank_conflicts")
    if query.symbols:
        from symview.cute.analysis.by_symbol import conflicts_by_stride  # it loads what symbols need

        return conflicts_by_stride(query, memory, running(budget))
    return worst(query, memory, running(budget))
