"""The evidence for conditions as an SMT-LIB script: every check-sat has to answer unsat."""

from __future__ import annotations

from typing import Any

from symview.verify import Solver, questions

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
