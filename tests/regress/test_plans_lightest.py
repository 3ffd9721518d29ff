"""Plans that were not the lightest, or said nothing of what they left out; each with the answer that is right."""

from __future__ import annotations

from itertools import permutations

import pytest

from symview import Budget, plan

TURNED = (
    "q(2,3).reshape(6)",
    "q(2,3).reshape(1,6)",
    "q(2,3).reshape(6,1)",
    "q(2,3).permute(1,0).flip(0).flip(0).reshape(6)",
    "q(2,3).permute(1,0).flip(0).permute(1,0).flip(1).permute(1,0).reshape(6)",
)


def test_flips_that_are_turned_back_share_a_copy_of_what_is_flipped() -> None:
    """A copy of the flip would need strides of both signs, so it replaces no copy of its operand."""
    found = plan(*TURNED)
    assert (found.copies, found.weight, found.optimal) == (("q(2,3).permute(1,0)",), 6, "proved")
    signed = plan(*TURNED, positive=False)
    assert (len(signed.copies), signed.weight) == (1, 6)


def test_an_uneven_reshape_is_decided_at_once() -> None:
    """64 and 3 are merged before they are split as 3 and 64, so they have to be one dim, at any size of the others."""
    text = "x(64,12,1000,4096,77,3).permute(5,0,4,3,2,1).reshape(64,3,77,4096,1000,12)"
    found = plan(text, budget=Budget(work=1000))
    assert found
    assert found.equations["x"] == ("64*t0 - t5 == 0",)
    assert plan(f"{text}.permute(1,0,2,3,4,5).reshape(3,64,77,1,4096,1000,12)", budget=Budget(work=1000))
    cut = plan(f"{text}.slice((0,0,0,0,0,0),(63,3,77,4096,1000,12))", budget=Budget(work=10_000))
    assert (bool(cut), cut.optimal) == (True, "proved")
    mixed = plan(f"{text}.permute(1,0,2,3,4,5).reshape(192,77,4096,1000,12)", budget=Budget(work=10_000))
    assert (bool(mixed), mixed.optimal) == (False, "proved")


def test_what_is_not_decided_is_copied() -> None:
    """A use whose requirements are not found within the budget is no reason to refuse an answer about all."""
    uneven = "x(6,35,77,65).permute(3,2,1,0).reshape(55,91,10,21).slice((1,1,0,0),(54,90,10,21)).reshape(53,89,210)"
    found = plan(uneven, "x(6,35,77,65).permute(1,0,2,3)", budget=Budget(work=20_000))
    assert (found.copies, found.optimal, found.bound) == (found.programs[:1], "undecided", 0)
    assert "not proved to be the lightest" in str(found)


def test_the_order_of_programs_does_not_matter() -> None:
    """Of two copies that weigh the same, that is made under which the tensor stays row-major; the other is named."""
    uses = "q(4,6,5).permute(1,0,2).reshape(24,5)", "q(4,6,5).reshape(24,5)", "q(4,6,5).permute(0,2,1)"
    for order in permutations(uses):
        found = plan(*order)
        assert (found.copies, found.alternatives) == ((uses[0],), ((uses[1],),))
        assert found.layouts["q"].strides == (30, 5, 1)
        assert "or copy instead: q.reshape(24,5), which weighs the same" in str(found)
    symbolic = "q(n,m).permute(1,0).reshape(m*n)", "q(n,m).reshape(n*m)"
    assert {plan(*order).copies for order in permutations(symbolic)} == {(symbolic[0],)}


def test_two_copies_under_a_row_major_tensor_are_better_than_one_that_moves_it() -> None:
    uses = "q(2,3).reshape(6)", "q(2,3).permute(1,0).reshape(6)", "q(2,3).permute(1,0).reshape(6,1)"
    weights = {uses[0]: 6, uses[1]: 2, uses[2]: 4, "q(2,3).permute(1,0)": 9}
    found = plan(*uses, weights=weights)
    assert (set(found.copies), found.alternatives) == (set(uses[1:]), ((uses[0],),))
    assert found.layouts["q"].strides == (3, 1)


def test_cases_of_ones_that_are_not_tried_are_counted() -> None:
    names = "ABCDEFG"
    tensor = f"x({','.join(names)})"
    swaps = []
    for i in range(6):
        order = [i + 1, i, *(j for j in range(7) if j not in (i, i + 1))]
        sizes = [f"{names[i + 1]}*{names[i]}", *(names[j] for j in order[2:])]
        swaps.append(f"{tensor}.permute({','.join(map(str, order))}).reshape({','.join(sizes)})")
    found = plan(*swaps, f"{tensor}.reshape({'*'.join(names)})")
    assert found.untried > 0
    assert f"{found.untried} more cases of names that are 1 were not tried" in str(found)
    few = plan("x(A,B).permute(1,0).reshape(B*A)", "x(A,B).reshape(A*B)")
    assert (few.ones, few.untried) == ((("A = 1", ()), ("B = 1", ())), 0)


def test_a_unit_dim_of_names_above_another() -> None:
    """The stride of S is B times that of B, so it is not 1."""
    merged = "q(B,S).permute(1,0).reshape(B*S)"
    assert plan(merged, unit="S").copies == (merged,)
    assert plan(merged, unit="B")


def test_weights_of_numbers_beside_names() -> None:
    """A copy of fixed weight is lighter at some sizes only."""
    merged = "q(n,m).permute(1,0)", "q(n,m).permute(1,0).reshape(m*n)"
    found = plan(merged[1], "q(n,m).reshape(n*m)", weights={merged[0]: 1000})
    assert found.optimal == "undecided"
    assert {found.copies, *found.alternatives} == {(merged[0],), (merged[1],), ("q(n,m).reshape(n*m)",)}
    assert "may depend on the sizes" in str(found)


@pytest.mark.parametrize("work", [1, 30, 300])
def test_names_within_little_work(work: int) -> None:
    uses = "q(n,m).permute(1,0).reshape(m*n)", "q(n,m).reshape(n*m)"
    found = plan(*uses, budget=Budget(work=work))
    assert found.copies in (uses, uses[:1])
    assert (found.optimal == "undecided") == bool(found.stopped)
