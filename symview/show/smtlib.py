"""The evidence for conditions as an SMT-LIB script: every check-sat has to answer unsat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from symview.answers import ConditionsData
from symview.certificates import of_conditions
from symview.logic.smtlib import smt2_name, to_smt2_term
from symview.logic.terms import Term, names, nonzero_divisors, num
from symview.verify import Solver
from symview.verify import questions as questions_of


def script(conditions: ConditionsData) -> str:
    """What has to hold for the conditions, as their certificate's checker asks it; what is left out is named."""
    with Solver("z3") as solver:
        asked = questions_of(of_conditions(conditions), solver)
    lines, left = _head(f"{conditions.views[0]} then {conditions.views[-1]}"), 0
    for what, text in asked:
        left += text is None
        lines += [f"; {what}", "(push 1)", text, "(check-sat)", "(pop 1)"] if text else [f"; left out: {what}"]
    return "\n".join([*lines, f"; {left or 'nothing'} left out", ""])


def questions(title: str, doubts: Iterable[tuple[str, Sequence[Term]]]) -> str:
    """One question for each doubt: its description, and formulas that exclude one another; without any, a comment."""
    blocks = (_block(given, comment) if given else [f"; {comment}"] for comment, given in doubts)
    return "\n".join([*_head(title), *chain.from_iterable(blocks), ""])


def _head(title: str) -> list[str]:
    return [f"; {title}", "; every check-sat has to answer unsat", "(set-logic ALL)"]


def _block(assertions: Sequence[Term], comment: str) -> list[str]:
    """One question; of sizes that may be 0, conditions say themselves where they divide by them."""
    empty = {n for a in assertions if a.op == ">=" and a.args[1] == num(0) for n in names(a)}
    divisors = [d for d in nonzero_divisors(assertions) if empty.isdisjoint(names(d))]
    assertions = list(dict.fromkeys([*divisors, *assertions]))
    declared = [f"(declare-const {smt2_name(n)} Int)" for n in names(*assertions)]
    asserted = [f"(assert {to_smt2_term(a)})" for a in assertions]
    return [f"; {comment}", "(push 1)", *declared, *asserted, "(check-sat)", "(pop 1)"]
