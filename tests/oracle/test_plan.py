"""Plans against all sets of copies and all strides of a grid; their layouts, collisions and clauses on addresses."""

import random
from math import prod

import pytest

from oracle.plan_brute import Forest, random_forest
from symview import tensor
from symview.plans.plan import plan


def programs_of(nodes):
    """The same forest as programs."""
    found = []
    for n, (before, op) in enumerate(nodes):
        if before is None:
            found.append(tensor("xyz"[n], op))
            continue
        name, given = op
        if name == "slice":
            found.append(found[before].slice(*zip(*given, strict=True)) if given else found[before].slice((), ()))
        elif name in ("reshape", "expand", "permute"):
            found.append(getattr(found[before], name)(tuple(given)))
        else:
            found.append(found[before].flip(*given))
    return found


def names_of(nodes, programs):
    """The nodes by the names that plans have for them: programs, and tensors by their own."""
    found = {str(p): v for v, p in enumerate(programs)}
    return found | {
        p.step.given[0]: v for v, (p, (before, _)) in enumerate(zip(programs, nodes, strict=True)) if before is None
    }


def checked(nodes, consumed, weights, found, programs, positive=True):
    """That layouts serve, that views are what is shown, that collisions collide."""
    forest, places = Forest(nodes, consumed), names_of(nodes, programs)
    copied = frozenset(places[c] for c in found.copies)
    assert found.weight == sum(weights[v] for v in copied)
    assert bool(found) == (not copied)
    for name, view in found.layouts.items():
        root = places[name]
        users = [v for v in consumed if v not in copied and nodes[v][0] is not None and forest.root(v, copied) == root]
        assert forest.serves(root, users, view.strides), (name, view)
        assert not positive or all(t > 0 for t, n in zip(view.strides, view.shape, strict=True) if n > 1)
    for name, view in found.views.items():
        v = places[name]
        root = forest.root(v, copied)
        layout = found.layouts[str(programs[root]) if nodes[root][0] is not None else programs[root].step.given[0]]
        assert view.shape == forest.shapes[v]
        for i, at in zip(forest.table(v, v), forest.table(v, root), strict=True):
            assert view.at(i) == layout.at(at)
    for conflict in found.conflicts:
        assert conflict.kind in ("collision", "signs")
        root, users = places[conflict.root], [places[p] for p in conflict.programs]
        bends = {b for u in users for b in forest.bends(u, root)}
        assert bends
        if conflict.kind == "collision":
            one, other = conflict.indices
            assert one != other
            assert all(0 <= x < n for i in conflict.indices for x, n in zip(i, forest.shapes[root], strict=True))
            apart = [a - b for a, b in zip(one, other, strict=True)]
            scale, *by = conflict.multipliers
            assert scale > 0
            assert [scale * x for x in apart] == [
                sum(m * r[d] for m, r in zip(by, conflict.rows, strict=True)) for d in range(len(apart))
            ]
    return copied


@pytest.mark.parametrize("turn", range(10))
def test_least_copies(turn, effort):
    rng = random.Random(f"plan {turn}")
    seen = {"copies": 0, "none": 0, "signs": 0, "deeper": 0, "unordered": 0}
    for _ in range(25 * effort):
        nodes, consumed = random_forest(rng)
        programs = programs_of(nodes)
        given = [programs[v] for v in consumed for _ in range(rng.choice([1, 1, 2]))]
        forest = Forest(nodes, consumed)
        weights = [
            0 if b is None else prod(s) if rng.random() < 0.6 else rng.randint(0, 9)
            for (b, _), s in zip(nodes, forest.shapes, strict=True)
        ]
        own = {str(p): w for p, (b, _), w in zip(programs, nodes, weights, strict=True) if b is not None}
        found = plan(*given, weights=own)
        assert found.optimal == "proved"
        copied = checked(nodes, consumed, weights, found, programs)
        assert found.weight == forest.least(weights, 24), (nodes, consumed, weights, found)
        seen["copies" if copied else "none"] += 1
        seen["signs"] += any(c.kind == "signs" for c in found.conflicts)
        seen["deeper"] += any(nodes[v][0] is not None and nodes[nodes[v][0]][0] is not None for v in copied)
        seen["unordered"] += not found.dense
    assert seen["copies"] and seen["none"]
