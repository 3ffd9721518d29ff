"""Composition, decided exactly: the layout whenever one exists whose modes refine B's.

With f(x) = base·x + Σ defect·floor(x/place) for A (its last mode extends), B's mode (N:r) asks for
h(x) = f(r·x) on [0, N). If h is a layout, its coalesced form is found from the front: its first
mode ends where h leaves the straight line. That this form exists for every mode is necessary;
that A and the refined B merge, as views do, is then the whole question.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from symview.cute.composition_failure import Break, NoLayout, coordinate_of, flat_unit
from symview.cute.digits import Digits
from symview.cute.errors import LayoutError, NoComposition
from symview.cute.first_break import Slope, first_break
from symview.cute.int_tuple import is_int
from symview.cute.layout import Layout, is_layout, made, need_layout
from symview.engine.decide import smallest_violation, violation
from symview.engine.overflow import Carry, weigh
from symview.logic.budget import DEFAULT, Budget

Mode = tuple[Any, Any]  # a size, or several, with their strides


def composition(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Any:  # noqa: N803
    """A ∘ B: the layout of B's shape, each mode perhaps split, with (A ∘ B)(x) = A(B(x)) for all x.

    Exact: where such a layout exists it is returned, coalesced within each mode of B (CuTe's
    representative); otherwise NoComposition says where it breaks. Beyond A's last mode A extends.
    B may be a size, None for no change, or a tuple of these to compose mode by mode.
    Raises LayoutError where B leaves the domain of A's extension, SymbolError where the answer
    depends on symbols (see composition_conditions), Undecided where the budget ends.
    Source: Definitions 2.12–2.18 of "CuTe Layout Algebra" (L. Mao), whose conditions are
    sufficient, not necessary.

    >>> print(composition(Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))))
    ((2,2),3):((24,2),8)
    >>> print(composition(Layout((4, 4), (4, 1)), Layout(4, 5)))
    4:5
    >>> composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3)))
    Traceback (most recent call last):
    ...
    symview.cute.errors.NoComposition: (6,2):(1,7) ∘ (3,2):(2,3) is no layout: mode 1 of B, 2:3, is not \
independent of the modes before it: at coordinate (2,1) the value is 8, not 7, since mode 0 of A, 6:1, overflows there
    """
    found = try_composition(layoutA, layoutB, budget)
    if found.__class__ is NoLayout:
        raise NoComposition(found)
    return found


def try_composition(layoutA: Any, layoutB: Any, budget: Budget | None = None) -> Any:  # noqa: N803
    """The same, but where no layout exists, the falsy NoLayout is returned instead of raised.

    >>> bool(try_composition(Layout((3, 3), (0, 1)), Layout(4, 2)))
    False
    """
    if layoutB.__class__ is Layout and layoutA.__class__ is Layout:
        if layoutA.numeric and layoutB.numeric:
            return _composed(layoutA, layoutB, budget or DEFAULT)
        from symview.cute.symbols.queries import always, composition_conditions

        return always(composition_conditions(layoutA, layoutB, budget=budget))
    if layoutB is None:
        return _operand(layoutA)
    if is_int(layoutB):
        return try_composition(layoutA, Layout(layoutB), budget)
    if isinstance(layoutB, tuple):
        return _by_mode(layoutA, layoutB, budget)
    return _behind_a_swizzle(layoutA, layoutB)


def _by_mode(layout: Any, tiler: tuple[Any, ...], budget: Budget | None) -> Any:
    if is_layout(layout) and not isinstance(layout, Layout):
        return _behind(layout, _by_mode(layout.layoutA, tiler, budget))
    parts = list(modes_for(layout, tiler, "composition"))
    for n, tile in enumerate(tiler):
        found = try_composition(parts[n], tile, budget)
        if found.__class__ is NoLayout:
            return found.inside(n)
        parts[n] = found
    return made(tuple([p.shape for p in parts]), tuple([p.stride for p in parts]), all(p.numeric for p in parts))


def modes_for(layout: Layout, tiler: tuple[Any, ...], what: str) -> list[Layout]:
    """The modes of a layout that a tiler is applied to; LayoutError where the tiler has more."""
    if len(tiler) > len(need_layout(layout, what)):
        raise LayoutError(f"{what}: the tiler has {len(tiler)} modes, {layout} has {len(layout)}: give at most as many")
    return list(layout.modes())


def _operand(x: Any) -> Any:
    """A layout or a swizzle; LayoutError for anything else."""
    from symview.cute.swizzle import Swizzle

    if not is_layout(x) and not isinstance(x, Swizzle):
        raise LayoutError(f"composition: {x!r} is no layout; give layouts; B may be a size, None, or a tuple")
    return x


def _behind(composed: Any, inner: Any) -> Any:
    from symview.cute.swizzle import ComposedLayout

    return inner if isinstance(inner, NoLayout) else ComposedLayout(composed.layoutB, composed.offset, inner)


def _behind_a_swizzle(a: Any, b: Any) -> Any:
    from symview.cute.swizzle import ComposedLayout, Swizzle

    if isinstance(a, Swizzle) and isinstance(b, Layout):
        return ComposedLayout(a, 0, b)
    if isinstance(a, ComposedLayout):
        return _behind(a, try_composition(a.layoutA, b))
    _operand(a)
    _operand(b)
    raise LayoutError(f"composition of {a} and {b}: a swizzle stands on the left, in front of a layout")


def _composed(outer: Layout, inner: Layout, budget: Budget) -> Layout | NoLayout:
    """The composition of layouts of numbers, or where there is none."""
    shape = inner.shape
    walk = _Walk(outer, inner, outer._digits or outer.digits(), budget)
    mode = walk.mode(shape, inner.stride) if shape.__class__ is int else walk.nested(shape, inner.stride)
    failed = walk.failed
    if failed is None and len(walk.steps) > 1:
        failed = walk.collision()
    return made(*mode) if failed is None else failed


class _Walk:
    """Factors the modes of B one after the other, and remembers the refinement."""

    __slots__ = ("budget", "digits", "failed", "groups", "inner", "outer", "steps")

    def __init__(self, outer: Layout, inner: Layout, digits: Digits, budget: Budget) -> None:
        self.outer, self.inner, self.digits, self.budget = outer, inner, digits, budget
        self.groups: list[tuple[int, ...]] = []
        self.steps: list[int] = []
        self.failed: Any = None

    def nested(self, shape: Any, stride: Any) -> Mode:
        """The modes of a tuple, nested as it is."""
        sizes, strides = [], []
        for n, r in zip(shape, stride, strict=True):
            size, step = self.mode(n, r) if n.__class__ is int else self.nested(n, r)
            if self.failed is not None:
                return (), ()
            sizes.append(size)
            strides.append(step)
        return tuple(sizes), tuple(strides)

    def mode(self, size: int, step: int) -> Mode:
        """The coalesced form of x ↦ A(step·x) on [0, size), as far as each part being straight goes."""
        if size == 1 or step <= 0:
            return self._trivial(size, step)
        base, bends, _, _ = self.digits
        sizes, strides = [], []
        left = size
        while True:
            value, first, weight = base * step, left, 0
            for place, defect in bends:
                whole, rest = divmod(step, place)
                value += defect * whole
                if rest:
                    carries = -(-place // rest)
                    if carries < first:
                        first, weight = carries, defect
                    elif carries == first:
                        weight += defect
            if first < left and not weight:
                first = self._later_break(step, left)
            strides.append(value)
            self.steps.append(step)
            if first >= left:
                sizes.append(left)
                break
            if left % first:
                self._refuse(size, left, first, step)
                return 0, 0
            sizes.append(first)
            left //= first
            step *= first
        group = tuple(sizes)
        self.groups.append(group)
        return (left, value) if len(group) == 1 else (group, tuple(strides))

    def _trivial(self, size: int, step: int) -> Mode:
        """Modes of size 1 have the stride that CuTe gives them; stride 0 stays."""
        if step < 0 and size > 1:
            raise LayoutError(
                f"composition: the mode {size}:{step} of B goes down to {(size - 1) * step}; A starts at 0"
            )
        self.groups.append((size,))
        self.steps.append(0)
        if size > 1 or step == 0:
            return size, 0
        sizes, last = self.digits.unit
        for n in sizes:
            step = -(-step // n)
        return 1, step * last

    def _later_break(self, step: int, size: int) -> int:
        """Where the first carries cancel, the first that do not."""
        slopes = [Slope(place, step % place, defect) for place, defect in self.digits.bends if step % place]
        found = first_break(slopes, size, self.budget)
        return size if found is None else found

    def collision(self) -> NoLayout | None:
        """Where A and the refined B do not merge; None if they do."""
        steps = self.steps
        sizes = [n for group in self.groups for n in group]
        carries, weights = [], []
        for place, defect in self.digits.bends:
            rests = [r % place for r in steps]
            reach = 0
            for n, r in zip(sizes, rests, strict=True):
                reach += (n - 1) * r
            if reach >= place:
                carries.append(Carry(place, 0, tuple(rests)))
                weights.append(defect)
        if not carries:
            return None
        known = violation(carries, sizes, weights, self.budget)
        return None if known is None else self._located(carries, weights, tuple(sizes), known)

    def _refuse(self, size: int, left: int, first: int, step: int) -> None:
        """The mode would have to end after `first` of the `left` steps."""
        mode, done = len(self.groups), size // left
        digits, inner = self.digits, self.inner

        def search() -> Break:
            carrying = [
                boundary
                for (place, _), boundary in zip(digits.bends, digits.boundaries, strict=True)
                if step % place and Slope(place, step % place, 0).carries(first)
            ]
            expected = first * digits.at(step)
            return Break(mode, carrying[0], flat_unit(inner, mode, first * done), expected, (first, left))

        self.failed = NoLayout(self.outer, self.inner, search)

    def _located(
        self, carries: list[Carry], weights: list[int], sizes: tuple[int, ...], known: tuple[int, ...]
    ) -> NoLayout:
        digits, groups, steps, budget = self.digits, self.groups, self.steps, self.budget

        def search() -> Break:
            index, _ = smallest_violation(carries, sizes, weights, known, budget)
            alone = [i for i in _by_group(groups, index) if weigh(carries, weights, i)]
            index = alone[0] if alone else index
            expected = sum(i * digits.at(r) for i, r in zip(index, steps, strict=True))
            axis = max(a for a, i in enumerate(index) if i)
            mode = next(m for m in range(len(groups)) if sum(map(len, groups[: m + 1])) > axis)
            place = min(c.place for c in carries if c.at(index))
            at = [p for p, _ in digits.bends].index(place)
            parts = groups[mode] if alone else ()
            return Break(mode, digits.boundaries[at], coordinate_of(groups, index), expected, None, parts)

        return NoLayout(self.outer, self.inner, search)


def _by_group(groups: list[tuple[int, ...]], index: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """The index on one mode of B after the other, 0 elsewhere."""
    start = 0
    for group in groups:
        end = start + len(group)
        yield tuple([i if start <= axis < end else 0 for axis, i in enumerate(index)])
        start = end
