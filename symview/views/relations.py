"""Boundaries that overflow together: is each one's equation necessary, or only their sum or difference?

A boundary that overflows alone always needs its equation. Several all do if each overflows before the next larger one
does. If overflows nest, `carry_graph` decides which sums are needed; elsewhere that is open. Doubtful leaves are split
by comparisons that may decide them, and by the few values of a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import Any

from symview.cases.algebra import Algebra
from symview.cases.equations import combine
from symview.cases.query import Query
from symview.cases.restrict import few_values
from symview.cases.simplify.cases import simplify_by_structure
from symview.cases.simplify.clauses import Clause
from symview.logic.entailment import Entailment
from symview.logic.polynomial import ONE, Poly, minus, plus
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import FALSE, RELATIONS, TRUE, Term, conj, negated, node_count, num, substituted, sym, walk
from symview.views.addresses import UNIT, Axis, divided, product_of, split_by
from symview.views.boundaries import Boundaries, Leaf, solutions, with_solved
from symview.views.carry_graph import Alone, CarryGraph, Closed, Levels

_LONG = 300  # nodes of a formula
_STEPS_PER_DIVISION = 1_000  # budget steps, not counting solver calls
_TURNED = {"<=": ">=", ">=": "<="}
_FEW = 3  # alternatives
_MOST_QUESTIONS = 4
_APART = "exact: each boundary carries first at an index of its own"


class DependentBoundaries(Boundaries):
    """Boundaries of addresses start + Σ i·step, whose overflows may depend on one another."""

    axes: list[Axis]
    start: Poly
    raw: list[Clause]

    def __init__(self, query: Query, more: Sequence[Any]) -> None:
        super().__init__(query, more)
        self.quotients = dict[Any, tuple[Poly, Poly]]()  # with remainders, by known facts, dividend and divisor
        self.loose: list[Poly] = []  # place values where the condition of being idle is not exact
        self.plain = Entailment([f for f in self.facts.formulas if _is_plain(f, self.algebra)], self.budget)
        self.unseen: Sequence[Term] = ()  # comparisons that may decide which boundary overflows alone
        self.questions = 0  # how many of these were made
        self.plains = dict[tuple[Term, ...], Entailment]()  # what leaves know in plain facts, by their decisions
        self.is_brief = False  # whether some case needs less than every boundary being harmless

    def divided(self, p: Poly, place: Poly, known: Entailment) -> tuple[Poly, Poly]:
        """Quotient and remainder, cached."""
        key = known, frozenset(p.items()), frozenset(place.items())
        if key not in self.quotients:
            self.budget.count(_STEPS_PER_DIVISION)
            self.quotients[key] = divided(p, place, self.algebra, known)
        return self.quotients[key]

    def where(self, where: Term) -> Term:
        """An equivalent formula, simplified; long formulas about relations are kept: solvers handle them badly."""
        long = self.is_brief and node_count(where) > _LONG
        return simplify_by_structure(self.query, where) if long else super().where(where)

    def may_be_unneeded(self, leaf: Leaf) -> bool:
        """Whether the equations may be unnecessary: several boundaries may overflow in an unknown relation."""
        if leaf.why:
            return False
        places = list(map(self._place, self._disturbed(leaf)))
        if any(p in self.loose for p in places):
            return True
        return len(places) > 1 and not all(self._carries_first(p, leaf.known) for p in places)

    def why_open(self, leaf: Leaf) -> str:
        """The reason: which boundaries may overflow together."""
        places, _, _ = self._overlap(leaf, self._disturbed(leaf))
        shown = " and ".join(to_text(self.algebra.term(p)) for p in places if p in self.loose or not self.loose)
        what = "boundaries overflow" if self.loose else "overflows are independent"
        return f"enough, but perhaps not needed: whether {what} at {shown} is open; substitute numbers for sizes"

    def _disturbed(self, leaf: Leaf) -> list[Clause]:
        """Clauses of boundaries that the leaf's decisions alone do not make harmless, larger place values first."""
        if not leaf.clauses:
            return []
        said = leaf.known.said
        open_ = [c for c in self.raw if said.isdisjoint(c.literals) and TRUE not in c.literals]
        open_ = [c for c in open_ if c.dims not in leaf.alone and not leaf.known.implies(c.term())]
        return sorted(open_, key=lambda c: c.dims or (0, 0))

    def _place(self, clause: Clause) -> Poly:
        return product_of(self.old[clause.dims[1] :]) if clause.dims else UNIT

    def _carries_first(self, place: Poly, known: Entailment) -> bool:
        """Whether every stride is a multiple of the place value or from 0 to below it, and the offset leaves room."""
        if self.start and not known.implies(self.algebra.within(self.start, place)):
            return False
        for axis in self.axes:
            whole, rest = split_by(axis.step, place)
            if rest and (whole or not known.implies(self.algebra.within(axis.step, place))):
                return False
            if rest and self.start and not known.implies(self.algebra.below(plus(self.start, rest), place)):
                return False
        return True

    def split_candidates(self, leaf: Leaf) -> Iterator[Term]:
        """Comparisons that might decide a doubt: a stride, or a number added to multiples, with a place value."""
        disturbed = [] if leaf.why else self._disturbed(leaf)
        if len(disturbed) < 2:
            return
        known, places = self._plainly(leaf), list(map(self._place, disturbed))
        graph = CarryGraph(self.algebra, self.divided, known, places)
        uneven = [axis.step for axis in self.axes if graph.step(axis) is None]
        places.reverse()
        below = [None, *places]  # a stride is graded between two of them if it is a multiple of the smaller one
        near = [(x, q, p) for x in uneven for q, p in zip(below, places, strict=False) if split_by(x, p)[1]]
        steps = [(x, p) for x, q, p in near if len(uneven) == 1 or q is None or not split_by(x, q)[1]]
        joined = [(split_by(x, p)[1], p) for s in uneven for x in (s, self.start, plus(self.start, s)) for p in places]
        numbers = [(x, p) for x, p in joined if x and set(x) == {ONE} and set(p) != {ONE}]
        for question in dict.fromkeys(self.algebra.below(x, p) for x, p in steps + numbers):
            answers = question, negated(question)
            if leaf.known.said.isdisjoint(answers) and not any(map(known.implies, answers)):
                yield question

    def split(self, leaf: Leaf, literals: Sequence[Term]) -> Sequence[Leaf]:
        """Splits by open clauses, by how boundaries overflow together, by comparisons, by values of a name."""
        some = any(map(leaf.is_open, literals))
        return (
            (() if some else self.related(leaf))
            or super().split(leaf, literals)
            or self.valued(leaf)
            or leaf.both(self._undecided(leaf))
        )

    def _undecided(self, leaf: Leaf) -> Iterator[Term]:
        """Comparisons that may show that a boundary overflows alone; `related` has just found that they are open."""
        for question in self.unseen if self.questions < _MOST_QUESTIONS and self.may_be_unneeded(leaf) else ():
            if leaf.is_open(question):
                self.questions += 1
                yield question

    def _plainly(self, leaf: Leaf) -> Entailment:
        """The leaf's facts without divisions and products, so that few comparisons of strides stay open."""
        if leaf.decisions not in self.plains:
            here = {n: num(p.get(ONE, 0)) for n, p in self._equal(leaf).items() if set(p) <= {ONE}}
            facts = [substituted(f, here) for f in leaf.known.facts]
            known = self.plain.also(*(f for f in facts if _is_plain(f, self.algebra)))
            plain_facts = [self._undivided(f, known) for f in facts if any(node.op in ("//", "%") for node in walk(f))]
            self.plains[leaf.decisions] = known.also(*(f for f in plain_facts if _is_plain(f, self.algebra)))
        return self.plains[leaf.decisions]

    def _undivided(self, term: Term, known: Entailment) -> Term:
        """The term after replacing quotients and remainders that are known."""
        if term.op in ("int", "sym", "bool"):
            return term
        term = Term(term.op, tuple([self._undivided(a, known) for a in term.args]))
        if term.op not in ("//", "%") or not (place := self.algebra.poly_of(term.args[1])):
            return term
        return self.algebra.term(self.divided(self.algebra.poly_of(term.args[0]), place, known)[term.op == "%"])

    def related(self, leaf: Leaf) -> list[Leaf]:
        """Splits into a leaf for each way in which boundaries of nested overflows depend on one another."""
        disturbed, self.unseen = self._disturbed(leaf) if self.may_be_unneeded(leaf) else [], ()
        if not disturbed or any(self._place(c) in self.loose for c in disturbed):
            return []
        open_ = next((e for c in disturbed for e in c.literals if self._about_sizes(e) and self._open(e, leaf)), None)
        if open_ is not None and {c.dims for c in disturbed} != {c.dims for c in leaf.clauses} - set(leaf.alone):
            return leaf.both([open_])
        graph = self._graph(leaf, disturbed)
        if graph is None and self._carry_apart(leaf, disturbed):
            return [leaf._replace(why=_APART)]
        if graph is None:
            return self._mark_independent(leaf, disturbed)
        return list(self._by_graph(leaf, disturbed, graph, Closed(len(disturbed)), list(graph.sets())))

    def _carry_apart(self, leaf: Leaf, disturbed: Sequence[Clause]) -> bool:
        """Whether a single axis disturbs the boundaries, starting at a multiple, and first at distinct indices ⌈P/r⌉.

        Then the overflow rows at these indices form a triangular matrix, so that every equation is necessary.
        """
        places, start, axes = self._overlap(leaf, disturbed)
        known = self._plainly(leaf)
        rests = [[r for a in axes if (r := self.divided(a.step, p, known)[1])] for p in places]
        if any(len(r) != 1 for r in rests) or any(self.divided(start, p, known)[1] for p in places):
            return False
        first = [self.divided(plus(p, minus(r, UNIT)), r, known)[0] for p, (r,) in zip(places, rests, strict=True)]
        return all(
            known.impossible(Term("==", (self.algebra.term(one), self.algebra.term(other))))
            for one, other in combinations(first, 2)
        )

    def _mark_independent(self, leaf: Leaf, disturbed: Sequence[Clause]) -> list[Leaf]:
        """The leaf with the boundaries marked that overflow alone at some index; if there are none, see `_counted`."""
        known, given = self._plainly(leaf), self._overlap(leaf, disturbed)
        while True:
            alone = Alone(self.algebra, self.divided, known, *given)
            if found := [disturbed[n].dims for n in alone.find()]:
                why = _APART if len(disturbed) < len(found) + 2 else ""
                return [leaf._replace(alone=(*leaf.alone, *found), why=why)]
            answers = [x for q in dict.fromkeys(alone.open) for x in (q, negated(q))]
            learnt = [x for x in answers if x not in known.said and leaf.known.implies(x)]
            if not learnt:
                self.unseen = [q for q in alone.open if not any(leaf.known.implies(x) for x in (q, negated(q)))]
                return self._counted(leaf, disturbed, alone)
            known = known.also(*learnt)

    def _counted(self, leaf: Leaf, disturbed: Sequence[Clause], alone: Alone) -> list[Leaf]:
        """The leaf with an equation for each row of the overflow counts if these are numbers; two if a size is open."""
        found = alone.span(leaf.known) if _adjoin(disturbed) else None
        if found is None:
            return []
        space, question = found
        if question is not None:
            return leaf.both([question])
        return [self._summed(leaf, disturbed, space.rows)]

    def _kept(self, leaf: Leaf) -> list[Clause]:
        """The clauses that are necessary whatever the others are."""
        return [c for c in leaf.clauses if c.dims in leaf.alone]

    def _graph(self, leaf: Leaf, disturbed: Sequence[Clause]) -> CarryGraph | None:
        """The graph of these clauses' boundaries; None if strides are not known to be graded."""
        if not _adjoin(disturbed):
            return None
        places, start, axes = self._overlap(leaf, disturbed)
        graph = CarryGraph(self.algebra, self.divided, self._plainly(leaf), places)
        return graph if graph.at(start, axes) else None

    def _overlap(self, leaf: Leaf, disturbed: Sequence[Clause]) -> tuple[list[Poly], Poly, list[Axis]]:
        """Place values of these boundaries, start and axes, after substituting the names that the leaf determines."""
        equal = self._equal(leaf)
        old, (start,) = with_solved(self.old, equal), with_solved([self.start], equal)
        places = [product_of(old[c.dims[1] :]) if c.dims else UNIT for c in disturbed]
        return places, start, [Axis(*with_solved(a, equal)) for a in self.axes]

    def _by_graph(
        self, leaf: Leaf, disturbed: Sequence[Clause], graph: CarryGraph, closed: Closed, open_: Sequence[Levels]
    ) -> Iterator[Leaf]:
        """A leaf for each possible choice of closed sets."""
        apart = list[Levels]()
        for n, levels in enumerate(open_):
            more = closed.more(levels)
            if closed.has(levels) or more.implies_no_carry() or any(map(more.has, apart)):
                continue
            same = _left(graph.closed(levels), leaf.known)
            if not leaf.known.impossible(same):
                here = leaf if same == TRUE else leaf.chosen(same)
                yield from self._by_graph(here, disturbed, graph, more, open_[n + 1 :])
                if same == TRUE:
                    return
                leaf = leaf.chosen(negated(same))
            apart.append(levels)
        yield self._linked(leaf, disturbed, closed)

    def _linked(self, leaf: Leaf, disturbed: Sequence[Clause], closed: Closed) -> Leaf:
        """The leaf with an equation for each two levels that no closed set separates."""
        if not closed.sets:
            return leaf._replace(why="exact: the overflows of the boundaries are independent")
        rows = [[int(first <= n < last) for n in range(len(disturbed))] for first, last in closed.links()]
        return self._summed(leaf, disturbed, rows)

    def _summed(self, leaf: Leaf, disturbed: Sequence[Clause], rows: Iterable[Sequence[int]]) -> Leaf:
        """The leaf with an equation for each row, which has the factors of the boundaries' defects."""
        self.is_brief = True
        defects, clauses = list(map(self._defect, disturbed)), self._kept(leaf)
        for row in rows:
            literals = tuple([e for e in self.algebra.zero(combine(row, defects)) if e != FALSE])
            first = next(n for n, c in enumerate(row) if c)
            clauses += [Clause(literals, disturbed[first].why)] if TRUE not in literals else []
        return leaf._replace(clauses=tuple(clauses), why="exact: the overflows of the boundaries depend on one another")

    def _open(self, literal: Term, leaf: Leaf) -> bool:
        return leaf.is_open(literal) and not leaf.known.impossible(literal)

    def _equal(self, leaf: Leaf) -> dict[str, Poly]:
        """The names for which the leaf's equations can be solved."""
        equations = [f for f in leaf.known.facts if f.op == "=="]
        least = {Term(_TURNED[f.op], f.args) for f in leaf.known.said if f.op in _TURNED}
        equations += [Term("==", f.args) for f in leaf.known.facts if f.op in _TURNED and f in least]
        return solutions(equations, self.algebra)

    def _defect(self, clause: Clause) -> Poly:
        return minus(*self._sides(clause))

    def valued(self, leaf: Leaf) -> list[Leaf]:
        """A leaf for each value of the name with the fewest values left, if that may decide a doubt."""
        if not self.may_be_unneeded(leaf):
            return []
        among = [n for n in self.sized if self._is_free(n, leaf)]
        positive = [Term(">=", (sym(n), num(1))) for n in among if n in self.algebra.positive]
        found = few_values(among, [*leaf.known.facts, *self._plainly(leaf).facts, *positive])
        if found is None:
            return []
        name, values = found
        return [leaf.chosen(Term("==", (sym(name), num(v)))) for v in values]

    def _is_free(self, name: str, leaf: Leaf) -> bool:
        """Whether the boundaries depend on the name and its value is unknown."""
        used = [*self.old[1:], self.start, *(p for a in self.axes for p in a)]
        return name not in self._equal(leaf) and any(name in self.algebra.names(p) for p in used)


def _adjoin(clauses: Sequence[Clause]) -> bool:
    """Whether the clauses, ordered by their dims, are about boundaries beside one another."""
    dims = [c.dims or (0, 0) for c in clauses]
    return all(low <= high for (_, low), (high, _) in pairwise(dims))


def _is_plain(fact: Term, algebra: Algebra) -> bool:
    """Whether the fact compares linear sums of names, or is a disjunction of few such facts."""
    if fact.op == "or" and len(fact.args) <= _FEW:
        return all(_is_plain(part, algebra) for part in fact.args)
    if fact.op not in RELATIONS or any(node.op in ("//", "%") for node in walk(fact)):
        return False
    return all(len(m) <= 1 for side in fact.args for m in algebra.poly_of(side))


def _left(parts: Sequence[Term], known: Entailment) -> Term:
    """The conjunction of the parts that are not known to hold; false if one is known to fail."""
    if FALSE in parts or any(map(known.impossible, parts)):
        return FALSE
    return conj(p for p in parts if not known.implies(p))
