"""Slices against numpy's, and with names at values."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest

from symview import InputError, NotationError, View, conditions, merge
from symview.view import as_views


def one(rng: Random) -> str:
    if rng.random() < 0.15:
        return str(rng.randint(-2, 1))
    parts = ["" if rng.random() < 0.4 else str(rng.randint(-8, 8)) for _ in range(rng.choice((2, 2, 3)))]
    if len(parts) == 3:
        parts[2] = rng.choice(("1", "2", "3", "-1", "-2", ""))
    return ":".join(parts)


def test_numbers_are_numpys(turns) -> None:
    for turn in turns(1500):
        rng = Random(f"slices {turn}")
        shape = [rng.randint(2, 6) for _ in range(rng.randint(1, 3))]
        texts = [one(rng) for _ in range(rng.randint(1, len(shape)))]
        numbers = np.arange(np.prod(shape)).reshape(shape)
        theirs = eval(f"numbers[{', '.join(texts)}]", {"numbers": numbers})
        found = as_views([View(shape), f"[{', '.join(texts)}]"], "test")[1]
        assert found.shape == np.shape(theirs), (shape, texts)
        assert all(found.at(i) == np.asarray(theirs)[i] for i in product(*map(range, found.shape))), (shape, texts)


def test_names_at_values(turns) -> None:
    pieces = (":", "1:", ":-1", "p:", "p:q", "::2", "1::2", "::-1", "p:q:2", "q:p:-1", "p", "-1", "::k", "p:q:k")
    for turn in turns(40):
        rng = Random(f"slices with names {turn}")
        texts = [rng.choice(pieces) for _ in range(rng.randint(1, 2))]
        text = f"[{', '.join(texts)}]"
        part = as_views(["(n,m)", text], "test")[1]
        for _ in range(25):
            values = {n: rng.randint(1, 6) for n in "nmpqk"}
            shape = (values["n"], values["m"])
            if any(values[name] > size for size, t in zip(shape, texts, strict=False) for name in "pq" if name in t):
                continue  # clipped by numpy
            numbers = np.arange(np.prod(shape)).reshape(shape)
            try:
                theirs = np.asarray(eval(f"numbers{text}", {"numbers": numbers, **values}))
            except IndexError:
                continue
            if theirs.size == 0 or (any("q:p:-1" in t for t in texts) and values["q"] >= min(shape)):
                continue
            found = part.with_values({n: values[n] for n in part.symbols()})
            assert found.shape == theirs.shape, (text, values)
            assert all(found.at(i) == theirs[i] for i in product(*map(range, found.shape))), (text, values)


def test_a_slice_of_a_slice() -> None:
    assert str(merge("(10,8)", "[1:9:2, ::-1]", "[1:3, :4]")) == "(2,4):(16,-1)+31"
    assert str(conditions("(n,m):(a,b)", "[:, p:p+2]").cases[0].view) == "(n,2):(a,b)+b*p"


@pytest.mark.parametrize("text", ["[1, 2, 3]", "[9]", "[::0]", "[:, -7]"])
def test_no_slice(text: str) -> None:
    with pytest.raises(InputError):
        merge("(4,6)", text)


@pytest.mark.parametrize("text", ["[1:2", "[a b]", "[:::]", "[1:2] [3]"])
def test_no_notation(text: str) -> None:
    with pytest.raises(NotationError):
        merge("(4,6)", text)
