"""Formulas that divide, read from left to right as Python reads them, against Python itself."""

from __future__ import annotations

from itertools import count, product
from random import Random

import pytest
import sympy

from symview import Budget, View, conditions
from symview.answers import TooWeak
from symview.errors import NotationError
from symview.logic.arithmetic import Outcomes, outcomes, total
from symview.logic.notation import parse_statement
from symview.logic.terms import FALSE, Term, negated, nonzero_divisors, value_of, walk

ATOMS = ("a % b == 0", "c // b == 1", "a == 0", "b == 0", "c % a == 1", "b > 1", "a*c == b", "b % (a - c) == 0")
POINTS = list(product((-1, 0, 1, 2), repeat=3))


def formula(rng: Random, depth: int) -> str:
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(ATOMS)
    if rng.random() < 0.2:
        return f"not ({formula(rng, depth - 1)})"
    parts = (f"({formula(rng, depth - 1)})" for _ in range(rng.choice((2, 2, 3))))
    return rng.choice((" and ", " or ")).join(parts)


def reads_as_true(text: str, values: dict[str, int]) -> bool:
    try:
        return bool(eval(text, {}, values))
    except ZeroDivisionError:
        return False


def without_zeros(term: Term, values: dict[str, int]) -> Term:
    """The formula where the divisors that are 0 at these values are, taken one by one."""
    while (d := next((d for d in nonzero_divisors([term]) if not value_of(d, values)), None)) is not None:

        def of_part(part: Term, d: Term = d) -> Outcomes:
            return Outcomes(FALSE, FALSE) if d in nonzero_divisors([part]) else Outcomes(part, negated(part))

        term = outcomes(term, of_part).true
    return term


def test_formulas_come_out_as_python_reads_them(turns, least) -> None:
    rng, seen = Random("readings"), [0, 0]
    for _ in turns(300):
        text = formula(rng, 3)
        term = parse_statement(text)
        defined = total(term)
        for point in rng.sample(POINTS, 6):
            values = dict(zip("abc", point, strict=True))
            expected = reads_as_true(text, values)
            seen[expected] += 1
            assert bool(value_of(without_zeros(term, values), values)) == expected, (text, values)
            if all(value_of(d, values) for d in nonzero_divisors([defined])):
                assert bool(value_of(defined, values)) == expected, (text, values)
    assert min(seen) > least(200)


def test_alternatives_that_divide_stay_few_however_many_there_are() -> None:
    """One part for each divisor that is 0, in which nothing is said twice."""
    many = parse_statement(" or ".join(f"a % x{n} == 0 or b % (x{n} + y{n}) == 1" for n in range(12)))
    zeros = count()

    def first_is_zero(part: Term) -> Outcomes:
        return Outcomes(FALSE, FALSE) if next(zeros) % 5 == 4 else Outcomes(part, negated(part))

    assert sum(1 for _ in walk(outcomes(many, first_is_zero).true)) <= sum(1 for _ in walk(many))


def test_a_guard_of_many_divisors_ends_within_its_budget() -> None:
    answer = conditions(View.parse("(a,b):(s,t)"), View.parse("(a*b):(1)"), budget=Budget(work=3_000_000))
    guard = " or ".join(f"a % ({x}) == 0" for x in ("s", "t", "s+t", "s-2*t", "b-s", "b-t", "2*s+b", "3*t-b"))
    assert isinstance(answer.compare(guard), TooWeak)


# Texts of other languages, against the tree that they were printed from

INFIX = {"*": 10, "/": 10, "%": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "<": 7, "<=": 7, ">": 7, ">=": 7, "==": 6,
         "!=": 6, "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1, "?:": 0}  # fmt: skip
RELATIONS, CONNECTIVES, BITS = ("<", "<=", ">", ">=", "==", "!="), ("&&", "||", "!"), ("&", "^", "|")


def read_or_refused(text: str, words: str, division: str = "floor") -> Term | None:
    """The statement, or None if it is refused with these words."""
    try:
        return parse_statement(text, division=division)
    except NotationError:
        with pytest.raises(NotationError, match=words):
            parse_statement(text, division=division)
    return None


def c_tree(rng: Random, depth: int, truth: bool):
    """A tree of C: a truth value or an integer, with no mixture of both."""
    if truth and (depth == 0 or rng.random() < 0.3):
        if rng.random() < 0.2:
            return "==", ("%", c_tree(rng, max(depth - 1, 0), False), rng.choice("abc23")), "0"
        return rng.choice(RELATIONS), c_tree(rng, max(depth - 1, 0), False), c_tree(rng, max(depth - 1, 0), False)
    if truth:
        op = rng.choice((*CONNECTIVES, "?:"))
        parts = {"!": 1, "?:": 3}.get(op, 2)
        return op, *[c_tree(rng, depth - 1, True) for _ in range(parts)]
    if depth == 0 or rng.random() < 0.2:
        return rng.choice(("a", "b", "c", "1", "2", "3"))
    op = rng.choice(("*", "/", "%", "+", "-", "&", "^", "|", "<<", "neg", "~", "?:"))
    if op == "<<":
        return op, c_tree(rng, depth - 1, False), rng.choice("123")
    if op == "?:":
        return op, c_tree(rng, depth - 1, True), c_tree(rng, depth - 1, False), c_tree(rng, depth - 1, False)
    return op, *[c_tree(rng, depth - 1, False) for _ in range(1 if op in ("neg", "~") else 2)]


def c_text(rng: Random, tree, least: int = 0) -> str:
    """The text in C, with no more parentheses than its precedences need, but now and then."""
    if isinstance(tree, str):
        return tree
    op, *parts = tree
    if op in ("!", "neg", "~"):
        text, level = f"{op.replace('neg', '-')}{' ' * (op == 'neg')}{c_text(rng, parts[0], 11)}", 11
    elif op == "?:":
        where, one, other = c_text(rng, parts[0], 1), c_text(rng, parts[1]), c_text(rng, parts[2])
        text, level = f"{where} ? {one} : {other}", 0
    else:
        level = INFIX[op]
        text = f"{c_text(rng, parts[0], level)} {op} {c_text(rng, parts[1], level + 1)}"
    return f"({text})" if level < least or rng.random() < 0.1 else text


def c_value(tree, values: dict[str, int]) -> int:
    """The value that C computes; quotients are rounded to 0, a remainder has the sign of the dividend."""
    if isinstance(tree, str):
        return values[tree] if tree in values else int(tree)
    op, *parts = tree
    if op in ("&&", "||", "?:"):
        first = c_value(parts[0], values)
        if op == "?:":
            return c_value(parts[1] if first else parts[2], values)
        return first if bool(first) == (op == "||") else c_value(parts[1], values)
    x, *more = (c_value(part, values) for part in parts)
    y = more[0] if more else 0
    if op in ("/", "%"):
        quotient = abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
        return quotient if op == "/" else x - quotient * y
    return int({"!": not x, "neg": -x, "~": ~x, "<<": x << max(y, 0), "*": x * y, "+": x + y, "-": x - y, "&": x & y,
                "^": x ^ y, "|": x | y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y, "==": x == y,
                "!=": x != y}[op])  # fmt: skip


def test_texts_of_c_mean_what_c_computes_or_are_refused(turns, least) -> None:
    """Refused are only those in which C and Python disagree: unequal ranks of & | ^, and comparisons of truth."""
    rng, seen, refused, alike = Random("texts of C"), [0, 0], 0, 0
    for _ in turns(1500):
        tree = c_tree(rng, rng.choice((1, 2, 3)), True)
        text = f"({c_text(rng, tree)}) && a == a"
        term = read_or_refused(text, "C reads a & b|C compares the truth", division="trunc")
        if term is None:
            refused += 1
            continue
        down = None if "/" in text else read_or_refused(text, "C's % rounds to 0")
        for point in rng.sample(POINTS, 5):
            values = dict(zip("abc", point, strict=True))
            try:
                expected = bool(c_value(tree, values))
            except ZeroDivisionError:
                continue
            try:
                found = bool(value_of(term, values, "trunc"))
            except ZeroDivisionError:  # in a part that C does not reach
                continue
            assert found == expected, (text, values)
            seen[expected] += 1
            if down is not None:
                assert bool(value_of(down, values)) == expected, (text, values)
                alike += "%" in text
    assert min(seen) > least(1000)
    assert alike > least(100)
    assert refused < turns(1500).stop / 2


def sympy_tree(rng: Random, depth: int):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice((*sympy.symbols("a b c", integer=True), sympy.Integer(2), sympy.Integer(-3)))
    one, other = sympy_tree(rng, depth - 1), sympy_tree(rng, depth - 1)
    made = rng.choice((sympy.Add, sympy.Mul, sympy.Mod, sympy.Max, sympy.Min, "floor", "ceiling", "abs"))
    if made == "abs":
        return sympy.Abs(one)
    if isinstance(made, str) or made is sympy.Mod:
        other = other if other != 0 else sympy.Integer(2)
    return getattr(sympy, made)(one / other) if isinstance(made, str) else made(one, other)


def sympy_claim(rng: Random, depth: int):
    if depth == 0 or rng.random() < 0.3:
        relation = rng.choice((sympy.Eq, sympy.Ne, sympy.Lt, sympy.Le, sympy.Gt, sympy.Ge))
        return relation(sympy_tree(rng, 2), sympy_tree(rng, 2))
    parts = [sympy_claim(rng, depth - 1) for _ in range(2)]
    made = rng.choice((sympy.And, sympy.Or, sympy.Not, sympy.Implies, sympy.Equivalent))
    return made(parts[0]) if made is sympy.Not else made(*parts)


def test_what_sympy_prints_is_what_it_computes_or_refused(turns, least) -> None:
    rng, seen, refused = Random("texts of sympy"), [0, 0], 0
    for _ in turns(400):
        claim = sympy_claim(rng, 2)
        text = str(claim)
        term = read_or_refused(
            text, r"write (floor|ceiling)\(a/b\)|to close (floor|ceiling)\(a/b\)"
        )  # of a sum of fractions
        if term is None:
            refused += 1
            continue
        for _ in range(3):
            values = {name: rng.choice((-4, -3, -2, -1, 1, 2, 5, 12)) for name in "abc"}
            try:
                found = bool(value_of(term, values))
            except ZeroDivisionError:  # for which sympy has zoo
                continue
            expected = claim.subs({s: values[s.name] for s in claim.free_symbols})
            if expected in (sympy.true, sympy.false):
                assert found == bool(expected), (text, values)
                seen[found] += 1
    assert min(seen) > least(300)
    assert refused < turns(400).stop / 2
