"""`Layout`: a shape and strides with the same nesting, as in CuTe; the first mode is the fastest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from operator import attrgetter
from typing import Any, Literal, NamedTuple, NoReturn

from symview.cute.basis import BasisElement
from symview.cute.errors import LayoutError, no_layout
from symview.cute.int_tuple import (
    DEEPEST,
    Coordinate,
    IntTuple,
    also_named,
    as_tuples,
    compact,
    congruent,
    coordinate_at,
    entries,
    flatten,
    has_none,
    is_int,
    kept_at,
    leaves,
    like,
    listed,
    product_of,
    profile_text,
    reads_as,
    value_at,
    whole_number,
)
from symview.cute.notation import read_layout
from symview.displayed import number_text
from symview.errors import SymbolError
from symview.features import picture_text
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import as_entry, value_of
from symview.tensors import an_array, is_array
from symview.view import View

_ALGEBRA = "symview.cute.operations"


class LayoutBase:
    """The base class of all layouts: of numbers, of coordinates, linear, and swizzled ones."""

    __slots__ = ()
    shape: IntTuple
    stride: Any

    def modes(self) -> Iterator[Any]:
        """The modes as layouts."""
        return (self[n] for n in range(len(self)))

    def __iter__(self) -> Iterator[Any]:
        return self.modes()

    def __len__(self) -> int:
        return len(self.shape) if isinstance(self.shape, tuple) else 1

    def __getitem__(self, i: Any) -> Any:
        raise NotImplementedError

    def __bool__(self) -> Literal[True]:
        return True

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, type(self)):
            return NotImplemented
        return bool(self.shape == other.shape and self.stride == other.stride)

    def __hash__(self) -> int:
        return hash((self.shape, self.stride))

    def _repr_svg_(self) -> str | None:
        return picture_text(self)

    def with_shape(self, *shape: Any) -> Any:
        """The layout with the same values in the same order and another shape: its composition with a compact layout.

        Loads the algebra on first use. Raises NoComposition if no layout of the shape has these values.

        Source: `with_shape` of CUTLASS's `layout.hpp`.

        >>> print(Layout((4, 6), (6, 1)).with_shape(4, (2, 3)), Layout(24).with_shape((8, 3)))
        (4,(2,3)):(6,(1,2)) (8,3):(1,8)
        """
        algebra = import_module(_ALGEBRA)
        return algebra.composition(self, Layout(shape[0] if len(shape) == 1 else shape))


def _frozen(layout: Layout, value: object = None) -> NoReturn:
    raise AttributeError(f"Layout is frozen: {layout} keeps its shape and its stride; make a new layout")


class Layout(LayoutBase):
    """A layout shape:stride; coordinate (x_0, …) has the value Σ x_j·stride_j. Frozen.

    Sizes are positive; strides are integers of any sign or 0; both may be sympy expressions. Without a stride the
    layout is compact, first mode fastest. LayoutLeft and LayoutRight as stride make it compact as in C++, with stride 0
    for size 1. `==` and `hash` compare shape and stride as written, as pycute does; `same_function` compares the
    values. Raises LayoutError for other arguments. `_shape` and `_stride` are pycute's keywords.

    Source: Definitions 2.1–2.3 of "CuTe Layout Algebra" (L. Mao).

    >>> Layout((2, (2, 3)))
    Layout((2, (2, 3)), (1, (2, 4)))
    >>> print(Layout(((2, 2), 8), ((1, 4), 2)))
    ((2,2),8):((1,4),2)
    """

    __slots__ = ("_digits", "_numeric", "_shape", "_stride")

    shape: IntTuple = property(attrgetter("_shape"), _frozen, _frozen)
    stride: IntTuple = property(attrgetter("_stride"), _frozen, _frozen)
    numeric: bool = property(attrgetter("_numeric"), _frozen, _frozen)  # type: ignore[assignment]
    _digits: Digits | None

    def __init__(self, shape: Any = None, stride: Any = None, *, _shape: Any = None, _stride: Any = None) -> None:
        if shape is None:
            shape = _shape
        if stride is None:
            stride = _stride
        numeric = True
        if not is_plain(shape, stride):
            if stride is None and is_plain(shape, shape):
                stride = compact(shape)
            else:
                if isinstance(shape, str):
                    shape, spelled = read_layout(shape)
                    stride = spelled if stride is None else stride
                if isinstance(stride, str):
                    stride = read_layout(stride)[0]
                shape = entries(shape, "an entry of the shape")
                stride = strides_of(shape, stride)
                numeric = checked(shape, stride)
        self._shape = shape
        self._stride = stride
        self._numeric = numeric
        self._digits = None

    @staticmethod
    def parse(text: str, symbols: Mapping[str, Any] | None = None) -> Layout:
        """Parses CuTe's notation; omitted strides are compact, and `_4` is 4.

        Raises NotationError, with a caret under the place.

        >>> Layout.parse("((2,2),8):((1,4),2)")
        Layout(((2, 2), 8), ((1, 4), 2))
        >>> Layout.parse("(4,6):(a,b)").stride
        (a, b)
        """
        if not isinstance(text, str):
            raise LayoutError(f"Layout.parse: {text!r} is not text")
        if symbols is not None and not isinstance(symbols, Mapping):
            raise LayoutError(f"Layout.parse: the symbols {symbols!r} are not a mapping of names")
        if "@" in text:
            raise LayoutError(f"Layout.parse: {text} has basis elements as strides; symview.cute.parse reads those")
        return Layout(*read_layout(text, symbols))

    @staticmethod
    def from_view(view: View) -> Layout:
        """The layout whose values are the view's addresses in row-major order: its modes are the dims, last one first.

        Raises LayoutError for an offset or a mask, which layouts do not have.

        >>> from symview import View
        >>> print(Layout.from_view(View((4, 3), (3, 1))))
        (3,4):(1,3)
        """
        if not isinstance(view, View):
            given = an_array(view) if is_array(view) else repr(view)
            raise LayoutError(f"Layout.from_view: {given} is not a view: give a View, or View.of(x) of an array")
        if view.offset != 0 or view.mask is not None:
            raise LayoutError(f"{view}: a layout has no offset and no mask; take them off the view first")
        return Layout(tuple(view.shape[::-1]), tuple(view.strides[::-1]))

    def to_view(self) -> View:
        """The view with the same values in row-major order: one dim per mode, the last mode first.

        >>> str(Layout(((2, 2), 8), ((1, 4), 2)).to_view())
        '(8,2,2):(2,4,1)'
        """
        return View(flatten(self.shape)[::-1], flatten(self.stride)[::-1])

    def modes(self) -> Iterator[Layout]:
        """The modes as layouts (Definition 2.2).

        >>> [str(m) for m in Layout((2, (2, 3))).modes()]
        ['2:1', '(2,3):(2,4)']
        """
        if not isinstance(self.shape, tuple):
            yield self
            return
        for n, d in zip(self.shape, self.stride, strict=True):
            yield made(n, d, self.numeric)

    def __getitem__(self, i: Any) -> Layout:
        """The i-th mode; a tuple selects a mode of a mode, `layout[1, 0]`, and a tuple with None a slice.

        >>> print(Layout((4, (2, 3)))[1], Layout((4, (2, 3)))[1, 0], Layout((4, (2, 3)))[(None, (1, None))])
        (2,3):(4,8) 2:4 (4,3):(1,8)
        """
        if has_none(i):
            return self(i)  # type: ignore[no-any-return]
        if isinstance(i, tuple) and i:
            return self[i[0]][i[1:]] if len(i) > 1 else self[i[0]]
        i = as_entry(i)
        if isinstance(self.shape, tuple):
            try:
                return made(self.shape[i], self.stride[i], self.numeric)
            except IndexError:
                raise LayoutError(f"{self} has the modes 0 to {len(self) - 1}, no mode {profile_text(i)}") from None
            except TypeError:
                raise LayoutError(f"{self}: {i!r} is not a number of a mode") from None
        if not is_int(i) or i != 0:
            raise LayoutError(f"{self} has a single mode, no mode {profile_text(i)}")
        return self

    def __call__(self, *args: Coordinate) -> Any:
        """The value at a coordinate or an index; a coordinate with None gives the sublayout of these free modes.

        An index beyond the size extends the last mode (the extension of the layout function).

        >>> Layout((3, 2), (2, 3))(5), Layout((3, 2), (2, 3))(2, 1), Layout((2, 2), (1, 5))(6)
        (7, 7, 15)
        >>> Layout((4, 8))(None, 3)
        Layout((4,), (1,))
        """
        coordinate = args[0] if len(args) == 1 else args
        if type(coordinate) is not int:
            coordinate = entries(coordinate, "the coordinate", none=True)
            if has_none(coordinate):
                return made(kept_at(coordinate, self.shape), kept_at(coordinate, self.stride), self.numeric)
        return value_at(coordinate, self.shape, self.stride)

    def at(self, coordinate: Coordinate) -> Any:
        """The value at a coordinate or index of the domain (Definition 2.3); raises LayoutError outside the domain.

        >>> Layout((3, 2), (2, 3)).at(6)
        Traceback (most recent call last):
        ...
        symview.cute.errors.LayoutError: 6 is outside the shape (3,2)
        """
        return value_at(self._of_domain(coordinate), self.shape, self.stride)

    def coordinate(self, index: int) -> Any:
        """The coordinate of an index of the domain (the isomorphism ι); raises LayoutError outside the domain."""
        self._need_sizes()
        if not 0 <= whole_number(index, "the index") < self.size():
            raise LayoutError(
                f"{number_text(index)} is outside 0..{number_text(self.size() - 1)}, the indices of {self}"
            )
        return coordinate_at(index, self.shape)

    def get_hier_coord(self, index: int) -> Any:
        """`coordinate`, under its name in C++ and the DSL."""
        return self.coordinate(index)

    def get_flat_coord(self, index: int) -> Any:
        """The index within each mode, for an index of the domain.

        >>> Layout((4, (2, 3))).get_flat_coord(13), Layout((4, (2, 3))).get_hier_coord(13)
        ((1, 3), (1, (1, 1)))
        """
        at, shape = self.coordinate(index), self.shape
        if not isinstance(shape, tuple):
            return at
        return tuple([value_at(c, n, compact(n)) for c, n in zip(at, shape, strict=True)])

    def index(self, coordinate: Coordinate) -> Any:
        """The index of a coordinate of the domain: the inverse of `coordinate`."""
        return value_at(self._of_domain(coordinate), self.shape, compact(self.shape))

    def _of_domain(self, coordinate: Any) -> Coordinate:
        self._need_sizes()
        coordinate = entries(coordinate, "the coordinate")
        if not is_inside(coordinate, self.shape):
            raise LayoutError(f"{profile_text(coordinate)} is outside the shape {profile_text(self.shape)}")
        return coordinate

    def _need_sizes(self) -> None:
        if not self.numeric and any(type(n) is not int for n in leaves(self.shape)):
            raise SymbolError(f"{self} has symbols in its shape: substitute numbers")

    def size(self) -> Any:
        """The number of coordinates (Definition 2.2)."""
        return product_of(self.shape)

    def cosize(self) -> Any:
        """The value at the last coordinate, plus 1 (Remark 2.9).

        >>> Layout((2, 4), (4, 1)).cosize()
        8
        """
        return self(self.size() - 1) + 1 if self.numeric else sum(((n - 1) * d for n, d in self.flat()), 1)

    def flat(self) -> list[tuple[Any, Any]]:
        """The integral modes from left to right, as pairs of size and stride."""
        return list(zip(flatten(self._shape), flatten(self._stride)))  # noqa: B905  equally many

    def digits(self) -> Digits:
        """The extended layout function as a linear function plus overflows; cached."""
        if self._digits is None:
            shape, stride = self._shape, self._stride
            self._digits = digits_of(shape, stride) if shape.__class__ is tuple else Digits(stride, [])
        return self._digits

    def symbols(self) -> dict[str, Any]:
        """The symbols of the layout by name."""
        return free_symbols([*leaves(self.shape), *leaves(self.stride)])

    def with_values(self, values: Mapping[str, int]) -> Layout:
        """Substitutes numbers for all symbols, by name.

        >>> print(Layout.parse("(4,n):(a,4*a)").with_values({"n": 2, "a": 3}))
        (4,2):(3,12)
        """
        if not isinstance(values, Mapping):
            raise LayoutError(f"{self}: the values {values!r} are not a mapping of names to numbers")
        if self.numeric:
            return self
        missing = [n for n in self.symbols() if n not in values]
        if missing:
            raise LayoutError(f"{self}: missing value for {', '.join(missing)}; give them by name")
        for name in self.symbols():
            if not is_int(values[name]):
                raise LayoutError(f"{self}: the value {values[name]!r} of {name} is not an integer")
        found = [[value_of(to_term(x), values) for x in leaves(t)] for t in (self.shape, self.stride)]
        return Layout(like(self.shape, iter(found[0])), like(self.shape, iter(found[1])))

    def __repr__(self) -> str:
        if self.numeric:
            return f"Layout({reads_as(self.shape)}, {reads_as(self.stride)})"
        return f"Layout.parse({str(self)!r})"

    def __str__(self) -> str:
        return f"{profile_text(self.shape)}:{profile_text(self.stride)}"

    def __reduce__(self) -> Any:
        return Layout, (self.shape, self.stride)


def made(shape: IntTuple, stride: IntTuple, numeric: bool = True) -> Layout:
    """Makes a layout of parts that are known to fit, without checks."""
    found = object.__new__(Layout)
    found._shape = shape
    found._stride = stride
    found._numeric = numeric
    found._digits = None
    return found


def is_layout(x: Any) -> bool:
    """Whether x is a layout."""
    return isinstance(x, LayoutBase)


def need_layout(x: Any, what: str) -> Layout:
    """Returns a layout of numbers unchanged; raises LayoutError for anything else."""
    if isinstance(x, Layout):
        return x
    if hasattr(x, "layoutA"):
        raise LayoutError(f"{what}: {x} is a ComposedLayout, no plain layout; take its layoutA")
    if hasattr(x, "coshape"):
        raise LayoutError(f"{what}: the values of {x} are coordinates, and numbers are needed")
    if is_layout(x):
        raise LayoutError(f"{what}: {x} is linear, not strided; as_layout finds the layout that it equals, if any")
    raise no_layout(what, x)


def make_layout(*layouts: Any) -> Layout:
    """Concatenates layouts, each of which becomes a mode. Takes several layouts, or one iterable of them.

    >>> print(make_layout(Layout(2), Layout((3, 4), (2, 6))))
    (2,(3,4)):(1,(2,6))
    """
    parts: Any = layouts[0] if len(layouts) == 1 and not is_layout(layouts[0]) else layouts
    given = listed(parts)
    if given is None:
        raise no_layout("make_layout", parts)
    found = [need_layout(part, "make_layout") for part in given]
    numeric = all(a.numeric for a in found)
    return made(tuple([a.shape for a in found]), tuple([a.stride for a in found]), numeric)


# Checks of shapes and strides, and compact strides in either order, as in CuTe's C++


class LayoutLeft:
    """The order in which the first mode is the fastest: `make_layout(shape, LayoutLeft)`, "column-major"."""


class LayoutRight:
    """The order in which the last mode is the fastest: `make_layout(shape, LayoutRight)`, "row-major"."""


GenColMajor, GenRowMajor = LayoutLeft, LayoutRight  # older names of C++


def is_order(x: Any) -> bool:
    """Whether x is LayoutLeft or LayoutRight, as class or instance.

    >>> is_order(LayoutRight), is_order(LayoutLeft()), is_order((4, 1))
    (True, True, False)
    """
    return (x if isinstance(x, type) else type(x)) in (LayoutLeft, LayoutRight)


def compact_strides(shape: IntTuple, order: Any = LayoutLeft, first: Any = 1) -> IntTuple:
    """The compact strides of a checked shape; `first` is the first stride, or one for each entry of a profile.

    >>> compact_strides((2, (1, 3))), compact_strides((2, (1, 3)), LayoutRight)
    ((1, (0, 2)), (3, (0, 1)))
    """
    if isinstance(first, tuple):
        return tuple([compact_strides(n, order, d) for n, d in zip(shape, first, strict=True)])
    return _compact(shape, first, LayoutRight in (order, type(order)))[0]


def _compact(shape: IntTuple, step: Any, backwards: bool) -> tuple[IntTuple, Any]:
    """The strides, and the stride that would follow."""
    if not isinstance(shape, tuple):
        return (0 if type(shape) is int and shape == 1 else step), step * shape
    found = []
    for part in reversed(shape) if backwards else shape:
        strides, step = _compact(part, step, backwards)
        found.append(strides)
    return tuple(found[::-1] if backwards else found), step


def strides_of(shape: IntTuple, stride: Any) -> IntTuple:
    """The strides, checked to be integers or expressions; an order, or None, gives compact strides."""
    if stride is None:
        return compact(shape)
    if is_order(stride):
        return compact_strides(shape, stride)
    stride = as_tuples(stride)
    if any(isinstance(d, BasisElement) for d in leaves(stride)):
        raise LayoutError(f"Layout({profile_text(shape)}, …) has numbers as strides; make_layout takes basis elements")
    return entries(stride, "an entry of the stride")


def is_plain(shape: Any, stride: Any) -> bool:
    """A fast test whether shape and stride are numbers with equal nesting and all sizes are positive, as mostly."""
    if shape.__class__ is int:
        return stride.__class__ is int and shape > 0
    if shape.__class__ is not tuple or stride.__class__ is not tuple or len(shape) != len(stride):
        return False
    for n in shape:
        if n.__class__ is not int or n < 1:
            return _are_plain(shape, stride, 0)
    for d in stride:  # noqa: SIM110  two loops take half of what one over pairs, or all(), takes
        if d.__class__ is not int:
            return False
    return True


def _are_plain(shape: tuple[Any, ...], stride: tuple[Any, ...], level: int) -> bool:
    """`is_plain` for nested parts."""
    for n, d in zip(shape, stride, strict=True):
        if n.__class__ is int:
            if d.__class__ is not int or n < 1:
                return False
        elif (
            n.__class__ is not tuple
            or d.__class__ is not tuple
            or len(n) != len(d)
            or level == DEEPEST
            or not _are_plain(n, d, level + 1)
        ):
            return False
    return True


def checked(shape: IntTuple, stride: IntTuple) -> bool:
    """Whether all entries are numbers; raises LayoutError for a size below 1 or different nesting."""
    if not congruent(shape, stride):
        shown = f"{profile_text(shape)}:{profile_text(stride)}"
        raise LayoutError(f"{shown}: shape and stride are nested differently; give one stride per size")
    numeric = True
    for n in leaves(shape):
        if type(n) is not int:
            numeric = False
        elif n < 1:
            shown = f"{profile_text(shape)}:{profile_text(stride)}"
            raise LayoutError(f"{shown}: the size {number_text(n)} is below 1; every mode has at least one coordinate")
    return numeric and all(type(d) is int for d in leaves(stride))


def is_inside(crd: Coordinate, shape: IntTuple) -> bool:
    """Whether each entry is an index of the corresponding part of the shape."""
    if isinstance(crd, tuple):
        return isinstance(shape, tuple) and len(crd) == len(shape) and all(map(is_inside, crd, shape))
    return type(crd) is int and 0 <= crd < product_of(shape)


# The extended layout function as a linear function plus overflows


class Digits(NamedTuple):
    """f(x) = base·x + Σ defect·floor(x/place) for every x >= 0; no defect is 0, and the places increase."""

    base: Any
    bends: list[tuple[Any, Any]]

    def at(self, x: int) -> Any:
        """The value at x, beyond the size by extending the last mode."""
        value = self.base * x
        for place, defect in self.bends:
            value += defect * (x // place)
        return value


_digits = tuple.__new__  # more than twice as fast as Digits(…)


def digits_of(sizes: Sequence[Any], strides: Sequence[Any]) -> Digits:
    """The digits of a layout with several modes, which are flattened.

    The last mode extends without bound, so it stays even if its size is 1; other modes of size 1 do not affect the
    values and are dropped. A mode that continues the one before (its stride is that size times that stride) has defect
    0.

    >>> digits_of((2, 3, 5), (1, 1, 4))
    Digits(base=1, bends=[(2, -1), (6, 1)])
    >>> digits_of((2, 1), (1, 5))
    Digits(base=1, bends=[(2, 3)])
    """
    base: Any = 0
    following: Any = None  # the stride that would continue the modes so far
    bends: list[tuple[Any, Any]] = []
    place: Any = 1
    for size, stride in zip(sizes, strides):  # noqa: B905
        if size != 1:
            if stride != following:
                if size.__class__ is tuple:
                    return digits_of(flatten(sizes), flatten(strides))
                if following is None:
                    base = stride
                else:
                    bends.append((place, stride - following))
            following, place = size * stride, place * size
    if sizes and sizes[-1] == 1 and strides[-1] != following:
        if following is None:
            base = strides[-1]
        else:
            bends.append((place, strides[-1] - following))
    return _digits(Digits, (base, bends))


def boundaries_of(sizes: Sequence[Any], strides: Sequence[Any]) -> list[int]:
    """The flat mode that overflows at each place of the digits.

    >>> boundaries_of((2, 3, 5), (1, 1, 4)), boundaries_of((4, 1, 2), (1, 7, 9))
    ([0, 1], [0])
    """
    last = len(sizes) - 1
    kept = [n for n, size in enumerate(sizes) if size != 1 or n == last]
    return [a for a, b in pairwise(kept) if strides[b] != sizes[a] * strides[a]]


# Size, cosize, rank and depth of a layout, or of the mode at a path


@also_named(a="layout", input="layout")
def size(layout: Any, mode: Any = None) -> Any:
    """The size of a layout or a shape, or of its mode at the path `mode`.

    >>> from symview.cute import Layout
    >>> size(Layout((2, (3, 4)))), size((2, (3, 4)), mode=[1, 0])
    (24, 3)
    """
    return _at(layout, mode).size() if is_layout(layout) else product_of(shape_of(layout, "size", mode))


@also_named(a="layout", input="layout")
def cosize(layout: Any, mode: Any = None) -> Any:
    """The value at the last coordinate, plus 1, of a layout or its mode at a path; of a swizzle, its period.

    For a composed layout it is that of the innermost layout, as in C++; `span` has the least and greatest value.

    >>> from symview.cute import ComposedLayout, Layout, Swizzle
    >>> cosize(Layout((4, 8), (1, 5))), cosize(ComposedLayout(Swizzle(2, 0, 3), 0, Layout((8, 64))))
    (39, 512)
    """
    if not is_layout(layout) and not callable(getattr(layout, "cosize", None)):
        raise no_layout("cosize", layout)
    return _at(innermost(layout), mode).cosize()


@also_named(a="layout", input="layout")
def rank(layout: Any, mode: Any = None) -> int:
    """The number of modes at the top of a layout or a shape, or of its mode at a path.

    >>> from symview.cute import Layout
    >>> rank(Layout((2, (3, 4)))), rank(Layout(8)), rank((2, (3, 4)), mode=[1])
    (2, 1, 2)
    """
    shape = shape_of(layout, "rank", mode)
    return len(shape) if isinstance(shape, tuple) else 1


@also_named(a="layout", input="layout")
def depth(layout: Any, mode: Any = None) -> int:
    """The depth of the nesting, of all or of the mode at a path: 0 for an integer, 1 for a tuple of integers, ….

    >>> from symview.cute import Layout
    >>> depth(Layout(8)), depth(Layout((2, (3, 4))))
    (0, 2)
    """
    return _depth(shape_of(layout, "depth", mode))


def _at(layout: Any, mode: Any) -> Any:
    """The mode of a layout, or the entry of a shape, at a path: a number, or several, each inside the previous one."""
    path = [] if mode is None else [mode] if is_int(mode) else listed(mode)
    if path is None:
        raise LayoutError(f"{mode!r} is neither a number of a mode nor a path of such")
    for n in path:
        inside = layout if is_layout(layout) or isinstance(layout, tuple) else (layout,)
        try:
            layout = inside[n]
        except (IndexError, TypeError):
            raise LayoutError(f"{profile_text(layout)} has no mode {profile_text(n)}") from None
    return layout


def shape_of(layout: Any, what: str, mode: Any = None) -> IntTuple:
    """The shape of a layout, swizzled or not, or a given shape itself."""
    layout = innermost(_at(layout, mode))
    return layout.shape if is_layout(layout) else entries(layout, f"{what}: the shape")


def innermost(layout: Any) -> Any:
    """The innermost layout of a composition."""
    while hasattr(layout, "layoutA"):
        layout = layout.layoutA
    return layout


def _depth(shape: IntTuple) -> int:
    return 1 + max(map(_depth, shape), default=0) if isinstance(shape, tuple) else 0
