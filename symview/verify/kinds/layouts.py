"""The obligations of operations on CuTe's layouts: (size, stride) or lists of layouts, the first fastest.

Sizes and strides are expressions; obligations hold wherever an answer is claimed, which for numbers is everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, compress, islice, pairwise, permutations, product
from typing import Any, NamedTuple

from symview.trusted.document import BadCertificate
from symview.trusted.formulas import Tree, Unsupported, made, names, put, unfolded
from symview.trusted.work import Work
from symview.verify.kinds.maps import Layout, Lets, cosize, count, leaves, modes, value
from symview.verify.nodes import Operation, entries
from symview.verify.obligations import Obligation, Steps

ALONE = ("coalesce", "complement", "right_inverse", "left_inverse", "strict_left_inverse", "tile_to_shape")
ORDERS = {"composition": [""], "coalesce": [""], "divide": ["logical", "zipped", "tiled", "flat"],
          "product": ["logical", "zipped", "tiled", "flat", "blocked", "raked"]}  # fmt: skip
WAYS, MOST = 200, 3  # ways to group modes; strides to order


def operation_of(of: Operation) -> tuple[str, list[Any], Tree]:
    """The operation, its operands, computed (a layout, for some also a layout or tiler), and the bound of a complement.

    For tile_to_shape: the copies of the block.
    """
    operation, given = of.name, [folded(x) for x in of.layouts]
    order, _, kind = operation.rpartition("_")
    known = order in ORDERS.get(kind, ()) if len(given) == 2 else len(given) == 1 and operation in ALONE
    if not known or given[0] is None or type(given[0]) is dict:
        raise BadCertificate(f"operation {operation[:30]!r} of such layouts")
    if of.shape is not None:
        return operation, [given[0], _copies(given[0], [put(n, {}) for n in of.shape], of.order or ())], 1
    return operation, given, 1 if of.bound is None else put(of.bound, {})


def folded(x: Any) -> Any:
    """A layout or a tiler whose entries are computed."""
    if type(x) is list:
        return [folded(m) for m in x]
    if type(x) is dict:
        return {"modes": [folded(m) for m in x["modes"]]}
    return None if x is None else (put(x[0], {}), put(x[1], {}))


def _copies(block: Layout, shape: Sequence[Tree], order: Sequence[int]) -> Layout:
    """The copies of the block along each mode, as many as cover the shape, compact in the order."""
    if not len(modes(block)) == len(shape) == len(order):
        raise BadCertificate("the block, the shape and the order have different lengths")
    many = [made("ceildiv", n, count(m)) for n, m in zip(shape, modes(block), strict=True)]
    steps = [made("*", 1, *[n for n, k in zip(many, order, strict=True) if k < place]) for place in order]
    return [*zip(many, steps, strict=True)]


def answered(
    operation: str, given: Sequence[Any], bound: Any, found: Layout, parts: Any, known: Sequence[Tree], work: Work
) -> Steps:
    """Obligations: the layout is the result of the operation."""
    order, _, kind = operation.rpartition("_")
    a, *by = given
    sizes = [made(">=", n, 1) for n, _ in leaves(found)]
    if not all(f is True for f in sizes):
        yield Obligation("that all its sizes are positive", ("and", *sizes), known)
    if operation == "tile_to_shape":
        yield from _of_parts("blocked", "product", a, by[0], found, parts, known, work)
    elif by:
        yield from _of_parts(order, kind, a, by[0], found, parts, known, work)
    elif operation == "coalesce":
        yield from _coalesced(a, found, known, work)
    elif operation == "complement":
        yield from _complement(a, found, bound, known)
    elif operation == "right_inverse":
        yield from _same([found, a], [], count(found), known, work)
        end = count(found)
        further = [made("or", made("==", n, 1), made("!=", d, end)) for n, d in leaves(a)]
        ends = ("or", *[made("==", end, x) for x in (1, *[made("*", *m) for m in leaves(a)])])
        what = "that it ends with a mode that no other continues"
        yield Obligation(what, ("and", ends, *further), known)
    else:
        last = [a] if operation == "left_inverse" else []
        yield from _same([a, found, *last], last, count(a), known, work)


def _of_parts(
    order: str, kind: str, a: Layout, by: Any, found: Layout, parts: Any, known: Sequence[Tree], work: Work
) -> Steps:
    """Obligations: the parts are right, one for each pair of layouts, and are in the operation's order."""
    if order in ("blocked", "raked"):
        a, by = paired(order, a, by)
    if kind in ("divide", "product") and any(type(p) is tuple or len(p) != 2 for p in parts):
        raise BadCertificate("a part has two halves")
    pairs = pairs_of(a, by)
    if len(pairs) != len(parts):
        raise BadCertificate(f"{len(parts)} parts of {len(pairs)} pairs of layouts")
    for (x, y), one in zip(pairs, parts, strict=True):
        if kind in ("divide", "product"):
            yield from _combined(kind, x, y, one, known, work)
        else:
            inner = (count(x), 1) if kind == "coalesce" else y
            yield from _nested(_refines(one, inner), known)
            yield from _same([inner, x], [one], count(inner), known, work)
    as_ = assembled(order, a, by, parts)
    yield Obligation("that its modes are in the right order", ("and", True, *_alike(found, as_)), known)


def paired(order: str, a: Layout, by: Any) -> tuple[Layout, Layout]:
    """Two layouts of as many modes each."""
    if by is None or type(by) is dict:
        raise BadCertificate(f"a {order} product is of two layouts")
    x, y = modes(a), modes(by)
    return x + [(1, 0)] * (len(y) - len(x)), y + [(1, 0)] * (len(x) - len(y))


def assembled(order: str, a: Layout, by: Any, parts: Iterable[Any]) -> Layout:
    """What parts make in the operation's order."""
    found = _built(a, by, iter(parts), order not in ("", "logical"))
    if order in ("blocked", "raked"):
        block, copies = map(modes, found)
        if len(block) != len(copies):
            raise BadCertificate("a block and its copies have different numbers of modes")
        return [[u, v] if order == "blocked" else [v, u] for u, v in zip(block, copies, strict=True)]
    if order in ("tiled", "flat"):
        return (found[:1] if order == "tiled" else modes(found[0])) + modes(found[1])
    return found


def _combined(kind: str, x: Layout, y: Layout, found: Layout, known: Sequence[Tree], work: Work) -> Steps:
    """Obligations: X ∘ (y, C) with the complement C of y, for a division; (x, C ∘ y) with that of x, for a product."""
    divide = kind == "divide"
    if not divide:
        block = ("and", made(">", cosize(y), 0), *_alike(found[0], x))
        yield Obligation("that it is a block and copies of it", block, known)
    for form in taken(kind, x, y):
        here, inner = [*known, *form.order], [y, form.modes]
        yield Obligation("that there is a complement", ("and", *form.there), here, {}, form.lets)
        if divide:
            yield from _nested([*_refines(found[0], y), as_modes(form.modes, found[1], _refines)], here, form.lets)
            yield from _same([inner, x], [found], count(inner), here, work, form.lets)
        else:
            yield from _nested(_refines(found[1], y), here, form.lets)
            yield from _same(inner, [found[1]], count(y), here, work, form.lets)


def _nested(fits: Iterable[Tree], known: Sequence[Tree], lets: Mapping[str, Tree] = {}) -> Steps:
    yield Obligation("that it has the right nesting", ("and", True, *fits), known, {}, lets)


def _coalesced(a: Layout, found: Layout, known: Sequence[Tree], work: Work) -> Steps:
    """Obligations: it is flat, each mode joins neighbours that continue one another, and no mode continues the last."""
    new, old = modes(found), leaves(a)
    flat = all(type(m) is tuple for m in new) and (type(found) is tuple or len(new) > 1)
    yield Obligation("that it is flat", flat and len(new) <= len(old))
    if not flat:
        return
    apart = [made("!=", made("*", *m), n[1]) for m, n in pairwise(new)]
    few = made("and", *[made("!=", n, 1) for n, _ in new], *apart) if len(new) > 1 else True
    yield Obligation("that no fewer modes suffice", few, known)
    work.keep(WAYS * len(old))
    several = islice(work.over(combinations(range(1, len(old)), len(new) - 1)), WAYS + 1)
    ways = [_grouped(old, new, (0, *cuts, len(old))) for cuts in several]
    yield Obligation("that it has the values", ("or", False, *ways) if len(ways) <= WAYS else None, known)


def _grouped(old: Sequence[Any], found: Sequence[Any], cuts: Sequence[int]) -> Tree:
    """Formula: the modes between two cuts together are one mode; those of size 1 may be anywhere."""
    parts: list[Tree] = [True]
    for (low, high), (size, stride) in zip(pairwise(cuts), found, strict=True):
        done: Tree = 1
        for n, d in old[low:high]:
            parts.append(("or", ("==", n, 1), ("==", d, made("*", done, stride))))
            done = made("*", done, n)
        parts.append(("==", done, size))
    return ("and", *parts)


def _complement(of: Layout, found: Layout, bound: Tree, known: Sequence[Tree]) -> Steps:
    """Obligations: it is CuTe's complement, up to modes of size 1."""
    forms = complements(of, bound)
    ways = [("and", *f.order, *f.there, as_modes(f.modes, found, _alike)) for f in forms]
    lets = {n: t for f in forms for n, t in f.lets.items()}
    yield Obligation("that it is the complement", ("or", *ways), known, {}, lets)


class Form(NamedTuple):
    """CuTe's complement for one order of the strides: formulas for the order and for its existence; its modes."""

    order: list[Tree]
    there: list[Tree]
    modes: list[tuple[Tree, Tree]]
    lets: Lets


def taken(kind: str, x: Layout, y: Layout) -> list[Form]:
    """The complement in an operation: of y in x, filling all gaps, for a division; of x, for cosize(y) copies, else."""
    if kind == "divide":
        return complements(y, count(x), filled=True)
    return complements(x, made("*", count(x), cosize(y)), cosize(y), needed=moves(y))


def moves(of: Layout) -> Tree:
    """Formula: a layout has a value other than 0."""
    return made("or", False, *[made("and", made("!=", n, 1), made("!=", d, 0)) for n, d in leaves(of)])


def complements(of: Layout, bound: Tree, least: Tree = 1, filled: bool = False, needed: Tree = True) -> list[Form]:
    """The forms of a complement, one for each order of strides: as many copies as fit into each gap and after the last.

    `filled`: they must fill it. Modes of size 1 or stride 0 do not count. `needed`: when a complement must exist.
    """
    numbers = all(type(x) is int for x in entries(of))
    flat = [(d, n) for n, d in leaves(of) if n != 1 and d != 0]
    if len(flat) > MOST and not numbers:
        raise Unsupported(f"the order of {len(flat)} strides")
    return [_form(order, bound, least, filled, needed, n) for n, order in
            enumerate([sorted(flat)] if numbers else permutations(flat))]  # fmt: skip


def _form(flat: Sequence[Any], bound: Tree, least: Tree, filled: bool, needed: Tree, number: int) -> Form:
    lets = Lets(f"c{number}.")
    order, there, form = list[Tree](), [made(">", bound, 0)], list[tuple[Tree, Tree]]()
    before, reach, span = None, 1, 0
    for d, n in flat:
        counts = made("and", made("!=", n, 1), made("!=", d, 0))
        fits = made("==", made("%", d, reach), 0) if filled else True
        if before is not None:
            order.append(made("->", counts, made("<=", before, d)))
        there.append(made("->", made("and", counts, needed), made("and", made(">", d, span), fits)))
        copies = lets.name(made("if", counts, made("max", 1, made("//", d, reach)), 1))
        form.append((copies, reach))
        beyond = made("+", made("*", made("-", copies, 1), reach), made("*", made("-", n, 1), d))
        before = lets.name(made("if", counts, d, 0 if before is None else before))
        span = lets.name(made("+", span, made("if", counts, beyond, 0)))
        reach = lets.name(made("if", counts, made("*", n, d), reach))
    rest = made("ceildiv", least, made("*", 1, *[n for n, _ in form]))
    form.append((lets.name(made("max", made("ceildiv", bound, reach), rest)), reach))
    return Form(order, there, [m for m in form if m[0] != 1], lets)


def as_modes(form: Sequence[Any], found: Layout, fits: Callable[[Layout, Any], Iterator[Tree]]) -> Tree:
    """Formula: the modes of a form, except size 1, are those of a layout, as `fits` says for each."""
    ways = list[Tree]()
    for there in product(*[(True,) if type(n) is int else (False, True) for n, _ in form]):
        left = [made("==", n, 1) for (n, _), here in zip(form, there, strict=True) if not here]
        kept = [*compress(form, there)]
        ways.append(made("and", *left, *fits(found, kept if len(kept) > 1 else (*kept, (1, 0))[0])))
    return made("or", *ways)


def _same(first: Sequence[Layout], second: Sequence[Layout], size: Tree, known: Sequence[Tree], work: Work,
          lets: Mapping[str, Tree] = {}) -> Steps:  # fmt: skip
    """Obligation: two lists of layouts, applied in turn, agree at all indices below a size, and stay in the domain."""
    work.spend(100 + 20 * sum([len(leaves(one)) for one in (*first, *second)]))
    own, ends, inside = Lets("v"), list[Tree](), list[Tree]()
    for layouts in (first, second):
        x: Tree = "#0"
        for n, one in enumerate(layouts):
            inside += [made(">=", x, 0)] * (n > 0)
            x = value(one, x, own)
        ends.append(x)
    ranges = {"#0": (0, put(size, unfolded(lets)))}
    same = ("and", True, *inside, ("==", *ends))
    yield Obligation("that it has the right values", same, known, ranges, {**lets, **own})


def _refines(found: Layout, by: Layout) -> Iterator[Tree]:
    """Whether it is nested like another, except that modes are split; for numbers, into as few as possible."""
    if type(by) is list:
        alike = type(found) is list and len(found) == len(by)
        yield from (f for x, y in zip(found, by, strict=True) for f in _refines(x, y)) if alike else [False]
        return
    sizes = [n for n, _ in leaves(found)]
    yield made("==", count(found), by[0])
    yield from (made(">=", n, 1) for n in sizes)
    if type(found) is list and not names(*entries(found)):
        yield len(found) > 1 and all(type(m) is tuple for m in found) and 1 not in sizes
        yield from (m[0] * m[1] != n[1] for m, n in pairwise(leaves(found)))


def _alike(found: Layout, as_: Layout) -> Iterator[Tree]:
    """Formula: two layouts are the same as written."""
    if type(as_) is list:
        same = type(found) is list and len(found) == len(as_)
        yield from (f for x, y in zip(found, as_, strict=True) for f in _alike(x, y)) if same else [False]
    else:
        yield from (made("==", x, y) for x, y in zip(found, as_, strict=True)) if type(found) is tuple else [False]


def pairs_of(a: Layout, by: Any) -> list[tuple[Layout, Layout]]:
    """Pairs outer and inner layouts, mode by mode if the tiler has modes; a mode left unchanged has no inner one."""
    if type(by) is not dict:
        return [] if by is None else [(a, by)]
    if len(by["modes"]) > len(modes(a)):
        raise BadCertificate("a tiler has more modes than the layout")
    return [m for x, y in zip(modes(a), by["modes"], strict=False) for m in pairs_of(x, y)]


def _built(a: Layout, by: Any, parts: Iterator[Layout], zipped: bool) -> Layout:
    """Assembles parts mode by mode; zipped: all first halves, then all second halves and the rest.

    Without a tile, a mode is unchanged; zipped, its two modes are the halves.
    """
    if type(by) is not dict:
        if by is None and zipped and len(modes(a)) != 2:
            raise BadCertificate("a tiler leaves a mode out that is not of two modes, tile and rest")
        return next(parts) if by is not None else a
    done = [_built(x, y, parts, zipped) for x, y in zip(modes(a), by["modes"], strict=False)]
    rest = modes(a)[len(done) :]
    return [[x for x, _ in done], [y for _, y in done] + rest] if zipped else done + rest
