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
from symview.proof.data import EqualChains, EqualPrograms, Folds
from symview.proof.refutations import with_refutations
from symview.proof.statement import read_printed

_MAX_WORK = 10_000_000  # work for refutations of one certificate


def of_theorem(theorem: Any) -> Json:
    """The certificate of a theorem, with refutations for obligations, as far as they are found."""
    match theorem.claim:
        case EqualChains(first, second):
            return _of_chains((list(map(view_of, first)), list(map(view_of, second))), {"same": True})
        case EqualPrograms():
            found = _of_programs(theorem.instances, {"verdict": "proved"}, "any rank" in theorem.rests_on)
        case _:
            stated, evidence = _stated(theorem), _lemmas(theorem)
            if stated is None or evidence is None:
                return _of_text(theorem, "proved")
            lists = {"lists": [*map(_list, _in_order(theorem.lists))]} if theorem.lists else {}
            found = document("theorem", {**stated, **lists, "verdict": "proved"}, evidence)
    return with_refutations(found, Budget(work=_MAX_WORK))


def of_refuted(refuted: Any) -> Json:
    """The certificate of values that refute a statement."""
    shown: Any = {"index": refuted.index and list(refuted.index)}  # of programs; the sides of others are numbers
    sides = shown if refuted.programs else {"sides": refuted.sides and list(refuted.sides)}
    answer = {"verdict": "refuted", "values": dict(refuted.values), **sides, "smallest": refuted.smallest}
    if refuted.chains is not None:
        same = {"same": False, "index": list(refuted.values.values()), **sides, "smallest": refuted.smallest}
        return _of_chains(refuted.chains, same)
    if refuted.programs:
        return _of_programs(refuted.programs, answer)
    stated = _as_read(refuted)
    return _of_text(refuted, "refuted") if stated is None else document("theorem", {**stated, **answer})


def of_unknown(unknown: Any) -> Json:
    """The certificate of an open question."""
    stated = _as_read(unknown)
    return _of_text(unknown, "unknown") if stated is None else document("theorem", {**stated, "verdict": "unknown"})


def _of_chains(chains: Any, answer: Json) -> Json:
    """The certificate of an equality of two chains of views."""
    return document("chains", {"first": chains[0], "second": chains[1], **answer})


def _of_programs(instances: Sequence[Json], answer: Json, any_rank: bool = False) -> Json:
    """The certificate of a rule; one of `any_rank` may be stated by one instance that is only a part of the claim."""
    some = any_rank and not instances[0]["more"]
    return document("rule", {"instances": list(instances), "parts": some or len(instances) > 1, **answer})


def _of_text(verdict: Any, word: str) -> Json:
    """The certificate of a statement that is not a formula, as about a list in any order: only its text is in it."""
    text = {"statement": verdict.statement, "assumptions": list(verdict.assumptions)}
    return document("theorem", {**text, "verdict": word})


def _stated(theorem: Any) -> Json | None:
    """The claim and the assumptions of a theorem as formulas; None if it is about a list in any order."""
    if theorem.query is None or any(along.order_of for along in theorem.lists):
        return None
    claim: Json = theorem.query.as_json()
    if theorem.query.width is None:
        claim["assume"] += [tree(parse_assumption(left), theorem.division) for left in theorem.unstated]
    return claim


def _lemmas(theorem: Any) -> Json | None:
    """The evidence of a theorem: the lemmas that prove it, or nothing, if it is an induction; None if it is neither."""
    if not theorem.by:
        by_lemma = any(note.startswith("lemma: ") for note in theorem.rests_on)
        return None if theorem.lists and (by_lemma or len(theorem.lists) > 1) else {}
    found = list[Json]()
    for lemma, at in theorem.by:
        stated, evidence = _stated(lemma), _lemmas(lemma)
        if stated is None or evidence is None:
            return None
        own = {} if lemma.by or not lemma.lists else _list(lemma.lists[0])
        found.append({"lemma": {**stated, **own, **evidence}, "at": {n: tree(x) for n, x in at.items()}})
    return {"by": found}


def _list(along: Folds) -> Json:
    """The folds of a list, what each element satisfies, and the names of its parts."""
    return {**along.as_json(), "own": [n for n in along.element if n in along.all_names()]}


def _in_order(lists: Sequence[Folds]) -> list[Folds]:
    """The lists, each after those whose folds it mentions, where that can be."""
    left, found = [*lists], list[Folds]()
    while left:
        ready = [x for x in left if not any({*x.fixed()} & {*y.names()} for y in left if y is not x)]
        found += ready or left
        left = [x for x in left if x not in found]
    return found


def _as_read(verdict: Any) -> Json | None:
    """The statement as formulas about all integers, if it is one."""
    bits, _, sign = verdict.arithmetic.partition("-bit ")
    width = Width(int(bits), sign == "signed") if bits else None
    try:
        return read_printed(verdict.statement, verdict.assumptions, verdict.division, width).as_json()
    except SymviewError:
        return None
