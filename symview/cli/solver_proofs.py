"""`symview verify --proof DIR`: the own proof of cvc5 for each question that it answers unsat, beside the question."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from symview.errors import InputError
from symview.rules.files import read_text
from symview.rules.outcomes import save_query
from symview.show.smtlib import questions
from symview.verify import BadCertificate, Solver
from symview.verify.document import parsed

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


def save_proofs(paths: list[str], solver: str | None, folder: str, seconds: float) -> dict[str, list[str]]:
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
