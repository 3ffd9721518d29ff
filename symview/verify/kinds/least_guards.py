"""The obligations of lightest guards: some of several guards imply all, and no lighter ones do."""

from __future__ import annotations

from collections.abc import Sequence

from symview.verify.document import BadCertificate, Object, formula, get, integers, listed, values
from symview.verify.formulas import compiled, defined, names, weight
from symview.verify.obligations import Obligation, Steps, some
from symview.verify.work import Work

MOST = 1_000_000  # as a weight


def of_least_guards(question: Object, answer: Object, work: Work) -> Steps:
    """Obligations: the kept guards imply all; points are possible; no lighter set excludes every point."""
    guards, facts, given = (listed(question, key, formula) for key in ("guards", "facts", "given"))
    weights, kept = integers(question, "weights"), [*integers(answer, "kept")]
    if len(weights) != len(guards) or not all(0 < w <= MOST for w in weights):
        raise BadCertificate("each guard has a weight from 1 up")
    if kept != sorted({*kept}) or not all(0 <= n < len(guards) for n in kept):
        raise BadCertificate("what is kept are numbers of guards, in order")
    never_zero = ("and", True, *defined(*guards, *given))
    known = [*defined(*facts), *facts]
    if (yield Obligation("that no divisor of a guard is 0", never_zero, known, doubt=True)) is not None:
        yield Obligation("guards with a divisor that may be 0", None)
        return
    known = [*known, never_zero, *given]
    for n, guard in enumerate(guards):
        if n not in kept:
            yield Obligation("that the kept guards imply the others", guard, [*known, *[guards[k] for k in kept]])
    yield some("no values satisfy the facts and the given guards", *facts, *given)
    if get(answer, "optimal", str) != "proved":
        yield Obligation("that no lighter guards imply all of them", None)
        return
    wanted, tests = {*names(*guards, *known)}, [*map(compiled, guards)]
    possible, clauses = compiled(("and", True, *known)), list[frozenset[int]]()
    for one in get(answer, "points", list):
        at = values({"at": one}, "at")
        if {*at} != wanted:
            raise BadCertificate("a point has a value for each name, and no other")
        work.keep(weight(*guards, *known))
        clauses.append(frozenset(n for n, test in enumerate(tests) if not test(at)))
        yield Obligation("that the facts hold at a point, and a guard fails", bool(clauses[-1]) and bool(possible(at)))
    lighter = _lighter(clauses, weights, sum(weights[n] for n in kept), work)
    yield Obligation("that no lighter guards exclude every point", not lighter)


def _lighter(clauses: Sequence[frozenset[int]], weights: Sequence[int], cost: int, work: Work) -> bool:
    """Whether guards of less weight hit all clauses: branches on the members of the first open clause."""
    work.combine(1 + len(clauses))
    if cost <= 0:
        return False
    if not clauses:
        return True
    found = False
    for n in sorted(clauses[0]):
        rest = [c for c in clauses if n not in c]
        found = found or _lighter(rest, weights, cost - weights[n], work)
    return found
