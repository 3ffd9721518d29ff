"""Questions within what a ShapeEnv knows, and conditions and proofs in its terms."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
import sympy
import torch
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

import symview.torch
from symview import (
    InputError,
    Proved,
    Refuted,
    View,
    contiguous_conditions,
    dense_conditions,
    injective_conditions,
    is_contiguous,
    is_dense,
    is_injective,
)
from symview.answers import Exact, TooWeak
from symview.torch import conditions_known, sym_bool, view_guard


def unbacked(count: int) -> tuple[ShapeEnv, FakeTensorMode, list[Any]]:
    env = ShapeEnv()
    return env, FakeTensorMode(shape_env=env), [env.create_unbacked_symint() for _ in range(count)]


def test_what_is_known_reaches_other_questions() -> None:
    _, mode, (u, v) = unbacked(2)
    with mode:
        x = torch.empty(u, v).t()
    assert str(conditions_known(contiguous_conditions, x)) == "u1 = 0 or u0 = 0 or u1 = 1 or u0 = 1"
    torch._check(u >= 2)
    torch._check(v >= 2)
    assert str(conditions_known(contiguous_conditions, x)) == "never"
    assert str(conditions_known(dense_conditions, x)) == "always"
    assert str(conditions_known(injective_conditions, x)) == "always"


def test_symbols_that_are_tied_are_compared() -> None:
    _, mode, (u, v, w) = unbacked(3)
    torch._check(w == u)
    with mode:
        x = torch.empty(u, v).t()
    found = conditions_known(contiguous_conditions, x)
    assert isinstance(found.compare(sympy.Or(w.node.expr <= 1, v.node.expr <= 1)), Exact)
    assert isinstance(found.compare("u2 <= 1 or u1 <= 1"), Exact)
    assert isinstance(found.compare(w <= 2), TooWeak)
    assert isinstance(view_guard(x, (-1,)).compare("u2 <= 1 or u1 <= 1"), Exact)


QUESTIONS = ((contiguous_conditions, is_contiguous), (dense_conditions, is_dense), (injective_conditions, is_injective))
CHECKS = {
    "nothing": lambda u, v: True, "no rows or more than one": lambda u, v: u != 1, "equal": lambda u, v: u == v,
    "twice": lambda u, v: u == 2 * v, "some": lambda u, v: v >= 1, "even": lambda u, v: u % 2 == 0,
}  # fmt: skip


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize(("question", "at_numbers"), QUESTIONS, ids=["contiguous", "dense", "injective"])
def test_conditions_and_symbools_say_what_numbers_say(question, at_numbers, check) -> None:
    env, mode, (u, v) = unbacked(2)
    if check != "nothing":
        torch._check(CHECKS[check](u, v))
    with mode:
        tensors = [torch.empty(u, v).t(), torch.empty(u, v, 2)[..., 0], torch.empty(2, u, v).transpose(1, 2)]
    for x in tensors:
        found = conditions_known(question, x)
        checked = sym_bool(found, env)
        for a, b in itertools.product(range(5), repeat=2):
            if not CHECKS[check](a, b):
                continue
            values = {"u0": a, "u1": b}
            numbers = [[number(n, values) for n in side] for side in (x.shape, x.stride())]
            expected = at_numbers(View(*numbers))
            assert found.holds({n: values[n] for n in found.symbols()}) == expected, (x.shape, values)
            assert truth(checked, values) == expected, (x.shape, values)


def number(entry: Any, values: dict[str, int]) -> int:
    if isinstance(entry, int):
        return entry
    return int(entry.node.expr.subs({s: values[s.name] for s in entry.node.expr.free_symbols}))


def truth(checked: Any, values: dict[str, int]) -> bool:
    if isinstance(checked, bool):
        return checked
    return bool(checked.node.expr.subs({s: values[s.name] for s in checked.node.expr.free_symbols}))


def test_a_symbool_says_what_was_taken_for_granted() -> None:
    env, mode, (u, v) = unbacked(2)
    with mode:
        x = torch.empty(u, v).t()
    assert str(sym_bool(contiguous_conditions(View.of(x)), env)).count(">= 1") == 2
    torch._check(u >= 1)
    torch._check(v >= 1)
    assert ">=" not in str(sym_bool(contiguous_conditions(View.of(x)), env))
    torch._check(u == 1)
    with mode:
        assert sym_bool(conditions_known(contiguous_conditions, torch.empty(u, v).t()), env) is True


def test_statements_are_proved_within_what_is_known() -> None:
    env, _, (u, v, w) = unbacked(3)
    torch._check(u == 4 * v)
    torch._check(v >= 1)
    before = [len(a) for a in env.deferred_runtime_asserts.values()]
    assert isinstance(symview.torch.prove(u >= 4), Proved)
    assert isinstance(symview.torch.prove(u * w % 4 == 0), Proved)
    refuted = symview.torch.prove(u >= 5)
    assert isinstance(refuted, Refuted)
    assert isinstance(symview.torch.prove(v.node.expr >= 1, env), Proved)
    assert symview.torch.prove(True)
    assert not symview.torch.prove(False)
    assert [len(a) for a in env.deferred_runtime_asserts.values()] == before
    with pytest.raises(InputError, match="give a SymBool"):
        symview.torch.prove(v.node.expr >= 1)
    with pytest.raises(InputError, match="give a comparison"):
        symview.torch.prove(v.node.expr, env)


def test_lists_are_asked_as_tensors_are() -> None:
    env, mode, (u, v) = unbacked(2)
    with mode:
        x = torch.empty(u, v, 6).transpose(0, 1)
    new = (v * u, 6)
    of_tensor = view_guard(x, new)
    assert view_guard(x.shape, x.stride(), new) == of_tensor
    expressions = [[n if isinstance(n, int) else n.node.expr for n in side] for side in (x.shape, x.stride(), new)]
    assert view_guard(*expressions, env=env) == of_tensor
    assert view_guard((u, v), None, (-1,)).strides == (1,)
    assert str(view_guard((4, 6), None, (2, -1))) == "view (2,12):(12,1)"
    assert view_guard(x, new).sym_shape() == new
    assert [str(n) for n in view_guard(x, (6, -1)).sym_shape()] == ["6", "u0*u1"]
    with pytest.raises(InputError, match="another ShapeEnv"):
        view_guard(x.shape, x.stride(), new, env=ShapeEnv())
