"""The obligations of merges of numbers, of counterexamples, and of comparisons of chains."""

from __future__ import annotations

from collections.abc import Collection, Generator, Sequence
from itertools import count, product
from operator import itemgetter

from symview.trusted.document import Object, View, chain, get, integers, maybe
from symview.trusted.formulas import Ranges, Tree, Unsupported, Values, made, put
from symview.trusted.work import Work
from symview.verify.kinds.maps import Point, address, box, composed, size, within
from symview.verify.obligations import WALK, Ask, Known, Obligation, Steps

KINDS = ("addresses disagree", "valid and should not be", "not valid and should be", "out of bounds")
Index = tuple[int, ...]


def at(views: Sequence[View], index: Sequence[int], work: Work) -> int | None:
    """The address of a chain of numbers; None if a mask hides it, or it is out of bounds."""
    here = composed(views, index, work)
    if not type(here.valid) is type(here.outside) is bool:
        raise Unsupported("an address that is not computed")
    return here.address if here.valid and not here.outside else None


def moved(index: Sequence[int], axis: int, to: int) -> Index:
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


def why_not(views: Sequence[View], values: Values, work: Work) -> Known | None:
    """A formula that holds wherever the views merge, but not at these values; walks their box. None if they merge."""
    (found, out), sizes = walked(views, values, work), [*box(views[-1].shape).values()]
    if out is not None:
        there = composed(views, out, work, f"@{out}")
        return there.lets, ("not", ("and", there.outside, within(out, sizes)))
    low, high = (tuple(map(pick, zip(*found, strict=True))) for pick in (min, max))
    for index in product(*[range(a, b + 1) for a, b in zip(low, high, strict=True)]) if found else ():
        if index not in found:
            ends = [pick(found, key=itemgetter(a)) for a in range(len(low)) for pick in (min, max)]
            points = [composed(views, p, work, f"@{p}") for p in (*ends, index)]
            seen = [*[p.valid for p in points[:-1]], *[within(p, sizes) for p in ends]]
            return {n: t for p in points for n, t in p.lets.items()}, ("->", ("and", *seen), points[-1].valid)
    steps = [found.get(moved(low, a, low[a] + 1), 0) - found[low] for a in range(len(low))] if found else []
    for index, reached in found.items():
        if reached != found[low] + sum((i - k) * s for i, k, s in zip(index, low, steps, strict=True)):
            return affine_at(views, low, index, work)
    return None


def first_box(found: Collection[Index]) -> tuple[Index, Index]:
    """The least valid index, and along each axis the first later one that is not valid."""
    low = tuple(map(min, zip(*found, strict=True)))
    return low, tuple(next(e for e in count(k) if moved(low, a, e) not in found) for a, k in enumerate(low))


def before(index: Index) -> Tree:
    """Formula: #0, #1, … come before the index, by their sum, then in order."""
    here = [f"#{a}" for a in range(len(index))]
    total = made("+", *here)
    same = [("==", total, sum(index)), *[("==", n, i) for n, i in zip(here, index, strict=True)]]
    smaller = [("and", *same[: a + 1], ("<", here[a], i)) for a, i in enumerate(index)]
    return ("or", ("<", total, sum(index)), *smaller)


def of_counterexample(views: list[View], claim: Object, work: Work) -> Steps:
    """Obligations: no single view is the composition, the index shows it, and it is the smallest if claimed."""
    index, kind, ranges = integers(claim, "index"), get(claim, "kind", str), box(views[-1].shape)
    inside = len(index) == len(ranges) and within(index, [*ranges.values()])
    yield Obligation(f"that {kind[:30]!r} at {index} is a counterexample's kind and index", kind in KINDS and inside)
    here, there = composed(views, [*ranges], work), composed(views, index, work)
    got, axis, expected = (maybe(claim, key, int) for key in ("got", "axis", "expected"))
    if kind == KINDS[3]:
        right = there.outside is True and got == composed(views[-1:], index, work).address and axis is expected is None
        breaks = here.outside
    else:
        yield Obligation("that nothing is out of bounds", ("not", here.outside), (), ranges, here.lets)
        low = yield from _least(views, here, ranges)
        yield Obligation(
            "that an index is valid, and this address is reached", bool(low) and at(views, index, work) == got
        )
        units = [moved(low, a, i + 1) for a, i in enumerate(low)]
        base, *near = [at(views, p, work) if within(p, [*ranges.values()]) else None for p in (low, *units)]
        steps = [0 if x is None else x - (base or 0) for x in near]
        if kind == KINDS[0]:
            one = address([i - k for i, k in zip(index, low, strict=True)], steps, base)
            last = max((a for a, i in enumerate(index) if i > low[a]), default=None)
            right = not affine_at(views, low, index, work)[1] and (axis, expected) == (last, one)
            line = address([made("-", n, k) for n, k in zip(ranges, low, strict=True)], steps, base)
            breaks = ("and", here.valid, ("!=", here.address, line))
        else:
            ends = [next((e for e in range(k, min(n, k + WALK)) if at(views, moved(low, a, e), work) is None), n)
                    for a, (k, n) in enumerate(zip(low, views[-1].shape, strict=True))]  # fmt: skip
            bounds, missing = [*zip(low, ends, strict=True)], kind == KINDS[2]
            box_of = within([*ranges], bounds)
            breaks = ("and", box_of, ("not", here.valid)) if missing else ("and", here.valid, ("not", box_of))
            right = within(index, bounds) == missing == (got is None) and axis is expected is None
    yield Obligation(f"that {kind!r} is right at {index}", right)
    if get(claim, "smallest", bool):
        yield Obligation("that no smaller index breaks", ("not", breaks), [before(index)], ranges, here.lets)


def _least(views: list[View], here: Point, ranges: Ranges) -> Generator[Obligation | Ask, Values | None, Index]:
    """The first valid index."""
    masked = any(v.mask or v.void for v in views)
    first = Obligation("which index is valid first", ("not", here.valid), (), ranges, here.lets)
    low: Index = () if masked else (0,) * len(ranges)
    while masked and (found := (yield Ask(first))) is not None:
        low = tuple(found[n] for n in ranges)
        first = first._replace(given=[before(low)])
    if masked:
        yield first
    return low


def of_merge(question: Object, answer: Object, work: Work) -> Steps:
    """Obligations of a merged view, or of the index that excludes every view."""
    views = chain(question, "views", 2, numeric=True)
    if answer.get("view") is None:
        yield from of_counterexample(views, get(answer, "counterexample", dict), work)
    else:
        yield from of_same(views, chain({"views": [answer["view"]]}, "views", 1, numeric=True), work)


def of_same(first: list[View], second: list[View], work: Work, index: Index | None = None) -> Steps:
    """Obligations: two chains of numbers have the same address everywhere, or at all indices before one."""
    yield Obligation("that the shapes are the same", first[-1].shape == second[-1].shape)
    ranges, given = box(first[-1].shape), [] if index is None else [before(index)]
    here, there = composed(first, [*ranges], work, "a"), composed(second, [*ranges], work, "b")
    inside = [("not", here.outside), ("not", there.outside)]
    equal = ("and", ("<->", here.valid, there.valid), ("->", here.valid, ("==", here.address, there.address)))
    lets, what = {**here.lets, **there.lets}, "" if index is None else " before the index"
    yield Obligation("that nothing is out of bounds", ("and", *inside), (), ranges, lets)
    yield Obligation(f"that all addresses are the same{what}", equal, given, ranges, lets)


def of_chains(question: Object, answer: Object, work: Work) -> Steps:
    """Obligations: chains agree at every index, or differ at `index`; `minimal`: no single view equals the second."""
    first, second = (chain(question, key, numeric=True) for key in ("first", "second"))
    if get(answer, "same", bool):
        yield from of_same(first, second, work)
    else:
        index, bounds = integers(answer, "index"), [*box(first[-1].shape).values()]
        both = first[-1].shape == second[-1].shape and len(index) == len(bounds) and within(index, bounds)
        yield Obligation(f"that {index} is an index of both", both)
        reached = [at(first, index, work), at(second, index, work)]
        yield Obligation(f"that {index} leads to different addresses", reached[0] != reached[1])
        sides = maybe(answer, "sides", list) and [*integers(answer, "sides")]
        yield Obligation(f"that the addresses are {reached}", sides is None or sides == reached)
        yield from of_same(first, second, work, index) if maybe(answer, "smallest", bool) else ()
    if maybe(answer, "minimal", bool) and len(second) > 1:
        yield Obligation("that no fewer suffice", why_not(second, {}, work) is not None if len(second) == 2 else None)
