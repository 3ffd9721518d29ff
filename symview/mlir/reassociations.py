"""`collapse_shape` and `expand_shape`: the conditions under which the result is a view, and its type."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import prod
from typing import Any, TypeAlias

from symview.answers import Status
from symview.cases.case import Case
from symview.cases.conditions import Conditions
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.mlir.types import parsed, read_type, type_text
from symview.view import View
from symview.views.reshaping import reshape_conditions

Reassociation: TypeAlias = Sequence[Sequence[int]]
_EXPANDS = "this expands {rank} dims into {dims}: give the new sizes in place of it, as in (2,n,4)"
_COLLAPSES = "this collapses {dims} dims into {rank}: to expand, give {dims} sizes"


def read_reassociation(text: str | Reassociation, rank: int, reverse: str = "") -> tuple[tuple[int, ...], ...]:
    """The groups of a reassociation of `rank` dims; `reverse` is the error for one of others into `rank` groups.

    If there are no groups, every dim has to have size 1, and is dropped. Raises InputError if a group is empty, or the
    groups are not the dims in order.

    >>> read_reassociation("[[0, 1], [2]]", 3)
    ((0, 1), (2,))
    """
    try:
        given: Any = json.loads(text) if isinstance(text, str) else text
        groups = tuple([tuple([int(dim) for dim in group]) for group in given])
    except (TypeError, ValueError):
        raise InputError(f"{text}: give a reassociation such as [[0, 1], [2]]") from None
    if not groups:
        return ()
    if not all(groups):
        raise InputError(f"{text}: each group has a dim")
    dims = [dim for group in groups for dim in group]
    if reverse and len(groups) == rank and dims == list(range(len(dims))) != list(range(rank)):
        raise InputError(f"{text}: {reverse.format(rank=rank, dims=len(dims))}")
    if dims != list(range(rank)):
        raise InputError(f"{text}: the groups have to be the dims 0 to {rank - 1} in their order")
    return groups


def collapsed_shape(view: View, reassociation: str | Reassociation) -> tuple[Any, ...]:
    """The sizes after the collapse: the product of each group."""
    groups = read_reassociation(reassociation, len(view.shape), _EXPANDS)
    if not groups and any(n != 1 for n in view.shape):
        raise InputError(f"{reassociation}: without groups every size has to be 1, and the sizes are {view.shape}")
    return tuple([prod([view.shape[d] for d in g]) for g in groups])


def collapse_conditions(
    type: str, reassociation: str | Reassociation, assume: Any = (), budget: Budget | None = None
) -> Conditions[View]:
    """The exact, weakest condition under which `memref.collapse_shape` of a type is a view, with the view in each case.

    The names are those of `read_type`; every dynamic size is positive, unless `assume` allows 0.

    >>> print(collapse_conditions("memref<?x?x4xf32, strided<[?, ?, 1], offset: ?>>", "[[0, 1], [2]]"))
    d0 = 1 or d1 = 1 or s0 = d1*s1
    >>> print(collapse_conditions("memref<1x1x?x1xsi32, strided<[36960, 4620, 1, 330]>>", "[[0, 1, 2, 3]]"))
    always
    """
    view = read_type(type)
    return reshape_conditions(view, collapsed_shape(view, reassociation), assume, budget)


def collapsed_type(type: str, reassociation: str | Reassociation, budget: Budget | None = None) -> str:
    """The type of the collapsed value, if it is a view; a stride is a number if that is right in every case.

    Raises InputError if it is never a view.

    >>> collapsed_type("memref<1x1x?x1xsi32, strided<[36960, 4620, 1, 330]>>", "[[0, 1, 2, 3]]")
    'memref<?xsi32>'
    >>> collapsed_type("memref<?x?x4xf32, strided<[?, ?, 1], offset: ?>>", "[[0, 1], [2]]")
    'memref<?x4xf32, strided<[?, 1], offset: ?>>'
    """
    given = parsed(type)
    if given.kind == "tensor":
        return type_text("tensor", View(collapsed_shape(given.view, reassociation)), given.element, given.rest)
    views = [view for _, view in merging(collapse_conditions(type, reassociation, budget=budget))]
    if not views:
        raise InputError(f"{type}: no view of {reassociation}")
    first = views[0]
    if all(v.strides == View(v.shape).strides and v.offset == 0 for v in views):
        return type_text("memref", View(first.shape), given.element, given.rest)
    agreed = ["?" if any(v.strides[n] != s for v in views) else s for n, s in enumerate(first.strides)]
    strides = [s if isinstance(s, int) else f"s{n}" for n, s in enumerate(agreed)]
    sizes = [n if isinstance(n, int) else f"d{i}" for i, n in enumerate(first.shape)]
    offset = first.offset if isinstance(first.offset, int) else "o"
    stated = View.parse(f"({','.join(map(str, sizes))}):({','.join(map(str, strides))})+{offset}")
    return type_text("memref", stated, given.element, given.rest)


def merging(found: Conditions[View]) -> list[tuple[Case, View]]:
    """The cases that have a view, with the view."""
    decided = [case for case in found.cases if case.status in (Status.ALWAYS, Status.WHEN)]
    return [(case, case.view) for case in decided if case.view is not None]


def expanded_view(type: str, reassociation: str | Reassociation, shape: Sequence[int | str]) -> View:
    """The view that `memref.expand_shape` returns if the sizes agree; a size may be a number or a name.

    >>> print(expanded_view("memref<?x4xf32, strided<[?, 1]>>", "[[0, 1], [2]]", [2, "n", 4]))
    (2,n,4):(n*s0,s0,1)
    """
    view, sizes = read_type(type), View.parse(f"({','.join(map(str, shape))})").shape
    strides: list[Any] = [0] * len(sizes)
    for dim, group in enumerate(read_reassociation(reassociation, len(sizes), _COLLAPSES)):
        step = view.strides[dim]
        for d in reversed(group):
            strides[d] = step
            step = step * sizes[d]
    return View(sizes, strides, view.offset)


def expand_guards(type: str, reassociation: str | Reassociation, shape: Sequence[int | str]) -> tuple[str, ...]:
    """The guards for `expand_shape` into these sizes: the product of each group equals the size of its dim.

    Raises InputError if they never hold.

    >>> expand_guards("memref<?xf32>", "[[0, 1]]", [4, "n"])
    ('d0 == 4*n',)
    """
    view, sizes = read_type(type), View.parse(f"({','.join(map(str, shape))})").shape
    groups = read_reassociation(reassociation, len(sizes), _COLLAPSES)
    if len(groups) != len(view.shape):
        raise InputError(f"{reassociation}: {len(groups)} groups for the {len(view.shape)} dims of {type}")
    if not groups and any(n != 1 for n in sizes):
        raise InputError(f"{reassociation}: without groups every size has to be 1, and the sizes are {sizes}")
    guards = []
    for size, group in zip(view.shape, groups, strict=True):
        whole = prod([sizes[d] for d in group])
        if size == whole:
            continue
        if isinstance(size, int) and isinstance(whole, int):
            raise InputError(f"{type}: {size} elements are not {' times '.join(str(sizes[d]) for d in group)}")
        guards.append(f"{size} == {whole}")
    return tuple(guards)
