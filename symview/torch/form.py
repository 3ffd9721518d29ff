"""Questions up to the names of their symbols: those of one form have one answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from symview.logic.sympy_bridge import Integer, to_entry
from symview.logic.terms import IntTerm, Term, renamed, sym
from symview.torch.knowledge import Content


class Form(NamedTuple):
    """A question up to the names and values of its symbols: these are numbered in order of appearance.

    `entries`: the sizes, of which there are `rank`, the strides, the offset, the sizes asked for. `declared`: what the
    symbols of the entries were declared as in sympy. `facts` hold for all values in question; `told` is what a
    ShapeEnv knows, where sizes may be 0.
    """

    rank: int
    entries: tuple[IntTerm, ...]
    declared: tuple[frozenset[tuple[str, Any]], ...]
    facts: tuple[Term, ...] = ()
    told: Content | None = None

    def sizes(self) -> tuple[IntTerm, ...]:
        """The sizes that there are, and those asked for."""
        return (*self.entries[: self.rank], *self.entries[2 * self.rank + 1 :])

    def symbols(self) -> dict[str, Any]:
        """The symbols of the entries, as they were declared."""
        from sympy import Symbol

        return {(name := numbered(n).args[0]): Symbol(name, **dict(d)) for n, d in enumerate(self.declared)}


def form_of(
    rank: int,
    entries: Sequence[Integer],
    symbols: Mapping[str, Any],
    facts: Iterable[Term] = (),
    told: Content | None = None,
) -> tuple[Form, tuple[str, ...]]:
    """The form of the question, and the names that the numbers stand for."""
    terms = tuple(map(to_entry, entries))
    order = tuple(dict.fromkeys((*symbols, *(told.names() if told else ()))))
    numbers = {name: numbered(n) for n, name in enumerate(order)}
    entered = tuple([renamed(t, numbers) if isinstance(t, Term) else t for t in terms])
    declared = tuple([_declared(s) for s in symbols.values()])
    said = tuple(sorted([renamed(f, numbers) for f in facts]))
    return Form(rank, entered, declared, said, told and told.renamed(numbers)), order


def numbered(n: int) -> Term:
    """The symbol of this number."""
    return sym(f"x{n}")


def _declared(symbol: Any) -> frozenset[tuple[str, Any]]:
    given = symbol._assumptions_orig if hasattr(symbol, "_assumptions_orig") else symbol.assumptions0
    return frozenset(given.items())


def in_names(text: str, order: Sequence[str]) -> str:
    """A message about a form, with the names that the numbers stand for."""
    return re.sub(r"\bx(\d+)\b", lambda found: order[int(found[1])], text)
