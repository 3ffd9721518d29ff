"""The oracle: every question about a pair of views, answered by walking the whole index box.

The outer view lays out memory; the inner view looks at the tensor that the outer one describes. The
composition takes an index of the inner view to its address x, unravels x row-major in the outer shape, and
takes the address of that. The box of a shape is the set of all its indices.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from typing import NamedTuple

Index = tuple[int, ...]
Row = tuple[Fraction, ...]
Rows = tuple[Row, ...]


class V(NamedTuple):
    """A view with concrete integers; `mask` holds one half open interval (lo, hi) for each dim."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int = 0
    mask: tuple[tuple[int, int], ...] | None = None


class Merged(NamedTuple):
    """The composition is the view with the inner shape, these strides and this offset."""

    strides: tuple[int, ...]
    offset: int


@dataclass(frozen=True)
class Broken:
    """The composition is not a view: at `index` its address should be `expected` and is `got`."""

    index: Index
    expected: int
    got: int


class OutOfBounds(Exception):
    """The inner view's address at `index` is none of the outer view's `size` elements."""

    def __init__(self, index: Index, address: int, size: int) -> None:
        super().__init__(f"address {address} at index {index} is not in [0, {size})")
        self.index, self.address, self.size = index, address, size


# Boxes


@lru_cache(maxsize=4096)
def indices(shape: tuple[int, ...]) -> tuple[Index, ...]:
    """All indices of the box, in row-major order."""
    return tuple(product(*(range(size) for size in shape)))


@lru_cache(maxsize=4096)
def ordered(shape: tuple[int, ...]) -> tuple[Index, ...]:
    """All indices of the box, smallest first: by their sum, then lexicographically."""
    return tuple(sorted(indices(shape), key=lambda index: (sum(index), index)))


def unit(rank: int, axis: int) -> Index:
    """The index that is 1 on `axis` and 0 elsewhere."""
    return tuple(int(a == axis) for a in range(rank))


# Index functions


def contiguous(shape: Sequence[int]) -> V:
    """The row-major view of this shape."""
    return V(tuple(shape), tuple(prod(shape[axis + 1 :]) for axis in range(len(shape))))


def unravel(x: int, shape: Sequence[int]) -> Index:
    """The index whose row-major position in `shape` is x."""
    if not 0 <= x < prod(shape):
        raise ValueError(f"{x} is not a position in {tuple(shape)}")
    digits = []
    for size in reversed(shape):
        x, digit = divmod(x, size)
        digits.append(digit)
    return tuple(reversed(digits))


def address(view: V, index: Index) -> int | None:
    """Where the view puts this index; None where the mask hides it."""
    if view.mask is not None and not all(lo <= i < hi for i, (lo, hi) in zip(index, view.mask, strict=True)):
        return None
    return view.offset + sum(i * stride for i, stride in zip(index, view.strides, strict=True))


def compose(outer: V, inner: V, index: Index) -> int | None:
    """The composition at one index; None where either mask hides it."""
    x = address(inner, index)
    if x is None:
        return None
    _require_in_bounds(index, x, outer.shape)
    return address(outer, unravel(x, outer.shape))


def _require_in_bounds(index: Index, x: int, outer_shape: Sequence[int]) -> None:
    size = prod(outer_shape)
    if not 0 <= x < size:
        raise OutOfBounds(index, x, size)


def _visible(value: int | None) -> int:
    """An address that no mask can have hidden."""
    assert value is not None
    return value


def _position(outer_shape: Sequence[int], inner: V, index: Index) -> int:
    """x(index) for an inner view without mask, checked against the outer shape."""
    if inner.mask is not None:
        raise ValueError("an inner view without mask is needed here")
    x = _visible(address(inner, index))
    _require_in_bounds(index, x, outer_shape)
    return x


# Merging


def merge(outer: V, inner: V) -> Merged | Broken:
    """Whether two views without masks compose to one view; the smallest index that breaks it if not.

    The whole box is in bounds or OutOfBounds is raised, with the smallest index that is not. A box without
    points merges to anything, and an axis of size 1 can have any stride; the answer takes 0 for both.
    """
    if outer.mask is not None or inner.mask is not None:
        raise ValueError("merge wants views without masks")
    rank = len(inner.shape)
    if prod(inner.shape) == 0:
        return Merged((0,) * rank, 0)
    got = {index: _visible(compose(outer, inner, index)) for index in ordered(inner.shape)}
    start = got[(0,) * rank]
    # e_j is in the box unless axis j has size 1.
    strides = tuple(got[unit(rank, j)] - start if inner.shape[j] > 1 else 0 for j in range(rank))
    candidate = V(inner.shape, strides, start)
    for index, value in got.items():
        if value != (expected := _visible(address(candidate, index))):
            return Broken(index, expected, value)
    return Merged(strides, start)


def holds(outer_shape: tuple[int, ...], sigma: tuple[int, ...], inner: V) -> bool:
    """Whether an outer view with these strides merges with the inner one."""
    return isinstance(merge(V(tuple(outer_shape), tuple(sigma)), inner), Merged)


# The linear conditions on the outer strides


def constraint(outer_shape: tuple[int, ...], inner: V, index: Index) -> tuple[int, ...]:
    """The form f(index) - f(0) - sum_j index_j (f(e_j) - f(0)), as its coefficients over the outer strides.

    f is the composition, a sum of digits times strides, so the coefficients are the same sum over the digits.
    The views merge for given strides exactly when every index of the box makes this form 0.
    """
    rank = len(inner.shape)

    def digits(at: Index) -> Index:
        return unravel(_position(outer_shape, inner, at), outer_shape)

    start = digits((0,) * rank)
    coefficients = [d - d0 for d, d0 in zip(digits(index), start, strict=True)]
    for j, steps in enumerate(index):
        if steps:
            along = digits(unit(rank, j))
            coefficients = [c - steps * (d - d0) for c, d, d0 in zip(coefficients, along, start, strict=True)]
    return tuple(coefficients)


def over_defects(outer_shape: tuple[int, ...], coefficients: Sequence[int]) -> tuple[int, ...]:
    """A form over the strides sigma, written over the contiguity defects delta.

    Outer dims of size 1 are dropped: their digit is 0. For the sizes s_1..s_k that are left, delta_l is
    sigma_l - s_{l+1} sigma_{l+1}, and delta_k is sigma_k. So sigma_m = sum over l >= m of s_{m+1}..s_l
    delta_l, which gives the sum below. The last coordinate is what the same form makes of the addresses x
    themselves; x is affine, so it is 0, and it is left out: one coordinate for each of
    boundaries(outer_shape).
    """
    kept = [(size, c) for size, c in zip(outer_shape, coefficients, strict=True) if size != 1]
    sizes = [size for size, _ in kept]
    defects = [
        sum(c * prod(sizes[m + 1 : last + 1]) for m, (_, c) in enumerate(kept[: last + 1])) for last in range(len(kept))
    ]
    assert not defects or defects[-1] == 0
    return tuple(defects[:-1])


def echelon(rows: Iterable[Sequence[int | Fraction]]) -> Rows:
    """The reduced row echelon form, without zero rows."""
    matrix = [[Fraction(entry) for entry in row] for row in rows]
    done = 0
    for column in range(len(matrix[0]) if matrix else 0):
        pivot = next((r for r in range(done, len(matrix)) if matrix[r][column]), None)
        if pivot is None:
            continue
        matrix[done], matrix[pivot] = matrix[pivot], matrix[done]
        matrix[done] = [entry / matrix[done][column] for entry in matrix[done]]
        for r, row in enumerate(matrix):
            if r != done and (factor := row[column]):
                matrix[r] = [a - factor * b for a, b in zip(row, matrix[done], strict=True)]
        done += 1
    return tuple(tuple(row) for row in matrix[:done])


def row_space(outer_shape: tuple[int, ...], inner: V) -> Rows:
    """The span of the constraints of the whole box, over the defects, in reduced echelon form."""
    forms = {constraint(outer_shape, inner, index) for index in ordered(inner.shape)}
    return echelon(over_defects(outer_shape, form) for form in forms)


# Overflow patterns


def place_values(shape: Sequence[int]) -> tuple[int, ...]:
    """What one step of each dim is worth in row-major order."""
    return tuple(prod(shape[axis + 1 :]) for axis in range(len(shape)))


def boundaries(shape: Sequence[int]) -> tuple[int, ...]:
    """The different place values P with 1 < P < size, largest first: where a digit can overflow."""
    size = prod(shape)
    return tuple(sorted({place for place in place_values(shape) if 1 < place < size}, reverse=True))


def patterns(outer_shape: tuple[int, ...], inner: V) -> dict[tuple[int, Index], Index]:
    """The overflow patterns of all steps i -> i + e_j of the box, each with the smallest i + e_j reached.

    The keys are (j, pattern): for each boundary P, 1 if the step carried over P beyond what its stride t_j
    does by itself, floor(x(i + e_j)/P) - floor(x(i)/P) - floor(t_j/P).
    """
    cuts = boundaries(outer_shape)
    first: dict[tuple[int, Index], Index] = {}
    for reached in ordered(inner.shape):
        after = _position(outer_shape, inner, reached)
        for j, t in enumerate(inner.strides):
            if reached[j] == 0:
                continue
            before = _position(outer_shape, inner, (*reached[:j], reached[j] - 1, *reached[j + 1 :]))
            pattern = tuple(after // cut - before // cut - t // cut for cut in cuts)
            assert set(pattern) <= {0, 1}
            first.setdefault((j, pattern), reached)
    return first


# One-dimensional inner views of growing size


def breaks(outer_shape: tuple[int, ...], t: int, o: int, limit: int) -> list[tuple[int, int, Rows]]:
    """The row spaces of (n):(t)+o as n grows: (first n, last n, row space), until an address leaves the outer
    view or n reaches the limit. Size n has the constraints of size n - 1 and the one of its last index.
    """
    groups: list[tuple[int, int, Rows]] = []
    rows: Rows = ()
    for n in range(1, limit + 1):
        if not 0 <= o + (n - 1) * t < prod(outer_shape):
            break
        form = over_defects(outer_shape, constraint(outer_shape, V((n,), (t,), o), (n - 1,)))
        rows = echelon([*rows, form])
        if groups and groups[-1][2] == rows:
            groups[-1] = (groups[-1][0], n, rows)
        else:
            groups.append((n, n, rows))
    return groups
