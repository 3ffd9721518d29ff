"""Counterexamples, conditions and cases as values: truth, text, JSON, LaTeX, pickles."""

from __future__ import annotations

import copy
import itertools
import json
import pickle
from random import Random

import pytest
import sympy
from bridge import SIZE, STRIDES, named, symbolic, view
from oracle import generate

from symview import (
    Case,
    Conditions,
    Counterexample,
    InputError,
    Kind,
    NotAView,
    Status,
    View,
    conditions,
    cute,
    merge,
    overlap,
    reshape_conditions,
)
from symview.logic.notation import parse_expression, parse_statement
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, value_of
from symview.show.formulas import where_text
from symview.view_notation import read_shape

OUTER = View((10, 3, 3), STRIDES[:3])
PAPER = conditions(OUTER, View((SIZE,), (4,)))
BROKEN = merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,)))


# Counterexamples


def test_a_counterexample_is_falsy_and_says_where() -> None:
    assert not BROKEN
    assert str(BROKEN) == "at index (3) the element is at address 2; constant strides would put it at 6"
    assert repr(BROKEN) == "Counterexample('addresses disagree', (3,), axis=0, expected=6, got=2)"
    assert BROKEN.kind is Kind.DISAGREE
    assert BROKEN.kind == "addresses disagree"


def test_deferred_equals_eager(turns, full) -> None:
    rng, seen = Random("deferred"), 0
    for _ in turns(100):
        outer, inner = generate.accidental(rng)
        found = merge(view(outer), view(inner))
        if found:
            continue
        seen += 1
        fields = (found.kind, found.index, found.axis, found.expected, found.got, found.smallest, found.values)
        eager = Counterexample(*fields)
        assert found == eager
        assert eager == found
        assert hash(found) == hash(eager)
        assert (str(found), repr(found), found.to_dict()) == (str(eager), repr(eager), eager.to_dict())
        other = Counterexample(found.kind, found.index, found.axis, found.expected, found.got + 1)
        assert found != other
        assert other != found
    if full:
        assert seen > 15


def test_the_search_is_made_once_and_only_when_asked() -> None:
    calls = []

    def search() -> Counterexample:
        calls.append(1)
        return Counterexample(Kind.DISAGREE, (3,), 0, 6, 2)

    lazy = Counterexample.deferred(Kind.DISAGREE, search)
    assert not lazy
    assert type(lazy) is Counterexample
    assert lazy.kind is Kind.DISAGREE
    assert not calls
    assert (lazy.index, lazy.got, str(lazy)) == ((3,), 2, str(BROKEN))
    assert calls == [1]
    with pytest.raises(AttributeError):
        _ = lazy.nothing


@pytest.mark.parametrize("asked", [False, True])
def test_counterexamples_can_be_pickled_and_copied(asked) -> None:
    found = merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,)))
    if asked:
        assert found.index == (3,)
    for back in (pickle.loads(pickle.dumps(found)), copy.copy(found), copy.deepcopy(found)):
        assert back == BROKEN
        assert repr(back) == repr(BROKEN)
        assert not back


def test_the_kinds_in_words() -> None:
    values = {"a": 2, "n": 3}
    outside = Counterexample(Kind.OUT_OF_BOUNDS, (1, 2), None, None, 9, True, values)
    assert str(outside) == "at index (1,2) with a = 2, n = 3: address 9 is out of bounds"
    hidden = Counterexample(Kind.INVALID, (1,), None, 3, None)
    assert "not valid and should be" in str(hidden)
    far = Counterexample(Kind.DISAGREE, (1,), 0, 3, 4, smallest=False)
    assert "perhaps not the smallest" in str(far)
    assert "smallest=False" in repr(far)
    assert far != Counterexample(Kind.DISAGREE, (1,), 0, 3, 4)
    for one in (outside, hidden, far):
        assert pickle.loads(pickle.dumps(one)) == one
        assert json.loads(json.dumps(one.to_dict()))["index"] == list(one.index)


def test_a_reason_is_in_words_and_in_json() -> None:
    apart = overlap("(2):(1)", "(2):(1)+2")
    assert str(apart) == apart.to_dict()["reason"] == "the addresses 0 to 1 and 2 to 3 are apart"
    twice = cute.is_contiguous(cute.Layout((2, 4), (0, 1)))
    assert (twice.kind, twice.other, twice.index, twice.got) == (Kind.OVERLAP, (0,), (1,), 0)
    bent = cute.try_composition(cute.Layout((6, 2), (1, 7)), cute.Layout((3, 2), (2, 3)))
    assert str(bent) == bent.to_dict()["reason"]
    for one in (apart, twice, bent):
        assert repr(one) == f"<Counterexample {one}>"
        assert pickle.loads(pickle.dumps(one)) == one


def test_not_a_view_carries_it() -> None:
    assert NotAView(BROKEN).counterexample is BROKEN


# Conditions


def test_the_truth_of_conditions_is_not_to_be_had() -> None:
    for answer in (PAPER, conditions(OUTER, View((2,), (4,)))):
        with pytest.raises(TypeError, match="holds"):
            bool(answer)
        with pytest.raises(TypeError, match="cases"):
            assert answer
        with pytest.raises(TypeError):
            _ = not answer


def test_the_headline() -> None:
    assert str(PAPER) == (
        "1 ≤ s ≤ 3: always\n4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3\n6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3\ns ≥ 24: out of bounds"
    ).replace("s ", "n ").replace("s:", "n:").replace("boundn", "bounds")
    assert str(conditions(OUTER, View((2,), (4,)))) == "always"
    assert str(conditions(View((10, 3, 3), (1, 1, 1)), View((4,), (4,)))) == "never"
    assert "1 ≤ n ≤ 3: always" in repr(PAPER)


def test_equal_questions_have_equal_answers() -> None:
    again = conditions(OUTER, View((SIZE,), (4,)))
    assert again == PAPER
    assert again.cases == PAPER.cases
    assert conditions(OUTER, View((SIZE,), (5,))) != PAPER


def test_holds_takes_symbols_and_names() -> None:
    assert PAPER.holds({SIZE: 23, STRIDES[0]: 9, "σ2": 3, "σ3": 1})
    assert not PAPER.holds(named((9, 3, 2), n=6))
    assert PAPER.holds({"n": 3})
    assert not PAPER.holds({"n": 24})
    concrete = conditions(View((10, 3, 3)), View((4,), (4,)))
    assert concrete.holds()
    assert concrete.holds({})
    with pytest.raises(InputError, match="unknown symbol"):
        PAPER.holds({3: 3})


def test_formula_term_z3_and_holds_agree() -> None:
    import z3

    formula, constant = PAPER.formula(), PAPER.to_z3()
    assert PAPER.term().is_formula()
    sizes, small = (1, 3, 4, 5, 6, 23, 24, 30), (-1, 0, 2)
    for n, a, b, c in itertools.product(sizes, (-5, 0, 7, 10), small, small):
        values = named((a, b, c), n=n)
        expected = PAPER.holds(values)
        assert bool(formula.subs({SIZE: n, **dict(zip(STRIDES, (a, b, c), strict=False))})) == expected
        query = z3.substitute(constant, *((z3.Int(k), z3.IntVal(v)) for k, v in values.items()))
        assert z3.is_true(z3.simplify(query)) == expected


def test_cases_cover_all_sizes_once() -> None:
    for n in range(1, 40):
        assert sum(bool(case.where.subs(SIZE, n)) for case in PAPER.cases) == 1
    assert [case.status for case in PAPER.cases] == [Status.ALWAYS, Status.WHEN, Status.WHEN, Status.OUT_OF_BOUNDS]
    assert [case.view is None for case in PAPER.cases] == [False, False, False, True]


def test_substituted_uses_the_equations() -> None:
    found = [case.substituted() for case in PAPER.cases[:3]]
    s1, s2, s3 = STRIDES[:3]
    assert [v.strides for v in found] == [(s2 + s3,), (s2 + s3,), (4 * s3,)]
    assert PAPER.cases[2].view.strides == (s2 + s3,)
    assert PAPER.cases[3].substituted() is None
    assert s1 not in found[2].symbols().values()


def test_json(turns) -> None:
    rng = Random("json")
    answers = [PAPER]
    for turn in turns(15):
        outer, inner = (generate.accidental, generate.pair)[turn % 2](rng)
        answers.append(conditions(symbolic(outer), view(inner)))
    for answer in answers:
        back = json.loads(json.dumps(answer.to_dict()))
        assert back["headline"] == str(answer)
        assert View.parse(back["outer"]) == answer.outer
        assert View.parse(back["inner"]) == answer.inner
        for said, case in zip(back["cases"], answer.cases, strict=True):
            assert said["status"] == str(case.status)
            assert len(said["equations"]) == len(case.equations)
            for text, equation in zip(said["equations"], case.equations, strict=True):
                left, right = text.split(" = ")
                assert parse_expression(left)
                assert parse_expression(right)
                assert str(equation.lhs) == left.replace(" ", "")
            if case.view is not None:
                assert View.parse(said["view"]) == case.view
                assert View.parse(said["substituted"]) == case.substituted()
            assert [w["index"] for w in said["witnesses"]] == [list(w.index) for w in case.witnesses]


def test_latex() -> None:
    text = PAPER.to_latex()
    assert text.startswith("\\begin{cases}\n")
    assert text.endswith("\n\\end{cases}")
    assert text.count("\\\\") == 3
    assert text.count("\\text{if }") == 4
    for part in ("2 {\\sigma}_{2} + 3 {\\sigma}_{3}", "\\text{always}", "\\text{out of bounds}", "\\wedge"):
        assert part in text
    sigmas = sympy.latex(PAPER.cases[1].equations[0]).replace("σ", "{\\sigma}")
    assert conditions(OUTER, View((4,), (4,))).to_latex() == sigmas
    assert conditions(OUTER, View((2,), (4,))).to_latex() == "\\text{always}"


@pytest.mark.parametrize(
    ("view", "shape", "latex"),
    [
        ("(B,S,D):(t0,t1,t2)", "(B*S,D)", r"B = 1 \vee S = 1 \vee t_{0} = S t_{1}"),
        ("(i0,192)", "(12,-1,192)", r"i_{0} \bmod 12 = 0"),
        ("(u0,20,4):(80,1,20)", "(u0,80)", r"\text{never}"),
        ("(n,4)", "(4*n)", r"\text{always}"),
        ("(a,b):(s,t)", "(c,-1)", r"a b \bmod c = 0 \wedge \left(a = 1 \vee b = 1 \vee a = c \vee s = b t\right)"),
        ("(2,3,4):(r,s,t)", "(24)", r"r = 3 s \wedge s = 4 t"),
        ("(2,3):(a__2,tabs)", "(6)", r"\mathit{a\_\_2} = 3 \mathit{tabs}"),
    ],
)
def test_latex_of_clauses_is_the_headline(view, shape, latex) -> None:
    assert reshape_conditions(View.parse(view), read_shape(shape)).to_latex() == latex


def test_values_at_which_sizes_do_not_agree() -> None:
    found = reshape_conditions(View.parse("(a,b):(s,t)"), read_shape("(c,-1)"))
    apart, agreeing = {"a": 2, "b": 3, "c": 4, "s": 3, "t": 1}, {"a": 2, "b": 3, "c": 3, "s": 3, "t": 1}
    assert not found.holds(apart)
    assert found.holds(agreeing)
    assert found.counterexample(agreeing) is None
    assert found.counterexample({**agreeing, "s": 4}) is not None
    with pytest.raises(InputError, match=r"a = 2, b = 3, .*: the sizes do not agree, so no index can be shown"):
        found.counterexample(apart)
    smallest = found.counterexample()
    assert smallest is not None
    assert not found.holds(smallest.values)
    assert smallest.values["a"] * smallest.values["b"] % smallest.values["c"] == 0


def test_witnesses_in_words() -> None:
    assert [str(w) for w in PAPER.cases[1].witnesses] == ["(3) forces σ1 = 2σ2 + 3σ3"]
    (one,) = PAPER.cases[1].witnesses
    assert (one.index, one.axis, one.pattern, one.digits) == ((3,), 0, (1, 1), (1, 1, 0))


@pytest.mark.parametrize(
    ("where", "text"),
    [
        (sympy.true, ""),
        (sympy.And(SIZE >= 4, SIZE <= 5), "4 ≤ n ≤ 5"),
        (SIZE >= 24, "n ≥ 24"),
        (sympy.Eq(SIZE, 3), "n = 3"),
        (sympy.Ne(SIZE, 3), "n ≠ 3"),
        (sympy.And(SIZE > 4, SIZE < 9), "4 < n < 9"),
        (parse_statement("m >= 4 and m <= 30 and n <= 3"), "4 ≤ m ≤ 30 and n ≤ 3"),
        (parse_statement("n >= 4 and m <= 10 and n <= 9"), "4 ≤ n ≤ 9 and m ≤ 10"),
        (parse_statement("m <= 9 and n <= 8 and n >= 2 and m > 3"), "3 < m ≤ 9 and 2 ≤ n ≤ 8"),
        (parse_statement("n >= 4 and 3*m + n >= 13 and 3*m + n <= 93"), "n ≥ 4 and 13 ≤ 3*m + n ≤ 93"),
        (parse_statement("t <= s*t and s*t <= t + 89"), "t ≤ s*t ≤ t + 89"),
        (parse_statement("2 <= n and n <= m"), "2 ≤ n ≤ m"),
        (parse_statement("m <= n and n <= m"), "m ≤ n and n ≤ m"),
        (parse_statement("m <= 3 and 3 <= n"), "m ≤ 3 and 3 ≤ n"),
        (parse_statement("a != 1 and a*b % c == 0"), "a ≠ 1 and a*b % c = 0"),
        (parse_statement("m >= 2 and m <= 4 or n == 1"), "(2 ≤ m ≤ 4) or n = 1"),
        (parse_statement("(a == 1 or b == 1) and 2 <= c and c <= 3"), "(a = 1 or b = 1) and 2 ≤ c ≤ 3"),
    ],
)
def test_sizes_in_words(where, text) -> None:
    assert where_text(where if isinstance(where, Term) else to_term(where)) == text


def test_words_for_sizes_say_what_they_stand_for() -> None:
    for m, n in itertools.product(range(-1, 12), repeat=2):
        for text in ("m >= 4 and n <= 3 and m <= 9", "m <= n and n < 8", "n > 2 and m < 2*n and n <= 7 or m == 1"):
            term = parse_statement(text)
            back = parse_statement(where_text(term))
            assert value_of(back, {"m": m, "n": n}) == value_of(term, {"m": m, "n": n})


def test_answers_are_values() -> None:
    for one, name in ((BROKEN, "kind"), (PAPER, "cases"), (PAPER.cases[0], "status")):
        with pytest.raises(AttributeError):
            setattr(one, name, 3)
    assert isinstance(PAPER, Conditions)
    assert isinstance(PAPER.cases[0], Case)
