"""Reports where a program copies tensors for another layout: the line, the bytes, where it breaks, how to avoid it."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from weakref import ref

from symview.counterexample import Counterexample
from symview.logic.budget import DEFAULT
from symview.show.grid import Grid
from symview.show.sarif import finding, sarif
from symview.torch.places import Place, here, short
from symview.view import View, reshaped, target_shape
from symview.view_notation import tuple_text
from symview.views.reshaping import why_not
from symview.views.stride_faults import fault_of

_ORDERS = {4: (1, 3, 2, 0), 5: (1, 4, 3, 2, 0)}  # of channels-last formats, the fastest dim first
_REMEMBERED = 16  # copies that may still be viewed
_MATRIX = "as a matrix it needs stride 1 in one dim, rows apart"


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy for another layout, and how often it was made at this line.

    `operation`: the function of PyTorch that was called. `layout`: sizes and strides of the tensor before. `shape`: the
    requested sizes, for a reshape. `bytes`: the total of all times. `breaks`: the first index whose element moves.
    `instead`: how to avoid the copy, if that is known.
    """

    place: Place
    operation: str
    layout: str
    shape: tuple[int, ...] | None
    bytes: int
    times: int = 1
    breaks: str = ""
    instead: str = ""
    library: Place | None = None

    @property
    def what(self) -> str:
        """The operation with its tensor."""
        return f"{self.operation} of {self.layout}" + ("" if self.shape is None else f" to {tuple_text(self.shape)}")

    @property
    def where(self) -> str:
        """The line, and who called it if it is a library's."""
        return str(self.place) if self.library is None else f"{self.library}, called from {self.place}"

    def __str__(self) -> str:
        parts = [f"{self.what} copies {_bytes(self.bytes)}", *([self.breaks] if self.breaks else [])]
        return f"{self.where}: {': '.join(parts)}" + (f"; {self.instead}" if self.instead else "")

    def to_dict(self) -> dict[str, Any]:
        """The copy for JSON."""
        return {
            "file": self.place.file, "line": self.place.line, "code": self.place.code,
            "library": self.library and self.library._asdict(), "operation": self.operation,
            "layout": self.layout, "shape": None if self.shape is None else list(self.shape), "bytes": self.bytes,
            "times": self.times, "breaks": self.breaks or None, "instead": self.instead or None,
        }  # fmt: skip


@dataclass(slots=True)
class CopyReport:
    """The copies of a program, in the order in which they first happen; similar copies of one line are counted as one.

    `unread`: the number of copies of tensors with symbolic sizes, for which no index can be shown.
    """

    copies: list[Copy] = field(default_factory=list)
    unread: int = 0

    @property
    def bytes(self) -> int:
        """The total of all copies."""
        return sum(c.bytes for c in self.copies)

    def __len__(self) -> int:
        return sum(c.times for c in self.copies)

    def __str__(self) -> str:
        return "\n".join(map(str, self.copies)) or "no copies"

    def grid(self) -> Grid:
        """The copies as a table, those of most bytes first."""
        rows = [
            (c.where, c.what, str(c.times), _bytes(c.bytes), c.breaks, c.instead)
            for c in sorted(self.copies, key=lambda c: -c.bytes)
        ]
        return Grid(("where", "copies", "times", "bytes", "breaks", "instead"), tuple(rows))

    def to_dict(self) -> dict[str, Any]:
        """The report for JSON."""
        return {"copies": [c.to_dict() for c in self.copies], "bytes": self.bytes}

    def to_sarif(self, version: str, stopped: str = "") -> dict[str, Any]:
        """The report in SARIF 2.1.0, the format of code reviews; paths are relative to the working directory.

        `stopped`: where and why the program stopped before its end, if it did.
        """
        operations = sorted({c.operation for c in self.copies})
        rules = {f"copy/{name}": f"{name} lays out a tensor anew by a copy" for name in operations}
        return sarif(version, rules, list(map(_sarif_result, self.copies)), stopped)

    def add(self, copy: Copy) -> int:
        """Adds a copy, and returns its number."""
        for n, known in enumerate(self.copies):
            if replace(known, times=1, bytes=0, instead="") == replace(copy, bytes=0, instead=""):
                self.copies[n] = replace(known, times=known.times + 1, bytes=known.bytes + copy.bytes)
                return n
        self.copies.append(copy)
        return len(self.copies) - 1


def _sarif_result(copy: Copy) -> dict[str, Any]:
    file = Path(short(copy.place.file))
    uri = file.as_uri() if file.is_absolute() else file.as_posix()
    text = str(copy).removeprefix(f"{copy.where}: ")
    found = finding(f"copy/{copy.operation}", "warning", text, uri, copy.place.line)
    return {**found, "properties": {"bytes": copy.bytes, "times": copy.times}}


class Copies:
    """Receives what is observed: clones, views of these, matrix products."""

    def __init__(self, report: CopyReport) -> None:
        self.report = report
        self.multiplying = 0  # matrix products that run
        self.recent = deque[tuple[Any, View, Copy, int]](maxlen=_REMEMBERED)

    def cloned(self, before: Any, after: Any, channels_last: bool | None, moves: bool = False) -> None:
        """Records that a tensor was cloned into a memory format; `moves`: it counts in any case."""
        view = self._read(before)
        if view is None:
            return
        order = _ORDERS[view.rank] if channels_last else tuple(reversed(range(view.rank)))
        fault = fault_of(view, "contiguous", False, order, DEFAULT)
        if fault is None and not (moves or self.multiplying):
            return
        breaks = _MATRIX if self.multiplying else "copy=True asks for it" if fault is None else str(fault)
        copy = self._copy("clone", view, after, breaks)
        self.recent.append((ref(after), view, copy, self.report.add(copy)))

    def multiplied(self, matrix: Any) -> None:
        """Records a matrix product: kernels copy a matrix unless one stride is 1 and the other at least that size."""
        view = self._read(matrix)
        if view is None or 0 in view.shape:
            return
        (rows, columns), (down, along) = view.shape, view.strides
        if not ((along == 1 and down >= columns) or (down == 1 and along >= rows)):
            self.report.add(self._copy("mm", view, matrix, _MATRIX))

    def _copy(self, operation: str, view: View, tensor: Any, breaks: str) -> Copy:
        """A copy of so many elements as the tensor has, at the running line."""
        site, size = here(), tensor.numel() * tensor.element_size()
        return Copy(site.place, site.call or operation, str(view), None, size, 1, breaks, library=site.library)

    def _read(self, tensor: Any) -> View | None:
        """The tensor as a view, without its offset; None, and counted, if sizes or strides are symbols."""
        if all(isinstance(n, int) for n in (*tensor.shape, *tensor.stride())):
            return View(tuple(tensor.shape), tuple(tensor.stride()))
        self.report.unread += 1
        return None

    def viewed(self, tensor: Any, shape: Sequence[int], of_reshape: bool) -> None:
        """Records that a tensor was viewed; if it is a recent copy, completes the report on that."""
        found = next((n for n, recent in enumerate(self.recent) if recent[0]() is tensor), None)
        if found is None:
            return
        _, view, copy, number = self.recent[found]
        del self.recent[found]
        there, known = reshaped(view, target_shape(view, shape), None), self.report.copies[number]
        if of_reshape:
            self._without(number, copy)
            breaks = str(there) if isinstance(there, Counterexample) else ""
            self.report.add(replace(copy, shape=tuple(shape), breaks=breaks, instead=_other_strides(view, shape)))
        elif isinstance(there, View) and not known.instead:
            instead = f"the view to {tuple_text(tuple(shape))} after it needs no copy"
            self.report.copies[number] = replace(known, instead=instead)

    def _without(self, number: int, copy: Copy) -> None:
        """Removes one occurrence of a copy."""
        known = self.report.copies[number]
        if known.times > 1:
            self.report.copies[number] = replace(known, times=known.times - 1, bytes=known.bytes - copy.bytes)
            return
        del self.report.copies[number]
        self.recent = deque(
            ((t, v, c, n - (n > number)) for t, v, c, n in self.recent if n != number), maxlen=_REMEMBERED
        )


def _other_strides(view: View, shape: Sequence[int]) -> str:
    """The strides that would make it a view; empty if they would change expanded dims."""
    strides = list(view.strides)
    for obstacle in reversed(why_not(view, tuple(shape))):
        outer, inner = obstacle.dims
        strides[outer] = view.shape[inner] * strides[inner]
    changed = [axis for axis, (old, new) in enumerate(zip(view.strides, strides, strict=True)) if old != new]
    there = reshaped(View(view.shape, strides), target_shape(view, shape), None)
    if not isinstance(there, View) or not changed or 0 in view.strides:
        return ""
    return "a view if " + " and ".join(f"stride {a} were {strides[a]}, not {view.strides[a]}" for a in changed)


def _bytes(count: int) -> str:
    for unit, size in (("GB", 1 << 30), ("MB", 1 << 20), ("kB", 1 << 10)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"
