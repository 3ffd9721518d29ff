"""Findings in SARIF 2.1.0, the format of code reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(
    version: str, rules: Mapping[str, str], results: Sequence[dict[str, Any]], stopped: str = ""
) -> dict[str, Any]:
    """The findings of one run; `rules`: descriptions of the kinds of findings, by their names.

    `stopped`: why the run ended before everything was seen, if it did.
    """
    rule_texts = [{"id": name, "shortDescription": {"text": text}} for name, text in rules.items()]
    run: dict[str, Any] = {"tool": {"driver": {"name": "symview", "version": version, "rules": rule_texts}}}
    if stopped:
        failure = {"level": "error", "message": {"text": f"stopped at {stopped}"}}
        run["invocations"] = [{"executionSuccessful": False, "toolExecutionNotifications": [failure]}]
    return {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{**run, "results": list(results)}]}


def finding(rule: str, level: str, text: str, uri: str, line: int) -> dict[str, Any]:
    """A finding at a line of a file.

    >>> finding("refuted", "error", "false", "a.py", 3)["locations"][0]["physicalLocation"]["region"]
    {'startLine': 3}
    """
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": line}}
    message, locations = {"text": text}, [{"physicalLocation": place}]
    return {"ruleId": rule, "level": level, "message": message, "locations": locations}
