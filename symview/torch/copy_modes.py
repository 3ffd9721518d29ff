"""The modes of PyTorch that observe copies; imported only together with PyTorch."""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode

from symview.torch.copy_report import Copies

_ATEN = torch.ops.aten
_FORMATS = {
    torch.contiguous_format: False, torch.channels_last: True, torch.channels_last_3d: True,
}  # fmt: skip
_MATRICES = {_ATEN.mm.default: (0, 1), _ATEN.addmm.default: (1, 2)}
_VIEWS = {_ATEN._unsafe_view.default: True, _ATEN.view.default: False}


def modes(copies: Copies) -> tuple[Any, Any]:
    """The mode that names the functions, and the mode that observes the operations inside them."""
    return _Functions(copies), _Operations(copies)


class _Functions(TorchFunctionMode):  # type: ignore[misc]
    """Records which function runs: the outermost, as the user called it."""

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self.copies = copies

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        before = self.copies.function
        self.copies.function = before or getattr(func, "__name__", str(func)).strip("_")
        try:
            return func(*args, **(kwargs or {}))
        finally:
            self.copies.function = before


class _Operations(TorchDispatchMode):  # type: ignore[misc]
    """Observes clones and views, also inside functions composed of others."""

    def __init__(self, copies: Copies) -> None:
        super().__init__()
        self.copies = copies

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        options = kwargs or {}
        if torch.is_inference_mode_enabled() and is_made_of_others(func):
            with self:
                found = func.decompose(*args, **options)
            if found is not NotImplemented:
                return found
        out = func(*args, **options)
        if func in _VIEWS:
            self.copies.viewed(args[0], out.shape, _VIEWS[func])
        for at in _MATRICES.get(func, ()):
            self.copies.multiplied(args[at])
        if options.get("memory_format") in _FORMATS and _lays_out(func, args, out):
            self.copies.cloned(args[0], out, _FORMATS[options["memory_format"]])
        return out


def is_made_of_others(func: Any) -> bool:
    """Whether an operation only calls others; without gradients PyTorch leaves decomposing it to the modes."""
    try:
        return bool(func._can_decompose())
    except RuntimeError:  # it exists only in TorchScript
        return False


def _lays_out(func: Any, args: Any, out: Any) -> bool:
    """Whether it puts the same elements elsewhere: a clone, or a `to` of the same type and device."""
    if func is _ATEN._to_copy.default:
        return bool(args[0].dtype == out.dtype and args[0].device == out.device)
    return func is _ATEN.clone.default
