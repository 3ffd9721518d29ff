"""Finds the user's line: the first frame that belongs neither to the DSL nor to symview's checks of it."""

from __future__ import annotations

import linecache
import sys
from types import FrameType
from typing import NamedTuple

_OURS = ("cutlass", "symview.dsl")


class Place(NamedTuple):
    """A line of a kernel."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}" if self.text else f"{self.file}:{self.line}"


def user_frame() -> FrameType | None:
    """The frame that called the DSL; None if there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_ours(str(frame.f_globals.get("__name__", ""))):
        frame = frame.f_back
    return frame


def _is_ours(module: str) -> bool:
    return any(module == name or module.startswith(f"{name}.") for name in _OURS)


def place_of(frame: FrameType | None) -> Place:
    """File, number and text of the frame's current line."""
    if frame is None:
        return Place("?", 0, "")
    file, line = frame.f_code.co_filename, frame.f_lineno
    return Place(file, line, linecache.getline(file, line, frame.f_globals).strip())
