"""Verdicts and premises as certificates: statements as formulas, views of chains as views."""

from __future__ import annotations

from typing import Any

from symview.certificates import document, tree, view_of
from symview.errors import SymviewError
from symview.logic.notation import parse_statement
from symview.proof.statement import Query, read
from symview.proof.verdicts import Proved, Refuted, Unknown, Verdict
from symview.view import View


def of_verdict(verdict: Verdict) -> dict[str, Any]:
    """A verdict; of statements about lists and programs, what is claimed stands there as text alone."""
    chains = _chains(verdict.statement)
    if chains is not None and not isinstance(verdict, Unknown):
        return document("chains", {"first": chains[0], "second": chains[1]}, _same(verdict))
    question: dict[str, Any] = {"statement": verdict.statement, "assumptions": list(verdict.assumptions)}
    query = _query(verdict)
    if query is not None:
        question["claim"] = tree(query.claim.term, query.claim.division)
        question["assume"] = [tree(a.term, a.division) for a in query.assumptions]
    return document("theorem", question, _answer(verdict))


def _answer(verdict: Verdict) -> dict[str, Any]:
    match verdict:
        case Proved():
            return {"verdict": "proved", "rests_on": sorted(verdict.rests_on)}
        case Refuted():
            sides = None if verdict.sides is None else list(verdict.sides)
            index = None if verdict.index is None else list(verdict.index)
            return {"verdict": "refuted", "values": dict(verdict.values), "sides": sides, "index": index,
                    "smallest": verdict.smallest}  # fmt: skip
        case Unknown():
            return {"verdict": "unknown", "reason": verdict.reason, "smt2": verdict.smt2}


def _query(verdict: Verdict) -> Query | None:
    """The statement as formulas about all integers; None where it is about lists, or programs."""
    if isinstance(verdict, Proved):
        return None if verdict.lists else verdict.query
    width = None
    if verdict.arithmetic:
        bits, _, sign = verdict.arithmetic.partition("-bit ")
        width = f"{'i' if sign == 'signed' else 'u'}{bits}"
    try:
        return read(verdict.statement, verdict.assumptions, verdict.division, width)
    except SymviewError:
        return None


def _chains(statement: str) -> list[list[Any]] | None:
    """Both chains of a statement such as `(2,3); (6) == (6)`."""
    try:
        return [[view_of(View.parse(v)) for v in side.split("; ")] for side in statement.split(" == ")]
    except SymviewError:
        return None


def _same(verdict: Proved | Refuted) -> dict[str, Any]:
    if isinstance(verdict, Proved):
        return {"same": True}
    sides = None if verdict.sides is None else list(verdict.sides)
    return {"same": False, "index": list(verdict.values.values()), "sides": sides, "smallest": verdict.smallest}


def of_premise(premise: Any) -> dict[str, Any]:
    """A premise: the claim, the condition, and the terms by which it is shown to be needed."""
    question: dict[str, Any] = {"statement": premise.statement, "about": list(premise.about)}
    try:
        query = read(premise.statement, premise.assumptions, premise.division)
        question["claim"] = tree(query.claim.term, query.claim.division)
        question["assume"] = [tree(a.term, a.division) for a in query.assumptions]
    except SymviewError:
        pass
    answer = {
        "condition": tree(premise.term(), premise.division) if premise else None,
        "sufficient": premise.sufficient, "necessary": premise.necessary, "reason": premise.reason,
        "witnesses": [{n: _expression(t, premise.division) for n, t in w.items()} for w in premise.witnesses],
    }  # fmt: skip
    return document("premise", question, answer)


def _expression(text: str, division: str) -> Any:
    return tree(parse_statement(f"{text} == 0").args[0], division)
