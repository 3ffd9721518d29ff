"""`merge` and tinygrad's `View.__add__` on the same pairs, one call each, in turn."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from bridge import view
from oracle import generate
from oracle.brute import V

from symview import View, merge

from .measure import Table, median, p99, ratio, timed


def separate(rng: Random) -> tuple[V, V]:
    """Two unrelated views: the inner one of random strides within the outer shape."""
    while True:
        outer, inner = generate.pair(rng)
        if len(outer.shape) >= 2 and len(inner.shape) >= 2 and 0 not in inner.shape:
            strides = tuple(rng.randint(-20, 20) for _ in outer.shape)
            return outer._replace(strides=strides), inner


REPEATS = 3  # the least of three: the work is the same each time, the machine's other work is not
GENERATORS: dict[str, Callable[[Random], tuple[V, V]]] = {
    "movement_pair": generate.movement_pair,
    "pair": generate.pair,
    "accidental": generate.accidental,
    "separate": separate,
}


@cache
def _cached_functions() -> tuple[Any, ...]:
    from tinygrad.shape import view as module

    names = [*vars(module).values(), *(getattr(module.View, name) for name in vars(module.View))]
    return tuple(f for f in names if hasattr(f, "cache_clear"))


def empty_caches() -> None:
    for function in _cached_functions():
        function.cache_clear()


def theirs(v: V) -> Any:
    from tinygrad.shape.view import View as TheirView

    return TheirView.create(v.shape, v.strides, v.offset)


def with_index(outer: View, inner: View) -> Any:
    """The decision, and where the merge breaks if it does."""
    found = merge(outer, inner)
    return None if isinstance(found, View) else found.index


def against_tinygrad(pairs: int) -> Table:
    """Time of a decision, the least of three calls; tinygrad's caches are emptied before each of its calls."""

    columns = (
        "generator", "pairs", "merged", "tinygrad", "median", "p99", "tinygrad median", "tinygrad p99",
        "median ratio", "p99 ratio", "with index: median", "with index: p99",
    )  # fmt: skip
    rows = []
    for name, make in GENERATORS.items():
        rng = Random(f"benchmark {name}")
        ours, peers, searched, merged, accepted = [], [], [], 0, 0
        for _pair in range(pairs):
            outer, inner = make(rng)
            one, other, their_one, their_other = view(outer), view(inner), theirs(outer), theirs(inner)
            found, time = timed(merge, one, other, repeats=REPEATS)
            ours.append(time)
            answer, time = timed(operator.add, their_one, their_other, repeats=REPEATS, before=empty_caches)
            peers.append(time)
            searched.append(timed(with_index, one, other, repeats=REPEATS)[1])
            merged += isinstance(found, View)
            accepted += answer is not None
        rows.append(
            (
                name, pairs, merged, accepted, median(ours), p99(ours), median(peers), p99(peers),
                ratio(median(peers), median(ours)), ratio(p99(peers), p99(ours)), median(searched), p99(searched),
            )
        )  # fmt: skip
    return Table("merge against tinygrad 0.10.3 (ratio: how many times faster than tinygrad)", columns, rows)
