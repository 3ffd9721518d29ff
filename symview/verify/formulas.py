"""Expressions and formulas: their values in plain integers, as linear forms, and as SMT-LIB text."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from math import gcd, prod

from symview.verify.document import FORMULAS, Tree

_LONGEST = 4096  # bits of a power or a shifted number
Values = Mapping[str, int]


class Unsupported(Exception):
    """Something that the checker does not compute, or does not say to solvers."""


def names(*trees: Tree) -> dict[str, None]:
    """The names, in order of first appearance."""
    return dict.fromkeys(x for tree in trees for x in walk(tree) if type(x) is str)


def walk(tree: Tree) -> Iterator[Tree]:
    """Every node."""
    yield tree
    if type(tree) is tuple:
        for part in tree[1:]:
            yield from walk(part)


def divided(a: int, b: int, rounding: str) -> tuple[int, int]:
    """Quotient and remainder; the remainder has the sign of b, of a (trunc), or none (euclid)."""
    q, r = divmod(a, b)
    up = (rounding == "trunc" and r != 0 and (a < 0) != (b < 0)) or (rounding == "euclid" and r < 0)
    return (q + 1, r - b) if up else (q, r)


def _small(bits: int) -> int:
    if bits < 0:
        raise ZeroDivisionError
    if bits > _LONGEST:
        raise Unsupported("a number of too many bits")
    return bits


_COMPUTED = {
    "==": lambda v: v[0] == v[1], "!=": lambda v: v[0] != v[1], "<": lambda v: v[0] < v[1],
    "<=": lambda v: v[0] <= v[1], ">": lambda v: v[0] > v[1], ">=": lambda v: v[0] >= v[1],
    "+": sum, "*": prod, "-": lambda v: v[0] - v[1], "neg": lambda v: -v[0], "abs": lambda v: abs(v[0]),
    "min": min, "max": max, "gcd": lambda v: gcd(*v), "ceildiv": lambda v: -(-v[0] // v[1]),
    "&": lambda v: v[0] & v[1], "|": lambda v: v[0] | v[1], "^": lambda v: v[0] ^ v[1], "~": lambda v: ~v[0],
    "<<": lambda v: v[0] << _small(v[1]), ">>": lambda v: v[0] >> _small(v[1]),
    "**": lambda v: v[0] ** (_small(v[1]) and _small(v[1] * v[0].bit_length()) and v[1]),
    "wrap": lambda v: (v[0] - v[1]) % v[2] + v[1], "not": lambda v: not v[0],
    "<->": lambda v: v[0] == v[1],
}  # fmt: skip


def value(tree: Tree, at: Values, strict: bool = False) -> int:
    """The value in plain integers; ZeroDivisionError where there is none.

    Formulas are read from the left and no further than needed; `strict`: all parts have to have a value.
    """
    if type(tree) is str:
        return at[tree]
    if type(tree) is not tuple:
        return tree  # type: ignore[no-any-return]
    op, *args = tree
    found = [value(a, at, strict) for a in args] if strict else (value(a, at) for a in args)
    if op in ("and", "or"):
        return all(found) if op == "and" else any(found)
    if op == "->":
        return any(not v if n == 0 else v for n, v in enumerate(found))
    if op == "if":
        return value(args[1] if value(args[0], at, strict) else args[2], at, strict)
    if op[0] == "%" or op[:2] == "//":
        a, b = found
        return divided(a, b, op.lstrip("/%"))[op[0] == "%"]
    return _COMPUTED[op](list(found))  # type: ignore[no-any-return, operator]


def holds(formulas: Sequence[Tree], at: Values, strict: bool = False) -> bool:
    """Whether all of them hold."""
    return all([bool(value(f, at, strict)) for f in formulas] if strict else (value(f, at) for f in formulas))


class NotLinear(Exception):
    """A product or a quotient of names that should only be added."""


def linear(tree: Tree, free: Collection[str]) -> dict[str, Tree]:
    """The expression as Σ coefficient·name + coefficient[""]; the coefficients have none of the free names."""
    if type(tree) is str and tree in free:
        return {tree: 1}
    if not any(n in free for n in names(tree)):
        return {"": tree}
    op, *args = tree
    parts = [linear(a, free) for a in args]
    if op in ("+", "-", "neg"):
        signs = [1] * len(parts) if op == "+" else [1, -1][-len(parts) :]
        keys = dict.fromkeys(k for p in parts for k in p)
        return {
            k: ("+", *[p[k] if s == 1 else ("neg", p[k]) for s, p in zip(signs, parts, strict=True) if k in p])
            for k in keys
        }
    moving = [p for p in parts if set(p) - {""}]
    if op != "*" or len(moving) != 1:
        raise NotLinear
    factors = [p[""] for p in parts if p is not moving[0]]
    return {k: ("*", *factors, c) for k, c in moving[0].items()}


class Script:
    """One question to a solver: is there a solution? Every quotient is a name of its own with its division facts."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[str, str] = {}  # as they are, and as the script calls them
        self._fresh = 0
        self._quotients: dict[tuple[str, str, str], str] = {}

    def name(self, name: str) -> str:
        """What the script calls the name."""
        if name not in self.names:
            self.names[name] = self.fresh()
        return self.names[name]

    def fresh(self) -> str:
        """A new integer."""
        self._fresh += 1
        self.lines.append(f"(declare-const v{self._fresh} Int)")
        return f"v{self._fresh}"

    def say(self, *formulas: str) -> None:
        """Asserts text."""
        self.lines += [f"(assert {f})" for f in formulas]

    def given(self, *formulas: Tree) -> None:
        """Asserts formulas."""
        for f in formulas:
            self.say(self.text(f))

    def quotient(self, a: str, b: str, rounding: str = "") -> str:
        """A name for the quotient; where b is 0, for any number."""
        if b == "1":
            return a
        key = (a, b, rounding)
        if key not in self._quotients:
            q = self._quotients[key] = self.fresh()
            low = f"(* {b} {q})"
            up = f"(and (<= {low} {a}) (< {a} (+ {low} {b})))"
            down = f"(and (>= {low} {a}) (> {a} (+ {low} {b})))"
            if rounding:
                rest, size = f"(- {a} {low})", f"(abs {b})"
                near = f"(and (<= 0 {rest}) (< {rest} {size}))"
                below = f"(and (<= {rest} 0) (< (- {size}) {rest}))"
                self.say(f"(=> (not (= {b} 0)) {near if rounding == 'euclid' else f'(ite (>= {a} 0) {near} {below})'})")
            elif b.isdigit():
                self.say(up)
            else:
                self.say(f"(=> (> {b} 0) {up})", f"(=> (< {b} 0) {down})")
                self._steps(q, b)
        return self._quotients[key]

    def _steps(self, q: str, b: str) -> None:
        """Of two quotients by one divisor, the greater times the divisor is greater by at least the divisor."""
        others = [v for (_, d, rounding), v in self._quotients.items() if d == b and v != q and not rounding]
        for a, c in (pair for p in others[-6:] for pair in ((p, q), (q, p))):
            self.say(f"(=> (and (> {b} 0) (> {a} {c})) (>= (* {b} {a}) (+ (* {b} {c}) {b})))")

    def text(self, tree: Tree) -> str:
        """The expression or formula in SMT-LIB; raises Unsupported for bits of names."""
        if type(tree) is str:
            return self.name(tree)
        if type(tree) is bool:
            return "true" if tree else "false"
        if type(tree) is int:
            return str(tree) if tree >= 0 else f"(- {-tree})"
        op, *args = tree
        last = args[-1]
        if op in ("<<", ">>", "**") and type(last) is int and 0 <= last <= 64:
            return self.text({"<<": ("*", args[0], 2**last), ">>": ("//", args[0], 2**last)}[op] if op != "**"
                             else ("*", 1, *[args[0]] * last))  # fmt: skip
        if op == "&" and type(last) is int and last > 0 and last & (last + 1) == 0:
            return self.text(("%", args[0], last + 1))
        if op == "~":
            return self.text(("-", -1, args[0]))
        if op == "wrap" and type(args[2]) is int:
            return self.text(("+", ("%", ("-", args[0], args[1]), args[2]), args[1]))
        if op == "ceildiv":
            return self.text(("neg", ("//", ("neg", args[0]), args[1])))
        parts = [self.text(a) for a in args]
        if op[0] == "%" or op[:2] == "//":
            q = self.quotient(parts[0], parts[1], op.lstrip("/%"))
            return q if op[0] == "/" else f"(- {parts[0]} (* {parts[1]} {q}))"
        if op in ("min", "max"):
            best = parts[0]
            for p in parts[1:]:
                best = f"(ite ({'<=' if op == 'min' else '>='} {best} {p}) {best} {p})"
            return best
        if op in ("+", "*", "and", "or") and len(parts) == 1:
            return parts[0]
        if op not in FORMULAS and op not in ("+", "*", "-", "neg", "abs", "if"):
            raise Unsupported(f"{op} of names is not said to solvers")
        word = {"==": "=", "!=": "distinct", "->": "=>", "<->": "=", "neg": "-", "if": "ite"}.get(op, op)
        return f"({word} {' '.join(parts)})"
