"""What `copies()` says of public models, beside what PyTorch's profiler says, in every grad mode."""

from __future__ import annotations

import pytest
from clients.torch_profiler import MODES, check_model
from clients.torch_transformers import Entry, built, entries


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("entry", entries(), ids=lambda entry: entry.name)
def test_all_copies_are_told_and_no_others(entry: Entry) -> None:
    model, inputs = built(entry)
    for mode in MODES.values():
        with mode():
            check_model(lambda: model(**inputs))
