"""Formulas over integers within bounds as bit-vectors, each wide enough for the value it stands for.

What only the low bits of a result depend on (+ - * << & | ^ ~ and a stated width) is computed in no more than those.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symview.errors import NotSupported
from symview.logic import z3_door as smt
from symview.logic.arithmetic import told
from symview.logic.budget import DEFAULT, Budget
from symview.logic.divisions import Formula
from symview.logic.operators import CONNECTIVES, OPERATORS
from symview.logic.points import bounds_of
from symview.logic.terms import Term, conjuncts, names, nonzero_divisors

Interval = tuple[int, int]

_WIDEST = 600
_LOW = ("+", "-", "*", "neg", "~", "&", "|", "^", "<<")  # low bits of these depend on low bits alone
_STEPS = 100  # of work for a node


def check(formulas: Sequence[Formula], budget: Budget = DEFAULT) -> smt.Answer:
    """Whether integers satisfy all the formulas, which bound every name by constants; Open where they do not.

    >>> from symview.logic.notation import parse_statement
    >>> check([Formula(parse_statement("x & y == 12 and x ^ y == 3 and 0 <= x < 14 and 0 <= y < 99"), "floor", "")])
    Sat(model={'x': 12, 'y': 15})
    """
    formulas = [*formulas, *(f._replace(term=t) for f in formulas for t in nonzero_divisors([f.term]))]
    wanted = names(*(f.term for f in formulas))
    bounds = dict(zip(wanted, bounds_of((part for f in formulas for part in conjuncts(f.term)), wanted), strict=True))
    if any(low is not None and high is not None and low > high for low, high in bounds.values()):
        return smt.Unsat()
    session = smt.session_of(budget)
    reader = _Reader(session, bounds)
    try:
        asserted = [reader.formula(f.term, f.division) for f in formulas]
    except NotSupported as reason:
        return smt.Open(str(reason))
    budget.count(_STEPS * len(reader.known))
    solver = session.z3.SimpleSolver(ctx=session.context)
    solver.add([*asserted, *reader.within])
    answer = session.check(solver, budget)
    if isinstance(answer, str):
        return smt.Open(f"on bits, {answer}")
    if answer == session.z3.unsat:
        return smt.Unsat()
    model = solver.model()
    found = {n: model.eval(x, model_completion=True).as_signed_long() for n, x in reader.variables.items()}
    return smt.Sat({n: found.get(n, 0) for n in wanted})


class _Reader:
    """Terms as bit-vectors in two's complement: `exact` in the width of all their values, `low` in a width given."""

    def __init__(self, session: smt.Session, bounds: Mapping[str, tuple[int | None, int | None]]) -> None:
        self.z3, self.context, self.bounds = session.z3, session.context, bounds
        self.variables: dict[str, Any] = {}
        self.within: list[Any] = []
        self.known: dict[object, Any] = {}
        self.ranges: dict[object, Interval | None] = {}

    def formula(self, term: Term, division: str) -> Any:
        z3, (op, args) = self.z3, term
        if op == "bool":
            return z3.BoolVal(args[0], self.context)
        if op in CONNECTIVES:
            parts = [self.formula(a, division) for a in args]
            join = {"and": z3.And, "or": z3.Or, "not": z3.Not, "->": z3.Implies}.get(op)
            return OPERATORS[op].run(parts) if join is None else join(*parts)
        width = max(self.width(a, division) for a in args)
        return OPERATORS[op].run([self.low(a, width, division) for a in args])

    # How large

    def width(self, term: Term, division: str) -> int:
        found = self.interval(term, division)
        if found is None:
            raise NotSupported(
                "the values have no bound that bit-vectors need: bound every name by numbers, or give bits"
            )
        width = max((x if x >= 0 else ~x).bit_length() for x in found) + 1
        if width > _WIDEST:
            raise NotSupported(f"the values need more than {_WIDEST} bits")
        return width

    def interval(self, term: Term, division: str) -> Interval | None:
        """The least and the greatest value, or bounds of them; None where there are none."""
        if (term, division) not in self.ranges:
            self.ranges[term, division] = self._interval(term, division)
        return self.ranges[term, division]

    def _interval(self, term: Term, division: str) -> Interval | None:
        op, args = term
        if op == "int":
            return args[0], args[0]
        if op == "sym":
            low, high = self.bounds[args[0]]
            return None if low is None or high is None else (low, high)
        if op == "wrap":
            return args[1].args[0], args[1].args[0] + args[2].args[0] - 1
        parts = [self.interval(a, division) for a in (args[1:] if op == "if" else args)]
        if op in _BY_ONE and any(parts):
            return _BY_ONE[op](parts, division)
        known = [p for p in parts if p is not None]
        if len(known) < len(parts):
            return None
        if op not in _RANGES:
            raise NotSupported(f"{op} of names is not computed on bits")
        return _RANGES[op](known)

    # Bits

    def exact(self, term: Term, division: str) -> Any:
        width = self.width(term, division)
        key = (term, division, "exact")
        if key not in self.known:
            self.known[key] = self._exact(term, division, width)
        return self.known[key]

    def low(self, term: Term, width: int, division: str) -> Any:
        key = (term, division, width)
        if key not in self.known:
            self.known[key] = self._low(term, width, division)
        return self.known[key]

    def _low(self, term: Term, width: int, division: str) -> Any:
        op, args = term
        if op == "int":
            return self.z3.BitVecVal(args[0], width, self.context)
        if op == "wrap" and width <= args[2].args[0].bit_length() - 1:
            return self.low(args[0], width, division)
        if op == "<<":
            return self._shifted(args[0], args[1], width, division)
        if op in _LOW:
            return OPERATORS[op].run([self.low(a, width, division) for a in args])
        if op == "**" and (product := told(term)).op != "**":
            return self.low(product, width, division)
        return self.resized(self.exact(term, division), width)

    def resized(self, value: Any, width: int) -> Any:
        more = width - value.size()
        return self.z3.SignExt(more, value) if more > 0 else self.z3.Extract(width - 1, 0, value) if more else value

    def _shifted(self, value: Term, by: Term, width: int, division: str) -> Any:
        count, bits = self.exact(by, division), self.low(value, width, division)
        if count.size() <= width:
            return bits << self.resized(count, width)
        return self.z3.If(count >= width, bits ^ bits, bits << self.resized(count, width))

    def _exact(self, term: Term, division: str, width: int) -> Any:
        z3, (op, args) = self.z3, term
        match op:
            case "sym":
                return self._variable(args[0], width)
            case "wrap":
                size, bits = (
                    args[2].args[0].bit_length() - 1,
                    self.low(args[0], args[2].args[0].bit_length() - 1, division),
                )
                return (
                    z3.ZeroExt(1, bits)
                    if args[1].args[0] == 0
                    else bits
                    if size == width
                    else self.resized(bits, width)
                )
            case "if":
                where = self.formula(args[0], division)
                return z3.If(where, *(self.low(a, width, division) for a in args[1:]))
            case "min" | "max":
                both = max(self.width(a, division) for a in args)  # the one that is not chosen may be wider
                first, *rest = (self.low(a, both, division) for a in args)
                for other in rest:
                    first = z3.If(first <= other if op == "min" else first >= other, first, other)
                return self.resized(first, width)
            case "abs":
                bits = self.low(args[0], width + 1, division)
                return self.resized(z3.If(bits >= 0, bits, -bits), width)
            case ">>":
                both = max(self.width(a, division) for a in args)
                value, count = (self.low(a, both, division) for a in args)
                return self.resized(value >> count, width)
            case "ceildiv":
                down = self._divided("//", Term("neg", args[:1]), args[1], division, "floor")
                return self.resized(-down, width)
            case "//" | "%":
                return self.resized(self._divided(op, args[0], args[1], division, division), width)
        return self.low(term, width, division)

    def _variable(self, name: str, width: int) -> Any:
        if name not in self.variables:
            self.variables[name] = x = self.z3.BitVec(name, width, self.context)
            low, high = self.bounds[name]
            self.within += [x >= low, x <= high]
        return self.variables[name]

    def _divided(self, op: str, top: Term, bottom: Term, division: str, rounding: str) -> Any:
        """Quotient or remainder, rounded as named; `division` is what // and % mean inside of both."""
        z3 = self.z3
        above, below = self.interval(top, division), self.interval(bottom, division)
        if above is None or below is None:
            raise NotSupported("a division of values without bounds")
        width = max(self.width(top, division), self.width(bottom, division)) + 1
        a, b = self.low(top, width, division), self.low(bottom, width, division)
        if above[0] >= 0 and below[0] >= 0:
            return z3.UDiv(a, b) if op == "//" else z3.URem(a, b)
        if below[0] == below[1] > 0 and below[0] & (below[0] - 1) == 0 and rounding != "trunc":
            return a >> (below[0].bit_length() - 1) if op == "//" else a & (b - 1)
        quotient, rest = a / b, z3.SRem(a, b)
        up = z3.BitVecVal(1, width, self.context)
        if rounding == "floor":
            odd = z3.And(rest != 0, (rest < 0) != (b < 0))
            return z3.If(odd, quotient - up, quotient) if op == "//" else z3.If(odd, rest + b, rest)
        if rounding == "euclid":
            away = z3.If(b < 0, -up, up)
            return z3.If(rest < 0, quotient - away, quotient) if op == "//" else z3.If(rest < 0, rest + b * away, rest)
        return quotient if op == "//" else rest


Ranges = Sequence[Interval]


def _product(parts: Ranges) -> Interval:
    low, high = parts[0]
    for lo, hi in parts[1:]:
        corners = [a * b for a in (low, high) for b in (lo, hi)]
        low, high = min(corners), max(corners)
    return low, high


def _hull(parts: Ranges) -> Interval:
    return min(lo for lo, _ in parts), max(hi for _, hi in parts)


def _all_bits(parts: Ranges) -> Interval:
    """Whatever numbers of so many bits come to."""
    most = max((x if x >= 0 else ~x).bit_length() for p in parts for x in p)
    return (0 if min(lo for lo, _ in parts) >= 0 else -(1 << most)), (1 << most) - 1


def _absolute(parts: Ranges) -> Interval:
    ((lo, hi),) = parts
    return (lo if lo > 0 else -hi if hi < 0 else 0), max(abs(lo), abs(hi))


def _left(parts: Ranges) -> Interval | None:
    (low, high), (least, most) = parts
    if most > _WIDEST:
        return None
    return _product([(low, high), (1 << max(0, least), 1 << max(0, most))])


def _symmetric(interval: Interval) -> Interval:
    most = max(map(abs, interval))
    return -most, most


def _quotient(parts: Ranges) -> Interval:
    top, bottom = parts
    return (0, top[1]) if top[0] >= 0 and bottom[0] >= 0 else _symmetric(top)


_RANGES: dict[str, Callable[[Ranges], Interval | None]] = {
    "+": lambda p: (sum(lo for lo, _ in p), sum(hi for _, hi in p)),
    "-": lambda p: (p[0][0] - p[1][1], p[0][1] - p[1][0]),
    "neg": lambda p: (-p[0][1], -p[0][0]),
    "~": lambda p: (~p[0][1], ~p[0][0]),
    "*": _product,
    "&": _all_bits,
    "|": _all_bits,
    "^": _all_bits,
    "<<": _left,
    ">>": lambda p: (min(p[0][0], 0), max(p[0][1], 0)),
    "//": _quotient,
    "ceildiv": lambda p: _symmetric(p[0]),
    "min": lambda p: (min(lo for lo, _ in p), min(hi for _, hi in p)),
    "max": lambda p: (max(lo for lo, _ in p), max(hi for _, hi in p)),
    "abs": _absolute,
    "if": _hull,
}


def _mask(parts: Sequence[Interval | None], _: str) -> Interval | None:
    """Of x & y, where one of the two is not negative."""
    above = [p[1] for p in parts if p is not None and p[0] >= 0]
    if above:
        return 0, min(above)
    known = [p for p in parts if p is not None]
    return _all_bits(known) if len(known) == len(parts) else None


def _remainder(parts: Sequence[Interval | None], division: str) -> Interval | None:
    top, bottom = parts
    if bottom is None:
        return None
    most = max(map(abs, bottom)) - 1
    positive = division == "euclid" or (division == "floor" and bottom[0] >= 0)
    positive = positive or (division == "trunc" and top is not None and top[0] >= 0)
    return (0, max(most, 0)) if positive else (-max(most, 0), max(most, 0))


_BY_ONE: dict[str, Callable[[Sequence[Interval | None], str], Interval | None]] = {"&": _mask, "%": _remainder}
