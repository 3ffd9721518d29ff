"""The certificates of verdicts: what was claimed, as formulas, as programs, or as text alone.

It knows verdicts by their fields, since theorems of the kernel write their certificates here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symview.certificates import document, tree, view_of
from symview.displayed import Json
from symview.errors import SymviewError
from symview.logic.budget import Budget
from symview.logic.notation import parse_assumption
from symview.logic.width import Width
from symview.proof.data import EqualChains, EqualPrograms
from symview.proof.refutations import with_refutations
from symview.proof.statement import read_printed

_MAX_WORK = 10_000_000  # work for refutations of one certificate


def of_theorem(theorem: Any) -> Json:
    """The certificate of a theorem, with refutations for obligations, as far as they are found."""
    proved = {"verdict": "proved"}
    match theorem.claim:
        case EqualChains(first, second):
            return _of_chains((list(map(view_of, first)), list(map(view_of, second))), {"same": True})
        case EqualPrograms():
            found = _of_programs(theorem.instances, proved, "any rank" in theorem.rests_on)
        case _:
            found = _of_text(theorem, _theorem_json(theorem), proved)
    return with_refutations(found, Budget(work=_MAX_WORK))


def of_refuted(refuted: Any) -> Json:
    """The certificate of values that refute a statement."""
    shown: Any = {"index": refuted.index and list(refuted.index)}  # of programs; the sides of others are numbers
    sides = shown if refuted.programs else {"sides": refuted.sides and list(refuted.sides)}
    answer = {"verdict": "refuted", "values": dict(refuted.values), **sides, "smallest": refuted.smallest}
    if refuted.chains is not None:
        same = {"same": False, "index": list(refuted.values.values()), **sides, "smallest": refuted.smallest}
        return _of_chains(refuted.chains, same)
    return _of_programs(refuted.programs, answer) if refuted.programs else _of_text(refuted, _as_read(refuted), answer)


def of_unknown(unknown: Any) -> Json:
    """The certificate of an open question."""
    return _of_text(unknown, _as_read(unknown), {"verdict": "unknown"})


def _of_chains(chains: Any, answer: Json) -> Json:
    """The certificate of an equality of two chains of views."""
    return document("chains", {"first": chains[0], "second": chains[1]}, answer)


def _of_programs(instances: Sequence[Json], answer: Json, any_rank: bool = False) -> Json:
    """The certificate of a rule; one of `any_rank` may be stated by one instance that is only a part of the claim."""
    some = any_rank and not instances[0]["more"]
    return document("rule", {"instances": list(instances), "parts": some or len(instances) > 1}, answer)


def _of_text(verdict: Any, question: Json | None, answer: Json) -> Json:
    """The certificate of a statement; one that is not a formula (about a list in any order) is only text in it."""
    text = {"statement": verdict.statement, "assumptions": list(verdict.assumptions)}
    return document("theorem", text if question is None else question, answer)


def _theorem_json(theorem: Any) -> Json | None:
    """A theorem as formulas: with the lemmas that prove it, or by induction along a list; None if it is neither."""
    if theorem.query is None or any(along.order_of for along in theorem.lists):
        return None
    question: Json = theorem.query.as_json()
    if theorem.query.width is None:
        question["assume"] += [tree(parse_assumption(left), theorem.division) for left in theorem.unstated]
    if theorem.by:
        lemmas = [(_theorem_json(lemma), {n: tree(x) for n, x in at.items()}) for lemma, at in theorem.by]
        if any(one is None for one, _ in lemmas):
            return None
        return {**question, "by": [{"lemma": one, "at": at} for one, at in lemmas]}
    if not theorem.lists:
        return question
    if any(note.startswith("lemma: ") for note in theorem.rests_on) or len(theorem.lists) > 1:
        return None
    return {**question, **theorem.lists[0].as_json()}


def _as_read(verdict: Any) -> Json | None:
    """The statement as formulas about all integers, if it is one."""
    bits, _, sign = verdict.arithmetic.partition("-bit ")
    width = Width(int(bits), sign == "signed") if bits else None
    try:
        return read_printed(verdict.statement, verdict.assumptions, verdict.division, width).as_json()
    except SymviewError:
        return None
