"""Examples of views as a test that runs on numpy and pytest alone."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any, Protocol

from symview.answers import Counterexample, Kind, values_text
from symview.errors import NotSupported
from symview.show.counterexample import left_pair
from symview.view import View

_MOST, _LARGE = 1 << 24, 1 << 63  # indices that a test makes arrays of, addresses in them


class Shown(Protocol):
    """An example: views of numbers, and what they merge into, or where that breaks."""

    @property
    def values(self) -> Any:
        """The values of symbols."""

    @property
    def views(self) -> tuple[View, ...]:
        """The views, the one that lays out memory first."""

    @property
    def view(self) -> View | None:
        """What they merge into."""

    @property
    def counterexample(self) -> Counterexample | None:
        """Where that breaks."""


_HEAD = '''\
"""{title}"""

from math import prod

import numpy as np
import pytest


def addressed(indices, strides, offset, mask, box):
    """The addresses of these indices of a view, and which of them are valid."""
    found, valid = np.full(box, offset), np.full(box, mask != "empty")
    for i, t, (low, high) in zip(indices, strides, mask):
        found, valid = found + i * t, valid & (low <= i) & (i < high)
    return np.asarray(found), np.asarray(valid)


def composed(views):
    """The address of each index, and which are valid: each view reads the one before it in row-major order."""
    *outers, (box, *last) = views
    found, valid = addressed(np.indices(box), *last, box)
    for shape, *outer in reversed(outers):
        if valid.any():
            reached = np.where(valid, found, found[valid].flat[0])
            if reached.min() < 0 or reached.max() >= prod(shape):
                raise IndexError("out of bounds")
            found, inside = addressed(np.unravel_index(reached, shape) if shape else (), *outer, box)
            valid = valid & inside
    return found, valid
'''

_MERGES = """\


@pytest.mark.parametrize(
    ("views", "merged"),
    [
{rows}
    ],
)
def test_one_view_does(views, merged):
    (found, valid), (expected, inside) = composed(views), composed([merged])
    assert np.array_equal(valid, inside)
    assert np.array_equal(found[valid], expected[valid])
"""

_BREAKS = '''\


@pytest.mark.parametrize(
    ("views", "index", "expected", "got"),
    [
{rows}
    ],
)
def test_no_single_view_does(views, index, expected, got):
    found, valid = composed(views)
    first = np.argwhere(valid).min(axis=0)
    steps = [found[tuple(first + e)] - found[tuple(first)] if n else 0 for e, n in ends(first, valid)]
    assert found[tuple(first)] + np.dot(np.subtract(index, first), steps) == expected
    assert found[index] == got != expected


def ends(first, valid):
    """The unit index of each axis, and whether the one that is next to the first valid index is valid."""
    for e in np.eye(len(first), dtype=int):
        yield e, (first + e < valid.shape).all() and valid[tuple(first + e)]
'''

_HOLES = """\


@pytest.mark.parametrize(
    ("views", "index", "there"),
    [
{rows}
    ],
)
def test_no_mask_has_the_valid_indices(views, index, there):
    _, valid = composed(views)
    box = np.zeros_like(valid)
    box[tuple(slice(along.min(), along.max() + 1) for along in np.nonzero(valid))] = True
    assert valid[index] == there
    assert not np.array_equal(valid, box)
"""

_OUTSIDE = """\


@pytest.mark.parametrize(
    "views",
    [
{rows}
    ],
)
def test_out_of_bounds(views):
    with pytest.raises(IndexError, match="out of bounds"):
        composed(views)
"""


def numpy_test(title: str, examples: Iterable[Shown]) -> str:
    """A file for pytest that says of each example what it shows; those without views are left out.

    Raises NotSupported for views of more than some million indices, which such a test makes arrays of, and for numbers
    that are no 64-bit integers.
    """
    merges, breaks, holes, outside = list[str](), list[str](), list[str](), list[str]()
    for example in examples:
        told = [*map(_fields, example.views[:-1]), *map(fields, example.views[-1:])]
        views, broken = f"[{', '.join(told)}]", example.counterexample
        if example.view is not None:
            merges.append(row(example.values, f"{views}, {_fields(example.view)}"))
        elif broken is None:
            continue
        elif broken.kind is Kind.DISAGREE:
            breaks.append(row(example.values, f"{views}, {broken.index}, {broken.expected}, {broken.got}"))
        elif broken.kind is Kind.OUT_OF_BOUNDS:
            pair = left_pair(broken, example.views) or example.views[-2:]
            outside.append(row(example.values, f"[{_fields(pair[0])}, {fields(pair[1])}]"))
        else:
            holes.append(row(example.values, f"{views}, {broken.index}, {broken.kind is Kind.VALID}"))
    parts = ((_MERGES, merges), (_BREAKS, breaks), (_HOLES, holes), (_OUTSIDE, outside))
    tests = [template.format(rows="\n".join(rows)) for template, rows in parts if rows]
    return "".join([_HEAD.format(title=title), *tests])


def row(values: Any, arguments: str) -> str:
    """The arguments of a test as pytest has them, named by the values of the symbols."""
    shown = values_text(values)
    return f"        pytest.param({arguments}{f', id={shown!r}' if shown else ''}),"


def fields(view: View) -> str:
    """The view whose indices a test makes arrays of, as a tuple."""
    if prod(view.shape) > _MOST:
        raise NotSupported(f"a test on numpy of {view}: it has more than {_MOST} indices")
    return _fields(view)


def _fields(view: View) -> str:
    reach = sum((n - 1) * abs(t) for n, t in zip(view.shape, view.strides, strict=True))
    if max(abs(view.offset) + reach, prod(view.shape)) >= _LARGE:
        raise NotSupported(f"a test on numpy of {view}: its numbers are no 64-bit integers")
    bounds = ((0, 0),) * view.rank if view.is_void() else tuple(view.bounds())
    mask = "empty" if view.is_void() and not view.rank else bounds
    return f"({tuple(view.shape)}, {tuple(view.strides)}, {view.offset}, {mask!r})"
