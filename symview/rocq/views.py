"""Main theorems of conditions of any views, with masks and in chains: the condition holds exactly if one view does.

`look` of `Definitions.v` is where an index leads: `exists tau0 off lo0 hi0, forall i0, in range -> look views [i0] =
if lo0 <= i0 < hi0 then Address (off + tau0 * i0) else Hidden`. For each index in the proof, a lemma
`at'1`, `at'2`, … states in quotients where `look` leads; `Views.v` does the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice, product
from operator import itemgetter
from typing import NamedTuple

from symview.rocq.book import TRIED, Book, Lemma, Open
from symview.rocq.places import Index, Place, both, denied, either, enclosed, implication, inside, place
from symview.rocq.statements import implied
from symview.trusted.document import Object, View
from symview.trusted.formulas import Tree, Values, compiled, degree, linear, made, names, put, walk
from symview.trusted.linear import Scope
from symview.trusted.work import Work
from symview.verify.kinds.chains import moved, walked
from symview.verify.kinds.conditions import Merges
from symview.verify.kinds.maps import address
from symview.verify.meaning import Case
from symview.verify.obligations import Obligation, holds

ROUNDS = 40  # how often values are sought, each of which adds a formula
LIVE = ("always", "when", "undecided")
PRIME = "'"


class Told(NamedTuple):
    """A formula that holds wherever the chain is one view, and the tactics that prove it."""

    formula: Tree
    proof: list[str]


class OneView:
    """Builds the theorem of one certificate: a chain is one view exactly if its cases say so."""

    def __init__(self, book: Book, question: Object, evidence: Object, says: Tree = None) -> None:
        self.book, self.text, self.says = book, book.printer, says
        book.library |= {"Solve", "Views"}
        subject = Merges(question, evidence, book.effort)
        self.views, self.cases, self.fitting = subject.views, subject.cases, subject.fitting
        self.shape, self.names = self.views[-1].shape, subject.names
        self.masked = any(v.mask is not None or v.void for v in self.views)
        if (self.masked and not self.shape) or any(v.void and not v.shape for v in self.views):
            raise Open("a main theorem of views without dims that are masked")
        told = [put(f, {}) for f in subject.facts]
        self.facts = [f for f in dict.fromkeys(told) if f is not True and not implied(f, told)]
        if self.fitting is not True and Scope.of(("not", self.fitting)).closed:
            self.fitting = True
        self.wheres = [put(c.where, {}) for c in self.cases]
        self.index = tuple(f"#{a}" for a in range(len(self.shape)))
        own = ["off", *[f"{n}{a}" for n in ("tau", "lo", "hi") for a in range(len(self.shape))]]
        for n in own:
            book.names[f"#{n}"] = n
        self.tau, self.low, self.high = ([f"#{n}{a}" for a in range(len(self.shape))] for n in ("tau", "lo", "hi"))
        self.free = self._free()
        every = names(
            *[x for v in self.views for x in v.entries()], *self.facts, self.fitting, *self.wheres, says or True
        )
        self.about = [*self.free, *[n for n in every if n not in self.free]]
        self.given = [f"f'{k}" for k in range(len(self.facts))]
        self.points, self.told = dict[Index, tuple[str, Place]](), dict[Index, str]()

    def _free(self) -> list[str]:
        """The free names: those that occur only in addresses, and linearly."""
        first, entries = self.views[0], [*self.views[0].strides, self.views[0].offset]
        fixed = names(*first.shape, *(x for b in first.mask or () for x in b), *self.wheres)
        fixed |= names(*[x for v in self.views[1:] for x in v.entries()])
        free = [n for n in names(*entries) if n not in fixed]
        for x in entries:
            free = free if degree(x, free) < 2 else [n for n in free if n not in names(x)]
        return free

    # the statement

    def box(self, index: Sequence[Tree]) -> Tree:
        """Formula: the index is in the box."""
        return inside(index, [(0, n) for n in self.shape])

    def chain(self) -> str:
        """The views as text, the last one first."""
        text = self.text

        def row(xs: Sequence[Tree]) -> str:
            return f"[{'; '.join(map(text.bare, xs))}]"

        def view(v: View) -> str:
            mask = [(0, 0)] * len(v.shape) if v.void else v.mask or ()
            bounds = "; ".join(f"({text.bare(a)}, {text.bare(b)})" for a, b in mask)
            return f"({row(v.shape)}, {row(v.strides)}, {text.bare(v.offset)}, [{bounds}])"

        return f"[{'; '.join(map(view, reversed(self.views)))}]"

    def exists(self, chain: str) -> str:
        """The statement that one view leads where the chain does, at every index."""
        text = self.text
        told = " ".join(text.names[n] for n in self.own())
        bounds = "".join(f"0 <= {text.integer(x)} < {text.integer(n)} -> "
                         for x, n in zip(self.index, self.shape, strict=True))  # fmt: skip
        row, there = "; ".join(map(text.integer, self.index)), self.reached({})
        return (
            f"exists {told} : Z, {text.binder(self.index)}{bounds}".rstrip() + f"\n      look {chain} [{row}] ={there}"
        )

    def taken(self) -> str:
        """The tactic that takes an index and its bounds from the goal."""
        told = [*map(self.text.integer, self.index), *[f"b'{k}" for k in range(len(self.index))]]
        return f"intros {' '.join(told)}." if told else ""

    def one(self) -> str:
        """The statement that the sizes agree, if required, and that the chain is one view."""
        exists = f"({self.exists(self.chain())})"
        return exists if self.fitting is True else f"({self.text.premise(self.fitting)} /\\ {exists})"

    def reached(self, at: Mapping[str, Tree]) -> str:
        """Where one view leads at an index; its strides, offset and bounds are given or names."""
        own = [at.get(t, t) for t in self.tau]
        terms = [f"{self.text.integer(t)} * {self.text.integer(x)}" for t, x in zip(own, self.index, strict=True)]
        there = f"Address ({' + '.join([self.text.integer(at.get('#off', '#off')), *terms])})"
        low, high = ([at.get(x, x) for x in side] for side in (self.low, self.high))
        return f"\n        if {self._shown(low, high)} then {there} else Hidden" if self.masked else f" {there}"

    def _shown(self, low: Sequence[Tree], high: Sequence[Tree]) -> str:
        """The test that the mask does not hide an index, as a term of bool."""
        text, bounds = self.text, zip(low, self.index, high, strict=True)
        tests = [
            f"({text.integer(a)} <=? {text.integer(x)}) && ({text.integer(x)} <? {text.integer(b)})"
            for a, x, b in bounds
        ]
        return f"({' && '.join(tests)})%bool"

    def live(self) -> list[Case]:
        """The cases in which there is a view."""
        return [c for c in self.cases if c.status in LIVE]

    def theorem(self) -> str:
        """The statement and its proof; if a case is undecided, only that the condition is sufficient."""
        text, exact = self.text, all(c.status != "undecided" for c in self.cases)
        one = self.one()
        condition = self._cases() if self.says is None else text.premise(self.says)
        says = f"({one}\n   <-> {condition})" if exact else f"{condition} ->\n  {one}"
        head = (
            f"Theorem main : {text.binder(self.about)}{''.join(f'{text.premise(f)} -> ' for f in self.facts)}".rstrip()
        )
        proof = [
            f"intros {' '.join([*[text.names[n] for n in self.about], *self.given])}.",
            *self._by_statement(exact),
        ]
        if exact:
            proof += ["split.", "{", *self._needed(), "}", "{", *self._enough(), "}"]
        else:
            self.book.open.append("that the condition is necessary: the main theorem says that it is sufficient")
            head = f"(* Not proved here: that the condition is necessary. *)\n{head}"
            proof += self._enough()
        return "\n".join([f"{head}\n  {says}.", "Proof.", *proof, "Qed."])

    def _cases(self) -> str:
        parts = [self.text.all([put(c.where, {}), *c.equations]) for c in self.live()]
        told = "\n    \\/ ".join(f"({p})" for p in parts) or "False"
        return f"({told})" if len(parts) > 1 else told

    def _by_statement(self, exact: bool) -> Iterator[str]:
        """Proves that the stated condition is equivalent to the cases."""
        if self.says is None:
            return
        parts = [both(put(c.where, {}), *c.equations) for c in self.live()]
        cases = ("or", *parts) if len(parts) > 1 else parts[0] if parts else False
        lemma = self.lemma(("<->", cases, self.says), self.facts, "that the condition is equivalent to the cases")
        yield f"assert (g' : {self._cases()} <-> {self.text.premise(self.says)}) by ({self.use(lemma)})."
        yield "refine (iff_trans _ g'); clear g'." if exact else "intros w'; apply g' in w'; clear g'; revert w'."

    # facts about an index

    def lemma(self, claim: Tree, given: Iterable[Tree], what: str) -> Lemma:
        """A lemma; Rocq searches for a proof if no names are multiplied."""
        given = [*given]
        return self.book.lemma(claim, given, what, search=all(map(_plain, (claim, *given))))

    def use(self, lemma: Lemma) -> str:
        """The tactic that applies a lemma."""
        return self.book.use(lemma, side="first [assumption | sv_side]")

    def at(self, index: Index) -> tuple[str, Place]:
        """Where `look` leads at an index: the term of its lemma, and the place."""
        if index not in self.points:
            book, text = self.book, self.text
            found = place(self.views, index, text)
            own, name = [n for n in names(*index) if n not in self.about], f"at'{len(self.points) + 1}"
            given = "".join(f"{text.premise(f)} -> " for f in self.facts)
            says = f"sv_at (look {self.chain()} [{'; '.join(map(text.integer, index))}])"
            parts = [
                enclosed(text.premise(found.outside)),
                enclosed(text.premise(found.valid)),
                text.integer(found.address),
            ]
            taken = " ".join([*[text.names[n] for n in (*self.about, *own)], *self.given])
            book.text.append("\n".join([
                f"Lemma {name} : {text.binder([*self.about, *own])}{given}", f"  {says}",
                f"    {' '.join(parts)}.", f"Proof. intros {taken}. eapply sv_at_as.", "{", *found.proof, "}",
                "{ sv_both. }", "{ sv_both. }", "{ reflexivity. } Qed.",
            ]))  # fmt: skip
            self.points[index] = (
                f"({name} {' '.join([*[text.names[n] for n in (*self.about, *own)], *self.given])})",
                found,
            )
        return self.points[index]

    # from left to right: if there is a view, the condition holds

    def own(self) -> list[str]:
        """The names of the strides, the offset and the bounds of one view."""
        return [*self.tau, "#off", *[x for pair in zip(self.low, self.high, strict=True) for x in pair if self.masked]]

    def _needed(self) -> Iterator[str]:
        parts = [*([] if self.fitting is True else ["fit'"]), *[self.text.names[n] for n in self.own()], "hyp'"]
        yield f"intros ({' & '.join(parts)})."
        cover = ("or", *self.wheres) if len(self.wheres) > 1 else self.wheres[0]
        if cover is True:
            yield "assert (w' := I)."
        else:
            lemma = self.lemma(cover, self.facts, "that the cases cover all values")
            yield f"assert (w' : {self.text.formula(cover)}) by ({self.use(lemma)})."
        blocks = [["{", *self._case_needed(c, w), "}"] for c, w in zip(self.cases, self.wheres, strict=True)]
        for index, name in self.told.items():
            yield from self._told(index, name)
        yield "clear hyp'."
        if len(self.wheres) > 1:
            yield f"destruct w' as {alternatives(len(self.wheres))}."
        for block in blocks:
            yield from block

    def _case_needed(self, case: Case, where: Tree) -> Iterator[str]:
        if case.status == "always":
            yield f"{self._chosen(case)}exact w'."
            return
        claim = both(*case.equations) if case.status == "when" else False
        formulas, lemma = self._forced(case, where, claim)
        for n, (formula, proof) in enumerate(formulas):
            yield f"assert (t'{n} : {self.text.formula(formula)})."
            yield from ("{", *proof, "}")
        if claim is False:
            refuted = f"assert (k' : {self.text.formula(lemma.claim)}) by ({self.use(lemma)}); contradiction"
            yield f"exfalso; first [contradiction|{refuted}]."
        else:
            yield f"assert (k' : {self.text.formula(claim)}) by ({self.use(lemma)})."
            yield f"{self._chosen(case)}exact {'k' + PRIME if where is True else f'(conj w{PRIME} k{PRIME})'}."

    def _chosen(self, case: Case) -> str:
        k, n = self.live().index(case), len(self.live())
        return "right; " * k + ("left; " if k < n - 1 else "")

    def _forced(self, case: Case, where: Tree, claim: Tree) -> tuple[list[Told], Lemma]:
        """Formulas of indices that imply the claim, and the lemma that they do."""
        given, told, hints = (
            [f for f in (*self.facts, where, self.fitting) if f is not True],
            list[Told](),
            list[Told](),
        )
        what = f"that the equations of {case.status} are necessary"
        if case.status == "out_of_bounds":
            told = [t for side in "<>" if (t := self._in_bounds(self._corner(side))).formula is not True]
        else:
            hints = [self._line((0,) * len(i), i) for i in case.hints if len(i) == len(self.shape)]
        for _ in range(ROUNDS):
            goal = Obligation(what, claim, [*given, *[t.formula for t in told]])
            found = self._failure(goal)
            if found is None:
                return told, self.book.lemma(claim, goal.given, what, search=False)
            at = {n: found.get(n, 0) for n in self.names}
            more = [h for h in hints if h not in told and not holds(compiled(h.formula), at)]
            told += more[: max(1, len(case.equations))] or [self._why_not(at, what)]
        raise Open(what)

    def _failure(self, goal: Obligation) -> Values | None:
        points, whole = goal.points(work := Work())
        return next(goal.failures(points if whole else islice(points, TRIED), [], work), None)

    def _why_not(self, at: Values, what: str) -> Told:
        """A formula that holds wherever the chain is one view, but not at these values; tries all indices there."""
        found, out = walked(self.views, at, self.book.effort)
        if out is not None:
            return self._in_bounds(out)
        ends = [pick(found, key=itemgetter(a)) for a in range(len(self.shape)) for pick in (min, max)] if found else []
        low, high = (tuple(pick(p[a] for p in found) for a in range(len(self.shape)) if found) for pick in (min, max))
        for index in product(*[range(a, b + 1) for a, b in zip(low, high, strict=True)]) if found else ():
            if index not in found:
                return self._hole(list(dict.fromkeys(ends)), index)
        steps = [found.get(moved(low, a, low[a] + 1), 0) - found[low] for a in range(len(low))] if found else []
        for index, reached in found.items():
            if reached != found[low] + sum((i - k) * s for i, k, s in zip(index, low, steps, strict=True)):
                return self._line(low, index)
        raise Open(what)

    def _corner(self, side: str) -> Index:
        """The corner of the last view with the least or the greatest address."""
        v = self.views[-1]
        bounds = v.mask or [(0, n) for n in v.shape]
        rows = zip(bounds, v.strides, strict=True)
        return tuple(made("if", made(side, t, 0), a, made("-", b, 1)) for (a, b), t in rows)

    def line(self, index: Index) -> Tree:
        """The address of the one view at an index."""
        return made("+", "#off", *map(_times, self.tau, index))

    def mask(self, index: Index) -> Tree:
        """Formula: the mask of the one view does not hide the index."""
        return inside(index, [*zip(self.low, self.high, strict=True)]) if self.masked else True

    def known(self, index: Index) -> str:
        """The name of the hypothesis that the one view gives at an index."""
        self.at(index)
        return self.told.setdefault(index, f"u'{len(self.told) + 1}")

    def _told(self, index: Index, name: str) -> Iterator[str]:
        """The lines that assert this hypothesis."""
        (point, found), text = self.at(index), self.text
        mask, valid = text.premise(self.mask(index)), text.premise(found.valid)
        out, equal = text.formula(("not", found.outside)), text.formula(("==", found.address, self.line(index)))
        says = f"{out} /\\ ({valid} -> {equal} /\\ {mask}) /\\ ({mask} -> {valid})"
        yield f"assert ({name} : {text.premise(self.box(index))} -> {says})."
        values = "".join(f" {text.integer(x)}" for x in index)
        there = f"{point} (hyp'{values}{' ltac:(sv_inside I)' * len(index)})"
        yield f"{{ intros b'; clear - {' '.join([*self.given, f'b{PRIME}', f'hyp{PRIME}'])}."
        mask = "_" if self.masked else "true"
        yield f"refine (sv_told _ _ _ _ {mask} _ _ _ {there} _ _); clear; [sv_mask|sv_ring]. }}"

    def _there(self, index: Index) -> Tree:
        """Formula: the index is in the box, and no mask hides it."""
        return both(self.box(index), self.at(index)[1].valid)

    def _in_bounds(self, index: Index) -> Told:
        """Proves that nothing is out of bounds at an index."""
        name, box = self.known(index), self.box(index)
        proof = [f"exact (proj1 ({name} I))."] if box is True else [f"intros b'; exact (proj1 ({name} b'))."]
        return Told(implication([box], denied(self.at(index)[1].outside)), proof)

    def _reached(self, index: Index, number: int, by: str) -> str:
        """The tactic that asserts the address at an index, and that the mask does not hide it."""
        there = f"({self.known(index)} ltac:(sv_inside {by}))"
        return f"destruct (proj1 (proj2 {there}) ltac:(sv_inside {by})) as [a'{number} m'{number}]"

    def _hole(self, ends: Sequence[Index], index: Index) -> Told:
        """Proves that no mask hides an index between indices that none hides."""
        given, claim = [self._there(p) for p in ends], self.at(index)[1].valid
        taken = _numbered("t", [f is not True for f in given])
        reached = [self._reached(p, k, t) for k, (p, t) in enumerate(zip(ends, taken, strict=True))]
        kept = " ".join([*[t for t in taken if t != "I"], *[f"m'{k}" for k in range(len(ends))]])
        proof = [f"intros {' '.join(t for t in taken if t != 'I')}.", *[f"{one}." for one in reached]]
        there = f"({self.known(index)} ltac:(clear - {kept}; sv_inside I))"
        proof += [f"apply (proj2 (proj2 {there})); clear - {kept}; sv_inside I."]
        return Told(implication(given, claim), proof)

    def _line(self, low: Index, index: Index) -> Told:
        """Proves that an address is that of the one view through `low` and its neighbours."""
        text, base = self.text, self.at(low)[1].address
        near = {a: moved(low, a, made("+", low[a], 1)) for a, x in enumerate(index) if x != low[a]}
        moves = {a: made("-", index[a], low[a]) for a in near}
        still = {a: made("==", index[a], low[a]) for a in near}
        given = [self._there(low), self._there(index), *[either(still[a], self._there(p)) for a, p in near.items()]]
        taken = _numbered("t", [f is not True for f in given])
        names = [t for t in taken if t != "I"]
        proof = [f"intros {' '.join(names)}."] if names else []
        proof += [f"{self._reached(low, 0, taken[0])}.", f"{self._reached(index, 1, taken[1])}."]
        for k, (a, p) in enumerate(near.items(), 2):
            by, there = text.integer(moves[a]), self.at(p)[1].address
            here = f"{self._reached(p, k, taken[k])}; exact a'{k}"
            if still[a] is not False:
                here = f"destruct {taken[k]} as [z'|{taken[k]}]; [left; clear - z'; lia|right; {here}]"
            else:
                here = f"right; {here}"
            moved_by = [(there, self.line(p), f"apply sv_step; {here}"), (base, self.line(low), "f_equal; exact a'0")]
            proof += [f"assert ({n}'{k} : {by} * {text.integer(x)} = {by} * {text.integer(y)}) by ({way})."
                      for n, (x, y, way) in zip("sd", moved_by, strict=True)]  # fmt: skip
        kept = [f"{n}'{k}" for k in range(2, 2 + len(near)) for n in "sd"]
        steps = [made("*", moves[a], made("-", self.at(p)[1].address, base)) for a, p in near.items()]
        claim = ("==", made("+", base, *steps), self.at(index)[1].address)
        return Told(implication(given, claim), [*proof, f"clear - a'0 a'1 {' '.join(kept)}; lia."])

    # from right to left: the certificate's view leads where the chain does

    def _enough(self) -> Iterator[str]:
        live = self.live()
        yield f"intros {alternatives(len(live))}." if live else "intros []."
        for case in live:
            yield from ("{", *self.case_enough(case), "}")

    def case_enough(self, case: Case) -> Iterator[str]:
        """Proves that the view of a case leads where the chain does; `w'` is the hypothesis of the case."""
        book, text, where = self.book, self.text, put(case.where, {})
        parts = [*([] if where is True else ["w'0"]), *[f"e'{k}" for k in range(len(case.equations))]]
        if len(parts) > 1:
            yield f"destruct w' as ({' & '.join(parts)})."
        elif parts:
            yield f"rename w' into {parts[0]}."
        known = [f for f in (*self.facts, where, *case.equations) if f is not True]
        if self.fitting is not True:
            yield f"split; [{self.use(book.lemma(self.fitting, known, 'that the sizes agree'))}|]."
        v = case.found
        mask = [(0, 0)] * len(self.shape) if v.void else v.mask or [(0, n) for n in self.shape]
        bounds = [x for pair in mask for x in pair if self.masked]
        yield f"exists {', '.join(map(text.integer, [*v.strides, v.offset, *bounds]))}."
        yield self.taken()
        point, found = self.at(self.index)
        given = [f for f in (self.box(self.index), *known) if f is not True and not degree(f, self.free)]
        reached, shown = address(self.index, v.strides, v.offset), inside(self.index, mask) if self.masked else True
        shows = self._shown(*zip(*mask, strict=True)) if self.masked else "true"
        yield f"refine (sv_shown _ _ _ _ {shows} _ {point} _ _ _)."
        yield from ("{", *self._shown_by(("not", found.outside), given, "that nothing is out of bounds"), "}")
        yield "{ transitivity (" + text.formula(shown) + ")."
        yield from ("{", *self._shown_by(("<->", found.valid, shown), given, "that the masks hide the same"), "}")
        yield "clear; sv_bools; sv_both. }"
        yield "{ intros v'."
        yield from self._equal(found.address, reached, case.equations, [*given, found.valid])
        yield "}"

    def _shown_by(self, claim: Tree, given: Sequence[Tree], what: str) -> Iterator[str]:
        """The tactics that prove a claim by a lemma for each of its parts."""
        op, *parts = claim if type(claim) is tuple else (claim,)
        if claim in (True, ("not", False), ("<->", True, True), ("<->", False, False)):
            yield "sv_both."
        elif op == "and":
            rest = both(*parts[1:])
            yield "split."
            yield from ("{", *self._shown_by(parts[0], given, what), "}", *self._shown_by(rest, given, what))
        elif op == "<->":
            yield "split; intros h'."
            for f, goal in (parts, parts[::-1]):
                if f is False:
                    yield "{ destruct h'. }"
                elif goal is False:
                    yield from ("{ revert h'.", *self._shown_by(("not", f), given, what), "}")
                else:
                    yield from ("{", *self._shown_by(goal, [*given, f], what), "}")
        elif op == "not" and type(parts[0]) is tuple and parts[0][0] == "or":
            yield f"intros {alternatives(len(parts[0]) - 1)}; revert w'."
            for f in parts[0][1:]:
                yield from ("{", *self._shown_by(("not", f), given, what), "}")
        elif op == "not" and type(parts[0]) is tuple and parts[0][0] == "and" and parts[0][-1][0] == "not":
            *known, (_, goal) = parts[0][1:]
            yield f"intros ({' & '.join([*[f'v{PRIME}{k}' for k in range(len(known))], 'n' + PRIME])}); apply n'."
            yield from self._shown_by(goal, [*given, *known], what)
        elif op == "not" and type(parts[0]) is tuple and parts[0][0] == "not":
            yield "intros n'; apply n'."
            yield from self._shown_by(parts[0][1], given, what)
        else:
            yield f"{self.use(self.lemma(claim, given, what))}."

    def _equal(self, there: Tree, mine: Tree, equations: Sequence[Tree], given: list[Tree]) -> Iterator[str]:
        """Proves two addresses equal: minus multiples of the equations, their difference has the coefficients 0."""
        text, factor, by, apart = self.text, *self._less(linear(made("-", there, mine), self.free), equations)
        sides = {k: f"({text.integer(equations[k][1])} - {text.integer(equations[k][2])})" for k in by}
        sums = [f"{text.integer(m)} * {sides[k]}" for k, m in by.items()]
        zeros = [f"y'{k}" for k in by]
        for k, side in sides.items():
            yield f"assert (y'{k} : {side} = 0) by lia."
        for n, coefficient in apart.items():
            lemma = self.lemma(("==", coefficient, 0), given, "that the equations are sufficient")
            zeros.append(f"z'{len(zeros)}")
            yield f"assert ({zeros[-1]} : {text.integer(coefficient)} = 0) by ({self.use(lemma)})."
            sums.append(f"{text.integer(coefficient)} * {text.names[n] if n else '1'}")
        yield f"apply (sv_same {text.integer(factor)}); [lia|]."
        yield f"transitivity ({' + '.join(sums) or '0'}); [ring|{''.join(f'rewrite {h}; ' for h in zeros)}ring]."

    def _less(self, apart: dict[str, Tree], equations: Sequence[Tree]) -> tuple[int, dict[int, Tree], dict[str, Tree]]:
        """A factor, multiples of equations by their numbers, and the remaining coefficients of factor times form.

        Each equation in which a free name has a number as its coefficient eliminates that name.
        """
        factor, by, leads = 1, dict[int, Tree](), list[str]()
        for k, (_, x, y) in enumerate(equations):
            if not self.free or degree(made("-", x, y), self.free) > 1:
                continue
            form = linear(made("-", x, y), self.free)
            numbers = [n for n in self.free if n not in leads and type(form.get(n)) is int and form[n]]
            lead = next((n for n in numbers if apart.get(n, 0) != 0), None)
            if lead is not None:
                one, more = form[lead], apart[lead]
                by = {j: made("*", one, m) for j, m in by.items()} | {k: more}
                rest = {n: made("-", made("*", one, apart.get(n, 0)), made("*", more, form.get(n, 0)))
                        for n in dict.fromkeys((*apart, *form)) if n != lead}  # fmt: skip
                factor, apart, leads = factor * one, rest, [*leads, lead]
        return factor, by, {n: x for n, x in apart.items() if x != 0}


def alternatives(count: int) -> str:
    """A pattern for a disjunction."""
    pattern = "w'"
    for _ in range(count - 1):
        pattern = f"[w'|{pattern}]"
    return pattern


def _numbered(letter: str, wanted: Sequence[bool]) -> list[str]:
    """Names of hypotheses, and `I` for trivial ones."""
    return [f"{letter}'h{k}" if here else "I" for k, here in enumerate(wanted)]


def _plain(t: Tree) -> bool:
    """Whether all divisors are numbers, and no names are multiplied."""
    for op, *parts in (x for x in walk(t) if type(x) is tuple):
        if op in ("//", "%") and type(parts[1]) is not int:
            return False
        if op == "*" and sum(type(p) is not int for p in parts) > 1:
            return False
    return True


def _times(a: Tree, b: Tree) -> Tree:
    return made("*", a, b)
