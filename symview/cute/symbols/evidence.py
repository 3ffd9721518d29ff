"""What must be impossible if the conditions of a composition are right, for a solver to confirm."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symview.cute.int_tuple import leaves
from symview.cute.layout import Layout
from symview.cute.symbols.cases import LayoutCaseData
from symview.cute.symbols.forms import ONE, Poly, form_of, zero
from symview.cute.symbols.question import Question, fixed_by, put
from symview.engine.row_space import RowSpace
from symview.logic.terms import Term, conj, disj, linear, negated, num, sym

Doubt = tuple[str, tuple[Term, ...]]


def doubts(question: Question, cases: Sequence[LayoutCaseData], facts: Sequence[Term]) -> Iterator[Doubt]:
    """Formulas that must not hold together, each with a description.

    The comparisons of the cases leave no values out and are about none twice; the equations imply
    all that is required; and where a composition's case requires no more than holds, no index has
    another value in its layout than in A ∘ B. No formulas at all: what is not checked.
    """
    places = list(dict.fromkeys(case.where for case in cases))
    yield "no case is about these values", (*facts, negated(disj(places)))
    for n, place in enumerate(places[1:], 1):
        yield "two cases are about these values", (*facts, place, disj(places[:n]))
    for case in cases:
        if len(case.forms) != len(case.required):
            required = conj(map(zero, case.forms))
            yield f"something else is required: {case}", (*facts, case.place(), negated(required))
    if question.operation == "composition":
        for case in cases:
            yield from _differences(question, case, facts)


def _differences(question: Question, case: LayoutCaseData, facts: Sequence[Term]) -> Iterator[Doubt]:
    """That an index has another value in the case's layout than in A ∘ B, though the equations hold."""
    outer, inner = (put(a, fixed_by([*facts, *case.asked])) for a in question.args)
    if case.layout is None:
        return
    of_numbers = all(type(n) is int for layout in (outer, case.layout) for n in leaves(layout.shape))
    if not isinstance(inner, Layout) or not inner.numeric or not of_numbers:
        yield f"not checked, since sizes or B have symbols there, or B is a tuple: {case}", ()
        return
    index = [sym(f"x{n}") for n in range(len(case.layout.flat()))]
    inside = [
        Term(op, (x, num(bound)))
        for x, (n, _) in zip(index, case.layout.flat(), strict=True)
        for op, bound in ((">=", 0), ("<", n))
    ]
    digits = _digits(outer, linear(zip(_steps(inner, case.layout), index, strict=True)))
    parts = [*zip(_forms(outer), digits, strict=True)]
    parts += [({m: -c for m, c in f.items()}, x) for f, x in zip(_forms(case.layout), index, strict=True)]
    differ = [Term("!=", (total, num(0))) for total in _along_solutions(parts, case.forms)]
    yield f"an index at which the layout differs: {case}", (*inside, disj(differ))


def _forms(layout: Layout) -> list[Poly]:
    return [form_of(d) for _, d in layout.flat()]


def _along_solutions(parts: Sequence[tuple[Poly, Term]], equations: Sequence[Poly]) -> Iterator[Term]:
    """Σ form·term, for a basis of the values of the monomials that satisfy the equations."""
    order = list(dict.fromkeys([*(m for f in [*equations, *(f for f, _ in parts)] for m in f if m), ONE]))
    rows = ([f.get(m, 0) for m in order] for f in equations)
    for values in RowSpace(len(order), rows).complement():
        at = dict(zip(order, values, strict=True))
        weights = [sum(c * at[m] for m, c in form.items()) for form, _ in parts]
        if any(weights):
            yield linear(zip(weights, [term for _, term in parts], strict=True))


def _digits(outer: Layout, value: Term) -> list[Term]:
    """The digits of an index of A; the last mode goes on."""
    found, place = [], 1
    for number, (n, _) in enumerate(outer.flat()):
        whole = value if place == 1 else Term("//", (value, num(place)))
        found.append(whole if number == len(outer.flat()) - 1 else Term("%", (whole, num(n))))
        place *= n
    return found


def _steps(inner: Layout, layout: Layout) -> list[int]:
    """B's step for each part of the modes of a layout that refines B."""
    sizes = iter([n for n, _ in layout.flat()])
    found = []
    for size, step in inner.flat():
        done = 1
        while True:
            n = next(sizes)
            found.append(step * done)
            done *= n
            if done >= size:
                break
    return found
