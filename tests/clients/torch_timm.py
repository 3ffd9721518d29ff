"""Public models of timm with random weights, most of them its own tiny ones; nothing is downloaded."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch


def _timm() -> Any:
    """timm, also where the operators of torchvision are built for another PyTorch: these models call none of them."""
    try:
        return import_module("timm")
    except RuntimeError:
        declared = Path(find_spec("torchvision").origin).parent / "_meta_registrations.py"  # type: ignore[union-attr]
        for name in set(re.findall(r'register_\w+\(\s*"(?:torchvision::)?(\w+)"', declared.read_text())):
            torch.library.define(f"torchvision::{name}", "() -> ()")
        for module in [name for name in sys.modules if name.split(".")[0] in ("timm", "torchvision")]:
            del sys.modules[module]
        return import_module("timm")


timm = _timm()
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
