"""Layouts whose values are coordinates: their strides are multiples and sums of basis elements E(i), as in TMA tensors.

The layout algebra runs on numbers. Basis elements are encoded as powers of a base so large that sums which the algebra
compares never collide; the strides of the answer are decoded digit by digit. If sizes are symbolic, an additive
operation runs along each mode of the coordinates separately, and the answers are added; the sum is a layout iff the
sizes of these answers have a common refinement.
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
from symview.logic.factors import lowest_terms
from symview.logic.integer import form_of, integer
from symview.logic.polynomial import UNIT


class CoordinateLayout(LayoutBase):
    """A layout shape:stride whose strides are 0, or multiples and sums of basis elements. Frozen.

    Its value at a coordinate is a coordinate: the sum of index times stride over the modes. It composes, coalesces,
    divides and slices exactly, as layouts of numbers do, and layouts can be composed with it. Sizes may be symbolic if
    the answer does not depend on them.

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
                raise LayoutError(f"the stride {d!r} among basis elements: give multiples of E(…), or 0")
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "stride", _named(stride))
        self.profile()

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"CoordinateLayout is frozen: {self} keeps its {name}")

    def paths(self) -> list[Path]:
        """The modes of the coordinates that the strides name, in order; raises LayoutError if one is inside another."""
        found = sorted({path for d in leaves(self.stride) for path in _moves(d)})
        need_apart(found)
        return found

    def profile(self) -> IntTuple:
        """A zero coordinate nested as the values are."""
        return coordinate_of([(p, 0) for p in self.paths()])

    def size(self) -> int:
        """The number of coordinates of the domain."""
        return prod(leaves(self.shape))

    def __call__(self, *args: Any) -> Any:
        """The value at a coordinate or an index of the domain; with None in it, the sublayout of the free modes."""
        parts = {path: Layout(self.shape, self.along(path)) for path in self.paths()}
        found = {path: part(*args) for path, part in parts.items()}
        if any(isinstance(x, Layout) for x in found.values()):
            return self.coded(lambda layout: layout(*args))
        return coordinate_of(found.items())

    def coshape(self) -> IntTuple:
        """The shape that contains all values: the last one, with absolute strides, plus 1.

        Source: `coshape` of CuTe's `layout.hpp`.

        >>> CoordinateLayout((4, 5), (E(0), 2 * E(2))).coshape()
        (4, 1, 9)
        """
        last = coordinate_of(self._reaches().items())
        return like(last, iter([x + 1 for x in leaves(last)]))

    def _reaches(self) -> dict[Path, Any]:
        """How far the values reach along each mode that the strides name."""
        return {p: sum([(n - 1) * abs(d) for n, d in self._steps(p)]) for p in self.paths()}

    def _steps(self, path: Path) -> list[tuple[Any, int]]:
        """The sizes of the flat modes, each with the distance of one step along a mode of the coordinates."""
        flat = zip(leaves(self.shape), leaves(self.stride), strict=True)
        return [(n, _moves(d).get(path, 0)) for n, d in flat]

    def cosize(self) -> Any:
        """The size of the coshape, as in C++."""
        return product_of(self.coshape())

    def along(self, path: Path) -> IntTuple:
        """The strides along one mode of the coordinates."""
        return like(self.shape, iter([_moves(d).get(path, 0) for d in leaves(self.stride)]))

    def coded(self, operation: Any, reach: int = 1, additive: bool = True) -> Any:
        """Applies an operation on layouts of numbers to this one; `reach` bounds the indices it uses beyond the size.

        `additive`: whether the operation maps sums of layouts with the same shape to sums of layouts.
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
            at = profile_text(error.found.reason.coordinate)
            raise NoAnswer(f"{self}: no layout of coordinates has these values: it breaks at coordinate {at}") from None
        if is_layout(found) and not isinstance(found, Layout):
            raise LayoutError(f"{self}: its values are coordinates, so tiles cannot be swizzled: give plain tiles")
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
    """Writes 0 as 0@0 if no stride names a mode, so that the text is still that of a coordinate layout.

    Otherwise a zero multiple of a basis element becomes 0 if a coordinate cannot have both it and a moving stride's
    mode.
    """
    flat = list(leaves(stride))
    if not any(isinstance(d, BasisElement) for d in flat):
        return like(stride, iter([0 * E(0)] * len(flat)))
    moving = [path for d in flat for path, x in _moves(d).items() if x]
    return like(stride, iter([0 if _is_in_the_way(d, moving) else d for d in flat]))


def _is_in_the_way(stride: Any, moving: list[Path]) -> bool:
    """Whether a zero multiple names a mode around or inside one of the moving modes."""
    return any(
        x == 0 and path != other and path[: len(other)] == other[: len(path)]
        for path, x in _moves(stride).items()
        for other in moving
    )


def by_coordinates(outer: Layout, inner: CoordinateLayout, compose: Callable[[Any, Layout], Layout]) -> Layout:
    """A ∘ B, where B's values are coordinates of A: composes each mode of A with the entries along it.

    Coordinates beyond the size of a mode extend that mode, as in CuTe. A stride along several modes requires indices: A
    is converted to indices, with each of its modes made long enough.
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
    """The modes of A that coordinates use, made long enough, the index of the offset, and `inner` in indices.

    Then A(offset + inner(x)) = longer(start + indices(x)). Requires numbers; raises LayoutError for negative
    coordinates.

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
    """The numbers of a coordinate, each with its mode."""
    if isinstance(coordinate, tuple):
        for n, part in enumerate(coordinate):
            yield from _entries(part, (*path, n))
    elif path:
        yield path, coordinate


def _moves(stride: Any) -> dict[Path, int]:
    """The distance of a stride along each mode of the coordinates."""
    return dict(stride.terms()) if isinstance(stride, BasisElement) else {}


def make_identity_layout(shape: Any) -> Any:
    """The layout that maps each coordinate of a shape to itself; if the shape is not a tuple, one of numbers, `4:1`.

    Source: `make_identity_layout` of CuTe's `layout.hpp`.

    >>> layout = make_identity_layout((4, (2, 3)))
    >>> print(layout, layout(1, 5))
    (4,(2,3)):(1@0,(1@0@1,1@1@1)) (1, (1, 2))
    """

    def units(t: IntTuple, path: Path) -> Any:
        return tuple([units(part, (*path, n)) for n, part in enumerate(t)]) if isinstance(t, tuple) else E(path)

    shape = sizes(shape)
    return CoordinateLayout(shape, units(shape, ())) if isinstance(shape, tuple) else Layout(shape)


def make_identity_tensor(shape: Any) -> Any:
    """`make_identity_layout`, under the DSL's name for a tensor with these values: a tensor is its layout here.

    >>> print(make_identity_tensor((128, 64)))
    (128,64):(1@0,1@1)
    """
    return make_identity_layout(shape)


def _text(stride: Any) -> str:
    return f"({','.join(map(_text, stride))})" if isinstance(stride, tuple) else str(stride)


def _decoded(found: Any, paths: list[Path], base: int) -> Any:
    """Decodes the strides of a layout, or of a tuple of layouts, to multiples of basis elements."""
    if isinstance(found, tuple):
        return tuple([_decoded(part, paths, base) for part in found])
    if not isinstance(found, Layout):
        return coordinate_of(zip(paths, _digits(found, len(paths), base), strict=True))
    strides = [basis_sum(zip(paths, _digits(d, len(paths), base), strict=True)) for d in leaves(found.stride)]
    stride = like(found.shape, iter(strides))
    return CoordinateLayout(found.shape, stride)


def added(parts: Sequence[Any], paths: Sequence[Path]) -> Any:
    """Adds layouts of numbers, or numbers, each along its mode of the coordinates; tuples entry by entry."""
    if isinstance(parts[0], tuple):
        return tuple([added(each, paths) for each in zip(*parts, strict=True)])
    if not all(isinstance(part, Layout) for part in parts):
        return coordinate_of(zip(paths, parts, strict=True))
    return CoordinateLayout(*_added([(part.shape, part.stride) for part in parts], paths))


def _added(parts: Sequence[tuple[Any, Any]], paths: Sequence[Path]) -> tuple[Any, Any]:
    """Shape and stride of the sum, nested like the parts if these agree."""
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
    """The modes of the sum of flat layouts: the common refinement of their sizes."""
    found = []
    while any(modes):
        size = next((first for (first, _), *_ in modes if all(_quotient(n, first) for (n, _), *_ in modes)), None)
        if size is None:
            shown = " and ".join(profile_text(tuple([n for n, _ in part])) for part in modes)
            raise NoAnswer(f"no layout of coordinates is right for all values: along its modes the sizes are {shown}")
        found.append((size, basis_sum(zip(paths, [d for (_, d), *_ in modes], strict=True))))
        for part in modes:
            n, d = part[0]
            rest = _quotient(n, size)
            part[:1] = [] if rest == 1 else [(rest, d * size)]
    return found


def _quotient(a: Any, b: Any) -> Any:
    """a/b if b divides a for all values of the symbols; otherwise 0."""
    if type(a) is int and type(b) is int:
        return 0 if a % b else a // b
    top, bottom = lowest_terms(form_of(a), form_of(b))
    return integer(top) if bottom == UNIT else 0


def _digits(code: int, count: int, base: int) -> list[int]:
    """The signed digits, each below half of the base in absolute value."""
    found = []
    for _ in range(count):
        digit = (code + base // 2) % base - base // 2
        found.append(digit)
        code = (code - digit) // base
    return found
