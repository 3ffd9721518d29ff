"""Whether two layouts, of whatever kinds, are the same function: by their normal forms, block by block."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Literal

from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import number_text
from symview.cute.linear.by_residues import first_by_residues, is_by_residues
from symview.cute.linear.fronts import Composed, XorFront, affine_through
from symview.cute.linear.kinds import is_masked, reading
from symview.cute.linear.readings import Affine, Cut, Reading, Strided, blocks
from symview.cute.swizzle import Swizzle
from symview.displayed import Displayed
from symview.errors import Undecided
from symview.logic.bits import Bits, least
from symview.logic.budget import DEFAULT, Budget
from symview.view import View

_WALKED = 5  # blocks of 2^5 indices are walked: a form costs as much


@dataclass(frozen=True, slots=True)
class Differs(Displayed):
    """Two layouts are not the same function: at `index` they have the values `left` and `right`. Falsy.

    None is no value: the index is masked, or beyond the size.
    """

    index: int
    left: int | None
    right: int | None

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        shown = ["no value" if x is None else number_text(x) for x in (self.left, self.right)]
        return f"they differ: at index {number_text(self.index)} the first has {shown[0]}, the second {shown[1]}"


def same_function(a: Any, b: Any, budget: Budget | None = None) -> Literal[True] | Differs:
    """Whether two of View, Layout, swizzled and linear layout have the same size and values; else the first difference.

    They are compared by their indices: row-major for a View, first mode or input fastest for the others; the value of
    a linear layout is its outputs put end to end. Exact and polynomial where both have the normal form of
    `ParityForm` on aligned blocks, which strided and affine functions have, swizzled ones where what stands behind
    the swizzle is affine, offset included. Other blocks are walked up to `budget.points` indices; beyond that
    Z3 looks on bit-vectors, and Undecided is raised when the budget ends: the question is coNP-complete.

    >>> from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle
    >>> same_function(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8)), LinearLayout([1, 2, 5]))
    True
    >>> print(same_function(Layout((4, 2), (1, 5)), LinearLayout([1, 2, 5])))
    they differ: at index 5 the first has 6, the second 4
    """
    views = isinstance(a, View) and is_masked(a), isinstance(b, View) and is_masked(b)
    if all(views):
        return _of_masked(a, b, budget)
    f, g = (reading(_bare(x) if masked else x, "same_function") for x, masked in zip((a, b), views, strict=True))
    hidden = next((_first_hidden(x) for x, masked in zip((a, b), views, strict=True) if masked), None)
    end = min(f.size, g.size, f.size if hidden is None else hidden)
    x = first_difference(f, g, end, running(budget))
    if x is not None:
        return Differs(x, f.at(x), g.at(x))
    if hidden is None and f.size == g.size:
        return True
    sides = [None if end >= r.size or masked else r.at(end) for r, masked in zip((f, g), views, strict=True)]
    return Differs(end, *sides)


def first_difference(f: Reading, g: Reading, end: int, budget: Budget = DEFAULT, origin: int = 0) -> int | None:
    """The least index below the end at which the values differ, None where there is none; Undecided beyond the budget.

    `origin`: blocks are aligned after this is added to their indices.
    """
    if end <= 0:
        return None
    f, g = (r.whole if isinstance(r, Cut) else r for r in (f, g))
    if isinstance(f, Strided) and isinstance(g, Strided):
        x = _of_strided(f, g)
        return x if x is not None and x < end else None
    f, g = _without_front(f, g)
    constants = [_as_affine(r) for r in (f, g)]
    if constants[0] is not None and constants[1] is not None:
        x = _of_affine(constants[0], constants[1])
        return x if x is not None and x < end else None
    for one, other in ((f, g), (g, f)):
        if is_by_residues(one, other):
            x = first_by_residues(one, other)
            return x if x is not None and x < end else None
    return _by_blocks(f, g, end, budget.started(), origin)


def _by_blocks(f: Reading, g: Reading, end: int, budget: Budget, origin: int) -> int | None:
    """Blocks without a form on both sides are halved, from left to right; small ones are walked."""
    left, points = list(blocks(origin, 0, end))[::-1], 0
    while left:
        x, q = left.pop()
        if q <= _WALKED:
            points += 1 << q
            budget.count(30 << q)
            found = next((y for y in range(x, x + (1 << q)) if f.at(y) != g.at(y)), None)
            if found is not None:
                return found
        else:
            one, other = f.form(x, q), g.form(x, q)
            if one is None or other is None:
                left += [(x + (1 << (q - 1)), q - 1), (x, q - 1)]
            elif (y := one.minus(other).first_nonzero()) is not None:
                return x + y
            points += q
        budget.count(200)
        if budget.is_over():
            raise Undecided(f"equal up to index {x}; {budget.ending()}")
        if points > budget.points and left:
            return _on_bits(f, g, left[-1][0], end, budget)
    return None


def _on_bits(f: Reading, g: Reading, begin: int, end: int, budget: Budget) -> int | None:
    """The rest, by Z3."""
    width = max(f.bound(), g.bound(), end).bit_length() + 3

    def differ(bits: Bits, y: Any) -> Any:
        return f.on_bits(bits, y + begin) != g.on_bits(bits, y + begin)

    try:
        y = least(end - begin, width, differ, budget)
    except Undecided as stop:
        raise Undecided(f"equal up to index {begin - 1}; beyond, {stop.reason}") from None
    return None if y is None else begin + y


def _of_strided(f: Strided, g: Strided) -> int | None:
    """The first mode that both do not share decides."""
    if f.offset != g.offset:
        return 0
    place = 1
    for one, other in zip_longest(f.modes, g.modes):
        if one == other:
            place *= one[0]
            continue
        if one is None or other is None:
            return place  # sizes differ: one side has nothing from here on
        return place if one[1] != other[1] else place * min(one[0], other[0])
    return None


def _of_affine(f: Affine, g: Affine) -> int | None:
    """The constants, or the first base."""
    if f.at(0) != g.at(0):
        return 0
    return next((1 << i for i, (a, b) in enumerate(zip(f.columns, g.columns, strict=False)) if a != b), None)


def _without_front(f: Reading, g: Reading) -> tuple[Reading, Reading]:
    """Swizzles are injective: equal ones in front make no difference."""
    while isinstance(f, Composed) and isinstance(g, Composed) and f.front == g.front:
        if not isinstance(f.front, XorFront) or not isinstance(f.front.map, Swizzle) or f.offset != g.offset:
            break
        f, g = f.behind, g.behind
    return f, g


def _as_affine(f: Reading) -> Affine | None:
    """The same as an affine map, where the form on all of a cube that holds the indices says so."""
    if isinstance(f, Affine):
        return f if f.start == 0 else None
    k = (f.size - 1).bit_length()
    if isinstance(f, Composed) and isinstance(f.front, XorFront) and (inside := _as_affine(f.behind)) is not None:
        if f.offset:
            return None
        return Affine(*_through(f.front, inside), f.size)
    if isinstance(f, Strided) and f.size == 1 << k:
        form = f.form(0, k)
        found = None if form is None else form.as_affine(k)
        return None if found is None else Affine(found[0], tuple(found[1]), f.size)
    return None


def _through(front: XorFront, inside: Affine) -> tuple[int, tuple[int, ...]]:
    constant, bases = affine_through(lambda x: front.of(Bits(), x), inside.constant, inside.columns)
    return constant, tuple(bases)


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


def _of_masked(a: View, b: View, budget: Budget | None) -> Literal[True] | Differs:
    """Two views with masks, dim by dim."""
    if a.shape != b.shape:
        raise LayoutError(f"same_function: {a} and {b} have masks and other shapes; compare views of one shape")
    from symview.questions.chains import equivalent

    verdict = equivalent(a, b, budget)
    if verdict:
        return True
    index = [verdict.values[f"i{n}"] for n in range(a.rank)]
    place, at = 1, 0
    for i, n in zip(reversed(index), reversed(a.shape), strict=True):
        at, place = at + i * place, place * n
    return Differs(at, a.at(index), b.at(index))
