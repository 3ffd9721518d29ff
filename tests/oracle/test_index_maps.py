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


def test_random_maps(turns, full, least) -> None:
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
    assert min(seen[True], seen[False]) > least(25), seen
    if full:
        assert seen["inverse"] > 0.6 * seen[True], seen


def mixed_radix(rng: Random) -> tuple[list[str], dict[str, int], int]:
    """Every digit of two indices in one of up to three sums, written in many ways; and how many sums have three."""
    sizes, digits = dict[str, int](), list[tuple[str, int]]()
    for name in "mk":
        place = 1
        for _ in range(rng.choice((1, 2, 3))):
            size = rng.choice((2, 3, 4))
            ways = [f"{name}//{place} % {size}", f"{name} % {place * size}//{place}"]
            digits.append((rng.choice(ways), size))
            place *= size
        sizes[name] = place
        if rng.random() < 0.5:  # the top digit without a remainder
            digits[-1] = (f"{name}//{place // size}", size)
    rng.shuffle(digits)
    count = rng.randint(1, 3)
    expressions = []
    for start in range(min(count, len(digits))):
        place, terms = 1, []
        for text, size in digits[start::count]:
            flipped = rng.random() < 0.2
            terms.append(f"{place}*({size - 1} - {text})" if flipped else f"{place}*({text})")
            place = place * size + rng.choice((0, 0, 1))
        rng.shuffle(terms)
        expressions.append(" + ".join(terms) + rng.choice(("", " + 3", " - 1")))
    return expressions, sizes, sum(e.count("*(") > 2 for e in expressions)


def returns(found: OneToOne, expressions: list[str], sizes: dict[str, int], **given: int) -> bool:
    """Whether the inverse is one, at every index."""
    for point in product(*map(range, sizes.values())):
        index = dict(zip(sizes, point, strict=True)) | given
        image = dict(zip(found.values, values(expressions, index), strict=True)) | given
        if values(list(found.inverse.values()), image) != point:
            return False
    return True


def test_any_digits_in_any_order_have_an_inverse(turns, full) -> None:
    rng, long = Random("mixed radix"), 0
    for _ in turns(40):
        expressions, sizes, many = mixed_radix(rng)
        found = index_map(expressions, sizes)
        assert isinstance(found, OneToOne), (expressions, sizes)
        assert found.inverse is not None, (expressions, sizes)
        assert returns(found, expressions, sizes), (expressions, sizes)
        long += many
    assert long > 15 or not full


def test_sums_with_one_index_at_two_places(turns, full) -> None:
    """Rows padded by `c` elements: x + c*(x//p), also where that is not one-to-one."""
    rng, seen = Random("padded"), Counter()
    for _ in turns(40):
        row, pad, size = rng.randint(1, 5), rng.randint(-4, 4), rng.randint(1, 30)
        expression = f"x + {pad}*(x//{row})"
        found = index_map(expression, {"x": size})
        images = [values([expression], {"x": x}) for x in range(size)]
        assert bool(found) == (len(set(images)) == size), expression
        if found and found.inverse is not None:
            assert returns(found, [expression], {"x": size}), expression
            seen["inverse"] += pad >= 0
        seen[pad >= 0] += 1
    assert seen["inverse"] == seen[True]
    assert seen[True] > 10 or not full


def test_xors_of_two_indices(turns, full) -> None:
    rng, seen = Random("xors"), Counter()
    for _ in turns(40):
        sizes = {n: rng.randint(1, 8) for n in "rc"}
        mixed = rng.choice(("c ^ r", "c ^ (r % 4)", "(r//2) ^ c", "c ^ 3", "c % 4 ^ r", "8*r + (c ^ r)", "c//2 ^ r//2"))
        expressions = rng.choice(([mixed], ["r", mixed], [mixed, "c"], ["c", mixed, "r % 4"], [f"8*({mixed}) + r"]))
        images = [values(expressions, {"r": r, "c": c}) for r in range(sizes["r"]) for c in range(sizes["c"])]
        found = index_map(expressions, sizes)
        assert bool(found) == (len(set(images)) == len(images)), (expressions, sizes)
        seen[bool(found)] += 1
        if isinstance(found, OneToOne) and found.inverse is not None:
            assert returns(found, expressions, sizes), (expressions, sizes)
            seen["inverse"] += 1
    assert min(seen[False], seen["inverse"]) > 8 or not full, seen


@pytest.mark.parametrize(
    ("map_", "sizes"),
    [
        ("((m//8)*K + k//4)*32 + m%4*8 + m%8//4*4 + k%4", {"m": "8*M", "k": "4*K"}),
        ("m//8*8 + m%4*2 + m//4%2", {"m": "8*M"}),
        ("(K - 1 - k)*M + m", {"m": "M", "k": "K"}),
        ("m + 3*(m//K)", {"m": "M"}),
        ("(m ^ 5)*K + k", {"m": "M", "k": "K"}),
    ],
)
def test_inverses_for_all_sizes_hold_at_small_ones(map_, sizes) -> None:
    found = index_map(map_, sizes, assume=[f"{n} >= 1" for n in "MK" if n in f"{map_} {sizes}"])
    assert isinstance(found, OneToOne)
    assert found.inverse is not None
    for m, k in product(range(1, 4), repeat=2):
        at = {n: eval(str(size), {"M": m, "K": k}) for n, size in sizes.items()}
        assert returns(found, [map_], at, M=m, K=k), (m, k)


@pytest.mark.parametrize(
    ("map_", "ranges", "inverse"),
    [
        ("(x//4, x % 4)", "x: 0..16", "x = 4*y0 + y1"),
        ("(n*h + k, c//16, c % 16)", "n: N, k: h, c: C", "n = y0//h, k = y0 % h, c = 16*y1 + y2"),
        ("(i//16, j//8, i % 16, j % 8)", "i: n, j: m", "i = 16*y0 + y2, j = 8*y1 + y3"),
        ("(r, c ^ (r % 8))", "r: 16, c: 8", "r = y0, c = y1 ^ (y0 % 8)"),
        ("(a ^ b ^ c, b, c)", "a: n, b: n, c: 16", "a = y0 ^ y2 ^ y1, b = y1, c = y2"),
        ("(x >> 3, x & 7)", "x: n", "x = 8*y0 + y1"),
        ("(a << 4) | b", "a: n, b: 16", "a = y0//16, b = y0 % 16"),
        (
            "((m//128)*4 + k//4)*512 + (m%32)*16 + ((m%128)//32)*4 + k%4",
            "m: 128*M, k: 16",
            "m = y0//16 % 32 + 32*(y0//4 % 4) + 128*(y0//2048), k = 4*(y0//512 % 4) + y0 % 4",
        ),
    ],
)
def test_layouts_of_compilers(map_, ranges, inverse) -> None:
    """Packed and tiled layouts, for all sizes (tvm#19825)."""
    assert str(index_map(map_, ranges)) == f"one-to-one: {inverse}"


def test_a_divisor_that_may_be_0_is_to_be_stated() -> None:
    found = index_map("(x//m, x % m)", "x: n")
    assert str(found) == "one-to-one if m != 0, which has to be assumed: x = m*y0 + y1"
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


def test_names_in_sizes_are_positive_where_that_matters() -> None:
    """Where m and n are negative, there are indices below m*n: without the assumption, m = -2 refutes some of these."""
    for ranges, assume, words in (
        ("i: n*m", (), "one-to-one for n >= 1 and m >= 1: i = m*y0 + y1"),
        ("i: n*m", "m >= 0", "one-to-one for n >= 1: i = m*y0 + y1"),
        ("i: n*n*m", (), "one-to-one for n >= 1 and m >= 1: i = m*y0 + y1"),
        ("i: 0..8*m", (), "one-to-one: i = m*y0 + y1"),
        ("i: m", (), "one-to-one: i = y1"),
    ):
        assert str(index_map("(i//m, i % m)", ranges, assume)) == words
    assert index_map("i//m", "i: n*m", "m <= -1, n <= -1").values["m"] < 0
    found = index_map("i//m", "i: n*m")
    assert found.values["n"] >= 1 <= found.values["m"]
    assert index_map("i*m + j", "i: n*m, j: m").positive == ("n", "m")
    assert index_map("(i, j)", "i: n*m, j: i*k").positive == ("n", "m", "k")
