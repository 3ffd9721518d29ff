"""The steps of `--explain`: what they say of place values, carries and windows is what the definitions say."""

from __future__ import annotations

from itertools import product
from math import prod
from random import Random

import pytest
from bridge import view
from command import typed
from oracle import generate

from symview import View, merge, unravel
from symview.show.grid import Grid
from symview.show.steps import setting_blocks, window_blocks


def shown(*args: str) -> str:
    result = typed([*args, "--explain"])
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def test_a_size_of_0_is_no_place_at_which_a_step_carries() -> None:
    assert "out of bounds" in shown("conditions", "(2,0,3)", "(n//2,2)")


def test_defects_and_steps_are_those_of_the_definitions(turns) -> None:
    rng, contiguous = Random("worked"), 0
    for _ in turns(300):
        outer, inner = (view(v) for v in generate.pair(rng))
        tables = [b for b in setting_blocks((outer, inner)) if isinstance(b, Grid)]
        dims = next((t for t in tables if t.header[0] == "dim"), None)
        for n, row in enumerate(dims.rows if dims else ()):
            assert row[:4] == (str(n), str(outer.shape[n]), str(outer.strides[n]), str(prod(outer.shape[n + 1 :])))
            after = [size * stride for size, stride in zip(outer.shape, outer.strides, strict=True)][n + 1 :]
            steps = [product for product, size in zip(after, outer.shape[n + 1 :], strict=True) if size != 1]
            fits = bool(steps) and outer.strides[n] == steps[0]
            said = dict(zip(dims.header, row, strict=True)).get("contiguous with the next dim", "")
            if n + 1 < outer.rank and outer.shape[n] == 1:
                assert said == "any stride: size 1"
            else:
                assert said.split(":")[0] == ("yes" if fits else "no" if steps else "")
                contiguous += fits
        steps = next((t for t in tables if t.header[0] == "axis"), None)
        for row, stride in zip(steps.rows if steps else (), inner.strides, strict=True):
            if row[3].startswith(("(", "-(")):
                digits = tuple(map(int, row[3].lstrip("-")[1:-1].split(","))) if row[3] not in ("()", "-()") else ()
                assert digits == unravel(abs(stride), outer.shape)
    assert contiguous > 30


def test_windows_let_through_what_the_mask_lets_through() -> None:
    outer = View((4, 3, 5), (15, 5, 1), 0, [(1, 3), (0, 2), (2, 5)])
    (table,) = window_blocks((outer, View((60,))))
    assert len(table.rows) == 3
    for index in product(*map(range, outer.shape)):
        x = View(outer.shape).at(index)
        passes = all(eval(_python(row[2]), {}, {"x": x}) for row in table.rows)
        assert passes == (outer.at(index) is not None)


def _python(text: str) -> str:
    return text.replace("≤", "<=").replace("mod", "%")


@pytest.mark.parametrize(
    "views",
    [["(10,3,3):(9,3,1)", "(4,2):(4,-1)+1"], ["(10,3,3):(1,1,1)", "(4):(4)"], ["(9):(-1)+7 [2:8]", "(3,2):(3,1)"],
     ["(2,4):(1,2)", "(2,4):(1,2)", "(8)"], ["()", "()"], ["(0,3)", "(0)"], ["(2,3):(0,0) [0:0,0:0]", "(6)"],
     ["(1,1)", "(1)"], ["(4):(0)", "(2,2)"]],
)  # fmt: skip
def test_merges_of_every_kind_are_told(views) -> None:
    answer = merge(*map(View.parse, views))
    plain = typed(["merge", *views]).stdout
    text = shown("merge", *views)
    assert text.startswith(plain.rstrip())
    assert len(text) > len(plain)
    if isinstance(answer, View):
        assert str(answer) in text.splitlines()[-1]


def test_conditions_and_reshapes_begin_with_the_place_values() -> None:
    text = shown("conditions", "(10,3,3):(a,b,c)", "(s):(4)")
    assert text.index("if a = 3*b") < text.index("Why 4 ≤ s ≤ 5")
    text = shown("reshape", "(B,S,D):(t0,t1,t2)", "(B*S,D)")
    assert "0    B     t0      D*S          if t0 = S*t1                  not at every size" in text
    assert "1    S     t1      D            if t1 = D*t2                  yes" in text
