"""`symview sweep`: checks a law, a rule or a peer on many inputs, and records each piece as it finishes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from importlib import import_module
from typing import Any

from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.cli.sweeps.records import Piece, Records
from symview.cli.sweeps.sweep import Sweep
from symview.cli.terminal import progress
from symview.errors import InputError, SymviewError
from symview.rules.files import read_text
from symview.show.grid import Block, Grid

_SHOWN = 20  # how many wrong answers are listed


def sweep(
    law: str, bound: int, random: int | None, seed: int, against: str, db: str | None, jobs: int, scheduler: str,
    seconds: float, options: Options,
) -> Reply:  # fmt: skip
    """Checks a law, the rules of a file, or a peer's answers on all small inputs, or on random ones."""
    rules = read_text(law) if law.endswith(".toml") else ""
    work = Sweep("rules" if rules else law, bound, against, random, seed, rules, seconds)
    total = work.space.count
    with Records(db, work.question()) as records:
        inputs = (None for n in carried_out(work, records, jobs, scheduler) for _ in range(n))
        for _ in progress(inputs, total - records.counts().total(), f"sweeping {law}"):
            pass
        counts, wrong, theirs = records.counts(), records.wrong(), records.wrong(peer=True)
    fields = {
        "question": work.question(), "done": counts.total(), "inputs": total, "counts": dict(sorted(counts.items())),
        "wrong": _as_json(wrong), **({"peer_wrong": _as_json(theirs)} if against else {}),
        **({"left_out": work.left_out} if work.rules else {}),
    }  # fmt: skip

    def blocks() -> Iterator[Block]:
        rows = [(word, str(n)) for word, n in sorted(counts.items(), key=lambda pair: pair[1])]
        yield Grid(("outcome", "inputs"), tuple(rows))
        yield f"{counts.total()} of {total} inputs, {'some' if wrong else 'none'} answered wrongly."
        if work.left_out:
            yield f"Not tried; use symview prove: {', '.join(work.left_out)}."
        yield from _listed(wrong, "The smallest wrong answers")
        yield from _listed(theirs, f"The smallest wrong answers of {against}")

    return Reply(Code.NO if wrong else Code.YES, lambda: fields, blocks)


def _listed(wrong: Sequence[tuple[str, str]], title: str) -> Iterator[Grid]:
    more = f", {_SHOWN} of {len(wrong)}" if len(wrong) > _SHOWN else ""
    if wrong:
        yield Grid(("input", "what is wrong"), tuple(wrong[:_SHOWN]), f"{title}{more}")


def _as_json(wrong: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"input": given, "told": text} for given, text in wrong]


# On one core, on all, or on a cluster


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
        from joblib import Parallel, delayed
        from joblib.externals.loky.process_executor import TerminatedWorkerError
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
        from joblib import parallel_config
    except ImportError:
        raise InputError("a scheduler needs Dask: pip install distributed") from None
    try:
        client = distributed.Client(scheduler, timeout=5)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(f"no scheduler at {scheduler}: {error}") from None
    with client, parallel_config(backend="dask"):
        yield
