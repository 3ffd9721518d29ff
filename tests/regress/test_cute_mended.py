"""Answers about CuTe layouts with symbols that were once wrong."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import islice, product

import pytest
import sympy
from oracle.test_cute_symbols import unsat
from satellites import needs

from symview import cute
from symview.answers import Exact, Status, TooStrong, TooWeak
from symview.cases.simplify.clauses import parts_of
from symview.cute import Layout
from symview.errors import InputError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.terms import value_of

parse = Layout.parse
D = sympy.Symbol("d", integer=True)


def test_a_sum_over_a_number_is_no_whole_number() -> None:
    """(a + b)/8 is a/8 + b/8, which has no denominator as it stands."""
    found = cute.composition_conditions(parse("(8,6):(1,16)"), parse("3:a+b"), assume="a >= 0 and b >= 0")
    assert not found.holds({"a": 4, "b": 1})
    assert str(found.layout({"a": 5, "b": 4})) == "3:17"
    assert found.counterexample() is not None
    assert "⌈(m + 1)/4⌉" in str(cute.complement_conditions(Layout(4), sympy.Symbol("m", integer=True) + 1))
    assert cute.logical_divide_conditions(parse("n+m:1"), 4).holds({"n": 3, "m": 2})


def test_the_layout_without_modes_is_divided_as_that_of_one_index() -> None:
    found, one = (cute.logical_divide_conditions(parse(a), parse("(4,2):(a,b)")) for a in ("()", "1:0"))
    assert str(found) == str(one)
    assert str(found.layout({"a": 2, "b": 16})) == "((4,2),(2,2)):((0,0),(0,0))"


def test_parts_by_many_divisors_end_with_the_budget() -> None:
    found = cute.logical_divide_conditions(parse("(6,2):(1,7)"), parse("(4,6):(a,b)"))
    with pytest.raises(Undecided):
        list(found.question.parts(found.data, Budget(work=1).started()))
    assert isinstance(replace(found, budget=Budget(work=1_000_000)).compare("True"), TooWeak)


@needs("verify")
def test_divisors_that_vanish_together() -> None:
    """Where 4d is 0, so is d, and cases that divide by either do not hold."""
    found = cute.complement_conditions(parse("(2,2):(d,e)"), 12, assume="d >= 0 and e <= 0")
    assert isinstance(found.compare("(d >= 0 and e == 0) or (d == 0 and e < -100000)"), TooWeak)
    tight = "d >= 0 and e <= 0 and (e == 0 or (d == 0 and e < -5))"
    smallest = cute.complement_conditions(parse("(2,2):(d,e)"), 12, assume=tight).counterexample()
    assert dict(smallest.values) == {"d": 0, "e": -6}
    found = cute.complement_conditions(parse("(4,1):(d,e)"), 64)
    assert isinstance(found.compare("d >= 0 and (d != 0 or e < 100000)"), TooStrong)
    assert isinstance(cute.complement_conditions(Layout(4, D - 100000), 64).compare("d >= 100001"), TooStrong)
    found = cute.complement_conditions(parse("4:d"), 64)
    assert unsat(found.to_smt2())
    fewer = replace(found.data, cases=found.data.cases[1:])
    assert not unsat(replace(found, data=fewer).to_smt2())  # the case d = 0 is missed


@needs("verify")
@pytest.mark.parametrize(
    ("layout", "other", "assume"),
    [
        ("(4,6):(a,b)", "6:1", "b == 4*a"), ("(4,6):(a,b)", "6:1", "4*a <= b and b <= 4*a"),
        ("(2,2,2,2):(a,b,c,d)", "6:3", "d == 2*b + c"), ("(4,6):(a,b)", "6:1", ["a == 3", "b == 12"]),
    ],
)  # fmt: skip
def test_equations_that_the_assumptions_imply(layout, other, assume) -> None:
    found = cute.composition_conditions(parse(layout), parse(other), assume=assume)
    assert str(found).startswith("always: ")
    assert unsat(found.to_smt2())


def test_equal_sets_under_the_assumptions_are_one_case() -> None:
    found = cute.composition_conditions(parse("(2,2,2,2):(a,b,c,d)"), parse("6:3"), assume="d == 3*b + 2*a")
    assert len(found.cases) == 1


def test_counterexamples_come_smallest_first() -> None:
    found = cute.complement_conditions(parse("(n,m):(a,2*a)"), 1).counterexample()
    assert (dict(found.values), found.smallest) == ({"n": 1, "m": 2, "a": -1}, True)
    found = cute.logical_product_conditions(parse("(2,n):(2*a,a)"), parse("3:4"), assume="a >= 1").counterexample()
    assert (dict(found.values), found.smallest) == ({"n": 1, "a": 3}, True)
    found = cute.composition_conditions(parse("(6,3):(1,12)"), parse("4:a")).counterexample()
    assert (dict(found.values), found.smallest) == ({"a": -1}, True)
    assert cute.composition_conditions(parse("(6,3):(1,12)"), parse("m:a")).counterexample().smallest
    found = cute.composition_conditions(parse("(n,3):(1,12)"), parse("m:a")).counterexample()
    assert (dict(found.values), found.smallest) == ({"n": 1, "m": 2, "a": -1}, True)  # any a serves m = 1, and 0 any m
    assert cute.composition_conditions(parse("(4,6):(a,b)"), parse("t:1")).counterexample().values["t"] == 5


def test_cases_are_one_only_where_one_answer_is_right_for_all() -> None:
    """Where n = 1, n·n:1 is 1:0 as well, but not in another case that has the answer 1:0."""
    found = cute.right_inverse_conditions(parse("(n,n,m):(a,n,0)"))
    for values in ({"n": 12, "m": 4, "a": 6}, {"n": 1, "m": 2, "a": 5}, {"n": 3, "m": 2, "a": 1}):
        expected = cute.right_inverse(parse("(n,n,m):(a,n,0)").with_values(values))
        assert cute.same_function(found.layout(values), expected)
    found = cute.logical_product_conditions(
        parse("(2*n,2*n,m):(1,a,4*n*n)"), parse("(n,1):(4,a*n)"), arranged="blocked"
    )
    assert found.layout({"n": 1, "m": 2, "a": 16}) is not None


def test_layouts_without_modes() -> None:
    empty = parse("():()")
    assert str(cute.composition_conditions(empty, 1)) == f"always: {cute.composition(empty, 1)}"
    assert str(cute.composition_conditions(empty, parse("n:1"))) == "always: n:0"
    assert cute.logical_divide_conditions(empty, 4).layout({}) == cute.logical_divide(empty, 4)


def test_sizes_that_no_index_passes() -> None:
    for _ in range(2):
        found = cute.logical_product_conditions(parse("(2,n):(a,b)"), 1, assume="a % 2 == 0")
        assert found.holds({"n": 3, "a": 2, "b": 4})


def test_a_comparison_that_keeps_a_divisor_from_zero_stays() -> None:
    found = cute.logical_divide_conditions(parse("(n,2*n,n):(a,0,2*a)"), parse("(2,6):(1,2)"))
    for n in range(1, 14):
        values = {"n": n, "a": 6}
        assert sum(all_true([*parts_of(case.where), *case.required], values) for case in found.data.cases) <= 1
        assert (found.layout(values) is None) == (found.counterexample(values) is not None)


def test_tiny_budgets_leave_cases_open() -> None:
    for work in (1, 1000):
        found = cute.composition_conditions(parse("(n,m):(a,b)"), 6, budget=replace(DEFAULT, work=work))
        assert found.holds({"n": 2, "m": 3, "a": 1, "b": 2})
        assert not found.holds({"n": 4, "m": 3, "a": 1, "b": 2})


def test_a_guard_that_divides_by_zero_refuses() -> None:
    found = cute.complement_conditions(parse("2:a - b"), 8)
    guard = "(a - b == 0 or a - b >= 1 and 4 % (a - b) >= 0) and not (a == 100001 and b == 100001)"
    assert isinstance(found.compare(guard), TooStrong)
    assert isinstance(found.compare(found.guards()), Exact)
    assert isinstance(found.compare("4 % (a - b) >= 0 and a >= b"), TooStrong)
    found = cute.complement_conditions(parse("(2,2):(a - b,c)"), 8, assume="a >= b and c <= 0")
    assert isinstance(
        found.compare("c == 0 or a == 100001 and b == 100001 and (a - b == 0 or 4 % (a - b) >= 0)"), TooWeak
    )  # fmt: skip


def test_a_nearer_part_does_not_make_a_counterexample_the_smallest() -> None:
    assume = "d >= 0 and e <= 0 and (e == 0 or (d == 0 and e <= -400) or (d >= 150 and e <= -2*d+155))"
    assert not cute.complement_conditions(parse("(2,2):(d,e)"), 12, assume=assume).counterexample().smallest


def test_cases_can_be_read_from_left_to_right() -> None:
    """Of each case, and of the guard, a part has a value where the parts before it hold."""
    points = list(product(range(1, 9), range(-3, 9)))
    for bound in (1, 12):
        found = cute.complement_conditions(parse("(2,4):(a,b)"), bound, assume="a >= 1")
        for case, (a, b) in product(found.cases, points):
            all(value_of(part, {"a": a, "b": b}) for part in parts_of(case.data.where))  # raises where it divides by 0
    guard = cute.complement_conditions(parse("(2,4):(a,b)"), 1, assume="a >= 1").guards()
    for a, b in points:
        has_one = bool(eval(guard, {}, {"a": a, "b": b}))
        try:
            cute.complement(Layout((2, 4), (a, b)))
        except cute.NoAnswer:
            assert not has_one
        else:
            assert has_one


def test_paths_that_a_tiny_budget_does_not_exclude() -> None:
    found = cute.logical_divide_conditions(Layout(4), parse("m:1"), budget=replace(DEFAULT, work=1))
    for m in range(1, 9):
        assert cute.same_function(found.layout({"m": m}), cute.logical_divide(Layout(4), m))


def test_modes_beyond_the_reach_of_the_others_never_collide() -> None:
    for layout in (Layout((3, 3, 1000000), (4, 7, 23)), Layout((3, 3, 1000000), (4, -7, 23))):
        assert cute.is_injective(layout)
    with pytest.raises(cute.NoAnswer, match="no layout takes its values back"):
        cute.strict_left_inverse(Layout((3, 3, 1000000), (4, 7, 23)))
    with pytest.raises(cute.NoAnswer, match=r"both have the value"):
        cute.strict_left_inverse(Layout((3, 2, 1000000), (2, 4, 23)))


@pytest.mark.parametrize("work", [1, 10_000, 100_000, 1_000_000])
def test_what_a_small_budget_settles_is_kept(work) -> None:
    """The rest is undecided, and no case meets another."""
    queries = [
        (cute.complement_conditions, cute.complement, (parse("(2,3):(a,b)"), 24)),
        (cute.logical_product_conditions, cute.logical_product, (parse("(n,2):(1,a)"), parse("2:m"))),
        (cute.composition_conditions, cute.composition, (parse("((2,n),(3,m)):((a,b),(c,1))"), (4, 3))),
    ]  # fmt: skip
    for ask, operation, args in queries:
        found = ask(*args, budget=replace(DEFAULT, work=work))
        assert str(ask(*args, budget=replace(DEFAULT, work=work))) == str(found)
        for point in islice(product((1, 2, 3, 7, 12), repeat=len(found.symbols())), 0, 600, 7):
            values = dict(zip(found.symbols(), point, strict=True))
            assert len({parts_of(c.data.where) for c in found.cases if all_true(parts_of(c.data.where), values)}) == 1
            try:
                expected = operation(*[a.with_values(values) if isinstance(a, Layout) else a for a in args])
            except cute.NoAnswer:
                expected = None
            layout = found.layout(values)
            assert (layout is None) == (expected is None)
            assert layout is None or cute.same_function(layout, expected)


@pytest.mark.dear
@pytest.mark.parametrize(
    ("ask", "operation", "args", "assume"),
    [
        (cute.complement_conditions, cute.complement, ("(2,3,2,2):(a,b,c,d)", 24), "b % 2 == 0"),
        (cute.complement_conditions, cute.complement, ("(2,3,2,4):(a,b,c,d)", 64), ()),
    ],
)
def test_of_more_cases_than_are_told_apart_those_found_are_kept(ask, operation, args, assume, effort) -> None:
    """They are right, the rest is undecided, and no case meets another."""
    args = [parse(a) if isinstance(a, str) else a for a in args]
    found, seen = ask(*args, assume=assume), Counter()
    assert "more than 96 cases" in "".join(c.reason for c in found.cases)
    for point in islice(product((0, 1, 2, 3, 6), repeat=len(found.symbols())), 0, None, 2 if effort == 1 else 1):
        values = dict(zip(found.symbols(), point, strict=True))
        if values.get("n") == 0 or not all_true(found.assumed, values):
            continue
        held = [c for c in found.cases if all_true(parts_of(c.data.where), values)]
        assert len(held) == 1, (values, held)
        seen[held[0].status] += 1
        if held[0].status is Status.UNDECIDED:
            continue
        try:
            expected = operation(*[a.with_values(values) if isinstance(a, Layout) else a for a in args])
        except cute.NoAnswer:
            expected = None
        layout = found.layout(values)
        assert (layout is None) == (expected is None), (values, held)
        assert layout is None or cute.same_function(layout, expected)
    assert seen[Status.ALWAYS] > 2


def all_true(formulas, values) -> bool:
    try:
        return all(value_of(f, values) for f in formulas)
    except ZeroDivisionError:
        return False


def test_a_mode_of_size_1_has_the_stride_that_it_has_on_numbers() -> None:
    for text, tile in (("n:d", Layout(1, 2)), ("(4,n):(d,4*d)", Layout(1, 3)), ("(n,6):(1,n)", Layout((2, 1), (3, 7)))):
        layout = parse(text)
        values = {"n": 4, "d": 3}
        given = {n: values[n] for n in layout.symbols()}
        found = cute.logical_divide_conditions(layout, tile).layout(given)
        assert found == cute.logical_divide(layout.with_values(given), tile)


@pytest.mark.parametrize(
    ("text", "assume"),
    [
        ("2:a", "a == 0 or 8 % a == 0"), ("(2,3):(a,b)", "a == 0 or b % a == 0"), ("2:a", "a != 0 -> 8 % a == 0"),
        ("(n,2):(1,a)", "n == 1 or a % (n - 1) == 0"), ("2:a", "not (a != 0 and 12 % a != 0)"),
    ],
)  # fmt: skip
def test_assumptions_are_read_from_left_to_right(text, assume) -> None:
    """Where a division need not be read, its divisor may be 0."""
    layout, seen = parse(text), 0
    found = cute.complement_conditions(layout, 24, assume=assume)
    for point in product(range(-2, 13), repeat=len(found.symbols())):
        values = dict(zip(found.symbols(), point, strict=True))
        try:
            given = found.layout(values)
        except InputError:
            continue  # a size below 1, or against what is assumed
        try:
            expected = cute.complement(layout.with_values(values), 24)
        except cute.NoAnswer:
            expected = None
        assert given == expected or (given and expected and cute.same_function(given, expected)), values
        seen += 0 in values.values() or values.get("n") == 1
    assert seen


def test_odd_arguments_beside_swizzles_are_refused_in_words() -> None:
    swizzle, nothing = cute.Swizzle(1, 0, 2), cute.ComposedLayout(cute.Swizzle(0, 0, 0), 3, Layout(()))
    assert nothing(cute.left_inverse(nothing)(3)) == 3
    assert cute.append(nothing, nothing)(0) == 6
    for call in (
        lambda: cute.BasisSum([[2, 2]]),
        lambda: cute.hier_unzip(swizzle, Layout(8), 2),
        lambda: cute.make_layout(swizzle),
        lambda: cute.ComposedLayout(swizzle, 0, cute.make_identity_layout((4, 4))),
        lambda: cute.ComposedLayout(Layout((4, 4)), 1, cute.make_identity_layout((2, 2))),
        lambda: cute.ComposedLayout(Layout((4, 4)), (1, (2, 3)), cute.make_identity_layout((2, 2))),
        lambda: cute.ComposedLayout(Layout(4), (1, 2), Layout(4)),
    ):
        with pytest.raises(InputError):
            call()


def test_products_with_tiles_of_one_index() -> None:
    found = cute.logical_product_conditions(Layout.parse("(2,6,3):(m,m+1,m+11)"), Layout(1, 4), arranged="flat")
    for m in range(-1, 20):
        layout = Layout((2, 6, 3), (m, m + 1, m + 11))
        try:
            expected = cute.flat_product(layout, Layout(1, 4))
        except cute.NoAnswer:
            expected = None
        given = found.layout({"m": m})
        assert given == expected or (given and expected and cute.same_function(given, expected)), m
    assert found.holds({"m": 1})


@pytest.mark.parametrize(
    ("layout", "tile", "assume", "sizes"),
    [
        ("(n,3):(1,5)", "4:c", "n == 3", (3,)),
        ("(8//n,3):(1,5)", "6:c", "n >= 3 and n <= 8", range(3, 9)),
    ],
)
def test_a_composition_knows_the_size_that_is_assumed(layout: str, tile: str, assume: str, sizes: range) -> None:
    """How B splits for each residue was found without what is assumed, for other sizes: some answers were wrong."""
    found = cute.composition_conditions(parse(layout), parse(tile), assume=f"{assume} and c >= 0")
    for n, c in product(sizes, range(14)):
        a, b = (x.with_values({"n": n, "c": c}) for x in (parse(layout), parse(tile)))
        expected, given = cute.try_composition(a, b), found.layout({"n": n, "c": c})
        assert bool(given) == bool(expected) and (not given or cute.same_function(given, expected)), (n, c)


def test_the_gap_of_a_product_may_shrink_to_nothing() -> None:
    """The complement of (n,6):(1,8) has 8//n copies in the gap; this divided by 0 for n > 8, where there is none."""
    found = cute.logical_product_conditions(parse("(n,6):(1,8)"), parse("2:2*b"), assume="b % 2 == 0")
    for n, b in product(range(1, 11), range(0, 9, 2)):
        values, layout, tile = {"n": n, "b": b}, Layout((n, 6), (1, 8)), Layout(2, 2 * b)
        try:
            expected = cute.logical_product(layout, tile)
        except cute.NoAnswer:
            expected = None
        given = found.layout(values)
        assert given == expected or (given and expected and cute.same_function(given, expected)), values
    assert found.layout({"n": 9, "b": 2}) is None and found.holds({"n": 8, "b": 2})
    found = cute.logical_product_conditions(parse("(2*n,2*n):(4,1)"), parse("6:a"))
    for n, a in product((1, 2), range(8)):
        expected = cute.logical_product(Layout((2 * n, 2 * n), (4, 1)), Layout(6, a))
        assert cute.same_function(found.layout({"n": n, "a": a}), expected), (n, a)
