"""The forms in which a command tells conditions: text, JSON, LaTeX, SMT-LIB, Python, a guard's verdict, one point."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

import symview
from symview.answers import Counterexample, Exact, Kind, Status, TooStrong, TooWeak, values_text
from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import is_number, to_text
from symview.logic.terms import TRUE, names
from symview.show.grid import Block, Grid
from symview.view import View

if TYPE_CHECKING:
    from symview.questions.facade import Conditions

Values: TypeAlias = Mapping[str, int]


def give(found: Conditions, options: Options, reshaped: bool = False) -> Reply:
    """The conditions in that form; the code is that of the answer."""
    from symview.show.conditions import conditions_blocks

    found = found.within(options.rest())
    if options.at:
        reply = _at(found, options, reshaped)
        return replace(reply, blocks=lambda: [test_of(found, options.at)]) if options.pytest else reply
    if options.guard is not None:
        return compared(found, options.guard)

    def blocks() -> Iterator[Block]:
        if options.latex or options.smt2 or options.python:
            yield found.to_latex() if options.latex else found.to_smt2().rstrip() if options.smt2 else found.guards()
        elif options.pytest:
            yield test_of(found, {})
        else:
            yield from conditions_blocks(found, options.explain, options.cap())

    return conditions_reply(found, options, blocks)


def conditions_reply(found: Conditions, options: Options, blocks: Callable[[], Iterable[Block]]) -> Reply:
    """Conditions as a reply, whose JSON has the check as Python where that is asked for."""
    code, sure = code_of(found)
    python = {"python": found.guards()} if options.python and options.json else {}
    return Reply(code, lambda: {**found.to_dict(), **python}, blocks, conditional=not sure)


def merge_reply(
    merged: View | Counterexample, blocks: Callable[[], Iterable[Block]], asked: Mapping[str, Any]
) -> Reply:
    """Whether views of numbers merge: the blocks that tell it, or as JSON, behind what was asked."""
    merges = isinstance(merged, View)
    return Reply(Code.YES if merges else Code.NO, lambda: {**asked, **merge_dict(merges, merged)}, blocks)


def test_of(found: Conditions, values: Values) -> str:
    """A test of examples on both sides of each condition, or of what the views do at these values of all symbols."""
    from symview.questions.examples import example_at
    from symview.show.numpy_test import numpy_test

    if values:
        found.counterexample(values)  # which says what values are no such
    chosen = [example_at(found.data, values, found.budget)] if values else found.examples()
    return numpy_test(f"{' then '.join(map(str, found.views))}: where they merge, and where not.", chosen).rstrip()


def code_of(found: Conditions) -> tuple[Code, bool]:
    """0 where something is possible, 1 where nothing is, 3 where a case is undecided; and whether it always is."""
    seen = {case.status for case in found.cases}
    if Status.UNDECIDED in seen:
        return Code.UNDECIDED, False
    if not seen & {Status.ALWAYS, Status.WHEN}:
        return Code.NO, False
    return Code.YES, seen == {Status.ALWAYS} and not getattr(found, "clauses", None)


# A guard


def compared(found: Conditions, guard: str) -> Reply:
    """What the guard is beside the weakest condition."""
    verdict = found.compare(guard)
    told: dict[str, Any] = {"verdict": "exact", "values": None, "index": None}
    match verdict:
        case TooStrong(values):
            told = {"verdict": "too_strong", "values": dict(values), "index": None}
        case TooWeak(values, index):
            told = {"verdict": "too_weak", "values": dict(values), "index": None if index is None else list(index)}
    code = Code.YES if isinstance(verdict, Exact) else Code.NO
    return Reply(code, lambda: {**found.to_dict(), "guard": told}, lambda: [str(verdict)])


# One point


def _at(found: Conditions, options: Options, reshaped: bool) -> Reply:
    """Whether the views merge at these values; with the view, or the break, where no value is missing."""
    merges = _merges(found, options.at)
    agree = merges or _sizes_agree(found, options.at)
    merged: View | Counterexample | None = None
    if agree and not _missing(found, options.at):
        views = [v.with_values(options.at) for v in found.views]
        merged = symview.merge(*views, budget=found.budget) if merges else found.counterexample(options.at)
    sizes = {} if found.data.fitting is None else {"sizes_agree": agree}

    def told() -> dict[str, Any]:
        return {**views_dict(found.views), "values": dict(options.at), **merge_dict(merges, merged), **sizes}

    code = Code.YES if merges else Code.NO
    return Reply(code, told, lambda: _point_blocks(found, options.at, merges, merged, reshaped))


def _missing(found: Conditions, values: Values) -> bool:
    """Whether a symbol has no value."""
    return any(n not in values for n in found.symbols())


def _merges(found: Conditions, values: Values) -> bool:
    """What the conditions say; where they leave it open, what the numbers say."""
    try:
        return found.holds(values)
    except Undecided:
        if _missing(found, values):
            raise
        return found.counterexample(values) is None


def _sizes_agree(found: Conditions, values: Values) -> bool:
    """Whether nothing is known against it: values may be missing."""
    known = found.data.fitting is not None and all(n in values for n in names(found.data.fitting))
    return not known or found.sizes_agree(values)


def _point_blocks(
    found: Conditions, values: Values, merges: bool, merged: View | Counterexample | None, reshaped: bool
) -> Iterator[Block]:
    """Whether the views merge there, and the view, the break, or what is missing to say where it breaks."""
    from symview.show.formulas import clauses_text

    listed = values_text(values)
    if merges:
        yield f"The views merge with {listed}{'.' if merged is None else f': {merged}'}"
    elif isinstance(merged, Counterexample):
        old, new = found.outer.with_values(values), found.inner.with_values(values)
        yield from refusal_blocks(merged, old, new) if reshaped else break_blocks(merged, *found.views)
    elif not _sizes_agree(found, values):
        agreeing = clauses_text([found.data.fitting or TRUE])
        yield f"The views do not merge with {listed}: the sizes do not agree, which takes {agreeing}."
    else:
        yield f"The views do not merge with {listed}."
        yield str(found)


def break_blocks(broken: Counterexample, *views: View) -> Iterator[Block]:
    """Where the views break; behind masks, the steps are counted from the first valid index."""
    from symview.questions.two_views import lowest_valid
    from symview.show.counterexample import counterexample_blocks

    masked = any(v.mask is not None for v in views)
    lows = lowest_valid([v.with_values(broken.values) for v in views]) if masked else None
    return counterexample_blocks(broken, *views, lows=lows)


def refusal_blocks(broken: Counterexample, view: View, target: View) -> Iterator[Block]:
    """Why a view of numbers has no such shape: where it breaks, and which dims would have to be contiguous."""
    yield from break_blocks(broken, view, target)
    for obstacle in symview.why_not(view, target.shape) if view.mask is None else ():
        yield f"{obstacle}."


# Step by step


def worked_blocks(views: Sequence[View], merged: View | Counterexample, budget: Budget) -> Iterator[Block]:
    """How a person works out whether views of numbers merge: place values, carries, and what they say together."""
    from symview.show.overflow_table import overflow_blocks
    from symview.show.worked import setting_blocks, window_blocks

    yield from setting_blocks(views)
    yield from window_blocks(views)
    inside = isinstance(merged, View) or merged.kind is not Kind.OUT_OF_BOUNDS
    sized = views[1].is_numeric() and all(map(is_number, views[0].shape))
    if len(views) == 2 and inside and sized and all(v.mask is None for v in views):
        yield from overflow_blocks(symview.overflows(views[0], views[1], budget=budget))
    if len(views) > 2:
        yield _neighbours(views, budget)
    if isinstance(merged, View) and merged.is_void():
        yield f"No index is valid, and {merged} says so."
    elif isinstance(merged, View):
        valid = "" if merged.mask is None else f" The valid indices are the box {str(merged).rpartition(' ')[2]}."
        yield f"Every step along an axis moves by the same amount, so one view does: {merged}.{valid}"


def _neighbours(views: Sequence[View], budget: Budget) -> Grid:
    """What comes of each view and the one behind it; where two are no view, the whole chain may still be one."""
    rows: list[tuple[str, ...]] = []
    for outer, inner in pairwise(views):
        try:
            rows.append((str(outer), str(inner), str(symview.merge(outer, inner, budget=budget))))
        except Undecided as stop:
            rows.append((str(outer), str(inner), f"undecided: {stop.reason}"))
    title = "Neighbours first; where two of them are no single view, the indices that the whole chain reaches decide."
    return Grid(("view", "the one behind it", "together"), tuple(rows), title)


# Views and merges for JSON


def views_dict(views: Sequence[View]) -> dict[str, Any]:
    """The views of a query."""
    return {"outer": str(views[0]), "inner": str(views[-1]), "views": list(map(str, views))}


def merge_dict(merges: bool, merged: View | Counterexample | None) -> dict[str, Any]:
    """Whether views merge, and the view or the break; both are null where values are missing."""
    if not isinstance(merged, View):
        return {"merges": merges, "view": None, "counterexample": None if merged is None else merged.to_dict()}
    mask = None if merged.mask is None else [list(map(_entry, pair)) for pair in merged.bounds()]
    shape, strides = (list(map(_entry, entries)) for entries in (merged.shape, merged.strides))
    view = {
        "text": str(merged), "shape": shape, "strides": strides, "offset": _entry(merged.offset), "mask": mask,
        "empty": merged.is_void(),
    }  # fmt: skip
    return {"merges": merges, "view": view, "counterexample": None}


def _entry(entry: Any) -> int | str:
    """A number, or the text of an expression."""
    return entry if is_number(entry) else to_text(entry)
