"""Small programs over tensors, each with arguments of several sizes, for `torch.compile`.

`PROGRAMS` have sizes with hints; those of `DATA_DEPENDENT` read sizes from data, and each says its first result.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import torch


class Program(NamedTuple):
    """A function of tensors, and the sizes with which it is called, one after another."""

    name: str
    run: Callable[..., Any]
    calls: Sequence[Sequence[Any]]

    def arguments(self) -> list[list[torch.Tensor]]:
        """The tensors of each call; a call is one shape, or a list of shapes."""
        return [[numbered(s) for s in (call if isinstance(call, list) else [call])] for call in self.calls]


def numbered(shape: Sequence[int]) -> torch.Tensor:
    """A tensor of other elements at each place."""
    count = 1
    for n in shape:
        count *= n
    return torch.arange(count, dtype=torch.float32).reshape(shape)


def attention(x: Any) -> Any:
    b, s, d = x.shape
    q, k, v = x.view(b, s, 3, 4, d // 12).permute(2, 0, 3, 1, 4)
    out = torch.softmax(q @ k.transpose(-2, -1), -1) @ v
    return out.transpose(1, 2).contiguous().view(b, s, d // 3)


def windows(x: Any) -> Any:
    b, h, w, c = x.shape
    x = x.view(b, h // 4, 4, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5).contiguous()
    return x.view(-1, 16, c) * 2


def windows_and_back(x: Any) -> Any:
    b, h, w, c = x.shape
    y = windows(x).view(b, h // 4, w // 4, 4, 4, c)
    return y.permute(0, 1, 3, 2, 4, 5).contiguous().view(b, h, w, c)


def rotary(x: Any) -> Any:
    one, other = x.view(*x.shape[:-1], 2, -1).unbind(-2)
    return torch.cat((-other, one), -1)


def shuffled(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.view(n, 4, c // 4, h, w).transpose(1, 2).contiguous().view(n, c, h, w)


def gated(x: Any) -> Any:
    gate, up = x.view(*x.shape[:-1], 2, -1).unbind(-2)
    return (gate.sigmoid() * up).view(-1, up.shape[-1])


def cached(cache: Any, new: Any) -> Any:
    b, s, h, d = new.shape
    return cache[:, :s].add(new).view(b, s, h * d)


def patches(x: Any) -> Any:
    n, c, h, w = x.shape
    x = x.view(n, c, h // 2, 2, w // 2, 2).permute(0, 2, 4, 3, 5, 1)
    return x.reshape(n, -1, 4 * c)


PROGRAMS = (
    Program("heads by -1", lambda x: x.view(*x.shape[:2], 8, -1) + 1, [(4, 6, 64), (4, 6, 96), (3, 5, 8), (2, 3, 16)]),
    Program("a slice in heads", lambda x: x[..., :64].view(*x.shape[:2], 8, 8) + 1,
            [(4, 6, 96), (4, 6, 128), (3, 5, 64)]),
    Program("triples", lambda x: x.view(-1, 3) + 1, [(4, 6, 9), (5, 7, 6), (2, 2, 3)]),
    Program("packed qkv", lambda x: x.view(*x.shape[:2], 3, 8, -1) + 1, [(4, 6, 384), (4, 6, 768), (4, 6, 24)]),
    Program("sizes swapped", lambda x: x.view(x.shape[1], x.shape[0]) + 1, [(5, 7), (6, 8), (6, 6), (9, 3)]),
    Program("groups", lambda x: x.view(x.shape[0], 32, -1) + 1,
            [(2, 64, 5, 5), (2, 96, 5, 5), (2, 32, 5, 5), (2, 48, 4, 4)]),
    Program("attention with packed qkv", attention, [(2, 5, 24), (3, 7, 48), (2, 4, 12)]),
    Program("windows", windows, [(2, 8, 12, 3), (3, 12, 8, 5), (2, 4, 8, 3)]),
    Program("windows and back", windows_and_back, [(2, 8, 12, 3), (3, 12, 8, 5), (2, 4, 4, 3)]),
    Program("rotary", rotary, [(2, 3, 8), (2, 5, 6), (3, 4, 2)]),
    Program("channels shuffled", shuffled, [(2, 8, 3, 3), (3, 12, 5, 4), (2, 4, 3, 3)]),
    Program("gated", gated, [(2, 3, 8), (4, 5, 12), (2, 3, 2)]),
    Program("a prefix of a cache", cached,
            [[(2, 9, 4, 3), (2, 5, 4, 3)], [(3, 9, 4, 5), (3, 9, 4, 5)], [(2, 8, 2, 3), (2, 4, 2, 3)]]),
    Program("patches", patches, [(2, 3, 8, 6), (3, 4, 4, 10), (2, 3, 2, 4)]),
    Program("tokens", lambda x: x.view(-1, x.shape[-1]) + 1, [(4, 6, 10), (3, 7, 5), (2, 2, 2)]),
    Program("flat", lambda x: x.flatten() + 1, [(4, 6, 10), (3, 7, 5), (2, 2, 2)]),
    Program("unflattened", lambda x: x.unflatten(-1, (4, -1)) + 1, [(4, 6, 16), (3, 7, 12), (2, 2, 4)]),
    Program("rows of pairs", lambda x: x.view(-1, 2, x.shape[-1]) + 1, [(4, 6), (8, 5), (2, 3)]),
    Program("flat after a transpose", lambda x: x.transpose(0, 1).reshape(-1) + 1, [(4, 6), (5, 3), (7, 2)]),
    Program("every other row", lambda x: x[:, ::2].reshape(-1, x.shape[-1]) + 1, [(4, 8, 6), (3, 6, 5), (2, 2, 4)]),
    Program("pixels", lambda x: x.flatten(2).transpose(1, 2) + 1, [(2, 3, 4, 5), (3, 4, 6, 5), (2, 3, 2, 2)]),
    Program("a square", lambda x: x.view(x.shape[0] // 2, 2, -1) + 1, [(4, 6), (8, 5), (2, 2)]),
    Program("grouped queries", lambda x: x.view(x.shape[0], 4, -1, x.shape[-1]) + 1,
            [(2, 12, 16), (3, 8, 5), (2, 4, 6)]),
)  # fmt: skip


# Sizes that are read from data; each is called where its view is legal


def chosen(x: Any, mask: Any) -> Any:
    return x[mask.nonzero().squeeze(1)]


def prefix(x: Any, count: Any) -> Any:
    n = count.item()
    torch._check(n >= 0)
    torch._check(n <= x.shape[1])
    return x.narrow(1, 0, n)


def rows_of(x: Any, count: Any) -> Any:
    y = prefix(x, count)
    return y.view(y.shape[0] * y.shape[1], y.shape[2])


def columns_flat(x: Any, mask: Any) -> Any:
    y = chosen(x, mask).t()
    return y.view(y.shape[0] * y.shape[1])


def heads_of_prefix(x: Any, count: Any) -> Any:
    y = prefix(x, count)
    return y.view(y.shape[0], y.shape[1], 2, 2)


def rows_for_each_head(x: Any, mask: Any) -> Any:
    y = chosen(x, mask)
    return y.unsqueeze(1).expand(y.shape[0], 3, y.shape[1]).view(y.shape[0] * 3, y.shape[1])


def groups_of_four(x: Any, mask: Any) -> Any:
    return chosen(x, mask).view(4, -1, x.shape[1])


def columns_by_pairs(x: Any, count: Any) -> Any:
    y = prefix(x, count).transpose(0, 1)
    return y.view(y.shape[0] // 2, 2 * y.shape[1], y.shape[2])


def pairs_of_rows(x: Any, mask: Any) -> Any:
    y = chosen(x, mask)
    return y.view(-1, 2 * y.shape[1])


def the_only_row(x: Any, count: Any) -> Any:
    return prefix(x, count)[0, ::2].view(())


def the_only_number(x: Any, count: Any) -> Any:
    return prefix(x, count).view(1, 1)


def of_mask(*kept: int) -> torch.Tensor:
    return torch.tensor([n in kept for n in range(8)])


DATA_DEPENDENT: tuple[tuple[Callable[..., Any], tuple[torch.Tensor, ...]], ...] = (
    (rows_of, (numbered((3, 5, 4)), torch.tensor(5))),
    (columns_flat, (numbered((8, 6)), of_mask(3))),
    (heads_of_prefix, (numbered((3, 5, 4)), torch.tensor(2))),
    (rows_for_each_head, (numbered((8, 1)), of_mask(3))),
    (groups_of_four, (numbered((8, 6)), of_mask(0, 1, 2, 3))),
    (columns_by_pairs, (numbered((1, 6, 5)), torch.tensor(4))),
    (pairs_of_rows, (numbered((8, 6)), of_mask(0, 1, 2, 7))),
    (the_only_row, (numbered((3, 5)), torch.tensor(1))),
    (the_only_number, (numbered((1, 5)), torch.tensor(1))),
)


def compiled(program: Program) -> tuple[int, list[Any]]:
    """How often a program is compiled for its calls, and what it gives."""
    count = 0

    def backend(graph: Any, _: Any) -> Any:
        nonlocal count
        count += 1
        return graph.forward

    torch._dynamo.reset()
    run = torch.compile(program.run, backend=backend, dynamic=True)
    found = [run(*arguments) for arguments in program.arguments()]
    return count, found


def data_dependent(function: Callable[..., Any], arguments: Sequence[torch.Tensor], backend: str) -> Any:
    """What a compiled function gives whose sizes are read from data, all in one graph."""
    import torch._dynamo.config as config

    torch._dynamo.reset()
    with config.patch(capture_scalar_outputs=True, capture_dynamic_output_shape_ops=True):
        return torch.compile(function, backend=backend, fullgraph=True, dynamic=True)(*arguments)
