"""Reports where a program copies tensors for another layout: the line, the bytes, where it breaks, how to avoid it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from symview.counterexample import Counterexample
from symview.logic.budget import DEFAULT
from symview.show.grid import Grid
from symview.show.sarif import finding, sarif
from symview.torch.consumers import ORDERS, Use
from symview.torch.copy_log import Copied, Log, Sizes
from symview.torch.places import Place, short
from symview.torch.view_texts import copied_bytes, needless, other_strides
from symview.view import View, reshaped, target_shape
from symview.views.stride_faults import fault_of

_NAMES = {"matrix": "mm", "clone": "contiguous", "to": "to", "asked": "to"}  # where the source cannot be read


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
    shape: Sizes | None
    bytes: int
    times: int = 1
    breaks: str = ""
    instead: str = ""
    library: Place | None = None

    @property
    def what(self) -> str:
        """The operation with its tensor."""
        return f"{self.operation} of {self.layout}" + ("" if self.shape is None else f" to {_sizes(self.shape)}")

    @property
    def where(self) -> str:
        """The line, and who called it if it is a library's."""
        return str(self.place) if self.library is None else f"{self.library}, called from {self.place}"

    def __str__(self) -> str:
        parts = [f"{self.what} copies {copied_bytes(self.bytes)}", *([self.breaks] if self.breaks else [])]
        return f"{self.where}: {': '.join(parts)}" + (f"; {self.instead}" if self.instead else "")

    def to_dict(self) -> dict[str, Any]:
        """The copy for JSON."""
        return {
            **self.place.to_dict(), "library": self.library and self.library.to_dict(), "operation": self.operation,
            "layout": self.layout, "shape": None if self.shape is None else list(self.shape), "bytes": self.bytes,
            "times": self.times, "breaks": self.breaks or None, "instead": self.instead or None,
        }  # fmt: skip


class Shared(NamedTuple):
    """Lines that copy the same tensor, how often they did so, and the bytes that one copy before them would save."""

    places: tuple[Place, ...]
    times: int
    bytes: int

    def __str__(self) -> str:
        files: dict[str, list[int]] = {}
        for place in dict.fromkeys(self.places):
            files.setdefault(short(place.file), []).append(place.line)
        lines = " and ".join(f"{file}:{', '.join(map(str, numbers))}" for file, numbers in files.items())
        return (
            f"{lines} copy the same tensor {len(self.places)} times: one .contiguous() before them "
            f"would save {copied_bytes(self.bytes)}"
        )

    def to_dict(self) -> dict[str, Any]:
        """The lines for JSON."""
        return {"places": [p.to_dict() for p in self.places], "times": self.times, "bytes": self.bytes}


class CopyReport:
    """The copies of a program in the order in which they first happen; similar ones of one line are counted as one."""

    def __init__(self, log: Log) -> None:
        self._log = log

    @property
    def copies(self) -> list[Copy]:
        """The copies until now."""
        self._log.settle()
        found: dict[Copy, Copy] = {}
        for copied, times in sorted(self._log.counts.items(), key=lambda item: self._log.order[item[0].seen]):
            copy = _copy(copied)
            key = replace(copy, bytes=0, instead="")
            known = found.get(key)
            if known is None:
                found[key] = replace(copy, bytes=times * copy.bytes, times=times)
                continue
            instead = known.instead if known.instead == copy.instead else ""
            size = known.bytes + times * copy.bytes
            found[key] = replace(known, bytes=size, times=known.times + times, instead=instead)
        return list(found.values())

    @property
    def bytes(self) -> int:
        """The total of all copies."""
        return sum(c.bytes for c in self.copies)

    def __len__(self) -> int:
        return sum(c.times for c in self.copies)

    def __str__(self) -> str:
        return "\n".join(map(str, [*self.copies, *self.shared])) or "no copies"

    def grid(self, library: bool = False) -> Grid:
        """The copies as a table, a row for each line, those of most bytes first.

        `library`: a line of a library is one row, whichever lines of the user call it.
        """
        lines: dict[str, list[Copy]] = {}
        for copy in self.copies:
            lines.setdefault(str(copy.library or copy.place) if library else copy.where, []).append(copy)
        rows = sorted(map(_row, lines, lines.values()), key=lambda row: -row[0])
        header = "where", "copies", "times", "bytes", "breaks", "instead"
        return Grid(header, tuple(row for _, row in rows))

    @property
    def shared(self) -> list[Shared]:
        """The lines that copy the same tensor several times, those that could save most first."""
        self._log.settle()
        found: dict[tuple[Place, ...], Shared] = {}
        for copies, times in self._log.shared.items():
            places = tuple(sorted(c.seen.site.library or c.seen.site.place for c in copies))
            known = found.get(places, Shared(places, 0, 0))
            size = known.bytes + times * sum(c.seen.bytes for c in copies[1:])
            found[places] = Shared(places, known.times + times, size)
        return sorted(found.values(), key=lambda s: -s.bytes)

    def to_dict(self) -> dict[str, Any]:
        """The report for JSON."""
        return {
            "copies": [c.to_dict() for c in self.copies], "bytes": self.bytes,
            "shared": [s.to_dict() for s in self.shared],
        }  # fmt: skip

    def to_sarif(self, version: str, stopped: str = "") -> dict[str, Any]:
        """The report in SARIF 2.1.0, the format of code reviews; paths are relative to the working directory.

        `stopped`: where and why the program stopped before its end, if it did.
        """
        operations = sorted({c.operation for c in self.copies})
        rules = {f"copy/{name}": f"{name} lays out a tensor anew by a copy" for name in operations}
        return sarif(version, rules, list(map(_sarif_result, self.copies)), stopped)


def _row(where: str, copies: Sequence[Copy]) -> tuple[int, tuple[str, ...]]:
    """The bytes of a line, and its row: the largest copy, and the number of others."""
    first = max(copies, key=lambda c: c.bytes)
    others = {c.what for c in copies} - {first.what}
    what = first.what + (f", and {len(others)} more" if others else "")
    times, size = sum(c.times for c in copies), sum(c.bytes for c in copies)
    instead = first.instead if all(c.instead == first.instead for c in copies) else ""
    return size, (where, what, str(times), copied_bytes(size), first.breaks, instead)


def _sarif_result(copy: Copy) -> dict[str, Any]:
    file = Path(short(copy.place.file))
    uri = file.as_uri() if file.is_absolute() else file.as_posix()
    text = str(copy).removeprefix(f"{copy.where}: ")
    found = finding(f"copy/{copy.operation}", "warning", text, uri, copy.place.line)
    return {**found, "properties": {"bytes": copy.bytes, "times": copy.times}}


def _copy(copied: Copied) -> Copy:
    """What one copy reads as."""
    seen = copied.seen
    site, layout = seen.site, f"{_sizes(seen.shape)}:{_sizes(seen.strides)}"
    operation = site.call or ("reshape" if copied.target else _NAMES[seen.kind])
    if copied.condition:
        breaks, instead = copied.condition, ""
    else:
        viewed = copied.viewed if operation == "contiguous" else ()  # in a kernel, no advice helps
        breaks, instead = _texts(*seen[1:5], copied.target, viewed, copied.uses)
    return Copy(site.place, operation, layout, copied.target, seen.bytes, 1, breaks, instead, site.library)


@lru_cache(4096)
def _texts(
    kind: str,
    shape: Sizes,
    strides: Sizes,
    channels_last: bool,
    target: Sizes | None,
    viewed: tuple[Sizes, ...],
    uses: tuple[Use, ...],
) -> tuple[str, str]:
    """Where a copy breaks, and how it can be avoided."""
    view = View(shape, strides)
    if kind == "matrix":
        return "as a matrix it needs stride 1 in one dim, rows apart", ""
    if kind == "asked":
        return "copy=True asks for it", ""
    if target is not None:
        there = reshaped(view, target_shape(view, target), None)
        return str(there) if isinstance(there, Counterexample) else "", other_strides(view, target)
    order = ORDERS[view.rank] if channels_last else tuple(reversed(range(view.rank)))
    fault = fault_of(view, "contiguous", False, order, DEFAULT)
    breaks = "PyTorch takes its strides for another format" if fault is None else str(fault)
    return breaks, needless(view, viewed, uses, order)


def _sizes(sizes: Sequence[Any]) -> str:
    return f"({','.join(map(str, sizes))})"
