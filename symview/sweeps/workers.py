"""Carries out a sweep, on one core, on all, or on a cluster; records each piece as it finishes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

from symview.errors import InputError, SymviewError
from symview.sweeps.records import Piece, Records
from symview.sweeps.sweep import Sweep


class WorkerDied(SymviewError, RuntimeError):
    """A worker died before it finished its piece of work."""


def carried_out(sweep: Sweep, records: Records, jobs: int = 1, scheduler: str = "") -> Iterator[int]:
    """Runs the missing pieces; yields the number of inputs of each, after recording it."""
    done = records.done()
    for piece in _pieces(sweep, (chunk for chunk in sweep.chunks() if chunk[0] not in done), jobs, scheduler):
        records.write(piece)
        yield piece.last - piece.first


def _pieces(sweep: Sweep, left: Iterator[tuple[int, int]], jobs: int, scheduler: str) -> Iterator[Piece]:
    if jobs == 1 and not scheduler:
        yield from (sweep.piece(*chunk) for chunk in left)
        return
    try:
        from joblib import Parallel, delayed  # slow to load
        from joblib.externals.loky.process_executor import TerminatedWorkerError  # slow to load
    except ImportError:
        raise InputError("several cores need joblib: pip install joblib, or use --jobs 1") from None
    with _cluster(scheduler) if scheduler else nullcontext():
        work = Parallel(n_jobs=-1 if jobs == 0 else jobs, return_as="generator_unordered", batch_size=1)
        try:
            yield from work(delayed(sweep.piece)(*chunk) for chunk in left)
        except TerminatedWorkerError:
            raise WorkerDied("a worker died; finished pieces are kept: run it again to continue") from None


@contextmanager
def _cluster(scheduler: str) -> Iterator[None]:
    """Joblib's Dask backend with the scheduler at that address; raises InputError if there is none."""
    try:
        distributed: Any = import_module("distributed")
        from joblib import parallel_config  # slow to load
    except ImportError:
        raise InputError("a scheduler needs Dask: pip install distributed") from None
    try:
        client = distributed.Client(scheduler, timeout=5)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"no scheduler at {scheduler}: {error}") from None
    with client, parallel_config(backend="dask"):
        yield
