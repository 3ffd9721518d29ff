"""`symview sweep`: a law, a rule or a comparison with a peer over many inputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated

from symview.cli.options import argument, entry, option
from symview.cli.replies import Code, heading
from symview.cli.terminal import progress, show, show_json
from symview.rules.files import read_text
from symview.show.grid import Grid
from symview.sweeps.records import Records
from symview.sweeps.running import carried_out
from symview.sweeps.sweep import Sweep

_SHOWN = 20  # wrong answers that are listed


def sweep(
    law: Annotated[str, argument("LAW|FILE", "merge, compose or conditions; or a file of rules (TOML).")],
    bound: Annotated[int, option("--bound", text="How large inputs are: elements of a view, or values of a rule.",
                                 metavar="INT", min=1)] = 4,
    random: Annotated[int | None, option("--random", text="So many random inputs in place of all.", metavar="COUNT",
                                         min=1)] = None,
    seed: Annotated[int, option("--seed", text="The seed of the random inputs.", metavar="INT")] = 0,
    against: Annotated[str, option("--against", text="Compare with a peer: tinygrad (merge), pycute (compose).",
                                   metavar="PEER")] = "",
    db: Annotated[str | None, option("--db", text="Keep the results in this file, and go on from it.",
                                     metavar="FILE")] = None,
    jobs: Annotated[int, option("--jobs", text="How many cores; 0 for all.", metavar="INT", min=0)] = 1,
    scheduler: Annotated[str, option("--scheduler", text="The address of a Dask scheduler, to use a cluster.",
                                     metavar="ADDRESS")] = "",
    seconds: Annotated[float, option("--seconds", text="After which an input that asks a solver is given up.",
                                     metavar="SECONDS", min=0.1)] = 20.0,
    json: Annotated[bool, option("--json", text="Print the counts, or the error, as JSON.")] = False,
) -> int:  # fmt: skip
    """Ask a law, the rules of a file, or a comparison with a peer of all small inputs, or of random ones.

    merge: the view found is the composition at every index, or none is. compose: the same of CuTe's layouts.
    conditions: what they say at some strides holds there. FILE: each rule at all values up to the bound.

    With --db, what is done is kept: killed and asked again, it goes on where it was. Counts do not depend on the
    number of workers. Each wrong answer is told in its smallest form, and so are a peer's.

    Exit code: 0 where no answer is wrong, 1 where one is.

    JSON keys: question (what was asked), done, inputs, counts (by what an input came to), wrong (input and told), with
    a peer peer_wrong (the same of its answers), of a file left_out (rules that cannot be tried at values).
    """
    rules = read_text(law) if law.endswith(".toml") else ""
    asked = Sweep("rules" if rules else law, bound, against, random, seed, rules, seconds)
    with Records(db, asked.question()) as records:
        total = asked.space.count
        before = records.counts().total()
        for _ in progress(_each(carried_out(asked, records, jobs, scheduler)), total - before, f"sweeping {law}"):
            pass
        counts, wrong, theirs = records.counts(), records.wrong(), records.wrong(peer=True)
    code = Code.NO if wrong else Code.YES
    if json:
        told = {"question": asked.question(), "done": counts.total(), "inputs": total}
        found = {"counts": dict(sorted(counts.items())), "wrong": _as_json(wrong)}
        beside = {"peer_wrong": _as_json(theirs)} if against else {}
        show_json({**heading("sweep", "no" if wrong else "yes"), **told, **found, **beside, **_left_out(asked)})
        return code
    rows = [(word, str(n)) for word, n in sorted(counts.items(), key=lambda pair: pair[1])]
    said = "some answered wrongly" if wrong else "none answered wrongly"
    table = Grid(("what came", "inputs"), tuple(rows))
    skipped = [f"Not tried, ask symview prove: {', '.join(asked.left_out)}."] if asked.left_out else []
    listed = [_listed(wrong, "The smallest wrong answers"), _listed(theirs, f"The smallest wrong answers of {against}")]
    show([table, f"{counts.total()} of {total} inputs, {said}.", *skipped, *filter(None, listed)])
    return code


def _listed(wrong: Sequence[tuple[str, str]], title: str) -> Grid | None:
    more = f", {_SHOWN} of {len(wrong)}" if len(wrong) > _SHOWN else ""
    return Grid(("input", "what is wrong"), tuple(wrong[:_SHOWN]), f"{title}{more}") if wrong else None


def _as_json(wrong: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"input": given, "told": told} for given, told in wrong]


def _left_out(asked: Sweep) -> dict[str, list[str]]:
    return {"left_out": asked.left_out} if asked.rules else {}


def _each(pieces: Iterable[int]) -> Iterator[None]:
    """One for each input of the pieces."""
    return (None for n in pieces for _ in range(n))


_COUNTS = "what came  inputs\ncompose    1666\n\n1666 of 1666 inputs, none answered wrongly."
COMMANDS = (entry(sweep, ("compose --bound 2", _COUNTS)),)
