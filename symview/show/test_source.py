"""Writes examples as tests: for views with numpy and pytest alone, for compositions of layouts in plain integers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple, TypeAlias

from symview.counterexample import Counterexample, Kind, values_text
from symview.errors import NotSupported
from symview.show.steps import left_pair
from symview.view import View

Modes: TypeAlias = Sequence[tuple[int, int]]

_MAX_ARRAY, _MAX_ADDRESS = 1 << 24, 1 << 63  # indices of arrays in a test, and their addresses
_MAX_WALK = 1 << 20  # indices that a test enumerates in plain integers


class ViewExample(NamedTuple):
    """An example: values of the symbols, and the views there, the one that lays out memory first.

    `answer`: the merged view, or whether the one view has the property; `broken`: why not, and where.
    """

    values: Mapping[str, int]
    views: tuple[View, ...]
    answer: View | bool | None
    broken: Counterexample | None


class CompositionExample(NamedTuple):
    """Two layouts by their flat modes; the layout of their composition, or where it is none.

    `broken`: an index of the inner layout, the value that a layout would have there, and that of the composition.
    """

    values: Mapping[str, int]
    outer: Modes
    inner: Modes
    layout: Modes | None
    broken: tuple[int, int, int] | None = None


class _Rows(dict[str, list[str]]):
    """Rows of parameters by the source of their test, in the order of the tests."""

    def add(self, test: str, values: Mapping[str, int], *arguments: object) -> None:
        """Adds a row, named by the values of the symbols."""
        shown = values_text(values)
        name = f", id={shown!r}" if shown else ""
        self[test].append(f"        pytest.param({', '.join(map(str, arguments))}{name}),\n")

    def source(self, title: str, head: str) -> str:
        """The file: the helpers, and the tests that have rows, each after its rows."""
        found = head.replace("{title}", title)
        for test, rows in self.items():
            helper, signature, rest = re.split(r"(def test_.*\n)", test, maxsplit=1)
            names = [f'"{name}"' for name in signature[signature.index("(") + 1 : signature.index(")")].split(", ")]
            given = names[0] if len(names) == 1 else f"({', '.join(names)})"
            called = f"@pytest.mark.parametrize(\n    {given},\n    [\n{''.join(rows)}    ],\n)\n"
            found += f"\n\n{helper}{called}{signature}{rest}" if rows else ""
        return found.rstrip()


# Views on numpy


_ON_NUMPY = '''\
"""{title}"""

import numpy as np
import pytest


def addressed(indices, strides, offset, mask, box):
    """The addresses of these indices of a view, and which of them are valid."""
    found, valid = np.full(box, offset), np.full(box, mask != "empty")
    for i, t, (low, high) in zip(indices, strides, mask):
        found, valid = found + i * t, valid & (low <= i) & (i < high)
    return np.asarray(found), np.asarray(valid)
'''

_COMPOSED = '''\


def composed(views):
    """The address of each index, and which are valid: each view reads the one before it in row-major order."""
    *outers, (box, *last) = views
    found, valid = addressed(np.indices(box), *last, box)
    for shape, *outer in reversed(outers):
        if valid.any():
            reached = np.where(valid, found, found[valid].flat[0])
            if reached.min() < 0 or reached.max() >= np.prod(shape):
                raise IndexError("out of bounds")
            found, inside = addressed(np.unravel_index(reached, shape) if shape else (), *outer, box)
            valid = valid & inside
    return found, valid
'''

_MERGES = """\
def test_one_view_does(views, merged):
    (found, valid), (expected, inside) = composed(views), composed([merged])
    assert np.array_equal(valid, inside)
    assert np.array_equal(found[valid], expected[valid])
"""

_BREAKS = '''\
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
def test_no_mask_has_the_valid_indices(views, index, there):
    _, valid = composed(views)
    box = np.zeros_like(valid)
    box[tuple(slice(along.min(), along.max() + 1) for along in np.nonzero(valid))] = True
    assert valid[index] == there
    assert not np.array_equal(valid, box)
"""

_OUTSIDE = """\
def test_out_of_bounds(views):
    with pytest.raises(IndexError, match="out of bounds"):
        composed(views)
"""


def merging_test(title: str, examples: Iterable[ViewExample]) -> str:
    """A test file for pytest: for each example, the view that the views merge into, or where they do not.

    Raises NotSupported for views with more than some million indices, since the test makes arrays of them, and for
    numbers that are no 64-bit integers.
    """
    found = _Rows({_MERGES: [], _BREAKS: [], _HOLES: [], _OUTSIDE: []})
    for values, given, merged, broken in examples:
        views = f"[{', '.join([*map(_fields, given[:-1]), *map(_array_fields, given[-1:])])}]"
        if isinstance(merged, View):
            found.add(_MERGES, values, views, _fields(merged))
        elif broken is None:
            continue  # sizes that do not agree
        elif broken.kind is Kind.DISAGREE:
            found.add(_BREAKS, values, views, broken.index, broken.expected, broken.got)
        elif broken.kind is Kind.OUT_OF_BOUNDS:
            outer, inner = left_pair(broken, given) or given[-2:]
            found.add(_OUTSIDE, values, f"[{_fields(outer)}, {_array_fields(inner)}]")
        else:
            found.add(_HOLES, values, views, broken.index, broken.kind is Kind.VALID)
    return found.source(title, _ON_NUMPY + _COMPOSED)


def _array_fields(view: View) -> str:
    """The view as a tuple; the test makes arrays of its indices."""
    if prod(view.shape) > _MAX_ARRAY:
        raise NotSupported(f"a test on numpy of {view}: it has more than {_MAX_ARRAY} indices")
    return _fields(view)


def _fields(view: View) -> str:
    reach = sum((n - 1) * abs(t) for n, t in zip(view.shape, view.strides, strict=True))
    if max(abs(view.offset) + reach, prod(view.shape)) >= _MAX_ADDRESS:
        raise NotSupported(f"a test on numpy of {view}: its numbers are no 64-bit integers")
    bounds = ((0, 0),) * view.rank if view.is_void() else tuple(view.bounds())
    mask = "empty" if view.is_void() and not view.rank else bounds
    return f"({tuple(view.shape)}, {tuple(view.strides)}, {view.offset}, {mask!r})"


# Properties of one view


_PROPERTY = '''\
def is_so(found):
    """{claim}"""
    {check}


def test_{name}(view, expected):
    box, *rest = view
    found, _ = addressed(np.indices(box), *rest, box)
    assert is_so(found) == expected
'''

_SHARED = """\
def test_two_indices_have_one_address(view, one, other):
    assert one != other
    assert np.dot(one, view[1]) == np.dot(other, view[1])
"""

_DENSE = "interval = (np.diff(np.sort(found, axis=None)) == 1).all()\n    return bool(interval)"
_RISING = " and all((np.diff(found, axis=a) > 0).all() for a in range(found.ndim))"
_CHECKS = {
    "dense": ("The addresses are an interval, each of one index, and rise along each axis.", _DENSE + _RISING),
    "dense after flips": ("The addresses are an interval, each of one index.", _DENSE),
    "injective": ("No two indices have one address.", "return np.unique(found).size == found.size"),
    "contiguous": (
        "In this order of the dims, the addresses go up one by one.",
        "return bool((np.diff(found.transpose({dims}).ravel()) == 1).all())",
    ),
}


def property_test(title: str, question: str, flips: bool, order: Sequence[int], examples: Iterable[ViewExample]) -> str:
    """A test file for pytest: for each example, whether it is dense, injective, or contiguous in an order.

    A mask counts as a shrink. Raises NotSupported as `merging_test` does.
    """
    claim, check = _CHECKS["dense after flips" if flips else question]
    check = check.replace("{dims}", str(tuple(reversed(order))))
    test = _PROPERTY.replace("{claim}", claim).replace("{check}", check).replace("{name}", question)
    found = _Rows({test: [], _SHARED: []})
    for values, (given,), holds, broken in examples:
        if given.is_void() and not given.rank:
            continue  # there is no array without elements and without dims
        view = _array_fields(_shrunk(given))
        found.add(test, values, view, holds)
        if broken is not None and broken.kind is Kind.OVERLAP:
            found.add(_SHARED, values, view, getattr(broken, "other", ()), broken.index)
    return found.source(title, _ON_NUMPY)


def _shrunk(view: View) -> View:
    """The view of the valid indices alone."""
    bounds: Any = [(0, 0)] * view.rank if view.is_void() else view.bounds()
    offset = view.offset + sum(low * t for (low, _), t in zip(bounds, view.strides, strict=True))
    return View([high - low for low, high in bounds], view.strides, offset)


# Compositions in plain integers


_ON_INTEGERS = '''\
"""{title}"""

from math import prod

import pytest


def value(modes, index):
    """The value of a layout at an index: the first mode is the fastest, the last one extends beyond its size."""
    found = 0
    for size, stride in modes[:-1]:
        found, index = found + index % size * stride, index // size
    return found + sum(index * stride for _, stride in modes[-1:])


def listed(modes, sizes):
    return [value(modes, index) for index in range(prod(size for size, _ in sizes))]


def composed(outer, inner):
    return [value(outer, index) for index in listed(inner, inner)]
'''

_IS = """\
def test_the_composition_is_this_layout(outer, inner, layout):
    assert composed(outer, inner) == listed(layout, inner)
"""

_IS_NOT = '''\
def test_the_composition_is_no_layout(outer, inner, index, expected, got):
    values = composed(outer, inner)
    assert values[index] == got != expected
    only = candidate(values, inner)
    assert only is None or listed(only, inner) != values


def candidate(values, inner):
    """The only layout that there can be: a mode ends where its values leave a straight line, if that divides it."""
    found, place = [], 1
    for size, _ in inner:
        end = place * size
        while place < end:
            left, stride = end // place, values[place]
            ends = next((x for x in range(2, left) if values[x * place] != x * stride), left)
            if left % ends:
                return None
            found.append((ends, stride))
            place *= ends
    return found
'''


def composition_test(title: str, examples: Iterable[CompositionExample]) -> str:
    """A test file for pytest: for each composition, the layout that it is, or that it is none.

    Raises NotSupported if the inner layout has more than some million indices, which the test enumerates.
    """
    found = _Rows({_IS: [], _IS_NOT: []})
    for values, outer, inner, layout, broken in examples:
        if prod([n for n, _ in inner]) > _MAX_WALK:
            raise NotSupported(f"a test of a composition with {list(inner)}: more than {_MAX_WALK} indices")
        if layout is not None:
            found.add(_IS, values, list(outer), list(inner), list(layout))
        elif broken is not None:
            found.add(_IS_NOT, values, list(outer), list(inner), *broken)
    return found.source(title, _ON_INTEGERS)
