"""Which results of programs must be copied: the lightest sets of nodes of a forest that hit every conflict.

Consumers of a node that no single layout serves form a clause: if the node is stored, one of the nodes on the paths
to them is copied. The valid sets of copies are those that satisfy all clauses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import Generic, NamedTuple, TypeVar

from symview.errors import Undecided
from symview.logic.budget import Budget
from symview.logic.hitting import at_least

Reason = TypeVar("Reason")
Copies = frozenset[int]


class Node(NamedTuple):
    """A result: its source (None for a tensor, which exists already), its weight, whether it is consumed.

    `open`: whether copies of it are considered; if not, another node is as good.
    """

    before: int | None
    weight: int
    consumed: bool
    open: bool = True


class Clause(NamedTuple, Generic[Reason]):
    """Consumers of a root that no single layout serves, the nodes of which one is copied, and why."""

    root: int
    consumers: tuple[int, ...]
    nodes: Copies
    reason: Reason


class Search(Generic[Reason]):
    """The clauses of one tensor's tree, built on demand; `conflict` returns why no layout of a root serves consumers.

    `key` sorts nodes whose copies are equally good. `reached`: the copies that the search tried last, and their bound,
    below which no valid set weighs.
    """

    def __init__(
        self,
        nodes: Sequence[Node],
        tensor: int,
        conflict: Callable[[int, Sequence[int], Budget], Reason | None],
        key: Callable[[int], str] = str,
    ) -> None:
        self.nodes, self.tensor, self.conflict = nodes, tensor, conflict
        self.weights = [node.weight for node in nodes]
        self.clauses: list[Clause[Reason]] = []
        self.reached = Copies(), 0
        used = {node.before for node in nodes}
        self.order = sorted(range(len(nodes)), key=lambda v: (v in used, key(v)))  # leaves first

    def lightest(self, budget: Budget, most: int | None = None) -> Iterator[Copies]:
        """The valid sets of copies, the lightest first, up to a weight; some that contain another one are left out.

        Ties go to fewer copies, then to results at the ends of programs.
        """
        place = {v: n for n, v in enumerate(self.order)}
        heap = [(0, 0, tuple[int, ...](), frozenset[int]())]
        while heap and (most is None or heap[0][0] <= most):
            bound, _, places, forbidden = heappop(heap)
            chosen = frozenset([self.order[n] for n in places])
            self.reached = chosen, bound
            budget.spend(10 * (1 + len(self.clauses)))
            now = self.bound(chosen, forbidden)
            if now is None:
                continue
            if now > bound:
                heappush(heap, (now, len(places), places, forbidden))
                continue
            clause = self.unmet(chosen, budget)
            if clause is None:
                yield chosen
                continue
            for node in sorted(clause.nodes - forbidden, key=lambda v: (self.nodes[v].weight, place[v])):
                more = tuple(sorted([*places, place[node]]))
                heappush(heap, (bound, len(more), more, forbidden))
                forbidden |= {node}

    def some(self, budget: Budget) -> Copies:
        """A valid set of copies, however little work is left: all consumers, without some that are not needed."""
        chosen = self.reached[0] | {v for v in self.of_tensor() if self.nodes[v].consumed}
        try:
            for v in sorted(chosen, key=lambda v: (-self.nodes[v].weight, self.order.index(v))):
                budget.spend(10)
                if all(self.conflict(*group, budget) is None for group in self.groups(chosen - {v})):
                    chosen -= {v}
        except Undecided:
            pass
        return chosen

    def low(self) -> int:
        """A lower bound on the weight of every valid set, from what the search reached."""
        return max(self.reached[1], self.bound(Copies(), Copies()) or 0)

    def of_tensor(self) -> list[int]:
        """The results that are made from the tensor."""
        return [v for v, node in enumerate(self.nodes) if node.before is not None and self.root_of(v) == self.tensor]

    def minimal(self, budget: Budget) -> list[Copies]:
        """All minimal valid sets of copies."""
        found = list[Copies]()

        def go(copied: Copies, forbidden: Copies) -> None:
            budget.spend(10 * (1 + len(self.clauses)))
            clause = self.unmet(copied, budget)
            if clause is None:
                found.append(copied)
                return
            for node in sorted(clause.nodes - forbidden):
                go(copied | {node}, forbidden)
                forbidden |= {node}

        go(frozenset(), frozenset())
        return [s for s in found if not any(t < s for t in found)]

    def bound(self, copied: Copies, forbidden: Copies) -> int | None:
        """A lower bound on valid sets that contain the copies and no forbidden node; None if there are none."""
        open_ = (clause.nodes - forbidden for clause in self.clauses if self._is_open(clause, copied))
        more = at_least(open_, self.weights)
        return None if more is None else more + sum(self.weights[v] for v in copied)

    def unmet(self, copied: Copies, budget: Budget) -> Clause[Reason] | None:
        """A clause, known or new, that the copies violate; None if they are valid."""
        known = next((c for c in self.clauses if self._is_open(c, copied)), None)
        if known is not None:
            return known
        for root, consumers in self.groups(copied):
            reason = self.conflict(root, consumers, budget)
            if reason is not None:
                return self._learned(root, consumers, reason, budget)
        return None

    def groups(self, copied: Copies) -> list[tuple[int, list[int]]]:
        """The consumers in this tree that are not copies, by the nearest copy or tensor above them."""
        return [(r, own) for r, own in groups(self.nodes, copied).items() if self.root_of(r) == self.tensor]

    def root_of(self, v: int) -> int:
        """The tensor of a node."""
        return root_of(self.nodes, v)

    def _is_open(self, clause: Clause[Reason], copied: Copies) -> bool:
        there = self.nodes[clause.root].before is None or clause.root in copied
        return there and not clause.nodes & copied

    def _learned(self, root: int, consumers: Sequence[int], reason: Reason, budget: Budget) -> Clause[Reason]:
        """A clause from a minimal clashing set of the consumers."""
        left = list(consumers)
        for consumer in consumers:
            fewer = [c for c in left if c != consumer]
            found = self.conflict(root, fewer, budget) if fewer else None
            if found is not None:
                left, reason = fewer, found
        ways = frozenset(v for c in left for v in self.way(root, c) if self.nodes[v].open)
        self.clauses.append(Clause(root, tuple(left), ways, reason))
        return self.clauses[-1]

    def way(self, root: int, v: int) -> Iterator[int]:
        """The nodes from one up to a root, without the root."""
        while v != root:
            yield v
            v = self.nodes[v].before if self.nodes[v].before is not None else root  # type: ignore[assignment]


def groups(nodes: Sequence[Node], copied: Copies) -> dict[int, list[int]]:
    """The consumers that are not copies, by the nearest copy or tensor above them."""
    found = dict[int, list[int]]()
    for v, node in enumerate(nodes):
        if node.consumed and v not in copied and node.before is not None:
            found.setdefault(root_of(nodes, v, copied), []).append(v)
    return found


def root_of(nodes: Sequence[Node], v: int, copied: Copies = frozenset()) -> int:
    """The nearest copy at or above a node, or its tensor."""
    while (before := nodes[v].before) is not None and v not in copied:
        v = before
    return v
