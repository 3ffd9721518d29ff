"""The evidence for conditions as an SMT-LIB script: every check-sat has to answer unsat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

from symview.answers import CaseData, ConditionsData, Status
from symview.logic.smtlib import smt2_name, to_smt2_term
from symview.logic.terms import Term, conj, names, nonzero_divisors, num
from symview.show.formulas import case_headline, headline, where_text


def script(conditions: ConditionsData) -> str:
    """Two questions a case: do constraints and equations differ, and is an index missing?"""
    facts = conditions.facts
    lines = _head(f"{conditions.views[0]} then {conditions.views[-1]}")
    if conditions.clauses is not None and conditions.source is not None:
        differ = Term("not", (Term("<->", (conditions.source, conj(conditions.clauses))),))
        lines += _block([*facts, differ], f"{headline(conditions)}; the boundaries say otherwise")
        return "\n".join([*lines, ""])
    for case in conditions.cases:
        lines += _case(case, facts, conditions.source)
    return "\n".join([*lines, ""])


def questions(title: str, doubts: Iterable[tuple[str, Sequence[Term]]]) -> str:
    """One question for each doubt: its description, and formulas that exclude one another; without any, a comment."""
    blocks = (_block(given, comment) if given else [f"; {comment}"] for comment, given in doubts)
    return "\n".join([*_head(title), *chain.from_iterable(blocks), ""])


def _head(title: str) -> list[str]:
    return [f"; {title}", "; every check-sat has to answer unsat", "(set-logic ALL)"]


def _case(case: CaseData, facts: Sequence[Term], source: Term | None) -> list[str]:
    title = f"case {where_text(case.where) or 'of all sizes'}: {case_headline(case)}"
    if case.status is Status.OUT_OF_BOUNDS:
        return [f"; {title}"]
    if (case.status is Status.NEVER and not case.constraints) or case.status is Status.UNDECIDED:
        return [f"; {title}: {case.reason}"]
    constraints = conj(case.constraints) if source is None else source
    differ = Term("not", (Term("<->", (constraints, case.condition())),))
    lines = _block([*facts, case.where, differ], f"{title}; the patterns' constraints say otherwise")
    if case.query is not None:
        lines += _block([case.query], "an index whose overflows these conditions do not cover")
    else:
        lines.append(f"; nothing is missing: {case.reason}")
    return lines


def _block(assertions: Sequence[Term], comment: str) -> list[str]:
    """One question; of sizes that may be 0, conditions say themselves where they divide by them."""
    empty = {n for a in assertions if a.op == ">=" and a.args[1] == num(0) for n in names(a)}
    divisors = [d for d in nonzero_divisors(assertions) if empty.isdisjoint(names(d))]
    assertions = list(dict.fromkeys([*divisors, *assertions]))
    declared = [f"(declare-const {smt2_name(n)} Int)" for n in names(*assertions)]
    asserted = [f"(assert {to_smt2_term(a)})" for a in assertions]
    return [f"; {comment}", "(push 1)", *declared, *asserted, "(check-sat)", "(pop 1)"]
