"""Public models of transformers with tiny random weights, built from configurations; nothing is downloaded.

`torch_transformers.tsv` has a line for each: the name, a function of this module that makes inputs, a configuration of
this module, and what differs from it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers

_WIDTHS = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64}
_WORDS = {"vocab_size": 99, "pad_token_id": 0, "max_position_embeddings": 64}
_ENDS = {"bos_token_id": 1, "eos_token_id": 2}
_DECODER = {**_WIDTHS, **_WORDS, **_ENDS, "num_key_value_heads": 2, "head_dim": 8}
_ENCODER = {**_WIDTHS, **_WORDS}
_SIDES = {
    f"{side}_{name}": size
    for side in ("encoder", "decoder")
    for name, size in (("layers", 2), ("attention_heads", 4), ("ffn_dim", 64))
}
BASES: dict[str, dict[str, Any]] = {
    "": {},
    "decoder": _DECODER,
    "experts": {
        **_DECODER, "num_experts": 4, "num_local_experts": 4, "num_experts_per_tok": 2, "moe_intermediate_size": 32,
    },
    "encoder": _ENCODER,
    "both": {**_WORDS, **_ENDS, **_SIDES, "d_model": 32, "decoder_start_token_id": 1},
    "vision": {**_WIDTHS, "image_size": 32, "patch_size": 8},
    "sound": {
        **_ENCODER, "conv_dim": (16, 16), "conv_kernel": (10, 3), "conv_stride": (5, 2), "num_conv_pos_embeddings": 8,
        "num_conv_pos_embedding_groups": 2, "vocab_size": 32, "num_feat_extract_layers": 2,
    },
}  # fmt: skip


class Entry(NamedTuple):
    """A line of the table."""

    name: str
    inputs: str
    base: str
    more: str


def entries() -> list[Entry]:
    lines = Path(__file__).with_suffix(".tsv").read_text().splitlines()[1:]
    return [Entry(*[*line.split("\t"), "", ""][:4]) for line in lines]


def built(entry: Entry) -> tuple[Any, dict[str, Any]]:
    """The model of an entry, and inputs for it."""
    torch.manual_seed(0)
    name, _, head = entry.name.partition(":")
    config = getattr(transformers, f"{name}Config")(**{**BASES[entry.base], **json.loads(entry.more or "{}")})
    return getattr(transformers, name + (head or "Model"))(config).eval(), globals()[entry.inputs]()


def ids(*shape: int) -> Any:
    return torch.randint(3, 90, shape)


def text() -> dict[str, Any]:
    return {"input_ids": ids(2, 12)}


def both() -> dict[str, Any]:
    return {"input_ids": ids(2, 12), "decoder_input_ids": ids(2, 6)}


def page() -> dict[str, Any]:
    return {**text(), **image(), "bbox": torch.zeros(2, 12, 4, dtype=torch.long)}


def image(size: int = 32) -> dict[str, Any]:
    return {"pixel_values": torch.randn(2, 3, size, size)}


def small() -> dict[str, Any]:
    return image(16)


def large() -> dict[str, Any]:
    return image(64)


def video() -> dict[str, Any]:
    return {"pixel_values": torch.randn(1, 4, 3, 32, 32)}


def sound() -> dict[str, Any]:
    return {"input_values": torch.randn(2, 1600)}


def spectrum() -> dict[str, Any]:
    return {"input_values": torch.randn(2, 32, 16)}


def features() -> dict[str, Any]:
    return {"input_features": torch.randn(2, 20, 16)}


def heard() -> dict[str, Any]:
    return {"input_features": torch.randn(2, 16, 40), "decoder_input_ids": ids(2, 5)}


def spoken() -> dict[str, Any]:
    return {"input_features": torch.randn(2, 24, 8), "decoder_input_ids": ids(2, 5)}


def series() -> dict[str, Any]:
    return {"past_values": torch.randn(2, 32, 3)}


def decisions() -> dict[str, Any]:
    return {
        "states": torch.randn(2, 6, 4), "actions": torch.randn(2, 6, 2), "rewards": torch.randn(2, 6, 1),
        "returns_to_go": torch.randn(2, 6, 1), "timesteps": torch.arange(6)[None].repeat(2, 1),
        "attention_mask": torch.ones(2, 6),
    }  # fmt: skip
