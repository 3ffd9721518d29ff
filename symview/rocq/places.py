"""Where an index leads through views, written in quotients: facts about `look` of `Definitions.v`, and their proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from typing import NamedTuple

from symview.rocq.terms import Printer
from symview.trusted.document import View
from symview.trusted.formulas import Tree, conjuncts, made
from symview.verify import nodes
from symview.verify.kinds.maps import address, size, within

Index = tuple[Tree, ...]


class Place(NamedTuple):
    """Where an index leads: out of bounds or, if `valid` holds, to an address; `proof` has the tactics."""

    outside: Tree
    valid: Tree
    address: Tree
    proof: list[str]


def both(*formulas: Tree) -> Tree:
    """The conjunction, flat and without trivial parts.

    >>> both(True, ("<", "x", 1), ("and", ("<", "y", 1), True)), both(), both(("<", "x", 1), False)
    (('and', ('<', 'x', 1), ('<', 'y', 1)), True, False)
    """
    parts = [f for f in conjuncts(formulas) if f is not True]
    return False if False in parts else nodes.both(parts)


def either(*formulas: Tree) -> Tree:
    """The disjunction, without trivial parts."""
    return True if True in formulas else nodes.either([f for f in formulas if f is not False])


def place(views: Sequence[View], index: Index, text: Printer) -> Place:
    """Where an index of the last view leads.

    >>> from symview.rocq.terms import Names
    >>> found = place([View((2, 4), ("a", "b"), 0), View((3,), (2,), 1)], (2,), Printer(Names()))
    >>> found.address
    ('+', 'a', 'b')
    """
    v = views[-1]
    x = address(index, v.strides, v.offset)
    visible = False if v.void else both(within(index, v.mask)) if v.mask else True
    flat, shown = text.integer(x), text.premise(visible)
    if len(views) == 1:
        proof = [f"refine (sv_at_first _ _ _ _ _ {enclosed(shown)} {flat} _ _); [sv_ring|sv_mask]."]
        return Place(False, visible, x, proof)
    count, rows = size(views[-2].shape), _digits(x, views[-2].shape)
    before = place(views[:-1], tuple(d for d, *_ in rows), text)
    told = "; ".join(text.integer(d) for d, *_ in rows)
    proof = [
        f"eapply (sv_at_before _ _ _ _ _ _ _ _ _ _ {flat} [{told}] {text.integer(count)} {enclosed(shown)}).",
        "{ sv_ring. }", "{ sv_mask. }", "{ sv_ring. }", "{ intros b'; cbn [digits size_of].",
        *[_digit(x, n, row, text) for (_, *row), n in zip(rows, views[-2].shape, strict=True)],
        "reflexivity. }", "{", *before.proof, "}",
    ]  # fmt: skip
    out = either(both(visible, made("not", both(within([x], [(0, count)])))), both(visible, before.outside))
    return Place(out, both(visible, before.valid), before.address, proof)


def _digits(x: Tree, shape: Sequence[Tree]) -> list[tuple[Tree, Tree, Tree, Tree, Tree]]:
    """For each dim: digit, place, next place, quotients by both places; the first dim has no next place (None)."""
    at, above, found = 1, x, list[tuple[Tree, Tree, Tree, Tree, Tree]]()
    for n in reversed(shape[1:]):
        place, q = made("*", at, n), above
        above = x if place == 1 else made("//", x, place)
        found.append((made("-", q, made("*", n, above)), at, place, q, above))
        at = place
    return [(above, at, None, above, None), *reversed(found)] if shape else []


def _digit(x: Tree, n: Tree, row: Sequence[Tree], text: Printer) -> str:
    """The tactic that proves one digit."""
    at, place, q, above = (None if t is None else text.integer(t) for t in row)
    if place is None:
        return (
            f"refine (sv_cons _ _ _ _ (sv_first_digit _ _ _ {at} {q} _ _ _ _) _); [sv_ring|sv_above|lia|sv_quotient|]."
        )
    return (f"refine (sv_cons _ _ _ _ (sv_digit _ _ _ {at} {place} {q} {above} _ _ _ _ _ _ _ _) _); "
            "[sv_ring|sv_above|sv_above|sv_ring|sv_quotient|sv_quotient|sv_ring|].")  # fmt: skip


def implication(given: Iterable[Tree], claim: Tree) -> Tree:
    """The claim under nested implications, one for each given formula."""
    parts = [f for f in given if f is not True]
    return True if claim is True else reduce(lambda says, f: ("->", f, says), reversed(parts), claim)


def enclosed(text: str) -> str:
    """A proposition that can stand as an argument."""
    return text if text in ("True", "False") or text[0] == "(" else f"({text})"
