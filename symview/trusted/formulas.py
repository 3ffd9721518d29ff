"""Expressions and formulas as trees: their values in plain integers, and their linear parts."""

from __future__ import annotations

import operator as of
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from math import gcd, prod
from typing import Any, TypeAlias

Tree: TypeAlias = Any  # an int, a bool, a name, or a tuple of an operator and its operands
Values = Mapping[str, int]
Trees: TypeAlias = Mapping[str, Tree]  # by name
Ranges: TypeAlias = Mapping[str, tuple[Tree, Tree]]  # of names: from the first bound to before the second
MANY, LONGEST, WIDEST = (
    10_000,
    4096,
    14_000,
)  # operands; bits of a power or a shift, and of a product: 4,300 digits are what Python prints
_SUMMED, _WEIGHT = 1024, 100  # bits of the operands of floor_sum, and how many nodes it counts for


class Unsupported(ArithmeticError):
    """The checker does not compute this, or does not translate it for solvers."""


def _small(bits: int, by: int = 1) -> int:
    if bits < 0 or bits * by > LONGEST:
        raise Unsupported("a number of too many bits")
    return bits


def product_of(*factors: int) -> int:
    """The product; raises an error if it is too long."""
    if sum([f.bit_length() for f in factors]) > WIDEST:
        raise Unsupported("a product of too many bits")
    return prod(factors)


def floor_sum(count: int, divisor: int, step: int, start: int) -> int:
    """Σ ⌊(start + i·step) / divisor⌋ over 0 <= i < count, as the lattice points under a line.

    Multiples of the divisor in step and start are summed at once, then the axes are swapped.

    >>> floor_sum(5, 3, 2, 1) == sum((1 + 2 * i) // 3 for i in range(5))
    True
    """
    if sum([x.bit_length() for x in (count, divisor, step, start)]) > _SUMMED:
        raise Unsupported("a sum of numbers of too many bits")
    if divisor < 0:
        divisor, step, start = -divisor, -step, -start
    found, sign = 0, 1
    while count > 0:
        found += sign * (step // divisor * (count * (count - 1) // 2) + start // divisor * count)
        step, start = step % divisor, start % divisor
        top = (start + count * step) // divisor
        found, sign = found + sign * count * top, -sign
        count, step, start, divisor = top, divisor, divisor - start - 1 + step, step
    return found


def _divided(rounding: str, part: int) -> Callable[[int, int], int]:
    """The quotient, or the remainder: of the sign of the divisor, of the dividend (trunc), or nonnegative (euclid)."""

    def run(a: int, b: int) -> int:
        q, r = divmod(a, b)
        up = (rounding == "trunc" and r != 0 and (a < 0) != (b < 0)) or (rounding == "euclid" and r < 0)
        return (q + up, r - b * up)[part]

    return run


RELATIONS = {"==": of.eq, "!=": of.ne, "<": of.lt, "<=": of.le, ">": of.gt, ">=": of.ge}
FORMULAS: dict[str, tuple[int, int, Callable[..., bool]]] = {  # the least and the largest number of operands, the value
    "and": (1, MANY, lambda *v: all(v)), "or": (1, MANY, lambda *v: any(v)), "not": (1, 1, of.not_),
    "->": (2, 2, lambda a, b: not a or b), "<->": (2, 2, of.eq), **{op: (2, 2, f) for op, f in RELATIONS.items()},
}  # fmt: skip
INTEGERS: dict[str, tuple[int, int, Callable[..., int]]] = {
    "+": (1, MANY, lambda *v: sum(v)), "*": (1, MANY, product_of), "min": (1, MANY, lambda *v: min(v)),
    "max": (1, MANY, lambda *v: max(v)), "gcd": (1, MANY, gcd), "-": (2, 2, of.sub), "neg": (1, 1, of.neg),
    "abs": (1, 1, abs), "~": (1, 1, of.inv), "&": (2, 2, of.and_), "|": (2, 2, of.or_), "^": (2, 2, of.xor),
    "<<": (2, 2, lambda a, b: a << _small(b)), ">>": (2, 2, lambda a, b: a >> _small(b)),
    "**": (2, 2, lambda a, b: a ** _small(b, a.bit_length())), "ceildiv": (2, 2, lambda a, b: -(-a // b)),
    "floor_sum": (4, 4, floor_sum),
    "wrap": (3, 3, lambda a, low, size: (a - low) % size + low), "if": (3, 3, lambda c, a, b: a if c else b),
    **{op + r: (2, 2, _divided(r, k)) for k, op in enumerate(("//", "%")) for r in ("", "trunc", "euclid")},
}  # fmt: skip
_OPERATORS = {**FORMULAS, **INTEGERS}
DERIVED: dict[str, Callable[..., Tree]] = {  # an equivalent in other operators, or None
    "~": lambda a: ("-", -1, a), "ceildiv": lambda a, b: ("-", 0, ("//", ("-", 0, a), b)),
    "wrap": lambda a, low, size: ("+", ("%", ("-", a, low), size), low),
    "<<": lambda a, b: ("*", a, 2**b) if b in range(65) else None,
    ">>": lambda a, b: ("//", a, 2**b) if b in range(65) else None,
    "**": lambda a, b: ("*", 1, *[a] * b) if b in range(65) else None,
    "&": lambda a, b: ("%", a, b + 1) if type(b) is int and b > 0 and b & (b + 1) == 0 else None,
}  # fmt: skip


def compiled(tree: Tree) -> Callable[[Values], int]:
    """Compiles the tree to a function of the names' values; it raises ArithmeticError where there is no value.

    Formulas are evaluated from the left, and stop as soon as the value is known.
    """
    if type(tree) is not tuple:
        return of.itemgetter(tree) if type(tree) is str else lambda at: tree
    op, parts = tree[0], [compiled(p) for p in tree[1:]]
    run, first, last = _OPERATORS[op][2], parts[0], parts[-1]
    if op in ("and", "or"):
        both = all if op == "and" else any
        return lambda at: both(f(at) for f in parts)
    if op in ("->", "if"):
        yes, no = (parts[1], last) if op == "if" else (last, lambda at: True)
        return lambda at: yes(at) if first(at) else no(at)
    return (lambda at: run(first(at), last(at))) if len(parts) == 2 else lambda at: run(*[f(at) for f in parts])


def walk(tree: Tree) -> Iterator[Tree]:
    """Yields every node."""
    yield tree
    for part in tree[1:] if type(tree) is tuple else ():
        yield from walk(part)


def names(*trees: Tree) -> dict[str, None]:
    """The names, in order of first appearance; visits shared parts once."""
    left, seen, found = [*reversed(trees)], set[int](), dict[str, None]()
    while left:
        if type(one := left.pop()) is str:
            found[one] = None
        elif type(one) is tuple and id(one) not in seen:
            seen.add(id(one))
            left += reversed(one[1:])
    return found


def weight(*trees: Tree) -> int:
    """The number of nodes of the trees when written out; visits shared parts once.

    >>> twice = ("+", "x", "x")
    >>> weight(("*", twice, twice))
    7
    """
    known = dict[int, int]()

    def of_tree(tree: Tree) -> int:
        if type(tree) is not tuple:
            return 1
        if (found := known.get(id(tree))) is None:
            own = _WEIGHT if tree[0] == "floor_sum" else 1
            found = known[id(tree)] = own + sum([of_tree(p) for p in tree[1:]])
        return found

    return sum(map(of_tree, trees))


def conjuncts(formulas: Iterable[Tree]) -> list[Tree]:
    """The formulas, and the parts of those that are conjunctions."""
    return [x for f in formulas for x in (conjuncts(f[1:]) if type(f) is tuple and f[0] == "and" else [f])]


def made(op: str, *parts: Tree) -> Tree:
    """Builds the tree, and computes it if the parts are numbers."""
    if op == "*" and 0 in parts:
        return 0
    if op == "if" and type(parts[0]) is bool:
        return parts[1] if parts[0] else parts[2]
    if op in ("+", "*"):
        parts = tuple([p for p in parts if p != (op == "*")])  # without the zeros of sums and the ones of products
        if len(parts) < 2:
            return parts[0] if parts else int(op == "*")
    try:
        return _OPERATORS[op][2](*parts) if all(type(p) in (int, bool) for p in parts) else (op, *parts)
    except ArithmeticError:
        return (op, *parts)


def put(tree: Tree, by: Trees) -> Tree:
    """Substitutes trees for names."""
    if type(tree) is tuple:
        return made(tree[0], *[put(p, by) for p in tree[1:]])
    return by.get(tree, tree) if type(tree) is str else tree


def truth(tree: Tree, at: Trees) -> bool:
    """Whether a formula holds at these values; raises ArithmeticError if it has no value, or cannot be computed."""
    found = put(tree, at)
    return found if type(found) is bool else bool(compiled(found)({}))


def unfolded(lets: Trees) -> dict[str, Tree]:
    """Substitutes definitions into one another, so that no defined name remains in an expression."""
    found: dict[str, Tree] = {}
    for n, t in lets.items():
        found[n] = put(t, found)
    return found


def degree(tree: Tree, free: Collection[str]) -> int:
    """The degree in the free names; 2 if the tree is not a polynomial in them."""
    if type(tree) is not tuple:
        return int(tree in free)
    parts = [degree(p, free) for p in tree[1:]]
    return sum(parts) if tree[0] == "*" else max(parts) if tree[0] in ("+", "-", "neg") else 2 * any(parts)


def linear(tree: Tree, free: Collection[str]) -> dict[str, Tree]:
    """The coefficients of the free names, and "" for the rest, of a tree that is linear in them."""
    zeros = dict.fromkeys(free, 0)
    rest = put(tree, zeros)
    return {n: made("-", put(tree, {**zeros, n: 1}), rest) for n in free if n in names(tree)} | {"": rest}


def defined(*trees: Tree) -> list[Tree]:
    """Formulas: no divisor is 0, and no shift or exponent is negative; the inner ones come first."""
    nodes = [n for t in trees for n in walk(t) if type(n) is tuple][::-1]
    divisors = [("!=", n[-1], 0) for n in nodes if n[0][0] in "/%" or n[0] in ("ceildiv", "wrap")]
    divisors += [("!=", n[2], 0) for n in nodes if n[0] == "floor_sum"]
    return divisors + [(">=", n[2], 0) for n in nodes if n[0] in ("<<", ">>", "**")]
