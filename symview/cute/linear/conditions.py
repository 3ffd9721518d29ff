"""For which symbolic strides a layout equals a given function, is strided, or is linear; linear equations decide."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations
from typing import Any

from symview.answers import AffineView, CaseData, ConditionsData, Status
from symview.cases.case import Case
from symview.cases.conditions import Conditions
from symview.cases.equations import Equations, equation, monomials
from symview.cases.question import Question
from symview.counterexample import Counterexample, Kind
from symview.cute.comparer import running
from symview.cute.errors import LayoutError
from symview.cute.first_failures import FirstFailure, NotLinear
from symview.cute.layout import Layout
from symview.cute.linear.conversions import Bit, as_view, bits_of, to_linear, to_view
from symview.cute.linear.differences import Differs, same_function
from symview.cute.linear.layout import LinearLayout
from symview.cute.linear.reading import map_of
from symview.cute.linear.straight import joined
from symview.cute.swizzle import ComposedLayout
from symview.engine.bases import ParityForm
from symview.engine.first_difference import blocks
from symview.engine.map import Map
from symview.errors import NotSupported, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.polynomial import Poly, poly_of
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import domain, free_symbols, to_term
from symview.logic.terms import FALSE, TRUE, Term, names, num, value_of
from symview.show.formulas import Line, headline, listed, where_text
from symview.view import View


@dataclass(frozen=True, slots=True)
class OfStrides(Question[Any]):
    """A question about layouts of any kind with symbolic strides; `ask` answers it for numbers.

    >>> from symview.cute import Layout, LinearLayout
    >>> found = same_function_conditions(Layout.parse("(2,2):(a,b)"), LinearLayout([1, 3]))
    >>> print(found, found.counterexample({"a": 1, "b": 4}), sep="; ")
    never; with a = 1, b = 4: they differ: at index 2 the first has 4, the second 3
    """

    text: str
    given: tuple[Any, ...]
    ask: Callable[..., Any]
    more: Mapping[str, Any] = field(default_factory=dict, compare=False, repr=False)  # extra fields for JSON

    @property
    def yes(self) -> str:
        """The statement that the conditions imply."""
        return self.text

    def __str__(self) -> str:
        return self.text

    def put(self, values: Mapping[str, int]) -> OfStrides:
        """Substitutes numbers for the symbols."""
        return replace(self, given=tuple([_put(x, values) for x in self.given]))

    def entries(self) -> list[Any]:
        """The sizes and strides of all layouts."""
        return [e for x in self.given for e in _entries(x)]

    def sizes(self) -> list[Any]:
        """Empty, since all sizes are numbers."""
        return []

    def at(self, values: Mapping[str, int], budget: Budget) -> Any:
        """The answer for these values of the symbols, or a counterexample."""
        try:
            found = self.ask(*self.put(values).given)
        except LayoutError as error:
            return Counterexample(Kind.NO_LAYOUT, (), None, None, None, values=dict(values), reason=error)
        if not isinstance(found, FirstFailure | Differs):
            return found
        expected, got = (found.left, found.right) if isinstance(found, Differs) else (found.expected, found.got)
        at, here = (found.index,), dict(values)
        return Counterexample(Kind.NO_LAYOUT, at, None, expected, got, values=here, reason=found)

    def stated(self, case: CaseData, values: Mapping[str, int]) -> Any:
        """Recomputes the answer for numbers."""
        return self.at(values, DEFAULT)

    def example_text(self, answer: Any, broken: Counterexample | None) -> str:
        """States that the answer is yes, or where it fails."""
        return self.text if broken is None else f"{self.text}: no, {broken.reason}"

    def headline(self, data: ConditionsData, rest: str | None) -> str:
        """The equations on the strides, and the view if there is one."""
        if data.clauses is None:
            lines = data.lines()
            return listed(
                [Line((c.where,), partial(self._line, c, c is lines[-1] and bool(lines[1:]))) for c in lines], rest
            )
        view = Case(data.cases[0], self.symbols()).view
        return headline(data, rest) + ("" if view is None else f": {view}")

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


def same_function_conditions(a: Any, b: Any, budget: Budget | None = None) -> Conditions[Any]:
    """When two layouts of any kind are the same function; strides, and the offset of a View, may be symbolic.

    Exact: on blocks where both have the normal form of `ParityForm`, one linear equation per parity decides. Sizes have
    to be numbers. Raises LayoutError if the sizes differ; Undecided beyond the budget.

    >>> from symview.cute import ComposedLayout, LinearLayout, Swizzle
    >>> print(same_function_conditions(Layout.parse("(4,2):(a,b)"), LinearLayout([1, 2, 8])))
    a = 1 and b = 8
    >>> print(same_function_conditions(Layout.parse("(2,2,2):(a,b,2*b)"), LinearLayout([1, 2, 4])))
    a = 1 and b = 2
    >>> print(same_function_conditions(Layout.parse("8:a"), ComposedLayout(Swizzle(1, 0, 2), 0, Layout(8))))
    never
    """
    f, g = (map_of(x, "same_function_conditions", symbols=True) for x in (a, b))
    if f.size != g.size:
        raise LayoutError(f"{a} has the size {f.size}, {b} the size {g.size}: they are never the same function")
    budget = running(budget)
    forms = _differences(f, g, budget)
    return _conditions(f"{a} = {b}", forms, None, (a, b), same_function, budget)


def to_view_conditions(x: Any, budget: Budget | None = None) -> Conditions[Any]:
    """When a layout with symbolic strides, for example after a linear or swizzled layout, is strided; and the view.

    The size has to be a power of two, and the inner layout affine. Exact: each parity of two or more bits gives one
    linear equation, which says that its weight is 0. Raises NotSupported for other sizes, and if no normal form is
    known.

    >>> from symview.cute import ComposedLayout, LinearLayout
    >>> swizzled = LinearLayout([1, 2, 5])
    >>> print(to_view_conditions(ComposedLayout(Layout.parse("(2,2,2):(u,v,w)"), 0, swizzled)))
    u = 0: (2,2,2):(w,v,0)
    """
    f = map_of(x, "to_view_conditions", symbols=True)
    k = (f.size - 1).bit_length()
    form = f.form(0, k) if f.size == 1 << k else None
    if form is None:
        raise NotSupported(f"{x}: no normal form is known; give a size that is a power of two, and affine maps")
    steps = [form.weights.get(1 << i, 0) for i in range(k)]
    bends = [ParityForm(0, {bits: w}) for bits, w in form.weights.items() if bits & (bits - 1)]
    return _conditions(f"{x} is strided", bends, as_view(joined(steps), form.offset), (x,), to_view, running(budget))


def to_linear_conditions(x: Any, budget: Budget | None = None) -> Conditions[Any]:
    """When a Layout or View with symbolic strides or a symbolic offset is linear in its coordinates.

    If all sizes are powers of two, this equals linearity in the index. Exact: o + Σ x_i·v_i is affine iff no two of the
    masks o ⊕ (o + v_i) share a bit, counting only pairs of bits that can be set at once, and no value is negative.

    >>> print(to_linear_conditions(Layout.parse("(4,2):(a,b)")))
    a & 2a = 0 and a & b = 0 and 2a & b = 0 and a ≥ 0 and b ≥ 0
    >>> to_linear_conditions(Layout.parse("(4,2):(a,b)")).holds({"a": 5, "b": 32})
    True
    """
    if not isinstance(x, Layout | View):
        raise LayoutError(f"to_linear_conditions: {x!s} is no Layout and no View")
    map_of(x, "to_linear_conditions", symbols=True)
    view = x if isinstance(x, View) else x.to_view()
    start = to_term(view.offset)
    sizes, strides = view.shape[::-1], view.strides[::-1]
    masks, signs = list[tuple[Bit, Term]](), [start]
    for n, d in zip(sizes, strides, strict=True):
        top = 0 if view.offset == 0 else (n - 1).bit_length() - 1  # its top bit leads to the least value
        signs += [_plus(start, to_term(d * (1 << top)))] if n > 1 else []
    for bit in bits_of(sizes):
        step = to_term(strides[bit.mode] * bit.step)
        masks.append((bit, step if view.offset == 0 else _folded(Term("^", (start, _plus(start, step))))))
    joint = [(a, b) for (one, a), (two, b) in combinations(masks, 2) if one.may_join(two)]
    required = [_folded(Term("==", (Term("&", pair), num(0)))) for pair in joint]
    required += [_folded(Term(">=", (sign, num(0)))) for sign in signs]
    left = tuple(dict.fromkeys(r for r in required if r != TRUE))
    facts = [fact for s in free_symbols(view.entries()).values() for fact in domain(s)]
    budget = running(budget)
    never = FALSE in left or (bool(left) and is_impossible([*facts, *left], budget))
    return _facade(OfStrides(f"{x} is linear", (x,), linear_in_coordinates), (FALSE,) if never else left, None, budget)


def linear_in_coordinates(x: Layout | View) -> LinearLayout | NotLinear:
    """`to_linear` in the coordinates, with any names."""
    rank = x.rank if isinstance(x, View) else len(x.flat())
    return to_linear(x, [f"x{j}" for j in range(rank)])


def _plus(a: Term, b: Term) -> Term:
    return b if a == num(0) else a if b == num(0) else Term("+", (a, b))


def _folded(term: Term) -> Term:
    """Evaluates a term without names."""
    if names(term):
        return term
    value = value_of(term, {})
    return (TRUE if value else FALSE) if term.op in ("==", ">=") else num(int(value))


def _differences(f: Map, g: Map, budget: Budget) -> Iterable[ParityForm]:
    """The difference of the two maps on each block."""
    left = list(blocks(0, 0, f.size))[::-1]
    for count in range(2 * f.size):
        if not left:
            return
        if count > budget.points:
            raise Undecided(f"{count} blocks without a normal form: allow more points")
        x, q = left.pop()
        one, other = f.form(x, q), g.form(x, q)
        if one is not None and other is not None:
            yield one.minus(other)
        elif q:
            left += [(x + (1 << (q - 1)), q - 1), (x, q - 1)]
        else:
            yield ParityForm(f(x), {}).minus(ParityForm(g(x), {}))
        budget.spend(1000)


def _conditions(
    question: str, forms: Iterable[ParityForm], view: View | None, given: tuple[Any, ...], ask: Any, budget: Budget
) -> Conditions[Any]:
    symbols = free_symbols([e for x in given for e in _entries(x)])
    polys: list[Poly] = []
    opaque: dict[str, Term] = {}
    seen = set[Any]()
    for form in forms:
        for weight in form.conditions():
            if weight not in seen:
                seen.add(weight)
                polys.append(poly_of(to_term(weight), opaque))
    lead: list[Poly] = [{(name,): 1} for name in symbols]
    found = Equations([p for p in polys if p], monomials([*lead, *polys]))
    required = (FALSE,) if found.impossible else tuple([equation(p, opaque) for p in found.forms])
    facts = [fact for s in symbols.values() for fact in domain(s)]
    if required and required != (FALSE,) and is_impossible([*facts, *required], budget):
        required = (FALSE,)
    return _facade(OfStrides(question, given, ask), required, view, budget)


def _facade(question: OfStrides, required: tuple[Term, ...], view: View | None, budget: Budget) -> Conditions[Any]:
    """Makes conditions of these comparisons; FALSE means that no values satisfy them."""
    facts = tuple([fact for s in question.symbols().values() for fact in domain(s)])
    status = Status.NEVER if FALSE in required else Status.WHEN if required else Status.ALWAYS
    shown = None if view is None or status is Status.NEVER else AffineView.of(view)
    case = CaseData(TRUE, status, () if status is Status.NEVER else required, shown)
    return Conditions(question, ConditionsData((), (case,), (), facts, required), budget.plain())


def _entries(x: Any) -> list[Any]:
    if isinstance(x, ComposedLayout):
        return [*_entries(x.layoutB), *_entries(x.layoutA)]
    if isinstance(x, Layout):
        return [*[n for n, _ in x.flat()], *[d for _, d in x.flat()]]
    return list(x.entries()) if isinstance(x, View) else []


def _put(x: Any, values: Mapping[str, int]) -> Any:
    return x.with_values(values) if isinstance(x, Layout | View | ComposedLayout) else x
