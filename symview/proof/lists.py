"""Values that are folded over a list of any length: parsing and checks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.divisions import Formula
from symview.logic.notation import joined, parse_expression
from symview.logic.solve import HINT, Open, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, names, negated, substituted, sym
from symview.proof.data import Fold, Folds, other_element


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
        raise InputError(f"{odd[0]!r} is not a name of a fold")
    found = tuple(Fold(f, parse_expression(first), parse_expression(later)) for f, (first, later) in folds.items())
    known = {f.name for f in found}
    for f in found:
        if known & set(names(f.first)):
            raise InputError(f"{f.name} starts at {to_text(f.first)}, which must not mention a fold")
    fixed = known.union(names(*stated, *(f.first for f in found)))
    element = tuple(n for n in names(*(f.later for f in found), *(e.term for e in each)) if n not in fixed and not over)
    return Folds(found, tuple(e.term for e in each), element, over=over)


def check_each(folds: Folds, given: Sequence[Term], budget: Budget) -> frozenset[str]:
    """Checks `each` and returns notes on it; raises InputError if it is not a condition on elements.

    A condition on the folds alone would end every list where it fails, and a condition that no first element satisfies
    would leave only the empty list: theorems about such lists would be vacuous.
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
            raise InputError(f"each: {to_text(condition)} does not restrict an element: move it to `given`, or drop it")
    return notes
