"""Checking whether two chains of views mean the same, and guards beside conditions."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

from symview.verify.boxes import Outside, Term, add, address, composed, of_numbers, said, times, walked
from symview.verify.conditions import Conditions, read_case
from symview.verify.counterexamples import WALK, at
from symview.verify.document import BadCertificate, View, checked, formula, formulas, get, integers, values, views
from symview.verify.formulas import Script, Unsupported, Values, holds, names, value
from symview.verify.report import Report


def check_chains(question: Any, answer: Any, report: Report) -> None:
    """The chains have the same address at every index, or not at `index`; `minimal`: no single view is the second."""
    first, second = ([of_numbers(v) for v in views(question, key)] for key in ("first", "second"))
    shape = first[-1].shape
    same = get(answer, "same", bool)
    if second[-1].shape != shape:
        return report.refute("the shapes differ")
    if not same:
        _differ(first, second, answer, report)
    elif prod(shape) <= WALK:
        try:
            bent = next((i for i in product(*map(range, shape)) if at(first, i) != at(second, i)), None)
        except Outside:
            return report.refute("an address is out of bounds")
        if bent is not None:
            return report.refute(f"the chains differ at {bent}")
    else:
        _same_everywhere(first, second, report)
    if answer.get("minimal") and len(second) > 1:
        if len(second) > 2 or prod(shape) > WALK:
            return report.leave("that no fewer views do")
        if walked(second, (), {}).status in ("affine", "void") and not walked(second, (), {}).span.impossible():
            return report.refute("one view does")
    return None


def _differ(first: list[View], second: list[View], answer: Any, report: Report) -> None:
    index = integers(get(answer, "index", list), "the index")
    if len(index) != len(first[-1].shape) or any(not 0 <= i < n for i, n in zip(index, first[-1].shape, strict=True)):
        return report.refute(f"{index} is no index")
    here, there = at(first, index), at(second, index)
    sides = answer.get("sides")
    if here == there or (sides is not None and sides != [here, there]):
        return report.refute(f"at {index} the chains reach {here} and {there}")
    if answer.get("smallest") and prod(first[-1].shape) > WALK:
        return report.leave("that no smaller index of a large box differs")
    for i in product(*map(range, first[-1].shape)) if answer.get("smallest") else ():
        if (sum(i), i) < (sum(index), index) and at(first, i) != at(second, i):
            return report.refute(f"{i} is smaller")
    return None


def _same_everywhere(first: list[View], second: list[View], report: Report) -> None:
    script = Script()
    index: list[Term] = [script.name(f"index {n}") for n in range(len(first[-1].shape))]
    for i, n in zip(index, first[-1].shape, strict=True):
        script.say(f"(and (<= 0 {i}) (< {i} {n}))")
    here, there = (composed(script, chain, index) for chain in (first, second))
    addresses = [address(script, c[0], r.digits, ())[""] for c, r in ((first, here), (second, there))]
    gap = said(add(addresses[0], times(-1, addresses[1])))
    script.say(f"(or {here.outside} {there.outside} (not (= {here.valid} {there.valid})) "
               f"(and {here.valid} (not (= {gap} 0))))")  # fmt: skip

    def replayed(model: Values) -> bool:
        i = [model[f"index {n}"] for n in range(len(index))]
        try:
            return at(first, i) != at(second, i)
        except Outside:
            return True

    if report.asked(script, "that the chains mean the same", replayed):
        report.refute("the chains differ at an index")


def check_guard(question: Any, answer: Any, report: Report) -> None:
    """Exact, too strong or too weak: the guard beside the condition, at the values given, or for all."""
    chain, facts, guard = views(question, "views"), formulas(question, "facts"), formula(question.get("guard"))
    verdict = get(answer, "verdict", str)
    if len(chain) < 2:
        raise BadCertificate("two views or more are composed")
    if verdict == "exact":
        cases = [read_case(c) for c in get(answer, "cases", list)]
        judge = Conditions(chain, facts, cases, guard, report, bool(question.get("reshape")))
        judge.check()
        parts = [("and", c.where, *c.equations) for c in cases if c.status in ("always", "when")]
        if report.wrong:
            return None
        script = Script()
        try:
            script.given(*facts, ("not", ("<->", guard, ("or", False, *parts))))
        except Unsupported as error:
            return report.leave(f"the guard: {error}")

        def replayed(model: Values) -> bool:
            put = {**dict.fromkeys((*judge.parameters, *judge.free), 0), **model}
            return holds(facts, put) and bool(value(guard, put)) != bool(value(("or", False, *parts), put))

        if report.asked(script, "that the guard says what the cases say", replayed):
            report.refute("the guard and the condition differ at some values")
        return None
    if verdict not in ("too strong", "too weak"):
        raise BadCertificate(f"verdict {verdict[:20]!r}")
    put = values(get(answer, "values", dict), "the value")
    entries = [x for v in chain for x in (*v.shape, *v.strides, v.offset, *(y for b in v.mask or () for y in b))]
    missing = [n for n in names(guard, *facts, *entries) if n not in put]
    if missing or not holds(facts, put):
        return report.refute("the values leave out a name, or are none that the facts allow")
    try:
        passes = bool(value(guard, put))
    except ZeroDivisionError:
        passes = False
    if passes != (verdict == "too weak"):
        return report.refute(f"the guard {'lets these values pass' if passes else 'refuses these values'}")
    if prod(value(n, put) for n in chain[-1].shape) > WALK:
        return report.leave("values at which the box is too large to walk")
    fits = (
        not question.get("reshape") or len({prod(value(n, put) for n in v.shape) for v in (chain[0], chain[-1])}) == 1
    )
    truth = walked(chain, (), put) if fits else None
    merges = truth is not None and truth.status in ("affine", "void") and not truth.span.impossible()
    if merges != (verdict == "too strong"):
        return report.refute(f"at these values the views {'merge' if merges else 'do not merge'}")
    index = answer.get("index")
    if index is not None and truth is not None and truth.status == "affine":
        if integers(checked(index, list, "the index"), "the index") not in truth.rows:
            return report.refute(f"the merge does not break at {str(index)[:40]}")
    elif index is not None and truth is None:
        return report.refute("the sizes do not fit, and there is no index")
    return None
