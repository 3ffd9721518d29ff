"""Layouts behind swizzles against tables: whether they are strided, and what every operation makes of them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from oracle import swizzle_brute
from oracle.cute_brute import Modes
from symview import cute
from symview.cute import ComposedLayout, Layout
from symview.cute.swizzled import chain, straight
from symview.logic.budget import DEFAULT


def nested(rng: Random, modes: Modes):
    """Shape and stride of the modes, nested at random."""
    if len(modes) == 1 and rng.random() < 0.7:
        return modes[0]
    if len(modes) < 2 or rng.random() < 0.6:
        return tuple(n for n, _ in modes), tuple(d for _, d in modes)
    cut = rng.randint(1, len(modes) - 1)
    (a, b), (c, d) = nested(rng, modes[:cut]), nested(rng, modes[cut:])
    return (a, c), (b, d)


def composed(fronts: swizzle_brute.Fronts, layout: Layout):
    for swizzle, offset in reversed(fronts):
        layout = ComposedLayout(cute.Swizzle(*swizzle), offset, layout)
    return layout


def random_composed(rng: Random, most: int = 200):
    """A layout behind swizzles, and its table."""
    modes = swizzle_brute.random_modes(rng, most)
    fronts = swizzle_brute.random_fronts(rng, modes)
    return composed(fronts, Layout(*nested(rng, modes))), swizzle_brute.values(fronts, modes), modes


def table(layout) -> list[int]:
    return [layout(x) for x in range(layout.size())]


STAGES = {
    "masks": {},
    "residues": {"masks_of": lambda found: None},
    "walk": {"masks_of": lambda found: None, "_PERIOD": 0},
    "solver": {"masks_of": lambda found: None, "_PERIOD": 0, "TABLE": 0},
}


@pytest.mark.parametrize("stage", STAGES)
def test_strided(stage, turns, monkeypatch) -> None:
    """Each stage by itself: the parts, or the index where there are none."""
    for name, value in STAGES[stage].items():
        monkeypatch.setattr(straight, name, value)
    rng, seen = Random(f"strided {stage}"), Counter()
    for _ in turns(25 if stage == "solver" else 500):
        layout, values, modes = random_composed(rng, 40 if stage == "solver" else 200)
        expected = swizzle_brute.by_mode(values, modes)
        found = straight.strided(chain.chain_of(layout), DEFAULT)
        assert bool(found) == (expected is not None), (layout, found, expected)
        if expected is None:
            assert values[found.index] == found.got != found.expected
            seen["none"] += 1
        else:
            parts = [[(n, d) for n, _, d in p if n > 1] for p in found.parts]
            assert (found.base, parts) == (values[0], expected)
            seen["strided"] += 1
    assert min(seen.values()) > (4 if stage == "solver" else 100), seen
