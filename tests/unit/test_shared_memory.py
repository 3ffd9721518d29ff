"""`best_swizzle`, `best_padding` and `swizzle_tradeoffs`: worked examples, named accesses, certificates, refusals."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import schema
from command import typed
from satellites import needs

import symview
from symview import Budget
from symview.cute import (
    Access,
    ComposedLayout,
    Layout,
    LayoutError,
    LinearLayout,
    NoAnswer,
    UndecidedLayout,
    bank_conflicts,
    best_padding,
    best_swizzle,
    swizzle_tradeoffs,
)
from symview.shared_memory.accesses import as_access

APART = Access([(8 * lane, 0) for lane in range(8)], 8, "rows 8 apart")
DIAGONAL = Access([(lane, lane) for lane in range(32)], 1, "xor diagonal")
SQUARES = ["row", "column", "block 4x8", "block 8x4"]

# Tile, bytes of an element, accesses; the ways row-major and best, the form, and why none is better
WORKED: dict[str, tuple[tuple[int, ...], int, list[Any], list[int], list[int], str]] = {
    "fp16 64x64": ((64, 64), 2, ["cp.async 16 B", "ldmatrix"], [1, 8], [1, 1], "Sw<3,3,3> o 0 o (64,64):(64,1)"),
    "fp16 64x64, fragments": (
        (64, 64), 2, ["cp.async", "ldmatrix", "mma.A"], [1, 8, 8], [1, 1, 1], "Sw<3,3,3> o 0 o (64,64):(64,1)"),
    "fp16 128x32": ((128, 32), 2, ["cp.async", "ldmatrix"], [1, 4], [1, 1], "Sw<2,3,3> o 0 o (128,32):(32,1)"),
    "fp16 128x32, rows apart": ((128, 32), 2, ["cp.async", "ldmatrix", APART], [1, 4, 8], [1, 1, 1], "linear"),
    "fp16 64x64, columns": ((64, 64), 2, ["cp.async", "column 2 B"], [1, 32], [1, 4], "swizzle"),
    "fp32 32x32": ((32, 32), 4, ["row", "column"], [1, 32], [1, 1], "Sw<5,0,5> o 0 o (32,32):(32,1)"),
    "fp32 32x32, float4": ((32, 32), 4, ["row 16 B", "column"], [1, 32], [1, 4], "Sw<3,2,3> o 0 o (32,32):(32,1)"),
    "fp32 32x32, blocks": ((32, 32), 4, SQUARES, [1, 32, 4, 8], [1, 1, 1, 1], "linear"),
    "fp32 32x32, and a diagonal": ((32, 32), 4, [*SQUARES, DIAGONAL], [1, 32, 4, 8, 1], [1] * 5, "linear"),
    "fp8 128x128": (
        (128, 128), 1, ["cp.async", "ldmatrix", "column 4 B"], [1, 8, 32], [1, 1, 4],
        "Sw<3,4,3> o 0 o (128,128):(128,1)"),
}  # fmt: skip


def places(layout: Any, access: Any, tile: tuple[int, ...], element_bytes: int) -> LinearLayout | list[int]:
    """The addresses at which the lanes of an instruction begin."""
    return [layout(x[0]) for x in as_access(access).lanes(tile, element_bytes).instructions[0]]


class Table:
    def __init__(self, values: list[int]) -> None:
        self.values = values

    def size(self) -> int:
        return len(self.values)

    def __call__(self, i: int) -> int:
        return self.values[i]


def counted(layout: Any, access: Any, tile: tuple[int, ...], element_bytes: int) -> int:
    lanes = as_access(access).lanes(tile, element_bytes)
    values = places(layout, access, tile, element_bytes)
    return bank_conflicts(Table(values), threads=len(values), element_bytes=element_bytes, vector=lanes.size).ways


@pytest.mark.parametrize("name", WORKED)
def test_the_worked_examples(name) -> None:
    tile, size, accesses, plain, best, form = WORKED[name]
    found = best_swizzle(tile, accesses, element_bytes=size)
    assert [*found.ways.values()] == best
    assert found.proof == "pigeonhole"
    assert form in (str(found.layout), found.form)
    rows = Layout(tile, (tile[1], 1))
    assert [counted(rows, a, tile, size) for a in accesses] == plain
    assert [counted(found.layout, a, tile, size) for a in accesses] == best


def test_a_swizzle_by_itself_does_not_do_for_blocks() -> None:
    found = best_swizzle((32, 32), SQUARES, element_bytes=4, forms=("order", "swizzle"))
    assert sum(found.ways.values()) > 4
    assert (found.form, found.proof) == ("swizzle", "forms")


PADDED: dict[str, tuple[tuple[int, ...], int, list[Any], int, list[int]]] = {
    "fp32 32x32": ((32, 32), 4, ["row", "column"], 33, [1, 1]),
    "fp16 128x32": ((128, 32), 2, ["cp.async", "ldmatrix"], 40, [2, 1]),
    "fp32 32x32, a block": ((32, 32), 4, ["row", "column", "block 4x8"], 37, [1, 1, 2]),
    "fp16 48x40": ((48, 40), 2, ["row 16 B", "ldmatrix"], 40, [1, 1]),
}


@pytest.mark.parametrize("name", PADDED)
def test_the_worked_paddings(name) -> None:
    tile, size, accesses, pitch, ways = PADDED[name]
    found = best_padding(tile, accesses, element_bytes=size)
    assert (found.layout, [*found.ways.values()]) == (Layout(tile, (pitch, 1)), ways)
    assert found.proof == "all residues"


def test_a_linear_layout_where_no_padding_does() -> None:
    accesses = ["row", "column", "block 4x8"]
    assert set(best_swizzle((32, 32), accesses, element_bytes=4).ways.values()) == {1}


def test_wide_vectors_cost_wavefronts() -> None:
    found = swizzle_tradeoffs((64, 64), ["row 16 B", "column 2 B"], element_bytes=2)
    texts = [([*x.vectors.values()], [*x.ways.values()], x.wavefronts, x.instructions) for x in found]
    assert texts == [([16, 2], [1, 4], 8, 2), ([8, 2], [1, 2], 6, 3), ([4, 2], [1, 1], 5, 5)]


ACROSS = Access(LinearLayout({"register": [[1, 0], [2, 0], [4, 0]], "lane": [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16]]},
                             {"row": 64, "column": 64}), 8, "along columns")  # fmt: skip


def test_no_layout_has_wide_vectors_along_both_axes() -> None:
    found = best_swizzle((64, 64), ["row 16 B", ACROSS], element_bytes=2)
    assert not found
    assert found.clash == ("row 16 B", "along columns")
    needs = "'row 16 B' needs 16 contiguous bytes along dim 1, 'along columns' along dim 0"
    assert found.reason == f"{needs}: no layout has both; narrower vectors: widest=False, or --tradeoffs."
    assert str(found) == found.reason
    cut = best_swizzle((64, 64), ["row 16 B", ACROSS], element_bytes=2, widest=False)
    assert (cut.wavefronts, sorted(cut.vectors.values())) == (12, [2, 16])
    for fixed in ("ldmatrix", "ldmatrix along 0"):
        assert best_swizzle((64, 64), [fixed], element_bytes=2)
    with pytest.raises(NoAnswer, match=r"however vectors are cut: 'ldmatrix' needs 16 .* along dim 0: no layout"):
        swizzle_tradeoffs((64, 64), ["ldmatrix", "ldmatrix along 0"], element_bytes=2)


CLASHES: dict[str, tuple[list[Any], str]] = {
    "widths": (["cp.async 16 B", "mma.B"], "needs 16 contiguous bytes along dim 1, 'mma.B' 4 along dim 0: no layout"),
    "another order": (
        [[1, 2], [3, 2]], "'access 1' has (1,0) at place 1 of its first vector, 'access 2' has (3,0) there: no layout"),
    "another place": (
        [[1, 4], [1, 5]], "'access 1' has (4,0) at place 0 of a vector, 'access 2' at place 1: no layout has both"),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASHES)
def test_a_clash_names_the_accesses_and_what_they_need(name) -> None:
    given, said = CLASHES[name]
    accesses = [x if isinstance(x, str) else Access(LinearLayout({"register": x[:1], "lane": x[1:]}, {"x": 64}), 2)
                for x in given]  # fmt: skip
    found = best_swizzle((8, 8), accesses, element_bytes=2)
    assert not found
    assert said in found.reason
    assert found.to_dict()["reason"] == found.reason


def test_a_cover_is_a_proof() -> None:
    """Row, column and diagonal pairs on two banks: any two of four places are in a phase together."""
    pairs = [Access([(0, 0), x], 1, f"pair {x}") for x in ((0, 1), (1, 0), (1, 1))]
    found = best_swizzle((2, 2), pairs, element_bytes=4, banks=2)
    assert (sorted(found.ways.values()), found.proof) == ([1, 1, 2], "cover")
    assert len(found.cover) == 2


def test_objectives() -> None:
    accesses = ["row 16 B", replace(Access.column(2), weight=10)]
    assert best_swizzle((64, 64), accesses, element_bytes=2, objective="most").ways["column 2 B"] == 4
    found = best_swizzle((64, 64), accesses, element_bytes=2, objective="wavefronts")
    assert (found.wavefronts, found.instructions) == (44, 11)


# Named accesses


@pytest.mark.parametrize(
    ("name", "bytes", "starts", "size"),
    [
        ("ldmatrix", 2, [(r, 0) for r in range(8)], 8),
        ("ldmatrix.trans", 2, [(r, 0) for r in range(8)], 8),
        ("ldmatrix.x4.trans", 2, [(r, 0) for r in range(8)], 8),
        ("stmatrix.trans", 2, [(r, 0) for r in range(8)], 8),
        ("ldmatrix along 0", 2, [(0, c) for c in range(8)], 8),
        ("ldmatrix.trans along -2", 2, [(0, c) for c in range(8)], 8),
        ("cp.async 8 B along 0", 2, [(lane % 16 * 4, lane // 16) for lane in range(32)], 4),
        ("column 4 B along 0", 2, [(0, lane) for lane in range(32)], 2),
        ("mma.B along 1", 2, [(lane // 4, lane % 4 * 2) for lane in range(32)], 2),
        ("stmatrix", 1, [(r, 0) for r in range(8)], 16),
        ("mma.A", 2, [(lane // 4, lane % 4 * 2) for lane in range(32)], 2),
        ("mma.A", 4, [(lane // 4, lane % 4) for lane in range(32)], 1),
        ("mma.B", 1, [(lane % 4 * 4, lane // 4) for lane in range(32)], 4),
        ("mma.C", 4, [(lane // 4, lane % 4 * 2) for lane in range(32)], 2),
        ("cp.async 8 B", 2, [(lane // 16, lane % 16 * 4) for lane in range(32)], 4),
        ("column 4 B", 2, [(lane, 0) for lane in range(32)], 2),
        ("block 4x8", 4, [(lane // 8, lane % 8) for lane in range(32)], 1),
    ],
)
def test_what_a_name_reads(name, bytes, starts, size) -> None:
    """As PTX ISA has it: `groupID = %laneid >> 2`, `threadID_in_group = %laneid % 4`, rows of 16 bytes for a matrix."""
    lanes = Access.parse(name).lanes((64, 64), bytes)
    assert [x[0] for x in lanes.instructions[0]] == starts
    assert lanes.size == size


def test_a_layout_of_threads_and_values_is_an_access() -> None:
    """Numbers are indices of the tile, the first dim fastest: 8 rows by 4 groups of 2 columns."""
    given = "((4,8),2):((128,1),64) vector 2"
    assert Access.parse(given).lanes((64, 64), 2).instructions == Access.parse("mma.A").lanes((64, 64), 2).instructions
    triton = "{register = [[0, 1]], lane = [[0, 2], [0, 4], [1, 0], [2, 0], [4, 0]]} -> {d0 = 64, d1 = 64}"
    found = best_swizzle("(64,64)", [f"{triton} vector 2", "ldmatrix", "cp.async"], bytes=2)
    assert isinstance(found.layout, ComposedLayout)
    assert set(found.ways.values()) == {1}


def test_text_stands_for_a_tile() -> None:
    for ask in (best_swizzle, best_padding, swizzle_tradeoffs):
        assert ask("(8,8)", "row", bytes=4) == ask((8, 8), ["row"], element_bytes=4)


def test_lanes_of_an_instruction_are_told() -> None:
    """64 lanes on 64 banks, at even words and then at odd ones: 2 ways together, 1 as two instructions of 32."""
    lanes = [(2 * lane % 128 + lane // 64,) for lane in range(64)]
    for ask in (best_swizzle, best_padding):
        found = [ask((128,), [lanes], element_bytes=4, banks=64, threads=n) for n in (32, 64)]
        assert [x.ways["access 1"] for x in found] == [1, 1 if ask is best_swizzle else 2]
        assert [x.instructions for x in found] == [1, 1]
    assert len(Access.row(4).lanes((64,), 4, 64).instructions) == 1


def test_words_that_were_tried() -> None:
    """Bytes alone: four share a word, and which ones is a choice among many, unless none has a conflict."""
    lanes = Access([(5 * lane % 64, 3 * lane % 64) for lane in range(1)], 1, "one")
    assert best_swizzle((64, 64), [lanes, "row 1 B"], element_bytes=1).proof == "pigeonhole"
    bits = {"lane": [[0, 1], [0, 2], [1, 0], [2, 0], [4, 0]]}
    wide = {"lane": [[0, 1], [0, 4], [8, 0], [16, 0], [32, 0]]}
    square = [Access(LinearLayout(x, {"row": 64, "column": 64}), 1, str(i)) for i, x in enumerate((bits, wide))]
    found = best_swizzle((64, 64), [*square, "column 1 B"], element_bytes=1, banks=8)
    assert found.proof == "words"


def test_names_that_repeat_are_numbered() -> None:
    assert [*best_swizzle((32, 32), ["row", "row"], element_bytes=4).ways] == ["row", "row #2"]


def test_accesses_read_themselves() -> None:
    for x in (APART, Access(Layout((32, 2), (1, 32)), 2, "two")):
        assert eval(repr(x)) == x


TWICE = Access(LinearLayout({"register": [1], "lane": [1]}, {"x": 8}), 2)
REFUSED: dict[str, tuple[Any, str]] = {
    "a size": (lambda: best_swizzle((48, 40), ["row"], element_bytes=2), "is 48: .* powers of two"),
    "an element": (lambda: best_swizzle((4, 4), ["row"], element_bytes=3), "element_bytes is 3"),
    "lanes": (lambda: best_swizzle((8, 8), [[(0, 0), (1, 1), (2, 5), (3, 3)]], element_bytes=4), "not linear in bits"),
    "outside": (lambda: best_swizzle((4, 4), [[(0, 0), (0, 4)]], element_bytes=4), r"\(0, 4\), which is not within"),
    "a name": (lambda: best_swizzle((4, 4), ["rows"], element_bytes=4), "'rows' is not an access"),
    "cp.async": (lambda: best_swizzle((4, 4), ["cp.async 5 B"], element_bytes=4), "copies 4, 8 or 16"),
    "an objective": (lambda: best_swizzle((4, 4), ["row"], element_bytes=4, objective="all"), "choose one of sum"),
    "forms": (lambda: best_swizzle((4, 4), ["row"], element_bytes=4, forms=("pad",)), "give some of order"),
    "no access": (lambda: best_swizzle((4, 4), [], element_bytes=4), "one access or more"),
    "a vector": (lambda: best_padding((8, 8), [Access([(0, 1)], 2)], element_bytes=2), "along the last dim, aligned"),
    "wide": (lambda: best_swizzle((8, 256), ["row 256 B"], element_bytes=1), "wider than all banks"),
    "overlapping": (lambda: best_swizzle((8,), [TWICE], element_bytes=4), "inside another"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name) -> None:
    make, said = REFUSED[name]
    with pytest.raises(LayoutError, match=said):
        make()


def test_a_budget_that_ends_gives_the_best_so_far() -> None:
    with pytest.raises(UndecidedLayout, match="The best so far is") as caught:
        best_swizzle((32, 32), SQUARES, element_bytes=4, forms=("linear",), budget=Budget(work=20))
    assert caught.value.bound == 4 < caught.value.cost
    assert sum(caught.value.best.ways.values()) == caught.value.cost
    with pytest.raises(UndecidedLayout) as caught:
        best_padding((32, 32), ["row", "column"], element_bytes=4, budget=Budget(work=2000))
    assert caught.value.best is not None


# Pictures, explanations, the command


@needs("pictures")
def test_what_it_looks_like() -> None:
    found = best_swizzle((64, 64), ["cp.async", "ldmatrix"], element_bytes=2)
    assert "First bank of each vector of 8 elements in Sw&lt;3,3,3&gt;" in symview.draw(found)
    text = str(found.explain())
    assert "row  0   8   16  24  32  40  48  56" in text
    assert "1    4   0   12  8   20  16  28  24" in text


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (["cp.async 16 B", "ldmatrix", "--bytes", "2"], 0, "Sw<3,3,3> o 0 o (64,64):(64,1)"),
        (["row 16 B", "column 2 B", "--bytes", "2", "--tradeoffs"], 0, "Sw<5,1,5> o 0 o (64,64):(64,1)"),
        (["row", "column", "--bytes", "4", "--padding"], 0, "(64,64):(65,1)"),
        (["row 16 B", "ldmatrix along 0", "--bytes", "2"], 1, "along dim 1, 'ldmatrix along 0' along dim 0: no layout"),
        (
            ["64:1", "--bytes", "4", "--banks", "64", "--threads", "64"],
            0,
            "1 wavefront (turn of shared memory) for 64:1.",
        ),
        (["ldmatrix", "--bytes", "2", "--explain"], 0, "First bank of each vector of 8 elements, by row and column"),
        (["ldmatrix"], 2, "--bytes"),
        (["ldmatrix", "--bytes", "2", "--padding", "--tradeoffs"], 2, "choose one"),
    ],
)
def test_the_command(args, code, said) -> None:
    shown = typed(["swizzle", "(64,64)", *args])
    assert shown.exit_code == code
    assert said in shown.output
    if code < 2 and "--explain" not in args:
        found = schema.read(typed(["swizzle", "(64,64)", *args, "--json"]).stdout)
        assert found["answer"] == ("no" if code else "yes")


def test_a_tile_below_a_word() -> None:
    found = best_swizzle((2,), ["row"], element_bytes=1, width=8)
    assert (str(found.layout), found.ways) == ("(2):(1)", {"row": 1})


def test_an_index_beyond_the_tile_is_refused() -> None:
    for text in ("32:64", "32:-64"):
        with pytest.raises(LayoutError, match="not within the tile"):
            best_swizzle((8, 8), [text], element_bytes=2)


@pytest.mark.parametrize("text", ["row -1 B", "32:n", "n:1"])
def test_an_access_with_names_is_refused(text) -> None:
    for function in (best_swizzle, best_padding):
        with pytest.raises(LayoutError, match="needs numbers"):
            function((8, 8), [text], element_bytes=2)


def test_a_tile_of_many_vectors_says_so_and_few_lanes_are_taken_of_any_tile() -> None:
    with pytest.raises(LayoutError, match="2097152 vectors in the tile: at most 65536"):
        best_swizzle((4096, 4096), ["row 16 B"], element_bytes=2)
    assert best_swizzle((4096, 4096), ["ldmatrix"], element_bytes=2).ways == {"ldmatrix": 1}


def test_a_tile_of_many_dims_takes_no_time_for_orders_that_are_not_needed() -> None:
    wide, accesses = (4, 2, 2, 2, 2, 2, 4), ["row 4 B", "column 4 B"]
    assert set(best_swizzle(wide, accesses, element_bytes=4, budget=Budget(work=1_000_000)).ways.values()) == {1}
    assert best_swizzle((2,) * 12, ["row", "column"], element_bytes=2).proof == "pigeonhole"
    diagonal = Access([(i, i, *(0,) * 10) for i in range(2)], 1, "diagonal", 1)
    with pytest.raises(UndecidedLayout, match="the budget ran out"):
        best_swizzle((2,) * 12, [diagonal, "row"], element_bytes=2, banks=1, width=2, budget=Budget(work=1000),
                     forms=("swizzle",))  # fmt: skip


@pytest.mark.parametrize(
    "call",
    [
        lambda: best_swizzle((8, 8), ["row"], element_bytes=4, forms=None),
        lambda: best_swizzle((8, 8), ["row"], element_bytes=4, forms=()),
        lambda: Access.parse(None),
        lambda: Access.row(-1),
        lambda: Access.block(0, 4),
        lambda: best_swizzle((8, 8), [Access.ldmatrix(5)], element_bytes=4),
        lambda: best_swizzle((8, 8), ["row along"], element_bytes=4),
        lambda: best_swizzle((8, 8), ["ldmatrix along k"], element_bytes=4),
        lambda: best_swizzle((8, 8), ["8:1 along 0"], element_bytes=4),
        lambda: best_swizzle((8, 8), [[()]], element_bytes=4),
        lambda: Access([(0, 0)], 1, name=3),
        lambda: Access([(0, 0)], 10**30),
        lambda: Access.ldmatrix("x"),
        *[lambda x=x: Access.row(4).lanes((8, 8), x) for x in (0, -1, "fp16", None, 2.0, True)],
        *[lambda x=x: Access.row(4).lanes(x, 2) for x in ("(8,8)", None, 0, ())],
        *[lambda x=x: Access.row(4).lanes((8, 8), 2, x) for x in (0, "32")],
        *[lambda x=x: best_padding((8, 8), ["row"], element_bytes=x) for x in (0, -1, "fp16", None, 2.0)],
        *[lambda x=x: best_swizzle((8, 8), ["row"], element_bytes=4, threads=x) for x in (0, "32")],
    ],
)
def test_arguments_of_another_kind_are_refused(call) -> None:
    with pytest.raises(LayoutError, match=r"give|has no dim|is not text|is for lists"):
        call()


@pytest.mark.parametrize(
    ("text", "write", "axis"),
    [
        ("row 16 B", False, -1),
        ("row 16 B write", True, -1),
        ("column 8 B write along 0", True, 0),
        ("row 4 B along 0 write", True, 0),
        ("block 4x8 write", True, -1),
        ("32:1 vector 1 write", True, -1),
        ("cp.async 16 B", True, -1),
        ("stmatrix.trans", True, -1),
        ("ldmatrix.trans", False, -1),
        ("mma.C write", True, 1),
    ],
)
def test_accesses_read_or_write(text, write, axis) -> None:
    found = Access.parse(text)
    assert (found.write, found.axis, str(found)) == (write, axis, text)


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ((["ldmatrix"], "cdna3"), "ldmatrix is an access of NVIDIA's: for cdna3 give rows, columns or layouts"),
        ((["cp.async 4 B"], "rdna4"), "cp.async 4 B is an access of NVIDIA's"),
        ((["mma.A"], "cdna4"), "mma.A is an access of NVIDIA's"),
        ((["row 32 B"], "nvidia"), "the phases of reads of 32 bytes are not known .known: 4, 8, 16.: give phases"),
        ((["row 4 B write"], "rdna3"), "the phases of writes of 4 bytes are not known"),
        ((["row 4 B"], "mi250"), "unknown machine 'mi250'"),
    ],
)
@pytest.mark.parametrize("ask", [best_swizzle, best_padding, swizzle_tradeoffs])
def test_machines_that_are_not_known_are_refused(ask, told, said) -> None:
    with pytest.raises(LayoutError, match=said):
        ask((64, 64), told[0], element_bytes=2, machine=told[1])


def test_a_machine_of_nvidia_is_the_default() -> None:
    for accesses in (["cp.async 16 B", "ldmatrix.trans"], ["row 8 B", "column 4 B"], ["mma.A", "stmatrix"]):
        usual, found = [best_swizzle((64, 64), accesses, element_bytes=2, **m) for m in ({}, {"machine": "nvidia"})]
        assert (found.layout, found.ways, found.wavefronts) == (usual.layout, usual.ways, usual.wavefronts)
        assert usual.rows == {}
        assert [*found.rows] == accesses


def test_reads_and_writes_with_different_banks() -> None:
    accesses = ["row 16 B write", "column 4 B"]
    found = best_swizzle((64, 64), accesses, element_bytes=2, machine="cdna4")
    assert (found.proof, found.form, [*found.ways.values()]) == ("swizzles", "swizzle", [1, 4])
    assert {n: r.banks for n, r in found.rows.items()} == {accesses[0]: 32, accesses[1]: 64}
    assert "Reads and writes have different banks; no linear layout was tried." in str(found)
    assert found.others == {}
    assert "First bank of each vector of 8 elements, by row and column (of 64 banks)" in str(found.explain())
    with pytest.raises(NoAnswer, match="where accesses have different banks, no linear layout is tried"):
        best_swizzle((64, 64), accesses, element_bytes=2, machine="cdna4", forms=("linear",))
    kept = best_swizzle((64, 64), accesses, element_bytes=2, machine="cdna4", forms=("order",))
    assert (kept.proof, kept.form) == ("forms", "order")


def test_sources_that_disagree_on_a_tile() -> None:
    found = best_swizzle((64, 64), ["row 4 B", "column 4 B"], element_bytes=2, machine="cdna4")
    row, ways = found.others["column 4 B"]
    assert (row.banks, ways, found.ways["column 4 B"]) == (32, 2, 1)
    assert str(found).endswith("32 banks, 2 phases (0-31; 32-63): disputed (rocm-libraries#3668): 2 ways of column 4 B")
    assert found.to_dict()["served"]["column 4 B"]["other"]["ways"] == 2
    assert "other" not in found.to_dict()["served"]["row 4 B"]


def test_phases_without_a_linear_order() -> None:
    told = {"element_bytes": 4, "banks": 8}
    with pytest.raises(LayoutError, match="powers of two; padding takes any size"):
        best_swizzle((8, 8), ["column"], phases="0-2; 3-7", **told)
    with pytest.raises(LayoutError, match="is not linear in bits; padding takes it"):
        best_swizzle((8, 8), ["column"], phases="0-2 4; 3 5-7", **told)
    with pytest.raises(LayoutError, match="phases have different sizes; padding takes it"):
        best_swizzle((8, 8), ["column"], phases="0-3; 4-5; 6-7", **told)
    assert best_padding((8, 8), ["column"], phases="0-2; 3-7", **told).ways == {"column": 1}
    wide = Access([(row, 0) for row in range(64)], 3, "b96")
    assert best_padding((64, 48), [wide], element_bytes=4, machine="cdna4").ways == {"b96": 1}
