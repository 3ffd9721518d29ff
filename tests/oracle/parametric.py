"""Views with names in them: what they are at given values, by walking the box, and random ones of them.

The entries of an open view are texts that Python and the notation of views read alike. Everything here is
about its values: put numbers for the names, walk the whole box (with numpy, for speed), look. What is compared
with brute.py in test_parametric_sizes.py shares no code with the engine.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import prod
from random import Random
from types import CodeType
from typing import Any, NamedTuple

import numpy as np
import sympy

from . import generate
from .brute import Index, Merged, Rows, V, echelon, over_defects, place_values

Values = Mapping[str, int]
Shape = tuple[int, ...]


# Texts and formulas at values

_NOTHING: dict[str, Any] = {"__builtins__": {}}
_FUNCTIONS = {
    "floor": math.floor, "Fraction": Fraction, "min": min, "max": max, "abs": abs, "gcd": math.gcd,
    "ceiling": math.ceil, "floor_sum": lambda n, m, step, start: sum((start + i * step) // m for i in range(n)),
    **_NOTHING,
}  # fmt: skip


@lru_cache(maxsize=65536)
def _code(text: str) -> CodeType:
    return compile(text, "<entry>", "eval")


def at(text: str, values: Values) -> Any:
    """What the text is at these values: an integer, or true or false."""
    return eval(_code(text), _NOTHING, values)


def names_in(*texts: str) -> tuple[str, ...]:
    """The names of the texts, in order of appearance."""
    words = (word for text in texts for word in re.findall(r"[^\W\d]\w*", text))
    return tuple(word for word in dict.fromkeys(words) if word not in ("and", "or", "not"))


def compiled(formula: Any) -> Callable[[Values], Any]:
    """An int or a sympy expression, relation or formula, as a function of the values by name."""
    code = compile(_source(formula), "<formula>", "eval")
    return lambda values: eval(code, _FUNCTIONS, {"v": values})


_BETWEEN: dict[type, str] = {
    sympy.And: " and ", sympy.Or: " or ", sympy.Eq: " == ", sympy.Ne: " != ", sympy.Lt: " < ", sympy.Le: " <= ",
    sympy.Gt: " > ", sympy.Ge: " >= ", sympy.Add: " + ", sympy.Mul: " * ", sympy.Mod: " % ", sympy.Implies: " <= ",
    sympy.Equivalent: " == ",
}  # fmt: skip
_CALLED: dict[type, str] = {
    sympy.Not: "not ", sympy.floor: "floor", sympy.Min: "min", sympy.Max: "max", sympy.Abs: "abs",
}  # fmt: skip


def _source(formula: Any) -> str:
    formula = sympy.sympify(formula)
    if formula in (sympy.true, sympy.false):
        return str(bool(formula))
    if formula.is_Symbol:
        return f"v[{formula.name!r}]"
    if formula.is_Rational:
        return f"({formula.p})" if formula.q == 1 else f"Fraction({formula.p}, {formula.q})"
    parts = [f"({_source(part)})" for part in formula.args]
    if isinstance(formula, sympy.Pow) and formula.exp.is_Integer:
        return f"{parts[0]} ** {parts[1]}" if formula.exp > 0 else f"Fraction({parts[0]}) ** {parts[1]}"
    if type(formula) in _BETWEEN:
        return _BETWEEN[type(formula)].join(parts)
    return f"{_CALLED.get(type(formula), type(formula).__name__)}({', '.join(parts)})"


class Open(NamedTuple):
    """A view whose entries are texts."""

    shape: tuple[str, ...]
    strides: tuple[str, ...]
    offset: str = "0"

    def __str__(self) -> str:
        tail = "" if self.offset == "0" else f"+({self.offset})"
        return f"({','.join(self.shape)}):({','.join(self.strides)}){tail}"

    def at(self, values: Values) -> V:
        shape, strides = (tuple(at(text, values) for text in texts) for texts in self[:2])
        return V(shape, strides, at(self.offset, values))

    def names(self) -> tuple[str, ...]:
        return names_in(*self.shape, *self.strides, self.offset)


def opened(text: str) -> Open:
    """The view that is written `(shape):(strides)+offset`; without strides it is contiguous."""
    found = re.fullmatch(r"\((.*?)\)(?::\((.*?)\))?(?:\+(.*))?", text)
    assert found is not None, text
    shape = entries(found[1])
    strides = contiguous(shape) if found[2] is None else entries(found[2])
    assert len(shape) == len(strides), text
    return Open(shape, strides, found[3] or "0")


def entries(text: str) -> tuple[str, ...]:
    """The entries of a list without its outer parentheses."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def contiguous(shape: Sequence[str]) -> tuple[str, ...]:
    """The row-major strides of a shape, as texts."""
    return tuple("*".join(f"({n})" for n in shape[a + 1 :]) or "1" for a in range(len(shape)))


class Cases:
    """The cases of an answer, read by sympy's own meaning of `where`, the equations and the views."""

    def __init__(self, answer: Any) -> None:
        self.tests = [(compiled(case.where), case) for case in answer.cases]
        self.equations = {id(c): [compiled(e) for e in c.equations] for c in answer.cases}
        self.views = {id(c): _compiled_view(c.view) for c in answer.cases if c.view is not None}

    def at(self, values: Values) -> Any:
        """The one case that is about these values."""
        found = [case for test, case in self.tests if test(values)]
        assert len(found) == 1, (values, [case for _, case in self.tests])
        return found[0]

    def satisfied(self, case: Any, values: Values) -> bool:
        """Whether the equations of the case are true."""
        return all(test(values) for test in self.equations[id(case)])

    def holds(self, values: Values) -> bool | None:
        """What the one case says; None where it is undecided and its equations, which are enough, are not true."""
        case = self.at(values)
        if case.status in ("never", "out_of_bounds"):
            return False
        enough = self.satisfied(case, values)
        assert enough or case.status != "always"
        return None if case.status == "undecided" and not enough else enough

    def view(self, case: Any, values: Values) -> V:
        """The merged view of the case."""
        shape, strides, offset = self.views[id(case)]
        return V(tuple(n(values) for n in shape), tuple(t(values) for t in strides), offset(values))

    def check_view(self, values: Values, shape: Shape, expected: Merged) -> None:
        """The merged view of the case puts every index where it belongs."""
        view = self.view(self.at(values), values)
        assert view.shape == shape, (view, values)
        if 0 not in shape:
            assert view.offset == expected.offset, (view, expected, values)
            for n, stride, right in zip(shape, view.strides, expected.strides, strict=True):
                assert n == 1 or stride == right, (view, expected, values)


def _compiled_view(view: Any) -> tuple[list[Any], list[Any], Any]:
    return [compiled(n) for n in view.shape], [compiled(t) for t in view.strides], compiled(view.offset)


# Whole boxes at once


@lru_cache(maxsize=4096)
def _grid(shape: Shape) -> np.ndarray:
    """All indices in row-major order, one column each."""
    return np.indices(shape).reshape(len(shape), -1) if shape else np.zeros((0, 1), int)


def addresses(view: V) -> np.ndarray:
    """The addresses in row-major order."""
    return view.offset + np.array(view.strides, int) @ _grid(view.shape)


def is_inside(outer_shape: Shape, inner: V) -> bool:
    """Whether all addresses of the inner view, if any, are positions of the outer shape."""
    if 0 in inner.shape:
        return True
    ends = [(n - 1) * t for n, t in zip(inner.shape, inner.strides, strict=True)]
    low, high = inner.offset + sum(min(0, e) for e in ends), inner.offset + sum(max(0, e) for e in ends)
    return low >= 0 and high < prod(outer_shape)


def _digits(outer_shape: Shape, x: np.ndarray) -> np.ndarray:
    """The digits of positions, one row per outer dim."""
    rows = [x // place % size for place, size in zip(place_values(outer_shape), outer_shape, strict=True)]
    return np.array(rows, int).reshape(len(outer_shape), len(x))


def _bend(values: np.ndarray, shape: Shape) -> np.ndarray:
    """g(i) - g(0) - sum_j i_j (g(e_j) - g(0)) for all indices i; `values` are g, in rows if there are several."""
    found = values - values[..., :1]
    for axis, place in enumerate(place_values(shape)):
        if shape[axis] > 1:
            found = found - (values[..., place : place + 1] - values[..., :1]) * _grid(shape)[axis]
    return found


def affine(values: np.ndarray, shape: Shape) -> Merged | None:
    """The strides and offset with which these values are a view; None if they are none. 0 where free."""
    if prod(shape) == 0:
        return Merged((0,) * len(shape), 0)
    if _bend(values, shape).any():
        return None
    start, places = int(values[0]), place_values(shape)
    return Merged(tuple(int(values[p]) - start if n > 1 else 0 for n, p in zip(shape, places, strict=True)), start)


def composed(outer: V, inner: V) -> np.ndarray:
    """The composition on the whole box, which is in bounds."""
    return outer.offset + np.array(outer.strides, int) @ _digits(outer.shape, addresses(inner))


def merged(outer: V, inner: V) -> Merged | None:
    """The one view that the composition is; None where it is none, or out of bounds."""
    if 0 in inner.shape:
        return Merged((0,) * len(inner.shape), 0)
    return affine(composed(outer, inner), inner.shape) if is_inside(outer.shape, inner) else None


def broken_at(outer: V, inner: V, index: Index) -> bool:
    """Whether the composition breaks there: out of bounds, or not where a view with its strides would be."""
    if len(index) != len(inner.shape) or not all(0 <= i < n for i, n in zip(index, inner.shape, strict=True)):
        return False
    place = sum(i * p for i, p in zip(index, place_values(inner.shape), strict=True))
    if not is_inside(outer.shape, inner):
        return not 0 <= int(addresses(inner)[place]) < prod(outer.shape)
    return bool(_bend(composed(outer, inner), inner.shape)[place])


def row_space(outer_shape: Shape, inner: V) -> Rows | None:
    """The span of the constraints over the contiguity defects, in reduced echelon form; None: out of bounds."""
    if 0 in inner.shape:
        return ()
    if not is_inside(outer_shape, inner):
        return None
    forms = _bend(_digits(outer_shape, addresses(inner)), inner.shape).T.tolist()
    return echelon(over_defects(outer_shape, form) for form in _independent(set(map(tuple, forms))))


def _independent(forms: Iterable[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Some of the forms that span all of them."""
    kept: list[tuple[int, ...]] = []
    reduced: list[tuple[int, list[int]]] = []
    for form in forms:
        left = list(form)
        for column, row in reduced:
            if factor := left[column]:
                left = [row[column] * a - factor * b for a, b in zip(left, row, strict=True)]
        if any(left):
            kept.append(form)
            reduced.append((next(c for c, entry in enumerate(left) if entry), left))
    return kept


# Reshape


def new_shape(old: Shape, shape: Shape) -> Shape | None:
    """The new shape with -1 worked out; None if there is none, or the element counts differ."""
    if -1 in shape:
        rest = prod(n for n in shape if n != -1)
        if rest == 0 or prod(old) % rest:
            return None
        shape = tuple(prod(old) // rest if n == -1 else n for n in shape)
    return shape if prod(shape) == prod(old) and min(shape, default=0) >= 0 else None


def reshaped(view: V, shape: Shape | None) -> Merged | None:
    """The strides and offset of the view in the new shape; None where no view lists the elements."""
    return None if shape is None else affine(addresses(view), shape)


# Values


def all_values(ranges: Mapping[str, Iterable[int]]) -> Iterator[dict[str, int]]:
    """All ways to choose a value for each name."""
    for chosen in product(*ranges.values()):
        yield dict(zip(ranges, chosen, strict=True))


def some(rng: Random, items: Sequence[Any], count: int) -> list[Any]:
    """So many of the items, in order; all if there are no more."""
    return list(items) if len(items) <= count else [items[n] for n in sorted(rng.sample(range(len(items)), count))]


def stride_choices(rng: Random, view: Open, values: Values, count: int) -> Iterator[dict[str, int]]:
    """Values for the names in the strides and the offset that have none: contiguous, nearly, zero, negative, random."""
    shape = tuple(at(text, values) for text in view.shape)
    free = [name for name in view.names() if name not in values]
    for number in range(count):
        kind = ("contiguous", "partly", "partly", "zero", "negative", "few", "any", "permuted")[number % 8]
        chosen = {name: rng.randint(-9, 9) for name in free}
        for text, stride in zip(view.strides, _strides(rng, shape, kind), strict=True):
            if text in chosen:
                chosen[text] = stride
        yield {**values, **chosen}


def _strides(rng: Random, shape: Shape, kind: str) -> list[int]:
    scale = rng.choice((1, 1, 1, 2, -1, 3))
    if kind == "zero":
        return [rng.choice((0, 0, 1)) for _ in shape]
    if kind == "few":
        return [rng.choice((0, 1, 2, 3, 4, 6)) for _ in shape]
    if kind == "any":
        return [rng.randint(-30, 30) for _ in shape]
    order = rng.sample(range(len(shape)), len(shape)) if kind == "permuted" else range(len(shape))
    strides, below = [0] * len(shape), scale if kind != "negative" else -scale
    for axis in reversed(order):
        if kind == "partly" and rng.random() < 0.35:
            below = rng.choice((0, 1, below + 1, 2 * below, rng.randint(-9, 9)))
        strides[axis] = below if shape[axis] != 1 or kind == "contiguous" else rng.randint(-9, 9)
        below = below * shape[axis] if shape[axis] != 1 else below
    return strides


def are_sizes(sizes: Sequence[str], values: Values, assume: Sequence[str] = ()) -> bool:
    """Whether sizes and the names in them are positive, or 0 where that name or size is assumed to be from 0 on."""
    texts = [n for n in sizes if names_in(n)]
    zeros = {n for n in names_in(*texts) if f"{n} >= 0" in assume}
    return all(values[n] >= (n not in zeros) for n in names_in(*texts)) and all(
        at(n, values) >= (0 if f"{n} >= 0" in assume or any(values[z] == 0 for z in zeros & {*names_in(n)}) else 1)
        for n in sizes if n != "-1"
    )  # fmt: skip


# Inner views with open sizes


class OpenSizes(NamedTuple):
    """A concrete outer shape, and an inner view whose sizes have names in them."""

    shape: Shape
    inner: Open
    names: tuple[str, ...]

    def grid(self, points: int = 400) -> list[dict[str, int]]:
        """Values of the names to past the last size in bounds; none where the box has too many points."""
        most = 32 if len(self.names) == 1 else 14
        ranges = {name: range(1, self._last(name, points, most) + 1) for name in self.names}
        return [v for v in all_values(ranges) if prod(max(0, n) for n in self.inner.at(v).shape) <= points]

    def admits(self, values: Values) -> bool:
        """Whether the sizes with names in them are positive."""
        return are_sizes([text for text in self.inner.shape if not text.isdigit()], values)

    def _last(self, name: str, points: int, most: int) -> int:
        """The value, at least 4, after which nothing comes that is not like it, the other names being 1."""
        ones, seen = dict.fromkeys(self.names, 1), False
        for value in range(1, most + 1):
            v = self.inner.at({**ones, name: value})
            inside = is_inside(self.shape, v)
            seen = seen or inside
            if value >= 4 and (min(v.shape) < 1 or (not inside and (seen or value > 10)) or prod(v.shape) > points):
                return value
        return most


def open_sizes(rng: Random, names: Sequence[str]) -> OpenSizes:
    """Outer ranks 0 to 4, inner ranks 1 to 3.

    Reaches: dims of size 1 and 0 and equal place values, strides of any sign and 0, offsets, out of bounds from
    some size on or for small sizes only or always, a name in two sizes, sums and products of names, sizes that
    fall as a name rises.
    """
    limit = rng.choices((8, 40, 200, 800), (1, 4, 5, 2))[0]
    shape = generate._shape(rng, rng.choices(range(5), (1, 3, 6, 6, 3))[0], limit, (2, 3, 5, 8))
    if shape and rng.random() < 0.4:  # room to walk: the leading size moves no boundary
        shape = (max(1, limit // prod(shape[1:])), *shape[1:])
    sizes = _sizes(rng, names)
    room, offset, strides, typical = prod(shape) - 1, 0, [], {name: rng.randint(2, 5) for name in names}
    for text in sizes:
        steps = max(1, at(text, typical) - 1)
        t = generate._stride(rng, shape, generate._log_uniform(rng, max(1, room // steps)))
        strides.append(t)
        room = max(0, room - steps * abs(t))
        offset += steps * max(0, -t)
    offset += rng.choice((0, 0, 0, rng.randint(0, room), room))
    if rng.random() < 0.05:
        offset = rng.choice((-1, prod(shape), rng.randint(-9, 9)))
    return OpenSizes(shape, Open(sizes, tuple(map(str, strides)), str(offset)), tuple(names))


def _sizes(rng: Random, names: Sequence[str]) -> tuple[str, ...]:
    """One to three sizes (more for more names) with every name in one of them."""
    sizes = [_size(rng, name) for name in names]
    if len(names) == 2 and rng.random() < 0.2:
        a, b = names
        sizes = [rng.choice((f"{a}*{b}", f"{a}+{b}", f"{a}+2*{b}"))]
    while len(sizes) < 3 and rng.random() < 0.55:
        kind = rng.random()
        if kind < 0.25:
            sizes.append(rng.choice(names) if rng.random() < 0.5 else _size(rng, rng.choice(names)))
        else:
            sizes.append(rng.choices("012345", (0.5, 2, 4, 4, 2, 1))[0])
    rng.shuffle(sizes)
    return tuple(sizes)


def _size(rng: Random, name: str) -> str:
    forms = (name, f"2*{name}", f"3*{name}", f"{name}+1", f"{name}+{rng.randint(2, 4)}", f"{rng.randint(4, 9)}-{name}")
    return rng.choices(forms, (6, 1, 0.5, 1, 0.5, 1))[0]


# Random reshapes


class Reshape(NamedTuple):
    """A view, a new shape with perhaps one -1, and what is assumed; the names that are in sizes."""

    view: Open
    shape: tuple[str, ...]
    assume: tuple[str, ...] = ()

    def sizes(self) -> tuple[str, ...]:
        return names_in(*self.view.shape, *self.shape)

    def target(self, values: Values) -> Shape | None:
        """The new shape at the values, the element counts being equal."""
        return new_shape(self.old(values), tuple(at(text, values) for text in self.shape))

    def ranges(self, most: int = 5) -> dict[str, range]:
        """The values of the sizes, from 0 where that is assumed."""
        return {n: range(0 if f"{n} >= 0" in self.assume else 1, most + 1) for n in self.sizes()}

    def old(self, values: Values) -> Shape:
        """The old shape at the values."""
        return tuple(at(text, values) for text in self.view.shape)

    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.view.names(), *self.sizes())))

    def views(self, values: Values) -> tuple[V, V] | None:
        """The old view and the contiguous view that looks at it; None where the element counts differ."""
        target = self.target(values)
        return None if target is None else (self.view.at(values), V(target, place_values(target)))

    def fits(self, values: Values) -> bool:
        """Whether the sizes are positive; 0 only where a name that is assumed to be 0 or more is 0."""
        return are_sizes((*self.view.shape, *self.shape), values, self.assume)

    def admits(self, values: Values) -> bool:
        """Whether the assumptions are true and the sizes as they should be."""
        return self.fits(values) and all(at(text, values) for text in self.assume)


def reshape(rng: Random) -> Reshape:
    """A shape of products of names and numbers, and these factors regrouped, now and then in another order.

    Some strides are numbers, products of sizes as in contiguous views, or names that occur twice; there are sizes
    1, repeated names, a -1, and now and then element counts that agree for some sizes only.
    """
    names = rng.sample("abcd", rng.choice((1, 2, 2, 3, 3)))
    factors = list(names)
    while len(factors) < 3 or (len(factors) < 4 and rng.random() < 0.5):
        factors.append(rng.choice((*names, "2", "3", "1", "4")))
    rng.shuffle(factors)
    old = new = _grouped(rng, factors, 0.25)
    if rng.random() < 0.3:
        rng.shuffle(factors)
    if rng.random() < 0.05:
        factors[rng.randrange(len(factors))] = rng.choice((*names, "2", "e"))
    while new == old or (len(new) > len(factors) - 1 and rng.random() < 0.7):
        new = _grouped(rng, factors, 0.5)
    if rng.random() < 0.15:
        new = generate._replace(new, rng.randrange(len(new)), "-1")
    found = Reshape(Open(old, _named_strides(rng, old), rng.choice(("0", "0", "0", "3", "o"))), new)
    return found._replace(assume=_assumed(rng, found)) if rng.random() < 0.35 else found


def _assumed(rng: Random, reshape: Reshape) -> tuple[str, ...]:
    """Sizes that may be 0 (only where each name is a size of its own), relations of sizes, contiguity."""
    names = reshape.sizes()
    if not names:
        return ()
    a, b = rng.choice(names), rng.choice(names)
    free = [text for text in reshape.view.strides if text.isidentifier()]
    kind = rng.random()
    if kind < 0.4 and set(names) <= {*reshape.view.shape, *reshape.shape}:
        return tuple(dict.fromkeys((f"{a} >= 0", f"{b} >= 0")))
    if kind < 0.5 and len(set(free)) > 1:
        return (f"{free[0]} == {a}*{free[1]}",)
    if a == b:
        return (rng.choice((f"{a} >= 2", f"{a} == 1", f"{a} % 2 == 0")),)
    return (rng.choice((f"{a} == {b}", f"{a} != {b}", f"{a} <= {b}", f"{a} == 2*{b}", f"{a} == {b} + 1")),)


def _grouped(rng: Random, factors: Sequence[str], share: float) -> tuple[str, ...]:
    """Products of neighbours, a factor joining the one before with this probability."""
    sizes: list[str] = []
    for factor in factors:
        if sizes and rng.random() < share:
            sizes[-1] += f"*{factor}"
        else:
            sizes.append(factor)
    if rng.random() < 0.15:
        sizes.insert(rng.randint(0, len(sizes)), "1")
    return tuple(sizes)


def _named_strides(rng: Random, shape: Sequence[str]) -> tuple[str, ...]:
    kind = rng.random()
    if kind < 0.05:
        return contiguous(shape)
    if kind < 0.12:
        return tuple(rng.choice("0112346") for _ in shape)
    strides: list[str] = []
    for axis in reversed(range(len(shape))):
        kind = rng.random()
        if strides and kind < 0.12:
            strides.insert(0, f"({shape[axis + 1]})*({strides[0]})")
        elif kind < 0.22:
            strides.insert(0, rng.choice(("0", "1", "1", "2", "-1", "6")))
        elif strides and kind < 0.27:
            strides.insert(0, strides[-1])
        else:
            strides.insert(0, f"t{axis}")
    return tuple(strides)


# Symbolic outer sizes


class Pair(NamedTuple):
    """An outer view and an inner view, and what is assumed of their names."""

    outer: Open
    inner: Open
    assume: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.outer.names(), *self.inner.names())))

    def sizes(self) -> tuple[str, ...]:
        return names_in(*self.outer.shape, *self.inner.shape)

    def views(self, values: Values) -> tuple[V, V]:
        """Both at the values."""
        return self.outer.at(values), self.inner.at(values)

    def admits(self, values: Values) -> bool:
        """Whether the assumptions are true and the sizes positive."""
        return are_sizes((*self.outer.shape, *self.inner.shape), values) and all(
            at(text, values) for text in self.assume
        )


def moved(rng: Random) -> Pair:
    """An outer shape of two or three dims, mostly names, and an inner view made from it by movement operations.

    All elements in another shape, permutations, flips, slices of a new, symbolic length that mostly is assumed to
    fit, splits of multiples, dropped axes, repeated elements. The outer strides are names.
    """
    shape = tuple(rng.sample(("M", "N", "K", "2*m", "4*n", "3"), rng.choice((2, 2, 3))))
    while all(text.isdigit() for text in shape):
        shape = tuple(rng.sample(("M", "N", "K"), 2))
    axes = list(zip(shape, contiguous(shape), strict=True))
    if rng.random() < 0.45:
        other = _grouped(rng, rng.sample(shape, len(shape)), 0.45)
        axes = list(zip(other, contiguous(other), strict=True))
    offset: list[str] = []
    assume: list[str] = []
    for number in range(rng.randint(0, 3)):
        _move(rng, axes, offset, assume, f"k{number}")
    outer = Open(shape, tuple(f"σ{n + 1}" for n in range(len(shape))))
    inner = Open(tuple(n for n, _ in axes), tuple(t for _, t in axes), "+".join(offset) or "0")
    known = set(Pair(outer, inner).names())
    if known != _names_left(inner) | set(outer.names()):
        return moved(rng)
    return Pair(outer, inner, tuple(text for text in assume if known.issuperset(names_in(text))))


def _names_left(view: Open) -> set[str]:
    """The names that do not cancel where entries are multiplied out."""
    known = {name: sympy.Symbol(name) for name in view.names()}
    entries = [sympy.sympify(text, known) for text in (*view.shape, *view.strides, view.offset)]
    return {symbol.name for entry in entries for symbol in entry.free_symbols}


def _move(rng: Random, axes: list[tuple[str, str]], offset: list[str], assume: list[str], new: str) -> None:
    """One movement operation; `new` is a name for a length."""
    kind = rng.choice(("permute", "flip", "shrink", "shrink", "split", "split", "drop", "repeat"))
    if kind == "repeat":
        axes.insert(rng.randint(0, len(axes)), (rng.choice(("2", "3", new)), "0"))
        return
    if kind == "permute":
        rng.shuffle(axes)
        return
    at_axis = rng.randrange(len(axes))
    size, stride = axes[at_axis]
    if kind == "flip":
        offset.append(f"(({size})-1)*({stride})")
        axes[at_axis] = (size, f"-({stride})")
    elif kind == "shrink":
        low = rng.choice((0, 0, 1)) if size != "1" else 0
        if rng.random() < 0.75:
            assume.append(f"{low} + {new} <= {size}")
        offset += [stride] * low
        axes[at_axis] = (new, stride)
    elif kind == "split" and size[:2] in ("2*", "4*"):
        number, name = size.split("*", 1)
        tiles = rng.choice(((name, number), (number, name)))
        axes[at_axis : at_axis + 1] = [(tiles[0], f"({tiles[1]})*({stride})"), (tiles[1], stride)]
    elif kind == "drop" and len(axes) > 1:
        offset.append(rng.choice(("0", f"(({size})-1)*({stride})")))
        del axes[at_axis]


# Symbolic inner strides


def open_strides(rng: Random) -> Pair:
    """A small concrete outer shape with names for strides; inner strides and offset that have names in them."""
    shape = generate._shape(rng, rng.choices((1, 2, 3), (1, 4, 3))[0], rng.choice((6, 12, 24)), (2, 3, 4, 6))
    names = ("t", "u", "w")
    sizes = [rng.choices("012345", (0.2, 1, 5, 5, 3, 1))[0] for _ in range(rng.choices((1, 2, 3), (3, 5, 2))[0])]
    strides = []
    for axis in range(len(sizes)):
        name = names[axis]
        forms = (name, f"2*{name}", f"-{name}", rng.choice(names[: axis + 1]), f"{name}+1", str(rng.randint(-3, 4)))
        strides.append(rng.choices(forms, (8, 1, 1, 1, 0.5, 2))[0])
    offset = rng.choice(("o", "o", "0", "3", str(prod(shape) - 1), "o+2"))
    if not names_in(*(t for n, t in zip(sizes, strides, strict=True) if n != "1"), offset):
        offset = "o"
    outer = Open(tuple(map(str, shape)), tuple(f"σ{n + 1}" for n in range(len(shape))))
    return Pair(outer, Open(tuple(sizes), tuple(strides), offset))
