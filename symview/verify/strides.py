"""When a view with names is dense, contiguous in an order, or has no two indices with one address."""

from __future__ import annotations

from itertools import permutations
from math import prod
from typing import Any

from symview.verify.cases import Case, Known, Place, Subject
from symview.verify.document import BadCertificate, entry, get, integers, listed, view
from symview.verify.formulas import Tree, Unsupported, Values, defined, made, names, put
from symview.verify.maps import address
from symview.verify.obligations import WALK, Obligation, Steps

MOST = 6  # dims that are ordered


class Strides(Subject):
    """A property of one view; a mask shrinks it, and without valid indices it has all of them."""

    def read(self, question: Any) -> None:
        """The view, the property, and for which order, or whether after flips."""
        v, self.property = view(get(question, "view", dict)), get(question, "property", str)
        self.sizes = [made("-", high, low) for low, high in v.mask or [(0, n) for n in v.shape]]
        self.strides, self.void, axes = v.strides, v.void, range(len(v.shape))
        self.names = [*names(*v.entries())]
        if self.property == "contiguous":
            self.orders = [integers(question, "order")]
        elif self.property == "dense":
            self.orders = [*permutations(axes)] if len(axes) <= MOST else []
        elif self.property != "injective":
            raise BadCertificate(f"the property {self.property[:20]!r}")
        if self.property != "injective" and any(sorted(o) != [*axes] for o in self.orders):
            raise BadCertificate("an order has each dim once, the fastest first")
        if self.property == "dense" and get(question, "flips", bool):
            self.strides = tuple([made("abs", t) for t in self.strides])
        moves = listed(question, "differences", list) if "differences" in question else []
        self.moves = [listed({"difference": m}, "difference", entry) for m in moves]
        strange = {*names(*[x for m in self.moves for x in m])} - {*self.names}
        if strange or any(len(m) != len(axes) for m in self.moves):
            raise BadCertificate("a difference of indices has a number for each dim")

    def answer(self, given: Any) -> bool | None:
        """Whether the view has the property."""
        return None if given.get("status") == "never" else True

    def says(self) -> Tree:
        """That the view is contiguous in one of the orders: each stride is the product of the sizes of faster dims."""
        if not self.orders:
            raise Unsupported(f"orders of more than {MOST} dims")
        ways = []
        for order in self.orders:
            place: Tree = 1
            parts: list[Tree] = [True]
            for a in order:
                parts.append(made("or", made("==", self.sizes[a], 1), made("==", self.strides[a], place)))
                place = made("*", place, self.sizes[a])
            ways.append(made("and", *parts))
        return made("or", self.void, *[made("<=", n, 0) for n in self.sizes], *ways)

    def meet(self, move: Any) -> Tree:
        """That indices so far apart have one address."""
        near = [("<", ("abs", d), n) for d, n in zip(move, self.sizes, strict=True)]
        some = ("or", False, *[made("!=", d, 0) for d in move])
        return ("and", *defined(*move), not self.void, *near, some, ("==", address(move, self.strides), 0))

    def enough(self, case: Case) -> Steps:
        """That the view has the property wherever the case says so."""
        if case.status == "undecided":
            return
        place = Place([*self.facts, case.where], case.equations)
        if self.property != "injective":
            yield Obligation(f"that the view is {self.property}", self.says(), place.known)
            return
        ranges = {f"#{a}": (made("-", 1, n), n) for a, n in enumerate(self.sizes)}
        same = [("==", d, 0) for d in ranges]
        claim = ("or", self.void, ("!=", address([*ranges], self.strides), 0), ("and", True, *same))
        yield Obligation("that different indices have different addresses", claim, place.known, ranges)

    def needed(self, case: Case) -> Steps:
        """That it has not wherever the case says never, or an equation fails."""
        claim = ("and", *case.equations) if case.status == "when" else False
        more: list[Known] = [({}, ("not", self.meet(m))) for m in self.moves]
        first: list[Known] = [] if self.property == "injective" else [({}, self.says())]
        yield from self.forced(f"that the view is not {self.property} elsewhere", claim, [*self.facts, case.where],
                               first, more)  # fmt: skip

    def why_not(self, at: Values, *asked: Any) -> Known | None:
        """The property itself, or two indices with one address."""
        if self.property != "injective":
            return None if put(self.says(), at) is True else ({}, self.says())
        sizes = [put(n, at) for n in self.sizes]
        if prod(2 * max(n, 1) for n in sizes) > 10 * WALK:
            raise Unsupported(f"differences of indices of a box of {prod(sizes)}")
        ranges = {f"#{a}": (1 - n, n) for a, n in enumerate(sizes)}
        apart = Obligation("", ("not", put(self.meet([*ranges]), at)), (), ranges)
        found = next(apart.failures(apart.box(at), []), None)
        return None if found is None else ({}, ("not", self.meet([found[n] for n in ranges])))
