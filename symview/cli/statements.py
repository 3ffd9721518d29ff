"""The commands on statements: `symview prove`, `symview weakest`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import symview
from symview.cli.options import Options
from symview.cli.replies import Code, Reply
from symview.cli.terminal import progress, working
from symview.errors import InputError
from symview.proof.verdicts import Proved, Unknown, Verdict
from symview.rules.files import read_rules
from symview.rules.outcomes import Outcome, outcomes, query_of, save_query, verdict_dict
from symview.rules.premises.premise import premise_blocks
from symview.show.grid import Block, Grid

_DIGITS = 10  # of a width, at most


def prove(
    statement: list[str], division: str, bits: str | None, save: str | None, jobs: int | None, options: Options
) -> Reply:
    """What comes of a statement, or of the rules of files."""
    if statement and all(text.endswith(".toml") for text in statement):
        if options.assume or division != "floor" or bits is not None:
            raise InputError("--assume, --division and --bits are for a statement: a file of rules says them itself")
        return _rule_files(statement, options, save, jobs)
    if len(statement) != 1:
        raise InputError("give one statement, or files of rules, whose names end in .toml")
    with working("proving"):
        verdict = symview.prove(statement[0], options.assume, division, bits=_width(bits), budget=options.budget)
    if isinstance(verdict, Unknown) and save:
        save_query(save, statement[0], verdict.smt2)
    return verdict_reply(verdict)


def weakest(statement: str, about: str, division: str, options: Options) -> Reply:
    """The weakest condition on some symbols under which a statement holds."""
    premise = symview.weakest(statement, about, options.assume, division, options.budget)
    code = Code.YES if premise else Code.UNDECIDED
    return Reply(code, premise.to_dict, lambda: premise_blocks(premise), conditional=premise.condition != "true")


def _width(text: str | None) -> int | str | None:
    return int(text) if text is not None and text.isdecimal() and len(text) < _DIGITS else text


def verdict_reply(verdict: Verdict) -> Reply:
    """A verdict as a reply."""
    stated = not (isinstance(verdict, Proved) and verdict.unstated)
    open_ = isinstance(verdict, Unknown) or not stated
    code = Code.UNDECIDED if open_ else Code.YES if verdict else Code.NO
    return Reply(code, lambda: verdict_dict(verdict), lambda: [str(verdict)])


# Rules of files


def _rule_files(paths: Sequence[str], options: Options, save: str | None, jobs: int | None) -> Reply:
    """What comes of each of the rules of files."""
    rules = [rule for path in paths for rule in read_rules(path)]
    budget = options.budget.plain()
    found = list(progress(outcomes(rules, budget, budget.timeout, jobs), len(rules), "proving"))
    for one in found if save else ():
        if query := query_of(one):
            save_query(str(save), one.rule.name, query)
    fields = {"rules": list(map(_rule_dict, found)), "counts": _counts(found)}
    return Reply(_worst(found), lambda: fields, lambda: _rule_blocks(found, save))


def _worst(found: Iterable[Outcome]) -> Code:
    """The worst of what came of the rules: a rule that is none, one that is not as expected, one that is open."""
    unmet = {one.answer for one in found if not one.is_met}
    if "invalid" in unmet:
        return Code.BAD_INPUT
    return Code.YES if not unmet else Code.UNDECIDED if unmet == {"unknown"} else Code.NO


def _rule_dict(found: Outcome) -> dict[str, Any]:
    rule = found.rule
    fields = {"name": rule.name, "place": rule.place, "source": rule.source, "expect": rule.expect}
    asked = {"statement": rule.claim, "assumptions": list(rule.assume), "division": rule.division}
    premise = None if found.premise is None else str(found.premise.condition)
    return {
        **fields, "met": found.is_met, "problem": found.problem, "premise": premise, "bits": rule.bits,
        "issue": rule.issue, **(found.fields or {"verdict": "invalid", **asked}), "seconds": found.seconds,
    }  # fmt: skip


def _counts(found: Sequence[Outcome]) -> dict[str, int]:
    counts = {word: sum(one.answer == word for one in found) for word in ("proved", "refuted", "unknown", "invalid")}
    return {**counts, "not_as_expected": sum(not one.is_met for one in found)}


def _rule_blocks(found: Sequence[Outcome], save: str | None) -> Iterator[Block]:
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
