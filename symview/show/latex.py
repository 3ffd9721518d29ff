"""Conditions in LaTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symview.answers import CaseData, ConditionsData, Status
from symview.logic.sympy_bridge import sympy_equation, to_sympy
from symview.logic.terms import FALSE, TRUE, Term, conj
from symview.show.formulas import clauses_text, enough_for

if TYPE_CHECKING:
    import sympy

_GREEK = re.compile("[Γ-ΔΘΛΞΠΣΦ-Ωα-ηικλμνξπρστφ-ω]")  # letters with a LaTeX command
_OPERATION = re.compile(r"__|\^|[^\W_](abs|mag|norm|avg)\d*(_|$)", re.I)  # names that sympy writes as powers, like |x|


def conditions_latex(conditions: ConditionsData, symbols: Mapping[str, sympy.Symbol]) -> str:
    r"""The whole condition if it is one formula, else the cases as a LaTeX `cases` environment.

    >>> from symview import View, reshape_conditions
    >>> print(reshape_conditions(View.parse("(B,S):(t0,t1)"), View.parse("(B*S)").shape).to_latex())
    B = 1 \vee S = 1 \vee t_{0} = S t_{1}
    """
    if conditions.clauses is not None:
        clauses = conditions.clauses
        if not clauses or FALSE in clauses:
            return rf"\text{{{clauses_text(clauses)}}}"
        return formula_latex(conj(clauses), symbols)
    answers = [_answer(case, symbols) for case in conditions.lines()]
    if len(answers) == 1:
        return answers[0]
    places = [entry_latex(to_sympy(case.where, symbols)) for case in conditions.lines()]
    rows = [rf"{answer} & \text{{if }} {place}" for answer, place in zip(answers, places, strict=True)]
    return cases_latex(rows)


def cases_latex(rows: Iterable[str]) -> str:
    """The rows in a `cases` environment."""
    return "\\begin{cases}\n" + " \\\\\n".join(rows) + "\n\\end{cases}"


def formula_latex(formula: Term, symbols: Mapping[str, sympy.Symbol]) -> str:
    """A formula in LaTeX; sympy writes only the comparisons, as it would reorder conjunctions."""
    if formula.op not in ("and", "or"):
        return entry_latex(to_sympy(formula, symbols))
    parts = [(a, formula_latex(a, symbols)) for a in formula.args]
    shown = [rf"\left({text}\right)" if a.op in ("and", "or") else text for a, text in parts]
    return (r" \wedge " if formula.op == "and" else r" \vee ").join(shown)


def alternatives_latex(rows: Sequence[tuple[str, Term]], symbols: Mapping[str, sympy.Symbol]) -> str:
    r"""Answers with their conditions in LaTeX: a single one, or as a `cases` environment.

    >>> from symview.logic.notation import parse_statement
    >>> print(alternatives_latex([("6:a", parse_statement("b == 4*a"))], {}))
    6:a \quad \text{if } b = 4 a
    """
    if len(rows) == 1:
        answer, where = rows[0]
        return answer if where == TRUE else rf"{answer} \quad \text{{if }} {formula_latex(where, symbols)}"
    lines = [rf"{answer} & \text{{if }} {formula_latex(where, symbols)}" for answer, where in rows]
    return cases_latex(lines)


def nested_latex(value: Any) -> str:
    """Nested tuples of entries, as in CuTe."""
    return f"({', '.join(map(nested_latex, value))})" if isinstance(value, tuple) else entry_latex(value)


def _answer(case: CaseData, symbols: Mapping[str, sympy.Symbol]) -> str:
    """The status or the equations of a case."""
    if case.answer is not None:
        return rf"\text{{{case.answer}}}"
    open_ = case.status is Status.UNDECIDED
    required = enough_for(case) if open_ else case.required
    equations = r" \wedge ".join(entry_latex(sympy_equation(e, symbols)) for e in required)
    if case.status is Status.WHEN:
        return equations
    if open_ and equations:
        return rf"\text{{undecided; enough: }} {equations}"
    return rf"\text{{{str(case.status).replace('_', ' ')}}}"


def entry_latex(value: Any) -> str:
    r"""An integer or sympy expression, with Greek letters as commands.

    >>> import sympy
    >>> entry_latex(2 * sympy.Symbol("σ1"))
    '2 {\\sigma}_{1}'
    """
    import sympy  # slow to load

    symbols = getattr(value, "free_symbols", ())
    plain = {s: r"\mathit{" + s.name.replace("_", r"\_") + "}" for s in symbols if _OPERATION.search(s.name)}
    return _GREEK.sub(_command, sympy.latex(value, symbol_names=plain))


def _command(letter: re.Match[str]) -> str:
    name = unicodedata.name(letter[0]).partition(" LETTER ")[2].lower().replace("lamda", "lambda")
    return rf"{{\{name.capitalize() if letter[0].isupper() else name}}}"
