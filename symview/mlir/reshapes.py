"""Reshapes as MLIR writes them."""

from __future__ import annotations

from typing import Any

from symview.mlir.reassociations import collapsed_shape
from symview.mlir.types import read_type
from symview.view import View
from symview.view_notation import read_shape


def read_reshape(type_text: str, shape: str) -> tuple[View, tuple[Any, ...]]:
    """Reads the view of a type and its new shape, which may be written as a reassociation."""
    view = read_type(type_text)
    return view, collapsed_shape(view, shape) if shape.lstrip().startswith("[") else read_shape(shape)
