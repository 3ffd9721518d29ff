"""Rules for answers by cases: each case is sufficient and necessary, the cases cover all values, and guards agree.

The subject of the cases knows when an answer is right, and why there is none at some values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import combinations
from typing import Any, NamedTuple

from symview.trusted.document import BadCertificate, Object, checked, expression, listed, some
from symview.trusted.formulas import Ranges, Tree, Trees, Values, degree, linear, made, names, put, truth, weight
from symview.trusted.work import Work
from symview.verify.meaning import Case, asked, cases_of
from symview.verify.obligations import Ask, Known, Obligation, Steps, values_text

ROUNDS = 40  # how often values are sought, each of which adds a lemma


class Place(NamedTuple):
    """The assumptions under which an answer is claimed; free names occur only in addresses, and linearly."""

    known: Sequence[Tree] = ()
    free: Sequence[str] = ()

    def where(self, *more: Tree) -> Place:
        """The place with more assumptions."""
        fixed = names(*more)
        return Place([*self.known, *more], [n for n in self.free if n not in fixed])

    def equal(
        self, what: str, one: Tree, other: Tree, also: Tree, valid: Tree, ranges: Ranges, lets: Trees, work: Work
    ) -> Steps:
        """Obligations: two addresses are the same where they are valid, and `also` holds, at all indices.

        Their difference, minus multiples of the equations, has coefficients 0. If that fails, it becomes an obligation.
        """
        known = self.known
        work.spend((1 + len(self.free)) * weight(one, other, *known))
        apart, found = linear(made("-", one, other), self.free), None
        if self.free:
            zeros = [f for f in known if type(f) is tuple and f[0] == "=="]
            short, leads = dict(lets), list[str]()
            for number, e in enumerate(f for f in zeros if degree(("+", *f[1:]), self.free) < 2):
                work.keep(20 * (len(self.free) + 1))
                form = linear(("-", *e[1:]), self.free)
                lead = next((n for n in self.free if n not in leads and type(form.get(n)) is int and form[n]
                             and n in apart), "")  # fmt: skip
                if lead:  # the equation eliminates this name
                    leads.append(lead)
                    rest = {n: made("-", made("*", form[lead], apart.get(n, 0)), made("*", apart[lead], form.get(n, 0)))
                            for n in dict.fromkeys((*apart, *form))}  # fmt: skip
                    short |= {f"#d{number}.{n}": x for n, x in rest.items()}
                    apart = {n: f"#d{number}.{n}" for n, x in rest.items() if x != 0}
            zero = ("->", valid, ("and", True, *[("==", x, 0) for x in apart.values()]))
            given = [f for f in known if not degree(f, self.free)]
            goal = Obligation(what, ("and", also, zero), given, ranges, short, refutes=False)
            found = yield Ask(goal)
            if found is None:
                yield goal
                return
        goal = Obligation(what, ("and", also, ("->", valid, ("==", one, other))), known, ranges, lets)
        if found is not None:
            here = [("==", n, x) for n, x in found.items() if n[:1] != "#" or n in ranges]
            near = goal._replace(given=[*known, *[f for f in here if f[1] not in self.free]])
            if (yield Ask(near)) is not None:
                goal = near
        yield goal


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
        what = f"that equations of {case.status} are necessary"
        yield from self.forced(what, claim, known)

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
