"""A ∘ B where A's sizes are numbers and strides of B are symbols: what counts is what these are modulo A's last place.

Let P be the product of A's sizes but the last, which all places of A divide. A's values at r·i and at
(r mod P)·i differ by a multiple of i. So the residues decide how modes of B split and what is
required of A's strides, and A's value at a step is one formula for all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

from symview.cases.table import Unknown, describe
from symview.cute.comparer import rounded_down
from symview.cute.composition_failure import NoComposition
from symview.cute.errors import NoAnswer
from symview.cute.int_tuple import flatten, is_int, leaves, like, profile_text
from symview.cute.layout import Layout
from symview.cute.modes import Modes
from symview.cute.symbols.asking import Asking
from symview.cute.symbols.by_size import by_size, period_of
from symview.cute.symbols.forms import Poly, form_of
from symview.cute.symbols.gaps import plain_sum
from symview.cute.symbols.question import put
from symview.cute.symbols.refinements import widest_answers
from symview.cute.symbols.refining import joined, mode_of, nested
from symview.cute.walk import walked
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import Term, num

_MOST, _OPEN, _FORKED = 1 << 12, 1 << 8, 1 << 6  # residues of all symbols: A of numbers; of symbols; a size of B open

Sizes = tuple[tuple[int, ...], ...]  # of the parts of each mode of B
Answers = tuple[tuple[tuple[Poly, ...], Sizes], ...]


def has_few_residues(outer: Layout, inner: Layout) -> bool:
    """Whether A's sizes are numbers, strides of B are polynomials, and A has few places."""
    modes = inner.flat()
    if not all(is_int(n) for n, _ in outer.flat()):
        return False
    divides = any("⟨" in name for n, d in modes for m in form_of(d) for name in m)
    most = _FORKED if not all(map(is_int, leaves(inner.shape))) else _MOST if outer.numeric else _OPEN
    return not divides and period_of(outer) ** len(_unknowns(inner)) <= most


def _unknowns(inner: Layout) -> list[Any]:
    """What B's strides are told by: their symbols, or the strides themselves where they are fewer."""
    strides = list(dict.fromkeys(d for n, d in inner.flat() if n != 1 and not is_int(d)))
    symbols = list(free_symbols(strides).values())
    return strides if len(strides) < len(symbols) else symbols


def sized_by_residue(ask: Asking, outer: Layout, inner: Layout, number: int) -> Layout:
    """A ∘ B on one path for an A of numbers and one open size of B, of the flat mode of that number."""
    inner = _upward(ask, inner)
    place = period_of(outer)
    rests = {x: ask.fork.value(Term("%", (to_term(x), num(place))), range(place)) for x in _unknowns(inner)}
    at = [_residue(d, rests, place) if n != 1 else 0 for n, d in inner.flat()]
    found = by_size(ask, outer, Layout(inner.shape, like(inner.stride, iter(at))), number)
    return nested(inner.shape, list(_strided(outer, inner, _sizes(found, inner))))


def _upward(ask: Asking, inner: Layout) -> Layout:
    """The layout, modes of size 1 without a stride below 0; raises NoAnswer where another mode has one."""
    strides: list[Any] = []
    for size, stride in inner.flat():
        down = size != 1 and not ask.at_most(0, stride)
        if down and not ask.equal(size, 1):
            raise NoAnswer(f"B's stride {profile_text(stride)} leads below 0")
        strides.append(0 if down else stride)
    return Layout(inner.shape, like(inner.stride, iter(strides)))


def by_residue(ask: Asking, outer: Layout, inner: Layout) -> Layout:
    """A ∘ B on one path for sizes that are numbers; raises NoAnswer where there is none."""
    inner = _upward(ask, inner)
    place, unknowns = period_of(outer), _unknowns(inner)
    points, groups = [*product(range(place), repeat=len(unknowns))], list[tuple[Answers, list[tuple[int, ...]]]]()
    for residues in points:
        rests = dict(zip(unknowns, residues, strict=True))
        at = [_residue(d, rests, place) if n != 1 else 0 for n, d in inner.flat()]
        found = tuple(_answers(ask, outer, Layout(inner.shape, like(inner.stride, iter(at)))))
        same = next((where for answers, where in groups if answers == found), None)
        if same is None:
            groups.append((found, [residues]))
        else:
            same.append(residues)
    *fewer, (most, _) = sorted(groups, key=lambda group: len(group[1]))
    columns = [Unknown(to_term(x), 0, place - 1, place) for x in unknowns]
    answers = next((a for a, where in fewer if ask.holds(describe(where, points, columns, ask.budget))), most)
    if not answers:
        raise NoAnswer(f"{outer} ∘ {inner} is no layout")
    forms, sizes = ask.fork.one_of(answers)
    ask.required += forms
    return nested(inner.shape, list(_strided(outer, inner, sizes)))


def _residue(stride: Any, rests: dict[Any, int], place: int) -> int:
    """What a stride is modulo the place, given that of the unknowns."""
    if stride in rests:
        return rests[stride]
    return int(put(stride, {x.name: rest for x, rest in rests.items() if x.is_Symbol})) % place


def _answers(ask: Asking, outer: Layout, inner: Layout) -> Iterator[tuple[tuple[Poly, ...], Sizes]]:
    """What is required of A's strides, and how the modes of a B of numbers split."""
    if outer.numeric:
        try:
            yield (), _sizes(walked(outer, inner, ask.budget), inner)
        except NoComposition:
            return
    else:
        for answer in widest_answers(outer, inner, ask.budget):
            yield answer.forms, _sizes(answer.layout, inner)


def _sizes(found: Layout, inner: Layout) -> Sizes:
    def of(shape: Any, profile: Any) -> Iterator[tuple[int, ...]]:
        if isinstance(profile, tuple):
            for part, inside in zip(shape, profile, strict=True):
                yield from of(part, inside)
        else:
            yield flatten(shape)

    return tuple(of(found.shape, inner.shape))


def _strided(outer: Layout, inner: Layout, sizes: Sizes) -> Iterator[tuple[Any, Any]]:
    """The modes of B with these parts, and the values of A at their steps."""
    for parts, (_, step) in zip(sizes, inner.flat(), strict=True):
        pieces: Modes = []
        done = 1
        for size in parts:
            pieces.append((size, _value(outer, step * done)))
            done *= size
        yield mode_of(pieces)


def _value(outer: Layout, x: Any) -> Any:
    """A's value at a step as a formula."""
    modes, place = joined(outer.flat()), 1
    found = [modes[0][1] * x]
    for (size, stride), (_, following) in pairwise(modes):
        place *= size
        found.append((following - size * stride) * rounded_down(x, place))
    return plain_sum(*found)
