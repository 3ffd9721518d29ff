"""`view_guard` beside PyTorch's own `view` on tensors of dynamic sizes, in one run.

Both answer at the hints; symview with the weakest guard, PyTorch with what it happens to compare on its way. Of each
set of guards it is said whether it is exact, or refuses for nothing and where: then a compiled function is compiled
again, or fails under `mark_dynamic`, at sizes at which it was right. Times are of the CPU; PyTorch's are of its `view`
of the fake tensor alone.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any, NamedTuple

from pytorch.patterns import PATTERNS, Made, made

from symview import View
from symview.answers import Exact
from symview.errors import SymviewError
from symview.torch import ViewGuard, view_guard

from .measure import Ratio, Seconds, Table, median, p99

REPEATS, AGAIN = 3, 20
COLUMNS = ("pattern", "outcome", "guard", "first", "again", "PyTorch", "first", "guards", "which are", "at")
REAL = ("tensors", "agree", "symview: median", "p99", "PyTorch: median")


class Theirs(NamedTuple):
    """What PyTorch's own view did, how long it took, and how many guards it added; what they are beside ours."""

    outcome: str
    time: float
    guards: int
    verdict: str = "-"
    at: str = ""


def dynamic(patterns: int) -> Table:
    """The first so many patterns."""
    rows: list[tuple[Any, ...]] = []
    ours: list[float] = []
    for pattern in PATTERNS[:patterns] if find_spec("torch") else ():
        answer, first, again = _timed(made(pattern))
        theirs = _theirs(made(pattern), answer)
        ours.append(first)
        rows.append((pattern.name, answer.outcome, answer.guard, Seconds(first), Seconds(again),
                     theirs.outcome, Seconds(theirs.time), theirs.guards, theirs.verdict, theirs.at))  # fmt: skip
    if ours:
        rows.append(("median and worst", "", "", median(ours), Seconds(max(ours)), *["-"] * 5))
    title = "view_guard against PyTorch's view of tensors with dynamic sizes"
    return Table(title, COLUMNS, rows or [("no PyTorch", *["-"] * (len(COLUMNS) - 1))])


def _timed(m: Made) -> tuple[ViewGuard, float, float]:
    """The answer with guard and strides, and the least CPU time of a first and of a repeated question."""
    times: list[list[float]] = [[], []]
    for _ in range(REPEATS):
        for module in ("answers", "settled"):
            for kept in ("_asked", "_settled"):
                if found := getattr(sys.modules[f"symview.torch.{module}"], kept, None):
                    found.cache_clear()
        for kind in times:
            start = process_time()
            answer = view_guard(m.tensor, m.shape)
            _ = kind is times[0] and (answer.guard, answer.strides)
            kind.append(process_time() - start)
    for _ in range(AGAIN):
        start = process_time()
        view_guard(m.tensor, m.shape)
        times[1].append(process_time() - start)
    return answer, min(times[0]), min(times[1])


def _theirs(m: Made, answer: ViewGuard) -> Theirs:
    import sympy

    before, start = len(m.env.guards), process_time()
    try:
        with m.mode:
            m.tensor.view(m.shape)
        outcome = "view"
    except (RuntimeError, ValueError) as error:
        outcome = "cannot tell" if "data-dependent" in str(error) else "copy"
    time = process_time() - start
    guards = sympy.And(*[g.expr for g in m.env.guards[before:]])
    if outcome == "cannot tell" or answer.outcome == "depends":
        return Theirs(outcome, time, len(m.env.guards) - before)
    try:
        found = answer.compare(guards)
    except SymviewError as error:
        return Theirs(outcome, time, len(m.env.guards) - before, "open", str(error)[:40])
    verdict = "exact" if isinstance(found, Exact) else type(found).__name__
    values = "" if isinstance(found, Exact) else ", ".join(f"{n} = {v}" for n, v in found.values.items())
    return Theirs(outcome, time, len(m.env.guards) - before, verdict, values)


def real(count: int) -> Table:
    """Random tensors of numbers: whether both agree, strides and all, and the times of single questions."""
    if not find_spec("torch"):
        return Table("view_guard on real tensors", REAL, [("no PyTorch", *["-"] * (len(REAL) - 1))])
    import torch

    rng, agree = Random("real tensors"), 0
    ours, theirs = list[float](), list[float]()
    for _ in range(count):
        x, shape = _tensor(rng)
        start = process_time()
        found = view_guard(x, shape)
        middle = process_time()
        try:
            there = x.view(shape)
        except RuntimeError:
            there = None
        theirs.append(process_time() - middle)
        ours.append(middle - start)
        agree += (found.view if found.outcome == "view" else None) == (None if there is None else View.of(there))
    row = (count, Ratio(agree / count), median(ours), p99(ours), median(theirs))
    return Table(f"view_guard on real tensors, PyTorch {torch.__version__}", REAL, [row])


def _tensor(rng: Random) -> tuple[Any, tuple[int, ...]]:
    """A tensor of any strides from 0 up, which fit one another often, and a shape of as many elements."""
    import torch

    sizes = [rng.choice((1, 2, 2, 3, 4, 6)) if rng.random() < 0.97 else 0 for _ in range(rng.randint(0, 5))]
    strides: list[int] = []
    below, step = 1, rng.choice((1, 1, 2))
    for n in reversed(sizes):
        step = step * below if rng.random() < 0.75 else rng.randint(0, 12)
        strides.insert(0, step)
        below = n
    x = torch.empty_strided(sizes, strides, device="meta")
    if x.numel() == 0:
        return x, tuple(rng.sample((0, 2, 3), 3))
    left, shape = x.numel(), list[int]()
    while left > 1 or rng.random() < 0.2:
        shape.append(rng.choice([d for d in range(1, left + 1) if left % d == 0]))
        left //= shape[-1]
    rng.shuffle(shape)
    if shape and rng.random() < 0.3:
        shape[rng.randrange(len(shape))] = -1
    return x, tuple(shape)
