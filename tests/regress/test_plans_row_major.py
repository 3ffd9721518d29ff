"""Plans with results of contiguous() that were copied for nothing, or refused in words that say little."""

from __future__ import annotations

from symview import plan


def test_a_unit_dim_of_size_1_refuses_no_row_major_result() -> None:
    """Its stride moves nothing, so it may be 1 beside the stride 1 of another dim."""
    assert plan("q(1,4).contiguous()", names="a,b", unit="a")
    assert plan("q(2,3,1).contiguous()", "q(2,3,1).permute(2,0,1).contiguous()", names="a,b,c", unit="c")
    assert plan("q(2,4).contiguous()", names="a,b", unit="a").copies == ("q(2,4).contiguous()",)


def test_a_row_major_result_of_dims_that_are_cut_unevenly() -> None:
    """3 times 8 of 4 times 6: the strides of both dims are tied, so the step of the result is that of one of them."""
    found = plan("q(4,6).reshape(3,8).contiguous()")
    assert (found.copies, found.layouts["q"].strides) == ((), (6, 1))
    found = plan("q(4,6).permute(1,0).reshape(24).slice((1,),(24,)).contiguous()")
    assert (found.copies, found.layouts["q"].strides) == ((), (1, 4))
    turned = plan("q(4,6).reshape(3,8).contiguous()", "q(4,6).permute(1,0).reshape(8,3).contiguous()")
    assert (turned.weight, turned.optimal) == (24, "proved")


def test_why_a_layout_has_no_row_major_result() -> None:
    assert "elements that are not 1 apart" in str(plan("q(4,6).flip(0,1).contiguous()"))
    both = plan("q(4,6).contiguous()", "q(4,6).permute(1,0).contiguous()")
    assert "needs stride 1 in dim 0, not in dim 1" in str(both)
