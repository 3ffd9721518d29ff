"""Bank conflicts and vector widths of layouts with symbolic strides, by the residues of the symbols."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from math import gcd, lcm
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.conditions import Conditions
from symview.cases.table import describe
from symview.cute.analysis.given import Given, given
from symview.cute.analysis.phases import Memory, worst
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.linear.conditions import OfStrides
from symview.cute.modes import assembled, coalesced
from symview.cute.swizzled.fronted import answers_by_residue, fronted, residues_of
from symview.displayed import number_text
from symview.engine.radix import divisors, prime_factors
from symview.errors import SymbolError, Undecided
from symview.logic.budget import Budget
from symview.logic.polynomial import ONE
from symview.logic.sympy_bridge import domain, to_term
from symview.logic.terms import TRUE, Term, conj, negated, num, sym

_WALKED = 1 << 20
_DIVIDED = 1 << 40


def conflicts_by_stride(query: Given, memory: Memory, budget: Budget) -> Conditions[Any]:
    """The ways for all values of one symbol d: by its residue, if |d| exceeds the other distances.

    Value i is a_i + c_i·d. Words of threads with equal c have a fixed distance; all others are distinct if |d| exceeds
    all distances of the a_i, and swizzles move nothing out of its blocks. Then only d modulo the banks' row and the
    swizzles' period matters, so one large value per residue decides. For smaller |d|, threads with different c may read
    the same word: these values are decided as numbers. The status is `never` where a vector is not aligned.
    """
    if len(query.symbols) != 1:
        names = ", ".join(query.symbols)
        raise SymbolError(f"bank_conflicts: the strides have the symbols {names}: give numbers for all but one")
    symbol = query.symbols[0]
    apart = fronted(query.layout, "bank_conflicts")
    lengths = [n - 1 for n in leaves(apart.layout.shape)]
    period = apart.period()
    row = memory.banks * memory.width
    modulus = lcm(period, row // gcd(row, memory.element_bytes), memory.vector)
    if modulus * query.size > _WALKED:
        raise Undecided(f"bank_conflicts: {modulus} residues of {symbol}, each of {query.size} indices")
    forms = apart.forms()
    spread = sum(n * abs(form.get(ONE, 0)) for n, form in zip(lengths, forms, strict=True))
    above = spread + 2 * max(period, row, memory.vector)
    far = -(-(above + 1) // modulus) * modulus
    if apart.fronts and any(n and form.get((symbol,), 0) < 0 for n, form in zip(lengths, forms, strict=True)):
        raise SymbolError(f"bank_conflicts: {symbol} leads below 0, which no swizzle takes: give it the other sign")
    ways = dict[tuple[int, ...], int | None]()
    for r in range(modulus):
        try:
            ways[r,] = worst(given(apart.at({symbol: far + r}), ""), memory, budget).ways
        except NoAnswer:  # not aligned
            ways[r,] = None
    period, groups = answers_by_residue(ways, modulus)
    small = Term("<=", (Term("abs", (sym(symbol),)), num(above)))
    known, cases = [(r,) for r in range(period)], list[CaseData]()
    for many, residues in sorted(groups.items(), key=lambda g: (g[0] is None, g[0])):
        here = describe(residues, known, residues_of([symbol], period), budget)
        status = Status.ALWAYS if many else Status.NEVER
        cases.append(CaseData(conj((negated(small), here)), status, answer=many))
    cases.append(CaseData(small, Status.UNDECIDED, reason="threads may read one word there: ask answer(values)"))
    more = {"symbol": symbol, "modulus": period, "above": above, "ways": [ways[r,] for r in range(period)]}
    ask = _Conflicts(memory, budget.plain())
    facts = tuple([f for s in apart.layout.symbols().values() for f in domain(s)])
    data = ConditionsData((), tuple(cases), (), facts)
    return Conditions(
        OfStrides(f"accesses of {query.layout} are aligned", (query.layout,), ask, more), data, budget.plain()
    )


@dataclass(frozen=True, slots=True)
class _Conflicts:
    """`bank_conflicts` of layouts of numbers."""

    memory: Memory
    budget: Budget = field(compare=False)

    def __call__(self, layout: Any) -> Any:
        return worst(given(layout, "bank_conflicts"), self.memory, self.budget.started())


def width_by_symbols(query: Given, ask: Callable[[Any], Any], budget: Budget) -> Conditions[Any]:
    """The vector width if only later modes have symbolic strides, the widest first; `ask` answers for numbers."""
    if not isinstance(query.layout, Layout):
        raise SymbolError(f"vector_width: {query.layout} is swizzled and has symbols: give numbers")
    modes = [(n, d) for n, d in query.layout.flat() if n > 1]
    if all(type(d) is int for _, d in modes):
        return ask(assembled(modes))  # type: ignore[no-any-return]
    if type(modes[0][1]) is not int:
        raise SymbolError(f"vector_width: the first stride is {modes[0][1]}: give a number for it")
    (size, stride), *others = coalesced(modes)
    widths = sorted(_continued(size, others) if stride == 1 else [(1, TRUE)], key=lambda w: -w[0])
    cases, lines, before = list[CaseData](), list[CaseData](), list[Term]()
    for width, where in widths:
        if where not in before:
            cases.append(CaseData(conj((where, *map(negated, before))), Status.ALWAYS, answer=width))
            lines.append(CaseData(where, Status.ALWAYS, answer=width))
            before.append(where)
    facts = tuple([f for s in query.layout.symbols().values() for f in domain(s)])
    data = ConditionsData((), tuple(cases), (), facts, summary=tuple(lines))
    return Conditions(OfStrides(f"{query.layout} has a vector width", (query.layout,), ask), data, budget.plain())


def _continued(size: int, others: Sequence[tuple[Any, Any]]) -> Iterator[tuple[int, Term]]:
    """The widths within a first mode of that size, and further ones that need other modes to continue it.

    Each comes with its condition: the continuing strides have their values, and the width divides all other strides.
    """
    continuing: list[tuple[Any, int]] = []
    before = 0
    while True:
        known = gcd(size, *[d for _, d in others if type(d) is int])
        if known > _DIVIDED:
            raise LayoutError(f"vector_width: vectors of {number_text(known)} elements are too many to be listed")
        strides = tuple(dict.fromkeys(d for _, d in others if type(d) is not int))
        for w in divisors(prime_factors(known)):
            if not before or before % w:
                whole = [Term("==", (Term("%", (to_term(d), num(w))), num(0))) for d in strides if w > 1]
                yield w, conj([*(Term("==", (to_term(d), num(n))) for d, n in continuing), *whole])
        if not others or (type(others[0][1]) is int and others[0][1] != size):
            return
        before, ((more, d), *others) = known, others
        continuing += [] if type(d) is int else [(d, size)]
        size *= more
