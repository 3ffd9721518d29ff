"""Checking statements about integers: theorems, refutations, and the weakest premise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from symview.verify.document import FORMULAS, BadCertificate, Tree, checked, expression, formula, formulas, get, values
from symview.verify.formulas import Script, Unsupported, Values, holds, names, value, walk
from symview.verify.report import Report

_TRIED, _SMALLER = 1500, 20_000
_VALUELESS = (ZeroDivisionError, Unsupported)


def check_theorem(question: Any, answer: Any, report: Report) -> None:
    """Proved: no integers refute the claim; refuted: these do, and no smaller ones; unknown: nothing is claimed."""
    verdict = get(answer, "verdict", str)
    if verdict not in ("proved", "refuted", "unknown"):
        raise BadCertificate(f"verdict {verdict[:20]!r}")
    if question.get("claim") is None:
        return report.leave("a statement that is no formula of integers")
    claim, assume = formula(question["claim"]), formulas(question, "assume")
    if verdict == "unknown":
        report.leave("the statement, which is open")
    if verdict != "refuted":
        for at in islice(_by_size(sorted(names(claim, *assume))), _TRIED):
            if _refutes(claim, assume, at):
                return report.refute(f"the claim is false at {_shown(at)}")
        return _proved(claim, assume, "the claim, for all integers", report) if verdict == "proved" else None
    at = values(get(answer, "values", dict), "the value")
    if set(at) != set(names(claim, *assume)):
        return report.refute("not every name has a value, or others have")
    if not _refutes(claim, assume, at):
        return report.refute(f"the claim holds at {_shown(at)}, or an assumption does not")
    sides = answer.get("sides")
    shown = _failing(claim, at)
    if sides is not None and (shown is None or sides != [value(x, at) for x in shown[1:]]):
        return report.refute(f"the sides are not {str(sides)[:40]}")
    if checked(answer.get("smallest"), bool, "smallest"):
        for tried, smaller in enumerate(_by_size(list(at), sum(map(abs, at.values())))):
            if tried > _SMALLER:
                return report.leave("that no smaller values refute the claim")
            if _refutes(claim, assume, smaller):
                return report.refute(f"{_shown(smaller)} is smaller")
    return None


def _proved(claim: Tree, assume: Sequence[Tree], what: str, report: Report) -> None:
    script = Script()
    try:
        _with_value(script, claim, *assume)
        script.given(*assume, ("not", claim))
    except Unsupported as error:
        return report.leave(f"{what}: {error}")

    def replayed(model: Values) -> bool:
        return _refutes(claim, assume, {**dict.fromkeys(names(claim, *assume), 0), **model})

    if report.asked(script, what, replayed):
        report.refute(f"{what}: a solver refutes it")
    return None


def _with_value(script: Script, *given: Tree) -> None:
    """That no divisor is 0, and no shift or exponent negative."""
    for node in (n for tree in given for n in walk(tree) if type(n) is tuple):
        if node[0][:2] == "//" or node[0][0] == "%" or node[0] == "ceildiv":
            script.given(("!=", node[2], 0))
        elif node[0] in ("<<", ">>", "**"):
            script.given((">=", node[2], 0))


def _refutes(claim: Tree, assume: Sequence[Tree], at: Values) -> bool:
    try:
        return holds(assume, at, strict=True) and not value(claim, at, strict=True)
    except _VALUELESS:
        return False


def _failing(claim: Tree, at: Values) -> Tree | None:
    """The comparison that makes the claim false, where there is one to name."""
    if type(claim) is not tuple:
        return None
    if claim[0] in ("->", "and"):
        parts = claim[2:] if claim[0] == "->" else [p for p in claim[1:] if not value(p, at)]
        return _failing(parts[0], at)
    return claim if claim[0] in FORMULAS and claim[0] not in ("or", "not", "<->") else None


def _by_size(order: Sequence[str], below: int | None = None) -> Iterator[dict[str, int]]:
    """Integers by the sum of their absolute values, up to but not including a sum."""
    size = 0
    while (below is None or size < below) and (order or not size):
        for point in _of_size(len(order), size):
            yield dict(zip(order, point, strict=True))
        size += 1


def _of_size(count: int, size: int) -> Iterator[tuple[int, ...]]:
    if count == 0:
        yield from [()] * (size == 0)
        return
    for first in range(size + 1):
        for rest in _of_size(count - 1, size - first) if count > 1 or first == size else ():
            yield (first, *rest)
            if first:
                yield (-first, *rest)


def check_premise(question: Any, answer: Any, report: Report) -> None:
    """Sufficient: with the condition the claim follows; necessary: without it a witness refutes the claim."""
    if answer.get("condition") is None:
        return report.leave("the premise, of which none was found")
    if question.get("claim") is None:
        return report.leave("a statement that is no formula of integers")
    claim, assume, condition = formula(question["claim"]), formulas(question, "assume"), formula(answer["condition"])
    about = [checked(n, str, "a name") for n in get(question, "about", list)]
    inside = set(names(claim, *assume))
    if not set(names(condition)) <= set(about) <= inside:
        raise BadCertificate("the condition has names that it is not about")
    witnesses = [{n: expression(x) for n, x in checked(w, dict, "a witness").items()}
                 for w in get(answer, "witnesses", list)]  # fmt: skip
    proved = [get(answer, side, str) == "proved" for side in ("sufficient", "necessary")]
    put = [[_substituted(f, w) for f in (claim, *assume)] for w in witnesses]
    for at in islice(_by_size(sorted(names(claim, *assume))), _TRIED):
        try:
            allowed, fits = holds(assume, at, strict=True), value(condition, at)
        except _VALUELESS:
            continue
        if allowed and fits and _refutes(claim, assume, at):
            return report.refute(f"the condition is not enough at {_shown(at)}")
        if allowed and not fits and not any(_refutes(f, given, at) for f, *given in put) and put and proved[1]:
            return report.refute(f"no witness refutes the claim at {_shown(at)}, where the condition fails")
    if proved[0]:
        _proved(claim, [*assume, condition], "that the condition is enough", report)
    if not proved[0] or not proved[1] or not put:
        report.leave(
            "a direction that was checked up to some number" if put or not all(proved) else "that it is needed"
        )
        return None
    script = Script()
    try:
        _with_value(script, condition, *[f for fs in put for f in fs])
        script.given(*assume, ("not", condition), *[("not", ("and", True, *given, ("not", f))) for f, *given in put])
        _with_value(script, claim, *assume)
    except Unsupported as error:
        return report.leave(f"that the condition is needed: {error}")
    report.asked(script, "that the condition is needed", None)
    return None


def _substituted(tree: Tree, by: Mapping[str, Tree]) -> Tree:
    if type(tree) is str:
        return by.get(tree, tree)
    return tree if type(tree) is not tuple else (tree[0], *[_substituted(a, by) for a in tree[1:]])


def _shown(at: Values) -> str:
    return ", ".join(f"{n} = {x}" for n, x in at.items()) or "any values"
