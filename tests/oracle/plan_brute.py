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

    def least(self, weights, most, positive=True):
        """The least weight of a valid set of copies, by strides of the grid."""
        open_ = [v for v, (before, _) in enumerate(self.nodes) if before is not None]
        sets = [frozenset(s) for k in range(len(open_) + 1) for s in combinations(open_, k)]
        known = {}
        for copied in sorted(sets, key=lambda s: sum(weights[v] for v in s)):
            groups = {}
            for v in self.consumed:
                if v not in copied and self.nodes[v][0] is not None:
                    groups.setdefault(self.root(v, copied), []).append(v)
            for root, consumers in groups.items():
                key = root, tuple(consumers)
                if key not in known:
                    known[key] = self.some_strides(root, consumers, most, positive)
                if known[key] is None:
                    break
            else:
                return sum(weights[v] for v in copied)
        raise AssertionError("all consumers can be copied")


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
