"""The cases of a query by the sizes of the inner view."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

from symview.answers import CaseData
from symview.cases.case_builder import CaseBuilder
from symview.engine.breaks import Growing, find_breaks
from symview.engine.index_map import Affine, IndexMap
from symview.engine.overflow_space import Engine, Rows, find_rows, widen
from symview.engine.presburger import SizeSet
from symview.engine.regions import Piece, Sizes, find_regions
from symview.engine.row_space import RowSpace
from symview.engine.valid_box import Region
from symview.errors import InternalError, Undecided
from symview.logic.polynomial import ONE, Poly, expanded, operations
from symview.logic.sympy_bridge import free_symbols, is_number, to_term
from symview.logic.terms import TRUE, Term, between, conj, disj, num
from symview.view import View


def symbolic_axes(views: Sequence[View]) -> list[int]:
    """The axes of the inner view whose size is a symbol or an expression."""
    return [a for a, n in enumerate(views[-1].shape) if not is_number(n)]


class _Unknown(NamedTuple):
    """The inner sizes and the number of outer places over parameters, and the expression of each parameter."""

    parameters: dict[str, Any]
    sizes: Sizes
    size: Affine

    def one(self) -> Any | None:
        """The expression of the only parameter, if there is just one."""
        return next(iter(self.parameters.values())) if len(self.parameters) == 1 else None


_AMPLE = 1 << 64  # stands for a symbolic leading size


def ample(views: Sequence[View]) -> tuple[int, ...] | None:
    """The outer shape with a large number as leading size, if only that and inner sizes are symbolic; else None.

    It is also None if another outer size is 0, since then there are no places.
    """
    outer, inner = views[0], views[-1]
    first, *rest = outer.shape or (0,)
    if is_number(first):
        return None
    numbers = all(map(is_number, (*rest, *inner.strides, inner.offset)))
    plain = len(views) == 2 and outer.mask is None and inner.mask is None and 0 not in rest
    return (_AMPLE, *rest) if numbers and plain else None


def cases_by_size(builder: CaseBuilder, size: Any, box: IndexMap, engine: Engine) -> list[CaseData]:
    """The cases of an inner view over an outer shape of `size` places, where sizes are symbolic."""
    if any(is_number(n) and n == 0 for n in box.sizes):
        none = Region.whole(box._replace(sizes=(0,) * len(box.sizes)))
        return [builder.case(TRUE, none, Rows(RowSpace(0), (), True, ""))]
    unknown = _parameters(box, size)
    one = unknown.one()
    if one is not None and is_number(size):
        return list(_by_one(builder, size, box, unknown, engine))
    try:
        return list(_by_several(builder, box, unknown))
    except Undecided as stop:
        return [_undecided(builder, unknown.sizes, stop.reason)]


def _parameters(box: IndexMap, size: Any) -> _Unknown:
    """The parameters: symbols and products of symbols if every size rises with them; else each size that has names.

    Relations between products and their factors are left out: `finished` drops the cases that they make impossible.
    """
    sizes = [*box.sizes, size]
    polys = [expanded(to_term(n)) for n in sizes]
    products = list(dict.fromkeys(m for p in polys for m in p if m))
    rising = all(c > 0 for p in polys for m, c in p.items() if m)
    if rising and not operations(*polys):
        symbols = free_symbols(sizes)
        plain = all(len(m) == 1 for m in products)
        meaning = {m: (m[0] if plain else f"n{k}", prod(symbols[n] for n in m)) for k, m in enumerate(products)}
        known = [{(meaning[m][0],) if m else ONE: c for m, c in p.items()} for p in polys]
        return _of(dict(meaning.values()), known, box)
    distinct = {f"n{k}": n for k, n in enumerate(dict.fromkeys(n for n in sizes if not is_number(n)))}
    named = {n: name for name, n in distinct.items()}
    return _of(distinct, [{ONE: n} if is_number(n) else {(named[n],): 1} for n in sizes], box)


def _of(parameters: dict[str, Any], polys: Sequence[Poly], box: IndexMap) -> _Unknown:
    *linear, size = [Affine(tuple([p.get((n,), 0) for n in parameters]), p.get(ONE, 0)) for p in polys]
    scales, bases = tuple([a for a, _ in linear]), tuple([b for _, b in linear])
    return _Unknown(parameters, Sizes(tuple(parameters), scales, bases, box.steps, box.start), size)


# One parameter: consecutive values


def _by_one(builder: CaseBuilder, size: int, box: IndexMap, unknown: _Unknown, engine: Engine) -> Iterator[CaseData]:
    """The cases by increasing value of the parameter, from the least one on, without gaps."""
    (symbol,) = map(to_term, unknown.parameters.values())
    scales, bases = tuple([a for (a,) in unknown.sizes.scales]), unknown.sizes.bases
    first = _least(scales, bases, 1)
    if builder.query.facts.empty:
        allowed = [b if n in builder.query.facts.empty else b - 1 for n, b in zip(box.sizes, bases, strict=True)]
        zero = _least(scales, allowed, 0)
        if zero < first:
            yield _empty_case(builder, box, conj(between(symbol, zero, first - 1)))
    grown = Growing(scales, bases, box.steps, box.start, first)
    last: int | None = first - 1
    stretches = find_breaks(builder.places, size, grown, engine, builder.budget)
    for n, (low, last, rows) in enumerate(stretches):
        seconds = builder.budget.seconds_left()
        over = n + 1 < len(stretches) and seconds is not None and seconds <= 0
        if over:  # no time for the rest
            last, rows = stretches[-1].last, rows._replace(complete=False, reason=builder.budget.ending())
        shown = grown.sizes(last if last is not None else low + 1)
        yield builder.case(conj(between(symbol, low, last)), Region.whole(box._replace(sizes=shown)), rows)
        if over:
            break
    if last is not None:
        yield builder.outside(conj(between(symbol, last + 1, None)))


def _least(scales: Sequence[int], bases: Sequence[int], size: int) -> int:
    """The least value at which all sizes are at least `size`."""
    return max(-((b - size) // a) for a, b in zip(scales, bases, strict=True) if a)


def _empty_case(builder: CaseBuilder, box: IndexMap, where: Term) -> CaseData:
    none = box._replace(sizes=(0,) * len(box.sizes))
    return builder.case(where, Region.whole(none), find_rows(builder.places, none))


# Several parameters: regions of their values


def _by_several(builder: CaseBuilder, box: IndexMap, unknown: _Unknown) -> Iterator[CaseData]:
    """A case for each region of sizes where the same boundaries overflow; then the case out of bounds."""
    sizes = unknown.sizes
    regions = find_regions(builder.places, unknown.size, sizes, builder.budget)
    meaning = {n: to_term(x) for n, x in unknown.parameters.items()}
    empty = [n for n in box.sizes if n in builder.query.facts.empty]

    def condition(where: SizeSet) -> Term:
        return _with(where.formula(None if empty else regions.positive), meaning)

    if empty:
        zero = disj(Term("==", (to_term(n), num(0))) for n in empty)
        yield _empty_case(builder, box, zero)
    for piece in regions.pieces:
        yield _case(builder, sizes, piece, condition(piece.where))
    if not regions.outside.is_empty():
        yield builder.outside(condition(regions.outside))


def _undecided(builder: CaseBuilder, sizes: Sizes, reason: str) -> CaseData:
    """One undecided case for all sizes, in bounds or not."""
    sample = sizes.at((2,) * len(sizes.names))  # all sizes are above 1
    rows = Rows(RowSpace(len(builder.places)), (), False, reason)
    return builder.case(TRUE, Region.whole(sample), rows)


def _with(term: Term, meaning: dict[str, Term]) -> Term:
    if term.op == "sym":
        return meaning[term.args[0]]
    return term if term.op in ("int", "bool") else Term(term.op, tuple(_with(a, meaning) for a in term.args))


def _case(builder: CaseBuilder, sizes: Sizes, piece: Piece, where: Term) -> CaseData:
    """The case of one region; its witnesses come from one point of the region."""
    point = piece.where.point()
    if point is None:
        raise InternalError("a region of sizes without a point")
    sample = sizes.at(point)
    shown = sample._replace(sizes=tuple([_most(sizes, piece, j) for j in range(len(sample.sizes))]))
    if piece.stopped is not None:
        rows = Rows(RowSpace(len(builder.places)), (), False, piece.stopped)
        return builder.case(where, Region.whole(shown), rows)
    rows = find_rows(builder.places, sample, budget=builder.budget)
    own = widen(Rows(piece.space, (), True, ""), piece.places, builder.places)
    if rows.complete and rows.space != own.space:
        raise InternalError(f"sizes {point}: {rows.space.rows} and {own.space.rows} are two row spaces")
    reason = f"{rows.reason}; the same at all of these sizes, by an exact projection"
    return builder.case(where, Region.whole(shown), rows._replace(space=own.space, reason=reason))


def _most(sizes: Sizes, piece: Piece, axis: int) -> int:
    """The size of an axis; for a symbolic one 2 if the region has sizes above 1, as only being 1 matters."""
    if not any(sizes.scales[axis]):
        return max(sizes.bases[axis], 1)
    above = SizeSet.where([f"{sizes.text(axis)} >= 2"], sizes.names, piece.where.budget)
    return 1 if (piece.where & above).is_empty() else 2
