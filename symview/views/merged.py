"""What commands reply about views that merge, or where they break: as text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from symview.commands.replies import Code, Reply
from symview.counterexample import Counterexample
from symview.displayed import Json
from symview.logic.integer import Integer
from symview.logic.sympy_bridge import is_number, to_text
from symview.show.grid import Block
from symview.view import View, as_views


def read_views(outer: str, inner: str, more: list[str] | None) -> list[View]:
    """Parses the views of a chain, from the outer one on."""
    return list(as_views((outer, inner, *(more or ())), "a view"))


def merge_reply(
    merges: bool,
    merged: View | Counterexample | None,
    question: Json,
    blocks: Callable[[], Iterable[Block]],
    more: Json | None = None,
) -> Reply:
    """Replies whether views merge; its JSON has the question, the view and the break, null if values are missing."""

    def fields() -> Json:
        view = _view_dict(merged) if isinstance(merged, View) else None
        broken = merged.to_dict() if isinstance(merged, Counterexample) else None
        return {**question, "merges": merges, "view": view, "counterexample": broken, **(more or {})}

    return Reply(Code.YES if merges else Code.NO, fields, blocks)


def merged_blocks(
    merged: View | Counterexample, views: Sequence[View], reshaped: bool = False, why: bool = True
) -> Iterator[Block]:
    """Shows the merged view, or the counterexample; for a reshape first which dims would have to be contiguous.

    Without `why` it does not say that, as the dims of the first view are not those of the question.
    """
    if isinstance(merged, View):
        yield str(merged)
        return
    headline, *steps = break_blocks(merged, views)
    if reshaped:
        head, _, where = str(headline).replace("The views do not merge", "No view").partition(".\n")
        obstacles = _obstacles(views) if why else ""
        headline = f"{head}{': ' * bool(obstacles)}{obstacles}.\n{where}"
        steps = [_of_given(block) for block in steps]
    yield from (headline, *steps)


def _of_given(block: Block) -> Block:
    """The steps of a reshape, whose outer view is the one that was given."""
    from symview.show.steps import OUTER  # takes long to load

    if isinstance(block, str):
        return block
    return block._replace(header=tuple("in the given view" if head == OUTER else head for head in block.header))


def _obstacles(views: Sequence[View]) -> str:
    """Which dims would have to be contiguous for a reshape; empty for a view with a mask."""
    from symview.views.reshaping import why_not  # takes long to load

    return "" if views[0].mask is not None else "; ".join(map(str, why_not(views[0], views[1].shape)))


def break_blocks(broken: Counterexample, views: Sequence[View]) -> Iterator[Block]:
    """Shows a counterexample; with masks, steps are counted from the first valid index."""
    from symview.show.steps import counterexample_blocks  # takes long to load
    from symview.views.two_views import lowest_valid  # slow to load

    masked = any(v.mask is not None for v in views)
    lows = lowest_valid([v.with_values(broken.values) for v in views]) if masked else None
    return counterexample_blocks(broken, *views, lows=lows)


def views_dict(views: Sequence[View]) -> Json:
    """The views of a query, for JSON."""
    return {"outer": str(views[0]), "inner": str(views[-1]), "views": list(map(str, views))}


def _view_dict(view: View) -> Json:
    """A merged view, for JSON."""
    mask = None if view.mask is None else [list(map(_entry, pair)) for pair in view.bounds()]
    shape, strides = (list(map(_entry, entries)) for entries in (view.shape, view.strides))
    return {
        "text": str(view), "shape": shape, "strides": strides, "offset": _entry(view.offset), "mask": mask,
        "empty": view.is_void(),
    }  # fmt: skip


def _entry(entry: Integer) -> int | str:
    """A number, or the text of an expression."""
    return entry if is_number(entry) else to_text(entry)
