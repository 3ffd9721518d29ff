"""The commands on the strides of one view: `symview dense`, `injective`, `contiguous`, `strides`, `shard`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, TypeAlias

import symview
from symview.answers import Status, values_text
from symview.cli.forms import conditions_reply, give
from symview.cli.options import Options, argument, entry, option, takes
from symview.cli.replies import Code, Reply
from symview.errors import InputError
from symview.questions.density import StrideConditions
from symview.questions.facade import Conditions
from symview.show.grid import Block
from symview.show.stride_test import stride_test
from symview.view import View
from symview.view_notation import read_shape

Asked: TypeAlias = Annotated[str, argument("VIEW", "The view: (shape):(strides)+offset [mask].")]
_options = takes("assume", "at", "guard", "python", "pytest", "latex", "smt2", "all", doing="comparing strides")


@_options
def dense(
    view: Asked,
    flips: Annotated[bool, option("--flips", text="Strides may be negative: dense after flipping axes.")] = False,
    *,
    options: Options,
) -> Reply:
    """Whether a view is dense: contiguous in some order of its dims; with names, under which condition.

    Dims of size 1 do not count, and a mask counts as a shrink. With --at, whether it is at these values; with
    --guard, whether that check is the weakest one; with --python, the weakest check to run; with --pytest, a test of
    examples on both sides of each condition.

    Exit code: 0 where it is, at least under conditions; 1 where it is not; 3 undecided.
    With --guard: 0 exact, 1 too strong or too weak.

    JSON keys: view, question, flips, headline, clauses, cases; of numbers and with --at: view, question, flips, values,
    holds, counterexample, order (the dims from the fastest to the slowest; null where it is not dense).
    """
    found = symview.dense_conditions(View.parse(view), flips=flips, assume=options.assume, budget=options.budget)
    return _given(found, options)


@_options
def injective(view: Asked, options: Options) -> Reply:
    """Whether no two indices of a view have one address; with names, under which condition.

    What stays open between names is decided for numbers, as with --at. A mask counts as a shrink.

    Exit code: 0 where they never have, at least under conditions; 1 where some always do; 3 undecided.
    With --guard: 0 exact, 1 too strong or too weak.

    JSON keys: view, question, headline, clauses, cases; of numbers and with --at: view, question, values, holds,
    counterexample.
    """
    found = symview.injective_conditions(View.parse(view), assume=options.assume, budget=options.budget)
    return _given(found, options)


@_options
def contiguous(
    view: Asked,
    order: Annotated[
        str | None,
        option("--order", text="Dims, the fastest first, as in 1,0, or the name of a format; row_major, unless given.",
               metavar="DIMS|column_major|channels_last|…"),
    ] = None,
    *,
    options: Options,
) -> Reply:  # fmt: skip
    """Whether a view is contiguous in an order of its dims; with names, under which condition.

    Dims of size 1 do not count, and a mask counts as a shrink.

    Exit code: 0 where it is, at least under conditions; 1 where it is not; 3 undecided.
    With --guard: 0 exact, 1 too strong or too weak.

    JSON keys: view, question, order, headline, clauses, cases; of numbers and with --at: view, question, order, values,
    holds, counterexample.
    """
    found = symview.contiguous_conditions(View.parse(view), _dims(order), assume=options.assume, budget=options.budget)
    return _given(found, options)


@takes(doing="comparing strides")
def strides(view: Asked, options: Options) -> Reply:
    """Which strides of a view of numbers are free, and what libraries put there.

    Free are those of dims of size 1, and all where a size is 0.

    Exit code: 0.

    JSON keys: view, free (dims), strides (0 where they are free), numpy, pytorch, cute, pycute, dlpack.
    """
    given = View.parse(view)
    found = symview.canonical_strides(given)
    tuples = {name: getattr(found, name) for name in ("numpy", "pytorch", "cute", "pycute", "dlpack")}
    known = {"view": str(given), "free": list(found.free), "strides": list(found.strides)}
    dims = ", ".join(map(str, found.free))
    free = f"free: dim{'s' if len(found.free) > 1 else ''} {dims}" if dims else "free: none"
    rows = [f"{name:<8} ({','.join(map(str, t))})" for name, t in tuples.items()]
    return Reply(
        Code.YES, lambda: {**known, **{name: list(t) for name, t in tuples.items()}}, lambda: [free, "\n".join(rows)]
    )


@takes("assume", "at", "guard", "explain", "python", "pytest", "latex", "smt2", "all", doing="looking for conditions")
def shard(
    local: Annotated[str, argument("SHAPE", "The shape of one part, such as (A,b).")],
    dim: Annotated[int, option("--dim", text="The dim along which the tensor is cut.", metavar="INT")],
    parts: Annotated[str, option("--parts", text="Into how many equal parts: a number, or an expression.",
                                 metavar="TEXT")],
    dims: Annotated[
        str | None, option("--dims", text="The first and the last dim that are flattened; all if left out.",
                           metavar="FIRST,LAST")
    ] = None,
    *,
    options: Options,
) -> Reply:  # fmt: skip
    """Whether the local part of a tensor that is cut along a dim is one view where dims of the tensor are flattened.

    The tensor is row-major; sizes and the number of parts are positive. With --at, whether it is at these values; with
    --guard, whether that check is the weakest one; with --python, the weakest check to run.

    Exit code: 0 where it is, at least under conditions; 1 where it is not; 3 undecided.
    With --guard: 0 exact, 1 too strong or too weak.

    JSON keys: those of `conditions`, of the local view and its flattened shape: outer, inner, views, headline, clauses,
    cases, python, guard; with --at: outer, inner, views, values, merges, view, counterexample, sizes_agree.
    """
    ends = None if dims is None else _ends(dims)
    count = read_shape(f"({parts})")
    if len(count) != 1:
        raise InputError(f"--parts {parts}: give one number, or one expression such as 2*m")
    found = symview.shard_conditions(
        read_shape(local), dim, count[0], ends, assume=options.assume, budget=options.budget
    )
    return give(found, options, reshaped=True)


def _ends(dims: str) -> tuple[int, int]:
    """The two numbers of `0,1`."""
    found = _dims(dims)
    if not isinstance(found, list) or len(found) != 2:
        raise InputError(f"--dims {dims}: give the first and the last dim that are flattened, as in 0,1")
    return found[0], found[1]


def _dims(order: str | None) -> str | list[int] | None:
    """What is meant by `1,0`; names stay as they are."""
    try:
        return order if order is None else [int(part) for part in order.strip("()").split(",") if part.strip()]
    except ValueError:
        return order


def _given(found: StrideConditions, options: Options) -> Reply:
    """The conditions as asked; of numbers, yes or no and why."""
    plain = not (options.guard is not None or options.python or options.latex or options.smt2)
    if options.at or (plain and not found.symbols()):
        reply = _at(found, options)
        return replace(reply, blocks=lambda: [_test_of(found, options)]) if options.pytest else reply
    if options.pytest:
        return conditions_reply(found, options, lambda: [_test_of(found, options)])
    if not plain:
        return give(found, options)
    open_ = [f"Undecided elsewhere: {c.reason}." for c in found.data.cases if c.status is Status.UNDECIDED]
    return conditions_reply(found, options, lambda: [found.headline(options.cap()), *open_])


def _test_of(found: StrideConditions, options: Options) -> str:
    """A test of examples, or of what the view is at the values that were given, or of a view of numbers."""
    alone = options.at or not found.symbols()
    asked, chosen = found.data, [found.example(options.at)] if alone else found.examples()
    title = f"{found.outer}: where it is {asked.question}, and where not."
    return stride_test(title, asked.question, asked.flips, asked.order, chosen).rstrip()


def _at(found: Conditions, options: Options) -> Reply:
    """Whether the view has the property at these values, and why not."""
    holds = found.holds(options.at)
    whole = all(n in options.at for n in found.symbols())
    fault = found.counterexample(options.at) if whole and not holds else None
    told = found.to_dict()
    view = found.outer.with_values(options.at) if whole else None
    ordered = told["question"] == "dense" and view is not None and symview.is_dense(view)
    order = symview.order_of(view) if view is not None and ordered else None
    shown = {k: v for k, v in told.items() if k not in ("headline", "clauses", "cases")}
    of_dense = {"order": None if order is None else list(order)} if told["question"] == "dense" else {}
    why = None if fault is None else fault.to_dict()

    def blocks() -> list[Block]:
        where = f" with {values_text(options.at)}" if options.at else ""
        lines = [f"The view is {'' if holds else 'not '}{told['question']}{where}."]
        if order is not None:
            lines.append(f"Its dims from the fastest to the slowest: {', '.join(map(str, order))}.")
        if fault is not None:
            text = str(fault).removesuffix(f" with {values_text(fault.values)}") if fault.values else str(fault)
            lines.append(f"{text[0].upper()}{text[1:]}.")
        return ["\n".join(lines)]

    return Reply(
        Code.YES if holds else Code.NO,
        lambda: {**shown, **of_dense, "values": dict(options.at), "holds": holds, "counterexample": why},
        blocks,
    )


_PLANE = "((M = 1 or p = N) and (N = 1 or q = 1)) or ((M = 1 or p = 1) and (N = 1 or q = M))"
_PACKED = "(N,C,H,W):(s,1,W*C,C)"
COMMANDS = (
    entry(dense, ('"(M,N):(p,q)"', _PLANE)),
    entry(injective, ('"(B,S,D):(t0,D,1)"', "B = 1 or D*S ≤ abs(t0)")),
    entry(contiguous,
          (f'"{_PACKED}" --order channels_last', "N = 1 or s = C*H*W")),
    entry(strides, ('"(3,1,4)"', """\
free: dim 1

numpy    (4,4,1)
pytorch  (4,4,1)
cute     (4,0,1)
pycute   (4,12,1)
dlpack   (4,1,1)""")),
    entry(shard,
          ('"(A,b)" --dim 1 --parts m --python', "A == 1 or b == 1 or m == 1")),
)  # fmt: skip
