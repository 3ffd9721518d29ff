"""Integers with names have everywhere the value of their term; equal ones are one object for dicts, sets and nodes."""

import copy
import pickle
from collections import Counter
from itertools import product
from random import Random

import numpy
import pytest
import sympy

from symview.errors import InputError, SymbolError
from symview.logic.integer import Int, divmod_of, form_of, greatest, integer, least, name, of_term, term_of
from symview.logic.notation import parse_expression, parse_statement
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, num, sym, value_of

NAMES = ("n", "m", "k")
POINTS = [dict(zip(NAMES, p, strict=True)) for p in product((-7, -1, 0, 1, 2, 5, 12), (-3, 0, 1, 4), (-2, 1, 3))]
OPERATIONS = ("+", "-", "*", "*", "neg", "//", "//", "%", "%", "min", "max", "abs", "gcd", "ceildiv")


def random_term(rng, depth=3, operations=OPERATIONS):
    if depth == 0 or rng.random() < 0.15:
        return sym(rng.choice(NAMES)) if rng.random() < 0.6 else num(rng.randint(-6, 8))
    op = rng.choice(operations)
    count = 1 if op in ("neg", "abs") else rng.choice((2, 2, 3)) if op in ("+", "*", "min", "max", "gcd") else 2
    return Term(op, tuple([random_term(rng, depth - 1, operations) for _ in range(count)]))


def value_at(term, point):
    try:
        return value_of(term, point)
    except ZeroDivisionError:
        return None


def value_of_integer(x, point):
    try:
        return x if isinstance(x, int) else x.at(point)
    except ZeroDivisionError:
        return None


def shuffled(rng, term):
    """The term with operands of sums, products and others in another order."""
    if term.op in ("int", "sym"):
        return term
    args = [shuffled(rng, a) for a in term.args]
    if term.op in ("+", "*", "min", "max", "gcd"):
        rng.shuffle(args)
    if term.op == "-" and rng.random() < 0.5:
        return Term("+", (Term("neg", (args[1],)), args[0]))
    return Term(term.op, tuple(args))


def test_values_are_those_of_the_term(turns, least):
    seen = Counter()
    for seed in turns(3000):
        term = random_term(Random(seed))
        try:
            x = of_term(term)
        except InputError:
            seen["division by 0"] += 1
            continue
        assert not isinstance(x, Int) or x.names()
        for point in POINTS:
            expected = value_at(term, point)
            if expected is None:  # an operand may have been cancelled
                continue
            assert value_of_integer(x, point) == expected, (to_text(term), x, point)
            seen["point"] += 1
        again = of_term(term_of(x))
        assert again == x and hash(again) == hash(x) and str(again) == str(x), (to_text(term), x, again)
        assert of_term(parse_expression(str(x))) == x
        seen["polynomial" if isinstance(x, int) or not any(str(a).startswith("⟨") for m in x.form for a in m)
             else "node"] += 1  # fmt: skip
    assert seen["point"] > least(100_000) and seen["node"] > least(900) and seen["polynomial"] > least(300)


def test_equal_however_built(turns, least):
    seen = Counter()
    for seed in turns(1500):
        rng = Random(seed)
        term = random_term(rng)
        try:
            x, y = of_term(term), of_term(shuffled(rng, term))
        except InputError:
            continue
        assert x == y and hash(x) == hash(y) and str(x) == str(y), (to_text(term), x, y)
        if isinstance(x, Int):
            assert {x, y} == {x} and dict(x.form) == dict(y.form)
            seen["other order"] += list(x.form) != list(y.form)
            q, p = divmod_of(x, 4), divmod_of(y, 4)
            assert q == p and form_of(q[0]) == form_of(p[0])
    assert seen["other order"] > least(50)


def test_equal_integers_are_equal_everywhere(turns, least):
    """Among many small terms, those that are equal have equal values; most of those with equal values are equal."""
    by_values, classes = {}, {}
    for seed in turns(4000):
        term = random_term(Random(seed), 2, ("+", "-", "*", "neg", "//", "%", "abs"))
        try:
            x = of_term(term)
        except InputError:
            continue
        values = tuple([value_of_integer(x, p) for p in POINTS])
        assert classes.setdefault(x, values) == values
        if None not in values:
            by_values.setdefault(values, set()).add(x)
    split = [found for found in by_values.values() if len(found) > 1]
    assert len(by_values) > least(400) and len(split) <= len(by_values) // 10, [sorted(map(str, s)) for s in split]


def test_put_and_pickle(turns):
    for seed in turns(400):
        rng = Random(seed)
        try:
            x, y = of_term(random_term(rng)), of_term(random_term(rng, 2))
        except InputError:
            continue
        if not isinstance(x, Int):
            continue
        for copied in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
            assert copied == x and hash(copied) == hash(x) and str(copied) == str(x)
        try:
            put = x.put({"n": y, "m": name("n")})
        except (ZeroDivisionError, InputError):
            continue
        for point in POINTS:
            inner = value_of_integer(y, point)
            expected = None if inner is None else value_of_integer(x, {**point, "n": inner, "m": point["n"]})
            found = value_of_integer(put, point)
            assert None in (expected, found) or found == expected, (x, y, put, point)


def test_operators_of_int():
    n, m = name("n"), name("m")
    assert n + 1 - n == 1 and type(n + 1 - n) is int and (n + 1) * n == n * n + n == n**2 + n
    assert (n * 6 + 1) // 3 == 2 * n and (n * 6 + 1) % 3 == 1 and divmod(7 * m, m) == (7, 0) and divmod(8, 4 + 0 * n)
    assert -(-n // 4) != n // 4 and n // -4 == -n // 4 and n % -4 == -(-n % 4) and 5 // n * n + 5 % n != 5
    assert least(n, n + 1, m) == least(m, n) and greatest(4, n, 6) == greatest(n, 6) and abs(n - m) == abs(m - n)
    assert 0 not in (n, m) and n not in (0, 1) and n != "n" and (n < n + 1) is True and (n >= n + 1) is False
    assert str(n < m) == "n < m" and str((n < m) & (m < 3) | (n == m)) == "n < m and m < 3"
    assert integer({}) == 0 and integer({(): 3}) == 3


@pytest.mark.parametrize("use", [bool, range, sorted, min, lambda n: [0] * n, int, lambda n: n if n > 1 else 0])
def test_a_truth_or_number_that_names_do_not_have_is_refused_with_the_way_out(use):
    n = name("n")
    with pytest.raises((SymbolError, TypeError), match="substitute numbers"):
        use([n, name("m")]) if use in (sorted, min) else use(n)


def test_zero_divisors():
    n = name("n")
    with pytest.raises(ZeroDivisionError):
        n // 0
    with pytest.raises(ZeroDivisionError):
        n % 0
    with pytest.raises(SymbolError, match=r"division by 0 in n//\(2 - 2\)"):
        of_term(parse_expression("n//(2 - 2)"))
    with pytest.raises(SymbolError, match="n & m"):
        of_term(parse_expression("n & m"))
    with pytest.raises(SymbolError, match="one case at a time"):
        of_term(parse_expression("n if n > m else m"))
    with pytest.raises(SymbolError):
        of_term(parse_statement("n > m"))


def test_scalars_of_numpy():
    n = name("n")
    for kind in (numpy.int64, numpy.int32, numpy.uint8):
        three = kind(3)
        assert n * three == three * n == 3 * n and isinstance(three * n, Int) and n + three == three + n == n + 3
        assert n // three == n // 3 and type(next(iter((n * three).form.values()))) is int and n != three
    with pytest.raises(TypeError):
        n * 1.5


def test_sympy_takes_over():
    n, m, symbol = name("n"), name("m"), sympy.Symbol("n", integer=True)
    x, other = 2 * n * m + n // 4, sympy.Symbol("k", integer=True)
    assert sympy.sympify(n) == symbol and sympy.sympify(x) == 2 * symbol * sympy.sympify(m) + sympy.floor(symbol / 4)
    for mixed in (x + other, other + x, x * other, other * x, x - other, other - x):
        assert isinstance(mixed, sympy.Expr) and other in mixed.free_symbols and symbol in mixed.free_symbols
    assert sympy.Eq(other, n) == sympy.Eq(other, symbol) and sympy.sympify(n < m) == (symbol < sympy.sympify(m))
    assert n == symbol and symbol == n and n != other
    assert x.put({"n": 8}) == 16 * m + 2 and sympy.sympify(x).subs({symbol: 8}) == 16 * sympy.sympify(m) + 2
