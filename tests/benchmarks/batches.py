"""What a line of `symview batch` costs beyond the library's call that it asks for, in one warm process; CPU time."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from resource import RUSAGE_SELF, getrusage
from time import process_time
from typing import Any

from oracle import programs

from symview import View, merge, simplify
from symview.cli.batch import answered

from .measure import Table, median, p99, timed

REPEATS = 9
_TRIES = 20
CALLS: dict[str, Callable[..., Any]] = {"merge": merge, "chain": simplify}


def _time(call: Callable[..., Any], *args: Any) -> float:
    """The time of a call during which nothing else ran on its core.

    Where something did, the caches are cold afterwards: some 0.3 ms more, in every second call of 1.5 ms on a machine
    whose time slices are 3 ms, so that one of two that take turns seemed slower.
    """
    for _ in range(_TRIES):
        before = _switches()
        found = timed(call, *args, clock=process_time)[1]
        if _switches() == before:
            break
    return found


def _switches() -> int:
    """How often this process was stopped for another one."""
    usage = getrusage(RUSAGE_SELF)
    return usage.ru_nivcsw + usage.ru_nvcsw


def overhead(count: int) -> Table:
    """Random chains, each asked as text in the library and as a line; the answers are the same, tests say."""
    rows = []
    for command, call in CALLS.items():
        rng, alone, beyond = Random(f"batch {command}"), list[float](), list[float]()
        for _ in range(count):
            chain = [str(View(*v)) for v in programs.masked_chain(rng, 2, 3)]
            line = json.dumps({"command": command, "views": chain}).encode()
            ask = lambda c=chain, f=call: str(f(*map(View.parse, c)))  # noqa: E731
            pairs = [(_time(ask), _time(answered, (1, line))) for _ in range(REPEATS)]
            alone.append(min(a for a, _ in pairs))
            beyond.append(median([b - a for a, b in pairs]))  # of one moment, as a machine is not always as fast
        rows.append((command, median(alone), p99(alone), median(beyond), p99(beyond)))
    return Table("lines of a batch", ("command", "library: median", "p99", "beyond it: median", "p99"), rows)
