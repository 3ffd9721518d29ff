"""Where a chain of views leads: that one view leads there too, that no one view does, that a view leads out of another.

For each index in a proof, a lemma `at'1`, `at'2`, … states in quotients where `look` of `Definitions.v` leads;
`Views.v` does the rest. Chains of numbers are computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import combinations, islice
from math import prod
from typing import Any, NamedTuple

from symview.rocq.book import MANY, Book, Lemma, failures
from symview.rocq.places import Index, Place, both, either, enclosed, implication, place
from symview.rocq.terms import Open
from symview.trusted.document import View
from symview.trusted.formulas import Tree, compiled, degree, linear, made, names, put, walk
from symview.trusted.linear import Scope
from symview.verify.kinds.chains import breaking, moved
from symview.verify.kinds.conditions import free_of
from symview.verify.kinds.maps import address, within
from symview.verify.nodes import Chain
from symview.verify.obligations import Obligation, holds

ROUNDS, CLAIMED = 40, 200  # how often values are sought; values at which expressions are compared


class Told(NamedTuple):
    """A formula that holds wherever the chain is one view, and the tactics that prove it."""

    formula: Tree
    proof: list[str]


class Facts(NamedTuple):
    """The names and the assumptions of a theorem, as they are computed, with the names of their hypotheses."""

    about: tuple[str, ...] = ()
    given: tuple[tuple[str, Tree], ...] = ()

    @property
    def formulas(self) -> list[Tree]:
        """The assumptions."""
        return [f for _, f in self.given]


class Leading:
    """Proofs about one chain of views, under facts."""

    def __init__(self, book: Book, chain: Chain, facts: Facts) -> None:
        self.book, self.text, self.facts = book, book.printer, facts
        book.library |= {"Solve", "Views"}
        self.views, self.fits = [v.put({}) for v in chain.views], put(chain.fits, {})
        if self.fits is not True and Scope.of(("not", self.fits)).closed:
            self.fits = True
        self.fitted = chain.fits is not True
        self.shape, self.given = self.views[-1].shape, [h for h, _ in facts.given]
        self.index = tuple(f"#{a}" for a in range(len(self.shape)))
        self.points = dict[tuple[Index, int], tuple[str, Place]]()

    def box(self, index: Sequence[Tree], shape: Sequence[Tree] | None = None) -> Tree:
        """Formula: the index is in the box."""
        return both(within(index, [(0, n) for n in (self.shape if shape is None else shape)]))

    def lemma(self, claim: Tree, given: Sequence[Tree], what: str) -> Lemma:
        """A lemma; Rocq searches for a proof if no names are multiplied."""
        return self.book.lemma(claim, given, what, search=all(map(is_plain, (claim, *given))))

    def at(self, index: Index, many: int = 0) -> tuple[str, Place]:
        """Where `look` leads at an index of the first views: the term of its lemma, and the place."""
        views = self.views[: many or len(self.views)]
        if (index, len(views)) not in self.points:
            book, text, about = self.book, self.text, self.facts.about
            found = place(views, index, text)
            own, name = [n for n in names(*index) if n not in about], book.name("at'")
            given = "".join(f"{text.premise(f)} -> " for f in self.facts.formulas)
            says = f"sv_at (look {text.chain(views)} {text.row(index)})"
            parts = [enclosed(text.premise(f)) for f in (found.outside, found.valid)] + [text.integer(found.address)]
            taken = " ".join([*[text.names[n] for n in (*about, *own)], *self.given])
            book.text.append("\n".join([
                f"Lemma {name} : {text.binder([*about, *own])}{given}", f"  {says}", f"    {' '.join(parts)}.",
                f"Proof. intros{' ' * bool(taken)}{taken}. eapply sv_at_as.", "{", *found.proof, "}",
                "{ sv_both. }", "{ sv_both. }", "{ reflexivity. } Qed.",
            ]))  # fmt: skip
            self.points[index, len(views)] = (f"({name} {taken})", found)
        return self.points[index, len(views)]

    # one view leads where the chain does

    def leads(self, found: View, known: Sequence[Tree]) -> Iterator[str]:
        """Proves that a view leads where the chain does."""
        v = found.put({})
        if False in known:
            yield "exfalso; sv_side."
            return
        if self.fitted:
            yield f"split; [{self.shown(self.fits, known, 'that the sizes agree')}|]."
        if self.small() and not names(*v.entries()):
            yield "apply sv_leads; [vm_cast_no_check (eq_refl true)|reflexivity]."
            return
        if len(v.shape) != len(self.shape):
            raise Open("that the view has the same rank")
        pairs = [("==", a, b) for a, b in zip(self.shape, v.shape, strict=True) if a != b]
        same = [self.shown(f, known, "that the sizes agree") for f in pairs]
        alike = f"cbn [shape_of]; repeat f_equal; [{'|'.join(same)}]" if same else "reflexivity"
        yield f"split; [{alike}|]. {_taken([self.text.integer(n) for n in self.index])}."
        point, there = self.at(self.index)
        given = [f for f in (self.box(self.index), *known) if f is not True]
        free = self._free(known)
        fixed = [f for f in given if not degree(f, free)]
        mask = [(0, 0)] * len(self.shape) if v.void else v.mask
        shown, row = True if mask is None else both(within(self.index, mask)), self.text.row(self.index)
        bounds = "; ".join(f"({self.text.bare(a)}, {self.text.bare(b)})" for a, b in mask or ())
        line = f"(dot {self.text.row(v.strides)} {row} + {self.text.integer(v.offset)})"
        yield f"refine (sv_shown _ _ _ _ (in_mask [{bounds}] {row}) {line} {point} _ _ _)."
        yield f"{{ {self.shown(('not', there.outside), fixed, 'that nothing is out of bounds', 'sv_both')}. }}"
        yield f"{{ transitivity ({self.text.formula(shown)})."
        yield f"{{ {self.shown(('<->', there.valid, shown), fixed, 'that the masks hide the same', 'sv_both')}. }}"
        yield "symmetry; clear; sv_mask. }"
        yield "{ intros v'; cbn [dot]."
        reached = address(self.index, v.strides, v.offset)
        yield from self._equal(there.address, reached, line, free, known, [*fixed, there.valid])
        yield "}"

    def small(self) -> bool:
        """Whether the chain is of numbers, and every index can be computed."""
        return not names(*[x for v in self.views for x in v.entries()]) and prod(self.shape) <= MANY

    def shown(self, claim: Tree, known: Sequence[Tree], what: str, evident: str = "sv_side") -> str:
        """The tactics that prove a formula from its computed form; `evident` if that is true by itself."""
        claim = put(claim, {})
        return evident if claim is True else self.book.shown(self.lemma(claim, known, what))

    def _free(self, known: Sequence[Tree]) -> list[str]:
        """The free names: those that occur only in addresses and equations, and linearly."""
        free = free_of(self.views, *[f for f in known if f[0] != "=="])
        for _, x, y in (f for f in known if f[0] == "=="):
            free = free if degree(made("-", x, y), free) < 2 else [n for n in free if n not in names(x, y)]
        return free

    def _equal(self, there: Tree, mine: Tree, line: str, free: Sequence[str], known: Sequence[Tree],
               given: list[Tree]) -> Iterator[str]:  # fmt: skip
        """Proves two addresses equal: minus multiples of the equations, their difference has the coefficients 0."""
        text, equations = self.text, [f for f in known if f[0] == "=="]
        factor, by, apart = _less(linear(made("-", there, mine), free), equations, free)
        sides = {k: f"({text.integer(equations[k][1])} - {text.integer(equations[k][2])})" for k in by}
        sums = [f"{text.integer(m)} * {sides[k]}" for k, m in by.items()]
        zeros = [f"y'{k}" for k in by]
        for k, side in sides.items():
            yield f"assert (y'{k} : {side} = 0) by lia."
        for n, coefficient in apart.items():
            lemma = self.lemma(("==", coefficient, 0), given, "that the equations are sufficient")
            zeros.append(f"z'{len(zeros)}")
            yield f"assert ({zeros[-1]} : {text.integer(coefficient)} = 0) by ({self.book.use(lemma)})."
            sums.append(f"{text.integer(coefficient)} * {text.names[n] if n else '1'}")
            given = [*given, ("==", coefficient, 0)]
        yield f"apply (sv_same {text.integer(factor)}); [lia|]."
        yield f"transitivity ({' + '.join(sums) or '0'}); [ring|{''.join(f'rewrite ?{h}; ' for h in zeros)}ring]."

    # what holds if there is one view

    def needed(self, hypothesis: str, claim: Tree, known: Sequence[Tree], indices: Sequence[Index] = (),
               outside: bool = False) -> Iterator[str]:  # fmt: skip
        """Proves a formula, or False, from the hypothesis that the chain is one view."""
        known = [f for f in (*known, self.fits) if f is not True]
        formulas, values, lemma = self._forced(put(claim, {}), known, indices, outside)
        yield f"destruct {hypothesis} as [fit' hyp']." if self.fitted else f"pose proof {hypothesis} as hyp'."
        for n, (formula, proof) in enumerate(formulas):
            yield f"assert (t'{n} : {self.text.formula(formula)})."
            yield from ("{", *proof, "}")
        yield from values
        used = f"assert (k' : {self.text.formula(lemma.claim)}) by ({self.book.use(lemma)})"
        yield f"exfalso; first [contradiction|{used}; contradiction|lia]." if claim is False else f"{used}; sv_side."

    def _forced(self, claim: Tree, given: Sequence[Tree], indices: Sequence[Index],
                outside: bool) -> tuple[list[Told], list[str], Lemma]:  # fmt: skip
        """Formulas of indices that imply the claim, tactics that give quotients in them their values, and the lemma."""
        what, told, hints = "that the equations of a case are necessary", list[Told](), list[Told]()
        entries = [x for v in self.views for x in v.entries()]
        about = names(*given, *entries, claim)
        free = [("==", n, n) for n in names(*entries)]
        points = [*islice(failures(Obligation(what, False, [*given, *free])), CLAIMED)]
        if outside:
            told = [t for side in "<>" if (t := self._in_bounds(self.corner(side))).formula is not True]
        else:
            rows = [tuple([_fitted(x, points) for x in i]) for i in indices if len(i) == len(self.shape)]
            hints = [self._line((0,) * len(i), i) for i in rows]
        for _ in range(ROUNDS):
            goal = Obligation(what, claim, [*given, *[t.formula for t in told]])
            found = next(failures(goal), None)
            if found is None:
                valued, proof = self._valued([t.formula for t in told], points, given)
                formulas = [*given, *[t.formula for t in told], *valued]
                return told, proof, self.book.lemma(claim, formulas, what, search=False)
            at = {n: found.get(n, 0) for n in about}
            more = [h for h in hints if h not in told and not holds(compiled(h.formula), at)]
            many = len(claim) - 1 if type(claim) is tuple and claim[0] == "and" else 1
            told += more[:many] or [self._why_not(at, what)]
        raise Open(what)

    def _valued(self, formulas: Sequence[Tree], points: Any, given: Sequence[Tree]) -> tuple[list[Tree], list[str]]:
        """Equations of quotients and their values, the inner ones first, and the tactics that prove them."""
        parts = [t for f in formulas for t in reversed([*walk(f)]) if type(t) is tuple and t[0] in ("//", "%")]
        found, proof = list[Tree](), list[str]()
        for t in dict.fromkeys(parts):
            if (value := _fitted(t, points)) != t:
                with suppress(Open):
                    lemma = self.lemma(("==", t, value), [*given, *found], "the value of a digit")
                    says = self.text.formula(lemma.claim)
                    proof.append(f"assert (r'{len(found)} : {says}) by ({self.book.use(lemma)}).")
                    found.append(("==", t, value))
        return found, proof

    def _why_not(self, at: Mapping[str, int], what: str) -> Told:
        """A formula that holds wherever the chain is one view, but not at these values; tries all indices there."""
        if (broken := breaking(self.views, at, self.book.effort)) is None:
            raise Open(what)
        near, index = broken
        if not near:
            return self._in_bounds(index)
        return self._line(near[0], index) if len(near) == 1 else self._hole([*dict.fromkeys(near)], index)

    def corner(self, side: str, number: int = -1) -> Index:
        """The corner of a view with the least or the greatest address."""
        v = self.views[number]
        bounds = v.mask or [(0, n) for n in v.shape]
        rows = zip(bounds, v.strides, strict=True)
        return tuple(made("if", made(side, t, 0), a, made("-", b, 1)) for (a, b), t in rows)

    def _there(self, index: Index) -> Tree:
        """Formula: the index is in the box, and no mask hides it."""
        return both(self.box(index), self.at(index)[1].valid)

    def _in_bounds(self, index: Index) -> Told:
        """Proves that nothing is out of bounds at an index."""
        box, (point, found) = self.box(index), self.at(index)
        proof = ["intros b'."] if box is not True else ["pose proof I as b'."]
        return Told(implication([box], made("not", found.outside)),
                    [*proof, f"apply (sv_one_inside _ _ _ _ _ hyp' {point}); sv_at_index b'."])  # fmt: skip

    def _hole(self, ends: Sequence[Index], index: Index) -> Told:
        """Proves that no mask hides an index between indices that none hides."""
        given, text = [self._there(p) for p in ends], self.text
        taken = _numbered("t", [f is not True for f in given])
        rows, point = [text.row(p) for p in ends], self.at(index)[0]
        near = [
            f"apply Forall_cons; [eexists; sv_reached {self.at(p)[0]} {t}|]" for p, t in zip(ends, taken, strict=True)
        ]
        return Told(implication(given, self.at(index)[1].valid), [
            f"intros {' '.join(t for t in taken if t != 'I')}.",
            f"refine (sv_hole _ [{'; '.join(rows)}] _ _ _ _ hyp' {point} _ _ eq_refl); [sv_at_index I|].",
            f"{'; '.join(near)}; apply Forall_nil.",
        ])  # fmt: skip

    def _line(self, low: Index, index: Index) -> Told:
        """Proves that an address is that of the one view through `low` and its neighbours."""
        text, (first, start), (last, end) = self.text, self.at(low), self.at(index)
        moves = [made("-", x, k) for x, k in zip(index, low, strict=True)]
        near = {a: moved(low, a, made("+", low[a], 1)) for a, d in enumerate(moves) if d != 0}
        steps = {a: self.at(p)[1].address for a, p in near.items()}
        given = [self._there(low), self._there(index)]
        given += [either(made("==", index[a], low[a]), self._there(p)) for a, p in near.items()]
        taken = _numbered("t", [f is not True for f in given])
        told, by = [t for t in taken if t != "I"], dict(zip(near, taken[2:], strict=True))
        pairs = "; ".join([f"({text.integer(d)}, {text.integer(steps.get(a, 0))})" for a, d in enumerate(moves)])
        ways = [f"split; [{f'sv_step_by {self.at(near[a])[0]} {by[a]}' if a in near else 'left; reflexivity'}|]"
                for a in range(len(moves))]  # fmt: skip
        line = f"sv_line _ {text.row(low)} {text.row(index)} _ _ _ [{pairs}] _ _ hyp' {last}"
        sums = [made("*", moves[a], made("-", step, start.address)) for a, step in steps.items()]
        here = [f"sv_at_index {taken[1]}"] * 2
        return Told(implication(given, ("==", made("+", start.address, *sums), end.address)), [
            f"intros {' '.join(told)}." if told else "",
            f"refine ({line} _ _ _ _ _ _); [{'|'.join(here)}|sv_reached {first} {taken[0]}| | |].",
            f"{{ {'; '.join([*ways, 'exact I'])}. }}",
            "{ cbn [sv_moves]; repeat split; ring. }",
            "{ cbn [sv_sum]; ring. }",
        ])  # fmt: skip

    # whether a view leads out of the one before

    def leaves(self, known: Sequence[Tree]) -> Iterator[str]:
        """Proves that a view leads out of the one before: at a corner, or at one of all."""
        corners = list[tuple[int, Index, Tree]]()
        for number in range(len(self.views) - 1, 0, -1):
            for c in dict.fromkeys(self.corner(side, number) for side in "<>"):
                outside = put(both(self.box(c, self.views[number].shape), self.at(c, number + 1)[1].outside), {})
                corners += [(number, c, outside)] if outside is not False else []
        corners = [c for c in corners if c[-1] is True][:1] or corners
        claim = either(*[f for *_, f in corners])
        used = self.book.use(self.lemma(claim, known, "that a view leads out of the one before"))
        yield f"assert (w' : {self.text.formula(claim)}) by ({used})."
        yield cases_of(len(corners))
        for number, c, _ in corners:
            yield f"{{ {'right; ' * (len(self.views) - 1 - number)}left."
            yield f"exists {self.text.row(c)}; split; [cbn [shape_of in_box]; sv_inside w'|]."
            yield f"apply (proj1 {self.at(c, number + 1)[0]}); sv_inside w'. }}"

    def stays(self, known: Sequence[Tree]) -> Iterator[str]:
        """Proves that no view leads out of the one before."""
        what = "that nothing is out of bounds"
        if False in [put(f, {}) for f in known] or (known and Scope.of(("and", *known)).closed):
            yield f"exfalso; {self.book.use(self.lemma(False, known, what))}."
            return
        for number in range(len(self.views) - 1, 0, -1):
            shape = self.views[number].shape
            index = tuple(f"#{a}" for a in range(len(shape)))
            point, there = self.at(index, number + 1)
            took = _taken([self.text.integer(n) for n in index])
            yield f"intros [(i' & b' & o')|h']; [revert i' b' o'; {took}|revert h']."
            given = [f for f in (self.box(index, shape), *known) if f is not True]
            outside = self.shown(("not", there.outside), given, what, "sv_both")
            yield f"{{ refine (sv_inside_at _ _ _ _ {point} _). {outside}. }}"
        yield "intros [(i' & _ & o')|[]]; exact (sv_first_inside _ _ o')."


def _fitted(tree: Tree, points: Sequence[Mapping[str, int]]) -> Tree:
    """A polynomial with the values of an expression at these points; the expression itself if none is found."""
    about = [*names(tree)]
    if not points or not any(type(t) is tuple and t[0] not in ("+", "-", "*", "neg") for t in walk(tree)):
        return tree
    products = [("*", a, b) for a, b in combinations(about, 2)]
    tried = (0, 1, -1, 2, *about, *[("-", n, 1) for n in about], *products) if about else ()
    same = ((one, compiled(("==", one, tree))) for one in tried)
    return next((one for one, says in same if all(holds(says, at) for at in points)), tree)


def cases_of(count: int) -> str:
    """The tactic that distinguishes the parts of a disjunction w'."""
    pattern = "[w'|" * (count - 1) + "w'" + "]" * (count - 1)
    return "" if count == 1 else f"destruct w' as {pattern}." if count else "destruct w'."


def _listed(entries: Sequence[str]) -> str:
    """A pattern for a list of so many entries; others are left as they are."""
    return "".join([f"[|{entry} " for entry in entries]) + "[|? ?]" + "]" * len(entries)


def _taken(index: Sequence[str]) -> str:
    """The tactics that take an index of a box from the goal, and what it says."""
    told = " & ".join([*[f"b'{k}" for k in range(len(index))], "_"])
    bounds = f"destruct b' as ({told})" if index else "clear b'"
    return f"intros {_listed(index)} b'; cbn [shape_of in_box] in b'; try (exfalso; clear - b'; tauto); {bounds}"


def _less(apart: dict[str, Tree], equations: Sequence[Tree],
          free: Sequence[str]) -> tuple[int, dict[int, Tree], dict[str, Tree]]:  # fmt: skip
    """A factor, multiples of equations by their numbers, and the remaining coefficients of factor times form.

    Each equation in which a free name has a number as its coefficient eliminates that name.
    """
    factor, by, leads = 1, dict[int, Tree](), list[str]()
    for k, (_, x, y) in enumerate(equations):
        if not free or degree(made("-", x, y), free) > 1:
            continue
        form = linear(made("-", x, y), free)
        numbers = [n for n in free if n not in leads and type(form.get(n)) is int and form[n]]
        lead = next((n for n in numbers if apart.get(n, 0) != 0), None)
        if lead is not None:
            one, more = form[lead], apart[lead]
            by = {j: made("*", one, m) for j, m in by.items()} | {k: more}
            rest = {n: made("-", made("*", one, apart.get(n, 0)), made("*", more, form.get(n, 0)))
                    for n in dict.fromkeys((*apart, *form)) if n != lead}  # fmt: skip
            factor, apart, leads = factor * one, rest, [*leads, lead]
    return factor, by, {n: x for n, x in apart.items() if x != 0}


def _numbered(letter: str, wanted: Sequence[bool]) -> list[str]:
    """Names of hypotheses, and `I` for trivial ones."""
    return [f"{letter}'h{k}" if here else "I" for k, here in enumerate(wanted)]


def is_plain(t: Tree) -> bool:
    """Whether all divisors are numbers, and no names are multiplied."""
    for op, *parts in (x for x in walk(t) if type(x) is tuple):
        if op in ("//", "%") and type(parts[1]) is not int:
            return False
        if op == "*" and sum(type(p) is not int for p in parts) > 1:
            return False
    return True
