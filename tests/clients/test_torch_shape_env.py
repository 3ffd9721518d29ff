"""What symview reads of a ShapeEnv, and what PyTorch can use of the answers."""

from __future__ import annotations

import itertools
import pickle
import warnings
from random import Random
from typing import Any

import pytest
import torch
from clients.torch_patterns import PATTERNS, Made, made
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import ShapeEnv

from symview import InputError, SymviewError, View
from symview.answers import Exact, TooStrong, TooWeak
from symview.logic.points import true_at
from symview.logic.terms import names, value_of
from symview.torch import view_guard
from symview.torch.knowledge import content, known


def unbacked(count: int) -> tuple[ShapeEnv, FakeTensorMode, list[Any]]:
    env = ShapeEnv()
    return env, FakeTensorMode(shape_env=env), [env.create_unbacked_symint() for _ in range(count)]


def outcome(m: Made) -> str:
    """What PyTorch's own view does; that it cannot tell is no answer."""
    try:
        with m.mode:
            m.tensor.view(m.shape)
    except (RuntimeError, ValueError) as error:
        return "unknown" if "data-dependent" in str(error) else "copy"
    return "view"


@pytest.mark.parametrize("pattern", PATTERNS, ids=[p.name for p in PATTERNS])
def test_a_pattern_has_the_outcome_of_pytorch_and_an_exact_guard(pattern) -> None:
    m = made(pattern)
    before = len(m.env.guards)
    answer = view_guard(m.tensor, m.shape)
    assert len(m.env.guards) == before
    assert isinstance(answer.compare(answer.guard), Exact)
    assert isinstance(answer.compare(answer.expression), Exact)
    for shown in (str(answer.expression), *map(str, answer.strides or ())):
        assert "floor" not in shown
    assert answer.outcome == "depends" or outcome(m) in (answer.outcome, "unknown")
    if answer.outcome == "view":
        with m.mode:
            used = m.tensor.as_strided(m.tensor.view(m.shape).shape, answer.sym_strides())
        assert used.dim() == len(m.shape)


def test_nothing_is_left_to_guard_once_pytorch_has() -> None:
    seen = 0
    for pattern in PATTERNS:
        m = made(pattern)
        first = view_guard(m.tensor, m.shape)
        if first.outcome != "view" or first.guard == "True":
            continue
        torch._check(first.sym_bool())
        assert view_guard(m.tensor, m.shape).guard == "True", pattern.name
        seen += 1
    assert seen > 10


def test_no_elements_leave_the_strides_of_the_others() -> None:
    """Of the first column, if there is one: PyTorch's own view asks for a guard on u0*Min(1, u1)."""
    _, mode, (u, v) = unbacked(2)
    with mode:
        x = torch.empty(u, v)[:, :1]
        answer = view_guard(x, (-1,))
        assert (answer.outcome, answer.guard, answer.strides) == ("view", "True", (x.stride()[0].node.expr,))
        assert answer.sym_strides() is not None


def test_a_check_makes_the_view_legal_for_pytorch() -> None:
    _, mode, (u, v) = unbacked(2)
    with mode:
        x = torch.empty(u, 192)
        answer = view_guard(x, (12, -1, 192))
        assert (answer.outcome, answer.guard) == ("depends", "u0 % 12 == 0")
        torch._check(answer.sym_bool())
        assert view_guard(x, (12, -1, 192)).outcome == "view"
        strides = answer.sym_strides()
        assert [str(t) for t in strides] == ["192*((u0//12))", "192", "1"]
        assert x.as_strided((12, u // 12, 192), strides).stride() == strides
        joined = view_guard(torch.empty(u, v).t(), (u * v,))
        assert joined.outcome == "depends"
        torch._check(joined.sym_bool())


def test_what_is_known_is_read() -> None:
    _, mode, (u, v, w, z) = unbacked(4)
    with mode:
        x = torch.empty(u, v, 4)
        torch._check(u == 4 * v)
        assert str(view_guard(x, (v, 4, 4 * v))) == "view (u1,4,4*u1):(16*max(1, u1),4*max(1, u1),1)"
        torch._check(w == v)
        assert view_guard(torch.empty(w, 4), (4 * v,)).outcome == "view"
        torch._check(w == 6 * z)  # z is not a symbol of the next question
        answer = view_guard(torch.empty(w, 3), (2, 3, -1, 3))
        assert (answer.outcome, answer.guard) == ("view", "True")
        assert answer.compare("u2 % 6 == 0")
        torch._check(z >= 1)
        torch._check(z <= 1)
        assert view_guard(torch.empty(w, 3), (18,)).outcome == "view"


def test_a_replaced_symbol_is_another_expression() -> None:
    from clients.torch_patterns import Pattern

    m = made(Pattern("two", (4, 8), lambda x, a, b: (x.t(), (b, a))))
    a, b = m.tensor.shape[1], m.tensor.shape[0]
    torch._check(b == 2 * a)
    assert m.env.replacements
    answer = view_guard(m.tensor, (2 * a, a))
    assert (answer.outcome, answer.guard) == ("view", "True")
    assert view_guard(m.tensor, (a, 2 * a)).compare(f"{b.node.expr} == 7").values


CHECKS = (
    lambda k: lambda a, b: a == k * b, lambda k: lambda a, b: a % (k + 1) == 0, lambda k: lambda a, b: a == b,
    lambda k: lambda a, b: a <= 2 * k, lambda k: lambda a, b: a >= k, lambda k: lambda a, b: a + b <= 9,
    lambda k: lambda a, b: 2 * a == 3 * b, lambda k: lambda a, b: a * b == 12, lambda k: lambda a, b: a != b,
    lambda k: lambda a, b: a == 2 * b + 1, lambda k: lambda a, b: a == b // 2, lambda k: lambda a, b: k * a <= b,
    lambda k: lambda a, b: a * b == 2 * k * (a // 2) * (b // k), lambda k: lambda a, b: a // (b + 1) == k,
    lambda k: lambda a, b: a * b % (k * b + 1) == 0, lambda k: lambda a, b: 6 * a + k == 4 * b,
    lambda k: lambda a, b: a * b * b == k * (a // k) * b * b,
)  # fmt: skip


def swin(x: Any, b: Any, h: Any, w: Any, c: Any) -> Any:
    """Windows of 7 by 7, as models write them; PyTorch's own guards say that 7 divides."""
    return x.view(b, h // 7, 7, w // 7, 7, c).permute(0, 1, 3, 2, 4, 5).contiguous()


IMPLIED: dict[str, tuple[tuple[Any, ...], Any]] = {
    "7 divides both sides": ((2, 14, 21, 5), lambda x, b, h, w, c: (swin(x, b, h, w, c) is None or x, (-1, 49, c))),
    "windows": ((2, 14, 21, 5), lambda x, b, h, w, c: (swin(x, b, h, w, c), (-1, 7, 7, c))),
    "windows as rows": ((2, 14, 21, 5), lambda x, b, h, w, c: (swin(x, b, h, w, c).view(-1, 7, 7, c), (-1, 49, c))),
    "windows put back": (
        (2, 14, 21, 5), lambda x, b, h, w, c: (swin(x, b, h, w, c).view(-1, 49, c), (b, h // 7, w // 7, 7, 7, c)),
    ),
    "an equation with coefficients": ((6, 4), lambda x, u, v: (checked(x, 2 * u == 3 * v), (6, -1))),
    "the same without hints": (("u", "u"), lambda x, u, v: (checked(x, 2 * u == 3 * v), (6, -1))),
    "a divisor of the batch": ((3, 8, 6), lambda x, b, u, v: (checked(x, b * u * v % (4 * b) == 0), (b, 4, -1))),
}  # fmt: skip


def checked(x: Any, condition: Any) -> Any:
    torch._check(condition)
    return x


@pytest.mark.parametrize("name", IMPLIED)
def test_what_the_environment_implies_is_not_asked_again(name) -> None:
    from clients.torch_patterns import Pattern

    m = made(Pattern(name, *IMPLIED[name]))
    answer = view_guard(m.tensor, m.shape)
    assert (answer.outcome, answer.guard) == ("view", "True")
    assert isinstance(answer.compare("1 == 1"), Exact)


def test_what_is_known_holds_wherever_the_checks_do(turns) -> None:
    rng, seen = Random("known"), {"facts": 0, "equal": 0, "points": 0, "quotients": 0}
    for _turn in turns(60):
        env, _, symbols = unbacked(3)
        checks = [(rng.choice(CHECKS)(rng.randint(1, 4)), *rng.sample(range(3), 2)) for _ in range(rng.randint(1, 4))]
        named = [str(s) for s in symbols]  # once checked, one may be an expression in others
        wanted = rng.sample(named, 2)
        try:
            for check, a, b in checks:
                torch._check(check(symbols[a], symbols[b]))
        except RuntimeError:  # they contradict each other
            continue
        found = known(content(env, wanted))
        assert {n for t in found.equal.values() for n in names(t)} <= {*wanted}
        for point in itertools.product(range(12), repeat=3):
            values = dict(zip(named, point, strict=True))
            if not all(check(point[a], point[b]) for check, a, b in checks):
                continue
            assert true_at(found.facts, values)
            for name, term in found.equal.items():
                assert values[name] == value_of(term, values)
            for division, number_ in found.quotients:
                assert value_of(division, values) == value_of(number_, values)
                seen["quotients"] += 1
            seen["points"] += 1
        seen["facts"] += len(found.facts)
        seen["equal"] += len(found.equal)
    assert min(seen.values()) > 10


def satisfied(relation: Any, values: dict[str, int]) -> bool:
    return bool(relation.subs({s: values[s.name] for s in relation.free_symbols}))


@pytest.mark.parametrize("seed", range(4))
def test_guards_without_hints_are_right_everywhere(seed, turns) -> None:
    """Random unbacked questions against numbers: the guard says at every value what numbers say."""
    rng, seen = Random(f"unbacked {seed}"), {"view": 0, "copy": 0, "void": 0, "strides": 0}
    for _turn in turns(12):
        env, mode, (u, v) = unbacked(2)
        with mode:
            x = torch.empty([rng.choice((u, v, u, v, 2, 3)) for _ in range(rng.randint(1, 3))])
            x = x.permute(rng.sample(range(x.dim()), x.dim())) if rng.random() < 0.6 else x
            for _ in range(rng.randint(0, 1)):
                torch._check(rng.choice((u == 2 * v, u % 3 == 0, u == v, v >= 1, u <= 4)))
        sizes = list(x.shape)
        at = rng.randrange(len(sizes))
        new = rng.choice((
            [*sizes[:at], *([sizes[at] * sizes[at + 1]] if at + 1 < len(sizes) else sizes[at:]), *sizes[at + 2 :]],
            rng.sample(sizes, len(sizes)), [-1], [*sizes[:at], 2, -1, *sizes[at + 1 :]], [6, -1],
        ))  # fmt: skip
        try:
            answer = view_guard(x, new)
        except InputError:  # numbers alone show that the sizes never agree
            continue
        relations = [a.expr for asserts in env.deferred_runtime_asserts.values() for a in asserts]
        for a, b in itertools.product(range(7), repeat=2):
            values = {"u0": a, "u1": b}
            if not all(satisfied(r, values) for r in relations):
                continue
            old = torch.empty_strided(*[[number(n, values) for n in side] for side in (x.shape, x.stride())])
            try:
                there = old.view([number(n, values) for n in new])
            except RuntimeError:
                there = None
            inside = {n: values[n] for n in answer.question.symbols()}
            holds = eval(answer.guard, {"__builtins__": {"min": min, "max": max}}, inside)
            assert holds == ((there is not None) == (answer.outcome != "copy")) or fails(old, new, values)
            seen["view" if there is not None else "copy"] += 1
            seen["void"] += old.numel() == 0
            if there is not None and answer.view is not None and holds:
                assert answer.view.with_values(inside) == View.of(there)
                seen["strides"] += 1
    assert min(seen.values()) > 5


def fails(old: torch.Tensor, new: Any, values: dict[str, int]) -> bool:
    """Whether the sizes do not fit, where a guard of a copy does not hold either."""
    try:
        old.reshape([number(n, values) for n in new])
    except RuntimeError:
        return True
    return False


def number(entry: Any, values: dict[str, int]) -> int:
    if isinstance(entry, int):
        return entry
    return int(entry.node.expr.subs({s: values[s.name] for s in entry.node.expr.free_symbols}))


def test_copies_are_compared() -> None:
    from clients.torch_patterns import Pattern

    m = made(Pattern("rows", (4, 8, 6), lambda x, b, s, d: (x[:, :3], (-1, d))))
    answer = view_guard(m.tensor, m.shape)
    assert answer.outcome == "copy"
    (name,) = (n for n in answer.question.symbols() if n in answer.guard)
    assert isinstance(answer.compare(f"{name} != 3"), Exact)
    assert isinstance(answer.compare(f"{name} == 8"), TooStrong)
    assert isinstance(answer.compare("1 == 1"), TooWeak)
    assert "a copy is needed" in str(answer.compare(f"{name} == 8"))


# What is cached


def test_a_repeated_question_is_not_searched_again() -> None:
    from clients.torch_patterns import Pattern

    from symview.torch.forms import searched as search

    pattern = Pattern("n", (4, 6, 10), lambda x, b, s, d: (x.transpose(0, 1), (-1, d)))
    first = view_guard(*made(pattern)[:2])
    searched = search.cache_info().misses
    m = made(pattern)
    again = view_guard(*m[:2])
    assert (again.guard, again.found) == (first.guard, first.found)
    assert again.environment is m.env
    assert search.cache_info().misses == searched
    other = view_guard(*made(pattern, 1)[:2])
    assert other.question.symbols().keys().isdisjoint(first.question.symbols())
    assert other.outcome == first.outcome
    assert search.cache_info().misses == searched  # names do not matter
    _, mode, (u, v) = unbacked(2)
    with mode:
        one, other = view_guard(torch.empty(u, v), (u * v,)), view_guard(torch.empty(v, u), (u * v,))
    assert search.cache_info().misses == searched + 1
    assert str(one) == "view (u0*u1):(1)" == str(other)


# Bad input


def test_symints_of_two_environments_are_refused() -> None:
    _, mode, (u,) = unbacked(1)
    _, _, (v,) = unbacked(1)
    with mode:
        x = torch.empty(u, 4)
    with pytest.raises(InputError, match="another ShapeEnv"):
        view_guard(x, (v, 4))
    with pytest.raises(InputError, match="another ShapeEnv"):
        view_guard(x, (-1, v))


def test_tensors_without_strides_are_refused() -> None:
    ragged = [torch.ones(2, 3), torch.ones(1, 3)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is not to stay, or still to come
        bad = [torch.eye(3).to_sparse(), torch.eye(3).to_sparse_csr(), torch.nested.nested_tensor(ragged)]
        bad.append(torch.nested.nested_tensor(ragged, layout=torch.jagged))
        if hasattr(torch, "quantize_per_tensor"):
            bad.append(torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.qint8))
    for x in bad:
        with pytest.raises(InputError, match="only a strided tensor"):
            view_guard(x, (-1,))


@pytest.mark.parametrize("size", [2.0, "2", None, True, torch.ones(1), [3]], ids=str)
def test_what_is_no_size_is_refused(size) -> None:
    _, mode, (u,) = unbacked(1)
    with mode:
        x = torch.empty(u, 4)
    for tensor in (x, torch.empty(2, 4)):
        with pytest.raises(SymviewError):
            view_guard(tensor, (size, 4))


def test_a_guard_is_kept_without_its_environment() -> None:
    m = made(PATTERNS[3])
    answer = pickle.loads(pickle.dumps(view_guard(m.tensor, m.shape)))
    assert answer == view_guard(m.tensor, m.shape)
    assert answer.compare(answer.guard)
    with pytest.raises(InputError, match="no ShapeEnv is known"):
        answer.sym_bool()
