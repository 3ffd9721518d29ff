"""`symview verify`: certificates are checked by `symview.verify`, which shares nothing with what wrote them.

With `--proof DIR`, cvc5's own proof for each question that it answers unsat is saved beside the question.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import symview.verify as checker
from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.errors import InputError
from symview.rules.files import read_text
from symview.rules.outcomes import save_query
from symview.show.smtlib import questions
from symview.verify import BadCertificate, Solver
from symview.verify.document import parsed

_SAID = {"confirmed": Code.YES, "refuted": Code.NO, "vacuous": Code.BAD_INPUT, "bad": Code.BAD_INPUT,
         "partly": Code.UNDECIDED}  # fmt: skip
_WORDS = {"bad": "no certificate", "partly": "confirmed but for"}
_SECONDS = 2.0  # for each question to the solver


def verify(files: list[str], solver: str | None, seed: int, proof: str | None, options: Options) -> Reply:
    """Checks the certificates; a line for each, and of several what is left in all."""
    left = options.budget.seconds_left()
    seconds = _SECONDS if left is None else max(0.1, left)
    without = {} if proof is None else _save_proofs(files, solver, proof, seconds)
    name = solver or ("cvc5" if find_spec("cvc5") else "z3")
    try:
        with Solver(name, seconds, seed) as asked:
            found = [{"file": path, **_checked(path, asked), **_unproved(path, without)} for path in files]
    except FileNotFoundError as error:
        raise InputError(str(error)) from None
    counts = {word: sum(f["verdict"] == word for f in found) for word in _SAID}
    parts = dict(Counter(part for f in found if not f["wrong"] for part in f["open"]).most_common())
    code = next((_SAID[w] for w in ("bad", "vacuous", "refuted", "partly") if counts[w]), Code.YES)
    lines = list(map(_line, found))
    if parts and len(found) > 1:
        lines.append(f"left: {'; '.join(f'{count} × {part}' for part, count in parts.items())}")
    fields = {"certificates": found, "counts": counts, "left": parts}
    return Reply(code, lambda: fields, lambda: ["\n".join(lines)])


def _checked(path: str, solver: Solver) -> dict[str, Any]:
    try:
        text = sys.stdin.read() if path == "-" else read_text(path)
        found = checker.verify(text, solver)
    except (InputError, UnicodeDecodeError, BadCertificate) as error:
        why = str(error).removeprefix(f"{path}: ")
        return {"verdict": "bad", "claim": [], "wrong": [why], "vacuous": [], "open": [], "settled": 0, "questions": 0}
    sides = {"claim": found.claim, "wrong": found.wrong, "vacuous": found.vacuous, "open": found.open}
    return {"verdict": found.verdict, **sides, "settled": found.settled, "questions": solver.asked}


def _unproved(path: str, without: dict[str, list[str]]) -> dict[str, list[str]]:
    """For which questions the solver made no proof, where proofs are asked for."""
    return {"unproved": without[path]} if path in without else {}


def _line(found: dict[str, Any]) -> str:
    parts = "; ".join(found["wrong"] or found["vacuous"] or found["open"])
    unproved = "; ".join(found.get("unproved", ()))
    line = f"{found['file']}: {_WORDS.get(found['verdict'], found['verdict'])}{f': {parts}' if parts else ''}"
    line = "\n  ".join([line, *found["claim"]])
    return f"{line}\n  without a proof of the solver's own: {unproved}" if unproved else line


# The solver's own proofs


_CVC5 = r"""
import json, sys, cvc5
text, options = json.load(sys.stdin)
terms = cvc5.TermManager()
solver = cvc5.Solver(terms)
for name, value in options.items():
    solver.setOption(name, value)
parser = cvc5.InputParser(solver, cvc5.SymbolManager(terms))
parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
while not (command := parser.nextCommand()).isNull():
    print(str(command.invoke(solver, parser.getSymbolManager())).strip(), flush=True)
"""


def _save_proofs(paths: list[str], solver: str | None, folder: str, seconds: float) -> dict[str, list[str]]:
    """By file, for which questions no proof could be had, and why; the others are in the folder.

    A file that is there already stays as it is. Raises InputError where cvc5 is not asked, or not installed.
    """
    if solver not in (None, "cvc5") or find_spec("cvc5") is None:
        raise InputError("--proof: the solver's own proof is had from cvc5 alone; install its Python package")
    if "-" in paths:
        raise InputError("--proof: give the certificates as files, for stdin is read but once")
    Path(folder).mkdir(parents=True, exist_ok=True)
    return {path: list(_without(path, Path(folder), seconds)) for path in paths}


def _without(path: str, folder: Path, seconds: float) -> Iterator[str]:
    try:
        with Solver("cvc5", seconds) as solver:
            asked = questions(parsed(read_text(path)), solver)
    except (InputError, BadCertificate):
        return  # the check itself says so
    for n, (what, text) in enumerate(asked):
        if text is None:
            yield what
            continue
        whole = f"(set-logic ALL)\n{text}\n(check-sat)\n(get-proof)\n"
        word, _, proof = _answer(whole, seconds).partition("\n")
        if word != "unsat" or not proof or "(error" in proof[:20]:
            yield f"{what}: {'no answer in time' if not word else word if word != 'unsat' else 'no proof was made'}"
            continue
        beside = save_query(folder, f"{Path(path).stem}_{n}", whole).with_suffix(".proof")
        if not beside.exists():
            beside.write_text(f"{proof}\n", encoding="utf-8")


def _answer(text: str, seconds: float) -> str:
    options = {"produce-proofs": "true", "tlimit-per": str(int(seconds * 1000))}
    try:
        run = subprocess.run([sys.executable, "-c", _CVC5], input=json.dumps([text, options]), capture_output=True,
                             text=True, check=False, timeout=2 * seconds + 5)  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return run.stdout.strip()
