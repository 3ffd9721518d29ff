"""Certificates: JSON with a claim and its evidence, for a checker that trusts neither.

The format is described in docs/trust.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symview.displayed import Json
from symview.errors import InputError
from symview.logic.formula import tree as tree
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term

FORMAT, VERSION = "symview certificate", 6
_MOST = 24  # indices that are expressions, at most, in one case


def document(kind: str, claim: Json, evidence: Json | None = None) -> Json:
    """A certificate of this kind: what is claimed, and what helps to show it."""
    return {"format": FORMAT, "version": VERSION, "claim": {"kind": kind, **claim}, "evidence": evidence or {}}


def view_of(view: Any) -> Json:
    """The fields of a view."""

    def entry(x: Any) -> Any:
        return tree(x if isinstance(x, (int, Term)) else to_term(x))

    mask = view.mask
    return {
        "shape": [entry(x) for x in view.shape],
        "strides": [entry(x) for x in view.strides],
        "offset": entry(view.offset),
        "mask": mask if mask is None or mask == "empty" else [[entry(a), entry(b)] for a, b in mask],
    }


def of_merge(views: Sequence[Any], answer: Any) -> Json:
    """The view that views of numbers merge into, or the counterexample."""
    if not views:
        raise InputError("a certificate of a merge holds its question: certificate(merge(a, b), a, b)")
    found = {"view": view_of(answer)} if answer else {"index": list(answer.index)}
    return document("merge", {"views": [view_of(v) for v in views], **found})


def of_conditions(data: Any) -> Json:
    """Conditions of views, by cases."""
    views = [view_of(v) for v in data.views]
    fits = {} if data.fitting is None else {"fits": _fits(views, data.worked_out)}
    cases = [case_of(c, {"view": None if c.view is None else view_of(c.view)}) for c in data.cases]
    indices, shown = _indices(views, data.fitting is not None), list[list[Any]]()
    for c in data.cases:
        shown.append([*(list(w.index) for w in c.witnesses), *(indices if str(c.status) in ("when", "never") else ())])
    claim = {"views": views, **fits, "facts": [*map(tree, data.facts)], "cases": cases, **_clauses(data)}
    return document("conditions", claim, {"indices": shown} if any(shown) else {})


def _fits(views: Sequence[Any], worked_out: int | None) -> Any:
    """The sizes of the first view and the last one agree, and none next to -1 is 0."""
    first, last = views[0]["shape"], views[-1]["shape"]
    agree = ["==", _product(first), _product(last)]
    if worked_out is None:
        return agree
    return ["and", agree, ["!=", _product([n for a, n in enumerate(last) if a != worked_out]), 0]]


def _product(factors: Sequence[Any]) -> Any:
    return factors[0] if len(factors) == 1 else ["*", *factors] if factors else 1


def _clauses(data: Any) -> Json:
    """The whole condition, if it is known."""
    return {} if data.clauses is None else {"clauses": [*map(tree, data.clauses)]}


def _indices(views: Sequence[Any], reshape: bool) -> list[Any]:
    """Indices that may show a break, as expressions.

    They are: where an address first leaves a dim along one axis, alone and after a step along another axis; the last
    index; for a reshape, the digits of each place value.
    """
    last = views[-1]
    if all(isinstance(n, int) for v in views for n in v["shape"]):
        return []
    axes, found, digits = range(len(last["shape"])), list[tuple[int, Any]](), list[list[Any]]()
    for v in views[:-1]:
        place: Any = 1
        for size in v["shape"][:0:-1]:
            place = size if place == 1 else ["*", size, place]
            start: Any = 0 if last["offset"] == 0 else ["%", last["offset"], place]
            left = place if start == 0 else ["-", place, start]
            for a, t in enumerate(last["strides"]):
                number = isinstance(t, int)
                if not number or t > 0:
                    found.append((a, left if t == 1 else ["ceildiv", left, t]))
                if not number or t < 0:
                    found.append((a, ["+", 1, ["//", start, -t if number else ["neg", t]]]))
            if reshape:
                digits.append([["%", ["//", place, t], n] for n, t in zip(last["shape"], last["strides"], strict=True)])
    ends = [(a, ["-", last["shape"][a], 1]) for a in axes]
    alone = [[x if b == a else 0 for b in axes] for a, x in (*found, *ends)]
    pairs = [[x if c == a else int(c == b) for c in axes] for a, x in found for b in axes if b != a]
    return [*[*alone, [x for _, x in ends], *pairs][:_MOST], *digits]


def case_of(case: Any, answer: Json) -> Json:
    """Where a case holds, its status, its equations and its answer; a case whose answer is no has no equations."""
    status = str(case.status)
    required = () if status in ("never", "out_of_bounds") else case.required
    return {"where": tree(case.where), "status": status, "equations": [*map(tree, required)], **answer}


def of_guard(query: Any, verdict: Json) -> Json:
    """The comparison of a guard with conditions; if it is exact, with the cases that prove it."""
    if query is None:
        raise InputError("a guard's certificate is that of a comparison: conditions(a, b).compare(guard)")
    conditions, guard = query
    whole = conditions.certificate()
    claim = {key: x for key, x in whole["claim"].items() if key not in ("kind", "cases", "clauses")}
    evidence = {"cases": whole["claim"]["cases"], **whole["evidence"]} if verdict["verdict"] == "exact" else {}
    if "views" not in claim:  # an index proves that views do not merge, but nothing about other questions
        verdict = {key: x for key, x in verdict.items() if key != "index"}
    return document("guard", {**claim, "guard": tree(guard), **verdict}, evidence)


def of_strides(query: Any, data: Any, steps: Sequence[Sequence[Any]] = ()) -> Json:
    """The conditions under which one view is dense, injective or contiguous (`query.claim`)."""
    more = {"dense": {"flips": query.flips}, "contiguous": {"order": list(query.order)}}.get(query.claim)
    claim = {"view": view_of(query.view), "property": query.claim, **(more or {})}
    claim |= {"facts": [*map(tree, data.facts)], "cases": [case_of(c, {}) for c in data.cases], **_clauses(data)}
    return document("stride_conditions", claim, {"steps": [list(step) for step in steps]} if more is None else {})


def of_overlap(query: Any, data: Any, pairs: Sequence[Sequence[Sequence[Term | int]]]) -> Json:
    """The conditions under which two views share an address; `pairs` of indices have the same one in each case."""
    claim = {"pair": [view_of(query.first), view_of(query.second)], "facts": [*map(tree, data.facts)]}
    claim |= {"cases": [case_of(c, {}) for c in data.cases], **_clauses(data)}
    indices = [[[tree(x) for x in pair] for pair in found] for found in pairs]
    return document("overlap", claim, {"indices": indices} if any(indices) else {})
