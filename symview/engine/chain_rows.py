"""Overflows behind several views in a row: what the strides of an outer view meet there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from math import prod
from operator import mul

from symview.engine import presburger
from symview.engine.index_map import Index, by_sum
from symview.engine.overflow_space import Step
from symview.engine.radix import boundaries
from symview.engine.row_space import unit
from symview.engine.valid_box import FEW
from symview.engine.view_chain import Form, ViewChain, probes
from symview.logic.budget import Budget

_FIRST = 200  # indices that are looked at before others


class ChainRows:
    """What the strides of an outer view meet behind a chain: floor(x/P) for its boundaries, and x itself.

    A source of overflow vectors (see `overflow_space.Source`); `kept` are the coordinates that count, the
    boundaries of the shape by their number, then x. Every index of the chain's box is valid.
    """

    def __init__(self, chain: ViewChain, shape: Sequence[int], kept: Sequence[int]) -> None:
        self.chain = ViewChain(chain.levels, chain.box)
        self.sizes, self.width = chain.box.sizes, len(kept)
        places = (*boundaries(shape), 1)
        self.places = [places[n] for n in kept]
        address = self.chain.address
        self.forms = [address if p == 1 else self.chain.quotient(address, p) for p in self.places]
        rank = len(self.sizes)
        self.start = self._outputs((0,) * rank)
        self.steps = [
            [a - b for a, b in zip(self._outputs(unit(n, rank)), self.start, strict=True)] if size > 1 else None
            for n, size in enumerate(self.sizes)
        ]

    def _outputs(self, index: Sequence[int]) -> list[int]:
        address = self.chain.address_at(index)
        return [address // p for p in self.places]

    def vector(self, index: Sequence[int]) -> tuple[int, ...]:
        """How far each output is from affine at an index."""
        found = [a - b for a, b in zip(self._outputs(index), self.start, strict=True)]
        for i, step in zip(index, self.steps, strict=True):
            if i and step is not None:
                found = [a - i * b for a, b in zip(found, step, strict=True)]
        return tuple(found)

    def candidates(self, seed: int) -> Iterator[Index]:
        """Small indices, corners, a few random points."""
        yield from (i for i, _ in zip(by_sum(self.sizes), range(_FIRST), strict=False))
        yield from probes(self.sizes, seed)

    def violation(self, weights: Sequence[int], budget: Budget) -> Index | None:
        """An index at which the weighed outputs are not affine, None where there is none."""
        if prod(self.sizes) <= FEW:
            weighed = (i for i in by_sum(self.sizes) if sum(map(mul, weights, self.vector(i))))
            return next(weighed, None)
        return presburger.point(self.system([weights]), budget)

    def system(self, functionals: Sequence[Sequence[int]]) -> presburger.System:
        """The indices at which one of the functionals is not 0."""
        branches = list[tuple[Form]]()
        columns = [[0] * self.width if step is None else step for step in self.steps]
        for weights in functionals:
            bent = Form((), 0)
            for w, form, start, *steps in zip(weights, self.forms, self.start, *columns, strict=True):
                linear = Form(tuple(steps), start)
                bent = bent.plus(form.plus(linear, -1), w)
            branches += bent.nonzero()
        return self.chain.system(branches=branches)

    def walk(self, budget: Budget) -> Iterator[Step]:
        """Every step of the box that moves an output otherwise than the first of its axis."""
        for index in product(*map(range, self.sizes)):
            budget.spend(self.width * len(index) * len(self.chain.levels))
            before = self.vector(index)
            for axis, (i, size) in enumerate(zip(index, self.sizes, strict=True)):
                if i + 1 < size:
                    reached = (*index[:axis], i + 1, *index[axis + 1 :])
                    row = tuple([a - b for a, b in zip(self.vector(reached), before, strict=True)])
                    if any(row):
                        yield Step(axis, reached, row)
