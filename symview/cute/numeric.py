"""The algebra on layouts of numbers where nothing has to be decided: the common case, in one pass over the modes.

Each function gives what the general way gives, or None where that way has to look closer: at modes that interleave or
overlap, at gaps that nothing fills, at strides below 0.
"""

from __future__ import annotations

from symview.cute.int_tuple import flatten
from symview.cute.layout import Layout, made
from symview.cute.shape_arithmetic import index_steps

Sorted = list[tuple[int, int, int]]  # stride, size and number of each mode that moves


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


def by_stride(layout: Layout) -> Sorted:
    """The modes that move, by stride, then by size."""
    shape, stride = layout._shape, layout._stride
    if shape.__class__ is int:
        return [(stride, shape, 0)] if shape != 1 and stride != 0 else []
    modes = zip(flatten(stride), flatten(shape), range(1 << 30))  # noqa: B905
    return sorted([mode for mode in modes if mode[1] != 1 and mode[0] != 0])


def complement_numbers(layout: Layout, bound: int) -> Layout | None:
    """What fills every gap up to the bound; None where a gap is left, or modes overlap."""
    sizes: list[int] = []
    steps: list[int] = []
    reach = 1
    for stride, size, _ in by_stride(layout):
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


def right_inverse_numbers(layout: Layout) -> Layout:
    """The modes by stride, as far as each begins where those before it end."""
    sizes: list[int] = []
    steps: list[int] = []
    places = index_steps(flatten(layout._shape))
    reached, end = 1, 0
    for stride, size, number in by_stride(layout):
        if stride == reached:
            reached *= size
            if places[number] == end and sizes:
                sizes[-1] *= size
            else:
                sizes.append(size)
                steps.append(places[number])
            end = sizes[-1] * steps[-1]
    return of_modes(sizes, steps)


def left_inverse_numbers(layout: Layout) -> Layout | None:
    """The digits of values between the strides, in CuTe's form; None where the strides do not fill each other."""
    sizes: list[int] = []
    steps: list[int] = []
    places = index_steps(flatten(layout._shape))
    many, place, reach, end = 1, 0, 1, -1
    modes = by_stride(layout)
    if not modes:
        return None
    for stride, size, number in modes:
        if stride < reach or stride % reach:
            return None
        many *= stride // reach
        if many != 1:
            if place == end and sizes:
                sizes[-1] *= many
            else:
                sizes.append(many)
                steps.append(place)
            end = sizes[-1] * steps[-1]
        many, place, reach = size, places[number], stride * size
    if place == end and sizes:
        sizes[-1] *= many
    else:
        sizes.append(many)
        steps.append(place)
    return of_modes(sizes, steps)
