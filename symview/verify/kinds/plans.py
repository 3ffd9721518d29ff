"""The obligations of plans: layouts that make programs views, and clauses that no lighter set of copies hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from math import gcd, prod
from operator import mul
from typing import Any, NamedTuple

from symview.verify.document import BadCertificate, Object, checked, get, integers, listed, maybe
from symview.verify.obligations import Obligation, Steps
from symview.verify.work import Work

MOST, WALKED = 200_000, 200_000  # steps of the search for a lighter set, and addresses that are listed
Row = tuple[int, ...]
Digit = tuple[int, int, int]  # a digit of a dim: its size, the dim, and its step in strides of the dim


class Uneven(Exception):
    """A cut inside a digit, which this checker does not follow."""


class Node(NamedTuple):
    """A result: its source and operation; its shape, weight, whether it is consumed, and demands on its strides."""

    before: int | None
    step: list[Any]
    shape: Row
    weight: int
    consumed: bool
    unit: int | None
    multiples: Row


def _nodes(question: Object) -> list[Node]:
    found = list[Node]()
    for part in listed(question, "nodes", lambda x: checked(x, dict, "a node")):
        before, unit, multiples = maybe(part, "before", int), maybe(part, "unit", int), integers(part, "multiples")
        shape, step = integers(part, "shape"), list(get(part, "step", list))
        weight, consumed = get(part, "weight", int), get(part, "consumed", bool)
        right = before in (None, *range(len(found))) and unit in (None, *range(len(shape)))
        if not right or min((*shape, weight)) < 0 or len(multiples) not in (0, len(shape)) or 0 in multiples:
            raise BadCertificate("a node is made from none before it, or has negative sizes, or no such dim")
        if before is not None and _shape_after(found[before].shape, step) != shape:
            raise BadCertificate(f"the shape {shape} of a node is not that of its operation")
        found.append(Node(before, step, shape, weight, consumed, unit, multiples))
    return found


def _shape_after(old: Row, step: Sequence[Any]) -> Row | None:
    """The shape after an operation; None if it is not valid."""
    op, given = step if len(step) == 2 and type(step[1]) is list else (None, [])
    rank = len(old)
    if op == "slice" and len(given) == rank and all(type(r) is list and len(r) == 3 for r in given):
        rows = [tuple(checked(x, int, "a bound") for x in r) for r in given]
        inside = all(c >= 0 and s >= 1 and f >= 0 and (c == 0 or f + (c - 1) * s < n)
                     for (f, c, s), n in zip(rows, old, strict=True))  # fmt: skip
        return tuple([c for _, c, _ in rows]) if inside else None
    if any(type(x) is not int for x in given):
        return None
    if op == "permute" and sorted(given) == list(range(rank)):
        return tuple([old[a] for a in given])
    if op == "flip" and all(0 <= a < rank for a in given):
        return old
    if op == "expand" and len(given) == rank and all(n in (1, m) for n, m in zip(old, given, strict=True)):
        return tuple(given)
    return tuple(given) if op == "reshape" and prod(given) == prod(old) and min(given, default=0) >= 0 else None


def _rows(nodes: Sequence[Node], root: int, v: int) -> set[Row]:
    """The rows that the view of a node requires of the strides of a root: in each dim, size·stride = next stride."""
    way = list[Node]()
    while v != root:
        way, before = [nodes[v], *way], nodes[v].before
        if before is None:
            raise BadCertificate("a program is not made from its root")
        v = before
    shape = nodes[root].shape
    if 0 in shape or any(0 in node.shape for node in way):
        return set()
    dims: list[list[Digit]] = [[(n, d, 1)] if n != 1 else [] for d, n in enumerate(shape)]
    try:
        for node in way:
            dims = _after(dims, node.step[0], node.step[1], node.shape)
    except Uneven:
        return _bends(shape, way)
    found = set[Row]()
    for (_, d, t), (m, e, u) in (pair for dim in dims for pair in pairwise(dim)):
        row = [0] * len(shape)
        row[d] += t
        row[e] -= m * u
        found.add(_reduced(row))
    return found - {(0,) * len(shape)}


def _bends(shape: Row, way: Sequence[Node]) -> set[Row]:
    """The same rows by enumeration: how far the root's index is from affine, at every index of the program."""
    last, found = way[-1].shape, set[Row]()
    if prod(last) > WALKED // 10:
        raise Uneven
    at = {i: _before(i, shape, way) for i in product(*map(range, last))}
    start, axes = at[(0,) * len(last)], range(len(last))
    ones = [at.get(tuple([int(a == b) for b in axes]), start) for a in axes]
    for i, x in at.items():
        moved = [sum(k * (one[d] - start[d]) for k, one in zip(i, ones, strict=True)) for d in range(len(shape))]
        found.add(_reduced([a - b - c for a, b, c in zip(x, start, moved, strict=True)]))
    return found - {(0,) * len(shape)}


def _before(i: Row, shape: Row, way: Sequence[Node]) -> Row:
    """The index of the root at an index of the last node."""
    for n in reversed(range(len(way))):
        old = way[n - 1].shape if n else shape
        op, given = way[n].step
        if op == "permute":
            i = tuple([i[given.index(a)] for a in range(len(old))])
        elif op == "flip":
            i = tuple([m - 1 - x if a in given else x for a, (m, x) in enumerate(zip(old, i, strict=True))])
        elif op == "slice":
            i = tuple([first + x * step for x, (first, _, step) in zip(i, given, strict=True)])
        elif op == "expand":
            i = tuple([0 if m == 1 else x for m, x in zip(old, i, strict=True)])
        else:
            place, digits = 0, list[int]()
            for x, m in zip(i, way[n].shape, strict=True):
                place = place * m + x
            for m in old[::-1]:
                place, digit = divmod(place, m)
                digits.append(digit)
            i = tuple(digits[::-1])
    return i


def _spanned(row: Row, rows: set[Row]) -> bool:
    """Whether a row is a linear combination of others."""
    kept = list[tuple[int, Row]]()

    def rest(row: Row) -> Row:
        for at, own in kept:
            row = _reduced([own[at] * x - row[at] * y for x, y in zip(row, own, strict=True)])
        return row

    for one in sorted(rows):
        left = rest(one)
        if any(left):
            kept.append((next(d for d, x in enumerate(left) if x), left))
    return not any(rest(row))


def _reduced(row: Sequence[int]) -> Row:
    by = gcd(*row) or 1
    by = -by if next((x for x in row if x), 1) < 0 else by
    return tuple([x // by for x in row])


def _after(dims: list[list[Digit]], op: str, given: list[Any], shape: Row) -> list[list[Digit]]:
    if op == "permute":
        return [dims[a] for a in given]
    if op == "flip":
        return [[(n, d, -t) for n, d, t in dim] if a in given else dim for a, dim in enumerate(dims)]
    if op == "expand":
        return [dim or ([(n, 0, 0)] if n != 1 else []) for dim, n in zip(dims, shape, strict=True)]
    if op == "slice":
        return [_cut(dim, *row) for dim, row in zip(dims, given, strict=True)]
    left, found = [x for dim in dims for x in dim], list[list[Digit]]()
    for size in shape[::-1]:
        found.append([])
        while size != 1:
            n, d, t = left.pop()
            if size % n and n % size:
                raise Uneven
            taken = min(size, n)
            left += [(n // taken, d, taken * t)] if n > taken else []
            found[-1].insert(0, (taken, d, t))
            size //= taken
    return found[::-1]


def _cut(dim: list[Digit], first: int, count: int, step: int) -> list[Digit]:
    inner = prod(n for n, _, _ in dim[1:])
    if count == 1 or not dim:
        return []
    if len(dim) == 1:
        return [(count, dim[0][1], step * dim[0][2])]
    if step != 1 or first % inner or count % inner:
        raise Uneven
    return [*([(count // inner, *dim[0][1:])] if count > inner else []), *dim[1:]]


def _apart(shape: Row, strides: Row) -> bool | None:
    """Whether all indices have different addresses: by dims farther apart than the others reach, or by enumeration."""
    left = sorted((abs(t), n) for n, t in zip(shape, strides, strict=True) if n > 1) if 0 not in shape else []
    while left and left[-1][0] > sum((n - 1) * t for t, n in left[:-1]):
        left.pop()
    if not left or prod(n for _, n in left) > WALKED:
        return None if left else True
    found = [sum(p) for p in product(*[range(0, n * t, t) if t else (0,) * n for t, n in left])]
    return len(set(found)) == len(found)


def _up(nodes: Sequence[Node], v: int | None) -> Iterator[int]:
    """A node, its source, and so on up to its tensor."""
    while v is not None:
        yield v
        v = nodes[v].before


def _layout(nodes: Sequence[Node], v: int, strides: Row, positive: bool) -> Steps:
    """Obligations: the strides of a tensor or copy meet its demands, and different indices have different addresses."""
    node = nodes[v]
    if len(strides) != len(node.shape):
        raise BadCertificate(f"node {v} has {len(node.shape)} dims and {len(strides)} strides")
    live = [d for d, n in enumerate(node.shape) if n > 1 and 0 not in node.shape]
    multiples = [(strides[d], m) for d, m in enumerate(node.multiples) if d in live and d != node.unit]
    met = all(strides[d] > 0 for d in live) or not positive
    met = met and (node.unit not in live or strides[node.unit or 0] == 1) and not any(t % m for t, m in multiples)
    yield Obligation(f"that the strides of node {v} meet its demands", met)
    yield Obligation(f"that the elements of node {v} are apart", _apart(node.shape, strides))


def _is_view(nodes: Sequence[Node], root: int, v: int, strides: Row | None) -> bool | None:
    """Whether a program is a view of a root with these strides, or with any strides; None if undecided."""
    try:
        if strides is None:
            return not _rows(nodes, root, v)
        return not any(sum(map(mul, row, strides)) for row in _rows(nodes, root, v))
    except Uneven:
        return None


def _open(nodes: Sequence[Node], v: int, positive: bool) -> bool:
    """Whether a copy of a result is considered: not if its one use, or a view of it, can be copied for no more.

    A flip needs strides of the other sign, so where strides have to be positive, a copy of it is no substitute.
    """
    uses = [u for u, node in enumerate(nodes) if node.before == v]
    if nodes[v].consumed or len(uses) != 1 or nodes[u := uses[0]].weight > nodes[v].weight:
        return True
    leaf, (op, given) = all(node.before != u for node in nodes), nodes[u].step
    turned = positive and op == "flip" and any(nodes[v].shape[a] > 1 for a in given)
    return not leaf and (op == "expand" or turned or _is_view(nodes, v, u, None) is not True)


def _clause(
    nodes: Sequence[Node], clause: Object, positive: bool, every: int, work: Work
) -> tuple[int, frozenset[int], bool | None]:
    """Checks a clause: a root, the nodes on the paths to some programs, and whether their rows force a common address.

    scale·difference = Σ multiplier·row, with rows that programs require; two indices differ by the difference, or it
    has no negative entry, so that positive strides do not make it 0.
    """
    root, programs, apart = get(clause, "root", int), integers(clause, "programs"), integers(clause, "difference")
    terms, scale = get(clause, "terms", list), get(clause, "scale", int)
    work.spend(every * (1 + len(programs)) * (1 + len(terms) + len(nodes)))
    ways = [list(_up(nodes, v)) for v in programs if 0 <= v < len(nodes) and nodes[v].consumed]
    if not ways or len(ways) < len(programs) or not all(root in way for way in ways):
        raise BadCertificate("a clause is about programs that are made from its root")
    hit = frozenset(v for way in ways for v in way[: way.index(root)] if _open(nodes, v, positive))
    shape = nodes[root].shape
    if len(apart) != len(shape) or scale < 1 or not get(clause, "settled", bool):
        return root, hit, None
    try:
        known = {row for v in programs for row in _rows(nodes, root, v)}
    except Uneven:
        return root, hit, None
    rows = [(integers(term, "row"), get(term, "times", int)) for term in terms]
    sound = all(len(row) == len(shape) and (_reduced(row) in known or _spanned(row, known)) for row, _ in rows)
    total = [sum(by * row[d] for row, by in rows) for d in range(len(shape))] if sound else []
    inside = all(abs(x) < n for x, n in zip(apart, shape, strict=True)) or (positive and min(apart) >= 0)
    live = all(n > 1 or not x for x, n in zip(apart, shape, strict=True))
    return root, hit, total == [scale * x for x in apart] and any(apart) and inside and live


def _lighter(
    nodes: Sequence[Node], clauses: Sequence[tuple[int, frozenset[int]]], limit: int, work: Work, steps: int = MOST
) -> bool | None:
    """Whether copies of less weight hit every clause whose root is a tensor or copied; None if that takes too long."""
    todo = [(0, frozenset[int](), frozenset[int]())]
    while todo:
        weight, chosen, out = todo.pop()
        work.spend(1 + len(chosen) + 2 * len(clauses))
        steps -= 1
        if steps < 0:
            return None
        active = [hit for root, hit in clauses if nodes[root].before is None or root in chosen]
        unmet = next((hit for hit in active if not hit & chosen), None)
        if unmet is None:
            return weight < limit
        for v in sorted(unmet - out):
            if weight + nodes[v].weight < limit:
                todo.append((weight + nodes[v].weight, chosen | {v}, out))
            out |= {v}
    return False


def of_plan(question: Object, answer: Object, work: Work) -> Steps:
    """Obligations: programs that are not copied are views under the layouts; no lighter copies hit the clauses."""
    nodes, positive = _nodes(question), get(question, "positive", bool)
    copies = set(chosen := integers(answer, "copies"))
    tensors = {v for v, node in enumerate(nodes) if node.before is None}
    if len(copies) < len(chosen) or not copies <= set(range(len(nodes))) - tensors:
        raise BadCertificate("what is copied is no result, or is copied twice")
    layouts = dict(laid := [(get(x, "node", int), integers(x, "strides")) for x in get(answer, "layouts", list)])
    if len(laid) != len(layouts) or set(layouts) != tensors | copies:
        raise BadCertificate("each tensor and each copy has one layout")
    every = sum(8 + len(node.shape) for node in nodes)  # a path through all nodes
    for v, strides in layouts.items():
        work.spend(len(nodes[v].shape) * min(prod(nodes[v].shape), WALKED) if 0 <= v < len(nodes) else 0)
        yield from _layout(nodes, v, strides, positive)
    for v, node in enumerate(nodes):
        root = next(r for r in _up(nodes, v) if r in layouts)
        if node.consumed and root != v:
            work.spend(every * (1 + min(prod(node.shape), WALKED // 10)))
            yield Obligation(f"that program {v} is a view", _is_view(nodes, root, v, layouts[root]))
    found = [_clause(nodes, c, positive, every, work) for c in get(answer, "clauses", list)]
    for n, (_, _, holds) in enumerate(found):
        yield Obligation(f"that no strides serve the programs of clause {n}", holds)
    limit = sum(nodes[v].weight for v in copies)
    lighter = _lighter(nodes, [(root, hit) for root, hit, _ in found], limit, work) if limit else False
    yield Obligation("that no lighter set of copies hits the clauses", None if lighter is None else not lighter)
