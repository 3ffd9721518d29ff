"""Plans against all sets of copies and all strides of a grid; their layouts, collisions and clauses on addresses."""

import random
from itertools import combinations, product
from math import prod

import numpy as np
import pytest

from oracle.forests import programs_of
from oracle.plan_brute import Forest, least_extent, random_forest, random_op, row_major, turned_forest
from symview import Budget, Program, plan, tensor
from symview.plans.digits import Op, Uneven, digit_rows, rows_of, without_lone_dims
from symview.rules.programs.at_numbers import AtNumbers


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


def conditioned(rng, found, forest, copied, nodes, consumed):
    """Checks the conditions on strides of each tensor at some strides; at how many they fail."""
    failed = 0
    for v, (name, layout) in enumerate(found.layouts.items()):
        if name not in found.blocks:
            continue
        root = next(n for n, (before, _) in enumerate(nodes) if before is None and "xyz"[n] == name)
        users = [u for u in consumed if u not in copied and nodes[u][0] is not None and forest.root(u, copied) == root]
        bends = {b for u in users for b in forest.bends(u, root)}
        conditions = found.conditions_of(name)
        for turn in range(4):
            strides = [t + rng.choice([0, 0, 1]) * (turn > 0) for t in layout.strides]
            holds = conditions.holds({f"t{d}": t for d, t in enumerate(strides)})
            assert holds == (not any(sum(map(prod, zip(b, strides, strict=True))) for b in bends)), (name, strides, v)
            failed += not holds
    return failed


@pytest.mark.parametrize("turn", range(10))
def test_least_copies(turn, turns, full):
    rng = random.Random(f"plan {turn}")
    seen = {"copies": 0, "none": 0, "signs": 0, "deeper": 0, "unordered": 0, "conditions": 0}
    for _ in turns(12):
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
        if rng.random() < 0.2:
            seen["conditions"] += conditioned(rng, found, forest, copied, nodes, consumed)
    if full:
        assert seen["copies"] and seen["none"]


@pytest.mark.parametrize("turn", range(2))
def test_rows(turn, turns):
    """The rows of a chain of operations span how far the index that it shows is from even, at every index."""
    rng = random.Random(f"rows of a plan {turn}")
    seen = {"even": 0, "joined": 0, "alone": 0}
    while min(seen.values()) < len(turns(15)):
        nodes = [(None, tuple(rng.choice([1, 2, 2, 3, 4, 6]) for _ in range(rng.randint(1, 4))))]
        for v in range(rng.randint(1, 4)):
            nodes.append((v, random_op(rng, Forest(nodes, []).shapes[-1])))
        forest = Forest(nodes, [])
        if max(map(prod, forest.shapes)) > 72 or 0 in forest.shapes[-1]:
            continue
        cut = [tuple((lo, len(range(lo, hi, step)), step) for lo, hi, step in given) if name == "slice" else given
               for _, (name, given) in nodes[1:]]  # fmt: skip
        shape, ops = forest.shapes[0], tuple(Op(op[0], given) for (_, op), given in zip(nodes[1:], cut, strict=True))
        bends, rows = forest.bends(len(nodes) - 1, 0), rows_of(shape, ops, Budget().started())
        ranks = {rank_of(part, len(shape)) for part in (bends, rows, [*bends, *rows])}
        assert len(ranks) == 1, (shape, ops, bends, rows)
        try:
            digit_rows(shape, ops)
            seen["even"] += 1
        except Uneven:
            seen["joined"] += is_joined(shape, ops)
            seen["alone"] += without_lone_dims(shape, ops)[0] != shape and not is_joined(shape, ops)


def rank_of(rows, width):
    return int(np.linalg.matrix_rank(np.array([*rows, (0,) * width], dtype=float)))


def is_joined(shape, ops):
    """Whether uneven cuts are at the end, so that digits are joined there."""
    try:
        return digit_rows(shape, ops, joined=True) is not None
    except Uneven:
        return False


@pytest.mark.parametrize("turn", range(4))
def test_turned_back(turn, turns, full):
    """Where dims are flipped and flipped back, as few bytes are copied as positive strides of a grid need."""
    rng = random.Random(f"plan of turned dims {turn}")
    seen = {"flipped": 0, "deeper": 0}
    for _ in turns(25):
        nodes, consumed = turned_forest(rng)
        programs, forest = programs_of(nodes), Forest(nodes, consumed)
        weights = [0 if b is None else prod(s) for (b, _), s in zip(nodes, forest.shapes, strict=True)]
        found = plan(*[programs[v] for v in consumed])
        assert (found.weight, found.optimal) == (forest.least(weights, 12), "proved"), (nodes, consumed, found)
        copied = checked(nodes, consumed, weights, found, programs)
        seen["deeper"] += any(v not in consumed for v in copied)
        seen["flipped"] += any(u[0] in copied and u[1][0] == "flip" for u in nodes)
    if full:
        assert seen["flipped"] and seen["deeper"]


@pytest.mark.parametrize("turn", range(3))
def test_equal_weights(turn, turns):
    """The order of the programs does not matter; tensors are row-major if that costs nothing; others weigh the same."""
    rng = random.Random(f"plan of equal weights {turn}")
    seen = {"others": 0, "kept": 0}
    for _ in turns(20):
        nodes, consumed = rng.choice([random_forest(rng, most_nodes=6, most_elements=12), turned_forest(rng)])
        programs, forest = programs_of(nodes), Forest(nodes, consumed)
        weights = [0 if b is None else prod(s) for (b, _), s in zip(nodes, forest.shapes, strict=True)]
        given = [programs[v] for v in consumed]
        found, other = plan(*given), plan(*rng.sample(given, len(given)))
        assert set(found.copies) == set(other.copies)
        assert set(map(frozenset, found.alternatives)) == set(map(frozenset, other.alternatives))
        places, good = names_of(nodes, programs), list[frozenset[int]]()
        for copied in forest.valid(weights, 24):
            if sum(weights[v] for v in copied) > found.weight:
                break
            good.append(copied)
        assert all(frozenset(places[c] for c in copies) in good for copies in (found.copies, *found.alternatives))
        assert found.copies not in found.alternatives
        seen["others"] += bool(found.alternatives)
        for name in found.blocks if found.copies else ():
            root = places[name]
            shape, users = forest.shapes[root], [forest.groups(copied).get(root, []) for copied in good]
            straight = found.layouts[name].strides == row_major(shape)
            assert straight or not any(forest.serves(root, own, row_major(shape)) for own in users)
            seen["kept"] += straight and len(good) > 1
    assert all(seen.values())


@pytest.mark.parametrize("turn", range(2))
def test_budgets_that_end(turn, turns, full):
    """A search that ends gives copies that suffice, a bound that none are below, and the reason."""
    rng = random.Random(f"plan of little work {turn}")
    seen = {"stopped": 0, "bounded": 0, "proved": 0}
    for _ in turns(25):
        nodes, consumed = random_forest(rng, most_nodes=6, most_elements=12)
        programs, forest = programs_of(nodes), Forest(nodes, consumed)
        weights = [0 if b is None else prod(s) for (b, _), s in zip(nodes, forest.shapes, strict=True)]
        found = plan(*[programs[v] for v in consumed], budget=Budget(work=rng.choice([1, 20, 40, 80, 160])))
        checked(nodes, consumed, weights, found, programs)
        least = forest.least(weights, 24)
        assert found.bound <= least <= found.weight
        assert (found.optimal == "proved") == (found.bound == found.weight)
        assert bool(found.stopped) == (found.optimal == "undecided")
        seen["stopped"] += bool(found.stopped)
        seen["bounded"] += 0 < found.bound < found.weight
        seen["proved"] += not found.stopped and bool(found.copies)
    if full:
        assert all(seen.values())


@pytest.mark.parametrize("powers", [True, False])
def test_padding(powers, turns):
    """Layouts are padded as little as possible if multiples are powers of two; else smaller ones may be in no order."""
    rng = random.Random(f"plan with padding {powers}")
    seen = {"padded": 0, "tied": 0, "smaller": 0}
    for _ in turns(60):
        shape = tuple(rng.choice([2, 2, 3, 3, 4]) for _ in range(rng.choice([2, 3])))
        names, rank = "abc"[: len(shape)], len(shape)
        multiples = {d: rng.choice([1, 2, 4, 8] if powers else [1, 3, 4, 6]) for d in range(rank)}
        unit, program, rows = rng.choice([None, *range(rank)]), tensor("x", shape), []
        if rng.random() < 0.5:
            order = rng.sample(range(rank), rank)
            sizes = [shape[d] for d in order]
            program = program.permute(*order).reshape(sizes[0] * sizes[1], *sizes[2:])
            rows = [tuple(int(d == order[0]) - sizes[1] * (d == order[1]) for d in range(rank))]
        align, named = {names[d]: m for d, m in multiples.items()}, None if unit is None else names[unit]
        found = plan(program, names=",".join(names), unit=named, align=align)
        if not found:
            continue
        strides = found.layouts["x"].strides
        extent = 1 + sum((n - 1) * t for n, t in zip(shape, strides, strict=True))
        least = least_extent(shape, rows, unit, multiples, extent)
        assert least == extent or not powers
        seen["padded"] += extent > prod(shape)
        seen["tied"] += bool(rows)
        seen["smaller"] += least < extent
    assert seen["padded"] and seen["tied"]
    assert bool(seen["smaller"]) == (not powers)


@pytest.mark.parametrize("turn", range(3))
def test_row_major_results(turn, turns, full):
    """A result of contiguous() moves by 1 from each element to the next, in as few bytes of copies as a grid needs."""
    rng = random.Random(f"plan of row-major results {turn}")
    seen = {"copies": 0, "none": 0, "undecided": 0}
    for _ in turns(25):
        nodes, consumed = random_forest(rng, most_nodes=5, most_elements=18, row_major=True)
        signed = rng.random() < 0.2 and len(nodes[0][1]) < 4
        unit = (
            rng.randrange(len(nodes[0][1])) if rng.random() < 0.7 and [b for b, _ in nodes].count(None) == 1 else None
        )
        programs, forest = programs_of(nodes), Forest(nodes, consumed, unit)
        rows = [v for v, (b, op) in enumerate(nodes) if b is not None and op[0] == "contiguous"]
        found = plan(*[programs[v] for v in consumed if v not in rows or rng.random() < 0.5 or v in leaves(nodes)],
                     names=list("abcd"[: len(nodes[0][1])]) if unit is not None else None,
                     unit=None if unit is None else "abcd"[unit], positive=not signed)  # fmt: skip
        weights = [0 if b is None else prod(s) for (b, _), s in zip(nodes, forest.shapes, strict=True)]
        least = forest.least(weights, 18, not signed)
        if found.optimal == "undecided":
            assert found.weight >= least
            seen["undecided"] += 1
            continue
        assert found.weight == least, (nodes, consumed, signed, found)
        places = names_of(nodes, programs)
        for name, view in found.views.items():
            v = places[name]
            shown = [view.at(i) for i in forest.table(v, v)]
            layout = found.layouts.get(name, view)
            if v in rows:
                assert shown == [shown[0] + n for n in range(len(shown))] if shown else True
                assert layout.strides == view.strides or len(shown) < 2
        seen["copies" if found.copies else "none"] += 1
    if full:
        assert seen["copies"] and seen["none"]
        assert seen["undecided"] < sum(seen.values()) / 10


def leaves(nodes):
    """The nodes from which no other is made."""
    return {v for v in range(len(nodes)) if all(before != v for before, _ in nodes)}


def served(forest, kept, at):
    """Whether each group of nodes, as `at` numbers them, is served by strides of its own."""
    groups = [[v for v, g in zip(kept, at, strict=True) if g == group] for group in set(at)]
    return all(forest.some_strides(0, group, 24) for group in groups)


@pytest.mark.parametrize("turn", range(3))
def test_several_layouts(turn, turns):
    """With two layouts or three, the least copies are those of all ways to split the programs into groups."""
    rng = random.Random(f"plan of layouts {turn}")
    seen = {"one": 0, "several": 0, "copies": 0}
    for _ in turns(12):
        shape = tuple(rng.choice([2, 2, 3, 4]) for _ in range(3))
        nodes = [(None, shape)]
        for _ in range(rng.randint(3, 4)):
            order = tuple(rng.sample(range(3), 3))
            sizes = [shape[d] for d in order]
            at = rng.randrange(2)
            nodes.append((0, ("permute", order)))
            nodes.append((len(nodes) - 1, ("reshape", (*sizes[:at], sizes[at] * sizes[at + 1], *sizes[at + 2 :]))))
        consumed, most = list(range(2, len(nodes), 2)), rng.choice([2, 2, 3])
        programs, forest = programs_of(nodes), Forest(nodes, consumed)
        given = list(dict.fromkeys(map(str, (programs[v] for v in consumed))))
        users = [next(v for v in consumed if str(programs[v]) == text) for text in given]
        found = plan(*given, layouts=most)
        kept = [k for n in range(len(users), -1, -1) for k in combinations(users, n)]
        ways = ((k, at) for k in kept for at in product(range(most), repeat=len(k)))
        least = next(len(users) - len(k) for k, at in ways if served(forest, k, at))
        assert (len(found.copies), found.optimal) == (least, "proved")
        tables = {name: view for name, view in found.layouts.items() if name in found.blocks}
        for text, v in zip(given, users, strict=True):
            view = found.views[text]
            shown = forest.table(v, 0)
            places = [view.at(i) for i in product(*map(range, view.shape))]
            assert text in found.copies or any([layout.at(i) for i in shown] == places for layout in tables.values())
        seen["copies" if found.copies else "several" if len(tables) > 1 else "one"] += 1
    assert seen["several"]


@pytest.mark.parametrize("turn", range(4))
def test_units_and_multiples(turn, turns, full):
    """With a dim of stride 1, and strides that are multiples, as few bytes are copied as strides of a grid need."""
    rng = random.Random(f"plan with units {turn}")
    seen = {"copies": 0, "none": 0, "padded": 0, "both signs": 0}
    for _ in turns(40):
        nodes, consumed = random_forest(rng, most_nodes=5, most_elements=12)
        while len(nodes[0][1]) > 3 or sum(before is None for before, _ in nodes) > 1:
            nodes, consumed = random_forest(rng, most_nodes=5, most_elements=12)
        rank, signed = len(nodes[0][1]), rng.random() < 0.2
        unit = rng.randrange(rank) if rng.random() < 0.7 else None
        multiples = {d: rng.choice([2, 3, 4]) for d in range(rank) if rng.random() < 0.4 and not signed}
        programs, forest = programs_of(nodes), Forest(nodes, consumed, unit, multiples)
        weights = [0 if b is None else prod(s) for (b, _), s in zip(nodes, forest.shapes, strict=True)]
        names = "abc"[:rank]
        found = plan(
            *[programs[v] for v in consumed],
            names=list(names),
            unit=None if unit is None else names[unit],
            align={names[d]: m for d, m in multiples.items()},
            positive=not signed,
        )
        if found.optimal == "undecided":
            continue
        most = 24 if signed else 48
        assert found.weight == forest.least(weights, most, not signed), (nodes, consumed, unit, multiples, found)
        for view in (v for n, v in found.layouts.items() if n == "x"):
            live = [d for d, n in enumerate(view.shape) if n > 1 and 0 not in view.shape]
            assert unit not in live or view.strides[unit] == 1
            assert all(view.strides[d] % m == 0 for d, m in multiples.items() if d in live and d != unit)
        seen["copies" if found.copies else "none"] += 1
        seen["padded"] += not found.dense
        seen["both signs"] += signed
    if full:
        assert seen["copies"] and seen["none"]
        assert seen["padded"]


def names_at(programs, values):
    """Programs at numbers, as text."""
    found = []
    for p in programs:
        text = str(p)
        for name, value in values.items():
            text = text.replace(name, str(value))
        found.append(text)
    return found


def symbolic_programs(rng):
    """Programs of one tensor with sizes A, B, C, …: permuted, neighbours merged, splits that come back."""
    names = list("ABCD")[: rng.choice([3, 3, 4])]
    x = tensor("x", [*names, *([2] if rng.random() < 0.2 else [])])
    found = []
    for _ in range(rng.choice([1, 2, 2, 3])):
        order = rng.sample(range(x.rank), x.rank)
        y = x.permute(*order)
        at = rng.randrange(x.rank - 1)
        sizes = [str(s) for s in y.shape]
        merged = [*sizes[:at], f"{sizes[at]}*{sizes[at + 1]}", *sizes[at + 2 :]]
        if rng.random() < 0.2:
            found.append(y.reshape(merged).reshape(sizes))
        else:
            found.append(y.reshape(merged))
            if rng.random() < 0.3:
                found[-1] = found[-1].flip(rng.randrange(x.rank - 1))
    return names, found


def assert_served(found, values):
    """Each layout is dense at these sizes; each program shows at every index what its layout has there."""
    layouts = {name: view.with_values(values) for name, view in found.layouts.items()}
    for view in layouts.values():
        addresses = {view.at(i) for i in product(*map(range, view.shape))}
        assert addresses == set(range(prod(view.shape)))
    for p in map(Program.parse, found.programs):
        root = next((q for q in reversed(p.chain()) if str(q) in layouts), p.chain()[0])
        layout = layouts.get(str(root), layouts["x"])
        cells = {layout.at(i): AtNumbers(root)(values).at(i) for i in product(*map(range, layout.shape))}
        view, shown = found.views[str(p)].with_values(values), AtNumbers(p)(values)
        assert view.shape == shown.shape
        for i in product(*map(range, view.shape)):
            assert cells[view.at(i)] == shown.at(i)


@pytest.mark.parametrize("turn", range(3))
def test_all_sizes(turn, turns, full):
    """Layouts with names serve at all small sizes; at equal sizes no fewer copies do; where names are 1 as is said."""
    rng = random.Random(f"plan at all sizes {turn}")
    seen = {"copies": 0, "none": 0, "ones": 0}
    for _ in turns(6):
        names, programs = symbolic_programs(rng)
        found = plan(*programs, weights={str(part): 1 for p in programs for part in p.chain()[1:]})
        seen["copies" if found.copies else "none"] += 1
        seen["ones"] += bool(found.ones)
        for sizes in product((1, 2, 3), repeat=len(names)) if len(names) < 4 else product((1, 2), repeat=4):
            values = dict(zip(names, sizes, strict=True))
            there = plan(*names_at(programs, values), weights=None)
            ones = {n for n, size in values.items() if size == 1}
            copies = found.copies
            for where, own in found.ones:
                if {part.split()[0] for part in where.split(" and ")} <= ones and len(own) < len(copies):
                    copies = own
            assert len(there.copies) <= len(copies)
            if max(sizes) <= 2:  # sizes with a common divisor, where orders are complete
                assert len(there.copies) == len(copies), (programs, values)
            assert_served(found, values)
    if full:
        assert seen["copies"] and seen["none"]
