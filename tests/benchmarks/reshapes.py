"""`reshape` and tinygrad's `View.reshape` on the same views of numbers, masked and not, one call each, in turn."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from bridge import view
from oracle import reshapes

from symview import View, reshape

from .measure import Table, median, p99, ratio, timed
from .tinygrad_merge import REPEATS, empty_caches


def theirs(v: View) -> Any:
    from tinygrad.shape.view import View as TheirView

    return TheirView.create(v.shape, v.strides, v.offset, v.mask)


def ask(rng: Random, with_mask: bool) -> tuple[View, tuple[int, ...]]:
    """A view with elements that tinygrad has as well, and another shape."""
    while True:
        v = view(reshapes.masked_view(rng) if with_mask else reshapes.movement_view(rng))
        if v.rank and 0 not in v.shape and (v.mask is not None) == with_mask and not v.is_void():
            return v, reshapes.target(rng, v.shape)


def against_tinygrad(count: int) -> Table:
    """Time of an answer, the least of three calls; tinygrad's caches are emptied before each of its calls."""
    columns = (
        "views", "reshapes", "possible", "tinygrad", "median", "p99", "tinygrad median", "tinygrad p99", "median ratio",
        "p99 ratio",
    )  # fmt: skip
    rows = []
    for name, with_mask in (("unmasked", False), ("masked", True)):
        rng = Random(f"benchmark reshape {name}")
        ours, peers, possible, accepted = [], [], 0, 0
        for _ in range(count):
            v, shape = ask(rng, with_mask)
            call: Callable[..., Any] = theirs(v).reshape
            found, time = timed(reshape, v, shape, repeats=REPEATS)
            ours.append(time)
            answer, time = timed(call, shape, repeats=REPEATS, before=empty_caches)
            peers.append(time)
            possible += isinstance(found, View)
            accepted += answer is not None
        speeds = ratio(median(peers), median(ours)), ratio(p99(peers), p99(ours))
        times = median(ours), p99(ours), median(peers), p99(peers)
        rows.append((name, count, possible, accepted, *times, *speeds))
    return Table("reshape against tinygrad 0.10.3 (ratio: how many times faster than tinygrad)", columns, rows)
