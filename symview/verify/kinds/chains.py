"""Rules for chains of views: where they lead, what excludes that one view leads there, and chains of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from operator import itemgetter
from typing import Any

from symview.trusted.document import View
from symview.trusted.formulas import Ranges, Tree, Unsupported, Values, made, put
from symview.trusted.work import Work
from symview.verify.kinds.maps import Point, box, composed, size, within
from symview.verify.nodes import Chain
from symview.verify.obligations import WALK, Ask, Asking, Known, Obligation, Steps

Index = tuple[int, ...]


def at(views: Sequence[View], index: Sequence[int], work: Work) -> int | None:
    """The address of a chain of numbers; None if a mask hides it, or it is out of bounds."""
    here = composed(views, index, work)
    if not type(here.valid) is type(here.outside) is bool:
        raise Unsupported("an address that is not computed")
    return here.address if here.valid and not here.outside else None


def moved(index: Sequence[int], axis: int, to: Tree) -> Any:
    """The index with another entry along an axis."""
    return (*index[:axis], to, *index[axis + 1 :])


def affine_at(views: Sequence[View], low: Index, index: Sequence[Tree], work: Work) -> Known:
    """Formula: the address at a valid index is that of the one view through `low` and its neighbours."""
    near = {a: moved(low, a, low[a] + 1) for a, i in enumerate(index) if i != low[a]}
    points = {p: composed(views, p, work, f"@{p}") for p in dict.fromkeys((low, tuple(index), *near.values()))}
    base = points[low].address
    steps = [made("*", made("-", index[a], low[a]), made("-", points[p].address, base)) for a, p in near.items()]
    still, inside = {p: made("==", low[a], index[a]) for a, p in near.items()}, [*box(views[-1].shape).values()]
    there = [made("or", still.get(p, False), made("and", x.valid, within(p, inside))) for p, x in points.items()]
    lets = {n: t for x in points.values() for n, t in x.lets.items()}
    return lets, made("->", made("and", *there), made("==", made("+", base, *steps), points[tuple(index)].address))


def walked(views: Sequence[View], values: Values, work: Work | None = None) -> tuple[dict[Index, int], Index | None]:
    """Maps the indices that no mask hides to addresses at these values; also returns an index out of bounds."""
    work = work or Work()
    ranges = box(shape := [put(n, values) for n in views[-1].shape])
    if made("<=", size(shape), WALK) is not True:
        raise Unsupported(f"a box of more than {WALK} indices")
    point = composed(views, [*ranges], work)
    walk = Obligation("", ("not", point.outside), (), ranges, {**point.lets, "#at": point.address})
    for out in walk.all_failures(walk.box(values), work):
        return {}, tuple(out[n] for n in ranges)
    valid = walk._replace(claim=("not", ("and", point.valid, ("==", "#at", "#at")))).all_failures(
        walk.box(values), work
    )
    return {tuple(x[n] for n in ranges): x["#at"] for x in valid}, None


def breaking(views: Sequence[View], values: Values, work: Work) -> tuple[list[Index], Index] | None:
    """An index that excludes one view at these values, after those that it breaks with; walks their box.

    It is out of bounds, after none; it has another address than the one view through the first index, after that;
    or a mask hides it between those before it. None if the views merge.
    """
    found, out = walked(views, values, work)
    if out is not None:
        return [], out
    low, high = (tuple(map(pick, zip(*found, strict=True))) for pick in (min, max))
    every = product(*[range(a, b + 1) for a, b in zip(low, high, strict=True)]) if found else ()
    for index in work.over(every):
        if index not in found:
            return [pick(found, key=itemgetter(a)) for a in range(len(low)) for pick in (min, max)], index
    steps = [found.get(moved(low, a, low[a] + 1), 0) - found[low] for a in range(len(low))] if found else []
    for index, reached in found.items():
        if reached != found[low] + sum((i - k) * s for i, k, s in zip(index, low, steps, strict=True)):
            return [low], index
    return None


def why_not(views: Sequence[View], values: Values, work: Work) -> Known | None:
    """A formula that holds wherever the views merge, but not at these values; None if they merge."""
    if (broken := breaking(views, values, work)) is None:
        return None
    near, index = broken
    if len(near) == 1:
        return affine_at(views, near[0], index, work)
    points, sizes = [composed(views, p, work, f"@{p}") for p in (*near, index)], [*box(views[-1].shape).values()]
    lets = {n: t for p in points for n, t in p.lets.items()}
    if not near:
        return lets, ("not", ("and", points[0].outside, within(index, sizes)))
    seen = [*[p.valid for p in points[:-1]], *[within(p, sizes) for p in near]]
    return lets, ("->", ("and", *seen), points[-1].valid)


def before(index: Index) -> Tree:
    """Formula: #0, #1, … come before the index, by their sum, then in order."""
    here = [f"#{a}" for a in range(len(index))]
    total = made("+", *here)
    same = [("==", total, sum(index)), *[("==", n, i) for n, i in zip(here, index, strict=True)]]
    smaller = [("and", *same[: a + 1], ("<", here[a], i)) for a, i in enumerate(index)]
    return ("or", ("<", total, sum(index)), *smaller)


def breaks(views: Sequence[View], index: Index, work: Work) -> Steps:
    """Obligations: at the index, views of numbers lead out of one, or elsewhere than the one view through the first
    valid index and its neighbours, whose valid indices are a box.
    """
    ranges, what = box(views[-1].shape), f"that the merge breaks at {index}"
    yield Obligation(f"that {index} is an index", within(index, [*ranges.values()]))
    here, there = composed(views, [*ranges], work), composed(views, index, work)
    if there.outside is not False:
        yield Obligation(what, there.outside)
        return
    yield Obligation("that nothing is out of bounds", ("not", here.outside), (), ranges, here.lets)
    low = yield from _least(views, here, ranges, work)
    if not low:
        yield Obligation(what, False)
    elif at(views, index, work) is None:
        yield Obligation(what, all(at(views, moved(low, a, i), work) is not None for a, i in enumerate(index)))
    else:
        hole = yield from _hole(views, low, index, work)
        lets, at_one = affine_at(views, low, index, work)
        yield Obligation(
            what, hole or any(i < k for i, k in zip(index, low, strict=True)) or ("not", at_one), (), {}, lets
        )


def _hole(views: Sequence[View], low: Index, index: Index, work: Work) -> Asking[bool]:
    """Whether an index is not valid between two valid ones, along an axis from the first one."""
    for a, (k, i) in enumerate(zip(low, index, strict=True)):
        point = composed(views, moved(low, a, f"#{a}"), work)
        found = yield Ask(Obligation("", point.valid, (), {f"#{a}": (k, i)}, point.lets))
        if found is not None:
            return at(views, moved(low, a, found[f"#{a}"]), work) is None
    return False


def _least(views: Sequence[View], here: Point, ranges: Ranges, work: Work) -> Asking[Index]:
    """The first valid index."""
    masked = any(v.mask or v.void for v in views)
    first = Obligation("which index is valid first", ("not", here.valid), (), ranges, here.lets)
    low: Index = () if masked else (0,) * len(ranges)
    while masked and (found := (yield Ask(first))) is not None:
        work.spend()
        low = tuple(found[n] for n in ranges)
        first = first._replace(given=[before(low)])
    if masked:
        yield first
    return low


def none(views: Sequence[View], work: Work) -> Steps:
    """Obligations: a chain of numbers is not one view."""
    why = why_not(views, {}, work)
    yield Obligation("that no fewer suffice", why is not None and ("not", why[1]), (), {}, why[0] if why else {})


def differ(one: Chain, other: Chain, index: Index, sides: Index | None, work: Work) -> Steps:
    """Obligations: the chains lead to different places at the index, and to these."""
    first, second = one.views, other.views
    bounds = [*box(first[-1].shape).values()]
    both = first[-1].shape == second[-1].shape and len(index) == len(bounds) and within(index, bounds)
    yield Obligation(f"that {index} is an index of both", both)
    reached = (at(first, index, work), at(second, index, work))
    yield Obligation(f"that {index} leads to different addresses", reached[0] != reached[1])
    yield Obligation(f"that the addresses are {reached}", sides is None or sides == reached)
