"""Rules for programs of movement operations: both have the same element at each index."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

from symview.trusted.document import BadCertificate
from symview.trusted.formulas import Tree, defined, made, names, put, truth
from symview.trusted.work import Work
from symview.verify.kinds.maps import Index, Lets, address, box, entered, seen, size, within
from symview.verify.nodes import Program, Rule
from symview.verify.obligations import Obligation, possible


class Piece(NamedTuple):
    """An element of a tensor, present where all guards hold; there the facts hold too."""

    tensor: str
    shape: Index
    place: Index
    guards: tuple[Tree, ...] = ()
    facts: tuple[Tree, ...] = ()


class Array(NamedTuple):
    """A shape, the pieces at an index, of which at most one is present, the requirements; joined arrays, along an axis.

    `many` is the number of pieces.
    """

    shape: Index
    at: Callable[[Index], list[Piece]]
    needs: list[Tree]
    parts: tuple[int, list[Array]] | None = None
    many: int = 1


def array(of: Program, by: Mapping[str, Tree], lets: Lets, work: Work, kept: int = 0) -> Array:
    """Evaluates the program, with expressions substituted for names; quotients get names in `lets`.

    The first `kept` dims stay separate from the others in reshapes. What it requires begins with that its entries have
    values, as they were read.
    """
    shape = [put(n, by) for n in of.shape]
    needs = [put(f, by) for f in defined(*of.entries())]
    found = Array(shape, lambda i: [Piece(of.tensor, shape, i)], [*needs, *[("<=", 0, n) for n in shape]])
    for n, (op, *given) in enumerate(of.steps):
        work.keep(found.many * (len(found.shape) + n + 1) + 5 * len(found.needs))
        if op == "concat":
            work.spend(found.many**2 // 32)  # each part begins at a sum of sizes
            found = _concatenated(found, array(given[0], by, lets, work, kept), given[1])
            continue
        if op == "read":
            new = _read(found, given[0].put(by), lets)
        else:
            new = _moved(found, op, [put(x, by) for x in given], lets, kept)
        found = Array(new[0], new[1], [*found.needs, *new[2], *[("<=", 0, n) for n in new[0]]], None, found.many)
    return found


def _moved(old: Array, op: object, n: list[Tree], lets: Lets, kept: int) -> Any:
    """Applies one more step with these entries: the shape, the pieces at an index, and the requirements."""
    at, sizes, axes = old.at, old.shape, range(k := len(old.shape))
    if op == "permute" and sorted(n, key=str) == sorted(axes, key=str):
        return [sizes[a] for a in n], lambda i: at([i[n.index(a)] for a in axes]), []
    if op == "flip" and all(x in axes for x in n) and len({*n}) == len(n):
        return sizes, lambda i: at([made("-", made("-", sizes[a], 1), i[a]) if a in n else i[a] for a in axes]), []
    if op == "slice" and len(n) == 3 * k:  # firsts, ends, steps
        needs = [f for a in axes for f in (("<=", 0, n[a]), ("<=", n[a], n[k + a]), ("<=", n[k + a], sizes[a]))]
        shape = [made("ceildiv", made("-", n[k + a], n[a]), n[2 * k + a]) for a in axes]
        moved = [(n[a], n[2 * k + a]) for a in axes]
        needs += [("<", 0, s) for _, s in moved]
        return shape, lambda i: at([made("+", b, made("*", x, s)) for x, (b, s) in zip(i, moved, strict=True)]), needs
    if op == "pad" and len(n) == 2 * k:  # widths before, widths after

        def padded(i: Index) -> list[Piece]:
            inner = [made("-", i[a], n[a]) for a in axes]
            return _where(at(inner), [within(inner, [(0, s) for s in sizes])])

        return [made("+", n[a], sizes[a], n[k + a]) for a in axes], padded, [("<=", 0, w) for w in n]
    if op == "expand" and len(n) == k:
        needs = [("or", ("==", s, 1), ("==", s, m)) for s, m in zip(sizes, n, strict=True) if s not in (1, m)]
        ones = [s == 1 or (s != m and made("==", s, 1)) for s, m in zip(sizes, n, strict=True)]
        return n, lambda i: at([made("if", one, 0, x) for one, x in zip(ones, i, strict=True)]), needs
    if op == "reshape":
        if n[:kept] != [*sizes[:kept]]:
            raise BadCertificate("a reshape does not keep the first dim apart")
        strides = [size(n[a + 1 :]) for a in range(len(n))][kept:]
        same = [("==", size(sizes[part]), size(n[part])) for part in (slice(kept), slice(kept, None))]
        same[1] = made("or", made("==", size(n[:kept]), 0), same[1])  # no elements, whatever the other sizes are
        return n, lambda i: _entered(old, address(i[kept:], strides), lets, i[:kept]), same
    raise BadCertificate(f"{str(op)[:20]}: no step of a program of {k} dims")


def _concatenated(one: Array, other: Array, axis: object) -> Array:
    """Concatenates two arrays; no size is below 0 if those of the parts are not."""
    axes = range(len(one.shape))
    if type(axis) is not int or axis not in axes or len(other.shape) != len(axes):
        raise BadCertificate(f"concat along {str(axis)[:20]}")
    parts = [p for x in (one, other) for p in (x.parts[1] if x.parts and x.parts[0] == axis else [x])]
    placed = [(p, made("+", 0, *[q.shape[axis] for q in parts[:k]])) for k, p in enumerate(parts)]

    def at(i: Index) -> list[Piece]:
        inner = [(p, [made("-", i[a], low) if a == axis else i[a] for a in axes]) for p, low in placed]
        return [x for p, j in inner for x in _where(p.at(j), [within([j[axis]], [(0, p.shape[axis])])])]

    needs = [*one.needs, *other.needs, *[("==", one.shape[a], other.shape[a]) for a in axes if a != axis]]
    whole = made("+", 0, *[p.shape[axis] for p in parts])
    return Array([whole if a == axis else one.shape[a] for a in axes], at, needs, (axis, parts), one.many + other.many)


def _read(old: Array, v: Any, lets: Lets) -> Any:
    """Reads through a view, whose addresses must be in bounds at the corners of the unmasked box, if not empty."""
    mask = v.mask or [(0, n) for n in v.shape]
    ends = [(made("*", a, d), made("*", made("-", b, 1), d)) for (a, b), d in zip(mask, v.strides, strict=True)]
    least, most = (made("+", v.offset, *[made(m, *e) for e in ends]) for m in ("min", "max"))
    bounds = ("and", ("<=", 0, least), ("<", most, size(old.shape)))
    needs = [f for (a, b), n in zip(mask, v.shape, strict=True) for f in (("<=", 0, a), ("<=", a, b), ("<=", b, n))]

    def at(i: Index) -> list[Piece]:
        x, visible = seen(v, i)
        return [] if v.void else _where(_entered(old, x, lets), [visible])

    return v.shape, at, [*needs, ("or", v.void, *[("<=", b, a) for a, b in mask], bounds)]


def _entered(old: Array, x: Tree, lets: Lets, first: Index = ()) -> list[Piece]:
    """The pieces at an address after the `first` entries of an index; its being inside is a fact, and required."""
    index, inside = entered(x, old.shape[len(first) :], lets)
    return [p._replace(facts=(inside, *p.facts)) for p in old.at([*first, *index])]


def _where(pieces: list[Piece], guards: list[Tree]) -> list[Piece]:
    return [p._replace(guards=(*guards, *p.guards)) for p in pieces]


def shown(rule: Rule, assume: Sequence[Tree], work: Work, meets: bool) -> Iterator[Obligation]:
    """Obligations: where the left program is defined, the right one is, with the same shape and elements; if `meets`,
    some sizes satisfy the assumptions.
    """
    for left, right, given, fits, lets in _sides(rule, {}, assume, work):
        yield Obligation("that the right side is defined, in the same shape", fits, given)
        yield from _same(left, right, given, lets, work)
        if meets:
            yield possible("the left side is never defined", *given)


def apart(rule: Rule, at: Mapping[str, Tree], index: Sequence[int] | None, work: Work) -> Iterator[Obligation]:
    """Obligations: at these sizes, the left program is defined, and the right one is not, or has another element."""
    for left, right, given, fits, _ in _sides(rule, at, (), work):
        if names(fits, *given):
            raise BadCertificate("not every name has a value")
        yield Obligation("that the left side is defined there", put(made("and", True, *given), {}))
        here = [] if index is None else [_cell(x, index) for x in (left, right)]
        yield Obligation("that the sides differ there", not truth(fits, {}) or here[:1] != here[1:])


def without_first(of: Program, joined: bool = False) -> Program:
    """The program without its first dim, which every step must keep separate and, if joined, unchanged.

    First dims that stand for any number of dims are treated alike. Then one and none suffice: an element is present
    if each of them lets it through, and so do the other dims.
    """
    (first, *shape), steps, apart, still = of.shape or (0,), list[Any](), bool(of.shape), True
    for op, *n in of.steps:
        k = max(1, len(n) // {"slice": 3, "pad": 2}.get(op, 1))  # dims
        if op in ("permute", "flip"):
            fits, new = op == "flip" or n[:1] == [0], [made("-", a, 1) for a in n if a]
            still &= op == "permute" or 0 not in n
        elif op == "concat":
            fits, new = still and n[1] > 0, [without_first(n[0], True), n[1] - 1]
        else:
            fits, new = op != "read" and bool(n), [x for a, x in enumerate(n) if a % k]
            still &= n[::k] == {"slice": [0, first, 1], "pad": [0, 0]}.get(op, [first])
        steps.append((op, *new))
        apart &= fits
    if not apart or (joined and not still):
        raise BadCertificate("a step does not keep the first dim apart, or as it is where it is joined")
    return Program(of.tensor, tuple(shape), tuple(steps))


def _sides(
    rule: Rule, at: Mapping[str, Tree], assume: Sequence[Tree], work: Work
) -> Iterator[tuple[Array, Array, list[Tree], Tree, Lets]]:
    """Both sides, the formulas that define the left one, and the obligations: the right one is defined, in that shape.

    If there are `more` first dims: with one of them, and with none. Without them, only assumptions about the remaining
    names are used.
    """
    for dims in (1, 0) if rule.more else (None,):
        lets, fewer = Lets("p"), dims == 0
        both = [without_first(p) if fewer else p for p in (rule.left, rule.right)]
        left, right = (array(p, at, lets, work, dims or 0) for p in both)
        given = [put(f, at) for f in assume]
        if fewer:
            about = names(*left.needs, *right.needs)
            given = [f for f in given if names(f).keys() <= about.keys()]
        given = [*dict.fromkeys((*given, *defined(*left.needs), *left.needs))]
        sizes = zip((len(left.shape), *left.shape), (len(right.shape), *right.shape), strict=False)
        fits = made("and", *defined(*right.needs), *right.needs, *[made("==", a, b) for a, b in sizes])
        yield left, right, given, fits, lets


def _same(left: Array, right: Array, given: list[Tree], lets: Lets, work: Work) -> Iterator[Obligation]:
    """Obligations: where a piece is present, so is a piece of its tensor on the other side, with the same element."""
    if len(left.shape) != len(right.shape):
        return  # the obligation of equal shapes fails
    ranges = box(left.shape)
    work.keep(left.many * right.many + (left.many + right.many) * len(given))
    one, other = left.at([*ranges]), right.at([*ranges])
    pairs = [(p, q) for p, q in product(one, other) if p.tensor == q.tensor and len(p.place) == len(q.place)]
    known = [*given, *[("->", ("and", True, *p.guards), ("and", *p.facts)) for p in (*one, *other) if p.facts]]
    for n, p in [*product((0,), one), *product((1,), other)]:
        where = ("or", False, *[("and", True, *pair[1 - n].guards) for pair in pairs if pair[n] is p])
        yield Obligation("that both sides have padding in the same places", where, [*known, *p.guards], ranges, lets)
    for p, q in pairs:
        both = [*given, *p.guards, *q.guards, *p.facts, *q.facts]
        claim = ("and", True, *[("==", a, b) for a, b in zip((*p.shape, *p.place), (*q.shape, *q.place), strict=True)])
        yield Obligation("that both sides have the same element", claim, both, ranges, lets)


def _cell(of: Array, index: Index) -> list[tuple[Tree, ...]]:
    """The element of a program of numbers at an index."""
    if len(index) != len(of.shape) or not all(0 <= i < n for i, n in zip(index, of.shape, strict=True)):
        raise BadCertificate("not an index of both sides")
    return [(p.tensor, *p.place) for p in of.at(index) if all(truth(g, {}) for g in p.guards)]
