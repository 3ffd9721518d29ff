"""Orders of dims, free strides, shards, and conditions on strides as values."""

from __future__ import annotations

import copy
import functools
import math
import pickle
from itertools import product
from random import Random

import numpy as np
import pycute
import pytest
import sympy
from satellites import needs
from scripts import z3_answers

from symview import (
    Budget,
    Exact,
    InputError,
    SymbolError,
    TooStrong,
    TooWeak,
    Undecided,
    View,
    canonical_strides,
    contiguous_conditions,
    dense_conditions,
    floor_sum,
    injective_conditions,
    is_contiguous,
    is_dense,
    is_injective,
    order_of,
    shard_conditions,
)
from symview.answers import AmbiguousTruth, Status

PLANE = View.parse("(M,N):(p,q)")


# The numbers of users


def test_a_plane_is_dense_where_it_is_contiguous_in_one_of_its_orders() -> None:
    found = dense_conditions(PLANE)
    row, column = "(M == 1 or p == N) and (N == 1 or q == 1)", "(M == 1 or p == 1) and (N == 1 or q == M)"
    assert found.compare(f"({row}) or ({column})") == Exact()
    assert isinstance(found.compare(row), TooStrong)
    assert isinstance(found.compare("p == N or q == M"), TooWeak)
    assert str(found.compare("p == N")).endswith("where the view is not dense")
    assert eval(found.guards(), {"M": 3, "N": 4, "p": 1, "q": 3})


def test_a_dim_that_runs_backwards_is_dense_after_a_flip() -> None:
    turned = View((3, 4), (4, -1), 3)
    assert not is_dense(turned)
    assert is_dense(turned, flips=True)
    assert str(dense_conditions(turned).counterexample()) == "dim 1 has stride -1, but would have to be 1"
    assert str(dense_conditions(PLANE, flips=True)).count("-") == 4


@pytest.mark.parametrize(
    ("view", "condition"),
    [
        ("(n,16,d):(t0,d,1)", "n == 1 or t0 == 16*d"),
        ("(B,u,D):(S*D,D,1)", "B == 1 or S == u"),
        ("(nb,2,bs,h,d):(2*bs*h*d,bs*h*d,h*d,d,1)", "nb == nb"),
        ("(4,6):(7,1)", "1 == 0"),
    ],
)
def test_row_major(view, condition) -> None:
    found = contiguous_conditions(View.parse(view))
    if found.symbols():
        assert found.compare(condition) == Exact()
    else:
        assert not found.holds()


def test_a_broadcast_row_is_injective_only_where_nothing_is_repeated() -> None:
    assert str(injective_conditions(View.parse("(B,S,D):(0,D,1)"))) == "B = 1"
    assert str(injective_conditions(View.parse("(n,m):(p,1)"), assume="p >= 1")) == "n = 1 or m ≤ p"


def test_guards_have_absolute_values() -> None:
    guard = injective_conditions(View.parse("(n,m):(p,1)")).guards()
    assert guard == "n == 1 or m <= abs(p)"
    assert eval(guard, {"n": 2, "m": 3, "p": -3, "abs": abs})


def test_sums_of_two_strides_are_decided_by_their_divisor() -> None:
    found = injective_conditions(View.parse("(n,m):(6,4)"))
    assert found.compare("n <= 2 or m <= 3") == Exact()


def test_any_two_strides_are_decided_by_their_divisor() -> None:
    found = injective_conditions(View.parse("(n,m):(p,q)"), assume=("n >= 2", "m >= 2"))
    assert str(found) == "q ≠ 0 and (n*gcd(p, q) ≤ abs(q) or m*gcd(p, q) ≤ abs(p))"
    assert found.compare(found.guards()) == Exact()
    assert isinstance(found.compare("p != 0 and q != 0 and (n <= abs(q) or m <= abs(p))"), TooWeak)
    distinct, together = {"n": 4, "m": 2, "p": 6, "q": -8}, {"n": 5, "m": 4, "p": 6, "q": -8}
    for values, holds in ((distinct, True), (together, False)):
        assert found.holds(values) == eval(found.guards(), {"gcd": math.gcd, **values}) == holds
        formula = found.formula()
        assert formula.subs({s: values[s.name] for s in formula.free_symbols}) == holds
    assert found.compare(found.formula()) == Exact()


@pytest.mark.parametrize("text", ["(n,4):(a,b)", "(4,6):(a,b)", "(n,3):(a,2)", "(n,3,k):(2,1,b)"])
def test_formulas_have_a_value_at_stride_0(text) -> None:
    """Put in one by one, in any order, as whole, and as holds has them."""
    found = injective_conditions(View.parse(text))
    formula = found.formula()
    symbols = sorted(formula.free_symbols, key=str)
    for values in product((-3, 0, 1, 8), repeat=len(symbols)):
        given = dict(zip(symbols, values, strict=True))
        if all(v > 0 for s, v in given.items() if s.name in "nk"):
            holds = found.holds({s.name: v for s, v in given.items()})
            assert formula.subs(given) == holds
            for order in (symbols, symbols[::-1]):
                assert functools.reduce(lambda f, s, given=given: f.subs(s, given[s]), order, formula) == holds
    assert found.compare(formula) == Exact()


@pytest.mark.parametrize("text", ["(3,n):(b,n*k)", "(n,k,2):(k,b,1)"])
def test_guards_divide_by_what_has_any_sign(text) -> None:
    found = injective_conditions(View.parse(text))
    guard, seen = found.guards(), set()
    for b, k, n in product(range(-9, 10, 2), (1, 2, 3), (1, 2, 4)):
        values = {"b": b, "k": k, "n": n}
        seen.add(found.holds(values))
        assert eval(guard, {"floor_sum": floor_sum}, values) == found.holds(values), values
    assert seen == {True, False}


def test_a_name_with_few_values_is_tried() -> None:
    """Of b indices 1 apart and 2a that are 3 apart, none meet where b is at most 3: each of these is looked at."""
    found = injective_conditions(View.parse("(b,a*b,2*a):(1,p,3)"))
    assert {c.status for c in found.cases} == {Status.ALWAYS, Status.NEVER}
    assert not found.holds({"a": 2, "b": 2, "p": 4})
    assert found.holds({"a": 2, "b": 3, "p": 12})


def test_what_is_open_is_decided_for_numbers() -> None:
    found = injective_conditions(View.parse("(n,m,k):(p,q,r)"))
    assert {c.status for c in found.cases} == {Status.ALWAYS, Status.NEVER, Status.UNDECIDED}
    values = {"n": 2, "m": 2, "k": 2, "p": 12, "q": 7, "r": 5}
    assert found.case(values).status is Status.UNDECIDED
    assert not found.holds(values)
    assert found.holds({**values, "p": 6})
    assert str(found.counterexample(values)) == (
        "the indices (0,1,1) and (1,0,0) have the same address 12 with n = 2, m = 2, k = 2, p = 12, q = 7, r = 5"
    )
    assert found.counterexample().smallest
    assert str(found).endswith("else: undecided")


def test_what_was_found_before_the_budget_ends_is_kept() -> None:
    found = dense_conditions(View.parse("(a,b,c,d,e,f):(u,v,w,x,y,z)"), budget=Budget(work=100_000))
    assert [c.status for c in found.cases] == [Status.ALWAYS, Status.UNDECIDED]
    assert "budget" in found.cases[1].reason
    sizes = dict(zip("abcdef", (2, 3, 2, 1, 2, 3), strict=True))
    rows = {**sizes, **dict(zip("uvwxyz", View(tuple(sizes.values())).strides, strict=True))}
    assert found.case(rows).status is Status.ALWAYS
    assert found.holds(rows)
    assert not found.holds({**rows, "z": 2})
    with pytest.raises(Undecided, match="budget"):
        found.term()
    some = injective_conditions(View.parse("(a,b,c):(x,y,z)"), budget=Budget(work=1))
    assert some.cases[-1].status is Status.UNDECIDED


# Orders


def test_orders_there_and_back() -> None:
    rng = Random("orders")
    for _ in range(200):
        shape = tuple(rng.randint(1, 4) for _ in range(rng.randint(0, 5)))
        order = tuple(rng.sample(range(len(shape)), len(shape)))
        view = View.in_order(shape, order)
        assert is_contiguous(view, order)
        assert is_dense(view)
        moving = [d for d in order if shape[d] != 1]
        assert [d for d in order_of(view) if shape[d] != 1] == moving
        assert View.in_order(shape, order_of(view)) == view


def test_row_major_orders_are_the_contiguous_view() -> None:
    n = sympy.Symbol("n", integer=True)
    for order in (None, "row_major", (2, 1, 0), (-1, -2, -3)):
        assert View.in_order((2, n, 0), order) == View((2, n, 0))
    assert View.in_order((2, 3), "column_major").strides == (1, 2)
    assert View.in_order((2, 3), np.array([0, 1])).strides == (1, 2)
    assert View.in_order((2, 3, 4, 5, 6), "channels_last_3d").strides == (360, 1, 90, 18, 3)


@pytest.mark.parametrize(
    "order", [(0,), (0, 0), (0, 2), (1, -1), "channels_last", "F", 3, (0, 1.5), (0, PLANE.shape[0])]
)
def test_what_is_no_order(order) -> None:
    with pytest.raises(InputError):
        View.in_order((2, 3), order)
    with pytest.raises(InputError):
        contiguous_conditions(PLANE, order)
    with pytest.raises(InputError):
        is_contiguous(View((2, 3)), order)


def test_the_order_of_no_dims() -> None:
    assert order_of(View.empty(())) == order_of(View((), (), 3)) == ()


@pytest.mark.parametrize("ask", [is_dense, is_injective, is_contiguous, order_of, canonical_strides])
def test_names_are_for_conditions(ask) -> None:
    with pytest.raises(SymbolError, match="symbolic"):
        ask(PLANE)
    with pytest.raises(InputError, match="not a view"):
        ask(4)


# Conditions as values


def test_conditions_on_strides_as_values() -> None:
    for found in (dense_conditions(PLANE), injective_conditions(PLANE), contiguous_conditions(PLANE)):
        for again in (copy.deepcopy(found), pickle.loads(pickle.dumps(found))):
            assert again == found
            assert hash(again) == hash(found)
            assert str(again) == str(found)
        with pytest.raises(AmbiguousTruth):
            bool(found)
        assert found.certificate()["claim"]["property"] == found.question.claim
        assert found.to_dict()["question"] == found.question.claim
        fault = found.counterexample()
        assert not fault
        assert pickle.loads(pickle.dumps(fault)) == fault
        assert fault.to_dict()["values"] == dict(fault.values)
    assert dense_conditions(PLANE) != dense_conditions(PLANE, flips=True)


@needs("verify")
@pytest.mark.parametrize("view", ["(M,N):(p,q)", "(a,b,2):(x,y,1)", "(n,m):(p,6)", "(n,m):(p,q)"])
def test_smt_lib_is_refuted_by_z3(view) -> None:
    for ask in (dense_conditions, injective_conditions, contiguous_conditions):
        assert set(z3_answers(ask(View.parse(view)).to_smt2())) == {"unsat"}


# Free strides


def test_free_strides_are_what_numpy_and_pycute_write() -> None:
    rng = Random("free strides")
    for _ in range(300):
        shape = tuple(rng.choice((0, 1, 1, 2, 3)) if rng.random() < 0.3 else rng.randint(1, 3) for _ in range(4))
        rows, columns = canonical_strides(View(shape)), canonical_strides(View.in_order(shape, "column_major"))
        assert rows.numpy == np.zeros(shape, dtype=np.int8).strides
        if 0 not in shape:
            assert columns.pycute == pycute.Layout(shape).stride
            assert rows.free == tuple(d for d, n in enumerate(shape) if n == 1)


def test_free_strides_of_pytorch_and_dlpack() -> None:
    empty = canonical_strides(View((2, 0, 3)))
    assert (empty.free, empty.strides, empty.numpy, empty.pytorch) == ((0, 1, 2), (0, 0, 0), (0, 0, 0), (3, 3, 1))
    assert canonical_strides(View((3, 1, 4))).dlpack == (4, 1, 1)
    assert canonical_strides(View((1, 1), (5, 7))).cute == (0, 0)
    assert canonical_strides(View(())).numpy == ()


def test_strides_mean_the_same_where_the_views_are_equal() -> None:
    rng = Random("equal strides")
    for _ in range(300):
        shape = tuple(rng.choice((0, 1, 2, 3)) for _ in range(rng.randint(0, 3)))
        one, other = (tuple(rng.randint(0, 1) for _ in shape) for _ in range(2))
        assert canonical_strides(View(shape, one)).same_as(other) == (View(shape, one) == View(shape, other))
    with pytest.raises(InputError, match="give one each"):
        canonical_strides(View((2, 3))).same_as((3,))
    with pytest.raises(InputError, match="mask"):
        canonical_strides(View((2,), (1,), 0, ((0, 1),)))


# Shards


def local_part_is_one_view(a: int, b: int, m: int) -> bool:
    """Of every part, whether its addresses in the whole tensor step alike."""
    whole = np.arange(a * b * m).reshape(a, b * m)
    return all(len(set(np.diff(whole[:, r * b : (r + 1) * b].ravel()))) <= 1 for r in range(m))


def test_a_shard_of_flattened_dims() -> None:
    a, b, m = sympy.symbols("A b m", integer=True)
    found = shard_conditions((a, b), 1, m)
    assert found.compare("A == 1 or b == 1 or m == 1") == Exact()
    for values in ({"A": x, "b": y, "m": z} for x in range(1, 4) for y in range(1, 4) for z in range(1, 4)):
        assert found.holds(values) == local_part_is_one_view(*values.values())
    strided = {"A": 3, "b": 1, "m": 2}
    assert found.case(strided).view.with_values(strided).strides == (2,)
    assert str(shard_conditions((a, b, 5), 0, m, dims=(1, 2))) == "always"


@pytest.mark.parametrize(("dim", "parts", "dims"), [(2, 2, None), (0, 0, None), (0, 2, (1, 0)), (0, 2, (0, 2))])
def test_what_is_no_shard(dim, parts, dims) -> None:
    with pytest.raises(InputError):
        shard_conditions((4, 6), dim, parts, dims)
