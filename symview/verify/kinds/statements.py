"""The obligations of statements about integers: theorems, refutations, and weakest premises."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from functools import reduce
from typing import NamedTuple

from symview.trusted.document import (
    DEEPEST,
    BadCertificate,
    Object,
    checked,
    expression,
    formula,
    get,
    integers,
    listed,
    maybe,
    values,
)
from symview.trusted.formulas import RELATIONS, Tree, Values, defined, made, names, put, weight
from symview.trusted.work import Work
from symview.verify.obligations import Obligation, Steps, smaller, some


def of_theorem(question: Object, answer: Object, work: Work) -> Steps:
    """Obligations: proved: no integers refute the claim; refuted: these do, and no smaller ones; unknown: none."""
    verdict = get(answer, "verdict", str)
    if verdict not in ("proved", "refuted", "unknown"):
        raise BadCertificate(f"verdict {verdict[:20]!r}")
    if question.get("claim") is None:
        yield Obligation("a statement that is no formula of integers", None)
        return
    claim, assume = formula(question["claim"]), listed(question, "assume", formula)
    if verdict == "unknown":
        yield Obligation("a statement that is open", None)
        return
    given = [*defined(claim, *assume), *assume]
    if verdict == "proved":
        yield from _proved(question, work)
        return
    if "folds" in question or "by" in question:
        raise BadCertificate("values of folds, or lemmas, refute nothing")
    at, sides = values(answer, "values"), maybe(answer, "sides", list) and integers(answer, "sides")
    yield Obligation("that every name has a value, and no other", set(at) == set(names(claim, *assume)))
    failing = put(claim, at)
    yield Obligation("that the values refute the claim", made("and", ("not", failing), *[put(g, at) for g in given]))
    yield Obligation(
        "that these are the sides", sides is None or sides == tuple([put(x, at) for x in _sides(claim, at)])
    )
    if get(answer, "smallest", bool):
        yield Obligation("that no smaller values refute the claim", claim, [*smaller(at), *given])


class Along(NamedTuple):
    """The folds of one list, each with its first value and its next one; `each` holds for all elements.

    `fixed` are the names that do not change along the list, `own` those that are new in each element.
    """

    folds: dict[str, list[Tree]]
    each: list[Tree]
    fixed: set[str]
    own: set[str]

    def merged(self, other: Along) -> Along:
        """Merges the folds of two theorems about the same list."""
        both = Along(self.folds | other.folds, self.each + other.each, self.fixed | other.fixed, self.own | other.own)
        apart = any(self.folds.get(n, pair) != pair for n, pair in other.folds.items())
        if apart or both.fixed & {*both.folds, *both.own} or both.own & {*both.folds}:
            raise BadCertificate("a name means two things along a list")
        return both


def _proved(question: Object, work: Work, depth: int = 0) -> Generator[Obligation, Values | None, list[Along]]:
    """Obligations: a claim holds for all integers, directly, by induction along a list, or by lemmas with their own.

    Returns the lists in the claim. Folds of a lemma about lists keep their names, which may be fixed in later lemmas;
    in other lemmas, values are substituted for names.
    """
    claim, assume = formula(question.get("claim")), listed(question, "assume", formula)
    if "folds" in question:
        return (yield from _by_induction(question, claim, assume))
    if depth > DEEPEST:
        raise BadCertificate("lemmas are nested too deep")
    lemmas, lists, before = list[Tree](), list[Along](), set[str]()
    for one in listed(question, "by", lambda x: x) if "by" in question else ():
        lemma, at = get(one, "lemma", dict), {n: expression(x) for n, x in get(one, "at", dict).items()}
        more = yield from _proved(lemma, work, depth + 1)
        says, known = formula(lemma["claim"]), listed(lemma, "assume", formula)
        folds = {n for along in more for n in along.folds}
        work.spend(sum([len(x.folds) + len(x.each) + len(x.fixed) + len(x.own) for x in (*lists, *more)]))
        if set(at) - set(names(says, *known)):
            raise BadCertificate("a lemma gets values for what is no name of it")
        if (more and at) or folds & (before - {n for along in lists for n in along.folds}):
            raise BadCertificate("a lemma about lists gets no values, and comes before what mentions its folds")
        for along in more:
            same = [x for x in lists if {*x.folds} & {*along.folds}]
            lists = [x for x in lists if x not in same] + [reduce(Along.merged, same, along)]
        lemmas.append(put(("->", ("and", True, *defined(says, *known), *known), says), at))
        before |= {*names(lemmas[-1]), *(n for along in more for n in along.fixed)}
    for along in lists:
        work.spend(len(before) + sum([len(x.folds) for x in lists]))
        others = {n for x in lists if x is not along for n in x.folds}
        if along.own & (others | before | {*names(claim, *assume)}):
            raise BadCertificate("a part of an element has the name of something else")
    yield Obligation("the claim, for all integers", claim, [*defined(claim, *assume), *assume, *lemmas])
    yield some("no values meet what is assumed", *defined(claim), *assume)
    return lists


def _by_induction(of: Object, claim: Tree, assume: list[Tree]) -> Generator[Obligation, Values | None, list[Along]]:
    """Obligations: the claim about folds holds for the empty list, and carries over to one more element."""
    folds = {n: listed({n: pair}, n, expression) for n, pair in get(of, "folds", dict).items()}
    if any(len(pair) != 2 or set(names(pair[0])) & set(folds) for pair in folds.values()):
        raise BadCertificate("a fold has a first value without folds, and a next one")
    moving = [a for a in assume if set(names(a)) & set(folds)]
    given, whole = [a for a in assume if a not in moving], ("and", claim, *moving)
    each = listed(of, "each", formula)
    yield Obligation("the base of the induction", put(whole, {n: p[0] for n, p in folds.items()}), given)
    later = put(whole, {n: p[1] for n, p in folds.items()})
    yield Obligation("the step of the induction", later, [*given, *each, whole])
    first = [put(e, {n: p[0] for n, p in folds.items()}) for e in each]
    yield some("no element meets what is assumed of each", *given, *first)
    fixed = {*names(claim, *assume, *[p[0] for p in folds.values()])} - {*folds}
    own = {*names(*each, *[p[1] for p in folds.values()])} - {*folds} - fixed
    return [Along(folds, each, fixed, own)]


def _sides(claim: Tree, at: dict[str, int]) -> Sequence[Tree]:
    """The sides of the comparison that makes the claim false, if there is exactly one."""
    if type(claim) is tuple and claim[0] in ("->", "and"):
        return _sides(next((p for p in claim[1 + (claim[0] == "->") :] if put(p, at) is not True), True), at)
    return claim[1:] if type(claim) is tuple and claim[0] in RELATIONS else ()


def of_premise(question: Object, answer: Object, work: Work) -> Steps:
    """Obligations: the condition implies the claim; it is necessary, since without it a witness refutes the claim."""
    if answer.get("condition") is None or question.get("claim") is None:
        yield Obligation("a premise that was not found, or is of no formula of integers", None)
        return
    claim, assume = formula(question["claim"]), listed(question, "assume", formula)
    condition, about = formula(answer["condition"]), listed(question, "about", expression)
    if not set(names(condition)) <= set(about) <= set(names(claim, *assume)):
        raise BadCertificate("the condition has names that it is not about")
    given, condition = [*defined(claim, *assume), *assume], ("and", *defined(condition), condition)
    witnesses = [{n: expression(x) for n, x in checked(w, dict, "a witness").items()}
                 for w in get(answer, "witnesses", list)]  # fmt: skip
    if any(n in about or n not in names(claim, *assume) for w in witnesses for n in w):
        raise BadCertificate("a witness has values for what the condition is about, or for what is no name")
    enough, needed = (get(answer, side, str) == "proved" for side in ("sufficient", "necessary"))
    work.keep(len(witnesses) * weight(claim, *assume))
    refuted = [[put(f, w) for f in (claim, *assume)] for w in witnesses]
    refuting = ("or", False, *[("and", *defined(*fs), *fs[1:], ("not", fs[0])) for fs in refuted])
    yield Obligation("that the condition is sufficient", claim if enough else None, [*given, condition])
    claimed = needed and (witnesses or condition == ("and", True))
    yield Obligation("that the condition is necessary", refuting if claimed else None, [*given, ("not", condition)])
    yield some("no values meet what is assumed", *given)
