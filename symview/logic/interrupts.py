"""Ctrl-C in Python: an interrupt that Python drops, as in a finalizer, is raised again.

Python raises KeyboardInterrupt wherever it happens to be. In a finalizer, or while it closes a generator, it has nobody
to tell, and passes the exception to `sys.unraisablehook`. There, the interrupt is sent again.
"""

from __future__ import annotations

import _thread
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import sleep
from types import ModuleType
from typing import Any

_LATER = 0.01  # seconds; most finalizers are done by then
_same = partial(next, iter(()))  # the identity; as no code of Python runs in it, no interrupt does


def resend_dropped() -> None:
    """Has interrupts sent again that would be dropped from now on; everything else goes to the hook that was there.

    An interrupt that a handler of the caller's has raised stays with that handler.
    """
    if getattr(sys.unraisablehook, "func", None) is not _hook:
        sys.unraisablehook = partial(_hook, sys.unraisablehook)


def _hook(before: Callable[[Any], object], dropped: Any) -> None:
    pressed = isinstance(dropped.exc_value, KeyboardInterrupt) or dropped.exc_type is KeyboardInterrupt
    if pressed and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        with suppress(RuntimeError):  # Python is ending
            _thread.start_new_thread(_send_again, ())
    else:
        before(dropped)


def _send_again() -> None:
    sleep(_LATER)
    _thread.interrupt_main()


def pass_arguments_at_once(calls: ModuleType, types: ModuleType) -> None:
    """Has ctypes pass arguments of these types as they are, without calling Python.

    Z3's own `from_param` returns its argument, but ctypes turns an interrupt in it into an ArgumentError.
    """
    for kind in vars(types).values():
        if isinstance(kind, type) and "from_param" in vars(kind):
            kind.from_param = _same  # type: ignore[attr-defined]
    for call in vars(calls).values():
        for default in getattr(call, "__defaults__", None) or ():
            function: Any = getattr(default, "f", None)
            if getattr(function, "argtypes", None):
                function.argtypes = function.argtypes  # looks the conversions up again
