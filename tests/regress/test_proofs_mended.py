"""Proofs once lost, slow or shown as another theorem."""

from __future__ import annotations

import pytest

from symview import Budget, Status, View, conditions, prove
from symview.errors import Undecided
from symview.logic.notation import parse_statement
from symview.logic.points import by_size
from symview.logic.solve import Open, Sat, Unsat, solve
from symview.proof.search import Search
from symview.proof.statement import read
from symview.proof.verdicts import Proved, Refuted, Unknown


@pytest.mark.parametrize(
    ("statement", "given"),
    [
        ("(x - x%z) % y == 0", ["z == y or z == -y"]),
        ("(x % m) % k == x % k", ["m % k == 0 or R <= m", "0 <= x < R", "k > 0", "m > 0"]),
        ("(x*y) % c == ((x % c)*(y % c)) % c", ["c >= 1"]),
        ("(x*y) % c == ((x % c)*(y % c)) % c", ["c >= 1", "c % 3 == 1"]),
        ("(x % (a*b)) % c == x % c", ["a > 0", "b > 0", "c > 0", "a % c == 0"]),
        ("x//(D*E) % C*(D*E) + x//E % D*E + x % E == x % (C*D*E)", ["C > 0", "D > 0", "E > 0"]),
        (
            "x//(C*D*E) % B*(C*D*E) + x//(D*E) % C*(D*E) + x//E % D*E + x % E == x % (B*C*D*E)",
            ["B > 0 and C > 0 and D > 0 and E > 0", "x >= 0"],
        ),
        (
            "x//(B*C*D*E) % A*(B*C*D*E) + x//(C*D*E) % B*(C*D*E) + x//(D*E) % C*(D*E) + x//E % D*E + x % E"
            " == x % (A*B*C*D*E)",
            ["A > 0 and B > 0 and C > 0 and D > 0 and E > 0"],
        ),
    ],
)
def test_proved(statement: str, given: list[str]) -> None:
    assert isinstance(prove(statement, given), Proved)


def test_digits_whose_sizes_may_be_negative_are_refuted() -> None:
    assert isinstance(prove("x//(D*E) % C*(D*E) + x//E % D*E + x % E == x % (C*D*E)", "D != 0 and E != 0"), Refuted)


def test_joined_assumptions_keep_their_parentheses() -> None:
    shown = str(prove("x >= 1", ["x >= 1 and (x >= 2 or y >= 3)"]))
    assert shown.startswith("proved given x >= 1 and (x >= 2 or y >= 3): x >= 1 ")
    assert str(prove("x >= 1", "x >= 2 or x >= 1")).startswith("proved given x >= 2 or x >= 1: ")
    with pytest.raises(ValueError, match=r"x > 1 and \(x < 0 or x < 1\)"):
        prove("x >= 1", ["x > 1", "x < 0 or x < 1"])


def test_the_search_by_size_stops_at_a_name_s_own_bound() -> None:
    """Without that, each point of a fixed name and a free one takes as many steps as the points before it."""

    class Counted(int):
        steps = 0

        def __ge__(self, other: object) -> bool:
            Counted.steps += 1
            return int(self) >= other  # type: ignore[operator]

        __le__ = __ge__

    walk = by_size([(4, Counted(4)), (None, None)])
    points = [next(walk) for _ in range(2000)]
    assert points == [(4, s * n) for n in range(1001) for s in ((1, -1) if n else (1,))][:2000]
    assert Counted.steps < 10_000


def test_a_search_that_takes_too_long_is_given_up() -> None:
    query = read("x*x != 2*y*y - 1000003", (), "floor")
    with pytest.raises(Undecided):
        Search(query, Budget(work=50_000).started()).up_to(10**9)
    assert isinstance(prove("x*x*x + y*y*y + z*z*z != 33", budget=Budget(work=50_000)), Unknown)


@pytest.mark.dear
def test_every_way_to_prove_ends_with_the_budget() -> None:
    """No loop of ours goes on where the solver has stopped: products whose facts are many."""
    digits = "x//(C*D*E) % B*(C*D*E) + x//(D*E) % C*(D*E) + x//E % D*E + x % E == x % (B*C*D*E)"
    given = "B*C > 0 and C*D > 0 and D*E > 0 and B + E > 0 and x >= 0"
    running = Budget(work=6_000_000).started()
    assert isinstance(solve([parse_statement(f"{given} and not ({digits})")], running), Open)


def test_a_disjunction_is_split() -> None:
    for text, kind in (
        ("(z == y or z == -y) and (x - x%z) % y != 0", Unsat),
        ("(z == y or z == 2*y) and (x - x%z) % (2*y) != 0 and y > 0 and x > 9", Sat),
        ("(x//y == 1 or z == 1) and y == 0", Unsat),
    ):
        assert isinstance(solve([parse_statement(text)]), kind)


def test_an_assumed_disjunction_leaves_nothing_open_that_its_parts_settle() -> None:
    outer, inner = View.parse("(N,M):(a,b)"), View.parse("(N*M):(1)")
    for given in ("N == 0 or N >= 2", "N >= 2"):
        found = conditions(outer, inner, assume=[given])
        assert all(case.status is not Status.UNDECIDED for case in found.cases)
