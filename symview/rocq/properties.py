"""Properties of a view, in its sizes and strides; an injective view has no address at two indices."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import permutations
from math import factorial
from typing import Any

from symview.rocq.places import both, either
from symview.rocq.terms import Open
from symview.trusted.formulas import Tree, made
from symview.verify.kinds.maps import address, within
from symview.verify.nodes import Node, Property, is_formula

MOST = 720  # orders of dims


def plain(node: Node) -> Node:
    """The statement with formulas for properties of a view; that a view is injective stays."""
    if type(node) is not tuple or is_formula(node):
        return node
    op, *of = node
    if op == "has" and of[0].name != "injective":
        return _formula(of[0])
    if op in ("all", "at", "along"):
        return (op, of[0], plain(of[1]))
    if op == "given":
        return (op, tuple(map(plain, of[0])), plain(of[1]))
    return (op, *map(plain, of)) if op in ("and", "or", "not", "->", "<->") else node


def _formula(of: Property) -> Tree:
    """Dense, contiguous: in some order, each stride is as the faster dims ask for; or there is no index."""
    sizes, strides = _sizes(of), [*map(tidy, of.view.strides)]
    orders = [of.order] if of.order is not None else permutations(range(len(sizes)))
    if of.order is None and factorial(len(sizes)) > MOST:
        raise Open("a property of a view of many dims")
    if of.flips:
        strides = [made("abs", t) for t in strides]
    ways = [_in_order([(sizes[a], strides[a]) for a in order]) for order in orders]
    return tidy(("or", of.view.void, *[("<=", n, 0) for n in sizes], *ways))


def _in_order(dims: Iterable[tuple[Tree, Tree]]) -> Tree:
    """Each stride is the product of the sizes of faster dims."""
    parts, many = list[Tree](), 1
    for n, t in dims:
        parts.append(("or", ("==", n, 1), ("==", t, many)))
        many = made("*", many, n)
    return ("and", True, *parts)


def _sizes(of: Property) -> list[Tree]:
    """The sizes within the mask."""
    return [tidy(("-", high, low)) for low, high in of.view.mask or [(0, n) for n in of.view.shape]]


def tidy(t: Tree) -> Tree:
    """Computes numbers; removes differences from 0, and trivial parts of connectives."""
    if type(t) is not tuple:
        return t
    op, *parts = (t[0], *map(tidy, t[1:]))
    if op in ("and", "or"):
        return both(*parts) if op == "and" else either(*parts)
    return parts[0] if op == "-" and parts[1] == 0 else made(op, *parts)


def indices(of: Property) -> tuple[Sequence[str], Sequence[str], list[Tree], Tree]:
    """The names of two indices, the formulas that both are in the box and have one address, that they are the same."""
    sizes = _sizes(of)
    first, second = ([f"#{k + start}" for k in range(len(sizes))] for start in (0, len(sizes)))
    inside = [f for row in (first, second) for f in within(row, [(0, n) for n in sizes])[2:]]
    meet = ("==", address(first, of.view.strides), address(second, of.view.strides))
    same = [("==", a, b) for a, b in zip(first, second, strict=True)]
    return first, second, [*inside, meet], ("and", *same) if len(same) > 1 else same[0] if same else True


def injective(proofs: Any, node: Node, known: Any, case: Any) -> tuple[Node, list[str]]:
    """Index differences are 0 if the address difference is."""
    of, book, text = node[1], proofs.book, proofs.text
    if of.view.void or not of.view.shape:
        return node, ["exact I."]
    first, second, given, _ = indices(of)
    moves, sizes = [f"#{k}" for k in range(len(first))], _sizes(of)
    box = [f for d, n in zip(moves, sizes, strict=True) for f in (("<", made("-", 0, n), d), ("<", d, n))]
    zero, claim = ("==", address(moves, of.view.strides), 0), ("and", True, *[("==", d, 0) for d in moves])
    lemma = book.lemma(claim, [*known.given, *box, zero], "that no two indices have one address", search=False)
    at = {d: ("-", a, b) for d, a, b in zip(moves, first, second, strict=True)}
    told = text.formula(("and", True, *[("==", x, 0) for x in at.values()]))
    taken = " ".join([*[text.names[n] for n in (*first, *second)], *[f"b'{k}" for k in range(len(given))]])
    return node, [f"intros {taken}. assert (k' : {told}) by ({book.use(lemma, at)}); lia."]
