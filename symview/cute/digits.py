"""The extension of a layout function as a linear function and the carries that bend it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


class Digits(NamedTuple):
    """f(x) = base·x + Σ defect·floor(x/place) for every x >= 0; no defect is 0, places rise.

    `boundaries` numbers, for each place, the flat mode that overflows there. `unit` is what
    composing needs for modes of size 1: the sizes before the last mode that is not of size 1,
    and that mode's stride.
    """

    base: Any
    bends: tuple[tuple[Any, Any], ...]
    boundaries: tuple[int, ...]
    unit: tuple[tuple[Any, ...], Any]

    def at(self, x: int) -> Any:
        """The value at x, beyond the size by extending the last mode."""
        value = self.base * x
        for place, defect in self.bends:
            value += defect * (x // place)
        return value


def digits_of(sizes: Sequence[Any], strides: Sequence[Any]) -> Digits:
    """The digits of a flat layout.

    The last mode extends without bound, so it stays even if its size is 1; other modes of size 1
    say nothing and are left out. A mode that continues the one before (its stride is size times
    stride) has defect 0.

    >>> digits_of((2, 3, 5), (1, 1, 4))[:3]
    (1, ((2, -1), (6, 1)), (0, 1))
    >>> digits_of((2, 1), (1, 5))[:3]
    (1, ((2, 3),), (0,))
    """
    base: Any = 0
    bends, boundaries, coalesced = [], [], []
    place: Any = 1
    last = len(sizes) - 1
    before: tuple[int, Any, Any] | None = None
    for n, (size, stride) in enumerate(zip(sizes, strides, strict=True)):
        if size == 1 and n != last:
            continue
        if before is None:
            base = stride
            coalesced.append((size, stride))
        else:
            defect = stride - before[1] * before[2]
            if defect != 0:
                bends.append((place, defect))
                boundaries.append(before[0])
                if size != 1:
                    coalesced.append((size, stride))
            elif size != 1:
                coalesced[-1] = (coalesced[-1][0] * size, coalesced[-1][1])
        before = (n, size, stride)
        place = place * size
    kept = [mode for mode in coalesced if mode[0] != 1]
    unit = (tuple([size for size, _ in kept[:-1]]), kept[-1][1] if kept else 0)
    return Digits(base, tuple(bends), tuple(boundaries), unit)
