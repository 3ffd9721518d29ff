"""The obligations of overlaps: when two views of one buffer share an address."""

from __future__ import annotations

from itertools import product
from math import prod

from symview.trusted.document import BadCertificate, Object, chain
from symview.trusted.formulas import Tree, Unsupported, Values, compiled, made, put
from symview.verify.kinds.cases import Case, Subject
from symview.verify.kinds.maps import Index, address, within
from symview.verify.obligations import WALK, Known, Obligation, Steps


class Overlaps(Subject):
    """Two views have valid indices with one address; `indices` of a case are such pairs, concatenated."""

    statuses = ("always", "never", "undecided")

    def read(self, question: Object) -> None:
        """Reads the two views and the bounds of their valid indices."""
        self.pair = chain(question, "pair", 2)
        if len(self.pair) != 2:
            raise BadCertificate('"pair" has to be two views')
        self.trees = [x for v in self.pair for x in v.entries()]
        self.bounds = [[*(v.mask or [(0, n) for n in v.shape])] for v in self.pair]

    def answer(self, given: Object) -> bool | None:
        """Whether an address is shared."""
        return True if given.get("status") == "always" else None

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

    def enough(self, case: Case) -> Steps:
        """Obligations: wherever the case applies, one of the pairs has one address."""
        what = "that the views share an address"
        shared = ("or", False, *map(self.meet, case.indices))
        found = yield Obligation(what, shared, [*self.facts, case.where], doubt=True)
        if found is not None:
            at = {n: found.get(n, 0) for n in self.names}
            yield Obligation(what, self.why_not(at) is None)
            yield Obligation(what, None)  # they share an address that no pair has

    def needed(self, case: Case) -> Steps:
        """Obligations: nowhere in the case do two valid indices have one address."""
        ranges = {f"#{n}": ends for n, ends in enumerate([*self.bounds[0], *self.bounds[1]])}
        void = any(v.void for v in self.pair)
        apart = made("or", void, made("!=", *self.addresses([*ranges])))
        yield Obligation("that the views share no address", apart, [*self.facts, case.where], ranges)

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
