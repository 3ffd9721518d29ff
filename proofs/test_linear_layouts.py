"""Linear layouts, swizzles and strided layouts as one algebra: functions of bits, and where the three kinds meet.

Each docstring says what is claimed, and how it was decided: proved by the solver, or exhaustive (or random, where said)
up to the bound named. A cube is [0, 2^k) with its bits as inputs; linear: the exclusive or of the bases b_i at the set
bits; affine: that xored with a constant c; strided: o + Σ x_i·v_i. |R| counts bits, par_R(x) = |R & x| mod 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, product
from random import Random

from definitions import Claims
from oracle.linear_brute import (
    disjoint,
    first_not_affine,
    is_affine,
    on_box,
    strided,
    swizzled,
    swizzles,
    table,
    values_of,
    views_of,
)

from symview.rules import checked, theorem


def parity(x: int) -> int:
    """The number of bits, modulo 2."""
    return x.bit_count() % 2


def form(o: int, weights: dict[int, int], k: int) -> list[int]:
    """All values of o + Σ w_R·par_R(x)."""
    return [o + sum(w * parity(bits & x) for bits, w in weights.items()) for x in range(1 << k)]


# Bits that flip


@theorem
def test_flips_of_disjoint_bits_add_up() -> Claims:
    """A and b share no bit: then c ⊕ a ⊕ b is c plus what each flip adds. Proved for all integers, of any sign."""
    yield "(c ^ a) + (c ^ b) - c == c ^ a ^ b", "a & b == 0"


@theorem(bits=32, allow=["32-bit signed"])
def test_flips_that_share_a_bit_do_not() -> Claims:
    """If a flip of both adds what the single flips add, they share no bit. Proved for numbers below 2^15."""
    yield "a & b == 0", ["(c ^ a) + (c ^ b) - c == c ^ a ^ b", *[f"0 <= {x} and {x} < 32768" for x in "abc"]]


@theorem
def test_sums_are_exclusive_or_without_carries() -> Claims:
    """A + b >= a ⊕ b for a, b >= 0, and equal exactly if they share no bit. Proved for all integers."""
    yield "a + b >= (a ^ b)", "a >= 0 and b >= 0"
    yield "a & b == 0", "a + b == (a ^ b)"


# The normal form


@checked("k = 3, weights and offsets to 3 in size, up to three parities")
def test_affine_by_disjoint_masks() -> None:
    """The form o + Σ w_R·par_R of a function is unique; affine exactly if the masks o ⊕ (o + w_R) are disjoint.

    ⇒: w_R = (c ⊕ B_R) − c, B_R the bits of the value with row R. ⇐: disjoint flips add up.
    """
    seen, known = Counter[bool](), dict[tuple[int, ...], tuple[int, tuple[tuple[int, int], ...]]]()
    for o, many in product(range(-2, 4), range(4)):
        for sets in combinations(range(1, 8), many):
            for weights in product((-2, -1, 1, 2, 3) if many < 3 else (-1, 1, 2), repeat=many):
                found = dict(zip(sets, weights, strict=True))
                values = form(o, found, 3)
                assert known.setdefault(tuple(values), (o, tuple(found.items()))) == (o, tuple(found.items()))
                affine = disjoint([o ^ (o + w) for w in weights])
                assert affine == is_affine(values)
                seen[affine] += 1
    assert min(seen.values()) > 800


@checked("k = 3, random forms and maps, 1,500")
def test_substitution_keeps_the_form() -> None:
    """par_R(c ⊕ L(x)) = par_R(c) ⊕ par_R'(x), R' = {i: par_R(b_i) = 1}: f(A(x)) has no more terms than f."""
    rng = Random("substitution")
    for _ in range(1500):
        weights = {rng.randrange(1, 8): rng.randint(-9, 9) for _ in range(rng.randint(0, 5))}
        o, c, bases = rng.randint(-9, 9), rng.randrange(8), [rng.randrange(8) for _ in range(3)]
        pulled = Counter[int]()
        for bits, w in weights.items():
            o_more, sign = (w, -1) if parity(bits & c) else (0, 1)
            o += o_more
            pulled[sum(parity(bits & b) << i for i, b in enumerate(bases))] += sign * w
        before = form(o - sum(w for bits, w in weights.items() if parity(bits & c)), weights, 3)
        assert [before[a] for a in table(bases, c)] == form(o, pulled, 3)


@checked("k = 3, weights −1, 0, 1 of all seven parities")
def test_the_least_index_at_which_a_form_is_not_zero() -> None:
    """From the top bit down, a bit is 0 as long as the form is not zero with it: that is the least index not zero.

    It need not be one bit, or two: par_012 − par_01 − par_02 − par_12 + par_0 + par_1 + par_2 is 0 up to 6, not at 7.
    """

    def fixed(weights: dict[int, int], bit: int, value: int) -> dict[int, int]:
        """With 0 for the empty set, whose weight is the offset."""
        found = Counter[int]()
        for bits, w in weights.items():
            flipped = value and bits >> bit & 1
            found[0] += w if flipped or not bits else 0
            if rest := bits & ~(1 << bit):
                found[rest] += -w if flipped else w
        return {bits: w for bits, w in found.items() if w}

    for weights in product((-1, 0, 1), repeat=7):
        given = {bits: w for bits, w in enumerate(weights, 1) if w}
        values, left, x = form(0, given, 3), given, 0
        for bit in (2, 1, 0):
            if fixed(left, bit, 0):
                left = fixed(left, bit, 0)
            else:
                left, x = fixed(left, bit, 1), x | 1 << bit
        assert next((y for y in range(8) if values[y]), None) == (x if given else None)
    assert form(0, {7: 1, 3: -1, 5: -1, 6: -1, 1: 1, 2: 1, 4: 1}, 3) == [0] * 7 + [4]


# Strided functions that are affine


@checked("k <= 3, o from −3 to 7, strides from −3 to 6")
def test_a_strided_function_is_affine_by_its_masks() -> None:
    """Exactly if the masks o ⊕ (o + v_i) are disjoint; the least index that fails is 2^j + 2^i, the first that meet."""
    seen = Counter[bool]()
    for k in range(4):
        for o, v in product(range(-3, 8), product(range(-3, 7), repeat=k)):
            masks, values = [o ^ (o + d) for d in v], strided(o, v)
            first = next(((i, j) for j in range(k) for i in range(j) if masks[i] & masks[j]), None)
            assert first_not_affine(values) == (None if first is None else (1 << first[1]) + (1 << first[0]))
            seen[first is None] += 1
    assert min(seen.values()) > 1000


@checked("k <= 3, strides to 11, o = 0")
def test_one_sum_decides() -> None:
    """For v >= 0 and o = 0: linear exactly if the last value is the exclusive or of the v_i."""
    for k in range(4):
        for v in product(range(12), repeat=k):
            values, last = strided(0, v), 0
            for d in v:
                last ^= d
            assert is_affine(values) == (values[-1] == last)


@checked("the layout 2:3", refutes=True)
def test_linear_layouts_have_strides_that_are_powers_of_two() -> None:
    """Refuted: that an injective layout of size 2^k is linear only if every stride is a power of two.

    2:3, 4:5 and (2,2):(5,2) are linear, injective and coalesced. If every stride is a power of two and no bit is
    shared, it is linear; and the claim holds where all values are below 2^k.
    """
    for shape, strides in (((2,), (3,)), ((4,), (5,)), ((2, 2), (5, 2))):
        values = values_of(shape, strides)
        assert is_affine(values)
        assert len(set(values)) == len(values)
        assert min(views_of(values), key=len) == [*zip(shape, strides, strict=True)]
    for k in range(4):
        for v in product(range(1, 1 << k), repeat=k):
            values = strided(0, v)
            if len(set(values)) == 1 << k and max(values) < 1 << k:
                powers = all(d & (d - 1) == 0 for d in v)
                assert is_affine(values) == (powers and disjoint(v))


@checked("k <= 4, strides to 8")
def test_linear_and_strided_is_injective_without_zeros() -> None:
    """A linear strided layout is injective exactly if no v_i is 0; one onto [0, 2^k) is always linear."""
    for k in range(5):
        for v in product(range(9), repeat=k):
            if disjoint(v):
                assert (len(set(strided(0, v))) == 1 << k) == (0 not in v)
        for v in product((1, 2, 3, 4, 5, 8), repeat=k):
            if sorted(strided(0, v)) == list(range(1 << k)):
                assert disjoint(v)


@checked("1 + x, 7 − x and 1 + x_0 + 4·x_1")
def test_offsets_count() -> None:
    """1 + x is not affine on [0, 4); 7 − x is on [0, 8), and 1 + x_0 + 4·x_1, though 1 and 1 overlap."""
    assert not is_affine([1 + x for x in range(4)])
    assert is_affine([7 - x for x in range(8)])
    assert is_affine(strided(1, [1, 4]))


@checked("w <= 3, k <= 3, all values below 2^w")
def test_modulo_a_power_of_two_the_top_bit_is_free() -> None:
    """Modulo 2^w, o + Σ x_i·v_i is affine exactly if the masks are disjoint below bit w − 1: 4:3 mod 4 is linear."""
    for w, k in product(range(1, 4), range(4)):
        for o, *v in product(range(1 << w), repeat=k + 1):
            values = [x % (1 << w) for x in strided(o, v)]
            masks = [(o ^ (o + d)) % (1 << w - 1) for d in v]
            assert is_affine(values) == disjoint(masks)


@checked("sizes 1 to 6, rank to 2, o and strides to 9")
def test_linear_in_the_coordinates_of_a_box() -> None:
    """The same, but only for bits that can both be set: p, q of one coordinate only if 2^p + 2^q < n_j.

    So 3:d is always linear, (3,2):(3,8) is; 4:3 and (3,2):(3,5) are not.
    """
    seen = Counter[bool]()
    for rank in range(3):
        for sizes in product(range(1, 7), repeat=rank):
            for o, *v in product((0, 1, 2, 3, 5, 8, 9), repeat=rank + 1):
                bits = [(j, p, o ^ (o + (d << p))) for j, (n, d) in enumerate(zip(sizes, v, strict=True))
                        for p in range((n - 1).bit_length())]  # fmt: skip
                meet = any(a & b and (i != j or (1 << p) + (1 << q) < sizes[j])
                           for (i, p, a), (j, q, b) in combinations(bits, 2))  # fmt: skip
                bases = [[b for i, _, b in bits if i == j] for j in range(rank)]
                linear = on_box(sizes, bases, o) == [o + x for x in values_of(sizes, v)]
                assert linear == (not meet)
                seen[linear] += 1
    assert min(seen.values()) > 1000


@checked("(3,2):(3,5) and (3,2):(3,8)")
def test_the_two_readings_differ() -> None:
    """(3,2):(3,5) = 0, 3, 6, 5, 8, 11 is linear in the index, with bases [3,6,8]; (3,2):(3,8) in coordinates only."""
    assert values_of((3, 2), (3, 5)) == [0, 3, 6, 5, 8, 11] == table([3, 6, 8])[:6]
    assert first_not_affine(values_of((3, 2), (3, 8))) == 3
    assert on_box((3, 2), [[3, 6], [8]]) == values_of((3, 2), (3, 8))
    assert on_box((3, 2), [[3, 6], [5]]) != values_of((3, 2), (3, 5))


# Affine maps that are strided


@checked("k <= 3, constants and bases to 7")
def test_an_affine_map_is_strided_if_its_bases_are_disjoint() -> None:
    """Whatever c is; then v_i = (c ⊕ b_i) − c, so that signs appear where c has bits of b_i."""
    for k in range(4):
        for c, *bases in product(range(8), repeat=k + 1):
            values = table(bases, c)
            assert (strided(c, [(c ^ b) - c for b in bases]) == values) == disjoint(bases) == bool(views_of(values))


def strided_prefix(bases: Sequence[int], size: int) -> list[tuple[int, int]] | None:
    """The coalesced modes of a linear map on [0, size), by its bases alone; None where it is no layout there."""
    bases, found = list(bases[: (size - 1).bit_length()]), []
    while size > 1:
        d = bases[0]
        m = next((i for i, b in enumerate(bases) if b != d << i), len(bases))
        g = next((g for g in range(1, m) if d & d << g), m)
        if g == m or (1 << g) + 1 >= size:
            n = min(1 << m, size)
        elif g == 1 and size == 6 and bases[2] == 4 * d - 2 * (d & 2 * d) and bases[2] & d == 0:
            return [*found, (3, d), (2, 3 * d - 2 * (d & 2 * d))]
        else:
            return None
        if n < size and (size % n or any(b & d * (n - 1) for b in bases[m:])):
            return None
        found, bases, size = [*found, (n, d)], bases[m:], size // n
    return found


@checked("bases below 16 at k <= 2, below 9 at k = 3, all sizes")
def test_a_linear_map_on_any_size() -> None:
    """On [0, N) the bases decide by runs d, 2d, 4d, …; the only inner mode that is no power of two is 3, with N = 6."""
    seen = Counter[bool]()
    for k, top in ((0, 1), (1, 16), (2, 16), (3, 9)):
        for bases in product(range(top), repeat=k):
            values = table(bases)
            for size in range(1, (1 << k) + 1):
                wanted = min(views_of(values[:size]), key=len, default=None)
                assert strided_prefix(bases, size) == wanted, (bases, size)
                seen[wanted is None] += 1
    assert min(seen.values()) > 500


@checked("one map, N = 12")
def test_with_a_constant_other_sizes_occur() -> None:
    """C = 6, bases [1, 14, 12, 0]: on [0, 12) it is (6,2):(1,−2) above 6."""
    assert [v - 6 for v in table([1, 14, 12, 0], 6)[:12]] == values_of((6, 2), (1, -2))


# Parts


def changed(u: Sequence[int]) -> int:
    """All bits that differ from the first value."""
    found = 0
    for x in u:
        found |= x ^ u[0]
    return found


@checked("all functions of 2 and of 3 values below 4, and random ones of up to 5 below 64")
def test_exclusive_or_is_a_sum_on_disjoint_bits_only() -> None:
    """u(x) ⊕ w(y) = g(x) + h(y) for some g, h, exactly if the bits that u changes and those that w changes differ."""
    rng, cases = Random("sums"), [*product(product(range(4), repeat=2), product(range(4), repeat=3))]
    for _ in range(3000):
        masks = rng.randrange(64), rng.randrange(64)
        cases.append(tuple([rng.randrange(64) & m for _ in range(rng.randint(1, 5))] for m in masks))  # type: ignore[arg-type]
    for u, w in cases:
        adds = all((a ^ b) == (a ^ w[0]) + (u[0] ^ b) - (u[0] ^ w[0]) for a, b in product(u, w))
        assert adds == (changed(u) & changed(w) == 0)


def aligned(lo: int, hi: int) -> list[tuple[int, int]]:
    """[lo, hi) in blocks [a, a + 2^q) with 2^q dividing a."""
    found = []
    while lo < hi:
        q = max(q for q in range(hi.bit_length() + 1) if lo % (1 << q) == 0 and lo + (1 << q) <= hi)
        found.append((lo, q))
        lo += 1 << q
    return found


@checked("bases below 6, k = 3, all ranges")
def test_the_first_bend_on_a_range() -> None:
    """Where a linear map leaves a line on [lo, hi): in at most 2k aligned blocks; in a block at its start, or at the
    least 2^i where the base makes another step, or 2^i + 2^j where two bases share a bit.
    """
    for bases in product(range(6), repeat=3):
        values = table(bases)
        for lo, hi in combinations(range(9), 2):
            if hi - lo < 2:
                continue
            d, cut = values[lo + 1] - values[lo], aligned(lo, hi)
            assert len(cut) <= 6
            bends = []
            for a, q in cut:
                if values[a] != values[lo] + (a - lo) * d:
                    bends.append(a)
                bends += [a + (1 << i) for i in range(q) if (values[a] ^ bases[i]) - values[a] != d << i]
                bends += [a + (1 << i) + (1 << j) for i, j in combinations(range(q), 2) if bases[i] & bases[j]]
            expected = next((x for x in range(lo, hi) if values[x] != values[lo] + (x - lo) * d), None)
            assert min(bends, default=None) == expected


@checked("one map of 6 bits")
def test_rows_of_a_swizzled_tile_are_strided_with_signs() -> None:
    """L = [1,2,5,10,32,16] breaks at 5. Bits 0, 1 fixed: (4,2,2):(5,32,16). Bits 2, 3 fixed to 0..3: strides (1,2),
    (−1,2), (1,−2), (−1,−2), then (32,16), at 0, 5, 10, 15. It is S<2,0,2> ∘ (16,2,2):(1,32,16), and no other swizzle's.
    """
    bases = [1, 2, 5, 10, 32, 16]
    values = table(bases)
    assert next(x for x in range(64) if values[x] != strided(0, bases)[x]) == 5
    assert values[::4] == values_of((4, 2, 2), (5, 32, 16))
    for a, (start, signs) in enumerate(((0, (1, 2)), (5, (-1, 2)), (10, (1, -2)), (15, (-1, -2)))):
        row = [v for x, v in enumerate(values) if x >> 2 & 3 == a]
        assert row == [start + v for v in values_of((2, 2, 2, 2), (*signs, 32, 16))]
    assert [s for s in swizzles(6) if views_of([swizzled(*s, v) for v in values])] == [(2, 0, 2)]
    assert [swizzled(2, 0, 2, v) for v in values_of((16, 2, 2), (1, 32, 16))] == values


@checked("bases below 8 at k <= 3: every choice of fixed bits and values")
def test_parts_of_cubes_are_strided_if_the_free_bases_are_disjoint() -> None:
    """Whatever the fixed bits are fixed to."""
    for k in range(4):
        for bases in product(range(8), repeat=k):
            for free in product((True, False), repeat=k):
                kept = [b for b, is_free in zip(bases, free, strict=True) if is_free]
                rest = [b for b, is_free in zip(bases, free, strict=True) if not is_free]
                for c in table(rest):
                    assert bool(views_of(table(kept, c))) == disjoint(kept)


def overlaps(bases: Sequence[int]) -> list[tuple[int, int]]:
    """The pairs of bases that share a bit."""
    return [(i, j) for i, j in combinations(range(len(bases)), 2) if bases[i] & bases[j]]


@checked("bases below 8 at k <= 3; each graph of 4 vertices")
def test_the_fewest_bits_to_fix_are_a_vertex_cover() -> None:
    """Of the graph of the bases that share a bit. Every graph occurs, with a bit for each edge."""
    edges = [*combinations(range(4), 2)]
    graphs = [[e for e, wanted in zip(edges, some, strict=True) if wanted] for some in product((0, 1), repeat=6)]
    drawn = [[sum(1 << n for n, e in enumerate(g) if v in e) | 64 << v for v in range(4)] for g in graphs]
    assert [overlaps(bases) for bases in drawn] == graphs
    for bases in [*drawn, *[b for k in range(4) for b in product(range(8), repeat=k)]]:
        numbers, pairs = range(len(bases)), overlaps(bases)
        sets = [s for many in range(len(bases) + 1) for s in combinations(numbers, many)]
        cover = next(s for s in sets if all(set(e) & set(s) for e in pairs))
        fixed = next(s for s in sets if views_of(table([bases[i] for i in numbers if i not in s])))
        assert len(fixed) == len(cover)


@checked("two coordinates of 2 bits, bases below 4, and random ones below 32; all boxes")
def test_a_box_of_ranges_is_strided_along_each_axis() -> None:
    """With one stride an axis: exactly if it is so along each axis from the low corner, and no bit moves along both."""
    rng, seen = Random("boxes"), Counter[bool]()
    ranges = [range(lo, hi) for lo, hi in combinations(range(5), 2)]
    maps = [*product(range(4), repeat=4), *[tuple(rng.randrange(32) for _ in range(4)) for _ in range(150)]]
    for a, b, c, d in maps:
        rows, columns = table([a, b]), table([c, d])
        for x, y in product(ranges, repeat=2):
            corner, first, last = rows[x[0]] ^ columns[y[0]], rows[x[0]], columns[y[0]]
            along = [rows[i] ^ last for i in x], [first ^ columns[j] for j in y]
            steps = [line[1] - corner if len(line) > 1 else 0 for line in along]
            strided_box = all(
                rows[i] ^ columns[j] == corner + (i - x[0]) * steps[0] + (j - y[0]) * steps[1] for i, j in product(x, y)
            )
            lines = list(zip(along, steps, strict=True))
            straight = all(v == corner + n * s for line, s in lines for n, v in enumerate(line))
            assert strided_box == (straight and changed(along[0]) & changed(along[1]) == 0)
            seen[strided_box] += 1
    assert min(seen.values()) > 10000
