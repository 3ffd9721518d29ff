"""Rules and what came of them as files for other programs: TOML, SARIF, JSON."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Any

from symview.readers.checking import Check, Checked
from symview.readers.rules import Rule

_LEVELS = {"refuted": "error", "unknown": "warning"}
_ABOUT = {"refuted": "A rewrite rule that is false", "unknown": "A rewrite rule that is undecided"}
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def toml(rules: Sequence[Rule]) -> str:
    """The rules that were read as a file of rules for `symview prove`."""
    return "\n".join(
        f"[[rule]]\nname = {dumps(r.name)}\nclaim = {dumps(r.claim)}\n"
        + (f"assume = [{', '.join(map(dumps, r.assume))}]\n" if r.assume else "")
        + (f"division = {dumps(r.division)}\n" if r.division != "floor" else "")
        + f"source = {dumps(r.source)}\n"
        for r in rules
        if r.claim
    )


def as_json(found: Checked) -> dict[str, Any]:
    """A rule and what came of it."""
    rule = found.rule
    return {
        "name": rule.name, "path": rule.path, "line": rule.line, "where": rule.where, "statement": rule.claim,
        "assumptions": list(rule.assume), "division": rule.division, "verdict": found.answer,
        "premise": found.premise or None, "checks": [{"bits": c.bits, **c.fields} for c in found.checks],
    }  # fmt: skip


def unread_json(rule: Rule) -> dict[str, Any]:
    """A rule that was not read."""
    return {"name": rule.name, "path": rule.path, "line": rule.line, "where": rule.where, "reason": rule.reason}


def sarif(found: Sequence[Checked], version: str) -> str:
    """The rules that are false or undecided as SARIF 2.1.0, which GitHub shows at their lines."""
    rules = [{"id": word, "shortDescription": {"text": text}} for word, text in _ABOUT.items()]
    results = [_result(one, check) for one in found for check in one.checks if check.answer in _LEVELS]
    run = {"tool": {"driver": {"name": "symview", "version": version, "rules": rules}}, "results": results}
    return dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _result(found: Checked, check: Check) -> dict[str, Any]:
    place = {"artifactLocation": {"uri": found.rule.path}, "region": {"startLine": found.rule.line}}
    premise = f" It is right where {found.premise}." if found.premise and check.bits is None else ""
    return {
        "ruleId": check.answer, "level": _LEVELS[check.answer],
        "message": {"text": f"{check.told}{premise}"}, "locations": [{"physicalLocation": place}],
    }  # fmt: skip
