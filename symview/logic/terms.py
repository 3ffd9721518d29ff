"""Integer terms and formulas, the common form of all statements for solvers, and the table of operators."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from math import gcd, prod
from operator import index as exact
from typing import Any, NamedTuple

from symview.errors import InputError, Undecided

_MAX_BITS = 100_000  # most bits of a power or a shifted number that is computed
ATOM = 16  # how tightly calls, names and numbers bind
RELATIONS = ("==", "!=", "<", "<=", ">", ">=")
CONNECTIVES = ("and", "or", "not", "->", "<->")
BITWISE = ("&", "|", "^")
LEAVES = ("int", "sym", "bool")  # their operands are no terms
_UNORDERED = frozenset(("+", "*", "and", "or", "min", "max", "==", "!="))
_DIVIDING, _COUNTING = ("//", "%", "ceildiv", "floor_sum"), ("<<", ">>", "**")


def as_entry(value: Any) -> Any:
    """Converts PyTorch's SymInt to a sympy expression or an int, without a query to its ShapeEnv; other values stay.

    Raises InputError for the ragged size of a nested tensor.

    >>> as_entry(3)
    3
    """
    if type(value) is int or (node := getattr(value, "node", None)) is None or not hasattr(node, "maybe_as_int"):
        return value
    if (number := node.maybe_as_int()) is not None:
        return number
    expression = getattr(node, "expr", None)
    if expression is None:
        raise InputError(f"{value} is not an integer expression: a view has no ragged sizes, as nested tensors have")
    return expression


def floor_sum(count: int, divisor: int, step: int, start: int) -> int:
    """Σ ⌊(start + i·step) / divisor⌋ over 0 <= i < count, in logarithmic time; 0 if the count is not positive.

    Law: multiples of the divisor in step and start are summed directly. After that, the quotients count the integer
    points under a line, which can be counted along the other axis as well (Euclid's algorithm). Raises InputError for
    non-integers.

    >>> floor_sum(5, 3, 2, 1), sum((1 + 2 * i) // 3 for i in range(5)), floor_sum(10**9, 10**9 + 7, 12345, -6)
    (7, 7, 6171999950618)
    """
    given = count, divisor, step, start
    try:
        count, divisor, step, start = map(exact, map(as_entry, given))
    except TypeError:
        raise InputError(f"floor_sum{given}: give four integers") from None
    if divisor < 0:
        divisor, step, start = -divisor, -step, -start
    found, sign = 0, 1
    while count > 0:
        found += sign * (step // divisor * (count * (count - 1) // 2) + start // divisor * count)
        step, start = step % divisor, start % divisor
        top = (start + count * step) // divisor  # the quotient after the last one
        if not top:
            break
        # for each value 1 … top, all indices from some point on reach it
        found += sign * (count * top)
        sign = -sign
        count, step, start, divisor = top, divisor, divisor - start - 1 + step, step
    return found


class Operator(NamedTuple):
    """`binding`: how tightly it binds in the notation; `sympy`, `smt2`: its names there; `run`: computes its value.

    `run` takes the operands; for - neg ~ & | ^ and the comparisons these may also be Z3 expressions. Division has none,
    since its value depends on the rounding. An operator without a name there is expressed by others in
    `arithmetic.lowered`.
    """

    binding: int
    sympy: str
    smt2: str
    run: Callable[[Sequence[Any]], Any]


def _no_value(_: Any) -> Any:
    raise TypeError("a quotient depends on the rounding")


def _power(v: Sequence[int]) -> int:
    base, exponent = v
    if exponent < 0:
        raise ZeroDivisionError("a negative exponent")
    if abs(base) > 1 and exponent * base.bit_length() > _MAX_BITS:
        raise Undecided(f"a power of more than {_MAX_BITS} bits")
    return int(base**exponent)


def _left(v: Sequence[int]) -> int:
    if v[0] == 0 and v[1] >= 0:
        return 0
    return v[0] * _power((2, v[1]))


def _right(v: Sequence[int]) -> int:
    if v[1] < 0:
        raise ZeroDivisionError("a negative shift")
    return v[0] >> min(v[1], v[0].bit_length())


class _Operators(dict[str, Operator]):
    def __missing__(self, op: str) -> Operator:
        raise ValueError(f"unknown operator {op!r}")


OPERATORS = _Operators(
    {
        "<->": Operator(1, "Equivalent", "=", lambda v: v[0] == v[1]),
        "->": Operator(2, "Implies", "=>", lambda v: not v[0] or bool(v[1])),
        "if": Operator(3, "", "ite", lambda v: v[1] if v[0] else v[2]),
        "or": Operator(4, "Or", "or", any),
        "and": Operator(5, "And", "and", all),
        "not": Operator(6, "Not", "not", lambda v: not v[0]),
        "==": Operator(7, "Eq", "=", lambda v: v[0] == v[1]),
        "!=": Operator(7, "Ne", "distinct", lambda v: v[0] != v[1]),
        "<": Operator(7, "Lt", "<", lambda v: v[0] < v[1]),
        "<=": Operator(7, "Le", "<=", lambda v: v[0] <= v[1]),
        ">": Operator(7, "Gt", ">", lambda v: v[0] > v[1]),
        ">=": Operator(7, "Ge", ">=", lambda v: v[0] >= v[1]),
        "|": Operator(8, "", "", lambda v: v[0] | v[1]),
        "^": Operator(9, "", "", lambda v: v[0] ^ v[1]),
        "&": Operator(10, "", "", lambda v: v[0] & v[1]),
        "<<": Operator(11, "", "", _left),
        ">>": Operator(11, "", "", _right),
        "+": Operator(12, "Add", "+", sum),
        "-": Operator(12, "", "-", lambda v: v[0] - v[1]),
        "*": Operator(13, "Mul", "*", prod),
        "//": Operator(13, "floor", "div", _no_value),
        "%": Operator(13, "Mod", "mod", _no_value),
        "neg": Operator(14, "", "-", lambda v: -v[0]),
        "~": Operator(14, "", "", lambda v: ~v[0]),
        "**": Operator(15, "", "", _power),
        "min": Operator(ATOM, "Min", "", min),
        "max": Operator(ATOM, "Max", "", max),
        "abs": Operator(ATOM, "Abs", "abs", lambda v: abs(v[0])),
        "gcd": Operator(ATOM, "", "", lambda v: gcd(*v)),
        "floor_sum": Operator(ATOM, "", "", lambda v: floor_sum(*v)),
        "ceildiv": Operator(ATOM, "", "", lambda v: -(-v[0] // v[1])),
        # wraps a value into a width: the value, the width's least integer, and 2**width
        "wrap": Operator(ATOM, "", "", lambda v: (v[0] - v[1]) % v[2] + v[1]),
    }
)
CALLS = {n: n for n in ("min", "max", "abs", "gcd", "ceildiv", "floor_sum")} | {"cdiv": "ceildiv", "where": "if"}
ARGUMENTS = {
    "min": (1, None), "max": (1, None), "abs": (1, 1), "gcd": (1, None), "ceildiv": (2, 2), "floor_sum": (4, 4),
    "if": (3, 3), "wrap": (3, 3),
}  # fmt: skip


class Term(NamedTuple):
    """A node: `op` is "int", "sym", "bool", or one of the operators above; `args` are its operands.

    >>> Term("+", (sym("a"), num(2)))
    Term(op='+', args=(Term(op='sym', args=('a',)), Term(op='int', args=(2,))))
    """

    op: str
    args: tuple  # type: ignore[type-arg]

    def is_formula(self) -> bool:
        """Whether the term is true or false rather than an integer."""
        return self.op in RELATIONS or self.op in CONNECTIVES or self.op == "bool"


IntTerm = int | Term  # an entry of a view: a number, or a term over names


def num(value: int) -> Term:
    """The integer constant `value`."""
    return Term("int", (value,))


def sym(name: str) -> Term:
    """The integer variable `name`."""
    return Term("sym", (name,))


TRUE, FALSE = Term("bool", (True,)), Term("bool", (False,))


def conj(parts: Iterable[Term]) -> Term:
    """The conjunction, without duplicates; true if empty."""
    return _joined("and", parts, TRUE)


def disj(parts: Iterable[Term]) -> Term:
    """The disjunction, without duplicates; false if empty."""
    return _joined("or", parts, FALSE)


def _joined(op: str, parts: Iterable[Term], neutral: Term) -> Term:
    found = tuple([p for p in dict.fromkeys(parts) if p != neutral])
    return neutral if not found else found[0] if len(found) == 1 else Term(op, found)


def total(parts: Iterable[Term]) -> Term:
    """The sum; 0 if empty."""
    parts = tuple(parts)
    return num(0) if not parts else parts[0] if len(parts) == 1 else Term("+", parts)


def linear(coefficients: Iterable[tuple[int, Term]], constant: int = 0) -> Term:
    """The linear form Σ c·t + constant, without zero coefficients."""
    parts = [t if c == 1 else Term("*", (num(c), t)) for c, t in coefficients if c]
    if constant or not parts:
        parts.append(num(constant))
    return total(parts)


def rewritten(term: Term, change: Callable[[Term], Term]) -> Term:
    """Applies the change to each operation, operands first; numbers and names stay."""
    return term if term.op in LEAVES else change(Term(term.op, tuple([rewritten(a, change) for a in term.args])))


_NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", "<=": ">", ">": "<="}


def between(term: Term, low: int | None, high: int | None) -> list[Term]:
    """The comparisons that keep a term between `low` and `high`."""
    if low is not None and low == high:
        return [Term("==", (term, num(low)))]
    bounds = ((">=", low), ("<=", high))
    return [Term(op, (term, num(bound))) for op, bound in bounds if bound is not None]


def length(term: Term) -> int:
    """The number of numbers and names in the term."""
    return 1 if term.op in ("int", "sym", "bool") else sum(map(length, term.args))


def negated(formula: Term) -> Term:
    """The negation; a comparison becomes the opposite comparison.

    >>> from symview.logic.notation import parse_statement
    >>> from symview.logic.sympy_bridge import to_text
    >>> to_text(negated(parse_statement("a < 1 or b == 2")))
    'a >= 1 and b != 2'
    """
    op, args = formula
    if op in _NEGATED:
        return Term(_NEGATED[op], args)
    if op == "bool":
        return Term("bool", (not args[0],))
    if op == "not":
        return args[0]  # type: ignore[no-any-return]
    if op in ("and", "or"):
        return (disj if op == "and" else conj)(negated(a) for a in args)
    return Term("not", (formula,))


def substituted(term: Term, by: Mapping[str, Term]) -> Term:
    """Substitutes for variables, simultaneously.

    >>> substituted(Term("+", (sym("a"), sym("b"))), {"a": sym("b"), "b": num(1)})
    Term(op='+', args=(Term(op='sym', args=('b',)), Term(op='int', args=(1,))))
    """
    if term.op == "sym":
        return by.get(term.args[0], term)
    if term.op in ("int", "bool"):
        return term
    return Term(term.op, tuple([substituted(a, by) for a in term.args]))


def replaced(term: Term, part: Term, by: Term) -> Term:
    """Replaces one part of the term everywhere.

    >>> replaced(Term("+", (sym("a"), sym("b"))), sym("b"), num(1)).args[1]
    Term(op='int', args=(1,))
    """
    if term == part:
        return by
    return term if term.op in LEAVES else Term(term.op, tuple([replaced(a, part, by) for a in term.args]))


def renamed(term: Term, by: Mapping[str, Term]) -> Term:
    """Substitutes for all variables, and sorts the operands of commutative operators.

    So terms become equal that differ only by names, and by sympy's order of these.

    >>> x, y = sym("x"), sym("y")
    >>> renamed(Term("*", (sym("b"), sym("a"))), {"a": x, "b": y}) == Term("*", (x, y))
    True
    """
    op, args = term
    if op == "sym":
        return by[args[0]]
    if op in ("int", "bool"):
        return term
    parts = [renamed(a, by) for a in args]
    return Term(op, tuple(sorted(parts) if op in _UNORDERED else parts))


def conjuncts(formula: Term) -> Iterator[Term]:
    """The parts of a conjunction, at every depth."""
    if formula.op == "and":
        for part in formula.args:
            yield from conjuncts(part)
    else:
        yield formula


def comparisons(formula: Term) -> Iterator[Term]:
    """The comparisons in the formula."""
    left = [formula]
    while left:
        node = left.pop()
        if node.op in RELATIONS:
            yield node
        elif node.op not in LEAVES:
            left += node.args[::-1]


def with_comparisons(formula: Term, changed: Callable[[Term], Term]) -> Term:
    """Applies a change to each comparison of the formula."""
    if formula.op in CONNECTIVES:
        return Term(formula.op, tuple([with_comparisons(a, changed) for a in formula.args]))
    return formula if formula.op == "bool" else changed(formula)


def names(*terms: Term) -> tuple[str, ...]:
    """The variables of the terms, in order of first appearance."""
    if len(terms) == 1:
        return _names(terms[0])
    return tuple(dict.fromkeys(chain.from_iterable(map(_names, terms))))


@lru_cache(1 << 14)
def _names(term: Term) -> tuple[str, ...]:
    return tuple(dict.fromkeys(node.args[0] for node in walk(term) if node.op == "sym"))


def untied(formulas: Iterable[Term], known: Iterable[str]) -> list[Term]:
    """The formulas with names that no chain of formulas with common names ties to the known names.

    >>> n, k, b = map(sym, "nkb")
    >>> untied([Term(">=", (k, b)), Term("==", (n, k)), Term(">", (sym("c"), num(0)))], ["n"])
    [Term(op='>', args=(Term(op='sym', args=('c',)), Term(op='int', args=(0,))))]
    """
    reached, left = set(known), [f for f in formulas if names(f)]
    while tied := [f for f in left if reached.intersection(names(f))]:
        reached.update(names(*tied))
        left = [f for f in left if f not in tied]
    return left


def fresh(name: str, taken: Container[str], mark: str = "'") -> str:
    """The name, followed by as many marks as needed to make it unused."""
    while name in taken:
        name += mark
    return name


def walk(term: Term) -> Iterator[Term]:
    """Every node, parents before children."""
    left = [term]
    while left:
        node = left.pop()
        yield node
        if node.op not in LEAVES:
            left += node.args[::-1]


def factors_in_order(term: Term, names: Sequence[str]) -> Term:
    """The term with the names in each product in this order, after numbers and before other factors.

    >>> from symview.logic.notation import parse_expression, term_text
    >>> term_text(factors_in_order(parse_expression("D*2*(D*H % 7)*H + 1"), ("H", "D")))
    '2*H*D*(H*D % 7) + 1'
    """
    if term.op in LEAVES:
        return term

    def place(factor: Term) -> int:
        if factor.op != "sym":
            return -1 if factor.op == "int" else len(names)
        return names.index(factor.args[0]) if factor.args[0] in names else len(names)

    args = [factors_in_order(a, names) for a in term.args]
    return Term(term.op, tuple(sorted(args, key=place) if term.op == "*" else args))


def node_count(*terms: Term) -> int:
    """The number of nodes of the terms.

    >>> node_count(Term("+", (sym("a"), num(2))))
    3
    """
    return sum(1 for term in terms for _ in walk(term))


def divisors(term: Term) -> Iterator[Term]:
    """The divisors in the term, outer ones first."""
    return (node.args[1] for node in walk(term) if node.op in _DIVIDING)


def nonzero_divisors(formulas: Iterable[Term]) -> list[Term]:
    """The facts that no divisor is 0, and no shift or exponent negative; omits constants.

    Inner ones come first, also those that are divisors of another formula: one needs those before it to have a value.

    >>> nonzero_divisors([Term("==", (Term("//", (sym("a"), sym("b"))), num(1)))])
    [Term(op='!=', args=(Term(op='sym', args=('b',)), Term(op='int', args=(0,))))]
    """
    nodes = [node for f in formulas for node in walk(f)]
    needed = dict.fromkeys(
        Term("!=" if node.op in _DIVIDING else ">=", (node.args[1], num(0)))
        for node in reversed(nodes)
        if node.op in _DIVIDING or node.op in _COUNTING
    )
    return [t for t in needed if t.args[0].op != "int" or not value_of(t, {})]


def with_nonzero_divisors(term: Term, empty: Container[str]) -> Term:
    """Prepares a term for sympy, which has no evaluation order: divisors with a name of `empty` become at least 1.

    Use this where the quotient does not matter if such a name is 0.

    >>> quotient = with_nonzero_divisors(Term("//", (sym("n"), sym("m"))), "m")
    >>> quotient.args[1].op
    'max'
    """

    def guarded(part: Term) -> Term:
        op, args = part
        divides = op in ("//", "%") and any(n in empty for n in names(args[1]))
        return Term(op, (args[0], Term("max", (num(1), args[1])))) if divides else part

    return rewritten(term, guarded)


def with_tests_of_divisors(term: Term, nonzero: Container[Term]) -> Term:
    """Prepares a term for sympy, which has no evaluation order: divisors |d| that are 0 become 1.

    A test whether d divides x uses |d|, unless d is known to be nonzero.

    >>> test = Term("!=", (Term("%", (sym("x"), sym("d"))), num(0)))
    >>> with_tests_of_divisors(test, ()).args[0].args[1].op
    'max'
    """
    if term.op in LEAVES:
        return term
    if term.op in ("==", "!=") and term.args[0].op == "%" and term.args[1] == num(0):
        x, d = term.args[0].args
        if d.op != "int" and Term("!=", (d, num(0))) not in nonzero:
            return Term(term.op, (Term("%", (x, Term("max", (num(1), Term("abs", (d,)))))), num(0)))
    args = tuple([with_tests_of_divisors(a, nonzero) for a in term.args])
    if term.op in ("//", "%") and _is_absolute(args[1]):
        args = args[0], Term("max", (num(1), args[1]))
    return Term(term.op, args)


def _is_absolute(term: Term) -> bool:
    """Whether the term is an absolute value, or a positive multiple of one."""
    if term.op == "*":
        number, value = term.args[0], term.args[-1]
        return len(term.args) == 2 and number.op == "int" and number.args[0] > 0 and _is_absolute(value)
    return term.op == "abs"


def without_tests_of_divisors(term: Term) -> Term:
    """The inverse: a division by |d|, or by 1 if d is 0, becomes two cases; a test by |d| becomes one by d."""
    if term.op in CONNECTIVES:
        return Term(term.op, tuple(map(without_tests_of_divisors, term.args)))
    if term.op in ("==", "!=") and term.args[0].op == "%" and term.args[1] == num(0):
        x, divisor = term.args[0].args
        d = next((a.args[0] for a in divisor.args if a.op == "abs"), None) if divisor.op == "max" else None
        if d is not None and set(divisor.args) == {num(1), Term("abs", (d,))}:
            parts = Term(term.op, (d, num(0))), Term(term.op, (Term("%", (x, d)), num(0)))
            return disj(parts) if term.op == "==" else conj(parts)
    for divisor in divisors(term):
        if divisor.op == "max" and len(divisor.args) == 2 and num(1) in divisor.args:
            away = next((a for a in divisor.args if _is_absolute(a)), None)
            if away is not None:
                at_zero, elsewhere = (without_tests_of_divisors(replaced(term, divisor, d)) for d in (num(1), away))
                zero = Term("==", (away, num(0)))
                return disj([conj([zero, at_zero]), conj([negated(zero), elsewhere])])
    return term


def value_of(term: Term, values: Mapping[str, int], division: str = "floor") -> int | bool:
    """The term's value in plain Python integers; division rounds as `division` says.

    Raises ZeroDivisionError if any divisor is 0, or any shift or exponent negative: a formula has a value only where
    all its parts do, independent of their order.

    >>> seven = Term("//", (num(-7), num(2)))
    >>> [value_of(seven, {}, d) for d in ("floor", "trunc", "euclid")]
    [-4, -3, -4]
    """
    op, args = term
    if op in ("int", "bool"):
        return args[0]  # type: ignore[no-any-return]
    if op == "sym":
        return values[args[0]]
    operands = [value_of(a, values, division) for a in args]
    if op in ("//", "%"):
        return divide(operands[0], operands[1], division)[op == "%"]
    return OPERATORS[op].run(operands)  # type: ignore[no-any-return]


def divide(a: int, b: int, division: str) -> tuple[int, int]:
    """Quotient and remainder, a = q·b + r, with the given rounding.

    floor: r has the divisor's sign (Python, sympy); trunc: r has the dividend's sign (C); euclid: 0 <= r < |b|
    (SMT-LIB).

    >>> [divide(-7, -2, d) for d in ("floor", "trunc", "euclid")]
    [(3, -1), (3, -1), (4, 1)]
    """
    q, r = divmod(a, b)
    if division == "trunc" and r and (a < 0) != (b < 0):
        return q + 1, r - b
    if division == "euclid" and r < 0:
        return q + 1, r - b
    return q, r
