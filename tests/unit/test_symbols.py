"""The notation of integers and statements: read, print, evaluate, and point at what is wrong."""

from __future__ import annotations

import contextlib
from itertools import product
from unicodedata import combining

import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from symview import InputError, NotationError, SymbolError, View, prove, reshape_conditions
from symview.logic.notation import joined, parse_expression, parse_statement
from symview.logic.sympy_bridge import as_integer, declared, domain, free_symbols, to_sympy, to_term, to_text
from symview.logic.terms import Term, names, num, sym, value_of

NAMES = ("a", "b", "σ1", "n_0")


def expressions():
    """Integer terms over a few names; divisors are positive numbers."""
    leaf = st.one_of(st.integers(-9, 9).map(num), st.sampled_from(NAMES).map(sym))
    divisor = st.integers(1, 7).map(num)

    def grow(inner):
        two = st.tuples(inner, inner)
        return st.one_of(
            *(st.tuples(st.just(op), two).map(lambda t: Term(*t)) for op in ("+", "-", "*", "min", "max")),
            *(st.tuples(st.just(op), st.tuples(inner, divisor)).map(lambda t: Term(*t)) for op in ("//", "%")),
            *(st.tuples(st.just(op), st.tuples(inner)).map(lambda t: Term(*t)) for op in ("neg", "abs")),
            st.tuples(inner, inner, inner).map(lambda t: Term("+", t)),
            st.tuples(inner, inner, inner).map(lambda t: Term("*", t)),
        )

    return st.recursive(leaf, grow, max_leaves=7)


def statements():
    """Formulas over comparisons of such terms."""
    relation = st.sampled_from(("==", "!=", "<", "<=", ">", ">="))
    leaf = st.tuples(relation, st.tuples(expressions(), expressions())).map(lambda t: Term(*t))
    leaf = st.one_of(leaf, st.booleans().map(lambda b: Term("bool", (b,))))

    def grow(inner):
        two = st.tuples(inner, inner)
        return st.one_of(
            *(st.tuples(st.just(op), two).map(lambda t: Term(*t)) for op in ("and", "or", "->", "<->")),
            st.tuples(inner).map(lambda t: Term("not", t)),
        )

    return st.recursive(leaf, grow, max_leaves=5)


VALUES = [dict(zip(NAMES, v, strict=True)) for v in ((0, 0, 0, 0), (1, 2, 3, 4), (-3, 5, -7, 2), (11, -1, 6, -8))]


@given(expressions(), st.sampled_from(("*", "")))
def test_an_expression_prints_to_what_reads_back(term, times) -> None:
    back = parse_expression(to_text(term, times))
    for values in VALUES:
        assert value_of(back, values) == value_of(term, values)
    assert set(names(back)) == set(names(term))


@given(statements())
def test_a_statement_prints_to_what_reads_back(term) -> None:
    back = parse_statement(to_text(term))
    for values in VALUES:
        assert value_of(back, values) == value_of(term, values)


@given(expressions())
def test_a_text_printed_twice_is_the_same(term) -> None:
    text = to_text(parse_expression(to_text(term)))
    assert to_text(parse_expression(text)) == text


@given(expressions())
def test_sympy_means_the_same(term) -> None:
    value = to_sympy(term)
    for values in VALUES:
        numbers = {sympy.Symbol(n, integer=True): v for n, v in values.items()}
        there = value if isinstance(value, int) else value.subs(numbers)
        assert int(there) == value_of(term, values)
    back = to_term(value)
    for values in VALUES:
        assert value_of(back, values) == value_of(term, values)


@given(statements())
def test_sympy_statements_mean_the_same(term) -> None:
    value = to_sympy(term)
    back = to_term(value)
    for values in VALUES:
        assert bool(value_of(back, values)) == bool(value_of(term, values))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2 + 3*4", 14), ("(2 + 3)*4", 20), ("7 - 2 - 1", 4), ("-7//2", -4), ("-(7//2)", -3), ("7 % -4", -1),
        ("2*7//3", 4), ("7//2*2", 6), ("--3", 3), ("-2*3", -6), ("+4", 4), ("min(3, 1, 2)", 1), ("max(3, 1)", 3),
        ("abs(2 - 9)", 7), ("3·4", 12), ("  5 ", 5), ("00", 0),
    ],
)  # fmt: skip
def test_numbers(text, expected) -> None:
    assert to_sympy(parse_expression(text)) == expected
    assert type(to_sympy(parse_expression(text))) is int


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("a = b", "a == b"), ("a ≤ b < 3", "a <= b and b < 3"), ("a ≠ b ∨ ¬ b ≥ 2", "a != b or not (b >= 2)"),
        ("a < b ∧ b < 3", "a < b and b < 3"), ("a < 1 -> b < 1 -> a < b", "a < 1 -> (b < 1 -> a < b)"),
        ("a < 1 or b < 1 and a > 0", "a < 1 or (b < 1 and a > 0)"), ("not a < b and b < a", "(not a < b) and b < a"),
        ("a < 0 <-> b < 0 or a == b", "(a < 0) <-> ((b < 0) or (a == b))"), ("2a == 3σ1", "2*a == 3*σ1"),
        ("2a%3 == 1", "(2*a)%3 == 1"),
        ("3σ1 == 2a", "3*σ1 == 2*a"), ("12σ1 < 2b", "12*σ1 < 2*b"),
    ],
)  # fmt: skip
def test_spellings(text, same) -> None:
    for a, b, c in product(range(-2, 4), repeat=3):
        values = {"a": a, "b": b, "σ1": c}
        assert value_of(parse_statement(text), values) == value_of(parse_statement(same), values)


@pytest.mark.parametrize(
    ("read", "text", "caret", "words"),
    [
        (View.parse, "(2,3", 4, "expected ')' to close the shape"),
        (View.parse, "2,3", 0, "expected '(' to open the shape"),
        (View.parse, "(2,3):", 6, "expected '(' to open the strides"),
        (View.parse, "(2,3):(1,2", 10, "to close the strides"),
        (View.parse, "(2 3)", 3, "expected ',' between the entries of the shape, or ')' to close it"),
        (View.parse, "(2,,3)", 3, "expected a number, a name or a parenthesis"),
        (View.parse, "(2):(1) x", 8, "unexpected 'x'"),
        (View.parse, "(2):(1) [0:1", 12, "to close the mask"),
        (View.parse, "(2):(1) [0,1]", 10, "expected ':' between the bounds of the mask"),
        (View.parse, "(2):(1)+", 8, "expected a number"),
        (View.parse, "(2):(a<b)", 6, "to close the strides"),
        (View.parse, "(2):(a/b)", 6, "unexpected '/': write // for a quotient, which is rounded down"),
        (View.parse, "(2)  @", 5, "unexpected character '@'"),
        (View.parse, "((2,2),3):((1,6),2)", 1, "layouts go to symview compose"),
        (View.parse, "(3,(2,2)):(1,2,3)", 3, "a tuple inside the shape"),
        (View.parse, "(3,4):(1,(2,min(3,4)))", 9, "a tuple inside the strides"),
        (View.parse, "((2,),3)", 1, "symview.cute"),
        (View.parse, "6:1", 0, "layouts go to symview compose"),
        (View.parse, "(6):a", 4, "expected '(' to open the strides"),
        (View.parse, "((2+min(3,4))*2,(a)):((1),2", 27, "to close the strides"),
        (parse_expression, "1e3", 0, "1e3 is not an integer: write plain digits, or 1*e3 for a product"),
        (parse_expression, "a + 2E10*b", 4, "2E10 is not an integer"),
        (parse_expression, "1_000", 0, "1_000 is not an integer"),
        (parse_expression, "0x1f + 1", 0, "0x1f is not an integer"),
        (parse_expression, "1 +", 3, "expected a number"),
        (parse_expression, "a b", 2, "unexpected 'b'"),
        (parse_expression, "(1", 2, "to close the parenthesis"),
        (parse_expression, "min 3", 4, "expected '(' after min"),
        (parse_expression, "min(3", 5, "to close min"),
        (parse_expression, "abs(1, 2)", 9, "abs takes one value"),
        (parse_expression, "a$2", 1, "unexpected character '$'"),
        (parse_expression, "1 == 1", 6, "expected an integer"),
        (parse_expression, "a and b", 7, "expected a comparison"),
        (parse_expression, "1.5", 1, "unexpected character '.'"),
        (parse_statement, "a + b", 5, "expected a comparison"),
        (parse_statement, "a < b and c", 11, "expected a comparison"),
        (parse_statement, "(a < b) + 1", 8, "expected an integer"),
        (parse_statement, "a < b -> 3", 10, "expected a comparison"),
        (parse_statement, "not a", 5, "expected a comparison"),
        (parse_statement, "a < (b < c)", 11, "a statement is compared with another statement"),
    ],
)  # fmt: skip
def test_the_caret_is_under_the_place(read, text, caret, words) -> None:
    with pytest.raises(NotationError) as error:
        read(text)
    assert words in error.value.message
    assert (error.value.position, error.value.text) == (caret, text)
    message, shown, mark = str(error.value).splitlines()
    assert shown == f"  {text}"
    assert mark == " " * (caret + 2) + "^"
    assert message == error.value.message


def test_an_empty_text_is_called_so() -> None:
    with pytest.raises(NotationError) as error:
        View.parse(" ")
    assert str(error.value) == "expected '(' to open the shape; the text is empty"


@pytest.mark.parametrize(
    ("text", "caret"),
    [
        ("a + " + "1" * 301, 4), ("a + " * 50 + "@", 200), ("a + " * 30 + "@" + " + a" * 30, 120),
        ("σ̃ + " * 30 + "@" + " + a" * 30, 150), ("a" * 75 + "@", 75), ("a +\n" * 30 + "@", 120),
    ],
)  # fmt: skip
def test_long_lines_are_cut_around_the_caret(text, caret) -> None:
    with pytest.raises(NotationError) as error:
        parse_expression(text)
    assert (error.value.position, error.value.text) == (caret, text)
    _, shown, mark = str(error.value).splitlines()
    assert max(len(shown), len(mark)) <= 82
    bare = "".join(c for c in shown if not combining(c))
    assert bare[mark.index("^")] == text[caret]
    inside = shown[2:].removeprefix("… ").removesuffix(" …")
    assert inside in text.replace("\n", " ")
    assert ("…" in shown) == (inside != text.replace("\n", " "))


@pytest.mark.parametrize("depth", [20, 99, 5000])
@pytest.mark.parametrize(("opened", "closed"), [("(", ")"), ("-", ""), ("min(", ")"), ("+", "")])
def test_deep_nesting_is_read_or_refused(opened, closed, depth) -> None:
    found = []
    with contextlib.suppress(NotationError):
        found.append(to_sympy(parse_expression(opened * depth + "1" + closed * depth)))
    assert found in ([], [1], [(-1) ** depth])
    assert found or depth > 20


def test_long_sums_are_read() -> None:
    assert to_sympy(parse_expression("1" + " + 1" * 2000)) == 2001
    assert to_text(parse_expression("a" + " + a" * 2000)).count("a") == 2001


@pytest.mark.parametrize("text", ["1 // 0", "a % 0", "a // (2 - 2)"])
def test_division_by_zero_is_said(text) -> None:
    with pytest.raises(SymbolError, match="division by 0"):
        to_sympy(parse_expression(text))
    with pytest.raises(SymbolError, match="division by 0"):
        View.parse(f"({text})")


def test_integers_of_other_kinds() -> None:
    import numpy as np

    assert as_integer(np.int32(5), "x") == 5
    assert type(as_integer(sympy.Integer(5), "x")) is int
    plain = sympy.Symbol("x")
    assert sympy.sympify(as_integer(plain, "x")) == plain


@pytest.mark.parametrize(
    "value",
    [
        True, None, 1.0, "3", [1], sympy.Rational(1, 2), sympy.pi, sympy.I, sympy.Symbol("x", real=True),
        sympy.Symbol("x", imaginary=True), sympy.Symbol("x", integer=True) / 2, sympy.oo, sympy.true,
        2 ** sympy.Symbol("x", integer=True), sympy.Symbol("x", integer=False),
    ],
)  # fmt: skip
def test_what_is_no_integer_is_refused(value) -> None:
    with pytest.raises(SymbolError) as error:
        as_integer(value, "the offset")
    assert str(value) in str(error.value)


def test_what_symbols_say_of_themselves() -> None:
    facts = {
        "positive": lambda x: x >= 1,
        "nonnegative": lambda x: x >= 0,
        "negative": lambda x: x <= -1,
        "nonpositive": lambda x: x <= 0,
        "nonzero": lambda x: x != 0,
        "even": lambda x: x % 2 == 0,
        "odd": lambda x: x % 2 == 1,
    }
    for name, holds in facts.items():
        symbol = sympy.Symbol("x", integer=True, **{name: True})
        for x in range(-4, 5):
            assert all(value_of(f, {"x": x}) for f in domain(declared(symbol))) == holds(x)
    assert domain(declared(sympy.Symbol("x", integer=True))) == ()


def test_free_symbols_of_different_assumptions() -> None:
    one, other = sympy.Symbol("x", integer=True), sympy.Symbol("x", integer=True, positive=True)
    assert list(free_symbols([3, one + 1, 2 * one])) == ["x"]
    with pytest.raises(SymbolError, match="x occurs with different assumptions") as error:
        free_symbols([one, other])
    assert "positive=True" in str(error.value)


def test_fractions_within_a_choice_stay_there() -> None:
    a, x, even = sympy.Symbol("a", integer=True), sympy.Symbol("x", integer=True), sympy.Symbol("e", even=True)
    choice = sympy.Piecewise((x, sympy.Ne(a, x / 2)), (abs(a), True))
    assert to_text(to_term(choice >= 1)) == "(x if 2*a != x else abs(a)) >= 1"
    assert to_text(to_term(3 * sympy.Max(even / 2, 1))) == "3*max(1, e//2)"
    with pytest.raises(SymbolError, match="outside the notation"):
        to_term(sympy.Max(a, x / 2) >= 1)


def test_powers_and_floors_of_sympy() -> None:
    a, b = sympy.symbols("a b", integer=True)
    for value, text in ((a**3, "a*a*a"), (sympy.floor(a / 2), "a//2"), (sympy.floor((a + b) / 3), "(a + b)//3")):
        assert to_sympy(parse_expression(text)) == value
        assert to_sympy(to_term(value)) == value
    with pytest.raises(SymbolError, match="outside the notation"):
        to_term(sympy.sin(a))


@pytest.mark.parametrize(
    ("parts", "word", "text"),
    [
        (["a < 1", "b < 1 or c < 1"], "and", "a < 1 and (b < 1 or c < 1)"),
        (["a < 1 -> b < 1", "not c < 1"], "or", "(a < 1 -> b < 1) or not c < 1"),
        (["a < 1 <-> b < 1", "c < 1 and a < 2"], "and", "(a < 1 <-> b < 1) and c < 1 and a < 2"),
        (["a < 1 or b < 1"], "and", "a < 1 or b < 1"),
        ([], "and", ""),
        (["(" * 40 + "a" + ")" * 40 + " < 1", "b < 1"], "and", "(" + "(" * 40 + "a" + ")" * 40 + " < 1) and b < 1"),
    ],
)  # fmt: skip
def test_joined_formulas_keep_their_meaning(parts, word, text) -> None:
    assert joined(parts, word) == text
    with contextlib.suppress(NotationError):
        assert joined([parse_statement(p) for p in parts], word) == text


def test_a_proof_is_told_with_the_assumption_that_it_rests_on() -> None:
    found = prove("x >= 1", "x >= 1 and (x >= 2 or y >= 3)")
    assert " given x >= 1 and (x >= 2 or y >= 3): x >= 1" in str(found)
    with pytest.raises(InputError, match=r"x >= 1 and \(x < 0 or x < 1\)"):
        prove("x >= 1", "x >= 1 and (x < 0 or x < 1)")


def test_entries_meet_sympy_where_it_is_asked_for() -> None:
    n, m = sympy.Symbol("n", integer=True, positive=True), sympy.Symbol("m", integer=True)
    view = View((n, 4), (4 * n + m, 1))
    size, stride = view.shape[0], view.strides[0]
    assert sympy.sympify(stride) == 4 * n + m and sympy.sympify(size).is_positive
    assert size + m == m + size == n + m and stride - 4 * n == m and m * size == m * n
    assert sympy.Eq(n, size) == sympy.true and str(sympy.Eq(sympy.Symbol("k"), stride)) == "Eq(k, m + 4*n)"
    assert size == n and size != sympy.Symbol("n", integer=True) and View((n, 4), (stride, 1)) == view
    assert sympy.sympify(stride).subs({n: 2, m: 5}) == stride.put({"n": 2, "m": 5}) == stride.at({"n": 2, "m": 5}) == 13
    assert sympy.latex(stride) == "m + 4 n"
    assert (-(-1 // size), 3 // (4 * size), -1 % size) == (1, 0, size - 1)  # it is declared positive
    assert -(-1 // as_integer(m, "m")) != 1 and 3 // as_integer(4 * m, "4m") != 0


def test_comparisons_of_entries_are_assumptions_and_claims() -> None:
    view = View.parse("(n,m):(a,1)")
    n, m = view.shape
    stated = reshape_conditions(view, (n * m,), assume=[n >= 2, view.strides[0] >= m])
    assert str(stated) == str(reshape_conditions(view, "(n*m)", assume="n >= 2 and a >= m"))
    assert prove(n * n >= n) and not prove((n >= 1) & (m >= 1))
    with pytest.raises(SymbolError, match="n < m"):
        bool(n < m)
