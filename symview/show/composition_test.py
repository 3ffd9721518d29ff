"""Compositions of layouts of numbers as a test that runs on pytest alone, in plain integers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import NamedTuple, TypeAlias

from symview.errors import NotSupported

Modes: TypeAlias = Sequence[tuple[int, int]]
_MOST = 1 << 20  # indices that a test walks


class Composed(NamedTuple):
    """Two layouts by their flat modes; the layout that their composition is, or where it is none.

    `broken`: an index of the inner layout, the value that a layout would have there, and the value of the composition.
    """

    shown: str
    outer: Modes
    inner: Modes
    layout: Modes | None
    broken: tuple[int, int, int] | None = None


_HEAD = '''\
"""{title}"""

from math import prod

import pytest


def value(modes, index):
    """The value of a layout at an index: the first mode is the fastest, the last one goes on beyond its size."""
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


@pytest.mark.parametrize(
    ("outer", "inner", "layout"),
    [
{rows}
    ],
)
def test_the_composition_is_this_layout(outer, inner, layout):
    assert composed(outer, inner) == listed(layout, inner)
"""

_IS_NOT = '''\


@pytest.mark.parametrize(
    ("outer", "inner", "index", "expected", "got"),
    [
{rows}
    ],
)
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


def composition_test(title: str, examples: Iterable[Composed]) -> str:
    """A file for pytest that says of each composition which layout it is, or that it is none.

    Raises NotSupported where the inner layout has more than some million indices, which such a test walks.
    """
    found: dict[str, list[str]] = {_IS: [], _IS_NOT: []}
    for example in examples:
        if prod([n for n, _ in example.inner]) > _MOST:
            raise NotSupported(f"a test of a composition with {list(example.inner)}: more than {_MOST} indices")
        given = f"{list(example.outer)}, {list(example.inner)}"
        shown = f", id={example.shown!r}" if example.shown else ""
        if example.layout is not None:
            found[_IS].append(f"        pytest.param({given}, {list(example.layout)}{shown}),")
        elif example.broken is not None:
            found[_IS_NOT].append(f"        pytest.param({given}, {', '.join(map(str, example.broken))}{shown}),")
    tests = [template.format(rows="\n".join(rows)) for template, rows in found.items() if rows]
    return "".join([_HEAD.format(title=title), *tests])
