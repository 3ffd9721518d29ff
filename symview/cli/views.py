"""The commands on views: merging, and properties of one view.

`symview conditions`, `merge`, `reshape`, `chain`, `overflows`, `counterexample`, `shard`; `dense`, `injective`,
`contiguous`, `overlap`, `strides`; `draw`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import symview
from symview.answers import Status
from symview.cli.options import Options
from symview.cli.replies import Code, Found, Reply, conditions_reply, reply
from symview.counterexample import Counterexample, Kind, values_text
from symview.displayed import Json
from symview.errors import InputError, Undecided
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import Integer, is_number, to_text
from symview.logic.terms import TRUE, names
from symview.show.grid import Block, Grid
from symview.view import View
from symview.view_notation import read_shape

if TYPE_CHECKING:
    from symview.cases.examples import Example
    from symview.engine.overflow_space import Engine
    from symview.pictures.shapes import Picture

_LIBRARIES = ("numpy", "pytorch", "cute", "pycute", "dlpack")


def conditions(outer: str, inner: str, more: list[str] | None, engine: str, options: Options) -> Reply:
    """Finds the conditions under which the views merge."""
    views = _views(outer, inner, more)
    found = symview.conditions(*views, assume=options.assume, engine=cast("Engine", engine), budget=options.budget)
    return of_merging(found, options)


def merge(outer: str, inner: str, more: list[str] | None, options: Options) -> Reply:
    """Merges views of numbers into one view, or finds where that breaks."""
    views = _views(outer, inner, more)
    merged = symview.merge(*views, budget=options.budget)

    def blocks() -> Iterator[Block]:
        yield from _merged_blocks(merged, views)
        if options.explain:
            yield from _worked_blocks(views, merged, options.rest())

    return _merge_reply(isinstance(merged, View), merged, _views_dict(views), blocks)


def reshape(view: str, shape: str, mlir: bool, options: Options) -> Reply:
    """Finds the view of another shape with the same elements, or the conditions for one, or why there is none."""
    from symview.view import target_shape

    first, sizes = _of_mlir(view, shape) if mlir else (View.parse(view), read_shape(shape))
    if options.assume or options.wants_conditions() or not (first.is_numeric() and all(map(is_number, sizes))):
        found = symview.reshape_conditions(first, sizes, assume=options.assume, budget=options.budget)
        return of_merging(found, options, reshaped=True)
    views = [first, View(target_shape(first, sizes))]
    question = {"view_given": str(first), "shape": list(views[1].shape)}
    merged = symview.merge(*views, budget=options.budget)
    blocks = partial(_merged_blocks, merged, views, reshaped=True)
    return _merge_reply(isinstance(merged, View), merged, question, blocks)


def _of_mlir(type_text: str, shape: str) -> tuple[View, tuple[Any, ...]]:
    """Reads the view of a type and its new shape, which may be written as a reassociation."""
    from symview.mlir.reassociations import collapsed_shape
    from symview.mlir.types import read_type

    view = read_type(type_text)
    return view, collapsed_shape(view, shape) if shape.lstrip().startswith("[") else read_shape(shape)


def chain(views: list[str], equals: list[str] | None, options: Options) -> Reply:
    """Finds fewer views that mean the same as a chain, or decides whether another chain does."""
    given = list(map(View.parse, views))
    if equals:
        from symview.cli.statements import verdict_reply

        return verdict_reply(symview.equivalent(given, list(map(View.parse, equals)), budget=options.budget))
    found = symview.simplify(*given, budget=options.budget)
    texts = list(map(str, found.views))
    why = f"{'minimal' if found.minimal else 'not proved minimal'}: {found.why}"
    fields = {"views": texts, "minimal": found.minimal, "why": found.why}
    return Reply(Code.YES, lambda: fields, lambda: ["\n".join(texts), why])


def overflows(outer: str, inner: str, every: bool, options: Options) -> Reply:
    """Finds which digits overflow into which."""
    from symview.show.overflow_table import overflow_blocks

    table = symview.overflows(View.parse(outer), View.parse(inner), every=every, budget=options.budget)
    return Reply(Code.YES if table.complete else Code.UNDECIDED, table.to_dict, lambda: overflow_blocks(table))


def counterexample(outer: str, inner: str, more: list[str] | None, options: Options) -> Reply:
    """Finds the smallest counterexample to merging the views."""
    views = _views(outer, inner, more)
    found, question = _smallest(views, options), _views_dict(views)
    if found is None:
        return reply({**question, "counterexample": None}, "No counterexample: the views merge.")

    def blocks() -> Iterable[Block]:
        if not options.pytest:
            return _break_blocks(found, views)
        from symview.show.test_source import ViewExample, merging_test

        example = ViewExample(found.values, tuple([v.with_values(found.values) for v in views]), None, found)
        return [merging_test(f"{' then '.join(map(str, views))}: they do not merge.", [example])]

    return Reply(Code.NO, lambda: {**question, "counterexample": found.to_dict()}, blocks)


def dense(view: str, flips: bool, options: Options) -> Reply:
    """Decides whether a view is contiguous in some order of its dims."""
    found = symview.dense_conditions(View.parse(view), flips=flips, assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def injective(view: str, options: Options) -> Reply:
    """Decides whether all indices of a view have different addresses."""
    found = symview.injective_conditions(View.parse(view), assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def contiguous(view: str, order: str | None, options: Options) -> Reply:
    """Decides whether a view is contiguous in this order of its dims."""
    found = symview.contiguous_conditions(View.parse(view), _dims(order), assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def overlap(a: str, b: str, options: Options) -> Reply:
    """Decides whether two views share an address."""
    found = symview.overlap_conditions(a, b, assume=options.assume, budget=options.budget)
    plain = not (options.guard is not None or options.python or options.latex or options.smt2)
    numbers = plain and not found.symbols()
    at, blocks = partial(_overlap_at, options=options), partial(_property_blocks, options=options)
    return conditions_reply(found, options, at, blocks, numbers=numbers)


def _overlap_at(found: Found, options: Options) -> Reply:
    """The address that the views share at these values, or why there is none."""
    fields = {k: v for k, v in found.to_dict().items() if k not in ("headline", "clauses", "cases")}
    holds = found.holds(options.at)
    fields |= {"values": dict(options.at), "holds": holds, "overlap": None}
    text = f"The views share {'an' if holds else 'no'} address."
    if all(n in options.at for n in found.symbols()):
        there = found.question.at(dict(options.at), options.budget)
        text = f"{str(there)[0].upper()}{str(there)[1:]}."
        fields |= {"overlap": there.to_dict()} if holds else {"reason": str(there)}
    return Reply(Code.YES if holds else Code.NO, lambda: fields, lambda: [text])


def strides(view: str, options: Options) -> Reply:
    """Lists the arbitrary strides of a view of numbers, and what libraries put there."""
    given = View.parse(view)
    found = symview.canonical_strides(given)
    tuples = {name: getattr(found, name) for name in _LIBRARIES}
    known = {"view": str(given), "free": list(found.free), "strides": list(found.strides)}
    dims = ", ".join(map(str, found.free))
    free = f"free: dim{'s' if len(found.free) > 1 else ''} {dims}" if dims else "free: none"
    rows = [f"{name:<8} ({','.join(map(str, t))})" for name, t in tuples.items()]
    fields = {**known, **{name: list(t) for name, t in tuples.items()}}
    return Reply(Code.YES, lambda: fields, lambda: [free, "\n".join(rows)])


def shard(local: str, dim: int, parts: str, dims: str | None, options: Options) -> Reply:
    """Decides whether a shard of a tensor is one view after dims of the tensor are flattened."""
    ends = None if dims is None else _ends(dims)
    count = read_shape(f"({parts})")
    if len(count) != 1:
        raise InputError(f"--parts {parts}: give one number, or one expression such as 2*m")
    found = symview.shard_conditions(
        read_shape(local), dim, count[0], ends, assume=options.assume, budget=options.budget
    )
    return of_merging(found, options, reshaped=True)


def _ends(dims: str) -> tuple[int, int]:
    """Parses two numbers such as `0,1`."""
    found = _dims(dims)
    if not isinstance(found, list) or len(found) != 2:
        raise InputError(f"--dims {dims}: give the first and the last dim that are flattened, as in 0,1")
    return found[0], found[1]


def _dims(order: str | None) -> str | list[int] | None:
    """Parses dims such as `1,0`; leaves names unchanged."""
    try:
        return order if order is None else [int(part) for part in order.strip("()").split(",") if part.strip()]
    except ValueError:
        return order


def _views(outer: str, inner: str, more: list[str] | None) -> list[View]:
    return [View.parse(text) for text in (outer, inner, *(more or ()))]


def _smallest(views: Sequence[View], options: Options) -> Counterexample | None:
    """Finds the smallest counterexample; loads no solver if all entries are numbers."""
    if all(v.is_numeric() for v in views) and not options.at and not options.assume:
        merged = symview.merge(*views, budget=options.budget)
        return None if isinstance(merged, View) else merged
    found = symview.conditions(*views, assume=options.assume, budget=options.budget)
    return found.within(options.rest()).counterexample(options.at or None)


# Conditions under which views merge


def of_merging(found: Found, options: Options, reshaped: bool = False) -> Reply:
    """Replies with the conditions under which views merge; `reshaped`: the last one is the new shape of a reshape."""
    from symview.show.conditions import conditions_blocks
    from symview.show.test_source import ViewExample, merging_test

    def test(examples: Sequence[Example]) -> str:
        rows = [
            ViewExample(e.values, cast("Any", e.question).views, e.answer, e.counterexample)
            for e in examples
            if e.holds or e.counterexample is not None  # else the sizes differ
        ]
        return merging_test(f"{found.question}: when they merge, and when not.", rows)

    return conditions_reply(
        found,
        options,
        at=lambda found: _at(found, options, reshaped),
        blocks=lambda found: conditions_blocks(found, options.explain, options.cap()),
        test=test,
    )


def _at(found: Found, options: Options, reshaped: bool) -> Reply:
    """Decides whether the views merge at these values; with all values, adds the view or the counterexample."""
    values = options.at
    merges, fitting = found.holds(values), found.data.fitting
    known = fitting is not None and all(n in values for n in names(fitting))
    agree = merges or not known or found.sizes_agree(values)
    views, merged = found.views, None
    if agree and all(n in values for n in found.symbols()):
        views = tuple([v.with_values(values) for v in found.views])
        merged = symview.merge(*views, budget=found.budget) if merges else found.counterexample(values)

    def blocks() -> Iterator[Block]:
        from symview.show.formulas import clauses_text

        listed = values_text(values)
        if merges:
            yield f"The views merge with {listed}{'.' if merged is None else f': {merged}'}"
        elif isinstance(merged, Counterexample):
            yield from _merged_blocks(merged, views, reshaped) if reshaped else _break_blocks(merged, found.views)
        elif not agree:
            agreeing = clauses_text([fitting or TRUE])
            yield f"The views do not merge with {listed}: the sizes do not agree, which takes {agreeing}."
        else:
            yield f"The views do not merge with {listed}."
            yield found.headline(options.cap())

    question = {**_views_dict(found.views), "values": dict(values)}
    sizes = {} if fitting is None else {"sizes_agree": agree}
    return _merge_reply(merges, merged, question, blocks, sizes)


# Conditions under which a view has a property


def _of_property(conditions: Found, options: Options) -> Reply:
    """Formats the conditions as the options say; for numbers, yes or no and why."""
    numbers = not conditions.symbols()
    plain = not (options.guard is not None or options.python or options.latex or options.smt2)

    def test(examples: Sequence[Example]) -> str:
        from symview.show.test_source import ViewExample, property_test

        query: Any = conditions.question
        rows = [ViewExample(e.values, (query.view.with_values(e.values),), e.holds, e.counterexample) for e in examples]
        title = f"{conditions.outer}: when it is {query.claim}, and when not."
        return property_test(title, query.claim, query.flips, query.order, rows)

    blocks = partial(_property_blocks, options=options)
    return conditions_reply(
        conditions, options, lambda found: _property_at(found, options), blocks, test, numbers and plain
    )


def _property_blocks(found: Found, options: Options) -> Iterator[Block]:
    """The headline, and why open cases are open."""
    yield found.headline(options.cap())
    for case in found.data.cases:
        if case.status is Status.UNDECIDED:
            yield f"Undecided elsewhere: {case.reason}."


def _property_at(found: Found, options: Options) -> Reply:
    """Decides whether the view has the property at these values, and why not."""
    holds = found.holds(options.at)
    whole = all(n in options.at for n in found.symbols())
    fault = found.counterexample(options.at) if whole and not holds else None
    fields = {k: v for k, v in found.to_dict().items() if k not in ("headline", "clauses", "cases")}
    question = fields["question"]
    lines = [f"The view is {'' if holds else 'not '}{question}"]
    lines[0] += f" with {values_text(options.at)}." if options.at else "."
    if question == "dense":
        view = found.outer.with_values(options.at) if whole else None
        order = symview.order_of(view) if view is not None and symview.is_dense(view) else None
        fields["order"] = None if order is None else list(order)
        if order is not None:
            lines.append(f"Its dims from the fastest to the slowest: {', '.join(map(str, order))}.")
    if fault is not None:
        text = str(fault).removesuffix(f" with {values_text(fault.values)}") if fault.values else str(fault)
        lines.append(f"{text[0].upper()}{text[1:]}.")
    why = None if fault is None else fault.to_dict()
    fields |= {"values": dict(options.at), "holds": holds, "counterexample": why}
    return Reply(Code.YES if holds else Code.NO, lambda: fields, lambda: ["\n".join(lines)])


# Views that merge, and where they break


def _merge_reply(
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


def _merged_blocks(merged: View | Counterexample, views: Sequence[View], reshaped: bool = False) -> Iterator[Block]:
    """Shows the merged view, or the counterexample; for a reshape also which dims would have to be contiguous."""
    if isinstance(merged, View):
        yield str(merged)
        return
    yield from _break_blocks(merged, views)
    for obstacle in symview.why_not(views[0], views[1].shape) if reshaped and views[0].mask is None else ():
        yield f"{obstacle}."


def _break_blocks(broken: Counterexample, views: Sequence[View]) -> Iterator[Block]:
    """Shows a counterexample; with masks, steps are counted from the first valid index."""
    from symview.show.steps import counterexample_blocks
    from symview.views.two_views import lowest_valid

    masked = any(v.mask is not None for v in views)
    lows = lowest_valid([v.with_values(broken.values) for v in views]) if masked else None
    return counterexample_blocks(broken, *views, lows=lows)


def _worked_blocks(views: Sequence[View], merged: View | Counterexample, budget: Budget) -> Iterator[Block]:
    """Shows by hand whether views of numbers merge: place values, carries, and their consequence."""
    from symview.show.overflow_table import overflow_blocks
    from symview.show.steps import setting_blocks, window_blocks

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
    """Merges each view with the next; if two do not merge, the whole chain still may."""
    rows: list[tuple[str, ...]] = []
    for outer, inner in pairwise(views):
        try:
            rows.append((str(outer), str(inner), str(symview.merge(outer, inner, budget=budget))))
        except Undecided as stop:
            rows.append((str(outer), str(inner), f"undecided: {stop.reason}"))
    title = "Neighbours first; if two of them are not a single view, the indices that the whole chain reaches decide."
    return Grid(("view", "the next view", "together"), tuple(rows), title)


# Views and merges for JSON


def _views_dict(views: Sequence[View]) -> Json:
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


# Pictures


_PLOTTED = (".png", ".pdf", ".eps", ".jpg")


def draw(
    views: list[str], layout: bool, reshape: str | None, output: str | None, force: bool, options: Options
) -> Reply:
    """Draws a view, a layout, the overflows of two views, or conditions on one or two sizes."""
    picture = _picture(views, layout, reshape, options)
    fields = {"title": picture.title, "told": picture.told}
    if output is None:
        svg = picture.svg()
        return Reply(Code.YES, lambda: {**fields, "svg": svg}, lambda: [svg.rstrip()])
    _write(picture, Path(output), force)
    return reply({**fields, "file": output}, f"{output}: {picture.title}")


def _picture(texts: Sequence[str], layout: bool, reshape: str | None, options: Options) -> Picture:
    from symview.pictures.drawing import picture

    if layout + (reshape is not None) + (len(texts) > 1) > 1:
        raise InputError("choose one of several views, --layout and --reshape")
    if layout:
        from symview.cute import parse

        return _picture_of_one(parse(texts[0]), "--layout ")
    views = [View.parse(text) for text in texts]
    if reshape is not None:
        shape = read_shape(reshape)
        return picture(symview.reshape_conditions(views[0], shape, assume=options.assume, budget=options.budget))
    if len(views) == 1:
        return _picture_of_one(views[0])
    if len(views) == 2 and all(type(n) is int for n in (*views[0].shape, *views[1].entries())):
        return picture(symview.overflows(views[0], views[1], budget=options.budget))
    return picture(symview.conditions(views[0], *views[1:], assume=options.assume, budget=options.budget))


def _picture_of_one(drawn: Any, option: str = "") -> Picture:
    """Draws a view or a layout; if it has names, the error shows a command with numbers."""
    from symview.pictures.drawing import picture

    try:
        return picture(drawn)
    except InputError:
        if not drawn.symbols():
            raise
        numbers = drawn.with_values({name: n for n, name in enumerate(drawn.symbols(), 2)})
        what = f"a picture of {drawn} needs numbers in place of {', '.join(drawn.symbols())}"
        raise InputError(f'{what}: type them, as in symview draw {option}"{numbers}"') from None


def _write(picture: Picture, path: Path, force: bool) -> None:
    """Writes the picture in the format of the file's extension; raises InputError if it cannot be written."""
    kind = path.suffix.lower()
    if kind != ".svg" and kind not in _PLOTTED:
        raise InputError(f"{path}: the name has to end in .svg, {', '.join(_PLOTTED[:-1])} or {_PLOTTED[-1]}")
    plotted = None if kind == ".svg" else picture.figure()
    try:
        with path.open("wb" if force else "xb") as file:
            if plotted is None:
                file.write(picture.svg().encode())
            else:
                plotted.savefig(file, format=kind[1:])
    except FileExistsError:
        raise InputError(f"{path} exists: give another name, or --force to write over it") from None
