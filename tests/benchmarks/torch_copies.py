"""What a report of copies costs: calls of public models with it beside plain calls, by CPU time."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from importlib.util import find_spec
from time import process_time
from typing import Any

from symview.torch import copies

from .measure import Ratio, Seconds, Table, median

CALLS = 5  # of which the fastest counts


def reports(models: int) -> Table:
    """The first so many models of transformers in each grad mode: CPU time of a call, and what a report makes of it."""
    columns = "mode", "models", "plain call, median", "with a report, median", "most"
    if not (find_spec("torch") and find_spec("transformers")):
        return Table("copies()", columns, [("nothing: PyTorch or transformers is not installed", 0, 0, 0, 0)])
    from clients.torch_profiler import MODES
    from clients.torch_transformers import built, entries

    pairs = [built(entry) for entry in entries()[:models]]
    rows = list[tuple[Any, ...]]()
    for name, mode in MODES.items():
        plain, ratios = list[float](), list[float]()
        for model, inputs in pairs:
            with mode():
                run = [fastest(model, inputs, block) for block in (nullcontext, copies)]
            plain.append(run[0])
            ratios.append(run[1] / run[0])
        rows.append((name, len(pairs), Seconds(median(plain)), Ratio(median(ratios)), Ratio(max(ratios))))
    return Table("copies()", columns, rows)


def fastest(model: Any, inputs: dict[str, Any], block: Callable[[], Any]) -> float:
    times = []
    for _ in range(CALLS):
        with block():
            start = process_time()
            model(**inputs)
            times.append(process_time() - start)
    return min(times)
