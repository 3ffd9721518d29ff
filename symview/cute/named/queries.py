"""The queries about symbolic layouts: under which conditions an operation has an answer, and which.

Each operation runs as on numbers. An open comparison is explored both ways, and a composition with several answers
returns all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.algebra import Algebra
from symview.cases.conditions import Conditions
from symview.cases.forks import Path, all_paths
from symview.cases.query import positive_names, read_formula
from symview.cases.simplify.clauses import in_context, parts_of, shortened, single_values, without_excluded
from symview.cases.simplify.literals import with_remainders, without_quotient
from symview.cute.algebra import as_layout, tiling
from symview.cute.comparer import running
from symview.cute.errors import LayoutError, NoAnswer
from symview.cute.int_tuple import listed
from symview.cute.layout import Layout, LayoutBase, is_layout, need_layout
from symview.cute.named.cases import agreeing, gathered, joined_cases, layout_case, with_view
from symview.cute.named.composing import contains
from symview.cute.named.conditions import Operation
from symview.cute.named.entries import equation, fixed, form_of, zero
from symview.cute.named.operations import Symbols, symbolic_operation
from symview.cute.named.substitution import fixed_by, likely_points, put, within
from symview.cute.recasts import widths
from symview.cute.swizzle import ComposedLayout
from symview.cute.swizzled.simplified import simplified
from symview.engine.row_space import RowSpace
from symview.errors import InputError, SymbolError, Undecided
from symview.logic.arithmetic import total
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.notation import joined, nonblank
from symview.logic.points import bounds_of
from symview.logic.polynomial import ONE, Poly
from symview.logic.solve import HINT, Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import as_integer, domain, is_number, to_term
from symview.logic.terms import Term, conj, nonzero_divisors, num, sym, walk, with_comparisons

_MOST = 96  # most paths of comparisons that are kept apart
_READ = 40  # beyond this many cases, no solver simplifies them
_FEW, _OPEN = 2, (Status.NEVER, Status.UNDECIDED)  # more cases of such a status are not simplified


def composition_conditions(
    layoutA: Any, layoutB: Any, assume: Any = (), budget: Budget | None = None  # noqa: N803
) -> Conditions[Layout]:  # fmt: skip
    """When A ∘ B is a layout whose modes refine B's; returns only the widest sets of A's strides.

    Exact for numeric B and numeric sizes: there is a layout exactly if the equations of some case hold. Also exact for
    symbolic sizes that B does not pass, or passes in few ways. For other symbolic sizes, or symbols in B, it answers
    the cases in which B splits along A's modes; the rest is undecided. B may be a size, None, or a tuple of these to
    compose mode by mode.

    >>> print(composition_conditions(Layout.parse("(4,6,8):(a,b,c)"), Layout(6, 3)))
    b = 4*a: 6:3*a
    >>> print(composition_conditions(Layout.parse("(2,2,2):(a,b,c)"), Layout(4, 1)))
    always: (2,2):(a,b)
    >>> print(composition_conditions(Layout.parse("(n,m):(a,b)"), 3))
    n ≥ 3: 3:a
    n = 1: 3:b
    n = 2 and b = 2*a: 3:a
    """
    given = _plain(layoutA, "composition_conditions"), _tiler(layoutB, "composition_conditions")
    return answered("composition", given, assume, budget)


def coalesce_conditions(layout: Any, assume: Any = (), budget: Budget | None = None) -> Conditions[Layout]:
    """The coalesced layout, by cases of the symbols.

    >>> print(coalesce_conditions(Layout.parse("(4,6):(a,b)")))
    b = 4*a: 24:a
    b ≠ 4*a: (4,6):(a,b)
    """
    return answered("coalesce", (_plain(layout, "coalesce_conditions"),), assume, budget)


def complement_conditions(
    layout: Any, max_idx: Any = 1, assume: Any = (), budget: Budget | None = None
) -> Conditions[Layout]:  # fmt: skip
    """The complement, by cases of the symbols.

    >>> print(complement_conditions(Layout.parse("4:d"), 64, assume="d >= 1 and 16 % d == 0"))
    always: (d,16//d):(1,4*d)
    """
    given = _plain(layout, "complement_conditions"), as_integer(max_idx, "the bound")
    if is_number(max_idx) and max_idx < 1:
        raise LayoutError(f"complement of {layout}: the bound {max_idx} is not a positive integer")
    return answered("complement", given, assume, budget)


def right_inverse_conditions(layout: Any, assume: Any = (), budget: Budget | None = None) -> Conditions[Layout]:
    """The right inverse, by cases of the symbols.

    >>> print(right_inverse_conditions(Layout.parse("(4,8):(a,1)"), assume="a >= 2"))
    a = 8: (8,4):(4,1)
    a ≠ 8: 8:4
    """
    return answered("right_inverse", (_plain(layout, "right_inverse_conditions"),), assume, budget)


def left_inverse_conditions(layout: Any, assume: Any = (), budget: Budget | None = None) -> Conditions[Layout]:
    """The left inverse, by cases of the symbols, where the strides serve as place values.

    They do if each stride exceeds all sums of the modes before it. Other cases are undecided; `holds` and `layout`
    decide them for numbers.

    >>> print(left_inverse_conditions(Layout.parse("4:d"), assume="d >= 2"))
    always: (d,4):(0,1)
    """
    return answered("left_inverse", (_plain(layout, "left_inverse_conditions"),), assume, budget)


def logical_divide_conditions(
    layoutA: Any, layoutB: Any, assume: Any = (), budget: Budget | None = None, arranged: str = "logical"  # noqa: N803
) -> Conditions[Layout]:  # fmt: skip
    """When A ∘ (B, complement(B, size(A))) is a layout, by cases of the symbols; as exact as the composition.

    `arranged` selects the division: logical, zipped, tiled or flat.

    >>> print(logical_divide_conditions(Layout.parse("(4,6):(a,b)"), Layout(3)))
    b = 4*a: (3,8):(a,3*a)
    >>> print(logical_divide_conditions(Layout.parse("n:d"), 4, assume="n % 4 == 0"))
    always: (4,n//4):(d,4*d)
    >>> print(logical_divide_conditions(Layout.parse("(m,k):(1,ld)"), (8, 4)))
    always: ((8,⌈m/8⌉),(4,⌈k/4⌉)):((1,8),(ld,4*ld))
    >>> print(logical_divide_conditions(Layout.parse("((2,3),6):((a,b),c)"), (3, 2), arranged="zipped"))
    b = 2*a: ((3,2),(2,3)):((a,c),(3*a,2*c))
    """
    what = f"{arranged}_divide_conditions"
    given = _plain(layoutA, what), _tiler(layoutB, what)
    return answered(f"{arranged}_divide", given, assume, budget)


def logical_product_conditions(
    layoutA: Any, layoutB: Any, assume: Any = (), budget: Budget | None = None, arranged: str = "logical"  # noqa: N803
) -> Conditions[Layout]:  # fmt: skip
    """When the product of A and B is a layout, by cases of the symbols; as exact as the composition.

    `arranged` selects the product: logical, zipped, tiled, flat, blocked or raked.

    >>> print(logical_product_conditions(Layout.parse("(n,m):(1,n)"), 3))
    always: ((n,m),3):((1,n),m*n)
    """
    what = f"{arranged}_product_conditions"
    given = _plain(layoutA, what), _tiler(layoutB, what)
    return answered(f"{arranged}_product", given, assume, budget)


def tile_to_shape_conditions(
    atom: Any, shape: Any, order: Any = None, assume: Any = (), budget: Budget | None = None
) -> Conditions[Layout]:
    """When a block can be repeated until it covers a shape, and the layout; `order` as for `tile_to_shape`.

    Sizes that the block does not divide are rounded up.

    >>> print(tile_to_shape_conditions(Layout((32, 4), (4, 1)), Layout.parse("(m,k)").shape))
    always: ((32,⌈m/32⌉),(4,⌈k/4⌉)):((4,128),(1,128*⌈m/32⌉))
    """
    given = tiling(_plain(atom, "tile_to_shape_conditions"), shape, order)
    return answered("tile_to_shape", given, assume, budget)


def recast_layout_conditions(
    new_bits: int, old_bits: int, layout: Any, assume: Any = (), budget: Budget | None = None
) -> Conditions[Layout]:
    """When a layout is one for elements of another width, in bits, and which; argument order as in CuTe.

    Wider: a stride is a multiple of the factor, or one of the few numbers that divide it. Narrower: just one mode has
    the stride 1. C++ and the DSL divide a stride that is known at run time without a check.

    >>> print(recast_layout_conditions(128, 16, Layout.parse("(m,64):(ld,1)"), assume="ld % 8 == 0"))
    always: (m,8):(ld//8,1)
    >>> print(recast_layout_conditions(8, 16, Layout.parse("(m,64):(ld,1)"), assume="m >= 2 and ld >= 2"))
    always: (m,128):(2*ld,1)
    """
    widths(new_bits, old_bits)
    given = (new_bits, old_bits, _plain(layout, "recast_layout_conditions"))
    return answered("recast_layout", given, assume, budget)


def _tiler(x: Any, what: str) -> Any:
    """Reads a tiler: a layout, a size as a layout, None, or a tuple of these."""
    if x is None:
        return None
    if isinstance(x, tuple):
        return tuple([_tiler(part, what) for part in x])
    return as_layout(_plain(simplified(x), what) if is_layout(x) else x, what)


def _plain(x: Any, what: str) -> Layout:
    """Returns a plain layout; raises LayoutError for others, with advice."""
    if isinstance(x, ComposedLayout):
        name = what.removesuffix("_conditions")
        raise LayoutError(
            f"{what}: {x} is swizzled; {name} has the answer if one is right for all values, and"
            " with_values gives numbers for symbols"
        )
    return need_layout(x, what)


def always(found: Conditions[Layout]) -> Layout:
    """The layout, if it is the same for all values of the symbols; otherwise raises SymbolError."""
    layout = found.cases[0].answer
    if len(found.cases) == 1 and found.cases[0].status is Status.ALWAYS and isinstance(layout, Layout):
        return layout
    name = found.question.operation if isinstance(found.question, Operation) else "the"
    raise SymbolError(f"whether {found.question} is a layout depends on the symbols; ask {name}_conditions: {found}")


# From runs to cases


def answered(name: str, args: tuple[Any, ...], assume: Any = (), budget: Budget | None = None) -> Conditions[Layout]:
    """The conditions under which the operation of that name has an answer, and the answers."""
    budget = running(budget)
    run, question = symbolic_operation(name), Operation(name, args)
    symbols = question.symbols()
    several = None if isinstance(assume, str | LayoutBase) else listed(assume)
    given = nonblank([assume] if several is None else several)
    assumed = [read_formula(a, symbols, "assumption") for a in given]
    facts = [*map(total, assumed), *(f for s in symbols.values() for f in domain(s))]
    sizes = list(map(to_term, dict.fromkeys(question.sizes())))
    inside = [sym(n) for n in positive_names(sizes, facts)]
    facts += [Term(">=", (n, num(1))) for n in dict.fromkeys((*sizes, *inside))]
    try:
        cases: list[CaseData] = []
        known = Entailment(facts, budget.at_most(HINT), [Term("==", (sym(n), num(1))) for n in symbols])
        known.try_points(likely_points(question.layouts(), symbols, budget.seed))
        if known.seen() or not is_impossible(facts, budget):
            paths = all_paths(lambda fork: _run(run, args, Symbols(fork, symbols)), known, budget, _MOST)
            cases = _Cases(question, known).of(paths)
    except Undecided as error:
        cases = [layout_case(None, (), (), Status.UNDECIDED, error.reason)]
    if not cases:
        shown = joined(assumed) or "every size is from 1 up"
        raise InputError(f"{shown} contradicts what the symbols are: sizes are positive")
    views = tuple([a.to_view() for a in question.layouts()])
    data = ConditionsData(views, tuple(map(with_view, cases)), tuple(assumed), tuple(facts), covers=False)
    return Conditions(question, data, budget.plain())


class _Outcome(NamedTuple):
    """The result of a run, and the polynomials that must be 0 for it."""

    result: Layout | NoAnswer
    required: tuple[Poly, ...]


def _run(run: Callable[..., Layout], args: tuple[Any, ...], ask: Symbols) -> _Outcome:
    try:
        return _Outcome(run(ask, *args), tuple(ask.required))
    except NoAnswer as error:
        return _Outcome(error, tuple(ask.required))


class _Answer(NamedTuple):
    """A layout, and the polynomials that must be 0 for it and are not implied."""

    forms: tuple[Poly, ...]
    layout: Layout


class _Cases:
    """Turns the outcomes of runs into cases."""

    def __init__(self, question: Operation, known: Entailment) -> None:
        self.symbols = symbols = question.symbols()
        self.agree = partial(agreeing, as_written=question.operation == "coalesce")  # the modes matter
        self.known, self.budget = known, known.budget
        self.algebra = Algebra((), symbols)

    def of(self, paths: Sequence[Path[_Outcome]]) -> list[CaseData]:
        """Keeps the widest sets of equations of each path, and merges neighbouring cases with the same answer."""
        given_up = {path.where for path in paths if isinstance(path.result, Undecided)}
        groups: dict[tuple[Term, ...], list[_Outcome | Undecided]] = {}
        for path in paths:
            if not any(path.where[:n] in given_up for n in range(len(path.where))):  # a parent is undecided
                groups.setdefault(path.where, []).append(path.result)
        possible = {w: same for w, same in groups.items() if not self._impossible(w, ())}
        cases = [c for where, same in possible.items() for c in self._case(where, same)]
        known = self.known if len(cases) <= _READ else self.known.glance()
        left = joined_cases(cases, known.impossible, self.agree)
        many = {status for status in Status if sum(c.status is status for c in left) > _FEW and status in _OPEN}
        known = self.known if len(left) <= _READ else self.known.glance()
        shorter = [case if case.status in many else self._shortened(case, known) for case in left]
        found = gathered(shorter, self.known.impossible, self.agree)
        return [replace(c, where=in_context(c.where, known)) if c.where.op == "or" else c for c in found]

    def _shortened(self, case: CaseData, facts: Entailment) -> CaseData:
        """Simplifies the comparisons of a case, and substitutes the values that they fix."""
        asked = parts_of(case.where)
        before, given = fixed_by(asked), fixed_by(self.known.facts)
        where = self._shorter(asked, facts)
        known = {**given, **fixed_by(where)}
        if known != before:
            where = self._shorter(where, facts)
            forms = [fixed(form_of(Term("-", e.args)), known) for e in case.required]
            case = replace(case, answer=put(case.answer, known), required=tuple(equation(f) for f in forms if f))
        ordered = sorted(where, key=lambda p: bool(nonzero_divisors([p])))
        bounds = dict(zip(self.symbols, bounds_of([*self.known.facts, *where], [*self.symbols]), strict=True))
        layout = None if case.answer is None else within(case.answer, bounds)
        return replace(case, answer=layout, where=conj(with_comparisons(p, self._folded) for p in ordered))

    def _folded(self, comparison: Term) -> Term:
        return with_remainders(comparison, self.algebra)

    def _shorter(self, where: Sequence[Term], known: Entailment) -> list[Term]:
        impossible = known.impossible
        plain = without_excluded([with_comparisons(p, without_quotient) for p in where], impossible)
        left = without_excluded(shortened(plain, known, self.algebra), impossible)
        return single_values(left, known.facts)

    def _case(self, where: tuple[Term, ...], same: Sequence[_Outcome | Undecided]) -> Iterator[CaseData]:
        undecided = [p for p in same if isinstance(p, Undecided)]
        outcomes = [p for p in same if isinstance(p, _Outcome)]
        answers = [] if undecided else self._widest(where, outcomes)
        for forms, layout in answers:
            with suppress(SymbolError):  # a layout that divides by 0 belongs to an impossible path
                yield layout_case(put(layout, fixed_by(where)), where, [equation(f) for f in forms])
        if undecided:
            yield layout_case(None, where, (), Status.UNDECIDED, undecided[0].reason)
        elif not answers:
            whys = [str(p.result) for p in outcomes if isinstance(p.result, NoAnswer)]
            why = whys[0] if whys else "no integers satisfy the equations and what is assumed"
            yield layout_case(None, where, (), reason=why)

    def _widest(self, where: tuple[Term, ...], same: Sequence[_Outcome]) -> list[_Answer]:
        """The answers whose equations do not imply those of another answer."""
        here = self.known.also(*where)
        spans = _Spans((f for p in same for f in p.required), here.facts)
        kept: list[tuple[_Answer, RowSpace]] = []
        for path in same:
            forms = tuple([f for f in path.required if not here.implies(zero(f))])
            if not isinstance(path.result, Layout) or self._impossible(where, path.required):
                continue
            span = spans.of(forms)
            if any(contains(span, k) for _, k in kept):
                continue
            kept = [k for k in kept if not contains(k[1], span)]
            kept.append((_Answer(forms, path.result), span))
        return [answer for answer, _ in kept]

    def _impossible(self, where: Sequence[Term], forms: Sequence[Poly]) -> bool:
        """Whether no integers satisfy the equations, as far as Z3 can decide."""
        if not self.known.facts and not where and not any(ONE in f for f in forms):
            return False
        formulas = [*where, *map(zero, forms)]
        if self.known.seen(*formulas):
            return False
        answer = solve([*self.known.facts, *formulas], self.budget)
        if isinstance(answer, Sat):
            self.known.points.found(answer.model)  # saves later calls of the solver
        return isinstance(answer, Unsat)


class _Spans:
    """The spans of linear forms over all monomials of a query, including the equations among the facts."""

    def __init__(self, forms: Iterable[Poly], facts: Iterable[Term]) -> None:
        polynomial = ("==", "+", "-", "*", "neg", "int", "sym")
        known = [f for f in facts if f.op == "==" and all(part.op in polynomial for part in walk(f))]
        self.given = [form_of(Term("-", f.args)) for f in known]
        self.order = list(dict.fromkeys([ONE, *(m for f in (*forms, *self.given) for m in f)]))

    def of(self, forms: Iterable[Poly]) -> RowSpace:
        return RowSpace(len(self.order), ([f.get(m, 0) for m in self.order] for f in (*forms, *self.given)))
