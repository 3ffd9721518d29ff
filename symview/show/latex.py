"""Conditions in LaTeX."""

from __future__ import annotations

from typing import Any

from symview.answers import Case, Conditions, Status


def conditions_latex(conditions: Conditions) -> str:
    r"""The cases as a LaTeX `cases` environment, or the equations alone where there is one case."""
    if len(conditions.cases) == 1:
        return _answer(conditions.cases[0])
    rows = [rf"{_answer(c)} & \text{{if }} {_latex(c.where)}" for c in conditions.cases]
    return "\\begin{cases}\n" + " \\\\\n".join(rows) + "\n\\end{cases}"


def _answer(case: Case) -> str:
    match case.status:
        case Status.WHEN:
            return r" \wedge ".join(map(_latex, case.equations))
        case Status.UNDECIDED:
            return r"\text{undecided; enough: } " + r" \wedge ".join(map(_latex, case.equations))
    return rf"\text{{{str(case.status).replace('_', ' ')}}}"


def _latex(value: Any) -> str:
    import sympy

    return sympy.latex(value)  # type: ignore[no-any-return]
