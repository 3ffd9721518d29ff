"""The public `prove`: statements about integers go to the kernel."""

from __future__ import annotations

from collections.abc import Sequence

from symview.errors import NotSupported
from symview.logic.budget import Budget
from symview.proof import kernel
from symview.proof.statement import Statement
from symview.proof.verdicts import Proved, Verdict
from symview.rules.programs.notation import is_about_programs
from symview.rules.programs.program import Rule
from symview.rules.programs.proving import prove_rule


def prove(
    statement: Statement,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    by: Sequence[Proved] = (),
    bits: int | str | None = None,
    budget: Budget | None = None,
) -> Verdict:
    """Proves or refutes a statement about all integers that meet the assumptions: see `symview.proof.kernel.prove`."""
    if isinstance(statement, str) and is_about_programs(statement):
        statement = Rule.parse(statement)
    if isinstance(statement, Rule):
        if by or bits is not None:
            raise NotSupported("rules of programs take no lemmas and no widths: their indices are integers")
        return prove_rule(statement, assume, division, budget)
    return kernel.prove(statement, assume, division, by, bits, budget)
