"""The page about PyTorch prints what it says."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "pytorch.md"


def test_the_examples_of_the_page() -> None:
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    found = doctest.DocTestRunner().run(doctest.DocTestParser().get_doctest("\n".join(blocks), {}, PAGE.name, None, 0))
    assert found.attempted >= 15
    assert found.failed == 0
