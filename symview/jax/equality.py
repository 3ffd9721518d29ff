"""Whether two symbolic dims of JAX are equal at all values of their variables."""

from __future__ import annotations

from typing import Any

from symview.errors import InputError
from symview.jax.dims import constraints_of, positive, term_of
from symview.logic.budget import Budget
from symview.logic.terms import Term
from symview.proof.prover import prove
from symview.proof.verdicts import Verdict


def equal(a: Any, b: Any, budget: Budget | None = None) -> Verdict:
    """Whether two dims are equal at all values of their variables, 1 or more, that satisfy the scope's constraints.

    The answer is Proved, truthy; Refuted, falsy, with `values` at which they differ; or Unknown with a reason, whose
    `bool()` raises Undecided. JAX's own `==` compares normal forms, and is False if these differ. If a divisor may be
    0, the theorem is about the other values, and its `bool()` raises Undecided.

    Raises InputError for an argument that is not a dim, for dims of two scopes, and for contradictory constraints.

    >>> bool(equal(3, 3)), bool(equal(3, 4))
    (True, False)
    """
    scopes = {id(scope): scope for dim in (a, b) if (scope := getattr(dim, "scope", None)) is not None}
    if len(scopes) > 1:
        raise InputError(f"{a} and {b} are dims of two scopes: make both in one symbolic_shape, or with scope=")
    sides, stated = (term_of(a), term_of(b)), constraints_of(next(iter(scopes.values()), None))
    return prove(Term("==", sides), assume=(*positive((*sides, *stated)), *stated), budget=budget)
