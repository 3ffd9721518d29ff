"""The one question to the solvers: do integers satisfy these formulas?"""

from __future__ import annotations

from collections.abc import Sequence

from symview.errors import InputError, NotSupported
from symview.logic import nonlinear
from symview.logic.budget import Budget
from symview.logic.divisions import Formula, remove_divisions
from symview.logic.points import true_at
from symview.logic.terms import Term, names
from symview.logic.z3_door import Answer, Open, Sat


def settle(formulas: Sequence[Term], budget: Budget) -> Answer:
    """Whether integers satisfy the formulas, products and divisions among them."""
    try:
        removed = remove_divisions([Formula(f, "floor", "") for f in formulas], names(*formulas))
        answer = nonlinear.decide((*removed.formulas, *removed.facts()), budget)
    except (InputError, NotSupported) as error:
        return Open(str(error))
    if isinstance(answer, Sat):
        model = {n: answer.model.get(n, 0) for n in names(*formulas)}
        return Sat(model) if true_at(formulas, model) else Open("a model divides by 0")
    return answer
