"""Fifty small models and functions, as they stand in code of users, which lay tensors out anew or do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import nn


def packed_qkv(x: Any) -> Any:
    b, s, d = x.shape
    q, k, v = x.view(b, s, 3, 4, d // 12).permute(2, 0, 3, 1, 4)
    out = torch.softmax(q @ k.transpose(-2, -1), -1) @ v
    return out.transpose(1, 2).reshape(b, s, -1)


def packed_qkv_contiguous(x: Any) -> Any:
    b, s, d = x.shape
    q, k, v = (t.contiguous() for t in x.view(b, s, 3, 4, d // 12).permute(2, 0, 3, 1, 4))
    return (q @ k.transpose(-2, -1) @ v).transpose(1, 2).contiguous().view(b, s, -1)


def one_batch(x: Any) -> Any:
    s, d = x.shape[1:]
    q, k, v = x[0].view(s, 3, 4, d // 12).permute(1, 2, 0, 3)
    return (q @ k.transpose(-2, -1) @ v).transpose(0, 1).reshape(s, -1)


def swin(x: Any) -> Any:
    b, h, w, c = x.shape
    x = x.view(b, h // 4, 4, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5).contiguous()
    return x.view(-1, 16, c)


def swin_back(x: Any) -> Any:
    x = x.view(2, 2, 3, 4, 4, 5).permute(0, 1, 3, 2, 4, 5).contiguous()
    return x.view(2, 8, 12, 5)


def swin_of_one_row(x: Any) -> Any:
    b, h, w, c = x.shape
    return x.view(b, 1, h, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, 4 * h, c)


def cache(x: Any) -> Any:
    keys = torch.zeros(2, 9, 4, 3)
    keys[:, :5] = x
    return keys[:, :5].reshape(2, 5, 12), keys[:, :5].reshape(10, 12), keys.transpose(1, 2).contiguous()


def blocks(x: Any) -> Any:
    return x[:, 0].reshape(-1, 4, 3), x.reshape(-1, 4, 3), x[:, 1].reshape(6, -1, 3)


def conv_then_linear(x: Any) -> Any:
    x = nn.Conv2d(3, 4, 3)(x)
    return nn.Linear(4 * 36, 5)(x.flatten(1))


def channels_last_then_linear(x: Any) -> Any:
    return nn.Linear(3 * 64, 5)(x.to(memory_format=torch.channels_last).flatten(1))


def channels_last_twice(x: Any) -> Any:
    x = x.to(memory_format=torch.channels_last)
    return x.contiguous(memory_format=torch.channels_last), x.permute(0, 2, 3, 1).contiguous()


def patches(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.reshape(n, c, h // 4, 4, w // 4, 4).permute(0, 2, 4, 3, 5, 1).reshape(n, -1, 16 * c)


def convolved_patches(x: Any) -> Any:
    return nn.Conv2d(3, 6, 4, 4)(x).flatten(2).transpose(1, 2)


def experts(x: Any) -> Any:
    tokens = x.view(-1, x.shape[-1])
    sorted_ = tokens[torch.arange(tokens.shape[0] - 1, -1, -1)]
    return sorted_.view(2, -1, x.shape[-1]).transpose(0, 1).reshape(-1, x.shape[-1])


def expert_matmul(x: Any) -> Any:
    return torch.bmm(x.reshape(2, 6, 4), torch.ones(2, 4, 5)).reshape(3, 4, 5)


def rotary(x: Any) -> Any:
    one, other = x.reshape(*x.shape[:-1], -1, 2).unbind(-1)
    return torch.stack((-other, one), -1).flatten(-2)


def rotary_of_heads(x: Any) -> Any:
    one, other = x.transpose(1, 2).reshape(2, 4, 5, 2, 3).unbind(-2)
    return torch.cat((-other, one), -1)


def shuffle(x: Any) -> Any:
    n, c, h, w = x.shape
    return x.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)


def layer_norm_first(x: Any) -> Any:
    return nn.LayerNorm(3)(x.permute(0, 2, 3, 1)).permute(0, 3, 1, 2).contiguous()


def two_linears(x: Any) -> Any:
    return nn.Linear(5, 6)(nn.Linear(6, 5)(x))


def linear_of_a_transpose(x: Any) -> Any:
    return nn.Linear(5, 3)(x.transpose(1, 2))


def attention_module(x: Any) -> Any:
    return nn.MultiheadAttention(6, 2, batch_first=True)(x, x, x, need_weights=False)[0]


def encoder(x: Any) -> Any:
    return nn.TransformerEncoderLayer(6, 2, 8, batch_first=True)(x)


def fused_attention(x: Any) -> Any:
    q = x.view(2, 5, 2, 3).transpose(1, 2)
    return F.scaled_dot_product_attention(q, q, q).transpose(1, 2).reshape(2, 5, 6)


def grouped_keys(x: Any) -> Any:
    keys = x.view(2, 5, 2, 3).transpose(1, 2)
    return keys[:, :, None].expand(2, 2, 2, 5, 3).reshape(2, 4, 5, 3)


def repeated_one(x: Any) -> Any:
    return x[:, None].expand(2, 1, 5, 6).reshape(2, 5, 6)


def loop(x: Any) -> Any:
    for _ in range(3):
        x = x.transpose(0, 1).contiguous()
    return x


def recurrent(x: Any) -> Any:
    return nn.GRU(6, 4, batch_first=True)(x)[0].reshape(2, -1)


def embedding(x: Any) -> Any:
    return nn.Embedding(10, 4)(x.long() % 10).view(2, -1)


def einsum_heads(x: Any) -> Any:
    return torch.einsum("bshd,bthd->bhst", x, x)


def einsum_outer(x: Any) -> Any:
    return torch.einsum("bi,bj->bij", x, x)


class Block(nn.Module):
    """Attention and a gated layer, as language models have them."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out, self.gate = nn.Linear(8, 24), nn.Linear(8, 8), nn.Linear(8, 32)
        self.down = nn.Linear(16, 8)

    def forward(self, x: Any) -> Any:
        b, s, d = x.shape
        q, k, v = self.qkv(x).chunk(3, -1)
        q, k, v = (t.view(b, s, 2, d // 2).transpose(1, 2) for t in (q, k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.out(y.transpose(1, 2).contiguous().view(b, s, d))
        gate, up = self.gate(x).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


MODELS: tuple[tuple[Callable[..., Any], tuple[int, ...]], ...] = (
    (packed_qkv, (2, 5, 24)), (packed_qkv_contiguous, (2, 5, 24)), (one_batch, (1, 5, 24)), (swin, (2, 8, 12, 5)),
    (swin_back, (12, 16, 5)), (swin_of_one_row, (2, 4, 12, 5)), (cache, (2, 5, 4, 3)), (blocks, (6, 2, 5, 4, 3)),
    (conv_then_linear, (2, 3, 8, 8)), (channels_last_then_linear, (2, 3, 8, 8)), (channels_last_twice, (2, 3, 4, 4)),
    (patches, (2, 3, 8, 12)), (convolved_patches, (2, 3, 8, 12)), (experts, (2, 3, 4)), (expert_matmul, (3, 4, 4)),
    (rotary, (2, 5, 4, 6)), (rotary_of_heads, (2, 5, 4, 6)), (shuffle, (2, 4, 3, 3)), (layer_norm_first, (2, 3, 4, 4)),
    (two_linears, (2, 3, 6)), (linear_of_a_transpose, (2, 5, 6)), (attention_module, (2, 5, 6)), (encoder, (2, 5, 6)),
    (fused_attention, (2, 5, 6)), (grouped_keys, (2, 5, 6)), (repeated_one, (2, 5, 6)), (loop, (4, 5)),
    (recurrent, (2, 5, 6)), (embedding, (2, 5)), (einsum_heads, (2, 5, 2, 3)), (einsum_outer, (4, 5)),
    (Block(), (2, 5, 8)),
    (lambda x: x.flatten(), (2, 3)), (lambda x: x.t().flatten(), (2, 3)), (lambda x: x.t().ravel(), (2, 3)),
    (lambda x: x.t().reshape(3, 2), (2, 3)), (lambda x: x[:, ::2].reshape(-1), (2, 4)),
    (lambda x: x[::2].reshape(-1, 2), (6, 4)), (lambda x: x[:, :1].reshape(-1), (6, 4)),
    (lambda x: x.unfold(0, 3, 1).reshape(-1), (9,)), (lambda x: x.unfold(0, 3, 3).reshape(-1), (9,)),
    (lambda x: x.expand(3, 4).contiguous(), (1, 4)), (lambda x: x.movedim(0, -1).reshape(3, -1), (2, 3, 4)),
    (lambda x: x.reshape(2, 2, 3).transpose(0, 1).reshape_as(x), (4, 3)),
    (lambda x: x.t().unflatten(1, (2, 2)), (4, 3)),
    (lambda x: x.permute(2, 0, 1).contiguous().permute(1, 2, 0).contiguous(), (2, 3, 4)),
    (lambda x: x.clone(memory_format=torch.contiguous_format), (2, 3)),
    (lambda x: x.t().clone(memory_format=torch.contiguous_format).view(-1), (2, 3)),
    (lambda x: x[:1].t().contiguous(), (3, 4)), (lambda x: x[:0].t().contiguous(), (3, 4)),
    (lambda x: x.squeeze(1).contiguous().view(-1), (3, 1, 4)), (lambda x: x.t().contiguous().t().reshape(-1), (3, 4)),
    (lambda x: x[:, ::2] @ x.t()[1:3], (4, 4)), (lambda x: F.linear(x[:1].expand(3, 4), x), (4, 4)),
    (lambda x: x.matmul(x.transpose(-2, -1)), (2, 3, 4)), (lambda x: x[:, 0] @ x[:, 1].transpose(-2, -1), (2, 2, 3, 4)),
    (lambda x: torch.tensordot(x, x, dims=([0], [0])), (3, 4, 2)), (lambda x: x.transpose(0, 1) @ x[0].t(), (2, 3, 2)),
    (lambda x: x.view(2, 3, 2, 2).transpose(1, 2).flatten(0, 1), (2, 3, 4)),
    (lambda x: torch.stack((x, x), 1).flatten(1), (3, 4)), (lambda x: torch.cat((x.t(), x.t())).view(-1), (3, 4)),
)  # fmt: skip
