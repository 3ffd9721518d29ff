"""How much work one query may do."""

from __future__ import annotations

from dataclasses import dataclass

from symview.errors import InputError


@dataclass(frozen=True, slots=True)
class Budget:
    """The bound on one query's work; immutable and handed down, never global.

    `work` counts solver steps (Z3's rlimit, isl's operations), so a run repeats on a noisy
    machine; `points` bounds how many indices are walked one by one; `timeout` in seconds bounds
    each question to a solver on top, off unless asked for (isl has no clock, so for isl it is
    turned into operations); `seed` goes to every random choice.

    >>> Budget(work=0)
    Traceback (most recent call last):
    ...
    symview.errors.InputError: Budget(work=0): work must be a positive integer
    """

    work: int = 50_000_000
    points: int = 1_000_000
    timeout: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("work", "points"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise InputError(f"Budget({name}={value!r}): {name} must be a positive integer")
        if self.timeout is not None and not 0 < self.timeout < 1e9:
            raise InputError(f"Budget(timeout={self.timeout!r}): give seconds above 0, or None for no clock")
        if type(self.seed) is not int or self.seed < 0:
            raise InputError(f"Budget(seed={self.seed!r}): seed must be an integer from 0")


DEFAULT = Budget()
