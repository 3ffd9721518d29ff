"""The commands on the values of layouts: `symview linear`, `banks`, `footprint`."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from symview import cute
from symview.answers import Status
from symview.cli.options import Options
from symview.cli.replies import Code, Reply, reply
from symview.errors import InputError, Undecided
from symview.logic.notation import term_text
from symview.view import View

if TYPE_CHECKING:
    from symview.cute.linear.conditions import StrideConditions


def linear(a: str, b: str | None, size: int | None, names: str | None, options: Options) -> Reply:
    """A layout as a linear, a strided and a swizzled one; or two compared."""
    x = _with_values(cute.parse(a), options)
    if b is None:
        return _one(x, size, names, options)
    if size is not None or names is not None:
        raise cute.LayoutError("--size and --names are about one layout: leave B away")
    y = _with_values(cute.parse(b), options)
    if _has_symbols(x) or _has_symbols(y):
        return _of_strides(cute.same_function_conditions(x, y, options.budget))
    same = cute.same_function(x, y, options.budget)
    if same is True:
        return reply({"same": True, "difference": None}, "the same function")
    difference = {"index": same.index, "left": same.left, "right": same.right}
    return reply({"same": False, "difference": difference}, same, yes=False)


def banks(
    layout: str, banks: int, width: int, threads: int, element_bytes: int | None, vector: int, options: Options
) -> Reply:
    """How many ways an access to shared memory takes, at worst."""
    given = _with_values(cute.parse(layout), options, strict=True)
    size = width if element_bytes is None else element_bytes
    memory = {"banks": banks, "width": width, "threads": threads, "bytes": size, "vector": vector}
    asked = {"layout": layout, **memory, "values": dict(options.at)}
    try:
        found = cute.bank_conflicts(
            given, banks, width, threads, element_bytes=size, vector=vector, budget=options.budget
        )
    except cute.NoAnswer as error:
        return reply({**asked, "not_aligned": str(error)}, error, yes=False)
    if hasattr(found, "modulus"):
        return Reply(Code.YES, lambda: {**asked, "by_stride": found.to_dict()}, lambda: [str(found)], conditional=True)
    return reply({**asked, "conflicts": found.to_dict()}, found, yes=not found)


def footprint(layout: str, options: Options) -> Reply:
    """From where to where the values of a layout reach, how many there are, and how they lie."""
    given, budget = _with_values(cute.parse(layout), options, strict=True), options.budget
    open_names = given.symbols() if isinstance(given, cute.Layout | cute.ComposedLayout) else ()
    if open_names:
        shown = " ".join(f"--at {name}=4" for name in open_names)
        has = f"footprint of {layout}, which has the symbols {', '.join(open_names)}"
        raise InputError(f"{has}: give numbers, such as {shown}")
    places, gap = cute.footprint(given, budget), cute.image(given, budget).gap
    dense, onto = cute.is_contiguous(given, budget), cute.is_surjective(given, budget=budget)
    vector, order = cute.vector_width(given, budget), None
    with suppress(Undecided):
        order = cute.order(given, budget) if dense else None
    fields = {
        "layout": layout, "values": dict(options.at), **places.to_dict(), "gap": gap,
        **{name: True if x is True else x.to_dict() for name, x in (("contiguous", dense), ("onto", onto))},
        "vector": vector.to_dict(), "order": order,
    }  # fmt: skip
    rows = [
        ("values", str(places)), ("contiguous", "yes" if dense is True else f"no: {dense}"),
        (f"onto 0…{places.greatest}", "yes" if onto is True else f"no: {onto}"), ("vector", str(vector)),
    ]  # fmt: skip
    if dense is True:
        rows.append(("order", "undecided" if order is None else str(order)))
    return reply(fields, "\n".join(f"{name:<12} {text}" for name, text in rows))


def _with_values(layout: Any, options: Options, strict: bool = False) -> Any:
    """The layout with the numbers of `--at`; `strict`: InputError where it has no names."""
    if not options.at:
        return layout
    if strict and not hasattr(layout, "with_values"):
        raise InputError(f"--at: {layout} has no symbols")
    return layout.with_values(options.at) if hasattr(layout, "with_values") else layout


def _has_symbols(x: Any) -> bool:
    return isinstance(x, cute.Layout | cute.ComposedLayout) and bool(x.symbols())


# A layout in other forms


def _one(x: Any, size: int | None, names: str | None, options: Options) -> Reply:
    if isinstance(x, cute.Layout) and size is None and _has_symbols(x):
        return _of_strides(cute.to_linear_conditions(x, options.budget))
    view = cute.to_view(x, size, options.budget)
    found = cute.to_linear(x, None if names is None else tuple(names.split(",")), size, options.budget)
    strided = view if isinstance(view, View) else None
    layout = None if strided is None else str(cute.Layout.from_view(View(strided.shape, strided.strides)))
    swizzled = injective = None
    if isinstance(found, cute.LinearLayout) and found.size() == (x.size() if size is None else size):
        swizzled, injective = None if view else cute.to_swizzled(found), found.is_injective()
    one = str(swizzled) if isinstance(swizzled, cute.ComposedLayout) else None
    fields = {
        "linear": str(found) if found else None,
        "not_linear": None if isinstance(found, cute.LinearLayout) else _witness(found),
        "layout": layout,
        "offset": None if strided is None else strided.offset,
        "not_strided": _witness(view) if strided is None else None,
        "swizzled": one,
        "injective": injective,
    }
    offset = f" + {strided.offset}" if strided is not None and strided.offset else ""
    rows = [("linear", str(found)), ("strided", str(view) if layout is None else f"{layout}{offset}")]
    if swizzled is not None:
        rows.append(("swizzled", one or "by no single swizzle"))
    if injective is not None:
        rows.append(("injective", "yes" if injective else "no"))
    return reply(fields, "\n".join(f"{name:<10} {text}" for name, text in rows), yes=bool(found))


def _witness(found: Any) -> dict[str, Any]:
    return {"index": found.index, "expected": found.expected, "got": found.got, "reason": found.reason}


def _of_strides(found: StrideConditions) -> Reply:
    never = found.status is Status.NEVER
    equations = [] if never else [term_text(e) for e in found.required]
    fields = {"headline": str(found), "status": str(found.status), "equations": equations}
    conditional = found.status is Status.WHEN
    return Reply(Code.NO if never else Code.YES, lambda: fields, lambda: [str(found)], conditional)
