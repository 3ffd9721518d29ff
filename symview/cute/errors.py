"""The errors of the layout algebra."""

from __future__ import annotations

from symview.errors import InputError


class LayoutError(InputError):
    """The arguments do not fit the operation; the message says which, and what is required."""


class NoAnswer(LayoutError):
    """The arguments fit, and it is proved that no layout of the kind asked for exists."""
