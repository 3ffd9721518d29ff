"""What has to hold for the cases of a composition or a coalesced layout with names in sizes and strides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, islice, pairwise, product
from math import gcd, prod
from typing import Any, NamedTuple

from symview.verify.document import DEEPEST, BadCertificate, checked, entry, formula, get, listed
from symview.verify.formulas import Tree, made, names
from symview.verify.layouts import at, leaves, modes
from symview.verify.obligations import WALK, Obligation, Steps

Layout = Any
SINGLE, SPLITS, FEW = 32, 200, 12  # indices that are asked about one by one; ways to split, and with symbolic sizes


class Case(NamedTuple):
    """Wherever `place` holds, `layout` is the answer; none for what is said to have none, or to be open."""

    place: Tree
    status: str
    layout: Layout


def of_layout_conditions(question: Any, answer: Any) -> Steps:
    """The cases, under the facts, say exactly where there is a layout, and which."""
    operation, facts = get(question, "operation", str), listed(question, "facts", formula)
    a, *by = listed(question, "layouts", lambda x: _read(x, tiler=True)) or [None]
    if a is None or type(a) is dict or {"coalesce": 0, "composition": 1}.get(operation) != len(by):
        raise BadCertificate(f"conditions of the operation {operation[:30]!r} of such layouts")
    cases = listed(answer, "cases", _case)
    known = names(*facts, *_entries(a), *[x for tiles in by for x in _entries(tiles)])
    if any(n not in known for c in cases for n in names(c.place, *_entries(c.layout))):
        raise BadCertificate("what is in a case has strange names")
    for c in cases:
        if c.status == "undecided":
            yield Obligation("what a case leaves undecided", None)
        elif c.layout is not None:
            yield from (_coalesced(a, c, facts) if not by else _composed(_met(a, by[0], c.layout), c, facts))
    some = ("or", False, *[c.place for c in cases if c.status != "never"])
    says = ("and", some, *[("not", c.place) for c in cases if c.status == "never"])
    if not by:
        yield Obligation("that there is a case for all values", says, facts)
        twice = [("and", c.place, d.place) for n, c in enumerate(cases) for d in cases[:n]]
        yield Obligation("that no two cases are about one value", ("not", ("or", False, *twice)), facts)
    else:
        yield from _elsewhere(_met(a, by[0], None), says, facts)


def _coalesced(a: Layout, case: Case, facts: Sequence[Tree]) -> Steps:
    """Each mode of the answer is made of neighbours that continue one another, and continues none."""
    given, found, old = [*facts, case.place], modes(case.layout), leaves(a)
    flat = all(type(m) is tuple for m in found) and (type(case.layout) is tuple or len(found) > 1)
    yield Obligation("that it is flat", flat and len(found) <= len(old))
    apart = [("!=", made("*", *m), n[1]) for m, n in pairwise(found)]
    yield Obligation("that no fewer modes do", ("and", *[("!=", n, 1) for n, _ in found], *apart)
                     if len(found) > 1 else True, given)  # fmt: skip
    ways = [_grouped(old, found, (0, *cuts, len(old))) for cuts in combinations(range(1, len(old)), len(found) - 1)]
    yield Obligation("that it has the values", ("or", False, *ways) if len(ways) <= SPLITS else None, given)


def _grouped(old: Sequence[Any], found: Sequence[Any], cuts: Sequence[int]) -> Tree:
    """That modes between two cuts are one mode together; those of size 1 may be anywhere."""
    parts: list[Tree] = [True]
    for (low, high), (size, stride) in zip(pairwise(cuts), found, strict=True):
        done: Tree = 1
        for n, d in old[low:high]:
            parts.append(("or", ("==", n, 1), ("==", d, made("*", done, stride))))
            done = made("*", done, n)
        parts.append(("==", done, size))
    return ("and", *parts)


def _composed(met: Sequence[Any], case: Case, facts: Sequence[Tree]) -> Steps:
    """The answer is nested as the inner layout, its modes perhaps split, and has the values at every index."""
    given = [*facts, case.place]
    for outer, inner, found in met:
        if inner is None:
            yield Obligation("that a mode stays as it is", ("and", True, *_stays(found, outer)), given)
            continue
        fits = [*_fits(found, inner)]
        yield Obligation("that it is nested and has the sizes of the inner layout", ("and", True, *fits), given)
        size, x = made("*", 1, *[n for n, _ in leaves(inner)]), "#0"
        if _walked(outer, inner, found):
            there = ((_digits(outer, at(leaves(inner), i)), _digits(found, i)) for i in range(size))
            rows = _basis([*x, *[-k for k in y]] for x, y in there)
            strides = [d for _, d in (*leaves(outer), *leaves(found))]
            yield Obligation("that it has the values", ("and", True, *_zeros(rows, strides)), given)
            continue
        few = type(size) is int and size <= SINGLE
        for i in range(size) if few else [x]:
            y = at(leaves(inner), i)
            same = ("and", made(">=", y, 0), ("==", at(leaves(outer), y), at(leaves(found), i)))
            yield Obligation("that it has the values", same, given, {} if few else {x: (0, size)})


def _elsewhere(met: Sequence[Any], says: Tree, facts: Sequence[Tree]) -> Steps:
    """Wherever the inner layout, split as finely as it can be, gives a layout, there is a case."""
    what = "that there are no other layouts"
    met = [m for m in met if m[1] is not None]
    known = all(_walked(outer, inner) or _walked(inner, inner, most=SINGLE) for outer, inner, _ in met)
    splits = [[*islice(_splits(inner), SPLITS)] for _, inner, _ in met if known]
    steps = sum(len(some) * prod(some[0]) for some in splits)
    most = SPLITS if all(_walked(outer, inner) for outer, inner, _ in met) else FEW
    if not known or prod(map(len, splits)) >= most or steps > 10 * WALK:
        if (yield Obligation(what, says, facts, doubt=True)) is not None:  # the cases do not cover all values
            yield Obligation(what, None)
        return
    ways = [[_affine(m[0], m[1], split) for split in some] for m, some in zip(met, splits, strict=True)]
    for way in product(*ways):
        yield Obligation(what, says, [*facts, *[f for part in way for f in part]])


def _affine(outer: Layout, inner: Layout, split: Sequence[int]) -> list[Tree]:
    """Equations that hold exactly where outer ∘ inner is linear in the digits of an index by these sizes."""
    places = [(n, prod(split[:k])) for k, n in enumerate(split)]
    strides, digits = [d for _, d in leaves(outer)], _walked(outer, inner)

    def there(i: int) -> list[Any]:
        x = at(leaves(inner), i)
        return _digits(outer, x) if digits else [at(leaves(outer), x)]

    units = [there(p) for _, p in places]
    parts = [[i // p % n for n, p in places] for i in range(prod(split))]
    if not digits:
        sums = [made("+", 0, *[made("*", x, u) for x, [u] in zip(row, units, strict=True)]) for row in parts]
        return [("==", there(i)[0], y) for i, y in enumerate(sums)]
    rows = ([x - sum(y * u[k] for y, u in zip(row, units, strict=True)) for k, x in enumerate(there(i))]
            for i, row in enumerate(parts))  # fmt: skip
    return _zeros(_basis(rows), strides)


def _splits(inner: Layout) -> Iterator[list[int]]:
    """The sizes of the inner modes as products of primes, in every order."""
    orders = [[*islice(_orders(n), SPLITS)] for n, _ in leaves(inner)]
    return ([n for part in way for n in part] for way in product(*orders))


def _orders(n: int) -> Iterator[list[int]]:
    """A number as products of primes."""
    if n == 1:
        yield []
    for p in range(2, n + 1):
        if n % p == 0 and all(p % q for q in range(2, p)):
            yield from ([p, *rest] for rest in _orders(n // p))


def _digits(layout: Layout, value: int) -> list[int]:
    """The digits of a number from 0 on, one for each mode, the last without bound."""
    if value < 0:
        raise BadCertificate("an inner layout has values below 0")
    found, rest = [], value
    for n, _ in leaves(layout)[:-1]:
        rest, digit = divmod(rest, n)
        found.append(digit)
    return [*found, rest] if leaves(layout) else found


def _basis(rows: Iterable[Sequence[int]]) -> list[Sequence[int]]:
    """Rows of integers that span the same."""
    kept: dict[int, Sequence[int]] = {}
    for start in dict.fromkeys(map(tuple, rows)):
        row: Sequence[int] = start
        for lead, other in kept.items():
            if row[lead]:
                row = [other[lead] * x - row[lead] * y for x, y in zip(row, other, strict=True)]
        if shared := gcd(*row):
            row = [x // shared for x in row]
            kept[next(k for k, x in enumerate(row) if x)] = row
    return [*kept.values()]


def _zeros(rows: Iterable[Sequence[int]], strides: Sequence[Tree]) -> list[Tree]:
    return [("==", made("+", 0, *[made("*", x, d) for x, d in zip(row, strides, strict=True)]), 0) for row in rows]


def _met(a: Layout, by: Any, found: Layout) -> list[tuple[Layout, Any, Layout]]:
    """Outer, inner and found layouts, mode by mode where a tiler goes so; where the inner one is None, a mode stays."""
    if type(by) is not dict:
        return [(a, by, found)]
    parts, tilers = modes(a), by["modes"]
    if len(tilers) > len(parts) or (found is not None and (type(found) is tuple or len(found) != len(parts))):
        raise BadCertificate("the tiler or the answer has other modes than the layout")
    tilers = [*tilers, *[None] * (len(parts) - len(tilers))]
    mine = parts if found is None else found
    return [m for x, y, f in zip(parts, tilers, mine, strict=True) for m in _met(x, y, None if found is None else f)]


def _fits(found: Layout, by: Layout) -> Iterator[Tree]:
    """That the sizes of a layout are another's, whose modes may be split."""
    if type(by) is list:
        alike = type(found) is list and len(found) == len(by)
        yield from (f for x, y in zip(found, by, strict=True) for f in _fits(x, y)) if alike else [False]
    else:
        sizes = [n for n, _ in leaves(found)]
        yield from (("==", made("*", 1, *sizes), by[0]), *[(">=", n, 1) for n in sizes])


def _stays(found: Layout, a: Layout) -> Iterator[Tree]:
    """That a layout is another, as it is written."""
    if type(a) is list:
        alike = type(found) is list and len(found) == len(a)
        yield from (f for x, y in zip(found, a, strict=True) for f in _stays(x, y)) if alike else [False]
    else:
        yield from (("==", x, y) for x, y in zip(found, a, strict=True)) if type(found) is tuple else [False]


def _entries(x: Any) -> list[Tree]:
    """The sizes and strides of a layout or a tiler."""
    if type(x) is dict:
        return [e for m in x["modes"] for e in _entries(m)]
    return [] if x is None else [e for leaf in leaves(x) for e in leaf]


def _walked(outer: Layout, inner: Layout, *found: Layout, most: int = WALK) -> bool:
    """Whether sizes and the inner strides are numbers, so few that every index is looked at."""
    entries = [*[n for x in (outer, *found) for n, _ in leaves(x)], *[x for leaf in leaves(inner) for x in leaf]]
    return all(type(x) is int for x in entries) and prod(n for n, _ in leaves(inner)) <= most


def _case(given: Any) -> Case:
    status, shown, equations = get(given, "status", str), given.get("layout"), listed(given, "equations", formula)
    layout = None if shown is None else _read(shown)
    if status not in (("never", "undecided") if shown is None else ("when",) if equations else ("always",)):
        raise BadCertificate(f"a case of status {status[:20]!r} with or without a layout, or equations")
    return Case(("and", formula(given.get("where")), *equations), status, layout)


def _read(x: Any, depth: int = 0, tiler: bool = False) -> Any:
    """A layout: an object of size and stride, or a list of layouts; or a tiler: one, null, or an object of modes."""
    if depth > DEEPEST:
        raise BadCertificate("a layout is nested too deep")
    if type(x) is list:
        return [_read(m, depth + 1) for m in x]
    if tiler and (x is None or (type(x) is dict and "modes" in x)):
        return x if x is None else {"modes": listed(x, "modes", lambda m: _read(m, depth + 1, True))}
    size, stride = (entry(checked(x, dict, "a layout").get(key)) for key in ("size", "stride"))
    if type(size) is int and size < 1:
        raise BadCertificate("the sizes of layouts are from 1 on")
    return size, stride
