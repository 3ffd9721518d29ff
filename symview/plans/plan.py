"""Layouts from uses: the strides under which every consumer is a view; if there are none, the least copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import reduce
from itertools import combinations
from typing import Any, NamedTuple

from symview.cases.query import query_about
from symview.engine import density
from symview.engine.row_space import Row
from symview.errors import InputError, InternalError, NotSupported, Undecided
from symview.logic.budget import Budget, running
from symview.logic.notation import term_text
from symview.logic.points import bounds_of
from symview.logic.polynomial import Poly, as_ordered_term, minus, plus, poly_of, shifted, substitute
from symview.logic.solve import is_impossible
from symview.logic.terms import Term, conjuncts, num, sym, value_of
from symview.plans.answers import Conflict, Plan, Weight, short
from symview.plans.copies import Clause, Copies, Search, groups, root_of
from symview.plans.digits import Shape, replayed
from symview.plans.equations import equation
from symview.plans.every_size import clash_at_every_size
from symview.plans.forest import UNCLEAR, Result, forest
from symview.plans.options import Options, both_names, options_of
from symview.plans.reading import read_programs
from symview.plans.rows import combination, components
from symview.plans.strides import Clash, Demand, clash, layout, meets, row_major
from symview.rules.programs.program import Program
from symview.view import View

_SAMPLES = (2, 3, 4, 6, 5)  # sizes for names in the search for two indices
_MOST_GROUPED = 12  # the most programs of a tensor in several layouts
_MOST_CASES = 64  # the most cases of names that are 1
_OPTIMAL = "proved", "among ordered layouts", "undecided"


def plan(
    *programs: Program | str,
    names: Any = None,
    weights: Mapping[str, int] | None = None,
    element_bytes: int | None = None,
    unit: str | int | None = None,
    align: Mapping[str, int] | Mapping[int, int] | str | None = None,
    positive: bool = True,
    layouts: int = 1,
    assume: str | Iterable[str] = (),
    budget: Budget | None = None,
) -> Plan:
    """The layouts under which every program is a view of its tensor; if there are none, the copies with fewest bytes.

    Programs come from `tensor`, or are text; text that begins with an operation continues the last tensor. Programs
    share a common start, and any intermediate result may be copied. The result of `contiguous()` has row-major strides.
    `weights`: bytes by program, else size times `element_bytes`. `unit`: the dim of stride 1; `align`: multiples of
    elements by dim (`{"S": 8}` or "S=8"), or "16 bytes" for all strides but the unit one, or "tma" for that with stride
    1 in the last dim; both apply to tensors, whose dims have the `names`, or those of their sizes.
    `layouts`: how many layouts each tensor may have at once, each program a view of one; the others are q#2, ….
    Exact for numbers. With names in sizes the answer is for all sizes from 2, and dims in any order. Of copies that
    weigh the same, those under which tensors stay row-major are chosen. If the budget ends, the answer is the best plan
    so far, and `bound` what its copies weigh at least. Raises NotSupported for concat, pads and reads, and for names if
    a cut falls inside a dim; Undecided if no strides that meet `unit` and `align` are found.

    >>> from symview import tensor
    >>> q = tensor("q", "(B,S,H,D)")
    >>> print(plan(q.permute(0, 2, 1, 3).reshape("B*H", "S", "D"), q.reshape("B", "S", "H*D")))
    no copy
    q: (B,S,H,D):(D*H,B*D*H,D,1), contiguous groups: [B H D] [S]
    """
    budget = running(budget)
    given = read_programs(programs)
    if not given:
        raise InputError("plan(): give programs, such as tensor('q', '(B,S)').permute(1, 0)")
    options = options_of(names, weights, element_bytes, unit, align, positive, layouts)
    planning = _Planning(given, options, {}, budget)
    options.check(planning.forest.results)
    if planning.names and (options.align or options.every > 1):
        raise NotSupported(
            "an alignment is not decided for all sizes: write numbers for the names, as in q(4,1024,32,128)"
        )
    return planning.plan(assume)


class _Choice(NamedTuple):
    """Copies, others that are as good, a lower bound on their weight, and the clauses that prove it.

    `optimal`: see `Plan`; `stopped`: why the search ended before its proof.
    """

    copies: Copies
    others: tuple[Copies, ...]
    bound: Poly
    clauses: tuple[Clause[Clash], ...]
    optimal: str
    stopped: str = ""


class _Planning:
    """One question: its forest, and the search for copies."""

    def __init__(
        self, programs: tuple[Program, ...], options: Options, values: Mapping[str, int], budget: Budget
    ) -> None:
        self.programs, self.options, self.budget = programs, options, budget
        self.forest = forest(programs, values)
        self.names = self.forest.numbers.names
        self.demands = [options.demand(r) for r in self.forest.results]
        self.weights = [{} if r.before is None else _put(options.weight(r), values) for r in self.forest.results]
        self.keys = [str(r.program) if r.before is not None else r.program.step.given[0] for r in self.forest.results]
        self.rows: dict[tuple[int, int], tuple[Row, ...] | Undecided] = {}
        self.clashes: dict[tuple[int, tuple[int, ...]], Clash | None] = {}
        own = [self._number(weight) for weight in self.weights]
        self.nodes = self.forest.nodes(own, self._weighs_at_most, options.positive, budget)
        self.tensors = [v for v, node in enumerate(self.nodes) if node.before is None]

    def _number(self, weight: Poly) -> int:
        """The weight, with primes for names."""
        return value_of(as_ordered_term(weight), self.forest.numbers.primes)

    def _weighs_at_most(self, u: int, v: int) -> bool:
        """Whether a copy of a result weighs no more than one of the result before, for all sizes."""
        results, weights = self.forest.results, self.options.weights
        op, plain = results[u].op, not any(n in weights for x in (u, v) for n in both_names(results[x]))
        return (plain and op is not None and op.name == "slice") or _at_most(self.weights[u], self.weights[v])

    def rows_of(self, root: int, consumers: Sequence[int], budget: Budget) -> list[Row]:
        """The rows that these consumers, and the root itself, require of a root, each once."""
        found = dict[Row, None]()
        for c in (root, *consumers):
            if (root, c) not in self.rows:
                try:
                    self.rows[root, c] = self.forest.rows(root, c, budget)
                except Undecided as stop:
                    self.rows[root, c] = stop
            rows = self.rows[root, c]
            if isinstance(rows, Undecided):
                raise rows
            found |= dict.fromkeys(rows)
        return list(found)

    def _unit(self, root: int, c: int, budget: Budget) -> int | None:
        """The dim of a root that must have stride 1 for a row-major consumer, or why that is none."""
        return self.forest.unit(root, c, self.options.positive, lambda: self.rows_of(root, [c], budget))

    def _demand(self, root: int, consumers: Sequence[int], budget: Budget) -> Demand | Clash:
        """The demand on the strides of a root, with that of row-major results; a clash if none can meet it."""
        demand, shape = self.demands[root], self.forest.results[root].shape
        if demand.unit is not None and shape[demand.unit] < 2:  # its stride moves nothing
            demand = demand._replace(unit=None)
        for c in (root, *consumers):
            if (unit := self._unit(root, c, budget)) is None:
                continue
            if unit < 0 or demand.unit not in (None, unit):
                steps = "may not be 1 apart" if unit == UNCLEAR else "are not 1 apart in any layout"
                why = (
                    f"needs stride 1 in dim {unit}, not in dim {demand.unit}"
                    if unit >= 0
                    else f"has elements that {steps}"
                )
                reason = f"{short(str(self.forest.results[c].program))} {why}"
                return Clash("open" if unit == UNCLEAR else "unit", (0,) * len(shape), reason)
            demand = demand._replace(unit=unit)
        return demand

    def _clash(self, root: int, consumers: Sequence[int], budget: Budget) -> Clash | None:
        """Why no strides of a root serve consumers; None if some do. Answers are kept."""
        key = root, tuple(consumers)
        if key not in self.clashes:
            shape = self.forest.results[root].shape
            try:
                demand = self._demand(root, consumers, budget)
                if isinstance(demand, Clash):
                    self.clashes[key] = demand
                    return demand
                rows = self.rows_of(root, consumers, budget)
                if self.names:
                    self.clashes[key] = clash_at_every_size(shape, rows, demand, self.forest.numbers)
                else:
                    self.clashes[key] = clash(shape, rows, demand, budget)
            except Undecided as stop:
                self.clashes[key] = Clash("open", (0,) * len(shape), stop.reason)
        return self.clashes[key]

    def _clash_of_parts(self, root: int, consumers: Sequence[int], budget: Budget) -> Clash | None:
        """The clash if a tensor may have several layouts."""
        found = self._clash(root, consumers, budget)
        if found is None or self.options.layouts == 1 or self.nodes[root].before is not None:
            return found
        alone = next((why for c in consumers if (why := self._clash(root, [c], budget))), None)
        if alone is not None:
            return alone
        count = len(self.parts(root, consumers, budget))
        reason = f"{count} layouts are needed"
        return None if count <= self.options.layouts else Clash("layouts", (0,) * len(found.row), reason)

    def _settled(self, root: int, consumers: Sequence[int], budget: Budget) -> Clash | None:
        """The clash if it is proved; strides that were not found may exist."""
        found = self._clash_of_parts(root, consumers, budget)
        return None if found is not None and found.kind == "open" else found

    def _moved(self, root: int, consumers: Sequence[int], budget: Budget) -> Clash | None:
        """The clash if tensors have to be row-major."""
        if self.nodes[root].before is None and not self._is_row_major(root, consumers, budget):
            return Clash("order", ())
        return self._clash_of_parts(root, consumers, budget)

    def _is_row_major(self, root: int, consumers: Sequence[int], budget: Budget) -> bool:
        """Whether the row-major layout of a tensor serves consumers."""
        shape = self.forest.results[root].shape
        with suppress(Undecided):
            demand = self._demand(root, consumers, budget)
            rows = self.rows_of(root, consumers, budget)
            return not isinstance(demand, Clash) and meets(row_major(shape), shape, rows, demand, budget)
        return False

    def parts(self, root: int, consumers: Sequence[int], budget: Budget) -> list[tuple[int, ...]]:
        """The fewest groups of consumers each served by one layout of the root; each single consumer is."""
        if len(consumers) > _MOST_GROUPED:
            raise NotSupported(f"plan with several layouts of a tensor with more than {_MOST_GROUPED} programs")
        known: dict[tuple[int, ...], list[tuple[int, ...]]] = {(): []}

        def split(left: tuple[int, ...]) -> list[tuple[int, ...]]:
            first, rest = left[:1], left[1:]
            for count in range(len(rest), -1, -1) if left not in known else ():
                for more in combinations(rest, count):
                    budget.spend(1)
                    others = split(tuple([c for c in rest if c not in more]))
                    fewer = left not in known or len(others) + 1 < len(known[left])
                    if fewer and (not more or self._clash(root, first + more, budget) is None):
                        known[left] = [first + more, *others]
            return known[left]

        return split(tuple(consumers))

    def plan(self, assume: Any) -> Plan:
        """The whole answer."""
        facts = self._facts(assume)
        choices = [self._chosen(v) for v in self.tensors]
        copied = Copies().union(*[c.copies for c in choices])
        try:
            laid = self._layouts(copied)
        except Undecided as stop:  # all consumers can be copied
            copied = frozenset(v for v, node in enumerate(self.nodes) if node.consumed and node.before is not None)
            laid = self._layouts(copied)
            choices = [c._replace(others=(), stopped=c.stopped or stop.reason) for c in choices]
        clauses = [clause for c in choices for clause in c.clauses]
        bound: Poly = reduce(plus, [c.bound for c in choices])
        proved = bound == self._total(copied)
        optimal = max([c.optimal for c in choices], key=_OPTIMAL.index) if proved else "undecided"
        stopped = next((c.stopped for c in choices if c.stopped), "")
        conflicts = tuple([self._conflict(c) for c in clauses])
        ones, untried = self._at_ones(copied, facts) if self.names and copied else ((), 0)
        others = tuple([self._named((copied - c.copies) | s) for c in choices for s in c.others])
        weight, least = map(self._spelled_weight, (self._total(copied), bound))
        unit = "bytes" if self.options.element_bytes else "elements"
        return Plan(tuple(map(str, self.programs)), laid[0], self._named(copied), weight, *laid[1:], conflicts, optimal,
                    unit, others, ones, least, stopped, untried)  # fmt: skip

    def _facts(self, assume: Any) -> tuple[Term, ...]:
        """The assumptions about names; raises InputError if they exclude all sizes from 2."""
        query = query_about((View.parse(f"({','.join(self.names)})"),), assume, self.budget)
        from_two = [Term(">=", (sym(n), num(2))) for n in self.names]
        if query.assumed and is_impossible([*query.facts.formulas, *from_two], self.budget):
            raise InputError(
                f"assume={assume!r}: the answer is for sizes from 2; write numbers for names that are smaller"
            )
        return query.assumed

    def _search(self, tensor: int, conflict: Callable[[int, Sequence[int], Budget], Clash | None]) -> Search[Clash]:
        return Search(self.nodes, tensor, conflict, self.keys.__getitem__)

    def _chosen(self, tensor: int) -> _Choice:
        """The copies of results of a tensor; if the budget ends, some that suffice."""
        search, budget = self._search(tensor, self._clash_of_parts), self.budget.part(2)
        try:
            if self.names:
                return self._among_minimal(search, budget)
            copies, stopped = next(search.lightest(budget)), ""
        except Undecided as stop:
            copies, stopped = search.some(self.budget.part(2)), stop.reason
        bound, clauses = self._bounded(search)
        if copies and (self.names or bound < self._number(self._total(copies))):
            return _Choice(copies, (), poly_of(num(bound)), clauses, "undecided", stopped)
        copies, others = self._preferred(search, copies)
        return _Choice(copies, others, self._total(copies), clauses, "proved")

    def _bounded(self, search: Search[Clash]) -> tuple[int, tuple[Clause[Clash], ...]]:
        """A lower bound on the weight of all valid sets of copies, and clauses: those that prove it, if any are enough.

        Strides that were not found may exist, so such clauses count for nothing.
        """
        clauses = tuple(search.clauses)
        if self.names or all(c.reason.kind != "open" for c in clauses):
            return 0 if self.names else search.low(), clauses
        settled = self._search(search.tensor, self._settled)
        settled.clauses = [c for c in clauses if c.reason.kind != "open"]
        with suppress(Undecided):
            next(settled.lightest(self.budget.part(4)))
        return settled.low(), tuple(settled.clauses) if settled.low() == search.low() else clauses

    def _preferred(self, search: Search[Clash], copies: Copies) -> tuple[Copies, tuple[Copies, ...]]:
        """Of the lightest sets of copies one that leaves the tensor row-major, if there is one; and another set."""
        weight, budget = sum(self.nodes[v].weight for v in copies), self.budget.part(4)
        with suppress(Undecided):
            if not self._keeps(search, copies):
                kept = self._search(search.tensor, self._moved)
                kept.clauses = list(search.clauses)
                for found in kept.lightest(budget, weight):
                    return found, (copies,)
            if copies:
                for found in search.lightest(budget, weight):
                    if not found >= copies:
                        return copies, (found,)
        return copies, ()

    def _keeps(self, search: Search[Clash], copies: Copies) -> bool:
        """Whether the tensor is row-major under these copies."""
        own = [users for root, users in search.groups(copies) if root == search.tensor]
        return all(self._is_row_major(search.tensor, users, self.budget) for users in own)

    def _among_minimal(self, search: Search[Clash], budget: Budget) -> _Choice:
        """The lightest of the minimal sets for all sizes, or all of them if none is known to be the lightest."""
        sets = search.minimal(budget)
        totals = [self._total(s) for s in sets]
        least = [s for s, a in zip(sets, totals, strict=True) if all(_at_most(a, b) for b in totals)]
        moved = {s: not self._keeps(search, s) for s in sets}
        first, *others = sorted(
            least or sets,
            key=lambda s: (*((moved[s], len(s)) if least else (len(s), moved[s])), sorted(self._named(s))),
        )
        kinds = {c.reason.kind for c in search.clauses}
        optimal = "undecided" if not least or "open" in kinds else _OPTIMAL[bool(kinds & {"order", "layouts"})]
        bound = {} if optimal == "undecided" else self._total(first)
        return _Choice(first, tuple(others), bound, tuple(search.clauses), optimal)

    def _at_ones(self, copied: Copies, facts: Sequence[Term]) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], int]:
        """Names that may be 1, fewest first, and the copies that then suffice, if they differ; how many were not tried.

        Where nothing is copied, more names of 1 change nothing.
        """
        parts = [part for fact in facts for part in conjuncts(fact)]
        free = [n for n, (low, _) in zip(self.names, bounds_of(parts, self.names), strict=True) if (low or 0) < 2]
        known: dict[frozenset[str], tuple[str, ...]] = {frozenset(): self._named(copied)}
        found, untried = list[tuple[str, tuple[str, ...]]](), 0
        for ones in (set_ for count in range(1, len(free) + 1) for set_ in combinations(free, count)):
            if any(not copies and s <= set(ones) for s, copies in known.items()):
                continue
            if len(known) >= _MOST_CASES or self.budget.is_over():
                untried += 1
                continue
            there = _Planning(self.programs, self.options, dict.fromkeys(ones, 1), self.budget)
            copies = there._named(Copies().union(*[there._chosen(v).copies for v in there.tensors]))
            if not any(s < set(ones) and c == copies for s, c in known.items()):
                found.append((" and ".join(f"{n} = 1" for n in ones), copies))
            known[frozenset(ones)] = copies
        return tuple(found), untried

    def _total(self, copied: Iterable[int]) -> Poly:
        return reduce(plus, [self.weights[v] for v in copied], {})

    def _spelled_weight(self, weight: Poly) -> Weight:
        found = as_ordered_term(weight)
        return found.args[0] if found.op == "int" else term_text(found)

    def _named(self, copied: Iterable[int]) -> tuple[str, ...]:
        return tuple([self.keys[v] for v in sorted(copied)])

    # Layouts

    def _layouts(self, copied: Copies) -> tuple[dict[str, View], dict[str, View], dict[str, str], dict[str, Any], bool]:
        """The layout of each tensor and copy, each program as a view, blocks, equations, and whether all are dense."""
        users, results = groups(self.nodes, copied), self.forest.results
        layouts, views, blocks, dense = dict[str, View](), dict[str, View](), dict[str, str](), True
        found, equations = dict[int, tuple[int, ...]](), dict[str, tuple[str, ...]]()
        for v, result in enumerate(results):
            for n, part in enumerate(self._grouped(v, copied, users.get(v, []))):
                rows, key = self.rows_of(v, part, self.budget), self.keys[v] + (f"#{n + 1}" if n else "")
                demand = self._demand(v, part, self.budget)
                if isinstance(demand, Clash):
                    raise InternalError(f"the programs of {result.program} clash: {demand.reason}")
                strides = layout(result.shape, rows, demand, self.budget)
                if not self.names and not meets(strides, result.shape, rows, demand, self.budget):
                    raise InternalError(f"the strides {strides} of {result.program} do not serve")
                found |= dict.fromkeys(part, strides) | ({v: strides} if n == 0 else {})
                dense = dense and density.is_dense(density.moving(result.shape, strides), True)
                layouts[key] = self._view(result.shape, strides)
                if result.before is None:
                    blocks[key] = self._blocks(result, rows, strides)
                    ones = {d for c in part if (d := self._unit(v, c, self.budget)) is not None}
                    equations[key] = (*[equation(r, self._spelled) for r in rows], *[f"t{d} == 1" for d in ones])
        for v, result in enumerate(results):
            if result.consumed:
                views[str(result.program)] = self._replayed(root_of(self.nodes, v, copied), v, found[v])
        return layouts, views, blocks, equations, dense

    def _grouped(self, v: int, copied: Copies, users: list[int]) -> list[tuple[int, ...]]:
        """Groups the consumers of a tensor by layouts; a copy has one group, and other results have none."""
        if self.nodes[v].before is None and users and self.options.layouts > 1:
            return self.parts(v, users, self.budget)
        return [tuple(users)] if self.nodes[v].before is None or v in copied else []

    def _spelled(self, number: int) -> str:
        return term_text(self.forest.numbers.term(number))

    def _view(self, shape: Shape, strides: Sequence[int], start: Sequence[int] = ()) -> View:
        if not self.names:
            offset = sum((n - 1) * -t for n, t in zip(shape, strides, strict=True) if t < 0 < n)
            return View(shape, strides, offset)
        sizes, steps, parts = (list(map(self._spelled, xs)) for xs in (shape, strides, start))
        return View.parse(f"({','.join(sizes)}):({','.join(steps)}){''.join(f'+({part})' for part in parts)}")

    def _replayed(self, root: int, v: int, strides: tuple[int, ...]) -> View:
        """The program as a view of its root, from the answers of reshape for these strides."""
        if self.names:
            return self._view(self.forest.results[v].shape, *self.forest.view(root, v, strides))
        view = self._view(self.forest.results[root].shape, strides)
        made = replayed(view, self.forest.ops(root, v), self.budget)
        if made is None:
            raise InternalError(f"{self.forest.results[v].program} is not a view of {view}")
        return made

    def _blocks(self, result: Result, rows: list[Row], strides: Sequence[int]) -> str:
        own = self.options.dims(result)
        live = [d for d, n in enumerate(result.shape) if n > 1]
        parts = [sorted(dims, key=lambda d: -abs(strides[d])) for dims, _ in components(rows, live)]
        return "".join(f"[{' '.join(own[d] for d in part)}]" for part in parts)

    # Conflicts

    def _conflict(self, clause: Clause[Clash]) -> Conflict:
        why, where, rows = clause.reason, dict[str, int](), list[Row]()
        root, consumers = clause.root, clause.consumers
        if why.kind not in ("layouts", "open"):
            rows = self.rows_of(root, consumers, self.budget)
            if self.names:
                why, where, rows = self._sampled(root, consumers, why)
        indices: tuple[tuple[int, ...], ...] = ()
        if why.kind == "collision":
            indices = tuple([tuple([max(0, sign * x) for x in why.row]) for sign in (1, -1)])
        scale, by = combination(rows, why.row)
        named = tuple([str(self.forest.results[c].program) for c in consumers])
        copies = self._named(clause.nodes)
        kind = why.kind if indices else clause.reason.kind
        return Conflict(self.keys[root], named, copies, kind, indices, tuple(rows), (scale, *by), where, why.reason)

    def _sampled(self, root: int, consumers: Sequence[int], why: Clash) -> tuple[Clash, dict[str, int], list[Row]]:
        """Sizes at which the clash is found with numbers, and two indices; only the reason if none are found."""
        at = self.forest.results
        programs, options = [at[c].program for c in consumers], replace(self.options, weights={})
        for size in _SAMPLES:
            values = dict.fromkeys(self.names, size)
            try:
                other = _Planning((at[root].program, *programs), options, values, self.budget)
            except InputError:
                continue
            places = {str(r.program): v for v, r in enumerate(other.forest.results)}
            there = places[str(at[root].program)], [places[str(p)] for p in programs]
            found = other._clash(*there, self.budget)
            if found is not None and (found.kind == why.kind or found.kind == "collision"):
                return found, values, other.rows_of(*there, self.budget)
        return why._replace(row=(), kind="order"), {}, []


def _put(weight: Any, values: Mapping[str, int]) -> Poly:
    """Substitutes numbers for some names in a weight."""
    found = weight if isinstance(weight, dict) else poly_of(num(weight))
    for name, value in values.items():
        found = substitute(found, name, poly_of(num(value)))
    return found


def _at_most(a: Poly, b: Poly) -> bool:
    """Whether the coefficients show that one polynomial is at most another for all values from 2."""
    rest = minus(b, a)
    return all(c >= 0 for c in shifted(rest, dict.fromkeys({n for m in rest for n in m}, 2)).values())
