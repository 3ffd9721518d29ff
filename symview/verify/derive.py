"""What has to be shown so that a statement holds: obligations about integers, by one rule for each node.

Evidence only chooses witnesses, instances and lemmas. `Ask` gives values that help to choose, and can never count.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

from symview.trusted.document import DEEPEST, BadCertificate, Object, checked, expression, get, listed
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
from symview.verify.obligations import Ask, Obligation, Steps, some

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


def derive(kind: str, statement: Node, question: Object, answer: Object, work: Work) -> Steps:
    """Obligations from which a statement follows, and whether anything meets what it assumes."""
    op = statement[0] if type(statement) is tuple else ""
    lists, body = _opened(statement)
    if op == "open":
        yield Obligation(statement[1], None)
    elif kind == "layout":
        yield from of_layout(statement[1], statement[2], answer, work)
    elif kind == "rule":
        yield from of_rule(statement, work)
    elif kind in ("merge", "chains"):
        yield from of_chain(statement, work)
    elif kind not in ("theorem", "premise"):
        yield from (at_values if op == "at" else by_cases)(SUBJECTS, body, question, answer, work)
    elif kind == "theorem" and answer["verdict"] == "proved" and ("by" in question or "folds" in question):
        yield from _by_lemmas(lists, body, question, work)
    else:
        answer.get("witnesses")  # read where a rule needs them, and no claim
        yield from _shown(statement, Known(), answer, work, "the claim, for all integers")
        parts = statement[1:] if op == "and" else (statement,)
        if not any(type(part) is tuple and part[0] == "at" for part in parts):
            yield some("no values meet what is assumed", *_assumed(statement))


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
    witnesses = [{n: expression(x) for n, x in checked(w, dict, "a witness").items()}
                 for w in get(evidence, "witnesses", list)]  # fmt: skip
    if any(n not in about for w in witnesses for n in w):
        raise BadCertificate("a witness has values for what the condition is about, or for what is not a name")
    work.keep(len(witnesses) * weight(claim, *given))
    for at in witnesses:
        yield [put(f, at) for f in given], put(claim, at)


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


def _by_lemmas(lists: Sequence[Along], body: Node, question: Object, work: Work) -> Steps:
    """Obligations: a claim, under its assumptions, about the values of these lists."""
    given, claim = body[1:] if type(body) is tuple and body[0] == "given" else ((), body)
    found = yield from _theorem(claim, given, question, work)
    for one in found:
        if not any(one.folds.items() <= x.folds.items() and all(e in x.each for e in one.each) for x in lists):
            raise BadCertificate("a lemma is about a list that the statement does not have")
    for one in lists if len(found) > 1 else ():
        about = [f for f in given if not any({*names(f)} & {*x.folds} for x in lists)]
        first = [put(e, one.firsts()) for e in one.each]
        yield some("no element meets what is assumed of each", *about, *first)


def _theorem(claim: Tree, given: Sequence[Tree], question: Object, work: Work, depth: int = 0) -> Shown:
    """Obligations: a claim holds for all integers: by its lemmas, each with its own, or by induction along a list.

    Returns the lists of the lemmas. Their folds keep their names; in other lemmas, values are substituted for names.
    """
    if "folds" in question:
        return (yield from _by_induction(claim, given, question))
    if depth > DEEPEST:
        raise BadCertificate("lemmas are nested too deep")
    known, lists, before = list[Tree](), list[Along](), set[str]()
    for one in listed(question, "by", lambda x: x) if "by" in question else ():
        lemma, at = get(one, "lemma", dict), {n: expression(x) for n, x in get(one, "at", dict).items()}
        says, *assume = stated(lemma)
        needs = meant(*assume, then=[says])
        more = yield from _theorem(says, needs, lemma, work, depth + 1)
        folds = {n for along in more for n in along.folds}
        work.spend(sum([len(x.folds) + len(x.fixed) for x in (*lists, *more)]))
        if set(at) - set(names(says, *assume)):
            raise BadCertificate("a lemma gets values for what is not a name of it")
        if (more and at) or folds & (before - {n for along in lists for n in along.folds}):
            raise BadCertificate("a lemma about lists gets no values, and comes before what mentions its folds")
        lists += more
        known.append(put(("->", ("and", True, *needs), says), at))
        before |= {*names(known[-1]), *(n for along in more for n in along.fixed)}
    if any(along.own & before for along in lists):
        raise BadCertificate("a part of an element has the name of something else")
    refutes = not (depth or lists)  # values at which a lemma fails say nothing of the claim
    yield Obligation("the claim, for all integers", claim, [*given, *known], refutes=refutes)
    yield some("no values meet what is assumed", *defined(claim), *given)
    return lists


def _by_induction(claim: Tree, given: Sequence[Tree], question: Object) -> Shown:
    """Obligations: the claim about folds holds for the empty list, and carries over to one more element.

    The assumptions that are about folds are shown, too.
    """
    one, (says, *assume) = along(question), stated(question)
    moving = [a for a in assume if set(names(a)) & set(one.folds)]
    known, whole = [a for a in assume if a not in moving], ("and", says, *moving)
    if says != claim or not all(a in given for a in known):
        raise BadCertificate("an induction of another claim")
    yield Obligation("the base of the induction", put(whole, one.firsts()), known, refutes=False)
    later = put(whole, one.nexts())
    yield Obligation("the step of the induction", later, [*known, *one.each, whole], refutes=False)
    yield some("no element meets what is assumed of each", *known, *[put(e, one.firsts()) for e in one.each])
    return [one]
