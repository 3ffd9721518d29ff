"""Nested tuples of integers under pycute's names: shapes, strides, coordinates, and their arithmetic.

A nested tuple is an integer or a tuple of nested tuples; lists are accepted as tuples. Entries may be sympy expressions
if nothing has to be compared. Profiles that do not fit raise LayoutError.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import wraps
from itertools import accumulate
from operator import mul
from typing import Any, TypeAlias, TypeVar, cast

from symview.cute.errors import LayoutError
from symview.displayed import WRITTEN, number_text
from symview.errors import SymbolError
from symview.logic.integer import Int
from symview.logic.notation import term_text, with_ceilings
from symview.logic.sympy_bridge import as_integer, to_term

IntTuple: TypeAlias = Any  # an integer, or a tuple of these to any depth
Coordinate: TypeAlias = Any  # an IntTuple in which None keeps a mode whole
DEEPEST = 100
Call = TypeVar("Call", bound=Callable[..., Any])


def also_named(**names: str) -> Callable[[Call], Call]:
    """Lets a function accept its arguments under further names too: `also_named(tiler="layoutB")`."""

    def decorate(function: Call) -> Call:
        @wraps(function)
        def called(*args: Any, **given: Any) -> Any:
            if not given:
                return function(*args)
            for name in names.keys() & given.keys():
                if names[name] in given:
                    raise TypeError(f"{function.__name__}: {name} and {names[name]} are the same argument")
                given[names[name]] = given.pop(name)
            return function(*args, **given)

        return cast(Call, called)

    return decorate


class Integer(metaclass=ABCMeta):  # noqa: B024
    """The type of integers: int and its subclasses except bool."""

    @classmethod
    def __subclasshook__(cls, kind: type) -> bool:
        return kind is not bool and issubclass(kind, int)


def is_int(x: Any) -> bool:
    """Whether x is an integer, but not True or False."""
    return isinstance(x, int) and not isinstance(x, bool)


def is_tuple(x: Any) -> bool:
    """Whether x is a tuple."""
    return isinstance(x, tuple)


def flatten(t: IntTuple) -> tuple[Any, ...]:
    """The entries from left to right, without nesting.

    >>> flatten(((2, (3, 4)), 5)), flatten(7)
    ((2, 3, 4, 5), (7,))
    """
    if not isinstance(t, tuple):
        return (t,)
    for a in t:
        if a.__class__ is not int and isinstance(a, tuple):
            return tuple(leaves(t))
    return t


def leaves(t: IntTuple) -> Iterator[Any]:
    """The entries from left to right, one by one."""
    if isinstance(t, tuple):
        for a in t:
            yield from leaves(a)
    else:
        yield t


def profile_text(t: IntTuple) -> str:
    """A nested tuple as CuTe prints it, without spaces.

    >>> profile_text(((2, 2), 8)), profile_text((4,))
    ('((2,2),8)', '(4)')
    """
    if isinstance(t, tuple):
        return f"({','.join(map(profile_text, t))})"
    if t is None or type(t) is int:
        return "_" if t is None else number_text(t)
    if not isinstance(t, Int):
        return repr(t)
    return term_text(with_ceilings(to_term(t)))


def reads_as(t: IntTuple) -> str:
    """The nested tuple in Python's syntax; huge numbers, which Python may refuse to print, in base 16."""
    if isinstance(t, tuple):
        return f"({', '.join(map(reads_as, t))}{',' * (len(t) == 1)})"
    return hex(t) if type(t) is int and abs(t).bit_length() > WRITTEN else repr(t)


def entries(t: Any, what: str, none: bool = False, level: int = 0) -> IntTuple:
    """Checks the entries of a nested tuple: integers, expressions and, with `none`, None; raises SymbolError otherwise.

    >>> entries((2, (None, 3)), "the coordinate", none=True)
    (2, (None, 3))
    """
    if type(t) is int or (none and t is None):
        return t
    if isinstance(t, (tuple, list)):
        if level > DEEPEST:
            raise LayoutError(f"{what} is nested more than {DEEPEST} deep")
        return tuple([x if type(x) is int else entries(x, what, none, level + 1) for x in t])
    return as_integer(t, what)


def as_tuples(t: Any, level: int = 0) -> Any:
    """Converts nested lists to tuples; other objects stay.

    >>> as_tuples([4, (None, [2])])
    (4, (None, (2,)))
    """
    if not isinstance(t, (tuple, list)):
        return t
    if level > DEEPEST:
        raise LayoutError(f"a tuple is nested more than {DEEPEST} deep")
    return tuple([as_tuples(x, level + 1) for x in t])


def numbers(t: Any, what: str) -> IntTuple:
    """Checks that all entries of a nested tuple are integers; raises SymbolError also for symbols."""
    found = entries(t, what)
    for x in leaves(found):
        if type(x) is not int:
            raise SymbolError(f"{what} is {profile_text(found)}: numbers are needed, put in values for the symbols")
    return found


def whole_number(x: Any, what: str) -> int:
    """Checks that x is an integer, not a tuple or a symbol."""
    if isinstance(x, (tuple, list)):
        raise LayoutError(f"{what} is {profile_text(as_tuples(x))}: give an integer")
    return numbers(x, what)  # type: ignore[no-any-return]


def positive(x: Any, what: str) -> int:
    """Checks that x is an integer from 1 on."""
    with suppress(SymbolError):
        number = whole_number(x, what)
        if number >= 1:
            return number
    shown = number_text(x) if type(x) is int else repr(x) if isinstance(x, str) else x
    raise LayoutError(f"{what} is {shown}: give a number from 1 on")


def sizes(t: Any, what: str = "the shape") -> IntTuple:
    """Checks that all entries of a nested tuple are expressions or positive integers."""
    found = entries(t, what)
    for x in leaves(found):
        if type(x) is int and x < 1:
            raise LayoutError(f"{what} {profile_text(found)} has the size {number_text(x)}; sizes are from 1 on")
    return found


def need_same_length(a: tuple[Any, ...], b: tuple[Any, ...]) -> None:
    """Raises LayoutError unless both sides have equally many modes."""
    if len(a) != len(b):
        raise LayoutError(f"{profile_text(a)} has {len(a)} modes and {profile_text(b)} has {len(b)}: give as many")


def congruent(a: IntTuple, b: IntTuple) -> bool:
    """Whether both have the same nesting.

    >>> congruent((2, (3, 4)), (1, (2, 6))), congruent((2, (3, 4)), (1, 2))
    (True, False)
    """
    a_nested, b_nested = isinstance(a, (tuple, list)), isinstance(b, (tuple, list))
    if a_nested and b_nested:
        return len(a) == len(b) and all(map(congruent, a, b))
    return a_nested == b_nested


def like(profile: IntTuple, entries: Iterator[Any]) -> IntTuple:
    """The entries, in order, nested like the profile.

    >>> like((0, (0, 0)), iter("abc"))
    ('a', ('b', 'c'))
    """
    return tuple([like(p, entries) for p in profile]) if isinstance(profile, tuple) else next(entries)


def listed(given: Any) -> list[Any] | None:
    """An iterable as a list; None for anything else."""
    try:
        return list(given)
    except TypeError:
        return None


def has_none(a: Coordinate) -> bool:
    """Whether the coordinate contains None."""
    return any(map(has_none, a)) if isinstance(a, (tuple, list)) else a is None


# Products, and conversions between indices and coordinates


def signum(a: Any) -> int:
    """The sign: -1, 0 or 1."""
    a = whole_number(a, "the argument of signum")
    return int(a > 0) - int(a < 0)


def product(a: IntTuple) -> Any:
    """The product of all entries; 1 for no entries.

    >>> product((2, (3, 4)))
    24
    """
    return product_of(entries(a, "the argument of product"))


def product_of(a: IntTuple) -> Any:
    """`product` of entries that have been checked."""
    if not isinstance(a, tuple):
        return a
    found: Any = 1
    for entry in a:
        found = found * (product_of(entry) if isinstance(entry, tuple) else entry)
    return found


def inner_product(a: IntTuple, b: IntTuple) -> Any:
    """The sum of the products of corresponding entries.

    >>> inner_product((1, (2, 3)), (1, (10, 100)))
    321
    """
    a, b = entries(a, "the first argument"), entries(b, "the second argument")
    if isinstance(a, tuple) and isinstance(b, tuple):
        need_same_length(a, b)
        return sum(map(inner_product, a, b))
    if isinstance(a, tuple) or isinstance(b, tuple):
        raise LayoutError(f"{profile_text(a)} and {profile_text(b)} are nested differently")
    return a * b


def tuple_max(a: IntTuple) -> Any:
    """The largest entry."""
    found = list(leaves(numbers(a, "the argument of tuple_max")))
    if not found:
        raise LayoutError("tuple_max of (): give at least one entry")
    return max(found)


def elem_scale(a: IntTuple, b: IntTuple) -> Any:
    """Each entry of `a` times the product of the corresponding part of `b`.

    >>> elem_scale((2, 3), ((4, 5), 6))
    (40, 18)
    """
    a, b = entries(a, "the first argument"), entries(b, "the second argument")
    if not isinstance(a, tuple):
        return a * product_of(b)
    if not isinstance(b, tuple):
        raise LayoutError(f"{profile_text(a)} cannot be scaled by the single {profile_text(b)}: give one entry a mode")
    need_same_length(a, b)
    return tuple(map(elem_scale, a, b))


@also_named(lhs="a", rhs="b")
def shape_div(a: IntTuple, b: IntTuple) -> Any:
    """The rest of shape `a` when its first `b` elements become one; each entry has to divide or to be divided.

    >>> shape_div((4, 6), 8), shape_div((4, 6), (2, 3))
    ((1, 3), (2, 2))
    """
    a, b = numbers(a, "the shape"), numbers(b, "the divisor")
    if not isinstance(a, tuple):
        by = product_of(b)
        if by == 0 or (a % by and (a == 0 or by % a)):
            raise LayoutError(f"shape_div: neither of {number_text(a)} and {number_text(by)} divides the other")
        return -(-a // by)
    if isinstance(b, tuple):
        need_same_length(a, b)
        return tuple(map(shape_div, a, b))
    found = []
    for entry in a:
        found.append(shape_div(entry, b))
        b = shape_div(b, product_of(entry))
    return tuple(found)


def prefix_product(a: IntTuple, init: IntTuple = 1) -> Any:
    """The strides of the compact layout of a shape, first mode fastest.

    >>> prefix_product((2, (3, 4), 5))
    (1, (2, 6), 24)
    """
    return compact(entries(a, "the shape"), entries(init, "the first stride"))


def compact(shape: IntTuple, init: IntTuple = 1) -> Any:
    """`prefix_product` of entries that have been checked."""
    if not isinstance(shape, tuple):
        if isinstance(init, tuple):
            raise LayoutError(f"prefix_product: {profile_text(shape)} has one mode, {profile_text(init)} has more")
        return init
    if isinstance(init, tuple):
        need_same_length(shape, init)
        return tuple(map(compact, shape, init))
    found = []
    for entry in shape:
        found.append(compact(entry, init))
        init = init * product_of(entry)
    return tuple(found)


def index_steps(shape: Iterable[Any]) -> list[Any]:
    """The index step of each mode: the product of the sizes before it.

    >>> index_steps((2, (3, 4), 5))
    [1, 2, 24]
    """
    *found, _ = accumulate(map(product_of, shape), mul, initial=1)
    return found


@also_named(layout="shape")
def idx2crd(idx: Any, shape: IntTuple, stride: IntTuple = None) -> Any:
    """The coordinate of an index within a shape: the isomorphism ι, first mode fastest.

    >>> idx2crd(5, (2, (3, 4))), idx2crd((1, 5), (2, (3, 4)))
    ((1, (2, 0)), (1, (2, 1)))
    """
    shape = sizes(shape)
    if stride is not None:
        stride = _strides(shape, stride)
        if any(type(d) is int and d == 0 for d in leaves(stride)):
            raise LayoutError(f"idx2crd: the strides {profile_text(stride)} have a 0, by which nothing divides")
    return coordinate_at(entries(idx, "the index"), shape, stride)


def _strides(shape: IntTuple, stride: Any) -> IntTuple:
    """Checks that the strides are nested like the shape."""
    stride = entries(stride, "the stride")
    if not congruent(shape, stride):
        both = f"{profile_text(shape)} and {profile_text(stride)}"
        raise LayoutError(f"{both} are nested differently; give one stride per size")
    return stride


def coordinate_at(idx: Any, shape: IntTuple, stride: IntTuple = None) -> Any:
    """`idx2crd` of arguments that have been checked."""
    if isinstance(shape, tuple):
        if isinstance(idx, tuple):
            need_same_length(idx, shape)
            return tuple(map(coordinate_at, idx, shape) if stride is None else map(coordinate_at, idx, shape, stride))
        stride = compact(shape) if stride is None else stride
        return tuple([coordinate_at(idx, s, d) for s, d in zip(shape, stride, strict=True)])
    if isinstance(idx, tuple):
        raise LayoutError(f"the index {profile_text(idx)} has more modes than the shape {profile_text(shape)}")
    return (idx if stride is None else idx // stride) % shape


@also_named(coord="crd", layout="shape")
def crd2idx(crd: Coordinate, shape: IntTuple, stride: IntTuple = None) -> Any:
    """The value of a layout at a coordinate, where an index may replace several modes' coordinates; None counts as 0.

    An index beyond the size extends the last mode. A layout may replace shape and strides.

    >>> crd2idx((1, (2, 1)), (2, (3, 4))), crd2idx(11, (2, (3, 4)), (1, (10, 100)))
    (11, 121)
    """
    if stride is None and callable(shape) and hasattr(shape, "shape"):
        return shape(crd)
    shape = sizes(shape)
    stride = compact(shape) if stride is None else _strides(shape, stride)
    return value_at(entries(crd, "the coordinate", none=True), shape, stride)


def value_at(crd: Coordinate, shape: IntTuple, stride: IntTuple) -> Any:
    """`crd2idx` of arguments that have been checked; the coordinate has to fit the shape."""
    if isinstance(crd, tuple):
        if not isinstance(shape, tuple):
            raise LayoutError(f"the coordinate {profile_text(crd)} has more modes than the shape {profile_text(shape)}")
        need_same_length(crd, shape)
        return sum(map(value_at, crd, shape, stride))
    crd = 0 if crd is None else crd
    if not isinstance(shape, tuple):
        return crd * stride
    total: Any = 0
    flat = list(zip(flatten(shape), flatten(stride), strict=True))
    for size, step in flat[:-1]:
        total, crd = total + (crd % size) * step, crd // size
    return total + crd * flat[-1][1] if flat else total


def crd2crd(crd: Coordinate, dst_shape: IntTuple, src_shape: IntTuple = None) -> Any:
    """Converts a coordinate of one shape to a coordinate of another.

    >>> crd2crd(5, (2, 3)), crd2crd((1, 2), 6, (2, 3))
    ((1, 2), 5)
    """
    crd, dst_shape = entries(crd, "the coordinate"), sizes(dst_shape)
    src_shape = None if src_shape is None else sizes(src_shape)
    if isinstance(crd, tuple):
        if isinstance(dst_shape, tuple):
            need_same_length(crd, dst_shape)
            return tuple(map(crd2crd, crd, dst_shape))
        if src_shape is None:
            raise LayoutError(f"crd2crd of {profile_text(crd)} to {profile_text(dst_shape)}: give the src_shape")
        return value_at(crd, src_shape, compact(src_shape))
    if isinstance(dst_shape, tuple):
        return coordinate_at(crd, dst_shape)
    if not whole_number(crd, "the coordinate") < whole_number(dst_shape, "the shape"):
        raise LayoutError(f"the coordinate {number_text(crd)} is outside the shape {number_text(dst_shape)}")
    return crd


def kept_at(crd: Coordinate, trg: IntTuple) -> Any:
    """The entries at which the coordinate, which has been checked, has None."""
    if isinstance(crd, tuple):
        if not isinstance(trg, tuple):
            raise LayoutError(f"the coordinate {profile_text(crd)} has more modes than {profile_text(trg)}")
        need_same_length(crd, trg)
        return tuple([kept for c, t in zip(crd, trg, strict=True) for kept in kept_at(c, t)])
    return (trg,) if crd is None else ()
