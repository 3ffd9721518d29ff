"""Theorems that rest on others: claims proved by lemmas, and claims about folds, proved by induction along a list.

Each lemma is a theorem; those about one list are one theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from symview.rocq.book import NEAR, Book
from symview.rocq.printed import Fold
from symview.rocq.proofs import bridges, by_lemma, each, put_raw
from symview.trusted.document import Object, expression, get, listed, some
from symview.trusted.formulas import Tree, Trees, names, put
from symview.verify.meaning import along, stated
from symview.verify.nodes import Along, Node, both, meant

Used = list[tuple["Part", dict[str, Tree]]]  # lemmas, with expressions for their names


class Part:
    """A theorem: its lemmas, and the list that it is about."""

    def __init__(self, number: int, of: Object, by: Used, along: Along | None) -> None:
        self.number, self.by, self.along = number, by, along
        self.claim, *self.assume = stated(of)
        self.needs = meant(*self.assume, then=[self.claim])
        self.says = ("->", ("and", True, *self.needs), self.claim)  # as the checker has it
        folds = {*along.folds} if along else set[str]()
        self.moving = [a for a in self.assume if folds & {*names(a)}]  # induction proves these, too
        self.given = [a for a in self.assume if a not in self.moving]
        self.whole = both([self.claim, *self.moving])

    def parts(self) -> Iterator[Part]:
        """The theorem, and all theorems that it rests on."""
        yield self
        for part, _ in self.by:
            yield from part.parts()


def _read(of: Object, evidence: Object, lists: Sequence[Along], numbers: Iterator[int]) -> Part:
    """A theorem with the theorems that it rests on, numbered."""
    number, by = next(numbers), Used()
    if lists and "by" not in evidence:
        return Part(number, of, [], lists[0])
    for one in some(evidence, "by", lambda x: x):
        lemma, at = get(one, "lemma", dict), {n: expression(x) for n, x in get(one, "at", dict).items()}
        by.append((_read(lemma, lemma, [along(lemma)] if "folds" in lemma else [], numbers), at))
    return Part(number, of, by, None)


class _List(Fold):
    """A list, and what is claimed of its folds."""

    def __init__(self, book: Book, one: Along, parts: Sequence[Part]) -> None:
        super().__init__(book.printer, one)
        self.parts = [*{p.number: p for p in parts if p.along and {*p.along.folds} <= {*one.folds}}.values()]
        told = [n for n in one.names() if n in one.fixed]
        about = names(*[f for p in self.parts for f in (p.claim, *p.assume)])
        self.fixed = [n for n in dict.fromkeys((*told, *about)) if n not in one.folds]

    def pattern(self) -> str:
        """A pattern for the claims."""
        told = [f"s'{p.number}" for p in self.parts]
        return f"({' & '.join(told)})" if len(told) > 1 else told[0]

    def taken(self, name: str, shown: str) -> str:
        """The tactics that take a list from the goal, and apply a theorem to it."""
        at = " ".join([*[self.text.names[n] for n in self.fixed], name, "along'"])
        row = self.row(self.folds, "[")
        as_names = f"destruct ({self.folded(name)}) as {row}" if len(self.folds) > 1 else (
            f"cbv zeta; generalize ({self.folded(name)}); intros {row}")  # fmt: skip
        taken = f"intros {name} along'; generalize ({shown} {at}); {as_names}"
        return f"{taken}; cbv beta iota; intros {self.pattern()}; clear along'."


class Theorems:
    """Writes the theorems of a certificate, each after those that it rests on."""

    def __init__(self, book: Book) -> None:
        self.book, self.printer, self.text = book, book.printer, list[str]()
        self.named = dict[str, str]()  # by their statements

    def main(self, statement: Node, claim: Object, evidence: Object) -> str:
        """The theorem that states this, after its lemmas, is called main; raises Open if it is not proved."""
        lists = listed(claim, "lists", along) if "lists" in claim else []
        part, about = _read(claim, evidence, lists, count(1)), statement[1] if statement[0] == "all" else ()
        self._written("main", self.printer.formula(statement), *self._proof(part, about, lists))
        return "\n".join(self.text)

    def _written(self, name: str, says: str, *proof: str) -> str:
        """Adds a theorem, unless an earlier one has the same statement; returns its name."""
        if not name and says in self.named:
            return self.named[says]
        name = self.named[says] = name or f"shown_{len(self.text) + 1}"
        self.text.append("\n".join([f"Theorem {name} : {says}.", "Proof.", *filter(None, proof), "Qed."]))
        return name

    def _of_list(self, fold: _List) -> str:
        """Proves the claims about the folds of every list, by induction."""
        parts, printer = fold.parts, self.printer
        bodies = [self.book.statement([], p.given, p.whole) for p in parts]
        body = bodies[0] if len(bodies) == 1 else " /\\ ".join(f"({b})" for b in bodies)
        steps = [f"{_taken(p.given)} {self._stepped(p, fold)}" for p in parts]
        bases = [f"{_taken(p.given)} {self._by(put_raw(p.whole, fold.firsts), p.given)}" for p in parts]
        unpacked = f"{fold.row(fold.folds, '[')} {fold.row(fold.own, '[') if fold.own else '[]'}"
        names_of = " ".join(printer.names[n] for n in fold.fixed)
        return self._written(
            "", f"{printer.binder(fold.fixed)}{fold.head('l_1')} {body}", f"intros {names_of}." * bool(fold.fixed),
            "intros l_1 along'.",
            f"refine (sv_fold {fold.step} {fold.meets} {fold.function(body)} _ l_1 _ _ along').",
            f"{{ intros {unpacked} ok' inv'; cbv beta iota in *; revert inv'; intros {fold.pattern()}; sv_parts.",
            each(steps), "}", f"{{ cbv beta iota. {each(bases)} }}",
        )  # fmt: skip

    def _stepped(self, part: Part, fold: _List) -> str:
        """Proves that a claim about the folds carries over to one more element."""
        assumed = " ltac:(assumption)" * len(part.given)
        known = f"pose proof (s'{part.number}{assumed}) as w'; sv_parts. " if assumed else ""
        each = [*(part.along.each if part.along else ())]
        return f"{known}{self._by(put_raw(part.whole, fold.nexts), [*part.given, *each, part.whole])}"

    def _proof(self, part: Part, about: Sequence[str], of: Sequence[Along]) -> Iterator[str]:
        """Proves a claim by its lemmas, for all lists in them."""
        folds = [_List(self.book, x, [*part.parts()]) for x in of]
        moved, told = {n for f in folds for n in f.folds}, " ".join(self.printer.names[n] for n in about)
        used = [put(p.says, at) for q in part.parts() if not q.along for p, at in q.by]
        others = [n for n in names(*used, *[n for f in folds for n in f.fixed]) if n not in {*about, *moved}]
        yield f"intros {told}." if told else ""
        for n in others:  # names that the claim does not have
            yield f"assert ({self.printer.names[n]} : Z) by exact 0."
        for k, fold in enumerate(folds, 1):
            yield fold.taken(f"l_{k}", self._of_list(fold))
        yield _taken(part.needs)
        if part.along is not None:
            yield from self._instance_of_list(part)
            return
        yield from self._lemmas(part)
        yield self._by(part.claim, [*part.needs, *[put(p.says, at) for p, at in part.by]], *part.needs)

    def _instance_of_list(self, part: Part) -> Iterator[str]:
        """The tactics that use what is proved of the folds at the end of a list."""
        yield from bridges(self.printer, part.whole, *part.given)
        told = f"refine ({'proj1 ' * bool(part.moving)}(s'{part.number}{' _' * len(part.given)})); "
        yield f"{told * bool(part.given)}{NEAR}."

    def _lemmas(self, part: Part) -> Iterator[str]:
        """The tactics that assert that everything is defined, and the lemmas."""
        for k, f in enumerate(f for f in part.needs if f not in part.assume):
            yield f"assert (d'{part.number}'{k} : {self.printer.formula(put(f, {}))}) by sv_side."
        for k, (lemma, at) in enumerate(part.by):
            if lemma.along is not None:
                way = [*self._instance_of_list(lemma)]
            elif any(p.along for p in lemma.parts()):
                yield from self._lemmas(lemma)
                known = [put(p.says, values) for p, values in lemma.by]
                way = [self._by(lemma.claim, [*lemma.needs, *known], *lemma.assume)]
            else:
                before = " ".join(f"l'{part.number}'{n}" for n in range(k))
                way = [f"clear {before}."] if before else []
                way += self._instance(lemma, at)
            says = self.printer.formula(put(lemma.says, at))
            yield f"assert (l'{part.number}'{k} : {says}). {{ intros c'; sv_parts. {' '.join(way)} }}"

    def _instance(self, lemma: Part, at: Trees) -> Iterator[str]:
        """Writes a lemma about integers; the tactics that substitute expressions for its names."""
        about = [*names(lemma.claim, *lemma.assume)]
        says, proof = self.book.statement(about, lemma.needs, lemma.claim), self._proof(lemma, about, ())
        values = "".join(f" {self.printer.integer(at.get(n, n))}" for n in about)
        yield f"pose proof ({self._written('', says, *proof)}{values}) as t'."
        yield from bridges(self.printer, *[put_raw(f, at) for f in (lemma.claim, *lemma.needs)])
        yield f"refine (t'{' _' * len(lemma.needs)}); {NEAR}."

    def _by(self, claim: Tree, given: Sequence[Tree], *printed: Tree) -> str:
        """The tactics that prove a goal by the lemma of an obligation."""
        return " ".join(by_lemma(self.book, claim, given, *printed))


def _taken(given: Sequence[Tree]) -> str:
    """The tactic that takes assumptions from the goal."""
    return f"intros {' '.join(f'a{chr(39)}{n}' for n in range(len(given)))}." if given else ""
