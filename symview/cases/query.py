"""A query about views: reads and checks its views, assumptions and facts once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from symview.answers import CaseData, ConditionsData
from symview.cases.algebra import Algebra
from symview.engine.index_map import IndexMap
from symview.engine.valid_box import Region
from symview.errors import InputError, NotSupported, SymbolError, unknown_name
from symview.logic.arithmetic import in_arithmetic
from symview.logic.budget import Budget
from symview.logic.integer import Claim
from symview.logic.notation import joined, nonblank, parse_assumption
from symview.logic.points import bounds_of
from symview.logic.solve import REMARK, Sat, is_impossible, solve
from symview.logic.sympy_bridge import domain, free_symbols, is_number, to_term, to_text
from symview.logic.terms import Term, as_entry, conjuncts, names, num, sym, walk
from symview.view import View


def numeric_outer(outer: View) -> tuple[int, ...]:
    """The outer shape; raises NotSupported if a size is symbolic."""
    for size in outer.shape:
        if not is_number(size):
            raise NotSupported(f"the outer size {to_text(size)} is symbolic, which is not supported yet: give numbers")
    _check_mask(outer, "outer")
    return outer.shape


def address_map(inner: View) -> IndexMap:
    """The address map of the inner view on its whole box; its strides and offset have to be numbers."""
    for what, values in (("stride", inner.strides), ("offset", (inner.offset,))):
        for value in values:
            if not is_number(value):
                raise NotSupported(
                    f"the inner {what} {to_text(value)} is symbolic, which is not supported yet: give numbers"
                )
    _check_mask(inner, "inner")
    return IndexMap(inner.shape, inner.strides, inner.offset)


def _check_mask(view: View, side: str) -> None:
    for value in [x for pair in view.bounds() for x in pair] if view.mask is not None else ():
        if not is_number(value):
            raise NotSupported(f"the {side} mask has the symbolic bound {to_text(value)}: give numbers")


def open_region(inner: View, size: int) -> Region:
    """The part of a numeric inner view that its mask allows, checked to stay inside 0..size−1.

    Raises OutOfBounds, with an index of the view, if it does not.
    """
    box = address_map(inner)
    region = Region.whole(box)
    if inner.mask is not None:
        bounds: Any = inner.bounds()
        lows = tuple([0 if low >= high else low for low, high in bounds])
        sizes = tuple([max(0, high - low) for low, high in bounds])
        region = Region(lows, IndexMap(sizes, box.steps, box.at(lows)))
    if inner.mask != "empty":
        region.box.check_inside(size, region.lows)
    return region


def assumptions(assume: Any, known: Mapping[str, Any]) -> list[Term]:
    """The caller's assumptions about the known symbols, as formulas; one relation or several, sympy or text."""
    if assume is None:
        return []
    single = isinstance(assume, str) or not isinstance(assume, Iterable)
    return [read_formula(one, known, "assumption") for one in nonblank([assume] if single else assume)]


def read_formula(given: Any, known: Mapping[str, Any], what: str) -> Term:
    """A formula of comparisons, from text or sympy; raises InputError if it has unknown symbols."""
    given = as_entry(given)
    if not isinstance(given, str | Term | Claim) and not hasattr(given, "free_symbols"):
        raise InputError(f"{what} {given}: give a comparison such as s >= 2")
    if not isinstance(given, str | Term):
        free_symbols([*known.values(), given])
    term = parse_assumption(given) if isinstance(given, str) else given if isinstance(given, Term) else to_term(given)
    if not term.is_formula():
        raise InputError(f"{what} {given}: give a comparison such as s >= 2")
    term = in_arithmetic(term, ("gcd", "floor_sum"))
    if any(node.op == "if" for node in walk(term)):
        raise InputError(f"{what} {given}: write the two cases of `if` separately, as in c -> a and not c -> b")
    for name in names(term):
        if name not in known:
            raise InputError(f"{what} {given}: {unknown_name(name, known)}")
    return term


class Query(NamedTuple):
    """A question's views, their symbols, the caller's assumptions, and the facts that follow."""

    views: tuple[View, ...]
    symbols: Mapping[str, Any]
    assumed: tuple[Term, ...]
    facts: Facts
    algebra: Algebra
    budget: Budget

    def answer(self, cases: Iterable[CaseData], clauses: tuple[Term, ...] | None = None) -> ConditionsData:
        """The answer with these cases; `clauses`: the condition, if it is one conjunction."""
        return ConditionsData(self.views, tuple(cases), self.assumed, self.facts.formulas, clauses)


def query_about(
    views: Sequence[View], assume: Any, budget: Budget, shape: Sequence[Any] = (), stated: bool = False
) -> Query:
    """The query about some views, and a further shape; raises InputError if the facts contradict themselves.

    In the order of monomials strides come first. `stated`: see `facts_about`.
    """
    entries = [*(x for v in views for x in v.entries()), *shape]
    symbols = free_symbols(entries)
    assumed = tuple(assumptions(assume, symbols))
    sizes = [*(n for v in views for n in v.shape), *shape]
    facts = facts_about(sizes, symbols, assumed, budget, [f for v in views for f in _mask_facts(v)], stated)
    algebra = Algebra(facts.positive, [*free_symbols(views[0].strides), *symbols])
    return Query(tuple(views), symbols, assumed, facts, algebra, budget)


def _mask_facts(view: View) -> Iterator[Term]:
    """The facts that bounds of a mask are in order and inside the shape, except those that numbers show."""
    for (low, high), size in zip(view.bounds(), view.shape, strict=False):
        ends = [0, low, high, size]
        for below, above in pairwise(ends) if view.mask is not None else ():
            if not (is_number(below) and is_number(above)) and below != above:
                yield Term("<=", (to_term(below), to_term(above)))


class Facts(NamedTuple):
    """The facts that a query presupposes.

    `formulas`: the assumptions, the declarations of the symbols, that sizes and the names in them are positive (at
    least 0 for those in `empty`), and that masks are in order and inside the shape. `positive`: the names known to be
    positive.
    `positive`: the names known to be positive.
    """

    formulas: tuple[Term, ...]
    positive: frozenset[str]
    empty: tuple[Any, ...]


def facts_about(
    sizes: Iterable[Any],
    symbols: Mapping[str, Any],
    assumed: Sequence[Term],
    budget: Budget,
    masks: Sequence[Term] = (),
    stated: bool = False,
) -> Facts:
    """The facts of a query; raises InputError if they contradict themselves.

    A size may be 0 only if the assumptions imply that it, or one of its symbols, is not negative, and allow 0; or, with
    `stated`, unless they imply that it is positive.
    """
    declared = [f for s in symbols.values() for f in domain(s)]
    symbolic = [n for n in dict.fromkeys(sizes) if not is_number(n)]
    inside = (
        []
        if stated or not symbolic
        else [symbols[n] for n in positive_names(map(to_term, symbolic), (*assumed, *declared))]
    )
    for size in symbolic:
        if not stated and any(f.op == "<=" for f in domain(size)):
            raise SymbolError(f"size {to_text(size)} is declared nonpositive: sizes are positive")
    least: dict[Any, Term] = {}
    for size in sorted(dict.fromkeys((*symbolic, *inside)), key=lambda n: not n.is_name()):
        known = [*declared, *least.values()]
        zero = (_is_not_positive if stated else _may_be_zero)(size, assumed, known, budget)
        least[size] = Term(">=", (to_term(size), num(0 if zero else 1)))
    empty = tuple([n for n in symbolic if least[n].args[1] == num(0)])
    formulas = (*assumed, *declared, *(least[n] for n in dict.fromkeys((*symbolic, *inside))), *masks)
    tied = assumed or masks or any(not n.is_name() for n in symbolic)
    if tied and is_impossible(formulas, budget):
        if not assumed:
            shown = ", ".join(map(to_text, symbolic))
            raise InputError(f"the sizes {shown} cannot all be positive")
        shown = joined(assumed)
        if is_impossible(assumed, budget):
            raise InputError(f"the assumptions contradict each other: {shown}")
        raise InputError(
            f"{shown} contradicts what the symbols are: sizes are positive, and so are the names in them "
            "(the assumption s >= 0 allows s = 0)"
        )
    return Facts(formulas, _positive(formulas, symbols, budget), empty)


def _is_not_positive(size: Any, assumed: Sequence[Term], known: Sequence[Term], budget: Budget) -> bool:
    """Whether the known facts do not imply that the size is positive."""
    value, facts = to_term(size), [*assumed, *known]
    above = any(f.args[1].args[0] > 0 for f in facts if _bounds(f, value, ">="))
    return not above and not is_impossible([*facts, Term("<=", (value, num(0)))], budget)


def positive_names(sizes: Iterable[Term], facts: Sequence[Term]) -> list[str]:
    """The names in sizes, except those that facts bound by 0 or less from either side."""
    found = names(*sizes)
    bounds = bounds_of([part for f in facts for part in conjuncts(f)], found)
    return [n for n, pair in zip(found, bounds, strict=True) if all(b is None or b > 0 for b in pair)]


def _may_be_zero(size: Any, assumed: Sequence[Term], known: Sequence[Term], budget: Budget) -> bool:
    value = to_term(size)
    sure = Term(">=", (value, num(0))) in assumed  # about a size that is an expression; its names stay positive
    return (sure or any(_reaches_zero(sym(n), assumed, (), budget) for n in names(value))) and (
        size.is_name() or _reaches_zero(value, assumed, known, budget)
    )


def _reaches_zero(value: Term, assumed: Sequence[Term], known: Sequence[Term], budget: Budget) -> bool:
    """Whether the formulas imply that the value is not negative, and allow 0."""
    facts = [*(a for a in assumed if set(names(a)) & set(names(value))), *known]
    least = max((f.args[1].args[0] for f in facts if _bounds(f, value, ">=")), default=-1)
    if least > 0 or (value.op == "sym" and not facts):
        return False  # it is positive, or may be negative
    if least == 0 and all(
        _bounds(f, value, ">=") or (_bounds(f, value, "<=") and f.args[1].args[0] >= 0) for f in facts
    ):
        return True
    negative, zero = (Term(op, (value, num(0))) for op in ("<", "=="))
    return is_impossible([*facts, negative], budget) and isinstance(solve([*facts, zero], budget), Sat)


def _bounds(fact: Term, value: Term, relation: str) -> bool:
    """Whether the fact compares the value with a number by this relation."""
    return fact.op == relation and fact.args[0] == value and fact.args[1].op == "int"


def _positive(formulas: Sequence[Term], symbols: Mapping[str, Any], budget: Budget) -> frozenset[str]:
    """The names that the formulas bound from below by 1, directly or by a short proof."""
    if not formulas:  # symbols that are declared positive have a formula
        return frozenset()
    found = {n for n in symbols if Term(">=", (sym(n), num(1))) in formulas}
    open_ = [n for n in symbols if n not in found and any(f.op != "bool" and n in names(f) for f in formulas)]
    brief = budget.at_most(REMARK)
    for name in open_:
        if is_impossible([*formulas, Term("<=", (sym(name), num(0)))], brief):
            found.add(name)
    return frozenset(found)
