"""Views that can be read off: most of those that PyTorch traces are, and none of these needs a guard.

`installing` looks here before it asks `view_guard`, which needs all that the ShapeEnv knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from symview.errors import SymviewError
from symview.logic.polynomial import (
    UNIT,
    Poly,
    as_term,
    divided,
    expanded,
    operation,
    operation_of,
    operations,
    substitute,
    times,
)
from symview.logic.sympy_bridge import to_sympy, to_term
from symview.logic.terms import Term, num
from symview.tensors import environment
from symview.torch.answers import torch_functions
from symview.torch.knowledge import relations

_KEPT = 4096
_Key = frozenset[Any]


class Evident(NamedTuple):
    """Sizes and strides of a view, as ints and SymInts."""

    shape: list[Any]
    strides: list[Any]


def evident_view(tensor: Any, shape: Sequence[Any]) -> Evident | None:
    """The view that a tensor has wherever the facts of its ShapeEnv hold; None where that cannot be read off.

    It can where old and new dims fall into groups with equal products of sizes, equal as polynomials, and the strides
    of the old dims of each group follow on one another. Where that fails, it is tried once more with the equations of
    the ShapeEnv. One size may be -1.
    """
    env = environment(*tensor.shape, *tensor.stride(), *shape)
    found = _read_off(tensor, shape, env, Equations())
    return _read_off(tensor, shape, env, _equations_of(env)) if found is None else found


def _read_off(tensor: Any, shape: Sequence[Any], env: Any, known: Equations) -> Evident | None:
    old, new = _Dims(tensor, known), list(shape)
    hole = next((axis for axis, n in enumerate(new) if isinstance(n, int) and n == -1), None)
    if hole is not None:
        new[hole] = old.rest([*new[:hole], *new[hole + 1 :]], env)
        if new[hole] is None:
            return None
    strides = old.strides_of(new, env)
    return None if strides is None else Evident(new, strides)


class Equations:
    """What sizes and strides are rewritten by: values of operations, such as n//4, and of whole polynomials."""

    def __init__(self) -> None:
        self.operations: dict[str, Poly] = {}
        self.whole: dict[_Key, Poly] = {}

    def add(self, left: Poly, right: Poly) -> None:
        """An equation: an operation that stands alone is replaced, or else a size by a product with an operation."""
        sides = (left, right), (right, left)
        for one, other in sides:
            if (name := _only(one)) is not None:
                self.operations.setdefault(name, self.rewritten(other))
                return
        for one, other in sides:
            if len(other) == 1 and operations(other):
                self.whole.setdefault(_key(one), other)
                return

    def rewritten(self, p: Poly) -> Poly:
        """The polynomial of a size or a stride, with what is known to equal it or its operations."""
        p = self.whole.get(_key(p), p)
        for name, value in self.operations.items():
            p = substitute(p, name, value)
        return p


def _equations_of(env: Any) -> Equations:
    """The equations among the guards and the asserts; n % 4 == 0 is n == 4*(n//4)."""
    found = Equations()
    for left, right in filter(None, map(equation, relations(env))):
        rest = operation_of(_only(left) or "")
        if rest is None or rest.op != "%" or right:
            found.add(left, right)
        elif rest.args[1].op == "int":
            quotient = operation(Term("//", rest.args))
            found.whole.setdefault(_key(expanded(rest.args[0])), times(expanded(rest.args[1]), {(quotient,): 1}))
    return found


class _Dims:
    """The dims of a tensor but those of size 1.

    `sizes` and `steps`, their strides, are polynomials; `rewritten` are the sizes by the known equations.
    """

    def __init__(self, tensor: Any, known: Equations) -> None:
        self.known, self.given = known, list(map(_poly, tensor.shape))
        entries = zip(self.given, tensor.stride(), strict=True)
        dims = [(p, new, t) for p, t in entries if (new := known.rewritten(p)) != UNIT]
        self.sizes, self.rewritten, self.strides = [d[0] for d in dims], [d[1] for d in dims], [d[2] for d in dims]
        self.steps = [self._unguarded(_poly(t)) for t in self.strides]

    def rest(self, others: Sequence[Any], env: Any) -> Any:
        """What -1 stands for; None unless the other sizes are positive, and their product divides that of the dims."""
        if not all(_least(n, env) > 0 for n in others):
            return None
        whole, part = (_products(sizes)[-1] for sizes in (self.rewritten, self._new(others)))
        found, left = divided(whole, part, floor=False)
        if left:
            return None
        size = to_sympy(as_term(found), {s.name: s for s in env.var_to_range}, torch_functions())
        return size if isinstance(size, int) else env.create_symintnode(size, hint=None)

    def strides_of(self, new: Sequence[Any], env: Any) -> list[Any] | None:
        """The strides of new sizes, group by group; None if the groups do not fit or do not merge."""
        sizes, found, start = self._new(new), list[Any](), 0
        ends = {_key(product): n for n, product in enumerate(_products(self.rewritten))}
        for n, product in enumerate(_products(sizes)[1:], 1):
            end = ends.get(_key(product), start)
            if end > start:
                group = new[len(found) : n]
                if not (self._follow(start, end) and _are_sizes(group, env)):
                    return None
                found += _split(group, self.strides[end - 1])
                start = end
        left, last = sizes[len(found) :], self.strides[-1] if self.strides else 1
        return [*found, *[last] * len(left)] if start == len(self.sizes) and all(p == UNIT for p in left) else None

    def _new(self, sizes: Sequence[Any]) -> list[Poly]:
        return [self.known.rewritten(_poly(n)) for n in sizes]

    def _follow(self, start: int, end: int) -> bool:
        """Whether each stride in a group is the next size times the next stride."""
        return all(self._follows(n) for n in range(start, end - 1))

    def _follows(self, n: int) -> bool:
        step, following = self.steps[n : n + 2]
        if step == times(self.sizes[n + 1], following):
            return True
        known = self.known.rewritten
        return known(step) == times(self.rewritten[n + 1], known(following))

    def _unguarded(self, stride: Poly) -> Poly:
        """The stride with n in place of max(1, n), for products n of sizes: without elements all strides are right."""
        for name, (op, args) in operations(stride).items():
            if op == "max" and len(args) == 2 and num(1) in args:
                least = expanded(args[args[0] == num(1)])
                factors = [{(n,): 1} for m in least for n in m]
                if least in self.given or (list(least.values()) == [1] and all(f in self.given for f in factors)):
                    stride = substitute(stride, name, least)
        return stride


def _are_sizes(group: Sequence[Any], env: Any) -> bool:
    """Whether no new size in a group, whose product is that of old sizes, is negative."""
    symbols = [n for n in group if not isinstance(n, int)]
    numbers = [n for n in group if isinstance(n, int)]
    return all(n > 0 for n in numbers) and (len(symbols) < 2 or all(_least(n, env) >= 0 for n in symbols))


def _split(sizes: Sequence[Any], stride: Any) -> list[Any]:
    """The strides of dims that lie within one another, the last of which has this stride."""
    strides = [stride]
    for n in reversed(sizes[1:]):
        strides.insert(0, strides[0] * n)
    return strides


def _products(sizes: Sequence[Poly]) -> list[Poly]:
    """The products of no sizes, of the first, of the first two, ..., of all."""
    found = [UNIT]
    for n in sizes:
        found.append(times(found[-1], n))
    return found


def _key(p: Poly) -> _Key:
    return frozenset(p.items())


def _only(p: Poly) -> str | None:
    """The operation that a polynomial consists of."""
    monomial = next(iter(p), ())
    return monomial[0] if p == {monomial: 1} and len(monomial) == 1 and operation_of(monomial[0]) else None


def _poly(entry: Any) -> Poly:
    """The polynomial of an int or a SymInt."""
    return polynomial_of(entry if isinstance(entry, int) else entry.node.expr)


@lru_cache(_KEPT)
def polynomial_of(expression: Any) -> Poly:
    """The polynomial of an int or an expression, in which other operations are variables."""
    return expanded(to_term(expression))


@lru_cache(_KEPT)
def equation(relation: Any) -> tuple[Poly, Poly] | None:
    """The sides of an equation of integers; None for another relation."""
    try:
        op, args = to_term(relation)
        return None if op != "==" else (expanded(args[0]), expanded(args[1]))
    except (SymviewError, AttributeError, TypeError, ValueError):  # it is not about integers
        return None


def _least(entry: Any, env: Any) -> float:
    """A bound from below, by the ranges of the ShapeEnv."""
    return entry if isinstance(entry, int) else float(env.bound_sympy(entry.node.expr).lower)
