"""The language of statements: what each operator means, definitions beside a statement, widths, and what is refused."""

from __future__ import annotations

import pytest

from symview import prove, weakest
from symview.errors import InputError, NotationError
from symview.logic.notation import parse_assumption, parse_expression, parse_statement, term_text
from symview.logic.terms import value_of
from symview.proof.verdicts import Proved, Refuted, Unknown

PROVED = [
    ("x & 7 == x % 8", ()),
    ("x & 12 == x % 16 - x % 4", ()),
    ("x & ~7 == x//8*8", ()),
    ("(x >> 3) << 3 <= x", ()),
    ("(x | y) - (x & y) == x ^ y", ()),
    ("x | 1 == x + 1", "x % 2 == 0"),
    ("~x == -x - 1", ()),
    ("x & y <= x", "x >= 0"),
    ("x & (y | z) == (x & y) | (x & z)", "0 <= x < 256, 0 <= y < 256, 0 <= z < 256"),
    ("x & (y | z) == (x & y) | (x & z)", ()),
    ("(x ^ y) ^ y == x and ~(x & y) == ~x | ~y", ()),
    ("x ^ y == 0 <-> x == y", ()),
    ("x % gcd(x, y) == 0", "x > 0"),
    ("gcd(a, b) == gcd(b, a % b)", "b > 0"),
    ("gcd(a, b) == gcd(b, a - b) and gcd(a, 3*a) == abs(a)", ()),
    ("gcd(x, y) == gcd(y, x)", ()),
    ("floor_sum(n, m, a, 0) >= 0 and floor_sum(-n, m, a, 0) == 0", ("n >= 0", "m > 0", "a >= 0")),
    ("gcd(c*x, c) == c", "c >= 0"),
    ("gcd(x, 6) == 3 -> x % 3 == 0 and x % 2 == 1", ()),
    ("ceildiv(x, m)*m >= x", "m > 0"),
    ("cdiv(x, m) == (x + m - 1)//m", "m > 0"),
    ("x**2 - y**2 == (x - y)*(x + y)", ()),
    ("2**k > k", "k >= 0"),
    ("(x << k) >> k == x", "k >= 0"),
    ("1 << (a + b) == (1 << a)*(1 << b)", "a >= 0, b >= 0"),
    ("x % 2**k == x & (2**k - 1)", "k >= 0"),
    ("abs(x) == (x if x >= 0 else -x)", ()),
    ("x >= 0 if y > 0 else x < 0", "x*y > 0, y != 0"),
    ("up(x, m) >= x and up(x, m) % m == 0 where up(x, m) = (x + m - 1)//m*m", "m > 0"),
    ("twice(twice(x)) == 4*x where once(x) = x + x, twice(x) = once(x)", ()),
    ("even(x + x) where even(x) = x % 2 == 0", ()),
    ("f(x) > 2 where f(x) = x + 1", "f(x) > 1, x != 1"),
    ("gcd + cdiv == cdiv + gcd", ()),
]


@pytest.mark.parametrize(("statement", "assume"), PROVED)
def test_proved(statement, assume):
    verdict = prove(statement, assume)
    assert isinstance(verdict, Proved), str(verdict)
    assert not any("assumed" in note for note in verdict.rests_on)


def test_rounded_up_is_rounded_up_under_every_division():
    for division in ("floor", "trunc", "euclid"):
        assert prove("-7 <= 2*ceildiv(x, 2) - x - 7 <= -6", (), division)
        assert prove("ceildiv(-7, 2) == -3 and ceildiv(7, -2) == -3", (), division)
        assert prove("(x >> 1) == (x - (x & 1))//2", (), division)


def test_a_negative_shift_or_exponent_has_no_value():
    assert prove("x << k == x*2**k").rests_on == {"z3", "k >= 0 assumed"}
    assert prove("x << k == x*2**k", "k > 2").rests_on == {"z3"}
    for given in ("2**k == n", "(x ^ 2**k ^ 2**k) == x", "(x >> k) == 0 or k == -1"):
        assert prove("k >= 0", given).assumptions == (given, "k >= 0")
    for text in ("x << -1 == 0", "x >> -1 == 0", "x**-1 == 0"):
        with pytest.raises(InputError):
            prove(text)


def test_refuted_at_the_smallest():
    assert prove("2**k != 4096").values == {"k": 12}
    assert prove("gcd(x, y) == 1", "x > 1, y > x").values == {"x": 2, "y": 4}
    assert prove("(x if x > y else y) == x").values == {"x": 0, "y": 1}


def test_bits_without_bounds_are_said_to_be_open():
    verdict = prove("(x + 1) & (y + 1) == (y & x) + 1", "x % 4 == 0 and y % 4 == 0")
    assert isinstance(verdict, Unknown)
    assert verdict.smt2


WIDTHS = [
    ("x + 1 > x", "i8", {"x": 127}),
    ("x + 1 > x", "u8", {"x": 255}),
    ("abs(x) >= 0", 16, {"x": -(2**15)}),
    ("(x*2)//2 == x", 32, {"x": 2**30}),
    ("x*x >= 0", 32, {"x": 46341}),
    ("-x <= 0", "u64", {"x": 1}),
    ("x < y -> y - x > 0", 64, {"x": -(2**63), "y": 0}),
]


def test_texts_that_only_divide_as_c_does_round_so():
    for y in (3, -3):
        quotients = " and ".join(f"truncdiv({x}, {y}) == {int(x / y)}" for x in range(-7, 8))
        rests = " and ".join(f"truncmod({x}, {y}) == {x - y * int(x / y)}" for x in range(-7, 8))
        assert prove(f"{quotients} and {rests}")
    found = prove("truncdiv(x, 2)*2 <= x", "x >= -1")
    assert (found.division, found.values) == ("trunc", {"x": -1})
    assert found == prove("truncdiv(x, 2)*2 <= x", "x >= -1", "trunc")
    assert "under trunc division" in str(found)
    assert weakest("truncdiv(x, 2)*2 <= x", "x").division == "trunc"
    for other in ("truncdiv(x, 2) <= Mod(x, 4)", "truncdiv(x, 2) <= floor(x/2)", "truncmod(x, 2) == x mod 2"):
        with pytest.raises(NotationError, match="rounds to 0: add --division trunc"):
            prove(other)
    with pytest.raises(NotationError, match="rounds to 0"):
        prove("truncdiv(x, 2)*2 <= x", "x % 2 == 0")
    with pytest.raises(NotationError, match="which round as --division euclid says"):
        prove("truncdiv(x, 2)*2 <= x", division="euclid")
    assert prove("truncdiv(x, 2) < 0 where truncdiv(a, b) = a//b", "x < 0").division == "floor"


def test_indices_of_inductor():
    for x in range(30):
        assert prove(f"ModularIndexing({x}, 3, 5) == {x // 3 % 5}")
    assert prove("FloorDiv(ModularIndexing(b, c, m), d) == ModularIndexing(b, c*d, m//d)",
                 "b >= 0, c >= 1, d >= 1, m >= 1, m % d == 0")  # fmt: skip
    with pytest.raises(NotationError, match="ModularIndexing rounds down"):
        prove("ModularIndexing(x, 4, 8) < 8", division="trunc")


@pytest.mark.sampled
@pytest.mark.parametrize(("statement", "bits", "values"), WIDTHS)
def test_widths_refute(statement, bits, values):
    verdict = prove(statement, bits=bits)
    assert isinstance(verdict, Refuted), str(verdict)
    assert verdict.smallest
    assert verdict.values.keys() == values.keys()
    assert sum(map(abs, verdict.values.values())) == sum(map(abs, values.values()))
    assert "-bit" in str(verdict)


@pytest.mark.parametrize(
    ("statement", "assume", "bits", "division"),
    [
        ("x + 1 - 1 == x", (), 32, "floor"),
        ("x*(y + z) == x*y + x*z", (), 64, "floor"),
        ("x//y*y + x % y == x", "y != 0", 32, "trunc"),
        ("(x & y) + ((x ^ y) >> 1) <= max(x, y)", (), 32, "floor"),
        ("-x == ~x + 1", (), "u16", "floor"),
        ("x << 40 == 0", (), 32, "floor"),
        ("x >> 40 == (0 if x >= 0 else -1)", (), 32, "floor"),
        ("x // -1 == -x", (), 8, "trunc"),
    ],
)
def test_widths_prove(statement, assume, bits, division):
    verdict = prove(statement, assume, division, bits=bits)
    assert isinstance(verdict, Proved), str(verdict)
    assert any("-bit" in note for note in verdict.rests_on)


@pytest.mark.parametrize("bits", [0, -8, 65, "32", "x8", "i0", "u99", "", True, 8.0, [8]])
def test_what_is_no_width(bits):
    with pytest.raises(InputError, match="give a width"):
        prove("x == x", bits=bits)


def test_a_number_that_the_width_does_not_have():
    for text, bits in (("x < 128", "i8"), ("x < 256", "u8"), ("x > -129", "i8")):
        with pytest.raises(InputError, match=r"is out of range: 8-bit (un)?signed integers go from"):
            prove(text, bits=bits)


def test_wraps_are_for_integers_of_the_width():
    """Solvers take two of them for equal by a divisibility, which is right only within the width."""
    stated = prove("x // (y + z) == x // (y + z)", "wrap(y + z, 0, 256) != 0", bits="u8")
    assert isinstance(stated, Proved)
    assert stated
    assert stated.assumptions == ("wrap(y + z, 0, 256) != 0",)
    for text, bits in (("wrap(x, 0, 256) == x", 16), ("wrap(x, 0, 256) == x", None), ("wrap(x, 0, 100) == x", "u8"),
                       ("wrap(x, y, 256) == x", "u8"), ("wrap(x) == x", "u8")):  # fmt: skip
        with pytest.raises(
            InputError, match=r"the integers are 16-bit|have a width|the ends of a width|takes 3 values"
        ):
            prove(text, bits=bits)


def test_numbers_at_the_ends_of_a_width():
    assert prove("x <= -1", bits="u8")
    assert prove("x >= -128", bits="i8")


READ = [
    ("a + b << 2 & c ^ d | e", "((((a + b) << 2) & c) ^ d) | e"),
    ("(a | b) & c", "(a | b) & c"),
    ("-x**2", "-x**2"),
    ("(-x)**2", "(-x)**2"),
    ("2**3**x", "2**3**x"),
    ("a if b > 0 else c if d > 0 else e", "a if b > 0 else c if d > 0 else e"),
    ("(a if b > 0 else c) + 1", "(a if b > 0 else c) + 1"),
    ("cdiv(a, 2)", "ceildiv(a, 2)"),
    ("3x**2", "3*x**2"),
    ("where + else + if", "where + else + if"),
    ("where(a < b, a, 2*b)", "a if a < b else 2*b"),
    ("where(a < b, min(a, 1), where(a == b, 0, b)) + 1", "(min(a, 1) if a < b else 0 if a == b else b) + 1"),
]


@pytest.mark.parametrize(("text", "shown"), READ)
def test_texts_and_trees(text, shown):
    term = parse_expression(text)
    assert term_text(term) == shown
    assert parse_expression(shown) == term


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(a < b) == (c < d)", "a < b <-> c < d"),
        ("(a < b) != (c < d)", "not (a < b <-> c < d)"),
        ("(a < b) = (c < d) == True", "(a < b <-> c < d) and (c < d <-> True)"),
        ("where(a < b, c > 0, d > 0)", "a < b and c > 0 or a >= b and d > 0"),
    ],
)
def test_statements_are_compared_and_chosen(text, shown):
    assert term_text(parse_statement(text)) == shown
    assert parse_statement(shown) == parse_statement(text)


def test_definitions_may_have_the_names_of_others():
    assert prove("mod(x, y) == x % y where mod(a, b) = a - a//b*b", "y != 0")
    assert prove("where(a, b) == b + a where where(a, b) = a + b")


def test_commas_join_assumptions():
    assert term_text(parse_assumption("x > 0, y > x or y < 0")) == "x > 0 and (y > x or y < 0)"
    assert prove("x > 3", "x > 1, x != 2, x != 3").assumptions == ("x > 1", "x != 2", "x != 3")


def test_a_parameter_is_no_name_of_the_statement():
    term = parse_statement("f(y, x) == 5 where f(x, y) = x - y + z")
    assert value_of(term, {"x": 1, "y": 4, "z": 2})


BAD = [
    ("f(x) == 1", 0, "f is not defined: write f*(…) for a product"),
    ("f(x, y) == 1 where f(x) = x", 8, "takes 1 values, not 2"),
    ("f(x) == 1 where f(x) = x, f(y) = y", 26, "defined already"),
    ("f(x) == 1 where f(x, x) = x", 24, "one name twice"),
    ("f(x) == 1 where f(x) = f(x) + 1", 23, "f is not defined"),
    ("f(x) == 1 where f = 3", 18, "expected '('"),
    ("f(x) == 1 where f(x) + 3", 21, "expected '=='"),
    ("if x > 0 then x == 1", 0, "`a if condition else b`"),
    ("(x if y > 0) == 1", 11, "expected 'else'"),
    ("(x if y else 2) == 1", 8, "expected a comparison"),
    ("0 <= x if x > 0 else -x", 23, "use parentheses"),
    ("ceildiv(x) == 1", 11, "takes 2 values, not 1"),
    ("x & == 1", 4, "expected a number"),
    ("x ** == 1", 5, "expected a number"),
    ("(x < y) == 1", 12, "compared with another statement, by == or !="),
    ("(x < y) < (y < z)", 17, "compared with another statement, by == or !="),
    ("where(x < y, x) == 1", 16, "takes 3 values, not 2"),
    ("where(x, x, y) == 1", 0, "where needs a condition first: where(x != 0, x, y)"),
    ("1 == f(y) where f(a) = select(a | 1, a, 0)", 23, "select((a | 1) != 0, a, 0)"),
    ("(x != 0)*x == x", 11, "true-or-false statement: write where(x != 0, x, 0)"),
    ("x*y*(x != 0) == x", 13, "write where(x != 0, x*y, 0)"),
    ("(x < 0) + y == x", 8, "write where(x < 0, 1, 0)"),
    ("(x < 0)*(y < 0) == x", 16, "write where(x < 0, 1, 0)"),
    ("ModularIndexing(x, 4) == 1", 22, "takes 3 values, not 2"),
    ("where(x < y, x, y > 1) == 1", 23, "between two integers, or between two statements"),
    ("rem(x, 8) == 1", 0, "write a % b, which --division rounds"),
    ("1 == div(x, 8)", 5, "write a//b, which --division rounds"),
    ("CleanDiv(x, 8) == 1", 0, "write a//b, and assume a % b == 0"),
    ("Piecewise((a, b < c)) == 1", 0, "write a if c else b"),
    ("Mod(x) == 1", 7, "Mod takes 2 values, not 1"),
    ("Eq(a, b, c)", 11, "Eq takes 2 values, not 3"),
    ("And(a, b < c)", 5, "expected a comparison"),
    ("Max(a < b, c) == 1", 9, "expected an integer"),
    ("Eq(a < b, c)", 12, "compared with another statement"),
    ("truncdiv(x, 8) == x//8", 0, "truncdiv rounds to 0: add --division trunc"),
    ("x / 8 == 1", 2, "write // for a quotient, which is rounded down"),
    ("⌈n + 1/4⌉ == 2", 3, "write ⌈a/b⌉"),
    ("⌈n/4*2⌉ == 2", 4, "to close the ceiling"),
    ("⌈n/4/2⌉ == 2", 4, "to close the ceiling"),
    ("floor(n + 1/4) == 2", 8, "write floor(a/b), with a sum in parentheses"),
    ("floor(n) == 2", 7, "write floor(a/b)"),
    ("ceil(n/4, 2) == 2", 8, "to close ceil(a/b)"),
    ("!x == 2", 3, "! before this place is of an integer: write not (…)"),
    ("a & 1 == 0 && b > 0", 6, "C reads a & b == c as a & (b == c)"),
    ("b > 0 || 1 == a ^ c", 19, "C reads a & b == c as a & (b == c)"),
    ("a < b < c || c < 0", 6, "C compares the truth of the first comparison"),
    ("(a < b ? a : b) == c == d", 21, "C compares the truth of the first comparison"),
    ("i < n ? 1 : 0 == 1", 18, "use parentheses"),
    ("a ? 1 : 2", 4, "expected a comparison"),
    ("(a < b ? 1) == 1", 10, "write `condition ? a : b`"),
    ("32u*x == 1 || x > 0", 2, "Write 32, or 32*u"),
    ("(int)x == 1", 0, "(int) is a cast, and integers here have no type: leave it out"),
    ("1 == (unsigned long long)(a + b)", 5, "(unsigned long long) is a cast"),
    ("(int64_t)-x == 1", 0, "(int64_t) is a cast"),
    ("int(x) == 1", 0, "int(…) is a cast"),
    ("static_cast<int>(x) == 1", 0, "static_cast<…> is a cast"),
    ("1 == std::min(a, b)", 5, "leave out std::"),
    ("blockIdx.x < 3", 8, "a name has no dot, write blockIdx_x"),
    ("tl.cdiv(a, b) == 1", 2, "write cdiv(…), without tl."),
    ("x == 2.5", 6, "numbers are integers"),
    ("x ... == 1", 2, "unexpected '...'"),
    ("x % 4 == 1 && y > 0", 2, "C's % rounds to 0, and this one down: write and, or, not for && || !"),
    ("y > 0 || (x % 4) % 3 == 0", 12, "C's % rounds to 0"),
    ("!(x % 4 < z % 3)", 4, "C's % rounds to 0"),
    ("mod(b^2, c) == 0", 5, "a power, as JAX prints it, or xor? Write b**2"),
    ("max<int>(a, b) == 1", 3, "expected '(' after max"),
    ("f<int>(a) == 1", 2, "<int> is a type of C++"),
    ("x & 010 == 8", 4, "C reads a number that begins with 0 as octal: write 10"),
    ("--x > 0 && y > 0", 0, "-- and ++ change a variable in C"),
    ("y > 0 || x + ++z > 0", 13, "-- and ++ change a variable in C"),
    ("~(x < y) && y > 0", 9, "C's ~ of a comparison is never 0"),
    ("(int)~x == 1", 0, "(int) is a cast"),
    ("(int)+x == 1", 0, "(int) is a cast"),
    ("x % 3 > 1 && mod(y, 4) == 0", 2, "C's % rounds to 0"),
    ("(x % 3 > 1 ? y : z) mod 4 == 0", 3, "C's % rounds to 0"),
    ("tir.Mod(x, 4) == 1", 3, "write truncmod(…), without tir."),
]


@pytest.mark.parametrize(("text", "caret", "words"), BAD)
def test_the_caret_is_under_the_place(text, caret, words):
    with pytest.raises(NotationError) as error:
        parse_statement(text)
    assert words in error.value.message
    assert error.value.position == caret


ELSEWHERE = [
    ("Eq(Mod(u0, 12), 0)", "u0 % 12 == 0"),
    ("b >= mod(b, c)", "b >= b % c"),
    ("floordiv(n + 3, 4)*4 >= n", "(n + 3)//4*4 >= n"),
    ("FloorDiv(PythonMod(a, b), c) == floormod(a, b) floordiv c", "a % b//c == a % b//c"),
    ("Max(a, b, c) >= Min(a, b) + ABS(c)", "max(a, b, c) >= min(a, b) + abs(c)"),
    ("Ne(a, b) -> Or(Lt(a, b), Gt(a, b))", "a != b -> a < b or a > b"),
    ("Not(And(Le(a, b), Ge(a, b)))", "not (a <= b and a >= b)"),
    ("Implies(a < b, Equivalent(c < d, d > c))", "a < b -> (c < d <-> d > c)"),
    ("(a < b) & (c < d) | ~(c < a)", "a < b and c < d or not c < a"),
    ("Eq(a < b, c < d)", "a < b <-> c < d"),
    ("select(a < b, a, b) == where(b > a, a, b)", "(a if a < b else b) == (a if b > a else b)"),
    ("ceil((a + b)/4) == CeilDiv(a + b, 4)", "ceildiv(a + b, 4) == ceildiv(a + b, 4)"),
    ("floor(2*a/b) == floor(a/(2*b))", "2*a//b == a//(2*b)"),
    ("x mod 4 + 3 mod 4 == x floordiv 4 * 2 ceildiv 3", "x % 4 + 3 % 4 == ceildiv(x//4*2, 3)"),
    ("mod + floordiv*2 == 2*ceildiv", "mod + floordiv*2 == 2*ceildiv"),
    ("a < b && c == d || !(a >= b) && !!(c < d)", "a < b and c == d or not a >= b and not not c < d"),
    ("(a < b ? a : b < c ? b : c) == 1", "(a if a < b else b if b < c else c) == 1"),
    ("a < b ? c < d : c > d", "a < b and c < d or a >= b and c > d"),
    ("(a & 3) == 0 && (b ^ c) < 8", "(a & 3) == 0 and (b ^ c) < 8"),
    ("(int)*2 == int + (x)", "int*2 == int + x"),
    ("x % 4 == 0 && (y + 1) % n != 0 || !(0 == -z % 8)", "x % 4 == 0 and (y + 1) % n != 0 or not 0 == -z % 8"),
    ("If(a < b, a, b) ^ 2 == 1", "((a if a < b else b) ^ 2) == 1"),
    ("int < a < b > int", "int < a and a < b and b > int"),
]


@pytest.mark.parametrize(("text", "shown"), ELSEWHERE)
def test_what_other_languages_write(text, shown):
    term = parse_statement(text)
    assert term_text(term) == shown
    assert parse_statement(shown) == term


def test_the_division_of_c():
    for text, shown in (
        ("a/b*c == a/(b/c)", "a//b*c == a//(b//c)"),
        ("truncmod(a, b) == a % b", "a % b == a % b"),
        ("x % 4 == 1 && y > 0", "x % 4 == 1 and y > 0"),
        ("abs(x/2) <= 1 && x/2 > -1", "abs(x//2) <= 1 and x//2 > -1"),
    ):
        assert term_text(parse_statement(text, division="trunc")) == shown
    for text, words in (
        ("mod(a, b) == 0", "mod rounds down, and --division is trunc"),
        ("FloorDiv(a, b) == 0", "FloorDiv rounds down"),
        ("a floordiv b == 0", "floordiv rounds down"),
        ("floor(a/b) == 0", "floor rounds down"),
        ("a/b == c/d == e", "C compares the truth"),
        ("a mod b == 0", "mod rounds down"),
    ):
        with pytest.raises(NotationError) as error:
            parse_statement(text, division="trunc")
        assert words in error.value.message
    with pytest.raises(NotationError, match="Mod rounds down, and --division is euclid"):
        parse_statement("Mod(a, b) == 0", division="euclid")
    assert prove("x/y*y + x % y == x", "y != 0", division="trunc")
    assert prove("⌈-7/2⌉ == -3 and ceil(-7/2) == -3", division="trunc")
    assert prove("(-x)/2 == -(x/2)", "x/3 >= 2", division="trunc").assumptions == ("x//3 >= 2",)


def test_calls_that_would_grow_without_end_are_refused():
    steps = ", ".join(f"f{n}(x) = f{n - 1}(x) + f{n - 1}(x)" for n in range(1, 30))
    with pytest.raises(NotationError, match="20000 parts"):
        parse_statement(f"f29(x) == 0 where f0(x) = x, {steps}")
