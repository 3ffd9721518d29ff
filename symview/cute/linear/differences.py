"""Whether two layouts of any kind are the same function: compares their normal forms, block by block."""

from __future__ import annotations

from typing import Any, Literal

from symview.counterexample import Counterexample, Kind
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.linear.reading import is_masked, map_of
from symview.engine.first_difference import first_difference
from symview.logic.budget import Budget
from symview.view import View


def same_function(a: Any, b: Any, budget: Budget | None = None) -> Literal[True] | Counterexample:
    """Whether two layouts (View, Layout, swizzled or linear) have the same size and values; else the first difference.

    Compares them by index: row-major for a View, first mode or input fastest for the others; the value of a linear
    layout concatenates its outputs. Exact and polynomial if both have the normal form of `ParityForm` on aligned
    blocks; strided and affine functions have it, and swizzles of affine functions, offset included. Other blocks are
    enumerated up to `budget.points` indices; beyond that Z3 searches bit-vectors, and raises Undecided when the budget
    ends: the question is coNP-complete.

    >>> from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle
    >>> same_function(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8)), LinearLayout([1, 2, 5]))
    True
    >>> print(same_function(Layout((4, 2), (1, 5)), LinearLayout([1, 2, 5])))
    they differ: at index 5 the first has 6, the second 4
    """
    views = isinstance(a, View) and is_masked(a), isinstance(b, View) and is_masked(b)
    if all(views):
        return _of_masked(a, b, budget)
    f, g = (map_of(_bare(x) if masked else x, "same_function") for x, masked in zip((a, b), views, strict=True))
    hidden = next((_first_hidden(x) for x, masked in zip((a, b), views, strict=True) if masked), None)
    end = min(f.size, g.size, f.size if hidden is None else hidden)
    x = first_difference(f, g, end, running(budget))
    if x is not None:
        return _differ(x, f(x), g(x))
    if hidden is None and f.size == g.size:
        return True
    sides = [None if end >= r.size or masked else r(end) for r, masked in zip((f, g), views, strict=True)]
    return _differ(end, *sides)


def _differ(index: int, first: int | None, second: int | None) -> Counterexample:
    """The layouts have these values at the index; None where it is masked, or beyond the size."""
    return Counterexample(Kind.DIFFERENT, (index,), None, second, first)


# Masks


def _bare(view: View) -> View:
    return View(view.shape, view.strides, view.offset)


def _first_hidden(view: View) -> int:
    """The first index, row-major, that the mask of a view hides."""
    if view.mask == "empty" or view.mask is None or any(a > 0 or b <= 0 for a, b in view.mask):
        return 0
    place = 1
    for (_, high), n in zip(reversed(view.mask), reversed(view.shape), strict=True):
        if high < n:
            return place * int(high)
        place *= n
    raise LayoutError(f"{view} hides nothing")


def _of_masked(a: View, b: View, budget: Budget | None) -> Literal[True] | Counterexample:
    """Compares two masked views, dim by dim."""
    if a.shape != b.shape:
        raise LayoutError(f"same_function: {a} and {b} have masks and other shapes; compare views of one shape")
    from symview.views.chains import equivalent  # loads the questions about views

    verdict = equivalent(a, b, budget)
    if verdict:
        return True
    index = [verdict.values[f"i{n}"] for n in range(a.rank)]
    place, at = 1, 0
    for i, n in zip(reversed(index), reversed(a.shape), strict=True):
        at, place = at + i * place, place * n
    return _differ(at, a.at(index), b.at(index))
