"""Negative answers about functions of an index: where they fail, the value there, and the value required for a yes."""

from __future__ import annotations

from symview.counterexample import Counterexample, Kind
from symview.errors import InternalError


def not_a_layout(index: int, expected: int, got: int, reason: str) -> Counterexample:
    """Values that are those of no layout: at the index the value is `got`, but a layout has `expected`."""
    return Counterexample(Kind.NO_LAYOUT, (index,), None, expected, got, reason=reason)


def not_linear(index: int, expected: int, got: int, reason: str) -> Counterexample:
    """Values that are not linear: at the index the value is `got`; those at powers of two imply `expected`."""
    return Counterexample(Kind.NOT_LINEAR, (index,), None, expected, got, reason=reason)


def failure_of(found: Counterexample) -> tuple[int, int, int]:
    """The index, the expected value and the value of an answer of this module, all of which are numbers."""
    (index,) = found.index
    if found.expected is None or found.got is None:
        raise InternalError(f"{found} has no values")
    return index, found.expected, found.got
