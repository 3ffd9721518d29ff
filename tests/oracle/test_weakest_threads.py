"""Premises of statements that people asked about, or that rule files have, against all small values."""

from __future__ import annotations

from itertools import product

import pytest

from symview import weakest

# statement, about, assumptions, the premise; the names that it is not about range over all small values
STATEMENTS = [
    ("x*y == x", "x, y", "", "x == 0 or y == 1"),
    ("a*b == b", "a, b", "", "b == 0 or a == 1"),
    ("(c1*x) % (c2*x) == c1 % c2", "c1, c2, x", "c2*x != 0", "c1 % c2 == 0 or x == 1"),  # tvm#17765
    ("x*y == 0", "x, y", "", "x == 0 or y == 0"),
    ("x*a == y*a", "x, y, a", "", "a == 0 or x == y"),
    ("x*a <= y*a", "x, y, a", "a >= 0", "a == 0 or x <= y"),
    ("pid//(8*gn)*8 + pid % 8 < gm", "gm, gn", "0 <= pid < gm*gn and gm >= 1 and gn >= 1", "gn == 1 or gm % 8 == 0"),
    ("pid//(4*gn)*4 + pid % 4 < gm", "gm, gn", "0 <= pid < gm*gn and gm >= 1 and gn >= 1", "gn == 1 or gm % 4 == 0"),
    ("(m+3)//4*4*((n+3)//4*4) == m*n", "m, n", "m >= 1 and n >= 1", "m % 4 == 0 and n % 4 == 0"),  # cutlass#3497
    ("(n+m-1)//m*P == (n*P+m-1)//m", "n, m, P", "n >= 1 and m >= 1 and P >= 0", "-n % m*P < m"),  # pytorch#143372
    ("(a*b)//c == a//c*b", "a, b, c", "b >= 0 and c >= 1", "a % c*b < c"),
    ("x*y >= x", "x, y", "x >= 0 and y >= 0", "x == y or y > 0"),
    ("m*c*x == 0", "m, c", "", "m*c == 0"),
    ("n//4*4 == n", "n", "", "n % 4 == 0"),
    ("(n+7)//8*8 == n", "n", "n >= 0", "n % 8 == 0"),
    ("n//k*k == n", "n, k", "k >= 1", "n % k == 0"),
    ("(x + c)//d == x//d + c//d", "c, d", "d >= 1", "c % d == 0"),
    ("(x*c) % d == 0", "c, d", "d >= 1", "c % d == 0"),
    ("(x % m) % n == x % n", "m, n", "m >= 1 and n >= 1", "m % n == 0"),
    ("(x//a)//b == x//(a*b)", "a, b", "a >= 2", "b > 0"),
    ("x//(a*b) == x//b//a", "a, b", "b >= 2", "a > 0"),
    ("(x*a)//(y*a) == x//y", "a", "y >= 1", "True"),
    ("x % a == x", "a", "0 <= x < n and n >= 1", "False"),
    ("i*s + j < n*s", "s, m", "0 <= i < n and 0 <= j < m and n >= 1 and m >= 1", "m <= s"),
    ("min(x, a) == x", "a", "x <= b and b == 7", "a >= 7"),
    ("max(0, x - a) == 0", "a", "0 <= x <= 9", "a >= 9"),
    ("x*s <= 9*s", "s", "0 <= x <= 9", "s >= 0"),
    ("(x + 1)*(y + 1) == x*y + x + y + c", "c", "", "c == 1"),
    ("x % c < 8", "c", "c >= 1", "c <= 8"),
    ("x//c <= 0", "c", "0 <= x < 7 and c >= 1", "c > 6"),
    ("abs(x - y) <= c", "c", "0 <= x < 5 and 0 <= y < 5", "c >= 4"),
]  # fmt: skip


def is_true(text: str, values: dict[str, int]) -> bool | None:
    """None where the text divides by 0."""
    try:
        return bool(eval(text, {"min": min, "max": max, "abs": abs}, values))
    except ZeroDivisionError:
        return None


def names_of(text: str) -> set[str]:
    return set(compile(text, "", "eval").co_names) - {"min", "max", "abs"}


@pytest.mark.parametrize(("statement", "about", "assume", "expected"), STATEMENTS, ids=lambda x: str(x)[:40])
def test_a_premise_at_all_small_values(statement: str, about: str, assume: str, expected: str) -> None:
    found = weakest(statement, about, assume or ())
    assert found.reason == ""
    condition, named = str(found.condition), [n.strip() for n in about.split(",")]
    given = [part for part in assume.split(" and ") if part]
    others = sorted(names_of(" and ".join((statement, *given))) - {*named})
    span = range(-4, 10) if len(named) + len(others) < 4 else range(-1, 6)
    for point in product(span, repeat=len(named)):
        values = dict(zip(named, point, strict=True))
        if not all(is_true(part, values) for part in given if names_of(part) <= {*named}):
            continue
        said = is_true(condition, values)
        assert None in (said, is_true(expected, values)) or said == is_true(expected, values), (condition, values)
        every = [{**values, **dict(zip(others, more, strict=True))} for more in product(span, repeat=len(others))]
        claims = [is_true(statement, at) for at in every if all(is_true(part, at) for part in given)]
        refuted = False in claims
        assert not (said and refuted), (condition, values)  # larger values of the others may refute the rest
        assert said or refuted or others or None in claims, (condition, values)


@pytest.mark.parametrize(
    ("statement", "about", "assume", "said"),
    [
        ("m*c*x == 0", "m, c", (), "m*c == 0"),
        ("(x + m*c)*y == x*y", "m, c, y", (), "y*m*c == 0"),
        ("x//d + m*c == x//d", "m, c", "d >= 1", "m*c == 0"),
        ("m*c == 0", "m, c", (), "m == 0 or c == 0"),
    ],
)
def test_a_premise_is_said_as_a_person_would(statement: str, about: str, assume, said: str) -> None:
    """As one product that is 0, unless that is the statement itself."""
    assert str(weakest(statement, about, assume).condition) == said
