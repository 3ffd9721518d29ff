"""Placements after reshapes against PyTorch's DTensor: its rule for views, and how it cuts tensors.

The rule, `propagate_shape_and_sharding`, is compared on random tensors by the elements of each rank. It may name the
placement that there is; redistribute, or refuse, although there is one; or name one with which ranks have other
elements. No process group is needed: the rule is a function of shapes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random
from typing import Any

import pytest
import torch
from oracle import shard_brute as brute
from torch.distributed.tensor import Replicate, Shard
from torch.distributed.tensor._ops._view_ops import propagate_shape_and_sharding, view_groups
from torch.distributed.tensor.placement_types import _StridedShard

from symview import placements_after

Shape = tuple[int, ...]
KINDS = {
    ("right", True),
    ("wrong", True),
    ("wrong", False),
    ("redistributes", True),
    ("redistributes", False),
    ("refuses", True),
    ("refuses", False),
    ("fails", True),  # with a KeyError, on some that are cut as _S
    ("fails", False),
}


def of_pytorch(cut: brute.Cut) -> Any:
    if cut is None:
        return Replicate()
    return Shard(cut[0]) if cut[1] == 1 else _StridedShard(cut[0], split_factor=cut[1])


def cut_of(placement: Any) -> brute.Cut:
    if isinstance(placement, Replicate):
        return None
    return placement.dim, placement.split_factor if isinstance(placement, _StridedShard) else 1


def by_pytorch(shape: Shape, cuts: Sequence[brute.Cut], new: Shape, mesh: Shape, strict: bool) -> tuple[str, list[str]]:
    """What PyTorch's rule says, and the placements that it names for the tensor as it is cut."""
    given = list(map(of_pytorch, cuts))
    try:
        kept, found = propagate_shape_and_sharding(given, shape, view_groups(shape, new), mesh, strict)
    except RuntimeError:
        return "refuses", []
    except KeyError:
        return "fails", []
    if list(kept) != given:
        return "redistributes", []
    agree = brute.agree(shape, cuts, new, list(map(cut_of, found)), mesh)
    return "right" if agree else "wrong", list(map(str, found))


def random_cut(shape: Shape, rng: Random) -> brute.Cut:
    dim, kind = rng.randrange(len(shape)), rng.random()
    return None if kind < 0.05 else (dim, 1) if kind < 0.85 else (dim, rng.randint(2, max(2, shape[dim])))


def test_where_pytorch_names_a_placement_that_is_right_so_does_symview(turns, full) -> None:
    seen = Counter()
    for turn in turns(5000):
        rng = Random(f"shards of PyTorch {turn}")
        shape, new = (brute.shapes_of(size, rng) for size in [rng.randint(1, 48)] * 2)
        mesh = tuple(rng.choice((1, 2, 2, 3, 4, 6)) for _ in range(rng.choice((1, 2))))
        cuts = [random_cut(shape, rng) for _ in mesh]
        kind, _ = by_pytorch(shape, cuts, new, mesh, rng.random() < 0.5)
        found = placements_after(shape, list(map(of_pytorch, cuts)), new, mesh)
        asked = shape, cuts, new, mesh, kind, found
        assert (kind, bool(found)) in KINDS, asked
        if found:
            assert brute.agree(shape, cuts, new, list(map(read, found)), mesh), asked
        seen[kind, bool(found)] += 1
    assert not full or seen.keys() == KINDS, seen


def read(placement: str) -> brute.Cut:
    if placement == "R":
        return None
    dim, _, pieces = placement.partition("(")[2].rstrip(")").partition(", ")
    return int(dim), int(pieces or 1)


WRONG = [  # shape, placements, mesh, new shape, PyTorch's placements, the right ones
    ("(6)", "S(0), S(0)", "2x2", "(2,3)", "S(0), S(0)", "S(0), S(1)"),
    ("(4,8)", "S(0), S(0)", "2x2", "(2,16,1)", "S(0), S(0)", "S(0), S(1)"),
    ("(3,9)", "S(0), S(0)", "3x3", "(27)", "S(0), S(0)", "S(0), _S(0, 9)"),
    ("(2,2,2)", "S(0), S(0)", "2x4", "(8)", "S(0), S(0)", "S(0), _S(0, 4)"),
    ("(20)", "S(0), S(0)", "2x2", "(2,1,1,10)", "S(0), S(0)", "S(0), S(3)"),
    ("(12)", "S(0), S(0)", "4x2", "(4,3)", "S(0), S(0)", "S(0), S(1)"),
    ("(8)", "S(0), S(0)", "2x4", "(4,2)", "S(0), S(0)", ""),
    ("(8,2)", "S(0), S(0)", "4x4", "(16)", "S(0), S(0)", ""),
    ("(3,8)", "S(0), S(0)", "1x2", "(24)", "S(0), S(0)", ""),
    ("(36)", "S(0), S(0)", "2x4", "(4,9)", "S(0), S(0)", ""),
    ("(6,4)", "S(0), S(0)", "3x4", "(3,1,8)", "S(0), S(0)", ""),
    ("(2,6)", "_S(0, 2)", "3", "(12)", "_S(0, 2)", "_S(0, 12)"),
    ("(9,3)", "_S(0, 6)", "2", "(27)", "_S(0, 6)", ""),
    ("(13,2)", "_S(0, 2)", "4", "(26)", "_S(0, 2)", ""),  # each rank has as many elements, and others
    ("(23,2)", "_S(0, 2)", "2", "(1,2,23)", "S(2)", ""),  # here too
]


@pytest.mark.parametrize(("shape", "placements", "mesh", "new", "theirs", "ours"), WRONG)
def test_where_pytorch_names_a_placement_that_is_wrong(shape, placements, mesh, new, theirs, ours) -> None:
    sizes, sizes_after = (tuple(map(int, text.strip("()").split(","))) for text in (shape, new))
    ranks = tuple(map(int, mesh.split("x")))
    cuts = [read(text) for text in placements.replace("), ", ");").split(";")]
    assert by_pytorch(sizes, cuts, sizes_after, ranks, strict=True) == ("wrong", theirs.replace("), ", ");").split(";"))
    found = placements_after(shape, placements, new, mesh)
    assert ", ".join(found or ()) == ours


def test_placements_cut_as_pytorch_cuts(turns) -> None:
    """Parts by `_split_tensor` of PyTorch's placements."""
    for turn in turns(400):
        rng = Random(f"parts of PyTorch {turn}")
        shape = brute.shapes_of(rng.randint(1, 48), rng)
        mesh = tuple(rng.choice((1, 2, 3, 4, 6)) for _ in range(rng.choice((1, 2))))
        cuts = [random_cut(shape, rng) for _ in mesh]
        for rank in product(*map(range, mesh)):
            part = torch.arange(prod(shape)).reshape(shape)
            for cut, count, r in zip(cuts, mesh, rank, strict=True):
                placement = of_pytorch(cut)
                if cut is not None:
                    part = placement._split_tensor(part, count, with_padding=False, contiguous=True)[0][r]
            assert part.flatten().tolist() == brute.part(shape, cuts, mesh, rank), (shape, cuts, mesh, rank)
