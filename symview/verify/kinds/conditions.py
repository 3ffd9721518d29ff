"""The obligations of conditions under which views with names merge: each case has a view."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

from symview.trusted.document import BadCertificate, Object, View, chain, get, integers, maybe, view
from symview.trusted.formulas import Tree, Values, degree, made, names, put, truth
from symview.verify.kinds.cases import STATUSES, Case, Place, Subject
from symview.verify.kinds.chains import affine_at, first_box, walked, why_not
from symview.verify.kinds.maps import box, composed, size, within
from symview.verify.obligations import Known, Obligation, Steps


class Merges(Subject):
    """A chain of views is one view; `fitting`: the sizes agree, if required, and no size next to −1 is 0."""

    statuses = (*STATUSES, "out_of_bounds")

    def read(self, question: Object) -> None:
        """Reads the views."""
        self.views = chain(question, "views", 2)
        self.fitting = self._fitting(question) if maybe(question, "reshape", bool) else True
        self.trees = [x for v in self.views for x in v.entries()]

    def _fitting(self, question: Object) -> Tree:
        first, last = self.views[0].shape, self.views[-1].shape
        agree = ("==", size(first), size(last))
        if "worked_out" not in question:
            return agree
        if not 0 <= (dim := get(question, "worked_out", int)) < len(last):
            raise BadCertificate(f"dim {dim} of {len(last)} is worked out")
        return ("and", agree, made("!=", size([*last[:dim], *last[dim + 1 :]]), 0))

    def answer(self, given: Object) -> View | None:
        """The merged view."""
        return None if given.get("view") is None else view(given["view"])

    def entries(self, found: Any) -> Sequence[Tree]:
        """The entries of a view."""
        return () if found is None else found.entries()

    def _place(self, case: Case) -> Place:
        """The free names: those that occur only in strides and offset of the first view, and linearly."""
        first, entries = self.views[0], [*self.views[0].strides, self.views[0].offset]
        fixed = names(*first.shape, *(x for b in first.mask or () for x in b), *(c.where for c in self.cases))
        fixed |= names(*[x for v in self.views[1:] for x in v.entries()])
        free = [n for n in names(*entries) if n not in fixed]
        for x in entries:
            free = free if degree(x, free) < 2 else [n for n in free if n not in names(x)]
        if any(degree(x, free) > 1 for x in (*self.entries(case.found), *[y for e in case.equations for y in e[1:]])):
            raise BadCertificate("what is in a case is not linear in the strides")
        return Place([*self.facts, case.where], case.equations, free)

    def enough(self, case: Case) -> Steps:
        """Obligations: wherever the equations hold, the composition and the view agree at every index."""
        last, v, what = self.views[-1], case.found, f"that the equations of {case.status} are sufficient"
        yield Obligation("that the view has the same rank", len(v.shape) == len(last.shape))
        ranges, place = box(last.shape), self._place(case)
        there, mine = composed(self.views, [*ranges], self.work, "a"), composed([v], [*ranges], self.work)
        fits = [("==", a, b) for a, b in zip(v.shape, last.shape, strict=True) if a != b]
        yield Obligation("that the sizes agree", ("and", self.fitting, *fits), place.known)
        same = ("and", ("not", there.outside), ("<->", there.valid, mine.valid))
        yield from place.equal(what, mine.address, there.address, same, there.valid, ranges, there.lets, self.work)

    def needed(self, case: Case) -> Steps:
        """Obligations: if an equation fails, or the status is never, an index shows that the views do not merge."""
        ranges, outside = box(self.views[-1].shape), case.status == "out_of_bounds"
        given, lemmas = [*self.facts, case.where, self.fitting], list[Known]()
        what = "that a case is out of bounds" if outside else f"that the equations of {case.status} are necessary"
        for n, side in product(range(1, len(self.views)), "<>") if outside else ():
            v = self.views[n]
            bounds = v.mask or [(0, size) for size in v.shape]
            corner = [("if", (side, t, 0), a, ("-", b, 1)) for (a, b), t in zip(bounds, v.strides, strict=True)]
            point = composed(self.views[n - 1 : n + 1], corner, self.work, f"{side}{n}")
            lemmas.append((point.lets, ("not", ("and", point.outside, *[("<", a, b) for a, b in bounds]))))
        if case.status == "never":
            there = composed(self.views, [*ranges], self.work)
            yield Obligation("that nothing is out of bounds", ("not", there.outside), given, ranges, there.lets)
        indices = [i for i in case.indices if len(i) == len(ranges) and not outside]
        more = [affine_at(self.views, (0,) * len(ranges), i, self.work) for i in indices]
        yield from self.forced(what, case.needs, given, lemmas, more, outside)

    def why_not(self, at: Values, outside: bool = False) -> Known | None:
        """Excludes values by an index that breaks the merge or, if `outside`, by one that is out of bounds."""
        if not truth(self.fitting, at):
            return {}, self.fitting
        return None if outside and walked(self.views, at, self.work)[1] is None else why_not(self.views, at, self.work)

    def breaks(self, at: Values, answer: Object) -> Steps:
        """Obligations: the merge breaks at the index of the answer."""
        if maybe(answer, "index", list) is None:
            return
        index, here = integers(answer, "index"), [("==", n, x) for n, x in at.items()]
        inside = len(index) == len(self.views[-1].shape) and within(index, [*box(self.views[-1].shape).values()])
        yield Obligation(f"that {index} is an index", put(("and", self.fitting, inside), at))
        found, out = walked(self.views, at, self.work)
        if out is not None:
            there = composed(self.views, index, self.work)
            yield Obligation(f"that {index} is out of bounds", there.outside, here, {}, there.lets)
            return
        low, ends = first_box(found) if found else ((), ())
        inside = bool(found) and within(index, [*zip(low, ends, strict=True)])
        if not inside or index not in found:
            yield Obligation(f"that the merge breaks at {index}", inside != (index in found))
            return
        lets, at_one = affine_at(self.views, low, index, self.work)
        yield Obligation(f"that the merge breaks at {index}", ("not", at_one), here, {}, lets)
