"""The algebra on layouts of numbers where nothing has to be decided: the common case, in one pass over the modes.

Each function gives what the general way gives, or None where that way has to look closer, and where it has to say why
there is no answer: at modes that interleave or overlap, at gaps that nothing fills, at strides below 0. A mode of one
size and one stride goes on in a straight line, so what is composed with it is scaled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import flatten
from symview.cute.layout import Layout, made
from symview.cute.walk import walked

Part = tuple[Any, Any]  # shape and stride
Halves = tuple[Any, Any, Any, Any]  # shape and stride of the tile or block, and of the rest or the copies
OnMode = Callable[..., Any]  # of shape, stride and tile, and of the layout itself if it is no mode: a part, or halves


def coalesced_numbers(layout: Layout) -> Layout:
    """The layout without modes of size 1, neighbours that continue each other as one."""
    shape, stride = layout._shape, layout._stride
    if shape.__class__ is int:
        return layout if shape != 1 else made(1, 0)
    sizes: list[int] = []
    steps: list[int] = []
    size = end = 0
    for n, d in zip(flatten(shape), flatten(stride)):  # noqa: B905
        if n == 1:
            continue
        if d == end and sizes:
            size *= n
            sizes[-1] = size
        else:
            size = n
            sizes.append(n)
            steps.append(d)
        end = size * steps[-1]
    return of_modes(sizes, steps)


def of_modes(sizes: list[int], steps: list[int]) -> Layout:
    """The flat layout of these modes: a single one without a tuple, none as 1:0."""
    if len(sizes) > 1:
        return made(tuple(sizes), tuple(steps))
    return made(sizes[0], steps[0]) if sizes else made(1, 0)


def _by_stride(layout: Layout) -> list[tuple[int, int]]:
    """Stride and size of the modes that move, by stride, then by size."""
    shape, stride = layout._shape, layout._stride
    if shape.__class__ is int:
        return [(stride, shape)] if shape != 1 and stride != 0 else []
    modes = zip(flatten(stride), flatten(shape))  # noqa: B905
    return sorted([mode for mode in modes if mode[1] != 1 and mode[0] != 0])


def complement_numbers(layout: Layout, bound: int) -> Layout | None:
    """What fills every gap up to the bound; None where a gap is left, or modes overlap."""
    sizes: list[int] = []
    steps: list[int] = []
    reach = 1
    for stride, size in _by_stride(layout):
        if stride < reach or stride % reach:
            return None
        if stride != reach:
            sizes.append(stride // reach)
            steps.append(reach)
        reach = stride * size
    if bound > reach:
        sizes.append(-(-bound // reach))
        steps.append(reach)
    return of_modes(sizes, steps)


# Compositions, divisions and products, by tiles and by tuples of them


def composed_by(layout: Layout, tiler: Any) -> Layout | None:
    """`composition`, mode by mode."""
    return _answered(layout, tiler, "logical", _composed)


def divided_by(layout: Layout, tiler: Any, arranged: str) -> Layout | None:
    """The division of that arrangement."""
    return _answered(layout, tiler, arranged, _divided)


def multiplied_by(layout: Layout, tiler: Any, arranged: str) -> Layout | None:
    """The product of that arrangement."""
    return _answered(layout, tiler, arranged, _multiplied)


def _answered(layout: Layout, tiler: Any, arranged: str, on_mode: OnMode) -> Layout | None:
    shape, stride = layout._shape, layout._stride
    try:
        if tiler.__class__ is not tuple:
            found = on_mode(shape, stride, tiler, layout)
        elif arranged == "logical":
            found = _in_place(shape, stride, tiler, on_mode)
        else:
            found = _unzipped(shape, stride, tiler, on_mode)
    except LayoutError:
        return None
    if found is None:
        return None
    return made(*found) if len(found) == 2 else made(*_put_together(arranged, found))


def _put_together(arranged: str, halves: Halves) -> Part:
    first, step, rest, further = halves
    if arranged in ("logical", "zipped"):
        return (first, rest), (step, further)
    if rest.__class__ is not tuple:
        rest, further = (rest,), (further,)
    if arranged == "tiled":
        return (first, *rest), (step, *further)
    if first.__class__ is not tuple:
        first, step = (first,), (step,)
    return (*first, *rest), (*step, *further)


def _in_place(shape: Any, stride: Any, tiler: Any, on_mode: OnMode) -> Part | None:
    """What comes of each mode, in its place; of halves, these as two modes."""
    if tiler is None:
        return shape, stride
    if tiler.__class__ is not tuple:
        found = on_mode(shape, stride, tiler)
        return found if found is None or len(found) == 2 else _put_together("logical", found)
    if shape.__class__ is not tuple or len(tiler) > len(shape):
        return None
    sizes, steps = [], []
    for n, d, tile in zip(shape, stride, tiler):  # noqa: B905
        part = _in_place(n, d, tile, on_mode)
        if part is None:
            return None
        sizes.append(part[0])
        steps.append(part[1])
    many = len(tiler)
    return (*sizes, *shape[many:]), (*steps, *stride[many:])


def _unzipped(shape: Any, stride: Any, tiler: Any, split: OnMode) -> Halves | None:
    """The first halves of what comes of each mode, and the second ones with the modes that are left."""
    if tiler is None:
        return 1, 0, shape, stride
    if tiler.__class__ is not tuple:
        return split(shape, stride, tiler)  # type: ignore[no-any-return]
    if shape.__class__ is not tuple or len(tiler) > len(shape):
        return None
    first, step, rest, further = [], [], [], []
    for n, d, tile in zip(shape, stride, tiler):  # noqa: B905
        halves = _unzipped(n, d, tile, split)
        if halves is None:
            return None
        first.append(halves[0])
        step.append(halves[1])
        rest.append(halves[2])
        further.append(halves[3])
    many = len(tiler)
    return tuple(first), tuple(step), (*rest, *shape[many:]), (*further, *stride[many:])


# One mode and one tile


def _tile(tile: Any, one: int) -> Part | None:
    """Shape and stride of a tile of numbers; of the size 1, with that stride."""
    if tile.__class__ is int:
        return (tile, 1) if tile > 1 else (1, one) if tile == 1 else None
    return (tile._shape, tile._stride) if tile.__class__ is Layout and tile._numeric else None


def _composed(shape: Any, stride: Any, tile: Any, whole: Layout | None = None) -> Part | None:
    part = _tile(tile, 1)
    if part is None:
        return None
    n, d = part
    if shape.__class__ is int and n.__class__ is int and d >= 0:
        return (n, d * stride) if n > 1 else (1, 0)
    layout = made(shape, stride) if whole is None else whole
    found = walked(layout, tile if tile.__class__ is Layout else made(n, d))
    return found._shape, found._stride


def _divided(shape: Any, stride: Any, tile: Any, whole: Layout | None = None) -> Halves | None:
    part = _tile(tile, 0)
    if part is None:
        return None
    n, d = part
    if shape.__class__ is int and n.__class__ is int and d > 0:
        if n == 1:
            return (1, 0, shape, stride) if shape > 1 else (1, 0, 1, 0)
        many = -(-shape // (n * d))
        if d == 1:
            return (n, stride, many, n * stride) if many > 1 else (n, stride, 1, 0)
        if many == 1:
            return n, d * stride, d, stride
        return n, d * stride, (d, many), (stride, n * d * stride)
    layout = made(shape, stride) if whole is None else whole
    inner = tile if tile.__class__ is Layout else made(n, d)
    rest = complement_numbers(inner, layout.size())
    if rest is None:
        return None
    found = walked(layout, made((n, rest._shape), (d, rest._stride)))
    (first, second), (step, further) = found._shape, found._stride
    return first, step, second, further


def _multiplied(shape: Any, stride: Any, tile: Any, whole: Layout | None = None) -> Halves | None:
    part = _tile(tile, 0)
    if part is None:
        return None
    n, d = part
    if stride == 1 and shape.__class__ is int and n.__class__ is int and d >= 0:
        return (shape, 1, n, d * shape) if n > 1 else (shape, 1, 1, 0)
    layout = made(shape, stride) if whole is None else whole
    inner = tile if tile.__class__ is Layout else made(n, d)
    many = inner.cosize()
    places = complement_numbers(layout, layout.size() * many) if many > 0 else None
    if places is None:
        return None
    found = walked(places, inner)
    return shape, stride, found._shape, found._stride
