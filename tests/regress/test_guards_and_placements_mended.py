"""Guards that divide by 0 on a way that is not taken, rows out of bounds, unequal pieces, names of types."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from command import typed

from symview import (
    InputError,
    Undecided,
    View,
    conditions,
    injective_conditions,
    overlap_conditions,
    placement_conditions,
    placements_after,
    recast_conditions,
    span_conditions,
)
from symview.answers import Status, TooStrong, TooWeak
from symview.counterexample import Kind
from symview.cute import Layout, LayoutError, recast_layout, recast_layout_conditions
from symview.logic.terms import value_of
from symview.view import as_views
from symview.views.recast import width

POSITIVE = "s > 0 and t > 0 and u > 0"
NESTED = "t >= 1 + (c-1)*u and s >= 1 + (b-1)*t + (c-1)*u"


@pytest.mark.parametrize(
    ("view", "given", "guard"),
    [
        (
            "(a,b,c):(s,t,u)",
            "s > 0 and u > 0",
            f"t == 0 and a > 20 and b > 20 and c > 20 or t > 0 and {NESTED} and s % t == 0",
        ),
        (
            "(a,b,c):(s,t,u)",
            f"s > 0 and u > 0 and t >= 0 and ({NESTED} or a > 60 and b > 60 and s > 900)",
            f"t == 0 or ({NESTED}) and s % t >= 0",
        ),
        ("(a+1,b,c):(s,t,u)", POSITIVE, "a >= 0 and s >= b*t and s > 7"),
    ],
)
def test_a_guard_is_too_weak_at_a_point_that_passes_it(view: str, given: str, guard: str) -> None:
    found = injective_conditions(view, assume=given)
    verdict = found.compare(guard)
    assert isinstance(verdict, TooWeak)
    assert eval(guard, {}, dict(verdict.values))
    assert not found.holds(verdict.values)


def test_a_guard_that_divides_by_0_refuses() -> None:
    found = injective_conditions("(a,b,c):(s,t,u)", assume="s > 0 and t > 0 and u > 0")
    verdict = found.compare(f"{NESTED} or s - s//(u-u) > 5")
    assert isinstance(verdict, TooStrong)
    assert found.holds(verdict.values)


def test_a_guard_that_nothing_passes_is_too_strong() -> None:
    found = injective_conditions("(a+1,b,c):(s,t,u)", assume="s > 0 and t > 0 and u > 0")
    assert isinstance(found.compare("a <= 0"), TooStrong)


def test_a_printed_guard_divides_by_no_0() -> None:
    found = overlap_conditions("(n,m):(b,m)+o", "(m):(1)")
    guard, seen = compile(found.guards(), "guard", "eval"), set[bool]()
    for n, m, b, o in product((1, 2, 3), (1, 2, 3), range(-2, 3), range(-3, 5)):
        values = {"n": n, "m": m, "b": b, "o": o}
        mine = {o + i * b + j * m for i in range(n) for j in range(m)}
        assert bool(eval(guard, {}, values)) == bool(mine & set(range(m))), values
        seen.add(bool(mine & set(range(m))))
    assert seen == {True, False}


def test_a_row_out_of_bounds_counts_more_than_one_that_does_not_merge() -> None:
    found = conditions("(4*n):(-1) [0:4*n]", "(4,n):(1,4) [r:4,1:n]", "(3*n):(-1)+d")
    values = {"d": 4, "n": 3, "r": 0}
    broken = found.counterexample(values)
    assert broken is not None
    assert broken.kind is Kind.OUT_OF_BOUNDS
    here = [c.status for c in found.cases if value_of(c.data.where, values)]
    assert here == [Status.OUT_OF_BOUNDS]


@pytest.mark.parametrize("values", [{"n": 2, "m": 3, "a": 2, "b": 1, "l": 3}, {"n": 2, "m": 2, "a": 4, "b": 2, "l": 4}])
def test_numbers_are_right_beside_open_cases(values: dict[str, int]) -> None:
    found = conditions("(n,m,2):(a,b,1)", "(l):(m)+1")
    numbers = conditions(*(View.parse(v.format(**values)) for v in ("({n},{m},2):({a},{b},1)", "({l}):({m})+1")))
    assert found.holds(values) == numbers.holds({})


def test_unequal_pieces_are_not_equal_ones() -> None:
    with pytest.raises(Undecided, match="not equal"):
        placement_conditions("(8,K)", "_S(0, 3)", "(8*K)", "_S(0, 2)", 2)
    assert placement_conditions("(8,K)", "_S(0, 4)", "(8*K)", "_S(0, 4)", 2).headline() == "always"


def test_texts_of_meshes() -> None:
    two = ("S(0)", "R")
    for mesh in ("2X2", "2 x 2", "(2,2)", "2×2"):
        assert placements_after((4, 4), two, (16,), mesh) == two
    assert placement_conditions("(N,K)", "S(0), R", "(N*K)", "S(0), R", "2xm").question.mesh_text() == "2 x m"


def test_a_reduction_that_nobody_knows() -> None:
    with pytest.raises(InputError, match=r"P\(banana\)"):
        placements_after((4, 4), "P(banana)", (16,), 2)


def test_parts_of_a_layout_with_names_without_a_stride_1() -> None:
    found = recast_layout_conditions(8, 16, Layout.parse("(4,8):(3,s)"))
    seen = set[bool]()
    for s in range(-3, 6):
        try:
            recast_layout(8, 16, Layout((4, 8), (3, s)))
        except LayoutError:
            right = False
        else:
            right = True
        assert found.holds({"s": s}) is right
        seen.add(right)
    assert seen == {True, False}


@pytest.mark.parametrize("of", ["float4", "float2", "f4", "f8", "i4", "i8", "u1"])
def test_names_with_two_meanings(of: str) -> None:
    with pytest.raises(InputError, match="Give the bits"):
        width(of)


@pytest.mark.parametrize("of", [8.5, "nonsense.16", "9" * 400, 10**500, float, int, True, "torch.8"])
def test_names_of_no_type(of: object) -> None:
    with pytest.raises(InputError, match="give its bits"):
        width(of)


@pytest.mark.parametrize(
    ("of", "bits"),
    [
        ("int8_t", 8),
        ("s8", 8),
        ("e4m3", 8),
        ("e8m0", 8),
        ("e2m1", 4),
        ("f4E2M1FN", 4),
        ("half_t", 16),
        (np.float32, 32),
    ],
)
def test_names_of_types(of: object, bits: int) -> None:
    assert width(of) == bits


def test_widths_that_no_integer_has() -> None:
    with pytest.raises(InputError, match="give 1 to 4096"):
        span_conditions("(a):(s)", bits=10**12)
    with pytest.raises(InputError, match="give its bits"):
        recast_conditions("(a):(1)", 8, 10**12)


@pytest.mark.parametrize(
    ("slices", "view"),
    [
        ("[None:2,1:None]", "(2,m - 1):(m,1)+1"),
        ("[::None,2]", "(n):(m)+2"),
        ("[n-p:]", "(p,m):(m,1)+m*n - m*p"),
        ("[:,:-1]", "(n,m - 1):(m,1)"),
    ],
)
def test_bounds_of_slices(slices: str, view: str) -> None:
    assert str(as_views(("(n,m)", slices), "a view")[1]) == view


@pytest.mark.parametrize(("slices", "text"), [("[-p:]", "n - p"), ("[-p]", "n - p"), ("[None]", "new dims")])
def test_slices_that_mean_something_else_in_python(slices: str, text: str) -> None:
    with pytest.raises(InputError, match=text):
        as_views(("(n,m)", slices), "a view")


def test_a_counterexample_in_order_f_numbers_dims_as_the_question_does() -> None:
    for arguments in (["(4,6):(9,1)", "(8,3)"], ["(4,n):(9,1)", "(2*n,2)", "--at", "n=3"]):
        result = typed(["reshape", *arguments, "--order", "F"])
        assert result.exit_code == 1
        assert "constant strides" in result.output
        assert "dim" not in result.output


@pytest.mark.parametrize(
    ("part", "python", "assumed"),
    [
        ("[p:]", "True  # assumed: p < n", "p < n"),
        ("[p:n]", "True  # assumed: p < n", "p < n"),
        ("[:n-p]", "True  # assumed: p < n", "p < n"),
        ("[1::2]", "True  # assumed: n//2 >= 1", "n//2 ≥ 1"),
        ("[p:p+2]", "p >= 0 and p + 2 <= n", ""),
        ("[n-k:]", "k <= n", ""),
        ("[::2]", "True", ""),
    ],
)
def test_what_is_assumed_of_the_size_of_a_slice_is_said(part: str, python: str, assumed: str) -> None:
    """Sizes are positive: the checks say so where neither the condition nor the other facts imply it."""
    asked = ["conditions", "(n):(s)", part]
    assert typed([*asked, "--python"]).stdout == f"{python}\n"
    lines = typed(asked).stdout.splitlines()
    assert [line for line in lines if line.startswith("assumed")] == ([f"assumed: {assumed}"] if assumed else [])


@pytest.mark.parametrize("part", ["p:", "p:n", "p::2", "1::2", "p::p", "3:"])
def test_with_the_assumption_the_check_is_that_the_slice_has_elements(part: str) -> None:
    said = typed(["conditions", "(n):(s)", f"[{part}]", "--python"]).stdout.replace("  # assumed:", " and")
    for n, p in product(range(1, 8), repeat=2):
        values = {"n": n, "p": p}
        start, stop, step = (eval(x, values) if x else None for x in (*part.split(":"), "")[:3])
        assert bool(eval(said, values)) == (len(range(n)[start:stop:step]) > 0), values


def test_what_the_caller_assumes_is_not_said_again() -> None:
    assert typed(["conditions", "(n):(s)", "[p:]", "--assume", "p < n", "--python"]).stdout == "True\n"
