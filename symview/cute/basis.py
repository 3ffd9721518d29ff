"""Basis elements of coordinates and their combinations, the strides of CuTe's TMA tensors: `3@1` is (0, 3)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from typing import Any, TypeAlias

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import is_int

Path: TypeAlias = tuple[int, ...]
Term: TypeAlias = tuple[Path, int]
_DEEPEST = 8


class BasisElement:
    """The base of scaled basis elements and their sums; they support addition, and multiplication by integers."""

    __slots__ = ()

    def terms(self) -> tuple[Term, ...]:
        """The modes along which it moves, in order, each with the distance."""
        raise NotImplementedError

    def __add__(self, other: Any) -> Any:
        if is_int(other) and other == 0:
            return self
        return basis_sum([*self.terms(), *other.terms()]) if isinstance(other, BasisElement) else NotImplemented

    __radd__ = __add__

    def __mul__(self, by: Any) -> Any:
        return basis_sum([(path, by * x) for path, x in self.terms()]) if is_int(by) else NotImplemented

    __rmul__ = __mul__

    def __neg__(self) -> Any:
        return self * -1

    def __sub__(self, other: Any) -> Any:
        return self + other * -1 if isinstance(other, BasisElement) or is_int(other) else NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def coordinate(self) -> Any:
        """The shortest coordinate with these entries: 3·E(0) + 4·E(1) is (3, 4).

        >>> (2 * E(0, 1) + 3 * E(1)).coordinate(), E(1).coordinate()
        (((0, 2), 3), (0, 1))
        """
        return coordinate_of(self.terms())


@dataclass(frozen=True, slots=True)
class ScaledBasis(BasisElement):
    """`value` times the unit coordinate at a mode or a path of modes: 3@1 is (0, 3), 1@1@0 is ((0, 1),).

    >>> print(3 * E(1), E([0, 1]), E(0) * -2)
    3@1 1@1@0 -2@0
    """

    value: int
    mode: Path

    def __post_init__(self) -> None:
        if is_int(self.mode) or isinstance(self.mode, list):
            object.__setattr__(self, "mode", (self.mode,) if is_int(self.mode) else tuple(self.mode))
        path = isinstance(self.mode, tuple) and len(self.mode) > 0
        if not is_int(self.value) or not path or not all(is_int(n) and 0 <= n < 64 for n in self.mode):
            raise LayoutError(f"ScaledBasis({self.value!r}, {self.mode!r}): give an integer and modes from 0 on")
        if len(self.mode) > _DEEPEST:
            raise LayoutError(f"ScaledBasis of a mode nested {len(self.mode)} deep: at most {_DEEPEST}")

    def terms(self) -> tuple[Term, ...]:
        """The mode, with the distance along it."""
        return ((self.mode, self.value),)

    def __mul__(self, by: Any) -> Any:
        return ScaledBasis(self.value * by, self.mode) if is_int(by) else NotImplemented

    __rmul__ = __mul__

    def __str__(self) -> str:
        return f"{self.value}@{'@'.join(map(str, self.mode[::-1]))}"

    def __repr__(self) -> str:
        return f"ScaledBasis({self.value}, {self.mode})"


@dataclass(frozen=True, slots=True)
class BasisSum(BasisElement):
    """A sum of scaled basis elements along two or more modes, in order: 3@0+4@1 is (3, 4).

    Created by addition. Raises LayoutError if one mode lies inside another, since a coordinate cannot have both a
    number and a tuple there.

    Source: "Basis elements" in CuTe's documents (`0z_tma_tensors.md`).

    >>> print(3 * E(0) + 4 * E(1), E(1) - 2 * E(0), E(0) + E(1) - E(0))
    3@0+4@1 -2@0+1@1 1@1
    """

    moves: tuple[Term, ...]

    def __post_init__(self) -> None:
        try:
            paths = [path for path, _ in self.moves]
            in_order = sorted(set(paths)) == paths
        except (TypeError, ValueError):
            raise LayoutError(f"BasisSum({self.moves!r}): add multiples of E(…) instead") from None
        if len(paths) < 2 or not in_order or not all(x for _, x in self.moves):
            raise LayoutError(f"BasisSum({self.moves!r}): add multiples of E(…) instead")
        need_apart(paths)

    def terms(self) -> tuple[Term, ...]:
        """The modes along which it moves, in order, each with the distance."""
        return self.moves

    def __str__(self) -> str:
        return "+".join(str(ScaledBasis(x, path)) for path, x in self.moves).replace("+-", "-")

    def __repr__(self) -> str:
        return " + ".join(repr(ScaledBasis(x, path)) for path, x in self.moves)


def basis_sum(terms: Iterable[Term]) -> Any:
    """Adds multiples of basis elements, given as pairs of mode and multiple: returns 0, a ScaledBasis or a BasisSum."""
    found: dict[Path, int] = {}
    for path, x in terms:
        found[path] = found.get(path, 0) + x
    moving = sorted((path, x) for path, x in found.items() if x)
    return BasisSum(tuple(moving)) if len(moving) > 1 else ScaledBasis(moving[0][1], moving[0][0]) if moving else 0


def need_apart(paths: list[Path]) -> None:
    """Raises LayoutError if one of the modes, which have to be sorted, lies inside another."""
    for a, b in pairwise(paths):  # sorted, a mode is followed by those inside it
        if b[: len(a)] == a:
            raise LayoutError(f"strides along mode {list(a)} and inside it: there is a number there, or a tuple")


def coordinate_of(terms: Iterable[Term]) -> Any:
    """The coordinate with these numbers at these modes, and 0 elsewhere."""
    inside: dict[int, list[Term]] = {}
    for path, value in terms:
        if not path:
            return value
        inside.setdefault(path[0], []).append((path[1:], value))
    return tuple([coordinate_of(inside[n]) if n in inside else 0 for n in range(max(inside, default=-1) + 1)])


def coordinate_sum(a: Any, b: Any) -> Any:
    """Adds two coordinates entry by entry; missing entries count as 0, and 0 may be added to a tuple.

    Raises LayoutError for another number and a tuple. Source: `operator+` of CuTe's `ArithmeticTuple`.

    >>> coordinate_sum((1, (2, 3)), (10, 0, 5)), coordinate_sum(0, (1, 2))
    ((11, (2, 3), 5), (1, 2))
    """
    if isinstance(a, tuple) and isinstance(b, tuple):
        return tuple([coordinate_sum(x, y) for x, y in zip_longest(a, b, fillvalue=0)])
    if isinstance(a, tuple) or isinstance(b, tuple):
        number, found = (b, a) if isinstance(a, tuple) else (a, b)
        if number == 0:
            return found
        raise LayoutError(f"the coordinates {a} and {b} are nested differently: {number} next to {found}")
    return a + b


def E(mode: Any = (), *inside: int) -> Any:  # noqa: N802
    """The unit coordinate at a mode or a path of modes; 1 without arguments. Source: `E` of CuTe's C++ and DSL.

    >>> E(1), E([0, 1]), E(0, 1), E()
    (ScaledBasis(1, (1,)), ScaledBasis(1, (0, 1)), ScaledBasis(1, (0, 1)), 1)
    """
    if is_int(mode):
        return ScaledBasis(1, (mode, *inside))
    if not isinstance(mode, (tuple, list)):
        raise LayoutError(f"E({mode!r}): give a mode, or a list of modes")
    return ScaledBasis(1, tuple(mode)) if mode else 1
