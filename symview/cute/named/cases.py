"""The cases of an operation on symbolic layouts: where each holds, and its layout."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from symview.answers import AffineView, CaseData, Status
from symview.cases.simplify.cases import divisor_test, merge_conjunctions, merge_pairwise
from symview.cases.simplify.clauses import Impossible, parts_of
from symview.cute.errors import LayoutError
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.modes import coalesced
from symview.cute.named.substitution import fixed_by, put
from symview.errors import SymbolError
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, conj, disj, negated, nonzero_divisors, num
from symview.show.formulas import Line, case_text, place_text
from symview.show.latex import nested_latex


def layout_case(
    layout: Layout | None,
    asked: Sequence[Term] = (),
    equations: Sequence[Term] = (),
    status: Status | None = None,
    reason: str = "",
) -> CaseData:
    """Makes a case: where these comparisons and equations hold, the operation returns the layout, or has none."""
    known = Status.NEVER if layout is None else Status.WHEN if equations else Status.ALWAYS
    return CaseData(conj(asked), status or known, tuple(equations), reason=reason, answer=layout)


def with_view(case: CaseData) -> CaseData:
    """The case with the view that lists its layout in row-major order."""
    return case if case.answer is None else replace(case, view=AffineView.of(case.answer.to_view()))


def text_of(case: CaseData) -> str:
    """The condition of the case, then its layout, or why there is none."""
    if case.answer is not None:
        return case_text(case)
    where, answer = place_text(case), f"{case.status}" + (f" ({case.reason})" if case.reason else "")
    return f"{where}: {answer}" if where else answer


def latex_of(case: CaseData) -> str:
    """The layout in LaTeX, or a note that there is none."""
    if case.answer is None:
        return rf"\text{{{'no layout' if case.status is Status.NEVER else str(case.status)}}}"
    return f"{nested_latex(case.answer.shape)}:{nested_latex(case.answer.stride)}"


Agree = Callable[[CaseData, CaseData, Sequence[Term], Impossible], bool]


def joined_cases(cases: Iterable[CaseData], impossible: Impossible, agree: Agree) -> list[CaseData]:
    """Merges cases with the same answer if their conditions merge into one conjunction."""

    def meet(first: CaseData, second: CaseData) -> CaseData | None:
        asked, others = parts_of(first.where), parts_of(second.where)
        if (where := merge_conjunctions(asked, others, divisor_test(first, impossible))) is None:
            return None
        pairs = ((first, second, asked, others), (second, first, others, asked))
        agreed = (a for a, b, here, there in pairs if agree(a, b, [p for p in there if p not in here], impossible))
        return next((replace(a, where=conj(where)) for a in agreed), None)

    return merge_pairwise(cases, meet)


def agreeing(a: CaseData, b: CaseData, there: Sequence[Term], impossible: Impossible, as_written: bool = False) -> bool:
    """Whether the first case's answer is right for the second one too, where these comparisons of the second hold."""
    if (a.required, a.status, a.reason) != (b.required, b.status, b.reason):
        return False
    if a.answer is None or b.answer is None or a.answer == b.answer:
        return bool(a.answer == b.answer)
    known = fixed_by(there)
    try:
        one, other = put(a.answer, known), put(b.answer, known)
    except (LayoutError, SymbolError):  # there, one of them has a size 0 or divides by 0
        return False
    if not _divisors(one) <= _divisors(other):  # a new divisor may be 0 there
        return False
    if as_written or one == other:
        return bool(one == other)
    return _same(one, other) and _has_sizes(one, other, lambda *claims: impossible(b.place(), *claims))


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


def gathered(cases: Iterable[CaseData], impossible: Impossible, agree: Agree) -> list[CaseData]:
    """Merges all cases with the same answer; undecided cases and then those without a layout come last.

    A case whose divisor may be 0 merges only with cases that divide by the same: where a divisor is 0, no part of the
    condition has a value.
    """

    def covers(a: CaseData, b: CaseData) -> bool:
        never = a.status is Status.NEVER, b.status is Status.NEVER
        return all(never) if any(never) else agree(a, b, parts_of(b.where), impossible)

    divisions: dict[frozenset[Term], list[list[CaseData]]] = {}  # a group's first case has its answer
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


def _reasons(cases: Sequence[CaseData]) -> str:
    """The first two reasons of these cases."""
    reasons = list(dict.fromkeys(r for case in cases for r in case.reason.split("; ") if r != "…"))
    return "; ".join([*reasons[:2], *["…"] * (len(reasons) > 2)])


def lines_of(cases: Sequence[CaseData]) -> list[Line]:
    """One line per case; a long list of undecided cases, or of cases without a layout, becomes an "otherwise" line."""
    short, rest = list[Line](), list[str]()
    for status in (None, Status.UNDECIDED, Status.NEVER):
        same = [c for c in cases if (c.status if c.status in (Status.UNDECIDED, Status.NEVER) else None) is status]
        if status is None or not (len(same) > 1 or any(c.where.op == "or" for c in same)):
            short += [Line((c.where, *c.required), partial(text_of, c)) for c in same]
        else:
            rest.append(f"{status} ({_reasons(same)})")
    left = [f"otherwise: {' or '.join(rest)}"] if short and rest else rest
    return [*short, *(Line((), partial(str, text)) for text in left)]
