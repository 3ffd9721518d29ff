"""Main theorems of shared addresses: the condition holds exactly if an index of each view has the same address."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from symview.rocq.book import Book, Lemma, Open
from symview.rocq.statements import above_0, divisors
from symview.verify.document import Object, get
from symview.verify.formulas import Tree, made, names, put, weight
from symview.verify.kinds.cases import Case
from symview.verify.kinds.maps import address
from symview.verify.kinds.overlaps import Overlaps


def overlap(book: Book, question: Object, answer: Object) -> str:
    """`facts -> ((exists indices, in bounds /\\ address = address) <-> condition)`, or the part that is proved."""
    return _Overlap(book, Overlaps(question, get(answer, "cases", list), book.effort)).theorem()


_CORNERS, _HARD = 64, 3  # pairs of indices to try besides the certificate's; of these, pairs that may stay undecided
_SIDE = "first [assumption | sv_side]"
Shown = tuple[Case, list[str]]  # a case, and the tactics that prove it


class _Overlap:
    """Builds the theorem of one certificate."""

    def __init__(self, book: Book, subject: Overlaps) -> None:
        self.book, self.printer, self.cases = book, book.printer, subject.cases
        if any(v.void and not v.shape for v in subject.pair):
            raise Open("a main theorem of views without dims that are masked")
        bounds = [[(0, 0)] * len(v.shape) if v.void else b for v, b in zip(subject.pair, subject.bounds, strict=True)]
        first, second = (len(b) for b in bounds)
        self.index = [f"#{k}" for k in range(first + second)]
        for k, n in enumerate(self.index[first:]):
            book.names[n] = f"j{k}"
        self.bounds = [(put(low, {}), put(high, {})) for low, high in [*bounds[0], *bounds[1]]]
        self.both = [(v.strides, v.offset) for v in subject.pair]
        self.first = first
        told = [put(f, {}) for f in subject.facts]
        facts = [f for f in dict.fromkeys(told) if f is not True and not _implied(f, told)]
        wheres = [put(c.where, {}) for c in self.cases]
        self.facts = [*divisors(("and", True, *wheres), facts), *facts]
        self.about = list(names(*self.facts, self.same(self.index), *wheres, *[x for b in self.bounds for x in b]))
        self.about = [n for n in self.about if n not in self.index]

    def same(self, index: Sequence[Tree]) -> Tree:
        """Formula: both indices have one address."""
        parts = index[: self.first], index[self.first :]
        return ("==", *[put(address(i, *laid), {}) for i, laid in zip(parts, self.both, strict=True)])

    def inside(self, index: Sequence[Tree]) -> list[Tree]:
        """Formulas: both indices are valid."""
        pairs = zip(index, self.bounds, strict=True)
        return [f for x, (low, high) in pairs for f in (put(("<=", low, x), {}), put(("<", x, high), {}))]

    def exists(self) -> str:
        """The statement that an index of each view has the same address."""
        text = self.printer
        ranges = [f"{text.integer(low)} <= {text.integer(x)} < {text.integer(high)}"
                  for x, (low, high) in zip(self.index, self.bounds, strict=True)]  # fmt: skip
        says = " /\\ ".join([*ranges, text.formula(self.same(self.index))])
        return f"({text.binder(self.index, 'exists')}{says})"

    def theorem(self) -> str:
        """The statement and its proof: an equivalence, or the implications that are proved."""
        yes = [(c, found) for c in self.cases if c.status == "always" and (found := self.enough(c))]
        no = [(c, found) for c in self.cases if c.status == "never" and (found := self.apart(c))]
        self.book.open += ["an undecided case"] if any(c.status == "undecided" for c in self.cases) else []
        cover = self.cover() if len(yes) + len(no) == len(self.cases) else None
        where_yes, where_no = (self.condition([c for c, _ in some]) for some in (yes, no))
        if cover is not None:
            parts = [f"{self.exists()}\n   <-> {where_yes}"]
            proofs = [["split.", "{", *self.needed(yes, no, cover), "}", "{", *self.shared(yes), "}"]]
        else:
            parts = [*([f"{where_yes} -> {self.exists()}"] if yes else []),
                     *([f"{where_no} -> ~ {self.exists()}"] if no else [])]  # fmt: skip
            proofs = [*([[*self.shared(yes)]] if yes else []), *([[*self.never(no)]] if no else [])]
        if not parts:
            raise Open("an obligation of the main theorem")
        facts = "".join(f"{self.printer.premise(f)} -> " for f in self.facts)
        head = f"Theorem main : {self.printer.binder(self.about)}{facts}".rstrip()
        told = [*[self.book.names[n] for n in self.about], *[f"f'{k}" for k in range(len(self.facts))]]
        says = "\n  /\\ ".join(f"({p})" for p in parts)
        taken = [f"intros {' '.join(told)}."] if told else []
        proof = proofs[0] if len(proofs) == 1 else ["split.", "{", *proofs[0], "}", "{", *proofs[1], "}"]
        return "\n".join([f"{head}\n  {says}.", "Proof.", *taken, *filter(None, proof), "Qed."])

    def condition(self, cases: Sequence[Case]) -> str:
        """The statement that one of the cases holds."""
        return self.printer.premise(_any([put(c.where, {}) for c in cases]))

    # the lemmas

    def shown(self, claim: Tree, given: Sequence[Tree], what: str) -> Lemma | None:
        """A lemma under the facts, without a search by Rocq; None, and a note, if there is no proof."""
        try:
            return self.book.lemma(claim, [*self.facts, *[f for f in given if f is not True]], what, search=False)
        except Open as why:
            self.book.open.append(str(why))
            return None

    def cover(self) -> str | None:
        """The tactics that assert that the cases cover all values."""
        says = _any([put(c.where, {}) for c in self.cases])
        if says is True:
            return "assert (w' := I)."
        lemma = self.shown(says, [], "that the cases cover all values")
        return lemma and f"assert (w' : {self.printer.formula(says)}) by ({self.book.use(lemma, side=_SIDE)})."

    def enough(self, case: Case) -> list[str] | None:
        """The tactics that prove a shared address wherever a case holds: by one pair of indices, or by several."""
        where, what = put(case.where, {}), "that the views share an address"
        meets = {tuple(index): self.meet(index) for index in case.indices}
        left = _HARD
        for index in sorted({**meets, **dict.fromkeys(self.corners())}, key=lambda index: weight(*index)):
            claim = meets.get(index, self.meet(index))
            try:
                lemma = self.book.lemma(claim, [f for f in (*self.facts, where) if f is not True], what, search=False)
            except Open as why:
                left -= not str(why).endswith("it is false")
                if left:
                    continue
                break
            return self.met({index: claim}, lemma)
        meets = {index: f for index, f in meets.items() if f is not False}
        found = self.shown(_any([*meets.values()]), [where], what)
        return found and self.met(meets, found)

    def meet(self, index: Sequence[Tree]) -> Tree:
        """Formula: both indices are valid, and have one address."""
        parts = [put(f, {}) for f in (*self.inside(index), self.same(index))]
        left = [f for f in dict.fromkeys(parts) if f is not True]
        return False if False in left else ("and", *left) if len(left) > 1 else left[0] if left else True

    def corners(self) -> Iterator[tuple[Tree, ...]]:
        """Pairs of indices made of each dim's first and last index."""
        ends = [dict.fromkeys((low, made("-", high, 1))) for low, high in self.bounds]
        return islice(product(*ends), _CORNERS)

    def met(self, meets: Mapping[tuple[Tree, ...], Tree], lemma: Lemma) -> list[str]:
        """The tactics that prove a shared address from a lemma that one of the pairs has one."""
        each = [f"{{ {self.found(index)}sv_parts; sv_side. }}" for index in meets]
        taken = f"destruct m' as {_alternatives('m', len(meets))}." if len(meets) > 1 else ""
        claim = self.printer.formula(_any([*meets.values()]))
        return [f"assert (m' : {claim}) by ({self.book.use(lemma, side=_SIDE)}).", taken, *each]

    def found(self, index: Sequence[Tree]) -> str:
        """The tactics that supply a pair of indices; the goals need only the lemma about them."""
        told = sorted({x: self.printer.integer(x) for x in index if type(x) is tuple}.values(), key=len, reverse=True)
        named = "".join(f"set (v'{k} := {x}) in *; clearbody v'{k}; " for k, x in enumerate(told))
        return f"exists {', '.join(map(self.printer.integer, index))}; {named}" if index else ""

    def apart(self, case: Case) -> list[str] | None:
        """The tactics that prove that no two valid indices have one address in a case."""
        claim = ("!=", *self.same(self.index)[1:])
        given = [put(case.where, {}), *self.inside(self.index)]
        lemma = self.shown(put(claim, {}), given, "that the views share no address")
        return lemma and [f"exfalso; revert e'; {self.book.use(lemma, side=_SIDE)}."]

    # the directions

    def needed(self, yes: Sequence[Shown], no: Sequence[Shown], cover: str) -> Iterator[str]:
        """Proves the condition from a shared address."""
        yield f"intros {self.pattern()}. {cover}"
        yield f"destruct w' as {_alternatives('w', len(self.cases))}." if len(self.cases) > 1 else ""
        count, by = len(yes), {id(c): lines for c, lines in no}
        for case in self.cases:
            lines = by.get(id(case))
            if lines is None:
                k = next(k for k, (c, _) in enumerate(yes) if c is case)
                lines = [f"{'right; ' * k}{'left; ' if k < count - 1 else ''}exact w'."]
            yield f"{{ {' '.join(lines)} }}"

    def shared(self, yes: Sequence[Shown]) -> Iterator[str]:
        """Proves a shared address from the condition."""
        yield f"intros {_alternatives('w', len(yes))}." if yes else "intros []."
        for _, lines in yes:
            yield "\n".join(["{", *lines, "}"])

    def never(self, no: Sequence[Shown]) -> Iterator[str]:
        """Proves that there is no shared address where a case says never."""
        yield f"intros {_alternatives('w', len(no))} {self.pattern()}."
        for _, lines in no:
            yield f"{{ {' '.join(lines)} }}"

    def pattern(self) -> str:
        """A pattern for the parts of a shared address."""
        told = [*[self.book.names[n] for n in self.index], *[f"b'{k}" for k in range(len(self.index))], "e'"]
        return f"({' & '.join(told)})" if len(told) > 1 else told[0]


def _any(formulas: Sequence[Tree]) -> Tree:
    return ("or", *formulas) if len(formulas) > 1 else formulas[0] if formulas else False


def _alternatives(name: str, count: int) -> str:
    """A pattern for a disjunction."""
    found = f"{name}'"
    for _ in range(count - 1):
        found = f"[{name}'|{found}]"
    return found


def _implied(f: Tree, known: Sequence[Tree]) -> bool:
    """Whether it states that a product of positive terms is positive."""
    return f[0] == ">=" and f[2] == 1 and type(f[1]) is tuple and above_0(f[1], known)
