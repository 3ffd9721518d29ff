"""Observes the operations of PyTorch that copy; imported only together with PyTorch.

A dispatch key of its own, above all others, has kernels for the few operations that matter; all others fall through it
in C++. So what runs is what runs without it: fast paths, composite operators and their kernels, in every grad mode.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from threading import Lock, get_ident
from typing import Any, Literal

import torch
from torch import _C
from torch._guards import TracingContext
from torch._prims_common import suggest_memory_format
from torch._subclasses.fake_tensor import FakeTensor
from torch.utils._python_dispatch import TorchDispatchMode, _get_current_dispatch_mode_stack

from symview.torch.consumers import READ, is_copied
from symview.torch.copy_log import Log, is_symbolic

_ATEN = torch.ops.aten
_NAME = "TESTING_ONLY_GenericMode"  # a key that PyTorch itself never sets
_KEY = _C._parse_dispatch_key(_NAME)
_BELOW = _C._dispatch_keyset_full_after(_KEY)
_FORMATS = {
    torch.contiguous_format: False, torch.channels_last: True, torch.channels_last_3d: True,
}  # fmt: skip
_FAKED = {"mm": (0, 1), "addmm": (1, 2)}  # whose copies are reported on fake tensors, too
_LIBRARIES: list[Any] = []  # of PyTorch: kernels stay as long as these do
_OBSERVERS: list[tuple[int, Log]] = []  # with the threads that entered them
_LOCK = Lock()
_NUMBERS = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}


@contextmanager
def observing(log: Log) -> Iterator[None]:
    """Tells `log` what this thread copies within the block."""
    with _LOCK:
        if not _LIBRARIES:
            _register()
    observer = get_ident(), log
    with ExitStack() as stack:
        stack.enter_context(_C._IncludeDispatchKeyGuard(_KEY))
        if _get_current_dispatch_mode_stack():
            stack.enter_context(_Fakes())
        _OBSERVERS.append(observer)
        try:
            yield
        finally:
            _OBSERVERS.remove(observer)


class _Fakes(TorchDispatchMode):  # type: ignore[misc]
    """What is missing on fake tensors: the kernels of matrix products, and composite operators as C++ runs them.

    In inference mode fake tensors take PyTorch's Python versions of these. Our key is excluded while a mode runs; for
    composite operators it is set again.
    """

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        options = kwargs or {}
        if torch.is_inference_mode_enabled() and func.namespace != "prim" and _is_composite(func.name()):
            with self, _C._SetExcludeDispatchKeyGuard(_KEY, False):
                return func._op_dk(_C.DispatchKey.CompositeImplicitAutograd, *args, **options)
        name = func._opname if func.namespace == "aten" and func._overloadname == "default" else ""
        for at in _FAKED.get(name, ()):
            if isinstance(args[at], FakeTensor) and _is_copied(name, args[at]):
                for log in _observers():
                    log.multiplied(args[at])
        return func(*args, **options)


def _is_composite(name: str) -> bool:
    """Whether an operation of tensors on a CPU only calls others."""
    has = _C._dispatch_has_kernel_for_dispatch_key
    return bool(has(name, "CompositeImplicitAutograd") and not has(name, "CPU"))


def _register() -> None:
    """Registers the kernels, once in a process; without the key they never run."""
    others, aten = (torch.library.Library(name, "IMPL") for name in ("_", "aten"))
    others.fallback(torch.library.fallthrough_kernel, _NAME)
    for op, kernel in (
        (_ATEN.clone.default, _clones), (_ATEN._to_copy.default, _clones),
        (_ATEN.view.default, _views), (_ATEN._unsafe_view.default, _views), (_ATEN._reshape_alias.default, _views),
    ):  # fmt: skip
        aten.impl(op, kernel(op), _NAME, with_keyset=True)
    for name, read in READ.items():
        op = getattr(_ATEN, name).default
        aten.impl(op, _reader(op, name, read), _NAME, with_keyset=True)
    _LIBRARIES.extend((others, aten))


def _clones(op: Any) -> Callable[..., Any]:
    """A kernel that runs a clone or a `to` as it is, and tells what it copied."""
    clone, redispatch = op is _ATEN.clone.default, op.redispatch

    def kernel(keys: Any, tensor: Any, **options: Any) -> Any:
        before, form = _tensor_of(tensor), options.get("memory_format")
        logs = () if (clone and form not in _FORMATS) or not _counts(before) else _observers()
        logs = [log for log in logs if not log.cloning]
        for log in logs:
            log.cloning = True  # vmap calls it once more
        try:
            out = redispatch(keys & _BELOW, before, **options)
        finally:
            for log in logs:
                log.cloning = False
        if logs and (_moves(before, form) if clone else _is_plain_to(before, out)):
            for log in logs:
                log.cloned(before, out, "clone" if clone else _kind(before, form), _FORMATS.get(form, False))
        return out

    return kernel


def _views(op: Any) -> Callable[..., Any]:
    """A kernel that runs a view as it is, and tells which sizes a copy is viewed as."""
    of_reshape, redispatch = op is _ATEN._unsafe_view.default, op.redispatch

    def kernel(keys: Any, tensor: Any, *sizes: Any) -> Any:
        out = redispatch(keys & _BELOW, _tensor_of(tensor), *sizes)
        for log in _observers():
            if log.recent:
                log.viewed(tensor, out.shape, of_reshape)
        return out

    return kernel


def _reader(op: Any, name: str, read: tuple[int, ...]) -> Callable[..., Any]:
    """A kernel that runs an operation as it is, and tells which tensors it reads."""
    redispatch = op.redispatch

    def kernel(keys: Any, *args: Any, **options: Any) -> Any:
        for log in _observers():
            if log.recent:
                work = args[read[0]].shape[-2:].numel() * args[read[-1]].shape[-1] if len(read) > 1 else 0
                for at in read:
                    log.used(name, args[at], work=work)
        return redispatch(keys & _BELOW, *args, **options)

    return kernel


def _tensor_of(tensor: Any) -> Any:
    """The tensor; a number that C++ hands over, as that of `x * 2.0`, as the tensor that it was there."""
    dtype = _NUMBERS.get(type(tensor))
    return tensor if dtype is None else torch.scalar_tensor(tensor, dtype=dtype)


def _moves(tensor: Any, form: Any) -> bool:
    """Whether the format is another one; of symbols it is not known."""
    return is_symbolic(tensor) or not tensor.is_contiguous(memory_format=form)


def _kind(tensor: Any, form: Any) -> Literal["to", "asked"]:
    """Whether the format of a `to` is why it copies, or copy=True alone."""
    other = form in _FORMATS and (is_symbolic(tensor) or suggest_memory_format(tensor) != form)
    return "to" if other else "asked"


def _is_plain_to(before: Any, after: Any) -> bool:
    """Whether a `to` copied elements though neither their type nor their device changes."""
    same = before.dtype == after.dtype and before.device == after.device
    return bool(same and (is_symbolic(before) or before.numel() > 0))


def _counts(tensor: Any) -> bool:
    """Whether an operation on the tensor copies: not on wrappers, whose inner tensors count, nor while compiling."""
    if tensor.layout is not torch.strided or TracingContext.try_get() is not None:
        return False
    if isinstance(tensor, FakeTensor):
        return True
    wraps = _C._functorch.is_functorch_wrapped_tensor(tensor)
    return not wraps and not _C._dispatch_keys(tensor).has(_C.DispatchKey.Python)


def _observers() -> list[Log]:
    """The blocks of this thread; in a thread of PyTorch, which runs for another one, all."""
    own = [log for thread, log in _OBSERVERS if thread == get_ident()]
    return own or [log for _, log in _OBSERVERS]


def _is_copied(operation: str, matrix: Any) -> bool:
    """Whether a product copies a matrix; of symbols it is not known."""
    return not is_symbolic(matrix) and is_copied(operation, matrix.shape, matrix.stride())
