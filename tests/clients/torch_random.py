"""Random programs of views that run on fake tensors and on real ones, and what a trace says of the real ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

import sympy
import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

Step = Callable[[Any], Any]


class Program(NamedTuple):
    """A tensor with these sizes and strides, and what is done to it.

    A size is a number, "b" for a symbol with a hint, or "u" for one without; strides None are contiguous, else an "s"
    is a symbol. `text` says what the steps are.
    """

    sizes: Sequence[Any]
    strides: Sequence[Any] | None
    steps: Sequence[Step]
    text: str


def random_program(rng: Random, kinds: str = "bbbbu") -> Program:
    """Up to four dims, of which some are expanded, cut or moved, and up to two changes of their shape."""
    rank = rng.randint(1, 4)
    sizes = [rng.choice((0, 1, 1, 2, 3)) if rng.random() < 0.25 else rng.choice(kinds) for _ in range(rank)]
    strides = None
    if rng.random() < 0.3:
        strides = [rng.choice(("s", "s", 0, 1, 2)) for _ in range(rank)]
    steps = [_moved(rng) for _ in range(rng.randint(0, 3))]
    ways = ("view",) if "u" in sizes else ("view", "view", "reshape")  # without hints PyTorch's `reshape` may copy
    steps += [_reshaped(rng, ways), *([_moved(rng), _reshaped(rng, ways)] if rng.random() < 0.4 else [])]
    return Program(sizes, strides, [step for step, _ in steps], ", ".join(text for _, text in steps))


def _moved(rng: Random) -> tuple[Step, str]:
    a, b, k = rng.randrange(8), rng.randrange(8), rng.randint(1, 3)
    kind = rng.choice(("transpose", "cut", "first", "step", "expand", "one", "narrow"))

    def step(x: Any) -> Any:
        if not x.dim():
            return x
        i, j = a % x.dim(), b % x.dim()
        slices = [slice(None)] * x.dim()
        if kind == "transpose":
            return x.transpose(i, j)
        if kind == "expand":
            return x.unsqueeze(i).expand(*x.shape[:i], k + 1, *x.shape[i:])
        if kind == "one":
            return x.unsqueeze(i)
        if kind == "narrow":
            return x.narrow(i, 0, x.shape[i] - k)
        slices[i] = {"cut": slice(k, None), "first": slice(None, k), "step": slice(None, None, 2)}[kind]
        return x[tuple(slices)]

    return step, f"{kind} {a},{b},{k}"


def _reshaped(rng: Random, ways: Sequence[str]) -> tuple[Step, str]:
    a, k, way = rng.randrange(8), rng.choice((2, 2, 3, 4)), rng.choice(ways)
    kind = rng.choice(("merge", "merge", "split", "split by", "flat", "swap", "resplit", "merge more", "rows", "front"))

    def step(x: Any) -> Any:
        sizes = list(x.shape)
        i = a % max(1, len(sizes))
        two = len(sizes) > i + 1
        if kind == "merge" and two:
            sizes[i : i + 2] = [sizes[i] * sizes[i + 1]]
        elif kind == "merge more":
            whole = 1
            for n in sizes[i:]:
                whole = whole * n
            sizes[i:] = [whole]
        elif kind == "split" and sizes:
            sizes[i : i + 1] = [k, -1]
        elif kind == "split by" and sizes:
            sizes[i : i + 1] = [sizes[i] // k, k]
        elif kind == "swap" and two:
            sizes[i], sizes[i + 1] = sizes[i + 1], sizes[i]
        elif kind == "resplit" and two:
            sizes[i : i + 2] = [sizes[i] // k, k * sizes[i + 1]]
        elif kind == "rows" and sizes:
            sizes = [-1, sizes[-1]]
        elif kind == "front" and sizes:
            sizes = [sizes[0], -1]
        else:
            sizes = [-1]
        return getattr(x, way)(sizes)

    return step, f"{way} {kind} {a},{k}"


class Traced(NamedTuple):
    """A program on a fake tensor: the entries it began with, what came out, what was asked of the symbols.

    `refused`: the text of the error, where a step is not a view; `guards` have to hold for the trace to be used, and
    `checks` are made at run time.
    """

    entries: list[Any]
    sizes: list[Any]
    strides: list[Any]
    offset: Any
    refused: str
    guards: list[Any]
    checks: list[Any]


def traced(program: Program, rng: Random) -> Traced:
    """With hints from 2 up, at which strides often fit."""
    env = ShapeEnv(duck_shape=False)

    def symbol(name: str, hint: int) -> Any:
        source = ConstantSource(name)
        made = env.create_symbol(hint, source, dynamic_dim=DimDynamic.DYNAMIC)
        return env.create_symintnode(made, hint=hint, source=source)

    def entry(kind: Any, name: str, hint: int) -> Any:
        if kind == "u":
            return env.create_unbacked_symint()
        return symbol(name, hint) if kind in ("b", "s") else kind

    hints = [rng.choice((2, 3, 4, 6, 6, 8, 12)) for _ in program.sizes]
    with FakeTensorMode(shape_env=env):
        sizes = [entry(n, f"n{i}", h) for i, (n, h) in enumerate(zip(program.sizes, hints, strict=True))]
        if program.strides is None:
            x = torch.empty(sizes)
            entries = sizes
        else:
            fitting = fitting_strides(
                [h if isinstance(n, str) else n for n, h in zip(program.sizes, hints, strict=True)], rng
            )
            strides = [
                entry(t, f"t{i}", max(2, f)) for i, (t, f) in enumerate(zip(program.strides, fitting, strict=True))
            ]
            x = torch.empty_strided(sizes, strides)
            entries = [*sizes, *strides]
        began, refused = list(map(expression, entries)), ""
        try:
            for step in program.steps:
                x = step(x)
        except (ValueError, RuntimeError, IndexError) as error:
            refused = f"{type(error).__name__}: {error}"
    checks = [a.expr for asserts in env.deferred_runtime_asserts.values() for a in asserts]
    out = [list(map(expression, side)) for side in (x.shape, x.stride())]
    return Traced(began, *out, expression(x.storage_offset()), refused, [g.expr for g in env.guards], checks)


def fitting_strides(sizes: Sequence[int], rng: Random) -> list[int]:
    """Strides at which neighbours are contiguous more often than not."""
    strides, step = list[int](), rng.choice((1, 1, 2))
    for n in reversed(sizes):
        strides.insert(0, step)
        step = step * max(1, n) + (rng.randint(1, 3) if rng.random() < 0.2 else 0)
    return strides


def expression(entry: Any) -> Any:
    return entry.node.expr if isinstance(entry, torch.SymInt) else sympy.Integer(entry)


class Real(NamedTuple):
    """What the program does with numbers: the tensor, or the error."""

    tensor: Any
    refused: str


def real(program: Program, numbers: Sequence[int]) -> Real:
    rank = len(program.sizes)
    sizes, strides = numbers[:rank], numbers[rank:]
    x = (
        torch.empty_strided(sizes, strides, device="meta")
        if program.strides is not None
        else torch.empty(sizes, device="meta")
    )
    try:
        for step in program.steps:
            x = step(x)
    except (ValueError, RuntimeError, IndexError) as error:
        return Real(None, f"{type(error).__name__}: {error}")
    return Real(x, "")


def numbers_of(program: Program, entries: Sequence[Any], rng: Random) -> list[int]:
    """Values of the entries: those with hints from 2 up, those without from 0, strides from 0 that often fit."""
    rank, chosen = len(program.sizes), list[int]()
    for e, kind in zip(entries, program.sizes, strict=False):
        chosen.append(
            int(e)
            if e.is_Integer
            else rng.choice((0, 1, 1, 2, 3, 4, 6) if kind == "u" else (2, 2, 3, 4, 5, 6, 8, 9, 12))
        )
    for e, fit in zip(entries[rank:], fitting_strides(chosen, rng), strict=False):
        chosen.append(int(e) if e.is_Integer else max(2, fit if rng.random() < 0.9 else rng.randint(2, 40)))
    return chosen


def at(expressions: Sequence[Any], values: dict[Any, Any]) -> list[Any]:
    return [e.xreplace(values) for e in expressions]


def all_hold(formulas: Sequence[Any], values: dict[Any, Any]) -> bool:
    """Whether they hold; what divides by 0 does not."""
    try:
        return all(bool(f) for f in at(formulas, values))
    except (ZeroDivisionError, AssertionError):  # PyTorch's Mod takes no negative numbers
        return False


def fault(program: Program, trace: Traced, numbers: Sequence[int]) -> tuple[str, str]:
    """What the trace says wrongly of these numbers, or ""; and how they were used.

    Where all guards hold, the real tensor has the sizes, strides (but those of sizes 1 and without elements) and the
    offset of the trace, and fails where the trace or a check does; "too strong" is a check that fails for nothing.
    """
    values = {e: sympy.Integer(n) for e, n in zip(trace.entries, numbers, strict=True) if e.is_Symbol}
    if not all_hold(trace.guards, values):
        return "", "other"
    there = real(program, numbers)
    if "data-dependent" in trace.refused or "one element or none" in trace.refused:
        return "", "cannot tell"
    if trace.refused:
        return ("refused, but there is a view" if not there.refused else ""), "refused"
    if not all_hold(trace.checks, values):
        return "", "check fails" if there.refused else "too strong"
    if there.refused:
        return f"traced, but {there.refused}", "view"
    sizes, strides = ([int(n) for n in at(side, values)] for side in (trace.sizes, trace.strides))
    x = there.tensor
    if sizes != list(x.shape):
        return f"sizes {sizes}, not {tuple(x.shape)}", "view"
    if x.numel() == 0:
        return "", "empty"
    if int(trace.offset.xreplace(values)) != x.storage_offset():
        return "another offset", "view"
    wrong = [(t, u) for n, t, u in zip(sizes, strides, x.stride(), strict=True) if n != 1 and t != u]
    return (f"strides {strides}, not {x.stride()}" if wrong else ""), "view"
