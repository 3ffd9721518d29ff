"""Wrong answers about symbolic sizes and strides that were found once, each with what is right."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import NoReturn

import pytest
import sympy
import z3
from command import typed
from satellites import needs
from scripts import z3_answers

from symview import (
    Budget,
    Conditions,
    InputError,
    Kind,
    OutOfBounds,
    Status,
    Undecided,
    View,
    conditions,
    injective_conditions,
    merge,
    reshape,
    reshape_conditions,
)
from symview.answers import CaseData, Exact, TooStrong, TooWeak
from symview.cases.query import Query, query_about
from symview.cases.restrict import cases_of, part_of
from symview.cute import Layout, coalesce_conditions
from symview.logic import z3_door
from symview.logic.entailment import Entailment
from symview.logic.notation import parse_statement, term_text
from symview.logic.terms import TRUE
from symview.show.formulas import case_headline
from symview.view_notation import read_shape


def reshaped(view: str, shape: str, **more):
    return reshape_conditions(View.parse(view), read_shape(shape), **more)


def looked(outer: str, inner: str, **more):
    return conditions(View.parse(outer), View.parse(inner), **more)


def test_a_remainder_as_a_size_is_not_taken_for_0() -> None:
    same = reshaped("(3,2,a%4):(1,q,r)", "(3,2,a%4)")
    assert [str(c.view) for c in same.cases] == ["(3,2,a % 4):(1,q,r)"]
    found = reshaped("(6,3*a,a%4):(p+q,q,a)", "(1,6,3*a*(a%4))")
    assert not found.holds({"a": 6, "p": 3, "q": 4})
    assert not reshape(View((6, 18, 2), (7, 4, 6)), (1, 6, 36))


@pytest.mark.parametrize(
    ("outer", "inner", "view"),
    [
        ("(b,2):(a,q)", "(b-1):(2)+2", "(b - 1):(a)+a"),
        ("(N,4):(p,q)", "(N-2,4):(4,1)+4", "(N - 2,4):(p,q)+p"),
        ("(N,4,4):(p,q,r)", "(N-1,4,4):(16,4,1)+16", "(N - 1,4,4):(p,q,r)+p"),
    ],
)
def test_a_slice_of_a_symbolic_leading_dim_keeps_its_stride(outer, inner, view) -> None:
    found = looked(outer, inner)
    assert [(c.status, str(c.view)) for c in found.cases] == [(Status.ALWAYS, view)]


def test_one_boundary_that_cannot_be_contiguous_is_no_never_where_another_may_cancel_it() -> None:
    found = looked("(N,m,2):(2,0,1)", "(4):(m)", assume=["m == 3"])
    assert merge(View((9, 3, 2), (2, 0, 1)), View((4,), (3,)))
    assert found.holds({"N": 9, "m": 3})


def test_an_empty_view_merges_also_where_all_others_are_out_of_bounds() -> None:
    found = looked("(b,a):(p,q)", "(b*a):(a)+b", assume=["b >= 0"])
    assert found.holds({"a": 2, "b": 0, "p": 1, "q": 1})
    assert not found.holds({"a": 2, "b": 1, "p": 1, "q": 1})


def test_sizes_that_cannot_be_positive_together_are_refused() -> None:
    with pytest.raises(InputError, match="cannot all be positive"):
        reshaped("(a,b):(p,q)", "(-a,-b)")


def test_an_even_symbol_divides() -> None:
    e, p = sympy.Symbol("e", integer=True, even=True), sympy.Symbol("p", integer=True)
    found = reshape_conditions(View((e, 3), (p, 1)), (2, -1))
    assert found.holds({"e": 2, "p": 9})
    assert not found.holds({"e": 4, "p": 9})
    assert found.holds({"e": 4, "p": 3})


def test_names_in_sizes_are_positive_unless_0_is_admitted() -> None:
    assert str(reshaped("(n+m,3):(a,b)", "(3*n+3*m)")) == "a = 3*b"
    for text in ("(n+m,3):(a,b)", "(n*m,3):(a,b)", "(2*n,m//2):(a,b)"):
        with pytest.raises(InputError, match="sizes are positive, and the names in them"):
            reshaped(text, "(-1)").holds({"n": 2, "m": 0, "a": 1, "b": 1})
    product = View.parse("(2*n,1,8*m*n)").shape
    assert reshape_conditions(View.parse("(2,n*m,4,2*n)"), product, assume="m >= 0").holds({"n": 2, "m": 0})
    with pytest.raises(InputError, match="n = 0"):
        reshape_conditions(View.parse("(2,n*m,4,2*n)"), product, assume="m >= 0").holds({"n": 0, "m": 1})
    shifted = looked("(n+k):(a)", "(n+k):(1)", assume="k >= -2")
    assert shifted.holds({"n": 5, "k": -2, "a": 3})
    assert reshaped("(n-k,2):(a,b)", "(-1)", assume="k <= 0").holds({"n": 1, "k": 0, "a": 5, "b": 1})
    below = View((sympy.Symbol("n", integer=True) - sympy.Symbol("k", integer=True, negative=True),), (1,))
    assert reshape_conditions(below, (-1,)).holds({"n": 1, "k": -4})


def test_layouts_take_names_in_sizes_for_positive() -> None:
    found = coalesce_conditions(Layout.parse("(n+m,2):(1,a)"))
    with pytest.raises(InputError):
        found.holds({"n": 3, "m": 0, "a": 1})
    assert coalesce_conditions(Layout.parse("(n+m,2):(1,a)"), assume="m >= 0").holds({"n": 3, "m": 0, "a": 1})


def test_breaks_below_0_of_a_shifted_size() -> None:
    found = looked("(66,4,3):(a,b,c)", "(3,n+3):(4,1)", assume="n >= -2")
    assert not found.holds({"n": -1, "a": 12, "b": 1, "c": 1})
    assert found.holds({"n": -2, "a": 12, "b": 1, "c": 1})


@pytest.mark.parametrize(
    ("view", "shape"), [("(2,2,c,b):(2,4,2,1)+3", "(c,b,2,2)"), ("(4*b,a,2):(3,6,4)+3", "(4,2,b*a)")]
)
def test_cases_tell_apart_what_their_strides_depend_on(view, shape) -> None:
    found = reshaped(view, shape)
    names = list(found.symbols())
    seen = 0
    for values in [dict(zip(names, (i, j), strict=True)) for i in range(1, 5) for j in range(1, 5)]:
        if not found.holds(values):
            continue
        (case,) = [c for c in found.cases if c.where.subs({found.symbols()[n]: v for n, v in values.items()}) == True]  # noqa: E712
        old, new = View.parse(view).with_values(values), case.view.with_values(values)
        assert reshape(old, new.shape) == new
        seen += 1
    assert seen >= 3


def test_a_size_beside_minus_one_that_is_0_is_refused_and_not_divided_by() -> None:
    found = reshaped("(a,4)", "(b,-1)", assume="b >= 0")
    assert not found.holds({"a": 1, "b": 0})
    assert eval(found.guards(), {}, {"a": 1, "b": 0}) is False
    assert found.holds({"a": 1, "b": 2})


def test_inner_strides_where_some_residues_of_one_leave_no_value_to_another() -> None:
    found = looked("(5,2):(a,b)", "(2,3,4):(u-2,3*t,2*t-u)+3")
    assert not found.holds({"t": 0, "u": -1, "a": 1, "b": 1})
    assert found.holds({"t": 0, "u": -1, "a": 2, "b": 1})
    assert found.holds({"t": 0, "u": 0, "a": 1, "b": 1})


def test_a_guard_that_divides_by_a_stride_of_0_refuses() -> None:
    """Python raises on t0 % 0, so the guard refuses where the views merge; an alternative before it may save it."""
    found = reshape_conditions(View.parse("(B,S):(t0,t1)"), View.parse("(B*S)").shape)
    verdict = found.compare("B == 1 or S == 1 or (t0 == S*t1 and t0 % t1 == 0)")
    assert isinstance(verdict, TooStrong)
    assert verdict.values["t1"] == 0
    assert isinstance(found.compare("B == 1 or S == 1 or (t0 == S*t1 and (t1 == 0 or t0 % t1 == 0))"), Exact)
    assert isinstance(found.compare("t1 == 0 or B == 1 or S == 1 or (t0 == S*t1 and t0 % t1 == 0)"), TooWeak)


@pytest.mark.parametrize("names", ["σ,n₁", "été,mod", "exists,floor", "true,p0", "i0,c0", "ceil,infty"])
def test_no_size_has_a_name_that_isl_reads_otherwise(names) -> None:
    first, second = names.split(",")
    plain = looked("(10,3,3):(a,b,c)", "(n,m):(1,9)")
    found = looked("(10,3,3):(a,b,c)", f"({names}):(1,9)")
    assert [c.status for c in found.cases] == [c.status for c in plain.cases]
    for n in range(1, 13):
        for m in range(1, 12):
            values = {"a": 9, "b": 3, "c": 1 + n % 2}
            assert found.holds({first: n, second: m, **values}) == plain.holds({"n": n, "m": m, **values})
    assert str(looked("(10,3,3):(a,b,c)", f"({first}):(4)")).startswith(f"1 ≤ {first} ≤ 3: always")


def agrees(found: Conditions, ranges: dict[str, range], strides: list[tuple[int, ...]]) -> Counter:
    """`holds` beside merging the views of numbers, at all these sizes and strides."""
    outer, inner = found.views
    free = [n for n in found.symbols() if n not in ranges]
    seen: Counter = Counter()
    for values in (dict(zip(ranges, v, strict=True)) for v in product(*ranges.values())):
        for given in strides:
            at = values | dict(zip(free, given, strict=True))
            try:
                right = isinstance(merge(outer.with_values(at), inner.with_values(at)), View)
            except OutOfBounds:
                right = False
            try:
                assert found.holds(at) == right, at
                seen[right] += 1
            except Undecided:
                seen["undecided"] += 1
    return seen


def test_a_decision_is_not_taken_twice() -> None:
    found = looked("(N,M,2):(a,b,c)", "(n,m):(1,t)+1")
    some = dict.fromkeys("NMnm", range(1, 4)) | {"t": range(-2, 4)}
    seen = agrees(found, some, [(1, 1, 1), (2, 2, 1), (6, 2, 1), (4, 3, 5)])
    assert seen[True] > 400, seen
    assert seen[False] > 500, seen
    for case in found.data.cases:  # comparisons of one form are one
        text = term_text(case.where)
        assert "M >= 1" not in text
        assert "n <= 1" not in text
        assert not ("n < 2" in text and "n > 2" in text)


def test_a_decision_on_a_stride_backwards_is_not_taken_twice() -> None:
    found = looked("(2,N,M):(a,b,c)", "(n,2):(1,-t)+M-1")
    some = dict.fromkeys("NMn", range(1, 5)) | {"t": range(-4, 5)}
    seen = agrees(found, some, [(1, 1, 1), (2, 2, 1), (6, 2, 1), (4, 3, 5)])
    assert seen[True] > 200, seen
    assert seen[False] > 500, seen


def test_what_is_always_so_is_said_so() -> None:
    found = looked("(10,j):(j,1)", "(10,j):(j,1)", assume="j >= 0")
    assert str(found) == "always"
    assert all(found.holds({"j": j}) for j in range(5))


def test_conditions_on_a_size_of_0_divide_by_it_nowhere() -> None:
    found = looked("(4,N):(a,c)", "(m):(t)", assume="N >= 0 and m >= 0")
    seen, formula, solver = Counter(), found.formula(), z3.Solver()
    symbols, z3_formula = found.symbols(), found.to_z3()
    for values in product(range(4), range(4), (1, 3), (0, 1), (-1, 0, 1, 2, 5)):
        at = dict(zip("Nmact", values, strict=True))
        named = {symbols[n]: v for n, v in at.items()}
        numbers = [v.with_values(at) for v in found.views]
        try:
            right = isinstance(merge(*numbers), View)
        except OutOfBounds:
            right = False
        assert found.holds(at) == right, at
        assert eval(found.guards(), {}, at) == right, at
        assert formula.subs(named) == right, at
        assert sum(bool(c.where.subs(named)) for c in found.cases) == 1, at
        solver.push()
        solver.add(z3_formula, *(z3.Int(n) == v for n, v in at.items()))
        assert (solver.check() == z3.sat) == right, at
        solver.pop()
        assert (found.counterexample(at) is None) == right, at
        seen[right, at["N"] == 0] += 1
    assert min(seen.values()) >= 20, seen


def test_a_guard_is_compared_also_where_a_size_is_0() -> None:
    found = looked("(4,N):(a,c)", "(m):(t)", assume="N >= 0 and m >= 0")
    rest = "(N >= 1 and t <= m*t and m*t < 4*N + t and (m*(t % N) < N + t % N or a == N*c))"
    assert isinstance(found.compare(f"m == 0 or {rest}"), Exact)
    assert isinstance(found.compare(found.guards()), Exact)
    strong = found.compare(f"(m == 0 and N != 0) or {rest}")
    assert isinstance(strong, TooStrong)
    assert strong.values["N"] == strong.values["m"] == 0
    weak = found.compare(f"m == 0 or N == 0 or {rest}")
    assert isinstance(weak, TooWeak)
    assert weak.values["N"] == 0
    assert weak.values["m"] > 0


@needs("verify")
@pytest.mark.parametrize(
    ("outer", "inner", "assume"),
    [("(10,j):(j,1)", "(10,j):(j,1)", "j >= 0"), ("(4,N):(a,c)", "(m):(t)", "N >= 0 and m >= 0")],
)
def test_scripts_ask_about_sizes_of_0_too(outer, inner, assume) -> None:
    text = looked(outer, inner, assume=assume).to_smt2()
    for name in "jN":
        assert f"(distinct {name} 0)" not in text
    assert set(z3_answers(text)) == {"unsat"}
    assert text.endswith("; nothing left out\n")


@needs("verify")
@pytest.mark.parametrize("work", [1, 100_000])
def test_what_is_not_found_to_be_needed_is_left_out_of_scripts(work) -> None:
    """Where an index was not found in time, the script asked whether there is none."""
    answer = looked("(4,N):(a,c)", "(m):(t)", assume="N >= 0 and m >= 0")
    text = answer.within(Budget().started().at_most(work)).to_smt2()
    assert "sat" not in z3_answers(text)
    assert text.endswith(" left out\n")
    assert not text.endswith("; nothing left out\n")


@pytest.mark.parametrize("axes", [3, 5, 14])
def test_a_question_with_many_unknowns_keeps_to_its_budget(axes) -> None:
    sizes, strides = (",".join(f"{x}{n}" for n in range(axes)) for x in "nt")
    budget = Budget(work=3_000_000).started()
    try:
        found = looked("(A,B,C,D):(a,b,c,d)", f"({sizes}):({strides})+o", budget=budget)
    except Undecided:
        assert axes > 8
    else:
        (left,) = [c for c in found.cases if c.status is Status.UNDECIDED and c.view is None]
        assert [str(e) for e in left.equations] == ["Eq(a, B*b)", "Eq(b, C*c)", "Eq(c, D*d)"]
        assert "budget" in left.reason
    assert budget.left() > -1_500_000


def test_sizes_that_share_products_of_symbols_are_related() -> None:
    found = looked("(10,3,3):(a,b,c)", "(n,m*n,3*n):(1,9,3)")
    assert str(found) == "10*n + 9*n*m ≤ 102 and (n = 1 or a = 3*b) and (n ≤ 3 or b = 3*c)"
    seen = agrees(found, dict.fromkeys("nm", range(1, 8)), [(9, 3, 1), (3, 1, 1), (6, 2, 1)])
    assert min(seen[True], seen[False]) > 20, seen
    assert str(looked("(10,3,3):(9,3,1)", "(n,3*n+1,n*n):(1,9,3)")).startswith("28*n + 3*(n*n) ≤ 93: always")


@pytest.mark.parametrize(
    ("outer", "inner", "assume", "sizes"),
    [
        ("(k,2,n):(c,n,0)", "(2*n,2):(3,0)+1", ("n <= 3",), ("k", "n")),
        ("(n+1,m,2):(0,-a,n)", "(n+1,n):(n,1)+1", (), ("n", "m")),
    ],
)
def test_the_smallest_sizes_are_those_of_all_cases(outer, inner, assume, sizes) -> None:
    """A break in a later case may have smaller sizes than the first one that is found."""
    views = View.parse(outer), View.parse(inner)
    found = conditions(*views, assume=assume).counterexample()
    assert found is not None
    assert found.smallest
    here = tuple(found.values[n] for n in sizes)
    strides = [n for n in found.values if n not in sizes]
    smaller = [p for p in product(range(1, max(here) + 1), repeat=len(sizes)) if p < here]
    assert smaller
    for point in smaller:
        for moved in product(range(-4, 5), repeat=len(strides)):
            values = {**dict(zip(sizes, point, strict=True)), **dict(zip(strides, moved, strict=True))}
            try:
                assert merge(*(v.with_values(values) for v in views)), values
            except OutOfBounds:
                continue


@pytest.mark.parametrize(
    ("inner", "assume", "same"),
    [
        ("(s):(t)", ("t == 4",), "(s):(4)"),
        ("(s):(t)+o", ("4 == t", "o == 2"), "(s):(4)+2"),
        ("(6,2):(t,u)", ("t == u", "u == 4"), "(6,2):(4,4)"),
        ("(6,2):(t,u)+o", ("t == u", "o == 0"), "(6,2):(u,u)"),
    ],
)
def test_an_inner_stride_that_is_assumed_equal_is_used(inner, assume, same) -> None:
    """The answer is that of the view with the stride written out; the question stays the one that was asked."""
    views = View.parse("(10,3,3):(a,b,c)"), View.parse(inner)
    found = conditions(*views, assume=assume)
    assert str(found) == str(looked("(10,3,3):(a,b,c)", same))
    assert found.views == views
    assert {c.status for c in found.cases}.isdisjoint({Status.UNDECIDED})
    with pytest.raises(InputError, match="assumption"):
        found.holds(dict.fromkeys(found.symbols(), 77))


def test_an_inner_stride_assumed_to_leave_the_shape_is_out_of_bounds() -> None:
    assert str(looked("(10,3,3):(a,b,c)", "(2):(t)", assume="t == 100")) == "out of bounds"
    found = looked("(10,3,3):(a,b,c)", "(s):(t)", assume="t == 40")
    assert str(found).splitlines() == ["1 ≤ s ≤ 3: always", "s ≥ 4: out of bounds"]


def test_equations_that_no_integers_satisfy_are_not_said_to_be_enough() -> None:
    for equations, shown in (
        (("1 == 2*n", "1 == 4*a"), "undecided"),
        (("a == 4*b", "6*a*b == 4*n + 3"), "undecided"),
        (("2*a == 4*b + 2",), "undecided; 2*a = 4*b + 2 is enough"),
    ):
        required = tuple(map(parse_statement, equations))
        assert case_headline(CaseData(TRUE, Status.UNDECIDED, required)) == shown


def test_no_question_goes_on_for_ever_in_z3() -> None:
    """Z3 5.4 tightened bounds of products without end, and no limit of steps or time stopped it."""
    found = looked("(M,N,2):(a,b,c)", "(N,M):(t,1)+o", assume="o >= 0", budget=Budget(work=2_000_000))
    assert found.holds({"M": 2, "N": 2, "t": 4, "o": 0, "a": 4, "b": 2, "c": 1}) is True


def test_what_z3_does_without_counting_counts_by_the_clock(monkeypatch) -> None:
    """But not where the clock is the user's: then work is left, and the time is over."""
    cubes = parse_statement("x*x*x + y*y*y == z*z*z + 5 and x > 9 and y > 9")
    running = Budget(work=10**9, timeout=0.2).started()
    monkeypatch.setattr(z3_door, "_A_SECOND", 10**11)  # all of the work, if that were counted
    assert isinstance(z3_door.check([cubes], running), z3_door.Open)
    assert running.left() > 0
    monkeypatch.setattr(z3_door, "_PATIENCE", 0.2)
    monkeypatch.setattr(z3_door, "_SLOWER", 0)
    budget = Budget(work=10**9).started()
    assert isinstance(z3_door.check([cubes], budget), z3_door.Open)
    assert budget.is_over()


def test_remainders_keep_their_factors_where_sympy_would_divide_by_them() -> None:
    """Sympy takes p + 2 out of both sides, and leaves fractions that are not integers to it."""
    text = "(2*M*p + 4*M + 5*p*p + 10*p) % (M*p + 2*M + 2*p*p + 4*p)"
    view = View.parse(f"(3):({text})", {n: sympy.Symbol(n, integer=True) for n in "Mp"})
    for values in ({"M": 1, "p": 1}, {"M": 2, "p": 5}, {"M": 7, "p": 3}):
        assert view.with_values(values).strides == (eval(text, {}, values),)


@pytest.mark.parametrize(
    ("outer", "inner"),
    [
        ("(4,3):(a,b)", "(4,9223372036854775808,9223372036854775807):(a,a,2*a)"),
        ("(9223372036854775808,2,1180591620717411303424):(2*a,2*a,0)", "(3,9223372036854775807):(0,2*a)"),
    ],
)
def test_sizes_beyond_the_machine_s_words_are_not_listed(outer, inner) -> None:
    found = looked(outer, inner)
    values = dict.fromkeys(found.symbols(), 0)
    assert found.holds(values)
    assert not found.holds({**values, "a": -1})


def test_an_address_outside_is_a_case_unless_no_values_meet_the_facts() -> None:
    """What is asked of a part where addresses stay inside may be about no values at all; else nothing is left out."""

    def outside(_: Query) -> NoReturn:
        raise OutOfBounds("5 is outside")

    views = View.parse("(4):(s)"), View.parse("(2):(1)+o")
    query = query_about(views, "o >= 3", Budget().started())
    (case,) = cases_of(query, outside)
    assert (case.status, case.where, case.reason) == (Status.OUT_OF_BOUNDS, TRUE, "5 is outside")
    assert cases_of(part_of(query, views, [parse_statement("o*o < 9")]), outside) == ()


@pytest.mark.parametrize(
    "texts",
    [
        ("(2,0):(a,b)", "(3):(t)"),
        ("(2,0):(b,b-9)+9", "(3,2,5):(1,-3,-1)+(b+1)"),
        ("(3,0,2):(a,b,t)", "(2):(t)"),
        ("(n,0):(a,b)", "(3):(t)"),
        ("(n,0):(a,b)", "(3):(1)"),
        ("(n,0):(1,2)", "(m):(1)"),
        ("(n,0):(a,b)", "():()"),
    ],
)
def test_every_index_leaves_a_shape_without_places(texts) -> None:
    found = conditions(*map(View.parse, texts))
    assert [c.status for c in found.cases] == [Status.OUT_OF_BOUNDS]
    assert str(found).endswith("out of bounds")
    assert found.counterexample().kind is Kind.OUT_OF_BOUNDS


@pytest.mark.parametrize("text", ["(B,S,D):(t0,t1,1)", "(2,S,D):(t0,t1,1)", "(B,2,D):(t1,t0,1)", "(B,S,2):(t0,-t1,1)"])
def test_a_unit_stride_beside_two_free_ones_is_decided(text: str) -> None:
    """Whether indices have addresses of their own: sums along the two nearest dims against multiples of the third."""
    answer, seen = injective_conditions(text), Counter[bool]()
    assert Status.UNDECIDED not in {case.status for case in answer.cases}
    names = list(answer.symbols())
    for point in product(*[range(1, 4) if n in "BSD" else (-3, -1, 0, 1, 2, 5) for n in names]):
        values = dict(zip(names, point, strict=True))
        view = View.parse(text).with_values(values)
        addresses = [view.at(index) for index in product(*map(range, view.shape))]
        apart = len({*addresses}) == len(addresses)
        assert answer.holds(values) == apart, values
        assert (answer.counterexample(values) is None) == apart
        seen[apart] += 1
    assert min(seen[True], seen[False]) > 50


def test_the_facts_alone_may_be_contradictory() -> None:
    """A question about no formula is one about the facts; it once ended in an IndexError."""
    facts = [parse_statement(t) for t in ("c*c == 2*d*d", "c > 0", "d > 0")]
    assert not Entailment(facts).impossible(TRUE)  # no point is known, and none is found
    assert Entailment([*facts, parse_statement("c == 0")]).impossible(TRUE)
    answer = conditions("((n+3)//4,m):(c,1)+3 [1:(n+3)//4,1:m]", "(3):(c) [1:3]", budget=Budget(work=300_000))
    assert answer.holds({"n": 9, "m": 4, "c": 1}) is not None


def test_the_steps_show_an_offset_of_names() -> None:
    found = typed(["conditions", "(A,B):(a,b)", "(n):(t)+o", "--explain"])
    assert found.exit_code == 0
    assert "contiguous with the next dim" in found.stdout
