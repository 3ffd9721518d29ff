"""A rule read from a source, or the reason why it could not be read."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symview.logic.notation import parse_statement
from symview.logic.terms import Term
from symview.readers.expressions import Stated

INTEGERS = ""  # rules are about integers that do not wrap; with these signs also about wrapping types
SIGNED, UNSIGNED = "i", "u"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in this project's notation; if it could not be read, it has a `reason` instead of a claim.

    `path` is relative to the checkout, `where` the enclosing function. `signs` contains "i" or "u" if the rule is also
    used in signed or unsigned wrapping types. `constants` are the names that its source uses for constants. `around`
    are the conditions around the rule that were not read: it is used less often than the claim says.
    """

    name: str
    path: str
    line: int
    where: str = ""
    claim: str = ""
    assume: tuple[str, ...] = ()
    division: str = "floor"
    signs: str = INTEGERS
    constants: tuple[str, ...] = ()
    around: tuple[str, ...] = ()
    reason: str = ""

    def given(self) -> list[Term]:
        """The assumptions as formulas; sources also test names that their rules do not use."""
        return list(map(parse_statement, self.assume))

    @property
    def source(self) -> str:
        """The place of the rule: file, line and function."""
        return f"{self.path}:{self.line}{f', {self.where}' if self.where else ''}"

    def saying(self, stated: Stated, name: str = "", constants: tuple[str, ...] = ()) -> Rule:
        """The rule with its claim."""
        claim, assume, division = stated
        found = replace(self, name=name or self.name, claim=claim, assume=assume, division=division)
        return replace(found, constants=constants or self.constants)

    def unread(self, reason: object) -> Rule:
        """The rule with the reason why it could not be read."""
        return replace(self, reason=str(reason))
