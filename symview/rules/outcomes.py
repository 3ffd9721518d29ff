"""Checks the rules of a file: proves or refutes each, and compares the verdict with the expected one."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from multiprocessing import active_children, get_context
from os import PathLike
from pathlib import Path
from time import monotonic, perf_counter
from typing import Any, Literal, TypeAlias

from symview.counterexample import values_text
from symview.displayed import Json
from symview.errors import InputError, InternalError, NotSupported, unknown_name
from symview.logic.budget import Budget, as_budget
from symview.logic.notation import parse_assumption, parse_statement
from symview.logic.terms import conjuncts, names, sym
from symview.proof.verdicts import Proved, Refuted, Unknown, Verdict
from symview.rules.files import FileRule
from symview.rules.premises.premise import NO_FORMULA, Premise
from symview.rules.premises.weakest import weakest
from symview.rules.prove import prove
from symview.rules.theorems import scope_of

_RULES_IN_ONE_PROCESS = 4  # so few rules are checked in one process

Answer: TypeAlias = Literal["proved", "refuted", "unknown", "invalid"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one rule.

    `answer` is the verdict as a word, `fields` is it as JSON, and `scope` are the values that it is about, or why it is
    unknown. The rule is invalid if it cannot be read, or its assumptions are contradictory. `problem` says how the
    outcome differs from what the rule expects; it is empty if it does not. `premise` is the weakest premise, if the
    rule requests it. `verdict` is not passed between processes, since a theorem would have to be proved again.
    """

    rule: FileRule
    answer: Answer
    problem: str = ""
    premise: Premise | None = None
    seconds: float = 0.0
    fields: Json = field(default_factory=dict, hash=False)
    scope: str = ""
    verdict: Verdict | None = field(default=None, compare=False)

    def __reduce__(self) -> tuple[Any, ...]:
        kept = (self.answer, self.problem, self.premise, self.seconds, self.fields, self.scope)
        return Outcome, (self.rule, *kept)

    @property
    def is_met(self) -> bool:
        """Whether the outcome is as the rule expects."""
        return not self.problem

    @property
    def hint(self) -> str:
        """The next command to type if the rule is refuted unexpectedly and needs_no_hint for no premise; else empty."""
        needs_no_hint = self.is_met or self.rule.about or self.rule.bits is not None
        return "" if needs_no_hint else hint(self.fields)


def outcome(rule: FileRule, budget: Budget | None = None) -> Outcome:
    """Proves or refutes one rule, and searches for its weakest premise if the rule requests it.

    >>> from symview.rules.files import FileRule
    >>> print(outcome(FileRule("halves", "(x + y)//2 == x//2 + y//2")).problem)
    expected proved, but refuted: (x + y)//2 == x//2 + y//2  at x = 1, y = 1 (smallest): 1 on the left, 0 on the right
    """
    started = perf_counter()
    premise: Premise | None = None
    try:
        verdict = prove(rule.claim, rule.assume, rule.division, _lemmas(rule, budget), rule.bits, budget)
        problem = _difference(rule, verdict)
        if rule.about:
            premise, unlike = _weakest(rule, budget)
            problem = problem or unlike
    except (InputError, NotSupported) as error:
        return Outcome(rule, "invalid", str(error), seconds=perf_counter() - started)
    return _outcome(rule, verdict, problem, premise, perf_counter() - started)


def _outcome(rule: FileRule, verdict: Verdict, problem: str, premise: Premise | None, seconds: float) -> Outcome:
    """The outcome of a rule with this verdict."""
    fields = verdict.to_dict()
    scope = verdict.reason if isinstance(verdict, Unknown) else scope_of(verdict)
    return Outcome(rule, fields["verdict"], problem, premise, seconds, fields, scope, verdict)


def outcomes(
    rules: Sequence[FileRule], budget: Budget | None = None, timeout: float | None = None, jobs: int | None = None
) -> Iterator[Outcome]:
    """The outcomes, in the order of the rules; on all cores, or in `jobs` processes.

    `budget` is for each rule; `timeout` in seconds is for all: rules not started by then are unknown.
    """
    judge = partial(_within, budget=as_budget(budget), deadline=None if timeout is None else monotonic() + timeout)
    jobs = min(jobs or cores(), len(rules))
    if jobs <= 1 or len(rules) <= _RULES_IN_ONE_PROCESS:
        yield from map(judge, rules)
        return
    with processes(jobs) as pool:
        yield from pool.map(judge, rules)


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """A pool whose processes are terminated if an exception leaves the block."""
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for child in active_children():
                child.terminate()
            raise


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _within(rule: FileRule, budget: Budget, deadline: float | None) -> Outcome:
    """The outcome, within the time that remains for all rules."""
    if deadline is None:
        return outcome(rule, budget)
    left = deadline - monotonic()
    if left <= 0:
        late = Unknown(rule.claim, "the time for all rules is over", rule.assume)
        return _outcome(rule, late, "not begun in time", None, 0.0)
    return outcome(rule, replace(budget, timeout=left))


def _lemmas(rule: FileRule, budget: Budget | None) -> tuple[Proved, ...]:
    """The earlier rules that it uses, proved again: theorems are not accepted from other processes."""
    found = []
    for lemma in rule.lemmas:
        proved = prove(lemma.claim, lemma.assume, lemma.division, _lemmas(lemma, budget), lemma.bits, budget)
        if not isinstance(proved, Proved):
            raise InputError(f"the lemma {lemma.name!r} is not proved: {proved}")
        found.append(proved)
    return tuple(found)


def _difference(rule: FileRule, verdict: Verdict) -> str:
    """How the verdict differs from the expected one; empty if it does not."""
    match verdict:
        case Proved() if rule.expect == "proved":
            return verdict.to_state()
        case Refuted() if rule.expect == "refuted":
            _require_known("at", rule.at or (), verdict.values)
            if rule.at is None or (dict(rule.at) == dict(verdict.values) and verdict.smallest):
                return ""
            return f"refuted as expected, but the smallest values should be {values_text(rule.at)}: {verdict}"
        case Unknown() if rule.expect == "unknown":
            return ""
    return f"expected {rule.expect}, but {verdict}"


def _require_known(key: str, given: Iterable[str], known: Collection[str]) -> None:
    """Raises InputError if a name that an entry of the rule gives is not known."""
    if (odd := next((n for n in given if n not in known), None)) is not None:
        raise InputError(f"{key}: {unknown_name(odd, known, 'rule')}")


def _weakest(rule: FileRule, budget: Budget | None) -> tuple[Premise, str]:
    """The weakest premise, and how it differs from the expected one."""
    premise = weakest(rule.claim, rule.about, rule.assume, rule.division, budget)
    if not premise:
        return premise, f"no premise over {rule.about} is found: {premise.reason}"
    if not rule.premise:
        return premise, ""
    _require_known("premise", names(parse_statement(rule.premise)), premise.about)
    same = prove(f"({premise.condition}) <-> ({rule.premise})", premise.given(), rule.division, budget=budget)
    unlike = f"the weakest premise is {premise.condition}, not {rule.premise}: {same}"
    return premise, "" if isinstance(same, Proved) else unlike


def hint(refuted: Json, budget: Budget | None = None) -> str:
    """The command that searches for the condition under which a refuted statement holds; empty for other verdicts.

    The condition is about all names but the first, which in most rules is the index, and those that an assumption gives
    a value; for programs, about all sizes. Within a budget, it is empty if there is no such condition.

    >>> hint(prove("(x + a)//b == x//b + a//b", assume="a >= 1, b >= 1").to_dict())
    'symview weakest "(x + a)//b == x//b + a//b" --about "a, b" --assume "a >= 1 and b >= 1"'
    >>> hint(prove("i*s + j < 2**31", assume="s == 65536").to_dict())
    'symview weakest "i*s + j < 2**31" --about "j" --assume "s == 65536"'
    """
    about = list(refuted.get("values", ()))[0 if refuted.get("index") is not None else 1 :]
    terms = map(parse_assumption, refuted.get("assumptions", ()))
    fixed = [f.args[0] for g in terms for f in conjuncts(g) if f.op == "==" and f.args[1].op == "int"]
    about = [name for name in about if sym(name) not in fixed]
    if refuted.get("verdict") != "refuted" or not about or (budget and _is_in_vain(refuted, about, budget)):
        return ""
    given = {"about": ", ".join(about), "assume": " and ".join(refuted["assumptions"]), "division": refuted["division"]}
    options = [f'--{name} "{text}"' for name, text in given.items() if text not in ("", "floor")]
    return " ".join([f'symview weakest "{refuted["statement"]}"', *options])


def _is_in_vain(refuted: Json, about: Sequence[str], budget: Budget) -> bool:
    """Whether a short search already ends without a condition that helps, or is refused."""
    try:
        found = weakest(refuted["statement"], about, refuted["assumptions"], refuted["division"], budget)
    except (InputError, NotSupported):
        return True
    return found.condition == "False" or found.reason.endswith(NO_FORMULA)


def query_of(found: Outcome) -> str:
    """The undecided question as SMT-LIB; empty if there is none."""
    return str(found.fields.get("smt2", ""))


def save_query(folder: str | PathLike[str], name: str, query: str) -> Path:
    """Writes a question for a solver into the folder under this name; an existing file is kept."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    stem = re.sub(r"\W+", "_", name).strip("_") or "query"
    for number in count(1):
        path = Path(folder) / f"{stem}{f'_{number}' if number > 1 else ''}.smt2"
        try:
            with path.open("x", encoding="utf-8") as file:
                file.write(query)
        except FileExistsError:
            if path.read_text(encoding="utf-8") != query:
                continue
        return path
    raise InternalError("numbers ran out")
