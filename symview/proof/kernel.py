"""The proof kernel: only the rules of this module build theorems, and a rule that does not apply raises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from time import perf_counter

from symview.engine.budget import DEFAULT, Budget
from symview.engine.smt import Open, Sat, Unsat
from symview.engine.terms import Term, names, num, sym, to_smt2, total, value_of
from symview.errors import InputError, InternalError, SymviewError
from symview.proof.index import Definition, Removed, remove_divisions
from symview.proof.products import decide
from symview.proof.search import search
from symview.proof.statement import Formula, Query, Statement, failing_relation, read
from symview.symbols import parse_expression, to_text
from symview.verdicts import _SEAL, Proved, Refuted, Unknown, Verdict

SEARCHED_POINTS = 20_000
MINIMISING_WORK = 1_000_000


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
    base = _premise("base", _replaced(here, first), given_terms, budget)
    step = _premise("step", _replaced(here, later), [*given_terms, from_start, here], budget)
    return Proved(
        query.claim.text + _where(sequences or {}, over, start),
        (*query.assumed(), to_text(from_start)),
        base.rests_on | step.rests_on | {"induction"},
        perf_counter() - started,
        _SEAL,
    )


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
    budget = budget or DEFAULT
    query = read(statement, assume, division)
    removed = remove_divisions(query.formulas(), query.names())
    seen = search(query, min(SEARCHED_POINTS, budget.points))
    if seen.refuting is not None:
        return _refuted(query, seen.refuting, smallest=True)
    notes = _satisfiable(query, removed, seen.allowed, budget) | _nonzero(query, removed, budget)
    if seen.finished:
        return _proved(query, notes | {"all values tried"}, started)
    return _by_z3(query, removed, notes, started, budget)


# What the rules stand on


def _by_z3(query: Query, removed: Removed, notes: frozenset[str], started: float, budget: Budget) -> Verdict:
    *given, claim = removed.formulas
    question = (*given, *removed.facts(), Term("not", (claim,)))
    match decide(question, budget):
        case Unsat():
            return _proved(query, notes | {"z3"}, started)
        case Sat(model):
            return _smallest(query, question, {n: model.get(n, 0) for n in query.names()}, budget)
        case Open(reason):
            return Unknown(query.claim.text, reason, query.assumed(), to_smt2(question, query.claim.text))


def _proved(query: Query, rests_on: frozenset[str], started: float) -> Proved:
    return Proved(query.claim.text, query.assumed(), rests_on, perf_counter() - started, _SEAL)


def _refuted(query: Query, values: dict[str, int], smallest: bool) -> Refuted:
    if not query.refuted_by(values):
        raise InternalError(f"a countermodel does not replay: {query.claim.text} at {values}")
    term, division = query.claim.term, query.claim.division
    relation = failing_relation(term, values, division)
    sides = None
    if relation is not None:
        left, right = (int(value_of(side, values, division)) for side in relation.args)
        sides = (left, right)
    return Refuted(query.claim.text, values, sides, smallest, query.assumed())


def _smallest(query: Query, question: Sequence[Term], values: dict[str, int], budget: Budget) -> Refuted:
    """Bisects on the sum of absolute values; `smallest` only where the solver excludes all below."""
    size = total(Term("abs", (sym(n),)) for n in values)
    low, best = 0, values
    brief = Budget(min(budget.work, MINIMISING_WORK), budget.points, budget.timeout, budget.seed)
    for _ in range(20):
        high = sum(map(abs, best.values()))
        if low >= high:
            return _refuted(query, best, smallest=True)
        middle = (low + high - 1) // 2
        bound = Formula(Term("<=", (size, num(middle))), "floor", "")
        bounded = remove_divisions([bound], names(*question))
        answer = decide((*question, *bounded.formulas, *bounded.facts()), brief)
        if isinstance(answer, Sat):
            best = {n: answer.model.get(n, 0) for n in values}
        elif isinstance(answer, Unsat):
            low = middle + 1
        else:
            break
    return _refuted(query, best, smallest=False)


def _satisfiable(query: Query, removed: Removed, witness: dict[str, int] | None, budget: Budget) -> frozenset[str]:
    """Nothing to note where some values meet the assumptions; raises InputError where none do."""
    if witness is not None and query.allowed_at(witness):
        return frozenset()
    given = removed.formulas[:-1]
    match decide((*given, *removed.facts()), budget):
        case Sat():
            return frozenset()
        case Open():
            return frozenset({"assumptions not shown to be satisfiable"})
    core = [query.assumptions[k].text for k in _core(given, removed.facts(), budget)]
    if not core:
        raise InputError(f"{query.claim.text}: a divisor is always 0")
    raise InputError(
        f"no values meet the assumptions {' and '.join(core)} with nonzero divisors: "
        "they would prove anything; correct or drop one"
    )


def _core(given: Sequence[Term], facts: Sequence[Term], budget: Budget) -> list[int]:
    """Assumptions that contradict each other, as few as dropping one by one leaves."""
    kept = list(range(len(given)))
    for k in range(len(given)):
        rest = [j for j in kept if j != k]
        if isinstance(decide((*(given[j] for j in rest), *facts), budget), Unsat):
            kept = rest
    return kept


def _nonzero(query: Query, removed: Removed, budget: Budget) -> frozenset[str]:
    """A note for each divisor that the assumptions allow to be 0.

    A divisor is cleared only by divisions that come before it, so that two cannot clear each other.
    """
    notes = set()
    fresh = {d.name for d in removed.definitions}
    noted: set[Term] = set()
    for k, definition in enumerate(removed.definitions):
        if definition.divisor is None or definition.divisor in noted:
            continue
        noted.add(definition.divisor)
        before = removed.definitions[:k]
        if not _cleared(definition.divisor, before, removed.formulas[:-1], fresh, budget):
            notes.add(f"divisor {definition.shown} != 0 assumed")
    return frozenset(notes)


def _cleared(
    divisor: Term, before: Sequence[Definition], given: Sequence[Term], fresh: set[str], budget: Budget
) -> bool:
    usable = {d.name for d in before}
    stated = [g for g in given if (fresh & set(names(g))) <= usable]
    zero = Term("==", (divisor, num(0)))
    return isinstance(decide((*stated, *(d.fact for d in before), zero), budget), Unsat)


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


def _replaced(term: Term, by: Mapping[str, Term]) -> Term:
    """All the names replaced at once."""
    if term.op == "sym":
        return by.get(term.args[0], term)
    if term.op in ("int", "bool"):
        return term
    return Term(term.op, tuple(_replaced(a, by) for a in term.args))


def _premise(which: str, statement: Term, assume: list[Term], budget: Budget | None) -> Proved:
    verdict = prove(statement, assume, "floor", budget)
    if not isinstance(verdict, Proved):
        raise NotProved(f"the {which} of the induction", verdict)
    return verdict


def _where(sequences: Mapping[str, tuple[str, str]], over: str, start: int) -> str:
    parts = [f"{f}({start}) = {a} and {f}({over} + 1) = {b}" for f, (a, b) in sequences.items()]
    return f", where {' and '.join(parts)}" if parts else ""
