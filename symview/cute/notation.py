"""CuTe's notation of layouts: `((2,2),8):((1,4),2)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from symview.cute.errors import LayoutError
from symview.cute.int_tuple import DEEPEST, IntTuple
from symview.errors import NotationError
from symview.logic.notation import Scanner
from symview.logic.sympy_bridge import to_sympy
from symview.view_notation import read_list

_OPERATORS = ("+", "-", "*", "//", "%")


def read_layout(text: str, symbols: Mapping[str, Any] | None = None) -> tuple[IntTuple, IntTuple | None]:
    """Shape and stride as written; None for a stride left out. Raises NotationError with a caret.

    A parenthesis is a tuple unless an operator follows it. `_4` is the number 4, as CuTe prints
    numbers known at compile time.

    >>> read_layout("((2,2),_8):((1,4),2)"), read_layout("(2*n)")[0]
    ((((2, 2), 8), ((1, 4), 2)), (2*n,))
    """
    scan = Scanner(text, shifts=False)
    names = _Names(symbols or {})
    shape = _nested(scan, names)
    stride = _nested(scan, names) if scan.take(":") else None
    scan.end()
    return shape, stride


def read_tiler(text: str, make: Callable[..., Any], symbols: Mapping[str, Any] | None = None) -> Any:
    """What `make` makes of a shape and a stride, or a tuple of such, sizes and `_` in angle brackets: `<4:1,_,(2,2)>`.

    >>> read_tiler("<4:1,_,8>", lambda *parts: parts)
    ((4, 1), None, 8)
    """
    scan = Scanner(text, shifts=False)
    found = _tiler(scan, make, _Names(symbols or {}))
    scan.end()
    return found


def _tiler(scan: Scanner, make: Callable[..., Any], names: Mapping[str, Any]) -> Any:
    if scan.take("<"):
        return tuple(read_list(scan, ">", "tiler", lambda: _tiler(scan, make, names)))
    if scan.kind() == "name" and scan.peek() == "_":
        scan.at += 1
        return None
    shape = _nested(scan, names)
    if scan.take(":"):
        return make(shape, _nested(scan, names))
    return make(shape) if isinstance(shape, tuple) else shape


def _nested(scan: Scanner, names: Mapping[str, Any]) -> IntTuple:
    """A tuple, or an expression: a parenthesis that an operator follows is read again, as part of one."""
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
            if "," in scan.text:
                raise
        scan.at, scan.depth = start, depth
    return to_sympy(scan.expression(), names)


class _Names(Mapping[str, Any]):
    """The given symbols, and numbers written `_4`."""

    def __init__(self, given: Mapping[str, Any]) -> None:
        self.given = given

    def __contains__(self, name: object) -> bool:
        return name in self.given or (isinstance(name, str) and name[:1] == "_" and name[1:].isdecimal())

    def __getitem__(self, name: str) -> Any:
        return self.given[name] if name in self.given else int(name[1:])

    def __iter__(self) -> Iterator[str]:
        return iter(self.given)

    def __len__(self) -> int:
        return len(self.given)
