"""The page for those who come from pycute keeps its word, row by row, and questions that users asked."""

from __future__ import annotations

import doctest
import re
import shlex
from collections import Counter
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from random import Random
from types import ModuleType

import pycute
import pytest
import tensor_layouts
from command import typed
from oracle import cute_cpp_rules as cpp

from symview import cute
from symview.cute import Layout
from symview.errors import SymviewError

PAGE = Path(cute.__file__).parent / "README.md"
TEXT = PAGE.read_text(encoding="utf-8")
DOCS = Path(__file__).parents[2] / "docs"
REFUSALS = (
    AssertionError, AttributeError, IndexError, RecursionError, TypeError, ValueError, ZeroDivisionError, SymviewError,
)  # fmt: skip


def section(heading: str) -> str:
    """A section of the page about CuTe."""
    text = (DOCS / "cute.md").read_text(encoding="utf-8").partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    assert text, heading
    return text


def rows() -> list[tuple[str, str, str]]:
    """Call, pycute's answer and ours, of each row."""
    text = section("Coming from pycute, call by call")
    found = re.findall(r"^\| `(.+?)` \| (.+?) \| (.+?) \|", text, re.MULTILINE)
    return [(call, theirs.strip("`"), ours.strip("`")) for call, theirs, ours in found]


def answer(module: ModuleType, call: str) -> str:
    names = {name: getattr(module, name) for name in dir(module)} | {"L": module.Layout}
    names.setdefault("composition", names.get("compose"))
    try:
        return str(eval(call, names))
    except REFUSALS as error:
        return type(error).__name__


@pytest.mark.parametrize(("call", "theirs", "ours"), rows())
def test_pycute_and_symview_differ_as_the_page_says(call: str, theirs: str, ours: str) -> None:
    found = answer(pycute, call)
    assert found == theirs or found.replace(", ", ",") == theirs
    found = answer(cute, call)
    assert found == ours or (ours == "an int" and int(found))


def entries(found: Layout | pycute.Layout) -> tuple[list[int], object, list[int]]:
    """The values; the shape; the strides of modes of two elements or more."""
    modes = Layout(found.shape, found.stride).flat()
    return [found(x) for x in range(found.size())], found.shape, [d for n, d in modes if n > 1]


def test_where_pycute_is_right_shape_and_stride_are_the_same(
    turns: Callable[[int], Iterable[int]], full, least
) -> None:
    """The page's sentence above its table, for every operation but right inverses; tilers are layouts, not integers."""
    rng, seen = Random("pycute is right"), Counter()
    for _ in turns(2100):
        shape = tuple(rng.choice((1, 2, 2, 3, 4)) for _ in range(rng.randint(1, 3)))
        stride = tuple(rng.choice((0, 1, 1, 2, 3, 4, 6, 8, 12)) for _ in shape) if rng.random() < 0.7 else None
        other = rng.choice((1, 2, 3, 4, 6)), rng.choice((0, 1, 2, 3, 4, 8))
        operation = rng.choice(("composition", "logical_divide", "logical_product", "complement", "left_inverse"))
        answers = []
        for module in (pycute, cute):
            given = module.Layout(shape, stride)
            rest = {"complement": [other[0] * 6], "left_inverse": []}.get(operation, [module.Layout(*other)])
            try:
                answers.append(entries(getattr(module, operation)(given, *rest)))
            except REFUSALS:  # or pycute's modes of size 0, which are not a layout here
                answers.append(None)
        theirs, ours = answers
        if theirs and ours and theirs[0] == ours[0]:
            assert theirs == ours
            seen[operation] += 1
    assert min(seen.values()) > least(100)
    if full:
        assert len(seen) == 5


def contracts() -> list[list[str]]:
    """The table of contracts: call, pycute, C++, tensor-layouts, symview, remark."""
    text = section("Contracts of CuTe's algebra, where implementations differ").partition("\n### The CuTe DSL\n")[0]
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| `")]


def by_rules(call: str) -> str:
    """What CuTe's rules for C++ give."""

    def layout(shape, stride=None) -> cpp.L:
        return cpp.L(shape, cpp.column_major(shape) if stride is None else stride)

    names = {n: getattr(cpp, n) for n in dir(cpp)}
    names |= {"L": layout, "tile_to_shape": partial(cpp.tile_to_shape, static=True)}
    for kind in ("divide", "product"):
        for how in ("logical", "zipped", "tiled", "flat", "blocked"):
            names[f"{how}_{kind}"] = partial(getattr(cpp, kind), how=how)
    try:
        found = eval(call, names)
    except cpp.Refused:
        return "does not compile"
    return str(Layout(*found)) if isinstance(found, cpp.L) else str(found)


@pytest.mark.parametrize("row", contracts(), ids=lambda row: row[0])
def test_contracts_are_as_the_table_says(row: list[str]) -> None:
    call = row[0].strip("`")
    for module, said in zip((pycute, tensor_layouts, cute), (row[1], row[3], row[4]), strict=True):
        name = re.match(r"\w+", call)[0]
        if said == "not there":
            assert not hasattr(module, name)
        else:
            assert answer(module, call).replace(", ", ",").replace(" : ", ":") == said.strip("`")
    assert by_rules(call) == row[2].strip("`")


def test_the_other_contract_is_had_as_the_table_says() -> None:
    a, b = Layout(12), Layout((2, 2), (1, 3))
    assert str(cute.composition(a, cute.make_layout(b, cute.complement(b, 12)))) == "((2,2),2):((1,3),6)"
    assert str(cute.strict_left_inverse(Layout(4, 2))) == "(2,4):(4,1)"
    assert str(cute.make_layout((1, 4))) == "(1,4):(0,1)"
    assert str(cute.right_inverse(cute.coalesce(Layout((4, 2, 3), (1, 2, 4))))) == "4:1"
    assert str(cute.composition(cute.coalesce(Layout((2, 1), (1, 5))), Layout(4))) == "4:1"
    assert str(cute.composition(cute.take(Layout((8, 4), (2, 4)), 0, 1), (Layout(2, 8),))) == "(2):(16)"
    with pytest.raises(cute.NoAnswer):
        cute.complement(Layout((6, 3), (1, 9)), 72, every_copy=True)
    found = cute.try_composition(Layout((4, 4), (4, 1)), Layout(4, 3))
    assert not found
    assert (found.index, found.got) == ((3,), 6)


TENSOR_LAYOUTS = [
    ("composition(L((6,2),(2,1)), L(3,8))", "LayoutError", "3:5"),
    ("composition(L((2,1),(1,5)), L(4))", "4:1", "(2,2):(1,5)"),
    ("logical_divide(L((4,4),(4,1)), 4)", "((4,1),4):((4,0),1)", "(4,4):(4,1)"),
    ("zipped_divide(L(4), (4,))", "(4,1):(1,0)", "((4),(1)):((1),(0))"),
    ("logical_divide(L(8), None)", "TypeError", "8:1"),
    ("composition(L(8), 4)", "TypeError", "4:1"),
    ("logical_product(L((2,3),(5,12)), L(2,5))", "((2,3),2):((5,12),5)", "((2,3),2):((5,12),36)"),
    ("blocked_product(L((2,2),(1,3)), L((2,2)))", "((2,2),(2,2)):((1,5),(3,10))", "((2,2),(2,2)):((1,6),(3,12))"),
    ("blocked_product(L(2,3), L(4))", "((2,4)):((3,4))", "NoComposition"),
    ("coalesce(L((2,2),(2,1)), (4,))", "(4):(1)", "(2,2):(2,1)"),
]


@pytest.mark.parametrize(("call", "theirs", "ours"), TENSOR_LAYOUTS)
def test_tensor_layouts_and_symview_differ_as_the_page_says(call: str, theirs: str, ours: str) -> None:
    assert answer(tensor_layouts, call).replace(" ", "") == theirs
    assert answer(cute, call) == ours


def test_the_page_has_rows_and_its_examples_run() -> None:
    assert len(rows()) >= 45
    found = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert found.attempted >= 5
    assert found.failed == 0


def consoles() -> list[tuple[str, str]]:
    blocks = re.findall(r"```console\n(.*?)```", TEXT, re.DOTALL)
    pieces = [p for block in blocks for p in re.split(r"^\$ ", block, flags=re.MULTILINE) if p]
    return [(command, output) for command, _, output in (p.partition("\n") for p in pieces)]


@pytest.mark.parametrize(("command", "output"), consoles())
def test_commands_print_what_the_page_says(command: str, output: str) -> None:
    result = typed(shlex.split(command)[1:])
    assert [line.rstrip() for line in result.stdout.splitlines()] == [line.rstrip() for line in output.splitlines()]


def test_questions_of_kernel_authors() -> None:
    """Public threads: is there a layout for this composition, and which?"""
    assert str(cute.composition_conditions(Layout.parse("(4,6,8):(a,b,c)"), Layout(6, 3))) == "b = 4*a: 6:3*a"
    assert not cute.try_composition(Layout((6, 2), (1, 7)), Layout((3, 2), (2, 3)))
    assert str(cute.composition(Layout((4, 4), (4, 1)), Layout(4, 5))) == "4:5"


def test_worked_examples_of_the_document() -> None:
    assert str(cute.composition(Layout((8, 6, 8), (1, 16, 108)), Layout(8, 4))) == "(2,4):(4,16)"
    assert Layout((3, 2), (2, 3))(5) == 7
    assert str(cute.flatten(Layout((5, (2, 2)), (16, (80, 4))))) == "(5,2,2):(16,80,4)"


SOLVERLESS = """
from symview.cute import *
A = Layout.parse("(6,(2,1000000007)):(1,(7,30))")
print(composition(A, Layout((3, 2), (2, 6))), try_composition(A, Layout((3, 2), (2, 3))))
print(complement(Layout((2, 2), (1, 8)), 64), left_inverse(Layout((4, 8), (1, 5))), right_inverse(A))
print(zipped_divide(Layout((4, 6)), (2, 3)), blocked_product(Layout((2, 2)), Layout((3, 3))), hash(A), A.to_view())
print(explain("compose", Layout((6, 2), (8, 2)), Layout(4, 3)), layout_of([0, 2, 1, 3]))
print(is_bijective(ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8))))
print(composition(Layout((6, 4 * 10**12, 10), (1, 6, 5)), Layout((8, 3), (3, 24 * 10**12))))
"""


def test_numbers_load_no_solver() -> None:
    import os
    import subprocess
    import sys

    check = SOLVERLESS + "import sys\nprint('loaded', *sorted({'z3', 'sympy', 'islpy', 'numpy'} & set(sys.modules)))"
    run = subprocess.run(
        [sys.executable, "-W", "error", "-c", check],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert run.stdout.splitlines()[-1] == "loaded"


def test_a_large_mode_of_stride_0_is_not_injective() -> None:
    from symview.cute import ComposedLayout, Swizzle, is_bijective, is_injective

    for layout in (Layout(10000, 0), Layout((100, 100), (0, 0)), Layout((5000, 2), (1, 0))):
        assert not is_injective(layout)
    assert not is_bijective(ComposedLayout(Swizzle(2, 0, 3), 0, Layout(8192, 0)))
    assert is_injective(Layout((100, 100), (1, 100)))
