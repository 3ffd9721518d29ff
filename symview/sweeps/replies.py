"""The reply of `symview sweep`: a law, a rule or a peer, checked on many inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symview.commands.options import Options
from symview.commands.replies import Code, Reply
from symview.commands.waiting import progress
from symview.rules.files import read_text
from symview.show.grid import Block, Grid
from symview.sweeps.records import Records
from symview.sweeps.sweep import Sweep
from symview.sweeps.workers import carried_out

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
        yield f"{counts.total()} of {total} inputs, {'wrong' if wrong else 'no wrong'} answers."
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
