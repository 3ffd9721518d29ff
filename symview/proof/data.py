"""Statements as data: a claim with its assumptions, and values that are folded over a list.

`statement` and `lists` read them from text; printing them loads the notation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from symview.displayed import Json
from symview.errors import NotationError
from symview.logic.formula import Formula, tree
from symview.logic.terms import Term, fresh, names, node_count, rewritten, substituted, sym, value_of, walk
from symview.logic.width import Width


class Query(NamedTuple):
    """A claim about all integers that satisfy the assumptions."""

    claim: Formula
    assumptions: tuple[Formula, ...]
    width: Width | None = None

    def names(self) -> tuple[str, ...]:
        """The variables, in order of first appearance, those of the claim first."""
        return names(self.claim.term, *(a.term for a in self.assumptions))

    def formulas(self) -> tuple[Formula, ...]:
        """The assumptions, then the claim."""
        return (*self.assumptions, self.claim)

    def text(self) -> str:
        """The claim as it is shown."""
        return self.claim.text

    def division(self) -> str:
        """The rounding of the query, if some division depends on it."""
        roundings = (f.division for f in self.formulas() if any(n.op in ("//", "%") for n in walk(f.term)))
        return next((r for r in roundings if r != "floor"), "floor")

    def assumed(self) -> tuple[str, ...]:
        """The assumptions as text, without the bounds that the width gives."""
        bounds = [] if self.width is None else [b for name in self.names() for b in self.width.holds(name)]
        return tuple(a.text for a in self.assumptions if a.term not in bounds)

    def arithmetic(self) -> str:
        """The width of the integers in words, if it is stated."""
        return str(self.width) if self.width else ""

    def as_json(self) -> Json:
        """Claim and assumptions as formulas of a certificate."""
        assumed = [tree(a.term, a.division) for a in self.assumptions]
        return {"claim": tree(self.claim.term, self.claim.division), "assume": assumed}

    def refuted_by(self, values: dict[str, int]) -> bool:
        """Whether every assumption holds and the claim does not; undefined divisions refute nothing."""
        return self.allowed_at(values) and not self.claim.holds(values)

    def allowed_at(self, values: dict[str, int]) -> bool:
        """Whether the assumptions hold, and everything has a value: no divisor anywhere is 0."""
        try:
            return all([f.holds(values) for f in self.formulas()][:-1])
        except ZeroDivisionError:
            return False


class EqualChains(NamedTuple):
    """The claim that two chains of views of numbers have the same address at every index, or both none."""

    first: tuple[Any, ...]
    second: tuple[Any, ...]

    def text(self) -> str:
        """The claim as it is shown."""
        return " == ".join("; ".join(map(str, views)) for views in self)

    def assumed(self) -> tuple[str, ...]:
        """The assumptions as text: none."""
        return ()

    def division(self) -> str:
        """The rounding of quotients, which it has none of."""
        return "floor"


class EqualPrograms(NamedTuple):
    """The claim that both sides of a rule of programs of tensors are equal."""

    rule: Any
    assumptions: tuple[Formula, ...]

    def text(self) -> str:
        """The claim as it is shown."""
        return str(self.rule)

    def assumed(self) -> tuple[str, ...]:
        """The assumptions as text."""
        return tuple(a.text for a in self.assumptions)

    def division(self) -> str:
        """The rounding of quotients."""
        return "floor"


class Fold(NamedTuple):
    """A value that each element of a list updates: `first` for the empty list, `later` after one more element.

    In `later`, names of folds mean their values before the element.
    """

    name: str
    first: Term
    later: Term


class Folds(NamedTuple):
    """The folds of one list: the meaning of their names in a theorem.

    The elements are tuples of integers; `element` names their parts, and each element satisfies the formulas `each`, in
    which folds have their values before it. All other names are fixed along the list. `order_of` is a fold of the
    list that this one reorders; `over` is the integer of an induction over numbers.
    """

    folds: tuple[Fold, ...]
    each: tuple[Term, ...] = ()
    element: tuple[str, ...] = ()
    order_of: str = ""
    over: str = ""

    def names(self) -> tuple[str, ...]:
        """The names of the folds."""
        return tuple(f.name for f in self.folds)

    def first(self) -> dict[str, Term]:
        """The values for the empty list."""
        return {f.name: f.first for f in self.folds}

    def later(self) -> dict[str, Term]:
        """The values after one more element."""
        return {f.name: f.later for f in self.folds}

    def fixed(self) -> tuple[str, ...]:
        """The names that are fixed along the list."""
        return tuple(n for n in self.all_names() if n not in (*self.names(), *self.element))

    def all_names(self, given: Sequence[Term] = ()) -> tuple[str, ...]:
        """The names in the values, the conditions, and the given terms."""
        return names(*(t for f in self.folds for t in (f.first, f.later)), *self.each, *given)

    def as_json(self) -> Json:
        """The folds as in a certificate, with the conditions on each element."""
        folds = {f.name: [tree(f.first), tree(f.later)] for f in self.folds}
        return {"folds": folds, "each": list(map(tree, self.each))}

    def substituted(self, by: Mapping[str, Term]) -> Folds:
        """Substitutes values for fixed names, and renames folds and the parts of an element."""

        def named(name: str) -> Any:
            return by[name].args[0] if name in by else name

        return Folds(
            tuple(Fold(named(f.name), substituted(f.first, by), substituted(f.later, by)) for f in self.folds),
            tuple(substituted(e, by) for e in self.each),
            tuple(map(named, self.element)),
            named(self.order_of),
            named(self.over),
        )

    def __str__(self) -> str:
        from symview.logic.notation import joined, term_text  # slow to load: only printing needs it

        if self.over:
            start = term_text(self.first()[self.over])
            shown = [f for f in self.folds if f.name != self.over]
            return " and ".join(
                f"{name}({start}) = {term_text(first)} and {name}({self.over} + 1) = {term_text(later)}"
                for name, first, later in shown
            )
        folds = [f"{f.name} = {term_text(f.first)}, then {term_text(f.later)}" for f in self.folds]
        element = f"({', '.join(self.element)})" if len(self.element) > 1 else "".join(self.element) or "element"
        which = f"the list of {self.order_of} in any order" if self.order_of else "a list"
        return f"{'; '.join(folds)}; for each {element} of {which}" + (
            f" with {joined(self.each)}" if self.each else ""
        )


def other_element(folds: Folds, given: Sequence[Term]) -> dict[str, Term]:
    """Fresh names for the parts of a second element."""
    return {n: sym(fresh(f"{n}'", folds.all_names(given))) for n in folds.element}


def reordered(folds: Folds, given: Sequence[Term]) -> Folds:
    """The same folds over the list in any order, under fresh names."""
    again = {n: sym(fresh(f"{n}_again", folds.all_names(given))) for n in folds.names()}
    return folds.substituted(again)._replace(order_of=folds.names()[0])


def as_typed(statement: str, arithmetic: str) -> str:
    """The statement without the wraps of the arithmetic that is named beside it, as it was typed.

    >>> as_typed("wrap(wrap(x + 1, -128, 256)//2, -128, 256) > x", "8-bit signed")
    '(x + 1)//2 > x'
    """
    if not arithmetic:
        return statement
    from symview.logic.notation import parse_statement, term_text  # slow to load: only printing needs it

    try:
        stated = parse_statement(statement, wraps=True)
    except NotationError:  # about a list
        return statement
    return term_text(rewritten(stated, _without_wrap))


def _without_wrap(term: Term) -> Term:
    return term.args[0] if term.op == "wrap" else term


def first_wrapped(statement: str, arithmetic: str, values: Mapping[str, int], division: str) -> str:
    """The first operation of a statement whose result does not fit the arithmetic, and what becomes of it.

    >>> first_wrapped("wrap(x + 1, -128, 256) > x", "8-bit signed", {"x": 127}, "floor")
    'x + 1 = 128 becomes -128'
    """
    if not arithmetic:
        return ""
    from symview.logic.notation import parse_statement, term_text  # slow to load: only printing needs it

    try:
        wraps = sorted((t for t in walk(parse_statement(statement, wraps=True)) if t.op == "wrap"), key=node_count)
        for part in wraps:
            exact, kept = value_of(part.args[0], values, division), value_of(part, values, division)
            if exact != kept:
                return f"{term_text(rewritten(part, _without_wrap))} = {exact} becomes {kept}"
    except (NotationError, ZeroDivisionError):  # about a list; or a part that is not evaluated has no value
        pass
    return ""


def under(assumptions: Sequence[str], division: str, unstated: Sequence[str] = (), arithmetic: str = "") -> str:
    """What a verdict holds under, as text: its assumptions, the width of its integers, the rounding of divisions."""
    from symview.logic.notation import joined  # slow to load: only printing needs it

    stated = [as_typed(a, arithmetic) for a in assumptions if a not in unstated]
    given = f" given {joined(stated)}" if stated else ""
    missing = joined([as_typed(a, arithmetic) for a in unstated]) if unstated else ""
    given += f" if {missing}, which has to be assumed" if unstated else ""
    within = f" in {arithmetic} arithmetic" if arithmetic else ""
    return within + given if division == "floor" else f"{within} under {division} division{given}"
