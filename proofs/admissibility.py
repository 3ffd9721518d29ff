"""The definitions of "CuTe Layout Algebra" (L. Mao) as predicates that give their reason.

They are sufficient for the operations, not necessary: `composition` and `complement` decide exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import prod

from symview.cute.arranging import sort
from symview.cute.comparer import need_numbers
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import flatten, is_int, numbers, profile_text, sizes
from symview.cute.int_tuple import number_text as text
from symview.cute.layout import Layout
from symview.displayed import Displayed

Factors = tuple[int | None, ...]  # the last may be None, for ∞


@dataclass(frozen=True, slots=True)
class Ruling(Displayed):
    """Whether something holds, and why; its truth is that.

    >>> bool(Ruling(False, "4 does not divide 6")), str(Ruling(True, "6 divides 12"))
    (False, 'yes: 6 divides 12')
    """

    holds: bool
    reason: str

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return f"{'yes' if self.holds else 'no'}: {self.reason}"


def is_sorted(layout: Layout) -> Ruling:
    """Whether strides do not fall, and sizes do not where strides are equal (Definition 2.4).

    >>> print(is_sorted(Layout((2, 4), (4, 1))))
    no: stride 4 of mode 0 is above stride 1 of mode 1
    """
    need_numbers(layout, "is_sorted")
    for n, ((size, stride), (next_size, next_stride)) in enumerate(pairwise(layout.flat())):
        if stride > next_stride:
            return Ruling(
                False, f"stride {text(stride)} of mode {n} is above stride {text(next_stride)} of mode {n + 1}"
            )
        if stride == next_stride and size > next_size:
            return Ruling(
                False,
                f"modes {n}, {n + 1} have the stride {text(stride)}, and size {text(size)} is above {text(next_size)}",
            )
    return Ruling(True, "no stride falls, and no size where strides are equal")


def admissible_for_complementation(layout: Layout, bound: int) -> Ruling:
    """Whether, once sorted, each N_{i-1}·d_{i-1} divides d_i and the last divides the bound (Definition 2.5).

    Raises LayoutError unless the bound is positive and there is a mode.

    >>> print(admissible_for_complementation(Layout((2, 4), (4, 1)), 16))
    yes: sorted (4,2):(1,4): 4 divides 4, 8 divides 16
    >>> print(admissible_for_complementation(Layout((2, 2), (1, 3)), 12))
    no: sorted (2,2):(1,3): 2 does not divide the stride 3
    """
    need_numbers(layout, "admissible_for_complementation")
    if not is_int(bound) or bound < 1:
        raise LayoutError(f"admissible_for_complementation: the bound {profile_text(bound)} is no positive integer")
    modes = sort(layout).flat()
    if not modes:
        raise LayoutError(f"admissible_for_complementation: {layout} has no modes: give a layout of one or more")
    shown = f"sorted {sort(layout)}: "
    if any(d <= 0 for _, d in modes):
        return Ruling(False, f"{shown}the definition is about positive strides")
    steps: list[str] = []
    for (n, d), following in zip(modes, [d for _, d in modes[1:]] + [bound], strict=True):
        what = "the bound" if len(steps) == len(modes) - 1 else "the stride"
        if following % (n * d):
            return Ruling(False, f"{shown}{text(n * d)} does not divide {what} {text(following)}")
        steps.append(f"{text(n * d)} divides {text(following)}")
    return Ruling(True, shown + ", ".join(steps))


@dataclass(frozen=True, slots=True)
class LeftDivision(Displayed):
    """M̂ = d·M̂': the division index, what is left of d there, and M̂' with its induced factors. Truthy.

    `factors` is None where the division is only weak: then nothing is induced.
    """

    index: int
    rest: int
    factors: Factors | None

    def __str__(self) -> str:
        at = f"division index {self.index}, c = {text(self.rest)}"
        return at if self.factors is None else f"{at}, leaving {_product_text(self.factors)}"


def left_division(factors: Sequence[int | None], d: int, weak: bool = False) -> LeftDivision | Ruling:
    """The division of M = Π factors by d from the left, the last factor counting as ∞; or why not (Definition 2.11).

    There is i with M_0·…·M_{i-1} dividing d and, unless M_i is the last, c = d/(M_0·…·M_{i-1}) below
    M_i and dividing it; `weak` asks no more than c < M_i. i is unique where factors are above 1.

    >>> print(left_division((4, 6, 8), 8)), print(left_division((4, 6, 8), 6))
    division index 1, c = 2, leaving 3·∞
    no: 6 is 1·6, and no whole number of 4's: neither 6 < 4 nor 4 divides 6
    (None, None)
    """
    known = _factors(factors)
    if known is None or not is_int(d) or d < 1:
        raise LayoutError(f"left division of {factors!r} by {profile_text(d)}: give positive integers")
    done = 1
    for index, factor in enumerate(known):
        rest = d // done
        if rest < factor:
            if factor % rest == 0:
                return LeftDivision(index, rest, (factor // rest, *factors[index + 1 : -1], None))
            if weak:
                return LeftDivision(index, rest, None)
            return Ruling(
                False,
                f"{text(d)} is {text(done)}·{text(rest)}, and {text(rest)} does not divide the factor {text(factor)}",
            )
        if rest % factor:
            detail = f"neither {text(rest)} < {text(factor)} nor {text(factor)} divides {text(rest)}"
            return Ruling(
                False, f"{text(d)} is {text(done)}·{text(rest)}, and no whole number of {text(factor)}'s: {detail}"
            )
        done *= factor
    return LeftDivision(len(factors) - 1, d // done, (None,))


def _factors(given: object) -> list[int] | None:
    """The factors but the last, positive integers in a row, None if they are not; LayoutError for ∞ among them."""
    if not isinstance(given, (tuple, list)) or not given:
        return None
    if any(m is None for m in given[:-1]):
        raise LayoutError(f"left division of {tuple(given)}: only the last factor is ∞")
    return list(given[:-1]) if all(m is None or (is_int(m) and m > 0) for m in given) else None


def _product_text(factors: Factors) -> str:
    return "·".join("∞" if m is None else text(m) for m in factors)


def _shape_of(shape: object) -> tuple[int, ...]:
    found = flatten(numbers(sizes(shape.shape if isinstance(shape, Layout) else shape), "the shape"))
    if not found:
        raise LayoutError("the shape () has no sizes: give one or more")
    return found


def _mode(layout: Layout, what: str) -> tuple[int, int]:
    """Size and stride of a layout of a single mode."""
    need_numbers(layout, what)
    modes = layout.flat()
    if len(modes) != 1:
        raise LayoutError(f"{what}: {layout} has {len(modes)} modes: give a layout of one")
    return modes[0]


def admissible_mode(shape: object, mode: Layout, cutlass: bool = False) -> Ruling:
    """Whether a shape (or a layout's shape) and a layout of one mode are admissible (Definition 2.12).

    With `cutlass`, the second division has to be left, not only weakly left (Definition 2.21).

    >>> print(admissible_mode((8, 6, 8), Layout(8, 4)))
    yes: dividing 8·6·∞ by 4: division index 0, c = 4, leaving 2·6·∞; by 8: division index 1, c = 4
    >>> print(admissible_mode((8, 6, 8), Layout(8, 4), cutlass=True))
    no: dividing 2·6·∞ by 8: 8 is 2·4, and 4 does not divide the factor 6
    """
    factors = _shape_of(shape)
    size, stride = _mode(mode, "admissible_mode")
    if stride < 1:
        return Ruling(False, f"the stride {text(stride)} is not positive")
    first = left_division(factors, stride)
    start = _product_text((*factors[:-1], None))
    if isinstance(first, Ruling):
        return Ruling(False, f"dividing {start} by {text(stride)}: {first.reason}")
    left = first.factors or (None,)
    second = left_division(left, size, weak=not cutlass)
    if isinstance(second, Ruling):
        return Ruling(False, f"dividing {_product_text(left)} by {text(size)}: {second.reason}")
    return Ruling(True, f"dividing {start} by {text(stride)}: {first}; by {text(size)}: {second}")


def interval_of_definition(shape: object, mode: Layout) -> range:
    """[r, r·(N−1)] within [1, M_0·…·M_{α-1}): the range of that interval, perhaps empty (Definition 2.16).

    >>> interval_of_definition((6, 2), Layout(3, 2)), interval_of_definition((6, 2), Layout(3, 6))
    (range(2, 5), range(0, 0))
    """
    size, stride = _mode(mode, "interval_of_definition")
    low, high = max(stride, 1), min(stride * (size - 1) + 1, prod(_shape_of(shape)[:-1]))
    return range(low, high) if low < high else range(0)


def admissible_for_composition(shape: object, inner: Layout, cutlass: bool = False) -> Ruling:
    """Whether every mode is admissible and the intervals of definition are disjoint (Definition 2.17).

    It does not imply that the composition exists: Theorem 2.18 fails for three modes, see
    proofs/README.md. `composition` decides.

    >>> print(admissible_for_composition((6, 2), Layout((3, 2), (2, 3))))
    no: modes 0 and 1 have the intervals [2,4] and [3,3], which meet
    """
    need_numbers(inner, "admissible_for_composition")
    modes = [Layout(n, d) for n, d in inner.flat()]
    for n, mode in enumerate(modes):
        ruling = admissible_mode(shape, mode, cutlass)
        if not ruling:
            return Ruling(False, f"mode {n}: {ruling.reason}")
    spans = [interval_of_definition(shape, mode) for mode in modes]
    for (a, one), (b, other) in combinations(enumerate(spans), 2):
        if one and other and one[0] <= other[-1] and other[0] <= one[-1]:
            shown = " and ".join(f"[{text(s[0])},{text(s[-1])}]" for s in (one, other))
            return Ruling(False, f"modes {a} and {b} have the intervals {shown}, which meet")
    return Ruling(True, "every mode is admissible, and the intervals of definition are disjoint")


def composition_by_definition(outer: Layout, mode: Layout) -> Layout:
    """A ∘ (N:r) as Definition 2.13 writes it, A taken as it is; LayoutError where it is not admissible.

    >>> print(composition_by_definition(Layout((8, 6, 8), (1, 16, 108)), Layout(8, 4)))
    (2,4):(4,16)
    """
    need_numbers(outer, "composition_by_definition")
    size, stride = _mode(mode, "composition_by_definition")
    ruling = admissible_mode(outer, mode)
    if not ruling:
        raise LayoutError(f"{outer} ∘ {mode} is not admissible: {ruling.reason}")
    strides = [d for _, d in outer.flat()]
    first = left_division(_shape_of(outer), stride)
    if isinstance(first, Ruling) or first.factors is None:
        raise LayoutError(f"{outer} ∘ {mode} is not admissible")
    steps = [first.rest * strides[first.index], *strides[first.index + 1 :]]
    if first.factors[0] is None or size <= first.factors[0]:
        return Layout(size, steps[0])
    second = left_division(first.factors, size, weak=True)
    if isinstance(second, Ruling):
        raise LayoutError(f"{outer} ∘ {mode} is not admissible: {second.reason}")
    sizes = [m for m in first.factors[: second.index] if m is not None]
    if second.rest > 1:
        sizes.append(second.rest)
    return Layout(tuple(sizes), tuple(steps[: len(sizes)]))
