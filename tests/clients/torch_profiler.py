"""The copies of a run as PyTorch's profiler sees them, with sizes and strides: the oracle of `symview.torch.copies`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile
from torch.utils._pytree import tree_leaves

from symview.torch import copies
from symview.torch.copy_report import CopyReport

MODES = {"with gradients": nullcontext, "no_grad": torch.no_grad, "inference_mode": torch.inference_mode}

FORMATS = {0: torch.contiguous_format, 2: torch.channels_last, 3: torch.channels_last_3d}
TYPES = {6: torch.float32, 7: torch.float64}  # as the profiler numbers them


def copied(run: Callable[[], Any], fakes: bool = False) -> Counter[str]:
    """The layouts of the tensors that a run copies, with how often: clones into another format, at any depth.

    A `to` counts if it changes neither type nor device. `fakes`: without clones within kernels other than mm and addmm.
    """
    with profile(activities=[ProfilerActivity.CPU], record_shapes=True, profile_memory=True) as profiled:
        run()
    found = Counter[str]()
    for root in profiled.profiler.kineto_results.experimental_event_tree():
        for event in events(root):
            if is_copy(event) and not (fakes and within_a_kernel(event)):
                found[layout(event.extra_fields.inputs[0])] += 1
    return found


def reported(report: CopyReport) -> Counter[str]:
    """The same of a report."""
    found = Counter[str]()
    for copy in report.copies:
        found[copy.layout] += copy.times
    return found


def check_model(run: Callable[[], Any]) -> None:
    """A model makes the same outputs and copies with a report as without, and the report has all of these."""
    with seeded():
        plain = tensors(run())
    with seeded(), copies() as report:
        observed = tensors(run())
    with seeded():
        wanted = copied(run)
    assert len(plain) == len(observed) > 0
    assert all(same(a, b) for a, b in zip(plain, observed, strict=True))
    assert reported(report) == wanted


@contextmanager
def seeded() -> Iterator[None]:
    with torch.random.fork_rng():
        torch.manual_seed(1)
        yield


def tensors(outputs: Any) -> list[Any]:
    found = dict(outputs) if hasattr(outputs, "keys") else outputs
    return [x for x in tree_leaves(found) if isinstance(x, torch.Tensor)]


def same(a: Any, b: Any) -> bool:
    """Whether two tensors are bitwise equal."""
    as_bytes = [x.detach().contiguous().view(-1).view(torch.uint8) for x in (a, b)]
    return a.shape == b.shape and torch.equal(*as_bytes)


def events(event: Any) -> Iterator[Any]:
    yield event
    for child in event.children:
        yield from events(child)


def is_copy(event: Any) -> bool:
    if event.name == "aten::clone":
        before, form = event.extra_fields.inputs
        return form in FORMATS and not lies_in(before, FORMATS[form])
    if event.name == "aten::_to_copy":
        before, dtype, *_ = event.extra_fields.inputs
        return (dtype is None or TYPES.get(dtype) == before.dtype) and 0 not in before.sizes
    return False


def lies_in(tensor: Any, form: Any) -> bool:
    return torch.empty_strided(tensor.sizes, tensor.strides, device="meta").is_contiguous(memory_format=form)


def within_a_kernel(event: Any) -> bool:
    """Whether an operation around it does more than call others."""
    parent = event.parent
    while parent is not None:
        if parent.name not in ("aten::mm", "aten::addmm") and not only_calls(parent):
            return True
        parent = parent.parent
    return False


def only_calls(event: Any) -> bool:
    if not event.name.startswith("aten::"):
        return True
    packet = getattr(torch.ops.aten, event.name.removeprefix("aten::"))
    overloads = [getattr(packet, o) for o in packet.overloads()]
    return any(o.namespace == "aten" and o._can_decompose() for o in overloads if "aten" in o.name())


def layout(tensor: Any) -> str:
    """As symview writes it."""
    sizes, strides = (",".join(map(str, part)) for part in (tensor.sizes, tensor.strides))
    return f"({sizes}):({strides})"
