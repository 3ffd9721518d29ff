"""Rules for a chain of views that is one view: where it is, why it is not, and where it leads out of a view."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from symview.trusted.document import Object, View
from symview.trusted.formulas import Tree, Values, made, put, truth
from symview.trusted.work import Work
from symview.verify.kinds.cases import Subject
from symview.verify.kinds.chains import affine_at, walked, why_not
from symview.verify.kinds.maps import box, composed
from symview.verify.meaning import Case
from symview.verify.obligations import Known, Obligation, Steps


class Merges(Subject):
    """A chain of views is one view; `fitting`: the sizes agree, if required, and no size next to −1 is 0."""

    def read(self, evidence: Object) -> None:
        """Computes the views."""
        chain = self.node[1]
        self.views, self.fitting = [v.put({}) for v in chain.views], put(chain.fits, {})

    def answer(self, case: Case) -> View | None:
        """The merged view."""
        return None if case.found is None else case.found.put({})

    def enough(self, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: wherever this is known, the composition and the view agree at every index."""
        what = f"that the equations of {case.status} are sufficient"
        yield from agree(self.views, [case.found], self.work, known, self.fitting, what)

    def needed(self, claim: Tree, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: wherever the claim fails, an index shows that the views do not merge."""
        size = len(self.views[-1].shape)
        more = [affine_at(self.views, (0,) * size, i, self.work) for i in case.hints if len(i) == size]
        what = f"that the equations of {case.status} are necessary"
        yield from self.forced(what, claim, [*known, self.fitting], (), more)

    def leaves(self, so: bool, known: Sequence[Tree]) -> Steps:
        """Obligations: a corner is out of bounds, or an index of the box at the values that are left; or none is.

        A view leads out of the one before at an index of its own, whether or not the views after it reach that index.
        """
        if not so:
            for last in self.work.over(range(2, len(self.views) + 1)):
                ranges = box(self.views[last - 1].shape)
                there = composed(self.views[:last], [*ranges], self.work)
                yield Obligation("that nothing is out of bounds", ("not", there.outside), known, ranges, there.lets)
            return
        lemmas = list[Known]()
        for n, side in product(range(1, len(self.views)), "<>"):
            v = self.views[n]
            bounds = v.mask or [(0, size) for size in v.shape]
            corner = [("if", (side, t, 0), a, ("-", b, 1)) for (a, b), t in zip(bounds, v.strides, strict=True)]
            point = composed(self.views[n - 1 : n + 1], corner, self.work, f"{side}{n}")
            lemmas.append((point.lets, ("not", ("and", point.outside, *[("<", a, b) for a, b in bounds]))))
        yield from self.forced("that a case is out of bounds", False, known, lemmas, outside=True)

    def nowhere(self, known: Sequence[Tree]) -> Steps:
        """Obligations: where a view leads out of the one before, there is no answer; evident of two views."""
        for case in self.cases if len(self.views) > 2 else ():
            if case.status == "out_of_bounds":
                yield from self.needed(False, [*known, case.where], case)

    def why_not(self, at: Values, outside: bool = False) -> Known | None:
        """Excludes values by an index that breaks the merge or, if `outside`, by one that is out of bounds."""
        if not truth(self.fitting, at):
            return {}, self.fitting
        return None if outside and walked(self.views, at, self.work)[1] is None else why_not(self.views, at, self.work)


def agree(
    views: Sequence[View], others: Sequence[View], work: Work, known: Sequence[Tree], fits: Tree = True,
    what: str = "that all addresses are the same",
) -> Steps:  # fmt: skip
    """Obligations: wherever this is known, two chains lead to the same places at every index, and the sizes fit."""
    shape, own = views[-1].shape, others[-1].shape
    if len(own) != len(shape):
        yield Obligation("that the view has the same rank", False)
        return
    ranges = box(shape)
    there, mine = composed(views, [*ranges], work, "a"), composed(others, [*ranges], work)
    sizes = [("==", a, b) for a, b in zip(own, shape, strict=True) if a != b]
    yield Obligation("that the sizes agree", ("and", fits, *sizes), known)
    inside = made("and", made("not", there.outside), made("not", mine.outside), ("<->", there.valid, mine.valid))
    same = ("and", inside, ("->", there.valid, ("==", mine.address, there.address)))
    yield Obligation(what, same, known, ranges, {**there.lets, **mine.lets})
