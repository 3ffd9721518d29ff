"""Random queries with symbolic outer sizes and inner strides that are symbols, place values, or near these."""

from __future__ import annotations

from random import Random

from .parametric import Open, Pair, contiguous, names_in

FEW = ("12 % {} == 0", "{0} >= 1 and {0} <= 3", "{} == 2", "6 % {} == 0")


def query(rng: Random) -> Pair:
    """Outer ranks 2 to 4 with sizes that are names, numbers or products; some outer size has a name.

    Reaches sizes of 1, equal place values, strides that are multiples of a place value, between two, or names;
    0 and negative strides, offsets, names that assumptions leave few values, and what is out of bounds.
    """
    shape = _shape(rng)
    places = contiguous(shape)
    axes, offset = list[tuple[str, str]](), list[str]()
    for number in range(rng.choices((1, 2, 3), (5, 4, 1))[0]):
        size, stride = _size(rng, shape, "nml"[number]), _stride(rng, places, "tuv"[number])
        if rng.random() < 0.07:
            offset.append(f"({size} - 1)*({stride})")
            stride = f"-({stride})"
        axes.append((size, stride))
    offset += _offset(rng, places)
    outer = Open(shape, tuple(_outer_strides(rng, places)))
    inner = Open(tuple(n for n, _ in axes), tuple(t for _, t in axes), " + ".join(offset) or "0")
    return Pair(outer, inner, tuple(_assumed(rng, outer, inner)))


def _shape(rng: Random) -> tuple[str, ...]:
    while True:
        names, shape = iter(rng.sample("MNK", 3)), list[str]()
        for _ in range(rng.choices((2, 3, 4), (5, 9, 1))[0]):
            kind = rng.choices(("name", "number", "multiple", "again"), (6, 4, 1, 0.5))[0]
            name = next(names, "M")
            known = names_in(*shape)
            number, multiple = rng.choices("12345", (1, 4, 3, 2, 1))[0], f"{rng.choice('23')}*{name}"
            text = {"name": name, "number": number, "multiple": multiple}
            shape.append(text.get(kind) or rng.choice(known or (name,)))
        if names_in(*shape):
            return tuple(shape)


def _size(rng: Random, shape: tuple[str, ...], name: str) -> str:
    some = rng.sample(shape, 2)
    kinds = (name, some[0], f"{some[0]}*{some[1]}", rng.choice("12345"), f"2*{name}")
    return rng.choices(kinds, (5, 3, 1, 2.5, 0.5))[0]


def _stride(rng: Random, places: tuple[str, ...], name: str) -> str:
    one, other = rng.choice(places), rng.choice(places)
    kinds = {
        one: 6, str(rng.choice((0, 1, 1, 2, 3, 4, 5, 7))): 4, f"{rng.choice('23')}*{one}": 2, name: 1.5,
        f"{name}*{one}": 1.5, f"{one} + {other}": 1, f"{one} + {rng.choice('12')}": 1, f"{one} - 1": 0.7,
    }  # fmt: skip
    return rng.choices([*kinds], [*kinds.values()])[0]


def _offset(rng: Random, places: tuple[str, ...]) -> list[str]:
    number, place, multiple = str(rng.randint(1, 5)), rng.choice(places), f"o*{rng.choice(places)}"
    kinds = {"0": 7, number: 1, "o": 1, place: 1, multiple: 0.7, "-1": 0.1}
    found = rng.choices([*kinds], [*kinds.values()])[0]
    return [] if found == "0" else [f"({found})"]


def _outer_strides(rng: Random, places: tuple[str, ...]) -> list[str]:
    kinds = rng.choices(("names", "few", "contiguous", "numbers"), (14, 1, 1, 1))[0]
    if kinds == "contiguous":
        return list(places)
    few = {"names": "abcd", "few": rng.choice(("abab", "aabc", "abca")), "numbers": "a1b2"}[kinds]
    return list(few[: len(places)])


def _assumed(rng: Random, outer: Open, inner: Open) -> list[str]:
    found, sizes = list[str](), names_in(*outer.shape, *inner.shape)
    for name in inner.names():
        if name not in sizes:
            bound = rng.choice(outer.shape)
            kinds = ([], [f"{name} >= 0"], [f"{name} >= 1", f"{name} <= {bound}"], [f"{name} == 2"])
            found += rng.choices(kinds, (2, 4, 2, 0.5))[0]
    if sizes and rng.random() < 0.15:
        found.append(rng.choice(FEW).format(rng.choice(sizes)))
    if rng.random() < 0.1:
        found.append(f"{rng.choice(inner.shape)} <= {rng.choice(outer.shape)}")
    return found
