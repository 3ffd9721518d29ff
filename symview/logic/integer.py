"""Integers that may depend on names, with the operators of int: `Integer` is an int or an `Int`.

An `Int` is a polynomial over names and nodes. A node is an operation that is not a polynomial, such as n//4. Sums and
products are expanded and divisions are simplified, so that equal polynomials are equal objects however they were built.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, reduce
from math import gcd
from numbers import Integral
from operator import add, mul
from typing import Any, TypeAlias

from symview.errors import NotSupported, SymbolError
from symview.logic.arithmetic import in_arithmetic
from symview.logic.notation import term_text
from symview.logic.polynomial import (
    ONE,
    Atom,
    Monomial,
    Poly,
    atom_term,
    common_factor,
    minus,
    negative,
    over,
    plus,
    quotient,
    times,
)
from symview.logic.terms import Term, conj, disj, floor_sum, num, sym, total, value_of

Integer: TypeAlias = "int | Any"  # an int or an Int; what has no names is an int, which types do not tell

_MAX_POWER = 64
_WAY_OUT = "substitute numbers, or ask for its conditions"


class Name(Atom):
    """A name with the assumptions of a sympy symbol: n and n > 0 are two atoms, as in sympy."""

    symbol: Any
    text: str

    def __new__(cls, key: str, symbol: Any) -> Name:
        """The key tells assumptions apart."""
        made = super().__new__(cls, key)
        made.symbol, made.text, made.term = symbol, symbol.name, sym(symbol.name)
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Name, (str(self), self.symbol)


class Node(Atom):
    """An operation that is not a polynomial, as an atom of polynomials."""

    op: str
    args: tuple[Integer, ...]

    def __new__(cls, op: str, args: tuple[Integer, ...]) -> Node:
        """Equal operations have equal keys."""
        made = super().__new__(cls, f"⟨{op} {' '.join(map(_key, args))}⟩")
        made.op, made.args = op, args
        made.term = Term(op, tuple(map(term_of, args)))
        return made

    def __reduce__(self) -> tuple[Any, ...]:
        return Node, (self.op, self.args)


def _key(x: Integer) -> str:
    """A text that two integers share iff they are equal."""
    if isinstance(x, int):
        return str(x)
    return "(" + "+".join([f"{c}*{'*'.join(m)}" for m, c in sorted(x.form.items())]) + ")"


class Claim:
    """A comparison of integers that depends on names; it has no truth value by itself."""

    __slots__ = ("term",)

    def __init__(self, term: Term) -> None:
        self.term = term

    def __bool__(self) -> bool:
        raise SymbolError(f"whether {self} holds depends on its names: {_WAY_OUT}")

    def __or__(self, other: Any) -> Any:
        return self._joined("or", other)

    def __and__(self, other: Any) -> Any:
        return self._joined("and", other)

    __ror__, __rand__ = __or__, __and__

    def _joined(self, op: str, other: Any) -> Any:
        if isinstance(other, bool):
            return other if other is (op == "or") else self
        if not isinstance(other, Claim):
            return NotImplemented
        parts = [part for t in (self.term, other.term) for part in (t.args if t.op == op else (t,))]
        return self._of((disj if op == "or" else conj)(parts))

    def _of(self, term: Term) -> Claim:
        return Claim(term)

    def _sympy_(self) -> Any:
        from symview.logic.sympy_expressions import to_sympy  # where sympy is asked for

        return to_sympy(self.term)

    def __repr__(self) -> str:
        return term_text(self.term)


class Int:
    """An integer that depends on names. Immutable; `==` compares polynomials and is never a claim.

    >>> n, m = name("n"), name("m")
    >>> (n + 1) * n == n * n + n, 4 * (n // 4) + n % 4, -(-n // 4), n < m
    (True, n % 4 + 4*(n//4), -(-n//4), n < m)
    """

    __slots__ = ("_hash", "_term", "_variables", "form")
    form: Poly

    def __init__(self, form: Poly) -> None:
        self.form = form

    def _made(self, form: Poly) -> Any:
        """An integer of the same kind."""
        return integer(form)

    def __add__(self, x: Any) -> Any:
        form = form_of(x)
        return NotImplemented if form is None else self._made(plus(self.form, form))

    __radd__ = __add__

    def __sub__(self, x: Any) -> Any:
        form = form_of(x)
        return NotImplemented if form is None else self._made(minus(self.form, form))

    def __rsub__(self, x: Any) -> Any:
        form = form_of(x)
        return NotImplemented if form is None else self._made(minus(form, self.form))

    def __mul__(self, x: Any) -> Any:
        form = form_of(x)
        return NotImplemented if form is None else self._made(times(self.form, form))

    __rmul__ = __mul__

    def __pow__(self, x: Any) -> Any:
        power = form_of(x)
        power = None if power is None else integer(power)
        if not isinstance(power, int) or not 0 <= power <= _MAX_POWER:
            return NotImplemented
        return reduce(mul, [self] * power, 1)

    def __neg__(self) -> Any:
        return self._made(negative(self.form))

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return _absolute(self)

    def __divmod__(self, x: Any) -> Any:
        form = form_of(x)
        return NotImplemented if form is None else divmod_of(self, integer(form))

    def __rdivmod__(self, x: Any) -> Any:
        form = form_of(x)
        return NotImplemented if form is None else divmod_of(integer(form), self)

    def __floordiv__(self, x: Any) -> Any:
        found = self.__divmod__(x)
        return found if found is NotImplemented else found[0]

    def __rfloordiv__(self, x: Any) -> Any:
        found = self.__rdivmod__(x)
        return found if found is NotImplemented else found[0]

    def __mod__(self, x: Any) -> Any:
        found = self.__divmod__(x)
        return found if found is NotImplemented else found[1]

    def __rmod__(self, x: Any) -> Any:
        found = self.__rdivmod__(x)
        return found if found is NotImplemented else found[1]

    def __eq__(self, x: object) -> Any:
        if isinstance(x, Int):
            return self.form == x.form
        return False if isinstance(x, Integral) else NotImplemented

    def __hash__(self) -> int:
        try:
            return self._hash  # type: ignore[no-any-return,has-type]
        except AttributeError:
            self._hash = hash(frozenset(self.form.items()))
            return self._hash

    def __lt__(self, x: Any) -> Any:
        return self._compared("<", x)

    def __le__(self, x: Any) -> Any:
        return self._compared("<=", x)

    def __gt__(self, x: Any) -> Any:
        return self._compared(">", x)

    def __ge__(self, x: Any) -> Any:
        return self._compared(">=", x)

    def _compared(self, op: str, x: Any) -> Any:
        form = form_of(x)
        if form is None:
            return NotImplemented
        gap = integer(minus(self.form, form))
        if isinstance(gap, int):
            return value_of(Term(op, (num(gap), num(0))), {})
        return Claim(Term(op, (self.term(), term_of(integer(form)))))

    def __bool__(self) -> bool:
        raise SymbolError(f"whether {self} is 0 depends on its names: {_WAY_OUT}")

    def __index__(self) -> int:
        raise TypeError(f"{self} depends on its names, and a number is needed: {_WAY_OUT}")

    def __reduce__(self) -> tuple[Any, ...]:
        return Int, (self.form,)

    def __copy__(self) -> Int:
        return self

    def __deepcopy__(self, memo: Any) -> Int:
        return self

    def __repr__(self) -> str:
        return term_text(self.term())

    def _latex(self, printer: Any) -> str:
        return printer._print(self._sympy_())  # type: ignore[no-any-return]

    def variables(self) -> tuple[Int, ...]:
        """The names, sorted, each as an integer; those with other assumptions are others."""
        try:
            return self._variables  # type: ignore[no-any-return,has-type]
        except AttributeError:
            found = {Int({(atom,): 1}) for atom in self._leaves()}
            self._variables = tuple(sorted(found, key=lambda x: next(iter(x.form))))
            return self._variables

    def _leaves(self) -> Iterator[str]:
        for atom in {a for m in self.form for a in m}:
            if isinstance(atom, Node):
                for x in atom.args:
                    yield from () if isinstance(x, int) else x._leaves()
            else:
                yield atom

    def names(self) -> tuple[str, ...]:
        """The names, sorted."""
        return tuple(map(str, self.variables()))

    def is_name(self) -> bool:
        """Whether the integer is a name, and nothing else."""
        return len(self.form) == 1 and self.form.get(one := next(iter(self.form))) == 1 and _is_name(one)

    def term(self) -> Term:
        """The integer as a term, its monomials in a fixed order."""
        try:
            return self._term  # type: ignore[no-any-return,has-type]
        except AttributeError:
            self._term = _term(self.form)
            return self._term

    def at(self, values: Mapping[str, int]) -> int:
        """The value for these values of the names; raises ZeroDivisionError if a divisor is 0."""
        return value_of(self.term(), values)

    def put(self, values: Mapping[str, Integer]) -> Integer:
        """Substitutes for names, simultaneously."""

        def replaced(atom: str) -> Integer:
            if isinstance(atom, Node):
                return operation(atom.op, [a if isinstance(a, int) else a.put(values) for a in atom.args])
            found = values.get(text_of(atom))
            return Int({(atom,): 1}) if found is None else found

        by = {atom: replaced(atom) for atom in {a for m in self.form for a in m}}
        return _sum([reduce(mul, [by[a] for a in m], c) for m, c in self.form.items()])

    def _sympy_(self) -> Any:
        from symview.logic.sympy_expressions import to_sympy  # where sympy is asked for

        symbols = {a.text: a.symbol for x in self.variables() for m in x.form for a in m if isinstance(a, Name)}
        return to_sympy(self.term(), symbols)


def _sum(parts: Sequence[Integer]) -> Integer:
    return reduce(add, parts, 0)


def integer(form: Poly) -> Integer:
    """The integer of a polynomial: an int if it is constant."""
    if not form:
        return 0
    return form[ONE] if len(form) == 1 and ONE in form else Int(form)


def form_of(x: Any) -> Any:
    """The polynomial of an integer; None for another object."""
    if isinstance(x, Int):
        return x.form
    if type(x) is int or isinstance(x, Integral):
        return {ONE: int(x)} if x else {}
    return None


@lru_cache(4096)
def name(text: str) -> Int:
    """The integer with this name."""
    return Int({(text,): 1})


def text_of(atom: str) -> str:
    """The name of an atom in the notation."""
    return atom.text if isinstance(atom, Name) else str(atom)


def _is_name(monomial: Monomial) -> bool:
    return len(monomial) == 1 and not isinstance(monomial[0], Node)


def term_of(x: Integer) -> Term:
    """An integer as a term."""
    return num(x) if isinstance(x, int) else x.term()


# Text: sums in lexicographic order of their monomials, names before nodes, as sympy prints them


def _place(atom: str) -> tuple[int, str]:
    return (1, term_text(atom.term)) if isinstance(atom, Node) else (0, text_of(atom))


def ordered(form: Poly) -> Poly:
    """The polynomial with its monomials in the order of the text."""
    if len(form) < 2:
        return form
    places = {atom: _place(atom) for m in form for atom in m}
    order = sorted(form, key=lambda m: (*sorted([places[a] for a in m]), (2, "")))
    if len(order) == 2 and form.get(ONE, 0) > 0 and form[order[0]] < 0 and len(set(order[0])) == 1:
        order.reverse()  # 3 - n
    return {m: form[m] for m in order}


def _term(form: Poly) -> Term:
    terms = list(ordered(form).items())
    first = next((n for n, (_, c) in enumerate(terms) if c > 0), 0)
    terms.insert(0, terms.pop(first))  # n*s - k*s, not -k*s + n*s
    return total([_product(sorted(m, key=_place), c) for m, c in terms])


def _product(monomial: Sequence[str], factor: int) -> Term:
    factors = [atom_term(atom) for atom in monomial]
    if factor < 0:
        for at, atom in enumerate(monomial):
            if isinstance(atom, Node) and (up := _as_ceiling(atom)) is not None:
                factors[at], factor = up, -factor
                break
    if factor != 1 or not monomial:
        factors.insert(0, num(factor))
    return factors[0] if len(factors) == 1 else Term("*", tuple(factors))


def _as_ceiling(node: Node) -> Term | None:
    """The negative of the node -x // y, if that is one, as the ceiling of x/y."""
    form = form_of(node.args[0])
    if node.op != "//" or next((c for m, c in ordered(form).items() if m), form.get(ONE, 0)) > 0:
        return None
    top = term_of(-node.args[0])
    return Term("neg", (Term("//", (Term("neg", (top,)), term_of(node.args[1]))),))


# Operations


def of_term(term: int | Term, known: Mapping[str, Integer] = {}) -> Integer:
    """The integer of a term; `known` has the integers of some names.

    Raises SymbolError for a formula, a choice, and operations that have no form by + - * // % min max abs gcd.

    >>> from symview.logic.notation import parse_expression
    >>> of_term(parse_expression("(n + m)*(n - m) + ceildiv(n, 4)*0 + 3 // 2"))
    n*n - m*m + 1
    """
    if isinstance(term, int):
        return term
    op, args = term
    if op == "int":
        return args[0]
    if op == "sym":
        return known[args[0]] if args[0] in known else name(args[0])
    if op not in _OPERATIONS:
        try:
            lower = in_arithmetic(term, ("gcd", "floor_sum"))
        except NotSupported as error:
            raise SymbolError(f"{term_text(term)}: {error}") from None
        if lower.op not in _OPERATIONS and lower.op != "int":
            raise SymbolError(f"{term_text(term)} is not an integer expression: give one case at a time")
        return of_term(lower, known)
    values = [of_term(a, known) for a in args]
    if op in ("//", "%") and values[1] == 0:
        raise SymbolError(f"division by 0 in {term_text(term)}")
    return operation(op, values)


def operation(op: str, args: Sequence[Integer]) -> Integer:
    """The operator's value, as a node if that is not a polynomial; raises SymbolError for a divisor 0."""
    if op in ("//", "%") and args[1] == 0:
        raise SymbolError(f"division by 0 in {term_text(Term(op, tuple(map(term_of, args))))}")
    return _OPERATIONS[op](args)


def node(op: str, args: Sequence[Integer]) -> Int:
    """An operation that is not a polynomial, as an integer."""
    return Int({(Node(op, tuple(args)),): 1})


def divmod_of(a: Integer, b: Integer) -> tuple[Integer, Integer]:
    """Quotient and remainder, rounded down; raises ZeroDivisionError for b = 0.

    >>> n, m = name("n"), name("m")
    >>> divmod_of(6 * n + 4 * m + 1, 4), divmod_of(n * m + n, m + 1), divmod_of(n, -4)
    ((m + n + n//2, 2*(n % 2) + 1), (n, 0), (-n//4, -(3*n % 4)))
    """
    if isinstance(a, int) and isinstance(b, int):
        return divmod(a, b)
    return _divmod_of(a, b)


@lru_cache(4096)
def _divmod_of(a: Integer, b: Integer) -> tuple[Integer, Integer]:
    if b == 0:
        raise ZeroDivisionError(f"{a} divided by 0")
    top, bottom = form_of(a), form_of(b)
    if all(c < 0 for c in bottom.values()):
        down, left = divmod_of(-a, -b)
        return down, -left
    return _by_number(top, b) if isinstance(b, int) else _by_names(top, bottom)


def _by_number(top: Poly, b: int) -> tuple[Integer, Integer]:
    """Quotient and remainder for b > 0; coefficients are divided towards 0, so that -(-n//4) stays a ceiling."""
    whole = {m: q for m, c in top.items() if (q := c // b if c > 0 else -(-c // b))}
    x, y, _, _ = _reduced(plus(top, whole, -b), b)
    down = integer(x) if y == 1 else integer(x) // y if set(x) <= {ONE} else node("//", (integer(x), y))
    x, y, scale, left = _reduced({m: r for m, c in top.items() if (r := c % b)}, b)
    over = 0 if y == 1 else integer(x) % y if set(x) <= {ONE} else node("%", (integer(x), y))
    return integer(whole) + down, scale * over + left


def _reduced(top: Poly, b: int) -> tuple[Poly, int, int, int]:
    """Integers x, y, c and r with top = c·x + r, b = c·y and 0 <= r < c, for the largest c."""
    scale = gcd(b, *[c for m, c in top.items() if m])
    return {m: q for m, c in top.items() if (q := c // scale)}, b // scale, scale, top.get(ONE, 0) % scale


def _by_names(top: Poly, bottom: Poly) -> tuple[Integer, Integer]:
    number, low = integer(top), _declared_least(bottom)
    if isinstance(number, int) and -low <= number < low:
        return (0, number) if number >= 0 else (-1, integer(bottom) + number)
    whole = quotient(top, bottom)
    rest = minus(top, times(whole, bottom))
    if len(rest) >= len(top):
        whole, rest = {}, top
    if not rest:
        return integer(whole), 0
    number, shared = gcd(*rest.values(), *bottom.values()), common_factor((*rest, *bottom))
    x, y = (integer({over(m, shared): c // number for m, c in side.items()}) for side in (rest, bottom))  # type: ignore
    scale = integer({shared: number})
    if y == 1:
        return integer(whole) + x, 0
    if isinstance(y, int):
        return integer(whole) + x // y, scale * (x % y)
    return integer(whole) + node("//", (x, y)), scale * node("%", (x, y))


def _declared_least(form: Poly) -> int:
    """A lower bound, if all names are declared positive, and all coefficients are; else 0."""
    sure = all(c > 0 and all(isinstance(a, Name) and a.symbol.is_positive for a in m) for m, c in form.items())
    return sum(form.values()) if sure else 0


def least(*values: Integer) -> Integer:
    """The minimum."""
    return _extreme("min", values)


def greatest(*values: Integer) -> Integer:
    """The maximum."""
    return _extreme("max", values)


def _extreme(op: str, values: Sequence[Integer]) -> Integer:
    """The minimum or maximum: nests are flattened, and a value is dropped if another differs from it by a number."""
    kept: list[Integer] = []
    for value in _flat(op, values):
        for at, other in enumerate(kept):
            if isinstance(gap := value - other, int):
                kept[at] = value if (gap < 0) == (op == "min") else other
                break
        else:
            kept.append(value)
    return kept[0] if len(kept) == 1 else node(op, sorted(kept, key=_rank))


def _flat(op: str, values: Sequence[Integer]) -> list[Integer]:
    found: list[Integer] = []
    for value in values:
        found += _flat(op, inner.args) if (inner := node_in(value)) is not None and inner.op == op else [value]
    return found


def node_in(x: Integer) -> Node | None:
    """The node that the integer is, or None."""
    if isinstance(x, int) or len(x.form) > 1:
        return None
    ((monomial, factor),) = x.form.items()
    only = monomial[0] if factor == 1 and len(monomial) == 1 else None
    return only if isinstance(only, Node) else None


def _rank(x: Integer) -> tuple[int, str]:
    """The place of an operand: numbers, names, products, sums, nodes."""
    if isinstance(x, int):
        return 0, ""
    if len(x.form) > 1:
        return 3, str(x)
    monomial = next(iter(x.form))
    return (2 if len(set(monomial)) > 1 else 4 if isinstance(monomial[0], Node) else 1), str(x)


def _absolute(x: Integer) -> Integer:
    if isinstance(x, int):
        return abs(x)
    if x.form[min(m for m in x.form if m)] < 0:
        x = -x
    if (inner := node_in(x)) is not None and inner.op in ("abs", "gcd"):
        return x
    return node("abs", (x,))


def greatest_common_divisor(*values: Integer) -> Integer:
    """The greatest common divisor, at least 0."""
    number = gcd(*[v for v in values if isinstance(v, int)])
    others = sorted({v for v in values if not isinstance(v, int)}, key=_rank)
    if number == 1 or not others:
        return number
    if not number and len(others) == 1:
        return _absolute(others[0])
    return node("gcd", [*others, number] if number else others)


def _sums(values: Sequence[Integer]) -> Integer:
    return floor_sum(*values) if all(isinstance(v, int) for v in values) else node("floor_sum", values)


_OPERATIONS: dict[str, Callable[[Sequence[Integer]], Integer]] = {
    "+": _sum,
    "-": lambda v: v[0] - v[1],
    "*": lambda v: reduce(mul, v, 1),
    "neg": lambda v: -v[0],
    "//": lambda v: divmod_of(*v)[0],
    "%": lambda v: divmod_of(*v)[1],
    "min": lambda v: least(*v),
    "max": lambda v: greatest(*v),
    "abs": lambda v: _absolute(*v),
    "gcd": lambda v: greatest_common_divisor(*v),
    "floor_sum": _sums,
}
