"""The requirements of a program on the strides of its tensor: linear rows, found by following digits of dims.

A digit is part of a dim of the tensor: `size` indices, each `step` strides of that dim apart. Operations reorder,
split and join digits; the result is a view exactly if, for neighbouring digits of one dim, the stride of the
first is size times stride of the second.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from math import prod
from typing import Any, NamedTuple, TypeAlias

from symview.engine.overflow_space import search_rows
from symview.engine.radix import unravel
from symview.engine.row_space import Row, primitive
from symview.engine.view_chain import ChainRows
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.view import View, reshaped
from symview.views.chains import merge_chain, on_all_indices

Shape: TypeAlias = tuple[int, ...]


class Op(NamedTuple):
    """One operation of numbers. permute, flip: axes; slice: (first, count, step) by dim; expand, reshape: sizes."""

    name: str
    given: tuple[Any, ...]


Ops: TypeAlias = tuple[Op, ...]


class Digit(NamedTuple):
    """Indices that are `step` strides of a dim of the tensor apart; a repeated index has step 0."""

    size: int
    dim: int
    step: int


class Uneven(Exception):
    """A cut falls inside a digit and leaves no whole part of it."""


def rows_of(shape: Shape, ops: Ops, budget: Budget) -> tuple[Row, ...]:
    """The rows r over the strides of a tensor of this shape: the result is a view exactly if all r·strides = 0.

    Exact. If a slice, or a reshape before another one, cuts unevenly inside a digit, it enumerates the whole chain;
    raises Undecided when the budget ends.

    >>> from symview import Budget
    >>> merged = (Op("permute", (0, 2, 1)), Op("reshape", (8, 3)))
    >>> rows_of((2, 3, 4), merged, Budget())
    ((1, 0, -4),)
    >>> rows_of((2, 3), (Op("reshape", (3, 2)), Op("permute", (1, 0))), Budget())
    ((1, -3),)
    """
    try:
        found = digit_rows(shape, ops, joined=True)
    except Uneven:
        found = _rows_of_chain(shape, ops, budget)
    return tuple(dict.fromkeys(primitive(row) for row in found if any(row)))


Dims: TypeAlias = list[list[Digit]]


def followed(shape: Shape, ops: Ops, joints: list[Row] | None = None) -> list[Dims]:
    """The digits of each dim of a tensor, and after each operation; raises Uneven.

    If `joints` is given, it gets the rows of neighbouring digits that have to be one digit: those that a reshape cuts
    unevenly, if no later operation can put them back together.
    """
    found = [[[Digit(n, d, 1)] if n != 1 else [] for d, n in enumerate(shape)]]
    shapes = list(accumulate(ops, sizes_after, initial=shape))
    kept = len(ops)  # the operations from here on only reorder, turn and repeat dims
    while kept and _is_faithful(ops[kept - 1], shapes[kept - 1]):
        kept -= 1
    for at, (op, sizes) in enumerate(zip(ops, shapes[1:], strict=True)):
        joined = joints if at >= kept - 1 else None
        found.append([[] for _ in sizes] if 0 in sizes else _moved(found[-1], op, sizes, shape, joined))
    return found


def _is_faithful(op: Op, sizes: Shape) -> bool:
    """Whether the result of an operation is only a view if its operand is one."""
    ones = op.name == "reshape" and [n for n in op.given if n != 1] == [n for n in sizes if n != 1]
    return ones or op.name in ("permute", "flip", "expand")


def digit_rows(shape: Shape, ops: Ops, joined: bool = False) -> list[Row]:
    """The rows by digits; raises Uneven. `joined`: cuts at the end may be uneven, for sizes that are these numbers."""
    found: list[Row] = []
    for dim in followed(shape, ops, found if joined else None)[-1]:
        found += [_joint(a, b, shape) for a, b in pairwise(dim)]
    return found


def _joint(a: Digit, b: Digit, shape: Shape) -> Row:
    """The row of two neighbouring digits: the stride of the first is size times stride of the second."""
    row = [0] * len(shape)
    row[a.dim] += a.step
    row[b.dim] -= b.size * b.step
    return tuple(row)


def first_address(shape: Shape, ops: Ops) -> list[tuple[int, int]]:
    """The first address of the result, as multiples of the strides of dims; raises Uneven."""
    found = list[tuple[int, int]]()
    for dims, op in zip(followed(shape, ops), ops, strict=False):
        if op.name == "flip":
            turned = [digit for a in op.given for digit in dims[a]]
            found += [part for n, d, t in turned for part in ((d, n * t), (d, -t))]
        for dim, (first, _, _) in zip(dims, op.given, strict=True) if op.name == "slice" else ():
            inner = prod(digit.size for digit in dim[1:])
            if first and dim and first % inner:
                raise Uneven
            found += [(dim[0].dim, first // inner * dim[0].step)] if first and dim else []
    return found


def sizes_after(sizes: Shape, op: Op) -> Shape:
    """The sizes of the result of one operation."""
    match op.name:
        case "permute":
            return tuple([sizes[a] for a in op.given])
        case "flip":
            return sizes
        case "slice":
            return tuple([count for _, count, _ in op.given])
    return op.given


def _moved(dims: Dims, op: Op, sizes: Shape, shape: Shape, joints: list[Row] | None) -> Dims:
    match op.name:
        case "permute":
            return [dims[a] for a in op.given]
        case "flip":
            return [[d._replace(step=-d.step) for d in dim] if a in op.given else dim for a, dim in enumerate(dims)]
        case "slice":
            return [_sliced(dim, *row) for dim, row in zip(dims, op.given, strict=True)]
        case "expand":  # a dim of size 1 has no digits
            return [dim or ([Digit(n, 0, 0)] if n != 1 else []) for dim, n in zip(dims, sizes, strict=True)]
    return _reshaped([d for dim in dims for d in dim], sizes, shape, joints)


def _sliced(dim: list[Digit], first: int, count: int, step: int) -> list[Digit]:
    """The digits of the indices first, first + step, …"""
    if count == 1 or not dim:
        return []
    if len(dim) == 1:
        return [Digit(count, dim[0].dim, step * dim[0].step)]
    inner = prod(d.size for d in dim[1:])
    if count == inner * dim[0].size:
        return dim
    if step != 1 or first % inner or count % inner:
        raise Uneven
    return [*([dim[0]._replace(size=count // inner)] if count != inner else []), *dim[1:]]


def _reshaped(left: list[Digit], sizes: Shape, shape: Shape, joints: list[Row] | None) -> Dims:
    """The sequence of digits, cut into dims of these sizes, from the last one on; `joints`: see `followed`."""
    found = []
    for size in reversed(sizes):
        dim: list[Digit] = []
        while size != 1:
            digit = left.pop()
            if size % digit.size == 0:
                size //= digit.size
            elif digit.size % size == 0:
                left.append(Digit(digit.size // size, digit.dim, size * digit.step))
                digit, size = digit._replace(size=size), 1
            elif joints is None:
                raise Uneven
            else:  # the cut falls into the digit before
                joints.append(_joint(left[-1], digit, shape))
                left.append(digit._replace(size=left.pop().size * digit.size))
                continue
            dim.insert(0, digit)
        found.append(dim)
    return found[::-1]


# The whole chain


def pieces(view: View, ops: Ops) -> list[View]:
    """The chain of views after the operations: a reshape that is not a view starts a new one."""
    found = [view]
    for op in ops:
        v: Any = found[-1]
        axes = range(len(v.shape))
        if op.name == "permute":
            v = v.permute(*op.given)
        elif op.name == "flip":
            v = v.flip(*op.given)
        elif op.name == "slice":
            start = sum(first * t for (first, count, _), t in zip(op.given, v.strides, strict=True) if count)
            v = View([c for _, c, _ in op.given], [v.strides[a] * op.given[a][2] for a in axes], v.offset + start)
        elif op.name == "expand":
            v = View(op.given, [t if n == m else 0 for t, n, m in zip(v.strides, v.shape, op.given, strict=True)],
                     v.offset)  # fmt: skip
        else:
            v = reshaped(v, op.given, None)
        if isinstance(v, View):
            found[-1] = v
        else:
            found.append(View(op.given))
    return found


def first_step(shape: Shape, ops: Ops) -> Row:
    """How far the index of a tensor is, of the second element of a result of one dim, from that of the first.

    >>> first_step((2, 3), (Op("reshape", (3, 2)), Op("permute", (1, 0)), Op("reshape", (6,))))
    (0, 2)
    """
    found = []
    for n in range(2):
        place: Any = n
        for view in reversed(pieces(View(shape), ops)):
            place = view.at(unravel(place, view.shape))
        found.append(unravel(place, shape))
    return tuple([b - a for a, b in zip(*found, strict=True)])


def replayed(view: View, ops: Ops, budget: Budget) -> View | None:
    """The one view after the operations on a view of numbers; None if there is none. Exact."""
    chain = pieces(view, ops)
    found = chain[0] if len(chain) == 1 else merge_chain(chain, budget)
    return found if isinstance(found, View) else None


def without_lone_dims(shape: Shape, ops: Ops) -> tuple[Shape, Ops]:
    """The same with size 1 for dims that no operation splits or merges: they have no rows, and change none of others'.

    >>> without_lone_dims((4, 6, 5), (Op("reshape", (8, 3, 5)), Op("permute", (2, 0, 1))))
    ((4, 6, 1), (Op(name='reshape', given=(8, 3, 1)), Op(name='permute', given=(2, 0, 1))))
    """
    sources: list[int | None] = list(range(len(shape)))  # by dim, that of the tensor
    after, sizes = [sources], shape
    for op in ops:
        if op.name == "permute":
            sources = [sources[a] for a in op.given]
        elif op.name == "reshape":
            placed = {
                (place, n): source for place, n, source in zip(_places(sizes), sizes, sources, strict=True) if n != 1
            }
            sources = [placed.get(key) for key in zip(_places(op.given), op.given, strict=True)]
        after.append(sources)
        sizes = sizes_after(sizes, op)
    alone = set(after[0]).intersection(*after) - {None}
    ones = [[1 if source in alone else None for source in dims] for dims in after]

    def put(given: tuple[Any, ...], dims: list[int | None], one: Any) -> tuple[Any, ...]:
        return tuple([x if n is None else one for x, n in zip(given, dims, strict=True)])

    small = []
    for op, dims in zip(ops, ones[1:], strict=True):
        one = {"slice": (0, 1, 1), "reshape": 1, "expand": 1}.get(op.name)
        small.append(op if one is None else Op(op.name, put(op.given, dims, one)))
    return put(shape, ones[0], 1), tuple(small)


def _places(sizes: Shape) -> list[int]:
    """The product of the sizes after each dim."""
    return [prod(sizes[d + 1 :]) for d in range(len(sizes))]


def _rows_of_chain(shape: Shape, ops: Ops, budget: Budget) -> list[Row]:
    """The rows by enumeration: how far the address's quotients by place values are from affine, at every index."""
    shape, ops = without_lone_dims(shape, ops)
    live = [d for d, n in enumerate(shape) if n != 1]
    source = ChainRows(on_all_indices(pieces(View(shape), ops)), shape, range(len(live)))
    space = search_rows(source, "auto", budget)
    if not space.complete:
        raise Undecided(space.reason)
    return [_over_strides(row, shape, live) for row in space.space.rows]


def _over_strides(row: Row, shape: Shape, live: list[int]) -> Row:
    """Converts a row over quotients to one over strides: digit j is quotient j minus size j times quotient j − 1."""
    found = [0] * len(shape)
    for d, x, before in zip(live, row, (0, *row), strict=False):
        found[d] = x - shape[d] * before
    return tuple(found)
