"""`View.of` and `view_guard` against PyTorch itself, on the CPU and on fake tensors with symbolic sizes.

pip install -e ".[test,torch]"
pytest tests/clients
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import pytest
import sympy
import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

from symview import (
    InputError,
    SymviewError,
    View,
    conditions,
    cute,
    floor_sum,
    ravel,
    reshape_conditions,
    tensor,
    unravel,
)
from symview.answers import Exact, TooStrong
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import as_entry, value_of
from symview.torch import ViewGuard, view_guard

Shape = tuple[int, ...]


def fake(x: torch.Tensor, dynamic_strides: bool = True, static: Sequence[int] = ()) -> tuple[ShapeEnv, Any]:
    """The tensor with a symbol for each size that is not static, and for each stride where asked.

    Other strides are written with sizes and other strides where their numbers allow it.
    """
    env = ShapeEnv()
    stride = DimDynamic.DYNAMIC if dynamic_strides else DimDynamic.INFER_STRIDE
    context = StatelessSymbolicContext(
        dynamic_sizes=[DimDynamic.STATIC if n in static else DimDynamic.DYNAMIC for n in range(x.dim())],
        dynamic_strides=[stride] * x.dim(), constraint_sizes=[None] * x.dim(),
    )  # fmt: skip
    mode = FakeTensorMode(shape_env=env, allow_non_fake_inputs=True)
    return env, mode.from_tensor(x, symbolic_context=context, source=ConstantSource("x"))


def symbol(size: Any) -> str:
    """The name of a SymInt that is one symbol."""
    return str(size.node.expr)


def unbacked() -> tuple[FakeTensorMode, Any]:
    env = ShapeEnv()
    return FakeTensorMode(shape_env=env), env.create_unbacked_symint()


# Tensors and shapes


def sliced(rng: Random, x: torch.Tensor) -> torch.Tensor:
    return x[tuple(slice(rng.choice((0, 0, 1)), None, rng.choice((1, 1, 2, 3))) for _ in x.shape)]


def permuted(rng: Random, x: torch.Tensor) -> torch.Tensor:
    return x.permute(rng.sample(range(x.dim()), x.dim()))


def repeated(rng: Random, x: torch.Tensor) -> torch.Tensor:
    return x.expand(rng.randint(1, 3), *x.shape)


def windowed(rng: Random, x: torch.Tensor) -> torch.Tensor:
    return x.unfold(0, 2, 1) if x.dim() and x.shape[0] >= 2 else x


def diagonal(rng: Random, x: torch.Tensor) -> torch.Tensor:
    return x.diagonal() if x.dim() >= 2 else x


MOVES = (sliced, permuted, repeated, windowed, diagonal)


def moved(rng: Random) -> torch.Tensor:
    """A view, by up to four moves, of a tensor whose elements are their places in the storage."""
    shape = [rng.choice((1, 2, 3, 4, 6)) for _ in range(rng.randint(0, 3))]
    x = torch.arange(math.prod(shape) + 3)[3:].view(shape)
    for _ in range(rng.randint(0, 4)):
        x = rng.choice(MOVES)(rng, x) if x.dim() < 5 else x
    return x


def strided(rng: Random, shape: Sequence[int], fitting: float = 0.75) -> Shape:
    """Strides, each contiguous with the axis behind with that probability, else anything from 0 up."""
    strides: list[int] = []
    size, stride = 1, rng.choice((1, 1, 1, 2, 3))
    for n in reversed(shape):
        stride = stride * size if rng.random() < fitting else rng.randint(0, 12)
        strides.insert(0, stride)
        size = n
    return tuple(strides)


def regrouped(rng: Random, count: int) -> Shape:
    """A shape of that many elements, sometimes with a -1."""
    if count == 0:
        return tuple(rng.sample((0, 0, 2, 1), 3))  # with three of these there is a 0
    sizes, left = [], count
    while left > 1 or rng.random() < 0.2:
        sizes.append(rng.choice([d for d in range(1, left + 1) if left % d == 0]))
        left //= sizes[-1]
    rng.shuffle(sizes)
    if sizes and rng.random() < 0.3:
        sizes[rng.randrange(len(sizes))] = -1
    return tuple(sizes)


def viewed(x: torch.Tensor, shape: Sequence[int]) -> View | None:
    """What PyTorch's own view gives; None where it asks for a copy."""
    try:
        return View.of(x.view(tuple(shape)))
    except RuntimeError as error:
        if "view size is not compatible" not in str(error):
            raise
        return None


# View.of


def test_the_address_is_the_place_in_the_storage(turns) -> None:
    rng, seen = Random("tensors"), set()
    for _turn in turns(500):
        x = moved(rng)
        view = View.of(x)
        assert (view.shape, view.strides, view.offset) == (tuple(x.shape), x.stride(), x.storage_offset())
        assert all(type(entry) is int for entry in view.entries())
        for index in itertools.product(*map(range, x.shape)):
            assert x[index] == view.at(index)
        seen |= {x.dim(), "repeated" if 0 in view.strides else "", "void" if 0 in view.shape else ""}
    assert {0, 1, 2, 3, 4, "repeated", "void"} <= seen


@pytest.mark.parametrize("dynamic_strides", [False, True])
def test_a_fake_tensor_has_symbols_that_mean_the_hints(dynamic_strides, turns) -> None:
    rng, symbolic = Random("fake"), 0
    for _turn in turns(60):
        x = moved(rng)
        env, f = fake(x, dynamic_strides)
        view = View.of(f)
        hints = {s.name: int(value) for s, value in env.backed_var_to_val.items()}
        assert view.with_values(hints) == View.of(x)
        assert all(env.backed_var_to_val.get(sympy.sympify(s)) == hints[name] for name, s in view.symbols().items())
        symbolic += not view.is_numeric()
    assert symbolic > 20


def test_sizes_that_torch_computes_are_read() -> None:
    _, f = fake(torch.empty(7, 6))
    n, m = f.shape
    for size in (n // 2, -(n // -2), n % 3, (n + m) // 2, torch.sym_max(n, m), torch.sym_min(n, m), n * m // m, n**2):
        found = View([as_entry(size)], (1,))
        hints = {symbol(n): 7, symbol(m): 6}
        assert found.with_values({k: hints[k] for k in found.symbols()}).shape == (size.node.hint,)


def test_tensors_without_strides_are_refused() -> None:
    ragged = [torch.ones(2, 3), torch.ones(1, 3)]
    for kind, x in {
        "sparse_coo": torch.eye(3).to_sparse(),
        "nested": torch.nested.nested_tensor(ragged, layout=torch.jagged),
    }.items():
        with pytest.raises(InputError, match=f"{kind} tensor: only a strided tensor"):
            View.of(x)
    for x in (torch.Size((2,)), torch.float32, [torch.ones(2)], torch.nn.Linear(1, 1)):
        with pytest.raises(InputError, match="give a numpy array, a PyTorch tensor"):
            View.of(x)


# view_guard on numbers


def test_a_copy_is_exactly_where_torch_refuses(turns) -> None:
    rng, outcomes = Random("numbers"), {"view": 0, "copy": 0}
    for turn in turns(3000):
        shape = [rng.choice((1, 2, 2, 3, 4, 6)) if rng.random() < 0.97 else 0 for _ in range(rng.randint(0, 4))]
        x = moved(rng) if turn % 3 == 0 else torch.empty_strided(shape, strided(rng, shape, 0.4), device="meta")
        new = regrouped(rng, x.numel())
        found, theirs = view_guard(x, new), viewed(x, new)
        outcomes[found.outcome] += 1
        assert found.guard == "True"
        assert found.view == theirs
        assert found.outcome == ("view" if theirs else "copy")
        if theirs and x.numel() and 1 not in x.shape:
            assert found.strides == x.view(new).stride() or x.dim() == 0
        assert (found.counterexample is None) == (theirs is not None)
    assert min(outcomes.values()) > 500


def test_other_numbers_of_elements_are_an_error() -> None:
    with pytest.raises(InputError, match="12 elements and 10"):
        view_guard(torch.empty(3, 4), (5, 2))
    with pytest.raises(InputError, match="is not divisible by 5"):
        view_guard(torch.empty(3, 4), (5, -1))
    _, f = fake(torch.empty(3, 4))
    with pytest.raises(InputError, match="12 elements and 9"):
        view_guard(f, (f.shape[0], f.shape[0]))


# view_guard on symbols


class Asked(NamedTuple):
    """A fake tensor, a shape made of its SymInts, and the answer."""

    tensor: Any
    shape: tuple[Any, ...]
    answer: ViewGuard


def merged(f: Any, rng: Random) -> tuple[Any, ...]:
    """Neighbouring dims as one, here and there."""
    sizes = [f.shape[0]]
    for n in f.shape[1:]:
        if rng.random() < 0.6:
            sizes[-1] = sizes[-1] * n
        else:
            sizes.append(n)
    return tuple(sizes)


def with_hole(f: Any, rng: Random) -> tuple[Any, ...]:
    """The same, with -1 for one of the sizes."""
    sizes = list(merged(f, rng))
    sizes[rng.randrange(len(sizes))] = -1
    return tuple(sizes)


def reordered(f: Any, rng: Random) -> tuple[Any, ...]:
    """The sizes in another order."""
    return tuple(rng.sample(list(f.shape), f.dim()))


def halved(f: Any, rng: Random) -> tuple[Any, ...]:
    """The last dim in halves, beside merged ones; the halves as a floor division or as -1."""
    *rest, last = merged(f, rng)
    return (*rest, *rng.sample((rng.choice((last // 2, -1)), 2), 2))


SHAPES: tuple[Callable[[Any, Random], tuple[Any, ...]], ...] = (merged, merged, with_hole, reordered, halved)


def ask(rng: Random) -> tuple[torch.Tensor, Asked]:
    """A small tensor, and a question about its fake twin."""
    shape = [rng.choice((1, 2, 3, 4, 5)) for _ in range(rng.randint(1, 3))]
    x = torch.empty_strided(shape, strided(rng, shape), device="meta")
    _, f = fake(x, rng.random() < 0.7, [n for n in range(x.dim()) if rng.random() < 0.2])
    new = rng.choice(SHAPES)(f, rng)
    given = math.prod(n for n in hinted(new) if n != -1)
    fits = given > 0 and x.numel() % given == 0 if -1 in hinted(new) else given == x.numel()
    return (x, Asked(f, new, view_guard(f, new))) if fits else ask(rng)  # an odd size has no halves


def hinted(shape: Sequence[Any]) -> Shape:
    return tuple(n if isinstance(n, int) else n.node.hint for n in shape)


def number(entry: Any, values: dict[str, int]) -> int:
    """An int, a SymInt or an expression at values of its symbols by name."""
    return value_of(to_term(as_entry(entry)), values)


def values_near(rng: Random, view: View, values: dict[str, int]) -> dict[str, int]:
    """Other values of the symbols, within the ranges that PyTorch gives them; strides fit the sizes often."""
    found = {name: rng.randint(2, 4) if rng.random() < 0.8 else value for name, value in values.items()}
    inner: Any = 1
    for size, stride in zip(reversed(view.shape), reversed(view.strides), strict=True):
        if not isinstance(stride, int) and stride.is_name() and rng.random() < 0.7:
            found[str(stride)] = max(2, number(inner, found))
        inner = size * stride
    return found


def holds(guard: str, values: dict[str, int]) -> bool:
    return bool(eval(guard, {"__builtins__": {"min": min, "max": max}}, dict(values)))


def test_guards_are_right_at_the_hints_and_everywhere_else(turns) -> None:
    rng = Random("symbols")
    seen = dict.fromkeys(("view", "copy", "guarded", "holds", "fails", "strides", "misfits"), 0)
    for _turn in turns(300):
        x, (f, new, answer) = ask(rng)
        view, env = View.of(f), f.fake_mode.shape_env
        hints = {s.name: int(value) for s, value in env.backed_var_to_val.items()}
        theirs = viewed(x, hinted(new))
        assert answer.outcome == ("view" if theirs else "copy")
        assert holds(answer.guard, hints)
        assert answer.view is None or answer.view.with_values(hints) == theirs
        assert not env.guards
        seen[answer.outcome] += 1
        seen["guarded"] += answer.guard != "True"
        for _ in range(30):
            values = values_near(rng, view, {name: hints[name] for name in view.symbols()})
            here = view.with_values(values)
            there = torch.empty_strided(here.shape, here.strides, device="meta")
            try:
                theirs = viewed(there, [number(n, values) for n in new])
            except RuntimeError:  # other numbers of elements
                assert not holds(answer.guard, values)
                seen["misfits"] += 1
                continue
            right = holds(answer.guard, values)
            assert right == ((theirs is not None) == (answer.outcome == "view"))
            if theirs is not None and answer.view is not None and holds(answer.strides_guard, values):
                assert answer.view.with_values(values) == theirs
                seen["strides"] += 1
            seen["holds" if right else "fails"] += 1
    assert min(seen.values()) > 20


class Question(NamedTuple):
    """A tensor's sizes, of which some are static, and strides, and a shape made of its symbolic sizes."""

    sizes: Shape
    strides: Shape
    shape: Callable[..., tuple[Any, ...]]
    static: Shape = ()


def emitted(question: Question) -> tuple[ViewGuard, sympy.Basic]:
    """Our answer, and all guards that PyTorch's own view adds to the ShapeEnv."""
    env, f = fake(torch.empty_strided(question.sizes, question.strides), static=question.static)
    new = question.shape(*f.shape)
    answer = view_guard(f, new)
    with f.fake_mode:
        f.view(new)
    return answer, sympy.And(*[g.expr for g in env.guards])


@pytest.mark.parametrize(
    "question",
    [
        Question((4, 5, 6), (60, 12, 1), lambda b, s, d: (b * s, d)),  # in 2.13 also: the strides differ from the sizes
        Question((4, 5, 6), (30, 6, 1), lambda b, s, d: (b * s, d)),  # also: the rest is contiguous
        Question((4, 5, 6), (60, 12, 2), lambda b, s, d: (s, b, d)),  # also: the sizes differ
        Question((4, 5, 6, 7), (420, 84, 14, 2), lambda a, b, c, d: (a, b * c, d)),  # also: an order of strides
        Question((24, 192), (192, 1), lambda n, _: (12, -1, 192), static=(1,)),  # also: n is not 12
        Question((4, 5, 6), (60, 12, 2), lambda b, s, d: (b * s, d)),
        Question((4, 5, 6), (60, 12, 2), lambda b, s, d: (b, -1)),
        Question((4, 5, 6), (60, 12, 2), lambda b, s, d: (b * s * d,)),
    ],
)
def test_guards_of_pytorch_are_enough(question, record_property) -> None:
    """Whether they refuse for nothing differs between its versions: that is recorded."""
    answer, guard = emitted(question)
    found = answer.compare(guard)
    record_property("verdict", f"{torch.__version__}: {found}")
    assert isinstance(found, Exact | TooStrong)
    assert isinstance(answer.compare(answer.guard), Exact)
    if isinstance(found, TooStrong):
        values = dict(found.values)
        assert guard.subs({x: values[x.name] for x in guard.free_symbols}) == sympy.false
        view, new = (v.with_values(values) for v in answer.conditions.views)
        assert viewed(torch.empty_strided(view.shape, view.strides, device="meta"), new.shape) is not None


def test_in_a_backend_of_the_compiler() -> None:
    """The fake tensors that torch.compile makes, with a size marked as dynamic and bounded."""
    answers = []

    def backend(module: torch.fx.GraphModule, _inputs: Any) -> Any:
        (x,) = (n.meta["example_value"] for n in module.graph.nodes if n.op == "placeholder" and n.name == "l_x_")
        answers.append((x.shape[0], view_guard(x, (-1, 8)), view_guard(x.transpose(0, 1), (-1,))))
        return module.forward

    x = torch.zeros(12, 6)
    torch._dynamo.mark_dynamic(x, 0, min=3, max=100)
    torch.compile(lambda x: x + 1, backend=backend)(x)
    ((size, rows, columns),) = answers
    assert rows.outcome == "view"
    name = symbol(size)
    assert [n for n in range(3, 101) if holds(rows.guard, {name: n})] == list(range(4, 101, 4))
    assert rows.view.with_values({name: 20}) == View((15, 8))
    assert (columns.outcome, columns.guard) == ("copy", "True")


def test_a_size_without_a_hint() -> None:
    """pytorch#153198: PyTorch stops at a data-dependent guard; no guard helps unless the tensor is empty."""
    mode, u = unbacked()
    with mode:
        x = torch.empty(u, 20, 4).permute(0, 2, 1)
        with pytest.raises(RuntimeError, match="data-dependent"):
            x.view(u, 80)
        answer = view_guard(x, (u, 80))
        assert (answer.outcome, answer.guard) == ("depends", "u0 == 0")
        torch._check(u >= 1)
    answer = view_guard(x, (u, 80))
    assert (answer.outcome, answer.guard, str(answer)) == ("copy", "True", "copy")
    answer = view_guard(x.permute(0, 2, 1), (-1, 80))
    assert (answer.outcome, answer.guard, str(answer.view)) == ("view", "True", "(u0,80):(80,1)")


def test_a_dim_that_has_to_divide() -> None:
    mode, u = unbacked()
    with mode:
        x = torch.empty(u, 192)
    answer = view_guard(x, (12, -1, 192))
    assert (answer.outcome, answer.guard) == ("depends", "u0 % 12 == 0")
    assert answer.view.with_values({"u0": 36}) == View((12, 3, 192))
    _, f = fake(torch.empty(24, 192), static=(1,))
    n = symbol(f.shape[0])
    answer = view_guard(f, (12, -1, 192))
    assert (answer.outcome, answer.guard) == ("view", f"{n} % 12 == 0")
    with pytest.raises(InputError, match="is not divisible"):
        view_guard(fake(torch.empty(25, 192))[1], (12, -1, 192))


def test_a_prefix_of_the_rows() -> None:
    """The prefix is everything, or one row, or there is one batch; the counterexample is at the hints."""
    _, f = fake(torch.empty(4, 8, 6), dynamic_strides=False)
    b, s, d = f.shape
    with f.fake_mode:
        answer = view_guard(f[:, :3], (b * 3, d))
        assert (answer.outcome, answer.guard) == ("copy", f"{symbol(s)} != 3")
        assert "at index (3,0)" in str(answer.counterexample)
        assert view_guard(f[:, :8], (-1, d)).guard == f"{symbol(s)} == 8"


# SymInts anywhere


SYMINTS_READ: dict[str, Callable[[Any, Any, Any], Any]] = {
    "a view": lambda x, n, m: View(x.shape, x.stride()),
    "a contiguous view": lambda x, n, m: View(x.shape),
    "an offset": lambda x, n, m: View((2,), (1,), n),
    "a mask": lambda x, n, m: View((8,), (1,), 0, [(0, n)]),
    "a part": lambda x, n, m: View((8, 8)).shrink([(0, n), (0, m)]),
    "a padded view": lambda x, n, m: View((8,)).pad([(n, m)]),
    "a repeated view": lambda x, n, m: View((1, 1)).expand(x.shape),
    "a shape": lambda x, n, m: reshape_conditions(View(x.shape, x.stride()), (n * m,)).guards(),
    "an assumption": lambda x, n, m: reshape_conditions(View((n, m), (7, 1)), (n * m,), assume=m == 7).guards(),
    "a merge": lambda x, n, m: conditions(View(x.shape, x.stride()), View((n * m,))).guards(),
    "a program": lambda x, n, m: tensor("x", (n, m)).reshape((m, n)),
    "a layout": lambda x, n, m: cute.Layout((n, m), (m, 1)),
    "a compact layout": lambda x, n, m: cute.make_layout((n, m)),
    "a tile": lambda x, n, m: cute.logical_divide(cute.Layout((8, 8)), (n, m)),
    "a coordinate": lambda x, n, m: cute.Layout((9, 9))(n, m),
}
SYMINTS_REFUSED: dict[str, Callable[[Any, Any, Any], Any]] = {
    "an axis": lambda x, n, m: View((3,) * 8).flip(n),
    "axes": lambda x, n, m: View((1,) * 8).permute((n, m)),
    "an order": lambda x, n, m: View.in_order(x.shape, (n, m)),
    "an axis of a program": lambda x, n, m: tensor("x", (1,) * 8).flip(n),
    "an index": lambda x, n, m: View((9, 9)).at((n, m)),
    "an address": lambda x, n, m: unravel(n, (9, 9)),
    "digits": lambda x, n, m: ravel((n, m), (9, 9)),
    "a count": lambda x, n, m: floor_sum(n, m, 1, 1),
    "a number of a mode": lambda x, n, m: cute.Layout((9,) * 8)[n],
    "bits of a swizzle": lambda x, n, m: cute.Swizzle(n, m, 3),
}


@pytest.mark.parametrize("name", [*SYMINTS_READ, *SYMINTS_REFUSED])
def test_a_symint_is_a_name_and_specialises_nothing(name) -> None:
    """Python's `index` of one adds Eq(s, 4) to the ShapeEnv: the program would be right for that size alone."""
    env, f = fake(torch.empty(4, 6), dynamic_strides=False)
    if name in SYMINTS_READ:
        found = SYMINTS_READ[name](f, *f.shape)
        assert symbol(f.shape[0]) in str(found) or found == "True"
    else:
        with pytest.raises(SymviewError):
            SYMINTS_REFUSED[name](f, *f.shape)
    assert not env.guards
