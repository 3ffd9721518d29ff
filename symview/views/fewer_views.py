"""Shortens a chain to as few views as can be found, and compares two such results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice, pairwise
from math import prod
from typing import Any, NamedTuple

from symview.certificates import document, view_of
from symview.displayed import Displayed
from symview.engine.index_map import IndexMap
from symview.engine.radix import divisors, prime_factors
from symview.engine.valid_box import few
from symview.engine.view_chain import Box, ViewChain, probes, reached
from symview.errors import Undecided
from symview.logic.budget import Budget, running
from symview.view import View
from symview.views.chains import Through, checked, equivalent, merge_chain, on_all_indices, through_region
from symview.views.two_views import merge_two

_HASHED = 8  # indices whose addresses are hashed
_MORE = "two views do, as for every function on a finite box, but none were found"
Chain = Sequence[View]


@dataclass(frozen=True, slots=True, eq=False)
class Simplified(Displayed):
    """Fewer views, equal to a chain. `minimal` is True only if it is proved that no fewer suffice; `why` says why.

    Two results are equal if their chains are equal, even if different views were found. The canonical form decides that
    if there is one (see `canonical`), else `equivalent`. `==` raises Undecided if neither can.

    >>> simplify(View((2, 4), (1, 2)), View((8,))) == simplify(View((2, 2, 2), (1, 4, 2)), View((8,)))
    True
    """

    views: tuple[View, ...]
    minimal: bool
    why: str
    chain: tuple[View, ...] = field(default=(), repr=False)  # the chain that was simplified

    def canonical(self, budget: Budget | None = None) -> tuple[View, ...]:
        """The canonical form, of one or two views; empty if the chain has none.

        It is one view if the chain merges. Otherwise, if the valid indices are a box, it is the view of the shortest
        shape in which addresses move evenly over that box in row-major order, then the contiguous view of the box.
        Equal chains have the same canonical form. Raises Undecided where the budget ends.

        >>> list(map(str, simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,))).canonical()))
        ['(4,2):(1,4)', '(8):(1)']
        """
        return canonical_form(self.views, running(budget))

    def certificate(self) -> dict[str, Any]:
        """The claim that both chains are equal, and whether no fewer views suffice, as JSON for `symview verify`."""
        chains = ([view_of(v) for v in chain] for chain in (self.chain, self.views))
        both = dict(zip(("first", "second"), chains, strict=True))
        return document("chains", {**both, "same": True, "minimal": self.minimal})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Simplified):
            return NotImplemented
        if self.views == other.views or self._some() != other._some():
            return self.views == other.views
        return self.canonical() == other.canonical() and (
            bool(self.canonical()) or bool(equivalent(self.views, other.views))
        )

    def __hash__(self) -> int:
        return hash(self._some())

    def _some(self) -> tuple[Any, ...]:
        """The shape and a few addresses: equal for equal chains."""
        whole = on_all_indices(self.views)
        sizes = whole.box.sizes
        return sizes, *([] if 0 in sizes else map(whole.at, islice(probes(sizes), _HASHED)))

    def __str__(self) -> str:
        return "; ".join(map(str, self.views))


def simplify(*views: View | str, budget: Budget | None = None) -> Simplified:
    """As few views as can be found that are equal to the chain; the first view lays out memory.

    It tries to merge every window of neighbours, also on only those indices that the whole chain uses; then the whole
    chain as a view of a finer shape and a reshape. Two views are minimal if no single view suffices. Three or more
    never are: any partial function on a finite box is two views, if the outer shape may have any number of dims.

    >>> print(simplify(View((2, 4), (1, 2)), View((2, 4), (1, 2)), View((8,), (1,))))
    (4,2):(1,4); (8):(1)
    >>> simplify(View((2, 2), (1, 2)), View((4,)), View((2, 2))).minimal
    True
    """
    budget = running(budget)
    chain = checked(views)
    found, minimal, why = _minimality(tuple(ChainSearch(budget).fewest(chain)), budget)
    return Simplified(found, minimal, why, tuple(chain))


def _minimality(chain: tuple[View, ...], budget: Budget) -> tuple[tuple[View, ...], bool, str]:
    """The views, merged into one if possible; whether it is proved that no fewer suffice; and why."""
    if len(chain) == 1:
        return chain, True, "one view is the least"
    if len(chain) > 2:
        return chain, False, _MORE
    try:
        merged = merge_two(chain[0], chain[1], budget)
    except Undecided as stop:
        return chain, False, f"whether one view does is undecided: {stop.reason}"
    if isinstance(merged, View):
        return _minimality((merged,), budget)
    return chain, True, f"one view is not enough: {merged}"


class ChainSearch:
    """The search for one question. Merges that the budget leaves undecided are not used."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget

    def fewest(self, chain: Chain) -> Chain:
        """The fewest views found: it merges windows, then repeats with any chain that is shorter."""
        chain = self._windows(chain)
        while len(chain) > 2:
            shorter = next((c for c in self._others(chain) if len(c) < len(chain)), None)
            if shorter is None:
                break
            chain = shorter
        return chain

    def _others(self, chain: Chain) -> Iterator[Chain]:
        """Other chains that are equal to this one; each takes longer to find than the one before."""
        yield from map(self._windows, without_pads(chain))
        yield self._windows(chain, self._boxes(chain))
        with suppress(Undecided):
            yield reshaped(chain, self.budget) or chain

    def _one(self, window: Chain) -> View | None:
        """The view that the window merges into; None if there is none, or it is not found within the budget."""
        try:
            return one_view(window, self.budget)
        except Undecided:
            return None

    def _windows(self, chain: Chain, boxes: Sequence[Box] = ()) -> Chain:
        """The chain cut into as few windows as possible that merge into one view each, in the context of the boxes."""
        best: list[list[View] | None] = [[], *[None] * len(chain)]
        for end in range(1, len(chain) + 1):
            for start in range(end):
                before, have = best[start], best[end]
                if before is None or (have is not None and len(have) <= len(before) + 1):
                    continue
                window = chain[start:end]
                merged = window[0] if len(window) == 1 else self._one(window)
                if merged is None and boxes:
                    merged = self._in_context(window, boxes[end - 1])
                if merged is not None:
                    best[end] = [*before, merged]
        return best[-1] or chain

    def _in_context(self, window: Chain, box: Box) -> View | None:
        """The view that equals the window on the box of indices that the whole chain uses, masked elsewhere.

        No valid index of the chain reaches an index outside the box, so the chain is unchanged ("Chains of views",
        proofs/README.md).
        """
        last: Any = window[-1]
        if all(b == (0, n) for b, n in zip(box, last.shape, strict=True)):
            return None
        merged = self._one([*window[:-1], last.shrink(box)])
        return None if merged is None else padded(merged, box, last.shape)

    def _boxes(self, chain: Chain) -> Sequence[Box]:
        """For every view the box of its indices that the chain uses; the whole box if the budget ends."""
        try:
            found = reached(on_all_indices(chain), self.budget)
        except Undecided:
            found = None
        whole = [tuple([(0, n) for n in v.shape]) for v in chain]
        return found or whole


def without_pads(chain: Sequence[View]) -> Iterator[list[View]]:
    """The chains without one middle view that maps y to y + o on an interval and is invalid elsewhere.

    Claim: they are equal to the chain. The view before gets masked blocks in front and behind, so that each y + o is an
    index of it, and the offset of the view after makes the shift. The interval has to consist of whole blocks; a block
    is one step of the leading dim of the view before.

    >>> for found in without_pads([View.parse(v) for v in ("(3,3):(1,3)", "(12):(1)-1 [1:10]", "(3,4):(4,1)")]):
    ...     print(*found, sep="; ")
    (5,3):(1,3)-1 [1:4,0:3]; (3,4):(4,1)+2
    """
    for at, (before, pad) in enumerate(pairwise(chain[:-1])):
        line = _line(pad)
        found = None if line is None else _padded(before, line)
        if found is not None:
            view, shift = found
            following = chain[at + 2]
            moved = View(following.shape, following.strides, following.offset + shift, following.mask)
            yield [*chain[:at], view, moved, *chain[at + 3 :]]


class _Line(NamedTuple):
    """Maps y to y + shift if low <= y < high, out of `size` indices; it is invalid elsewhere."""

    size: int
    shift: int
    low: int
    high: int


def _line(view: View) -> _Line | None:
    """The view as a line; None if it is not one, or if its mask is not an interval of the line."""
    if view.is_void() or 0 in view.shape:
        return None
    dims = [d for d in zip(view.shape, view.strides, view.bounds(), strict=True) if d[0] != 1]
    place = 1
    for size, stride, _ in reversed(dims):
        if stride != place:
            return None
        place *= size
    if any(bounds != (0, size) for size, _, bounds in dims[1:]):
        return None
    below = prod(n for n, _, _ in dims[1:])
    low, high = dims[0][2] if dims else (0, 1)
    return _Line(place, view.offset, low * below, high * below)


def _padded(before: View, line: _Line) -> tuple[View, int] | None:
    """The view with blocks around it, and the new place of y = 0; None if the interval is not of whole blocks."""
    if not before.rank or before.is_void():
        return None
    lead, block = before.shape[0], prod(before.shape[1:])
    first, last = line.low + line.shift, line.high + line.shift
    if first % block or last % block:
        return None
    front = max(0, -(line.shift // block))
    back = max(0, -(-(line.size + line.shift) // block) - lead)
    whole = [(0, n) for n in before.shape[1:]]
    cut = before.shrink([(first // block, last // block), *whole])
    around = (front + first // block, back + lead - last // block)
    return cut.pad([around, *((0, 0) for _ in whole)]), line.shift + front * block


def linear_digits(line: ViewChain, sizes: Sequence[int], budget: Budget) -> list[int]:
    """The only sizes, slowest first, of digits in which a valid line may be linear; their product is its length.

    If it is linear in some digits, the fastest digit ends at the first index whose address is not that many times the
    first step; no other choice needs fewer digits. The next digits count its blocks. Linearity itself is not checked.
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
    """A chain on all indices of its last view, in row-major order."""
    return ViewChain(whole.levels, IndexMap((prod(whole.box.sizes),), (1,), 0))


def canonical_form(chain: Sequence[View], budget: Budget) -> tuple[View, ...]:
    """The one or two views that all equal chains have in common; empty if there is no such form.

    One view if the chain merges, else `reshaped`. Raises Undecided when the budget ends.
    """
    merged = merge_chain(chain, budget)
    return (merged,) if isinstance(merged, View) else reshaped(chain, budget)


def reshaped(chain: Sequence[View], budget: Budget) -> tuple[View, ...]:
    """A view of the shortest shape, and the contiguous view of the box of valid indices; empty if there are none such.

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
    """The view that the chain merges into, or None; a few indices usually show that there is none.

    Raises Undecided when the budget ends.
    """
    if prod(chain[-1].shape) > few(budget) and all(v.mask is None for v in chain) and is_bent(on_all_indices(chain)):
        return None
    merged = merge_chain(chain, budget)
    return merged if isinstance(merged, View) else None


def is_bent(chain: ViewChain) -> bool:
    """Whether a few indices show that a chain, valid everywhere, is not affine."""
    even = chain.even()
    return any(chain.at(i) != even.at(i) for i in probes(even.sizes))


def padded(view: View, box: Box, shape: Sequence[Any]) -> View:
    """The view of a larger shape that equals this one on a box and is invalid elsewhere."""
    return view.pad([(low, n - high) for (low, high), n in zip(box, shape, strict=True)])
