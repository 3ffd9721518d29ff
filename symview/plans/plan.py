"""Layouts from uses: the strides under which every consumer is a view; if there are none, the least copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from math import prod
from typing import Any

from symview.cases.query import assumptions
from symview.certificates import document
from symview.displayed import Json
from symview.engine import density
from symview.engine.row_space import Row
from symview.errors import InputError, InternalError, NotSupported, Undecided
from symview.logic.budget import Budget, running
from symview.logic.notation import term_text
from symview.logic.points import bounds_of
from symview.logic.polynomial import Poly, as_ordered_term, minus, plus, poly_of, shifted, substitute, times
from symview.logic.terms import Term, conjuncts, num, sym
from symview.plans.answers import Conflict, Plan, Weight, short
from symview.plans.copies import Clause, Copies, Search, groups, root_of
from symview.plans.digits import Shape, replayed
from symview.plans.equations import equation
from symview.plans.every_size import clash_at_every_size
from symview.plans.forest import Result, forest
from symview.plans.rows import combination, components
from symview.plans.strides import Clash, Demand, clash, layout, meets
from symview.rules.programs.notation import split_entries
from symview.rules.programs.program import Program
from symview.view import View

_SAMPLES = (2, 3, 4, 6, 5)  # sizes for names in the search for two indices
_MOST_GROUPED = 12  # the most programs of a tensor in several layouts
_MOST_CASES = 64  # the most cases of names that are 1
_BYTES = 16  # alignment of the addresses of hardware tensor copies


def plan(
    *programs: Program | str,
    names: Any = None,
    weights: Mapping[str, int] | None = None,
    element_bytes: int | None = None,
    unit: str | None = None,
    align: Mapping[str, int] | str | None = None,
    positive: bool = True,
    layouts: int = 1,
    assume: str | Iterable[str] = (),
    budget: Budget | None = None,
) -> Plan:
    """The layouts under which every program is a view of its tensor; if there are none, the copies with fewest bytes.

    Programs come from `tensor`, or are text; programs share a common start, and any intermediate result may be copied.
    `weights`: bytes by program, else size times `element_bytes`. `unit`: the dim of stride 1; `align`: multiples of
    elements by dim, or "16 bytes" for all strides but the unit one, or "tma" for that with stride 1 in the last dim;
    both apply to tensors, whose dims have the `names`, or those of their sizes.
    `layouts`: how many layouts each tensor may have at once, each program a view of one; the others are q#2, ….
    Exact for numbers. With names in sizes the answer is for all sizes from 2, and dims in any order. Raises
    NotSupported for concat, pads and reads, and for names if a cut falls inside a dim; Undecided if the budget
    ends.

    >>> from symview import tensor
    >>> q = tensor("q", "(B,S,H,D)")
    >>> print(plan(q.permute(0, 2, 1, 3).reshape("B*H", "S", "D"), q.reshape("B", "S", "H*D")))
    no copy
    q: (B,S,H,D):(D*H,B*D*H,D,1), blocks [B H D][S]
    """
    budget = running(budget)
    given = tuple([_program(p) for p in programs])
    if not given:
        raise InputError("plan(): give programs, such as tensor('q', '(B,S)').permute(1, 0)")
    return _Planning(given, _Options(names, weights, element_bytes, unit, align, positive, layouts), {}, budget).plan(
        assume
    )


def _both(name: str) -> tuple[str, str]:
    """The names of a result, with the shape of its tensor and without."""
    return name, short(name)


def _program(given: Program | str) -> Program:
    if isinstance(given, str):
        return Program.parse(given)
    if not isinstance(given, Program):
        raise InputError(f"plan of {given!r}: give programs, such as tensor('q', '(B,S)').permute(1, 0)")
    return given


@dataclass(frozen=True)
class _Options:
    """The options of a question about programs."""

    names: Any
    weights: Mapping[str, int] | None
    element_bytes: int | None
    unit: str | None
    align: Mapping[str, int] | str | None
    positive: bool
    layouts: int

    def weight(self, result: Result) -> Any:
        """The weight of a copy of a result; a polynomial if sizes have names."""
        for name in _both(str(result.program)):
            if self.weights and name in self.weights:
                return self.weights[name]
        return reduce(times, map(poly_of, result.program.sizes), poly_of(num(self.element_bytes or 1)))

    def dims(self, result: Result) -> list[str]:
        """The names of the dims of a result: the tensor's `names`, those of its sizes, or their numbers."""
        sizes = result.program.sizes
        own = self.names
        if result.before is not None:
            own = None
        elif isinstance(own, Mapping):
            own = own.get(result.program.step.given[0])
        if own is not None:
            listed = [str(x) for x in (split_entries(own) if isinstance(own, str) else own)]
            if len(listed) != len(sizes):
                raise InputError(f"names {own!r}: give one for each of the {len(sizes)} dims of {result.program}")
            return listed
        texts = [term_text(t) if t.op == "sym" else str(d) for d, t in enumerate(sizes)]
        return texts if len(set(texts)) == len(texts) else list(map(str, range(len(sizes))))

    def demand(self, result: Result) -> Demand:
        """The demand on the strides of a result; strides of copies must only be positive."""
        if result.before is not None:
            return Demand(self.positive)
        dims = self.dims(result)
        unit = dims.index(self.unit) if self.unit in dims else len(dims) - 1 if self.align == "tma" and dims else None
        multiples: tuple[int, ...] = ()
        if isinstance(self.align, str):
            if self.align not in ("tma", "16 bytes") or self.element_bytes is None or _BYTES % self.element_bytes:
                raise InputError(f"align={self.align!r}: give 'tma' or '16 bytes', and element_bytes, a divisor of 16")
            multiples = (_BYTES // self.element_bytes,) * len(dims)
        elif self.align is not None:
            multiples = tuple([self.align.get(d, 1) for d in dims])
        return Demand(self.positive, unit, multiples if set(multiples) - {1} else ())


class _Planning:
    """One question: its forest, and the search for copies."""

    def __init__(
        self, programs: tuple[Program, ...], options: _Options, values: Mapping[str, int], budget: Budget
    ) -> None:
        self.programs, self.options, self.budget = programs, options, budget
        self.forest = forest(programs, values, budget)
        self.names = self.forest.numbers.names
        if options.unit is not None or isinstance(options.align, Mapping):
            dims = {n for r in self.forest.results if r.before is None for n in options.dims(r)}
            wanted = {
                *([options.unit] if options.unit else []),
                *(options.align if isinstance(options.align, Mapping) else ()),
            }
            if wanted - dims:
                raise InputError(f"no dim {min(wanted - dims)!r}: the dims are {', '.join(sorted(dims))}")
        known = {n for r in self.forest.results for n in _both(str(r.program))}
        wrong = [n for n, weight in (options.weights or {}).items() if n not in known or weight < 0]
        if wrong:
            raise InputError(f"the weight of {wrong[0]}: give weights from 0 up, by results of the programs")
        if type(options.layouts) is not int or options.layouts < 1:
            raise InputError(f"layouts={options.layouts!r}: give how many layouts a tensor may have, from 1 up")
        if self.names and options.align is not None:
            raise NotSupported("plan with alignment for all sizes: give numbers")
        self.demands = [options.demand(r) for r in self.forest.results]
        self.weights = [{} if r.before is None else _put(options.weight(r), values) for r in self.forest.results]
        self.keys = [str(r.program) if r.before is not None else r.program.step.given[0] for r in self.forest.results]
        self.rows: dict[tuple[int, int], tuple[Row, ...]] = {}
        self.nodes = self.forest.nodes(self._number)
        tensors = [v for v, node in enumerate(self.nodes) if node.before is None]
        self.searches = [Search(self.nodes, v, self._clash_of_parts, budget) for v in tensors]

    def _number(self, result: Result) -> int:
        own = self.options.weight(result)
        if isinstance(own, int):
            return own
        return prod(result.shape) * (self.options.element_bytes or 1)

    def rows_of(self, root: int, consumers: Sequence[int]) -> list[Row]:
        """The rows that these consumers require of a root, each once."""
        for c in consumers:
            if (root, c) not in self.rows:
                self.rows[root, c] = self.forest.rows(root, c)
        return list(dict.fromkeys(row for c in consumers for row in self.rows[root, c]))

    def _clash(self, root: int, consumers: Sequence[int]) -> Clash | None:
        shape, rows, demand = self.forest.results[root].shape, self.rows_of(root, consumers), self.demands[root]
        if self.names:
            return clash_at_every_size(shape, rows, demand, self.forest.numbers)
        try:
            return clash(shape, rows, demand, self.budget)
        except Undecided as stop:
            return Clash("open", (0,) * len(shape), stop.reason)

    def _clash_of_parts(self, root: int, consumers: Sequence[int]) -> Clash | None:
        """The clash if a tensor may have several layouts."""
        found = self._clash(root, consumers)
        if found is None or self.options.layouts == 1 or self.nodes[root].before is not None:
            return found
        alone = next((why for c in consumers if (why := self._clash(root, [c]))), None)
        if alone is not None:
            return alone
        count = len(self.parts(root, consumers))
        reason = f"{count} layouts are needed"
        return None if count <= self.options.layouts else Clash("layouts", (0,) * len(found.row), reason)

    def parts(self, root: int, consumers: Sequence[int]) -> list[tuple[int, ...]]:
        """The fewest groups of consumers each served by one layout of the root; each single consumer is."""
        if len(consumers) > _MOST_GROUPED:
            raise NotSupported(f"plan with several layouts of a tensor with more than {_MOST_GROUPED} programs")
        known: dict[tuple[int, ...], list[tuple[int, ...]]] = {(): []}

        def split(left: tuple[int, ...]) -> list[tuple[int, ...]]:
            first, rest = left[:1], left[1:]
            for count in range(len(rest), -1, -1) if left not in known else ():
                for more in combinations(rest, count):
                    self.budget.spend(1)
                    others = split(tuple([c for c in rest if c not in more]))
                    fewer = left not in known or len(others) + 1 < len(known[left])
                    if fewer and (not more or self._clash(root, first + more) is None):
                        known[left] = [first + more, *others]
            return known[left]

        return split(tuple(consumers))

    def plan(self, assume: Any) -> Plan:
        """The whole answer."""
        assumed = assumptions(assume, {n: sym(n) for n in self.names})
        copied, others, shown = self._copies()
        layouts, views, blocks, equations, dense = self._layouts(copied)
        clauses = [c for search in self.searches for c in search.clauses]
        kinds = {c.reason.kind for c in clauses}
        ordered = "order" in kinds or (self.names and "layouts" in kinds)
        optimal = "undecided" if "open" in kinds or not shown else "among ordered layouts" if ordered else "proved"
        weight, unit = self._weight(copied), "bytes" if self.options.element_bytes else "elements"
        conflicts = tuple([self._conflict(c) for c in clauses])
        ones = self._at_ones(copied, assumed) if self.names and copied else ()
        evidence = None if self.names or self.options.layouts > 1 else self._certificate(copied, layouts)
        return Plan(tuple(map(str, self.programs)), layouts, self._named(copied), weight, views, blocks, equations,
                    dense, conflicts, optimal, unit, tuple(map(self._named, others)), ones, evidence)  # fmt: skip

    def _copies(self) -> tuple[Copies, list[Copies], bool]:
        """The copies, other minimal sets, and whether the copies are proved to be the least."""
        chosen, others, shown = Copies(), list[Copies](), True
        for search in self.searches:
            found = search.minimal() if self.names else [search.least()]
            sets = sorted(found, key=lambda s: (len(s), sorted(s)))
            totals = [self._total(s) for s in sets]
            least = next((n for n, a in enumerate(totals) if all(_at_most(a, b) for b in totals)), None)
            shown = shown and least is not None
            others += sets[1:] if least is None else []
            chosen |= sets[least or 0]
        return chosen, others, shown

    def _at_ones(self, copied: Copies, assumed: Sequence[Term]) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Names that may be 1, and the copies that then suffice, if they differ; fewest names first, up to 64 cases."""
        facts = [fact for f in assumed for fact in conjuncts(f)]
        free = [n for n, (low, _) in zip(self.names, bounds_of(facts, self.names), strict=True) if (low or 0) < 2]
        known: dict[frozenset[str], tuple[str, ...]] = {frozenset(): self._named(copied)}
        found = list[tuple[str, tuple[str, ...]]]()
        for count in range(1, len(free) + 1):
            for ones in combinations(free, count) if len(known) < _MOST_CASES else ():
                there = _Planning(self.programs, self.options, dict.fromkeys(ones, 1), self.budget)
                known[frozenset(ones)] = copies = there._named(there._copies()[0])
                if not any(s < frozenset(ones) and c == copies for s, c in known.items()):
                    found.append((" and ".join(f"{n} = 1" for n in ones), copies))
        return tuple(found)

    def _total(self, copied: Iterable[int]) -> Poly:
        return reduce(plus, [self.weights[v] for v in copied], {})

    def _weight(self, copied: Iterable[int]) -> Weight:
        found = as_ordered_term(self._total(copied))
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
                rows, key = self.rows_of(v, part), self.keys[v] + (f"#{n + 1}" if n else "")
                strides = layout(result.shape, rows, self.demands[v], self.budget)
                if not self.names and not meets(strides, result.shape, rows, self.demands[v], self.budget):
                    raise InternalError(f"the strides {strides} of {result.program} do not serve")
                found |= dict.fromkeys(part, strides) | ({v: strides} if n == 0 else {})
                dense = dense and density.is_dense(density.moving(result.shape, strides), True)
                layouts[key] = self._view(result.shape, strides)
                if result.before is None:
                    blocks[key] = self._blocks(result, rows, strides)
                    equations[key] = tuple([equation(row, self._spelled) for row in rows])
        for v, result in enumerate(results):
            if result.consumed:
                views[str(result.program)] = self._replayed(root_of(self.nodes, v, copied), v, found[v])
        return layouts, views, blocks, equations, dense

    def _grouped(self, v: int, copied: Copies, users: list[int]) -> list[tuple[int, ...]]:
        """Groups the consumers of a tensor by layouts; a copy has one group, and other results have none."""
        if self.nodes[v].before is None and users and self.options.layouts > 1:
            return self.parts(v, users)
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
            raise InternalError(f"{self.forest.results[v].program} is no view of {view}")
        return made

    def _blocks(self, result: Result, rows: list[Row], strides: Sequence[int]) -> str:
        own = self.options.dims(result)
        live = [d for d, n in enumerate(result.shape) if n > 1]
        parts = [sorted(dims, key=lambda d: -abs(strides[d])) for dims, _ in components(rows, live)]
        return "".join(f"[{' '.join(own[d] for d in part)}]" for part in parts)

    # Conflicts

    def _conflict(self, clause: Clause[Clash]) -> Conflict:
        why, where = clause.reason, dict[str, int]()
        root, consumers = clause.root, clause.consumers
        rows = self.rows_of(root, consumers)
        if why.kind == "layouts":
            rows = []
        elif self.names:
            why, where, rows = self._sampled(root, consumers, why)
        indices: tuple[tuple[int, ...], ...] = ()
        if why.kind == "collision":
            indices = tuple([tuple([max(0, sign * x) for x in why.row]) for sign in (1, -1)])
        scale, by = combination(rows, why.row)
        named = tuple([str(self.forest.results[c].program) for c in consumers])
        copies = self._named(clause.nodes)
        kind = why.kind if indices else clause.reason.kind
        return Conflict(self.keys[root], named, copies, kind, indices, tuple(rows), (scale, *by), where, why.reason)

    def _certificate(self, copied: Copies, layouts: Mapping[str, View]) -> Json:
        """The forest as numbers, the layouts, and each clause with rows that sum to a difference of two indices."""
        nodes = []
        for v, r in enumerate(self.forest.results):
            demand, step = self.demands[v], [] if r.op is None else [r.op.name, [*map(_listed, r.op.given)]]
            nodes.append({"before": r.before, "step": step, "shape": list(r.shape), "consumed": r.consumed,
                          "weight": self.nodes[v].weight, "unit": demand.unit,
                          "multiples": list(demand.multiples)})  # fmt: skip
        clauses = []
        for clause in (c for search in self.searches for c in search.clauses):
            rows = self.rows_of(clause.root, clause.consumers)
            scale, by = combination(rows, clause.reason.row)
            terms = [{"row": list(row), "times": m} for row, m in zip(rows, by, strict=True) if m]
            clauses.append({"root": clause.root, "programs": list(clause.consumers), "scale": scale, "terms": terms,
                            "difference": list(clause.reason.row), "settled": any(clause.reason.row)})  # fmt: skip
        found = [{"node": v, "strides": list(layouts[k].strides)} for v, k in enumerate(self.keys) if k in layouts]
        answer = {"copies": sorted(copied), "layouts": found, "clauses": clauses}
        return document("plan", {"positive": self.options.positive, "nodes": nodes}, answer)

    def _sampled(self, root: int, consumers: Sequence[int], why: Clash) -> tuple[Clash, dict[str, int], list[Row]]:
        """Sizes at which the clash is found with numbers, and two indices; only the reason if none are found."""
        at = self.forest.results
        programs = [at[c].program for c in consumers]
        for size in _SAMPLES:
            values = dict.fromkeys(self.names, size)
            try:
                other = _Planning((at[root].program, *programs), self.options, values, self.budget)
            except InputError:
                continue
            places = {str(r.program): v for v, r in enumerate(other.forest.results)}
            there = places[str(at[root].program)], [places[str(p)] for p in programs]
            found = other._clash(*there)
            if found is not None and (found.kind == why.kind or found.kind == "collision"):
                return found, values, other.rows_of(*there)
        return why._replace(row=(), kind="order"), {}, []


def _put(weight: Any, values: Mapping[str, int]) -> Poly:
    """Substitutes numbers for some names in a weight."""
    found = weight if isinstance(weight, dict) else poly_of(num(weight))
    for name, value in values.items():
        found = substitute(found, name, poly_of(num(value)))
    return found


def _listed(given: Any) -> Any:
    return list(given) if isinstance(given, tuple) else given


def _at_most(a: Poly, b: Poly) -> bool:
    """Whether the coefficients show that one polynomial is at most another for all values from 2."""
    rest = minus(b, a)
    return all(c >= 0 for c in shifted(rest, dict.fromkeys({n for m in rest for n in m}, 2)).values())
