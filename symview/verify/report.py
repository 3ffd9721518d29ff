"""What a check comes to: what is wrong, what stayed open, and who said so."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symview.verify.formulas import Script, Unsupported, Values
from symview.verify.solvers import Solver


class Report:
    """Collects the findings about one certificate."""

    def __init__(self, solver: Solver) -> None:
        self.solver = solver
        self.wrong: list[str] = []
        self.open: list[str] = []
        self.notes: list[str] = []
        self.tired = False  # whether the solver gave up once: then it is given less time

    @property
    def verdict(self) -> str:
        """refuted, confirmed, or confirmed but for the parts in `open`."""
        return "refuted" if self.wrong else "partly" if self.open else "confirmed"

    def refute(self, what: str) -> None:
        """Something is wrong."""
        self.wrong.append(what)

    def leave(self, part: str) -> None:
        """A part that is not settled."""
        if part not in self.open:
            self.open.append(part)

    def seen(self, what: str) -> None:
        """How a part was looked at."""
        self.notes.append(what)

    def asked(self, script: Script, what: str, replayed: Callable[[Values], bool] | None) -> bool:
        """Whether the question has a solution that replays; where that stays open, `what` is a part that is left."""
        answer = self.solver.ask(script, 0.25 if self.tired else 1.0)
        if answer.word == "unsat":
            return False
        self.tired = self.tired or answer.word == "unknown"
        if answer.word == "sat" and replayed is not None:
            try:
                if replayed(answer.model):
                    return True
            except (ZeroDivisionError, Unsupported, KeyError):
                pass
        self.leave(what if answer.word == "sat" or not answer.why else f"{what} ({answer.why})")
        return False

    def to_dict(self) -> dict[str, Any]:
        """The findings for JSON."""
        return {"verdict": self.verdict, "wrong": self.wrong, "open": self.open, "notes": self.notes,
                "questions": self.solver.asked}  # fmt: skip
