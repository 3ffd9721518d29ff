"""Bounds of names, read from formulas, and the use of bounds: bits and powers of bounded values, for solvers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from symview.trusted.formulas import Ranges, Tree, conjuncts, made, weight
from symview.trusted.work import Work

WIDE = 32  # bits, and values of an exponent
Range = tuple[int | None, int | None]  # the least and the largest value, if known
NONE: Range = (None, None)


def bounds(given: Iterable[Tree], ranges: Ranges) -> dict[str, Range]:
    """The bounds of names that follow from comparisons with numbers."""
    found: dict[str, Range] = {n: (a, b - 1) for n, (a, b) in ranges.items() if type(a) is type(b) is int}
    for n, bound in (pair for f in conjuncts(given) for pair in _from_comparison(f)):
        lows, highs = ([x for x in pair if x is not None] for pair in zip(found.get(n, NONE), bound, strict=True))
        found[n] = (max(lows, default=None), min(highs, default=None))
    return found


def _from_comparison(f: Tree) -> list[tuple[str, Range]]:
    """The bounds that follow from one comparison."""
    match f:
        case op, int(x), str(n):
            return _from_comparison(({"<": ">", "<=": ">=", ">": "<", ">=": "<="}.get(op, op), n, x))
        case op, str(n), int(x):
            says = {"<": (None, x - 1), "<=": (None, x), ">": (x + 1, None), ">=": (x, None), "==": (x, x)}
            return [(n, says[op])] if op in says else []
    return []


def extent(tree: Tree, known: Mapping[str, Range]) -> Range:
    """Bounds of an expression: of sums, products of nonnegative factors, and bits."""
    if type(tree) is not tuple:
        return (tree, tree) if type(tree) is int else known.get(tree, NONE)
    op, parts = tree[0], [extent(p, known) for p in tree[1:]]
    lows, highs = [low for low, _ in parts], [high for _, high in parts]
    positive = all(low is not None and low >= 0 for low in lows)
    if op == "+":
        return _all(sum, lows), _all(sum, highs)
    if op == "*" and positive:
        high = _all(lambda xs: made("*", 1, *xs), highs)
        return 0, high if type(high) is int else None
    if op in ("&", "|", "^") and positive and None not in highs:
        return 0, (1 << max(high.bit_length() for high in highs if high is not None)) - 1
    return NONE


def _all(of: object, xs: Sequence[int | None]) -> int | None:
    return None if None in xs else of(xs)  # type: ignore[operator]


def spelled(tree: Tree, known: Mapping[str, Range], work: Work) -> Tree:
    """Replaces bounded `& | ^` by sums of bits, and bounded `<< >> **` by choices of the exponent."""
    if type(tree) is not tuple:
        return tree
    op, parts = tree[0], [spelled(p, known, work) for p in tree[1:]]
    work.spend()
    if op in ("&", "|", "^", "<<", ">>", "**"):
        work.spend(weight(*tree[1:]))  # for the extents
    if op in ("&", "|", "^"):
        whole = [extent(p, known) for p in tree[1:]]
        if all(low is not None and low >= 0 and high is not None and high.bit_length() <= WIDE for low, high in whole):
            width = max(high.bit_length() for _, high in whole if high is not None)
            return ("+", 0, *[("if", _bit(op, parts[0], parts[1], 1 << k), 1 << k, 0) for k in work.over(range(width))])
    if op in ("<<", ">>", "**") and type(parts[1]) is not int:
        low, high = extent(tree[2], known)
        if low is not None and high is not None and low >= 0 and high - low < WIDE:
            found: Tree = made(op, parts[0], high)
            for k in work.over(range(high - 1, low - 1, -1)):
                found = ("if", ("==", parts[1], k), made(op, parts[0], k), found)
            return found
    return (op, *parts)


def _bit(op: str, a: Tree, b: Tree, place: int) -> Tree:
    """Whether the bit at a place is set."""
    one, other = (("==", ("%", ("//", x, place), 2), 1) for x in (a, b))
    return ("not", ("<->", one, other)) if op == "^" else ("and" if op == "&" else "or", one, other)
