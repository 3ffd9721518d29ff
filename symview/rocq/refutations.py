"""Refutations as data for Rocq: `library/Checker.v` has the checker, and the proof that it is right.

The reader of `symview.verify` follows the refutation, so facts have its numbers, but from 1. Its names #n are atoms,
which the data list once for all branches: atom number k is `2 k + 1` in polynomials, name number k is `2 k`. The
output consists of numbers and constructors.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from symview.trusted.document import BadCertificate, expression
from symview.trusted.formulas import Tree
from symview.trusted.linear import Known, Poly, Scope

_OPERATORS = {
    "+": "oAdd", "-": "oSub", "*": "oMul", "neg": "oNeg", "//": "oDiv", "%": "oMod", "//trunc": "oQuot",
    "%trunc": "oRem", "//euclid": "oEdiv", "%euclid": "oEmod", "min": "oMin", "max": "oMax", "abs": "oAbs",
    "gcd": "oGcd", "ceildiv": "oCeil", "wrap": "oWrap", "floor_sum": "oFsum", "&": "oLand", "|": "oLor", "^": "oLxor",
    "~": "oLnot", "<<": "oShl", ">>": "oShr", "**": "oPow", "if": "oIf", "==": "oEq", "!=": "oNe", "<": "oLt",
    "<=": "oLe", ">": "oGt", ">=": "oGe", "and": "oAnd", "or": "oOr", "not": "oNot", "->": "oImp", "<->": "oIff",
}  # fmt: skip
_LAST_SHIFT = 64  # the largest shift by a number that is a product or a quotient


class Computed(NamedTuple):
    """A claim and its refutation as terms of Rocq, of the types `sv_claim` and `sv_proof`."""

    claim: str
    refutation: str

    def proof(self, name: str, about: Iterable[str]) -> list[str]:
        """The definitions of both, as `name'c` and `name'r`, and the proof of `forall about, given -> … -> claim`."""
        told = [*about]
        first = f"intros {' '.join(told)}. " if told else ""
        computed = f"(sv_sound {name}'c {name}'r [{'; '.join(told)}] ltac:(vm_cast_no_check (eq_refl true)))"
        return [
            f"Definition {name}'c : sv_claim := {self.claim}%positive.\n"
            f"Definition {name}'r : sv_proof := {self.refutation}%positive.",
            f"Proof. {first}exact_no_check {computed}. Qed.",
        ]


def computed(about: Sequence[str], given: Sequence[Tree], claim: Tree, steps: Sequence[Any]) -> Computed | None:
    """A claim about names under given formulas, with steps that refute its negation; None if they do not.

    >>> found = computed(["x"], [("<=", ("*", 2, "x"), 1)], ("<", "x", 1), [["sum", [1, 0], [1, 1]]])
    >>> found.refutation
    '(Refutation [] (Ref [Given 0; Given 1; Sum [([Mon 1 []], [1]); ([Mon 1 []], [2])]] 1 []))'
    """
    numbers = {n: k for k, n in enumerate(about, 1)}
    writer = _Writer([], {}, numbers, {}, {})
    try:
        writer.read([*given, ("not", claim)])
        refutation = writer.followed(steps)
    except (BadCertificate, RecursionError, LookupError, TypeError, ValueError):
        return None
    return Computed(claim_of(about, given, claim), f"(Refutation {_row(writer.atoms)} {refutation})")


def claim_of(about: Sequence[str], given: Sequence[Tree], claim: Tree) -> str:
    """Converts a claim to data.

    >>> claim_of(["x"], [(">=", "x", 1)], ("==", ("//", 1, "x"), 0))
    '(Claim [tOp oGe [tName 1; tNum 1]] (tOp oEq [tOp oDiv [tNum 1; tName 1]; tNum 0]))'
    """
    numbers = {n: k for k, n in enumerate(about, 1)}
    return f"(Claim {_row(_tree(g, numbers) for g in given)} ({_tree(claim, numbers)}))"


class _Writer(Scope):
    """Writes a step for each of the reader's; `numbers` are those of names, `own` those of atoms in this branch."""

    def __init__(
        self, known: list[Known], quotients: dict[Tree, str], numbers: Mapping[str, int], atoms: dict[str, int],
        own: dict[str, int],
    ) -> None:  # fmt: skip
        super().__init__(known, quotients)
        self.numbers, self.atoms, self.own, self.written = numbers, atoms, own, list[str]()

    def read(self, formulas: Sequence[Tree]) -> None:
        """Reads the formulas."""
        for n, f in enumerate(formulas):
            facts = self.parts(f, True)
            self.written.append(f"Given {n}")
            self.add(*facts)

    def add(self, *known: Known) -> None:
        """Adds facts; those directly after a new name define it."""
        if len(self.own) < len(self.names):
            key, name = next((k, n) for k, n in reversed(self.names.items()) if n not in self.own)
            self.own[name] = self.atoms.setdefault(self._atom(key), len(self.atoms) + 1)
            self.written.append(f"Define {self.own[name]}")
        super().add(*known)

    def followed(self, steps: Sequence[Any]) -> str:
        """The data of the steps; steps after a split belong to the remaining alternative."""
        for n, step in enumerate(steps):
            if self.closed:
                break
            if step[0] == "split":
                return self._split(*step[1:], steps[n + 1 :])
            self._write(step)
            self.closed_by([step])
        if not self.closed:
            raise BadCertificate("the steps refute nothing")
        return f"(Ref {_row(self.written)} 1 [])"

    def _write(self, step: Sequence[Any]) -> None:
        if step[0] == "sum":
            factors = [self._poly(self.poly(expression(t[0]))) for t in step[1:]]
            terms = [f"({f}, {_row(k + 1 for k in t[1:])})" for f, t in zip(factors, step[1:], strict=True)]
            self.written.append(f"Sum {_row(terms)}")
        elif step[0] == "sign":
            self.written.append(f"Sign {self._poly(self.poly(expression(step[1])))}")

    def _split(self, k: int, n: int, *refuted: Sequence[Any]) -> str:
        *others, rest = refuted
        choice, cases = self._known(k, list), list[str]()
        for one, steps in zip(choice, [*others[:n], rest, *others[n:]], strict=True):
            branch = _Writer([*self.known], {**self.names}, self.numbers, self.atoms, {**self.own})
            branch.add(*one)
            cases.append(branch.followed(steps))
        return f"(Ref {_row(self.written)} {k + 1} {_row(cases)})"

    def _atom(self, key: Tree) -> str:
        op, *parts = key
        if op == "if":
            chosen = " ".join(self._poly(dict(p)) for p in parts[1:])
            return f"Choose ({_tree(parts[0], self.numbers)}) {chosen}"
        return f"Atom {_OPERATORS[op]} {_row(self._poly(dict(p)) for p in parts)}"

    def _poly(self, p: Poly) -> str:
        def number(name: str) -> int:
            return 2 * self.numbers[name[1:]] if name[0] == "." else 2 * self.own[name] + 1

        terms = sorted((sorted(map(number, m)), c) for m, c in p.items())
        return _row(f"Mon {_integer(c)} {_row(m)}" for m, c in terms)


def _tree(t: Tree, numbers: Mapping[str, int]) -> str:
    """Converts a tree to data."""
    if type(t) is not tuple:
        kinds = {bool: lambda: f"tBool {str(t).lower()}", int: lambda: f"tNum {_integer(t)}"}
        return kinds.get(type(t), lambda: f"tName {numbers[t]}")()
    op, *parts = t
    if op in ("<<", ">>") and type(parts[1]) is int and 0 <= parts[1] <= _LAST_SHIFT:
        op, parts = "*" if op == "<<" else "//", [parts[0], 2 ** parts[1]]
    return f"tOp {_OPERATORS[op]} {_row(_tree(p, numbers) for p in parts)}"


def _integer(x: int) -> str:
    return str(x) if x >= 0 else f"({x})"


def _row(parts: Iterable[object]) -> str:
    return f"[{'; '.join(map(str, parts))}]"
