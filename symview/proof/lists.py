"""Values that are folded over a list of any length: how they are read, what is refused, how they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from symview.certificates import tree
from symview.displayed import Json
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.divisions import Formula
from symview.logic.notation import joined, parse_expression
from symview.logic.solve import HINT, Open, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, fresh, names, negated, substituted, sym


class Fold(NamedTuple):
    """A value that one element after the other changes: `first` for the empty list, `later` after one element more.

    In `later`, the names of folds stand for their values before the element.
    """

    name: str
    first: Term
    later: Term


class Folds(NamedTuple):
    """The folds of one list: what their names mean in a theorem.

    The elements are tuples of integers; `element` names their parts, and each element meets the formulas `each`, in
    which folds have their values before it. All other names stay the same along the list. `order_of` is a fold of the
    list of which this one is a reordering; `over` the integer that an induction over numbers counts.
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
        """The values after one element more."""
        return {f.name: f.later for f in self.folds}

    def fixed(self) -> tuple[str, ...]:
        """The names that stay the same along the list."""
        return tuple(n for n in self.all_names() if n not in (*self.names(), *self.element))

    def all_names(self, given: Sequence[Term] = ()) -> tuple[str, ...]:
        """The names in the values and conditions, and in what is given."""
        return names(*(t for f in self.folds for t in (f.first, f.later)), *self.each, *given)

    def as_json(self) -> Json:
        """The folds as a certificate has them, and what each element meets."""
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
        if self.over:
            start = to_text(self.first()[self.over])
            told = [f for f in self.folds if f.name != self.over]
            return " and ".join(
                f"{name}({start}) = {to_text(first)} and {name}({self.over} + 1) = {to_text(later)}"
                for name, first, later in told
            )
        told_folds = "; ".join(f"{name} = {to_text(first)}, then {to_text(later)}" for name, first, later in self.folds)
        element = f"({', '.join(self.element)})" if len(self.element) > 1 else "".join(self.element) or "element"
        which = f"the list of {self.order_of} in any order" if self.order_of else "a list"
        return f"{told_folds}; for each {element} of {which}" + (f" with {joined(self.each)}" if self.each else "")


def read_folds(
    folds: Mapping[str, tuple[str, str]], each: Sequence[Formula], stated: Sequence[Term], over: str = ""
) -> Folds:
    """The folds of a list; the names of `stated` and of first values are fixed, the others name the element.

    >>> print(read_folds({"P": ("1", "P*s")}, [], []))
    P = 1, then P*s; for each s of a list
    """
    if not folds:
        raise InputError("an induction over lists needs a fold: folds={'P': ('1', 'P*s')}")
    if odd := [f for f in folds if parse_expression(f) != sym(f)]:
        raise InputError(f"{odd[0]!r} is no name of a fold")
    found = tuple(Fold(f, parse_expression(first), parse_expression(later)) for f, (first, later) in folds.items())
    known = {f.name for f in found}
    for f in found:
        if known & set(names(f.first)):
            raise InputError(f"{f.name} starts at {to_text(f.first)}, which must not mention a fold")
    fixed = known.union(names(*stated, *(f.first for f in found)))
    element = tuple(n for n in names(*(f.later for f in found), *(e.term for e in each)) if n not in fixed and not over)
    return Folds(found, tuple(e.term for e in each), element, over=over)


def check_each(folds: Folds, given: Sequence[Term], budget: Budget) -> frozenset[str]:
    """Checks `each` and returns notes on it; raises InputError where it is no condition on elements.

    A condition on the folds alone would end every list at which it fails, and one that no first element meets leaves
    the empty list alone: theorems about such lists would say nothing.
    """
    brief = budget.at_most(HINT)
    notes = frozenset[str]()
    match solve((*given, *(substituted(e, folds.first()) for e in folds.each)), budget):
        case Unsat():
            empty = joined((*given, *folds.each))
            raise InputError(f"each: no first element meets {empty}: only the empty list would be left")
        case Open():
            notes = frozenset({"elements not shown to exist"})
    for condition in folds.each:
        differs = (*given, condition, negated(substituted(condition, other_element(folds, given))))
        if not set(names(condition)) & set(folds.element) or is_impossible(differs, brief):
            raise InputError(f"each: {to_text(condition)} says nothing about an element: it belongs to `given` or goes")
    return notes


def other_element(folds: Folds, given: Sequence[Term]) -> dict[str, Term]:
    """Names for the parts of a second element, that nothing else has."""
    return {n: sym(fresh(f"{n}'", folds.all_names(given))) for n in folds.element}


def reordered(folds: Folds, given: Sequence[Term]) -> Folds:
    """The same folds over the list in any order, under names that nothing else has."""
    again = {n: sym(fresh(f"{n}_again", folds.all_names(given))) for n in folds.names()}
    return folds.substituted(again)._replace(order_of=folds.names()[0])
