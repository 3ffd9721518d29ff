"""`symview verify`: certificates are checked by `symview.verify`, which shares nothing with what wrote them."""

from __future__ import annotations

import sys
from collections import Counter
from importlib.util import find_spec
from typing import Any

from symview.cli.replies import Code, Reply
from symview.cli.solver_proofs import save_proofs
from symview.errors import InputError
from symview.rules.files import read_text
from symview.verify import BadCertificate, Solver, verify

_SAID = {"confirmed": Code.YES, "refuted": Code.NO, "vacuous": Code.BAD_INPUT, "bad": Code.BAD_INPUT,
         "partly": Code.UNDECIDED}  # fmt: skip
_WORDS = {"bad": "no certificate", "partly": "confirmed but for"}


def verify_files(paths: list[str], solver: str | None, seconds: float, seed: int, proofs: str | None = None) -> Reply:
    """Checks the certificates; a line is told for each, and of several what is left in all.

    `proofs` is the folder for the solver's own proofs, where these are asked for.
    """
    without = {} if proofs is None else save_proofs(paths, solver, proofs, seconds)
    name = solver or ("cvc5" if find_spec("cvc5") else "z3")
    try:
        with Solver(name, seconds, seed) as asked:
            found = [{"file": path, **_checked(path, asked), **_unproved(path, without)} for path in paths]
    except FileNotFoundError as error:
        raise InputError(str(error)) from None
    counts = {word: sum(f["verdict"] == word for f in found) for word in _SAID}
    left = dict(Counter(part for f in found if not f["wrong"] for part in f["open"]).most_common())
    code = next((_SAID[w] for w in ("bad", "vacuous", "refuted", "partly") if counts[w]), Code.YES)
    lines = [*map(_line, found), *([f"left: {_told(left)}"] if left and len(found) > 1 else [])]
    return Reply(code, lambda: {"certificates": found, "counts": counts, "left": left}, lambda: ["\n".join(lines)])


def _told(left: dict[str, int]) -> str:
    return "; ".join(f"{count} × {part}" for part, count in left.items())


def _checked(path: str, solver: Solver) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if path == "-" else read_text(path)
        found = verify(text, solver)
    except (InputError, UnicodeDecodeError, BadCertificate) as error:
        why = str(error).removeprefix(f"{path}: ")
        return {"verdict": "bad", "claim": [], "wrong": [why], "vacuous": [], "open": [], "settled": 0, "questions": 0}
    sides = {"claim": found.claim, "wrong": found.wrong, "vacuous": found.vacuous, "open": found.open}
    return {"verdict": found.verdict, **sides, "settled": found.settled, "questions": solver.asked}


def _unproved(path: str, without: dict[str, list[str]]) -> dict[str, list[str]]:
    """For which questions the solver made no proof, where proofs are asked for."""
    return {"unproved": without[path]} if path in without else {}


def _line(found: dict[str, Any]) -> str:
    told = "; ".join(found["wrong"] or found["vacuous"] or found["open"])
    unproved = "; ".join(found.get("unproved", ()))
    line = f"{found['file']}: {_WORDS.get(found['verdict'], found['verdict'])}{f': {told}' if told else ''}"
    line = "\n  ".join([line, *found["claim"]])
    return f"{line}\n  without a proof of the solver's own: {unproved}" if unproved else line
