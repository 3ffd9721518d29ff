"""Refutations as scripts of tactics: each step is a line that needs no search.

The reader of `symview.verify` reads the refutation, so what it numbers is numbered alike: fact k is `h'k`, the name #n
is `q'n`, hypotheses are `a'i`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import gcd
from typing import Any

from symview.rocq.terms import Names, Printer
from symview.verify.document import BadCertificate, expression
from symview.verify.formulas import DERIVED, RELATIONS, Tree, walk
from symview.verify.linear import Known, Poly, Scope

OR, AND = " \\/ ", " /\\ "
_DEFINED = {"//": "sv_floor", "//trunc": "sv_trunc", "//euclid": "sv_euclid", "if": "sv_if"}


def script(names: Names, formulas: Sequence[Tree], steps: Sequence[Any]) -> list[str] | None:
    """The lines behind `intros` that prove `a'0 -> … -> False`; None where the steps lead nowhere."""
    writer = _Writer([], {}, names)
    try:
        for f, hypothesis in zip(formulas, hypotheses(formulas), strict=True):
            if not writer.closed:
                writer.read(f, hypothesis)
        if not writer.closed:
            writer.follow(steps)
    except BadCertificate:
        return None
    return [*_replaced(names, formulas), "sv_unfold.", *writer.lines] if writer.ended else None


def hypotheses(formulas: Sequence[Tree]) -> list[str]:
    """Names for what formulas say; the same ones have the same name."""
    first = {f: f"a'{n}" for n, f in enumerate(dict.fromkeys(formulas))}
    return [first[f] for f in formulas]


def _replaced(names: Names, formulas: Sequence[Tree]) -> Iterator[str]:
    """Arithmetic for powers, and for bits below a power of 2, the inner ones first."""
    ways, done = {"**": "ring", "~": "apply sv_lnot"}, dict[Tree, str]()
    printer = Printer(names, done.get)
    nodes = [t for f in formulas for t in walk(f) if type(t) is tuple and t[0] in ("&", "**", "~")]
    for t in dict.fromkeys(nodes[::-1]):
        if (told := DERIVED[t[0]](*t[1:])) is not None:
            way = ways.get(t[0]) or f"exact (Z.land_ones _ {t[2].bit_length()} ltac:(lia))"
            text, done[t] = printer.integer(t), printer.integer(told)
            yield f"replace {text} with {done[t]} in * by (symmetry; {way})."


class _Writer(Scope):
    """Writes a line for each fact that is noted, where `source` is the tactic that shows it."""

    def __init__(self, known: list[Known], quotients: dict[Tree, str], names: Names) -> None:
        super().__init__(known, quotients)
        self.lines, self.source, self.ended = list[str](), "", False
        self.texts: dict[str, str] = {}
        self.printer = Printer(names, self._named)

    def read(self, formula: Tree, hypothesis: str) -> None:
        """Notes what a hypothesis says; the quotients in it get their names first."""
        for t in _sides(formula):
            self.poly(t)
        facts = self.parts(formula, True)
        self.source = f"sv_from {hypothesis}"
        self.add(*facts)
        self.source = ""

    def add(self, *known: Known) -> None:
        """Notes facts, until one cannot be."""
        for one in known:
            if not self.closed:
                if self.source:
                    self.lines.append(f"assert (h'{len(self.known)} : {self._fact(one)}) by ({self.source}).")
                super().add(one)
                self._closed()

    def _closed(self) -> None:
        if self.closed and not self.ended:
            self.ended = True
            self.lines.append(f"exfalso; sv_from h'{len(self.known) - 1}.")

    # quotients, minima and choices

    def poly(self, tree: Tree) -> Poly:
        """The expression; what is new in it gets a name, and the facts that define it."""
        if type(tree) is not tuple or (op := tree[0]) in ("+", "-", "*", "neg", "abs"):
            return super().poly(tree)
        if (told := _told(*tree)) is not None:
            return self.poly(told)
        for n, part in enumerate(tree[1:]):
            if op != "if" or n:
                self.poly(part)
        key, base = self._key(tree), (op.replace("%", "//"), *tree[1:])
        text = Printer(self.printer.names, lambda t: None if t == base else self._named(t)).integer(base)
        if key in self.names:
            if text not in self.texts:
                self.texts[text] = name = f"q'{self.names[key][1:]}"
                self.lines.append(f"sv_same {text} {name} e{name}.")
            return super().poly(tree)
        name = self.texts[text] = f"q'{len(self.names)}"
        self.lines += [self._definition(base, text, f"d{name}"), f"sv_name {text} {name} e{name}."]
        was, self.source = self.source, f"sv_from d{name}"
        found = super().poly(tree)
        self.source = was
        return found

    def _definition(self, t: Tree, text: str, name: str) -> str:
        """The line that notes what defines a term."""
        op, *args = t
        parts = [self.printer.test(a) if op == "if" and n == 0 else self.printer.integer(a) for n, a in enumerate(args)]
        if op in ("min", "max"):
            way = "<=" if op == "min" else ">="
            either, each = (j.join([f"{text} {r} {x}" for x in parts]) for j, r in ((OR, "="), (AND, way)))
            return f"assert ({name} : ({either}) /\\ {each}) by (clear; lia)."
        known = f"{_DEFINED[op]} {' '.join(parts)}" if op in _DEFINED else f"eq_refl {text}"
        return f"pose proof ({known}) as {name}."

    def _key(self, t: Tree) -> Tree:
        op, *args = t
        parts = [a if op == "if" and n == 0 else Scope.poly(self, a) for n, a in enumerate(args)]
        return (op.replace("%", "//"), *[frozenset(p.items()) if type(p) is dict else p for p in parts])

    def _named(self, t: Tree) -> str | None:
        """What stands for a part in the goal: the name of a quotient, what is left beside one."""
        op, *args = t
        if op in ("+", "-", "*", "neg"):
            return None
        if op == "abs":
            return self.printer.integer(("max", args[0], ("-", 0, args[0])))
        if (told := _told(*t)) is not None:
            return self.printer.integer(told)
        if (key := self._key(t)) not in self.names:
            return None
        name = f"q'{self.names[key][1:]}"
        return f"({self.printer.integer(args[0])} - {self.printer.integer(args[1])} * {name})" if op[0] == "%" else name

    # polynomials and facts

    def _poly_text(self, p: Poly) -> str:
        def factor(name: str) -> str:
            return self.printer.names[name[1:]] if name[0] == "." else f"q'{name[1:]}"

        terms = [" * ".join([f"({c})", *map(factor, m)] if c != 1 or not m else map(factor, m)) for m, c in p.items()]
        return " + ".join(terms) or "0"

    def _fact(self, one: Known) -> str:
        if type(one) is tuple:
            p, zero = _noted(one)
            return f"{self._poly_text(p)} = 0" if zero else f"0 <= {self._poly_text(p)}"
        return f"({OR.join([AND.join(map(self._fact, parts)) or 'True' for parts in one])})"

    # steps

    def follow(self, steps: Sequence[Any]) -> None:
        """Writes the steps; those behind a split go into the alternative that is left."""
        for n, step in enumerate(steps):
            if self.closed:
                return
            if step[0] == "split":
                self._split(step, steps[n + 1 :])
                return
            if step[0] == "sum":
                self._summed(step[1:])
                continue
            self.source = "clear; lia" if step[0] == "sign" else ""
            self._prepare(step)
            self.closed_by([step])
            self.source = ""

    def _prepare(self, step: Any) -> None:
        """Names come before the line that mentions them."""
        source, self.source = self.source, ""
        self.poly(expression(step[1]))
        self.source = source

    def _split(self, step: Any, later: Sequence[Any]) -> None:
        _, k, n, *refuted = step
        choice, count, branches = self._known(k, list), len(self.known), [*refuted]
        if type(n) is not int or not 0 <= n <= len(branches) or len(choice) != len(branches) + 1:
            raise BadCertificate("a split refutes all alternatives but one")
        branches.insert(n, later)
        found = [self._branch(one, why) for one, why in zip(choice, branches, strict=True)]
        patterns = [" & ".join(f"h'{count + i}" for i in range(len(one))) or "_" for one in choice]
        patterns = [f"({p})" if "&" in p else p for p in patterns]
        pattern = patterns[-1]
        for p in patterns[-2::-1]:
            pattern = f"[{p}|{pattern}]"
        self.lines.append(f"destruct h'{k} as {pattern}.")
        self.lines += ["{ " + "\n  ".join(b.lines) + " }" for b in found]
        self.ended = self.closed = all(b.ended for b in found)

    def _branch(self, alternative: Sequence[Known], why: Sequence[Any]) -> _Writer:
        branch = _Writer([*self.known], {**self.names}, self.printer.names)
        branch.texts = {**self.texts}
        branch.add(*alternative)
        branch.follow(why)
        return branch

    def _summed(self, terms: Sequence[Any]) -> None:
        for factor, *_ in terms:
            self.poly(expression(factor))
        total, zero = self._sum(list(terms))
        proofs = [self._product(expression(factor), numbers) for factor, *numbers in terms]
        whole = ""
        for proof, is_zero in proofs:
            proof = proof if is_zero == zero else f"(sv_le _ {proof})"
            whole = f"({'sv_add0' if zero else 'sv_add'} _ _ {whole} {proof})" if whole else proof
        shared, rest = _shared(total, zero), total.get((), 0)
        dropped = rest - shared * (rest // shared)
        self.source = f"sv_eq {whole} {shared}" if zero else f"sv_ge {whole} {shared} {dropped}"
        self.add((total, zero))
        self.source = ""

    def _product(self, factor: Tree, numbers: Sequence[int]) -> tuple[str, bool]:
        """A term that proves that the product of known facts is 0, or at least 0."""
        first, facts = self._poly_text(self.poly(factor)), [self._known(k, tuple) for k in numbers]
        texts = [f"({self._poly_text(q)})" for q, _ in facts]
        if (n := next((n for n, (_, zero) in enumerate(facts) if zero), None)) is not None:
            proof = f"(sv_mul0r ({' * '.join([f'({first})', *texts[:n]])}) _ h'{numbers[n]})"
            for q in texts[n + 1 :]:
                proof = f"(sv_mul0l _ {q} {proof})"
            return proof, True
        alone = first == "(1)" and numbers
        proof = f"h'{numbers[0]}" if alone else f"(sv_num ({first}) eq_refl)"
        for k in numbers[1:] if alone else numbers:
            proof = f"(sv_mul _ _ {proof} h'{k})"
        return proof, False


def _told(op: str, *args: Tree) -> Tree | None:
    """The same by other operators, where a name is not its own; None else."""
    if op == "ceildiv":
        return ("neg", ("//", ("neg", args[0]), args[1]))
    return DERIVED[op](*args) if op in DERIVED else None


def _sides(f: Tree) -> Iterator[Tree]:
    """The expressions that a formula compares."""
    for part in f[1:] if type(f) is tuple else ():
        if f[0] in RELATIONS:
            yield part
        else:
            yield from _sides(part)


def _shared(p: Poly, zero: bool) -> int:
    """What the coefficients are divided by; not where an equation has no integer solution."""
    shared = gcd(*[c for m, c in p.items() if m]) or 1
    return 1 if zero and p.get((), 0) % shared else shared


def _noted(one: Known) -> Known:
    """A fact with its coefficients divided by what they share."""
    p, zero = one
    shared = _shared(p, zero)
    return {m: c // shared for m, c in p.items() if m or c // shared}, zero
