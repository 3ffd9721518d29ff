"""The truth of an answer narrows its type: mypy reads this file, and pytest runs it."""

from __future__ import annotations

from typing import assert_type

import pytest

from symview import (
    Conditions,
    Counterexample,
    Exact,
    Proved,
    Refuted,
    TooStrong,
    TooWeak,
    Unknown,
    View,
    merge,
    prove,
    reshape,
    reshape_conditions,
)


def test_a_merge_is_a_view_or_a_counterexample() -> None:
    for outer in (View((10, 3, 3)), View((10, 3, 3), (1, 1, 1))):
        found = merge(outer, View((4,), (4,)))
        if found:
            assert_type(found, View)
            assert isinstance(found, View)
        else:
            assert_type(found, Counterexample)
            assert isinstance(found, Counterexample)


def test_a_reshape_is_a_view_or_a_counterexample_or_with_names_conditions() -> None:
    for view in ("(4,6)", "(4,6):(1,4)", "(4,6):(a,b)"):
        found = reshape(view, (24,))
        if isinstance(found, Conditions):
            assert_type(found, Conditions[View])
            assert view == "(4,6):(a,b)"
        elif not found:
            assert_type(found, Counterexample)
            assert type(found) is Counterexample
        else:
            assert_type(found, View)
            assert isinstance(found, View)


@pytest.mark.parametrize("guard", ["a == 6*b", "a == 6*b and b > 0", "a % b == 0"])
def test_a_guard_is_exact_or_not(guard: str) -> None:
    found = reshape_conditions(View.parse("(4,6):(a,b)"), (24,)).compare(guard)
    if found:
        assert_type(found, Exact)
        assert isinstance(found, Exact)
    else:
        assert_type(found, TooStrong | TooWeak)
        assert isinstance(found, TooStrong | TooWeak)


def test_a_statement_is_proved_or_refuted() -> None:
    for statement in ("x + y == y + x", "x - y == y - x"):
        found = prove(statement)
        assert not isinstance(found, Unknown)
        if found:
            assert_type(found, Proved)
            assert isinstance(found, Proved)
        else:
            assert_type(found, Refuted)
            assert isinstance(found, Refuted)
