"""Public models of timm with random weights, most of them its own tiny ones; nothing is downloaded."""

from __future__ import annotations

from typing import Any

import timm
import torch

_SMALL = {"embed_dim": 16, "depth": 2, "num_heads": 2, "img_size": 32, "patch_size": 8}
_WINDOWS = {"embed_dim": 8, "depths": (1, 1), "num_heads": (2, 2), "img_size": 32, "window_size": 4}
MODELS: list[tuple[str, dict[str, Any]]] = [
    *((name, {"img_size": 64} if name == "test_vit3" else {}) for name in sorted(timm.list_models("test_*"))),
    *((f"{name}_patch16_224", _SMALL) for name in ("vit_tiny", "deit_tiny", "beit_base", "beitv2_base", "vit_small")),
    *((f"{name}_window7_224", _WINDOWS) for name in ("swin_tiny_patch4",)),
    *((name, {}) for name in ("mobilenetv3_small_050", "resnet10t", "convnext_atto", "edgenext_xx_small", "lcnet_035")),
    *((name, {}) for name in ("ghostnet_050", "mixnet_s", "mobilevit_xxs", "poolformer_s12", "regnetx_002")),
]


def built(name: str, options: dict[str, Any]) -> tuple[Any, Any]:
    """The model, and an image for it."""
    torch.manual_seed(0)
    size = options.get("img_size", 64)
    return timm.create_model(name, **options).eval(), torch.randn(2, 3, size, size)
