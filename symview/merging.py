"""Do two views merge, and under which conditions on their strides?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import TYPE_CHECKING, Any, TypeAlias

from symview.answers import Case, Conditions, Counterexample, Deferred, Kind, Status
from symview.engine import radix
from symview.engine.breaks import find_breaks
from symview.engine.budget import DEFAULT, Budget
from symview.engine.decide import Broken, decide, digits_of, smallest_violation, strides_of
from symview.engine.index_map import IndexMap
from symview.engine.rowspace import Engine, Rows, Step, find_rows
from symview.engine.terms import Term, names
from symview.errors import InputError, InternalError, NotSupported, SymbolError
from symview.symbols import free_symbols, is_number, parse_statement, to_term, to_text
from symview.view import View

if TYPE_CHECKING:
    from symview.settle import Settler

_Ranged: TypeAlias = tuple[int, int | None, Case]
ENGINES = ("auto", "enumerate", "smt")


def merge(outer: View, inner: View, *more: View, budget: Budget | None = None) -> View | Counterexample:
    """The one view that is the composition outer ∘ unravel ∘ inner, or where it breaks.

    Exact for concrete views of any size; no solver is loaded unless carries cancel on an inner
    box too large to enumerate, modulo place values above 2^20. The answer is a View
    (truthy), with strides f(e_j) − f(0), or a Counterexample (falsy), whose smallest index is
    searched for when it is asked for.
    Raises SymbolError for symbolic views (see `conditions`), OutOfBounds where the inner view
    leaves the outer shape, NotSupported for masks, Undecided where the budget ends.
    Source: Theorem 10 of "Merging tensor views" (N. uit de Bos, 2025).

    >>> merge(View((10, 3, 3), (9, 3, 1)), View((4,), (4,)))
    View((4,), (4,))
    >>> merge(View((10, 3, 3), (1, 1, 1)), View((4,), (4,)))
    Counterexample('addresses disagree', (3,), axis=0, expected=6, got=2)
    """
    _two_unmasked((outer, inner, *more), "merge")
    if not (outer.is_numeric() and inner.is_numeric()):
        symbol = next(iter(free_symbols([*outer.entries(), *inner.entries()])))
        raise SymbolError(f"merge needs numbers, and {symbol} is symbolic: ask conditions(outer, inner), or substitute")
    box = IndexMap(inner.shape, inner.strides, inner.offset)
    budget = budget or DEFAULT
    found = decide(outer.shape, outer.strides, box, budget)
    if isinstance(found, Broken):
        broken = found
        return Deferred(Kind.DISAGREE, lambda: disagreement(outer, box, broken, budget))
    offset = 0 if 0 in inner.shape else outer.offset + found.start
    return View(inner.shape, found.steps, offset)


def disagreement(outer: View, box: IndexMap, broken: Broken, budget: Budget) -> Counterexample:
    """The smallest index at which a broken merge disagrees, replayed on the definition."""
    index, proved = smallest_violation(broken.carries, box.sizes, broken.defects, broken.witness, budget)
    axis = max(a for a, i in enumerate(index) if i)
    digits = digits_of(outer.shape, outer.strides)
    linear = strides_of(digits, box)
    expected = outer.offset + linear.start + sum(i * t for i, t in zip(index, linear.steps, strict=True))
    got = outer.at(radix.unravel(box.at(index), outer.shape))
    if got == expected:
        raise InternalError(f"counterexample {index} of {outer} does not replay")
    return Counterexample(Kind.DISAGREE, index, axis, expected, got, proved)


def conditions(
    outer: View,
    inner: View,
    *more: View,
    assume: Any = (),
    engine: Engine = "auto",
    budget: Budget | None = None,
) -> Conditions:
    """The exact, weakest conditions on symbolic strides under which the two views merge.

    Overflow patterns become constraints on the strides, and these become equations: primitive
    rows in reduced echelon form over the contiguity defects. Z3 confirms that equations and
    constraints imply each other. The outer strides and offset may be symbolic, and the size of
    a one-dimensional inner view; `assume` holds sympy relations or text about the symbols.
    `engine` says how patterns are found (auto, enumerate, smt), never what is answered.
    Raises OutOfBounds where concrete sizes leave the outer shape, NotSupported for other
    symbols and for masks, InputError for assumptions that contradict one another.
    Source: Theorem 10 and section 4 of "Merging tensor views" (N. uit de Bos, 2025).

    >>> print(conditions(View.parse("(10,3,3):(σ1,σ2,σ3)"), View.parse("(s):(4)")))
    1 ≤ s ≤ 3: always
    4 ≤ s ≤ 5: σ1 = 2σ2 + 3σ3
    6 ≤ s ≤ 23: σ1 = 3σ2 and σ2 = 3σ3
    s ≥ 24: out of bounds
    """
    if engine not in ENGINES:
        raise InputError(f"engine {engine!r}: choose one of {', '.join(ENGINES)}")
    _two_unmasked((outer, inner, *more), "conditions")
    from symview.settle import Settler

    settler = Settler(outer, inner, assumptions(assume, outer, inner), budget or DEFAULT)
    shape, box = _numeric_outer(outer), _inner_map(inner)
    axis = _free_axis(inner)
    if axis is None:
        cases = [_concrete_case(settler, shape, box, engine)]
    else:
        cases = _joined(_parametric_cases(settler, shape, box, axis, engine), inner.shape[axis])
    return Conditions(outer, inner, settler.allowed(cases), tuple(settler.assumed), settler.budget)


def _two_unmasked(views: Sequence[View], what: str) -> None:
    for view in views:
        if not isinstance(view, View):
            raise InputError(f"{what}: {view!r} is no View; write View(shape, strides) or View.parse(text)")
    if len(views) > 2:
        raise NotSupported(f"{what} of {len(views)} views is not supported yet: give two at a time")
    for view in views:
        if view.mask is not None and view.key() != View(view.shape, view.strides, view.offset).key():
            raise NotSupported(f"{what}: the mask of {view} is not supported yet; views without masks are")


def _numeric_outer(outer: View) -> tuple[int, ...]:
    for size in outer.shape:
        if not is_number(size):
            raise NotSupported(f"the outer size {to_text(size)} is symbolic, which is not supported yet: give numbers")
    return outer.shape


def _inner_map(inner: View) -> IndexMap:
    for what, values in (("stride", inner.strides), ("offset", (inner.offset,))):
        for value in values:
            if not is_number(value):
                raise NotSupported(
                    f"the inner {what} {to_text(value)} is symbolic, which is not supported yet: give numbers"
                )
    return IndexMap(inner.shape, inner.strides, inner.offset)


def _free_axis(inner: View) -> int | None:
    """The axis whose size is a symbol, where the view is otherwise of size 1 or empty."""
    free = [a for a, n in enumerate(inner.shape) if not is_number(n)]
    if not free:
        return None
    size: Any = inner.shape[free[0]]
    others = [n for a, n in enumerate(inner.shape) if a != free[0]]
    if len(free) > 1 or not size.is_Symbol or any(n not in (0, 1) for n in others):
        raise NotSupported(
            f"the inner shape ({','.join(map(to_text, inner.shape))}): only one symbol, as the size of a "
            "one-dimensional view, is supported yet"
        )
    if size.is_nonpositive:
        raise SymbolError(f"size {size.name} is declared nonpositive: sizes are positive")
    return free[0]


def _concrete_case(settler: Settler, shape: tuple[int, ...], box: IndexMap, engine: Engine) -> Case:
    import sympy

    box.check_inside(prod(shape))
    return settler.case(sympy.true, box, find_rows(settler.places, box, engine, settler.budget))


def _parametric_cases(
    settler: Settler, shape: tuple[int, ...], box: IndexMap, axis: int, engine: Engine
) -> Iterator[_Ranged]:
    """The cases by rising size, from the least one on, without a gap."""
    first = settler.least_size(box.sizes[axis])
    if any(n == 0 for a, n in enumerate(box.sizes) if a != axis):
        yield _empty_case(settler, box, first, None)
        return
    if first == 0:
        yield _empty_case(settler, box, 0, 0)
    found = find_breaks(settler.places, prod(shape), box.steps[axis], box.start, engine, settler.budget)
    last: int | None = 0
    for low, last, rows in found:
        sizes = tuple([1 if a != axis else last or 2 for a in range(len(box.sizes))])
        where = _between(box.sizes[axis], low, last)
        yield low, last, settler.case(where, box._replace(sizes=sizes), _spread(rows, box, axis))
    if last is not None:
        yield last + 1, None, settler.outside(_between(box.sizes[axis], last + 1, None))


def _empty_case(settler: Settler, box: IndexMap, low: int, high: int | None) -> _Ranged:
    empty = box._replace(sizes=(0,) * len(box.sizes))
    symbol = next(n for n in box.sizes if not is_number(n))
    return low, high, settler.case(_between(symbol, low, high), empty, find_rows(settler.places, empty))


def _joined(cases: Iterable[_Ranged], symbol: Any) -> list[Case]:
    """Neighbouring sizes with the same answer as one case."""
    found: list[_Ranged] = []
    for low, high, case in cases:
        if found and _same_answer(found[-1][2], case):
            low, _, before = found.pop()
            kept = before if case.status is Status.NEVER else case
            case = replace(kept, where=_between(symbol, low, high))
        found.append((low, high, case))
    return [case for _, _, case in found]


def _same_answer(a: Case, b: Case) -> bool:
    never = a.status is b.status is Status.NEVER
    return never or (a.status is not Status.UNDECIDED and replace(a, where=b.where) == b)


def _between(symbol: Any, low: int, high: int | None) -> Any:
    import sympy

    if high is None:
        return symbol >= low
    return sympy.Eq(symbol, low) if low == high else sympy.And(symbol >= low, symbol <= high)


def _spread(rows: Rows, box: IndexMap, axis: int) -> Rows:
    """The rows of the one free axis, their witnesses as indices of the whole view."""
    rank = len(box.sizes)
    steps = [
        Step(axis, tuple([s.index[0] if a == axis else 0 for a in range(rank)]), s.row) for s in rows.steps
    ]
    return rows._replace(steps=tuple(steps))


def assumptions(assume: Any, outer: View, inner: View) -> list[Term]:
    """What the caller assumes, as formulas; a single relation or several, sympy or text."""
    single = isinstance(assume, str) or not isinstance(assume, Iterable)
    given = [assume] if single else list(assume)
    known = free_symbols([*outer.entries(), *inner.entries()])
    terms = []
    for one in given:
        if not isinstance(one, str) and hasattr(one, "free_symbols"):
            free_symbols([*known.values(), one])
        term = parse_statement(one) if isinstance(one, str) else to_term(one)
        if not term.is_formula():
            raise InputError(f"assumption {one}: give a comparison such as s >= 2")
        for name in names(term):
            if name not in known:
                raise InputError(f"assumption {one}: {name} is no symbol of this query ({', '.join(known) or 'none'})")
        terms.append(term)
    return terms
