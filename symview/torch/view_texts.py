"""How a reshape that copies could be a view, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symview.view import View, reshaped, target_shape
from symview.views.reshaping import why_not


def other_strides(view: View, shape: Sequence[Any]) -> str:
    """The strides that would make it a view; empty if they would change expanded dims."""
    strides = list(view.strides)
    for obstacle in reversed(why_not(view, tuple(shape))):
        outer, inner = obstacle.dims
        strides[outer] = view.shape[inner] * strides[inner]
    changed = [axis for axis, (old, new) in enumerate(zip(view.strides, strides, strict=True)) if old != new]
    there = reshaped(View(view.shape, strides), target_shape(view, shape), None)
    if not isinstance(there, View) or not changed or 0 in view.strides:
        return ""
    return "a view if " + " and ".join(f"stride {a} were {strides[a]}, not {view.strides[a]}" for a in changed)


def copied_bytes(count: int) -> str:
    """A number of bytes in a unit that fits."""
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"
