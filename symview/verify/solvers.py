"""Questions as SMT-LIB text, and solvers that read it in their own process: cvc5's Python module, or programs."""

from __future__ import annotations

import json
import re
import select
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import reduce
from math import ceil, inf
from pathlib import Path

from symview.trusted.formulas import DERIVED, FORMULAS, Tree, Unsupported, made
from symview.trusted.work import Work

_CVC5 = r"""
import json, sys, cvc5
for line in sys.stdin:
    text, options = json.loads(line)
    said = []
    try:
        terms = cvc5.TermManager()
        solver = cvc5.Solver(terms)
        for name, value in options.items():
            solver.setOption(name, value)
        parser = cvc5.InputParser(solver, cvc5.SymbolManager(terms))
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")
        while not (command := parser.nextCommand()).isNull():
            said += [str(command.invoke(solver, parser.getSymbolManager())).strip()]
    except Exception as error:
        said.append("(error " + str(error) + ")")
    print(json.dumps("\n".join(said)), flush=True)
"""
_CHARACTERS = 16  # how many characters count as one step
_WORDS = {"==": "=", "!=": "distinct", "->": "=>", "<->": "=", "neg": "-", "if": "ite"}
_AS: dict[str, Callable[..., Tree]] = {  # in terms of operators that solvers know
    **DERIVED,
    "min": lambda a, *v: ("min", ("if", ("<=", a, v[0]), a, v[0]), *v[1:]) if v else a,
    "max": lambda a, *v: ("neg", ("min", ("neg", a), *[("neg", b) for b in v])),
    "//euclid": lambda a, b: ("if", (">", b, 0), ("//", a, b), ("neg", ("//", a, ("neg", b)))),
    "//trunc": lambda a, b: ("if", (">=", a, 0), ("//euclid", a, b), ("neg", ("//euclid", ("neg", a), b))),
    **{f"%{r}": lambda a, b, r=r: ("-", a, ("*", b, (f"//{r}", a, b))) for r in ("", "trunc", "euclid")},
}  # fmt: skip


class Script:
    """A question: is there a solution? Each quotient gets its own name with the facts of division."""

    def __init__(self, work: Work | None = None) -> None:
        self.work = work or Work()
        self.lines: list[str] = []
        self.names: dict[str, int | str] = {}  # their names in the script, or numbers
        self._quotients: dict[tuple[str, str], str] = {}

    def say(self, formula: Tree) -> None:
        """Asserts a formula."""
        text = _written(self.term(formula))
        self.work.keep(len(text) // 8)
        self.lines.append(f"(assert {text})")

    def name(self, name: str, tree: Tree = None) -> int | str:
        """The script's name for a name, which may be defined by an expression."""
        if name not in self.names:
            term = None if tree is None else self.term(tree)
            new = term if isinstance(term, int) else f"$v{len(self.lines)}"
            if type(new) is str:
                comment = f" ; {name}" if name.isprintable() and name else ""
                self.lines.append(f"(declare-const {new} Int){comment}" if term is None else
                                  f"(define-fun {new} () Int {term})")  # fmt: skip
            self.names[name] = new
        return self.names[name]

    def term(self, tree: Tree) -> int | str:
        """Translates an expression or formula; raises Unsupported for bits of names."""
        self.work.combine()
        if type(tree) is not tuple:
            return tree if type(tree) is not str or tree[0] in "($" else self.name(tree)
        op, parts = tree[0], [self.term(p) for p in tree[1:]]
        if op not in FORMULAS and op != "if":
            parts = [self.name(p, p) if isinstance(p, str) and len(p) > 80 else p for p in parts]
        found = made(op, *parts)
        if type(found) is not tuple:
            return found  # type: ignore[no-any-return]
        if op == "//":
            return self._quotient(*map(_written, parts))
        if op == "gcd":
            return reduce(self._divisor, map(_written, parts if len(parts) > 1 else (0, *parts)))
        if op in _AS and (other := _AS[op](*parts)) is not None:
            return self.term(other)
        if op not in FORMULAS and op not in ("+", "*", "-", "neg", "abs", "if"):
            raise Unsupported(f"{op} of names is not a question for solvers")
        text = f"({_WORDS.get(op, op)} {' '.join(map(_written, found[1:]))})"
        self.work.spend(len(text) // _CHARACTERS)
        return text

    def _quotient(self, a: str, b: str) -> str:
        """Names the quotient; if b is 0, it may be any number."""
        if b == "1":
            return a
        if (a, b) not in self._quotients:
            self.work.keep((len(a) + len(b)) // _CHARACTERS + 10)
            q = self._quotients[a, b] = str(self.name(f"${a} // {b}"))
            low = f"(* {b} {q})"
            facts = [f"(=> (> {b} 0) (and (<= {low} {a}) (< {a} (+ {low} {b}))))",
                     f"(=> (< {b} 0) (and (>= {low} {a}) (> {a} (+ {low} {b}))))"]  # fmt: skip
            if b.isdigit() and b != "0":
                facts = [f"(and (<= {low} {a}) (< {a} (+ {low} {b})))"]
            self.lines += [f"(assert {f})" for f in facts]
        return self._quotients[a, b]

    def _divisor(self, a: str, b: str) -> str:
        """Names the greatest common divisor: it is nonnegative, divides both, and is a sum of multiples of them."""
        if (a, f"gcd {b}") not in self._quotients:
            g, x, y, u, v = (str(self.name(f"${part} of gcd {a} {b}")) for part in "gxyuv")
            facts = [f"(>= {g} 0)", f"(= {a} (* {x} {g}))", f"(= {b} (* {y} {g}))"]
            self.lines += [f"(assert {f})" for f in (*facts, f"(= {g} (+ (* {u} {a}) (* {v} {b})))")]
            self._quotients[a, f"gcd {b}"] = g
        return self._quotients[a, f"gcd {b}"]


def _written(term: int | str) -> str:
    if isinstance(term, bool):
        return str(term).lower()
    return f"(- {-term})" if isinstance(term, int) and term < 0 else str(term)


class Solver:
    """One solver, `cvc5`, `z3`, or a path, with `seconds` for each question; leaving the context ends its process.

    With `work`, cvc5 and Z3 also stop at their own count of steps, so that answers do not depend on the load.
    """

    def __init__(self, name: str = "cvc5", seconds: float = 2.0, seed: int = 0, work: int = 0) -> None:
        self.name, self.seconds, self.seed, self.work, self.questions = name, seconds, seed, work, 0
        self.spent = 0  # Z3's steps for the last question, if they are limited
        self._process: subprocess.Popen[str] | None = None
        if name not in ("cvc5", "z3") and shutil.which(name) is None:
            raise FileNotFoundError(f"solver {name!r}: choose cvc5, z3, or the path of a program for SMT-LIB files")

    def __enter__(self) -> Solver:
        return self

    def __exit__(self, *error: object) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def ask(self, script: Script, share: float = 1.0, most: float = inf) -> tuple[str, dict[str, int]]:
        """Asks: sat with a model, which is only a proposal; unsat; or why there is no answer in a share of the
        seconds, or within `most` seconds.
        """
        self.questions += 1
        share = min(share, max(most, 0.01) / self.seconds)
        called = {new: n for n, new in script.names.items() if isinstance(new, str) and n[0] != "$"}
        values = f"(get-value ({' '.join(called)}))" if called else ""
        text = "\n".join(["(set-option :produce-models true)", "(set-logic ALL)", *script.lines, "(check-sat)", values])
        text += "(get-info :rlimit)" if self.name == "z3" and self.work else ""
        answer = (self.told if self.name == "cvc5" else self._by_program)(text, share).strip()
        counted = re.search(r":rlimit (\d+)", answer)
        self.spent = int(counted[1]) if counted else ceil(self.work * share)
        word = answer.split(maxsplit=1)[0] if answer else ""
        if word not in ("sat", "unsat"):
            return f"{self.name}: {'no answer in time' if word in ('', 'unknown', 'timeout') else answer[:80]}", {}
        pairs = re.findall(r"\(\s*(\$v\d+)\s+(\d+|\(\s*-\s*\d+\s*\))\s*\)", answer) if word == "sat" else []
        return word, {called[n]: int(re.sub(r"[()\s]", "", x)) for n, x in pairs if n in called and len(x) < 4000}

    def _by_program(self, text: str, share: float) -> str:
        seconds = self.seconds * share
        where, command = Path(sys.executable).with_name("z3"), [self.name, "/dev/stdin"]
        if self.name == "z3":
            options = {"smt.random_seed": self.seed, "sat.random_seed": self.seed, "rlimit": ceil(self.work * share)}
            command = [str(where) if where.exists() else "z3", "-in", f"-T:{max(1, round(seconds))}"]
            command += [f"{option}={value}" for option, value in options.items()]
        try:
            run = subprocess.run(command, input=text, capture_output=True, text=True, check=False, timeout=seconds + 1)
        except (subprocess.TimeoutExpired, OSError) as error:
            return "" if isinstance(error, subprocess.TimeoutExpired) else f"(error {error})"
        return run.stdout

    def told(self, text: str, share: float = 1.0) -> str:
        """What cvc5 says to a script, in a share of the seconds."""
        seconds = self.seconds * share
        if self._process is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen([sys.executable, "-c", _CVC5], stdin=pipe, stdout=pipe,
                                             stderr=subprocess.DEVNULL, text=True)  # fmt: skip
        there, back, line = self._process.stdin, self._process.stdout, ""
        steps, seed = str(ceil(self.work * share)), str(self.seed)
        options = {"tlimit-per": str(int(seconds * 1000)), "rlimit-per": steps, "seed": seed, "sat-random-seed": seed}
        try:
            print(json.dumps([text, options]), file=there, flush=True)
            if back is not None and select.select([back], [], [], seconds + 3)[0]:
                line = back.readline() or json.dumps("(error cvc5's process ended; is its Python package installed?)")
        except OSError as error:
            line = json.dumps(f"(error {error})")
        if not line or self._process.poll() is not None:
            self.__exit__()
        return str(json.loads(line or '""'))
