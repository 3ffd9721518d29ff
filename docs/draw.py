"""Draws the pictures of the documents: `python docs/draw.py`; a test holds that they are what symview draws."""

from __future__ import annotations

from pathlib import Path

from symview import View, conditions, draw, draw_overflows, reshape_conditions
from symview.cute import Layout, best_swizzle

FOLDER = Path(__file__).parent / "pictures"


def pictures() -> dict[str, str]:
    """The pictures by the names of their files."""
    paper, memory = View.parse("(10,3,3):(σ1,σ2,σ3)"), View.parse("(10,3,3):(a,b,c)")
    flattened = reshape_conditions(View.parse("(B,S,D):(t0,t1,t2)"), View.parse("(B*S,D)").shape)
    return {
        "overflow.svg": draw_overflows(paper, View((6,), (4,))),
        "one_size.svg": draw(conditions(paper, View.parse("(s):(4)"))),
        "two_sizes.svg": draw(conditions(memory, View.parse("(m,n):(3,1)"))),
        "reshape.svg": draw(flattened),
        "transposed.svg": draw_overflows(View((4, 6), (1, 4)), View((2, 6), (12, 2))),
        "banks.svg": draw(best_swizzle((64, 64), ["cp.async 16 B", "ldmatrix"], element_bytes=2)),
        "layout.svg": draw(Layout(((4, 2), 8), ((2, 1), 8))),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, svg in pictures().items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
