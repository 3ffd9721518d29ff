"""Questions about views with the facts of a ShapeEnv, and their conditions as a SymBool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from symview.answers import GuardVerdict
from symview.cases.conditions import Conditions
from symview.errors import InputError
from symview.logic.arithmetic import in_arithmetic
from symview.logic.budget import Budget, running
from symview.logic.entailment import Entailment
from symview.logic.integer import of_term
from symview.logic.notation import parse_assumption
from symview.logic.sympy_bridge import free_symbols, is_number, to_entry, to_sympy, to_term
from symview.logic.terms import FALSE, TRUE, Term, as_entry, conj, names, num, substituted, sym, with_nonzero_divisors
from symview.proof import prover
from symview.proof.verdicts import Refuted, Unknown, Verdict
from symview.tensors import environment
from symview.torch.answers import known_environment, torch_functions
from symview.torch.knowledge import Known, content, known, relations
from symview.view import View


@dataclass(frozen=True, repr=False)
class KnownConditions(Conditions[View]):
    """Conditions under the facts of a ShapeEnv; `equal` maps symbols to the expressions that they equal."""

    equal: Mapping[str, Term] = field(default_factory=dict, compare=False)

    def compare(self, guard: Any) -> GuardVerdict:
        """Like `Conditions.compare`; the guard may have symbols that the ShapeEnv knows as expressions in these."""
        return super().compare(substituted(_read(guard), self.equal))


def conditions_known(
    question: Callable[..., Conditions[View]], tensor: Any, *more: Any, budget: Budget | None = None, **options: Any
) -> KnownConditions:
    """The answer to a question about the view of a tensor, under the facts of its ShapeEnv.

    `question`: `contiguous_conditions`, `dense_conditions`, `injective_conditions`, `reshape_conditions_given` or any
    function of a view, `more`, and `assume`. Ranges, replacements, guards, deferred asserts and divisibility are used
    as in `view_guard`; nothing is added to them. Raises what the question raises.

    >>> import numpy
    >>> from symview import contiguous_conditions
    >>> print(conditions_known(contiguous_conditions, numpy.zeros((4, 6)).T))
    never
    """
    view = View.of(tensor)
    entries = [to_entry(x) for x in view.entries()]
    symbols = free_symbols(view.entries())
    found = _known(environment(tensor) if symbols else None, symbols)
    used = [of_term(found.substitute(e), symbols) for e in entries]
    there = View(used[: view.rank], used[view.rank : 2 * view.rank], used[2 * view.rank])
    left = free_symbols(there.entries())
    facts = [f for f in found.facts if left.keys() >= {*names(f)}]
    facts += [Term(">=", (to_term(n), num(0))) for n in there.shape if not is_number(n)]  # 0, unless that is excluded
    answer = question(there, *more, assume=facts, budget=budget, **options)
    return KnownConditions(answer.question, answer.data, answer.budget, {**found.equal, **found.foreign})


def sym_bool(conditions: Conditions[Any], env: Any) -> Any:
    """Conditions of any question as a SymBool of a ShapeEnv that has their symbols; a bool if they are constant.

    It includes the facts that the conditions presuppose, such as that sizes are positive, unless the ShapeEnv implies
    them.
    Raises NotSupported for conditions with gcd or sums of floors, Undecided if the conditions are undecided.
    """
    term, symbols, budget = in_arithmetic(conditions.term()), conditions.symbols(), running(None)
    found = _known(env, symbols)
    there = Entailment(found.facts, budget)
    left = [f for f in conditions.facts if not there.implies(substituted(f, found.equal))]
    whole = conj((*dict.fromkeys(left), term))
    if whole in (TRUE, FALSE):
        return whole == TRUE
    return env.create_symboolnode(to_sympy(with_nonzero_divisors(whole, names(whole)), symbols, torch_functions()))


def prove(statement: Any, env: Any = None, budget: Budget | None = None) -> Verdict:
    """Whether a SymBool, or a sympy formula over symbols of a ShapeEnv, always holds under the facts of the ShapeEnv.

    Returns Proved, Refuted with values that the ShapeEnv admits, or Unknown with a reason; nothing is added to the
    ShapeEnv.
    Raises InputError if the argument is not a statement about integers, or is a sympy formula without `env`.
    """
    env, given = known_environment(env, statement), as_entry(statement)
    if isinstance(given, bool):
        return prover.prove("1 == 1" if given else "1 == 0", budget=budget)
    if env is None:
        raise InputError(f"{statement}: give a SymBool, or the ShapeEnv of its symbols as env")
    term = _read(given)
    if not term.is_formula():
        raise InputError(f"{statement}: give a comparison, or several joined")
    tied = content(env, names(term))
    everything = content(env, dict.fromkeys(tied.names()))
    equations = [Term("==", (sym(name), other)) for name, other in everything.replaced]
    verdict = prover.prove(term, [*everything.facts, *equations], budget=budget)
    if isinstance(verdict, Refuted) and not _admits(env, verdict.values):
        return Unknown(verdict.statement, "refuted only where the ShapeEnv has a guard that is not read here")
    return verdict


def _admits(env: Any, values: Mapping[str, int]) -> bool:
    """Whether all guards and asserts about these symbols hold at their values."""
    from sympy import sympify  # slow to load

    for relation in relations(env):
        at = {s: values[s.name] for s in relation.free_symbols if s.name in values}
        if at and relation.xreplace({s: sympify(n) for s, n in at.items()}) != True:  # noqa: E712
            return False
    return True


def _known(env: Any, wanted: Any) -> Known:
    return Known() if env is None else known(content(env, wanted))


def _read(guard: Any) -> Term:
    given = as_entry(guard)
    return parse_assumption(given) if isinstance(given, str) else to_term(given)
