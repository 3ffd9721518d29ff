"""Whether a statement is closed: every name in it is bound by it, so that its printed line says what it is about."""

from __future__ import annotations

from typing import Any

from symview.trusted.document import View
from symview.trusted.formulas import FORMULAS, RELATIONS, names
from symview.verify.nodes import Along, Chain, Operation, Program, Property, Rule, entries


def free(node: Any) -> set[str]:
    """The names that nothing binds."""
    if type(node) is not tuple:
        return {node} if type(node) is str else set()
    op, *of = node
    if op in RELATIONS:
        return {*names(node)}
    if op == "given":
        return set[str]().union(*map(free, (*of[0], of[1])))
    if op in ("all", "at"):
        return free(of[1]).difference(of[0])
    if op == "along":
        one: Along = of[0]
        return ({*one.names()} - one.own | free(of[1])).difference(one.folds)
    if op in FORMULAS:
        return set[str]().union(*map(free, of))
    if op == "one_of":
        return {*names(*of[0])}
    return set[str]().union(*map(_mentioned, () if op == "open" else of))


def _mentioned(one: Any) -> set[str]:
    """The names of views, layouts and programs, and of what is said of them."""
    if isinstance(one, View):
        return {*names(*one.entries())}
    if isinstance(one, Chain):
        return {*names(one.fits)}.union(*map(_mentioned, one.views))
    if isinstance(one, Property):
        return _mentioned(one.view)
    if isinstance(one, Operation):
        bound = [] if one.bound is None else [one.bound]
        return {*names(*bound, *(one.shape or ()), *[x for given in one.layouts for x in entries(given)])}
    if isinstance(one, Rule):
        return {n for side in (one.left, one.right) for n in _of_program(side)}
    if isinstance(one, tuple) and one and isinstance(one[0], View):
        return set[str]().union(*map(_mentioned, one))
    return {*names(*entries(one))} if isinstance(one, list) or (type(one) is tuple and len(one) == 2) else set()


def _of_program(one: Program) -> set[str]:
    found = {*names(*one.shape)}
    for _, *given in one.steps:
        for x in given:
            found |= _of_program(x) if isinstance(x, Program) else _mentioned(x) if isinstance(x, View) else {*names(x)}
    return found
