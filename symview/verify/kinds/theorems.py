"""Rules for theorems that rest on lemmas, and about lists: each fold is a value that every element updates."""

from __future__ import annotations

from collections.abc import Sequence

from symview.trusted.document import DEEPEST, BadCertificate, Object, expression, get, some
from symview.trusted.formulas import Tree, defined, names, put
from symview.trusted.work import Work
from symview.verify.meaning import along, stated
from symview.verify.nodes import Along, Node, meant
from symview.verify.obligations import Asking, Obligation, Steps, possible

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
        yield from _by_induction(lists[0], claim)
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
        first = [put(e, one.firsts()) for e in one.each]
        yield possible("no element meets what is assumed of each", *about, *first)


def _lemma(of: Object, says: Tree, needs: Sequence[Tree], work: Work, depth: int) -> Shown:
    """Obligations: a lemma holds for all integers, or for every list of elements. Returns its lists."""
    if "folds" not in of:
        return (yield from _from_lemmas(says, needs, of, work, depth))
    one = along(of)
    if one.own & {*names(says, *needs)}:
        raise BadCertificate("a lemma is about a part of an element")
    yield from _by_induction(one, of)
    return [one]


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
        needs = meant(*assume, then=[says])
        more = yield from _lemma(lemma, says, needs, work, depth + 1)
        folds = {n for along in more for n in along.folds}
        work.spend(sum([len(x.folds) + len(x.each) for x in (*lists, *more)]))
        if set(at) - set(names(says, *assume)):
            raise BadCertificate("a lemma gets values for what is not a name of it")
        if (more and at) or folds & (before - {n for along in lists for n in along.folds}):
            raise BadCertificate("a lemma about lists gets no values, and comes before what mentions its folds")
        lists += more
        known.append(put(("->", ("and", True, *needs), says), at))
        before |= {*names(says, *assume, known[-1])} - at.keys() | {n for along in more for n in along.fixed}
    if any(along.own & before for along in lists):
        raise BadCertificate("a part of an element has the name of something else")
    refutes = not (depth or lists)  # values at which a lemma fails say nothing of the claim
    yield Obligation("the claim, for all integers", claim, [*given, *known], refutes=refutes)
    yield possible("no values meet what is assumed", *defined(claim), *given)
    return lists


def _by_induction(one: Along, of: Object) -> Steps:
    """Obligations: what is claimed of folds holds for the empty list, and carries over to one more element.

    The assumptions that are about folds are shown, too.
    """
    says, *assume = stated(of)
    moving = [a for a in assume if set(names(a)) & set(one.folds)]
    known, whole = [a for a in assume if a not in moving], ("and", says, *moving)
    yield Obligation("the base of the induction", put(whole, one.firsts()), known, refutes=False)
    later = put(whole, one.nexts())
    yield Obligation("the step of the induction", later, [*known, *one.each, whole], refutes=False)
    yield possible("no element meets what is assumed of each", *known, *[put(e, one.firsts()) for e in one.each])
