"""A view in the forms in which Python, PyTorch and tinygrad print one, against the view itself."""

from __future__ import annotations

from random import Random

import pytest
from satellites import needs

from symview import InputError, NotationError, View, conditions, overlap, reshape
from symview.view_notation import read_shape


def some_view(rng: Random) -> View:
    shape = [rng.choice((0, 1, 1, 2, 3, 10**12)) for _ in range(rng.randint(0, 3))]
    strides = [rng.choice((0, 1, -1, 7, -(10**15))) for _ in shape]
    mask = None
    if rng.random() < 0.4:
        lows = [rng.randint(0, min(n, 3)) for n in shape]
        mask = [(low, rng.randint(low, n)) for low, n in zip(lows, shape, strict=True)]
    return View(shape, strides, rng.choice((0, 5, -3)), mask)


def forms(rng: Random, view: View) -> list[str]:
    """What Python prints of the view, its fields by place or by name in any order."""
    shape, strides, offset = tuple(view.shape), tuple(view.strides), view.offset
    fields = {"shape": shape, "strides": strides, "offset": offset, "mask": view.mask}
    named = [f"{name}={value}" for name, value in fields.items()]
    rng.shuffle(named)
    found = [
        f"View({', '.join(named)}, contiguous={rng.choice((True, False))})",
        f"View({shape}, {strides}, {offset}, {view.mask})",
        f" View({shape}, offset={offset}, strides={strides}, mask={view.mask},)",
    ]
    if view.mask is None:
        lists = list(shape), list(strides)
        found += [f"torch.Size({lists[0]}), {strides}, {offset}", f"{lists[0]},{lists[1]},{offset}"]
        sign = "+" if offset >= 0 else ""
        found.append(f"{lists[0]}:{lists[1]}{sign}{offset}")
    return found


def test_what_python_prints_is_the_view(turns) -> None:
    for turn in turns(400):
        rng = Random(f"pasted {turn}")
        view = some_view(rng)
        for text in forms(rng, view):
            read = View.parse(text)
            assert (read.shape, read.strides, read.offset, read.mask) == (
                view.shape, view.strides, view.offset, view.mask,
            ), text  # fmt: skip
        for text in (f"torch.Size({list(view.shape)})", f"{list(view.shape)}", str(tuple(view.shape))):
            assert read_shape(text) == view.shape


def test_brackets_alone_are_slices_of_a_view_and_the_shape_of_none() -> None:
    assert View.parse("[4,6]") == View((4, 6))
    assert str(conditions("(n,6)", "[2,3]").cases[0].view) == "():()+15"
    assert conditions("(n,6)", "[2,3]:[6,1]").cases[0].view == View((2, 3), (6, 1))


@pytest.mark.parametrize(
    ("slices", "words"),
    [
        ("[True]", "no truth"), ("[(1 if n < 2 else 0):]", "no choice"), ("[5, 2:2]", "leave no element"),
        ("[k:, 2:2]", "leave no element"), ("[0:n-k:-2]", "counts it from the end"),
        ("[k+1:k:-1]", "counts it from the end"), ("[n//2:n//2 - 1:-1]", "counts it from the end"),
    ],
)  # fmt: skip
def test_slices_of_names_that_python_may_read_otherwise_are_refused(slices: str, words: str) -> None:
    """A stop below 0, an index of a tensor without elements, and what is no integer."""
    with pytest.raises(InputError, match=words):
        conditions("(n,4):(5,1)", slices)
    assert str(conditions("(n,4):(5,1)", "[5:k:-1, 2]").cases[0].view) == "(5 - k):(-5)+27"


@needs("mlir")
def test_types_of_mlir() -> None:
    view = View.parse(" memref<4x?xf32, strided<[?, 1], offset: 3>>")
    assert str(view) == "(4,d1):(s0,1)+3"
    assert reshape("memref<4x8xf32>", "memref<2x2x8xf32>") == View((2, 2, 8))
    assert reshape("(4,8):(9,1)", "[[0], [1]]") == View((4, 8), (9, 1))
    assert overlap("memref<4xf32>", "memref<4xf32, strided<[1], offset: 3>>")
    assert overlap("memref<4xf32>", "memref<4xf32, affine_map<(d0) -> (d0)>>")
    for given, words in (
        (("memref<?xf32>", "memref<?xf32>"), "the same name in each type"),
        (("memref<4xf32>", "memref<4xf32, affine_map<(d0) -> (d0 mod 2)>>"), "affine"),
    ):
        for asked in (overlap, conditions):
            with pytest.raises(InputError, match=words):
                asked(*given)
    for shape, words in (
        ("memref<?x8xf32>", "a \\? has no name in a new shape"),
        ("memref<4x8xf32, strided<[8, 2]>>", "write \\(4,8\\)"),
        ("[[0, 1], [3]]", "the groups have to be the dims 0 to 1"),
    ):
        with pytest.raises(InputError, match=words):
            reshape("(4,8)", shape)
    with pytest.raises(NotationError, match="to open the shape"):
        View.parse("tensor<ptr<f32, gmem> o (8,5):(5,1)>")
