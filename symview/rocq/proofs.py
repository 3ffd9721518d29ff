"""The proof of a statement: tactics by its nodes. What is not proved of a conjunction is left out of it, and named.

`forall` and premises are taken from the goal, conjunctions and equivalences are split, a formula of integers is a
lemma; what a statement assumes for all integers is used at the witnesses. The parts of an answer by cases
are lemmas each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from symview.rocq import layouts, properties
from symview.rocq.book import NEAR, Book
from symview.rocq.leading import Facts, Leading, cases_of, is_plain
from symview.rocq.terms import Open, Printer
from symview.trusted.document import Object, expression, layout, some
from symview.trusted.formulas import Tree, Trees, made, names, put, walk
from symview.verify.kinds.programs import without_first
from symview.verify.meaning import Case
from symview.verify.nodes import Chain, Node, Program, Rule, both, bounded, either, holds, if_, is_formula

Proved = tuple[Node, list[str]]  # what is proved of a statement, and the tactics
_LINEAR = ("+", "-", "*", "neg", "//", "%", "ceildiv", "min", "max")


class Known(NamedTuple):
    """What is assumed: computed formulas, and the names of hypotheses that are statements."""

    facts: Facts = Facts()
    given: tuple[Tree, ...] = ()
    nodes: tuple[tuple[str, Node], ...] = ()
    top: bool = True  # whether only names and their facts are taken from the goal yet

    def more(self, *formulas: Tree) -> Known:
        """With these formulas, too."""
        new = [g for f in formulas for part in bounded(f) if (g := put(part, {})) is not True]
        return self._replace(given=(*self.given, *new), top=False)


class Proofs:
    """Proves one statement; `cases` and `evidence` are those of its certificate."""

    def __init__(self, book: Book, evidence: Object, cases: Sequence[Case] = ()) -> None:
        self.book, self.text, self.evidence, self.cases = book, book.printer, evidence, cases
        self.chains = dict[tuple[Chain, Facts], Leading]()

    def main(self, statement: Node) -> str:
        """The main theorem; raises Open if nothing of the statement is proved."""
        says, proof = self.proved(statement, Known())
        notes = "".join(f"(* Not proved here: {why}. *)\n" for why in self.book.left)
        return f"{notes}Theorem main : {self.text.formula(says)}.\nProof.\n{_lines(proof)}\nQed."

    def proved(self, node: Node, known: Known, case: Case | None = None) -> Proved:
        """What is proved of a statement, with its tactics; raises Open if that is nothing."""
        op = node[0] if type(node) is tuple else ""
        if is_formula(node):
            return node, [*self._formula(node, known, case)]
        rule = _RULES.get(op)
        if rule is None:
            raise Open(node[1] if op == "open" else "none is written for this kind yet")
        return rule(self, node, known, case)

    def _all(self, node: Node, known: Known, case: Case | None) -> Proved:
        _, about, body = node
        taken = " ".join([self.text.names[n] for n in about])
        if known.top:
            known = known._replace(facts=Facts((*known.facts.about, *about), known.facts.given))
        says, proof = self.proved(body, known, case)
        return ("all", about, says), [f"intros {taken}.", *proof]

    def _given(self, node: Node, known: Known, case: Case | None, letter: str = "g'") -> Proved:
        _, formulas, body = node
        hypotheses, letter = list[str](), "f'" if known.top else letter
        inner, top = known, known.top
        for f in formulas:
            name = f"{letter}{len(known.given) + len(known.nodes) + len(hypotheses)}"
            hypotheses.append(name)
            if not is_formula(f):
                inner = inner._replace(nodes=(*inner.nodes, (name, f)), top=False)
            else:
                inner = inner.more(f)
                if top and (folded := put(f, {})) is not True:
                    inner = inner._replace(facts=Facts(inner.facts.about, (*inner.facts.given, (name, folded))))
        says, proof = self.proved(body, inner._replace(top=False), case)
        computed = bridges(self.text, *filter(is_formula, formulas))
        return ("given", formulas, says), [f"intros {' '.join(hypotheses)}.", *computed, *proof]

    def _and(self, node: Node, known: Known, case: Case | None) -> Proved:
        """Each part by itself; parts of an answer by cases are lemmas."""
        _, *parts = node

        def prove(n: int, part: Node) -> Proved:
            mine = self.cases[n] if case is None and n < len(self.cases) else case
            if not self.cases or case is not None:
                return self.proved(part, known, mine)
            says, term = self.stated(part, known, mine)
            return says, [f"refine ({term}); {NEAR}."]

        found, proofs = self._proved_of(parts, prove)
        if len(found) < len(parts) and not [x for x in found if x[0] != "one_of" and not is_formula(x)]:
            raise Open(self.book.left[0] if self.book.left else "a statement that claims nothing")
        return found[0] if len(found) == 1 else ("and", *found), [each(proofs)]

    def _proved_of(
        self, parts: Sequence[Node], prove: Callable[[int, Node], Proved], more: str = ""
    ) -> tuple[list[Node], list[str]]:
        """What is proved of the parts, and the proofs; what is not proved is left out, and named."""
        found, proofs = list[Node](), list[str]()
        for n, part in enumerate(parts):
            try:
                says, proof = prove(n, part)
            except (Open, ArithmeticError) as why:
                self.book.leave(f"{why}{more}")
                continue
            found.append(says)
            proofs.append(_lines(proof))
        return found, proofs

    def stated(self, part: Node, known: Known, case: Case | None) -> tuple[Node, str]:
        """What is proved of a statement under the facts as a lemma, and the tactic that applies the lemma."""
        text, facts = self.text, known.facts
        says, proof = self.proved(part, known, case)
        name, given = self.book.name("part_"), "".join(f"{text.premise(f)} -> " for _, f in facts.given)
        taken = " ".join([*[text.names[n] for n in facts.about], *[h for h, _ in facts.given]])
        self.book.text.append("\n".join([
            f"Lemma {name} : {text.binder(facts.about)}{given}", f"  {text.formula(says)}.",
            f"Proof. intros{' ' * bool(taken)}{taken}.", *proof, "Qed.",
        ]))  # fmt: skip
        values = " ".join([text.names[n] for n in facts.about])
        return says, f"{name} {values}{' _' * len(facts.given)}"

    def _at(self, node: Node, known: Known, case: Case | None) -> Proved:
        _, values, body = node
        taken = [*[self.text.names[n] for n in values], *[f"v'{k}" for k in range(len(values))]]
        inner = known._replace(top=False)
        parts = body[1:] if body[0] == "and" else [body]
        says, proofs = self._proved_of(parts, lambda _, x: (x, self.proved(at_values(x, values), inner, case)[1]))
        if not says:
            raise Open(self.book.left[0])
        return ("at", values, ("and", *says)), [f"intros {' '.join(taken)}; subst." if taken else "", each(proofs)]

    def _implies(self, node: Node, known: Known, case: Case | None) -> Proved:
        _, first, then = node
        (_, _, says), proof = self._given(("given", (first,), then), known._replace(top=False), case, "c'")
        return ("->", first, says), proof

    def _equivalent(self, node: Node, known: Known, case: Case | None) -> Proved:
        """Both directions, or the one that is proved."""
        _, one, other = node
        if any(type(x) is tuple and x[0] == "one_view" for x in (one, other)):
            return self._by_cases(node, known)
        ways, more = [("->", one, other), ("->", other, one)], ": one direction of an equivalence"
        found, proofs = self._proved_of(ways, lambda _, way: (way, self.proved(way, known, case)[1]), more)
        if not found:
            raise Open("an equivalence")
        return (found[0], proofs) if len(found) == 1 else (node, ["split.", *[f"{{ {p} }}" for p in proofs]])

    # formulas of integers

    def _formula(self, claim: Tree, known: Known, case: Case | None) -> Iterator[str]:
        """A formula is a lemma, or follows from what is assumed for all integers, or from one view."""
        if known.nodes and known.nodes[-1][1][0] == "one_view":
            name, (_, chain) = known.nodes[-1]
            yield from self.leading(chain, known).needed(name, claim, known.given, case.hints if case else ())
        elif known.nodes and claim is not True:
            yield from self._by_instances(claim, known)
        else:
            yield from by_lemma(self.book, claim, known.given)

    def _by_instances(self, claim: Tree, known: Known) -> Iterator[str]:
        """If the claim fails, what is assumed for all integers fails at one of the witnesses."""
        if len(known.nodes) > 1 or known.nodes[0][1][0] not in ("all", "given"):
            raise Open("that a condition is necessary")
        [(name, node)] = known.nodes
        about, body = (node[1], node[2]) if node[0] == "all" else ((), node)
        given, says = body[1:] if body[0] == "given" else ((), body)
        witnesses = some(self.evidence, "witnesses", lambda w: {n: expression(x) for n, x in w.items()})
        failing = [both([*[put(f, at) for f in given], ("not", put(says, at))]) for at in witnesses]
        lemma = self.book.lemma(("or", False, *failing), [*known.given, ("not", claim)], "that the condition is needed")
        yield "sv_deny n'0."
        yield f"assert (k' : {self.text.formula(lemma.claim)}) by ({self.book.use(lemma)})."
        yield "repeat (destruct k' as [k'|k']; try contradiction)."
        for w in witnesses:
            at = " ".join(f"({self.text.integer(w.get(n, n))})" for n in about)
            raw = [put_raw(f, w) for f in (says, *given)]
            computed = "".join(f"{line[:-1]}; " for line in bridges(self.text, *raw))
            yield f"all: try solve [pose proof ({name} {at}) as w'; {computed}sv_refuted k' w']."

    # answers by cases

    def leading(self, chain: Chain, known: Known) -> Leading:
        """The proofs about a chain of views."""
        key = (chain, known.facts)
        if key not in self.chains:
            self.chains[key] = Leading(self.book, chain, known.facts)
        return self.chains[key]

    def _is(self, node: Node, known: Known, case: Case | None) -> Proved:
        _, chain, found = node
        if not isinstance(chain, Chain):
            self.book.library.add("Layouts")
            parts = some(self.evidence, "parts", layout) if len(chain.layouts) > 1 or chain.shape else []
            return node, [layouts.result(chain, found).proof(parts)]
        return node, [*bridges(self.text, *_entries(chain), *found.entries()),
                      *self.leading(chain, known).leads(found, known.given)]  # fmt: skip

    def _one_view(self, node: Node, known: Known, case: Case | None) -> Proved:
        """Of numbers: the view through the first indices leads where the chain does, by computation."""
        leading = self.leading(node[1], known)
        if not leading.small():
            raise Open("a box of too many indices to compute")
        fits = "split; [sv_numbers|]. " if leading.fitted else ""
        return node, [f"{fits}apply sv_first; vm_cast_no_check (eq_refl true)."]

    def _not(self, node: Node, known: Known, case: Case | None) -> Proved:
        inner, chain = node[1][0], node[1][1]
        if inner == "leaves":
            return node, [*bridges(self.text, *_entries(chain)), *self.leading(chain, known).stays(known.given)]
        if inner != "one_view":
            raise Open("that a view is not injective" if inner == "has" else "none is written for this kind yet")
        leading, outside = self.leading(chain, known), case is not None and case.status == "out_of_bounds"
        return node, [*bridges(self.text, *_entries(chain)), "intros h'.",
                      *leading.needed("h'", False, known.given, case.hints if case else (), outside)]  # fmt: skip

    def _leaves(self, node: Node, known: Known, case: Case | None) -> Proved:
        return node, [*bridges(self.text, *_entries(node[1])), *self.leading(node[1], known).leaves(known.given)]

    def _breaks(self, node: Node, known: Known, case: Case | None) -> Proved:
        chain = node[1]._replace(fits=True)
        never = _lines([*self.leading(chain, known).needed("h'", False, ())])
        shown = "first [left; reflexivity|right; vm_compute; discriminate]"
        return node, [f"split.\n{{ intros h'.\n{never} }}\nsplit; [cbn [shape_of in_box]; lia|{shown}]."]

    def _same(self, node: Node, known: Known, case: Case | None) -> Proved:
        """By computation at every index."""
        _, first, second, last = node
        if not self.leading(first, known).small():
            raise Open("a box of too many indices to compute")
        computed = "vm_cast_no_check (eq_refl true)"
        if last is None:
            return node, [f"apply sv_same_places; [{computed}|reflexivity]."]
        one, other = self.text.chain(first), self.text.chain(second)
        return node, [f"refine (sv_same_sooner {one} {other} {self.text.row(last)} _); {computed}."]

    def _differ(self, node: Node, known: Known, case: Case | None) -> Proved:
        self.book.library.add("Views")
        return node, ["do 2 (split; [cbn [in_box]; lia|]); repeat split; first [reflexivity|vm_compute; discriminate]."]

    def _shows(self, node: Node, known: Known, case: Case | None) -> Proved:
        """By linear arithmetic; any number of first dims is shown as one and as none."""
        self.book.library.add("Programs")
        of: Rule = node[1]
        if any(step[0] in ("reshape", "read") for side in (of.left, of.right) for step in side.steps):
            raise Open("none is written for programs with reshapes and reads yet")
        if not all(_linear(f) for side in (of.left, of.right) for f in _sizes_of(side)):
            raise Open("none is written for programs whose sizes are multiplied or divided yet")
        if not of.more:
            return node, ["intros; sv_program."]
        self.book.leave("that any number of first dims behaves as one and none")
        sides = of._replace(more=False), Rule(without_first(of.left), without_first(of.right), False)
        return ("and", *[("shows", x) for x in sides]), ["split; intros; sv_program."]

    def _apart(self, node: Node, known: Known, case: Case | None) -> Proved:
        """At sizes: elements are the places in their tensors."""
        if any(step[0] == "read" for side in (node[1].left, node[1].right) for step in side.steps):
            raise Open("none is written for programs with reads yet")
        self.book.library.add("Programs")
        about, *_ = self.text.rule(node[1])
        elements = ", ".join([f"(fun i => ({k}%nat, i))" for k in range(len(about.split()))])
        shown = "split; [cbn; repeat split; lia|intros H; vm_compute in H; intuition discriminate]"
        return node, [f"exists (nat * list Z)%type, {elements}; {shown}."]

    def _one_of(self, node: Node, known: Known, case: Case | None) -> Proved:
        """The cases cover all values, and no two meet."""
        wheres, use = node[1], self.book.use
        book, facts, cover = self.book, known.facts.formulas, either(wheres)
        cases = book.lemma(cover, facts, "that the cases cover all values")
        ways = "".join(f"{{ {'right; ' * n}left; exact w'. }}\n" for n in range(len(wheres)))
        shown = f"assert (w' : {self.text.formula(cover)}) by ({use(cases)}).\n"
        shown += f"{cases_of(len(wheres))}\n{ways}"
        try:
            apart = [book.lemma(("not", ("and", a, b)), facts, "that no two cases overlap")
                     for n, a in enumerate(wheres) for b in wheres[n + 1 :]]  # fmt: skip
        except Open as why:
            book.leave(str(why))
            return cover, [f"{use(cases)}."]
        found = "".join(f"{{ {use(x)}. }}\n" for x in apart)
        pairs = "repeat first [apply FOP_nil|apply FOP_cons|apply Forall_nil|apply Forall_cons]"
        return node, [f"apply sv_exactly; cbn [fold_right].\n{{ {shown}}}", f"{pairs}.\n{found}"]

    def _by_cases(self, node: Node, known: Known) -> Proved:
        """One view is equivalent to a formula, by what the cases say."""
        _, *sides = node
        [says] = [x for x in sides if is_formula(x)]
        [view] = [x for x in sides if not is_formula(x)]
        if any(c.status == "undecided" for c in self.cases):
            raise Open("an undecided case")
        facts = Known(known.facts, tuple(known.facts.formulas), top=False)
        needed = ["intros h'.", *self._needed_by(view, says, facts)]
        enough = ["intros c'.", *self._enough_by(view, says, facts)]
        ways = [needed, enough] if sides[1] == says else [enough, needed]
        return node, [*bridges(self.text, says), "split.", *[f"{{ {_lines(w)} }}" for w in ways]]

    def _needed_by(self, view: Node, says: Tree, known: Known) -> Iterator[str]:
        """Proves the formula from h', that there is one view: in each case its equations hold, or there is none."""
        wheres = [put(c.where, {}) for c in self.cases]
        if wheres != [True]:
            lemma = self.book.lemma(either(wheres), known.given, "that the cases cover all values")
            yield f"assert (w' : {self.text.formula(lemma.claim)}) by ({self.book.use(lemma)})."
            yield cases_of(len(wheres))
        for c, where in zip(self.cases, wheres, strict=True):
            if c.status not in ("always", "when"):
                part = if_(holds(c.where), ("not", view))
                yield f"{{ exfalso; revert h'; {self._applied(part, known, c)}. }}"
                continue
            if c.status == "when":
                part = if_([*holds(c.where), view], both(holds(*c.equations)))
                told = self.text.formula(both([put(e, {}) for e in c.equations]))
                yield f"{{ assert (e' : {told}) by ({self._applied(part, known, c)}). sv_parts."
            else:
                yield "{"
            yield from (*by_lemma(self.book, says, known.more(where, *c.equations).given), "}")

    def _enough_by(self, view: Node, says: Tree, known: Known) -> Iterator[str]:
        """Proves that there is one view from c', the formula: it is that of a case."""
        live = [c for c in self.cases if c.status in ("always", "when")]
        places = [both(holds(put(c.where, {}), *c.equations)) for c in live]
        claim = either(places)
        lemma = self.book.lemma(claim, [*known.given, says], "that the condition is enough")
        yield f"assert (w' : {self.text.formula(claim)}) by ({self.book.shown(lemma)})."
        yield cases_of(len(places))
        for c in live:
            part = if_(holds(c.where, *c.equations), ("is", view[1], c.found))
            goal = self.text.formula(part[2] if part[0] == "given" else part)
            yield f"{{ assert (o' : {goal}) by ({self._applied(part, known, c)})."
            yield "destruct o' as [s' o']; split; [exact s'|]." if view[1].fits is not True else ""
            yield "sv_one_view o'. }"

    def _applied(self, part: Node, known: Known, case: Case) -> str:
        """The tactic that applies what is proved of a statement, as a lemma."""
        _, term = self.stated(part, known, case)
        return f"refine ({term}{' _' * len(part[1] if part[0] == 'given' else ())}); {NEAR}"


_RULES = {
    "all": Proofs._all, "given": Proofs._given, "and": Proofs._and, "at": Proofs._at, "->": Proofs._implies,
    "<->": Proofs._equivalent, "is": Proofs._is, "one_view": Proofs._one_view, "not": Proofs._not,
    "leaves": Proofs._leaves, "one_of": Proofs._one_of, "breaks": Proofs._breaks,
    "same": Proofs._same, "differ": Proofs._differ, "shows": Proofs._shows, "apart": Proofs._apart,
    "has": properties.injective,
}  # fmt: skip


def _sizes_of(of: Program) -> Iterator[Tree]:
    """The expressions of a program, and of those in it."""
    yield from of.entries()
    for _, *given in of.steps:
        yield from (x for one in given if isinstance(one, Program) for x in _sizes_of(one))


def _linear(t: Tree) -> bool:
    """Whether no names are multiplied, and all divisors are positive numbers."""
    for op, *parts in (x for x in walk(t) if type(x) is tuple):
        divided = op in ("//", "%", "ceildiv")
        if (divided and not (type(parts[1]) is int and parts[1] > 0)) or op not in _LINEAR:
            return False
    return is_plain(t)


def at_values(node: Any, values: Mapping[str, int]) -> Any:
    """The statement at values of its names: formulas as they stand, views as they are computed."""
    if is_formula(node):
        return put_raw(node, values)
    if isinstance(node, Chain):
        return Chain(tuple([v.put(values) for v in node.views]), put_raw(node.fits, values))
    return tuple([at_values(part, values) if type(part) in (tuple, Chain) else part for part in node])


def _entries(chain: Chain) -> list[Tree]:
    return [x for v in chain.views for x in v.entries()] + [chain.fits]


def by_lemma(book: Book, claim: Tree, given: Sequence[Tree], *printed: Tree) -> Iterator[str]:
    """The tactics that prove a formula by a lemma, after computing what is printed as it was read."""
    yield from bridges(book.printer, claim, *printed)
    if put(claim, {}) is not True:
        yield f"{book.shown(book.lemma(claim, given, 'the claim, for all integers'))}."
    elif names(claim):
        yield "first [reflexivity | sv_side]."
    else:
        test = book.printer.test(claim)
        yield f"assert (c' : {test} = true) by (vm_cast_no_check (eq_refl true)); sv_closed c'."


def bridges(text: Printer, *formulas: Tree) -> Iterator[str]:
    """Lines that turn printed terms into the computed ones of obligations."""
    for before, after in dict(pair for f in formulas for pair in _folded_parts(f)[1]).items():
        yield f"try replace {text.integer(before)} with {text.integer(after)} in * by (reflexivity || ring)."


def _folded_parts(t: Tree) -> tuple[Tree, list[tuple[Tree, Tree]]]:
    """The tree as `put` computes it, and the parts that change, the inner ones first."""
    if type(t) is not tuple:
        return t, []
    parts = [_folded_parts(p) for p in t[1:]]
    before = (t[0], *[p for p, _ in parts])
    after, changes = made(*before), [c for _, more in parts for c in more]
    return after, [*changes, *([(before, after)] if before != after and type(after) is not bool else [])]


def put_raw(t: Tree, by: Trees) -> Tree:
    """Substitutes trees for names, and computes nothing."""
    if type(t) is tuple:
        return (t[0], *[put_raw(p, by) for p in t[1:]])
    return by.get(t, t) if type(t) is str else t


def _lines(proof: Sequence[str]) -> str:
    return "\n".join(filter(None, proof))


def each(proofs: Sequence[str]) -> str:
    """A proof of a conjunction from proofs of its parts."""
    return "\n".join([*[f"split. {{ {p} }}" for p in proofs[:-1]], proofs[-1]])
