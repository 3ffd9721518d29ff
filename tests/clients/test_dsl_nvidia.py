"""The layouts that NVIDIA expects of its own compiler keep the promises that are checked: no false alarm."""

import re
from ast import literal_eval
from pathlib import Path

import pytest

from symview.cute import LayoutError, parse
from symview.cute.text import read_tuple
from symview.dsl.contracts import fault
from symview.errors import NotSupported

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "cutlass_layouts.tsv").read_text().splitlines()
    if not line.startswith("#")
]


def argument(text):
    if ":" in text or "<" in text:
        return read_tuple(text)
    return literal_eval(re.sub(r"(?<!\()\)", ",)", text.replace("_", "None")))  # (2) is a tuple, as () is


def of(rows, coordinates):
    return [row for row in rows if coordinates == any("@" in text for text in row)]


@pytest.mark.parametrize("name", sorted({row[0] for row in ROWS}))
def test_no_false_alarm(name):
    rows = of([row for row in ROWS if row[0] == name], coordinates=False)
    for _, *given, expected in rows:
        found = fault(name, tuple(map(argument, given)), parse(expected))
        assert found is None, (given, expected, str(found))


def test_layouts_of_coordinates_are_right_or_unanswered():
    unanswered = []
    for name, *given, expected in of(ROWS, coordinates=True):
        try:
            found = fault(name, tuple(map(argument, given)), parse(expected))
        except (LayoutError, NotSupported):
            unanswered.append(name)
        else:
            assert found is None, (name, given, expected, str(found))
    assert {*unanswered} <= {
        "complement", "left_inverse", "right_inverse", "flat_divide", "logical_divide", "tiled_divide", "zipped_divide",
        *(f"{how}_product" for how in ("logical", "zipped", "tiled", "flat", "blocked", "raked")),
    }  # fmt: skip
    assert len(unanswered) < len(of(ROWS, coordinates=True))
