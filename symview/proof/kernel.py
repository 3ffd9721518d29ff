"""The proof kernel: only the rules of this module build theorems, and a rule that does not apply raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

from symview.errors import InputError, SymviewError, Undecided
from symview.logic.budget import DEFAULT, Budget
from symview.logic.divisions import Formula, Removed, remove_divisions
from symview.logic.notation import parse_expression
from symview.logic.solve import Open, Sat, Unsat, solve
from symview.logic.sympy_bridge import to_text
from symview.logic.terms import Term, names, num, substituted, sym, to_smt2
from symview.proof.countermodel import refuted_at, smallest_refuted
from symview.proof.premises import nonzero_notes, require_satisfiable
from symview.proof.search import search
from symview.proof.statement import Query, Statement, read
from symview.proof.verdicts import _SEAL, Proved, Refuted, Unknown, Verdict

SEARCHED_POINTS = 20_000


class NotProved(SymviewError):
    """A rule does not apply: one of its premises is refuted or unknown; `verdict` says which and why."""

    def __init__(self, premise: str, verdict: Refuted | Unknown) -> None:
        self.verdict = verdict
        super().__init__(f"{premise}: {verdict}")


# Rules


def by_solver(
    statement: Statement,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Proved:
    """The theorem that the solver leaves no exception to.

        no integers satisfy: assumptions, definitions of the divisions, not statement
        ----------------------------------------------------------------------------- (solver)
                                  assumptions ⊢ statement

    Raises NotProved where it is refuted or unknown.

    >>> by_solver("x % 3 < 3").rests_on == {"z3"}
    True
    """
    verdict = prove(statement, assume, division, budget)
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
    """The theorem that holds at the start and carries over from each integer to the next.

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
    query = read(claim, given, "floor")
    if over in (sequences or {}):
        raise InputError(f"{over} is what the induction is over: give the sequence another name")
    recurrences = _recurrences(sequences or {}, over)
    _check_fixed(query.assumptions, {over, *recurrences})
    first = {over: num(start), **{f: base for f, (base, _) in recurrences.items()}}
    later = {over: Term("+", (sym(over), num(1))), **{f: step for f, (_, step) in recurrences.items()}}
    here, given_terms = query.claim.term, [a.term for a in query.assumptions]
    from_start = Term(">=", (sym(over), num(start)))
    base = _premise("base", substituted(here, first), given_terms, budget)
    step = _premise("step", substituted(here, later), [*given_terms, from_start, here], budget)
    return Proved(
        query.claim.text + _where(sequences or {}, over, start),
        (*query.assumed(), to_text(from_start)),
        base.rests_on | step.rests_on | {"induction"},
        perf_counter() - started,
        query.division(),
        _SEAL,
    )


def by_integer_points(
    statement: str,
    exceptions: Term,
    point: Callable[[Budget], Sequence[int] | None],
    solver: str,
    budget: Budget | None = None,
) -> Proved:
    """The theorem whose exceptions are the integer points of a system that has none.

        no integers satisfy: exceptions
        ------------------------------- (integer points)
                   ⊢ statement

    `point` is how `solver`, on which the theorem then rests, finds such a point. Raises NotProved with a point where
    there is one, or with the reason where the budget ends.

    >>> from symview.logic.notation import parse_statement
    >>> by_integer_points("no square is 7", parse_statement("x*x == 7"), lambda budget: None, "a table").rests_on
    frozenset({'a table'})
    """
    started = perf_counter()
    try:
        found = point((budget or DEFAULT).started())
    except Undecided as stop:
        raise NotProved(
            "integer points", Unknown(statement, stop.reason, smt2=to_smt2([exceptions], statement))
        ) from None
    if found is not None:
        raise NotProved("integer points", Refuted(statement, {f"i{n}": x for n, x in enumerate(found)}))
    return Proved(statement, (), frozenset({solver}), perf_counter() - started, "floor", _SEAL)


def prove(
    statement: Statement,
    assume: Statement | Sequence[Statement] = (),
    division: str = "floor",
    budget: Budget | None = None,
) -> Verdict:
    """Proves or refutes a statement about all integers that meet the assumptions.

    Statements are text or sympy; `division` (floor, trunc, euclid) is what // and % mean in text. A divisor
    that the assumptions allow to be 0 is taken to be nonzero, and `rests_on` says so. A refutation is
    replayed in plain integers; small values are tried first, so that most are the smallest there are.
    Raises InputError where the assumptions contradict each other, since they would prove anything.

    >>> bool(prove("(x % (q*c)) % c == x % c", assume="q >= 1 and c >= 1"))
    True
    >>> print(prove("(x + y)//2 == x//2 + y//2"))
    refuted: (x + y)//2 == x//2 + y//2  at x = 1, y = 1 (smallest): 1 on the left, 0 on the right
    """
    started = perf_counter()
    budget = (budget or DEFAULT).started()
    query = read(statement, assume, division)
    removed = remove_divisions(query.formulas(), query.names())
    try:
        seen = search(query, min(SEARCHED_POINTS, budget.points), budget)
    except Undecided as stop:
        return _unknown(query, removed, stop.reason)
    if seen.refuting is not None:
        return refuted_at(query, seen.refuting, smallest=True)
    notes = require_satisfiable(query, removed, seen.allowed, budget) | nonzero_notes(removed, budget)
    if seen.finished:
        return _proved(query, notes | {"all values tried"}, started)
    exceptions = (*query.assumptions, query.claim._replace(term=Term("not", (query.claim.term,))))
    match solve(exceptions, budget):
        case Unsat():
            return _proved(query, notes | {"z3"}, started)
        case Sat(model):
            return smallest_refuted(query, exceptions, {n: model.get(n, 0) for n in query.names()}, budget)
        case Open(reason):
            return _unknown(query, removed, reason)


# What the rules stand on


def _proved(query: Query, rests_on: frozenset[str], started: float) -> Proved:
    return Proved(query.claim.text, query.assumed(), rests_on, perf_counter() - started, query.division(), _SEAL)


def _unknown(query: Query, removed: Removed, reason: str) -> Unknown:
    *given, claim = removed.formulas
    smt2 = to_smt2((*given, *removed.facts(), Term("not", (claim,))), query.claim.text)
    return Unknown(query.claim.text, reason, query.assumed(), query.division(), smt2)


def _recurrences(sequences: Mapping[str, tuple[str, str]], over: str) -> dict[str, tuple[Term, Term]]:
    found = {f: (parse_expression(first), parse_expression(later)) for f, (first, later) in sequences.items()}
    for f, (first, _) in found.items():
        if {over, *found} & set(names(first)):
            raise InputError(f"{f} starts at {to_text(first)}, which must not mention {over} or a sequence")
    return found


def _check_fixed(given: Sequence[Formula], moving: set[str]) -> None:
    for assumption in given:
        if used := moving & set(names(assumption.term)):
            raise InputError(
                f"{assumption.text} mentions {', '.join(sorted(used))}, which changes in the induction: "
                "write it into the claim, as in 'n < s -> …'"
            )


def _premise(which: str, statement: Term, assume: list[Term], budget: Budget | None) -> Proved:
    verdict = prove(statement, assume, "floor", budget)
    if not isinstance(verdict, Proved):
        raise NotProved(f"the {which} of the induction", verdict)
    guarded = sorted(note for note in verdict.rests_on if "assumed" in note)
    if guarded:  # what holds only where a divisor is not 0 does not carry over to where it is
        open_part = Unknown(verdict.statement, f"it rests on {', '.join(guarded)}: exclude that in `given`")
        raise NotProved(f"the {which} of the induction", open_part)
    return verdict


def _where(sequences: Mapping[str, tuple[str, str]], over: str, start: int) -> str:
    parts = [f"{f}({start}) = {a} and {f}({over} + 1) = {b}" for f, (a, b) in sequences.items()]
    return f", where {' and '.join(parts)}" if parts else ""
