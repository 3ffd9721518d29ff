"""The interface to the solvers: do integers satisfy these formulas?

It runs several methods, from the fastest to the most expensive:

points      enumerates small values
linear      Z3, which is reliable for linear formulas
nonlinear   substitutes equations, splits disjunctions, and treats products as in `nonlinear`
bits        bounded integers as bit-vectors, for questions about bits: `bits`

The caller's budget says how many steps the answer is worth; the constants below are typical ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from symview.errors import InputError, NotSupported, Undecided
from symview.logic import bits
from symview.logic.arithmetic import KNOWN
from symview.logic.bit_places import in_few_bits
from symview.logic.budget import DEFAULT, Budget
from symview.logic.divisions import Formula, Removed, beyond_bounds, lower_bounds, remove_divisions
from symview.logic.nonlinear import BRIEF, decide
from symview.logic.points import all_hold, bounds_of, by_size, compiled
from symview.logic.polynomial import poly_of
from symview.logic.terms import (
    BITWISE,
    FALSE,
    LEAVES,
    RELATIONS,
    TRUE,
    Term,
    conj,
    conjuncts,
    divisors,
    fresh,
    names,
    negated,
    node_count,
    nonzero_divisors,
    num,
    replaced,
    substituted,
    sym,
    value_of,
    walk,
)
from symview.logic.z3_door import Answer, Open, Sat, Unsat, check

__all__ = [
    "CASE", "GLANCE", "HINT", "PATIENT", "REMARK", "Answer", "Open", "Sat", "Unsat", "is_impossible", "solve",
]  # fmt: skip

# The work that one question may take, in steps; Z3 does about three million per second
GLANCE = 100_000  # one of very many questions, whose answer only saves a case
HINT = 300_000  # one of many questions, whose answer saves cases
REMARK = BRIEF  # a simplification, which may stay undecided
CASE = 2_000_000  # whether a case is possible at all
PATIENT = 3_000_000  # the same with products, which may stay undecided with any budget

_MAX_POINTS, _FEW_POINTS = 300, 30
_WORK_PER_NODE_TRIED, _WORK_PER_NODE_REWRITTEN = 20, 25  # for points, and for removing divisions
_PLAIN = frozenset((*KNOWN, *RELATIONS))
_MAX_INSTANCES = 12  # most rounds of adding exact values of powers and bit operations
_MAX_SPLITS, _MAX_ALTERNATIVES = 4, 6  # the depth of splitting disjunctions, and their most parts


def solve(formulas: Iterable[Term | Formula], budget: Budget = DEFAULT) -> Answer:
    """Whether integers satisfy the formulas, which may contain products and divisions.

    Only values with nonzero divisors count; division is floor division, unless a `Formula` says otherwise. Sat has a
    model that was replayed in plain integers; Unsat holds for all integers; Open says why neither was found.

    >>> from symview.logic.notation import parse_statement
    >>> solve([parse_statement("x//y == 3 and y > 2 and x % y == 1 and x < 11")])
    Sat(model={'x': 10, 'y': 3})
    >>> solve([parse_statement("(x - x%z) % y != 0 and (z == y or z == -y)")])
    Unsat()
    """
    stated = list(dict.fromkeys(part for f in formulas for part in _parts(f)))
    if any(f.term == FALSE for f in stated):
        return Unsat()
    wanted = names(*(f.term for f in stated))
    if budget.is_over():
        return Open(budget.ending())
    if beyond_bounds([f.term for f in stated]):
        return Unsat()
    if all(is_linear(f.term) for f in stated) and all(f.division == "floor" for f in stated):
        return check([f.term for f in stated], budget)
    try:
        budget = budget.started()
        budget.count_for_all(_WORK_PER_NODE_TRIED * node_count(*(f.term for f in stated)))
        answer = _by_points(stated, wanted, min(_MAX_POINTS, budget.points)) or _on_bits(stated, budget)
        if not isinstance(answer, Sat | Unsat):
            answer = _nonlinear(stated, budget, _MAX_SPLITS)
        if isinstance(answer, Open) and not budget.is_over() and _has_bounds(stated, wanted):
            found = bits.check(stated, budget)
            answer = answer if isinstance(found, Open) else found
    except (InputError, NotSupported) as error:
        return Open(str(error))
    except Undecided as stop:
        return Open(stop.reason)
    if isinstance(answer, Sat):
        model = {n: answer.model.get(n, 0) for n in wanted}
        return (
            Sat(model) if _holds(stated, model) else Open("the values found so far break a definition of an operation")
        )
    return answer


def is_impossible(formulas: Iterable[Term | Formula], budget: Budget) -> bool:
    """Whether the formulas are provably unsatisfiable; tries small values first, which may avoid a solver."""
    stated = list(dict.fromkeys(part for f in formulas for part in _parts(f)))
    linear = all(f.term != FALSE and is_linear(f.term) for f in stated)
    found = _by_points(stated, names(*(f.term for f in stated)), min(_FEW_POINTS, budget.points)) if linear else None
    return isinstance(found or solve(stated, budget), Unsat)


def is_linear(term: Term) -> bool:
    """Whether the term multiplies no unknowns and divides by none."""
    if term.op in LEAVES:
        return True
    if term.op not in _PLAIN:
        return False
    if term.op == "*" and sum(bool(names(a)) for a in term.args) > 1:
        return False
    if term.op in ("//", "%") and (term.args[1].op != "int" or term.args[1].args[0] == 0):
        return False
    return all(map(is_linear, term.args))


def _parts(formula: Term | Formula) -> Iterator[Formula]:
    """The conjuncts of the formula, with negations moved inwards."""
    if not isinstance(formula, Formula):
        formula = Formula(formula, "floor")
    term = formula.term
    if term.op == "not" and term.args[0].op != "<->":
        inner = term.args[0]
        term = conj((inner.args[0], negated(inner.args[1]))) if inner.op == "->" else negated(inner)
        yield from _parts(formula._replace(term=term))
    elif term.op == "and":
        for part in conjuncts(term):
            yield from _parts(formula._replace(term=part))
    elif term != TRUE:
        yield formula


def _holds(stated: Sequence[Formula], values: dict[str, int]) -> bool:
    """Whether all formulas are defined and true at these values."""
    try:
        return all(f.holds(values) for f in stated)
    except ZeroDivisionError:
        return False


def _by_points(stated: Sequence[Formula], wanted: Sequence[str], count: int) -> Sat | Unsat | None:
    """Small values that satisfy the formulas; Unsat if none do, and bounds exclude all others."""
    tests = [compiled(f.term, wanted, f.division) for f in stated]
    points = by_size(bounds_of([f.term for f in stated], wanted))
    for point in islice(points, count):
        try:
            if all_hold(tests, point) and _holds(stated, values := dict(zip(wanted, point, strict=True))):
                return Sat(values)
        except ZeroDivisionError:
            continue
    return Unsat() if next(points, None) is None else None


def _on_bits(stated: Sequence[Formula], budget: Budget) -> Answer | None:
    """Decides a question about bits by bit-vectors, if bounds or `in_few_bits` limit their width."""
    if not any(node.op in BITWISE or node.op == "wrap" for f in stated for node in walk(f.term)):
        return None
    answer = bits.check(stated, budget.at_most(REMARK))
    few = in_few_bits(stated) if isinstance(answer, Open) else None
    if few is not None:
        answer = bits.check(few.formulas, budget.at_most(REMARK))
    return Open("bits of other terms") if few is not None and isinstance(answer, Sat) and not few.same else answer


def _has_bounds(stated: Sequence[Formula], wanted: Sequence[str]) -> bool:
    return all(None not in bounds for bounds in bounds_of([f.term for f in stated], wanted))


# Products and divisions


def _nonlinear(stated: Sequence[Formula], budget: Budget, depth: int) -> Answer:
    """Tries a short solver call; then splits a disjunction; then allows more work."""
    if budget.is_over():
        return Open(budget.ending())
    budget.count_for_all(_WORK_PER_NODE_REWRITTEN * node_count(*(f.term for f in stated)))
    stated, solved = _without_equations(stated)
    divided_by = [d for f in stated for d in divisors(f.term)]
    if any(f.term == FALSE for f in stated) or any(_is_polynomial(d) and not poly_of(d) for d in divided_by):
        return Unsat()
    answer = _on_bits(stated, budget) if solved or depth < _MAX_SPLITS else None
    if isinstance(answer, Unsat):
        return answer
    removed = remove_divisions(stated, names(*(f.term for f in stated)), lower_bounds(f.term for f in stated))
    question = (*removed.formulas, *removed.facts())
    answer = check(question, budget.at_most(REMARK))
    for _ in range(_MAX_INSTANCES):
        if not isinstance(answer, Sat) or not (wrong := list(_wrong(removed, answer.model))):
            break
        question = (*question, *wrong)
        answer = check(question, budget.at_most(REMARK))
    no_model = isinstance(answer, Open) or (isinstance(answer, Sat) and any(_wrong(removed, answer.model)))
    if no_model and depth and (cases := _alternatives(stated)):
        answer = _by_cases(cases, budget, depth - 1)
    elif isinstance(answer, Open):
        answer = decide(question, budget) if budget.work > BRIEF else answer
    if not isinstance(answer, Sat):
        return answer
    values = dict(answer.model)
    for name, by in reversed(solved):
        values[name] = int(value_of(by, {n: values.setdefault(n, 0) for n in names(by)}))
    return Sat(values)


def _wrong(removed: Removed, model: Mapping[str, int]) -> Iterator[Term]:
    """Facts with the exact values of operations that the model gets wrong: their definitions do not fix them."""
    for name, source in ((d.name, d.source) for d in removed.definitions if d.source is not None):
        at = [int(value_of(a, model)) for a in source.args]
        value = int(value_of(Term(source.op, tuple(map(num, at))), {}))
        if value != model[name]:
            here = conj(Term("==", (a, num(x))) for a, x in zip(source.args, at, strict=True))
            yield Term("->", (here, Term("==", (sym(name), num(value)))))


def _by_cases(cases: Iterable[Sequence[Formula]], budget: Budget, depth: int) -> Answer:
    """Solves each alternative."""
    left: Answer = Unsat()
    for case in cases:
        answer = _nonlinear(case, budget, depth)
        if isinstance(answer, Sat):
            return answer
        left = answer if isinstance(answer, Open) else left
    return left


def _alternatives(stated: Sequence[Formula]) -> list[list[Formula]]:
    """Splits a disjunction into its parts, or a choice into its values; empty if there is neither.

    Each alternative negates the earlier parts, so that they exclude one another.
    """
    found = [(len(f.term.args), n) for n, f in enumerate(stated) if f.term.op == "or"]
    if found and min(found)[0] <= _MAX_ALTERNATIVES:
        at = min(found)[1]
        chosen = stated[at]
        rest = [*stated[:at], *stated[at + 1 :], *(chosen._replace(term=d) for d in nonzero_divisors([chosen.term]))]
        cases = [conj((one, *map(negated, chosen.term.args[:n]))) for n, one in enumerate(chosen.term.args)]
        return [[*rest, *_parts(chosen._replace(term=case))] for case in cases]
    for f in stated:
        for node in walk(f.term):
            if node.op in ("min", "max", "abs", "if") and len(node.args) <= _MAX_ALTERNATIVES:
                needed = [f._replace(term=d) for d in nonzero_divisors([node])]
                return [
                    [*needed, *_parts(f._replace(term=where)), *_chosen(stated, f.division, node, value)]
                    for where, value in _values(node)
                ]
    return []


def _values(node: Term) -> list[tuple[Term, Term]]:
    """The cases of a choice: conditions, each with the value."""
    op, args = node
    if op == "if":
        return [(args[0], args[1]), (negated(args[0]), args[2])]
    if op == "abs":
        return [(Term(">=", (args[0], num(0))), args[0]), (Term("<", (args[0], num(0))), Term("neg", args))]
    no_worse, better = ("<=", "<") if op == "min" else (">=", ">")
    return [
        (conj(Term(better if m < n else no_worse, (one, other)) for m, other in enumerate(args) if m != n), one)
        for n, one in enumerate(args)
    ]


def _chosen(stated: Sequence[Formula], division: str, node: Term, value: Term) -> Iterator[Formula]:
    """Replaces a choice by its value in the formulas, where both mean the same."""
    divides = any(n.op in ("//", "%") for n in walk(node))
    for f in stated:
        yield from _parts(f if divides and f.division != division else f._replace(term=replaced(f.term, node, value)))


def _without_equations(stated: Sequence[Formula]) -> tuple[list[Formula], list[tuple[str, Term]]]:
    """Substitutes names that an equation expresses by others, so that equal divisors agree; and the substitutions.

    x % s == 0, for a name or number s, makes x a multiple of s.
    """
    left, solved = list(stated), list[tuple[str, Term]]()
    while (found := next(filter(None, (_solved_for(f, left) for f in left)), None)) is not None:
        equation, name, by, kept = found
        solved.append((name, by))
        left = [f for f in left if f is not equation] + ([] if kept is None else [kept])
        put = [f._replace(term=substituted(f.term, {name: by})) for f in left]
        left = list(dict.fromkeys(part for f in put for part in _parts(f)))
    return left, solved


def _solved_for(f: Formula, stated: Sequence[Formula]) -> tuple[Formula, str, Term, Formula | None] | None:
    """Solves an equation for a name: returns the equation, the name, its value, and the condition that remains."""
    if f.term.op != "==":
        return None
    for one, other in (f.term.args, f.term.args[::-1]):
        if one.op == "sym" and one.args[0] not in names(other) and _is_polynomial(other):
            return f, one.args[0], other, None
    one, other = f.term.args
    if one.op == "%" and other == num(0) and one.args[0].op == "sym" and one.args[1].op in ("sym", "int"):
        (name,), divisor = one.args[0].args, one.args[1]
        if divisor not in (one.args[0], num(0)):
            multiple = sym(fresh(f"{name}/{divisor.args[0]}", names(*(g.term for g in stated))))
            nonzero = f._replace(term=Term("!=", (divisor, num(0))))
            return f, name, Term("*", (divisor, multiple)), nonzero if divisor.op == "sym" else None
    return None


def _is_polynomial(term: Term) -> bool:
    return term.op in ("int", "sym") or (term.op in ("+", "-", "*", "neg") and all(map(_is_polynomial, term.args)))
