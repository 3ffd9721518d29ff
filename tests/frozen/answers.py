"""What a question's answer comes to, in a form that does not depend on the classes of the package."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from time import process_time
from typing import Any

from sympy import sympify

import symview
from symview import View, cute
from symview.errors import InputError, SymviewError, Undecided
from symview.view_notation import read_shape

POINTS = 12
NAMES = {name: getattr(symview, name) for name in symview.__all__} | {
    "View": View, "cute": cute, "Layout": cute.Layout, "shape": read_shape,
}  # fmt: skip

Record = dict[str, Any]


def ask(call: str, points: Sequence[Mapping[str, int]] | None = None) -> tuple[Record, float]:
    """The answer as JSON, of conditions at these points or at points of their own, and the seconds of CPU it took."""
    start = process_time()
    try:
        answer = eval(call, dict(NAMES))
    except Undecided:
        return {"is": "undecided"}, process_time() - start
    except (SymviewError, AttributeError) as error:  # names may be gone
        return {"is": "refused", "as": type(error).__name__}, process_time() - start
    seconds = process_time() - start
    if hasattr(answer, "cases") and hasattr(answer, "holds"):
        return _conditions(call, answer, points), seconds
    return _plain(answer), seconds


def _plain(answer: Any) -> Record:
    """Yes with its text, no, or undecided: what truth says of an answer that is no conditions."""
    name = type(answer).__name__
    try:
        truth = name == "Proved" or type(answer) in (int, tuple) or bool(answer)  # a theorem may rest on assumptions
    except SymviewError:
        return {"is": "undecided"}
    if truth:
        return {"is": "yes", "text": name if name == "Proved" else str(answer)}
    index = getattr(answer, "index", None)
    return {"is": "no", **({} if index is None else {"index": str(index)})}


def _conditions(call: str, answer: Any, points: Sequence[Mapping[str, int]] | None) -> Record:
    """The headline's length, the number of cases, and what is said at points: yes with the view or layout, no, open."""
    chosen = _points(Random(call), answer) if points is None else [dict(p) for p in points]
    return {
        "is": "conditions", "length": len(answer.headline() if hasattr(answer, "headline") else str(answer)),
        "cases": len(answer.cases), "points": [[p, at(answer, p)] for p in chosen],
    }  # fmt: skip


def at(answer: Any, values: Mapping[str, int]) -> str:
    """`no`, `open` with the reason, `yes`, or `yes:` and the view or layout of numbers."""
    try:
        case = answer.case(values)
        if case is not None and str(case.status) == "undecided":
            return f"open: {case.reason}"
        if not answer.holds(values):
            return "no"
    except Undecided:
        return "open"
    except SymviewError as error:
        return type(error).__name__
    if isinstance(getattr(case, "answer", None), cute.Layout):
        return f"yes:{cute.coalesce(answer.layout(values))}"
    view = getattr(case, "view", None)
    return "yes" if view is None else f"yes:{_put(view, values)}"


def _put(view: View, values: Mapping[str, int]) -> View:
    def number(x: Any) -> int:
        return x if isinstance(x, int) else int(substituted(x, values))

    mask = view.mask
    bounds = [(number(a), number(b)) for a, b in mask] if isinstance(mask, tuple) else mask
    shape, strides = ([number(x) for x in side] for side in (view.shape, view.strides))
    strides = [0 if n == 1 else t for n, t in zip(shape, strides, strict=True)]
    return View(shape, strides, number(view.offset), bounds)


def substituted(x: Any, values: Mapping[str, int]) -> Any:
    """The entry, as sympy has it, at the values of its names."""
    x = sympify(x)
    return x.subs({s: values[s.name] for s in x.free_symbols if s.name in values})


def _points(rng: Random, answer: Any) -> list[dict[str, int]]:
    """Random small values, and values that meet the equations of a case; those that the answer takes."""
    names, found = list(answer.symbols()), list[dict[str, int]]()
    for values in _drawn(rng, answer, names):
        try:
            answer.case(values)
        except InputError:
            continue
        except SymviewError:
            pass
        if values not in found:
            found.append(values)
        if len(found) == POINTS:
            break
    return found


def _drawn(rng: Random, answer: Any, names: Sequence[str]) -> Iterator[dict[str, int]]:
    equations = [list(c.equations) for c in answer.cases[:40] if getattr(c, "equations", ())]
    for turn in range(20 * POINTS):
        top = rng.choice((2, 4, 8))
        values = {n: rng.randint(1, top) if rng.random() < 0.9 else rng.choice((-3, 0, 12, 24)) for n in names}
        if equations and turn % 3:
            for equation in reversed(rng.choice(equations)):
                side = substituted(equation.rhs, values)
                if equation.lhs.is_Symbol and side.is_Integer:
                    values[equation.lhs.name] = int(side)
        yield values
