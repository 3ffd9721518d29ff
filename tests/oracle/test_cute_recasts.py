"""Layouts with names for elements of another width: at values they are those of numbers, or there is none."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from symview import SymbolError
from symview.cute import Layout, LayoutError, recast_layout, recast_layout_conditions, same_function


def test_at_values(turns) -> None:
    seen = Counter()
    for turn in turns(60):
        rng = Random(f"recast of layouts {turn}")
        sizes = [rng.choice(("n", "m", "1", "2", "4", "8")) for _ in range(rng.randint(1, 3))]
        strides = [rng.choice(("a", "b", "4*a", "1", "1", "2", "8", "0")) for _ in sizes]
        layout = Layout.parse(f"({','.join(sizes)}):({','.join(strides)})")
        new, old = rng.choice(((16, 8), (32, 8), (8, 16), (8, 32), (16, 24), (24, 16)))
        if not layout.symbols():
            continue
        try:
            found = recast_layout_conditions(new, old, layout)
        except LayoutError:  # a stride of numbers that is neither a multiple nor a divisor
            continue
        for _ in range(20):
            values = {n: rng.randint(1, 6) if n in "nm" else rng.randint(-4, 12) for n in found.symbols()}
            try:
                expected = recast_layout(new, old, layout.with_values(values))
            except LayoutError:
                expected = None
            assert found.holds(values) == (expected is not None), (layout, new, old, values)
            if expected is not None:
                assert same_function(found.layout(values), expected), (layout, new, old, values)
            seen[expected is not None] += 1
    assert min(seen[True], seen[False]) > 10


def test_one_that_is_right_for_all_values() -> None:
    assert str(recast_layout(32, 8, Layout.parse("(n,64):(4*a,1)"))) == "(n,16):(a,1)"
    with pytest.raises(SymbolError, match="recast_layout_conditions"):
        recast_layout(128, 16, Layout.parse("(m,64):(ld,1)"))
