"""Verdicts on the command line: of one statement, and of the rules of files, with a table and counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, assert_never

from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.cli.terminal import progress
from symview.proof.verdicts import Proved, Refuted, Unknown, Verdict
from symview.rules.files import read_rules
from symview.rules.outcomes import Outcome, outcomes, query_of, save_query, verdict_dict
from symview.show.grid import Block, Grid


def verdict_reply(verdict: Verdict) -> Reply:
    """A verdict as a reply."""
    return Reply(verdict_code(verdict), lambda: verdict_dict(verdict), lambda: [str(verdict)])


def verdict_code(verdict: Verdict) -> Code:
    """The exit code of a verdict."""
    match verdict:
        case Proved():
            return Code.UNDECIDED if verdict.unstated else Code.YES
        case Refuted():
            return Code.NO
        case Unknown():
            return Code.UNDECIDED
    assert_never(verdict)


def rule_files(paths: Sequence[str], options: Options, save: str | None, jobs: int | None) -> Reply:
    """Proves the rules of the files; it is told what came of each."""
    rules = [rule for path in paths for rule in read_rules(path)]
    budget = options.budget.plain()
    found = list(progress(outcomes(rules, budget, budget.timeout, jobs), len(rules), "proving"))
    if save:
        for one in found:
            if query := query_of(one):
                save_query(save, one.rule.name, query)
    return Reply(
        _code(found),
        lambda: {"rules": list(map(_rule_dict, found)), "counts": _counts(found)},
        lambda: _blocks(found, save),
    )


def _code(found: Iterable[Outcome]) -> Code:
    """The worst of what came of the rules: a rule that is none, one that is not as expected, one that is open."""
    unmet = {one.answer for one in found if not one.is_met}
    if "invalid" in unmet:
        return Code.BAD_INPUT
    return Code.YES if not unmet else Code.UNDECIDED if unmet == {"unknown"} else Code.NO


def _rule_dict(found: Outcome) -> dict[str, Any]:
    rule = found.rule
    told = {"name": rule.name, "place": rule.place, "source": rule.source, "expect": rule.expect}
    asked = {"statement": rule.claim, "assumptions": list(rule.assume), "division": rule.division}
    premise = None if found.premise is None else str(found.premise.condition)
    return {
        **told, "met": found.is_met, "problem": found.problem, "premise": premise, "bits": rule.bits,
        "issue": rule.issue, **(found.told or {"verdict": "invalid", **asked}), "seconds": found.seconds,
    }  # fmt: skip


def _counts(found: Sequence[Outcome]) -> dict[str, int]:
    counts = {word: sum(one.answer == word for one in found) for word in ("proved", "refuted", "unknown", "invalid")}
    return {**counts, "not_as_expected": sum(not one.is_met for one in found)}


def _blocks(found: Sequence[Outcome], save: str | None) -> Iterator[Block]:
    """The table, what is not as expected, and the counts."""
    yield Grid(("rule", "verdict", "for", "seconds"), tuple(map(_row, found)))
    for one in found:
        if not one.is_met:
            yield f"{one.rule.place}: {one.rule.name}\n{one.problem}"
    if any(query_of(one) for one in found):
        yield f"open questions are in {save}/" if save else "--save DIR writes the open questions as SMT-LIB"
    counts = _counts(found)
    unmet = counts.pop("not_as_expected")
    shown = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    yield f"{shown}; {f'{unmet} not as expected' if unmet else 'all as expected'}"


def _row(found: Outcome) -> tuple[str, ...]:
    scope = found.scope
    if found.premise:
        scope += f"; weakest premise: {found.premise.condition}"
    return found.rule.name, found.answer + ("" if found.is_met else " (!)"), scope, f"{found.seconds:.2f}"
