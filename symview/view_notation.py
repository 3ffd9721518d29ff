"""The notation of views: `(10,3,3):(σ1,σ2,σ3)+7 [0:10,1:3,0:3]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from symview.errors import NotationError
from symview.logic.integer import Int, Integer, of_term
from symview.logic.notation import Scanner
from symview.logic.sympy_bridge import as_integer, to_sympy, to_text
from symview.logic.terms import names, walk

_TORCH_SIZE = re.compile(r"(?:torch\.)?Size\(\[([^]]*)\]\)")
_DTYPE = r"(?:bf16|[biufc]\d+|f8\w+|bool|(?:u?int|b?float|complex)\d+(?:_e\w+)?)"
_TYPED = re.compile(  # f32[8, 4] of FX, perhaps with strides and a device, and float32[8,4] of JAX
    rf"(\s*{_DTYPE})\[([^][]*)\](?:\[([^][]*)\])?((?:cpu|meta|cuda(?::\d+)?)?\s*)"
)
_FIELDS = ("shape", "strides", "offset", "mask", "contiguous")  # of tinygrad's View; symview's has the first four
_SIZES = re.compile("[0-9]+( *x *[0-9]+| +[0-9]+)+")  # sizes without commas: 4x6
_LAYOUTS = "CuTe layouts go to symview compose, coalesce, complement, divide and product, and in Python to symview.cute"
Mask: TypeAlias = "list[tuple[Integer, Integer]] | Literal['empty']"
Slice: TypeAlias = "tuple[Integer | None, ...]"  # start, stop and step; or an index alone
Entry = TypeVar("Entry")


class Spelled(NamedTuple):
    """The parts of a view's notation; None for parts that are missing."""

    shape: list[Integer]
    strides: list[Integer] | None
    offset: Integer
    mask: Mask | None


def read_view(text: str, symbols: Mapping[str, Any] | None = None) -> Spelled:
    """Parses a view's notation, or shape and strides as Python prints them. Raises NotationError, with a caret.

    >>> read_view("(9):(-1)+7 [2:8]")
    Spelled(shape=[9], strides=[-1], offset=7, mask=[(2, 8)])
    >>> read_view("View(shape=(9,), strides=(-1,), offset=7, mask=((2, 8),), contiguous=False)") == _
    True
    >>> read_view("torch.Size([4, 6]), (1, 4)") == read_view("[4,6]:[1,4]") == read_view("(4,6):(1,4)")
    True
    >>> read_view("f32[u0, 8]").shape, read_view("f32[8, u0][1, 8]cuda:0").strides
    ([u0, 8], [1, 8])
    """
    return _Reader(text, symbols).view()


def read_shape(text: str, symbols: Mapping[str, Any] | None = None) -> tuple[Integer, ...]:
    """Parses a shape; -1 is left to the caller.

    >>> read_shape("(2,-1)")
    (2, -1)
    """
    return _Reader(text, symbols).shape()


def are_slices(text: str) -> bool:
    """Whether a text is to be read by `read_slices`: one pair of brackets, and nothing beside them.

    >>> are_slices("[1:n, ...]"), are_slices("[4,6]:[6,1]")
    (True, False)
    """
    return text.lstrip().startswith("[") and text.find("]") in (-1, len(text.rstrip()) - 1)


def read_slices(text: str, ndim: int, symbols: Mapping[str, Any] | None = None) -> list[Slice]:
    """Parses slices as Python writes them, each start, stop and step; or an index, which is its start alone.

    `...` is as many whole dims as `ndim` has beside the others.

    >>> read_slices("[1:n:2, ..., -1]", 3)
    [(1, n, 2), (None, None, None), (-1,)]
    """
    return _Reader(text, symbols).slices(ndim)


def view_text(
    shape: Sequence[Integer],
    strides: Sequence[Integer],
    offset: Integer,
    mask: Sequence[tuple[Integer, Integer]] | str | None,
) -> str:
    """The notation of a view, which `read_view` parses; an offset of 0 and no mask are omitted.

    >>> view_text((9,), (-1,), 7, [(2, 8)])
    '(9):(-1)+7 [2:8]'
    """
    text = f"{tuple_text(shape)}:{tuple_text(strides)}"
    if offset != 0:
        start = to_text(offset)
        text += start if start.startswith("-") else f"+{start}"
    if mask is None:
        return text
    bounds = mask if isinstance(mask, str) else ",".join(f"{to_text(a)}:{to_text(b)}" for a, b in mask)
    return f"{text} [{bounds}]"


def tuple_text(values: Iterable[Integer]) -> str:
    """Sizes or strides in the notation: in parentheses, separated by commas."""
    return f"({','.join(map(to_text, values))})"


def _instead(text: str) -> str:
    """A hint for a text that does not begin with a parenthesis.

    >>> _instead("10,3,3"), _instead("4,6:6,1"), _instead("4x6")
    (': write (10,3,3)', ': write (4,6):(6,1)', ': write (4,6)')
    """
    plain = text.strip()
    if _SIZES.fullmatch(plain):
        return f": write ({','.join(re.findall('[0-9]+', plain))})"
    if plain.startswith("ShapeTracker"):
        return ": give each of its views as an argument of its own, in their order"
    parts = plain.split(":")
    entries = all(p.strip() and all(c.isalnum() or c in "_, -*" for c in p) for p in parts)
    return f": write {':'.join(f'({p.strip()})' for p in parts)}" if entries and len(parts) <= 2 else ""


def read_list(scan: Scanner, close: str, what: str, read: Callable[[], Entry]) -> list[Entry]:
    """Entries separated by commas, each parsed by `read`, up to the closing sign; a trailing comma is allowed."""
    found: list[Entry] = []
    while scan.take(close) is None:
        found.append(read())
        if scan.take(",") is None:
            if scan.kind() in ("num", "name"):
                raise scan.error(f"expected ',' between the entries of the {what}, or {close!r} to close it")
            scan.expect(close, f"to close the {what}")
            break
    return found


class _Reader:
    """Parses from left to right."""

    def __init__(self, text: str, symbols: Mapping[str, Any] | None) -> None:
        plain = _TORCH_SIZE.sub(lambda size: f"({size[1]})".rjust(len(size[0])), text)
        if typed := _TYPED.fullmatch(text):
            strides = "" if typed[3] is None else f"({typed[3]})"
            plain = f"{' ' * len(typed[1])}({typed[2]}){strides}"
        self.scanner = Scanner(plain)
        self.scanner.text = text
        self.symbols = symbols
        self.is_printed = plain != text  # by PyTorch or JAX, with nothing between shape and strides

    def view(self) -> Spelled:
        scan = self.scanner
        if scan.kind() == "name" and scan.peek() == "View" and scan.ahead()[1].text == "(":
            return self._call()
        shape = self._tuple("shape")
        sign = scan.take(":", ",")
        strides = self._tuple("strides") if sign or (self.is_printed and scan.peek() == "(") else None
        offset = self._value() if scan.peek() in ("+", "-") or (sign == "," and scan.take(",")) else 0
        mask = self._mask() if scan.take("[") else None
        scan.end()
        return Spelled(shape, strides, offset, mask)

    def shape(self) -> tuple[Integer, ...]:
        sizes = self._tuple("shape")
        self.scanner.end()
        return tuple(sizes)

    def _call(self) -> Spelled:
        """Parses a view as Python prints it: View(shape=(9,), strides=(-1,), offset=7, mask=((2, 8),))."""
        scan, found, by_name = self.scanner, dict[str, Any](), False
        scan.at += 2
        while scan.take(")") is None:
            word, sign, *_ = *scan.ahead(), scan.tokens[-1]
            if by_name and sign.text != "==":
                raise scan.error("a field without a name follows one with a name")
            by_name = word.kind == "name" and sign.text == "=="
            field = word.text if by_name else _FIELDS[min(len(found), len(_FIELDS) - 1)]
            if field not in _FIELDS or field in found:
                raise scan.error("a View has shape, strides, offset and mask, each once")
            scan.at += 2 * by_name
            found[field] = self._field(field)
            if scan.take(",") is None:
                scan.expect(")", "to close the View")
                break
        scan.end()
        if "shape" not in found:
            raise scan.error("a View needs its shape")
        return Spelled(found["shape"], found.get("strides"), found.get("offset", 0), found.get("mask"))

    def _field(self, field: str) -> Any:
        """Parses a field of a View; tinygrad's flag `contiguous` follows from the others."""
        scan = self.scanner
        if field in ("strides", "mask") and scan.ahead()[0].text == "None":
            scan.at += 1
            return None
        if field == "contiguous":
            if scan.take("True", "False") is None:
                raise scan.error("contiguous is True or False")
            return None
        if field == "offset":
            return self._value()
        if field != "mask":
            return self._tuple(field)
        scan.expect("(", "to open the mask")
        return read_list(scan, ")", "mask", self._pair)

    def _pair(self) -> tuple[Integer, Integer]:
        ends = self._tuple("bounds of a dim")
        if len(ends) != 2:
            raise self.scanner.error("a mask has two bounds for each dim, as in ((2, 8),)")
        return ends[0], ends[1]

    def slices(self, ndim: int) -> list[Slice]:
        scan = self.scanner

        def one() -> Slice:
            if scan.take("..."):
                return ()
            parts: list[Integer | None] = [None]
            while True:
                if scan.ahead()[0].text == "None":
                    scan.at += 1
                elif scan.peek() not in (":", ",", "]"):
                    parts[-1] = self._value()
                    if not isinstance(parts[-1], (int, Int)):
                        raise scan.error("expected an integer before this place: a slice has no choice, and no truth")
                if len(parts) == 3 or scan.take(":") is None:
                    break
                parts.append(None)
            if parts == [None]:
                raise scan.error("expected an index or a slice; a slice has no new dims (None)")
            return tuple(parts) if len(parts) == 1 else (*parts, *[None] * (3 - len(parts)))

        scan.expect("[", "to open the slices")
        found = read_list(scan, "]", "slices", one)
        scan.end()
        if () not in found:
            return found
        if found.count(()) > 1:
            raise scan.error("slices have ... at most once")
        at, whole = found.index(()), ndim - len(found) + 1
        return [*found[:at], *[(None, None, None)] * whole, *found[at + 1 :]]

    def _tuple(self, what: str) -> list[Integer]:
        left = self.scanner.ahead()
        if left[0].kind in ("num", "name") and left[1].text == ":":  # a layout of one mode, such as 6:1
            raise self.scanner.error(f"expected '(' to open the {what}: {_LAYOUTS}")
        opening = self.scanner.take("(", "[")
        if opening is None:
            raise self.scanner.error(f"expected '(' to open the {what}{_instead(self.scanner.text)}")

        def entry() -> Integer:
            if self._is_tuple():
                pair = "write shape and strides as (4,6):(1,4); " if what == "shape" else ""
                raise self.scanner.error(f"a tuple inside the {what}, which is flat in a view: {pair}{_LAYOUTS}")
            return self._value()

        return read_list(self.scanner, ")" if opening == "(" else "]", what, entry)

    def _is_tuple(self) -> bool:
        """Whether a parenthesis opens here that contains a comma at its own level."""
        if self.scanner.peek() != "(":
            return self.scanner.peek() == "["
        depth = 0
        for _, text, _ in self.scanner.ahead():
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return False
            if depth == 1 and text == ",":
                return True
        return False

    def _mask(self) -> Mask:
        if self.scanner.peek() == "empty":
            self.scanner.expression()
            self.scanner.expect("]", "to close the mask")
            return "empty"

        opened = self.scanner.tokens[self.scanner.at - 1].at

        def bounds() -> tuple[Integer, Integer]:
            low = self._value()
            self.scanner.expect(":", "between the bounds of the mask")
            return low, self._value()

        try:
            return read_list(self.scanner, "]", "mask", bounds)
        except NotationError:
            if ":" in self.scanner.text[opened:]:
                self._refuse_slices(opened)
            raise

    def _refuse_slices(self, at: int) -> None:
        """Raises NotationError if slices start here, which are no mask."""
        view, slices = self.scanner.text[:at].strip(), self.scanner.text[at:].strip()
        try:
            _Reader(slices, self.symbols).slices(0)
        except NotationError:
            return
        command = f'symview merge "{view}" "{slices}" finds the view to ask about'
        raise NotationError(f"a mask is bounds of all dims, not slices: {command}", self.scanner.text, at)

    def _value(self) -> Integer:
        number = self.scanner.number()
        if number is not None:
            return number
        term, given = self.scanner.expression(), self.symbols or {}
        if any(node.op == "if" or node.is_formula() for node in walk(term)):
            return to_sympy(term)  # no integer: the caller knows what it was to be
        return of_term(term, {n: as_integer(given[n], f"symbol {n}") for n in names(term) if n in given})
