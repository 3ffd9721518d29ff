"""The commands on CuTe layouts, and the steps that they explain."""

from __future__ import annotations

import json

import pytest
import schema
from command import typed

from symview import cute
from symview.cute import Layout, explain
from symview.errors import NotationError, Undecided
from symview.logic.budget import Budget


def run(*args: str):
    result = typed(args)
    if "--json" in args and result.stdout:
        schema.read(result.stdout)
    return result


BEYOND = "there A's last mode goes on, as in CuTe"
COMMANDS = [
    (("compose", "(4,6,8):(a,b,c)", "6:3"), 0, "b = 4*a: 6:3*a"),
    (("compose", "(4,4):(4,1)", "4:5"), 0, "4:5"),
    (("compose", "(12,(4,8)):(59,(13,1))", "<3:4,8:2>"), 0, "(3,(2,4)):(236,(26,1))"),
    (("compose", "(4,8)", "<_,4>"), 0, "(4,4):(1,4)"),
    (
        ("compose", "(2,2,2,2):(a,b,c,d)", "6:3"),
        0,
        "d = 2*b + c: (2,3):(a + b,b + c)\nc = 2*a + b: (3,2):(a + b,a + d)",
    ),
    (("compose", "(4,2):(1,a)", "4:3", "--assume", "a == 5"), 1, None),
    (("compose", "n:1", "3:2"), 0, f"always: 3:2\n\nwhere n ≤ 4, B reaches beyond A's n elements: {BEYOND}"),
    (("compose", "n:1", "3:2", "--assume", "n >= 5"), 0, "always: 3:2"),
    (("compose", "n:1", "3:2", "--at", "n=4"), 0, f"3:2\n\nB reaches beyond A's 4 elements: {BEYOND}"),
    (("compose", "n:1", "3:2", "--at", "n=5"), 0, "3:2"),
    (("compose", "4:1", "8:1"), 0, f"8:1\n\nB reaches beyond A's 4 elements: {BEYOND}"),
    (("compose", "4:1", "4:1"), 0, "4:1"),
    (("compose", "4:1", "(1,2):(9,3)"), 0, "(1,2):(0,3)"),
    (
        ("compose", "(8,4):(1,8)", "(4,k):(1,4)"),
        0,
        f"always: (4,k):(1,4)\n\nwhere k ≥ 9, B reaches beyond A's 32 elements: {BEYOND}",
    ),
    (("compose", "(n,3):(1,7)", "60:1"), 0, None),
    (("compose", "(4,6):(a,b)", "<2,2>"), 0, "always: (2,2):(a,b)"),
    (("compose", "(n,3):(1,7)", "3:2"), 0, None),
    (("coalesce", "(2,(1,6)):(1,(6,2))"), 0, "12:1"),
    (("coalesce", "(4,6):(a,b)"), 0, "b = 4*a: 24:a\nb ≠ 4*a: (4,6):(a,b)"),
    (("complement", "4:2", "16"), 0, "(2,2):(1,8)"),
    (("complement", "4:d", "16", "--assume", "d == 2"), 0, "always: (2,2):(1,8)"),
    (("inverse", "(4,8):(8,1)"), 0, "(8,4):(4,1)"),
    (("inverse", "(4,8):(a,1)", "--assume", "a >= 2"), 0, "a = 8: (8,4):(4,1)\na ≠ 8: 8:4"),
    (("inverse", "(2,4,4,6):(4,1,0,8)", "--side", "left"), 0, "(4,2,6):(2,1,32)"),
    (("inverse", "(2,8):(3,5)", "--side", "left"), 1, None),
    (("inverse", "(2,4):(a,b)", "--side", "left", "--at", "a=3", "--at", "b=5"), 0, "(2,4,3):(0,1,3)"),
    (("inverse", "Sw<2,0,3> o 0 o (8,8):(8,1)"), 0, "Sw<2,0,-3> o 0 o (8,8):(8,1)"),
    (("inverse", "(4,5):(1@0,2@1)"), 2, None),
    (("divide", "(4,2,3):(2,1,8)", "4:2"), 0, "((2,2),(2,3)):((4,1),(2,8))"),
    (("divide", "(4,6)", "<2,3>", "--as", "zipped"), 0, "((2,3),(2,2)):((1,4),(2,12))"),
    (("divide", "(4,6)", "<2,3>", "--as", "tiled"), 0, "((2,3),2,2):((1,4),2,12)"),
    (("divide", "(4,6)", "<2,3>", "--as", "flat"), 0, "(2,3,2,2):(1,4,2,12)"),
    (("divide", "(4,6):(a,b)", "4"), 0, "always: (4,6):(a,b)"),
    (("divide", "(4,6):(a,b)", "2", "--as", "flat"), 0, "always: (2,2,6):(a,2*a,b)"),
    (("divide", "(4,2):(1,a)", "(2,4):(6,8)"), 1, None),
    (("product", "(n,3):(1,n)", "4", "--as", "raked"), 0, "always: ((4,n),(1,3)):((3*n,1),(0,n))"),
    (("product", "4:1", "3", "--as", "blocked"), 0, "((4,3)):((1,4))"),
    (("compose", "(4,6,8):(a,b,c)", "6:3", "--at", "a=1", "--at", "b=4", "--at", "c=0"), 0, "6:3"),
    (("compose", "(4,6,8):(a,b,c)", "6:3", "--at", "a=1", "--at", "b=5", "--at", "c=0"), 1, None),
    (("compose", "(4,6,8):(a,b,c)", "6:3", "--guard", "b == 4*a"), 0, None),
    (("compose", "(4,6,8):(a,b,c)", "6:3", "--guard", "b >= 4*a"), 1, None),
    (("compose", "(4,6,8):(a,b,c)", "6:3", "--python"), 0, "b == 4*a"),
    (("compose", "(4,6,8):(a,b,c)", "6:3", "--latex"), 0, r"6:3 a \quad \text{if } b = 4 a"),
    (("compose", "(4,5):(1@0,2@1)", "(2,2):(1,4)"), 0, "(2,2):(1@0,2@1)"),
    (("compose", "(4,(3,5)):(1,(4,12))", "(2,2):(1@0,2@1@1)"), 0, "(2,2):(1,24)"),
    (("compose", "(4,5):(1@0,2@1)", "8:1"), 0, "(4,2):(1@0,2@1)"),
    (("compose", "(4,5):(1@0,2@1)", "6:1"), 1, None),
    (("compose", "(4,5):(1@0,2@1)", "4", "--explain"), 2, None),
    (("coalesce", "(4,5):(1@0,4@0)"), 0, "20:1@0"),
    (("compose", "Sw<3,4,3> o 0 o (8,64):(64,1)", "8:8"), 0, "8:1"),
    (("compose", "(8,8)", "Sw<1,0,3> o 0 o (8,8):(8,1)"), 0, "Sw<1,0,3> o 0 o (8,8):(8,1)"),
    (("compose", "Sw<2,0,3>", "(8,8):(8,1)"), 0, "Sw<2,0,3> o 0 o (8,8):(8,1)"),
    (("compose", "(8,8):(a,b)", "Sw<2,0,3> o 0 o (8,8):(8,1)"), 2, None),
    (("compose", "Sw<2,0,3> o 0 o (8,8):(8,1)", "8:8", "--explain"), 2, None),
    (("compose", "(8,3):(3,1)", "Sw<2,0,3> o 0 o (8,8):(8,1)"), 1, None),
    (("coalesce", "S<1,0,2> o 0 o (2,2):(1,2)"), 0, "4:1"),
    (("complement", "Sw<2,0,3> o 0 o (8,8):(8,1)", "256"), 0, "4:64"),
    (("divide", "(64,k):(1,32*ld)", "Sw<2,0,3> o 0 o (8,8):(8,1)", "--json"), 2, None),
    (
        ("divide", "Sw<2,0,3> o 0 o (8,8):(8,1)", "<4,2>", "--as", "zipped"),
        0,
        "Sw<2,0,3> o 0 o ((4,2),(2,4)):((8,1),(32,2))",
    ),
    (("complement", "4:1@0", "16"), 2, None),
    (("divide", "(4,6):(1@0,1@1)", "<2,3>", "--as", "zipped"), 0, "((2,3),(2,2)):((1@0,1@1),(2@0,3@1))"),
    (("product", "8:1", "Sw<2,0,3> o 0 o (8,8):(8,1)"), 0, "Sw<2,3,3> o 0 o (8,(8,8)):(1,(64,8))"),
    (("product", "(2,2):(4,1)", "6"), 0, "((2,2),(2,3)):((4,1),(2,8))"),
    (("product", "(2,5):(5,1)", "(3,4)", "--as", "blocked"), 0, "((2,3),(5,4)):((5,10),(1,30))"),
    (("product", "(2,5):(5,1)", "(3,4)", "--as", "raked"), 0, "((3,2),(4,5)):((10,5),(30,1))"),
]


@pytest.mark.parametrize(
    "function",
    [cute.composition, cute.zipped_divide, cute.logical_product, cute.composition_conditions, cute.try_composition],
)
def test_a_tuple_as_text_is_a_tile_by_modes_or_a_layout(function) -> None:
    with pytest.raises(NotationError, match="may be a layout or a tile by modes"):
        function("(2,6):(6,1)", "(1,2)")
    assert str(function("(2,6):(6,1)", "<1,2>")) == str(function(Layout((2, 6), (6, 1)), (1, 2)))
    assert str(function("(2,6):(6,1)", "(1,2):(1,1)")) == str(function(Layout((2, 6), (6, 1)), Layout((1, 2))))


@pytest.mark.parametrize(("args", "code", "output"), COMMANDS)
def test_commands(args, code, output) -> None:
    result = run(*args)
    assert result.exit_code == code, result.output
    if output is not None:
        assert result.stdout.rstrip() == output


def test_no_answer_has_exit_code_1_and_says_why() -> None:
    result = run("compose", "(6,2):(1,7)", "(3,2):(2,3)")
    assert result.exit_code == 1
    assert "At coordinate (2,1) its value is 8; a layout would have 7. Mode 1 of B, 2:3, makes" in result.stdout
    assert run("complement", "(2,2):(2,3)", "12").exit_code == 1
    assert run("product", "4:2", "3").exit_code == 1


def test_json() -> None:
    found = json.loads(run("compose", "(6,2):(1,7)", "(3,2):(2,3)", "--json").stdout)
    assert found["layout"] is None
    assert (found["no_layout"]["coordinate"], found["no_layout"]["mode_b"]) == ([2, 1], [1])
    assert schema.own(run("compose", "8:1", "4:2", "--json").stdout) == {"layout": "4:2"}
    found = json.loads(run("compose", "(4,6,8):(a,b,c)", "6:3", "--json").stdout)
    (case,) = found["cases"]
    assert (case["status"], case["where"], case["equations"], case["layout"]) == ("when", "True", ["b = 4*a"], "6:3*a")
    found = json.loads(run("compose", "(4,6):(a,b)", "6:1", "--json", "--at", "a=1", "--at", "b=5").stdout)
    assert (found["layout"], found["no_layout"]["coordinate"]) == (None, 4)
    assert "modes 0" in json.loads(run("complement", "(2,2):(1,1)", "8", "--json").stdout)["no_layout"]["reason"]


@pytest.mark.parametrize(
    "args",
    [
        ("compose", "(6,2", "4:1"), ("compose", "(6,2):(1,2,3)", "4:1"), ("compose", "(6,2)", "<2,2,2>"),
        ("divide", "(4,6)", "2", "--as", "sideways"), ("complement", "4:1", "0"), ("product", "4:1", "2:-5"),
        ("inverse", "4:1", "--side", "up"),
        ("compose", "(4,6):(a,b)", "<2,2,2>"), ("compose", "0:1", "4"), ("compose", "(4,6):(a,b)", "6", "--at", "a=1"),
        ("compose", "(4,6):(a,b)", "6", "-v"), ("coalesce", "(n,2):(1,a)", "--assume", "n < 1"),
    ],
)  # fmt: skip
def test_bad_input_has_exit_code_2(args) -> None:
    result = run(*args)
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")


SWIZZLED = cute.ComposedLayout(cute.Swizzle(1, 0, 2), 0, Layout((4, 2)))
SYMBOLS = Layout.parse("(4,6):(a,4*a)")
EXPLAINED = [
    ("composition", (Layout((6, 2), (8, 2)), Layout((4, 3), (3, 1))), "((2,2),3):((24,2),8)"),
    ("composition", (Layout((2, 3, 5), (1, 1, 4)), Layout(3, 3)), "3:2"),
    ("composition", (Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3))), None),
    ("composition", (Layout((2, 3), (1, 5)), Layout((2, 3), (0, 1))), None),
    ("composition", (Layout((4, 8), (8, 1)), (2, None)), "(2,8):(8,1)"),
    ("coalesce", (Layout((2, 1, 3), (1, 9, 2)),), "6:1"),
    ("coalesce", (Layout((2, (1, 3)), (1, (9, 2))), (1, 1)), "(2,3):(1,2)"),
    ("complement", (Layout((2, 2), (1, 8)), 30), "(4,2):(2,16)"),
    ("complement", (Layout((2, 2), (1, 3)), 30), "5:6"),
    ("complement", (Layout((2, 2), (2, 3)), 30), None),
    ("right_inverse", (Layout((2, 4, 6), (4, 1, 8)),), "(4,2,6):(2,1,8)"),
    ("left_inverse", (Layout(4, 2),), "(2,4):(0,1)"),
    ("left_inverse", (Layout((4, 8), (1, 5)),), "(5,8):(1,4)"),
    ("logical_divide", (Layout((4, 2, 3), (2, 1, 8)), Layout(4, 2)), "((2,2),(2,3)):((4,1),(2,8))"),
    ("logical_divide", (Layout((4, 6)), (2, 3)), "((2,2),(3,2)):((1,2),(4,12))"),
    ("logical_divide", (Layout((4, 6)), Layout((2, 2), (1, 3))), None),
    ("logical_product", (Layout((2, 2), (4, 1)), 6), "((2,2),(2,3)):((4,1),(2,8))"),
    ("logical_product", (Layout(4, 2), 3), None),
]


@pytest.mark.parametrize(("name", "args", "answer"), EXPLAINED)
def test_explanations_end_with_the_answer(name, args, answer) -> None:
    steps = explain(name, *args)
    assert explain(getattr(cute, name), *args) == steps or answer is None
    last = str(steps).rstrip().rpartition("\n")[2]
    if answer is None:
        assert not isinstance(steps.answer, Layout)
        assert last.startswith("There is no answer: ")
    else:
        assert str(steps.answer) == answer
        assert last == f"The answer is {answer}."


SAID = [
    ("left_inverse", (Layout((4, 8), (1, 5)),), ["serve as place values", "v mod 5     1", "floor(v/5)  4"]),
    ("left_inverse", (Layout((2, 2), (2, 3)),), ["takes 2 = L(1) to 2, not to 1", "A search", "3  5     3"]),
    ("left_inverse", (Layout((3, 3), (2, 3)),), ["No way to cut values into digits gives an inverse."]),
    (
        "left_inverse",
        (Layout((2, 2, 2), (1, 2, 3)),),
        ["Its strides serve as place values", "v mod 3     1", "7  6     8"],
    ),
    ("left_inverse", (Layout((2, 2), (1, -5)),), ["values below 0", "coordinate (0,1) has the value -5"]),
    ("left_inverse", (4,), ["The answer is 4:1."]),
    ("right_inverse", (None,), ["The answer is None."]),
    ("logical_product", (Layout((2, 2), (1, 3)), 6), ["6 in all: 6/1      6:6", "C = 6:6."]),
    ("logical_product", (Layout((2, 2), (2, 3)), 2), ["3 is not above 3, the largest sum so far"]),
    ("logical_product", (Layout((2, 2), (2, 3)), 1), ["all values of B are 0, so that A stands once"]),
    ("logical_divide", (Layout((4, 6)), (2, None)), ["4:1 / 2:1 = A", "Mode 1, 6:4, stays."]),
    ("composition", (Layout((2, 3, 5), (1, 2, 100)), Layout(8)), ["mode 1 of A overflows: 100, not 6; 6 does not div"]),
    ("composition", (Layout((6, 8), (6, 3)), Layout((3, 4), (5, -3))), ["2 does not divide 3"]),
    ("composition", (Layout((2, (1, 3)), (1, (7, 9))), 4), ["1.0   1     7       2            size 1, left out"]),
    ("composition", (Layout(2, 5), None), ["2:5 stays."]),
    ("composition", (cute.Swizzle(1, 0, 2), Layout(8)), ["The answer is Sw<1,0,2> o 0 o 8:1."]),
    ("composition", (SWIZZLED, (2, 2)), ["the operation applies to (4,2):(1,4)", "is Sw<1,0,2> o 0 o (2,2):(1,4)."]),
    ("composition", (SYMBOLS, Layout(2)), ["for all values of the symbols", "The answer is 2:a."]),
    ("logical_divide", (SYMBOLS, 2), ["for all values of the symbols", "The answer is (2,12):(a,2*a)."]),
    ("logical_product", (Layout.parse("(n,m):(1,n)"), 3), ["for all values", "The answer is ((n,m),3):((1,n),m*n)."]),
    ("coalesce", (SYMBOLS,), ["4*a = 4·a, so the two are one mode"]),
    ("coalesce", (Layout((2, (3, 4))), (1, (None, 1))), ["Mode by mode: 2:1, (3,4):(2,6).", "Coalescing 3:2,"]),
    ("coalesce", (Layout((2, 3)), 5), ["The answer is 6:1."]),
]


@pytest.mark.parametrize(("name", "args", "said"), SAID)
def test_explanations_show_the_steps(name, args, said) -> None:
    text = str(explain(name, *args))
    for part in said:
        assert part in text


def test_explanations_end_where_the_budget_does() -> None:
    layout, little = Layout((7, 7, 7, 7, 7), (1001, 1003, 1007, 1011, 1013)), Budget(points=10, work=1)
    with pytest.raises(Undecided):
        cute.left_inverse(layout, little)
    steps = explain("left_inverse", layout, little)
    assert isinstance(steps.answer, Undecided)
    assert str(steps).rpartition("\n")[2].startswith("The answer is left undecided: ")


def test_explain_on_the_command_line() -> None:
    result = run("compose", "(6,2):(8,2)", "4:3", "--explain")
    assert result.stdout.rstrip() == str(explain("compose", Layout((6, 2), (8, 2)), Layout(4, 3)))
    result = run("divide", "(4,6)", "<2,3>", "--as", "zipped", "-v")
    assert result.stdout.rstrip().endswith("The answer is ((2,3),(2,2)):((1,4),(2,12)).")


@pytest.mark.parametrize("text", ["1", "2", "3", "5", "7", "2:2", "2:4", "3:2", "4:3", "(2,2):(1,4)"])
def test_a_tile_that_does_not_divide_says_which_indices_are_outside(text: str) -> None:
    tile = cute.parse(text) if ":" in text else Layout(int(text))
    seen = 0
    for size in range(1, 25):
        found = typed(["divide", str(size), text])
        if found.exit_code:
            continue
        split = cute.parse(found.stdout.splitlines()[0])
        reached = {split(i) for i in range(split.size())}
        which = f"index {size} is" if max(reached) == size else f"indices {size} to {max(reached)} are"
        told = f"{tile if ':' in text else text} does not divide {size}: {which} outside"
        assert (told in found.stdout) == (max(reached) >= size), (size, found.stdout)
        seen += 1
    assert seen > 3


def test_with_names_it_says_when_no_index_is_outside() -> None:
    rows, columns = (
        f"\nin mode {k}, the tiles cover nothing beyond {n} exactly if {n} % {t} = 0"
        for k, (n, t) in enumerate((("n", 4), ("m", 8)))
    )
    assert typed(["divide", "n+1:1", "2"]).stdout.endswith("exactly if (n + 1) % 2 = 0\n")
    assert typed(["divide", "n*m:1", "2*n"]).stdout.endswith("exactly if m*n % (2*n) = 0\n")
    assert typed(["divide", "(n,32):(1,ld)", "<4,8>"]).stdout.endswith(f"{rows}\n")
    assert typed(["divide", "(n,m)", "<4:1,2:4>"]).stdout.endswith(f"{rows}{columns}\n")
    assert "beyond" not in typed(["divide", "(n,m)", "<1,1:7>"]).stdout


def test_a_span_counts_the_modes_of_a_nested_layout_as_they_are_written() -> None:
    told = typed(["span", "((2,3),4):((a,b),c)", "--storage", "5", "--at", "a=1", "--at", "b=9", "--at", "c=0"]).stdout
    assert told == "does not fit: the address at (1,2,0) is 19 with a = 1, b = 9, c = 0\n"


def test_at_values_and_in_nested_tilers_too() -> None:
    assert typed(["divide", "(n,8)", "<5,4>", "--at", "n=12"]).stdout.endswith(
        "\nin mode 0, 5 does not divide 12: indices 12 to 14 are outside\n"
    )
    assert schema.read(typed(["divide", "n", "5", "--at", "n=9", "--json"]).stdout)["outside"] == [
        "5 does not divide 9: index 9 is outside"
    ]
    assert "outside" not in typed(["divide", "n", "t", "--at", "n=12", "--at", "t=4"]).stdout
    nested = typed(["divide", "((12,m),8)", "<<5,2:4>,3>"]).stdout.splitlines()[-3:]
    assert nested == [
        "in mode (0,0), 5 does not divide 12: indices 12 to 14 are outside",
        "in mode (0,1), the tiles cover nothing beyond m exactly if m % 8 = 0",
        "in mode 1, 3 does not divide 8: index 8 is outside",
    ]
