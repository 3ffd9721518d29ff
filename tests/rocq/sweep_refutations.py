"""All refutations of the certificates of `proofs/`, checked by Rocq: how many there are, and the time that each takes.

`PYTHONPATH=tests:proofs python -m rocq.sweep_refutations`; `--every N` takes each N-th rule and test. `--saved FILE`
reads the certificates from there, one a line, or makes them and writes them there where there is no such file.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from certificates import rules, theorems

from rocq.compiled import compiled, of_obligation, theorem
from symview.verify import BadCertificate
from symview.verify.checking import obligations
from symview.verify.obligations import Obligation

BATCH = 40  # refutations for each start of Rocq


class Asked(NamedTuple):
    """An obligation of a certificate, and the steps that refute its denial, if there are any."""

    name: str
    obligation: Obligation
    steps: Any


def certificates(every: int, saved: Path | None) -> Iterator[tuple[str, Any]]:
    """The certificates by name."""
    if saved and saved.exists():
        yield from map(json.loads, saved.read_text(encoding="utf-8").splitlines()[::every])
        return
    found = [*rules(every), *theorems(every)]
    if saved:
        saved.write_text("".join(f"{json.dumps(pair)}\n" for pair in found), encoding="utf-8")
    yield from found


def ask(found: Iterable[tuple[str, Any]]) -> Iterator[Asked]:
    """What is left to show, of all certificates."""
    for name, certificate in found:
        document = json.loads(json.dumps(certificate))
        refutations = document["evidence"].get("refutations", [])
        try:
            asked = (one for one in obligations(document) if isinstance(one, Obligation))
            for n, one in enumerate(asked):
                yield Asked(f"{name}, {n}", one, refutations[n] if n < len(refutations) else None)
        except BadCertificate as error:
            print(f"{name}: {error}")


def times(batch: list[tuple[str, str]]) -> Iterator[tuple[str, float | None, int]]:
    """For each text the seconds that Rocq takes of a processor; None where it refuses it."""
    text = "".join(re.sub("^(Definition|Theorem|Proof)", r"Time \1", t, flags=re.M) for _, t in batch)
    text = text.replace(" Qed.", " Time Qed.").replace("Time Theorem", "Theorem").replace("Time Proof", "Proof")
    accepted, out = compiled(text, 600)
    if not accepted and len(batch) > 1:
        for one in batch:
            yield from times([one])
        return
    spent = [float(u) for u in re.findall(r"\(([0-9.]+)u,", out)]
    for n, (name, own) in enumerate(batch):
        yield name, sum(spent[3 * n : 3 * n + 3]) if accepted else None, len(own)


def main() -> None:
    """Tells the figures."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--every", type=int, default=1)
    options.add_argument("--saved", type=Path)
    chosen = options.parse_args()
    every = [*ask(certificates(chosen.every, chosen.saved))]
    texts, trivial, left = list[tuple[str, str]](), 0, 0
    for k, (name, obligation, steps) in enumerate(every):
        if obligation.claim is True or obligation.claim is None or steps is None:
            trivial += obligation.claim is True
            continue
        about, given, claim, found = of_obligation(obligation, steps)
        if found is None:
            left += 1
            print(f"{name}: no data")
        else:
            texts.append((name, theorem(f"t{k}", about, given, claim, found)))
    print(f"{len(every)} obligations, {trivial} of them true at sight; {len(texts)} refutations as data, {left} not")
    results = [r for n in range(0, len(texts), BATCH) for r in times(texts[n : n + BATCH])]
    accepted = sorted((s, length, name) for name, s, length in results if s is not None)
    print(*[f"refused: {name}" for name, s, _ in results if s is None], sep="\n")
    seconds = [s for s, *_ in accepted] or [0.0]
    print(f"{len(accepted)} accepted; seconds of a processor for each: median {median(seconds):.3f}, ", end="")
    print(f"at most {seconds[-1]:.2f}, {sum(s > 5 for s in seconds)} above 5, {sum(seconds):.0f} together")
    print(*[f"  {s:.2f} s, {length} characters: {name}" for s, length, name in accepted[-8:]], sep="\n")


if __name__ == "__main__":
    main()
