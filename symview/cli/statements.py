"""The commands on statements and certificates: `symview prove`, `weakest`, `index-map`, `verify`.

`symview.verify`, which shares no code with the prover, checks certificates. `verify --proof DIR` saves cvc5's own
proof of each question that it answers unsat, next to the question.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import symview
import symview.verify as checker
from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.cli.terminal import progress, working
from symview.displayed import Json
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.proof.verdicts import Proved, Unknown, Verdict
from symview.rules.files import read_rules, read_text
from symview.rules.outcomes import Outcome, hint, outcomes, query_of, save_query
from symview.rules.premises.premise import premise_blocks
from symview.show.grid import Block, Grid
from symview.trusted.document import parsed
from symview.trusted.work import Limits, TooMuchWork
from symview.verify import BadCertificate, Solver
from symview.verify.smtlib import questions

_DIGITS = 10  # the largest width


def prove(
    statement: list[str], division: str, bits: str | None, save: str | None, jobs: int, options: Options
) -> Reply:
    """Proves or refutes a statement, or the rules of files."""
    if statement and all(text.endswith(".toml") for text in statement):
        if options.assume or division != "floor" or bits is not None:
            raise InputError("--assume, --division and --bits are for a statement: a file of rules says them itself")
        return _rule_files(statement, options, save, jobs)
    if len(statement) != 1:
        raise InputError("give one statement, or files of rules, whose names end in .toml")
    with working("proving"):
        verdict = symview.prove(statement[0], options.assume, division, bits=_width(bits), budget=options.budget)
    if isinstance(verdict, Unknown) and save:
        save_query(save, statement[0], verdict.smt2)
    return replace(verdict_reply(verdict), hint="" if bits else hint(verdict.to_dict()))


def weakest(statement: str, about: str, division: str, options: Options) -> Reply:
    """Finds the weakest condition on some symbols under which a statement holds."""
    premise = symview.weakest(statement, about, options.assume, division, options.budget)
    code = Code.YES if premise else Code.UNDECIDED
    return Reply(code, premise.to_dict, lambda: premise_blocks(premise), conditional=premise.condition != "true")


def index_map(expressions: str, ranges: str, division: str, options: Options) -> Reply:
    """Decides whether an index map is one-to-one, and finds its inverse."""
    found = symview.index_map(expressions, ranges, options.assume, division, options.budget)
    if not isinstance(found, symview.OneToOne):
        return verdict_reply(found)
    return Reply(Code.UNDECIDED if found.theorem.unstated else Code.YES, found.to_dict, lambda: [str(found)])


def _width(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isdecimal() and len(text) < _DIGITS else text


def verdict_reply(verdict: Verdict) -> Reply:
    """Turns a verdict into a reply."""
    stated = not (isinstance(verdict, Proved) and verdict.unstated)
    open_ = isinstance(verdict, Unknown) or not stated
    code = Code.UNDECIDED if open_ else Code.YES if verdict else Code.NO
    return Reply(code, verdict.to_dict, lambda: [str(verdict)])


# Rules of files


def _rule_files(paths: Sequence[str], options: Options, save: str | None, jobs: int) -> Reply:
    """Proves or refutes each rule of some files."""
    rules = [rule for path in paths for rule in read_rules(path)]
    budget = options.budget.plain()
    found = list(progress(outcomes(rules, budget, budget.timeout, jobs or None), len(rules), "proving"))
    for one in found if save else ():
        if query := query_of(one):
            save_query(str(save), one.rule.name, query)
    fields = {"rules": list(map(_rule_dict, found)), "counts": _counts(found)}
    return Reply(_worst(found), lambda: fields, lambda: _rule_blocks(found, save))


def _worst(found: Iterable[Outcome]) -> Code:
    """The worst outcome of the rules: an invalid rule, then an unexpected verdict, then an open one."""
    unmet = {one.answer for one in found if not one.is_met}
    if "invalid" in unmet:
        return Code.BAD_INPUT
    return Code.YES if not unmet else Code.UNDECIDED if unmet == {"unknown"} else Code.NO


def _rule_dict(found: Outcome) -> Json:
    rule = found.rule
    fields = {"name": rule.name, "place": rule.place, "source": rule.source, "expect": rule.expect}
    question = {"statement": rule.claim, "assumptions": list(rule.assume), "division": rule.division}
    premise = None if found.premise is None else str(found.premise.condition)
    return {
        **fields, "met": found.is_met, "problem": found.problem, "premise": premise, "bits": rule.bits,
        "issue": rule.issue, **(found.fields or {"verdict": "invalid", **question}), "seconds": found.seconds,
    }  # fmt: skip


def _counts(found: Sequence[Outcome]) -> dict[str, int]:
    counts = {word: sum(one.answer == word for one in found) for word in ("proved", "refuted", "unknown", "invalid")}
    return {**counts, "not_as_expected": sum(not one.is_met for one in found)}


def _rule_blocks(found: Sequence[Outcome], save: str | None) -> Iterator[Block]:
    """Formats the table, the unexpected verdicts, and the counts."""
    yield Grid(("rule", "verdict", "for", "seconds"), tuple(map(_row, found)))
    for one in found:
        if not one.is_met:
            yield "\n".join(filter(None, [f"{one.rule.place}: {one.rule.name}", one.problem, _advice(one)]))
    if any(query_of(one) for one in found):
        yield f"open questions are in {save}/" if save else "--save DIR writes the open questions as SMT-LIB"
    counts = _counts(found)
    unmet = counts.pop("not_as_expected")
    shown = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    yield f"{shown}; {f'{unmet} not as expected' if unmet else 'all as expected'}"


def _advice(found: Outcome) -> str:
    return f"hint: {found.hint}" if found.hint else ""


def _row(found: Outcome) -> tuple[str, ...]:
    scope = found.scope
    if found.premise:
        scope += f"; weakest premise: {found.premise.condition}"
    return found.rule.name, found.answer + ("" if found.is_met else " (!)"), scope, f"{found.seconds:.2f}"


# Certificates


_SAID = {"confirmed": Code.YES, "refuted": Code.NO, "vacuous": Code.BAD_INPUT, "bad": Code.BAD_INPUT,
         "partly": Code.UNDECIDED}  # fmt: skip
_WORDS = {"bad": "no certificate", "partly": "confirmed but for"}
_SECONDS = 2.0  # seconds for each question to the solver
_LIMITS = Limits()


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
            found = [{"file": path, **_checked(path, process, limits), **_unproved(path, without)} for path in files]
    except FileNotFoundError as error:
        raise InputError(str(error)) from None
    if rocq is not None:
        _write_rocq([f for f in found if f["verdict"] != "bad"], Path(rocq), check, library)
    counts = {word: sum(f["verdict"] == word for f in found) for word in _SAID}
    parts = dict(Counter(part for f in found if not f["wrong"] for part in f["open"]).most_common())
    code = next((_SAID[w] for w in ("bad", "vacuous", "refuted", "partly") if counts[w]), Code.YES)
    if code is Code.YES and any(f["rocq"]["open"] or f["rocq"].get("refused") for f in found if "rocq" in f):
        code = Code.UNDECIDED
    lines = list(map(_line, found))
    if parts and len(found) > 1:
        lines.append(f"left: {'; '.join(f'{count} × {part}' for part, count in parts.items())}")
    fields = {"certificates": found, "counts": counts, "left": parts}
    return Reply(code, lambda: fields, lambda: ["\n".join(lines)])


def _checked(path: str, solver: Solver, limits: Limits) -> Json:
    try:
        text = sys.stdin.read() if path == "-" else read_text(path)
        found = checker.verify(text, solver, limits)
    except (InputError, UnicodeDecodeError, BadCertificate) as error:
        why = str(error).removeprefix(f"{path}: ")
        return {"verdict": "bad", "claim": [], "wrong": [why], "vacuous": [], "open": [], "settled": 0, "questions": 0}
    sides = {"claim": found.claim, "wrong": found.wrong, "vacuous": found.vacuous, "open": found.open}
    return {"verdict": found.verdict, **sides, "settled": found.settled, "questions": solver.questions}


def _unproved(path: str, without: dict[str, list[str]]) -> dict[str, list[str]]:
    """Lists the questions without a proof by the solver, if proofs were requested."""
    return {"unproved": without[path]} if path in without else {}


def _line(found: Json) -> str:
    parts = "; ".join(found["wrong"] or found["vacuous"] or found["open"])
    unproved = "; ".join(found.get("unproved", ()))
    word = _WORDS.get(found["verdict"], found["verdict"])
    word = "not confirmed" if found["open"] == [str(TooMuchWork())] else word
    line = f"{found['file']}: {word}{f': {parts}' if parts else ''}"
    line = "\n  ".join([line, *found["claim"]])
    line += f"\n  without a proof of the solver's own: {unproved}" if unproved else ""
    return f"{line}\n  Rocq: {_rocq_line(found['rocq'])}" if "rocq" in found else line


# Rocq


def _write_rocq(found: Sequence[Json], path: Path, check: bool, library: str | None) -> None:
    """Writes one file for Rocq; records what it contains for each certificate, and the result of Rocq."""
    from symview.rocq.checking import accepted
    from symview.rocq.exporting import exported, whole, write_library

    if any(f["file"] == "-" for f in found):
        raise InputError("--rocq: give the certificates as files, for stdin is read but once")
    texts = [exported(json.loads(read_text(f["file"]))) for f in found]
    if library is not None:
        write_library(Path(library))
    path.write_text(whole(texts, inline=library is None), encoding="utf-8")
    said = accepted(texts) if check else [None] * len(texts)
    for f, one, refused in zip(found, texts, said, strict=True):
        more = {} if refused is None else {"refused": refused}
        f["rocq"] = {"main": one.main, "lemmas": one.lemmas, "searched": one.searched, "open": one.open, **more}


def _rocq_line(found: Json) -> str:
    lemmas = f"{found['lemmas']} lemma{'s' * (found['lemmas'] != 1)}"
    line = f"a main theorem after {lemmas}" if found["main"] else f"{lemmas}, and no main theorem"
    if n := found["searched"]:
        line += f"; {n} {'lemmas have' if n != 1 else 'lemma has'} a proof that Rocq has to search for"
    line += f"; open: {'; '.join(found['open'])}" if found["open"] else ""
    refused = found.get("refused")
    return (
        line if refused is None else f"{line}; refused: {refused}" if refused else f"{line}; accepted, without axioms"
    )


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
    """Saves proofs in the folder; maps each file to the questions without a proof, with reasons.

    It never overwrites a file. Raises InputError if the solver is not cvc5, or if cvc5 is not installed.
    """
    if solver not in (None, "cvc5") or find_spec("cvc5") is None:
        raise InputError("--proof: only cvc5 writes its own proofs; install its Python package")
    if "-" in paths:
        raise InputError("--proof: give the certificates as files, for stdin is read but once")
    Path(folder).mkdir(parents=True, exist_ok=True)
    return {path: list(_without(path, Path(folder), seconds)) for path in paths}


def _without(path: str, folder: Path, seconds: float) -> Iterator[str]:
    try:
        with Solver("cvc5", seconds) as solver:
            listed = questions(parsed(read_text(path)), solver, Budget().started())
    except (InputError, BadCertificate):
        return  # the check itself reports this
    for n, (what, text) in enumerate(listed):
        if text is None:
            yield what
            continue
        whole = f"(set-logic ALL)\n{text}\n(check-sat)\n(get-proof)\n"
        word, _, proof = _answer(whole, seconds).partition("\n")
        if word != "unsat" or not proof or "(error" in proof[:20]:
            yield f"{what}: {'no answer in time' if not word else word if word != 'unsat' else 'no proof was made'}"
            continue
        saved = save_query(folder, f"{Path(path).stem}_{n}", whole).with_suffix(".proof")
        if not saved.exists():
            saved.write_text(f"{proof}\n", encoding="utf-8")


def _answer(text: str, seconds: float) -> str:
    options = {"produce-proofs": "true", "tlimit-per": str(int(seconds * 1000))}
    try:
        run = subprocess.run([sys.executable, "-c", _CVC5], input=json.dumps([text, options]), capture_output=True,
                             text=True, check=False, timeout=2 * seconds + 5)  # fmt: skip
    except subprocess.TimeoutExpired:
        return ""
    return run.stdout.strip()
