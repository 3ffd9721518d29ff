"""Linear layouts against Triton's own, where it is installed (3.9): the same text, values, inverses and conversions."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from oracle.test_linear import random_linear
from symview.cute import LinearLayout
from symview.cute.linear.layout import conversion

triton = pytest.importorskip("triton._C.libtriton").linear_layout.LinearLayout


def there(layout: LinearLayout) -> Any:
    return triton.from_bases(list(layout.bases.items()), list(layout.outs), list(layout.outs.values()), False)


def back(layout: Any) -> LinearLayout:
    return LinearLayout.of(layout)


def same_order(a: dict[str, int], b: dict[str, int]) -> bool:
    """Triton ends the process where two orders of names contradict each other."""
    return [name for name in a if name in b] == [name for name in b if name in a]


def test_the_same_text_and_values(turns) -> None:
    rng = Random("triton's layouts")
    for _ in turns(200):
        layout = random_linear(rng, 3, affine=False)
        other = there(layout)
        assert LinearLayout.of(other) == layout == LinearLayout.parse(str(other))
        assert str(other).strip("\n") == layout.listing()
        assert other.get_matrix_view() == layout.matrix()
        inputs = layout.inputs(rng.randrange(layout.size()))
        assert dict(other.apply(inputs)) == layout.at(inputs)
        judged = other.is_injective(), other.is_surjective(), other.is_invertible()
        assert judged == (layout.is_injective(), layout.is_surjective(), layout.is_bijective())


def test_the_same_inverses_products_and_conversions(turns) -> None:
    rng, seen = Random("triton's operations"), Counter()
    for _ in turns(400):
        layout, other = random_linear(rng, 3, affine=False), random_linear(rng, 3, affine=False)
        if same_order(layout.ins, other.ins) and same_order(layout.outs, other.outs):
            assert back(there(layout) * there(other)) == layout * other
            seen["product"] += 1
        if layout.is_bijective():
            assert back(there(layout).invert()) == layout.inverse()
            seen["inverse"] += 1
        if layout.is_surjective():
            bases = {name: [[rng.randrange(n) for n in layout.outs.values()] for _ in range(2)] for name in ("a", "b")}
            source = LinearLayout(bases, layout.outs)
            assert back(there(source).invert_and_compose(there(layout))) == conversion(source, layout)
            after = {name: [[rng.randrange(8)] for _ in range(n.bit_length() - 1)] for name, n in layout.outs.items()}
            outer = LinearLayout(after, {"y": 8})
            assert back(there(layout).compose(there(outer))) == layout.compose(outer)
            seen["conversion"] += 1
    assert min(seen.values()) > 5 and len(seen) == 3, seen
