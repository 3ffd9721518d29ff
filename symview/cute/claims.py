"""What an operation on layouts of numbers gives, as a certificate, with the parts that it is made of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symview.certificates import document, tree
from symview.cute.algebra import Complemented, as_layout, operation
from symview.cute.comparer import Numbers, need_numbers
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import IntTuple, entries, product_of
from symview.cute.layout import Layout, make_layout
from symview.cute.modes import by_mode
from symview.errors import InputError
from symview.logic.budget import DEFAULT
from symview.logic.sympy_bridge import to_term

_ALONE = ("right_inverse", "left_inverse", "strict_left_inverse")


def claim(name: str, given: Sequence[Any], answer: Layout) -> dict[str, Any]:
    """The certificate that the operation of that name gives the answer; the work is done again for its parts."""
    if len(given) not in ((1, 2) if name in ("coalesce", "complement") else (1,) if name in _ALONE else (2,)):
        raise LayoutError(f"certificate: {name} of {len(given)} layouts; give those that it was asked of")
    bound, parts = {}, {}
    if name == "complement":
        given, bound = given[:1], {"bound": product_of(entries(given[1] if given[1:] else 1, "the bound"))}
    elif name == "coalesce":
        given = [given[0], *[_whole(x) for x in given[1:] if x is not None]]
    question = {"operation": name, "layouts": [_tiler(x) for x in given], **bound}
    if len(given) == 2:
        parts = {"parts": _parts(name, *given)}
    return document("layout", question, {"layout": _listed(answer), **parts})


def claim_of_cases(data: Any) -> dict[str, Any]:
    """The certificate of the conditions of a composition or a coalesced layout with symbols."""
    name, args = data.question.operation, data.question.args
    if name not in ("composition", "coalesce"):
        raise InputError(f"certificate: of compositions and coalesced layouts, not of {name}")

    def tiler(x: Any) -> Any:
        return {"modes": [*map(tiler, x)]} if isinstance(x, tuple) else None if x is None else entries_of(x)

    def entries_of(layout: Layout) -> Any:
        return _pairs(layout, lambda n, d: {"size": tree(to_term(n)), "stride": tree(to_term(d))})

    cases = [
        {"where": tree(c.where), "status": str(c.status), "equations": [tree(e) for e in c.required],
         "layout": None if c.layout is None else entries_of(c.layout), "reason": c.reason}
        for c in data.cases
    ]  # fmt: skip
    question = {"operation": name, "layouts": [tiler(x) for x in args], "facts": [tree(f) for f in data.facts]}
    return document("layout_conditions", question, {"cases": cases})


def _parts(name: str, layout: Any, tiler: Any) -> list[dict[str, Any]]:
    """What the operation gives on each two layouts that meet, with the complement that it takes."""
    order, _, kind = name.rpartition("_")
    found: list[dict[str, Any]] = []
    steps: list[Any] = []
    run = operation(name if kind in ("composition", "coalesce") else f"logical_{kind}")

    def on_part(part: Layout, tile: Any) -> Layout:
        if tile is not None:
            steps.clear()
            ask = Numbers(DEFAULT.started(), steps.append)
            given = run(ask, part) if kind == "coalesce" else run(ask, part, tile)
            places = [_listed(s.complement) for s in steps if isinstance(s, Complemented)]
            found.append({"layout": _listed(given), **({"complement": places[0]} if places else {})})
        return part

    if order in ("blocked", "raked"):
        given = [as_layout(x, "a blocked or raked product") for x in (layout, tiler)]
        rank = max(map(len, given))
        layout, tiler = [make_layout([*x.modes(), *[Layout(1, 0)] * (rank - len(x))]) for x in given]
    by_mode(on_part, layout, tiler, name)
    return found


def _whole(profile: Any) -> Any:
    """A profile, of which only the nesting counts."""
    return tuple([_whole(x) for x in profile]) if isinstance(profile, tuple) else 1


def _tiler(x: Any) -> Any:
    if isinstance(x, tuple):
        return {"modes": [_tiler(part) for part in x]}
    return None if x is None else _listed(as_layout(x, "certificate"))


def _listed(layout: Any) -> Any:
    """[size, stride], or a list of layouts."""
    need_numbers(layout, "certificate")
    return _pairs(layout, lambda n, d: [n, d])


def _pairs(layout: Layout, leaf: Callable[[Any, Any], Any]) -> Any:
    def of(shape: IntTuple, stride: Any) -> Any:
        return [*map(of, shape, stride)] if isinstance(shape, tuple) else leaf(shape, stride)

    return of(layout.shape, layout.stride)
