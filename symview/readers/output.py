"""Rules and their verdicts as files for other programs: TOML, SARIF, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Any

from symview.logic.notation import parse_statement
from symview.logic.terms import names, untied
from symview.readers.checking import Check, Checked
from symview.readers.rules import Rule
from symview.readers.running import command
from symview.show.sarif import finding
from symview.show.sarif import sarif as in_sarif

_LEVELS = {"refuted": "error", "unknown": "warning"}
_ABOUT = {"refuted": "A rewrite rule that is false", "unknown": "A rewrite rule that is undecided"}


def toml(rules: Sequence[Rule]) -> str:
    """The rules that could be read, as a file of rules for `symview prove`."""
    return "\n".join(
        f"[[rule]]\nname = {dumps(r.name)}\nclaim = {dumps(r.claim)}\n"
        + (f"assume = [{', '.join(map(dumps, needed))}]\n" if (needed := _needed(r)) else "")
        + (f"division = {dumps(r.division)}\n" if r.division != "floor" else "")
        + f"source = {dumps(r.source)}\n"
        for r in rules
        if r.claim
    )


def _needed(rule: Rule) -> list[str]:
    """The assumptions that say something about its names; `symview prove` rejects others."""
    given = rule.given()
    far = untied(given, names(parse_statement(rule.claim)))
    return [text for text, f in zip(rule.assume, given, strict=True) if f not in far]


def as_json(found: Checked, project: str) -> dict[str, Any]:
    """A rule and its verdicts, a false one with the command that runs it."""
    rule, runs = found.rule, [command(project, found.rule, c) for c in found.checks]
    return {
        "name": rule.name, "path": rule.path, "line": rule.line, "where": rule.where, "statement": rule.claim,
        "assumptions": list(rule.assume), "division": rule.division, "verdict": found.answer,
        "premise": found.premise or None, "checks": [
            {"bits": c.bits, **c.fields, **({"run": run} if run else {})}
            for c, run in zip(found.checks, runs, strict=True)
        ],
    }  # fmt: skip


def unread_json(rule: Rule) -> dict[str, Any]:
    """A rule that could not be read."""
    return {"name": rule.name, "path": rule.path, "line": rule.line, "where": rule.where, "reason": rule.reason}


def sarif(found: Sequence[Checked], version: str) -> str:
    """The refuted and undecided rules as SARIF 2.1.0, which GitHub shows at their lines."""
    results = [_result(one, check) for one in found for check in one.checks if check.answer in _LEVELS]
    return dumps(in_sarif(version, _ABOUT, results), indent=1) + "\n"


def _result(found: Checked, check: Check) -> dict[str, Any]:
    premise = f" It is right where {found.premise}." if found.premise and check.bits is None else ""
    rule, level = found.rule, _LEVELS[check.answer]
    return finding(check.answer, level, f"{check.told}{premise}", rule.path, rule.line)
