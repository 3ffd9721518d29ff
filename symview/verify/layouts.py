"""What has to hold for operations on CuTe's layouts of numbers: (size, stride) or lists of such, the first fastest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import prod
from typing import Any

from symview.verify.document import DEEPEST, BadCertificate, get, integers, listed
from symview.verify.formulas import Tree, made
from symview.verify.obligations import Obligation, Steps

Layout = Any
ALONE = ("coalesce", "complement", "right_inverse", "left_inverse", "strict_left_inverse")
ORDERS = {"composition": [""], "coalesce": [""], "divide": ["logical", "zipped", "tiled", "flat"],
          "product": ["logical", "zipped", "tiled", "flat", "blocked", "raked"]}  # fmt: skip


def of_layout(question: Any, answer: Any) -> Steps:
    """That the answer is the operation's: its values at every index, and its nesting."""
    operation, found = get(question, "operation", str), _read(get(answer, "layout", list))
    order, _, kind = operation.rpartition("_")
    a, *by = listed(question, "layouts", lambda x: _read(x, tiler=True)) or [None]
    known = order in ORDERS.get(kind, ()) if by else operation in ALONE
    if not known or a is None or type(a) is dict or len(by) > 1:
        raise BadCertificate(f"operation {operation[:30]!r} of such layouts")
    if by:
        yield from _of_parts(order, kind, a, by[0], found, answer)
    elif operation == "coalesce":
        yield from _composed(a, (_size(a), 1), found)
    elif operation == "complement":
        yield from _complement(a, found, get(question, "bound", int))
    elif operation == "right_inverse":
        yield _same([found, a], [], _size(found))
        yield Obligation("that the right inverse goes as far as it can", None)
    else:
        last = [a] if operation == "left_inverse" else []
        yield _same([a, found, *last], last, _size(a))


def _of_parts(order: str, kind: str, a: Layout, by: Any, found: Layout, answer: Any) -> Steps:
    """That the parts are right, one for each two layouts that meet, and stand in the operation's order."""
    if paired := order in ("blocked", "raked"):
        if by is None or type(by) is dict:
            raise BadCertificate(f"a {order} product is of two layouts")
        x, y = modes(a), modes(by)
        a, by = x + [(1, 0)] * (len(y) - len(x)), y + [(1, 0)] * (len(x) - len(y))
    parts = listed(answer, "parts", lambda p: (_read(get(p, "layout", list)), _read(p.get("complement", []))))
    if kind in ("divide", "product") and any(type(p) is tuple or len(p) != 2 for p, _ in parts):
        raise BadCertificate("a part has two halves")
    met: list[tuple[Layout, Layout]] = []

    def part_of(x: Layout, y: Layout) -> Layout:
        met.append((x, y))
        return parts[len(met) - 1][0] if len(met) <= len(parts) else [[], []]

    built = _built(a, by, part_of, order not in ("", "logical"))
    if len(met) != len(parts):
        raise BadCertificate(f"{len(parts)} parts of {len(met)} pairs of layouts")
    for (x, y), (part, copies) in zip(met, parts, strict=True):
        if kind == "divide":
            yield from _complement(y, copies, _size(x), filled=True)
        many = 1 + sum((n - 1) * d for n, d in leaves(y))
        if kind == "product":
            yield Obligation("that it is a block and copies of it", many > 0 and part[0] == x)
            yield from _complement(x, copies, _size(x) * many, many)
            x, part = copies, part[1]
        yield from _composed(x, [y, copies] if kind == "divide" else (_size(x), 1) if kind == "coalesce" else y, part)
    if paired:
        built = [[u, v] if order == "blocked" else [v, u] for u, v in zip(*built, strict=True)]
    elif order in ("tiled", "flat"):
        built = (built[:1] if order == "tiled" else modes(built[0])) + modes(built[1])
    yield Obligation("that its modes stand as they should", found == built)


def _composed(outer: Layout, inner: Layout, found: Layout) -> Steps:
    """That it is the composition: nested as the inner layout, whose modes are split no further than needed."""
    yield Obligation("that it is nested as it should be", _refines(found, inner))
    yield _same([inner, outer], [found], _size(found))


def _complement(of: Layout, found: Layout, bound: int, least: int = 1, filled: bool = False) -> Steps:
    """That it is the complement in CuTe's form: as many copies as fit into each gap, which perhaps has to be filled."""
    reach, span, form = 1, 0, []
    for d, n in sorted((d, n) for n, d in leaves(of) if n > 1 and d != 0):
        yield Obligation(f"that {n}:{d} is apart from all before it", d > span and not (filled and d % reach))
        form.append((max(1, d // reach), reach))
        span, reach = span + (form[-1][0] - 1) * reach + (n - 1) * d, n * d
    form.append((max(-(-bound // reach), -(-least // prod(n for n, _ in form))), reach))
    copies = [m for m in form if m[0] > 1] or [(1, 0)]
    yield Obligation("that it is the complement", bound > 0 and found == (copies if len(copies) > 1 else copies[0]))


def _same(first: Sequence[Layout], second: Sequence[Layout], size: int) -> Obligation:
    """That layouts, applied in turn, have the same values at all indices below a size, and none leaves the domain."""
    ends, inside = [], []
    for layouts in (first, second):
        x: Tree = "#0"
        for n, layout in enumerate(layouts):
            inside += [(">=", x, 0)] * (n > 0)
            x = at(leaves(layout), x)
        ends.append(x)
    return Obligation("that it has the right values", ("and", *inside, ("==", *ends)), (), {"#0": (0, size)})


def at(flat: Sequence[tuple[Any, Any]], x: Tree) -> Tree:
    """The layout at an index from 0 on; the last mode goes on without bound."""
    place: Tree = 1
    parts: list[Tree] = []
    for k, (n, d) in enumerate(flat):
        q = x if place == 1 else made("//", x, place)
        parts.append(made("*", d, q if k == len(flat) - 1 else made("%", q, n)))
        place = made("*", place, n)
    return made("+", *parts)


def _refines(found: Layout, by: Layout) -> bool:
    """Whether it is nested as another, but for modes that are split, each into as few as do."""
    if type(by) is list:
        return type(found) is list and len(found) == len(by) and all(map(_refines, found, by))
    split = type(found) is list and len(found) > 1 and all(type(m) is tuple and m[0] > 1 for m in found)
    few = type(found) is tuple or (split and all(m[0] * m[1] != n[1] for m, n in pairwise(found)))
    return few and _size(found) == by[0]


def _built(a: Layout, by: Any, part: Callable[[Layout, Layout], Layout], zipped: bool) -> Layout:
    """What parts make mode by mode; zipped: all first halves, then all second ones and what is left."""
    if type(by) is not dict:
        return part(a, by) if by is not None else [(1, 0), a] if zipped else a
    if len(by["modes"]) > len(modes(a)):
        raise BadCertificate("a tiler has more modes than the layout")
    done = [_built(x, y, part, zipped) for x, y in zip(modes(a), by["modes"], strict=False)]
    rest = modes(a)[len(done) :]
    return [[x for x, _ in done], [y for _, y in done] + rest] if zipped else done + rest


def modes(x: Layout) -> list[Layout]:
    """The modes; of a single one, itself."""
    return x if type(x) is list else [x]


def leaves(x: Layout) -> list[tuple[Any, Any]]:
    """Sizes and strides in a row."""
    return [leaf for mode in x for leaf in leaves(mode)] if type(x) is list else [x]


def _size(x: Layout) -> int:
    return prod(n for n, _ in leaves(x))


def _read(x: Any, depth: int = 0, tiler: bool = False) -> Any:
    """A layout; or a tiler: one, null, or an object whose modes are tilers."""
    if tiler and depth < DEEPEST and (x is None or type(x) is dict):
        return x if x is None else {"modes": listed(x, "modes", lambda m: _read(m, depth + 1, True))}
    if type(x) is list and depth < DEEPEST and not any(type(m) is int for m in x):
        return [_read(m, depth + 1) for m in x]
    leaf = integers({"a layout": x}, "a layout")
    if len(leaf) != 2 or leaf[0] < 1:
        raise BadCertificate("a layout is [size, stride], sizes from 1 on, or a list of layouts")
    return leaf
