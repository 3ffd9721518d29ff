"""Whether clauses of a plan's certificate leave no lighter set of copies: all subsets; no code of symview."""

from __future__ import annotations

from itertools import combinations

from oracle.plan_brute import indices


def is_replaced(forest, weights, v, positive):
    """Whether a copy of the one use of a node, which weighs no more, has all that a copy of the node has.

    So it is if nothing is made from that use, or if every layout of the node has the use as a view, of each element
    once; with `positive`, its strides have the signs of the node's.
    """
    uses = [u for u, (before, _) in enumerate(forest.nodes) if before == v]
    if forest.nodes[v][0] is None or v in forest.consumed or len(uses) != 1 or weights[uses[0]] > weights[v]:
        return False
    [u] = uses
    if all(before != u for before, _ in forest.nodes):
        return True
    table = dict(zip(indices(forest.shapes[u]), forest.table(u, v), strict=True))
    if len(set(table.values())) < len(table) or any(map(any, forest.bends(u, v))):
        return False
    return not positive or all(i >= j for a, at in table.items() if sum(a) == 1 for i, j in
                               zip(at, table[(0,) * len(a)], strict=True))  # fmt: skip


def ways(nodes, root, programs):
    """The nodes from programs up to a root, without that."""
    found = set()
    for v in programs:
        while v != root:
            found.add(v)
            v = nodes[v]["before"]
    return found


def satisfied(nodes, clauses, copied):
    """Whether copies hit each clause whose root is a tensor or is copied."""
    for clause in clauses:
        root = clause["root"]
        there = nodes[root]["before"] is None or root in copied
        if there and not ways(nodes, root, clause["programs"]) & copied:
            return False
    return True


def collides(clause, shape, positive):
    """Whether the difference is that of two indices, or has no negative entry where strides are positive."""
    apart = clause["difference"]
    total = [sum(t["times"] * t["row"][d] for t in clause["terms"]) for d in range(len(shape))]
    inside = all(abs(x) < n for x, n in zip(apart, shape, strict=True))
    up = positive and min(apart) >= 0 and all(n > 1 or x == 0 for x, n in zip(apart, shape, strict=True))
    return any(apart) and total == [clause["scale"] * x for x in apart] and (inside or up)


def lighter(certificate, names):
    """A set of copies that hits all clauses and is lighter than the plan's, by trying all; None where there is none.

    `names` are the nodes of which copies are considered.
    """
    nodes, clauses = certificate["question"]["nodes"], certificate["answer"]["clauses"]
    own = sum(nodes[v]["weight"] for v in certificate["answer"]["copies"])
    hit = sorted({v for c in clauses for v in ways(nodes, c["root"], c["programs"])} & set(names))
    for k in range(len(hit) + 1):
        for copied in map(set, combinations(hit, k)):
            if sum(nodes[v]["weight"] for v in copied) < own and satisfied(nodes, clauses, copied):
                return copied
    return None
