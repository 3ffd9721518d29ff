"""Right and left inverses of swizzled layouts: the swizzles in reverse order, then the inverse of the unswizzled
layout.

A swizzle is its own inverse, so (S ∘ (o + A))⁻¹(v) = A⁻¹(S(v) − o). Modes of A with negative strides are reversed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from math import prod
from typing import Any

from symview.cute.comparer import running
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.inverse_search import takes_back, to_some_index
from symview.cute.layout import Layout
from symview.cute.linear.reading import first_outside, map_of, map_of_parts, taken_apart
from symview.cute.linear.straight import Straight, straight
from symview.cute.modes import assembled, coalesced, moving_modes
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.cute.swizzled.coalescing import coalesce
from symview.cute.swizzled.simplified import as_one_swizzle, as_strided, is_numeric, simplified
from symview.errors import Undecided

Fronts = Sequence[tuple[Any, int]]

_NONE = Swizzle(0, 0, 0)
_WALKED = 1 << 12


def right_inverse_swizzled(x: ComposedLayout, right_inverse: Callable[[Layout], Layout]) -> Any:
    """R with x(R(i)) = i for all i below its size; it extends as far as the unswizzled strides allow.

    The result is a plain layout, a swizzled one, or the swizzles followed by the right inverse of the unswizzled
    layout. Raises NoAnswer if 0 is not a value.
    """
    given = coalesce(_simplified(x))
    if isinstance(given, Layout):
        return right_inverse(given)
    (fronts, layout), budget = _swizzles(given, "right_inverse"), running(None)
    if _least(fronts, layout) or any(offset for _, offset in fronts[:-1]):
        raise NoAnswer(f"right_inverse of {x}: 0 is not a value, so no index is mapped to it")
    up, start = _upwards(layout)
    digits, reached = [], 1
    for number, (size, stride) in moving_modes(up):
        if stride == reached:
            digits.append((size, _place(layout, number)))
            reached *= size
    back = assembled(coalesced(digits))
    swizzles = _backwards(fronts)
    inverse = ((_NONE, start), (back, 0), *swizzles)
    inside = Layout(first_outside(map_of_parts(swizzles, Layout(reached)), reached, budget) or reached)
    return _as_one(inverse, inside) or _nested(inverse[start == 0 :], inside)


def left_inverse_swizzled(x: ComposedLayout, left_inverse: Callable[[Any], Layout]) -> Any:
    """K with x(K(x(i))) = x(i): a plain layout, a swizzled one, or the swizzles followed by the left inverse.

    As for plain layouts, K may send a value to an index beyond the size, where the last mode continues. There a shorter
    form of x is a different function, and so is a last mode with a negative stride; in these cases K stays below the
    size. Raises what `left_inverse` raises for the unswizzled layout.
    """
    given = _simplified(x)
    try:
        return _taken_back(given, left_inverse, given is not x)
    except (NoAnswer, Undecided) as error:
        with suppress(LayoutError):
            if given is not x:
                return _taken_back(x, left_inverse, False)
        raise type(error)(f"{x}: {error.reason if isinstance(error, Undecided) else error}") from None


def _simplified(x: ComposedLayout) -> Any:
    """Simplifies x to a plain layout, perhaps with an offset, or to a layout with as few swizzles as possible."""
    found = simplified(x)
    if isinstance(found, ComposedLayout) and is_numeric(found) and not _has_only_swizzles(found):
        alone = as_strided(found)
        if alone is not None:
            return ComposedLayout(_NONE, alone.base, alone.layout)
    return found


def _taken_back(x: Any, left_inverse: Callable[[Any], Layout], inside: bool) -> Any:
    """The left inverse of the unswizzled layout after the swizzles; `inside` requires indices below the size."""
    if isinstance(x, Layout):
        return _below_size(x, left_inverse, inside)
    fronts, layout = _swizzles(x, "left_inverse")
    up, start = _upwards(layout)
    low, modes, top = _least(fronts, layout), layout.flat(), map_of(x, "left_inverse").bounds()[-1][1]
    back = _below_size(up, left_inverse, inside or any(d < 0 for _, d in modes[-1:]))
    turned = Layout(tuple([n for n, _ in modes]), tuple([_place(layout, number) for number in range(len(modes))]))
    offsets = [*[-offset for _, offset in reversed(fronts[:-1])], 0]
    swizzles = [(front, o) for (front, _), o in zip(reversed(fronts), offsets, strict=True)]
    around = ((_NONE, start), (turned, 0)) if start else ()
    inverse = (*around, (back, -low), *swizzles)
    if low == 0 and not any(offsets):
        for size in sorted({n for n in (back.size(), 1 << top.bit_length()) if n > top}):
            found = _as_one(inverse, Layout(size))
            if found is not None:
                return found
    return _nested(inverse, Layout(top + 1))


def _below_size(layout: Layout, left_inverse: Callable[[Any], Layout], needed: bool) -> Layout:
    """The left inverse of a layout; if `needed`, one whose indices all lie below the size."""
    back, budget = left_inverse(layout), running(None)
    if not needed or takes_back(back, layout, budget, inside=True):
        return back
    return to_some_index(layout, budget, inside=True)


def common_swizzled(a: Any, b: Any, invert: Callable[[Any], Any], compose: Callable[[Any, Any], Any]) -> Any:
    """The longest prefix of b's right inverse that `a` inverts as well, halved until it is a layout.

    Only the first 4096 indices are compared, so a longer one may exist. Raises NoAnswer if not even 0 is common.
    """
    for x in (a, b):
        if not isinstance(x, Layout | ComposedLayout) or not is_numeric(x):
            raise LayoutError(f"the common layout of {a} and {b}: give layouts of numbers")
    back = invert(b)
    end = min(back.size(), _WALKED)
    size = next((i for i in range(end) if back(i) >= a.size() or a(back(i)) != i), end)
    while size:
        with suppress(NoComposition):
            return compose(back, Layout(size))
        size //= 2
    raise NoAnswer(f"{a} and {b} have not even the value 0 in common, at one index")


def _swizzles(x: Any, what: str) -> tuple[Fronts, Layout]:
    """The swizzles of a layout of numbers, each with the offset that is added before it, and the unswizzled layout."""
    if not is_numeric(x):
        raise LayoutError(f"{what} of {x}: a swizzled layout needs numbers")
    if not _has_only_swizzles(x):
        raise LayoutError(f"{what} of {x}: its layoutB is a layout; compose it first")
    map_of(x, what)
    return taken_apart(x)


def _has_only_swizzles(x: Any) -> bool:
    return all(isinstance(front, Swizzle) for front, _ in taken_apart(x)[0])


def _least(fronts: Fronts, layout: Layout) -> int:
    """The least argument of the innermost swizzle."""
    low: int = fronts[-1][1] + sum((n - 1) * min(d, 0) for n, d in layout.flat())
    return low


def _backwards(fronts: Fronts) -> Fronts:
    return [(front, 0) for front, _ in reversed(fronts)]


def _upwards(layout: Layout) -> tuple[Layout, int]:
    """The layout with its negative strides made positive, and the index that then has the value 0."""
    modes = layout.flat()
    up = Layout(tuple([n for n, _ in modes]), tuple([abs(d) for _, d in modes]))
    return up, sum(_place(layout, k, False) * (n - 1) for k, (n, d) in enumerate(modes) if d < 0)


def _place(layout: Layout, number: int, signed: bool = True) -> int:
    """How far apart consecutive indices of a mode are; negative if its stride is."""
    modes = layout.flat()
    place: int = prod([n for n, _ in modes[:number]])
    return -place if signed and modes[number][1] < 0 else place


def _as_one(fronts: Fronts, layout: Layout) -> Any:
    """The composition of these functions as one coalesced layout, plain or swizzled; None if it is neither."""
    f = map_of_parts(fronts, layout)
    with suppress(Undecided):
        found = straight(f, layout)
        if isinstance(found, Straight) and found.base == 0:
            return coalesce(found.layout)
    if any(low < 0 for low, _ in f.bounds()):
        return None
    one = None
    with suppress(Undecided):  # then the nested form is the answer
        one = as_one_swizzle(f, layout)
    return None if one is None else ComposedLayout(one.layoutB, one.offset, coalesce(one.layoutA))


def _nested(fronts: Fronts, layout: Layout) -> Any:
    found: Any = layout
    for front, offset in reversed(fronts):
        found = ComposedLayout(front, offset, found)
    return found
