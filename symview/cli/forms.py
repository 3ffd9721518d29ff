"""The forms in which a command gives conditions: text, JSON, LaTeX, SMT-LIB, Python, a guard's verdict, one point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import symview
from symview.answers import Counterexample, Exact, Status, TooStrong, TooWeak, values_text
from symview.cli.options import Options
from symview.cli.running import Code
from symview.cli.terminal import show, show_json, working
from symview.errors import Undecided
from symview.logic.terms import TRUE, names
from symview.questions.facade import Conditions
from symview.questions.two_views import lowest_valid
from symview.show.conditions import conditions_blocks
from symview.show.counterexample import counterexample_blocks
from symview.show.formulas import clauses_text
from symview.show.grid import Block
from symview.view import View

Values: TypeAlias = Mapping[str, int]


def give(found: Conditions, options: Options, reshaped: bool = False) -> Code:
    """Prints the conditions in that form; the exit code is that of the answer."""
    found = replace(found, budget=options.rest())
    if options.at:
        return _at(found, options, reshaped)
    if options.guard is not None:
        return _compared(found, options.guard, options.json)
    if options.json:
        show_json({**found.to_dict(), **({"python": found.guards()} if options.python else {})})
    elif options.latex or options.smt2 or options.python:
        with working("writing"):
            text = found.to_latex() if options.latex else found.to_smt2().rstrip() if options.smt2 else found.guards()
        show([text])
    else:
        with working("looking at the conditions"):
            blocks = list(conditions_blocks(found, options.explain))
        show(blocks)
    return code_of(found)


def give_merge(
    merged: View | Counterexample, blocks: Sequence[Block], asked: Mapping[str, Any], options: Options
) -> Code:
    """Prints whether views of numbers merge: the blocks that tell it, or as JSON, behind what was asked."""
    if options.json:
        show_json({**asked, **merge_dict(isinstance(merged, View), merged)})
    else:
        show(blocks)
    return Code.YES if isinstance(merged, View) else Code.NO


def code_of(found: Conditions) -> Code:
    """The exit code: 0 where something is possible, 1 where nothing is, 3 where a case is undecided."""
    seen = {case.status for case in found.cases}
    if Status.UNDECIDED in seen:
        return Code.UNDECIDED
    return Code.YES if seen & {Status.ALWAYS, Status.WHEN} else Code.NO


# A guard


def _compared(found: Conditions, guard: str, as_json: bool) -> Code:
    """What the guard is beside the weakest condition."""
    with working("comparing"):
        verdict = found.compare(guard)
    told: dict[str, Any] = {"verdict": "exact", "values": None, "index": None}
    match verdict:
        case TooStrong(values):
            told = {"verdict": "too_strong", "values": dict(values), "index": None}
        case TooWeak(values, index):
            told = {"verdict": "too_weak", "values": dict(values), "index": None if index is None else list(index)}
    if as_json:
        show_json({**found.to_dict(), "guard": told})
    else:
        show([str(verdict)])
    return Code.YES if isinstance(verdict, Exact) else Code.NO


# One point


def _at(found: Conditions, options: Options, reshaped: bool) -> Code:
    """Whether the views merge at these values; with the view, or the break, where no value is missing."""
    with working("looking at these values"):
        merges = _merges(found, options.at)
        agree = merges or _sizes_agree(found, options.at)
        merged: View | Counterexample | None = None
        if agree and not _missing(found, options.at):
            views = [v.with_values(options.at) for v in found.views]
            merged = symview.merge(*views, budget=found.budget) if merges else found.counterexample(options.at)
        blocks = [] if options.json else list(_point_blocks(found, options.at, merges, merged, reshaped))
    if options.json:
        sizes = {} if found.data.fitting is None else {"sizes_agree": agree}
        show_json({**views_dict(found.views), "values": dict(options.at), **merge_dict(merges, merged), **sizes})
    else:
        show(blocks)
    return Code.YES if merges else Code.NO


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
    masked = any(v.mask is not None for v in views)
    lows = lowest_valid([v.with_values(broken.values) for v in views]) if masked else None
    return counterexample_blocks(broken, *views, lows=lows)


def refusal_blocks(broken: Counterexample, view: View, target: View) -> Iterator[Block]:
    """Why a view of numbers has no such shape: where it breaks, and which dims would have to be contiguous."""
    yield from break_blocks(broken, view, target)
    for obstacle in symview.why_not(view, target.shape) if view.mask is None else ():
        yield f"{obstacle}."


# Views and merges for JSON


def views_dict(views: Sequence[View]) -> dict[str, Any]:
    """The views of a query."""
    return {"outer": str(views[0]), "inner": str(views[-1]), "views": list(map(str, views))}


def merge_dict(merges: bool, merged: View | Counterexample | None) -> dict[str, Any]:
    """Whether views merge, and the view or the break; both are null where values are missing."""
    if not isinstance(merged, View):
        return {"merges": merges, "view": None, "counterexample": None if merged is None else merged.to_dict()}
    view = {
        "text": str(merged), "shape": list(merged.shape), "strides": list(merged.strides), "offset": merged.offset,
        "mask": None if merged.mask is None else [list(pair) for pair in merged.bounds()], "empty": merged.is_void(),
    }  # fmt: skip
    return {"merges": merges, "view": view, "counterexample": None}
