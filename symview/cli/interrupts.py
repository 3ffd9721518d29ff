"""Ctrl-C: it ends a command at any point. This module imports little, so that it can be loaded first."""

from __future__ import annotations

import signal
import sys
import threading
from typing import NoReturn


class CtrlC:
    """Raises Ctrl-C again and again until it arrives, since Python drops exceptions that are raised in a finalizer.

    `came`: it was pressed; ctypes may then have turned the interrupt into another error.
    """

    def __init__(self) -> None:
        self.came = self.handles = False

    def __enter__(self) -> None:
        usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler and hasattr(signal, "setitimer")
        self.handles = usual and threading.current_thread() is threading.main_thread()
        if self.handles:
            signal.signal(signal.SIGINT, self._raise)
            self.alarm = signal.signal(signal.SIGALRM, self._raise)

    def __exit__(self, *_: object) -> None:
        if self.handles:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGINT, signal.default_int_handler)
            signal.signal(signal.SIGALRM, self.alarm)

    def ignored(self) -> None:
        """Ignores Ctrl-C from now on, where it was handled."""
        if self.handles:
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    def _raise(self, *_: object) -> NoReturn:
        self.came = True
        sys.unraisablehook = lambda _: None  # a finalizer may complain about objects that the interrupt left half built
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        raise KeyboardInterrupt
