"""`prove` on identities with known answers, for the three roundings, and on bad input."""

from __future__ import annotations

import pytest
import sympy

from symview import Budget
from symview.errors import InputError, NotationError, SymbolError
from symview.proof import NotProved, by_induction, prove
from symview.proof.verdicts import Proved, Refuted, Unknown

PROVED = [
    ("(x % (q*c)) % c == x % c", "q >= 1 and c >= 1"),
    ("((i*b+j)*c+k) % c == k", "0 <= k < c and b >= 1"),
    ("((i*b+j)*c+k)//c//b == i", "0 <= j < b and 0 <= k < c"),
    ("((i*b+j)*c+k)//c%b == j", "0 <= j < b and 0 <= k < c"),
    ("(x0+n*x1)//2 == (n//2)*x1 + x0//2", "0 <= x0 < n and x1 >= 0 and n % 2 == 0"),
    ("(x%m)//c == (x//c)%(m//c)", "c >= 1 and m >= c and x >= 0 and m % c == 0"),
    ("(x%m)%k == x%k", "m >= 1 and k >= 1 and m % k == 0"),
    ("x//(q*c) == (x//c)//q", "q >= 1 and c >= 1"),
    ("(x*y) % n == ((x%n)*(y%n)) % n", "n >= 1"),
    ("(x//a)//b == (x//b)//a", "a >= 1 and b >= 1"),
    ("(x*c)%(y*c) == (x%y)*c", "c != 0 and y != 0"),
    ("x//a <= x//b", "x >= 0 and a >= b and b >= 1"),
    ("max(x, y) + min(x, y) == x + y", ()),
    ("abs(x*y) == abs(x)*abs(y)", ()),
    ("x*x + y*y >= 2*x*y", ()),
    ("x % 2 == 0 or x % 2 == 1", ()),
    ("x >= 0 and y >= 0 -> x*y >= 0", ()),
    ("(x*x) % 8 == 0 or (x*x) % 8 == 1 or (x*x) % 8 == 4", ()),
    ("(((i*b+j)*c+k)*d+l)//d%c == k", "0 <= j < b and 0 <= k < c and 0 <= l < d and i >= 0"),
]


@pytest.mark.parametrize(("statement", "assume"), PROVED)
def test_proved(statement, assume):
    verdict = prove(statement, assume)
    assert isinstance(verdict, Proved), str(verdict)
    assert verdict.rests_on in ({"z3"}, {"refutation"})


REFUTED = [
    ("(x0+n*x1)//2 == (n//2)*x1 + x0//2", "0 <= x0 < n and x1 >= 0", {"x0": 0, "n": 1, "x1": 2}),
    ("(x%m)//c == (x//c)%(m//c)", "c >= 1 and m >= c and x >= 0", {"x": 2, "m": 3, "c": 2}),
    ("(x%m)%k == x%k", "m >= 1 and k >= 1", {"x": 1, "m": 1, "k": 2}),
    ("x//(q*c) == (x//c)//q", "c >= 1", {"x": 1, "q": -1, "c": 2}),
    ("x < 100000", (), {"x": 100000}),  # beyond what is searched: Z3's, shown minimal
    ("x + 3*y != 5000 or x < y", (), {"x": 1250, "y": 1250}),
    ("True and x == 0", (), {"x": 1}),
    ("False", (), {}),
]


@pytest.mark.parametrize(("statement", "assume", "values"), REFUTED)
def test_refuted_at_the_smallest_values(statement, assume, values):
    verdict = prove(statement, assume)
    assert isinstance(verdict, Refuted), str(verdict)
    assert verdict.smallest
    assert sum(map(abs, verdict.values.values())) == sum(map(abs, values.values()))
    assert verdict.values == values


ROUNDINGS = [
    # statement, assumptions, the roundings under which it holds
    ("x//y*y + x%y == x", "y != 0", "floor trunc euclid"),
    ("x % y >= 0", "y >= 1", "floor euclid"),
    ("x % y >= 0", "y != 0", "euclid"),
    ("x//y == -((-x)//y)", "y != 0", "trunc"),
    ("x//(-y) == -(x//y)", "y != 0", "trunc euclid"),
    ("(x + k*n) % n == x % n", "n != 0", "floor euclid"),
    ("x//(q*c) == (x//c)//q", "q != 0 and c != 0", "trunc"),
    ("x//(q*c) == (x//c)//q", "q >= 1 and c != 0", "floor trunc"),
    ("(x % (q*c)) % c == x % c", "q != 0 and c != 0", "floor trunc euclid"),
    ("(-x)//2 == -(x//2)", (), "trunc"),
    ("x//(-3)*(-3) <= x", (), "euclid"),
    ("abs(x % y) < abs(y)", "y != 0", "floor trunc euclid"),
]


@pytest.mark.parametrize("division", ["floor", "trunc", "euclid"])
@pytest.mark.parametrize(("statement", "assume", "holds"), ROUNDINGS)
def test_each_rounding(statement, assume, holds, division):
    verdict = prove(statement, assume, division)
    assert bool(verdict) == (division in holds.split()), str(verdict)


def _digits(sizes, quotient):
    """The digits of x, ravelled again: the number that they make, and what is assumed."""
    terms = []
    for n, size in enumerate(sizes):
        inner = list(sizes[n + 1 :])
        digit = f"{quotient(inner)} % {size}" if n else quotient(inner)
        terms.append("*".join([f"({digit})", *inner]))
    whole = " + ".join(terms)
    return whole, [f"{s} >= 1" for s in sizes if s in whole]


@pytest.mark.parametrize("sizes", ["ABCD", "ABCDE", "ABCDEF"])
@pytest.mark.parametrize(
    "quotient",
    [
        lambda behind: f"x//({'*'.join(behind)})" if behind else "x",
        lambda behind: "//".join(["x", *reversed(behind)]),
        lambda behind: "//".join(["x", *behind]),
        lambda behind: f"x//{behind[0]}//({'*'.join(behind[1:])})" if len(behind) > 1 else "//".join(["x", *behind]),
    ],
    ids=["product", "inner first", "outer first", "mixed"],
)
def test_ravelled_digits_are_the_number_however_they_are_written(sizes, quotient):
    ravelled, assumed = _digits(sizes, quotient)
    assert prove(f"{ravelled} == x", assumed).rests_on in ({"z3"}, {"refutation"})
    wrong = prove(f"{ravelled} == x - x // ({'*'.join(sizes)})", [*assumed, f"{sizes[0]} >= 1"])
    assert isinstance(wrong, Refuted)


def test_a_divisor_that_may_be_zero_is_noted():
    assert prove("x % m % m == x % m").rests_on == {"z3", "divisor m != 0 assumed"}
    assert prove("x % m % m == x % m", "m > 0").rests_on == {"z3"}
    assert prove("x % m % m == x % m", "m*m > 0").rests_on == {"z3"}
    # The two divisors are nonzero if both remainders are defined, but neither is known to be by itself.
    noted = prove("y == y", "z % y == z - 1 and y % z == y - 1").rests_on
    assert any("!= 0 assumed" in note for note in noted)


def test_finite_statements_are_decided_by_trying_all_values():
    verdict = prove("x*x*x - 60*x < 40000 - y", assume="0 <= x <= 30 and -5 <= y and y < 5")
    assert isinstance(verdict, Proved)
    assert verdict.rests_on == {"all values tried"}


def test_sympy_statements():
    x, y = sympy.symbols("x y", integer=True)
    n = sympy.Symbol("n", integer=True, positive=True)
    even = sympy.Symbol("k", even=True)
    assert prove(sympy.Eq(n * sympy.floor(x / n) + sympy.Mod(x, n), x)).rests_on in ({"z3"}, {"refutation"})
    assert prove(sympy.Eq(sympy.floor(even / 2) * 2, even))
    assert prove(sympy.Mod(x, n) < n).assumptions == ("n >= 1",)
    assert prove("x % y < y", assume=y > 0)
    assert prove("x % y < y", assume=[y > 0, sympy.true]).assumptions == ("y > 0",)
    with_three = sympy.Equivalent(x > 0, x >= 1, x > 1)
    assert prove(with_three).values == {"x": 1}
    assert prove(sympy.Implies(sympy.And(x > 0, y > 0), x * y > 0))
    refuted = prove(sympy.Eq(sympy.floor(x / 2) + sympy.floor(y / 2), sympy.floor((x + y) / 2)))
    assert refuted.values == {"x": 1, "y": 1}


def test_sympy_floor_is_floor_under_every_division():
    x = sympy.Symbol("x", integer=True)
    floored = sympy.Eq(sympy.floor(x / 2) * 2 + sympy.Mod(x, 2), x) & (sympy.Mod(x, 2) >= 0)
    assert prove(floored, division="trunc")
    assert prove("x - 2*(x//2) != 1", assume=sympy.Eq(sympy.Mod(x, 2), 1), division="trunc").values == {"x": 1}
    assert prove("x - 2*(x//2) == -1", assume=[sympy.Eq(sympy.Mod(x, 2), 1), "x < 0"], division="trunc")


CONTRADICTIONS = [
    ("x == y", ["x > 2", "y > 0", "x < 1"], "x > 2 and x < 1"),
    ("x % y == 0", "y == 0", "y == 0"),
    ("x == 0", "x % 2 == 0 and x % 2 == 1", "x % 2 == 0 and x % 2 == 1"),
    ("x == 0", "x*x < 0", "x\\*x < 0"),
    ("x // (z % 1) == 0", (), "divisor is always 0"),
]


@pytest.mark.parametrize(("statement", "assume", "named"), CONTRADICTIONS)
def test_contradictory_assumptions_are_named(statement, assume, named):
    with pytest.raises(InputError, match=named):
        prove(statement, assume)


x_real = sympy.Symbol("x", real=True)
x_int, x_pos = sympy.Symbol("x", integer=True), sympy.Symbol("x", positive=True, integer=True)

BAD = [
    ("x +", (), "floor", NotationError, "expected a number"),
    ("x + 1", (), "floor", NotationError, "expected a comparison"),
    ("x == 1", "y", "floor", NotationError, "expected a comparison"),
    ("x == 1", (), "round", InputError, "floor, trunc, euclid"),
    ("x // 0 == 1", (), "floor", InputError, "divisor is always 0"),
    ("x // (y - y) == 1", (), "floor", InputError, "divisor is always 0"),
    (x_int == 1, (), "floor", InputError, "sympy.Eq"),
    (x_int + 1, (), "floor", InputError, "expected a comparison"),
    (sympy.Eq(x_real, 1), (), "floor", SymbolError, "integer"),
    (sympy.Eq(x_int, 1), x_pos > 1, "floor", SymbolError, "different assumptions"),
    (sympy.Eq(sympy.sin(x_int), 0), (), "floor", SymbolError, "outside the notation"),
    (7, (), "floor", InputError, "expected a comparison"),
    (None, (), "floor", InputError, "sympy"),
]


@pytest.mark.parametrize(("statement", "assume", "division", "error", "message"), BAD)
def test_bad_input(statement, assume, division, error, message):
    with pytest.raises(error, match=message):
        prove(statement, assume, division)


def test_a_small_budget_gives_unknown_with_its_query(tmp_path):
    verdict = prove("x*x*x + y*y*y + z*z*z != 114", budget=Budget(work=1000, points=50))
    assert isinstance(verdict, Unknown)
    assert "the budget ran out" in verdict.reason
    assert "(check-sat)" in verdict.smt2
    assert "(declare-const x Int)" in verdict.smt2
    verdict.save(tmp_path / "open.smt2")
    assert (tmp_path / "open.smt2").read_text() == verdict.smt2


def test_names_that_look_like_quotients_or_products_do_not_clash():
    x = sympy.Symbol("x", integer=True)
    for name in ("x//2", "a·b"):
        with pytest.raises(InputError, match=name):
            prove(sympy.Eq(sympy.floor(x / 2), sympy.Symbol(name, integer=True)))


def test_induction():
    assert by_induction("n*(n + 1) % 2 == 0", start=-3).rests_on >= {"z3", "induction"}
    gauss = by_induction("2*total == n*(n + 1)", sequences={"total": ("0", "total + n + 1")})
    assert gauss.statement == "2*total == n*(n + 1), where total(0) = 0 and total(n + 1) = total + n + 1"
    assert by_induction("p >= n + 1", sequences={"p": ("1", "2*p")})
    assert by_induction("f == n*d + c", start=3, given="c == f3 - 3*d", sequences={"f": ("f3", "f + d")})


BAD_INDUCTIONS = [
    ({"claim": "n > 0"}, NotProved, "base"),
    ({"claim": "n < 5"}, NotProved, "step"),
    ({"claim": "f <= 4", "sequences": {"f": ("0", "f + 1")}}, NotProved, "step"),
    ({"claim": "n < 5", "given": "n < 5"}, InputError, "changes in the induction"),
    ({"claim": "f == 0", "given": "f == 0", "sequences": {"f": ("0", "f + 1")}}, InputError, "changes"),
    ({"claim": "f == n", "sequences": {"f": ("n", "f + 1")}}, InputError, "must not mention"),
    ({"claim": "n == 0", "sequences": {"n": ("0", "n")}}, InputError, "another name"),
]


@pytest.mark.parametrize(("arguments", "error", "message"), BAD_INDUCTIONS)
def test_induction_refuses(arguments, error, message):
    with pytest.raises(error, match=message):
        by_induction(**arguments)
