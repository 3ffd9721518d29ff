"""Do integers satisfy formulas with products? Four ways, from the quickest to the most patient.

1. Z3's own nonlinear arithmetic, briefly: it settles most questions at once and never returns from others.
2. Case by case, by the residues of the variables modulo the constant coefficients, where these are few.
3. The linear relaxation (`relaxation`). Where that gets stuck, equations are conjectured from its model and proved
   as lemmas of their own, each then used to remove a variable.
4. Z3's nonlinear arithmetic again, for as long as the budget allows.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import product
from math import lcm
from typing import NamedTuple

from symview.errors import NotSupported
from symview.logic.budget import DEFAULT, Budget
from symview.logic.polynomial import Poly, compared, forms
from symview.logic.relaxation import Linearised
from symview.logic.terms import Term, names, num, sym, unused
from symview.logic.z3_door import Answer, Open, Sat, Unsat, check

BRIEF, _STEP = 700_000, 3_000_000  # Z3 does about three million steps a second
_ROUNDS, _LEMMA_ROUNDS = 60, 30
_LEMMAS, _CONJECTURES = 6, 12
RESIDUES = 36


def decide(formulas: Iterable[Term], budget: Budget = DEFAULT, briefly: Answer | None = None) -> Answer:
    """Whether integers satisfy all the division-free formulas; products of unknowns are allowed.

    Sat carries a model of the formulas themselves, replayed in plain integers; Unsat holds for all integers;
    Open says why neither was found within the budget. `briefly`: what Z3 said to it already, if asked
    for a moment.

    >>> from symview.logic.notation import parse_statement
    >>> decide([parse_statement("a*b < 0 and a >= 0 and b >= 0")])
    Unsat()
    """
    formulas = tuple(formulas)
    answer = check(formulas, budget.at_most(BRIEF)) if briefly is None else briefly
    if not isinstance(answer, Open) or budget.work <= BRIEF:
        return answer
    with suppress(NotSupported):  # too large to expand: only Z3 itself can still settle it
        answer = _by_residues(formulas, budget.at_most(_STEP))
        if isinstance(answer, Open):
            answer, _ = by_lemmas(formulas, budget.at_most(_STEP))
        if not isinstance(answer, Open):
            return answer
    return check(formulas, budget)


def _by_residues(formulas: tuple[Term, ...], budget: Budget) -> Answer:
    """Each variable that is multiplied with another, or itself, as m·u + r for every r below m."""
    bounded = forms(formulas)
    multiplied = list(dict.fromkeys(n for f in bounded for m in f if len(m) > 1 for n in m))
    modulus = lcm(*(c for f in bounded for m, c in f.items() if len(m) == 1))
    if modulus < 2 or modulus ** len(multiplied) > RESIDUES:
        return Open("too many residues")
    for residues in product(range(modulus), repeat=len(multiplied)):
        case = []
        for name, residue in zip(multiplied, residues, strict=True):
            multiple = Term("*", (num(modulus), sym(unused(f"{name}//{modulus}", formulas))))
            case.append(Term("==", (sym(name), Term("+", (multiple, num(residue))))))
        answer = Linearised((*formulas, *case), budget).decide(_LEMMA_ROUNDS)
        if isinstance(answer, Sat):
            return Sat({n: answer.model[n] for n in names(*formulas)})
        if isinstance(answer, Open):
            return answer
    return Unsat()


class Stage(NamedTuple):
    """A relaxation that shows that this polynomial is 0, or, without one, that nothing satisfies the formulas."""

    zero: Poly | None
    attempt: Linearised


def by_lemmas(formulas: tuple[Term, ...], budget: Budget) -> tuple[Answer, list[Stage]]:
    """The relaxation, with equations that it was stuck without proved and added; and the stages to the answer.

    >>> from symview.logic.notation import parse_statement
    >>> answer, [last] = by_lemmas((parse_statement("a*b < 0 and a >= 0 and b >= 0"),), DEFAULT)
    >>> answer, last.zero, last.attempt.products()[0]
    (Unsat(), None, ({('a',): 1}, {('b',): 1}))
    """
    found = list[Stage]()
    for _ in range(_LEMMAS):
        attempt = Linearised(formulas, budget)
        answer = attempt.decide(_ROUNDS)
        if not isinstance(answer, Open):
            return answer, [*found, Stage(None, attempt)]
        stages = (_lemma(e, formulas, budget) for e in attempt.conjectures()[:_CONJECTURES])
        if (stage := next(filter(None, stages), None)) is None or stage.zero is None:
            return answer, found
        found.append(stage)
        formulas = (*formulas, compared("==", stage.zero))
    return Open("no lemma settles it"), found


def _lemma(e: Poly, formulas: tuple[Term, ...], budget: Budget) -> Stage | None:
    """How it is seen that the formulas leave no integers at which e is not 0, if it is."""
    attempt = Linearised((*formulas, compared("!=", e)), budget)
    return Stage(e, attempt) if isinstance(attempt.decide(_LEMMA_ROUNDS, about=e), Unsat) else None
