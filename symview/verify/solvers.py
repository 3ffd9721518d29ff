"""Solvers as other processes that get SMT-LIB text: the z3 program, cvc5's Python module, any program by its path."""

from __future__ import annotations

import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

from symview.verify.formulas import Script

_CVC5 = r"""
import json, sys, cvc5
for line in sys.stdin:
    text, seconds = json.loads(line)
    said = []
    try:
        terms = cvc5.TermManager()
        solver = cvc5.Solver(terms)
        solver.setOption("tlimit-per", str(int(seconds * 1000)))
        parser = cvc5.InputParser(solver, cvc5.SymbolManager(terms))
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        while not (command := parser.nextCommand()).isNull():
            said.append(str(command.invoke(solver, parser.getSymbolManager())).strip())
            if said[-1] in ("unsat", "unknown"):
                break
    except Exception as error:
        said.append("(error " + str(error) + ")")
    print(json.dumps("\n".join(said)), flush=True)
"""


class Answer(NamedTuple):
    """`word`: sat, unsat or unknown; `model`: the values that were found, by name; `why` it is unknown."""

    word: str
    model: Mapping[str, int]
    why: str = ""


class Solver:
    """One solver, `cvc5`, `z3`, or a path, with `seconds` for each question; leaving the context ends its process."""

    def __init__(self, name: str = "cvc5", seconds: float = 2.0, seed: int = 0) -> None:
        self.name, self.seconds, self.seed = name, seconds, seed
        self.asked = 0
        self._process: subprocess.Popen[str] | None = None
        if name not in ("cvc5", "z3") and shutil.which(name) is None:
            raise FileNotFoundError(f"solver {name!r}: choose cvc5, z3, or the path of a program for SMT-LIB files")

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._end()

    def ask(self, script: Script, share: float = 1.0) -> Answer:
        """What the solver says in a share of its seconds; a model is only a proposal, to be replayed."""
        seconds = self.seconds * share
        self.asked += 1
        called = {inner: name for name, inner in script.names.items()}
        lines = ["(set-option :produce-models true)", "(set-logic ALL)", *script.lines, "(check-sat)"]
        lines += [f"(get-value ({' '.join(called)}))"] if called else []
        text = "\n".join([*lines, ""])
        said = (self._by_module if self.name == "cvc5" else self._by_program)(text, seconds).strip()
        word = said.split(maxsplit=1)[0] if said else ""
        if word not in ("sat", "unsat"):
            why = "no answer in time" if word in ("", "unknown", "timeout") else said[:80]
            return Answer("unknown", {}, f"{self.name}: {why}")
        pairs = re.findall(r"\(\s*(v\d+)\s+(\d+|\(\s*-\s*\d+\s*\))\s*\)", said) if word == "sat" else []
        number = {n: v.strip("()").replace(" ", "") for n, v in pairs if len(v) < 4000}
        return Answer(word, {called[n]: int(v) for n, v in number.items() if n in called})

    def _by_program(self, text: str, seconds: float) -> str:
        where = Path(sys.executable).with_name("z3")
        program = str(where) if self.name == "z3" and where.exists() else self.name
        extra = [f"-T:{max(1, round(seconds))}", f"smt.random_seed={self.seed}"] if self.name == "z3" else []
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "question.smt2")
            Path(path).write_text(text, encoding="utf-8")
            try:
                run = subprocess.run(
                    [program, *extra, path], capture_output=True, text=True, check=False, timeout=seconds + 1
                )
            except subprocess.TimeoutExpired:
                return ""
            except OSError as error:
                return f"(error {error})"
        return run.stdout

    def _by_module(self, text: str, seconds: float) -> str:
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [sys.executable, "-c", _CVC5], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                text=True,
            )  # fmt: skip
        pipes = self._process.stdin, self._process.stdout
        if pipes[0] is None or pipes[1] is None:
            return ""
        try:
            pipes[0].write(json.dumps([text, seconds]) + "\n")
            pipes[0].flush()
            ready = select.select([pipes[1]], [], [], seconds + 3)[0]
            line = pipes[1].readline() if ready else ""
        except OSError:
            line = ""
        if not line:
            self._end()
            return "(error the process of cvc5 ended; is its Python package installed?)" if ready else ""
        return str(json.loads(line))

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    pipe.close()
            self._process.wait()
            self._process = None
