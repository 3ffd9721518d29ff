"""The reply of `symview verify`: certificates, checked by a program that shares no code with the prover.

`verify --proof DIR` saves cvc5's own proof of each question that it answers unsat, next to the question.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import symview.verify as checker
from symview.commands.options import Options
from symview.commands.replies import Code, Reply
from symview.displayed import Json
from symview.errors import InputError
from symview.features import required
from symview.logic.budget import Budget
from symview.rules.files import read_text
from symview.rules.outcomes import save_query
from symview.trusted.document import parsed
from symview.trusted.work import Limits, TooMuchWork
from symview.verify import BadCertificate, Solver
from symview.verify.apart import each
from symview.verify.smtlib import questions

_SAID = {"confirmed": Code.YES, "refuted": Code.NO, "vacuous": Code.BAD_INPUT, "bad": Code.BAD_INPUT,
         "partly": Code.UNDECIDED}  # fmt: skip
_WORDS = {"bad": "not a certificate", "partly": "confirmed but for"}
_SECONDS = 2.0  # seconds for each question to the solver
_PROOFS = 300.0  # seconds of CPU time for the questions of one file whose proofs are saved
_LIMITS = Limits()
_NOTHING: Json = {"claim": [], "wrong": [], "vacuous": [], "open": [], "settled": 0, "questions": 0}
_GIVEN_UP: Json = {**_NOTHING, "verdict": "partly", "open": [str(TooMuchWork())]}


def verify(
    files: list[str], solver: str | None, seed: int, proof: str | None, rocq: str | None, check: bool,
    library: str | None, options: Options,
) -> Reply:  # fmt: skip
    """Checks certificates: prints a line for each and, of several, a summary of the open parts."""
    if (check or library) and rocq is None:
        raise InputError("--check and --rocq-library are about what --rocq FILE writes")
    left = options.budget.seconds_left()
    seconds = _SECONDS if left is None else max(0.1, left)
    limits = replace(_LIMITS, steps=int(_LIMITS.steps * max(1.0, seconds / _SECONDS)))
    without = {} if proof is None else _save_proofs(files, solver, proof, seconds)
    name = solver or ("cvc5" if find_spec("cvc5") else "z3")
    try:
        with Solver(name, seconds, seed) as process:
            results = each(partial(_checked, process, limits), files, limits.cpu())
            found = [{"file": path, **(result or _GIVEN_UP), **_unproved(path, without)}
                     for path, result in zip(files, results, strict=True)]  # fmt: skip
    except FileNotFoundError as error:
        raise InputError(str(error)) from None
    if rocq is not None:
        write = required("--rocq", "symview.rocq")
        write([f for f in found if f["verdict"] != "bad"], Path(rocq), check, library)
    counts = {word: sum(f["verdict"] == word for f in found) for word in _SAID}
    parts = dict(Counter(part for f in found if not f["wrong"] for part in f["open"]).most_common())
    code = next((_SAID[w] for w in ("bad", "vacuous", "refuted", "partly") if counts[w]), Code.YES)
    if code is Code.YES and any(f["rocq"]["open"] or f["rocq"].get("refused") for f in found if "rocq" in f):
        code = Code.UNDECIDED
    lines = list(map(_line, found))
    if parts and len(found) > 1:
        lines.append(_visible(f"left: {'; '.join(f'{count} × {part}' for part, count in parts.items())}"))
    fields = {"certificates": found, "counts": counts, "left": parts}
    return Reply(code, lambda: fields, lambda: ["\n".join(lines)])


def _checked(solver: Solver, limits: Limits, path: str) -> Json:
    asked = solver.questions
    try:
        text = sys.stdin.read() if path == "-" else read_text(path)
        found = checker.verify(text, solver, limits)
    except (InputError, UnicodeDecodeError, BadCertificate) as error:
        why = str(error).removeprefix(f"{path}: ")
        return {**_NOTHING, "verdict": "bad", "wrong": [why]}
    except Exception as error:  # a defect of the checker on one file says nothing of the others
        return {**_NOTHING, "verdict": "partly", "open": [f"the checker failed: {type(error).__name__}: {error}"[:200]]}
    sides = {"claim": found.claim, "wrong": found.wrong, "vacuous": found.vacuous, "open": found.open}
    return {"verdict": found.verdict, **sides, "settled": found.settled, "questions": solver.questions - asked}


def _unproved(path: str, without: dict[str, list[str]]) -> dict[str, list[str]]:
    """Lists the questions without a proof by the solver, if proofs were requested."""
    return {"unproved": without[path]} if path in without else {}


def _line(found: Json) -> str:
    parts = _visible("; ".join(found["wrong"] or found["vacuous"] or found["open"]))
    unproved = _visible("; ".join(found.get("unproved", ())))
    word = _WORDS.get(found["verdict"], found["verdict"])
    word = "not confirmed" if found["open"] == [str(TooMuchWork())] else word
    line = f"{found['file']}: {word}{f': {parts}' if parts else ''}"
    line = "\n  ".join([line, *map(_visible, found["claim"])])
    line += f"\n  without a proof of the solver's own: {unproved}" if unproved else ""
    return f"{line}\n  Rocq: {_visible(_rocq_line(found['rocq']))}" if "rocq" in found else line


def _visible(text: str) -> str:
    """The text with what moves the cursor, or breaks the line, as an escape: a file chooses its names."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def _rocq_line(found: Json) -> str:
    lemmas = f"{found['lemmas']} lemma{'s' * (found['lemmas'] != 1)}"
    line = f"a main theorem after {lemmas}" if found["main"] else f"{lemmas}, and no main theorem"
    if n := found["searched"]:
        line += f"; {n} {'lemmas have' if n != 1 else 'lemma has'} a proof that Rocq has to search for"
    line += f"; open: {'; '.join(found['open'])}" if found["open"] else ""
    refused = found.get("refused")
    if refused is None:
        return line
    return f"{line}; refused: {refused}" if refused else f"{line}; the main theorem is accepted, without axioms"


# The solver's own proofs


def _save_proofs(paths: list[str], solver: str | None, folder: str, seconds: float) -> dict[str, list[str]]:
    """Saves proofs in the folder; maps each file to the questions without a proof, with reasons.

    It never overwrites a file. Raises InputError if the solver is not cvc5, or if cvc5 is not installed.
    """
    if solver not in (None, "cvc5") or find_spec("cvc5") is None:
        raise InputError("--proof: only cvc5 writes its own proofs; install its Python package")
    if "-" in paths:
        raise InputError("--proof: give the certificates as files, for stdin is read but once")
    Path(folder).mkdir(parents=True, exist_ok=True)
    results = each(lambda path: list(_without(path, Path(folder), seconds)), paths, _PROOFS)
    without = dict(zip(paths, results, strict=True))
    return {path: [str(TooMuchWork())] if found is None else found for path, found in without.items()}


def _without(path: str, folder: Path, seconds: float) -> Iterator[str]:
    with Solver("cvc5", seconds) as solver:
        try:
            listed = questions(parsed(read_text(path)), solver, Budget().started())
        except (InputError, BadCertificate):
            return  # the check itself reports this
        for n, (what, text) in enumerate(listed):
            if text is None:
                yield what
                continue
            whole = f"(set-logic ALL)\n{text}\n(check-sat)\n(get-proof)\n"
            word, _, proof = solver.told(f"(set-option :produce-proofs true)\n{whole}").strip().partition("\n")
            if word != "unsat" or not proof or "(error" in proof[:20]:
                yield f"{what}: {'no answer in time' if not word else word if word != 'unsat' else 'no proof was made'}"
                continue
            saved = save_query(folder, f"{Path(path).stem}_{n}", whole).with_suffix(".proof")
            if not saved.exists():
                saved.write_text(f"{proof}\n", encoding="utf-8")
