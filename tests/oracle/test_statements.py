"""Random statements over the whole language against brute force: all integers of small widths, and small integers."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle.statement_brute import Meaning, smallest_exception
from symview import Budget, prove
from symview.errors import InputError
from symview.logic.formula import Formula
from symview.logic.notation import parse_statement, term_text
from symview.logic.terms import value_of
from symview.proof.statement import read
from symview.proof.verdicts import Proved, Refuted, Unknown

DIVISIONS = ("floor", "trunc", "euclid")
SYMBOLIC = Budget(points=1, work=3_000_000)  # the solvers' own answers


def expression(rng, depth, names, most):
    if depth == 0 or rng.random() < 0.15:
        return rng.choice(names) if rng.random() < 0.7 else str(rng.randint(0, most))
    a, b = (expression(rng, depth - 1, names, most) for _ in range(2))
    match rng.randrange(14):
        case 0 | 1 | 2 | 3:
            return f"({a} {rng.choice('+-*')} {b})"
        case 4 | 5:
            return f"({a} {rng.choice(['//', '%'])} {b})"
        case 6 | 7:
            return f"({a} {rng.choice('&|^')} {b})"
        case 8:
            return f"({a} {rng.choice(['<<', '>>'])} {rng.choice([*names, '0', '1', '1'])})"
        case 9:
            return f"{rng.choice(['min', 'max'])}({a}, {b})"
        case 10:
            return f"{rng.choice(['gcd', 'ceildiv', 'cdiv'])}({a}, {b})"
        case 11:
            return f"({a} if {relation(rng, 0, names, most)} else {b})"
        case 12:
            return rng.choice([f"abs({a})", f"(-{a})", f"(~{a})", f"({a})**{rng.choice('01')}"])
    return f"({a} + {b})"


def relation(rng, depth, names, most):
    sign = rng.choice(["==", "!=", "<", "<=", ">", ">="])
    return f"{expression(rng, depth, names, most)} {sign} {expression(rng, depth, names, most)}"


def statement(rng, names, most):
    one = relation(rng, rng.choice([1, 2, 2]), names, most)
    match rng.randrange(8):
        case 0:
            return f"not ({one})"
        case 1:
            return f"({one}) {rng.choice(['and', 'or'])} ({relation(rng, 1, names, most)})"
        case 2:
            return f"({one}) if {relation(rng, 0, names, most)} else ({relation(rng, 1, names, most)})"
    return one


def true_statement(rng, names, most):
    """What holds by the rules of the language, at least without a width."""
    a, b, c = (expression(rng, 1, names, most) for _ in range(3))
    return rng.choice([
        f"{a} + {b} == {b} + {a}", f"({a} | {b}) + ({a} & {b}) == {a} + {b}",
        f"({a} ^ {b}) == ({a} | {b}) - ({a} & {b})",
        f"~({a}) == -({a}) - 1", f"{a} & {a} == {a}", f"min({a}, {b}) + max({a}, {b}) == {a} + {b}",
        f"({a})*({b} + {c}) == ({a})*{b} + ({a})*{c}", f"({a} if {b} < {c} else {a}) == {a}",
        f"gcd({a}, {b}) == gcd({b}, {a})", f"({a} << 1) == 2*({a})" if most > 1 else f"({a} << 1) == {a} + {a}",
        f"({a}) >> 1 == ({a} - ({a} & 1)) >> 1", f"max({a}, {b}) >= {a}", f"abs({a}) == max({a}, -({a}))",
    ])  # fmt: skip


def agree(claim, given, names, division, bits, budget=None):
    """What came out, after comparing it with brute force over the width."""
    meaning = Meaning(division, bits)
    exception, met = smallest_exception(claim, given, names, meaning, meaning.values())
    try:
        verdict = prove(claim, list(map(parse_statement, given)), division, bits=bits, budget=budget)
    except InputError:
        if met:
            raise
        return "empty"
    if isinstance(verdict, Proved):
        assert exception is None, (claim, given, division, bits, exception)
    if isinstance(verdict, Refuted):
        assert exception is not None, (claim, given, division, bits, str(verdict))
        assert meaning.true_at(claim, verdict.values) is False
        assert all(meaning.true_at(g, verdict.values) for g in given)
        assert not verdict.smallest or sum(map(abs, verdict.values.values())) == exception[0]
    return type(verdict).__name__


@pytest.mark.sampled
@pytest.mark.parametrize("division", DIVISIONS)
@pytest.mark.parametrize("bits", ["i2", "u2", 3, "u3", "i4", "u4"])
def test_random_statements_of_small_widths(bits, division, turns, full):
    rng, seen = Random(f"width {bits} {division}"), []
    names, most = ["x", "y"], Meaning(division, bits).values()[-1]
    for turn in turns(30):
        claim = (true_statement if turn % 3 == 0 else statement)(rng, names, most)
        given = [relation(rng, 1, names, most)] if turn % 2 else []
        seen.append(agree(claim, given, names, division, bits, None if turn % 4 == 0 else SYMBOLIC))
    if full:
        assert seen.count("Proved") >= 5
        assert seen.count("Refuted") >= 10
        assert seen.count("Unknown") <= len(seen) // 8, seen.count("Unknown")


@pytest.mark.parametrize("division", DIVISIONS)
def test_random_statements_of_all_integers(division, turns, full, least):
    """Proved ones hold at all small integers, refuted ones fail where it says, the smallest first."""
    rng, seen = Random(f"integers {division}"), []
    meaning, names = Meaning(division), ["x", "y"]
    for turn in turns(75):
        claim = (true_statement if turn % 3 == 0 else statement)(rng, names, 4)
        given = [relation(rng, 1, names, 4)] if turn % 2 else []
        exception, met = smallest_exception(claim, given, names, meaning, range(-6, 7))
        try:
            budget = None if turn % 4 == 0 else SYMBOLIC
            verdict = prove(claim, list(map(parse_statement, given)), division, budget=budget)
        except InputError:
            if met:
                raise
            continue
        seen.append(type(verdict))
        if isinstance(verdict, Proved):
            assert exception is None, (claim, given, exception)
        if isinstance(verdict, Refuted):
            assert meaning.true_at(claim, verdict.values) is False, (claim, str(verdict))
            assert all(meaning.true_at(g, verdict.values) for g in given), (claim, given)
            assert exception is None or not verdict.smallest or sum(map(abs, verdict.values.values())) <= exception[0]
    assert seen.count(Refuted) >= least(30)
    if full:
        assert seen.count(Proved) >= 15
        assert seen.count(Unknown) <= len(seen) // 5, seen.count(Unknown)


def test_what_is_read_means_what_python_says(turns, least):
    """The tree of a text, and of the text that it prints, against Python's own precedences."""
    rng, compared = Random("precedences"), 0
    names = ["x", "y", "z"]
    for _ in turns(500):
        text = loose(rng, rng.choice([2, 3, 4]), names)
        text = f"{text} {rng.choice(['==', '<', '>='])} {loose(rng, 1, names)}"
        division = rng.choice(DIVISIONS)
        term = parse_statement(text)
        again = parse_statement(term_text(term))
        for _ in range(4):
            at = {n: rng.randint(-6, 6) for n in names}
            expected = Meaning(division).true_at(text, at)
            try:
                assert bool(value_of(term, at, division)) is expected, (text, at, division)
                assert bool(value_of(again, at, division)) is expected, (text, term_text(term))
                compared += 1
            except ZeroDivisionError:
                assert expected is None, (text, at)
    assert compared > least(1000)


@pytest.mark.parametrize("bits", [None, "u8", 8])
def test_what_is_printed_is_what_was_read(bits, turns, least):
    """The text is read as the same formula, at a width one of plain integers: equal, and undefined, together."""
    rng, seen = Random(f"printed {bits}"), Counter()
    names = ["x", "y", "z"]
    for _ in turns(300):
        text = f"{loose(rng, rng.choice([2, 3, 4]), names)} {rng.choice(['==', '<', '>='])} {loose(rng, 1, names)}"
        claim = read(text, (), rng.choice(DIVISIONS), bits).claim
        again = Formula(parse_statement(claim.text, wraps=True), claim.division)
        for _ in range(4):
            at = {n: rng.randint(0, 9) if bits == "u8" else rng.randint(-6, 6) for n in names}
            assert outcome(again, at) is outcome(claim, at), (text, claim.text, at)
            seen[outcome(again, at)] += 1
    assert min(seen[True], seen[False], seen[None]) > least(30)


def outcome(formula, at):
    try:
        return formula.holds(at)
    except ZeroDivisionError:
        return None


@pytest.mark.parametrize("bits", ["u2", 3])
def test_statements_compared_and_chosen(bits, turns, full, least):
    rng, seen = Random(f"compared {bits}"), []
    most = Meaning("floor", bits).values()[-1]

    def formula(depth):
        if depth == 0:
            return relation(rng, 1, ["x", "y"], most)
        one, two, three = (formula(depth - 1) for _ in range(3))
        integer = f"where({one}, {expression(rng, 1, ['x', 'y'], most)}, {expression(rng, 1, ['x', 'y'], most)})"
        return rng.choice([f"({one}) == ({two})", f"({one}) != ({two})", f"({one}) == ({two}) != ({three})",
                           f"where({one}, {two}, {three})", f"{integer} {rng.choice(['==', '<'])} x"])  # fmt: skip

    for turn in turns(60):
        claim, given = formula(rng.choice([1, 1, 2])), [formula(1)] if turn % 2 else []
        if turn % 3 == 0:
            claim = f"({claim}) == ({claim})" if turn % 2 else f"({claim}) != (not ({claim}))"
        seen.append(agree(claim, given, ["x", "y"], "floor", bits, None if turn % 4 == 0 else SYMBOLIC))
    assert seen.count("Refuted") >= least(20)
    if full:
        assert seen.count("Proved") >= 10


def loose(rng, length, names):
    """Operators in a row, few parentheses."""
    text = ""
    for n in range(length):
        part = rng.choice([*names, "2", "3", "1", "-x", "~y", "(x - y)", "min(x, y)", "x**2", "-y**2", "gcd(x, 6)"])
        text += part if n == 0 else f" {rng.choice(['+', '-', '*', '//', '%', '&', '|', '^', '<<', '>>'])} {part}"
    return text
