"""`merge` and tinygrad's `View.__add__` on neighbouring views of random movement programs, masked and not."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from itertools import pairwise
from random import Random
from typing import Any

from bridge import view
from oracle import masked, programs
from oracle.brute import V

from symview import View, merge

from .measure import Table, median, p99, ratio, timed
from .tinygrad_merge import REPEATS, empty_caches, with_index


def theirs(v: V) -> Any:
    """The same view as tinygrad has it."""
    from tinygrad.shape.view import View as TheirView

    mask = None if v.mask is None else masked.mask_of(v)
    return TheirView.create(v.shape, v.strides, v.offset, mask)


def ours(v: Any) -> V:
    """What tinygrad answered, as the oracle reads views."""
    return V(v.shape, v.strides, v.offset, v.mask)


def added(outer: Any, inner: Any) -> Any:
    """tinygrad's answer; the error itself where it calls itself without end."""
    try:
        return operator.add(outer, inner)
    except RecursionError as error:
        return error


def pairs(rng: Random, with_mask: bool) -> Iterator[tuple[V, V]]:
    """Neighbours of programs of up to 12 operations, either both without a mask or one at least with one."""
    while True:
        chain = programs.chain(programs.program(rng))
        for outer, inner in pairwise(chain):
            # tinygrad has no view without dims in which nothing is valid.
            sayable = all(v.shape or v.mask is None for v in (outer, inner))
            if sayable and with_mask == any(v.mask is not None for v in (outer, inner)):
                yield outer, inner


def against_tinygrad(count: int) -> Table:
    """Answers against brute force, and the time of a decision, the least of three calls.

    tinygrad's caches are emptied before each of its calls, untimed. Where it does not end (a RecursionError) neither
    call counts for the times.
    """
    columns = (
        "pairs of programs", "pairs", "one view", "symview", "tinygrad", "missed", "wrong", "endless", "median",
        "p99", "tinygrad median", "tinygrad p99", "median ratio", "p99 ratio", "with index: median", "with index: p99",
    )  # fmt: skip
    rows = []
    for name, with_mask in (("masked", True), ("unmasked", False)):
        rng = Random(f"benchmark programs {name}")
        mine, peers, searched = [], [], []
        mergeable = merged = accepted = missed = wrong = endless = 0
        for (outer, inner), _turn in zip(pairs(rng, with_mask), range(count), strict=False):
            one, other, their_one, their_other = view(outer), view(inner), theirs(outer), theirs(inner)
            found, time = timed(merge, one, other, repeats=REPEATS)
            answer, their_time = timed(added, their_one, their_other, repeats=REPEATS, before=empty_caches)
            possible = not isinstance(masked.decide((outer, inner)), masked.Fails)
            mergeable += possible
            merged += isinstance(found, View)
            if isinstance(found, View) != possible:
                raise ValueError(f"merge is wrong on {outer} and {inner}")
            if isinstance(answer, RecursionError):
                endless += 1
                missed += possible
                continue
            mine.append(time)
            peers.append(their_time)
            searched.append(timed(with_index, one, other, repeats=REPEATS)[1])
            accepted += answer is not None
            missed += possible and answer is None
            wrong += answer is not None and masked.difference([ours(answer)], (outer, inner)) is not None
        rows.append(
            (
                name, count, mergeable, merged, accepted, missed, wrong, endless, median(mine), p99(mine),
                median(peers), p99(peers), ratio(median(peers), median(mine)), ratio(p99(peers), p99(mine)),
                median(searched), p99(searched),
            )
        )  # fmt: skip
    title = "merge against tinygrad 0.10.3 on movement programs (ratio: how many times faster than tinygrad)"
    return Table(title, columns, rows)


def misses(count: int, examples: int = 10) -> Table:
    """Pairs that are one view, with something valid, and that tinygrad does not merge: the shortest to write."""
    from tinygrad.shape.view import View as TheirView

    found = []
    for (outer, inner), _turn in zip(pairs(Random("benchmark misses"), True), range(count), strict=False):
        one = merge(view(outer), view(inner))
        if one and not one.is_void() and not isinstance(added(theirs(outer), theirs(inner)), TheirView):
            found.append((str(view(outer)), str(view(inner)), str(one)))
    found.sort(key=lambda row: (sum(map(len, row)), row))
    return Table("merged by symview and not by tinygrad 0.10.3", ("outer", "inner", "one view"), found[:examples])
