"""PyTorch's words on programs with names in their sizes, against numpy at values of the names."""

from __future__ import annotations

from collections import Counter
from itertools import product
from random import Random

from symview import InputError, Program
from symview.rules.programs.at_numbers import AtNumbers, Undefined

from . import program_brute as brute

SIZES = ("n", "m", "2*n", "n*m", "3*m", "2*n*m", "3*n*n", "2*n + 2*m", "1", "4", "6", "n + m")
TENSOR = 1_000_000 * (1 + ord("x"))


def listed(rng: Random, entries) -> str:
    texts = list(map(str, entries))
    return f"[{','.join(texts)}]" if rng.random() < 0.5 else f"({','.join(texts)},)"


def cut_of(rng: Random, size: str, dim: int) -> str:
    """A word that keeps a part of a dim of that size."""
    part, at = rng.choice((size, "n", "m", 2, 3)), rng.choice((0, 1, -1))
    parts = rng.choice((("n", "m"), ("n", "n"), ("2*m", "m"), (1, 3), (size,), (0, size)))
    return rng.choice((
        f"narrow({dim},{rng.choice((0, 1, 'a', -1, 'n'))},{rng.choice((1, 2, 'b', 'n'))})",
        f"narrow({dim},start=0,length={part})",
        f"split({part},{dim})[{at}]",
        f"split({part},dim={dim})[{at}]",
        f"split({listed(rng, parts)},{dim})[{at}]",
        f"chunk({rng.choice((1, 2, 2, 3))},dim={dim})[{at}]",
    ))  # fmt: skip


def slices_of(rng: Random, shape: list[str]) -> str:
    """Slices as Python writes them, perhaps of the first dims only; those of numbers are not clipped."""
    plain = (":", "::-1", "0", "-1", "::2", "::-2", "1:", ":-1", "a:", "a")
    with_names = ("b:n", "b::-1", "a:b", "1:-1", "b::3", "-1::-1", "b:a:-1", "::b")
    parts = [rng.choice(plain if n.isdecimal() else plain + with_names) for n in shape]
    at = rng.randint(0, len(parts))
    if rng.random() < 0.3:
        parts[at : at + rng.randint(0, 2)] = ["..."]
    else:
        parts = parts[: max(at, 1)]
    return f"[{', '.join(parts)}]"


def word(rng: Random, shape: list[str]) -> str:
    """A word with arguments for a shape."""
    rank = len(shape)
    one, other = (rng.randrange(-rank, rank) for _ in range(2))
    size = shape[one]
    match rng.randrange(12):
        case 0:
            return rng.choice(("flatten()", f"flatten({one})", f"flatten({one},{other})", f"flatten(end_dim={one})"))
        case 1:
            parts = {"2*n": (2, "n"), "n*m": ("n", -1), "m*n": (-1, "m"), "4": (2, 2), "6": (-1, 2), "3*m": ("m", 3)}
            return f"unflatten({one},{listed(rng, parts.get(size, (size, 1)))})"
        case 2:
            return f"transpose({one},{other})"
        case 3:
            return "t()" if rng.random() < 0.5 else "contiguous()"
        case 4:
            ones = [d for d, n in enumerate(shape) if n == "1"] or [one]
            return f"squeeze({listed(rng, ones)})" if rng.random() < 0.5 else f"squeeze({rng.choice(ones)})"
        case 5:
            return f"unsqueeze({rng.randint(-rank - 1, rank)})"
        case 6:
            dims, places = (rng.sample(range(rank), min(rank, 2)) for _ in range(2))
            return f"movedim({listed(rng, dims)},{listed(rng, places)})"
        case 7:
            front = rng.choice(([], [], ["m"], [2]))
            return f"expand({listed(rng, [*front, *(rng.choice(('n', 2, -1)) if n == '1' else -1 for n in shape)])})"
        case 8:
            return rng.choice((f"view({listed(rng, shape[::-1])})", "view(-1)", "reshape([-1])"))
    return cut_of(rng, size, one)


def test_words_with_names(turns, full, least) -> None:
    """A program that is read shows what numpy shows, wherever PyTorch's words have a meaning, and nothing elsewhere."""
    rng, seen, words = Random("PyTorch's words"), Counter[str](), Counter[str]()
    for _ in turns(220):
        shape = [rng.choice(SIZES) for _ in range(rng.choice((1, 2, 2, 3)))]
        text = f"x({','.join(shape)})"
        for _ in range(rng.choice((1, 2, 3))):
            cut = shape and rng.random() < 0.3
            following = f"{text}{slices_of(rng, shape)}" if cut else f"{text}.{word(rng, shape)}"
            try:
                program = Program.parse(following)
            except InputError:
                seen["refused"] += 1
                continue
            text, shape = following, [str(n).replace(" ", "") for n in program.shape]
            words["slices" if cut else text.rpartition(".")[2].partition("(")[0]] += 1
            if not shape:
                break
        try:
            at = AtNumbers(Program.parse(text))
        except InputError:
            continue
        for n, m, a, b in product((1, 2, 3), (1, 2), (0, 1), (0, 1, 2)):
            values = {"n": n, "m": m, "a": a, "b": b}
            try:
                array = brute.run(text, values)
            except brute.NotDefined:
                array = None
            try:
                found = at(values)
            except Undefined:
                found = None
            assert (array is None) == (found is None), (text, values)
            if array is None or found is None:
                seen["undefined"] += 1
                continue
            whole = brute.run(text.partition(")")[0] + ")", values)
            place = {cell: int(x) for cell, x in zip(product(*map(range, whole.shape)), whole.ravel(), strict=True)}
            assert array.shape == found.shape, (text, values)
            assert [place[cell[1]] for cell in found.cells()] == list(array.ravel()), (text, values)
            seen["same"] += 1
    assert seen["same"] > least(1000)
    assert seen["undefined"] > least(30)
    if full:
        assert (
            min(words[w] for w in ("narrow", "split", "chunk", "squeeze", "unflatten", "expand", "movedim", "slices"))
            > 3
        )
