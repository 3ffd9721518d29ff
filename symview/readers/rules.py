"""A rule that was read from a source, or why it was not."""

from __future__ import annotations

from dataclasses import dataclass, replace

from symview.readers.expressions import Stated

INTEGERS = ""  # a rule is about integers that do not wrap, and in types of these signs also about those that do
SIGNED, UNSIGNED = "i", "u"


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule in this project's notation; `reason` instead of a claim where it was not read.

    `path` is relative to the checkout, `where` the function that the rule stands in. `signs` has "i" or "u" where
    the rule is also used in signed or unsigned types that wrap, `constants` the names that its source calls so, and
    `around` the conditions around the rule that were not read: it is used less often than the claim says.
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

    @property
    def source(self) -> str:
        """Where the rule stands: file, line and function."""
        return f"{self.path}:{self.line}{f', {self.where}' if self.where else ''}"

    def saying(self, stated: Stated, name: str = "", constants: tuple[str, ...] = ()) -> Rule:
        """The rule with what it claims."""
        claim, assume, division = stated
        found = replace(self, name=name or self.name, claim=claim, assume=assume, division=division)
        return replace(found, constants=constants or self.constants)

    def unread(self, reason: object) -> Rule:
        """The rule with why it was not read."""
        return replace(self, reason=str(reason))
