"""Questions up to renaming of symbols, with a cache of their answers for all values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar, cast

from symview.answers import AffineView, ConditionsData, Status
from symview.cases.guards import without_division
from symview.errors import InputError
from symview.logic.budget import Budget
from symview.logic.entailment import Entailment
from symview.logic.integer import Int, Integer, name, of_term
from symview.logic.polynomial import as_term, atom_term, expanded
from symview.logic.solve import is_impossible
from symview.logic.sympy_bridge import declared, domain, free_symbols, is_number, symbol_of, to_entry, to_term
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
    renamed,
    rewritten,
    substituted,
    sym,
    value_of,
    walk,
    with_comparisons,
)
from symview.torch.knowledge import Content, Known, known
from symview.view import View
from symview.view_notation import tuple_text
from symview.views.reshaping import reshape_conditions, reshape_conditions_given

T = TypeVar("T")

_KEPT = 512
_PLAIN = frozenset((("integer", True),))
_TURNED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}


class Form(NamedTuple):
    """A question up to the names and values of its symbols, which are numbered in order of appearance.

    `entries`: the sizes (their number is `rank`), the strides, the offset, the requested sizes. `declared`: the
    declarations of the symbols in sympy. `facts` hold for all values in question. `content` has the facts of a
    ShapeEnv, where sizes may be 0.
    """

    rank: int
    entries: tuple[IntTerm, ...]
    declared: tuple[frozenset[tuple[str, bool]], ...]
    facts: tuple[Term, ...] = ()
    content: Content | None = None

    def sizes(self) -> tuple[IntTerm, ...]:
        """The present sizes and the requested ones."""
        return (*self.entries[: self.rank], *self.entries[2 * self.rank + 1 :])

    def symbols(self) -> dict[str, Int]:
        """The symbols of the entries, with their declarations."""
        return {(text := numbered(n).args[0]): _with(text, d) for n, d in enumerate(self.declared)}


def form_of(
    rank: int,
    entries: Sequence[Integer],
    symbols: Mapping[str, Int],
    facts: Iterable[Term] = (),
    content: Content | None = None,
) -> tuple[Form, tuple[str, ...]]:
    """The form of the question, and the names of the numbered symbols."""
    terms = tuple(map(to_entry, entries))
    order = tuple(dict.fromkeys((*symbols, *(content.names() if content else ()))))
    numbers = {name: numbered(n) for n, name in enumerate(order)}
    entered = tuple([renamed(t, numbers) if isinstance(t, Term) else t for t in terms])
    given = tuple([_declared(s) for s in symbols.values()])
    known = tuple(sorted([renamed(f, numbers) for f in facts]))
    return Form(rank, entered, given, known, content and content.renamed(numbers)), order


def numbered(n: int) -> Term:
    """The symbol of this number."""
    return sym(f"x{n}")


def _with(text: str, given: frozenset[tuple[str, bool]]) -> Int:
    if given == _PLAIN:
        return name(text)
    from sympy import Symbol  # slow to load

    return declared(Symbol(text, **dict(given)))


def _declared(x: Int) -> frozenset[tuple[str, bool]]:
    symbol = symbol_of(x)
    if symbol is None:
        return _PLAIN
    given = symbol._assumptions_orig if hasattr(symbol, "_assumptions_orig") else symbol.assumptions0
    return frozenset(given.items())


def in_names(text: str, order: Sequence[str]) -> str:
    """A message about a form, with the names of the numbered symbols."""
    return re.sub(r"\bx(\d+)\b", lambda found: order[int(found[1])], text)


# The answer of a form


class GeneralAnswer(NamedTuple):
    """The weakest guards of a view and of a copy, without quotients, and the views with conditions for their strides.

    `fits`: the condition that the sizes are sizes with equal products; otherwise there is neither view nor copy.
    `facts` are presupposed. `equal` has the symbols, of the question or tied to it, that equal expressions in others;
    `entries` are those of the question after substituting them. `empty` are symbols of sizes that may be 0.
    """

    legal: Term
    copied: Term
    views: tuple[tuple[Term, AffineView], ...]
    fits: Term = TRUE
    facts: tuple[Term, ...] = ()
    equal: tuple[tuple[Term, Term], ...] = ()
    entries: tuple[IntTerm, ...] = ()
    empty: tuple[Term, ...] = ()


def with_names(x: T, by: Mapping[str, Term]) -> T:
    """A term, or nested tuples of terms, with names substituted."""
    if isinstance(x, Term):
        return cast("T", substituted(x, by))
    if not isinstance(x, tuple):
        return x
    parts = [with_names(part, by) for part in x]
    return cast("T", type(x)(*parts) if hasattr(x, "_fields") else tuple(parts))


def general_answer(form: Form, budget: Budget) -> GeneralAnswer:
    """The answer wherever the facts hold; cached, so that questions that differ only in names need one search."""
    lasting = budget.run is None and budget.timeout is None  # otherwise it depends on a clock, or on earlier work
    return searched(form, budget) if lasting else searched.__wrapped__(form, budget)


def _normal(term: Term) -> Term:
    """The term normalised as a polynomial."""
    return as_term(dict(sorted(expanded(term).items())))


def _spelled(term: Term) -> list[str]:
    """The term as a list of words, for an order that does not vary."""
    return [str(t.args[0]) if t.op in ("int", "sym", "bool") else t.op for t in walk(term)]


def _normal_comparison(comparison: Term) -> Term:
    op, (left, right) = comparison
    if left.op == "int":
        op, left, right = _TURNED.get(op, op), right, left
    return Term(op, (_normal(left), _normal(right)))


@lru_cache(_KEPT)
def searched(form: Form, budget: Budget) -> GeneralAnswer:
    """The answer, by a search."""
    budget, knowledge = budget.started(), known(form.content) if form.content else Known()
    entries, rank = tuple(map(knowledge.substitute, form.entries)), form.rank
    said = [*form.facts, *knowledge.facts, *_declarations(form, entries)]
    normal = [of_term(_normal(e) if isinstance(e, Term) else e) for e in entries]
    left = free_symbols(normal)  # a symbol that cancels is not a symbol of the question
    facts = sorted({with_comparisons(f, _normal_comparison) for f in said if left.keys() >= {*names(f)}}, key=_spelled)
    view, shape = View(normal[:rank], normal[rank : 2 * rank], normal[2 * rank]), normal[2 * rank + 1 :]
    ask = reshape_conditions_given if form.content else reshape_conditions
    data = ask(view, shape, facts, budget).data
    signs = _signs(view, shape, facts, budget) if form.content else []
    clauses, fits = list(conjuncts(data.condition())), [*signs, *conjuncts(data.fitting or TRUE)]
    if FALSE in clauses and is_impossible([*data.facts, *fits], budget):
        raise InputError(f"reshape {tuple_text(view.shape)} to {tuple_text(shape)}: the sizes can never agree")
    breaks = negated(conj(_not_implied([c for c in clauses if c not in fits], [*data.facts, *fits], budget)))
    problem = [*signs, *clauses], [*fits, breaks], fits
    legal, copied, fit = (without_division(FALSE if FALSE in f else conj(f), data.facts, budget) for f in problem)
    free = [f.args[0] for f in data.facts if f.op == ">=" and f.args[1] == num(0)]
    substituted = {**knowledge.equal, **knowledge.foreign}
    equal, empty = tuple([(sym(n), t) for n, t in substituted.items()]), tuple(map(sym, names(*free)))
    return GeneralAnswer(legal, copied, _views(data, free), fit, data.facts, equal, entries, empty)


def _signs(view: View, shape: Sequence[Integer], facts: Sequence[Term], budget: Budget) -> list[Term]:
    """The conditions that new sizes are not negative, except those that the facts imply."""
    old, new = ([Term(">=", (to_term(n), num(0))) for n in side if not is_number(n)] for side in (view.shape, shape))
    known = {f.args[0] for f in (*facts, *old) if f.op == ">=" and f.args[1].op == "int" and f.args[1].args[0] >= 0}
    open_ = [sign for sign in dict.fromkeys(new) if sign not in old and not _is_sum_of(known, sign.args[0])]
    return _not_implied(open_, [*facts, *old], budget)


def _is_sum_of(known: set[Term], term: Term) -> bool:
    """Whether it is a sum of products of terms that are known not to be negative."""
    products = expanded(term).items()
    return all(c >= 0 and all(atom_term(n) in known for n in m) for m, c in products)


def _not_implied(formulas: Sequence[Term], facts: Sequence[Term], budget: Budget) -> list[Term]:
    known = Entailment(facts, budget) if formulas else None
    return [f for f in formulas if known and not known.implies(f)]


def _declarations(form: Form, entries: Iterable[IntTerm]) -> list[Term]:
    """The declarations of the symbols of the entries."""
    used = names(*(e for e in entries if isinstance(e, Term)))
    return [f for name, s in form.symbols().items() if name in used for f in domain(s)]


def _views(data: ConditionsData, empty: Sequence[Term]) -> tuple[tuple[Term, AffineView], ...]:
    """The distinct views and where each applies; where there are no elements, any strides are right."""
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
    """Whether the strides agree, except for sizes of at most 1, after substituting the equations of `where`."""
    equal = {e.args[0].args[0]: e.args[1] for e in conjuncts(where) if e.op == "==" and e.args[0].op == "sym"}
    (sizes, steps), (_, others) = (
        [
            [_normal(rewritten(e, _folded)) if isinstance(e, Term) else num(e) for e in side]
            for side in (v.shape, v.strides)
        ]
        for v in (with_names(one, equal), with_names(view, equal))
    )
    free = [n == num(1) or (n.op == "min" and num(1) in n.args) for n in sizes]  # at most one element
    return all(f or step == other for f, step, other in zip(free, steps, others, strict=True))


def _folded(term: Term) -> Term:
    """The value of a minimum or maximum of numbers."""
    return num(value_of(term, {})) if term.op in ("min", "max") and not names(term) else term


def _disjuncts(where: Term) -> Iterable[Term]:
    return [part for a in where.args for part in _disjuncts(a)] if where.op == "or" else [where]


def _is_void(where: Term, void: Sequence[Term]) -> bool:
    if where.op == "or":
        return all(_is_void(part, void) for part in where.args)
    return any(part in void for part in conjuncts(where))


def _with_equations(view: AffineView, required: Sequence[Term]) -> AffineView:
    """The view after substituting the symbols for which the equations are solved."""
    given: dict[str, Term] = {}
    for left, right in (e.args for e in reversed(required)):
        if left.op == "sym":
            given[left.args[0]] = substituted(right, given)
    return with_names(view, given)
