"""Maps of views, layouts and programs: strides map an index to an address, sizes map an address to an index.

All values are expressions, or numbers if computed from numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from symview.trusted.document import View
from symview.trusted.formulas import Tree, made
from symview.trusted.work import Work

Index = Sequence[Tree]
Layout: TypeAlias = Any  # (size, stride), or a list of layouts


class Lets(dict[str, Tree]):
    """Names for intermediate expressions, each in terms of earlier names; numbers and names get no new name."""

    def __init__(self, tag: str) -> None:
        super().__init__()
        self.tag = tag

    def name(self, tree: Tree) -> Tree:
        """The name of an expression."""
        if type(tree) is not tuple:
            return tree
        self[f"#{self.tag}{len(self)}"] = tree
        return f"#{self.tag}{len(self) - 1}"


def address(index: Index, strides: Index, offset: Tree = 0) -> Tree:
    """Σ index·stride + offset."""
    return made("+", offset, *[made("*", i, t) for i, t in zip(index, strides, strict=True)])


def digits(x: Tree, sizes: Index, lets: Lets) -> list[Tree]:
    """The digits of a number, the fastest first, each below its size except the last, which has no bound."""
    x, place = lets.name(x), 1
    above, found = x, list[Tree]()
    for n in sizes[:-1]:
        place, q = made("*", place, n), above
        above = lets.name(x if place == 1 else made("//", x, place))
        found.append(made("-", q, made("*", n, above)))
    return [*found, above][: len(sizes)]


def within(index: Index, bounds: Sequence[tuple[Tree, Tree]]) -> Tree:
    """Formula: each low <= i < high."""
    pairs = zip(index, bounds, strict=True)
    return made("and", True, *[f for i, (low, high) in pairs for f in (made("<=", low, i), made("<", i, high))])


def box(shape: Index) -> dict[str, tuple[Tree, Tree]]:
    """Names for the entries of an index, and their ranges."""
    return {f"#{a}": (0, n) for a, n in enumerate(shape)}


def size(shape: Index) -> Tree:
    """The number of indices."""
    return made("*", 1, *shape)


def entered(x: Tree, shape: Index, lets: Lets) -> tuple[list[Tree], Tree]:
    """The row-major index at an address, and the formula that the address is inside."""
    x = lets.name(x)
    return digits(x, shape[::-1], lets)[::-1], within([x], [(0, size(shape))])


def seen(view: View, index: Index) -> tuple[Tree, Tree]:
    """The address of a view at an index, and the formula that no mask hides it."""
    valid = made("and", not view.void, within(index, view.mask) if view.mask else True)
    return address(index, view.strides, view.offset), valid


class Point(NamedTuple):
    """A chain at an index: the address, whether no mask hides it, and whether an earlier address is out of bounds."""

    lets: dict[str, Tree]
    address: Tree
    valid: Tree
    outside: Tree


def composed(views: Sequence[View], index: Index, work: Work, tag: str = "") -> Point:
    """Evaluates the chain at an index."""
    work.spend(len(views) ** 2 + 20 * sum([len(v.shape) for v in views]))
    lets, valid, outside = Lets(f"x{tag}."), list[Tree]([True]), list[Tree]([False])
    for n in range(len(views) - 1, -1, -1):
        x, visible = seen(views[n], index)
        valid.append(visible)
        if n:
            index, inside = entered(x, views[n - 1].shape, lets)
            outside.append(made("and", *valid, made("not", inside)))
    return Point(lets, x, made("and", *valid), made("or", *outside))


# Layouts: colexicographic, the last mode unbounded


def modes(x: Layout) -> list[Layout]:
    """The modes; a single mode is its own only mode."""
    return x if type(x) is list else [x]


def leaves(x: Layout) -> list[tuple[Tree, Tree]]:
    """The flat list of sizes and strides."""
    return [e for m in x for e in leaves(m)] if type(x) is list else [x]


def count(x: Layout) -> Tree:
    """The size of a layout."""
    return size([n for n, _ in leaves(x)])


def cosize(of: Layout) -> Tree:
    """One more than the largest value, for nonnegative strides."""
    return made("+", 1, *[made("*", made("-", n, 1), d) for n, d in leaves(of)])


def value(x: Layout, i: Tree, lets: Lets) -> Tree:
    """The value of the layout at a nonnegative index."""
    flat = leaves(x)
    return address(digits(i, [n for n, _ in flat], lets), [d for _, d in flat])
