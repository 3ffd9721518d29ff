"""The worked examples of layouts from their uses, with their answers: what copies, what it weighs, what collides."""

from __future__ import annotations

import pytest

import symview
from symview import Budget, InputError, NotSupported, Program, plan, tensor

Q = tensor("q", (4, 1024, 32, 128))
HEADS, TOKENS = Q.permute(0, 2, 1, 3).reshape(128, 1024, 128), Q.reshape(4096, 4096)
KV = tensor("kv", (2, 2048, 16, 8, 128))
QKV = tensor("qkv", (4, 1024, 3, 32, 128))


def slots(i: int) -> Program:
    return KV.slice((i, 0, 0, 0, 0), (i + 1, 2048, 16, 8, 128)).reshape(2048 * 16, 8 * 128)


def part(i: int) -> Program:
    return QKV.slice((0, 0, i, 0, 0), (4, 1024, i + 1, 32, 128)).reshape(4, 1024, 32, 128)


def test_heads_and_tokens() -> None:
    found = plan(Q.permute(0, 2, 1, 3), TOKENS, HEADS, element_bytes=2)
    assert not found
    assert (found.weight, found.optimal) == (33_554_432, "proved")
    assert found.copies in ((str(TOKENS),), (str(HEADS),))
    assert found.conflicts[0].indices == ((0, 32, 0, 0), (0, 0, 1, 0))
    assert str(found.conflicts[0]) == "q[0,32,0,0] and q[0,0,1,0] would share an address"


def test_heads_without_tokens() -> None:
    found = plan(Q.permute(0, 2, 1, 3), HEADS, Q.reshape(4, 1024, 4096), names="B,S,H,D")
    assert found
    assert found.layouts["q"].strides == (4096, 16384, 128, 1)
    assert found.dense
    assert found.blocks["q"] == "[B H D][S]"


def test_pages_of_a_cache() -> None:
    pages = KV.permute(1, 0, 2, 3, 4).reshape(2048, 2 * 16 * 8 * 128)
    found = plan(slots(0), slots(1), KV.reshape(4096, 16 * 8 * 128), pages, element_bytes=2)
    assert (found.copies, found.weight) == ((str(pages),), 134_217_728)


def test_slots_and_pages_by_head() -> None:
    keys = KV.slice((0, 0, 0, 0, 0), (1, 2048, 16, 8, 128)).reshape(2048, 16, 8, 128)
    pages = keys.permute(0, 2, 1, 3).reshape(2048, 8, 16 * 128)
    found = plan(slots(0), pages, element_bytes=2)
    assert (len(found.copies), found.weight) == (1, 67_108_864)
    assert found.conflicts[0].indices == ((0, 0, 1, 0, 0), (0, 0, 0, 1, 0))


def test_packed_projections() -> None:
    values = part(2).permute(0, 2, 1, 3).reshape(128, 1024, 128)
    tokens = [part(i).reshape(4096, 4096) for i in (0, 1)]
    found = plan(QKV.reshape(4096, 3 * 4096), *tokens, values, element_bytes=2)
    assert (found.copies, found.weight) == ((str(values),), 33_554_432)


def test_convolution_and_matmul() -> None:
    x = tensor("x", (32, 256, 14, 14))
    uses = x.permute(1, 0, 2, 3).reshape(256, 32 * 196), x.permute(0, 2, 3, 1), x.reshape(32, 256 * 196)
    found = plan(*uses)
    assert len(found.copies) == 1
    assert found.copies[0] in (str(uses[0]), str(uses[2]))


def test_windows_always_copy() -> None:
    x = tensor("x", (8, 56, 56, 96))
    windows = x.reshape(8, 8, 7, 8, 7, 96).permute(0, 1, 3, 2, 4, 5).reshape(8 * 64, 7, 7, 96)
    found = plan(windows, x.reshape(8, 56 * 56, 96))
    assert found.copies == (str(windows),)
    assert found.conflicts[0].programs == (str(windows),)
    assert found.conflicts[0].indices == ((0, 1, 0, 0), (0, 0, 8, 0))  # W // w


@pytest.mark.parametrize(("el", "ep", "c", "copies"), [(4, 4, 64, 1), (2, 2, 3, 0), (2, 2, 6, 1)])
def test_all_to_all(el: int, ep: int, c: int, copies: int) -> None:
    x = tensor("x", (ep * el, c, 8))
    found = plan(x.reshape(ep, el, c, 8).permute(1, 0, 2, 3).reshape(el, ep * c, 8))
    assert len(found.copies) == copies
    if copies:
        g = 4 if el == 4 else 2
        assert found.conflicts[0].indices == ((el // g, 0, 0), (0, c // g, 0))[:: 1 if el // g else -1]
    else:
        assert found.layouts["x"].strides[:2] == (24, 16)  # 3 to 2: no order of the dims


def test_pixel_shuffle() -> None:
    x = tensor("x", (8, 64, 2, 2, 32, 32))
    found = plan(x.reshape(8, 256, 32, 32), x.permute(0, 1, 4, 2, 5, 3).reshape(8, 64, 64, 64))
    assert len(found.copies) == 1
    assert found.conflicts[0].indices == ((0, 0, 1, 0, 0, 0), (0, 0, 0, 0, 0, 1))


def test_repeated_heads_always_copy() -> None:
    k = tensor("k", (2, 8, 128, 64))
    found = plan(k.reshape(2, 8, 1, 128, 64).expand(2, 8, 4, 128, 64).reshape(2, 32, 128, 64))
    assert len(found.copies) == 1
    assert found.conflicts[0].indices == ((0, 1, 0, 0), (0, 0, 0, 0))


def test_rows_of_sixteen_bytes() -> None:
    q = tensor("q", (2, 16, 32, 84))
    halves = [q.slice((0, 0, 0, lo), (2, 16, 32, lo + 42)) for lo in (0, 42)]
    found = plan(*halves, names="B,S,H,D", unit="D", align="16 bytes", element_bytes=2)
    assert found
    assert found.layouts["q"].strides == (45056, 2816, 88, 1)
    assert plan(*halves, align="tma", element_bytes=2).layouts == found.layouts


def test_shards() -> None:
    w, v = tensor("w", (3, 32, 128, 64)), tensor("w", (32, 3, 128, 64))
    cut = w.slice((0, 0, 0, 0), (3, 8, 128, 64)).reshape(3 * 8 * 128, 64)
    assert plan(cut).copies == (str(cut),)
    assert plan(v.slice((0, 0, 0, 0), (8, 3, 128, 64)).reshape(3 * 8 * 128, 64))


def test_strides_without_an_order() -> None:
    x = tensor("x", (4, 2, 3))
    found = plan(x.permute(2, 0, 1).reshape(3, 8), x.permute(1, 0, 2).reshape(2, 12))
    assert found
    assert found.layouts["x"].strides == (6, 3, 2)
    assert not found.dense


def test_a_flipped_dim_needs_strides_of_both_signs() -> None:
    x = tensor("x", (2, 3))
    turned = x.flip(1).reshape(6)
    found = plan(turned)
    assert found.conflicts[0].kind == "signs"
    both = plan(turned, positive=False)
    assert both
    assert both.layouts["x"].strides in ((3, -1), (-3, 1))
    assert both.views[str(turned)].strides in ((1,), (-1,))


def test_a_shared_copy() -> None:
    """Two consumers that agree with one another share a copy of the tensor; each alone would copy as much."""
    x = tensor("x", (4, 6, 10))
    again = x.copy()
    uses = again.permute(1, 0, 2).reshape(24, 10), again.permute(1, 2, 0), x.reshape(24, 10)
    found = plan(again.permute(1, 0, 2).reshape(24, 10), again.permute(1, 0, 2).reshape(6, 40), x.reshape(240))
    assert found.weight == 240
    assert len(plan(*uses).copies) == 1


def test_with_names() -> None:
    q = tensor("q", "(B,S,H,D)")
    heads, tokens = q.permute(0, 2, 1, 3).reshape("B*H", "S", "D"), q.reshape("B*S", "H*D")
    found = plan(heads, tokens, element_bytes=2)
    assert (found.weight, found.optimal, len(found.copies)) == ("2*B*D*H*S", "among ordered layouts", 1)
    assert found.ones == (("B = 1", ()), ("S = 1", ()), ("H = 1", ()))
    assert plan(heads, tokens, assume="B >= 2 and S >= 2").ones == (("H = 1", ()),)
    kept = plan(heads, q.reshape("B", "S", "H*D"))
    assert kept
    assert str(kept.layouts["q"]) == "(B,S,H,D):(D*H,B*D*H,D,1)"
    assert eval(repr(found), {name: getattr(symview, name) for name in symview.__all__}) == found


@pytest.mark.parametrize("text", ["x(n,m).pad((1,0),(0,0))", "x(...,n).reshape(...*n)", "x(4).read((2):(2))"])
def test_refused(text: str) -> None:
    with pytest.raises(NotSupported):
        plan(text)


def test_concat_is_refused() -> None:
    with pytest.raises(NotSupported, match="concat"):
        plan(tensor("x", (2, 3)).concat(tensor("y", (2, 3)), 0))


def test_names_where_a_cut_falls_within_a_dim() -> None:
    with pytest.raises(NotSupported, match="write numbers for the names"):
        plan("x(n,m).slice((0,0),(n,k)).reshape(n*k)")


@pytest.mark.parametrize("given", [(), (3,), ("x(2,3)", "x(3,2)")])
def test_bad_arguments(given: tuple[object, ...]) -> None:
    with pytest.raises(InputError):
        plan(*given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"unit": "Z"}, "no dim 'Z': the dims are 0, 1"),
        ({"unit": 2}, "no dim '2': the dims are 0, 1"),
        ({"unit": 2.5}, "unit=2.5: give the name of a dim, or its number"),
        ({"align": "8 bytes"}, "align='8 bytes': give the bytes of an element too (--bytes), a divisor of 8"),
        ({"align": 8}, "align=8: of which dims? give multiples"),
        ({"align": -4}, "align=-4: of which dims? give multiples"),
        ({"align": "2.5"}, "align='2.5': give multiples"),
        ({"align": "0=2.5"}, "align='0=2.5': give multiples"),
        ({"align": "0=4,0=8"}, "align='0=4,0=8': give each dim one multiple"),
        ({"align": "tma"}, "align='tma': give the bytes of an element too (--bytes), a divisor of 16"),
        ({"align": "16 bytes", "element_bytes": 3}, "give the bytes of an element too (--bytes), a divisor of 16"),
        ({"align": {"Z": 4}}, "no dim 'Z': the dims are 0, 1"),
        ({"align": {"0": 0}}, "the stride of 0 as a multiple of 0: give an integer from 1 up"),
        ({"align": {"0": -4}}, "as a multiple of -4: give an integer from 1 up"),
        ({"align": {"0": 2.5}}, "as a multiple of 2.5: give an integer from 1 up"),
        ({"align": {"0": True}}, "as a multiple of True: give an integer from 1 up"),
        ({"align": "0=0"}, "as a multiple of 0: give an integer from 1 up"),
        ({"names": "A"}, "names 'A': give each of the 2 dims of x(2,3) its own"),
        ({"names": "A,A"}, "names 'A,A': give each of the 2 dims of x(2,3) its own"),
        ({"names": 3}, "names 3: give text, such as 'B,S'"),
        ({"names": {"y": "A,B"}}, "names of 'y': the tensors are x"),
        ({"weights": 3}, "weights=3: give weights by results"),
        ({"weights": {"y": 1}}, "the weight of y: no program has such a result"),
        ({"weights": {"x.reshape(6)": 1.5}}, "the weight 1.5 of x.reshape(6): give an integer from 0 up"),
        ({"weights": {"x.reshape(6)": -1}}, "the weight -1 of x.reshape(6): give an integer from 0 up"),
        ({"element_bytes": "fp16"}, "element_bytes='fp16': give the bytes of an element, such as 2"),
        ({"element_bytes": 0}, "element_bytes=0: give the bytes of an element, such as 2"),
        ({"positive": "no"}, "positive='no': give True, or False"),
        ({"layouts": 0}, "layouts=0: give how many layouts"),
        ({"assume": "B >= 1"}, "assumption B >= 1: unknown symbol B"),
    ],
)
def test_bad_options(options: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as error:
        plan("x(2,3).reshape(6)", **options)  # type: ignore[arg-type]
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("assume", "words"),
    [
        ("B < 0", "B < 0 contradicts what the symbols are: sizes are positive"),
        ("B == 1", "assume='B == 1': the answer is for sizes from 2; write numbers for names that are smaller"),
        ("B*S == 1", "the answer is for sizes from 2"),
        ("b >= 1", "assumption b >= 1: unknown symbol b, did you mean B?"),
        (3, "assumption 3: give a comparison"),
    ],
)
def test_bad_assumptions(assume: object, words: str) -> None:
    with pytest.raises(InputError) as error:
        plan("x(B,S).reshape(B*S)", assume=assume)  # type: ignore[arg-type]
    assert words in str(error.value)


def test_dims_by_number() -> None:
    """A dim without a name has its number, as text or not; text gives multiples as the command line does."""
    given = [{"0": 8, "1": 2}, {0: 8, 1: 2}, "0=8,1=2", " 0 = 8, 1 = 2"]
    assert {plan("x(2,3)", align=align).layouts["x"].strides for align in given} == {(8, 2)}  # type: ignore[arg-type]
    assert plan("x(2,3)", unit=0).layouts["x"].strides == (1, 2)


def test_no_order_for_names_beside_numbers() -> None:
    """2 and 3 are coprime: at numbers there are strides, which are in no order; for all sizes that is not asked."""
    found = plan("x(n,2,3).permute(2,0,1).reshape(3,2*n)", "x(n,2,3).permute(1,0,2).reshape(2,3*n)")
    assert (len(found.copies), found.optimal) == (1, "among ordered layouts")
    assert found.conflicts[0].kind == "order"
    assert "both just below dim 0" in str(found)
    assert plan("x(4,2,3).permute(2,0,1).reshape(3,8)", "x(4,2,3).permute(1,0,2).reshape(2,12)")


@pytest.mark.parametrize("work", [1, 5, 20, 50, 100, 200, 500])
def test_a_budget_that_ends(work: int) -> None:
    """The best plan so far, what it weighs at least, and why the search ended; copying everything is always a plan."""
    uses = HEADS, TOKENS, Q.permute(1, 0, 2, 3).reshape(1024, 4 * 4096), Q.reshape(4, 1024, 4096)
    least, found = plan(*uses), plan(*uses, budget=Budget(work=work))
    assert found.bound <= least.weight <= found.weight
    assert (found.optimal == "undecided") == bool(found.stopped) == (found.bound != found.weight)
    assert set(found.views) == set(map(str, uses))
    if work == 1:
        assert found.copies == tuple(map(str, uses))
        assert "not proved to be the lightest (the budget ran out" in str(found)
