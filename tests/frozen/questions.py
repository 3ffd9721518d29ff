"""Random questions of every kind, each as one Python expression over the public names of symview.

A kind and a number give the same question for ever: the generators are those of tests/oracle.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from oracle import answers, density_brute, generate, masked_queries, odd_queries, outer_queries, parametric, programs
from oracle import swizzle_brute as swizzled
from oracle.brute import V
from oracle.program_pairs import pair as program_pair
from oracle.reshape_patterns import PATTERNS

from symview import View
from symview.logic.notation import term_text


def _numbers(v: V) -> str:
    return repr(View(v.shape, v.strides, v.offset, v.mask))


def _call(name: str, *given: str, assume: Sequence[str] = (), **options: str) -> str:
    texts = [*given, *([f"assume={list(assume)!r}"] if assume else []), *(f"{k}={v}" for k, v in options.items())]
    return f"{name}({', '.join(texts)})"


def _parsed(text: object) -> str:
    return f"View.parse({str(text)!r})"


# Views of numbers


def merges(rng: Random) -> str:
    kinds = (generate.pair, generate.accidental, generate.movement_pair)
    return _call("merge", *map(_numbers, rng.choice(kinds)(rng)))


def masked_merges(rng: Random) -> str:
    kinds = (programs.masked_pair, programs.program_pair, programs.masked_accidental, programs.medium_pair)
    return _call("merge", *map(_numbers, rng.choice(kinds)(rng)))


def large_merges(rng: Random) -> str:
    return _call("merge", *map(_numbers, rng.choice((generate.huge_pair, programs.large_pair))(rng)))


def chains(rng: Random) -> str:
    views = rng.choice((programs.masked_chain, programs.program_chain))(rng)
    if rng.random() < 0.2:
        return _call("simplify", *map(_numbers, views))
    return _call("merge", *map(_numbers, views))


def reshapes(rng: Random) -> str:
    view = generate.pair(rng)[0]
    size = 1
    for n in view.shape:
        size *= n
    target = generate._factorisation(rng, size) if size else (0, rng.randint(0, 3))
    return _call("reshape", _numbers(view), repr(tuple(target)))


def strides_of_numbers(rng: Random) -> str:
    laid = density_brute.numbers(rng)
    what = rng.choice(("is_dense", "is_injective", "is_contiguous"))
    return _call(what, repr(View(*laid)))


# Views with names


def open_strides(rng: Random) -> str:
    outer, inner = rng.choice((generate.pair, generate.accidental, generate.movement_pair))(rng)
    names = ",".join(f"s{n}" for n in range(len(outer.shape)))
    return _call("conditions", _parsed(f"({','.join(map(str, outer.shape))}):({names})"), _numbers(inner))


def open_size(rng: Random) -> str:
    shape, t, o = generate.parametric(rng)
    names = ",".join(f"s{n}" for n in range(len(shape)))
    outer = f"({','.join(map(str, shape))}):({names})"
    return _call("conditions", _parsed(outer), _parsed(f"(n):({t})+({o})"))


def outer_sizes(rng: Random) -> str:
    query = outer_queries.query(rng)
    return _call("conditions", _parsed(query.outer), _parsed(query.inner), assume=query.assume)


def _views(query: masked_queries.Query) -> str:
    return _call("conditions", *map(_parsed, query.views), assume=query.assume)


def odd_chains(rng: Random) -> str:
    return _views(odd_queries.odd(rng))


def masks(rng: Random) -> str:
    return _views(masked_queries.query(rng))


def open_chains(rng: Random) -> str:
    return _views(masked_queries.chain(rng))


def open_reshapes(rng: Random) -> str:
    query = rng.choice(PATTERNS).reshape() if rng.random() < 0.3 else parametric.reshape(rng)
    return _call("reshape_conditions", _parsed(query.view), f"shape('({','.join(query.shape)})')", assume=query.assume)


def density(rng: Random) -> str:
    laid = density_brute.named(rng)
    kind = rng.choice(("dense_conditions", "injective_conditions", "contiguous_conditions"))
    return _call(kind, _parsed(laid))


# Layouts


def _given(x: Any) -> str:
    return f"Layout.parse({str(x)!r})" if type(x).__name__ == "Layout" else (
        f"({', '.join(map(_given, x))},)" if isinstance(x, tuple) else repr(x)
    )  # fmt: skip


def layouts(rng: Random) -> str:
    operation, given = answers.question(rng)
    return _call(f"cute.{operation}", *map(_given, given))


def layouts_with_names(rng: Random) -> str:
    query = rng.choice(ABOUT_LAYOUTS)
    sizes = [str(rng.choice((1, 2, 3, 4, 6, 8, "n"))) for _ in range(rng.randint(1, 3))]
    strides = [rng.choice(("a", "b", "c", "2*a", "0", "a + b", "1", sizes[0], f"{sizes[0]}*a")) for _ in sizes]
    given = [_layout(sizes, strides)]
    if query == "complement":
        given.append(str(rng.choice((1, 12, 24))))
    elif query in ("composition", "logical_divide", "logical_product"):
        other = [str(rng.choice((1, 2, 3, 4, 6, 8))) for _ in range(rng.choice((1, 1, 2)))]
        given.append(_layout(other, [str(rng.choice((0, 1, 1, 2, 3, 4, 6))) for _ in other]))
    return _call(f"cute.{query}_conditions", *given)


def _layout(sizes: Sequence[str], strides: Sequence[str]) -> str:
    text = ":".join(f"({','.join(x)})" if len(x) > 1 else x[0] for x in (sizes, strides))
    return f"Layout.parse({text!r})"


ABOUT_LAYOUTS = (
    "composition", "composition", "coalesce", "complement", "right_inverse", "left_inverse", "logical_divide",
    "logical_product",
)  # fmt: skip


def composed(rng: Random) -> str:
    """A layout with swizzles, offsets and layouts as outer maps, and what it is as something else."""
    text = _inner(rng)
    for _ in range(rng.randint(1, 2)):
        text = f"cute.ComposedLayout({_front(rng)}, {rng.choice((0, 0, 1, 2, 4, 5))}, {text})"
    what = rng.choice(ABOUT_MAPS)
    return _call(f"cute.{what}", text, *([_inner(rng)] if what == "same_function" else []))


ABOUT_MAPS = (
    "as_layout", "to_view", "to_linear", "same_function", "is_injective", "is_bijective", "is_surjective", "footprint",
    "right_inverse", "vector_width", "coalesce", "cosize",
)  # fmt: skip


def _inner(rng: Random) -> str:
    modes = swizzled.random_modes(rng)
    sizes, steps = (tuple(m[k] for m in modes) for k in (0, 1))
    return f"Layout({sizes!r}, {steps!r})"


def _front(rng: Random) -> str:
    if rng.random() < 0.6:
        return f"cute.Swizzle{tuple(swizzled.random_swizzle(rng))!r}"
    sizes = tuple(rng.choice((1, 2, 3, 4, 8)) for _ in range(rng.randint(1, 3)))
    return f"Layout({sizes!r}, {tuple(rng.choice((0, 1, 2, 3, 4, 7, 8)) for _ in sizes)!r})"


# Statements


def statements(rng: Random) -> str:
    given = [term_text(answers.statement(rng))] if rng.random() < 0.3 else []
    division = rng.choice(("floor", "floor", "trunc", "euclid"))
    return _call("prove", repr(term_text(answers.statement(rng))), assume=given, division=repr(division))


def programs_of_tensors(rng: Random) -> str:
    left, right = program_pair(rng)
    return _call("prove", repr(f"{left} == {right}"), assume=["n >= 1", "m >= 1"])


def premises(rng: Random) -> str:
    claim, about, assume = rng.choice(answers.PREMISES)
    bound = rng.choice(("", "", "x >= 0", f"x <= {rng.randint(0, 30)}", f"0 <= x < {rng.randint(1, 9)}"))
    given = [g for g in (*assume.split(", "), bound) if g]
    return _call("weakest", repr(claim + rng.choice(("", f" + {rng.randint(1, 9)}"))), f"about={about!r}", assume=given)


KINDS: dict[str, tuple[Callable[[Random], str], int]] = {
    "merges": (merges, 2500), "masked merges": (masked_merges, 2500), "large merges": (large_merges, 800),
    "chains": (chains, 1000), "reshapes": (reshapes, 700), "strides of numbers": (strides_of_numbers, 700),
    "open strides": (open_strides, 900), "open size": (open_size, 900), "outer sizes": (outer_sizes, 500),
    "odd chains": (odd_chains, 500), "masks": (masks, 400), "open chains": (open_chains, 300),
    "open reshapes": (open_reshapes, 700), "density": (density, 600), "layouts": (layouts, 3500),
    "layouts with names": (layouts_with_names, 900), "composed": (composed, 900),
    "statements": (statements, 1000), "programs": (programs_of_tensors, 600), "premises": (premises, 200),
}  # fmt: skip


def documented() -> list[str]:
    """The questions of the README, docs/ and tests/regress, as frozen.harvest found them."""
    return list(json.loads((Path(__file__).parent / "documented.json").read_text()))


def questions(kind: str, step: int = 1) -> Iterator[str]:
    """Every `step`-th of the questions of a kind."""
    if kind == "documented":
        yield from documented()[::step]
        return
    make, many = KINDS[kind]
    for number in range(0, many, step):
        yield make(Random(f"{kind} {number}"))
