"""For which symbolic strides a swizzled layout equals a plain layout, and which one.

S(y) − y depends only on y mod Q, where Q is the length of the interval that S permutes. So the residues d_i mod Q
decide whether S ∘ (o + Σ x_i·d_i) is a layout that refines the modes, and into which sizes each mode splits; each
stride is the unswizzled stride plus a constant. If all sizes are powers of two, every layout refines the modes.
Otherwise a layout of other sizes may exist for some strides; `as_layout` decides that for numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.conditions import Conditions
from symview.cases.table import describe
from symview.cute.comparer import running
from symview.cute.first_failures import NotALayout
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.linear.conditions import OfStrides
from symview.cute.linear.conversions import as_layout
from symview.cute.linear.straight import parts_of
from symview.cute.modes import assembled, coalesced
from symview.cute.swizzled.fronted import Fronted, answers_by_residue, fronted, residues_of
from symview.engine.map import Mode
from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.terms import TRUE, Term, num, sym

_RESIDUES = 1 << 13
_OTHER_SIZES = "no layout with modes inside these; for one of other sizes ask holds(values)"


def as_layout_conditions(composed: Any, budget: Budget | None = None) -> Conditions[Layout]:
    """For which symbolic strides a swizzled layout is a plain layout, and which one: `as_layout` for symbols from 0 on.

    Enumerates the residues of the symbols modulo the swizzles' period. Each residue determines how the modes split, and
    the constants that are added to the strides. Exact if all sizes are powers of two. Otherwise a layout may exist
    whose modes do not refine the given ones: such cases are undecided, and `holds`, `layout` and `counterexample`
    decide them for numbers. Strides have to be linear in the symbols, sizes and offsets numbers. Raises Undecided if
    there are too many residues.

    >>> from symview.cute import ComposedLayout, Layout, Swizzle
    >>> found = as_layout_conditions(ComposedLayout(Swizzle(1, 0, 2), 0, Layout.parse("8:d")))
    >>> print(found)
    d % 8 = 0: 8:d
    d % 8 = 2: (2,2,2):(d,2*d + 1,4*d)
    d % 8 = 4: (2,4):(d + 1,2*d)
    d % 8 = 5: (2,2,2):(d - 1,2*d,4*d + 1)
    otherwise: never
    >>> print(found.layout({"d": 13}), found.counterexample({"d": 3}).index)
    (2,2,2):(12,26,53) (3,)
    """
    query = fronted(composed, "as_layout_conditions").coalesced()
    budget, period = running(budget), query.period()
    if period ** len(query.names) > _RESIDUES:
        raise Undecided(f"as_layout_conditions: {period} residues of each of {len(query.names)} symbols")
    first = query.map((0,) * len(query.names))(0)
    if first:
        return _conditions(composed, query, 1, {(0,) * len(query.names): None}, {None: None}, True, budget)
    decided = all(n & n - 1 == 0 for n in leaves(query.layout.shape))
    keys, layouts = dict[tuple[int, ...], Any](), dict[Any, Layout | None]()
    for residues in product(range(period), repeat=len(query.names)):
        budget.spend(100)
        keys[residues], layout = _case(query, residues, parts_of(query.map(residues), query.layout, budget))
        layouts.setdefault(keys[residues], layout)
    return _conditions(composed, query, period, keys, layouts, decided, budget)


def _conditions(
    composed: Any,
    query: Fronted,
    period: int,
    keys: Mapping[tuple[int, ...], Any],
    layouts: Mapping[Any, Layout | None],
    decided: bool,
    budget: Budget,
) -> Conditions[Layout]:
    """Groups the residues by their layout, modulo the least modulus that separates them, and makes a case of each
    group.
    """
    modulus, found = answers_by_residue(keys, period)
    groups = sorted([(rs, layouts[key]) for key, rs in found.items()], key=lambda group: group[1] is None)
    names, known = residues_of(query.names, modulus), [r for residues, _ in groups for r in residues]
    cases, rows = list[CaseData](), list[dict[str, Any]]()
    for residues, layout in groups:
        where = describe(residues, known, names, budget) if len(groups) > 1 else TRUE
        none = Status.NEVER if decided else Status.UNDECIDED
        reason = "" if decided or layout is not None else _OTHER_SIZES
        cases.append(CaseData(where, none if layout is None else Status.ALWAYS, reason=reason, answer=layout))
        shown = None if layout is None else str(layout)
        rows.append({"residues": [*map(list, residues)], "layout": shown, "decided": decided or layout is not None})
    more = {"symbols": list(query.names), "modulus": modulus, "residues": rows}
    question = OfStrides(f"{query} is a layout", (composed,), as_layout, more)
    facts = tuple([Term(">=", (sym(n), num(0))) for n in query.names])
    return Conditions(question, ConditionsData((), tuple(cases), (), facts), budget.plain())


def _case(query: Fronted, residues: Sequence[int], parts: list[list[Mode]] | NotALayout) -> tuple[Any, Layout | None]:
    """The layout for one residue, and a key: residues with equal keys form one case."""
    if isinstance(parts, NotALayout):
        return None, None
    added, modes = list[tuple[int, int]](), list[tuple[Any, Any]]()
    for own, d, here in zip(parts, leaves(query.layout.stride), leaves(query.inner(residues).stride), strict=True):
        place = 1
        for n, stride in own:
            more = stride - here * place
            added.append((n, more))
            modes.append((n, d * place + more))
            place *= n
    return tuple(added), assembled(coalesced(modes))
