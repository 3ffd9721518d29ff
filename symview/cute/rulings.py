"""A yes or no with its reason."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Ruling:
    """Whether something holds, and why; its truth is that.

    >>> bool(Ruling(False, "4 does not divide 6")), str(Ruling(True, "6 divides 12"))
    (False, 'yes: 6 divides 12')
    """

    holds: bool
    reason: str

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return f"{'yes' if self.holds else 'no'}: {self.reason}"
