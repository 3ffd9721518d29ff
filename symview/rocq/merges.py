"""Main theorems of conditions of two views: the condition is equivalent to an affine map with these addresses.

Composed addresses are written out: `exists tau0 off, forall i0, in range -> in bounds /\\ address = off + tau0 * i0`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import Any

from symview.rocq.book import Book, Open
from symview.rocq.guards import inexact
from symview.rocq.statements import implied, put_raw
from symview.rocq.views import OneView, alternatives
from symview.trusted.document import Object, chain, formula, get
from symview.trusted.formulas import Tree, Values, compiled, linear, made, names, put, walk
from symview.trusted.linear import Scope
from symview.verify.kinds.conditions import Merges
from symview.verify.meaning import Case
from symview.verify.obligations import holds

TRIED, CLAIMED = 400, 200  # values at which expressions are compared, and at which a witness is tried


def conditions(book: Book, question: Object, evidence: Object) -> str:
    """`facts -> ((exists strides offset, forall index, address = …) <-> condition)`; Open where it is not shown."""
    return _written(book, question, evidence)


def _written(book: Book, question: Object, evidence: Object, says: Tree = None) -> str:
    """The theorem in digits that are written out, where that is shown; else over `look`."""
    trial = Book()
    try:
        if _simple(question):
            found = _Merge(trial, question, evidence, says).theorem()
            book.become(trial)
            return found
    except Open:
        pass
    return OneView(book, question, evidence, says).theorem()


def _simple(question: Object) -> bool:
    """Whether there are two views without masks: their digits are written out."""
    views = chain(question, "views", 2)
    return len(views) == 2 and all(v.mask is None and not v.void for v in views)


def guard(book: Book, question: Object, evidence: Object) -> str:
    """`facts -> ((exists strides offset, …) <-> guard)`, of an exact guard; else values at which it is wrong."""
    if "views" not in question:
        raise Open("no main theorem is written for guards of other questions yet")
    if get(question, "verdict", str) != "exact":
        return inexact(book, question, evidence)
    return _written(book, question, evidence, formula(question.get("guard")))


class _Merge:
    """Builds the theorem of one certificate."""

    def __init__(self, book: Book, question: Object, evidence: Object, guard: Tree = None) -> None:
        self.book, self.printer, self.guard = book, book.printer, guard
        asked = Merges(question, evidence, book.effort)
        self.cases, views = asked.cases, asked.views
        if len(views) != 2 or any(v.mask is not None or v.void for v in views):
            raise Open("a main theorem of more than two views, or of masks")
        if any(c.status == "undecided" for c in self.cases):
            raise Open("an undecided case")
        book.library.add("Solve")
        self.outer, self.inner = views
        self.fitting, told = asked.fitting, [put(f, {}) for f in asked.facts]
        self.facts = [f for f in dict.fromkeys(told) if f is not True and not implied(f, told)]
        if Scope.of(("not", self.fitting)).closed:
            self.fitting = True
        self.index = [f"#{k}" for k in range(len(self.inner.shape))]
        self.strides = [f"#tau{k}" for k in range(len(self.index))]
        for k, n in enumerate(self.strides):
            book.names[n] = f"tau{k}"
        self.places = [put(("*", 1, *self.outer.shape[k + 1 :]), {}) for k in range(len(self.outer.shape))]
        self.size = put(("*", 1, *self.outer.shape), {})
        wheres = [c.where for c in self.cases]
        self.fixed = [*names(*self.outer.shape, *self.inner.entries(), *self.facts, self.fitting, *wheres)]
        self.free = [n for n in names(*self.outer.strides, self.outer.offset) if n not in self.fixed]

    # the statement

    def flat(self, index: Sequence[Tree]) -> Tree:
        """The flat index that the inner view has at an index."""
        return made("+", 0, *map(_times, self.inner.strides, index), self.inner.offset)

    def digits(self, index: Sequence[Tree]) -> list[Tree]:
        """Its digits in the outer view; the first one is unbounded."""
        flat, found = self.flat(self.index), list[Tree]()
        for k, (n, place) in enumerate(zip(self.outer.shape, self.places, strict=True)):
            above = flat if place == 1 else ("//", flat, place)
            found.append(above if k == 0 else ("%", above, n))
        return [put_raw(d, dict(zip(self.index, index, strict=True))) for d in found]

    def address(self, digits: Sequence[Tree]) -> Tree:
        """The address at these digits."""
        return made("+", 0, *map(_times, self.outer.strides, digits), self.outer.offset)

    def box(self, index: Sequence[Tree]) -> list[Tree]:
        """The statement that an index is in the box."""
        return [f for x, n in zip(index, self.inner.shape, strict=True) for f in (("<=", 0, x), ("<", x, n))]

    def live(self) -> list[Case]:
        """The cases in which there is a view."""
        return [c for c in self.cases if c.status in ("always", "when")]

    def theorem(self) -> str:
        """The statement and its proof."""
        text, about = self.printer, [*self.free, *self.fixed]
        bounds = "".join(f"0 <= {text.integer(x)} < {text.integer(n)} -> "
                         for x, n in zip(self.index, self.inner.shape, strict=True))  # fmt: skip
        tau, sums = [text.integer(t) for t in self.strides], [text.integer(x) for x in self.index]
        line = " + ".join(["off", *[f"{t} * {x}" for t, x in zip(tau, sums, strict=True)]])
        flat, digits = self.flat(self.index), self.digits(self.index)
        fits = "" if self.fitting is True else f"{text.premise(self.fitting)} /\\ "
        head = "\n".join([
            f"Theorem main : {text.binder(about)}{''.join(f'{text.premise(f)} -> ' for f in self.facts)}".rstrip(),
            f"  ({fits}(exists {' '.join([*tau, 'off'])} : Z, {text.binder(self.index)}{bounds}".rstrip(),
            f"      0 <= {text.bare(flat)} < {text.integer(self.size)} /\\",
            f"      {text.bare(self.address(digits))} = {line})",
            f"   <-> {self.condition()}).",
        ])  # fmt: skip
        facts = [f"f'{k}" for k in range(len(self.facts))]
        taken = f"intros {' '.join([*[self.book.names[n] for n in about], *facts])}."
        proof = [*self._by_guard(), "split.", *self._left_to_right(tau), *self._right_to_left()]
        return "\n".join([head, "Proof.", taken, *proof, "Qed."])

    def _by_guard(self) -> Iterator[str]:
        """Proves that the guard is equivalent to the cases."""
        if self.guard is not None:
            parts = [_all(put(c.where, {}), *c.equations) for c in self.live()]
            cases = ("or", *parts) if len(parts) > 1 else parts[0] if parts else False
            lemma = self.book.lemma(("<->", cases, self.guard), self.facts, "that the guard is equivalent to the cases")
            yield f"assert (g' : {self._cases()} <-> {self.printer.premise(self.guard)}) by ({self.book.use(lemma)})."
            yield "refine (iff_trans _ g'); clear g'."

    def condition(self) -> str:
        """The condition for a view: the guard, or the cases with their equations."""
        return self._cases() if self.guard is None else self.printer.premise(self.guard)

    def _cases(self) -> str:
        parts = [self.printer.all([put(c.where, {}), *c.equations]) for c in self.live()]
        text = "\n    \\/ ".join(f"({p})" for p in parts) or "False"
        return f"({text})" if len(parts) > 1 else text

    # left to right: if there is a view, the condition holds

    def _left_to_right(self, tau: Sequence[str]) -> Iterator[str]:
        fits = "" if self.fitting is True else "fit' & "
        pattern = " & ".join([*tau, "off", "hyp'0"])
        yield f"{{ intros ({fits}{pattern})."
        wheres = [put(c.where, {}) for c in self.cases]
        cover = ("or", *wheres) if len(wheres) > 1 else wheres[0]
        if cover is True:
            yield "assert (w' := I)."
        else:
            lemma = self.book.lemma(cover, self.facts, "that the cases cover all values")
            yield f"assert (w' : {self.printer.formula(cover)}) by ({self.book.use(lemma)})."
            yield f"destruct w' as {alternatives(len(wheres))}." if len(wheres) > 1 else ""
        for case, where in zip(self.cases, wheres, strict=True):
            yield "{"
            yield from self._needed(case, where)
            yield "}"
        yield "}"

    def _chosen(self, case: Case) -> str:
        k, n = self.live().index(case), len(self.live())
        return "right; " * k + ("left; " if k < n - 1 else "")

    def _needed(self, case: Case, where: Tree) -> Iterator[str]:
        if case.status == "out_of_bounds":
            yield from self._outside(where)
        elif case.status == "never":
            yield "exfalso."
            yield from self._instances(case, where)
            yield "lia."
        else:
            if case.status == "when":
                yield from self._instances(case, where)
            yield f"{self._chosen(case)}repeat split; first [exact w' | exact I | lia]."

    def _given(self, where: Tree) -> list[Tree]:
        return [f for f in (*self.facts, where, self.fitting) if f is not True]

    def _outside(self, where: Tree) -> Iterator[str]:
        """Proves that the first or the last index is out of bounds."""
        ends = zip(self.inner.shape, self.inner.strides, strict=True)
        last = [("-", n, 1) if type(t) is not int or t > 0 else 0 for n, t in ends]
        first = [0 if x != 0 else ("-", n, 1) for x, n in zip(last, self.inner.shape, strict=True)]
        for index in (last, first):
            flat = self.flat(index)
            inside = ("and", ("<=", 0, flat), ("<", flat, self.size))
            try:
                lemma = self.book.lemma(("not", inside), self._given(where), "that a case is out of bounds")
            except Open:
                continue
            at = " ".join(self.printer.integer(x) for x in index)
            yield f"exfalso; destruct (hyp'0 {at}) as [x' _]; [sv_side..|revert x'; {self.book.use(lemma)}]."
            return
        raise Open("that a case is out of bounds")

    def _instances(self, case: Case, where: Tree) -> Iterator[str]:
        """The addresses at witnesses, with a value for each digit, from which the strides follow."""
        seen: dict[tuple[Tree, ...], str] = {}
        zero: tuple[Tree, ...] = (0,) * len(self.index)
        for index in self._witnesses(case, where):
            units = [self._unit(k) for k, x in enumerate(index) if x != 0]
            for x in (zero, *units, index):
                if x not in seen:
                    seen[x] = f"hyp'{len(seen) + 1}"
                    yield from self._instance(x, seen[x], where)
        for k in range(len(self.index)):
            if (unit := self._unit(k)) in seen:
                value = ("-", self._value(unit, where), self._value(zero, where))
                yield f"assert (v{k} : tau{k} = {self.printer.integer(value)}) by lia; rewrite v{k} in *."

    def _instance(self, index: Sequence[Tree], name: str, where: Tree) -> Iterator[str]:
        text = self.printer
        at = " ".join(text.integer(x) for x in index)
        sides = " ".join("ltac:(sv_side)" for _ in index)
        yield f"assert ({name} := proj2 (hyp'0 {at} {sides}))."
        for d in dict.fromkeys(self.digits(index)):
            value = self._fitted(d, where)
            if type(d) is not tuple or d == value:
                continue
            swap = f"({text.integer(d)}) with ({text.integer(value)})"
            if not names(d):
                yield f"change {swap} in {name}."
            elif put(d, {}) == value:
                yield f"replace {swap} in {name} by sv_cong."
            else:
                lemma = self.book.lemma(("==", put(d, {}), value), self._given(where), "the value of a digit")
                told = text.integer(put(d, {}))
                way = f"symmetry; transitivity ({told}); [sv_cong|{self.book.use(lemma)}]"
                yield f"replace {swap} in {name} by ({way})."

    def _unit(self, axis: int) -> tuple[Tree, ...]:
        return tuple(int(k == axis) for k in range(len(self.index)))

    def _value(self, index: Sequence[Tree], where: Tree) -> Tree:
        return self.address([self._fitted(d, where) for d in self.digits(index)])

    def _witnesses(self, case: Case, where: Tree) -> list[tuple[Tree, ...]]:
        """The useful indices: those of numbers, else those that can be written as polynomials."""
        indices = [i for i in case.hints if len(i) == len(self.index)]
        found = [i for i in indices if all(type(x) is int for x in i)]
        if found:
            return [i for i in found if self._tells(i, case, where)][: len(case.equations) + 1]
        for index in indices:
            try:
                fitted = tuple(self._fitted(x, where) for x in index)
            except Open:
                continue
            if fitted not in found and self._tells(fitted, case, where):
                found.append(fitted)
            if len(found) > len(case.equations):
                break
        return found

    def _tells(self, index: Sequence[Tree], case: Case, where: Tree) -> bool:
        """Whether an index is in the box, and breaks the merge at some values where the equations fail."""
        inside = compiled(("and", True, *self.box(index)))
        says = compiled(("and", True, *case.equations)) if case.equations else lambda at: False
        there = [compiled(self.address(self.digits(x))) for x in ((0,) * len(index), index)]
        units = [(compiled(x), compiled(self.address(self.digits(self._unit(k))))) for k, x in enumerate(index)]
        told = False
        for at in self._points(where, (*self.free, *self.fixed)):
            if not holds(inside, at):
                return False
            base, reached = (f(at) for f in there)
            line = base + sum(x(at) * (f(at) - base) for x, f in units)
            told |= not says(at) and reached != line
        return told

    def _points(self, where: Tree, about: Sequence[str]) -> Sequence[Values]:
        """Values that satisfy the facts."""
        rng, meets = Random(1), compiled(("and", True, *self._given(where)))
        near = sorted({x for f in (*self._given(where),) for x in _numbers(f)} | {1, 2, 3})
        some = ({n: rng.choice((rng.randint(1, 12), rng.choice(near) + rng.randint(-1, 2))) for n in about}
                for _ in range(TRIED * 10))  # fmt: skip
        found = []
        for at in some:
            if holds(meets, at):
                found.append(at)
            if len(found) == CLAIMED:
                break
        return found

    def _fitted(self, tree: Tree, where: Tree) -> Tree:
        """A polynomial with these values; raises Open if none is found."""
        about = list(names(tree))
        if not about:
            return put(tree, {})
        points, value = self._points(where, self.fixed), compiled(tree)
        shifted = [("-", n, 1) for n in about]
        products = [("*", a, b) for a, b in combinations(about, 2)]
        plain = [] if any(type(t) is tuple and t[0] not in ("+", "-", "*", "neg") for t in walk(tree)) else [tree]
        for one in (0, 1, -1, 2, *about, *shifted, *products, *plain):
            run = compiled(one)
            if points and all(_same(run, value, at) for at in points):
                return one
        raise Open("a digit that is no polynomial")

    # right to left: the certificate's strides have these addresses

    def _right_to_left(self) -> Iterator[str]:
        live = self.live()
        yield f"{{ intros {alternatives(len(live))}." if live else "{ intros []."
        for case in live:
            yield "{"
            yield from self._enough(case)
            yield "}"
        yield "}"

    def _enough(self, case: Case) -> Iterator[str]:
        book, text, where = self.book, self.printer, put(case.where, {})
        equations = [f"e'{k}" for k in range(len(case.equations))]
        parts = [*([] if where is True else ["w'0"]), *equations]
        yield (
            f"destruct w' as ({' & '.join(parts)})."
            if len(parts) > 1
            else f"rename w' into {parts[0]}."
            if parts
            else ""
        )
        if self.fitting is not True:
            lemma = book.lemma(self.fitting, [f for f in (*self.facts, where) if f is not True], "that the sizes agree")
            yield f"split; [{book.use(lemma)}|]."
        by: dict[str, Tree] = {}
        for _, x, y in case.equations:
            if type(x) is not str or x in names(y) or x in by or x not in self.free:
                raise Open("an equation that gives no stride its value")
            y = put(y, by)
            by = {n: put(t, {x: y}) for n, t in by.items()} | {x: y}
            yield f"subst {book.names[x]}."
        strides, offset = [put(t, by) for t in case.found.strides], put(case.found.offset, by)
        yield f"exists {', '.join(map(text.integer, [*strides, offset]))}."
        taken = [*map(text.integer, self.index), *[f"b'{k}" for k in range(len(self.index))]]
        yield f"intros {' '.join(taken)}." if taken else ""
        given = [*self._given(where), *self.box(self.index)]
        flat = self.flat(self.index)
        low, high = (book.lemma(f, given, "that nothing is out of bounds")
                     for f in (("<=", 0, flat), ("<", flat, self.size)))  # fmt: skip
        yield f"split; [split; [{book.use(low)}|{book.use(high)}]|]."
        line = made("+", offset, *map(_times, strides, self.index))
        yield from self._equal(("-", put(self.address(self.digits(self.index)), by), line), by, given)

    def _equal(self, apart: Tree, by: dict[str, Tree], given: list[Tree]) -> Iterator[str]:
        """Proves that both addresses are the same: each coefficient of a free name is 0."""
        for n, coefficient in linear(apart, [n for n in self.free if n not in by]).items():
            if coefficient == 0:
                continue
            zero = ("==", coefficient, 0)
            lemma = self.book.lemma(zero, given, "that the equations are sufficient")
            given = [*given, zero]
            name = f"k'{len(given)}"
            yield f"assert ({name} : {self.printer.formula(zero)}) by ({self.book.use(lemma)})."
            if n:
                yield f"pose proof (f_equal (Z.mul {self.book.names[n]}) {name})."
        yield "sv_atoms; lia."


def _all(*formulas: Tree) -> Tree:
    parts = [f for f in formulas if f is not True]
    return ("and", *parts) if len(parts) > 1 else parts[0] if parts else True


def _times(a: Tree, b: Tree) -> Tree:
    return made("*", a, b)


def _numbers(tree: Tree) -> Iterator[int]:
    return (x for x in walk(tree) if type(x) is int and abs(x) < 1000)


def _same(one: Any, other: Any, at: Values) -> bool:
    try:
        return bool(one(at) == other(at))
    except ArithmeticError:
        return False
