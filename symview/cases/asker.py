"""Runs numeric algorithms on symbolic integers, and follows both outcomes of an open comparison.

`Whole` has the operators of an int. Arithmetic returns a normal form, or an int if that is a number. A comparison
returns a `Claim`; when Python needs its truth, the run decides it. So an algorithm for ints runs unchanged. Python
cannot go back, so a run is repeated with the answers so far (`forks.all_paths`), and takes the other outcome of the
next open comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from math import gcd
from operator import add, floordiv, mod, mul, sub
from typing import Any, TypeVar

from symview.cases.forks import Fork, Path, all_paths
from symview.cases.whole import MAX_VALUES, Claim, Whole, common_names, without
from symview.errors import SymbolError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.entailment import Entailment
from symview.logic.integer import Int, Integer, form_of, integer, node_in, of_term, operation
from symview.logic.polynomial import ONE, Poly, as_term, atom_term, minus, negative, over, plus, substitute, times
from symview.logic.terms import IntTerm, Term, conjuncts, negated, num

Result = TypeVar("Result")
_ARITHMETIC = {"+": add, "-": sub, "*": mul, "//": floordiv, "%": mod}


class Asker:
    """Decides the comparisons of one run, and remembers what they imply: values, equations, exact divisions."""

    kind: type[Whole] = Whole  # of its integers

    def __init__(self, fork: Fork) -> None:
        self.fork, self.budget = fork, fork.budget
        self.equations: list[tuple[tuple[str, ...], int, Poly]] = []  # lead, its factor > 0, the form that is 0
        self.values: dict[str, int] = {}
        self.exact: dict[str, tuple[Poly, str]] = {}  # replaces a name by divisor times quotient: D by 8·⟨D//8⟩
        self.required: list[Poly] = []  # forms that have to be 0 for the answer of the run
        for fact in fork.known.facts:
            self._learn(fact)

    # Integers

    def whole(self, entry: Integer | IntTerm) -> Any:
        """An integer of the run, an int if it is a number."""
        if isinstance(entry, int):
            return entry
        op, args = entry.term() if isinstance(entry, Int) else entry
        if op == "int":
            return args[0]
        if op == "sym":
            return self.number({(args[0],): 1})
        if op != "neg" and op not in _ARITHMETIC:
            return self.number(form_of(of_term(Term(op, args))))
        found = [self.whole(a) for a in args]
        return -found[0] if op == "neg" else reduce(_ARITHMETIC[op], found)

    def number(self, form: Poly) -> Any:
        """The polynomial as an integer, after substituting known values and exact divisions."""
        for name, (divisor, quotient_name) in self.exact.items():
            if any(name in m for m in form):
                form = substitute(form, name, times(divisor, {(quotient_name,): 1}))
        for name in {n for m in form for n in m if n in self.values} if self.values else ():
            form = substitute(form, name, form_of(self.values[name]))
        if set(form) <= {ONE}:
            return form.get(ONE, 0)
        return self.kind(self, form)

    def now(self, x: Any) -> Any:
        """The integer simplified by all that the run has learnt so far; it may be an int by now."""
        return self.number(x.form) if isinstance(x, Whole) else x

    def term(self, x: Any) -> Term:
        """An integer as a term; 8·(D//8) is written D if 8 divides D."""
        return as_term(self._spelled(x))

    def _spelled(self, x: Any) -> Poly:
        form: Poly = form_of(x)
        for name, (divisor, quotient_name) in reversed(self.exact.items()):
            ((lead, factor),) = divisor.items()
            found: Poly = {}
            for m, c in form.items():
                rest = over(m, tuple(sorted((*lead, quotient_name)))) if c % factor == 0 else None
                if rest is not None:
                    m, c = tuple(sorted((*rest, name))), c // factor
                found[m] = found.get(m, 0) + c
            form = found
        return form

    def atom(self, op: str, *args: Any) -> Any:
        """An operation that is not a polynomial, as an integer."""
        return self.number(form_of(operation(op, [integer(self._spelled(x)) for x in args])))

    def value(self, x: Any, low: int, high: int) -> int:
        """The value of an integer between low and high; each value is a path."""
        if isinstance(x, int):
            return x
        if high - low >= MAX_VALUES:
            raise Undecided(f"{x} may have more than {MAX_VALUES} values")
        for v in range(low, high):
            if x == v:
                return v
        self._learn(Term("==", (self.term(x), num(high))))
        return high

    # Comparisons

    def compared(self, op: str, form: Poly, denied: bool = False) -> Any:
        """`form op 0` (==, >=), or its negation, as a claim; a bool if it is known."""
        claim = self._claim(op, form)
        if isinstance(claim, bool):
            return claim is not denied
        return Claim(self, negated(claim) if denied else claim)

    def holds(self, claim: Term) -> bool:
        """Whether a formula holds; both outcomes are followed if that is open."""
        before = len(self.fork.where)
        found = self.fork.holds(claim)
        for fact in self.fork.where[before:]:
            self._learn(fact)
        return found

    def implied(self, op: str, form: Poly) -> bool:
        """Whether `form op 0` is known to hold here; does not fork."""
        claim = self._claim(op, form)
        return claim if isinstance(claim, bool) else self.fork.known.implies(claim)

    def require(self, a: Any, b: Any) -> bool:
        """Records that a = b has to hold for the answer, without forking; False if no integers satisfy it."""
        form = self._spelled(self.number(minus(form_of(a), form_of(b))))
        shared = self._positive(common_names(form)) if form else []
        form = {without(m, shared): c for m, c in form.items()}
        scale = gcd(*[c for m, c in form.items() if m])
        if form and (not scale or form.get(ONE, 0) % scale):
            return False
        if form:
            lead = next(m for m in form if m)
            scale = -scale if form[lead] < 0 else scale
            self.required.append({m: form[m] // scale for m in sorted(form, key=lambda m: m != lead)})
        return True

    def _claim(self, op: str, form: Poly) -> Term | bool:
        """The comparison with 0, divided by common factors, with positive terms on the left."""
        form = dict(form_of(self.number(self._reduced(form) if op == "==" else form)))
        constant = form.pop(ONE, 0)
        scale = gcd(*form.values())
        if form and constant % scale and op == "==":
            return False
        if form:
            form, constant = {m: c // scale for m, c in form.items()}, constant // scale
        positive = [] if constant or not form else self._positive(common_names(form))
        if positive and (len(form) > 1 or len(positive) < len(next(iter(form)))):
            form = {without(m, positive): c for m, c in form.items()}
            constant = form.pop(ONE, 0)
        if not form:
            return constant == 0 if op == "==" else constant >= 0
        return self._written(op, form, constant)

    def _written(self, op: str, form: Poly, constant: int) -> Term:
        up = {m: c for m, c in form.items() if c > 0}
        down = negative({m: c for m, c in form.items() if c < 0})
        if not down:
            return Term(op, (self.term(Whole(self, up)), num(-constant)))
        if not up:
            return Term("==" if op == "==" else "<=", (self.term(Whole(self, down)), num(constant)))
        if op == ">=" and constant == -1:
            op, constant = ">", 0
        sides = (plus(up, form_of(max(constant, 0))), plus(down, form_of(max(-constant, 0))))
        return Term(op, tuple([self.term(Whole(self, side)) for side in sides]))

    def _positive(self, names: Iterable[str]) -> list[str]:
        """The names that are known to be at least 1."""
        least = {n: Term(">=", (atom_term(n), num(1))) for n in sorted(names)}
        return [n for n, claim in least.items() if self.fork.known.implies(claim)]

    # Learning

    def _learn(self, fact: Term) -> None:
        """Records an equation, so that comparisons that it implies are decided."""
        for part in conjuncts(fact):
            if part.op == "==" and not any(a.is_formula() for a in part.args):
                self._learn_exact(part)
                self._learn_equation(part)

    def _learn_equation(self, fact: Term) -> None:
        try:
            form = self._reduced(minus(*[form_of(of_term(a)) for a in fact.args]))
        except SymbolError:  # a division by 0, or a choice
            return
        lead = max((m for m in form if m), key=lambda m: (len(m) == 1, -abs(form[m]), -len(m)), default=None)
        if lead is None:
            return
        form = negative(form) if form[lead] < 0 else form
        if len(lead) == 1 and form[lead] == 1 and set(form) <= {lead, ONE}:
            self.values[lead[0]] = -form.get(ONE, 0)
        self.equations.append((lead, form[lead], form))

    def _learn_exact(self, fact: Term) -> None:
        """Replaces a name that is divided without remainder by divisor times quotient."""
        left, right = fact.args
        if left.op != "%" or right != num(0) or left.args[0].op != "sym":
            return
        name, divisor = left.args[0].args[0], form_of(self.whole(left.args[1]))
        if name in self.exact or name in self.values or len(divisor) != 1 or any(name in m for m in divisor):
            return
        if (quotient := node_in(of_term(Term("//", left.args)))) is not None:
            self.exact[name] = divisor, quotient

    def _reduced(self, form: Poly) -> Poly:
        """A nonzero multiple of the form after substituting known equations: 0 exactly where the form is; any sign."""
        for lead, factor, zero in self.equations:
            if lead in form:
                form = plus({m: factor * c for m, c in form.items()}, zero, -form[lead])
        return form


def ask_all(
    run: Callable[[Asker], Result], facts: Iterable[Term] | Entailment, budget: Budget = DEFAULT, most: int = 96
) -> list[Path[Result]]:
    """All runs of a numeric algorithm on symbols: disjoint paths that cover all values that the facts allow.

    >>> from symview.logic.integer import name
    >>> from symview.logic.notation import parse_statement, term_text
    >>> def gaps(ask):
    ...     n = ask.whole(name("n"))
    ...     return "fits" if n % 4 == 0 else "cut"
    >>> [(*map(term_text, p.where), p.result) for p in ask_all(gaps, [parse_statement("n >= 1")])]
    [('n % 4 == 0', 'fits'), ('n % 4 != 0', 'cut')]
    """
    return all_paths(lambda fork: run(Asker(fork)), facts, budget, most)
