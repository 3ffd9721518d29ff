"""Chains of masked views with names anywhere: what they are at given values, and random ones of them.

As in parametric.py, entries are texts that Python and the notation of views read alike, and everything is about
their values: put numbers for the names, walk the whole box, look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import prod
from random import Random
from typing import Any, NamedTuple

from . import brute, masked, parametric, programs
from .brute import V
from .parametric import Open, Values, all_values, at, compiled, contiguous, names_in, some

Bounds = tuple[tuple[str, str], ...]


class OpenMask(NamedTuple):
    """A view whose entries are texts, with a mask or without one."""

    view: Open
    mask: Bounds | None = None

    def __str__(self) -> str:
        return str(self.view) + ("" if self.mask is None else f" [{','.join(f'{a}:{b}' for a, b in self.mask)}]")

    def at(self, values: Values) -> V:
        plain = self.view.at(values)
        if self.mask is None:
            return plain
        return plain._replace(mask=tuple((at(a, values), at(b, values)) for a, b in self.mask))

    def names(self) -> tuple[str, ...]:
        return names_in(
            *self.view.shape, *self.view.strides, self.view.offset, *(x for b in self.mask or () for x in b)
        )

    def is_one(self, values: Values, assume: Sequence[str] = ()) -> bool:
        """Whether the sizes are as they should be, and the bounds of the mask in order."""
        sizes = [at(n, values) for n in self.view.shape]
        bounds = [(at(a, values), at(b, values)) for a, b in self.mask or ()]
        return parametric.are_sizes(self.view.shape, values, assume) and all(
            0 <= a <= b <= n for (a, b), n in zip(bounds, sizes, strict=False)
        )


class Query(NamedTuple):
    """A chain of views, the one that lays out memory first, and what is assumed of their names."""

    views: tuple[OpenMask, ...]
    assume: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(n for v in self.views for n in v.names()))

    def parameters(self) -> tuple[str, ...]:
        """The names but for those of the first view's strides alone."""
        first = self.views[0]
        plain = first._replace(view=first.view._replace(strides=()))
        return tuple(dict.fromkeys(n for v in (plain, *self.views[1:]) for n in v.names()))

    def admits(self, values: Values) -> bool:
        """Whether the question is about these values; none at which one of its own entries divides by 0."""
        try:
            fits = all(v.is_one(values, self.assume) for v in self.views)
            return fits and all(at(text, values) for text in self.assume)
        except ZeroDivisionError:
            return False

    def chain(self, values: Values) -> tuple[V, ...]:
        return tuple(v.at(values) for v in self.views)

    def __str__(self) -> str:
        return "; ".join(map(str, self.views)) + (f" assuming {', '.join(self.assume)}" if self.assume else "")


def points(rng: Random, query: Query, count: int, elements: int = 300) -> list[dict[str, int]]:
    """Admissible small values of what is not a stride of the first view, most of them in bounds if there are such."""
    names = query.parameters()
    sizes = names_in(*(n for v in query.views for n in v.view.shape))
    top = {0: 1, 1: 24, 2: 9, 3: 6}.get(len(names), 4)
    spans = {n: range(0 if n in sizes else -2, top + 1) for n in names}
    rows = list(all_values(spans)) if prod(map(len, spans.values())) <= 600 else [
        {n: rng.choice(span) for n, span in spans.items()} for _ in range(600)
    ]  # fmt: skip
    inside: list[dict[str, int]] = []
    outside: list[dict[str, int]] = []
    given = dict.fromkeys(query.names(), 0)
    for values in rows:
        if query.admits(given | values):
            chain = query.chain(given | values)
            if all(prod(v.shape) <= elements for v in chain[1:]):
                (inside if fits(chain) else outside).append(values)
    found = some(rng, inside, count)
    return found + some(rng, outside, max(count // 5, (count - len(found)) // 2))


def fits(chain: Sequence[V]) -> bool:
    """Whether every view stays inside the one before it wherever its own mask is open."""
    for outer, inner in pairwise(chain):
        if not masked.is_void(inner) and 0 not in inner.shape:
            ends = [
                sorted((a * t, (b - 1) * t)) for (a, b), t in zip(masked.mask_of(inner), inner.strides, strict=True)
            ]
            low, high = (inner.offset + sum(e[side] for e in ends) for side in (0, 1))
            if low < 0 or high >= prod(outer.shape):
                return False
    return True


def judged(chain: Sequence[V]) -> masked.One | masked.Nowhere | masked.Fails | None:
    """What the chain is; None where it leaves a shape."""
    return masked.decide(chain) if fits(chain) else None


def strides(rng: Random, query: Query, values: Values) -> Iterator[dict[str, int]]:
    """Values of the other names as well: contiguous strides, a broken one, any."""
    first = query.views[0].view
    free = [n for n in query.names() if n not in values]
    shape = tuple(at(n, values) for n in first.shape)
    places = brute.place_values(shape)
    plain = {t: p for t, p in zip(first.strides, places, strict=True) if t in free}
    for number in range(3 if free else 1):
        chosen = {n: rng.choice((-3, 0, 1, 2, 5, 7)) for n in free}
        chosen |= plain if number == 1 else {}
        if number == 2 and plain:
            chosen |= plain | {rng.choice(list(plain)): rng.randint(-2, 9)}
        yield {**values, **chosen}


class Cases:
    """The cases of an answer, read by sympy's own meaning of `where`, the equations and the views."""

    def __init__(self, answer: Any) -> None:
        self.cases = [(compiled(c.where), [compiled(e) for e in c.equations], _view(c.view), c) for c in answer.cases]
        self.lines = [(compiled(c.where), c) for c in answer.summary]

    def check(self, query: Query, values: Values, fits: bool = True) -> str:
        """That the one case about these values is right; what it says. Of a reshape, whether the sizes fit."""
        chain = query.chain(values)
        found = [case for case in self.cases if case[0](values)]
        assert len(found) == 1, (query, values, [c[-1] for c in found])
        _, equations, view, case = found[0]
        lines = [c for where, c in self.lines if where(values)]
        assert [(c.status, c.equations) for c in lines] == [(case.status, case.equations)], (query, values, lines)
        expected = judged(chain) if fits else masked.Fails("sizes", (), None, None)
        said = str(case.status)
        right = expected is not None and not isinstance(expected, masked.Fails)
        if said == "out_of_bounds":
            assert expected is None, (query, values, case)
            return said
        assert expected is not None or said == "undecided", (query, values, case)
        if said == "never":
            assert not right, (query, values, case)
            return said
        holds = all(e(values) for e in equations)
        if said == "undecided":
            assert right or not holds, (query, values, case)
            return "undecided" if not holds else "enough"
        assert holds == right, (query, values, case, expected)
        if holds:
            assert view is not None
            one = view(values)
            assert one.shape == chain[-1].shape, (query, values, case)
            bounds = masked.mask_of(one)
            assert all(0 <= a <= b <= n for (a, b), n in zip(bounds, one.shape, strict=True)), (
                query,
                values,
                case,
                one,
            )
            assert masked.values((one,)) == masked.values(chain), (query, values, case, one)
        return said if right or said == "always" else "refused"


def _view(view: Any) -> Any:
    if view is None:
        return None
    shape, steps, offset = ([compiled(x) for x in part] for part in (view.shape, view.strides, [view.offset]))
    mask = view.mask
    bounds = mask if mask in (None, "empty") else [(compiled(a), compiled(b)) for a, b in mask]

    def put(values: Mapping[str, int]) -> V:
        hidden = bounds if bounds in (None, "empty") else tuple((a(values), b(values)) for a, b in bounds)
        return V(tuple(n(values) for n in shape), tuple(t(values) for t in steps), offset[0](values), hidden)

    return put


# Random queries


def query(rng: Random) -> Query:
    """A pair with a mask and names, of numbers or of a program."""
    return _some(rng, rng.choices((numbers, programmed), (3, 2))[0], masks=True)


def chain(rng: Random) -> Query:
    """Three views with names, of numbers or of a program."""
    return _some(rng, rng.choices((opened_chain, chained), (2, 3))[0], masks=False)


def _some(rng: Random, kind: Callable[[Random], Query], masks: bool) -> Query:
    while True:
        found = kind(rng)
        if 1 <= len(found.parameters()) <= 4 and (not masks or any(v.mask is not None for v in found.views)):
            return found


def numbers(rng: Random) -> Query:
    """A first view of any numbers, with names for sizes, strides, offsets and bounds of masks here and there."""
    first = programs.outer(rng, ranks=2, top=5)
    while prod(first.shape) not in range(4, 37):
        first = programs.outer(rng, ranks=2, top=5)
    last = programs.inner(rng, first.shape, ranks=2, top=4)
    while not last.shape or 0 in last.shape or masked.is_void(last):
        last = programs.inner(rng, first.shape, ranks=2, top=4)
    spare = rng.sample(("o", "t", "n", "a", "b", "m", "u"), rng.choice((1, 1, 2, 2, 3)))
    outer, assume = _opened(rng, first, [n for n in spare if n in "ab"])
    outer = outer._replace(view=outer.view._replace(strides=tuple(f"σ{n + 1}" for n in range(len(first.shape)))))
    inner, more = _opened(rng, last, [n for n in spare if n not in "ab" or rng.random() < 0.3])
    if rng.random() < 0.25 and len(first.shape) > 1:  # an outer size as a name
        sizes = list(outer.view.shape)
        axis = rng.randrange(len(sizes))
        if outer.mask is None or outer.mask[axis] == ("0", sizes[axis]):
            bounds = None if outer.mask is None else tuple(
                ("0", "N") if n == axis else b for n, b in enumerate(outer.mask)
            )  # fmt: skip
            sizes[axis] = "N"
            outer = OpenMask(outer.view._replace(shape=tuple(sizes)), bounds)
    return Query((outer, inner), tuple(dict.fromkeys((*assume, *more))))


def _opened(rng: Random, v: V, spare: Sequence[str]) -> tuple[OpenMask, list[str]]:
    """The view with names in some places that fit them, and what is assumed of these, now and then."""
    shape, steps, offset = list(map(str, v.shape)), list(map(str, v.strides)), str(v.offset)
    bounds = None if v.mask is None or v.mask == masked.EMPTY else [[str(a), str(b)] for a, b in v.mask]
    assume: list[str] = []
    for name in spare:
        axis = rng.randrange(len(shape)) if shape else 0
        if name in "nm" and shape:
            if bounds is not None and bounds[axis][1] == shape[axis]:
                bounds[axis][1] = name
            elif bounds is not None:
                bounds[axis] = ["0", name]
            shape[axis] = name
        elif name in "tu" and shape:
            steps[axis] = rng.choice((name, name, f"-{name}", f"2*{name}"))
            assume += [f"{name} >= 0"] if rng.random() < 0.3 else []
        elif name == "o":
            offset = rng.choice(("o", "o", f"o+{rng.randint(1, 3)}", f"{rng.choice((2, 3, 4))}*o+{rng.randint(0, 2)}"))
        elif shape and shape[axis].isdigit():
            bounds = bounds if bounds is not None else [["0", n] for n in shape]
            side = rng.randrange(2)
            bounds[axis][side] = name
            if "a" in bounds[axis] and "b" not in bounds[axis] and rng.random() < 0.3 and int(shape[axis]) > 1:
                bounds[axis] = ["a", "a+1"]
    view = Open(tuple(shape), tuple(steps), offset)
    return OpenMask(view, None if bounds is None else tuple((a, b) for a, b in bounds)), assume


def programmed(rng: Random) -> Query:
    """What movement operations make of a tensor whose sizes may be names: a pad, then others over its shape."""
    shape = rng.choice(
        (("M", "N"), ("M", "3"), ("3", "N"), ("M",), ("2", "N"), ("4", "3"), ("2*m", "N"), ("2", "M", "2"))
    )
    axes = [(n, f"σ{k + 1}") for k, n in enumerate(shape)]
    assume: list[str] = []
    first = _padded(rng, axes, assume, rng.choice(("p", "p", "1", "2", "q")))
    sizes = first.view.shape
    grouped = sizes if rng.random() < 0.55 else ("*".join(f"({n})" for n in sizes),)
    axes = list(zip(grouped, contiguous(grouped), strict=True))
    inner = OpenMask(Open(grouped, contiguous(grouped)))
    for turn in range(rng.choice((0, 1, 1, 2))):
        inner = _moved(rng, inner, assume, "ki"[turn])
    return Query((first, inner), tuple(assume))


def chained(rng: Random) -> Query:
    """Three views: moves over a tensor whose sizes may be names, a whole shape over that, and moves again."""
    shape = rng.choice((("M", "N"), ("M", "3"), ("2", "N"), ("2", "M", "2"), ("4", "3"), ("M",), ("2*m", "3")))
    assume: list[str] = []
    first = OpenMask(Open(shape, tuple(f"σ{k + 1}" for k in range(len(shape)))))
    if rng.random() < 0.35:
        first = _padded(rng, list(zip(*first.view[:2], strict=True)), assume, rng.choice(("p", "1", "2")))
    views = [first]
    for turn in range(2):
        below = views[-1].view.shape
        grouped = below if rng.random() < 0.5 else ("*".join(f"({n})" for n in below),)
        view = OpenMask(Open(grouped, contiguous(grouped)))
        for _ in range(rng.choice((0, 1, 1, 2) if turn else (1, 1, 2))):
            view = _moved(rng, view, assume, "ki"[turn])
        views.append(view)
    return Query(tuple(views), tuple(assume))


def opened_chain(rng: Random) -> Query:
    """A chain of numbers with a name or two in its views."""
    while True:
        chain = programs.masked_chain(rng, 3, 3)
        sound = all(v.shape and 0 not in v.shape and not masked.is_void(v) for v in chain)
        if sound and prod(chain[0].shape) <= 36:
            break
    views, assume = [], list[str]()
    names = rng.sample(("o", "n", "t", "a", "b"), rng.choice((1, 1, 2)))
    for n, v in enumerate(chain):
        view, more = _opened(rng, v, [name for name in names if (rng.random() < 0.6 if n else name in "ab")])
        views.append(view)
        assume += more
    first = views[0]
    views[0] = first._replace(view=first.view._replace(strides=tuple(f"σ{n + 1}" for n in range(len(chain[0].shape)))))
    return Query(tuple(views), tuple(dict.fromkeys(assume)))


def reshaped(rng: Random) -> Query:
    """A view with a mask, and the whole view of a new shape, whose size is another one at some values."""
    found = parametric.reshape(rng)
    while "-1" in found.shape or not found.view.shape:
        found = parametric.reshape(rng)
    shape = found.view.shape
    bounds = [("0", n) for n in shape]
    axis = rng.randrange(len(shape))
    bounds[axis] = rng.choice((("0", "k"), ("k", shape[axis]), ("0", "1"), ("k", "k+1"), ("1", shape[axis])))
    target = OpenMask(Open(found.shape, contiguous(found.shape)))
    assume = tuple(a for a in found.assume if ">= 0" not in a)
    return Query((OpenMask(found.view, tuple(bounds)), target), assume)


def _padded(rng: Random, axes: Sequence[tuple[str, str]], assume: list[str], width: str) -> OpenMask:
    """Margins of that width on one axis or all, on one side or both."""
    sizes, bounds, offset = [], [], "0"
    chosen = rng.choice((set(range(len(axes))), {rng.randrange(len(axes))}))
    for axis, (n, stride) in enumerate(axes):
        before, after = rng.choice(((width, width), ("0", width), (width, "0"))) if axis in chosen else ("0", "0")
        sizes.append("+".join(x for x in (n, before, after) if x != "0"))
        bounds.append((before, n if before == "0" else f"{before}+{n}"))
        offset += f"-({before})*({stride})" if before != "0" else ""
    return OpenMask(Open(tuple(sizes), tuple(t for _, t in axes), offset), tuple(bounds))


def _moved(rng: Random, one: OpenMask, assume: list[str], name: str) -> OpenMask:
    """One more operation on a view without a mask: a shrink, a flip, a permutation, a repeated axis, a step."""
    (shape, steps, offset), kind = (
        one.view,
        rng.choice(("shrink", "shrink", "shrink", "flip", "permute", "start", "step")),
    )
    sizes, moves = list(shape), list(steps)
    axis = rng.randrange(len(sizes))
    if kind == "shrink":
        low = rng.choice(("0", "1", name))
        if rng.random() < 0.5:
            sizes[axis] = rng.choice(("2", "3", "j"))
            assume += [f"{low} + {sizes[axis]} <= {shape[axis]}"] if rng.random() < 0.6 else []
        elif low != "0":
            sizes[axis] = f"{sizes[axis]}-{low}"
        if low != "0":
            offset += f"+({low})*({moves[axis]})"
            assume += [f"{low} >= 0"] if low == name and rng.random() < 0.6 else []
    elif kind == "flip":
        offset += f"+({sizes[axis]}-1)*({moves[axis]})"
        moves[axis] = f"-({moves[axis]})"
    elif kind == "permute":
        order = rng.sample(range(len(sizes)), len(sizes))
        sizes, moves = [sizes[n] for n in order], [moves[n] for n in order]
    elif kind == "start":
        offset += rng.choice((f"+{name}", "+1"))
    else:
        sizes[axis], moves[axis] = rng.choice(("2", "n")), f"2*({moves[axis]})"
    return OpenMask(Open(tuple(sizes), tuple(moves), offset))
