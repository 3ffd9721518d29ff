"""Shows on a terminal that work goes on."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

T = TypeVar("T")


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows on a terminal's stderr that work goes on, unless the text is empty; does nothing elsewhere."""
    if not what or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # slow to load

    with Console(stderr=True).status(f"{what} …"):
        yield


def progress(steps: Iterable[T], total: int | None, what: str, seconds: float | None = None) -> Iterator[T]:
    """Yields the steps and counts them on a terminal's stderr, with a bar if the total is known.

    Elsewhere it prints a line to stderr each time that so many seconds are over; none without `seconds`.
    """
    if not sys.stderr.isatty():
        yield from steps if seconds is None else _noted(steps, total, what, seconds)
        return
    from rich.console import Console  # slow to load
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # slow to load

    bar = [] if total is None else [BarColumn()]
    columns = TextColumn("{task.description}"), *bar, MofNCompleteColumn(), TimeElapsedColumn()
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as shown:
        yield from shown.track(steps, total, description=what)


def _noted(steps: Iterable[T], total: int | None, what: str, seconds: float) -> Iterator[T]:
    told = monotonic()
    for done, step in enumerate(steps, 1):
        yield step
        if monotonic() - told >= seconds:
            told = monotonic()
            print(f"{what}: {done}{'' if total is None else f' of {total}'}", file=sys.stderr, flush=True)
