"""`symview.mlir` on xDSL's `memref.CollapseShapeOp` and `ExpandShapeOp`, which xDSL itself does not verify."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest
from xdsl.context import Context
from xdsl.dialects import builtin, func, memref
from xdsl.parser import Parser

from symview import InputError
from symview.mlir import collapsed_type, read_type, verify_op
from symview.mlir.types import parsed, type_text


def operations(text: str, arguments: str) -> list[Any]:
    """The operations of a function of that body, as xDSL reads, verifies and prints them."""
    context = Context()
    for dialect in (builtin.Builtin, memref.MemRef, func.Func):
        context.load_dialect(dialect)
    module = Parser(context, f"func.func @f({arguments}) {{\n{text}\nfunc.return }}").parse_module()
    module.verify()
    return [op for op in module.walk() if op.name.startswith("memref.")]


def collapsed(source: str, groups: list[list[int]], result: str) -> Any:
    return operations(f"%0 = memref.collapse_shape %a {groups} : {source} into {result}", f"%a: {source}")[0]


def expanded(source: str, groups: list[list[int]], sizes: list[object], result: str) -> Any:
    names = [s for s in sizes if isinstance(s, str)]
    arguments = ", ".join([f"%a: {source}", *(f"{n}: index" for n in names)])
    text = f"%0 = memref.expand_shape %a {groups} output_shape [{', '.join(map(str, sizes))}] : {source} into {result}"
    return operations(text, arguments)[0]


RIGHT = "memref<1x16x64xf32, strided<[1152, 72, 1]>>"
COLLAPSES = [
    ("memref<1x1x16x4x16xf32, strided<[1152, 1152, 72, 18, 1]>>", [[0], [1, 2], [3, 4]], RIGHT, "wrong"),
    ("memref<1x1x16x4x16xf32, strided<[1152, 1152, 72, 16, 1]>>", [[0], [1, 2], [3, 4]], RIGHT, "right"),
    ("memref<1x1x?x1xsi32, strided<[36960, 4620, 1, 330]>>", [[0, 1, 2, 3]], "memref<?xsi32, strided<[1]>>", "right"),
    ("memref<10x2x3xindex>", [[0, 1, 2]], "memref<20xindex>", "wrong"),
    ("memref<10x2xindex>", [[0], [1]], "memref<20xindex>", "wrong"),
    ("memref<?x?xf32, strided<[?, 1]>>", [[0, 1]], "memref<?xf32>", "when (d0 == 1 or d1 == 1 or s0 == d1) and (not"),
]


@pytest.mark.parametrize(("source", "groups", "result", "answer"), COLLAPSES)
def test_collapses(source: str, groups: list[list[int]], result: str, answer: str) -> None:
    found = verify_op(collapsed(source, groups, result))
    assert str(found).startswith(answer), str(found)


EXPANSIONS = [
    ("memref<8xf32>", [[0, 1]], [4, 2], "memref<4x2xf32>", "right"),
    ("memref<8xf32>", [[0, 1]], [4, 3], "memref<4x3xf32>", "wrong"),
    ("memref<?xf32>", [[0, 1]], [4, "%n"], "memref<4x?xf32>", "when d0 == 4*e1"),
    (
        "memref<?x4xf32, strided<[?, 1], offset: ?>>", [[0, 1], [2]], [2, "%n", 4],
        "memref<2x?x4xf32, strided<[?, ?, 1], offset: ?>>", "when d0 == 2*e1",
    ),
    ("memref<6xf32, strided<[5]>>", [[0, 1]], [2, 3], "memref<2x3xf32, strided<[15, 5]>>", "right"),
    ("memref<6xf32, strided<[5]>>", [[0, 1]], [2, 3], "memref<2x3xf32, strided<[10, 5]>>", "wrong"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "groups", "sizes", "result", "answer"), EXPANSIONS)
def test_expansions(source: str, groups: list[list[int]], sizes: list[object], result: str, answer: str) -> None:
    found = verify_op(expanded(source, groups, sizes, result))
    assert str(found).startswith(answer), str(found)


def test_another_operation_is_an_error() -> None:
    (op,) = operations("%0 = memref.alloc() : memref<4xf32>", "")
    with pytest.raises(InputError, match=r"memref\.alloc"):
        verify_op(op)


def test_types_as_xdsl_prints_them(turns: Callable[[int], range]) -> None:
    rng = Random("types of xDSL")
    for _ in turns(100):
        rank = rng.randint(0, 4)
        shape = [rng.choice((builtin.DYNAMIC_INDEX, 1, 2, 7)) for _ in range(rank)]
        strides = [rng.choice((None, 1, 3, -2)) for _ in range(rank)]
        layout = builtin.StridedLayoutAttr(strides, rng.choice((None, 0, 5)))
        type_ = builtin.MemRefType(builtin.f32, shape, layout)
        view, given = read_type(str(type_)), parsed(str(type_))
        assert [s if isinstance(s, int) else None for s in view.strides] == strides
        assert [n if isinstance(n, int) else builtin.DYNAMIC_INDEX for n in view.shape] == shape
        again = type_text(given.kind, given.view, given.element, given.rest)
        assert read_type(again) == view


def test_operations_by_brute_force(turns: Callable[[int], range]) -> None:
    rng, seen = Random("operations of xDSL"), {"right": 0, "wrong": 0}
    for _ in turns(60):
        shape = [rng.choice((1, 2, 3)) for _ in range(rng.randint(1, 4))]
        strides, step = [], 1
        for size in reversed(shape):
            strides.insert(0, step if rng.random() < 0.85 else rng.randint(1, 6))
            step = strides[0] * size
        cut = rng.randint(1, len(shape))
        groups = [g for g in (list(range(cut)), list(range(cut, len(shape)))) if g]
        sizes = [prod(shape[d] for d in g) for g in groups]
        source = _type(shape, strides)
        result = _type(sizes, [strides[g[-1]] for g in groups])
        found = verify_op(collapsed(source, groups, result))
        right = _addresses(shape, strides) == _addresses(sizes, [strides[g[-1]] for g in groups])
        assert found.answer == ("right" if right else "wrong"), (source, result)
        if right:
            inferred = collapsed_type(source, groups)
            assert verify_op(collapsed(source, groups, inferred)).answer == "right"
        seen[found.answer] += 1
    assert min(seen.values()) > 5


def _type(shape: list[int], strides: list[int]) -> str:
    return f"memref<{''.join(f'{n}x' for n in shape)}f32, strided<{strides}>>"


def _addresses(shape: list[int], strides: list[int]) -> list[int]:
    return [sum(i * s for i, s in zip(at, strides, strict=True)) for at in product(*map(range, shape))]
