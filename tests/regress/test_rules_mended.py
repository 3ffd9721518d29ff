"""Rules that once came out wrong, or not at all."""

from __future__ import annotations

import pytest
from command import typed

from symview import OneToOne, conditions, index_map
from symview.errors import InputError
from symview.proof.verdicts import Proved, Refuted, Unknown
from symview.rules.files import parse_rules
from symview.rules.index_expressions import bounds
from symview.rules.outcomes import outcome
from symview.rules.premises.weakest import weakest
from symview.rules.prove import prove
from symview.rules.simplify import simplify_index


def test_an_alternative_at_which_a_divisor_is_0_says_nothing() -> None:
    rule = "x(n).slice((0,),(n,),(c,)).flip(0).flip(0) == x(n).slice((0,),(n,),(c,))"
    assert prove(rule, "c == 0 or c == 2")
    with pytest.raises(InputError, match="the divisor is 0"):
        prove(rule, "c == 0")


def test_a_read_that_its_mask_leaves_out_of_bounds_makes_the_rule_empty() -> None:
    rule = "x(n).read((2):(1)+(n - 1) [{}:2]).reshape(2) == x(n).read((2):(1)+(n - 1) [{}:2])"
    with pytest.raises(InputError, match="never defined"):
        prove(rule.format(1, 1))
    assert prove(rule.format(2, 2))


def test_sizes_written_otherwise_within_a_division_are_the_same() -> None:
    assert prove("x(m).slice((0,),(m,),(2,)).expand((m + 2 - 1)//2) == x(m).slice((0,),(m,),(2,))")


def test_what_the_assumptions_divide_by_is_not_0() -> None:
    found = prove("x(2*m).shrink((2*a,2)).flip(0) == x(2*m).flip(0).shrink((2*a,2))", "n % a == 0")
    assert found.assumptions == ("n % a == 0", "a != 0")
    assert "divisor a != 0 assumed" in found.rests_on
    assert "divisor a != 0 assumed" not in prove("x(n).flip(0).flip(0) == x(n)", "n % a == 0 and a > 0").rests_on


def test_the_same_read_of_as_many_elements_is_in_bounds_on_both_sides() -> None:
    read = "read((1,n):(n,s)+a [a:1,0:b])"
    assert prove(f"x(n+a,2*m).permute(0,1).{read} == x(n+a,2*m).{read}.permute(0,1)", "s % n == 0")


@pytest.mark.parametrize(
    ("expression", "assume", "division"),
    [
        ("min(2, j) % 3", "0 <= j and j < -1", "floor"),
        ("i % 4", "i != i", "floor"),
        ("(i - 4) % 4", "0 <= i < 5, -3 <= i < -3", "trunc"),
        ("1 % -3//(4 % j)", "0 <= j < 1", "euclid"),
        ("(1 + i)//ceildiv(i, i)//4", "i == 0", "floor"),
    ],
)
def test_simplify_says_where_no_values_meet_the_assumptions(expression: str, assume: str, division: str) -> None:
    with pytest.raises(InputError, match="no values meet the assumptions"):
        simplify_index(expression, assume, division)


@pytest.mark.parametrize("expression", ["5//0", "x % (x - x)", "5//(x*2 - x - x)*3"])
def test_what_always_divides_by_0_is_not_simplified(expression: str) -> None:
    with pytest.raises(InputError, match="always 0"):
        simplify_index(expression)


def test_a_premise_is_refused_where_bounds_leave_no_values_and_found_where_a_bound_is_of_what_cancels() -> None:
    with pytest.raises(InputError, match="no values meet the assumptions"):
        weakest("x == a", "a", "1 <= a <= 0")
    assert weakest("y < x", "a", "x - x < a").condition == "a <= 0"


def test_what_divides_by_a_name_that_has_to_be_0_has_no_value_on_bits() -> None:
    assert prove("4//a ^ 2 == 3 or a != 0*a").assumptions == ("a != 0",)


@pytest.mark.parametrize("assume", ["x >> x == gcd(x, 4)", "x % 2 == 0 and x & 1 == 1"])
def test_a_statement_without_a_value_anywhere_is_not_proved(assume: str) -> None:
    with pytest.raises(InputError, match="no values meet the assumptions"):
        prove("x == x + 0*x", assume, bits=8)


def test_a_parameter_catches_no_name_of_a_definition_that_it_calls() -> None:
    found = prove("f(y) == 2*y + 1 where g(z) = x + 1, f(x) = x + g(x)")
    assert isinstance(found, Refuted)
    assert prove("f(y) == y + x + 1 where g(z) = x + 1, f(x) = x + g(x)")
    assert prove("h(y, x) == y - x where f(x, y) = x - y, h(y, x) = f(y, x)")


def test_premises_read_assumptions_that_call_definitions() -> None:
    premise = weakest("x % f(a) == x where f(y) = y + 1", "a", ["f(x) >= 1", "f(a) >= 1", "x < 5"])
    assert premise.holds({"a": 4}) and not premise.holds({"a": 3})


def test_a_number_too_long_to_be_written_leaves_a_statement_unknown() -> None:
    assert isinstance(prove("x << 200000 >= 0", "x >= 0"), Unknown)


_PREMISE = """
[[rule]]
name = "remainders"
claim = "(x % a) % b == x % b"
assume = "a >= 1, b >= 1"
expect = "refuted"
about = "a, b"
premise = "a % b == 0"
"""


def test_a_comma_in_an_assumption_of_a_rule_with_a_premise() -> None:
    (rule,) = parse_rules(_PREMISE)
    assert outcome(rule).problem == ""


def test_a_premise_is_not_looked_for_at_a_width() -> None:
    with pytest.raises(InputError, match="about goes without bits"):
        parse_rules(_PREMISE + "bits = 8\n")


@pytest.mark.parametrize(
    ("claim", "assume", "bits"),
    [
        ("not (x & 1048575 == 999999 and min(x, 2) == 2)", "0 <= x < 1048576", None),
        ("not (x ^ y == 999999 and min(x, 2) == 2 and x == 9999)", (), "u20"),
        ("not (x & 1048575 == 999999 and max(-x, -2) == -2)", "0 <= x < 1048576", None),
    ],
)
def test_a_minimum_on_bits_is_compared_in_the_width_of_all_its_parts(claim: str, assume: str, bits: str | None) -> None:
    assert isinstance(prove(claim, assume, bits=bits), Refuted)


def test_bounds_of_a_minimum_on_bits() -> None:
    found = bounds("min(7 | 8, 1 ^ i)", {"i": 4})
    assert (found.low, found.high) == (0, 3)


@pytest.mark.parametrize("nothing", ["", " ", [], ["", " "]])
def test_an_empty_assumption_assumes_nothing(nothing: str | list[str]) -> None:
    from symview import View, conditions
    from symview.cute import Layout, composition_conditions

    assert prove("x % 2 < 2", nothing) == prove("x % 2 < 2")
    assert prove("x(n).flip(0).flip(0) == x(n)", nothing)
    assert str(weakest("x % m == x", "m", nothing)) == str(weakest("x % m == x", "m"))
    assert str(simplify_index("x % 12 % 4", nothing)) == "x % 4"
    assert prove("(a < b) != (a >= b)", nothing)
    outer, inner = View.parse("(10,3,3):(a,b,c)"), View((6,), (4,))
    assert str(conditions(outer, inner, assume=nothing)) == str(conditions(outer, inner))
    a, b = Layout.parse("(4,6):(a,b)"), Layout.parse("6:2")
    assert str(composition_conditions(a, b, assume=nothing)) == str(composition_conditions(a, b))
    assert parse_rules('[[rule]]\nname = "r"\nclaim = "x == x"\nassume = ""')[0].assume == ()
    command = ["reshape", "(4,6):(6,1)", "(24)"]
    text = [typed([*command, *more]).stdout for more in ([], ["--assume", ""])]
    assert text[0] == text[1] != ""


def test_an_empty_statement_is_none() -> None:
    with pytest.raises(InputError, match="the text is empty"):
        prove("")


@pytest.mark.parametrize(
    ("statement", "assume"),
    [
        ("(c1 ^ (p & 31)) == (c2 ^ (p & 31)) -> c1 == c2", ""),
        ("(c1 ^ (p >> 2 & 7)) == (c2 ^ (p//4 % 8)) -> c1 == c2", "0 <= c1 < 8 and 0 <= c2 < 8"),
        ("(x & m) >> 4 == x >> 4", "m | 15 == -1"),
        ("(x & m)//16 == x//16", "m | 15 == -1"),
        ("(x ^ y) ^ z == x <-> y == z", ""),
        ("x | y >= x", "y >= 0"),
    ],
)
def test_statements_about_bits_of_integers_without_bounds(statement: str, assume: str) -> None:
    assert prove(statement, assume)


POWERS = [
    "C == 2**k and k >= 0", "2**j == C", "C == 1 << k", "C == 4**k", "C == 2*D and D == 2**k",
    "C & (C - 1) == 0 and C >= 1", "C & -C == C and C > 0", "C == 32", "(C == 8 or C == 16)",
]  # fmt: skip


@pytest.mark.parametrize("power", POWERS)
def test_masks_below_a_power_of_two(power: str) -> None:
    assert isinstance(prove("(a ^ (row & (C-1))) == (b ^ (row & (C-1))) -> a == b", power), Proved)
    assert isinstance(prove("0 <= col ^ (row & (C-1)) < C", f"{power} and 0 <= col < C"), Proved)
    assert isinstance(prove("0 <= col ^ row % C < C", f"{power} and 0 <= col < C"), Proved)
    assert isinstance(prove("row & -C == row - row % C", power), Proved)
    assert isinstance(prove("0 <= col ^ (row & (C-1)) < C", f"{power} and 0 <= col <= C"), Refuted)
    assert isinstance(prove("row & (C-1) == row % C", "C >= 1"), Refuted)


BOX = "0 <= i < 8 and 0 <= j < 4"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("statement", "about", "assume", "condition"),
    [
        ("i*s + j*t <= n", "s, t, n", BOX, "0 <= n and 3*t <= n and 7*s <= n and 7*s + 3*t <= n"),
        ("i*s + j*t <= n", "s, t, n", f"{BOX} and s >= 0 and t >= 0", "7*s + 3*t <= n"),
        ("a*x + b >= 0", "a, b, n", "0 <= x < n", "n <= 0 or (b >= 0 and a*(n - 1) + b >= 0)"),
        ("lo <= i*s", "s, lo, a, b", "0 <= i < a, i <= b, a >= 1, b >= 0", "lo <= 0 and lo <= min(a - 1, b)*s"),
        ("x - x % a <= b", "a, b", "0 <= x <= 9", "9 - 9 % a <= b"),
    ],
)
def test_the_premise_over_a_box_is_what_its_corners_say(
    statement: str, about: str, assume: str, condition: str
) -> None:
    premise = weakest(statement, about, assume)
    assert premise.is_proved()
    assert premise.condition == condition


def test_quotients_that_differ_by_a_number_are_one() -> None:
    found = simplify_index("(r//4)*-8 + r%4 + (r+8)//12*12 + 116", assume="0 <= r < 7")
    assert (str(found), bool(found.theorem)) == ("r + 116", True)
    assert str(simplify_index("r//n - (r+n)//n")) == "-1"
    assert str(simplify_index("(r+8)//12 - r//4", assume="0 <= r < 9")) == "(r + 8)//12 - r//4"


def test_bits_shared_by_two_names_are_no_obstacle_to_what_contains_them() -> None:
    found = typed(["index-map", "(r, c ^ (r % 8))", "r: 16, c: 8"])
    assert (found.exit_code, found.stdout) == (0, "one-to-one: r = y0, c = y1 ^ (y0 % 8)\n")
    assert str(simplify_index("(x ^ y)//4*4 + (x ^ y) % 4")) == "x ^ y"


@pytest.mark.parametrize(
    ("stride", "message"),
    [
        ("a ^ b", "`^` of two symbols is not supported here; make one side a constant"),
        ("a | b*2", "`|` of two symbols is not supported here; make one side a constant"),
        ("1 << a", "`<<` of symbols is not supported here; make the number of places a constant"),
        ("a**b", "`**` of symbols is not supported here; make the exponent a constant, at most 64"),
    ],
)
def test_an_operator_that_is_not_supported_is_the_one_that_was_written(stride, message) -> None:
    with pytest.raises(InputError) as caught:
        conditions(f"(4,n):({stride},1)", "(s):(4)")
    assert str(caught.value).endswith(f": {message}")


def test_an_inverse_is_over_the_values_alone() -> None:
    found = index_map("(x, y//x, y % x)", "x: 1..9, y: 30")
    assert isinstance(found, OneToOne)
    assert found.inverse is None or "x" not in found.inverse["y"]


def test_a_map_whose_inverse_would_divide_by_0_has_an_answer() -> None:
    assert isinstance(index_map("i*m + j", "i: n, j: 3", assume="m == 0"), Refuted)
    with pytest.raises(InputError, match=r"x % 4: no values are in the ranges"):
        index_map("x % 4", "x: 0")


def test_two_indices_of_one_value_are_told_in_a_sentence() -> None:
    first = typed(["index-map", "(pid % 8)*(n//8) + pid//8", "pid: 0..n"]).stdout.splitlines()[0]
    assert first == "not one-to-one with n = 2: pid = 0 and pid = 1 have the same value"
    for sizes in ("x: 0..16, x_2: 3", "x: 0..16*x_2"):  # then the second x has another name
        assert typed(["index-map", "x//4 + x_2", sizes]).stdout.startswith("refuted")
