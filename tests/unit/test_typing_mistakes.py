"""What people type by mistake gets a hint; questions come from standard input."""

from __future__ import annotations

import pytest
from command import typed
from satellites import needs


def run(*args: str, given: str = ""):
    return typed(args, given)


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["merge", "10,3,3", "6"], "write (10,3,3)"),
        (["merge", "(2,3)", "6"], "write (6)"),
        (["merge", "4,6:6,1", "(24)"], "write (4,6):(6,1)"),
        (["reshape", "(2,3)", "3,-1"], "write (3,-1)"),
        (["merge", "View((2,3),(3,1), shape=(2,))", "(6)"], "a View has shape, strides, offset and mask, each once"),
        (["merge", "View(shape=(2,3), stride=(3,1))", "(6)"], "a View has shape, strides, offset and mask, each once"),
        (["merge", "View(shape=(2,3), (3,1))", "(6)"], "a field without a name follows one with a name"),
        (["merge", "View(strides=(3,1))", "(6)"], "a View needs its shape"),
        (["merge", "View(", "(6)"], "expected '(' to open the shape"),
        (["merge", "View()", "(6)"], "a View needs its shape"),
        (["merge", "View(shape=(2,3), mask=(0,2))", "(6)"], "to open the bounds of a dim"),
        (["merge", "View(shape=(2,), mask=((0,1,2),))", "(6)"], "two bounds for each dim"),
        (["merge", "View(shape=(2,), contiguous=2)", "(6)"], "contiguous is True or False"),
        (["merge", "ShapeTracker(views=(View(shape=(2,)),))", "(2)"], "give each of its views as an argument"),
        (["reshape", "((4,6),(1,4))", "(24)"], "write shape and strides as (4,6):(1,4); CuTe layouts go to"),
        (["reshape", "(4,6),24", "(24)"], "expected '(' to open the strides"),
        (["reshape", "[4,6)", "(24)"], "expected ']' to close the shape"),
        (["reshape", "torch.Size([4, 6]), (1, 4)x", "(24)"], "unexpected 'x'\n  torch.Size([4, 6]), (1, 4)x\n    "),
        (["merge", "(4,6)", "[..., 1, ...]"], "slices have ... at most once"),
        (["merge", "(4,6)", "[None, ...]"], "a slice has no new dims (None)"),
        (["reshape", "(n,m):(s,t)", "[:, 1:]"], 'symview conditions "(n,m):(s,t)" "[:, 1:]"'),
        (["reshape", "(4,6)", " [..., 1]"], 'symview merge "(4,6):(6,1)" "[..., 1]"'),
        (["reshape", "(10,4)[::3, ::2]", "(-1)"], 'symview merge "(10,4)" "[::3, ::2]" finds the view to ask about'),
        (["strides", "(10,4):(4,1)[0:8:2, 1:4]"], 'symview merge "(10,4):(4,1)" "[0:8:2, 1:4]" finds the view'),
        (["strides", "(10,4):(4,1)[0:8, 1*:4]"], "expected a number, a name or a parenthesis"),
        (["reshape", "f32[4 6]", "(24)"], "expected ',' between the entries of the shape, or ')' to close it"),
        (["reshape", "(4,6) (6,1)", "(24)"], "unexpected '('"),
        (["span", "(4)", "--bits", "x32"], "bits 'x32': give a number, or u32 for unsigned integers"),
        (["span", "(4)", "--bits", "u0"], "an integer of 0 bits: give 1 to 4096"),
        (["merge", "(2 3)", "(6)"], "expected ',' between the entries"),
        (["prove", "x/2*2 <= x"], "rounded down; C's / needs --division trunc, Halide's --division euclid and //"),
        (["prove", "x/2*2 <= x", "--division", "euclid"], "rounds as --division euclid says"),
        (["index-map", "x/2", "x: 8"], "write // for a quotient"),
        (["recast", "(8)", "fp16", "16.5 bytes"], "an element of 16.5 bytes: give its bits"),
        (["recast", "(8)", "fp16", "uint4"], "uint4: 4 uints as in CUDA, or 4 bits? Give the bits: 128, or 4"),
        (["recast", "(8)", "int2", "8"], "int2: 2 ints as in CUDA, or 2 bits? Give the bits: 64, or 2"),
        (["prove", "x => 2"], "write >="),
        (["prove", "!x == 2"], "write not"),
        (["prove", "x > 2 AND y > 2"], "write and, not AND"),
        (["prove", "x <> 2"], "write !="),
        (["footprint", "(4,6):(a,b)"], "such as --at a=4 --at b=4"),
        (["compose", "4,6", "6:3"], "write several modes in brackets"),
        (["divide", "(2,6):(6,1)", "(1,2)"], "(1,2) may be a layout or a tile by modes: write (1,2):(1,1) or <1,2>"),
        (["compose", "(4,6)", "<((2,m),3),3>"], "write ((2,m),3):((1,2),2*m) or <<2,m>,3>\n  <((2,m),3),3>\n   ^"),
        (["compose", "(4,6)", "Shape<_2,_3>"], "write (2,3):(1,2) or <2,3>"),
        (["product", "(4,6)", "(2,3)"], "write (2,3):(1,2) or <2,3>"),
        (["compose", "4:((1),2)", "4"], "nested differently"),
        (["compose", "(4):1", "4"], "nested differently"),
        (["compose", "Sw<3,4> o 0 o 8:1", "4"], "a swizzle has three numbers: Sw<3,4,3>"),
        (["conditions", "(4,6):(a,b)", "(8)", "--guard", "b == 4*a > 0 && a > 0"], "C compares the truth"),
        (
            ["conditions", "(4,6):(a,b)", "(8)", "--guard", "b % 8 < 4 && a > 0"],
            "and this one down: write and, or, not",
        ),
        (["prove", "x % 4 < 4 && x < 2"], "and this one down: add --division trunc, or write and, or, not"),
        (["prove", "(x + y) % 0 == 0", "--bits", "8"], "wrap(x + y, -128, 256) % 0: the divisor is always 0"),
        (["mrege", "(2)", "(2)"], "did you mean merge?"),
        (["weakest", "x == x", "--about", "x", "--bits", "32"], "--bits, which is an option of prove, span, rules"),
        (
            ["banks", "32:1", "--machine", "mi250"],
            "unknown machine 'mi250', which is CDNA 2: use nvidia, cdna3, cdna4, rdna3, rdna4, or",
        ),
        (["banks", "32:1", "--machine", "gfx90a"], "unknown machine 'gfx90a', which is CDNA 2"),
        (["banks", "32:1", "--machine", "gfx908"], "unknown machine 'gfx908', which is CDNA 1"),
        (["banks", "32:1", "--machine", "gfx11"], "which is RDNA 3 (gfx1100) or RDNA 3.5: use"),
        (["banks", "32:1", "--machine", "sm_35"], "unknown machine 'sm_35'"),
        (["banks", "32:1", "--machine", "gfx1151"], "unknown machine 'gfx1151'"),
        (["merge", "(2)", "(2)", "--explian"], "did you mean --explain?"),
    ],
)
def test_mistakes_get_a_hint(args, hint) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert hint in result.output


@pytest.mark.parametrize(
    ("args", "same"),
    [
        (["reshape", "torch.Size([4, 6])", "torch.Size([24])"], ["reshape", "(4,6)", "(24)"]),
        (["reshape", "torch.Size([4, 6]):(1,4)", "(24)"], ["reshape", "(4,6):(1,4)", "(24)"]),
        (["reshape", "torch.Size([4, 6]), (1, 4)", "[24]"], ["reshape", "(4,6):(1,4)", "(24)"]),
        (["reshape", "torch.Size([4, 6]) (1, 4)", "[24]"], ["reshape", "(4,6):(1,4)", "(24)"]),
        (["reshape", "f32[u0, 8, 32]", "(u0, 256)"], ["reshape", "(u0,8,32)", "(u0,256)"]),
        (["reshape", "float32[8,640]", "bf16[8,5,128]"], ["reshape", "(8,640)", "(8,5,128)"]),
        (["reshape", "i64[8, 640][1, 8]cuda:0", "(5120)"], ["reshape", "(8,640):(1,8)", "(5120)"]),
        (["span", "(E,M)", "--bits", "i32"], ["span", "(E,M)", "--bits", "32"]),
        (["reshape", "(n,6),(a,b)", "(6*n)"], ["reshape", "(n,6):(a,b)", "(6*n)"]),
        (["span", "(4,6),(1,-4),20"], ["span", "(4,6):(1,-4)+20"]),
        (["merge", "[2,3]:[3,1]", "[3,2]:[2,1]"], ["merge", "(2,3):(3,1)", "(3,2):(2,1)"]),
        (
            ["merge", "View((9,), strides=(-1,), offset=7, mask=((2,8),), contiguous=False)", "(3,2)"],
            ["merge", "(9):(-1)+7 [2:8]", "(3,2)"],
        ),
        (["merge", "View(shape=(3,2), strides=None, mask=None)", "(6)"], ["merge", "(3,2)", "(6)"]),
        (["conditions", "(B,S,D)", "[..., :64]"], ["conditions", "(B,S,D)", "[:, :, :64]"]),
        (["merge", "(4,6,2)", "[1, ..., ::2]"], ["merge", "(4,6,2)", "[1, :, ::2]"]),
        (["merge", "(B,S,D):(S*D,D,1)", "[..., :64]"], ["conditions", "(B,S,D):(S*D,D,1)", "[..., :64]"]),
        (["merge", "(n,4):(a,b)", "(4*n)", "--explain"], ["conditions", "(n,4):(a,b)", "(4*n)", "--explain"]),
        (["merge", "(4,6)", "[..., 1, 2]"], ["merge", "(4,6)", "[1, 2]"]),
        (["merge", "(4,6)", "[1, 2, 3, ...]"], ["merge", "(4,6)", "[1, 2, 3]"]),
        (["recast", "(m,k):(lda,1)", "bf16", "16 bytes"], ["recast", "(m,k):(lda,1)", "bf16", "128"]),
        (["recast", "(m,k):(lda,1)", "torch.uint4", "8"], ["recast", "(m,k):(lda,1)", "4", "8"]),
        (["recast", "(m,k):(lda,1)", "2B", "128b"], ["recast", "(m,k):(lda,1)", "16", "128"]),
        (["banks", "32:(32+pad)"], ["banks", "32:32+pad"]),
        (["compose", "(4,6):((1+a),4)", "4:(2)"], ["compose", "(4,6):(1+a,4)", "4:2"]),
        (["banks", "32:1", "--machine", "MI300X"], ["banks", "32:1", "--machine", "cdna3"]),
        (["banks", "32:1", "--machine", "mi350"], ["banks", "32:1", "--machine", "cdna4"]),
        (["banks", "32:1", "--machine", "gfx942"], ["banks", "32:1", "--machine", "cdna3"]),
        (["banks", "32:1", "--machine", "GFX1100"], ["banks", "32:1", "--machine", "rdna3"]),
        (["banks", "32:1", "--machine", "gfx1201"], ["banks", "32:1", "--machine", "rdna4"]),
        (["banks", "32:1", "--machine", "RTX 4090"], ["banks", "32:1", "--machine", "nvidia"]),
    ],
)
def test_what_people_paste_means_the_same(args: list[str], same: list[str]) -> None:
    assert run(*args) == run(*same)


@needs("shared_memory")
@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["swizzle", "(64,64)", "TMA", "--bytes", "2"], "how TMA addresses shared memory is not modelled"),
        (["swizzle", "(64,64)", "wgmma.A", "--bytes", "2"], "how wgmma addresses shared memory is not modelled"),
        (["swizzle", "(64,64)", "cp.async.bulk", "--bytes", "2"], "how cp.async.bulk addresses shared memory"),
        (["swizzle", "(64,64)", "row 16 kB", "--bytes", "2"], "give the bytes of a vector, as in row 16 B"),
        (["swizzle", "(64,64)", "cp.async 12 bits", "--bytes", "2"], "give the bytes of a vector, as in cp.async 16 B"),
        (["swizzle", "(64,64)", "ldmatrix 16 B", "--bytes", "2"], "'ldmatrix 16 B' is not an access"),
    ],
)
def test_accesses_without_a_model_are_refused(args, hint) -> None:
    test_mistakes_get_a_hint(args, hint)


@needs("plans")
@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["plan", "q(B,S)", "t()", "--align", "tma"], "give the bytes of an element too (--bytes)"),
        (["plan", "q(B,S)", "t()", "--align", "tma", "--bytes", "2"], "write numbers for the names, as in q(4,1024"),
    ],
)
def test_alignments_that_are_not_decided(args, hint) -> None:
    test_mistakes_get_a_hint(args, hint)


@needs("shared_memory")
def test_a_machine_of_swizzles_by_its_product() -> None:
    asked = ["swizzle", "(8,32)", "row 16 B", "--bytes", "2", "--machine"]
    assert run(*asked, "sm_90a") == run(*asked, "nvidia")


@needs("shared_memory")
def test_an_access_of_so_many_bytes() -> None:
    for text in ("8 bytes", "8B", "8 Bytes", "8 byte", "64b", "64 bits", "8"):
        first, second = (run("swizzle", "(64,64)", f"column {width}", "--bytes", "2").stdout for width in (text, "8 B"))
        assert "  8 B along dim 1  " in first
        assert first.split() == second.replace("column 8 B", f"column {text}").split()


@needs("plans")
def test_an_alignment_of_so_many_bytes() -> None:
    asked = ["plan", "q(4,1024,32,128)", "permute(0,2,1,3).reshape(128,1024,128)", "--bytes", "2", "--align"]
    for text in ("16B", "16 B", "128 bits", "128b"):
        assert run(*asked, text) == run(*asked, "16 bytes")
    assert run(*asked, "TMA") == run(*asked, "tma") != run(*asked, "32 bytes")
    for text in ("16", "12 bits", "16 kB", "0 B"):
        assert "give multiples of elements by dim" in run(*asked, text).stderr


@pytest.mark.parametrize(
    ("args", "hint"),
    [
        (["recast", "(K,M):(1,ldk)", "fp16", "128"], "--dim 0 asks about dim 0, whose stride is 1"),
        (["recast", "(8,4,2):(8,1,64)", "fp16", "8"], "--dim 1 asks about dim 1, whose stride is 1"),
        (["recast", "(K,M):(1,ldk)", "fp16", "128", "--dim", "0"], ""),
        (["recast", "(8,4):(4,1)", "fp16", "128"], ""),
        (["recast", "(8,4):(1,1)", "fp16", "128"], ""),
        (["recast", "(8,4):(1,4)", "fp16", "fp16"], ""),
        (["dense", "(3,4):(4,-1)+3"], "--flips asks whether it is dense after reversing dims"),
        (["dense", "(3,4):(4,-1)+3", "--flips"], ""),
        (["dense", "(3,4):(5,1)"], ""),
    ],
)
def test_an_option_that_answers_more_is_named(args, hint) -> None:
    assert run(*args).stderr == (f"hint: {hint}\n" if hint else "")


LINES = '"(10,3,3):(9,3,1)" "(4):(4)"\n\n# a note\n"(4,6):(1,4)" "(24)"\n'


def test_each_line_of_standard_input_is_a_question() -> None:
    result = run("merge", "-", given=LINES)
    assert result.exit_code == 1
    assert result.stdout.startswith("(4):(4)\nThe views do not merge.\n")
    assert result.stdout == "".join(
        run("merge", *v).stdout for v in (["(10,3,3):(9,3,1)", "(4):(4)"], ["(4,6):(1,4)", "(24)"])
    )


def test_other_arguments_go_with_each_line() -> None:
    query = run("reshape", "(4,6)", "-", "--json", given='"(24)"\n"(6,4)"\n')
    assert query.exit_code == 0
    assert query.stdout.count('"merges": true') == 2


@pytest.mark.parametrize("given", ['"(4,6)\n', "(4,6 (24)\n", '"(4)" "(5)"\n'])
def test_lines_that_are_no_questions_are_bad_input(given) -> None:
    assert run("merge", "-", given=given).exit_code == 2
