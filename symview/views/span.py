"""From where to where the addresses of a view reach, and when they stay inside a storage or a width of integers.

An address is a sum of functions of one index each, so its least and greatest value are sums of theirs, and each of them
takes its ends at an end of its range. All terms that depend on a stride of unknown sign are minima and maxima of two.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from symview.cases.conditions import Conditions
from symview.cases.query import query_about
from symview.cases.question import OfView
from symview.counterexample import Counterexample, Kind
from symview.displayed import Displayed, number_text
from symview.engine.index_map import extremes
from symview.errors import InputError
from symview.logic.budget import Budget, running
from symview.logic.entailment import Entailment
from symview.logic.integer import Int, Integer, form_of, integer, of_term, term_of
from symview.logic.notation import term_text
from symview.logic.polynomial import ONE
from symview.logic.sympy_bridge import free_symbols
from symview.logic.terms import FALSE, TRUE, Term, disj, num
from symview.show.formulas import where_text
from symview.view import View, address_of, as_view
from symview.view_notation import read_shape
from symview.views.extents import extents
from symview.views.stride_faults import extent

_EXACT = "exact: least and greatest address are those of two corners"
_MOST = 4096  # bits of an integer
_OUTSIDE = "a corner is outside for all values"


@dataclass(frozen=True, slots=True)
class Span(Displayed):
    """The least and the greatest address of a view; None of a view of numbers without addresses.

    `empty`: whether it has no address, a formula if that depends on names; the other fields are those elsewhere.
    `bound`: the ends may lie beyond the addresses, as they do for a swizzle of a layout with names.

    >>> found = span("(4,4):(5,-5)+15")
    >>> found.least, found.greatest, found.storage, found.extent
    (0, 30, 31, 31)
    """

    least: Integer | None
    greatest: Integer | None
    empty: bool | Term = False
    texts: tuple[str, str, str] = ("", "", "")
    bound: bool = False

    @staticmethod
    def of_numbers(low: int, high: int) -> Span:
        """From one number to another."""
        return Span(low, high, False, (number_text(low), number_text(high), number_text(high + 1)))

    @property
    def storage(self) -> Integer:
        """The elements of the smallest storage that holds all addresses, if none is below 0."""
        return 0 if self.greatest is None else self.greatest + 1

    @property
    def extent(self) -> Integer:
        """The elements from the least to the greatest address."""
        return 0 if self.greatest is None or self.least is None else self.greatest - self.least + 1

    def __str__(self) -> str:
        if self.least is None:
            return "no address: a storage of 0 elements"
        low, high, storage = self.texts
        below = isinstance(self.least, int) and self.least < 0
        start = f"starts below 0, at {low}" if below else f"a storage of {storage} element{'s' * (storage != '1')}"
        unless = f", unless {where_text(self.empty)}: there is no address then" if isinstance(self.empty, Term) else ""
        return f"addresses {'within ' * self.bound}{low} to {high}: {start}{unless}"

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        shown = {"least": self.least, "greatest": self.greatest, "storage": self.storage, "extent": self.extent}
        empty = self.empty if isinstance(self.empty, bool) else term_text(self.empty)
        texts = {k: x if x is None or isinstance(x, int) else str(x) for k, x in shown.items()}
        return texts | {"empty": empty, "bound": self.bound}


def span(view: View | str, assume: Any = (), budget: Budget | None = None) -> Span:
    """The least and the greatest address of a view, and the storage that it needs, in elements; exact for any strides.

    Sizes, strides, offset and bounds of the mask may have names: the ends are minima and maxima where the sign of a
    stride is unknown. Raises InputError for assumptions that contradict each other.

    >>> print(span("(5,2):(50,10)+2"))
    addresses 2 to 212: a storage of 213 elements
    >>> print(span("(a,b):(s,t)+o", assume="s >= 0 and t >= 0"))
    addresses o to o + (a - 1)*s + (b - 1)*t: a storage of o + (a - 1)*s + (b - 1)*t + 1 elements
    """
    view = as_view(view, "span")
    if view.is_numeric() and not assume:
        return _of_numbers(view)
    ends = _ends(view, assume, running(budget))
    if ends.empty == TRUE:
        return Span(None, None, True)
    lows, highs, storage = ends.low, ends.high, ends.high._replace(rest=ends.high.rest + 1)
    empty = False if ends.empty == FALSE else ends.empty
    return Span(lows.value(), highs.value(), empty, (lows.text(), highs.text(), storage.text()))


def _of_numbers(view: View) -> Span:
    shape, strides = extent(view, "span")
    if 0 in shape:
        return Span(None, None, True)
    return Span.of_numbers(*extremes(address_of(view, [first for first, _ in view.bounds()]), strides, shape))


def span_conditions(
    view: View | str,
    storage: Any = None,
    *,
    bits: int | str | None = None,
    relative: bool = False,
    assume: Any = (),
    budget: Budget | None = None,
) -> Conditions[View]:
    """The exact condition that all addresses of a view are inside a storage, or are integers of so many bits.

    `storage`: the number of its elements, which may have names: 0 <= address < storage. `bits`: -2^(bits-1) <= address
    < 2^(bits-1), or of "u32" 0 <= address < 2^32. `relative`: addresses without the offset; with `bits` it is then the
    condition that no sum of some of the products index * stride leaves the range, in any order of summation. (That says
    nothing about size * stride, which may be one stride longer.) A view without an address fits. Give either `storage`
    or `bits`.
    Raises InputError for both or none of them, and for assumptions that contradict each other.

    >>> print(span_conditions("(a,b):(s,t)", "N", assume="s >= 0 and t >= 0"))
    (a - 1)*s + (b - 1)*t < N
    >>> print(span_conditions("(B,S,D):(t0,D,1)", bits=32, assume="t0 >= 0"))
    (B - 1)*t0 + D*S ≤ 2147483648
    >>> print(span_conditions("(4,n):(-n,1)+2*n", 100).counterexample())
    at index (3,0) with n = 1: address -1 is out of bounds (perhaps not the smallest such index)
    """
    view = as_view(view, "span_conditions")
    if (storage is None) == (bits is None):
        raise InputError("span_conditions: give either the elements of a storage, or the bits of an integer")
    bits = _width(bits)
    if isinstance(storage, str):
        found = read_shape(f"({storage})")
        if len(found) != 1:
            raise InputError(f"storage {storage}: give one number, or one expression such as 2*m")
        storage = found[0]
    asked = FitsIn(view, View((), (), 0 if storage is None else storage).offset, bits, relative)
    running_budget = running(budget)
    ends = _ends(asked.measured(), assume, running_budget, asked.storage, asked.with_partial_sums())
    low, high = asked.range()
    clauses = _within(ends, low, high)
    known = ends.known
    if any(map(known.impossible, clauses)):
        clauses = [FALSE]
    data = ends.axes.exact([c for c in clauses if not known.implies(c)], _EXACT, _OUTSIDE)
    return Conditions(asked, data, running_budget.plain())


def _width(bits: int | str | None) -> int | str | None:
    """The bits of a signed integer, or text such as u32 for an unsigned one; raises InputError for anything else.

    >>> _width(32), _width("i32"), _width("u8")
    (32, 32, 'u8')
    """
    if bits is None:
        return None
    found = re.fullmatch(r"([iu]?)0*([0-9]{1,9})", bits) if isinstance(bits, str) else None
    number = int(found[2]) if found else bits
    if type(number) is not int:
        raise InputError(f"span_conditions: bits {bits!r}: give a number, or u32 for unsigned integers")
    if not 1 <= number <= _MOST:
        raise InputError(f"span_conditions: an integer of {number_text(number)} bits: give 1 to {_MOST}")
    return f"u{number}" if found and found[1] == "u" else number


class _Sum(NamedTuple):
    """A sum of reaches of dims as terms, which are printed together, and of the rest."""

    kept: tuple[Term, ...]
    rest: Integer

    def term(self) -> Term:
        """The whole sum: names such as an offset, the reaches, and what is left."""
        rest = form_of(self.rest)
        first = {m: c for m, c in rest.items() if len(m) == 1 and c > 0} if self.kept else {}
        parts = [*_parts(first), *self.kept, *_parts({m: c for m, c in rest.items() if m not in first})]
        return num(0) if not parts else parts[0] if len(parts) == 1 else Term("+", tuple(parts))

    def value(self) -> Integer:
        """The whole sum as an integer."""
        return sum(map(of_term, self.kept), self.rest)

    def text(self) -> str:
        """The whole sum as text."""
        return term_text(self.term()) if self.kept or not isinstance(self.rest, int) else number_text(self.rest)


def _parts(form: Mapping[Any, int]) -> Sequence[Term]:
    term = term_of(integer(dict(form)))
    return () if term == num(0) else term.args if term.op == "+" else (term,)


class _Reach(NamedTuple):
    """What a dim adds to an address, from its first to its last index; `sign`: that of the stride, 0 if unknown."""

    first: Integer
    last: Integer
    stride: Integer
    sign: int

    def ends(self) -> tuple[list[Term], list[Term]]:
        """The least and the greatest of it; nothing for 0."""
        near, far = _product(self.first, self.stride), _product(self.last, self.stride)
        if self.sign:
            return (near, far) if self.sign > 0 else (far, near)
        both = (*(near or [num(0)]), *far)
        return [Term("min", both)], [Term("max", both)]

    def rises(self) -> Term:
        """The clause that nothing of it is below 0, if its first index is 0."""
        one = () if isinstance(self.last, int) else (Term("==", (term_of(self.last + 1), num(1))),)
        falls = isinstance(self.stride, Int) and all(c < 0 for c in form_of(self.stride).values())
        sign = Term("<=", (term_of(-self.stride), num(0))) if falls else Term(">=", (term_of(self.stride), num(0)))
        return disj((*one, sign))


class _Ends(NamedTuple):
    """Least and greatest address where the view has one, and the facts that it has; `empty`: where it has none.

    `reaches`: those of the dims that are not in the rests of both sums.
    """

    axes: Any
    known: Entailment
    reaches: tuple[_Reach, ...]
    low: _Sum
    high: _Sum
    empty: Term


def _ends(view: View, assume: Any, budget: Budget, storage: Integer = 0, from_zero: bool = False) -> _Ends:
    """The ends of a view, with indices from 0 on or from the mask's; the names of `storage` may be in assumptions."""
    query = query_about((view, View((), (), storage)), assume, budget)
    axes = extents(query._replace(views=(view,)))
    known = Entailment(axes.facts, budget)
    empty = disj(e for e in axes.empty if not known.impossible(e))
    sizes = [n for n in map(query.algebra.term, axes.sizes) if n.op != "int"]
    here = known.also(*[Term(">=", (n, num(1))) for n in sizes])
    reaches = list[_Reach]()
    bottom = top = view.offset
    for dim, ((first, end), stride) in enumerate(zip(view.bounds(), view.strides, strict=True)):
        first = 0 if from_zero else first
        sign = 1 if first == end - 1 else _sign(stride, here)
        if isinstance(stride, int) or (sign and not _is_alone(view, dim, storage)):
            near, far = (first, end - 1)[:: sign or 1]
            bottom, top = bottom + near * stride, top + far * stride
        else:
            reaches.append(_Reach(first, end - 1, stride, sign))
    lows, highs = (tuple([t for r in reaches for t in r.ends()[up]]) for up in (0, 1))
    return _Ends(axes, here, tuple(reaches), _Sum(lows, bottom), _Sum(highs, top), empty)


def _sign(stride: Integer, known: Entailment) -> int:
    """1 if the stride is at least 0, -1 if it is at most 0, 0 if that is unknown."""
    if isinstance(stride, int):
        return 1 if stride >= 0 else -1
    rising, falling = (Term(op, (term_of(stride), num(0))) for op in (">=", "<="))
    return 1 if known.implies(rising) else -1 if known.implies(falling) else 0


def _is_alone(view: View, dim: int, storage: Integer) -> bool:
    """Whether the names of the stride are in no other entry: then nothing cancels when reaches are added."""
    strides = [t for n, t in enumerate(view.strides) if n != dim]
    others = [*view.shape, *strides, view.offset, storage, *(x for pair in view.bounds() for x in pair)]
    return not set(free_symbols([view.strides[dim]])) & set(free_symbols(others))


def _product(index: Integer, stride: Integer) -> list[Term]:
    """The product, not expanded; nothing for 0."""
    if isinstance(index, int):
        return [term_of(index * stride)] if index else []
    return [Term("*", (term_of(index), term_of(stride)))]


def _within(ends: _Ends, low: Integer, high: Integer) -> list[Term]:
    """The clauses that no address is below `low`, and all are below `high`."""
    lows, highs, above = ends.low, ends.high, ends.high.rest + 1 - high
    if lows.rest != low or not lows.kept or any(r.first != 0 for r in ends.reaches):
        return [_at_most(_Sum((), low - lows.rest), lows.kept), _at_most(_Sum(highs.kept, above))]
    # A sum of reaches that are at most 0 is 0 where each of them is, and then each ends at its last index.
    named = set(free_symbols([high]))
    joined = [r for r in ends.reaches if named & set(free_symbols([r.stride]))]  # expanded: they may cancel
    rest = sum([r.last * r.stride for r in joined], above)
    kept = [t for r in ends.reaches if r not in joined for t in _product(r.last, r.stride)]
    return [*(r.rises() for r in ends.reaches if r.sign <= 0), _at_most(_Sum(tuple(kept), rest))]


def _at_most(left: _Sum, right: tuple[Term, ...] = ()) -> Term:
    """The comparison of sums left <= right, without minus signs but that of a number alone."""
    form = form_of(left.rest)
    if not left.kept and form.get(ONE, 0) < 0 and not any(c > 0 for c in form.values()) and (right or len(form) > 1):
        other = {m: -c for m, c in form.items() if m != ONE}
        return Term("<=", (num(form[ONE]), _Sum(right, integer(other)).term()))
    ups, downs = {m: c for m, c in form.items() if c > 0}, {m: -c for m, c in form.items() if c < 0}
    strict = ups.get(ONE) == 1 and (left.kept or len(ups) > 1)
    if strict:
        del ups[ONE]
    sides = left._replace(rest=integer(ups)).term(), _Sum(right, integer(downs)).term()
    if sides[0].op == sides[1].op == "int":
        return TRUE if sides[0].args[0] <= sides[1].args[0] else FALSE
    return Term("<" if strict else "<=", sides)


@dataclass(frozen=True, slots=True)
class FitsIn(OfView):
    """The question whether all addresses of a view are inside a storage, or are integers of so many bits."""

    view: View
    storage: Integer
    bits: int | str | None
    relative: bool

    @property
    def yes(self) -> str:
        """The statement that the conditions decide."""
        return "the addresses fit"

    def __str__(self) -> str:
        what = "the addresses" if not self.relative else "the addresses without the offset"
        width = f"{str(self.bits).removeprefix('u')}{' unsigned' * isinstance(self.bits, str)} bits"
        where = width if self.bits is not None else f"a storage of {self.storage} elements"
        return f"{what} of {self.view} fit in {where}"

    def measured(self) -> View:
        """The view whose addresses count."""
        return View(self.view.shape, self.view.strides, 0, self.view.mask) if self.relative else self.view

    def with_partial_sums(self) -> bool:
        """Whether sums of some products count: those that are left out are at index 0, which a mask may exclude."""
        return self.relative and self.bits is not None

    def range(self) -> tuple[Integer, Integer]:
        """The least address that fits, and the first one above that does not."""
        if self.bits is None:
            return 0, self.storage
        if isinstance(self.bits, str):
            return 0, 1 << int(self.bits[1:])
        return -(1 << self.bits - 1), 1 << self.bits - 1

    def put(self, values: Mapping[str, int]) -> FitsIn:
        """The question after substituting numbers."""
        storage = self.storage if isinstance(self.storage, int) else self.storage.put(values)
        return replace(self, view=self.view.with_values(values), storage=storage)

    def entries(self) -> Iterable[Any]:
        """All entries of the view, and the storage."""
        return (*self.view.entries(), self.storage)

    def at(self, values: Mapping[str, int], budget: Budget) -> View | Counterexample:
        """The view of numbers, or a corner of it that is outside."""
        asked = self.put(values)
        view, (low, high) = asked.measured(), asked.range()
        bounds = [] if view.is_void() else list(zip(view.bounds(), view.strides, strict=True))
        if not view.is_void() and all(first < end for (first, end), _ in bounds):
            bounds = [((0, end), t) for (_, end), t in bounds] if self.with_partial_sums() else bounds
            for up in (False, True):  # the corners of the least and of the greatest address
                index = tuple([end - 1 if (t > 0) is up else first for (first, end), t in bounds])
                if not low <= (address := address_of(view, index)) < high:
                    out = Kind.OUT_OF_BOUNDS
                    return Counterexample(out, index, None, None, address, smallest=False, values=dict(values))
        return asked.view

    def example_text(self, answer: View | None, broken: Counterexample | None) -> str:
        """The statement that the addresses fit, or a corner that does not."""
        return str(self) if broken is None else f"{self.view} does not fit: {replace(broken, values={})}"

    def head(self) -> dict[str, Any]:
        """The view and the range, for JSON."""
        where = {"storage": str(self.storage)} if self.bits is None else {"bits": self.bits}
        return {"view": str(self.view), "question": "span", **where, "relative": self.relative}
