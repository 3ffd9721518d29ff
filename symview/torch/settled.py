"""What a question about a view comes to, for all values of its symbols; the same for all names of these."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from symview.answers import AffineView, ConditionsData, Status
from symview.cases.guards import without_division
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.polynomial import as_term, poly_of
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import Integer, domain, free_symbols, from_entry, is_number, to_term
from symview.logic.terms import (
    FALSE,
    TRUE,
    IntTerm,
    Term,
    conj,
    conjuncts,
    disj,
    names,
    negated,
    num,
    substituted,
    walk,
    with_comparisons,
)
from symview.torch.form import Form
from symview.torch.knowledge import Known, known
from symview.view import View
from symview.view_notation import tuple_text
from symview.views.facade import Conditions
from symview.views.reshaping import reshape_conditions, reshape_conditions_given

_KEPT = 512
_TURNED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}


class Settled(NamedTuple):
    """The weakest guard of a view and of a copy, without quotients, and the views with where their strides are these.

    `fits`: where the sizes are sizes and their products agree; elsewhere there is neither view nor copy. `facts` were
    taken for granted; `equal` says which symbols of the question are expressions in others, which stand in the answer
    instead, and `quotients` which divisions are numbers. `empty` are names of sizes that may be 0.
    """

    legal: Term
    copied: Term
    views: tuple[tuple[Term, AffineView], ...]
    fits: Term = TRUE
    facts: tuple[Term, ...] = ()
    equal: tuple[tuple[str, Term], ...] = ()
    quotients: tuple[tuple[Term, Term], ...] = ()
    empty: frozenset[str] = frozenset()

    def renamed(self, by: Mapping[str, Term]) -> Settled:
        """The same over other names."""
        legal, copied, fits = (substituted(f, by) for f in (self.legal, self.copied, self.fits))
        views = tuple([(substituted(where, by), _changed(view, by)) for where, view in self.views])
        facts = tuple([substituted(f, by) for f in self.facts])
        equal = tuple([(by[n].args[0], substituted(t, by)) for n, t in self.equal])
        quotients = tuple([(substituted(t, by), number) for t, number in self.quotients])
        empty = frozenset([by[name].args[0] for name in self.empty])
        return Settled(legal, copied, views, fits, facts, equal, quotients, empty)


def settled(form: Form, budget: Budget) -> Settled:
    """The answer wherever the facts hold; of questions that differ by names alone, the second costs no search."""
    lasting = budget.run is None and budget.timeout is None  # else it depends on a clock, or on work done before
    return _settled(form, budget) if lasting else _settled.__wrapped__(form, budget)


def _renamed(entries: Iterable[IntTerm], by: Mapping[str, Term]) -> tuple[IntTerm, ...]:
    return tuple([substituted(e, by) if isinstance(e, Term) else e for e in entries])


def _normal(term: Term) -> Term:
    """The term as the polynomial that it is, its parts in one order."""
    opaque: dict[str, Term] = {}
    return as_term(dict(sorted(poly_of(term, opaque).items())), opaque)


def _spelled(term: Term) -> list[str]:
    """The term in words, for an order that is the same everywhere."""
    return [str(t.args[0]) if t.op in ("int", "sym", "bool") else t.op for t in walk(term)]


def _normal_comparison(comparison: Term) -> Term:
    op, (left, right) = comparison
    if left.op == "int":
        op, left, right = _TURNED.get(op, op), right, left
    return Term(op, (_normal(left), _normal(right)))


def _changed(view: AffineView, by: Mapping[str, Term]) -> AffineView:
    offset = _renamed([view.offset], by)
    return AffineView(_renamed(view.shape, by), _renamed(view.strides, by), offset[0], view.mask)


@lru_cache(_KEPT)
def _settled(form: Form, budget: Budget) -> Settled:
    budget, told = budget.started(), known(form.told) if form.told else Known()
    entries, rank = tuple(map(told.used, form.entries)), form.rank
    said = [*form.facts, *told.facts, *_declared(form, entries)]
    normal = [from_entry(_normal(e) if isinstance(e, Term) else e, {}) for e in entries]
    left = free_symbols(normal)  # what is equal may be gone from a difference
    facts = sorted({with_comparisons(f, _normal_comparison) for f in said if left.keys() >= {*names(f)}}, key=_spelled)
    view, shape = View(normal[:rank], normal[rank : 2 * rank], normal[2 * rank]), normal[2 * rank + 1 :]
    ask = reshape_conditions_given if form.told else reshape_conditions
    data = ask(view, shape, facts, budget).data
    signs = _signs(view, shape, facts, budget) if form.told else []
    clauses, fits = list(conjuncts(data.condition())), [*signs, *conjuncts(data.fitting or TRUE)]
    if FALSE in clauses and is_impossible([*data.facts, *fits], budget):
        raise InputError(f"reshape {tuple_text(view.shape)} to {tuple_text(shape)}: the sizes can never agree")
    breaks = negated(conj(_not_implied([c for c in clauses if c not in fits], [*data.facts, *fits], budget)))
    asked = [*signs, *clauses], [*fits, breaks], fits
    legal, copied, fit = (without_division(FALSE if FALSE in f else conj(f), data.facts, budget) for f in asked)
    free = [f.args[0] for f in data.facts if f.op == ">=" and f.args[1] == num(0)]
    equal, empty = tuple(told.equal.items()), frozenset(names(*free))
    return Settled(legal, copied, _views(data, free), fit, data.facts, equal, told.quotients, empty)


def _signs(view: View, shape: Sequence[Integer], facts: Sequence[Term], budget: Budget) -> list[Term]:
    """That no new size is negative, as far as nothing says so."""
    old, new = ([Term(">=", (to_term(n), num(0))) for n in side if not is_number(n)] for side in (view.shape, shape))
    return _not_implied([sign for sign in dict.fromkeys(new) if sign not in old], [*facts, *old], budget)


def _not_implied(formulas: Sequence[Term], facts: Sequence[Term], budget: Budget) -> list[Term]:
    known = Entailment(facts, budget) if formulas else None
    return [f for f in formulas if known and not known.implies(f)]


def _declared(form: Form, entries: Iterable[IntTerm]) -> list[Term]:
    """What the symbols of the entries were declared as."""
    used = names(*(e for e in entries if isinstance(e, Term)))
    return [f for name, s in form.symbols().items() if name in used for f in domain(s)]


def _views(data: ConditionsData, empty: Sequence[Term]) -> tuple[tuple[Term, AffineView], ...]:
    """The different views and where each is one; where there are no elements, any strides are right."""
    void = [Term("==", (n, num(0))) for n in empty]
    void += [Term("!=", (n, num(1))) for n in empty if n.op == "min" and num(1) in n.args]
    cases = [c for c in data.cases if c.status in (Status.ALWAYS, Status.WHEN)]
    kept = [c for c in cases if not _is_void(c.where, void)] or cases
    views = [(c.where, _with_equations(c.view, c.required)) for c in kept if c.view is not None]
    for _, one in reversed(views):
        if all(_is_same(one, view, part) for where, view in views for part in _disjuncts(where)):
            return ((TRUE, one),)
    found: dict[AffineView, list[Term]] = {}
    for where, view in views:
        parts = found.setdefault(view, [])
        parts.append(conj(c for c in conjuncts(where) if negated(c) not in parts))
    return tuple([(disj(parts), view) for view, parts in found.items()])


def _is_same(one: AffineView, view: AffineView, where: Term) -> bool:
    """Whether the strides agree, but those of sizes at most 1 there, once what is equal there is replaced."""
    equal = {e.args[0].args[0]: e.args[1] for e in conjuncts(where) if e.op == "==" and e.args[0].op == "sym"}
    (sizes, steps), (_, others) = (
        [_settled_entries(side, equal) for side in (v.shape, v.strides)] for v in (one, view)
    )
    free = [n == num(1) or (n.op == "min" and num(1) in n.args) for n in sizes]  # at most one element
    return all(f or step == other for f, step, other in zip(free, steps, others, strict=True))


def _settled_entries(entries: Iterable[IntTerm], equal: Mapping[str, Term]) -> list[Term]:
    return [_normal(substituted(e, equal)) if isinstance(e, Term) else num(e) for e in entries]


def _disjuncts(where: Term) -> Iterable[Term]:
    return [part for a in where.args for part in _disjuncts(a)] if where.op == "or" else [where]


def _is_void(where: Term, void: Sequence[Term]) -> bool:
    if where.op == "or":
        return all(_is_void(part, void) for part in where.args)
    return any(part in void for part in conjuncts(where))


def _with_equations(view: AffineView, required: Sequence[Term]) -> AffineView:
    """The view with what the equations say that single symbols are."""
    given: dict[str, Term] = {}
    for left, right in (e.args for e in reversed(required)):
        if left.op == "sym":
            given[left.args[0]] = substituted(right, given)
    return _changed(view, given) if given else view


class Copied(NamedTuple):
    """That only a copy will do, as `compare` takes it; there is no index to show where that fails."""

    conditions: Conditions
    condition: Term

    @property
    def budget(self) -> Budget:
        """How much work a question may do."""
        return self.conditions.budget

    @property
    def facts(self) -> tuple[Term, ...]:
        """What is taken for granted."""
        return self.conditions.facts

    def symbols(self) -> dict[str, Any]:
        """The symbols by name."""
        return self.conditions.symbols()

    def term(self) -> Term:
        """The condition as one formula."""
        return self.condition

    def parts(self) -> Sequence[Copied]:
        """The same in one part."""
        return [self]

    def sizes_agree(self, values: Mapping[str, int]) -> bool:
        """No index is shown."""
        return False

    def counterexample(self, values: Mapping[Any, int] | None = None) -> None:
        """None is shown."""
