"""Expressions and formulas as text of Rocq: prints only parsed trees and plain names."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import reduce
from itertools import count

from symview.trusted.formulas import Tree
from symview.verify.nodes import both

_PLAIN = re.compile(r"[A-Za-zΑ-ΡΣ-Ωα-κμ-ω][A-Za-z0-9_Α-ΡΣ-Ωα-κμ-ω]{0,30}")
# the binders and lemmas of the exporter
_OURS = re.compile(r"(?:[ij]|[lx]_|lemma_|part_|shown_|claim_)[0-9]+|sv_.*")
_WORDS = """_ as at by cofix else end exists exists2 fix for forall fun if in is let ltac match mod rem quot return then
    using where with Prop SProp Set Type S O I Z N Q nat bool list option prod sum unit eq le lt ge gt True False true
    false eq_refl nil cons app length map fst snd pair Some None proj1 proj2 inl inr left right and or not iff ex Eq Lt
    Gt ex_intro conj or_introl or_intror negb andb orb xorb implb positive xH xI xO Z0 Zpos Zneg Zminus ZEuclid Bool Nat
    List Forall In nth seq repeat fold_left fold_right forallb existsb rev main ceildiv wrap floor_sum
    floor_sum_nat along layout_at layout_size layout_cosize layout_composed layout_coalesced
    layout_coalesces layout_right_inverse layout_left_inverse layout_strict_left_inverse layout_insert layout_moving
    layout_gaps layout_complement layouts_apart layout_complements
    layout_divided layout_multiplied view in_box dot in_mask size_of digits place Address Hidden Outside look
    shape_of one_view leads_as leaves same_places total in_order sooner exactly_one indices inside_box seen further
    reach first_view breaks share"""
_ALARMING = frozenset(
    ["Admitted", "Axiom", "Axioms", "Parameter", "Parameters", "Conjecture", "Hypothesis", "Variable", "admit"]
)
_RESERVED = _ALARMING | {*_WORDS.split()}
_RELATIONS = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_TESTS = {"==": "=?", "<": "<?", "<=": "<=?", ">": ">?", ">=": ">=?"}
_CONNECTIVES = {"and": " /\\ ", "or": " \\/ ", "->": " -> ", "<->": " <-> "}
_INFIX = {"+": "+", "-": "-", "*": "*", "//": "/", "%": "mod", "**": "^"}
_NESTED = {"min": "Z.min", "max": "Z.max", "gcd": "Z.gcd", "&": "Z.land", "|": "Z.lor", "^": "Z.lxor"}
_FUNCTIONS = {
    "//trunc": "Z.quot", "%trunc": "Z.rem", "//euclid": "ZEuclid.div", "%euclid": "ZEuclid.modulo", "abs": "Z.abs",
    "~": "Z.lnot", "<<": "Z.shiftl", ">>": "Z.shiftr", "ceildiv": "ceildiv", "wrap": "wrap", "floor_sum": "floor_sum",
}  # fmt: skip
LONGEST = 200_000  # the most characters of one statement


class Open(Exception):
    """No proof was found, or Rocq has no definitions for a statement; the reason is printed."""


class TooLong(ArithmeticError):
    """A statement that is too long for people, and for Rocq."""


class Names(dict[str, str]):
    """Unique identifiers for the names of a certificate: the name itself if it is plain, else x_1, x_2, …

    >>> names = Names()
    >>> [names[n] for n in ("x", "σ1", "S", "*) Admitted.", "#0", "x_1")]
    ['x', 'σ1', 'x_1', 'x_2', 'i0', 'x_3']
    """

    def __missing__(self, name: str) -> str:
        index = name[:1] == "#" and re.fullmatch("[0-9]{1,3}", name[1:])
        plain = _PLAIN.fullmatch(name) and name not in _RESERVED and not _OURS.fullmatch(name)
        other = next(x for x in (f"x_{k}" for k in count(1)) if x not in self.values())
        self[name] = f"i{int(name[1:])}" if index else name if plain else other
        return self[name]

    def renamed(self) -> list[str]:
        """The identifiers that replace other names."""
        return [f"{x} stands for {spelled(n)}" for n, x in self.items() if n != x and n[:1] != "#"]


def spelled(name: str) -> str:
    """The name itself if it is plain, else the numbers of its characters.

    >>> spelled("S"), spelled("a*)")
    ('S', 'U+61 U+2A U+29')
    """
    plain = _PLAIN.fullmatch(name) and name not in _ALARMING
    return name if plain else " ".join(f"U+{ord(c):X}" for c in name[:60]) or "the empty text"


class Printer:
    """Prints trees.

    >>> printer = Printer(Names())
    >>> printer.formula(("->", (">=", "c", 1), ("==", ("%", ("//", "x", "c"), "k"), ("neg", -1))))
    '(c >= 1) -> ((x / c) mod k = - (-1))'
    """

    def __init__(self, names: Names) -> None:
        self.names = names

    def integer(self, t: Tree) -> str:
        """An expression, in parentheses if it has parts."""
        if type(t) is int:
            return str(t) if t >= 0 else f"(-{-t})"
        if type(t) is str:
            return self.names[t]
        op, *args = t
        if op == "if":
            return f"(if {self.test(args[0])} then {self.integer(args[1])} else {self.integer(args[2])})"
        parts = [self.integer(a) for a in args]
        if op == "neg":
            return f"(- {parts[0]})"
        if op in ("<<", ">>") and type(args[1]) is int and 0 <= args[1] <= 64:
            return f"({parts[0]} {'*' if op == '<<' else '/'} {2 ** args[1]})"
        if op in _INFIX:
            return reduce(lambda a, b: f"({a} {_INFIX[op]} {b})", parts)
        if op in _NESTED:
            parts += ["0"] if op == "gcd" and len(parts) == 1 else []
            return reduce(lambda a, b: f"({_NESTED[op]} {a} {b})", parts)
        return f"({_FUNCTIONS[op]} {' '.join(parts)})"

    def bare(self, t: Tree) -> str:
        """An expression without the outermost parentheses."""
        text = self.integer(t)
        return text[1:-1] if type(t) is tuple and t[0] != "if" and text[0] == "(" else text

    def test(self, t: Tree) -> str:
        """A formula as a term of bool."""
        if type(t) is bool:
            return str(t).lower()
        op, *args = t
        if op in _RELATIONS:
            a, b = map(self.integer, args)
            return f"(negb ({a} =? {b}))" if op == "!=" else f"({a} {_TESTS[op]} {b})"
        parts = [self.test(a) for a in args]
        if op in ("and", "or"):
            return reduce(lambda a, b: f"({a} {'&&' if op == 'and' else '||'} {b})", parts)
        if op == "not":
            return f"(negb {parts[0]})"
        return f"(Bool.eqb {parts[0]} {parts[1]})" if op == "<->" else f"(negb {parts[0]} || {parts[1]})"

    def formula(self, t: Tree) -> str:
        """A formula as a term of Prop."""
        if type(t) is bool:
            return str(t)
        op, *args = t
        if op in _RELATIONS:
            return f"{self.bare(args[0])} {_RELATIONS[op]} {self.bare(args[1])}"
        parts = [f"({self.formula(a)})" for a in args]
        return self.short(f"~ {parts[0]}" if op == "not" else _CONNECTIVES[op].join(parts))

    def short(self, text: str) -> str:
        """The text, unless it is too long."""
        if len(text) > LONGEST:
            raise TooLong("a statement that is too long for Rocq")
        return text

    def all(self, formulas: Iterable[Tree]) -> str:
        """The conjunction of the formulas."""
        return self.formula(both([f for f in formulas if f is not True]))

    def premise(self, t: Tree) -> str:
        """A formula as the premise of an arrow."""
        return self.formula(t) if type(t) is bool or t[0] in _RELATIONS else f"({self.formula(t)})"

    def binder(self, names: Iterable[str], quantifier: str = "forall") -> str:
        """`forall x y : Z, `; empty without names."""
        spelled_names = " ".join(self.names[n] for n in names)
        return f"{quantifier} {spelled_names} : Z, " if spelled_names else ""
