"""What symview decided in place of PyTorch in this process."""

from __future__ import annotations

import traceback
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from symview.displayed import Displayed


@dataclass(frozen=True, slots=True)
class Report(Displayed):
    """The questions about views of symbolic sizes that PyTorch asked so far; `report()` makes one.

    `answered`: symview decided, by a view, a copy, or an error with the reason. `left`: it had no answer, and PyTorch's
    own code decided. `errors`: of these, where symview failed; `first_error` is the first traceback. `guards` were
    written for the answers, at most one for each; how many PyTorch would have written instead, `compile_report`
    measures. `seconds` of CPU went into them.
    """

    answered: int = 0
    left: int = 0
    errors: int = 0
    guards: int = 0
    seconds: float = 0.0
    first_error: str = field(default="", repr=False)

    def __str__(self) -> str:
        text = f"answered {self.answered}, with {self.guards} guards, left to PyTorch {self.left}; {self.seconds:.2f} s"
        return f"{text}\n{self.errors} errors, the first of which:\n{self.first_error}" if self.errors else text

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        return {name: getattr(self, name) for name in self.__slots__}


class Tally:
    """Counts the questions of all threads."""

    def __init__(self) -> None:
        self.lock, self.so_far = Lock(), Report()

    def add(self, answered: bool, guards: int, seconds: float, error: Exception | None = None) -> None:
        """Counts a question."""
        with self.lock:
            r = self.so_far
            first = r.first_error or ("" if error is None else "".join(traceback.format_exception(error)))
            self.so_far = Report(
                r.answered + answered,
                r.left + (not answered),
                r.errors + (error is not None),
                r.guards + guards,
                r.seconds + seconds,
                first,
            )
