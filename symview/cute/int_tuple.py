"""Integers nested in tuples: shapes, strides and coordinates, under pycute's names.

A nested tuple is an integer or a tuple of nested tuples; a list counts as a tuple wherever one is given.
Entries may be sympy expressions where nothing has to be compared. Profiles that do not fit raise LayoutError.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterator
from math import log10
from typing import Any, TypeAlias

from symview.cute.errors import LayoutError
from symview.errors import SymbolError
from symview.logic.sympy_bridge import as_integer

IntTuple: TypeAlias = Any  # an integer, or a tuple of these to any depth
Coordinate: TypeAlias = Any  # an IntTuple in which None keeps a mode whole
DEEPEST = 100
_WRITTEN = 13_287  # bits of 4,000 digits


class Integer(metaclass=ABCMeta):  # noqa: B024
    """What counts as an integer: int and its subclasses other than bool."""

    @classmethod
    def __subclasshook__(cls, kind: type) -> bool:
        return kind is not bool and issubclass(kind, int)


def is_int(x: Any) -> bool:
    """Whether x is an integer other than True and False."""
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
    if not hasattr(t, "free_symbols"):
        return repr(t)
    from symview.logic.notation import term_text, with_ceilings
    from symview.logic.sympy_bridge import to_term

    return term_text(with_ceilings(to_term(t)))


def number_text(n: int) -> str:
    """The number in digits; one of more than 4,000, which Python may refuse to write out, by the first and how many.

    >>> number_text(-12), number_text(-7 * 10**5000)
    ('-12', '-70000…(5001 digits)')
    """
    if abs(n).bit_length() <= _WRITTEN:
        return str(n)
    digits = int(abs(n).bit_length() * log10(2))  # at most one too few, as bits begin at half
    digits += abs(n) >= 10**digits
    return f"{'-' * (n < 0)}{abs(n) // 10 ** (digits - 5)}…({digits} digits)"


def reads_as(t: IntTuple) -> str:
    """The nested tuple as Python reads it, numbers that it may refuse to write out in base 16."""
    if isinstance(t, tuple):
        return f"({', '.join(map(reads_as, t))}{',' * (len(t) == 1)})"
    return hex(t) if type(t) is int and abs(t).bit_length() > _WRITTEN else repr(t)


def entries(t: Any, what: str, none: bool = False, level: int = 0) -> IntTuple:
    """The nested tuple, its entries checked: integers, expressions and, if asked for, None; else SymbolError.

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
    """Nested lists as tuples; anything else, at whatever depth, stays as it is.

    >>> as_tuples([4, (None, [2])])
    (4, (None, (2,)))
    """
    if not isinstance(t, (tuple, list)):
        return t
    if level > DEEPEST:
        raise LayoutError(f"a tuple is nested more than {DEEPEST} deep")
    return tuple([as_tuples(x, level + 1) for x in t])


def numbers(t: Any, what: str) -> IntTuple:
    """The nested tuple, its entries checked to be integers; SymbolError for symbols too."""
    found = entries(t, what)
    for x in leaves(found):
        if type(x) is not int:
            raise SymbolError(f"{what} is {profile_text(found)}: numbers are needed, put in values for the symbols")
    return found


def whole_number(x: Any, what: str) -> int:
    """The integer itself, checked to be no tuple and without symbols."""
    if isinstance(x, (tuple, list)):
        raise LayoutError(f"{what} is {profile_text(as_tuples(x))}: give an integer")
    return numbers(x, what)  # type: ignore[no-any-return]


def sizes(t: Any, what: str = "the shape") -> IntTuple:
    """The nested tuple, its entries checked to be expressions or integers from 1 on."""
    found = entries(t, what)
    for x in leaves(found):
        if type(x) is int and x < 1:
            raise LayoutError(f"{what} {profile_text(found)} has the size {number_text(x)}; sizes are from 1 on")
    return found


def need_same_length(a: tuple[Any, ...], b: tuple[Any, ...]) -> None:
    """Raises LayoutError unless there are as many modes on both sides."""
    if len(a) != len(b):
        raise LayoutError(f"{profile_text(a)} has {len(a)} modes and {profile_text(b)} has {len(b)}: give as many")


def congruent(a: IntTuple, b: IntTuple) -> bool:
    """Whether both are nested in the same way.

    >>> congruent((2, (3, 4)), (1, (2, 6))), congruent((2, (3, 4)), (1, 2))
    (True, False)
    """
    a_nested, b_nested = isinstance(a, (tuple, list)), isinstance(b, (tuple, list))
    if a_nested and b_nested:
        return len(a) == len(b) and all(map(congruent, a, b))
    return a_nested == b_nested


def like(profile: IntTuple, entries: Iterator[Any]) -> IntTuple:
    """The entries, in order, nested as the profile is.

    >>> like((0, (0, 0)), iter("abc"))
    ('a', ('b', 'c'))
    """
    return tuple([like(p, entries) for p in profile]) if isinstance(profile, tuple) else next(entries)


def listed(given: Any) -> list[Any] | None:
    """What can be gone through, as a list; None for anything else."""
    try:
        return list(given)
    except TypeError:
        return None


def has_none(a: Coordinate) -> bool:
    """Whether None stands anywhere in the coordinate."""
    return any(map(has_none, a)) if isinstance(a, (tuple, list)) else a is None
