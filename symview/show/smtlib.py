"""The evidence for conditions as an SMT-LIB script: every check-sat has to answer unsat."""

from __future__ import annotations

from typing import Any

from symview.verify import Report, Solver, obligations
from symview.verify.formulas import Unsupported

_WORK = 5_000_000  # of Z3's steps for one question, two seconds or so: what is asked does not depend on a clock


def script(title: str, certificate: dict[str, Any]) -> str:
    """What has to hold for an answer, as its certificate's checker asks it; what is left out is named."""
    with Solver("z3", 60.0, work=_WORK) as solver:
        asked = questions(certificate, solver)
    lines, left = [f"; {title}", "; every check-sat has to answer unsat", "(set-logic ALL)"], 0
    for what, text in asked:
        left += text is None
        lines += [f"; {what}", "(push 1)", text, "(check-sat)", "(pop 1)"] if text else [f"; left out: {what}"]
    return "\n".join([*lines, f"; {left or 'nothing'} left out", ""])


def questions(certificate: Any, solver: Solver) -> list[tuple[str, str | None]]:
    """What has to hold for an answer, and as SMT-LIB the question for values at which it does not; None: left out.

    The solver finds what shows that an answer is needed; whether all questions are unsat is not asked.
    """
    found: list[tuple[str, str | None]] = []
    report, steps, at = Report(solver), obligations(certificate), None
    while True:
        try:
            asked = steps.send(at)
            if asked.some:
                continue
            at, why = report.settle(asked) if asked.doubt else (None, None)
            if at is None:
                text = None if asked.claim is None or why else "\n".join(asked.script().lines)
                found.append((f"{asked.what}{why or ''}", text))
            if asked.claim is False:
                return found
        except StopIteration:
            return found
        except Unsupported as error:
            found.append((f"{asked.what} ({error})", None))
            at = None
