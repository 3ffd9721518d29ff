"""Types of `memref` and `tensor` as views; every `?` becomes a name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from symview.errors import InputError, NotationError
from symview.logic.integer import of_term
from symview.logic.notation import parse_expression
from symview.logic.terms import names, num, substituted, sym
from symview.view import View

_DIMS = re.compile(r"\s*(?:(?:\?|\d+)\s*x\s*)*")
_LAYOUT = re.compile(r"strided\s*<\s*\[([^\]]*)\]\s*(?:,\s*offset\s*:\s*(\?|-?\d+)\s*)?>")
_ELEMENT = re.compile(r"[!#]?[A-Za-z][\w.$]*\s*(<.*>)?", re.DOTALL)
# a number, or an attribute with its dialect such as #gpu.address_space<workgroup>; the alias #map may be a layout
_SPACE = re.compile(r"\d+(\s*:\s*\w+)?|#\w+\.\w*(space|storage)\w*(\s*<.*>)?", re.DOTALL)
_MAP = re.compile(r"affine_map\s*<\s*\(([\w\s,]*)\)\s*(?:\[([\w\s,]*)\])?\s*->\s*\((.*)\)\s*>", re.DOTALL)
_OPENING, _CLOSING = "<([{", ">)]}"


@dataclass(frozen=True, slots=True)
class Type:
    """A type in parts: `view` is its view, `element` the element type, `rest` the parts after the layout.

    `strided`: the layout is explicit; otherwise it is row-major.
    """

    kind: str
    view: View
    element: str
    rest: tuple[str, ...] = ()
    strided: bool = False


def read_type(text: str) -> View:
    """The view of a `memref` or `tensor` type, in elements.

    A `?` of dim i becomes the size di or the stride si, a `?` as the offset becomes o. A type without a layout is
    row-major, and so is a tensor. Element type, memory space and a tensor's encoding are ignored.
    A layout may be an affine map (d0, d1)[s0] -> (d0*s0 + d1 + 3), whose symbols keep their names.
    Raises InputError if the text is no such type, the type is unranked, or the layout is another map or an alias.

    >>> print(read_type("memref<3x4x?xf32, strided<[24, 3, ?], offset: ?>>"))
    (3,4,d2):(24,3,s2)+o
    >>> print(read_type("tensor<?x8xf16>"))
    (d0,8):(8,1)
    """
    return parsed(text).view


def parsed(text: str) -> Type:
    """The type in parts."""
    whole = re.fullmatch(r"\s*(memref|tensor)\s*<(.*)>\s*", text, re.DOTALL) if isinstance(text, str) else None
    if whole is None:
        raise InputError(f"{text}: give a type such as memref<3x?xf32, strided<[?, 1], offset: ?>>")
    first, *rest = _parts(whole[2])
    if first.lstrip().startswith("*"):
        raise InputError(f"{text}: an unranked type has no shape")
    dims = _DIMS.match(first)
    given = re.findall(r"\?|\d+", dims[0]) if dims else []
    element = first[dims.end() if dims else 0 :].strip()
    if not _ELEMENT.fullmatch(element):
        raise InputError(f"{text}: a type ends with that of its elements, as in memref<3x4xf32>")
    shape = ",".join(f"d{n}" if d == "?" else d for n, d in enumerate(given))
    layout = rest[0].strip() if rest else ""
    strided = layout.startswith("strided") and whole[1] == "memref"
    mapped = layout.startswith("affine_map") and whole[1] == "memref"
    if len(rest) > 1 + (strided or mapped) or any(one.lstrip().startswith("strided") for one in rest[strided:]):
        raise InputError(f"{text}: after the elements a memref has a layout and a memory space, a tensor its encoding")
    if strided:
        view = View.parse(f"({shape}):{_strides(text, layout, len(given))}")
        return Type(whole[1], view, element, tuple(rest[1:]), strided=True)
    if mapped:
        return Type(whole[1], _mapped(text, layout, View.parse(f"({shape})")), element, tuple(rest[1:]), strided=True)
    if layout and whole[1] == "memref" and not _SPACE.fullmatch(layout):
        instead = "give a layout as strided<[…], offset: …>, not as an affine map or an alias"
        raise InputError(f"{text}: {instead}; leave {layout} out if it is none")
    return Type(whole[1], View.parse(f"({shape})"), element, tuple(rest))


def _mapped(text: str, layout: str, view: View) -> View:
    """The view with the strides of an affine map to one address, a sum of products of a dim and what is no dim."""
    refused = InputError(f"{text}: write a layout as strided<[…], offset: …>; this affine map is no sum of strides")
    match = _MAP.fullmatch(layout)
    if match is None:
        raise refused
    dims, symbols = [[x.strip() for x in listed.split(",") if x.strip()] for listed in (match[1], match[2] or "")]
    if len({*dims}) != len(view.shape) or len(dims) != len(view.shape):
        raise refused
    if dims == [x.strip() for x in match[3].split(",")]:
        return view
    try:
        address = parse_expression(match[3])
    except NotationError:
        raise refused from None
    known = {*names(address)} <= {*dims, *symbols} and not {*symbols} & {*dims, *view.symbols()}
    if not known:
        raise refused
    offset = substituted(address, dict.fromkeys(dims, num(0)))
    alone = [substituted(address, {d: num(int(d == dim)) for d in dims}) for dim in dims]
    start = of_term(offset)
    strides = [of_term(one) - start for one in alone]
    linear = sum([of_term(sym(d)) * s for d, s in zip(dims, strides, strict=True)], start)
    if of_term(address) != linear:
        raise refused
    return View(view.shape, strides, start)


def _strides(text: str, layout: str, rank: int) -> str:
    """The strides and the offset of a layout, in the notation of views."""
    match = _LAYOUT.fullmatch(layout)
    if match is None:
        raise InputError(f"{text}: cannot read the layout {layout}")
    strides = [part.strip() for part in match[1].split(",")] if match[1].strip() else []
    if len(strides) != rank:
        raise InputError(f"{text}: {rank} dims, and {len(strides)} strides")
    if not all(re.fullmatch(r"\?|-?\d+", s) for s in strides):
        raise InputError(f"{text}: a stride is a number or ?")
    named = ",".join(f"s{n}" if s == "?" else s for n, s in enumerate(strides))
    return f"({named})+{'o' if match[2] == '?' else match[2] or 0}"


def _parts(text: str) -> list[str]:
    """The parts separated by commas outside of brackets."""
    found, depth = [""], 0
    for char, before in zip(text, f" {text}", strict=False):
        depth += (char in _OPENING) - (char in _CLOSING and f"{before}{char}" != "->")
        if char == "," and depth == 0:
            found.append("")
        else:
            found[-1] += char
    return found


def type_text(kind: str, view: View, element: str, rest: Sequence[str] = ()) -> str:
    """A view as a type: entries that are not numbers become `?`, and a row-major layout of numbers is omitted.

    >>> type_text("memref", View.parse("(n,4):(s,1)+o"), "f32")
    'memref<?x4xf32, strided<[?, 1], offset: ?>>'
    """
    dims = "".join(f"{_shown(n)}x" for n in view.shape)
    parts = [f"{dims}{element}"]
    if kind == "memref" and (view.strides != View(view.shape).strides or view.offset != 0):
        offset = "" if view.offset == 0 else f", offset: {_shown(view.offset)}"
        parts.append(f"strided<[{', '.join(map(_shown, view.strides))}]{offset}>")
    return f"{kind}<{', '.join([*parts, *(r.strip() for r in rest)])}>"


def _shown(entry: object) -> str:
    return str(entry) if isinstance(entry, int) else "?"
