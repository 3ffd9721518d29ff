"""Comparisons of dims that are true for all sizes, and some that are not, from JAX's tests, documents and issues."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from jax import export
from jax._src import core

from symview import InputError, Proved, Refuted, Undecided
from symview import jax as client

NAMES = ("a", "b", "c", "d")
OPPOSITE = {">=": "<", "<=": ">", "<": ">=", ">": "<="}
SMALL = tuple(itertools.product((1, 2, 3, 4, 7), repeat=len(NAMES)))

TRUE_FOR_JAX = (
    "(b//2)*2 <= b", "(b//c)*c <= b", "a//2 + (a + 1)//2 <= a", "a//2 + (a + 1)//2 >= a", "(b + c - 1)//c*c >= b",
    "(b + c - 1)//c*c < b + c", "a % c < c", "(a - 1)//b + 1 >= 1", "min(a, b) <= max(a, b)",
    "min(a, b) + max(a, b) >= a + b", "4//a <= 4", "a//2 <= (a + b)//2", "(a % 6)//2 <= 2", "a//4//2 >= a//8",
    "-((-b)//2) >= b//2", "-2*((-b)//2) >= b", "(b - max(b - a, 0))//2 >= 0",
    "-max(-1, a - 2*b - 2) + max(-1, a - 2) + 1 >= 0", "b*c - b % c > 0 - c", "max(a % b, b - 1) <= b - 1",
    "3*(a//3) > a - 3", "a - 2*(a//3) >= 1", "(a + b)//2 <= max(a, b)", "a % b <= max(0, b - 1)",
)  # fmt: skip
TRUE = (
    "b >= b % c", "b >= b % 3", "a - a % b >= 0", "a - a % 3 >= 0", "(b + c - 1)//c >= 1", "b//c <= b",
    "(b + c - 1)//c <= b", "(a - 1)//b + 1 <= a", "max(a, b) - a - max(b - a, 0) <= 0",
    "max(a, b) + max(c, d) - max(a + max(c, d), b + max(c, d)) <= 0",
    "max(a, b) + min(c, d) - max(a + min(c, d), b + min(c, d)) <= 0",
    "a*b >= a", "a*a >= a", "a*b >= a + b - 1", "a*a + b*b >= 2*a*b", "a*(a - 1)//2 >= 0", "a*b*c > a*b - 1",
    "a % (b*c) % c <= a", "a % 4 + (-a) % 4 <= 4", "a % 4 <= a", "a//(a*a + 1 - a) >= 0",
    "a//b <= a*b",
)  # fmt: skip
OPEN = (
    "a >= 2", "a >= b", "4*a - b >= 0", "4*a + b + 3 >= 9", "4*a + b + 3 > 9", "b > b % c", "a*b >= 2*a",
    "a//b >= 1", "(a - 1)//2 >= 1", "a % 3 <= 1", "max(a, b) > a", "a//(b - 1) >= 0", "a % (b - 1) >= 0",
)  # fmt: skip
CONSTRAINED = (
    ("a*b <= c*d", ("a <= c", "b <= d")),
    ("a//b >= 1", ("a >= b",)),
    ("a//b*b >= a", ("mod(a, b) == 0",)),
    ("a//(b - 1) >= 1", ("b >= 2", "a >= b")),
    ("a % (b - 1) < b", ("b >= 2",)),
    ("4*(a//4) >= a", ("mod(a, 4) == 0",)),
    ("a <= 12", ("a*b <= 12",)),
    ("a*a <= b*b", ("b >= a",)),
    ("max(a, 8) <= 8", ("floordiv(a, 3) <= 2", "mod(a, 3) <= 1")),
)


@pytest.fixture
def dims() -> dict[str, Any]:
    return dims_of()


def dims_of(*constraints: str) -> dict[str, Any]:
    shape = export.symbolic_shape(", ".join(NAMES), constraints=constraints)
    return dict(zip(NAMES, shape, strict=True)) | {"max": core.max_dim, "min": core.min_dim}


def value(text: str, names: dict[str, Any]) -> Any:
    """A statement, of dims or of numbers."""
    return eval(text, {}, names)


def is_open(text: str, names: dict[str, Any]) -> bool:
    try:
        value(text, names)
    except core.InconclusiveDimensionOperation:
        return True
    return False


@pytest.mark.parametrize("text", TRUE_FOR_JAX)
def test_what_jax_settles_stays(text: str, dims: dict[str, Any]) -> None:
    assert value(text, dims) is True
    with client.installed():
        assert value(text, dims) is True


@pytest.mark.parametrize("text", TRUE)
def test_true_for_all_sizes(text: str, dims: dict[str, Any]) -> None:
    assert all(value(text, dict(zip(NAMES, at, strict=True))) for at in SMALL)
    assert is_open(text, dims)
    with client.installed():
        assert value(text, dims) is True
        assert value(f"not ({text})", dims) is False
    assert is_open(text, dims)


@pytest.mark.parametrize("text", TRUE)
def test_the_opposite_is_false(text: str, dims: dict[str, Any]) -> None:
    opposite = next(text.replace(f" {r} ", f" {o} ") for r, o in OPPOSITE.items() if f" {r} " in text)
    assert is_open(opposite, dims)
    with client.installed():
        assert value(opposite, dims) is False


@pytest.mark.parametrize("text", OPEN)
def test_what_depends_on_the_sizes_is_inconclusive(text: str, dims: dict[str, Any]) -> None:
    with client.installed():
        assert is_open(text, dims)


@pytest.mark.parametrize(("text", "constraints"), CONSTRAINED)
def test_constraints_of_the_scope(text: str, constraints: tuple[str, ...]) -> None:
    with client.installed():
        assert is_open(text, dims_of())
        assert value(text, dims_of(*constraints)) is True


def test_a_constraint_that_may_divide_by_0_says_nothing() -> None:
    """At b = 1 it has no value, so that it does not say b >= 2."""
    dims = dims_of("mod(a, b - 1) >= 0")
    with client.installed():
        assert is_open("b >= 2", dims)


def test_constraints_that_contradict_each_other_settle_nothing() -> None:
    dims = dims_of("a*a >= b + 1", "b >= a*a*a")
    with client.installed():
        assert is_open("c >= 2", dims)
    with pytest.raises(InputError):
        client.equal(dims["c"], 2)


def test_max_and_min_are_built_simpler(dims: dict[str, Any]) -> None:
    assert str(value("max(b, b % c)", dims)) == "max(b, mod(b, c))"
    with client.installed():
        assert value("max(b, b % c)", dims) is dims["b"]
        assert str(value("min(b % c, b)", dims)) == "mod(b, c)"
        assert str(value("min(a, a*b)", dims)) == "a"


def test_a_max_or_min_that_an_equation_is_about_keeps_its_form() -> None:
    """JAX replaces `min(a, b)` by `b - 2`; that it is `a` would be of no use to it."""
    with client.installed():
        dims = dims_of("b >= 2", "min(a, b) == b - 2")
        assert str(value("min(a, b)", dims)) == "b - 2"
        assert value("min(a, b) >= a", dims) is True
        assert str(dims_of("b >= a*a", "min(b, a) == c")["a"].scope._explicit_constraints[1].e1) == "min(b, a)"


def test_equal(dims: dict[str, Any]) -> None:
    a, b, c = dims["a"], dims["b"], dims["c"]
    halves = a // 2 + (a + 1) // 2
    assert halves != a
    assert isinstance(client.equal(halves, a), Proved)
    assert client.equal((a // 2) * 6, 3 * a - 3 * (a % 2))
    assert client.equal(core.max_dim(a, b), a + core.max_dim(b - a, 0))
    assert client.equal(core.max_dim(b, b % c), b)
    refuted = client.equal(a % c, a)
    assert isinstance(refuted, Refuted)
    assert refuted.values["a"] >= refuted.values["c"] >= 1
    assert client.equal(4, b).values == {"b": 1}


def test_equal_is_about_sizes_where_nothing_is_divided_by_0(dims: dict[str, Any]) -> None:
    a, b = dims["a"], dims["b"]
    answer = client.equal(a // (b - 1) * (b - 1) + a % (b - 1), a)
    assert answer.unstated == ("b - 1 != 0",)
    with pytest.raises(Undecided):
        bool(answer)
    given = dims_of("b >= 2")
    a, b = given["a"], given["b"]
    assert client.equal(a // (b - 1) * (b - 1) + a % (b - 1), a)


def test_equal_takes_dims_of_one_scope(dims: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="two scopes"):
        client.equal(dims["a"], dims_of()["a"])
    for nothing in (None, "a", 1.5):
        with pytest.raises(InputError, match="not a dim"):
            client.equal(dims["a"], nothing)
