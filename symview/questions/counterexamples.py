"""The smallest values and index at which the merge of symbolic views breaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from math import prod

from symview.answers import Case, Conditions, Counterexample, Kind, Status
from symview.engine import presburger
from symview.engine.index_map import IndexMap
from symview.errors import InputError, InternalError, OutOfBounds, Undecided
from symview.logic import z3_door as smt
from symview.logic.points import Function, by_size, compiled
from symview.logic.solve import settle
from symview.logic.sympy_bridge import free_symbols, to_term
from symview.logic.terms import Term, conj, disj, negated, nonzero_divisors, num, sym, value_of
from symview.questions.merging import merge
from symview.view import View

_TRIES = 20_000
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
_BROKEN = (Status.WHEN, Status.NEVER, Status.UNDECIDED)


def break_at(conditions: Conditions, values: Mapping[str, int]) -> Counterexample | None:
    """The smallest index that breaks the merge at given values of all symbols; None where it merges."""
    missing = [n for n in conditions.symbols() if n not in values]
    if missing:
        raise InputError(f"no value for {', '.join(missing)}: give every symbol, or none")
    if not sizes_agree(conditions, values):
        raise InputError(f"{_shown(values)}: the sizes do not agree, so no index can be shown")
    views = [v.with_values(values) for v in conditions.views]
    try:
        found = merge(*views, budget=conditions.budget)
    except OutOfBounds:
        return replace(_leaving(conditions, views[0], views[-1]), values=dict(values))
    if isinstance(found, View):
        return None
    return Counterexample(found.kind, found.index, found.axis, found.expected, found.got, found.smallest, dict(values))


def sizes_agree(conditions: Conditions, values: Mapping[str, int]) -> bool:
    """Whether a reshape has as many elements after it as before; other queries have nothing to agree on."""
    if conditions.fitting is None:
        return True
    try:
        return bool(value_of(conditions.fitting, values))
    except ZeroDivisionError:
        return False


def _shown(values: Mapping[str, int]) -> str:
    return ", ".join(f"{n} = {v}" for n, v in values.items())


def smallest_break(conditions: Conditions) -> Counterexample | None:
    """The smallest sizes, then strides, then index at which the views do not merge; None if nowhere.

    Raises Undecided where an undecided case stands before the first break that is found.
    """
    broken = [c for c in conditions.cases if c.status in _BROKEN]
    outside = [c for c in conditions.cases if c.status is Status.OUT_OF_BOUNDS]
    sized = bool(_sizes(conditions))
    for cases in [*([c] for c in broken), outside] if sized else [broken, outside]:
        found = _in_cases(conditions, cases) if cases else None
        if found is not None:
            return found
        for case in cases:
            if case.status is Status.UNDECIDED:
                raise Undecided(f"no break was found, and it is open whether there is one: {case.reason}")
    return None


def _sizes(conditions: Conditions) -> list[str]:
    return list(free_symbols([n for v in conditions.views for n in v.shape]))


def _in_cases(conditions: Conditions, cases: Sequence[Case]) -> Counterexample | None:
    facts = [*conditions.facts, *_broken_in(conditions, cases)]
    if conditions.fitting is not None:
        facts.append(conditions.fitting)
    return smallest_where(conditions, facts, _sizes(conditions))


def smallest_where(conditions: Conditions, facts: Sequence[Term], sizes: Sequence[str]) -> Counterexample | None:
    """The counterexample at the smallest values that satisfy the facts; wherever these hold, there is one.

    The symbols of `sizes` come first, in this order.
    """
    entries = [to_term(x) for v in conditions.views for x in v.entries()]
    facts = [*nonzero_divisors([*entries, *facts]), *facts]
    settled: dict[str, int] = {}
    for name in sizes:
        here = [Term("==", (sym(n), num(v))) for n, v in settled.items()]
        least = _least([*facts, *here], name, conditions)
        if least is None:
            return None
        settled[name] = least
    free = [n for n in conditions.symbols() if n not in settled]
    return _by_strides(conditions, facts, free, settled)


def _broken_in(conditions: Conditions, cases: Sequence[Case]) -> list[Term]:
    """That the values are about one of the cases, and break there; and not out of bounds."""
    parts = [[to_term(c.where), *_refusal(c)] for c in cases]
    if len(parts) == 1:
        return parts[0]
    outside = [negated(to_term(c.where)) for c in conditions.cases if c.status is Status.OUT_OF_BOUNDS]
    return [*(outside if cases[0].status in _BROKEN else ()), disj(map(conj, parts))]


def _refusal(case: Case) -> list[Term]:
    return [Term("not", (case.condition(),))] if case.status in (Status.WHEN, Status.NEVER) else []


def _least(facts: Sequence[Term], name: str, conditions: Conditions) -> int | None:
    """The least value that the facts allow, from 0 up where they allow such; None where they allow none."""
    size = sym(name)
    best: int | None = None
    low, high = 0, None
    while high is None or low < high:
        bound: list[Term] = [] if high is None else [Term("<=", (size, num((low + high) // 2)))]
        answer = settle([*facts, Term(">=", (size, num(low))), *bound], conditions.budget)
        if isinstance(answer, smt.Open):
            raise Undecided(answer.reason)
        if isinstance(answer, smt.Sat):
            best = high = answer.model.get(name, low)
        elif high is None:
            return None
        else:
            low = (low + high) // 2 + 1
    return best


def _by_strides(
    conditions: Conditions, facts: Sequence[Term], free: Sequence[str], fixed: Mapping[str, int]
) -> Counterexample | None:
    symbols = conditions.symbols()
    order = [*fixed, *free]
    known, holds = list(fixed.values()), [compiled(f, order, "floor") for f in facts]
    tries = 0
    points = by_size([_range(facts, name) for name in free])
    for _, level in groupby(points, key=lambda p: sum(map(abs, p))):
        broken: list[Counterexample] = []
        for point in level:
            tries += 1
            here = (*known, *point)
            if _satisfied(holds, here):
                values = dict(zip(order, here, strict=True))
                found = conditions.counterexample({n: values[n] for n in symbols})
                if found is not None:
                    broken.append(found)
        if broken:
            return min(broken, key=lambda c: (sum(c.index), c.index))
        if tries > _TRIES:
            return _by_solver(conditions, facts, fixed)
    return None


def _satisfied(tests: Sequence[Function], point: tuple[int, ...]) -> bool:
    """Whether all the formulas have a value at the point, and are true."""
    try:
        return all(test(point) for test in tests)
    except ZeroDivisionError:
        return False


def _range(facts: Sequence[Term], name: str) -> tuple[int | None, int | None]:
    """The bounds that comparisons of the symbol with a number set."""
    low: int | None = None
    high: int | None = None
    for fact in facts:
        for part in fact.args if fact.op == "and" else (fact,):
            if part.op not in _MIRRORED or part.args[0] != Term("sym", (name,)) or part.args[1].op != "int":
                part = Term(_MIRRORED.get(part.op, "none"), tuple(reversed(part.args)))
                if part.op == "none" or part.args[0] != Term("sym", (name,)) or part.args[1].op != "int":
                    continue
            bound = part.args[1].args[0] + (part.op == ">") - (part.op == "<")
            if part.op in (">", ">=", "=="):
                low = bound if low is None else max(low, bound)
            if part.op in ("<", "<=", "=="):
                high = bound if high is None else min(high, bound)
    return low, high


def _by_solver(conditions: Conditions, facts: Sequence[Term], fixed: Mapping[str, int]) -> Counterexample | None:
    """Far from 0 any break will do; it is marked as perhaps not the smallest."""
    here = [Term("==", (Term("sym", (n,)), num(v))) for n, v in fixed.items()]
    answer = smt.check([*facts, *here], conditions.budget)
    if isinstance(answer, smt.Open):
        raise Undecided(answer.reason)
    if isinstance(answer, smt.Unsat):
        return None
    values = {n: answer.model.get(n, 0) for n in conditions.symbols()}
    found = conditions.counterexample(values)
    return None if found is None else replace(found, smallest=False)


def _leaving(conditions: Conditions, outer: View, inner: View) -> Counterexample:
    """The smallest index whose address the outer shape does not have."""
    box = IndexMap(inner.shape, inner.strides, inner.offset)
    size = prod(outer.shape)
    above = (*box.steps, box.start - size)
    below = (*[-t for t in box.steps], -1 - box.start)
    system = presburger.System(box.sizes, 0, (), ((above,), (below,)))
    index = presburger.least(system, conditions.budget)
    if index is None:
        raise InternalError("no index leaves the outer shape, though a corner does")
    return Counterexample(Kind.OUT_OF_BOUNDS, index, None, None, box.at(index))
