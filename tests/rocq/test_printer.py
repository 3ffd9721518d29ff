"""What is printed means in Rocq what symview.verify computes: operators on numbers of both signs."""

from __future__ import annotations

from random import Random

from symview.rocq.terms import Names, Printer
from symview.trusted.formulas import compiled

UNARY, BINARY = ("neg", "abs", "~"), ("+", "-", "*", "//", "%", "//trunc", "%trunc", "//euclid", "%euclid", "ceildiv",
                                      "min", "max", "gcd", "&", "|", "^")  # fmt: skip
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
HEAD = """From Coq Require Import ZArith List Zeuclid Bool.
From Symview Require Import Definitions.
Import ListNotations.
Open Scope Z_scope.
"""


def expression(rng: Random, depth: int):
    if depth <= 0 or rng.random() < 0.2:
        return rng.choice((rng.randint(-9, 9), rng.randint(-200, 200)))
    op = rng.choice((*UNARY, *BINARY, "<<", ">>", "**", "wrap", "floor_sum", "if", "min", "gcd"))
    part = lambda: expression(rng, depth - 1)  # noqa: E731
    if op in ("<<", ">>", "**"):
        return (op, part(), rng.randint(0, 5))
    if op == "floor_sum":
        return (op, rng.randint(0, 9), part(), part(), part())
    if op == "if":
        return (op, formula(rng, depth - 1), part(), part())
    count = {"wrap": 3, "min": 3, "gcd": rng.randint(1, 3)}.get(op, 1 if op in UNARY else 2)
    return (op, *[part() for _ in range(count)])


def formula(rng: Random, depth: int):
    op = rng.choice((*RELATIONS, "and", "or", "not", "->", "<->")) if depth > 0 else rng.choice(RELATIONS)
    if op in RELATIONS:
        return (op, expression(rng, depth - 1), expression(rng, depth - 1))
    return (op, *[formula(rng, depth - 1) for _ in range(1 if op == "not" else 2)])


def test_closed_expressions_have_the_same_values(said) -> None:
    rng, printer, found = Random(1), Printer(Names()), []
    while len(found) < 500:
        logical = rng.random() < 0.3
        tree = (formula if logical else expression)(rng, 3)
        try:
            value = compiled(tree)({})
        except ArithmeticError:
            continue
        if abs(value) < 10**300:
            test = f"Bool.eqb {printer.test(tree)} {str(value).lower()}" if logical else ""
            found.append(test or f"{printer.integer(tree)} =? {printer.integer(value)}")
    rows = ";\n".join(f"({row})" for row in found)
    claim = (
        f"Theorem main : forallb id [{rows}] = true.\nProof. vm_compute; reflexivity. Qed.\nPrint Assumptions main.\n"
    )
    assert said(HEAD + claim) == ""
    assert said(HEAD + claim.replace("[(", "[(1 =? 2); (", 1))


def test_quotients_by_divisors_of_both_signs(said) -> None:
    printer = Printer(Names())
    rows = [f"({printer.integer((op, a, b))} =? {printer.integer(compiled((op, a, b))({}))})"
            for op in ("//", "%", "//trunc", "%trunc", "//euclid", "%euclid", "ceildiv")
            for a in range(-7, 8) for b in (-3, -2, -1, 1, 2, 3)]  # fmt: skip
    claim = f"Theorem main : forallb id [{'; '.join(rows)}] = true.\nProof. vm_compute; reflexivity. Qed.\n"
    assert said(f"{HEAD}{claim}Print Assumptions main.\n") == ""
