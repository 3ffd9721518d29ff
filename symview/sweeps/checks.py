"""The checks of a sweep on one input: the answer against the definition, which walks all indices, or against a peer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple

from symview.cute.int_tuple import flatten
from symview.cute.layout import Layout
from symview.cute.operations import try_composition
from symview.errors import InputError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.sweeps.spaces import Ints, Pair, Strided, places
from symview.view import View
from symview.views.merging import merge


class Finding(NamedTuple):
    """The result of one input: a word to count, and the errors in our answer and in the peer's."""

    word: str
    wrong: str = ""
    peer: str = ""

    def against(self, name: str, word: str, wrong: str = "") -> Finding:
        """Compares our answer with a peer's: a word for the outcome, or the wrong answer."""
        text = f"{name} answers {wrong}" if wrong else ""
        return Finding(f"{self.word}; {name}: {'wrong' if wrong else word}", self.wrong, text)


UNDECIDED = Finding("undecided")


def check_merge(pair: Pair, budget: Budget = DEFAULT) -> Finding:
    """Checks that `merge` finds the view with the composition's addresses, or an index at which none has them.

    The only candidate goes through the addresses at 0 and at the unit indices (Theorem 10 of "Merging tensor views").
    """
    inner = pair[1]
    try:
        found = merge(*[View(*v) for v in pair], budget=budget)
    except Undecided:
        return UNDECIDED
    steps, broken = candidate(pair)
    if isinstance(found, View):
        ours = all(found.at(i) == address_at(pair, i) for i in _box(inner.shape))
        return Finding("merge", "" if ours and broken is None else f"{found} is not the composition")
    right = broken is not None and found.got == address_at(pair, found.index) != _through(pair, steps, found.index)
    return Finding("do not merge", "" if right else f"{found}, and the composition is a view with the strides {steps}")


def candidate(pair: Pair) -> tuple[Ints, Ints | None]:
    """The strides of the only view that can be the composition, and an index at which it fails."""
    inner, zero = pair[1], (0,) * len(pair[1].shape)
    base = address_at(pair, zero)
    units = [tuple(int(a == b) for b in range(len(zero))) for a in range(len(zero))]
    steps = tuple([address_at(pair, e) - base if n > 1 else 0 for e, n in zip(units, inner.shape, strict=True)])
    bad = (i for i in _box(inner.shape) if address_at(pair, i) != _through(pair, steps, i))
    return steps, next(bad, None)


def _through(pair: Pair, steps: Ints, index: Ints) -> int:
    zero = (0,) * len(index)
    return address_at(pair, zero) + sum(i * s for i, s in zip(index, steps, strict=True))


def address_at(pair: Pair, index: Ints) -> int:
    """The outer address at an index of the inner view; the last dim is the fastest."""
    outer, inner = pair
    x = inner.offset + sum(i * t for i, t in zip(index, inner.strides, strict=True))
    return outer.offset + value_at(Strided(outer.shape[::-1], outer.strides[::-1]), x, wrap=True)


def _box(shape: Ints) -> Iterator[Ints]:
    return product(*map(range, shape))


def check_composition(pair: Pair, budget: Budget = DEFAULT) -> Finding:
    """Checks that `composition` finds a layout that splits B's modes and has the values A(B(i)), if one exists."""
    a, b = (Layout(v.shape, v.strides) for v in pair)
    try:
        found = try_composition(a, b, budget=budget)
    except Undecided:
        return UNDECIDED
    values = [value_at(pair[0], value_at(pair[1], i, wrap=True), wrap=False) for i in range(prod(pair[1].shape))]
    if isinstance(found, Layout):
        if [found(i) for i in range(found.size())] != values:
            return Finding("compose", f"{found} has other values than A(B(i))")
        kept = tuple([prod(flatten(m)) for m in found.shape]) == pair[1].shape
        return Finding("compose", "" if kept else f"{found} does not split B's modes")
    return Finding("do not compose", f"{found}, and there is one" if splits(pair[1].shape, values) else "")


def value_at(layout: Strided, x: int, wrap: bool) -> int:
    """The value at x; the first mode is the fastest, and the last one extends beyond its size unless x wraps."""
    value = 0
    for n, (size, stride) in enumerate(zip(layout.shape, layout.strides, strict=True)):
        x, digit = divmod(x, size) if wrap or n < len(layout.shape) - 1 else (0, x)
        value += digit * stride
    return value


def splits(shape: Ints, values: list[int]) -> bool:
    """Whether some layout that splits each of these modes has the values; tries all ordered factorisations."""
    place, steps = 1, []
    for size in shape:
        steps.append([values[place * i] - values[0] for i in range(size)])
        place *= size
    if values and values[0]:
        return False
    whole = (sum(m[i] for m, i in zip(steps[::-1], index, strict=True)) for index in _box(shape[::-1]))
    return list(whole) == values and all(any(_is_layout(m, f) for f in factorisations(len(m))) for m in steps)


def _is_layout(values: list[int], sizes: Ints) -> bool:
    place, strides = 1, []
    for n in sizes:
        strides.append(values[place])
        place *= n
    return all(value_at(Strided(sizes, tuple(strides)), i, wrap=True) == v for i, v in enumerate(values))


@cache
def factorisations(n: int) -> list[Ints]:
    """Lists the ordered factorisations into factors of 2 or more.

    >>> factorisations(8)
    [(8,), (2, 4), (2, 2, 2), (4, 2)]
    """
    if n == 1:
        return [()]
    return [(n,), *[(k, *rest) for k in range(2, n) if n % k == 0 for rest in factorisations(n // k)]]


def check_conditions(pair: Pair, budget: Budget = DEFAULT) -> Finding:
    """Checks that `conditions` with symbols as outer strides are right at these strides, and at others."""
    from symview.views.conditions import conditions  # slow to load

    outer, inner = pair
    names = [f"s{n}" for n in range(len(outer.shape))]
    symbols = View.parse(f"({','.join(map(str, outer.shape))}):({','.join(names)})")
    tried = outer.strides, tuple(range(1, len(names) + 1)), places(outer.shape)
    try:
        found = conditions(symbols, View(*inner), budget=budget.started())
        answers = [found.holds(dict(zip(names, strides, strict=True))) for strides in tried]
    except Undecided:
        return UNDECIDED
    for strides, said in zip(tried, answers, strict=True):
        if said != (candidate((outer._replace(strides=strides), inner))[1] is None):
            return Finding("told wrongly", f"{found} is {said} at strides {strides}")
    return Finding("told")


# Peers


def against_tinygrad(pair: Pair, budget: Budget = DEFAULT) -> Finding:
    """The result of tinygrad's `View.__add__` for the same pair."""
    from tinygrad.shape.view import View as Theirs  # slow to load

    ours = check_merge(pair, budget)
    made = Theirs.create(*pair[0]) + Theirs.create(*pair[1])
    if made is None:
        return ours.against("tinygrad", "no answer")
    same = made.shape == pair[1].shape and all(
        made.offset + sum(i * s for i, s in zip(index, made.strides, strict=True)) == address_at(pair, index)
        for index in _box(pair[1].shape)
    )
    return ours.against("tinygrad", "the same", "" if same else str(made))


def against_pycute(pair: Pair, budget: Budget = DEFAULT) -> Finding:
    """The result of pycute's `composition` for the same layouts."""
    import pycute  # slow to load

    ours, (a, b) = check_composition(pair, budget), pair
    try:
        made = pycute.composition(pycute.Layout(_plain(a.shape), _plain(a.strides)),
                                  pycute.Layout(_plain(b.shape), _plain(b.strides)))  # fmt: skip
    except (AssertionError, ArithmeticError, LookupError, TypeError, ValueError):  # pycute has no errors of its own
        return ours.against("pycute", "refuses")
    values = [value_at(a, value_at(b, i, wrap=True), wrap=False) for i in range(prod(b.shape))]
    same = pycute.size(made) == len(values) and [made(i) for i in range(len(values))] == values
    return ours.against("pycute", "the same values", "" if same else str(made))


def _plain(entries: Ints) -> int | Ints:
    return entries[0] if len(entries) == 1 else entries


CHECKS: dict[tuple[str, str], Callable[[Pair, Budget], Finding]] = {
    ("merge", ""): check_merge,
    ("merge", "tinygrad"): against_tinygrad,
    ("compose", ""): check_composition,
    ("compose", "pycute"): against_pycute,
    ("conditions", ""): check_conditions,
}


def check_of(law: str, peer: str) -> Callable[[Pair, Budget], Finding]:
    """Finds the check; raises InputError if there is none, or if the peer is not installed."""
    if (law, peer) not in CHECKS:
        known = ", ".join(f"{a} against {b}" if b else a for a, b in CHECKS)
        raise InputError(f"no sweep {law}{f' against {peer}' if peer else ''}: there are {known}, and files of rules")
    if peer:
        try:
            __import__(peer)
        except ImportError:
            raise InputError(f"a comparison with {peer} needs it: pip install it") from None
    return CHECKS[law, peer]
