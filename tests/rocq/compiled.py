"""Texts that Rocq compiles, beside the library, which is compiled once."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Sequence
from fcntl import LOCK_EX, flock
from functools import cache
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

from symview.rocq.checking import library as compile_library
from symview.rocq.refutations import Computed, computed
from symview.trusted.formulas import Tree, names
from symview.verify.obligations import Obligation

COQC = which("coqc")
place: Path | None = None  # where what is compiled once for all processes that run tests is kept: conftest.py sets it
HEAD = """From Coq Require Import ZArith List Bool Zeuclid.
From Symview Require Import Symview Checker.
Import ListNotations.
Open Scope Z_scope.
"""
_INFIX = {
    "+": "+", "-": "-", "*": "*", "//": "/", "%": "mod", "**": "^", "==": "=", "!=": "<>", "<": "<", "<=": "<=",
    ">": ">", ">=": ">=", "and": "/\\", "or": "\\/", "->": "->", "<->": "<->",
}  # fmt: skip
_TESTS = {"==": "=?", "<": "<?", "<=": "<=?", ">": ">?", ">=": ">=?", "and": "&&", "or": "||"}
_FUNCTIONS = {
    "//trunc": "Z.quot", "%trunc": "Z.rem", "//euclid": "ZEuclid.div", "%euclid": "ZEuclid.modulo", "abs": "Z.abs",
    "~": "Z.lnot", "<<": "Z.shiftl", ">>": "Z.shiftr", "ceildiv": "ceildiv", "wrap": "wrap", "floor_sum": "floor_sum",
    "neg": "-", "not": "~", "min": "Z.min", "max": "Z.max", "gcd": "Z.gcd", "&": "Z.land", "|": "Z.lor", "^": "Z.lxor",
}  # fmt: skip


def once(folder: Path, fill: Callable[[Path], object]) -> Path:
    """The folder, which the first of the processes that ask for it fills."""
    done = folder.with_suffix(".done")
    with folder.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not done.exists():
            fill(folder)
            done.touch()
    return folder


@cache
def library() -> Path:
    """A folder with the compiled library; nothing else is written there."""
    return once((place or Path(mkdtemp())) / "library", compile_library)


def compiled(text: str, seconds: float = 120) -> tuple[bool, str]:
    """Whether Rocq accepts a text, and what it prints."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "asked.v"
        path.write_text(HEAD + text, encoding="utf-8")
        command = [str(COQC), "-Q", str(library()), "Symview", str(path)]
        try:
            ran = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            return False, "no end"
    return ran.returncode == 0, ran.stdout + ran.stderr


def of_obligation(obligation: Obligation, steps: Sequence[Any]) -> tuple[list[str], list[Tree], Tree, Computed | None]:
    """The names of an obligation, its assumptions, its claim, and these as data of Rocq."""
    formulas = obligation.denied()
    denied = formulas.pop()
    given = [f for f in formulas if f is not True]
    claim = not denied if type(denied) is bool else denied[1]
    about = [*names(*given, claim)]
    return about, given, claim, computed(about, given, claim, steps)


def theorem(name: str, about: Sequence[str], given: Sequence[Tree], claim: Tree, found: Computed) -> str:
    """A theorem that stands there in plain ZArith, proved by computation; its names are x1, x2, …"""
    own = {n: f"x{k}" for k, n in enumerate(about, 1)}
    binder = f"forall {' '.join(own.values())} : Z, " if own else ""
    says = " -> ".join([f"({printed(f, own)})" for f in (*given, claim)])
    definitions, proof = found.proof(name, own.values())
    return f"{definitions}\nTheorem {name} : {binder}{says}.\n{proof}\n"


def printed(t: Any, own: dict[str, str], test: bool = False) -> str:
    """A tree as text of Rocq, each part in parentheses; a test is of type bool."""
    if type(t) is not tuple:
        return own[t] if type(t) is str else f"({t})" if type(t) is int else str(t).lower() if test else str(t)
    op, *args = t
    if op in ("<<", ">>") and type(args[1]) is int and 0 <= args[1] <= 64:
        op, args = "*" if op == "<<" else "//", [args[0], 2 ** args[1]]
    parts = [printed(a, own, (test and op not in _TESTS) or (op == "if" and n == 0)) for n, a in enumerate(args)]
    if op == "if":
        return f"(if {parts[0]} then {parts[1]} else {parts[2]})"
    if op in ("and", "or") or (test and op in ("not", "->", "<->", "!=")):
        parts = [printed(a, own, test and op != "!=") for a in args]
    if test and op in ("not", "->", "<->", "!="):
        text = {
            "not": "(negb {0})",
            "->": "(negb {0} || {1})",
            "<->": "(Bool.eqb {0} {1})",
            "!=": "(negb ({0} =? {1}))",
        }
        return text[op].format(*parts)
    if op in _INFIX:
        word = _TESTS[op] if test and op in _TESTS else _INFIX[op]
        if op in ("and", "or", "->") and not test:
            return f"({f' {word} '.join(parts)})"
        return _nested(parts, lambda a, b: f"({a} {word} {b})")
    parts += ["0"] if op == "gcd" and len(parts) == 1 else []
    if op in ("min", "max", "gcd", "&", "|", "^"):
        return _nested(parts, lambda a, b: f"({_FUNCTIONS[op]} {a} {b})")
    return f"({_FUNCTIONS[op]} {' '.join(parts)})"


def _nested(parts: Sequence[str], joined: Any) -> str:
    found = parts[0]
    for part in parts[1:]:
        found = joined(found, part)
    return found
