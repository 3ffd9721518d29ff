"""The same memory read as elements of another width: when that is a view, and which.

Over units of g = gcd(old, new) bits an old element is m = old/g units and a new one k = new/g. A new element along the
dim d has k units of a row in a row, from a multiple of k on. So the view exists exactly if k divides m·n_d, and, unless
no index is valid: n_d = 1 or s_d = 1; and k divides m times the offset, and m·s_j or n_j = 1 for each other dim j.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import gcd
from typing import Any

from symview.answers import AffineView, CaseData, Status
from symview.cases.conditions import Conditions
from symview.cases.query import query_about
from symview.cases.question import OfView
from symview.counterexample import Counterexample, Kind
from symview.displayed import number_text
from symview.errors import InputError
from symview.logic.budget import Budget, running
from symview.logic.entailment import Entailment
from symview.logic.integer import Integer
from symview.logic.terms import FALSE, Term, disj
from symview.view import View, as_view
from symview.view_entries import numbers
from symview.views.extents import extents

_EXACT = "exact: each new element is a whole number of units, in a row and from a multiple of its width on"
_NEVER = "for all values some new element is not in place"
_WORDS = {"bool": 8, "byte": 8, "char": 8, "half": 16, "short": 16, "int": 32, "float": 32, "long": 64, "double": 64}
_NAMED = re.compile(r"([us]?int|[bt]?float|fp|bf|tf|complex|bits|[fius])(\d{1,4})(?:_?(e\d+m\d+)\w*?)?(?:_t)?(_?x2)?")
_COUNTED = re.compile(r"(\d{1,7})\s*(?:(B|[Bb]ytes?)|b|[Bb]its?)")  # such as 16 bytes, 16B, 128b
_OF_CUDA = re.compile(r"(u?int)([1-4])")  # PyTorch's are torch.int4
_FORMAT = re.compile(r"e(\d+)m(\d+)\w*")  # the bits of exponent and mantissa; there is a sign if there is a mantissa
_MOST = 1 << 20  # bits of an element


def width(of: Any) -> int:
    """The bits of an element: a number, or the name of a type of PyTorch, CuTe, MLIR or C, perhaps with its module.

    Of numpy, types and names with bits, such as float32; `float` and `int` alone are those of C, of 32 bits. A packed
    type such as float4_e2m1fn_x2 is one byte, and the shape of a tensor of it counts pairs. Raises InputError for other
    names, and for those with two meanings: CUDA's float4 is 4 floats, its int4 is 4 ints, and numpy's f4 has 4 bytes.

    >>> width("fp16"), width("torch.bfloat16"), width("Float8E4M3FN"), width("float4_e2m1fn_x2"), width(24)
    (16, 16, 8, 8, 24)
    """
    is_class = isinstance(of, type) and of.__module__ != "builtins"
    module, _, name = (of.__name__ if is_class else str(of)).rpartition(".")
    bits = _WORDS.get(name.lower().removesuffix("_t")) or _bits_of(name.lower(), of)
    if not (module or is_class) and (cuda := _OF_CUDA.fullmatch(name)) is not None:
        raise InputError(
            f"{of}: {cuda[2]} {cuda[1]}s as in CUDA, or {bits} bits? Give the bits: {32 * bits}, or {bits}"
        )
    if name.isdecimal() and len(name) < 10:
        bits = int(name)
    if (counted := _COUNTED.fullmatch(str(of))) is not None:
        bits = int(counted[1]) * (1 if counted[2] is None else 8)
    if not 1 <= bits <= _MOST or (module and (name.isdecimal() or module.isdecimal())):
        what = number_text(of) if isinstance(of, int) else of
        raise InputError(f"an element of {what}: give its bits, from 1 on, or the name of a type such as fp16")
    return bits


def width_in_bytes(text: str) -> int | None:
    """The bytes of a width in words; a number alone counts bytes. None for any other text.

    >>> width_in_bytes("16 B"), width_in_bytes("128b"), width_in_bytes("16"), width_in_bytes("12 bits")
    (16, 16, 16, None)
    """
    counted = _COUNTED.fullmatch(f"{text} B" if text.isdecimal() else text)
    bits = int(counted[1]) * (1 if counted[2] is None else 8) if counted else 0
    return None if bits % 8 or bits == 0 else bits // 8


def _bits_of(name: str, of: Any) -> int:
    """The bits in the name of a type; 0 if it has none."""
    if (form := _FORMAT.fullmatch(name)) is not None:
        return int(form[1]) + int(form[2]) + (form[2] != "0")
    named = _NAMED.fullmatch(name)
    if named is None:
        return 0
    kind, bits = named[1], int(named[2])
    if named[3] is None and kind == "float" and bits in (1, 2, 3, 4):
        raise InputError(f"{of}: {bits} floats as in CUDA, or {bits} bits? Give the bits: {32 * bits}, or {bits}")
    if named[3] is None and kind in ("f", "i", "u") and bits in (1, 2, 4, 8):
        raise InputError(f"{of}: {bits} bytes as in numpy, or {bits} bits? Give the bits: {8 * bits}, or {bits}")
    return bits * (2 if named[4] else 1)


def recast(view: View | str, old: Any, new: Any, dim: int = -1, budget: Budget | None = None) -> View | Counterexample:
    """The view of the same memory with elements of another width along a dim, or why there is none.

    `old` and `new` are widths in bits or names of types; sizes, strides and offset count elements. The new elements are
    aligned to their width, and have the old ones in order. PyTorch's `view(dtype)` gives such a view, but refuses some
    that exist; numpy's also gives ones that are not aligned.
    Raises InputError for a dim that the view does not have, SymbolError for names (then use `recast_conditions`).

    >>> print(recast("(4,8):(8,1)", "fp16", "fp32"))
    (4,4):(4,1)
    >>> print(recast("(4,8):(9,1)", "fp16", "fp32"))
    2 does not divide the stride 9 of dim 0
    """
    found = as_view(view, "recast")
    numbers(found.entries(), "recast")
    asked = _asked(found, old, new, dim)
    return asked.at({}, running(budget))


def recast_conditions(
    view: View | str, old: Any, new: Any, dim: int = -1, assume: Any = (), budget: Budget | None = None
) -> Conditions[View]:
    """The exact, weakest condition under which a view's memory is a view with elements of another width; see `recast`.

    The view is that of the only case that is not "never"; its quotients are exact where they count. For several views,
    as in "may this kernel load 16 bytes at a time from all of them?", join the answers by `joint_conditions`.

    >>> found = recast_conditions("(a,n):(ld,1)+o", 8, 32)
    >>> print(found)
    n % 4 = 0 and o % 4 = 0 and (a = 1 or ld % 4 = 0)
    >>> print(found.cases[0].view)
    (a,n//4):(ld//4,1)+o//4
    """
    asked = _asked(as_view(view, "recast_conditions"), old, new, dim)
    spent = running(budget)
    query = query_about((asked.view,), assume, spent)
    axes = extents(query)
    known, algebra, m, k, d = Entailment(axes.facts, spent), query.algebra, *asked.units(), asked.dim

    def divides(x: Integer) -> Term:
        return algebra.divides(algebra.poly(k), algebra.poly(m * x))

    clauses = [divides(asked.view.shape[d])]
    if m != k:
        inside = [divides(x) for x in asked.bounds()]
        step = disj((*axes.unit(d), *algebra.zero(algebra.poly(asked.view.strides[d] - 1))))
        others = [(n, t) for n, t in enumerate(asked.view.strides) if n != d]
        inside += [step, divides(asked.start()), *(disj((*axes.unit(n), divides(t))) for n, t in others)]
        clauses += [disj((*axes.empty, c)) for c in inside]
    left = [c for c in dict.fromkeys(clauses) if not known.implies(c)]
    whole = [FALSE] if any(map(known.impossible, left)) else left
    data = axes._replace(empty=()).exact(whole, _EXACT, _NEVER)
    result = AffineView.of(asked.result())
    cases = tuple([c if c.status is Status.NEVER else replace(c, view=result) for c in data.cases])
    return Conditions(asked, replace(data, cases=cases), spent.plain())


def _asked(view: View, old: Any, new: Any, dim: int) -> Recast:
    if type(dim) is not int or not -view.rank <= dim < view.rank:
        raise InputError(f"dim {dim} of a view of {view.rank} dims")
    return Recast(view, width(old), width(new), dim % view.rank)


@dataclass(frozen=True, slots=True)
class Recast(OfView):
    """The question whether a view's memory is a view with elements of `new` bits instead of `old` along a dim."""

    view: View
    old: int
    new: int
    dim: int

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return "there is a view"

    def __str__(self) -> str:
        return f"{self.view} of {self.old} bits is a view of {self.new} bits along dim {self.dim}"

    def units(self) -> tuple[int, int]:
        """The units of an old and of a new element."""
        unit = gcd(self.old, self.new)
        return self.old // unit, self.new // unit

    def bounds(self) -> tuple[Integer, ...]:
        """The bounds of the mask along the dim."""
        return () if not isinstance(self.view.mask, tuple) else self.view.mask[self.dim]

    def start(self) -> Integer:
        """The address of the first valid index."""
        steps = zip(self.view.bounds(), self.view.strides, strict=True) if isinstance(self.view.mask, tuple) else ()
        return sum([low * t for (low, _), t in steps], self.view.offset)

    def result(self) -> View:
        """The view, where it exists."""
        (m, k), d, view = self.units(), self.dim, self.view
        if m == k:
            return view
        shape = [m * n // k if a == d else n for a, n in enumerate(view.shape)]
        strides = [1 if a == d else _quotient(m * t, k) for a, t in enumerate(view.strides)]
        if not isinstance(view.mask, tuple):
            return View(shape, strides, _quotient(m * view.offset, k), view.mask)
        mask = [(m * low // k, m * high // k) if a == d else (low, high) for a, (low, high) in enumerate(view.mask)]
        first = sum([low * t for (low, _), t in zip(mask, strides, strict=True)])
        return View(shape, strides, _quotient(m * self.start(), k) - first, mask)

    def at(self, values: Mapping[str, int], budget: Budget) -> View | Counterexample:
        """The view of numbers, or the first new element that is not in place."""
        asked = self.put(values) if values else self
        fault = asked.fault()
        return asked.result() if fault is None else replace(fault, values=dict(values))

    def fault(self) -> Counterexample | None:
        """Why there is no view of numbers, with the first new element that is not in place; None if there is one."""
        (m, k), d, view = self.units(), self.dim, self.view
        bounds = [(0, 0)] * view.rank if view.is_void() else view.bounds()
        counts = [high - low for low, high in bounds]
        lows = [low for low, _ in bounds]
        if m * view.shape[d] % k:
            return _no(lows, d, f"{k} does not divide {_times(m)}the size {view.shape[d]} of dim {d}")
        if m == k or 0 in counts:
            return None
        if odd := [x for x in self.bounds() if m * x % k]:
            return _no(lows, d, f"{k} does not divide {_times(m)}the bound {odd[0]} of the mask of dim {d}")
        if counts[d] != 1 and view.strides[d] != 1:
            near = [a for a, t in enumerate(view.strides) if t == 1 and counts[a] != 1]
            other = f"; dim {near[0]} has stride 1" if near else ""
            return _no(lows, d, f"dim {d} has stride {view.strides[d]}, but would have to be 1{other}")
        for a, t in enumerate(view.strides):
            if a != d and counts[a] != 1 and m * t % k:
                index = [low + (b == a) for b, low in enumerate(lows)]
                return _no(index, a, f"{k} does not divide {_times(m)}the stride {t} of dim {a}")
        if m * self.start() % k:
            what = "offset" if self.start() == view.offset else "first address"
            return _no(lows, d, f"{k} does not divide {_times(m)}the {what} {self.start()}")
        return None

    def stated(self, case: CaseData, values: Mapping[str, int]) -> View | None:
        """The view after substituting numbers."""
        return self.put(values).result() if case.view is not None else None

    def example_text(self, answer: View | None, broken: Counterexample | None) -> str:
        """The view, or why there is none."""
        if broken is None:
            return f"{self.view} is {answer}"
        return f"{self.view} is not a view: {replace(broken, values={})}"

    def head(self) -> dict[str, Any]:
        """The view, the widths and the dim, for JSON."""
        return {"view": str(self.view), "question": "recast", "old": self.old, "new": self.new, "dim": self.dim}


def _quotient(x: Integer, k: int) -> Integer:
    """The exact quotient; 0 for a number without one, where it does not count."""
    return 0 if isinstance(x, int) and x % k else x // k


def _times(m: int) -> str:
    return "" if m == 1 else f"{m} times "


def _no(index: list[int], axis: int, reason: str) -> Counterexample:
    return Counterexample(Kind.STRIDE, tuple(index), axis, None, None, reason=reason)
