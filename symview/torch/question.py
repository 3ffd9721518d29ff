"""What is asked of a tensor: its view and the sizes, over the symbols of a ShapeEnv, and what is known of these."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from symview.logic.budget import DEFAULT, Budget
from symview.logic.sympy_bridge import Integer, free_symbols, from_entry, to_entry
from symview.logic.terms import Term
from symview.torch.knowledge import entry_with
from symview.torch.settled import Settled
from symview.view import View, unchecked


class Question(NamedTuple):
    """The view, the sizes, the values at which it is asked, and what is taken for granted.

    `equal`: symbols of the tensor that are known to be expressions in others, which stand in the view instead.
    """

    view: View
    shape: tuple[Integer, ...]
    values: Mapping[str, int] = {}
    facts: tuple[Term, ...] = ()
    equal: Mapping[str, Term] = {}
    budget: Budget = DEFAULT

    def symbols(self) -> dict[str, Any]:
        """The symbols by name."""
        return free_symbols([*self.view.entries(), *self.shape])

    def here(self) -> dict[str, int]:
        """The values of those symbols that have one."""
        return {name: self.values[name] for name in self.symbols() if name in self.values}


def question_of(
    rank: int, entries: tuple[Integer, ...], values: Mapping[str, int], found: Settled, budget: Budget
) -> Question:
    """The question of these entries, with what was known and used of the symbols in the answer."""
    if found.equal or found.quotients:
        symbols, equal = free_symbols(entries), dict(found.equal)
        known = [entry_with(to_entry(n), equal, found.quotients) for n in entries]
        entries = tuple([from_entry(n, symbols) for n in known])
    view = unchecked(entries[:rank], entries[rank : 2 * rank], entries[2 * rank], None)
    return Question(view, entries[2 * rank + 1 :], values, found.facts, dict(found.equal), budget)
