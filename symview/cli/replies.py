"""What a command answers, before it is printed: for a terminal or as JSON, from the command line or in a batch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Literal

import symview
from symview.cli.interrupts import INTERRUPTED
from symview.show.grid import Block

Answer = Literal["yes", "no", "conditions", "undecided"]


class Code(IntEnum):
    """What the exit code says."""

    YES = 0
    NO = 1
    BAD_INPUT = 2
    UNDECIDED = 3
    DEFECT = 70
    INTERRUPTED = INTERRUPTED
    PIPE_CLOSED = 141


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer of a command: its code, and the two forms in which it may be told, of which one is asked for.

    `conditional`: the answer is yes under conditions that are part of it.
    """

    code: Code
    told: Callable[[], Mapping[str, Any]]
    blocks: Callable[[], Iterable[Block]]
    conditional: bool = False

    @property
    def answer(self) -> Answer:
        """The answer in one word; input that could not be read is none, which is not yes."""
        if self.code is Code.UNDECIDED:
            return "undecided"
        if self.code is not Code.YES:
            return "no"
        return "conditions" if self.conditional else "yes"

    def to_dict(self, command: str) -> dict[str, Any]:
        """The answer as JSON: what every command says, then its own keys (docs/json.md)."""
        told = self.told()
        return {**heading(command, self.answer), **told}


def heading(command: str, answer: Answer) -> dict[str, str]:
    """The keys that every answer has."""
    return {"command": command, "answer": answer, "version": symview.__version__}
