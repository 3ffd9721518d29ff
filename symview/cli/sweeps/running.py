"""Carrying out a sweep: pieces of work on one core, on all, or on a cluster, and a record of each as it comes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib import import_module
from typing import Any

from symview.cli.sweeps.records import Piece, Records
from symview.cli.sweeps.sweep import Sweep
from symview.errors import InputError, SymviewError


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
    """One piece of work: smallest forms are of all our wrong answers, and of one of the peer's for each word."""
    counts, wrong = Counter[str](), []
    for n in range(first, last):
        finding = sweep.at(n)
        if finding.wrong or (finding.peer and finding.word not in counts):
            wrong.append(sweep.smallest(n))
        counts[finding.word] += 1
    return Piece(key, first, last, dict(counts), wrong)
