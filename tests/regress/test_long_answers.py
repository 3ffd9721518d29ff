"""Headlines and tables are as long as a person reads; formulas, JSON and guards stay whole."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import product
from random import Random

import pytest
from oracle import masked_queries, odd_queries, outer_queries

from symview import (
    Budget,
    Conditions,
    SymviewError,
    View,
    conditions,
    injective_conditions,
    overlap_conditions,
    reshape_conditions,
)
from symview.answers import CaseData, ConditionsData, Status
from symview.commands.options import Options
from symview.cute import Layout, complement_conditions
from symview.logic.notation import parse_statement
from symview.logic.points import true_at
from symview.logic.terms import TRUE
from symview.show import formulas
from symview.show.conditions import _few, conditions_blocks
from symview.show.formulas import MOST, WHOLE, Line, listed
from symview.show.grid import Grid
from symview.views.replies_with_names import of_merging

REST = 150  # characters of what is said of the rest
LITTLE = Budget(work=1_000_000)


def six_dims() -> Conditions:
    return reshape_conditions(View.parse("(a0,a1,a2,a3,a4,a5):(t0,t1,t2,t3,t4,t5)"), (-1,), budget=LITTLE)


@pytest.mark.dear
def test_a_long_conjunction_says_how_many_more_there_are() -> None:
    answer = six_dims()
    assert str(answer).startswith("(a0 = 1 or a1 = 1 or t0 = a1*t1) and (a1 = 1 or a2 = 1 or t1 = a2*t2)")
    assert re.search(r" and \d+ more conditions \(\.headline\(\), \.cases\)$", str(answer))
    assert re.search(r" and \d+ more conditions \(--all\)$", answer.headline("--all"))
    assert len(str(answer)) <= MOST + REST < len(answer.headline())
    assert answer.headline() == answer.to_dict()["headline"]
    assert answer.headline().count(" and ") > answer.headline("ask").count(" and ")
    assert len(answer.guards()) > MOST
    assert answer.compare(answer.guards())


def test_a_short_answer_is_whole() -> None:
    answer = conditions(View.parse("(10,3,3):(σ1,σ2,σ3)"), View.parse("(s):(4)"))
    assert str(answer) == answer.headline() == answer.headline("--all")
    assert list(conditions_blocks(answer, rest="--all")) == list(conditions_blocks(answer))


@pytest.mark.dear
def test_a_table_of_many_cases_shows_the_first_ones_and_says_so() -> None:
    answer = six_dims()
    shown, whole = (list(of_merging(answer, Options(all=every)).blocks()) for every in (False, True))
    (note,) = [b for b in shown if isinstance(b, str) and "cases are shown (--all)." in b]
    assert note.startswith("6 of ")
    assert sum(len(b.rows) for b in shown if isinstance(b, Grid)) < sum(
        len(b.rows) for b in whole if isinstance(b, Grid)
    )
    assert not any("--all" in str(b) for b in whole)


def test_a_text_of_a_megabyte_is_not_built_to_be_thrown_away(monkeypatch) -> None:
    where = parse_statement(" or ".join(f"n == {k}*m" for k in range(2000)))
    texts = list[str]()

    def told_now() -> str:
        texts.append("built")
        return "n = 0m or …"

    assert listed([Line([where], told_now)], "ask") == "1 case (ask)"
    assert texts == []
    monkeypatch.setattr(formulas, "where_text", lambda _: pytest.fail("built"))
    assert formulas.brief_where(where, "ask") == "some n and m"


def test_layouts_have_a_line_for_each_case_that_fits() -> None:
    answer = complement_conditions(Layout.parse("(a,b,c):(p,q,r)"), budget=Budget(work=3_000_000))
    assert len(str(answer)) <= MOST + REST < len(answer.headline())
    assert re.search(r"\d+ more cases \(\.headline\(\), \.cases\)$", str(answer))


def lines_of(*lengths: int) -> list[Line]:
    return [Line((), lambda n=n: "x" * n) for n in lengths]


def test_a_condition_alone_is_printed_whatever_its_length() -> None:
    assert listed(lines_of(5 * MOST), "--all") == "x" * 5 * MOST
    answer = overlap_conditions("(i,j):(ld,1)", "(i,j):(ld,1)+p")
    assert len(answer.headline()) > MOST
    assert str(answer) == answer.headline()
    enough = (parse_statement(" or ".join(f"a == {n}*b" for n in range(60))),)
    doubted = ConditionsData((), (), enough=enough, doubt=TRUE)
    assert formulas.headline(doubted, "--all") == formulas.headline(doubted)


def test_a_text_that_is_over_by_a_few_characters_is_whole() -> None:
    assert "more" not in listed(lines_of(MOST, 60), "--all")
    assert listed(lines_of(MOST, 120), "--all") == "x" * MOST + "\n1 more case (--all)"


def test_equations_of_strides_come_first_where_a_text_is_cut() -> None:
    """Bounds are what is left out; of a clause that is too long there is its equation, of a case its equations."""
    total = " + ".join(f"n{k}" for k in range(90))
    bound, long, short = map(parse_statement, ("n*m*k <= 7", f"{total} <= 9 or a == m*b", "b == k*c or k == 1"))
    found = ConditionsData((View.parse("(n,m,k):(a,b,c)"),), (), clauses=(bound, long, short))
    assert formulas.headline(found).startswith("n*m*k ≤ 7 and (n0 + ")
    shown = "(… a = m*b …) and (b = k*c or k = 1) and n*m*k ≤ 7 and 1 more condition (--all)"
    assert formulas.headline(found, "--all") == shown
    needing = CaseData(long.args[0], Status.WHEN, long.args[1:])
    tabled = replace(found, clauses=None, cases=(CaseData(bound, Status.OUT_OF_BOUNDS), needing))
    first, second, note = formulas.headline(tabled, "--all").splitlines()
    assert re.fullmatch(r"some n0, .* more names: a = m\*b", first)
    assert (second, note) == ("n*m*k ≤ 7: out of bounds", "1 more case (--all)")


def test_no_note_stands_for_one_line() -> None:
    few, many = (list(_few(map(str, range(n)), "case", "--all")) for n in (7, 8))
    assert few == list("0123456")
    assert many == [*"012345", "6 of 8 cases are shown (--all)."]


def test_the_command_line_names_its_option_and_nothing_of_python() -> None:
    answer = six_dims()
    at = Options(at={"a0": 2, "t0": 5, "a1": 2, "t1": 1})
    shown = "".join(map(str, of_merging(answer, at).blocks()))
    assert "more conditions (--all)" in shown
    assert ".cases" not in shown


def test_answers_that_have_a_short_form_have_it() -> None:
    common = "(8*gcd(a, b) ≤ abs(b) or 8*gcd(a, b) ≤ abs(a))"
    assert str(injective_conditions("(8,8):(a,b)")) == f"b ≠ 0 and {common}"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("views", "assume", "told"),
    [
        (
            ("(n+p,m+q):(a,b) [0:n,0:m]", "((n+p)*(m+q)):(1)"),
            ("n >= 0", "m >= 0", "p >= 0", "q >= 0"),
            "(n ≤ 1 or m ≤ 1 or a = m*b + q*b) and (n ≤ 1 or m = 0 or q = 0)",
        ),
        (
            ("(3,N,M):(a,b,c)", "(n):(M+1)+o"),
            ("o >= 1", "o <= N"),
            "M*n + n + o ≤ 3*N*M + M and (M = 1 or n + o % M ≤ M or n ≤ 2 or b = M*c) and "
            "((1 - n)*((M + 1) % (N*M)) + N*M > o % (N*M) or "
            "((M + 1) % (N*M) - N*M)*(1 - n) ≤ o % (N*M) or a = N*b)\n"
            "where two equations are required: undecided, and that is enough",
        ),
        (
            ("(3*K,N,M):(a,b,c)", "(3*K):(t)"),
            ("t >= 0",),
            "3*K*t < 3*K*N*M + t and (3*K*(t % M) < M + t % M or ((N ≠ 1 or a = M*c) and (N = 1 or b = M*c))) and "
            "(N = 1 or 3*K*(t % (N*M)) < N*M + t % (N*M) or a = N*b)\n"
            "where two equations are required and M ≤ t: undecided, and that is enough",
        ),
    ],
)
def test_a_condition_is_as_short_as_it_can_be_said(views, assume, told) -> None:
    assert conditions(*map(View.parse, views), assume=assume).headline() == told


def test_a_doubt_is_where_two_equations_are_asked_for() -> None:
    answer = conditions(View.parse("(3*K,N,M):(a,b,c)"), View.parse("(3*K):(t)"), assume="t >= 0")
    where, seen = answer.data.doubt, Counter()
    assert "where two equations are required and M ≤ t: undecided" in answer.headline()
    for k, n, m, t in product((1, 2, 3), (1, 2, 3, 5), (1, 2, 3, 5), range(40)):
        if (3 * k - 1) * t < 3 * k * m * n:
            asked = 3 * k * (t % m) >= m + t % m, n != 1 and 3 * k * (t % (m * n)) >= m * n + t % (m * n)
            open_ = all(asked) and t >= m
            assert true_at([where], {"K": k, "N": n, "M": m, "t": t}) == open_, (k, n, m, t)
            seen[open_] += 1
    assert min(seen[True], seen[False]) > 10, seen


def test_a_doubt_about_everything_is_told_without_a_place() -> None:
    data = ConditionsData((), (), enough=(parse_statement("a == b"),), doubt=TRUE)
    assert formulas.headline(data) == "a = b\nundecided, and that is enough"


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("views", "most"),
    [
        (("(3,N,M):(a,b,c)", "(3*M):(-7)+7*(3*M - 1)"), 240),
        (("(N,M,2):(a,b,c)", "(n,m):(1,2)+2"), 180),
        (("(M,K,N):(a,b,c)", "(K):(1)+o"), 270),
        (("(N,M,K):(a,b,c)", "(n,m,k):(M*K,K,1)+o"), 1_250),
        (("(3,3,2):(σ1,σ2,σ3) [a:3,0:3,0:1]", "(3,n):(2,6)+o+2 [0:3,0:n]"), 160),
    ],
)
def test_boundaries_that_carry_together_and_windows_are_told_briefly(views, most) -> None:
    assert len(conditions(*map(View.parse, views)).headline()) <= most


def test_random_answers_are_as_long_as_a_person_reads(turns) -> None:
    rng, long = Random("long answers"), 0
    for _ in turns(8):
        pair, masked = outer_queries.query(rng), rng.choice((odd_queries.odd, masked_queries.query))(rng)
        for views, assume in (((pair.outer, pair.inner), pair.assume), (masked.views, masked.assume)):
            try:
                answer = conditions(*[View.parse(str(v)) for v in views], assume=assume, budget=LITTLE)
            except SymviewError:
                continue
            whole = answer.headline()
            single = len(answer.data.clauses or answer.data.enough or answer.data.lines()) == 1
            assert len(str(answer)) <= MOST + REST + len(whole) * single
            if len(whole) <= WHOLE:
                assert str(answer) == whole
            long += str(answer) != answer.headline()
    assert long
