"""Rules for conditions on operations: layouts whose sizes and strides have names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from math import prod

from symview.trusted.document import Object, layout, listed, some
from symview.trusted.formulas import Tree, Unsupported, Values, made, names, put, truth, unfolded
from symview.trusted.work import Work
from symview.verify.kinds.cases import Subject
from symview.verify.kinds.layouts import Form, answered, complements, folded, operation_of, pairs_of, taken
from symview.verify.kinds.maps import Layout, Lets, count, leaves, value
from symview.verify.meaning import Case
from symview.verify.nodes import entries
from symview.verify.obligations import WALK, Known, Obligation, Steps

SPLITS = 200  # ways to split the modes of an inner layout


class Layouts(Subject):
    """An operation on layouts has a layout. Cases of compositions may overlap, and omit values without an answer."""

    def read(self, evidence: Object) -> None:
        """Computes the operation and its operands."""
        self.operation, self.given, self.bound = operation_of(self.node[1])

    def answer(self, case: Case) -> Layout | None:
        """The layout of a case."""
        return None if case.found is None else folded(case.found)

    def hints(self, evidence: Object) -> list[list[Layout]]:
        """The parts of the layouts."""
        if self.kind == "layout":  # of numbers, without cases
            found = [some(evidence, "parts", layout)]
        else:
            found = some(evidence, "parts", lambda parts: listed({"parts": parts}, "parts", layout))
        self.own(x for parts in found for one in parts for x in entries(one))
        return [[folded(one) for one in parts] for parts in found]

    def enough(self, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: the layout is the result of the operation."""
        yield from answered(self.operation, self.given, self.bound, case.found, case.hints, known, self.work)

    def needed(self, claim: Tree, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: there is no layout where the claim fails."""
        all_ = self.operation == "composition"
        what = "that there are no other layouts" if all_ else f"that equations of {case.status} are necessary"
        yield from self.forced(what, claim, known)

    def why_not(self, at: Values, outside: bool = False) -> Known | None:
        """Excludes values by the first complement or composition in the operation that does not exist there."""
        a, *by = self.given
        kind = self.operation.rpartition("_")[2]
        if kind == "coalesce" or self.operation == "right_inverse":
            return None
        if kind == "complement":
            return unfilled(complements(a, self.bound), at, self.work)
        if kind == "inverse":
            upward = made("and", *[made("or", made("==", n, 1), made(">=", d, 0)) for n, d in leaves(a)])
            if truth(upward, at):
                raise Unsupported(f"where there is no {self.operation}")
            return {}, upward  # layouts have no values at negative arguments
        if self.operation == "tile_to_shape":
            kind = "product"
        alone = kind == "composition"
        pairs = pairs_of(a, by[0])
        missing = (
            lemma
            for x, y in pairs
            for lemma in ([broken(x, y, at, self.work)] if alone else _uncombined(kind, x, y, at, self.work))
        )
        return next((lemma for lemma in missing if lemma is not None), None)


def _uncombined(kind: str, x: Layout, y: Layout, at: Values, work: Work) -> Iterator[Known | None]:
    """Excludes values without a division or product: they need a complement, and a composition with it."""
    forms = taken(kind, x, y)
    yield unfilled(forms, at, work)
    for form in forms:
        whole = unfolded(form.lets)
        copies: Layout = [_put(m, whole) for m in form.modes]
        order = made("and", True, *[put(f, whole) for f in form.order])
        if truth(order, at):
            lemma = broken(x, [y, copies], at, work) if kind == "divide" else broken(copies, y, at, work)
            yield None if lemma is None else (lemma[0], ("->", order, lemma[1]))


def unfilled(forms: Sequence[Form], at: Values, work: Work) -> Known | None:
    """Formula: there is a complement; for values at which there is none."""
    exists = ("or", *[("and", True, *f.order, *f.there) for f in forms])
    known = {n: t for f in forms for n, t in f.lets.items()}
    there = not Obligation("", exists, (), {}, known).all_failures([{**at}], work)
    return None if there else (known, exists)


def broken(outer: Layout, inner: Layout, at: Values, work: Work) -> Known | None:
    """A formula that holds wherever two layouts compose, but not at these values; None if they compose here.

    They compose if the values are linear in the digits of the index, for some split of the inner sizes into primes:
    for each split, the formula excludes an index at which they are not.
    """
    if names(*[n for n, _ in leaves(inner)]) or count(inner) > WALK:
        raise Unsupported("an inner layout of large or symbolic sizes")
    many = len(leaves(outer)) + len(leaves(inner))
    work.keep(20 * many * (count(inner) + SPLITS))
    ways, known = list[Tree](), Lets("s")
    numbers = [_put(one, at) for one in (outer, inner)]
    table = [_value(numbers[0], numbers[1], i, Lets("v")) for i in work.over(range(count(inner)))]
    for split in islice(_splits(inner, work), SPLITS + 1):
        if len(ways) == SPLITS:
            raise Unsupported(f"more than {SPLITS} ways to split the inner sizes")
        work.spend(5 * len(table) * (len(split) + 1))
        places = [(n, prod(split[:k])) for k, n in enumerate(split)]
        wrong = next((i for i in range(len(table)) if _linear(i, places, table.__getitem__) is not True), None)
        if wrong is None:
            return None
        ways.append(_linear(wrong, places, lambda i: _value(outer, inner, i, known)))
    return known, ("or", False, *ways)


def _linear(i: int, places: Sequence[tuple[int, int]], at: Callable[[int], tuple[Tree, Tree]]) -> Tree:
    """Formula: the value at an index is the sum of its digits times the values at their places, and all exist."""
    digits = [(i // p % n, p) for n, p in places if i // p % n]
    parts = [at(p) for _, p in digits]
    line = made("+", 0, *[made("*", x, v) for (x, _), (v, _) in zip(digits, parts, strict=True)])
    return made("and", at(i)[1], *[there for _, there in parts], made("==", at(i)[0], line))


def _value(outer: Layout, inner: Layout, i: int, lets: Lets) -> tuple[Tree, Tree]:
    """The value of a composition at an index, and the formula that it has one."""
    x = value(inner, i, lets)
    return value(outer, x, lets), made(">=", x, 0)


def _put(one: Layout, at: Mapping[str, Tree]) -> Layout:
    """Substitutes expressions for names in the layout."""
    return [_put(m, at) for m in one] if type(one) is list else tuple([put(x, at) for x in one])


def _splits(inner: Layout, work: Work) -> Iterator[list[int]]:
    """Yields the sizes of the inner modes as products of primes, in every order."""
    orders = [[*islice(_orders(n, work), SPLITS + 1)] for n, _ in leaves(inner)]
    return ([n for part in way for n in part] for way in work.over(product(*orders)))


def _orders(n: int, work: Work) -> Iterator[list[int]]:
    """Yields a number as products of primes, in every order."""
    if n == 1:
        yield []
    for p in work.over(range(2, n + 1)):
        if n % p == 0 and all(p % q for q in work.over(range(2, p))):
            yield from ([p, *rest] for rest in _orders(n // p, work))
