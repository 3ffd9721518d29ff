"""The search for fewer views that mean the same as a chain: windows, alone and in context, and finer shapes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from math import prod
from typing import Any

from symview.engine.two_levels import two_levels
from symview.engine.view_chain import Box, reached
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.view import View
from symview.views.chains import on_all_indices
from symview.views.digit_forms import finer_shapes, one_view, padded, reshaped
from symview.views.line_pads import without_pads

Chain = Sequence[View]

WALKED = 256  # valid indices up to which any function is tried as two views
_PAIRS = 4  # of digits that such two views have at most


class ChainSearch:
    """The search for one question. What the budget leaves undecided is not found, and not taken."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def fewest(self, chain: Chain) -> Chain:
        """The fewest views that are found: windows of one view each, then what is shorter, as long as anything is."""
        chain = self._windows(chain)
        while len(chain) > 2:
            shorter = next((c for c in self._others(chain) if len(c) < len(chain)), None)
            if shorter is None:
                break
            chain = shorter
        return chain

    def _others(self, chain: Chain) -> Iterator[Chain]:
        """Other chains of the same meaning, each longer to find than the one before."""
        yield from map(self._windows, without_pads(chain))
        yield from map(self._windows, self._refined(chain))
        boxes = self._boxes(chain)
        yield self._windows(chain, boxes)
        with suppress(Undecided):
            yield reshaped(chain, self.budget) or chain
        for finer in self._refined(chain):
            yield self._windows(finer, self._boxes(finer))
        yield short_pair(chain, boxes[-1], self.budget) or chain

    def _one(self, window: Chain) -> View | None:
        """The view that the window is; None where it is none, or none within the budget."""
        try:
            return one_view(window, self.budget)
        except Undecided:
            return None

    def _windows(self, chain: Chain, boxes: Sequence[Box] = ()) -> Chain:
        """The chain cut into as few windows as are one view each, in the context of these boxes if any."""
        best: list[list[View] | None] = [[], *[None] * len(chain)]
        for end in range(1, len(chain) + 1):
            for start in range(end):
                before, have = best[start], best[end]
                if before is None or (have is not None and len(have) <= len(before) + 1):
                    continue
                window = chain[start:end]
                merged = window[0] if len(window) == 1 else self._one(window)
                if merged is None and boxes:
                    merged = self._in_context(window, boxes[end - 1])
                if merged is not None:
                    best[end] = [*before, merged]
        return best[-1] or chain

    def _in_context(self, window: Chain, box: Box) -> View | None:
        """The view that the window is on the box of its indices that the whole chain uses, masked elsewhere.

        An index outside is reached by no valid index, so that the chain means the same ("Chains of
        views", proofs/README.md).
        """
        last: Any = window[-1]
        if all(b == (0, n) for b, n in zip(box, last.shape, strict=True)):
            return None
        merged = self._one([*window[:-1], last.shrink(box)])
        return None if merged is None else padded(merged, box, last.shape)

    def _boxes(self, chain: Chain) -> Sequence[Box]:
        """Of every view the box of its indices that the chain uses, or the whole where the budget ends."""
        try:
            found = reached(on_all_indices(chain), self.budget)
        except Undecided:
            found = None
        whole = [tuple([(0, n) for n in v.shape]) for v in chain]
        return found or whole

    def _refined(self, chain: Chain) -> Iterator[Chain]:
        """The chain with a reshape to finer digits behind a window that another view follows."""
        for length in range(len(chain) - 1, 1, -1):
            for start in range(len(chain) - length):
                end = start + length
                try:
                    shapes = finer_shapes(chain[start:end], self.budget)
                except Undecided:
                    continue
                for shape in shapes:
                    yield [*chain[:end], View(shape), *chain[end:]]


def short_pair(chain: Chain, box: Box, budget: Budget) -> Chain | None:
    """Two views of a chain whose valid indices are in the box, if few digits of the outer one do.

    Few are not more than the dims that the views before the last have.
    """
    last: Any = chain[-1]
    sizes = [high - low for low, high in box]
    dims = sum(n > 1 for v in chain[:-1] for n in v.shape)
    if prod(sizes) > WALKED:
        return None
    inside = on_all_indices([*chain[:-1], last.shrink(box)])
    try:
        found = two_levels(list(map(inside.at, inside.box.indices())), min(_PAIRS, dims // 2), budget)
    except Undecided:
        return None
    if found is None:
        return None
    outer = View(found.shape, found.strides, found.offset, found.bounds)
    line = View(sizes, [found.step * t for t in View(sizes).strides], found.start)
    return outer, padded(line, box, last.shape)
