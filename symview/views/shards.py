"""What happens to a shard if dims of the whole tensor are flattened?"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import mul
from typing import Any

from symview.cases.conditions import Conditions
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.integer import Integer
from symview.logic.sympy_bridge import as_integer, free_symbols, is_number
from symview.view import View
from symview.views.reshaping import reshape_conditions


def shard_conditions(
    local: Sequence[Any] | str,
    dim: int,
    parts: Any,
    dims: tuple[int, int] | None = None,
    assume: Any = (),
    budget: Budget | None = None,
) -> Conditions[View]:
    """The exact condition under which a shard is still one view after dims of the whole tensor are flattened.

    The tensor is row-major and cut along `dim` into `parts` equal parts; `local` is the shape of one part. `dims` are
    the first and the last dim that are flattened into one; None for all. The answer is that of `reshape_conditions`. In
    the local views of its cases, the stride of the flattened dim shows the kind: that of a whole tensor's dim for a
    shard, a larger one for a strided shard. Sizes and `parts` are positive.
    Of uneven parts, as of 6 rows over 4 ranks, each may be one view and yet no chunk of the flattened dim: ask
    `placement_conditions`, with the whole shape.
    Raises InputError for dims that the shape does not have.

    >>> print(shard_conditions(View.parse("(A,b)").shape, 1, View.parse("(m)").shape[0]))
    A = 1 or b = 1 or m = 1
    >>> print(shard_conditions((4, 3, 5), 0, 2))
    always
    >>> from symview import placement_conditions
    >>> print(placement_conditions("(6,P)", "S(0)", "(6*P)", None, 4))
    P ≤ 1
    """
    sizes = View(local).shape
    rank = len(sizes)
    ends = (0, rank - 1) if dims is None else dims
    if not isinstance(ends, Sequence) or len(ends) != 2 or not all(type(end) is int for end in ends):
        raise InputError(f"dims {dims!r}: give two numbers, the first and the last dim that are flattened")
    first, last = ends
    if type(dim) is not int or not 0 <= dim < rank:
        raise InputError(f"dim {dim} of the shape {sizes}: give one of 0..{rank - 1}")
    if not 0 <= first <= last < rank:
        raise InputError(f"dims {dims} of the shape {sizes}: give the first and the last one that are flattened")
    count = as_integer(parts, "parts")
    if is_number(count) and count < 1:
        raise InputError(f"parts is {count}: cut the dim into 1 part or more")
    whole = [n * count if a == dim else n for a, n in enumerate(sizes)]
    flat: Integer = reduce(mul, sizes[first : last + 1])
    view = View(sizes, View(whole).strides)
    counted = not is_number(count) and view.symbols().keys() >= free_symbols([count]).keys()
    known = [*_each(assume), *([count >= 1] if counted else [])]
    return reshape_conditions(view, (*sizes[:first], flat, *sizes[last + 1 :]), assume=known, budget=budget)


def _each(assume: Any) -> list[Any]:
    """The assumptions as a list; a single one may be passed without a list."""
    single = isinstance(assume, str) or not hasattr(assume, "__iter__")
    return [assume] if single else list(assume)
