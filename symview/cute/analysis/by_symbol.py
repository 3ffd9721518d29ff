"""Bank conflicts and vector widths of layouts with symbolic strides, by the residues of the symbols."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import gcd, lcm
from typing import Any, NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.case import Case
from symview.cases.conditions import Conditions
from symview.cases.question import Question
from symview.cases.table import describe
from symview.counterexample import Counterexample, Kind
from symview.cute.analysis.given import Given, given
from symview.cute.analysis.machines import Memory, Row
from symview.cute.analysis.phases import by_sources, ways_text, worst
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.linear.reading import taken_apart
from symview.cute.modes import assembled, coalesced
from symview.cute.swizzled.fronted import Fronted, answers_by_residue, fronted, residues_of
from symview.displayed import number_text
from symview.engine.radix import divisors, prime_factors
from symview.errors import SymbolError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.sympy_bridge import domain, to_term
from symview.logic.terms import TRUE, Term, between, conj, disj, length, negated, num, sym
from symview.show.formulas import Line, listed, where_text

_WALKED = 1 << 20
_DIVIDED = 1 << 40
_CLASSES = 1 << 12


def conflicts_by_stride(query: Given, memories: Sequence[Memory], budget: Budget) -> Conditions[Any]:
    """The ways for all values of one symbol; the question has the answer of another source that disagrees."""
    (question, data), *others = [_by_one_source(query, memory, budget) for memory in memories]
    apart = [(other, its) for other, its in others if its.cases != data.cases]
    more = {**question.more, **({"other": dict(apart[0][0].more)} if apart else {})}
    ask = _Conflicts(tuple(memories), budget.plain())
    return Conditions(replace(question, ask=ask, more=more, others=tuple(apart)), data, budget.plain())


def _by_one_source(query: Given, memory: Memory, budget: Budget) -> tuple[_Ways, ConditionsData]:
    """The ways for all values of one symbol d: by its residue, but for finitely many exceptions.

    Value i is a_i + c_i·d. If no two threads of a phase with different c read one word, then which words are equal, and
    the bank of each, depend on d modulo the banks' row, the vector and the swizzles' period: one large d per residue
    decides. Two such threads can only read one word if their values are near to each other, so for finitely many d;
    these are decided one by one. The status is `never` where a vector is not aligned, or a value is below 0 though a
    swizzle takes none.
    """
    names = query.symbols
    if len(names) != 1:
        shown = f"{', '.join(names)}: give numbers for all but one, as in --at {names[0]}=33"
        raise SymbolError(f"bank_conflicts: the strides have the symbols {shown}")
    apart, symbol = fronted(query.layout, "bank_conflicts"), names[0]
    row = memory.banks * memory.width
    modulus = lcm(apart.period(), row // gcd(row, memory.element_bytes), memory.vector)
    _need_few(modulus, "residues", query, symbol)
    values, reach = _linear(apart, query.size), _reach(apart, memory)
    least = _least(apart, values, symbol)
    far = 2 * max(abs(a) for a, _ in values) + reach + max(0, least or 0)  # it exceeds all exceptions
    far += modulus - far % modulus

    def at(d: int) -> int | None:
        try:
            return worst(given(apart.at({symbol: d}), ""), memory, budget).ways
        except NoAnswer:  # not aligned
            return None

    ways: dict[tuple[int, ...], int | None] = {(r,): at(far + r) for r in range(modulus)}
    period = answers_by_residue(ways, modulus)[0]
    rule = [ways[r,] for r in range(period)]
    near = [d for d in _near(values, memory, reach, budget) if rule[d % period] and (least is None or d >= least)]
    _need_few(len(near), "values", query, symbol)
    runs = list(_runs({d: at(d) for d in near}, rule))
    exceptions = [{"from": low, "to": high, "ways": many} for low, high, many in runs]
    more = {"symbol": symbol, "modulus": period, "ways": rule, "least": least, "exceptions": exceptions}
    more |= memory.row.to_dict() if memory.row else {}
    facts = tuple([f for s in apart.layout.symbols().values() for f in domain(s)])
    data = ConditionsData((), tuple(_cases(symbol, rule, runs, least, budget)), (), facts)
    text, ask = f"accesses of {query.layout} are aligned", _Conflicts((memory,), budget.plain())
    return _Ways(text, query.layout, ask, more, memory.row), data


def _cases(
    symbol: str, rule: Sequence[int | None], runs: Sequence[Run], least: int | None, budget: Budget
) -> Iterator[CaseData]:
    """Yields a case for each number of ways, then one for misaligned vectors and values below 0."""
    name, known, aligned = sym(symbol), [(r,) for r in range(len(rule))], {*rule} - {None}

    def by_residue(wanted: Collection[int | None]) -> Term:
        found = [r for r, many in enumerate(rule) if many in wanted]
        unknowns = residues_of([symbol], len(rule))
        plain = describe([(r,) for r in found], known, unknowns, budget)
        if plain.op != "or" or len(rule) > _CLASSES:
            return plain
        parts = [describe([(r,) for r in part], known, unknowns, budget) for part in _classes(found, len(rule))]
        return min(plain, disj(parts), key=length)

    def within(run: Run) -> Term:
        whole = all(rule[d % len(rule)] for d in range(run.low, min(run.high + 1, run.low + len(rule))))
        here = between(name, run.low, run.high)
        return conj(here if whole or run.low == run.high else (*here, by_residue(aligned)))

    bound = between(name, least, None)
    for many in sorted({m for m in rule if m} | {run.ways for run in runs}):
        others = [run for run in runs if run.ways != many and many in _rule_within(run, rule)]
        listed = [within(run) for run in runs if run.ways == many]
        outside = [negated(conj(between(name, run.low, run.high))) for run in others]
        usual = [conj((*bound, by_residue((many,)), *outside))] if many in rule else []
        yield CaseData(disj((*listed, *usual)), Status.ALWAYS, answer=many)
    if None in rule or bound:
        said = ["misaligned"] * (None in rule) + ["below 0, which no swizzle takes"] * bool(bound)
        where = disj((*map(negated, bound), by_residue((None,))))
        yield CaseData(where, Status.NEVER, reason=", or ".join(said))


def _classes(residues: Sequence[int], modulus: int) -> Iterator[range]:
    """Yields the coarsest residue classes that these residues consist of."""
    left = {*residues}
    for step in divisors(prime_factors(modulus)):
        for part in [range(r, modulus, step) for r in range(step)]:
            if left.issuperset(part):
                left -= {*part}
                yield part


def _need_few(count: int, what: str, query: Given, symbol: str) -> None:
    """Raises Undecided if so many values of the symbol are too many for layouts of this size."""
    if count * query.size > _WALKED:
        many = f"{count} {what} of {symbol}, each of {query.size} indices"
        raise Undecided(f"bank_conflicts: {many}, are too many: give a value, as in --at {symbol}=33")


def _linear(apart: Fronted, size: int) -> list[tuple[int, int]]:
    """For each index i the numbers a_i and c_i: the unswizzled value is a_i + c_i·d."""
    at_0, at_1 = apart.inner((0,)), apart.inner((1,))
    return [(at_0(i), at_1(i) - at_0(i)) for i in range(size)]


def _least(apart: Fronted, values: Sequence[tuple[int, int]], symbol: str) -> int | None:
    """The least d for which all values are at least 0, if there are swizzles; raises SymbolError if others bound d."""
    if not apart.fronts:
        return None
    start = apart.fronts[-1][1]
    if any(c < 0 for _, c in values):
        raise SymbolError(f"bank_conflicts: {symbol} leads below 0, which no swizzle takes: give it the other sign")
    if any(c == 0 and start + a < 0 for a, c in values):
        raise SymbolError(f"bank_conflicts: {apart} leads below 0, which no swizzle takes")
    return max((-((start + a) // c) for a, c in values if c), default=None)


def _reach(apart: Fronted, memory: Memory) -> int:
    """Threads whose unswizzled values are at least so far from each other read different words.

    A swizzle moves a value by less than its size. If there is one, and its blocks are whole words and whole vectors,
    threads that read one word are in one block.
    """
    period = apart.period()
    if len(apart.fronts) == 1 and period % memory.vector == 0 and period * memory.element_bytes % memory.width == 0:
        return period
    moved = 2 * sum(front.size() for front, _ in apart.fronts)
    return memory.vector - -memory.width // memory.element_bytes + moved


def _near(values: Sequence[tuple[int, int]], memory: Memory, reach: int, budget: Budget) -> list[int]:
    """All d at which two threads of a phase with different c may read one word."""
    pairs, found = set[tuple[int, int]](), set[int]()
    for access in range(0, len(values), memory.threads):
        lanes = values[access : access + memory.threads]
        for threads in memory.served(len(lanes)):
            phase = {lanes[t] for t in threads}
            budget.spend(len(phase) ** 2)
            pairs |= {(b - a, d - c) for a, c in phase for b, d in phase if c < d}
    for a, c in pairs:  # |a + c·d| < reach
        more = range(-((reach - 1 + a) // c), (reach - 1 - a) // c + 1)
        budget.spend(len(more))
        found.update(more)
    return sorted(found)


class Run(NamedTuple):
    """An interval of the symbol with these ways, where vectors are aligned."""

    low: int
    high: int
    ways: int


def _rule_within(run: Run, rule: Sequence[int | None]) -> set[int | None]:
    """The ways that the residues have in an interval."""
    return {rule[d % len(rule)] for d in range(run.low, min(run.high, run.low + len(rule) - 1) + 1)}


def _runs(single: Mapping[int, int | None], rule: Sequence[int | None]) -> Iterator[Run]:
    """Yields the values whose ways are not those of their residue, as intervals."""
    run: Run | None = None
    for d, many in sorted(single.items()):
        if many is None or many == rule[d % len(rule)]:
            continue
        if run is not None and run.ways == many and d - run.high <= len(rule):
            between_ = range(run.high + 1, d)
            if {single.get(x, rule[x % len(rule)]) for x in between_} <= {many, None}:
                run = run._replace(high=d)
                continue
        if run is not None:
            yield run
        run = Run(d, d, many)
    if run is not None:
        yield run


@dataclass(frozen=True, slots=True)
class OfStrides(Question[Any]):
    """A question about a layout with symbolic strides; `ask` answers it for numbers.

    >>> from symview.cute import bank_conflicts
    >>> found = bank_conflicts(Layout.parse("(8,4):(2,ld)"), vector=2)
    >>> print(found.counterexample({"ld": 3}).reason)
    misaligned: the vector of 2 elements of thread 8 (index 8) starts at element 3
    """

    text: str
    layout: Any
    ask: Callable[[Any], Any]
    more: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)  # extra fields for JSON

    @property
    def yes(self) -> str:
        """The statement that the conditions imply."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def put(self, values: Mapping[str, int]) -> OfStrides:
        """Substitutes numbers for the symbols."""
        return replace(self, layout=self.layout.with_values(values))

    def entries(self) -> list[Any]:
        """The sizes and strides of the unswizzled layout."""
        inner = taken_apart(self.layout)[1]
        return [*leaves(inner.shape), *leaves(inner.stride)]

    def sizes(self) -> list[Any]:
        """Empty, since all sizes are numbers."""
        return []

    def at(self, values: Mapping[str, int], budget: Budget) -> Any:
        """The answer for these values of the symbols, or a counterexample."""
        try:
            return self.ask(self.put(values).layout)
        except LayoutError as error:
            return Counterexample(Kind.NO_LAYOUT, (), None, None, None, values=dict(values), reason=error)

    def stated(self, case: CaseData, values: Mapping[str, int]) -> Any:
        """Recomputes the answer for numbers."""
        return self.at(values, DEFAULT)

    def example_text(self, answer: Any, broken: Counterexample | None) -> str:
        """States that the answer is yes, or where it fails."""
        return self.text if broken is None else f"{self.text}: no, {broken.reason}"

    def headline(self, data: ConditionsData, rest: str | None) -> str:
        """A line for each answer."""
        lines = data.lines()
        return listed(
            [Line((c.where,), partial(self._line, c, c is lines[-1] and bool(lines[1:]))) for c in lines], rest
        )

    def told(self, case: CaseData) -> str:
        """The answer in one case."""
        return "never" if case.status is Status.NEVER else str(case.answer)

    def _line(self, case: CaseData, last: bool) -> str:
        """One case as text: its condition and its answer."""
        where = "otherwise" if last and (case.answer is None or case.where == TRUE) else where_text(case.where)
        return f"{where or 'always'}: {self.told(case)}"

    def head(self) -> dict[str, Any]:
        """The question, for JSON."""
        return {"question": self.text, **self.more}

    def case_dict(self, case: Case) -> dict[str, Any]:
        """A case for JSON."""
        return {**Question.case_dict(self, case), "answer": None if case.answer is None else str(case.answer)}


@dataclass(frozen=True, slots=True)
class _Ways(OfStrides):
    """The question for bank conflicts: its answers are ways; `others` are the same by another source."""

    row: Row | None = None
    others: tuple[tuple[_Ways, ConditionsData], ...] = field(default=(), compare=False, repr=False)

    def told(self, case: CaseData) -> str:
        """The ways, or why there are none."""
        if case.status is Status.NEVER:
            return case.reason
        return ways_text(case.answer)

    def headline(self, data: ConditionsData, rest: str | None) -> str:
        """A line for each number of ways, and the machine's row; then the same by another source."""
        row = [] if self.row is None else [str(self.row)]
        others = [question.headline(its, rest) for question, its in self.others]
        return "\n".join([OfStrides.headline(self, data, rest), *row, *others])


@dataclass(frozen=True, slots=True)
class _Conflicts:
    """`bank_conflicts` of layouts of numbers."""

    memories: tuple[Memory, ...]
    budget: Budget = field(compare=False)

    def __call__(self, layout: Any) -> Any:
        return by_sources(given(layout, "bank_conflicts"), self.memories, self.budget.started())


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
    return Conditions(OfStrides(f"{query.layout} has a vector width", query.layout, ask), data, budget.plain())


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
