"""Masked chains where they are odd: sizes of 0 and 1, no dims, empty masks, offsets that cancel."""

from __future__ import annotations

from random import Random

from .masked_queries import Bounds, OpenMask, Query, _moved
from .parametric import Open, contiguous


def odd(rng: Random) -> Query:
    """Two to four views with at most four names."""
    while True:
        found = _chain(rng)
        if 1 <= len(found.parameters()) <= 4:
            return found


def _chain(rng: Random) -> Query:
    moved: list[str] = []
    views = [_first(rng)]
    for turn in range(rng.choices((1, 2, 3), (6, 3, 1))[0]):
        views.append(_next(rng, views[-1].view.shape, moved, "kik"[turn]))
    plain = Query(tuple(views))
    assume = [a for a in dict.fromkeys(moved) if "j" not in a or "j" in plain.names()]
    for name in plain.parameters():
        assume += rng.choices(([], [f"{name} >= 0"], [f"{name} >= 1"], [f"{name} <= 3"]), (16, 3, 1, 1))[0]
    return plain._replace(assume=tuple(dict.fromkeys(assume)))


def _first(rng: Random) -> OpenMask:
    shape = tuple(
        rng.choice(("1", "2", "3", "4", "N", "M", "N+p", "2*N")) for _ in range(rng.choice((0, 1, 1, 2, 2, 3)))
    )
    strides = tuple(rng.choice((f"σ{n + 1}", f"σ{n + 1}", f"-σ{n + 1}", "0", "1")) for n in range(len(shape)))
    view = Open(shape, strides, rng.choice(("0", "0", "w", "5")))
    return OpenMask(view, _mask(rng, shape, "abp") if shape and rng.random() < 0.75 else None)


def _next(rng: Random, below: tuple[str, ...], assume: list[str], name: str) -> OpenMask:
    """Moves over a whole shape, or any sizes and steps; half of them masked, some so that the low corner is at 0."""
    if rng.random() < 0.35:
        whole = below if below and rng.random() < 0.5 else ("*".join(f"({n})" for n in below) or "1",)
        one = OpenMask(Open(whole, contiguous(whole)))
        for _ in range(rng.choice((0, 1, 1, 2))):
            one = _moved(rng, one, assume, name)
    else:
        shape = tuple(rng.choice(("1", "2", "3", "4", "n", "m", "k")) for _ in range(rng.choice((0, 1, 1, 2, 2, 3))))
        steps = tuple(rng.choice(("0", "1", "-1", "2", "-2", "3", "t", "-t", "u", *below[-1:])) for _ in shape)
        one = OpenMask(Open(shape, steps, rng.choice(("0", "o", "1", "2", "o+1", "a", "3*o"))))
    if not one.view.shape or rng.random() < 0.5:
        return one
    mask = _mask(rng, one.view.shape, "acd")
    if rng.random() < 0.4:
        moved = "".join(f"-({low})*({t})" for (low, _), t in zip(mask, one.view.strides, strict=True) if low != "0")
        one = OpenMask(one.view._replace(offset=one.view.offset + moved))
    return one._replace(mask=mask)


def _mask(rng: Random, shape: tuple[str, ...], names: str) -> Bounds:
    found = []
    for n in shape:
        a, b = rng.choice(names), rng.choice(names)
        kinds = (("0", n), ("0", "0"), (n, n), (a, n), ("0", a), (a, a), (a, f"{a}+1"), (a, b))
        found.append(rng.choices(kinds, (35, 5, 5, 15, 10, 10, 8, 7))[0])
    return tuple(found)
