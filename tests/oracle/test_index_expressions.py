"""Bounds, injective, bijective, and what an expression does along an axis, against going through all values."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product
from math import gcd
from random import Random

import pytest

from symview import axis_info, bijective, bounds, floor_sum, injective, simplify_index
from symview.errors import InputError, Undecided
from symview.logic.budget import Budget


def expression(rng: Random, names: str, depth: int = 2) -> str:
    """An index expression of the kinds that compilers write."""
    if depth == 0 or rng.random() < 0.15:
        return rng.choice([*names, str(rng.randint(0, 9))])
    left = expression(rng, names, depth - 1)
    match rng.randrange(6):
        case 0 | 1:
            return f"({left} + {expression(rng, names, depth - 1)})"
        case 2:
            return f"{rng.choice([2, 3, 4, 6, 8, -1])}*({left})"
        case 3:
            return f"({left})//{rng.choice([2, 3, 4, 6])}"
        case 4:
            return f"({left}) % {rng.choice([2, 3, 4, 6, 8])}"
    return f"({left} - {expression(rng, names, depth - 1)})"


def values(text: str, ranges: dict[str, tuple[int, int]]) -> dict[tuple[int, ...], int]:
    return {
        point: eval(text, dict(zip(ranges, point, strict=True)))
        for point in product(*(range(a, b) for a, b in ranges.values()))
    }


def ranges_of(rng: Random) -> dict[str, tuple[int, int]]:
    lows = {name: rng.choice([0, 0, 0, rng.randint(-4, 4)]) for name in "ij"}
    return {name: (low, low + rng.choice([1, 2, 3, 4, 6, 8])) for name, low in lows.items()}


def test_bounds_are_those_of_all_values(turns):
    rng = Random(1)
    for _ in turns(60):
        text, ranges = expression(rng, "ij"), ranges_of(rng)
        table = values(text, ranges)
        found = bounds(text, ranges)
        assert (found.low, found.high) == (min(table.values()), max(table.values())), (text, ranges)
        for at, value in ((found.at_low, found.low), (found.at_high, found.high)):
            where = {**dict.fromkeys(ranges, 0), **at}
            assert eval(text, dict(where)) == value


def test_injective_and_bijective_are_those_of_all_values(turns):
    rng = Random(2)
    seen = set()
    for _ in turns(60):
        ranges = ranges_of(rng)
        text = rng.choice([
            expression(rng, "ij"),
            f"{rng.randint(1, 6)}*(i - {ranges['i'][0]}) + j - {ranges['j'][0]}",
            f"(i - {ranges['i'][0]}) + {rng.randint(1, 4)}*(j - {ranges['j'][0]})",
        ])  # fmt: skip
        table = values(text, ranges)
        one_to_one = len(set(table.values())) == len(table)
        found = injective(text, ranges)
        assert bool(found) == one_to_one, (text, ranges)
        if not found:
            pair = [tuple(found.values[f"{n}{end}"] for n in ranges) for end in ("", "_2")]
            assert pair[0] != pair[1]
            assert table[pair[0]] == table[pair[1]]
        onto = set(table.values()) == set(range(len(table)))
        assert bool(bijective(text, ranges)) == (one_to_one and onto), (text, ranges)
        seen.add((one_to_one, onto))
    assert seen == {(True, True), (True, False), (False, False)}


def largest_block(good: list[bool]) -> int:
    """The largest divisor of the size such that the steps inside its aligned blocks are all good."""
    size = len(good) + 1
    return max(n for n in range(1, size + 1) if size % n == 0 and all(ok for i, ok in enumerate(good) if (i + 1) % n))


def test_an_axis_is_described_as_all_values_are(turns):
    rng = Random(3)
    seen = set()
    for _ in turns(60):
        size, others = rng.choice([1, 2, 4, 6, 8, 16]), {"j": (0, rng.randint(1, 4))}
        text = rng.choice(
            [expression(rng, "ij"), f"{rng.choice([1, 8, 16])}*j + i", f"({rng.choice([4, 6])}*j + i)//4"]
        )
        rows = [[eval(text, {"i": i, "j": j}) for i in range(size)] for j in range(*others["j"])]
        steps = [[row[i + 1] - row[i] for row in rows] for i in range(size - 1)]
        contiguity = largest_block([set(s) == {1} for s in steps])
        constancy = largest_block([set(s) == {0} for s in steps])
        divisibility = gcd(*(row[i] for row in rows for i in range(0, size, contiguity)))
        found = axis_info(text, "i", size, others)
        assert (found.contiguity, found.divisibility, found.constancy) == (contiguity, divisibility, constancy), text
        seen.add((contiguity > 1, constancy > 1, divisibility > 1))
    assert len(seen) >= 4


SYMBOLIC = [
    ("i*m + j", {"i": "n", "j": "m"}, (), True, True),
    ("i + j*n", {"i": "n", "j": "m"}, (), True, True),
    ("i*m + j", {"i": "n", "j": "m + 1"}, (), False, False),
    ("i*s + j", {"i": "n", "j": "m"}, "s >= m", True, False),
    ("n - 1 - i", {"i": "n"}, (), True, True),
    ("2*i", {"i": "n"}, (), True, False),
]


@pytest.mark.parametrize(("text", "ranges", "assume", "one_to_one", "onto"), SYMBOLIC)
def test_sizes_may_be_symbols(text, ranges, assume, one_to_one, onto):
    assert bool(injective(text, ranges, assume)) == one_to_one
    assert bool(bijective(text, ranges, assume=assume)) == onto


@pytest.mark.parametrize("text", ["8 % i", "j//(i - 2)", "5//i % j", "floor_sum(3, i, 2, j)", "i//i + i", "9//i//j"])
def test_indices_that_divide_by_0_have_no_value(text):
    ranges, table = {"i": (-2, 4), "j": (0, 3)}, {}
    for point in product(*(range(a, b) for a, b in ranges.values())):
        with suppress(ZeroDivisionError):
            table[point] = eval(text, {"floor_sum": floor_sum, **dict(zip(ranges, point, strict=True))})
    found = bounds(text, ranges)
    assert (found.low, found.high) == (min(table.values()), max(table.values()))
    assert bool(injective(text, ranges)) == (len(set(table.values())) == len(table))
    assert not bijective(text, ranges)
    with pytest.raises(InputError, match="allowed: "):
        axis_info(text, "i", 4, {"j": (1, 3)})


def test_an_index_without_a_value_is_the_value_of_none():
    assert bijective("i//i - 1 + i", {"i": (1, 5)}, 4).values == {"i": 4}
    assert bijective("i//i - 1 + i", {"i": 5}).values == {"i": 0}


def test_assumptions_leave_no_index_out_along_an_axis():
    with pytest.raises(InputError, match="allowed: i % 2 == 0 fails at i = 1"):
        axis_info("i//2*(i % 2)", "i", 8, assume="i % 2 == 0")
    found = axis_info("p*8 + i", "i", 8, assume="0 <= i, p*8 + i >= 8, p >= 1")
    assert str(found) == str(axis_info("p*8 + i", "i", 8))


def test_divisions_round_as_they_are_asked_to():
    ranges = {"i": (-7, 8)}
    found = [bounds("i//4", ranges, division=d) for d in ("floor", "trunc", "euclid")]
    assert [(b.low, b.high) for b in found] == [(-2, 1), (-1, 1), (-2, 1)]


@pytest.mark.parametrize("wrong", [
    lambda: bounds("i", {"i": 0}),
    lambda: bounds("5//i", {"i": 1}),
    lambda: bounds("i", {"i": (1, 2, 3)}),
    lambda: bounds("i", {"i": "i + 1"}),
    lambda: axis_info("i", "i", 0),
    lambda: axis_info("i", "i", 4, {"i": 4}),
    lambda: axis_info("i", "i", 4, {"j": 0}),
    lambda: bijective("i", {"i": 4}, assume="i < 2"),
    lambda: injective([], {"i": 4}),
])  # fmt: skip
def test_what_makes_no_sense_is_refused(wrong):
    with pytest.raises(InputError):
        wrong()


def test_no_bound_is_said_to_be_none():
    with pytest.raises(Undecided, match="no bound below"):
        bounds("i + k", {"i": 4}, budget=Budget(work=5_000_000))


def test_what_is_simplified_is_equal_and_not_longer(turns):
    rng = Random(4)
    shorter = 0
    for _ in turns(60):
        text, ranges = expression(rng, "ij", 3), {"i": (0, rng.choice([4, 6, 8])), "j": (0, rng.choice([2, 3, 8]))}
        given = [
            f"{low} <= {name} < {high}" for name, (low, high) in ranges.items() if name in re.findall(r"\w+", text)
        ]
        found = simplify_index(text, given if rng.random() < 0.7 else ())
        assert values(found.expression, ranges) == values(text, ranges), text
        first = found.theorem.statement.partition(" == ")[0]
        assert len(found.expression) <= len(first)
        shorter += len(found.expression) < len(first)
    assert shorter >= len(turns(10))


SHORT = [
    ("(i*16 + j)//4 % 4", "0 <= i and 0 <= j < 16", "j//4"),
    ("(i*n + j)//n", "0 <= j < n", "i"),
    ("(i*n + j) % n", "0 <= j < n", "j"),
    ("((a*64 + b*8 + c)//8) % 8", "0 <= c < 8 and 0 <= b < 8", "b"),
    ("x//(n*m)*n*m + x % (n*m)", "n >= 1 and m >= 1", "x"),
    ("x//4//2", (), "x//8"),
    ("x % 12 % 4", (), "x % 4"),
    ("min(x, x + 3) + max(y, 0)", "y >= 2", "x + y"),
    ("abs(x) + abs(-x - 1)", "x >= 0", "2*x + 1"),
    ("(x - 1)//4", (), "(x - 1)//4"),
    ("x//y//z", "z >= 1 and y >= 1", "x//y//z"),
]


@pytest.mark.parametrize(("text", "assume", "wanted"), SHORT)
def test_index_expressions_of_compilers_get_short(text, assume, wanted):
    assert simplify_index(text, assume).expression == wanted


@pytest.mark.parametrize("division", ["trunc", "euclid"])
def test_other_roundings_are_simplified_only_where_that_is_right(division):
    assert simplify_index("(i*4 + 2)//4", (), division).expression == ("i" if division == "euclid" else "(i*4 + 2)//4")
    assert simplify_index("(i*4 + 2)//4", "i >= 0", division).expression == "i"
