"""Every theorem and every rule of this folder as a certificate, checked by cvc5.

`python proofs/certificates.py` checks all of them and compares with unconfirmed.tsv, which lists what is not confirmed
and why; with `--write` it writes that file. `--every N` takes each N-th rule and test alone. All of them take about 20
minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from itertools import chain, product
from pathlib import Path
from typing import Any, NamedTuple

from rich.console import Console
from rich.progress import track

from symview.rules.files import read_rules
from symview.rules.outcomes import outcome
from symview.rules.theorems import Run, current
from symview.verify import Solver, verify

HERE = Path(__file__).parent
LISTED = HERE / "unconfirmed.tsv"


class Found(NamedTuple):
    """One certificate and what checking it comes to: `left` says what is not confirmed."""

    name: str
    verdict: str
    left: str

    def row(self) -> str:
        """Its line in the list."""
        return f"{self.name}\t{self.left}"


def rules(every: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """The certificates of the rules, those of their premises among them, by file and name."""
    all_rules = [(path.name, rule) for path in sorted(HERE.glob("rules/*.toml")) for rule in read_rules(path)]
    for file, rule in all_rules[::every]:
        came = outcome(rule)
        for word, answer in (("", came.verdict), (", premise", came.premise)):
            if answer is not None:
                yield f"{file}: {rule.name}{word}", answer.certificate()


def theorems(every: int = 1) -> Iterator[tuple[str, dict[str, Any]]]:
    """The certificates of the theorems, by file, test and number of the claim."""
    tests = [(path.stem, name, test) for path in sorted(HERE.glob("test_*.py"))
             for name, test in vars(import_module(path.stem)).items()
             if getattr(test, "symview_status", "") in ("proved", "refuted")]  # fmt: skip
    for file, name, test in tests[::every]:
        answers: list[Any] = []
        token = current.set(Run(answered=answers.append))
        try:
            for values in _parameters(test):
                test(**values)
        finally:
            current.reset(token)
        for n, answer in enumerate(answers):
            if hasattr(answer, "certificate"):
                yield f"{file}: {name} {n + 1}", answer.certificate()


def _parameters(test: Any) -> Iterator[dict[str, Any]]:
    """What a test is called with."""
    marks = [m.args for m in getattr(test, "pytestmark", ()) if m.name == "parametrize"]
    names = [[n.strip() for n in (m[0].split(",") if isinstance(m[0], str) else m[0])] for m in marks]
    for chosen in product(*[m[1] for m in marks]):
        found: dict[str, Any] = {}
        for own, value in zip(names, chosen, strict=True):
            found |= dict(zip(own, value if len(own) > 1 else [value], strict=True))
        yield found


def checked(certificates: Iterable[tuple[str, dict[str, Any]]], seconds: float) -> Iterator[Found]:
    """What cvc5 and the checker say of each."""
    with Solver("cvc5", seconds) as solver:
        for name, certificate in certificates:
            report = verify(json.dumps(certificate), solver)
            yield Found(name, report.verdict, "; ".join(report.wrong or report.open))


def listed() -> dict[str, str]:
    """The names of what is known not to be confirmed, each with the reason."""
    lines = LISTED.read_text(encoding="utf-8").splitlines()
    return {name: why for name, _, why in (line.partition("\t") for line in lines)}


def main() -> int:
    """Checks, compares, and tells; 1 where something is not as the list has it."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--write", action="store_true", help="write unconfirmed.tsv")
    options.add_argument("--every", type=int, default=1, help="take each N-th rule and test alone")
    options.add_argument("--seconds", type=float, default=4.0, help="for each question to cvc5")
    args = options.parse_args()
    certificates = chain(rules(args.every), theorems(args.every))
    found = [*track(checked(certificates, args.seconds), "certificates", console=Console(stderr=True))]
    left = [f for f in found if f.verdict != "confirmed"]
    print(*[f"{count} {verdict}" for verdict, count in Counter(f.verdict for f in found).items()], sep=", ")
    if args.write:
        LISTED.write_text("".join(f"{f.row()}\n" for f in left), encoding="utf-8")
        return 0
    known = listed()
    new = [f for f in left if f.verdict == "refuted" or f.name not in known]
    print(*[f"not in the list: {f.verdict} {f.row()}" for f in new], sep="\n")
    names = {f.name for f in found} - {f.name for f in left}
    print(*[f"in the list, and confirmed: {name}" for name in known if name in names], sep="\n")
    return int(bool(new))


if __name__ == "__main__":
    sys.path[:0] = [str(HERE), str(HERE.parent / "tests")]
    sys.exit(main())
