"""Observes the operations of PyTorch that copy; imported only together with PyTorch.

A dispatch key of its own, above all others, has kernels for the few operations that matter; all others fall through it
in C++. So what runs is what runs without it: fast paths, composite operators and their kernels, in every grad mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import get_ident
from typing import Any

import torch
from torch import _C
from torch._guards import TracingContext
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack

from symview.torch.copy_report import Copies

_ATEN = torch.ops.aten
_NAME = "TESTING_ONLY_GenericMode"  # a key that PyTorch itself never sets
_KEY = _C._parse_dispatch_key(_NAME)
_BELOW = _C._dispatch_keyset_full_after(_KEY)
_FORMATS = {
    torch.contiguous_format: False, torch.channels_last: True, torch.channels_last_3d: True,
}  # fmt: skip
_MATRICES = {_ATEN.mm.default: (0, 1), _ATEN.addmm.default: (1, 2)}
_LIBRARIES: list[Any] = []  # of PyTorch: kernels stay as long as these do
_OBSERVERS: list[tuple[int, Copies]] = []  # with the threads that entered them

Run = Callable[..., Any]


@contextmanager
def observing(copies: Copies) -> Iterator[None]:
    """Tells `copies` what this thread copies within the block."""
    if not _LIBRARIES:
        _register()
    observer = get_ident(), copies
    with ExitStack() as stack:
        stack.enter_context(_C._IncludeDispatchKeyGuard(_KEY))
        if _get_current_dispatch_mode_stack():
            stack.enter_context(_Composites())
        _OBSERVERS.append(observer)
        try:
            yield
        finally:
            _OBSERVERS.remove(observer)


class _Composites(TorchDispatchMode):  # type: ignore[misc]
    """Runs composite operators as C++ does: in inference mode, fake tensors would take PyTorch's Python versions.

    PyTorch excludes our key while a mode runs; here it is set again.
    """

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        options = kwargs or {}
        if torch.is_inference_mode_enabled() and func.namespace != "prim" and _is_composite(func.name()):
            with self, _C._SetExcludeDispatchKeyGuard(_KEY, False):
                return func._op_dk(_C.DispatchKey.CompositeImplicitAutograd, *args, **options)
        return func(*args, **options)


def _is_composite(name: str) -> bool:
    """Whether an operation of tensors on a CPU only calls others."""
    has = _C._dispatch_has_kernel_for_dispatch_key
    return bool(has(name, "CompositeImplicitAutograd") and not has(name, "CPU"))


def _register() -> None:
    """Registers the kernels, once in a process; without the key they never run."""
    others, aten = (torch.library.Library(name, "IMPL") for name in ("_", "aten"))
    others.fallback(torch.library.fallthrough_kernel, _NAME)
    for op in (_ATEN.clone.default, _ATEN._to_copy.default):
        aten.impl(op, _around(op, _cloned), _NAME, with_keyset=True)
    for op in (_ATEN.view.default, _ATEN._unsafe_view.default):
        aten.impl(op, _around(op, _viewed), _NAME, with_keyset=True)
    for op in _MATRICES:
        aten.impl(op, _around(op, _multiplied), _NAME, with_keyset=True)
    _LIBRARIES.extend((others, aten))


def _around(op: Any, observed: Callable[..., Any]) -> Run:
    """A kernel that runs an operation as it is, and observes it."""

    def run(keys: Any, *args: Any, **options: Any) -> Any:
        return op.redispatch(keys & _BELOW, *args, **options)

    def kernel(keys: Any, *args: Any, **options: Any) -> Any:
        if not isinstance(args[0], torch.Tensor):  # C++ hands the number of `x * 2.0` over as a float
            return run(keys, _tensor_of(args[0]), *args[1:], **options)
        if not _counts(args[0]):
            return run(keys, *args, **options)
        return observed(op, lambda: run(keys, *args, **options), args, options)

    return kernel


def _tensor_of(number: Any) -> Any:
    """A number as the tensor that it was in C++."""
    kinds = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}
    return torch.scalar_tensor(number, dtype=kinds[type(number)])


def _counts(tensor: Any) -> bool:
    """Whether an operation on the tensor copies: not on wrappers, whose inner tensors count, nor while compiling."""
    if isinstance(tensor, FakeTensor):
        return TracingContext.try_get() is None
    wraps = _C._functorch.is_functorch_wrapped_tensor(tensor)
    return not wraps and not _C._dispatch_keys(tensor).has(_C.DispatchKey.Python)


def _observers() -> list[Copies]:
    """The blocks of this thread; in a thread of PyTorch, which runs for another one, all."""
    own = [copies for thread, copies in _OBSERVERS if thread == get_ident()]
    return own or [copies for _, copies in _OBSERVERS]


def _cloned(op: Any, run: Run, args: Any, options: Any) -> Any:
    with _C._ExcludeDispatchKeyGuard(_KEY):  # vmap calls it once more
        out, before = run(), args[0]
    if op is _ATEN._to_copy.default and (before.dtype != out.dtype or before.device != out.device):
        return out
    form = options.get("memory_format")
    moves = op is _ATEN._to_copy.default and before.numel() > 0
    for copies in _observers():
        if form in _FORMATS or moves:
            copies.cloned(before, out, _FORMATS.get(form), moves)
    return out


def _viewed(op: Any, run: Run, args: Any, options: Any) -> Any:
    out = run()
    for copies in _observers():
        if copies.recent:
            copies.viewed(args[0], out.shape, op is _ATEN._unsafe_view.default)
    return out


def _multiplied(op: Any, run: Run, args: Any, options: Any) -> Any:
    """On real tensors the kernel's own clones are seen; on fake ones, its rule tells them."""
    observers = _observers()
    matrices = [args[at] for at in _MATRICES[op]]
    if isinstance(args[0], FakeTensor):
        for copies in observers:
            list(map(copies.multiplied, matrices))
        return run()
    for copies in observers:
        copies.multiplying += 1
    try:
        return run()
    finally:
        for copies in observers:
            copies.multiplying -= 1
