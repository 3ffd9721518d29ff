"""The evidence for conditions as an SMT-LIB script: every check-sat has to answer unsat."""

from __future__ import annotations

from math import inf

from symview.displayed import Json
from symview.logic.budget import DEFAULT, Budget
from symview.verify import Report, Solver, obligations
from symview.verify.formulas import Unsupported
from symview.verify.solvers import Script
from symview.verify.work import ENDLESS, Work

_WORK = 5_000_000  # of Z3's steps for one question, two seconds or so: what is asked does not depend on a clock
_SECONDS = 60.0  # the same by the clock, should Z3 not end by its steps
_PROCESS, _LINE = 100_000, 300  # of work to start one, and to write a line


def script(title: str, certificate: Json, budget: Budget = DEFAULT) -> str:
    """What has to hold for an answer, as its certificate's checker asks it; what is left out is named."""
    budget = budget.started()
    with _Solver(budget) as solver:
        asked = questions(certificate, solver, budget)
    lines, left = [f"; {title}", "; every check-sat has to answer unsat", "(set-logic ALL)"], 0
    for what, text in asked:
        left += text is None
        lines += [f"; {what}", "(push 1)", text, "(check-sat)", "(pop 1)"] if text else [f"; left out: {what}"]
    return "\n".join([*lines, f"; {left or 'nothing'} left out", ""])


class _Solver(Solver):
    """Z3 within what is left of a budget."""

    def __init__(self, budget: Budget) -> None:
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


def questions(certificate: Json, solver: Solver, budget: Budget = DEFAULT) -> list[tuple[str, str | None]]:
    """What has to hold for an answer, and as SMT-LIB the question for values at which it does not; None: left out.

    The solver finds what shows that an answer is needed; whether all questions are unsat is not asked.
    """
    found: list[tuple[str, str | None]] = []
    work = Work(ENDLESS)
    report, steps, at = Report(solver, work=work), obligations(certificate, work), None
    while not budget.is_over():
        try:
            asked = steps.send(at)
            if asked.some:
                continue
            at, why = report.settle(asked) if asked.doubt else (None, None)
            if at is None:
                text = None if asked.claim is None or why else "\n".join(asked.script(work).lines)
                found.append((f"{asked.what}{why or ''}", text))
            if asked.claim is False:
                return found
        except StopIteration:
            return found
        except Unsupported as error:
            found.append((f"{asked.what} ({error})", None))
            at = None
        budget.count(_LINE * (1 + (found[-1][1] or "").count("\n") if found else 1))
    return [*found, (f"all that would follow, since {budget.ending()}", None)]
