"""Which addresses two views share, by walking all of them; and random pairs, of numbers and with names.

Views are `Laid` of `density_brute`; shares no code with symview.
"""

from __future__ import annotations

from random import Random
from typing import Any

from oracle.density_brute import Laid, addresses, named, numbers


def shared(a: Laid, b: Laid) -> set[int]:
    return set(addresses(a)) & set(addresses(b))


def pair_of_numbers(rng: Random) -> tuple[Laid, Laid]:
    """Two random views, the second one moved near the ends of the first one now and then, or the first one moved."""
    a, b = numbers(rng), numbers(rng)
    if rng.random() < 0.4:
        b = a if rng.random() < 0.6 else a._replace(strides=tuple(2 * t for t in a.strides))
    found = addresses(a)
    near = rng.choice((min(found), max(found), max(found) + 1)) if found else 0
    return a, b._replace(offset=near + rng.randint(-2, 2) if rng.random() < 0.5 else rng.randint(-9, 30))


def pages(rng: Random) -> tuple[Laid, Laid]:
    """Two pages of one buffer."""
    page = rng.choice((Laid(("a", "b"), ("b", 1)), Laid(("a", "b"), (1, "a")), Laid(("a", 3, "b"), ("3*b", "b", 1))))
    return page, page._replace(offset=rng.choice(("p", "q*a*b", "a*b", "a*b - 1", "-p", "p + q", "2*a*b")))


def rows(rng: Random) -> tuple[Laid, Laid]:
    """Parts of the rows of one padded matrix."""
    width = rng.choice(("b", 3))
    other = Laid((rng.choice(("a", 2)), rng.choice((width, 2))), ("p", 1), rng.choice(("b", "q", 3, 2, "p", 0)))
    return Laid(("a", width), ("p", 1)), other


def lines(rng: Random) -> tuple[Laid, Laid]:
    """Two progressions."""
    strides = rng.choice((("p", "p"), (2, 4), (3, 3), ("p", 2), (2, 3), ("p", "q"), ("p", "2*p")))
    return Laid(("a",), strides[:1]), Laid(("b",), strides[1:], rng.choice((1, "q", 0)))


def any_two(rng: Random) -> tuple[Laid, Laid]:
    """Any two views of one dim or two."""
    a, b = (named(rng) for _ in range(2))
    a, b = (Laid(v.shape[:2], v.strides[:2]) for v in (a, b))
    return a, b._replace(shape=b.shape[:1], strides=b.strides[:1], offset=rng.choice((0, 1, "q", "a")))


def masked(rng: Random) -> tuple[Laid, Laid]:
    """Any of these pairs, of which one view or both show an interval of each dim; its ends may be names."""
    pair = rng.choice((pages, rows, lines))(rng)
    shown = rng.choice(((True, False), (False, True), (True, True)))
    a, b = (v._replace(mask=_intervals(rng, v.shape)) if here else v for v, here in zip(pair, shown, strict=True))
    return a, b


def _intervals(rng: Random, shape: tuple[Any, ...]) -> tuple[tuple[Any, Any], ...]:
    return tuple(rng.choice(((0, n), (0, "c"), ("c", n), (1, n), ("c", "c + 1"), (0, f"{n} - 1"))) for n in shape)
