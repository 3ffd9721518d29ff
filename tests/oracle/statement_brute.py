"""What a statement means, by Python's own `eval`: shares no code with symview.

The text is rewritten so that every operation is a call, every call is evaluated, and a result is wrapped where a width
is stated. A value is missing where a divisor is 0, or a shift or an exponent negative, wherever that stands.
"""

from __future__ import annotations

import ast
import math
import operator
from itertools import product

_PLAIN = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip


class NoValue(Exception):
    """A divisor is 0, or a shift or an exponent is negative."""


class Meaning:
    """Statements in arithmetic of some width, or of all integers."""

    def __init__(self, division="floor", bits=None):
        self.division = division
        self.size = None if bits is None else 2 ** int(str(bits).lstrip("iu"))
        self.low = 0 if self.size is None or str(bits).startswith("u") else -(self.size // 2)

    def values(self):
        """All integers of the width."""
        return range(self.low, self.low + self.size)

    def wrap(self, x):
        if self.size is None:
            return x
        while x < self.low:
            x += self.size * ((self.low - x + self.size - 1) // self.size)
        return self.low + (x - self.low) % self.size

    def divided(self, a, b):
        if b == 0:
            raise NoValue
        exact = abs(a) // abs(b)
        toward_zero = exact if (a < 0) == (b < 0) else -exact
        if self.division == "trunc":
            q = toward_zero
        elif self.division == "floor":
            q = next(
                k
                for k in (toward_zero, toward_zero - 1)
                if k * b == a or ((k * b < a) == (b > 0) and abs(a - k * b) < abs(b))
            )
        else:
            q = next(k for k in (toward_zero, toward_zero - 1, toward_zero + 1) if 0 <= a - k * b < abs(b))
        return q, a - q * b

    def operation(self, op, a, b):
        if op in _PLAIN:
            found = _PLAIN[op](a, b)
            return found if self.size is None else self.wrap(found)
        if op == "//":
            return self.wrap(self.divided(a, b)[0])
        if op == "%":
            return self.wrap(self.divided(a, b)[1])
        if op in ("<<", ">>", "**") and b < 0:
            raise NoValue
        if op == "<<":
            return self.wrap(a * 2**b)
        if op == ">>":
            return self.wrap(math.floor(a // 2**b))
        return self.wrap(a**b)

    def call(self, name, *args):
        if name in ("ceildiv", "cdiv"):
            if args[1] == 0:
                raise NoValue
            return self.wrap(next(k for k in range(-abs(args[0]) - 1, abs(args[0]) + 2) if self._is_ceiling(k, *args)))
        if name == "where":
            return args[1] if args[0] else args[2]
        return self.wrap({"min": min, "max": max, "abs": abs, "gcd": math.gcd}[name](*args))

    @staticmethod
    def _is_ceiling(k, a, b):
        """k - 1 < a/b <= k."""
        return (a <= k * b and a > (k - 1) * b) if b > 0 else (a >= k * b and a < (k - 1) * b)

    def true_at(self, text, values):
        """True or False; None where there is no value."""
        try:
            return bool(eval(_compiled(text), {"M": self, "V": values}))
        except NoValue:
            return None


_SIGNS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.BitAnd: "&", ast.BitOr: "|",
    ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.Pow: "**",
}  # fmt: skip
_CODE = {}


def _compiled(text):
    if text not in _CODE:
        _CODE[text] = compile(
            ast.fix_missing_locations(_Strict().visit(ast.parse(text, mode="eval"))), "statement", "eval"
        )
    return _CODE[text]


class _Strict(ast.NodeTransformer):
    """Python's syntax tree with every part evaluated, and each operation as a call of the meaning."""

    def _method(self, name, *args):
        return ast.Call(ast.Attribute(ast.Name("M", ast.Load()), name, ast.Load()), list(args), [])

    def visit_BinOp(self, node):
        left, right = self.visit(node.left), self.visit(node.right)
        return self._method("operation", ast.Constant(_SIGNS[type(node.op)]), left, right)

    def visit_UnaryOp(self, node):
        inner = self.visit(node.operand)
        if isinstance(node.op, ast.USub):
            return self._method("operation", ast.Constant("-"), ast.Constant(0), inner)
        if isinstance(node.op, ast.Invert):
            return self._method("wrap", ast.UnaryOp(ast.Invert(), inner))
        return ast.UnaryOp(node.op, inner)

    def visit_BoolOp(self, node):
        whole = ast.List([self.visit(v) for v in node.values], ast.Load())
        return ast.Call(ast.Name("all" if isinstance(node.op, ast.And) else "any", ast.Load()), [whole], [])

    def visit_IfExp(self, node):
        parts = [self.visit(n) for n in (node.orelse, node.body)]
        return ast.Subscript(
            ast.List(parts, ast.Load()), ast.Call(ast.Name("bool", ast.Load()), [self.visit(node.test)], []), ast.Load()
        )

    def visit_Compare(self, node):
        sides = [self.visit(s) for s in (node.left, *node.comparators)]
        pairs = [ast.Compare(a, [op], [b]) for a, op, b in zip(sides, node.ops, sides[1:], strict=False)]
        return ast.Call(ast.Name("all", ast.Load()), [ast.List(pairs, ast.Load())], [])

    def visit_Call(self, node):
        return self._method("call", ast.Constant(node.func.id), *map(self.visit, node.args))

    def visit_Name(self, node):
        return ast.Subscript(ast.Name("V", ast.Load()), ast.Constant(node.id), ast.Load())


def smallest_exception(claim, given, names, meaning, values):
    """The values, least sum of absolute values, that meet what is given and break the claim; None where there are none.

    Also how many values meet what is given, of those at which everything has a value.
    """
    found, met = None, 0
    for point in product(values, repeat=len(names)):
        at = dict(zip(names, point, strict=True))
        holds = [meaning.true_at(text, at) for text in (claim, *given)]
        if None in holds or not all(holds[1:]):
            continue
        met += 1
        size = sum(map(abs, point))
        if not holds[0] and (found is None or size < found[0]):
            found = size, at
    return found, met
