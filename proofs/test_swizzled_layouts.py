"""Swizzles and linear maps in front of layouts, and layouts in front of them; elements of other widths; banks.

Each docstring says what is claimed, and how it was decided: exhaustive (or random, where said) up to the bound named.
S<b,m,s> is CuTe's swizzle, Q = 2^(b+m+|s|); the rest is as in `test_linear_layouts.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import gcd, prod
from random import Random

from oracle.linear_brute import is_affine, strided, swizzled, swizzles, table, values_of, views_of

from symview import cute
from symview.rules import checked


def parity(x: int) -> int:
    """The number of bits, modulo 2."""
    return x.bit_count() % 2


@checked("swizzles within 6 bits, all numbers to 2^8")
def test_swizzles_are_linear_and_their_own_inverse() -> None:
    """S(2^i) = 2^i ⊕ 2^(i−s) for m+max(0,s) <= i < m+max(0,s)+b, else 2^i; S∘S = id; S(y + Qt) = S(y) + Qt.

    |s| >= b is needed: S<2,0,1> takes 4 to 6 to 5.
    """
    for b, m, s in swizzles(6):
        bases = [1 << i ^ (1 << i - s if m + max(0, s) <= i < m + max(0, s) + b else 0) for i in range(8)]
        values, q = [swizzled(b, m, s, x) for x in range(256)], 1 << b + m + abs(s)
        assert table(bases) == values
        assert [values[y] for y in values] == list(range(256))
        assert all(values[x] == values[x % q] + x // q * q for x in range(256))

    def odd(x: int) -> int:
        return x ^ (x & 0b110) >> 1

    assert (odd(4), odd(6)) == (6, 5)


# Swizzles in front of one mode


@checked("swizzles within 4 bits, N to 12, d to 2Q")
def test_a_swizzled_mode_depends_on_the_residue_of_its_stride() -> None:
    """S∘(N:d) is a layout exactly if S∘(N:d mod Q) is one, of the same sizes; each stride grows by (d − r)·place."""
    for s in swizzles(4):
        q = 1 << s[0] + s[1] + abs(s[2])
        for n in (2, 3, 4, 6, 8, 12):
            known = [views_of([swizzled(*s, d * x) for x in range(n)]) for d in range(2 * q)]
            for d in range(q, 2 * q):
                grown = [[(m, t + q * prod(a for a, _ in found[:j])) for j, (m, t) in enumerate(found)]
                         for found in known[d - q]]  # fmt: skip
                assert sorted(known[d]) == sorted(grown)


@checked("b <= 2, m <= 2, |s| <= 3, Q <= 2^5, N = p, 2p, 3p")
def test_a_swizzled_mode_over_whole_periods() -> None:
    """If Q/gcd(d,Q) divides N: a layout exactly if, s > 0: d ≡ 0, 2^e with m+b <= e < m+b+s, or 2^(m+b−1)·(1+2^s),
    modulo Q; s < 0: 2^(m+b) divides d. So S<1,0,2>∘8:5 = (2,2,2):(4,10,21), not affine inside and yet a layout.
    """
    seen = Counter[bool]()
    for b, m, s in product((1, 2), range(3), (-3, -2, -1, 1, 2, 3)):
        q = 1 << b + m + abs(s)
        if abs(s) < b or q > 32:
            continue
        good = {0, (1 << m + b - 1) * (1 + (1 << abs(s))) % q, *(1 << e for e in range(m + b, m + b + s))}
        for d, times in product(range(q), (1, 2, 3)):
            n = q // gcd(d, q) * times
            is_layout = bool(cute.layout_of([swizzled(b, m, s, d * x) for x in range(n)]))
            assert is_layout == (d in good if s > 0 else d % (1 << m + b) == 0)
            seen[is_layout] += 1
    assert min(seen.values()) > 100
    assert [swizzled(1, 0, 2, 5 * x) for x in range(8)] == values_of((2, 2, 2), (4, 10, 21))
    assert not is_affine([swizzled(1, 0, 2, 5 * x) for x in range(8)])
    assert [d for d in range(8) if views_of([swizzled(1, 0, 2, d * x) for x in range(4)])] == [0, 1, 2, 4, 5]


# Elements of another width


def units(values: Sequence[int], n: int) -> list[int] | None:
    """The units moved, where every n values in a row are a whole unit in order: g with f(n·y + z) = n·g(y) + z."""
    rows = [values[y : y + n] for y in range(0, len(values), n)]
    whole = all(len(r) == n and r[0] % n == 0 and r == list(range(r[0], r[0] + n)) for r in rows)
    return [r[0] // n for r in rows] if whole else None


@checked("bases below 8 at k <= 3, c below 8, N = 2, 4")
def test_affine_maps_move_whole_units() -> None:
    """Exactly if b_i = 2^i for i < a, and N = 2^a divides the other bases and c; then c/N, b_a/N, … move the units."""
    for k, a in ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2)):
        n = 1 << a
        for c, *bases in product(range(8), repeat=k + 1):
            moved = units(table(bases, c), n)
            rule = bases[:a] == [1 << i for i in range(a)] and all(x % n == 0 for x in (c, *bases[a:]))
            assert (moved is not None) == rule
            assert moved is None or moved == table([b // n for b in bases[a:]], c // n)


@checked("swizzles within 5 bits, N = 2, 4, in front of 32:1")
def test_swizzles_move_whole_units() -> None:
    """M >= a: as what stands behind does, as <b, m−a, s>. m < a, b >= 1: s < 0 never; s > 0 exactly if bits m+s to
    min(m+b,a)+s−1 are 0 in all values behind. S<1,0,2> exchanges the halves of units 2 and 3.
    """
    for (b, m, s), a in product(swizzles(5), (1, 2)):
        n = 1 << a
        if b == 0:
            continue
        for unread in (0, *((1 << min(m + b, a) + s) - (1 << m + s) for _ in range(s > 0 and m < a))):
            inner = [x for x in range(32) if not x & unread]  # whole units, in a row
            if unread & (n - 1):
                continue
            moved = units([swizzled(b, m, s, x) for x in inner], n)
            if m >= a:
                assert moved == [swizzled(b, m - a, s, x // n) for x in inner[::n]]
            else:
                assert (moved is not None) == (s > 0 and unread != 0)
    assert [swizzled(1, 0, 2, x) for x in range(4, 8)] == [5, 4, 7, 6]


# Composition


@checked("strides from −2 to 2, k = 3, random maps, 2,000")
def test_a_layout_in_front_of_an_affine_map() -> None:
    """Strided exactly if for each R' with |R'| >= 2 the ±v_i over the rows i with that R' add up to 0.

    (2,2,2):(u,v,w)∘S<1,0,2> is strided exactly if u = 0.
    """
    rng, seen = Random("in front"), Counter[bool]()
    for _ in range(2000):
        v = [rng.randint(-2, 2) for _ in range(3)]
        c, bases = rng.randrange(8), [rng.choice((1, 2, 4, rng.randrange(8))) for _ in range(3)]
        sums = Counter[int]()
        for i, d in enumerate(v):
            sums[sum((b >> i & 1) << j for j, b in enumerate(bases))] += -d if c >> i & 1 else d
        front = strided(0, v)
        rule = not any(total for bits, total in sums.items() if bits.bit_count() >= 2)
        assert rule == bool(views_of([front[x] for x in table(bases, c)]))
        seen[rule] += 1
    assert min(seen.values()) > 200
    for u, v, w in product(range(-2, 3), repeat=3):
        front = strided(0, [u, v, w])
        assert bool(views_of([front[swizzled(1, 0, 2, x)] for x in range(8)])) == (u == 0)


@checked("swizzles within 4 bits, strided functions of k <= 3, strides 0 to 5")
def test_a_swizzle_in_front_changes_nothing_about_affine() -> None:
    """S∘h is affine exactly if h is: S is its own inverse."""
    for s in swizzles(4):
        for v in product((0, 1, 2, 3, 5), repeat=2):
            h = strided(1, v)
            assert is_affine([swizzled(*s, x) for x in h]) == is_affine(h)


@checked("up to four items, a_i to 5, every T")
def test_subset_sums_hide_behind_one_exclusive_or() -> None:
    """H = o + Σ x_i(a_i + 2^(w+1)·a_i), o = (2^w−T−1) + 2^(w+1)·(2^w−T): bit w ⊕ bit 2w+1 of h(x) says Σ a_i·x_i = T.

    So for 3 items and more, whether that exclusive or of two bits is affine, strided or 0 asks for a subset sum, which
    is NP-complete: where there is one, the answer is no, since subsets of one sum are an antichain (Sperner).
    """
    for many in (3, 4):
        for a in product(range(1, 6), repeat=many):
            if list(a) != sorted(a):
                continue
            w = sum(a).bit_length()
            for t in range(0, sum(a) + 2):
                o = (1 << w) - t - 1 + ((1 << w) - t << w + 1)
                h = strided(o, [d + (d << w + 1) for d in a])
                bits = [x >> w & 1 ^ x >> 2 * w + 1 & 1 for x in h]
                sums = strided(0, a)
                assert bits == [int(total == t) for total in sums]
                assert is_affine(bits) == (t not in sums) == bool(views_of(bits))


def stays_below(o: int, v: Sequence[int], modulus: int, end: int) -> bool:
    """Whether (o + Σ x_i·v_i) mod the modulus moves without a carry, and stays below the end."""
    start = o % modulus
    steps = [(o + d) % modulus - start for d in v]
    return start + sum(min(0, d) for d in steps) >= 0 and start + sum(max(0, d) for d in steps) < end


@checked("S<1,m,s> within 4 bits, k <= 3, strides 0 to 9, o from 0 to 7")
def test_one_bit_swizzled_in_front_is_polynomial() -> None:
    """S∘h, b = 1, h strided: D = S(h) − h is −u, 0 or u, so if it is additive it has at most 2 coefficients. With those
    bits fixed, the bit that is read is constant, and where D is not 0 the bit that changes too; each is one inequality.
    """
    rng, seen = Random("one bit"), Counter[bool]()
    for s in [s for s in swizzles(4) if s[0] == 1]:
        source = s[1] + max(s[2], 0)
        target = source - s[2]
        for _ in range(60):
            k, o = rng.randint(1, 3), rng.randrange(8)
            v = [rng.choice((0, 1, 2, 3, 4, 8, rng.randrange(10))) for _ in range(k)]
            values = [swizzled(*s, x) for x in strided(o, v)]
            moved = [a - b for a, b in zip(values, strided(o, v), strict=True)]
            steps = [moved[1 << i] - moved[0] for i in range(k)]
            read = [i for i in range(k) if steps[i]]
            free = [d for i, d in enumerate(v) if not steps[i]]

            def constant(bit: int, value: int, start: int, free: list[int] = free) -> bool:
                return stays_below(start - (value << bit), free, 2 << bit, 1 << bit)

            rule = len(read) <= 2
            for x in range(1 << len(read)) if rule else ():
                chosen = [i for n, i in enumerate(read) if x >> n & 1]
                start, wanted = o + sum(v[i] for i in chosen), moved[0] + sum(steps[i] for i in chosen)
                rule = rule and wanted in (0, 1 << target, -1 << target) and constant(source, int(wanted != 0), start)
                rule = rule and (not wanted or constant(target, int(wanted < 0), start))
            assert rule == bool(views_of(values))
            seen[rule] += 1
    assert min(seen.values()) > 200


@checked("r <= 9, k <= 3, all values below r")
def test_sums_modulo_any_number_are_strided_without_carries() -> None:
    """(o + Σ x_i·b_i) mod r is strided exactly if no carry past r happens: two inequalities."""
    for r, k in product(range(1, 10), range(4)):
        for o, *bases in product(range(min(r, 5)), repeat=k + 1):
            values = [x % r for x in strided(o, bases)]
            assert stays_below(o, bases, r, r) == bool(views_of(values))


@checked("r < 40, k <= 6")
def test_remainders_by_other_moduli_are_no_layouts() -> None:
    """X mod r on [0, 2^k), 2^k > r, r no power of two, is no layout and not affine."""
    for r, k in product(range(1, 40), range(1, 7)):
        if r & (r - 1) and 1 << k > r:
            values = [x % r for x in range(1 << k)]
            assert not is_affine(values)
            assert not views_of(values)


# Bank conflicts


def ways(words: Sequence[int]) -> int:
    """The most different words that one of 32 banks has."""
    return max(Counter(word % 32 for word in set(words)).values())


def rank(bases: Sequence[int]) -> int:
    """The logarithm of how many values there are."""
    return len(set(table(bases))).bit_length() - 1


@checked("random maps of 5 lane bits into 7 bits of words, 300")
def test_bank_conflicts_of_affine_maps_are_a_difference_of_ranks() -> None:
    """Ways = 2^(rank W − rank(W mod 32)), whatever the constant is."""
    rng = Random("banks")
    for _ in range(300):
        bases = [rng.choice((0, 1 << rng.randrange(7), rng.randrange(128))) for _ in range(5)]
        assert ways(table(bases, rng.randrange(128))) == 1 << rank(bases) - rank([b % 32 for b in bases])


@checked("|d| <= 70, n <= 32")
def test_bank_conflicts_of_a_stride() -> None:
    """n:d in words: 1 if d = 0, else ⌈n·gcd(d,32)/32⌉."""
    for n, d in product(range(1, 33), range(-70, 71)):
        assert ways([x * d for x in range(n)]) == (-(-n * gcd(d, 32) // 32) if d else 1)


@checked("(2,16):(1,1) and (2,16):(1,33)")
def test_bank_conflicts_are_no_function_of_strides_modulo_32() -> None:
    """(2,16):(1,1) has 1 way, (2,16):(1,33) has 2, since lanes share words in the first."""
    assert ways(values_of((2, 16), (1, 1))) == 1
    assert ways(values_of((2, 16), (1, 33))) == 2


@checked("random lanes a + c·d, a <= 40, |c| <= 3, |d| <= 200, 40")
def test_bank_conflicts_depend_on_the_residue_unless_lanes_with_unequal_factors_meet() -> None:
    """Lane i reads the word a_i + c_i·d: the ways depend on d mod 32, for all d at which no two lanes with different c
    read one word; the others are finitely many.
    """
    rng = Random("banks by residue")
    met = 0
    for _ in range(40):
        lanes = [(rng.randint(0, 40), rng.randint(-3, 3)) for _ in range(8)]
        known: dict[int, int] = {}
        for d in range(-200, 201):
            meet = any(a + c * d == b + e * d for a, c in lanes for b, e in lanes if c != e)
            found = ways([a + c * d for a, c in lanes])
            met += meet
            assert meet or known.setdefault(d % 32, found) == found
    assert met > 100


@checked("strides to 260 in size, starts to 5, 1 and 2 bytes each, 7 and 32 lanes")
def test_bank_conflicts_of_a_stride_in_bytes() -> None:
    """Lane i reads 1 byte, or 2 at an even address, at o + d·i. 1 way for |d| <= 4; for more, the ways depend on |d|
    modulo 128 and on the lowest address modulo 4 alone: d = 17 has 2 ways from 0 on, and 3 from 1 on.
    """
    known: dict[tuple[int, ...], int] = {}
    for width, lanes, d, o in product((1, 2), (7, 32), range(-260, 261), range(6)):
        if width == 2 and (d % 2 or o % 2):
            continue
        start = o + 3000  # so that no address is below 0
        low = start + min(0, d * (lanes - 1))
        found = ways([(start + d * i) // 4 for i in range(lanes)])
        if abs(d) <= 4:
            assert found == 1
        else:
            assert known.setdefault((width, lanes, abs(d) % 128, low % 4), found) == found
    assert known[1, 32, 17, 0] == 2
    assert known[1, 32, 17, 1] == 3
