"""The evidence for conditions as an SMT-LIB script: every check-sat has to answer unsat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

from symview.logic.defining_facts import gcd_facts
from symview.logic.smtlib import smt2_name, to_smt2_term
from symview.logic.terms import Term, names, nonzero_divisors, num, walk
from symview.verify import Solver
from symview.verify import questions as questions_of


def script(title: str, certificate: dict[str, Any]) -> str:
    """What has to hold for an answer, as its certificate's checker asks it; what is left out is named."""
    with Solver("z3") as solver:
        asked = questions_of(certificate, solver)
    lines, left = _head(title), 0
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
    common = [node for a in assertions for node in walk(a) if node.op == "gcd"]
    known = [f for n, node in enumerate(dict.fromkeys(common)) for f in gcd_facts(node, f"gcd{n}")]
    assertions = list(dict.fromkeys([*divisors, *assertions, *known]))
    declared = [f"(declare-const {smt2_name(n)} Int)" for n in names(*assertions)]
    declared += [f"(declare-fun gcd ({'Int ' * n}) Int)" for n in sorted({len(node.args) for node in common})]
    asserted = [f"(assert {to_smt2_term(a)})" for a in assertions]
    return [f"; {comment}", "(push 1)", *declared, *asserted, "(check-sat)", "(pop 1)"]
