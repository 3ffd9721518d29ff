"""Exports many claims to Rocq and tells how many it accepts, and how many false ones it refuses.

    PYTHONPATH=tests python -m rocq.sweep rules
    PYTHONPATH=tests python -m rocq.sweep halide DIR --count 200 [--divide]
    PYTHONPATH=tests python -m rocq.sweep mutants --count 1000

With `--every N`, `rules` takes each N-th rule, and `mutants` changes these.

Times are those of `coqc`'s own work, with its start-up; a claim counts that is accepted in --seconds of them.
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, STDOUT
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from symview import Budget, prove
from symview.proof.verdicts import Proved
from symview.readers import read
from symview.rocq.checking import compiled, library
from symview.rocq.exporting import exported, whole
from symview.rocq.terms import Printer
from symview.rules.files import read_rules
from symview.rules.outcomes import outcome
from symview.trusted.document import BadCertificate, formula
from symview.trusted.formulas import compiled as value
from symview.trusted.formulas import defined, names
from symview.verify.obligations import holds

BATCH = 25  # claims in one file
NEXT = "the_next_claim"
HEAD = f"{whole([], inline=False)}\n"
RULES = Path(__file__).parents[2] / "proofs" / "rules"
SWAPPED = {"+": "-", "-": "+", "//": "%", "%": "//", "min": "max", "max": "min", "==": "<", "<=": "<", "<": "<=",
           ">": ">=", ">=": ">", "//trunc": "//", "%trunc": "%", "//euclid": "//", "%euclid": "%"}  # fmt: skip


class Claim(NamedTuple):
    """A certificate by its name."""

    name: str
    certificate: dict[str, Any]


def rules(every: int = 1) -> Iterator[Claim]:
    """The rules of proofs/rules that are proved for all integers, or each so many of them."""
    for rule in [r for path in sorted(RULES.glob("*.toml")) for r in read_rules(path) if r.bits is None][::every]:
        verdict = outcome(rule).verdict
        if isinstance(verdict, Proved) and verdict.query is not None:
            yield Claim(f"{rule.place}: {rule.name}", verdict.certificate())


def halide(folder: str, count: int, divide: bool) -> Iterator[Claim]:
    """Random rules of Halide's that are proved, of those that divide."""
    found = [r for r in read("halide", folder) if r.claim and (not divide or "/" in r.claim or "%" in r.claim)]
    tried = 0
    for rule in Random(7).sample(found, len(found)):
        verdict = prove(rule.claim, assume=rule.assume, division=rule.division, budget=Budget(timeout=10))
        if isinstance(verdict, Proved):
            tried += 1
            yield Claim(f"{rule.source}: {rule.claim}", verdict.certificate())
        if tried == count:
            return


def mutants(count: int, every: int = 1) -> Iterator[tuple[str, dict[str, Any], str]]:
    """False claims: the name, the certificate with one place of its claim changed, and the text of the true claim's
    proof with the false claim's statements.
    """
    rng = Random(5)
    pool = [(c, exported(c.certificate)) for c in rules(every)]
    pool = [(c, e) for c, e in pool if e.main and set(c.certificate["claim"]) == {"kind", "claim", "assume", "verdict"}]
    for n in range(count):
        for _ in range(100):
            claim, one = pool[n % len(pool)]
            question = json.loads(json.dumps(claim.certificate["claim"]))
            true, assume = formula(question["claim"]), [formula(f) for f in question["assume"]]
            bad = mutated(question["claim"], rng)
            try:
                false, printer = formula(bad), Printer(one.names)
            except BadCertificate:  # a difference of three
                continue
            if fails(false, [*assume, *defined(true, *assume, false)], rng):
                before, after = printer.formula(true), printer.formula(false)
                text = "\n".join(line.replace(f"{before}.", f"{after}.") if line[:5] in ("Lemma", "Theor") else line
                                 for line in one.body.splitlines())  # fmt: skip
                if before != after and f"{after}." in text:
                    yield f"{claim.name}: {after}", {**claim.certificate, "claim": {**question, "claim": bad}}, text
                    break


def mutated(tree: Any, rng: Random) -> Any:
    """The formula with one place changed."""
    places = list(_places(tree))
    path = rng.choice(places)
    return _changed(tree, path, rng)


def _places(tree: Any, path: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    if isinstance(tree, list):
        yield path
        for n, part in enumerate(tree[1:], 1):
            yield from _places(part, (*path, n))
    elif type(tree) is int:
        yield path


def _changed(tree: Any, path: tuple[int, ...], rng: Random) -> Any:
    if path:
        return [_changed(part, path[1:], rng) if n == path[0] else part for n, part in enumerate(tree)]
    if type(tree) is int:
        return tree + rng.choice((-1, 1))
    if tree[0] in SWAPPED and rng.random() < 0.6:
        return [SWAPPED[tree[0]], *tree[1:]]
    first = 2 if tree[0] == "if" else 1  # of the arguments that change places
    return [*tree[:first], *tree[: first - 1 : -1]]


def fails(claim: Any, given: list[Any], rng: Random) -> bool:
    """Whether random values refute the claim."""
    about, meets, says = names(claim, *given), value(("and", True, *given)), value(claim)
    for _ in range(2000):
        at = {n: rng.randint(-12, 12) for n in about}
        if holds(meets, at) and not holds(says, at):
            return True
    return False


def spent(folder: Path, text: str, seconds: float) -> tuple[str, float]:
    """What Rocq says, and the seconds of its work."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = compiled(folder, text, seconds=60 * seconds)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return said, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def accepted(claims: Iterable[Claim], seconds: float, folder: Path) -> None:
    """A line for each that is not accepted, then the counts and times; as many as BATCH are compiled in one file."""
    times, counts = list[float](), Counter[str]()
    for batch in batched(((c, exported(c.certificate)) for c in claims), BATCH):
        counts["all"] += len(batch)
        shown = [(c, one) for c, one in batch if one.main]
        for c, one in batch:
            if not one.main:
                counts["open"] += 1
                print(f"open: {c.name}: {'; '.join(one.open)}", flush=True)
        said, time = spent(folder, whole([one for _, one in shown], inline=False), seconds * BATCH)
        if not said:
            times += [time / len(shown)] * len(shown)
            counts["accepted"] += len(shown)
            counts["by search"] += sum(one.searched > 0 for _, one in shown)
            continue
        for c, one in shown:
            said, time = spent(folder, whole([one], inline=False), seconds)
            word = ("slow" if time > seconds else "accepted") if not said else "refused"
            counts[word] += 1
            counts["by search"] += word == "accepted" and one.searched > 0
            times += [time] if word == "accepted" else []
            if word != "accepted":
                print(f"{word}: {c.name} ({time:.1f} s) {said}", flush=True)
    print(f"{dict(counts)}; median {median(times):.2f} s, at most {max(times):.2f} s")


def batched(xs: Iterable[Any], size: int) -> Iterator[list[Any]]:
    """The things, so many at a time."""
    rest = iter(xs)
    while batch := list(islice(rest, size)):
        yield batch


def refused(count: int, every: int, seconds: float, folder: Path) -> int:
    """How many false claims are refused, by an error or at the limit; those that are not are printed.

    The exporter has to find no proof of the false claim, or Rocq to refuse it; and Rocq to refuse the true claim's.
    """
    found = Counter[str]()
    for batch in batched(mutants(count, every), BATCH):
        shown = [(name, one.body) for name, certificate, _ in batch if (one := exported(certificate)).main]
        found["not exported"] += len(batch) - len(shown)
        texts = [*shown, *((name, text) for name, _, text in batch)]
        for (name, _), word in zip(texts, verdicts(folder, [text for _, text in texts], seconds), strict=True):
            found[word] += 1
            if word == "accepted":
                print(f"accepted: {name}", flush=True)
        print(dict(found), flush=True)
    return found["accepted"]


def verdicts(folder: Path, texts: Sequence[str], seconds: float) -> list[str]:
    """What Rocq, started once for all, says of each text up to its first error; each command has so many seconds."""
    command = [str(shutil.which("coqtop")), "-quiet", "-Q", str(folder), "Symview"]
    with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=STDOUT, text=True) as top:
        for line in (*HEAD.splitlines(), f"Set Default Timeout {max(1, int(seconds))}."):
            assert "Error:" not in _told(top, line)
        return [_verdict(top, text) for text in texts]


def _verdict(top: subprocess.Popen[str], text: str) -> str:
    said, plain = "", re.sub(r"\(\*.*?\*\)", "", text, flags=re.DOTALL)
    for sentence in ("Module claim.", *re.split(r"(?<=\.)\s+", plain.strip()), "Print Assumptions main."):
        said = _told(top, sentence)
        if "Error:" in said or "Timeout!" in said:
            break
    for sentence in ("Abort All.", "End claim.", "Reset claim."):
        _told(top, sentence)
    if "Closed under the global context" in said:
        return "accepted"
    return "at the limit" if "Timeout!" in said else "refused"


def _told(top: subprocess.Popen[str], sentence: str) -> str:
    """What Rocq prints about a sentence, up to what it prints about a mark behind it."""
    assert top.stdin is not None and top.stdout is not None
    top.stdin.write(f"{sentence}\nCheck {NEXT}.\n")
    top.stdin.flush()
    said = ""
    for line in top.stdout:
        said += line
        if f"The reference {NEXT}" in line:
            return said.rpartition("Error:")[0]
    raise AssertionError(said)


def main() -> int:
    """Runs one sweep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("rules", "halide", "mutants"))
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--divide", action="store_true")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        library(Path(folder))
        if given.what == "mutants":
            return refused(given.count, given.every, given.seconds, Path(folder))
        claims = rules(given.every) if given.what == "rules" else halide(given.folder, given.count, given.divide)
        accepted(claims, given.seconds, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
