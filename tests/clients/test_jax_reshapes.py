"""Reshapes whose sizes divide evenly at all values, though JAX's division of polynomials leaves a remainder."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np
import pytest
from jax import export, lax
from jax import numpy as jnp
from jax._src import core

from symview import jax as client

SIZES = (1, 2, 3, 4, 7, 8)


def cut(x: Any, axis: int, block: Any) -> Any:
    """Without what is over after whole blocks."""
    size = x.shape[axis]
    return lax.slice_in_dim(x, 0, size - size % block, axis=axis)


def padded(x: Any, axis: int, block: int) -> Any:
    return jnp.pad(x, [(0, -size % block if k == axis else 0) for k, size in enumerate(x.shape)])


def blocks(x: Any, block: Any) -> Any:
    return x.reshape(x.shape[0], -1, block, x.shape[2])


def windows(x: Any) -> Any:
    rows = padded(padded(x, 1, 7), 2, 7)
    return rows.reshape(x.shape[0], -1, 7 * rows.shape[2], 1)


def space_to_depth(x: Any) -> Any:
    whole = cut(cut(x, 1, 2), 2, 2)
    return whole.reshape(x.shape[0], x.shape[1] // 2, 2, -1, 2, 1).transpose(0, 1, 3, 2, 4, 5)


def checked(x: Any) -> Any:
    whole = cut(x, 0, 4)
    if whole.shape[0] % 4 != 0:
        raise ValueError("not a whole number of blocks")
    return whole.reshape(whole.shape[0] // 4, 4)


Reshape = tuple[Callable[..., Any], tuple[str, ...], tuple[str, ...], str]

# The function, its arguments' shapes, the scope's constraints, and the shape of the result with the hook
ALREADY: dict[str, Reshape] = {
    "flat": (lambda x: x.reshape(-1), ("b,t,d",), (), "(b*d*t,)"),
    "rows": (lambda x: x.reshape(-1, x.shape[2]), ("b,t,d",), (), "(b*t, d)"),
    "heads": (lambda x: x.reshape(*x.shape[:2], -1, 8), ("b,t,8*h",), (), "(b, t, h, 8)"),
    "pixels": (lambda x: x.reshape(x.shape[0], -1, 2, 2, x.shape[2]), ("b,4*c,h",), (), "(b, c, 2, 2, h)"),
    "half of the columns": (lambda x: x.reshape(2 * x.shape[0], -1), ("b,2*t",), (), "(2*b, t)"),
    "cut by quotients": (
        lambda x: blocks(lax.slice_in_dim(x, 0, 4 * (x.shape[1] // 4), axis=1), 4),
        ("b,t,d",), (), "(b, floordiv(t, 4), 4, d)",
    ),
}  # fmt: skip
REFUSED: dict[str, Reshape] = {
    "blocks": (lambda x: blocks(cut(x, 1, 4), 4), ("b,t,d",), (), "(b, floordiv(t, 4), 4, d)"),
    "blocks of a size by name": (
        lambda x, y: blocks(cut(x, 1, y.shape[0]), y.shape[0]), ("b,t,2", "c"), (), "(b, floordiv(t, c), c, 2)",
    ),
    "columns": (lambda x: cut(x, 0, 4).reshape(4, -1), ("t",), (), "(4, floordiv(t, 4))"),
    "padded blocks": (lambda x: blocks(padded(x, 1, 4), 4), ("b,t,d",), (), "(b, - floordiv(- t, 4), 4, d)"),
    "padded windows": (windows, ("b,h,w,1",), (), "(b, - floordiv(- h, 7), 7*mod(- w, 7) + 7*w, 1)"),
    "space to depth": (space_to_depth, ("b,h,w,1",), ("h >= 2",), "(b, floordiv(h, 2), floordiv(w, 2), 2, 2, 1)"),
    "a constraint": (lambda x: blocks(x, 4), ("b,t,d",), ("mod(t, 4) == 0",), "(b, floordiv(t, 4), 4, d)"),
    "a constraint by name": (
        lambda x, y: blocks(x, y.shape[0]), ("b,t,2", "c"), ("mod(t, c) == 0",), "(b, floordiv(t, c), c, 2)",
    ),
    "two even sizes": (
        lambda x: x.reshape(-1, 4), ("b,t",), ("mod(b, 2) == 0", "mod(t, 2) == 0"), "(floordiv(b*t, 4), 4)",
    ),
    "all pairs": (lambda x: x[:, 1:].reshape(-1, 2), ("b,b",), (), "(floordiv(b^2 - b, 2), 2)"),
    "sixes as threes, then as pairs": (
        lambda x: cut(x, 0, 6).reshape(-1, 3).reshape(-1, 2), ("t",), (), "(3*floordiv(t, 6), 2)",
    ),
    "there and back": (
        lambda x: blocks(cut(x, 1, 4), 4).reshape(x.shape[0], -1, x.shape[2]),
        ("b,t,d",), (), "(b, 4*floordiv(t, 4), d)",
    ),
    "a check in the program": (checked, ("t",), (), "(floordiv(t, 4), 4)"),
}  # fmt: skip


def exported(case: Reshape) -> export.Exported:
    """A new function each time: JAX remembers what it traced."""
    function, shapes, constraints, _ = case
    scope = export.SymbolicScope(constraints)
    args = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), np.float32) for s in shapes]
    return export.export(jax.jit(lambda *given: function(*given)))(*args)


def arrays(shapes: Sequence[Sequence[int]]) -> list[Any]:
    return [jnp.arange(np.prod(shape), dtype=np.float32).reshape(shape) for shape in shapes]


def sizes_of(case: Reshape) -> list[list[tuple[int, ...]]]:
    """Shapes of the arguments at several values that satisfy the constraints, small ones and others."""
    _, shapes, constraints, _ = case
    names = sorted({letter for shape in shapes for letter in shape if letter.isalpha()})
    values = [dict(zip(names, at, strict=True)) for at in itertools.product(SIZES, repeat=len(names))]
    meaning = {"mod": lambda a, b: a % b}
    allowed = [v for v in values if all(eval(c, meaning, v) for c in constraints)]
    chosen = allowed[:: max(1, len(allowed) // 5)]
    return [[eval(f"({shape},)", {}, v) for shape in shapes] for v in chosen]


def compare(found: export.Exported, case: Reshape) -> None:
    assert str(found.out_avals[0].shape) == case[3]
    shapes = sizes_of(case)
    assert len(shapes) >= 5
    for given in map(arrays, shapes):
        expected = case[0](*given)
        got = found.call(*given)
        assert got.shape == expected.shape
        assert np.array_equal(got, expected)


@pytest.mark.parametrize("name", ALREADY)
def test_what_jax_exports_stays(name: str) -> None:
    assert str(exported(ALREADY[name]).out_avals[0].shape) == ALREADY[name][3]
    with client.installed():
        compare(exported(ALREADY[name]), ALREADY[name])


@pytest.mark.parametrize("name", REFUSED)
def test_reshapes_that_jax_refuses(name: str) -> None:
    with pytest.raises((core.InconclusiveDimensionOperation, ValueError)):
        exported(REFUSED[name])
    with client.installed():
        found = exported(REFUSED[name])
    compare(found, REFUSED[name])


@pytest.mark.parametrize(
    ("function", "shapes", "constraints"),
    [
        (lambda x: x.reshape(-1, 3), ("t",), ()),
        (lambda x: x.reshape(-1, 3), ("t",), ("mod(t, 2) == 0",)),
        (lambda x: blocks(cut(x, 1, 4), 8), ("b,t,d",), ()),
        (lambda x: x[1:].reshape(-1, 4), ("t",), ("mod(t, 4) == 0",)),
        (space_to_depth, ("b,h,w,1",), ()),  # at h = 1 numpy does not know what -1 is either
    ],
)
def test_a_reshape_that_may_fail_is_refused(
    function: Any, shapes: tuple[str, ...], constraints: tuple[str, ...]
) -> None:
    with client.installed(), pytest.raises(core.InconclusiveDimensionOperation, match=r"Cannot divide|inconclusive"):
        exported((function, shapes, constraints, ""))


def test_an_equation_of_the_scope_keeps_its_quotient() -> None:
    """JAX replaces `floordiv(b*t, 2*b)` as it stands, not the shorter `floordiv(t, 2)`."""
    scope = export.SymbolicScope(("floordiv(b*t, 2*b) == c", "mod(t, 2) == 0"))
    b, t, c = export.symbolic_shape("b, t, c", scope=scope)
    with client.installed():
        assert divmod(b * t, 2 * b) == (c, 0)
        assert divmod(t, 2) == (t // 2, 0)


@pytest.mark.parametrize(("constraints", "even"), [((), False), (("b >= 2",), True)])
def test_a_divisor_that_may_be_0_divides_nothing(constraints: tuple[str, ...], even: bool) -> None:
    t, b = export.symbolic_shape("t, b", constraints=constraints)
    with client.installed():
        rest = divmod((t - t % 4) * (b - 1), 4 * (b - 1))[1]
    assert core.is_symbolic_dim(rest) is not even
