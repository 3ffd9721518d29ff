"""Carrying out a sweep: pieces of work on one core, on all, or on a cluster, and a record of each as it comes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from importlib import import_module
from select import select
from typing import IO, Any

from symview.cli.sweeps.checks import Finding
from symview.cli.sweeps.records import Piece, Records, Wrong
from symview.cli.sweeps.sweep import Sweep
from symview.errors import InputError, SymviewError

OVERRUN = "gave up: too slow"
ENDED = "gave up: its process ended"
_START = 60.0  # seconds that a process may take to be there
_SHRINKING = 120.0  # and to find the smallest form of a wrong answer


class WorkerDied(SymviewError, RuntimeError):
    """A worker ended before its piece of work did."""


def carried_out(sweep: Sweep, records: Records, jobs: int = 1, scheduler: str = "") -> Iterator[int]:
    """Does what is left to do; yields after each piece how many inputs it had. Whatever was yielded is recorded."""
    done = records.done()
    left = (chunk for chunk in sweep.chunks() if chunk[0] not in done)
    for piece in _pieces(sweep, left, jobs, scheduler):
        records.write(piece)
        yield piece.last - piece.first


def _pieces(sweep: Sweep, left: Iterator[tuple[str, int, int]], jobs: int, scheduler: str) -> Iterator[Piece]:
    if jobs == 1 and not scheduler:
        yield from (piece_of(sweep, *chunk) for chunk in left)
        return
    try:
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import TerminatedWorkerError
    except ImportError:
        raise InputError("several cores need joblib: install symview[sweep], or ask with --jobs 1") from None
    with _backend(scheduler):
        work = Parallel(n_jobs=-1 if jobs == 0 else jobs, return_as="generator_unordered", batch_size=1)
        try:
            yield from work(delayed(piece_of)(sweep, *chunk) for chunk in left)
        except TerminatedWorkerError:
            raise WorkerDied("a worker died; what was done is kept: run the same again to go on") from None


def _backend(scheduler: str) -> AbstractContextManager[Any]:
    return _cluster(scheduler) if scheduler else nullcontext()


@contextmanager
def _cluster(scheduler: str) -> Iterator[None]:
    """Joblib's Dask backend with the scheduler at that address; InputError where there is none."""
    try:
        distributed: Any = import_module("distributed")
        from joblib import parallel_config
    except ImportError:
        raise InputError("a scheduler needs Dask: install symview[cluster]") from None
    try:
        client = distributed.Client(scheduler, timeout=5)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"no scheduler at {scheduler}: {error}") from None
    with client, parallel_config(backend="dask"):
        yield


def piece_of(sweep: Sweep, key: str, first: int, last: int) -> Piece:
    """One piece of work."""
    counts, wrong = Counter[str](), []
    for finding, smallest in (_guarded if sweep.asks_solvers else _plain)(sweep, first, last):
        counts[finding.word] += 1
        wrong += [smallest] if smallest else []
    return Piece(key, first, last, dict(counts), wrong)


def _plain(sweep: Sweep, first: int, last: int) -> Iterator[tuple[Finding, Wrong | None]]:
    """The findings, and the smallest forms of our wrong answers, and of one wrong answer of the peer for each word."""
    words = set()
    for n in range(first, last):
        finding = sweep.at(n)
        told = finding.wrong or (finding.peer and finding.word not in words)
        words.add(finding.word)
        yield finding, sweep.smallest(n) if told else None


def _guarded(sweep: Sweep, first: int, last: int) -> Iterator[tuple[Finding, Wrong | None]]:
    """The same by a process that is killed where an input overruns; the next one goes on behind it."""
    while first < last:
        with _child(sweep, first, last) as back:
            for found in _answers(sweep, first, last, back):
                first += 1
                yield found


@contextmanager
def _child(sweep: Sweep, first: int, last: int) -> Iterator[IO[bytes]]:
    """What a process for solvers writes; the process is killed at the end."""
    command = [sys.executable, "-m", "symview.cli.sweeps.child"]
    child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0)
    try:
        there, back = _pipes(child)
        there.write(json.dumps([asdict(sweep), first, last]).encode() + b"\n")
        if not _line(back, _START):
            raise WorkerDied("a process for solvers did not start")
        yield back
    finally:
        child.kill()
        child.communicate()


def _answers(sweep: Sweep, first: int, last: int, back: IO[bytes]) -> Iterator[tuple[Finding, Wrong | None]]:
    """What the process finds, up to the input at which it is silent for too long, or ends."""
    for n in range(first, last):
        line = _line(back, sweep.seconds)
        if not line:
            yield Finding(OVERRUN if line is None else ENDED), None
            return
        finding = Finding(*json.loads(line))
        smallest = _line(back, _SHRINKING) if finding.wrong else None
        if finding.wrong and not smallest:
            yield finding, sweep.told(n, finding.wrong)
            return
        yield finding, Wrong(*json.loads(smallest)) if smallest else None


def _pipes(child: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    if child.stdin is None or child.stdout is None:
        raise WorkerDied("a process for solvers has no pipes")
    return child.stdin, child.stdout


def _line(back: IO[bytes], seconds: float) -> bytes | None:
    """The next line; empty where the process ended, None where none comes in time. Nothing is read ahead."""
    return back.readline() if select([back], [], [], seconds)[0] else None
