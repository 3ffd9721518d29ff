"""From a row space to a case: equations in the user's symbols, confirmed by Z3, with their evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

from symview.answers import Case, Status, Witness
from symview.engine import radix
from symview.engine.decide import digits_of
from symview.engine.overflow import active_carries, pattern
from symview.engine.overflow_space import Rows, Step
from symview.engine.valid_box import Region
from symview.engine.view_chain import Nest
from symview.errors import InternalError
from symview.logic import z3_door as smt
from symview.logic.budget import Budget
from symview.logic.sympy_bridge import evaluate, free_symbols, to_term
from symview.logic.terms import Term, conj, conjuncts, names, negated
from symview.symbolic.equations import ONE, Equations, Form, combine, equation, form_of, opaque_zero, to_strides, zero
from symview.symbolic.facts import facts_about
from symview.view import View, on_box

_BRIEF = 2_000_000  # equations with products may have no answer within any budget
Address: TypeAlias = Callable[[Sequence[int]], int]


class Settler:
    """Makes the cases of one query: the outer view's strides, what is known of the symbols, the budget.

    `outputs` are the forms that rows are about: the contiguity defects at `places`, then, behind
    more than one view, the last stride. `kept_outputs` numbers them among all boundaries. `shape`
    stands for the outer shape where its leading size is a symbol, which no place value depends on.
    """

    def __init__(
        self, views: Sequence[View], assumed: Sequence[Term], budget: Budget, shape: tuple[int, ...] | None = None
    ) -> None:
        self.views, self.budget = tuple(views), budget
        self.unsolved = False
        self.sifted = False  # whether cases that are impossible have been left out already
        outer = self.outer = views[0] if shape is None else View(shape, views[0].strides, views[0].offset)
        self.inner = views[-1]
        self.assumed = list(assumed)
        symbols = self.symbols = free_symbols([x for v in views for x in v.entries()])
        about = facts_about([n for v in views for n in v.shape], symbols, self.assumed, budget)
        self.facts, self.empty = list(about.formulas), about.empty
        self.strides = [form_of(s) for s in outer.strides]
        kept = [n for n, size in enumerate(outer.shape) if size != 1]
        self.kept_sizes = tuple([outer.shape[n] for n in kept])
        self.kept_strides = [self.strides[n] for n in kept]
        units = [_unit(n, len(kept) - 1) for n in range(len(kept) - 1)]
        bent = [combine(to_strides(u, self.kept_sizes), self.kept_strides) for u in units]
        self.places = tuple([p for p, defect in zip(radix.boundaries(outer.shape), bent, strict=True) if defect])
        outputs = [*bent, *self.kept_strides[-1:]]
        self.kept_outputs = [n for n, form in enumerate(outputs) if form]
        self.outputs = [form for form in outputs if form]

    def least_size(self, size: Any) -> int:
        """1, or 0 where the assumptions say that the size may be 0."""
        return 0 if size in self.empty else 1

    def outside(self, where: Any) -> Case:
        """The case of sizes at which the inner view leaves the outer shape."""
        return Case(where, Status.OUT_OF_BOUNDS, (), None, reason="the last address is outside the outer shape")

    def case(self, where: Any, region: Region, rows: Rows, through: Nest | None = None) -> Case:
        """The case of one row space on a box of valid indices, with its equations, merged view and evidence.

        `through`: the views between the outer and the inner one, on the region.
        """
        at = region.box.at if through is None else through.address_at
        found = [self._form(row) for row in rows.space.rows]
        equations = Equations(found, self.kept_strides)
        constraints = [self._constraint(at, step) for step in rows.steps]
        confirmed = self._confirm(equations, constraints)
        self.unsolved = False
        kept = self._needed(where, equations)
        reason = rows.reason + ("; whether any integers satisfy the equations was not settled" if self.unsolved else "")
        if not rows.settled and kept is not None:
            return self._undecided(where, region, rows, at)
        status = Status.NEVER if kept is None else Status.WHEN if kept else Status.ALWAYS
        return Case(
            where, status, equations.sympy() if kept is None else tuple([equation(f) for f in kept]),
            None if kept is None else self._view(region, at),
            tuple([self._witness(region, s, at) for s in rows.steps]) if status is not Status.ALWAYS else (),
            reason,
            tuple([zero(c) for c in constraints]),
            None if rows.query is None else rows.query.formula(),
            confirmed,
        )  # fmt: skip

    def _form(self, row: Sequence[int]) -> Form:
        return combine(row, self.outputs[: len(row)])

    def _constraint(self, at: Address, step: Step) -> Form:
        """What the witness demands, from the digits themselves: its step and the first one move alike."""
        shape: Any = self.outer.shape
        before = (*step.index[: step.axis], step.index[step.axis] - 1, *step.index[step.axis + 1 :])
        origin, unit = (0,) * len(step.index), _unit(step.axis, len(step.index))
        places = [radix.unravel(at(i), shape) for i in (step.index, before, unit, origin)]
        return combine([a - b - c + d for a, b, c, d in zip(*places, strict=True)], self.strides)

    def _confirm(self, equations: Equations, constraints: list[Form]) -> bool:
        """Z3: the printed equations and the patterns' constraints imply each other; False where it gave up."""
        if not equations.forms and not any(constraints):
            return True
        left = conj(opaque_zero(f) for f in equations.forms)
        right = conj(opaque_zero(f) for f in constraints)
        answer = smt.check([Term("not", (Term("<->", (left, right)),))], self.budget)
        if isinstance(answer, smt.Sat):
            raise InternalError(f"equations and constraints differ at {dict(answer.model)}")
        return isinstance(answer, smt.Unsat)

    def _needed(self, where: Any, equations: Equations) -> list[Form] | None:
        """The equations that what is known does not imply; None where no integers satisfy them."""
        if equations.impossible or self._contradicts(where, equations):
            return None
        forms = list(equations.forms)
        known = self._about(where, equations)
        for form in list(forms) if known else ():
            others = [zero(f) for f in forms if f is not form]
            if self._impossible([*others, Term("not", (zero(form),))], known):
                forms.remove(form)
        return forms

    def _contradicts(self, where: Any, equations: Equations) -> bool:
        """Whether no integers satisfy the equations, as far as Z3 can tell within the budget."""
        known = self._about(where, equations)
        if not known and not equations.has_constants():
            return False  # all zeros solve them
        brief = self.budget.at_most(_BRIEF)
        answer = smt.check([*known, *equations.terms()], brief)
        self.unsolved = isinstance(answer, smt.Open)
        return isinstance(answer, smt.Unsat)

    def _about(self, where: Any, equations: Equations) -> list[Term]:
        """What is known of the symbols of the equations, and of those that it ties them to."""
        facts = [*self.facts, to_term(where)]
        reached = set(names(*equations.terms()))
        known: list[Term] = []
        grown = True
        while grown:
            grown = False
            for fact in facts:
                if fact not in known and reached.intersection(names(fact)):
                    known.append(fact)
                    reached.update(names(fact))
                    grown = True
        return known

    def _impossible(self, formulas: list[Term], known: list[Term]) -> bool:
        return isinstance(smt.check([*known, *formulas], self.budget), smt.Unsat)

    def _undecided(self, where: Any, region: Region, rows: Rows, at: Address) -> Case:
        """Enough, and not known to be needed: nothing overflows, or what does has no defect."""
        enough = self.outputs
        if len(self.views) == 2:
            active = {c.place for c in active_carries(region.box, self.places)}
            enough = [d for d, p in zip(self.outputs, self.places, strict=False) if p in active]
        equations = Equations(enough, self.kept_strides).sympy()
        steps = tuple([self._witness(region, s, at) for s in rows.steps])
        view = self._view(region, at)
        return Case(where, Status.UNDECIDED, equations, view, steps, rows.reason, confirmed=False)

    def _view(self, region: Region, at: Address) -> View:
        """Strides f(e_j) − f(0), and the mask of the region."""
        if region.is_empty():
            return View(self.inner.shape, (0,) * self.inner.rank)
        digits, rank = digits_of(self.outer.shape, self.outer.strides), self.inner.rank
        start = at((0,) * rank)
        strides = [
            _expanded(digits.step(start, at(_unit(a, rank)) - start)) if n > 1 else 0
            for a, n in enumerate(region.box.sizes)
        ]
        offset = self.outer.offset + digits.step(0, start)
        view = on_box(self.inner.shape, region.lows, region.box.sizes, strides, offset)
        masked = any(v.mask is not None for v in self.views)
        return View(view.shape, view.strides, _expanded(view.offset), view.mask if masked else None)

    def _witness(self, region: Region, step: Step, at: Address) -> Witness:
        before = at((*step.index[: step.axis], step.index[step.axis] - 1, *step.index[step.axis + 1 :]))
        reached = at(step.index)
        return Witness(
            region.original(step.index),
            step.axis,
            pattern(radix.boundaries(self.outer.shape), before, reached - before),
            radix.unravel(reached, self.outer.shape),
            equation(next(iter(Equations([self._form(step.row)], self.kept_strides).forms), {ONE: 0})),
        )

    def allowed(self, cases: Sequence[Case]) -> tuple[Case, ...]:
        """The cases that are possible, without what the assumptions say already."""
        if not self.assumed and (self.sifted or len(self.symbols) < 2):
            return tuple(cases)
        left = [c for c in cases if self.sifted or not self._impossible([to_term(c.where)], self.facts)]
        return tuple([self._brief(c) for c in left]) if self.assumed else tuple(left)

    def _brief(self, case: Case) -> Case:
        """The case without the parts of its condition on sizes that the assumptions imply."""
        parts = list(conjuncts(to_term(case.where)))
        kept = [p for p in parts if not self._impossible([negated(p)], self.assumed)]
        return case if len(kept) == len(parts) else replace(case, where=evaluate(conj(kept), self.symbols))


def _unit(axis: int, rank: int) -> tuple[int, ...]:
    return tuple([int(n == axis) for n in range(rank)])


def _expanded(value: Any) -> Any:
    return value if type(value) is int else value.expand()
