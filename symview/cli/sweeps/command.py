"""`symview sweep`: a law, a rule or a comparison with a peer over many inputs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.cli.sweeps.records import Records
from symview.cli.sweeps.running import carried_out
from symview.cli.sweeps.sweep import Sweep
from symview.cli.terminal import progress
from symview.rules.files import read_text
from symview.show.grid import Block, Grid

_SHOWN = 20  # wrong answers that are listed


def sweep(
    law: str, bound: int, random: int | None, seed: int, against: str, db: str | None, jobs: int, scheduler: str,
    seconds: float, options: Options,
) -> Reply:  # fmt: skip
    """What comes of a law, the rules of a file, or a comparison with a peer over all small inputs, or random ones."""
    rules = read_text(law) if law.endswith(".toml") else ""
    asked = Sweep("rules" if rules else law, bound, against, random, seed, rules, seconds)
    total = asked.space.count
    with Records(db, asked.question()) as records:
        inputs = (None for n in carried_out(asked, records, jobs, scheduler) for _ in range(n))
        for _ in progress(inputs, total - records.counts().total(), f"sweeping {law}"):
            pass
        counts, wrong, theirs = records.counts(), records.wrong(), records.wrong(peer=True)
    fields = {
        "question": asked.question(), "done": counts.total(), "inputs": total, "counts": dict(sorted(counts.items())),
        "wrong": _as_json(wrong), **({"peer_wrong": _as_json(theirs)} if against else {}),
        **({"left_out": asked.left_out} if asked.rules else {}),
    }  # fmt: skip

    def blocks() -> Iterator[Block]:
        rows = [(word, str(n)) for word, n in sorted(counts.items(), key=lambda pair: pair[1])]
        yield Grid(("what came", "inputs"), tuple(rows))
        yield f"{counts.total()} of {total} inputs, {'some' if wrong else 'none'} answered wrongly."
        if asked.left_out:
            yield f"Not tried, ask symview prove: {', '.join(asked.left_out)}."
        yield from _listed(wrong, "The smallest wrong answers")
        yield from _listed(theirs, f"The smallest wrong answers of {against}")

    return Reply(Code.NO if wrong else Code.YES, lambda: fields, blocks)


def _listed(wrong: Sequence[tuple[str, str]], title: str) -> Iterator[Grid]:
    more = f", {_SHOWN} of {len(wrong)}" if len(wrong) > _SHOWN else ""
    if wrong:
        yield Grid(("input", "what is wrong"), tuple(wrong[:_SHOWN]), f"{title}{more}")


def _as_json(wrong: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"input": given, "told": told} for given, told in wrong]
