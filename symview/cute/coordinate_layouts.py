"""Layouts whose values are coordinates: strides are multiples of basis elements E(i), as in CuTe's TMA tensors.

The layout algebra runs on numbers: basis elements are coded as powers of one number, so large that no sum of them
that the algebra compares is equal to another by accident, and strides of the answer are read off digit by digit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import prod
from typing import Any, Literal

from symview.cute.basis import E, Path, ScaledBasis
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import IntTuple, congruent, is_int, leaves, like, numbers, profile_text, sizes
from symview.cute.layout import Layout, LayoutBase, make_layout


class CoordinateLayout(LayoutBase):
    """A layout shape:stride whose strides are scaled basis elements, or 0. Frozen.

    Its value at a coordinate is a coordinate: the sum of index times stride, mode by mode. It
    composes, coalesces, divides and slices as layouts of numbers do, exactly, and may be what a layout
    is composed with. Sizes may be symbols, for that last one only.
    Source: "TMA tensors" of CuTe's documents (`0z_tma_tensors.md`).

    >>> layout = CoordinateLayout((4, 5), (E(0), 2 * E(1)))
    >>> print(layout, layout(3, 1))
    (4,5):(1@0,2@1) (3, 2)
    """

    __slots__ = ("shape", "stride")
    shape: IntTuple
    stride: Any

    def __init__(self, shape: Any, stride: Any) -> None:
        shape = sizes(shape)
        if not congruent(shape, stride):
            raise LayoutError(f"{profile_text(shape)} and the strides are nested differently; give one stride a size")
        for d in leaves(stride):
            if not isinstance(d, ScaledBasis) and not (is_int(d) and d == 0):
                raise LayoutError(f"the stride {d!r} beside basis elements: give multiples of E(…), or 0")
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "stride", stride)
        self.profile()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"CoordinateLayout is frozen: {self} keeps its {name}")

    def paths(self) -> list[Path]:
        """The modes of the coordinates that the strides name, in order; LayoutError where one is inside another."""
        found = sorted({d.mode for d in leaves(self.stride) if isinstance(d, ScaledBasis)})
        for a in found:
            if any(b != a and b[: len(a)] == a for b in found):
                raise LayoutError(f"strides along mode {list(a)} and inside it: there is a number there, or a tuple")
        return found

    def profile(self) -> IntTuple:
        """The nesting of the values, with 0 everywhere."""
        return _nested([(p, 0) for p in self.paths()])

    def size(self) -> int:
        """How many coordinates there are."""
        return prod(leaves(self.shape))

    def __call__(self, *args: Any) -> Any:
        """The coordinate at a coordinate or an index of the domain; with None, the layout of the modes that stay."""
        parts = {path: Layout(self.shape, self.along(path)) for path in self.paths()}
        found = {path: part(*args) for path, part in parts.items()}
        if any(isinstance(x, Layout) for x in found.values()):
            return self.coded(lambda layout: layout(*args))
        return _nested(list(found.items()))

    def along(self, path: Path) -> IntTuple:
        """The strides along one mode of the coordinates, 0 for the others."""
        steps = [d.value if isinstance(d, ScaledBasis) and d.mode == path else 0 for d in leaves(self.stride)]
        return like(self.shape, iter(steps))

    def coded(self, operation: Any, reach: int = 1) -> Any:
        """The operation on layouts of numbers, applied to this one; `reach`: how far beyond its size it looks."""
        numbers(self.shape, f"the shape of {self}")
        paths, flat = self.paths(), list(leaves(self.stride))
        most = max([abs(d.value) for d in flat if isinstance(d, ScaledBasis)], default=1)
        base = 64 * (len(flat) + 1) * (most + 1) * (max(self.size(), reach) + 2) ** 2
        code = {path: base**n for n, path in enumerate(paths)}
        steps = [d.value * code[d.mode] if isinstance(d, ScaledBasis) else 0 for d in flat]
        try:
            found = operation(Layout(self.shape, like(self.shape, iter(steps))))
        except NoComposition as error:
            at = profile_text(error.found.coordinate)
            raise NoAnswer(f"{self}: no layout of coordinates does it; it would break at coordinate {at}") from None
        return _decoded(found, paths, base)

    def modes(self) -> Iterator[Any]:
        """The modes as layouts."""
        return (self[n] for n in range(len(self)))

    def __iter__(self) -> Iterator[Any]:
        return self.modes()

    def __len__(self) -> int:
        return len(self.shape) if isinstance(self.shape, tuple) else 1

    def __bool__(self) -> Literal[True]:
        return True

    def __getitem__(self, i: Any) -> Any:
        shape, stride = Layout(self.shape)[i].shape, self.stride
        for n in i if isinstance(i, tuple) else (i,):
            stride = stride[n] if isinstance(stride, tuple) else stride
        return CoordinateLayout(shape, stride)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, CoordinateLayout):
            return NotImplemented
        return bool(self.shape == other.shape and self.stride == other.stride)

    def __hash__(self) -> int:
        return hash((self.shape, self.stride))

    def __str__(self) -> str:
        return f"{profile_text(self.shape)}:{_text(self.stride)}"

    def __repr__(self) -> str:
        if any(type(n) is not int for n in leaves(self.shape)):
            return f"parse({str(self)!r})"
        return f"CoordinateLayout({self.shape!r}, {self.stride!r})"

    def __reduce__(self) -> Any:
        return CoordinateLayout, (self.shape, self.stride)


def behind_coordinates(outer: Layout, inner: CoordinateLayout, compose: Callable[[Any, Layout], Layout]) -> Layout:
    """A ∘ B where B's values are coordinates of A: what lies along a mode of A is composed with that mode.

    Coordinates beyond the size of a mode extend that mode, as in CuTe.
    """
    parts = {}
    for path in inner.paths():
        mode: Any = outer
        for n in path:
            mode = mode[n]
        parts[path] = compose(mode, Layout(inner.shape, inner.along(path)))

    def joined(shape: IntTuple, stride: Any, here: dict[Path, Layout]) -> Layout:
        if not isinstance(shape, tuple):
            return here[stride.mode] if isinstance(stride, ScaledBasis) else Layout(shape, 0)
        inside = [{path: part[n] for path, part in here.items()} for n in range(len(shape))]
        return make_layout([joined(s, d, part) for s, d, part in zip(shape, stride, inside, strict=True)])

    return joined(inner.shape, inner.stride, parts)


def make_identity_layout(shape: Any) -> Any:
    """The layout that takes each coordinate of a shape to itself: of numbers, `4:1`, where the shape is a number.

    Source: `make_identity_layout` of CuTe's `layout.hpp`.

    >>> layout = make_identity_layout((4, (2, 3)))
    >>> print(layout, layout(1, 5))
    (4,(2,3)):(1@0,(1@0@1,1@1@1)) (1, (1, 2))
    """

    def units(t: IntTuple, path: Path) -> Any:
        return tuple([units(part, (*path, n)) for n, part in enumerate(t)]) if isinstance(t, tuple) else E(path)

    shape = numbers(sizes(shape), "the shape")
    return CoordinateLayout(shape, units(shape, ())) if isinstance(shape, tuple) else Layout(shape)


def _text(stride: Any) -> str:
    return f"({','.join(map(_text, stride))})" if isinstance(stride, tuple) else str(stride)


def _nested(entries: Iterable[tuple[Path, int]]) -> Any:
    """The coordinate with these numbers at these paths and 0 elsewhere."""
    inside: dict[int, list[tuple[Path, int]]] = {}
    for path, value in entries:
        if not path:
            return value
        inside.setdefault(path[0], []).append((path[1:], value))
    return tuple([_nested(inside[n]) if n in inside else 0 for n in range(max(inside, default=-1) + 1)])


def _decoded(found: Any, paths: list[Path], base: int) -> Any:
    """The layout, or the layouts of a tuple, with numbers read as multiples of basis elements."""
    if isinstance(found, tuple):
        return tuple([_decoded(part, paths, base) for part in found])
    if not isinstance(found, Layout):
        return _nested(list(zip(paths, _digits(found, len(paths), base), strict=True)))
    stride = like(found.shape, iter([_element(d, paths, base) for d in leaves(found.stride)]))
    return CoordinateLayout(found.shape, stride)


def _digits(code: int, count: int, base: int) -> list[int]:
    """The signed digits, each below half of the base."""
    found = []
    for _ in range(count):
        digit = (code + base // 2) % base - base // 2
        found.append(digit)
        code = (code - digit) // base
    return found


def _element(code: int, paths: list[Path], base: int) -> Any:
    moving = [(path, x) for path, x in zip(paths, _digits(code, len(paths), base), strict=True) if x]
    if len(moving) > 1:
        shown = " + ".join(str(ScaledBasis(x, path)) for path, x in moving)
        raise LayoutError(f"the answer has the stride {shown}, which is along more than one mode of the coordinates")
    return ScaledBasis(moving[0][1], moving[0][0]) if moving else 0
