"""The other operations of pycute on the same random layouts, layouts made anew in each call, in turn."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pycute

from symview import cute
from symview.errors import SymviewError

from .measure import Table, median, p99, ratio, timed

REPEATS = 5
REFUSALS = (AssertionError, ValueError, ZeroDivisionError, SymviewError)
OPERATIONS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "coalesce": lambda module, a, _: module.coalesce(module.Layout(*a)),
    "complement": lambda module, a, _: module.complement(module.Layout(*a), 4096),
    "right_inverse": lambda module, a, _: module.right_inverse(module.Layout(*a)),
    "left_inverse": lambda module, a, _: module.left_inverse(module.Layout(*a)),
    "logical_divide": lambda module, a, b: module.logical_divide(module.Layout(*a), module.Layout(*b)),
    "logical_product": lambda module, a, b: module.logical_product(module.Layout(*a), module.Layout(*b)),
    "zipped_divide": lambda module, a, b: module.zipped_divide(module.Layout(*a), module.Layout(*b)),
}
BY_TUPLES = (
    "composition", "logical_divide", "zipped_divide", "tiled_divide", "logical_product", "zipped_product",
    "tiled_product",
)  # fmt: skip


def parts(rng: Random) -> tuple[Any, Any]:
    """Shape and stride: compact in some order, here and there a gap, at times nested."""
    shape = [rng.choice((2, 3, 4, 6, 8, 16)) for _ in range(rng.randint(1, 4))]
    stride, step = [0] * len(shape), 1
    for k in rng.sample(range(len(shape)), len(shape)):
        stride[k], step = step, step * shape[k] * rng.choice((1, 1, 1, 2))
    if len(shape) == 1 and rng.random() < 0.5:
        return shape[0], stride[0]
    if len(shape) > 2 and rng.random() < 0.4:
        return (shape[0], tuple(shape[1:])), (stride[0], tuple(stride[1:]))
    return tuple(shape), tuple(stride)


def tiled_parts(rng: Random) -> tuple[Any, Any]:
    """A layout of two modes or more, and tiles that divide the first modes, each a size and a stride."""
    shape, stride = parts(rng)
    if not isinstance(shape, tuple) or len(shape) < 2:
        return tiled_parts(rng)
    tiles = []
    for n in shape[: rng.randint(1, len(shape))]:
        whole = n if isinstance(n, int) else n[0]
        size = rng.choice([t for t in (1, 2, 3, 4, 8) if whole % t == 0])
        tiles.append((size, rng.choice((1, 1, 2)) if size > 1 and whole % (2 * size) == 0 else 1))
    return (shape, stride), tuple(tiles)


def by_tuple(name: str) -> Callable[[Any, Any, Any], Any]:
    """The operation by a tuple: of sizes where all strides are 1, if it is no product; else of layouts."""

    def call(module: Any, a: Any, tiles: Any) -> Any:
        sizes = all(d == 1 for _, d in tiles) and not name.endswith("product")  # pycute divides by numbers
        tiler = tuple([n for n, _ in tiles] if sizes else [module.Layout(*t) for t in tiles])
        return getattr(module, name)(module.Layout(*a), tiler)

    return call


def attempt(operation: Callable[[Any, Any, Any], Any], module: Any, a: Any, b: Any) -> Any:
    """The answer, or None where it is refused."""
    try:
        return operation(module, a, b)
    except REFUSALS:
        return None


def against_pycute(calls: int) -> Table:
    """Times where both answer."""
    rows = []
    query = {**OPERATIONS, **{f"{name} by a tuple": by_tuple(name) for name in BY_TUPLES}}
    for name, operation in query.items():
        rng = Random(f"benchmark {name}")
        times: dict[str, list[float]] = {"symview": [], "pycute": []}
        for _ in range(calls):
            given = (parts(rng), (rng.choice((2, 3, 4)), 1)) if name in OPERATIONS else tiled_parts(rng)
            if all(attempt(operation, module, *given) for module in (cute, pycute)):
                for key, module in (("symview", cute), ("pycute", pycute)):
                    times[key].append(timed(attempt, operation, module, *given, repeats=REPEATS)[1])
        ours, theirs = times["symview"], times["pycute"]
        row = (name, len(ours), median(ours), p99(ours), median(theirs), p99(theirs))
        rows.append((*row, ratio(median(ours), median(theirs)), ratio(p99(ours), p99(theirs))))
    columns = (
        "operation", "both answer", "symview: median", "p99", "pycute: median", "p99", "median over pycute's",
        "p99 over pycute's",
    )  # fmt: skip
    return Table("operations on random layouts, making these included", columns, rows)
