"""Orders of dims, from the fastest to the slowest: XLA's minor-to-major, and memory formats by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symview.errors import InputError
from symview.logic.sympy_bridge import as_integer, is_number

FORMATS = {
    "channels_last": (1, 3, 2, 0),
    "channels_last_3d": (1, 4, 3, 2, 0),
}  # PyTorch's, of N, C and two or three dims


def read_order(order: Any, rank: int) -> tuple[int, ...]:
    """The dims of an order from the fastest to the slowest; None is row-major.

    A sequence names each dim once, the fastest first; negative numbers count from the end. Names are "row_major" (C),
    "column_major" (Fortran), and PyTorch's "channels_last" and "channels_last_3d".
    Raises InputError for anything else.

    >>> read_order(None, 3), read_order("channels_last", 4)
    ((2, 1, 0), (1, 3, 2, 0))
    """
    if order is None or (isinstance(order, str) and order == "row_major"):
        return tuple(reversed(range(rank)))
    if isinstance(order, str):
        found = tuple(range(rank)) if order == "column_major" else FORMATS.get(order, ())
        if len(found) != rank:
            shown = ", ".join(f"{name} of {len(dims)} dims" for name, dims in FORMATS.items())
            raise InputError(
                f"order {order!r} of {rank} dims: give row_major, column_major, {shown}, or numbers of dims"
            )
        return found
    if not isinstance(order, Iterable):
        raise InputError(f"order {order!r}: give the dims from the fastest to the slowest, as in (1, 0)")
    dims = tuple([as_integer(d, "a dim of an order") for d in order])
    found = tuple([int(d) + rank * (d < 0) if is_number(d) else -1 for d in dims])
    if sorted(found) != list(range(rank)):
        raise InputError(f"order {dims}: give each of the {rank} dims 0..{rank - 1} once, the fastest first")
    return found
