"""Certificates of operations on layouts: the result, and the parts from which it is assembled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symview.answers import ConditionsData
from symview.certificates import case_of, document, tree
from symview.cute.algebra import as_layout, operation, tiling
from symview.cute.comparer import Numbers, need_numbers, quotient
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import IntTuple, entries, product_of
from symview.cute.layout import Layout, make_layout
from symview.cute.modes import by_mode
from symview.logic.budget import DEFAULT
from symview.logic.sympy_bridge import to_term

_GIVEN = {
    "coalesce": (1, 2), "complement": (1, 2), "tile_to_shape": (2, 3),
    "right_inverse": (1,), "left_inverse": (1,), "strict_left_inverse": (1,),
}  # fmt: skip


def certificate(name: str, given: Sequence[Any], answer: Layout) -> dict[str, Any]:
    """The claim that an operation on layouts of numbers has that answer, as JSON for `symview verify`.

    `name` is the function's name and `given` its arguments: composition, coalesce, complement, right_inverse,
    left_inverse, strict_left_inverse, tile_to_shape, or a division or product. It recomputes the parts of the claim,
    and does not check the answer: that is the verifier's task. Raises LayoutError for other operations, and for layouts
    with symbols.

    >>> found = certificate("complement", (Layout((4, 4), (1, 16)), 16), Layout((2, 4), (4, 16)))["claim"]
    >>> found["layouts"], found["bound"]
    ([[{'size': 4, 'stride': 1}, {'size': 4, 'stride': 16}]], 16)
    >>> certificate("logical_divide", (Layout(12), 4), Layout((4, 3), (1, 4)))["claim"]["layout"]
    [{'size': 4, 'stride': 1}, {'size': 3, 'stride': 4}]
    """
    if not isinstance(name, str):
        raise LayoutError(f"certificate: {name!r} is not an operation: give its name, as in 'composition'")
    if not isinstance(given, (tuple, list)):
        raise LayoutError(f"certificate: {given!r} is not a tuple of arguments, as in (A, B)")
    operation(name)  # raises for unknown names
    if len(given) not in _GIVEN.get(name, (2,)):
        raise LayoutError(f"certificate: {name} of {len(given)} layouts; give its operands")
    bound, parts = {}, {}
    if name == "tile_to_shape":
        block, shape, order = tiling(*given)
        given, bound = [block], {"shape": list(shape), "order": list(order)}
        parts = {"parts": [*map(_listed, _met(answer, "blocked_product", answer, None))]}
    elif name == "complement":
        given, bound = given[:1], {"bound": product_of(entries(given[1] if given[1:] else 1, "the bound"))}
    elif name == "coalesce":
        given = [given[0], *[_whole(x) for x in given[1:] if x is not None]]
    if len(given) == 2:
        parts = {"parts": _parts(name, *given)}
    claim = {"operation": name, "layouts": [_tiler(x) for x in given], **bound, "layout": _listed(answer)}
    return document("layout", claim, parts)


def claim_of_cases(name: str, args: tuple[Any, ...], data: ConditionsData) -> dict[str, Any]:
    """The certificate for the conditions of an operation on symbolic layouts."""
    bound: dict[str, Any] = {}
    if name == "complement":
        args, bound = args[:1], {"bound": tree(to_term(product_of(entries(args[1] if args[1:] else 1, "the bound"))))}
    elif name == "tile_to_shape":
        block, shape, order = args
        args, bound = (block,), {"shape": [tree(to_term(n)) for n in shape], "order": list(order)}

    def tiler(x: Any) -> Any:
        return {"modes": [*map(tiler, x)]} if isinstance(x, tuple) else None if x is None else entries_of(x)

    def entries_of(layout: Any) -> Any:
        whole = as_layout(layout, "certificate")
        return _pairs(whole, lambda n, d: {"size": tree(to_term(n)), "stride": tree(to_term(d))})

    def parts_of(layout: Layout | None) -> list[Any]:
        if layout is None:
            return []
        if name == "tile_to_shape":
            met = _met(layout, "blocked_product", layout, None)
        else:
            met = _met(layout, name, as_layout(args[0], "certificate"), args[1]) if len(args) == 2 else []
        return [*map(entries_of, met)]

    answers = [c.answer for c in data.cases]
    found = [None if answer is None else entries_of(answer) for answer in answers]
    cases = [case_of(c, {"layout": layout}) for c, layout in zip(data.cases, found, strict=True)]
    parts = [*map(parts_of, answers)]
    claim = {"operation": name, "layouts": [tiler(x) for x in args], **bound, "facts": [tree(f) for f in data.facts]}
    return document("layout_conditions", {**claim, "cases": cases}, {"parts": parts} if any(parts) else {})


def _met(found: Layout, name: str, layout: Layout, tiler: Any) -> list[Layout]:
    """Splits the answer of an arrangement into parts, one for each mode and tile that were combined."""
    order, _, kind = name.rpartition("_")
    modes = [*found.modes()]
    if order in ("blocked", "raked"):
        pairs = [[*m.modes()][:: 1 if order == "blocked" else -1] for m in modes]
        return [make_layout([make_layout([p[k] for p in pairs]) for k in (0, 1)])]
    if tiler is None:
        return []
    if order in ("", "logical"):
        given = zip(modes, layout.modes(), tiler, strict=False) if isinstance(tiler, tuple) else ()
        parts = [part for m, x, tile in given for part in _met(m, name, x, tile)]
        return parts if isinstance(tiler, tuple) else [found]
    if order in ("tiled", "flat"):
        half = tiler if isinstance(tiler, tuple) else layout if kind == "product" else as_layout(tiler, "certificate")
        first = 1 if order == "tiled" else len(half) if isinstance(half, tuple) else _pieces(modes, half)
        like = layout.shape if kind == "product" else tiler
        halves = [modes[0] if order == "tiled" else _one(modes[:first], like), _one(modes[first:], tiler)]
        return _met(make_layout(halves), f"zipped_{kind}", layout, tiler)
    if not isinstance(tiler, tuple):
        return [found]
    each = zip(modes[0].modes(), modes[1].modes(), layout.modes(), tiler, strict=False)
    return [part for x, y, of, tile in each for part in _met(make_layout([x, y]), f"zipped_{kind}", of, tile)]


def _pieces(modes: Sequence[Layout], of: Layout) -> int:
    """The number of modes into which a tile or a block is split.

    >>> _pieces([*Layout.parse("(n,4//n,2):(2,a,1)").modes()], Layout(4, 2))
    2
    """
    if isinstance(of.shape, tuple):
        return len(of)
    left = of.size()
    for number, mode in enumerate(modes, 1):
        if mode.size() == left:
            return number
        left = quotient(left, mode.size())
    return 1


def _one(modes: Sequence[Layout], like: Any) -> Layout:
    """The modes as one half of an answer; a single mode is not wrapped, unless `like` is a tuple."""
    return modes[0] if len(modes) == 1 and not isinstance(like, tuple) else make_layout([*modes])


def _parts(name: str, layout: Any, tiler: Any) -> list[Any]:
    """The results of the operation for each mode and its tile."""
    order, _, kind = name.rpartition("_")
    found: list[Any] = []
    run = operation(name if kind in ("composition", "coalesce") else f"logical_{kind}")

    def on_part(part: Layout, tile: Any) -> Layout:
        if tile is not None:
            ask = Numbers(DEFAULT.started())
            found.append(_listed(run(ask, part) if kind == "coalesce" else run(ask, part, tile)))
        return part

    if order in ("blocked", "raked"):
        given = [as_layout(x, "a blocked or raked product") for x in (layout, tiler)]
        rank = max(map(len, given))
        layout, tiler = [make_layout([*x.modes(), *[Layout(1, 0)] * (rank - len(x))]) for x in given]
    by_mode(on_part, layout, tiler, name)
    return found


def _whole(profile: Any) -> Any:
    """Replaces the entries of a profile, of which only the nesting matters, by 1."""
    return tuple([_whole(x) for x in profile]) if isinstance(profile, tuple) else 1


def _tiler(x: Any) -> Any:
    if isinstance(x, tuple):
        return {"modes": [_tiler(part) for part in x]}
    return None if x is None else _listed(as_layout(x, "certificate"))


def _listed(layout: Any) -> Any:
    """Converts a layout to JSON: an object of size and stride, or a list."""
    need_numbers(layout, "certificate")
    return _pairs(layout, lambda n, d: {"size": n, "stride": d})


def _pairs(layout: Layout, leaf: Callable[[Any, Any], Any]) -> Any:
    def of(shape: IntTuple, stride: Any) -> Any:
        return [*map(of, shape, stride)] if isinstance(shape, tuple) else leaf(shape, stride)

    return of(layout.shape, layout.stride)
