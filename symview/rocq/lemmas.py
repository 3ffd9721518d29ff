"""Main theorems that rest on others: claims proved by lemmas, and claims about folds, proved by induction along a list.

Each lemma is a theorem; those about one list are one theorem. If a lemma is about a list, the main theorem is about
every list whose elements satisfy `each`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from typing import NamedTuple

from symview.rocq.book import Book, Open, Shown
from symview.rocq.proofs import bridges, put_raw
from symview.rocq.statements import intros
from symview.trusted.document import Object, expression, formula, get, listed
from symview.trusted.formulas import Tree, Trees, names, put
from symview.verify.meaning import along
from symview.verify.nodes import Along, meant

_SIDE = "first [assumption | sv_side]"


def rests(question: Object, answer: Object) -> bool:
    """Whether a theorem is proved by lemmas, or about folds."""
    proved = question.get("claim") is not None and get(answer, "verdict", str) == "proved"
    return proved and ("by" in question or "folds" in question)


def theorem(book: Book, question: Object, answer: Object) -> str:
    """A theorem after its lemmas, or about folds of a list; raises Open if there is none."""
    return _Theorems(book, {}).main(_Reader().read(question))


class Part(NamedTuple):
    """A parsed theorem: its lemmas, each with expressions for its names, and the number of its first obligation."""

    claim: Tree
    assume: list[Tree]
    by: list[tuple[Part, dict[str, Tree]]]
    along: Along | None
    number: int

    @property
    def says(self) -> Tree:
        """The whole statement, as the checker has it."""
        return ("->", ("and", True, *meant(*self.assume, then=[self.claim])), self.claim)

    @property
    def moving(self) -> list[Tree]:
        """The assumptions about folds, which induction proves too."""
        return [a for a in self.assume if self.along and set(names(a)) & set(self.along.folds)]

    @property
    def given(self) -> list[Tree]:
        """The assumptions without folds."""
        return [a for a in self.assume if a not in self.moving]

    @property
    def whole(self) -> Tree:
        """The claim about the folds that induction proves."""
        return ("and", self.claim, *self.moving) if self.moving else self.claim

    def parts(self) -> Iterator[Part]:
        """The theorem, and all theorems that it rests on."""
        yield self
        for part, _ in self.by:
            yield from part.parts()

    def lists(self) -> list[Along]:
        """The lists in it; those with a common fold are one."""
        found = list[Along]()
        for one in (p.along for p in self.parts() if p.along):
            same = [x for x in found if {*x.folds} & {*one.folds}]
            found = [x for x in found if x not in same] + [reduce(Along.merged, same, one)]
        return found


class _Reader:
    """Reads theorems, and counts their obligations as the checker does."""

    def __init__(self) -> None:
        self.count = 0

    def read(self, question: Object) -> Part:
        """A theorem with the theorems that it rests on."""
        claim, assume = formula(question.get("claim")), listed(question, "assume", formula)
        if "folds" in question:
            self.count += 3  # the base, the step, and some element satisfies the assumptions
            return Part(claim, assume, [], along(question), self.count - 3)
        by = listed(question, "by", self._lemma) if "by" in question else []
        self.count += 2  # the claim, and some values satisfy the assumptions
        return Part(claim, assume, by, None, self.count - 2)

    def _lemma(self, one: Object) -> tuple[Part, dict[str, Tree]]:
        return self.read(get(one, "lemma", dict)), {n: expression(x) for n, x in get(one, "at", dict).items()}


class _Fold:
    """A list and its folds, as text of Rocq."""

    def __init__(self, book: Book, along: Along) -> None:
        self.book, self.folds = book, along.folds
        firsts, nexts = ([p[k] for p in along.folds.values()] for k in (0, 1))
        each = [*dict.fromkeys(along.each)]
        mentioned = names(*firsts, *nexts, *each)
        self.own = [n for n in mentioned if n in along.own]
        self.told = [n for n in mentioned if n in along.fixed]
        self.fixed = [*self.told, *sorted(along.fixed - {*self.told})]
        self.firsts, self.nexts = (dict(zip(along.folds, xs, strict=True)) for xs in (firsts, nexts))
        self.step = self.function(_tuple([book.printer.integer(x) for x in nexts]), self.element())
        self.meets = self.function(book.printer.all(each), self.element())
        self.first = _tuple([book.printer.integer(x) for x in firsts])

    def element(self) -> str:
        """The pattern of an element; `_` if it has no parts."""
        return _row(self.book, self.own, "'") if self.own else "_"

    def function(self, body: str, more: str = "") -> str:
        """A function of the folds."""
        return f"(fun {_row(self.book, self.folds, chr(39))}{' ' * bool(more)}{more} => {body})"

    def folded(self, name: str) -> str:
        """The folds at the end of a list."""
        return f"fold_left {self.step} {name} {self.first}"

    def head(self, name: str) -> str:
        """`forall l, along … l -> let '(P, R) := fold_left … in`, in lines."""
        return "\n".join([
            f"forall {name} : list {_tuple(['Z' for _ in self.own], ' * ') or 'unit'},",
            f"  along {self.step}", f"    {self.meets}", f"    {self.first} {name} ->",
            f"  let {_row(self.book, self.folds, chr(39))} := {self.folded(name)} in",
        ])  # fmt: skip

    def taken(self, name: str, shown: str, pattern: str) -> str:
        """The tactics that take a list from the goal, and apply a theorem to it."""
        at = " ".join([*[self.book.names[n] for n in self.fixed], name, "along'"])
        row = _row(self.book, self.folds, "[")
        as_names = f"destruct ({self.folded(name)}) as {row}" if len(self.folds) > 1 else (
            f"cbv zeta; generalize ({self.folded(name)}); intros {row}")  # fmt: skip
        taken = f"intros {name} along'; generalize ({shown} {at}); {as_names}"
        return f"{taken}; cbv beta iota; intros {pattern}; clear along'."


class _Theorems:
    """Writes the theorems of a certificate, each after those that it rests on."""

    def __init__(self, book: Book, shown: Shown) -> None:
        self.book, self.shown, self.text = book, shown, list[str]()
        self.named = dict[str, str]()  # by their statements

    def main(self, part: Part) -> str:
        """All theorems; the last one is called main."""
        if part.along is not None:
            self._of_list(_Fold(self.book, part.along), [part], "main")
        else:
            self._stated(part, "main")
        return "\n".join(self.text)

    def _written(self, name: str, says: str, *proof: str) -> str:
        """Adds a theorem, unless an earlier one has the same statement; returns its name."""
        if not name and says in self.named:
            return self.named[says]
        name = self.named[says] = name or f"shown_{len(self.text) + 1}"
        self.text.append("\n".join([f"Theorem {name} : {says}.", "Proof.", *filter(None, proof), "Qed."]))
        return name

    def _of_list(self, fold: _Fold, parts: Sequence[Part], name: str = "") -> str:
        """Proves a claim about the folds of every list, by induction."""
        book = self.book
        bodies = [book.statement([], p.given, p.whole) for p in parts]
        body = bodies[0] if len(bodies) == 1 else " /\\ ".join(f"({b})" for b in bodies)
        steps = [f"{self._given(p)} {self._stepped(p, fold)}" for p in parts]
        bases = [f"{self._given(p)} {self._by(p.number, put_raw(p.whole, fold.firsts))}" for p in parts]
        unpacked = f"{_row(book, fold.folds, '[')} {_row(book, fold.own, '[') if fold.own else '[]'}"
        return self._written(
            name, f"{book.printer.binder(fold.fixed)}{fold.head('l_1')} {body}", intros(book, fold.fixed, ()),
            "intros l_1 along'.",
            f"refine (sv_fold {fold.step} {fold.meets} {fold.function(body)} _ l_1 _ _ along').",
            f"{{ intros {unpacked} ok' inv'; cbv beta iota in *; revert inv'; intros {_both(parts)}; sv_parts.",
            _each(steps), "}", f"{{ cbv beta iota. {_each(bases)} }}",
        )  # fmt: skip

    def _given(self, part: Part) -> str:
        return intros(self.book, (), part.given)

    def _stepped(self, part: Part, fold: _Fold) -> str:
        """Proves that a claim about the folds carries over to one more element."""
        assumed = " ltac:(assumption)" * len(part.given)
        known = f"pose proof (s'{part.number}{assumed}) as w'; sv_parts. " if assumed else ""
        return f"{known}{self._by(part.number + 1, put_raw(part.whole, fold.nexts))}"

    def _stated(self, part: Part, name: str = "") -> str:
        """Proves a claim by its lemmas, for all lists in them."""
        book, folds = self.book, [_Fold(self.book, x) for x in _in_order(part.lists())]
        moved = {n for f in folds for n in f.folds}
        told = dict.fromkeys([*[n for f in folds for n in f.told], *names(part.claim, *part.assume)])
        about, needs = [n for n in told if n not in moved], meant(*part.assume, then=[part.claim])
        used = [put(p.says, at) for q in part.parts() if not q.along for p, at in q.by]
        others = [n for n in names(*used, *[n for f in folds for n in f.fixed]) if n not in {*about, *moved}]
        lists, lemmas = [self._list(f, f"l_{k}", part) for k, f in enumerate(folds, 1)], [*self._lemmas(part)]
        heads = [book.printer.binder(about).strip(), *[f.head(f"l_{k}") for k, f in enumerate(folds, 1)]]
        says = "\n  ".join(filter(None, heads))
        return self._written(
            name, f"{says} {book.statement([], needs, part.claim)}".strip(), intros(book, about, ()),
            *[f"assert ({book.names[n]} : Z) by exact 0." for n in others],  # names that the claim does not have
            *lists, intros(book, (), needs), *lemmas, self._by(part.number, part.claim, *needs),
        )  # fmt: skip

    def _list(self, fold: _Fold, name: str, part: Part) -> str:
        """The tactics that take a list from the goal, and the claims proved about it."""
        mine = {p.number: p for p in part.parts() if p.along and {*p.along.folds} <= {*fold.folds}}
        return fold.taken(name, self._of_list(fold, [*mine.values()]), _both([*mine.values()]))

    def _lemmas(self, part: Part) -> Iterator[str]:
        """The tactics that assert that everything is defined, and the lemmas."""
        more = [f for f in meant(*part.assume, then=[part.claim]) if f not in part.assume]
        for k, f in enumerate(more):
            yield f"assert (d'{part.number}'{k} : {self.book.printer.formula(put(f, {}))}) by sv_side."
        for k, (lemma, at) in enumerate(part.by):
            if lemma.along is not None:
                told = f"refine ({'proj1 ' * bool(lemma.moving)}(s'{lemma.number}{' _' * len(lemma.given)})); "
                way = [*bridges(self.book, lemma.whole, *lemma.given), f"{told * bool(lemma.given)}{_SIDE}."]
            elif lemma.lists():
                yield from self._lemmas(lemma)
                way = [self._by(lemma.number, lemma.claim, *lemma.assume)]
            else:
                before = " ".join(f"l'{part.number}'{n}" for n in range(k))
                way = [f"clear {before}."] if before else []
                way += self._instance(lemma, at)
            says = self.book.printer.formula(put(lemma.says, at))
            yield f"assert (l'{part.number}'{k} : {says}). {{ intros c'; sv_parts. {' '.join(way)} }}"

    def _instance(self, lemma: Part, at: Trees) -> Iterator[str]:
        """The tactics that substitute expressions for the names of a lemma."""
        name, needs = self._stated(lemma), meant(*lemma.assume, then=[lemma.claim])
        values = "".join(f" {self.book.printer.integer(at.get(n, n))}" for n in names(lemma.claim, *lemma.assume))
        yield f"pose proof ({name}{values}) as t'."
        yield from bridges(self.book, *[put_raw(f, at) for f in (lemma.claim, *needs)])
        yield f"refine (t'{' _' * len(needs)}); {_SIDE}."

    def _by(self, number: int, *printed: Tree) -> str:
        """The tactics that prove a goal by the lemma of an obligation."""
        if number not in self.shown:
            raise Open("an obligation of the main theorem")
        if (lemma := self.shown[number]) is None:
            return " ".join([*bridges(self.book, *printed), "first [reflexivity | sv_side]."])
        used = self.book.use(lemma, side=_SIDE)
        computed = f"assert (t' : {self.book.printer.formula(lemma.claim)}) by ({used}); sv_side"
        return " ".join([*bridges(self.book, *printed), f"first [{used} | {computed}]."])


def _in_order(lists: Sequence[Along]) -> list[Along]:
    """The lists, each after those whose folds it mentions."""
    left, found = [*lists], list[Along]()
    while left:
        ready = [x for x in left if not any(x.fixed & {*y.folds} for y in left if y is not x)]
        if not ready:
            raise Open("a main theorem of lists that mention each other's folds")
        found.append(ready[0])
        left.remove(ready[0])
    return found


def _both(parts: Sequence[Part]) -> str:
    """A pattern for the claims about a list."""
    told = [f"s'{p.number}" for p in parts]
    return f"({' & '.join(told)})" if len(told) > 1 else told[0]


def _each(proofs: Sequence[str]) -> str:
    """A proof of a conjunction from proofs of its parts."""
    return " ".join([*[f"split. {{ {p} }}" for p in proofs[:-1]], proofs[-1]])


def _row(book: Book, of: Mapping[str, object] | Sequence[str], mark: str) -> str:
    """A pattern for names: `'(P, R)` in functions, `[P R]` in tactics; a single name alone."""
    told = [book.names[n] for n in of]
    if len(told) == 1:
        return told[0]
    found = told[0]
    for name in told[1:]:
        found = f"[{found} {name}]" if mark == "[" else f"({found}, {name})"
    return found if mark == "[" else f"'{found}"


def _tuple(parts: Sequence[str], sign: str = ", ") -> str:
    return f"({sign.join(parts)})" if len(parts) > 1 else "".join(parts)
