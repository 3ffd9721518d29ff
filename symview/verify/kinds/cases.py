"""Answers by cases: each case is sufficient and necessary, the cases cover all values, and guards agree with them.

The subject of the cases defines what an answer is, when it is right, and why there is none at some values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from symview.trusted.document import BadCertificate, Object, entry, formula, get, listed, maybe, values
from symview.trusted.formulas import (
    Ranges,
    Tree,
    Trees,
    Values,
    defined,
    degree,
    linear,
    made,
    names,
    put,
    truth,
    weight,
)
from symview.trusted.work import Work
from symview.verify.obligations import Known, Obligation, Steps, some, values_text

ROUNDS = 40  # how often values are sought, each of which adds a lemma
STATUSES = ("always", "when", "never", "undecided")


class Case(NamedTuple):
    """A claim for values with `where`: `found` is the answer if the equations hold; `indices` are the evidence."""

    where: Tree
    status: str
    equations: list[Tree]
    found: Any
    indices: Sequence[tuple[Tree, ...]]

    @property
    def place(self) -> Tree:
        """The formula under which the answer is claimed."""
        return ("and", self.where, *self.equations)

    @property
    def needs(self) -> Tree:
        """The formula that is necessary for an answer in this case, by its claim."""
        return ("and", *self.equations) if self.status == "when" else False


class Place(NamedTuple):
    """The assumptions under which an answer is claimed; free names occur only in addresses, and linearly."""

    given: Sequence[Tree] = ()
    equations: Sequence[Tree] = ()
    free: Sequence[str] = ()

    @property
    def known(self) -> list[Tree]:
        """All assumptions."""
        return [*self.given, *self.equations]

    def where(self, *more: Tree) -> Place:
        """The place with more assumptions."""
        fixed = names(*more)
        return self._replace(given=[*self.given, *more], free=[n for n in self.free if n not in fixed])

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
            lets, leads = dict(lets), list[str]()
            for number, e in enumerate(f for f in zeros if degree(("+", *f[1:]), self.free) < 2):
                work.keep(20 * (len(self.free) + 1))
                form = linear(("-", *e[1:]), self.free)
                lead = next((n for n in self.free if n not in leads and type(form.get(n)) is int and form[n]
                             and n in apart), "")  # fmt: skip
                if lead:  # the equation eliminates this name
                    leads.append(lead)
                    rest = {n: made("-", made("*", form[lead], apart.get(n, 0)), made("*", apart[lead], form.get(n, 0)))
                            for n in dict.fromkeys((*apart, *form))}  # fmt: skip
                    lets |= {f"#d{number}.{n}": x for n, x in rest.items()}
                    apart = {n: f"#d{number}.{n}" for n, x in rest.items() if x != 0}
            zero = ("->", valid, ("and", True, *[("==", x, 0) for x in apart.values()]))
            given = [f for f in known if not degree(f, self.free)]
            found = yield Obligation(what, ("and", also, zero), given, ranges, lets, doubt=True)
            if found is None:
                return
        claim = ("and", also, ("->", valid, ("==", one, other)))
        if found is not None:
            here = [("==", n, x) for n, x in found.items() if n[:1] != "#" or n in ranges]
            here = [f for f in here if f[1] not in self.free]
            if (yield Obligation(what, claim, [*known, *here], ranges, lets)) is not None:
                return
        yield Obligation(what, claim, known, ranges, lets)


class Subject:
    """The subject of cases."""

    statuses: Sequence[str] = STATUSES

    def __init__(self, question: Object, cases: Sequence[Any], work: Work | None = None) -> None:
        self.work = work or Work()
        self.facts = listed(question, "facts", formula)
        self.read(question)
        self.names = [*names(*self.trees)]
        self.cases = [self._case(c) for c in cases]
        strange = {n for c in self.cases for n in names(c.where, *c.equations, *self.entries(c.found), *self.facts,
                                                        *[x for i in c.indices for x in i])}  # fmt: skip
        if strange - set(self.names):
            raise BadCertificate("what is in a case has strange names")

    trees: Sequence[Tree]

    def read(self, question: Object) -> None:
        """Records the question and its expressions."""
        raise NotImplementedError

    def answer(self, given: Object) -> Any:
        """The answer of a case; None if it has none."""
        raise NotImplementedError

    def entries(self, found: Any) -> Sequence[Tree]:
        """The expressions of an answer."""
        return ()

    def covered(self) -> Steps:
        """Obligations: the cases cover all values, and no two cases with different statuses meet."""
        wheres = [c.where for c in self.cases]
        self.work.keep(len(wheres) ** 2)
        pairs = [p for p in combinations(self.cases, 2) if {c.status for c in p} != {"always", "never"}]
        twice = [("and", a.where, b.where) for a, b in pairs]
        yield Obligation("that the cases cover all values", ("or", False, *wheres), self.facts)
        yield Obligation("that no two cases overlap", ("not", ("or", False, *twice)), self.facts)

    def enough(self, case: Case) -> Steps:
        """Obligations: the answer is right wherever it is claimed."""
        raise NotImplementedError

    def needed(self, case: Case) -> Steps:
        """Obligations: there is no answer elsewhere in the case."""
        yield from self.forced(f"that equations of {case.status} are necessary", case.needs, [*self.facts, case.where])

    def why_not(self, at: Values, outside: bool = False) -> Known | None:
        """A formula that holds wherever there is an answer, but not at these values; None if there is an answer here.
        Raises ArithmeticError if that takes too much work.
        """
        raise NotImplementedError

    def breaks(self, at: Values, answer: Object) -> Steps:
        """Obligations: the index in the answer, if present, shows why there is no answer at these values."""
        yield from ()

    def _case(self, given: Object) -> Case:
        status, equations, found = get(given, "status", str), listed(given, "equations", formula), self.answer(given)
        fits = {"always": found is not None and not equations, "when": found is not None and equations,
                "undecided": True}.get(status, found is None and not equations)  # fmt: skip
        if status not in self.statuses or not fits or any(type(e) is not tuple or e[0] != "==" for e in equations):
            raise BadCertificate(f"a case of status {status[:20]!r} with such an answer and such equations")
        indices: list[Any] = []
        if "indices" in given:
            indices = listed(given, "indices", lambda i: tuple(listed({"index": i}, "index", entry)))
        return Case(formula(given.get("where")), status, equations, found, indices)

    def steps(self) -> Steps:
        """The obligations of the cases."""
        yield from self.covered()
        for c in self.cases:
            if c.found is not None:
                yield from self.enough(c)
            if c.status == "undecided":
                yield Obligation("an undecided case", None)
            elif c.status != "always":
                yield from self.needed(c)
        yield some("no values meet the facts", *defined(*self.trees), *self.facts)

    def whole(self, says: Tree) -> Obligation:
        """The obligation that a formula holds exactly where the cases claim an answer."""
        parts = [c.place for c in self.cases if c.status in ("always", "when")]
        open_ = any(c.status == "undecided" for c in self.cases)
        what = "that the condition or guard is equivalent to the cases"
        return Obligation(what, None if open_ else ("<->", says, ("or", False, *parts)), self.facts)

    def forced(self, what: str, claim: Tree, given: Sequence[Tree], lemmas: Sequence[Known] = (),
               more: Sequence[Known] = (), outside: bool = False) -> Steps:  # fmt: skip
        """Obligations: the claim holds wherever there is an answer; values at which it fails yield lemmas against them.

        `more` are formulas that hold wherever there is an answer; those that fail at these values are used.
        """
        lemmas = [*lemmas]
        for _ in range(ROUNDS):
            lets = {n: t for some, _ in lemmas for n, t in some.items()}
            found = yield Obligation(what, claim, [*given, *[f for _, f in lemmas]], {}, lets, doubt=True)
            if found is None:
                return
            at = {n: found.get(n, 0) for n in self.names}
            if failing := [k for k in more if [*Obligation("", k[1], (), {}, k[0]).failures([{**at}], [], self.work)]]:
                lemmas += failing[: len(claim) - 1 if claim else 1]
                continue
            try:
                lemma = self.why_not(at, outside)
            except ArithmeticError:
                break
            yield Obligation(f"{what}: not so at {values_text(at)}", lemma is not None)
            lemmas += [] if lemma is None else [lemma]
        yield Obligation(what, None)


def of_cases(subject: type[Subject]) -> Any:
    """The obligations of conditions; `clauses` are equivalent to the cases."""

    def steps(question: Object, answer: Object, work: Work) -> Steps:
        claims = subject(question, get(answer, "cases", list), work)
        yield from claims.steps()
        if maybe(answer, "clauses", list) is not None:
            yield claims.whole(("and", True, *listed(answer, "clauses", formula)))

    return steps


def of_guard(subjects: Mapping[str, type[Subject]], question: Object, answer: Object, work: Work) -> Steps:
    """Obligations: the guard is exact, or too strong or too weak at the given values."""
    verdict, guard = get(answer, "verdict", str), formula(question.get("guard"))
    subject = next((kind for key, kind in subjects.items() if key in question), None)
    if subject is None:
        raise BadCertificate("a guard without a question")
    if verdict == "exact":
        claims = subject(question, get(answer, "cases", list), work)
        yield from claims.steps()
        yield claims.whole(guard)
        return
    claims, at, weak = subject(question, [], work), values(answer, "values"), verdict == "too weak"
    known = {*claims.names, *names(guard, *claims.facts)} == set(at)
    yield Obligation("that verdict and names of values are known", verdict in ("too strong", "too weak") and known)
    there = [put(f, at) for f in (*defined(*claims.trees, *claims.facts), *claims.facts)]
    yield Obligation("that everything is defined there, and the facts hold", made("and", True, *there))
    try:
        yield Obligation(f"that the guard is {verdict} there", truth(guard, at) == weak)
        yield Obligation("that the guard is wrong there", (claims.why_not(at) is None) != weak)
        yield from claims.breaks(at, answer)
    except ArithmeticError as error:
        yield Obligation(f"that the guard is {verdict} there ({error})", None)
