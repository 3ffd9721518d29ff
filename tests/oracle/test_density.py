"""Dense, injective and contiguous against brute force: numbers, and every small value of symbols."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import numpy as np
import pytest

from oracle import density_brute as brute
from oracle.density_brute import Laid
from symview import (
    Budget,
    InputError,
    SymviewError,
    View,
    contiguous_conditions,
    dense_conditions,
    injective_conditions,
    is_contiguous,
    is_dense,
    is_injective,
    order_of,
)
from symview.answers import Status
from symview.counterexample import Kind
from symview.engine import density


def view(laid: Laid) -> View:
    return View(*laid)


def test_numbers(turns, least) -> None:
    rng, seen = Random("density of numbers"), Counter()
    for turn in turns(600):
        laid = brute.numbers(rng)
        order = rng.sample(range(len(laid.shape)), len(laid.shape))
        one = view(laid)
        answers = {
            "injective": is_injective(one), "dense": is_dense(one), "flipped": is_dense(one, flips=True),
            "row-major": is_contiguous(one), "ordered": is_contiguous(one, order),
        }  # fmt: skip
        expected = {
            "injective": brute.injective(laid), "dense": brute.dense(laid, False), "flipped": brute.dense(laid, True),
            "row-major": brute.contiguous(laid, None), "ordered": brute.contiguous(laid, order),
        }  # fmt: skip
        assert answers == expected, laid
        seen.update(name for name, yes in answers.items() if yes)
        if turn % 6 == 0:
            for query in (dense_conditions(one), injective_conditions(one), contiguous_conditions(one, order)):
                check_fault(query, laid, order)
        if answers["dense"]:
            again = View.in_order(one.shape, order_of(one))
            assert laid.mask is not None or is_contiguous(one, order_of(one))
            assert laid.mask is not None or 0 in laid.shape or same_strides(laid, again.strides)
        else:
            with pytest.raises(InputError, match="no order"):
                order_of(one)
    assert min(seen[name] for name in ("injective", "dense", "flipped", "row-major", "ordered")) > least(200)


def same_strides(laid: Laid, strides) -> bool:
    return all(n == 1 or s == t for n, s, t in zip(laid.shape, laid.strides, strides, strict=True))


def check_fault(query, laid: Laid, order) -> None:
    """What is shown where the answer is no is so in plain numbers, and there is none where it is yes."""
    question, fault = query.question.claim, query.counterexample({})
    flat = {"dense": brute.dense(laid, False), "injective": brute.injective(laid)}
    assert (fault is None) == flat.get(question, brute.contiguous(laid, order)) == query.holds({}), (question, laid)
    if fault is None:
        return

    def address(index) -> int:
        assert all(i in r for i, r in zip(index, brute.ranges(laid), strict=True))
        return laid.offset + sum(i * t for i, t in zip(index, laid.strides, strict=True))

    if fault.kind is Kind.OVERLAP:
        assert fault.other < fault.index
        assert address(fault.other) == address(fault.index) == fault.got
    elif fault.kind is Kind.GAP:
        found = brute.addresses(laid)
        assert fault.expected not in found
        assert min(found) < fault.expected < max(found)
    else:
        assert fault.kind is Kind.STRIDE
        assert laid.strides[fault.axis] == fault.got != fault.expected


@pytest.mark.parametrize(
    ("shape", "strides"),
    [(("b", "a", "3"), ("p", "4", "2")), (("a", "b", "a"), ("q", "p", "1")), (("a", "b", "a"), ("a*b", "p", "-a"))],
)
def test_three_dims_are_told_by_counting_what_is_met(shape, strides) -> None:
    """One stride is a multiple of another: whatever the third is."""
    laid, seen = Laid(shape, strides), Counter()
    found = injective_conditions(View.parse(str(laid)))
    assert Status.UNDECIDED not in {c.status for c in found.cases}
    for values in brute.values(brute.names_of(laid)):
        expected = brute.injective(laid.at(values))
        assert found.holds(values) == expected, values
        seen[expected] += 1
    assert min(seen.values()) > 20, seen


def test_each_way_to_decide_whether_addresses_are_distinct(turns) -> None:
    """A walk, bits and integer points settle the same; all are reached."""
    rng, left = Random("distinct addresses"), Counter()
    for turn in turns(400):
        sizes = [rng.choice((2, 2, 3, 4)) for _ in range(rng.randint(3, 5))]
        near = Laid(tuple(sizes), tuple(rng.randint(1, 30) for _ in sizes))
        apart = Laid(tuple(sizes), tuple(97 * t + rng.randint(0, 1) for t in near.strides))
        by_points = [(apart, Budget(points=1))] if turn % 8 == 0 else []
        for laid, budget in ((near, Budget()), (near, Budget(points=1)), *by_points):
            left[laid is apart] += len(density.peeled(zip(laid.shape, laid.strides, strict=True))) > 2
            assert is_injective(view(laid), budget=budget) == brute.injective(laid), laid
            if turn % 8 == 0:
                check_fault(injective_conditions(view(laid), budget=budget), laid, ())
    assert left[False] > 30 and left[True] > 3, left


QUESTIONS = {
    "dense": (dense_conditions, lambda v: brute.dense(v, False)),
    "flipped": (lambda v, **k: dense_conditions(v, flips=True, **k), lambda v: brute.dense(v, True)),
    "injective": (injective_conditions, brute.injective),
    "row-major": (contiguous_conditions, lambda v: brute.contiguous(v, None)),
    "column-major": (
        lambda v, **k: contiguous_conditions(v, "column_major", **k),
        lambda v: brute.contiguous(v, range(len(v.shape))),
    ),
}


def test_every_small_value_of_symbols(turns, full, least) -> None:
    rng, seen = Random("density with symbols"), Counter()
    for turn in turns(20):
        laid, empty = brute.named(rng), rng.random() < 0.15
        names = brute.names_of(laid)
        assume = [f"{n} >= 0" for n in names if n in "ab"] if empty else []
        for name, (ask, truth) in QUESTIONS.items():
            try:
                found = ask(View.parse(str(laid)), assume=assume)
            except InputError as error:
                assert "cannot all be positive" in str(error) or "mask" in str(error)  # noqa: PT017
                continue
            seen[name] += 1
            seen[f"{name} undecided"] += any(c.status is Status.UNDECIDED for c in found.cases)
            points = list(brute.values(names, 0 if empty else 1))
            for values in points if len(points) < 80 else rng.sample(points, 80):
                numbers = laid.at(values)
                if not numbers.is_view():
                    with pytest.raises(SymviewError):
                        found.holds(values)
                    continue
                try:
                    holds = found.holds(values)
                except InputError as error:
                    assert "contradicts" in str(error), (laid, values)  # noqa: PT017
                    assert 0 in numbers.shape  # a size of 0 that is not allowed
                    continue
                assert holds == truth(numbers), (name, str(laid), values, str(found))
                seen[f"{name} {holds}"] += 1
                seen["walked"] += 1
            if turn % 10 == 0 and names:
                check_guard(found, laid, truth, points, rng)
    assert seen["walked"] > least(2500)
    if full:
        assert all(seen[f"{name} {holds}"] > 50 for name in QUESTIONS for holds in (True, False))
        assert seen["injective undecided"] < seen["injective"] / 7


def check_guard(found, laid: Laid, truth, points, rng: Random) -> None:
    """The smallest fault is one, and the condition compares as exact with itself."""
    try:
        fault = found.counterexample()
    except SymviewError:
        return
    bad = [v for v in points if (n := laid.at(v)).is_view() and not truth(n)]
    if fault is None:
        assert not bad, (str(laid), str(found))
    else:
        assert not truth(laid.at(fault.values)), (str(laid), fault)


def test_flags_of_numpy(turns) -> None:
    """numpy's flags say the same of arrays with elements; of views that only a size of 1 makes contiguous too."""
    rng, seen = Random("flags of numpy"), Counter()
    memory = np.zeros(4000, dtype=np.int8)
    for _ in turns(1500):
        laid = brute.numbers(rng)._replace(offset=0, mask=None)
        one = View(laid.shape, laid.strides)
        array = np.lib.stride_tricks.as_strided(memory[2000:], laid.shape, laid.strides)
        flags = array.flags
        assert is_contiguous(one) == flags.c_contiguous, laid
        assert is_contiguous(one, "column_major") == flags.f_contiguous, laid
        seen[flags.c_contiguous, flags.f_contiguous, 0 in laid.shape, 1 in laid.shape] += 1
    assert len(seen) >= 8


def test_a_contiguous_view_is_in_row_major_order() -> None:
    """Dims of size 1 have the stride of the dim before or after, and stay where they are."""
    for shape in product((1, 2, 3), repeat=4):
        assert order_of(View(shape)) == (3, 2, 1, 0), shape
