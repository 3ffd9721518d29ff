"""Accepts text in place of layouts and shapes, as CuTe and pycute print them, in all public functions."""

from __future__ import annotations

import re
from ast import literal_eval
from collections.abc import Callable, Mapping
from functools import partial, wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from symview.cute.basis import BasisElement
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.int_tuple import leaves, profile_text
from symview.cute.layout import Layout
from symview.cute.linear.layout import LinearLayout
from symview.cute.notation import read_layout, read_tiler
from symview.cute.swizzle import ComposedLayout, Swizzle
from symview.errors import NotationError
from symview.logic.integer import Int
from symview.logic.notation import NAME

BEHIND = re.compile(r"\s*S[wW]?[<_]\d|.*\so\s|\s*\{", re.DOTALL)  # a swizzle, a composition, or a linear layout
_LAYOUTS = "layout layoutA composed block atom thr_layout val_layout inner outer layouts"
_TUPLES = (
    "shape stride x a b t trg_shape dst_shape src_shape profile target_profile tile tiler coord crd elem target parts "
    "mode max_idx"
)
_OF_LAYOUTS = (
    "blocked_product raked_product is_bijective is_injective max_common_layout max_common_vector same_function "
    "to_linear to_swizzled to_view"
)  # these take a layout for x, a, b and tiler

_SWIZZLE = re.compile(r"(?:(?:Sw|S|Swizzle)\s*<\s*|SW_|Swizzle\(\s*)(\d+)\s*[,_]\s*(\d+)\s*[,_]\s*(-?\d+)(?:\s*[>)])?")
_NO_SWIZZLE = re.compile(r"\s*(?:Sw|S|Swizzle)\s*<")
_AND = re.compile(r"\s+o\s+|\s*∘\s*")
_OFFSET = re.compile(r"\d+|\([\d,() ]+\)")
_POINTER = re.compile(r"smem_ptr\[(\d{1,3})b\]\(unset\)")
_TENSOR = re.compile(  # the prefix of a printed tensor: a pointer, or coordinates that start at 0
    r"\s*(?:(?P<dsl>tensor<)?ptr<.*?>|raw_ptr\([^()]*\)|[gsr]mem_ptr\[\d{1,3}b\]\(0x[0-9a-f]+\)"
    r"|(?:ArithTuple)?\(_?0(?:,_?0)*\))\s+o\s+"
)
MAX_DIGITS, MAX_OFFSET = 7, 400  # limits for a swizzle's numbers and for an offset
_LINEAR = ("{", "#", "-")


def __getattr__(name: str) -> Any:
    return getattr(import_module("symview.cute"), name)


def read_layout_or_tiler(text: str) -> Any:
    """Parses a layout or a composition of layouts, a size, None, or a tuple of these such as `<4:1,_,8>`.

    >>> read_layout_or_tiler("(4,8)"), read_layout_or_tiler("<4:1,_,8>")
    (Layout((4, 8), (1, 4)), (Layout(4, 1), None, 8))
    """
    return parse(text) if BEHIND.match(text) else read_tiler(text, _made)


def read_tiler_of(text: str) -> Any:
    """Parses the layout or tiler that a layout is composed with, divided by or repeated by.

    Raises NotationError for several modes without strides: CuTe's tuple (1,2) is a tile by modes, and (1,2) as a layout
    is another one.
    """
    return parse(text) if BEHIND.match(text) else read_tiler(text, partial(_with_strides, text))


def _with_strides(text: str, shape: Any, stride: Any = None) -> Layout | CoordinateLayout:
    if stride is None and len(shape) > 1:
        layout = f"{profile_text(shape)}:{profile_text(Layout(shape).stride)}"
        message = f"{profile_text(shape)} may be a layout or a tile by modes: write {layout} or {_tile_text(shape)}"
        raise NotationError(message, text, max(text.find("("), 0))
    return _made(shape, stride)


def _tile_text(t: Any) -> str:
    return f"<{','.join(map(_tile_text, t))}>" if isinstance(t, tuple) else profile_text(t)


def read_tuple(text: str) -> Any:
    """Parses a nested tuple, in which `_` is None; text with strides is a layout.

    >>> read_tuple("(4,(2,n))"), read_tuple("(4,_)"), read_tuple("(4,8):(8,1)")
    ((4, (2, n)), (4, None), Layout((4, 8), (8, 1)))
    """
    found = read_layout_or_tiler(text)
    return _with_none(found.shape) if isinstance(found, Layout) and ":" not in text else found


def _with_none(t: Any) -> Any:
    if isinstance(t, tuple):
        return tuple(map(_with_none, t))
    return None if isinstance(t, Int) and str(t) == "_" else t


def reading_text(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a public function of symview.cute so that it accepts text for layouts and tuples, and the DSL's loc and ip.

    `loc` and `ip`, which the DSL's functions take, are ignored.
    """

    @wraps(function)
    def called(*args: Any, **given: Any) -> Any:
        for x in args:  # the fast path if no argument is text
            if x.__class__ is str:
                break
        else:
            if not given:
                return function(*args)
        given.pop("loc", None)  # where the CuTe DSL puts what it emits
        given.pop("ip", None)
        args, given = arguments(function, args, given)
        return function(*args, **given)

    called.__module__, called.__qualname__ = __name__, name  # so that pickle finds it
    return called


def arguments(
    function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with text parsed to layouts and tuples."""
    if not any(type(x) is str for x in (*args, *given.values())):
        return args, given
    named: list[str] = []
    for name, p in signature(function).parameters.items():
        named += [name] * (len(args) if p.kind is Parameter.VAR_POSITIONAL else 1)
    read = [_entry(function, name, x) for name, x in zip(named, args, strict=False)]
    return (*read, *args[len(read) :]), {name: _entry(function, name, x) for name, x in given.items()}


def _entry(function: Callable[..., Any], name: str, x: Any) -> Any:
    if type(x) is not str:
        return x
    if name == "layoutB":
        return read_tiler_of(x)
    takes_layouts = function.__name__ in _OF_LAYOUTS.split() and name in ("x", "a", "b", "tiler")
    if takes_layouts or name in _LAYOUTS.split():
        return read_layout_or_tiler(x)
    return read_tuple(x) if name in _TUPLES.split() else x


def _made(shape: Any, stride: Any = None) -> Layout | CoordinateLayout:
    basis = any(isinstance(d, BasisElement) for d in leaves(stride))
    return CoordinateLayout(shape, stride) if basis else Layout(shape, stride)


def symbols(names: str) -> Any:
    """Symbols for sizes, strides and coordinates: one for one name, a tuple for several.

    A symbol equals the one that `parse` reads for that name. Raises NotationError for text that is not a list of names.

    >>> m, k = symbols("m, k")
    >>> print(Layout((m, 8 * k), (8 * k, 1)), symbols("m") == parse("m:1").shape)
    (m,8*k):(8*k,1) True
    """
    if not isinstance(names, str):
        raise NotationError(f"symbols: {names!r} is not text: give names, as in 'm, k'", str(names), 0)
    found = []
    for word in re.finditer(r"[^\s,]+", names):
        size = Layout.parse(f"{word[0]}:1").shape if NAME.fullmatch(word[0]) and word[0] != "_" else None
        if size is None or str(size) != word[0]:
            raise NotationError(f"symbols: {word[0]!r} is not a name", names, word.start())
        found.append(size)
    if not found:
        raise NotationError("symbols: no name: give some, as in 'm, k'", names, 0)
    return found[0] if len(found) == 1 and "," not in names else tuple(found)


# Layouts, swizzles and their compositions as CuTe and pycute print them


def parse(text: str, symbols: Mapping[str, Any] | None = None) -> Any:
    """Parses a layout, a swizzle, or a composition of several of these with offsets between them.

    Swizzles may be written as CuTe C++, its DSL and pycute print them: `Sw<3,4,3>`, `S<3,4,3>`, `SW_3_4_3`. Linear
    layouts are read by `LinearLayout.parse`. A layout whose strides are basis elements, `1@0`, is a CoordinateLayout.
    `?`, a size or stride that the DSL does not know at compile time, becomes a symbol, and `?{div=4}` 4 times a symbol.
    In place of the offset C++ may print `smem_ptr[16b](unset)`: its swizzle then acts on bytes; the result has the
    equivalent swizzle of 16-bit elements, as in CuTe's `as_position_independent_swizzle_layout`. For a printed tensor
    the result is its layout.

    Raises NotationError, with a caret under the place.

    >>> print(parse("Sw<3,4,3> o _0 o (_8,_64):(_64,_1)"), parse("SW_2_0_3"))
    Sw<3,4,3> o 0 o (8,64):(64,1) Sw<2,0,3>
    >>> print(parse("Sw<3,4,3> o smem_ptr[16b](unset) o (_8,_64):(_64,_1)"))
    Sw<3,3,3> o 0 o (8,64):(64,1)
    >>> parse("S<1,0,2>"), parse("(4,8):(8,1)")
    (Swizzle(1,0,2), Layout((4, 8), (8, 1)))
    >>> print(parse("(4,(5,2)):(1@0,(2@0@1,1@1@1))"), parse("(192,?):(1,?{div=64})"))
    (4,(5,2)):(1@0,(2@0@1,1@1@1)) (192,n1):(1,64*d1)
    >>> print(parse("tensor<ptr<f32, gmem> o (8,5):(5,1)>"), parse("Layout<Shape<_2,_4>,Stride<_4,_1>>"))
    (8,5):(5,1) (2,4):(4,1)
    """
    if not isinstance(text, str):
        raise NotationError(f"{text!r} is not text", str(text), 0)
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
        front, *tail = _AND.split(text)
        at = _offset(tail[0]) if len(tail) > 1 else None
        if at is None:
            return _layout(text, symbols)
        return ComposedLayout(_layout(front, symbols), at, _inner_part(tail[1:], symbols))
    if max(map(len, found.groups())) > MAX_DIGITS:
        raise NotationError(f"a swizzle of numbers of more than {MAX_DIGITS} digits", text, found.start())
    swizzle = Swizzle(*map(int, found.groups()))
    rest = text[found.end() :]
    if not rest.strip():
        return swizzle
    first, *parts = _AND.split(rest)
    if first.strip() or not parts:
        raise NotationError("expected 'o', an offset, 'o' and a layout after the swizzle", text, found.end())
    pointer = _POINTER.fullmatch(parts[0].strip()) if len(parts) == 2 else None
    if pointer is not None:
        return ComposedLayout(_of_elements(swizzle, int(pointer[1]), text), 0, Layout.parse(parts[-1], symbols))
    offset = _offset(parts[0]) if len(parts) > 1 else None
    if len(parts) == 2 and offset is None:
        raise NotationError(
            f"the offset {parts[0].strip()[:40]!r} is not a number", text, text.index(parts[0], found.end())
        )
    return ComposedLayout(swizzle, offset or 0, _inner_part(parts if offset is None else parts[1:], symbols))


def _offset(text: str) -> Any:
    """Parses a number or a coordinate; None if the text is neither or is too long."""
    text = text.strip().replace("_", "")
    if len(text) > MAX_OFFSET or not _OFFSET.fullmatch(text):
        return None
    try:
        return literal_eval(re.sub(r"(?<=[\d)]) *\)", ",)", text))  # (2) is a tuple
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # brackets that do not close, 007
        return None


def _inner_part(parts: list[str], symbols: Mapping[str, Any] | None) -> Any:
    """Parses the layouts after the first offset, which may themselves be a composition."""
    text = " o ".join(parts)
    found = parse(text, symbols)
    if isinstance(found, Swizzle):
        raise NotationError("expected 'o' and a layout after the swizzle", text, len(text))
    return found


def _of_elements(swizzle: Swizzle, bits: int, text: str) -> Swizzle:
    """Converts a swizzle of byte addresses to one of elements with that many bits."""
    if bits not in (1, 2, 4, 8, 16, 32, 64, 128):
        raise NotationError(f"a pointer to elements of {bits} bits: a power of two up to 128", text, text.index("smem"))
    base = swizzle.base + 3 - (bits.bit_length() - 1)
    return Swizzle(max(swizzle.bits + min(base, 0), 0), max(base, 0), swizzle.shift)


def _linear(text: str, symbols: Mapping[str, Any] | None) -> Any:
    """Parses a linear layout, or a composition that starts with one."""
    first, *parts = _AND.split(text)
    linear = LinearLayout.parse(first)
    if not parts:
        return linear
    offset = _offset(parts[0]) if len(parts) > 1 else None
    rest = parts if offset is None else parts[1:]
    return ComposedLayout(linear, offset or 0, parse(" o ".join(rest), symbols))


def _layout(text: str, symbols: Mapping[str, Any] | None) -> Layout | CoordinateLayout:
    if "@" in text:
        shape, stride = read_layout(text, symbols)
        return CoordinateLayout(shape, stride)
    return Layout.parse(text, symbols)
