"""Is a `collapse_shape` or `expand_shape` correct? For two types and a reassociation, or xDSL's operation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from symview.answers import Status
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.mlir.reassociations import (
    Reassociation,
    collapse_conditions,
    collapsed_shape,
    expand_guards,
    expanded_view,
    merging,
)
from symview.mlir.types import Type, parsed, read_type
from symview.view import View

_DYNAMIC = -(2**63)
_ALWAYS = "True"


@dataclass(frozen=True, slots=True)
class Verified:
    """The verdict on an operation: right at all values, wrong, right exactly if `when` holds, or undecided.

    `when` are statements in the names of `read_type` for the source; `why` says what is wrong.
    """

    answer: Literal["right", "wrong", "when", "undecided"]
    when: tuple[str, ...] = ()
    why: str = ""

    def __str__(self) -> str:
        if self.when:
            return f"{self.answer} {_joined(self.when)}"
        return f"{self.answer}: {self.why}" if self.why else self.answer


def verify_collapse(
    source: str, reassociation: str | Reassociation, result: str, budget: Budget | None = None
) -> Verified:
    """Whether `collapse_shape` of these types is right: the dims merge, and the result has the merged layout.

    >>> source = "memref<1x1x16x4x16xf32, strided<[1152, 1152, 72, 18, 1]>>"
    >>> print(verify_collapse(source, "[[0], [1, 2], [3, 4]]", "memref<1x16x64xf32, strided<[1152, 72, 1]>>"))
    wrong: the dims of a group do not merge
    >>> print(verify_collapse("memref<?x4xf32, strided<[?, 1]>>", "[[0, 1]]", "memref<?xf32, strided<[1]>>"))
    when d0 == 1 or s0 == 4
    """
    try:
        wanted = collapsed_shape(read_type(source), reassociation)
        into = _same_kind(source, result)
    except InputError as error:
        return Verified("wrong", why=str(error))
    if why := _other_sizes(wanted, into.view.shape):
        return Verified("wrong", why=why)
    if 0 in into.view.shape or parsed(source).kind == "tensor":
        return Verified("right")
    found = collapse_conditions(source, reassociation, budget=budget)
    views = [(case.to_dict()["where"], view) for case, view in merging(found)]
    if any(case.status is Status.UNDECIDED for case in found.cases):
        return Verified("undecided", why="a case of the collapse is undecided")
    if not views:
        return Verified("wrong", why="the dims of a group do not merge")
    return _compared(views, into, () if str(found) == "always" else (found.guards(),))


def verify_expand(source: str, reassociation: str | Reassociation, shape: Sequence[int | str], result: str) -> Verified:
    """Whether `expand_shape` of these types into these sizes is right; an unknown size is a name.

    >>> print(verify_expand("memref<?xf32>", "[[0, 1]]", [4, "n"], "memref<4x?xf32>"))
    when d0 == 4*n
    >>> print(verify_expand("memref<8xf32>", "[[0, 1]]", [4, 3], "memref<4x3xf32>"))
    wrong: memref<8xf32>: 8 elements are not 4 times 3
    """
    try:
        guards = expand_guards(source, reassociation, shape)
        view, into = expanded_view(source, reassociation, shape), _same_kind(source, result)
    except InputError as error:
        return Verified("wrong", why=str(error))
    if why := _other_sizes(view.shape, into.view.shape):
        return Verified("wrong", why=why)
    if 0 in into.view.shape or parsed(source).kind == "tensor":
        return Verified("when", guards) if guards else Verified("right")
    return _compared([(_ALWAYS, view)], into, guards)


def verify_op(op: Any, budget: Budget | None = None) -> Verified:
    """The verdict on xDSL's `memref.CollapseShapeOp` or `memref.ExpandShapeOp`; a dynamic output size of dim i is ei.

    Raises InputError for another operation.
    """
    name = getattr(op, "name", "")
    if name not in ("memref.collapse_shape", "memref.expand_shape"):
        raise InputError(f"{name or op}: give memref.collapse_shape or memref.expand_shape")
    groups = [[int(dim.value.data) for dim in group] for group in op.reassociation]
    source, result = str(op.src.type), str(op.result.type)
    if name == "memref.collapse_shape":
        return verify_collapse(source, groups, result, budget)
    sizes = op.static_output_shape.get_values()
    return verify_expand(source, groups, [f"e{n}" if s == _DYNAMIC else s for n, s in enumerate(sizes)], result)


def _joined(texts: Sequence[str]) -> str:
    """The statements joined by and."""
    return texts[0] if len(texts) == 1 else " and ".join(f"({t})" if " or " in t else t for t in texts)


def _same_kind(source: str, result: str) -> Type:
    """The type of the result; raises InputError unless its kind and elements are those of the source."""
    given, into = parsed(source), parsed(result)
    if (given.kind, given.element) != (into.kind, into.element):
        raise InputError(f"{result}: not a {given.kind} of {given.element}")
    return into


def _other_sizes(wanted: Sequence[Any], sizes: Sequence[Any]) -> str:
    """How the sizes of a type differ from the required ones; empty if they agree."""
    if len(wanted) != len(sizes):
        return f"{len(sizes)} dims, not {len(wanted)}"
    for dim, (need, has) in enumerate(zip(wanted, sizes, strict=True)):
        numbers = isinstance(need, int), isinstance(has, int)
        if numbers[0] != numbers[1] or (all(numbers) and need != has):
            return f"dim {dim} is {has if numbers[1] else '?'}, not {need if numbers[0] else '?'}"
    return ""


def _compared(views: Sequence[tuple[str, View]], into: Type, guards: tuple[str, ...]) -> Verified:
    """Compares the result's layout with the views of its elements, each with the condition under which it is right."""
    differ = [(where, list(_differences(view, into))) for where, view in views]
    if all(None in texts for _, texts in differ):
        return Verified("wrong", why=f"the layout is {views[0][1]}, not that of the result")
    found = list(guards)
    for where, texts in differ:
        outside = "" if where == _ALWAYS else f"not ({where})"
        found += [" or ".join(filter(None, (outside, text))) for text in texts]
    return Verified("when", tuple(dict.fromkeys(found))) if found else Verified("right")


def _differences(view: View, into: Type) -> Iterator[str | None]:
    """The statements that the layout of the result requires; None for one that never holds.

    A `?` of the result matches anything; a result without a layout is row-major.
    """
    stated = into.view if into.strided else View(view.shape)
    free = not isinstance(stated.offset, int)
    if not free and view.offset != stated.offset:
        yield None if isinstance(view.offset, int) else f"{view.offset} == {stated.offset}"
    for size, has, says in zip(view.shape, view.strides, stated.strides, strict=True):
        if size == 1 or has == says or (into.strided and not isinstance(says, int)):
            continue
        same = "" if isinstance(has, int) and isinstance(says, int) else f"{has} == {says}"
        one = "" if isinstance(size, int) else f"{size} == 1"
        yield " or ".join(filter(None, (same, one))) or None
