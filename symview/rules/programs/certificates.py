"""Rules of programs for the checker of certificates: each program as its tensor and a list of steps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symview.certificates import tree
from symview.logic.terms import Term, names, num
from symview.rules.programs.program import Program, Rule
from symview.rules.programs.setting import Setting


def program_of(program: Program) -> dict[str, Any]:
    """A program without `...`.

    >>> program_of(Program.parse("x(n,3).permute(1,0).shrink((0,3),(1,n))"))["steps"]
    [['permute', 1, 0], ['slice', 0, 1, 3, 'n', 1, 1]]
    """
    first, *rest = program.chain()
    return {"tensor": first.step.given[0], "shape": list(map(tree, first.sizes)), "steps": [_step(p) for p in rest]}


def _step(program: Program) -> list[Any]:
    """The operation and its entries: of a slice the firsts, the ends, the steps, of a pad the widths before, after."""
    op, given, _ = program.step
    match op:
        case "shrink" | "slice" | "pad":
            rows = [(*row, num(1)) for row in given] if op == "shrink" else given
            width = 2 if op == "pad" else 3
            return ["pad" if op == "pad" else "slice", *[tree(row[k]) for k in range(width) for row in rows]]
        case "permute" | "flip":
            return [op, *given]
        case "concat":
            return [op, program_of(given[0]), given[1] % max(program.rank, 1)]
        case "read":
            shape, strides, offset, mask = given
            entries = {"shape": list(map(tree, shape)), "strides": list(map(tree, strides)), "offset": tree(offset)}
            bounds = mask if mask is None or mask == "empty" else [list(map(tree, pair)) for pair in mask]
            return [op, {**entries, "mask": bounds}]
    return [op, *map(tree, given)]


def instance_of(rule: Rule, assumed: Iterable[Term], setting: Setting, more: bool = False) -> dict[str, Any]:
    """Both sides, with what is taken for granted: the assumptions, and that sizes are positive.

    `more`: the first dim of each stands for any number of dims.
    """
    sizes = [Term(">=", (size, num(low))) for size, low in setting.least if set(names(size)) <= set(setting.names)]
    known = [tree(f) for f in (*assumed, *rule.declared(), *sizes)]
    return {"left": program_of(rule.left), "right": program_of(rule.right), "assume": known, "more": more}
