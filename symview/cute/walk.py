"""The algebra on layouts of numbers; composition is exact: it finds every layout whose modes refine B's.

For A, f(x) = base·x + Σ defect·floor(x/place), where its last mode extends; B's mode (N:r) asks for h(x) = f(r·x) on
[0, N). If h is a layout, its coalesced form is found from the front: the first mode ends where h leaves the straight
line. It is necessary that this form exists for every mode; then A ∘ B is a layout iff A and the refined B merge, as
views do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.cute.composition_failure import Clash, Cut, no_composition
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import flatten, like
from symview.cute.layout import Layout, made
from symview.displayed import number_text
from symview.engine.breaks import first_break
from symview.engine.decide import violation
from symview.engine.overflow import Carry
from symview.logic.budget import DEFAULT, Budget

Tell = Callable[..., None]  # called at each step with its name and data; `explained` makes sentences of them


def walked(outer: Layout, inner: Layout, budget: Budget = DEFAULT, tell: Tell | None = None) -> Layout:
    """A ∘ B of numeric layouts, coalesced within each mode of B; raises NoComposition if there is none."""
    base, bends = outer._digits or outer.digits()
    shape, stride = inner._shape, inner._stride
    flat = flatten(shape)
    modes = zip(flat, stride if flat is shape else flatten(stride))  # noqa: B905
    if tell:
        tell("walk", outer, inner)
    extent = 0  # B's last value
    sizes: list[Any] = []  # for each flat mode of B: its size, or the sizes it splits into
    strides: list[Any] = []
    parts: list[tuple[int, int]] = []  # sizes and steps of the refinement
    for size, step in modes:
        if tell:
            tell("along", len(sizes))
        if size == 1 or step <= 0:
            if size != 1 and step < 0:
                mode, low = f"{number_text(size)}:{number_text(step)}", number_text((size - 1) * step)
                raise LayoutError(f"composition: the mode {mode} of B goes down to {low}; A starts at 0")
            sizes.append(size)
            strides.append(0)
            parts.append((size, 0))
            continue
        left = size
        extent += (size - 1) * step
        pieces: list[tuple[int, int]] = []
        while True:
            reach, value, weight = _straight(base, bends, step, left) if bends else (left, base * step, 0)
            if reach < left and not weight:  # the first overflows cancel
                budget = budget.started()
                slopes = [Carry(place, 0, (step % place,)) for place, _ in bends]
                reach = first_break(slopes, [defect for _, defect in bends], left, budget) or left
            if tell:
                tell("straight", step, reach, left)
            parts.append((reach, step))
            if reach == left:
                break
            if left % reach:
                raise no_composition(outer, inner, Cut(len(sizes), step, left, reach))
            pieces.append((reach, value))
            left //= reach
            step *= reach
        if pieces:
            pieces.append((left, value))
            sizes.append(tuple([n for n, _ in pieces]))
            strides.append(tuple([d for _, d in pieces]))
        else:
            sizes.append(left)
            strides.append(value)
    if len(parts) > 1:
        if tell:
            tell("together", tuple(parts))
        if bends and bends[0][0] <= extent and _may_carry(bends, parts, extent):
            _need_independent(outer, inner, Clash(tuple(map(flatten, sizes)), tuple(parts), None, budget))
    if flat is shape:
        return made(tuple(sizes), tuple(strides))
    return made(like(shape, iter(sizes)), like(shape, iter(strides)))


def _straight(base: int, bends: list[tuple[int, int]], step: int, left: int) -> tuple[int, int, int]:
    """How many of `left` steps do not overflow, f(step), and the sum of the defects at the first overflows.

    Until then f(i·step) = i·f(step); beyond, that fails unless the first overflows cancel.
    """
    value, reach, weight = base * step, left, 0
    end = left * step
    for place, defect in bends:
        if place >= end:
            break
        rest = step % place
        if rest != step:
            value += defect * (step // place)
        if rest:
            carries = -(-place // rest)
            if carries < reach:
                reach, weight = carries, defect
            elif carries == reach:
                weight += defect
    return reach, value, weight


def _may_carry(bends: list[tuple[int, int]], parts: list[tuple[int, int]], extent: int) -> bool:
    """Whether the parts together, up to the extent, can reach a place that none of them reaches alone."""
    for place, _ in bends:
        if place > extent:
            break
        most = 0
        for n, r in parts:
            most += (n - 1) * (r % place)
        if most >= place:
            return True
    return False


def _need_independent(outer: Layout, inner: Layout, clash: Clash) -> None:
    """Raises NoComposition if A and the refined B do not merge; tries the last index first."""
    at, parts = outer.digits().at, clash.parts
    known: tuple[int, ...] | None = tuple([n - 1 for n, _ in parts])
    if at(sum([(n - 1) * r for n, r in parts])) == sum([(n - 1) * at(r) for n, r in parts]):
        carries, weights = clash.carries(outer)
        known = violation(carries, clash.sizes(), weights, clash.budget.started())
    if known is not None:
        raise no_composition(outer, inner, clash._replace(known=known, budget=clash.budget.plain()))


# Fast paths for the common cases, in one pass over the modes. Each returns what the general code returns, or None if
# the general code has to look closer or to explain a failure: if modes interleave or overlap, gaps cannot be filled,
# or strides are negative. A single mode extends in a straight line, so composing with it only scales.

Part = tuple[Any, Any]  # shape and stride
Halves = tuple[Any, Any, Any, Any]  # shape and stride of the tile (or block), then of the rest (or the copies)
OnMode = Callable[..., Any]  # maps shape, stride, tile (and the layout, if it is a whole one) to a Part or to Halves


def coalesced_numbers(layout: Layout) -> Layout:
    """Coalesces a layout: drops modes of size 1, and merges neighbours that continue each other."""
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
    """The flat layout of these modes; a single mode is no tuple, and no mode gives 1:0."""
    if len(sizes) > 1:
        return made(tuple(sizes), tuple(steps))
    return made(sizes[0], steps[0]) if sizes else made(1, 0)


def _by_stride(layout: Layout) -> list[tuple[int, int]]:
    """Stride and size of the moving modes, sorted by stride, then by size."""
    shape, stride = layout._shape, layout._stride
    if shape.__class__ is int:
        return [(stride, shape)] if shape != 1 and stride != 0 else []
    modes = zip(flatten(stride), flatten(shape))  # noqa: B905
    return sorted([mode for mode in modes if mode[1] != 1 and mode[0] != 0])


def complement_numbers(layout: Layout, bound: int) -> Layout | None:
    """The layout that fills every gap up to the bound; None if a gap remains or modes overlap."""
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


def by_mode(on_mode: OnMode, layout: Layout, tiler: Any, arranged: str = "logical") -> Layout | None:
    """The composition, division or product in that arrangement, computed from a function of one mode and one tile."""
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
    """Applies the operation to each mode in place; halves become two modes."""
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
    """Collects the first halves of all modes, and the second halves with the remaining modes."""
    if tiler is None:  # the mode's two modes are tile and rest
        two = shape.__class__ is tuple and len(shape) == 2
        return (shape[0], stride[0], shape[1], stride[1]) if two else None
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
    """Shape and stride of a numeric tile; a tile of size 1 gets the stride `one`."""
    if tile.__class__ is int:
        return (tile, 1) if tile > 1 else (1, one) if tile == 1 else None
    return (tile._shape, tile._stride) if tile.__class__ is Layout and tile._numeric else None


def composed(shape: Any, stride: Any, tile: Any, whole: Layout | None = None) -> Part | None:
    """Composes one mode with a tile; a tile of size 1 gets the stride 1."""
    part = _tile(tile, 1)
    if part is None:
        return None
    n, d = part
    if shape.__class__ is int and n.__class__ is int and d >= 0:
        return (n, d * stride) if n > 1 else (1, 0)
    layout = made(shape, stride) if whole is None else whole
    found = walked(layout, tile if tile.__class__ is Layout else made(n, d))
    return found._shape, found._stride


def divided(shape: Any, stride: Any, tile: Any, whole: Layout | None = None) -> Halves | None:
    """Divides one mode by a tile."""
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


def multiplied(shape: Any, stride: Any, tile: Any, whole: Layout | None = None) -> Halves | None:
    """Multiplies one mode by a tile."""
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
