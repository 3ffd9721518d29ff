"""Layouts in front that are asked beyond their size, and other answers about composed maps that were once wrong."""

from __future__ import annotations

import pytest

from symview import cute
from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle
from symview.errors import Undecided

X = ComposedLayout(Layout((4, 1), (1, 7)), 0, Layout(8))  # 0 1 2 3 7 8 9 10
Y = ComposedLayout(Layout(1, 100), 0, ComposedLayout(Swizzle(1, 3, -4), 0, Layout((16, 5), (3, 16))))  # 0 300 600 …


def test_a_last_mode_of_size_1_in_front_goes_on() -> None:
    """Also in nested fronts, and in front of linear layouts."""
    assert str(cute.same_function(X, Layout(8))) == "they differ: at index 4 the first has 7, the second 4"
    assert str(cute.to_view(X)) == "(2,4):(7,1)" and cute.as_layout(X) == Layout((4, 2), (1, 7))
    assert str(cute.to_linear(X)) == "not linear: at index 5 the value is 8; those at 0, 1 and 4, xored, give 6"
    assert not cute.as_layout(Y) and not cute.to_view(Y) and not cute.to_linear(Y)
    assert not cute.same_function(Y, Layout(80, 0))
    nested = ComposedLayout(ComposedLayout(Layout(2, 8), 0, Layout((4, 1), (1, 7))), 0, LinearLayout([1, 2, 4]))
    assert str(cute.to_view(nested)) == "(2,4):(56,8)"


def test_a_last_mode_of_size_1_behind_says_nothing() -> None:
    """It is asked for the indices below the size only; so is one that continues the mode before."""
    assert cute.same_function(ComposedLayout(Layout((4, 1), (1, 4)), 0, Layout(8)), Layout(8))
    assert cute.same_function(ComposedLayout(Layout(1), 0, Layout((4, 1), (1, 7))), Layout(4))


def test_the_swizzled_form_is_of_the_same_size() -> None:
    """A size that is not a power of two: the linear layout goes on beyond it, and what is asked about does not."""
    six = Layout((3, 2), (3, 5))
    assert cute.to_swizzled(six).layoutA == six
    inner = ComposedLayout(Swizzle(2, 0, 4), 5, Layout(3, 16))
    assert [cute.to_swizzled(inner)(i) for i in range(3)] == [5, 20, 39]
    assert cute.to_swizzled(ComposedLayout(Swizzle(2, 0, -2), 0, Layout(3, 5))).size() == 3


def test_what_stands_in_front_may_make_a_layout_of_what_is_none() -> None:
    """A composition of what stands behind that is not a layout proves nothing about the whole."""
    zeros = ComposedLayout(Layout(4, 0), 0, Layout((8, 5), (16, 1)))
    assert cute.as_layout(cute.composition(zeros, Layout(13))) == Layout(13, 0)
    inner = ComposedLayout(Layout((8, 2), (14, 3)), 0, Layout(3, 5))
    assert cute.as_layout(cute.composition(zeros, inner)) == Layout(3, 0)
    linear = ComposedLayout(LinearLayout([0] * 8), 0, Layout((8, 5), (16, 1)))
    with pytest.raises(Undecided, match="is a layout: before"):
        cute.composition(linear, Layout(13))
    with pytest.raises(Undecided, match="is a layout: before"):
        cute.zipped_divide(ComposedLayout(LinearLayout([0] * 5), 0, Layout((3, 2), (1, 5))), 2)


def test_values_below_0_stand_behind_no_swizzle() -> None:
    """Elements of another width: an answer that could not be called."""
    down = ComposedLayout(Layout((2, 1), (1, -4)), 2, Layout((2, 4), (1, 2)))  # -4 -3 -8 -7 …
    for recast in (cute.upcast, cute.downcast):
        with pytest.raises(cute.NoAnswer, match="which no swizzle takes"):
            recast(down, 2)
