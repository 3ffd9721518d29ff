"""What has to hold for operations on CuTe's layouts of numbers: modes (size, stride), the first fastest."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from symview.verify.document import BadCertificate, get, integers, listed
from symview.verify.formulas import Tree, made
from symview.verify.obligations import Obligation, Steps

Modes = list[tuple[int, ...]]


def of_layout(question: Any, answer: Any) -> Steps:
    """That the answer is the operation's, at every index."""
    operation = get(question, "operation", str)
    given, found = [_modes({"layout": m}) for m in get(question, "layouts", list)], _modes(answer)
    if {"composition": 2, "coalesce": 1, "right_inverse": 1}.get(operation) != len(given):
        raise BadCertificate(f"operation {operation[:30]!r} of {len(given)} layouts")
    first, last, right = given[0], given[-1], operation == "right_inverse"
    size = prod(n for n, _ in found)
    yield Obligation(f"that it has {size} elements", right or size == prod(n for n, _ in last))
    here = at(found, "#0")
    inner = here if right else at(last, "#0")
    equal = ("==", inner if operation == "coalesce" else at(first, inner), "#0" if right else here)
    yield Obligation(f"that this is the {operation}", ("and", (">=", inner, 0), equal), (), {"#0": (0, size)})
    if right:
        yield Obligation("that the right inverse goes as far as it can", None)
    elif operation == "coalesce":
        fewer = any(a[0] * a[1] == b[1] for a, b in pairwise(found)) or (len(found) > 1 and 1 in [n for n, _ in found])
        yield Obligation("that no fewer modes do", not fewer)


def at(modes: Modes, x: Tree) -> Tree:
    """The layout at an index from 0 on; the last mode goes on without bound."""
    place, parts = 1, []
    for k, (n, d) in enumerate(modes):
        q = x if place == 1 else ("//", x, place)
        parts.append(made("*", d, q if k == len(modes) - 1 else ("%", q, n)))
        place *= n
    return made("+", *parts)


def _modes(of: Any) -> Modes:
    found = listed(of, "layout", lambda m: integers({"mode": m}, "mode"))
    if not found or any(len(m) != 2 or m[0] < 1 for m in found):
        raise BadCertificate("a layout is a list of [size, stride], sizes from 1 on")
    return found
