"""Does one file after another in a child process, whose CPU time and memory are limited.

It is the last line of defence, against work that nobody counts: `symview.trusted.work` gives up long before.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
MEMORY = 2 << 30  # bytes, beyond those that the process has when it begins


def each(
    function: Callable[[Item], Result], items: Sequence[Item], seconds: float, memory: int = MEMORY
) -> Iterator[Result | None]:
    """The results in order; None where the child took more seconds of CPU time, or more memory. Raises what it raised.

    One child does as many items as it can, and what they start lives as long, such as a solver; another goes on after
    it. There is none where processes have no limits, as on Windows, and beside other threads, whose locks a fork keeps.

    >>> list(each(len, ["a", "bc"], 10.0))
    [1, 2]
    """
    if not find_spec("resource") or not hasattr(os, "fork") or threading.active_count() > 1:
        yield from map(function, items)
        return
    left = list(items)
    while left:
        with closing(_in_a_child(function, left, seconds, memory)) as results:
            for found in results:
                del left[0]
                yield found
        if left:
            del left[0]
            yield None


def _in_a_child(
    function: Callable[[Item], Result], items: Sequence[Item], seconds: float, memory: int
) -> Generator[Result, None, None]:
    """The results until the child ends."""
    there, here = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads that other packages started; the child takes no lock of theirs
        child = os.fork()
    if child == 0:
        os.close(there)
        _work_off(function, items, here, seconds, memory)
    os.close(here)
    try:
        with open(there, "rb") as pipe, suppress(EOFError, pickle.UnpicklingError):
            while True:
                done, found = pickle.load(pipe)
                if not done:
                    raise found
                yield found
    finally:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _work_off(
    function: Callable[[Item], Result], items: Sequence[Item], here: int, seconds: float, memory: int
) -> NoReturn:
    """The child: writes each result; signals end it where the time is over, or nobody waits for it any more."""
    with suppress(BaseException):
        for number in (signal.SIGPROF, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        parent = os.getppid()
        signal.signal(signal.SIGALRM, lambda *_: None if os.getppid() == parent else os._exit(1))
        signal.setitimer(signal.ITIMER_REAL, 1.0, 1.0)
        _limit_memory(memory)
        with open(here, "wb") as pipe:
            for item in items:
                signal.setitimer(signal.ITIMER_PROF, seconds)  # of this process: a solver has limits of its own
                try:
                    found: tuple[bool, object] = True, function(item)
                except MemoryError:
                    break
                except Exception as error:
                    found = False, error
                signal.setitimer(signal.ITIMER_PROF, 0)
                pickle.dump(found, pipe)
                pipe.flush()
    os._exit(0)  # without what the parent would do at its end


def _limit_memory(more: int) -> None:
    """Limits what this process, and what it starts, may allocate."""
    import resource  # not on Windows

    pages = Path("/proc/self/statm")
    if sys.platform == "linux" and pages.exists():
        now = int(pages.read_text().split()[5]) * resource.getpagesize()
        most = resource.getrlimit(resource.RLIMIT_DATA)[1]
        resource.setrlimit(resource.RLIMIT_DATA, (now + more, most))
