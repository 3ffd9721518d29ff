"""How much work one question may do, and how much it has done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, TypeVar

from symview.errors import InputError, InternalError, Undecided

T = TypeVar("T")

MOST_SECONDS = 1e9  # of a clock; system calls take no longer ones


class Run:
    """One question on its way: its deadline, the work left, and what belongs to it alone, as a solver's context."""

    __slots__ = ("asked", "deadline", "left", "own", "whole")

    def __init__(self, asked: Budget) -> None:
        self.asked, self.left, self.own = asked, asked.work, dict[str, Any]()
        self.whole: Run | None = None
        self.deadline = None if asked.timeout is None else monotonic() + asked.timeout


@dataclass(frozen=True, slots=True)
class Budget:
    """The bound on one question's work; immutable and handed down, never global.

    `work` counts steps, about three million a second, of the whole question: Z3's own count, isl's operations (a
    thousand each) and those of long loops here. So without a clock the same question with the same budget has the
    same answer on any machine (but where Z3 goes on without end and counts no steps: there a clock ends it, long after
    the steps would have been done). `points` bounds how many indices or residues are looked at one by one: with
    fewer points, a search is made sooner. `timeout` in seconds, off unless asked for, bounds the whole question by the
    clock; `seed` goes to every random choice.

    A function that starts a question calls `started()` and hands the result down; there `run` carries what was spent.

    >>> Budget(work=0)
    Traceback (most recent call last):
    ...
    symview.errors.InputError: Budget(work=0): work must be a positive integer
    """

    work: int = 50_000_000
    points: int = 1_000_000
    timeout: float | None = None
    seed: int = 0
    run: Run | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("work", "points"):
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise InputError(f"Budget({name}={value!r}): {name} must be a positive integer")
        if self.timeout is not None and not 0 < self.timeout < MOST_SECONDS:
            wanted = f"fewer than {MOST_SECONDS:g} seconds" if self.timeout > 0 else "seconds above 0"
            raise InputError(f"Budget(timeout={self.timeout!r}): give {wanted}, or None for no clock")
        if type(self.seed) is not int or self.seed < 0:
            raise InputError(f"Budget(seed={self.seed!r}): seed must be an integer from 0")

    def __reduce__(self) -> tuple[Any, ...]:
        return Budget, (self.work, self.points, self.timeout, self.seed)

    def started(self) -> Budget:
        """Starts the clock for a question; a budget that is already running stays with its question.

        >>> running = Budget().started()
        >>> running.started() is running, running == Budget()
        (True, True)
        """
        return self if self.run is not None else Budget(self.work, self.points, self.timeout, self.seed, Run(self))

    def plain(self) -> Budget:
        """The budget that the question was started with; answers keep it for questions of their own."""
        return self if self.run is None else self.run.asked

    def at_most(self, work: int) -> Budget:
        """A share of it: each call to a solver may do so much work, as long as the whole question has that left."""
        return self if self.work <= work else replace(self, work=work)

    def part(self, share: int, most: int | None = None) -> Budget:
        """The running question for one part of it, which may use up 1/share of the work and the time that are left.

        `most` bounds its work as well.

        >>> whole = Budget(work=100).started()
        >>> half = whole.part(2)
        >>> half.count(30)
        >>> half.left(), whole.left()
        (20, 70)
        """
        whole, seconds = self.started(), self.seconds_left()
        if whole.run is None:
            raise InternalError("a budget that was started is not running")
        run = Run(whole.run.asked)
        run.own, run.whole = whole.run.own, whole.run
        run.left = whole.left() // share if most is None else min(most, whole.left() // share)
        run.deadline = None if seconds is None else monotonic() + seconds / share
        return replace(self, run=run)

    def left(self) -> int:
        """The work that the next call to a solver may do; 0 or less where none is left."""
        return self.work if self.run is None else min(self.work, self.run.left)

    def seconds_left(self) -> float | None:
        """The time that is left by the clock; None where there is no clock."""
        if self.run is None or self.run.deadline is None:
            return self.timeout
        return self.run.deadline - monotonic()

    def is_over(self) -> bool:
        """Whether the work of the whole question is done, or its time over."""
        run = self.run
        return run is not None and (run.left <= 0 or (run.deadline is not None and monotonic() >= run.deadline))

    def check(self) -> None:
        """Raises Undecided where the question's work is done or its time over."""
        if self.is_over():
            raise Undecided(self.ending())

    def ending(self) -> str:
        """Why the question ends here, in words."""
        timed_out = self.run is not None and self.run.left > 0 and self.run.deadline is not None
        return f"the time of {self.timeout:g} s is over" if timed_out else "the budget ran out: allow more work"

    def count(self, steps: int) -> None:
        """Notes that so much work was done."""
        run = self.run
        while run is not None:
            run.left -= steps
            run = run.whole

    def count_for_all(self, steps: int) -> None:
        """Counts work against the whole question, and not against the part of it, whose share is for solvers.

        >>> whole = Budget(work=100).started()
        >>> half = whole.part(2)
        >>> half.count_for_all(30)
        >>> half.left(), whole.left()
        (50, 70)
        """
        run = self.run
        while run is not None and run.whole is not None:
            run = run.whole
        if run is not None:
            run.left -= steps

    def spend(self, steps: int) -> None:
        """Notes the work, and raises Undecided where the question may do no more: for every loop that can be long."""
        self.count(steps)
        self.check()

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """A value of the running question, made when first needed; made anew where no question is running."""
        if self.run is None:
            return make()
        if name not in self.run.own:
            self.run.own[name] = make()
        return self.run.own[name]  # type: ignore[no-any-return]


DEFAULT = Budget()


def asked(budget: Any) -> Budget:
    """The budget that a caller gave, or the default one for None; raises InputError for what is none."""
    if budget is not None and not isinstance(budget, Budget):
        raise InputError(f"the budget {budget!r} is no Budget: give symview.Budget(…)")
    return DEFAULT if budget is None else budget


def running(budget: Any) -> Budget:
    """The budget of a question that starts now.

    >>> running(5)
    Traceback (most recent call last):
    ...
    symview.errors.InputError: the budget 5 is no Budget: give symview.Budget(…)
    """
    return asked(budget).started()
