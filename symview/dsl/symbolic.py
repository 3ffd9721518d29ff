"""Checks results with run-time sizes or strides: right for all values, or under which condition."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from symview import cute
from symview.answers import Status
from symview.cases.conditions import Conditions
from symview.cute import ComposedLayout, CoordinateLayout, Layout
from symview.cute.arranging import with_tiles
from symview.cute.basis import BasisElement
from symview.cute.int_tuple import flatten
from symview.cute.named.queries import always
from symview.dsl.contracts import DIVISIONS, PRODUCTS, Fault, answer, fault, projected
from symview.errors import SymviewError
from symview.logic.budget import DEFAULT
from symview.logic.entailment import Entailment
from symview.logic.integer import Int
from symview.logic.points import true_at
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import TRUE, Term, num, sym
from symview.show.formulas import where_text

_SAMPLES, _ENOUGH, _LARGEST = 60, 16, 1 << 16
_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 24, 32, 64)
_BUDGET = DEFAULT.at_most(60_000)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict on a result with symbols.

    `proved`: it is right for all values, or if `condition` holds. `fault`: the fault at `values`; None if none was
    found. `never`: it is wrong for all values.
    """

    proved: bool
    condition: str = ""
    fault: Fault | None = None
    values: Mapping[str, int] | None = None
    never: bool = False

    def __str__(self) -> str:
        if self.fault is None:
            return "right for all values" if self.proved else "undecided"
        given = ", ".join(f"{name} = {value}" for name, value in (self.values or {}).items())
        where = "right for no values" if self.never else f"right only where {self.condition}" if self.condition else ""
        return f"{where}{'; ' if where else ''}with {given}: {self.fault}"


def verdict(name: str, args: tuple[Any, ...], result: Any, divisors: Mapping[Any, int]) -> Verdict:
    """Whether a result is right for all values of its symbols; `divisors`: numbers that divide them.

    The contract of `fault` is checked at sample values. symview's own answer by cases then shows where it holds: in the
    cases in which the result equals the layout of the case for all values.
    """
    symbols = free_symbols([*_entries(args), *_entries(result)])
    samples = list(_samples(symbols, {str(s): d for s, d in divisors.items()}, args, result))
    faults = [(values, fault(name, put(args, values), put(result, values))) for values in samples]
    faults = [(values, f) for values, f in faults if f is None or f.grave]
    broken = [(values, f) for values, f in faults if f is not None]
    cases = list(_cases(name, args, result, divisors, symbols))
    if not broken:
        return Verdict(proved=bool(cases) and all(right for _, right in cases))
    kept = [place for place, right in cases if right]
    values, first = broken[0]
    exact = all(any(true_at([place], v) for place in kept) == (f is None) for v, f in faults)
    never = bool(cases) and not kept and len(broken) == len(faults)
    condition = " or ".join(map(where_text, kept)) if exact else ""
    return Verdict(exact and bool(cases), condition, first, values, never)


def put(x: Any, values: Mapping[str, int]) -> Any:
    """The arguments after substituting numbers for their symbols."""
    if isinstance(x, tuple):
        return tuple([put(part, values) for part in x])
    if isinstance(x, Layout | ComposedLayout):
        return x.with_values(values)
    if isinstance(x, CoordinateLayout):
        return CoordinateLayout(put(x.shape, values), x.stride)
    if isinstance(x, Int):
        return Layout(1, x).with_values(values).stride
    return x


def _entries(x: Any) -> Iterator[Any]:
    if isinstance(x, tuple):
        for part in x:
            yield from _entries(part)
    elif isinstance(x, ComposedLayout):
        yield from _entries((x.layoutA, x.offset, x.layoutB))
    elif isinstance(x, CoordinateLayout):
        yield from _entries(x.shape)
    elif isinstance(x, Layout):
        yield from (e for e in flatten((x.shape, x.stride)) if isinstance(e, Int))
    elif isinstance(x, Int):
        yield x


def has_symbols(x: Any) -> bool:
    """Whether sizes, strides or offsets of layouts, or integers, among the arguments are symbolic."""
    return next(_entries(x), None) is not None


def _samples(
    symbols: Mapping[str, Any], divisors: Mapping[str, int], args: tuple[Any, ...], result: Any
) -> Iterator[dict[str, int]]:
    """Values at which the arguments are layouts, and not too large."""
    rng, found = random.Random(0), 0
    for _ in range(_SAMPLES):
        values = {name: divisors.get(name, 1) * rng.choice(_NUMBERS) for name in symbols}
        try:
            given = [x for x in put((*args,), values) if cute.is_layout(x)]
        except (SymviewError, ZeroDivisionError):
            continue
        if all(x.size() <= _LARGEST for x in given):
            yield values
            found += 1
        if found == _ENOUGH:
            return


# symview's answer by cases


def _cases(
    name: str, args: tuple[Any, ...], result: Any, divisors: Mapping[Any, int], symbols: Mapping[str, Any]
) -> Iterator[tuple[Term, bool]]:
    """The cases of symview's answer: where each applies, and whether the result is its layout there."""
    known = [(sym(str(s)), num(d)) for s, d in divisors.items() if str(s) in symbols and d > 1]
    facts = [Term("==", (Term("%", pair), num(0))) for pair in known]
    facts += [Term(">=", (sym(s), num(0))) for s in symbols]
    merged = _merged(result) if name == "coalesce" else None
    if merged is not None and merged == _merged(args[0]):  # the same function, whether or not the DSL merges
        yield TRUE, True
        return
    try:
        found = answer_by_cases(name, args, facts)
    except SymviewError:
        return
    if isinstance(found, Conditions):
        for case in found.data.cases:
            if case.status is Status.UNDECIDED:
                yield case.place(), False
            elif case.answer is not None:
                yield case.place(), same_for_all(result, case.answer, [*facts, *_positive(args), case.place()])
    elif cute.is_layout(found):
        yield TRUE, same_for_all(result, found, [*facts, *_positive(args)])


def _merged(layout: Any) -> list[tuple[Any, Any]] | None:
    """The modes, merged where they are contiguous for all values."""
    if not isinstance(layout, Layout):
        return None
    found: list[tuple[Any, Any]] = []
    for n, d in layout.flat():
        if found and found[-1][0] * found[-1][1] == d:
            found[-1] = found[-1][0] * n, found[-1][1]
        elif n != 1:
            found.append((n, d))
    return found


def answer_by_cases(name: str, args: tuple[Any, ...], assumed: Sequence[Term] = ()) -> Any:
    """Symview's conditions for an operation, or the layout if it needs none."""
    if name == "composition" and isinstance(args[1], tuple):
        args = (with_tiles(args[0], args[1]), args[1])
    if name == "coalesce":
        args = args[:1]
    if name in _BY_CASES and isinstance(args[2 if name == "recast_layout" else 0], Layout):
        return _BY_CASES[name](*args, assume=assumed, budget=_BUDGET)
    if name == "local_tile":
        return _local_tile(args, assumed)
    return answer(name, args)


def _local_tile(args: tuple[Any, ...], assumed: Sequence[Term]) -> Any:
    layout, tiler, coord = projected(*args)
    divided = answer_by_cases("zipped_divide", (layout, tiler), assumed)
    if isinstance(divided, Conditions):
        divided = always(divided)
    coord = (*coord, *[None] * (len(divided[1]) - len(coord))) if isinstance(coord, tuple) else coord
    return cute.slice_and_offset(((None,) * len(divided[0]), coord), divided)[0]


_BY_CASES: dict[str, Callable[..., Any]] = {
    **{
        name: getattr(cute, f"{name}_conditions")
        for name in ("composition", "coalesce", "complement", "right_inverse", "left_inverse", "tile_to_shape")
    },
    "recast_layout": cute.recast_layout_conditions,
    **{f"{how}_divide": partial(cute.logical_divide_conditions, arranged=how) for how in DIVISIONS},
    **{f"{how}_product": partial(cute.logical_product_conditions, arranged=how) for how in PRODUCTS},
}


def _positive(args: Any) -> list[Term]:
    layouts = [x for x in args if isinstance(x, Layout)]
    sizes = [n for x in layouts for n in flatten((x.shape,)) if isinstance(n, Int)]
    return [Term(">=", (to_term(n), num(1))) for n in sizes]


def same_for_all(result: Any, right: Any, facts: Sequence[Term]) -> bool:
    """Whether two layouts have the same modes for all values that satisfy the facts; modes of size 1 do not count."""
    if not all(isinstance(x, Layout | CoordinateLayout) for x in (result, right)):
        return bool(result == right)
    known = Entailment(list(facts), _BUDGET.started())
    a, b = ([mode for mode in _modes(x) if not _same(mode[0], 1, known)] for x in (result, right))
    pairs = [pair for m, k in zip(a, b, strict=False) for pair in zip(m, k, strict=True)]
    return len(a) == len(b) and all(_same(x, y, known) for x, y in pairs)


def _modes(layout: Any) -> list[tuple[Any, Any]]:
    return list(zip(flatten(layout.shape), flatten(layout.stride), strict=True))


def _same(x: Any, y: Any, known: Entailment) -> bool:
    """Whether two entries are equal for all values that satisfy the facts."""
    if isinstance(x, int | BasisElement) or isinstance(y, BasisElement):
        if isinstance(y, int | BasisElement):
            return bool(x == y)
        return not isinstance(x, BasisElement) and _same(y, x, known)
    return bool(x == y) or known.implies(Term("==", (to_term(x), to_term(y))))
