"""The pytest plugin, active in every project with symview installed: theorems, files of rules, and their summary.

It imports symview only if a run contains theorems or rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable
from dataclasses import asdict
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from symview.logic.budget import Budget
    from symview.rules.files import FileRule
    from symview.rules.theorems import TheoremOutcome

_KEY = "symview"
_MARKERS = {
    "proved": "theorem: a theorem of symview, to be proved",
    "refuted": "refuted: a statement that symview has to refute",
    "checked": "checked: a statement that is only checked up to a bound",
}
_PATTERNS = ["*.rules.toml", "rules/*.toml"]
_RULE = b"[[rule]]"
_MAX_SCOPES = 6  # scopes of one status with a line of their own in the summary


# The hooks of pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the options, and the patterns of files of rules."""
    group = parser.getgroup("symview", "theorems and rules of symview")
    group.addoption("--symview-budget", type=int, metavar="STEPS", help="solver steps for each claim")
    group.addoption("--symview-timeout", type=float, metavar="SECONDS", help="seconds for each claim")
    group.addoption("--symview-save", metavar="DIR", help="write open queries into this folder, as SMT-LIB")
    group.addoption("--symview-slowest", type=int, metavar="N", default=5, help="how many slow claims to list (5)")
    parser.addini("symview_rules", "files of rules, as patterns", type="args", default=_PATTERNS)


def pytest_configure(config: pytest.Config) -> None:
    """Adds the markers that select theorems."""
    for text in _MARKERS.values():
        config.addinivalue_line("markers", text)
    config.pluginmanager.register(_Summary(config.getoption("--symview-slowest")), "symview-summary")


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collects a file of rules: named on the command line, or matching the patterns of `symview_rules`.

    Other tools use `rules/*.toml` too: a matching file is skipped unless its name or a line shows that it is ours.
    """
    if file_path.suffix != ".toml":
        return None
    ours = parent.session.isinitpath(file_path) or file_path.name.endswith(".rules.toml")
    matches = any(file_path.match(p) for p in parent.config.getini("symview_rules"))
    if ours or (matches and _RULE in file_path.read_bytes()):
        return RuleFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> None:
    """Reports theorems that pytest would not collect because of their name.

    A name that begins with an underscore is a helper's, and is ignored.
    """
    if type(obj) is not FunctionType or not hasattr(obj, "symview_status") or name.startswith("_"):
        return
    imported = isinstance(collector, pytest.Module) and obj.__module__ != collector.obj.__name__
    if not (imported or collector.funcnamefilter(name) or collector.isnosetest(obj)):
        what = f"{name} is to be {obj.symview_status}, but pytest does not collect it"
        raise collector.CollectError(f"{collector.path}: {what}: call it test_{name}")


def pytest_collection_modifyitems(items: Iterable[pytest.Item]) -> None:
    """Marks theorems, so that `-m theorem` selects them."""
    for item in items:
        status = getattr(getattr(item, "obj", None), "symview_status", None)
        if status is not None:
            item.add_marker(_MARKERS[status].partition(":")[0])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Records the outcome of a theorem with the test."""
    if not hasattr(getattr(item, "obj", None), "symview_status"):
        return (yield)
    from symview.rules.theorems import Run, current  # only in projects that use it

    token = current.set(Run(_budget(item.config), lambda outcome: _note(item, outcome)))
    try:
        return (yield)
    finally:
        current.reset(token)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, Any, pytest.TestReport]:
    """Shows the user's own file, line and claim for a theorem that fails."""
    report: pytest.TestReport = yield
    if call.excinfo is not None and hasattr(getattr(item, "obj", None), "symview_status"):
        from symview.rules.theorems import TheoremFailed  # only in projects that use it

        if isinstance(call.excinfo.value, TheoremFailed):
            failure = call.excinfo.value
            _save(item.config, item.name, failure.query)
            failed: Any = _Failure(failure.place, failure.claim, failure.verdict)
            report.longrepr = failed
    return report


def _budget(config: pytest.Config) -> Budget | None:
    work, timeout = config.getoption("--symview-budget"), config.getoption("--symview-timeout")
    if work is None and timeout is None:
        return None
    from symview.errors import InputError  # only in projects that use it
    from symview.logic.budget import Budget  # only in projects that use it

    try:
        return Budget(timeout=timeout) if work is None else Budget(work=work, timeout=timeout)
    except InputError as error:
        raise pytest.UsageError(str(error)) from None


def _note(item: pytest.Item, outcome: TheoremOutcome) -> None:
    item.user_properties.append((_KEY, {**asdict(outcome), "test": item.nodeid}))


def _save(config: pytest.Config, name: str, query: str) -> None:
    folder = config.getoption("--symview-save")
    if folder and query:
        from symview.rules.outcomes import save_query  # only in projects that use it

        save_query(folder, name, query)


class _Failure:
    """A failure as pytest prints it: place, claim, verdict."""

    def __init__(self, place: str, claim: str, verdict: str) -> None:
        path, _, line = place.rpartition(":")
        first, _, rest = verdict.partition("\n")
        self.text = "\n".join(filter(None, [f"{place}: {first}", f"claimed: {claim}" if claim else "", rest]))
        self.reprcrash = SimpleNamespace(path=path, lineno=int(line or 0), message=first)  # for the short summary

    def toterminal(self, writer: Any) -> None:
        for number, line in enumerate(self.text.splitlines()):
            writer.line(line, red=not number)

    def __str__(self) -> str:
        return self.text


# Files of rules


class RuleFile(pytest.File):
    """A file of rules; each of its rules is a test."""

    def collect(self) -> Iterable[pytest.Item]:
        """The rules, in the order of the file."""
        from symview.errors import InputError  # only in projects that use it
        from symview.rules.files import read_rules  # only in projects that use it

        try:
            rules = read_rules(self.path)
        except InputError as error:
            raise self.CollectError(str(error)) from None
        for rule in rules:
            item = RuleItem.from_parent(self, name=rule.name, rule=rule)
            item.add_marker("refuted" if rule.expect == "refuted" else "theorem")
            yield item


class RuleFailed(Exception):
    """A rule whose outcome is not the one that its file expects."""


class RuleItem(pytest.Item):
    """One rule as a test: it passes if the outcome is the one that the file expects."""

    def __init__(self, *, rule: FileRule, **more: Any) -> None:
        super().__init__(**more)
        self.rule = rule

    def runtest(self) -> None:
        """Proves or refutes the rule."""
        from symview.rules.outcomes import outcome, query_of  # only in projects that use it
        from symview.rules.theorems import TheoremOutcome  # only in projects that use it

        found = outcome(self.rule, _budget(self.config))
        _save(self.config, self.name, query_of(found))
        status: Any = found.answer if found.is_met or found.answer == "unknown" else "failed"
        scope = found.scope if found.is_met else ""
        _note(self, TheoremOutcome(self.rule.name, status, scope, self.rule.source, found.seconds))
        if not found.is_met:
            raise RuleFailed(f"{found.problem}\nhint: {found.hint}" if found.hint else found.problem)

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        """The rule's file and line, its claim, and its verdict."""
        if isinstance(excinfo.value, RuleFailed):
            return _Failure(self.rule.place, self.rule.claim, str(excinfo.value))
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        """The place where the rule begins."""
        return self.path, self.rule.line - 1, self.rule.name


# The summary


class _Summary:
    """Counts the outcomes in reports, also those of pytest-xdist's workers, and prints a summary at the end."""

    def __init__(self, slowest: int) -> None:
        self.slowest = slowest
        self.outcomes: list[dict[str, Any]] = []

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.outcomes += [value for key, value in report.user_properties if key == _KEY]  # type: ignore[misc]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if not self.outcomes:
            return
        terminalreporter.section("symview", sep="-")
        for line in summary(self.outcomes, self.slowest):
            terminalreporter.write_line(line)


def summary(outcomes: Iterable[dict[str, Any]], slowest: int = 5) -> Iterable[str]:
    """The outcomes of a run, in lines of text.

    >>> one = {"name": "r", "status": "proved", "scope": "all values", "source": "", "seconds": 0.25, "test": "f::r"}
    >>> print(*summary([one, {**one, "status": "checked", "scope": "n <= 6"}], slowest=1), sep="\\n")
    proved       1  all values
    checked      1  n <= 6
    slowest:  0.25 s  f::r
    """
    outcomes = list(outcomes)
    for status in ("proved", "checked", "refuted", "unknown", "failed"):
        scopes = Counter(t["scope"] for t in outcomes if t["status"] == status)
        if status in ("proved", "checked"):
            for scope, count in scopes.most_common(_MAX_SCOPES):
                yield f"{status:8} {count:5}  {scope}"
            if rest := scopes.total() - sum(count for _, count in scopes.most_common(_MAX_SCOPES)):
                yield f"{status:8} {rest:5}  {len(scopes) - _MAX_SCOPES} others, each as its test says"
        elif scopes:
            wrong = {"refuted": "as expected", "unknown": "neither proved nor refuted", "failed": "not as claimed"}
            yield f"{status:8} {scopes.total():5}  {wrong[status]}"
    for at, one in enumerate(sorted(outcomes, key=lambda t: -t["seconds"])[:slowest]):
        yield f"{'' if at else 'slowest:':8} {one['seconds']:5.2f} s  {one['test']}"
