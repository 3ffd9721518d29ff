"""PyTorch's words in programs of numbers against PyTorch: what they show, and where they raise."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

import torch

from symview import InputError, Program
from symview.rules.programs.at_numbers import AtNumbers, Undefined


def dim(rng: Random, rank: int) -> int:
    """A dim, at times one that there is not."""
    return rng.randint(-max(rank, 1) - (rng.random() < 0.1), max(rank, 1) - (rng.random() < 0.9))


def listed(rng: Random, entries: list[int]) -> str:
    inner = ",".join(map(str, entries))
    return f"[{inner}]" if rng.random() < 0.5 else f"({inner}{',' * (len(entries) == 1)})"


def part(rng: Random, size: int, at: int) -> str:
    """A part of a dim of that size."""
    index, by = rng.choice((0, 0, 1, -1, 2, -2)), rng.choice((f",{at}", f",dim={at}"))
    match rng.randrange(3):
        case 0:
            return f"chunk({rng.randint(rng.random() > 0.1, 5)}{by})[{index}]"
        case 1:
            return f"split({rng.randint(1 - 2 * (rng.random() < 0.1), 4)}{by})[{index}]"
    sizes, left = list[int](), size
    while left or not sizes:
        sizes.append(rng.randint(0, left))
        left -= sizes[-1]
    sizes[0] += rng.random() < 0.1
    return f"split({listed(rng, sizes)}{by})[{index}]"


def word(rng: Random, shape: list[int]) -> str:
    """A word with arguments that often fit."""
    rank, at = len(shape), dim(rng, len(shape))
    size = shape[at] if -rank <= at < rank else 3
    divisors = [d for d in range(1, size + 1) if size % d == 0] or [2]
    match rng.randrange(13):
        case 0:
            return rng.choice(
                ("flatten()", f"flatten({at})", f"flatten({at},{dim(rng, rank)})", f"flatten(end_dim={at})")
            )
        case 1:
            sizes = [d := rng.choice(divisors), rng.choice((-1, size // d))]
            return f"unflatten({at},{listed(rng, sizes[: rng.choice((1, 2, 2, 2))])})"
        case 2:
            return f"transpose({at},{dim(rng, rank)})" if rng.random() < 0.8 else f"transpose(dim0={at},dim1=0)"
        case 3:
            return rng.choice(("t()", "contiguous()"))
        case 4:
            dims = [at, dim(rng, rank)][: rng.choice((1, 2))]
            return rng.choice(("squeeze()", f"squeeze({at})", f"squeeze(dim={at})", f"squeeze({listed(rng, dims)})"))
        case 5:
            return f"unsqueeze({rng.randint(-rank - 2, rank + 1)})"
        case 6:
            old, new = ([dim(rng, rank) for _ in range(2)] for _ in range(2))
            return (
                f"movedim({at},{dim(rng, rank)})"
                if rng.random() < 0.5
                else f"movedim({listed(rng, old)},{listed(rng, new)})"
            )
        case 7 | 8 if shape:
            front = rng.choice(([], [], [2], [-1]))
            sizes = [*front, *(rng.choice((-1, 2, 0)) if n == 1 else rng.choice((-1, n, n, n, n, 3)) for n in shape)]
            return f"expand({','.join(map(str, sizes))})" if rng.random() < 0.5 else f"expand({listed(rng, sizes)})"
        case 9:
            first = rng.randint(-size - 1, size + 1)
            return f"narrow({at},{first},{rng.randint(-1, max(size - first % max(size, 1), 0) + 1)})"
        case 10:
            sizes = rng.choice((shape[::-1], [-1], [*shape, -1], [-1, *shape[1:]], [2, -1]))
            return f"{rng.choice(('view', 'reshape'))}({listed(rng, sizes)})" if sizes else "contiguous()"
    return part(rng, size, at)


def test_words_are_those_of_pytorch(turns) -> None:
    rng, seen, words = Random("words of PyTorch"), Counter[str](), Counter[str]()
    for _ in turns(500):
        shape = [rng.choice((1, 1, 2, 3, 4, 6, rng.choice((0, 2)))) for _ in range(rng.choice((0, 1, 2, 2, 3, 3, 4)))]
        cells = list(product(*map(range, shape)))
        x, text = torch.arange(len(cells)).reshape(shape), f"x({','.join(map(str, shape))})"
        for _ in range(rng.randint(1, 5)):
            said = word(rng, list(x.shape))
            text = f"{text}.{said}"
            try:
                x = eval(f"x.{said.replace('view', 'reshape')}")  # a view is a reshape that does not copy
            except (RuntimeError, IndexError, TypeError):
                x = None
            try:
                found = AtNumbers(Program.parse(text))({})
            except (InputError, Undefined):
                found = None
            assert (x is None) == (found is None), text
            if x is None or found is None:
                seen["refused"] += 1
                break
            assert found.shape == tuple(x.shape), text
            assert [index for _, index in found.cells()] == [cells[n] for n in x.reshape(-1).tolist()], text
            words[said.partition("(")[0]] += 1
            if x.numel() > 300:
                break
    assert seen["refused"] > 100
    assert min(words.values()) > 10
    assert len(words) == 14
