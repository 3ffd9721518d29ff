"""Views of tensors with dynamic sizes, by name: what models, exporters and tests of compilers ask of PyTorch.

PyTorch is imported where a pattern is made: the benchmarks read this file where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple


class Pattern(NamedTuple):
    """A tensor of these sizes, contiguous, and what is asked of it.

    `sizes`: an int in a list is static; other ints are hints of symbols; "u" is a size without a hint.
    `ask` takes the tensor and its sizes, and gives a tensor (a view of it) and the new shape.
    `strides`: whether each stride is a symbol of its own, of these values.
    """

    name: str
    sizes: Sequence[Any]
    ask: Callable[..., tuple[Any, Sequence[Any]]]
    strides: Sequence[int] | None = None


class Made(NamedTuple):
    """A fake tensor, the shape asked for, their ShapeEnv and mode."""

    tensor: Any
    shape: tuple[Any, ...]
    env: Any
    mode: Any


def made(pattern: Pattern, turn: int = 0) -> Made:
    """The question, in a ShapeEnv of its own; the symbols have other names in another turn."""
    import torch
    from torch._dynamo.source import ConstantSource
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv, StatelessSymbolicContext

    env = ShapeEnv(duck_shape=False)
    mode = FakeTensorMode(shape_env=env, allow_non_fake_inputs=True)
    if "u" in pattern.sizes:
        with mode:
            _ = [env.create_unbacked_symint() for _ in range(turn)]
            sizes = [env.create_unbacked_symint() if n == "u" else _number(n) for n in pattern.sizes]
            x = torch.empty(sizes)
    else:
        rank = len(pattern.sizes)
        kind = DimDynamic.INFER_STRIDE if pattern.strides is None else DimDynamic.DYNAMIC
        context = StatelessSymbolicContext(
            dynamic_sizes=[DimDynamic.STATIC if isinstance(n, list) else DimDynamic.DYNAMIC for n in pattern.sizes],
            dynamic_strides=[kind] * rank, constraint_sizes=[None] * rank,
        )  # fmt: skip
        sizes = [_number(n) for n in pattern.sizes]
        real = torch.empty(sizes) if pattern.strides is None else torch.empty_strided(sizes, tuple(pattern.strides))
        x = mode.from_tensor(real, symbolic_context=context, source=ConstantSource(f"x{turn}" if turn else "x"))
    with mode:
        tensor, shape = pattern.ask(x, *x.shape)
    return Made(tensor, tuple(shape), env, mode)


def _number(size: Any) -> int:
    return size[0] if isinstance(size, list) else size


def _checked(*conditions: Any) -> None:
    import torch

    for c in conditions:
        torch._check(c)


def _moes(x: Any, t: Any, _: Any) -> Any:
    _checked(t % 8 == 0)
    return x, (8, -1, 64)


def _quadruple(x: Any, u: Any, v: Any) -> Any:
    _checked(u == 4 * v)
    return x, (v, 4, v)


def _quadruple_rows(x: Any, u: Any, v: Any) -> Any:
    _checked(u == 4 * v, v >= 1)
    return x.transpose(0, 1), (v * u,)


def _same(x: Any, u: Any, v: Any, _: Any) -> Any:
    _checked(u == v)
    return x, (v, u, 4)


def _twelve(x: Any, u: Any, _: Any) -> Any:
    _checked(u % 12 == 0)
    return x, (12, -1, 192)


def _positive(x: Any, u: Any, *_: Any) -> Any:
    _checked(u >= 1)
    return x.permute(0, 2, 1), (u, 80)


def _square(x: Any, u: Any, v: Any) -> Any:
    _checked(u == v)
    return x.t(), (u * v,)


H = [8]
PATTERNS = (
    # Sizes with hints; the tensor is contiguous before it is moved
    Pattern("tokens of a batch", (4, 6, 10), lambda x, b, s, d: (x, (b * s, d))),
    Pattern("tokens of a batch by -1", (4, 6, 10), lambda x, b, s, d: (x, (-1, d))),
    Pattern("everything in one dim", (4, 6, 10), lambda x, b, s, d: (x, (-1,))),
    Pattern("triples", (4, 6, 9), lambda x, b, s, d: (x, (-1, 3))),
    Pattern("heads of a hidden size by -1", (4, 6, 64), lambda x, b, s, d: (x, (b, s, 8, -1))),
    Pattern("heads of a hidden size by //", (4, 6, 64), lambda x, b, s, d: (x, (b, s, 8, d // 8))),
    Pattern("heads back, transposed", (4, H, 6, 16), lambda x, b, h, s, d: (x.transpose(1, 2), (b, s, h * d))),
    Pattern("heads back, contiguous", (4, 6, H, 16), lambda x, b, s, h, d: (x, (b, s, h * d))),
    Pattern("a slice of the hidden size in heads", (4, 6, 96), lambda x, b, s, d: (x[..., :64], (b, s, 8, 8))),
    Pattern("a slice of the hidden size, tokens", (4, 6, 96), lambda x, b, s, d: (x[..., :64], (b * s, 64))),
    Pattern("a slice of the hidden size, flat", (4, 6, 96), lambda x, b, s, d: (x[..., :64], (b, s * 64))),
    Pattern("q of packed qkv", (4, 6, [384]), lambda x, b, s, d: (x[..., :128], (b, s, 8, 16))),
    Pattern("q of packed qkv, dynamic", (4, 6, 384), lambda x, b, s, d: (x[..., : d // 3], (b, s, 8, -1))),
    Pattern("k of packed qkv, tokens", (4, 6, 384), lambda x, b, s, d: (x[..., d // 3 : 2 * (d // 3)], (b * s, -1))),
    Pattern("packed qkv", (4, 6, 384), lambda x, b, s, d: (x, (b, s, 3, 8, -1))),
    Pattern("a prefix of the rows", (4, 8, 6), lambda x, b, s, d: (x[:, :3], (-1, d))),
    Pattern("all but the first row", (4, 8, 6), lambda x, b, s, d: (x[:, 1:], (-1, d))),
    Pattern("every other row", (4, 8, 6), lambda x, b, s, d: (x[:, ::2], (-1, d))),
    Pattern("repeated heads", (4, 6, 10), lambda x, b, s, d: (x[:, None].expand(b, 4, s, d), (b * 4, s, d))),
    Pattern("repeated rows as one dim", (4, 6), lambda x, b, s: (x[None].expand(3, b, s), (3 * b, s))),
    Pattern("an image in pixels", (2, 3, 8, 8), lambda x, n, c, h, w: (x, (n, c, h * w))),
    Pattern("channels last, in pixels", (2, 3, 8, 8), lambda x, n, c, h, w: (x.permute(0, 2, 3, 1), (n, -1, c))),
    Pattern("a channels-last image flat", (2, 3, 8, 8), lambda x, n, c, h, w: (x.permute(0, 2, 3, 1), (n, c * h * w))),
    Pattern("patches of 16", (2, [3], 64, 32), lambda x, n, c, h, w: (x, (n, 3, h // 16, 16, w // 16, 16))),
    Pattern("windows of 7", (2, 14, 21, 5), lambda x, b, h, w, c: (x, (b, h // 7, 7, w // 7, 7, c))),
    Pattern("windows of 7 of a matrix", (14, 21), lambda x, h, w: (x, (h // 7, 7, w // 7, 7))),
    Pattern("a transposed matrix flat", (5, 7), lambda x, a, b: (x.t(), (-1,))),
    Pattern("groups of channels", (2, 64, 5, 5), lambda x, n, c, h, w: (x, (n, 32, -1))),
    Pattern("pixel shuffle", (2, 16, 5, 5), lambda x, n, c, h, w: (x, (n, c // 4, 2, 2, h, w))),
    Pattern("two sizes swapped", (5, 7), lambda x, a, b: (x, (b, a))),
    Pattern("two sizes of a strided tensor swapped", (5, 7), lambda x, a, b: (x[:, : b - 1], (b - 1, a))),
    Pattern("keys of a cache", (6, [2], 16, H, 32), lambda x, n, _, b, h, d: (x[:, 0], (n * b, h, d))),
    Pattern("keys of a cache, block by block", (6, [2], 16, H, 32), lambda x, n, _, b, h, d: (x[:, 0], (n, -1, d))),
    Pattern("pairs for a rotation", (4, 6, H, 64), lambda x, b, s, h, d: (x, (b, s, h, d // 2, 2))),
    Pattern("halves for a rotation", (4, 6, H, 64), lambda x, b, s, h, d: (x, (b, s, h, 2, -1))),
    Pattern("grouped queries", (4, 6, 12, 16), lambda x, b, s, h, d: (x, (b, s, 4, h // 4, d))),
    Pattern("windows of a signal", (12,), lambda x, n: (x.unfold(0, 3, 1), (-1,))),
    Pattern("windows of a signal without overlap", (12,), lambda x, n: (x.unfold(0, 3, 3), (-1,))),
    Pattern("experts", (64, [64]), _moes),
    Pattern("a dim of 1 put between", (4, 6, 10), lambda x, b, s, d: (x, (b, 1, s, d))),
    # Strides that are symbols
    Pattern("strided tokens", (4, 5, 6), lambda x, b, s, d: (x, (b * s, d)), (60, 12, 2)),
    Pattern("strided rows", (4, 5, 6), lambda x, b, s, d: (x, (b, -1)), (60, 12, 2)),
    Pattern("strided, all in one dim", (4, 5, 6), lambda x, b, s, d: (x, (-1,)), (60, 12, 2)),
    Pattern("strided, not to be viewed", (4, 5, 6), lambda x, b, s, d: (x, (b * s, d)), (70, 12, 1)),
    Pattern("strided heads back", (4, 5, 6, 7), lambda x, a, b, c, d: (x, (a, b * c, d)), (420, 84, 14, 2)),
    Pattern("strided, two sizes swapped", (4, 5, 6), lambda x, b, s, d: (x, (s, b, d)), (60, 12, 2)),
    # Sizes without hints
    Pattern("rows of unknown number", ("u", 20, 4), lambda x, u, *_: (x.permute(0, 2, 1), (u, 80))),
    Pattern("rows of unknown number, some", ("u", 20, 4), _positive),
    Pattern("unknown rows and columns", ("u", "u", 4), lambda x, u, v, _: (x, (u * v, 4))),
    Pattern("unknown rows and columns, flat", ("u", "u", 4), lambda x, *_: (x, (-1,))),
    Pattern("unknown columns joined", ("u", "u", 4), lambda x, u, v, _: (x, (u, 4 * v))),
    Pattern("an unknown matrix transposed, flat", ("u", "u"), lambda x, u, v: (x.t(), (u * v,))),
    Pattern("unknown heads", ("u", "u", 64), lambda x, u, v, _: (x, (u, v, 8, 8))),
    Pattern("twelve heads, if they divide", ("u", 192), lambda x, *_: (x, (12, -1, 192))),
    Pattern("twelve heads that divide", ("u", 192), _twelve),
    Pattern("a size four times another", ("u", "u"), _quadruple),
    Pattern("a size four times another, transposed", ("u", "u"), _quadruple_rows),
    Pattern("two equal sizes", ("u", "u", 4), _same),
    Pattern("a square of unknown size", ("u", "u"), _square),
    Pattern("a prefix of unknown length", ("u", 8, 8), lambda x, u, *_: (x, (u * 8, 8))),
)  # fmt: skip
