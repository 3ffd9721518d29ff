"""The prover: finds the arguments of the kernel's rules, calls solvers, and searches for counterexamples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from symview.errors import InputError, SymviewError, Undecided
from symview.logic.budget import Budget, running
from symview.logic.divisions import Definition, Removed, remove_divisions
from symview.logic.notation import joined, parse_expression, to_smt2
from symview.logic.solve import HINT, Open, Sat, Unsat, is_impossible, solve
from symview.logic.terms import Term, names, negated, num, substituted, sym
from symview.proof import kernel
from symview.proof.data import Folds, Query
from symview.proof.kernel import _SEAL, Lemmas, Proved, fixed_of, folds_of, instance_of, is_exception
from symview.proof.lemmas import checked_lemmas, from_instances, from_lists
from symview.proof.lists import check_each, read_folds
from symview.proof.refutations import refutation
from symview.proof.search import Search, refuted_at, smallest_refuted
from symview.proof.statement import Statement, read
from symview.proof.verdicts import Refuted, Unknown, Verdict

SEARCHED_POINTS, FINITE = 20_000, 70_000  # values tried one by one; statements with fewer are tried exhaustively
_BRIEF = 24_000  # work for a refutation that needs no solver
_FIRST, _AT_FIRST, _SHARE = 100, 1_000, 8  # values tried before a search, and before a solver; its first share


class NotProved(SymviewError):
    """A rule does not apply: one of its premises is refuted or unknown; `verdict` has the reason."""

    def __init__(self, premise: str, verdict: Refuted | Unknown) -> None:
        self.verdict = verdict
        super().__init__(f"{premise}: {verdict}")


# Rules


def by_solver(
    statement: Statement,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    by: Sequence[Proved] = (),
    budget: Budget | None = None,
) -> Proved:
    """The theorem for which the solver finds no exception.

        no integers satisfy: assumptions, definitions of the divisions, not statement
        ----------------------------------------------------------------------------- (solver)
                                  assumptions ⊢ statement

    Raises NotProved if it is refuted or unknown.

    >>> by_solver("x*x % 3 < 2").rests_on == {"z3"}
    True
    """
    verdict = prove(statement, assume, division, by, budget=budget)
    if not isinstance(verdict, Proved):
        raise NotProved("by_solver", verdict)
    return verdict


def by_induction(
    claim: str | Term,
    over: str = "n",
    start: int = 0,
    given: Statement | Sequence[Statement] = (),
    sequences: Mapping[str, tuple[str, str]] | None = None,
    budget: Budget | None = None,
) -> Proved:
    """The theorem by induction over integers: it holds at the start, and carries over from each integer to the next.

        given ⊢ claim(start)     given, n >= start, claim(n) ⊢ claim(n + 1)
        ------------------------------------------------------------------- (induction)
                        given, n >= start ⊢ claim(n)

    `sequences` maps a name f to texts (first, next) and makes f stand for f(n) in the claim, where f(start)
    is `first` and f(n + 1) is `next`, which may mention n and f: so one writes "for every function f with
    this recurrence". `given` must not mention n or a sequence. Raises NotProved if a premise is not proved.

    >>> print(by_induction("f == n*d", sequences={"f": ("0", "f + d")}).statement)
    f == n*d, where f(0) = 0 and f(n + 1) = f + d
    """
    started = perf_counter()
    if type(start) is not int:
        raise InputError(f"start={start!r}: give the integer that the induction starts at")
    if over in (sequences or {}):
        raise InputError(f"{over} is what the induction is over: give the sequence another name")
    query, folds = _over(claim, {over: (str(start), f"{over} + 1"), **(sequences or {})}, (), given, over)
    base, step = _premises(query, folds, [Term(">=", (sym(over), num(start)))], budget)
    made = (by_induction, (claim, over, start, given, sequences and dict(sequences), budget and budget.plain()))
    return kernel.carried_on(query, folds, base, step, frozenset(), perf_counter() - started, made)


def by_list_induction(
    claim: str | Term,
    folds: Mapping[str, tuple[str, str]],
    each: Statement | Sequence[Statement] = (),
    given: Statement | Sequence[Statement] = (),
    budget: Budget | None = None,
) -> Proved:
    """The theorem about the folds of every list: it holds for the empty one, and carries over to one more element.

        given ⊢ claim[f := first]      given, each, claim ⊢ claim[f := next]
        -------------------------------------------------------------------- (list induction)
        given ⊢ claim, for the folds f of every list whose elements satisfy each

    `folds` maps a name f to texts (first, next): its value for the empty list, and after one more element, where the
    names of folds mean their values before it. Names of the claim, of `given` and of first values are fixed for the
    whole list; the other names of next values and of `each` are the parts of the element, new in each step. `each` may
    mention folds, with their values before the element; `given` must not. No part of an element has a name in the
    claim, so the step holds for each element separately.

    Raises InputError if a part of `each` is not a condition on the element, or if no first element satisfies `each`;
    NotProved if a premise is not proved, or only for nonzero divisors.

    >>> print(by_list_induction("R < P", {"P": ("1", "P*s"), "R": ("0", "R*s + d")}, each="0 <= d < s").statement)
    R < P, where P = 1, then P*s; R = 0, then R*s + d; for each (s, d) of a list with 0 <= d and d < s
    """
    started = perf_counter()
    budget = running(budget)
    made = (by_list_induction, (claim, dict(folds), each, given, budget.plain()))
    query, along = _over(claim, folds, each, given)
    notes = check_each(along, [a.term for a in query.assumptions], budget)
    base, step = _premises(query, along, along.each, budget)
    return kernel.carried_on(query, along, base, step, notes, perf_counter() - started, made)


def by_permutation(
    folds: Mapping[str, tuple[str, str]],
    each: Statement | Sequence[Statement] = (),
    given: Statement | Sequence[Statement] = (),
    budget: Budget | None = None,
) -> Proved:
    """The theorem that folds do not depend on the order of the list, as swaps of neighbours generate every order.

        given, each(e), each(e') ⊢ next(next(f, e), e') = next(next(f, e'), e)
        ---------------------------------------------------------------------- (permutation)
             given ⊢ f' = f, for the folds f' of the list in any order

    The premise is about all folds at once, with arbitrary values. `each` must not mention a fold, so that a reordered
    list satisfies it too; names are as in `by_list_induction`.

    >>> print(by_permutation({"P": ("1", "P*s")}).statement.replace("; and", ";\\n "))
    P_again == P, where P = 1, then P*s; for each s of a list;
      P_again = 1, then P_again*s; for each s of the list of P in any order
    """
    started = perf_counter()
    budget = running(budget)
    made = (by_permutation, (dict(folds), each, given, budget.plain()))
    query, along = _over("True", folds, each, given)
    if moving := [e for e in along.each if set(along.names()) & set(names(e))]:
        raise InputError(f"each: {joined(moving)} mentions a fold, and so depends on the order of the list")
    given_terms = [a.term for a in query.assumptions]
    notes = check_each(along, given_terms, budget)
    swapped = _premise("swap", *kernel.swap(along, given_terms), budget)
    return kernel.in_any_order(query, along, swapped, notes, perf_counter() - started, made)


def by_instance(theorem: Proved, values: Mapping[str, str], budget: Budget | None = None) -> Proved:
    """The theorem for these values of its names; folds and elements of a list may only be renamed.

         assumptions ⊢ statement
        ---------------------------- (instance)
        (assumptions ⊢ statement)[σ]

    Raises InputError if a value mentions a name that changes along the list, or if the assumptions contradict each
    other.

    >>> print(by_instance(prove("(x//a)//2 == x//(a*2)", "a >= 1"), {"x": "i*n + j", "a": "n"}).statement)
    (i*n + j)//n//2 == (i*n + j)//(n*2)
    """
    started = perf_counter()
    checked_lemmas([theorem])
    budget = running(budget)
    made = (by_instance, (theorem, dict(values), budget.plain()))
    by = {name: parse_expression(text) for name, text in values.items()}
    query, lists = instance_of(theorem, by)
    removed = remove_divisions(query.formulas(), query.names())
    notes = require_satisfiable(query, removed, None, budget)
    of_needs: list[Any] | None = []
    if not kernel.keeps_values(theorem, by):
        of_needs = None if lists else _of_needs(query, budget.part(1, _BRIEF))
        notes |= nonzero_notes(removed, budget) if of_needs is None else frozenset()
    return kernel.instance(theorem, by, of_needs, notes, perf_counter() - started, made)


def prove(
    statement: Statement,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    by: Sequence[Proved] = (),
    bits: int | str | None = None,
    budget: Budget | None = None,
) -> Verdict:
    """Proves or refutes a statement about all integers that satisfy the assumptions.

    Statements are text or sympy; `division` (floor, trunc, euclid) is the rounding of // and % in text. `bits`: names
    are integers of that width, 32 or "i32" in two's complement, "u32" unsigned, and every result wraps; None means
    all integers. If the assumptions allow a divisor to be 0, or a shift or an exponent to be negative, the theorem
    is about the other values: its `assumptions` say so, and its `bool()` raises Undecided until they are stated.
    A refutation is replayed in plain integers; small values are tried first, so most refutations are the smallest.
    Raises InputError if the assumptions contradict each other, since they would prove anything.

    `by` are lemmas, proved theorems: instances that fit the statement are used like assumptions, once their own
    assumptions are proved. The folds of a theorem about lists keep their meaning in the statement.

    >>> bool(prove("(x % (q*c)) % c == x % c", assume="q >= 1 and c >= 1"))
    True
    >>> print(prove("(x + y)//2 == x//2 + y//2"))
    refuted: (x + y)//2 == x//2 + y//2  at x = 1, y = 1 (smallest): 1 on the left, 0 on the right
    >>> print(prove("x + 1 > x", bits="i8"))
    refuted in 8-bit signed arithmetic: x + 1 > x  at x = 127 (smallest): -128 on the left, 127 on the right; \
x + 1 = 128 becomes -128
    >>> below = by_list_induction("0 <= R < P", {"P": ("1", "P*s"), "R": ("0", "R*s + d")}, each="0 <= d < s")
    >>> print(prove("R//P == 0", by=[below]).statement)
    R//P == 0, where P = 1, then P*s; R = 0, then R*s + d; for each (s, d) of a list with 0 <= d and d < s
    """
    started = perf_counter()
    lemmas = checked_lemmas(by)
    of_lists = sorted(set[str]().union(*(fixed_of(m) | folds_of(m) for m in lemmas if m.lists)))
    stated = read(statement, assume, division, bits, of_lists)
    budget = running(budget)
    made = (prove, (statement, assume, division, lemmas, bits, budget.plain()))
    along = from_lists(stated, lemmas, budget)
    query = stated._replace(assumptions=(*along.claims, *stated.assumptions))
    try:
        removed = remove_divisions(query.formulas(), query.names())
    except Undecided as stop:
        return Unknown(stated.claim.text, stop.reason, stated.assumed(), stated.division(), "", stated.arithmetic())
    more = from_instances(query, lemmas, budget)
    exceptions = (*query.assumptions, *more.claims, query.claim._replace(term=Term("not", (query.claim.term,))))
    tried = Search(query, budget)
    # Names of folds are not arbitrary integers, so values of them refute nothing.
    points = 0 if along.lists else min(budget.points, FINITE if (tried.all or FINITE) < FINITE else SEARCHED_POINTS)
    try:
        wanted = not tried.up_to(min(_FIRST, points)).decided and not along.used and query.width is None
        steps = _refutations(query, more.used, budget.part(1, _BRIEF)) if wanted else None
        if steps is not None:
            notes = require_satisfiable(query, removed, tried.allowed, budget)
            return kernel.by_refutation(query, *steps, notes, perf_counter() - started, made, more.used)
        decided = tried.up_to(min(_AT_FIRST, points)).decided
        answer = Open("") if decided else solve(exceptions, budget.part(_SHARE, HINT))
        if not decided and not isinstance(answer, Unsat):
            tried.up_to(points)
    except Undecided as stop:
        return _unknown(stated, removed, stop.reason)
    if tried.refuting is not None:
        return refuted_at(query, tried.refuting, smallest=True)
    notes = require_satisfiable(query, removed, tried.allowed, budget, tried.finished)
    notes |= nonzero_notes(removed, budget) | along.rests_on

    def trusted(stated: Query, rests_on: frozenset[str], lists: tuple[Folds, ...], by: Lemmas) -> Proved:
        return kernel.theorem(stated, rests_on, perf_counter() - started, made, _SEAL, lists, by)

    if tried.finished:
        return trusted(stated, notes | {"all values tried"}, along.lists, along.used)
    match answer if isinstance(answer, Unsat) else solve(exceptions, budget):
        case Unsat():
            used = (*along.used, *more.used)
            return trusted(stated, notes | more.rests_on | {"z3"}, along.lists, used)
        case Sat(model) if along.lists:
            left = ", ".join(f"{n} = {model.get(n, 0)}" for n in query.names())
            return _unknown(stated, removed, f"the theorems about the folds do not suffice: they leave {left}")
        case Sat(model):
            return smallest_refuted(query, exceptions, {n: model.get(n, 0) for n in query.names()}, budget)
        case Open(reason):
            return _unknown(stated, removed, reason)


# Premises of the rules


def _refutations(query: Query, lemmas: Lemmas, budget: Budget) -> tuple[list[Any], list[Any]] | None:
    """Steps that refute the negation, and for each divisor that it is 0; None if they are not found quickly."""
    if (of_needs := _of_needs(query, budget)) is None:
        return None
    found = refutation([*kernel.instances(lemmas, query), *kernel.denied(query)], budget, briefly=True)
    return None if found is None else (found, of_needs)


def _of_needs(query: Query, budget: Budget) -> list[Any] | None:
    """For each divisor, steps that refute that it is 0; None if they are not found quickly."""
    found: list[Any] = []
    for needed, known in kernel.needs(query):
        if (steps := refutation([*known, ("not", needed)], budget, briefly=True)) is None:
            return None
        found.append(steps)
    return found


def _unknown(query: Query, removed: Removed, reason: str) -> Unknown:
    *given, claim = removed.formulas
    smt2 = to_smt2((*given, *removed.facts(), Term("not", (claim,))), query.claim.text)
    return Unknown(query.claim.text, reason, query.assumed(), query.division(), smt2, query.arithmetic())


def _over(
    claim: str | Term,
    folds: Mapping[str, tuple[str, str]],
    each: Statement | Sequence[Statement],
    given: Statement | Sequence[Statement],
    over: str = "",
) -> tuple[Query, Folds]:
    """Reads a claim about a list, with its folds; `given` must not change along the list."""
    conditions = read("True", each, "floor").assumptions
    listed = [parse_expression(text) for pair in folds.values() for text in pair]
    query = read(claim, given, "floor", known=names(*listed, *(c.term for c in conditions)))
    along = read_folds(folds, conditions, [f.term for f in query.formulas()], over)
    for assumption in query.assumptions:
        if used := set(along.names()) & set(names(assumption.term)):
            raise InputError(
                f"{assumption.text} mentions {', '.join(sorted(used))}, which changes in the induction: "
                "write it into the claim, as in 'n < s -> …'"
            )
    return query, along


def _premises(query: Query, along: Folds, each: Sequence[Term], budget: Budget | None) -> tuple[Proved, Proved]:
    """The base and the step."""
    claim, given = query.claim.term, [a.term for a in query.assumptions]
    base = _premise("base", substituted(claim, along.first()), given, budget)
    return base, _premise("step", substituted(claim, along.later()), [*given, *each, claim], budget)


def _premise(which: str, statement: Term, assume: list[Term], budget: Budget | None) -> Proved:
    """The premise of an induction, which must hold without exceptions."""
    verdict = prove(statement, assume, budget=budget)
    if not isinstance(verdict, Proved):
        raise NotProved(f"the {which} of the induction", verdict)
    guarded = sorted(filter(is_exception, verdict.rests_on))
    if guarded:  # a claim that holds only for nonzero divisors does not carry over to divisor 0
        open_part = Unknown(verdict.statement, f"it rests on {', '.join(guarded)}: exclude that in `given` or `each`")
        raise NotProved(f"the {which} of the induction", open_part)
    return verdict


def require_satisfiable(
    query: Query, removed: Removed, witness: dict[str, int] | None, budget: Budget, all_tried: bool = False
) -> frozenset[str]:
    """Returns notes, empty if values are found that satisfy the assumptions; raises InputError if none do.

    `all_tried`: the search for the witness tried all values.
    """
    if witness is not None and query.allowed_at(witness):
        return frozenset()
    given = removed.formulas[:-1]
    match solve((*given, *removed.facts()), budget):
        case Unsat():
            clashing = [query.assumptions[k] for k in _core(given, removed.facts(), budget)]
            core = [a.text for a in clashing]
        case _ if all_tried:
            core = list(query.assumed())
        case Sat():
            return frozenset()
        case Open():
            return frozenset({"assumptions not shown to be satisfiable"})
    if not core:
        raise InputError(f"{query.claim.text}: a divisor is always 0")
    raise InputError(
        f"no values meet the assumptions {joined(core)} with nonzero divisors: "
        "they would prove anything; correct or drop one"
    )


def _core(given: Sequence[Term], facts: Sequence[Term], budget: Budget) -> list[int]:
    """Contradictory assumptions, reduced by dropping them one by one."""
    kept = list(range(len(given)))
    for k in range(len(given)):
        rest = [j for j in kept if j != k]
        if is_impossible((*(given[j] for j in rest), *facts), budget):
            kept = rest
    return kept


def nonzero_notes(removed: Removed, budget: Budget) -> frozenset[str]:
    """Notes on each divisor that the assumptions allow to be 0, and each shift or exponent that may be negative.

    Only earlier terms can clear a divisor, so that two cannot clear each other.
    """
    notes = set()
    fresh = {d.name for d in removed.definitions}
    noted: set[Term] = set()
    for k, definition in enumerate(removed.definitions):
        if definition.needs is None or definition.needs in noted:
            continue
        noted.add(definition.needs)
        if not _cleared(definition.needs, removed.definitions[:k], removed.formulas[:-1], fresh, budget):
            notes.add(f"{definition.shown} assumed")
    return frozenset(notes)


def _cleared(needs: Term, before: Sequence[Definition], given: Sequence[Term], fresh: set[str], budget: Budget) -> bool:
    usable = {d.name for d in before}
    stated = [g for g in given if (fresh & set(names(g))) <= usable]
    return is_impossible((*stated, *(d.fact for d in before), negated(needs)), budget)
