"""Runs Python inside a trace of the CuTe DSL, on a CPU: nothing is lowered, and nothing is launched."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

os.environ.setdefault("CUTE_DSL_ARCH", "sm_90a")  # where there is no GPU to ask

from cutlass import Int32, cute

from symview.cute import ComposedLayout, Layout


class Done(Exception):
    """Ends a trace with what its body gave."""

    def __init__(self, value: Any) -> None:
        self.value = value


_BODIES: list[Callable[..., Any]] = []


def _run(n: Any, m: Any) -> None:
    raise Done(_BODIES.pop()(n, m))


@cute.jit
def _trace(n: Int32, m: Int32):  # type: ignore[no-untyped-def]
    _run(n, m)


def traced(body: Callable[..., Any]) -> Any:
    """What the body gives inside a trace; it takes two integers that are known at run time only."""
    _BODIES.append(body)
    try:
        cute.compile(_trace, Int32(3), Int32(5))
    except Done as done:
        return done.value
    finally:
        _BODIES.clear()
    raise AssertionError("the trace went on")


def dsl(x: Any) -> Any:
    """An argument for the DSL: layouts as its layouts."""
    if isinstance(x, tuple):
        return tuple(map(dsl, x))
    if isinstance(x, ComposedLayout):
        front = cute.make_swizzle(x.layoutB.bits, x.layoutB.base, x.layoutB.shift)
        return cute.make_composed_layout(front, x.offset, dsl(x.layoutA))
    return cute.make_layout(x.shape, stride=x.stride) if isinstance(x, Layout) else x
