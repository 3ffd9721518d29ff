"""Guards of tensors whose sizes are expressions, which may be 0, against what real tensors do at many values."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest
import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

from symview import InputError, View
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import as_entry, value_of
from symview.torch import ViewGuard, view_guard

Values = dict[str, int]

SIZES = (
    lambda a, b: a, lambda a, b: b, lambda a, b: a - 2, lambda a, b: 2 * a, lambda a, b: b - 1, lambda a, b: a * b,
    lambda a, b: a + b, lambda a, b: 2 * b - 4, lambda a, b: a + 1, lambda a, b: a // 2, lambda a, b: 5 - b,
    lambda a, b: a - b, *(lambda a, b, n=n: n for n in (0, 1, 2, 3, 4, 6)),
)  # fmt: skip
CHECKS = (
    lambda k, a, b: a == k * b, lambda k, a, b: a % (k + 1) == 0, lambda k, a, b: a <= 2 * k, lambda k, a, b: a >= k,
    lambda k, a, b: 2 * a == 3 * b, lambda k, a, b: a != b, lambda k, a, b: a * b % (k + 1) == 0,
)  # fmt: skip


def traced(*sizes: int) -> tuple[ShapeEnv, FakeTensorMode, Sequence[Any]]:
    """Sizes with these hints."""
    env, rank = ShapeEnv(duck_shape=False), len(sizes)
    mode = FakeTensorMode(shape_env=env, allow_non_fake_inputs=True)
    context = StatelessSymbolicContext(
        dynamic_sizes=[DimDynamic.DYNAMIC] * rank, dynamic_strides=[DimDynamic.INFER_STRIDE] * rank,
        constraint_sizes=[None] * rank,
    )  # fmt: skip
    return env, mode, mode.from_tensor(torch.empty(sizes), symbolic_context=context, source=ConstantSource("x")).shape


def unknown(count: int) -> tuple[ShapeEnv, FakeTensorMode, Sequence[Any]]:
    """Sizes without hints."""
    env = ShapeEnv()
    return env, FakeTensorMode(shape_env=env), [env.create_unbacked_symint() for _ in range(count)]


def cut(rng: Random, n: Any) -> slice:
    return slice(rng.randint(1, 2), None) if rng.random() < 0.5 else slice(None, rng.randint(1, 3))


def tensor_of(rng: Random, a: Any, b: Any) -> torch.Tensor:
    x = torch.empty([rng.choice(SIZES)(a, b) for _ in range(rng.randint(1, 3))])
    for _ in range(rng.randint(0, 2)):
        at, move = rng.randrange(x.dim()), rng.randrange(3)
        if move == 0:
            x = x.permute(rng.sample(range(x.dim()), x.dim()))
        elif move == 1:
            x = x[(slice(None),) * at + (cut(rng, x.shape[at]),)]
        elif x.dim() < 4:
            x = x[None].expand(2, *x.shape)
    return x


def shape_of(rng: Random, x: torch.Tensor, a: Any, b: Any) -> list[Any]:
    sizes = list(x.shape)
    at = rng.randrange(len(sizes))
    before, after = sizes[:at], sizes[at + 1 :]
    joined = [*before, sizes[at] * after[0], *after[1:]] if after else sizes
    shapes = (
        joined, rng.sample(sizes, len(sizes)), [-1], [], [-1, *sizes], [6, -1], [rng.choice(SIZES)(a, b), -1],
        [*before, 2, -1, *after], [*before, -1, *after], [*before, 1, *sizes[at:]], [*before, 0, *sizes[at:]],
        [rng.choice(SIZES)(a, b), rng.choice(SIZES)(a, b)],
    )  # fmt: skip
    return rng.choice(shapes)


def admitted(env: ShapeEnv, symbols: Sequence[str]) -> Iterator[Values]:
    """Small values that the ShapeEnv admits."""
    ranges = {s.name: r for s, r in env.var_to_range.items()}
    said = [g.expr for g in env.guards] + [a.expr for many in env.deferred_runtime_asserts.values() for a in many]
    relations = [to_term(r) for r in said]
    for point in itertools.product(range(-3, 8), repeat=len(symbols)):
        values = dict(zip(symbols, point, strict=True))
        inside = all(ranges[n].lower <= v <= ranges[n].upper for n, v in values.items())
        if inside and all(value_of(r, values) for r in relations):
            yield values


def real(x: Any, shape: Sequence[Any], values: Values) -> tuple[str, View | None] | None:
    """What PyTorch does with real sizes: a view, that it asks for a copy, or that the sizes do not fit.

    None where there is no such tensor.
    """
    sizes, strides, new = ([number(n, values) for n in side] for side in (x.shape, x.stride(), shape))
    if min(sizes, default=0) < 0:
        return None
    if any(v < 0 and not isinstance(n, int) for n, v in zip(shape, new, strict=True)):
        return "misfit", None  # a symbol that happens to be -1 is not a size that is left open
    try:
        return "view", View.of(torch.empty_strided(sizes, strides, device="meta").view(new))
    except RuntimeError as error:
        return ("copy" if "view size is not compatible" in str(error) else "misfit"), None


def number(entry: Any, values: Values) -> int:
    return value_of(to_term(as_entry(entry)), values)


def holds(guard: str, values: Values) -> bool:
    return bool(eval(guard, {"__builtins__": {"min": min, "max": max}}, dict(values)))


def check_everywhere(answer: ViewGuard, x: Any, shape: Sequence[Any], points: Sequence[Values]) -> Counter[str]:
    """The guard holds at exactly the points where PyTorch does what it says, and the strides are PyTorch's."""
    seen: Counter[str] = Counter()
    right = "copy" if answer.outcome == "copy" else "view"
    for values in points:
        if (found := real(x, shape, values)) is None:
            continue
        outcome, there = found
        seen[outcome] += 1
        seen["empty"] += there is not None and 0 in there.shape
        inside = {n: values[n] for n in answer.question.symbols()}
        assert holds(answer.guard, inside) == (outcome == right), (str(answer), values, outcome)
        if there is not None and answer.view is not None and holds(answer.strides_guard, inside):
            mine = answer.view.with_values(inside)
            assert View(mine.shape, mine.strides) == there
            seen["strides"] += 1
    if answer.outcome == "depends" and seen["copy"]:
        assert "else copy" in str(answer)
    return seen


@pytest.mark.parametrize("seed", range(4))
def test_a_guard_holds_exactly_where_a_real_tensor_agrees(seed, turns) -> None:
    rng, seen = Random(f"expressions {seed}"), Counter[str]()
    for _turn in turns(80):
        hinted = rng.random() < 0.5
        env, mode, (a, b) = traced(rng.randint(2, 7), rng.randint(2, 7)) if hinted else unknown(2)
        symbols = [str(n.node.expr) for n in (a, b)]
        try:
            with mode:
                x = tensor_of(rng, a, b)
            for _ in range(rng.choice((0, 0, 1, 2))):
                torch._check(rng.choice(CHECKS)(rng.randint(1, 4), *rng.sample((a, b), 2)))
            shape = shape_of(rng, x, a, b)
        except RuntimeError:  # a size that is negative, or checks that contradict each other
            continue
        hints = {s.name: int(v) for s, v in env.backed_var_to_val.items()}
        points, guards = list(admitted(env, symbols)), len(env.guards)
        try:
            answer = view_guard(x, shape)
        except InputError:  # they do not fit at the hints, or nowhere
            seen["refused"] += 1
            wrong = [v for v in ([hints] if hints else points) if (real(x, shape, v) or ("misfit",))[0] != "misfit"]
            assert not wrong or -1 in [number(n, v) for v in wrong for n in shape if not isinstance(n, int)]
            continue
        assert len(env.guards) == guards
        assert answer.guard != "False"
        seen += check_everywhere(answer, x, shape, points)
        seen[answer.outcome + " answers"] += 1
    expected = ("view", "copy", "misfit", "empty", "strides", "refused", "view answers", "depends answers")
    assert all(seen[name] > 5 for name in expected), seen


def test_a_prefix_that_may_leave_nothing() -> None:
    """At s = 2 no element is left, and at s = 3 one row."""
    _, mode, (s, _) = traced(8, 6)
    with mode:
        answer = view_guard(torch.empty(s, 6)[2:].t(), (-1,))
    assert (answer.outcome, answer.guard) == ("copy", f"{s.node.expr} > 3")


def test_sizes_that_never_fit_are_an_error() -> None:
    _, mode, (u,) = unknown(1)
    with mode:
        x = torch.empty(u, 6)
    with pytest.raises(InputError, match=r"reshape \(u0,6\) to \(3,5\): the sizes can never agree"):
        view_guard(x, (3, 5))


def test_what_is_no_view_is_a_copy_only_where_the_sizes_fit() -> None:
    _, mode, (u, v) = unknown(2)
    with mode:
        x, y = torch.empty(u, 6), torch.empty(u, v).t()
    assert str(view_guard(x, (5, -1))).endswith(" where u0 % 5 == 0, else the sizes do not fit")
    assert str(view_guard(y, (u * v,))).endswith(" where u1 <= 1 or u0 <= 1, else copy")
    assert str(view_guard(y, (2, -1))).endswith(", else copy where u1*u0 % 2 == 0")


def test_a_new_size_without_bounds_is_asked_for_its_sign() -> None:
    env, mode, (u,) = unknown(1)
    with mode:
        x, n = torch.empty(u, 6), env.create_unbacked_symint()
    assert view_guard(x, (n, 6 - n)).guard.startswith("u1 >= 0 and 6 - u1 >= 0")
    assert view_guard(x, (u, 6)).guard == "True"
