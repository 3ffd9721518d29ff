"""`reshape_conditions` on the named patterns with symbolic sizes, and PyTorch's own `view` on fake tensors of them.

The two do not answer the same: symview says the condition for all positive sizes, PyTorch decides at one value of each
symbol, from 2 up, and writes the guards of that one answer; it makes a fake tensor besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from math import prod
from random import Random
from typing import Any, NamedTuple

from oracle import parametric
from oracle.parametric import Reshape
from oracle.reshape_patterns import PATTERNS, Pattern

from symview import Conditions, Status, View, reshape_conditions
from symview.view_notation import read_shape

from .measure import Table, median, p99, ratio, timed

REPEATS = 20
TRIES = 400
COLUMNS = (
    "pattern", "answer", "symview: median", "p99", "PyTorch", "guards", "PyTorch: median", "p99", "median ratio",
)  # fmt: skip


def answer_to(reshape: Reshape) -> Callable[[], Conditions]:
    """The question, read already."""
    view, shape = View.parse(str(reshape.view)), read_shape(f"({','.join(reshape.shape)})")
    return lambda: reshape_conditions(view, shape, assume=reshape.assume)


def summary(answer: Conditions) -> str:
    """Whether it is always a view, never, or under conditions."""
    statuses = {case.status for case in answer.cases}
    return str(statuses.pop()) if len(statuses) == 1 else str(Status.WHEN)


def hints(reshape: Reshape) -> dict[str, int] | None:
    """Sizes and strides from 2 up at which the shape fits, a view where some are found; None where none fit."""
    rng, fitting = Random(0), None
    for values in _choices(rng, reshape):
        old, new = reshape.view.at(values), reshape.target(values)
        if new is not None and min(old.strides, default=0) >= 0:
            fitting = values
            if parametric.reshaped(old, new) is not None:
                return values
    return fitting


def _choices(rng: Random, reshape: Reshape) -> Iterator[dict[str, int]]:
    names = sorted({*reshape.view.names(), *parametric.names_in(*reshape.shape)})
    for number in range(TRIES):
        values = {name: rng.randint(2, 7 if number % 2 else 13) for name in names}
        if number % 3:
            shape = reshape.view.at(values).shape
            values |= {t: 2 * prod(shape[a + 1 :]) for a, t in enumerate(reshape.view.strides) if t in values}
        if all(parametric.at(text, values) for text in reshape.assume):
            yield values


class Traced(NamedTuple):
    """The time of PyTorch's `view` and of writing its guards, what it did, and how many guards it added."""

    time: float
    outcome: str
    guards: int


def traced(reshape: Reshape, values: dict[str, int]) -> Traced:
    """PyTorch in a new ShapeEnv, with these hints."""
    import torch
    from torch._dynamo.source import LocalSource
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

    env = ShapeEnv(duck_shape=False)
    symbols = {}
    for name, value in values.items():
        source = LocalSource(name)
        symbol = env.create_symbol(value, source, dynamic_dim=DimDynamic.DYNAMIC)
        symbols[name] = env.create_symintnode(symbol, hint=value, source=source)
    entries = [[parametric.at(text, symbols) for text in texts] for texts in (*reshape.view[:2], reshape.shape)]
    with FakeTensorMode(shape_env=env):
        x = torch.empty_strided(entries[0], entries[1])
        before = len(env.guards)
        outcome, time = timed(_view, x, entries[2], env, list(symbols.values()))
        return Traced(time, outcome, len(env.guards) - before)


def _view(x: Any, shape: list[Any], env: Any, symbols: list[Any]) -> str:
    try:
        x.view(shape)
        outcome = "view"
    except (RuntimeError, ValueError):
        outcome = "refuses"
    env.produce_guards_expression(symbols)
    return outcome


def peer(pattern: Pattern) -> tuple[list[float], tuple[Any, Any]]:
    """PyTorch's times and what it did; no times without PyTorch, or where it does not have such strides."""
    values = hints(pattern.reshape()) if find_spec("torch") else None
    if values is None:
        return [], ("-", "-")
    runs = [traced(pattern.reshape(), values) for _ in range(REPEATS + 1)][1:]  # what is loaded once is not counted
    return [run.time for run in runs], runs[0][1:]


def against_torch(patterns: int) -> Table:
    """The first so many patterns, each asked from anew several times, and all of them together."""
    rows, ours, theirs = [], [], []
    for pattern in PATTERNS[:patterns]:
        ask = answer_to(pattern.reshape())
        answer = ask()
        times = [timed(ask)[1] for _ in range(REPEATS)]
        rivals, found = peer(pattern)
        ours += times
        theirs += rivals
        rows.append((pattern.name, summary(answer), *_figures(times, found, rivals)))
    rows.append(("all", "", *_figures(ours, ("", ""), theirs)))
    title = "reshape_conditions against PyTorch's view of fake tensors (ratio: PyTorch over symview)"
    return Table(title, COLUMNS, rows)


def _figures(ours: list[float], between: tuple[Any, Any], theirs: list[float]) -> tuple[Any, ...]:
    rival = (median(theirs), p99(theirs), ratio(median(theirs), median(ours))) if theirs else ("-",) * 3
    return (median(ours), p99(ours), *between, *rival)
