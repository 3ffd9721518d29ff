"""The commands on the strides of one view: `symview dense`, `injective`, `contiguous`, `strides`, `shard`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import symview
from symview.answers import Status, values_text
from symview.cli.options import Options
from symview.cli.replies import Code, Reply, conditions_reply
from symview.cli.views import of_merging
from symview.errors import InputError
from symview.show.grid import Block
from symview.view import View
from symview.view_notation import read_shape

if TYPE_CHECKING:
    from symview.cases.conditions import Conditions

_LIBRARIES = ("numpy", "pytorch", "cute", "pycute", "dlpack")


def dense(view: str, flips: bool, options: Options) -> Reply:
    """Whether a view is contiguous in some order of its dims."""
    found = symview.dense_conditions(View.parse(view), flips=flips, assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def injective(view: str, options: Options) -> Reply:
    """Whether no two indices of a view have one address."""
    found = symview.injective_conditions(View.parse(view), assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def contiguous(view: str, order: str | None, options: Options) -> Reply:
    """Whether a view is contiguous in an order of its dims."""
    found = symview.contiguous_conditions(View.parse(view), _dims(order), assume=options.assume, budget=options.budget)
    return _of_property(found, options)


def strides(view: str, options: Options) -> Reply:
    """Which strides of a view of numbers are free, and what libraries put there."""
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
    """Whether the local part of a tensor that is cut along a dim is one view where dims are flattened."""
    ends = None if dims is None else _ends(dims)
    count = read_shape(f"({parts})")
    if len(count) != 1:
        raise InputError(f"--parts {parts}: give one number, or one expression such as 2*m")
    found = symview.shard_conditions(
        read_shape(local), dim, count[0], ends, assume=options.assume, budget=options.budget
    )
    return of_merging(found, options, reshaped=True)


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


# Conditions under which a view has a property


def _of_property(conditions: Conditions[Any], options: Options) -> Reply:
    """The conditions as the options ask; of numbers, yes or no and why."""
    numbers = not conditions.symbols()
    plain = not (options.guard is not None or options.python or options.latex or options.smt2)

    def at(found: Conditions[Any]) -> Reply:
        return _at(found, options)

    def blocks(found: Conditions[Any]) -> Iterator[Block]:
        yield found.headline(options.cap())
        for case in found.data.cases:
            if case.status is Status.UNDECIDED:
                yield f"Undecided elsewhere: {case.reason}."

    def test(found: Conditions[Any]) -> str:
        from symview.show.test_source import ViewExample, property_test

        asked: Any = found.question
        chosen = [found.example(options.at)] if numbers or options.at else found.examples()
        examples = [
            ViewExample(e.values, (asked.view.with_values(e.values),), e.holds, e.counterexample) for e in chosen
        ]
        title = f"{found.outer}: where it is {asked.claim}, and where not."
        return property_test(title, asked.claim, asked.flips, asked.order, examples)

    return conditions_reply(conditions, options, at, blocks, test, numbers and plain)


def _at(found: Conditions[Any], options: Options) -> Reply:
    """Whether the view has the property at these values, and why not."""
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
