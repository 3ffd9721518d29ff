"""Between the masked oracle and symview: whole answers about chains compared, programs run as movement operations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

import sympy
from bridge import view
from oracle import masked
from oracle.brute import Index, V
from oracle.masked import Fails
from oracle.programs import Program, Step

from symview import Budget, Counterexample, NotAView, View, compose_at, merge

WAYS = {"walked": Budget(), "searched": Budget(points=1)}
"""Small boxes are walked; the search by integer points, which large ones need, has to say the same."""

FULL = 20
"""The effort at which what is sliced is done entirely."""


def chosen(number: int, effort: int) -> bool:
    """Whether this run does the case of that number: one in FULL usually, all with `--effort 20`."""
    return number % FULL < effort


def views(chain: Sequence[V]) -> list[View]:
    """The same views."""
    return [view(v) for v in chain]


def as_oracle(v: View) -> V:
    """The oracle's view."""
    return V(v.shape, v.strides, v.offset, v.mask)


def at(chain: Sequence[View], index: Index) -> Any:
    """The address of a chain, or of a single view, at an index."""
    return chain[0].at(index) if len(chain) == 1 else compose_at(*chain, index=index)


def meaning(*chain: View) -> dict[Index, Any]:
    """The address of every index of the last view, as symview says it."""
    return {index: at(chain, index) for index in product(*map(range, chain[-1].shape))}


def expected_view(shape: tuple[int, ...], found: masked.One | masked.Nowhere) -> View:
    return view(masked.as_view(shape, found))


def agrees(chain: Sequence[V], merged: Callable[..., Any] = merge) -> str:
    """Compares the whole answer about an in-bounds chain with the oracle's; says which it was."""
    expected, found = masked.decide(chain), merged(*views(chain))
    return same(chain, expected, found)


def same(chain: Sequence[V], expected: masked.One | masked.Nowhere | Fails, found: Any) -> str:
    """The oracle's answer and symview's."""
    if isinstance(expected, Fails):
        assert isinstance(found, Counterexample), (chain, expected, found)
        assert (found.kind, found.index) == (expected.kind, expected.index), (chain, expected, found)
        assert (found.expected, found.got) == (expected.expected, expected.got), (chain, expected, found)
        assert (found.smallest, found.values) == (True, {})
        if found.kind == masked.DISAGREE:
            low = next(index for index, value in masked.values(chain).items() if value is not None)
            assert found.index[found.axis] > low[found.axis], (chain, found)
        else:
            assert found.axis is None
        return expected.kind
    assert isinstance(found, View), (chain, expected, found)
    assert found == expected_view(chain[-1].shape, expected), (chain, expected, found)
    assert meaning(found) == masked.values(chain), (chain, found)
    return "empty" if isinstance(expected, masked.Nowhere) else "view"


# Large chains, checked at points


def points(rng: Random, v: V, count: int) -> list[Index]:
    """Indices of a large view at the ends of its mask, next to them and anywhere."""
    if prod(v.shape) == 0:
        return []
    picks = []
    for n, (lo, hi) in zip(v.shape, masked.mask_of(v), strict=True):
        ends = sorted({min(max(i, 0), n - 1) for i in (0, lo - 1, lo, lo + 1, (lo + hi) // 2, hi - 2, hi - 1, hi, n)})
        picks.append((ends, n, max(lo, 0), max(min(hi, n), lo + 1)))
    found = []
    for _ in range(count):
        here = []
        for ends, n, lo, hi in picks:
            kind = rng.random()
            here.append(rng.choice(ends) if kind < 0.4 else rng.randrange(lo, hi) if kind < 0.8 and lo < n
                        else rng.randrange(n))  # fmt: skip
        found.append(tuple(here))
    return found


def genuine(rng: Random, chain: Sequence[V], found: Counterexample, tries: int = 400) -> bool | None:
    """Whether points alone show that no single view can be the chain; None where these points do not.

    Asserts that what the counterexample says about its own index is so.
    """
    got = masked.locate(chain, found.index)
    assert got == found.got, (chain, found)
    if found.kind == masked.DISAGREE:
        assert got is not None
        assert found.expected != got, (chain, found)
        return _bent(chain, found.index)
    assert (got is None) == (found.kind == masked.MISSING), (chain, found)
    tried = [found.index, *points(rng, chain[-1], tries)]
    valid = [index for index in tried if masked.locate(chain, index) is not None]
    hidden = [index for index in tried if masked.locate(chain, index) is None]
    for one in valid[:40]:
        for other in valid[:40]:
            low = tuple(map(min, one, other))
            high = tuple(map(max, one, other))
            corners = list(product(*[sorted({a, b}) for a, b in zip(low, high, strict=True)]))
            if any(masked.locate(chain, c) is None for c in corners):
                return True
            if any(all(a <= i <= b for a, i, b in zip(low, h, high, strict=True)) for h in hidden):
                return True
    return None


def _bent(chain: Sequence[V], index: Index) -> bool | None:
    """Whether the addresses at an index, at the low corner below it and one step from there are not affine."""
    low = list(index)
    for axis in range(len(index)):
        first, last = 0, low[axis]  # what is valid along an axis of a box is an interval
        while first < last:
            middle = (first + last) // 2
            if masked.locate(chain, (*low[:axis], middle, *low[axis + 1 :])) is None:
                first = middle + 1
            else:
                last = middle
        low[axis] = first
    start = masked.locate(chain, tuple(low))
    here = masked.locate(chain, index)
    if start is None or here is None:
        return None
    expected = start
    for axis, i in enumerate(index):
        if i > low[axis]:
            step = masked.locate(chain, (*low[:axis], low[axis] + 1, *low[axis + 1 :]))
            if step is None:
                return None
            expected += (i - low[axis]) * (step - start)
    return True if here != expected else None


# Programs


def moved(v: View, step: Step) -> View:
    """The step as an operation of View; NotAView where it is a reshape that one view cannot do."""
    return getattr(v, step.name)(step.argument)


def run(program: Program) -> list[View]:
    """The program with View's own operations, a new view wherever a reshape needs one."""
    chain = [View(program.shape)]
    for step in program.steps:
        try:
            chain[-1] = moved(chain[-1], step)
        except NotAView:
            chain.append(View(step.shape))
    return chain


# Symbolic outer strides


def symbolic(v: V) -> View:
    """The view with a symbol for each stride, mask and offset kept."""
    return View(v.shape, sympy.symbols(f"σ1:{len(v.shape) + 1}", integer=True), v.offset, v.mask)
