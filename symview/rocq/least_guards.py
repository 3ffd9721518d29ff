"""Main theorems of guards: some of them imply all, and no lighter ones do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from symview.rocq.book import Book
from symview.rocq.statements import intros, put_raw
from symview.verify.document import Object, formula, get, integers, listed, values
from symview.verify.formulas import Tree, compiled, defined, names, put
from symview.verify.obligations import holds


def least_guards(book: Book, question: Object, answer: Object) -> str:
    """`known -> (kept guards <-> all guards)`, and any guards that imply all weigh at least as much."""
    return _Guards(book, question, answer).theorem()


class _Guards:
    """Builds the theorem of one certificate."""

    def __init__(self, book: Book, question: Object, answer: Object) -> None:
        self.book, self.printer = book, book.printer
        self.guards, facts, given = (
            [put(f, {}) for f in listed(question, key, formula)] for key in ("guards", "facts", "given")
        )
        self.weights, self.kept = integers(question, "weights"), integers(answer, "kept")
        self.facts = [f for f in dict.fromkeys((*defined(*facts), *facts)) if f is not True]
        divisors = dict.fromkeys(put(f, {}) for f in defined(*self.guards, *given))
        self.divisors = [f for f in divisors if f is not True and f not in self.facts]
        self.known = [*self.facts, *[g for g in dict.fromkeys(given) if g is not True and g not in self.facts]]
        self.about = list(names(*self.guards, *self.known))
        self.points = None
        if get(answer, "optimal", str) == "proved":
            self.points = [values({"at": one}, "at") for one in get(answer, "points", list)]

    def theorem(self) -> str:
        """The statement and its proof."""
        kept, every = self.printer.premise(_all([self.guards[n] for n in self.kept])), self.printer.premise(self.all())
        same = self.printer.all(self.divisors) + " /\\ " if self.divisors else ""
        known = "".join(f"{self.printer.premise(f)} -> " for f in self.known)
        enough = f"{self.printer.binder(self.about)}{known}".strip() + f"\n    {same}({kept} <-> {every})"
        if self.points is None:
            self.book.open.append("that no lighter guards imply all of them")
            return "\n".join([f"Theorem main : {enough}.", "Proof.", *filter(None, self.enough()), "Qed."])
        least = self.statement(known, every)
        proof = ["split.", "{", *self.enough(), "}", "{", *self.least(), "}"] if least else self.enough()
        says = f"({enough})\n  /\\ ({least})" if least else enough.strip()
        return "\n".join([f"Theorem main : {says}.", "Proof.", *filter(None, proof), "Qed."])

    def all(self) -> Tree:
        """The conjunction of all guards."""
        return _all(self.guards)

    # the kept guards are sufficient

    def enough(self) -> Iterator[str]:
        """Proves that no divisor is 0, and that the kept guards imply the others."""
        yield intros(self.book, self.about, self.known)
        for n, f in enumerate(self.divisors):
            lemma = self.book.lemma(f, [*self.facts, *self.divisors[:n]], "that no divisor of a guard is 0")
            yield f"assert (d'{n} : {self.printer.formula(f)}) by ({self.book.use(lemma)})."
        if self.divisors:
            yield f"refine {_conjunction([*[f'd{chr(39)}{n}' for n in range(len(self.divisors))], '_'])}."
        yield f"split; [intros {_pattern(self.kept)}|intros {_pattern(range(len(self.guards)))}]."
        yield "{"
        known = [*self.known, *self.divisors, *[self.guards[n] for n in self.kept]]
        for n, guard in enumerate(self.guards):
            if n not in self.kept:
                lemma = self.book.lemma(guard, known, "that the kept guards imply the others")
                yield f"assert (g'{n} : {self.printer.formula(guard)}) by ({self.book.use(lemma, side=_SIDE)})."
        yield f"exact {_conjunction([f'g{chr(39)}{n}' for n in range(len(self.guards))])}."
        yield f"}}\nexact {_conjunction([f'g{chr(39)}{n}' for n in self.kept])}."

    # no lighter guards are

    def statement(self, known: str, every: str) -> str:
        """The statement that any guards that imply all weigh at least as much."""
        if not self.guards:
            return ""
        chosen = [f"({_kept(n)} = true -> {self.printer.formula(g)}) ->" for n, g in enumerate(self.guards)]
        weighed = " + ".join(f"(if {_kept(n)} then {w} else 0)" for n, w in enumerate(self.weights))
        implied = "\n       ".join([f"{self.printer.binder(self.about)}{known}".strip(), *chosen, every])
        least = sum(self.weights[n] for n in self.kept)
        return f"forall {self.kepts()} : bool,\n     ({implied.strip()}) ->\n     {least} <= {weighed}"

    def kepts(self) -> str:
        """The names of the booleans that choose guards."""
        return " ".join(map(_kept, range(len(self.guards))))

    def least(self) -> Iterator[str]:
        """Proves that a guard that is false at a point must be kept, for each point."""
        yield f"intros {self.kepts()} h'."
        for n in range(len(self.guards)):
            yield f"pose proof (sv_bit {_kept(n)}) as b'{n}."
        for k, at in enumerate(self.points or ()):
            false = [n for n, g in enumerate(self.guards) if not holds(compiled(g), at)]
            yield f"assert (p'{k} : 1 <= {' + '.join(f'Z.b2z {_kept(n)}' for n in false) or '0'})."
            yield "{"
            for n in false:
                yield f"destruct {_kept(n)}; [cbn [Z.b2z] in *; lia|]."
            yield f"exfalso. {self.at_point(at)}"
            yield "}"
        yield "clear h'; rewrite !sv_weight; lia."

    def at_point(self, at: Mapping[str, int]) -> str:
        """Proves a contradiction: the kept guards hold at a point, but not all guards do."""
        told = "".join(f" {self.printer.integer(at[n])}" for n in self.about)
        premises = " _" * (len(self.known) + len(self.guards))
        shown = f"refine (h'{told}{premises}); first [discriminate | intros _; sv_now | sv_now]"
        says = self.printer.formula(put_raw(self.all(), at))
        return f"assert (q' : {says}) by ({shown}).\nvm_compute in q'; intuition congruence."


_SIDE = "first [assumption | sv_side]"


def _all(formulas: Sequence[Tree]) -> Tree:
    return ("and", *formulas) if len(formulas) > 1 else formulas[0] if formulas else True


def _kept(n: int) -> str:
    return f"keep_{n}"


def _pattern(numbers: Sequence[int]) -> str:
    """A pattern for a conjunction of guards."""
    told = [f"g'{n}" for n in numbers]
    return f"({' & '.join(told)})" if len(told) > 1 else told[0] if told else "_"


def _conjunction(parts: Sequence[str]) -> str:
    """A proof of a conjunction from proofs of its parts."""
    if not parts:
        return "I"
    found = parts[-1]
    for part in parts[-2::-1]:
        found = f"(conj {part} {found})"
    return found
