"""What `view_guard` reads of a ShapeEnv, on one made by hand: PyTorch itself is in tests/clients."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sympy

from symview import Budget, InputError, View
from symview.answers import Exact, TooStrong, TooWeak
from symview.logic.points import true_at
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import names, sym, value_of
from symview.torch import forms, guard_at, view_guard
from symview.torch.knowledge import content, known

a, b, c = SYMBOLS = sympy.symbols("a b c", integer=True)


def environment(*relations: Any, guards: tuple[Any, ...] = (), replacements: Any = None, divisible: Any = ()) -> Any:
    """An environment with these asserts; its symbols are from 0 up, without hints."""
    bounds = SimpleNamespace(lower=sympy.Integer(0), upper=sympy.oo)
    return SimpleNamespace(
        var_to_range=dict.fromkeys(SYMBOLS, bounds), backed_var_to_val={}, replacements=replacements or {},
        guards=[SimpleNamespace(expr=g) for g in guards], divisible=set(divisible),
        deferred_runtime_asserts={None: [SimpleNamespace(expr=r) for r in relations]},
    )  # fmt: skip


def symint(expression: Any, env: Any) -> Any:
    return SimpleNamespace(node=SimpleNamespace(expr=expression, maybe_as_int=lambda: None, shape_env=env))


def told(env: Any, *wanted: str) -> tuple[list[str], dict[str, str]]:
    found = known(content(env, wanted))
    return sorted(map(to_text, found.facts)), {n: to_text(t) for n, t in found.equal.items()}


def test_each_source_is_read() -> None:
    assert told(environment(), "a") == (["a >= 0"], {})
    assert told(environment(guards=(a <= 7,)), "a") == (["a <= 7", "a >= 0"], {})
    assert told(environment(a < 3, b < 4), "a") == (["a < 3", "a >= 0"], {})
    assert told(environment(divisible={sympy.Mod(a, 6)}), "a") == (["a % 6 == 0", "a >= 0"], {})
    assert told(environment(replacements={a: 4 * b, b: c}), "a", "c")[1] == {"a": "4*c"}
    assert told(environment(replacements={a: sympy.Integer(4)}), "a")[1] == {"a": "4"}
    assert told(environment(a <= 8, replacements={a: 4 * b}), "b") == (["4*b <= 8", "4*b >= 0", "b >= 0"], {})


def test_of_many_facts_those_that_tell_most_are_taken() -> None:
    many = [sympy.Ne(a, 3 * n + 2) for n in range(500)]
    facts, equal = told(environment(*many, sympy.Eq(sympy.Mod(a, 6), 0), sympy.Eq(b, 2 * a)), "a", "b")
    assert equal == {"b": "2*a"}
    assert {"a % 6 == 0", "a >= 0"} <= set(facts)
    assert len(facts) < 50


def test_equations_are_used_up() -> None:
    assert told(environment(sympy.Eq(a, 4 * b)), "a", "b") == (["4*b >= 0", "b >= 0"], {"a": "4*b"})
    assert told(environment(sympy.Eq(a, 4 * b)), "a") == (["a % 4 == 0", "a >= 0"], {})
    assert told(environment(sympy.Eq(a, 4 * b), sympy.Eq(b, 3 * c)), "a")[0] == ["a % 12 == 0", "a >= 0"]
    assert told(environment(sympy.Eq(b, a)), "a", "b")[1] == {"b": "a"}
    assert told(environment(sympy.Eq(a, b), b <= 5), "a")[0] == ["a <= 5", "a >= 0"]


def test_what_tells_nothing_is_left_out() -> None:
    x = sympy.Symbol("x", real=True)
    odd = (sympy.Eq(sympy.sin(x) + a, 0), a / 2 < 3.5, sympy.Eq(a**b, 8), sympy.Eq(sympy.Mod(a, b), 0), a < c)
    for relation in odd:
        facts, equal = told(environment(relation), "a")
        assert "a >= 0" in facts
        assert equal == {}
        assert all(set(names_in(f)) <= {"a"} for f in facts)


def names_in(text: str) -> tuple[str, ...]:
    from symview.logic.notation import parse_assumption

    return names(parse_assumption(text))


CHECKS: tuple[Callable[[int, Any, Any], Any], ...] = (
    lambda k, x, y: sympy.Eq(x, k * y), lambda k, x, y: sympy.Eq(sympy.Mod(x, k + 1), 0),
    lambda k, x, y: sympy.Eq(x, y), lambda k, x, y: x <= 2 * k, lambda k, x, y: x + y <= 9,
    lambda k, x, y: sympy.Eq(2 * x, 3 * y),
    lambda k, x, y: sympy.Eq(x * y, 12), lambda k, x, y: sympy.Ne(x, y), lambda k, x, y: sympy.Eq(x, 2 * y + 1),
    lambda k, x, y: sympy.Or(sympy.Eq(x, 1), sympy.Eq(y, k)), lambda k, x, y: sympy.Eq(x, sympy.floor(y / 2)),
    lambda k, x, y: sympy.Eq(x, k), lambda k, x, y: sympy.Eq(k * x + y, 6), lambda k, x, y: sympy.Eq(x, x * y),
)  # fmt: skip


def test_what_is_known_holds_at_every_point(turns, full) -> None:
    rng, seen = Random("knowledge"), {"facts": 0, "equal": 0, "points": 0}
    for _turn in turns(60):
        pairs = [rng.sample(SYMBOLS, 2) for _ in range(rng.randint(1, 3))]
        relations = [rng.choice(CHECKS)(rng.randint(1, 4), x, y) for x, y in pairs]
        wanted = [s.name for s in rng.sample(SYMBOLS, 2)]
        found = known(content(environment(*relations), wanted))
        assert {n for t in found.equal.values() for n in names(t)} <= {*wanted} - {*found.equal}
        allowed = sympy.lambdify(SYMBOLS, sympy.And(*relations), "math")
        for point in itertools.product(range(13), repeat=3):
            if not allowed(*point):
                continue
            values = dict(zip("abc", point, strict=True))
            assert true_at(found.facts, values), (relations, wanted)
            assert all(values[n] == value_of(t, values) for n, t in found.equal.items())
            seen["points"] += 1
        seen["facts"] += len(found.facts)
        seen["equal"] += len(found.equal)
    if full:
        assert min(seen.values()) > 10


def test_guards_without_hints_against_numbers(turns) -> None:
    """What is asked of a flat array with symbolic sizes: the guard says at every value what numpy says."""
    rng, seen = Random("sizes"), {True: 0, False: 0}
    for _turn in turns(10):
        env = environment(*[rng.choice(CHECKS)(rng.randint(1, 3), a, b) for _ in range(rng.randint(0, 1))])
        shape = [rng.choice((a, b, 2, 3, a * b)) for _ in range(rng.randint(1, 3))]
        if not any(getattr(n, "free_symbols", None) for n in shape):
            continue
        try:
            answer = view_guard(np.zeros(12), [n if isinstance(n, int) else symint(n, env) for n in shape])
        except InputError:
            continue
        relations = [r.expr for r in env.deferred_runtime_asserts[None]]
        for x, y in itertools.product(range(13), repeat=2):
            if not all(bool(r.subs({a: x, b: y})) for r in relations):
                continue
            fits = sympy.prod([sympy.sympify(n).subs({a: x, b: y}) for n in shape]) == 12
            here = {n: v for n, v in (("a", x), ("b", y)) if n in answer.question.symbols()}
            assert fits == (eval(answer.guard, {"__builtins__": {}}, here) and answer.outcome != "copy")
            seen[fits] += 1
    assert min(seen.values()) > 5


def test_copies_are_compared() -> None:
    view, new = View.parse("(4,3,6):(6*s,6,1)"), (12, 6)
    answer = guard_at(view, new, {"s": 8}, "s >= 3")
    assert (answer.outcome, answer.guard) == ("copy", "s != 3")
    assert isinstance(answer.compare("s > 3"), Exact)
    assert isinstance(answer.compare("s != 3"), Exact)
    assert isinstance(strong := answer.compare("s >= 5"), TooStrong)
    assert (strong.values, str(strong)) == ({"s": 4}, "sound, but too strong: it refuses s = 4, where a copy is needed")
    assert isinstance(weak := answer.compare("s >= 3"), TooWeak)
    assert (weak.values, weak.index) == ({"s": 3}, None)


def test_a_budget_with_a_clock_is_not_kept() -> None:
    view, new = View.parse("(p,q):(t0,t1)"), View.parse("(p*q)").shape
    plain = guard_at(view, new, {})
    assert guard_at(view, new, {}, budget=Budget(timeout=60.0)).guard == plain.guard
    assert guard_at(view, new, {}, budget=Budget().started()).guard == plain.guard


def test_names_do_not_matter() -> None:
    """The same question over symbols whose names sort in another order is the same form, and has the same answer."""
    a, b, t = sympy.symbols("a b t", integer=True)
    others = dict(zip((a, b, t), sympy.symbols("z b a", integer=True), strict=True))
    query = [
        ((a, b), (b * t, t), (a * b,), [sympy.Eq(sympy.Mod(a + b, 3), 0)]),
        ((a, b), (t, 1), (b, a), [a <= 8, sympy.Ne(a, b)]),
        ((a, 2 * b), (2 * b * t + 1, t), (-1, b), [a * b >= t]),
        ((a, b, 3), (t, 3 * a, a), (b, -1), []),
    ]
    for sizes, strides, shape, assume in query:
        first = guard_at(View(sizes, strides), shape, {}, assume)
        searched = forms.searched.cache_info().misses
        sizes, strides, shape = ([sympy.sympify(n).xreplace(others) for n in side] for side in (sizes, strides, shape))
        other = guard_at(View(sizes, strides), shape, {}, [f.xreplace(others) for f in assume])
        assert forms.searched.cache_info().misses == searched
        same = {s.name: sym(o.name) for s, o in others.items()}
        assert other.found == forms.with_names(first.found, same)
        assert other.compare(sympy.sympify(first.expression).xreplace(others))


def test_an_error_has_the_names() -> None:
    env = environment()
    with pytest.raises(InputError, match=r"reshape \(a,4\) to \(0,-1\): next to a size of 0"):
        guard_at(View((a, 4)), (0, -1), {})
    with pytest.raises(InputError, match="could be any size"):
        view_guard(np.zeros(12), (0, -1, symint(b, env)))


def test_without_an_environment_there_is_no_symbool(monkeypatch) -> None:
    monkeypatch.delitem(sys.modules, "torch", raising=False)  # once it is loaded, expressions are in its functions
    answer = guard_at(View.parse("(n)"), (2, -1), {})
    assert str(answer.expression) == "Eq(Mod(n, 2), 0)"
    assert [str(t) for t in answer.strides] == ["floor(n/2)", "1"]
    for ask in (answer.sym_bool, answer.sym_strides):
        with pytest.raises(InputError, match="no ShapeEnv is known"):
            ask()
    with pytest.raises(InputError, match="a tensor has no mask"):
        guard_at(View.parse("(n):(1) [1:n]"), (2, -1), {})
    numbers = view_guard(np.zeros((4, 6)), (24,))
    assert (numbers.sym_bool(), numbers.sym_strides()) == (True, (1,))
