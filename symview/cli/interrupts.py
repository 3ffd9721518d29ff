"""Ctrl-C: heard wherever a command is. It imports little, so that it is there before all else."""

from __future__ import annotations

import signal
import sys
import threading
from typing import NoReturn

INTERRUPTED = 130  # the exit code


class CtrlC:
    """Ctrl-C until it is heard: raised again and again, for Python drops what is raised in a finalizer.

    `came`: it was pressed; an error of another kind may then be what ctypes made of the interrupt.
    """

    def __init__(self) -> None:
        self.came = False

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

    def _raise(self, *_: object) -> NoReturn:
        self.came = True
        sys.unraisablehook = lambda _: None  # a finalizer may complain of what the interrupt left half made
        signal.setitimer(signal.ITIMER_REAL, 0.5)
        raise KeyboardInterrupt
