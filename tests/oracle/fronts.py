"""Maps of several stages, and their values by the definition: from the attributes of the objects; none is called.

In front stand layouts, also with modes of size 1 and shorter than they are asked; factors; linear layouts; swizzles;
and composed layouts. A layout that is asked beyond its size goes on with its last mode, even one of size 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from oracle import cute_brute, linear_brute, swizzle_brute
from oracle.cute_brute import Modes
from symview.cute import ComposedLayout, Layout, LinearLayout, Swizzle

MOST = 1 << 12  # no value is above that


class Outside(Exception):
    """A stage that is asked where it has no value."""


def value(x: Any, i: int) -> int:
    """The value of a map at an index; beyond the size its last mode goes on."""
    if isinstance(x, ComposedLayout):
        return value(x.layoutB, x.offset + value(x.layoutA, i))
    if isinstance(x, Swizzle | LinearLayout) and i < 0:
        raise Outside
    if isinstance(x, Swizzle):
        return linear_brute.swizzled(x.bits, x.base, x.shift, i)
    if isinstance(x, LinearLayout):
        if i >> len(x.columns):
            raise Outside
        found = x.constant
        for bit, column in enumerate(x.columns):
            found ^= column if i >> bit & 1 else 0
        return found
    return cute_brute.value(modes_of(x) or [(1, 0)], i)


def modes_of(layout: Any) -> Modes:
    """The flat modes of a layout; none of a linear one."""
    if isinstance(layout, LinearLayout):
        return []
    return list(zip(_leaves(layout.shape), _leaves(layout.stride), strict=True))


def _leaves(x: Any) -> Iterator[Any]:
    if isinstance(x, tuple):
        for part in x:
            yield from _leaves(part)
    else:
        yield x


def base_of(x: Any) -> Any:
    """What stands behind all else."""
    while isinstance(x, ComposedLayout):
        x = x.layoutA
    return x


def size(x: Any) -> int:
    """How many indices there are."""
    base = base_of(x)
    return 1 << len(base.columns) if isinstance(base, LinearLayout) else cute_brute.size(modes_of(base))


def table(x: Any) -> list[int]:
    """All values."""
    return [value(x, i) for i in range(size(x))]


def nested(rng: Random, modes: Modes) -> Layout:
    """A layout of these modes, nested at random."""

    def parts(some: Modes) -> tuple[Any, Any]:
        if len(some) == 1:
            return some[0]
        if len(some) < 3 or rng.random() < 0.6:
            return tuple(n for n, _ in some), tuple(d for _, d in some)
        cut = rng.randint(1, len(some) - 1)
        (a, b), (c, d) = parts(some[:cut]), parts(some[cut:])
        return (a, c), (b, d)

    return Layout(*parts(modes))


def with_ones(rng: Random, modes: Modes) -> Modes:
    """Modes of size 1 put among them: often last, where it is the one that goes on."""
    found = list(modes)
    if rng.random() < 0.2:
        found.insert(rng.randint(0, len(found)), (1, rng.randint(0, 12)))
    if rng.random() < 0.4:
        reached = found[-1][0] * found[-1][1] if found else 1
        found.append((1, rng.choice((reached, 0, 1, 7, 16, -3, rng.randint(0, 40)))))
    return found


def random_base(rng: Random, most: int) -> Any:
    """A layout, sometimes a linear one."""
    if rng.random() < 0.12:
        return LinearLayout(linear_brute.random_bases(rng, most.bit_length() - 1, 6))
    modes = swizzle_brute.random_modes(rng, most)
    return nested(rng, with_ones(rng, modes) if rng.random() < 0.4 else modes)


def random_layout_in_front(rng: Random) -> Layout:
    """A factor, one mode, or several; compact, of powers of two, of anything; strides 0 and below 0 among them."""
    kind = rng.random()
    if kind < 0.2:
        return Layout(rng.choice((1, 1, 2, 3, 4, 8, 64)), rng.choice((0, 1, 2, 3, 4, 5, 8, 100, -1, -4)))
    if kind < 0.6:
        modes = [(2 ** rng.randint(0, 3), 2 ** rng.randint(0, 5)) for _ in range(rng.randint(1, 3))]
    else:
        modes = [(rng.choice((1, 2, 3, 4, 5, 6, 8)), rng.randint(0, 20)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.3:  # each mode continues the one before
        step, found = rng.choice((1, 1, 2, 3)), []
        for n, _ in modes:
            found.append((n, step))
            step *= n
        modes = found
    if rng.random() < 0.15:
        modes = [(n, rng.choice((d, -d, 0))) for n, d in modes]
    return nested(rng, with_ones(rng, modes))


def random_front(rng: Random, top: int) -> Any:
    """What may stand in front and be asked for the numbers up to `top`."""
    kind = rng.random()
    if kind < 0.5:
        return random_layout_in_front(rng)
    if kind < 0.8:
        return Swizzle(*swizzle_brute.random_swizzle(rng))
    columns = [
        rng.choice((1 << i, 1 << i, rng.randrange(64), 0)) for i in range(top.bit_length() + rng.choice((0, 0, 1)))
    ]
    return LinearLayout({"x": columns}, constant=[rng.choice((0, 0, 0, rng.randrange(32)))])


def random_map(rng: Random, most: int = 64, stages: int = 3) -> Any:
    """One to three stages in front of a layout, offsets between them; composed layouts in front as well."""
    while True:
        found = _random_map(rng, most, stages)
        if max(map(abs, table(found))) <= MOST:
            return found


def _random_map(rng: Random, most: int, stages: int) -> Any:
    x = random_base(rng, most)
    values = table(x)
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3)) if stages > 1 else 1):
        offset = max(0, -min(values)) + rng.choice((0, 0, 0, 0, 1, 2, 4, 5, 16, rng.randint(0, 40)))
        front = random_front(rng, max(values) + offset)
        again = isinstance(x, ComposedLayout) and not isinstance(x.layoutB, Swizzle) and rng.random() < 0.5
        x = (
            ComposedLayout(ComposedLayout(front, offset, x.layoutB), x.offset, x.layoutA)
            if again
            else ComposedLayout(front, offset, x)
        )
        values = table(x)
    return x


def stages_of(x: Any) -> list[Any]:
    """The stages, the outermost first."""
    return [*stages_of(x.layoutB), *stages_of(x.layoutA)] if isinstance(x, ComposedLayout) else [x]


def goes_on(x: Any) -> bool:
    """Whether a layout in front with a last mode of size 1 is asked beyond its size."""
    if not isinstance(x, ComposedLayout):
        return False
    if isinstance(x.layoutB, ComposedLayout):
        inner = ComposedLayout(x.layoutB.layoutA, x.offset, x.layoutA)
        return goes_on(ComposedLayout(x.layoutB.layoutB, x.layoutB.offset, inner))
    front = x.layoutB
    if isinstance(front, Layout) and (modes_of(front) or [(1, 0)])[-1][0] == 1:
        return max(x.offset + v for v in table(x.layoutA)) >= cute_brute.size(modes_of(front)) or goes_on(x.layoutA)
    return goes_on(x.layoutA)
