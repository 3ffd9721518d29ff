"""Checking operations on CuTe's layouts of numbers: modes (size, stride), the first fastest, without their nesting."""

from __future__ import annotations

from itertools import pairwise
from math import prod
from typing import Any

from symview.verify.document import BadCertificate, checked, get, integers
from symview.verify.report import Report

Modes = list[tuple[int, int]]
WALK = 20_000
OPERATIONS = {"composition": 2, "coalesce": 1, "right_inverse": 1}


def check_layout(question: Any, answer: Any, report: Report) -> None:
    """That the answer is the operation's, at every index; that a right inverse goes as far as it can is left open."""
    operation = get(question, "operation", str)
    given = [_modes(m) for m in get(question, "layouts", list)]
    if OPERATIONS.get(operation) != len(given):
        raise BadCertificate(f"operation {operation[:30]!r} of {len(given)} layouts")
    found, first, last = _modes(answer.get("layout")), given[0], given[-1]
    size = prod(n for n, _ in found)
    if operation != "right_inverse" and size != prod(n for n, _ in last):
        return report.refute(f"a layout of {size} elements")
    if size > WALK:
        return report.leave("a layout too large to walk")
    for x in range(size):
        y = at(found, x)
        if operation == "right_inverse":
            wanted, there = x, at(first, y) if y >= 0 else None
        else:
            inner = at(last, x)
            wanted, there = y, inner if operation == "coalesce" else at(first, inner) if inner >= 0 else None
        if there != wanted:
            return report.refute(f"at {x}: {there}, and {wanted} is claimed")
    if operation == "right_inverse":
        report.leave("that the right inverse goes as far as it can")
    elif operation == "coalesce" and (
        any(a[0] * a[1] == b[1] for a, b in pairwise(found)) or (len(found) > 1 and any(n == 1 for n, _ in found))
    ):
        return report.refute("fewer modes do")
    return None


def at(modes: Modes, x: int) -> int:
    """The layout at an index from 0 on; the last mode goes on without bound."""
    found = 0
    for n, d in modes[:-1]:
        x, digit = divmod(x, n)
        found += digit * d
    return found + x * modes[-1][1] if modes else 0


def _modes(value: Any) -> Modes:
    found = [integers(m, "a mode") for m in checked(value, list, "a layout")]
    if not found or any(len(m) != 2 or m[0] < 1 for m in found):
        raise BadCertificate("a layout is a list of [size, stride], sizes from 1 on")
    return [(n, d) for n, d in found]
