"""Index maps against brute force: one-to-one or not, and inverses at every index."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import pytest

from symview import InputError, OneToOne, Refuted, Undecided, index_map


def digits(rng: Random, name: str, size: int) -> list[tuple[str, int]]:
    """The digits of an index, and how many values each has; now and then one is missing, or cut too small."""
    kind = rng.randrange(4)
    if kind == 0:
        return [(name, size)]
    low = rng.choice((2, 3, 4))
    if kind == 1:
        return [(f"{name}//{low}", -(-size // low)), (f"{name} % {low}", low)]
    high = rng.choice((2, 3))
    found = [
        (f"{name} % {low}", low),
        (f"{name}//{low} % {high}", high),
        (f"{name}//{low * high}", -(-size // (low * high))),
    ]
    return found if kind == 2 else found[: rng.randint(1, 3)]


def numeric_map(rng: Random) -> tuple[list[str], dict[str, int]]:
    """Sums of digits of two indices, with place values or others as coefficients, dealt to one to three values."""
    sizes = {"i": rng.randint(1, 13), "j": rng.randint(1, 9)}
    parts = [d for name, size in sizes.items() for d in digits(rng, name, size)]
    rng.shuffle(parts)
    count = rng.randint(1, min(3, len(parts)))
    expressions = []
    for start in range(count):
        place, terms = 1, []
        for text, size in parts[start::count]:
            terms.append(f"{place}*({text})")
            place = place * size + rng.choice((0, 0, 0, 1, -1))
        expressions.append(" + ".join(terms) + rng.choice(("", "", " + 3", " - 1")))
    return expressions, sizes


def values(expressions: list[str], indices: dict[str, int]) -> tuple[int, ...]:
    return tuple(eval(e, {"__builtins__": {}}, dict(indices)) for e in expressions)


def test_random_maps(turns, full) -> None:
    rng, seen = Random("index maps"), Counter()
    for _ in turns(150):
        expressions, sizes = numeric_map(rng)
        indices = [dict(zip(sizes, point, strict=True)) for point in product(*map(range, sizes.values()))]
        images = [values(expressions, i) for i in indices]
        found = index_map(expressions, sizes)
        assert bool(found) == (len(set(images)) == len(images)), (expressions, sizes)
        if isinstance(found, OneToOne) and found.inverse is not None:
            for index, image in zip(indices, images, strict=True):
                names = dict(zip(found.values, image, strict=True))
                assert values(list(found.inverse.values()), names) == tuple(index.values()), (expressions, sizes)
            seen["inverse"] += 1
        if isinstance(found, Refuted):
            one, other = ({n: found.values[n + end] for n in sizes} for end in ("", "_2"))
            assert one != other
            assert values(expressions, one) == values(expressions, other)
        seen[bool(found)] += 1
    if full:
        assert min(seen[True], seen[False]) > 25, seen
        assert seen["inverse"] > 0.6 * seen[True], seen


@pytest.mark.parametrize(
    ("map_", "ranges", "inverse"),
    [
        ("(x//4, x % 4)", "x: 0..16", "x = 4*y0 + y1"),
        ("(n*h + k, c//16, c % 16)", "n: N, k: h, c: C", "n = y0//h, k = y0 % h, c = 16*y1 + y2"),
        ("(i//16, j//8, i % 16, j % 8)", "i: n, j: m", "i = 16*y0 + y2, j = 8*y1 + y3"),
    ],
)
def test_layouts_of_compilers(map_, ranges, inverse) -> None:
    """Packed and tiled layouts, for all sizes (tvm#19825)."""
    assert str(index_map(map_, ranges)) == f"one-to-one: {inverse}"


def test_a_divisor_that_may_be_0_is_to_be_stated() -> None:
    found = index_map("(x//m, x % m)", "x: n")
    assert str(found) == "one-to-one only where m != 0, which is not stated: x = m*y0 + y1"
    with pytest.raises(Undecided, match="m != 0"):
        bool(found)
    assert [found.to_dict()[key] for key in ("one_to_one", "unstated")] == [None, ["m != 0"]]
    stated = index_map("(x//m, x % m)", "x: n", assume="m != 0")
    assert stated
    assert [stated.to_dict()[key] for key in ("one_to_one", "unstated")] == [True, []]


@pytest.mark.parametrize(
    ("map_", "ranges", "message"),
    [("(x, y", "x: 3", "y"), ("x", "x 3", "write a name and a size"), ("x", "x: 3..", "x"), ([], {"x": 3}, "give")],
)
def test_what_is_refused(map_, ranges, message) -> None:
    with pytest.raises(InputError, match=message):
        index_map(map_, ranges)
