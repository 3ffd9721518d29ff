"""The replies of the commands that merge views of numbers, or find where that breaks.

`symview merge`, `reshape`, `chain`, `overflows`, `counterexample`, `strides`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice, pairwise

from symview.commands.options import Options
from symview.commands.replies import Code, Reply, reply
from symview.counterexample import Counterexample, Kind
from symview.errors import SymbolError, Undecided
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import is_number
from symview.show.grid import Block, Grid
from symview.view import View, as_views, by_columns, is_fortran, sizes_for, target_shape
from symview.views.merged import break_blocks, merge_reply, merged_blocks, read_views, views_dict
from symview.views.merging import merge as merge_views

_LIBRARIES = ("numpy", "pytorch", "cute", "pycute", "dlpack")


def merge(outer: str, inner: str, more: list[str] | None, options: Options) -> Reply:
    """Merges views into one view, or finds where that breaks, or when they merge if that depends on names."""
    views = read_views(outer, inner, more)
    try:
        merged = merge_views(*views, budget=options.budget)
    except SymbolError:
        if all(view.is_numeric() for view in views):
            raise
        from symview.views.replies_with_names import conditions  # takes long to load

        return conditions(outer, inner, more, "auto", options)

    def blocks() -> Iterator[Block]:
        yield from merged_blocks(merged, views)
        if options.explain:
            yield from _worked_blocks(views, merged, options.rest())

    return merge_reply(isinstance(merged, View), merged, views_dict(views), blocks)


def reshape(view: str, shape: str, order: str, options: Options) -> Reply:
    """Finds the view of another shape with the same elements, or the conditions for one, or why there is none."""
    first = View.parse(view)
    sizes = sizes_for(shape, first)
    if options.assume or options.wants_conditions() or not (first.is_numeric() and all(map(is_number, sizes))):
        from symview.views.replies_with_names import of_reshape  # takes long to load

        return of_reshape(first, sizes, order, options)
    views = [first, View(target_shape(first, sizes))]
    question = {"view_given": str(first), "shape": list(views[1].shape), "order": order}
    if is_fortran(order):
        views = [by_columns(first), View.in_order(views[1].shape, "column_major")]
    merged = merge_views(*views, budget=options.budget)
    shown = (
        None if isinstance(merged, View) or not is_fortran(order) else 1
    )  # the rest numbers the dims of `by_columns`
    blocks = partial(merged_blocks, merged, views, reshaped=True, why=not is_fortran(order))
    return merge_reply(isinstance(merged, View), merged, question, lambda: islice(blocks(), shown))


def chain(views: list[str], equals: list[str] | None, options: Options) -> Reply:
    """Finds fewer views that mean the same as a chain, or decides whether another chain does."""
    given = list(as_views(views, "a view"))
    if equals:
        from symview.commands.verdicts import verdict_reply  # takes long to load
        from symview.views.chains import equivalent  # slow to load

        return verdict_reply(equivalent(given, list(as_views(equals, "a view")), budget=options.budget))
    from symview.views.fewer_views import simplify  # takes long to load

    found = simplify(*given, budget=options.budget)
    texts = list(map(str, found.views))
    why = f"{'minimal' if found.minimal else 'not proved minimal'}: {found.why}"
    fields = {"views": texts, "minimal": found.minimal, "why": found.why}
    return Reply(Code.YES, lambda: fields, lambda: ["\n".join(texts), why])


def overflows(outer: str, inner: str, every: bool, options: Options) -> Reply:
    """Finds which digits overflow into which."""
    from symview.show.overflow_table import overflow_blocks  # takes long to load
    from symview.views.overflow_table import overflows as overflows_of  # slow to load

    first, second = read_views(outer, inner, None)
    table = overflows_of(first, second, every=every, budget=options.budget)
    return Reply(Code.YES if table.complete else Code.UNDECIDED, table.to_dict, lambda: overflow_blocks(table))


def counterexample(outer: str, inner: str, more: list[str] | None, options: Options) -> Reply:
    """Finds the smallest counterexample to merging the views."""
    views = read_views(outer, inner, more)
    found, question = _smallest(views, options), views_dict(views)
    if found is None:
        return reply({**question, "counterexample": None}, "No counterexample: the views merge.")

    fields = {**question, "counterexample": found.to_dict()}
    return Reply(Code.NO, lambda: fields, lambda: break_blocks(found, views))


def strides(view: str, options: Options) -> Reply:
    """Lists the arbitrary strides of a view of numbers, and what libraries put there."""
    given = View.parse(view)
    from symview.views.free_strides import canonical_strides  # only this command needs it

    found = canonical_strides(given)
    tuples = {name: getattr(found, name) for name in _LIBRARIES}
    known = {"view": str(given), "free": list(found.free), "strides": list(found.strides)}
    dims = ", ".join(map(str, found.free))
    free = f"arbitrary strides: dim{'s' if len(found.free) > 1 else ''} {dims}" if dims else "arbitrary strides: none"
    rows = [f"{name:<8} ({','.join(map(str, t))})" for name, t in tuples.items()]
    fields = {**known, **{name: list(t) for name, t in tuples.items()}}
    return Reply(Code.YES, lambda: fields, lambda: [free, "\n".join(rows)])


def _worked_blocks(views: Sequence[View], merged: View | Counterexample, budget: Budget) -> Iterator[Block]:
    """Shows by hand whether views of numbers merge: place values, carries, and their consequence."""
    from symview.show.overflow_table import overflow_blocks  # takes long to load
    from symview.show.steps import setting_blocks, window_blocks  # slow to load
    from symview.views.overflow_table import overflows as overflows_of  # slow to load

    yield from setting_blocks(views)
    yield from window_blocks(views)
    inside = isinstance(merged, View) or merged.kind is not Kind.OUT_OF_BOUNDS
    sized = views[1].is_numeric() and all(map(is_number, views[0].shape))
    if len(views) == 2 and inside and sized and all(v.mask is None for v in views):
        yield from overflow_blocks(overflows_of(views[0], views[1], budget=budget))
    if len(views) > 2:
        yield _neighbours(views, budget)
    if isinstance(merged, View) and merged.is_void():
        yield f"No index is valid, and {merged} says so."
    elif isinstance(merged, View):
        valid = "" if merged.mask is None else f" The valid indices are the box {str(merged).rpartition(' ')[2]}."
        yield f"Every step along an axis moves by the same amount, so one view does: {merged}.{valid}"


def _neighbours(views: Sequence[View], budget: Budget) -> Grid:
    """Merges each view with the next; if two do not merge, the whole chain still may."""
    rows: list[tuple[str, ...]] = []
    for outer, inner in pairwise(views):
        try:
            rows.append((str(outer), str(inner), str(merge_views(outer, inner, budget=budget))))
        except Undecided as stop:
            rows.append((str(outer), str(inner), f"undecided: {stop.reason}"))
    title = "Neighbours first; if two of them are not a single view, the indices that the whole chain reaches decide."
    return Grid(("view", "the next view", "together"), tuple(rows), title)


def _smallest(views: Sequence[View], options: Options) -> Counterexample | None:
    """Finds the smallest counterexample; loads no solver if all entries are numbers."""
    if all(v.is_numeric() for v in views) and not options.at and not options.assume:
        merged = merge_views(*views, budget=options.budget)
        return None if isinstance(merged, View) else merged
    from symview.views.conditions import conditions  # takes long to load

    found = conditions(*views, assume=options.assume, budget=options.budget)
    return found.within(options.rest()).counterexample(options.at or None)
