"""Layouts whose sizes are known at run time only: public threads of CuTe, what it does, what symview answers.

In the notation of `parse`, `?` would be such a size; here it has a name. cutlass#3469, #3470, #3471, #3513 with
#3622, #2545, #3454.
"""

from __future__ import annotations

from random import Random

import pytest

from symview import cute
from symview.cute import E, Layout, LayoutError, NoComposition, parse
from symview.errors import SymbolError

STATIC = Layout((12, (4, 8)), (7, (1, 30)))


def test_coalescing_and_then_composing() -> None:
    """#3469: the DSL leaves (192,?):(1,192) as it is, and cannot compose it with (256,192) afterwards."""
    layout = parse("(192,?):(1,192)")
    assert str(cute.coalesce(layout)) == "192*n1:1"
    assert str(cute.coalesce_conditions(layout)) == "always: 192*n1:1"
    assert str(cute.composition_conditions(layout, Layout((256, 192)))) == "always: (256,192):(1,256)"
    assert str(cute.composition(cute.coalesce(layout), Layout((256, 192)))) == "(256,192):(1,256)"


def test_a_dynamic_size_on_the_right() -> None:
    """#3470: the DSL refuses a dynamic size beside basis elements, which a composition never reads."""
    outer, inner = Layout((4096, 8192)), parse("(32,k,8,128):(1@0,8@1,1@1,32@0)")
    found = cute.composition(outer, inner)
    assert str(found) == "(32,k,8,128):(1,32768,4096,32)"
    flat = cute.composition_conditions(outer, found, assume="k <= 1024")
    assert str(flat) == "always: (32,k,8,128):(1,32768,4096,32)"
    assert str(cute.composition(outer, parse("(32,16,8,128):(1@0,8@1,1@1,32@0)"))) == "(32,16,8,128):(1,32768,4096,32)"


def test_the_right_inverse_of_a_dynamic_layout() -> None:
    """#3471: the DSL refuses; pycute over sympy has (16,N):(1,16), which is 16N:1."""
    layout = parse("(16,n):(1,16)")
    assert str(cute.right_inverse_conditions(layout)) == "always: 16*n:1"
    assert str(cute.right_inverse(layout)) == str(cute.left_inverse(layout)) == "16*n:1"
    with pytest.raises(SymbolError, match="ask right_inverse_conditions: "):
        cute.right_inverse(parse("(16,n):(1,d)"))


def test_strides_of_the_coalesced_layout_stay_exact() -> None:
    """#3469, as first asked: only the stride and the sizes before have to be known; that 16 divides the size stays."""
    layout = parse("(16,k):(8,128)")
    assert str(cute.coalesce(layout)) == "16*k:8"
    assert str(cute.composition_conditions(cute.coalesce(layout), Layout((4, 4)))) == "always: (4,4):(8,32)"


def test_a_slice_of_ten_rows_behind_a_swizzle() -> None:
    """#3454: the DSL aborts where a size is not a power of two; each slice has the values at its coordinates."""
    tile = parse("S<3,4,3> o 0 o (10,2):(2,1)")
    first, second = cute.slice_(tile, (None, 0)), cute.slice_(tile, (None, 1))
    assert str(first) == str(cute.select(tile, [0])) == "(10):(2)"
    for found, k in ((first, 0), (second, 1)):
        assert [found(i) for i in range(10)] == [tile(i, k) for i in range(10)]
    far = parse("S<3,4,3> o 0 o (10,2):(64,1)")
    found = cute.slice_(far, (None, 1))
    assert [found(i) for i in range(10)] == [far(i, 1) for i in range(10)] != [64 * i + 1 for i in range(10)]


def test_tiles_behind_swizzles_of_a_matrix_with_a_leading_dimension() -> None:
    """What holds for all leading dimensions is answered; where it depends on it, the index says so."""
    tile = parse("S<2,0,3> o 0 o (8,8):(8,1)")
    found = cute.zipped_divide(parse("(64,k):(1,32*ld)"), (tile, 2))
    assert str(found) == "Sw<2,0,3> o 0 o (((8,8),2),(1,⌈k/2⌉)):(((8,1),32*ld),(0,64*ld))"
    with pytest.raises(SymbolError, match=r"k:ld; give strides that are multiples of 32, such as 32\*d"):
        cute.zipped_divide(parse("(64,k):(1,ld)"), (tile, None))
    with pytest.raises(SymbolError, match=r"at index 9 the value is b, where a layout has 2\*a \+ b"):
        cute.logical_divide(parse("(8,8):(a,b)"), tile)
    with pytest.raises(SymbolError, match="the number of tiles, are symbolic"):
        cute.logical_divide(parse("(64,k):(1,ld)"), tile)
    with pytest.raises(SymbolError, match="the places of the copies depend on the symbols"):
        cute.logical_product(parse("(8,8):(a,b)"), tile)
    with pytest.raises(LayoutError, match="logical_divide has the answer if one is right for all values"):
        cute.logical_divide_conditions(parse("(8,8):(a,b)"), tile)


def test_tiles_of_a_matrix() -> None:
    """#2545: a layout as tiler is of the whole, a tuple is by mode; both have 12 tiles, not 11."""
    layout = Layout((12, 32))
    assert str(cute.logical_divide(layout, Layout((4, 8)))) == "((4,8),12):((1,4),32)"
    assert str(cute.zipped_divide(layout, (4, 8))) == "((4,8),(3,4)):((1,12),(4,96))"
    with pytest.raises(NoComposition, match=r"At coordinate \(\(0,3\),0\) its value is 1; .* 384. Mode 0.1 of B, 8:4,"):
        cute.logical_divide(Layout((12, 32), (32, 1)), Layout((4, 8)))


def proposed_check(t: int) -> bool:
    """The assertions of #3622 for a tile t of STATIC: sizes kept of each static mode divide what is left."""
    for left, step in ((t, 1), (-(-384 // t), t)):
        for size in (12, 4):
            kept = min(-(-size // step), left)
            if left % kept:
                return False
            left, step = left // kept, -(-step // size)
    return True


def text_of_the_check() -> str:
    """The same as a guard."""
    found = []
    for left, step in (("t", "1"), ("((t + 383) // t)", "t")):
        for size in (12, 4):
            kept = f"min(({size - 1} + {step}) // {step}, {left})"
            found.append(f"{left} % {kept} == 0")
            left, step = f"({left} // {kept})", f"(({step} + {size - 1}) // {size})"
    return " and ".join(found)


PROPOSED = text_of_the_check()


def divides(t: int) -> bool:
    try:
        cute.logical_divide(STATIC, t)
    except NoComposition:
        return False
    return True


def test_a_tiler_that_is_known_at_run_time() -> None:
    """#3513: C++ answers for every t, wrongly where no layout does; the check of #3622 lets one wrong t through, 8."""
    good = [t for t in range(1, 400) if divides(t)]
    assert good == [1, 2, 3, 4, 6, 12, 24, *range(48, 400, 48)]
    assert [t for t in range(1, 400) if proposed_check(t)] == sorted([*good, 8])
    answer = cute.logical_divide_conditions(STATIC, Layout.parse("t:1"))
    assert [t for t in range(1, 400) if answer.holds({"t": t})] == good
    assert answer.compare("12 % t == 0 or t % 12 == 0 and 48 % t == 0 or t % 48 == 0")
    for check in (PROPOSED, "384 % t == 0"):
        found = answer.compare(check)
        assert not found
        assert found.values == {"t": 8}
    with pytest.raises(NoComposition, match="Mode 0 of B, 128:1"):
        cute.zipped_divide(STATIC, 128)
    assert str(answer.layout({"t": 24})) == str(cute.logical_divide(STATIC, 24)) == "((12,2),(2,8)):((7,1),(2,30))"


def test_coordinates_in_front_are_composed_mode_by_mode(turns, least) -> None:
    """(A ∘ B)(x) = A(B(x)) where B's values are coordinates of A."""
    rng, seen = Random("behind coordinates"), {"found": 0, "none": 0}
    for _ in turns(300):
        steps = rng.choice((1, 5)), rng.choice((8, 2))
        outer = Layout(((rng.choice((2, 3, 4)), 2), rng.choice((4, 6))), (steps, 50))
        shape = tuple(rng.choice((1, 2, 3, 4)) for _ in range(3))
        inner = cute.make_layout(shape, stride=tuple(rng.choice((1, 2, 3)) * rng.choice((E(0), E(1))) for _ in shape))
        try:
            found = cute.composition(outer, inner)
        except NoComposition:
            seen["none"] += 1
            continue
        seen["found"] += 1
        for x in range(found.size()):
            at = [0, 0]
            for d, i in zip(inner.stride, cute.idx2crd(x, shape), strict=True):
                at[d.mode[0]] += d.value * i
            assert found(x) == outer[0](at[0]) + outer[1](at[1])
    assert min(seen.values()) > least(20), seen
