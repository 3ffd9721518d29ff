"""`weakest`: what it answers, how sure it says to be, and what it refuses."""

from __future__ import annotations

import pickle
from copy import copy
from random import Random

import pytest
import schema
import sympy
from command import typed

from symview import Budget, InputError, Premise, Undecided, Unknown, weakest
from symview.logic.notation import parse_statement
from symview.rules.premises import proofs
from symview.rules.premises.labels import RuleLabels, StatementLabels
from symview.rules.premises.premise import condition_text
from symview.rules.premises.question import read_question
from symview.rules.premises.weakest import Search
from symview.rules.programs.program import Rule

TILED = "(x % m)//c == (x//c) % (m//c)", "c, m", "x >= 0 and 0 < c <= m"
ANSWERS = {
    TILED: "m % c == 0",
    ("(x % a) % b == x % b", "a, b, R", "0 <= x < R and a >= 1 and b >= 1"): "a % b == 0 or R <= a",
    ("(x//c1)//c2 == x//(c1*c2)", "c1, c2", ""): "c2 > 0 or abs(c1) == 1",
    ("(x//c1)//c2 == x//(c1*c2)", "c2", "c1 >= 2"): "c2 > 0",
    ("(x + a)//b == x//b + a//b", "a, b", "b >= 1"): "a % b == 0",
    ("x//a == x//b", "a, b, N", "0 <= x < N, a >= 1, b >= 1"): "a == b or (N <= a and N <= b)",
    ("(x//a)*a <= x", "a", "a != 0"): "a >= -1",
    ("((x*c*k) % w) % c == 0", "c, w", "c >= 1 and w >= 1"): "c % w == 0 or w % c == 0",
    ("p <= i <-> q <= i//B", "p, q, B", "B >= 1"): "p == q*B",
    ("i*s + j < n", "s, n, a, b", "s >= 0, a >= 1, b >= 1, 0 <= i < a, 0 <= j < b"): "(a - 1)*s + b - 1 < n",
    ("x % a == 0 -> x % b == 0", "a, b", "a >= 1 and b >= 1"): "a % b == 0",
    ("a*x == b -> x == 0", "a, b", ""): "a != b and (b == 0 or a == 0 or b % a != 0)",
    ("x*a == a*x", "a", ""): "True",
    ("x < a", "a", ""): "False",
    ("8*(n//8) == n", "n", ""): "n % 8 == 0",
    ("r*8960 + 8959 <= 2147483647", "r", ""): f"r <= {(2147483647 - 8959) // 8960}",
    ("r*8960 > 2147483647 or 70*r < -100000", "r", ""): "r >= 239675 or r <= -1429",
    ("m*8960 < 2**31 and 4096*n <= 2147483647", "m, n", ""): "m <= 239674 and n <= 524287",
    ("8960*r != 89600000", "r", ""): "r != 10000",
}


@pytest.mark.sampled
@pytest.mark.parametrize("asked", ANSWERS, ids=lambda a: a[0])
def test_the_condition_reads_well_and_both_directions_are_proved(asked: tuple[str, str, str]) -> None:
    statement, about, assume = asked
    given = [a.strip() for a in assume.split(",")] if assume else ()
    premise = weakest(statement, about, given)
    assert premise.condition == ANSWERS[asked]
    assert (premise.sufficient, premise.necessary) == ("proved", "proved")
    assert premise
    assert str(premise) == f"{premise.condition}  [proved]"


def test_linear_comparisons_are_solved() -> None:
    """The condition is the statement around its bound, whatever the signs, and strict or not."""
    rng = Random("linear comparisons")
    for _ in range(20):
        factor, shift, bound = (
            rng.choice([-1, 1]) * rng.randint(2, 9000),
            rng.randint(-99, 99),
            rng.randint(-99999, 10**6),
        )
        relation = rng.choice(["<=", "<", ">=", ">"])
        found = weakest(f"{factor}*r + {shift} {relation} {bound}", "r")
        near = (bound - shift) // factor
        assert str(found.condition).count("r") == 1, found
        for r in range(near - 3, near + 4):
            value = factor * r + shift
            holds = {"<=": value <= bound, "<": value < bound, ">=": value >= bound, ">": value > bound}[relation]
            assert found.holds({"r": r}) is holds, (found, r)


@pytest.mark.parametrize("division", ["floor", "trunc", "euclid"])
def test_division_rounds_as_stated(division: str) -> None:
    premise = weakest("(x//c1)//c2 == x//(c1*c2)", "c1, c2", (), division)
    assert premise.division == division
    for c1 in (-3, -2, -1, 1, 2, 3):
        for c2 in (-3, -2, -1, 1, 2, 3):
            expected = all(
                divided(divided(x, c1, division), c2, division) == divided(x, c1 * c2, division) for x in range(-40, 41)
            )
            assert premise.holds({"c1": c1, "c2": c2}) is expected


@pytest.mark.parametrize("division", ["floor", "trunc", "euclid"])
def test_witnesses_round_as_stated(division: str) -> None:
    premise = weakest("x*a == b <-> x == b//a", "a, b", "a != 0", division)
    assert str(premise) == "b % a == 0  [proved]"


def divided(x: int, y: int, division: str) -> int:
    if division == "floor":
        return x // y
    if division == "trunc":
        return abs(x) // abs(y) * (1 if (x < 0) == (y < 0) else -1)
    return x // y if y > 0 else -(x // -y)


def test_a_divisor_that_may_be_0_is_taken_not_to_be_and_that_is_said() -> None:
    premise = weakest("(x//c1)//c2 == x//(c1*c2)", "c1, c2")
    assert {"divisor c1 != 0 assumed", "divisor c2 != 0 assumed"} < premise.rests_on
    assert premise.holds({"c1": 0, "c2": -1})


def test_what_common_divisors_are_known_by_is_said() -> None:
    premise = weakest("(m*t + i) % c == (m*t) % c + i", "m, c, n", "c >= 1 and n >= 1 and 0 <= i < n")
    assert str(premise) == "n <= gcd(m, c)  [proved]"
    assert premise.witnesses == ({"t": "-u", "i": "g"},)
    assert "Bézout: g == gcd(m, c) == u*m + v*c" in premise.rests_on
    assert premise.holds({"m": 12, "c": 8, "n": 4})
    assert not premise.holds({"m": 12, "c": 8, "n": 5})


def test_sympy_statements_and_names_in_a_list() -> None:
    x, a, b = sympy.symbols("x a b", integer=True, positive=True)
    premise = weakest(sympy.Eq(sympy.floor((x + a) / b), sympy.floor(x / b) + sympy.floor(a / b)), [a, "b"])
    assert premise.about == ("a", "b")
    assert premise.condition == "a % b == 0"
    assert premise.formula() == sympy.Eq(sympy.Mod(sympy.Symbol("a", integer=True), sympy.Symbol("b", integer=True)), 0)
    assert premise.holds({a: 4, b: 2})
    assert weakest("x*a == a*x", a).about == ("a",)


def test_where_the_assumptions_leave_no_values_it_holds() -> None:
    premise = weakest("x < n - 1", "n", "0 <= x < n")
    assert premise.condition == "n <= 0"
    assert [premise.holds({"n": n}) for n in (-1, 0, 1, 5)] == [True, True, False, False]
    assert weakest(*TILED).holds({"c": 3, "m": 2})  # against 0 < c <= m


def test_copies_and_pickles() -> None:
    premise = weakest(*TILED)
    for same in (copy(premise), pickle.loads(pickle.dumps(premise))):
        assert same == premise
        assert hash(same) == hash(premise)
        assert same.holds({"c": 2, "m": 4})


def test_not_found_is_falsy_and_says_where_it_holds_and_fails() -> None:
    premise = weakest("i*s + j*t == 0 -> i == 0 and j == 0", "s, t", "0 <= i < 4 and 0 <= j < 4")
    assert not premise
    assert premise.condition == ""
    assert "it holds at (s, t) = (-1, -1), (1, 1), " in premise.reason
    assert " and fails at (s, t) = (0, 0), " in premise.reason
    assert str(premise).startswith("no condition on s, t found: ")
    with pytest.raises(Undecided, match="no formula that symview tries"):
        premise.holds({"s": 1, "t": 1})
    with pytest.raises(Undecided):
        premise.term()


def test_a_budget_that_runs_out_finds_nothing_and_says_so() -> None:
    premise = weakest(*TILED, budget=Budget(work=2000))
    assert not premise
    assert "the budget ran out" in premise.reason
    premise = weakest(*TILED, budget=Budget(timeout=1e-3))
    assert not premise
    assert "is over" in premise.reason


def test_the_same_question_has_the_same_answer() -> None:
    assert weakest(*TILED) == weakest(*TILED)


def test_what_is_not_proved_is_checked_up_to_a_number_and_decided_beyond(monkeypatch) -> None:
    monkeypatch.setattr(proofs, "prove", lambda claim, *_, **__: Unknown("", "not asked"))
    premise = weakest(*TILED)
    assert premise.condition == "m % c == 0"
    bound = int(premise.sufficient.removeprefix("checked to "))
    assert premise.sufficient == premise.necessary == f"checked to {bound}"
    assert bound > 10
    assert str(premise) == f"m % c == 0  [checked to {bound}]"
    assert not premise.is_proved()
    assert premise.holds({"c": 500, "m": 1000})
    assert not premise.holds({"c": 500, "m": 1001})


@pytest.mark.parametrize(
    ("asked", "condition"),
    [(TILED, "m % c == 0"), (("(x % a) % b == x % b", "a, b, R", "0 <= x < R and a >= 1 and b >= 1"), None)],
)
def test_a_wrong_guess_is_not_believed(asked, condition) -> None:
    """With values of the others up to 3 alone, labels are wrong: what `prove` refutes mends them."""
    budget = Budget(work=25_000_000).started()
    question = read_question(*asked, "floor", budget)
    blank = Premise(asked[0], question.named, assumptions=question.query.assumed())
    premise = Search(StatementLabels(question, budget, box=4, near=1)).run(blank)
    assert premise.is_proved()
    assert condition in (None, premise.condition)


@pytest.mark.parametrize(
    ("about", "values", "message"),
    [
        ("c, z", None, "unknown symbol z; this statement has x, m, c"),
        ("", None, "name the symbols that the premise is about"),
        ("c, m", {"c": 1}, "missing value for m: give each of c, m"),
        ("c, m", {"c": 1, "m": 1.0}, "m = 1.0: give an int"),
        ("c, m", {"c": 1, "m": True}, "m = True: give an int"),
        ("c, m", {"c": 1, "m": 2, "x": 1}, "unknown symbol x; this premise has c, m"),
    ],
)
def test_refusals(about: str, values: dict[str, int] | None, message: str) -> None:
    with pytest.raises(InputError, match=message):
        weakest(TILED[0], about, TILED[2]).holds(values or {})


def test_sympy_beside_another_rounding_is_refused() -> None:
    x, a = sympy.symbols("x a", integer=True)
    with pytest.raises(InputError, match="sympy's divisions round down"):
        weakest(sympy.Eq(sympy.floor(x / a), 0), "a", "x//a < 2", "trunc")


def test_parentheses_where_and_and_or_meet() -> None:
    premise = Premise("x == x", ("a", "b"), "a == b or (a <= 1 and b <= 1)", "proved", "proved")
    assert condition_text(premise.term()) == premise.condition


def run(*args: str) -> tuple[int, str]:
    result = typed(["weakest", *args])
    return result.exit_code, result.stdout


def test_the_command() -> None:
    code, text = run(TILED[0], "--about", TILED[1], "--assume", TILED[2])
    assert code == 0
    assert text.splitlines()[0] == "m % c == 0"
    assert "sufficient: proved\nnecessary: proved (otherwise x = " in text
    code, text = run("i*s + j*t == 0 -> i == 0 and j == 0", "--about", "s,t", "--assume", "0 <= i < 4 and 0 <= j < 4")
    assert (code, text[:27]) == (3, "no condition on s, t found:")
    assert run("x == x", "--about", "y")[0] == 2


def test_the_command_in_json() -> None:
    code, text = run(TILED[0], "--about", TILED[1], "--assume", TILED[2], "--json")
    found = schema.read(text)
    assert code == 0
    assert found["condition"] == "m % c == 0"
    assert (found["sufficient"], found["necessary"], found["reason"]) == ("proved", "proved", None)
    assert found["about"] == ["c", "m"]
    code, text = run(TILED[0], "--about", "c,m", "--budget", "2000", "--json")
    assert (code, schema.read(text)["condition"]) == (3, None)


@pytest.mark.parametrize("named", [("n", "m", "p"), ("n", "p")])
def test_a_rule_is_checked_wherever_the_bound_says(named) -> None:
    """Also where the rule holds: a condition that is too strong at the bound alone is not right up to it."""
    rule = Rule.parse("x(n,m).shrink((0,p),(0,m)).flip(0) == x(n,m).shrink((0,p),(0,m))")
    labels = RuleLabels(rule, named, (), Budget().started(), work=40_000)
    bound = labels.swept(parse_statement("p <= 1"), 20_000)
    assert bound >= 2
    most = bound * (len(named) - 1)
    assert labels.swept(parse_statement(f"p <= 1 and {' + '.join(named)} <= {most}"), 20_000) is None
