"""A negative answer with the first index where it fails, the value there, and the value required for a yes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from symview.displayed import Displayed


@dataclass(frozen=True, slots=True)
class FirstFailure(Displayed):
    """Falsy. At `index` the value is `got`; it would have to be `expected`."""

    index: int
    expected: int
    got: int
    reason: str
    claim: ClassVar[str]

    def __bool__(self) -> Literal[False]:
        return False

    def __str__(self) -> str:
        return f"{self.claim}: {self.reason}"


class NotALayout(FirstFailure):
    """Values that are those of no layout; falsy. At `index` the value is `got`, but a layout has `expected`."""

    __slots__ = ()
    claim = "no layout"


class NotLinear(FirstFailure):
    """Values that are not linear; falsy. At `index` the value is `got`; those at powers of two imply `expected`."""

    __slots__ = ()
    claim = "not linear"
