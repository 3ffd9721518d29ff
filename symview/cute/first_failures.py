"""A no that names the first index at which it shows, the value there and the one that a yes would ask for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from symview.displayed import Displayed


@dataclass(frozen=True, slots=True)
class FirstFailure(Displayed):
    """Falsy. At `index` the value is `got`, where it would have to be `expected`."""

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
    """A table that is no layout function; falsy. At `index` it has `got`, where a layout has `expected`."""

    __slots__ = ()
    claim = "no layout"


class NotLinear(FirstFailure):
    """No linear layout; falsy. At `index` the value is `got`; those at 0 and at powers of two ask for `expected`."""

    __slots__ = ()
    claim = "not linear"
