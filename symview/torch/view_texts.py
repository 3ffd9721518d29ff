"""How a reshape that copies could be a view, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from string import ascii_lowercase
from typing import Any

from symview.torch.consumers import Use, copies_instead
from symview.view import View, reshaped, target_shape
from symview.views.reshaping import reshape_conditions, why_not

_CHECK = "check with --try"  # what else reads the views is not known
_AT_THESE = "the sizes are these"


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


def needless(view: View, viewed: Sequence[Sequence[Any]], uses: Sequence[Use], order: Sequence[int]) -> str:
    """Says that a `contiguous` is not needed for the views after it, and at which sizes; empty if one needs it.

    If one of the uses of these views would copy instead, it says that. `order`: the copy's dims, the fastest first.
    """
    if not viewed or not all(isinstance(reshaped(view, target_shape(view, v), None), View) for v in viewed):
        return ""
    outside = order[::-1]
    in_memory = View([view.shape[d] for d in outside], [view.strides[d] for d in outside])
    if other := copies_instead(in_memory, uses):
        return f"without it {other}"
    sizes = " and ".join(f"({','.join(map(str, v))})" for v in viewed)
    needs = f"the view{'s' if len(viewed) > 1 else ''} to {sizes} after it need{'s' * (len(viewed) == 1)} no copy"
    conditions = {text for v in viewed if (text := where_a_view(view, v)) != "always"}
    if not conditions:
        return f"drop .contiguous(): {needs}; {_CHECK}"
    where = " and ".join(sorted(conditions))
    return f".reshape instead of .contiguous().view: {needs}, but only where {where}; {_CHECK}"


def where_a_view(view: View, shape: Sequence[Any]) -> str:
    """Where it is a view at other sizes of the same dims a, b, …: `always`, a condition, or `the sizes are these`.

    The strides are taken as those of a tensor whose dims were permuted, and the new sizes as products of dims.
    """
    names = ascii_lowercase[: view.rank]
    order = sorted(range(view.rank), key=lambda d: (-view.strides[d], view.shape[d] == 1))
    ones = [view.strides[d] for d in order if view.shape[d] == 1]
    if len(set(ones)) < len(ones):
        return _AT_THESE  # which of them is outside is not known
    strides, faster, product = [""] * view.rank, "1", 1
    for d in reversed(order):
        if view.strides[d] != product:
            return _AT_THESE
        strides[d], faster, product = faster, f"{names[d]}*{faster}", product * view.shape[d]
    groups = _products(view.shape, shape)
    if groups is None:
        return _AT_THESE
    target = [("*".join(names[d] for d in group) or "1") for group in groups]
    general = View.parse(f"({','.join(names)}):({','.join(strides)})")
    found = str(reshape_conditions(general, View.parse(f"({','.join(target)})").shape))
    at = ", ".join(f"{name} = {n}" for name, n in zip(names, view.shape, strict=True))
    return found if found == "always" else f"{found} (here {at})"


def _products(shape: Sequence[int], target: Sequence[int]) -> list[list[int]] | None:
    """The new sizes as products of consecutive dims; None if they are not, or for dims of size 1 in several ways."""
    groups, dims = list[list[int]](), list(range(len(shape)))
    for size in target:
        group, product = list[int](), 1
        while dims and (product < size or (not group and size == 1 == shape[dims[0]])):
            group.append(dims.pop(0))
            product *= shape[group[-1]]
        if product != size:
            return None
        groups.append(group)
    several = any(
        (len(one) > 1 and shape[one[-1]] == 1) or (len(other) > 1 and shape[other[0]] == 1)
        for one, other in pairwise(groups)
    )
    return None if dims or several else groups


def copied_bytes(count: int) -> str:
    """A number of bytes in a unit that fits."""
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"
