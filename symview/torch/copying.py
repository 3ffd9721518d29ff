"""Finds where a program copies tensors for another layout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from symview.torch.copy_report import Copies, CopyReport


@contextmanager
def copies() -> Iterator[CopyReport]:
    """A report of the copies for another layout that this thread makes within the block.

    It has copies by reshapes and functions that use them (flatten, matmul, …), by `contiguous`, by clones and `to` with
    a memory format that the tensor does not have, and of inputs of `mm` and `addmm` that BLAS does not accept. On fake
    tensors nothing is computed. A plain `clone` is not counted, nor are copies inside other kernels.
    """
    from symview.torch.copy_modes import observing  # loads PyTorch

    report = CopyReport()
    with observing(Copies(report)):
        yield report
