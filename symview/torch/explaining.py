"""Explains PyTorch's error that a tensor has no view of some sizes: strides, the index that breaks, two ways out."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from symview.counterexample import Counterexample
from symview.torch.places import Place, called_expression, is_program
from symview.torch.view_texts import copied_bytes
from symview.view import View, reshaped, target_shape

_ERROR = "view size is not compatible with input tensor's size and stride"
_PURE = {"t", "transpose", "permute", "size", "dim", "numel", "unsqueeze", "squeeze", "expand", "narrow", "select"}
_ALLOWED = (
    ast.Expression, ast.Name, ast.Attribute, ast.Subscript, ast.Slice, ast.Constant, ast.Tuple, ast.List, ast.Starred,
    ast.UnaryOp, ast.USub, ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Load,
)  # fmt: skip


def explained(error: BaseException | None) -> str:
    """What PyTorch does not say of a `view` that it refuses; empty for any other error.

    The tensor is read again from the line that failed: names, slices and views of them, nothing that has effects.
    """
    if not isinstance(error, RuntimeError) or not str(error).startswith(_ERROR):
        return ""
    steps, step = [], error.__traceback__
    while step is not None:
        steps += [step] if is_program(step.tb_frame.f_code.co_filename) else []
        step = step.tb_next
    for last in steps[-1:]:
        match called_expression(last.tb_frame.f_code, last.tb_lasti):
            case ast.Call(func=ast.Attribute(value=receiver), args=arguments):
                place = Place(last.tb_frame.f_code.co_filename, last.tb_lineno)
                return _told(place, receiver, arguments, last.tb_frame)
    return ""


def hook(before: Callable[..., Any], wanted: Callable[[BaseException], bool]) -> Callable[..., Any]:
    """An `excepthook` that explains first, and then does what was done before."""

    def explain(kind: Any, error: BaseException, trace: Any) -> None:
        if wanted(error) and (text := explained(error)):
            print(text, file=sys.stderr)
        before(kind, error, trace)

    return explain


def _value(node: ast.expr, frame: FrameType) -> Any:
    """The value of an expression without effects. Raises ValueError for any other."""
    for part in ast.walk(node):
        pure = isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part.func.attr in _PURE
        if not pure and not isinstance(part, _ALLOWED):
            raise ValueError(f"{ast.unparse(part)} may have effects")
    code = compile(ast.fix_missing_locations(ast.Expression(node)), "<again>", "eval")
    return eval(code, frame.f_globals, frame.f_locals)


def _told(place: Place, receiver: ast.expr, arguments: list[ast.expr], frame: FrameType) -> str:
    name, given = ast.unparse(receiver), ", ".join(map(ast.unparse, arguments))
    try:
        tensor = _value(receiver, frame)
        sizes = _value(ast.Tuple(arguments, ast.Load()), frame)
        view = View(tuple(tensor.shape), tuple(tensor.stride()))
        there = reshaped(view, target_shape(view, tuple(sizes if isinstance(sizes[0], int) else sizes[0])), None)
    except Exception:  # what cannot be read again is not explained
        return ""
    if not isinstance(there, Counterexample):
        return ""
    copy = copied_bytes(tensor.numel() * tensor.element_size())
    return "\n".join((
        f"symview: {place}: {name} is {view}, and has no view of these sizes:",
        f"  {there}",
        f"  either {name}.reshape({given}), which copies {copy} here,",
        "  or .contiguous() where the tensor is made: one copy for all later views",
    ))  # fmt: skip
