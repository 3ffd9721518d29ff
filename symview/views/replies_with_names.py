"""The replies of the commands that find conditions on views.

`symview conditions`, `shard`, `dense`, `injective`, `contiguous`, `overlap`, `recast`; and `reshape` with names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from symview.commands.options import Options
from symview.commands.replies import Code, Found, Reply, at_values, conditions_reply
from symview.counterexample import Counterexample, values_text
from symview.displayed import Json
from symview.errors import InputError
from symview.logic.sympy_bridge import is_number
from symview.logic.terms import TRUE, names
from symview.show.conditions import conditions_blocks
from symview.show.formulas import clauses_text, exactly
from symview.show.grid import Block
from symview.view import View, is_fortran
from symview.view_notation import read_shape
from symview.views.merged import break_blocks, merge_reply, merged_blocks, read_views, views_dict
from symview.views.merging import merge
from symview.views.reshaping import reshape_conditions

_FLIPS = "--flips asks whether it is dense after reversing dims"

if TYPE_CHECKING:
    from symview.engine.overflow_space import Engine
    from symview.views.density import HasProperty
    from symview.views.placement_conditions import Placed
    from symview.views.placements import NoPlacement


def conditions(outer: str, inner: str, more: list[str] | None, engine: str, options: Options) -> Reply:
    """Finds the conditions under which the views merge."""
    from symview.views.conditions import conditions as conditions_of  # slow to load

    views = read_views(outer, inner, more)
    found = conditions_of(*views, assume=options.assume, engine=cast("Engine", engine), budget=options.budget)
    return of_merging(found, options)


def dense(view: str, flips: bool, options: Options) -> Reply:
    """Decides whether a view is contiguous in some order of its dims."""
    from symview.views.density import dense_conditions  # slow to load

    given = View.parse(view)
    found = dense_conditions(given, flips=flips, assume=options.assume, budget=options.budget)
    told = _of_property(found, options)
    backwards = any(is_number(d) and d < 0 for d in given.strides)
    return replace(told, hint="" if flips or told.code is not Code.NO or not backwards else _FLIPS)


def injective(view: str, options: Options) -> Reply:
    """Decides whether all indices of a view have different addresses."""
    from symview.views.density import injective_conditions  # slow to load

    found = injective_conditions(View.parse(view), assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def contiguous(view: str, order: str | None, options: Options) -> Reply:
    """Decides whether a view is contiguous in this order of its dims."""
    from symview.views.density import contiguous_conditions  # slow to load

    found = contiguous_conditions(View.parse(view), _dims(order), assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def overlap(a: str, b: str, options: Options) -> Reply:
    """Decides whether two views share an address."""
    from symview.views.overlap import overlap_conditions  # slow to load

    found = overlap_conditions(a, b, assume=options.assume, budget=options.budget)
    return conditions_reply(found, options, partial(_overlap_at, options=options), _blocks(options), numbers=True)


def recast(view: str, old: str, new: str, dim: int, options: Options) -> Reply:
    """Finds the view of the same memory with elements of another width, or the condition for it."""
    from symview.views.recast import recast_conditions  # slow to load

    found = recast_conditions(view, old, new, dim, assume=options.assume, budget=options.budget)
    at = partial(at_values, options=options, told=_recast_told)
    told = conditions_reply(found, options, at, partial(_recast_blocks, options=options), numbers=True)
    return replace(told, hint=_other_dim(View.parse(view), dim, told))


def _other_dim(view: View, dim: int, told: Reply) -> str:
    """The option that recasts along the dim of stride 1, if that is another one and there are conditions or no view."""
    ones = [d for d, stride in enumerate(view.strides) if is_number(stride) and stride == 1]
    if dim != -1 or len(ones) != 1 or ones[0] == view.rank - 1 or (told.code is Code.YES and not told.conditional):
        return ""
    return f"--dim {ones[0]} asks about dim {ones[0]}, whose stride is 1"


def _recast_blocks(found: Found, options: Options) -> Iterator[Block]:
    told = exactly("a view", found.headline(options.cap()))
    yield "\n".join([told, *(str(case.view) for case in found.cases if case.view is not None)])


def _recast_told(holds: bool, there: View | Counterexample | None) -> tuple[str, Json]:
    """The view at some values, or why there is none."""
    if isinstance(there, Counterexample):
        return f"no view: {there.reason}", {"result": None, "reason": str(there.reason)}
    text = str(there or ("a view" if holds else "no view"))
    return text, {"result": None if there is None else text, "reason": None}


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


def shard(
    shape: str,
    placements: str | None,
    new_shape: str | None,
    mesh: str | None,
    to: str | None,
    dim: int | None,
    parts: str | None,
    dims: str | None,
    options: Options,
) -> Reply:
    """Finds the placements of a sharded tensor after a reshape, or decides whether one of equal parts is one view."""
    if placements is None:
        if to is not None or mesh is not None:
            raise InputError("--to and --mesh go with placements: symview shard SHAPE PLACEMENTS NEW --mesh TEXT")
        return _equal_parts(shape, dim, parts, dims, options)
    if new_shape is None or mesh is None:
        raise InputError("shard needs SHAPE, PLACEMENTS, NEW and --mesh TEXT; see symview shard --help")
    if (dim, parts, dims) != (None, None, None):
        raise InputError("--dim, --parts and --dims go with the shape of one part, without placements")
    from symview.views.placement_conditions import placement_conditions  # slow to load

    found = placement_conditions(shape, placements, new_shape, to, mesh, assume=options.assume, budget=options.budget)
    told = partial(
        _placed_told, cast("Placed", found.question), "no" if to is not None or options.at else "no placement"
    )
    at = partial(at_values, options=options, told=told)
    return conditions_reply(found, options, at, partial(_placed_blocks, options=options), numbers=True)


def _placed_blocks(found: Found, options: Options) -> Iterator[Block]:
    headline, placements = found.headline(options.cap()), ", ".join(cast("Placed", found.question).new)
    yield f"{placements} {'' if headline in ('always', 'never') else 'exactly if '}{headline}"
    if options.explain:
        yield found.cases[0].reason


def _placed_told(asked: Placed, no: str, holds: bool, there: Any) -> tuple[str, Json]:
    """The placements at some values, or where they differ."""
    if isinstance(there, Counterexample):
        fault = cast("NoPlacement", there.reason)
        return f"{no}: {fault}", {"rank": list(fault.rank), "position": fault.position}
    return ", ".join(there or asked.new) if holds else "no", {"rank": None, "position": None}


def _equal_parts(local: str, dim: int | None, parts: str | None, dims: str | None, options: Options) -> Reply:
    """Decides whether one of equal parts of a tensor is one view after dims of the tensor are flattened."""
    missing = [spelled for spelled, x in (("--dim INT", dim), ("--parts TEXT", parts)) if x is None]
    if dim is None or parts is None:
        raise InputError(f"shard needs {', '.join(missing)}; see symview shard --help")
    ends = None if dims is None else _ends(dims)
    count = read_shape(f"({parts})")
    if len(count) != 1:
        raise InputError(f"--parts {parts}: give one number, or one expression such as 2*m")
    from symview.views.shards import shard_conditions  # slow to load

    found = shard_conditions(read_shape(local), dim, count[0], ends, assume=options.assume, budget=options.budget)
    return of_merging(found, options, reshaped=True, note=f"of {parts} equal parts")


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


def of_reshape(view: View, shape: tuple[Any, ...], order: str, options: Options) -> Reply:
    """Finds the conditions under which a view can have another shape."""
    found = reshape_conditions(view, shape, assume=options.assume, budget=options.budget, order=order)
    return of_merging(found, options, reshaped=True, shown=1 if is_fortran(order) else None)


def of_merging(
    found: Found, options: Options, reshaped: bool = False, note: str = "", shown: int | None = None
) -> Reply:
    """Replies with the conditions under which views merge, and a note in the text.

    `reshaped`: the last view is the new shape of a reshape. `shown`: how many blocks of a counterexample are printed.
    """
    return conditions_reply(
        found,
        options,
        at=lambda found: _at(found, options, reshaped, note, shown),
        blocks=lambda found: _with_note(conditions_blocks(found, options.explain, options.cap()), note),
    )


def _with_note(blocks: Iterable[Block], note: str) -> Iterator[Block]:
    yield from blocks
    if note:
        yield note


def _at(found: Found, options: Options, reshaped: bool, note: str, shown: int | None) -> Reply:
    """Decides whether the views merge at these values; with all values, adds the view or the counterexample."""
    values = options.at
    merges, fitting = found.holds(values), found.data.fitting
    known = fitting is not None and all(n in values for n in names(fitting))
    agree = merges or not known or found.sizes_agree(values)
    views, merged = found.views, None
    if agree and all(n in values for n in found.symbols()):
        views = tuple([v.with_values(values) for v in found.views])
        merged = merge(*views, budget=found.budget) if merges else found.counterexample(values)

    def blocks() -> Iterator[Block]:
        listed, no = values_text(values), "No view" if reshaped else "The views do not merge"
        if merges:
            yes = "A view" if reshaped else "The views merge"
            yield f"{yes} with {listed}{'.' if merged is None else f': {merged}'}"
        elif isinstance(merged, Counterexample):
            yield from islice(
                merged_blocks(merged, views, True, shown is None) if reshaped else break_blocks(merged, found.views),
                shown,
            )
        elif not agree:
            agreeing = clauses_text([fitting or TRUE])
            yield f"{no} with {listed}: the sizes agree only if {agreeing}."
        else:
            yield f"{no} with {listed}."
            yield found.headline(options.cap())

    question = {**views_dict(found.views), "values": dict(values)}
    sizes = {} if fitting is None else {"sizes_agree": agree}
    return merge_reply(merges, merged, question, lambda: _with_note(blocks(), note), sizes)


def _of_property(conditions: Found, options: Options) -> Reply:
    """Formats the conditions as the options say; for numbers, yes or no and why."""
    at = partial(_property_at, options=options)
    return conditions_reply(conditions, options, at, _blocks(options), numbers=True)


def _blocks(options: Options) -> Callable[[Found], Iterable[Block]]:
    """What the question prints of its conditions."""
    return lambda found: found.question.blocks(found, options.cap())


def _property_at(found: Found, options: Options) -> Reply:
    """Decides whether the view has the property at these values, and why not."""
    holds = found.holds(options.at)
    whole = all(n in options.at for n in found.symbols())
    fault = found.counterexample(options.at) if whole and not holds else None
    fields = {k: v for k, v in found.to_dict().items() if k not in ("headline", "clauses", "cases")}
    question = fields["question"]
    lines = [f"The view is {'' if holds else 'not '}{cast('HasProperty', found.question).word}"]
    lines[0] += f" with {values_text(options.at)}." if options.at else "."
    if question == "dense":
        from symview.views.stride_faults import is_dense, order_of  # slow to load

        view = found.outer.with_values(options.at) if whole else None
        order = order_of(view) if view is not None and is_dense(view) else None
        fields["order"] = None if order is None else list(order)
        if order is not None:
            lines.append(f"Its dims from the fastest to the slowest: {', '.join(map(str, order))}.")
    if fault is not None:
        text = str(fault).removesuffix(f" with {values_text(fault.values)}") if fault.values else str(fault)
        lines.append(f"{text[0].upper()}{text[1:]}.")
    why = None if fault is None else fault.to_dict()
    fields |= {"values": dict(options.at), "holds": holds, "counterexample": why}
    return Reply(Code.YES if holds else Code.NO, lambda: fields, lambda: ["\n".join(lines)])
