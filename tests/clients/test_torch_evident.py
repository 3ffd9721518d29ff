"""Views that are read off: what real tensors have at all sizes, and never where a guard is needed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
import torch
from clients.torch_patterns import PATTERNS, Pattern, made
from clients.torch_random import at, expression, fault, numbers_of, random_program, traced

from symview.torch import installed, installing, view_guard
from symview.torch.evident import evident_view

Ask = Callable[..., tuple[Any, Sequence[Any]]]


def known(x: Any, shape: Sequence[Any], *conditions: Any) -> tuple[Any, Sequence[Any]]:
    for c in conditions:
        torch._check(c)
    return x, shape


def asked(sizes: Sequence[Any], ask: Ask) -> tuple[Any, list[Any]]:
    """A question in a ShapeEnv of its own, as `torch_patterns` has them, and the sizes of the first tensor."""
    began = list[Any]()

    def noting(x: Any, *entries: Any) -> Any:
        began.extend(map(expression, entries))
        return ask(x, *entries)

    return made(Pattern("", sizes, noting)), began


READ_OFF: dict[str, tuple[Sequence[Any], Ask]] = {
    "merged": ((4, 6, 5), lambda x, a, b, c: (x, (a * b, c))),
    "split by a symbol": ((4, 6, 5), lambda x, a, b, c: (x.view(a * b, c), (a, b, c))),
    "across": ((4, 6, 5), lambda x, a, b, c: (x.view(a * b, c), (a, b * c))),
    "-1 is a product": ((4, 6, 5), lambda x, a, b, c: (x, (-1, c))),
    "-1 is a number": ((4, 6, [5]), lambda x, a, b, c: (x, (a, b, -1))),
    "cut": ((4, 6, 5), lambda x, a, b, c: (x[..., :2], (a * b, 1, 2))),
    "sizes of 1": ((4, 6), lambda x, a, b: (x[:, ::2].unsqueeze(0), (a, 1, -1, 1))),
    "expanded": ((4, 6), lambda x, a, b: (x[0].expand(a, 2, b), (2 * a, b))),
    "swapped": ((4, 6), lambda x, a, b: (x, (b, a))),
    "no dims": ((4, 6), lambda x, a, b: (x[:1, :1], ())),
    "perhaps empty": (("u", "u", 4), lambda x, a, b, c: (x, (a * b, 2, 2))),
    "perhaps empty, joined": (("u", "u", 4), lambda x, a, b, c: (x, (a, b * 4))),
    "a known divisor": ((4, 24), lambda x, a, b: known(x, (a, 8, -1), b % 8 == 0)),
    "a known quotient": ((4, 24), lambda x, a, b: known(x, (a, 3, b // 3), b // 3 * 3 == b)),
    "a known product": ((4, 24), lambda x, a, b: known(x[:, : b // 3], (a, 4, b // 12), b // 3 == 4 * (b // 12))),
    "a known product, turned": (
        (4, 24),
        lambda x, a, b: known(x[:, : b // 3], (a, 4, b // 12), 4 * (b // 12) == b // 3),
    ),
    "a quotient of 1": ((4, 24), lambda x, a, b: known(x, (b // 24, a * b, b // 24), b // 24 == 1)),
    "merged by a known quotient": (
        (4, 24),
        lambda x, a, b: known(x.as_strided((a, 3, b // 3), (b, b // 3, 1)), (3 * a, b // 3), b // 3 * 3 == b),
    ),
    "merged, with a known divisor": ((4, 24), lambda x, a, b: known(x, (a * b,), b % 8 == 0)),
}
NOT_READ_OFF: dict[str, tuple[Sequence[Any], Ask]] = {
    "an unknown divisor": ((4, 24), lambda x, a, b: (x, (a, 8, -1))),
    "another known divisor": ((4, 24), lambda x, a, b: known(x, (a, 8, -1), b % 12 == 0)),
    "a known multiple": ((4, 24), lambda x, a, b: known(x, (a, 8, -1), b % 8 == 4 * (b % 2))),
    "transposed": ((4, 6, 5), lambda x, a, b, c: (x.transpose(0, 1), (a * b, c))),
    "transposed within": ((4, 6, 5), lambda x, a, b, c: (x.transpose(1, 2), (a, b * c))),
    "cut rows": ((4, 6), lambda x, a, b: (x[:, 1:], (a * (b - 1),))),
    "negative sizes": ((4, 6), lambda x, a, b: (x, (-a, -b))),
    "one negative size": (([4], 6), lambda x, a, b: (x, (-2, -2, b))),
    "two of -1": (([4], 6), lambda x, a, b: (x, (-1, -1))),
    "-1 beside a size that may be 0": (("u", 6), lambda x, a, b: (x, (a, -1))),
    "other sizes": ((4, 6), lambda x, a, b: (x, (a, b + 1))),
    "a stride that is 1 where a size outside is 0": (
        ("u", "u"),
        lambda x, a, b: (x.as_strided((3, 2), (2 * b, torch.sym_max(1, b))), (6,)),
    ),
    "one size less": ((4, 6), lambda x, a, b: (x, (a,))),
    "one more size": ((4, 6), lambda x, a, b: (x, (a, b, 2))),
    "swapped rows": ((4, 6, 5), lambda x, a, b, c: (x[:, 1:], (b - 1, a, c))),
}


@pytest.mark.parametrize("name", READ_OFF)
def test_what_is_read_off(name) -> None:
    sizes, ask = READ_OFF[name]
    m, began = asked(sizes, ask)
    with m.mode:
        guards = len(m.env.guards)
        found = evident_view(m.tensor, m.shape)
    assert found is not None
    assert len(m.env.guards) == guards
    rng = Random(name)
    for _ in range(20):
        numbers = [_number(n, "u" in sizes, rng) for n in sizes]
        values = {s: n for s, n in zip(began, numbers, strict=True) if s.is_Symbol}
        tensor, shape = ask(torch.empty(numbers, device="meta"), *numbers)
        if 0 in numbers:
            assert [int(n) for n in at(list(map(expression, found.shape)), values)] == list(shape)
            continue
        real = tensor.view(shape)
        new, strides = ([int(n) for n in at(list(map(expression, side)), values)] for side in found)
        assert new == list(real.shape)
        assert [t for n, t in zip(new, strides, strict=True) if n != 1] == [
            t for n, t in zip(new, real.stride(), strict=True) if n != 1
        ]


def _number(size: Any, static: bool, rng: Random) -> int:
    """A value of a size: 24 stays, since facts are about it."""
    if size == "u":
        return rng.randint(0, 9)
    return size[0] if isinstance(size, list) else size if static or size == 24 else rng.randint(2, 9)


@pytest.mark.parametrize("name", NOT_READ_OFF)
def test_what_needs_more_than_reading(name) -> None:
    m, _ = asked(*NOT_READ_OFF[name])
    with m.mode:
        assert evident_view(m.tensor, m.shape) is None


def test_no_pattern_needs_a_guard() -> None:
    read_off = 0
    for pattern in PATTERNS:
        m = made(pattern)
        with m.mode:
            if evident_view(m.tensor, m.shape) is None:
                continue
            found = view_guard(m.tensor, m.shape)
        read_off += 1
        assert (found.outcome, found.guard, found.strides_guard) == ("view", "True", "True"), pattern.name
    assert 15 < read_off < 45


@pytest.mark.parametrize("kinds", ["b", "bbu"])
def test_random_programs(kinds, turns, least, monkeypatch) -> None:
    rng, read_off, right = Random(f"read off {kinds}"), list[Any](), 0

    def noting(tensor: Any, shape: Sequence[Any]) -> Any:
        found = evident_view(tensor, shape)
        read_off.append(found)
        return found

    monkeypatch.setattr(installing, "evident_view", noting)
    for _turn in turns(60):
        seed, read_off[:] = rng.random(), []
        program = random_program(Random(seed), kinds)
        with installed():
            trace = traced(program, Random(seed))
        if not any(read_off):
            continue
        values = Random(seed)
        for _ in range(8):
            numbers = numbers_of(program, trace.entries, values)
            wrong, used = fault(program, trace, numbers)
            assert not wrong, (program.sizes, program.strides, program.text, numbers, wrong)
            right += used in ("view", "empty")
    assert right > least(60)
