"""`jax.export` of small functions that fail without the hook, or have shapes with a needless max or min."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import pytest
from jax import export, lax
from jax import numpy as jnp
from jax._src import core

from symview import jax as client


def flat_prefix(x: Any) -> Any:
    return lax.slice_in_dim(x.reshape(-1), 0, x.shape[0])


def triangle(x: Any) -> Any:
    n = x.shape[0]
    return lax.slice_in_dim(x.reshape(-1), 0, n * (n - 1) // 2)


FAILING: tuple[tuple[Callable[..., Any], tuple[str, ...], str], ...] = (
    (lambda x: lax.slice_in_dim(x, 0, x.shape[0] % 3), ("b",), "mod(b, 3)"),
    (lambda x, y: lax.slice_in_dim(x, 0, x.shape[0] % y.shape[0]), ("b", "c"), "mod(b, c)"),
    (lambda x, y: lax.slice_in_dim(x, x.shape[0] - x.shape[0] % y.shape[0], x.shape[0]), ("b", "c"), "mod(b, c)"),
    (lambda x, y: lax.slice_in_dim(x, 0, -(-x.shape[0] // y.shape[0])), ("b", "c"), "- floordiv(- b, c)"),
    (lambda x, y: lax.dynamic_slice(x, (0,), (x.shape[0] // y.shape[0],)), ("b", "c"), "floordiv(b, c)"),
    (flat_prefix, ("b,c",), "b"),
    (triangle, ("b,b",), "floordiv(b^2 - b, 2)"),
    (lambda x: lax.top_k(x, x.shape[0] % 4)[0], ("b",), "mod(b, 4)"),
    (lambda x: jnp.zeros((x.shape[0] - x.shape[0] % 3,)), ("b",), "- mod(b, 3) + b"),
)
SIMPLER: tuple[tuple[Callable[..., Any], tuple[str, ...], str, str], ...] = (
    (lambda x, y: x[: x.shape[0] % y.shape[0]], ("b", "c"), "min(b, mod(b, c))", "mod(b, c)"),
    (lambda x: x.reshape(-1)[: x.shape[0]], ("b,c",), "min(b*c, b)", "b"),
)
SIZES = {"b": 7, "c": 3}


def exported(function: Callable[..., Any], shapes: tuple[str, ...], *constraints: str) -> export.Exported:
    """A new function each time: JAX remembers what it traced."""
    scope = export.SymbolicScope(constraints)
    args = [jax.ShapeDtypeStruct(export.symbolic_shape(s, scope=scope), np.float32) for s in shapes]
    return export.export(jax.jit(lambda *given: function(*given)))(*args)


def arrays(shapes: tuple[str, ...]) -> list[Any]:
    sizes = [tuple(SIZES[name] for name in s.split(",")) for s in shapes]
    return [jnp.arange(np.prod(size), dtype=np.float32).reshape(size) for size in sizes]


@pytest.mark.parametrize(("function", "shapes", "size"), FAILING)
def test_functions_that_fail_without_the_hook(function: Any, shapes: tuple[str, ...], size: str) -> None:
    with pytest.raises(core.InconclusiveDimensionOperation, match="inconclusive"):
        exported(function, shapes)
    with client.installed():
        found = exported(function, shapes)
    assert str(found.out_avals[0].shape[0]) == size
    given = arrays(shapes)
    assert np.array_equal(found.call(*given), function(*given))  # without the hook: nothing is compared any more
    with pytest.raises(core.InconclusiveDimensionOperation, match="inconclusive"):
        exported(function, shapes)


@pytest.mark.parametrize(("function", "shapes", "before", "size"), SIMPLER)
def test_shapes_become_simpler(function: Any, shapes: tuple[str, ...], before: str, size: str) -> None:
    assert str(exported(function, shapes).out_avals[0].shape[0]) == before
    with client.installed():
        found = exported(function, shapes)
    assert str(found.out_avals[0].shape[0]) == size
    given = arrays(shapes)
    assert np.array_equal(found.call(*given), function(*given))


def test_a_function_that_may_fail_is_refused() -> None:
    """At b = 1 and c = 2 there are not two elements."""
    with client.installed(), pytest.raises(core.InconclusiveDimensionOperation):
        exported(lambda x, y: lax.slice_in_dim(x, 0, y.shape[0]), ("b", "c"))


def test_a_size_that_an_equation_of_the_scope_replaces() -> None:
    """From JAX's tests: `x[: y.shape[0]]` has the size min(a, b), which is the size of `y[2:]` by the constraints."""
    with client.installed():
        found = exported(lambda x, y: x[: y.shape[0]] + y[2:], ("a", "b"), "b >= 2", "min(a, b) == b - 2")
    assert str(found.out_avals[0].shape[0]) == "b - 2"
    assert np.array_equal(found.call(jnp.ones(4), jnp.arange(6.0)), jnp.arange(3.0, 7.0))
