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

    `answered`: symview decided, by a view, a copy, or an error with the reason. `unguarded`: of these, without a guard;
    the others have `guards`, run-time checks included. `left`: symview had no answer, and PyTorch's own code decided.
    `errors`: of these, where symview failed; `first_error` is the first traceback. `seconds` of CPU went into all.
    How many guards that saved is not known: it takes a second run, of PyTorch alone, as in `compile_report`.
    """

    answered: int = 0
    unguarded: int = 0
    left: int = 0
    errors: int = 0
    guards: int = 0
    seconds: float = 0.0
    first_error: str = field(default="", repr=False)

    def __str__(self) -> str:
        answers = f"answered {self.answered}, {self.unguarded} without a guard, the others with {self.guards} guards"
        saved = "guards saved: see compile_report, which also runs PyTorch alone"
        text = f"{answers}; left to PyTorch {self.left}; {self.seconds:.2f} s; {saved}"
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
                r.unguarded + (answered and not guards),
                r.left + (not answered),
                r.errors + (error is not None),
                r.guards + guards,
                r.seconds + seconds,
                first,
            )
