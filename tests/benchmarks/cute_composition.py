"""`cute.composition`, pycute and tensor-layouts on the same random pairs inside the domain, one call each, in turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random
from typing import Any

import pycute
import tensor_layouts
from oracle import cute_brute
from oracle.cute_brute import Modes

from symview import cute

from .measure import Table, median, p99, ratio, timed

REPEATS, _CALLS = 5, 100
PEERS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "symview": (cute.composition, cute.Layout),
    "pycute": (pycute.composition, pycute.Layout),
    "tensor-layouts": (tensor_layouts.compose, tensor_layouts.Layout),
}


def attempt(compose: Callable[..., Any], outer: Any, inner: Any) -> Any:
    """The composition, or None where it is refused."""
    try:
        return compose(outer, inner)
    except (AssertionError, ValueError):
        return None


def parts(modes: Modes) -> tuple[Any, Any]:
    return tuple(n for n, _ in modes), tuple(d for _, d in modes)


def ask(name: str, outer: Modes, inner: Modes) -> tuple[Any, float, float]:
    """The answer, and the least times of a few calls: with both layouts made anew, so that nothing is remembered.

    The first is of making the two layouts and composing them, the second of making the first alone.
    """
    compose, make = PEERS[name]
    first, second = parts(outer), parts(inner)
    calls = [timed(lambda: attempt(compose, make(*first), make(*second))) for _ in range(REPEATS)]
    made = [timed(make, *first)[1] for _ in range(REPEATS)]
    return calls[0][0], min(time for _, time in calls), min(made)


def verdict(answer: Any, outer: Modes, inner: Modes, exists: bool) -> str:
    """Whether the answer is right: refused where none exists, otherwise the values of the composition."""
    if answer is None:
        return "refused rightly" if not exists else "refused wrongly"
    size = cute_brute.size(inner)
    wanted = [cute_brute.value(outer, cute_brute.value(inner, x)) for x in range(size)]
    if not exists or pycute.product(answer.shape) != size or [answer(x) for x in range(size)] != wanted:
        return "answered wrongly"
    return "found"


def against_peers(pairs: int) -> Table:
    """Right and wrong answers by brute force, and times."""
    rng = Random("benchmark compositions")
    times: dict[str, list[float]] = {name: [] for name in PEERS}
    making: dict[str, list[float]] = {name: [] for name in PEERS}
    seen: dict[str, Counter[str]] = {name: Counter() for name in PEERS}
    for _ in range(pairs):
        outer = cute_brute.random_outer(rng)
        inner = cute_brute.random_inner(rng, cute_brute.size(outer))
        exists = cute_brute.composition(outer, inner) is not None
        for name in PEERS:
            answer, time, made = ask(name, outer, inner)
            times[name].append(time)
            making[name].append(made)
            seen[name][verdict(answer, outer, inner, exists)] += 1
    columns = (
        "library", "pairs", "found", "refused wrongly", "answered wrongly", "making one", "and composing",
        "p99", "median over pycute's", "p99 over pycute's",
    )  # fmt: skip
    rows = []
    for name in PEERS:
        count = [seen[name][key] for key in ("found", "refused wrongly", "answered wrongly")]
        row = (name, pairs, *count, median(making[name]), median(times[name]), p99(times[name]))
        over = [ratio(of(times[name]), of(times["pycute"])) for of in (median, p99)]
        rows.append((*row, *over))
    return Table("composition on random pairs in the domain", columns, rows)


def making(layouts: int) -> Table:
    """`Layout(shape, stride)`, and a bare loop that checks the same: sizes from 1 on and numbers, nested alike."""
    rng, flat = Random("benchmark making"), list[tuple[Any, Any]]()
    while len(flat) < layouts:
        outer = cute_brute.random_outer(rng)
        if len(outer) > 2:
            flat.append(parts(outer))
    nested = [((n[0], n[1:]), (d[0], d[1:])) for n, d in flat]
    rows = []
    for name, given in (("flat", flat), ("nested", nested)):
        ours, bare = (
            [timed(_often, call, x, repeats=REPEATS)[1] / _CALLS for x in given] for call in (cute.Layout, checks)
        )
        rows.append((name, layouts, median(ours), median(bare), ratio(median(ours), median(bare))))
    return Table("making a layout", ("shape", "layouts", "Layout", "a bare loop", "ratio"), rows)


def checks(shape: Any, stride: Any) -> None:
    for n, d in zip(shape, stride, strict=True):
        if type(n) is tuple and type(d) is tuple:
            checks(n, d)
        elif type(n) is not int or type(d) is not int or n < 1:
            raise ValueError(f"{shape}:{stride}")


def _often(call: Callable[..., Any], given: tuple[Any, Any]) -> None:
    shape, stride = given
    for _ in range(_CALLS):
        call(shape, stride)


def sized(rng: Random, scale: int) -> tuple[Modes, Modes]:
    """A of three modes of about that many elements each, and B whose modes split along A's."""
    outer, stride = [], 1
    for _ in range(3):
        size = 12 * rng.randint(scale // 24, scale // 12)
        outer.append((size, stride))
        stride = stride * size + rng.randint(0, 5)
    (a, _), (b, _), _ = outer
    step = rng.choice((1, 2, 3))
    return outer, [(a // step * rng.choice((1, 2, 3)), step), (rng.choice((2, 3)), a * b)]


def growth(pairs: int) -> Table:
    """The same layouts at 10^3 and at 10^12 elements a mode."""
    found: dict[int, list[float]] = {}
    for exponent in (3, 12):
        rng = Random("benchmark sized compositions")
        found[exponent] = [ask("symview", *sized(rng, 10**exponent))[1] for _ in range(pairs)]
    columns = ("generator", "pairs", "10^3: median", "p99", "10^12: median", "p99", "median ratio")
    small, large = found[3], found[12]
    row = ("sized", pairs, median(small), p99(small), median(large), p99(large), ratio(median(large), median(small)))
    return Table("composition at 10^3 and at 10^12 elements a mode (ratio: 10^12 over 10^3)", columns, [row])
