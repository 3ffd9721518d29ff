"""What is asked of a tensor: its view and the sizes, over the symbols of a ShapeEnv, and what is known of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from symview.logic.budget import DEFAULT, Budget
from symview.logic.sympy_bridge import Integer, domain, free_symbols, to_sympy, to_term
from symview.logic.terms import Term, num
from symview.torch.knowledge import Content, known
from symview.view import View


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

    def assuming(self, facts: Iterable[Term]) -> Question:
        """With more facts, and what the symbols were declared as."""
        declared = [f for s in self.symbols().values() for f in domain(s)]
        return self._replace(facts=tuple(dict.fromkeys((*self.facts, *facts, *declared))))


def question_of(view: View, shape: tuple[Integer, ...], told: Content, budget: Budget) -> Question:
    """The question with what a ShapeEnv tells; a symbol that is known to be an expression in others is left out."""
    have = known(told)
    if have.equal:
        from sympy import sympify

        symbols = free_symbols([*view.entries(), *shape])
        swap = {symbols[name]: sympify(to_sympy(term, symbols)) for name, term in have.equal.items()}
        entries = [_swapped(n, swap) for n in (*view.shape, *view.strides, view.offset, *shape)]
        rank = view.rank
        view, shape = View(entries[:rank], entries[rank : 2 * rank], entries[2 * rank]), tuple(entries[2 * rank + 1 :])
    question = Question(view, shape, have.hints, equal=have.equal, budget=budget)
    return question.assuming([*have.facts, *_sizes(view, shape)])


def _swapped(entry: Integer, swap: Mapping[Any, Any]) -> Integer:
    if isinstance(entry, int):
        return entry
    found = entry.xreplace(swap)
    return int(found) if found.is_Integer else found


def _sizes(view: View, shape: tuple[Integer, ...]) -> list[Term]:
    """That sizes are not negative, of those that are not plainly positive: so they may be 0."""
    return [
        Term(">=", (to_term(n), num(0)))
        for n in dict.fromkeys((*view.shape, *shape))
        if not isinstance(n, int) and not n.is_positive
    ]
