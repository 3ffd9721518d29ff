"""Linear layouts against tables over all indices."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import linear_brute as brute
from symview.cute import LinearLayout, NoAnswer, downcast, recast_layout, upcast
from symview.cute.linear.layout import (
    compose,
    conversion,
    fixed,
    inverse,
    left_inverse,
    product,
    pseudo_inverse,
    reshaped,
    right_inverse,
    sublayout,
)

NAMES = ("register", "lane", "warp", "block")


def random_linear(rng: Random, outs: int = 2, most: int = 6, affine: bool = True) -> LinearLayout:
    """One to four inputs, up to three outputs, sizes of 1 among them, perhaps with a constant."""
    while True:
        width = rng.randint(0, 6)
        bases = brute.random_bases(rng, most, max(width, 1))
        many, names = rng.randint(1, outs), list(NAMES[: rng.randint(1, 4)])
        rng.shuffle(names)
        cuts = sorted(rng.randint(0, width) for _ in range(many - 1))
        bits = [b - a for a, b in zip([0, *cuts], [*cuts, max(width, 1)], strict=True)]
        ins: dict[str, list] = {name: [] for name in names}
        at = 0
        for base in bases:
            at = min(at + (rng.random() < 0.4), len(names) - 1)
            ins[names[at]].append(parts(base, bits))
        found = {f"dim{k}": 1 << b for k, b in enumerate(bits)}
        start = parts(rng.choice((0, rng.randrange(1 << sum(bits)))) if affine else 0, bits)
        return LinearLayout(ins, found, start)


def parts(x: int, bits: list[int]) -> list[int]:
    found = []
    for width in bits:
        found.append(x % 2**width)
        x //= 2**width
    return found


def values(layout: LinearLayout) -> list[int]:
    """By the definition: outputs put end to end, the first lowest."""
    bits = [size.bit_length() - 1 for size in layout.outs.values()]

    def whole(basis: list[int]) -> int:
        total, place = 0, 0
        for x, width in zip(basis, bits, strict=True):
            total, place = total + (x << place), place + width
        return total

    return brute.table([whole(b) for bs in layout.bases.values() for b in bs], layout.constant)


def test_values_text_and_repr(turns, full) -> None:
    rng, seen = Random("linear layouts"), Counter()
    for _ in turns(400):
        layout = random_linear(rng, 3)
        found = values(layout)
        assert [layout(x) for x in range(layout.size())] == found
        assert LinearLayout.parse(str(layout)) == layout == eval(repr(layout))
        assert layout.constant or LinearLayout.parse(layout.listing()) == layout
        assert layout.is_injective() == (len(set(found)) == len(found))
        assert layout.is_surjective() == (set(found) == set(range(layout.cosize())))
        assert layout.is_bijective() == (sorted(found) == list(range(layout.cosize())))
        assert len(set(found)) == 2 ** len(layout.image_basis())
        for x in layout.kernel():
            assert layout.at(x) == layout.at({}) and any(x.values())
        seen[layout.is_injective(), layout.is_surjective(), bool(layout.constant)] += 1
    if full:
        assert min(seen.values()) > 3 and len(seen) == 8, seen


def test_inverses(turns, full) -> None:
    rng, seen = Random("inverses of linear layouts"), Counter()
    for _ in turns(400):
        layout = random_linear(rng, most=4)
        found = values(layout)
        back = values(pseudo_inverse(layout))
        assert [found[back[v]] for v in found] == found
        for name, wanted, inverted in (
            ("left", layout.is_injective(), left_inverse),
            ("right", layout.is_surjective(), right_inverse),
            ("both", layout.is_bijective(), inverse),
        ):
            try:
                other = values(inverted(layout))
            except NoAnswer:
                assert not wanted
                seen[name, "none"] += 1
                continue
            assert wanted
            if name != "right":
                assert [other[v] for v in found] == list(range(len(found)))
            if name != "left":
                assert [found[x] for x in other] == list(range(layout.cosize()))
            seen[name] += 1
        value = rng.randrange(layout.cosize())
        if value in found:
            assert found[layout.preimage(value)] == value
        else:
            with pytest.raises(NoAnswer, match="no index has the value"):
                layout.preimage(value)
    if full:
        assert min(seen.values()) > 20 and len(seen) == 6, seen


def test_compositions_products_and_conversions(turns, full) -> None:
    rng, seen = Random("compositions of linear layouts"), Counter()
    for _ in turns(200):
        inner = random_linear(rng)
        outer = LinearLayout(
            {name: [[rng.randrange(8)] for _ in range(size.bit_length() - 1 + rng.randint(0, 1))]
             for name, size in rng.sample(sorted(inner.outs.items()), len(inner.outs))},
            {"y": 8}, [rng.randrange(8)],
        )  # fmt: skip
        both = compose(outer, inner)
        for x in range(inner.size()):
            assert both.at(inner.inputs(x)) == outer.at(inner.at(inner.inputs(x)))
        source, target = random_linear(rng, 1), random_linear(rng, 1)
        try:
            there = conversion(source, target)
        except NoAnswer:
            assert not set(values(source)) <= set(values(target))
            seen["no conversion"] += 1
        else:
            assert [values(target)[x] for x in values(there)] == values(source)
            seen["conversion"] += 1
        low, high = random_linear(rng, 2, 3), random_linear(rng, 2, 3)
        whole = product(low, high)
        for _ in range(10):
            x, y = low.inputs(rng.randrange(low.size())), high.inputs(rng.randrange(high.size()))
            given = {n: x.get(n, 0) + low.ins.get(n, 1) * y.get(n, 0) for n in whole.ins}
            a, b = low.at(x), high.at(y)
            assert whole.at(given) == {n: a.get(n, 0) + low.outs.get(n, 1) * b.get(n, 0) for n in whole.outs}
    if full:
        assert min(seen.values()) > 10, seen


def test_elements_of_another_width(turns, full) -> None:
    rng, seen = Random("recast linear layouts"), Counter()
    for _ in turns(400):
        layout, n = random_linear(rng, 3), rng.choice((1, 2, 4))
        if rng.random() < 0.5:
            layout = downcast(layout, n)
        found = values(layout)
        rows = [found[y : y + n] for y in range(0, len(found), n)]
        whole = len(found) >= n and all(r[0] % n == 0 and r == [*range(r[0], r[0] + n)] for r in rows)
        try:
            wide = upcast(layout, n)
        except NoAnswer:
            assert not whole, (layout, n)
            seen["taken apart"] += 1
            continue
        assert whole
        assert values(wide) == [r[0] // n for r in rows]
        assert values(downcast(wide, n)) == found == values(recast_layout(8, 8 * n, recast_layout(8 * n, 8, layout)))
        seen[n] += 1
    if full:
        assert min(seen.values()) > 20 and len(seen) == 4, seen


def test_parts_and_other_names(turns) -> None:
    rng = Random("parts of linear layouts")
    for _ in turns(200):
        layout = random_linear(rng, 3)
        x = layout.inputs(rng.randrange(layout.size()))
        given = {n: v for n, v in x.items() if rng.random() < 0.5}
        part = fixed(layout, given)
        assert part.at({n: v for n, v in x.items() if n not in given}) == layout.at(x)
        ins = rng.sample(list(layout.ins), rng.randint(0, len(layout.ins)))
        outs = rng.sample(list(layout.outs), rng.randint(1, len(layout.outs)))
        some = {n: v if n in ins else 0 for n, v in x.items()}
        got = sublayout(layout, ins, outs).at({n: x[n] for n in ins})
        assert got == {n: layout.at(some)[n] for n in outs} and list(got) == outs
        whole = reshaped(layout, {"index": layout.size()}, {"offset": layout.cosize()})
        assert [whole(x) for x in range(whole.size())] == values(layout)
