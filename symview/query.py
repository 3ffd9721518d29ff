"""What a query about two views may be made of, checked once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from symview.engine.index_map import IndexMap
from symview.engine.terms import Term, names
from symview.engine.valid_box import Region
from symview.errors import InputError, NotSupported
from symview.symbols import free_symbols, is_number, parse_statement, to_term, to_text
from symview.view import View


def check_views(views: Sequence[View], what: str) -> None:
    """Raises InputError unless these are views."""
    for view in views:
        if not isinstance(view, View):
            raise InputError(f"{what}: {view!r} is no View; write View(shape, strides) or View.parse(text)")


def numeric_outer(outer: View) -> tuple[int, ...]:
    """The outer shape; raises NotSupported where a size is symbolic."""
    for size in outer.shape:
        if not is_number(size):
            raise NotSupported(f"the outer size {to_text(size)} is symbolic, which is not supported yet: give numbers")
    _check_mask(outer, "outer")
    return outer.shape


def address_map(inner: View) -> IndexMap:
    """The address of the inner view on its whole box; strides and offset are numbers."""
    for what, values in (("stride", inner.strides), ("offset", (inner.offset,))):
        for value in values:
            if not is_number(value):
                raise NotSupported(
                    f"the inner {what} {to_text(value)} is symbolic, which is not supported yet: give numbers"
                )
    _check_mask(inner, "inner")
    return IndexMap(inner.shape, inner.strides, inner.offset)


def _check_mask(view: View, side: str) -> None:
    for value in (x for pair in view.bounds() for x in pair) if view.mask is not None else ():
        if not is_number(value):
            raise NotSupported(f"the {side} mask has the symbolic bound {to_text(value)}: give numbers")


def open_region(inner: View, size: int) -> Region:
    """The part of a numeric inner view that its mask leaves, known to stay inside 0..size−1.

    Raises OutOfBounds, with an index of the view, where it does not.
    """
    bounds: Any = inner.bounds()
    lows = tuple([0 if low >= high else low for low, high in bounds])
    sizes = tuple([max(0, high - low) for low, high in bounds])
    box = address_map(inner)
    region = Region(lows, IndexMap(sizes, box.steps, box.at(lows)))
    if not inner.is_void():
        region.box.check_inside(size, lows)
    return region


def assumptions(assume: Any, views: Sequence[View]) -> list[Term]:
    """What the caller assumes, as formulas; a single relation or several, sympy or text."""
    if assume is None:
        return []
    single = isinstance(assume, str) or not isinstance(assume, Iterable)
    given = [assume] if single else list(assume)
    known = free_symbols([x for v in views for x in v.entries()])
    terms = []
    for one in given:
        if not isinstance(one, str) and hasattr(one, "free_symbols"):
            free_symbols([*known.values(), one])
        term = parse_statement(one) if isinstance(one, str) else to_term(one)
        if not term.is_formula():
            raise InputError(f"assumption {one}: give a comparison such as s >= 2")
        for name in names(term):
            if name not in known:
                raise InputError(f"assumption {one}: {name} is no symbol of this query ({', '.join(known) or 'none'})")
        terms.append(term)
    return terms
