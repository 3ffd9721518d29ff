"""What one operation of a program writes down, and what it asks of that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, num
from symview.rules.programs.program import Program


def terms_of(part: Program) -> list[Term]:
    """The entries of one step."""
    op, given, _ = part.step
    if op == "tensor":
        return list(part.sizes)
    if op in ("shrink", "pad", "slice"):
        return [t for row in given for t in row]
    if op in ("expand", "reshape"):
        return list(given)
    if op == "read":
        mask = [t for pair in given[3] for t in pair] if isinstance(given[3], tuple) else []
        return [*given[0], *given[1], given[2], *mask]
    return []


def written_sizes(part: Program) -> Sequence[Term]:
    """The sizes that a step writes down."""
    if part.step.op in ("tensor", "expand", "reshape"):
        return part.sizes
    return part.step.given[0] if part.step.op == "read" else ()


def asked_by(part: Program) -> Iterator[tuple[str, Term, str]]:
    """Relation, term and words of what one step asks, but for a reshape that the numbers of elements agree."""
    op, given, _ = part.step
    old = part.before.sizes if part.before is not None else ()

    def less(a: Term, b: Term) -> tuple[str, Term, str]:
        return ">=", Term("-", (b, a)), f"{to_text(a)} <= {to_text(b)}"

    match op:
        case "shrink" | "slice":
            for row, size in zip(given, old, strict=True):
                yield from (less(num(0), row[0]), less(row[0], row[1]), less(row[1], size))
                if op == "slice":
                    yield less(num(1), row[2])
        case "pad":
            for width in (w for row in given for w in row):
                yield less(num(0), width)
        case "expand" | "reshape":
            for size in part.sizes:
                yield less(num(0), size)
        case "concat":
            other, axis = given
            for n, (a, b) in enumerate(zip(old, other.sizes, strict=True)):
                if n != axis % len(old):
                    yield "==", Term("-", (a, b)), f"{to_text(a)} == {to_text(b)}"
        case "read":
            for size in given[0]:
                yield less(num(0), size)
            for (low, high), size in zip(given[3] if isinstance(given[3], tuple) else (), given[0], strict=False):
                yield from (less(num(0), low), less(low, high), less(high, size))
