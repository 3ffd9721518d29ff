"""Decides formulas over bounded integers as bit-vectors in Z3, through `z3_door`.

The last tier of `solve`. Swizzles and large tables of layouts call `some_point` and `least` directly, since their
claims are about numbers below a bound.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from symview.errors import InternalError, NotSupported, Undecided
from symview.logic import z3_door as smt
from symview.logic.arithmetic import lowered
from symview.logic.budget import DEFAULT, Budget
from symview.logic.divisions import Formula
from symview.logic.points import Range, bounds_of, is_ranged, least_by_halving, range_of
from symview.logic.terms import CONNECTIVES, OPERATORS, Term, conjuncts, names, nonzero_divisors

Numbers = tuple[int, ...]
Number: TypeAlias = Any  # an int, or a bit-vector of Z3
_MAX_BITS = 600
_LOW = ("+", "-", "*", "neg", "~", "&", "|", "^", "<<")  # operators whose low bits depend only on low bits
_WORK_PER_NODE = 100  # work per node


class Bits:
    """Arithmetic that works on Python integers and on Z3 bit-vectors of one width.

    The caller chooses a width in which nothing overflows.
    """

    def __init__(self, session: smt.Session | None = None, width: int = 0) -> None:
        self.z3 = None if session is None else session.z3
        self.context = None if session is None else session.context
        self.width = width

    def number(self, x: int) -> Number:
        """The number as a bit-vector."""
        return x if self.z3 is None else self.z3.BitVecVal(x, self.width, self.context)

    def divide(self, x: Number, by: int) -> Number:
        """floor(x/by) for nonnegative x."""
        return x // by if self.z3 is None else self.z3.UDiv(x, self.number(by))

    def remainder(self, x: Number, by: int) -> Number:
        """The remainder of x by that number, for nonnegative x."""
        return x % by if self.z3 is None else self.z3.URem(x, self.number(by))

    def shifted(self, x: Number, by: int) -> Number:
        """The bits of x, shifted right by that many places, or left if negative."""
        if by <= 0:
            return x << -by
        return x >> by if self.z3 is None else self.z3.LShR(x, by)


def some_point(
    sizes: Sequence[int], width: int, claim: Callable[[Bits, Sequence[Number]], Any], budget: Budget = DEFAULT
) -> Numbers | None:
    """Numbers x_j with 0 <= x_j < sizes_j that satisfy the claim, or None.

    The claim is replayed in plain integers. Raises Undecided when the budget ends.

    >>> some_point((8,), 8, lambda bits, x: x[0] ^ bits.shifted(x[0], 1) == 6)
    (4,)
    """
    session = smt.session_of(budget)
    z3, bits = session.z3, Bits(session, width)
    names = [z3.BitVec(f"x{j}", width, session.context) for j in range(len(sizes))]
    solver = z3.SimpleSolver(ctx=session.context)
    solver.add([z3.ULT(x, bits.number(size)) for x, size in zip(names, sizes, strict=True)])
    solver.add(claim(bits, names))
    answer = session.check(solver, budget)
    if isinstance(answer, str):
        raise Undecided(f"on bits, {answer}")
    if answer == z3.unsat:
        return None
    model = solver.model()
    found = tuple([model.eval(x, model_completion=True).as_long() for x in names])
    if not claim(Bits(), found):
        raise InternalError(f"a model of Z3 does not replay: {found}")
    return found


def least(size: int, width: int, claim: Callable[[Bits, Number], Any], budget: Budget = DEFAULT) -> int | None:
    """The least x below the size that satisfies the claim, or None.

    >>> least(100, 8, lambda bits, x: bits.remainder(x, 7) == 5)
    5
    """

    def below(bound: int) -> int | None:
        found = some_point((bound,), width, lambda bits, x: claim(bits, x[0]), budget)
        return None if found is None else found[0]

    known = below(size)
    return None if known is None else least_by_halving(known, int, lambda most: below(most + 1))


def check(formulas: Sequence[Formula], budget: Budget = DEFAULT) -> smt.Answer:
    """Whether integers satisfy all formulas, which have to bound every name by constants; Open if they do not.

    >>> from symview.logic.notation import parse_statement
    >>> check([Formula(parse_statement("x & y == 12 and x ^ y == 3 and 0 <= x < 14 and 0 <= y < 99"), "floor")])
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
    budget.count(_WORK_PER_NODE * len(reader.known))
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
    """Terms as bit-vectors in two's complement: `exact` has room for all their values, `low` has a given width."""

    def __init__(self, session: smt.Session, bounds: Mapping[str, Range]) -> None:
        self.z3, self.context, self.bounds = session.z3, session.context, bounds
        self.variables: dict[str, smt.BitVector] = {}
        self.within: list[smt.Claim] = []
        self.known: dict[object, smt.BitVector] = {}
        self.ranges: dict[object, Range] = {}

    def formula(self, term: Term, division: str) -> smt.Claim:
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
        low, high = self.range(term, division)
        if low is None or high is None:
            raise NotSupported(
                "the values have no bound that bit-vectors need: bound every name by numbers, or give bits"
            )
        width = max((x if x >= 0 else ~x).bit_length() for x in (low, high)) + 1
        if width > _MAX_BITS:
            raise NotSupported(f"the values need more than {_MAX_BITS} bits")
        return width

    def range(self, term: Term, division: str) -> Range:
        """Bounds of the term's values; None where there is no bound."""
        if (term, division) not in self.ranges:
            self.ranges[term, division] = self._range(term, division)
        return self.ranges[term, division]

    def _range(self, term: Term, division: str) -> Range:
        op, args = term
        if op == "int":
            return args[0], args[0]
        if op == "sym":
            return self.bounds[args[0]]
        if op == "wrap":
            return args[1].args[0], args[1].args[0] + args[2].args[0] - 1
        if not is_ranged(op):
            raise NotSupported(f"`{op}` of symbols is not supported on bits")
        parts = [self.range(a, division) for a in (args[1:] if op == "if" else args)]
        if op in ("//", "%", "ceildiv") and parts[1][0] == 0 != parts[1][1]:
            parts[1] = 1, parts[1][1]  # a divisor is never 0
        return range_of(op, parts, division)

    # Bits

    def exact(self, term: Term, division: str) -> smt.BitVector:
        width = self.width(term, division)
        key = (term, division, "exact")
        if key not in self.known:
            self.known[key] = self._exact(term, division, width)
        return self.known[key]

    def low(self, term: Term, width: int, division: str) -> smt.BitVector:
        key = (term, division, width)
        if key not in self.known:
            self.known[key] = self._low(term, width, division)
        return self.known[key]

    def _low(self, term: Term, width: int, division: str) -> smt.BitVector:
        op, args = term
        if op == "int":
            return self.z3.BitVecVal(args[0], width, self.context)
        if op == "wrap" and width <= args[2].args[0].bit_length() - 1:
            return self.low(args[0], width, division)
        if op == "<<":
            return self._shifted(args[0], args[1], width, division)
        if op in _LOW:
            return OPERATORS[op].run([self.low(a, width, division) for a in args])
        if op == "**" and (product := lowered(term)).op != "**":
            return self.low(product, width, division)
        return self.resized(self.exact(term, division), width)

    def resized(self, value: smt.BitVector, width: int) -> smt.BitVector:
        """Changes the width of signed bits: repeats the sign, or keeps the low bits."""
        more = width - value.size()
        return self.z3.SignExt(more, value) if more > 0 else self.z3.Extract(width - 1, 0, value) if more else value

    def _shifted(self, value: Term, by: Term, width: int, division: str) -> smt.BitVector:
        count, bits = self.exact(by, division), self.low(value, width, division)
        if count.size() <= width:
            return bits << self.resized(count, width)
        return self.z3.If(count >= width, bits ^ bits, bits << self.resized(count, width))

    def _exact(self, term: Term, division: str, width: int) -> smt.BitVector:
        """The term with enough bits for all its values."""
        z3, (op, args) = self.z3, term
        match op:
            case "sym":
                return self._variable(args[0], width)
            case "wrap":
                size = args[2].args[0].bit_length() - 1
                bits = self.low(args[0], size, division)
                if args[1].args[0] == 0:
                    return z3.ZeroExt(1, bits)
                return bits if size == width else self.resized(bits, width)
            case "if":
                where = self.formula(args[0], division)
                return z3.If(where, *(self.low(a, width, division) for a in args[1:]))
            case "min" | "max":
                both = max(self.width(a, division) for a in args)  # the other operand may be wider
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

    def _variable(self, name: str, width: int) -> smt.BitVector:
        if name not in self.variables:
            self.variables[name] = x = self.z3.BitVec(name, width, self.context)
            low, high = self.bounds[name]
            self.within += [x >= low, x <= high]
        return self.variables[name]

    def _divided(self, op: str, top: Term, bottom: Term, division: str, rounding: str) -> smt.BitVector:
        """Quotient or remainder with this rounding; `division` is the rounding of // and % inside the operands."""
        z3 = self.z3
        width = max(self.width(top, division), self.width(bottom, division)) + 1
        a, b = self.low(top, width, division), self.low(bottom, width, division)
        (least, _), (low, high) = self.range(top, division), self.range(bottom, division)
        if least is not None and low is not None and min(least, low) >= 0:
            return z3.UDiv(a, b) if op == "//" else z3.URem(a, b)
        if low is not None and low == high and low > 0 and low & (low - 1) == 0 and rounding != "trunc":
            return a >> (low.bit_length() - 1) if op == "//" else a & (b - 1)
        quotient, rest = a / b, z3.SRem(a, b)
        up = z3.BitVecVal(1, width, self.context)
        if rounding == "floor":
            odd = z3.And(rest != 0, (rest < 0) != (b < 0))
            return z3.If(odd, quotient - up, quotient) if op == "//" else z3.If(odd, rest + b, rest)
        if rounding == "euclid":
            away = z3.If(b < 0, -up, up)
            return z3.If(rest < 0, quotient - away, quotient) if op == "//" else z3.If(rest < 0, rest + b * away, rest)
        return quotient if op == "//" else rest
