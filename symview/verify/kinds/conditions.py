"""Rules for a chain of views that is one view: where it is, why it is not, and where it leads out of a view."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

from symview.trusted.document import BadCertificate, Object, View
from symview.trusted.formulas import Ranges, Tree, Trees, Values, degree, linear, made, names, put, truth, weight
from symview.trusted.work import Work
from symview.verify.kinds.cases import Subject
from symview.verify.kinds.chains import affine_at, walked, why_not
from symview.verify.kinds.maps import box, composed
from symview.verify.meaning import Case
from symview.verify.obligations import Ask, Known, Obligation, Steps


class Place(NamedTuple):
    """The assumptions under which an answer is claimed; free names occur only in addresses, and linearly."""

    known: Sequence[Tree] = ()
    free: Sequence[str] = ()

    def equal(
        self, what: str, one: Tree, other: Tree, also: Tree, valid: Tree, ranges: Ranges, lets: Trees, work: Work
    ) -> Steps:
        """Obligations: two addresses are the same where they are valid, and `also` holds, at all indices.

        Their difference, minus multiples of the equations, has coefficients 0. If that fails, it becomes an obligation.
        """
        known = self.known
        work.spend((1 + len(self.free)) * weight(one, other, *known))
        apart, found = linear(made("-", one, other), self.free), None
        if self.free:
            zeros = [f for f in known if type(f) is tuple and f[0] == "=="]
            short, leads = dict(lets), list[str]()
            for number, e in enumerate(f for f in zeros if degree(("+", *f[1:]), self.free) < 2):
                work.keep(20 * (len(self.free) + 1))
                form = linear(("-", *e[1:]), self.free)
                lead = next((n for n in self.free if n not in leads and type(form.get(n)) is int and form[n]
                             and n in apart), "")  # fmt: skip
                if lead:  # the equation eliminates this name
                    leads.append(lead)
                    rest = {n: made("-", made("*", form[lead], apart.get(n, 0)), made("*", apart[lead], form.get(n, 0)))
                            for n in dict.fromkeys((*apart, *form))}  # fmt: skip
                    short |= {f"#d{number}.{n}": x for n, x in rest.items()}
                    apart = {n: f"#d{number}.{n}" for n, x in rest.items() if x != 0}
            zero = ("->", valid, ("and", True, *[("==", x, 0) for x in apart.values()]))
            given = [f for f in known if not degree(f, self.free)]
            goal = Obligation(what, ("and", also, zero), given, ranges, short, refutes=False)
            found = yield Ask(goal)
            if found is None:
                yield goal
                return
        goal = Obligation(what, ("and", also, ("->", valid, ("==", one, other))), known, ranges, lets)
        if found is not None:
            here = [("==", n, x) for n, x in found.items() if n[:1] != "#" or n in ranges]
            near = goal._replace(given=[*known, *[f for f in here if f[1] not in self.free]])
            if (yield Ask(near)) is not None:
                goal = near
        yield goal


def free_of(views: Sequence[View], *fixed: Tree) -> list[str]:
    """The free names: those that occur only in strides and offset of the first view, and linearly."""
    first, entries = views[0], [*views[0].strides, views[0].offset]
    bounds = [x for b in first.mask or () for x in b]
    others = names(*first.shape, *bounds, *fixed, *[x for v in views[1:] for x in v.entries()])
    free = [n for n in names(*entries) if n not in others]
    for x in entries:
        free = free if degree(x, free) < 2 else [n for n in free if n not in names(x)]
    return free


class Merges(Subject):
    """A chain of views is one view; `fitting`: the sizes agree, if required, and no size next to −1 is 0."""

    def read(self, evidence: Object) -> None:
        """Computes the views."""
        chain = self.node[1]
        self.views, self.fitting = [v.put({}) for v in chain.views], put(chain.fits, {})

    def answer(self, case: Case) -> View | None:
        """The merged view."""
        return None if case.found is None else case.found.put({})

    def _place(self, known: Sequence[Tree], case: Case) -> Place:
        free = free_of(self.views, *[c.where for c in self.cases])
        found = case.found.entries()
        if any(degree(x, free) > 1 for x in (*found, *[y for e in case.equations for y in e[1:]])):
            raise BadCertificate("what is in a case is not linear in the strides")
        return Place(known, free)

    def enough(self, known: Sequence[Tree], case: Case) -> Steps:
        """Obligations: wherever this is known, the composition and the view agree at every index."""
        what = f"that the equations of {case.status} are sufficient"
        place = self._place(known, case)
        yield from agree(self.views, [case.found], self.work, place, self.fitting, what)

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
    views: Sequence[View], others: Sequence[View], work: Work, place: Place, fits: Tree = True,
    what: str = "that all addresses are the same",
) -> Steps:  # fmt: skip
    """Obligations: wherever the place is, two chains lead to the same places at every index, and the sizes fit."""
    shape, own = views[-1].shape, others[-1].shape
    if len(own) != len(shape):
        yield Obligation("that the view has the same rank", False)
        return
    ranges = box(shape)
    there, mine = composed(views, [*ranges], work, "a"), composed(others, [*ranges], work)
    sizes = [("==", a, b) for a, b in zip(own, shape, strict=True) if a != b]
    yield Obligation("that the sizes agree", ("and", fits, *sizes), place.known)
    same = made("and", made("not", there.outside), made("not", mine.outside), ("<->", there.valid, mine.valid))
    yield from place.equal(
        what, mine.address, there.address, same, there.valid, ranges, {**there.lets, **mine.lets}, work
    )
