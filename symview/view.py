"""View: a shape, strides, an offset and a mask, as in row-major tensors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from math import prod
from typing import TYPE_CHECKING, Any, Literal

from symview.counterexample import Counterexample, Kind, disagreement, valid_part
from symview.engine import radix
from symview.engine.decide import Broken, decide
from symview.engine.index_map import IndexMap
from symview.engine.reshaped import masked_strides_for, strides_for
from symview.engine.valid_box import Region
from symview.engine.windows import windows_of
from symview.errors import InputError, InternalError, NotationError, NotAView, SymbolError
from symview.features import picture_text, required
from symview.logic.budget import Budget, as_budget
from symview.logic.integer import Int, Integer, Node, form_of
from symview.logic.sympy_bridge import as_integer, free_symbols, is_number, symbol_of, to_term, to_text
from symview.logic.terms import value_of
from symview.orders import read_order
from symview.tensors import an_array, is_array, layout_of
from symview.view_entries import (
    Bounds,
    hiding,
    listed,
    listed_pairs,
    numbers,
    read_axes,
    read_bounds,
    read_index,
    read_integers,
    read_mask,
    read_pairs,
    read_shape_for,
    row_major,
    within,
)
from symview.view_notation import Slice, are_slices, read_slices, read_view, tuple_text, view_text

if TYPE_CHECKING:
    import sympy

_INTS = frozenset((int,))
_TYPE = re.compile(r"\s*(?:memref|tensor)\s*<(?!\s*ptr)")  # of MLIR; CuTe prints tensor<ptr<…> o …>
_GROUPS = re.compile(r"\s*\[\s*\[")  # a reassociation of MLIR


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class View:
    """A strided view: index i has the address offset + Σ i_j·strides_j if the mask allows i.

    `shape`: sizes of 0 or more. `strides`: in elements, of any sign; None for contiguous (row-major). Both may be text,
    "(n,4)"; `View.parse` reads whole views. `mask`: per dim the half-open bounds [lo, hi) of the valid indices; None
    for no mask; "empty" if no index is valid (the only way to say so for a view without dims). Entries are ints or,
    with names, an `Int`; sympy's integer expressions become one, and `sympify` makes them again. Fields stay as given;
    `==` and `hash` compare by `key`: the same addresses at the same valid indices. A View is always truthy.

    Source: Definitions 1–5 of "Merging tensor views" (N. uit de Bos, 2025), with offset and mask.
    Raises InputError (a ValueError) for anything else.

    >>> View((2, 3))
    View((2, 3), (3, 1))
    >>> str(View((9,), (-1,), 7, ((2, 8),)))
    '(9):(-1)+7 [2:8]'
    """

    shape: tuple[Integer, ...]
    strides: tuple[Integer, ...]
    offset: Integer
    mask: tuple[Bounds, ...] | Literal["empty"] | None

    def __init__(
        self,
        shape: Sequence[Any] | str,
        strides: Sequence[Any] | str | None = None,
        offset: Any = 0,
        mask: Sequence[Sequence[Any]] | Literal["empty"] | None = None,
    ) -> None:
        sizes = read_integers(shape, "size", "shape")
        for axis, size in enumerate(sizes):
            if is_number(size) and size < 0:
                raise InputError(f"size {axis} is {size}: sizes are 0 or more")
        steps = row_major(sizes) if strides is None else read_integers(strides, "stride", "strides")
        if len(steps) != len(sizes):
            raise InputError(
                f"{len(sizes)} sizes {tuple_text(sizes)} but {len(steps)} strides {tuple_text(steps)}: "
                "give one stride per size"
            )
        start = as_integer(offset, "the offset")
        bounds = None if mask is None else read_mask(mask, sizes)
        put = object.__setattr__
        put(self, "shape", sizes)
        put(self, "strides", steps)
        put(self, "offset", start)
        put(self, "mask", bounds)
        free_symbols(self.entries())

    @staticmethod
    def contiguous(shape: Sequence[Any] | str) -> View:
        """The row-major view of a shape (Definition 5).

        >>> str(View.contiguous((2, 3, 4)))
        '(2,3,4):(12,4,1)'
        """
        return View(shape)

    @staticmethod
    def empty(shape: Sequence[Any] | str) -> View:
        """The view of a shape with no valid index.

        >>> str(View.empty((2, 3))), str(View.empty(()))
        ('(2,3):(0,0) [0:0,0:0]', '():() [empty]')
        """
        sizes = read_integers(shape, "size", "shape")
        return View(sizes, (0,) * len(sizes), 0, "empty")

    @staticmethod
    def in_order(shape: Sequence[Any] | str, minor_to_major: Any) -> View:
        """The view whose dims have this order in memory, from the fastest to the slowest.

        The order is XLA's minor-to-major, or a name: "row_major", "column_major", PyTorch's "channels_last" and
        "channels_last_3d". `symview.order_of` is the inverse. Raises InputError if it is not a permutation.

        >>> str(View.in_order((2, 3, 4), (1, 0, 2))), str(View.in_order((8, 3, 4, 5), "channels_last"))
        ('(2,3,4):(3,1,6)', '(8,3,4,5):(60,1,15,3)')
        """
        sizes = read_integers(shape, "size", "shape")
        strides: list[Integer] = [0] * len(sizes)
        place: Integer = 1
        for dim in read_order(minor_to_major, len(sizes)):
            strides[dim], place = place, place * sizes[dim]
        return View(sizes, strides)

    @staticmethod
    def parse(text: str, symbols: Mapping[str, Int | sympy.Symbol] | None = None) -> View:
        """The view written in the notation: `(10,3,3):(σ1,σ2,σ3)+7 [0:10,1:3,0:3]`.

        Without strides the view is contiguous. A name means `symbols[name]`, else an integer symbol. Also read are what
        Python prints, `torch.Size([4, 6]), (1, 4)` and tinygrad's `View(shape=(4, 6), strides=(1, 4), …)`, and MLIR's
        types, `memref<4x?xf32, strided<[1, ?]>>`, as by `symview.mlir.read_type`; `f32[u0, 8]` is a shape.
        Raises NotationError, with a caret under the place.

        >>> View.parse("(2,3)").strides
        (3, 1)
        >>> View.parse("(2,3")
        Traceback (most recent call last):
        ...
        symview.errors.NotationError: expected ')' to close the shape
          (2,3
              ^
        """
        if not isinstance(text, str):
            raise InputError(f"View.parse({text!r}): give text such as '(2,3):(3,1)'")
        if _TYPE.match(text):
            return required("a type of MLIR", "symview.mlir")(text)  # type: ignore[no-any-return]
        try:
            return View(*read_view(text, symbols))
        except NotationError:
            raise
        except InputError as error:
            raise type(error)(f"{text.strip()}: {error}") from None

    @staticmethod
    def of(x: Any) -> View:
        """The view of a numpy array or PyTorch tensor; addresses are positions in its storage.

        Strides and offset are in elements. The storage of an array is the memory of the last array in its chain of
        bases; that of a tensor is `x.untyped_storage()`. Symbolic sizes of PyTorch become sympy expressions over
        PyTorch's symbols. Other objects with an array interface or a buffer (bytes, memoryview) do not expose the start
        of their storage: their offset is 0.
        Raises InputError if elements have no address by strides: for sparse and nested tensors, strides that are not a
        whole number of elements, lists.

        >>> import numpy
        >>> str(View.of(numpy.zeros((4, 6))[::-1, 1:]))
        '(4,5):(-6,1)+19'
        """
        return View(*layout_of(x))

    def __bool__(self) -> Literal[True]:
        return True

    def entries(self) -> tuple[Integer, ...]:
        """All integers of the view, in the order of the notation."""
        if self.mask is None or self.mask == "empty":
            return (*self.shape, *self.strides, self.offset)
        return (*self.shape, *self.strides, self.offset, *[x for pair in self.mask for x in pair])

    @property
    def rank(self) -> int:
        """The number of dims."""
        return len(self.shape)

    @property
    def size(self) -> Integer:
        """The number of indices of the shape, masked ones included."""
        return prod(self.shape)

    def symbols(self) -> dict[str, Int]:
        """The names of the view as integers, in order of appearance."""
        return free_symbols(self.entries())

    def is_numeric(self) -> bool:
        """Whether every entry is a number."""
        return _INTS.issuperset(map(type, self.entries()))

    def at(self, index: Sequence[int]) -> Integer | None:
        """The address of an index (Definition 3), or None if the index is masked.

        Raises InputError for another number of axes, OutOfBounds for an index outside the shape.

        >>> View((2, 3), (10, 1), 5).at((1, 2))
        17
        >>> View((4,), (1,), 0, [(1, 3)]).at((0,)) is None
        True
        """
        index = read_index(index, self.shape)
        if self.mask == "empty":
            return None
        if self.mask is not None:
            for i, (low, high) in zip(index, self.mask, strict=True):
                if not numbers((low,), "a mask")[0] <= i < numbers((high,), "a mask")[0]:
                    return None
        return address_of(self, index)

    def index_into(self, shape: Sequence[int] | str, index: Sequence[int]) -> tuple[int, ...] | None:
        """The index in a tensor of that shape that this view's index points to.

        This is (v^s)⁻¹ ∘ v of Remark 7 of "Merging tensor views": the view's address, unravelled row-major. None if the
        index is masked; OutOfBounds if the address is outside the tensor.

        >>> View((4,), (4,)).index_into((10, 3, 3), (3,))
        (1, 1, 0)
        """
        sizes = numbers(read_integers(shape, "size", "shape"), "index_into")
        address = self.at(index)
        return None if address is None else radix.unravel(numbers((address,), "index_into")[0], sizes)

    def with_values(self, values: Mapping[str, int]) -> View:
        """The view after substituting numbers; `values` has to have all of its symbols, by name.

        >>> str(View.parse("(n,3):(a,1)").with_values({"n": 2, "a": 7}))
        '(2,3):(7,1)'
        """
        if self.is_numeric():
            return self
        if not isinstance(values, Mapping):
            raise InputError(f"{self}: values {values!r}: give numbers by name, as in {{'n': 3}}")
        missing = [n for n in self.symbols() if n not in values]
        if missing:
            raise InputError(f"{self}: missing value for {', '.join(missing)}; give them by name")
        try:
            found = [value_of(to_term(x), values) for x in self.entries()]
        except ZeroDivisionError:
            raise InputError(f"{self}: a divisor is 0 at these values") from None
        rank, flat = self.rank, found[2 * self.rank + 1 :]
        mask: Any = list(zip(flat[::2], flat[1::2], strict=True)) if flat else self.mask
        return View(found[:rank], found[rank : 2 * rank], found[2 * rank], mask)

    def key(self) -> tuple[Integer, ...]:
        """A canonical form: views are equal if their keys are equal.

        The stride of an axis with one valid index is 0, its part of the address is in the offset; a mask that hides
        nothing is dropped; views with no valid index differ only by their shape.
        """
        if self.is_void():
            return (self.shape, None)
        bounds = self.bounds()
        offset, strides = self.offset, []
        for (low, high), stride in zip(bounds, self.strides, strict=True):
            single = high - low == 1
            offset = offset + low * stride if single else offset
            strides.append(0 if single else stride)
        return (self.shape, tuple(strides), offset, hiding(bounds, self.shape))

    def is_void(self) -> bool:
        """Whether the view is known to have no valid index: a size is 0, or the mask is empty."""
        if 0 in self.shape or self.mask == "empty":
            return True
        if self.mask is None:
            return False
        return any(type(low) is type(high) is int and low >= high for low, high in self.mask)

    def bounds(self) -> tuple[Bounds, ...]:
        """Per dim the half-open bounds of the valid indices; (0, size) for unmasked dims."""
        if self.mask == "empty":
            return ()
        return self.mask if self.mask is not None else tuple([(0, n) for n in self.shape])

    def permute(self, *axes: int | Sequence[int]) -> View:
        """Reorders the dims: dim n of the result is dim axes[n] of this view.

        Here and below, axes, sizes and pairs are given one by one or as one sequence.

        >>> str(View((2, 3)).permute(1, 0)), str(View((2, 3)).permute((1, 0)))
        ('(3,2):(1,3)', '(3,2):(1,3)')
        """
        order = read_axes(listed(axes), self.rank, "permute")
        if sorted(order) != list(range(self.rank)):
            raise InputError(f"permute{order}: give each of the {self.rank} axes once")
        return self._with([self.shape[a] for a in order], [self.strides[a] for a in order], self.offset,
                          [self.bounds()[a] for a in order])  # fmt: skip

    def flip(self, *axes: int | Sequence[int]) -> View:
        """Reverses the given axes.

        >>> str(View((2, 3)).flip(1))
        '(2,3):(3,-1)+2'
        """
        chosen = set(read_axes(listed(axes), self.rank, "flip"))
        strides, bounds, offset = list(self.strides), list(self.bounds()), self.offset
        for a in chosen if not self.is_void() else ():
            n, (low, high) = self.shape[a], bounds[a]
            offset, strides[a], bounds[a] = offset + (n - 1) * strides[a], -strides[a], (n - high, n - low)
        return self._with(self.shape, strides, offset, bounds)

    def shrink(self, *limits: Sequence[Any]) -> View:
        """Keeps, per dim, only the indices lo <= i < hi, counted from lo.

        >>> str(View((4, 3)).shrink((1, 3), (0, 2)))
        '(2,2):(3,1)+3'
        """
        cuts = read_bounds(listed_pairs(limits), self.shape, "shrink")
        shape, offset, bounds = [], self.offset, []
        for (low, high), stride, (a, b) in zip(cuts, self.strides, self.bounds(), strict=True):
            shape.append(high - low)
            offset = offset + low * stride
            bounds.append((within(a, low, high), within(b, low, high)))
        return self._with(shape, self.strides, offset, bounds)

    def pad(self, *widths: Sequence[Any]) -> View:
        """Adds, per dim, so many masked indices before and after.

        >>> str(View((2,)).pad((1, 2)))
        '(5):(1)-1 [1:3]'
        """
        pairs = read_pairs(listed_pairs(widths), self.rank, "pad")
        shape, offset, bounds = [], self.offset, []
        for axis, ((before, after), n, stride, (a, b)) in enumerate(
            zip(pairs, self.shape, self.strides, self.bounds(), strict=True)
        ):
            if (is_number(before) and before < 0) or (is_number(after) and after < 0):
                raise InputError(f"pad of axis {axis} by ({to_text(before)}, {to_text(after)}): give widths from 0 up")
            shape.append(before + n + after)
            offset = offset - before * stride
            bounds.append((a + before, b + before))
        return self._with(shape, self.strides, offset, bounds)

    def expand(self, *shape: Any) -> View:
        """Repeats dims of size 1 to the given sizes, with stride 0; the other dims stay.

        >>> str(View((1, 3)).expand(4, 3))
        '(4,3):(0,1)'
        """
        sizes = read_shape_for(listed(shape), self.entries())
        if len(sizes) != self.rank:
            own = tuple_text(self.shape)
            raise InputError(f"expand to {tuple_text(sizes)}: the view has the {self.rank} dims {own}")
        strides, bounds = list(self.strides), list(self.bounds())
        for axis, (old, new) in enumerate(zip(self.shape, sizes, strict=True)):
            if old == new:
                continue
            if old != 1:
                raise InputError(f"expand axis {axis} from {to_text(old)} to {to_text(new)}: only a size of 1 expands")
            strides[axis] = 0
            bounds[axis] = (0, new if bounds[axis] == (0, 1) else 0)
        return self._with(sizes, strides, self.offset, bounds)

    def reshape(self, *shape: Any) -> View:
        """The view of another shape with the same elements in row-major order, if one exists.

        Raises NotAView, with the counterexample, if none exists; see `symview.reshape`.

        >>> str(View((4, 6)).reshape(2, 2, 6)), str(View((4, 6)).reshape("(8,-1)"))
        ('(2,2,6):(12,6,1)', '(8,3):(3,1)')
        """
        found = reshaped(self, target_shape(self, listed(shape)), None)
        if isinstance(found, View):
            return found
        raise NotAView(found)

    def _with(
        self, shape: Sequence[Integer], strides: Sequence[Integer], offset: Integer, bounds: Sequence[Bounds]
    ) -> View:
        """The view with these entries; it has a mask only if that hides something."""
        return View(shape, strides, offset, "empty" if self.mask == "empty" else hiding(bounds, shape))

    def __eq__(self, other: object) -> bool:
        return self.key() == other.key() if isinstance(other, View) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        if not self.is_numeric():
            return self._symbolic_repr()
        parts = [repr(self.shape), repr(self.strides)]
        if self.offset != 0 or self.mask is not None:
            parts.append(repr(self.offset))
        if self.mask is not None:
            parts.append(repr(self.mask))
        return f"View({', '.join(parts)})"

    def _symbolic_repr(self) -> str:
        odd = {n: symbol for n, x in self.symbols().items() if (symbol := symbol_of(x)) is not None}
        if not odd:
            return f"View.parse({str(self)!r})"
        import sympy  # slow to load

        spelled = ", ".join(f"{n!r}: {sympy.srepr(s)}" for n, s in odd.items())
        return f"View.parse({str(self)!r}, {{{spelled}}})"

    def _repr_svg_(self) -> str | None:
        return picture_text(self)

    def __str__(self) -> str:
        return view_text(self.shape, self.strides, self.offset, self.mask)


def unchecked(
    shape: tuple[Integer, ...], strides: tuple[Integer, ...], offset: Integer, mask: tuple[Bounds, ...] | None
) -> View:
    """A view from entries that are known to be valid; skips all checks."""
    made = object.__new__(View)
    put = object.__setattr__
    put(made, "shape", shape)
    put(made, "strides", strides)
    put(made, "offset", offset)
    put(made, "mask", mask)
    return made


def address_of(view: View, index: Sequence[int]) -> Integer:
    """The address offset + Σ i_j·strides_j of an index, without checking mask and bounds."""
    address: Integer = view.offset
    for i, stride in zip(index, view.strides, strict=True):
        address = address + i * stride
    return address


def as_views(given: Iterable[View | str], what: str) -> tuple[View, ...]:
    """The views; text is parsed, and its names are the symbols of that name in the other views.

    A text of slices, as Python writes them, is a view of the tensor that the view before describes.
    Raises InputError for anything else.

    >>> list(map(str, as_views([View((2, 3)), "(6):(2)"], "merge")))
    ['(2,3):(3,1)', '(6):(2)']
    >>> list(map(str, as_views(["(H,6):(s,t)", "[1:H:2, ::-1]"], "merge")))
    ['(H,6):(s,t)', '(H//2,6):(12,-1)+11']
    """
    views = tuple(given)
    read = tuple([v for v in views if isinstance(v, View)])
    if len(read) == len(views):
        return read
    require_own_unknowns(views)
    symbols = free_symbols([x for v in read for x in v.entries()])
    found = list[View]()
    for v in views:
        if isinstance(v, str) and found and are_slices(v):
            found.append(sliced(found[-1].shape, read_slices(v, found[-1].rank, symbols)))
        else:
            found.append(View.parse(v, symbols) if isinstance(v, str) else _checked(v, what))
    return tuple(found)


def require_own_unknowns(given: Iterable[Any]) -> None:
    """Raises InputError if several texts are types of MLIR with ?, for which the names would be the same."""
    unknown = [v for v in given if isinstance(v, str) and _TYPE.match(v) and "?" in v]
    if len(unknown) > 1:
        raise InputError(f"{unknown[1].strip()}: a ? has the same name in each type: write views, (d0,8):(s0,1)")


def sliced(shape: Sequence[Integer], slices: Sequence[Slice]) -> View:
    """The view of a tensor of this shape that slices describe; dims without a slice are whole.

    Numbers are clipped as in Python. With names they are not: a start or stop outside is out of bounds, and a slice has
    an element, as every dim with names has.

    >>> str(sliced((4, 6), [(1,), (None, 99, 2)]))
    '(3):(2)+6'
    """
    if len(slices) > len(shape):
        raise InputError(f"{len(slices)} slices of a tensor of {len(shape)} dims")
    sizes, strides, offset = list[Integer](), list[Integer](), 0
    places = View(shape).strides
    every = [*slices, *[(None, None, None)] * (len(shape) - len(slices))]
    for size, place, one in zip(shape, places, every, strict=True):
        first, last, step = ends_of(size, one)
        offset += first * place
        if last is not None:
            sizes, strides = [*sizes, _count(first, last, step)], [*strides, step * place]
    cut = [(size, *one) for size, one in zip(shape, every, strict=True) if one != (None, None, None)]
    if 0 in sizes and any(isinstance(x, Int) for row in cut for x in row):
        raise InputError(f"{tuple_text(sizes)}: these slices leave no element: write numbers for the names")
    return View(sizes, strides, offset)


def _from_start(index: Integer, size: Integer) -> Integer:
    """The index, from the end if it is a negative number; raises InputError for numbers outside."""
    found = _forward(index, size)
    if isinstance(found, int) and isinstance(size, int) and not 0 <= found < size:
        raise InputError(f"index {index} of a dim of size {size}")
    return found


def _forward(bound: Integer, size: Integer) -> Integer:
    """The bound of a slice, counted from the start; raises InputError for one such as -p, of which that is unknown."""
    if isinstance(bound, int):
        return bound + size if bound < 0 else bound
    if max(form_of(bound).values()) < 0:
        raise InputError(f"the bound {to_text(bound)} of a slice: counted from the end, it is {to_text(size + bound)}")
    return bound


def ends_of(size: Integer, one: Slice) -> tuple[Integer, Integer | None, Integer]:
    """The first index of a slice, the index at which it ends, and the step; of an index alone, itself, None and 1.

    >>> ends_of(6, (None, None, -2)), ends_of(6, (-1,)), ends_of(6, (9, None, 1))
    ((5, -1, -2), (5, None, 1), (0, 0, 1))
    """
    if len(one) == 1:
        return _from_start(one[0], size), None, 1
    start, stop, step = one[0], one[1], 1 if one[2] is None else one[2]
    if step == 0:
        raise InputError("a slice with step 0: give another step")
    if all(x is None or isinstance(x, int) for x in (size, *one)):
        every = range(*slice(*one).indices(size))
        return (every.start, every.stop, step) if every else (0, 0, step)
    down = isinstance(step, int) and step < 0
    first = (size - 1 if down else 0) if start is None else _forward(start, size)
    if down and isinstance(stop, Int) and not _is_counted(stop, first - stop):
        raise InputError(
            f"the stop {to_text(stop)} of a slice backwards: below 0, Python counts it from the end: give [::-1] first"
        )
    return first, (-1 if down else size) if stop is None else _forward(stop, size), step


def _is_counted(stop: Int, count: Integer) -> bool:
    """Whether a stop is 0 or more since it is a sum of names in the number of indices, which are positive."""
    form = form_of(stop)
    named = {monomial: factor for monomial, factor in form.items() if monomial}
    plain = not any(isinstance(atom, Node) for monomial in named for atom in monomial)
    return plain and min(named.values()) > 0 and sum(form.values()) >= 0 and named.keys() <= form_of(count).keys()


def _count(first: Integer, last: Integer, step: Integer) -> Integer:
    """How many indices there are from the first one to before the last one."""
    if isinstance(step, int):
        return (abs(step) - 1 + (first - last if step < 0 else last - first)) // abs(step)
    return -((first - last) // step)


def as_view(given: View | str, what: str) -> View:
    """A view, parsed if it is text."""
    return given if isinstance(given, View) else as_views((given,), what)[0]


def _checked(view: object, what: str) -> View:
    if isinstance(view, View):
        return view
    if is_array(view):
        raise InputError(f"{what}: {an_array(view)} is not a view: give View.of(x)")
    raise InputError(f"{what}: {view!r} is not a view: give View(shape, strides), or text such as '(2,3):(3,1)'")


def compose_at(outer: View | str, inner: View | str, *more: View | str, index: Sequence[int]) -> Integer | None:
    """The address that the composition v ∘ unravel ∘ v' ∘ … gives an index of the last view; None if masked.

    Definition 6 of "Merging tensor views", for any number of views, with offsets and masks.
    Raises OutOfBounds if a view's address is outside the shape of the view before it.

    >>> compose_at(View((10, 3, 3), (100, 10, 1)), View((4,), (4,)), index=(3,))
    110
    """
    views = as_views((outer, inner, *more), "compose_at")
    here: Sequence[int] = index
    for view, below in zip(reversed(views[1:]), reversed(views[:-1]), strict=True):
        reached = view.index_into(below.shape, here)
        if reached is None:
            return None
        here = reached
    return views[0].at(here)


def nowhere_valid(shape: Sequence[Integer]) -> View:
    """The view of a shape with no valid index; without a mask if a size is 0."""
    return View(shape, (0,) * len(shape)) if 0 in shape else View.empty(shape)


def on_box(shape: Sequence[int], lows: Sequence[int], sizes: Sequence[int], strides: Sequence[int], start: int) -> View:
    """The view of a shape that is valid only on a box and has the address `start` at its low corner."""
    offset = start
    for low, stride in zip(lows, strides, strict=True):
        offset = offset - low * stride
    bounds = [(low, low + n) for low, n in zip(lows, sizes, strict=True)]
    return View(shape, strides, offset, hiding(bounds, shape))


def reshaped(view: View, target: tuple[int, ...], budget: Budget | None) -> View | Counterexample:
    """`symview.reshape` of numbers, to a shape with as many elements."""
    if not view.is_numeric():
        symbol = next(iter(view.symbols()))
        raise SymbolError(f"{symbol} is symbolic, and a number is needed: ask symview.reshape, or substitute")
    if not view.mask:  # a view without dims may have the mask ()
        if 0 in target:
            return View(target, (0,) * len(target))
        strides = strides_for(view.shape, view.strides, target)
        if strides is not None:
            return unchecked(target, tuple(strides), view.offset, None)
        return Counterexample.deferred(Kind.DISAGREE, lambda: _break(view, target, as_budget(budget)))
    if view.is_void():
        return nowhere_valid(target)
    found = masked_strides_for(view.shape, view.strides, view.bounds(), target)
    if found is None:
        return Counterexample.deferred(None, lambda: _break(view, target, as_budget(budget)))
    strides, moved, mask = found
    hides = mask != list(zip(repeat(0), target))
    return unchecked(target, tuple(strides), view.offset + moved, tuple(mask) if hides else None)


def _break(view: View, target: tuple[int, ...], budget: Budget) -> Counterexample:
    """The smallest index at which every view of the new shape differs from the view's row-major order."""
    region: Region | Counterexample | None = Region.whole(IndexMap(target, row_major(target), 0))
    if view.mask is not None and isinstance(region, Region):
        budget, row = budget.started(), region.box
        windows = windows_of(view.shape, view.bounds())
        region = valid_part(lambda i: view.at(radix.unravel(row.at(i), view.shape)), region, windows, budget)
    found = decide(view.shape, view.strides, region.box, budget) if isinstance(region, Region) else None
    if isinstance(region, Region) and isinstance(found, Broken):
        return disagreement(view, region, found, budget.plain().started())
    if isinstance(region, Counterexample):
        return region
    raise InternalError(f"{view} was refused the shape {target}, which it has")


def by_columns(view: View) -> View:
    """The view with its dims in reversed order: its elements in row-major order are those of `view` in column-major."""
    return view.permute(range(view.rank)[::-1])


def is_fortran(order: str) -> bool:
    """Whether the order of a reshape is "F", column-major, and not "C"; raises InputError for another one."""
    if order not in ("C", "F"):
        raise InputError(f"order {order!r}: choose C, the last dim is the fastest, or F, the first one is")
    return order == "F"


def target_shape(view: View, shape: Sequence[Any] | str) -> tuple[Integer, ...]:
    """The new shape, with -1 replaced by its size; raises InputError if the sizes do not agree."""
    if (
        type(shape) is tuple
        and _INTS.issuperset(map(type, (*view.shape, *shape)))
        and min(shape, default=0) >= 0
        and prod(shape) == prod(view.shape)
    ):
        return shape
    sizes = list(sizes_for(shape, view))
    for size in (*view.shape, *sizes):
        if not is_number(size):
            raise SymbolError(
                f"{to_text(size)} is symbolic, and a number is needed: ask symview.reshape, or substitute"
            )
    have = prod(view.shape)
    if -1 in sizes:
        rest = prod(n for n in sizes if n != -1)
        if rest == 0 or have % rest:
            raise InputError(f"shape {tuple_text(sizes)}: {have} is not divisible by {rest}, so -1 has no value")
        sizes[sizes.index(-1)] = have // rest
    if any(n < 0 for n in sizes) or prod(sizes) != have:
        raise InputError(
            f"reshape {tuple_text(view.shape)} to {tuple_text(sizes)}: "
            f"{have} elements and {prod(sizes)}; sizes must agree"
        )
    return tuple(sizes)


def sizes_for(shape: Sequence[Any] | str, view: View) -> tuple[Integer, ...]:
    """The requested sizes for a view, one of which may be -1; raises InputError if they cannot be sizes.

    Text may also be MLIR's: a type of numbers, or a reassociation, which collapses the view's dims.
    """
    if isinstance(shape, str) and _GROUPS.match(shape):
        return required("a reassociation of MLIR", "symview.mlir")(view, shape)  # type: ignore[no-any-return]
    if isinstance(shape, str) and are_slices(shape) and (":" in shape or "..." in shape):
        command = f'symview {"merge" if view.is_numeric() else "conditions"} "{view}" "{shape.strip()}"'
        raise InputError(f"{shape.strip()}: slices are not a shape: {command} is about them")
    if isinstance(shape, str) and _TYPE.match(shape):
        shape = _sizes_of_type(shape)
    sizes = read_shape_for(shape, view.entries())
    numbers_given = [n for n in sizes if is_number(n)]
    if numbers_given.count(-1) > 1:
        raise InputError(f"shape {tuple_text(sizes)}: only one size may be -1")
    if any(n < -1 for n in numbers_given):
        raise InputError(f"shape {tuple_text(sizes)}: sizes are 0 or more, and one may be -1")
    return sizes


def _sizes_of_type(text: str) -> tuple[Integer, ...]:
    """The sizes of a type of MLIR that is a new shape; raises InputError where it says more, or less, than a shape."""
    view = View.parse(text)
    if not view.is_numeric():
        raise InputError(f"{text.strip()}: a ? has no name in a new shape: write its sizes, as in (d0,2,8)")
    if view != View(view.shape):
        raise InputError(f"{text.strip()}: a new shape has no strides of its own: write {tuple_text(view.shape)}")
    return view.shape
