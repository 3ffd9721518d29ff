"""The weakest premise of rules of programs, against numpy arrays at every small value of all names."""

from __future__ import annotations

from itertools import product
from typing import Any, NamedTuple

import numpy as np
import pytest

from symview import InputError, Premise, Proved, Rule, prove, weakest


class Wrong(Exception):
    """A side is not defined."""


def x(*shape: int) -> Any:
    if min(shape) < 1:
        raise Wrong
    return np.arange(int(np.prod(shape))).reshape(shape)


def pad(a: Any, *widths: tuple[int, int]) -> Any:
    if min(w for pair in widths for w in pair) < 0:
        raise Wrong
    return np.pad(a, widths, constant_values=-1)


def cut(a: Any, *rows: tuple[int, ...]) -> Any:
    for (low, high, *step), n in zip(rows, a.shape, strict=True):
        if not 0 <= low <= high <= n or (step and step[0] < 1):
            raise Wrong
    return a[tuple(slice(*row) for row in rows)]


def shaped(a: Any, *shape: int) -> Any:
    if min(shape) < 1 or np.prod(shape) != a.size:  # sizes are positive unless assumed otherwise
        raise Wrong
    return a.reshape(shape)


class Asked(NamedTuple):
    """A rule, the names that its premise is about and all others, both sides in numpy, and what the premise is."""

    rule: str
    about: str
    others: str
    left: str
    right: str
    premise: str


ASKED = [
    Asked(
        "x(n*B).pad((p,m*B - p - n*B)).reshape(m,B) == x(n*B).reshape(n,B).pad((q,m - n - q),(0,0))",
        "p, q, B", "n, m",
        "shaped(pad(x(n*B), (p, m*B - p - n*B)), m, B)", "pad(shaped(x(n*B), n, B), (q, m - n - q), (0, 0))",
        "p == q*B",
    ),
    Asked(
        "x(n).pad((a,b)).flip(0) == x(n).flip(0).pad((c,d))", "a, b, c, d", "n",
        "pad(x(n), (a, b))[::-1]", "pad(x(n)[::-1], (c, d))", "a == d and b == c",
    ),
    Asked(
        "x(n).shrink((a,n)).flip(0) == x(n).flip(0).shrink((b,n - c))", "a, b, c", "n",
        "cut(x(n), (a, n))[::-1]", "cut(x(n)[::-1], (b, n - c))", "a == c and b == 0",
    ),
    Asked(
        "x(n,m).reshape(n*m).flip(0) == x(n,m).flip(0).reshape(n*m)", "n, m", "",
        "x(n, m).reshape(n*m)[::-1]", "x(n, m)[::-1].reshape(n*m)", "m == 1",
    ),
    Asked(
        "x(n,m).permute(1,0).reshape(n*m) == x(n,m).reshape(n*m)", "n, m", "",
        "x(n, m).T.reshape(n*m)", "x(n, m).reshape(n*m)", "n == 1 or m == 1",
    ),
    Asked(
        "x(n).slice(0,n,s).slice(0,(n + s - 1)//s,t) == x(n).slice(0,n,u)", "s, t, u", "n",
        "cut(cut(x(n), (0, n, s)), (0, (n + s - 1)//s, t))", "cut(x(n), (0, n, u))", "u == s*t",
    ),
    Asked(
        "x(n).slice(0,n,s).flip(0) == x(n).flip(0).slice(0,n,s)", "n, s", "",
        "cut(x(n), (0, n, s))[::-1]", "cut(x(n)[::-1], (0, n, s))", "(n - 1) % s == 0",
    ),
    Asked(
        "x(n*a).reshape(n,a).shrink((0,n),(0,b)).reshape(n*b) == x(n*a).shrink((0,n*b))", "a, b", "n",
        "shaped(cut(shaped(x(n*a), n, a), (0, n), (0, b)), n*b)", "cut(x(n*a), (0, n*b))", "a == b",
    ),
    Asked(
        "x(1,n).expand(m,n).reshape(m*n).shrink((a,a + n)) == x(1,n).reshape(n)", "a, n", "m",
        "cut(np.broadcast_to(x(1, n), (m, n)).reshape(m*n), (a, a + n))", "x(1, n).reshape(n)", "a % n == 0",
    ),
    Asked(
        "x(n).pad((1,1)).shrink((a,n + a)) == x(n)", "a", "n",
        "cut(pad(x(n), (1, 1)), (a, n + a))", "x(n)", "a == 1 or a > 2",  # beyond 2 the left side is never defined
    ),
    Asked(
        "x(n,k).reshape(n*k).shrink((0,m*k)).reshape(m,k) == x(n,k).shrink((0,j),(0,k))", "m, j", "n, k",
        "shaped(cut(x(n, k).reshape(n*k), (0, m*k)), m, k)", "cut(x(n, k), (0, j), (0, k))", "m == j",
    ),
    Asked(
        "x(n).reshape(a,b).permute(1,0).reshape(n) == x(n)", "a, b", "n",
        "shaped(shaped(x(n), a, b).T, n)", "x(n)", "a == 1 or b == 1",
    ),
]  # fmt: skip


def seen(side: str, names: list[str], at: tuple[int, ...]) -> Any:
    """The array of a side at these values; None where it is not defined."""
    try:
        return eval(side, {**globals(), **dict(zip(names, at, strict=True))})
    except Wrong:
        return None


@pytest.mark.sampled
@pytest.mark.parametrize("asked", ASKED, ids=lambda a: a.rule)
def test_the_premise_is_true_just_where_the_arrays_agree(asked: Asked) -> None:
    premise = weakest(asked.rule, asked.about)
    assert premise.is_proved(), premise
    assert isinstance(prove(f"({premise.condition}) <-> ({asked.premise})", premise.given()), Proved)
    named, others = (list(map(str.strip, text.split(","))) if text else [] for text in (asked.about, asked.others))
    for at in product(range(6), repeat=len(named)):
        agree = None
        for rest in product(range(8), repeat=len(others)):
            left = seen(asked.left, named + others, (*at, *rest))
            if left is not None:
                right = seen(asked.right, named + others, (*at, *rest))
                agree = agree is not False and right is not None and np.array_equal(left, right)
        if agree is not None:
            assert premise.holds(dict(zip(named, at, strict=True))) is bool(agree), (at, str(premise))


def test_at_any_rank() -> None:
    premise = weakest("x(...,n).pad((a,b)).flip(-1) == x(...,n).flip(-1).pad((c,d))", "a, b, c, d")
    assert str(premise) == "a == d and b == c  [proved]"
    assert "any rank" in premise.rests_on
    assert weakest("x(...,n).flip(...) == x(...,n)", "n").condition == "False"


def test_a_rule_as_an_object_says_the_same() -> None:
    text = "x(n,m).flip(0) == x(n,m)"
    premise = weakest(Rule.parse(text), "n")
    assert isinstance(premise, Premise)
    assert premise == weakest(text, "n")
    assert premise.condition == "n == 1"
    assert premise.statement == text


def test_what_a_read_asks_is_only_checked() -> None:
    premise = weakest("x(N).read((a,b):(s,t)) == x(N).read((a,b):(t,s))", "s, t", "s >= 0 and t >= 0")
    assert premise.condition == "s == t"
    assert premise.sufficient == "proved"
    assert premise.necessary.startswith("checked to ")


def test_a_rule_that_is_never_defined_is_refused() -> None:
    with pytest.raises(InputError, match="never defined"):
        weakest("x(n).shrink((0,n + a)) == x(n)", "a", "a >= 1")
