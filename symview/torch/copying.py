"""Finds where a program copies tensors for another layout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from symview.torch.copy_log import Log
from symview.torch.copy_report import CopyReport


@contextmanager
def copies() -> Iterator[CopyReport]:
    """A report of the copies for another layout that this thread makes within the block.

    It has the copies by reshapes and functions that use them (flatten, matmul, …), by `contiguous`, by clones with a
    memory format that the tensor does not have, by a `to` that changes neither type nor device, and those inside
    kernels (`layer_norm` of a transposed tensor). A plain `clone` is not counted. PyTorch runs as it does without the
    report. On fake tensors nothing is computed, and copies inside kernels other than `mm` and `addmm` are not seen.
    """
    from symview.torch.copy_modes import observing  # loads PyTorch

    log = Log()
    with observing(log):
        yield CopyReport(log)
