"""The errors of the layout algebra."""

from __future__ import annotations

from symview.errors import InputError
from symview.tensors import an_array, is_array


class LayoutError(InputError):
    """The arguments do not fit the operation; the message says which, and what is required.

    Two errors are equal if their type and message are.
    """

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LayoutError) and type(self) is type(other) and self.args == other.args

    def __hash__(self) -> int:
        return hash((type(self), self.args))


class NoAnswer(LayoutError):
    """The arguments fit, and it is proved that no layout of the requested kind exists."""


def no_layout(what: str, given: object, otherwise: str = "") -> LayoutError:
    """The error for an argument that has to be a layout; for text it says how to parse one."""
    if is_array(given):
        return LayoutError(f"{what}: {an_array(given)} is not a layout: give Layout.from_view(View.of(x))")
    hint = "; write Layout(shape, strides) or Layout.parse(text)" if isinstance(given, str) else ""
    return LayoutError(f"{what}: {given!r} is not a layout{otherwise}{hint}")
