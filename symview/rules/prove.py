"""The public `prove`: rules of programs are read as pieces, statements about integers go to the prover."""

from __future__ import annotations

from collections.abc import Sequence

from symview.errors import NotSupported
from symview.logic.budget import Budget
from symview.proof import prover
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
    """Proves or refutes a statement about integers for all their values, or a rule of programs for all sizes.

    A statement is text or sympy. `division` (floor, trunc, euclid) is the meaning of // and % in text. With `bits` (32
    or "i32", "u32") every result wraps to that width; None means integers without bounds. `by` are lemmas, proved
    theorems. A rule is `program == program` or its text; it takes no lemmas and no widths, and uses floor division.

    The answer is Proved, whose `rests_on` lists what it trusts; Refuted, at the smallest values found, checked in plain
    integers or on arrays; or Unknown with a reason, if the budget ends. If a divisor may be 0, the theorem assumes that
    it is not, and its `bool()` raises Undecided until `assume` states that.
    Raises InputError for text that cannot be read, for contradictory assumptions, for an assumption that no common name
    ties to the statement, and for rules that are never defined.

    >>> print(prove("(x + y)//2 == x//2 + y//2"))
    refuted: (x + y)//2 == x//2 + y//2  at x = 1, y = 1 (smallest): 1 on the left, 0 on the right
    >>> bool(prove("(x % m) % c == x % c", assume="c >= 1, m >= 1, m % c == 0")), bool(prove("x + 0 == x", bits="u8"))
    (True, True)
    >>> prove("x//a*a + x%a == x").assumptions
    ('a != 0',)
    >>> bool(prove("x(...,n).flip(-1).flip(-1) == x(...,n)"))
    True
    """
    if isinstance(statement, str) and is_about_programs(statement):
        statement = Rule.parse(statement)
    if isinstance(statement, Rule):
        if by or bits is not None:
            raise NotSupported("rules of programs take no lemmas and no widths: their indices are integers")
        return prove_rule(statement, assume, division, budget)
    return prover.prove(statement, assume, division, by, bits, budget)
