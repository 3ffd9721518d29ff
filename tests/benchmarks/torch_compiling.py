"""Functions of public models under `torch.compile`, by PyTorch alone and with symview: what pays, and what does not.

`cd tests && python -c "from benchmarks.torch_compiling import *; print(public(10, rounds=2))"`; `public(10,
"inductor")` takes PyTorch's default backend, which needs a C++ compiler.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

from .measure import Seconds, Table


def window_parts(x: Any) -> Any:
    b, h, w, c = x.shape
    return x.view(b, h // 7, 7, w // 7, 7, c).permute(0, 1, 3, 2, 4, 5).contiguous().view(-1, 7, 7, c)


def window_merge(x: Any, h: int, w: int) -> Any:
    b = x.shape[0] // ((h // 7) * (w // 7))
    y = x.view(b, h // 7, w // 7, 7, 7, -1)
    return y.permute(0, 1, 3, 2, 4, 5).contiguous().view(b, h, w, -1)


def there_and_back(x: Any) -> Any:
    return window_merge(window_parts(x) * 2, x.shape[1], x.shape[2])


def space_to_depth(x: Any) -> Any:
    b, h, w, c = x.shape
    return x.view(b, h // 2, 2, w // 2, 2, c).permute(0, 1, 3, 2, 4, 5).reshape(b, h // 2, w // 2, 4 * c) * 2


def packed_qkv(x: Any) -> Any:
    b, s, _ = x.shape
    q, k, v = x.view(b, s, 3, 8, -1).permute(2, 0, 3, 1, 4)
    return q @ k.transpose(-1, -2) @ v


def three_projections(x: Any) -> Any:
    b, s, _ = x.shape
    q, k, v = (t.reshape(b, s, 8, -1).transpose(1, 2) for t in x.chunk(3, -1))
    return (q @ k.transpose(-1, -2) @ v).transpose(1, 2).reshape(b, s, -1)


def channels_shuffled(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.view(n, 4, c // 4, h, w).transpose(1, 2).contiguous().view(n, c, h, w) + 1


def pixels(x: Any) -> Any:
    import torch

    return torch.nn.functional.pixel_unshuffle(torch.nn.functional.pixel_shuffle(x, 2) + 1, 2)


def patches(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.view(n, c, h // 4, 4, w // 4, 4).permute(0, 2, 4, 3, 5, 1).reshape(n, -1, 16 * c) + 1


def grouped_norm(x: Any) -> Any:
    y = x.reshape(x.shape[0], 8, -1)
    return ((y - y.mean(-1, keepdim=True)) * 2).view(x.shape)


def heads(x: Any) -> Any:
    return x.view(*x.shape[:2], 8, -1).transpose(1, 2).softmax(-1)


def triples(x: Any) -> Any:
    return x.view(-1, 3).cumsum(-1)


FUNCTIONS: tuple[tuple[Callable[..., Any], Sequence[tuple[int, ...]]], ...] = (
    (there_and_back, ((2, 14, 21, 3), (3, 21, 14, 5), (1, 28, 28, 4))),
    (space_to_depth, ((2, 8, 6, 3), (3, 4, 10, 5), (2, 2, 4, 3))),
    (packed_qkv, ((4, 6, 384), (4, 6, 768), (4, 6, 24))),
    (three_projections, ((4, 6, 384), (4, 6, 768), (4, 6, 24))),
    (channels_shuffled, ((2, 8, 3, 3), (3, 12, 5, 4), (2, 4, 3, 3))),
    (pixels, ((2, 8, 3, 5), (3, 12, 5, 4), (2, 4, 3, 3))),
    (patches, ((2, 3, 8, 12), (3, 4, 4, 8), (2, 3, 16, 8))),
    (grouped_norm, ((2, 16, 5, 5), (2, 24, 3, 3), (2, 8, 5, 4))),
    (heads, ((4, 6, 64), (4, 6, 96), (3, 5, 8))),
    (triples, ((4, 6, 9), (5, 7, 6), (2, 2, 3))),
)


def public(functions: int, backend: str = "eager", rounds: int = 1) -> Table:
    """Graphs, guards, their characters and CPU time of the first so many functions, in both ways.

    The time is that of the fastest of so many rounds.
    """
    if not find_spec("torch"):
        return Table("compiled functions", ("measured",), [("nothing: PyTorch is not installed",)])
    import torch

    from symview.torch import compile_report

    torch.manual_seed(0)
    rows = list[tuple[Any, ...]]()
    for function, shapes in FUNCTIONS[:functions]:
        inputs = [torch.rand(shape) for shape in shapes]
        found = [compile_report(function, *inputs, backend=backend) for _ in range(rounds)]
        for runs in ([report.alone for report in found], [report.with_symview for report in found]):
            run = min(runs, key=lambda run: sum(run.seconds))
            sums = sum(run.guards), sum(run.characters), Seconds(sum(run.seconds))
            rows.append((function.__name__, run.name, run.graphs, *sums, all(report.same for report in found)))
    header = ("function", "", "graphs", "guards", "characters", "CPU", "equal outputs")
    return Table(f"compiled functions at three sizes each, backend {backend}", header, rows)
