"""The layouts that NVIDIA expects of its own compiler keep the promises that are checked: no false alarm."""

import re
import warnings
from ast import literal_eval
from pathlib import Path

import pytest
from clients.dsl_traces import dsl, traced
from cutlass import cute

from symview import dsl as checks
from symview.cute import LayoutError, parse
from symview.cute.text import read_tuple
from symview.dsl.contracts import fault
from symview.errors import NotSupported


def rows_of(name):
    lines = (Path(__file__).parent / name).read_text().splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


ROWS = rows_of("cutlass_layouts.tsv")


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


def with_values(text, values):
    """The argument of the DSL that is spelled, with the next of the values for each `?`."""
    if "?" not in text:
        return dsl(argument(text))
    spelled = re.sub(r"\?(?:\{div=(\d+)\})?", lambda match: f"-{match[1] or 1}", text)  # nothing here is below 0
    found = [nested_in(part, values) for part in spelled.split(":")]
    return cute.make_layout(found[0], stride=found[1]) if len(found) == 2 else found[0]


def nested_in(text, values):
    """A nested tuple, with a value that k divides for -k."""

    def filled(t):
        if isinstance(t, tuple):
            return tuple(map(filled, t))
        return values(-t) if isinstance(t, int) and t < 0 else t

    return filled(argument(text))


def test_run_time_values():
    """What the DSL computes of NVIDIA's arguments with run-time values raises no alarm; most of it is proved right."""
    rows = rows_of("cutlass_run_time.tsv")

    def kernel(n, m):
        for name, *given, _ in rows:
            made = iter([n, m, n + 1, m + 2, n + m, n + 3, m + 4, n + 5])
            values = lambda k, made=made: next(made) if k == 1 else cute.assume(next(made), k)  # noqa: E731
            args = [with_values(text, values) for text in given]
            more = {"target_profile": args.pop()} if name == "coalesce" and len(args) > 1 else {}
            try:
                getattr(cute, name)(*args, **more)
            except checks.WrongLayout:
                raise
            except Exception:  # the DSL takes other arguments than its compiler
                continue

    with checks.checked() as report, warnings.catch_warnings():
        warnings.simplefilter("ignore", checks.LayoutWarning)
        traced(kernel)
    assert report.count("wrong") == report.count("failed") == 0, report
    assert len(report.calls) >= len(rows) - 2
    assert report.count("right") > len(rows) / 2
