"""The commands of docs/findings.md, each with the package that it is about; and what is true, in plain integers.

A command whose package is missing, or of another version, is skipped. One that prints something else fails: the package
was changed within a version, or the page is wrong. After an update of the pin: the finding was mended, and the page
should say in which version.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "findings.md"
BLOCK = re.compile(
    r"```sh\n# needs (?P<package>\S+) (?P<pin>\S+)\n(?P<command>.*?)```\n```text\n(?P<output>.*?)```", re.S
)
BYTES, SIGNED = range(256), range(-128, 128)


class Command(NamedTuple):
    """A command of the page, the package that it needs, and what it prints."""

    package: str
    pin: str
    command: str
    output: str


COMMANDS = [Command(*found.groups()) for found in BLOCK.finditer(PAGE.read_text())]


def installed(package: str) -> str:
    try:
        return version(package).partition("+")[0]
    except PackageNotFoundError:
        return "none"


def test_every_section_with_a_command_is_read() -> None:
    assert len(COMMANDS) == PAGE.read_text().count("```sh") >= 8


@pytest.mark.parametrize("found", COMMANDS, ids=[f"{c.package}-{n}" for n, c in enumerate(COMMANDS)])
def test_the_command_prints_what_the_page_says(found: Command, tmp_path: Path) -> None:
    if installed(found.package) != found.pin:
        extras = {"torch": "torch", "transformers": "torch-transformers", "nvidia-cutlass-dsl": "dsl"}
        extra = extras.get(found.package, "findings")
        pytest.skip(f'needs {found.package} {found.pin}: pip install ".[{extra}]"')
    script = f'python() {{ "{sys.executable}" "$@"; }}\n{found.command}'
    done = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, env=dict(os.environ), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == found.output, f"{found.package} {found.pin} prints something else: mended?"


# What is true


def int8(value: int) -> int:
    return (value + 128) % 256 - 128


def test_the_difference_of_halide() -> None:
    wrong = [(x, y) for x in SIGNED for y in SIGNED if int8(x - min(int8(x - y), 0)) != max(x, y)]
    assert len(wrong) == 16_384
    assert int8(0 - min(int8(0 + 128), 0)) == -128


def test_the_values_of_tinygrad() -> None:
    assert [x for x in BYTES if ((x + 3) % 256 < 5) != (x < 2)] == [253, 254, 255]
    assert sum((x // 2 + 100) % 256 // 2 != (x + 200) % 256 // 4 for x in BYTES) == 200
    assert [((x // 2 + 100) % 256 // 2) for x in (253, 56)] == [113, 64]
    assert sum(not -x % 256 < 5 for x in BYTES) == 251


def layout(shape: tuple[int, ...], strides: tuple[int, ...], index: int) -> int:
    value = 0
    for size, stride in zip(shape[:-1], strides[:-1], strict=True):
        index, coordinate = divmod(index, size)
        value += coordinate * stride
    return value + index * strides[-1]


def test_the_compositions() -> None:
    inner = [layout((2, 2), (1, 2), i) for i in range(4)]
    assert [layout((3, 2), (2, 1), i) for i in inner] == [0, 2, 4, 1]  # the DSL: 0, 2, 4, 6
    assert [layout((2, 2), (1, 3), i) for i in range(3)] == [0, 1, 3]  # pycute: two elements


def test_the_rule_of_tvm() -> None:
    def truncated(a: int, b: int) -> int:
        return abs(a) // abs(b) * (1 if a * b >= 0 else -1)

    def rest(a: int, b: int) -> int:
        return a - truncated(a, b) * b

    wrong = [x for x in range(-2, 48) if truncated(x + 3, 2) - truncated(x + 2, 2) != truncated(rest(x, 2) + 1, 2)]
    assert wrong == [-1]


def test_the_placement_of_pytorch() -> None:
    def cut(items: list[int], parts: int) -> list[list[int]]:
        step = -(-len(items) // parts)
        return [items[k * step : (k + 1) * step] for k in range(parts)]

    before = [part for half in cut(list(range(6)), 2) for part in cut(half, 2)]
    halves = cut([0, 1], 2)
    by_rows = [[3 * row + c for row in part for c in range(3)] for rows in halves for part in cut(rows, 2)]
    by_columns = [[3 * row + c for row in rows for c in part] for rows in halves for part in cut([0, 1, 2], 2)]
    assert before == by_columns == [[0, 1], [2], [3, 4], [5]]
    assert by_rows == [[0, 1, 2], [], [3, 4, 5], []]


def test_the_interval_of_xla() -> None:
    assert [s for s in range(-99, 99) if -11 <= s // -3 <= -5] == list(range(13, 34))
