"""What a line of `symview batch` costs beyond the library's call that it asks for, in one warm process."""

from __future__ import annotations

import json
from collections.abc import Callable
from random import Random
from typing import Any

from oracle import programs

from symview import View, merge, simplify
from symview.cli.batch import answered

from .measure import Seconds, Table, median, p99, timed

REPEATS = 5
CALLS: dict[str, Callable[..., Any]] = {"merge": merge, "chain": simplify}


def overhead(count: int) -> Table:
    """Random chains, each asked as text in the library and as a line; the answers are the same, tests say."""
    rows = []
    for command, call in CALLS.items():
        rng, alone, lines = Random(f"batch {command}"), list[float](), list[float]()
        for _ in range(count):
            chain = [str(View(*v)) for v in programs.masked_chain(rng, 2, 3)]
            line = json.dumps({"command": command, "views": chain}).encode()
            alone.append(timed(lambda c=chain, f=call: str(f(*map(View.parse, c))), repeats=REPEATS)[1])
            lines.append(timed(answered, (1, line), repeats=REPEATS)[1])
        beyond = [a - b for a, b in zip(lines, alone, strict=True)]
        rows.append((command, median(alone), p99(alone), Seconds(median(beyond)), Seconds(p99(beyond))))
    return Table("lines of a batch", ("command", "library: median", "p99", "beyond it: median", "p99"), rows)
