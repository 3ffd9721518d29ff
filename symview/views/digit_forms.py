"""Finer shapes: the digits of its index in which a chain is one view, and the canonical form that they make."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from symview.engine.index_map import IndexMap
from symview.engine.radix import divisors, place_values, prime_factors
from symview.engine.valid_box import FEW
from symview.engine.view_chain import Box, ViewChain, probes
from symview.logic.budget import Budget
from symview.view import View
from symview.views.chains import Through, merge_chain, on_all_indices, through_region


def finer_shapes(window: Sequence[View], budget: Budget) -> list[tuple[int, ...]]:
    """Shapes of as many indices, beyond that of the last view, in which views without masks may be one view.

    First its dims, each cut where linearity along it ends, then the shortest of all.
    Raises Undecided when the budget ends.
    """
    if any(v.mask is not None or v.is_void() for v in window):
        return []
    whole, sizes = on_all_indices(window), window[-1].shape
    lines = [ViewChain(whole.levels, IndexMap((n,), (t,), 0)) for n, t in zip(sizes, place_values(sizes), strict=True)]
    axes = [linear_digits(line, (n,), budget) for line, n in zip(lines, sizes, strict=True)]
    by_axis = tuple([size for digits in axes for size in digits or [1]])
    found = [by_axis, tuple(linear_digits(flat(whole), sizes, budget))]
    return [shape for shape in dict.fromkeys(found) if shape != sizes and prod(shape) == prod(sizes)]


def linear_digits(line: ViewChain, sizes: Sequence[int], budget: Budget) -> list[int]:
    """Sizes, slowest first, of the only digits in which a valid line, as long as the product, can be linear.

    Where it is linear in some digits, the fastest ends at the first index whose address is not that many first steps,
    and no other choice does with fewer digits; the next ones count its blocks. That it is linear is not asked.
    """
    primes = sorted(p for n in sizes for p in prime_factors(n))
    found, size, step, start = list[int](), prod(sizes), 1, line.address_at((0,))
    while size > 1:
        first = line.address_at((step,)) - start
        for n in divisors(primes):
            budget.spend(1)
            if n == size or line.address_at((n * step,)) - start != n * first:
                break
        found.append(n)
        step, size = step * n, size // n
        for p in prime_factors(n):
            primes.remove(p)
    return found[::-1]


def flat(whole: ViewChain) -> ViewChain:
    """A chain on all indices of its last view, along its row-major line."""
    return ViewChain(whole.levels, IndexMap((prod(whole.box.sizes),), (1,), 0))


def canonical_form(chain: Sequence[View], budget: Budget) -> tuple[View, ...]:
    """The one or two views that every chain of the same meaning has as this form; none where there is no such form.

    One view where one does, else `reshaped`. Raises Undecided when the budget ends.
    """
    merged = merge_chain(chain, budget)
    return (merged,) if isinstance(merged, View) else reshaped(chain, budget)


def reshaped(chain: Sequence[View], budget: Budget) -> tuple[View, ...]:
    """A view of the shortest shape, and the contiguous view of the box of valid indices; none where that is not so.

    Raises Undecided when the budget ends.

    >>> list(map(str, reshaped([View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,))], Budget())))
    ['(4,2):(1,4)', '(8):(1)']
    """
    through = through_region(chain[0], chain[1:], budget)
    if not isinstance(through, Through):
        return ()
    lows, sizes = through.region.lows, through.region.box.sizes
    box: Box = tuple([(low, low + n) for low, n in zip(lows, sizes, strict=True)])
    cut = [*chain[:-1], chain[-1].shrink(box)]
    shape = linear_digits(flat(on_all_indices(cut)), sizes, budget)
    outer = one_view([*cut, View(shape)], budget)
    return () if outer is None else (outer, padded(View(sizes), box, chain[-1].shape))


def one_view(chain: Sequence[View], budget: Budget) -> View | None:
    """The view that the chain is, None where it is none; that is seen at a few indices most often.

    Raises Undecided when the budget ends.
    """
    if prod(chain[-1].shape) > FEW and all(v.mask is None for v in chain) and is_bent(on_all_indices(chain)):
        return None
    merged = merge_chain(chain, budget)
    return merged if isinstance(merged, View) else None


def is_bent(chain: ViewChain) -> bool:
    """Whether a few indices show that a chain that is valid everywhere is not affine."""
    even = chain.even()
    return any(chain.at(i) != even.at(i) for i in probes(even.sizes))


def padded(view: View, box: Box, shape: Sequence[Any]) -> View:
    """The view of a shape that is this one on a box, and not valid elsewhere."""
    return view.pad([(low, n - high) for (low, high), n in zip(box, shape, strict=True)])
