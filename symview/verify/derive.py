"""What has to be shown so that a statement holds: obligations about integers, by one rule for each node.

Evidence only chooses witnesses, instances and lemmas. `Ask` gives values that help to choose, and can never count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from symview.trusted.document import BadCertificate, Object, checked, expression, some
from symview.trusted.formulas import Tree, Trees, put, weight
from symview.trusted.work import Work
from symview.verify.kinds.cases import Subject, equivalent, none_at, one_of, without_refuting
from symview.verify.kinds.chains import before, breaks, differ, none
from symview.verify.kinds.conditions import Merges, Place, agree
from symview.verify.kinds.layout_conditions import Layouts
from symview.verify.kinds.overlaps import Overlaps
from symview.verify.kinds.programs import apart, shown
from symview.verify.kinds.strides import Strides
from symview.verify.kinds.theorems import by_lemmas
from symview.verify.meaning import Case, asked, parts_of
from symview.verify.nodes import Node, both, bounded, is_formula
from symview.verify.obligations import Obligation, Steps, instance, possible

SUBJECTS: dict[str, type[Subject]] = {"one_view": Merges, "has": Strides, "share": Overlaps, "exists": Layouts}
_NOBODY = Case(True, "always", [], None)


class Known(NamedTuple):
    """What is assumed: formulas, and statements, such as that some hold for all integers of other names."""

    given: tuple[Tree, ...] = ()
    nodes: tuple[Node, ...] = ()

    def more(self, *nodes: Node) -> Known:
        """With these assumptions, too."""
        formulas = [put(part, {}) for f in nodes if is_formula(f) for part in bounded(f)]
        return Known((*self.given, *formulas), (*self.nodes, *[f for f in nodes if not is_formula(f)]))


def derive(statement: Node, claim: Object, evidence: Object, work: Work) -> Steps:
    """Obligations from which the statement of a claim follows, and whether anything meets what it assumes."""
    kind, values = claim["kind"], _at(statement)
    if claim.get("verdict") == "proved" and kind == "theorem" and ("by" in evidence or claim.get("lists")):
        yield from by_lemmas(statement, claim, evidence, work)
        return
    yield from _Rules(claim, evidence, work, values).shown(statement, Known(), "the claim, for all integers")
    if not values:
        yield possible("no values meet what is assumed", *_assumed(statement))


class _Rules:
    """The rules for one certificate; `values`: the statement is about these, so that nothing need meet the rest."""

    def __init__(self, claim: Object, evidence: Object, work: Work, values: bool) -> None:
        self.evidence, self.work, self.values = evidence, work, values
        self.at: Trees = {}
        plain = claim["kind"] in ("theorem", "premise", "rule", "chains")
        self.subject = None if plain else SUBJECTS[asked(claim).node[0]](claim, evidence, work)
        self.case: Case | None = None

    def shown(self, node: Node, known: Known, what: str) -> Steps:
        """Obligations: the statement follows from what is known."""
        op, *of = node if type(node) is tuple else (node,)
        if is_formula(node):
            yield from self.formula(node, known, what)
        elif op == "open":
            yield Obligation(of[0], None)
        elif op == "all":
            yield from self.shown(of[1], known, what)
        elif op == "given":
            yield from self.shown(of[1], known.more(*of[0]), what)
        elif op == "at":
            self.at = of[0]
            yield from self.shown(of[1], known, "the claim, at these values")
            self.at = {}
        elif op == "and":
            yield from self.all(of, known, what)
        elif op == "->":
            so = "sufficient" if is_formula(of[0]) else "necessary"
            yield from self.shown(of[1], known.more(of[0]), f"that the condition is {so}")
        elif op == "<->":
            yield from self.equivalent(node, known, what)
        elif op == "one_of" and self.subject:
            yield from one_of(of[0], of[1], known.given, self.work)
        elif op == "not":
            yield from self.denied(of[0], known)
        else:
            yield from self.holds(node, known, what)

    def all(self, parts: Sequence[Node], known: Known, what: str) -> Steps:
        """Obligations: each part follows; those of an answer by cases are in the order of its cases."""
        by_cases = self.subject is not None and self.case is None and not self.values
        if self.subject is not None and by_cases:
            yield from self.subject.prepared(known.given)
        for n, part in enumerate(parts):
            if self.subject is not None and by_cases:
                self.case = self.subject.cases[n] if n < len(self.subject.cases) else _NOBODY
            least = self.values and n > 0 and type(part) is tuple and part[0] == "all"
            yield from self.shown(part, known, "that no smaller values refute the claim" if least else what)
        self.case = None if by_cases else self.case

    def formula(self, claim: Tree, known: Known, what: str) -> Steps:
        """Obligation: a formula of integers; or without it, an instance of what is assumed fails."""
        if not known.nodes:
            yield Obligation(what, put(claim, self.at), known.given)
            return
        if self.subject is not None and known.nodes == (self.subject.node,):
            yield from self.subject.needed(put(claim, {}), known.given, self.case or _NOBODY)
            return
        instances = [one for node in known.nodes for one in _instances(node, self.evidence, self.work)]
        failing = [both([*given, ("not", says)]) for given, says in instances]
        yield Obligation(what, ("or", False, *failing), [*known.given, ("not", claim)], refutes=False)

    def equivalent(self, node: Node, known: Known, what: str) -> Steps:
        """Obligations: two statements imply each other; or a formula holds just where there is an answer."""
        _, one, other = node
        if self.subject is None:
            yield from self.shown(("->", other, one), known, what)
            yield from self.shown(("->", one, other), known, what)
            return
        if self.case is None:  # a guard: its cases are the evidence
            parts = ("and", *parts_of(self.subject.asked, self.subject.told))
            yield from without_refuting(self.shown(parts, known, what))
        yield from without_refuting(self.subject.nowhere(known.given))
        yield from equivalent(one if is_formula(one) else other, self.subject, known.given)

    def denied(self, node: Node, known: Known) -> Steps:
        """Obligations: something does not hold."""
        if self.subject is None:
            yield from none(node[1].views, self.work)
        elif node[0] == "leaves":
            yield from self.subject.leaves(False, known.given)
        elif self.values:
            yield from none_at(self.subject, self.at)
        else:
            yield from self.subject.needed(False, known.given, self.case or _NOBODY)

    def holds(self, node: Node, known: Known, what: str) -> Steps:
        """Obligations: something holds of views, layouts or programs."""
        op, *of = node
        if op == "shows":
            yield from shown(of[0], known.given, self.work, not self.values)
        elif op == "apart":
            yield from apart(of[0], self.at, of[1], self.work)
        elif op == "same":
            place = Place([] if of[2] is None else [before(of[2])])
            yield from agree(of[0].views, of[1].views, self.work, place)
        elif op == "differ":
            yield from differ(of[0], of[1], of[2], of[3], self.work)
        elif op == "breaks":
            yield from breaks([v.put(self.at) for v in of[0].views], of[1], self.work)
        elif op == "leaves" and self.subject:
            yield from self.subject.leaves(True, known.given)
        elif self.values and self.subject:
            yield Obligation("that there is an answer there", self.subject.why_not(self.at) is None)
        elif self.subject:
            yield from self.subject.enough(known.given, self.case or self.subject.only(of[-1]))
        else:
            yield Obligation(what, None)


def _instances(node: Node, evidence: Object, work: Work) -> Iterator[tuple[list[Tree], Tree]]:
    """The assumptions and the claim of a statement for all integers, at the witnesses."""
    about, body = (node[1], node[2]) if node[0] == "all" else ((), node)
    given, claim = body[1:] if body[0] == "given" else ((), body)
    witnesses = some(evidence, "witnesses", _witness)
    if any(n not in about for w in witnesses for n in w):
        raise BadCertificate("a witness has values for what the condition is about, or for what is not a name")
    work.keep(len(witnesses) * weight(claim, *given))
    for at in witnesses:
        yield [instance(f, at, work) for f in given], instance(claim, at, work)


def _witness(given: object) -> dict[str, Tree]:
    return {n: expression(x) for n, x in checked(given, dict, "a witness").items()}


def _at(node: Node) -> bool:
    """Whether the statement is about values."""
    return type(node) is tuple and (node[0] == "at" or (node[0] == "and" and any(map(_at, node[1:]))))


def _assumed(node: Node) -> list[Tree]:
    """The formulas that a statement assumes, under its binders; of an answer by cases, those of all cases."""
    op, *parts = node if type(node) is tuple else (node,)
    if op == "given":
        return [*[f for f in parts[0] if is_formula(f)], *_assumed(parts[1])]
    if op == "all":
        return _assumed(parts[1])
    return [f for part in parts for f in _assumed(part)] if op in ("->", "<->") else []
