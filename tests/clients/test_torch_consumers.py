"""Who reads a copy next: the rules of kernels against the kernels, and advice that would only move a copy."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
import torch
import torch.nn.functional as F

from symview.torch import copies
from symview.torch.consumers import MATRICES, READ, is_copied

RANKS = {
    "mm": (2,), "addmm": (2,), "bmm": (3,), "native_layer_norm": (2, 3, 4), "_softmax": (2, 3, 4),
    "convolution": (3, 4, 5), "native_group_norm": (3, 4),
}  # fmt: skip


def kernel(name: str, x: Any, columns: int) -> Any:
    """The operation of a tensor, in the way in which programs call it."""
    ones, batch, inner = torch.ones, x.shape[0], x.shape[-1]
    match name:
        case "mm":
            return torch.mm(x, ones(inner, columns))
        case "addmm":
            return torch.addmm(ones(columns), x, ones(inner, columns))
        case "bmm":
            return torch.bmm(x, ones(batch, inner, columns))
        case "native_layer_norm":
            return F.layer_norm(x, (inner,))
        case "native_group_norm":
            return F.group_norm(x, 1)
        case "_softmax":
            return torch.softmax(x, -1)
    return (F.conv1d, F.conv2d, F.conv3d)[x.dim() - 3](x, ones(columns, x.shape[1], *[1] * (x.dim() - 2)))


def strided(shape: list[int], rng: Random) -> Any:
    """A tensor of this shape whose dims are permuted, cut, taken in steps or expanded."""
    order = rng.sample(range(len(shape)), len(shape))
    larger = [n * rng.choice((1, 1, 1, 2)) for n in shape]
    x = torch.randn([larger[d] for d in order]).permute([order.index(d) for d in range(len(shape))])
    for d, n in enumerate(shape):
        x = (
            x.narrow(d, 0, n)
            if rng.random() < 0.5 or x.shape[d] == n
            else x[(*[slice(None)] * d, slice(None, None, 2))]
        )
        x = x.narrow(d, 0, 1).expand_as(x) if rng.random() < 0.05 else x
    return x


@pytest.mark.parametrize("name", RANKS)
def test_what_a_rule_says_is_what_the_kernel_does(name, turns, least) -> None:
    rng, seen = Random(name), Counter[tuple[bool, bool]]()
    for _turn in turns(200):
        few = (1, 9, 12) if name == "bmm" else (1, 2, 3, 5, 9)
        shape = [rng.choice(few) for _ in range(rng.choice(RANKS[name]))]
        if name == "native_group_norm":
            shape[-1] = rng.choice((2, 5))
        x, columns = strided(shape, rng), rng.choice((1, 2, 12, 12))
        rule = is_copied(name, x.shape, x.stride(), x.shape[-2:].numel() * columns)
        with torch.no_grad(), copies() as report:
            kernel(name, x, columns)
        copied = len(report) > 0
        assert copied or not rule, (tuple(x.shape), x.stride(), columns)
        seen[rule, copied] += 1
    assert min(seen[True, True], seen[False, False]) >= least(10)
    assert seen[False, True] < 3  # formats that PyTorch reads otherwise, of expanded tensors


def test_each_kernel_that_is_observed_has_a_rule() -> None:
    assert {*READ, *MATRICES} == {*RANKS}


def told(run: Callable[[Any], Any], *shape: int) -> str:
    with torch.no_grad(), copies() as report:
        run(torch.randn(shape))
    return report.copies[0].instead


HERE = rf"without it %s at .*{__file__.rpartition('/')[2]}:\d+ would copy"


@pytest.mark.parametrize(
    ("run", "shape", "what"),
    [
        (lambda x: F.conv2d(x.transpose(2, 3).contiguous().view(2, 3, 9, 8), torch.ones(4, 3, 1, 1)), (2, 3, 8, 9),
         "aten::convolution"),
        (lambda x: F.conv2d(x.mT.contiguous(memory_format=torch.channels_last).view(2, 3, 9, 8),
                            torch.ones(4, 3, 1, 1)), (2, 3, 8, 9), "aten::convolution"),
        (lambda x: F.layer_norm(x.transpose(1, 2).contiguous().view(2, 9, 8), (8,)), (2, 8, 9),
         "aten::native_layer_norm"),
        (lambda x: torch.bmm(x.permute(2, 1, 0).contiguous().view(5, 8, 9), torch.ones(5, 9, 9)), (9, 8, 5),
         "aten::bmm"),
        (lambda x: x.transpose(1, 2).contiguous().view(2, 9, 8)[1:, 2:].reshape(-1), (2, 8, 9), "reshape"),
        (lambda x: x.transpose(1, 2).contiguous().view(2, 9, 8).view(2, 9, 2, 4).flatten(1, 2).flatten(1), (2, 8, 9),
         "flatten"),
        (lambda x: torch.mm(x[:, ::2].contiguous().view(8, 4), torch.ones(4, 3)), (8, 8), "aten::mm"),
        (lambda x: F.linear(x[:, ::2].contiguous().view(8, 4), torch.ones(3, 4), torch.ones(3)), (8, 8), "aten::addmm"),
        (lambda x: x.unsqueeze(1).expand(2, 2, 2).contiguous().view(1, 2, 2, 2)[..., 1:].flatten(), (2, 2), "flatten"),
    ],
)  # fmt: skip
def test_a_copy_that_would_only_move_is_not_advised_against(run, shape, what) -> None:
    assert re.fullmatch(HERE % what, told(run, *shape))


@pytest.mark.parametrize("gradient", [False, True])
def test_a_product_views_where_it_would_copy_only_for_a_gradient(gradient) -> None:
    weight, bias = torch.ones(3, 8, requires_grad=gradient), torch.ones(3)

    def run(x: Any, dropped: bool) -> None:
        y = x.transpose(1, 2)
        F.linear((y if dropped else y.contiguous()).view(3, 5, 8), weight, bias)

    instead = told(lambda x: run(x, False), 3, 8, 5)
    assert re.fullmatch(HERE % "linear" + ", if its other operand needs a gradient", instead)
    with torch.no_grad(), copies() as report:
        run(torch.randn(3, 8, 5), True)
    assert len(report) == gradient


@pytest.mark.parametrize(
    ("run", "shape"),
    [
        (lambda x: F.layer_norm(x.transpose(1, 2).contiguous().view(2, 9, 8)[:, ::2], (8,)), (2, 8, 9)),
        (lambda x: torch.mm(x[:, 1:].contiguous().view(6, 1), torch.ones(1, 3)), (6, 2)),
        (lambda x: F.conv2d(x.permute(0, 3, 1, 2).contiguous().view(2, 3, 8, 9), torch.ones(4, 3, 1, 1)), (2, 8, 9, 3)),
        (lambda x: torch.mm(x.t().contiguous().view(9, 8)[1:], torch.ones(8, 3)), (8, 9)),
        (lambda x: torch.bmm(x.permute(2, 1, 0).contiguous().view(5, 3, 2), torch.ones(5, 2, 2)), (2, 3, 5)),
        (lambda x: x.transpose(1, 2).contiguous().view(2, 9, 8)[1:, 2:] + 1, (2, 8, 9)),
        (lambda x: x.transpose(1, 2).contiguous().view(2, 9, 8)[1:, :1].reshape(-1), (2, 8, 9)),
    ],
)
def test_a_copy_that_the_next_operation_does_not_need_is(run, shape) -> None:
    assert told(run, *shape).startswith(("drop .contiguous()", ".reshape instead"))


def test_the_memory_of_a_copy_that_is_gone_is_no_copy() -> None:
    def run(x: Any) -> None:
        x.t().contiguous().view(9, 8)
        for _ in range(5):
            torch.mm(torch.randn(18, 9)[::2].t()[:, :3], torch.ones(3, 3))

    assert told(run, 8, 9).startswith("drop .contiguous()")
