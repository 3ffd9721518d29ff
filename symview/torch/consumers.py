"""What reads a copy next, and whether it would copy itself if it were given the tensor as it was before.

The rules are those of PyTorch's kernels for CPUs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from symview.engine.density import is_contiguous, moving
from symview.torch.places import Site
from symview.view import View, reshaped, target_shape
from symview.views.merging import merge

READ = {
    "mm": (0, 1), "addmm": (1, 2), "bmm": (0, 1), "native_layer_norm": (0,), "_softmax": (0,), "convolution": (0,),
    "native_group_norm": (0,),
}  # fmt: skip
MATRICES = "mm", "addmm", "bmm"
_FORMATTED = "convolution", "native_group_norm"  # they need contiguous or channels-last tensors
ORDERS = {4: (1, 3, 2, 0), 5: (1, 4, 3, 2, 0)}  # of channels-last formats, the fastest dim first
_FOLDING = "linear", "matmul"  # they view a tensor as a matrix, or, where that would copy, call bmm instead
_FEW = 400  # a product of a batch with fewer multiplications copies nothing


class Use(NamedTuple):
    """An operation that read a copy, or a view of it, with this shape, these strides and this offset.

    `target`: for a view, the new sizes. `work`: for a product, the multiplications in each matrix.
    """

    operation: str
    site: Site
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    target: tuple[int, ...] | None = None
    work: int = 0

    def __str__(self) -> str:
        name = f"aten::{self.operation}" if self.target is None else self.site.call or self.operation
        return f"{name} at {self.site.library or self.site.place}"


def copies_instead(before: View, uses: Sequence[Use]) -> str:
    """Says which of the uses would copy, were it given the tensor `before` its copy; empty if none is known to.

    `before` has its dims in the order of the copy's memory. A use that copies anyway does not count.
    """
    use = next((use for use in uses if _would_copy(before, use)), None)
    if use is None:
        return ""
    folds = use.target is not None and use.site.call in _FOLDING
    return f"{use} would copy" + (", if its other operand needs a gradient" if folds else "")


def _would_copy(before: View, use: Use) -> bool:
    read = merge(before, View(use.shape, use.strides, use.offset))
    if not isinstance(read, View):
        return False  # then the view that made it of the copy is among the uses
    if use.target is not None:
        return not isinstance(reshaped(read, target_shape(read, use.target), None), View)
    strides = [1 if n == 1 else t for n, t in zip(read.shape, read.strides, strict=True)]  # no matrix is copied for it
    now, then = (is_copied(use.operation, use.shape, s, use.work) for s in (use.strides, strides))
    return then and not now


def is_copied(operation: str, shape: Sequence[int], strides: Sequence[int], work: int = 0) -> bool:
    """Whether the kernel of an operation copies a tensor that it reads."""
    if operation in MATRICES:
        return (len(shape) == 2 or work >= _FEW) and _is_copied_matrix(shape[-2:], strides[-2:])
    orders = [tuple(reversed(range(len(shape))))]
    if operation in _FORMATTED and len(shape) in ORDERS:
        orders.append(ORDERS[len(shape)])
    return not any(is_contiguous(moving([shape[d] for d in o], [strides[d] for d in o])) for o in orders)


def _is_copied_matrix(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether BLAS refuses a matrix: unless it is contiguous, or one stride is 1 and the other at least that size."""
    (rows, columns), (down, along) = shape, strides
    contiguous = (columns == 1 or along == 1) and (rows == 1 or down == columns)
    return not (contiguous or 0 in shape or (along == 1 and down >= columns) or (down == 1 and along >= rows))
