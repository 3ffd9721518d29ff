"""Rules for overlaps: when two views of one buffer share an address."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from symview.trusted.document import BadCertificate, Object
from symview.trusted.formulas import Tree, Unsupported, Values, compiled, made, put
from symview.verify.kinds.cases import Subject
from symview.verify.kinds.maps import Index, address, within
from symview.verify.meaning import Case
from symview.verify.obligations import WALK, Known, Obligation, Steps


class Overlaps(Subject):
    """Two views have valid indices with one address; `indices` of a case are such pairs, concatenated."""

    def read(self, evidence: Object) -> None:
        """Computes the two views and the bounds of their valid indices."""
        self.pair = [v.put({}) for v in self.node[1]]
        self.bounds = [[*(v.mask or [(0, n) for n in v.shape])] for v in self.pair]

    def addresses(self, index: Index) -> tuple[Tree, Tree]:
        """The addresses of both views at a pair of indices."""
        ends = len(self.bounds[0])
        a, b = (address(i, v.strides, v.offset) for i, v in zip((index[:ends], index[ends:]), self.pair, strict=True))
        return a, b

    def meet(self, index: Index) -> Tree:
        """Formula: both indices are valid and have one address."""
        both = [*self.bounds[0], *self.bounds[1]]
        if len(index) != len(both):
            raise BadCertificate("a pair of indices has an entry for each dim of both views")
        void = any(v.void for v in self.pair)
        return made("and", not void, within(index, both), made("==", *self.addresses(index)))

    def enough(self, known: Sequence[Tree], case: Case) -> Steps:
        """Obligation: wherever this is known, one of the pairs has one address."""
        pairs = ("or", False, *map(self.meet, case.hints))
        yield Obligation("that the views share an address", pairs, known, refutes=False)

    def needed(self, claim: Tree, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: nowhere in the case do two valid indices have one address."""
        ranges = {f"#{n}": ends for n, ends in enumerate([*self.bounds[0], *self.bounds[1]])}
        void = any(v.void for v in self.pair)
        apart = made("or", void, claim, made("!=", *self.addresses([*ranges])))
        yield Obligation("that the views share no address", apart, known, ranges)

    def why_not(self, at: Values, outside: bool = False) -> Known | None:
        """Excludes the addresses at these values, if the views share none there."""
        if any(v.void for v in self.pair):
            return {}, False
        found = list[set[int]]()
        for v, bounds in zip(self.pair, self.bounds, strict=True):
            axes = [range(*[compiled(x)(at) for x in ends]) for ends in bounds]
            if prod(map(len, axes)) > WALK:
                raise Unsupported(f"the addresses of a box of {prod(map(len, axes))}")
            self.work.spend(prod(map(len, axes)) * (1 + len(axes)))
            names = {f"#{n}": axis for n, axis in enumerate(axes)}
            where = compiled(put(address([*names], v.strides, v.offset), at))
            found.append({where(dict(zip(names, index, strict=True))) for index in product(*axes)})
        if set.intersection(*found):
            return None
        return {}, ("not", ("and", True, *[("==", n, x) for n, x in at.items()]))
