"""The evidence for conditions as an SMT-LIB script: every check-sat has to return unsat."""

from __future__ import annotations

from math import inf
from typing import Any

from symview.trusted.formulas import Unsupported
from symview.trusted.work import ENDLESS, Work
from symview.verify import Report, Solver
from symview.verify.checking import obligations
from symview.verify.obligations import Ask
from symview.verify.solvers import Script

_WORK = 5_000_000  # steps of Z3 for one question, about two seconds: the script does not depend on a clock
_SECONDS = 60.0  # a limit by the clock, should Z3 not stop by its steps
_PROCESS, _LINE = 100_000, 300  # budget steps to start a process, and to write a line


def script(title: str, certificate: dict[str, Any], budget: Any) -> str:
    """The obligations of an answer, as its certificate's checker states them, within the rest of a question's budget.

    Omitted questions are listed.
    """
    with _Solver(budget) as solver:
        listed = questions(certificate, solver, budget)
    lines, left = [f"; {title}", "; every check-sat has to answer unsat", "(set-logic ALL)"], 0
    for what, text in listed:
        left += text is None
        lines += [f"; {what}", "(push 1)", text, "(check-sat)", "(pop 1)"] if text else [f"; left out: {what}"]
    return "\n".join([*lines, f"; {left or 'nothing'} left out", ""])


class _Solver(Solver):
    """Z3 within the rest of a budget."""

    def __init__(self, budget: Any) -> None:
        super().__init__("z3", _SECONDS, work=_WORK)
        self.budget = budget

    def ask(self, script: Script, share: float = 1.0, most: float = inf) -> tuple[str, dict[str, int]]:
        seconds = self.budget.seconds_left()
        self.work = min(_WORK, self.budget.left())
        self.seconds = _SECONDS if seconds is None else min(_SECONDS, seconds / share)
        if self.budget.is_over():
            return self.budget.ending(), {}
        said = super().ask(script, share, most)
        self.budget.count(_PROCESS + self.spent)
        return said


def questions(certificate: dict[str, Any], solver: Solver, budget: Any) -> list[tuple[str, str | None]]:
    """The obligations of an answer, each with SMT-LIB text whose models are counterexamples; None: omitted.

    The solver finds the values that prove an answer necessary; it does not check that all questions are unsat.
    """
    found: list[tuple[str, str | None]] = []
    work = Work(ENDLESS)
    report, steps, at = Report(solver, work=work), obligations(certificate, work), None
    while not budget.is_over():
        try:
            asked = steps.send(at)
        except StopIteration:
            return found
        one, at = asked.of if isinstance(asked, Ask) else asked, None
        try:
            if one is not asked:
                at, _ = report.found(one)
            elif not one.some:
                _, why = report.found(one) if report.asked is one else (None, None)
                text = None if one.claim is None or why else "\n".join(one.script(work).lines)
                found.append((f"{one.what}{why or ''}", text))
                if one.claim is False and not one.given:  # so it is at values
                    return found
        except Unsupported as error:
            found.append((f"{one.what} ({error})", None))
        budget.count(_LINE * (1 + (found[-1][1] or "").count("\n") if found else 1))
    return [*found, (f"all that would follow, since {budget.ending()}", None)]
