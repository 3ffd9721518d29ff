"""A formula with what its divisions mean, and terms as the lists that certificates have."""

from __future__ import annotations

from typing import Any, NamedTuple

from symview.logic.terms import Term, value_of


class Formula(NamedTuple):
    """One formula with the rounding that its divisions mean."""

    term: Term
    division: str

    @property
    def text(self) -> str:
        """The formula as it is shown: printed from the term, so that it says nothing else."""
        from symview.logic.notation import term_text  # slow to load: only printing needs it

        return term_text(self.term)

    def holds(self, values: dict[str, int]) -> bool:
        """Whether it is true at these values, in plain integers; ZeroDivisionError where it is undefined."""
        return bool(value_of(self.term, values, self.division))


def tree(term: Term | int, division: str = "floor") -> Any:
    """A formula or expression as lists: a number, a name, or ["op", operand, …]; the rounding goes with // and %."""
    if isinstance(term, int):
        return term
    op, args = term
    if op in ("int", "bool", "sym"):
        return args[0]
    rounding = "" if division == "floor" or op not in ("//", "%") else division
    return [op + rounding, *[tree(a, division) for a in args]]
