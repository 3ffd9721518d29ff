"""Guards whose weakest condition is unknown: what they let pass and what they refuse, at all small values."""

from __future__ import annotations

from itertools import product

import pytest

from symview import Sound, TooStrong, TooWeak, Undecided, injective_conditions
from symview.answers import AmbiguousTruth

THREE = "(a,b,c):(s,t,u)"
POSITIVE = "s >= 1 and t >= 1 and u >= 1"
GUARDS = {
    "t >= 1 + (c-1)*u and s >= 1 + (b-1)*t": False,  # each stride exceeds its neighbour's reach
    "t >= 1 + (c-1)*u and s >= 1 + (b-1)*t + (c-1)*u": True,
    "t >= c*u and s >= b*t": True,
    "u >= 1 + (b-1)*t and s >= 1 + (c-1)*u + (b-1)*t": True,
    "s >= t and t >= u": False,
    "s != t and t != u and s != u": False,
    "a == 1 and b == 1": True,
    "a == 1 and b == 1 and c == 1 and s == t": True,
}


def are_apart(values: dict[str, int]) -> bool:
    shape, strides = [values[n] for n in "abc"], [values[n] for n in "stu"]
    found = [sum(i * t for i, t in zip(at, strides, strict=True)) for at in product(*map(range, shape))]
    return len(found) == len({*found})


@pytest.mark.parametrize("guard", GUARDS)
def test_by_small_values(guard: str) -> None:
    conditions = injective_conditions(THREE, assume=POSITIVE)
    with pytest.raises(Undecided):
        conditions.term()
    verdict = conditions.compare(guard)
    points = [
        dict(zip("abcstu", point, strict=True)) for point in product((1, 2, 3), (1, 2, 3), (1, 2), *[(1, 2, 3, 5)] * 3)
    ]
    weak = [p for p in points if eval(guard, {}, p) and not are_apart(p)]
    assert bool(weak) != GUARDS[guard]
    values = dict(verdict.values)
    injective = are_apart(values)
    if weak:
        assert isinstance(verdict, TooWeak)
        assert eval(guard, {}, values)
        assert not injective
    else:
        assert isinstance(verdict, TooStrong)
        assert verdict.sound == "proved"
        assert not eval(guard, {}, values)
        assert injective


def test_what_refuses_nothing_at_small_values_is_sound() -> None:
    guard = "t >= 1 + (c-1)*u and s >= 1 + (b-1)*t + (c-1)*u"
    found = injective_conditions(THREE, assume=[POSITIVE, f"{guard} or a > 60 and b > 60 and s + t + u > 500"])
    verdict = found.compare(guard)
    assert isinstance(verdict, Sound)
    assert str(verdict).startswith("sound: the view is one-to-one wherever the guard holds")
    with pytest.raises(AmbiguousTruth):
        bool(verdict)


def test_a_guard_that_nothing_passes_is_too_strong() -> None:
    verdict = injective_conditions(THREE, assume=POSITIVE).compare("s < 0")
    assert isinstance(verdict, TooStrong)
    assert verdict.sound == "proved"
