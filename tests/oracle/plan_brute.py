"""Least copies by brute force: all sets of copies, for each all strides of a grid, on addresses; no code of symview.

A forest is a list of nodes (before, op), that of a tensor (None, shape). Elements are followed through tables: that of
a node says for each of its indices which element of another node it shows.
"""

from __future__ import annotations

from itertools import combinations, pairwise, product
from math import prod

import numpy as np


def indices(shape):
    return list(product(*map(range, shape)))


def after(shape, op):
    """The new shape, and for each index of it the index before."""
    name, given = op
    if name == "permute":
        return tuple(shape[a] for a in given), lambda i: tuple(i[given.index(a)] for a in range(len(shape)))
    if name == "contiguous":
        return tuple(shape), lambda i: i
    if name == "flip":
        return tuple(shape), lambda i: tuple(shape[a] - 1 - x if a in given else x for a, x in enumerate(i))
    if name == "slice":
        new = tuple(len(range(lo, hi, step)) for lo, hi, step in given)
        return new, lambda i: tuple(given[a][0] + x * given[a][2] for a, x in enumerate(i))
    if name == "expand":
        return tuple(given), lambda i: tuple(0 if shape[a] == 1 else x for a, x in enumerate(i))
    flat, place = indices(shape), {i: n for n, i in enumerate(indices(given))}
    return tuple(given), lambda i: flat[place[i]]


class Forest:
    """Nodes, their shapes, and the table of each over each node that it is made from."""

    def __init__(self, nodes, consumed, unit=None, multiples=None):
        """`unit`: a dim of tensors whose stride is 1; `multiples`: by dim of tensors, of what its stride is one."""
        self.nodes, self.consumed, self.unit, self.multiples = nodes, consumed, unit, multiples or {}
        self.shapes, self.backs = [], []
        for before, op in nodes:
            shape, back = (op, None) if before is None else after(self.shapes[before], op)
            self.shapes.append(tuple(shape))
            self.backs.append(back)

    def demands(self, root):
        """The dim of stride 1, and by dim what its stride is a multiple of: of tensors alone."""
        return (self.unit, self.multiples) if self.nodes[root][0] is None else (None, {})

    def table(self, node, root):
        found = indices(self.shapes[node])
        while node != root:
            found = [self.backs[node](i) for i in found]
            node = self.nodes[node][0]
        return found

    def root(self, node, copied):
        while self.nodes[node][0] is not None and node not in copied:
            node = self.nodes[node][0]
        return node

    def bends(self, node, root):
        """How far the index of the root that a node shows is from even, at every index: its view has all these 0."""
        shape, table = self.shapes[node], dict(zip(indices(self.shapes[node]), self.table(node, root), strict=True))
        zero = table.get((0,) * len(shape))
        found = set()
        for i, at in table.items():
            bend = [a - b for a, b in zip(at, zero, strict=True)]
            for a, x in enumerate(i):
                if x:
                    one = table[tuple(int(b == a) for b in range(len(shape)))]
                    bend = [y - x * (p - q) for y, p, q in zip(bend, one, zero, strict=True)]
            found.add(tuple(bend))
        return found

    def serves(self, root, consumers, strides):
        """Whether each index has an address of its own, and each consumer's addresses are even along its axes."""
        own = [sum(x * t for x, t in zip(i, strides, strict=True)) for i in indices(self.shapes[root])]
        bends = {b for c in consumers for b in self.bends(c, root)}
        return len(set(own)) == len(own) and not any(sum(x * t for x, t in zip(b, strides, strict=True)) for b in bends)

    def steps(self, root, consumers):
        """How far the index of the root moves, from each element to the next, of results that must be row-major."""
        found = set()
        for c in (root, *consumers):
            shown = self.table(c, root) if self.nodes[c][1][0] == "contiguous" else []
            found |= {tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairwise(shown)}
        return np.array(sorted(found), dtype=np.int64)

    def some_strides(self, root, consumers, most, positive=True):
        """Strides from 1 (or from the least that is not positive) to `most` that serve; None where none do."""
        shape = self.shapes[root]
        values = [t for t in range(1 if positive else -most, most + 1) if t]
        grid = np.array(list(product(*[values if n > 1 else [1] for n in shape])), dtype=np.int64)
        unit, multiples = self.demands(root)
        live = [d for d, n in enumerate(shape) if n > 1 and 0 not in shape]
        for d in live:
            if d == unit:
                grid = grid[grid[:, d] == 1]
            elif d in multiples:
                grid = grid[grid[:, d] % multiples[d] == 0]
        bends = np.array(sorted({b for c in consumers for b in self.bends(c, root)}), dtype=np.int64)
        if bends.size:
            grid = grid[(grid @ bends.T == 0).all(axis=1)]
        steps = self.steps(root, consumers)
        if steps.size:
            grid = grid[(grid @ steps.T == 1).all(axis=1)]
        here = np.array(indices(shape), dtype=np.int64).reshape(-1, len(shape))
        for strides in grid:
            addresses = here @ strides
            if len(np.unique(addresses)) == len(addresses):
                return tuple(map(int, strides))
        return None

    def groups(self, copied):
        """The consumers that are not copies, by the nearest copy or tensor above them."""
        found = {}
        for v in self.consumed:
            if v not in copied and self.nodes[v][0] is not None:
                found.setdefault(self.root(v, copied), []).append(v)
        return found

    def valid(self, weights, most, positive=True):
        """The sets of copies under which strides of the grid serve, the lightest first."""
        open_ = [v for v, (before, _) in enumerate(self.nodes) if before is not None]
        sets = [frozenset(s) for k in range(len(open_) + 1) for s in combinations(open_, k)]
        known = {}
        for copied in sorted(sets, key=lambda s: sum(weights[v] for v in s)):
            for root, consumers in self.groups(copied).items():
                key = root, tuple(consumers)
                if key not in known:
                    known[key] = self.some_strides(root, consumers, most, positive)
                if known[key] is None:
                    break
            else:
                yield copied

    def least(self, weights, most, positive=True):
        """The least weight of a valid set of copies, by strides of the grid."""
        return sum(weights[v] for v in next(self.valid(weights, most, positive)))


def row_major(shape):
    return tuple(prod(max(n, 1) for n in shape[d + 1 :]) for d in range(len(shape)))


def least_extent(shape, rows, unit, multiples, most):
    """The least extent, at most the given one, of positive strides that separate all indices; all strides are tried."""
    live = [d for d, n in enumerate(shape) if n > 1]
    best = most

    def go(strides, used):
        nonlocal best
        if len(strides) < len(live):
            d = live[len(strides)]
            step = 1 if d == unit else multiples.get(d, 1)
            for t in [1] if d == unit else range(step, best, step):
                if used + (shape[d] - 1) * t >= best:
                    break
                go([*strides, t], used + (shape[d] - 1) * t)
            return
        given = dict(zip(live, strides, strict=True))
        addresses = {sum(i[d] * t for d, t in given.items()) for i in indices(shape)}
        if len(addresses) == prod(shape) and not any(sum(row[d] * t for d, t in given.items()) for row in rows):
            best = min(best, used)

    go([], 1)
    return best


# Random forests


def random_op(rng, shape):
    """An operation on a shape: any kind, also of sizes 0 and 1."""
    rank = len(shape)
    kind = rng.choice(["permute", "reshape", "reshape", "reshape", "slice", "flip", "expand"])
    if kind == "permute":
        return kind, tuple(rng.sample(range(rank), rank))
    if kind == "flip":
        return kind, tuple(a for a in range(rank) if rng.random() < 0.5)
    if kind == "slice":
        rows = []
        for n in shape:
            lo = rng.randint(0, max(n - 1, 0)) if rng.random() < 0.4 else 0
            hi = rng.randint(min(lo + 1, n), n) if rng.random() < 0.4 else n
            rows.append((lo, hi, rng.choice([1, 1, 1, 2, 3])))
        return kind, tuple(rows)
    if kind == "expand":
        return kind, tuple(rng.choice([1, 2, 3]) if n == 1 else n for n in shape)
    return "reshape", random_shape(rng, shape)


def random_shape(rng, shape):
    """A shape of as many elements: neighbours merged, dims split, or any divisors."""
    count = prod(shape)
    if count == 0 or rng.random() < 0.3:
        return divisors_shape(rng, count) if count else rng.choice([(0,), (0, 2), (3, 0)])
    found = list(shape)
    for _ in range(rng.randint(1, 2)):
        if len(found) > 1 and rng.random() < 0.7:
            at = rng.randrange(len(found) - 1)
            found[at : at + 2] = [found[at] * found[at + 1]]
        elif found:
            at = rng.randrange(len(found))
            d = rng.choice([d for d in range(1, found[at] + 1) if found[at] % d == 0])
            found[at : at + 1] = [found[at] // d, d]
    return tuple(found)


def divisors_shape(rng, count):
    found = []
    while count > 1 and len(found) < 3:
        d = rng.choice([d for d in range(1, count + 1) if count % d == 0])
        found.append(d)
        count //= d
    return (*found, count)


def random_forest(rng, most_nodes=7, most_elements=24, row_major=False):
    """A forest of one tensor or two, and the nodes that are consumed, some of them twice.

    `row_major`: some results have to be, and count as consumed.
    """
    nodes, shapes = [], []
    for _ in range(rng.choice([1, 1, 1, 2])):
        while True:
            shape = tuple(
                rng.choice([1, 2, 2, 2, 2, 3, 3, 4] + [0] * (rng.random() < 0.1))
                for _ in range(rng.choice([2, 3, 3, 3, 4]))
            )
            if prod(shape) <= most_elements:
                break
        nodes.append((None, shape))
        shapes.append(shape)
    while len(nodes) < most_nodes:
        before = rng.choice([rng.randrange(len(nodes)), 0, 0])
        kinds = rng.choice(["pm", "pm", "pm", "m", "opm", "mo", "o", "oo", "opmo"])
        for kind in kinds:
            shape = shapes[before]
            op = ("contiguous", ()) if row_major and rng.random() < 0.3 else random_op(rng, shape)
            if op[0] == "contiguous":
                pass
            elif kind == "p":
                op = "permute", tuple(rng.sample(range(len(shape)), len(shape)))
            elif kind == "m" and len(shape) > 1:
                at = rng.randrange(len(shape) - 1)
                op = "reshape", (*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :])
            new, _ = after(shape, op)
            if prod(new) > 2 * most_elements:
                break
            if (before, op) not in nodes:
                nodes.append((before, op))
                shapes.append(tuple(new))
            before = nodes.index((before, op))
    leaves = [v for v in range(len(nodes)) if all(before != v for before, _ in nodes)]
    rows = [v for v, (_, op) in enumerate(nodes) if op[:1] == ("contiguous",)]
    consumed = [v for v in range(len(nodes)) if v in leaves or v in rows or rng.random() < 0.2]
    return nodes, consumed


def turned_forest(rng):
    """Uses of one tensor that share a permute and flips, which most of them turn back; with reshapes that add 1s.

    If they turn back all of these flips, a copy of the permute serves them, though not one of the flips.
    """
    nodes = [(None, tuple(rng.choice([2, 2, 3]) for _ in range(rng.choice([2, 2, 3]))))]
    shapes = [nodes[0][1]]

    def add(v, *ops):
        for op in ops:
            if (v, op) not in nodes:
                nodes.append((v, op))
                shapes.append(tuple(after(shapes[v], op)[0]))
            v = nodes.index((v, op))
        return v

    rank, size = len(shapes[0]), prod(shapes[0])
    turned = [("flip", (rng.randrange(rank),)) for _ in range(rng.choice([0, 1, 1, 1, 2]))]
    start = add(0, ("permute", tuple(rng.sample(range(rank), rank))))
    shape = shapes[start]
    if rng.random() < 0.2:
        start, turned = add(start, ("reshape", (*shape, 1))), [*turned, ("flip", (rank,))]
    start = add(start, *turned)
    merged = [("reshape", sizes) for sizes in ((size,), (1, size), (size, 1))]
    ends = []
    for _ in range(2):
        back = turned[::-1] if rng.random() < 0.8 else turned[1:]
        if rng.random() < 0.4:  # the same flips, of dims in another order
            order = tuple(rng.sample(range(len(shapes[start])), len(shapes[start])))
            back = [("permute", order), *(("flip", (order.index(a),)) for _, (a,) in back)]
            back.append(("permute", tuple(map(order.index, range(len(order))))))
        ends.append(add(start, *back, rng.choice(merged)))
    ends += [add(0, op) for op in rng.sample(merged, rng.choice([1, 2, 3]))]
    if rng.random() < 0.3:
        ends.append(add(0, ("flip", (rng.randrange(rank),)), rng.choice(merged)))
    return nodes, sorted(set(ends))
