"""When a coordinate with symbols is below a bound, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from symview.answers import CaseData, ConditionsData, Status
from symview.cases.conditions import Conditions
from symview.cases.question import Question
from symview.counterexample import Counterexample, Kind
from symview.logic.budget import DEFAULT, Budget
from symview.logic.sympy_bridge import to_term
from symview.logic.terms import Term, conj, negated, value_of


def below_conditions(pairs: Sequence[tuple[Any, Any]]) -> bool | Conditions[bool]:
    """When the first entry of each pair is below the second; the symbols are any integers."""
    known = [a + 1 <= b for a, b in pairs]
    claims = [
        Term("<", (to_term(a), to_term(b))) for (a, b), claim in zip(pairs, known, strict=True) if claim is not True
    ]
    if False in known or not claims:
        return not claims
    cases = CaseData(conj(claims), Status.ALWAYS), CaseData(negated(conj(claims)), Status.NEVER)
    return Conditions(AllBelow(tuple(pairs)), ConditionsData((), cases, (), (), tuple(claims)), DEFAULT)


@dataclass(frozen=True, slots=True)
class AllBelow(Question[bool]):
    """Whether the first entry of each pair is below the second.

    >>> from symview.cute import elem_less, symbols
    >>> m, k = symbols("m, k")
    >>> found = elem_less((m + 1, 3), (8, k))
    >>> print(found, found.holds({"m": 6, "k": 4}), found.counterexample(), sep="; ")
    m + 1 < 8 and 3 < k; True; with m = 0, k = 0: 3 is not below 0
    """

    pairs: tuple[tuple[Any, Any], ...]

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return "every entry is below its bound"

    def __str__(self) -> str:
        return " and ".join(f"{a} < {b}" for a, b in self.pairs)

    def put(self, values: Mapping[str, int]) -> AllBelow:
        """Substitutes numbers for the symbols."""
        return AllBelow(tuple([(value_of(to_term(a), values), value_of(to_term(b), values)) for a, b in self.pairs]))

    def entries(self) -> list[Any]:
        """Coordinates and bounds."""
        return [x for pair in self.pairs for x in pair]

    def sizes(self) -> list[Any]:
        """None: a bound may be any integer."""
        return []

    def at(self, values: Mapping[str, int], budget: Budget = DEFAULT) -> bool | Counterexample:
        """True, or the first entry that is not below its bound."""
        for n, (a, b) in enumerate(self.put(values).pairs):
            if a >= b:
                return Counterexample(
                    Kind.OUT_OF_BOUNDS, (a,), n, b, a, values=dict(values), reason=f"{a} is not below {b}"
                )
        return True

    def stated(self, case: CaseData, values: Mapping[str, int]) -> bool:
        """The same for numbers."""
        return True

    def example_text(self, answer: bool | None, broken: Counterexample | None) -> str:
        """The statement with its numbers, or the entry that is not below."""
        return str(self) if broken is None else str(broken.reason)

    def head(self) -> dict[str, Any]:
        """The question, for JSON."""
        return {"question": "elem_less", "pairs": [[str(a), str(b)] for a, b in self.pairs]}
