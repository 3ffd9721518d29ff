"""PyTorch's symbolic integers, known by what they have: no such library is imported.

Python's `operator.index` of one asks for its value, and the program that is traced is right for that value alone.
"""

from __future__ import annotations

from typing import Any

from symview.errors import InputError


def as_entry(value: Any) -> Any:
    """PyTorch's SymInt as a sympy expression or an int, which asks its ShapeEnv nothing; anything else as it is.

    Raises InputError for the ragged size of a nested tensor.

    >>> as_entry(3)
    3
    """
    if type(value) is int or (node := getattr(value, "node", None)) is None or not hasattr(node, "maybe_as_int"):
        return value
    if (number := node.maybe_as_int()) is not None:
        return number
    expression = getattr(node, "expr", None)
    if expression is None:
        raise InputError(f"{value} is no integer expression: the ragged size of a nested tensor is no size of a view")
    return expression
