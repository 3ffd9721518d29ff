"""README begins with an error of PyTorch: that it is raised, and that symview's strides are the tensor's."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_first_lines_fail_as_they_say() -> None:
    block = re.findall(r"```py\n(.*?)```", README, re.DOTALL)[0]
    *before, last = block.strip().splitlines()
    message = last.partition("# RuntimeError: ")[2]
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    with pytest.raises(RuntimeError, match=re.escape(message)):
        exec(last, names)
    x = names["x"]
    asked = re.findall(r'\$ symview reshape "\((.*?)\):\((.*?)\)"', README)[0]
    assert asked == tuple(",".join(map(str, entries)) for entries in (x.shape, x.stride()))
