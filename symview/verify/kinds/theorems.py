"""Rules for theorems that rest on lemmas, and about lists: each fold is a value that every element updates."""

from __future__ import annotations

from collections.abc import Sequence

from symview.trusted.document import DEEPEST, BadCertificate, Object, expression, get, some
from symview.trusted.formulas import Tree, defined, names
from symview.trusted.work import Work
from symview.verify.meaning import along, firsts_of, stated
from symview.verify.nodes import Along, Node, meant
from symview.verify.obligations import Asking, Obligation, Steps, instance, possible

Shown = Asking[list[Along]]


def _opened(node: Node) -> tuple[list[Along], Node]:
    """The lists of a statement, and what it says of their values."""
    lists = list[Along]()
    while type(node) is tuple and node[0] in ("all", "along"):
        lists += [node[1]] if node[0] == "along" else []
        node = node[2]
    return lists, node


def by_lemmas(statement: Node, claim: Object, evidence: Object, work: Work) -> Steps:
    """Obligations: what is claimed of the values of lists, by lemmas, or by induction along the only one."""
    lists, body = _opened(statement)
    if type(body) is tuple and body[0] == "open":
        yield Obligation(body[1], None)
        return
    if "by" not in evidence:
        if len(lists) > 1:
            raise BadCertificate("an induction is along one list")
        yield from _by_induction(lists[0], claim, work)
        return
    given, says = body[1:] if type(body) is tuple and body[0] == "given" else ((), body)
    found, by_fold = (yield from _from_lemmas(says, given, evidence, work)), {n: x for x in lists for n in x.folds}
    for one in found:
        whole = next((by_fold[n] for n in one.folds if n in by_fold), None)
        work.spend(len(one.each) * (1 if whole is None else len(whole.each)))
        if whole is None or not (one.folds.items() <= whole.folds.items() and all(e in whole.each for e in one.each)
                                 and one.own == {*one.names()} & whole.own
                                 and one.fixed.isdisjoint(whole.folds)):  # fmt: skip
            raise BadCertificate("a lemma is about a list that the statement does not have")
    for one in lists if len(found) > 1 else ():
        about = [f for f in given if not names(f).keys() & by_fold.keys()]
        first = [instance(e, one.firsts(), work) for e in one.each]
        yield possible("no element meets what is assumed of each", *about, *first)


def _from_lemmas(claim: Tree, given: Sequence[Tree], evidence: Object, work: Work, depth: int = 0) -> Shown:
    """Obligations: a claim holds for all integers by its lemmas, each with its own obligations.

    Returns the lists of the lemmas. Their folds keep their names; in other lemmas, values are substituted for names.
    """
    if depth > DEEPEST:
        raise BadCertificate("lemmas are nested too deep")
    known, lists, before = list[Tree](), list[Along](), set[str]()
    for one in some(evidence, "by", lambda x: x):
        lemma, at = get(one, "lemma", dict), {n: expression(x) for n, x in get(one, "at", dict).items()}
        says, *assume = stated(lemma)
        own = [along(lemma)] if "folds" in lemma else []
        needs = meant(*assume, then=[says, *firsts_of(own)])
        if any(one.own & {*names(says, *needs)} for one in own):
            raise BadCertificate("a lemma is about a part of an element")
        for one in own:
            yield from _by_induction(one, lemma, work)
        more = own or (yield from _from_lemmas(says, needs, lemma, work, depth + 1))
        folds = {n for along in more for n in along.folds}
        work.spend(sum([len(x.folds) + len(x.each) for x in (*lists, *more)]))
        if set(at) - set(names(says, *assume)):
            raise BadCertificate("a lemma gets values for what is not a name of it")
        if (more and at) or folds & (before - {n for along in lists for n in along.folds}):
            raise BadCertificate("a lemma about lists gets no values, and comes before what mentions its folds")
        lists += more
        known.append(instance(("->", ("and", True, *needs), says), at, work))
        before |= {*names(says, *assume, known[-1])} - at.keys() | {n for along in more for n in along.fixed}
    if any(along.own & before for along in lists):
        raise BadCertificate("a part of an element has the name of something else")
    refutes = not (depth or lists)  # values at which a lemma fails say nothing of the claim
    yield Obligation("the claim, for all integers", claim, [*given, *known], refutes=refutes)
    yield possible("no values meet what is assumed", *defined(claim), *given)
    return lists


def _by_induction(one: Along, of: Object, work: Work) -> Steps:
    """Obligations: what is claimed of folds holds for the empty list, and carries over to one more element.

    The assumptions that are about folds are shown, too; that they have first values is assumed.
    """
    says, *assume = stated(of)
    moving = [a for a in assume if set(names(a)) & set(one.folds)]
    known, whole = [*defined(*one.firsts().values()), *[a for a in assume if a not in moving]], ("and", says, *moving)
    yield Obligation("the base of the induction", instance(whole, one.firsts(), work), known, refutes=False)
    later = instance(whole, one.nexts(), work)
    yield Obligation("the step of the induction", later, [*known, *one.each, whole], refutes=False)
    first = [instance(e, one.firsts(), work) for e in one.each]
    yield possible("no element meets what is assumed of each", *known, *first)
