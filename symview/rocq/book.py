"""Lemmas, each with a proof that Rocq checks; claims without a proof are listed, never assumed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, islice
from math import prod
from typing import Any, NamedTuple

from symview.logic.budget import Budget
from symview.proof.refutations import refutation
from symview.rocq.printed import Statements
from symview.rocq.refutations import computed
from symview.rocq.terms import Names, Open
from symview.trusted.formulas import Tree, Values, names, put
from symview.trusted.work import ENDLESS, Work
from symview.verify.bounds import bounds
from symview.verify.obligations import Obligation

WORK, MORE = 4_000_000, 30_000_000  # work for a refutation that the certificate lacks: of a lemma, of a statement
NEAR = "first [assumption | sv_side]"  # proves what a lemma assumes
TRIED, MANY = 1000, 200_000  # values at which a claim is tried first; points of a box that is computed


class Lemma(NamedTuple):
    """A lemma: its number and its statement."""

    number: int
    about: tuple[str, ...]
    given: int
    claim: Tree


class Book:
    """The lemmas of one certificate, in order; `searched` counts those whose proof Rocq has to search for."""

    def __init__(self, work: int = WORK) -> None:
        self.names = Names()
        self.printer = Statements(self.names)
        self.text, self.searched = list[str](), 0
        self.library, self.budget = {"Definitions", "Symview", "Steps"}, Budget(work=work)
        self.count, self.known, self.counts = 0, dict[Any, Lemma](), Counter[str]()
        self.effort = Work()  # work of reading the certificate, as the checker counts it
        self.left = list[str]()  # what of the statement is not proved
        self.refuted = dict[Any, tuple[list[Tree], Any]]()  # what refutations of the certificate refute

    def name(self, prefix: str) -> str:
        """A new identifier that begins so."""
        self.counts[prefix] += 1
        return f"{prefix}{self.counts[prefix]}"

    def leave(self, why: str) -> None:
        """Notes that a part of the statement is not proved."""
        self.left += [why] if why not in self.left else []

    def refute(self, obligation: Obligation, steps: Any) -> None:
        """Notes a refutation of the certificate."""
        formulas = [f for f in obligation.denied() if f is not True]
        self.refuted[_key(formulas)] = formulas, steps

    def lemma(self, claim: Tree, given: Iterable[Tree], what: str, search: bool = True) -> Lemma:
        """A lemma for all integers: if all of `given` hold, so does the claim. Raises Open if there is no proof."""
        asked = Obligation(what, claim, [g for g in dict.fromkeys(given) if put(g, {}) is not True])
        key = (claim, tuple(asked.given))
        if key not in self.known:
            self.known[key] = self._lemma(asked, search)
        return self.known[key]

    def _lemma(self, asked: Obligation, search: bool) -> Lemma:
        formulas = [f for f in asked.denied() if f is not True]
        formulas, steps = self.refuted.get(_key(formulas), (formulas, None))
        *given, denied = formulas or [False]
        claim = _opposite(denied)
        if (claim is False and not given) or next(failures(asked), None) is not None:
            raise Open(f"{asked.what}: it is false")
        about = tuple(names(*given, claim))
        if (proof := self._proof(given, claim, about, steps, search)) is None:
            raise Open(asked.what)
        self.count += 1
        head = f"Lemma lemma_{self.count} : {self.statement(about, given, claim)}."
        self.text.append("\n".join([*proof[:-1], head, proof[-1]]))
        return Lemma(self.count, about, len(given), claim)

    def statement(self, about: Sequence[str], given: Sequence[Tree], claim: Tree) -> str:
        """`forall x y : Z, given -> claim`."""
        parts = [*map(self.printer.premise, given), self.printer.formula(claim)]
        return f"{self.printer.binder(about)}{' -> '.join(parts)}"

    def _proof(
        self, given: list[Tree], claim: Tree, about: Sequence[str], steps: Any, search: bool
    ) -> list[str] | None:
        """The first method that finds a proof: the definitions that it needs, and the proof."""
        if claim is True:
            return ["Proof. intros; exact I. Qed."]
        own = {n: self.names[n] for n in about}
        found = self._refuted(given, claim, own, steps) or self._computed(given, claim, about)
        return found or self._found(given, claim, about) or (self._searched() if search else None)

    def _refuted(self, given: Sequence[Tree], claim: Tree, about: Mapping[str, str], steps: Any) -> list[str] | None:
        """A proof by a refutation, which Rocq checks by computation; `about` are the names, with their identifiers."""
        found = None if steps is None else computed([*about], given, claim, steps)
        if found is None:
            return None
        self.library.add("Checker")
        return found.proof(f"lemma_{self.count + 1}", about.values())

    def _found(self, given: Sequence[Tree], claim: Tree, about: Sequence[str]) -> list[str] | None:
        """A proof by a new refutation, absent from the certificate, without the checker's own names such as #0."""
        own = [n for n in about if n[:1] == "#"]
        plain = {n: next(x for x in (f"i{k}_{n[1:]}" for k in count()) if x not in about) for n in own}
        *known, says = (put(f, plain) for f in (*given, claim))
        steps = refutation([*known, ("not", says)], self.budget.started())
        return self._refuted(known, says, {plain.get(n, n): self.names[n] for n in about}, steps)

    def _computed(self, given: Sequence[Tree], claim: Tree, about: Sequence[str]) -> list[str] | None:
        """A proof by trying every point of a box."""
        ends = _box(given, names(claim))
        if ends is None or prod(max(0, high - low) for low, high in ends.values()) > MANY:
            return None
        formula = ("->", ("and", True, *[f for f in given if set(names(f)) <= set(ends)]), claim)
        goal, valueless, work = Obligation("", formula, (), ends), list[Values](), Work(ENDLESS)
        if next(goal.failures(goal.box({}, work=work), valueless, work), None) is not None or valueless:
            return None
        text = self.printer.test(formula)
        for n, (low, high) in reversed(ends.items()):
            span = f"{self.printer.integer(low)} {self.printer.integer(high)}"
            text = f"forallb (fun {self.names[n]} => {text}) (sv_range {span})"
        taken = " ".join([*[self.names[n] for n in about], *[f"a'{k}" for k in range(len(given))]])
        lines = [f"Proof. assert (c'0 : {text} = true) by (vm_cast_no_check (eq_refl true)).", f"intros {taken}."]
        for k, n in enumerate(ends):
            at = f"sv_everywhere _ _ _ c'{k} {self.names[n]} ltac:(lia)"
            lines.append(f"pose proof ({at}) as c'{k + 1}; clear c'{k}; cbv beta in c'{k + 1}.")
        return ["\n".join([*lines, "lia. Qed."])]

    def _searched(self) -> list[str]:
        """A proof by Rocq's own search."""
        self.searched += 1
        self.library.add("Solve")
        return ["Proof. symview_solve. Qed."]

    def use(self, lemma: Lemma, at: Mapping[str, Tree] | None = None) -> str:
        """The tactic that applies a lemma, with expressions for its names."""
        values = "".join(f" {self.printer.integer((at or {}).get(n, n))}" for n in lemma.about)
        return f"refine (lemma_{lemma.number}{values}{' _' * lemma.given}); {NEAR}"

    def shown(self, lemma: Lemma) -> str:
        """The tactics that prove a goal which says the same as a lemma in other words."""
        used = self.use(lemma)
        return f"first [{used} | assert (t' : {self.printer.formula(lemma.claim)}) by ({used}); sv_side]"


def failures(asked: Obligation) -> Iterator[Values]:
    """Values at which a claim fails, of those that the checker tries."""
    points, whole = asked.points(work := Work())
    return asked.failures(points if whole else islice(points, TRIED), [], work)


def _box(given: Sequence[Tree], about: Iterable[str]) -> dict[str, tuple[int, int]] | None:
    """The range of each name, with the upper end excluded; None if one of `about` has no bounds."""
    known = bounds(given, {}).items()
    ends = {n: (low, high + 1) for n, (low, high) in known if low is not None and high is not None}
    return ends if ends and set(about) <= set(ends) else None


def _key(formulas: Sequence[Tree]) -> Any:
    """The same for the same claim from the same assumptions."""
    return frozenset(formulas[:-1]), tuple(formulas[-1:])


def _opposite(denied: Tree) -> Tree:
    if type(denied) is bool:
        return not denied
    return denied[1] if denied[0] == "not" else ("not", denied)
