"""`symview.mlir` against brute force: types, reassociations, and whether operations are right. Needs no MLIR."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from random import Random

import pytest
from command import typed

from symview import InputError, View
from symview.answers import TooWeak
from symview.mlir import (
    collapse_conditions,
    collapsed_type,
    expand_guards,
    read_reassociation,
    read_type,
    verify_collapse,
    verify_expand,
)
from symview.mlir.types import parsed, type_text

READ = [
    ("memref<3x4x?xf32, strided<[24, 3, ?], offset: ?>>", "(3,4,d2):(24,3,s2)+o"),
    ("memref<3x4xf32>", "(3,4):(4,1)"),
    ("memref<?x?xf32>", "(d0,d1):(d1,1)"),
    ("memref<?x4xvector<4xf32>, strided<[?, -1], offset: 7>, 3>", "(d0,4):(s0,-1)+7"),
    ("memref<2x2x!llvm.ptr<1, 2>, #gpu.address_space<workgroup>>", "(2,2):(2,1)"),
    ("memref<4x8xf32, strided<[1, 4]>, #alias>", "(4,8):(1,4)"),
    ("memref<4x8xf32, 3 : i32>", "(4,8):(8,1)"),
    ("memref<f32>", "():()"),
    ("memref<0x3xi8, strided<[3, 1]>>", "(0,3):(3,1)"),
    ("tensor<4x?xcomplex<f64>>", "(4,d1):(d1,1)"),
    ("tensor<4xf32, #sparse<a, b>>", "(4):(1)"),
    (" memref< 4 x 5 x index >", "(4,5):(5,1)"),
    ("memref<4xf32, affine_map<(d0) -> (d0 * 2)>>", "(4):(2)"),
    ("memref<?x8xf32, affine_map<(d0, d1)[s0, s1] -> (d0 * s1 + s0 + d1 - d0)>, 3>", "(d0,8):(s1-1,1)+s0"),
    ("memref<2x?xf32, affine_map<(i, j)->(7 - j + 3*(i - 1))>>", "(2,d1):(3,-1)+4"),
    ("memref<?x4xf32, affine_map<(d0, d1) -> (d0, d1)>>", "(d0,4):(4,1)"),
]


@pytest.mark.parametrize(("text", "view"), READ)
def test_types_are_read(text: str, view: str) -> None:
    assert read_type(text) == View.parse(view)


@pytest.mark.parametrize(
    "text",
    [
        "memref<*xf32>", "vector<4xf32>", "memref<4x5>", "memref<4xf32, affine_map<(d0) -> (d0 floordiv 2)>>",
        "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>", "memref<4x4xf32, affine_map<(d0, d1) -> (d0*d1)>>",
        "memref<4x4xf32, affine_map<(d0, d1) -> (d0*s0 + d1)>>", "memref<4xf32, affine_map<(i, j) -> (i + j)>>",
        "memref<?xf32, affine_map<(i)[d0] -> (i*d0)>>", "memref<4x4xf32, affine_map<(i) -> (i)>>",
        "memref<4x4xf32, affine_map<(i, i) -> (i, i)>>", "memref<4x4xf32, 1, affine_map<(i, j) -> (i + j)>>",
        "tensor<4xf32, 1, affine_map<(i) -> (2*i)>>", "memref<4xf32, affine_map<(i) -> (2*i)>, 1, 2>",
        "memref<4xf32, affine_map<i -> i>>",
        "4x5xf32",
        "memref<4xf32, strided<[1, 2]>>", "memref<4xf32, strided<1>>", "memref<4xf32, strided<[n]>>", "memref<>", "",
        "memref<4x8xf32, #map>", "memref<4x8xf32, offset: 3, strides: [1, 4]>", "memref<4x8xf32, 1, strided<[1, 4]>>",
        "memref<4x8xf32, #tpu.tiled<(8,128),[1,1]>, #tpu.memory_space<vmem>>", "memref<4x8xf32, stride<[1, 4]>>",
        "memref<4x8xf32, #tpu.tiled<(8,128),[1,1]>>", "tensor<4x8xf32, strided<[1, 4]>>", "memref<8xf32 x>",
        "memref<4x8xf32, strided<[1, 4]>, 1, 2>",
    ],
)  # fmt: skip
def test_what_is_no_type_is_an_error(text: str) -> None:
    with pytest.raises(InputError):
        read_type(text)


def test_types_come_back() -> None:
    for text in ("memref<3x?xf32, strided<[?, 1], offset: ?>, 1>", "memref<3x4xf32>", "tensor<?x4xf32>"):
        given = parsed(text)
        assert type_text(given.kind, given.view, given.element, given.rest) == text


@pytest.mark.parametrize("text", ["[[0], [2]]", "[[0, 2], [1]]", "[[0], [], [1, 2]]", "[[0, 1]]", "0", "[[a]]", "x"])
def test_what_is_no_reassociation_is_an_error(text: str) -> None:
    with pytest.raises(InputError):
        read_reassociation(text, 3)


def test_a_reassociation_the_other_way_round_is_named() -> None:
    with pytest.raises(InputError, match=r"expands 2 dims into 3: give the new sizes in place of it"):
        collapse_conditions("memref<?x4xf32>", "[[0, 1], [2]]")
    with pytest.raises(InputError, match=r"collapses 3 dims into 2: to expand, give 3 sizes"):
        expand_guards("memref<2x?x4xf32>", "[[0, 1], [2]]", [8, 4])


PRODUCTS = (
    "d0", "d1", "s0", "3", "d0*s0", "d1 * 4", "-d1", "d0*d1", "(d0 + 1)*s0", "2*(d0 - d1)", "d0 floordiv 2", "d0 mod 5",
    "d1*(s0 floordiv 2)", "d0*(s0 mod 3)",
)  # fmt: skip


def test_an_affine_map_that_is_read_is_the_view() -> None:
    rng, seen = Random("affine maps"), {True: 0, False: 0}
    for _ in range(300):
        address = " + ".join(rng.sample(PRODUCTS, rng.randint(1, 4)))
        try:
            view = read_type(f"memref<3x4xf32, affine_map<(d0, d1)[s0] -> ({address})>>")
        except InputError:
            seen[False] += 1
            continue
        seen[True] += 1
        in_python = address.replace("floordiv", "//").replace("mod", "%")
        for s0, d0, d1 in product((-3, 0, 5), range(3), range(4)):
            numbers = view.with_values(dict.fromkeys(view.symbols(), s0))
            assert numbers.at((d0, d1)) == eval(in_python, {"d0": d0, "d1": d1, "s0": s0}), address
    assert min(seen.values()) > 0


# Questions of the public


def test_a_stride_behind_dims_of_size_1_is_known() -> None:
    type_ = "memref<1x1x?x1xsi32, strided<[36960, 4620, 1, 330]>>"
    assert str(collapse_conditions(type_, "[[0, 1, 2, 3]]")) == "always"
    assert collapsed_type(type_, "[[0, 1, 2, 3]]") == "memref<?xsi32>"
    assert verify_collapse(type_, "[[0, 1, 2, 3]]", "memref<?xsi32, strided<[?]>>").answer == "right"


def test_a_dynamic_dim_that_may_be_1() -> None:
    type_ = "memref<?x?xf32, strided<[?, ?]>>"
    found = collapse_conditions(type_, "[[0, 1]]")
    assert str(found) == "d0 = 1 or d1 = 1 or s0 = d1*s1"
    assert isinstance(found.compare("s0 == s1"), TooWeak)
    assert collapsed_type(type_, "[[0, 1]]") == "memref<?xf32, strided<[?]>>"


def test_what_expand_shape_has_to_check_at_run_time() -> None:
    assert expand_guards("memref<?xf32>", "[[0, 1]]", [4, "n"]) == ("d0 == 4*n",)
    assert expand_guards("memref<?x6xf32>", "[[0], [1, 2]]", ["n", 2, 3]) == ("d0 == n",)
    with pytest.raises(InputError, match="8 elements are not 4 times 3"):
        expand_guards("memref<8xf32>", "[[0, 1]]", [4, 3])


def test_dims_that_do_not_merge() -> None:
    source = "memref<1x1x16x4x16xf32, strided<[1152, 1152, 72, 18, 1]>>"
    assert verify_collapse(source, "[[0], [1, 2], [3, 4]]", "memref<1x16x64xf32, strided<[1152, 72, 1]>>") == (
        verify_collapse(source, "[[0], [1, 2], [3, 4]]", "memref<1x16x64xf32, strided<[?, ?, ?]>>")
    )
    assert verify_collapse(
        source, "[[0], [1, 2], [3], [4]]", "memref<1x16x4x16xf32, strided<[1, 72, 18, 1]>>"
    ).answer == ("right")


def test_a_result_without_a_layout_is_row_major() -> None:
    source = "memref<?x?x?xf32, strided<[?, ?, 1]>>"
    assert str(verify_collapse(source, "[[0], [1], [2]]", "memref<?x?x?xf32>")) == (
        "when (s0 == d1*d2 or d0 == 1) and (s1 == d2 or d1 == 1)"
    )
    assert verify_collapse("memref<?x?x?xf32>", "[[0], [1, 2]]", "memref<?x?xf32>").answer == "right"
    assert collapsed_type("memref<?x?x?xf32>", "[[0], [1, 2]]") == "memref<?x?xf32>"


def test_without_groups_every_size_is_1() -> None:
    assert verify_collapse("memref<1x1xf32>", "[]", "memref<f32>").answer == "right"
    assert verify_collapse("memref<1x2xf32>", "[]", "memref<f32>").answer == "wrong"
    assert verify_expand("memref<f32>", "[]", [1, 1], "memref<1x1xf32>").answer == "right"
    assert verify_expand("memref<f32>", "[]", [1, 2], "memref<1x2xf32>").answer == "wrong"


# Brute force


def addresses(shape: Sequence[int], strides: Sequence[int], offset: int) -> list[int]:
    return [offset + sum(i * s for i, s in zip(at, strides, strict=True)) for at in product(*map(range, shape))]


def groups_of(rank: int, rng: Random) -> list[list[int]]:
    groups: list[list[int]] = []
    for dim in range(rank):
        if groups and rng.random() < 0.6:
            groups[-1].append(dim)
        else:
            groups.append([dim])
    return groups


def strides_of(shape: Sequence[int], rng: Random) -> list[int]:
    """Mostly those of dims that merge."""
    strides, step = [], rng.choice((1, 1, 2, -1, 0))
    for size in reversed(shape):
        strides.insert(0, rng.randint(-3, 8) if rng.random() < 0.25 else step)
        step = strides[0] * size
    return strides


def text_of(shape: Sequence[object], strides: Sequence[object], offset: object) -> str:
    dims = "".join(f"{n}x" for n in shape)
    return f"memref<{dims}f32, strided<[{', '.join(map(str, strides))}], offset: {offset}>>"


def test_collapses_of_numbers(turns: Callable[[int], range], least) -> None:
    rng, seen = Random("collapses"), {"right": 0, "wrong": 0}
    for _ in turns(250):
        shape = [rng.choice((1, 1, 2, 3, 4)) for _ in range(rng.randint(1, 4))]
        strides, offset = strides_of(shape, rng), rng.choice((0, 5))
        groups = groups_of(len(shape), rng)
        sizes = [prod(shape[d] for d in g) for g in groups]
        into = [strides[g[-1]] if rng.random() < 0.8 else rng.randint(-2, 3) for g in groups]
        there = offset if rng.random() < 0.9 else 1
        found = verify_collapse(text_of(shape, strides, offset), groups, text_of(sizes, into, there))
        right = addresses(shape, strides, offset) == addresses(sizes, into, there)
        assert found.answer == ("right" if right else "wrong"), (shape, strides, groups, sizes, into)
        seen[found.answer] += 1
    assert min(seen.values()) > least(20)


def test_collapses_of_names_at_values(turns: Callable[[int], range], full) -> None:
    rng, held = Random("collapses of names"), {True: 0, False: 0}
    for _ in turns(25):
        rank = rng.randint(1, 3)
        shape = [rng.choice(("?", "?", 1, 2, 3)) for _ in range(rank)]
        strides = [rng.choice(("?", "?", 1, 2, 6)) for _ in range(rank)]
        groups, type_ = groups_of(rank, rng), text_of(shape, strides, 0)
        view, found = read_type(type_), collapse_conditions(type_, groups)
        sizes = [prod(view.shape[d] for d in g) for g in groups]
        texts = [rng.choice(("?", "?", 1, 2)) for _ in groups]
        result = text_of([n if isinstance(n, int) else "?" for n in sizes], texts, 0)
        verified = verify_collapse(type_, groups, result)
        for _ in range(12):
            numbers = [n if n != "?" else rng.choice((1, 1, 2, 3)) for n in shape]
            likely = strides_of(numbers, rng)
            steps = [s if s != "?" else likely[n] for n, s in enumerate(strides)]
            values = {f"d{n}": v for n, v in enumerate(numbers) if shape[n] == "?"}
            values |= {f"s{n}": v for n, v in enumerate(steps) if strides[n] == "?"}
            whole = [prod(numbers[d] for d in g) for g in groups]
            there = addresses(numbers, steps, 0)
            inner = [prod(whole[n + 1 :]) for n in range(len(whole))]
            unit = [there[k] if n > 1 else 0 for n, k in zip(whole, inner, strict=True)]
            merges = addresses(whole, unit, 0) == there
            assert found.holds(values) == merges
            held[merges] += 1
            fits = merges and all(n == 1 or t in ("?", u) for n, t, u in zip(whole, texts, unit, strict=True))
            told_right = verified.answer == "right" or (
                verified.answer == "when" and all(eval(text, {}, dict(values)) for text in verified.when)
            )
            assert verified.answer != "undecided"
            assert told_right == fits, (type_, groups, result, values, str(verified))
    if full:
        assert min(held.values()) > 20


def test_expansions_of_numbers(turns: Callable[[int], range], least) -> None:
    rng, seen = Random("expansions"), {"right": 0, "wrong": 0}
    for _ in turns(200):
        sizes = [rng.choice((1, 1, 2, 3)) for _ in range(rng.randint(1, 4))]
        groups = groups_of(len(sizes), rng)
        shape = [prod(sizes[d] for d in g) + (rng.random() < 0.1) for g in groups]
        strides, into = strides_of(shape, rng), [0] * len(sizes)
        for g, s in zip(groups, strides, strict=True):
            for d in reversed(g):
                into[d] = s if rng.random() < 0.9 else s + 1
                s *= sizes[d]
        found = verify_expand(text_of(shape, strides, 0), groups, sizes, text_of(sizes, into, 0))
        whole = [prod(sizes[d] for d in g) for g in groups] == shape
        right = whole and addresses(shape, strides, 0) == addresses(sizes, into, 0)
        assert found.answer == ("right" if right else "wrong"), (shape, strides, groups, sizes, into)
        seen[found.answer] += 1
    assert min(seen.values()) > least(20)


def ask(*words: str) -> tuple[int, str]:
    run = typed(["reshape", *words])
    return run.exit_code, run.stdout


def test_the_command() -> None:
    assert ask("memref<?x?xf32, strided<[?, 1]>>", "[[0, 1]]", "--python") == (0, "d0 == 1 or d1 == 1 or s0 == d1\n")
    assert ask("memref<4x6xf32>", "[[0, 1]]") == (0, "(24):(1)\n")
    assert ask("memref<4x6xf32, strided<[1, 4]>>", "[[0, 1]]")[0] == 1
    assert ask("memref<?xf32>", "(4,n)", "--guard", "d0 % 4 == 0")[0] == 1
    assert ask("memref<?xf32>", "[[1]]")[0] == 2
