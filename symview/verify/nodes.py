"""The nodes of statements, and the notions that every kind of certificate shares: each is decided here, and only here.

A statement is a tree of formulas, in total arithmetic: a quotient by 0 is some number, so where a value is needed, a
divisor other than 0 stands in the formula. Above formulas there are binders, and assumptions:

("all", names, body)         for all integers
("at", values, body)         where the names have these values
("along", Along, body)       for every list whose elements satisfy `each`; the folds' names are its values
("given", formulas, body)    if all these hold, so does the body
("one_of", formulas, words)  just one of these holds; the words are what is said where each does
("one_view", Chain)          the views lead where one view does, at every index of its box; the sizes fit
("is", Chain, View)          they lead where this view does; ("is", Operation, layout): this is its result
("leaves", Chain)            at some index of its own, a view leads out of the one before
("breaks", Chain, index)     there the views lead elsewhere than the one view through the first indices, or out of one
("same", Chain, Chain, last) both lead to the same places: at every index, or at those before the last
("differ", Chain, Chain, …)  at this index they lead to these two places
("has", Property)            a view has this property
("share", views)             two views share an address
("shows", Rule)              where the left program is defined, so is the right one, with the same elements
("apart", Rule, index)       the left one is defined, and the right one is not, or has another element there
("exists", Operation)        an operation on layouts has a result
("open", what)               nothing is claimed, for this reason
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from symview.trusted.document import BadCertificate, View
from symview.trusted.formulas import FORMULAS, RELATIONS, Tree, defined, names, put

Node = Tree  # a formula, or a tree of those above formulas
_LONGEST = 100_000  # operands of the formulas that one has a value


class Along(NamedTuple):
    """The folds of one list, each with its first value and its next one; `each` holds for all elements.

    `own` are the names that are new in each element; all others do not change along the list.
    """

    folds: dict[str, list[Tree]]
    each: list[Tree]
    own: set[str]

    @property
    def fixed(self) -> set[str]:
        """The names that do not change along the list."""
        return {*self.names()} - {*self.folds} - self.own

    def names(self) -> dict[str, None]:
        """The names in it, in order."""
        return names(*self.each, *[x for pair in self.folds.values() for x in pair])

    def firsts(self) -> dict[str, Tree]:
        """The values of the folds for the empty list."""
        return {n: first for n, (first, _) in self.folds.items()}

    def nexts(self) -> dict[str, Tree]:
        """The values of the folds after one more element."""
        return {n: later for n, (_, later) in self.folds.items()}


class Chain(NamedTuple):
    """Views, the outer one first, each of which leads to an index of the one before; `fits` holds where it is asked."""

    views: tuple[View, ...]
    fits: Tree = True


class Property(NamedTuple):
    """That a view is dense, injective, or contiguous in an order; `flips`: as far as flips of axes go."""

    view: View
    name: str
    order: tuple[int, ...] | None = None
    flips: bool = False


class Operation(NamedTuple):
    """An operation on layouts; `bound` is that of a complement, `shape` and `order` are those of tiles."""

    name: str
    layouts: tuple[Any, ...]
    bound: Tree = None
    shape: tuple[Tree, ...] | None = None
    order: tuple[int, ...] | None = None


class Program(NamedTuple):
    """Movement operations on a tensor: `steps` are operations with expressions, a view, or a program and an axis."""

    tensor: str
    shape: tuple[Tree, ...]
    steps: tuple[tuple[Any, ...], ...]

    def entries(self) -> list[Tree]:
        """The expressions in it, but for those of programs in it."""
        return [*self.shape, *[x for _, *given in self.steps for one in given for x in _entries_of(one)]]

    def names(self) -> dict[str, None]:
        """The names in it, and in programs in it."""
        inner = [one for _, *given in self.steps for one in given if isinstance(one, Program)]
        return {**names(*self.entries()), **{n: None for one in inner for n in one.names()}}


def _entries_of(given: Any) -> Sequence[Tree]:
    return given.entries() if isinstance(given, View) else () if isinstance(given, Program) else (given,)


class Rule(NamedTuple):
    """Two programs; `more`: the first dim of each stands for any number of dims."""

    left: Program
    right: Program
    more: bool

    def names(self) -> dict[str, None]:
        """The names in both."""
        return {**self.left.names(), **self.right.names()}


# What every kind means by them


def meant(*formulas: Tree, then: Sequence[Tree] = ()) -> list[Tree]:
    """The formulas, as assumptions, after those that they and `then` have values.

    The trees are as they were read: after a substitution, what had no value may be gone. What is evident by the signs
    of the formulas is left out, which makes a statement only stronger.

    >>> meant((">=", "a", 1), then=[("==", ("%", "x", ("*", 2, "a")), ("//", 1, "y"))])
    [('!=', 'y', 0), ('>=', 'a', 1)]
    """
    return assumed(formulas, defined(*formulas, *then))


def assumed(formulas: Sequence[Tree], before: Sequence[Tree], after: Sequence[Tree] = ()) -> list[Tree]:
    """The formulas, and those before and after them that are not evident by their signs."""
    own, bounds = {*formulas}, _lows(formulas)
    every = dict.fromkeys((*before, *formulas, *after))
    return [f for f in every if f is not True and (f in own or not _evident(f, bounds))]


def says(*formulas: Tree) -> list[Tree]:
    """The formulas, as a claim: they have values, and hold; nothing is left out but numbers."""
    every = dict.fromkeys((*defined(*formulas), *formulas))
    return [f for f in every if names(f) or put(f, {}) is not True]


def holds(*formulas: Tree) -> list[Tree]:
    """The formulas, as a claim, each read from the left as programs do: it has a value so far as it is read, and holds.

    >>> holds(("or", ("==", "y", 0), ("==", ("%", 6, "y"), 0)))
    [('or', ('==', 'y', 0), ('!=', 'y', 0)), ('or', ('==', 'y', 0), ('==', ('%', 6, 'y'), 0))]
    """
    found = dict.fromkeys(x for f in formulas for x in (*valued(f), f))
    return [f for f in found if names(f) or put(f, {}) is not True]


def valued(f: Tree) -> list[Tree]:
    """Formulas that another one has a value, read from the left no further than needed; none if it always has."""
    if not (divisors := defined(f)):
        return []
    op, *parts = f
    if op in RELATIONS:
        return [*dict.fromkeys(divisors)]
    found, before = dict[Tree, Tree](), list[Tree]()  # what is said already where less is read is not said again
    for part in parts:
        for v in valued(part):
            if v not in found and len(found) * len(parts) > _LONGEST:
                raise BadCertificate("too many parts of a formula may have no value")
            found.setdefault(v, either([*before, *(v[1:] if v[0] == "or" else (v,))]))
        if op in ("and", "or", "->"):
            before.append(part if op == "or" else ("not", part))
    return [*dict.fromkeys(found.values())]


def _evident(f: Tree, bounds: Mapping[Tree, int]) -> bool:
    """Whether a formula holds by itself, or says that what is positive is not 0, or not below 0."""
    if put(f, {}) is True:
        return True
    match f:
        case ("!=", t, 0):
            return _is_above(put(t, {}), 1, bounds)
        case (">=", t, (0 | 1) as least) | ("<=", (0 | 1) as least, t):
            return _is_above(put(t, {}), least, bounds)
    return False


def _lows(formulas: Sequence[Tree]) -> dict[Tree, int]:
    """The least value of expressions, by the formulas that compare them with a number."""
    found = dict[Tree, int]()
    for f in formulas:
        match f:
            case (">=" | ">" as op, t, int(n)) | ("<=" | "<" as op, int(n), t):
                found[t] = max(n + (op in "<>"), found.get(t, n))
    return found


def _is_above(t: Tree, least: int, bounds: Mapping[Tree, int]) -> bool:
    """Whether an expression is at least 0 or 1, by the signs of its terms."""
    if type(t) is tuple and t[0] in ("*", "+") and all(_is_above(x, least, bounds) for x in t[1:]):
        return True
    return t >= least if type(t) is int else bounds.get(t, least - 1) >= least


def smaller(at: Mapping[str, int]) -> Tree:
    """Formula: the absolute values of the names have a smaller sum."""
    sizes = [("abs", n) for n in at]
    return ("<", sizes[0] if len(sizes) == 1 else ("+", 0, *sizes), sum(map(abs, at.values())))


def bounded(f: Tree) -> list[Tree]:
    """An assumption; before a bound of a sum of absolute values, that each name is nearer to 0."""
    match f:
        case ("<", ("abs", str()) as one, int(most)):
            near = [one]
        case ("<", ("+", 0, *near), int(most)) if all(type(t) is tuple and t[0] == "abs" for t in near):
            pass
        case _:
            return [f]
    return [*[x for _, n in near for x in (("<", -most, n), ("<", n, most))], f]


def both(formulas: Sequence[Tree]) -> Tree:
    """The conjunction."""
    return formulas[0] if len(formulas) == 1 else ("and", *formulas) if formulas else True


def either(formulas: Sequence[Tree]) -> Tree:
    """The disjunction."""
    return formulas[0] if len(formulas) == 1 else ("or", *formulas) if formulas else False


def if_(formulas: Iterable[Tree], body: Node) -> Node:
    """The body, under these assumptions."""
    given = tuple(formulas)
    return ("given", given, body) if given else body


def every(about: Iterable[str], body: Node) -> Node:
    """The body, for all integers of these names."""
    bound = tuple(dict.fromkeys(about))
    return ("all", bound, body) if bound else body


def is_formula(node: Node) -> bool:
    """Whether nothing but formulas is in it."""
    if type(node) is not tuple or node[0] in RELATIONS:
        return type(node) in (bool, tuple)
    return node[0] in FORMULAS and len(node) > 1 and all(map(is_formula, node[1:]))


def domain(*views: View) -> list[Tree]:
    """Formulas: no size is below 0, and every mask is in its view."""
    return [(">=", n, 0) for v in views for n in v.shape] + masks(*views)


def masks(*views: Any) -> list[Tree]:
    """Formulas: every mask is in its view; of a layout, which has none, there are none."""
    bounds = [(n, *b) for v in views if isinstance(v, View) for n, b in zip(v.shape, v.mask or (), strict=False)]
    return [("<=", x, y) for n, a, b in bounds for x, y in ((0, a), (a, b), (b, n)) if x != y]


def entries(x: Any) -> list[Tree]:
    """The sizes and strides of a layout or a tiler."""
    if x is None or type(x) is tuple:
        return [*(x or ())]
    return [e for m in (x["modes"] if type(x) is dict else x) for e in entries(m)]
