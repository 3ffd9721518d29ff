"""Fake tensors for programs that build models; imported only together with PyTorch."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.nn import Module
from torch.utils._pytree import tree_leaves


class FakesButForModels(FakeTensorMode):  # type: ignore[misc]
    """Makes fake tensors, but real ones while a module is built, which may read their values."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        given = tree_leaves([args, kwargs])
        if _builds_a_module() and not any(isinstance(x, FakeTensor) for x in given):
            return func(*args, **(kwargs or {}))
        return super().__torch_dispatch__(func, types, args, kwargs)


def _builds_a_module() -> bool:
    """Whether the constructor of a module runs."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        code = frame.f_code
        if code.co_name == "__init__" and code.co_argcount and isinstance(frame.f_locals[code.co_varnames[0]], Module):
            return True
        frame = frame.f_back
    return False
