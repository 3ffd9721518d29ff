"""Examples of dense, injective and contiguous views as a test that runs on numpy and pytest alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from symview.answers import Counterexample, Kind
from symview.show.numpy_test import fields, row
from symview.view import View


class Shown(Protocol):
    """An example: a view of numbers, and whether it has a property, else why not."""

    @property
    def values(self) -> Any:
        """The values of symbols."""

    @property
    def view(self) -> View:
        """The view at these values."""

    @property
    def holds(self) -> bool:
        """Whether it has the property."""

    @property
    def counterexample(self) -> Counterexample | None:
        """Why it has not."""


_HEAD = '''\
"""{title}"""

import numpy as np
import pytest


def addresses(_, strides, offset, mask):
    """The address of each valid index."""
    found = np.full([high - low for low, high in mask], offset)
    for axis, (t, (low, high)) in enumerate(zip(strides, mask)):
        along = [-1 if a == axis else 1 for a in range(len(mask))]
        found = found + t * np.arange(low, high).reshape(along)
    return found


def is_so(found):
    """{claim}"""
    {check}


@pytest.mark.parametrize(
    ("view", "expected"),
    [
{rows}
    ],
)
def test_{name}(view, expected):
    assert is_so(addresses(*view)) == expected
'''

_SHARED = """\


@pytest.mark.parametrize(
    ("view", "one", "other"),
    [
{rows}
    ],
)
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


def stride_test(title: str, question: str, flips: bool, order: Sequence[int], examples: Iterable[Shown]) -> str:
    """A file for pytest that says of each example whether it is dense, injective, or contiguous in an order.

    Raises NotSupported where `numpy_test` does.
    """
    claim, check = _CHECKS["dense after flips" if flips else question]
    rows, shared = list[str](), list[str]()
    for example in examples:
        if example.view.is_void() and not example.view.rank:
            continue  # no array has no element and no dims
        view, broken = fields(example.view), example.counterexample
        rows.append(row(example.values, f"{view}, {example.holds}"))
        if broken is not None and broken.kind is Kind.OVERLAP:
            shared.append(row(example.values, f"{view}, {getattr(broken, 'other', ())}, {broken.index}"))
    dims = tuple(reversed(order))
    text = _HEAD.format(
        title=title, claim=claim, check=check.replace("{dims}", str(dims)), rows="\n".join(rows), name=question
    )
    return text + (_SHARED.format(rows="\n".join(shared)) if shared else "")
