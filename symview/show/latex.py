"""Conditions in LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symview.answers import Case, Conditions, Status, clauses_text
from symview.logic.sympy_bridge import evaluate
from symview.logic.terms import FALSE, TRUE, Term, conj


def conditions_latex(conditions: Conditions) -> str:
    r"""The whole condition where it is one formula, else the cases as a LaTeX `cases` environment.

    >>> from symview import View, reshape_conditions
    >>> print(conditions_latex(reshape_conditions(View.parse("(B,S):(t0,t1)"), View.parse("(B*S)").shape)))
    B = 1 \vee S = 1 \vee t_{0} = S t_{1}
    """
    if conditions.clauses is not None:
        return _conjunction(conditions)
    if len(conditions.cases) == 1:
        return _answer(conditions.cases[0])
    rows = [rf"{_answer(c)} & \text{{if }} {_latex(c.where)}" for c in conditions.cases]
    return "\\begin{cases}\n" + " \\\\\n".join(rows) + "\n\\end{cases}"


def _conjunction(conditions: Conditions) -> str:
    """The clauses in the order in which the headline has them."""
    clauses, symbols = conditions.clauses or (), conditions.symbols()
    if not clauses or FALSE in clauses:
        return rf"\text{{{clauses_text(clauses)}}}"
    return _joined(conj(clauses), symbols)


def _joined(formula: Term, symbols: Mapping[str, Any]) -> str:
    """A formula; sympy writes its comparisons, and would reorder what joins them."""
    if formula.op not in ("and", "or"):
        return _latex(evaluate(formula, symbols))
    parts = [(a, _joined(a, symbols)) for a in formula.args]
    shown = [rf"\left({text}\right)" if a.op in ("and", "or") else text for a, text in parts]
    return (r" \wedge " if formula.op == "and" else r" \vee ").join(shown)


def alternatives_latex(rows: Sequence[tuple[str, Term]], symbols: Mapping[str, Any]) -> str:
    r"""Answers in LaTeX with where they hold: one alone, or as a LaTeX `cases` environment.

    >>> from symview.logic.notation import parse_statement
    >>> print(alternatives_latex([("6:a", parse_statement("b == 4*a"))], {}))
    6:a \quad \text{if } b = 4 a
    """
    if len(rows) == 1:
        answer, where = rows[0]
        return answer if where == TRUE else rf"{answer} \quad \text{{if }} {_joined(where, symbols)}"
    lines = [rf"{answer} & \text{{if }} {_joined(where, symbols)}" for answer, where in rows]
    return "\\begin{cases}\n" + " \\\\\n".join(lines) + "\n\\end{cases}"


def nested_latex(value: Any) -> str:
    """Entries in tuples, as CuTe nests them."""
    return f"({', '.join(map(nested_latex, value))})" if isinstance(value, tuple) else _latex(value)


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
