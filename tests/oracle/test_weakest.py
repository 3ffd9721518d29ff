"""The weakest premise against brute force: at every small value of the symbols named, all small values of the others.

A statement is written once, as text, which Python reads too: its `//` and `%` round down as symview's do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import NamedTuple

import pytest

from symview import weakest

Values = dict[str, int]


class Asked(NamedTuple):
    """A statement, the symbols that the premise is about, the assumptions, and the ranges walked by brute force."""

    statement: str
    about: str
    assume: str = "True"
    grid: range = range(-6, 9)
    box: range = range(-70, 100)


WHOLE, FEW = range(-70, 100), range(-12, 16)
ASKED = [
    # rewrites that compilers apply, with the premise left out
    Asked("(x % m)//c == (x//c) % (m//c)", "c, m", "x >= 0 and 0 < c <= m", range(1, 20)),
    Asked("(x % a) % b == x % b", "a, b, R", "0 <= x < R and a >= 1 and b >= 1"),
    Asked("(x//c1)//c2 == x//(c1*c2)", "c1, c2"),
    Asked("(x//c1)//c2 == x//(c1*c2)", "c1, c2", "c1 >= 1", range(-9, 9)),
    Asked("(x + a)//b == x//b + a//b", "a, b", "b >= 1"),
    Asked("x//a == x//b", "a, b, N", "0 <= x < N and a >= 1 and b >= 1"),
    Asked("(x//a)*a <= x", "a", "a != 0"),
    Asked("((x*c*k) % w) % c == 0", "c, w", "c >= 1 and w >= 1", range(1, 14), FEW),
    Asked("(p <= i) == (q <= i//B)", "p, q, B", "B >= 1"),
    Asked(
        "i*s + j < n", "s, n, a, b", "s >= 0 and a >= 1 and b >= 1 and 0 <= i < a and 0 <= j < b", range(6), range(7)
    ),
    Asked("(x//a)//b == (x//b)//a", "a, b"),
    Asked("(x0 + n*x1)//2 == (n//2)*x1 + x0//2", "n", "0 <= x0 < n and x1 >= 0", range(-5, 12), range(16)),
    Asked("8*(n//8) == n", "n", grid=range(-40, 40)),
    Asked("(x % 64) % k == x % k", "k, R", "0 <= x < R and k >= 1", range(1, 100), range(100)),
    Asked("x*a <= x*b", "a, b", "x >= 0"),
    Asked("(a*x) % m == (b*x) % m", "a, b, m", "m >= 1"),
    Asked("x % m == x", "m, L, H", "m >= 1 and L <= x < H"),
    Asked("min(x, a) <= b", "a, b"),
    Asked("max(x, a) >= b", "a, b"),
    Asked("(x < a and x < b) == (x < a)", "a, b"),
    Asked("(x + a) % m == x % m + a", "a, m", "m >= 1 and x >= 0"),
    Asked("x//a*a == x", "a"),
    Asked("(x*a)//b == x*(a//b)", "a, b", "b >= 1"),
    Asked("(x*a)//(y*a) == x//y", "a", "y >= 1", box=FEW),
    Asked("-((-x)//c) == (x + c - 1)//c", "c"),
    Asked("(x + a)//c == (x + b)//c", "a, b, c", "c >= 1"),
    Asked("(x*4 + y)//8 == x//2", "n", "0 <= y < n", box=FEW),
    Asked("(x*a + y)//b == x//(b//a)", "a, b", "0 <= y < a and 1 <= a <= b", range(1, 14), FEW),
    Asked("(x*a + y) % b == (x % (b//a))*a + y", "a, b", "0 <= y < a and 1 <= a <= b", range(1, 14), FEW),
    Asked("i*s + j*t == j*s + i*t", "s, t", box=FEW),
    Asked("not (x % a == 0) or x % b == 0", "a, b", "a >= 1 and b >= 1", range(1, 14)),
    Asked("(x//c <= y) == (x <= y*c)", "c", "c >= 1", range(1, 9), range(-30, 30)),
    Asked("(x//c < y) == (x < y*c)", "c", box=range(-30, 30)),
    Asked("a*x + b >= 0", "a, b, n", "0 <= x < n", range(-7, 9), range(12)),
    Asked("not (a*x == b) or x == 0", "a, b"),
    Asked("abs(a*x) >= abs(x)", "a"),
    Asked("x % m + y % m == (x + y) % m", "m", "m >= 1", range(1, 14), FEW),
    Asked("(x % m)*k == (x*k) % (m*k)", "k, m", "m >= 1"),
    Asked("x//B*B + r < n", "B, n, r", "B >= 1 and 0 <= x < n and 0 <= r"),
    Asked("x//8*8 + 7 < n", "n", "0 <= x < n", range(-20, 60)),
    # what has to do with common divisors
    Asked("(m*t + i) % c == (m*t) % c + i", "m, c, n", "c >= 1 and n >= 1 and 0 <= i < n", range(-3, 8), range(-8, 9)),
    Asked("(a*x + b) % m == (a*x) % m + b", "a, b, m", "m >= 1", range(-4, 8), range(-20, 21)),
    Asked("a*x + b*y != c", "a, b, c", "a >= 1 and b >= 1", range(-4, 7), range(-14, 15)),
    Asked("(a*x) % m != b", "a, b, m", "m >= 1 and 0 <= b < m", range(-4, 8), range(-20, 21)),
    # views: strides, tiles and guards
    Asked(
        "i*s + j*t < s*m", "s, t, n", "s >= 1 and t >= 1 and m >= 1 and 0 <= i < m and 0 <= j < n", range(8), range(9)
    ),
    Asked("(i*w + j)//w == i", "w, n", "0 <= j < n", range(-7, 9), FEW),
    Asked("(i*w + j) % w == j", "w, n", "w >= 1 and 0 <= j < n", range(9), FEW),
    Asked("(i + o)//w == i//w", "o, w, n", "w >= 1 and 0 <= i < n and i % w == 0", range(-4, 9), range(9)),
    Asked("0 <= x + a < n", "a, n, m", "0 <= x < m"),
    Asked("(0 <= x - a) == (0 <= x//t - b)", "a, b, t", "t >= 1", range(-5, 7)),
    Asked("x*s != y*s + k", "s, k", "0 <= x and 0 <= y", range(-6, 9), range(40)),
    Asked("x*s + y*t >= 0", "s, t", "x >= 0 and y >= 0", box=range(12)),
    Asked("min(n, x + b) - x <= c", "b, c, n", "0 <= x", range(-5, 7), range(30)),
    Asked("a <= x or x <= b", "a, b"),
    Asked("(x + 3)//4*4 <= n", "n, m", "0 <= x <= m", range(-3, 20), range(24)),
    Asked("x % 6 == a -> x % 3 == b", "a, b", "0 <= a < 6 and 0 <= b < 3", range(6)),
]


FACTORS = ("x", "y", "x - 1", "y + 2", "x - y", "x + y", "2*x - y", "x - 3")
PRODUCT = re.compile(r"[xy]\*[xy]")
REPEATED = ["x == y", "x < y", "0 <= x and x < 5", "x*y == 6", "x == 0 or y == 1"]


def multiplied_out(rng: Random) -> str:
    """A statement that compares a product of two linear factors in x and y with 0, multiplied out."""
    factors = rng.sample(FACTORS, 2)
    summands = [[part.replace("- ", "-").replace("+ ", "") for part in re.split(r" (?=[-+])", f)] for f in factors]
    whole = " + ".join(f"({a})*({b})" for a, b in product(*summands))
    return f"{whole} {rng.choice(['==', '==', '!=', '>=', '<'])} 0"


def python(text: str) -> str:
    """The text as Python: `A -> B` is `not A or B`."""
    first, arrow, then = text.partition("->")
    return f"not ({first}) or ({then})" if arrow else text


def truth(text: str, names: list[str]) -> Callable[..., bool]:
    return eval(f"lambda {', '.join(names)}: {python(text)}")


def symbols(query: Asked) -> list[str]:
    """All the symbols, those named first."""
    code = compile(f"{python(query.statement)}, {query.assume}", "", "eval")
    named = [n.strip() for n in query.about.split(",")]
    return named + [n for n in code.co_names if n not in named and n not in ("min", "max", "abs")]


def labelled(query: Asked) -> Iterator[tuple[Values, bool]]:
    """Every value of the symbols named that the assumptions allow, with whether nothing refutes the statement there."""
    names = symbols(query)
    named = [n.strip() for n in query.about.split(",")]
    holds, allowed = truth(query.statement, names), truth(query.assume, names)
    rest = list(product(query.box, repeat=len(names) - len(named)))
    for at in product(query.grid, repeat=len(named)):
        admitted, refuted = False, False
        for other in rest:
            try:
                if allowed(*at, *other):
                    admitted = True
                    refuted = not holds(*at, *other)
            except ZeroDivisionError:
                continue
            if refuted:
                break
        if admitted:
            yield dict(zip(named, at, strict=True)), not refuted


@pytest.mark.sampled
@pytest.mark.parametrize("asked", ASKED, ids=lambda a: f"{a.statement} [{a.about}]")
def test_the_premise_is_true_just_where_nothing_refutes_the_statement(asked: Asked) -> None:
    premise = weakest(asked.statement, asked.about, () if asked.assume == "True" else asked.assume)
    assert premise, premise.reason
    assert premise.is_proved(), premise
    seen: dict[bool, int] = {True: 0, False: 0}
    for values, expected in labelled(asked):
        assert premise.holds(values) is expected, (values, str(premise))
        seen[expected] += 1
    assert seen[True]
    assert seen[False] or premise.condition == "True"


def statement_over_a_box(rng: Random) -> tuple[str, str]:
    """A statement about a and b for all i and j in a box, and the box."""
    low, up = rng.randint(-3, 2), rng.randint(0, 5)
    box = f"{low} <= i and i <= {low + up} and 0 <= j and j < {rng.randint(1, 4)}"
    i, j = rng.choice(["i", "2*i", "-i", "a*i", "(i + 1)*a"]), rng.choice(["j", "b*j", "j*(a - b)", "-3*j"])
    step = rng.choice(
        ["i - i % 3", "i//2 + j", "i % 3 + j", "(i + a)//3 + j", f"{i} + {j}", f"{i} + {j}", f"{i} - {j}*i"]
    )
    end = rng.choice(["a", "b", "b + 2*a", "3"])
    sign = rng.choice(["<=", "<=", "<", ">=", "!=", "=="])
    return rng.choice([f"{step} {sign} {end}", f"{step} {sign} {end}", f"-{end} <= {step} and {step} <= {end}"]), box


def test_premises_over_random_boxes(turns: Callable[[int], range]) -> None:
    rng, seen = Random("boxes"), dict[str, int]()
    for _ in turns(20):
        statement, box = statement_over_a_box(rng)
        occurring = re.findall(r"\b[abij]\b", statement)
        named = [n for n in "ab" if n in occurring]
        if not named or not {"i", "j"} & set(occurring):
            continue
        assume = " and ".join(part for part in box.split(" and ") if set(occurring) & set(part))
        query = Asked(statement, ", ".join(named), assume, range(-5, 6), range(-4, 9))
        premise = weakest(statement, query.about, assume)
        kind = "proved" if premise and premise.is_proved() else "checked" if premise else "none"
        kind = "own" if premise.condition == statement else kind
        seen[kind] = seen.get(kind, 0) + 1
        for values, expected in labelled(query) if premise else ():
            assert premise.holds(values) is expected, (statement, box, values, str(premise))
    assert seen.get("proved", 0) >= len(turns(20)) // 2, seen


@pytest.mark.dear
def test_a_statement_about_all_its_names_has_a_simpler_form_or_is_the_premise(turns: Callable[[int], range]) -> None:
    rng, seen = Random("products"), dict[str, int]()
    for statement in (*(multiplied_out(rng) for _ in turns(25)), *REPEATED):
        named = [n for n in "xy" if n in statement]
        premise, holds = weakest(statement, named), truth(statement, named)
        kind = "proved" if premise and premise.is_proved() else "checked" if premise else "none"
        kind = "own" if premise.condition == statement else kind
        seen[kind] = seen.get(kind, 0) + 1
        seen["linear"] = seen.get("linear", 0) + (kind == "proved" and not PRODUCT.search(premise.condition))
        assert len(premise.condition) < len(statement) or kind == "own", (statement, str(premise))
        for at in product(range(-9, 10), repeat=len(named)) if premise else ():
            assert truth(premise.condition, named)(*at) is holds(*at), (statement, at, str(premise))
    assert seen["own"] == len(REPEATED), seen
    assert seen["proved"] >= len(turns(25)) - 2, seen
    assert seen["linear"] >= len(turns(25)) // 2, seen
