"""Parses CuTe's notation of layouts: `((2,2),8):((1,4),2)`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symview.cute.basis import ScaledBasis
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import DEEPEST, IntTuple
from symview.errors import NotationError
from symview.logic.integer import of_term
from symview.logic.notation import Scanner
from symview.logic.terms import sym
from symview.view_notation import read_list

_OPERATORS = ("+", "-", "*", "//", "%")
_TUPLES = ("Shape", "Stride", "Coord", "Step", "Tile", "tuple")
_NUMBERS = ("C", "Int")
_RUN_TIME = ("int", "int32_t", "int64_t", "uint32_t", "size_t")
_DIVISOR = re.compile(r"div=(\d+)")


def read_layout(text: str, symbols: Mapping[str, Any] | None = None) -> tuple[IntTuple, IntTuple | None]:
    """Parses shape and stride; an omitted stride is None. Raises NotationError with a caret.

    A parenthesis is a tuple unless an operator follows it. `_4` is the number 4: CuTe prints compile-time constants so.
    `?` is a number known only at run time; it becomes a symbol n1, n2, … among sizes and d1, d2, … among strides, and
    `?{div=4}` a multiple of 4. `2@1` is a scaled basis element.

    >>> read_layout("((2,2),_8):((1,4),2)"), read_layout("(2*n)")[0]
    ((((2, 2), 8), ((1, 4), 2)), (2*n,))
    >>> read_layout("32:(32 + pad)"), read_layout("(4,6):((1 + a),4)")
    ((32, pad + 32), ((4, 6), (a + 1, 4)))
    >>> read_layout("(4,?):(?{div=8},1)"), read_layout("4:2@1")
    (((4, n1), (8*d1, 1)), (4, ScaledBasis(2, (1,))))

    It also reads C++ types:

    >>> read_layout("Layout<Shape<_2, Shape<_2,_2>>, Stride<_4, Stride<_2,_1>>>{}")
    ((2, (2, 2)), (4, (2, 1)))
    >>> read_layout("cute::Layout<cute::tuple<cute::C<8>, int>, cute::tuple<cute::_1, int>>")
    ((8, n1), (1, d1))
    """
    bare = text.replace("cute::", "").removesuffix("{}")
    is_type = _takes_type(Scanner(bare, cute=True), "Layout")
    scan = Scanner(bare if is_type else text, cute=True)
    names = _Names(symbols or {}, text, is_type=is_type)
    _takes_type(scan, "Layout")
    shape = _nested(scan, names)
    stride = _nested(scan, names.strides()) if scan.take("," if is_type else ":") else None
    if is_type:
        scan.expect(">", "to close the Layout")
    else:
        stride = _unwrapped(shape, stride)
    if scan.peek() == ",":
        raise scan.error("unexpected ',': write several modes in brackets, as in (4,8):(1,4)")
    scan.end()
    return shape, stride


def read_tiler(text: str, make: Callable[..., Any]) -> Any:
    """Parses a layout (`make` of shape and stride), or a tuple of layouts, sizes and `_` in brackets: `<4:1,_,(2,2)>`.

    >>> read_tiler("<4:1,_,8>", lambda *parts: parts)
    ((4, 1), None, 8)
    """
    scan = Scanner(text, cute=True)
    found = _tiler(scan, make, _Names({}, text))
    scan.end()
    return found


def _tiler(scan: Scanner, make: Callable[..., Any], names: _Names) -> Any:
    if scan.take("<"):
        return tuple(read_list(scan, ">", "tiler", lambda: _tiler(scan, make, names)))
    if scan.kind() == "name" and scan.peek() == "_":
        scan.at += 1
        return None
    shape = _nested(scan, names)
    if scan.take(":"):
        return make(shape, _unwrapped(shape, _nested(scan, names.strides())))
    return make(shape) if isinstance(shape, tuple) else shape


def _unwrapped(shape: IntTuple, stride: Any) -> Any:
    """The strides, where parentheses around one stride of one size, as in 32:(32+pad), make no tuple."""
    if isinstance(shape, tuple) and isinstance(stride, tuple) and len(shape) == len(stride):
        return tuple(map(_unwrapped, shape, stride))
    is_one = not isinstance(shape, tuple) and isinstance(stride, tuple) and len(stride) == 1
    return _unwrapped(shape, stride[0]) if is_one else stride


def _takes_type(scan: Scanner, *kinds: str) -> bool:
    """Whether a C++ type starts here; if so, consumes its name and the bracket."""
    begins = scan.kind() == "name" and scan.peek() in kinds and scan.ahead()[1][1] == "<"
    scan.at += 2 * begins
    return begins


def _nested(scan: Scanner, names: _Names) -> IntTuple:
    """Parses a tuple or an entry; if an operator follows a parenthesis, parses it again as part of an expression."""
    if _takes_type(scan, *_TUPLES):
        return tuple(read_list(scan, ">", "tuple", lambda: _nested(scan, names)))
    start, depth = scan.at, scan.depth
    if scan.take("("):
        scan.depth += 1
        if scan.depth > DEEPEST:
            raise LayoutError(f"{scan.text[:20]}… is nested more than {DEEPEST} deep")
        try:
            found = tuple(read_list(scan, ")", "tuple", lambda: _nested(scan, names)))
            scan.depth = depth
            if scan.peek() not in _OPERATORS:
                return found
        except NotationError:
            if "," in scan.text or "@" in scan.text:
                raise
        scan.at, scan.depth = start, depth
    if _takes_type(scan, *_NUMBERS):
        value = of_term(scan.expression(), names)
        scan.expect(">", "to close the number")
        return value
    if (scan.kind() == "cute" and scan.peek() != "@") or (names.is_type and scan.peek() in _RUN_TIME):
        return _unknown(scan, names)
    value = of_term(scan.expression(), names)
    return _basis_sum(scan, value) if scan.peek() == "@" else value


def _unknown(scan: Scanner, names: _Names) -> Any:
    """A new symbol, or a multiple of one, for an entry known only at run time."""
    divisor = _DIVISOR.search(scan.peek())
    scan.at += 1
    return of_term(sym(names.fresh()), names) * (int(divisor[1]) if divisor else 1)


def _basis_sum(scan: Scanner, value: Any) -> Any:
    """A sum of multiples of basis elements."""
    found = _basis(scan, value)
    while sign := scan.take("+", "-"):
        if scan.kind() != "num":
            raise scan.error(f"expected a number, and @, after {sign!r}")
        number = int(scan.peek())
        scan.at += 1
        scan.expect("@", "after the number")
        scan.at -= 1
        found = found + _basis(scan, number if sign == "+" else -number)
    return found


def _basis(scan: Scanner, value: Any) -> ScaledBasis:
    """A multiple of a basis element, with its modes from the innermost outwards: 3@1@0 is in mode 1 of mode 0."""
    path: list[int] = []
    if type(value) is not int:
        raise scan.error("expected a number before @")
    while scan.take("@"):
        if scan.kind() != "num":
            raise scan.error("expected the number of a mode after @")
        path.insert(0, int(scan.peek()))
        scan.at += 1
    return ScaledBasis(value, tuple(path))


class _Names(Mapping[str, Any]):
    """Resolves given symbols and numbers written `_4`, and makes names for entries known only at run time."""

    def __init__(self, given: Mapping[str, Any], text: str, letter: str = "n", is_type: bool = False) -> None:
        self.given, self.text, self.letter, self.is_type, self.count = given, text, letter, is_type, 0

    def strides(self) -> _Names:
        """The same names, with d for new symbols."""
        return _Names(self.given, self.text, "d", self.is_type)

    def fresh(self) -> str:
        """A name that does not occur in the text."""
        self.count += 1
        name = f"{self.letter}{self.count}"
        return self.fresh() if name in self.text or name in self.given else name

    def __contains__(self, name: object) -> bool:
        return name in self.given or (isinstance(name, str) and name[:1] == "_" and name[1:].isdecimal())

    def __getitem__(self, name: str) -> Any:
        return self.given[name] if name in self.given else int(name[1:])

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)
