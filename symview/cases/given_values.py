"""Reads values for the symbols of conditions, and evaluates formulas at them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from symview.answers import ConditionsData
from symview.counterexample import values_text
from symview.errors import InputError, unknown_name
from symview.logic.notation import term_text
from symview.logic.points import compiled
from symview.logic.sympy_bridge import domain
from symview.logic.terms import Term, names, value_of

_POSITIVE = "sizes are positive, and the names in them, unless assumed otherwise"


def read_values(values: Mapping[Any, int], known: Mapping[str, Any], question: ConditionsData) -> dict[str, int]:
    """The values by name; InputError for an unknown symbol, a value that is no int, or that breaks an assumption."""
    if not isinstance(values, Mapping):
        raise InputError(f"values {values!r}: give numbers by name, as in {{'n': 3}}")
    given: dict[str, int] = {}
    for key, value in values.items():
        name = key if isinstance(key, str) else getattr(key, "name", None)
        if name is None or name not in known:
            raise InputError(unknown_name(name or repr(key), known))
        if type(value) is not int:
            raise InputError(f"{name} = {value!r}: give an int")
        given[name] = value
        if not all(value_of(fact, given) for fact in domain(known[name])):
            raise InputError(f"{name} = {value} contradicts what the symbol was declared as")
    for fact in question.assumed:
        reading = value_of if fact in question.facts else _from_left  # values without a value of a fact are rejected
        if all(n in given for n in names(fact)) and not evaluate(fact, given, reading):
            raise InputError(f"these values contradict the assumption {term_text(fact)}")
    for fact in question.facts:
        if all(n in given for n in names(fact)) and not evaluate(fact, given, value_of):
            shown = values_text({n: given[n] for n in names(fact)})
            raise InputError(f"{shown} contradicts {term_text(fact)}; {_POSITIVE}")
    return given


def all_hold(clauses: Sequence[Term], given: Mapping[str, int]) -> bool:
    """Whether every clause holds; a division by 0 is raised only if no other clause fails."""
    divided = None
    for clause in clauses:
        try:
            if not evaluate(clause, given):
                return False
        except InputError as error:
            if any(n not in given for n in names(*clauses)):
                raise
            divided = error
    if divided is not None:
        raise divided
    return True


def _from_left(term: Term, given: Mapping[str, int]) -> int | bool:
    """The value, evaluated from left to right with short circuits."""
    order = tuple(given)
    return _reader(term, order)([given[n] for n in order])


@lru_cache(256)
def _reader(term: Term, order: tuple[str, ...]) -> Callable[[Sequence[int]], int | bool]:
    """The compiled formula, cached: one condition is often evaluated at many values."""
    return compiled(term, order, "floor")


_names = lru_cache(256)(names)


def evaluate(
    term: Term, given: Mapping[str, int], value: Callable[[Term, Mapping[str, int]], int | bool] = _from_left
) -> int | bool:
    """The value of the formula; InputError if a value is missing, or a divisor is 0."""
    missing = [n for n in _names(term) if n not in given]
    if missing:
        raise InputError(f"missing value for {', '.join(missing)}: give each of {', '.join(names(term))}")
    try:
        return value(term, given)
    except ZeroDivisionError:
        raise InputError(f"{term_text(term)}: a divisor is 0 at these values") from None
