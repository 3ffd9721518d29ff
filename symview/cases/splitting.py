"""Splitting: from what is open at first to ends where nothing is, each step leaving the branches beside it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, NamedTuple, TypeVar

from symview.errors import Undecided

Node = TypeVar("Node")
End = TypeVar("End")


class Stopped(NamedTuple, Generic[Node]):
    """A node that was not followed to its ends, and why."""

    node: Node
    why: str


def split(
    root: Node, step: Callable[[Node], tuple[End | None, Sequence[Node]]], most: int
) -> Iterator[End | Stopped[Node]]:
    """The ends of the tree below a root, and what was left of it.

    `step` follows a node: to an end or None, and the branches that it left beside its way, of which the first is
    followed next. Where these are disjoint and leave nothing out, so are the ends. Nodes at which a step raises
    Undecided, as where the budget is over, come back as they are, and so do all that wait once there are more than
    `most` of them and ends.

    >>> halves = lambda n: (n, []) if n < 3 else (None, [n // 2, n - n // 2])
    >>> [f"{e.node} and more" if isinstance(e, Stopped) else e for e in split(11, halves, 4)]
    [2, 1, 2, '3 and more', '3 and more']
    """
    waiting, count = [root], 0
    while waiting:
        if count + len(waiting) > most:
            why = f"there are more than {most} cases to tell apart: assume more of the symbols"
            yield from [Stopped(node, why) for node in reversed(waiting)]
            return
        node = waiting.pop()
        try:
            end, branches = step(node)
        except Undecided as stop:
            count += 1
            yield Stopped(node, stop.reason)
            continue
        waiting += branches[::-1]
        if end is not None:
            count += 1
            yield end
