"""The claim of a certificate as text, written from the formulas, views, layouts and programs that are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from symview.trusted.document import Object
from symview.verify.text import conjunction, name, text_of


def claim_of(document: Object) -> list[str]:
    """The claim of a parsed certificate; each case has its own line."""
    question, answer = document["question"], document["answer"]
    return [*_KINDS[document["kind"]](question, answer)]


def _assuming(formulas: Sequence[Any], word: str = "given") -> str:
    return f", {word} {conjunction(formulas)}" if formulas else ""


def _row(parts: Sequence[Any]) -> str:
    return f"({','.join(map(text_of, parts))})"


def _view(v: Object) -> str:
    text = f"{_row(v['shape'])}:{_row(v['strides'])}"
    text += "" if v["offset"] == 0 else f"+{text_of(v['offset'], 12)}"
    bounds = v["mask"]
    return text if bounds is None else f"{text} [{bounds if bounds == 'empty' else _bounds(bounds)}]"


def _bounds(rows: Sequence[Sequence[Any]]) -> str:
    return ",".join([":".join(map(text_of, row)) for row in rows])


def _chain(views: Sequence[Object]) -> str:
    return "; ".join(map(_view, views))


def _at(values: Mapping[str, object]) -> str:
    return ", ".join([f"{name(n)} = {x}" for n, x in values.items()]) or "any values"


def _broken(answer: Object) -> str:
    index = f", index {_row(answer['index'])}" if answer.get("index") is not None else ""
    sides = f": {' and '.join(map(str, answer['sides']))}" if answer.get("sides") else ""
    return f"at {_at(answer['values'])}{' (smallest)' if answer.get('smallest') else ''}{index}{sides}"


def _merge(question: Object, answer: Object) -> Iterator[str]:
    views, no = _chain(question["views"]), answer.get("counterexample")
    if no is None:
        yield f"{views} is one view: {_view(answer['view'])}"
        return
    parts = [f"{key} {no[key]}" for key in ("axis", "expected", "got") if no.get(key) is not None]
    where = f"at {_row(no['index'])}{' (smallest)' if no['smallest'] else ''} {no['kind']}"
    yield f"{views} is not one view: {', '.join([where, *parts])}"


def _chains(question: Object, answer: Object) -> Iterator[str]:
    first, second = _chain(question["first"]), _chain(question["second"])
    if not answer["same"]:
        yield f"{first} is not {second} {_broken({**answer, 'values': {}})}".replace("any values, ", "")
    else:
        yield f"{first} is {second}{', and no fewer views are' if answer.get('minimal') else ''}"


def _program(of: Object) -> str:
    text = f"{name(of['tensor'])}{_row(of['shape'])}"
    for op, *given in of["steps"]:
        rows = {"slice": 3, "pad": 2}.get(op)
        if op == "concat":
            args = f"{_program(given[0])},{given[1]}"
        elif op == "read":
            args = _view(given[0])
        elif rows:
            args = ",".join([_row(given[n :: len(given) // rows]) for n in range(len(given) // rows)])
        else:
            args = ",".join(map(text_of, given))
        text += f".{op}({args})"
    return text


def _rule(question: Object, answer: Object) -> Iterator[str]:
    refuted = f", {_broken(answer)}" if answer["verdict"] == "refuted" else ""
    for one in question["instances"]:
        first = ", the first dim of each any number of dims" if one["more"] else ""
        known = f"{_assuming(one['assume'])}{first}"
        yield f"{answer['verdict']}: {_program(one['left'])} == {_program(one['right'])}{known}{refuted}"


_KINDS: dict[str, Callable[[Object, Object], Iterator[str]]] = {"merge": _merge, "chains": _chains, "rule": _rule}
