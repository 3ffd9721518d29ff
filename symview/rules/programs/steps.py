"""One operation of a program, and its text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from symview.logic.notation import term_text
from symview.logic.polynomial import as_term, poly_of, quotient
from symview.logic.terms import Term, names, num, sym
from symview.rules.programs.entries import MORE, shape_text


class Step(NamedTuple):
    """One operation. `given` is its argument; `each` what it does to every dim of the block `...`, None for nothing.

    tensor: name; permute, flip: axes; shrink, pad: pairs; slice: triples (start, stop, step); expand, reshape: sizes;
    concat: (other, axis); read: (shape, strides, offset, mask).
    """

    op: str
    given: tuple[Any, ...]
    each: Any = None


def step_text(step: Step, sizes: Sequence[Term], block: Term | None) -> str:
    """The step in the notation."""
    op, given, each = step
    if op == "tensor":
        more = [] if block is None else [_each_text(block)]
        return f"{given[0]}({','.join([*more, *map(term_text, sizes)])})"
    match op:
        case "permute" | "flip":
            parts = [*([MORE] if each else []), *map(str, given)]
        case "shrink" | "pad":
            more = [f"({_each_text(each[0])},{_each_text(each[1])})"] if each else []
            parts = [*more, *map(shape_text, given)]
        case "slice":
            columns = [[*([_each_text(each[k])] if each else []), *(term_text(t[k]) for t in given)] for k in range(3)]
            parts = [f"({','.join(column)}{',' * (len(column) == 1)})" for column in columns]
        case "expand" | "reshape":
            more = [] if block is None else [_each_text(each) if op == "expand" else MORE]
            parts = [*more, *(_merged_text(t) for t in given)]
        case "concat":
            parts = [str(given[0]), str(given[1])]
        case _:
            parts = [_view_text(*given)]
    return f"{op}({','.join(parts)})"


def _each_text(entry: Term) -> str:
    return MORE if entry == sym(MORE) else f"{MORE}{term_text(entry)}"


def _merged_text(size: Term) -> str:
    """A size, with the number of elements of the block in front."""
    if MORE not in names(size) or size == sym(MORE):
        return f"{MORE}*1" if size == sym(MORE) else term_text(size)
    opaque: dict[str, Term] = {}
    rest = quotient(poly_of(size, opaque), {(MORE,): 1})
    return f"{MORE}*{term_text(as_term(rest, opaque)) if len(rest) == 1 else shape_text([as_term(rest, opaque)])}"


def _view_text(shape: Any, strides: Any, offset: Term, mask: Any) -> str:
    text = f"{shape_text(shape)}:{shape_text(strides)}" + (f"+({term_text(offset)})" if offset != num(0) else "")
    if mask is None:
        return text
    return f"{text} [{'empty' if mask == 'empty' else ','.join(':'.join(map(term_text, pair)) for pair in mask)}]"
