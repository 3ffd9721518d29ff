"""`view_guard` beside PyTorch's own `view` on tensors of dynamic sizes, in one run.

Both answer at the hints; symview with the weakest guard, PyTorch with what it happens to compare on its way. Of each
set of guards it is said whether it is exact, or refuses for nothing and where: then a compiled function is compiled
again, or fails under `mark_dynamic`, at sizes at which it was right. Times are of the CPU; PyTorch's are of its `view`
of the fake tensor alone. `again` is the same question once more; `other names` is that of a new ShapeEnv, whose symbols
have other names.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from random import Random
from time import process_time
from typing import Any, NamedTuple

from clients.torch_patterns import PATTERNS, Made, made

from symview import View
from symview.answers import Exact
from symview.errors import SymviewError
from symview.torch import ViewGuard, forms, view_guard

from .measure import Ratio, Seconds, Table, median, p99, timed

REPEATS, AGAIN = 3, 20
COLUMNS = (
    "pattern", "outcome", "guard", "first", "again", "other names", "PyTorch", "first", "guards", "which are", "at",
)  # fmt: skip
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
    ours: list[tuple[float, float, float]] = []
    for pattern in PATTERNS[:patterns] if find_spec("torch") else ():
        answer, first, again, renamed = _timed(made(pattern), [made(pattern, turn) for turn in range(1, REPEATS + 1)])
        theirs = _theirs(made(pattern), answer)
        ours.append((first, again, renamed))
        rows.append((pattern.name, answer.outcome, answer.guard, Seconds(first), Seconds(again), Seconds(renamed),
                     theirs.outcome, Seconds(theirs.time), theirs.guards, theirs.verdict, theirs.at))  # fmt: skip
    if ours:
        kinds = list(zip(*ours, strict=True))
        rows += [(kind.__name__, "", "", *map(kind, kinds), *["-"] * 5) for kind in (median, worst)]
    title = "view_guard against PyTorch's view of tensors with dynamic sizes"
    return Table(title, COLUMNS, rows or [("no PyTorch", *["-"] * (len(COLUMNS) - 1))])


def worst(times: Sequence[float]) -> Seconds:
    return Seconds(max(times))


def _timed(m: Made, others: Sequence[Made]) -> tuple[ViewGuard, float, float, float]:
    """The answer with guard and strides, and the least CPU time of a first, of a repeated and of a renamed question."""
    first = []
    for _ in range(REPEATS):
        forms.searched.cache_clear()
        start = process_time()
        answer = view_guard(m.tensor, m.shape)
        _ = answer.guard, answer.strides
        first.append(process_time() - start)
    return answer, min(first), min([_once(m) for _ in range(AGAIN)]), min(map(_once, others))


def _once(m: Made) -> float:
    start = process_time()
    view_guard(m.tensor, m.shape)
    return process_time() - start


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
        found, time = timed(view_guard, x, shape, repeats=REPEATS, clock=process_time)
        ours.append(time)
        there, time = timed(_viewed, x, shape, repeats=REPEATS, clock=process_time)
        theirs.append(time)
        agree += (found.view if found.outcome == "view" else None) == (None if there is None else View.of(there))
    row = (count, Ratio(agree / count), median(ours), p99(ours), median(theirs))
    return Table(f"view_guard on real tensors, PyTorch {torch.__version__}", REAL, [row])


def _viewed(x: Any, shape: tuple[int, ...]) -> Any:
    try:
        return x.view(shape)
    except RuntimeError:
        return None


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
