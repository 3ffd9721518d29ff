"""Axes that step over windows, where paths of comparisons contradict what is known and nobody has noticed."""

from __future__ import annotations

import pytest

from symview.cases.forks import all_paths
from symview.logic.polynomial import ONE
from symview.symbolic.algebra import Algebra
from symview.symbolic.stepping import stepping
from symview.symbolic.windows import Said


@pytest.mark.parametrize(("end", "said"), [({("w",): 1}, Said.NONE), ({("w",): -1, ONE: 9}, Said.ALL)])
def test_a_step_of_1_jumps_over_nothing_but_what_is_empty(end, said) -> None:
    """Windows of length w in a modulus of 9, or of length 9 - w."""
    algebra = Algebra([], ["w", "n"])
    paths = all_paths(lambda fork: stepping(1, {("n",): 1}, {}, ({}, end), {ONE: 9}, fork, algebra), [])
    assert said in [path.result for path in paths]
