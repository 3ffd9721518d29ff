"""Text in the place of a layout or a shape, as the command line takes it, read where a public function is called."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from inspect import Parameter, signature
from typing import Any

from symview.cute.basis import BasisElement
from symview.cute.coordinate_layouts import CoordinateLayout
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.notation import read_tiler
from symview.cute.swizzle_notation import parse

BEHIND = re.compile(r"\s*S[wW]?[<_]\d|.*\so\s|\s*\{", re.DOTALL)  # a swizzle, several layouts, or a linear one
_LAYOUTS = "layout layoutA layoutB composed block atom thr_layout val_layout inner outer layouts"
_TUPLES = (
    "shape stride x a b t trg_shape dst_shape src_shape profile target_profile tile tiler coord crd elem target parts "
    "mode max_idx"
)
_OF_LAYOUTS = (
    "blocked_product raked_product is_bijective is_injective max_common_layout max_common_vector same_function "
    "same_function_conditions to_linear to_linear_conditions to_swizzled to_view to_view_conditions"
)  # these take a layout for x, a, b and tiler


def __getattr__(name: str) -> Any:
    return getattr(import_module("symview.cute"), name)


def read_layout_or_tiler(text: str) -> Any:
    """A layout, a size, None, or a tuple of these, `<4:1,_,8>`; or a layout behind others.

    >>> read_layout_or_tiler("(4,8)"), read_layout_or_tiler("<4:1,_,8>")
    (Layout((4, 8), (1, 4)), (Layout(4, 1), None, 8))
    """
    return parse(text) if BEHIND.match(text) else read_tiler(text, _made)


def read_tuple(text: str) -> Any:
    """A nested tuple, `_` in it being None, or a layout where there are strides.

    >>> read_tuple("(4,(2,n))"), read_tuple("(4,_)"), read_tuple("(4,8):(8,1)")
    ((4, (2, n)), (4, None), Layout((4, 8), (8, 1)))
    """
    found = read_layout_or_tiler(text)
    return _with_none(found.shape) if isinstance(found, Layout) and ":" not in text else found


def _with_none(t: Any) -> Any:
    if isinstance(t, tuple):
        return tuple(map(_with_none, t))
    return None if getattr(t, "name", "") == "_" else t


def reading_text(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The function that symview.cute has under that name, which takes text as well for layouts and nested tuples."""

    @wraps(function)
    def called(*args: Any, **given: Any) -> Any:
        for x in args:  # of numbers this is all that it takes
            if x.__class__ is str:
                break
        else:
            if not given:
                return function(*args)
        args, given = arguments(function, args, given)
        return function(*args, **given)

    called.__module__, called.__qualname__ = __name__, name  # where pickle finds it
    return called


def arguments(
    function: Callable[..., Any], args: tuple[Any, ...], given: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments, with layouts and tuples for what is text among them."""
    if not any(type(x) is str for x in (*args, *given.values())):
        return args, given
    named: list[str] = []
    for name, p in signature(function).parameters.items():
        named += [name] * (len(args) if p.kind is Parameter.VAR_POSITIONAL else 1)
    read = [_entry(function, name, x) for name, x in zip(named, args, strict=False)]
    return (*read, *args[len(read) :]), {name: _entry(function, name, x) for name, x in given.items()}


def _entry(function: Callable[..., Any], name: str, x: Any) -> Any:
    if type(x) is not str:
        return x
    takes_layouts = function.__name__ in _OF_LAYOUTS.split() and name in ("x", "a", "b", "tiler")
    if takes_layouts or name in _LAYOUTS.split():
        return read_layout_or_tiler(x)
    return read_tuple(x) if name in _TUPLES.split() else x


def _made(shape: Any, stride: Any = None) -> Layout | CoordinateLayout:
    basis = any(isinstance(d, BasisElement) for d in leaves(stride))
    return CoordinateLayout(shape, stride) if basis else Layout(shape, stride)
