"""Where cheap witnesses are not enough: row spaces against isl's affine hull, and smallest counterexamples."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import hard
from bridge import box, symbolic, view
from oracle import generate
from oracle.brute import V

from symview import conditions, merge
from symview.engine import radix
from symview.engine.overflow import Carry, active_carries, periodic_sizes
from symview.engine.overflow_space import find_rows

from .measure import Seconds, Table, median, p99, ratio, timed

CANCELLING: dict[str, Callable[[Random], tuple[V, V]]] = {
    "accidental (small)": generate.accidental,
    "in_step_nearby (to 2^18)": hard.in_step_nearby,
    "in_step (to 2^40)": hard.in_step,
    "scaled (2^20 and up)": hard.scaled,
}


def affine_hull(carries: list[Carry], sizes: tuple[int, ...]) -> int:
    """The dimension of the affine hull of {C(i)}, from isl alone."""
    import islpy as isl

    shown = ",".join(f"c{n}" for n in range(len(carries)))
    inner = [f"i{j}" for j in range(len(sizes))]
    facts = [f"0<={i}<{n}" for i, n in zip(inner, sizes, strict=True)]
    for n, c in enumerate(carries):
        x = "".join(f"{r:+d}{i}" for r, i in zip(c.slopes, inner, strict=True) if r)
        facts.append(f"{c.place}c{n}<={c.start}{x}<{c.place}c{n}+{c.place}")
    exists = f"exists {','.join(inner)}: " if inner else ""
    hull = isl.Set(f"{{[{shown}]: {exists}{' and '.join(facts)}}}").affine_hull()
    kinds = isl.dim_type
    return hull.dim(kinds.set) - hull.equalities_matrix(kinds.cst, kinds.param, kinds.set, kinds.div).rows()


def against_affine_hull(pairs: int) -> Table:
    """Pairs whose boundaries are not all forced, so that something has to be proved absent."""
    columns = (
        "generator", "pairs", "find_rows: median", "p99", "affine hull: median", "p99", "median ratio", "p99 ratio",
        "conditions: median", "p99",
    )  # fmt: skip
    rows = []
    for name, make in CANCELLING.items():
        rng, ours, isl, whole = Random(f"benchmark {name}"), [], [], []
        while len(ours) < pairs:
            outer, inner = make(rng)
            places = radix.boundaries(outer.shape)
            found, time = timed(find_rows, places, box(inner), repeats=3)
            carries = active_carries(box(inner), places)
            if found.space.rank == len(carries) or len(outer.shape) > 6:
                continue
            ours.append(time)
            sizes = periodic_sizes(inner.shape, carries)
            dimension, time = timed(affine_hull, carries, sizes, repeats=3)
            isl.append(time)
            if dimension != found.space.rank:
                raise ValueError(f"isl finds dimension {dimension}, not {found.space.rank}: {outer}, {inner}")
            _, time = timed(conditions, symbolic(outer), view(inner))
            whole.append(time)
        times = (median(ours), p99(ours), median(isl), p99(isl))
        ratios = (ratio(median(isl), median(ours)), ratio(p99(isl), p99(ours)))
        rows.append((name, pairs, *times, *ratios, median(whole), p99(whole)))
    return Table("row spaces: auto against one affine hull by isl (ratio: isl over auto)", columns, rows)


BREAKING: dict[str, Callable[[Random], tuple[V, V]]] = {
    "pair": generate.pair,
    "accidental": generate.accidental,
    "movement_pair": generate.movement_pair,
    "huge_pair": generate.huge_pair,
    "in_step": hard.in_step,
    "subset_sum": hard.subset_sum,
}


def smallest_counterexamples(pairs: int) -> Table:
    """The time of the search alone: that there is a counterexample is known already."""
    columns = ("generator", "counterexamples", "proved smallest", "median", "p99", "worst")
    rows = []
    for name, make in BREAKING.items():
        rng, times, proved = Random(f"benchmark {name}"), [], 0
        while len(times) < pairs:
            outer, inner = make(rng)
            found = merge(view(outer), view(inner))
            if not found:
                _, time = timed(getattr, found, "index")
                times.append(time)
                proved += found.smallest
        rows.append((name, pairs, proved, median(times), p99(times), Seconds(max(times))))
    return Table("the smallest index that breaks a merge", columns, rows)
