"""Rules for answers by cases: each case is sufficient and necessary, the cases cover all values, and guards agree.

The subject of the cases knows when an answer is right, and why there is none at some values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any

from symview.trusted.document import BadCertificate, Object, checked, expression, listed, some
from symview.trusted.formulas import Tree, Values, names, put, truth
from symview.trusted.work import Work
from symview.verify.meaning import Case, asked, cases_of
from symview.verify.obligations import Ask, Known, Obligation, Steps, values_text

ROUNDS = 40  # how often values are sought, each of which adds a lemma


class Subject:
    """What an answer by cases is about: its question, without what is evidence, and the cases."""

    def __init__(self, claim: Object, evidence: Object, work: Work | None = None) -> None:
        self.work, self.asked, self.kind = work or Work(), asked(claim), claim["kind"]
        self.node, self.facts, self.names = self.asked.node, self.asked.facts, [*self.asked.names]
        self.read(evidence)
        of, hints = evidence if self.kind == "guard" else claim, self.hints(evidence)
        given = [] if self.kind in ("merge", "layout") else some(of, "cases", lambda c: c)
        self.told = cases_of(self.asked, given)
        self.more = [*hints, *[()] * (len(self.told) - len(hints))]
        self.cases = [c._replace(found=self.answer(c), hints=self.more[n]) for n, c in enumerate(self.told)]

    def only(self, found: Any) -> Case:
        """The case of an answer without cases, which has the evidence of one."""
        case = Case(True, "always", [], found)
        return case._replace(found=self.answer(case), hints=self.more[0] if self.more else ())

    def read(self, evidence: Object) -> None:
        """Computes what is asked about, and reads evidence."""
        raise NotImplementedError

    def hints(self, evidence: Object) -> list[Any]:
        """Evidence for each case: indices that show what is claimed, or help to."""
        found = some(evidence, "indices", lambda rows: [row(i) for i in checked(rows, list, "the indices of a case")])
        self.own(x for rows in found for i in rows for x in i)
        return found

    def own(self, entries: Iterable[Tree]) -> None:
        """Raises BadCertificate unless the question has all names in evidence."""
        if {*names(*entries)} - {*self.names}:
            raise BadCertificate("what is in a case has strange names")

    def answer(self, case: Case) -> Any:
        """The answer of a case, computed."""
        return case.found

    def prepared(self, given: Sequence[Tree]) -> Steps:
        """Obligations: the evidence in the question is right."""
        yield from ()

    def enough(self, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: the answer is right wherever this is known."""
        raise NotImplementedError

    def needed(self, claim: Tree, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: the claim holds wherever there is an answer, and this is known."""
        raise NotImplementedError

    def leaves(self, so: bool, known: Sequence[Tree]) -> Steps:
        """Obligations: at some index a view leads out of the one before, or at none."""
        raise NotImplementedError

    def nowhere(self, known: Sequence[Tree]) -> Steps:
        """Obligations: there is no answer in the cases that are out of bounds."""
        yield from ()

    def why_not(self, at: Values, outside: bool = False) -> Known | None:
        """A formula that holds wherever there is an answer, but not at these values; None if there is an answer here.
        Raises ArithmeticError if that takes too much work.
        """
        raise NotImplementedError

    def forced(self, what: str, claim: Tree, given: Sequence[Tree], lemmas: Sequence[Known] = (),
               more: Sequence[Known] = (), outside: bool = False) -> Steps:  # fmt: skip
        """Obligations: the claim holds wherever there is an answer; values at which it fails yield lemmas against them.

        `more` are formulas that hold wherever there is an answer; those that fail at these values are used.
        """
        lemmas = [*lemmas]
        for _ in range(ROUNDS):
            lets = {n: t for some, _ in lemmas for n, t in some.items()}
            goal = Obligation(what, claim, [*given, *[f for _, f in lemmas]], {}, lets, refutes=False)
            found = yield Ask(goal)
            if found is None:
                yield goal
                return
            at = {n: found.get(n, 0) for n in self.names}
            if failing := [k for k in more if [*Obligation("", k[1], (), {}, k[0]).failures([{**at}], [], self.work)]]:
                lemmas += failing[: len(claim) - 1 if claim else 1]
                continue
            try:
                lemma = self.why_not(at, outside)
            except ArithmeticError:
                break
            if lemma is None:
                yield Obligation(f"{what}: not so at {values_text(at)}", False)
                return
            lemmas.append(lemma)
        yield Obligation(what, None)


def row(index: Any) -> tuple[Tree, ...]:
    """An index of the file, computed."""
    return tuple([put(x, {}) for x in listed({"index": index}, "index", expression)])


def equivalent(says: Tree, subject: Subject, given: Sequence[Tree]) -> Steps:
    """Obligation: a formula holds just where the cases have an answer; where it does not, there is none, or one."""
    places = ("or", False, *[c.place for c in subject.cases if c.status in ("always", "when")])
    open_ = any(c.status == "undecided" for c in subject.cases)
    what = "that the condition or guard is equivalent to the cases"
    goal = Obligation(what, None if open_ else put(("<->", says, places), {}), given, refutes=False)
    if not open_ and (found := (yield Ask(goal))) is not None:
        at = {n: found.get(n, 0) for n in subject.names}
        with suppress(ArithmeticError, LookupError):
            if truth(says, {**found, **at}) != (subject.why_not(at) is None):
                goal = Obligation(f"{what}: not so at {values_text(at)}", False)
    yield goal


def without_refuting(steps: Steps) -> Steps:
    """The same obligations, of which none refutes the statement."""
    found: Values | None = None
    while True:
        try:
            one = steps.send(found)
        except StopIteration:
            return
        found = yield one._replace(refutes=False) if isinstance(one, Obligation) and one.refutes else one


def one_of(formulas: Sequence[Tree], words: Sequence[str], given: Sequence[Tree], work: Work) -> Steps:
    """Obligations: the cases cover all values, and no two meet; always and never cannot, as both are shown."""
    work.keep(len(formulas) ** 2)
    wheres = [put(f, {}) for f in formulas]
    pairs = [(a, b) for (a, p), (b, q) in combinations(zip(wheres, words, strict=True), 2)
             if {p, q} != {"always", "never"}]  # fmt: skip
    yield Obligation("that the cases cover all values", ("or", False, *wheres), given)
    yield Obligation("that no two cases overlap", ("not", ("or", False, *[("and", a, b) for a, b in pairs])), given)


def none_at(subject: Subject, at: Values) -> Steps:
    """Obligations: there is no answer at these values, since what follows from one does not hold."""
    if (found := subject.why_not(at)) is None:
        yield Obligation("that there is no answer there", False)
        return
    here = [("==", n, x) for n, x in at.items()]
    yield Obligation("that there is no answer there", ("not", found[1]), here, {}, found[0])
