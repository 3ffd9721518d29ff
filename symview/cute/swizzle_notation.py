"""Layouts, of numbers and of coordinates, swizzles and swizzled layouts as CuTe and pycute print them."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Mapping
from typing import Any

from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.notation import read_layout
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.errors import NotationError

_SWIZZLE = re.compile(r"(?:(?:Sw|S|Swizzle)\s*<\s*|SW_|Swizzle\(\s*)(\d+)\s*[,_]\s*(\d+)\s*[,_]\s*(-?\d+)(?:\s*[>)])?")
_NO_SWIZZLE = re.compile(r"\s*(?:Sw|S|Swizzle)\s*<")
_AND = re.compile(r"\s+o\s+|\s*∘\s*")
_OFFSET = re.compile(r"\d+|\([\d,() ]+\)")
_POINTER = re.compile(r"smem_ptr\[(\d{1,3})b\]\(unset\)")
_TENSOR = re.compile(  # what a printed tensor has before its layout: a pointer, or coordinates that begin at 0
    r"\s*(?:(?P<dsl>tensor<)?ptr<.*?>|raw_ptr\([^()]*\)|[gsr]mem_ptr\[\d{1,3}b\]\(0x[0-9a-f]+\)"
    r"|(?:ArithTuple)?\(_?0(?:,_?0)*\))\s+o\s+"
)
_DIGITS, _LONGEST = 7, 400  # of a swizzle's numbers, and of an offset
_LINEAR = ("{", "#", "-")


def parse(text: str, symbols: Mapping[str, Any] | None = None) -> Any:
    """What the text spells: a layout, a swizzle, or both with an offset between them.

    Several, one behind the other, and layouts in front, with their offsets. Linear layouts as `LinearLayout.parse`
    reads them. Swizzles as CuTe C++, its DSL and pycute print them:
    `Sw<3,4,3>`, `S<3,4,3>`, `SW_3_4_3`. A layout whose strides are basis elements, `1@0`, is a
    CoordinateLayout; `?`, a size or stride that the DSL does not know at compile time, is a symbol, `?{div=4}`
    4 times one. With `smem_ptr[16b](unset)` for the offset, C++'s swizzle is of bytes; here it is the one of
    elements of 16 bits that CuTe's `as_position_independent_swizzle_layout` has. Of a printed tensor, the layout.
    Raises NotationError, with a caret under the place.

    >>> print(parse("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)"))
    SW_3_4_3 o 0 o (8,64):(64,1)
    >>> print(parse("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"))
    SW_3_3_3 o 0 o (8,64):(64,1)
    >>> parse("S<1,0,2>"), parse("(4,8):(8,1)")
    (Swizzle(1,0,2), Layout((4, 8), (8, 1)))
    >>> print(parse("(4,(5,2)):(1@0,(2@0@1,1@1@1))"), parse("(192,?):(1,?{div=64})"))
    (4,(5,2)):(1@0,(2@0@1,1@1@1)) (192,n1):(1,64*d1)
    >>> print(parse("tensor<ptr<f32, gmem> o (8,5):(5,1)>"), parse("Layout<Shape<_2,_4>,Stride<_4,_1>>"))
    (8,5):(5,1) (2,4):(4,1)
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is no text", str(text), 0)
    tensor = _TENSOR.match(text)
    if tensor is not None:
        text = text[tensor.end() :].rstrip()
        text = text.removesuffix(">") if tensor["dsl"] else text
    if text.lstrip()[:1] in _LINEAR:
        return _linear(text, symbols)
    found = _SWIZZLE.match(text, len(text) - len(text.lstrip()))
    if found is None and _NO_SWIZZLE.match(text):
        raise NotationError("a swizzle has three numbers: Sw<3,4,3>", text, text.index("<"))
    if found is None:
        front, *behind = _AND.split(text)
        at = _offset(behind[0]) if len(behind) > 1 else None
        if at is None:
            return _layout(text, symbols)
        return ComposedLayout(_layout(front, symbols), at, _behind(behind[1:], symbols))
    if max(map(len, found.groups())) > _DIGITS:
        raise NotationError(f"a swizzle of numbers of more than {_DIGITS} digits", text, found.start())
    swizzle = Swizzle(*map(int, found.groups()))
    rest = text[found.end() :]
    if not rest.strip():
        return swizzle
    first, *parts = _AND.split(rest)
    if first.strip() or not parts:
        raise NotationError("expected 'o', an offset, 'o' and a layout behind the swizzle", text, found.end())
    pointer = _POINTER.fullmatch(parts[0].strip()) if len(parts) == 2 else None
    if pointer is not None:
        return ComposedLayout(_of_elements(swizzle, int(pointer[1]), text), 0, Layout.parse(parts[-1], symbols))
    offset = _offset(parts[0]) if len(parts) > 1 else None
    if len(parts) == 2 and offset is None:
        raise NotationError(
            f"the offset {parts[0].strip()[:40]!r} is no number", text, text.index(parts[0], found.end())
        )
    return ComposedLayout(swizzle, offset or 0, _behind(parts if offset is None else parts[1:], symbols))


def _offset(text: str) -> Any:
    """The number or the coordinate that is spelled; None where it is neither, or too long."""
    text = text.strip().replace("_", "")
    if len(text) > _LONGEST or not _OFFSET.fullmatch(text):
        return None
    try:
        return literal_eval(re.sub(r"(?<=[\d)]) *\)", ",)", text))  # (2) is a tuple
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # brackets that do not close, 007
        return None


def _behind(parts: list[str], symbols: Mapping[str, Any] | None) -> Any:
    """What stands behind the first front: a layout, perhaps behind others."""
    text = " o ".join(parts)
    found = parse(text, symbols)
    if isinstance(found, Swizzle):
        raise NotationError("expected 'o' and a layout behind the swizzle", text, len(text))
    return found


def _of_elements(swizzle: Swizzle, bits: int, text: str) -> Swizzle:
    """The swizzle of elements of so many bits that a swizzle of bytes is."""
    if bits not in (1, 2, 4, 8, 16, 32, 64, 128):
        raise NotationError(f"a pointer to elements of {bits} bits: a power of two up to 128", text, text.index("smem"))
    base = swizzle.base + 3 - (bits.bit_length() - 1)
    return Swizzle(max(swizzle.bits + min(base, 0), 0), max(base, 0), swizzle.shift)


def _linear(text: str, symbols: Mapping[str, Any] | None) -> Any:
    """A linear layout, perhaps in front of another layout."""
    first, *parts = _AND.split(text)
    linear = LinearLayout.parse(first)
    if not parts:
        return linear
    offset = _offset(parts[0]) if len(parts) > 1 else None
    behind = parts if offset is None else parts[1:]
    return ComposedLayout(linear, offset or 0, parse(" o ".join(behind), symbols))


def _layout(text: str, symbols: Mapping[str, Any] | None) -> Layout | CoordinateLayout:
    if "@" in text:
        shape, stride = read_layout(text, symbols)
        return CoordinateLayout(shape, stride)
    return Layout.parse(text, symbols)


def make_swizzle(b: int, m: int, s: int) -> Swizzle:
    """The DSL's name of `Swizzle`."""
    return Swizzle(b, m, s)


def make_composed_layout(inner: Any, offset: int, outer: Any) -> ComposedLayout:
    """inner(offset + outer(·)), in the DSL's order of arguments.

    >>> print(make_composed_layout(make_swizzle(2, 0, 3), 0, Layout((8, 8))))
    SW_2_0_3 o 0 o (8,8):(1,8)
    """
    return ComposedLayout(inner, offset, outer)
