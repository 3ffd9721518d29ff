"""Checking conditions on views, and merges, which are conditions without names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from math import prod
from random import Random
from typing import Any, NamedTuple

from symview.verify.boxes import (
    Outside,
    Row,
    Span,
    Truth,
    address,
    composed,
    free_names,
    numeric,
    of_numbers,
    reached,
    row_of,
    said,
    seen,
    term,
    times,
    visible,
    walked,
)
from symview.verify.boxes import add as plus
from symview.verify.counterexamples import check_counterexample
from symview.verify.document import BadCertificate, Tree, View, formula, formulas, get, integers, view
from symview.verify.formulas import NotLinear, Script, Unsupported, Values, holds, linear, names, value, walk
from symview.verify.report import Report

WALK, STEPS, POINTS = 20_000, 20_000, 120  # indices of one box, of all boxes, values of the parameters
STATUSES = ("always", "when", "never", "out_of_bounds", "undecided")


class Witness(NamedTuple):
    """The step to the index `at` along `axis`, which forces `equation`; `inner`: the last view at the numbers seen."""

    at: tuple[int, ...]
    axis: int
    equation: Tree
    inner: View | None


class Case(NamedTuple):
    """What is claimed wherever `where` holds."""

    where: Tree
    status: str
    equations: list[Tree]
    view: View | None
    witnesses: list[Witness]


def read_case(given: Any) -> Case:
    """A case; raises BadCertificate for what is none."""
    status, shown = get(given, "status", str), given.get("view")
    if status not in STATUSES or (status in ("always", "when") and shown is None):
        raise BadCertificate(f"a case of status {status[:20]!r}{'' if status not in STATUSES else ' without a view'}")
    witnesses = [
        Witness(integers(w.get("index"), "an index"), get(w, "axis", int), formula(w.get("equation")),
                view(w["inner"]) if w.get("inner") is not None else None)
        for w in get(given, "witnesses", list) if get(w, "index", list) is not None
    ]  # fmt: skip
    equations = formulas(given, "equations")
    if status in ("always", "when") and (status == "when") != bool(equations):
        raise BadCertificate(f"a case of status {status} has {len(equations)} equations")
    return Case(
        formula(given.get("where")), status, equations, None if shown is None else view(shown),
        witnesses,
    )  # fmt: skip


class Conditions:
    """One claim: the cases, under the facts, say exactly where the views are one view, and which."""

    def __init__(
        self,
        views: list[View],
        facts: list[Tree],
        cases: list[Case],
        clauses: Tree,
        report: Report,
        reshape: bool = False,
    ) -> None:
        sizes = [("*", 1, *v.shape) for v in views]
        self.fitting = ("==", sizes[0], sizes[-1]) if reshape else True
        self.views, self.facts, self.cases, self.clauses, self.report = views, facts, cases, clauses, report
        entries = [x for v in views for x in (*v.shape, *v.strides, v.offset, *(y for b in v.mask or () for y in b))]
        linear_in = [x for c in cases for x in (*c.equations, *_entries(c.view))]
        self.free = free_names(views, [c.where for c in cases])
        if not all(map(self._is_linear, linear_in)):
            raise BadCertificate("the addresses are linear in the strides, and an equation or a view is not")
        given = names(*entries)
        self.parameters = [n for n in given if n not in self.free]
        used = [*facts, *(x for c in cases for x in (c.where, *c.equations, *(e for e in _entries(c.view))))]
        strange = [n for n in names(*used, *([] if clauses is None else [clauses])) if n not in given]
        if strange:
            raise BadCertificate(f"{strange[0][:40]!r} is no name of the question")
        self.settled: list[Mapping[str, int]] = []  # values of the parameters at which the box was walked
        self.about_free = [f for f in facts if any(n in self.free for n in names(f))]

    def _is_linear(self, tree: Tree) -> bool:
        try:
            linear(("-", *tree[1:]) if type(tree) is tuple and tree[0] == "==" else tree, self.free)
        except NotLinear:
            return False
        return True

    def check(self) -> None:
        """Numbers first; what they do not settle is asked of the solver."""
        whole = not self.parameters
        for at in self._points():
            try:
                if self._at(at):
                    self.settled.append(at)
            except (ZeroDivisionError, Unsupported):
                self.report.leave(f"values without a value of a quotient ({_shown(at)})")
            if self.report.wrong:
                return
        if whole and self.settled:
            return
        self._for_all()
        if self.report.open:
            self.report.seen(f"{len(self.settled)} values of {', '.join(self.parameters) or 'nothing'} walked")

    # By walking

    def _points(self) -> Iterator[dict[str, int]]:
        """Small values of the parameters, and those near the numbers in the formulas; each box can be walked."""
        if not self.parameters:
            yield {}
            return
        facts = self._about_parameters()
        constants = {x for f in (*facts, *(c.where for c in self.cases)) for x in walk(f) if type(x) is int}
        near = {c + d for c in constants if abs(c) < 10_000 for d in (-1, 0, 1)}
        near |= set(range(-2, 8)) if len(self.parameters) > 2 else set(range(-6, 26))
        order = sorted(near, key=lambda n: (abs(n), n < 0))
        allowed = {
            n: [v for v in order if holds([f for f in facts if set(names(f)) == {n}], {n: v})] for n in self.parameters
        }
        if len(self.parameters) == 1:
            points: Any = ((v,) for v in allowed[self.parameters[0]])
        else:
            rng, total = Random(0), prod(map(len, allowed.values()))
            ranges = list(allowed.values())
            spread = (tuple(rng.choice(r[: rng.choice((3, 6, len(r)))]) for r in ranges) for _ in range(3000))
            points = product(*ranges) if total <= 400 else dict.fromkeys(spread) if all(ranges) else ()
        steps = found = 0
        for point in points:
            at = dict(zip(self.parameters, point, strict=True))
            try:
                size = prod(value(n, at) for n in self.views[-1].shape) if holds(facts, at) else -1
            except (ZeroDivisionError, Unsupported):
                continue
            if 0 <= size <= 600 and steps < STEPS and found < POINTS:
                steps, found = steps + size + 20, found + 1
                yield at

    def _at(self, at: Mapping[str, int]) -> bool:
        """Compares with the definition at these values of the parameters; whether that could be done."""
        if prod(value(n, at) for n in self.views[-1].shape) > WALK:
            return False
        true = [c for c in self.cases if value(c.where, at)]
        if len(true) != 1:
            return self._wrong(f"{len(true)} cases are about these values", at)
        case, nothing = true[0], (*(0 for _ in self.free), 1)
        if not value(self.fitting, at):
            refused = case.status in ("never", "out_of_bounds") or self._wrong("the sizes do not fit one another", at)
            return refused and self._clauses(False, [nothing], at)
        truth = walked(self.views, self.free, at)
        real = [nothing] if truth.status in ("out_of_bounds", "no box") else truth.span.integer_rows()
        if (truth.status == "out_of_bounds") != (case.status == "out_of_bounds"):
            return self._wrong(f"claimed {case.status}, and walking the box finds {truth.status}", at)
        if case.status == "out_of_bounds":
            return self._clauses(False, [nothing], at)
        claimed = [row for e in case.equations for row in self._row(e, at)]
        if case.status == "never":
            claimed = claimed if claimed and truth.status == "affine" else [nothing]
            if not self._implied(claimed, nothing, at):
                return self._wrong("never: the equations can be satisfied", at)
        if case.status == "undecided":
            self.report.leave("whether the equations of an undecided case are needed")
        elif any(not self._implied(real, row, at) for row in claimed):
            return self._wrong(f"{case.status}: more is claimed to be needed than is", at)
        if any(not self._implied(claimed, row, at) for row in real):
            return self._wrong(f"{case.status}: the equations are not enough", at)
        self._clauses(case.status == "undecided", claimed, at)
        self._witnesses(case, truth, at)
        return self._view(case, truth, claimed, at) if case.view is not None and case.status != "never" else True

    def _row(self, equation: Tree, at: Values) -> list[Row]:
        if type(equation) is tuple and equation[0] == "==" and self._is_linear(equation):
            return [row_of(("-", *equation[1:]), self.free, at)]
        if not names(equation):
            return [] if value(equation, at) else [(*(0 for _ in self.free), 1)]
        raise BadCertificate("an equation has to be linear in the strides")

    def _implied(self, given: Sequence[Row], row: Row, at: Values) -> bool:
        """Whether integers that satisfy the facts and the rows satisfy this row: by elimination, or by the solver."""
        if Span(given).has(row):
            return True
        script = Script()
        here = [("==", n, v) for n, v in at.items()]
        zeros = [("==", self._form(r), 0) for r in given]
        script.given(*self.about_free, *here, *zeros, ("!=", self._form(row), 0))

        def replayed(model: Values) -> bool:
            put = {**dict.fromkeys(self.free, 0), **model, **at}
            good = all(value(self._form(r), put) == 0 for r in given) and value(self._form(row), put) != 0
            return good and holds(self.about_free, put)

        return not self.report.asked(script, "whether equations follow from one another", replayed)

    def _form(self, row: Row) -> Tree:
        return ("+", row[-1], *[("*", c, n) for c, n in zip(row[:-1], self.free, strict=True)])

    def _clauses(self, undecided: bool, claimed: Sequence[Row], at: Values) -> bool:
        """That the condition as a whole says what the case says, at small values of the free names."""
        if self.clauses is None or undecided:
            return True
        for point in islice(product((0, 1, -1, 2, 3, 6), repeat=len(self.free)), 300):
            put = {**dict(zip(self.free, point, strict=True)), **at}
            if holds(self.about_free, put):
                says = all(value(self._form(r), put) == 0 for r in claimed)
                if bool(value(self.clauses, put)) != says:
                    return self._wrong("the clauses and the cases differ", put)
        return True

    def _witnesses(self, case: Case, truth: Truth, at: Values) -> None:
        """That each index is there, bends, and with the others forces its equation."""
        span = Span()
        for w in case.witnesses:
            if w.inner is None:
                bends, lows = truth, truth.lows
            else:
                if prod(numeric(w.inner, at).shape) > WALK:
                    continue
                bends = walked([*self.views[:-1], w.inner], self.free, at)
                lows = bends.lows
            if bends.status != "affine" or len(w.at) != len(lows) or not 0 <= w.axis < len(lows):
                self._wrong(f"the witness {w.at} is no index of a step", at)
                return
            inside = all(a <= i < b for i, a, b in zip(w.at, lows, bends.highs, strict=True))
            if not inside or w.at[w.axis] <= lows[w.axis]:
                self._wrong(f"the witness {w.at} is not in the box, or no step", at)
                return
            before = tuple(i - (n == w.axis) for n, i in enumerate(w.at))
            zero = (0,) * (len(self.free) + 1)
            step = [a - b for a, b in zip(bends.rows.get(w.at, zero), bends.rows.get(before, zero), strict=True)]
            span.add(step)
            if not any(step) or not all(span.has(row) for row in self._row(w.equation, at)):
                self._wrong(f"the witness {w.at} does not force its equation", at)
                return

    def _view(self, case: Case, truth: Truth, claimed: Sequence[Row], at: Values) -> bool:
        """That the view has the shape, the mask, the strides and the offset that walking the box shows."""
        v = case.view
        if v is None:
            return True
        plain = numeric(v._replace(strides=(0,) * len(v.shape), offset=0), at)
        shape = tuple(value(n, at) for n in self.views[-1].shape)
        if plain.shape != shape:
            return self._wrong(f"the view has the shape {plain.shape}, not {shape}", at)
        bounds = plain.mask or tuple((0, n) for n in shape)
        hidden = plain.void or any(a >= b for a, b in bounds) or 0 in shape
        if hidden or truth.status == "void":
            return hidden == (truth.status == "void") or self._wrong("the view is valid nowhere, or should be", at)
        if any(max(0, a) != low or min(n, b) != high
               for (a, b), low, high, n in zip(bounds, truth.lows, truth.highs, shape, strict=True)):  # fmt: skip
            return self._wrong(f"valid from {truth.lows} up to {truth.highs}, not {bounds}", at)
        base = list(row_of(v.offset, self.free, at))
        for tree, step, low in zip(v.strides, truth.steps, truth.lows, strict=True):
            stride = row_of(tree, self.free, at)
            base = [x + low * y for x, y in zip(base, stride, strict=True)]
            if step is not None and not self._equal(claimed, stride, step, at):
                return self._wrong(f"a stride of the view is not the step of its axis, {step}", at)
        return self._equal(claimed, base, truth.base, at) or self._wrong("the view's offset", at)

    def _equal(self, given: Sequence[Row], a: Sequence[int], b: Sequence[int], at: Values) -> bool:
        return self._implied(given, tuple(x - y for x, y in zip(a, b, strict=True)), at)

    def _wrong(self, what: str, at: Values) -> bool:
        self.report.refute(f"{what}{f' at {_shown(at)}' if at else ''}")
        return False

    # For all values, by a solver

    def _for_all(self) -> None:
        """One question a claim, with the parameters as variables."""
        wheres = [c.where for c in self.cases]
        script = Script()
        pairs = [("and", a, b) for a, b in combinations(wheres, 2)]
        script.given(*self.facts, ("or", ("not", ("or", *wheres)), *pairs))

        def uncovered(model: Values) -> bool:
            at = {**dict.fromkeys((*self.parameters, *self.free), 0), **model}
            return holds(self.facts, at) and sum(bool(value(w, at)) for w in wheres) != 1

        if self.report.asked(script, "that the cases cover all values, each once", uncovered):
            self.report.refute("no case, or two cases, about some values")
        for case in self.cases:
            if self._all_walked(case):
                continue
            where = "" if case.where is True else f" of the case of {case.status}"
            try:
                if case.status == "out_of_bounds":
                    self._outside(case)
                elif case.status == "undecided":
                    self.report.leave("an undecided case")
                else:
                    if case.status != "never":
                        self._enough(case)
                    if case.status != "always":
                        self._needed(case)
            except (NotLinear, Unsupported, ZeroDivisionError):
                self.report.leave(f"the equations{where}, which are not linear")

    def _all_walked(self, case: Case) -> bool:
        """Whether the case is about no values of the parameters other than those that were walked."""
        script, mine = Script(), [at for at in self.settled if value(case.where, at)]
        others = [("or", *[("!=", n, v) for n, v in at.items()]) for at in mine]
        script.given(*self._about_parameters(), case.where, *others)
        return bool(mine) and self.report.solver.ask(script).word == "unsat"

    def _script(self, case: Case) -> tuple[Script, list[str]]:
        """A question about an index in the box of the last view."""
        script = Script()
        script.given(*self._about_parameters(), case.where)
        index = [script.name(f"index {n}") for n in range(len(self.views[-1].shape))]
        for i, n in zip(index, self.views[-1].shape, strict=True):
            script.say(f"(and (<= 0 {i}) (< {i} {script.text(n)}))")
        return script, index

    def _enough(self, case: Case) -> None:
        """No index at which the composition and the view differ, at a basis of the equations' solutions."""
        script, index = self._script(case)
        v = case.view
        if v is None:
            return
        there = composed(script, self.views, index)
        mine, theirs = (address(script, x, i, self.free) for x, i in ((v, index), (self.views[0], there.digits)))
        differs = {n: plus(mine[n], times(-1, theirs[n])) for n in mine}
        bends = []
        for vector in self._solutions(case, script):
            sum_ = plus(*[times(c, differs[n]) for n, c in vector.items()])
            bends.append(f"(not (= {said(sum_)} 0))")
        valid = f"(and {' '.join(['true', *seen(script, v, index)])})"
        sizes = [
            f"(not (= {script.text(a)} {script.text(b)}))" for a, b in zip(v.shape, self.views[-1].shape, strict=True)
        ]
        script.say(
            f"(or {there.outside} (not (= {valid} {there.valid})) (and {valid} (or {' '.join(bends)})) "
            f"{' '.join(sizes)})"
        )

        def replayed(model: Values) -> bool:
            at = {**dict.fromkeys(self.parameters, 0), **model}
            return holds(self._about_parameters(), at) and bool(value(case.where, at)) and not self._same(case, at)

        if self.report.asked(script, f"that the equations of {case.status} are enough for all values", replayed):
            self.report.refute(f"{case.status}: the composition and the view differ at an index")

    def _about_parameters(self) -> list[Tree]:
        return [f for f in self.facts if f not in self.about_free]

    def _same(self, case: Case, at: Values) -> bool:
        """Whether composition and view agree at one index, in plain integers, wherever the equations hold."""
        index = [at[f"index {n}"] for n in range(len(self.views[-1].shape))]
        v, first = case.view, self.views[0]
        if v is None or any(not 0 <= i < value(n, at) for i, n in zip(index, self.views[-1].shape, strict=True)):
            return True
        plain, top = (numeric(x._replace(strides=(0,) * len(x.shape), offset=0), at) for x in (v, first))
        try:
            there = reached([top, *[numeric(x, at) for x in self.views[1:]]], index)
        except Outside:
            return False
        if there is None or not visible(plain, index):
            return (there is None) == (not visible(plain, index))
        here, mine = (
            [sum(i * c for i, c in zip((*k, 1), column, strict=True)) for column in
             zip(*[row_of(t, self.free, at) for t in (*x.strides, x.offset)], strict=True)]
            for x, k in ((v, index), (first, there))
        )  # fmt: skip
        claimed = [row for e in case.equations for row in self._row(e, at)]
        return self._equal(claimed, here, mine, at)

    def _solutions(self, case: Case, script: Script) -> list[dict[str, Any]]:
        """Vectors over the free names and the constant that span what solves the equations."""
        forms = [linear(("-", *e[1:]), self.free) for e in case.equations]
        width = len(self.free)
        if not any(names(c) for f in forms for c in f.values()):
            span = Span([row_of(("-", *e[1:]), self.free, {}) for e in case.equations])
            leads = {next(n for n, x in enumerate(r) if x): r for r in span.integer_rows()}
            scale = prod(abs(r[n]) for n, r in leads.items())
            found = []
            for k in range(width + 1):
                if k not in leads:
                    vector = {(*self.free, "")[k]: scale}
                    vector.update({self.free[n]: -r[k] * (scale // r[n]) for n, r in leads.items() if r[k]})
                    found.append(vector)
            return found
        known: dict[str, dict[str, Any]] = {}
        for e in reversed(case.equations):
            if type(e[1]) is not str or e[1] not in self.free or e[1] in known:
                raise NotLinear
            sides = {n: term(script, c) for n, c in linear(e[2], self.free).items()}
            known[e[1]] = {
                n: plus(sides.get(n, 0), *[times(c, known[m].get(n, 0)) for m, c in sides.items() if m in known])
                for n in (*self.free, "") if n not in known and n != e[1]
            }  # fmt: skip
        open_ = [n for n in (*self.free, "") if n not in known]
        return [{k: 1, **{n: f.get(k, 0) for n, f in known.items()}} for k in open_]

    def _needed(self, case: Case) -> None:
        """Where an equation fails, some witness bends; for `never`, some witness always does."""
        script = Script()
        script.given(*self.facts, case.where, self.fitting)
        shape = [term(script, n) for n in self.views[-1].shape]
        rank = len(shape)
        units = [tuple(int(a == b) for b in range(rank)) for a in range(rank)]
        tried = dict.fromkeys(w.at for w in case.witnesses if len(w.at) == rank)
        tried |= dict.fromkeys(tuple(map(sum, zip(a, b, strict=True))) for a in units for b in units)
        corner = tuple(plus(n, -1) for n in shape)
        masked = any(v.mask is not None or v.void for v in self.views)
        if masked:
            self.report.leave(f"that the equations of {case.status} are needed, beside a mask")
            return
        values = {i: address(script, self.views[0], composed(script, self.views, i).digits, self.free)
                  for i in [(0,) * rank, *units, *tried, corner]}  # fmt: skip
        zero = values[(0,) * rank]
        for i in [*tried, corner]:
            bend = [
                times(script.name(n) if n else 1, plus(values[i][n], times(-1, zero[n]), *[
                    times(times(-1, k), plus(values[u][n], times(-1, zero[n]))) for k, u in zip(i, units, strict=True)
                ])) for n in (*self.free, "")
            ]  # fmt: skip
            inside = [f"(< {said(k)} {said(n)})" for k, n in zip(i, shape, strict=True)]
            script.say(f"(=> (and true {' '.join(inside)}) (= {said(plus(*bend))} 0))")
        if case.status != "never":
            script.given(("not", ("and", *case.equations)))
        what = f"that the equations of {case.status} are needed for all values"
        self.report.asked(script, what, None)

    def _outside(self, case: Case) -> None:
        """No values at which the last view is empty, or stays inside the one before."""
        if len(self.views) != 2 or self.views[1].mask is not None or self.views[1].void:
            self.report.leave("out of bounds, of a chain or a mask")
            return
        script, last = Script(), self.views[1]
        ends = [("*", ("-", n, 1), t) for n, t in zip(last.shape, last.strides, strict=True)]
        low, high = (("+", last.offset, *[(pick, 0, e) for e in ends]) for pick in ("min", "max"))
        inside = ("and", (">=", low, 0), ("<", high, ("*", 1, *self.views[0].shape)))
        script.given(*self.facts, case.where, ("or", inside, *[("<=", n, 0) for n in last.shape]))
        self.report.asked(script, "that the case out of bounds is so for all values", None)


def _entries(v: View | None) -> list[Tree]:
    return [] if v is None else [*v.shape, *v.strides, v.offset, *(x for b in v.mask or () for x in b)]


def _shown(at: Values) -> str:
    return ", ".join(f"{n} = {x}" for n, x in at.items()) or "all values"


def check_conditions(question: Any, answer: Any, report: Report) -> None:
    """A certificate of conditions, whole."""
    views = [view(v) for v in get(question, "views", list)]
    if len(views) < 2:
        raise BadCertificate("two views or more are composed")
    cases = [read_case(c) for c in get(answer, "cases", list)]
    clauses = answer.get("clauses")
    whole = None if clauses is None else ("and", True, *formulas(answer, "clauses"))
    Conditions(views, formulas(question, "facts"), cases, whole, report, bool(question.get("reshape"))).check()


def check_merge(question: Any, answer: Any, report: Report) -> None:
    """A merged view, or the index at which none can do."""
    views = [of_numbers(view(v)) for v in get(question, "views", list)]
    if len(views) < 2:
        raise BadCertificate("a merge is of two views or more")
    if answer.get("view") is not None:
        Conditions(views, [], [Case(True, "always", [], view(answer["view"]), [])], None, report).check()
        return
    check_counterexample(views, get(answer, "counterexample", dict), report)
