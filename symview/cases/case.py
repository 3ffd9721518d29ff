"""One case of conditions, and the indices that force it, with views and sympy instead of formulas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from symview.answers import AffineView, CaseData, Status
from symview.displayed import Displayed
from symview.engine.index_map import index_text
from symview.logic.integer import Integer, of_term
from symview.logic.notation import term_text
from symview.logic.sympy_bridge import sympy_equation, to_sympy, to_term
from symview.logic.terms import Term, with_nonzero_divisors
from symview.show.formulas import case_headline, case_text, equation_text
from symview.view import View

if TYPE_CHECKING:
    import sympy


def view_of(found: AffineView, symbols: Mapping[str, Any]) -> View:
    """The view whose entries are these formulas over the symbols."""
    shape, strides = ([of_term(x, symbols) for x in side] for side in (found.shape, found.strides))
    mask = found.mask
    if isinstance(mask, tuple):
        mask = [[of_term(x, symbols) for x in pair] for pair in mask]
    return View(shape, strides, of_term(found.offset, symbols), mask)


@dataclass(frozen=True, slots=True)
class Witness(Displayed):
    """An index that forces a condition.

    The step to `index` along `axis` has the overflow pattern `pattern` (1 where a boundary overflows beyond its whole
    multiples, largest place value first), unlike the first step of the axis. `digits` are the outer view's digits
    there; `equation` is the equation that this forces. `inner` is the inner view with the numbers at which this was
    found, if its strides or offset are symbolic.
    """

    index: tuple[int, ...]
    axis: int
    pattern: tuple[int, ...]
    digits: tuple[int, ...]
    equation: sympy.Eq
    inner: View | None = None

    def __str__(self) -> str:
        return f"{index_text(self.index)} forces {equation_text(Term('==', tuple(map(to_term, self.equation.args))))}"


@dataclass(frozen=True, repr=False)
class Case(Displayed):
    """The answer for the sizes that satisfy `where`.

    `equations` are what the strides have to satisfy (none for `always`). `view` is the merged view if they hold, with
    strides f(e_j) − f(0) not yet simplified by them. `witnesses` force the equations. `reason` says why the equations
    are complete, or what stopped the search. `confirmed` says that equations and constraints imply each other (False if
    the budget did not decide it). For `undecided`, the equations are proved sufficient, and may not be necessary.
    `data` has all of this as formulas.
    """

    data: CaseData
    symbols: Mapping[str, Any] = field(compare=False)
    empty: frozenset[str] = field(default=frozenset(), compare=False)  # names of sizes that may be 0

    @property
    def status(self) -> Status:
        """Whether the views merge here, and under which kind of condition."""
        return self.data.status

    @property
    def reason(self) -> str:
        """Why the equations are complete, or what stopped the search."""
        return self.data.reason

    @property
    def confirmed(self) -> bool:
        """Whether equations and constraints are proved to imply each other."""
        return self.data.confirmed

    @cached_property
    def where(self) -> sympy.Basic:
        """The condition on the sizes."""
        return to_sympy(with_nonzero_divisors(self.data.where, self.empty), self.symbols)

    @cached_property
    def equations(self) -> tuple[sympy.Eq, ...]:
        """The equations that the strides have to satisfy, each with its leading monomial alone on the left."""
        return tuple([sympy_equation(e, self.symbols) for e in self.data.required])

    @cached_property
    def view(self) -> View | None:
        """The merged view if the equations hold."""
        return None if self.data.view is None else view_of(self.data.view, self.symbols)

    @cached_property
    def witnesses(self) -> tuple[Witness, ...]:
        """Indices that force the equations."""
        found = [(w, sympy_equation(w.required, self.symbols)) for w in self.data.witnesses]
        return tuple([Witness(w.index, w.axis, w.pattern, w.digits, equation, w.inner) for w, equation in found])

    @property
    def answer(self) -> Any:
        """The answer if the equations hold: the merged view, a layout, or another answer of the question."""
        return self.view if self.data.answer is None else self.data.answer

    def substituted(self) -> View | None:
        """The merged view after substituting the equations that are solved for a symbol."""
        if self.view is None:
            return None
        known: dict[str, Integer] = {}
        for left, right in (e.args for e in reversed(self.data.required)):
            if left.op == "sym":
                known[left.args[0]] = of_term(right, {**self.symbols, **known})
        if not known:
            return self.view
        swap = [x if isinstance(x, int) else x.put(known) for x in (*self.view.strides, self.view.offset)]
        return View(self.view.shape, swap[:-1], swap[-1], self.view.mask)

    def condition(self) -> Term:
        """The formula that the views merge within this case."""
        return self.data.condition()

    def headline(self) -> str:
        """The status or the equations as text."""
        return case_headline(self.data)

    def __str__(self) -> str:
        return case_text(self.data)

    def __repr__(self) -> str:
        return f"<Case {self}>"

    def __hash__(self) -> int:
        return hash(self.data)

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON; expressions in the notation."""
        return {
            "where": term_text(self.data.where),
            "status": str(self.status),
            "equations": [equation_text(e, "*") for e in self.data.required],
            "view": None if self.view is None else str(self.view),
            "substituted": None if self.view is None else str(self.substituted()),
            "witnesses": [
                {
                    "index": list(w.index), "axis": w.axis, "pattern": list(w.pattern),
                    "digits": list(w.digits), "equation": equation_text(w.required, "*"),
                    **({} if w.inner is None else {"inner": str(w.inner)}),
                }
                for w in self.data.witnesses
            ],
            "reason": self.reason,
            "confirmed": self.confirmed,
        }  # fmt: skip
