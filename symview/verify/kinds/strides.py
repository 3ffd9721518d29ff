"""Rules for properties of a view: dense, contiguous in an order, injective (no address twice)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations, permutations, product
from math import prod
from typing import Any

from symview.trusted.document import BadCertificate, Object, checked, some
from symview.trusted.formulas import Tree, Unsupported, Values, compiled, made, put, truth
from symview.trusted.work import Work
from symview.verify.kinds.cases import Subject
from symview.verify.kinds.maps import address, size
from symview.verify.meaning import Case
from symview.verify.obligations import WALK, Ask, Known, Obligation, Steps

MOST, EACH, DIVISOR = 6, 100, 1000  # dims to order; differences to enumerate; divisors of a stride
Dim = tuple[Tree, Tree]  # size and stride


class Strides(Subject):
    """A property of one view; a mask shrinks it, and a view without valid indices has every property."""

    def read(self, evidence: Object) -> None:
        """Computes sizes and strides, and what the property says of them."""
        asked = self.node[1]
        v, self.property, order, flips = asked.view.put({}), asked.name, asked.order, asked.flips
        self.sizes = [made("-", high, low) for low, high in v.mask or [(0, n) for n in v.shape]]
        self.strides, axes = v.strides, range(len(v.shape))
        self.void = ("or", v.void, *[("<=", n, 0) for n in self.sizes])
        self.claims = list[tuple[str, Tree]]()
        self.work.keep(50 * len(axes) ** 2)  # the pairs of dims
        if self.property == "injective":
            numbered = dict(enumerate(zip(self.sizes, self.strides, strict=True)))
            self.exact, *self.says = self._apart(numbered, some(evidence, "steps", lambda step: step))
            return
        if flips:
            self.strides = tuple([made("abs", t) for t in self.strides])
        if len(axes) > MOST:
            raise Unsupported(f"orders of more than {MOST} dims")
        orders = [order] if order is not None else self.work.over(permutations(axes), 5 * len(axes) ** 2)
        self.exact, self.says = True, [("or", *map(self._contiguous, orders))] * 2

    def _contiguous(self, order: tuple[int, ...]) -> Tree:
        """Formula: each stride is the product of the sizes of faster dims."""
        before = [size([self.sizes[b] for b in order[:n]]) for n in range(len(order))]
        pairs = zip(order, before, strict=True)
        return made("and", True, *[made("or", ("==", self.sizes[a], 1), ("==", self.strides[a], p)) for a, p in pairs])

    def _apart(self, dims: dict[int, Dim], steps: list[Any]) -> tuple[bool, Tree, Tree]:
        """A sufficient and a necessary formula that only index difference 0 has address 0, and whether both agree.
        Steps reduce the number of dims, or enumerate the differences of some.
        """  # fmt: skip
        small = list[Dim]()
        for op, *on in (checked(s, list, "a step") or [None] for s in steps):
            if not all(type(a) is int and a in dims for a in on) or len({*on}) != len(on) or not on:
                raise BadCertificate("a step is about dims that are left")
            if op == "join" and len(on) == 2:
                (n, t), (m, u) = dims[on[0]], dims.pop(on[1])
                self.claims.append(("that two dims merge", ("==", u, made("*", n, t))))
                dims[on[0]] = (made("*", n, m), t)
            elif op == "far" and len(on) == 1:
                one, others = dims.pop(on[0]), [*dims.values(), *small]
                self.claims.append(("that a dim's stride exceeds the reach of the others", far(one, others)))
            elif op == "each":
                small += [dims.pop(a) for a in on]
            else:
                raise BadCertificate(f"{str(op)[:20]}: no step")
        rest = [*dims.values()]
        if any(type(n) is not int for n, _ in small) or prod(2 * n for n, _ in small) > EACH:
            raise BadCertificate("differences of too many indices")
        if len(rest) > (1 if small else 2):
            rest += small
            room = ("<=", size([n for n, _ in rest]), made("+", 1, *map(reach, rest)))
            return False, False, ("and", room, *few_apart(rest, self.work))
        differences = self.work.over(product(*[range(1 - n, n) for n, _ in small]))
        several = [d for d in differences if next((x for x in d if x), 0) > 0]
        sums = [missed(address(d, [t for _, t in small]), rest) for d in several]
        return True, (found := ("and", True, *sums, *few_apart(rest, self.work))), found

    def prepared(self, given: Sequence[Tree]) -> Steps:
        """Obligations: the steps are right."""
        for what, claim in self.claims:
            yield Obligation(what, ("or", self.void, claim), given, refutes=False)

    def enough(self, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: the view has the property wherever this is known."""
        what, inexact = f"that the view is {self.property}", self.property == "injective"
        goal = Obligation(what, ("or", self.void, self.says[0]), known, refutes=not inexact)
        if not inexact:
            yield goal
            return
        found = yield Ask(goal)
        if found is None:
            yield goal
            return
        known = [*known, *[("==", n, x) for n, x in found.items()]] if self.exact else known
        ranges = {f"#{a}": (made("-", 1, n), n) for a, n in enumerate(self.sizes)}
        same = [("==", d, 0) for d in ranges]
        claim = ("or", self.void, ("!=", address([*ranges], self.strides), 0), ("and", True, *same))
        yield Obligation(what, claim, known, ranges)
        if self.exact:  # no two indices were found there, so a step is wrong
            yield Obligation(what, None)

    def needed(self, claim: Tree, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: it does not have it where the claim fails."""
        lemma: list[Known] = [({}, ("or", self.void, self.says[1]))]
        yield from self.forced(f"that the view is not {self.property} elsewhere", claim, known, lemma)

    def why_not(self, at: Values, outside: bool = False) -> Known | None:
        """Excludes values by the property itself, or by two indices with one address."""
        if self.property != "injective":
            says = ("or", self.void, self.says[0])
            return None if truth(says, at) else ({}, says)
        sizes = [compiled(n)(at) for n in self.sizes]
        if prod(2 * max(n, 1) for n in sizes) > 10 * WALK:
            raise Unsupported(f"differences of indices of a box of {prod(sizes)}")
        ranges = {f"#{a}": (1 - n, n) for a, n in enumerate(sizes)}
        apart = Obligation("", ("not", put(self.meet([*ranges]), at)), (), ranges)
        found = next(iter(apart.all_failures(apart.box(at), self.work)), None)
        return None if found is None else ({}, ("not", self.meet([found[n] for n in ranges])))

    def meet(self, move: Any) -> Tree:
        """Formula: indices that differ by `move` have one address."""
        near = [("<", ("abs", d), n) for d, n in zip(move, self.sizes, strict=True)]
        some = ("or", False, *[made("!=", d, 0) for d in move])
        return ("and", ("not", self.void), *near, some, ("==", address(move, self.strides), 0))


def reach(dim: Dim) -> Tree:
    """The largest difference of addresses along a dim."""
    return made("*", made("-", dim[0], 1), made("abs", dim[1]))


def far(dim: Dim, others: Iterable[Dim]) -> Tree:
    """Formula: a dim has size 1, or its steps exceed the reach of the others together."""
    return made("or", made("==", dim[0], 1), made("<", made("+", 0, *map(reach, others)), made("abs", dim[1])))


def few_apart(dims: Sequence[Dim], work: Work) -> list[Tree]:
    """Formulas: indices that differ along one dim, or along two, have different addresses."""
    alone = [made("or", made("==", n, 1), made("!=", t, 0)) for n, t in dims]
    return [*alone, *[pair(*p, work) for p in work.over(combinations(dims, 2))]]


def missed(target: Tree, dims: Sequence[Dim]) -> Tree:
    """Formula: the target is not a multiple of the dim's stride by less than its size; without a dim, it is not 0."""
    if not dims:
        return made("!=", target, 0)
    [(n, t)] = dims
    beyond = ("or", ("!=", ("%", target, t), 0), (">=", ("abs", target), made("*", n, made("abs", t))))
    return ("or", ("and", ("==", t, 0), ("!=", target, 0)), ("and", ("!=", t, 0), beyond))


def pair(one: Dim, other: Dim, work: Work) -> Tree:
    """Formula: indices of two dims with nonzero strides have different addresses.

    The differences (d, e) with d·p + e·q = 0 are the multiples of (q, -p)/gcd(p, q); of divisors of both the greatest
    asks for most.
    """
    (n, p), (m, q) = sorted((one, other), key=lambda dim: type(dim[1]) is int)
    few = type(q) is int and 0 < abs(q) <= DIVISOR
    common: list[Any] = [d for d in work.over(range(1, abs(q) + 1)) if q % d == 0] if few else [made("gcd", p, q)]
    ways = []
    for g in common:
        ends = [(">=", made("abs", t), made("*", k, g)) for k, t in ((n, q), (m, p))]
        ways.append(made("or", *ends, made("!=", made("%", p, g), 0) if few else False))
    return made("or", ("==", n, 1), ("==", m, 1), made("and", *ways))
