"""The lightest of several checks that imply all of them, with values that prove that none is lighter."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from symview.cases.conditions import Conditions
from symview.cases.guards import Part, by_divisors, nearby, python_source
from symview.cases.query import assumptions, read_formula
from symview.cases.zero_divisors import in_python
from symview.counterexample import values_text
from symview.displayed import Displayed
from symview.errors import InputError, NotSupported, Undecided, unknown_name
from symview.logic.arithmetic import Outcomes, outcomes
from symview.logic.budget import Budget, running
from symview.logic.hitting import lightest
from symview.logic.notation import joined, nonblank, parse_assumption
from symview.logic.solve import Sat, Unsat, is_impossible, solve
from symview.logic.sympy_bridge import free_symbols, to_text
from symview.logic.terms import FALSE, TRUE, Term, conj, conjuncts, names, negated, sym, untied, value_of

Values = Mapping[str, int]
_FEW = 200  # small points tried before the solver
_SHARE = 4  # fraction of the remaining budget for one search for values


class Refusal(NamedTuple):
    """Possible values, and the guards that are false there: one of these has to be kept."""

    values: dict[str, int]
    guards: tuple[str, ...]

    def __str__(self) -> str:
        return f"at {values_text(self.values) or 'all values'}: {', '.join(self.guards)}"


@dataclass(frozen=True, slots=True)
class LeastGuards(Displayed):
    """Some of the given guards that imply all of them, as few or as light as possible.

    The `kept` guards imply the `dropped` ones. `optimal` is "proved" if no lighter subset implies all of them: each of
    `points` needs one of its guards, and no lighter set has one for each. Otherwise it is "undecided", with the
    `reason`. `str()` is the conjunction of the kept guards, in Python.
    """

    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    points: tuple[Refusal, ...] = field(hash=False)
    weight: int
    optimal: str = "proved"
    reason: str = ""

    def __str__(self) -> str:
        return " and ".join(f"({g})" if " or " in g and len(self.kept) > 1 else g for g in self.kept) or "True"

    def explain(self) -> str:
        """The kept and the dropped guards, and why no lighter set suffices, one per line."""
        lines = [f"keep {g}" for g in self.kept] + [f"drop {g}: the others imply it" for g in self.dropped]
        if self.optimal != "proved":
            return "\n".join([*lines, f"whether a lighter set implies all of them is open: {self.reason}"])
        return "\n".join([*lines, *(f"one of these is needed {point}" for point in self.points)])

    def to_dict(self) -> dict[str, Any]:
        """The fields for JSON."""
        points = [{"values": p.values, "guards": list(p.guards)} for p in self.points]
        kept = {"kept": list(self.kept), "dropped": list(self.dropped), "weight": self.weight}
        return {**kept, "guard": str(self), "points": points, "optimal": self.optimal, "reason": self.reason}


class _Guard(NamedTuple):
    text: str
    term: Term
    weight: int


def least_guards(
    *guards: Any, given: Any = (), weights: Any = None, assume: Any = (), budget: Budget | None = None
) -> LeastGuards:
    """The lightest subset of some guards that implies all of them, under the assumptions and the guards checked before.

    A guard is Python text or a sympy formula about integers. For conditions, each clause is one guard, and their facts
    are assumed. `given` are guards that already hold. `weights`: a positive integer for each argument, or a mapping
    from texts of guards; 1 for others. A comparison that divides by 0 is false, and so is its negation. Only subsets
    are considered: x % 2 == 0 and x % 3 == 0 do not become x % 6 == 0.
    Source: hitting sets of the points that guards reject, found one by one. Finding the fewest is NP-hard.
    Raises InputError for arguments that are not guards, for texts in `given` and `assume` that nothing ties to the
    guards, and if the assumptions allow no values.

    >>> found = least_guards("x % 2 == 0", "x % 6 == 0", "x % 3 == 0")
    >>> found.kept, found.dropped
    (('x % 6 == 0',), ('x % 2 == 0', 'x % 3 == 0'))
    >>> print(least_guards("x % 2 == 0", "x % 6 == 0", "x % 3 == 0", weights=(1, 3, 1)))
    x % 2 == 0 and x % 3 == 0
    >>> print(least_guards("a == b*c", "b == 1 or a == b*c", given="b != 1").explain())
    keep a == b*c
    drop b == 1 or a == b*c: the others imply it
    one of these is needed at a = 1, b = 0, c = 0: a == b*c, b == 1 or a == b*c
    """
    budget = running(budget)
    before = [given] if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
    facts = [f for one in (*guards, *before) if isinstance(one, Conditions) for f in one.facts]
    stated = [g.term for one in before for g in _read(one, 1, facts, budget)]
    checks = _all(guards, weights, facts, budget)
    known = {n: sym(n) for n in names(*facts, *stated, *(g.term for g in checks))}
    assumed = assumptions(assume, _Any(known))
    texts = [one for one in (*before, *([assume] if isinstance(assume, str) else assume)) if isinstance(one, str)]
    _require_tied(texts, [*facts, *stated, *assumed], names(*(g.term for g in checks)))
    facts += assumed
    if is_impossible(facts, budget):
        raise InputError(f"the assumptions contradict each other: {joined(facts)}")
    return _Search(checks, tuple(dict.fromkeys(facts)), tuple(stated), budget).answer()


def _require_tied(texts: Sequence[str], facts: Sequence[Term], known: Sequence[str]) -> None:
    """Raises InputError if a text is about names that nothing ties to the guards, so that it says nothing of them."""
    written = [part for text in nonblank(texts) for part in conjuncts(parse_assumption(text))]
    far = untied([*written, *(part for f in facts for part in conjuncts(f))], known) if known else []
    if (odd := next((part for part in written if part in far), None)) is not None:
        raise InputError(f"assumption {to_text(odd)}: {unknown_name(names(odd)[0], known)}")


class _Any(dict[str, Any]):
    """Symbols by name; every name is one."""

    def __contains__(self, name: object) -> bool:
        return True


def _all(guards: Sequence[Any], weights: Any, facts: Sequence[Term], budget: Budget) -> list[_Guard]:
    """All guards, without duplicates, with the least of their weights."""
    by_text = {str(text).strip(): w for text, w in weights.items()} if isinstance(weights, Mapping) else {}
    each = [1] * len(guards) if weights is None or isinstance(weights, Mapping) else weights
    if isinstance(each, str) or not isinstance(each, Sequence) or len(each) != len(guards):
        raise InputError(f"weights {weights!r}: give one for each of the {len(guards)} guards")
    found, texts = dict[Term, _Guard](), set[str]()
    for one, weight in zip(guards, each, strict=True):
        for guard in _read(one, weight, facts, budget):
            texts.add(guard.text)
            guard = guard._replace(weight=by_text.get(guard.text, guard.weight))
            if type(guard.weight) is not int or guard.weight < 1:
                raise InputError(f"the weight {guard.weight!r} of {guard.text}: give a positive integer")
            same = found.setdefault(guard.term, guard)
            found[guard.term] = same._replace(weight=min(same.weight, guard.weight))
    unknown = by_text.keys() - texts
    if unknown:
        raise InputError(f"weights of {', '.join(sorted(unknown))}: these are not guards")
    return list(found.values())


def _read(one: Any, weight: int, facts: Sequence[Term], budget: Budget) -> Iterator[_Guard]:
    """The guards of one argument; conditions have one for each clause."""
    if isinstance(one, Conditions):
        for clause in conjuncts(one.term()):
            if clause != TRUE:
                yield _Guard(_text(clause, facts, budget), clause, weight)
        return
    known = {n: sym(n) for n in names(parse_assumption(one))} if isinstance(one, str) else _Any(_symbols(one))
    term = read_formula(one, known, "guard")
    wrong = [n for n in names(term) if keyword.iskeyword(n)]
    if wrong:
        raise InputError(f"guard {one}: {wrong[0]} is not a name in Python")
    yield _Guard(one.strip() if isinstance(one, str) else to_text(term), term, weight)


def _symbols(one: Any) -> dict[str, Any]:
    if isinstance(one, Term):
        return {n: sym(n) for n in names(one)}
    return free_symbols([one]) if hasattr(one, "free_symbols") else {}


def _text(clause: Term, facts: Sequence[Term], budget: Budget) -> str:
    """The clause as Python text, if possible."""
    try:
        return python_source(clause, facts, budget)
    except NotSupported:
        return to_text(clause)


@dataclass(frozen=True)
class _Search:
    """The guards to choose from, the facts, and the guards that already hold."""

    guards: Sequence[_Guard]
    facts: tuple[Term, ...]
    given: tuple[Term, ...]
    budget: Budget

    @cached_property
    def clauses(self) -> list[tuple[dict[str, int], frozenset[int]]]:
        """Points, and the guards that reject each; points that only one guard rejects are found first."""
        found = list[tuple[dict[str, int], frozenset[int]]]()
        everything = frozenset(range(len(self.guards)))
        for n in everything:
            point = self._point(everything - {n})
            if point is not None:
                found.append((point, self._refusing(point)))
        return found

    def answer(self) -> LeastGuards:
        """Takes the lightest set that hits every clause, and adds points until that set implies all guards."""
        try:
            while True:
                kept = lightest([guards for _, guards in self.clauses], [g.weight for g in self.guards], self.budget)
                point = self._point(kept)
                if point is None:
                    return self._made(kept, self._needed())
                self.clauses.append((point, self._refusing(point)))
        except Undecided as stop:
            return self._made(self._irredundant(), (), "undecided", stop.reason)

    def _needed(self) -> Iterator[Refusal]:
        """The points, without those whose guards are a superset of another point's."""
        least = list(dict.fromkeys(guards for _, guards in self.clauses))
        least = [guards for guards in least if not any(other < guards for other in least)]
        for guards in least:
            point = next(p for p, refusing in self.clauses if refusing == guards)
            yield Refusal(point, tuple(self.guards[n].text for n in sorted(guards)))

    def _irredundant(self) -> frozenset[int]:
        """Drops guards, the heaviest first, that provably follow from those kept."""
        kept = frozenset(range(len(self.guards)))
        for n in sorted(kept, key=lambda n: -self.guards[n].weight):
            try:
                if self._point(kept - {n}) is None:
                    kept -= {n}
            except Undecided:
                continue
        return kept

    def _made(
        self, kept: frozenset[int], points: Iterable[Refusal], optimal: str = "proved", reason: str = ""
    ) -> LeastGuards:
        stays, goes = ([g for n, g in enumerate(self.guards) if (n in kept) == side] for side in (True, False))
        texts = [tuple(g.text for g in side) for side in (stays, goes)]
        return LeastGuards(texts[0], texts[1], tuple(points), sum(g.weight for g in stays), optimal, reason)

    def _point(self, kept: frozenset[int]) -> dict[str, int] | None:
        """Values at which these guards hold and another one does not; Undecided if that is open."""
        others = conj(g.term for n, g in enumerate(self.guards) if n not in kept)
        if others == TRUE:
            return None
        hold = conj((*self.given, *(self.guards[n].term for n in sorted(kept))))
        for part in by_divisors(Part(self.facts, hold, others), in_python, self.budget):
            near, _ = nearby(self._names, part, self.budget, _FEW)
            if isinstance(near, dict):
                return near
            answer = solve((*part.facts, part.guard, negated(part.condition)), self.budget.part(_SHARE))
            if isinstance(answer, Sat):
                return {n: answer.model.get(n, 0) for n in self._names}
            if not isinstance(answer, Unsat):
                raise Undecided(answer.reason)
        return None

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return names(*(g.term for g in self.guards), *self.given, *self.facts)

    def _refusing(self, point: Values) -> frozenset[int]:
        """The guards that are not true at a point."""
        return frozenset(n for n, g in enumerate(self.guards) if not passes(g.term, point))


def passes(guard: Term, values: Values) -> bool:
    """Whether a guard is true, evaluated as in Python; a comparison that divides by 0 is neither true nor false.

    >>> from symview.logic.notation import parse_statement
    >>> [passes(parse_statement(g), {"x": 0}) for g in ("x == 0 or 4 % x == 1", "4 % x == 1", "not 4 % x == 1")]
    [True, False, False]
    """

    def of_comparison(comparison: Term) -> Outcomes:
        try:
            holds = bool(value_of(comparison, values))
        except ZeroDivisionError:
            return Outcomes(FALSE, FALSE)
        return Outcomes(TRUE, FALSE) if holds else Outcomes(FALSE, TRUE)

    return bool(value_of(outcomes(guard, of_comparison).true, {}))
