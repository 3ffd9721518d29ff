"""Simplifies the clauses of boundaries for display: the same conjunction, in fewer literals."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from symview.cases.algebra import Literals
from symview.cases.simplify.clauses import Clause, few_literals, simplified_clauses
from symview.logic.entailment import Entailment
from symview.logic.polynomial import minus, times
from symview.logic.terms import Term, negated
from symview.views.addresses import UNIT, product_of
from symview.views.boundaries import Boundaries

_SHORT = 3  # clauses with so few literals are kept
Dims = tuple[int, int]
_NONE = (0, 0)  # no dims


def short_clauses(boundaries: Boundaries, clauses: Sequence[Clause], known: Entailment) -> list[Term]:
    """The clauses as formulas equivalent under the facts, with fewer literals and common parts factored out."""
    shown = _across_units(boundaries, clauses, known)
    larger = _with_larger_dims(boundaries)
    if larger is not None and _length(shown) > _SHORT:
        others = [c for c in shown if c.dims is None]
        fewer = [*others, *simplified_clauses(list(larger.contiguous()), known.also(*(c.term() for c in others)))]
        both = [[c.term() for c in side] for side in (shown, fewer)]
        if _length(fewer) < _length(shown) and all(
            known.impossible(*given, negated(one)) for given, literals in (both, both[::-1]) for one in literals
        ):
            shown = fewer
    return few_literals([c.term() for c in shown], known, boundaries.algebra)


def _length(clauses: Sequence[Clause]) -> int:
    return sum(len(c.literals) for c in clauses)


def _with_larger_dims(boundaries: Boundaries) -> Boundaries | None:
    """The query with neighbours that are always contiguous joined into one dim; None if there are none."""
    dims = [(n, t) for n, t in zip(boundaries.old, boundaries.steps, strict=True) if n != UNIT]
    found = dims[:1]
    for size, stride in dims[1:]:
        contiguous = found[-1][1] == times(size, stride)
        found[-1:] = [(times(found[-1][0], size), stride)] if contiguous else [found[-1], (size, stride)]
    if len(found) == len(dims):
        return None
    larger = copy(boundaries)
    larger.old, larger.steps = [n for n, _ in found], [t for _, t in found]
    return larger


def _across_units(boundaries: Boundaries, clauses: Sequence[Clause], known: Entailment) -> list[Clause]:
    """The clauses without the premises that sizes between their dims are 1, where the other clauses allow it.

    If b = 1, then t0 = c·t2 is the same as t0 = b·c·t2. If b is not 1, that follows from t0 = b·t1 and t1 = c·t2,
    wherever these are required. Then one of the two may follow from it and the other one.
    """
    of = {c.dims: c for c in clauses if c.dims is not None and c.literals}
    wide = {d: _grounds(boundaries, c, d) for d, c in of.items() if d[0] + 1 == d[1]}
    needless = False
    for dims in sorted(of.keys() - wide.keys(), key=lambda d: (d[1] - d[0], d)):
        one, was = _wide(boundaries, of[dims], dims), of[dims]
        if not 0 < len(one.literals) < len(was.literals):
            continue
        own, ends = _grounds(boundaries, one, dims), [((dims[0], m), (m, dims[1])) for m in range(dims[0] + 1, dims[1])]
        known_ends = all(d in wide for pair in ends for d in pair)
        if not known_ends or not all(wide[a] | wide[b] <= own | _ones(boundaries, a[1]) for a, b in ends):
            others = [c.term() for d, c in of.items() if d != dims and dims[0] <= d[0] < d[1] <= dims[1]]
            sides = was.term(), one.term()
            if not all(known.impossible(*others, a, negated(b)) for a, b in (sides, sides[::-1])):
                continue
        of[dims], wide[dims] = one, own
        needless = needless or any(own <= wide.get(d, frozenset()) for pair in ends for d in pair)
    found = [of.get(c.dims or _NONE, c) for c in clauses]
    return simplified_clauses(found, known) if needless else found


def _grounds(boundaries: Boundaries, clause: Clause, dims: Dims) -> frozenset[Term]:
    """The literals of the clause other than the equation of its dims."""
    return frozenset(clause.literals) - frozenset(_equation(boundaries, dims, dims[0]))


def _ones(boundaries: Boundaries, dim: int) -> frozenset[Term]:
    """The literals that the dim has size 1."""
    return frozenset(boundaries.algebra.zero(minus(boundaries.old[dim], UNIT)))


def _wide(boundaries: Boundaries, clause: Clause, dims: Dims) -> Clause:
    """The clause without the premises on the sizes between its dims."""
    high, low = dims
    nonzero = {boundaries.algebra.nonzero(minus(n, UNIT)) for n in boundaries.old[high + 1 : low]}
    nonzero.update(_equation(boundaries, dims, low - 1))
    kept = [e for e in clause.literals if e not in nonzero]
    return clause._replace(literals=(*kept, *_equation(boundaries, dims, high)))


def _equation(boundaries: Boundaries, dims: Dims, above: int) -> Literals:
    """The literals that the two dims are contiguous if those from the first up to `above` have size 1."""
    step = times(product_of(boundaries.old[above + 1 : dims[1] + 1]), boundaries.steps[dims[1]])
    return boundaries.algebra.zero(minus(boundaries.steps[dims[0]], step))
