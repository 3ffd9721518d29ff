"""Explanations against the operations they explain, and the numbers in their tables against the definitions."""

from __future__ import annotations

import re
from collections import Counter
from math import prod
from random import Random

import pytest

from oracle import cute_brute
from symview import Counterexample, cute
from symview.cute import Layout, NoAnswer
from symview.errors import SymviewError, Undecided
from symview.show.grid import Grid

OPERATIONS = (
    "coalesce", "complement", "right_inverse", "left_inverse", "composition", "logical_divide", "logical_product",
)  # fmt: skip
SYMBOLS = [Layout.parse("(4,6):(a,4*a)"), Layout.parse("(n,2):(1,n)"), Layout.parse("4:d")]


def random_layout(rng: Random, sizes: int = 5) -> Layout:
    """Small, often with strides that continue or divide one another, at times nested or with a stride below 0."""
    modes, reach = [], 1
    for _ in range(rng.choice((1, 2, 2, 3))):
        n = rng.randint(1, sizes)
        stride = rng.choice((reach, reach, reach * rng.randint(1, 3), rng.randint(0, 9), rng.randint(-2, 12)))
        modes.append((n, stride))
        reach = max(reach, n * stride)
    rng.shuffle(modes)
    shape, stride = (tuple(m[k] for m in modes) for k in (0, 1))
    if len(modes) == 3 and rng.random() < 0.4:
        return Layout((shape[0], shape[1:]), (stride[0], stride[1:]))
    return Layout(shape, stride) if len(modes) > 1 or rng.random() < 0.3 else Layout(*modes[0])


def random_operand(rng: Random):
    kind = rng.random()
    if kind < 0.55:
        return random_layout(rng)
    if kind < 0.7:
        return rng.randint(-1, 9)
    if kind < 0.85:
        return tuple(rng.choice((None, 2, 3, random_layout(rng, 3))) for _ in range(rng.randint(1, 3)))
    if kind < 0.92:
        return cute.ComposedLayout(cute.Swizzle(1, 0, 2), rng.choice((0, 4)), random_layout(rng))
    return rng.choice((None, *SYMBOLS, cute.Swizzle(1, 0, 1), "x", 2.5, True))


def random_arguments(rng: Random, name: str):
    first = random_layout(rng) if rng.random() < 0.75 else random_operand(rng)
    if name in ("right_inverse", "left_inverse"):
        return (first,)
    if name == "coalesce":
        return (first, rng.choice((None, 1, (1,), (1, None), (1, (1, 1)))))
    if name == "complement":
        return first, rng.choice((1, 6, 12, 24, rng.randint(-1, 60)))
    return first, random_operand(rng)


def outcome(operation, args):
    """The answer, a NoAnswer by its words, any other error by its type."""
    try:
        return "answer", operation(*args)
    except NoAnswer as error:
        return "no answer", str(error)
    except Undecided as error:
        return "undecided", error.reason
    except SymviewError as error:
        return "error", type(error)


def explained(name: str, args):
    """The same of the explanation, whose last words have to say it."""
    kind, steps = outcome(lambda *args: cute.explain(name, *args), args)
    if kind != "answer":
        return kind, steps
    found, last = steps.answer, steps.blocks[-1]
    if isinstance(found, NoAnswer | Counterexample):
        return "no answer" if last == f"There is no answer: {found}." else last, str(found)
    if isinstance(found, Undecided):
        return "undecided" if last == f"The answer is left undecided: {found.reason}." else last, found.reason
    return "answer" if last == f"The answer is {found}." else last, found


@pytest.mark.parametrize("name", OPERATIONS)
def test_explain_answers_as_the_operation_does(name, turns, full, least) -> None:
    rng, seen = Random(f"explain {name}"), Counter()
    for _ in turns(200):
        args = random_arguments(rng, name)
        kind, expected = outcome(getattr(cute, name), args)
        assert explained(name, args) == (kind, expected)
        seen[kind] += 1
    assert seen["answer"] > least(50)
    if full:
        assert seen["error"] > 5
        assert seen["no answer"] + seen["undecided"] > 5 or name in ("coalesce", "right_inverse")


def grids(steps, title: str = "") -> list[Grid]:
    return [b for b in steps.blocks if isinstance(b, Grid) and re.match(title, b.title)]


def straight(outer: Layout, step: int, left: int) -> int:
    """How long x ↦ A(step·x) stays on the line through its first two values."""
    return next((x for x in range(left) if outer(step * x) != x * outer(step)), left)


def test_walks_are_straight_for_what_they_say(turns, least) -> None:
    rng, seen = Random("explained walks"), Counter()
    for _ in turns(400):
        outer, inner = random_layout(rng), random_layout(rng)
        if min(d for _, d in inner.flat()) < 0:
            continue
        steps = cute.explain("composition", outer, inner)
        walked = grids(steps, "Mode .* of B")
        for grid in walked:
            left = int(re.search(r"B, (\d+):", grid.title)[1])
            for step, value, reach, because in grid.rows:
                n = straight(outer, int(step), left)
                assert (int(value), reach) == (outer(int(step)), f"all {left} left" if n == left else str(n))
                if n < left:
                    wrong, right = map(int, re.search(r"overflows: (-?\d+), not (-?\d+)", because).groups())
                    assert (wrong, right) == (outer(n * int(step)), n * outer(int(step)))
                    assert ("does not divide" in because) == (left % n != 0)
                    left = left // n if left % n == 0 else left
                    seen["bends"] += 1
        if not steps.answer and walked and "does not divide" in walked[-1].rows[-1][3]:
            mode = cute.composition_failure.path_text(steps.answer.reason.mode_a)
            assert f" mode {mode} of A overflows" in walked[-1].rows[-1][3]
            seen["refused"] += 1
        seen["together"] += _sums_are_true(steps, outer)
    assert min(seen["bends"], seen["refused"], seen["together"]) > least(30)


def _sums_are_true(steps, outer: Layout) -> int:
    """The last table: its places and bends make up A, and its sums are those of the parts that the walks show."""
    parts = [(int(row[0]), _count(row[2])) for grid in grids(steps, "Mode .* of B") for row in grid.rows]
    for grid in grids(steps, "All parts"):
        bends = [(int(place), int(defect)) for place, _, defect, _, _ in grid.rows]
        for x in range(2 * outer.size()):
            assert outer(x) == x * outer(1) + sum(defect * (x // place) for place, defect in bends)
        for place, _, _, most, verdict in grid.rows:
            assert int(most) == sum((n - 1) * (step % int(place)) for step, n in parts)
            overflows = "yes, but the sums cancel" if steps.answer else "yes"
            assert verdict == ("never" if int(most) < int(place) else overflows)
    return len(grids(steps, "All parts"))


def _count(reach: str) -> int:
    return int(reach.removeprefix("all ").removesuffix(" left"))


def listed(grid: Grid) -> Layout:
    """The layout whose modes a table lists in its last column."""
    modes = [tuple(map(int, row[-1].split(":"))) for row in grid.rows if re.fullmatch(r"\d+:-?\d+", row[-1])]
    return cute.coalesce(Layout(tuple(n for n, _ in modes), tuple(d for _, d in modes)))


def test_gaps_make_up_the_complement(turns, least) -> None:
    rng, seen = Random("explained gaps"), Counter()
    for _ in turns(400):
        layout, bound = random_layout(rng), rng.randint(1, 60)
        steps = cute.explain("complement", layout, bound)
        (grid,) = grids(steps)
        if isinstance(steps.answer, Layout):
            assert listed(grid) == steps.answer
            seen["found"] += 1
        for name, reach, copies, mode in grid.rows:
            quotient = re.match(r"(\d+)/(\d+)(?:, (\d+) left over)?", copies)
            if quotient and "bound" not in name:
                a, b, rest = int(quotient[1]), int(quotient[2]), int(quotient[3] or 0)
                assert (b, a % b, f"{a // b}:{b}") == (int(reach), rest, mode)
                seen["left over"] += rest > 0
        product = cute.explain("logical_product", layout, rng.randint(1, 5))
        made = [b for b in product.blocks if isinstance(b, str) and b.startswith("C = ")]
        if made:
            assert listed(grids(product)[0]) == Layout.parse(made[0][4:-1])
            seen["product"] += 1
        if made and isinstance(product.answer, Layout):
            assert Layout.parse(made[0][4:-1]).size() >= product.answer[1].size()
    assert min(seen["found"], seen["left over"], seen["product"]) > least(20)


def test_inverses_take_what_they_list(turns, full) -> None:
    rng, seen = Random("explained inverses"), Counter()
    for _ in turns(300):
        layout = random_layout(rng, 4)
        right = cute.explain("right_inverse", layout)
        assert listed(grids(right)[0]) == cute.coalesce(right.answer)
        left = cute.explain("left_inverse", layout)
        if not isinstance(left.answer, Layout):
            seen["none"] += 1
            continue
        digits, returned = grids(left)[-2:]
        values = [layout(x) for x in range(layout.size())]
        assert [layout(_read(digits, v)) for v in values] == values
        assert len(set(values)) < len(values) or left.answer(values[-1]) == len(values) - 1
        assert len(returned.rows) >= min(3, len(values))
        for x, v, back in returned.rows:
            assert (layout(int(x)), layout(int(back))) == (int(v), int(v))
        text = str(left)
        seen[next(k for k in ("place values: ", "A search") if k in text)] += 1
    if full:
        assert min(seen.values()) > 5
        assert len(seen) == 3


def _read(digits: Grid, v: int) -> int:
    """What a table of digits makes of a value."""
    total = 0
    for digit, times in digits.rows:
        place, size = re.fullmatch(r"(?:v|floor\(v/(\d+)\))(?: mod (\d+))?", digit).groups()
        found = v // int(place or 1)
        total += (found % int(size) if size else found) * int(times)
    return total


def test_coalescing_ends_with_the_answer(turns) -> None:
    rng = Random("explained coalescing")
    for _ in turns(200):
        layout = random_layout(rng)
        steps = cute.explain("coalesce", layout)
        so_far = grids(steps)[0].rows[-1][3] or "1:0"
        assert ", ".join(f"{n}:{d}" for n, d in steps.answer.flat()) == so_far
        assert prod(n for n, _ in steps.answer.flat()) == cute_brute.size(layout.flat())


def test_what_a_complement_covers(turns, full) -> None:
    rng, seen = Random("covered"), Counter()
    for _ in turns(400):
        layout, bound = random_layout(rng, 4), rng.choice((1, 8, 30))
        text = cute.explain("complement", layout, bound)
        if not isinstance(text.answer, Layout):
            continue
        sums = {a + b for a in map(layout, range(layout.size())) for b in map(text.answer, range(text.answer.size()))}
        last = text.blocks[-2]
        number = int(re.search(r"below (\d+) is|complement: (\d+) is", last)[last.startswith("Not") + 1])
        assert sums >= set(range(number))
        assert number not in sums
        seen[last.startswith("Not")] += 1
    if full:
        assert min(seen.values()) > 10, seen
