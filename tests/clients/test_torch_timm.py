"""What `copies()` says of the models of timm, beside what PyTorch's profiler says, in every grad mode."""

from __future__ import annotations

from typing import Any

import pytest
from clients.torch_profiler import MODES, check_model
from clients.torch_timm import MODELS, built


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("name", "options"), MODELS, ids=[name for name, _ in MODELS])
def test_all_copies_are_told_and_no_others(name: str, options: dict[str, Any]) -> None:
    model, image = built(name, options)
    for mode in MODES.values():
        with mode():
            check_model(lambda: model(image))
