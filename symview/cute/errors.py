"""The errors of the layout algebra."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symview.errors import InputError

if TYPE_CHECKING:
    from symview.cute.composition_failure import NoLayout


class LayoutError(InputError):
    """The arguments do not fit the operation; the message says which, and what is required."""


class NoAnswer(LayoutError):
    """The arguments fit, and it is proved that no layout of the kind asked for exists."""


class NoComposition(NoAnswer):
    """No layout is the composition; `found` says where it stops being one, and is asked only then."""

    def __init__(self, found: NoLayout) -> None:
        self.found = found
        super().__init__(found)

    def __str__(self) -> str:
        return str(self.found)
