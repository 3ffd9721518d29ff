"""What has to be shown so that a statement holds: obligations about integers, by one rule for each node.

Evidence only chooses witnesses, instances and lemmas. `Ask` gives values that help to choose, and can never count.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

from symview.trusted.document import DEEPEST, BadCertificate, Object, checked, expression, get, some
from symview.trusted.formulas import Tree, Values, defined, names, put, weight
from symview.trusted.work import Work
from symview.verify.kinds.cases import Subject, at_values, by_cases
from symview.verify.kinds.chains import of_chain
from symview.verify.kinds.conditions import Merges
from symview.verify.kinds.layout_conditions import Layouts
from symview.verify.kinds.layouts import of_layout
from symview.verify.kinds.overlaps import Overlaps
from symview.verify.kinds.programs import of_rule
from symview.verify.kinds.strides import Strides
from symview.verify.meaning import along, stated
from symview.verify.nodes import Along, Node, both, bounded, is_formula, meant
from symview.verify.obligations import Ask, Obligation, Steps, possible

Shown = Generator[Obligation | Ask, Values | None, list[Along]]


SUBJECTS: dict[str, type[Subject]] = {"one_view": Merges, "has": Strides, "share": Overlaps, "exists": Layouts}


class Known(NamedTuple):
    """What is assumed: formulas, and statements that hold for all integers of some other names."""

    given: tuple[Tree, ...] = ()
    all: tuple[Node, ...] = ()

    def more(self, *nodes: Node) -> Known:
        """With these assumptions, too."""
        formulas = [part for f in nodes if is_formula(f) for part in bounded(f)]
        return Known((*self.given, *formulas), (*self.all, *[f for f in nodes if not is_formula(f)]))


def derive(statement: Node, claim: Object, evidence: Object, work: Work) -> Steps:
    """Obligations from which the statement of a claim follows, and whether anything meets what it assumes."""
    op, kind = statement[0] if type(statement) is tuple else "", claim["kind"]
    lists, body = _opened(statement)
    if op == "open":
        yield Obligation(statement[1], None)
    elif kind == "layout":
        yield from of_layout(statement[1], statement[2], evidence, work)
    elif kind == "rule":
        yield from of_rule(statement, work)
    elif kind in ("merge", "chains"):
        yield from of_chain(statement, work)
    elif kind not in ("theorem", "premise"):
        yield from (at_values if op == "at" else by_cases)(SUBJECTS, body, claim, evidence, work)
    elif kind == "theorem" and claim["verdict"] == "proved" and (lists or "by" in evidence):
        yield from _by_lemmas(lists, body, claim, evidence, work)
    else:
        yield from _shown(statement, Known(), evidence, work, "the claim, for all integers")
        parts = statement[1:] if op == "and" else (statement,)
        if not any(type(part) is tuple and part[0] == "at" for part in parts):
            yield possible("no values meet what is assumed", *_assumed(statement))


def _shown(node: Node, known: Known, evidence: Object, work: Work, what: str) -> Steps:
    """Obligations: the statement follows from what is known."""
    op, *parts = node if type(node) is tuple else (node,)
    if is_formula(node):
        yield from _formula(node, known, evidence, work, what)
    elif op == "open":
        yield Obligation(parts[0], None)
    elif op == "all":
        yield from _shown(parts[1], known, evidence, work, what)
    elif op == "given":
        yield from _shown(parts[1], known.more(*parts[0]), evidence, work, what)
    elif op == "at":
        yield from _shown(put(parts[1], parts[0]), known, evidence, work, "the claim, at these values")
    elif op == "and":
        for n, part in enumerate(parts):
            least = n > 0 and parts[0][0] == "at"
            yield from _shown(part, known, evidence, work, "that no smaller values refute the claim" if least else what)
    elif op == "->":
        so = "sufficient" if is_formula(parts[0]) else "necessary"
        yield from _shown(parts[1], known.more(parts[0]), evidence, work, f"that the condition is {so}")
    elif op == "<->":
        yield from _shown(("->", parts[1], parts[0]), known, evidence, work, what)
        yield from _shown(("->", parts[0], parts[1]), known, evidence, work, what)
    else:
        yield Obligation(what, None)


def _formula(claim: Tree, known: Known, evidence: Object, work: Work, what: str) -> Steps:
    """Obligation: a formula of integers; or without it, an instance of what is assumed fails."""
    if not known.all:
        yield Obligation(what, claim, known.given)
        return
    instances = [instance for node in known.all for instance in _instances(node, evidence, work)]
    failing = [both([*given, ("not", says)]) for given, says in instances]
    yield Obligation(what, ("or", False, *failing), [*known.given, ("not", claim)], refutes=False)


def _instances(node: Node, evidence: Object, work: Work) -> Iterator[tuple[list[Tree], Tree]]:
    """The assumptions and the claim of a statement for all integers, at the witnesses."""
    about, body = (node[1], node[2]) if node[0] == "all" else ((), node)
    given, claim = body[1:] if body[0] == "given" else ((), body)
    witnesses = some(evidence, "witnesses", _witness)
    if any(n not in about for w in witnesses for n in w):
        raise BadCertificate("a witness has values for what the condition is about, or for what is not a name")
    work.keep(len(witnesses) * weight(claim, *given))
    for at in witnesses:
        yield [put(f, at) for f in given], put(claim, at)


def _witness(given: object) -> dict[str, Tree]:
    return {n: expression(x) for n, x in checked(given, dict, "a witness").items()}


def _assumed(node: Node) -> list[Tree]:
    """The formulas that a statement assumes, under all its binders."""
    if is_formula(node):
        return []
    op, *parts = node
    if op == "given":
        return [*parts[0], *_assumed(parts[1])]
    if op == "all":
        return _assumed(parts[1])
    return [f for part in parts for f in _assumed(part)] if op in ("and", "->", "<->") else []


# Theorems by lemmas, and about lists


def _opened(node: Node) -> tuple[list[Along], Node]:
    """The lists of a statement, and what it says of their values."""
    lists = list[Along]()
    while type(node) is tuple and node[0] in ("all", "along"):
        lists += [node[1]] if node[0] == "along" else []
        node = node[2]
    return lists, node


def _by_lemmas(lists: Sequence[Along], body: Node, claim: Object, evidence: Object, work: Work) -> Steps:
    """Obligations: what is claimed of the values of these lists, by lemmas, or by induction along the only one."""
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
                                 and one.own == {*one.names()} & whole.own):  # fmt: skip
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
