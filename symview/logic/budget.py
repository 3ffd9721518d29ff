"""The bound on the work of one question, and the work done so far."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any, TypeVar

from symview.errors import InputError, InternalError, Undecided
from symview.logic.interrupts import resend_dropped

T = TypeVar("T")

MOST_SECONDS = 1e9  # the longest timeout that system calls accept


class Run:
    """The state of a running question: its deadline, the work left, and private objects such as a solver's context."""

    __slots__ = ("budget", "deadline", "left", "own", "whole")

    def __init__(self, budget: Budget) -> None:
        resend_dropped()
        self.budget, self.left, self.own = budget, budget.work, dict[str, Any]()
        self.whole: Run | None = None
        self.deadline = None if budget.timeout is None else monotonic() + budget.timeout


@dataclass(frozen=True, slots=True)
class Budget:
    """The bound on one question's work; immutable and passed down, never global.

    `work` counts steps of the whole question, about three million a second: Z3's own count, isl's operations (a
    thousand each) and those of long loops here. So without a clock, the same question with the same budget has the same
    answer on any machine. (One exception: Z3 may loop without counting steps. Then a clock stops it, long after the
    steps would have been done.) `points` is the most indices or residues that are enumerated; with fewer points, a
    search starts sooner. `timeout`, in seconds and off by default, bounds the whole question by the clock; `seed` seeds
    every random choice.

    A function that starts a question calls `started()` and passes the result down; its `run` records what was spent.

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
        """The budget with which the question was started; answers keep it for their own questions."""
        return self if self.run is None else self.run.budget

    def at_most(self, work: int) -> Budget:
        """Limits the work of each solver call to a share, as long as the whole question has that much left."""
        return self if self.work <= work else replace(self, work=work)

    def part(self, share: int, most: int | None = None) -> Budget:
        """A budget for a part of the running question, which may use 1/share of the remaining work and time.

        `most` also bounds its work.

        >>> whole = Budget(work=100).started()
        >>> half = whole.part(2)
        >>> half.count(30)
        >>> half.left(), whole.left()
        (20, 70)
        """
        whole, seconds = self.started(), self.seconds_left()
        if whole.run is None:
            raise InternalError("a budget that was started is not running")
        run = Run(whole.run.budget)
        run.own, run.whole = whole.run.own, whole.run
        run.left = whole.left() // share if most is None else min(most, whole.left() // share)
        run.deadline = None if seconds is None else monotonic() + seconds / share
        return replace(self, run=run)

    def left(self) -> int:
        """The work that the next solver call may do; 0 or less if none is left."""
        return self.work if self.run is None else min(self.work, self.run.left)

    def seconds_left(self) -> float | None:
        """The time left by the clock; None without a clock."""
        if self.run is None or self.run.deadline is None:
            return self.timeout
        return self.run.deadline - monotonic()

    def is_over(self) -> bool:
        """Whether the question's work or time is used up."""
        run = self.run
        return run is not None and (run.left <= 0 or (run.deadline is not None and monotonic() >= run.deadline))

    def check(self) -> None:
        """Raises Undecided if the question's work or time is used up."""
        if self.is_over():
            raise Undecided(self.ending())

    def ending(self) -> str:
        """The reason why the question ends here."""
        timed_out = self.run is not None and self.run.left > 0 and self.run.deadline is not None
        return f"the time of {self.timeout:g} s is over" if timed_out else "the budget ran out: allow more work"

    def count(self, steps: int) -> None:
        """Records work."""
        run = self.run
        while run is not None:
            run.left -= steps
            run = run.whole

    def count_for_all(self, steps: int) -> None:
        """Records work of the whole question only, since the share of a part is for solvers.

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
        """Records work, and raises Undecided if the question may do no more; for every loop that can be long."""
        self.count(steps)
        self.check()

    def kept(self, name: str, make: Callable[[], T]) -> T:
        """A value of the running question, made on first use; outside a question it is made each time."""
        if self.run is None:
            return make()
        if name not in self.run.own:
            self.run.own[name] = make()
        return self.run.own[name]  # type: ignore[no-any-return]


DEFAULT = Budget()


def as_budget(budget: Any) -> Budget:
    """The caller's budget, or the default for None; raises InputError if it is not a Budget."""
    if budget is not None and not isinstance(budget, Budget):
        raise InputError(f"the budget {budget!r} is not a Budget: give symview.Budget(…)")
    return DEFAULT if budget is None else budget


def running(budget: Any) -> Budget:
    """Starts the caller's budget for a new question.

    >>> running(5)
    Traceback (most recent call last):
    ...
    symview.errors.InputError: the budget 5 is not a Budget: give symview.Budget(…)
    """
    return as_budget(budget).started()
