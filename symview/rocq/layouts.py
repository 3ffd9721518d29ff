"""Operations on layouts of numbers: the defining property, computed at every index.

A layout is printed as the list of its modes: `++` shows the order of its parts, not their nesting.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate
from operator import mul
from typing import Any, NamedTuple

from symview.rocq.terms import Open
from symview.trusted.formulas import names, put
from symview.verify.kinds.layouts import assembled, complements, folded, operation_of, paired, pairs_of, taken
from symview.verify.kinds.maps import cosize, count, leaves
from symview.verify.nodes import Operation, entries

MANY = 200_000  # indices to compute
Claim = tuple[str, str]  # a claim about layouts, and the tactics that prove it
COMPUTED = "vm_cast_no_check (eq_refl true)"
_NAMES = {"composition": "P", "coalesce": "P", "divide": "UV", "product": "V"}
_HALVES: dict[str, Callable[[Any], Any]] = {  # what of a part in evidence is claimed to exist
    "composition": lambda part: [part], "coalesce": lambda part: [part], "divide": list,
    "product": lambda part: part[1:], "by modes": lambda part: part[1],
}  # fmt: skip


class Result(NamedTuple):
    """That a layout is the result of an operation: names for its parts, if any, and what holds of them."""

    parts: list[str]
    claims: list[Claim]
    kind: str = ""

    def said(self) -> str:
        """The statement."""
        binder = f"exists {' '.join(self.parts)} : list (Z * Z),\n  " if self.parts else ""
        return binder + "\n  /\\ ".join([text for text, _ in self.claims])

    def proof(self, parts: Sequence[Any]) -> str:
        """The tactics that prove it, for the parts in evidence."""
        flat = [folded(half) for one in parts for half in _HALVES[self.kind](one)]
        *others, (_, text) = self.claims
        for _, proof in reversed(others):
            text = f"split; [{proof}|{text}]"
        there = f"exists {', '.join(map(printed, flat))}; " if self.parts else ""
        return f"{there}{text}."


def printed(of: Any) -> str:
    """The modes of a layout of numbers; raises Open for names."""
    if any(type(x) is not int for leaf in leaves(of) for x in leaf):
        raise Open("operations on layouts with names have no definitions yet")
    return f"[{'; '.join(f'({n}, {d})' for n, d in leaves(of))}]"


def _joined(parts: Any) -> list[str]:
    """The parts without their nesting, by name or as modes."""
    if type(parts) is list:
        return [x for part in parts for x in _joined(part)]
    return [parts if type(parts) is str else printed(parts)]


def _few(size: int) -> None:
    if size > MANY:
        raise Open("a layout of too many values to compute")


def result(of: Operation, layout: Any) -> Result:
    """What it means that a layout is the result of an operation."""
    bound = [] if of.bound is None else [of.bound]
    if names(*bound, *(of.shape or ()), *[x for one in (*of.layouts, layout) for x in entries(one)]):
        raise Open("operations on layouts with names have no definitions yet")
    operation, given, most = operation_of(of)
    found = folded(layout)
    if len(given) == 1:
        return Result([], [_alone(operation, given[0], found, most)])
    (a, by), (order, _, kind) = given, operation.rpartition("_")
    if operation == "tile_to_shape":
        order, kind = "blocked", "product"
    if order in ("blocked", "raked"):
        return _by_modes(order, *paired(order, a, by), found, [put(n, {}) for n in of.shape or ()])
    pairs, claims, made, parts = pairs_of(a, by), list[Claim](), list[Any](), list[str]()
    for k, (x, y) in enumerate(pairs, 1):
        told = [f"{half}{k if len(pairs) > 1 else ''}" for half in _NAMES[kind]]
        parts += told
        claims.append(_pair(kind, x, y, told))
        made.append([x, *told] if kind == "product" else told if kind == "divide" else told[0])
    whole = f"{printed(found)} = {' ++ '.join(_joined(assembled(order, a, by, made)))}", "reflexivity"
    return Result(parts, [whole, *claims], kind)


def _alone(operation: str, a: Any, found: Any, bound: Any) -> Claim:
    """An operation on one layout."""
    _few(max(count(a), count(found)))
    if operation == "complement":
        _few(count(a) * count(found))
        proof = f"apply (sv_complement {_steps(a, found)}); {COMPUTED}"
        return f"layout_complements {printed(a)} {bound} {printed(found)}", proof
    if operation == "coalesce":
        return _pair(operation, a, None, [printed(found)])
    return f"layout_{operation} {printed(a)} {printed(found)}", f"apply sv_{operation}; {COMPUTED}"


def _pair(kind: str, x: Any, y: Any, parts: Sequence[str]) -> Claim:
    """One pair of layouts, and what is made of it."""
    told = " ".join(parts)
    if kind == "coalesce":
        _few(count(x))
        return f"layout_coalesces {printed(x)} {told}", f"apply sv_coalesce; [{COMPUTED}|cbn; lia]"
    if kind == "composition":
        if any(type(d) is int and d < 0 and n != 1 for n, d in leaves(y)):
            raise Open("layouts with values below 0")
        _few(count(y))
        return f"layout_composed {printed(x)} {printed(y)} {told}", f"apply sv_composed; {COMPUTED}"
    if kind == "product":
        return _product(printed(x), printed(y), x, y, told)
    form = taken("divide", x, y)[0].modes
    _few(max(count([y, form]), count(x)))
    places = accumulate([n for n, _ in leaves([y, form])], mul, initial=1)
    digits = sorted((d, n, p) for (n, d), p in zip(leaves([y, form]), places, strict=False) if n != 1 and d != 0)
    index = printed([(n, p) for _, n, p in digits])
    return f"layout_divided {printed(x)} {printed(y)} {told}", f"apply (sv_divided {index}); {COMPUTED}"


def _product(a: str, b: str, x: Any, y: Any, copies: str) -> Claim:
    """Copies of a layout at values of another one."""
    _few(count(x) * count(y))
    steps = _steps(x, complements(x, count(x) * cosize(y))[0].modes)
    return f"layout_multiplied {a} {b} {copies}", f"apply (sv_multiplied {steps}); {COMPUTED}"


def _steps(of: Any, form: Any) -> str:
    """The steps of a sum of a value of each, the largest first: those of a layout, and those of its copies."""
    places = accumulate([n for n, _ in leaves(form)], mul, initial=1)
    steps = [(d, d, 0) for n, d in leaves(of) if n != 1 and d != 0]
    steps += [(d, 0, p) for (n, d), p in zip(leaves(form), places, strict=False) if n != 1]
    return f"[{'; '.join(map(str, sorted(steps, reverse=True)))}]"


def _by_modes(order: str, a: Any, by: Any, found: Any, shape: Sequence[Any]) -> Result:
    """A product whose modes come in pairs, and a tiled shape, whose last tiles may reach beyond it."""
    parts = [f"V{k}" for k in range(1, len(a) + 1)]
    alike = " ++ ".join(_joined(assembled(order, a, by, [[a, parts]])))
    one, other, copies = (f"({' ++ '.join(x)})" for x in (map(printed, a), map(printed, by), parts))
    claims = [(f"{printed(found)} = {alike}", "reflexivity"), _product(one, other, a, by, copies)]
    sizes = [f"layout_size {v} = layout_size {printed(y)}" for v, y in zip(parts, by, strict=True)]
    claims += [(text, "reflexivity") for text in sizes]
    for n, x, v in zip(shape, a, parts, strict=False):
        many = f"{n} <= layout_size {printed(x)} * layout_size {v} < {n} + layout_size {printed(x)}"
        claims.append((many, "vm_compute; split; congruence"))
    return Result(parts, claims, "by modes")
