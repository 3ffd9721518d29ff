"""Main theorems of operations on layouts with names: there is an answer exactly if the cases say so, and it is theirs.

`facts -> ((exists R, layout_composes A B R) <-> condition) /\\ (case -> layout_composes A B R) /\\ …`: of compositions,
and of divisions, where B is the tile and its complement. Other operations have such statements of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise, product
from math import prod
from operator import mul
from typing import Any, NamedTuple

from symview.rocq.book import Book, Open
from symview.trusted.document import Object
from symview.trusted.formulas import Tree, conjuncts, degree, linear, made, names, put
from symview.verify.kinds.layout_conditions import Layouts
from symview.verify.kinds.layouts import paired, pairs_of
from symview.verify.kinds.maps import leaves, modes
from symview.verify.meaning import Case

FEW = 8  # size of an inner layout if the outer one's is symbolic: quotients by names are slow in Rocq
WAYS, INDICES = 40, 400  # ways to split an inner layout, and its size, to enumerate
Modes = Sequence[tuple[Tree, Tree]]


def conditions(book: Book, question: Object, evidence: Object) -> str:
    """The claims of the cases; raises Open if the operation has no main theorem, or it is not proved."""
    subject = Layouts(question, evidence, book.effort)
    if any(c.status == "undecided" for c in subject.cases):
        raise Open("an undecided case")
    book.library |= {"Solve", "Layouts"}
    if subject.operation in _ALONE and len(subject.given) == 1:
        return Alone(book, subject).theorem()
    if subject.operation in ("complement", "coalesce"):
        raise Open(f"no main theorem is written for conditions of {subject.operation} yet")
    return Composed(book, subject).theorem()


def at(layout: Modes, x: Tree) -> Tree:
    """The value of a layout at an index, as Rocq unfolds it."""
    if not layout:
        return 0
    (n, d), *rest = layout
    if not rest:
        return made("*", x, d)
    return made("+", made("*", made("%", x, n), d), at(rest, made("//", x, n)))


def size(layout: Modes) -> Tree:
    """The size of a layout."""
    return put(("*", 1, *[n for n, _ in layout]), {})


def conjunction(*formulas: Tree) -> Tree:
    """The conjunction, without trivial parts."""
    parts = [f for f in formulas if f is not True]
    return ("and", *parts) if len(parts) > 1 else parts[0] if parts else True


def equations(formulas: Sequence[Tree]) -> list[Tree]:
    """The equations among the formulas, and in their conjunctions."""
    return [f for f in conjuncts(formulas) if type(f) is tuple and f[0] == "=="]


class Conditions:
    """Builds the theorem of one certificate; subclasses define the operation."""

    def __init__(self, book: Book, subject: Layouts) -> None:
        self.book, self.printer, self.subject = book, book.printer, subject
        self.facts = [f for f in dict.fromkeys(put(f, {}) for f in subject.facts) if f is not True]
        self.live = [c for c in subject.cases if c.status != "never"]
        self.about = subject.names
        self.index = book.names["#0"]

    def says(self, case: Case) -> str:
        """The claim about the answer of a case."""
        raise NotImplementedError

    def answer(self, case: Case, by: dict[str, Tree], known: Sequence[Tree]) -> Iterator[str]:
        """The proof of this claim, under values of names and known formulas."""
        raise NotImplementedError

    def there(self) -> str:
        """The statement that there is an answer."""
        raise NotImplementedError

    def given(self, case: Case) -> str:
        """The tactics that prove this from x', the claim about the answer of a case."""
        raise NotImplementedError

    def needed(self, condition: Tree) -> Iterator[str]:
        """Proves the condition if there is an answer."""
        raise NotImplementedError

    def computed(self) -> Iterator[str]:
        """The tactics that compute with numbers, before values are substituted for names."""
        yield from ()

    # the statement

    def modes(self, of: Modes) -> str:
        """The list of modes, as text."""
        return f"[{'; '.join(f'({self.printer.bare(n)}, {self.printer.bare(d)})' for n, d in of)}]"

    def where(self, case: Case) -> list[Tree]:
        """The formulas that hold in a case."""
        return [f for f in (put(case.where, {}), *case.equations) if f is not True]

    def condition(self) -> tuple[Tree, str]:
        """The condition that one of the cases holds, as a formula and as text."""
        parts = [conjunction(*self.where(c)) for c in self.live]
        claim = True if True in parts else ("or", *parts) if len(parts) > 1 else parts[0] if parts else False
        text = "\n      \\/ ".join(f"({self.printer.formula(p)})" for p in parts) or "False"
        return claim, f"({text})" if len(parts) > 1 else text

    def theorem(self) -> str:
        """The statement and its proof."""
        text, claims = self.printer, [self.claim(c) for c in self.live]
        proved = [line for k, c in enumerate(self.live) for line in
                  (f"assert (c'{k} : {claims[k]}).", "{", *self.case(c), "}")]  # fmt: skip
        claim, proof = self.all()
        whole = f"c'{len(claims) - 1}"
        for k in range(len(claims) - 2, -1, -1):
            whole = f"(conj c'{k} {whole})"
        if not claim:
            proof = [f"exact {whole}."]
        elif claims:
            proof = [f"refine (conj _ {whole}).", *proof]
        says = "\n  /\\ ".join(f"({c})" for c in (claim, *claims) if c)
        facts = "".join(f"{text.premise(f)} -> " for f in self.facts)
        taken = [*map(self.book.names.__getitem__, self.about), *[f"f'{k}" for k in range(len(self.facts))]]
        return "\n".join([
            f"Theorem main : {text.binder(self.about)}{facts}".rstrip(), f"  {says}.",
            f"Proof. intros {' '.join(taken)}.", *proved, *proof, "Qed.",
        ])  # fmt: skip

    def all(self) -> tuple[str, list[str]]:
        """The statement that the cases say exactly when there is an answer, or cover all values; and its proof."""
        condition, cases = self.condition()
        if condition is True:
            return "", []
        if all(c.status == "always" for c in self.subject.cases):
            lemma = self.book.lemma(condition, self.facts, "that the cases cover all values")
            return cases, [f"{self.book.use(lemma)}."]
        try:
            needed = [*self.needed(condition)]
        except Open:
            if not self.live:
                raise
            self.book.open.append("that the condition is necessary: the main theorem says that it is sufficient")
            return "", []
        pattern = "w'" if self.live else "[]"
        for _ in self.live[1:]:
            pattern = f"[w'|{pattern}]"
        proof = ["split.", "{", *needed, "}", f"{{ intros {pattern}."]
        for k, case in enumerate(self.live):
            proof.append(f"{{ pose proof (c'{k} w') as x'; {self.given(case)}. }}")
        return f"({self.there()})\n      <-> {cases}", [*proof, "}"]

    def claim(self, case: Case) -> str:
        """The claim of a case."""
        where = conjunction(*self.where(case))
        return self.says(case) if where is True else f"{self.printer.premise(where)} -> {self.says(case)}"

    def case(self, case: Case) -> Iterator[str]:
        """Proves the claim of a case; equations give names their values."""
        yield from self.computed()
        where, by = self.where(case), dict[str, Tree]()
        if where:
            told = [f"w'{k}" for k in range(len(where))]
            yield f"intros {_pattern(told)}."
        for f in equations(where):
            for x, y in ((f[1], f[2]), (f[2], f[1])):
                if type(x) is str and x not in names(y) and x not in by:
                    value = put(y, by)
                    by = {n: put(t, {x: value}) for n, t in by.items()} | {x: value}
                    name = f"v'{len(by)}"
                    both = f"{self.book.names[x]} = {self.printer.bare(value)}"
                    yield f"assert ({name} : {both}) by lia; try rewrite {name} in *."
                    break
        known = [put(f, by) for f in (*self.facts, *where)]
        yield from self.answer(case, by, [f for f in known if type(f) is tuple and f[1] != f[-1]])

    # steps of proofs

    def followed(self, given: Sequence[Tree], condition: Tree) -> Iterator[str]:
        """Proves the condition from the facts and the given formulas."""
        what = "that the condition is necessary"
        if False in [put(f, {}) for f in given]:
            yield "exfalso; lia."
            return
        if condition is not False:
            yield f"{self.book.use(self.book.lemma(condition, [*self.facts, *given], what))}."
            return
        if not given:
            raise Open(what)
        never = ("not", given[-1])
        lemma = self.book.lemma(never, [*self.facts, *given[:-1]], what)
        yield f"assert (k' : {self.printer.formula(never)}) by ({self.book.use(lemma)}); apply k'; sv_side."

    def shown(self, claim: Tree, given: Sequence[Tree], what: str) -> str:
        """The tactics that prove a formula by a lemma, or by lia if it is trivial."""
        claim = put(claim, {})
        if type(claim) is tuple and claim[0] == "or":
            claim = True if True in claim else made("or", *[f for f in claim[1:] if f is not False])
        if claim is True:
            return "lia"
        lemma = self.book.lemma(claim, [g for g in given if g is not True], what)
        return f"assert (k' : {self.printer.formula(claim)}) by ({self.book.use(lemma)}); lia"

    def equal(self, one: Tree, other: Tree, strides: Sequence[Tree], fixed: Sequence[Tree],
              given: Sequence[Tree]) -> Iterator[str]:  # fmt: skip
        """Proves that values are equal: by their coefficients, or else by a lemma under all given formulas."""
        try:
            yield from [*self.alike(one, other, strides, fixed, given)]
        except Open:
            yield f"{self.shown(('==', one, other), given, 'that it has the right values')}."

    def alike(self, one: Tree, other: Tree, strides: Sequence[Tree], fixed: Sequence[Tree],
              given: Sequence[Tree]) -> Iterator[str]:  # fmt: skip
        """Proves that each name that occurs only in these strides has equal coefficients.

        An equation between such names eliminates one of them.
        """
        apart, others = made("-", one, other), names("#0", *fixed)
        free = [n for n in names(*strides) if n not in others and degree(apart, [n]) < 2]
        free = free if degree(apart, free) < 2 else free[:1]
        known = [f for f in given if f is not True and not set(names(f)) & set(free)]
        found, zeros = linear(apart, free), [("-", *f[1:]) for f in equations(given)]
        for zero in (z for z in zeros if degree(z, free) == 1):
            form = linear(zero, free)
            lead = next((n for n in free if found.get(n, 0) != 0 and type(form.get(n)) is int and form[n]), None)
            if lead is not None:
                by, times = found.pop(lead), form.pop(lead)
                yield f"assert (k' : {self.printer.integer(zero)} = 0) by lia."
                yield f"apply (f_equal (Z.mul {self.printer.integer(by)})) in k'; revert k'."
                found = {n: made("-", made("*", times, found.get(n, 0)), made("*", by, form.get(n, 0)))
                         for n in dict.fromkeys((*found, *form))}  # fmt: skip
        for n, coefficient in found.items():
            if coefficient == 0:
                continue
            zero = ("==", coefficient, 0)
            lemma = self.book.lemma(zero, known, "that it has the right values")
            yield f"assert (k' : {self.printer.formula(zero)}) by ({self.book.use(lemma)})."
            yield f"apply (f_equal (Z.mul {self.book.names[n] if n else 1})) in k'; revert k'."
        yield "intros; sv_atoms; lia."


class Pair(NamedTuple):
    """An outer and an inner layout, and their texts; `computed`: a text with a complement, and its modes."""

    outer: Modes
    inner: Modes
    texts: tuple[str, str]
    computed: tuple[str, str] | None = None


def splits(n: int) -> Iterator[list[int]]:
    """The products of primes that equal a size, in the library's order."""
    if n == 1:
        yield []
    for p in range(2, n + 1):
        if n % p == 0 and all(p % q for q in range(2, p)):
            yield from ([p, *rest] for rest in splits(n // p))


class Composed(Conditions):
    """Compositions, with a tiler mode by mode; divisions and products are compositions with a complement."""

    def __init__(self, book: Book, subject: Layouts) -> None:
        super().__init__(book, subject)
        order, _, kind = subject.operation.rpartition("_")
        if subject.operation == "tile_to_shape":
            order, kind = "blocked", "product"
        (a, by), self.kind = subject.given, kind
        a, by = paired(order, a, by) if order in ("blocked", "raked") else (a, by)
        self.met = pairs_of(a, by)
        self.pairs = [_PAIR[kind](self, leaves(x), leaves(y)) for x, y in self.met]

    def composition(self, x: Modes, y: Modes) -> Pair:
        """A ∘ B."""
        return Pair(x, y, (self.modes(x), self.modes(y)))

    def division(self, x: Modes, y: Modes) -> Pair:
        """A ∘ (B, C) for the complement C of B up to size(A)."""
        if names(*[e for m in y for e in m]) or (names(size(x)) and len(x) > 2):
            raise Open("a main theorem of divisions by a tile with symbols, or of many symbolic sizes")
        text, rest = f"layout_complement {self.modes(y)} (layout_size {self.modes(x)})", complement(y, filled=True)
        after = self.rest(rest, f"layout_size {self.modes(x)}")
        rest[-1] = (put(("ceildiv", size(x), rest[-1][1]), {}), rest[-1][1])
        after = after if names(size(x)) else self.modes(rest)
        return Pair(x, [*y, *rest], (self.modes(x), f"({self.modes(y)} ++ {text})"), (text, after))

    def rest(self, copies: Modes, bound: str) -> str:
        """The complement with these copies; its last mode reaches the bound."""
        _, reach = copies[-1]
        return f"({self.modes(copies[:-1])} ++ [(ceildiv ({bound}) {reach}, {reach})])"

    def product(self, x: Modes, y: Modes) -> Pair:
        """C ∘ B for the complement C of A, whose last mode has no end."""
        if names(*[e for m in x for e in m]):
            raise Open("a main theorem of products of layouts with symbols")
        copies, bound = complement(x, filled=False), f"layout_size {self.modes(x)} * layout_cosize {self.modes(y)}"
        text = f"(layout_complement {self.modes(x)} ({bound}))"
        return Pair(copies, y, (text, self.modes(y)), (text, self.rest(copies, bound)))

    def composes(self, pair: Pair, found: str) -> str:
        """The statement that layouts are the composition."""
        return f"layout_composes {' '.join(pair.texts)} {found}"

    def computed(self) -> Iterator[str]:
        """The tactics that compute complements."""
        for before, after in (p.computed for p in self.pairs if p.computed):
            yield f"replace ({before}) with {after} by reflexivity."

    def parts(self, case: Case) -> list[list[Modes]]:
        """For each pair, the modes that replace each mode of the inner layout."""
        found = list[list[Modes]]()
        for (_, y), pair, part in zip(self.met, self.pairs, case.hints, strict=True):
            if self.kind == "divide":
                rest = pair.inner[len(leaves(y)) :]
                many = [m for m in rest if m[0] != 1]
                second = iter(modes(part[1]) if len(many) > 1 else part[1:])
                found.append([*_alongside(y, part[0]), *[[] if m[0] == 1 else leaves(next(second)) for m in rest]])
            else:
                found.append([*_alongside(y, part[1] if self.kind == "product" else part)])
        return found

    def told(self, parts: Sequence[Modes]) -> str:
        """Lists of modes, as text."""
        return f"[{'; '.join(map(self.modes, parts))}]"

    def says(self, case: Case) -> str:
        """The statement that the layouts of the case are the compositions."""
        found = [
            self.composes(pair, self.told(parts)) for pair, parts in zip(self.pairs, self.parts(case), strict=True)
        ]
        return " /\\ ".join(found)

    def there(self) -> str:
        """The statement that there are compositions."""
        found = "R'"
        parts = [f"exists {found} : list (list (Z * Z)), {self.composes(p, found)}" for p in self.pairs]
        return " /\\ ".join(f"({p})" for p in parts) if len(parts) > 1 else parts[0]

    def given(self, case: Case) -> str:
        """The layouts of the case."""
        parts = [f"exists {self.told(p)}; exact x'{k}" for k, p in enumerate(self.parts(case))]
        taken = _pattern([f"x'{k}" for k in range(len(parts))])
        return f"revert x'; intros {taken}; {_both(parts)}"

    # if there is a composition, the condition holds

    def needed(self, condition: Tree) -> Iterator[str]:
        """Each way to split the inner sizes implies equations between values, and these imply the condition."""
        yield from self.computed()
        told = [f"e'{k}" for k in range(len(self.pairs))]
        yield f"intros {_pattern(told)}."
        if self.finite():
            yield from self.split(0, [], condition)
        else:
            yield from self.followed([], condition)

    def finite(self) -> bool:
        """Whether inner layouts are small enough to enumerate their indices."""
        sizes = [n for p in self.pairs for n, _ in p.inner]
        small = all(type(n) is int for n in sizes) and all(
            size(p.inner) <= (FEW if names(size(p.outer)) else INDICES) for p in self.pairs
        )
        return small and prod(len([*splits(n)]) for n in sizes) <= WAYS

    def split(self, k: int, equations: list[Tree], condition: Tree) -> Iterator[str]:
        """The proof from pair k on; the pairs before have these equations."""
        if k == len(self.pairs):
            yield from self.followed(equations, condition)
            return
        pair = self.pairs[k]
        ways = [[n for s in way for n in s] for way in product(*[[*splits(n)] for n, _ in pair.inner])]
        yield f"destruct e'{k} as (r'{k} & e'{k}); apply sv_composed in e'{k}."
        yield f"destruct e'{k} as (s'{k} & t'{k} & n'{k} & m'{k} & v'{k}); vm_compute in n'{k}."
        yield f"destruct n'{k} as [{'|['.join(['<-'] * len(ways))}|[]{']' * len(ways)}."
        for way in ways:
            yield "{"
            for n in range(len(way)):
                yield f"destruct t'{k} as [|u'{k}_{n} t'{k}]; [discriminate m'{k}|]."
            yield f"destruct t'{k}; [|discriminate m'{k}]."
            found, told = self.equations(pair, way)
            for i in told:
                name = f"h'{k}_{i}"
                yield f"pose proof (proj2 (v'{k} {i} ltac:(cbn; lia))) as {name}; sv_values {name}."
            yield from self.split(k + 1, [*equations, *found], condition)
            yield "}"

    def equations(self, pair: Pair, way: Sequence[int]) -> tuple[list[Tree], list[int]]:
        """Independent equations: values are linear in the digits; and the indices that they need."""
        places, rows = [*accumulate(way, mul, initial=1)], Rows()
        found, about = list[Tree](), dict[int, None]()
        for i in range(prod(way)):
            digits = [(i // p % n, p) for n, p in zip(way, places, strict=False) if i // p % n]
            line = made("+", 0, *[made("*", x, at(pair.outer, at(pair.inner, p))) for x, p in digits])
            value = at(pair.outer, at(pair.inner, i))
            if value != line and rows.independent(made("-", value, line)):
                found.append(("==", value, line))
                about |= dict.fromkeys((i, *[p for _, p in digits]))
        return found, [*about]

    # if the condition holds, there is a composition

    def answer(self, case: Case, by: dict[str, Tree], known: Sequence[Tree]) -> Iterator[str]:
        """Proves that the layouts of the case are the compositions."""
        parts = self.parts(case)
        for k, (pair, found) in enumerate(zip(self.pairs, parts, strict=True)):
            if k < len(parts) - 1:
                yield "split."
            outer, inner = _put(pair.outer, by), _put(pair.inner, by)
            yield from ("{", *self.composed(outer, inner, [_put(m, by) for m in found], known), "}")

    def composed(self, outer: Modes, inner: Modes, found: Sequence[Modes], known: Sequence[Tree]) -> Iterator[str]:
        """Proves that layouts are a composition."""
        flat, i = [m for part in found for m in part], self.index
        sizes = [self.shown(("==", size(part), n), known, "that it has the sizes")
                 for part, (n, _) in zip(found, inner, strict=True)]  # fmt: skip
        positive = [self.shown(("<=", 1, n), known, "that sizes are positive") for n, _ in flat]
        yield "split; [|split]; cbn [map layout_size fold_right fst snd app concat]; rewrite ?Z.mul_1_r."
        yield f"{{ repeat apply sv_cons; [{'|'.join([*sizes, 'reflexivity'])}]. }}"
        yield "{ unfold layout_positive; repeat first [apply Forall_nil|apply Forall_cons]; cbn [fst]."
        yield from (f"{{ {p}. }}" for p in positive)
        given = [*known, ("<=", 0, "#0"), ("<", "#0", size(inner))]
        yield f"}} intros {i} b'; sv_written; split."
        yield f"{{ {self.shown(('<=', 0, at(inner, '#0')), given, 'that no value is below 0')}. }}"
        fixed = [*[n for n, _ in (*outer, *flat)], *[x for m in inner for x in m]]
        strides = [d for _, d in (*outer, *flat)]
        yield from self.equal(at(flat, "#0"), at(outer, at(inner, "#0")), strides, fixed, given)


_PAIR = {"composition": Composed.composition, "divide": Composed.division, "product": Composed.product}


def complement(of: Modes, filled: bool) -> list[tuple[Tree, int]]:
    """The modes that fill each gap with copies, also those of one copy; the last mode has no end."""
    gaps, reach, span = list[tuple[Tree, int]](), 1, 0
    for d, n in sorted((d, n) for n, d in of if n != 1 and d != 0):
        if d <= span or (filled and d % reach):
            raise Open("a main theorem where there is no complement")
        gaps.append((d // reach, reach))
        span += (d // reach - 1) * reach + (n - 1) * d
        reach = n * d
    return [*gaps, (1, reach)]


class Alone(Conditions):
    """Operations on one layout."""

    def __init__(self, book: Book, subject: Layouts) -> None:
        super().__init__(book, subject)
        self.of, self.property = leaves(subject.given[0]), _ALONE[subject.operation]

    def says(self, case: Case) -> str:
        """The statement that the answer is coalesced, or an inverse."""
        return f"{self.property} {self.modes(self.of)} {self.modes(leaves(case.found))}"

    def there(self) -> str:
        """The statement that there is an inverse."""
        return f"exists R' : list (Z * Z), {self.property} {self.modes(self.of)} R'"

    def given(self, case: Case) -> str:
        """The layout of the case."""
        return f"exists {self.modes(leaves(case.found))}; exact x'"

    def needed(self, condition: Tree) -> Iterator[str]:
        """Proves the condition: a layout with a left inverse has no negative value."""
        many = size(self.of)
        if "left" not in self.property or type(many) is not int or many > INDICES:
            raise Open("that the condition is necessary")
        yield f"intros (r' & e'); unfold {self.property} in e'."
        for i in range(1, many):
            yield f"pose proof (proj1 (e' {i} ltac:(cbn; lia))) as h'{i}; sv_values h'{i}."
        yield from self.followed([("<=", 0, at(self.of, i)) for i in range(1, many)], condition)

    def answer(self, case: Case, by: dict[str, Tree], known: Sequence[Tree]) -> Iterator[str]:
        """Proves the statement in a case."""
        old, new = _put(self.of, by), _put(leaves(case.found), by)
        yield f"unfold {self.property}; cbn [layout_coalesced]."
        if self.property == "layout_coalesces":
            yield "split; [|split]."
            yield f"{{ sv_written; {self.shown(('==', size(new), size(old)), known, 'that it has the size')}. }}"
            yield from self.values(old, new, at(new, "#0"), at(old, "#0"), known, size(old))
            apart = [f for m, k in pairwise(new) for f in
                     (("!=", m[0], 1), ("!=", k[0], 1), ("!=", k[1], made("*", *m)))]  # fmt: skip
            yield f"{_both([*[self.shown(f, known, 'that no fewer modes suffice') for f in apart], 'exact I'])}."
        elif self.property == "layout_right_inverse":
            yield "split."
            yield from self.values(old, new, at(old, at(new, "#0")), "#0", known, size(new))
            yield "sv_written; repeat first [apply Forall_nil|apply Forall_cons]; cbn [fst snd]."
            for n, d in old:
                further = ("or", ("==", n, 1), ("!=", d, size(new)))
                yield f"{{ {self.shown(further, known, 'that no mode continues where it ends')}. }}"
        else:
            there = at(old, "#0")
            back = at(new, there) if "strict" in self.property else at(old, at(new, there))
            yield from self.values(
                old, new, back, "#0" if "strict" in self.property else there, known, size(old), there
            )

    def values(self, old: Modes, new: Modes, one: Tree, other: Tree, known: Sequence[Tree], many: Tree,
               above: Tree = None) -> Iterator[str]:  # fmt: skip
        """Proves that values are equal at each index, and that `above` is not negative."""
        given = [*known, ("<=", 0, "#0"), ("<", "#0", many)]
        yield f"{{ intros {self.index} b'; sv_written."
        if above is not None:
            yield f"split; [{self.shown(('<=', 0, above), given, 'that no value is below 0')}|]."
        fixed, strides = [n for n, _ in (*old, *new)], [d for _, d in (*old, *new)]
        yield from self.equal(one, other, strides, fixed, given)
        yield "}"


_ALONE = {operation: f"layout_{operation}" for operation in ("right_inverse", "left_inverse", "strict_left_inverse")}
_ALONE |= {"coalesce": "layout_coalesces"}


def _both(proofs: Sequence[str]) -> str:
    """The tactics that prove a conjunction part by part."""
    text = proofs[-1]
    for one in proofs[-2::-1]:
        text = f"split; [{one}|{text}]"
    return text


def _pattern(names: Sequence[str]) -> str:
    """A pattern for a conjunction."""
    return f"({' & '.join(names)})" if len(names) > 1 else names[0]


def _alongside(y: Any, part: Any) -> Iterator[Modes]:
    """The modes of a part that replace each mode of an inner layout."""
    if type(y) is not list:
        yield leaves(part)
        return
    for one, other in zip(y, modes(part), strict=True):
        yield from _alongside(one, other)


def _put(layout: Modes, by: dict[str, Tree]) -> Modes:
    return [(put(n, by), put(d, by)) for n, d in layout]


class Rows:
    """Linear forms over names, each independent of earlier ones."""

    def __init__(self) -> None:
        self.rows = list[dict[str, Fraction]]()

    def independent(self, form: Tree) -> bool:
        """Adds a form; whether it is independent, as is every form that is not linear over numbers."""
        about = [*names(form)]
        if degree(form, about) > 1:
            return True
        row = {n: Fraction(x) for n, x in linear(form, about).items() if x != 0}
        for other in self.rows:
            lead = next(iter(other))
            if factor := row.get(lead, Fraction(0)) / other[lead]:
                mixed = {n: row.get(n, Fraction(0)) - factor * other.get(n, Fraction(0)) for n in (*row, *other)}
                row = {n: x for n, x in mixed.items() if x}
        if row:
            self.rows.append(row)
        return bool(row)
