"""The cases of an operation on symbolic layouts: where each holds, and its layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from symview.answers import AffineView, CaseData, Status
from symview.cases.case import Case
from symview.cases.finishing import fewer, guarding, met, parts_of
from symview.cases.shortening import Impossible
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.modes import coalesced
from symview.cute.named.substitution import fixed_by, put
from symview.errors import SymbolError, Undecided
from symview.logic.polynomial import Poly
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import FALSE, Term, conj, disj, negated, nonzero_divisors, num
from symview.show.formulas import Line, equation_text, where_text
from symview.show.latex import nested_latex

_STEPS = 3_000  # budget steps for each part, not counting the solvers' work


@dataclass(frozen=True, slots=True)
class LayoutCaseData(CaseData):
    """If `where` and `equations` hold, the operation returns `layout`; `view` lists it in row-major order.

    With status `never` there is no layout, and `reason` says why; `undecided` means that neither was proved. `forms`
    are the polynomials that must be 0; `equations` omits those that comparisons and facts imply.
    """

    layout: Layout | None = None
    forms: tuple[Poly, ...] = field(default=(), compare=False, repr=False)

    @property
    def asked(self) -> tuple[Term, ...]:
        """The parts of `where`, in the order of the comparisons; each is well-defined if the ones before it hold."""
        return parts_of(self.where)

    def place(self) -> Term:
        """The formula for the values that belong to the case."""
        return conj([*self.asked, *self.required])

    def condition(self) -> Term:
        """The formula that the case holds and has a layout; raises Undecided if the case is undecided."""
        if self.status is Status.UNDECIDED:
            raise Undecided(self.reason)
        return FALSE if self.layout is None else self.place()

    def headline(self) -> str:
        """The condition of the case as text."""
        several = len(self.asked) + len(self.required) > 1
        parts = [f"({where_text(p)})" if p.op == "or" and several else where_text(p) for p in self.asked]
        parts += [equation_text(e) for e in self.required]
        return " and ".join(parts) or "always"

    def __str__(self) -> str:
        if self.layout is not None:
            return f"{self.headline()}: {self.layout}"
        shown = f"{self.status}" + (f" ({self.reason})" if self.reason else "")
        return f"{self.headline()}: {shown}" if self.asked or self.required else shown

    def latex(self) -> str:
        """The layout in LaTeX, or a note that there is none."""
        if self.layout is None:
            return rf"\text{{{'no layout' if self.status is Status.NEVER else str(self.status)}}}"
        return f"{nested_latex(self.layout.shape)}:{nested_latex(self.layout.stride)}"


class LayoutCase(Case):
    """One case of the answer: its condition, and its layout or the fact that there is none."""

    data: LayoutCaseData

    @property
    def layout(self) -> Layout | None:
        """The layout, or None."""
        return self.data.layout

    @property
    def answer(self) -> Layout | None:
        """The layout, or None."""
        return self.data.layout

    @property
    def asked(self) -> tuple[Term, ...]:
        """The parts of `where`, in the order of the comparisons."""
        return self.data.asked

    def place(self) -> Term:
        """The formula for the values that belong to the case."""
        return self.data.place()

    def headline(self) -> str:
        """The condition of the case as text."""
        return self.data.headline()

    def __str__(self) -> str:
        return str(self.data)

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {**Case.to_dict(self), "layout": None if self.layout is None else str(self.layout)}


def layout_case(
    layout: Layout | None,
    asked: Sequence[Term] = (),
    equations: Sequence[Term] = (),
    status: Status | None = None,
    reason: str = "",
    forms: Sequence[Poly] = (),
) -> LayoutCaseData:
    """Makes a case, with a layout or without."""
    known = Status.NEVER if layout is None else Status.WHEN if equations else Status.ALWAYS
    return LayoutCaseData(
        conj(asked), status or known, tuple(equations), None if layout is None else AffineView.of(layout.to_view()),
        reason=reason, layout=layout, forms=tuple(forms),
    )  # fmt: skip


Agree = Callable[[LayoutCaseData, LayoutCaseData, Sequence[Term], Impossible], bool]


def joined_cases(cases: Iterable[LayoutCaseData], impossible: Impossible, agree: Agree) -> list[LayoutCaseData]:
    """Merges cases with the same answer if their conditions merge into one conjunction."""

    def meet(first: LayoutCaseData, second: LayoutCaseData) -> LayoutCaseData | None:
        if (where := met(first.asked, second.asked, guarding(first, impossible))) is None:
            return None
        pairs = ((first, second), (second, first))
        agreed = (a for a, b in pairs if agree(a, b, [p for p in b.asked if p not in a.asked], impossible))
        return next((replace(a, where=conj(where)) for a in agreed), None)

    return fewer(cases, meet)


def agreeing(
    a: LayoutCaseData, b: LayoutCaseData, there: Sequence[Term], impossible: Impossible, as_written: bool = False
) -> bool:
    """Whether the first case's answer is right for the second one too, where these comparisons of the second hold."""
    if (a.required, a.forms, a.status, a.reason) != (b.required, b.forms, b.status, b.reason):
        return False
    if a.layout is None or b.layout is None or a.layout == b.layout:
        return a.layout == b.layout
    known = fixed_by(there)
    try:
        one, other = put(a.layout, known), put(b.layout, known)
    except (LayoutError, SymbolError):  # there, one of them has a size 0 or divides by 0
        return False
    if not _divisors(one) <= _divisors(other):  # a new divisor may be 0 there
        return False
    if as_written or one == other:
        return bool(one == other)
    return _same(one, other) and _has_sizes(one, other, lambda *claims: impossible(*b.asked, *b.required, *claims))


def _divisors(layout: Layout) -> set[Term]:
    """The facts that the divisors of the layout's entries are not 0."""
    return set(nonzero_divisors(to_term(x) for x in (*leaves(layout.shape), *leaves(layout.stride))))


def _has_sizes(layout: Layout, known: Layout, impossible: Impossible) -> bool:
    """Whether all sizes are positive, as those of `known` are; a product may be positive with both factors negative."""
    new = [n for n in dict.fromkeys(leaves(layout.shape)) if type(n) is not int and n not in leaves(known.shape)]
    return all(impossible(Term("<", (to_term(n), num(1)))) for n in new)


def _same(a: Layout, b: Layout) -> bool:
    """Whether two layouts are the same function for all values; mode by mode if they have equally many."""
    if a == b:
        return True
    if isinstance(a.shape, tuple) and isinstance(b.shape, tuple) and len(a) == len(b):
        return all(map(_same, a.modes(), b.modes()))
    return coalesced(a.flat()) == coalesced(b.flat())


def gathered(cases: Iterable[LayoutCaseData], impossible: Impossible, agree: Agree) -> list[LayoutCaseData]:
    """Merges all cases with the same answer; undecided cases and then those without a layout come last.

    A case whose divisor may be 0 merges only with cases that divide by the same: where a divisor is 0, no part of the
    condition has a value.
    """

    def covers(a: LayoutCaseData, b: LayoutCaseData) -> bool:
        never = a.status is Status.NEVER, b.status is Status.NEVER
        return all(never) if any(never) else agree(a, b, b.asked, impossible)

    divisions: dict[frozenset[Term], list[list[LayoutCaseData]]] = {}  # a group's first case has its answer
    for case in cases:
        divisors = [d for d in nonzero_divisors([case.where]) if not impossible(negated(d))]
        groups = divisions.setdefault(frozenset(f for d in divisors for f in _factors(d.args[0])), [])
        if (same := next((g for g in groups if covers(g[0], case)), None)) is not None:
            same.append(case)
        else:
            covered = [g for g in groups if all(covers(case, c) for c in g)]
            groups[:] = [g for g in groups if g not in covered] + [[case, *(c for g in covered for c in g)]]
    together = [same for groups in divisions.values() for same in groups]
    found = [replace(same[0], where=disj(c.where for c in same), reason=_reasons(same)) for same in together]
    return sorted(found, key=lambda case: (case.status is Status.NEVER, case.status is Status.UNDECIDED))


def _factors(product: Term) -> Iterable[Term]:
    """Factors of which one is 0 if the product is."""
    if product.op == "*":
        return (f for x in product.args for f in _factors(x))
    return () if product.op == "int" else (product,)


def _reasons(cases: Sequence[LayoutCaseData]) -> str:
    """The first two reasons of these cases."""
    reasons = list(dict.fromkeys(r for case in cases for r in case.reason.split("; ") if r != "…"))
    return "; ".join([*reasons[:2], *["…"] * (len(reasons) > 2)])


def lines_of(cases: Sequence[LayoutCaseData]) -> list[Line]:
    """One line per case; a long list of undecided cases, or of cases without a layout, becomes an "otherwise" line."""
    short, rest = list[Line](), list[str]()
    for status in (None, Status.UNDECIDED, Status.NEVER):
        same = [c for c in cases if (c.status if c.status in (Status.UNDECIDED, Status.NEVER) else None) is status]
        if status is None or not (len(same) > 1 or any(c.where.op == "or" for c in same)):
            short += [Line((*c.asked, *c.required), partial(str, c)) for c in same]
        else:
            rest.append(f"{status} ({_reasons(same)})")
    left = [f"otherwise: {' or '.join(rest)}"] if short and rest else rest
    return [*short, *(Line((), partial(str, text)) for text in left)]
