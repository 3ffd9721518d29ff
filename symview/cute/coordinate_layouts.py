"""Layouts whose values are coordinates: strides are basis elements E(i), multiplied and added, as in TMA tensors.

The layout algebra runs on numbers: basis elements are coded as powers of one number, so large that no sum of them
that the algebra compares is equal to another by accident, and strides of the answer are read off digit by digit.
Where sizes are symbols, an operation that sends sums of layouts to sums is done along each mode of the coordinates by
itself, and the answers are added: a layout does it just where the sizes into which these fall have a common refinement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any

from symview.cute.basis import BasisElement, E, Path, ScaledBasis, basis_sum, coordinate_of, need_apart
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import (
    IntTuple,
    as_tuples,
    congruent,
    has_none,
    is_int,
    leaves,
    like,
    numbers,
    product_of,
    profile_text,
    sizes,
)
from symview.cute.layout import Layout, LayoutBase, is_layout, make_layout


class CoordinateLayout(LayoutBase):
    """A layout shape:stride whose strides are basis elements, scaled and perhaps added, or 0. Frozen.

    Its value at a coordinate is a coordinate: the sum of index times stride, mode by mode. It
    composes, coalesces, divides and slices as layouts of numbers do, exactly, and may be what a layout
    is composed with. Sizes may be symbols, where the answer does not depend on these.
    Source: "TMA tensors" of CuTe's documents (`0z_tma_tensors.md`).

    >>> layout = CoordinateLayout((4, 5), (E(0), 2 * E(1)))
    >>> print(layout, layout(3, 1))
    (4,5):(1@0,2@1) (3, 2)
    >>> diagonal = CoordinateLayout(4, E(0) + E(1))
    >>> print(diagonal, diagonal(3))
    4:1@0+1@1 (3, 3)
    """

    __slots__ = ("shape", "stride")
    shape: IntTuple
    stride: Any

    def __init__(self, shape: Any, stride: Any) -> None:
        shape, stride = sizes(shape), as_tuples(stride)
        if not congruent(shape, stride):
            raise LayoutError(f"{profile_text(shape)} and the strides are nested differently; give one stride per size")
        for d in leaves(stride):
            if not isinstance(d, BasisElement) and not (is_int(d) and d == 0):
                raise LayoutError(f"the stride {d!r} beside basis elements: give multiples of E(…), or 0")
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "stride", _named(stride))
        self.profile()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"CoordinateLayout is frozen: {self} keeps its {name}")

    def paths(self) -> list[Path]:
        """The modes of the coordinates that the strides name, in order; LayoutError where one is inside another."""
        found = sorted({path for d in leaves(self.stride) for path in _moves(d)})
        need_apart(found)
        return found

    def profile(self) -> IntTuple:
        """The nesting of the values, with 0 everywhere."""
        return coordinate_of([(p, 0) for p in self.paths()])

    def size(self) -> int:
        """How many coordinates there are."""
        return prod(leaves(self.shape))

    def __call__(self, *args: Any) -> Any:
        """The coordinate at a coordinate or an index of the domain; with None, the layout of the modes that stay."""
        parts = {path: Layout(self.shape, self.along(path)) for path in self.paths()}
        found = {path: part(*args) for path, part in parts.items()}
        if any(isinstance(x, Layout) for x in found.values()):
            return self.coded(lambda layout: layout(*args))
        return coordinate_of(found.items())

    def coshape(self) -> IntTuple:
        """The shape that all coordinates are in: the last one, strides counted without their signs, plus 1.

        Source: `coshape` of CuTe's `layout.hpp`.

        >>> CoordinateLayout((4, 5), (E(0), 2 * E(2))).coshape()
        (4, 1, 9)
        """
        last = coordinate_of(self._reaches().items())
        return like(last, iter([x + 1 for x in leaves(last)]))

    def _reaches(self) -> dict[Path, Any]:
        """How far the coordinates go along each mode that strides name, in all."""
        return {p: sum([(n - 1) * abs(d) for n, d in self._steps(p)]) for p in self.paths()}

    def _steps(self, path: Path) -> list[tuple[Any, int]]:
        """The sizes of the flat modes, each with how far a step moves along a mode of the coordinates."""
        flat = zip(leaves(self.shape), leaves(self.stride), strict=True)
        return [(n, _moves(d).get(path, 0)) for n, d in flat]

    def cosize(self) -> Any:
        """The size of the coshape, as in C++."""
        return product_of(self.coshape())

    def along(self, path: Path) -> IntTuple:
        """The strides along one mode of the coordinates, 0 for the others."""
        return like(self.shape, iter([_moves(d).get(path, 0) for d in leaves(self.stride)]))

    def coded(self, operation: Any, reach: int = 1, additive: bool = True) -> Any:
        """The operation on layouts of numbers, applied to this one; `reach`: how far beyond its size it looks.

        `additive`: whether it sends sums of layouts of one shape to sums of layouts.
        """
        if additive and any(type(n) is not int for n in leaves(self.shape)):
            parts = [operation(Layout(self.shape, self.along(path))) for path in self.paths()]
            return added(parts, self.paths())
        numbers(self.shape, f"the shape of {self}")
        paths, flat = self.paths(), [_moves(d) for d in leaves(self.stride)]
        most = max([abs(x) for d in flat for x in d.values()], default=1)
        base = 64 * (len(flat) + 1) * (most + 1) * (max(self.size(), reach) + 2) ** 2
        code = {path: base**n for n, path in enumerate(paths)}
        steps = [sum([x * code[path] for path, x in d.items()]) for d in flat]
        try:
            found = operation(Layout(self.shape, like(self.shape, iter(steps))))
        except NoComposition as error:
            at = profile_text(error.found.coordinate)
            raise NoAnswer(f"{self}: no layout of coordinates does it; it would break at coordinate {at}") from None
        if is_layout(found) and not isinstance(found, Layout):
            raise LayoutError(f"{self}: its values are coordinates, as of no layout behind others: give plain tiles")
        return _decoded(found, paths, base)

    def __getitem__(self, i: Any) -> Any:
        if has_none(i):
            return self(i)
        shape, stride = Layout(self.shape)[i].shape, self.stride
        for n in i if isinstance(i, tuple) else (i,):
            stride = stride[n] if isinstance(stride, tuple) else stride
        return CoordinateLayout(shape, stride)

    def __str__(self) -> str:
        return f"{profile_text(self.shape)}:{_text(self.stride)}"

    def __repr__(self) -> str:
        if any(type(n) is not int for n in leaves(self.shape)):
            return f"parse({str(self)!r})"
        return f"CoordinateLayout({self.shape!r}, {self.stride!r})"

    def __reduce__(self) -> Any:
        return CoordinateLayout, (self.shape, self.stride)


def _named(stride: Any) -> Any:
    """The strides, each 0 as 0@0 where none names a mode, so that they read back as those of coordinates.

    Of others, a stride of no length along a mode beside those that move is 0 where a coordinate has no place for both.
    """
    flat = list(leaves(stride))
    if not any(isinstance(d, BasisElement) for d in flat):
        return like(stride, iter([0 * E(0)] * len(flat)))
    moving = [path for d in flat for path, x in _moves(d).items() if x]
    return like(stride, iter([0 if _is_in_the_way(d, moving) else d for d in flat]))


def _is_in_the_way(stride: Any, moving: list[Path]) -> bool:
    """Whether a stride of no length names a mode around or inside one of those."""
    return any(
        x == 0 and path != other and path[: len(other)] == other[: len(path)]
        for path, x in _moves(stride).items()
        for other in moving
    )


def behind_coordinates(outer: Layout, inner: CoordinateLayout, compose: Callable[[Any, Layout], Layout]) -> Layout:
    """A ∘ B where B's values are coordinates of A: what lies along a mode of A is composed with that mode.

    Coordinates beyond the size of a mode extend that mode, as in CuTe. A stride along
    several modes takes numbers: A of indices, each of its modes made long enough.
    """
    if any(len(_moves(d)) > 1 for d in leaves(inner.stride)):
        longer, _, indices = in_indices(outer, inner, inner.profile())
        return compose(longer, indices)
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


def in_indices(outer: Layout, inner: CoordinateLayout, offset: Any) -> tuple[Layout, int, Layout]:
    """The modes of A along which coordinates go, each long enough, the index of an offset there, and inner's indices.

    So A(offset + inner(x)) = longer(start + indices(x)). Of numbers; LayoutError for coordinates below 0.

    >>> print(*in_indices(Layout((4, 8), (8, 1)), CoordinateLayout((2, 3), (E(0), 4 * E(1))), (3, 1)))
    (5,10):(8,1) 8 (2,3):(1,20)
    """
    numbers((outer.shape, outer.stride, inner.shape), "the shape")
    modes: list[tuple[int, int]] = []
    places, place, start = {}, 1, 0
    reaches, begins = inner._reaches(), dict(_entries(offset))
    for path in sorted({*reaches, *[path for path, x in begins.items() if x]}):
        mode: Any = outer
        for n in path:
            mode = mode[n]
        first = begins.get(path, 0)
        low = first + sum([(n - 1) * min(d, 0) for n, d in inner._steps(path)])
        if low < 0:
            raise LayoutError(f"{outer} in front of {inner}: its coordinates go down to {low} along mode {list(path)}")
        *before, (size, stride) = mode.flat() or [(1, 0)]
        longer = max(size, (first + reaches.get(path, 0)) * size // mode.size() + 1)
        modes += [*before, (longer, stride)]
        places[path], start = place, start + first * place
        place *= prod([n for n, _ in before]) * longer
    steps = [sum([x * places[path] for path, x in _moves(d).items()]) for d in leaves(inner.stride)]
    along = Layout(tuple([n for n, _ in modes]), tuple([d for _, d in modes]))
    return along, start, Layout(inner.shape, like(inner.shape, iter(steps)))


def _entries(coordinate: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """The numbers of a coordinate, each with the mode where it stands."""
    if isinstance(coordinate, tuple):
        for n, part in enumerate(coordinate):
            yield from _entries(part, (*path, n))
    elif path:
        yield path, coordinate


def _moves(stride: Any) -> dict[Path, int]:
    """How far along each mode of the coordinates a stride goes."""
    return dict(stride.terms()) if isinstance(stride, BasisElement) else {}


def make_identity_layout(shape: Any) -> Any:
    """The layout that takes each coordinate of a shape to itself: of numbers, `4:1`, where the shape is no tuple.

    Source: `make_identity_layout` of CuTe's `layout.hpp`.

    >>> layout = make_identity_layout((4, (2, 3)))
    >>> print(layout, layout(1, 5))
    (4,(2,3)):(1@0,(1@0@1,1@1@1)) (1, (1, 2))
    """

    def units(t: IntTuple, path: Path) -> Any:
        return tuple([units(part, (*path, n)) for n, part in enumerate(t)]) if isinstance(t, tuple) else E(path)

    shape = sizes(shape)
    return CoordinateLayout(shape, units(shape, ())) if isinstance(shape, tuple) else Layout(shape)


def _text(stride: Any) -> str:
    return f"({','.join(map(_text, stride))})" if isinstance(stride, tuple) else str(stride)


def _decoded(found: Any, paths: list[Path], base: int) -> Any:
    """The layout, or the layouts of a tuple, with numbers read as multiples of basis elements."""
    if isinstance(found, tuple):
        return tuple([_decoded(part, paths, base) for part in found])
    if not isinstance(found, Layout):
        return coordinate_of(zip(paths, _digits(found, len(paths), base), strict=True))
    strides = [basis_sum(zip(paths, _digits(d, len(paths), base), strict=True)) for d in leaves(found.stride)]
    stride = like(found.shape, iter(strides))
    return CoordinateLayout(found.shape, stride)


def added(parts: Sequence[Any], paths: Sequence[Path]) -> Any:
    """The sum of layouts of numbers, or of numbers, each along its mode of the coordinates; of tuples, part by part."""
    if isinstance(parts[0], tuple):
        return tuple([added(each, paths) for each in zip(*parts, strict=True)])
    if not all(isinstance(part, Layout) for part in parts):
        return coordinate_of(zip(paths, parts, strict=True))
    return CoordinateLayout(*_added([(part.shape, part.stride) for part in parts], paths))


def _added(parts: Sequence[tuple[Any, Any]], paths: Sequence[Path]) -> tuple[Any, Any]:
    """Shape and stride of the sum, nested alike where the parts are."""
    shapes = [shape for shape, _ in parts]
    if all(isinstance(s, tuple) for s in shapes) and len({tuple(map(product_of, s)) for s in shapes}) == 1:
        each = [zip(*part, strict=True) for part in parts]
        found = [_added(mode, paths) for mode in zip(*each, strict=True)]
    else:
        found = _refined([list(zip(leaves(n), leaves(d), strict=True)) for n, d in parts], paths)
        if len(found) == 1:
            return found[0]
    return tuple([n for n, _ in found]), tuple([d for _, d in found])


def _refined(modes: list[list[tuple[Any, Any]]], paths: Sequence[Path]) -> list[tuple[Any, Any]]:
    """The modes of the sum of flat layouts: as many as their sizes fall into together."""
    found = []
    while any(modes):
        size = next((first for (first, _), *_ in modes if all(_quotient(n, first) for (n, _), *_ in modes)), None)
        if size is None:
            shown = " and ".join(profile_text(tuple([n for n, _ in part])) for part in modes)
            raise NoAnswer(f"no layout of coordinates does it for all values: along its modes it falls into {shown}")
        found.append((size, basis_sum(zip(paths, [d for (_, d), *_ in modes], strict=True))))
        for part in modes:
            n, d = part[0]
            rest = _quotient(n, size)
            part[:1] = [] if rest == 1 else [(rest, d * size)]
    return found


def _quotient(a: Any, b: Any) -> Any:
    """a/b where b divides a for all values of the symbols; else 0."""
    if type(a) is int and type(b) is int:
        return 0 if a % b else a // b
    import sympy

    found = sympy.cancel(sympy.sympify(a) / b)
    return 0 if sympy.fraction(found)[1] != 1 else int(found) if found.is_Integer else found


def _digits(code: int, count: int, base: int) -> list[int]:
    """The signed digits, each below half of the base."""
    found = []
    for _ in range(count):
        digit = (code + base // 2) % base - base // 2
        found.append(digit)
        code = (code - digit) // base
    return found
